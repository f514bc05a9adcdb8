"""The command about whether predicted risks mean what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rocstats.commands.cases import Cases
from rocstats.commands.options import Level, given
from rocstats.commands.output import Draws, Output, require_new
from rocstats.commands.pictures import PICTURES, write_picture
from rocstats.commands.points import Quantities
from rocstats.errors import InputError
from rocstats.present.plots.calibration import plot_calibration
from rocstats.present.report.figures import axes_of, figure_of
from rocstats.stats.calibration.curves import CurveMethod
from rocstats.studies.study import Study


def calibration(
    cases: Cases,
    draws: Draws,
    output: Output,
    brier: Annotated[
        bool, typer.Option("--scores", help="Print Brier and log scores instead.")
    ] = False,
    quantity: Quantities = None,
    prevalence: Annotated[
        float | None,
        typer.Option(help="Share of events where the model is used, for case-control studies."),
    ] = None,
    clip: Annotated[
        float | None, typer.Option(help="Move risks of 0 and 1 this far inside.")
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(help=f"Draw the calibration curve too, with band: {', '.join(PICTURES)}."),
    ] = None,
    method: Annotated[
        CurveMethod, typer.Option(case_sensitive=False, help="How the curve is drawn.")
    ] = "spline",
    level: Level = 0.95,
) -> None:
    r"""Print whether predicted risks are right: observed over expected events, intercept, slope.

    rocstats calibration risks.csv died model older --layout wide

    rocstats calibration risks.csv died model --figure calibration.pdf

    rocstats calibration risks.csv died model older --scores
    """
    if brier and quantity:
        raise InputError(
            f"`--quantity` must be left out with --scores; got {quantity}. Leave one of them out."
        )
    if figure is not None:
        require_new(figure, PICTURES, force=output.force, option="--figure")
    study = cases.study()
    population: dict[str, Any] = given(prevalence=prevalence)
    if brier:
        output.write(study.probability_scores(confidence_level=level, **population))
    else:
        asked = {**population, **given(quantities=quantity, clip=clip), **draws.arguments()}
        output.write(study.calibration(confidence_level=level, **asked))
    if figure is not None:
        _draw(study, figure, method, {**population, **given(clip=clip)}, level, draws)


def _draw(
    study: Study,
    path: Path,
    method: CurveMethod,
    asked: dict[str, Any],
    level: float,
    draws: Draws,
) -> None:
    """Draw the calibration curve with its band into a file, and say so."""
    curve = study.calibration_curve(method=method, **asked)
    band = study.calibration_band(
        method=method, confidence_level=level, **asked, **draws.arguments()
    )
    write_picture(lambda: figure_of(plot_calibration(curve, band=band, ax=axes_of(1.0))), path)
