"""The interval of the LC index; its estimates are tested beside the superiority curve."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.resample import Streams, draw_weights
from tests import examples

BELIEF = {"low": 0.3, "mode": 0.4, "high": 0.7}
PAIR = {"a": examples.D1, "b": examples.D3}


def ask(study, **arguments):
    asked = {**BELIEF, "interval": "percentile", "n_resamples": 199, "rng": 5, **arguments}
    (row,) = study.lc_index(**asked).to_dict("records")
    return row


@pytest.mark.parametrize("prevalence", [None, 0.3])
@pytest.mark.parametrize("role", ["none", "sample_weight", "cluster"])
def test_limits_are_order_statistics_of_indices_of_resamples(prevalence, role):
    """Each resample is asked for its index, as a group with its cases as weights."""
    roles = {
        "none": {},
        "sample_weight": {"sample_weight": np.tile([1.0, 2.0, 0.5], 6)},
        "cluster": {"cluster": np.arange(18) % 9},
    }[role]
    study = rs.Study(examples.Y, PAIR, **roles)
    row = ask(study, prevalence=prevalence)
    stratified = prevalence is not None and role != "cluster"
    weights = draw_weights(Streams(5, 0, 2), study.cases, 199, stratified=stratified)
    again = rs.Study(
        np.tile(examples.Y, 199),
        {name: np.tile(score, 199) for name, score in PAIR.items()},
        sample_weight=np.ravel(weights),
        group=np.repeat(np.arange(199), 18),
    )
    drawn = again.lc_index(**BELIEF, prevalence=prevalence)["estimate"]
    assert len(drawn) == 199
    ordered = np.sort(drawn)
    # ranks ceil(200 * .025) = 5 from either end
    assert row["ci_low"] == pytest.approx(ordered[4], abs=1e-12)
    assert row["ci_high"] == pytest.approx(ordered[-5], abs=1e-12)
    assert row["se"] == pytest.approx(np.std(drawn, ddof=1))
    assert row["method"] == "resamples/percentile"
    assert row["confidence_level"] == 0.95
    assert row["estimate"] == study.lc_index(**BELIEF, prevalence=prevalence)["estimate"][0]


def test_the_printed_example_has_an_interval(crossing):
    """docs/methods/costs.md, "Worked costs", 20 cases a class."""
    row = ask(crossing, prevalence=0.5)
    assert row["estimate"] == pytest.approx(-0.5650888, abs=5e-8)
    assert -1 <= row["ci_low"] < row["estimate"] < row["ci_high"] <= 1
    swapped = ask(crossing, prevalence=0.5, reference="A")
    assert (swapped["predictor"], swapped["reference"]) == ("B", "A")
    assert swapped["estimate"] == -row["estimate"]
    assert (swapped["ci_low"], swapped["ci_high"]) == (-row["ci_high"], -row["ci_low"])


def test_resamples_that_are_all_alike_give_no_limits():
    y = np.repeat([1, 0], 20)
    study = rs.Study(y, {"perfect": y, "useless": np.tile([0, 1], 20)})
    with pytest.warns(rs.StatisticalWarning, match="no-resampled-spread"):
        row = ask(study)
    assert row["estimate"] == 1
    assert np.isnan([row["se"], row["ci_low"], row["ci_high"]]).all()


def test_resamples_that_are_nearly_all_alike_give_their_range(rng):
    y = np.repeat([1, 0], 40)
    study = rs.Study(y, {"good": 1.9 * y + rng.normal(size=80), "poor": rng.normal(size=80)})
    row = ask(study, n_resamples=2000)
    assert row["note"] == "resampled-range"
    assert row["ci_low"] < row["ci_high"] == 1


def test_groups_and_what_lacks_a_class():
    y = [*examples.Y, 1, 1]
    scores = {"a": [*examples.D1, 1, 2], "b": [*examples.D3, 2, 1]}
    study = rs.Study(y, scores, group=["u"] * 18 + ["v"] * 2)
    with pytest.warns(rs.StatisticalWarning, match="one-class"):
        frame = study.lc_index(**BELIEF, interval="percentile", n_resamples=100, rng=1)
    assert frame["note"].tolist() == ["", "one-class"]
    assert np.isfinite(frame["ci_low"][0])
    assert np.isnan(frame["ci_low"][1])
    assert frame.attrs["rocstats"]["n_resamples"] == 100


def test_folds_are_pooled_and_noted():
    study = rs.Study(examples.Y, PAIR, fold=np.arange(18) % 2)
    with pytest.warns(rs.StatisticalWarning, match="pooled-folds"):
        row = ask(study)
    plain = ask(rs.Study(examples.Y, PAIR))
    assert row["note"] == "pooled-folds"
    assert (row["ci_low"], row["ci_high"]) == (plain["ci_low"], plain["ci_high"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"interval": "bca"}, "`interval` must be one of"),
        ({"confidence_level": 0}, "`confidence_level` must be a number strictly"),
        ({"n_resamples": 5}, "`n_resamples` must be a whole number"),
        ({"rng": 0.5}, "`rng` must be None"),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(rs.InputError, match=message):
        ask(rs.Study(examples.Y, PAIR), **arguments)
