"""Checks of a design: the alternative must be true as assumed, and a pilot must be usable."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.sample.sample import Sample
from rocstats.stats.comparison.hypotheses import HYPOTHESES
from rocstats.stats.intervals.quantiles import ALTERNATIVES, Alternative

# Where the truth must lie for a test to have power; elsewhere more cases never raise it.
_ON_SIDE: dict[Alternative, tuple[str, Callable[[float], bool]]] = {
    "two-sided": ("different from", lambda distance: distance != 0),
    "greater": ("above", lambda distance: distance > 0),
    "less": ("below", lambda distance: distance < 0),
}


def require_side(argument: str, value: float, other: str, null: float, side: Alternative) -> None:
    """Raise InputError unless the assumed value is under the alternative hypothesis."""
    where, holds = _ON_SIDE[side]
    if not holds(value - null):
        raise InputError(
            f"`{argument}` must be {where} `{other}` for the alternative {side!r}; got {value!r}"
            f" and {null!r}. Change one of them: no number of cases could show what is not so."
        )


def settle_words(design: Any, **allowed: Collection[str | None]) -> None:
    """Give a frozen design the known word that each field spells, or raise InputError."""
    for name, words in allowed.items():
        object.__setattr__(design, name, require_choice(name, getattr(design, name), words))


def require_comparison(design: Any) -> None:
    """Raise InputError unless a comparison has a hypothesis that is true as assumed."""
    settle_words(design, alternative=ALTERNATIVES, hypothesis=HYPOTHESES)
    if hasattr(design, "null_variance"):
        settle_words(design, null_variance=("alternative", "reference"))
    if design.hypothesis != "difference":
        _require_margin(design)
        return
    if design.margin is not None:
        raise InputError(
            f"`margin` must stay None for the hypothesis 'difference'; got {design.margin!r}."
            " Name the hypothesis that has a margin."
        )
    difference, side = design.difference, design.alternative
    if not _ON_SIDE[side][1](difference):
        raise InputError(
            f"`difference` of the predictor from the reference must be {_ON_SIDE[side][0]} 0 for"
            f" the alternative {side!r}; got {difference:g}. Change the areas: no number of cases"
            " could show what is not so."
        )


def _require_margin(design: Any) -> None:
    difference, margin, hypothesis = design.difference, design.margin, design.hypothesis
    if margin is None:
        raise InputError(
            f"`margin` must be given for the hypothesis {hypothesis!r}; got None."
            " Pass the difference of areas that matters."
        )
    # No margin of 0: superiority by 0 is the one-sided "difference".
    require_open_interval("margin", margin, 0, 1)
    # A design of readers has no null variance: its t test estimates the variance.
    alone = {"alternative": "two-sided", "null_variance": "alternative"}
    given = {name: getattr(design, name) for name in alone if hasattr(design, name)}
    if any(value != alone[name] for name, value in given.items()):
        raise InputError(
            f"{' and '.join(f'`{name}`' for name in given)} must stay out for {hypothesis!r}, whose"
            f" margin says both; got {' and '.join(map(repr, given.values()))}. Leave them out."
        )
    # One-sided at the margin, as the tests of ``compare_auc``: larger differences are better.
    inside = {
        "superiority": difference > margin,
        "non-inferiority": difference > -margin,
        "equivalence": abs(difference) < margin,
    }
    if not inside[hypothesis]:
        raise InputError(
            f"`margin` must leave the assumed difference where {hypothesis} holds; got a difference"
            f" of {difference:g} and {margin!r}. No number of cases could show what is not so."
        )


def require_pilot(pilot: Any) -> None:
    """Raise InputError unless a study can serve as a pilot of independent cases."""
    if not isinstance(pilot, Sample):
        raise InputError(
            f"`pilot` must be a Study; got {type(pilot).__name__}. Describe the pilot with Study."
        )
    # Planned numbers are of independent cases: a pilot's variance must be one of cases as well.
    for role in ("cluster", "fold", "group", "sample_weight", "covariate"):
        if getattr(pilot, role) is not None:
            raise InputError(
                f"`pilot` must have no {role}, which DeLong's variance per case does not honour;"
                f" got a study with {role}=. Pass a pilot without it."
            )
    # DeLong's variance has the divisors n_pos - 1 and n_neg - 1.
    if min(pilot.n_pos, pilot.n_neg) < 2:
        raise InputError(
            "`pilot` must have two cases of each class; got"
            f" {pilot.n_pos:g} positives and {pilot.n_neg:g} negatives. Plan without a pilot."
        )
