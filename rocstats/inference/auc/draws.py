"""The resampled areas, one row each, for summaries that the package does not make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.estimate.answers import answer_columns, answerable_predictors, stacked_curve_columns
from rocstats.estimate.resample import RngLike, enough_valid_resamples, plan_resamples
from rocstats.estimate.resample_areas import draw_areas
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, estimate_columns
from rocstats.study.base import sample_notes, warned_doubts
from rocstats.study.sample import Sample, require_fold_classes

AUC_DRAWS = Question(
    "auc_draws",
    estimate_columns("predictor group quantity resample estimate"),
    ("efron-1993",),
)


def auc_draws(
    sample: Sample,
    *,
    n_resamples: int = 2000,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return bootstrap areas; a row is the AUC of one predictor in one resample.

    Parameters
    ----------
    n_resamples : int >= 100, default 2000
        Number of resamples.
    stratified : bool, optional
        Whether each class is resampled apart (default); not with clusters, which are drawn whole.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], resample, quantity, estimate``: the draws behind
        ``auc(interval="percentile")`` with the same seed. A group that lacks a class has none.

    Raises
    ------
    InputError
        If an argument is not possible, a fold lacks a class, or ``stratified=True`` meets clusters.

    Notes
    -----
    Predictors are resampled one by one, each from its own child stream: draws of two predictors
    are not paired. Folds are resampled within; the area of a resample is the mean over folds.

    References
    ----------
    - Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 13 [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> draws = study.auc_draws(n_resamples=4000, rng=1)["estimate"]
    >>> round(float(draws.std()), 3)  # the closed form is 0.0305
    0.031
    """
    AUC_DRAWS.refuse_covariates(sample)
    plan = plan_resamples(sample, n_resamples, stratified, rng, progress)
    numbers = np.arange(plan.n_resamples)
    draws: list[dict[str, Any]] = []
    notes: list[str] = []
    for g, group, k, name, scored in answerable_predictors(sample, notes):
        require_fold_classes(scored)
        with enough_valid_resamples():
            areas = draw_areas(scored.cases, k, plan.at(g)).values
        cells = {"predictor": name, "group": group, "quantity": "auc"}
        draws.append({**cells, "resample": numbers, "estimate": areas})
    warn_of_doubts([*notes, *sample_notes(sample)], warned_doubts(sample))
    return answer_columns(AUC_DRAWS, sample, stacked_curve_columns(AUC_DRAWS, draws), plan)
