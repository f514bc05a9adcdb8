"""Cases sorted by keys, against all pairs of cases and against the order of their scores.

Every number must be equal, not close: the keys are exact, and so are the sums over them. Run 1000
designs with ``python -m validation.sorted_keys``.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from rocstats.curves.areas import placements_from
from rocstats.study.count_tables import (
    LabelledScores,
    ScoreCounts,
    SortedKeys,
    count_scores_of,
    count_whole_numbers,
    sort_keys,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Draw = Callable[[np.random.Generator, Floats], Floats]

LARGEST = 300
REFUSED = ("infinite", "below the digits of a double")

# What a base of normal scores, those of positives higher, is made into.
KINDS: dict[str, Draw] = {
    "continuous": lambda rng, base: base,
    "decimals": lambda rng, base: np.round(base, rng.integers(0, 4)),
    "another unit": lambda rng, base: base * 10.0 ** rng.uniform(-300, 300),
    "many units": lambda rng, base: base * 10.0 ** rng.uniform(-150, 150, len(base)),
    "zeros of both signs": lambda rng, base: np.where(
        rng.random(len(base)) < 0.4, rng.choice([-0.0, 0.0], len(base)), base
    ),
    "subnormal": lambda rng, base: np.round(base * 5) * 5e-324,
    "single precision": lambda rng, base: base.astype(np.float32).astype(np.float64),
    "whole numbers": lambda rng, base: np.round(base * 10) + rng.choice([0, -1e9, 2.0**52]),
    "steps from a fraction": lambda rng, base: np.round(base * 10) + 0.1,
    "a heavy tie": lambda rng, base: np.where(rng.random(len(base)) < 0.7, 0.3, base),
    "infinite": lambda rng, base: np.append(base[:-1], rng.choice([-np.inf, np.inf])),
    "below the digits of a double": lambda rng, base: np.append(base[:-2], [1e300, 1e-300]),
}


def design(seed: int) -> tuple[str, LabelledScores]:
    """Return the kind and the cases of one design."""
    rng = np.random.default_rng([20040316, seed])
    n, kind = int(rng.integers(2, LARGEST)), str(rng.choice(list(KINDS)))
    is_positive = rng.random(n) < rng.choice([0.05, 0.5, 0.9])
    base = rng.normal(size=n) + is_positive * rng.choice([0, 1, 6])
    score = KINDS[kind](rng, base)
    return kind, LabelledScores(score, is_positive, None, bool(rng.integers(2)))


def disagreements(seed: int) -> list[str]:
    """Return what differs in one design: nothing is right."""
    kind, cases = design(seed)
    expected = count_scores_of(cases)
    whole, keys = count_whole_numbers(cases), sort_keys(cases)
    found = []
    if whole is not None and not _equal(whole, expected):
        found.append("counts of whole numbers")
    if (keys is None) != (kind in REFUSED):
        return [*found, "whether keys hold the scores"]
    if keys is not None:
        if not _equal(keys.counts(), expected):
            found.append("counts from keys")
        if 0 < np.count_nonzero(cases.is_positive) < len(cases.score):
            found += _wrong_placements(keys, cases)
    return [f"{what}, design {seed}: {kind}" for what in found]


def _wrong_placements(keys: SortedKeys, cases: LabelledScores) -> list[str]:
    sign = 1 if cases.higher_is_positive else -1
    pos, neg = (sign * cases.score[side] for side in (cases.is_positive, ~cases.is_positive))
    # Twice the share of each pair that is ranked right: 2, 1 for a tie, or 0.
    ranked = np.sign(pos[:, np.newaxis] - neg).astype(np.int64) + 1
    m, n = ranked.shape
    expected = (
        m,
        n,
        float(Fraction(int(ranked.sum()), 2 * m * n)),
        _spread(ranked.sum(axis=1), 2 * n),
        _spread(ranked.sum(axis=0), 2 * m),
    )
    p = placements_from(keys)
    assert p is not None
    found = (p.n_pos, p.n_neg, p.area, p.spread_pos, p.spread_neg)
    return [] if found == expected else ["placements"]


def _spread(counts: Ints, unit: int) -> float:
    """Return the mean squared deviation of counts divided by a unit, rounded once."""
    numbers = counts.tolist()
    squares = len(numbers) * sum(number**2 for number in numbers) - sum(numbers) ** 2
    return float(Fraction(squares, (len(numbers) * unit) ** 2))


def _equal(found: ScoreCounts, expected: ScoreCounts) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


def main() -> int:
    """Check the designs; print what differs, and return 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m validation.sorted_keys", description=__doc__)
    parser.add_argument("--designs", type=int, default=1000)
    asked = parser.parse_args()
    found = [line for seed in range(asked.designs) for line in disagreements(seed)]
    kinds = Counter(design(seed)[0] for seed in range(asked.designs))
    print("\n".join([*found, *(f"{number:5d}  {kind}" for kind, number in kinds.items())]))
    print(f"{asked.designs} designs, {len(found)} differences")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
