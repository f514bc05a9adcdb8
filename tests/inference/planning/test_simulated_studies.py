from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from rocstats.inference.planning.simulated_studies import (
    ReadingPlan,
    RoeMetz,
    draw_simulated_reads,
    ratings_in_levels,
    roe_metz_of_areas,
    roe_metz_of_structure,
)
from tests.quick import each

PLANS = [
    ReadingPlan(r, m, n, groups, nested)
    for r, m, n in ((6, 8, 12), (7, 11, 6))
    for groups in (1, 2, 3)
    for nested in (None, "readers", "cases")
]


# Roe & Metz (1997), table 1, as in docs/methods/planning.md, "A reader study".
@pytest.mark.parametrize(
    ("structure", "reader", "case", "reader_case", "own"),
    [
        ("HL", (0.0055, 0.0055, 0.0055), 0.3, 0.2, 0.2),
        ("LL", (0.0055, 0.0055, 0.0055), 0.1, 0.2, 0.6),
        ("HH", (0.011, 0.03, 0.056), 0.3, 0.2, 0.2),
        ("LH", (0.011, 0.03, 0.056), 0.1, 0.2, 0.6),
    ],
)
def test_structures_of_the_literature(structure, reader, case, reader_case, own):
    for separation, variance in zip((0.75, 1.5, 2.5), reader, strict=True):
        model = roe_metz_of_structure(structure, np.array([separation] * 2))
        np.testing.assert_allclose(model.shared_pos, [variance, case, reader_case])
        np.testing.assert_allclose(model.own_neg, [[variance, case, own]] * 2)
        # Beside readers a rating has the variance 1.
        np.testing.assert_allclose(model.spread, 2 + 4 * variance)


@pytest.mark.parametrize("structure", ["HL", "HH"])
@pytest.mark.parametrize("areas", [(0.6, 0.7), (0.85, 0.9), (0.97, 0.99), (0.3, 0.5)])
def test_areas_are_those_asked_for(structure, areas):
    found = roe_metz_of_areas(structure, np.array(areas)).areas
    np.testing.assert_allclose(found, areas, rtol=1e-14)


@each("plan", PLANS)
def test_numbers_are_those_of_who_reads_what(plan):
    readers, pos, neg = plan.sizes(2)
    for cases, n in ((pos, plan.n_pos), (neg, plan.n_neg)):
        read = plan.planned(2, n)
        np.testing.assert_array_equal(read.sum(axis=(1, 2)), (readers * cases).sum(axis=1))
        # Nobody is left out, and groups are as equal as possible.
        assert read.any(axis=(0, 2)).all()
        assert read.any(axis=(0, 1)).all()
        groups = cases.sum(axis=0) if plan.nested == "cases" else cases[0]
        assert groups.sum() == n
        assert np.ptp(groups) <= 1


# The axes (modality, reader, case) along which an effect is the same.
EFFECTS = {
    ("shared", 0): (0, 2),
    ("shared", 1): (0, 1),
    ("shared", 2): (0,),
    ("own", 0): (2,),
    ("own", 1): (1,),
    ("own", 2): (),
}


@each(("level", "kind"), EFFECTS)
@each("of", ["pos", "neg"])
def test_an_effect_has_its_variance_and_is_one_where_it_is_shared(level, kind, of):
    none = RoeMetz(
        np.array([1.0, 2.0]), np.zeros(3), np.zeros(3), np.zeros((2, 3)), np.zeros((2, 3))
    )
    field = f"{level}_{of}"
    variances = np.zeros_like(getattr(none, field))
    variances[..., kind] = 0.7 if level == "shared" else [0.4, 0.9]
    sizes = {0: (2000, 2), 1: (2, 2000), 2: (50, 40)}[kind]
    plan = ReadingPlan(sizes[0], sizes[1], sizes[1])
    reads = draw_simulated_reads(
        none._replace(**{field: variances}), plan, np.random.default_rng(5)
    )
    means = {"pos": none.separation[:, None, None], "neg": np.zeros((2, 1, 1))}
    other = {"pos": "neg", "neg": "pos"}[of]
    np.testing.assert_array_equal(getattr(reads, other) - means[other], 0)
    effects = getattr(reads, of) - means[of]
    for axis in EFFECTS[level, kind]:
        np.testing.assert_allclose(np.diff(effects, axis=axis), 0, atol=1e-12)
    for modality in range(2):
        drawn = effects[modality]
        # Four standard errors of a variance of 2000 normals, and of their mean.
        expected = variances[..., kind].ravel()[modality if level == "own" else 0]
        assert np.unique(drawn.round(9)).size == 2000
        assert np.var(drawn) == pytest.approx(expected, rel=4 * np.sqrt(2 / 2000))
        assert np.mean(drawn) == pytest.approx(0, abs=4 * np.sqrt(expected / 2000))


def test_missing_reads_are_a_share_of_the_planned_ones():
    model = roe_metz_of_structure("HL", np.array([1.0, 1.0]))
    plan = ReadingPlan(4, 10, 20, n_groups=2, missing=0.25)
    reads = draw_simulated_reads(model, plan, np.random.default_rng(1))
    assert np.count_nonzero(~np.isnan(reads.pos)) == 2 * 4 * 5 * 3 // 4
    assert np.count_nonzero(~np.isnan(reads.neg)) == 2 * 4 * 10 * 3 // 4


def test_levels_keep_the_order_and_what_is_missing():
    model = roe_metz_of_structure("LH", np.array([1.0, 1.5]))
    plan = ReadingPlan(5, 200, 200, n_groups=5)
    reads = draw_simulated_reads(model, plan, np.random.default_rng(2))
    levels = ratings_in_levels(reads, model, 5)
    made = ~np.isnan(reads.pos)
    np.testing.assert_array_equal(made, ~np.isnan(levels.pos))
    order = np.argsort(reads.pos[made])
    assert (np.diff(levels.pos[made][order]) >= 0).all()


def test_levels_are_cut_at_quantiles_of_a_normal_distribution():
    alone = np.array([0.0, 0.0, 1.0])  # every rating is independent of all others
    model = RoeMetz(np.array([1.0, 1.0]), alone, alone, np.zeros((2, 3)), np.zeros((2, 3)))
    reads = draw_simulated_reads(model, ReadingPlan(50, 200, 200), np.random.default_rng(3))
    levels = ratings_in_levels(reads, model, 4)
    # Ratings have the mean 1/2 and the variance 1 + 1/4 over both classes.
    cuts = 0.5 + np.sqrt(1.25) * ndtri([0.25, 0.5, 0.75])
    for drawn, mean in ((levels.neg[0], 0.0), (levels.pos[0], 1.0)):
        expected = np.diff([0.0, *ndtr(cuts - mean), 1.0])
        found = np.bincount(drawn.astype(int).ravel(), minlength=5)[1:] / drawn.size
        assert found == pytest.approx(expected, abs=4 * np.sqrt(0.25 / drawn.size))
