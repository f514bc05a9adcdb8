"""Use and calibration in a report: numbers are those of frames, other scores say why not."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.errors import InputError
from rocstats.explorer.benefits import benefits_at, rate_correlation
from rocstats.reports.options import read_report_options
from tests.reports.pages import document_of, small, tables_of, words_of


def modelled(n=200, **arguments):
    """Two models: risks that are right, and risks of a slope of one half."""
    generator = np.random.default_rng(20)
    logit = generator.normal(-1, 1.5, n)
    died = generator.random(n) < 1 / (1 + np.exp(-logit))
    risks = {"model": 1 / (1 + np.exp(-logit)), "older": 1 / (1 + np.exp(-2 * logit))}
    return rs.Study(died, risks, outcome="sepsis", **arguments)


@pytest.fixture(scope="module")
def study():
    return modelled()


@pytest.fixture(scope="module")
def document(study):
    return document_of(study, risk_threshold=[0.2, 0.5], criterion=None)


def test_tables_are_those_of_the_frames(study, document):
    tables = tables_of(document)
    benefits = study.net_benefit(risk_threshold=[0.2, 0.5])
    row = benefits[(benefits["predictor"] == "older") & (benefits["risk_threshold"] == 0.5)].iloc[0]
    table = tables["Net benefit of acting by each test, in true positives a case"]
    (cells,) = [cells for cells in table.rows if cells[:2] == ("older", "0.5")]
    assert cells[table.heads.index("Net benefit (95% CI)")].startswith(
        f"{row['estimate']:.3f} ({row['ci_low']:.3f}".replace("-", "−")
    )
    assert {cells[0] for cells in table.rows} == {"model", "older", "treat-all"}
    assert set(tables) >= {
        "Net benefit beyond that of treating all",
        "Differences in net benefit between tests",
    }
    calibration = study.calibration().set_index(["predictor", "quantity"])
    slope = calibration.loc[("older", "calibration_slope")]
    table = tables["Are the predicted risks right?"]
    (cells,) = [row for row in table.rows if row[0] == "Calibration slope (95% CI)"]
    wanted = f"{slope['estimate']:.3f} ({slope['ci_low']:.3f} to {slope['ci_high']:.3f})"
    assert cells[table.heads.index("older")] == wanted


def test_labels_stand_in_the_place_of_names():
    labels = {"model": "New model", "older": "Older model"}
    document = document_of(modelled(labels=labels), risk_threshold=0.2, criterion=None)
    tables = tables_of(document)
    table = tables["Net benefit of acting by each test, in true positives a case"]
    assert {cells[0] for cells in table.rows} == {*labels.values(), "treat-all"}
    assert set(tables["Are the predicted risks right?"].heads) >= set(labels.values())
    assert "Net benefit of acting by New model and Older model" in words_of(document)


def test_sentences_say_what_limits_show_and_no_more(study, document):
    text = words_of(document)
    assert "A risk threshold of 20% accepts 4 false alarms to find one more" in text
    net = study.net_benefit(risk_threshold=0.2).iloc[0]
    gain = study.compare_net_benefit(risk_threshold=0.2, reference="treat-all").iloc[0]
    said = f"The net benefit of model is then {net['estimate']:.3f} (95% CI {net['ci_low']:.3f}"
    assert said in text
    assert f"The difference from treating all is {gain['estimate']:.3f} (95% CI" in text
    # The slope of the older model is 1/2; that of the other is 1, which no limits can show.
    assert text.count("its risks are too extreme") == 1
    assert "its risks are too extreme" not in text.partition("that older expected")[0]


def test_methods_and_figures_belong_to_the_section(document):
    text = words_of(document)
    assert "Net benefit of acting by model and older at each risk threshold." in text
    assert "Shaded: 95% confidence band of each point of the curve." in text
    assert "Share with sepsis at each predicted risk." in text
    assert "Net benefit is the share of true positives minus the share of false positives" in text
    assert "Calibration curves are logistic regressions on restricted cubic splines" in text


def test_without_a_stated_risk_the_curve_alone_is_shown(study):
    text = words_of(document_of(study, criterion=None))
    assert "No risk threshold was stated" in text
    assert "Net benefit of acting by each test" not in text
    assert "Net benefit of acting by model and older" in text


def test_other_scores_say_why_there_is_none():
    data = rs.load_breast_cancer()
    named = {"pos_label": "malignant", "data": data}
    texture = rs.Study("diagnosis", "texture", **named)
    text = words_of(document_of(texture, criterion=None))
    assert "of predicted risks, which lie between 0 and 1. texture is on another scale." in text
    symmetry = rs.Study("diagnosis", "symmetry", **named)
    text = words_of(document_of(symmetry, criterion=None))
    assert "taken as risks, the scores of symmetry would be wrong on average" in text
    assert "Use and calibration" not in text
    # Who says that they are risks is believed, and shown how wrong these are.
    text = words_of(document_of(symmetry, criterion=None, risk_threshold=0.1))
    assert "times the events that symmetry expected" in text
    assert "its risks are too low on average" in text
    assert "Shaded: 95% confidence band of the whole curve." in text
    # Risks of 0 have no logit: the ratio of events and the Brier score are left.
    points = rs.Study("diagnosis", "concave_points", **named)
    document = document_of(points, criterion=None, risk_threshold=0.1)
    assert "A risk is 0 or 1 and has no logit" in words_of(document)
    table = tables_of(document)["Are the predicted risks right?"]
    assert [row[0].partition(" (")[0] for row in table.rows] == [
        "Observed over expected events",
        "Calibration intercept",
        "Calibration slope",
        "Intercept and slope together",
        "Brier score",
        "Scaled Brier score",
    ]


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        ({"sample_weight": np.linspace(0.5, 2, 200)}, "Differences in net benefit between tests"),
        ({"cluster": np.arange(200) // 4}, None),
        ({"group": np.arange(200) % 2}, None),
    ],
    ids=["weights", "clusters", "groups"],
)
def test_roles_are_honoured_or_named(arguments, missing):
    document = document_of(modelled(**arguments), criterion=None, risk_threshold=0.2)
    tables = tables_of(document)
    assert "Net benefit of acting by each test, in true positives a case" in tables
    assert (missing is None) == ("Differences in net benefit between tests" in tables)
    if "group" in arguments:
        assert " in 0 is then " in words_of(document)


def test_a_risk_threshold_is_a_number_between_0_and_1():
    message = r"`risk_threshold` must be a number strictly between 0 and 1; got 1.5"
    with pytest.raises(InputError, match=message):
        read_report_options(small(), risk_threshold=[0.1, 1.5])
    with pytest.raises(InputError, match="`risk_threshold` must be one to 5 numbers; got"):
        read_report_options(small(), risk_threshold=[])


def test_the_correlation_of_rates_in_clusters_is_read_off_net_benefits():
    """Sums over clusters of each case's part of both rates, one by one."""
    generator = np.random.default_rng(3)
    cluster = np.repeat(np.arange(60), 4)
    shift = generator.normal(size=60)[cluster]
    y = generator.random(240) < 0.4
    score = generator.normal(size=240) + y + shift
    study = rs.Study(y, score, predictor="score", cluster=cluster)
    (frame,) = benefits_at(study, {"score": [0.5]})
    called = score >= 0.5
    parts = pd.DataFrame(
        {
            "tpr": (called - called[y].mean()) * y / y.sum(),
            "fpr": (called - called[~y].mean()) * ~y / (~y).sum(),
        }
    )
    sums = parts.groupby(cluster).sum()
    products = (sums.T @ sums).to_numpy()
    wanted = products[0, 1] / math.sqrt(products[0, 0] * products[1, 1])
    assert wanted > 0.2
    assert rate_correlation(frame[frame["predictor"] == "score"]) == pytest.approx(wanted, abs=1e-9)
    assert benefits_at(modelled(), {}) is None
