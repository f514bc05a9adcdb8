"""Single options that several commands have."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.intervals.quantiles import Alternative

Level = Annotated[float, typer.Option("--level", help="Confidence level, between 0 and 1.")]
FprRange = Annotated[
    tuple[float, float] | None,
    typer.Option(metavar="LOW HIGH", help="Partial areas over these false positive rates."),
]
Tested = Annotated[Hypothesis, typer.Option(case_sensitive=False, help="What is to be shown.")]
Margin = Annotated[float | None, typer.Option(help="Margin of hypotheses that have one.")]
Side = Annotated[Alternative, typer.Option(case_sensitive=False, help="Side of the test.")]
Rates = Annotated[list[float] | None, typer.Option(help="False positive rate (repeatable).")]
Prevalences = Annotated[
    list[float] | None,
    typer.Option("--prevalence", help="Share of positives where the test is used (repeatable)."),
]


def given(**options: Any) -> dict[str, Any]:
    """Return the options that are given: the question knows the defaults of the others.

    Parameters
    ----------
    **options
        Values by name; None and empty lists are not given.

    Returns
    -------
    dict
        The others.

    Examples
    --------
    >>> from rocstats.commands.options import given
    >>> given(method=None, prevalence=[0.1])
    {'prevalence': [0.1]}
    """
    return {name: value for name, value in options.items() if value not in (None, [])}
