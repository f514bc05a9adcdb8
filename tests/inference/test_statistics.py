"""Study.bootstrap: any statistic, or the paired difference of two predictors."""

from __future__ import annotations

import functools
import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

import rocstats as rs
from rocstats.estimate.influence import area_acceleration
from rocstats.estimate.resample import ResamplePlan
from rocstats.estimate.resample_statistics import draw_statistic_values
from tests import examples
from tests.quick import each

SCORES = {"d1": examples.D1, "d2": examples.D2}
FEW = {"n_resamples": 200, "rng": 1}
LIMITS = ["ci_low", "ci_high"]


def area(y_true, y_score):
    """The area by its definition, over all pairs."""
    ahead = y_score[y_true][:, np.newaxis] - y_score[~y_true]
    return np.mean((ahead > 0) + (ahead == 0) / 2)


def brier(y_true, y_score):
    return np.mean((y_score - y_true) ** 2)


@pytest.fixture
def study():
    return rs.Study(examples.Y, SCORES)


def draws_of(study, statistic, n_resamples, seed):
    """The draws behind a frame, k x r."""
    plan = ResamplePlan(n_resamples, seed).at(0)

    def values(y_true, y_score):
        return np.array([statistic(y_true, y_score)])

    return draw_statistic_values(study.cases, values, plan).values[:, 0]


# What the frame holds


def test_a_row_is_a_value_of_a_predictor(study):
    frame = study.bootstrap(lambda y, s: {"auc": area(y, s), "brier": brier(y, s)}, **FEW)
    assert frame["predictor"].tolist() == ["d1", "d1", "d2", "d2"]
    assert frame["quantity"].tolist() == ["auc", "brier"] * 2
    assert (frame["reference"] == "").all()
    # docs/methods/index.md, "The worked data"
    assert frame["estimate"].tolist() == pytest.approx(
        [0.8625, brier(examples.Y, examples.D1), 0.825, brier(examples.Y, examples.D2)]
    )
    assert frame[["n_pos", "n_neg", "n_resamples"]].to_numpy().tolist() == [[8, 10, 200]] * 4
    assert (frame["method"] == "resamples/bca").all()
    assert frame.attrs["rocstats"]["seed"] == 1


def test_a_reference_gives_paired_differences(study):
    values = study.bootstrap(area, **FEW)
    first = study.bootstrap(area, reference="d2", **FEW)
    second = study.bootstrap(area, reference="d1", **FEW)
    assert first[["predictor", "reference"]].to_numpy().tolist() == [["d1", "d2"]]
    assert first["estimate"][0] == pytest.approx(values["estimate"][0] - values["estimate"][1])
    assert first["ci_low"][0] == -second["ci_high"][0]
    assert first["ci_high"][0] == -second["ci_low"][0]
    first, second = draws_of(study, area, 200, 1)
    assert study.bootstrap(area, reference="d2", **FEW)["se"][0] == pytest.approx(
        np.std(first - second, ddof=1)
    )


@pytest.mark.parametrize(
    ("statistic", "name"),
    [
        (area, "area"),
        (lambda y, s: area(y, s), "statistic"),
        (functools.partial(area), "statistic"),
    ],
)
def test_a_number_has_the_name_of_its_function(study, statistic, name):
    assert study.bootstrap(statistic, **FEW)["quantity"].tolist() == [name] * 2


def test_labels_are_boolean_and_scores_on_the_users_scale():
    seen = []

    def statistic(y_true, y_score):
        seen.append((y_true, y_score))
        return float(y_score[y_true].mean())

    rs.Study(["s", "h", "s", "h"], [1, 4, 2, 3], pos_label="s", higher_is_positive=False).bootstrap(
        statistic, n_resamples=100, rng=1
    )
    y_true, y_score = seen[0]
    assert y_true.tolist() == [True, False, True, False]
    assert y_score.tolist() == [1, 4, 2, 3]


def test_groups_have_rows_of_their_own():
    group = np.where(np.arange(18) % 2, "u", "v")
    y = np.where((group == "v") & (examples.Y == 1), 1, 0)
    frame = rs.Study(y, SCORES, group=group).bootstrap(area, reference="d1", **FEW)
    assert frame["group"].tolist() == ["v", "u"]
    assert frame["note"][1].startswith("one-class")
    assert frame.loc[1, ["estimate", "se", *LIMITS]].isna().all()
    assert frame["n_resamples"].tolist() == [200, 0]
    alone = rs.Study(y[group == "v"], examples.D2[group == "v"]).bootstrap(area, **FEW)
    whole = rs.Study(y[group == "v"], examples.D1[group == "v"]).bootstrap(area, **FEW)
    expected = alone["estimate"][0] - whole["estimate"][0]
    assert frame["estimate"][0] == pytest.approx(expected)


def test_folds_are_pooled_with_a_note():
    fold = np.arange(18) % 3
    pooled = rs.Study(examples.Y, SCORES, fold=fold).bootstrap(area, **FEW)
    plain = rs.Study(examples.Y, SCORES).bootstrap(area, **FEW)
    assert pooled["note"].str.contains("pooled-folds").all()
    pd.testing.assert_frame_equal(pooled.drop(columns="note"), plain.drop(columns="note"))


def test_a_seed_repeats_the_frame_and_predictors_do_not_disturb_each_other(study):
    first = study.bootstrap(area, n_resamples=200)
    seed = first.attrs["rocstats"]["seed"]
    assert first.equals(study.bootstrap(area, n_resamples=200, rng=seed))
    alone = rs.Study(examples.Y, {"d2": examples.D2}).bootstrap(area, n_resamples=200, rng=seed)
    shared = first[first["predictor"] == "d2"].reset_index(drop=True)
    pd.testing.assert_frame_equal(shared.copy(), alone.copy())


# Limits against other engines, closed forms and SciPy


@pytest.mark.parametrize(
    "roles",
    [{"cluster": examples.D1_CLUSTERS}, {"frequency": np.arange(18) % 3 + 1}],
    ids=["clusters", "frequencies"],
)
def test_percentiles_of_a_difference_are_those_of_compare_auc(roles):
    study = rs.Study(examples.Y, SCORES, **roles)
    asked = {"interval": "percentile", "n_resamples": 300, "rng": 3}
    found = study.bootstrap(area, reference="d2", **asked)
    expected = study.compare_auc(method="bootstrap", **asked)
    assert found[LIMITS].to_numpy() == pytest.approx(expected[LIMITS].to_numpy(), abs=1e-12)


def test_percentiles_of_an_area_agree_with_auc_in_law(study):
    n = 2000
    asked = {"interval": "percentile", "n_resamples": n, "rng": 2}
    found, expected = study.bootstrap(area, **asked), study.auc(**asked)
    for k in range(2):
        drawn = np.sort(draws_of(study, area, n, 2)[k])
        for limit, p in (("ci_low", 0.025), ("ci_high", 0.975)):
            # Ranks of a quantile in two sets of draws differ by a sum of two binomial errors.
            reach = 4 * np.sqrt(2 * p * (1 - p) / n)
            low, high = np.quantile(drawn, np.clip([p - reach, p + reach], 0, 1))
            assert low - 1e-12 <= expected[limit][k] <= high + 1e-12
            assert low - 1e-12 <= found[limit][k] <= high + 1e-12


def test_standard_errors_are_those_of_the_ideal_bootstrap(study):
    """docs/methods/areas.md, "The ideal bootstrap": the variances of D1 and of D1 - D2."""
    n = 2000
    asked = {"interval": "percentile", "n_resamples": n, "rng": 4}
    found = study.bootstrap(area, **asked)["se"][0]
    difference = study.bootstrap(area, reference="d2", **asked)["se"][0]
    # the error of a standard deviation is 1/sqrt(2 n) of it, for draws about as long-tailed as
    # the normal; twice that bounds the draws of few cases
    assert found**2 == pytest.approx(0.007046875, rel=4 * np.sqrt(4 / n))
    assert difference**2 == pytest.approx(0.007189453125, rel=4 * np.sqrt(4 / n))


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_bca_limits_by_the_printed_formula(study, level):
    row = study.bootstrap(area, n_resamples=999, rng=5, confidence_level=level).iloc[0]
    drawn = np.sort(draws_of(study, area, 999, 5)[0])
    z0 = ndtri((np.mean(drawn < 0.8625 - 1e-12) + np.mean(drawn <= 0.8625 + 1e-12)) / 2)
    a, z = area_acceleration(study.cases, 0), ndtri((1 + level) / 2)
    low, high = (ndtr(z0 + (z0 + q) / (1 - a * (z0 + q))) for q in (-z, z))
    assert row["ci_low"] == drawn[int(np.ceil(1000 * low)) - 1]
    assert row["ci_high"] == drawn[999 - int(np.ceil(1000 * (1 - high)))]


def test_bca_limits_are_those_of_scipy(rng):
    pos, neg = rng.gamma(1.0, size=25), rng.gamma(0.5, size=15)
    study = rs.Study(np.repeat([1, 0], [25, 15]), np.concatenate([pos, neg]))

    def ratio(y_true, y_score):
        return float(y_score[y_true].mean() / y_score[~y_true].mean())

    row = study.bootstrap(ratio, n_resamples=2000, rng=6).iloc[0]
    drawn = draws_of(study, ratio, 2000, 6)[0]
    expected = stats.bootstrap(
        (pos, neg),
        lambda x, y, axis: x.mean(axis=axis) / y.mean(axis=axis),
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=drawn),
        method="BCa",
    ).confidence_interval
    # SciPy interpolates between neighbouring draws.
    ordered = np.sort(drawn)
    for found, limit in ((row["ci_low"], expected.low), (row["ci_high"], expected.high)):
        near = np.searchsorted(ordered, limit)
        assert ordered[near - 2] <= found <= ordered[near + 1]


# Properties


@pytest.mark.parametrize("interval", ["bca", "percentile"])
@pytest.mark.parametrize("unit", [2.0**60, 2.0**-900])
def test_the_unit_of_a_statistic_changes_no_digit(study, interval, unit):
    numbers = ["estimate", "se", *LIMITS]
    found = study.bootstrap(lambda y, s: float(brier(y, s)) * unit, interval=interval, **FEW)
    expected = study.bootstrap(brier, interval=interval, **FEW)
    assert (found[numbers] / unit).to_numpy().tolist() == expected[numbers].to_numpy().tolist()


@pytest.mark.parametrize("interval", ["bca", "percentile"])
def test_limits_of_the_negated_statistic_are_negated(study, interval):
    found = study.bootstrap(lambda y, s: -area(y, s), interval=interval, **FEW)
    expected = study.bootstrap(area, interval=interval, **FEW)
    assert found["ci_low"].tolist() == (-expected["ci_high"]).tolist()
    assert found["ci_high"].tolist() == (-expected["ci_low"]).tolist()
    assert found["se"].tolist() == pytest.approx(expected["se"].tolist(), rel=1e-12)


def test_a_frequency_is_so_many_rows(ct):
    table = rs.load_ct_ratings()
    rows = rs.Study("abnormal", "rating", data=table.loc[table.index.repeat(table["n"])])
    found, expected = (one.bootstrap(area, rng=7).iloc[0] for one in (ct, rows))
    assert found["estimate"] == pytest.approx(expected["estimate"], rel=1e-15)
    # other draws of the same distribution: the error of both standard deviations
    assert found["se"] == pytest.approx(expected["se"], rel=4 / np.sqrt(2000))
    assert (found["n_pos"], found["n_neg"]) == (51, 58)


def test_width_grows_with_the_level(study):
    widths = [
        study.bootstrap(area, confidence_level=level, **FEW)[LIMITS].diff(axis=1)["ci_high"]
        for level in (0.5, 0.8, 0.95)
    ]
    assert (np.diff(widths, axis=0) > 0).all()


@pytest.mark.parametrize("level", [1e-6, 1 - 1e-12])
def test_limits_are_in_order_at_any_level(study, level):
    frame = study.bootstrap(area, confidence_level=level, **FEW)
    assert (frame["ci_low"] < frame["ci_high"]).all()


# Where resampling does not help


def note_of(frame):
    return frame["note"].str.split("; ").tolist()


@pytest.mark.parametrize("interval", ["bca", "percentile"])
def test_a_statistic_that_does_not_vary_has_no_limits(study, interval):
    frame = study.bootstrap(lambda y, s: len(s), interval=interval, **FEW)
    assert frame["estimate"].tolist() == [18, 18]
    assert frame[["se", *LIMITS]].isna().all(axis=None)
    assert all("no-resampled-spread" in note for note in note_of(frame))


def test_identical_predictors_have_no_limits_though_their_rounding_differs():
    study = rs.Study(examples.Y, {"a": examples.D1, "b": examples.D1 / 3})
    frame = study.bootstrap(lambda y, s: s.mean() / s[0] / 3, reference="b", **FEW)
    assert abs(frame["estimate"][0]) < 1e-12
    assert "no-resampled-spread" in note_of(frame)[0]


@pytest.mark.parametrize("roles", [{}, {"cluster": [1, 2, 3, 4, 5, 6]}], ids=["case", "cluster"])
def test_a_class_of_one_case_has_no_limits(roles):
    frame = rs.Study([1, 0, 0, 0, 0, 0], [3, 1, 5, 2, 2, 4], **roles).bootstrap(area, **FEW)
    assert frame["estimate"][0] == 0.6
    assert frame["ci_low"].isna().all()
    assert "no-resampled-spread" in note_of(frame)[0]


@pytest.mark.parametrize(("most", "limits"), [(6, True), (7, False)])
def test_undefined_resamples_are_left_out_or_leave_no_limits(study, most, limits):
    """Six of 120 resamples are 5 %, seven are more."""
    calls = iter(range(10**6))

    def statistic(y_true, y_score):
        # the first two calls are of all cases
        return float("nan") if 2 <= next(calls) < 2 + most else area(y_true, y_score)

    one = rs.Study(examples.Y, examples.D1)
    frame = one.bootstrap(statistic, interval="percentile", n_resamples=120, rng=1)
    assert f"undefined-resamples={most}" in note_of(frame)[0]
    assert frame[["se", *LIMITS]].notna().all(axis=None) == limits
    if limits:
        drawn = draws_of(one, area, 120, 1)[0][most:]
        assert frame["se"][0] == pytest.approx(drawn.std(ddof=1))


def test_infinite_resamples_keep_their_place(study):
    """The likelihood ratio above the highest negative but two is infinite in many resamples."""

    def ratio(y_true, y_score):
        tpr, fpr = (np.mean(y_score[side] >= 0.58) for side in (y_true, ~y_true))
        return tpr / fpr if fpr else np.inf

    frame = study.bootstrap(ratio, interval="percentile", **FEW)
    assert np.isfinite(frame["ci_low"]).all()
    assert (frame["ci_high"] == np.inf).all()
    assert frame["se"].isna().all()


def test_draws_on_one_side_have_percentiles():
    # Each of 60 scores in a resample has a chance below 1e-20.
    study = rs.Study(np.arange(60) % 2, np.arange(60.0))
    frame = study.bootstrap(lambda y, s: len(np.unique(s)), **FEW)
    assert frame["method"][0] == "resamples/percentile"
    assert "infinite-bias" in note_of(frame)[0]


def test_a_value_that_needs_every_case_has_percentiles(study):
    def whole(y_true, y_score):
        return area(y_true, y_score) if len(y_true) == 18 else float("nan")

    frame = study.bootstrap(whole, **FEW)
    assert (frame["method"] == "resamples/percentile").all()
    assert all("no-acceleration" in note for note in note_of(frame))
    plain = study.bootstrap(area, interval="percentile", **FEW)
    assert frame[LIMITS].equals(plain[LIMITS])


# What is refused


def failing(y_true, y_score):
    return 1 / 0


def changing():
    """Return a statistic with other names at its third call, of a resample."""
    calls = iter(range(10**6))
    return lambda y, s: {"a" if next(calls) < 2 else "b": 1.0}


REFUSED = [
    ("auc", "`statistic` must be a function of y_true and y_score"),
    (failing, "`statistic` must return a number for all cases .* got ZeroDivisionError: division"),
    (lambda y, s: None, "`statistic` must return a number, or a dict of numbers by name"),
    (lambda y, s: np.array([0.5]), "`statistic` must return a number, or a dict of numbers by"),
    (lambda y, s: {"a": "x"}, "`statistic` must return a number, or a dict of numbers by name"),
    (
        lambda y, s: {"fine": 1.0, "ratio": s.max() / 0.8 if s.max() < 0.9 else float("nan")},
        "`statistic` must be finite on all cases .* got nan for 'ratio' of 'd1'",
    ),
]


@each(("statistic", "message"), REFUSED)
def test_statistics_that_are_refused(study, statistic, message):
    with pytest.raises(rs.InputError, match=f"^{message}"):
        study.bootstrap(statistic, interval="percentile", **FEW)


def test_other_names_of_a_resample_are_refused(study):
    with pytest.raises(rs.InputError, match=r"same names .* got \['b'\] after \['a'\]"):
        study.bootstrap(changing(), interval="percentile", **FEW)


@pytest.mark.parametrize("wrong", [{}, {1: 0.5}, {"": 0.5}, True, 10**400, 1j, "0.5", [0.5]])
def test_other_values_are_refused_too(study, wrong):
    with pytest.raises(rs.InputError, match=r"^`statistic` must return a number"):
        study.bootstrap(lambda y, s: wrong, **FEW)


def test_a_reference_needs_another_predictor():
    with pytest.raises(rs.InputError, match=r"^`reference` must be one of two or more predictors"):
        rs.Study(examples.Y, SCORES["d1"]).bootstrap(area, reference="score", **FEW)


def test_more_cases_than_can_be_written_out_are_refused():
    study = rs.Study([1, 1, 0, 0], [3, 2, 2, 1], frequency=[10**6, 1, 1, 1])
    with pytest.raises(rs.InputError, match=r"^`y_true` must .* 1_000_000 .* got 1000003"):
        study.bootstrap(brier, **FEW)


def test_distinct_cases_are_limited_for_bca_only():
    y = np.arange(10_001) % 2
    study = rs.Study(y, np.arange(10_001.0))

    def first(y_true, y_score):
        return float(y_score[0])

    with pytest.raises(rs.InputError, match=r"Use interval='percentile'"):
        study.bootstrap(first, **FEW)
    frame = study.bootstrap(first, interval="percentile", n_resamples=100, rng=1)
    assert len(frame) == 1
    tied = rs.Study(y, np.arange(10_001) % 5)
    assert tied.bootstrap(brier, n_resamples=100, rng=1)["method"][0] == "resamples/bca"


def test_a_statistic_may_warn():
    def warning(y_true, y_score):
        warnings.warn("mine", UserWarning, stacklevel=1)
        return area(y_true, y_score)

    with pytest.warns(UserWarning, match="^mine$"):
        rs.Study(examples.Y, SCORES).bootstrap(warning, n_resamples=100, rng=1)


# Weights, several functions, names, tests, jobs


WEIGHT = np.linspace(0.5, 3, 18)


def test_a_statistic_gets_the_weights_of_the_cases_drawn():
    from sklearn.metrics import roc_auc_score

    study = rs.Study(examples.Y, SCORES, sample_weight=WEIGHT)
    frame = study.bootstrap(roc_auc_score, interval="percentile", **FEW)
    assert frame["estimate"].tolist() == pytest.approx(study.auc()["estimate"].tolist())
    drawn = study.auc(interval="percentile", n_resamples=2000, rng=5)
    # Two sets of resamples: Monte-Carlo errors of 1/sqrt(2 B) of either standard error.
    error = 4 * np.sqrt(1 / (2 * 200) + 1 / (2 * 2000))
    assert frame["se"].tolist() == pytest.approx(drawn["se"].tolist(), rel=error)


def test_a_resample_repeats_a_case_with_its_weight():
    seen = []

    def statistic(y_true, y_score, sample_weight):
        seen.append((y_true, y_score, sample_weight))
        return float(sample_weight.sum())

    study = rs.Study(examples.Y, examples.D1, sample_weight=WEIGHT)
    study.bootstrap(statistic, interval="percentile", n_resamples=100, rng=1)
    weight_of = {}
    for y, s, w in zip(examples.Y, examples.D1, WEIGHT, strict=True):
        weight_of.setdefault((bool(y), s), set()).add(w)
    assert len(seen) == 102
    for y_true, y_score, weight in seen[2:]:
        assert (y_true.sum(), (~y_true).sum()) == (8, 10)
        cases = zip(y_true.tolist(), y_score.tolist(), weight.tolist(), strict=True)
        assert all(w in weight_of[y, s] for y, s, w in cases)
    assert len({tuple(weight) for *_, weight in seen}) > 90


def test_cases_of_other_weights_are_not_left_out_as_equal_ones():
    def mean(y_true, y_score, sample_weight):
        return np.average(y_score, weights=sample_weight)

    y, score = np.tile([1, 0], 6), np.repeat([1.0, 2, 3], 4)
    weight = np.arange(1, 13.0)
    frame = rs.Study(y, score, sample_weight=weight).bootstrap(mean, **FEW)
    # The acceleration with each case left out, one by one.
    u, sides = [], [np.flatnonzero(y == 1), np.flatnonzero(y == 0)]
    for rows in sides:
        values = np.array(
            [np.average(np.delete(score, i), weights=np.delete(weight, i)) for i in rows]
        )
        u.extend((values.mean() - values) * 5 / 6)
    a = np.sum(np.array(u) ** 3) / (6 * np.sum(np.array(u) ** 2) ** 1.5)
    assert frame["method"][0] == "resamples/bca"
    study = rs.Study(y, score, sample_weight=weight)
    plan = ResamplePlan(200, 1).at(0)
    values = draw_statistic_values(
        study.cases, lambda y, s, w: np.array([mean(y, s, w)]), plan
    ).values[0, 0]
    estimate = np.average(score, weights=weight)
    z0 = ndtri(np.mean(values < estimate - 1e-12) + np.mean(abs(values - estimate) < 1e-12) / 2)
    share = ndtr(z0 + (z0 - 1.959963984540054) / (1 - a * (z0 - 1.959963984540054)))
    assert frame["ci_low"][0] == pytest.approx(
        np.sort(values)[int(np.ceil(201 * share - 1e-9)) - 1]
    )


def test_several_functions_have_the_names_of_their_keys(study):
    several = study.bootstrap({"A": area, "B": brier}, **FEW)
    alone = study.bootstrap(lambda y, s: {"A": area(y, s), "B": brier(y, s)}, **FEW)
    pd.testing.assert_frame_equal(several.copy(), alone.copy())
    named = study.bootstrap(area, name="AUC", **FEW)
    assert named["quantity"].tolist() == ["AUC"] * 2
    assert named["ci_low"].tolist() == study.bootstrap(area, **FEW)["ci_low"].tolist()


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_the_p_value_inverts_the_interval(study, interval):
    asked = {"interval": interval, "n_resamples": 999, "rng": 1}
    difference = study.bootstrap(area, reference="d2", **asked)
    assert difference["null_value"].tolist() == [0]
    low, high = difference.loc[0, LIMITS]
    assert (difference["p_value"][0] < 0.05) == (not low <= 0 <= high)
    for limit in (low, high):
        at = study.bootstrap(area, reference="d2", null_value=float(limit), **asked)
        # The draws are ties of 1/80: a limit is one of several equal draws, half of which count.
        draws = draws_of(study, area, 999, 1)
        share = np.mean(abs(draws[0] - draws[1] - limit) < 1e-9)
        assert at["p_value"][0] == pytest.approx(0.05, abs=2 * share + 0.01)
    alone = study.bootstrap(area, **asked)
    assert alone[["p_value", "statistic", "df", "null_value"]].isna().all(axis=None)
    goal = study.bootstrap(area, null_value=0.5, **asked)
    assert (goal["p_value"] < 0.05).tolist() == (goal["ci_low"] > 0.5).tolist()


def test_jobs_do_not_change_the_numbers(study):
    import joblib

    one = study.bootstrap({"A": area, "B": brier}, reference="d1", **FEW)
    with joblib.parallel_config(backend="threading"):
        two = study.bootstrap({"A": area, "B": brier}, reference="d1", n_jobs=2, **FEW)
    pd.testing.assert_frame_equal(one.copy(), two.copy())

    # What a process of another job gets.
    from rocstats.estimate.resample_statistics import rows_of_cases
    from rocstats.inference.statistics import _read_statistic, _values_in_order

    values_of = _values_in_order(_read_statistic({"A": area}, None), ("A",))
    task = functools.partial(rows_of_cases(study.cases).values, values_of)
    again = pickle.loads(pickle.dumps(task))
    assert again(np.ones(18, int)).tolist() == task(np.ones(18, int)).tolist()


@each(
    ("arguments", "message"),
    [
        ({"n_jobs": 0}, "`n_jobs` must be a whole number other than 0, or None; got 0."),
        ({"n_jobs": 1.5}, "`n_jobs` must be a whole number other than 0, or None; got 1.5."),
        ({"n_jobs": True}, "`n_jobs` must be a whole number other than 0, or None; got True."),
        ({"name": ""}, "`name` must be a name for the value of one function; got '' with no lett"),
        ({"name": 3}, "`name` must be a text; got 3."),
        ({"null_value": np.inf}, "`null_value` must be a number strictly between -inf and inf"),
        ({"null_value": "0"}, "`null_value` must be a number strictly between -inf and inf"),
        (
            {"statistic": {"a": area}, "name": "b"},
            "`name` must be a name for the value of one function; got 'b' with several functions.",
        ),
        ({"statistic": {}}, "`statistic` must be a function of y_true and y_score, or functions"),
        ({"statistic": {"a": 3}}, "`statistic` must be a function of y_true and y_score, or fun"),
        ({"statistic": {1: area}}, "`statistic` must be a function of y_true and y_score, or fun"),
        (
            {"statistic": {"a": lambda y, s: {"x": 1.0}}},
            "`statistic` must return a number from each function of a mapping; got ['x'] from 'a'.",
        ),
    ],
)
def test_message_of_an_option(arguments, message):
    study = rs.Study(examples.Y, SCORES)
    with pytest.raises(rs.InputError) as refused:
        study.bootstrap(**{"statistic": area, **FEW, **arguments})
    assert str(refused.value).startswith(message)


def test_a_statistic_without_weights_says_how_it_is_called():
    study = rs.Study(examples.Y, SCORES, sample_weight=WEIGHT)
    with pytest.raises(rs.InputError, match="With weights it is called with sample_weight="):
        study.bootstrap(area, **FEW)


def test_jobs_without_joblib_say_what_to_install(study, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "joblib", None)
    with pytest.raises(rs.InputError, match="without the package joblib"):
        study.bootstrap(area, n_jobs=2, **FEW)
    study.bootstrap(area, n_jobs=1, **FEW)
