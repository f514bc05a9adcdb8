"""Coverage and size off the line of symmetry, of the questions whose own tables stay on it.

``QUESTIONS`` times ``DESIGNS`` (``uneven_designs.py``): classes of 1:10 and odd sizes, some 7
events, five-point ties, unequal clusters (beside equal ones), and another prevalence wherever a
question has one. The package's own frames are asked; limits are held against the true value, tests
against equal predictors or levels, or chance. In the last rows three other simulations run a cell
off the line.

The bounds were set before the run: coverage of .93 or more, size of .065 or less; ``shortfall``
marks the rest. Samples without limits or test count for neither (``undefined``).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.estimate.answers import answer_rows
from rocstats.estimate.intervals import Interval
from validation.coverage import every_threshold, verification
from validation.coverage.uneven_designs import (
    EQUAL,
    MEASURED,
    OF_CLASSES,
    RISK,
    UNEQUAL,
    Adjusted,
    Classes,
    Followed,
    Readers,
    Risks,
    Scores,
)
from validation.simulation import Bound, Simulation, collect, over, under

TABLE = Path(__file__).with_name("uneven.csv")
SEED, LEVEL = 37, 0.95
COVERAGE, SIZE = 0.93, 0.065
FIRST, RESAMPLES = 25, 200

DESIGNS: tuple[Any, ...] = (
    Scores("17 + 171, chance", 17, 171, shift=0.0),
    Scores("31 + 63, five points, chance", 31, 63, shift=0.0, points=True),
    Classes("9 + 31 + 171", (9, 31, 171)),
    Risks("31 + 63, at 2 %", 31, 63, 0.02, given=True),
    Risks("17 + 171, at 3 %", 17, 171, 0.03, given=True),
    Risks("60 unequal clusters, at 5 %", 3, 7, 0.05, drawn=True, clusters=UNEQUAL, given=True),
    Risks("40 equal clusters, at 5 %", 3, 7, 0.05, drawn=True, clusters=EQUAL, given=True),
    Risks("cohort of 131, 7 events", 7, 124, 7 / 131, drawn=True),
    Risks("cohort of 94, five risks", 10, 84, 0.107, drawn=True, five=True),
    Risks("60 unequal clusters", 3, 7, 0.3, drawn=True, clusters=UNEQUAL),
    Scores("60 unequal clusters", 3, 7, drawn=True, clusters=UNEQUAL),
    Scores("40 equal clusters", 3, 7, drawn=True, clusters=EQUAL),
    Followed("131 patients, 7 events", 131, 0.055),
    Followed("131 patients, five points", 131, 0.08, points=True),
    Followed("60 unequal clusters", sum(UNEQUAL), 0.2, clusters=UNEQUAL),
    Adjusted("11 + 101", 11, 101),
    Adjusted("60 unequal clusters", 3, 7, drawn=True, clusters=UNEQUAL),
    Scores("17 + 171", 17, 171),
    Scores("cohort of 131, 7 events", 7, 124, drawn=True),
    Scores("63 + 31, five points", 63, 31, points=True),
    Readers("5 readers, 9 + 91", 5, 9, 91),
    Readers("3 readers, 13 + 117, five points", 3, 13, 117, points=True),
)


def _one(sample: Any) -> Any:
    return sample.one()


def _pair(sample: Any) -> Any:
    return sample.pair()


def _by_level(sample: Any) -> Any:
    return sample.one(sample.level)


def _pair_by_level(sample: Any) -> Any:
    return sample.pair(sample.level)


class Asked(NamedTuple):
    """A question with its options, and its true values by quantity; None for those of tests.

    ``label`` names the options in the table; ``only`` says of which designs it is asked, ``study``
    makes the study of a sample.
    """

    question: str
    label: str = ""
    options: Callable[[Any], dict[str, Any]] = lambda _: {}
    truth: Callable[[Any], Mapping[str, float]] | None = None
    only: Callable[[Any], bool] = lambda _: True
    study: Callable[[Any], Any] = _one


# --- The questions --------------------------------------------------------------------------------


def _with(**options: Any) -> Callable[[Any], dict[str, Any]]:
    return lambda _: options


def _uneven(d: Scores) -> bool:
    return d.shift > 0 and d.clusters != EQUAL


def _cases(d: Scores) -> bool:
    return d.shift > 0 and not d.clusters


def _clusters(d: Scores) -> bool:
    return bool(d.clusters)


def _cohort(d: Scores) -> bool:
    return d.shift > 0 and d.drawn


def _case_control(d: Scores) -> bool:
    return d.shift > 0 and not d.drawn


def _few(d: Scores) -> bool:
    """Whether there are some 7 events."""
    return d.n_pos == 7


def _informed(d: Scores) -> bool:
    return d.shift > 0


def _chance(d: Scores) -> bool:
    return d.shift == 0


def _cut(d: Scores) -> dict[str, Any]:
    return {"threshold": d.thresholds[0]}


def _treated(d: Scores) -> dict[str, Any]:
    return {"risk_threshold": RISK, "threshold": {name: {RISK: d.thresholds[0]} for name in "ab"}}


def _treated_one(d: Scores) -> dict[str, Any]:
    return {"risk_threshold": RISK, "threshold": {"a": {RISK: d.thresholds[0]}}}


_OTHER_INTERVALS = [
    word for word in get_args(Interval) if word not in ("percentile", "bca", "exact", "logit-t")
]
_OTHER_VARIANCES = ("hanley-mcneil", "hanley-mcneil-data", "unbiased")
_GIVEN = {"prevalence": 0.4, "sampling": "case-control"}
_OF_TWO_CLASSES = ("ppv", "npv", "accuracy")

OF_SCORES = (
    Asked("auc", "logit-t", truth=Scores.area, only=_cases),
    *(
        Asked("auc", word, _with(interval=word), Scores.area, _few)
        for word in _OTHER_INTERVALS
    ),
    *(
        Asked("auc", word, _with(variance=word), Scores.area, _few)
        for word in _OTHER_VARIANCES
    ),
    Asked("auc", "fpr_range", _with(fpr_range=(0, 0.2)), Scores.partial, _uneven),
    Asked("stratified_auc", "", truth=Scores.area, only=_uneven, study=_by_level),
    Asked("binormal", "", truth=Scores.binormal, only=_cases),
    Asked("average_precision", "cohort", truth=lambda d: d.precision(d.share), only=_cohort),
    Asked(
        "average_precision", "prevalence=, case-control", _with(**_GIVEN),
        lambda d: d.precision(0.4), _clusters,
    ),
    Asked(
        "operating_points", "threshold", lambda d: {**_cut(d), "quantities": OF_CLASSES},
        lambda d: d.measures(OF_CLASSES, d.share), _case_control,
    ),
    Asked(
        "operating_points", "threshold, cohort", lambda d: {**_cut(d), "quantities": MEASURED},
        lambda d: d.measures(MEASURED, d.share), _few,
    ),
    Asked(
        "operating_points", "threshold, prevalence=",
        lambda d: {**_cut(d), "quantities": _OF_TWO_CLASSES, "prevalence": d.elsewhere},
        lambda d: d.measures(_OF_TWO_CLASSES, d.elsewhere), _uneven,
    ),
    Asked(
        "operating_points", "fpr=.1",
        _with(fpr=0.1, quantities="tpr", n_resamples=RESAMPLES),
        Scores.tpr_at_fpr, _cases,
    ),
    Asked("cutpoints", "youden", _with(n_resamples=RESAMPLES), lambda _: {}, _cases),
    Asked(
        "grey_zone", "thresholds", lambda d: {"thresholds": d.thresholds}, Scores.zones, _cohort
    ),
    Asked(
        "net_benefit", "threshold, cohort", _treated_one, lambda d: d.benefit(d.share), _few
    ),
    Asked(
        "net_benefit", "threshold, prevalence=",
        lambda d: {**_treated_one(d), "prevalence": d.elsewhere},
        lambda d: d.benefit(d.elsewhere), _cases,
    ),
    # Tests of equal predictors.
    Asked("compare_auc", "delong", only=_uneven, study=_pair),
    Asked(
        "compare_auc", "hanley-mcneil", _with(method="hanley-mcneil"), None, _cases, _pair
    ),
    Asked("compare_auc", "fpr_range", _with(fpr_range=(0, 0.2)), None, _uneven, _pair),
    Asked("test_equal_auc", "", only=_uneven, study=_pair),
    Asked("compare_stratified_auc", "", only=_uneven, study=_pair_by_level),
    Asked("compare_operating_points", "threshold", _cut, None, _uneven, _pair),
    Asked(
        "compare_operating_points", "threshold, measures",
        lambda d: {**_cut(d), "quantities": ("accuracy", "youden", "f1", "mcc")},
        None, _cases, _pair,
    ),
    Asked("compare_average_precision", "cohort", only=_cohort, study=_pair),
    Asked(
        "compare_average_precision", "prevalence=, case-control", _with(**_GIVEN), None,
        _clusters, _pair,
    ),
    Asked("compare_net_benefit", "threshold", _treated, None, _uneven, _pair),
    Asked(
        "compare_costs", "threshold, prevalence=",
        lambda d: {**_cut(d), "cost_fp": 1.0, "cost_fn": 9.0, "prevalence": d.elsewhere},
        None, _uneven, _pair,
    ),
    # Tests of equal levels of a factor.
    Asked("compare_auc", "across groups", _with(across="groups"), None, _cases, _by_level),
    Asked(
        "compare_operating_points", "threshold, across groups",
        lambda d: {**_cut(d), "across": "groups"}, None, _cases, _by_level,
    ),
    Asked("test_equal_groups", "", only=_informed, study=_by_level),
    Asked("subgroups", "auc", only=_clusters),
    Asked("subgroups", "tpr", lambda d: {**_cut(d), "quantity": "tpr"}, None, _clusters),
    # Tests against chance.
    Asked("versus_random", "", only=_chance),
    Asked("auc", "null_value", _with(null_value=0.5), None, _chance),
    Asked("operating_points_versus_random", "threshold", _cut, None, _chance),
)  # fmt: skip


def _of_score(name: str) -> Callable[[Any], dict[str, Any]]:
    return lambda d: {**d.asked, "quantity": name}


OF_RISKS = (
    Asked("calibration", "", lambda d: d.asked, Risks.calibration),
    Asked("calibration", "joint test", lambda d: {**d.asked, "quantities": "intercept_and_slope"}),
    Asked("probability_scores", "", lambda d: d.asked, Risks.scores),
    *(
        Asked(
            "compare_probability_scores", "",
            _of_score(name), study=_pair,
        )
        for name in ("brier_score", "scaled_brier_score", "log_score")
    ),
    Asked("net_benefit", "risks", lambda d: {**d.asked, "risk_threshold": RISK}, Risks.benefit),
    Asked(
        "compare_net_benefit", "risks", lambda d: {**d.asked, "risk_threshold": RISK}, study=_pair
    ),
)  # fmt: skip


def _at_time(d: Followed) -> dict[str, Any]:
    return {"time": d.time}


def _until(d: Followed) -> dict[str, Any]:
    return {"time_limit": d.time}


OF_TIMES = (
    Asked("auc", "time", _at_time, Followed.truth),
    Asked(
        "operating_points", "time", lambda d: {"threshold": d.threshold, "time": d.time},
        Followed.truth,
    ),
    Asked(
        "net_benefit", "time",
        lambda d: {"risk_threshold": RISK, "threshold": {"a": {RISK: d.threshold}}, "time": d.time},
        Followed.truth,
    ),
    Asked("concordance", "uno", _until, Followed.concordance, lambda d: not d.points),
    Asked("compare_auc", "time", _at_time, study=_pair),
    Asked("compare_concordance", "uno", _until, study=_pair),
)  # fmt: skip

_RESIDUALS = ("empirical", "normal")

OF_COVARIATES = (
    *(
        Asked("adjusted_auc", word, _with(residuals=word), Adjusted.area)
        for word in _RESIDUALS
    ),
    Asked(
        "covariate_auc", "", _with(at={"z": 1.0}), Adjusted.area, lambda d: not d.clusters
    ),
    *(
        Asked("compare_adjusted_auc", word, _with(residuals=word), study=_pair)
        for word in _RESIDUALS
    ),
)  # fmt: skip


def _class_area(method: str) -> Callable[[Any], dict[str, float]]:
    return lambda d: d.area(method)


OF_SEVERAL_CLASSES = tuple(
    Asked("auc", word, _with(method=word), _class_area(word))
    for word in ("ovo-macro", "ovr-weighted")
)

OF_READERS = (
    Asked("auc", "", truth=Readers.area, only=lambda d: not d.points),
    Asked("compare_auc", "obuchowski-rockette"),
    Asked("compare_auc", "u-statistic", _with(method="u-statistic")),
)

QUESTIONS: dict[type, tuple[Asked, ...]] = {
    Scores: OF_SCORES,
    Risks: OF_RISKS,
    Followed: OF_TIMES,
    Adjusted: OF_COVARIATES,
    Classes: OF_SEVERAL_CLASSES,
    Readers: OF_READERS,
}


# --- One sample -----------------------------------------------------------------------------------

Answers = Iterator[tuple[str, float, float]]
"""Quantities, whether limits hold the truth or a test rejects (NaN without), and widths."""


Rows = list[dict[str, Any]]


class RowsAlone:
    """Has the questions return their rows as they are: frames take most of the time of small ones.

    A test compares both.
    """

    def __init__(self) -> None:
        loaded = [module for name, module in sys.modules.items() if name.startswith("rocstats.")]
        self.places = [m for m in loaded if getattr(m, "answer_rows", None) is answer_rows]

    def __enter__(self) -> None:
        for module in self.places:
            module.answer_rows = lambda _, sample, rows, *more: list(rows)  # type: ignore[attr-defined]

    def __exit__(self, *_: object) -> None:
        for module in self.places:
            module.answer_rows = answer_rows  # type: ignore[attr-defined]


def _held(rows: Rows, truth: Mapping[str, float]) -> Answers:
    """Yield the answers about limits; of several rows of a quantity, of the first."""
    seen = set()
    for row in rows:
        name = row.get("class") or row["quantity"]
        name = f"{row['zone']} {name}" if "zone" in row else name
        if name in truth and name not in seen:
            seen.add(name)
            low, high = row.get("ci_low", np.nan), row.get("ci_high", np.nan)
            yield name, float(low <= truth[name] <= high) if low <= high else np.nan, high - low


def _rejected(rows: Rows) -> Answers:
    """Yield the answers of tests; of several of a quantity, of the first with a P value."""
    found: dict[str, float] = {}
    for row in rows:
        p, name = row.get("p_value", np.nan), str(row.get("quantity", "auc"))
        if np.isnan(found.get(name, np.nan)):
            found[name] = np.nan if p is None else float(p)
    for name, p in found.items():
        yield name, np.nan if np.isnan(p) else float(p <= 1 - LEVEL), np.nan


class Sampled:
    """A sample of a design, with each of its studies once."""

    def __init__(self, design: Any, sample: Any, number: int, alone: RowsAlone) -> None:
        self.design, self.sample, self.number, self.alone = design, sample, number, alone
        self.studies: dict[Any, Any] = {}

    def answers(self, asked: Asked, truth: Mapping[str, float] | None) -> Answers:
        """Yield the answers to a question; none where it is refused."""
        options = dict(asked.options(self.design))
        if "n_resamples" in options:
            options["rng"] = self.number
        if asked.question == "subgroups":
            options["by"] = self.sample.level
        try:
            if asked.study not in self.studies:
                self.studies[asked.study] = asked.study(self.sample)
            ask = getattr(self.studies[asked.study], asked.question)
            # Subgroups read the frames of other questions.
            with nullcontext() if asked.question == "subgroups" else self.alone:
                found = ask(**options)
        except rs.InputError:  # a level lacks a class, a class has too few cases
            return
        rows: Any = found.to_dict("records") if isinstance(found, pd.DataFrame) else found
        if asked.question == "cutpoints":
            truth = self.design.chosen(float(rows[0]["threshold"]))
        yield from _rejected(rows) if truth is None else _held(rows, truth)


# --- Tables ---------------------------------------------------------------------------------------


def run_design(place: int, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a design."""
    d, rng = DESIGNS[place], np.random.default_rng([seed, place])
    questions = [asked for asked in QUESTIONS[type(d)] if asked.only(d)]
    truths = [asked.truth and asked.truth(d) for asked in questions]

    def samples() -> Iterator[dict[tuple[int, str], tuple[float, float]]]:
        for number in range(replicates):
            sample = d.draw(rng)
            if min(np.unique(sample.y, return_counts=True)[1]) < 2:
                continue
            if number < 2:  # the first sample loads the modules of its questions
                alone = RowsAlone()
            one = Sampled(d, sample, number, alone)
            yield {
                (k, name): (share, width)
                for k, (asked, truth) in enumerate(zip(questions, truths, strict=True))
                for name, share, width in one.answers(asked, truth)
            }

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = collect(samples())
    return [_row(d, questions[k], name, values, replicates) for (k, name), values in found.items()]


def _row(d: Any, asked: Asked, name: str, values: Any, replicates: int) -> dict[str, Any]:
    known = values[~np.isnan(values[:, 0])]
    share = float(known[:, 0].mean()) if len(known) else np.nan
    words = {
        "kind": type(d).__name__.lower(), "design": d.name, "question": asked.question,
        "asked": asked.label, "quantity": name,
    }  # fmt: skip
    width = float(np.median(known[:, 1])) if len(known) and asked.truth else np.nan
    return {
        **words,
        **_bounded("size" if asked.truth is None else "coverage", share),
        "width": width,
        "undefined": 1 - len(known) / replicates,
        "replicates": replicates,
        "first": float(values[:FIRST, 0].sum()),
    }


def _bounded(what: str, share: float) -> dict[str, Any]:
    """Return the columns of a share beside its bound."""
    return {"what": what, "share": share, "bound": SIZE if what == "size" else COVERAGE}


class Other(NamedTuple):
    """A cell off the line of another simulation, and which of its rows are kept, by column."""

    question: str
    design: str
    run: Callable[[Any, int, int], list[dict[str, Any]]]
    cell: Any
    share: str
    kept: dict[str, tuple[Any, ...]]
    replicates: int = 4000

    def rows(self, replicates: int, seed: int) -> Iterator[dict[str, Any]]:
        """Yield the rows that are kept."""
        for row in self.run(self.cell, replicates, seed):
            if all(row[name] in values for name, values in self.kept.items()):
                yield {
                    "kind": "other", "design": self.design, "question": self.question,
                    "asked": row.get("method", "threshold='all'"),
                    "quantity": row.get("quantity", "tpr"),
                    **_bounded("coverage", row[self.share]),
                    "width": row.get("mean_width", np.nan),
                    "undefined": 1 - row.get("share_known", 1.0),
                    "replicates": row["replicates"], "first": np.nan,
                }  # fmt: skip


OTHERS = (
    Other(
        "begg_greenes", "301 cases, 15 events", verification.run_rate_cell,
        verification.RateCell(100, 301, 0.05, 0.8, 0.7, 0.9, 0.3),
        "coverage", {"method": ("begg-greenes/logit",)},
    ),
    Other(
        "verified_auc", "301 cases, 30 events", verification.run_area_cell,
        verification.AreaCell(100, 301, 0.1, 0.8, 0.9, 0.3),
        "coverage", {"method": ("known/logit", "estimated/logit", "estimated/percentile")}, 1000,
    ),
    Other(
        "operating_points", "17 + 171, tied", every_threshold.run_cell,
        every_threshold.ThresholdCell(100, 0.5, 17, 171),
        "everywhere", {"level": (LEVEL,), "interval": ("dkw",)},
    ),
)  # fmt: skip


def run_cell(cell: int | Other, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return the rows of a design, by its position, or of a cell of another simulation."""
    if isinstance(cell, Other):
        return list(cell.rows(replicates, seed))
    return run_design(cell, replicates, seed)


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size off the line of symmetry, of questions whose own tables stay on it.",
    cells=(*range(len(DESIGNS)), *OTHERS),
    rows=run_cell,
    replicates=lambda cell: cell.replicates if isinstance(cell, Other) else 4000,
    seed=SEED,
    bounds=(
        Bound("share", under, "bound", where="what == 'coverage'"),
        Bound("share", over, "bound", where="what == 'size'"),
    ),
    ends=("shortfall", "width", "undefined", "replicates", "first"),
    digits=6,
)
