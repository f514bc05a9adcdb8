"""One comparison of an engine with a reference, and the bound that it must keep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocstats.facts.arrays import FloatArray

STANDARD_ERRORS = 4.0
ROUNDING = 1e-9
KS_LEVEL = 1e-4


@dataclass(frozen=True)
class Row:
    """A statistic of an engine's draws over its reference value.

    ``monte_carlo_se`` is the standard error of the ratio; NaN for a distance of two laws, whose
    reference is the critical value of the two-sample Kolmogorov-Smirnov test.
    """

    cell: str
    engine: str
    statistic: str
    value: float
    closed_form: float
    ratio: float
    monte_carlo_se: float
    replicates: int
    seed: int
    reference: str


@dataclass(frozen=True)
class Draws:
    """Draws of an engine in a cell, and what its rows have in common."""

    cell: str
    engine: str
    values: FloatArray
    seed: int
    reference: str

    def row(self, statistic: str, value: float, expected: float, se: float) -> Row:
        """Return the comparison of a value; ``se`` is its own standard error."""
        ratio, relative = value / expected, se / abs(expected)
        b = len(self.values)
        parts = (self.cell, self.engine, statistic, value, expected, ratio, relative, b)
        return Row(*parts, self.seed, self.reference)

    def mean(self, expected: float, *, se: float = 0.0, of: str = "") -> Row:
        """Compare the mean; ``se`` is the standard error of what is expected."""
        own = self.values.std() / np.sqrt(len(self.values))
        return self.row(f"mean{of}", float(self.values.mean()), expected, float(np.hypot(own, se)))

    def sd(
        self, expected: float, *, kurtosis: float | None = None, replicates: int = 0, of: str = ""
    ) -> Row:
        """Compare the standard deviation, whose error follows from the kurtosis.

        The kurtosis is that of the draws unless it is known. ``replicates`` is from how many draws
        of the same law the expected one was estimated.
        """
        centred = self.values - self.values.mean()
        variance = float(np.mean(centred**2))
        if kurtosis is None:
            kurtosis = float(np.mean(centred**4)) / variance**2
        shares = 1 / len(self.values) + (1 / replicates if replicates else 0.0)
        se = expected * np.sqrt((kurtosis - 1) / 4 * shares)
        return self.row(f"sd{of}", float(np.sqrt(variance)), expected, float(se))

    def share(self, reached: float, expected: float, of: str, total: int | None = None) -> Row:
        """Compare a share of the draws (of ``total``) with a probability."""
        size = len(self.values) if total is None else total
        return self.row(of, reached, expected, float(np.sqrt(expected * (1 - expected) / size)))


def law(one: Draws, other: Draws, of: str = "") -> Row:
    """Compare the laws of two engines by the largest distance of their distribution functions."""
    a, b = np.sort(np.round(one.values, 12)), np.sort(np.round(other.values, 12))
    points = np.concatenate([a, b])
    shares = [np.searchsorted(draws, points, "right") / len(draws) for draws in (a, b)]
    distance = float(np.max(np.abs(shares[0] - shares[1])))
    critical = np.sqrt(-np.log(KS_LEVEL / 2) / 2 * (1 / len(a) + 1 / len(b)))
    return Row(
        one.cell,
        one.engine,
        f"distance from {other.engine}{of}",
        distance,
        float(critical),
        distance / float(critical),
        np.nan,
        len(a),
        one.seed,
        "critical distance",
    )


def allowance(statistic: str, ratio_se: float, replicates: int) -> float:
    """Return by how much a ratio may differ from 1.

    4/sqrt(2B) for a standard deviation, or 4 standard errors where tails are heavier than the
    normal's; a distance between laws may be anything up to the critical one.
    """
    if statistic.startswith("distance"):
        return 1.0
    normal = 1 / np.sqrt(2 * replicates) if statistic.startswith("sd") else 0.0
    return STANDARD_ERRORS * max(ratio_se, normal) + ROUNDING
