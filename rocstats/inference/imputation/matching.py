"""Frames of one question about several imputed data sets, checked and matched row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.given import given_rates
from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.labels import about_of
from rocstats.frames.questions import BINNING_ERROR
from rocstats.inference.estimates.answers import CLUSTERS
from rocstats.sample.arrays import FloatArray

_NEEDED = ("quantity", "estimate", "se", "ci_low", "ci_high", "confidence_level", "method", "note")
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
# Numbers that a question was asked with: they must agree. Others are means of the data sets.
_ASKED = (
    *("risk_threshold", "risk", "range_low", "range_high", "null_value", "confidence_level"),
    *("prevalence", "cost_fp", "cost_fn", "df_numerator"),
)


class Matched(NamedTuple):
    """Frames with the same rows; ``given`` are the columns that say where a point is."""

    frames: list[pd.DataFrame]
    given: tuple[str, ...]

    @property
    def first(self) -> pd.DataFrame:
        """The first frame."""
        return self.frames[0]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.first)

    @property
    def _clustered(self) -> bool:
        # By its methods too: pandas and csv files drop what a frame carries.
        return any(
            CLUSTERS in about_of(frame)
            or frame["method"].astype(str).str.contains("cluster|obuchowski").any()
            for frame in self.frames
        )

    def stacked(self, name: str) -> FloatArray:
        """Return a column of numbers, a row a frame."""
        return np.stack([frame[name].to_numpy(dtype=np.float64) for frame in self.frames])

    def sizes(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the numbers of positives, negatives and all cases of each row (or clusters)."""
        if self._clustered:
            known = [about_of(frame).get(CLUSTERS) for frame in self.frames]
            groups = self.first.get("group", pd.Series("", index=self.first.index))
            if not all(known):
                raise InputError(
                    "`df_complete` must be given for clusters whose number the frames do not have;"
                    " got None. Pass the number of clusters less 1."
                )
            counts = np.array([[_of_group(one or {}, group) for group in groups] for one in known])
            least = np.asarray(counts.min(axis=0), dtype=np.float64)
            return least[:, 0], least[:, 1], least[:, 2]
        if not {"n_pos", "n_neg"} <= set(self.first):
            unknown = np.full(self.n_rows, np.inf)
            return unknown, unknown, unknown
        pos, neg = (self.stacked(name).min(axis=0) for name in ("n_pos", "n_neg"))
        return pos, neg, pos + neg


def _of_group(clusters: dict[str, list[int]], group: str) -> list[float]:
    """Return the numbers of clusters of a group; those of all for a row across groups."""
    if group in clusters:
        return [float(n) for n in clusters[group]]
    total: list[float] = np.sum(list(clusters.values()), axis=0, dtype=float).tolist()
    return total


def read_frames(frames: Any) -> Matched:
    """Return frames that can be pooled, or raise InputError that says which cannot, and why."""
    if isinstance(frames, (pd.DataFrame, str)) or not isinstance(frames, Iterable):
        raise _refusal("be a list of frames", f"{type(frames).__name__}")
    read = list(frames)
    if len(read) < 2 or not all(isinstance(frame, pd.DataFrame) for frame in read):
        kinds = ", ".join(dict.fromkeys(type(frame).__name__ for frame in read)) or "nothing"
        raise _refusal("be two frames or more", f"{len(read)} ({kinds})")
    for frame in read:
        _require_estimates(frame)
    return _matched([frame.reset_index(drop=True) for frame in read])


def _refusal(must: str, got: str, instead: str = "") -> InputError:
    advice = instead or (
        "Pass the answers of one question to each imputed data set, such as"
        " [rs.Study(y, x).auc() for x in imputed]."
    )
    return InputError(f"`frames` must {must}; got {got}. {advice}")


def _require_estimates(frame: pd.DataFrame) -> None:
    asked = about_of(frame).get("function", "a frame")
    for name, what in _NO_ESTIMATES.items():
        if name in frame:
            raise _refusal("hold estimates that can be pooled", f"{asked}, {what}")
    missing = [name for name in _NEEDED if name not in frame]
    if missing or frame.empty:
        got = f"no columns {', '.join(missing)} in {asked}" if missing else "a frame without rows"
        raise _refusal("hold estimates with standard errors", got)
    _require_pooled_rows(frame)


def _require_pooled_rows(frame: pd.DataFrame) -> None:
    """Raise InputError for rows whose answer is no estimate with a standard error."""
    words = frame["method"].astype(str)
    resampled = words.str.split("/").str[1].isin(_RESAMPLED)
    if resampled.any():
        raise _refusal(
            "have limits from a standard error, as percentiles are not pooled",
            f"the method {words[resampled].iloc[0]!r}",
            "Ask for interval='logit', or another that takes the standard error.",
        )
    tests = frame["estimate"].isna() & frame.get("p_value", frame["estimate"]).notna()
    if tests.any():
        raise _refusal(
            "hold estimates, not tests of several at once",
            f"a row of {frame.loc[tests, 'quantity'].iloc[0]!r} without an estimate",
            "Leave such rows out: frame[frame['estimate'].notna()].",
        )
    joint = frame["note"].astype(str).str.contains("simultaneous-intervals|joint-level")
    if joint.any():
        raise _refusal(
            "have intervals of one row each",
            "intervals that hold for several rows at once",
            "Ask for adjust='holm', or leave joint out.",
        )


def _matched(frames: list[pd.DataFrame]) -> Matched:
    first = frames[0]
    functions = {about_of(frame).get("function", "") for frame in frames} - {""}
    if len(functions) > 1:
        raise _refusal("be of one question", " and ".join(sorted(functions)))
    for number, frame in enumerate(frames[1:], 2):
        if list(frame.columns) != list(first.columns):
            odd = sorted(set(frame.columns) ^ set(first.columns))
            raise _refusal("have the same columns", f"{odd} in one of frames 1 and {number} only")
        if len(frame) != len(first):
            raise _refusal(
                "have the same rows", f"{len(first)} rows in frame 1 and {len(frame)} in {number}"
            )
        for name in map(str, first.columns):
            if (GLOSSARY[name].kind == "text" and name not in ("method", "note")) or name in _ASKED:
                _require_equal(first, frame, name, number)
    return Matched(frames, _given_places(frames))


def _require_equal(first: pd.DataFrame, other: pd.DataFrame, name: str, number: int) -> None:
    same = _same(first, other, name)
    if name == "confidence_level":  # a row without an interval has none
        same = same | (first[name].isna() | other[name].isna()).to_numpy()
    if not same.all():
        row = int(np.flatnonzero(~same)[0])
        got = f"{name} {first[name].iloc[row]!r} and {other[name].iloc[row]!r}"
        raise _refusal(
            "have the same rows in the same order", f"{got} in row {row} of frames 1 and {number}"
        )


def _same(first: pd.DataFrame, other: pd.DataFrame, name: str) -> Any:
    a, b = first[name], other[name]
    return ((a == b) | (a.isna() & b.isna())).to_numpy()


def _given_places(frames: list[pd.DataFrame]) -> tuple[str, ...]:
    """Return the columns that say where all points are: thresholds, or else a rate."""
    first = frames[0]
    if "threshold" not in first:
        return ()
    places = [name for name in ("threshold", *given_rates(first)) if name in first]
    for name in places:
        agree = all(_same(first, frame, name).all() for frame in frames[1:])
        # Between vertices a threshold is NaN in every row: it says nothing.
        if agree and first[name].notna().any():
            return (name, "reference_threshold") if name == "threshold" else (name,)
    # Thresholds that agree are all NaN: the rate that was given differs.
    differ = ~np.all([_same(first, frame, "threshold") for frame in frames[1:]], axis=0)
    found = f"thresholds that differ in row {np.argmax(differ)}"
    raise _refusal(
        "be of the same points",
        found if differ.any() else f"another {' and '.join(places[1:])} in each",
        "Ask each data set at the same thresholds, or at the same rates, interpolated.",
    )
