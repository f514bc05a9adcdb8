"""Resamples: seeds and numbers, draws that lack a class, cells and blocks of cells, progress."""

from __future__ import annotations

import numpy as np
import pytest
import tqdm
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.resample import (
    LEAST_BLOCKS,
    ResamplePlan,
    block_starts,
    counted_cells,
    draw_random_booleans,
    multinomial_cells,
    normal_counts,
    percentile_limits_of_draws,
    require_resamples,
    resolve_seed,
    sup_quantile,
    takes_blocks,
)
from tests import examples


@pytest.mark.parametrize("wrong", [-1, 1.5, "7", True, [1]])
def test_wrong_seeds_are_refused(wrong):
    with pytest.raises(rs.InputError, match="`rng` must be None, a whole number >= 0"):
        resolve_seed(wrong)


def test_seeds_of_every_kind():
    assert resolve_seed(7) == 7
    assert 0 <= resolve_seed(None) < 2**48
    for make in (np.random.default_rng, np.random.SeedSequence):
        assert resolve_seed(make(3)) == resolve_seed(make(3)) != resolve_seed(make(4))


@pytest.mark.parametrize("wrong", [99, 0, 1e3, "2000", True])
def test_wrong_numbers_of_resamples_are_refused(wrong):
    with pytest.raises(rs.InputError, match="`n_resamples` must be a whole number >= 100"):
        require_resamples(wrong)


FOLDS = "`n_resamples` resamples must hold both classes in every fold; got almost none that do."
CLUSTERS = "`n_resamples` resamples of clusters must hold both classes; got almost none that do."
REFUSED = [
    ("auc", {"interval": "percentile"}, FOLDS),
    ("auc_draws", {}, FOLDS),
    ("compare_auc", {"method": "bootstrap", "interval": "percentile"}, FOLDS),
    ("average_precision", {"interval": "percentile"}, FOLDS),
    ("operating_points", {"fpr": 0.2}, FOLDS),
    ("roc_average", {"bars": "effective"}, FOLDS),
    ("roc_average_difference", {"bars": "effective"}, FOLDS),
    ("roc_band", {"method": "bootstrap"}, FOLDS),
    ("roc_band", {}, CLUSTERS),
    ("roc_band", {"method": "smoothed-score"}, CLUSTERS),
    ("roc_difference_band", {}, FOLDS),
    ("compare_costs", {"cost_fp": 1, "cost_fn": 2}, FOLDS),
    ("cost_difference_band", {}, FOLDS),
    ("lc_index", {"low": 0.2, "mode": 0.5, "high": 0.8, "interval": "percentile"}, FOLDS),
    ("compare_operating_points", {"fpr": 0.2}, CLUSTERS),
]


@pytest.fixture
def impatient(monkeypatch):
    """Give up at the first resample that lacks a class."""
    monkeypatch.setattr("rocstats.estimate.resample._MOST_REDRAWN", 0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("question", "options", "message"), REFUSED)
def test_every_question_refuses_resamples_that_hardly_ever_hold_both_classes(
    question, options, message
):
    # Two clusters, each of one class.
    roles = {"fold": np.zeros(18)} if question.startswith("roc_average") else {}
    scores = {"a": examples.D1, "b": examples.D2}
    study = rs.Study(examples.Y, scores, cluster=examples.Y, **roles)
    with pytest.raises(rs.InputError, match=f"^{message}"):
        getattr(study, question)(**options, rng=1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("question", ["auc", "compare_auc"])
def test_several_classes_refuse_them_too(question):
    y = np.arange(3).repeat(4)
    scores = {"a": np.eye(3)[y], "b": np.eye(3)[y[::-1]]}
    study = rs.MulticlassStudy(y, scores, cluster=y)
    with pytest.raises(rs.InputError, match=r"^`n_resamples` resamples must hold every class in"):
        getattr(study, question)(interval="percentile", rng=1)


@pytest.mark.usefixtures("impatient")
def test_verified_cases_refuse_them_too():
    y, verified = np.tile([1, 0], 4), np.arange(8) < 4
    with pytest.raises(rs.InputError, match=r"^`n_resamples` resamples must hold verified cases"):
        rs.verified_auc(y, np.arange(8.0), verified, probability=np.full(8, 0.5), rng=1)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5697, 1.0])
def test_random_booleans_are_true_with_their_share(share):
    drawn = draw_random_booleans(40000, share, seed=20040316)
    assert abs(drawn.mean() - share) <= 4 * np.sqrt(share * (1 - share) / 40000)


def test_random_booleans_repeat_by_their_seed_and_rise_with_their_share():
    first, again, other = (draw_random_booleans(500, 0.3, seed) for seed in (8, 8, 9))
    assert first.tolist() == again.tolist() != other.tolist()
    assert (first <= draw_random_booleans(500, 0.6, 8)).all()


def test_percentile_limits_are_order_statistics(rng):
    draws = rng.random((999, 4))
    low, high = percentile_limits_of_draws(draws, 0.95)
    ordered = np.sort(draws, axis=0)
    np.testing.assert_array_equal(low, ordered[24])
    np.testing.assert_array_equal(high, ordered[974])


@pytest.mark.parametrize(
    ("b", "level", "rank"), [(99, 0.95, 95), (399, 0.95, 380), (20, 0.99, 20), (2000, 0.95, 1901)]
)
def test_quantile_of_a_supremum_is_an_order_statistic(b, level, rank, rng):
    distances = rng.permutation(b) + 1.0
    assert sup_quantile(distances, level) == rank


@pytest.mark.parametrize("draw", [counted_cells, multinomial_cells])
def test_cells_have_the_means_and_variances_of_a_multinomial(draw, rng):
    weight = np.array([4.0, 0, 1, 5])
    drawn = draw(rng, weight, 20_000)
    assert np.all(drawn.sum(axis=1) == 10)
    share = weight / 10
    np.testing.assert_allclose(drawn.mean(axis=0), weight, atol=0.05)
    np.testing.assert_allclose(drawn.var(axis=0), 10 * share * (1 - share), atol=0.1)


def test_shares_of_normal_counts_have_the_covariances_of_a_multinomial(rng):
    weight = np.array([40.0, 0, 10, 150])
    drawn = normal_counts(rng, weight, 40_000)
    shares = drawn / drawn.sum(axis=1, keepdims=True)
    p = weight / 200
    np.testing.assert_allclose(shares.mean(axis=0), p, atol=1e-3)
    np.testing.assert_allclose(np.cov(shares.T), (np.diag(p) - np.outer(p, p)) / 200, atol=3e-5)
    assert (drawn < 0).any()


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40),
    st.integers(1, 12),
)
def test_blocks_have_at_most_their_share_but_for_single_heavy_cells(pairs, n_blocks):
    pos, neg = np.array(pairs, dtype=float).T
    if pos.sum() == 0 or neg.sum() == 0:
        return
    share = pos / pos.sum() + neg / neg.sum()
    starts = block_starts(share, n_blocks)
    assert starts[0] == 0
    assert np.all(np.diff(starts) > 0)
    for block in np.split(share, starts[1:]):
        heavy = block > 1 / n_blocks + 1e-9
        # A block ends with the cell that passes its share: less than half a share too much.
        assert (len(block) == 1) if heavy.any() else (block.sum() <= 3 / n_blocks + 1e-9)


def test_the_number_of_cells_decides_between_blocks_and_cases():
    assert not takes_blocks(8 * LEAST_BLOCKS)
    assert takes_blocks(8 * LEAST_BLOCKS + 1)


def test_results_made_one_by_one_pass_the_bar():
    plan = ResamplePlan(3, 1, progress=True)
    assert list(plan.watched("abc")) == ["a", "b", "c"]


Y = np.tile([1, 0], 30)
SCORES = {"a": np.arange(60) % 7 + Y, "b": np.arange(60) % 5 + Y}
STUDY = rs.Study(Y, SCORES)
FOLDED = rs.Study(Y, SCORES, fold=np.repeat([1, 2], 30))
RISKS = rs.Study(Y, 1 / (1 + np.exp(-np.asarray(SCORES["a"], dtype=float))))
DRAW = np.random.default_rng(1)
CLASSES = rs.MulticlassStudy(
    np.tile([0, 1, 2], 20), {name: DRAW.random((60, 3)) for name in SCORES}
)
WORK = {
    "auc": (STUDY.auc, {"interval": "percentile"}),
    "auc_draws": (STUDY.auc_draws, {}),
    "bootstrap": (STUDY.bootstrap, examples.NEEDED["bootstrap"]),
    "average_precision": (STUDY.average_precision, {"variance": "bootstrap"}),
    "calibration": (RISKS.calibration, {"quantities": "miscalibration"}),
    "calibration_band": (RISKS.calibration_band, {"method": "isotonic"}),
    "compare_auc": (STUDY.compare_auc, {"method": "permutation"}),
    "compare_curves": (STUDY.compare_curves, {}),
    "compare_operating_points": (STUDY.compare_operating_points, {"fpr": 0.2}),
    "compare_costs": (STUDY.compare_costs, {"cost_fp": 1, "cost_fn": 1}),
    "cost_difference_band": (STUDY.cost_difference_band, {}),
    "cutpoint_draws": (STUDY.cutpoint_draws, {"criterion": "youden"}),
    "cutpoints": (STUDY.cutpoints, {"criterion": "youden"}),
    "lc_index": (STUDY.lc_index, {"low": 0.2, "mode": 0.4, "high": 0.6, "interval": "percentile"}),
    "operating_points": (STUDY.operating_points, {"fpr": 0.2, "sampling": "cohort"}),
    "roc_average": (FOLDED.roc_average, {"bars": "effective"}),
    "roc_average_difference": (FOLDED.roc_average_difference, {}),
    "roc_band": (STUDY.roc_band, {}),
    "roc_difference_band": (STUDY.roc_difference_band, {}),
    "versus_random": (STUDY.versus_random, {"method": "permutation"}),
    "auc of classes": (CLASSES.auc, {"interval": "percentile"}),
    "compare_auc of classes": (CLASSES.compare_auc, {"interval": "percentile"}),
    "roc_band of classes": (CLASSES.roc_band, {}),
    "verified_auc": (
        rs.verified_auc,
        {"y_true": Y, "y_score": SCORES["a"], "verified": Y > -1, "probability": np.ones(60)},
    ),
    "power": (rs.power, {"auc": 0.8, "n_pos": 9, "n_neg": 9, "simulate": True}),
    "sample_size": (rs.sample_size, {"auc": 0.9, "power": 0.8, "simulate": True}),
    "permute_pipeline": (
        rs.permute_pipeline,
        {"fit_and_score": lambda X, y: 0.0, "X": Y, "y": Y},
    ),
    "optimism_corrected_auc": (
        rs.optimism_corrected_auc,
        {"fit": lambda X, y: lambda X: X, "X": SCORES["a"], "y": Y},
    ),
}


@pytest.mark.parametrize("name", WORK)
@pytest.mark.parametrize("progress", [True, False])
def test_a_bar_is_shown_if_it_is_asked_for(monkeypatch, name, progress):
    disabled = []

    class Bar(tqdm.tqdm):
        def __init__(self, **options):
            disabled.append(options.get("disable", False))
            super().__init__(**options)

    monkeypatch.setattr(tqdm, "tqdm", Bar)
    ask, options = WORK[name]
    number = "n_simulations" if "simulate" in options else "n_resamples"
    ask(**options, **{number: 100}, rng=1, progress=progress)
    assert set(disabled) == ({False} if progress else set())
