"""What a question about a reader study generalises to, and the method that can answer it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.areas.partial import FULL_RANGE, AreaRange
from rocstats.errors import InputError, require_choice
from rocstats.sample.readers import ReaderSample
from rocstats.stats.readers.anova import serves_areas
from rocstats.stats.readers.covariance import COVARIANCES, Covariance, reader_covariance
from rocstats.stats.readers.record import Factor

ReaderMethod = Literal["obuchowski-rockette", "u-statistic", "u-statistic-centred"]
METHODS: tuple[ReaderMethod, ...] = get_args(ReaderMethod)
FACTORS: tuple[Factor, ...] = get_args(Factor)


class ReaderPlan(NamedTuple):
    """How averages over readers are inferred.

    ``is_rate`` says that they are rates of calls, ``at_fpr`` sensitivities at a false positive
    rate.
    """

    method: ReaderMethod
    covariance: Covariance
    readers: Factor
    cases: Factor
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
    method = require_choice("method", method, (None, *METHODS))
    words = [record.word for record in COVARIANCES]
    covariance = require_choice("covariance", covariance, words)
    readers = require_choice("readers", readers, FACTORS)
    cases = require_choice("cases", cases, FACTORS)
    if by_reader:
        readers = _require_random_cases(cases)
    else:
        _require_chance(sample, readers, cases)
    needs = _needs_table(sample, cases, over, at_fpr)
    if method is None:
        method = "obuchowski-rockette" if needs else _method_of(sample)
    elif method != "obuchowski-rockette" and needs:
        raise InputError(
            f"`method` must be 'obuchowski-rockette' {needs}; got {method!r}. Leave `method` out."
        )
    plan = ReaderPlan(method, covariance, readers, cases, over, is_rate, at_fpr)  # type: ignore[arg-type]
    _require_covariance(sample, plan)
    return plan


def _method_of(sample: ReaderSample) -> ReaderMethod:
    """Return the method for the design of a study, if it may be any."""
    if sample.design.crossed:
        return "obuchowski-rockette"
    if not sample.design.uneven:
        return "u-statistic"
    parts = [part.reads for _, part in sample.by_group()]
    read = [[~np.isnan(side) for side in (part.pos, part.neg)] for part in parts]
    known = [np.asarray(pos.any(axis=2) & neg.any(axis=2)) for pos, neg in read]
    served = all(serves_areas(areas) for areas in known)
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


def _require_random_cases(cases: str) -> Factor:
    """Return what readers are in answers by reader: fixed."""
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
    asked = _needs_table(sample, plan.cases, plan.over, plan.at_fpr)
    reason, what = f"{asked} " if asked else "", "a curve" if plan.at_fpr else "an area"
    way_out = {
        "for fixed cases": "Pass cases='random'.",
        "for a study with clusters": "Leave out the readers who did not read every modality, or"
        " make a study without cluster=, whose standard errors are then too small.",
        "for partial areas": "Ask for whole areas.",
        AT_FPR: "Leave out the readers who did not read every modality, or pass threshold= instead"
        " of fpr=.",
    }.get(asked, f"Pass method='u-statistic{'-centred' if sample.design.uneven else ''}'.")
    raise InputError(
        f"`method` 'obuchowski-rockette' {reason}must have {what} of every reader under every"
        f" modality; got a study of the design {sample.design.name!r} without some of them."
        f" {way_out}"
    )
