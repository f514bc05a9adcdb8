"""Differences of average precision: numbers, hypotheses, edges and roles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.estimate.precision import PrecisionPrevalence, precision_covariance
from tests.examples import D1, D1_CLUSTERS, D2, D3, Y

SCORES = {"d1": D1, "d2": D2, "d3": D3}
STUDY = rs.Study(Y, SCORES)
NUMBERS = ["estimate", "se", "ci_low", "ci_high", "statistic", "df", "p_value"]
pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


# docs/methods/precision-recall.md, "Worked figures".
@pytest.mark.parametrize(
    ("prevalence", "estimate", "se"),
    [(8 / 18, 0.011960956, 0.080921965), (None, 0.011960956, 0.078212102)],
)
def test_numbers_by_hand(prevalence, estimate, se):
    row = STUDY.compare_average_precision(prevalence=prevalence).iloc[0]
    assert row["estimate"] == pytest.approx(estimate, abs=5e-10)
    assert row["se"] == pytest.approx(se, abs=5e-10)
    reach = stats.t.ppf(0.975, row["df"]) * row["se"]
    limits = [row["estimate"] - reach, row["estimate"] + reach]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(limits, rel=1e-10)
    p = 2 * stats.t.sf(abs(row["estimate"] / row["se"]), row["df"])
    assert row["p_value"] == pytest.approx(p, rel=1e-10)
    # The degrees of freedom are those of validation/precision_recall, made without the package;
    # there are no more than of normal values.
    at = PrecisionPrevalence(prevalence, random=prevalence is None)
    found = precision_covariance(STUDY.cases, [0, 1], "average_precision", at)
    v = [part[0, 0] + part[1, 1] - 2 * part[0, 1] for part in found.parts]
    assert 1 <= row["df"] < sum(v) ** 2 / (v[0] ** 2 / 7 + v[1] ** 2 / 9)


def test_without_the_negatives_of_a_cohort_there_is_the_estimate_alone():
    row = STUDY.compare_average_precision(prevalence=0.1).iloc[0]
    assert row["estimate"] == pytest.approx(0.005586750, abs=5e-10)
    assert row[NUMBERS[1:]].isna().all()


def test_pairs_references_and_adjustment():
    every = STUDY.compare_average_precision()
    assert every[["predictor", "reference"]].to_numpy().tolist() == [
        ["d1", "d2"],
        ["d1", "d3"],
        ["d2", "d3"],
    ]
    assert set(every["quantity"]) == {"average_precision"}
    assert (every["p_adjusted"] >= every["p_value"]).all()
    assert every["note"].str.contains("adjusted=holm").all()
    areas = STUDY.average_precision().query("quantity == 'pr_auc'").set_index("predictor")
    of_pr = STUDY.compare_average_precision(quantity="pr_auc", reference="d2", adjust="none")
    gaps = [areas["estimate"][name] - areas["estimate"]["d2"] for name in ("d1", "d3")]
    assert of_pr["estimate"].tolist() == pytest.approx(gaps)
    swapped = STUDY.compare_average_precision(reference="d1").iloc[0]
    assert swapped["estimate"] == pytest.approx(-every["estimate"][0])
    assert swapped["se"] == pytest.approx(every["se"][0])


def test_hypotheses():
    plain = STUDY.compare_average_precision(reference="d3").iloc[0]
    claim = STUDY.compare_average_precision(
        reference="d3", hypothesis="non-inferiority", margin=0.1
    ).iloc[0]
    t = (plain["estimate"] + 0.1) / plain["se"]
    assert claim["p_value"] == pytest.approx(stats.t.sf(t, plain["df"]), rel=1e-10)
    assert claim["null_value"] == -0.1
    same = STUDY.compare_average_precision(reference="d3", hypothesis="equivalence", margin=0.1)
    assert same["confidence_level"].iloc[0] == pytest.approx(0.9)


def test_predictors_alike_and_perfect_ones():
    alike = rs.Study(Y, {"a": D1, "b": 2 * D1}).compare_average_precision().iloc[0]
    assert (alike["estimate"], alike["p_value"], alike["method"]) == (0, 1, "none/none")
    assert np.isnan(alike["ci_low"])
    perfect = rs.Study(Y, {"a": Y + 0.0, "b": D1}).compare_average_precision().iloc[0]
    assert perfect["method"] == "cohort-influence/boundary-mover"
    assert "precision-at-boundary" in perfect["note"]
    assert perfect["ci_low"] < perfect["estimate"] < perfect["ci_high"]
    # Two perfect predictors that are not the same.
    both = rs.Study(Y, {"a": Y + D1 / 9, "b": Y + D2 / 9}).compare_average_precision().iloc[0]
    assert both["ci_low"] < 0 < both["ci_high"]
    assert both["p_value"] == pytest.approx(1)
    single = rs.Study([1, 0, 0], {"a": [1, 2, 0], "b": [2, 1, 0]}).compare_average_precision()
    assert single["note"].iloc[0].startswith("single-unit")
    assert single[["se", "ci_low"]].isna().all(axis=None)


def test_roles():
    clustered = rs.Study(Y, SCORES, cluster=D1_CLUSTERS).compare_average_precision()
    plain = STUDY.compare_average_precision()
    assert clustered["estimate"].tolist() == plain["estimate"].tolist()
    assert set(clustered["method"]) == {"cluster-cohort-influence/wald-t"}
    alone = rs.Study(Y, SCORES, cluster=np.arange(18)).compare_average_precision()
    np.testing.assert_allclose(alone[NUMBERS], plain[NUMBERS], rtol=1e-10)
    times = np.arange(18) % 3 + 1
    rows = np.repeat(np.arange(18), times)
    counted = rs.Study(Y, SCORES, frequency=times).compare_average_precision()
    listed = rs.Study(
        Y[rows], {name: score[rows] for name, score in SCORES.items()}
    ).compare_average_precision()
    np.testing.assert_allclose(counted[NUMBERS], listed[NUMBERS], rtol=1e-10)
    fold = np.arange(18) % 2
    folded = rs.Study(Y, SCORES, fold=fold).compare_average_precision().iloc[0]
    parts = [
        rs.Study(Y[fold == v], {"a": D1[fold == v], "b": D2[fold == v]})
        .compare_average_precision()
        .iloc[0]
        for v in (0, 1)
    ]
    assert folded["estimate"] == pytest.approx(np.mean([part["estimate"] for part in parts]))
    assert folded["se"] == pytest.approx(np.sqrt(sum(part["se"] ** 2 for part in parts)) / 2)
    scores = {"a": [4, 3, 2, 1, 5], "b": [4, 1, 2, 3, 5]}
    grouped = rs.Study([1, 0, 1, 0, 1], scores, group=list("uuuuv"))
    found = grouped.compare_average_precision()
    assert found["note"].tolist()[1].startswith("one-class")


@pytest.mark.parametrize(
    ("study", "options", "message"),
    [
        (rs.Study(Y, D1), {}, "`y_score` must hold two predictors or more to compare; got 1."),
        (
            rs.Study(Y, SCORES, sample_weight=np.ones(18)),
            {},
            "`sample_weight` must stay None for a comparison of average precisions",
        ),
        (STUDY, {"quantity": "auc"}, "`quantity` must be one of 'average_precision', 'pr_auc'"),
        (STUDY, {"prevalence": 0}, "`prevalence` must be a number strictly between 0 and 1"),
        (STUDY, {"hypothesis": "equivalence"}, "`margin` must be given for the hypothesis"),
    ],
)
def test_message(study, options, message):
    with pytest.raises(rs.InputError, match=f"^{message}"):
        study.compare_average_precision(**options)
