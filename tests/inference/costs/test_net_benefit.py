"""Questions of net benefit: roles, thresholds of scores that are no risks, hypotheses, refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import rocstats as rs
from rocstats.study.points import thresholds_of_risks
from tests import examples
from tests.quick import each

PAIR = {"a": examples.D1, "b": examples.D2}
Z = norm.ppf(0.975)
ASKED = {
    "net_benefit": {"risk_threshold": [0.2, 0.4]},
    "compare_net_benefit": {"risk_threshold": [0.2, 0.4]},
    "net_benefit_band": {"risk_threshold": (0.2, 0.5), "rng": 1},
    "mean_net_benefit": {"risk_threshold": (0.2, 0.5)},
}
NUMBERS = ["estimate", "ci_low", "ci_high"]


def numbers(study, question, **more):
    return getattr(study, question)(**ASKED[question], **more)[NUMBERS].to_numpy()


@pytest.mark.parametrize("question", list(ASKED))
def test_folds_are_pooled_with_a_note(question, pair):
    study = rs.Study(examples.Y, PAIR, fold=np.arange(18) % 2)
    frame = getattr(study, question)(**ASKED[question])
    assert frame["note"].str.contains("pooled-folds").all() or question == "net_benefit_band"
    np.testing.assert_array_equal(frame[NUMBERS], numbers(pair, question))


def test_weights_have_estimates_only(pair):
    weighted = rs.Study(examples.Y, PAIR, sample_weight=np.ones(18))
    for question in ("net_benefit", "mean_net_benefit"):
        frame = getattr(weighted, question)(**ASKED[question])
        np.testing.assert_allclose(frame["estimate"], numbers(pair, question)[:, 0], atol=1e-14)
        assert frame[["se", "ci_low", "ci_high"]].isna().all(axis=None)
        assert frame["note"].str.startswith("weights-need-bootstrap").all()
    halved = rs.Study(examples.Y, examples.D1, sample_weight=np.where(examples.Y == 1, 1, 0.5))
    row = halved.net_benefit(risk_threshold=0.4).iloc[0]
    # 8 true positives, 2.5 weighted false ones of 13
    assert row["estimate"] == pytest.approx(8 / 13 - 2 / 3 * 2.5 / 13)
    assert row["prevalence"] == pytest.approx(8 / 13)


def test_thresholds_of_other_scales(pair):
    scores = {"a": examples.D1, "grade": 6 - np.floor(5 * examples.D1)}
    study = rs.Study(examples.Y, scores, higher_is_positive={"a": True, "grade": False})
    cuts = {"grade": {0.2: 5, 0.4: 4.0}}
    frame = study.net_benefit(risk_threshold=[0.4, 0.2], threshold=cuts)
    own = frame[(frame["predictor"] == "grade") & (frame["quantity"] == "net_benefit")]
    np.testing.assert_array_equal(own["threshold"], [5, 4])
    np.testing.assert_array_equal(own["direction"], "<=")
    np.testing.assert_array_equal(own["note"], "")
    called = 6 - np.floor(5 * examples.D1) <= 5
    assert own["tp"].iloc[0] == (called & (examples.Y == 1)).sum()
    compared = study.compare_net_benefit(risk_threshold=0.2, threshold=cuts).iloc[0]
    assert (compared["threshold"], compared["reference_threshold"]) == (0.2, 5)
    assert compared["reference_direction"] == "<="
    assert "scores-taken-as-risks" in compared["note"]


@pytest.mark.parametrize("interval", ["mover", "wald"])
@pytest.mark.parametrize("reference", [None, "treat-all"])
def test_the_test_inverts_the_limits(pair, reference, interval):
    asked = {"reference": reference, "interval": interval, "adjust": "none"}
    for row in pair.compare_net_benefit(risk_threshold=[0.4, 0.5], **asked).to_dict("records"):
        level = 1 - row["p_value"]
        again = pair.compare_net_benefit(
            risk_threshold=row["risk_threshold"], confidence_level=level, **asked
        )
        again = again[again["predictor"] == row["predictor"]].iloc[0]
        end = "ci_low" if row["estimate"] > 0 else "ci_high"
        assert again[end] == pytest.approx(0, abs=1e-9)


def test_margins(pair):
    asked = {"risk_threshold": 0.5, "adjust": "none"}
    limit = pair.compare_net_benefit(**asked).iloc[0]["ci_low"]
    for margin, rejected in ((-limit + 1e-6, True), (-limit - 1e-6, False)):
        row = pair.compare_net_benefit(hypothesis="non-inferiority", margin=margin, **asked).iloc[0]
        assert (row["p_value"] < 0.025) == rejected
    one = pair.compare_net_benefit(alternative="greater", **asked).iloc[0]
    assert one["p_value"] == pytest.approx(norm.sf(one["statistic"]))


def test_notes_of_what_is_not_estimated(pair):
    frame = pair.net_benefit(risk_threshold=0.2, prevalence=0.1)
    rule = frame[frame["predictor"] == "treat-all"]
    assert rule["note"].tolist() == ["given-prevalence"] * 2
    assert rule["estimate"].tolist() == pytest.approx([-0.125, -1.25])
    right = rs.Study(examples.Y, examples.Y * 0.8, predictor="right")
    row = right.net_benefit(risk_threshold=0.5, interval="wald")
    row = row[row["predictor"] == "right"].set_index("quantity")
    assert row.loc["standardized_net_benefit", "note"].startswith("no-width")
    assert row.loc["standardized_net_benefit", "estimate"] == 1
    assert row.loc["standardized_net_benefit", "ci_low"] < 0.9
    assert (
        (right.mean_net_benefit(risk_threshold=(0.1, 0.5), prevalence=0.1)["note"])
        .iloc[0]
        .startswith("no-variance")
    )


def test_limits_end_at_the_largest_value():
    # Three positives and a negative: the mean less or more 1.96 standard errors ends at 1.13.
    rows = rs.Study([1, 1, 1, 0], [0.9, 0.8, 0.2, 0.6]).mean_net_benefit(risk_threshold=(0.1, 0.4))
    assert (rows["estimate"] + Z * rows["se"] > 1).all()
    assert (rows["ci_high"] == 1).all()
    gain = np.array([0.3, 0.3, 0.1, -(-0.3 - np.log(0.6) + np.log(0.9))]) / 0.3
    u2 = (gain - gain.mean()) ** 2
    t = student.ppf(0.975, u2.sum() ** 2 / (u2**2).sum())
    low = rows["estimate"][0] - t * rows["se"][0]
    assert rows["ci_low"][0] == pytest.approx(low)
    # Without spread, limits are those of the net benefit, .78 at most, over the prevalence of 1/2.
    followed = rs.SurvivalStudy(
        np.arange(1.0, 9), [1] * 7 + [0], np.arange(9.0, 1, -1), predictor="s"
    )
    rows = followed.net_benefit(risk_threshold=0.5, time=4, threshold={"s": {0.5: 5.5}})
    benefit, standardized = rows["ci_high"].tolist()[:2]
    assert benefit / 0.5 > 1.5
    assert standardized == 1


def test_one_cluster_has_no_limits():
    study = rs.Study(examples.Y, PAIR, cluster=np.ones(18))
    for question in ("net_benefit", "compare_net_benefit", "mean_net_benefit"):
        frame = getattr(study, question)(**ASKED[question])
        assert frame[["se", "ci_low", "ci_high"]].isna().all(axis=None)
        assert frame["note"].str.contains("few-clusters").all()


def test_a_band_is_of_all_scores_if_they_are_few(pair):
    band = rs.Study(examples.Y, examples.D1).net_benefit_band(risk_threshold=(0.2, 0.5), rng=1)
    assert band["risk_threshold"].tolist() == [0.2, 0.21, 0.33, 0.41, 0.45, 0.5]
    again = pair.net_benefit_band(risk_threshold=(0.2, 0.5), reference="b", n_points=9, rng=3)
    assert again["risk_threshold"].nunique() == 9
    assert again.attrs["rocstats"]["seed"] == 3
    pd.testing.assert_frame_equal(
        again, pair.net_benefit_band(risk_threshold=(0.2, 0.5), reference="b", n_points=9, rng=3)
    )
    n = 300
    y, x = np.repeat([1, 0], n), np.linspace(0.05, 0.6, 2 * n)
    for shift in (0.3, -0.3):
        beside = rs.Study(y, np.where(y == 1, x + shift, x) + 0.3 * (shift < 0)).net_benefit_band(
            risk_threshold=(0.3, 0.6), reference="treat-all", rng=1
        )
        clear = beside["ci_low"] > 0 if shift > 0 else beside["ci_high"] < 0
        assert (beside["note"].str.startswith("excludes-zero") == clear).all()
        assert clear.any()
    # More scores than the points that are asked for by default.
    assert len(rs.Study(y, x).net_benefit_band(risk_threshold=(0.1, 0.5), rng=1)) == 100


REFUSED = [
    ({"risk_threshold": 0}, "`risk_threshold` must be a number strictly between 0 and 1"),
    ({"risk_threshold": "0.1"}, "`risk_threshold` must be a number strictly between 0 and 1"),
    ({"risk_threshold": []}, "`risk_threshold` must be a number strictly between 0 and 1"),
    ({"threshold": 0.5}, "`threshold` must map predictors to their thresholds"),
    ({"threshold": {"c": {0.2: 1}}}, "`threshold` must name predictors; got ['c']"),
    ({"threshold": {"a": {0.3: 1}}}, "none for [0.2]. Add the missing thresholds."),
    ({"threshold": {"a": {0.2: np.inf}}}, "`threshold` must have finite numbers for 'a'"),
    ({"prevalence": 1.0}, "`prevalence` must be a number strictly between 0 and 1"),
    ({"interval": "tango"}, "`interval` must be one of 'mover', 'wald'; got 'tango'."),
]


@each(("arguments", "message"), REFUSED)
@each("question", ["net_benefit", "compare_net_benefit"])
def test_wrong_arguments(pair, question, arguments, message):
    with pytest.raises(rs.InputError) as refused:
        getattr(pair, question)(**{"risk_threshold": 0.2, **arguments})
    assert message in str(refused.value)


def test_scores_that_are_no_risks():
    y = [1, 0, 1, 0]
    cases = {
        "`y_score` must be risks in [0, 1]; got scores of 'a' from 1 to 4.": rs.Study(
            y, {"a": [4, 2, 3, 1]}
        ),
        "`higher_is_positive` must be True for a risk; got False for 'a'.": rs.Study(
            y, {"a": [0.1, 0.2, 0.3, 0.4]}, higher_is_positive=False
        ),
        "`y_score` must not name a predictor 'treat-all'": rs.Study(
            y, {"treat-all": [0.1, 0.2, 0.3, 0.4]}
        ),
    }
    for message, study in cases.items():
        for question, asked in ASKED.items():
            with pytest.raises(rs.InputError) as refused:
                getattr(study, question)(**{"reference": "treat-all"} | asked if question
                    != "net_benefit" else asked)  # fmt: skip
            assert message in str(refused.value)
    strict = {"a": {0.2: 3, 0.4: 2}}
    with pytest.raises(rs.InputError, match="`threshold` must become stricter for 'a'"):
        rs.Study(y, {"a": [4, 2, 3, 1]}).net_benefit(risk_threshold=[0.2, 0.4], threshold=strict)
    with pytest.raises(rs.InputError, match="`reference` must be 'treat-all' for a study of one"):
        rs.Study(y, [0.1, 0.2, 0.3, 0.4]).compare_net_benefit(risk_threshold=0.2)


@each("ends", [(0.5, 0.2), (0, 0.5), (0.2, 1), 0.3, "ab", (0.1, 0.2, 0.3)])
@each("question", ["net_benefit_band", "mean_net_benefit"])
def test_wrong_ranges(pair, question, ends):
    with pytest.raises(rs.InputError, match="must be two numbers, 0 < low < high < 1; got"):
        getattr(pair, question)(risk_threshold=ends)


def test_too_many_points(pair):
    with pytest.raises(rs.InputError, match="`n_points` must be 1000 at most; got 1001"):
        pair.net_benefit_band(risk_threshold=(0.2, 0.5), n_points=1001)


def test_a_risk_that_equals_a_threshold_but_for_rounding_is_at_it():
    # np.arange(0.01, 0.36, 0.01) is off the hundredths by up to three units in the last place.
    drawn, n = np.random.default_rng(1), 400
    risk = drawn.beta(1.2, 4, n).round(2).clip(0.01, 0.99)
    y = (drawn.random(n) < risk).astype(int)
    steps, hundredths = np.arange(0.01, 0.36, 0.01), np.arange(1, 36) / 100
    assert (steps != hundredths).sum() > 5
    study = rs.Study(y, risk, predictor="p")
    frame = study.net_benefit(risk_threshold=steps)
    found = frame[(frame["predictor"] == "p") & (frame["quantity"] == "net_benefit")]["estimate"]
    called = risk[:, np.newaxis] >= hundredths
    odds = hundredths / (1 - hundredths)
    expected = (called & (y == 1)[:, np.newaxis]).mean(axis=0)
    expected = expected - odds * (called & (y == 0)[:, np.newaxis]).mean(axis=0)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_thresholds_of_risks_stay_in_order_and_take_the_lowest_equal_risk():
    next_up, next_down = np.nextafter(0.3, 1), np.nextafter(0.3, 0)
    risks = np.array([next_down, next_up, 0.1, 0.9])
    np.testing.assert_array_equal(thresholds_of_risks(np.array([0.3]), risks), [next_down])
    # five units in the last place are another number
    far = 0.3 - 5 * np.spacing(0.3)
    np.testing.assert_array_equal(thresholds_of_risks(np.array([0.3]), np.array([far])), [0.3])
    close = thresholds_of_risks(np.array([next_down, 0.3, next_up]), np.array([next_down, 0.2]))
    assert (np.diff(close) >= 0).all()
    assert (close <= [next_down, 0.3, next_up]).all()


def test_unequal_clusters_of_a_net_benefit_count_as_those_of_its_rates():
    """Clusters of one class: both rates are independent, and MOVER joins their own limits."""
    size = np.array([9, 1, 2, 1, 1, 8, 2, 1, 3, 1, 2, 1])
    cluster = np.repeat(np.arange(len(size)), size)
    y = (cluster % 2).astype(int)
    risk = np.tile([0.1, 0.3, 0.6, 0.15, 0.7, 0.25, 0.05], 5)[: len(y)]
    study = rs.Study(y, risk, cluster=cluster)
    rates = study.operating_points(threshold=0.2, quantities=("tpr", "fpr")).set_index("quantity")
    found = study.net_benefit(risk_threshold=0.2, prevalence=0.3).iloc[0]
    (tpr, low, high), (fpr, least, most) = rates[["estimate", "ci_low", "ci_high"]].to_numpy()
    gain, loss = 0.3, 0.7 * 0.2 / 0.8
    value = gain * tpr - loss * fpr
    limits = (
        value - np.hypot(gain * (tpr - low), loss * (most - fpr)),
        value + np.hypot(gain * (high - tpr), loss * (fpr - least)),
    )
    assert tuple(found[["ci_low", "ci_high"]]) == pytest.approx(limits, rel=1e-9)
