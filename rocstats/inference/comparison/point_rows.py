"""The quantities in which two operating points are compared, on the same cases or on two groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rocstats.stats.comparison.calls import (
    Calls,
    paired_table,
    predictive_score,
    share_differences,
    tabulated,
)
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.paired_shares import (
    RATIOS,
    SHARES,
    ShareDifference,
    ShareName,
    ratio,
)
from rocstats.stats.comparison.paired_table import PairedTable, PairedTest
from rocstats.stats.comparison.point_tests import (
    PairedInterval,
    PointComparison,
    both_rates,
    both_shares,
    is_plain,
    paired_rate,
    predictive_difference,
    ratio_of_shares,
    share_difference,
    unpaired_share,
)

# The calls among which a predictive value is the share that is right: positive or not.
PREDICTIVE_VALUES: dict[ShareName, bool] = {"ppv": True, "npv": False}
RATES: tuple[ShareName, ShareName] = ("tpr", "tnr")
# The numbers of each quantity, in order of print.
Rows = dict[str, PointComparison]


class PointChoice(NamedTuple):
    """The test and the interval of independent cases."""

    test: PairedTest
    interval: PairedInterval


def quantities(asked: HypothesisPlan) -> tuple[str, ...]:
    """Return the quantities of the rows of a pair: with a margin, rates alone."""
    # Margins of predictive values would depend on the prevalence, those of ratios on their scale.
    if not is_plain(asked):
        return RATES
    # Both rates together make a chi-square, which has no side.
    both = ("both_rates",) if asked.alternative == "two-sided" else ()
    return (*RATES, *both, *PREDICTIVE_VALUES, *(f"{name}_ratio" for name in RATIOS))


def paired_rows(first: Calls, second: Calls, choice: PointChoice, asked: HypothesisPlan) -> Rows:
    """Return the rows of two classifiers on the same cases."""
    first, second = tabulated(first, second)
    apart = share_differences(first, second, paired=True)
    if first.cases.cluster is not None:
        rows, both = _clustered(apart, asked)
    else:
        # Tests of tables: McNemar's for rates, Kosinski's (2013) for predictive values.
        rows = _paired_rates(first, second, choice, asked)
        both = both_rates([rows[name] for name in RATES])
        for name, event in PREDICTIVE_VALUES.items():
            score = predictive_score(first, second, apart[name], event=event)
            rows[name] = predictive_difference(apart[name], score, asked)
    ratios = _ratios(first, second, asked, paired=True)
    return _chosen({**rows, "both_rates": both, **ratios}, asked)


def unpaired_rows(first: Calls, second: Calls, choice: PointChoice, asked: HypothesisPlan) -> Rows:
    """Return the rows of one classifier on two groups of cases."""
    # Each group by itself: the eight kinds of cases of a pair would need the same cases.
    (first, _), (second, _) = tabulated(first, first), tabulated(second, second)
    apart = share_differences(first, second, paired=False)
    if first.cases.cluster is not None:
        rows, both = _clustered(apart, asked)
    else:
        rows = {name: unpaired_share(apart[name], choice.test, asked) for name in SHARES}
        both = both_rates([rows[name] for name in RATES])
    ratios = _ratios(first, second, asked, paired=False)
    return _chosen({**rows, "both_rates": both, **ratios}, asked)


def _clustered(
    apart: Mapping[ShareName, ShareDifference], asked: HypothesisPlan
) -> tuple[Rows, PointComparison]:
    """Return the rows of shares of clustered cases, and of both rates together."""
    # A table of counts has no clusters: influence values are summed by cluster instead.
    method = "cluster-influence/wilson-mover"
    rows: Rows = {name: share_difference(apart[name], asked, method) for name in SHARES}
    return rows, both_shares([apart[name] for name in RATES])


def _paired_rates(first: Calls, second: Calls, choice: PointChoice, asked: HypothesisPlan) -> Rows:
    """Return the rows of the rates of two classifiers on the same independent cases."""
    positive = first.cases.is_positive
    tables: dict[ShareName, PairedTable] = {
        "tpr": paired_table(first, second, among=positive, event=True),
        "tnr": paired_table(first, second, among=~positive, event=False),
    }
    return {
        name: paired_rate(table, choice.test, choice.interval, asked)
        for name, table in tables.items()
    }


def _chosen(rows: Rows, asked: HypothesisPlan) -> Rows:
    return {name: rows[name] for name in quantities(asked)}


def _ratios(first: Calls, second: Calls, asked: HypothesisPlan, *, paired: bool) -> Rows:
    # Gu & Pepe (2009), Moskowitz & Pepe (2006): the log of a ratio is nearer to normal.
    method = "influence/log" if first.cases.cluster is None else "cluster-influence/log"
    return {
        f"{name}_ratio": ratio_of_shares(
            ratio(name, first.shares, second.shares, paired=paired), asked, method
        )
        for name in RATIOS
    }
