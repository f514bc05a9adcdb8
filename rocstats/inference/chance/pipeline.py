"""Permutation test of a whole training pipeline, repeated on shuffled labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_text
from rocstats.estimate.jobs import evaluate_in_jobs, read_jobs
from rocstats.estimate.permute import permutation_p_value, shuffled_orders
from rocstats.estimate.resample import RngLike, plan_draws
from rocstats.facts.arrays import IntArray
from rocstats.facts.tolerances import SAME
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.study.columns import count_rows, require_same_index
from rocstats.study.vectors import index_of, read_vector

PERMUTE_PIPELINE = Question(
    "permute_pipeline",
    estimate_columns(f"predictor quantity {ESTIMATE} {TEST} hypothesis n_resamples method note"),
    ("forman-2002", "ojala-2010"),
)


def permute_pipeline(
    fit_and_score: Callable[[Any, Any], float],
    X: Any,
    y: Any,
    *,
    predictor: str = "pipeline",
    n_resamples: int = 999,
    rng: RngLike = None,
    progress: bool = False,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """Return a permutation test of a whole modelling pipeline against chance; one row.

    Parameters
    ----------
    fit_and_score : callable
        ``fit_and_score(X, y)`` repeats every step of the analysis that uses the labels:
        preprocessing, tuning, selection, and estimation on held-out or cross-validated cases. It
        returns the estimate as one number; larger numbers are better. Random steps need a fixed
        seed.
    X : object
        Features of the cases; they are passed to ``fit_and_score`` unchanged.
    y : array-like of shape (n,)
        Labels, one per case. ``fit_and_score`` receives shuffled labels as an array. If ``y`` is a
        Series, it receives a Series with the index and name of ``y``.
    predictor : str, default "pipeline"
        Name of the pipeline in the returned row.
    n_resamples : int >= 19, default 999
        Number of permutations; the pipeline runs ``n_resamples`` + 1 times.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the permutations; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if the permutations take over two seconds.
    n_jobs : int, optional
        Number of processes that run the pipeline; default 1. -1 means one process per processor.
        More than one process needs joblib (``pip install "rocstats[jobs]"``). The results do not
        depend on ``n_jobs``.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, quantity, estimate, ci_low, ci_high, p_value, se, statistic, df,
        confidence_level, null_value, hypothesis, n_resamples, method, note``. There is one row, and
        ``quantity`` is "statistic". ``null_value`` is the mean estimate over permutations, which is
        the expected estimate under the null hypothesis.

    Raises
    ------
    InputError
        If ``fit_and_score`` is not callable or returns no finite number; if ``y`` differs from
        ``X`` in length or index; if ``y`` has one label only; or if another argument is invalid.

    Notes
    -----
    The p value is one-sided: p = (1 + k)/(B + 1). Here k is the number of the B permutations whose
    estimate is at least the estimate of the pipeline. The p value is never 0. The null hypothesis
    is that labels are independent of features. The p value is too small if ``fit_and_score`` omits
    a step. Examples are features that were screened beforehand, or a model that was selected by its
    test score. Do not use the test for clustered cases, since their labels are not exchangeable.

    References
    ----------
    - Forman (2002), best of many random classifiers [forman-2002]
    - Ojala & Garriga (2010), test 1 [ojala-2010]

    Examples
    --------
    The statistic is the largest distance between class means among five features:

    >>> import numpy as np
    >>> import rocstats as rs
    >>> X = np.random.default_rng(1).normal(size=(40, 5))
    >>> y = np.repeat([0, 1], 20)
    >>> def best_distance(X, y):
    ...     return np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)).max()
    >>> found = rs.permute_pipeline(best_distance, X, y, n_resamples=199, rng=1)
    >>> bool(found["p_value"][0] > 0.05)
    True
    """
    if not callable(fit_and_score):
        raise InputError(
            f"`fit_and_score` must be a function of X and y; got {type(fit_and_score).__name__}."
            " Pass the function that trains and evaluates."
        )
    require_text("predictor", predictor)
    # 19 permutations are the fewest whose least p value, 1/(B + 1), is .05; a pipeline may be slow.
    plan, n_jobs = plan_draws(n_resamples, rng, progress, least=19), read_jobs(n_jobs)
    labels = _read_pipeline_labels(y, X)
    estimate = _pipeline_statistic(
        fit_and_score, X, y if isinstance(y, pd.Series) else labels, "the data"
    )

    def permuted(numbered: tuple[int, IntArray]) -> float:
        number, order = numbered
        shuffled = _shuffled_labels_with_index_of(y, labels[order])
        return _pipeline_statistic(fit_and_score, X, shuffled, f"permutation {number}")

    orders = enumerate(shuffled_orders(len(labels), plan))
    draws = np.array(list(plan.watched(evaluate_in_jobs(permuted, orders, n_jobs))))
    # A tie counts as extreme, also where the order of cases changed its rounding.
    n_as_extreme = int(np.count_nonzero(draws >= estimate - SAME))
    row = {
        "predictor": predictor,
        "quantity": "statistic",
        "estimate": estimate,
        **dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), np.nan),
        "null_value": float(draws.mean()),
        **dict.fromkeys(("statistic", "df"), np.nan),
        "p_value": permutation_p_value(n_as_extreme, plan.n_resamples),
        "hypothesis": "greater",
        "n_resamples": plan.n_resamples,
        "method": "pipeline-permutation",
        "note": ["no-interval"],
    }
    return estimate_frame(
        PERMUTE_PIPELINE, [row], grouped=False, seed=plan.seed, n_resamples=plan.n_resamples
    )


def _read_pipeline_labels(y: Any, X: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the labels as an array; raise InputError unless they fit ``X`` and differ."""
    vector = read_vector(y, "y")
    rows = count_rows(X)
    if len(vector) != rows:
        raise InputError(
            f"`y` must have one label for each row of `X`; got shape ({len(vector)},) for {rows}"
            " rows. Pass one label for each case."
        )
    require_same_index("y", "X", vector.index, index_of(X))
    labels = np.asarray(vector.values)
    if len(pd.unique(labels)) < 2:
        raise InputError(
            f"`y` must hold at least two labels; got {len(pd.unique(labels))}. With one label, a"
            " permutation changes nothing."
        )
    return labels


def _shuffled_labels_with_index_of(y: Any, shuffled: np.ndarray[Any, np.dtype[Any]]) -> Any:
    """Return shuffled labels, as a Series with the index of ``y`` if ``y`` is one."""
    # A pipeline may join X and y on the index: the labels move, the index stays.
    if isinstance(y, pd.Series):
        return pd.Series(shuffled, index=y.index, name=y.name, dtype=y.dtype)
    return shuffled


def _pipeline_statistic(
    fit_and_score: Callable[[Any, Any], float], X: Any, y: Any, what: str
) -> float:
    """Return the statistic of the pipeline; raise InputError unless it is a finite number."""
    value = fit_and_score(X, y)
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    # NaN compares as False and would count as less extreme than the data.
    if not np.isfinite(number):
        raise InputError(
            f"`fit_and_score` must return a finite number; got {value!r} for {what}. Return one"
            " number; larger must mean better."
        )
    return number
