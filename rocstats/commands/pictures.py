"""The command that draws the figure of ROC curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocstats.commands.cases import Cases
from rocstats.commands.options import Level
from rocstats.commands.output import Force, require_new, watched, written
from rocstats.commands.places import Thresholds, places_of
from rocstats.present.plots.roc import roc_figure
from rocstats.present.plots.shared.sizes import Width, lay_out
from rocstats.stats.bands.records import BandName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = (".pdf", ".svg", ".png", ".tiff", ".tif")
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
    width: Annotated[
        Width, typer.Option(case_sensitive=False, help="Width in print: 85 or 174 mm.")
    ] = "column",
    level: Level = 0.95,
    seed: Seed = 1,
    force: Force = False,
) -> None:
    r"""Draw the ROC curve of each score, with areas, bands and operating points.

    rocstats plot patients.csv diagnosis area --positive malignant --out roc.pdf

    rocstats plot patients.csv diagnosis area --positive malignant \
      --band working-hotelling --threshold 600 --width page --out page.png
    """
    require_new(out, PICTURES, force=force)
    study = cases.study()
    drawn: dict[str, Any] = {"auc": study.auc(confidence_level=level)}
    if band is not None:
        drawn["band"] = study.roc_band(band, confidence_level=level, rng=seed, progress=watched())
    if places := places_of(threshold):
        drawn["points"] = study.operating_points(threshold=places, confidence_level=level)
    write_picture(partial(roc_figure, study.roc_curve(), width=width, **drawn), out)


def write_picture(draw: Callable[[], Figure], path: Path) -> None:
    """Write a figure for print into a file, and say so.

    Parameters
    ----------
    draw : callable
        What draws the figure.
    path : pathlib.Path
        The file; its ending is one of ``PICTURES``.
    """
    with written(path) as file:
        _save(draw, file)
    typer.echo(str(path))


def picture_writers(
    drawings: Mapping[str, Callable[[], Figure]],
) -> dict[str, Callable[[Path], object]]:
    """Return what writes each figure for the web and for a manuscript, by the name of its file."""
    # Drawn when it is first asked for, and then kept for the other file.
    kept = {name: cache(draw) for name, draw in drawings.items()}
    return {
        f"{name}.{ending}": partial(_save, draw)
        for name, draw in kept.items()
        for ending in ("svg", "png")
    }


def _save(draw: Callable[[], Figure], path: Path) -> None:
    figure = draw()
    lay_out(figure)
    figure.savefig(path, dpi=300)
