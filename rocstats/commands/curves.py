"""Commands on curves: ROC curve, band, average over folds, precision and recall, and the figure."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rocstats.commands.cases import Cases, Thresholds, thresholds_of
from rocstats.commands.options import (
    Level,
    Rates,
    command_option_of_parameter,
)
from rocstats.commands.output import (
    Force,
    Output,
    OutputAndFigure,
    ResamplingOptions,
    Style,
    require_new_output_file,
    write_picture,
)
from rocstats.curves.roc import Ties
from rocstats.errors import InputError
from rocstats.estimate.bands import BandName
from rocstats.inference.bands.average_limits import AverageKind, BarKind
from rocstats.inference.bands.averages import AverageInterval
from rocstats.plots.axes import Width
from rocstats.plots.files import DPI, PICTURES
from rocstats.plots.precision_recall import plot_pr
from rocstats.plots.roc import roc_figure

# --- Curves as tables -----------------------------------------------------------------------------


def curve(
    cases: Cases,
    output: Output,
    ties: Annotated[Ties, typer.Option(help="How equal scores are passed.")] = "expected",
) -> None:
    """Print the points of the ROC curve of each score.

    rocstats curve patients.csv diagnosis area --positive malignant --format csv
    """
    output.answer(cases.study().roc_curve, estimates=False, ties=ties)


def band(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    method: Annotated[BandName, typer.Option(help="Kind of band or limits.")] = "fixed-width",
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
    output.answer(
        cases.study().roc_band,
        draws,
        estimates=False,
        method=method,
        at=at,
        fpr_range=fpr_range,
        confidence_level=level,
    )


def average(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    kind: Annotated[AverageKind, typer.Option(help="How curves are averaged.")] = "vertical",
    bars: Annotated[BarKind, typer.Option(help="Kind of error bars.")] = "binomial",
    interval: Annotated[
        AverageInterval, typer.Option(help="Interval of binomial bars.")
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
    output.answer(
        cases.study().roc_average,
        draws,
        kind=kind,
        bars=bars,
        interval=interval,
        at=at,
        independent=not repeated,
        confidence_level=level,
    )


# --- Precision and recall -------------------------------------------------------------------------


def precision_recall(
    cases: Cases,
    draws: ResamplingOptions,
    output: OutputAndFigure,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this score instead.")
    ] = None,
    prevalence: Annotated[float | None, command_option_of_parameter("prevalence")] = None,
    level: Level = 0.95,
) -> None:
    r"""Print the average precision of each score with its interval.

    The figure has the precision-recall curves, with bands.

    rocstats precision-recall patients.csv diagnosis area texture \
      --positive malignant --prevalence 0.05

    rocstats precision-recall patients.csv diagnosis area texture \
      --positive malignant --reference texture

    rocstats precision-recall patients.csv diagnosis area --positive malignant \
      --figure precision.pdf --seed 1 --resamples 200
    """
    if output.figure is not None and prevalence is not None:
        raise InputError(
            "`--prevalence` must be left out with --figure, whose curves are of the cases of the"
            f" file; got {prevalence}. Leave one of them out."
        )
    study = cases.study()
    asked: dict[str, Any] = {"prevalence": prevalence, "confidence_level": level}
    if reference is not None:
        output.answer(study.compare_average_precision, reference=reference, **asked)
    else:
        output.answer(study.average_precision, draws, **asked)
    if output.figure is not None:
        found = study.average_precision(confidence_level=level)
        band = study.pr_band(confidence_level=level, **draws.arguments())
        curves = study.pr_curve()
        output.draw(lambda ax: plot_pr(curves, average_precision=found, band=band, ax=ax))


# --- The figure -----------------------------------------------------------------------------------

Dpi = Annotated[int, command_option_of_parameter("dpi", min=72)]

# A fixed seed: the figures and the report of a file are the same whenever they are written.
Seed = Annotated[int, typer.Option(help="Seed of the resamples behind bands.", min=0)]


def plot(
    cases: Cases,
    out: Annotated[Path, typer.Option(help=f"File to write: {', '.join(PICTURES)}.")],
    band: Annotated[
        BandName | None, typer.Option(help="Band around each curve; none unless given.")
    ] = None,
    threshold: Thresholds = None,
    style: Style = "plain",
    dpi: Dpi = DPI,
    width: Annotated[Width, command_option_of_parameter("width")] = "column",
    level: Level = 0.95,
    seed: Seed = 1,
    force: Force = False,
) -> None:
    r"""Draw the ROC curve of each score, with areas, bands and operating points.

    rocstats plot patients.csv diagnosis area --positive malignant --out roc.pdf

    rocstats plot patients.csv diagnosis area --positive malignant \
      --band working-hotelling --threshold 600 --width page --out page.png

    rocstats plot patients.csv diagnosis area --positive malignant \
      --style radiology --dpi 600 --out figure1.tiff
    """
    require_new_output_file(out, PICTURES, force=force)
    if band == "regional":
        raise InputError(
            "`--band` must be of the whole curve; got 'regional', which is over some rates only."
            " Pass another, such as fixed-width."
        )
    study = cases.study()
    frames: dict[str, Any] = {"auc": study.auc(confidence_level=level)}
    if band is not None:
        frames["band"] = study.roc_band(
            band, confidence_level=level, rng=seed, progress=sys.stderr.isatty()
        )
    if thresholds := thresholds_of(threshold):
        frames["points"] = study.operating_points(threshold=thresholds, confidence_level=level)
    draw = partial(roc_figure, study.roc_curve(), style=style, width=width, **frames)
    write_picture(draw, out, style=style, dpi=dpi)
