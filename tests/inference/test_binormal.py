from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocstats as rs
from tests import examples
from tests.quick import each
from tests.strategies import samples

QUANTITIES = ["a", "b", "auc", "d_a", "delta_m", "d_e"]
PARTIAL = ["partial_auc", "partial_auc_standardized", "mean_tpr"]
NUMBERS = ["estimate", "se", "ci_low", "ci_high"]


def numbers_of(frame):
    return frame.set_index("quantity")[NUMBERS]


def assert_same(first, second, rtol=1e-7):
    np.testing.assert_allclose(first[NUMBERS], second[NUMBERS], rtol=rtol, atol=1e-9)


# docs/methods/binormal.md, "Worked fit of CT"
def test_printed_example_of_the_ct_ratings(ct):
    frame = ct.binormal(fpr_range=(0, 0.2))
    found = numbers_of(frame)
    assert frame["quantity"].tolist() == QUANTITIES + PARTIAL
    estimates = [1.6567822, 0.7130022, 0.9113311, 1.9077707, 2.3236706, 1.9343609]
    assert found.loc[QUANTITIES, "estimate"].tolist() == pytest.approx(estimates, abs=5e-8)
    assert found.loc[["a", "b", "auc"], "se"].tolist() == pytest.approx(
        [0.3104559, 0.2158819, 0.0295058], abs=5e-8
    )
    limits = found.loc["auc", ["ci_low", "ci_high"]].tolist()
    assert limits == pytest.approx([0.8386464, 0.9562824], abs=5e-8)
    assert found.loc["partial_auc", "estimate"] == pytest.approx(0.1471337203, abs=5e-11)
    assert found.loc["partial_auc", "se"] == pytest.approx(0.0148590558, abs=5e-11)
    assert set(frame["note"]) == {""}
    assert set(frame["method"]) == {
        "maximum-likelihood/wald",
        "maximum-likelihood/log",
        "maximum-likelihood/probit",
    }
    assert (frame["n_pos"].iloc[0], frame["n_neg"].iloc[0]) == (51, 58)


# docs/methods/binormal.md, "Worked fit of CT" and "Worked fit of D1"
def test_printed_expected_information(ct, d1):
    found = numbers_of(ct.binormal(information="expected"))["se"]
    assert found[["a", "b", "auc"]].tolist() == pytest.approx(
        [0.3121214, 0.2162128, 0.0296001], abs=5e-8
    )
    frame = d1.binormal(information="expected")
    found = numbers_of(frame)
    assert found.loc[["a", "b", "auc"], "estimate"].tolist() == pytest.approx(
        [1.6827837, 1.0723472, 0.8744472], abs=5e-8
    )
    assert found.loc[["a", "b"], "se"].tolist() == pytest.approx([0.795682, 0.640966], abs=5e-7)
    assert found.loc["auc", "se"] == pytest.approx(0.0826440, abs=5e-8)
    assert frame["method"][0] == "maximum-likelihood-expected/wald"
    assert set(frame["note"]) == {"few-cases"}


# docs/methods/binormal.md, "Worked fit of D1"
def test_printed_normal_theory(d1):
    frame = d1.binormal(method="normal-theory")
    found = numbers_of(frame)
    assert found.loc[["a", "b", "auc"], "estimate"].tolist() == pytest.approx(
        [1.7805035, 1.2230237, 0.8701371], abs=5e-8
    )
    assert found.loc["auc", "se"] == pytest.approx(0.0806545, abs=5e-8)
    assert frame["method"][2] == "normal-theory/probit"


def test_intervals_are_those_of_their_scales(ct):
    z = norm.ppf(0.95)
    found = numbers_of(ct.binormal(fpr_range=(0.1, 0.3), confidence_level=0.9))
    for quantity, row in found.iterrows():
        value, se = row["estimate"], row["se"]
        if quantity in ("auc", "mean_tpr"):
            q = norm.ppf(value)
            expected = norm.cdf(q + np.array([-z, z]) * se / norm.pdf(q))
        elif quantity == "b":
            expected = value * np.exp(np.array([-z, z]) * se / value)
        elif quantity in PARTIAL:
            continue
        else:
            expected = value + np.array([-z, z]) * se
        assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(expected, rel=1e-12), quantity
    # d_a is the probit of the area times the root of 2: its limits too
    limits = norm.ppf(found.loc["auc", ["ci_low", "ci_high"]].astype(float)) * np.sqrt(2)
    assert found.loc["d_a", ["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-9)


def test_partial_areas_are_one_number_on_three_scales(ct):
    found = numbers_of(ct.binormal(fpr_range=(0.1, 0.3)))
    places = ["estimate", "ci_low", "ci_high"]
    mean = found.loc["mean_tpr", places].to_numpy()
    assert found.loc["partial_auc", places].to_numpy() == pytest.approx(0.2 * mean)
    # McClish: the diagonal leaves .04 of the .2
    expected = (1 + (0.2 * mean - 0.04) / (0.2 - 0.04)) / 2
    assert found.loc["partial_auc_standardized", places].to_numpy() == pytest.approx(expected)
    whole = ct.binormal(fpr_range=(0, 1))
    assert whole["range_axis"].tolist() == ["", "", "fpr", "", "", ""] + ["fpr"] * 3
    full, part = whole.iloc[2], whole.iloc[6]
    assert part[NUMBERS].tolist() == pytest.approx(full[NUMBERS].tolist(), rel=1e-12)


@given(samples(least=4, most=20), st.sampled_from([None, 6]))
def test_only_ranks_matter(data, n_bins):
    y, (score,) = data
    first, second = (rs.Study(y, s).binormal(n_bins=n_bins) for s in (score, np.exp(score / 3) - 7))
    assert_same(first, second, rtol=0)
    assert first["note"].tolist() == second["note"].tolist()
    falling = rs.Study(y, -score, higher_is_positive=False).binormal(n_bins=n_bins)
    assert_same(first, falling, rtol=0)


@given(samples(least=4, most=20))
def test_exchanged_classes_mirror_the_curve(data):
    y, (score,) = data
    first = numbers_of(rs.Study(y, score).binormal())
    second = numbers_of(rs.Study(1 - y, -score).binormal())
    np.testing.assert_allclose(second.loc["auc"], first.loc["auc"], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        second.loc["a", "estimate"],
        first.loc["a", "estimate"] / first.loc["b", "estimate"],
        rtol=1e-6,
        atol=1e-7,
    )
    np.testing.assert_allclose(
        second.loc["b", ["ci_low", "ci_high"]].astype(float),
        1 / first.loc["b", ["ci_high", "ci_low"]].astype(float),
        rtol=1e-6,
    )


def test_a_group_that_lacks_a_class():
    y, score = [1, 0, 1, 0, 1, 0, 1, 0, 1], [3, 1, 2, 2, 5, 3, 1, 4, 2]
    study, again = (rs.Study(y, score, group=["u"] * 8 + ["v"]) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.binormal()
    assert frame.loc[frame["group"] == "v", "note"].tolist() == ["one-class"] * 6
    assert frame.loc[frame["group"] == "v", NUMBERS].isna().all(axis=None)
    assert frame.loc[frame["group"] == "u", "estimate"].notna().all()
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        assert set(again.binormal_curve()["group"]) == {"u"}


def test_folds_are_pooled_with_a_note(d1):
    folded, again = (rs.Study(examples.Y, examples.D1, fold=np.arange(18) % 2) for _ in range(2))
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        frame = folded.binormal()
    assert_same(frame, d1.binormal(), rtol=0)
    assert set(frame["note"]) == {"pooled-folds; few-cases"}
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        assert again.binormal_curve()["tpr"].equals(d1.binormal_curve()["tpr"])


@pytest.mark.parametrize("method", ["maximum-likelihood", "normal-theory"])
def test_clusters_enter_the_covariance_alone(method, rng):
    y = np.tile([1, 0], 60)
    cluster = np.arange(120) // 6
    score = rng.normal(size=20)[cluster] * (2 * y - 1) + rng.normal(size=120) + y
    clustered = rs.Study(y, score, cluster=cluster).binormal(method=method)
    plain = rs.Study(y, score).binormal(method=method)
    assert clustered["estimate"].equals(plain["estimate"])
    assert (clustered["se"][[0, 2]] > 1.5 * plain["se"][[0, 2]]).all()
    assert clustered["method"][0] == f"{method}-clustered/wald"
    assert set(clustered["note"]) == {"few-clusters"}
    singles = rs.Study(y, score, cluster=np.arange(120)).binormal(method=method)
    assert_same(singles, plain, rtol=1e-12)


def test_a_clustered_covariance_that_is_not_positive(rng):
    y = np.tile([1, 0], 30)
    study = rs.Study(y, rng.normal(size=60) + y, cluster=np.zeros(60))
    with pytest.warns(rs.StatisticalWarning, match="negative-variance"):
        frame = study.binormal()
    with warnings.catch_warnings():  # the curve needs no covariance
        warnings.simplefilter("error")
        assert len(study.binormal_curve()) > 100
    assert frame["estimate"].notna().all()
    assert frame[["se", "ci_low", "ci_high"]].isna().all(axis=None)
    assert set(frame["method"]) == {"none/none"}
    assert set(frame["note"]) == {"negative-variance; few-clusters"}


@pytest.mark.parametrize(
    ("y", "score"),
    [
        ([1] * 5 + [0] * 5, np.arange(10)[::-1]),
        ([1, 0, 0, 0], [2.5, 1, 2, 3]),
        ([1, 0] * 5, [1] * 10),
        ([1, 1, 0, 0], [2, 1, 2, 1]),
    ],
    ids=["perfect", "single", "tied", "two-categories"],
)
def test_nothing_to_fit(y, score):
    study = rs.Study(y, score)
    with pytest.warns(rs.StatisticalWarning, match="not-converged"):
        frame = study.binormal(fpr_range=(0, 0.1))
    assert frame[NUMBERS].isna().all(axis=None)
    assert set(frame["note"]) == {"not-converged; few-cases"}
    assert set(frame["method"]) == {"none/none"}
    with pytest.warns(rs.StatisticalWarning, match="not-converged"):
        assert len(rs.Study(y, score).binormal_curve()) == 0


def test_classes_so_far_apart_that_the_area_rounds_to_one():
    score = np.concatenate([np.arange(20) + 1000, np.arange(20)])
    study = rs.Study([1] * 20 + [0] * 20, score)
    with pytest.warns(rs.StatisticalWarning, match="auc-at-boundary"):
        frame = study.binormal(method="normal-theory", fpr_range=(0, 0.1))
    found = frame.set_index("quantity")
    newcombe = study.auc(interval="newcombe").iloc[0]
    assert found.loc["auc", ["ci_low", "ci_high"]].tolist() == pytest.approx(
        newcombe[["ci_low", "ci_high"]].tolist()
    )
    assert found.loc["mean_tpr", "ci_low"] < found.loc["mean_tpr", "ci_high"] == 1
    assert (
        found["note"].tolist() == ["", "", "auc-at-boundary", "", "", ""] + ["auc-at-boundary"] * 3
    )


def test_bins_are_noted_and_change_little(rng):
    y = np.repeat([1, 0], 300)
    study = rs.Study(y, rng.normal(size=600) + 1.2 * y)
    whole, binned = study.binormal(), study.binormal(n_bins=np.int64(20))
    assert set(binned["note"]) == {"binned=20"}
    distance = (whole["estimate"] - binned["estimate"]).abs()
    assert (distance < 0.5 * whole["se"]).all()
    assert binned["estimate"][0] != whole["estimate"][0]


def test_dropped_rows_are_told():
    score = np.append(examples.D1, np.nan)
    frame = rs.Study(np.append(examples.Y, 1), score, nan_policy="omit").binormal()
    assert set(frame["note"]) == {"few-cases; rows-dropped=1"}


def test_infinite_scores_have_ranks(d1):
    score = np.where(examples.D1.max() == examples.D1, np.inf, examples.D1)
    assert_same(rs.Study(examples.Y, score).binormal(), d1.binormal(), rtol=0)


def test_width_grows_with_the_level(d1):
    narrow, wide = (d1.binormal(confidence_level=level) for level in (0.8, 0.99))
    assert (wide["ci_low"] < narrow["ci_low"]).all()
    assert (wide["ci_high"] > narrow["ci_high"]).all()


# docs/methods/bands.md, "Worked Working-Hotelling band"
def test_printed_points_of_the_ct_curve(ct):
    curve = ct.binormal_curve(fpr=[0.1, 0.3])
    assert curve["tpr"].tolist() == pytest.approx([0.7712692, 0.9002336], abs=5e-8)
    assert set(curve["method"]) == {"maximum-likelihood"}


def test_the_default_grid_has_no_large_steps():
    y = np.repeat([1, 0], 40)
    score = np.concatenate([np.linspace(-1, 6, 40), np.linspace(-1.3, 1.3, 40)])
    curve = rs.Study(y, score).binormal_curve()
    for axis in ("fpr", "tpr"):
        assert curve[axis].iloc[[0, -1]].tolist() == [0, 1]
        assert 0 < curve[axis].diff().max() <= 0.01 + 1e-12
    assert (curve["fpr"].diff().iloc[1:] > 0).all()
    assert len(curve) <= 201


def test_curves_of_several_predictors_are_drawn(three):

    fit = three.binormal_curve()
    ax = rs.plot_roc(three.roc_curve(), fit=fit)
    drawn = ax.lines[-3:]
    for line, (name, piece) in zip(drawn, fit.groupby("predictor", sort=False), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), piece["fpr"], err_msg=name)
        np.testing.assert_array_equal(line.get_ydata(), piece["tpr"], err_msg=name)


MESSAGES = [
    ({"information": "sandwich"}, "`information` must be one of"),
    ({"confidence_level": 95}, "`confidence_level` must be a number strictly between 0 and 1"),
    ({"fpr_range": (0.2, 0.1)}, "`fpr_range` must be two rates, 0 <= low < high <= 1"),
    ({"n_bins": 2}, "`n_bins` must be a whole number >= 3"),
    ({"n_bins": True}, "`n_bins` must be a whole number >= 3"),
    ({"n_bins": 20.5}, "`n_bins` must be a whole number >= 3"),
    ({"method": "normal-theory", "n_bins": 20}, "`n_bins` must stay None with the method"),
    (
        {"method": "normal-theory", "information": "expected"},
        "`information` must stay None with the method 'normal-theory'",
    ),
]


@each(("arguments", "message"), MESSAGES)
def test_message(d1, arguments, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        d1.binormal(**arguments)


@pytest.mark.parametrize("fpr", [[0.1, 1.2], [-0.1], [np.nan], "some", [[0.1, 0.2]]])
def test_message_of_rates(d1, fpr):
    with pytest.raises(rs.InputError, match=r"^`fpr` must be rates in \[0, 1\]"):
        d1.binormal_curve(fpr=fpr)


@pytest.mark.parametrize("question", ["binormal", "binormal_curve"])
def test_infinite_scores_are_not_normal(question):
    score = np.where(examples.D1 > 0.8, np.inf, examples.D1)
    message = "^`method` must not be 'normal-theory' with infinite scores; got 3 in 'score'"
    with pytest.raises(rs.InputError, match=message):
        getattr(rs.Study(examples.Y, score), question)(method="normal-theory")


def test_an_information_singular_but_for_rounding_is_no_fit():
    # a and b grow without end: the determinant is rounding, above 0 or below by the processor.
    pos = [0, 0, 0, 10000, 0, 0, 0, 2, 1]
    neg = [5, 2, 10004, 3, 10005, 3, 10016, 7, 6]
    ratings = np.tile(np.arange(9.0), 2)
    frame = rs.Study(np.repeat([1, 0], 9), ratings, frequency=np.array(pos + neg)).binormal()
    assert frame[["estimate", "ci_low", "ci_high"]].isna().all(axis=None)
    assert frame["note"].str.contains("not-converged").all()
