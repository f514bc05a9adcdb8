"""Commands on curves: the curve, its band, its average over folds, and the figure of ROC curves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocstats.commands.cases import Cases, Thresholds, thresholds_of
from rocstats.commands.options import (
    Level,
    Rates,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import (
    Force,
    Output,
    ResamplingOptions,
    Style,
    require_new_output_file,
)
from rocstats.curves.roc import Ties
from rocstats.estimate.bands import BandName
from rocstats.inference.bands.average_limits import AverageKind, BarKind
from rocstats.inference.bands.averages import AverageInterval
from rocstats.plots.axes import Width
from rocstats.plots.files import DPI, PICTURES, picture_content
from rocstats.plots.roc import roc_figure
from rocstats.tables.files import write_files_all_or_none

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- Curves as tables -----------------------------------------------------------------------------


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
    draws: ResamplingOptions,
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
    options: dict[str, Any] = {
        **given_command_options(at=at, fpr_range=fpr_range),
        **draws.arguments(),
    }
    frame = cases.study().roc_band(method, confidence_level=level, **options)
    output.write(frame, estimates=False)


def average(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    kind: Annotated[
        AverageKind, typer.Option(case_sensitive=False, help="How curves are averaged.")
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
    options: dict[str, Any] = {
        **given_command_options(at=at),
        "independent": not repeated,
        **draws.arguments(),
    }
    study = cases.study()
    output.write(
        study.roc_average(kind, bars=bars, interval=interval, confidence_level=level, **options)
    )


# --- The figure -----------------------------------------------------------------------------------

Dpi = Annotated[int, command_option_of_parameter("dpi", min=72)]

# A fixed seed: the figures and the report of a file are the same whenever they are written.
Seed = Annotated[int, typer.Option(help="Seed of the resamples behind bands.", min=0)]


def plot(
    cases: Cases,
    out: Annotated[Path, typer.Option(help=f"File to write: {', '.join(PICTURES)}.")],
    band: Annotated[
        BandName | None,
        typer.Option(case_sensitive=False, help="Band around each curve; none unless given."),
    ] = None,
    threshold: Thresholds = None,
    style: Style = "plain",
    dpi: Dpi = DPI,
    width: Annotated[Width, command_option_of_parameter("width", case_sensitive=False)] = "column",
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


def write_picture(
    draw: Callable[[], Figure], path: Path, *, style: str = "plain", dpi: int = DPI
) -> None:
    """Write a figure for print into a file, and say so.

    Parameters
    ----------
    draw : callable
        What draws the figure.
    path : pathlib.Path
        The file; its ending is one of ``PICTURES``.
    style : str, default "plain"
        Journal style of the letters.
    dpi : int, default 300
        Dots an inch of a picture of dots.
    """
    content = picture_content(draw, path.suffix.lower()[1:], style=style, dpi=dpi)
    write_files_all_or_none({path: content})
    typer.echo(str(path))


def pictures_of(
    drawings: Mapping[str, Callable[[], Figure]], style: str = "plain"
) -> dict[str, Callable[[], bytes]]:
    """Return what makes each figure for the web and for a manuscript, by the name of its file."""
    # Drawn when it is first asked for, and then kept for the other file.
    drawn_once = {name: cache(draw) for name, draw in drawings.items()}
    return {
        f"{name}.{ending}": partial(picture_content, draw, ending, style=style)
        for name, draw in drawn_once.items()
        for ending in ("svg", "png")
    }
