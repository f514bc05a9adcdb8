"""The committed comparison of the resampling engines is complete, within bounds, and repeats."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ks_2samp

from rocstats.curves.areas import area
from rocstats.estimate.area_variances import ideal_bootstrap_area_variance
from rocstats.inference.planning.simulated_studies import (
    ReadingPlan,
    draw_simulated_reads,
    ratings_in_levels,
    roe_metz_of_areas,
)
from rocstats.inference.readers.ustatistics import UStatistics
from tests.oracles import definitions as oracles
from validation.benchmarks.readers import naive_variance
from validation.engines.cells import CELLS, SEED, cell_named, kernel_of
from validation.engines.reference import (
    brute_clusters,
    enumerated_clusters,
    step_tpr_law,
    unstratified,
)
from validation.engines.rows import Draws, allowance, law
from validation.engines.simulate import run
from validation.engines.summary import read_engines, summarise, use_of_allowance

KEY = ["cell", "engine", "statistic", "reference", "seed"]
SMALL = "ties 300"


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return read_engines()


def test_table_has_every_comparison_once(committed):
    assert committed[KEY].equals(run(replicates=100)[KEY])
    assert not committed[KEY].duplicated().any()
    assert set(committed["seed"]) == {SEED}
    own = {cell.name: cell.replicates for cell in CELLS}
    assert (committed["replicates"] == committed["cell"].map(own)).all()
    assert max(own.values()) == 400_000


def test_every_comparison_is_within_bounds(committed):
    assert (use_of_allowance(committed) <= 1).all()
    sd = committed[committed["statistic"].str.startswith("sd")]
    # heavier tails than the normal's widen the bound in a few extreme rates only
    normal = 4 / np.sqrt(2 * sd["replicates"])
    assert ((sd["ratio"] - 1).abs() <= normal).mean() > 0.95
    assert summarise(committed)["z_rms"].between(0.1, 1.7).all()


def test_table_adds_up(committed):
    np.testing.assert_allclose(
        committed["ratio"], committed["value"] / committed["closed_form"], rtol=1e-7
    )
    is_distance = committed["statistic"].str.startswith("distance")
    assert (committed["monte_carlo_se"].isna() == is_distance).all()
    assert (is_distance == (committed["reference"] == "critical distance")).all()


def test_small_cell_run_again_agrees(committed):
    again = run([cell_named(SMALL)], replicates=8000)
    before = committed[committed["cell"] == SMALL].reset_index(drop=True)
    assert again[KEY].equals(before[KEY])
    assert (use_of_allowance(again) <= 1).all()
    known = again["reference"] != "critical distance"
    np.testing.assert_allclose(again["closed_form"][known], before["closed_form"][known], rtol=1e-8)


def test_cell_is_a_function_of_itself_and_the_seed():
    cell = [cell_named("clusters enumerated")]
    assert run(cell, replicates=200).equals(run(cell, replicates=200))
    assert not run(cell, replicates=200, seed=1).equals(run(cell, replicates=200))


def test_reference_without_strata_is_brute_force():
    rng = np.random.default_rng(5)
    kernel = np.round(rng.random((4, 7)) * 2) / 2
    areas, lacking = [], 0
    for _ in range(20_000):
        rows = rng.integers(0, 11, 11)
        pos, neg = rows[rows < 4], rows[rows >= 4] - 4
        if len(pos) and len(neg):
            areas.append(kernel[np.ix_(pos, neg)].mean())
        else:
            lacking += 1
    expected = unstratified(kernel)
    assert np.mean(areas) == pytest.approx(expected.mean, abs=4 * expected.sd / np.sqrt(20_000))
    assert np.std(areas) == pytest.approx(expected.sd, rel=4 / np.sqrt(40_000))
    assert expected.lacking == pytest.approx((7 / 11) ** 11 + (4 / 11) ** 11)
    assert lacking / 20_000 == pytest.approx(expected.lacking, rel=0.3)


def test_reference_of_clusters_is_brute_force():
    cell = cell_named("clusters enumerated")
    exact = enumerated_clusters(cell.study())
    brute = brute_clusters(cell.study(), 40_000, (1,))
    assert brute.mean == pytest.approx(exact.mean, abs=4 * exact.sd / np.sqrt(40_000))
    assert brute.sd == pytest.approx(exact.sd, rel=0.04)


def test_reference_law_of_a_tpr_is_brute_force():
    study = cell_named("unbalanced 300").study()
    pos, neg = (study.scores[0][mask] for mask in (study.is_positive, ~study.is_positive))
    values, mass = step_tpr_law(study, 0.1)
    assert mass.sum() == pytest.approx(1)
    rng = np.random.default_rng(2)
    drawn = [
        np.mean(rng.choice(pos, 15) > np.sort(rng.choice(neg, 285))[::-1][28]) for _ in range(4000)
    ]
    exact = rng.choice(values, 40_000, p=mass)
    assert ks_2samp(np.round(drawn, 9), np.round(exact, 9)).pvalue > 0.001


def test_kernels_of_cells_are_those_of_the_oracle():
    for name in ("ties 300", "unbalanced 300"):
        study = cell_named(name).study()
        kernel = kernel_of(study)
        y, score = study.is_positive, study.scores[0]
        assert np.array_equal(kernel, oracles.kernel(y, score))
        assert kernel.mean() == pytest.approx(area(study.cases.counts(0)), abs=1e-12)


@pytest.mark.parametrize("wrong", [0.98, 1.02])
def test_a_wrong_spread_is_found(wrong):
    counts = cell_named("continuous 300").study().cases.counts(0)
    rng = np.random.default_rng(3)
    sd = np.sqrt(ideal_bootstrap_area_variance(counts))
    draws = Draws("c", "e", rng.normal(0.7, sd * wrong, 100_000), 1, "ideal bootstrap")
    row = draws.sd(float(sd))
    assert abs(row.ratio - 1) > allowance(row.statistic, row.monte_carlo_se, row.replicates)


def test_a_wrong_law_is_found():
    rng = np.random.default_rng(4)
    normal = Draws("c", "a", rng.normal(size=50_000), 1, "")
    other = Draws("c", "b", rng.laplace(0, np.sqrt(0.5), 50_000), 1, "")
    assert law(normal, other).ratio > 1
    assert law(normal, Draws("c", "b", rng.normal(size=50_000), 1, "")).ratio < 1


def test_the_unit_of_reader_studies_is_the_same_variance():
    plan = ReadingPlan(3, 12, 14)
    model = roe_metz_of_areas("LH", np.array([0.8, 0.9]))
    reads = ratings_in_levels(draw_simulated_reads(model, plan, np.random.default_rng(2)), model, 5)
    expected = UStatistics(reads).difference(0, 1).variance
    assert naive_variance(reads) == pytest.approx(expected, rel=1e-9)
