"""What the questions at a time are asked: times, controls, and the rows that they share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import require_choice
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import once, row_codes
from rocstats.sample.inputs.points.times import read_horizons
from rocstats.sample.survival import SurvivalSample
from rocstats.stats.survival.areas import Scores, scores_of
from rocstats.stats.survival.follow_up import CASE, CENSORED, OTHER, FollowUp
from rocstats.stats.survival.status import CONTROLS, Controls, StatusAt, status_at
from rocstats.tolerances import FEW_CASES, FEW_CLUSTERS

NO_STATUS = "no-status-at-time"
"""Note of a time by which nobody had the event, or beyond which nobody is known to be without."""


class Horizons(NamedTuple):
    """The times that are asked for, and who is a control at them."""

    times: FloatArray
    controls: Controls

    def statuses(self, part: SurvivalSample) -> Iterator[StatusAt]:
        """Yield cases and controls at each time."""
        for t in self.times.tolist():
            yield status_at(follow_up_of(part), t, self.controls)


def read_times_asked(time: Any, controls: Any) -> Horizons:
    """Return times and controls; raise InputError for others than there can be."""
    return Horizons(read_horizons(time), require_choice("controls", controls, CONTROLS))


def follow_up_of(part: SurvivalSample) -> FollowUp:
    """Return the times of a part of the sample, and what ended them."""

    def read() -> FollowUp:
        status = np.where(
            part.event == 0, CENSORED, np.where(part.event == part.cause, CASE, OTHER)
        )
        return FollowUp(part.time, status, None if part.cluster is None else part.cluster.codes)

    return once(part, "follow up", read)


def scores_at(part: SurvivalSample, k: int) -> Scores:
    """Return the scores of predictor ``k``, the least risk first."""
    higher = part.higher_is_positive[k]
    return once(part, ("scores", k), lambda: scores_of(part.scores[k], higher=higher))


def status_columns(at: StatusAt) -> dict[str, Any]:
    """Return the columns of a time: numbers of cases, controls and censored."""
    return {
        "time": at.t,
        "n_pos": float(np.count_nonzero(at.is_case)),
        "n_neg": float(np.count_nonzero(at.is_control)),
        "n_censored": float(at.n_censored),
    }


def status_codes(part: SurvivalSample, at: StatusAt) -> list[str]:
    """Return the notes of a row about a time."""
    codes = size_codes(at.n_units)
    few = min(np.count_nonzero(at.is_case), np.count_nonzero(at.is_control)) < FEW_CASES
    extreme = ["weights-extreme"] if at.has_extreme_weights else []
    return [*(["few-cases"] if few else []), *codes, *extreme, *always(part)]


def size_codes(units: tuple[int, int] | None) -> list[str]:
    """Return the note on few clusters, given those with a case and with a control."""
    return ["few-clusters"] if units is not None and min(units) < FEW_CLUSTERS else []


def always(part: SurvivalSample) -> list[str]:
    """Return the notes of every row about a survival study."""
    return ["marginal-censoring", *row_codes(part)]


def word_of(part: SurvivalSample, word: str) -> str:
    """Return the word for a standard error, with clusters or without."""
    return word if part.cluster is None else f"cluster-{word}"
