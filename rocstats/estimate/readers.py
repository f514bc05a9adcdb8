"""What the engines of reader studies share: an estimate, a global test, a table of areas."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rocstats.facts.arrays import FloatArray

Factor = Literal["random", "fixed"]


class Estimate(NamedTuple):
    """An estimate, its variance and degrees of freedom, and the codes of its notes."""

    value: float
    variance: float
    df: float
    codes: tuple[str, ...] = ()


class FTest(NamedTuple):
    """An F test; with infinite ``df_denominator``, ``df`` times the statistic is a chi-square."""

    statistic: float
    df: float
    df_denominator: float
    p_value: float


class Table(NamedTuple):
    """Estimates of every reader under every modality, and the covariance of their case sampling.

    ``theta`` (t x r) is NaN where a reader did not read a modality. ``sigma`` (t r x t r) has the
    curve of modality i and reader j in row i r + j, NaN where its estimate is.
    """

    theta: FloatArray
    sigma: FloatArray
