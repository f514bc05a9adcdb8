"""Simultaneous bands: of differences of two cost curves, and of decision curves (net benefit).

A cost curve is the lower envelope of the cost lines of the hull [drummond-2006]; each resample has
its hull. The band of a difference is at least as wide as one more discordant case on either side
gives [bonett-2012]. Bands of net benefit [vickers-2006] have equal precision over a range of risk
thresholds, of one predictor, of a pair, or beside treating all.
Derivations: docs/methods/costs.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.convex_hull import hulls_of
from rocstats.curves.costs import least_costs
from rocstats.curves.roc import RocPoints
from rocstats.curves.superiority import require_two_predictors
from rocstats.errors import require_open_interval
from rocstats.estimate.answers import (
    answer_columns,
    answerable_groups,
    class_size_columns,
    stacked_curve_columns,
)
from rocstats.estimate.bars import cluster_units
from rocstats.estimate.benefit import (
    BAND,
    DRAWS,
    benefit_band,
    net_benefit_band_df,
)
from rocstats.estimate.difference_bands import (
    GRID,
    CurveDifferences,
    DifferenceBand,
    difference_band,
    difference_band_columns,
)
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws, resolve_seed
from rocstats.estimate.resample_curves import hull_draws
from rocstats.facts.arrays import FloatArray, Limits
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, counts_only, estimate_columns
from rocstats.inference.costs.costs import cost_difference_limits, cost_floor
from rocstats.inference.costs.net_benefit import (
    RiskThresholds,
    Rules,
    benefit_of_rules,
    benefit_pairs,
    net_benefit_case_notes,
    read_net_benefit_thresholds,
)
from rocstats.study.base import warned_doubts
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import cluster_sizes
from rocstats.study.points import TREAT_ALL, read_increasing_rates, read_risk_range, require_points
from rocstats.study.sample import Sample

# --- Differences of cost curves -------------------------------------------------------------------

COST_DIFFERENCE_BAND = Question(
    "cost_difference_band",
    estimate_columns(
        "predictor reference group quantity probability_cost estimate ci_low ci_high "
        "confidence_level scope n_pos n_neg method note"
    ),
    ("drummond-2006", "horvath-2008", "bonett-2012"),
    # A weight is no case: neither the floor nor the resamples know how often it was seen.
    {"sample_weight": counts_only("cost_difference_band", "The band needs counts", "weights")},
)


def cost_difference_band(
    sample: Sample,
    *,
    reference: str | None = None,
    at: npt.ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return bands of differences of cost curves; a row is one pair at one probability cost.

    Parameters
    ----------
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    at : array-like of shape (g,), optional
        Probability costs in [0, 1], in increasing order. The default is 0 to 1 in steps of 0.005.
        The band is simultaneous over these values. A shorter range gives a narrower band, but must
        be chosen beforehand.
    confidence_level : float in (0, 1), default 0.95
        Probability that the band of a pair contains the true difference at all these probability
        costs.
    n_resamples : int >= 100, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, probability_cost, estimate, ci_low,
        ci_high, n_pos, n_neg, confidence_level, scope, method, note``. ``quantity`` is
        "normalized_cost_difference". ``estimate`` is the cost of the predictor minus the cost of
        the reference. It is negative if the predictor costs less. ``note`` is ``excludes-zero`` in
        rows where the band excludes 0. In these rows the costs differ. A group that lacks a class
        has no rows.

    Raises
    ------
    InputError
        If the study has only one predictor; if it has weights; or if an argument is invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``one-class``: a group lacks a class.
        - ``identical-predictors``: two predictors rank all cases in the same order.
        - ``few-clusters``: a class is in under 30 clusters.
        - ``few-cases-for-band``: a class has under 20 cases.

    Notes
    -----
    Let c = cost_fp / (cost_fp + cost_fn), and p the prevalence. The probability cost x = (1 - c) p
    / ((1 - c) p + c (1 - p)) summarises costs and prevalence. The probability cost equals p if both
    errors have the same cost. L(x) is the smallest value of x (1 - tpr) + (1 - x) fpr over all
    thresholds (see ``cost_curve``). D(x) = L1(x) - L2(x) is the difference of two predictors.

    The band is D -+ q s. Let D* be the difference in a resample that both curves share, at the best
    thresholds of this resample. The value s(x) is the larger of two standard deviations: the
    standard deviation of D* over resamples, and the standard deviation of paired proportions at the
    best thresholds of the sample (Bonett & Price). In each of B resamples, let M be the largest
    value of abs(D* - D)/s. The factor q is the ceil((B + 1) level)-th smallest value of M, but at
    least the normal quantile for a single x. Limits are cut at -+ min(x, 1 - x), the largest
    possible difference. Cases are resampled within their class; clusters are resampled as a whole.
    For clusters of unequal size, q is multiplied by the factor that widens the limits of a rate
    (see ``operating_points``). The larger factor of both classes is used.

    Both curves are optimistic, since they use the best thresholds for these cases. The difference
    is less optimistic. The optimism may differ between predictors, for example if one predictor has
    few distinct scores. In this situation, compare the predictors on new cases at fixed thresholds
    (``compare_costs``). Bands of several pairs are not adjusted for the number of pairs. A band
    that contains 0 everywhere does not prove equal costs.

    References
    ----------
    - Drummond & Holte (2006), cost curves [drummond-2006]
    - Horvath, Horvath & Zhou (2008), bootstrap bands of curves [horvath-2008]
    - Bonett & Price (2012), the lower bound of the width [bonett-2012]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([1, 0], 100)
    >>> study = rs.Study(y, {"good": 2 * y + rng.normal(size=200), "poor": rng.normal(size=200)})
    >>> band = study.cost_difference_band(at=[0.05, 0.5, 0.7], rng=1)
    >>> band["note"].tolist()
    ['', 'excludes-zero', 'excludes-zero']
    """
    COST_DIFFERENCE_BAND.refuse_covariates(sample)
    x = GRID if at is None else read_increasing_rates(at, what="probability costs")
    require_two_predictors(sample, "a difference of costs")
    draws = plan_draws(n_resamples, rng, progress)
    return difference_band(
        sample, COST_DIFFERENCE_BAND, _COST_DIFFERENCES, reference, x, confidence_level, draws
    )


def _resampled_costs(
    cases: ScoredCases, x: FloatArray, draws: ResamplePlan, g: int
) -> tuple[FloatArray, FloatArray]:
    # Drummond & Holte (2006): the lower envelope of the cost lines, of which the hull's vertices
    # suffice. Every resample has its own hull, so that the choice of threshold varies too.
    def read(hulls: Sequence[RocPoints]) -> FloatArray:
        return np.array([least_costs(hull, 1 - x, x) for hull in hulls])

    # Within the classes: the probability cost has the prevalence, which is not estimated here.
    return read(hulls_of(cases)), hull_draws(cases, read, draws.at(g)).values


def _cost_limits(gaps: CurveDifferences, confidence_level: float) -> Limits:
    floor = cost_floor(gaps.cases, gaps.pair, gaps.places)
    units = None if gaps.cases.cluster is None else cluster_units(cluster_sizes(gaps.cases))
    return cost_difference_limits(
        gaps.places, gaps.estimate, gaps.draws, floor, confidence_level, units
    )


_COST_DIFFERENCES = DifferenceBand(
    "normalized_cost", "probability_cost", _resampled_costs, _cost_limits
)


# --- Decision curves ------------------------------------------------------------------------------

NET_BENEFIT_BAND = Question(
    "net_benefit_band",
    estimate_columns(
        "predictor reference group quantity risk_threshold estimate ci_low ci_high"
        " confidence_level scope n_pos n_neg method note"
    ),
    ("vickers-2006", "pfeiffer-2020", "zou-2008"),
    {"sample_weight": counts_only("net_benefit_band", "The band needs counts", "weights")},
)


def net_benefit_band(
    sample: Sample,
    *,
    risk_threshold: tuple[float, float],
    reference: str | None = None,
    prevalence: float | None = None,
    n_points: int = 100,
    confidence_level: float = 0.95,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return simultaneous bands of decision curves; a row is one curve at one risk threshold.

    Parameters
    ----------
    risk_threshold : tuple of two floats in (0, 1)
        Lowest and highest risk threshold, chosen beforehand. The band is simultaneous over this
        range.
    reference : str, optional
        "treat-all" or a predictor: the bands are for differences from this rule or predictor. By
        default the bands are for the net benefit of each predictor.
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, as in ``net_benefit``.
    n_points : int from 2 to 1000, default 100
        Number of evenly spaced risk thresholds. If the range has fewer distinct scores than
        ``n_points``, these scores and the ends of the range are used.
    confidence_level : float in (0, 1), default 0.95
        Probability that a band contains the true curve at all risk thresholds of the frame.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the normal variables that are simulated for the quantile; the
        frame records a seed that reproduces them.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, risk_threshold, estimate, ci_low,
        ci_high, n_pos, n_neg, confidence_level, scope, method, note``. ``quantity`` is
        "net_benefit", or "net_benefit_difference" for differences. For net benefits, ``reference``
        is an empty text. ``note`` is ``excludes-zero`` if the band of a difference excludes 0. A
        group that lacks a class has no rows.

    Raises
    ------
    InputError
        If scores are not risks in [0, 1]; if the study has weights; or if an argument is invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.

    Notes
    -----
    The limits are computed as in ``net_benefit`` and ``compare_net_benefit``, but a larger value c
    replaces the normal quantile. Let Z be correlated normal variables, one for each risk threshold.
    Their correlation is the correlation of the influence values at these thresholds. Thresholds at
    which the influence values have variance 0 are left out. The value c is the quantile of the
    largest absolute value of Z. It is computed by integration for up to 6 thresholds, and by 10 000
    simulations for more thresholds. For a band of one predictor, or of its difference from
    "treat-all", the quantile of t with the same probability replaces c. The degrees of freedom of t
    are the smallest Satterthwaite value over the risk thresholds. Bands of several curves are not
    adjusted for the number of curves.

    Simulations had 100 to 2000 cases and prevalences of .3 to .01 (5 to 150 positives). Bands of
    net benefits contained the whole curve in .955 to .987 of samples. Bands of differences from
    treating all contained the whole curve in .953 to .972 of samples. With the normal quantile and
    5 to 10 positives, they contained it in .89 to .94 of samples. Bands of differences between
    predictors contained the whole curve in at least .961 of samples. MOVER bands are not published
    elsewhere and not peer-reviewed; the bands of Pfeiffer & Gail use resamples.

    References
    ----------
    - Vickers & Elkin (2006) [vickers-2006]
    - Pfeiffer & Gail (2020), bands [pfeiffer-2020]
    - Zou & Donner (2008), MOVER [zou-2008]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> study = rs.Study(y, [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1], predictor="risk")
    >>> band = study.net_benefit_band(risk_threshold=(0.15, 0.35), rng=1)
    >>> band[["risk_threshold", "estimate", "ci_low", "ci_high"]].round(3)
       risk_threshold  estimate  ci_low  ci_high
    0            0.15     0.229  -0.061    0.720
    1            0.20     0.200  -0.113    0.704
    2            0.30     0.214  -0.158    0.703
    3            0.35     0.092  -0.260    0.618
    """
    low, high = read_risk_range(risk_threshold)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    n_points = require_points(n_points, "risk thresholds")
    draws = ResamplePlan(DRAWS, resolve_seed(rng))
    NET_BENEFIT_BAND.require_roles(sample)
    curves: list[Rules] = [(k,) for k in range(len(sample.predictors))]
    if reference is not None:
        curves = benefit_pairs(sample, reference)
    risks = read_net_benefit_thresholds(
        sample, _risk_threshold_grid(sample, low, high, n_points), prevalence
    )
    codes = ["pooled-folds"] if sample.fold is not None else []
    found = [
        _benefit_band(part, group, rules, risks, confidence_level, draws.at(g, c))
        for g, group, part in answerable_groups(sample, codes)
        for c, rules in enumerate(curves)
    ]
    warn_of_doubts([*codes, *(code for _, notes in found for code in notes)], warned_doubts(sample))
    stacked = stacked_curve_columns if reference is None else difference_band_columns
    columns = stacked(NET_BENEFIT_BAND, [band for band, _ in found])
    return answer_columns(NET_BENEFIT_BAND, sample, columns, draws)


def _risk_threshold_grid(sample: Sample, low: float, high: float, n_points: int) -> FloatArray:
    """Return the risk thresholds: all at which calls change, if they are few, else even ones."""
    scores = sample.scores
    inside = np.unique(scores[(scores > low) & (scores < high)])
    if len(inside) + 2 < n_points:
        return np.concatenate([[low], inside, [high]])
    # 0.2 + 0.1 is above 0.3: twelve digits make a score of 0.3 reach the threshold 0.3.
    return np.unique(np.round(np.linspace(low, high, n_points), 12))


def _benefit_band(
    part: Sample,
    group: str,
    rules: Rules,
    risks: RiskThresholds,
    confidence_level: float,
    draws: ResamplePlan,
) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of the band of one curve, and its notes."""
    graded, names = risks.graded(part, rules)
    benefits = [benefit_of_rules(graded, rules, g, at) for g, at in enumerate(risks.stakes())]
    low, high = benefit_band(
        benefits, net_benefit_band_df(graded.cases, benefits), confidence_level, draws
    )
    notes = [*risks.codes(names), *net_benefit_case_notes(part, normal=False)]
    band = {
        "predictor": names[0],
        "reference": "" if len(rules) == 1 else [*names, TREAT_ALL][1],
        "group": group,
        "quantity": "net_benefit",
        "risk_threshold": risks.at,
        "estimate": np.array([benefit.value for benefit in benefits]),
        "ci_low": low,
        "ci_high": high,
        "confidence_level": confidence_level,
        "scope": "simultaneous",
        **class_size_columns(part),
        "method": BAND,
        "note": "; ".join(notes),
    }
    return band, notes
