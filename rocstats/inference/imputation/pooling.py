"""The answers of one question about several imputed data sets, pooled by Rubin's rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval
from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.labels import about_of
from rocstats.frames.making import estimate_frame
from rocstats.frames.questions import ESTIMATE, Question, estimate_columns
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.imputation.complete import df_complete_of
from rocstats.inference.imputation.matching import Matched, read_frames
from rocstats.inference.imputation.pooled_tests import Asked
from rocstats.sample.arrays import FloatArray
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.imputation import RUBIN, Answers, pool_answers
from rocstats.stats.scales import scale_of

_ADDED = "df fraction_missing n_imputations"
POOL_IMPUTATIONS = Question(
    "pool_imputations",
    estimate_columns(f"predictor quantity {ESTIMATE} {_ADDED} method note"),
    RUBIN.references,
)
# Below 5 the number of data sets itself adds 5 % and more to the width of limits.
_FEW_IMPUTATIONS = 5
_NEW = {"boundary-imputation", "few-imputations"}
# What a frame carries of itself, and not of its study.
_OWN = {"function", "version", "seed", "n_resamples", "references"}


class _Request(NamedTuple):
    """Frames with matched rows, their degrees of freedom, the level, the means of numbers."""

    matched: Matched
    df_complete: FloatArray
    level: float | None
    means: dict[str, FloatArray]


def pool_imputations(
    frames: Iterable[pd.DataFrame],
    *,
    df_complete: float | None = None,
    confidence_level: float | None = None,
) -> pd.DataFrame:
    """Return the answers about imputed data sets pooled by Rubin's rules; a row is one estimate.

    Use it after multiple imputation: ask each imputed data set the same question, and pool the
    answers. To average the data sets first, or to analyse one of them, gives limits that are too
    short.

    Parameters
    ----------
    frames : iterable of pandas.DataFrame
        Two answers or more of one question with the same options, one for each imputed data set:
        areas, measures at given thresholds or rates, differences, net benefit, calibration, several
        readers. Rows must be the same in the same order.
    df_complete : float > 0, optional
        Degrees of freedom that the estimates would have if nothing were missing. By default those
        of the frames where these are finite; else the number of positives less 1 for a sensitivity,
        of negatives for a specificity, of all cases for others, or of clusters. ``inf`` gives the
        rule of Rubin (1987), which is for large samples.
    confidence_level : float in (0, 1), optional
        Level of the pooled interval; by default that of the frames.

    Returns
    -------
    pandas.DataFrame
        The columns of the frames, and ``df`` (of the pooled interval and test),
        ``fraction_missing`` (the share of information that is missing) and ``n_imputations``.
        ``method`` is the standard error in the data sets, the scale, and "rubin". Counts and rates
        of the point are means over the data sets.

    Raises
    ------
    InputError
        If there are fewer than two frames, their columns or rows differ, they are curves, bands,
        cutpoints chosen in each data set, tests of several estimates at once, or have percentile or
        simultaneous limits, or an option is not possible.

    Warns
    -----
    StatisticalWarning
        For fewer than 5 data sets (``few-imputations``), and for an estimate without a standard
        error on its scale in one of them (``boundary-imputation``).

    Notes
    -----
    The estimates of M data sets are pooled on a scale h: the logit for areas, rates and average
    precision, the logarithm for ratios, none for differences, net benefit and all others. With
    q = h(estimate) and u = (se h'(estimate))^2, Q = mean q, U = mean u, B = the variance of q,

    - T = U + (1 + 1/M) B, and lambda = (1 + 1/M) B/T;
    - df = 1/(1/nu_old + 1/nu_obs), nu_old = (M - 1)/lambda^2,
      nu_obs = nu (nu + 1)(1 - lambda)/(nu + 3), nu = ``df_complete``;
    - limits h^-1(Q -+ t_df sqrt(T)), the p value from t at the null value on the scale h.

    ``se`` is sqrt(T)/h' at the pooled estimate, ``fraction_missing`` is (r + 2/(df + 3))/(1 + r)
    with r = (1 + 1/M) B/U. Adjusted p values are those of the pooled ones.

    An estimate of 0 or 1, or with a standard error of 0, is replaced by the middle of its limits,
    with their half width over the normal quantile as the standard error (note
    ``boundary-imputation``; ours, not simulated). Without a standard error there are no limits.

    Rubin's rules assume that imputations were drawn from a model with the outcome and all scores
    in it, values missing at random. For a bootstrap, impute first and resample inside each data set
    (``variance="bootstrap"``): percentile limits are not pooled. In simulations with 30 % of scores
    missing 95% limits of areas covered .95 to .97.

    References
    ----------
    - Rubin (1987), chapter 3 [rubin-1987]
    - Barnard & Rubin (1999), degrees of freedom [barnard-1999]
    - Schomaker & Heumann (2018), the bootstrap of imputed data [schomaker-2018]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0] * 3
    >>> known = [9, 7, 8, 6, 4, 5, 3, 6, 2, 1] * 2
    >>> drawn = [[9, 6, 8, 7, 3, 4, 3, 7, 2, 1], [8, 7, 5, 6, 4, 5, 1, 6, 2, 2]] * 3
    >>> frames = [rs.Study(y, known + values).auc() for values in drawn]
    >>> pooled = rs.pool_imputations(frames)
    >>> pooled[["estimate", "ci_low", "ci_high", "df", "fraction_missing"]].round(3)
       estimate  ci_low  ci_high      df  fraction_missing
    0     0.882   0.702     0.96  27.132             0.068
    """
    matched = read_frames(frames)
    if df_complete is not None and df_complete != np.inf:
        require_open_interval("df_complete", df_complete, 0, np.inf)
    if confidence_level is not None:
        require_open_interval("confidence_level", confidence_level, 0, 1)
    complete = df_complete_of(matched) if df_complete is None else df_complete
    means = {
        str(name): _mean(matched, str(name))
        for name in matched.first
        if GLOSSARY[str(name)].kind != "text"
    }
    request = _Request(matched, np.broadcast_to(complete, matched.n_rows), confidence_level, means)
    return _frame(matched, [_row(request, k) for k in range(matched.n_rows)])


def _mean(matched: Matched, name: str) -> FloatArray:
    """Return the means of a column of numbers; of thresholds, NaN where they differ."""
    values = matched.stacked(name)
    mean = values.mean(axis=0)
    # Where a rate is given each data set has a threshold of its own, whose mean none has.
    alike = name not in ("threshold", "reference_threshold") or (values == values[0]).all(axis=0)
    return np.where(alike, mean, np.nan)


def _row(request: _Request, k: int) -> dict[str, Any]:
    """Return a pooled row: its words, the means of its numbers, and the pooled answer."""
    frames, first = request.matched.frames, request.matched.first.iloc[k]
    compared = bool(first.get("reference", ""))
    scale, asked = scale_of(str(first["quantity"]), difference=compared), Asked.of(frames, k)
    level = asked.level if request.level is None else request.level
    estimates, errors, lows, highs = (
        request.matched.stacked(name)[:, [k]] for name in ("estimate", "se", "ci_low", "ci_high")
    )
    reach = np.array(asked.reach(asked.level))
    answers = Answers(estimates, errors, lows, highs, reach)
    pooled, edge = pool_answers(answers, scale, request.df_complete[[k]])
    value, se, df, fraction = (float(column[0]) for column in pooled)
    estimate, known = float(scale.back(value)), not np.isnan(se)
    low, high = asked.limits(scale, value, se, df, level)
    words = {str(name): first[name] for name in first.index if name not in request.means}
    return {
        **words,
        **{name: float(values[k]) for name, values in request.means.items()},
        "estimate": estimate,
        "se": se / float(scale.slope(estimate)) if known else np.nan,
        "ci_low": low,
        "ci_high": high,
        "confidence_level": level if known else np.nan,
        "df": df,
        "fraction_missing": fraction,
        "n_imputations": len(frames),
        **asked.test(scale, value, se, df),
        "method": f"{_errors_by(frames, k)}/{scale.word}/{RUBIN.word}" if known else "none/none",
        "note": _notes(frames, k, bool(edge[0])),
    }


def _errors_by(frames: Sequence[pd.DataFrame], k: int) -> str:
    """Return the word for the standard error of a row, the first that is one in a data set."""
    words = [str(frame["method"].iloc[k]).partition("/")[0] for frame in frames]
    return next((word for word in words if word != "none"), "none")


def _notes(frames: Sequence[pd.DataFrame], k: int, edge: bool) -> list[str]:
    """Return the codes of a row in any data set, and those of the pool."""
    codes = ["boundary-imputation"] if edge else []
    codes += ["few-imputations"] if len(frames) < _FEW_IMPUTATIONS else []
    own = [code for frame in frames for code in str(frame["note"].iloc[k]).split("; ")]
    # Of a code with a number, the first; adjusted p values are made anew.
    return codes + list({code.partition("=")[0]: code for code in reversed(own) if code}.values())


def _frame(matched: Matched, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the frame of pooled rows, with the words of the first frame."""
    first = matched.first
    if "p_adjusted" in first:
        _adjust(matched, rows)
    names = [*first.columns, *_ADDED.split()]
    about = about_of(first)
    question = POOL_IMPUTATIONS._replace(
        columns=estimate_columns(" ".join(dict.fromkeys(names))),
        references=tuple(dict.fromkeys([*about.get("references", ()), *RUBIN.references])),
    )
    shown = {name: value for name, value in about.items() if name not in _OWN}
    # The data sets have warned of their own doubts.
    said = {code.partition("=")[0] for row in rows for code in row["note"]} - _NEW
    return estimate_frame(question, rows, grouped="group" in names, said=said, shown=shown)


def _adjust(matched: Matched, rows: list[dict[str, Any]]) -> None:
    """Give rows the adjusted p values of the pooled ones, by the method of the frames."""
    words = [w for w in ADJUSTMENTS if any(f"adjusted={w}" in row["note"] for row in rows)]
    for row in rows:
        row["note"] = [code for code in row["note"] if not code.startswith("adjusted=")]
    # At several given rates each rate is a family, as in the frames.
    rates = tuple(name for name in matched.given if name in ("fpr", "tpr"))
    adjust = cast("Adjustment", words[0] if words else "none")
    adjust_rows(rows, adjust, within=("quantity", *rates))
