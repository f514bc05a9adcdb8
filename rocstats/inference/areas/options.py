"""Which variances and intervals of an area go together, and with which roles of a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.errors import InputError, require_choice
from rocstats.frames.questions import HasRoles
from rocstats.stats.areas.record import AreaVariance
from rocstats.stats.areas.records import AREA_VARIANCES, Variance, area_variance
from rocstats.stats.intervals.record import AreaInterval, Role
from rocstats.stats.intervals.records import AREA_INTERVALS, Interval, area_interval


def require_known(
    cases: HasRoles, variance: Variance, interval: Interval, over: AreaRange = FULL_RANGE
) -> Interval:
    """Return the interval; raise InputError unless it goes with variance, roles and range."""
    interval = require_choice("interval", interval, [record.word for record in AREA_INTERVALS])
    spread, limits = area_variance(variance), area_interval(interval)
    partial = over != FULL_RANGE
    if spread.needs_folds and cases.fold is None:
        raise InputError(
            f"`variance` must not be {variance!r} when the study has no folds, over which it"
            f" averages; got {variance!r}. Pass fold= to the study, or leave `variance` out."
        )
    # logit-t and effective sizes need the components of DeLong's variance, not only its sum.
    if limits.variances and variance not in limits.variances:
        known = _listed(limits.variances)
        raise InputError(
            f"`interval` {interval!r} must go with variance {known}, of which it takes the parts;"
            f" got {variance!r}. Use interval='logit', or variance={limits.variances[0]!r}."
        )
    if cases.cluster is not None and not spread.clustered:
        able = _variances(lambda record: record.clustered != "")
        raise InputError(
            f"`variance` must be {able} when the study has clusters (it becomes Obuchowski's);"
            f" got {variance!r}. Leave `variance` out."
        )
    # Weights before ranges and folds: only "percentile" carries them, and it takes those too.
    if cases.sample_weight is not None:
        _require_role(limits, "weights")
    if partial and not spread.partial:
        able = _variances(lambda record: record.partial)
        raise InputError(
            f"`variance` must be {able} for a partial area; got {variance!r}. Leave `variance` out."
        )
    if partial:
        _require_role(limits, "partial")
    if partial and cases.cluster is not None:
        _require_role(limits, "clustered-partial")
    if cases.fold is not None:
        _require_role(limits, "folds")
    return interval


def _require_role(interval: AreaInterval, role: Role) -> None:
    """Raise InputError where an interval refuses a role; name those that take it."""
    refusal = interval.refuses.get(role)
    if refusal is None:
        return
    why = f", {refusal.why}" if refusal.why else ""
    able = [record.word for record in AREA_INTERVALS if _takes(record, role)]
    instead = f"interval={able[0]!r}" if len(able) == 1 else _listed(able)
    raise InputError(f"`interval` {refusal.must}; got {interval.word!r}{why}. Use {instead}.")


def _takes(interval: AreaInterval, role: Role) -> bool:
    """Return whether to advise an interval for a role.

    Weights have resampled limits only; over folds a closed form spares the resamples.
    """
    # A role without an entry is a KeyError: a new role must choose its advice.
    advised = {
        "weights": interval.resampled,
        "folds": not interval.resampled,
        "partial": True,
        "clustered-partial": "partial" not in interval.refuses,
    }
    return advised[role] and role not in interval.refuses


def _variances(able: Callable[[AreaVariance], bool]) -> str:
    """Return the variances of any study that are able to do something."""
    return _listed([one.word for one in AREA_VARIANCES if able(one) and not one.needs_folds])


def _listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: "'logit', 'wald' or 'bca'"."""
    *head, last = [repr(word) for word in words]
    return f"{', '.join(head)} or {last}" if head else last
