"""The quantities in which two operating points are compared, on the same cases or on two groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rocstats.stats.comparison import calls, paired_shares, point_tests
from rocstats.stats.comparison.calls import Calls
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.paired_table import PairedTable, PairedTest

# The calls among which a predictive value is the share that is right: positive or not.
PREDICTIVE_VALUES: dict[paired_shares.ShareName, bool] = {"ppv": True, "npv": False}
RATES: tuple[paired_shares.ShareName, paired_shares.ShareName] = ("tpr", "tnr")
# The numbers of each quantity, in order of print.
Rows = dict[str, point_tests.PointComparison]


class PointChoice(NamedTuple):
    """The test and the interval of independent cases."""

    test: PairedTest
    interval: point_tests.PairedInterval


def quantities(tested: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities of the rows of a pair: with a margin, rates alone."""
    # Margins of predictive values would depend on the prevalence, those of ratios on their scale.
    if not point_tests.is_plain(tested):
        return RATES
    # Both rates together make a chi-square, which has no side.
    both = ("both_rates",) if tested.alternative == "two-sided" else ()
    return (*RATES, *both, *PREDICTIVE_VALUES, *(f"{name}_ratio" for name in paired_shares.RATIOS))


def paired_rows(first: Calls, second: Calls, choice: PointChoice, tested: HypothesisPlan) -> Rows:
    """Return the rows of two classifiers on the same cases."""
    first, second = calls.tabulated(first, second)
    apart = calls.share_differences(first, second, paired=True)
    if first.cases.cluster is not None:
        rows, both = _clustered(apart, tested)
    else:
        # Tests of tables: McNemar's for rates, Kosinski's (2013) for predictive values.
        rows = _paired_rates(first, second, choice, tested)
        both = point_tests.both_rates([rows[name] for name in RATES])
        for name, event in PREDICTIVE_VALUES.items():
            score = calls.predictive_score(first, second, apart[name], event=event)
            rows[name] = point_tests.predictive_difference(apart[name], score, tested)
    ratios = _ratios(first, second, tested, paired=True)
    return _chosen({**rows, "both_rates": both, **ratios}, tested)


def unpaired_rows(first: Calls, second: Calls, choice: PointChoice, tested: HypothesisPlan) -> Rows:
    """Return the rows of one classifier on two groups of cases."""
    # Each group by itself: the eight kinds of cases of a pair would need the same cases.
    (first, _), (second, _) = calls.tabulated(first, first), calls.tabulated(second, second)
    apart = calls.share_differences(first, second, paired=False)
    if first.cases.cluster is not None:
        rows, both = _clustered(apart, tested)
    else:
        rows = {
            name: point_tests.unpaired_share(apart[name], choice.test, tested)
            for name in paired_shares.SHARES
        }
        both = point_tests.both_rates([rows[name] for name in RATES])
    ratios = _ratios(first, second, tested, paired=False)
    return _chosen({**rows, "both_rates": both, **ratios}, tested)


def _clustered(
    apart: Mapping[paired_shares.ShareName, paired_shares.ShareDifference], tested: HypothesisPlan
) -> tuple[Rows, point_tests.PointComparison]:
    """Return the rows of shares of clustered cases, and of both rates together."""
    # A table of counts has no clusters: influence values are summed by cluster instead.
    method = "cluster-influence/wilson-mover"
    rows: Rows = {
        name: point_tests.share_difference(apart[name], tested, method)
        for name in paired_shares.SHARES
    }
    return rows, point_tests.both_shares([apart[name] for name in RATES])


def _paired_rates(first: Calls, second: Calls, choice: PointChoice, tested: HypothesisPlan) -> Rows:
    """Return the rows of the rates of two classifiers on the same independent cases."""
    positive = first.cases.is_positive
    tables: dict[paired_shares.ShareName, PairedTable] = {
        "tpr": calls.paired_table(first, second, among=positive, event=True),
        "tnr": calls.paired_table(first, second, among=~positive, event=False),
    }
    return {
        name: point_tests.paired_rate(table, choice.test, choice.interval, tested)
        for name, table in tables.items()
    }


def _chosen(rows: Rows, tested: HypothesisPlan) -> Rows:
    return {name: rows[name] for name in quantities(tested)}


def _ratios(first: Calls, second: Calls, tested: HypothesisPlan, *, paired: bool) -> Rows:
    # Gu & Pepe (2009), Moskowitz & Pepe (2006): the log of a ratio is nearer to normal.
    method = "influence/log" if first.cases.cluster is None else "cluster-influence/log"
    return {
        f"{name}_ratio": point_tests.ratio_of_shares(
            paired_shares.ratio(name, first.shares, second.shares, paired=paired), tested, method
        )
        for name in paired_shares.RATIOS
    }
