"""Make the cases of items that are right or wrong: ``python validation/items/make.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[2]))

from scipy import stats
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from validation.reference import Expected, as_limits, computed, write_case

RIGHT = """# 220 items, two models

Counts of items that both models, one alone or none has right. They give the P values of
lm-evaluation-harness, pull request 3868: .080 unpaired, .008 paired.

Source: Seabold S, Perktold J. statsmodels: econometric and statistical modeling with Python. 2010:
`mcnemar` (exact, asymptotic) and `proportion_confint` (Wilson); the mid-p value takes half of the
binomial probability of scipy off. All rows are `computed`.
"""
GRADED = """# Grades of two judges in unequal clusters, and without

Sixty simulated grades in fourteen passages.

Source: Seabold S, Perktold J. statsmodels: econometric and statistical modeling with Python. 2010:
`OLS` of the scores, and of their differences, on 1 with `cov_type="cluster"`; for independent items
`scipy.stats.ttest_rel`. Limits of clusters are t limits with the degrees of freedom of Carter,
Schnepel and Steigerwald (2017). All rows are `computed`.
"""


def rows_of_counts(both: int, first: int, second: int, neither: int) -> Iterator[Expected]:
    """Yield what statsmodels says about a table."""
    n, table = both + first + second + neither, [[both, first], [second, neither]]
    for name, right in (("large", both + first), ("small", both + second)):
        limits = proportion_confint(right, n, method="wilson")
        columns = {"estimate": right / n, **as_limits(limits)}
        yield from computed("accuracy", {"predictor": name}, columns)
    exact = float(mcnemar(table, exact=True).pvalue)
    chi = float(mcnemar(table, exact=False, correction=False).pvalue)
    # Two tails, of each of which half of the probability of the observed table is left out.
    mid = exact - float(stats.binom.pmf(second, first + second, 0.5))
    for test, p in (("exact", exact), ("asymptotic", chi), ("mid-p", mid)):
        yield from computed("compare_accuracy", {}, {"p_value": p}, test=test)


def rows_of_grades(
    scores: dict[str, npt.NDArray[Any]], cluster: npt.NDArray[np.intp] | None
) -> Iterator[Expected]:
    """Yield what statsmodels says about grades, and scipy without clusters."""
    first, second = scores.values()
    if cluster is None:
        test = stats.ttest_rel(first, second)
        columns = {"statistic": test.statistic, "df": test.df, "p_value": test.pvalue}
        limits = as_limits(test.confidence_interval())
        yield from computed("compare_accuracy", {}, {**columns, **limits})
        return
    options: dict[str, Any] = {"cov_type": "cluster", "cov_kwds": {"groups": cluster}}
    for name, score in scores.items():
        fit = OLS(score, np.ones(len(score))).fit(**options)
        columns = {"estimate": fit.params[0], "se": fit.bse[0]}
        yield from computed("accuracy", {"predictor": name}, columns)
    fit = OLS(first - second, np.ones(len(first))).fit(**options)
    sizes = np.bincount(cluster)
    df = float((sizes**2).sum() ** 2 / (sizes**4).sum() - 1)
    gap, se = float(fit.params[0]), float(fit.bse[0])
    columns = {"estimate": gap, "se": se, "df": df, "p_value": 2 * stats.t.sf(abs(gap / se), df)}
    limits = as_limits(stats.t.interval(0.95, df, gap, se))
    yield from computed("compare_accuracy", {}, {**columns, **limits})


def main() -> None:
    """Write all cases."""
    counts = (107, 32, 14, 67)
    made: dict[str, Any] = {"packages": ("statsmodels", "numpy", "scipy")}
    write_case(
        __file__,
        "models_220",
        study={"constructor": "ItemStudy", "score": ["large", "small"], "frequency": "n"},
        columns={"large": [1, 1, 0, 0], "small": [1, 0, 1, 0], "n": counts},
        expected=rows_of_counts(*counts),
        readme=RIGHT,
        **made,
    )
    rng = np.random.default_rng(41)
    cluster = np.repeat(np.arange(14), [12, 9, 8, 6, 5, 4, 4, 3, 3, 2, 1, 1, 1, 1])
    skill = rng.normal(size=14)[cluster] + rng.normal(size=60)
    scores = {
        name: np.clip(0.6 + 0.2 * skill + 0.1 * rng.normal(size=60), 0, 1).round(2)
        for name in ("rubric", "plain")
    }
    columns = {name: score.tolist() for name, score in scores.items()}
    for name, role, of in (
        ("grades_60", {}, None),
        ("grades_60_clusters", {"cluster": "passage"}, cluster),
    ):
        write_case(
            __file__,
            name,
            study={"constructor": "ItemStudy", "score": ["rubric", "plain"], **role},
            columns={**columns, "passage": cluster.tolist()},
            expected=rows_of_grades(scores, of),
            readme=GRADED,
            **made,
        )


if __name__ == "__main__":
    main()
