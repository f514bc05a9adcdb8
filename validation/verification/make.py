"""Make the cases of partial verification: counts by formula, areas over all pairs.

Command: ``python validation/verification/make.py``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.reference import Expected, as_limits, computed, derived, write_case

LIVER = {"tp": 231, "fp": 32, "fn": 27, "tn": 54, "n_test_positive": 429, "n_test_negative": 221}
PRINTED = {
    ("missing-at-random", "tpr"): {
        "estimate": "0.8364667154",
        "se": "0.0244980313",
        "ci_low": "0.7826465185",
        "ci_high": "0.8790201901",
    },
    ("missing-at-random", "tnr"): {
        "estimate": "0.7383980182",
        "se": "0.0388626799",
        "ci_low": "0.6555077130",
        "ci_high": "0.8072095168",
    },
    ("verified-only", "tpr"): {"estimate": "0.8953488372"},
    ("verified-only", "tnr"): {"estimate": "0.6279069767"},
}
LEVELS = (0.95, 0.8)


def corrected_rows(counts: Mapping[str, int]) -> Iterator[Expected]:
    """Yield sensitivity and specificity: unverified cases filled in by their expectation."""
    n_pos, n_neg = counts["n_test_positive"], counts["n_test_negative"]
    with_it = (counts["tp"], counts["fn"])
    without = (counts["fp"], counts["tn"])
    for quantity, own, other, called in (
        ("tpr", with_it, without, 0),
        ("tnr", without, with_it, 1),
    ):
        filled = [n * Fraction(own[i], own[i] + other[i]) for i, n in enumerate((n_pos, n_neg))]
        rate = filled[called] / sum(filled)
        variance = Fraction(n_pos + n_neg, n_pos * n_neg)
        for i in (0, 1):
            variance += Fraction(other[i], own[i] * (own[i] + other[i]))
        where = {"kind": "missing-at-random", "quantity": quantity}
        se = float(rate * (1 - rate)) * math.sqrt(variance)
        yield from computed("begg_greenes", where, {"estimate": rate, "se": se})
        for level in LEVELS:
            limits = bf.logit_limits(float(rate), se, bf.z_of(level))
            yield from computed("begg_greenes", where, as_limits(limits), confidence_level=level)


def printed_rows() -> Iterator[Expected]:
    """Yield the worked numbers."""
    for (kind, quantity), numbers in PRINTED.items():
        yield from derived("begg_greenes", {"kind": kind, "quantity": quantity}, numbers)


def partly_verified(n: int) -> dict[str, list[int]]:
    """Return cases: truth, a score with ties, the chance in tenths, and who was verified."""
    y = [int((7 * i) % 10 < 4) for i in range(n)]
    score = [(11 * i + i // 4) % 9 + 3 * y[i] for i in range(n)]
    tenths = [10 if s >= 6 else 4 if i % 3 else 2 for i, s in enumerate(score)]
    verified = [int((13 * i) % 10 < t) for i, t in enumerate(tenths)]
    return {"y": y, "score": score, "tenths": tenths, "verified": verified}


def weighted_area(cases: Mapping[str, Sequence[int]]) -> Fraction:
    """Return the share of pairs of verified cases ranked right, weighted by both chances."""
    rows = list(zip(*(cases[name] for name in ("y", "score", "tenths", "verified")), strict=True))
    pos = [(s, Fraction(10, t)) for y, s, t, known in rows if known and y]
    neg = [(s, Fraction(10, t)) for y, s, t, known in rows if known and not y]
    pairs = [(u * v, 2 * (s > r) + (s == r)) for s, u in pos for r, v in neg]
    return sum((w * k for w, k in pairs), Fraction()) / (2 * sum(w for w, _ in pairs))


def area_rows(cases: Mapping[str, Sequence[int]]) -> Iterator[Expected]:
    """Yield the weighted area, and that of the verified alone with DeLong's limits."""
    arguments = {"y_true": "y", "y_score": "score", "verified": "verified", "probability": "chance"}
    where = {"kind": "missing-at-random"}
    yield from computed("verified_auc", where, {"estimate": weighted_area(cases)}, **arguments)
    rows = list(zip(cases["y"], cases["score"], cases["verified"], strict=True))
    pos, neg = ([s for y, s, known in rows if known and y == label] for label in (1, 0))
    pairs = bf.Pairs.of(pos, neg)
    value, se = float(pairs.area), math.sqrt(bf.delong(pairs))
    where = {"kind": "verified-only"}
    limits = as_limits(bf.logit_limits(value, se, bf.z_of(0.95)))
    numbers = {"estimate": value, "se": se, **limits}
    yield from computed("verified_auc", where, numbers, **arguments)


if __name__ == "__main__":
    write_case(
        __file__,
        "liver_scan",
        study={"constructor": "columns"},
        columns={name: [count] for name, count in LIVER.items()},
        expected=[*printed_rows(), *corrected_rows(LIVER)],
    )
    drawn = partly_verified(60)
    write_case(
        __file__,
        "weighted_pairs",
        study={"constructor": "columns"},
        columns={
            **{name: drawn[name] for name in ("y", "score", "verified")},
            "chance": [t / 10 for t in drawn["tenths"]],
        },
        expected=area_rows(drawn),
    )
