"""What the questions about survival share: the times asked for, columns and notes of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import require_choice
from rocstats.facts.arrays import FloatArray
from rocstats.inference.survival.follow_up import (
    CASE,
    CENSORED,
    CONTROLS,
    OTHER,
    CasesAndControls,
    Controls,
    FollowUp,
    StatusAt,
    status_at,
)
from rocstats.study.base import cached, sample_notes
from rocstats.study.points import read_horizons
from rocstats.study.survival import SurvivalSample


class Horizons(NamedTuple):
    """Times at which cases and controls are compared, and who is a control."""

    times: FloatArray
    controls: Controls

    def statuses(self, part: SurvivalSample) -> Iterator[StatusAt]:
        """Yield cases and controls at each time."""
        for t in self.times.tolist():
            yield status_at(follow_up_of(part), t, self.controls)


def read_horizons_and_controls(time: Any, controls: Any) -> Horizons:
    """Return times and controls; raise InputError for others than there can be."""
    return Horizons(read_horizons(time), require_choice("controls", controls, CONTROLS))


def follow_up_of(part: SurvivalSample) -> FollowUp:
    """Return the times of a part of the sample, and what ended them."""

    def read() -> FollowUp:
        status = np.where(
            part.event == 0, CENSORED, np.where(part.event == part.cause, CASE, OTHER)
        )
        return FollowUp(part.time, status, None if part.cluster is None else part.cluster.codes)

    return cached(part, "follow up", read)


def survival_time_columns(of: CasesAndControls, t: float) -> dict[str, Any]:
    """Return the columns of a time, NaN if infinite, with the numbers of patients at it."""
    n_cases, n_controls = of.sizes
    return {
        "time": t if np.isfinite(t) else np.nan,
        "n_pos": float(n_cases),
        "n_neg": float(n_controls),
        "n_censored": float(of.follow_up.n_censored(t)),
    }


def row_notes(part: SurvivalSample, of: CasesAndControls) -> list[str]:
    """Return the notes of a row: on the patients who are compared, if any, and on the study."""
    notes = of.notes() if of.is_defined else []
    return [*notes, "marginal-censoring", *sample_notes(part)]


def survival_variance_word(part: SurvivalSample, word: str) -> str:
    """Return the word of a variance, with clusters or without."""
    return word if part.cluster is None else f"cluster-{word}"
