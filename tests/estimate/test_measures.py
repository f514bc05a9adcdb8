"""Measures at thresholds: variances by the definition of an influence, limits by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit
from statsmodels.stats.proportion import proportion_confint

from rocstats.estimate.measure_limits import delta_se
from rocstats.estimate.measures import measure_at_thresholds
from rocstats.estimate.tables import PointPlan, PointTables, cluster_tables
from rocstats.facts.measures import MEASURES, RATES, Cells, cells_at, depends_on_prevalence, measure
from rocstats.studies.studies import Study

COHORT = PointPlan("wilson", "score", "cohort", 0.95)
counts = st.integers(2, 40)


def one(tp, fn, fp, tn):
    cells = Cells(*(np.array([float(x)]) for x in (tp, fn, fp, tn)))
    return PointTables(cells, float(tp + fn), float(fp + tn))


@given(counts, counts, counts, counts)
def test_in_a_cohort_the_four_cells_are_multinomial(tp, fn, fp, tn):
    """Delta method over the multinomial of the cells, slopes by differences."""
    cells, tables = np.array([tp, fn, fp, tn], dtype=float), one(tp, fn, fp, tn)
    shares = cells / cells.sum()
    covariance = (np.diag(shares) - np.outer(shares, shares)) / cells.sum()
    for name in filter(depends_on_prevalence, MEASURES):
        up, down = (
            measure(name, Cells(*(shares[:, np.newaxis] + step * np.eye(4))))
            for step in (1e-5, -1e-5)
        )
        gradient = (up - down) / 2e-5
        expected = np.sqrt(gradient @ covariance @ gradient)
        assert delta_se(tables, name, None, COHORT)[0] == pytest.approx(expected, rel=1e-4)
        se = measure_at_thresholds(tables, name, None, COHORT).se[0]
        assert se == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "se_log"),
    [("lr_positive", 0.0625403700), ("lr_negative", 0.1120012457), ("odds_ratio", 0.1466937145)],
)
def test_worked_standard_errors_of_logarithms(name, se_log):
    found = measure_at_thresholds(one(670, 74, 202, 640), name, None, COHORT)
    assert found.se[0] / found.estimate[0] == pytest.approx(se_log, abs=5e-11)


def clustered_study(rng, n=60):
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    score = rng.integers(0, 6, n) + 2.0 * y
    times = rng.integers(1, 4, n)
    return Study(y, score, cluster=rng.integers(0, 30, n), frequency=times)


def tables_of(study, threshold):
    called = study.scores[0] >= threshold
    cells = counts_of(study, called, np.ones(len(called)))
    vertex = np.array([len(np.unique(study.scores[0][called]))])
    return PointTables(cells, study.n_pos, study.n_neg, cluster_tables(study.cases, 0, vertex))


def counts_of(study, called, weight):
    """The four cells, where a case counts as often as its weight and frequency say."""
    w = weight * study.frequency
    pos = study.is_positive
    return Cells(
        *(np.array([w[mask].sum()]) for mask in
          (pos & called, pos & ~called, ~pos & called, ~pos & ~called))
    )  # fmt: skip


def influences(study, value):
    """The influence of each cluster: the derivative of a value in the weight of its cases."""
    labels = study.cluster.codes
    found = []
    for label in np.unique(labels):
        step = np.where(labels == label, 1e-5, 0.0)
        found.append((value(1 + step) - value(1 - step)) / 2e-5)
    return np.array(found)


def factor(study, mask):
    """I/(I - 1) of the clusters with a case of the mask."""
    n = len(np.unique(study.cluster.codes[mask]))
    return n / (n - 1)


# docs/methods/points.md, "Clustered rates": a share of cases has the clusters that hold its units
UNITS = {
    "tpr": lambda pos, called: pos,
    "fnr": lambda pos, called: pos,
    "fpr": lambda pos, called: ~pos,
    "tnr": lambda pos, called: ~pos,
    "ppv": lambda pos, called: called,
    "npv": lambda pos, called: ~called,
    "accuracy": lambda pos, called: pos | True,
    "f1": lambda pos, called: pos | called,
}


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_clustered_variance_is_that_of_influences_summed_by_cluster(rng, name):
    study = clustered_study(rng)
    tables, called = tables_of(study, 5), study.scores[0] >= 5
    everyone, pos = np.ones(len(called), dtype=bool), study.is_positive
    if name in UNITS:
        own = influences(study, lambda w: measure(name, counts_of(study, called, w))[0])
        expected = factor(study, UNITS[name](pos, called)) * own @ own
    else:
        # The delta method in TPR, FPR and prevalence; covariances have the factor of all clusters.
        ratios = (
            lambda c: c.tp / (c.tp + c.fn),
            lambda c: c.fp / (c.fp + c.tn),
            lambda c: (c.tp + c.fn) / sum(c),
        )
        own = np.array(
            [influences(study, lambda w, r=r: r(counts_of(study, called, w))[0]) for r in ratios]
        )
        at = np.array([r(tables.cells)[0] for r in ratios])
        steps = 1e-6 * np.eye(3)
        slope = [
            (measure(name, cells_at(*(at + h)))[()] - measure(name, cells_at(*(at - h)))[()]) / 2e-6
            for h in steps
        ]
        factors = np.full((3, 3), factor(study, everyone))
        factors[0, 0], factors[1, 1] = factor(study, pos), factor(study, ~pos)
        expected = np.dot(slope, factors * (own @ own.T)) @ slope
    # differences of steps of 1e-5 and 1e-6: errors of 1e-9 of the slope
    assert measure_at_thresholds(tables, name, None, COHORT).se[0] ** 2 == pytest.approx(
        expected, rel=1e-7
    )


def test_the_factors_of_clusters_differ(rng):
    """Or the test above could not tell which is used."""
    study = clustered_study(rng)
    called, pos = study.scores[0] >= 5, study.is_positive
    masks = (pos, ~pos, called, ~called, pos | called, pos | True)
    assert len({factor(study, mask) for mask in masks}) == len(masks)


def test_clusters_of_one_are_independent_cases():
    y = np.tile([1, 0, 1, 0, 0], 60)
    score = np.arange(300) * 7 % 11 + 3 * y
    study = Study(y, score, cluster=np.arange(300), frequency=np.ones(300, dtype=int))
    tables = tables_of(study, 6)
    plain = PointTables(tables.cells, tables.n_pos, tables.n_neg)
    for name in MEASURES:
        found, expected = (measure_at_thresholds(t, name, None, COHORT) for t in (tables, plain))
        assert found.estimate == expected.estimate
        assert found.se == pytest.approx(expected.se, rel=6e-3)
        # score limits and MOVER on the log scale are two methods
        loose = name in ("lr_positive", "lr_negative", "odds_ratio")
        assert found.low == pytest.approx(expected.low, rel=0.02 if loose else 5e-3)
        assert found.high == pytest.approx(expected.high, rel=0.02 if loose else 5e-3)


@given(counts, counts, counts, counts)
def test_f1_has_the_limits_of_a_proportion(tp, fn, fp, tn):
    found = measure_at_thresholds(one(tp, fn, fp, tn), "f1", None, COHORT)
    wilson = proportion_confint(tp, tp + fp + fn, method="wilson")
    expected = [2 * x / (1 + x) for x in wilson]
    assert [found.low[0], found.high[0]] == pytest.approx(expected)


def mcc_at(tpr, fpr, p):
    called = p * tpr + (1 - p) * fpr
    return (tpr - fpr) * np.sqrt(p * (1 - p) / (called * (1 - called)))


def f1_at(tpr, fpr, p):
    return 2 * p * tpr / (p * tpr + (1 - p) * fpr + p)


def t_quantile(value_at, rates, sizes, p, variances=None):
    """The .975 quantile of t with Satterthwaite's df of both rates, n - 1 each, of a measure."""
    if variances is None:
        variances = rates * (1 - rates) / sizes
    step = 1e-30j * np.eye(2)
    slope = [np.imag(value_at(*(rates + moved), p)) / 1e-30 for moved in step]
    parts = np.square(slope) * variances
    return stats.t.ppf(0.975, parts.sum() ** 2 / (parts**2 / (sizes - 1)).sum())


@given(counts, counts, counts, counts, st.floats(0.02, 0.98))
def test_delta_limits_are_of_t_on_their_scale(tp, fn, fp, tn, p):
    rates, sizes = np.array([tp / (tp + fn), fp / (fp + tn)]), np.array([tp + fn, fp + tn])
    for name, value_at, forward, back, slope in (
        ("mcc", mcc_at, np.arctanh, np.tanh, lambda x: 1 / (1 - x**2)),
        ("f1", f1_at, logit, expit, lambda x: 1 / (x * (1 - x))),
    ):
        z = t_quantile(value_at, rates, sizes, p)
        found = measure_at_thresholds(one(tp, fn, fp, tn), name, p, COHORT)
        value, se = found.estimate[0], found.se[0]
        expected = [back(forward(value) + sign * z * se * slope(value)) for sign in (-1, 1)]
        assert [found.low[0], found.high[0]] == pytest.approx(expected, abs=1e-9)


def test_an_empty_cell_has_the_delta_limits_of_the_table_with_one_half_more_in_every_cell():
    """docs/methods/points.md: at a known prevalence both rates are binomial, of n + 1 cases."""
    p, h = 0.3, 1e-6
    rates = np.array([10.5 / 11, 3.5 / 21])
    variances = rates * (1 - rates) / np.array([11, 21])
    slope = [
        (mcc_at(*(rates + d), p=p) - mcc_at(*(rates - d), p=p)) / (2 * h) for d in h * np.eye(2)
    ]
    centre = mcc_at(*rates, p=p)
    # 10 and 20 cases, whose degrees of freedom 1/2 in every cell does not raise
    z = t_quantile(mcc_at, rates, np.array([10, 20]), p, variances)
    reach = z * np.sqrt(np.square(slope) @ variances) / (1 - centre**2)
    found = measure_at_thresholds(one(10, 0, 3, 17), "mcc", p, COHORT)
    expected = np.tanh(np.arctanh(centre) + np.array([-reach, reach]))
    assert [found.low[0], found.high[0]] == pytest.approx(expected, rel=1e-7)
    assert found.notes["half-added"].all()


@given(*[st.integers(0, 12)] * 4, st.sampled_from([None, 0.1, 0.7]))
def test_no_table_has_limits_without_width_or_beyond_the_range(tp, fn, fp, tn, p):
    if tp + fn == 0 or fp + tn == 0:
        return
    for plan in (COHORT, PointPlan("clopper-pearson", "log", None, 0.9, 50.0)):
        for name in MEASURES:
            found = measure_at_thresholds(one(tp, fn, fp, tn), name, p, plan)
            value, low, high = found.estimate[0], found.low[0], found.high[0]
            if np.isnan(value):
                assert np.isnan([low, high, found.se[0]]).all()
                assert found.notes["no-calls"].all()
                continue
            least = -1 if name in ("mcc", "youden") else 0
            most = np.inf if name.startswith(("lr", "odds")) else 1
            assert least <= low < high <= most, (name, low, high)
            assert low - 1e-12 <= value <= high + 1e-12, (name, low, value, high)


@given(counts, counts, counts, counts)
def test_an_accuracy_at_prevalence_one_half_is_the_balanced_one(tp, fn, fp, tn):
    tables = one(tp, fn, fp, tn)
    balanced = measure_at_thresholds(tables, "balanced_accuracy", None, COHORT)
    youden = measure_at_thresholds(tables, "youden", None, COHORT)
    half = measure_at_thresholds(tables, "accuracy", 0.5, COHORT)
    for part in ("estimate", "low", "high", "se"):
        value = getattr(balanced, part)[0]
        assert getattr(half, part)[0] == pytest.approx(value)
        twice = 2 * value if part == "se" else 2 * value - 1
        assert getattr(youden, part)[0] == pytest.approx(twice)


def test_an_estimated_prevalence_widens():
    tables = one(45, 5, 20, 80)
    for name in filter(depends_on_prevalence, MEASURES):
        known = measure_at_thresholds(tables, name, 0.1, COHORT)
        loose = measure_at_thresholds(
            tables, name, 0.1, PointPlan("wilson", "score", "cohort", 0.95, 50.0)
        )
        assert loose.low < known.low < known.high < loose.high
        assert loose.se > known.se
        assert loose.estimate == known.estimate


def test_a_high_index_of_few_cases_says_that_its_upper_limit_is_low():
    def noted(tp, fn, fp, tn, **options):
        study = Study.from_confusion(tp=tp, fn=fn, fp=fp, tn=tn)
        frame = study.operating_points(threshold=1, quantities=["youden", "tpr"], **options)
        return frame["note"].str.contains("high-index-few-cases").tolist()

    assert noted(20, 0, 1, 29) == [True, False]
    for other in ("clopper-pearson", "mid-p"):
        assert not noted(20, 0, 1, 29, interval=other)[0]
    assert not noted(16, 4, 6, 24)[0]
    assert not noted(200, 0, 3, 300)[0]


@given(
    counts,
    st.integers(0, 40),
    st.integers(0, 40),
    counts,
    st.floats(0.5, 0.99),
    st.floats(0.01, 0.99),
)
def test_limits_for_all_thresholds_are_the_extremes_over_a_box(tp, fn, fp, tn, level, prevalence):
    tables = one(tp, fn, fp, tn)
    plan = PointPlan("dkw", "score", None, level)
    box = [tables.rate(name, "dkw", level) for name in ("tpr", "fpr")]
    axes = [np.linspace(bars.low[0], bars.high[0], 9) for bars in box]
    tpr, fpr = (axis.ravel() for axis in np.meshgrid(*axes))
    for name in set(MEASURES) - set(RATES):
        found = measure_at_thresholds(tables, name, prevalence, plan)
        over = measure(name, cells_at(tpr, fpr, prevalence))
        assert found.low[0] == pytest.approx(np.nanmin(over), rel=1e-9, abs=1e-12)
        assert found.high[0] == pytest.approx(np.nanmax(over), rel=1e-9, abs=1e-12)
        assert found.low[0] < found.high[0]
        assert not found.low[0] > found.estimate[0]
        assert not found.high[0] < found.estimate[0]
