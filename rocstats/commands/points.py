"""Commands about thresholds: operating points, cutpoints, tables of yes/no tests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.cases import Cases, Reading
from rocstats.commands.options import Level, Prevalences, Rates, given
from rocstats.commands.output import Draws, Output
from rocstats.commands.places import Thresholds, places_of
from rocstats.curves.points.cutpoints import CriterionName
from rocstats.errors import InputError
from rocstats.inference.points.smooth_cutpoint import CutMethod
from rocstats.stats.points.readings import Reading as RateReading
from rocstats.studies.study import Study

_CELLS = ("tp", "fp", "fn", "tn")
_Quantities = Annotated[
    list[str] | None,
    typer.Option("--quantity", help="Print this measure only, such as ppv (repeatable)."),
]


def points(
    cases: Cases,
    draws: Draws,
    output: Output,
    threshold: Thresholds = None,
    fpr: Rates = None,
    tpr: Annotated[list[float] | None, typer.Option(help="Sensitivity (repeatable).")] = None,
    reading: Annotated[
        RateReading, typer.Option(case_sensitive=False, help="How the curve is read at a rate.")
    ] = "interpolated",
    quantity: _Quantities = None,
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
    """
    # Every vertex of the curve: a criterion table.
    chosen = "all" if threshold == ["all"] else places_of(threshold)
    places = given(threshold=chosen, fpr=fpr, tpr=tpr)
    if len(places) != 1:
        raise InputError(
            f"One of `--threshold`, `--fpr` and `--tpr` must be given; got {len(places)} of them."
            " Say where the curves are read."
        )
    asked: dict[str, Any] = {
        **places,
        **given(prevalence=prevalence, quantities=quantity),
        **draws.arguments(),
    }
    study = cases.study()
    output.write(study.operating_points(reading=reading, confidence_level=level, **asked))


def cutpoint(
    cases: Cases,
    draws: Draws,
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
    prevalence: Annotated[
        float | None, typer.Option(help="Share of positives where the test is used.")
    ] = None,
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
    asked: dict[str, Any] = given(
        tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence
    )
    asked.update(draws.arguments(), confidence_level=level, method=method)
    output.write(cases.study().cutpoints(criterion, **asked))


def table(
    reading: Reading,
    output: Output,
    tp: Annotated[int | None, typer.Argument(metavar="TP", help="Diseased, positive.")] = None,
    fp: Annotated[int | None, typer.Argument(metavar="FP", help="Healthy, positive.")] = None,
    fn: Annotated[int | None, typer.Argument(metavar="FN", help="Diseased, negative.")] = None,
    tn: Annotated[int | None, typer.Argument(metavar="TN", help="Healthy, negative.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(help="File with a row a test: columns test, tp, fp, fn and tn."),
    ] = None,
    prevalence: Prevalences = None,
    quantity: _Quantities = None,
    level: Level = 0.95,
) -> None:
    """Print the measures of a yes/no test from its two by two table: TP FP FN TN.

    rocstats table 670 202 74 640 --prevalence 0.05

    rocstats table --file two_by_two.csv --quantity tpr --quantity tnr
    """
    cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    counts = given(**cells)
    if (file is None) != (len(counts) == len(cells)) or (file is not None and counts):
        raise InputError(
            "`TP FP FN TN` must be given, four counts, or --file instead; got"
            f" {len(counts)} counts and {'no file' if file is None else 'a file'}."
            " See: rocstats table --help."
        )
    if file is None:
        study = Study.from_confusion(**counts)
        _echo(study.predictors[0], tp, fp, fn, tn)
    else:
        study = Study.from_confusion(read_tests(reading.read(file)))
    asked: dict[str, Any] = given(prevalence=prevalence, quantities=quantity)
    output.write(study.operating_points(confidence_level=level, **asked))


def read_tests(data: pd.DataFrame) -> pd.DataFrame:
    """Return a table of tests as the library reads it: the names are the index.

    Parameters
    ----------
    data : pandas.DataFrame
        A row a test: its name in ``test``, and the counts ``tp, fp, fn, tn``, which are said.

    Raises
    ------
    InputError
        If a column is missing.
    """
    missing = [name for name in ("test", *_CELLS) if name not in data.columns]
    if missing:
        raise InputError(
            f"`--file` must have the columns test, tp, fp, fn and tn; got none called"
            f" {', '.join(missing)}. Rename its columns."
        )
    tests = data.set_index("test")
    for row in tests[list(_CELLS)].itertuples():
        _echo(*row)
    return tests


def _echo(name: Any, tp: Any, fp: Any, fn: Any, tn: Any) -> None:
    """Say which count was taken for what: other programs have other orders."""
    typer.echo(
        f"rocstats: {name}: true positives {tp}, false positives {fp}, false negatives {fn},"
        f" true negatives {tn}",
        err=True,
    )
