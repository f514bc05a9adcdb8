"""The cutpoints chosen in resamples, which show how stable the chosen threshold is [efron-1993]."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.curves.criteria import (
    THRESHOLDS_AT,
    CriterionName,
    OwnCriterion,
    ThresholdAt,
    read_criterion,
    read_cutpoint_request,
)
from rocstats.curves.roc import roc_points
from rocstats.errors import require_choice
from rocstats.estimate.answers import answer_columns, answerable_predictors, stacked_curve_columns
from rocstats.estimate.resample import RngLike, plan_draws
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, columns_in, counts_only
from rocstats.inference.cutpoints.rule import CutpointRule
from rocstats.study.base import sample_notes, warned_doubts
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
        Criterion that is optimised; ``cutpoints`` has the list.
    tpr, fpr : float in (0, 1), optional
        Rate for "fixed-tpr" or "fixed-fpr"; refused for other criteria.
    cost_fp, cost_fn : float > 0, optional
        Costs of a false positive and of a false negative, for "cost".
    prevalence : float in (0, 1), optional
        Share of positives in the population of use, for "cost"; default: the share in the sample.
    threshold_at : {"midpoint", "observed"}, default "midpoint"
        Reported threshold: midway between two neighbouring scores, or the chosen score itself.
    n_resamples : int >= 100, default 2000
        Number of resamples.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], criterion, resample, direction, threshold, next_score, fpr,
        tpr, note``. With the same seed, ``cutpoints`` uses these cutpoints. The rates are computed
        in the resample and are optimistic. ``note`` has ``blocked-resamples`` if blocks of
        neighbouring scores were resampled (see ``cutpoints``). A group that lacks a class has no
        rows.

    Raises
    ------
    InputError
        If an argument is invalid, or the study has weights.

    Notes
    -----
    Cases are resampled within their class; clusters are resampled as a whole. A threshold is midway
    between two neighbouring scores of the resample, or an observed score (see ``threshold_at``).
    The threshold is infinite if no case of the resample is called positive. ``plot_cutpoint_draws``
    shows the distribution. Several separate peaks show that several thresholds are almost equally
    good.

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
    request = read_cutpoint_request(
        criterion, tpr=tpr, fpr=fpr, cost_fp=cost_fp, cost_fn=cost_fn, prevalence=prevalence
    )
    CUTPOINT_DRAWS.require_roles(sample)
    threshold_at = require_choice("threshold_at", threshold_at, THRESHOLDS_AT)
    rule = CutpointRule(criterion, request, threshold_at)
    plan = plan_draws(n_resamples, rng, progress)
    drawn: list[dict[str, Any]] = []
    lacking: list[str] = []
    for g, group, k, name, part in answerable_predictors(sample, lacking):
        higher = sample.higher_is_positive[k]
        curve = roc_points(part.cases.counts(k), higher_is_positive=higher)
        # A stream for each group and predictor, that of ``cutpoints``: a further predictor does not
        # change the others.
        placed = rule.draw(part.cases, curve, k, plan.at(g, k))
        drawn.append(
            {
                "predictor": name,
                "group": group,
                "criterion": "user" if callable(criterion) else criterion,
                "resample": np.arange(plan.n_resamples),
                "direction": ">=" if higher else "<=",
                "threshold": placed.threshold,
                "next_score": curve.next_scores(placed.threshold),
                "fpr": placed.draws.fpr,
                "tpr": placed.draws.tpr,
                "note": "; ".join([*placed.draws.codes, *sample_notes(part)]),
            }
        )
    warn_of_doubts([*lacking, *sample_notes(sample)], warned_doubts(sample))
    return answer_columns(
        CUTPOINT_DRAWS, sample, stacked_curve_columns(CUTPOINT_DRAWS, drawn), plan
    )
