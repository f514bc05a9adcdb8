"""Limits on the logit scale with quantiles of t: Satterthwaite's degrees of freedom."""

from __future__ import annotations

from rocstats.stats.intervals.methods.logit import LOGIT_LIMITS
from rocstats.stats.intervals.record import AreaInterval

# Satterthwaite's df need the part of the variance of each class, which DeLong's alone has
# (docs/methods/area-intervals.md, "Wald, logit and probit limits").
LOGIT_T = AreaInterval(
    "logit-t",
    "on the logit scale with quantiles of the t distribution",
    LOGIT_LIMITS._replace(student=True),
    variances=("delong",),
)
