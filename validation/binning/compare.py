"""Answers from bins against answers from all scores: estimates in their bounds, and limits."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

import rocstats as rs
from rocstats.curves.criteria import CriterionName
from validation.binning.designs import DESIGNS, Made, make

TABLE = Path(__file__).with_name("binning.csv")
SEED, STUDIES = 20, 1008
ROUNDING = 1e-12
"""Estimates that differ by less, times their size, differ by rounding alone."""

Floats = npt.NDArray[np.float64]


class Asked(NamedTuple):
    """A question: the column of its value, and its answer for cases (or counts) of a study.

    ``limits`` are compared where they are no draws; ``groups`` is asked of several groups only.
    """

    ask: Callable[[rs.Study, Made], pd.DataFrame]
    value: str = "estimate"
    limits: bool = True
    groups: bool = False


_DRAWS: dict[str, Any] = {"n_resamples": 100, "rng": 1}
_RATES = ["tpr", "tnr", "ppv", "npv", "lr_positive", "youden", "f1", "mcc"]


def _at_thresholds(study: rs.Study, made: Made) -> pd.DataFrame:
    places = np.quantile(made.score, [0.0, 0.2, 0.5, 0.8, 1.0], method="nearest")
    middle = (np.min(made.score) + np.max(made.score)) / 2
    return study.operating_points(threshold=[*np.unique(places), middle], quantities=_RATES)


_CRITERIA: tuple[CriterionName, ...] = ("youden", "closest-topleft", "equal-error", "kappa")


def _cutpoint(word: CriterionName, study: rs.Study, _: Made) -> pd.DataFrame:
    return study.cutpoints(word, prevalence=0.2, **_DRAWS)


QUESTIONS: dict[str, Asked] = {
    "auc": Asked(lambda s, _: s.auc()),
    "auc, wald": Asked(lambda s, _: s.auc(interval="wald", variance="unbiased")),
    "partial auc, fpr to .1": Asked(lambda s, _: s.auc(fpr_range=(0, 0.1))),
    "partial auc, tpr from .8": Asked(lambda s, _: s.auc(tpr_range=(0.8, 1))),
    "difference of groups": Asked(lambda s, _: s.compare_auc(across="groups"), groups=True),
    "stratified auc": Asked(lambda s, _: s.stratified_auc()),
    "average precision": Asked(lambda s, _: s.average_precision(), limits=False),
    "measures at thresholds": Asked(_at_thresholds),
    "ppv at a prevalence": Asked(
        lambda s, made: s.operating_points(
            threshold=float(made.score[0]), quantities=["ppv", "npv"], prevalence=0.1
        )
    ),
    "measures at fpr": Asked(
        lambda s, _: s.operating_points(fpr=[0.05, 0.3], quantities=_RATES, **_DRAWS), limits=False
    ),
    "measures at tpr": Asked(
        lambda s, _: s.operating_points(tpr=[0.5, 0.9], quantities=_RATES, **_DRAWS), limits=False
    ),
    "curve at fpr": Asked(lambda s, _: s.roc_band(at=[0.02, 0.1, 0.5], **_DRAWS), "tpr", False),
    "precision at recall": Asked(lambda s, _: s.pr_curve(tpr=[0, 0.2, 0.5, 1]), "ppv", False),
    "least cost": Asked(
        lambda s, _: s.optimal_points(cost_fp=1, cost_fn=3), "expected_cost", False
    ),
    "largest youden": Asked(
        lambda s, _: s.versus_random(statistic="youden", n_resamples=99, rng=1), limits=False
    ),
    **{
        f"cutpoint, {word}": Asked(partial(_cutpoint, word), "apparent", False)
        for word in _CRITERIA
    },
}


class Row(NamedTuple):
    """Values of a question in studies of a design, and how the bins differ from the scores.

    ``outside`` values are further from that of all scores than their bound; ``closest`` is the
    largest share of its bound that a difference takes. ``excess`` is the most by which a limit of
    all scores lies outside those of the bins, as a share of the width of its interval.
    """

    design: str
    question: str
    studies: int
    values: int
    exact: int
    outside: int
    closest: float
    limits: int
    limits_outside: int
    excess: float


class _Compared(NamedTuple):
    """Differences and bounds of values, and excesses of limits."""

    difference: Floats
    bound: Floats
    excess: Floats


class Both(NamedTuple):
    """A random study, of its scores and of its bins."""

    made: Made
    exact: rs.Study
    binned: rs.Study


def compare(both: Both, asked: Asked) -> _Compared:
    """Return how the answer from bins differs from that from the scores."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole, binned = (asked.ask(study, both.made) for study in (both.exact, both.binned))
    if not whole.iloc[:, :1].equals(binned.iloc[:, :1]):
        raise AssertionError("the rows of both answers are not the same")
    known, found = (frame[asked.value].to_numpy(float) for frame in (whole, binned))
    with np.errstate(invalid="ignore"):
        difference = np.where(known == found, 0.0, np.abs(known - found))
    # All cells may be exact: then there is no such column.
    bound = np.asarray(binned.get("binning_error", np.zeros(len(binned))), dtype=float)
    # A value that is 0/0 in all scores is no number to be near to.
    used = ~np.isnan(known) & ~np.isnan(found)
    excess = _excess(whole, binned)[used] if asked.limits else np.empty(0)
    size = ROUNDING * np.maximum(1.0, np.abs(np.where(np.isfinite(known), known, 0.0)))
    return _Compared(np.maximum(difference - size, 0.0)[used], bound[used], excess)


def _excess(whole: pd.DataFrame, binned: pd.DataFrame) -> Floats:
    """Return by what share of the interval of all scores a limit of it is outside."""
    low, high = ("tpr_low", "tpr_high") if "tpr_low" in whole else ("ci_low", "ci_high")
    (known_low, known_high), (wide_low, wide_high) = (
        (frame[low].to_numpy(float), frame[high].to_numpy(float)) for frame in (whole, binned)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        below = np.where(known_low == wide_low, 0.0, wide_low - known_low)
        above = np.where(known_high == wide_high, 0.0, known_high - wide_high)
        found = np.maximum(below, above) / (known_high - known_low)
    return np.where(found > ROUNDING, found, np.where(np.isnan(found), np.nan, 0.0))


def studies(design: str, number: int) -> Iterator[Both]:
    """Yield the random studies of a design; the seed is that of the design and the number."""
    for i in range(number):
        made = make(design, np.random.default_rng([SEED, DESIGNS.index(design), i]))
        yield Both(made, made.exact(), made.binned())


def questions_of(design: str) -> list[str]:
    """Return the questions that studies of a design are asked."""
    several = design == "several groups"
    return [name for name, asked in QUESTIONS.items() if several or not asked.groups]


def row(design: str, question: str, parts: list[_Compared]) -> Row:
    """Return the row of what was compared in each study of a design."""
    difference, bound, excess = (np.concatenate(column) for column in zip(*parts, strict=True))
    used = (bound > 0) & np.isfinite(bound)
    shares = difference[used] / bound[used]
    limits = excess[~np.isnan(excess)]
    return Row(
        design,
        question,
        len(parts),
        len(difference),
        int(np.count_nonzero(bound == 0)),
        int(np.count_nonzero(~(difference <= bound))),
        float(np.max(shares, initial=0.0)),
        len(limits),
        int(np.count_nonzero(limits > 0)),
        float(np.max(limits, initial=0.0)),
    )


def rows(design: str, number: int = STUDIES // len(DESIGNS)) -> list[Row]:
    """Return the comparison of every question in a design; each study is made once."""
    names = questions_of(design)
    parts: dict[str, list[_Compared]] = {name: [] for name in names}
    for both in studies(design, number):
        for name in names:
            parts[name].append(compare(both, QUESTIONS[name]))
    return [row(design, name, parts[name]) for name in names]


def as_table(found: list[Row]) -> pd.DataFrame:
    """Return the rows as a table; a value outside its bound is a shortfall."""
    table = pd.DataFrame(found)
    return table.assign(shortfall=table["outside"] > 0)
