"""Scores at which engines could disagree, their counts by exact fractions, what all refuse."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor, frexp, inf, nan, nextafter

import numpy as np

N = 120
POWERS = [2.0**k for k in (-1074, -1022, -900, -30, -1, 0, 1, 40, 899, 900, 1023)]
NEIGHBOURS = [y for x in POWERS for y in (nextafter(x, 0), x, nextafter(x, inf))]
EDGES = [0.0, -0.0, inf, -inf, 1e300, -1e300, 5e-324, -5e-324, 0.1, 0.30000000000000004, 0.3]
LARGEST = 1.7976931348623157e308


def columns():
    """A list for each column, as Python objects: scores of all kinds, labels and groups."""
    rng = np.random.default_rng(7)
    near = [sign * x for x in NEIGHBOURS for sign in (1, -1)]
    smooth = np.r_[rng.normal(size=N // 2), np.exp(rng.uniform(-300, 300, N // 2))]
    return {
        "ulp": [near[k] for k in rng.integers(0, len(near), N)],
        "edges": [[*EDGES, LARGEST, -LARGEST][k] for k in rng.integers(0, len(EDGES) + 2, N)],
        "smooth": smooth.tolist(),
        "single": [float(x) for x in rng.normal(size=N).astype(np.float32)],
        "whole": rng.integers(-3000, 3000, N).tolist(),
        "truth": rng.integers(0, 2, N).astype(bool).tolist(),
        "money": [Decimal(int(x)).scaleb(-2) for x in rng.integers(-5000, 5000, N)],
        "sick": rng.integers(0, 2, N).tolist(),
        "sign": [int(x) for x in rng.choice([-1, 1], N)],
        "state": [str(x) for x in rng.choice(["ill", "well"], N)],
        "flag": rng.integers(0, 2, N).astype(bool).tolist(),
        "site": [str(x) for x in rng.choice(["north", "south"], N)],
        "wave": rng.integers(1, 3, N).tolist(),
    }


SCORES = ("ulp", "edges", "smooth", "single", "whole", "truth", "money")
# Words of count_scores beside the label: each kind of label, one and two columns of groups.
LABELS = {
    "sick": {},
    "sign": {},
    "flag": {},
    "state": {"pos_label": "ill", "by": ["site", "wave"]},
}


def cell(score, bits):
    """The lower end of a cell, by its definition."""
    if bits is None or score == 0 or abs(score) > 2.0**900:
        return score
    width = Fraction(2) ** (frexp(score)[1] - 1 - bits)
    return floor(Fraction(score) / width) * width


def expected(data, label, score, bits, pos_label=None, by=()):
    """Rows of the count table: groups as text, lowest and highest score, positives, negatives."""
    positive = {None: 1}.get(pos_label, pos_label)
    cells = {}
    for k, value in enumerate(data[score]):
        number = float(value) or 0.0
        groups = tuple(str(data[name][k]) for name in by)
        of_cell = cells.setdefault((*groups, cell(number, bits)), [])
        of_cell.append((number, data[label][k] == positive))
    rows = []
    for key, cases in cells.items():
        numbers = [number for number, _ in cases]
        n_pos = sum(is_positive for _, is_positive in cases)
        rows.append((*key[:-1], min(numbers), max(numbers), n_pos, len(cases) - n_pos))
    return sorted(rows)


def rows_of(frame):
    """The rows of a count table in the form of ``expected``."""
    columns = [frame[name].tolist() for name in frame.columns]
    if "score_high" not in frame.columns:
        columns.insert(len(columns) - 2, columns[-3])
    return list(zip(*columns, strict=True))


GOOD = {"y": [0, 1, 0, 1], "x": [1.0, 2.0, 3.0, 4.0], "site": ["a", "a", "b", "b"]}
# Columns that are otherwise, words of count_scores, and how the refusal begins.
FAULTS = {
    "scores null and NaN": (
        {"x": [1.0, None, nan, 4.0]},
        {},
        "`score` must have no missing values; got 2 null or NaN in the column 'x'.",
    ),
    "null label": (
        {"y": [0, 1, None, 1]},
        {},
        "`label` must have no missing values; got 1 null or NaN in the column 'y'.",
    ),
    "null group": (
        {"site": ["a", None, None, None]},
        {"by": "site"},
        "`by` must have no missing values; got 3 null or NaN in the column 'site'.",
    ),
    "one class": (
        {"y": [0, 0, 0, 0]},
        {},
        "`label` must hold both classes; got 0 positives and 4 negatives.",
    ),
    "third label": ({"y": [0, 1, 2, 1]}, {}, "`label` must hold two classes; got 3 labels:"),
    "no rows": ({"y": [], "x": [], "site": []}, {}, "`frame` must have at least one row; got 0."),
    "whole numbers beyond 2^53": (
        {"x": [1, 2, 3, 2**53 + 1]},
        {"exact": True},
        "`score` must be exact as 64-bit floats; got integers",
    ),
    "text": ({"x": ["1", "2", "3", "4"]}, {}, "`score` must be numbers; got "),
    "no such column": (
        {},
        {"by": "sit"},
        "`by` must name one column of `frame`; got 'sit', of which there is no column.",
    ),
}
