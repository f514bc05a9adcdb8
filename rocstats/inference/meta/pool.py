"""Estimates of several studies or centres, pooled with random effects.

The estimates are areas, or any quantity with a standard error. Formulas:
docs/methods/meta-analysis.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_flag, require_open_interval
from rocstats.estimate.answers import answer_row_without_result
from rocstats.estimate.pooling import PooledOnScale
from rocstats.estimate.quantiles import t_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import (
    IDENTITY,
    LOG,
    LOGIT,
    QUANTITIES,
    Range,
    Scale,
    range_of,
    record_of,
    scale_of,
)
from rocstats.facts.words import known_word
from rocstats.frame.make import estimate_frame
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.meta.reviews import FEW_STUDIES, normal_quantile
from rocstats.study.columns import Columns
from rocstats.study.vectors import Vector, label_text, read_factor, read_scores

# --- Question -------------------------------------------------------------------------------------

POOL_AREAS = Question(
    "pool_areas",
    estimate_columns(
        f"predictor reference quantity {ESTIMATE} statistic df p_value n_studies method note"
    ),
    ("hartung-2001", "higgins-2009", "viechtbauer-2007", "debray-2017"),
)
Heterogeneity = Literal["reml", "paule-mandel", "dersimonian-laird"]
PoolInterval = Literal["hartung-knapp", "t", "wald"]
PoolScale = Literal["logit", "log", "identity"]
_SCALES = {"logit": (LOGIT, (0.0, 1.0)), "log": (LOG, (0.0, np.inf))}
_WHOLE_LINE = (-np.inf, np.inf)


def pool_areas(
    frames_or_table: Any,
    estimate: str = "auc",
    se: str = "se",
    *,
    study: str | None = None,
    low: str = "ci_low",
    high: str = "ci_high",
    scale: PoolScale | None = None,
    heterogeneity: Heterogeneity = "reml",
    interval: PoolInterval = "hartung-knapp",
    guard: bool = False,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the mean of an estimate over studies or centres, its prediction interval and spread.

    Use this function for areas, slopes or ratios of several studies or centres. For 2x2 tables use
    ``MetaStudy``. Do not use it for imputed data sets (``pool_imputations``), or for folds.

    Parameters
    ----------
    frames_or_table : dataframe, or list or dict of pandas.DataFrame
        Frames of one quantity, one for each study (a dict names the studies); a frame of a study
        with ``group=``, whose groups are pooled; or a table with a row for each study.
    estimate : str, default "auc"
        Of a table: column of the estimates. Its name is the quantity.
    se : str, default "se"
        Of a table: column of the standard errors. Where the column is absent or empty, standard
        errors are from the limits.
    study : str, optional
        Of a table: column of the names of the studies.
    low, high : str, default "ci_low" and "ci_high"
        Of a table: columns of the limits of each study; only read where there is no standard error.
        Their level is in the column "confidence_level", or 0.95.
    scale : {"logit", "log", "identity"}, optional
        Scale on which estimates are pooled; needed if the quantity is unknown.

        - "logit" (default for areas and rates): for shares between 0 and 1.
        - "log" (default for ratios): for positive numbers.
        - "identity" (default for slopes and differences): for other numbers.
    heterogeneity : {"reml", "paule-mandel", "dersimonian-laird"}, default "reml"
        Estimator of the variance between studies:

        - "reml": restricted maximum likelihood. For most uses.
        - "paule-mandel": the variance at which Cochran's Q is its expectation.
        - "dersimonian-laird": by moments. For comparison with older reviews.
    interval : {"hartung-knapp", "t", "wald"}, default "hartung-knapp"
        Limits of the mean:

        - "hartung-knapp": the variance of the mean is scaled by how estimates vary.
        - "t": quantiles of t with k - 1 degrees of freedom.
        - "wald": normal quantiles. For comparison with other programs.
    guard : bool, default False
        Whether the factor of Hartung and Knapp is at least 1. The interval is then wider than
        needed if studies do not differ.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_studies, confidence_level, method, note``. There are four rows for each predictor (or
        pair): the mean, named by its quantity; ``prediction_`` and the quantity, the interval of a
        new study; "tau", the standard deviation between studies on the scale; and "i_squared", the
        share of variance between studies, with Cochran's Q test.

    Raises
    ------
    InputError
        If there are fewer than two studies, or several quantities; if an estimate is at an end of
        its range, or has neither a standard error nor limits; if the quantity is unknown and no
        ``scale`` is passed; or if an option is invalid.

    Warns
    -----
    StatisticalWarning
        For fewer than 10 studies (``few-studies``). If the factor of Hartung and Knapp is set to 1
        (``pooled-guarded``).

    Notes
    -----
    With y = h(estimate) on the scale h, v = (se h')^2 and w = 1/(v + T), the mean is m = sum w y /
    sum w. T is the variance between studies. The factor of Hartung and Knapp is f = sum w (y -
    m)^2/(k - 1); limits are h^-1(m -+ t_{k-1} sqrt(f / sum w)). If all estimates are equal, f is 1.
    The prediction interval is h^-1(m -+ t_{k-2} sqrt(T + 1/sum w)), NaN for two studies. Limits of
    tau invert Cochran's Q. I^2 is T/(T + s), with s a typical v (Higgins).

    In simulations of 5 to 20 studies with areas of .75 and .90, 95% limits had coverage .93 to .96.
    Prediction intervals were short (.87 to .94) if studies differed.

    The frames of studies must be of independent cases.

    References
    ----------
    - Hartung & Knapp (2001) [hartung-2001]
    - Higgins, Thompson & Spiegelhalter (2009), prediction intervals [higgins-2009]
    - Viechtbauer (2007), limits of the variance between studies [viechtbauer-2007]
    - Debray and others (2017), areas of prediction models [debray-2017]

    Examples
    --------
    >>> import pandas as pd
    >>> import rocstats as rs
    >>> table = pd.DataFrame({"auc": [0.79, 0.84, 0.74, 0.81], "se": [0.02, 0.03, 0.025, 0.015]})
    >>> rs.pool_areas(table)[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
             quantity  estimate  ci_low  ci_high
    0             auc     0.793   0.724    0.848
    1  prediction_auc     0.793   0.604    0.906
    2             tau     0.181   0.000    0.938
    3       i_squared     0.658     NaN      NaN
    """
    heterogeneity = require_choice("heterogeneity", heterogeneity, get_args(Heterogeneity))
    interval = require_choice("interval", interval, get_args(PoolInterval))
    if scale is not None:
        scale = require_choice("scale", scale, get_args(PoolScale))
    require_flag("guard", guard)
    if guard and interval != "hartung-knapp":
        raise InputError(
            f"`guard` must be False with interval={interval!r}, which has no factor; got True."
            " Leave it out."
        )
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if _is_of_frames(frames_or_table):
        pieces = _pieces_of_frames(frames_or_table)
    else:
        pieces = [_piece_of_table(frames_or_table, estimate, se, study, (low, high))]
    rows = []
    for piece in pieces:
        pooled = _pool(piece, *_scale_of_piece(piece, scale), heterogeneity)
        limits = (interval, guard, confidence_level)
        for cells, codes in _rows_of_pool(piece, pooled, heterogeneity, *limits):
            rows.append(answer_row_without_result(POOL_AREAS, cells, codes))
    return estimate_frame(POOL_AREAS, rows, grouped=False)


# --- Frames and tables of estimates ---------------------------------------------------------------


class _Piece(NamedTuple):
    """Estimates of one quantity in k studies; ``low`` and ``high`` are limits at ``z``."""

    predictor: str
    reference: str
    quantity: str
    names: list[str]
    estimate: FloatArray
    se: FloatArray
    low: FloatArray
    high: FloatArray
    z: FloatArray


_ADVICE = "Pass the frames of one question to each study, or a table with a row for each study."


def _is_of_frames(given: Any) -> bool:
    """Return whether the argument holds frames of estimates, and not a table."""
    if isinstance(given, pd.DataFrame):
        return {"quantity", "estimate", "se"} <= set(given)
    if isinstance(given, Mapping):
        return any(isinstance(value, pd.DataFrame) for value in given.values())
    return isinstance(given, (list, tuple))


def _pieces_of_frames(given: Any) -> list[_Piece]:
    """Return the estimates of each predictor, and each pair, over frames or groups."""
    frames: dict[str, Any]
    if isinstance(given, pd.DataFrame):
        if "group" not in given:
            raise InputError(
                "`frames_or_table` must be several frames, or a frame with groups; got one frame"
                f" without the column 'group'. {_ADVICE}"
            )
        frames = {str(name): frame for name, frame in given.groupby("group", sort=False)}
    elif isinstance(given, Mapping):
        frames = {str(name): frame for name, frame in given.items()}
    else:
        frames = {str(k + 1): frame for k, frame in enumerate(given)}
    found: dict[tuple[str, str], list[tuple[str, Any]]] = {}
    quantities = set()
    for name, frame in frames.items():
        if not isinstance(frame, pd.DataFrame) or not {"quantity", "estimate", "se"} <= set(frame):
            raise InputError(
                "`frames_or_table` must have the columns quantity, estimate and se in each frame;"
                f" got {type(frame).__name__} for study {name!r}. {_ADVICE}"
            )
        for row in frame.to_dict("records"):
            key = str(row.get("predictor", "")), str(row.get("reference", ""))
            found.setdefault(key, []).append((name, row))
            quantities.add(str(row["quantity"]))
    if len(quantities) != 1:
        raise InputError(
            f"`frames_or_table` must be of one quantity; got {sorted(quantities)}. Choose rows,"
            " such as frame[frame['quantity'] == 'tpr']."
        )
    return [_piece_of_rows(*key, quantities.copy().pop(), rows) for key, rows in found.items()]


def _piece_of_rows(
    predictor: str, reference: str, quantity: str, rows: list[tuple[str, Any]]
) -> _Piece:
    names = [name for name, _ in rows]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            f"`frames_or_table` must have one row for each study and predictor; got several of"
            f" {predictor!r} in study {twice!r}. Choose rows."
        )
    values, se, low, high, level = (
        np.array([float(row.get(name, np.nan)) for _, row in rows])
        for name in ("estimate", "se", "ci_low", "ci_high", "confidence_level")
    )
    return _Piece(predictor, reference, quantity, names, values, se, low, high, _quantiles(level))


def _quantiles(levels: FloatArray) -> FloatArray:
    return np.array([normal_quantile(0.95 if np.isnan(one) else one) for one in levels])


def _piece_of_table(
    table: Any, estimate: str, se: str, study: str | None, limits: tuple[str, str]
) -> _Piece:
    columns = Columns(table, "frames_or_table")
    values = read_scores(columns.vector(estimate, "estimate"))
    k = len(values)
    names = [str(i + 1) for i in range(k)]
    if study is not None:
        factor = read_factor(columns.vector(study, "study"), as_text=label_text)
        names = [factor.labels[code] if code >= 0 else "" for code in factor.codes]

    def numbers(name: str, argument: str) -> FloatArray:
        if name not in columns.names:
            return np.full(k, np.nan)
        vector: Vector = columns.vector(name, argument)
        return read_scores(vector)

    quantity = known_word(estimate, QUANTITIES) or estimate
    low, high = (numbers(name, word) for name, word in zip(limits, ("low", "high"), strict=True))
    levels = numbers("confidence_level", "confidence_level")
    return _Piece("", "", quantity, names, values, numbers(se, "se"), low, high, _quantiles(levels))


def _scale_of_piece(piece: _Piece, scale: PoolScale | None) -> tuple[Scale, Range]:
    if scale is not None:
        return _SCALES.get(scale, (IDENTITY, _WHOLE_LINE))
    if record_of(piece.quantity) is None:
        raise InputError(
            f"`scale` must be given for the quantity {piece.quantity!r}, which is not known here;"
            " got None. Pass 'logit', 'log' or 'identity'."
        )
    return scale_of(piece.quantity), range_of(piece.quantity)


# --- Pooling --------------------------------------------------------------------------------------


class _Pool(NamedTuple):
    """Estimates ``y`` with variances ``v`` on a scale, and the variance between studies."""

    y: FloatArray
    v: FloatArray
    between: float
    scale: Scale
    ends: Range

    @property
    def weights(self) -> FloatArray:
        """Weights of the studies."""
        return 1 / (self.v + self.between)

    @property
    def mean(self) -> float:
        """Weighted mean."""
        return float(np.average(self.y, weights=self.weights))


def _pool(piece: _Piece, scale: Scale, ends: Range, heterogeneity: Heterogeneity) -> _Pool:
    """Return the estimates on a scale; raise InputError for one without a place or an error."""
    if len(piece.estimate) < 2:
        raise InputError(
            f"`frames_or_table` must have at least two studies; got {len(piece.estimate)}"
            f"{f' of {piece.predictor!r}' if piece.predictor else ''}. {_ADVICE}"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.asarray(scale.forward(piece.estimate), dtype=np.float64)
        width = scale.forward(piece.high) - scale.forward(piece.low)
        spread = np.where(
            np.isnan(piece.se),
            np.asarray(width, dtype=np.float64) / (2 * piece.z),
            piece.se * scale.slope(piece.estimate),
        )
    for name, bad, must, values in (
        ("estimate", ~np.isfinite(y), f"between {ends[0]:g} and {ends[1]:g}", piece.estimate),
        ("se", ~(np.isfinite(spread) & (spread > 0)), "above 0", piece.se),
    ):
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            raise InputError(
                f"`{name}` must be strictly {must} in each study; got {values[i]:g} in study"
                f" {piece.names[i]!r}. Leave this study out, or give its limits."
            )
    v = spread**2
    return _Pool(y, v, _BETWEEN[heterogeneity](y, v), scale, ends)


def cochran_q(y: FloatArray, v: FloatArray, between: float) -> float:
    """Return the weighted sum of squares around the weighted mean."""
    w = 1 / (v + between)
    return float(w @ (y - np.average(y, weights=w)) ** 2)


def _root_from_zero(function: Callable[[float], float], scale: float) -> float:
    """Return the largest root of a function that ends below 0; 0 if it is never above."""
    from scipy.optimize import brentq

    # The restricted likelihood may have several maxima: the last crossing below a wide grid.
    grid = np.concatenate([[0.0], np.geomspace(1e-6, 1e4, 59) * scale])
    above = [i for i, at in enumerate(grid[:-1]) if function(float(at)) > 0]
    if not above:
        return 0.0
    return float(brentq(function, grid[above[-1]], grid[above[-1] + 1], xtol=1e-14 * scale))


def _reml(y: FloatArray, v: FloatArray) -> float:
    def slope(between: float) -> float:
        w = 1 / (v + between)
        rest = y - np.average(y, weights=w)
        return float(w**2 @ rest**2 - w.sum() + (w**2).sum() / w.sum())

    return _root_from_zero(slope, float(np.mean(v) + np.var(y)))


def _paule_mandel(y: FloatArray, v: FloatArray) -> float:
    scale = float(np.mean(v) + np.var(y))
    return _root_from_zero(lambda between: cochran_q(y, v, between) - (len(y) - 1), scale)


def _dersimonian_laird(y: FloatArray, v: FloatArray) -> float:
    w = 1 / v
    q = cochran_q(y, v, 0.0)
    return max(0.0, (q - (len(y) - 1)) / float(w.sum() - (w**2).sum() / w.sum()))


_BETWEEN: dict[str, Callable[[FloatArray, FloatArray], float]] = {
    "reml": _reml,
    "paule-mandel": _paule_mandel,
    "dersimonian-laird": _dersimonian_laird,
}


def tau_limits(y: FloatArray, v: FloatArray, confidence_level: float) -> tuple[float, float]:
    """Return the limits of the variance between studies at which Q is a quantile of chi-square."""
    scale, df = float(np.mean(v) + np.var(y)), len(y) - 1.0
    tail = (1 - confidence_level) / 2

    def at(p: float) -> float:
        # Q falls from its value at 0 to 0: its upper tail rises.
        return _root_from_zero(
            lambda between: p - float(sp.chdtrc(df, cochran_q(y, v, between))), scale
        )

    return at(tail), at(1 - tail)


# Below this the estimates are equal but for rounding.
_NO_VARIATION = 1e-20


def _rows_of_pool(
    piece: _Piece,
    pool: _Pool,
    heterogeneity: Heterogeneity,
    interval: PoolInterval,
    guard: bool,
    confidence_level: float,
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield cells and notes of the mean, the prediction, tau and the test."""
    y, v, w = pool.y, pool.v, pool.weights
    k = len(y)
    known = {
        "predictor": piece.predictor,
        "reference": piece.reference,
        "n_studies": k,
        "confidence_level": confidence_level,
    }
    codes = ["few-studies"] * (k < FEW_STUDIES) + ["no-heterogeneity"] * (pool.between == 0)
    factor, df = 1.0, k - 1.0 if interval != "wald" else np.inf
    if interval == "hartung-knapp":
        factor = cochran_q(y, v, pool.between) / (k - 1)
        if factor < (1.0 if guard else _NO_VARIATION):
            factor = 1.0
            codes.append("pooled-guarded")
    level = (1 + confidence_level) / 2
    variance = 1 / float(w.sum())
    method = f"{heterogeneity}/{interval}"
    centre = float(np.clip(pool.scale.back(pool.mean), *pool.ends))
    mean = PooledOnScale(
        centre, pool.mean, float(np.sqrt(factor * variance)), df, np.nan, pool.scale, pool.ends
    )
    t = t_quantile(level, df)
    cells: dict[str, Any] = {"estimate": centre, "se": mean.se, "method": method}
    cells |= {"ci_low": mean.limit(-t), "ci_high": mean.limit(t)}
    yield {**known, "quantity": piece.quantity, **cells}, codes
    cells = {"estimate": centre}
    if k > 2:
        new = mean._replace(spread=float(np.sqrt(pool.between + variance)))
        t = t_quantile(level, k - 2.0)
        cells |= {"ci_low": new.limit(-t), "ci_high": new.limit(t)}
        cells["method"] = f"{heterogeneity}/prediction-t"
    yield {**known, "quantity": f"prediction_{piece.quantity}", **cells}, codes
    low, high = map(float, np.sqrt(tau_limits(y, v, confidence_level)))
    tau = float(np.sqrt(pool.between))
    cells = {"estimate": tau, "method": f"{heterogeneity}/none"}
    # Estimates that agree too well have no limits. Others invert another equation than the
    # estimate solves, which may be beyond them.
    if high > 0:
        cells |= {"ci_low": min(low, tau), "ci_high": max(high, tau)}
        cells["method"] = f"{heterogeneity}/q-profile"
    yield {**known, "quantity": "tau", **cells}, codes
    q, s1, s2 = cochran_q(y, v, 0.0), float((1 / v).sum()), float((1 / v**2).sum())
    typical = (k - 1) * s1 / (s1**2 - s2)
    cells = {
        "estimate": pool.between / (pool.between + typical),
        "statistic": q,
        "df": k - 1.0,
        "p_value": float(sp.chdtrc(k - 1.0, q)),
        "method": "cochran/chi-square",
        "confidence_level": np.nan,
    }
    yield {**known, "quantity": "i_squared", **cells}, codes
