"""An area with the variance and the sample sizes that intervals are made from."""

from __future__ import annotations

from typing import NamedTuple


class Spread(NamedTuple):
    """Sizes and parts of the variance, for the effective-sample-size interval.

    ``n_pos`` and ``n_neg`` are effective numbers of cases; ``variance_pos`` and ``variance_neg``
    the parts of the variance that positives and negatives carry.
    """

    n_pos: float
    n_neg: float
    variance_pos: float
    variance_neg: float


class Area(NamedTuple):
    """An area in [0, 1] with its variance, degrees of freedom and numbers of units.

    ``n_pos`` and ``n_neg`` are numbers of independent units (cases, or clusters with the class);
    ``n_pairs`` the largest number of positive-negative pairs that share none of them.
    """

    value: float
    variance: float
    df: float
    n_pos: float
    n_neg: float
    n_pairs: float
    spread: Spread | None = None

    @property
    def at_boundary(self) -> bool:
        """Whether every pair, or none, is ranked right."""
        # Exact: areas within rounding of 0 and 1 are set to these before (``snapped``).
        return self.value in (0.0, 1.0)

    @property
    def parts(self) -> Spread:
        """The parts of the variance, which an area over folds has not."""
        if self.spread is None:
            raise ValueError("the effective sample size needs the parts of DeLong's variance")
        return self.spread
