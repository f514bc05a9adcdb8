"""The plan of an analysis of averages over readers: method, covariance, random factors.

The design of the study, clusters, fixed cases and partial areas decide which method can answer.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np

from rocstats.curves.areas import FULL_RANGE, AreaRange
from rocstats.errors import InputError, require_choice
from rocstats.estimate.reader_covariance import COVARIANCES, Covariance, reader_covariance
from rocstats.estimate.readers import Effect, is_served_reader_study
from rocstats.study.readers import ReaderSample

ReaderMethod = Literal["obuchowski-rockette", "u-statistic", "u-statistic-centred"]
By = Literal["reader"]


class ReaderPlan(NamedTuple):
    """How averages over readers are inferred.

    ``is_rate`` says that they are rates of calls, ``at_fpr`` sensitivities at a false positive
    rate. Where each reader is analysed alone, readers are fixed and cases random.
    """

    method: ReaderMethod
    covariance: Covariance
    readers: Effect
    cases: Effect
    over: AreaRange = FULL_RANGE
    is_rate: bool = False
    at_fpr: bool = False


def read_reader_plan(
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
        _require_random_cases(cases)
        readers = "fixed"
    else:
        _require_random_effect(sample, readers, cases)
    reason = _why_no_u_statistics(sample, cases, over, at_fpr)
    if method is None:
        method = "obuchowski-rockette" if reason else _default_method(sample)
    elif method != "obuchowski-rockette" and reason:
        raise InputError(
            f"`method` must be 'obuchowski-rockette' {reason}; got {method!r}. Leave `method` out."
        )
    plan = ReaderPlan(method, covariance, readers, cases, over, is_rate, at_fpr)  # type: ignore[arg-type]
    if method == "obuchowski-rockette":
        _require_covariance(sample, plan)
    return plan


def _require_random_cases(cases: str) -> None:
    if cases == "fixed":
        raise InputError(
            "`cases` must be 'random' with by='reader', because the reader is fixed; got"
            " 'fixed'. Leave `cases` out."
        )


def _require_random_effect(sample: ReaderSample, readers: str, cases: str) -> None:
    """Raise InputError unless readers or cases are random, and random readers are several."""
    if readers == cases == "fixed":
        raise InputError(
            "`cases` must be 'random' if readers are fixed; got readers='fixed' and"
            " cases='fixed'. Make one of them 'random'."
        )
    if readers == "random" and len(sample.readers) == 1:
        raise InputError(
            "`readers` must be 'fixed' in a study with one reader, because the variation of"
            " readers is not known; got 'random'. Pass readers='fixed': the result is then for"
            " this reader only."
        )


_AT_FPR = "for sensitivity at a false positive rate"


def _why_no_u_statistics(sample: ReaderSample, cases: str, over: AreaRange, at_fpr: bool) -> str:
    """Return why U-statistics cannot answer, or ""."""
    if at_fpr:
        return _AT_FPR
    if cases == "fixed":
        return "for fixed cases"
    if sample.cluster is not None:
        return "for a study with clusters"
    return "" if over.full else "for partial areas"


def _default_method(sample: ReaderSample) -> ReaderMethod:
    """Return the method for the design of a study, if it may be any."""
    if sample.design.crossed:
        return "obuchowski-rockette"
    if not sample.design.uneven:
        return "u-statistic"
    for _, part in sample.by_group():
        pos, neg = (~np.isnan(side) for side in (part.reads.pos, part.reads.neg))
        if not is_served_reader_study(np.asarray(pos.any(axis=2) & neg.any(axis=2))):
            return "u-statistic-centred"
    return "obuchowski-rockette"


def _require_covariance(sample: ReaderSample, plan: ReaderPlan) -> None:
    """Raise InputError if the covariance does not serve clusters, or partial areas."""
    record = reader_covariance(plan.covariance)
    refused = {
        "for a study with clusters": sample.cluster is not None and not record.clusters,
        "for partial areas": not (plan.over.full or record.partial),
    }
    for reason, is_refused in refused.items():
        if is_refused:
            raise InputError(
                f"`covariance` must be 'jackknife' or 'delong' {reason}; got {plan.covariance!r}."
                " Leave `covariance` out."
            )


def require_served_reader_design(served: bool, plan: ReaderPlan, sample: ReaderSample) -> None:
    """Raise InputError if the design is not one that Obuchowski and Rockette's method serves."""
    if served:
        return
    reason = _why_no_u_statistics(sample, plan.cases, plan.over, plan.at_fpr)
    advice = {
        "for fixed cases": "Pass cases='random'.",
        "for a study with clusters": "Leave out the readers who did not read every modality, or"
        " make a study without cluster=, whose standard errors are then too small.",
        "for partial areas": "Ask for whole areas.",
        _AT_FPR: "Leave out the readers who did not read every modality, or pass threshold= instead"
        " of fpr=.",
    }.get(reason, f"Pass method='u-statistic{'-centred' if sample.design.uneven else ''}'.")
    raise InputError(
        f"`method` 'obuchowski-rockette' {reason + ' ' if reason else ''}must have"
        f" {'a curve' if plan.at_fpr else 'an area'} of every reader under every modality; got the"
        f" design {sample.design.name!r}, in which some are missing. {advice}"
    )
