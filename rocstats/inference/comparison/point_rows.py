"""The quantities in which two operating points are compared, on the same cases or on two groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from rocstats.stats.comparison import calls, paired_shares, point_tests
from rocstats.stats.comparison.calls import Calls
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.paired_table import PairedTable, PairedTest
from rocstats.stats.points import compared as measures

# The calls among which a predictive value is the share that is right: positive or not.
PREDICTIVE_VALUES: dict[paired_shares.ShareName, bool] = {"ppv": True, "npv": False}
RATES: tuple[paired_shares.ShareName, paired_shares.ShareName] = ("tpr", "tnr")
RATE_RATIOS: dict[str, paired_shares.RatioName] = {"tpr_ratio": "tpr", "fpr_ratio": "fpr"}
# Accuracy, F1 and MCC mean something at the share of positives in the study alone.
OF_PREVALENCE = ("accuracy", "f1", "mcc")
# The numbers of each quantity, in order of print.
Rows = dict[str, point_tests.PointComparison]


class PointChoice(NamedTuple):
    """The test and the interval of independent cases."""

    test: PairedTest
    interval: point_tests.PairedInterval


def quantities(tested: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities of the rows of a pair by default: with a margin, rates alone."""
    if not point_tests.is_plain(tested):
        return RATES
    # Both rates together make a chi-square, which has no side.
    both = ("both_rates",) if tested.alternative == "two-sided" else ()
    return (*RATES, *both, *PREDICTIVE_VALUES, *(f"{name}_ratio" for name in paired_shares.RATIOS))


def possible_quantities(tested: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities that can be requested: with a margin, differences of rates and sums."""
    # Margins of other differences would depend on the prevalence, those of ratios on their scale.
    more = (*RATE_RATIOS, *OF_PREVALENCE) if point_tests.is_plain(tested) else ()
    return (*quantities(tested), *more, *measures.SUM_WEIGHTS)


def compared(
    first: Calls,
    second: Calls,
    wanted: Sequence[str],
    choice: PointChoice,
    tested: HypothesisPlan,
    *,
    paired: bool,
) -> Rows:
    """Return the wanted rows of two classifiers on the same cases, or of one on two groups."""
    if paired:
        first, second = calls.tabulated(first, second)
    else:
        # Each group by itself: the eight kinds of cases of a pair would need the same cases.
        (first, _), (second, _) = calls.tabulated(first, first), calls.tabulated(second, second)
    pair = _Pair(first, second, paired, choice, tested)
    makers = pair.makers()
    return {name: _noted(name, makers[name]()) for name in wanted}


def _noted(name: str, row: point_tests.PointComparison) -> point_tests.PointComparison:
    if name not in OF_PREVALENCE or math.isnan(row.estimate):
        return row
    return row._replace(codes=(*row.codes, "study-prevalence"))


class _Pair(NamedTuple):
    """The calls of two classifiers, or of one on two groups, and what is requested of them."""

    first: Calls
    second: Calls
    paired: bool
    choice: PointChoice
    tested: HypothesisPlan

    @property
    def clustered(self) -> bool:
        return self.first.cases.cluster is not None

    @property
    def source(self) -> str:
        """Where variances come from, as ``method`` says it."""
        return "cluster-influence" if self.clustered else "influence"

    def makers(self) -> Mapping[str, Callable[[], point_tests.PointComparison]]:
        """Return what makes the row of each quantity."""
        both = (self.first, self.second, self.tested, self.source)
        return {
            **{name: partial(self._rate, name) for name in RATES},
            "both_rates": self._both_rates,
            **{name: partial(self._predictive_value, name) for name in PREDICTIVE_VALUES},
            **{f"{name}_ratio": partial(self._ratio, name) for name in paired_shares.RATIOS},
            **{word: partial(self._rate_ratio, name) for word, name in RATE_RATIOS.items()},
            "accuracy": self._accuracy,
            "f1": partial(measures.f1_difference, *both, paired=self.paired),
            "mcc": partial(measures.mcc_difference, *both, paired=self.paired),
            **{name: partial(self._sum, name) for name in measures.SUM_WEIGHTS},
        }

    def _apart(self, name: paired_shares.ShareName) -> paired_shares.ShareDifference:
        shares = self.first.shares[name], self.second.shares[name]
        return paired_shares.ShareDifference(*shares, self.paired)

    def _table(self, name: str) -> PairedTable:
        """Return the table of right calls of a class; of calls for the false positive rate."""
        positive = self.first.cases.is_positive
        among = positive if name == "tpr" else ~positive
        return calls.paired_table(self.first, self.second, among=among, event=name != "tnr")

    def _share(
        self, apart: paired_shares.ShareDifference, table: Callable[[], PairedTable]
    ) -> point_tests.PointComparison:
        """Return a difference of shares whose denominator has the same cases for both."""
        if self.clustered:
            # A table of counts has no clusters: influence values are summed by cluster instead.
            return point_tests.share_difference(apart, self.tested, f"{self.source}/wilson-mover")
        if not self.paired:
            return point_tests.unpaired_share(apart, self.choice.test, self.tested)
        return point_tests.paired_rate(table(), *self.choice, self.tested)

    def _rate(self, name: paired_shares.ShareName) -> point_tests.PointComparison:
        return self._share(self._apart(name), partial(self._table, name))

    def _both_rates(self) -> point_tests.PointComparison:
        if self.clustered:
            return point_tests.both_shares([self._apart(name) for name in RATES])
        return point_tests.both_rates([self._rate(name) for name in RATES])

    def _predictive_value(self, name: paired_shares.ShareName) -> point_tests.PointComparison:
        apart = self._apart(name)
        if self.clustered or not self.paired:
            return self._share(apart, partial(self._table, name))
        # Kosinski (2013): the denominators of both values are different cases.
        event = PREDICTIVE_VALUES[name]
        score = calls.predictive_score(self.first, self.second, apart, event=event)
        return point_tests.predictive_difference(apart, score, self.tested)

    def _ratio(self, name: paired_shares.RatioName) -> point_tests.PointComparison:
        # Gu & Pepe (2009), Moskowitz & Pepe (2006): the log of a ratio is nearer to normal.
        shares = self.first.shares, self.second.shares
        ratio = paired_shares.ratio(name, *shares, paired=self.paired)
        return point_tests.ratio_of_shares(ratio, self.tested, f"{self.source}/log")

    def _rate_ratio(self, name: paired_shares.RatioName) -> point_tests.PointComparison:
        if self.clustered:
            return self._ratio(name)
        if self.paired:
            return measures.paired_rate_ratio(self._table(name), self.tested)
        of_tpr = name == "tpr"
        apart = self._apart("tpr" if of_tpr else "tnr")
        one, other = (
            (share.count if of_tpr else share.size - share.count, share.size)
            for share in (apart.first, apart.second)
        )
        return measures.unpaired_rate_ratio(one, other, self.tested)

    def _accuracy(self) -> point_tests.PointComparison:
        shares = [measures.accuracy(one) for one in (self.first, self.second)]
        apart = paired_shares.ShareDifference(shares[0], shares[1], self.paired)
        return self._share(apart, self._right_calls)

    def _right_calls(self) -> PairedTable:
        tables = [self._table(name) for name in RATES]
        return PairedTable(*(sum(cells) for cells in zip(*tables, strict=True)))

    def _sum(self, name: measures.SumName) -> point_tests.PointComparison:
        rates = self._apart(RATES[0]), self._apart(RATES[1])
        tables = None
        if self.paired and not self.clustered:
            tables = self._table(RATES[0]), self._table(RATES[1])
        return measures.sum_difference(name, rates, tables, self.tested, self.source)
