"""Answers about several imputed data sets, pooled by Rubin's rules.

The frames of one question are checked and matched row by row. Each row is pooled on the scale of
its limits, or by Wilson's equation near an end of its range, with the side and the null values that
the frames have (``rocstats.estimate.pooling``). A row that is the same in all data sets is the
answer. Formulas: docs/methods/imputation.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from rocstats.curves.areas import AreaRange
from rocstats.errors import InputError, require_open_interval
from rocstats.estimate.answers import CLUSTERS
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    HypothesisPlan,
    add_adjusted_p_values_to_rows,
    hypothesis_test_with_largest_p,
)
from rocstats.estimate.pooling import (
    ImputedAnswers,
    PooledEstimate,
    PooledNearEnd,
    PooledOnScale,
    pool_answers,
)
from rocstats.estimate.proportions import RATE_INTERVALS
from rocstats.estimate.quantiles import (
    Alternative,
    limits_at_both_quantiles,
    probability_below_upper_limit,
    t_quantile,
)
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import Range, Scale, class_of, difference_of, range_of, scale_of
from rocstats.facts.methods import Word
from rocstats.facts.tolerances import SAME
from rocstats.facts.words import quantity_of
from rocstats.frame.cutoffs import NEXT_SCORES
from rocstats.frame.make import about_of, estimate_frame
from rocstats.frame.question import BINNING_ERROR, ESTIMATE, Question, estimate_columns
from rocstats.frame.screen import given_rates

# --- Question -------------------------------------------------------------------------------------

RUBIN = Word(
    "rubin",
    "by Rubin's rules, with the degrees of freedom of Barnard and Rubin",
    ("rubin-1987", "barnard-1999"),
)
LOTT_REITER = Word(
    "lott-reiter",
    "by the method of Lott and Reiter where one of them is at or near an end of its range",
    ("rubin-1987", "lott-2020"),
)
EFFECTIVE_LOTT_REITER = LOTT_REITER._replace(
    word="lott-reiter-effective-n",
    phrase=f"{LOTT_REITER.phrase} or has no standard error, with an effective number of cases",
    published=False,
)
POOLED_BY = (RUBIN, LOTT_REITER, EFFECTIVE_LOTT_REITER)
"""The third words of ``method`` of pooled answers."""

_POOL_COLUMNS = "df fraction_missing n_imputations"
POOL_IMPUTATIONS = Question(
    "pool_imputations",
    estimate_columns(f"predictor quantity {ESTIMATE} {_POOL_COLUMNS} method note"),
    RUBIN.references,
)


def pool_imputations(
    frames: Iterable[pd.DataFrame],
    *,
    df_complete: float | None = None,
    confidence_level: float | None = None,
) -> pd.DataFrame:
    """Return pooled results of imputed data sets (Rubin's rules); a row is one estimate.

    Use this function after multiple imputation: analyse each imputed data set in the same way, and
    pool the frames. Do not average the data sets, and do not analyse a single data set: the limits
    would be too narrow.

    Parameters
    ----------
    frames : iterable of pandas.DataFrame
        Two or more frames from one method with the same options, one for each imputed data set. The
        estimates may be areas, measures at fixed thresholds or rates, differences, net benefit,
        calibration measures, or results of reader studies. The rows must be the same, in the same
        order.
    df_complete : float > 0, optional
        Degrees of freedom without missing data. By default the degrees of freedom of the frames are
        used. If these are infinite or absent, the default is n - 1. For a sensitivity, n is the
        number of positives; for a specificity, the number of negatives; for other quantities, the
        number of all cases. With clusters, n is the number of clusters. ``inf`` is the rule of
        Rubin (1987), for large samples.
    confidence_level : float in (0, 1), optional
        Level of the pooled interval; by default the level of the frames.

    Returns
    -------
    pandas.DataFrame
        The columns of the frames, and ``df`` (of the pooled interval and test),
        ``fraction_missing`` (the share of information that is missing) and ``n_imputations``.
        ``method`` names the standard error within the data sets, the scale, and "rubin" or
        "lott-reiter". A row that is the same in all data sets keeps its method. Counts and rates of
        an operating point are means over the data sets.

    Raises
    ------
    InputError
        If there are fewer than two frames; if the columns or rows of the frames differ; or if an
        option is invalid. Also for frames that cannot be pooled: curves, bands, cutpoints, joint
        tests, percentile limits and simultaneous limits.

    Warns
    -----
    StatisticalWarning
        For fewer than 5 data sets (``few-imputations``). Also if in a data set an estimate is at an
        end of its range or has no standard error (``boundary-imputation``).

    Notes
    -----
    A row that is the same in all data sets is returned unchanged. Other rows are pooled on a scale
    h. For areas, rates and other shares, h is the logit (for a partial area, between the ends of
    its range). For ratios, h is the logarithm; for kappa and Matthews' correlation, h is Fisher's
    z. For the number needed to diagnose, h is minus the reciprocal. Differences, Youden's index,
    net benefit and other quantities are not transformed. Let M be the number of data sets, q =
    h(estimate) and u = (se h'(estimate))^2. Let Q be the mean of q, U the mean of u, and B the
    variance of q over the data sets. Then

    - T = U + (1 + 1/M) B, and lambda = (1 + 1/M) B/T;
    - df = 1/(1/nu_old + 1/nu_obs) with nu_old = (M - 1)/lambda^2, nu_obs = nu (nu + 1)(1 -
      lambda)/(nu + 3) and nu = ``df_complete``;
    - limits are h^-1(Q -+ t_df sqrt(T)), cut to the range of the quantity. The p value is from the
      t statistic for the null value on the scale h.

    The estimate is h^-1(Q). If an estimate is at an end of its range or has no standard error, the
    pooled estimate is the mean of the estimates. ``se`` is sqrt(T)/h' at the pooled estimate.
    ``fraction_missing`` is (r + 2/(df + 3))/(1 + r) with r = (1 + 1/M) B/U. Adjusted p values are
    computed from the pooled p values.

    Other limits are needed if, in a data set, the estimate is at an end of its range, or the
    standard error is 0 or missing. They are Wilson's limits for n/(1 + r) cases around the mean of
    the estimates, with the quantile t_df for an infinite nu (note ``boundary-imputation``). For a
    proportion of n cases, this is the method of Lott and Reiter. It is also used if the proportion
    is one case away from 0 or 1. For areas and other bounded quantities, n is the effective number
    of cases (not published elsewhere). A ratio of 0 or infinity, and an estimate without limits,
    get only a pooled estimate.

    Rubin's rules assume that values are missing at random. The imputation model must include the
    outcome and all scores. For a bootstrap, impute first and resample within each data set
    (``variance="bootstrap"``); percentile limits cannot be pooled. In simulations with 30 % of
    scores missing, 95% limits of areas had coverage .95 to .97.

    References
    ----------
    - Rubin (1987), chapter 3 [rubin-1987]
    - Barnard & Rubin (1999), degrees of freedom [barnard-1999]
    - Lott & Reiter (2020), proportions near 0 and 1 [lott-2020]
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
    matched = _read_frames(frames)
    if df_complete is not None and df_complete != np.inf:
        require_open_interval("df_complete", df_complete, 0, np.inf)
    if confidence_level is not None:
        require_open_interval("confidence_level", confidence_level, 0, 1)
    complete = _default_df(matched) if df_complete is None else df_complete
    df_of_rows = np.broadcast_to(complete, matched.n_rows)
    # Wilson's limits take normal quantiles: in complete data their degrees of freedom are infinite.
    near_end = np.inf if df_complete is None else float(df_complete)
    rows = []
    for k, row in enumerate(_rows_averaged_over_imputations(matched)):
        if _same_in_all(matched, k, confidence_level):
            answer = _answer_of_all_imputations(matched.first.iloc[k])
        else:
            answer = _pooled_answer(matched, k, float(df_of_rows[k]), near_end, confidence_level)
        rows.append({**row, **answer, "note": [*answer["note"], *row["note"]]})
    return _pooled_frame(matched, rows)


# --- Frames of one question, checked and matched row by row ---------------------------------------


def _read_frames(frames: Any) -> MatchedImputations:
    """Return frames that can be pooled, or raise InputError that says which cannot, and why."""
    if isinstance(frames, (pd.DataFrame, str)) or not isinstance(frames, Iterable):
        raise _imputed_frames_error("be a list of frames", f"{type(frames).__name__}")
    read = list(frames)
    if len(read) < 2 or not all(isinstance(frame, pd.DataFrame) for frame in read):
        kinds = ", ".join(dict.fromkeys(type(frame).__name__ for frame in read)) or "nothing"
        raise _imputed_frames_error("be two or more frames", f"{len(read)} ({kinds})")
    for frame in read:
        _require_poolable_frame(frame)
    return _match_rows([frame.reset_index(drop=True) for frame in read])


def _imputed_frames_error(must: str, got: str, instead: str = "") -> InputError:
    advice = instead or (
        "Pass frames from one method with the same options, one for each imputed data set, such as"
        " [rs.Study(y, x).auc() for x in imputed]."
    )
    return InputError(f"`frames` must {must}; got {got}. {advice}")


_NEEDED_COLUMNS = (
    "quantity",
    "estimate",
    "se",
    "ci_low",
    "ci_high",
    "confidence_level",
    "method",
    "note",
)
# What a frame is that has one of these columns, and why its rows have no pooled interval.
_NO_ESTIMATES = {
    "scope": "a band, whose limits hold for a whole curve",
    "n_curves": "an average of curves",
    "optimism": "chosen cutpoints, which are other ones in each data set",
    "n_candidates": "a test of the best of several",
    "n_folds": "a comparison over folds",
    "n_datasets": "a comparison over data sets",
    BINNING_ERROR: "of binned scores",
}
_RESAMPLED = ("percentile", "bca")


def _require_poolable_frame(frame: pd.DataFrame) -> None:
    kind = about_of(frame).get("function", "a frame")
    for name, what in _NO_ESTIMATES.items():
        if name in frame:
            raise _imputed_frames_error("hold estimates that can be pooled", f"{kind}, {what}")
    missing = [name for name in _NEEDED_COLUMNS if name not in frame]
    if missing or frame.empty:
        got = f"no columns {', '.join(missing)} in {kind}" if missing else "a frame without rows"
        raise _imputed_frames_error("hold estimates with standard errors", got)
    _require_poolable_rows(frame)


def _require_poolable_rows(frame: pd.DataFrame) -> None:
    """Raise InputError for rows without an estimate that has a standard error."""
    words = frame["method"].astype(str)
    resampled = words.str.split("/").str[1].isin(_RESAMPLED)
    if resampled.any():
        raise _imputed_frames_error(
            "have limits from a standard error, as percentiles are not pooled",
            f"the method {words[resampled].iloc[0]!r}",
            "Pass interval='logit', or another interval that uses the standard error.",
        )
    tests = frame["estimate"].isna() & frame.get("p_value", frame["estimate"]).notna()
    if tests.any():
        raise _imputed_frames_error(
            "hold estimates, not joint tests",
            f"a row of {frame.loc[tests, 'quantity'].iloc[0]!r} without an estimate",
            "Leave such rows out: frame[frame['estimate'].notna()].",
        )
    joint = frame["note"].astype(str).str.contains("simultaneous-intervals|joint-level")
    if joint.any():
        raise _imputed_frames_error(
            "have intervals for single rows",
            "simultaneous intervals of several rows",
            "Pass adjust='holm', or leave `joint` out.",
        )


# Numbers that a question was asked with: they must agree. Others are means of the data sets.
_OPTION_COLUMNS = (
    *("risk_threshold", "risk", "range_low", "range_high", "null_value", "confidence_level"),
    *("prevalence", "cost_fp", "cost_fn", "df_numerator"),
)


def _match_rows(frames: list[pd.DataFrame]) -> MatchedImputations:
    first = frames[0]
    functions = {about_of(frame).get("function", "") for frame in frames} - {""}
    if len(functions) > 1:
        raise _imputed_frames_error("come from one method", " and ".join(sorted(functions)))
    for number, frame in enumerate(frames[1:], 2):
        if list(frame.columns) != list(first.columns):
            odd = sorted(set(frame.columns) ^ set(first.columns))
            raise _imputed_frames_error(
                "have the same columns", f"{odd} in one of frames 1 and {number} only"
            )
        if len(frame) != len(first):
            raise _imputed_frames_error(
                "have the same rows", f"{len(first)} rows in frame 1 and {len(frame)} in {number}"
            )
        for name in map(str, first.columns):
            label = not _is_number(name) and name not in ("method", "note")
            if label or name in _OPTION_COLUMNS:
                _require_equal_between_imputations(first, frame, name, number)
    return MatchedImputations(frames, _point_place_columns_of_imputations(frames))


def _require_equal_between_imputations(
    first: pd.DataFrame, other: pd.DataFrame, name: str, number: int
) -> None:
    same = _rows_agreeing_between_imputations(first, other, name)
    if name == "confidence_level":  # a row without an interval has none
        same = same | (first[name].isna() | other[name].isna()).to_numpy()
    if not same.all():
        row = int(np.flatnonzero(~same)[0])
        got = f"{name} {first[name].iloc[row]!r} and {other[name].iloc[row]!r}"
        raise _imputed_frames_error(
            "have the same rows in the same order", f"{got} in row {row} of frames 1 and {number}"
        )


def _rows_agreeing_between_imputations(first: pd.DataFrame, other: pd.DataFrame, name: str) -> Any:
    a, b = first[name], other[name]
    return ((a == b) | (a.isna() & b.isna())).to_numpy()


def _point_place_columns_of_imputations(frames: list[pd.DataFrame]) -> tuple[str, ...]:
    """Return the columns that say where all points are: thresholds, or else a rate."""
    first = frames[0]
    if "threshold" not in first:
        return ()
    places = [name for name in ("threshold", *given_rates(first)) if name in first]
    for name in places:
        agree = all(
            _rows_agreeing_between_imputations(first, frame, name).all() for frame in frames[1:]
        )
        # Between vertices a threshold is NaN in every row: it says nothing.
        if agree and first[name].notna().any():
            return (name, "reference_threshold") if name == "threshold" else (name,)
    # Thresholds that agree are all NaN: the rate that was given differs.
    differ = ~np.all(
        [_rows_agreeing_between_imputations(first, frame, "threshold") for frame in frames[1:]],
        axis=0,
    )
    found = f"thresholds that differ in row {np.argmax(differ)}"
    raise _imputed_frames_error(
        "have the same operating points",
        found if differ.any() else f"different {' and '.join(places[1:])}",
        "Pass the same thresholds for each data set, or the same rates (interpolated).",
    )


class MatchedImputations(NamedTuple):
    """Frames with the same rows; ``point_columns`` say where a point is."""

    frames: list[pd.DataFrame]
    point_columns: tuple[str, ...]

    @property
    def first(self) -> pd.DataFrame:
        """The first frame."""
        return self.frames[0]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.first)

    def stacked(self, name: str) -> FloatArray:
        """Return a column of numbers, a row a frame."""
        return np.stack([frame[name].to_numpy(dtype=np.float64) for frame in self.frames])


# --- Degrees of freedom that estimates would have if nothing were missing -------------------------


def _default_df(matched: MatchedImputations) -> FloatArray:
    """Return the degrees of freedom that each row would have if nothing were missing.

    Those of the frames where they are finite, else the number of cases (or clusters) less 1.
    """
    # One case has no degree of freedom: its rows rest on limits, which do not take this number.
    units = np.maximum(_row_units(matched) - 1, 1)
    if "df" not in matched.first:
        return units
    # Satterthwaite's differ between data sets: the least promises no more than any of them.
    df = matched.stacked("df")
    return np.where(np.isfinite(df).all(axis=0), df.min(axis=0), units)


def _row_units(matched: MatchedImputations) -> FloatArray:
    """Return the number of cases (or clusters) in the class of each row, the least of the frames.

    It is infinite where the frames do not have it.
    """
    if _are_imputations_clustered(matched.frames):
        pos, neg, both = _cluster_numbers(matched)
    elif {"n_pos", "n_neg"} <= set(matched.first):
        pos, neg = (matched.stacked(name).min(axis=0) for name in ("n_pos", "n_neg"))
        both = pos + neg
    else:
        return np.full(matched.n_rows, np.inf)
    classes = [class_of(str(word)) for word in matched.first["quantity"]]
    of_pos, of_neg = (
        np.array([of == side for of in classes]) for side in ("positives", "negatives")
    )
    return np.asarray(np.where(of_pos, pos, np.where(of_neg, neg, both)))


def _are_imputations_clustered(frames: Sequence[pd.DataFrame]) -> bool:
    # By the methods too: pandas and csv files drop what a frame carries.
    return any(
        CLUSTERS in about_of(frame)
        or frame["method"].astype(str).str.contains("cluster|obuchowski").any()
        for frame in frames
    )


def _cluster_numbers(matched: MatchedImputations) -> FloatArray:
    """Return the numbers of clusters with a positive, a negative, and of all, by row (3 x n)."""
    of_frames: list[Any] = [about_of(frame).get(CLUSTERS) for frame in matched.frames]
    if not all(of_frames):
        raise InputError(
            "`df_complete` must be given if the frames lack the number of clusters; got None."
            " Pass the number of clusters minus 1."
        )
    groups = matched.first.get("group", pd.Series("", index=matched.first.index))
    counts = []
    for clusters in of_frames:
        # A row across groups has the clusters of all.
        total = np.sum(list(clusters.values()), axis=0)
        counts.append([clusters.get(group, total) for group in groups])
    return np.asarray(np.min(counts, axis=0).T, dtype=np.float64)


# --- Rows, and the frame --------------------------------------------------------------------------


def _rows_averaged_over_imputations(matched: MatchedImputations) -> Iterator[dict[str, Any]]:
    """Yield the words of each row, the means of its numbers, and its notes."""
    means = {
        str(name): _column_means(matched, str(name))
        for name in matched.first
        if _is_number(str(name))
    }
    for k in range(matched.n_rows):
        first = matched.first.iloc[k]
        yield {
            **{str(name): first[name] for name in first.index if name not in means},
            **{name: float(values[k]) for name, values in means.items()},
            "n_imputations": len(matched.frames),
            "note": _row_notes_of_imputations(matched.frames, k),
        }


def _is_number(name: str) -> bool:
    """Return whether a column is of numbers; columns of groups, and a user's, name rows."""
    return name in GLOSSARY and GLOSSARY[name].kind != "text"


def _column_means(matched: MatchedImputations, name: str) -> FloatArray:
    """Return the means of a column of numbers; of cutoffs, NaN where they differ."""
    values = matched.stacked(name)
    # Cutoffs beyond every score on either side have no mean.
    with np.errstate(invalid="ignore"):
        mean = values.mean(axis=0)
    # Where a rate is given each data set has a threshold of its own, whose mean none has.
    cutoff = name in (*NEXT_SCORES, *NEXT_SCORES.values())
    alike = not cutoff or (values == values[0]).all(axis=0)
    return np.where(alike, mean, np.nan)


def _row_notes_of_imputations(frames: Sequence[pd.DataFrame], k: int) -> list[str]:
    """Return the codes that a row has in any data set."""
    of_frames = [code for frame in frames for code in str(frame["note"].iloc[k]).split("; ")]
    # Of a code with a number, the first; adjusted p values are made anew.
    return list({code.partition("=")[0]: code for code in reversed(of_frames) if code}.values())


_ANSWER_COLUMNS = (
    "estimate",
    "se",
    "ci_low",
    "ci_high",
    "confidence_level",
    "df",
    "statistic",
    "p_value",
)


def _same_in_all(matched: MatchedImputations, k: int, level: float | None) -> bool:
    """Return whether a row is the same in all data sets, at the requested level."""
    names = [name for name in _ANSWER_COLUMNS if name in matched.first]
    first, *others = (
        np.array([frame[name].iloc[k] for name in names], dtype=float) for frame in matched.frames
    )
    # Sums over cases in another order differ by rounding.
    same = all(np.allclose(first, other, SAME, SAME, equal_nan=True) for other in others)
    of_frames = float(matched.first["confidence_level"].iloc[k])
    return same and (level is None or np.isnan(of_frames) or of_frames == level)


def _answer_of_all_imputations(first: pd.Series) -> dict[str, Any]:
    """Return the answer that all data sets give, with nothing missing that matters for it."""
    answer = {name: float(first[name]) for name in _ANSWER_COLUMNS if name in first}
    limited = not np.isnan(answer["ci_low"])
    df = answer.get("df", np.nan)
    return {
        **answer,
        # Limits without degrees of freedom of their own take normal quantiles.
        "df": np.inf if limited and np.isnan(df) else df,
        "fraction_missing": 0.0 if limited else np.nan,
        "method": first["method"],
        "note": [],
    }


# Below 5 the number of data sets itself adds 5 % and more to the width of limits.
_FEW_IMPUTATIONS = 5


def _pooled_answer(
    matched: MatchedImputations, k: int, df_complete: float, df_near_end: float, level: float | None
) -> dict[str, Any]:
    """Return the pooled columns of a row, with the side and the null values of the frames.

    ``level`` is that of the frames unless it is given.
    """
    frames, first = matched.frames, matched.first.iloc[k]
    hypothesis = str(first.get("hypothesis", "two-sided"))
    side: Alternative = "two-sided"
    if hypothesis in ("greater", "less"):
        side = hypothesis  # type: ignore[assignment]
    # A row without an interval in a data set has no level there.
    levels = matched.stacked("confidence_level")[:, k]
    of_frames = float(next(iter(levels[~np.isnan(levels)]), np.nan))
    level = of_frames if level is None else level
    scale, ends = _pooling_scale_and_range(first)
    estimates, errors, lows, highs = (
        matched.stacked(name)[:, k] for name in ("estimate", "se", "ci_low", "ci_high")
    )
    reach = t_quantile(probability_below_upper_limit(of_frames, side), np.inf)
    of_counts = not _limit_words_of_imputations(frames, k) & _ON_SCALE
    answers = ImputedAnswers(estimates, errors, lows, highs, reach, side, of_counts)
    pooled = pool_answers(answers, scale, ends, df_complete, df_near_end=df_near_end)
    has_se = not np.isnan(pooled.se)
    low = high = np.nan
    if has_se:
        # A one-sided limit is open to the end that it has in the frames.
        open_ends = float(min(lows.tolist())), float(max(highs.tolist()))
        low, high = limits_at_both_quantiles(pooled.limit, level, side, *open_ends, pooled.df)
    tests = _row_tests_of_imputations(frames, k, hypothesis)
    tested = {}
    if tests:
        plan = HypothesisPlan(level, side, tests[0][0], "", tests)
        statistic, p = hypothesis_test_with_largest_p(plan, pooled.statistic, pooled.df)
        tested = {"statistic": statistic, "p_value": p}
    codes = ["few-imputations"] if len(frames) < _FEW_IMPUTATIONS else []
    replaced = isinstance(pooled, PooledOnScale) and not (errors > 0).all()
    if isinstance(pooled, PooledNearEnd) or replaced:
        codes = ["boundary-imputation", *codes]
    return {
        "estimate": pooled.estimate,
        "se": pooled.se,
        "ci_low": low,
        "ci_high": high,
        "confidence_level": level if has_se else np.nan,
        "df": pooled.df,
        "fraction_missing": pooled.fraction_missing,
        **tested,
        "method": _pooled_method_words(frames, k, pooled, scale),
        "note": codes,
    }


def _row_tests_of_imputations(
    frames: Sequence[pd.DataFrame], k: int, hypothesis: str
) -> tuple[tuple[float, Alternative], ...]:
    """Return the null values, with the side of the alternative of each; none without a test."""
    first = frames[0].iloc[k]
    if "p_value" not in first:
        return ()
    null = float(first["null_value"])
    if hypothesis == "equivalence":
        return ((-abs(null), "greater"), (abs(null), "less"))
    if hypothesis in ("superiority", "non-inferiority"):
        return ((null, _margin_side_of_imputations(frames, k)),)
    return ((null, cast("Alternative", hypothesis)),)


def _margin_side_of_imputations(frames: Sequence[pd.DataFrame], k: int) -> Alternative:
    """Return the side of a test against a margin: "less" where less is better, as of costs."""
    for frame in frames:
        statistic, p = float(frame["statistic"].iloc[k]), float(frame["p_value"].iloc[k])
        if statistic and not np.isnan(statistic + p):
            return "greater" if (statistic > 0) == (p < 0.5) else "less"
    return "greater"


def _pooling_scale_and_range(first: pd.Series) -> tuple[Scale, Range]:
    """Return the scale of the limits of a row, and the least and the greatest value of it."""
    quantity = quantity_of(first)
    scale, ends = scale_of(quantity), range_of(quantity)
    if "range_axis" not in first or first["range_axis"] not in ("fpr", "tpr"):
        return scale, ends
    over = AreaRange(first["range_axis"], float(first["range_low"]), float(first["range_high"]))
    for name, least, width in over.quantities():
        if quantity == difference_of(name):
            return scale, (-width, width)
        if quantity == name:
            return scale.between(least, least + width), (least, least + width)
    return scale, ends


def _pooled_method_words(
    frames: Sequence[pd.DataFrame], k: int, pooled: PooledEstimate, scale: Scale
) -> str:
    """Return the words for the standard error in the data sets, the limits, and the pooling."""
    errors = _se_word_of_imputations(frames, k)
    if isinstance(pooled, PooledOnScale):
        return f"{errors}/{scale.word}/{RUBIN.word}"
    if not isinstance(pooled, PooledNearEnd):
        return "none/none"
    counted = errors == "binomial" and _limit_words_of_imputations(frames, k) <= _OF_ONE_COUNT
    used = LOTT_REITER if counted else EFFECTIVE_LOTT_REITER
    return f"{errors}/wilson-effective-n/{used.word}"


# Limits made on the scale of the quantity, and those of one number of cases.
_ON_SCALE = {"logit", "logit-t", "probit", "fisher", "mercaldo"}
_OF_ONE_COUNT = {rate.word for rate in RATE_INTERVALS}


def _limit_words_of_imputations(frames: Sequence[pd.DataFrame], k: int) -> set[str]:
    """Return the words for the limits of a row in the data sets."""
    return {str(frame["method"].iloc[k]).partition("/")[2].partition("/")[0] for frame in frames}


def _se_word_of_imputations(frames: Sequence[pd.DataFrame], k: int) -> str:
    """Return the word for the standard error of a row, the first that is one in a data set."""
    words = [str(frame["method"].iloc[k]).partition("/")[0] for frame in frames]
    return next((word for word in words if word != "none"), "none")


_POOL_NOTES = {"boundary-imputation", "few-imputations"}
# Attributes of a frame that are about its question, and not about its study.
_QUESTION_ATTRIBUTES = {"function", "version", "seed", "n_resamples", "references"}


def _pooled_frame(matched: MatchedImputations, rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the frame of pooled rows, with the words of the first frame."""
    first = matched.first
    if "p_adjusted" in first:
        _adjust_pooled(matched, rows)
    names = [*(name for name in first.columns if name in GLOSSARY), *_POOL_COLUMNS.split()]
    about = about_of(first)
    question = POOL_IMPUTATIONS._replace(
        columns=estimate_columns(" ".join(dict.fromkeys(names))),
        references=tuple(dict.fromkeys([*about.get("references", ()), *RUBIN.references])),
    )
    facts = {name: value for name, value in about.items() if name not in _QUESTION_ATTRIBUTES}
    # The data sets have warned of their own doubts.
    warned = {code.partition("=")[0] for row in rows for code in row["note"]} - _POOL_NOTES
    frame = estimate_frame(question, rows, grouped="group" in names, said=warned, shown=facts)
    # Columns of groups, or of a user, stand behind the same column as in the frames.
    before = ""
    for name in first.columns:
        if name not in GLOSSARY:
            place = list(frame.columns).index(before) + 1 if before else 0
            frame.insert(place, name, first[name].to_numpy())
        before = name
    return frame


def _adjust_pooled(matched: MatchedImputations, rows: list[dict[str, Any]]) -> None:
    """Give rows the adjusted p values of the pooled ones, by the method of the frames."""
    words = [w for w in ADJUSTMENTS if any(f"adjusted={w}" in row["note"] for row in rows)]
    for row in rows:
        row["note"] = [code for code in row["note"] if not code.startswith("adjusted=")]
    # At several given rates each rate is a family, as in the frames.
    rates = tuple(name for name in matched.point_columns if name in ("fpr", "tpr"))
    adjust = cast("Adjustment", words[0] if words else "none")
    add_adjusted_p_values_to_rows(rows, adjust, within=("quantity", *rates))
