"""Areas of learners compared over the folds of one data set, and over several data sets.

Tests: the corrected resampled t of Nadeau and Bengio [nadeau-2003] over folds; Wilcoxon's signed
ranks and Friedman's mean ranks over data sets [demsar-2006].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    HypothesisPlan,
    add_adjusted_p_values_to_rows,
    hypothesis_columns,
    index_pairs,
    read_hypothesis,
)
from rocstats.estimate.estimate import Result, wald_result
from rocstats.estimate.quantiles import Alternative
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import SAME
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.columns import Columns, require_equal_rows
from rocstats.study.vectors import (
    Vector,
    dense_array_of_sparse_matrix,
    describe_rows,
    read_scores,
    read_vector,
    require_unique,
)

# --- Question: folds of one data set --------------------------------------------------------------

COMPARE_LEARNERS = Question(
    "compare_learners",
    estimate_columns(
        f"predictor reference quantity {ESTIMATE} {TEST} p_adjusted hypothesis n_folds method note"
    ),
    ("nadeau-2003", "bouckaert-2004", "holm-1979"),
)


def compare_learners(
    areas: Any,
    *,
    n_train: float,
    n_test: float,
    reference: str | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of learners over resampled folds; a row is one pair of learners.

    Parameters
    ----------
    areas : dict or dataframe of columns, or array-like of shape (n_folds, n_learners)
        Area of each learner (column) in each test fold (row), with all repeats below one another.
        All learners must have the same training and test folds.
    n_train, n_test : float > 0
        Numbers of cases in a training set and in a test fold. Only the ratio matters: use 9 and 1
        for 10 folds.
    reference : str, optional
        Learner to compare all others with; default: every pair, earlier minus later.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests learner minus reference > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, quantity, estimate, ci_low, ci_high, p_value, p_adjusted,
        se, statistic, df, n_folds, confidence_level, null_value, hypothesis, method, note``.
        ``quantity`` is "auc_difference". ``predictor`` and ``reference`` are learners; without
        ``reference`` the earlier learner is the predictor.

    Raises
    ------
    InputError
        If there are fewer than two learners or folds; if columns differ in length or index; if an
        area is missing or outside [0, 1]; or if an option or number is invalid.

    Warns
    -----
    StatisticalWarning
        If the differences do not vary (``identical-areas``, ``no-variance``).

    Notes
    -----
    t = (d - null)/sqrt((1/K + n_test/n_train) s^2) has K - 1 degrees of freedom. Here d and s^2 are
    the mean and the variance of the K differences. The ordinary t test has only the term 1/K. It
    rejects far too often, since training sets overlap. The correction assumes the correlation
    n_test/(n_test + n_train) between two folds. This is a heuristic with good simulated size for
    random splits and repeated cross-validation.

    The test is about learners trained on samples of this size from this population. For two fixed
    models, or for the cross-validated area on these cases, use ``compare_auc`` of a study with
    ``fold=``. The variance of ``compare_auc`` is over cases. More repeats hardly reduce the
    variance of d, because the term n_test/n_train remains.

    References
    ----------
    - Nadeau & Bengio (2003) [nadeau-2003]
    - Bouckaert & Frank (2004) [bouckaert-2004]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> areas = {"forest": [0.91, 0.88, 0.93, 0.90], "tree": [0.86, 0.85, 0.91, 0.83]}
    >>> frame = rs.compare_learners(areas, n_train=3, n_test=1)
    >>> frame[["predictor", "reference", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      predictor reference  estimate  ci_low  ci_high  p_value
    0    forest      tree     0.043  -0.011    0.096    0.087
    """
    names, values = _read_learner_areas(areas)
    plan = read_hypothesis("difference", None, alternative, null_value, confidence_level)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    for argument, number in (("n_train", n_train), ("n_test", n_test)):
        require_open_interval(argument, number, 0, np.inf)
    about = {"quantity": "auc", **hypothesis_columns(plan), "n_folds": len(values)}
    rows = []
    for i, j in index_pairs(names, reference):
        known = {"predictor": names[i], "reference": names[j], **about}
        difference = _corrected_resampled_t_test(values[:, i] - values[:, j], n_train, n_test, plan)
        rows.append(answer_row_of_result(COMPARE_LEARNERS, known, difference, []))
    add_adjusted_p_values_to_rows(rows, adjust)
    return estimate_frame(COMPARE_LEARNERS, rows, grouped=False)


# --- Question: several data sets ------------------------------------------------------------------

COMPARE_OVER_DATASETS = Question(
    "compare_over_datasets",
    estimate_columns(
        f"predictor reference quantity {ESTIMATE} {TEST} p_adjusted hypothesis "
        "mean_rank reference_mean_rank n_datasets method note"
    ),
    ("demsar-2006", "wilcoxon-1945", "friedman-1937", "holm-1979"),
)


def compare_over_datasets(
    areas: Any,
    *,
    reference: str | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of learners over data sets; a row is one pair, or Friedman's test.

    Parameters
    ----------
    areas : dict or dataframe of columns, or array-like of shape (n_datasets, n_learners)
        Area of each learner (column) on each data set (row), such as a mean over folds.
    reference : str, optional
        Learner to compare all others with; default: every pair, earlier minus later.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the tests of pairs: "greater" tests learner minus reference > 0.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all pairs; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; the true coverage is at least this level.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, quantity, estimate, ci_low, ci_high, p_value, p_adjusted,
        se, statistic, df, mean_rank, reference_mean_rank, n_datasets, confidence_level, null_value,
        hypothesis, method, note``. ``quantity`` is "auc_difference". With three or more learners
        the first row is Friedman's test of all learners (``predictor`` "all"). Its p value is not
        adjusted. ``se`` is NaN, since the signed rank test has no standard error. ``statistic`` and
        ``df`` belong to Friedman's test.

    Raises
    ------
    InputError
        If there are fewer than two learners or data sets; if columns differ in length or index; if
        an area is missing or outside [0, 1]; or if an option is unknown.

    Warns
    -----
    StatisticalWarning
        If two learners have the same areas (``identical-areas``); if nearly all differences are the
        same (``no-variance``: there is a p value but no limits); or if there are too few data sets
        for an interval (``unattainable-level``).

    Notes
    -----
    Data sets are the units, and must be independent. Results apply to other data sets like these.
    Pairs are compared by Wilcoxon's exact signed rank test, with mid-ranks for ties. Zero
    differences are ranked and then omitted (Pratt). The test assumes differences that are symmetric
    about their median. The estimate is the median of all pairwise means of differences (Hodges &
    Lehmann). Its limits invert the signed rank test, with the distribution of the test statistic
    for data without ties. Friedman's chi-square uses ranks within data sets, with the usual
    correction for ties. It is a rough approximation for fewer than about ten data sets.

    The test of a pair uses only the differences of this pair. In a test of mean ranks, other
    learners would influence the comparison.

    References
    ----------
    - Demsar (2006) [demsar-2006]
    - Wilcoxon (1945) [wilcoxon-1945]
    - Friedman (1937) [friedman-1937]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> areas = {
    ...     "forest": [0.91, 0.78, 0.83, 0.95, 0.71, 0.88, 0.80],
    ...     "tree": [0.86, 0.75, 0.82, 0.89, 0.67, 0.86, 0.73],
    ... }
    >>> frame = rs.compare_over_datasets(areas)
    >>> frame[["predictor", "reference", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      predictor reference  estimate  ci_low  ci_high  p_value
    0    forest      tree      0.04    0.02     0.06    0.016
    """
    names, values = _read_learner_areas(areas)
    plan = read_hypothesis("difference", None, alternative, 0.0, confidence_level)
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    # Demsar 2006: mean ranks show the order of all learners; they do not enter the pairs' tests.
    mean_ranks = learner_ranks_by_row(values).mean(axis=0).tolist()
    about = {"quantity": "auc", **hypothesis_columns(plan), "n_datasets": len(values)}
    rows = []
    for i, j in index_pairs(names, reference):
        known = {
            "predictor": names[i],
            "reference": names[j],
            **about,
            "mean_rank": mean_ranks[i],
            "reference_mean_rank": mean_ranks[j],
        }
        difference = _signed_rank(values[:, i] - values[:, j], plan)
        rows.append(answer_row_of_result(COMPARE_OVER_DATASETS, known, difference, []))
    add_adjusted_p_values_to_rows(rows, adjust)
    # Of two learners Friedman's test is the sign test, weaker than the signed ranks of the pair.
    if len(names) > 2:
        statistic, df, p = friedman_test(values)
        test = Result(np.nan, statistic=statistic, df=df, p_value=p, method="friedman/chi2")
        known = {
            "predictor": "all",
            "reference": "",
            **about,
            "confidence_level": np.nan,
            "hypothesis": "two-sided",
            "p_adjusted": p,
        }
        rows.insert(0, answer_row_of_result(COMPARE_OVER_DATASETS, known, test, []))
    return estimate_frame(COMPARE_OVER_DATASETS, rows, grouped=False)


# --- Areas of the learners, a row for each fold or data set ---------------------------------------


def _read_learner_areas(areas: Any) -> tuple[list[str], FloatArray]:
    """Return the names of the k learners and their areas, shape (n, k), in [0, 1]."""
    names, vectors = _read_learner_columns(areas)
    if len(names) < 2:
        raise InputError(
            f"`areas` must have a column for each of two or more learners; got {len(names)}."
            " Pass a dict or a dataframe of columns."
        )
    require_equal_rows(vectors)
    values = np.column_stack([read_scores(vector) for vector in vectors])
    if len(values) < 2:
        raise InputError(
            f"`areas` must have at least 2 rows; got {len(values)}."
            " Pass a row for each fold, or each data set."
        )
    wrong = ~((values >= 0) & (values <= 1))  # NaN too
    if wrong.any():
        row, column = (int(i[0]) for i in np.nonzero(wrong))
        where = describe_rows([row], vectors[0].index)
        raise InputError(
            "`areas` must be numbers in [0, 1], without missing values; got"
            f" {values[row, column]:g} in {where} of {names[column]!r} (wrong values:"
            f" {int(wrong.sum())}). Leave out rows with a missing area."
        )
    return names, values


def _read_learner_columns(areas: Any) -> tuple[list[str], list[Vector]]:
    """Return the names of the learners and their columns, from a table or a matrix."""
    areas = dense_array_of_sparse_matrix(areas)
    if isinstance(areas, Mapping) or hasattr(areas, "columns"):
        columns = Columns(areas, "areas")
        require_unique(columns.names, "areas")
        return columns.names, [columns.column(name, "areas") for name in columns.names]
    try:
        matrix = np.asarray(areas)
    except ValueError:
        matrix = np.asarray(())
    if matrix.ndim != 2:
        raise InputError(
            f"`areas` must be a dict or a dataframe of columns, or two-dimensional; got"
            f" {type(areas).__name__}. Pass a column for each learner."
        )
    names = [f"learner_{k + 1}" for k in range(matrix.shape[1])]
    return names, [read_vector(matrix[:, k], "areas") for k in range(matrix.shape[1])]


# --- Corrected resampled t [nadeau-2003] ----------------------------------------------------------


def _corrected_resampled_t_test(
    differences: FloatArray, n_train: float, n_test: float, plan: HypothesisPlan
) -> Result:
    """Return the corrected resampled t test of Nadeau & Bengio (2003), with limits in [-1, 1]."""
    estimate, se = float(differences.mean()), corrected_resampled_se(differences, n_train, n_test)
    # Folds that all differ by the same amount have no t; p = 1 only if that amount is 0.
    if se == 0:
        same = not np.any(np.abs(differences) > SAME)
        p = 1.0 if same and plan.is_plain else np.nan
        code = "identical-areas" if same else "no-variance"
        return Result(estimate, se, p_value=p, codes=(code,))
    df = len(differences) - 1.0
    found = wald_result(estimate, se, plan, "corrected-resampled", (-1.0, 1.0), df)
    return found._replace(method="corrected-resampled/t")


def corrected_resampled_se(differences: FloatArray, n_train: float, n_test: float) -> float:
    """Return the standard error of a mean over resampled folds (Nadeau & Bengio 2003)."""
    # sqrt((1/K + n_test/n_train) s^2): 1/K alone would take the folds as independent, though their
    # training sets overlap (docs/methods/learners.md, "Overlapping training sets").
    spread = float(np.var(differences, ddof=1))
    if spread <= SAME**2:
        return 0.0
    return float(np.sqrt((1 / len(differences) + n_test / n_train) * spread))


# --- Signed ranks [wilcoxon-1945], zeros by Pratt, limits by Hodges and Lehmann -------------------

# Differences of areas that are equal on paper differ by rounding. Rounded to the digits of SAME
# they tie, as ranks require.
_TIED_DIGITS = 12


def _signed_rank(differences: FloatArray, plan: HypothesisPlan) -> Result:
    """Return Wilcoxon's exact signed rank test, with limits from the Walsh averages."""
    # Without a difference there is no rank, and every sign is as good.
    if not np.any(np.abs(differences) > SAME):
        return Result(0.0, p_value=1.0, codes=("identical-areas",))
    estimate, low, high = walsh_interval(differences, plan.confidence_level, plan.alternative)
    # With 5 data sets the least two-sided p value is 2/32: no 95% limits, the ends are infinite.
    open_end = not np.isfinite([low, high]).all() and plan.alternative == "two-sided"
    codes = ("unattainable-level",) if open_end else ()
    # Differences that are nearly all alike: order statistics of their means are one value.
    if high - low <= SAME:
        low, high, codes = np.nan, np.nan, ("no-variance",)
    return Result(
        estimate,
        ci_low=float(np.maximum(low, -1.0)),
        ci_high=float(np.minimum(high, 1.0)),
        p_value=signed_rank_p_value(differences, plan.alternative),
        method="signed-rank/exact",
        codes=codes,
    )


def signed_rank_p_value(differences: FloatArray, alternative: Alternative) -> float:
    """Return the exact p value of the signed rank sum with ties and zeros (Pratt).

    Under the null hypothesis each sign has probability 1/2; two-sided is twice the smaller tail.
    """
    from scipy.stats import rankdata

    rounded = np.where(np.abs(differences) < SAME, 0.0, np.round(differences, _TIED_DIGITS))
    # Doubled mid-ranks are whole, so that the distribution is an array over sums. Zeros have ranks,
    # and are left out (Pratt).
    doubled = np.round(2 * rankdata(np.abs(rounded))).astype(np.intp)
    mass = _signed_rank_sum_distribution(doubled[rounded != 0])
    observed = int(doubled[rounded > 0].sum())
    upper, lower = float(mass[observed:].sum()), float(mass[: observed + 1].sum())
    p = {"greater": upper, "less": lower, "two-sided": 2 * min(upper, lower)}[alternative]
    return min(1.0, p)


def walsh_interval(
    differences: FloatArray, confidence_level: float, alternative: Alternative
) -> tuple[float, float, float]:
    """Return the median of all pairwise means (Hodges & Lehmann) and its limits.

    The limits invert the signed rank test without ties; they are infinite where no rank sum
    reaches the level.
    """
    # The rank sum is the number of positive pairwise means (Walsh averages; Tukey): limits are
    # order statistics of these.
    n = len(differences)
    first, second = np.triu_indices(n)
    means = np.sort((differences[first] + differences[second]) / 2)
    tail = (1 - confidence_level) / (2 if alternative == "two-sided" else 1)
    below = np.cumsum(_signed_rank_sum_distribution(np.arange(1, n + 1)))
    cut = int(np.count_nonzero(below <= tail + SAME))
    low, high = (means[cut - 1], means[-cut]) if cut else (-np.inf, np.inf)
    low = -np.inf if alternative == "less" else float(low)
    high = np.inf if alternative == "greater" else float(high)
    return float(np.median(means)), low, high


def _signed_rank_sum_distribution(weights: IntArray) -> FloatArray:
    """Return the distribution of a sum that has each weight with probability 1/2."""
    # Halved at every step: counts of subsets would pass 2^53 with more than 53 weights.
    mass = np.zeros(int(weights.sum()) + 1)
    mass[0], reached = 1.0, 0
    for weight in weights.tolist():
        reached += weight
        mass[weight : reached + 1] += mass[: reached + 1 - weight].copy()
        mass[: reached + 1] /= 2
    return mass


# --- Friedman's test of mean ranks [friedman-1937] ------------------------------------------------


def friedman_test(areas: FloatArray) -> tuple[float, float, float]:
    """Return Friedman's chi-square of n x k areas, corrected for ties, its df and p value."""
    ranks = learner_ranks_by_row(areas)
    n, k = areas.shape
    spread = float(np.sum((ranks - (k + 1) / 2) ** 2)) / (n * (k - 1))
    # Friedman 1937; dividing by the spread of the mid-ranks corrects for ties.
    if spread == 0:
        return 0.0, k - 1.0, 1.0
    statistic = n * float(np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2)) / spread
    return statistic, k - 1.0, float(sp.chdtrc(k - 1, statistic))


def learner_ranks_by_row(areas: FloatArray) -> FloatArray:
    """Return the rank of each learner in each row, the largest area having rank 1."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-np.round(areas, _TIED_DIGITS), axis=1))
