"""Commands that print curves: the curve, its band, its average over folds."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rocstats.commands.cases import Cases
from rocstats.commands.options import Level, Rates, given
from rocstats.commands.output import Draws, Output
from rocstats.curves.points.roc import Ties
from rocstats.inference.bands.average_plan import AverageInterval
from rocstats.stats.bands.averages.curves import Kind
from rocstats.stats.bands.averages.records import BarKind
from rocstats.stats.bands.records import BandName


def curve(
    cases: Cases,
    output: Output,
    ties: Annotated[
        Ties, typer.Option(case_sensitive=False, help="How equal scores are passed.")
    ] = "expected",
) -> None:
    """Print the points of the ROC curve of each score.

    rocstats curve patients.csv diagnosis area --positive malignant --format csv
    """
    output.write(cases.study().roc_curve(ties=ties), estimates=False)


def band(
    cases: Cases,
    draws: Draws,
    output: Output,
    method: Annotated[
        BandName, typer.Option(case_sensitive=False, help="Kind of band or limits.")
    ] = "fixed-width",
    at: Rates = None,
    fpr_range: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="LOW HIGH", help="Rates that the band is over; regional needs them."),
    ] = None,
    level: Level = 0.95,
) -> None:
    r"""Print a confidence band for the ROC curve of each score.

    rocstats band patients.csv diagnosis area --positive malignant \
      --seed 1 --resamples 200 --at 0.1 --at 0.2
    """
    asked: dict[str, Any] = {**given(at=at, fpr_range=fpr_range), **draws.arguments()}
    frame = cases.study().roc_band(method, confidence_level=level, **asked)
    output.write(frame, estimates=False)


def average(
    cases: Cases,
    draws: Draws,
    output: Output,
    kind: Annotated[
        Kind, typer.Option(case_sensitive=False, help="How curves are averaged.")
    ] = "vertical",
    bars: Annotated[
        BarKind, typer.Option(case_sensitive=False, help="Kind of error bars.")
    ] = "binomial",
    interval: Annotated[
        AverageInterval, typer.Option(case_sensitive=False, help="Interval of binomial bars.")
    ] = "wilson",
    repeated: Annotated[
        bool, typer.Option("--repeated", help="Clusters are cases that several folds repeat.")
    ] = False,
    at: Rates = None,
    level: Level = 0.95,
) -> None:
    r"""Print the average of the ROC curves of folds, with error bars.

    rocstats average folds.csv y logistic forest --fold repeat --cluster case \
      --repeated
    """
    asked: dict[str, Any] = {**given(at=at), "independent": not repeated, **draws.arguments()}
    study = cases.study()
    output.write(
        study.roc_average(kind, bars=bars, interval=interval, confidence_level=level, **asked)
    )
