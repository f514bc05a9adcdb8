from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests import examples
from tests.strategies import samples

FORMS = ("effective-wilson", "effective-wilson-t")


def limits(study, interval, level=0.95, **arguments):
    row = study.auc(interval=interval, confidence_level=level, **arguments).iloc[0]
    return row["ci_low"], row["ci_high"]


# docs/methods/effective-size.md, "Worked effective sizes": D1, the CT ratings, and D1 with every
# positive raised by 1
@pytest.mark.parametrize(
    ("which", "interval", "level", "printed"),
    [
        ("d1", "effective-wilson", 0.95, (0.625980651559, 0.959199726388)),
        ("d1", "effective-wilson-t", 0.95, (0.602902037056, 0.962847026778)),
        ("d1", "effective-wilson", 0.90, (0.669540639790, 0.951028907583)),
        ("d1", "effective-wilson", 0.99, (0.542458203062, 0.970749723756)),
        ("ct", "effective-wilson", 0.95, (0.818289905852, 0.939476687807)),
        ("ct", "effective-wilson-t", 0.95, (0.817137536326, 0.939914785709)),
        ("ct", "effective-wilson", 0.99, (0.789049460572, 0.949208199663)),
        ("perfect", "effective-wilson", 0.95, (0.804661334858, 1.0)),
        ("perfect", "effective-wilson-t", 0.95, (0.776031136102, 1.0)),
    ],
)
def test_printed_examples(ct, which, interval, level, printed):
    study = {
        "d1": rs.Study(examples.Y, examples.D1),
        "ct": ct,
        "perfect": rs.Study(examples.Y, examples.D1 + examples.Y),
    }[which]
    assert limits(study, interval, level) == pytest.approx(printed, abs=5e-13)


# docs/methods/effective-size.md, "Worked effective sizes", degrees of freedom of the t form
@pytest.mark.parametrize(("shift", "df"), [(0, 15.339745834667), (1, 14.561727188992)])
def test_printed_degrees_of_freedom(shift, df):
    study = rs.Study(examples.Y, examples.D1 + shift * examples.Y)
    row = study.auc(interval="effective-wilson-t", null_value=0.6).iloc[0]
    assert row["df"] == pytest.approx(df, abs=5e-13)


# docs/methods/effective-size.md, "Worked effective sizes": lower limits at A = 1, z and t
@pytest.mark.parametrize(
    ("m", "n", "z", "t"),
    [
        (5, 5, 0.6844744, 0.6104564),
        (10, 10, 0.8255728, 0.8046586),
        (20, 20, 0.9083986, 0.9028718),
        (50, 50, 0.9622945, 0.9613825),
        (10, 50, 0.8544783, 0.8200078),
    ],
)
def test_printed_limits_of_a_perfect_area(m, n, z, t):
    study = rs.Study([1] * m + [0] * n, np.arange(m + n)[::-1])
    for interval, low in zip(FORMS, (z, t), strict=True):
        assert limits(study, interval) == pytest.approx((low, 1.0), abs=5.1e-8)


def test_constant_scores():
    study = rs.Study([1] * 10 + [0] * 10, np.ones(20))
    assert limits(study, FORMS[0]) == pytest.approx((0.2911776, 0.7088224), abs=5e-8)


def test_one_sided_limits_are_those_of_the_lower_level():
    study = rs.Study(examples.Y, examples.D1)
    low, high = limits(study, FORMS[0], 0.95, alternative="greater")
    assert (low, high) == pytest.approx((0.669540639790, 1.0), abs=5e-13)


@given(samples(), st.sampled_from(FORMS))
def test_two_symmetries_and_the_range(data, interval):
    y, (score,) = data
    low, high = limits(rs.Study(y, score), interval)
    estimate = rs.Study(y, score).auc()["estimate"][0]
    assert 0 <= low <= estimate <= high <= 1
    assert low < high
    for mirrored in (rs.Study(y, -score), rs.Study(1 - y, score)):
        assert limits(mirrored, interval) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_it_becomes_wald_as_cases_grow(ct):
    many = rs.Study(
        "abnormal",
        "rating",
        data=rs.load_ct_ratings().assign(n=lambda d: d["n"] * 10**6),
        frequency="n",
    )
    for interval in FORMS:
        assert limits(many, interval) == pytest.approx(limits(many, "wald"), abs=1e-6)


def test_the_test_inverts_the_interval(ct):
    for interval in FORMS:
        low, _ = limits(ct, interval)
        p = ct.auc(interval=interval, null_value=low)["p_value"][0]
        assert p == pytest.approx(0.05, abs=1e-9)


def test_clusters_shrink_the_sizes():
    y, score = np.repeat(examples.Y, 2), np.repeat(examples.D1, 2)
    # each case twice in its cluster: the interval of the cases once, as the sizes shrink to them
    doubled = rs.Study(y, score, cluster=np.repeat(np.arange(18), 2))
    once = limits(rs.Study(examples.Y, examples.D1), FORMS[0])
    assert limits(doubled, FORMS[0]) == pytest.approx(once, abs=0.01)
    assert limits(rs.Study(y, score), FORMS[0])[0] > once[0] + 0.03


def test_a_single_case_falls_back():
    row = rs.Study([1, 0, 0], [2, 1, 3]).auc(interval=FORMS[0]).iloc[0]
    assert row["method"] == "delong/newcombe"
