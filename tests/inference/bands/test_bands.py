"""Bands of a curve and of the difference of two: printed numbers, invariances, roles, doubts."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocstats as rs
from rocstats.curves.roc import tpr_at
from rocstats.estimate.bands import BANDS, resolved_fpr
from rocstats.estimate.difference_bands import difference_band_limits, discordance_floor
from tests import examples
from tests.oracles import definitions as oracles
from tests.quick import each

METHODS = {record.word: record for record in BANDS}

RANK_METHODS = [name for name, kind in METHODS.items() if kind.ranks_only]

RESAMPLED = [name for name, kind in METHODS.items() if kind.resamples and name != "regional"]


def ask(study, method, **kwargs):
    if method == "regional":
        kwargs.setdefault("fpr_range", (0.05, 0.9))
    return study.roc_band(method, n_resamples=200, rng=1, **kwargs)


# docs/methods/bands.md, "Worked Working-Hotelling band": working-hotelling of the CT ratings at two
# rates
def test_printed_working_hotelling_band(ct):
    band = ct.roc_band("working-hotelling", at=[0.1, 0.3])
    printed = [[0.5738707, 0.7712692, 0.9031702], [0.7534069, 0.9002336, 0.9699812]]
    np.testing.assert_allclose(band[["tpr_low", "tpr", "tpr_high"]], printed, atol=1e-7)
    assert set(band["scope"]) == {"simultaneous"}
    assert set(band["method"]) == {"working-hotelling"}


# docs/methods/bands.md, "Worked joint bands"
def test_printed_joint_band(d1):
    band = d1.roc_band("joint", at=[0.5])
    assert band.loc[0, "tpr_low"] == pytest.approx(0.0062382402, abs=1e-10)
    assert band.loc[0, "tpr_high"] == 1


@pytest.mark.parametrize("method", METHODS)
def test_bands_lie_around_the_curve_within_the_square(method, ct):
    band = ask(ct, method)
    assert (band["tpr_low"] <= band["tpr"] + 1e-12).all()
    assert (band["tpr"] <= band["tpr_high"] + 1e-12).all()
    assert (band["tpr_low"] >= 0).all()
    assert (band["tpr_high"] <= 1).all()
    inside = band[(band["fpr"] > 0.02) & (band["fpr"] < 0.98)]
    assert (inside["tpr_high"] > inside["tpr_low"]).all()
    assert len(band) == (171 if method == "regional" else 201)


@pytest.mark.parametrize("method", RANK_METHODS)
def test_increasing_transforms_change_no_band_of_ranks(method, rng):
    y = np.repeat([1, 0], [20, 25])
    score = (rng.normal(size=45) + y).round(1)
    plain = ask(rs.Study(y, score), method)
    moved = ask(rs.Study(y, np.exp(2 * score) - 7), method)
    assert plain.equals(moved)
    turned = ask(rs.Study(y, -score, higher_is_positive=False), method)
    assert plain.equals(turned)


@pytest.mark.parametrize("method", ["joint", "joint-exact"])
def test_swapping_the_classes_reflects_a_joint_band(method, rng):
    y = np.repeat([1, 0], [12, 17])
    score = (rng.normal(size=29) + y).round(1)
    at = np.linspace(0.013, 0.987, 60)
    band, swapped = (ask(s, method, at=at) for s in (rs.Study(y, score), rs.Study(1 - y, -score)))
    low, high = band["tpr_low"].to_numpy(), band["tpr_high"].to_numpy()
    # (f, t) is inside iff (1 - t, 1 - f) is inside the band of the swapped classes
    inside = (low[:, None] < at - 1e-9) & (at + 1e-9 < high[:, None])
    low, high = swapped["tpr_low"].to_numpy(), swapped["tpr_high"].to_numpy()
    outside = (at < low[:, None] - 1e-9) | (at > high[:, None] + 1e-9)
    assert not np.any(inside & outside[::-1, ::-1].T)


def test_swapping_the_classes_reflects_the_fixed_width_band_in_law(rng):
    """Its geometry reflects exactly (tests of the rotation); its half-width is drawn anew."""
    y = np.repeat([1, 0], [30, 50])
    score = rng.normal(size=80) + y
    middle = [
        study.roc_band(at=[0.2], n_resamples=4000, rng=1).eval("tpr_high - tpr_low").iloc[0]
        for study in (rs.Study(y, score), rs.Study(1 - y, -score))
    ]
    widths = [
        study.roc_band(n_resamples=4000, rng=2).eval("tpr_high - tpr_low").mean()
        for study in (rs.Study(y, score), rs.Study(1 - y, -score))
    ]
    assert middle[0] > 0.1
    assert widths[0] == pytest.approx(widths[1], rel=0.03)


@pytest.mark.parametrize("method", METHODS)
def test_width_grows_with_the_level_and_the_seed_repeats_a_frame(method, ct):
    wide, narrow = (
        ask(ct, method, confidence_level=level).eval("tpr_high - tpr_low").mean()
        for level in (0.99, 0.8)
    )
    assert wide > narrow
    first, again = ask(ct, method), ask(ct, method)
    assert first.equals(again)
    resampled = METHODS[method].resamples
    assert first.attrs["rocstats"]["seed"] == (1 if resampled else None)
    assert first.attrs["rocstats"]["n_resamples"] == (200 if resampled else None)


@pytest.mark.parametrize("method", METHODS)
def test_frequencies_are_replicated_rows(method, ct):
    rows = rs.load_ct_ratings()
    study = rs.Study(
        np.repeat(rows["abnormal"].to_numpy(), rows["n"]),
        np.repeat(rows["rating"].to_numpy(float), rows["n"]),
    )
    # The engine goes by the ties of the count table, which is the same for both.
    counted, single = (ask(s, method, at=[0.1, 0.3, 0.6]) for s in (ct, study))
    for column in ("tpr_low", "tpr", "tpr_high"):
        np.testing.assert_allclose(counted[column], single[column], rtol=0, atol=1e-9)


def test_bands_without_a_guarantee_warn_of_classes_under_20(rng):
    for n_pos, n_neg, few in ((19, 30, True), (30, 19, True), (20, 20, False)):
        y = np.repeat([1, 0], [n_pos, n_neg])
        score = rng.normal(size=len(y)) + y
        for method in (
            "fixed-width",
            "smoothed-score",
            "working-hotelling",
            "joint",
            "joint-exact",
        ):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always", rs.StatisticalWarning)
                rs.Study(y, score).roc_band(method, n_resamples=100, rng=1)
            found = [str(one.message).partition(":")[0] for one in told]
            expected = few and not method.startswith("joint")
            assert found == (["few-cases-for-band"] if expected else []), method


def test_a_future_curve_needs_a_wider_band(d1, rng):
    y = np.repeat([1, 0], 60)
    study = rs.Study(y, rng.normal(size=120) + y)
    true, alike, large = (study.roc_band(future=future, rng=3) for future in (None, 1.0, 1e9))
    assert set(true["scope"]) == {"simultaneous"}
    assert set(alike["scope"]) == {"future"}
    np.testing.assert_allclose(large["tpr_low"], true["tpr_low"], atol=1e-6)
    middle = true["fpr"] == 0.5
    assert (alike.loc[middle, "tpr_low"] < true.loc[middle, "tpr_low"]).all()


@pytest.mark.parametrize("method", RESAMPLED)
@pytest.mark.parametrize("score", [[5.0, 6, 7, 8, 1, 2, 3], [1.0] * 7])
def test_resamples_that_do_not_vary_lead_to_the_joint_band(method, score):
    study = rs.Study([1, 1, 1, 1, 0, 0, 0], score)
    if method == "pointwise":
        band = ask(study, method, at=[0.1, 0.3, 0.6, 0.9])
        assert set(band["method"]) == {"pointwise"}
    else:
        with pytest.warns(rs.StatisticalWarning, match="joint-band"):
            band = ask(study, method, at=[0.1, 0.3, 0.6, 0.9])
        assert set(band["method"]) == {f"{method}/joint"}
    assert (band["tpr_high"] - band["tpr_low"] > 0.1).all()


@pytest.mark.parametrize(
    "method", ["working-hotelling", "working-hotelling-normal", "ellipse", "regional"]
)
def test_a_fit_without_a_maximum_leads_to_the_joint_band(method):
    study = rs.Study([1, 1, 1, 0, 0, 0], [1.0] * 6)
    with pytest.warns(rs.StatisticalWarning, match="joint-band"):
        band = ask(study, method, at=[0.1, 0.3, 0.6, 0.9])
    assert set(band["method"]) == {f"{method}/joint"}


def test_groups_have_their_own_bands_and_one_without_a_class_none(patients):
    patients = patients.assign(site=["x"] * 5 + ["y"] * 6 + ["z"])
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        band = ask(study, "fixed-width", at=[0.2, 0.5])
    assert list(dict.fromkeys(zip(band["group"], band["predictor"], strict=True))) == [
        ("x", "a"), ("x", "b"), ("y", "a"), ("y", "b"),
    ]  # fmt: skip


def test_folds_are_pooled_and_said_to_be(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", fold="part")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        ask(study, "joint", at=[0.5])


def test_bands_of_a_predictor_do_not_depend_on_the_others(d1):
    both = rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2})
    alone = rs.Study(examples.Y, {"d1": examples.D1})
    for method in ("fixed-width", "smoothed-score", "bootstrap"):
        found = ask(both, method)
        first = found[found["predictor"] == "d1"].reset_index(drop=True)
        assert first.equals(ask(alone, method))


def test_clusters_widen_the_band_of_alike_members(rng):
    truth = np.repeat([1, 0], 20)
    score = rng.normal(size=40) + truth
    # every case five times: the clustered band is that of 40 cases, the other one of 200
    y, s, cluster = (np.repeat(v, 5) for v in (truth, score, np.arange(40)))
    for method in ("fixed-width", "smoothed-score", "bootstrap", "pointwise"):
        wide = ask(rs.Study(y, s, cluster=cluster), method)
        narrow = ask(rs.Study(y, s), method)
        width = [frame.eval("tpr_high - tpr_low").mean() for frame in (wide, narrow)]
        assert width[0] > 1.4 * width[1], method


@each(
    ("roles", "arguments", "message"),
    [
        ({"sample_weight": np.arange(1.0, 19)}, {}, "`sample_weight` must not be in a study"),
        ({"cluster": np.arange(18)}, {"method": "joint"}, "`method` must be one of fixed-width, "),
        ({}, {"method": "campbell"}, "`method` must be one of 'fixed-width'"),
        ({}, {"method": "regional"}, '`fpr_range` must be given with method="regional"'),
        ({}, {"fpr_range": (0.1, 0.2)}, '`fpr_range` must be given with method="regional"'),
        (
            {},
            {"method": "regional", "fpr_range": (0, 0.2)},
            r"`fpr_range` must lie strictly inside \(0, 1\)",
        ),
        (
            {},
            {"method": "regional", "fpr_range": (0.3, 0.2)},
            "`fpr_range` must be two rates, 0 <= low < high <= 1",
        ),
        ({}, {"at": [0.5, 0.2]}, r"`at` must be increasing false positive rates in \[0, 1\]"),
        ({}, {"at": [0.5, np.nan]}, "`at` must be increasing false positive rates"),
        ({}, {"at": []}, "`at` must be increasing false positive rates"),
        ({}, {"at": [-0.1]}, "`at` must be increasing false positive rates"),
        (
            {},
            {"method": "regional", "fpr_range": (0.1, 0.2), "at": [0.5]},
            r"`at` must be increasing false positive rates in \[0.1, 0.2\]",
        ),
        ({}, {"method": "joint", "future": 1}, "`future` must stay None except with method="),
        ({}, {"future": 0}, "`future` must be a number > 0; got 0"),
        ({}, {"future": "much"}, "`future` must be a number > 0; got 'much'"),
        ({}, {"confidence_level": 95}, "`confidence_level` must be a number strictly between"),
        ({}, {"n_resamples": 10}, "`n_resamples` must be a whole number >= 100"),
        ({}, {"rng": -1}, "`rng` must be None"),
    ],
)
def test_messages(roles, arguments, message):
    study = rs.Study(examples.Y, examples.D1, **roles)
    with pytest.raises(rs.InputError, match=message):
        study.roc_band(**arguments)


def test_normal_laws_refuse_infinite_scores():
    study = rs.Study(examples.Y, np.where(examples.D1 > 0.9, np.inf, examples.D1))
    for method in ("working-hotelling-normal", "ellipse"):
        with pytest.raises(rs.InputError, match="must use ranks if scores are inf"):
            study.roc_band(method)
    assert np.isfinite(study.roc_band("working-hotelling")["tpr_low"]).all()


def test_clusters_that_do_not_vary_have_no_band():
    study = rs.Study([1, 1, 0, 0], [3.0, 4, 1, 2], cluster=[0, 1, 2, 3])
    with pytest.raises(rs.InputError, match="which has none"):
        study.roc_band()


def test_note_says_where_blocks_were_resampled(rng):
    y = rng.integers(0, 2, 42_000)
    score = y + rng.normal(size=len(y))
    many, few = (rs.Study(y[:n], score[:n]).roc_band(n_resamples=100, rng=1) for n in (42_000, 500))
    assert set(many["note"]) == {"blocked-resamples"}
    assert set(few["note"]) == {""}
    joint = rs.Study(y, score).roc_band("joint")
    assert set(joint["note"]) == {""}
    assert ((many["tpr_low"] <= many["tpr"]) & (many["tpr"] <= many["tpr_high"])).all()


def test_note_has_the_caveats_of_its_band(rng):
    y = np.repeat([1, 0], 12)
    score = np.column_stack([y, rng.normal(size=24)])
    with pytest.warns(rs.StatisticalWarning):
        band = rs.Study(y, score).roc_band(n_resamples=100, rng=1)
    notes = band.groupby("method")["note"].unique().str[0].to_dict()
    assert notes["fixed-width"] == "few-cases-for-band"
    assert notes["fixed-width/joint"] == "few-cases-for-band; joint-band"


AT = np.array([0.1, 0.3, 0.6])


def ask_difference(study, **kwargs):
    return study.roc_difference_band(**{"at": AT, "n_resamples": 300, "rng": 1, **kwargs})


def curve_at(y, score, fpr):
    points = oracles.algorithm_1(y, score)
    return tpr_at(points[:, 1] / points[-1, 1], points[:, 2] / points[-1, 2], fpr)


def test_estimate_is_the_difference_of_the_curves(pair):
    band = ask_difference(pair)
    expected = curve_at(examples.Y, examples.D1, AT) - curve_at(examples.Y, examples.D2, AT)
    np.testing.assert_allclose(band["estimate"], expected, atol=1e-12)
    assert set(band["scope"]) == {"simultaneous"}
    assert (band["ci_low"] < band["estimate"]).all()
    assert (band["estimate"] < band["ci_high"]).all()


def test_limits_by_hand():
    # sd of the draws: .1 at the first rate, 0 at the second, where the floor .2 stands in
    draws = np.array([[0.1, 0.5], [0.3, 0.5], [0.1, 0.5], [0.3, 0.5]])
    inside = np.array([True, True, False])
    low, high = difference_band_limits(
        np.array([0.2, 0.5, 0.9]),
        np.column_stack([draws, np.zeros(4)]),
        np.array([0.05, 0.2, 0.1]),
        inside,
        0.5,
    )
    # all distances are .1/.1 = 1, more than the normal quantile .674: q = 1
    np.testing.assert_allclose(low, [0.1, 0.3, -1])
    np.testing.assert_allclose(high, [0.3, 0.7, 1])


def test_draws_that_do_not_vary_take_the_normal_quantile():
    low, high = difference_band_limits(
        np.zeros(1), np.zeros((9, 1)), np.array([0.1]), np.array([True]), 0.95
    )
    np.testing.assert_allclose([low[0], high[0]], [-0.1959964, 0.1959964], atol=1e-7)


def test_floor_is_that_of_paired_proportions(pair):
    """Positives called by one predictor alone at the thresholds of an FPR, counted plainly."""
    for g, t in enumerate(AT):
        called = []
        for score in (examples.D1, examples.D2):
            neg = score[examples.Y == 0]
            least = min(c for c in np.unique(score) if np.mean(neg >= c) <= t + 1e-12)
            called.append(score[examples.Y == 1] >= least)
        b, c = np.sum(called[0] & ~called[1]), np.sum(called[1] & ~called[0])
        p1, p2 = (b + 1) / 10, (c + 1) / 10
        expected = np.sqrt((p1 + p2 - (p1 - p2) ** 2) / 10)
        floor = discordance_floor(pair.cases, (0, 1), AT)
        assert floor[g] == pytest.approx(expected, abs=1e-12)


def test_ends_say_nothing():
    np.testing.assert_array_equal(
        resolved_fpr(np.array([0, 0.05, 0.1, 0.9, 0.95, 1]), 10), [0, 0, 1, 1, 0, 0]
    )


def test_swapping_the_predictors_mirrors_the_band(pair):
    turned = rs.Study(examples.Y, {"d2": examples.D2, "d1": examples.D1})
    one, other = ask_difference(pair), ask_difference(turned)
    np.testing.assert_allclose(one["ci_low"], -other["ci_high"], atol=1e-12)
    np.testing.assert_allclose(one["ci_high"], -other["ci_low"], atol=1e-12)


def test_bands_depend_on_ranks_only(pair):
    moved = rs.Study(examples.Y, {"d1": np.exp(examples.D1), "d2": examples.D2**3})
    assert ask_difference(pair).equals(ask_difference(moved))


def test_alike_predictors_have_no_limits():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": 2 * examples.D1})
    with pytest.warns(rs.StatisticalWarning, match="identical-predictors"):
        band = ask_difference(study)
    assert (band["estimate"] == 0).all()
    assert band[["ci_low", "ci_high"]].isna().all(axis=None)


def test_perfect_predictors_have_a_band_with_a_width(perfect_pair):
    band = ask_difference(perfect_pair)
    assert (band["ci_high"] - band["ci_low"] > 0.1).all()
    assert (band["note"] == "few-cases-for-band").all()


def test_region_that_excludes_zero(rng):
    y = np.repeat([1, 0], 150)
    study = rs.Study(y, {"good": 2 * y + rng.normal(size=300), "poor": rng.normal(size=300)})
    band = study.roc_difference_band(rng=1, n_resamples=500)
    differs = (band["ci_low"] > 0) | (band["ci_high"] < 0)
    assert differs.any()
    assert not differs.all()
    assert (band["note"] == np.where(differs, "excludes-zero", "")).all()


def test_clusters_widen_the_band_of_a_difference(five_copies):
    y, fives, cluster = five_copies
    with pytest.warns(rs.StatisticalWarning, match="few-clusters"):
        wide = ask_difference(rs.Study(y, fives, cluster=cluster))
    narrow = ask_difference(rs.Study(y, fives))
    assert (wide.eval("ci_high - ci_low") > 1.4 * narrow.eval("ci_high - ci_low")).all()


def test_groups_and_folds(patients):
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", group="site")
    assert ask_difference(study)["group"].tolist() == ["x"] * 3 + ["y"] * 3
    study = rs.Study("outcome", ["a", "b"], data=patients, pos_label="Poor", fold="part")
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        ask_difference(study)


@pytest.mark.parametrize(
    ("roles", "arguments", "message"),
    [
        ({"sample_weight": np.arange(1.0, 19)}, {}, "`sample_weight` must not be in a study"),
        ({}, {"reference": "d9"}, "`reference` must be one of 'd1', 'd2'"),
        ({}, {"at": [0.5, 0.2]}, r"`at` must be increasing false positive rates in \[0, 1\]"),
        ({}, {"n_resamples": 3}, "`n_resamples` must be a whole number"),
        ({}, {"confidence_level": 1}, "`confidence_level` must be a number strictly"),
    ],
)
def test_messages_of_differences(roles, arguments, message):
    study = rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2}, **roles)
    with pytest.raises(rs.InputError, match=message):
        ask_difference(study, **arguments)


def test_one_predictor_is_refused():
    with pytest.raises(rs.InputError, match="`y_score` must have two or more predictors"):
        ask_difference(rs.Study(examples.Y, examples.D1))


def test_a_class_under_20_is_noted(rng):
    for n, few in ((19, True), (20, False)):
        y = np.repeat([1, 0], [n, 30])
        scores = {name: rng.normal(size=n + 30) + y for name in "ab"}
        notes = rs.Study(y, scores).roc_difference_band(n_resamples=100, rng=1)["note"]
        assert (notes.str.contains("few-cases-for-band") == few).all()
