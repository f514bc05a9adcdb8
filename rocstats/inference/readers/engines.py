"""Methods for questions about readers: options, and two engines that answer alike.

``TableEngine`` is Obuchowski and Rockette's analysis of variance (``estimate.readers``),
``PairEngine`` the theory of U-statistics (``ustatistics``). ``read_plan`` picks the one that can
answer: what a study generalises to (readers, cases or both), its design, clusters and partial areas
decide.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.errors import InputError, require_choice
from rocstats.estimate.reader_covariance import (
    COVARIANCES,
    Covariance,
    reader_covariance,
    reader_table,
)
from rocstats.estimate.readers import (
    Effect,
    FTest,
    ReaderEstimate,
    ReaderTable,
    is_served,
    mean_of_readers,
    modality_difference,
    modality_test,
    reader_average,
    reader_difference,
)
from rocstats.facts.arrays import FloatArray
from rocstats.inference.readers.ustatistics import UStatistics
from rocstats.study.cases import Reads
from rocstats.study.readers import ReaderSample

# --- Options: method, covariance, and what the study generalises to -------------------------------

ReaderMethod = Literal["obuchowski-rockette", "u-statistic", "u-statistic-centred"]


class ReaderPlan(NamedTuple):
    """How averages over readers are inferred.

    ``is_rate`` says that they are rates of calls, ``at_fpr`` sensitivities at a false positive
    rate.
    """

    method: ReaderMethod
    covariance: Covariance
    readers: Effect
    cases: Effect
    over: AreaRange = FULL_RANGE
    is_rate: bool = False
    at_fpr: bool = False

    @property
    def by_table(self) -> bool:
        """Whether the method is that of Obuchowski and Rockette."""
        return self.method == "obuchowski-rockette"

    @property
    def centred(self) -> bool:
        """Whether U-statistics are of kernels less the average area."""
        return self.method == "u-statistic-centred"

    @property
    def factors(self) -> dict[str, Any]:
        """The columns that say what is generalised to."""
        return {"readers": self.readers, "cases": self.cases}


def read_plan(
    sample: ReaderSample,
    *,
    method: str | None,
    covariance: str,
    readers: str,
    cases: str,
    over: AreaRange = FULL_RANGE,
    is_rate: bool = False,
    at_fpr: bool = False,
    by_reader: bool = False,
) -> ReaderPlan:
    """Return how averages over readers are inferred; raise InputError for what cannot be."""
    method = require_choice("method", method, (None, *get_args(ReaderMethod)))
    words = [record.word for record in COVARIANCES]
    covariance = require_choice("covariance", covariance, words)
    readers = require_choice("readers", readers, get_args(Effect))
    cases = require_choice("cases", cases, get_args(Effect))
    if by_reader:
        readers = _require_random_cases(cases)
    else:
        _require_chance(sample, readers, cases)
    needs = _needs_table(sample, cases, over, at_fpr)
    if method is None:
        method = "obuchowski-rockette" if needs else _default_method(sample)
    elif method != "obuchowski-rockette" and needs:
        raise InputError(
            f"`method` must be 'obuchowski-rockette' {needs}; got {method!r}. Leave `method` out."
        )
    plan = ReaderPlan(method, covariance, readers, cases, over, is_rate, at_fpr)  # type: ignore[arg-type]
    _require_covariance(sample, plan)
    return plan


def _default_method(sample: ReaderSample) -> ReaderMethod:
    """Return the method for the design of a study, if it may be any."""
    if sample.design.crossed:
        return "obuchowski-rockette"
    if not sample.design.uneven:
        return "u-statistic"
    parts = [part.reads for _, part in sample.by_group()]
    read = [[~np.isnan(side) for side in (part.pos, part.neg)] for part in parts]
    has_area = [np.asarray(pos.any(axis=2) & neg.any(axis=2)) for pos, neg in read]
    served = all(is_served(of_group) for of_group in has_area)
    return "obuchowski-rockette" if served else "u-statistic-centred"


def _require_chance(sample: ReaderSample, readers: str, cases: str) -> None:
    if readers == cases == "fixed":
        raise InputError(
            "`cases` must be 'random' for fixed readers, or nothing is left to chance; got"
            " readers='fixed' and cases='fixed'. Make one of them 'random'."
        )
    if readers == "random" and len(sample.readers) == 1:
        raise InputError(
            "`readers` must be 'fixed' in a study with one reader, who does not show how readers"
            " differ; got 'random'. Pass readers='fixed': the answer then holds for this reader."
        )


def _require_random_cases(cases: str) -> Effect:
    """Return "fixed": each reader is analysed alone; raise InputError for fixed cases."""
    if cases == "fixed":
        raise InputError(
            "`cases` must be 'random' with by='reader', as the reader is fixed; got 'fixed'."
            " Leave `cases` out."
        )
    return "fixed"


AT_FPR = "for sensitivity at a false positive rate"


def _needs_table(sample: ReaderSample, cases: str, over: AreaRange, at_fpr: bool) -> str:
    """Return why U-statistics cannot answer, or ""."""
    if at_fpr:
        return AT_FPR
    if cases == "fixed":
        return "for fixed cases"
    if sample.cluster is not None:
        return "for a study with clusters"
    return "" if over.full else "for partial areas"


def _require_covariance(sample: ReaderSample, plan: ReaderPlan) -> None:
    if not plan.by_table:
        return
    record = reader_covariance(plan.covariance)
    refused = {
        "for a study with clusters": sample.cluster is not None and not record.clusters,
        "for partial areas": not (plan.over.full or record.partial),
    }
    for why, is_refused in refused.items():
        if is_refused:
            raise InputError(
                f"`covariance` must be 'jackknife' or 'delong' {why}; got {plan.covariance!r}."
                " Leave `covariance` out."
            )


def require_served(served: bool, plan: ReaderPlan, sample: ReaderSample) -> None:
    """Raise InputError if the design is not one that Obuchowski and Rockette's method serves."""
    if served:
        return
    need = _needs_table(sample, plan.cases, plan.over, plan.at_fpr)
    reason, what = f"{need} " if need else "", "a curve" if plan.at_fpr else "an area"
    way_out = {
        "for fixed cases": "Pass cases='random'.",
        "for a study with clusters": "Leave out the readers who did not read every modality, or"
        " make a study without cluster=, whose standard errors are then too small.",
        "for partial areas": "Ask for whole areas.",
        AT_FPR: "Leave out the readers who did not read every modality, or pass threshold= instead"
        " of fpr=.",
    }.get(need, f"Pass method='u-statistic{'-centred' if sample.design.uneven else ''}'.")
    raise InputError(
        f"`method` 'obuchowski-rockette' {reason}must have {what} of every reader under every"
        f" modality; got a study of the design {sample.design.name!r} without some of them."
        f" {way_out}"
    )


# --- Engines --------------------------------------------------------------------------------------


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
    """Obuchowski and Rockette's model of the areas of one group of a study.

    ``resampled`` has sensitivities at a false positive rate in place of areas.
    """

    def __init__(
        self, reads: Reads, plan: ReaderPlan, resampled: ReaderTable | None = None
    ) -> None:
        self.reads, self.plan, self.resampled = reads, plan, resampled
        self.factors = plan.readers, plan.cases

    @property
    def word(self) -> str:
        """The method as in the column ``method``, without the limits."""
        return (
            f"{self.plan.method}-{self.plan.covariance if self.resampled is None else 'resampled'}"
        )

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
        return is_served(self.table.has_area)

    def average(self, i: int) -> ReaderEstimate:
        """Return the average over readers of modality ``i``."""
        return _without_negative(reader_average(self.table, i, *self.factors))

    def difference(self, i: int, k: int) -> ReaderEstimate:
        """Return the average of modality ``i`` minus that of modality ``k``."""
        return _without_negative(modality_difference(self.table, i, k, *self.factors))

    def reader_difference(self, i: int, k: int, j: int) -> ReaderEstimate:
        """Return the difference of two modalities for reader ``j`` alone."""
        return _without_negative(reader_difference(self.table, i, k, j))

    def global_test(self) -> FTest | None:
        """Return the test that all modalities have the same average."""
        return modality_test(self.table, *self.factors)

    def against(self, versus: Versus, j: int | None) -> ReaderEstimate:
        """Return the readers' average, or reader ``j``, minus a machine."""
        table = reader_table(versus.together, self.plan.covariance, self.plan.over)
        # Each reader with an area minus the machine, which is the last curve of the table.
        chosen = np.flatnonzero(table.has_area[0, :-1]).tolist() if j is None else [j]
        contrast = np.eye(len(chosen) + 1)[:-1] - np.eye(len(chosen) + 1)[-1]
        rows = np.array([*chosen, table.theta.shape[1] - 1])
        sigma = contrast @ table.sigma[np.ix_(rows, rows)] @ contrast.T
        factors = self.factors if j is None else ("fixed", "random")
        return _without_negative(mean_of_readers(contrast @ table.theta[0, rows], sigma, *factors))


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
    def table(self) -> ReaderTable:
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

    def against(self, versus: Versus, j: int | None) -> ReaderEstimate:
        """Return the readers' average, or reader ``j``, minus a machine."""
        scores = versus.pos, versus.neg
        statistics = UStatistics(versus.readers, self.plan.centred)
        if j is None:
            return _with_reader_notes(statistics.against_machine(0, *scores, self.plan.readers))
        return _with_reader_notes(statistics.reader_against_machine(0, j, *scores))


Engine = TableEngine | PairEngine


def reader_engine(reads: Reads, plan: ReaderPlan) -> Engine:
    """Return the engine of a plan for the reads of one group."""
    return TableEngine(reads, plan) if plan.by_table else PairEngine(reads, plan)


def _without_negative(estimate: ReaderEstimate) -> ReaderEstimate:
    """Return an estimate whose variance, if it was negative, is 0: it has limits of its own."""
    if "negative-variance" not in estimate.codes:
        return estimate
    codes = tuple(code for code in estimate.codes if code != "negative-variance")
    return estimate._replace(variance=0.0, codes=codes)


# The note "negative-variance" is about clusters, and says that there are no limits.
_READER_NOTES = {"negative-variance": "bootstrap-variance", "no-estimate": "reader-one-class"}


def _with_reader_notes(estimate: ReaderEstimate) -> ReaderEstimate:
    return estimate._replace(codes=tuple(_READER_NOTES.get(code, code) for code in estimate.codes))
