"""A test of an explorer, made of its rows of the frames."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.explorer.edges import (
    ScoreSteps,
    below,
    counts_between_edges,
    decimals_of_shown_cutoffs,
    ends_of_score_axis,
    number_of_cutoffs,
    offered_edges,
)
from rocstats.explorer.presets import Preset, number_or_none, presets_of
from rocstats.facts.arrays import FloatArray
from rocstats.tables.cells import limit_text, threshold_text
from rocstats.tables.text import MINUS

# More vertices of a curve than pixels of its panel are not seen.
_MOST_VERTICES = 500

# Places of a band: a fifth of the vertices, between which it is nearly straight.
_MOST_PLACES = 201

# A panel has 500 pixels: rates are drawn, not printed, from these digits.
_DRAWN_DIGITS = 6


class ExplorerTestRows(NamedTuple):
    """The results of a predictor in a group: frames of its rows, or None."""

    steps: ScoreSteps
    direction: str
    upper: float | None
    """The positive result of a test with two results, turned as the steps are; else None."""
    categories: Sequence[str] | None
    auc: pd.DataFrame | None
    band: pd.DataFrame | None
    cutpoints: pd.DataFrame | None
    draws: pd.DataFrame | None
    points: pd.DataFrame | None


def read_test(given: ExplorerTestRows, *, exact: bool) -> dict[str, Any] | str:
    """Return a test as JSON builtins, or why it is left out.

    Parameters
    ----------
    given : Given
        What is known of it.
    exact : bool
        Whether every score is a cutoff.
    """
    steps, direction, yes_no = given.steps, given.direction, given.upper is not None
    n_pos, n_neg = round(steps.pos[0]), round(steps.neg[0])
    if min(n_pos, n_neg) == 0:
        return "There are no positives." if n_pos == 0 else "There are no negatives."
    chosen = (None, None) if yes_no else (given.cutpoints, given.draws)
    presets = presets_of(*chosen, given.points)
    sign = 1.0 if direction == ">=" else -1.0
    edges = _edges_of_explorer_test(given, [sign * each.threshold for each in presets], exact=exact)
    if len(edges) == 0:
        return "No cutoff leaves at least 5 of a class, or none, on both sides."
    pos, neg = counts_between_edges(steps, edges)
    shown = sign * edges[:: int(sign)] + 0.0
    # A cutoff to be applied is shown as in the tables; resampled ones need not have its digits.
    decimals = decimals_of_shown_cutoffs(shown, [each.threshold for each in presets])
    before = [each.threshold for each in presets if each.record["kind"] == "prespecified"]
    coarse = decimals_of_shown_cutoffs(shown, before)
    names = _category_of_each_cutoff(shown, given.categories, direction)
    texts = _cutoff_texts_of_edges(shown, sign * below(steps, edges)[:: int(sign)], presets)
    return {
        "direction": direction,
        "yes_no": yes_no,
        "names": names,
        "n_pos": n_pos,
        "n_neg": n_neg,
        "axis": list(_score_axis_of_explorer_test(steps, sign, shown, exact=exact)),
        "decimals": decimals,
        "edges": shown.tolist(),
        "cutoffs": list(number_of_cutoffs(steps, edges)),
        "texts": texts,
        "pos": np.rint(pos[:: int(sign)]).astype(int).tolist(),
        "neg": np.rint(neg[:: int(sign)]).astype(int).tolist(),
        "auc": None if yes_no else _area_for_explorer(given.auc),
        "curve": _roc_vertices_for_explorer(steps),
        "band": None if yes_no else _roc_band_for_explorer(given.band),
        "presets": [
            _preset_placed_among_edges(
                each, shown, names or texts, decimals, None if exact else coarse
            )
            for each in presets
        ],
    }


def _edges_of_explorer_test(
    given: ExplorerTestRows, presets: list[float], *, exact: bool
) -> FloatArray:
    """Return the ascending edges; a test with two results has one, set before the study."""
    if given.upper is None:
        return offered_edges(given.steps, presets, exact=exact)
    return np.unique(presets or [given.upper])


def _score_axis_of_explorer_test(
    steps: ScoreSteps, sign: float, edges: FloatArray, *, exact: bool
) -> tuple[float, float]:
    every = np.concatenate([sign * steps.finite, edges])
    return ends_of_score_axis(float(every.min()), float(every.max()), exact=exact)


def _preset_placed_among_edges(
    preset: Preset,
    edges: FloatArray,
    words: Mapping[str, str] | Sequence[str],
    decimals: int,
    coarse: int | None,
) -> dict[str, Any]:
    """Return a preset with the place of its cutoff among the edges; ``coarse`` rounds draws."""
    edge = int(np.searchsorted(edges, preset.threshold))
    found = {**preset.record, "edge": edge, "threshold": float(edges[edge])}
    cutoff = (
        words[_cutoff_as_javascript_number(found["threshold"])]
        if isinstance(words, Mapping)
        else words[edge]
    )
    found["name"] = found["name"] or f"Set beforehand: {cutoff}"
    # Where low scores are positive the limits stay in the order of the scores.
    for end in ("low", "high"):
        limit = found[f"threshold_{end}"]
        found[f"text_{end}"] = None if limit is None else limit_text(limit, cutoff)
    if coarse is not None:
        # Resampled cutpoints and their limits may be scores, or midpoints that tell two of them.
        found["draws"] = [round(value, coarse) + 0.0 for value in found["draws"]]
        for key in ("threshold_low", "threshold_high"):
            found[key] = None if found[key] is None else round(found[key], decimals) + 0.0
    return found


def _cutoff_texts_of_edges(
    edges: FloatArray, after: FloatArray, presets: Sequence[Preset]
) -> list[str]:
    """Return the text of each cutoff: as few decimals as call the same cases."""
    # One set before the study is printed as it was given, also where it is a score.
    scores: dict[float, float] = dict(zip(edges.tolist(), after.tolist(), strict=True))
    scores |= {each.threshold: each.next_score for each in reversed(presets)}
    texts = [threshold_text(edge, scores[edge], 0) for edge in edges.tolist()]
    # Two that call the same cases are told apart by all their digits.
    # A cutoff that the report names keeps its text, unless that is another's.
    named = {each.threshold for each in presets}
    number = Counter(texts)
    rivals = Counter(
        text for edge, text in zip(edges.tolist(), texts, strict=True) if edge in named
    )
    return [
        text
        if number[text] == 1
        or (edge in named and rivals[text] == 1 and float(text.replace(MINUS, "-")) not in scores)
        else threshold_text(edge, math.nan, 0)
        for edge, text in zip(edges.tolist(), texts, strict=True)
    ]


def _category_of_each_cutoff(
    edges: FloatArray, categories: Sequence[str] | None, direction: str
) -> dict[str, str] | None:
    """Return the word of each cutoff: the first category that it calls positive."""
    if not categories:
        return None
    inward = np.ceil(edges) if direction == ">=" else np.floor(edges)
    numbers = inward.clip(0, len(categories) - 1).astype(int)
    words = [str(categories[number]) for number in numbers]
    return {
        _cutoff_as_javascript_number(float(edge)): word
        for edge, word in zip(edges, words, strict=True)
    }


def _cutoff_as_javascript_number(threshold: float) -> str:
    """Return a number as JavaScript writes it: a whole one without decimals."""
    return f"{threshold:.0f}" if threshold == round(threshold) else repr(threshold)


def _area_for_explorer(rows: pd.DataFrame | None) -> dict[str, float | None] | None:
    if rows is None or not math.isfinite(rows["estimate"].iloc[0]):
        return None
    return estimate_and_limits_as_json(rows.iloc[0])


def estimate_and_limits_as_json(row: pd.Series) -> dict[str, float | None]:
    """Return an estimate, its limits and its P value; None where there is none."""
    columns = ("estimate", "ci_low", "ci_high", "p_value")
    keys = ("estimate", "low", "high", "p_value")
    return {key: number_or_none(row[name]) for key, name in zip(keys, columns, strict=True)}


def _roc_vertices_for_explorer(steps: ScoreSteps) -> dict[str, list[float]]:
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
    return {"fpr": _rates_rounded_for_drawing(fpr), "tpr": _rates_rounded_for_drawing(tpr)}


def _roc_band_for_explorer(rows: pd.DataFrame | None) -> dict[str, list[float]] | None:
    if rows is None:
        return None
    rows = rows.dropna(subset=["tpr_low", "tpr_high"])
    if len(rows) == 0:
        return None
    at = np.unique(np.linspace(0, len(rows) - 1, _MOST_PLACES).round().astype(int))
    rows = rows.iloc[at if len(rows) > _MOST_PLACES else slice(None)]
    columns = {"fpr": "fpr", "low": "tpr_low", "high": "tpr_high"}
    return {
        key: _rates_rounded_for_drawing(rows[name].to_numpy(dtype=float))
        for key, name in columns.items()
    }


def _rates_rounded_for_drawing(rates: FloatArray) -> list[float]:
    drawn: list[float] = np.round(rates, _DRAWN_DIGITS).tolist()
    return drawn
