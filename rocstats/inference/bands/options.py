"""Which bands and bars can be made of a study, and which of its roles each of them refuses."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from rocstats.curves.areas.partial import read_range
from rocstats.errors import InputError, require_choice
from rocstats.sample.base import require_cases
from rocstats.sample.binned import is_binned
from rocstats.sample.sample import Sample, own_sample
from rocstats.stats.bands.averages.records import AVERAGE_BARS, BarRole, average_bars
from rocstats.stats.bands.record import BandMethod
from rocstats.stats.bands.records import BANDS, BandName, band_method


def require_method(
    sample: Sample, method: BandName, fpr_range: tuple[float, float] | None, future: float | None
) -> BandMethod:
    """Return the record of a band; raise InputError where the study does not allow the band."""
    method = require_choice("method", method, [record.word for record in BANDS])
    kind = band_method(method)
    if sample.sample_weight is not None:
        raise InputError(
            "`sample_weight` must not be given to a study that is asked for roc_band; got weights."
            " The band needs counts: pass frequency=, or leave the weights out."
        )
    if sample.cluster is not None and not kind.clusters:
        allowed = ", ".join(record.word for record in BANDS if record.clusters)
        raise InputError(
            f"`method` must be one of {allowed} when the study has clusters; got {method!r}."
            " The others assume independent cases."
        )
    if (fpr_range is not None) != kind.needs_range:
        raise InputError(
            f"`fpr_range` must be given with {_written(lambda one: one.needs_range)} and with no"
            f" other; got {fpr_range!r} with {method!r}. Use at= to read a band at some rates."
        )
    if fpr_range is not None:
        _require_inside(fpr_range)
    if future is not None:
        _require_future(future, kind)
    # Normal theory takes means and variances of the scores, which infinite scores do not have.
    if not kind.ranks_only:
        _require_finite(sample, method)
    if kind.fitted:
        _require_exact(sample, method)
    return kind


def _require_exact(sample: Sample, method: str) -> None:
    """Raise InputError for a fitted curve of binned scores, whose error has no known bound."""
    if is_binned(sample):
        raise InputError(
            f"`method` must be a band around the curve of the sample for binned scores; got"
            f" {method!r}, whose curve is fitted. Pass 'fixed-width', or count the scores with"
            " exact=True."
        )


def _written(able: Callable[[BandMethod], bool]) -> str:
    """Return the bands with a property, as a user writes them."""
    return " or ".join(f'method="{record.word}"' for record in BANDS if able(record))


def _require_inside(fpr_range: tuple[float, float]) -> None:
    # The slope of the curve may be infinite at 0 and 1, and with it the variance of the process.
    over = read_range(fpr_range, None)
    if over is not None and (over.low == 0 or over.high == 1):
        raise InputError(
            f"`fpr_range` must lie strictly inside (0, 1); got {fpr_range!r}."
            " At its ends a curve has no limit process: pass for instance (0.01, 0.3)."
        )


def _require_future(future: Any, kind: BandMethod) -> None:
    # Only a band of constant width widens by one known factor, sqrt(1 + 1/future).
    if not kind.holds_future:
        raise InputError(
            f"`future` must stay None but for {_written(lambda one: one.holds_future)}; got"
            f" {future!r} with {kind.word!r}. Only there is it known how much wider the band must"
            " be."
        )
    number = isinstance(future, Real) and not isinstance(future, bool)
    if not (number and 0 < float(future) < np.inf):
        raise InputError(
            f"`future` must be a number > 0; got {future!r}."
            " Pass the size of the new test set over that of this one."
        )


def _require_finite(sample: Sample, method: str) -> None:
    for k, name in enumerate(sample.predictors):
        infinite = int(np.isinf(own_sample(sample, k).cases.counts(k).score).sum())
        if infinite:
            raise InputError(
                f"`method` must be one that uses ranks when scores are infinite; got {method!r} and"
                f" {infinite} infinite scores of {name!r}. Use 'working-hotelling'."
            )


def require_compared(sample: Sample) -> None:
    """Raise InputError unless there are two predictors."""
    require_cases(sample, "a comparison of predictors")
    if len(sample.predictors) < 2:
        raise InputError(
            "`y_score` must have two predictors or more to be compared; got 1."
            " Pass the scores of both in one study."
        )


def require_folds(sample: Sample) -> None:
    """Raise InputError unless the study says which test set each row is of."""
    require_cases(sample, "curves of several test sets")
    if sample.fold is None:
        raise InputError(
            "`fold` must say which test set each row is of; got a study without it."
            " Pass fold= to the study, or join studies with stack_test_sets."
        )


def require_bars_of_merged(bars: str) -> None:
    """Raise InputError for bars that a merged curve cannot have."""
    if average_bars(bars).between_curves:
        able = " or ".join(repr(one.word) for one in AVERAGE_BARS if not one.between_curves)
        raise InputError(
            f"`bars` must be {able} for a merged curve, which has no spread between curves; got"
            f" {bars!r}. Pass one of these."
        )


def require_bars(bars: str, *roles: BarRole) -> None:
    """Raise InputError where bars refuse one of the roles that the curves have."""
    for role in roles:
        refusal = average_bars(bars).refuses.get(role)
        if refusal is not None:
            raise InputError(
                f"`bars` must not be {bars!r} {refusal.why}; got {bars!r}. {refusal.instead}"
            )
