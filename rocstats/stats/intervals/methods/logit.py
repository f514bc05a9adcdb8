"""Limits on the logit scale: expit(logit A + q se/(A(1 - A)))."""

from __future__ import annotations

import rocstats.special as sp
from rocstats.stats.intervals.methods.transformed import Transformed
from rocstats.stats.intervals.record import AreaInterval

# The default: its limits stay inside (0, 1), and near 1 it covers better than Wald's.
LOGIT_LIMITS = Transformed(sp.logit, lambda a: 1 / (a * (1 - a)), sp.expit)
LOGIT = AreaInterval("logit", "on the logit scale", LOGIT_LIMITS)
