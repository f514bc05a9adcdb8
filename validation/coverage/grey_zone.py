"""Simulated coverage of the limits of ``Study.grey_zone`` where targets choose the thresholds.

One binormal marker; the true values are those of the thresholds that have exactly the target rates
in the population. The rule of shortfalls was fixed before the run: docs/methods/simulation.md,
"Shortfalls".
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from rocstats.estimate.resample import ResamplePlan
from rocstats.facts.arrays import FloatArray
from rocstats.inference.zones import VALUES, ZoneCounts, ZonePlan, at_targets, zone_values
from rocstats.study.cases import ScoredCases
from validation.bounds import too_low

TABLE = Path(__file__).with_name("grey_zone.csv")
SEED, LEVEL, N_RESAMPLES = 20040316, 0.95, 399
SETTINGS = ((50, 50, 0.8, 0.9), (100, 300, 0.8, 0.9), (300, 300, 0.9, 0.95))
"""Positives, negatives, area, both targets."""


def truths(n_pos: int, n_neg: int, area: float, target: float) -> FloatArray:
    """Return the measures of the zones in the population, at the prevalence of the sample."""
    shift = np.sqrt(2) * ndtri(area)
    rule_out, rule_in = shift + ndtri(1 - target), ndtri(target)
    ends = np.array([-np.inf, rule_out, rule_in, np.inf])
    pos, neg = (np.diff(ndtr(ends - d)) for d in (shift, 0.0))
    return zone_values(ZoneCounts(pos, neg, 1.0, 1.0), n_pos / (n_pos + n_neg))


def limits_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return limits (replicates x measures x 2); a shorter run is the start of a longer one."""
    n_pos, n_neg, area, target = SETTINGS[position]
    is_positive = np.arange(n_pos + n_neg) < n_pos
    plan = ZonePlan(None, (target, target), None, LEVEL, ResamplePlan(N_RESAMPLES, 0))
    made = []
    for number in range(replicates):
        child = np.random.SeedSequence(seed, spawn_key=(position, number))
        noise = np.random.default_rng(child).standard_normal((1, n_pos + n_neg))
        cases = ScoredCases(
            scores=noise + np.sqrt(2) * ndtri(area) * is_positive,
            is_positive=is_positive,
            higher_is_positive=(True,),
        )
        found = at_targets(cases, 0, plan, ResamplePlan(N_RESAMPLES, number))
        made.append([(answer.low, answer.high) for answer in found.answers])
    return np.array(made)


def rows_of_cell(position: int, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each measure of one setting."""
    n_pos, n_neg, area, target = SETTINGS[position]
    limits = limits_of_cell(position, replicates, seed).transpose(1, 2, 0)
    true, rows = truths(*SETTINGS[position]), []
    for (zone, quantity), truth, (low, high) in zip(VALUES, true, limits, strict=True):
        defined = ~np.isnan(low + high)
        above, below = np.mean(low[defined] > truth), np.mean(high[defined] < truth)
        rows.append(
            {
                "n_pos": n_pos, "n_neg": n_neg, "auc": area, "target": target, "zone": zone,
                "quantity": quantity, "truth": truth, "coverage": 1 - above - below,
                "above": above, "below": below, "defined": int(defined.sum()),
                "replicates": replicates, "n_resamples": N_RESAMPLES, "level": LEVEL, "seed": seed,
                "shortfall": bool(too_low(1 - above - below, LEVEL, defined.sum())),
            }
        )  # fmt: skip
    return rows


def read_grey_zone() -> pd.DataFrame:
    """Return the committed table."""
    return pd.read_csv(TABLE)


def main() -> None:
    """Run the simulation and write its table."""
    parser = argparse.ArgumentParser(prog="python -m validation.coverage.grey_zone")
    parser.add_argument("--replicates", type=int, default=400, help="samples per setting")
    parser.add_argument("--seed", type=int, default=SEED, help="one seed; each sample has a child")
    parser.add_argument("--output", type=Path, default=TABLE, help="csv to write")
    options = parser.parse_args()
    rows = [
        row
        for position in range(len(SETTINGS))
        for row in rows_of_cell(position, options.replicates, options.seed)
    ]
    pd.DataFrame(rows).to_csv(options.output, index=False)


if __name__ == "__main__":
    main()
