"""The claim that is tested: hypotheses about a difference, tests, adjustment for their number.

``Claim`` has the hypothesis, the pairs of predictors and the adjustment. A hypothesis is read from
its word, a margin and an alternative into ``HypothesisPlan``: null values
with their sides, of which all must be rejected (the intersection-union test [berger-1982], two
one-sided tests [schuirmann-1987]), and the interval beside them. ``ComparisonPlan`` says how areas
are compared: method, interval, what is drawn at random. P values are adjusted by Holm [holm-1979],
Bonferroni, or their joint normal distribution (docs/methods/comparison.md, "Several comparisons").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.areas import AreaRange
from rocstats.errors import InputError, require_choice, require_name, require_open_interval
from rocstats.estimate.hanley_mcneil import Correlation
from rocstats.estimate.quantiles import ALTERNATIVES, Alternative, t_p_value
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.simultaneous import largest_normal
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import SAME, TINY
from rocstats.study.base import BaseSample

# --- Hypotheses about a difference: null values, sides, and the interval beside the test ----------

Hypothesis = Literal["difference", "superiority", "non-inferiority", "equivalence"]
HYPOTHESES = ("difference", "superiority", "non-inferiority", "equivalence")


class HypothesisPlan(NamedTuple):
    """The tests of a difference, and the interval beside them.

    ``tests`` are null values with the side of their alternative: all must be rejected, so that the
    p value is the largest of theirs. ``null_value`` and ``hypothesis`` are printed in the row: the
    claim, or for a plain difference its alternative.
    ``alternative`` gives the sides of the interval, ``confidence_level`` its own level.
    """

    confidence_level: float
    alternative: Alternative
    null_value: float
    hypothesis: str
    tests: tuple[tuple[float, Alternative], ...]

    @property
    def side(self) -> Alternative:
        """The alternative of the (first) test."""
        return self.tests[0][1]

    @property
    def is_plain(self) -> bool:
        """Whether the difference is tested against 0, on one side or both, without a margin."""
        return self.tests == ((0.0, self.alternative),)

    @property
    def tests_equality(self) -> bool:
        """Whether the test is the two-sided one that the difference is 0."""
        return self.is_plain and self.alternative == "two-sided"

    @property
    def has_margin(self) -> bool:
        """Whether the hypothesis has a margin other than 0."""
        return self.hypothesis in HYPOTHESES[1:] and self.null_value != 0

    @property
    def alpha(self) -> float:
        """Level of the test that agrees with the interval."""
        # A one-sided test beside a two-sided interval has half of its alpha: 2.5% beside 95%.
        one_sided_beside_two = self.alternative == "two-sided" and self.side != "two-sided"
        return (1 - self.confidence_level) / (2 if one_sided_beside_two else 1)

    def over(self, width: float) -> HypothesisPlan:
        """Return the same hypotheses for a difference divided by ``width``."""
        tests = tuple((value / width, side) for value, side in self.tests)
        return self._replace(null_value=self.null_value / width, tests=tests)

    def lower_is_better(self) -> HypothesisPlan:
        """Return the same hypotheses for a loss, of which less is better.

        A test that the quantity is greater than a value, beside a two-sided interval, becomes one
        that the loss is less than minus that value.
        """
        if self.alternative != "two-sided" or len(self.tests) > 1 or self.side == "two-sided":
            return self
        null = 0.0 - self.null_value  # not -x, which would print -0
        return self._replace(null_value=null, tests=((null, "less"),))

    def at_level(self, confidence_level: float) -> HypothesisPlan:
        """Return the same hypotheses with an interval at another level."""
        return self._replace(confidence_level=confidence_level)


def require_test_side_and_level(confidence_level: float, alternative: Alternative) -> Alternative:
    """Return the side of a test; raise InputError where it, or the level with it, is not legal.

    A one-sided level must put its limit on its side of the estimate.
    """
    alternative = require_choice("alternative", alternative, ALTERNATIVES)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if alternative != "two-sided" and confidence_level <= 0.5:
        raise InputError(
            f"`confidence_level` must exceed 0.5 for the alternative {alternative!r} (at a lower"
            f" level the limit is on the wrong side of the estimate); got {confidence_level!r}."
            " Pass for instance 0.95."
        )
    return alternative


def read_hypothesis(
    hypothesis: Hypothesis,
    margin: float | None,
    alternative: Alternative,
    null_value: float,
    confidence_level: float,
    *,
    largest: float = 1.0,
) -> HypothesisPlan:
    """Return the tests and limits of a difference in (-largest, largest), or raise InputError.

    Superiority and non-inferiority are tested one-sided at (1 - level)/2 beside the two-sided
    interval at the level; equivalence at 1 - level a side beside the interval at 2 level - 1.
    """
    hypothesis = require_choice("hypothesis", hypothesis, HYPOTHESES)
    alternative = require_test_side_and_level(confidence_level, alternative)
    require_open_interval("null_value", null_value, -largest, largest)
    if hypothesis == "difference":
        if margin is not None:
            raise InputError(
                f"`margin` must stay None for the hypothesis 'difference'; got {margin!r}."
                " Pass hypothesis='superiority', 'non-inferiority' or 'equivalence' with it."
            )
        value = float(null_value)
        return HypothesisPlan(
            confidence_level, alternative, value, alternative, ((value, alternative),)
        )
    _require_plain_test_for_margin(hypothesis, alternative, null_value)
    d = _read_hypothesis_margin(hypothesis, margin, largest)
    if hypothesis == "superiority":
        return HypothesisPlan(confidence_level, "two-sided", d, hypothesis, ((d, "greater"),))
    if hypothesis == "non-inferiority":
        return HypothesisPlan(confidence_level, "two-sided", -d, hypothesis, ((-d, "greater"),))
    # Two one-sided tests at 1 - level each (Schuirmann 1987) match the interval at 2 level - 1.
    if confidence_level <= 0.5:
        raise InputError(
            "`confidence_level` must exceed 0.5 for equivalence (the interval has the level 2 *"
            f" confidence_level - 1); got {confidence_level!r}. Pass for instance 0.95."
        )
    both: tuple[tuple[float, Alternative], ...] = ((-d, "greater"), (d, "less"))
    return HypothesisPlan(2 * confidence_level - 1, "two-sided", d, hypothesis, both)


def hypothesis_columns(plan: HypothesisPlan) -> dict[str, Any]:
    """Return the columns of a hypothesis and of the level of its interval."""
    return {
        "confidence_level": plan.confidence_level,
        "null_value": plan.null_value,
        "hypothesis": plan.hypothesis,
    }


def _require_plain_test_for_margin(hypothesis: str, alternative: str, null_value: float) -> None:
    if alternative != "two-sided":
        raise InputError(
            f"`alternative` must stay 'two-sided' for the hypothesis {hypothesis!r}, which"
            f" determines the side; got {alternative!r}. Leave `alternative` out."
        )
    if null_value != 0:
        raise InputError(
            f"`null_value` must stay 0 for the hypothesis {hypothesis!r}; got {null_value!r}."
            " Pass `margin` instead."
        )


def _read_hypothesis_margin(hypothesis: str, margin: float | None, largest: float) -> float:
    # No default for the others: a margin is a clinical choice, and 0 would be another hypothesis.
    if margin is None:
        if hypothesis == "superiority":
            return 0.0
        raise InputError(
            f"`margin` must be given for the hypothesis {hypothesis!r}; got None. Pass the largest"
            " difference that does not matter, chosen before the data were seen."
        )
    if hypothesis == "superiority" and margin == 0:
        return 0.0
    require_open_interval("margin", margin, 0, largest)
    return float(margin)


# --- What is claimed of each pair of predictors ---------------------------------------------------


class Claim(NamedTuple):
    """What is claimed of the difference of each pair of predictors, by their positions.

    ``adjust`` is the adjustment of the p values.
    """

    tested: HypothesisPlan
    adjust: Adjustment
    pairs: list[tuple[int, int]]

    def words(self, part: BaseSample, pair: tuple[int, int]) -> dict[str, Any]:
        """Return the columns that name a pair and the hypothesis."""
        first, second = (part.predictors[k] for k in pair)
        return {"predictor": first, "reference": second, **hypothesis_columns(self.tested)}


def read_claim(
    sample: BaseSample,
    reference: str | None,
    hypothesis: Hypothesis,
    margin: float | None,
    alternative: Alternative,
    null_value: float,
    adjust: Adjustment,
    confidence_level: float,
    *,
    largest: float = 1.0,
    scores: str = "y_score",
) -> Claim:
    """Return the claim about differences in (-largest, largest), or raise InputError."""
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    tested = read_hypothesis(
        hypothesis, margin, alternative, null_value, confidence_level, largest=largest
    )
    if len(sample.predictors) < 2:
        raise InputError(
            f"`{scores}` must hold two or more predictors to compare; got 1. Pass the scores of"
            " another predictor too."
        )
    return Claim(tested, adjust, index_pairs(sample.predictors, reference))


def index_pairs(names: Sequence[str], reference: str | None) -> list[tuple[int, int]]:
    """Return every pair of positions, the earlier first, or all others with the reference."""
    if reference is None:
        return list(combinations(range(len(names)), 2))
    require_name("reference", reference, names)
    fixed = list(names).index(reference)
    return [(i, fixed) for i in range(len(names)) if i != fixed]


# --- Tests of a plan ------------------------------------------------------------------------------


def chi_square_test_of_zero_vector(
    values: FloatArray, covariance: FloatArray, largest: float, rounding: float
) -> tuple[float, float, float]:
    """Return v' S^- v, its df and the p value of "all values are 0".

    Directions whose variance is rounding beside the ``largest`` have no part in the df; values that
    leave 0 by more than ``rounding`` along one of them have no test: NaN.
    """
    spread, axes = np.linalg.eigh(covariance)
    kept = spread > SAME * max(largest, TINY)
    along, df = axes.T @ values, float(kept.sum())
    # Their length, which is that under any choice of vectors of equal eigenvalues.
    if np.linalg.norm(along[~kept]) > rounding:
        return float("nan"), df, float("nan")
    statistic = float(np.sum(along[kept] ** 2 / spread[kept]))
    return statistic, df, float(sp.chdtrc(df, statistic)) if df else 1.0


def hypothesis_test_with_largest_p(
    plan: HypothesisPlan, statistic: Callable[[float], float], df: float = np.inf
) -> tuple[float, float]:
    """Return the statistic and p value of the test with the largest p value."""
    # All tests must reject: the intersection-union test (two one-sided tests, Schuirmann 1987).
    tests: list[tuple[float, float]] = []
    for null, side in plan.tests:
        z = statistic(null)
        tests.append((z, t_p_value(z, df, side)))
    return max(tests, key=lambda test: test[1])


# --- How areas are compared -----------------------------------------------------------------------

ComparisonMethod = Literal[
    "delong", "permutation", "permutation-asymptotic", "bootstrap", "hanley-mcneil"
]
COMPARISON_METHODS: tuple[ComparisonMethod, ...] = get_args(ComparisonMethod)
DifferenceInterval = Literal["t", "wald", "mover", "percentile"]
DIFFERENCE_INTERVALS: tuple[DifferenceInterval, ...] = get_args(DifferenceInterval)


class ComparisonPlan(NamedTuple):
    """How areas are compared; ``resamples`` is None if nothing is drawn at random."""

    method: ComparisonMethod
    interval: DifferenceInterval
    correlation: Correlation
    same_scale: bool
    over: AreaRange
    resamples: ResamplePlan | None

    @property
    def permuted(self) -> bool:
        """Whether the test exchanges values within cases."""
        return self.method.startswith("permutation")

    @property
    def resampled(self) -> bool:
        """Whether the limits come from resamples."""
        return self.interval == "percentile"

    @property
    def combined(self) -> bool:
        """Whether the limits combine those of the areas (MOVER)."""
        return self.interval == "mover"

    @property
    def by_influence(self) -> bool:
        """Whether the covariance is that of influence values (DeLong, Obuchowski)."""
        return self.method == "delong" or self.permuted


def default_difference_interval(tested: HypothesisPlan) -> DifferenceInterval:
    """Return the interval beside the tests of a hypothesis: MOVER with a margin, else t."""
    return "mover" if tested.has_margin else "t"


# --- Adjustment of P values for the number of tests -----------------------------------------------

Adjustment = Literal["holm", "bonferroni", "none"]
AreaAdjustment = Literal["holm", "bonferroni", "none", "single-step"]
"""Those of areas, whose joint distribution is known."""
AdjustmentRule = Callable[[FloatArray], FloatArray]
"""From ascending p values of all tests to adjusted ones, which may exceed 1."""


class PAdjustment(NamedTuple):
    """An adjustment for multiplicity.

    ``adjusted`` is None where the p values do not suffice. ``phrase`` continues "Adjusted P
    values allow for the 3 comparisons"; the intervals are adjusted too if they are
    ``simultaneous``.
    """

    word: str
    phrase: str
    adjusted: AdjustmentRule | None = None
    simultaneous: bool = False
    references: tuple[str, ...] = ()
    published: bool = True


def _holm_adjusted_p_values(ascending: FloatArray) -> FloatArray:
    """Return the i-th smallest of m p values times m - i + 1, made monotone (Holm 1979)."""
    # A p value must not be adjusted below that of a smaller one.
    steps = ascending * np.arange(len(ascending), 0, -1)
    return np.asarray(np.maximum.accumulate(steps))


P_ADJUSTMENTS: tuple[PAdjustment, ...] = (
    PAdjustment(
        "holm", "by the method of Holm", _holm_adjusted_p_values, references=("holm-1979",)
    ),
    PAdjustment("bonferroni", "by the method of Bonferroni", lambda p: p * len(p)),
    PAdjustment("none", ""),
)
"""Adjustments from p values alone; ``SINGLE_STEP`` needs the covariance of the estimates."""
SINGLE_STEP = PAdjustment(
    "single-step", "in a single step by their joint normal distribution", simultaneous=True
)
ADJUSTMENTS = tuple(record.word for record in P_ADJUSTMENTS)
_BY_WORD = {record.word: record for record in P_ADJUSTMENTS}


def adjust_p_values(p_values: FloatArray, adjust: Adjustment) -> FloatArray:
    """Return adjusted p values; NaN stay NaN and do not count as tests."""
    adjusted = p_values.copy()
    tested = np.flatnonzero(np.isfinite(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    rule = _BY_WORD[adjust].adjusted
    if rule is not None:
        adjusted[order] = np.minimum(rule(p_values[order]), 1.0)
    return adjusted


def single_step_adjusted_p_values(
    p_values: FloatArray, covariance: FloatArray, plan: HypothesisPlan
) -> tuple[FloatArray, HypothesisPlan]:
    """Return p values adjusted by the joint normal distribution, and a plan of joint limits.

    The adjusted p value is the probability that the most extreme of all statistics is as extreme
    as this one; at least p itself and at most that of Bonferroni. NaN do not count as tests. The
    limits at the level of the plan returned are simultaneous over all rows.
    """
    tested = np.flatnonzero(np.isfinite(p_values))
    if len(tested) == 0:
        return p_values.copy(), plan
    two_sided = plan.side == "two-sided"
    largest = largest_normal(covariance[np.ix_(tested, tested)], two_sided=two_sided)
    p = p_values[tested]
    reached = np.array([largest.exceeds(-z) for z in sp.ndtri(p / 2 if two_sided else p)])
    adjusted = p_values.copy()
    # The mean over directions has an error of some 1e-4; its bounds, p and m p, have none.
    adjusted[tested] = np.clip(reached, p, np.minimum(len(p) * p, 1.0))
    c = largest.quantile(1 - plan.alpha)
    # The level of one interval with c as its quantile.
    sides = 1 if plan.alternative != "two-sided" else 2
    return adjusted, plan.at_level(float(1 - sides * sp.ndtr(-c)))


def add_adjusted_p_values_to_rows(
    rows: Sequence[dict[str, Any]], adjust: Adjustment, *, within: Sequence[str] = ()
) -> None:
    """Give each row of an answer its ``p_adjusted``, and a note where it allows for other rows.

    ``within`` names the entries that rows of one family of tests share; by default all rows are
    one family.
    """
    # By default the rows of all groups of the study are one family too: they are tested at once.
    families: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault(tuple(row[name] for name in within), []).append(row)
    for family in families.values():
        adjusted = adjust_p_values(np.array([row["p_value"] for row in family]), adjust)
        for row, p in zip(family, adjusted, strict=True):
            row["p_adjusted"] = float(p)
            if adjust != "none" and len(family) > 1 and np.isfinite(p):
                row["note"] = [*row["note"], f"adjusted={adjust}"]


# --- The words of comparisons in `method`, with their phrases in print ----------------------------

_FROM_DISCORDANT = "from the discordant cases"
_EXCHANGES = ", which exchanges the values of a case"
_BANDOS = ("bandos-2005",)


class DifferenceTest(NamedTuple):
    """A test of a difference of areas.

    ``standard_errors`` are first words of ``method`` that only this test has. ``exchange`` are its
    third words: the test is printed beside an interval that it does not invert.
    """

    word: str
    standard_errors: tuple[Word, ...] = ()
    exchange: tuple[Word, ...] = ()


DIFFERENCE_TESTS: tuple[DifferenceTest, ...] = (
    DifferenceTest("delong"),
    DifferenceTest(
        "permutation",
        exchange=(
            Word(
                "permutation-exact",
                f"the permutation test of Bandos et al{_EXCHANGES} (every exchange)",
                _BANDOS,
            ),
            Word(
                "permutation",
                f"the permutation test of Bandos et al{_EXCHANGES} (random exchanges)",
                _BANDOS,
            ),
        ),
    ),
    DifferenceTest(
        "permutation-asymptotic",
        exchange=(
            Word(
                "permutation-asymptotic",
                f"the normal form of the permutation test of Bandos et al{_EXCHANGES}",
                _BANDOS,
            ),
        ),
    ),
    DifferenceTest("bootstrap"),
    DifferenceTest(
        "hanley-mcneil",
        standard_errors=tuple(
            Word(
                f"hanley-mcneil-{name}{suffix}",
                f"by the method of Hanley and McNeil for the same cases, from {name.capitalize()}"
                f" correlations of the scores{how}",
                ("hanley-mcneil-1983",),
            )
            for name in ("pearson", "kendall")
            for suffix, how in (("", ""), ("-by-class", " in each class"))
        ),
    ),
)

_AVAILABLE = (
    ", each area from the cases with a score of its predictor and the covariance from the shared"
    " ones"
)
STANDARD_ERRORS = (
    *(
        Word(
            f"available-{prefix}{name}",
            f"by the method of {author}{_AVAILABLE}",
            (key, "zhou-gatsonis-1996"),
        )
        for name, author, key in (
            ("delong", "DeLong et al", "delong-1988"),
            ("obuchowski", "Obuchowski for clustered data", "obuchowski-1997"),
        )
        for prefix in ("", "foldwise-")
    ),
    Word("mcnemar-mid-p", _FROM_DISCORDANT),
    Word("mcnemar-exact", _FROM_DISCORDANT),
    Word("mcnemar-asymptotic", _FROM_DISCORDANT),
    Word("tango-score", _FROM_DISCORDANT),
    Word("tang-score", _FROM_DISCORDANT),
    Word("weighted-score", "from influence values"),
)
LIMITS = (
    Word("log", "on the logarithmic scale"),
    Word("wald-t", "with quantiles of the t distribution"),
    Word(
        "order-mover",
        "by combining limits of the chosen threshold, from order statistics, with Wilson limits of"
        " the rates there (MOVER)",
        ("wilson-1927", "zou-2008"),
        published=False,
    ),
    Word(
        "hall-t",
        "by the transformation of Hall for skewed means, with quantiles of the t distribution",
        ("hall-1992",),
        published=False,
    ),
    Word(
        "mover",
        "by combining the Newcombe limits of both areas (MOVER)",
        ("newcombe-2006", "zou-2008"),
    ),
    Word(
        "logit-mover",
        "by combining the logit limits of both areas, given their correlation (MOVER)",
        ("zou-2008",),
    ),
    Word("tango", "by inverting the score test of Tango", ("tango-1998",)),
    Word(
        "tango-mover",
        "by combining the limits of Tango for both classes (MOVER)",
        ("tango-1998", "zou-2008"),
    ),
    Word("tang", "by inverting the score test of Tang, Tang and Chan", ("tang-2003",)),
    Word(
        "fisher-mover",
        "by combining the limits of both on Fisher's scale (MOVER)",
        ("zou-2008",),
    ),
    Word("newcombe-paired", "by Newcombe's method 10", ("newcombe-1998",)),
    Word("wilson-mover", "by combining the Wilson limits of both (MOVER)", ("zou-2008",)),
)
TESTS = (
    *(
        Word(f"mcnemar-{test}/{interval}", f"the {words} McNemar test")
        for test, words in (("mid-p", "mid-P"), ("exact", "exact"))
        for interval in ("tango", "newcombe-paired")
    ),
    Word("venkatraman/permutation", "Venkatraman's permutation test of equal curves"),
)
"""Tests with a P value without a statistic, by the whole ``method``."""
