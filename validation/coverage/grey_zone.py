"""Simulated coverage of the limits of ``Study.grey_zone`` where targets choose the thresholds.

One binormal marker; the true values are those of the thresholds that have the target rates in the
population; of five-point scores, cut at -.3, .4, 1 and 1.7, those of the thresholds that the rule
chooses there. ``before`` and ``before_width`` are of percentiles of resamples, the limits before,
in the first samples. The rule of shortfalls was fixed before the run: docs/methods/simulation.md,
"Shortfalls"; so was the bound of .93.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_statistics import draw_statistic_values
from rocstats.facts.arrays import FloatArray
from rocstats.inference.zones.grey_zone import (
    ZONE_MEASURES,
    grey_zone_limits_at_targets,
    grey_zone_values_at_targets,
    grey_zone_vertices,
    zone_counts_between_vertices,
    zone_values,
)
from rocstats.inference.zones.ratios import ZoneCounts
from rocstats.study.cases import ScoredCases
from rocstats.study.count_tables import LabelledScores, count_scores_of
from validation.bounds import too_low
from validation.simulation import Bound, Simulation, stream

TABLE = Path(__file__).with_name("grey_zone.csv")
SEED, LEVEL, N_RESAMPLES, FIRST = 20040316, 0.95, 399, 150
POINTS = (-0.3, 0.4, 1.0, 1.7)


class Setting(NamedTuple):
    """Positives, negatives, area, targets of sensitivity and specificity, and the scores."""

    n_pos: int
    n_neg: int
    auc: float
    tpr: float
    tnr: float
    scores: str = "continuous"

    @property
    def spread(self) -> float:
        """Standard deviation of the positives."""
        return 2.0 if self.scores == "sd-ratio-2" else 1.0

    @property
    def shift(self) -> float:
        """Mean of the positives."""
        return float(np.sqrt(1 + self.spread**2) * ndtri(self.auc))


SETTINGS = (
    Setting(50, 50, 0.8, 0.9, 0.9), Setting(100, 300, 0.8, 0.9, 0.9),
    Setting(300, 300, 0.9, 0.95, 0.95), Setting(30, 30, 0.9, 0.95, 0.95),
    Setting(47, 53, 0.85, 0.93, 0.9), Setting(20, 200, 0.85, 0.9, 0.95),
    Setting(200, 20, 0.85, 0.9, 0.9), Setting(101, 299, 0.8, 0.95, 0.87),
    Setting(33, 333, 0.8, 0.85, 0.97), Setting(80, 50, 0.8, 0.9, 0.9, "sd-ratio-2"),
    Setting(50, 80, 0.8, 0.9, 0.85, "five-point"),
    Setting(101, 299, 0.85, 0.95, 0.95, "five-point"),
)  # fmt: skip


def truths(setting: Setting) -> FloatArray:
    """Return the measures of the zones in the population, at the prevalence of the sample."""
    share = setting.n_pos / (setting.n_pos + setting.n_neg)
    if setting.scores == "five-point":
        ends = np.array([np.inf, *POINTS[::-1], -np.inf])
        laws = ((setting.shift, setting.spread), (0.0, 1.0))
        pos, neg = (np.diff(1 - ndtr((ends - mean) / spread)) for mean, spread in laws)
        return zone_values(_zones(pos, neg, setting), share)
    rule_out = setting.shift + setting.spread * ndtri(1 - setting.tpr)
    ends = np.array([-np.inf, rule_out, ndtri(setting.tnr), np.inf])
    pos, neg = (
        np.diff(ndtr((ends - mean) / spread))
        for mean, spread in ((setting.shift, setting.spread), (0.0, 1.0))
    )
    return zone_values(ZoneCounts(pos, neg, 1.0, 1.0), share)


def _zones(pos: FloatArray, neg: FloatArray, setting: Setting) -> ZoneCounts:
    """Return the shares of both classes in the zones that the rule makes of ordered scores."""
    tp, fp = (np.concatenate([[0.0], np.cumsum(side)]) for side in (pos, neg))
    rule_out, rule_in, _ = grey_zone_vertices(tp, fp, setting.tpr, setting.tnr)
    return zone_counts_between_vertices(tp, fp, rule_out, rule_in)._replace(n_pos=1.0, n_neg=1.0)


def cases_of(setting: Setting, rng: np.random.Generator) -> ScoredCases:
    """Return one sample."""
    is_positive = np.arange(setting.n_pos + setting.n_neg) < setting.n_pos
    noise = rng.standard_normal((1, len(is_positive)))
    scores = np.where(is_positive, setting.shift + setting.spread * noise, noise)
    if setting.scores == "five-point":
        scores = np.searchsorted(POINTS, scores).astype(np.float64)
    return ScoredCases(scores=scores, is_positive=is_positive, higher_is_positive=(True,))


def limits_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return limits (replicates x measures x 2); a shorter run is the start of a longer one."""
    setting = SETTINGS[position]
    share = setting.n_pos / (setting.n_pos + setting.n_neg)
    return np.array([
        grey_zone_limits_at_targets(
            cases_of(setting, stream(seed, position, number)).counts(0),
            (setting.tpr, setting.tnr), share, LEVEL,
        )
        for number in range(replicates)
    ])  # fmt: skip


def percentiles_of_cell(position: int, replicates: int, seed: int) -> FloatArray:
    """Return the limits before: percentiles of what resamples choose."""
    setting, made = SETTINGS[position], []
    share = setting.n_pos / (setting.n_pos + setting.n_neg)

    def values(is_positive: Any, score: FloatArray) -> FloatArray:
        counts = count_scores_of(LabelledScores(score, is_positive, None, True))
        return grey_zone_values_at_targets(counts, (setting.tpr, setting.tnr), share)

    for number in range(replicates):
        cases = cases_of(setting, stream(seed, position, number))
        drawn = draw_statistic_values(cases, values, ResamplePlan(N_RESAMPLES, number)).values[0]
        made.append(np.nanquantile(drawn, [0.025, 0.975], axis=1, method="lower").T)
    return np.array(made)


def rows_of_cell(position: int, replicates: int, first: int, seed: int) -> list[dict[str, Any]]:
    """Return a row for each measure of one setting."""
    limits = limits_of_cell(position, replicates, seed).transpose(1, 2, 0)
    old = percentiles_of_cell(position, first, seed).transpose(1, 2, 0)
    true, rows = truths(SETTINGS[position]), []
    measures = zip(ZONE_MEASURES, true, limits, old, strict=True)
    for (zone, quantity), truth, (low, high), (old_low, old_high) in measures:
        defined = ~np.isnan(low + high)
        # Shares and ratios at the ends of the population's five points are sums of rounded terms.
        slack = 1e-12 * abs(truth)
        above = np.mean(low[defined] > truth + slack)
        below = np.mean(high[defined] < truth - slack)
        rows.append(
            {
                **SETTINGS[position]._asdict(), "zone": zone, "quantity": quantity,
                "truth": truth, "coverage": 1 - above - below, "above": above, "below": below,
                "before": np.mean((old_low <= truth) & (truth <= old_high)),
                "width": np.median(high[defined] - low[defined]),
                "before_width": np.median(old_high - old_low),
                "defined": int(defined.sum()), "replicates": replicates, "level": LEVEL,
            }
        )  # fmt: skip
    return rows


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage of the limits of grey zones where targets choose the thresholds.",
    cells=range(len(SETTINGS)),
    rows=partial(rows_of_cell, first=FIRST),
    replicates=4000,
    seed=SEED,
    bounds=(Bound("coverage", too_low, LEVEL, samples="defined"),),
    ends=("seed", "shortfall"),
    digits=6,
)
read_grey_zone = SIMULATION.read
