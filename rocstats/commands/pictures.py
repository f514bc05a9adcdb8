"""Commands that draw: the figure of ROC curves, and the report with everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.cases import Cases, CasesOrExample
from rocstats.commands.options import Level
from rocstats.commands.output import Force, Style, require_new, watched, written
from rocstats.commands.places import Thresholds, places_of
from rocstats.datasets.loaders import load_breast_cancer
from rocstats.errors import InputError
from rocstats.present.plots.roc import roc_figure
from rocstats.present.plots.shared.sizes import Width
from rocstats.present.protocols import FigureBand
from rocstats.present.report.report import band_of_figure
from rocstats.present.report.report import report as write_report
from rocstats.present.tables import save_table
from rocstats.stats.bands.records import BandName
from rocstats.studies.study import Study

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
    drawn = {"auc": study.auc(confidence_level=level)}
    if band is not None:
        drawn["band"] = study.roc_band(band, confidence_level=level, rng=seed, progress=watched())
    if places := places_of(threshold):
        drawn["points"] = study.operating_points(threshold=places, confidence_level=level)
    with written(out) as file:
        draw_roc(study.roc_curve(), drawn, file, width)
    typer.echo(str(out))


def report(
    cases: CasesOrExample,
    out: Annotated[Path, typer.Option(help="Folder to write to; made if need be.")] = Path(
        "report"
    ),
    example: Annotated[bool, typer.Option("--example", help="Use shipped data: no file.")] = False,
    level: Level = 0.95,
    style: Style = "plain",
    title: Annotated[str | None, typer.Option(help="Heading of the page.")] = None,
    band: Annotated[
        FigureBand, typer.Option(case_sensitive=False, help="Band of the figure.")
    ] = "fixed-width",
    seed: Seed = 1,
    force: Force = False,
) -> None:
    """Write report.html, its tables as csv and its figure as svg and png.

    rocstats report patients.csv diagnosis area --positive malignant --out report

    rocstats report --example --out example
    """
    study = _example() if example else cases.study()
    if example:
        title = title or "Cell nuclei measurements and malignancy of breast masses"
    options: dict[str, Any] = {
        "style": style,
        "confidence_level": level,
        "band": band,
        "rng": seed,
        "progress": watched(),
    }
    writers = _writers(study, options, title)
    _require_free(out, writers, force=force)
    out.mkdir(parents=True, exist_ok=True)
    # All are made before the first is moved: an interrupt leaves no half report.
    with TemporaryDirectory(prefix=".rocstats-", dir=out) as folder:
        for name, write in writers.items():
            write(Path(folder) / name)
        for name in writers:
            (Path(folder) / name).replace(out / name)
    typer.echo("\n".join(str(out / name) for name in writers))


def _example() -> Study:
    return Study(
        "diagnosis",
        ["concave_points", "area", "texture", "symmetry"],
        data=load_breast_cancer(),
        pos_label="malignant",
    )


def _writers(
    study: Study, options: dict[str, Any], title: str | None
) -> dict[str, Callable[[Path], object]]:
    """Return what writes each file of the report, by the name of the file."""
    level = options["confidence_level"]
    curve, areas = study.roc_curve(), study.auc(confidence_level=level)
    tables = {"auc": areas, "roc_curve": curve}
    if len(study.predictors) > 1:
        tables["compare_auc"] = study.compare_auc(confidence_level=level)
        tables["test_equal_auc"] = study.test_equal_auc()
    limits = band_of_figure(
        study, areas, level, options["band"], options["rng"], options["progress"]
    )
    if limits is not None:
        tables["roc_band"] = limits
    picture = partial(draw_roc, curve, {"auc": areas, "band": limits})
    return {
        "report.html": partial(write_report, study, title=title, **options),
        **{f"{name}.csv": partial(save_table, frame) for name, frame in tables.items()},
        **{f"roc.{ending}": picture for ending in ("svg", "png")},
    }


def _require_free(folder: Path, names: Any, *, force: bool) -> None:
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        raise InputError(
            f"`--out` must be a folder without a report; got {str(folder)!r}, which has"
            f" {', '.join(there)}. Name another, or pass --force to replace these files."
        )


def draw_roc(
    curve: pd.DataFrame, frames: dict[str, Any], path: Path, width: Width = "column"
) -> None:
    """Draw curves with the frames that ``plot_roc`` takes, into a file."""
    roc_figure(curve, width=width, **frames).savefig(path, dpi=300)
