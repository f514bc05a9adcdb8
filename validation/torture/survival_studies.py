"""Draws the arguments of survival studies: few patients, tied times, one or two causes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import rocstats as rs
from validation.torture.studies import Parts, Rng, draw_scores

_ROWS = ("time", "event", "cluster", "group")

CODES = ((1, 2, 9), ("alive", "dead", "transplant"), (-1, 1, 0))
"""Codes of the censored, of the event and of a competing one, which must be named."""


class SurvivalParts(Parts):
    """The keyword arguments of a survival study."""

    __slots__ = ()

    def taken(self, rows: npt.NDArray[np.intp]) -> Parts:
        """Return the parts with the given rows, in their order."""
        roles = {k: v[rows] for k, v in self.arguments.items() if k in _ROWS}
        scores = {name: score[rows] for name, score in self.scores.items()}
        return self.with_scores(scores).replaced(**roles)

    def __len__(self) -> int:
        return len(self.arguments["time"])


def coded(event: npt.NDArray[Any], codes: tuple[Any, ...]) -> dict[str, Any]:
    """Return the arguments of events 0, 1 and 2 under other codes, which they name."""
    named = np.array(codes)[event.astype(np.intp)]
    return {"event": named, "event_code": codes[1], "censored_code": codes[0]}


def draw_survival(rng: Rng) -> SurvivalParts:
    """Return the parts of a survival study; a share of them is refused when it is built."""
    n = int(rng.choice([1, 2, 3, 5, 8, 13, 24, 60]))
    event = rng.choice(3, size=n, p=[0.3, 0.6, 0.1])
    kinds = (
        rng.integers(0, 6, n).astype(float),  # tied
        rng.exponential(5.0, n),
        rng.exponential(5.0, n).round(1) * float(rng.choice([1, 1e-9, 1e9])),
    )
    given: dict[str, Any] = {
        "time": kinds[int(rng.integers(len(kinds)))],
        "event": event if rng.random() < 0.7 else event == 1,
        "score": {f"s{k}": draw_scores(rng, event == 1) for k in range(int(rng.integers(1, 4)))},
    }
    if rng.random() < 0.1:  # everybody, or nobody, is censored before the last time
        given["event"] = np.where(given["time"] < given["time"].max(), 1 - n % 2, 1)
    if rng.random() < 0.2:
        given["cluster"] = np.arange(n) // int(rng.choice([1, 2, 5]))
    if rng.random() < 0.2:
        given["group"] = np.where(np.arange(n) % 3 > 0, "x", "y")
    if rng.random() < 0.15:
        given["higher_is_positive"] = False
    if rng.random() < 0.2:
        given |= coded(given["event"], CODES[int(rng.integers(len(CODES)))])
    return SurvivalParts(rs.SurvivalStudy, given)
