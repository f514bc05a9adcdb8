"""The command about whether a result holds in subgroups."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rocstats.commands.cases import Cases
from rocstats.commands.options import Level, given
from rocstats.commands.output import Output, require_new
from rocstats.commands.pictures import PICTURES, write_picture
from rocstats.commands.places import Thresholds, one_place
from rocstats.present.plots.forest import plot_forest
from rocstats.present.report.figures import axes_of, figure_of
from rocstats.stats.comparison.multiplicity import Adjustment


def subgroups(
    cases: Cases,
    output: Output,
    by: Annotated[list[str], typer.Option(help="Column with subgroups (repeatable).")],
    quantity: Annotated[
        str, typer.Option(help="What is estimated: auc, tpr, calibration_slope, ...")
    ] = "auc",
    threshold: Thresholds = None,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this score instead.")
    ] = None,
    adjust: Annotated[
        Adjustment,
        typer.Option(case_sensitive=False, help="Correction for the number of columns."),
    ] = "holm",
    figure: Annotated[
        Path | None, typer.Option(help=f"Draw the forest plot too: {', '.join(PICTURES)}.")
    ] = None,
    level: Level = 0.95,
) -> None:
    r"""Print a measure of each score in every subgroup, with a test that all subgroups are alike.

    rocstats subgroups risks.csv died model --by sex

    rocstats subgroups risks.csv died model --by sex --quantity calibration_slope

    rocstats subgroups risks.csv died model older --by sex --reference older \
      --figure forest.pdf
    """
    if figure is not None:
        require_new(figure, PICTURES, force=output.force, option="--figure")
    asked: dict[str, Any] = given(threshold=one_place(threshold), reference=reference)
    study, data = cases.study_and_data()
    frame = study.subgroups(
        by, data=data, quantity=quantity, adjust=adjust, confidence_level=level, **asked
    )
    output.write(frame)
    if figure is not None:
        write_picture(lambda: figure_of(plot_forest(frame, ax=axes_of(1.0, "page"))), figure)
