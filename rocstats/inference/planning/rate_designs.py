"""Designs of planned tests of sensitivity or specificity: one rate, two paired rates."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from rocstats.errors import InputError, require_open_interval
from rocstats.inference.planning.design_checks import require_side, settle_words
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative

Rate = Literal["tpr", "tnr"]
RATES = ("tpr", "tnr")
RateMethod = Literal["exact", "asymptotic"]
PairedRateMethod = Literal["mid-p", "exact", "asymptotic"]


@dataclass(frozen=True)
class OneRate:
    """Design of a test of a sensitivity, or a specificity, against a goal.

    Parameters
    ----------
    quantity : {"tpr", "tnr"}
        "tpr", sensitivity, of positives alone; or "tnr", specificity, of negatives alone.
    rate : float in (0, 1)
        The assumed rate.
    goal : float in (0, 1), optional
        The rate under the null hypothesis; without it only half widths can be planned.
    alternative : {"greater", "less", "two-sided"}, default "greater"
        As in ``test_performance_goals``: a one-sided test is at the level ``alpha``, a two-sided
        one at ``alpha / 2`` a side.
    method : {"exact", "asymptotic"}, default "exact"
        - "exact": power of the exact binomial test.
        - "asymptotic": normal formula for the score test.

    Raises
    ------
    InputError
        If ``rate`` is not where the alternative says, or a word or number is not possible.

    References
    ----------
    - Clopper & Pearson (1934), whose limits the exact test inverts [clopper-1934]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.OneRate("tpr", 0.9, goal=0.8).alternative
    'greater'
    """

    quantity: Rate
    rate: float
    _: KW_ONLY
    goal: float | None = None
    alternative: Alternative = "greater"
    method: RateMethod = "exact"

    def __post_init__(self) -> None:
        settle_words(self, quantity=RATES)
        require_open_interval("rate", self.rate, 0, 1)
        settle_words(self, alternative=ALTERNATIVES, method=("exact", "asymptotic"))
        # Without a goal there is no test, and a half width is all that can be planned.
        if self.goal is not None:
            require_open_interval("goal", self.goal, 0, 1)
            require_side("rate", self.rate, "goal", self.goal, self.alternative)


@dataclass(frozen=True)
class PairedRates:
    """Design of McNemar's test: two sensitivities, or specificities, on the same cases.

    Parameters
    ----------
    quantity : {"tpr", "tnr"}
        "tpr", sensitivity, of positives alone; or "tnr", specificity, of negatives alone.
    only_predictor, only_reference : float in (0, 1)
        Shares of the class that only the predictor, or only the reference, classifies correctly.
        Their difference is that of the rates. With the rates r1 and r2 and independent errors they
        are r1 (1 - r2) and r2 (1 - r1); errors on the same cases make both smaller.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests whether the predictor has the higher rate.
    method : {"mid-p", "exact", "asymptotic"}, default "mid-p"
        - "mid-p": power of McNemar's mid-p test, advised by Fagerland, Lydersen & Laake.
        - "exact": power of the conditional exact test, which is conservative.
        - "asymptotic": normal formula for McNemar's chi-square.

    Raises
    ------
    InputError
        If the shares are not as the alternative says, or a word or number is not possible.

    References
    ----------
    - McNemar (1947) [mcnemar-1947]
    - Fagerland, Lydersen & Laake (2013) [fagerland-2013]

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.PairedRates("tpr", only_predictor=0.15, only_reference=0.05).method
    'mid-p'
    """

    quantity: Rate
    _: KW_ONLY
    only_predictor: float
    only_reference: float
    alternative: Alternative = "two-sided"
    method: PairedRateMethod = "mid-p"

    def __post_init__(self) -> None:
        settle_words(self, quantity=RATES)
        for name in ("only_predictor", "only_reference"):
            require_open_interval(name, getattr(self, name), 0, 1)
        # They are cells of one table of the class; the other two cells hold the rest.
        if self.only_predictor + self.only_reference > 1:
            raise InputError(
                "`only_predictor` and `only_reference` must sum to 1 at most; got"
                f" {self.only_predictor!r} and {self.only_reference!r}. They are shares of a class."
            )
        settle_words(self, alternative=ALTERNATIVES, method=("mid-p", "exact", "asymptotic"))
        require_side(
            "only_predictor",
            self.only_predictor,
            "only_reference",
            self.only_reference,
            self.alternative,
        )
