"""Index of all records of methods: the phrase in print of each word in a frame.

``present`` imports no other module of stats. No plotting and no models are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from rocstats.estimate import (
    benefit as benefit_bands,
)
from rocstats.estimate import (
    claim as comparison,
)
from rocstats.estimate import (
    classes,
    precision,
    proportions,
    strata,
)
from rocstats.estimate.areas import AREA_VARIANCES
from rocstats.estimate.bands import BANDS
from rocstats.estimate.claim import P_ADJUSTMENTS, SINGLE_STEP
from rocstats.estimate.intervals import AREA_INTERVALS
from rocstats.facts import (
    methods as binormal,
)
from rocstats.facts import (
    methods as calibration,
)
from rocstats.facts import (
    methods as chance,
)
from rocstats.facts import (
    methods as covariates,
)
from rocstats.facts import (
    methods as points,
)
from rocstats.facts import (
    methods as survival,
)
from rocstats.facts.methods import Word
from rocstats.inference import verification
from rocstats.inference.bands.average_limits import AVERAGE_BARS, PRINTED_LIMITS
from rocstats.inference.imputation import RUBIN
from rocstats.inference.readers import covariance as readers

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
    chance.CHANCE_PRINTED_STANDARD_ERRORS,
    points.POINTS_PRINTED_STANDARD_ERRORS,
    calibration.CALIBRATION_PRINTED_STANDARD_ERRORS,
    covariates.COVARIATES_PRINTED_STANDARD_ERRORS,
    classes.PRINTED,
    verification.PRINTED,
    readers.STANDARD_ERRORS,
    survival.SURVIVAL_PRINTED_STANDARD_ERRORS,
)
"""Standard errors, by the first word of ``method``."""

LIMITS: Words = _by_word(
    (Word(m.word, m.phrase, m.references, m.published) for m in AREA_INTERVALS),
    proportions.PRINTED,
    PRINTED_LIMITS,
    comparison.LIMITS,
    chance.LIMITS,
    points.POINTS_PRINTED_LIMITS,
    precision.LIMITS,
    readers.LIMITS,
    survival.SURVIVAL_PRINTED_LIMITS,
)
"""Limits, by the second word of ``method``."""

EXCHANGES: Words = _by_word(*(test.exchange for test in comparison.DIFFERENCE_TESTS))
"""Tests beside an interval that is not theirs, by the third word of ``method``."""

TESTS: Words = _by_word(
    chance.CHANCE_PRINTED_TESTS, comparison.TESTS, points.POINTS_PRINTED_TESTS, calibration.TESTS
)
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
