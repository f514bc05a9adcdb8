"""Index of all records of methods: the phrase in print of each word in a frame.

Tables, reports and figures read methods here and nowhere else. No plotting and no models are
loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from rocstats.estimate import benefit, claim, classes, precision, proportions, strata
from rocstats.estimate import reader_covariance as readers
from rocstats.estimate.areas import AREA_VARIANCES
from rocstats.estimate.bands import BANDS
from rocstats.estimate.claim import P_ADJUSTMENTS, SINGLE_STEP
from rocstats.estimate.intervals import AREA_INTERVALS
from rocstats.facts import methods
from rocstats.facts.methods import Word
from rocstats.inference.bands.average_limits import AVERAGE_BARS, PRINTED_LIMITS
from rocstats.inference.imputation import POOLED_BY
from rocstats.inference.verification import areas as verified_areas
from rocstats.inference.verification import rates as verified_rates

Words = Mapping[str, Word]
_UNPUBLISHED = " (of rocstats, not peer-reviewed)"


def _method_records_by_word(*families: Iterable[Word]) -> Words:
    """Return records of methods by word, with our own methods marked as such in print."""
    # The mark is added here, once: no phrase of a method that is not published can lack it.
    return {
        word.word: word if word.published else word._replace(phrase=word.phrase + _UNPUBLISHED)
        for word in chain.from_iterable(families)
    }


STANDARD_ERRORS: Words = _method_records_by_word(
    *(variance.printed for variance in AREA_VARIANCES),
    strata.PRINTED,
    precision.PRINTED,
    *(bars.printed for bars in AVERAGE_BARS),
    *(test.standard_errors for test in claim.DIFFERENCE_TESTS),
    claim.STANDARD_ERRORS,
    methods.BINORMAL_STANDARD_ERRORS,
    methods.CHANCE_STANDARD_ERRORS,
    methods.POINT_STANDARD_ERRORS,
    methods.CALIBRATION_STANDARD_ERRORS,
    methods.COVARIATE_STANDARD_ERRORS,
    classes.PRINTED,
    verified_rates.PRINTED,
    verified_areas.PRINTED,
    readers.STANDARD_ERRORS,
    methods.SURVIVAL_STANDARD_ERRORS,
)
"""Standard errors, by the first word of ``method``."""

LIMITS: Words = _method_records_by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in AREA_INTERVALS),
    proportions.PRINTED,
    PRINTED_LIMITS,
    claim.LIMITS,
    methods.CHANCE_LIMITS,
    methods.POINT_LIMITS,
    precision.LIMITS,
    readers.LIMITS,
    methods.SURVIVAL_LIMITS,
)
"""Limits, by the second word of ``method``."""

EXCHANGES: Words = _method_records_by_word(*(test.exchange for test in claim.DIFFERENCE_TESTS))
"""Tests beside an interval that is not theirs, by the third word of ``method``."""

TESTS: Words = _method_records_by_word(
    methods.CHANCE_TESTS, claim.TESTS, methods.POINT_TESTS, methods.CALIBRATION_TESTS
)
"""Tests whose P value needs no statistic, by the whole ``method``."""

BAND_WORDS: Words = _method_records_by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in BANDS),
    benefit.PRINTED,
    methods.CALIBRATION_BANDS,
)
"""Bands, by the first word of ``method``."""

ADJUSTMENTS = (SINGLE_STEP, *P_ADJUSTMENTS)
"""Adjustments of P values for the number of tests."""

POOLED: Words = _method_records_by_word(POOLED_BY)
"""How answers to imputed data sets are pooled, by the third word of ``method``."""
