"""Read the reference cases, ask the package, compare.

A case is a folder ``validation/<authority>/<case>/`` with the five files of ``FILES``; one line of
its ``expected.csv`` is one number. ``validation/README.md`` describes the format.
"""

from __future__ import annotations

import csv
import json
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtri

import rocstats as rs
from rocstats.estimate.influence import area_covariance
from validation import imputed, planning, reader_tables
from validation.files import ROOT, read_input
from validation.questions import QUESTIONS

FILES = ("README.md", "input.csv", "study.json", "expected.csv", "versions.json")
COLUMNS = ("question", "arguments", "where", "column", "expected", "tolerance", "origin")
ORIGINS = ("computed", "printed", "derived")


class Columns(dict[str, npt.NDArray[Any]]):
    """The columns of a frame as arrays, each made when it is first read."""

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__()
        self._frame = frame

    def __missing__(self, name: str) -> npt.NDArray[Any]:
        return self.setdefault(name, self._frame[name].to_numpy())

    def has(self, name: str) -> bool:
        """Return whether the frame has a column."""
        return name in self._frame


@dataclass(frozen=True)
class Case:
    """One folder of input and expected numbers."""

    authority: str
    name: str
    root: Path = ROOT

    @property
    def folder(self) -> Path:
        """Where the files of the case are."""
        return self.root / self.authority / self.name


@dataclass(frozen=True)
class Row:
    """One expected number; ``arguments`` and ``where`` are JSON texts."""

    case: Case
    number: int
    question: str
    arguments: str
    where: str
    column: str
    expected: float
    tolerance: float
    origin: str

    @property
    def id(self) -> str:
        """Name of the row: authority/case/number, the number counting from 1."""
        return f"{self.case.authority}/{self.case.name}/{self.number}"


@dataclass(frozen=True)
class Outcome:
    """What the package says to a row; ``share`` is the deviation in units of the tolerance.

    ``method`` is the cell of that column beside the number, "" in a frame without it.
    """

    row: Row
    found: float
    relative: float
    share: float
    method: str

    @property
    def agrees(self) -> bool:
        """Whether the number found is within the tolerance."""
        return self.share <= 1 + 1e-9  # 0.75 is in print as 0.8: a whole half unit


def list_cases(root: Path = ROOT) -> list[Case]:
    """Return the cases of every authority by name; a folder with a study.json is a case."""
    folders = sorted(path.parent for path in root.glob("*/*/study.json"))
    return [Case(folder.parent.name, folder.name, root) for folder in folders]


def read_rows(case: Case) -> list[Row]:
    """Return the rows of a case's expected.csv."""
    with (case.folder / "expected.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ValueError(f"{case.folder}: expected.csv must have the columns {COLUMNS}")
        return [_row(case, number, line) for number, line in enumerate(reader, start=1)]


def read_all_rows(root: Path = ROOT) -> list[Row]:
    """Return the rows of all cases."""
    return [row for case in list_cases(root) for row in read_rows(case)]


@lru_cache(maxsize=16)
def read_study(case: Case) -> Any:
    """Return the study of a case: input.csv under the keyword arguments of study.json."""
    keywords = json.loads((case.folder / "study.json").read_text(encoding="utf-8"))
    constructor = CONSTRUCTORS[keywords.pop("constructor", "Study")]
    return constructor(read_input(case.folder / "input.csv"), **keywords)


@lru_cache(maxsize=256)
def ask(case: Case, question: str, arguments: str) -> Columns:
    """Return the package's answer to a question with its arguments as JSON, an array a column."""
    study = read_study(case)
    answer = KERNELS.get(question) or getattr(type(study), question)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        frame = answer(study, **json.loads(arguments))
    assert isinstance(frame, pd.DataFrame)
    return Columns(frame)


def find(columns: Columns, where: Mapping[str, Any], column: str) -> float:
    """Return one number: the column of the only row whose columns have the values ``where``."""
    return float(columns[column][place(columns, where, column)])


def place(columns: Columns, where: Mapping[str, Any], column: str) -> int:
    """Return the position of the only row whose columns have the values ``where``."""
    chosen = np.ones(len(columns[column]), dtype=bool)
    for name, value in where.items():
        cells = columns[name]
        chosen &= cells == (float(value) if cells.dtype.kind in "biuf" else str(value))
    if chosen.sum() != 1:
        raise LookupError(f"{dict(where)} must select one row; it selects {chosen.sum()}")
    return int(chosen.argmax())


@cache
def check(row: Row) -> Outcome:
    """Ask the package for the number of a row and compare, once."""
    columns = ask(row.case, row.question, row.arguments)
    at = place(columns, json.loads(row.where), row.column)
    found = float(columns[row.column][at])
    method = str(columns["method"][at]) if columns.has("method") else ""
    relative = deviation(found, row.expected)
    if row.origin == "computed":
        return Outcome(row, found, relative, relative / row.tolerance, method)
    distance = 0.0 if found == row.expected else abs(found - row.expected)
    share = distance / row.tolerance
    return Outcome(row, found, relative, share if share == share else math.inf, method)


def deviation(found: float, expected: float) -> float:
    """Return |found - expected| / |expected|; 0 for equal numbers, infinite where undefined."""
    if found == expected or (math.isnan(found) and math.isnan(expected)):
        return 0.0
    if expected == 0 or not math.isfinite(expected) or not math.isfinite(found):
        return math.inf
    return abs(found - expected) / abs(expected)


def summarise(outcomes: Iterable[Outcome]) -> pd.DataFrame:
    """Return one row an authority: how much was compared, and how far apart the numbers are.

    ``largest_relative`` is over computed rows; ``largest_share`` over rows known to some digits
    only, in units of half the last digit.
    """
    outcomes = list(outcomes)
    rows = []
    for authority in dict.fromkeys(outcome.row.case.authority for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.row.case.authority == authority]
        computed = [outcome for outcome in mine if outcome.row.origin == "computed"]
        digits = [outcome for outcome in mine if outcome.row.origin != "computed"]
        rows.append(
            {
                "authority": authority,
                "cases": len({outcome.row.case for outcome in mine}),
                "rows": len(mine),
                "disagree": sum(not outcome.agrees for outcome in mine),
                "computed": len(computed),
                "largest_relative": max((o.relative for o in computed), default=math.nan),
                "printed": len(digits),
                "largest_share": max((o.share for o in digits), default=math.nan),
            }
        )
    return pd.DataFrame(rows)


def covariance(study: rs.Study) -> pd.DataFrame:
    """Return the covariance of every two areas, a predictor with itself giving its variance."""
    names = study.predictors
    rows = []
    for group, part in study.by_group():
        matrix = area_covariance(part.cases, range(len(names))).covariance
        rows += [
            {"group": group, "predictor": a, "reference": b, "covariance": matrix[i, j]}
            for i, a in enumerate(names)
            for j, b in enumerate(names)
        ]
    return pd.DataFrame(rows)


def wald_unclipped(study: rs.Study, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Return Wald limits that may leave [0, 1], from the estimates and standard errors."""
    frame = study.auc(interval="wald")
    half = ndtri((1 + confidence_level) / 2) * frame["se"]
    return frame.assign(ci_low=frame["estimate"] - half, ci_high=frame["estimate"] + half)


def curve_summary(study: rs.Study, **arguments: Any) -> pd.DataFrame:
    """Return the number of vertices of each curve and the trapezoid area under it."""
    curves = study.roc_curve(**arguments).groupby("predictor", sort=False)
    rows = []
    for name, curve in curves:
        fpr, tpr = curve["fpr"].to_numpy(), curve["tpr"].to_numpy()
        area = float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2))
        rows.append({"predictor": name, "points": len(curve), "area": area})
    return pd.DataFrame(rows)


def hull_summary(study: rs.Study, **arguments: Any) -> pd.DataFrame:
    """Return the number of vertices of each hull and the area under it."""
    rows = []
    for name, hull in study.roc_hull(**arguments).groupby("hull", sort=False):
        fpr, tpr = hull["fpr"].to_numpy(), hull["tpr"].to_numpy()
        area = float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2))
        rows.append({"hull": name, "vertices": len(hull), "area": area})
    return pd.DataFrame(rows)


def cost_at(study: rs.Study, *, x: float) -> pd.DataFrame:
    """Return the height of each cost curve at one probability cost."""
    rows = []
    for name, cost in study.cost_curve().groupby("predictor", sort=False):
        height = np.interp(x, cost["probability_cost"], cost["normalized_cost"])
        rows.append({"predictor": name, "normalized_cost": height})
    return pd.DataFrame(rows)


def threshold_rates(study: rs.Study) -> pd.DataFrame:
    """Return the rates of the confusion table at each threshold, in a study of one predictor."""
    curve = study.roc_curve()
    fp, tp = curve["fp"].to_numpy(), curve["tp"].to_numpy()
    tables = {
        str(k): {"tp": tp[k], "fn": tp[-1] - tp[k], "fp": fp[k], "tn": fp[-1] - fp[k]}
        for k in range(len(curve))
    }
    return rs.confusion_rates(tables).assign(threshold=curve["threshold"])


def weights(study: rs.Study) -> pd.DataFrame:
    """Return the weight of each row, counted from 1."""
    weight = study.sample_weight
    assert weight is not None
    return pd.DataFrame({"row": np.arange(1, len(weight) + 1), "weight": weight})


def numbered_bins(study: rs.Study, **options: Any) -> pd.DataFrame:
    """Return the bins of a calibration curve, numbered from 0 by their risks."""
    found = study.calibration_curve(method="bins", **options)
    return found.assign(bin=np.arange(len(found)))


def study_with_benefits(
    data: Mapping[str, Any], *, benefits: Mapping[str, Mapping[str, Any]], **keywords: Any
) -> rs.Study:
    """Return the study weighted by a benefit matrix, in which words are columns of ``data``."""
    cells = {
        decision: {name: data[e] if isinstance(e, str) else e for name, e in row.items()}
        for decision, row in benefits.items()
    }
    truth = data[keywords["y_true"]]
    weight = rs.cost_benefit_matrix(cells, truth, pos_label=keywords["pos_label"])
    return rs.Study(data=data, sample_weight=weight, **keywords)


CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "Study": lambda data, **keywords: rs.Study(data=data, **keywords),
    "MulticlassStudy": lambda data, **keywords: rs.MulticlassStudy(data=data, **keywords),
    "MultilabelStudy": lambda data, **keywords: rs.MultilabelStudy(data=data, **keywords),
    "SurvivalStudy": lambda data, **keywords: rs.SurvivalStudy(data=data, **keywords),
    "OrdinalStudy": lambda data, **keywords: rs.OrdinalStudy(data=data, **keywords),
    "ItemStudy": lambda data, **keywords: rs.ItemStudy(data=data, **keywords),
    "from_leaves": lambda data, **keywords: rs.Study.from_leaves(data, **keywords),
    "study_with_benefits": study_with_benefits,
    "columns": lambda data: data,
    "imputed": imputed.studies_of,
    **reader_tables.CONSTRUCTORS,
}
"""What the word "constructor" in study.json makes of the data; "Study" if there is none."""

KERNELS: dict[str, Callable[..., pd.DataFrame]] = {
    **QUESTIONS,
    **imputed.QUESTIONS,
    **planning.QUESTIONS,
    **reader_tables.QUESTIONS,
    "covariance": covariance,
    "numbered_bins": numbered_bins,
    "wald_unclipped": wald_unclipped,
    "curve_summary": curve_summary,
    "hull_summary": hull_summary,
    "cost_at": cost_at,
    "threshold_rates": threshold_rates,
    "weights": weights,
}
"""Questions that are not of the public interface; all others are methods of the study."""


def _row(case: Case, number: int, line: Mapping[str, str]) -> Row:
    if line["origin"] not in ORIGINS:
        raise ValueError(f"{case.folder}: origin must be one of {ORIGINS}; got {line['origin']!r}")
    return Row(
        case,
        number,
        line["question"],
        line["arguments"],
        line["where"],
        line["column"],
        float(line["expected"]),
        float(line["tolerance"]),
        line["origin"],
    )
