"""Limits on the logit scale: expit(logit A + q se/(A(1 - A)))."""

from __future__ import annotations

import scipy.special as sp

from rocstats.stats.intervals.record import AreaInterval
from rocstats.stats.intervals.transformed import Transformed

LOGIT_LIMITS = Transformed(sp.logit, lambda a: 1 / (a * (1 - a)), sp.expit)
LOGIT = AreaInterval("logit", "on the logit scale", LOGIT_LIMITS)
