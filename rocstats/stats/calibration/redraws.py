"""What calibrated risks would show: outcomes drawn from the risks themselves, and refitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rocstats.sample.arrays import FloatArray, Limits
from rocstats.stats.calibration.curves import fit_isotonic
from rocstats.stats.calibration.risks import Risks
from rocstats.stats.comparison.paired_shares import Cases
from rocstats.stats.resampling.lots import redraw_outcomes
from rocstats.stats.resampling.streams import ResamplePlan, percentile_limits


def redrawn(risks: Risks, draws: ResamplePlan) -> Iterator[Risks]:
    """Yield the cases with outcomes that have exactly the predicted risks."""
    risk, number = risks.risk, risks.cases.weight.astype(np.intp)
    single = bool((number == 1).all())
    for events, others in redraw_outcomes(risk, number, draws):
        if single:
            yield risks.with_outcome(events > 0)
        else:
            # Rows of positives, then rows of negatives, with their numbers.
            weight = np.concatenate([events, others])
            positive, kept = np.repeat([True, False], len(risk)), weight > 0
            yield Risks(np.tile(risk, 2)[kept], Cases(positive[kept], weight[kept], None))


def consistency_band(risks: Risks, at: FloatArray, level: float, draws: ResamplePlan) -> Limits:
    """Return limits between which the monotone curve of calibrated risks lies at each point."""
    curves = np.stack([fit_isotonic(one).at(at) for one in redrawn(risks, draws)])
    return percentile_limits(curves, level)


def redraw_p_values(
    risks: Risks,
    statistics: Callable[[Risks], FloatArray],
    observed: FloatArray,
    draws: ResamplePlan,
) -> FloatArray:
    """Return the shares of calibrated samples with at least the observed values, these counted.

    Samples in which a statistic is undefined are left out.
    """
    values = np.stack([statistics(one) for one in redrawn(risks, draws)])
    known = np.count_nonzero(~np.isnan(values), axis=0)
    return np.asarray((1 + np.count_nonzero(values >= observed, axis=0)) / (1 + known))
