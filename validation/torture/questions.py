"""Draws a call: a public question, found by its name, and options from its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import rocstats as rs
from validation.torture.detection_studies import draw_detection
from validation.torture.functions import DESIGNS, RECIPES
from validation.torture.model_studies import draw_items, draw_labels, draw_ordinal
from validation.torture.reader_studies import draw_readers
from validation.torture.settle import settle
from validation.torture.studies import OF_RISKS, Parts, Rng, as_risks, draw_study
from validation.torture.survival_studies import draw_survival
from validation.torture.values import NUMBERS, Drawing, draw_value

NOT_ASKED = {
    "InputError", "StatisticalWarning", "Study", "ItemStudy", "MetaStudy", "MulticlassStudy",
    "MultilabelStudy", "OrdinalStudy", "ReaderStudy", "DetectionStudy", "SurvivalStudy",
    "PairedCounts", "brief", "format_table", "format_sentences", "save_table", "save_figure",
    "read_csv", "read_table", "report",
    "load_breast_cancer", "load_ct_ratings", "load_fawcett_instances", "load_heart_disease",
    "load_viper", "load_marks_example", "load_audit_c", "load_lymph_nodes",
    "pool_areas", "pool_imputations",
}  # fmt: skip
"""Names that are no questions (errors, studies, loaders), or that take frames and write files.

Reviews are asked by tests/inference/meta/test_any_review.py: a fit of a drawn one may take seconds.
"""

OF_PARTS = {
    "ReaderStudy.curve", "DetectionStudy.marks_of", "DetectionStudy.highest_marks",
    "DetectionStudy.require_machine",
}  # fmt: skip
"""Methods that take positions, for other modules: they check nothing."""

OF_FUNCTIONS = {**NUMBERS, **RECIPES}
"""How arguments are drawn where there is no study yet."""

DRAWS: dict[Any, Callable[[Rng], Parts]] = {
    rs.ReaderStudy: draw_readers,
    rs.DetectionStudy: draw_detection,
    rs.SurvivalStudy: draw_survival,
    rs.MultilabelStudy: draw_labels,
    rs.OrdinalStudy: draw_ordinal,
    rs.ItemStudy: draw_items,
}
"""How studies of other kinds than two or more classes are drawn."""

NEEDS = {
    "roc_average": "fold", "roc_average_difference": "fold", "stratified_auc": "group",
    "compare_stratified_auc": "group", "test_equal_groups": "group",
    "adjusted_auc": "covariate", "adjusted_roc_curve": "covariate",
    "compare_adjusted_auc": "covariate", "covariate_auc": "covariate",
}  # fmt: skip
"""The role without which a question is always refused."""

ALWAYS = {"n_resamples", "n_simulations", "simulate", "rng"}
"""Options that are always drawn: by default they take thousands of resamples, and a random seed."""


class Ask(NamedTuple):
    """A public callable: of a study where it has a kind, else a function."""

    kind: type | None
    name: str
    function: Callable[..., Any]

    @property
    def label(self) -> str:
        """Name in reports."""
        return self.name if self.kind is None else f"{self.kind.__name__}.{self.name}"


class Call(NamedTuple):
    """A drawn question with its options, and the study it is asked of."""

    ask: Ask
    parts: Parts
    options: Mapping[str, Any]

    def make(self) -> Any:
        """Return the answer, from a study built anew."""
        if self.ask.kind is None or inspect.ismethod(self.ask.function):
            return self.ask.function(**self.options)
        return getattr(self.parts.build(), self.ask.name)(**self.options)

    def with_options(self, **options: Any) -> Call:
        """Return the call with some options replaced."""
        return self._replace(options={**self.options, **options})

    def of(self, parts: Parts) -> Call:
        """Return the same question of another study."""
        return self._replace(parts=parts)


@cache
def all_questions() -> tuple[Ask, ...]:
    """Return every public question, found by name: a new one needs no line here."""
    return tuple(_found())


def _found() -> Iterator[Ask]:
    for kind in (rs.Study, rs.MulticlassStudy, *DRAWS):
        for name in dir(kind):
            value = inspect.getattr_static(kind, name)
            ask = Ask(kind, name, getattr(kind, name))
            if not name.startswith("_") and inspect.isroutine(value) and ask.label not in OF_PARTS:
                yield ask
    for name in rs.__all__:
        value = getattr(rs, name)
        if callable(value) and name not in NOT_ASKED and not name.startswith("plot_"):
            yield Ask(None, name, value)


def draw_call(seed: int, number: int) -> Call:
    """Return a call; the same numbers give the same one."""
    rng = np.random.default_rng([seed, number])
    asks = all_questions()
    ask = asks[int(rng.integers(len(asks)))]
    need = NEEDS.get(ask.name) if rng.random() < 0.9 else None
    parts: Parts
    if ask.kind in DRAWS:
        parts = DRAWS[ask.kind](rng)
    else:
        parts = draw_study(rng, multiclass=ask.kind is rs.MulticlassStudy, need=need)
    parts = as_risks(rng, parts) if ask.name in OF_RISKS else parts
    given = Drawing(rng, parts, ask.name)
    return Call(ask, parts, draw_options(ask.function, ask.kind, given))


def draw_options(function: Callable[..., Any], kind: type | None, given: Drawing) -> dict[str, Any]:
    """Return options of a callable: those it needs, some of the others, most of them fitting."""
    recipes = OF_FUNCTIONS if kind is None or inspect.ismethod(function) else NUMBERS
    options: dict[str, Any] = {}
    share = float(given.pick(0.0, 0.2, 0.5))
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "sample") or parameter.kind is parameter.VAR_KEYWORD:
            continue
        needed = parameter.default is parameter.empty or name in ALWAYS
        # A value is drawn even where it is left out: a recipe that is missing is then found.
        value = draw_value(recipes, function, name, given)
        if name == "design":
            value = _design(given)
        if needed or given.rng.random() < share:
            options[name] = value
    return settle(given, options, recipes) if given.rng.random() < 0.92 else options


def _design(given: Drawing) -> Any:
    """Return a design of a plan; wrong ones are refused where they are made."""
    design = given.pick(*DESIGNS)
    try:
        return design(**draw_options(design, None, given._replace(question=design.__name__)))
    except rs.InputError:
        return rs.OneAUC(0.7)
