"""Averages of fold curves with bars, against loops and the definitions of their bars."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from tests.oracles import fawcett as oracle
from tests.quick import each
from tests.strategies import samples

RATES = [0.0, 0.1, 0.3, 0.5, 1.0]


@pytest.fixture
def study(rng):
    """Two predictors on five folds of unequal size, no ties."""
    sizes = [(20, 60), (25, 55), (30, 70), (22, 60), (28, 52)]
    y = np.concatenate([np.repeat([1, 0], size) for size in sizes])
    fold = np.repeat(list("abcde"), [sum(size) for size in sizes])
    scores = {name: rng.normal(size=len(y)) + y for name in ("a", "b")}
    return rs.Study(y, scores, fold=fold)


@st.composite
def folded(draw):
    """Labels, scores and folds of two or three folds with ties."""
    found = [draw(samples(least=2, most=6)) for _ in range(draw(st.integers(2, 3)))]
    y = np.concatenate([y for y, _ in found])
    score = np.concatenate([score for _, (score,) in found])
    return y, score, np.repeat(range(len(found)), [len(y) for y, _ in found])


def by_fold(y, score, fold):
    return [(y[fold == v].tolist(), score[fold == v].tolist()) for v in np.unique(fold)]


@given(folded())
def test_vertical_average_is_algorithm_4_with_pooled_binomial_bars(data):
    y, score, fold = data
    frame = rs.Study(y, score, fold=fold).roc_average(n_samples=6)
    points = [oracle.algorithm_2(*cases) for cases in by_fold(*data)]
    mean = [float(value) for value in oracle.algorithm_4(points, 5)]
    assert frame["fpr"].tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert frame["estimate"].to_numpy() == pytest.approx(mean, abs=1e-12)
    each = [sum(labels) for labels, _ in by_fold(*data)]
    n = len(each) ** 2 / sum(1 / m for m in each)
    assert frame["n_effective"].to_numpy() == pytest.approx(n)
    for row in frame.itertuples():
        expected = proportion_confint(row.estimate * n, n, method="wilson")
        assert (row.ci_low, row.ci_high) == pytest.approx(np.clip(expected, 0, 1), abs=1e-9)


@given(folded())
def test_threshold_average_counts_cases_at_or_beyond(data):
    y, score, fold = data
    at = [np.inf, 7.0, 3.0, 0.5]
    frame = rs.Study(y, score, fold=fold).roc_average("threshold", at=at)
    assert frame["quantity"].tolist() == ["fpr", "tpr"] * 4
    assert frame["threshold"].tolist() == np.repeat(at, 2).tolist()
    assert frame["fpr"].isna().all()
    for i, threshold in enumerate(at):
        expected = oracle.at_or_beyond(by_fold(*data), threshold)
        found = frame["estimate"].to_numpy()[2 * i : 2 * i + 2]
        assert found == pytest.approx([float(value) for value in expected], abs=1e-12)


@given(folded())
def test_a_merged_curve_is_the_curve_of_all_cases(data):
    y, score, fold = data
    frame = rs.Study(y, score, fold=fold).roc_average("merged", n_samples=1000)
    curve = rs.Study(y, score).roc_curve()
    for axis, size in (("fpr", (y == 0).sum()), ("tpr", y.sum())):
        rows = frame[frame["quantity"] == axis]
        assert rows["threshold"].tolist() == curve["threshold"].tolist()
        assert rows["estimate"].tolist() == pytest.approx(curve[axis].tolist())
        assert set(rows["n_effective"]) == {size}
    assert set(frame["n_curves"]) == {len(np.unique(fold))}


def test_the_default_places(study):
    frame = study.roc_average()
    one = frame[frame["predictor"] == "a"]
    assert one["fpr"].to_numpy() == pytest.approx(np.arange(11) / 10)
    assert one["threshold"].isna().all()
    thresholds = study.roc_average("threshold", n_samples=4)
    places = thresholds.loc[thresholds["predictor"] == "a", "threshold"].to_numpy()[::2]
    distinct = np.sort(study.scores[0])[::-1]
    assert places[0] == np.inf
    assert places[-1] == distinct[-1]
    assert len(places) == 4


def test_places_of_each_predictor(study):
    frame = study.roc_average("threshold", at={"b": [0.5, 1.5]})
    assert frame["predictor"].tolist() == ["b"] * 4
    frame = study.roc_average(at={"a": 0.2, "b": [0.4, 0.1]})
    assert frame[["predictor", "fpr"]].to_numpy().tolist() == [["a", 0.2], ["b", 0.4], ["b", 0.1]]


def test_t_bars_are_those_of_the_curves(study):
    frame = study.roc_average(bars="t", at=RATES, confidence_level=0.9)
    curves = [part.roc_average(at=RATES)["estimate"] for part in each_fold(study)]
    values = np.array(curves)
    mean, se = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(5)
    assert frame["estimate"].to_numpy() == pytest.approx(mean)
    low, high = mean - student(4).ppf(0.95) * se, mean + student(4).ppf(0.95) * se
    inside = se > 0
    assert frame["ci_low"].to_numpy()[inside] == pytest.approx(np.maximum(low, 0)[inside])
    assert frame["ci_high"].to_numpy()[inside] == pytest.approx(np.minimum(high, 1)[inside])
    assert set(frame["method"][inside]) == {"curves/t"}
    # at FPR 1 all curves are at 1: Wilson's with the pooled number of positives
    ends = frame[frame["fpr"] == 1]
    assert set(ends["method"]) == {"curves/wilson"}
    assert (ends["ci_low"] < 1).all()
    assert ends["note"].str.startswith("no-width").all()


def each_fold(study):
    for _, part in study.cases.by_fold():
        yield rs.Study(
            part.is_positive,
            dict(zip(study.predictors, part.scores, strict=True)),
            fold=np.zeros(len(part.is_positive)),
        )


def test_effective_bars_hold_both_terms_of_the_variance(study):
    binomial = study.roc_average(at=RATES)
    effective = study.roc_average(bars="effective", at=RATES)
    assert effective["estimate"].tolist() == binomial["estimate"].tolist()
    assert set(effective["method"]) == {"bootstrap/wilson-effective-n"}
    assert set(effective["n_resamples"]) == {0}
    inner = effective["fpr"].isin([0.1, 0.3])
    assert (effective["n_effective"] < binomial["n_effective"])[inner].all()
    width = [frame["ci_high"] - frame["ci_low"] for frame in (effective, binomial)]
    assert (width[0] > width[1])[inner].all()


def test_effective_bars_of_tied_folds_are_resampled(study):
    tied = rs.Study(study.is_positive, np.round(study.scores[0]), fold=study.fold.codes)
    frame = tied.roc_average(bars="effective", at=RATES, n_resamples=300, rng=5)
    again = tied.roc_average(bars="effective", at=RATES, n_resamples=300, rng=5)
    assert frame.equals(again)
    assert set(frame["method"]) == {"resamples/wilson-effective-n"}
    assert set(frame["n_resamples"]) == {300}
    assert frame.attrs["rocstats"]["seed"] == 5
    other = tied.roc_average(bars="effective", at=RATES, n_resamples=300, rng=6)
    assert not frame["se"].equals(other["se"])


def test_effective_bars_at_thresholds_are_binomial_within_curves(study):
    frame = study.roc_average("threshold", bars="effective", at={"a": 0.7})
    scores, y, fold = study.scores[0], study.is_positive, study.fold.codes
    for row, positive in zip(frame.itertuples(), (False, True), strict=True):
        cells = [(y == positive) & (fold == v) for v in range(5)]
        rates = np.array([np.mean(scores[cell] >= 0.7) for cell in cells])
        sizes = np.array([cell.sum() for cell in cells])
        variance = np.sum(rates * (1 - rates) / sizes) / 25
        n, z2 = 25 / np.sum(1 / sizes), 1.959963984540054**2
        adjusted = (n * rates.mean() + z2 / 2) / (n + z2)
        spread = adjusted * (1 - adjusted)
        floored = max(variance, spread / (n + z2))
        assert row.n_effective == pytest.approx(spread / floored)


def test_no_predictor_changes_the_others(study):
    together = study.roc_average(bars="effective", at=RATES, rng=1)
    alone = rs.Study(study.is_positive, {"a": study.scores[0]}, fold=study.fold.codes)
    first = together[together["predictor"] == "a"].reset_index(drop=True)
    assert alone.roc_average(bars="effective", at=RATES, rng=1).equals(first)


@pytest.mark.parametrize("kind", ["threshold", "merged"])
def test_joint_bars_have_sidaks_level(study, kind):
    joint = study.roc_average(kind, at=0.5, joint=True, confidence_level=0.9)
    single = study.roc_average(kind, at=0.5, confidence_level=np.sqrt(0.9))
    assert joint[["ci_low", "ci_high"]].equals(single[["ci_low", "ci_high"]])
    assert joint["confidence_level"].to_numpy() == pytest.approx(np.sqrt(0.9))
    assert joint["note"].str.endswith("joint-level=0.9").all()


@pytest.mark.parametrize("interval", ["normal", "clopper-pearson"])
def test_binomial_intervals(study, interval):
    row = study.roc_average(at={"a": 0.3}, interval=interval).iloc[0]
    method = {"normal": "normal", "clopper-pearson": "beta"}[interval]
    count = row["estimate"] * row["n_effective"]
    expected = proportion_confint(count, row["n_effective"], method=method)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(expected)
    assert row["method"] == f"binomial/{interval}"


def test_means_of_0_and_1():
    y, fold = np.tile([1, 1, 0, 0], 10), np.repeat([1, 2], 20)
    best = rs.Study(y, y, fold=fold).roc_average(at=[0, 0.5])
    assert best["estimate"].tolist() == [1, 1]
    assert best["ci_low"].to_numpy() == pytest.approx(0.8388748, abs=5e-8)
    worst = rs.Study(y, -y, fold=fold).roc_average(at=[0, 0.5])
    assert worst["estimate"].tolist() == [0, 0]
    assert worst["ci_high"].to_numpy() == pytest.approx(0.1611252, abs=5e-8)
    for bars in ("effective", "t"):
        frame = rs.Study(y, y, fold=fold).roc_average(bars=bars, at=0, rng=1)
        assert 0.8 < frame["ci_low"][0] < frame["ci_high"][0] == 1


def resampled(rng, n_curves=40, n=30):
    """Bootstrap resamples of one test set of n + n cases, each a fold; the case of each row."""
    y = np.repeat([1, 0], n)
    score = rng.normal(size=2 * n) + y
    rows = np.concatenate(
        [
            np.concatenate([rng.integers(0, n, n), rng.integers(n, 2 * n, n)])
            for _ in range(n_curves)
        ]
    )
    return y[rows], score[rows], np.repeat(range(n_curves), 2 * n), rows


def test_resamples_of_one_set_are_no_more_cases_than_it(rng):
    y, score, fold, _ = resampled(rng)
    few = rs.Study(y[:600], score[:600], fold=fold[:600])
    many = rs.Study(y, score, fold=fold)
    for study in (few, many):
        frame = study.roc_average(at=RATES, independent=False)
        assert frame["n_effective"].to_numpy() == pytest.approx(30)
        merged = study.roc_average("merged", at=0.5, independent=False)
        assert merged["n_effective"].to_numpy() == pytest.approx(30)
    assert many.roc_average(at=RATES)["n_effective"].to_numpy() == pytest.approx(1200)


def test_percentiles_are_of_the_curves(rng):
    y, score, fold, _ = resampled(rng)
    study = rs.Study(y, score, fold=fold)
    frame = study.roc_average(at=RATES, bars="percentile", independent=False, confidence_level=0.9)
    values = np.sort([part.roc_average(at=RATES)["estimate"] for part in each_fold(study)], axis=0)
    # ranks ceil(41 * .05) = 3 and its mirror image of 40
    inner = frame["fpr"] < 1
    assert frame["ci_low"][inner].tolist() == values[2][inner].tolist()
    assert frame["ci_high"][inner].tolist() == values[37][inner].tolist()
    assert not frame["note"].str.contains("few-curves").any()
    strict = study.roc_average(at=0.3, bars="percentile", independent=False, confidence_level=0.99)
    assert strict["note"][0] == "few-curves; few-negatives-per-curve"


def test_repeats_of_one_set_count_its_cases_once(rng):
    y = np.repeat([1, 0], [20, 60])
    score = rng.normal(size=80) + y
    order = [rng.permutation(80) for _ in range(3)]
    parts = np.concatenate([5 * r + np.argsort(one) % 5 for r, one in enumerate(order)])
    keep = np.array([len(set(y[parts[:80] == v])) for v in range(5)]) == 2
    assert keep.all()
    study = rs.Study(
        np.tile(y, 3), np.tile(score, 3), fold=parts, cluster=np.tile(np.arange(80), 3)
    )
    frame = study.roc_average("threshold", at=0.5, independent=False)
    assert frame["n_effective"].tolist() == [60, 20]
    spread = study.roc_average(bars="percentile", at=0.3, independent=False)
    assert "curves-of-parts" in spread["note"][0]
    effective = study.roc_average(bars="effective", at=[0.3, 0.5], independent=False, rng=1)
    assert (effective["n_effective"] < 30).all()


def clustered(rng, n_clusters=40):
    """Clusters of two positives and two negatives with scores in common, inside folds."""
    y = np.tile([1, 1, 0, 0], n_clusters)
    cluster = np.repeat(np.arange(n_clusters), 4)
    # all positives of a cluster alike: twice as many rows as there is knowledge
    score = np.repeat(rng.normal(size=2 * n_clusters), 2) + y
    return y, score, cluster, cluster % 4


@pytest.mark.parametrize("kind", ["vertical", "threshold", "merged"])
def test_clusters_of_copies_are_as_good_as_one_case(rng, kind):
    y, score, cluster, fold = clustered(rng)
    copies = rs.Study(y, score, cluster=cluster, fold=fold)
    at = 0.3
    row = copies.roc_average(kind, bars="effective", at=at, n_resamples=4000, rng=1).iloc[-1]
    single = rs.Study(y[::2], score[::2], cluster=cluster[::2], fold=fold[::2])
    alone = single.roc_average(kind, bars="effective", at=at, n_resamples=4000, rng=1).iloc[-1]
    assert row["estimate"] == pytest.approx(alone["estimate"])
    assert row["se"] == pytest.approx(alone["se"], rel=0.1)
    plain = rs.Study(y, score, fold=fold).roc_average(kind, bars="effective", at=at, rng=1)
    assert row["se"] > 1.2 * plain["se"].iloc[-1]


def test_clusters_without_spread_count_once():
    y, fold = np.tile([1, 1, 0, 0], 12), np.repeat([1, 2, 3], 16)
    study = rs.Study(y, y, fold=fold, cluster=np.arange(48) // 4)
    for kind in ("vertical", "threshold"):
        row = study.roc_average(kind, bars="effective", at=1 if kind == "threshold" else 0, rng=1)
        z2 = 1.959963984540054**2
        assert row["n_effective"].iloc[-1] == pytest.approx(12 + z2)
        assert "few-clusters" in row["note"].iloc[-1]


def test_frequencies_are_repeated_rows(study):
    times = np.arange(len(study.is_positive)) % 3 + 1
    score, y, fold = np.round(study.scores[0], 1), study.is_positive, study.fold.codes
    grouped = rs.Study(y, score, fold=fold, frequency=times)
    each = rs.Study(np.repeat(y, times), np.repeat(score, times), fold=np.repeat(fold, times))
    for kind, bars in (
        ("vertical", "binomial"),
        ("vertical", "effective"),
        ("vertical", "t"),
        ("threshold", "binomial"),
        ("threshold", "effective"),
        ("merged", "binomial"),
    ):
        one, two = (s.roc_average(kind, bars=bars, at=0.4, rng=1) for s in (grouped, each))
        assert one.equals(two)


def test_weights_leave_estimates_and_t_bars(study):
    weight = np.linspace(0.5, 2, len(study.is_positive))
    asked = {"y_true": study.is_positive, "y_score": study.scores[0], "fold": study.fold.codes}
    weighted = rs.Study(**asked, sample_weight=weight)
    plain = rs.Study(**asked)
    for bars in ("binomial", "effective"):
        frame = weighted.roc_average(bars=bars, at=0.3, rng=1)
        assert frame[["se", "ci_low", "ci_high"]].isna().all(axis=None)
        assert frame["note"][0].startswith("weights-need-bootstrap")
        assert frame["estimate"][0] != plain.roc_average(at=0.3)["estimate"][0]
    twice = rs.Study(**asked, sample_weight=np.full(len(weight), 2.0))
    same = [s.roc_average(bars="t", at=RATES).drop(columns="n_effective") for s in (twice, plain)]
    assert same[0].equals(same[1])


def test_a_group_without_a_class_is_undefined():
    study = rs.Study(
        [1, 0, 1, 0, 1, 1], [3, 2, 1, 4, 5, 6], fold=[1, 1, 2, 2, 1, 2], group=list("aaaabb")
    )
    for kind in ("vertical", "threshold", "merged"):
        frame = study.roc_average(kind, n_samples=2)
        rows = frame[frame["group"] == "b"]
        assert len(rows) == (2 if kind == "vertical" else 4)
        assert rows[["estimate", "ci_low", "ci_high"]].isna().all(axis=None)
        assert set(rows["note"]) == {"one-class"}
        assert set(rows["method"]) == {"none/none"}


@pytest.mark.parametrize("bars", ["binomial", "effective", "t"])
@pytest.mark.parametrize("kind", ["vertical", "threshold"])
def test_monotone_transforms_change_nothing(study, kind, bars):
    asked = {"y_true": study.is_positive, "fold": study.fold.codes}
    at = 0.3 if kind == "vertical" else None
    one = rs.Study(y_score=study.scores[0], **asked).roc_average(kind, bars=bars, at=at, rng=1)
    two = rs.Study(y_score=np.exp(study.scores[0]), **asked).roc_average(
        kind, bars=bars, at=at, rng=1
    )
    turned = rs.Study(y_score=-study.scores[0], higher_is_positive=False, **asked).roc_average(
        kind, bars=bars, at=at, rng=1
    )
    for other in (two, turned):
        numbers = ["fpr", "estimate", "se", "ci_low", "ci_high", "n_effective"]
        assert one[numbers].equals(other[numbers])
    assert set(turned["direction"]) == {"<="}


def test_swapping_classes_mirrors_threshold_averages(study):
    asked = {"y_score": study.scores[0], "fold": study.fold.codes}
    at = np.array([0.2, 0.8])
    one = rs.Study(study.is_positive, **asked).roc_average("threshold", at=at, joint=True)
    two = rs.Study(~study.is_positive, higher_is_positive=False, **asked).roc_average(
        "threshold", at=np.nextafter(at, -np.inf), joint=True
    )
    first = one[one["quantity"] == "fpr"]
    other = two[two["quantity"] == "tpr"]
    assert (1 - first["estimate"]).tolist() == pytest.approx(other["estimate"].tolist())
    assert (1 - first["ci_high"]).tolist() == pytest.approx(other["ci_low"].tolist())


def test_width_grows_with_the_level(study):
    for bars in ("binomial", "effective", "t"):
        widths = [
            np.ptp(
                study.roc_average(bars=bars, at=RATES, confidence_level=level)[
                    ["ci_low", "ci_high"]
                ].to_numpy(),
                axis=1,
            )
            for level in (0.8, 0.9, 0.99)
        ]
        assert (np.diff(widths, axis=0) >= 0).all()


def test_notes(rng):
    y, fold = np.tile(np.repeat([1, 0], [10, 49]), 2), np.repeat([1, 2], 59)
    study = rs.Study(y, rng.normal(size=118), fold=fold)
    with pytest.warns(rs.StatisticalWarning, match="few-negatives-per-curve"):
        frame = study.roc_average(at=0.3)
    assert frame["note"][0] == "few-negatives-per-curve; conditional-on-threshold"
    with pytest.warns(rs.StatisticalWarning, match="folds-share-thresholds"):
        frame = study.roc_average("threshold", at=0)
    assert set(frame["note"]) == {"folds-share-thresholds"}
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        study.roc_average("merged", at=0)
    one = rs.Study(y, rng.normal(size=118), fold=np.zeros(118))
    with pytest.warns(rs.StatisticalWarning, match="single-curve"):
        frame = one.roc_average(bars="t", at=0.3)
    assert np.isnan(frame["ci_low"][0])


@each(
    ("arguments", "message"),
    [
        ({"kind": "horizontal"}, "`kind` must be one of 'vertical', 'threshold', 'merged'"),
        ({"bars": "sd"}, "`bars` must be one of 'binomial', 'effective', 't', 'percentile'"),
        ({"interval": "wald"}, "`interval` must be one of 'wilson', 'normal', 'clopper-pearson'"),
        (
            {"bars": "t", "interval": "normal"},
            "`interval` must stay 'wilson' unless bars='binomial'; got 'normal' with bars='t'",
        ),
        ({"joint": True}, "`joint` must stay False for a vertical average"),
        ({"kind": "merged", "bars": "t"}, "`bars` must be 'binomial' or 'effective' for a merged"),
        ({"bars": "percentile"}, "`bars` must not be 'percentile' for curves of different cases"),
        ({"bars": "t", "independent": False}, "`bars` must not be 't' for curves that share"),
        (
            {"bars": "effective", "independent": False},
            "`bars` must not be 'effective' with independent=False unless",
        ),
        ({"at": 1.2}, r"`at` must be false positive rates in \[0, 1\]; got 1.2"),
        ({"at": "half"}, "`at` must be a number, or a sequence of numbers; got 'half'"),
        ({"at": {"c": 0.1}}, r"`at` must name predictors; got \['c'\]"),
        ({"n_samples": 1}, "`n_samples` must be a whole number >= 2; got 1"),
        ({"n_samples": 2.5}, "`n_samples` must be a whole number >= 2; got 2.5"),
        ({"n_resamples": 10}, "`n_resamples` must be a whole number >= 100; got 10"),
        ({"confidence_level": 1}, "`confidence_level` must be a number strictly between 0 and 1"),
        ({"rng": "seed"}, "`rng` must be None, a whole number >= 0"),
    ],
)
def test_messages(study, arguments, message):
    with pytest.raises(rs.InputError, match=message):
        study.roc_average(**arguments)


def test_messages_of_roles(rng):
    y, score, cluster, fold = clustered(rng)
    with pytest.raises(rs.InputError, match="`fold` must name the test set of each row"):
        rs.Study(y, score).roc_average()
    study = rs.Study(y, score, cluster=cluster, fold=fold)
    with pytest.raises(rs.InputError, match="`bars` must not be 'binomial' for a study with clust"):
        study.roc_average()
    assert len(study.roc_average(bars="t", at=0.3)) == 1
    across = rs.Study(y, score, cluster=cluster, fold=np.tile([0, 1, 0, 1], len(y) // 4))
    with pytest.raises(rs.InputError, match="`bars` must not be 't' when clusters span folds"):
        across.roc_average(bars="t")
    lacking = rs.Study([1, 0, 1, 1], [1, 2, 3, 4], fold=[1, 1, 2, 2])
    with pytest.raises(rs.InputError, match="`fold` must have both classes in every fold"):
        lacking.roc_average()
