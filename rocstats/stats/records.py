"""The index of all records of methods: what each word in a frame is called in print.

``present`` reads this module and no other of stats. It loads no plotting and no models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from rocstats.stats import classes, verification
from rocstats.stats.areas import strata
from rocstats.stats.areas.records import AREA_VARIANCES
from rocstats.stats.bands.averages.records import AVERAGE_BARS, PRINTED_LIMITS
from rocstats.stats.bands.records import BANDS
from rocstats.stats.binormal import printed as binormal
from rocstats.stats.chance import printed as chance
from rocstats.stats.comparison import records as comparison
from rocstats.stats.comparison.multiplicity import P_ADJUSTMENTS, SINGLE_STEP
from rocstats.stats.intervals.rates import proportions
from rocstats.stats.intervals.records import AREA_INTERVALS
from rocstats.stats.points import printed as points
from rocstats.stats.word import Word

Words = Mapping[str, Word]
_OURS = " (of rocstats, not peer-reviewed)"


def _by_word(*families: Iterable[Word]) -> Words:
    """Return the words of some families; our own methods are called so in print."""
    return {
        word.word: word if word.published else word._replace(phrase=word.phrase + _OURS)
        for word in chain.from_iterable(families)
    }


STANDARD_ERRORS: Words = _by_word(
    *(variance.printed for variance in AREA_VARIANCES),
    strata.PRINTED,
    *(bars.printed for bars in AVERAGE_BARS),
    *(test.standard_errors for test in comparison.DIFFERENCE_TESTS),
    comparison.STANDARD_ERRORS,
    binormal.STANDARD_ERRORS,
    chance.STANDARD_ERRORS,
    points.STANDARD_ERRORS,
    classes.PRINTED,
    verification.PRINTED,
)
"""How a standard error came about, by the first word of ``method``."""

LIMITS: Words = _by_word(
    (Word(one.word, one.phrase, one.references, one.published) for one in AREA_INTERVALS),
    proportions.PRINTED,
    PRINTED_LIMITS,
    comparison.LIMITS,
    chance.LIMITS,
    points.LIMITS,
)
"""How limits came about, by the second word of ``method``."""

EXCHANGES: Words = _by_word(*(test.exchange for test in comparison.DIFFERENCE_TESTS))
"""Tests beside an interval that is not theirs, by the third word of ``method``."""

TESTS: Words = _by_word(chance.TESTS, comparison.TESTS, points.TESTS)
"""Tests whose P value needs no statistic, by the whole ``method``."""

BAND_WORDS: Words = _by_word(
    Word(one.word, one.phrase, one.references, one.published) for one in BANDS
)
"""What bands are, by the first word of ``method``."""

ADJUSTMENTS = (SINGLE_STEP, *P_ADJUSTMENTS)
"""Adjustments of P values for the number of tests."""
