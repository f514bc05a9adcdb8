"""Printed cutoffs of tables, sentences and figures call the same cases as the cutoffs used."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

DESK = Path(__file__).parents[1] / "data" / "desk"
NUMBER = r"−?\d+(?:\.\d+)?(?:e[+−]?\d+)?"


def number(text):
    return float(re.search(NUMBER, text).group().replace("−", "-"))


def desk(name):
    data = pd.read_csv(DESK / name)
    return rs.Study("ill", "risk", data=data), data["risk"].to_numpy()


def simulated(seed, *, low=False):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], 100)
    score = 1 / (1 + np.exp(-3 * (rng.normal(size=200) + y)))
    score = -score if low else score
    return rs.Study(y, score, predictor="risk", higher_is_positive=not low), score


STUDIES = {
    "saturated": lambda: desk("saturated.csv"),
    "round": lambda: desk("round.csv"),
    **{f"high-{seed}": lambda seed=seed: simulated(seed) for seed in range(8)},
    **{f"low-{seed}": lambda seed=seed: simulated(seed, low=True) for seed in range(8)},
}


@pytest.fixture(params=STUDIES)
def case(request):
    study, score = STUDIES[request.param]()
    cut = study.cutpoints(rng=1, n_resamples=100)
    return study, score, cut


def assert_alike(study, score, printed, cutoff):
    if study.higher_is_positive[0]:
        np.testing.assert_array_equal(score >= printed, score >= cutoff)
    else:
        np.testing.assert_array_equal(score <= printed, score <= cutoff)


def test_tables(case):
    study, score, cut = case
    used = cut["threshold"].iloc[0]
    for layout in ("long", "wide"):
        table = rs.format_table(cut, layout=layout)
        if "Threshold" in table:
            assert_alike(study, score, number(table["Threshold"].iloc[0]), used)
        estimates = [name for name in table if re.match(r"(Estimate|Threshold) \(", name)]
        assert_alike(study, score, number(table[estimates[0]].iloc[0]), used)
    points = rs.format_table(study.operating_points(threshold=used, quantities=["tpr"]))
    assert_alike(study, score, number(points["Threshold"].iloc[0]), used)


def test_a_typed_cutoff_is_printed_as_it_was_typed(case):
    study, *_ = case
    at = 0.12345678912 if study.higher_is_positive[0] else -0.12345678912
    points = rs.format_table(study.operating_points(threshold=at, quantities=["tpr"]), digits=2)
    assert points["Threshold"].iloc[0].endswith("0.12345678912")


def test_labels_of_figures(case):
    study, score, cut = case
    used = cut["threshold"].iloc[0]
    title = rs.plot_scores(study.roc_curve(), cutpoints=cut).get_title()
    assert_alike(study, score, number(title), used)
    ends = re.findall(rf"\(95% CI ({NUMBER}) to ({NUMBER})\)", title)
    assert not ends or ends[0][0] != ends[0][1]
    ax = rs.plot_roc(study.roc_curve(), points=cut)
    (words,) = [text for text in texts_of(ax) if "sensitivity" in text]
    assert_alike(study, score, number(words), used)
    hull = study.roc_hull()
    (words,) = [text for text in texts_of(rs.plot_hull(hull, slope=0.8)) if "best at" in text]
    vertex = hull[(hull["slope_low"] <= 0.8) & (hull["slope_high"] > 0.8)].iloc[0]
    assert_alike(study, score, number(re.split("[≥≤]", words)[1]), vertex["threshold"])


def texts_of(ax):
    legend = ax.get_legend()
    return [text.get_text() for text in [*ax.texts, *(legend.get_texts() if legend else [])]]


def test_two_cutoffs_that_call_the_same_cases_stay_apart():
    study = rs.Study([1, 1, 0, 0] * 5, [0.9, 0.8, 0.3, 0.1] * 5, predictor="a")
    frame = study.operating_points(threshold=[2 / 3, 2 / 3 - 1e-16], quantities=["tpr"])
    table = rs.format_table(frame, layout="wide")
    assert table["Threshold"].nunique() == 2


def test_risk_thresholds_are_printed_as_they_were_typed():
    data = rs.load_breast_cancer()
    rng = np.random.default_rng(1)
    risk = 1 / (1 + np.exp(-((data["area"] - 650) / 200 + rng.normal(size=len(data)))))
    study = rs.Study(data["diagnosis"], risk, pos_label="malignant", predictor="risk")
    frame = study.net_benefit(risk_threshold=[0.0125, 0.12345678])
    assert set(rs.brief(frame)["risk_threshold"]) == {0.0125, 0.12345678}
    assert "0.12345678" in repr(frame)
    table = rs.format_table(frame)
    assert set(table["Risk threshold"]) == {"0.0125", "0.12345678"}
    assert "Threshold" not in table
    # A threshold that the package takes as the risk 0.29 is no other cutoff.
    risk = risk.where(risk.index != 0, 0.29)
    grid = np.arange(0.01, 0.36, 0.01)[28]
    study = rs.Study(data["diagnosis"], risk, pos_label="malignant", predictor="risk")
    table = rs.format_table(study.net_benefit(risk_threshold=float(grid)))
    assert table["Risk threshold"].iloc[0] == "0.29"
    assert "Threshold" not in table
