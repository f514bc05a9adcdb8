"""Commands about thresholds: operating points, cutpoints."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rocstats.commands.cases import Cases, thresholds_of
from rocstats.commands.options import (
    Level,
    Prevalences,
    Rates,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import Output, ResamplingOptions
from rocstats.curves.criteria import CriterionName
from rocstats.errors import InputError
from rocstats.estimate.rates import Reading as RateReading
from rocstats.facts.measures import STARD
from rocstats.inference.cutpoints.smooth import CutMethod

# 1 - 0.9 is 0.09999999999999998.
_DECIMALS = 12

Quantities = Annotated[
    list[str] | None,
    typer.Option("--quantity", help="Print this measure only, such as ppv (repeatable)."),
]


def points(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SCORE=]VALUE",
            help="Threshold, of all scores or of one such as area=600 (repeatable); all: the"
            " criterion table.",
        ),
    ] = None,
    fpr: Rates = None,
    tpr: Annotated[list[float] | None, command_option_of_parameter("tpr", repeatable=True)] = None,
    at_sensitivity: Annotated[
        str | None,
        typer.Option(
            metavar="80,90,...",
            help="Rows of the criterion table that reach these sensitivities (percent).",
        ),
    ] = None,
    at_specificity: Annotated[
        str | None,
        typer.Option(metavar="80,90,...", help="The same of specificities (percent)."),
    ] = None,
    reading: Annotated[
        RateReading, typer.Option(case_sensitive=False, help="How the curve is read at a rate.")
    ] = "interpolated",
    quantity: Quantities = None,
    prevalence: Prevalences = None,
    level: Level = 0.95,
) -> None:
    r"""Print sensitivity, specificity, predictive values and ratios at thresholds or rates.

    rocstats points patients.csv diagnosis area --positive malignant \
      --threshold 600 --prevalence 0.05

    rocstats points patients.csv diagnosis area --positive malignant \
      --threshold all --layout wide --quantity tpr --quantity tnr

    rocstats points patients.csv diagnosis area texture --positive malignant \
      --fpr 0.1 --quantity tpr --seed 1 --resamples 200

    rocstats points patients.csv diagnosis area --positive malignant \
      --at-sensitivity 80,90,95,97.5 --layout wide --seed 1
    """
    # Every vertex of the curve: a criterion table.
    chosen = "all" if threshold == ["all"] else thresholds_of(threshold)
    rows = given_command_options(
        tpr=_shares_of_percentages("--at-sensitivity", at_sensitivity),
        fpr=_complements(_shares_of_percentages("--at-specificity", at_specificity)),
    )
    places = given_command_options(threshold=chosen, fpr=fpr, tpr=tpr)
    if len(places) + len(rows) != 1:
        raise InputError(
            "One of `--threshold`, `--fpr`, `--tpr`, `--at-sensitivity` and `--at-specificity` must"
            f" be given; got {len(places) + len(rows)} of them. Pass one of them."
        )
    if rows:
        # A row of the criterion table is a threshold, not a point between two.
        places, reading, quantity = rows, "attained", quantity or list(STARD)
    asked: dict[str, Any] = {
        **places,
        **given_command_options(prevalence=prevalence, quantities=quantity),
        **draws.arguments(),
    }
    study = cases.study()
    output.write(study.operating_points(reading=reading, confidence_level=level, **asked))


def _shares_of_percentages(option: str, text: str | None) -> list[float] | None:
    """Return percentages such as "80,97.5" as shares."""
    if text is None:
        return None
    try:
        shares = [round(float(part) / 100, _DECIMALS) for part in text.split(",")]
    except ValueError:
        shares = []
    if not shares or not all(0 < share < 1 for share in shares):
        raise InputError(
            f"`{option}` must be percentages between 0 and 100, divided by commas; got {text!r}."
            " Pass for instance 80,90,95,97.5."
        )
    return shares


def _complements(shares: list[float] | None) -> list[float] | None:
    return None if shares is None else [round(1 - share, _DECIMALS) for share in shares]


def cutpoint(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    criterion: Annotated[
        CriterionName, typer.Option(case_sensitive=False, help="What the cutpoint optimizes.")
    ] = "youden",
    tpr: Annotated[float | None, typer.Option(help="Sensitivity, of fixed-tpr.")] = None,
    fpr: Annotated[float | None, typer.Option(help="False positive rate, of fixed-fpr.")] = None,
    cost_fp: Annotated[
        float | None, typer.Option(help="Cost of a false positive, of cost.")
    ] = None,
    cost_fn: Annotated[
        float | None, typer.Option(help="Cost of a false negative, of cost.")
    ] = None,
    prevalence: Annotated[float | None, command_option_of_parameter("prevalence")] = None,
    method: Annotated[
        CutMethod, typer.Option(case_sensitive=False, help="How the curve is estimated.")
    ] = "empirical",
    level: Level = 0.95,
) -> None:
    r"""Print the optimal cutpoint of each score, with its rates and their intervals.

    rocstats cutpoint patients.csv diagnosis area --positive malignant --seed 1

    rocstats cutpoint patients.csv diagnosis area --positive malignant --seed 1 \
      --criterion cost --cost-fp 1 --cost-fn 5 --prevalence 0.05
    """
    asked: dict[str, Any] = given_command_options(
        tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence
    )
    asked.update(draws.arguments(), confidence_level=level, method=method)
    output.write(cases.study().cutpoints(criterion, **asked))
