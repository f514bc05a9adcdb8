from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

import rocstats as rs
from rocstats.curves.areas import AreaRange
from rocstats.estimate.areas import estimate_areas
from rocstats.estimate.influence import area_covariance
from tests import examples
from tests.strategies import samples

WORD = "effective-wilson"
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


def limits(study, level=0.95, **arguments):
    row = study.auc(interval=WORD, confidence_level=level, **arguments).iloc[0]
    return row["ci_low"], row["ci_high"]


def worked(which):
    scores = {"d1": examples.D1, "perfect": examples.D1 + examples.Y}
    if which in scores:
        return rs.Study(examples.Y, scores[which])
    return rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")


# docs/methods/effective-size.md, "Worked effective sizes": D1, the CT ratings, and D1 with every
# positive raised by 1
@pytest.mark.parametrize(
    ("which", "level", "printed"),
    [
        ("d1", 0.95, (0.60876129, 0.96195925)),
        ("d1", 0.90, (0.65732261, 0.95351551)),
        ("d1", 0.99, (0.51301320, 0.97392502)),
        ("ct", 0.95, (0.81526271, 0.94061671)),
        ("perfect", 0.95, (0.75929798, 1.0)),
    ],
)
def test_printed_limits(which, level, printed):
    assert limits(worked(which), level) == pytest.approx(printed, abs=5.1e-9)


# docs/methods/effective-size.md, "Worked effective sizes"
@pytest.mark.parametrize(
    ("which", "share", "df"),
    [
        ("d1", 0.065086435, 31.59159232),
        ("ct", 0.010261790, 110.13289388),
        ("perfect", 0.075925926, 29.63394400),
    ],
)
def test_printed_sizes_and_degrees_of_freedom(which, share, df):
    study = worked(which)
    row = study.auc(interval=WORD, null_value=0.6).iloc[0]
    assert row["df"] == pytest.approx(df, abs=5.1e-9)
    # statistic = (A - 0.6)/sqrt(V 0.6 0.4)
    found = (row["estimate"] - 0.6) ** 2 / (row["statistic"] ** 2 * 0.24)
    assert found == pytest.approx(share, abs=5.1e-10)


# docs/methods/effective-size.md, "Worked effective sizes": lower limits at A = 1
@pytest.mark.parametrize(
    ("m", "n", "printed"),
    [
        (5, 5, 0.6377726),
        (10, 10, 0.7841080),
        (50, 50, 0.9502773),
        (10, 50, 0.7972749),
        (10, 1000, 0.7728949),
    ],
)
def test_printed_limits_of_a_perfect_area(m, n, printed):
    low, high = limits(rs.Study([1] * m + [0] * n, np.arange(m + n)[::-1]))
    assert high == 1
    assert low == pytest.approx(printed, abs=5.1e-8)


def test_a_perfect_area_has_a_lower_limit_in_closed_form():
    m, n = 9, 31
    row = rs.Study([1] * m + [0] * n, np.arange(m + n)[::-1]).auc(interval=WORD, null_value=0.5)
    n0 = 1.5 * m * n * (m + n) / (m**2 + n**2)
    q = stats.t.ppf(0.975, row["df"][0])
    assert row["ci_low"][0] == pytest.approx(n0 / (n0 + q**2), abs=1e-12)


def test_printed_limits_of_constant_scores():
    study = rs.Study([1] * 10 + [0] * 10, np.ones(20))
    assert limits(study) == pytest.approx((0.26767910, 0.73232090), abs=5.1e-9)


def recipe(area, s10, s01, m, n, units, level):
    """The limits by a root search of the score equation, and the degrees of freedom.

    docs/methods/effective-size.md, "Recipe of the effective sample size", step by step.
    """
    e = np.sqrt((1 / m + 1 / n) / 2) / 8
    pi10, pi01 = 2 / 3 * n / (m + n), 2 / 3 * m / (m + n)
    q = area * (1 - area)
    r10, r01 = (s10 + e * pi10) / (q + e), (s01 + e * pi01) / (q + e)
    if s10 == s01 == 0:
        r10, r01 = pi10, pi01
    a, b = r10 / m, r01 / n
    df = (a + b) ** 2 / (a**2 / (units[0] + 7) + b**2 / (units[1] + 7))
    k = stats.t.ppf((1 + level) / 2, df) ** 2 * (a + b)

    def excess(theta):
        return (area - theta) ** 2 - k * theta * (1 - theta)

    edge = 1e-15  # next to the trivial root at an area of 0 or 1
    low = 0.0 if area == 0 else brentq(excess, 0.0, area - edge * (area == 1), xtol=1e-15)
    high = 1.0 if area == 1 else brentq(excess, area + edge * (area == 0), 1.0, xtol=1e-15)
    return (low, high), df


@given(samples(), st.sampled_from(LEVELS))
def test_limits_are_the_roots_of_the_score_equation(data, level):
    y, (score,) = data
    pairs = np.sign(score[y == 1][:, np.newaxis] - score[y == 0]) / 2 + 0.5
    m, n = pairs.shape
    # Whole numbers of half wins: constant placements have a variance of exactly 0.
    v10, v01 = (2 * pairs).sum(axis=1), (2 * pairs).sum(axis=0)
    s10, s01 = v10.var(ddof=1) / (2 * n) ** 2, v01.var(ddof=1) / (2 * m) ** 2
    area = pairs.mean()
    area = round(area) if abs(area - round(area)) < 1e-12 else area
    wanted, df = recipe(area, s10, s01, m, n, (m, n), level)
    study = rs.Study(y, score)
    assert limits(study, level) == pytest.approx(wanted, abs=1e-9)
    assert study.auc(interval=WORD, null_value=0.4)["df"][0] == pytest.approx(df, rel=1e-9)


@given(samples())
def test_symmetries_the_range_and_the_width(data):
    y, (score,) = data
    low, high = limits(rs.Study(y, score))
    estimate = rs.Study(y, score).auc()["estimate"][0]
    assert 0 <= low <= estimate <= high <= 1
    assert low < high
    for mirrored in (rs.Study(y, -score), rs.Study(1 - y, score)):
        assert limits(mirrored) == pytest.approx((1 - high, 1 - low), abs=1e-12)
    assert limits(rs.Study(1 - y, -score)) == pytest.approx((low, high), abs=1e-12)


@given(samples())
def test_a_higher_level_holds_a_lower_one(data):
    y, (score,) = data
    low, high = np.transpose([limits(rs.Study(y, score), level) for level in LEVELS])
    # At an area of 0 or 1 one limit is that area at every level.
    assert (np.diff(low) < 0).all() or (low == 0).all()
    assert (np.diff(high) > 0).all() or (high == 1).all()


@given(samples())
def test_only_ranks_matter(data):
    y, (score,) = data
    plain = limits(rs.Study(y, score))
    for moved in (np.exp(score), score**3 - 5, np.arctan(score)):
        assert limits(rs.Study(y, moved)) == plain


def test_one_sided_limits_are_those_of_the_lower_level():
    low, high = limits(worked("d1"), 0.95, alternative="greater")
    assert (low, high) == pytest.approx((0.65732261, 1.0), abs=5.1e-9)


def test_it_becomes_wald_as_cases_grow():
    table = rs.load_ct_ratings()
    many = rs.Study("abnormal", "rating", data=table.assign(n=table["n"] * 10**8), frequency="n")
    wald = many.auc(interval="wald").iloc[0]
    # The weight of the prior falls as 1/sqrt(H): 1e-6 of a width of 1e-5.
    assert limits(many) == pytest.approx((wald["ci_low"], wald["ci_high"]), abs=1e-8)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("which", ["d1", "ct", "perfect"])
def test_the_test_inverts_the_interval(which, level):
    study = worked(which)
    low, high = limits(study, level)
    for limit in {low, high} - {0.0, 1.0}:
        p = study.auc(interval=WORD, null_value=limit)["p_value"][0]
        assert p == pytest.approx(1 - level, abs=1e-9)
    if level == 0.5:  # the one-sided limit is the estimate
        return
    low, _ = limits(study, level, alternative="greater")
    p = study.auc(interval=WORD, null_value=low, alternative="greater")["p_value"][0]
    assert p == pytest.approx(1 - level, abs=1e-9)


def test_clusters_of_repeated_cases_count_once():
    y, score = np.repeat(examples.Y, 2), np.repeat(examples.D1, 2)
    doubled = rs.Study(y, score, cluster=np.repeat(np.arange(18), 2))
    once = rs.Study(examples.Y, examples.D1)
    spread = estimate_areas(doubled.cases, [0], spread=True).spread
    # The two of a pair have one variance between them: m* is held at the 8 clusters, n* at the 10.
    assert (spread.n_pos, spread.n_neg) == (8, 10)
    # DeLong's parts of doubled cases have the factors 16/15 and 20/19 for 8/7 and 10/9, in which
    # proportion v, that of the cases once, is split; all that follows is the recipe.
    s10, s01 = area_covariance(once.cases, [0]).components[:, 0] * (8, 10)
    wrong10, wrong01 = s10 / 8 * (7 / 15), s01 / 10 * (9 / 19)
    scale = (s10 / 8 + s01 / 10) / (wrong10 + wrong01)
    wanted, _ = recipe(0.8625, wrong10 * scale * 8, wrong01 * scale * 10, 8, 10, (8, 10), 0.95)
    assert limits(doubled) == pytest.approx(wanted, abs=1e-9)


def test_clusters_shrink_the_sizes_by_their_design_effect(rng):
    cluster = np.repeat(np.arange(30), 5)
    y = (cluster < 12).astype(int)  # clusters of one class: their cases help less than they would
    score = rng.normal(size=30)[cluster] + rng.normal(size=150) + y
    clustered, plain = rs.Study(y, score, cluster=cluster), rs.Study(y, score)
    found, parts = (area_covariance(study.cases, [0]) for study in (clustered, plain))
    v = found.covariance[0, 0]
    share = parts.covariance[0, 0] / v
    m, n = 60 * share, 90 * share
    assert 12 < m < 60  # neither end of the ranges of m* and n*
    assert 18 < n < 90
    s10, s01 = parts.components[:, 0] / share * (m, n)
    wanted, df = recipe(found.area[0], s10, s01, m, n, (12, 18), 0.95)
    assert limits(clustered) == pytest.approx(wanted, abs=1e-9)
    row = clustered.auc(interval=WORD, null_value=0.5).iloc[0]
    assert row["df"] == pytest.approx(df, rel=1e-9)


RANGES = [("fpr", 0.0, 0.2), ("fpr", 0.1, 0.3), ("fpr", 0.0, 0.02), ("tpr", 0.8, 1.0)]


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("over", RANGES, ids=str)
@given(samples())
def test_a_range_counts_the_cases_expected_in_it(over, data):
    y, (score,) = data
    over = AreaRange(*over)
    study = rs.Study(y, score)
    area = estimate_areas(study.cases, [0], "delong", over, spread=True).take(0)
    parts = area_covariance(study.cases, [0], over=over).components[:, 0] / over.width**2
    m, n = (y == 1).sum(), (y == 0).sum()
    m, n = (m, max(1, n * over.width)) if over.axis == "fpr" else (max(1, m * over.width), n)
    if area.variance == 0:
        parts = np.zeros(2)
    s10, s01 = parts * (m, n)
    wanted, _ = recipe(area.value, s10, s01, m, n, (m, n), 0.95)
    frame = study.auc(interval=WORD, **{f"{over.axis}_range": (over.low, over.high)})
    rate = frame.iloc[2]  # the mean rate over the range
    assert rate["method"] == "delong/effective-wilson"
    assert (rate["ci_low"], rate["ci_high"]) == pytest.approx(wanted, abs=1e-9)
    assert 0 <= rate["ci_low"] < rate["ci_high"] <= 1


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@given(samples(), st.sampled_from([(0.8, 1.0), (0.7, 0.9), (0.5, 1.0)]))
def test_a_range_of_sensitivities_is_the_mirror_image(data, ends):
    """What is simulated over false positive rates holds for the mirrored study and range."""
    y, (score,) = data
    low, high = ends
    over_tpr = rs.Study(y, score).auc(interval=WORD, tpr_range=ends).iloc[2]
    over_fpr = rs.Study(1 - y, -score).auc(interval=WORD, fpr_range=(1 - high, 1 - low)).iloc[2]
    places = ["estimate", "se", "ci_low", "ci_high"]
    np.testing.assert_allclose(
        over_tpr[places].astype(float), over_fpr[places].astype(float), atol=1e-9
    )


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_the_whole_range_is_the_whole_area(axis):
    whole = worked("d1").auc(interval=WORD, **{f"{axis}_range": (0, 1)}).iloc[2]
    assert (whole["ci_low"], whole["ci_high"]) == pytest.approx(limits(worked("d1")), abs=1e-12)


def test_a_range_with_clusters_is_refused():
    study = rs.Study(examples.Y, examples.D1, cluster=np.arange(18) // 2)
    with pytest.raises(
        rs.InputError, match=r"resamples for a partial area of a study with clusters.*'logit'"
    ):
        study.auc(interval=WORD, fpr_range=(0, 0.5))


def test_the_former_word_is_refused_like_any_other():
    with pytest.raises(rs.InputError, match=r"`interval` must be .*'effective-wilson', 'perc"):
        worked("d1").auc(interval="effective-wilson-t")


def test_a_single_case_falls_back():
    row = rs.Study([1, 0, 0], [2, 1, 3]).auc(interval=WORD).iloc[0]
    assert row["method"] == "delong/newcombe"
