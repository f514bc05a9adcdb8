"""Limits on the probit scale, on which a binormal area is a/sqrt(1 + b^2)."""

from __future__ import annotations

from typing import Any

import numpy as np

import rocstats.special as sp
from rocstats.stats.intervals.methods.transformed import Transformed
from rocstats.stats.intervals.record import AreaInterval


def _slope(a: Any) -> Any:
    # 1/phi(Phi^-1(a)), the derivative of the probit.
    return np.sqrt(2 * np.pi) * np.exp(sp.ndtri(a) ** 2 / 2)


PROBIT_LIMITS = Transformed(sp.ndtri, _slope, sp.ndtr)
PROBIT = AreaInterval("probit", "on the probit scale", PROBIT_LIMITS)
