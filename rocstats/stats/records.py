"""Index of all records of methods: the phrase in print of each word in a frame.

``present`` imports no other module of stats. No plotting and no models are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from rocstats.stats import verification
from rocstats.stats.areas import precision, strata
from rocstats.stats.areas.records import AREA_VARIANCES
from rocstats.stats.bands.averages.records import AVERAGE_BARS, PRINTED_LIMITS
from rocstats.stats.bands.records import BANDS
from rocstats.stats.binormal import printed as binormal
from rocstats.stats.calibration import printed as calibration
from rocstats.stats.chance import printed as chance
from rocstats.stats.classes import areas as classes
from rocstats.stats.comparison import records as comparison
from rocstats.stats.comparison.multiplicity import P_ADJUSTMENTS, SINGLE_STEP
from rocstats.stats.costs import benefit_bands
from rocstats.stats.covariates import printed as covariates
from rocstats.stats.imputation import RUBIN
from rocstats.stats.intervals.rates import proportions
from rocstats.stats.intervals.records import AREA_INTERVALS
from rocstats.stats.points import printed as points
from rocstats.stats.readers import printed as readers
from rocstats.stats.survival import printed as survival
from rocstats.stats.word import Word

Words = Mapping[str, Word]
_OURS = " (of rocstats, not peer-reviewed)"


def _by_word(*families: Iterable[Word]) -> Words:
    """Return records of methods by word, with our own methods marked as such in print."""
    # The mark is added here, once: no phrase of a method that is not published can lack it.
    return {
        word.word: word if word.published else word._replace(phrase=word.phrase + _OURS)
        for word in chain.from_iterable(families)
    }


STANDARD_ERRORS: Words = _by_word(
    *(variance.printed for variance in AREA_VARIANCES),
    strata.PRINTED,
    precision.PRINTED,
    *(bars.printed for bars in AVERAGE_BARS),
    *(test.standard_errors for test in comparison.DIFFERENCE_TESTS),
    comparison.STANDARD_ERRORS,
    binormal.STANDARD_ERRORS,
    chance.STANDARD_ERRORS,
    points.STANDARD_ERRORS,
    calibration.STANDARD_ERRORS,
    covariates.STANDARD_ERRORS,
    classes.PRINTED,
    verification.PRINTED,
    readers.STANDARD_ERRORS,
    survival.STANDARD_ERRORS,
)
"""Standard errors, by the first word of ``method``."""

LIMITS: Words = _by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in AREA_INTERVALS),
    proportions.PRINTED,
    PRINTED_LIMITS,
    comparison.LIMITS,
    chance.LIMITS,
    points.LIMITS,
    precision.LIMITS,
    readers.LIMITS,
    survival.LIMITS,
)
"""Limits, by the second word of ``method``."""

EXCHANGES: Words = _by_word(*(test.exchange for test in comparison.DIFFERENCE_TESTS))
"""Tests beside an interval that is not theirs, by the third word of ``method``."""

TESTS: Words = _by_word(chance.TESTS, comparison.TESTS, points.TESTS, calibration.TESTS)
"""Tests whose P value needs no statistic, by the whole ``method``."""

BAND_WORDS: Words = _by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in BANDS),
    benefit_bands.PRINTED,
    calibration.BANDS,
)
"""Bands, by the first word of ``method``."""

ADJUSTMENTS = (SINGLE_STEP, *P_ADJUSTMENTS)
"""Adjustments of P values for the number of tests."""

POOLED: Words = _by_word((RUBIN,))
"""How answers to imputed data sets are pooled, by the third word of ``method``."""
