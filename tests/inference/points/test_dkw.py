"""Limits for every threshold at once: worked numbers, replicated rows, swaps, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.facts.measures import MEASURES, depends_on_prevalence
from tests import examples

LIMITS = ["ci_low", "ci_high"]


# docs/methods/points.md, "Worked limits for every threshold": 142 of 212 and 274 of 357;
# sqrt(ln(80)/424) = 0.10166105 and sqrt(ln(80)/714) = 0.07834087.
@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        ("tpr", (0.66981132, 0.56815027, 0.77147237)),
        ("tnr", (0.76750700, 0.68916613, 0.84584787)),
        # 0.1 t/(0.1 t + 0.9 f) at (0.56815027, 0.31083387) and (0.77147237, 0.15415213).
        ("ppv", (0.24248773, 0.16880823, 0.35735480)),
        # t - f at the same corners.
        ("youden", (0.43731832, 0.25731640, 0.61732024)),
    ],
)
def test_worked_limits(masses, quantity, expected):
    frame = masses.operating_points(threshold=20, interval="dkw", prevalence=0.1)
    row = frame.set_index("quantity").loc[quantity]
    assert row[["estimate", *LIMITS]].tolist() == pytest.approx(expected, abs=5e-9)
    assert row["method"] == ("binomial/dkw" if quantity[0] == "t" else "binomial/dkw-corners")
    assert row["note"] == ""


@given(st.integers(1, 200), st.floats(0, 1), st.floats(0.5, 0.999))
def test_limits_of_every_threshold_contain_those_of_one(size, share, level):
    rate = np.round(share * size) / size
    low, high = binomial_limits_of_rates(rate, size, "dkw", level)
    one_low, one_high = binomial_limits_of_rates(rate, size, "wilson", level)
    assert low <= one_low
    assert one_high <= high


def test_frequencies_are_repeated_rows():
    times = np.arange(18) % 3 + 1
    asked = {"threshold": [0.3, 0.6], "interval": "dkw", "prevalence": 0.2}
    grouped = rs.Study(examples.Y, examples.D1, frequency=times).operating_points(**asked)
    each = rs.Study(np.repeat(examples.Y, times), np.repeat(examples.D1, times))
    numbers = grouped.select_dtypes("number").columns
    np.testing.assert_allclose(
        grouped[numbers], each.operating_points(**asked)[numbers], rtol=1e-12
    )


def test_labels_swapped_exchange_the_rates_and_the_predictive_values():
    asked = {"threshold": 0.6, "interval": "dkw"}
    one = rs.Study(examples.Y, examples.D1).operating_points(prevalence=0.2, **asked)
    # Those not called positive at 0.6 are called by "<= the score before 0.6".
    below = examples.D1[examples.D1 < 0.6].max()
    other = rs.Study(1 - examples.Y, examples.D1, higher_is_positive=False)
    other = other.operating_points(threshold=below, interval="dkw", prevalence=0.8)
    one, other = one.set_index("quantity"), other.set_index("quantity")
    for first, second in (("tpr", "tnr"), ("ppv", "npv"), ("youden", "youden"), ("mcc", "mcc")):
        expected = other.loc[second, ["estimate", *LIMITS]].tolist()
        assert one.loc[first, ["estimate", *LIMITS]].tolist() == pytest.approx(expected, rel=1e-12)


def test_without_a_prevalence_measures_that_depend_on_it_have_no_limits(masses):
    frame = masses.operating_points(threshold=20, interval="dkw").set_index("quantity")
    dependent = list(filter(depends_on_prevalence, MEASURES))
    lacking = frame.loc[dependent]
    assert lacking["estimate"].notna().all()
    assert lacking[["se", *LIMITS]].isna().all(axis=None)
    assert (lacking["note"] == "limits-need-prevalence; study-prevalence").all()
    assert frame.drop(index=dependent)[LIMITS].notna().all(axis=None)


def test_clusters_are_refused_and_weights_leave_the_estimate():
    clustered = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    with pytest.raises(rs.InputError, match=r"`interval` must not be 'dkw' .* clusters"):
        clustered.operating_points(threshold=0.6, interval="dkw")
    weighted = rs.Study(examples.Y, examples.D1, sample_weight=np.linspace(1, 2, 18))
    frame = weighted.operating_points(threshold=0.6, interval="dkw")
    assert frame[["se", *LIMITS]].isna().all(axis=None)
    assert set(frame["note"]) == {"weights-need-bootstrap"}


def test_empty_cells_leave_one_limit_of_a_ratio():
    perfect = rs.Study.from_confusion(tp=5, fn=0, fp=0, tn=7)
    frame = perfect.operating_points(interval="dkw", quantities=["lr_positive", "odds_ratio"])
    assert np.isinf(frame[["estimate", "ci_high"]]).all(axis=None)
    # 0.662 and 0.559 are sqrt(ln(80)/10) and sqrt(ln(80)/14): (1 - .662)/.559, and of odds.
    assert frame["ci_low"].tolist() == pytest.approx([0.604, 0.402], abs=2e-3)
    assert frame["se"].isna().all()
    assert set(frame["note"]) == {"empty-cell"}


def test_the_methods_paragraph_names_the_inequality(masses):
    table = rs.format_table(masses.operating_points(threshold=20, interval="dkw"))
    text = " ".join(table.attrs["rocstats"]["footnotes"])
    assert "by the inequality of Dvoretzky, Kiefer and Wolfowitz" in text
