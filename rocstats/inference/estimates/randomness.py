"""Seed, number and kind of the resamples of an answer, read from the user's arguments."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rocstats.errors import InputError, require_flag, require_whole
from rocstats.sample.base import BaseSample
from rocstats.sample.counts.cases import ClassCases, ScoredCases
from rocstats.stats.resampling.streams import Resampled, ResamplePlan, TooFewValidResamplesError

RngLike = int | np.random.SeedSequence | np.random.Generator | None
# Folds, clusters and unverified cases leave a resample without a class, each with its own way out.
_TOO_FEW: dict[Resampled, str] = {
    "areas": "`n_resamples` resamples must hold both classes in every fold; got almost none that"
    " do. Resample the classes apart (stratified=True), or merge folds.",
    "curves": "`n_resamples` resamples must hold both classes in every fold; got almost none that"
    " do. Merge folds.",
    "bands": "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
    " Ask for the interval of the area.",
    "rates": "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
    " Compare at thresholds instead.",
    "reader-rates": "`n_resamples` resamples must hold both classes of every reader's cases; got"
    " almost none that do. Leave out the readers with few cases, or pass threshold= instead.",
    "class-areas": "`n_resamples` resamples must hold every class in every fold; got almost none"
    " that do. Resample the classes apart (stratified=True), or merge folds.",
    "verified-areas": "`n_resamples` resamples must hold verified cases of both classes; got"
    " almost none that do. Verify more cases.",
}


def resolve_seed(rng: Any) -> int:
    """Return the one integer from which all draws of a question come.

    None draws 48 random bits; a Generator gives one integer.
    """
    _require_source(rng)
    # 48 bits: exact as a float (below 2^53), so in JSON and in a spreadsheet; among 10^6 seeds
    # two are equal with probability 0.002.
    if rng is None:
        return secrets.randbits(48)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**48))
    if isinstance(rng, np.random.SeedSequence):
        return int(rng.generate_state(1, np.uint64)[0] >> np.uint64(16))
    return int(rng)


def _require_source(rng: Any) -> None:
    # bool is a subclass of int: True is no seed.
    whole = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0
    if not (whole or rng is None or isinstance(rng, np.random.Generator | np.random.SeedSequence)):
        raise InputError(
            f"`rng` must be None, a whole number >= 0, a SeedSequence or a Generator; got {rng!r}."
            " Pass an integer to make the result repeatable."
        )


def require_drawing(
    n_resamples: Any, rng: Any, progress: bool, stratified: bool | None = None, *, least: int = 100
) -> None:
    """Raise InputError for wrong options of draws; for answers that need not draw."""
    require_resamples(n_resamples, least)
    _require_source(rng)
    require_flag("progress", progress)
    _require_whole_clusters(stratified, clustered=False)


def require_resamples(n_resamples: Any, least: int = 100, *, advised: int = 2000) -> int:
    """Return ``n_resamples`` as int; raise InputError unless it is a whole number >= ``least``."""
    advice = f"Use {advised} or more for printed results."
    return require_whole("n_resamples", n_resamples, least, advice)


def plan_draws(
    n_resamples: Any, rng: Any, progress: bool, *, least: int = 100, advised: int = 2000
) -> ResamplePlan:
    """Return the resamples of a question; raise InputError for wrong options of draws."""
    require_flag("progress", progress)
    number = require_resamples(n_resamples, least, advised=advised)
    return ResamplePlan(number, resolve_seed(rng), progress=progress)


def plan_resamples(
    cases: ScoredCases | ClassCases | BaseSample,
    n_resamples: Any,
    stratified: bool | None,
    rng: Any,
    progress: bool,
    *,
    apart: bool = True,
) -> ResamplePlan:
    """Return how a sample is resampled; raise InputError for arguments that are not possible.

    ``apart`` says whether an area holds the class sizes fixed: one that depends on the class shares
    would lack the variance of those shares.
    """
    clustered = cases.cluster is not None
    _require_whole_clusters(stratified, clustered=clustered)
    # A cluster may hold both classes, so that whole clusters cannot keep the class sizes.
    chosen = apart and not clustered if stratified is None else bool(stratified)
    return plan_draws(n_resamples, rng, progress)._replace(stratified=chosen)


@contextmanager
def enough_valid_resamples() -> Iterator[None]:
    """Raise InputError where an engine finds almost no resample with the classes that it needs."""
    try:
        yield
    except TooFewValidResamplesError as failure:
        raise InputError(_TOO_FEW[failure.resampled]) from failure


def _require_whole_clusters(stratified: bool | None, *, clustered: bool) -> None:
    if stratified is not None:
        require_flag("stratified", stratified)
    if stratified and clustered:
        raise InputError(
            "`stratified` must not be True when the study has clusters, which are resampled whole;"
            " got True. Leave it out."
        )
