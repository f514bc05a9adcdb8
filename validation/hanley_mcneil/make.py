"""Make the case of the authority: ``python validation/hanley_mcneil/make.py``."""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import area_rows
from validation.reference import Expected, agree, as_limits, derived, printed, write_case

NORMAL = {1: 33, 2: 6, 3: 6, 4: 11, 5: 2}
ABNORMAL = {1: 3, 2: 2, 3: 2, 4: 11, 5: 33}
WHERE = {"predictor": "rating"}


def digit_rows() -> list[Expected]:
    """Return the rows of numbers known to some digits."""
    rows = printed("auc", WHERE, {"estimate": "0.893"})
    for variance in ("hanley-mcneil", "hanley-mcneil-data"):
        rows += printed("auc", WHERE, {"se": "0.032"}, variance=variance)
    rows += derived("auc", WHERE, {"estimate": "0.8931710615"})
    for variance, digits in (
        ("hanley-mcneil", "0.0324865796"),
        ("hanley-mcneil-data", "0.0319904082"),
        ("delong", "0.0307244084"),
        ("unbiased", "0.0306113293"),
        ("bootstrap", "0.0305437858"),
    ):
        rows += derived("auc", WHERE, {"se": digits}, variance=variance)
    for variance, interval, *limits in (
        ("delong", "wald", "0.8329523277", "0.9533897954"),
        ("delong", "logit", "0.8164435", "0.9401762"),
        ("delong", "probit", "0.8202993", "0.9418661"),
        ("hanley-mcneil", "logit", "0.8109566", "0.9421799"),
        ("delong", "newcombe", "0.8116884", "0.9400062"),
        ("delong", "hanley-mcneil-score", "0.8101765", "0.9408335"),
    ):
        asked = {"variance": variance, "interval": interval}
        rows += derived("auc", WHERE, as_limits(limits), **asked)
    return rows


def check_unseen(pairs: bf.Pairs) -> None:
    """Check the digits that no frame shows."""
    if pairs.area * pairs.m * pairs.n != 2642 or bf.jackknife(pairs) != bf.delong(pairs):
        raise ValueError("U must be 2642, and DeLong's variance the jackknife's")
    s10, s01 = bf.delong_parts(pairs, pairs)
    agree(s10 * pairs.m, "0.0317511249")
    agree(s01 * pairs.n, "0.0186422552")
    q1, q2 = bf.data_terms(pairs)
    agree(q1, "0.8182043158")
    agree(q2, "0.8312505343")
    area = float(pairs.area)
    agree(area / (2 - area), "0.8069639585")
    agree(2 * area**2 / (1 + area), "0.8427706945")
    mid_q1 = float(sum(v * v for v in pairs.of_neg)) / pairs.n
    mid_q2 = float(sum(v * v for v in pairs.of_pos)) / pairs.m
    first = area * (1 - area) + (pairs.m - 1) * (mid_q1 - area**2)
    third = (first + (pairs.n - 1) * (mid_q2 - area**2)) / (pairs.m * pairs.n)
    agree(math.sqrt(third), "0.0306884381")


def main() -> None:
    """Write the case."""
    pos = [rating for rating, count in ABNORMAL.items() for _ in range(count)]
    neg = [rating for rating, count in NORMAL.items() for _ in range(count)]
    pairs = bf.Pairs.of(pos, neg)
    check_unseen(pairs)
    write_case(
        __file__,
        "ct_1982",
        study={"y_true": "abnormal", "y_score": "rating", "frequency": "n"},
        columns={
            "abnormal": [0] * 5 + [1] * 5,
            "rating": [*NORMAL, *ABNORMAL],
            "n": [*NORMAL.values(), *ABNORMAL.values()],
        },
        expected=[*digit_rows(), *area_rows(pairs, WHERE)],
    )


if __name__ == "__main__":
    main()
