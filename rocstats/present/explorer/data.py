"""What an explorer knows of a study: frames in, JSON builtins out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocstats.frames.labels import about_of, labels_in
from rocstats.present.explorer.edges import (
    FloatArray,
    Steps,
    axis_of,
    cells,
    decimals_of,
    is_yes_no,
    offered_edges,
    read_steps,
)
from rocstats.present.explorer.presets import Preset, number_or_none, presets_of
from rocstats.present.places import threshold_text
from rocstats.present.plots.shared.axes import series_names
from rocstats.present.plots.shared.series import Series, pieces_of

if TYPE_CHECKING:
    import pandas as pd

    from rocstats.present.protocols import StudyLike

_WORDS = {"case": "patient", "cases": "patients", "action": "treat"}

# More vertices of a curve than pixels of its panel are not seen.
_MOST_VERTICES = 500

# Places of a band: a fifth of the vertices, between which it is nearly straight.
_MOST_PLACES = 201

# A panel has 500 pixels: rates are drawn, not printed, from these digits.
_DRAWN_DIGITS = 6


class ExplorerFrames(NamedTuple):
    """Answers of a study that its explorer shows; those that are None are left out.

    ``cutpoints`` and ``points`` need a prevalence for predictive values.
    """

    curve: pd.DataFrame
    """``study.roc_curve()``."""
    auc: pd.DataFrame
    """``study.auc(...)``."""
    band: pd.DataFrame | None = None
    """``study.roc_band(...)``."""
    cutpoints: pd.DataFrame | None = None
    """``study.cutpoints(criterion, prevalence=...)``."""
    draws: pd.DataFrame | None = None
    """``study.cutpoint_draws(criterion)``, with the seed of the cutpoints."""
    points: pd.DataFrame | None = None
    """``study.operating_points(threshold=..., prevalence=...)``, for cutoffs set beforehand."""
    comparisons: Sequence[pd.DataFrame] = ()
    """``study.compare_operating_points(threshold={...})`` at cutoffs of the frames above."""


def why_no_explorer(study: StudyLike) -> str:
    """Return why a study can have no explorer; "" if it can."""
    if study.sample_weight is not None:
        return "With weights there are no counts of cases, which the explorer shows."
    return ""


def why_no_moved_limits(study: StudyLike) -> str:
    """Return why no limits hold for every cutoff of a study at once; "" if they do."""
    if study.cluster is not None:
        return (
            "Cases of a cluster are not independent: there are no limits that hold for every"
            " cutoff at once."
        )
    return ""


def yes_no_cutoffs(curve: pd.DataFrame) -> dict[str, float]:
    """Return the cutoff of each predictor with two results in every group.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.roc_curve()``.

    Returns
    -------
    dict of str to float
        The result that is positive, which was set before the study.
    """
    found: dict[str, set[float]] = {}
    for (predictor, _), rows in _curves(curve).items():
        steps = read_steps(rows)
        sign = 1.0 if rows["direction"].iloc[0] == ">=" else -1.0
        upper = {sign * float(steps.finite[-1])} if is_yes_no(steps) else {math.nan}
        found.setdefault(predictor, set()).update(upper)
    return {
        predictor: next(iter(cutoffs))
        for predictor, cutoffs in found.items()
        if len(cutoffs) == 1 and all(map(math.isfinite, cutoffs))
    }


def explorer_data(
    frames: ExplorerFrames,
    *,
    words: Mapping[str, str] | None = None,
    exact: bool = False,
    prevalence: float | None = None,
    study_prevalence: float | None = None,
    categories: Mapping[str, Sequence[str]] | None = None,
    unmoved: str = "",
) -> dict[str, Any]:
    """Return what an explorer shows, made of frames alone.

    Parameters
    ----------
    frames : ExplorerFrames
        The answers of the study, with one confidence level.
    words : mapping of str to str, optional
        What the page says for "case", "cases", "condition" and "action".
    exact : bool, default False
        Whether every score is a cutoff. Otherwise scores of patients are not in the data, but for
        cutoffs with at least 5 or none of a class between them.
    prevalence : float in (0, 1), optional
        Where the control of the prevalence starts; by default at ``study_prevalence``.
    study_prevalence : float in (0, 1), optional
        Share of positives in the study.
    categories : mapping of str to sequence of str, optional
        Names of the ordered categories of predictors whose scores are their numbers from 0.
    unmoved : str, default ""
        Why there are no limits for a cutoff that a reader moved, see ``why_no_moved_limits``.

    Returns
    -------
    dict
        JSON builtins, None for what is not a number. Each of the ``tests`` (a predictor, in a
        group) has ``edges``, ascending cutoffs at which a case is positive whose score is at least
        (``direction`` ">=") or at most ("<=") the edge; the counts ``pos`` and ``neg`` below,
        between and above them; and ``presets``, cutoffs with their rates, and with predictive
        values as logits less that of the prevalence (``npv``: of the chance after a negative
        result). ``moved`` is how far rates at any cutoff may be off. ``pairs`` are paired
        differences, first minus second. ``left_out`` names each test without both classes, or
        without a cutoff that can be shown, and the reason.
    """
    outcome = about_of(frames.curve).get("outcome")
    levels = frames.auc["confidence_level"].dropna()
    level = float(levels.iloc[0])
    curves = _curves(frames.curve)
    ids = _ids(list(curves))
    tests, left_out = [], []
    for series, label in zip(curves, _labels(frames.curve, list(curves)), strict=True):
        test = _test(series, curves[series], frames, categories or {}, exact)
        named = {"id": ids[series], "predictor": series[0], "group": series[1] or None}
        if isinstance(test, str):
            left_out.append({**named, "label": label, "reason": test})
        else:
            moved = None if unmoved else _moved(test["n_pos"], test["n_neg"], level)
            limits = {"moved": moved, "moved_reason": unmoved}
            tests.append({**named, "label": label, **test, **limits})
    return {
        "version": 1,
        "level": level,
        "exact": exact,
        "words": {**_WORDS, "condition": outcome or "the condition", **(words or {})}
        | {"outcome": outcome or ""},
        "texts": _texts(),
        "study_prevalence": study_prevalence,
        "prevalence": study_prevalence if prevalence is None else prevalence,
        "tests": tests,
        "left_out": left_out,
        "pairs": _pairs(frames.comparisons, {test["id"]: test for test in tests}, ids),
    }


def _texts() -> dict[str, Any]:
    """Return the sentences that Python and the page have in common."""
    text = files("rocstats.present.explorer").joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _curves(curve: pd.DataFrame) -> dict[Series, pd.DataFrame]:
    """Return the curve of all folds of each predictor and group."""
    pieces = pieces_of(curve, ["predictor", "group", "fold"])
    return {(predictor, group): rows for (predictor, group, fold), rows in pieces if not fold}


def _ids(names: Sequence[Series]) -> dict[Series, str]:
    """Return an id for each predictor and group: no two are alike."""
    found: dict[Series, str] = {}
    for predictor, group in names:
        name = f"{predictor}@{group}" if group else predictor
        while name in found.values():
            name += "'"
        found[predictor, group] = name
    return found


def _labels(curve: pd.DataFrame, names: Sequence[Series]) -> list[str]:
    known = labels_in(None, curve)
    shown = [(known.get(predictor, predictor), group) for predictor, group in names]
    return series_names(shown)


def _rows(frame: pd.DataFrame | None, series: Series) -> pd.DataFrame | None:
    """Return the rows of a predictor and group; None for no frame, or no rows."""
    if frame is None:
        return None
    chosen = frame["predictor"].astype(str) == series[0]
    if "group" in frame:
        chosen &= frame["group"].astype(str) == series[1]
    return frame[chosen] if chosen.any() else None


def _test(
    series: Series,
    curve: pd.DataFrame,
    frames: ExplorerFrames,
    categories: Mapping[str, Sequence[str]],
    exact: bool,
) -> dict[str, Any] | str:
    """Return a test, or why it is left out."""
    steps, direction = read_steps(curve), str(curve["direction"].iloc[0])
    n_pos, n_neg = round(steps.pos[0]), round(steps.neg[0])
    if min(n_pos, n_neg) == 0:
        return "There are no positives." if n_pos == 0 else "There are no negatives."
    yes_no = is_yes_no(steps)
    chosen = (None, None) if yes_no else (frames.cutpoints, frames.draws)
    presets = presets_of(*(_rows(frame, series) for frame in (*chosen, frames.points)))
    sign = 1.0 if direction == ">=" else -1.0
    edges = offered_edges(steps, [sign * each.threshold for each in presets], exact=exact)
    if len(edges) == 0:
        return "No cutoff leaves at least 5 of a class, or none, on both sides."
    pos, neg = cells(steps, edges)
    shown = sign * edges[:: int(sign)] + 0.0
    given = [each.threshold for each in presets if each.record["kind"] == "prespecified"]
    decimals = decimals_of(shown, given)
    names = _names(shown, categories.get(series[0]), direction)
    return {
        "direction": direction,
        "yes_no": yes_no,
        "names": names,
        "n_pos": n_pos,
        "n_neg": n_neg,
        "axis": list(_axis(steps, sign, shown, exact=exact)),
        "decimals": decimals,
        "edges": shown.tolist(),
        "pos": np.rint(pos[:: int(sign)]).astype(int).tolist(),
        "neg": np.rint(neg[:: int(sign)]).astype(int).tolist(),
        "auc": None if yes_no else _area(_rows(frames.auc, series)),
        "curve": _vertices(steps),
        "band": None if yes_no else _band(_rows(frames.band, series)),
        "presets": [_placed(each, shown, names, decimals, exact=exact) for each in presets],
    }


def _axis(steps: Steps, sign: float, edges: FloatArray, *, exact: bool) -> tuple[float, float]:
    every = np.concatenate([sign * steps.finite, edges])
    return axis_of(float(every.min()), float(every.max()), exact=exact)


def _placed(
    preset: Preset,
    edges: FloatArray,
    names: Mapping[str, str] | None,
    decimals: int,
    *,
    exact: bool,
) -> dict[str, Any]:
    """Return a preset with the place of its cutoff among the edges."""
    edge = int(np.searchsorted(edges, preset.threshold))
    found = {**preset.record, "edge": edge, "threshold": float(edges[edge])}
    word = (names or {}).get(_key(found["threshold"]))
    cutoff = word or threshold_text(found["threshold"], decimals)
    found["name"] = found["name"] or f"Set beforehand: {cutoff}"
    if not exact:
        # Resampled cutpoints and their limits may be scores, or midpoints that tell two of them.
        found["draws"] = [round(value, decimals) + 0.0 for value in found["draws"]]
        for key in ("threshold_low", "threshold_high"):
            found[key] = None if found[key] is None else round(found[key], decimals) + 0.0
    return found


def _names(
    edges: FloatArray, categories: Sequence[str] | None, direction: str
) -> dict[str, str] | None:
    """Return the word of each cutoff: the first category that it calls positive."""
    if not categories:
        return None
    inward = np.ceil(edges) if direction == ">=" else np.floor(edges)
    numbers = inward.clip(0, len(categories) - 1).astype(int)
    return {
        _key(float(edge)): categories[number] for edge, number in zip(edges, numbers, strict=True)
    }


def _key(threshold: float) -> str:
    """Return a number as JavaScript writes it: a whole one without decimals."""
    return f"{threshold:.0f}" if threshold == round(threshold) else repr(threshold)


def _area(rows: pd.DataFrame | None) -> dict[str, float | None] | None:
    if rows is None or not math.isfinite(rows["estimate"].iloc[0]):
        return None
    return _interval(rows.iloc[0])


def _interval(row: pd.Series) -> dict[str, float | None]:
    columns = ("estimate", "ci_low", "ci_high", "p_value")
    keys = ("estimate", "low", "high", "p_value")
    return {key: number_or_none(row[name]) for key, name in zip(keys, columns, strict=True)}


def _vertices(steps: Steps) -> dict[str, list[float]]:
    """Return the vertices of the ROC curve; of many those at equal steps along it."""
    pos = np.concatenate([[0.0], steps.pos[::-1]])
    neg = np.concatenate([[0.0], steps.neg[::-1]])
    # On a straight part only the ends are needed.
    up, right = np.diff(pos), np.diff(neg)
    moves = (up > 0) | (right > 0)
    pos, neg = pos[np.r_[True, moves]], neg[np.r_[True, moves]]
    up, right = up[moves], right[moves]
    turns = up[1:] * right[:-1] != up[:-1] * right[1:]
    corner = np.r_[True, turns, True]
    tpr, fpr = pos[corner] / pos[-1], neg[corner] / neg[-1]
    if len(tpr) > _MOST_VERTICES:
        wanted = np.linspace(0, 2, _MOST_VERTICES)
        at = np.unique(np.searchsorted(tpr + fpr, wanted).clip(max=len(tpr) - 1))
        tpr, fpr = tpr[at], fpr[at]
    return {"fpr": _drawn(fpr), "tpr": _drawn(tpr)}


def _band(rows: pd.DataFrame | None) -> dict[str, list[float]] | None:
    if rows is None:
        return None
    rows = rows.dropna(subset=["tpr_low", "tpr_high"])
    if len(rows) == 0:
        return None
    at = np.unique(np.linspace(0, len(rows) - 1, _MOST_PLACES).round().astype(int))
    rows = rows.iloc[at if len(rows) > _MOST_PLACES else slice(None)]
    columns = {"fpr": "fpr", "low": "tpr_low", "high": "tpr_high"}
    return {key: _drawn(rows[name].to_numpy(dtype=float)) for key, name in columns.items()}


def _drawn(rates: FloatArray) -> list[float]:
    drawn: list[float] = np.round(rates, _DRAWN_DIGITS).tolist()
    return drawn


def _moved(n_pos: int, n_neg: int, level: float) -> dict[str, float]:
    """Return how far both rates may be off at every cutoff at once.

    The inequality of Dvoretzky, Kiefer and Wolfowitz with the constant of Massart (1990), half of
    the chance to miss for each class.
    """
    return {
        key: math.sqrt(math.log(4 / (1 - level)) / (2 * size))
        for key, size in (("pos", n_pos), ("neg", n_neg))
    }


def _pairs(
    comparisons: Sequence[pd.DataFrame], tests: Mapping[str, Any], ids: Mapping[Series, str]
) -> list[dict[str, Any]]:
    """Return paired differences at the presets of two tests; first minus second."""
    found: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for frame in comparisons:
        for _, row in frame[frame["quantity"].isin(["tpr", "tnr"])].iterrows():
            group = str(row.get("group", ""))
            first, second = (ids[str(row[name]), group] for name in ("predictor", "reference"))
            cutoffs = (row["threshold"], row["reference_threshold"])
            keys = [
                [preset["key"] for preset in tests[test]["presets"] if preset["threshold"] == cut]
                if test in tests
                else []
                for test, cut in zip((first, second), cutoffs, strict=True)
            ]
            for one in keys[0]:
                for other in keys[1]:
                    pair = found.setdefault((first, second, one, other), {})
                    pair[str(row["quantity"])] = _interval(row)
    names = ("first", "second", "first_preset", "second_preset")
    return [
        {**dict(zip(names, key, strict=True)), **rates}
        for key, rates in found.items()
        if rates.keys() == {"tpr", "tnr"}
    ]
