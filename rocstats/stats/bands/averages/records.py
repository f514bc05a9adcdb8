"""The bars of an average of curves: what each kind rests on, and what curves it is not for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from rocstats.stats.word import Word

BarKind = Literal["binomial", "effective", "t", "percentile"]
BarRole = Literal["sets", "clustered sets", "spanning clusters", "repeats", "unnamed repeats"]
"""Curves of different cases, with clusters, with clusters that span folds; curves of the same
cases, and those without clusters that say which rows are one case."""


class BarRefusal(NamedTuple):
    """Why bars refuse a role: it continues "`bars` must not be 't'"; and what to pass instead."""

    why: str
    instead: str


_NOTHING: Mapping[BarRole, BarRefusal] = MappingProxyType({})


class AverageBars(NamedTuple):
    """A kind of bars.

    ``between_curves`` says that they come from the spread between the curves, of which a merged
    curve has none and which weights do not disturb; ``resamples`` that they draw at random.
    ``printed`` are the words that stand in ``method`` for what they rest on.
    """

    word: str
    printed: tuple[Word, ...]
    between_curves: bool = False
    resamples: bool = False
    refuses: Mapping[BarRole, BarRefusal] = _NOTHING


BINOMIAL = AverageBars(
    "binomial",
    (Word("binomial", "by the binomial distribution"),),
    refuses=MappingProxyType(
        {
            "clustered sets": BarRefusal(
                "for a study with clusters, whose cases are not independent",
                "Pass bars='effective', or independent=False if a cluster is one case that several"
                " folds repeat.",
            )
        }
    ),
)
EFFECTIVE = AverageBars(
    "effective",
    (
        Word("resamples", "by the standard deviation of resamples"),
        Word("clusters", "by the ratio estimator for clustered data"),
    ),
    resamples=True,
    refuses=MappingProxyType(
        {
            "unnamed repeats": BarRefusal(
                "with independent=False unless the study says which rows are one case",
                "Pass cluster= the case to the study.",
            )
        }
    ),
)
_OVER_CURVES = Word("curves", "by the standard deviation over curves")
STUDENT = AverageBars(
    "t",
    (_OVER_CURVES,),
    between_curves=True,
    refuses=MappingProxyType(
        {
            "spanning clusters": BarRefusal(
                "when clusters span folds, whose curves then share cases", "Pass bars='effective'."
            ),
            "repeats": BarRefusal(
                "for curves that share cases: more of them would shrink the bars without end",
                "Pass bars='percentile' or 'binomial'.",
            ),
        }
    ),
)
PERCENTILE = AverageBars(
    "percentile",
    (_OVER_CURVES,),
    between_curves=True,
    refuses=MappingProxyType(
        {
            "sets": BarRefusal(
                "for curves of different cases, whose percentiles are those of one curve, not of"
                " the mean",
                "Pass bars='t', or independent=False if the folds are resamples of one test set.",
            )
        }
    ),
)
AVERAGE_BARS: tuple[AverageBars, ...] = (BINOMIAL, EFFECTIVE, STUDENT, PERCENTILE)
_BY_WORD = {record.word: record for record in AVERAGE_BARS}

PRINTED_LIMITS = (
    Word("wilson-effective-n", "by the method of Wilson with an effective sample size"),
    Word("t", "with quantiles of the t distribution"),
)
"""The words for limits of means of rates, and of their differences."""


def average_bars(word: str) -> AverageBars:
    """Return the bars called ``word``."""
    return _BY_WORD[word]
