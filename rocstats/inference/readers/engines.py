"""The two methods for averages over readers, with the same functions.

``ObuchowskiRocketteEngine`` is Obuchowski and Rockette's analysis of variance of the table of areas
(``estimate.readers``), ``UStatisticEngine`` the theory of U-statistics over pairs of cases
(``ustatistics``). ``reader_engine`` returns that of a plan.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rocstats.estimate.reader_covariance import reader_table
from rocstats.estimate.readers import (
    FTest,
    ReaderEstimate,
    ReaderTable,
    is_served_reader_study,
    mean_of_readers,
    modality_difference,
    modality_test,
    reader_average,
    reader_difference,
)
from rocstats.facts.arrays import FloatArray
from rocstats.inference.readers.plan import ReaderPlan
from rocstats.inference.readers.ustatistics import UStatistics
from rocstats.study.cases import Reads


class ObuchowskiRocketteEngine:
    """Obuchowski and Rockette's model of the areas of one group of a study.

    ``resampled`` has sensitivities at a false positive rate in place of areas.
    """

    def __init__(
        self, reads: Reads, plan: ReaderPlan, resampled: ReaderTable | None = None
    ) -> None:
        self.reads, self.plan, self.resampled = reads, plan, resampled
        self.effects = plan.readers, plan.cases

    @property
    def word(self) -> str:
        """The method as in the column ``method``, without the limits."""
        covariance = self.plan.covariance if self.resampled is None else "resampled"
        return f"{self.plan.method}-{covariance}"

    @cached_property
    def table(self) -> ReaderTable:
        """Areas, or sensitivities, of all readers under all modalities, with their covariance."""
        if self.resampled is not None:
            return self.resampled
        return reader_table(self.reads, self.plan.covariance, self.plan.over)

    @property
    def areas(self) -> FloatArray:
        """Areas of all readers under all modalities."""
        return self.table.theta

    @property
    def served(self) -> bool:
        """Whether the model holds for this design."""
        return is_served_reader_study(self.table.has_area)

    def average(self, i: int) -> ReaderEstimate:
        """Return the average over readers of modality ``i``."""
        return _without_negative_variance(reader_average(self.table, i, *self.effects))

    def difference(self, i: int, k: int) -> ReaderEstimate:
        """Return the average of modality ``i`` minus that of modality ``k``."""
        return _without_negative_variance(modality_difference(self.table, i, k, *self.effects))

    def reader_difference(self, i: int, k: int, j: int) -> ReaderEstimate:
        """Return the difference of two modalities for reader ``j`` alone."""
        return _without_negative_variance(reader_difference(self.table, i, k, j))

    def global_test(self) -> FTest | None:
        """Return the test that all modalities have the same average."""
        return modality_test(self.table, *self.effects)

    def minus_machine(self, beside: Reads, j: int | None) -> ReaderEstimate:
        """Return the average of the readers ``beside`` a machine, or the ``j``-th, minus it.

        It is the mean of the differences d_j of the readers' areas from that of the machine.
        """
        table = reader_table(beside, self.plan.covariance, self.plan.over)
        readers = np.flatnonzero(table.has_area[0, :-1]).tolist() if j is None else [j]
        curves = np.array([*readers, beside.n_readers - 1])
        contrast = np.eye(len(curves))[:-1] - np.eye(len(curves))[-1]
        d = contrast @ table.theta[0, curves]
        sigma = contrast @ table.sigma[np.ix_(curves, curves)] @ contrast.T
        return _without_negative_variance(mean_of_readers(d, sigma, *self.effects))


class UStatisticEngine:
    """U-statistics over pairs of cases, for one group of a study of any design."""

    served = True

    def __init__(self, reads: Reads, plan: ReaderPlan) -> None:
        self.reads, self.plan = reads, plan
        self.centre = plan.method == "u-statistic-centred"
        self.statistics = UStatistics(reads, self.centre)

    @property
    def word(self) -> str:
        """The method as in the column ``method``, without the limits."""
        return self.plan.method

    @cached_property
    def table(self) -> ReaderTable:
        """Areas of all readers under all modalities, with their unbiased covariance."""
        return reader_table(self.reads, "unbiased")

    @property
    def areas(self) -> FloatArray:
        """Areas of all readers under all modalities."""
        return self.statistics.areas

    def average(self, i: int) -> ReaderEstimate:
        """Return the average over readers of modality ``i``, weighted by pairs of cases."""
        return _with_reader_notes(self.statistics.average(i, self.plan.readers))

    def difference(self, i: int, k: int) -> ReaderEstimate:
        """Return the average of modality ``i`` minus that of modality ``k``."""
        return _with_reader_notes(self.statistics.difference(i, k, self.plan.readers))

    def reader_difference(self, i: int, k: int, j: int) -> ReaderEstimate:
        """Return the difference of two modalities for reader ``j`` alone."""
        return _with_reader_notes(self.statistics.reader_difference(i, k, j))

    def global_test(self) -> FTest | None:
        """Return None: the method has no test of all modalities."""
        return None

    def minus_machine(self, beside: Reads, j: int | None) -> ReaderEstimate:
        """Return the average of the readers ``beside`` a machine, or the ``j``-th, minus it."""
        statistics = UStatistics(beside, self.centre)
        if j is None:
            return _with_reader_notes(statistics.minus_machine(self.plan.readers))
        return _with_reader_notes(statistics.reader_minus_machine(j))


Engine = ObuchowskiRocketteEngine | UStatisticEngine


def reader_engine(reads: Reads, plan: ReaderPlan) -> Engine:
    """Return the engine of a plan for the reads of one group."""
    is_table = plan.method == "obuchowski-rockette"
    return ObuchowskiRocketteEngine(reads, plan) if is_table else UStatisticEngine(reads, plan)


def beside_machine(reads: Reads, i: int, pos: FloatArray, neg: FloatArray) -> Reads:
    """Return the readers with reads under modality ``i``, and a machine as the last reader.

    ``pos`` (m) and ``neg`` (n) are the scores of the machine, NaN where it has none.
    """
    active = reads.has_read[i].any(axis=1)
    with_machine = [
        np.vstack([ratings[i, active], scores])[np.newaxis]
        for ratings, scores in ((reads.pos, pos), (reads.neg, neg))
    ]
    return reads._replace(pos=with_machine[0], neg=with_machine[1])


# --- Notes of an estimate -------------------------------------------------------------------------


def _without_negative_variance(estimate: ReaderEstimate) -> ReaderEstimate:
    """Return an estimate whose negative variance is 0, which has limits without a variance."""
    if "negative-variance" not in estimate.codes:
        return estimate
    codes = tuple(code for code in estimate.codes if code != "negative-variance")
    return estimate._replace(variance=0.0, codes=codes)


# The note "negative-variance" is about clusters, and says that there are no limits.
_READER_NOTES = {"negative-variance": "bootstrap-variance", "no-estimate": "reader-one-class"}


def _with_reader_notes(estimate: ReaderEstimate) -> ReaderEstimate:
    return estimate._replace(codes=tuple(_READER_NOTES.get(code, code) for code in estimate.codes))
