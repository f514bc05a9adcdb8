"""The two engines behind the questions about readers, with the same answers to ask for."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from rocstats.inference.readers.options import ReaderPlan
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.reads import Reads
from rocstats.stats.readers import anova
from rocstats.stats.readers.covariance import reader_table
from rocstats.stats.readers.record import Estimate, FTest, Table
from rocstats.stats.readers.ustatistics import UStatistics


class Versus(NamedTuple):
    """Readers of one modality beside a machine: reads (1 x r), and scores of the same cases."""

    readers: Reads
    pos: FloatArray
    neg: FloatArray

    @classmethod
    def of(cls, together: Reads) -> Self:
        """Return readers and machine apart, the machine being the last reader."""
        readers = together._replace(pos=together.pos[:, :-1], neg=together.neg[:, :-1])
        return cls(readers, together.pos[0, -1], together.neg[0, -1])

    @property
    def together(self) -> Reads:
        """The reads with the machine as the last reader."""
        pos = np.concatenate([self.readers.pos, self.pos.reshape(1, 1, -1)], axis=1)
        neg = np.concatenate([self.readers.neg, self.neg.reshape(1, 1, -1)], axis=1)
        return self.readers._replace(pos=pos, neg=neg)


class TableEngine:
    """Obuchowski and Rockette's model of the areas of one group of a study."""

    def __init__(self, reads: Reads, plan: ReaderPlan) -> None:
        self.reads, self.plan = reads, plan
        self.factors = plan.readers, plan.cases

    @property
    def word(self) -> str:
        """The method as in the column ``method``, without the limits."""
        return f"{self.plan.method}-{self.plan.covariance}"

    @cached_property
    def table(self) -> Table:
        """Areas of all readers under all modalities, with their covariance."""
        return reader_table(self.reads, self.plan.covariance, self.plan.over)

    @property
    def areas(self) -> FloatArray:
        """Areas of all readers under all modalities."""
        return self.table.theta

    @property
    def served(self) -> bool:
        """Whether the model holds for this design."""
        return anova.serves(self.table)

    def average(self, i: int) -> Estimate:
        """Return the average over readers of modality ``i``."""
        return _without_negative(anova.average(self.table, i, *self.factors))

    def difference(self, i: int, k: int) -> Estimate:
        """Return the average of modality ``i`` minus that of modality ``k``."""
        return _without_negative(anova.difference(self.table, i, k, *self.factors))

    def reader_difference(self, i: int, k: int, j: int) -> Estimate:
        """Return the difference of two modalities for reader ``j`` alone."""
        return _without_negative(anova.reader_difference(self.table, i, k, j))

    def global_test(self) -> FTest | None:
        """Return the test that all modalities have the same average."""
        return anova.global_test(self.table, *self.factors)

    def against(self, versus: Versus, j: int | None) -> Estimate:
        """Return the readers' average, or reader ``j``, minus a machine."""
        table = reader_table(versus.together, self.plan.covariance, self.plan.over)
        # Each reader with an area minus the machine, which is the last curve of the table.
        *readers, last = range(table.theta.shape[1])
        own = [k for k in readers if not np.isnan(table.theta[0, k])] if j is None else [j]
        contrast = np.eye(len(own) + 1)[:-1] - np.eye(len(own) + 1)[-1]
        rows = np.array([*own, last])
        sigma = contrast @ table.sigma[np.ix_(rows, rows)] @ contrast.T
        factors = self.factors if j is None else ("fixed", "random")
        return _without_negative(anova.against(contrast @ table.theta[0, rows], sigma, *factors))


class ResampledEngine(TableEngine):
    """The same model of sensitivities at a false positive rate, with a covariance of resamples."""

    def __init__(self, reads: Reads, plan: ReaderPlan, resampled: Table) -> None:
        super().__init__(reads, plan)
        self.resampled = resampled

    @property
    def word(self) -> str:
        """The method as in the column ``method``, without the limits."""
        return f"{self.plan.method}-resampled"

    @cached_property
    def table(self) -> Table:
        """Sensitivities of all readers under all modalities, with their covariance."""
        return self.resampled


class PairEngine:
    """U-statistics over pairs of cases, for one group of a study of any design."""

    def __init__(self, reads: Reads, plan: ReaderPlan) -> None:
        self.reads, self.plan = reads, plan
        self.statistics = UStatistics(reads, plan.centred)

    @property
    def word(self) -> str:
        """The method as in the column ``method``, without the limits."""
        return self.plan.method

    @cached_property
    def table(self) -> Table:
        """Areas of all readers under all modalities, with their unbiased covariance."""
        return reader_table(self.reads, "unbiased")

    @property
    def areas(self) -> FloatArray:
        """Areas of all readers under all modalities."""
        return self.statistics.areas

    @property
    def served(self) -> bool:
        """Whether the method holds for this design: it does for any."""
        return True

    def average(self, i: int) -> Estimate:
        """Return the average over readers of modality ``i``, weighted by pairs of cases."""
        return _renamed(self.statistics.average(i, self.plan.readers))

    def difference(self, i: int, k: int) -> Estimate:
        """Return the average of modality ``i`` minus that of modality ``k``."""
        return _renamed(self.statistics.difference(i, k, self.plan.readers))

    def reader_difference(self, i: int, k: int, j: int) -> Estimate:
        """Return the difference of two modalities for reader ``j`` alone."""
        return _renamed(self.statistics.reader_difference(i, k, j))

    def global_test(self) -> FTest | None:
        """Return None: the method has no test of all modalities."""
        return None

    def against(self, versus: Versus, j: int | None) -> Estimate:
        """Return the readers' average, or reader ``j``, minus a machine."""
        scores = versus.pos, versus.neg
        statistics = UStatistics(versus.readers, self.plan.centred)
        if j is None:
            return _renamed(statistics.against_machine(0, *scores, self.plan.readers))
        return _renamed(statistics.reader_against_machine(0, j, *scores))


Engine = TableEngine | PairEngine


def engine_of(reads: Reads, plan: ReaderPlan) -> Engine:
    """Return the engine of a plan for the reads of one group."""
    return TableEngine(reads, plan) if plan.by_table else PairEngine(reads, plan)


def _without_negative(estimate: Estimate) -> Estimate:
    """Return an estimate whose variance, if it was negative, is 0: it has limits of its own."""
    if "negative-variance" not in estimate.codes:
        return estimate
    codes = tuple(code for code in estimate.codes if code != "negative-variance")
    return estimate._replace(variance=0.0, codes=codes)


# The note "negative-variance" is about clusters, and says that there are no limits.
_NOTES = {"negative-variance": "bootstrap-variance", "no-estimate": "reader-one-class"}


def _renamed(estimate: Estimate) -> Estimate:
    return estimate._replace(codes=tuple(_NOTES.get(code, code) for code in estimate.codes))
