"""Two published areas compared: against the same areas compared with their cases."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.errors import InputError


@pytest.fixture
def study(rng):
    y = np.repeat([1, 0], [40, 60])
    base = rng.normal(size=100) + 1.2 * y
    scores = {"a": base + rng.normal(size=100), "b": base + rng.normal(size=100)}
    return rs.Study(y, scores, group=np.tile(["u", "v"], 50))


COMPARED = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]


def test_two_areas_of_the_same_cases(study):
    """Area, standard error and covariance of the study, as if they had been printed."""
    whole = rs.Study(study.is_positive.astype(int), dict(zip("ab", study.scores, strict=True)))
    areas = whole.auc()
    compared = whole.compare_auc(interval="wald").iloc[0]
    (first, other), (s1, s2) = areas["estimate"], areas["se"]
    r = (s1**2 + s2**2 - compared["se"] ** 2) / (2 * s1 * s2)
    found = rs.compare_published_auc(first, other, se=s1, reference_se=s2, correlation=r).iloc[0]
    assert found[COMPARED].tolist() == pytest.approx(compared[COMPARED].tolist(), abs=1e-12)
    assert found["quantity"] == compared["quantity"] == "auc_difference"
    assert found["method"] == "published/wald"


def test_two_areas_of_different_cases(study):
    areas = study.auc()
    areas = areas[areas["predictor"] == "a"]
    compared = study.compare_auc(across="groups", interval="wald")
    compared = compared[compared["predictor"] == "a"].iloc[0]
    (first, other), (s1, s2) = areas["estimate"], areas["se"]
    found = rs.compare_published_auc(first, other, se=s1, reference_se=s2).iloc[0]
    assert found[COMPARED].tolist() == pytest.approx(compared[COMPARED].tolist(), abs=1e-12)


def test_standard_errors_from_numbers_of_cases(study):
    """Hanley & McNeil (1982), equation 3, as ``auc`` has it for the same sizes."""
    whole = rs.Study(study.is_positive.astype(int), study.scores[0])
    area = whole.auc(variance="hanley-mcneil").iloc[0]
    sizes = {"n_pos": 40, "n_neg": 60, "reference_n_pos": 9, "reference_n_neg": 5}
    found = rs.compare_published_auc(area["estimate"], 0.5, **sizes).iloc[0]
    # Of an area of 1/2: Q1 = Q2 = 1/3.
    other = (1 / 4 + (9 - 1) / 12 + (5 - 1) / 12) / 45
    assert found["se"] == pytest.approx(math.hypot(area["se"], other**0.5), abs=1e-12)
    assert [found[name] for name in sizes] == list(sizes.values())
    assert found["method"] == "published-hanley-mcneil/wald"
    mixed = rs.compare_published_auc(
        area["estimate"], 0.5, se=area["se"], reference_n_pos=9, reference_n_neg=5
    ).iloc[0]
    assert mixed["se"] == pytest.approx(found["se"], abs=1e-12)


def test_the_same_patients_have_the_same_numbers():
    both = {"n_pos": 60, "n_neg": 90, "reference_n_pos": 60, "reference_n_neg": 90}
    alike = rs.compare_published_auc(0.85, 0.78, correlation=0.4, n_pos=60, n_neg=90)
    assert alike.equals(rs.compare_published_auc(0.85, 0.78, correlation=0.4, **both))


def test_a_margin_is_tested_one_sided():
    asked = {"se": 0.03, "reference_se": 0.035, "hypothesis": "non-inferiority", "margin": 0.05}
    row = rs.compare_published_auc(0.85, 0.86, **asked).iloc[0]
    assert row["null_value"] == -0.05
    z = (-0.01 + 0.05) / math.hypot(0.03, 0.035)
    assert row["p_value"] == pytest.approx(stats.norm.sf(z), abs=1e-12)


def test_limits_end_at_the_range_of_a_difference():
    row = rs.compare_published_auc(0.99, 0.02, se=0.3, reference_se=0.3).iloc[0]
    assert row["ci_high"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"se": 0.03}, "`reference_se` must be given, or both `reference_n_pos` and"),
        ({"se": 0.6, "reference_se": 0.1}, "`se` must be a number strictly between 0 and 0.5"),
        ({"se": 0.0, "reference_se": 0.1}, "`se` must be a number strictly between 0 and 0.5"),
        ({"se": 0.1, "n_pos": 3, "reference_se": 0.1}, "`n_pos` must be left out with `se`"),
        ({"n_pos": 3, "reference_se": 0.1}, "`se` must be given, or both `n_pos` and `n_neg`"),
        ({"n_pos": 3.5, "n_neg": 2, "reference_se": 0.1}, "`n_pos` must be a whole number >= 1"),
        ({"se": 0.1, "reference_se": 0.1, "correlation": 1}, "`correlation` must be a number"),
        ({"se": 0.1, "reference_se": 0.1, "auc": 1.0}, "`auc` must be a number strictly between"),
        ({"se": 0.1, "reference_se": 0.1, "predictor": 3}, "`predictor` must be"),
        ({"se": 0.1, "reference_se": 0.1, "margin": 0.1}, "`margin` must stay None"),
    ],
)
def test_what_is_wrong_is_named(options, message):
    with pytest.raises(InputError, match=re.escape(message)):
        rs.compare_published_auc(**{"auc": 0.8, "reference_auc": 0.7, **options})
