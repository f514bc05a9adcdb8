"""The cutpoints chosen in resamples, which show how stable the chosen threshold is [efron-1993].

``CutpointRule`` is how a cutpoint is chosen: ``cutpoints`` and ``cutpoint_draws`` choose it alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from rocstats.curves.average import vertex_at
from rocstats.curves.criteria import (
    THRESHOLDS_AT,
    AlikeThresholds,
    Criterion,
    CriterionName,
    CutpointRequest,
    OwnCriterion,
    ThresholdAt,
    make_criterion,
    read_asked,
    read_criterion,
    reported_at,
)
from rocstats.curves.roc import RocPoints, roc_points
from rocstats.errors import require_choice
from rocstats.estimate.answers import answer_columns, answerable_predictors
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws
from rocstats.estimate.resample_cutpoints import CutpointDraws, draw_cutpoints
from rocstats.facts.arrays import FloatArray
from rocstats.frame.make import Labels, warn_of
from rocstats.frame.question import Question, columns_in, counts_only
from rocstats.study.base import row_codes, said_of
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample

CUTPOINT_DRAWS = Question(
    "cutpoint_draws",
    columns_in("predictor group criterion resample direction threshold next_score fpr tpr note"),
    ("efron-1993",),
    # A resample counts cases; weights of cases are not counts.
    {"sample_weight": counts_only("cutpoint_draws", "Resamples are of cases", "weights")},
)


def cutpoint_draws(
    sample: Sample,
    criterion: CriterionName | OwnCriterion = "youden",
    *,
    tpr: float | None = None,
    fpr: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    prevalence: float | None = None,
    threshold_at: ThresholdAt = "midpoint",
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the cutpoints chosen in resamples; a row is one resample of one predictor.

    Parameters
    ----------
    criterion : str or callable, default "youden"
        Optimised criterion, as in ``cutpoints``.
    tpr, fpr : float in (0, 1), optional
        The rate that "fixed-tpr" or "fixed-fpr" needs; refused elsewhere.
    cost_fp, cost_fn : float > 0, optional
        Costs of a false positive and of a false negative, for "cost".
    prevalence : float in (0, 1), optional
        Share of positives where the rule will be used, for "cost"; default that of the sample.
    threshold_at : {"midpoint", "observed"}, default "midpoint"
        Which of the thresholds that decide alike in a resample is given, as in ``cutpoints``.
    n_resamples : int >= 100, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], criterion, resample, direction, threshold, next_score, fpr,
        tpr, note``: the draws behind ``cutpoints`` with the same seed. The rates are those in the
        resample, and optimistic. ``note`` has ``blocked-resamples`` where blocks of neighbouring
        scores were resampled, see ``cutpoints``. A group that lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is not possible, or the study has weights.

    Notes
    -----
    Cases are resampled within their class, clusters whole. A threshold is midway between two
    neighbouring scores of the resample (or is the observed score, see ``threshold_at``), or
    infinite where a resample calls nobody positive. ``plot_cutpoint_draws`` shows the distribution;
    several separate peaks mean that the curve has several points of nearly equal value.

    References
    ----------
    - Efron & Tibshirani (1993), An Introduction to the Bootstrap [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.cutpoint_draws(rng=1)["threshold"].value_counts(normalize=True).round(2).to_dict()
    {4.0: 0.58, 5.0: 0.35, 3.0: 0.06, 2.0: 0.01}
    """
    criterion = read_criterion(criterion)
    request = read_asked(
        criterion, tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence
    )
    CUTPOINT_DRAWS.require_roles(sample)
    threshold_at = require_choice("threshold_at", threshold_at, THRESHOLDS_AT)
    rule = CutpointRule(criterion, request, threshold_at)
    plan = plan_draws(n_resamples, rng, progress)
    texts: list[tuple[str, str, str, str]] = []
    numbers = []
    lacking: list[str] = []
    for g, group, k, name, part in answerable_predictors(sample, lacking):
        higher = sample.higher_is_positive[k]
        curve = roc_points(part.cases.counts(k), higher_is_positive=higher)
        # A stream for each group and predictor, that of ``cutpoints``: a further predictor does not
        # change the others.
        draws, thresholds, *_ = rule.draw(part.cases, curve, k, plan.at(g, k))
        note = "; ".join([*draws.codes, *row_codes(part)])
        texts.append((name, group, ">=" if higher else "<=", note))
        numbers.append((thresholds, curve.next_scores(thresholds), draws.fpr, draws.tpr))
    warn_of([*lacking, *row_codes(sample)], said_of(sample))
    # Labels by code: 2000 rows a predictor need no 2000 strings in each text column.
    codes = np.repeat(np.arange(len(texts)), plan.n_resamples)
    threshold, after, fpr_drawn, tpr_drawn = np.concatenate(
        [np.empty((4, 0)), *map(np.array, numbers)], 1
    )
    word = "user" if callable(criterion) else criterion
    columns = {
        "predictor": Labels([name for name, *_ in texts], codes),
        "group": Labels([group for _, group, *_ in texts], codes),
        "criterion": Labels([word], np.zeros(len(codes), dtype=np.intp)),
        "resample": np.tile(np.arange(plan.n_resamples), len(texts)),
        "direction": Labels([direction for *_, direction, _ in texts], codes),
        "threshold": threshold,
        "next_score": after,
        "fpr": fpr_drawn,
        "tpr": tpr_drawn,
        "note": Labels([note for *_, note in texts], codes),
    }
    return answer_columns(CUTPOINT_DRAWS, sample, columns, plan)


# --- How a cutpoint is chosen, in a group and in its resamples -----------------------------------


class PlacedDraws(NamedTuple):
    """Cutpoints of resamples with their thresholds.

    The vertices of ``draws`` are those of the thresholds in the sample; ``alike`` are the
    thresholds that call the same cases of the resample positive, ``at`` which of them is reported.
    """

    draws: CutpointDraws
    threshold: FloatArray
    alike: AlikeThresholds
    at: ThresholdAt


class CutpointRule(NamedTuple):
    """The criterion with its numbers, and which of the thresholds that decide alike is reported."""

    criterion: CriterionName | OwnCriterion
    request: CutpointRequest
    threshold_at: ThresholdAt = "midpoint"

    def of(self, part: ScoredCases) -> tuple[Criterion, CutpointRequest]:
        """Return the criterion in a group, at the prevalence of the group unless one was given."""
        request = self.request
        if np.isnan(request.prevalence):
            request = request._replace(prevalence=part.prevalence)
        criterion = make_criterion(self.criterion, request)
        # A prevalence in the row would say that Youden's cutpoint depends on it.
        if not criterion.uses_prevalence:
            request = request._replace(prevalence=np.nan)
        return criterion, request

    def draw(self, part: ScoredCases, curve: RocPoints, k: int, plan: ResamplePlan) -> PlacedDraws:
        """Return the cutpoints of resamples of predictor ``k``, whose curve this is."""
        criterion, _ = self.of(part)
        draws = draw_cutpoints(part, k, criterion, plan)
        at = reported_at(curve.threshold[1:], self.threshold_at)
        alike = AlikeThresholds.of(curve, draws.vertex, draws.last)
        threshold = alike.at(at)
        # The sample may have scores between the observed score and the midpoint.
        placed = np.where(threshold == alike.strict, draws.vertex, vertex_at(curve, threshold))
        return PlacedDraws(draws._replace(vertex=placed), threshold, alike, at)


def curve_point(curve: RocPoints, vertex: int, threshold: float) -> dict[str, float]:
    """Return the columns of a vertex of the curve: threshold, next score, rates and counts."""
    rates = {name: float(getattr(curve, name)[vertex]) for name in ("fpr", "tpr", "fp", "tp")}
    return {"threshold": threshold, "next_score": float(curve.next_score[vertex]), **rates}
