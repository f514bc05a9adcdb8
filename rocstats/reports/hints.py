"""Hints before an answer that a mistake in the data would make wrong: a sentence each.

A hint changes no number. Codes for a missing value and repeated patients are looked for in the
file, the direction of a test in its area, risks in percent in its curve. A hint names the option of
the command line and that of Python.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from rocstats.reports.texts import say
from rocstats.tables.text import format_number

# Words for a patient in the names of columns, alone or beside other words: "Patient ID", "pat_nr".
_NAMES_OF_PATIENTS = re.compile(
    r"(?<![a-z])(id|nr|no|mrn|pat|patient|patients?id|case|caseid|subject|subjectid|person|participant)"
    r"(?![a-z])",
    re.IGNORECASE,
)
# Fewer rows a patient than this: a centre or a reader has more.
_MOST_ROWS_OF_A_PATIENT = 8

# Distinct values of a test that may be a risk: a rating has fewer.
_LEAST_ROWS = 11

# What programs and people write for a missing number.
_MISSING_CODES = frozenset(
    {-1.0, -8.0, -9.0, -88.0, -99.0, -888.0, -999.0, -9999.0}
    | {9.0, 88.0, 99.0, 777.0, 888.0, 999.0, 9999.0, 99999.0}
)
_LEAST_REPEATS = 2  # a single value far off may be a patient
# A code lies this many times the spread of the other values beyond them, at least.
_FAR = 1.0


def hints_on_repeated_patients(data: pd.DataFrame, used: Collection[str]) -> list[str]:
    """Return a hint for each unused column that seems to name patients, and repeats some.

    Parameters
    ----------
    data : pandas.DataFrame
        The rows of a file.
    used : collection of str
        Columns with a role in the study.
    """
    found = []
    for name in data.columns:
        if name in used or not _NAMES_OF_PATIENTS.search(str(name).replace("_", " ")):
            continue
        labels = data[name].dropna()
        number = labels.nunique()
        if number and number < len(labels) <= _MOST_ROWS_OF_A_PATIENT * number:
            found.append(say("hint.repeated", name=name, rows=len(labels), number=number))
    return found


def hints_on_missing_codes(data: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Return a hint for each score whose most extreme value may stand for a missing one.

    It is a usual code, repeated, and farther from all other values than these are from each other.
    """
    found = []
    for name in scores:
        if name not in data.columns or data[name].dtype.kind not in "iuf":
            continue
        values = data[name].to_numpy(dtype=np.float64, na_value=np.nan)
        values = np.sort(values[np.isfinite(values)])
        for code in dict.fromkeys(values[[0, -1]].tolist() if len(values) else []):
            others = values[values != code]
            repeats = len(values) - len(others)
            if code not in _MISSING_CODES or repeats < _LEAST_REPEATS or len(others) == 0:
                continue
            gap = max(others[0] - code, code - others[-1])
            if gap > _FAR * (others[-1] - others[0]) > 0:
                nearest = others[0] if code < others[0] else others[-1]
                found.append(
                    say(
                        "hint.code",
                        name=name,
                        number=repeats,
                        code=f"{code:g}",
                        nearest=f"{nearest:g}",
                    )
                )
    return found


# Risks in percent begin near 0, and some are far above 1.
_LEAST_PERCENT, _MOST_PERCENT = 5.0, 100.0
# In both halves of the cases, events are within this factor of those expected.
_FACTOR = 1.5


def hints_on_risks_in_percent(curve: pd.DataFrame) -> list[str]:
    """Return a hint for each test whose values agree with risks in percent.

    Parameters
    ----------
    curve : pandas.DataFrame
        ROC curves, whose thresholds are the values, labels in the place of names.
    """
    return [
        say("hint.percent", test=str(name))
        for name, rows in curve[curve["fold"] == ""].groupby("predictor", sort=False)
        if _agree_with_percentages(rows)
    ]


def _agree_with_percentages(rows: pd.DataFrame) -> bool:
    """Return whether scores are calibrated in percent in the upper and in the lower half."""
    grouped = "group" in rows and rows["group"].nunique() > 1
    if grouped or not rows["direction"].eq(">=").all() or len(rows) < _LEAST_ROWS:
        return False
    score, tp, fp = (rows[name].to_numpy(dtype=np.float64) for name in ("threshold", "tp", "fp"))
    score, events, cases = score[1:], np.diff(tp), np.diff(tp + fp)
    spread = score.min() >= 0 and score.min() <= _LEAST_PERCENT and score.max() <= _MOST_PERCENT
    if not spread or score.max() <= _LEAST_PERCENT:
        return False
    upper = np.cumsum(cases) <= cases.sum() / 2
    for half in (upper, ~upper):
        expected = float(np.sum((cases * score)[half])) / 100
        observed = float(np.sum(events[half]))
        if not expected / _FACTOR <= observed <= expected * _FACTOR or observed == 0:
            return False
    return True


def hints_on_direction(auc: pd.DataFrame, condition: str) -> list[str]:
    """Return a hint for each area of the full curve whose interval lies below .5."""
    full = auc[(auc["quantity"] == "auc") & (auc["ci_high"] < 0.5)].drop_duplicates("predictor")
    return [
        say(
            "hint.direction",
            test=str(name),
            auc=format_number(float(estimate), 2),
            condition=condition,
        )
        for name, estimate in zip(full["predictor"], full["estimate"], strict=True)
    ]
