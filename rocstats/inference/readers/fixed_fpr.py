"""Sensitivity of readers at false positive rates, from resamples of the cases they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.points.roc import roc_points
from rocstats.errors import InputError
from rocstats.frames.questions import Question
from rocstats.inference.estimates.randomness import enough_valid_resamples
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.readers.engines import ResampledEngine
from rocstats.inference.readers.options import ReaderPlan, require_served
from rocstats.inference.readers.rows import ALL, Subject
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array
from rocstats.sample.readers import ReaderSample
from rocstats.stats.points.rates import read_rate
from rocstats.stats.points.readings import read_curve
from rocstats.stats.readers.covariance import tables_at_fpr
from rocstats.stats.resampling.streams import ResamplePlan, redrawn_notes
from rocstats.tolerances import FEW_CASES_AT_RATE


class RateSubject(NamedTuple):
    """Sensitivities at one false positive rate, and the resamples of their group.

    ``fewest`` is the smallest number of negatives that a reader read under a modality.
    """

    subject: Subject
    fpr: float
    draws: ResamplePlan
    n_redrawn: int
    fewest: int

    def finished(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row of averages with the rate, the number of resamples, and their notes."""
        n_neg = self.fewest if row["reader"] == ALL else row["n_neg"]
        few = ["few-cases-at-rate"] if n_neg < FEW_CASES_AT_RATE else []
        codes = [*row["note"], *few, *redrawn_notes(self.n_redrawn)]
        return {**row, "fpr": self.fpr, "n_resamples": self.draws.n_resamples, "note": codes}

    def reader_row(
        self, question: Question, i: int, j: int, confidence_level: float
    ) -> dict[str, Any]:
        """Return the sensitivity of one reader, as ``Study.operating_points`` has it."""
        subject, cases = self.subject, self.subject.part.curve(i, j).cases
        level = {"fpr": self.fpr, "confidence_level": confidence_level}
        about = {**subject.reader_columns(i, j), **level}
        if cases.lacks_class:
            return unanswered(question, about, ["reader-one-class", *subject.codes()])
        curve = roc_points(cases.counts(0), higher_is_positive=cases.higher_is_positive[0])
        points = read_curve(curve, "fpr", np.array([self.fpr]), "interpolated")
        with enough_valid_resamples():
            read = read_rate(cases, 0, points, "wilson-effective-n", confidence_level, self.draws)
        return {
            **about,
            "threshold": float(points.threshold[0]),
            "estimate": float(points.read[0]),
            "se": float(read.bars.se[0]),
            "ci_low": float(read.bars.low[0]),
            "ci_high": float(read.bars.high[0]),
            "df": np.inf,
            "n_resamples": read.n_resamples,
            "method": read.method,
            "note": [*read.codes, *subject.codes()],
        }


def subjects_at_fpr(
    sample: ReaderSample,
    plan: ReaderPlan,
    fpr: FloatArray,
    draws: ResamplePlan,
    *,
    needs_served: bool = False,
) -> Iterator[RateSubject]:
    """Yield sensitivities at each false positive rate in each group."""
    for g, (group, part) in enumerate(sample.by_group()):
        own = draws.at(g)
        with enough_valid_resamples():
            found = tables_at_fpr(part.reads, fpr, own)
        read = np.count_nonzero(~np.isnan(part.reads.neg), axis=2)
        fewest = int(read[read > 0].min(initial=part.reads.n_neg))
        at = [
            {"threshold": np.nan, "direction": ">=" if up else "<="}
            for up in part.higher_is_positive
        ]
        for rate, table in zip(fpr.tolist(), found.tables, strict=True):
            engine = ResampledEngine(part.reads, plan, table)
            require_served(not needs_served or engine.served, plan, part)
            subject = Subject(group, part, part.reads, plan, engine, "tpr", at)
            yield RateSubject(subject, rate, own, found.n_redrawn, fewest)


def read_place(threshold: Any, fpr: Any, covariance: Any) -> FloatArray | None:
    """Return the false positive rates, None for thresholds; raise InputError unless one is given.

    A covariance is chosen at thresholds only.
    """
    if (threshold is None) == (fpr is None):
        got = "neither" if fpr is None else "both"
        raise InputError(
            f"`threshold` must be given, or `fpr` in place of it; got {got}. Pass one of them."
        )
    if fpr is None:
        return None
    rates = np.empty(0) if isinstance(fpr, Mapping) else number_array(fpr)
    # At a rate of 1 sensitivity is 1 on any curve.
    if rates.ndim != 1 or len(rates) == 0 or not np.all((rates >= 0) & (rates < 1)):
        raise InputError(
            f"`fpr` must be a number in [0, 1), or a sequence of them, the same for all modalities;"
            f" got {fpr!r}. Pass false positive rates, such as fpr=0.1."
        )
    if covariance is not None:
        raise InputError(
            "`covariance` must stay None at false positive rates, where it is that of resamples;"
            f" got {covariance!r}. Leave `covariance` out."
        )
    return rates
