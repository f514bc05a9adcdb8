"""The commands about several studies: reviews of two by two tables, and pooled estimates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.cases import Subgroup
from rocstats.commands.options import Level, Prevalences, given_command_options
from rocstats.commands.output import Output, OutputAndFigure
from rocstats.commands.reading import Reading, report_parsing
from rocstats.errors import InputError
from rocstats.inference.meta.pool import Heterogeneity, PoolInterval, PoolScale, pool_areas
from rocstats.plots.summary_roc import plot_summary_roc
from rocstats.studies.studies import MetaStudy
from rocstats.study.tables import CELLS
from rocstats.study.vectors import read_vector, require_no_text

File = Annotated[Path, typer.Argument(metavar="FILE", help="Data: a row for each study.")]
StudyNames = Annotated[str | None, typer.Option(help="Column with the names of the studies.")]


def meta(
    reading: Reading,
    output: OutputAndFigure,
    file: File,
    study: StudyNames = None,
    group: Subgroup = None,
    by: Annotated[
        str | None,
        typer.Option(help="Column whose labels, or numbers, are compared between studies."),
    ] = None,
    prevalence: Prevalences = None,
    spread: Annotated[
        bool, typer.Option("--spread", help="Print how much studies differ instead.")
    ] = False,
    level: Level = 0.95,
) -> None:
    r"""Print the mean sensitivity and specificity of the studies of a review.

    FILE has the columns tp, fp, fn and tn, in capital letters or not.

    rocstats meta review.csv --group modality --prevalence 0.05 \
      --figure review.svg

    rocstats meta review.csv --group modality --spread

    rocstats meta review.csv --study author --by modality
    """
    asked = {"--by": by is not None, "--prevalence": bool(prevalence), "--spread": spread}
    if sum(asked.values()) > 1:
        got = " and ".join(name for name, given in asked.items() if given)
        raise InputError(
            f"`--by`, `--prevalence` and `--spread` must be given one at a time; got {got}. Each"
            " prints another table: call the command for each."
        )
    data = _read_counts(reading, file, [name for name in (study, group) if name is not None], by)
    roles = given_command_options(study=study, group=group, covariate=by)
    review = MetaStudy(*("tp", "fp", "fn", "tn"), data=data, **roles)
    report_parsing(data)
    options: dict[str, Any] = {"confidence_level": level}
    if by is not None:
        frame = review.compare(by=by, **options)
    elif spread:
        frame = review.heterogeneity(**options)
    else:
        frame = review.summary(prevalence=prevalence or None, **options)
    output.write(frame)
    if output.figure is not None:
        curve = review.summary_roc(**options)
        output.draw(lambda ax: plot_summary_roc(curve, ax=ax))


def _read_counts(reading: Reading, file: Path, labels: list[str], by: str | None) -> pd.DataFrame:
    """Return the data of a file, with the columns of counts in small letters."""
    data = reading.read(file, labels=labels, words=[] if by is None else [by])
    # Other programs write TP or Tp.
    data.columns = [name.lower() if name.lower() in CELLS else name for name in data.columns]
    missing = [name for name in CELLS if name not in data.columns]
    if missing:
        raise InputError(
            "`FILE` must have the columns tp, fp, fn and tn; got none called"
            f" {', '.join(missing)}. Rename its columns."
        )
    for name in CELLS:
        require_no_text(read_vector(data[name], "FILE"), "Write the number of people.")
    return data


def pool(
    reading: Reading,
    output: Output,
    file: File,
    estimate: Annotated[
        str, typer.Argument(metavar="ESTIMATE", help="Column with the estimates, such as auc.")
    ],
    se: Annotated[
        str, typer.Argument(metavar="SE", help="Column with the standard errors.")
    ] = "se",
    study: StudyNames = None,
    low: Annotated[str, typer.Option(help="Column with lower limits.")] = "ci_low",
    high: Annotated[str, typer.Option(help="Column with upper limits.")] = "ci_high",
    scale: Annotated[
        PoolScale | None,
        typer.Option(help="Scale on which estimates are pooled."),
    ] = None,
    heterogeneity: Annotated[
        Heterogeneity,
        typer.Option(help="Estimator of the variance between studies."),
    ] = "reml",
    interval: Annotated[PoolInterval, typer.Option(help="Limits of the mean.")] = "hartung-knapp",
    guard: Annotated[
        bool, typer.Option("--guard", help="Keep the factor of Hartung and Knapp at 1 or above.")
    ] = False,
    level: Level = 0.95,
) -> None:
    r"""Print the mean of an area, or another estimate, over studies or centres.

    rocstats pool centres.csv auc se --study centre
    """
    data = reading.read(file, labels=[] if study is None else [study])
    frame = pool_areas(
        data,
        estimate,
        se,
        study=study,
        low=low,
        high=high,
        scale=scale,
        heterogeneity=heterogeneity,
        interval=interval,
        guard=guard,
        confidence_level=level,
    )
    report_parsing(data)
    output.write(frame)
