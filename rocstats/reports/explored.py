"""The data of the explorer of a report, from its frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocstats.explorer.benefits import benefits_at
from rocstats.explorer.data import (
    ExplorerFrames,
    caution_on_limits_at_moved_cutoff,
    explorer_data,
    why_no_explorer,
    why_no_moved_limits,
)
from rocstats.explorer.edges import MOST_EDGES
from rocstats.reports.answers import MEASURES
from rocstats.reports.studied import are_tests_known_by_tables_alone
from rocstats.reports.texts import say

if TYPE_CHECKING:
    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


def explorer_data_of_report(
    study: StudyLike, answers: ReportAnswers, options: ReportOptions
) -> tuple[dict[str, Any] | None, str]:
    """Return the data of the explorer; None if none is wanted, or with why there can be none.

    Parameters
    ----------
    study : Study
        The study.
    answers : Answers
        The frames of the report, with the names of the study.
    options : ReportOptions
        What the caller wants.
    """
    reason = why_no_explorer(study)
    if options.explorer is None or reason:
        return None, reason if options.explorer else ""
    share = None if are_tests_known_by_tables_alone(study) else study.prevalence
    start = options.prevalence[0] if options.prevalence else share
    level = options.confidence_level
    auc = answers.auc
    frames = ExplorerFrames(
        curve=answers.curve,
        auc=study.auc(confidence_level=level, null_value=0.5) if auc is None else auc,
        band=answers.band,
        cutpoints=answers.chosen,
        draws=answers.draws,
        points=_prespecified_points_for_explorer(study, answers, start, level),
        comparisons=[
            pairs for pairs in (answers.given_pairs, answers.chosen_pairs) if pairs is not None
        ],
        benefits=benefits_at(study, _finite_cutoffs_of_frames(answers.given, answers.chosen)),
    )
    data = explorer_data(
        frames,
        words=options.words._asdict(),
        exact=options.explorer == "exact",
        frequencies=is_table_of_counts(study, answers.curve),
        prevalence=start,
        study_prevalence=share,
        alarms=(1 - options.risk_threshold[0]) / options.risk_threshold[0]
        if options.risk_threshold
        else None,
        unmoved=why_no_moved_limits(study, auc),
        categories=study.categories,
        caution=caution_on_limits_at_moved_cutoff(study),
    )
    return (data if data["tests"] else None), _tests_left_out_of_explorer_in_words(data)


def is_table_of_counts(study: StudyLike, curve: pd.DataFrame) -> bool:
    """Return whether the data are frequencies of few scores, which hide nobody.

    Parameters
    ----------
    study : Study
        The study.
    curve : pandas.DataFrame
        Its ROC curves. A data engine that counts measurements has more scores than a table.
    """
    rows: int = (
        curve.groupby([name for name in ("predictor", "group") if name in curve]).size().max()
    )
    return study.frequency is not None and bool(rows <= MOST_EDGES)


def _tests_left_out_of_explorer_in_words(data: dict[str, Any]) -> str:
    """Return which tests the explorer does not have, and why; "" if it has all."""
    if not data["left_out"]:
        return ""
    head = say("reason.not_all" if data["tests"] else "reason.no_explorer")
    return " ".join([head, *(f"{one['label']}: {one['reason']}" for one in data["left_out"])])


def _finite_cutoffs_of_frames(*frames: pd.DataFrame | None) -> dict[str, list[float]]:
    """Return the finite cutoffs of each predictor in some frames."""
    found: dict[str, list[float]] = {}
    for frame in frames:
        if frame is not None:
            finite = frame[np.isfinite(frame["threshold"])]
            for name, piece in finite.groupby("predictor", sort=False):
                found.setdefault(str(name), []).extend(piece["threshold"].unique().tolist())
    return found


def _prespecified_points_for_explorer(
    study: StudyLike, answers: ReportAnswers, share: float | None, level: float
) -> pd.DataFrame | None:
    """Return the cutoffs set before the study, with predictive values at a known share."""
    given = answers.given
    if given is None or share is None:
        return given
    return study.operating_points(
        threshold=_finite_cutoffs_of_frames(given),
        quantities=MEASURES,
        prevalence=[share],
        confidence_level=level,
    )
