"""Commands that plan a study of areas: its power, its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from rocstats.commands.options import Margin, Side, Tested, given
from rocstats.commands.output import Output, watched
from rocstats.errors import InputError
from rocstats.inference.planning.designs import AreaModel, OneAUC, PairedAUCs, TwoAUCs
from rocstats.inference.planning.power import power as power_of
from rocstats.inference.planning.sample_size import sample_size

_AREA = "The planned comparison"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Assumptions about one area, two areas of independent groups, or two of the same cases."""

    auc: Annotated[float, typer.Option(help="Assumed area.", rich_help_panel=_AREA)]
    null_auc: Annotated[
        float | None,
        typer.Option(help="Value that one area is tested against: 0.5.", rich_help_panel=_AREA),
    ] = None
    reference_auc: Annotated[
        float | None,
        typer.Option(help="Assumed area of a second score or group.", rich_help_panel=_AREA),
    ] = None
    correlation_pos: Annotated[
        float | None,
        typer.Option(
            help="Correlation of two scores of the same positives.", rich_help_panel=_AREA
        ),
    ] = None
    correlation_neg: Annotated[
        float | None,
        typer.Option(
            help="Correlation of two scores of the same negatives.", rich_help_panel=_AREA
        ),
    ] = None
    alternative: Side = "two-sided"
    hypothesis: Tested = "difference"
    margin: Margin = None
    alpha: Annotated[float, typer.Option(help="One minus the confidence level.")] = 0.05
    variance: Annotated[
        AreaModel | None,
        typer.Option(case_sensitive=False, help="Model of the variance.", rich_help_panel=_AREA),
    ] = None
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Simulate studies of this size too.")
    ] = False
    n_simulations: Annotated[int, typer.Option(help="Number of simulated studies.")] = 2000
    seed: Annotated[int | None, typer.Option(help="Seed of the simulation.", min=0)] = None

    def design(self) -> Any:
        """Return the design that the options describe."""
        words: dict[str, Any] = {"alternative": self.alternative, **given(variance=self.variance)}
        correlations = given(
            correlation_pos=self.correlation_pos, correlation_neg=self.correlation_neg
        )
        if self.reference_auc is None:
            if correlations or self.margin is not None or self.hypothesis != "difference":
                raise InputError(
                    "`--reference-auc` must be given for a comparison of two areas; got none."
                    " Pass it, or leave out --hypothesis, --margin and correlations."
                )
            return OneAUC(self.auc, **words, **given(null_auc=self.null_auc))
        if self.null_auc is not None or len(correlations) == 1:
            raise InputError(
                "`--reference-auc` must come without --null-auc, and with both correlations (two"
                " scores of the same cases) or neither (two groups); got other options. See:"
                " rocstats size --help."
            )
        words.update(hypothesis=self.hypothesis, margin=self.margin, **correlations)
        return (PairedAUCs if correlations else TwoAUCs)(self.auc, self.reference_auc, **words)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that power and size have in common."""
        return {
            "alpha": self.alpha,
            "simulate": self.simulate,
            "n_simulations": self.n_simulations,
            "rng": self.seed,
            "progress": watched(),
        }


def power(
    plan: Plan,
    output: Output,
    n_pos: Annotated[list[int], typer.Option(help="Number of positives (repeatable).")],
    n_neg: Annotated[list[int], typer.Option(help="Number of negatives (repeatable).")],
) -> None:
    r"""Print the power of a planned study of one area or two.

    rocstats power --auc 0.8 --null-auc 0.7 --n-pos 100 --n-neg 200

    rocstats power --auc 0.85 --reference-auc 0.8 --n-pos 100 --n-neg 100 \
      --correlation-pos 0.5 --correlation-neg 0.5
    """
    frame = power_of(plan.design(), n_pos=n_pos, n_neg=n_neg, **plan.arguments())
    output.write(frame, estimates=False)


def size(
    plan: Plan,
    output: Output,
    power: Annotated[list[float] | None, typer.Option(help="Wanted power (repeatable).")] = None,
    half_width: Annotated[
        list[float] | None, typer.Option(help="Wanted half width of the interval (repeatable).")
    ] = None,
    ratio: Annotated[float, typer.Option(help="Negatives per positive.")] = 1.0,
) -> None:
    r"""Print the number of cases that a study of one area or two needs.

    rocstats size --auc 0.8 --null-auc 0.7 --power 0.9

    rocstats size --auc 0.85 --reference-auc 0.8 --power 0.8 --power 0.9 \
      --correlation-pos 0.5 --correlation-neg 0.5
    """
    wanted = given(power=power, half_width=half_width)
    frame = sample_size(plan.design(), ratio=ratio, **wanted, **plan.arguments())
    output.write(frame, estimates=False)
