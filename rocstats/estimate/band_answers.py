"""A band around one curve, as requested: its options, the band, its columns and notes.

``require_band_method`` reads the options; ``band_or_joint_band`` makes the band, or the joint band
where its method has none.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from rocstats.curves.areas import read_range
from rocstats.errors import InputError, require_choice
from rocstats.estimate.band_record import Band, BandMethod, BandRequest, resamples_cannot_vary
from rocstats.estimate.bands import BANDS, BandName, band_method
from rocstats.estimate.exact_bands import joint
from rocstats.estimate.resample import enough_valid_resamples
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import FEW_CASES
from rocstats.study.binned import is_binned
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import are_few_clusters
from rocstats.study.sample import Sample, own_sample

# --- Options of a band around one curve -----------------------------------------------------------


def require_band_method(
    sample: Sample, method: BandName, fpr_range: tuple[float, float] | None, future: float | None
) -> BandMethod:
    """Return the record of a band; raise InputError where the study does not allow the band."""
    method = require_choice("method", method, [record.word for record in BANDS])
    kind = band_method(method)
    if sample.sample_weight is not None:
        raise InputError(
            "`sample_weight` must not be in a study for roc_band; got weights."
            " The band needs counts: pass frequency=, or leave the weights out."
        )
    if sample.cluster is not None and not kind.clusters:
        allowed = ", ".join(record.word for record in BANDS if record.clusters)
        raise InputError(
            f"`method` must be one of {allowed} when the study has clusters; got {method!r}. Other"
            " methods assume independent cases."
        )
    if (fpr_range is not None) != kind.needs_range:
        methods = _methods_with(lambda one: one.needs_range)
        raise InputError(
            f"`fpr_range` must be given with {methods} and with no other method; got"
            f" {fpr_range!r} with {method!r}. Use at= to read a band at some rates."
        )
    if fpr_range is not None:
        _require_inner_fpr_range_of_band(fpr_range)
    if future is not None:
        _require_future(future, kind)
    # Normal theory takes means and variances of the scores, which infinite scores do not have.
    if not kind.ranks_only:
        _require_finite_scores_for_band(sample, method)
    if kind.fitted:
        _require_unbinned_for_fitted_band(sample, method)
    return kind


def _require_unbinned_for_fitted_band(sample: Sample, method: str) -> None:
    """Raise InputError for a fitted curve of binned scores, whose error has no known bound."""
    if is_binned(sample):
        raise InputError(
            "`method` must be a band around the empirical curve for binned scores; got"
            f" {method!r}, which fits a curve. Pass 'fixed-width', or count the scores with"
            " exact=True."
        )


def _methods_with(able: Callable[[BandMethod], bool]) -> str:
    """Return the bands with a property, as a user writes them."""
    return " or ".join(f'method="{record.word}"' for record in BANDS if able(record))


def _require_inner_fpr_range_of_band(fpr_range: tuple[float, float]) -> None:
    # The slope of the curve may be infinite at 0 and 1, and with it the variance of the process.
    over = read_range(fpr_range, None)
    if over is not None and (over.low == 0 or over.high == 1):
        raise InputError(
            f"`fpr_range` must lie strictly inside (0, 1); got {fpr_range!r}. The method is not"
            " valid at 0 and 1: pass for instance (0.01, 0.3)."
        )


def _require_future(future: Any, kind: BandMethod) -> None:
    # Only a band of constant width widens by one known factor, sqrt(1 + 1/future).
    if not kind.holds_future:
        raise InputError(
            f"`future` must stay None except with {_methods_with(lambda one: one.holds_future)};"
            f" got {future!r} with {kind.word!r}. For other bands the width for a new test set is"
            " not known."
        )
    number = isinstance(future, Real) and not isinstance(future, bool)
    if not (number and 0 < float(future) < np.inf):
        raise InputError(
            f"`future` must be a number > 0; got {future!r}. Pass the size of the new test set"
            " divided by the size of this one."
        )


def _require_finite_scores_for_band(sample: Sample, method: str) -> None:
    for k, name in enumerate(sample.predictors):
        infinite = int(np.isinf(own_sample(sample, k).cases.counts(k).score).sum())
        if infinite:
            raise InputError(
                f"`method` must use ranks if scores are infinite; got {method!r} and {infinite}"
                f" infinite scores of {name!r}. Use 'working-hotelling'."
            )


# --- A band around one curve ----------------------------------------------------------------------


def band_or_joint_band(
    cases: ScoredCases, k: int, kind: BandMethod, request: BandRequest, *, none: str
) -> tuple[Band, str]:
    """Return the band, or the joint band where the method has none, and the method used.

    ``none`` says of what, and for which data, the method has no band.
    """
    # Resamples of perfect separation or of one score are all alike: their band would have no width.
    still = kind.resamples and not kind.has_floor and resamples_cannot_vary(cases, k)
    with enough_valid_resamples():
        band = None if still else kind.make(cases, k, request)
    if band is not None:
        return band, kind.word
    # Kolmogorov's quantiles are those of independent cases, so that clusters have no fallback.
    if cases.cluster is not None:
        raise InputError(
            f"`method` must have a band for these data; got {kind.word!r}, which has none{none},"
            " and the joint band does not support clusters. Use the interval of the area"
            " instead."
        )
    return joint(cases, k, request), f"{kind.word}/joint"


def few_cases_for_band_codes(cases: ScoredCases) -> list[str]:
    """Return the note of cases of which a class is small for a band, else nothing."""
    return ["few-cases-for-band"] if min(cases.n_pos, cases.n_neg) < FEW_CASES else []


def few_clusters_for_band_codes(cases: ScoredCases) -> list[str]:
    """Return the note of cases with few clusters in either class, else nothing."""
    return ["few-clusters"] if are_few_clusters(cases) else []


def band_codes(cases: ScoredCases, kind: BandMethod, band: Band, used: str) -> list[str]:
    """Return the notes of one band, made by the method ``used``."""
    return [
        *([] if kind.guaranteed else few_cases_for_band_codes(cases)),
        *few_clusters_for_band_codes(cases),
        *(["joint-band"] if used != kind.word else []),
        *band.codes,
    ]


def band_columns_at_fpr(at: FloatArray, band: Band) -> dict[str, FloatArray]:
    """Return the columns of a band read at some false positive rates."""
    return {"fpr": at, "tpr": band.tpr, "tpr_low": band.low, "tpr_high": band.high}
