"""Coverage of the limits of reviews: mean rates, the confidence region, the next study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit, logit

from rocstats.estimate.quantiles import t_quantile
from rocstats.facts.arrays import FloatArray
from rocstats.inference.meta.fits import fit_model, fit_restricted
from rocstats.inference.meta.model import N_NODES
from rocstats.inference.meta.reviews import RATES, Review, rate_cells, read_review
from rocstats.inference.meta.spread import hotelling_quantile, prediction_cells
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, columns_of, share_error, stream

TABLE = Path(__file__).with_name("meta.csv")
SEED = 20261127
LEVEL = 0.95


@dataclass(frozen=True)
class MetaCell:
    """Reviews of ``k`` studies with logits from a bivariate normal distribution.

    The numbers of people of a class are log-normal around their median (log sd .6), or log-uniform
    from 3 to 300 where the median is 0; never below 3 or above 300.
    """

    position: int
    kind: str
    tpr: float
    tnr: float
    sd: float
    rho: float
    n_pos: int
    n_neg: int
    k: int

    def logits(self, rng: np.random.Generator, k: int) -> FloatArray:
        """Return the true logits of k studies (k x 2)."""
        z = rng.standard_normal((k, 2))
        z[:, 1] = self.rho * z[:, 0] + np.sqrt(1 - self.rho**2) * z[:, 1]
        return np.asarray(logit([self.tpr, self.tnr]) + self.sd * z)

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Return the counts of a review in the order tp, fn, fp, tn (4 x k)."""
        sizes = []
        for median in (self.n_pos, self.n_neg):
            if median:
                drawn = median * np.exp(0.6 * rng.standard_normal(self.k))
            else:
                drawn = np.exp(rng.uniform(np.log(3), np.log(300), self.k))
            sizes.append(np.clip(np.round(drawn), 3, 300).astype(int))
        rates = expit(self.logits(rng, self.k))
        tp, tn = (rng.binomial(n, rates[:, m]) for m, n in enumerate(sizes))
        return np.array([tp, sizes[0] - tp, sizes[1] - tn, tn], dtype=np.float64)


KINDS = {
    "usual": (0.85, 0.80, 0.7, -0.4, 40, 80),
    "sparse": (0.95, 0.97, 1.0, -0.3, 15, 60),
    "alike": (0.80, 0.90, 0.2, 0.0, 40, 80),
    "different": (0.80, 0.90, 1.3, -0.6, 40, 80),
    "near 1": (0.99, 0.99, 0.7, 0.0, 40, 80),
    "uneven": (0.85, 0.80, 0.7, -0.4, 0, 0),
}
SETTINGS = [
    *product(("usual", "sparse", "alike", "different"), (8,)),
    *product(("usual", "sparse"), (4, 6)),
    *product(("near 1", "uneven"), (8, 15)),
]
CELLS = tuple(MetaCell(i, kind, *KINDS[kind], k) for i, (kind, k) in enumerate(SETTINGS))
ROWS = (
    *(f"{rate} {interval}" for rate in RATES for interval in ("t", "wald")),
    "confidence region",
    *(f"next {rate}" for rate in RATES),
)


def review_answers(cell: MetaCell, rng: np.random.Generator) -> dict[str, bool]:
    """Return whether each limit of a drawn review holds the truth; without limits no entry.

    The limits are those of ``summary``, ``summary_roc`` and ``heterogeneity``.
    """
    review = read_review(cell.draw(rng))
    truth, new = logit([cell.tpr, cell.tnr]), cell.logits(rng, 1)[0]
    if not review.fitted:
        return {}
    return dict(_held(review, expit(truth), truth, expit(new)))


def _held(
    review: Review, rates: FloatArray, truth: FloatArray, new: FloatArray
) -> Iterator[tuple[str, bool]]:
    fit = fit_model(review.counts, review.free, N_NODES)
    restricted = fit_restricted(fit)
    for m, rate in enumerate(RATES):
        for word, df in (("t", review.df([m])), ("wald", np.inf)):
            cells = rate_cells(review, fit, m, t_quantile((1 + LEVEL) / 2, df), word, LEVEL)
            if "ci_low" in cells:
                yield f"{rate} {word}", cells["ci_low"] <= rates[m] <= cells["ci_high"]
        cells = prediction_cells(review, restricted, m, LEVEL)
        if "ci_low" in cells:
            yield f"next {rate}", cells["ci_low"] <= new[m] <= cells["ci_high"]
    if review.is_correlated:
        step = truth - fit.beta
        distance = step @ np.linalg.solve(fit.covariance, step)
        yield "confidence region", bool(distance <= hotelling_quantile(review.n_both, LEVEL))


def run_meta_cell(cell: MetaCell, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each kind of limits; reviews without these limits are not counted."""
    rng = stream(seed, cell.position)
    drawn = [review_answers(cell, rng) for _ in range(replicates)]
    rows = []
    for row in ROWS:
        held = [one[row] for one in drawn if row in one]
        if not held:  # fewer than five studies have no region
            continue
        coverage = float(np.mean(held))
        rows.append(
            {
                **columns_of(cell, "kind k"),
                "row": row,
                "samples": len(held),
                "coverage": round(coverage, 6),
                "error": share_error(coverage, len(held)),
                "replicates": replicates,
            }
        )
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of the limits of reviews: mean rates, confidence region, next study.",
    cells=CELLS,
    rows=run_meta_cell,
    replicates=120,
    seed=SEED,
    # Set before the first run: the rule of docs/methods/simulation.md. Limits with normal quantiles
    # are there for comparison, and are known to be too narrow; they have the bound too.
    bounds=(Bound("coverage", too_low, LEVEL, samples="samples"),),
    ends=("shortfall",),
)
read_meta = SIMULATION.read
