"""A band around one curve, the joint band where its method has none, and the columns of bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.frames.making import Labels
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.bands.joint import joint
from rocstats.stats.bands.record import Band, BandMethod, BandRequest, is_degenerate
from rocstats.tolerances import FEW_CASES


def band_or_joint(
    cases: ScoredCases, k: int, kind: BandMethod, request: BandRequest, *, none: str
) -> tuple[Band, str]:
    """Return the band, or the joint band where the method has none, and the method used.

    ``none`` says of what, and for which data, the method has no band.
    """
    # Resamples of perfect separation or of one score are all alike: their band would have no width.
    still = kind.resamples and not kind.has_floor and is_degenerate(cases, k)
    with enough_valid_resamples():
        band = None if still else kind.make(cases, k, request)
    if band is not None:
        return band, kind.word
    # Kolmogorov's quantiles are those of independent cases, so that clusters have no fallback.
    if cases.cluster is not None:
        raise InputError(
            f"`method` must be one that has a band for these data; got {kind.word!r}, which has"
            f" none{none}, and clusters do not allow the joint band. Ask for the interval of the"
            " area."
        )
    return joint(cases, k, request), f"{kind.word}/joint"


def few_for_band(cases: ScoredCases) -> list[str]:
    """Return the note of cases of which a class is small for a band, else nothing."""
    return ["few-cases-for-band"] if min(cases.n_pos, cases.n_neg) < FEW_CASES else []


def band_codes(cases: ScoredCases, kind: BandMethod, band: Band, used: str) -> list[str]:
    """Return the notes of one band, made by the method ``used``."""
    return [
        *([] if kind.guaranteed else few_for_band(cases)),
        *(["joint-band"] if used != kind.word else []),
        *band.codes,
    ]


def band_columns(
    words: Sequence[str],
    bands: Sequence[tuple[Mapping[str, str], Band]],
    at: FloatArray,
    confidence_level: float,
    scope: str,
) -> dict[str, Any]:
    """Return the columns of bands read at the same rates; ``words`` are the texts of each."""
    rows = np.repeat(np.arange(len(bands)), len(at))
    # The empty array gives the columns their type where there is no band.
    curves = [(band.tpr, band.low, band.high) for _, band in bands]
    tpr, low, high = np.concatenate([np.empty((3, 0)), *map(np.array, curves)], axis=1)
    return {
        **{word: Labels([texts[word] for texts, _ in bands], rows) for word in words},
        "fpr": np.tile(at, len(bands)),
        "tpr": tpr,
        "tpr_low": low,
        "tpr_high": high,
        "confidence_level": np.full(len(rows), confidence_level),
        "scope": Labels([scope], np.zeros(len(rows), dtype=np.intp)),
    }
