"""Venkatraman's permutation tests of equal ROC curves, on the same cases or on two groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.estimate.answers import require_at_most_cases
from rocstats.estimate.claim import ADJUSTMENTS, Adjustment
from rocstats.estimate.compare import (
    ComparedAcross,
    ComparedRow,
    PairToCompare,
    comparison_frame,
    group_pairs,
    predictor_pairs,
)
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.permute import (
    RankedCases,
    labels_in_order,
    mean_label_of_each_tie_block,
    permutation_p_value,
    ranked_cases,
    two_sample_curve_distance,
    two_sample_curve_distance_draws,
    venkatraman_begg_distance,
    venkatraman_begg_draws,
)
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws
from rocstats.facts.tolerances import SAME
from rocstats.frame.question import ESTIMATE, TEST, Question, RoleRefusal, estimate_columns
from rocstats.study.base import require_cases
from rocstats.study.sample import Sample

COMPARE_CURVES = Question(
    "compare_curves",
    estimate_columns(
        f"predictor reference group quantity {ESTIMATE} {TEST} p_adjusted "
        "hypothesis n_pos n_neg n_resamples method note"
    ),
    ("venkatraman-1996", "venkatraman-2000", "holm-1979"),
    # A permutation exchanges whole cases: a weight is not a number of them.
    {
        "sample_weight": RoleRefusal(
            "stay None for a permutation of cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)
# Each permutation goes through all cases, not distinct scores: 10^4 of 10^7 cases take hours.
_MOST_PERMUTED_CASES = 10_000_000


def compare_curves(
    sample: Sample,
    *,
    reference: str | None = None,
    across: ComparedAcross = "predictors",
    method: Literal["venkatraman"] = "venkatraman",
    adjust: Adjustment = "holm",
    n_resamples: int = 9999,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return permutation tests of equal ROC curves; a row is one pair of predictors (or groups).

    Parameters
    ----------
    reference : str, optional
        Predictor (or group) to compare all others with; default: every pair, earlier minus later.
    across : {"predictors", "groups"}, default "predictors"
        Comparison to make.

        - "predictors": predictors on the same cases (paired), in each group.
        - "groups": independent groups, for each predictor (unpaired).
    method : {"venkatraman"}, default "venkatraman"
        Name of the test; there is one test.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame.
    n_resamples : int >= 99, default 9999
        Number of permutations.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the permutations; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        n_resamples, method, note``. ``quantity`` is "curve_distance", which has no interval (see
        Notes). Across groups, ``group`` and ``reference`` are the two groups, and ``n_pos`` and
        ``n_neg`` are sums over both.

    Raises
    ------
    InputError
        If there is nothing to compare; if a name or option is unknown; if the study has weights; or
        if the compared groups have clusters or lack a class.

    Warns
    -----
    StatisticalWarning
        - ``identical-predictors``: two predictors rank all cases in the same order.
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.

    Notes
    -----
    Paired: each predictor ranks the N cases. For a cut after k cases, let e_k be the number of
    errors of the predictor, and f_k the number of errors of the reference. Errors are positives at
    or below the cut and negatives above the cut. The statistic E is the sum over k of abs(e_k -
    f_k). The estimate E/N^2 is the mean absolute difference of the error rates over all cuts. A
    permutation exchanges the two ranks of a case with probability 1/2; then the cases are ranked
    again. With clusters, the ranks of all cases of a cluster are exchanged together. The p value is
    (1 + c)/(B + 1), where c of the B permutations have a statistic of at least E.

    Unpaired: let kappa be the share of positives in both groups together. In each group, let F and
    G be the distribution functions of the scores of positives and of negatives. The test compares
    the error rates kappa F + (1 - kappa)(1 - G) of both groups at equal values of s = kappa F +
    (1 - kappa) G. The estimate and the statistic are both the integral of the absolute difference
    over s. A permutation moves cases between groups within their class. Each case keeps the value s
    of its original group.

    The null hypothesis is equality of the whole curves, not of the areas. The test can detect
    crossing curves of equal area. Increasing transformations of the scores do not change the test.
    The test is approximate, since ranks replace the different scales of the predictors. For tied
    cases the expected number of errors is used, as if ties were broken at random. Estimate and
    statistic therefore do not depend on the seed. A row with frequency f counts as f cases. Folds
    are pooled; their scores are assumed to be comparable.

    References
    ----------
    - Venkatraman & Begg (1996) [venkatraman-1996]
    - Venkatraman (2000) [venkatraman-2000]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> found = study.compare_curves(n_resamples=999, rng=1)
    >>> found[["predictor", "reference", "p_value", "method"]]
      predictor reference  p_value                   method
    0      area   texture    0.001  venkatraman/permutation
    """
    method = require_choice("method", method, ("venkatraman",))
    across = require_choice("across", across, get_args(ComparedAcross))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    # 99 permutations are the fewest whose p value can reach 0.01; 9999 leave p = 0.05 an error of
    # 0.002.
    draws = plan_draws(n_resamples, rng, progress, least=99, advised=9999)
    if across == "predictors":
        require_cases(sample, "a comparison of predictors")
    COMPARE_CURVES.require_roles(sample)
    what, instead = "permutations of single cases", "Compare areas, or pass fewer cases."
    require_at_most_cases(sample.n_pos + sample.n_neg, _MOST_PERMUTED_CASES, what, instead)
    differences = (
        _curve_distances_of_groups if across == "groups" else _curve_distances_of_predictors
    )
    return comparison_frame(
        COMPARE_CURVES, sample, adjust, differences(sample, reference, draws), draws=draws
    )


# --- Predictors on the same cases -----------------------------------------------------------------


def _curve_distances_of_predictors(
    sample: Sample, reference: str | None, plan: ResamplePlan
) -> Iterator[ComparedRow]:
    """Yield the distance of the curves of each pair of predictors in each group."""
    ranked: dict[int, RankedCases] = {}
    for pair in predictor_pairs(sample, sample.predictors, reference):
        (i, j), g, part = pair.predictors, pair.groups[0], pair.samples[0]
        if pair.lacks_class:
            yield _curve_distance_columns(pair, 0), undefined_result("one-class"), pair.codes()
            continue
        if g not in ranked:
            ranked[g] = ranked_cases(part.cases, range(len(sample.predictors)))
        result = _paired_curve_test(ranked[g], i, j, plan.at(g))
        if np.array_equal(part.cases.codes(i), part.cases.codes(j)):
            result = result._replace(codes=("identical-predictors", *result.codes))
        yield _curve_distance_columns(pair, plan.n_resamples), result, pair.codes()


def _paired_curve_test(cases: RankedCases, i: int, j: int, plan: ResamplePlan) -> Result:
    """Return E/N^2, E = sum over cuts k of abs(e_k - e'_k), with its test [venkatraman-1996]."""
    observed = venkatraman_begg_distance(cases.is_positive, cases.ranks[i], cases.ranks[j])
    draws = venkatraman_begg_draws(
        cases.is_positive, cases.ranks[i], cases.ranks[j], plan, unit=cases.unit
    )
    # Shares within ties may round: the tolerance counts equal distances as reached.
    n_as_far = int(np.count_nonzero(draws >= observed * (1 - SAME)))
    p = permutation_p_value(n_as_far, plan.n_resamples)
    return _curve_distance_result(observed / len(cases.is_positive) ** 2, observed, p)


# --- Groups ---------------------------------------------------------------------------------------


def _curve_distances_of_groups(
    sample: Sample, reference: str | None, plan: ResamplePlan
) -> Iterator[ComparedRow]:
    """Yield the distance of the curves of each pair of groups for each predictor."""
    # Venkatraman (2000) moves single cases between the groups, which would tear clusters apart.
    if sample.cluster is not None:
        raise InputError(
            "`cluster` must stay None when groups are compared, because the test moves single"
            " cases between groups; got a study with cluster=. Compare areas, or keep one case"
            " of each cluster."
        )
    for pair in group_pairs(sample, sample.predictors, reference):
        ranked = [
            ranked_cases(part.cases, [k])
            for part, k in zip(pair.samples, pair.predictors, strict=True)
        ]
        result = _two_sample_curve_test(ranked, plan.at(pair.predictors[0]))
        yield _curve_distance_columns(pair, plan.n_resamples), result, pair.codes()


def _two_sample_curve_test(groups: Sequence[RankedCases], plan: ResamplePlan) -> Result:
    """Return the integral of the distance of two curves, with its test [venkatraman-2000].

    At equal s = kappa F + (1 - kappa) G the distance is that of kappa F + (1 - kappa)(1 - G).
    """
    first, second = (labels_in_order(cases) for cases in groups)
    prevalence = float(np.mean(np.concatenate([first[0], second[0]])))
    observed = two_sample_curve_distance(
        mean_label_of_each_tie_block(*first), mean_label_of_each_tie_block(*second), prevalence
    )
    draws = two_sample_curve_distance_draws(first, second, prevalence, plan)
    # Equal distances may differ by the order of summation: the tolerance counts them as reached.
    n_as_far = int(np.count_nonzero(draws >= observed - SAME))
    return _curve_distance_result(
        observed, observed, permutation_p_value(n_as_far, plan.n_resamples)
    )


# --- Rows -----------------------------------------------------------------------------------------


def _curve_distance_columns(pair: PairToCompare, n_resamples: int) -> dict[str, Any]:
    return {
        **pair.columns(),
        "quantity": "curve_distance",
        "null_value": 0.0,
        "hypothesis": "two-sided",
        "n_resamples": n_resamples,
    }


def _curve_distance_result(estimate: float, statistic: float, p: float) -> Result:
    return Result(
        estimate,
        statistic=statistic,
        p_value=p,
        method="venkatraman/permutation",
        codes=("no-interval",),
    )
