"""Coverage and size where events are few or clusters are unequal, with and without the df.

``before`` are limits and tests as they were: normal quantiles, or for areas in clusters t with the
number of clusters less one; ``after`` as the package has them. Both have the same estimates and
standard errors. No cell has equal clusters, equal classes or many events:

- ``clusters``: 150 clusters of which a share of 5 % has 60 cases, the others 1 to 3; 60 of 1 to 10
  cases at a prevalence of 10 %; 30 of which a fifth has 20. Normal scores whose correlation in a
  cluster is ``dependence``; the class is drawn by cluster or by case. Five-point scores in one.
- ``survival``: 60 to 200 patients, 60 to 80 % censored, with some 5 to 10 events by the time.
- ``scores``: calibrated or overfitted risks with 1 to 2 % events.
- ``measures``: cohorts with 2 to 5 % positives.
- ``adjusted``: 12 positives and 100 negatives with a covariate.

``bound`` was set before the run: coverage of .93 or more, size of .065 or less; ``shortfall`` marks
rows whose ``after`` is beyond it. Samples without limits count for neither (``undefined``).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as t_law

import rocstats as rs
from rocstats.estimate.benefit import Stakes
from rocstats.estimate.benefit import benefit_of_calls as net_benefit_at
from rocstats.estimate.measure_limits import _half_added
from rocstats.estimate.measures import measure_at_thresholds
from rocstats.estimate.proportions import wilson_limit_of_proportion
from rocstats.estimate.shares import Share, WeightedCases
from rocstats.estimate.tables import PointPlan, PointTables, measure_slopes_in_rates
from rocstats.facts.measures import Cells, cells_at, measure, scale_of
from rocstats.inference.survival.areas import survival_area_at, survival_band_level
from rocstats.inference.survival.concordance import comparable_pairs, concordance_of
from rocstats.inference.survival.follow_up import FollowUp, status_at
from rocstats.inference.survival.ratios import score_codes_by_risk
from validation.coverage.designs import area_of_categories
from validation.coverage.survival import Cell as Hazards
from validation.coverage.survival import draw, times_of, true_areas, true_concordance
from validation.coverage.unequal_pairs import Setting as Clusters
from validation.coverage.unequal_pairs import before_and_after, drawn_classes
from validation.simulation import Bound, Simulation, collect, over, under

TABLE = Path(__file__).with_name("few_units.csv")
SEED, REPLICATES, LEVEL = 20371, 4000, 0.95
COVERAGE, SIZE = 0.93, 0.065
RISK = 0.2  # the risk threshold of net benefits
Z = float(norm.ppf((1 + LEVEL) / 2))

Found = dict[str, Any]
"""By quantity, whether limits hold the truth (or a test rejects), their width, and df: before and
after."""


class Setting(NamedTuple):
    """A cell: what is simulated, its words, and its numbers."""

    kind: str
    name: str
    numbers: dict[str, Any]


def _clusters(name: str, **numbers: Any) -> Setting:
    usual = {"n": 150, "large": 0.05, "of": 60, "small": (1, 3), "dependence": 0.5}
    return Setting("clusters", name, {**usual, "prevalence": 0.4, "by": "cluster", **numbers})


def _survival(name: str, n: int, slope: float, share: float, censoring: float) -> Setting:
    return Setting(
        "survival", name, {"n": n, "slope": slope, "share": share, "censoring": censoring}
    )


SETTINGS = (
    _clusters("5 % of 60"),
    _clusters("5 % of 60, correlation .1", dependence=0.1),
    _clusters("5 % of 60, five points", points=5),
    _clusters("5 % of 60, by case", by="case", dependence=0.1),
    _clusters("1 to 10, rare", n=60, large=0.0, small=(1, 10), by="case", prevalence=0.1),
    _clusters("20 % of 20", n=30, large=0.2, of=20, prevalence=0.5),
    _survival("60 patients", 60, 1.2, 0.14, 1.5),
    _survival("100 patients", 100, 1.2, 0.09, 1.0),
    _survival("100 patients, high", 100, 2.2, 0.09, 1.0),
    _survival("200 patients", 200, 0.8, 0.045, 1.0),
    Setting("scores", "500 cases, 1 %", {"n": 500, "prevalence": 0.01, "slope": 1.0}),
    Setting("scores", "500 cases, 2 %", {"n": 500, "prevalence": 0.02, "slope": 1.0}),
    Setting("scores", "1000 cases, 2 %, overfitted", {"n": 1000, "prevalence": 0.02, "slope": 1.5}),
    Setting("measures", "200 cases, 2 %", {"n": 200, "prevalence": 0.02, "rates": (0.8, 0.1)}),
    Setting("measures", "200 cases, 2 %, .6", {"n": 200, "prevalence": 0.02, "rates": (0.6, 0.02)}),
    Setting("measures", "500 cases, 2 %", {"n": 500, "prevalence": 0.02, "rates": (0.8, 0.05)}),
    Setting("adjusted", "12 and 100", {"n_pos": 12, "n_neg": 100}),
)


# --- One sample of a setting ----------------------------------------------------------------------


def _limits(value: float, se: float, df: float, truth: float) -> tuple[float, float, float]:
    """Return whether limits on the logit scale hold the truth, their width, and the df."""
    if not 0 < value < 1 or not se > 0:
        return np.nan, np.nan, np.nan
    reach = float(t_law.ppf((1 + LEVEL) / 2, df)) * se / (value * (1 - value))
    low, high = expit(logit(value) + np.array([-reach, reach]))
    return float(low <= truth <= high), high - low, df


def _plain(value: Any, se: Any, df: float, truth: float) -> tuple[float, float, float]:
    reach = float(t_law.ppf((1 + LEVEL) / 2, df)) * se
    return float(abs(value - truth) <= reach), 2 * reach, df


def _held(limits: Any, truth: float) -> tuple[float, float, float]:
    low, high = limits
    return float(low <= truth <= high), high - low, np.nan


def _test(value: float, se: float, df: float) -> tuple[float, float, float]:
    if not se > 0:
        return np.nan, np.nan, np.nan
    return float(2 * t_law.sf(abs(value) / se, df) <= 1 - LEVEL), np.nan, df


def clustered(numbers: dict[str, Any], rng: np.random.Generator) -> Callable[[], Found]:
    """Return the maker of samples in clusters: areas, sensitivities and a test."""
    points, shift = numbers.get("points"), 1.2
    cell = Clusters("", **{name: n for name, n in numbers.items() if name != "points"})
    rest = np.sqrt(1 - cell.dependence)
    edges = np.asarray(norm.ppf([0.3, 0.5, 0.7, 0.85], scale=1.2)) if points else None
    # The mean of clusters: any two cases of different clusters.
    truth = float(norm.cdf(shift / np.sqrt(2)))
    if points:
        cuts = np.concatenate([[-np.inf], edges, [np.inf]])
        pos, neg = (np.diff(norm.cdf(cuts - at)) for at in (shift, 0.0))
        truth = area_of_categories(pos, neg)
    # Sensitivity where scores are above .5; five points are cut at the same place.
    threshold = 0.5 if edges is None else float(edges[2])
    sensitivity, p = float(norm.sf(threshold - shift)), cell.prevalence
    worth = p * sensitivity - RISK / (1 - RISK) * (1 - p) * float(norm.sf(threshold))

    def sample() -> Found:
        y, cluster = drawn_classes(cell, rng)
        shared = np.sqrt(cell.dependence) * rng.normal(size=(2, cell.n))[:, cluster]
        scores = shift * y + shared + rest * rng.normal(size=(2, len(cluster)))
        cut = threshold
        if edges is not None:
            scores, cut = np.searchsorted(edges, scores).astype(float), 3.0
        if min(y.sum(), (~y).sum()) < 3:
            return {}
        study = rs.Study(y.astype(int), {"a": scores[0], "b": scores[1]}, cluster=cluster)
        areas = study.auc(null_value=0.5)
        held = [len(np.unique(cluster[side])) for side in (y, ~y)]
        row = areas.iloc[0]
        of_clusters = float(max(min(held) - 1, 1))
        found: Found = {
            "auc": (
                _limits(row["estimate"], row["se"], of_clusters, truth),
                _limits(row["estimate"], row["se"], row["df"], truth),
            )
        }
        gap = study.compare_auc(adjust="none").iloc[0]
        found["compare_auc"] = (
            _test(gap["estimate"], gap["se"], of_clusters),
            _test(gap["estimate"], gap["se"], gap["df"]),
        )
        rate = study.operating_points(threshold=cut, quantities="tpr").iloc[0]
        value, se = rate["estimate"], rate["se"]
        plain = value * (1 - value) / se**2 if se > 0 else held[0]
        sides = [wilson_limit_of_proportion(value * plain, plain, at) for at in (-Z, Z)]
        found["tpr"] = (
            _held(sides, sensitivity),
            _held(rate[["ci_low", "ci_high"]], sensitivity),
        )
        benefit = study.net_benefit(
            risk_threshold=RISK, threshold={name: {RISK: cut} for name in "ab"}
        ).iloc[0]
        found["net_benefit"] = (
            _held(_equal_limits(y, scores[0] >= cut, cluster), worth),
            _held(benefit[["ci_low", "ci_high"]], worth),
        )
        return found

    return sample


def _equal_limits(y: Any, called: Any, cluster: Any) -> list[float]:
    """Return the limits of a net benefit that take clusters for equal."""
    cases = WeightedCases(y, np.ones(len(y)), cluster)
    found = net_benefit_at(cases, called, Stakes(RISK, None))
    number = float(len(np.unique(cluster)))
    first, second = (
        Share(part.value, part.influence, number * part.value, number, number)
        for part in found.parts
    )
    return [replace(found, parts=(first, second)).limit(at) for at in (-Z, Z)]


def survival(numbers: dict[str, Any], rng: np.random.Generator) -> Callable[[], Found]:
    """Return the maker of samples of patients: an area, a band, a concordance, a test."""
    share = numbers["share"]
    cell = Hazards("few", numbers["n"], numbers["slope"], (share / 2, share), numbers["censoring"])
    early, late = times_of(cell)
    truths = [true_areas(cell, time)[0] for time in (early, late)]
    concordance = true_concordance(cell, late)

    def sample() -> Found:
        follow_up, markers = draw(cell, rng)
        marker = markers[0]
        scores = score_codes_by_risk(marker, higher=True)
        at = status_at(follow_up, late, "not-case")
        if not at.is_defined or np.count_nonzero(at.is_case) < 3:
            return {}
        area = survival_area_at(at, scores)
        se = float(np.sqrt(at.variance(area.influence)))
        df = at.df(area.influence)
        found: Found = {
            "auc(time=)": tuple(_limits(area.value, se, d, truths[1]) for d in (np.inf, df))
        }
        first = status_at(follow_up, early, "not-case")
        if np.count_nonzero(first.is_case) > 1:
            found["auc_band"] = _band(follow_up, [first, at], scores, truths)
        pairs = comparable_pairs(follow_up, late, weighs_g=True)
        value = concordance_of(pairs, scores)
        error = float(np.sqrt(pairs.variance(value.influence)))
        found["concordance"] = tuple(
            _limits(value.value, error, d, concordance) for d in (np.inf, pairs.df(value.influence))
        )
        # Two markers of equal areas.
        noisy = [
            score_codes_by_risk(marker + rng.normal(size=cell.n), higher=True) for _ in range(2)
        ]
        one, two = (survival_area_at(at, each) for each in noisy)
        influence = one.influence - two.influence
        se = float(np.sqrt(at.variance(influence)))
        found["compare_auc(time=)"] = tuple(
            _test(one.value - two.value, se, d) for d in (np.inf, at.df(influence))
        )
        return found

    return sample


def _band(follow_up: FollowUp, statuses: Any, scores: Any, truths: list[float]) -> Any:
    areas = [survival_area_at(at, scores) for at in statuses]
    level = survival_band_level(follow_up, areas, LEVEL)
    sides = []
    for after in (False, True):
        held, width = 1.0, 0.0
        for at, area, truth in zip(statuses, areas, truths, strict=True):
            if not 0 < area.value < 1:
                return (np.nan,) * 3, (np.nan,) * 3
            df = at.df(area.influence) if after else np.inf
            se = np.sqrt(at.variance(area.influence)) / (area.value * (1 - area.value))
            reach = t_law.ppf((1 + level) / 2, df) * se
            low, high = expit(logit(area.value) + np.array([-reach, reach]))
            held, width = held * float(low <= truth <= high), width + (high - low) / 2
        sides.append((held, width, np.nan))
    return tuple(sides)


def scored(numbers: dict[str, Any], rng: np.random.Generator) -> Callable[[], Found]:
    """Return the maker of samples of risks: Brier, log and scaled scores."""
    n, slope = numbers["n"], numbers["slope"]
    at = logit(numbers["prevalence"]) - 0.5
    nodes, weights = np.polynomial.hermite_e.hermegauss(100)
    weights = weights / weights.sum()
    p, q = expit(at + nodes), expit(at + slope * nodes)
    brier, pi = weights @ (p * (1 - q) ** 2 + (1 - p) * q**2), weights @ p
    truths = {
        "brier_score": brier,
        "scaled_brier_score": 1 - brier / (pi * (1 - pi)),
        "log_score": -weights @ (p * np.log(q) + (1 - p) * np.log1p(-q)),
    }

    def sample() -> Found:
        x = rng.normal(size=n)
        y = rng.random(n) < expit(at + x)
        if y.sum() < 2:
            return {}
        rows = rs.Study(y.astype(int), expit(at + slope * x)).probability_scores()
        rows = rows.set_index("quantity")
        found: Found = {}
        for name, truth in truths.items():
            row = rows.loc[name]
            held = float(row["ci_low"] <= truth <= row["ci_high"])
            after = held, row["ci_high"] - row["ci_low"], np.nan
            found[name] = _plain(row["estimate"], row["se"], np.inf, truth), after
        return found

    return sample


def called(numbers: dict[str, Any], rng: np.random.Generator) -> Callable[[], Found]:
    """Return the maker of cohorts: kappa, MCC and the number needed to diagnose."""
    (tpr, fpr), n, p = numbers["rates"], numbers["n"], numbers["prevalence"]
    plan = PointPlan("wilson", "score", "cohort", LEVEL)
    truths = {
        name: float(measure(name, cells_at(np.array([tpr]), np.array([fpr]), p))[0])
        for name in ("kappa", "mcc", "number_needed_to_diagnose")
    }

    def sample() -> Found:
        m = rng.binomial(n, p)
        if not 0 < m < n:
            return {}
        tp, fp = float(rng.binomial(m, tpr)), float(rng.binomial(n - m, fpr))
        cells = Cells(*(np.array([c]) for c in (tp, m - tp, fp, n - m - fp)))
        tables = PointTables(cells, float(m), float(n - m))
        found: Found = {}
        for name, truth in truths.items():
            one = measure_at_thresholds(tables, name, None, plan)
            low, high, value = one.low[0], one.high[0], one.estimate[0]
            after = float(low <= truth <= high), high - low, np.nan
            before = after
            if name != "number_needed_to_diagnose" and not np.isnan(value):
                # The same table, with 1/2 in every cell where one is empty, and normal quantiles.
                t, f, spread, _ = _half_added(tables, None, plan)
                at, scale = measure(name, cells_at(t, f, tables.prevalence)), scale_of(name)
                reach = Z * np.sqrt(
                    spread.of(measure_slopes_in_rates(name, t, f, tables.prevalence))
                )
                reach, at = reach * scale.slope(at), scale.forward(at)
                sides = min(scale.back(at - reach)[0], value), max(scale.back(at + reach)[0], value)
                before = float(sides[0] <= truth <= sides[1]), sides[1] - sides[0], np.nan
            found[name] = before, after
        return found

    return sample


def adjusted(numbers: dict[str, Any], rng: np.random.Generator) -> Callable[[], Found]:
    """Return the maker of studies with a covariate: the adjusted area."""
    m, n = numbers["n_pos"], numbers["n_neg"]
    truth = float(norm.cdf(1.2 / np.sqrt(2)))

    def sample() -> Found:
        y = np.repeat([1, 0], [m, n])
        age = rng.normal(size=m + n) + 0.5 * y
        score = 1.2 * y + 0.7 * age + rng.normal(size=m + n)
        row = rs.Study(y, score, covariate={"age": age}).adjusted_auc().iloc[0]
        value, se = row["estimate"], row["se"]
        held = float(row["ci_low"] <= truth <= row["ci_high"])
        after = held, row["ci_high"] - row["ci_low"], np.nan
        return {"adjusted_auc": (_limits(value, se, np.inf, truth), after)}

    return sample


KINDS = {
    "clusters": clustered,
    "survival": survival,
    "scores": scored,
    "measures": called,
    "adjusted": adjusted,
}


# --- Tables ---------------------------------------------------------------------------------------


def run_setting(place: int, replicates: int, seed: int = SEED) -> Iterator[dict[str, Any]]:
    """Yield the rows of a setting."""
    kind, name, numbers = SETTINGS[place]
    sample = KINDS[kind](numbers, np.random.default_rng([seed, place]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = collect(sample() for _ in range(replicates))
    for quantity, array in found.items():
        what = "size" if quantity.startswith("compare") else "coverage"
        yield {
            "kind": kind,
            "setting": name,
            "quantity": quantity,
            **before_and_after(array[:, :, :2], what, replicates, 25),
            "bound": SIZE if what == "size" else COVERAGE,
        }


SIMULATION = Simulation(
    table=TABLE,
    shows="Coverage and size where events are few or clusters are unequal, before and after.",
    cells=range(len(SETTINGS)),
    rows=run_setting,
    replicates=REPLICATES,
    seed=SEED,
    bounds=(
        Bound("after", under, "bound", where="what == 'coverage'"),
        Bound("after", over, "bound", where="what == 'size'"),
    ),
    ends=("bound", "shortfall", "first_after"),
    digits=6,
)
