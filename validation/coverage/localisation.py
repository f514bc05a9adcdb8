"""Coverage of the intervals of one reader: areas of marks, points of FROC curves, and bands.

Marks are drawn from a search model (``validation.search_model``); the truth of a cell is that of a
study of 60 000 cases.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rocstats.estimate.areas import AreaTest, infer_area
from rocstats.estimate.intervals import Interval
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.localisation.curves import _joint_level
from rocstats.inference.localisation.endpoints import MarksPlan
from rocstats.inference.localisation.figures import MARKS_AREAS, lone_area, marks_areas
from rocstats.inference.localisation.froc import (
    curve_points,
    found_at,
    froc_events,
    independent_positives,
    read_curves,
    share_bars,
)
from rocstats.inference.localisation.points import _endpoints_at_thresholds, _one_point
from validation.search_model import MODELS
from validation.simulation import Bound, Simulation, share_error, stream, under_margin

TABLE = Path(__file__).with_name("localisation.csv")
SEED = 20260312
LEVEL = 0.95
INTERVALS: tuple[Interval, ...] = ("effective-wilson", "logit-t", "wald")
_LARGE = 30_000
_TEST = AreaTest(LEVEL, "two-sided", float("nan"))
AT = np.array([1 / 8, 1 / 4, 1 / 2, 1.0])
"""Where FROC curves are read; their mean is a score."""
_RESAMPLES = 300


class OneReader(NamedTuple):
    """A model, numbers of cases, and the least and largest number of lesions of a case.

    ``froc`` is 1 where points of the curve are asked, which resample.
    """

    model: str
    n_pos: int
    n_neg: int
    lesions_low: int
    lesions_high: int
    froc: int = 0


_SIZES = ((10, 10), (25, 25), (50, 50), (100, 20), (20, 100))
CELLS = (
    *(
        OneReader(model, *sizes, *lesions)
        for model in ("mid", "good", "best")
        for sizes in _SIZES
        for lesions in ((1, 1), (1, 3), (5, 5))
    ),
    *(
        OneReader(model, n, n, *lesions)
        for model in ("mid, lesions alike", "good, lesions alike")
        for n in (25, 50)
        for lesions in ((1, 3), (5, 5))
    ),
    *(
        OneReader(model, *sizes, *lesions, froc=1)
        for model in ("mid", "good", "mid, lesions alike")
        for sizes, lesions in (((25, 25), (1, 3)), ((50, 50), (1, 1)), ((20, 100), (5, 5)))
    ),
)


@cache
def truth(cell: OneReader) -> dict[str, Any]:
    """Return what a very large study finds."""
    rng, model = stream(SEED, CELLS.index(cell), 1), MODELS[cell.model]
    # In the proportion of the cell, on which FROC depends.
    share = _LARGE / (cell.n_pos + cell.n_neg)
    sizes = round(2 * share * cell.n_pos), round(2 * share * cell.n_neg)
    study = model.draw(rng, sizes, (cell.lesions_low, cell.lesions_high), 1, 1)
    area = marks_areas(study, MARKS_AREAS["wafroc"], [0], study.readers).value[0]
    marks = study.marks_of(0, "r0")
    points = curve_points(froc_events(study, marks), np.ones((1, sum(sizes))))
    return {
        "wafroc_auc": float(area),
        "lesion_tpr": float(np.mean(marks.found >= 0.5)),
        "false_marks": float(np.sum(marks.false_rating >= 0.5) / sum(sizes)),
        "curve": points,
        "at": found_at(points, AT)[0],
    }


def run_cell(cell: OneReader, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return a row for each quantity and interval."""
    rng, known = stream(seed, CELLS.index(cell), 0), truth(cell)
    covered: dict[tuple[str, str], list[bool]] = {}
    width: dict[tuple[str, str], list[float]] = {}

    def keep(quantity: str, interval: str, low: float, high: float, value: float) -> None:
        covered.setdefault((quantity, interval), []).append(bool(low <= value <= high))
        # A band has a width at each place, and none of its own.
        width.setdefault((quantity, interval), []).append(
            float(high - low) if np.isfinite(high) else float("nan")
        )

    for draw in range(replicates):
        lesions = cell.lesions_low, cell.lesions_high
        study = MODELS[cell.model].draw(rng, (cell.n_pos, cell.n_neg), lesions, 1, 1)
        if cell.froc:
            _keep_points(study, known, seed + draw, keep)
            continue
        found = marks_areas(study, MARKS_AREAS["wafroc"], [0], study.readers)
        area = lone_area(study, float(found.value[0]), found.influence[0])
        for word in INTERVALS:
            result = infer_area(area, word, _TEST)
            keep("wafroc_auc", word, result.ci_low, result.ci_high, known["wafroc_auc"])
    rows = []
    for (quantity, interval), hits in covered.items():
        share = float(np.mean(hits))
        rows.append(
            {
                **cell._asdict(),
                "quantity": quantity,
                "interval": interval,
                "replicates": replicates,
                "level": LEVEL,
                "coverage": share,
                "coverage_se": share_error(share, replicates),
                "mean_width": round(float(np.mean(width[quantity, interval])), 4),
            }
        )
    return rows


def _keep_points(study: Any, known: dict[str, Any], seed: int, keep: Any) -> None:
    """Ask the points of one study: at a threshold, at false marks, their mean, and the band."""
    plan = MarksPlan("fixed", "random")
    found, false = _endpoints_at_thresholds("", study, plan, np.array([[0.5]]), study.readers)
    for endpoint, quantity in ((found, "lesion_tpr"), (false, "false_marks")):
        _, result, _ = _one_point(endpoint, 0, 0, LEVEL)
        keep(quantity, "influence", result.ci_low, result.ci_high, known[quantity])
    events = froc_events(study, study.marks_of(0, "r0"))
    whole = curve_points(events, np.ones((1, len(study.is_positive)))).false[0]
    grid = np.unique(np.concatenate([AT, whole[(whole > AT[0]) & (whole < AT[-1])]]))
    read = read_curves(study, [events], grid, ResamplePlan(_RESAMPLES, seed))
    y, drawn = read.value[0], read.draws[:, 0]
    least, size = independent_positives(study, lesions=True), float(study.n_lesions)
    at = np.searchsorted(grid, AT)
    for f, place, value in zip(("1/8", "1/4", "1/2", "1"), at, known["at"], strict=True):
        bars = share_bars(y[[place]], size, least, drawn[:, [place]].var(axis=0, ddof=1), LEVEL)
        keep(f"lesion_tpr at {f}", "bootstrap", bars.low[0], bars.high[0], value)
    score = drawn[:, at].mean(axis=1)
    mean = np.array([y[at].mean()])
    bars = share_bars(mean, size, least, np.array([score.var(ddof=1)]), LEVEL)
    keep("froc_score", "bootstrap", bars.low[0], bars.high[0], known["at"].mean())
    sd = drawn.std(axis=0, ddof=1)
    true = found_at(known["curve"], grid)[0]
    for scope in ("simultaneous", "pointwise"):
        level = _joint_level(drawn, sd, LEVEL) if scope == "simultaneous" else LEVEL
        bars = share_bars(y, size, least, sd**2, level)
        # The least distance of the curve from a limit: the band holds it from 0 on.
        room = float(np.minimum(true - bars.low, bars.high - true).min())
        keep("band", scope, 0.0, float("inf"), room)


def _replicates(cell: OneReader) -> int:
    return 1000 if cell.froc else 2000


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of the intervals of areas and points of one reader's marks.",
    cells=CELLS,
    rows=run_cell,
    replicates=_replicates,
    seed=SEED,
    bounds=(Bound("coverage", under_margin, "level", samples=None),),
    ends=("seed", "shortfall"),
)
