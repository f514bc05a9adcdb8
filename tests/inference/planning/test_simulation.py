"""The simulated tests are those that the package asks of a study."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.rank_sum import LARGEST_PAIRS
from rocstats.estimate.resample import ResamplePlan
from rocstats.inference.planning.designs import planned_binormal_curves
from rocstats.inference.planning.simulated_studies import draw_studies
from rocstats.inference.planning.simulation import simulate_power
from rocstats.inference.planning.variances import Binormal

N, SEED, ALPHA = 60, 4, 0.2
KEYWORDS = {"correlation_pos": 0.6, "correlation_neg": 0.3}


def drawn(curves, sizes, correlations=(0.0, 0.0)):
    return draw_studies([(curve.a, curve.b) for curve in curves], correlations, sizes, N, SEED)


def study_of(pos, neg, **keywords):
    y = np.repeat([1, 0], [pos.shape[1], neg.shape[1]])
    scores = np.concatenate([pos, neg], axis=1)
    return rs.Study(y, {f"p{k}": row for k, row in enumerate(scores)}, **keywords)


def assert_same(design, sizes, rejected, widths, test):
    found = simulate_power(design, *sizes, alpha=ALPHA, plan=ResamplePlan(N, SEED))
    assert found.power == np.mean(rejected)
    assert 0 < found.power < 1, "a cell that says nothing"
    assert found.half_width == pytest.approx(np.nanmean(widths) / 2, rel=1e-12)
    assert found.test == test


@pytest.mark.parametrize(
    ("design", "sizes", "test"),
    [
        (rs.OneAUC(0.65), (12, 15), "mann-whitney/exact"),
        (rs.OneAUC(0.35, alternative="less"), (12, 15), "mann-whitney/exact"),
        (rs.OneAUC(0.53), (90, 130), "mann-whitney/normal-continuity"),
    ],
)
def test_one_area_against_chance(design, sizes, test):
    assert (sizes[0] * sizes[1] > LARGEST_PAIRS) == test.endswith("continuity")
    rejected, widths = [], []
    for pos, neg in drawn([Binormal.of_area(design.auc, 1.0)], sizes):
        study = study_of(pos, neg)
        row = study.versus_random(alternative=design.alternative).iloc[0]
        assert row["method"] == test
        right = (row["estimate"] > 0.5) == (design.auc > 0.5)
        rejected.append(row["p_value"] <= ALPHA and right)
        limits = study.auc(confidence_level=1 - ALPHA).iloc[0]
        widths.append(limits["ci_high"] - limits["ci_low"])
    assert_same(design, sizes, rejected, widths, test)


@pytest.mark.parametrize("sizes", [(10, 14), (40, 30)])
def test_one_area_against_a_value(sizes):
    design = rs.OneAUC(0.9, null_auc=0.8)
    rejected, widths = [], []
    for pos, neg in drawn([Binormal.of_area(0.9, 1.0)], sizes):
        row = study_of(pos, neg).auc(null_value=0.8, confidence_level=1 - ALPHA).iloc[0]
        rejected.append(row["p_value"] <= ALPHA and row["estimate"] > 0.8)
        widths.append(row["ci_high"] - row["ci_low"])
    assert_same(design, sizes, rejected, widths, "delong/logit-t")


@pytest.mark.parametrize(
    ("design", "alternatives", "nulls"),
    [
        (rs.PairedAUCs(0.9, 0.8, b=0.8, **KEYWORDS), ["greater"], [0.0]),
        (rs.PairedAUCs(0.8, 0.9, alternative="less", **KEYWORDS), ["less"], [0.0]),
        (
            rs.PairedAUCs(0.8, 0.8, hypothesis="non-inferiority", margin=0.1, **KEYWORDS),
            ["greater"],
            [-0.1],
        ),
        (
            rs.PairedAUCs(0.95, 0.8, hypothesis="superiority", margin=0.05, **KEYWORDS),
            ["greater"],
            [0.05],
        ),
        (
            rs.PairedAUCs(0.8, 0.8, hypothesis="equivalence", margin=0.15, **KEYWORDS),
            ["greater", "less"],
            [-0.15, 0.15],
        ),
        (rs.TwoAUCs(0.9, 0.75), ["greater"], [0.0]),
        (
            rs.TwoAUCs(0.97, 0.9, hypothesis="equivalence", margin=0.2),
            ["greater", "less"],
            [-0.2, 0.2],
        ),
    ],
)
def test_two_areas(design, alternatives, nulls):
    paired, sizes = isinstance(design, rs.PairedAUCs), (15, 20)
    level = (
        ALPHA / 2
        if design.hypothesis != "equivalence" and design.alternative == "two-sided"
        else ALPHA
    )
    curves = (
        planned_binormal_curves(design)
        if paired
        else [Binormal.of_area(a, 1.0) for a in (design.auc, design.reference_auc)]
    )
    rejected, widths = [], []
    interval = "mover" if design.margin else "t"
    for pos, neg in drawn(curves, sizes, (0.6, 0.3) if paired else (0.0, 0.0)):
        if paired:
            study, across = study_of(pos, neg), "predictors"
        else:
            study = study_of(
                pos.reshape(1, -1), neg.reshape(1, -1), group=np.repeat([*"abab"], [15, 15, 20, 20])
            )
            across = "groups"
        p = [
            study.compare_auc(
                across=across,
                alternative=side,
                null_value=null,
                confidence_level=1 - level,
                interval=interval,
            )["p_value"][0]
            for side, null in zip(alternatives, nulls, strict=True)
        ]
        rejected.append(max(p) <= level)
        asked = {"across": across, "confidence_level": 1 - ALPHA, "interval": interval}
        row = study.compare_auc(**asked).iloc[0]
        widths.append(row["ci_high"] - row["ci_low"])
    test = "delong/logit-mover" if design.margin else "delong/wald-t"
    assert_same(design, sizes, rejected, widths, test)


def test_drawn_scores_have_the_areas_and_correlations_asked_for():
    curves = [Binormal.of_area(0.9, 0.7), Binormal.of_area(0.7, 1.5)]
    ((pos, neg),) = draw_studies(
        [(curve.a, curve.b) for curve in curves], (0.6, -0.4), (40_000, 40_000), 1, 9
    )
    areas = study_of(pos, neg).auc()
    assert np.abs(areas["estimate"] - [0.9, 0.7]).max() < 4 * areas["se"].max()
    error = 4 / np.sqrt(40_000)
    assert np.corrcoef(pos)[0, 1] == pytest.approx(0.6, abs=error)
    assert np.corrcoef(neg)[0, 1] == pytest.approx(-0.4, abs=error)
    spread = pos.std(axis=1) / neg.std(axis=1)
    assert spread == pytest.approx([1 / 0.7, 1 / 1.5], rel=error)


def test_the_formula_agrees_with_the_simulation():
    design = rs.PairedAUCs(0.85, 0.75, correlation_pos=0.5, correlation_neg=0.5)
    row = rs.sample_size(design, power=0.8, simulate=True, n_simulations=2000, rng=20040316).iloc[0]
    assert row["power_low"] < row["power_simulated"] < row["power_high"]
    assert row["power_simulated"] == pytest.approx(0.8, abs=4 * np.sqrt(0.16 / 2000))
    assert row["half_width_simulated"] == pytest.approx(row["half_width"], rel=0.03)
