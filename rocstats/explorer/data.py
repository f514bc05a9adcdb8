"""What an explorer knows of a study: frames in, JSON builtins out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from rocstats.explorer.benefits import rate_correlation
from rocstats.explorer.edges import ScoreSteps, read_steps, upper_of_two
from rocstats.explorer.one_test import ExplorerTestRows, estimate_and_limits_as_json, read_test
from rocstats.explorer.texts import explorer_texts
from rocstats.facts.measures import base_of
from rocstats.frame.make import about_of, labels_in
from rocstats.frame.screen import is_adjusted
from rocstats.plots.series import Series, frame_pieces_by_keys, series_names
from rocstats.tables.sizes import counted_units_in_words, counts_note, units_of_frame
from rocstats.tables.text import p_statement

if TYPE_CHECKING:
    from rocstats.tables.protocols import StudyLike


_WORDS = {"case": "patient", "cases": "patients", "action": "treat"}


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
    benefits: Sequence[pd.DataFrame] | None = None
    """Of clusters, net benefits at these cutoffs, see ``benefits_at``; without, no limits."""


def why_no_explorer(study: StudyLike) -> str:
    """Return why a study can have no explorer; "" if it can."""
    if study.sample_weight is not None:
        return "With weights there are no counts of cases, which the explorer shows."
    return ""


def why_no_moved_limits(study: StudyLike, auc: pd.DataFrame | None = None) -> str:
    """Return why no limits hold for every cutoff of a study at once; "" if they do.

    Parameters
    ----------
    study : Study
        The study.
    auc : pandas.DataFrame, optional
        Its areas, whose notes tell whether cases evidently stand in several folds.
    """
    if auc is not None and auc["note"].str.contains("repeated-cases").any():
        return (
            "The same cases stand in several folds and count as different ones: there are no limits"
            " that hold for every cutoff at once."
        )
    if study.cluster is not None:
        return (
            "Cases of a cluster are not independent: there are no limits that hold for every"
            " cutoff at once."
        )
    return ""


def caution_on_limits_at_moved_cutoff(study: StudyLike) -> str:
    """Return what limits at a moved cutoff assume of a study, beyond independent cases; or ""."""
    if study.fold is None:
        return ""
    return (
        "They assume that scores of different folds are comparable and independent, which models"
        " that share training cases only roughly are."
    )


def explorer_data(
    frames: ExplorerFrames,
    *,
    words: Mapping[str, str] | None = None,
    exact: bool = False,
    frequencies: bool = False,
    prevalence: float | None = None,
    study_prevalence: float | None = None,
    alarms: float | None = None,
    categories: Mapping[str, Sequence[str]] | None = None,
    unmoved: str = "",
    caution: str = "",
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
        cutoffs that leave nobody alone, see ``rocstats.explorer.edges``.
    frequencies : bool, default False
        Whether the study is a table of counts: every score is a cutoff then too.
    prevalence : float in (0, 1), optional
        Where the control of the prevalence starts; by default at ``study_prevalence``.
    study_prevalence : float in (0, 1), optional
        Share of positives in the study.
    alarms : float, optional
        Where the control of the exchange starts: false alarms that one more found case is worth.
    categories : mapping of str to sequence of str, optional
        Names of the ordered categories of predictors whose scores are their numbers from 0.
    unmoved : str, default ""
        Why there are no limits for a cutoff that a reader moved, see ``why_no_moved_limits``.
    caution : str, default ""
        What these limits assume, see ``caution_on_limits_at_moved_cutoff``.

    Returns
    -------
    dict
        JSON builtins, None for what is not a number. Each of the ``tests`` (a predictor, in a
        group) has ``edges``, ascending cutoffs at which a case is positive whose score is at least
        (``direction`` ">=") or at most ("<=") the edge; the counts ``pos`` and ``neg`` below,
        between and above them; ``cutoffs``, the numbers of cutoffs that are shown and that the
        study has; and ``presets``, cutoffs with their rates, and with predictive
        values as logits less that of the prevalence (``npv``: of the chance after a negative
        result), and the ``correlation`` of sensitivity with the false positive rate. ``moved`` is
        how far rates at any cutoff may be off. ``counts`` says how many patients and rows there are
        where rows are no patients, else "". ``clustered`` says whether there are clusters, whose
        paired differences have no limits of their worth. ``pairs`` are paired
        differences, first minus second, whose P values are adjusted if the table's are.
        ``left_out`` names each test without both classes, or without a cutoff that can be shown,
        and the reason.
    """
    outcome, units = about_of(frames.curve).get("outcome"), units_of_frame(frames.curve)
    levels = frames.auc["confidence_level"].dropna()
    level = float(levels.iloc[0])
    curves = _whole_curves_of_tests(frames.curve)
    steps = {series: read_steps(rows) for series, rows in curves.items()}
    upper = _positive_results_of_yes_no_tests(steps)
    ids = _ids_of_explorer_tests(list(curves))
    tests, left_out = [], []
    for series, label in zip(
        curves, _labels_of_explorer_tests(frames.curve, list(curves)), strict=True
    ):
        given = ExplorerTestRows(
            steps[series],
            str(curves[series]["direction"].iloc[0]),
            upper[series[0]],
            (categories or {}).get(series[0]),
            *(_rows_of_explorer_test(frame, series) for frame in frames[1:6]),
        )
        test = read_test(given, exact=exact or frequencies)
        if not isinstance(test, str):
            _add_correlation_to_presets(test["presets"], frames.benefits, series)
        named = {"id": ids[series], "predictor": series[0], "group": series[1] or None}
        if isinstance(test, str):
            left_out.append({**named, "label": label, "reason": test})
        else:
            moved = (
                None
                if unmoved
                else _half_widths_at_moved_cutoffs(test["n_pos"], test["n_neg"], level)
            )
            limits = {"moved": moved, "moved_reason": unmoved or caution}
            tests.append({**named, "label": label, **test, **limits})
    said = {**_WORDS, "condition": outcome or "the condition", **(words or {})}
    return {
        "version": 1,
        "level": level,
        "exact": exact or frequencies,
        "frequencies": frequencies,
        "words": {
            **said,
            "outcome": outcome or "",
            "counted": counted_units_in_words(units, said["cases"]),
        },
        "counts": counts_note(units, said["cases"], said["condition"]),
        "texts": dict(explorer_texts()),
        "study_prevalence": study_prevalence,
        "prevalence": study_prevalence if prevalence is None else prevalence,
        "alarms": alarms,
        "clustered": frames.benefits is not None,
        "tests": tests,
        "left_out": left_out,
        "pairs": _paired_differences_at_presets(
            frames.comparisons, {test["id"]: test for test in tests}, ids
        ),
    }


def _whole_curves_of_tests(curve: pd.DataFrame) -> dict[Series, pd.DataFrame]:
    """Return the curve of all folds of each predictor and group."""
    pieces = frame_pieces_by_keys(curve, ["predictor", "group", "fold"])
    return {(predictor, group): rows for (predictor, group, fold), rows in pieces if not fold}


def _positive_results_of_yes_no_tests(
    steps: Mapping[Series, ScoreSteps],
) -> dict[str, float | None]:
    """Return the positive result of each predictor that has two, and None of the others."""
    groups: dict[str, list[ScoreSteps]] = {}
    for (predictor, _), own in steps.items():
        groups.setdefault(predictor, []).append(own)
    return {predictor: upper_of_two(parts) for predictor, parts in groups.items()}


def _ids_of_explorer_tests(names: Sequence[Series]) -> dict[Series, str]:
    """Return a unique id for each predictor and group."""
    found: dict[Series, str] = {}
    for predictor, group in names:
        name = f"{predictor}@{group}" if group else predictor
        while name in found.values():
            name += "'"
        found[predictor, group] = name
    return found


def _labels_of_explorer_tests(curve: pd.DataFrame, names: Sequence[Series]) -> list[str]:
    known = labels_in(None, curve)
    shown = [(known.get(predictor, predictor), group) for predictor, group in names]
    return series_names(shown)


def _rows_of_explorer_test(frame: pd.DataFrame | None, series: Series) -> pd.DataFrame | None:
    """Return the rows of a predictor and group; None for no frame, or no rows."""
    if frame is None:
        return None
    chosen = frame["predictor"].astype(str) == series[0]
    if "group" in frame:
        chosen &= frame["group"].astype(str) == series[1]
    return frame[chosen] if chosen.any() else None


def _add_correlation_to_presets(
    presets: Sequence[dict[str, Any]], benefits: Sequence[pd.DataFrame] | None, series: Series
) -> None:
    """Add to each preset how its rates go together: 0 but in clusters, None where unknown."""
    frames = (
        None if benefits is None else [_rows_of_explorer_test(frame, series) for frame in benefits]
    )
    for preset in presets:
        preset["correlation"] = 0.0
        if frames is not None:
            at = (
                rows[rows["threshold"] == preset["threshold"]]
                for rows in frames
                if rows is not None
            )
            known = [rate_correlation(rows) for rows in at if len(rows)]
            preset["correlation"] = known[0] if known else None


def _half_widths_at_moved_cutoffs(n_pos: int, n_neg: int, level: float) -> dict[str, float]:
    """Return how far both rates may be off at every cutoff at once.

    The inequality of Dvoretzky, Kiefer and Wolfowitz with the constant of Massart (1990), half of
    the chance to miss for each class.
    """
    return {
        key: math.sqrt(math.log(4 / (1 - level)) / (2 * size))
        for key, size in (("pos", n_pos), ("neg", n_neg))
    }


def _paired_differences_at_presets(
    comparisons: Sequence[pd.DataFrame], tests: Mapping[str, Any], ids: Mapping[Series, str]
) -> list[dict[str, Any]]:
    """Return paired differences at the presets of two tests; first minus second."""
    found: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for frame in comparisons:
        adjusted = is_adjusted(frame)
        compared = frame.assign(quantity=frame["quantity"].map(base_of))
        for _, row in compared[compared["quantity"].isin(["tpr", "tnr"])].iterrows():
            group = str(row.get("group", ""))
            first, second = (ids[str(row[name]), group] for name in ("predictor", "reference"))
            cutoffs = (row["threshold"], row["reference_threshold"])
            p_text = _p_text(row, adjusted=adjusted)
            keys = [
                [preset["key"] for preset in tests[test]["presets"] if preset["threshold"] == cut]
                if test in tests
                else []
                for test, cut in zip((first, second), cutoffs, strict=True)
            ]
            for one in keys[0]:
                for other in keys[1]:
                    pair = found.setdefault((first, second, one, other), {})
                    pair[str(row["quantity"])] = {
                        **estimate_and_limits_as_json(row),
                        "p_text": p_text,
                    }
    names = ("first", "second", "first_preset", "second_preset")
    return [
        {**dict(zip(names, key, strict=True)), **rates}
        for key, rates in found.items()
        if rates.keys() == {"tpr", "tnr"}
    ]


def _p_text(row: pd.Series, *, adjusted: bool) -> str:
    """Return the P value of a row in print, adjusted where the table has it so; "" without one."""
    p_value = row["p_adjusted" if adjusted else "p_value"]
    if math.isnan(p_value):
        return ""
    statement = p_statement(p_value, alpha=1 - row["confidence_level"])
    return f"adjusted {statement}" if adjusted else statement
