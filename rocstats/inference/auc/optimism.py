"""The AUC of a model on new cases, estimated from the cases that it was fitted to.

Corrected AUC = A - mean(o_b), o_b the AUC of refit b on its resample minus that on the original
cases [harrell-1996], the bootstrap estimate of optimism [efron-1983].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.areas import area
from rocstats.errors import InputError
from rocstats.estimate.answers import answer_row_of_result
from rocstats.estimate.estimate import Result
from rocstats.estimate.jobs import evaluate_in_jobs, read_jobs
from rocstats.estimate.resample import RngLike, draw_rows_for_refits, plan_draws, redrawn_notes
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.study.columns import (
    count_rows,
    require_complete,
    require_same_index,
    rows_of_features,
)
from rocstats.study.count_tables import LabelledScores, count_scores_of
from rocstats.study.vectors import index_of, read_positives, read_scores, read_vector

OPTIMISM_CORRECTED_AUC = Question(
    "optimism_corrected_auc",
    estimate_columns(f"predictor quantity {ESTIMATE} n_pos n_neg n_resamples method note"),
    ("harrell-1996", "efron-1983"),
)

Scorer = Callable[[Any], npt.ArrayLike]
Fit = Callable[[Any, Any], Scorer]


def optimism_corrected_auc(
    fit: Fit,
    X: Any,
    y: Any,
    *,
    n_resamples: int = 200,
    rng: RngLike = None,
    progress: bool = False,
    pos_label: Any = None,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """Return the bootstrap optimism-corrected AUC of a model; a row is one quantity.

    Parameters
    ----------
    fit : callable
        ``fit(X, y)`` fits the model from the beginning, with every step that uses the labels
        (selection of variables, tuning). It returns a scorer. The scorer is a callable that takes
        rows of ``X`` and returns one score per row; higher scores indicate the positive class.
        ``fit`` and the scorer must not change their arguments.
    X : array-like of shape (n, p), or dataframe
        Features of the cases, in any form that ``fit`` accepts. Rows are selected by ``.iloc``, or
        by ``[rows]`` if ``X`` has no ``.iloc``.
    y : array-like of shape (n,)
        Class labels of the cases; they are passed to ``fit`` unchanged.
    n_resamples : int >= 20, default 200
        Number of bootstrap refits; each refit is one fit of the model. The literature uses 100 to
        500 refits.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them. A
        model that uses random numbers needs a fixed seed.
    progress : bool, default False
        Whether to show a progress bar if the refits take over two seconds.
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
    n_jobs : int, optional
        Number of processes that fit the model; default 1. -1 means one process per processor. More
        than one process needs joblib (``pip install "rocstats[jobs]"``). The results do not depend
        on ``n_jobs``.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, quantity, estimate, ci_low, ci_high, se, n_pos, n_neg,
        confidence_level, n_resamples, method, note``. There are three rows: ``quantity`` is
        "apparent_auc", "auc_optimism" and "corrected_auc". Limits are NaN (note ``no-interval``).
        Only the optimism has an ``se``, the Monte Carlo error of its mean (note
        ``monte-carlo-se``). This error falls with ``n_resamples`` and cannot be used for a
        confidence interval.

    Raises
    ------
    InputError
        If ``X`` and ``y`` differ in length or index; if a label is missing; if a class has no case;
        if ``fit`` or the scorer is not callable; if the scorer does not give one number per row; or
        if it returns a Series whose index differs from the index of the rows.

    Notes
    -----
    Let A be the AUC of the model on its training cases (apparent AUC). The model is fitted again to
    each bootstrap resample b, which has n cases drawn with replacement. Let o_b be the AUC of this
    fit on the resample minus its AUC on the original cases. The corrected AUC is A - mean(o_b), cut
    at 0 and 1. A resample that lacks a class is drawn again (note ``resamples-redrawn``).

    The target is the AUC of the model fitted to all cases, when it is used on new cases of the same
    population. Cases are assumed to be independent. A resample contains 63% of the original cases
    on average. Some models reproduce their training cases, such as nearest neighbour models and
    deep trees. Such models predict the original cases too well, and the correction is too small.
    Use cross-validation for them (``fold=`` and ``Study.auc``). No valid interval for the corrected
    AUC is known. For an interval, use held-out or cross-validated scores.

    References
    ----------
    - Harrell, Lee & Mark (1996) [harrell-1996]
    - Efron & Gong (1983) [efron-1983]

    Examples
    --------
    This model uses the column that separates the classes best, so that its apparent AUC is too
    high:

    >>> import numpy as np
    >>> import rocstats as rs
    >>> def fit(X, y):
    ...     gaps = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    ...     best = int(np.argmax(gaps))
    ...     return lambda rows: rows[:, best]
    >>> y = np.repeat([1, 0], 20)
    >>> X = (np.arange(40)[:, None] * [7, 11, 13, 17, 19] % 37).astype(float)
    >>> frame = rs.optimism_corrected_auc(fit, X, y, n_resamples=100, rng=1)
    >>> frame[["quantity", "estimate", "note"]].round(1)
            quantity  estimate                         note
    0   apparent_auc       0.6                  no-interval
    1   auc_optimism       0.1  no-interval; monte-carlo-se
    2  corrected_auc       0.5                  no-interval
    """
    is_positive = _read_classes_of_model_cases(X, y, pos_label)
    if not callable(fit):
        raise InputError(
            f"`fit` must be callable; got {type(fit).__name__}."
            " Pass a function of X and y that returns a scorer."
        )
    # The literature takes 100 to 500 refits; with 20 the error of their mean is still 22 % of their
    # standard deviation (1 / sqrt(20)).
    plan, n_jobs = plan_draws(n_resamples, rng, progress, least=20, advised=200), read_jobs(n_jobs)
    # All resamples first, from their own stream: fits that draw at random do not shift them.
    drawn, n_redrawn = draw_rows_for_refits(is_positive, plan.n_resamples, plan.seed)
    apparent = _scorer_auc(_fit_scorer(fit, X, y), X, is_positive)
    refit = partial(_refit_optimism, fit, X, y, is_positive)
    optimism = np.array(list(plan.watched(evaluate_in_jobs(refit, drawn, n_jobs))))
    return estimate_frame(
        OPTIMISM_CORRECTED_AUC,
        _optimism_rows(is_positive, apparent, optimism, n_redrawn),
        grouped=False,
        seed=plan.seed,
        n_resamples=plan.n_resamples,
    )


def _read_classes_of_model_cases(X: Any, y: Any, pos_label: Any) -> BoolArray:
    labels = read_vector(y, "y")
    require_complete(labels)
    n_rows = count_rows(X)
    if n_rows != len(labels):
        raise InputError(
            f"`y` must have as many rows as `X`; got {len(labels)} and {n_rows}."
            " Pass one label per row."
        )
    require_same_index("y", "X", labels.index, index_of(X))
    is_positive = read_positives(labels, pos_label)
    if is_positive.all() or not is_positive.any():
        raise InputError(
            f"`y` must hold both classes; got {is_positive.sum()} positives and"
            f" {(~is_positive).sum()} negatives. Check `pos_label`, and the data."
        )
    return is_positive


def _fit_scorer(fit: Fit, X: Any, y: Any) -> Scorer:
    scorer = fit(X, y)
    if not callable(scorer):
        raise InputError(
            f"`fit` must return a scorer, a callable of X; got {type(scorer).__name__}."
            " Return for instance the model's decision_function."
        )
    return scorer


def _scorer_auc(scorer: Scorer, X: Any, is_positive: BoolArray) -> float:
    scores = _read_scores_of_model(scorer(X), X, len(is_positive))
    return area(count_scores_of(LabelledScores(scores, is_positive)))


def _read_scores_of_model(scores: Any, X: Any, n: int) -> FloatArray:
    vector = read_vector(scores, "fit(X, y)(X)")
    require_complete(vector)
    if len(vector) != n:
        raise InputError(
            f"`fit(X, y)(X)` must give a score for each of the {n} rows; got {len(vector)}. Return"
            " a scorer that gives one score per row."
        )
    require_same_index(vector.argument, "X", vector.index, index_of(X))
    return read_scores(vector)


def _refit_optimism(fit: Fit, X: Any, y: Any, is_positive: BoolArray, rows: IntArray) -> float:
    """Return the AUC of a refit on its own resample minus its AUC on the original cases."""
    again = rows_of_features(X, rows)
    scorer = _fit_scorer(fit, again, rows_of_features(y, rows))
    return _scorer_auc(scorer, again, is_positive[rows]) - _scorer_auc(scorer, X, is_positive)


def _optimism_rows(
    is_positive: BoolArray, apparent: float, optimism: FloatArray, n_redrawn: int
) -> list[dict[str, Any]]:
    """Return the rows of the apparent area, of the optimism and of their difference."""
    # The error of a mean of B independent refits; the error of the AUC itself is not in it.
    mean, error = float(optimism.mean()), float(optimism.std(ddof=1) / np.sqrt(len(optimism)))
    corrected = float(np.clip(apparent - mean, 0, 1))  # of very few cases it may lie beyond
    word, notes = "refits/none", ("no-interval", *redrawn_notes(n_redrawn))
    cells = {"predictor": "model", "n_pos": is_positive.sum(), "n_neg": (~is_positive).sum()}
    return [
        answer_row_of_result(
            OPTIMISM_CORRECTED_AUC,
            {**cells, "quantity": quantity, "n_resamples": n_resamples},
            result,
            [],
        )
        for quantity, n_resamples, result in (
            ("apparent_auc", 0, Result(apparent, codes=("no-interval",))),
            (
                "auc_optimism",
                len(optimism),
                Result(mean, error, method=word, codes=(*notes, "monte-carlo-se")),
            ),
            ("corrected_auc", len(optimism), Result(corrected, method=word, codes=notes)),
        )
    ]
