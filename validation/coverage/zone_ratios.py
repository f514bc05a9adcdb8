"""Coverage of likelihood ratios of bands of scores in clusters of unequal size.

``before`` takes clusters for equal (a normal quantile of the logarithm), ``after`` is the answer of
``band_likelihood_ratios``. The cells are those of ``unequal_pairs``, whose first predictor has two
edges; all have unequal clusters, some classes of 1 to 10. Estimates and standard errors are the
same before and after. ``bound`` was set before the run: coverage of .93 or more; ``shortfall``
marks rows whose ``after`` is below it. Samples without limits (an empty band) count for neither;
``first_after`` is of the first 50 samples, which a test draws again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

import rocstats as rs
from validation.coverage.unequal_pairs import SETTINGS, SHIFT, Setting, drawn
from validation.simulation import Bound, Simulation, under

TABLE = Path(__file__).with_name("zone_ratios.csv")
SEED, REPLICATES, LEVEL, BOUND = 20390, 4000, 0.95, 0.93
EDGES, FIRST = (0.0, 1.0), 50
Z = float(norm.ppf((1 + LEVEL) / 2))


def truths() -> list[float]:
    """Return the likelihood ratios of the three bands, from the lowest scores up."""
    ends = np.array([-np.inf, *EDGES, np.inf])
    shares = [np.diff(norm.cdf(ends - shift)) for shift in (SHIFT, 0.0)]
    return list(shares[0] / shares[1])


def limits_of(cell: Setting, rng: np.random.Generator) -> Any:
    """Return the limits before and after (bands x 4) of a sample, from the lowest scores up."""
    y, scores, cluster = drawn(cell, rng)
    study = rs.Study(y.astype(int), scores[0], cluster=cluster)
    frame = study.band_likelihood_ratios(EDGES)
    estimate, se = (frame[name].to_numpy() for name in ("estimate", "se"))
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = Z * se / estimate
        before = estimate * np.exp(-reach), estimate * np.exp(reach)
    return np.column_stack([*before, frame["ci_low"], frame["ci_high"]])


def simulate(place: int, replicates: int, seed: int = SEED) -> list[dict[str, Any]]:
    """Return the rows of a cell, one a band."""
    cell, rng = SETTINGS[place], np.random.default_rng([seed, place])
    found = np.array([limits_of(cell, rng) for _ in range(replicates)])
    rows = []
    for band, truth in enumerate(truths()):
        of_band = found[:, band]
        defined = ~np.isnan(of_band).any(axis=1)
        known, first = of_band[defined], np.count_nonzero(defined[:FIRST])
        low, high, new_low, new_high = known.T
        held = (new_low <= truth) & (truth <= new_high)
        after = float(np.mean(held))
        rows.append(
            {
                "cell": cell.name,
                "band": band + 1,
                "truth": round(truth, 4),
                "before": round(float(np.mean((low <= truth) & (truth <= high))), 4),
                "after": round(after, 4),
                "width_before": round(float(np.median(np.log(high / low))), 3),
                "width_after": round(float(np.median(np.log(new_high / new_low))), 3),
                "undefined": replicates - len(known),
                "bound": BOUND,
                "replicates": replicates,
                "first_after": round(float(np.mean(held[:first])), 6),
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of likelihood ratios of bands of scores in clusters of unequal size.",
    cells=range(len(SETTINGS)),
    rows=simulate,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(Bound("after", under, "bound"),),
    ends=("bound", "shortfall", "replicates", "first_after"),
)
