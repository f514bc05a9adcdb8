"""The question about bands: printed numbers, invariances, roles, doubts and messages."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.bands import BANDS
from tests import examples
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wide = ask(rs.Study(y, s, cluster=cluster), method)
            narrow = ask(rs.Study(y, s), method)
        width = [frame.eval("tpr_high - tpr_low").mean() for frame in (wide, narrow)]
        assert width[0] > 1.4 * width[1], method


@each(
    ("roles", "arguments", "message"),
    [
        ({"sample_weight": np.arange(1.0, 19)}, {}, "`sample_weight` must not be given"),
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
        ({}, {"method": "joint", "future": 1}, "`future` must stay None but for method="),
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
        with pytest.raises(rs.InputError, match="must be one that uses ranks when scores are inf"):
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
