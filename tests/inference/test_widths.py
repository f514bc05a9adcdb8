"""No interval of finite data has zero width: tied, separated, alike, and all called or none."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import norm

import rocstats as rs

Z = norm.ppf(0.975)
Y = np.repeat([1, 0], [4, 5])
TIED = np.array([1.0, 1, 1, 0, 0, 0, 0, 0, 0])


def narrow(frame):
    """The rows whose limits are numbers that agree."""
    return frame[(frame["ci_high"] - frame["ci_low"]).abs() <= 1e-12]


@pytest.mark.parametrize(("threshold", "name"), [(-9, "ppv"), (9, "npv")])
def test_predictive_values_where_all_cases_are_called_alike(threshold, name):
    """Mercaldo: z^2/2 is added to each cell; the likelihood ratio is 1 without it."""
    frame = rs.Study(Y, TIED).operating_points(threshold=threshold, prevalence=0.2)
    row = frame[frame["quantity"] == name].iloc[0]
    k = Z**2 / 2
    own, other = (4, 5) if name == "ppv" else (5, 4)
    of_own, of_other = (own + k) / (own + 2 * k), (other + k) / (other + 2 * k)
    p = 0.2 if name == "ppv" else 0.8
    centre = np.log(of_own / of_other) + logit(p)
    reach = Z * np.sqrt((1 - of_own) / (own + k) + (1 - of_other) / (other + k))
    assert row["estimate"] == pytest.approx(p)
    assert row["ci_low"] == pytest.approx(min(expit(centre - reach), p))
    assert row["ci_high"] == pytest.approx(max(expit(centre + reach), p))
    assert "adjusted-cells" in row["note"]


def test_percentiles_that_agree_are_replaced_by_the_next_draws():
    study = rs.Study(Y, TIED)
    asked = {"interval": "percentile", "confidence_level": 0.02, "n_resamples": 100, "rng": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        row = study.auc(**asked).iloc[0]
    # half of what the positives have is the area: the negatives all score 0, in every resample
    draws = np.unique(np.round(study.auc_draws(n_resamples=100, rng=1)["estimate"], 12))
    middle = int(np.flatnonzero(np.isclose(draws, 0.875))[0])
    assert row["estimate"] == 0.875
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((draws[middle - 1], draws[middle + 1]))


@pytest.mark.parametrize("apart", [[0.02] * 8, [0.02] * 3 + [0.03] * 20])
def test_equal_differences_over_datasets_have_no_limits(apart):
    base = np.linspace(0.6, 0.8, len(apart))
    with pytest.warns(rs.StatisticalWarning, match="no-variance"):
        frame = rs.compare_over_datasets({"a": base + apart, "b": base})
    assert np.isnan(frame[["ci_low", "ci_high"]].to_numpy()).all()
    assert frame["estimate"][0] == pytest.approx(np.median(apart))
    # all signs are equal: the least two-sided p value of the signed rank test
    assert frame["p_value"][0] == pytest.approx(2.0 ** (1 - len(apart)))


@pytest.mark.parametrize("gap", [5, 8, 20])
@pytest.mark.parametrize("method", ["normal-theory", "kernel"])
def test_smoothed_cutpoints_of_separated_classes_have_no_limits_without_a_width(method, gap):
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 60)
    study = rs.Study(y, gap * y + 0.1 * rng.normal(size=120))
    with pytest.warns(rs.StatisticalWarning, match=r"no-variance|no-smooth-cutpoint"):
        frame = study.cutpoints(method=method)
    assert narrow(frame).empty
    unknown = frame[frame["ci_low"].isna()]
    assert unknown["note"].str.contains(r"no-variance|no-smooth-cutpoint").all()
    assert not unknown.empty
