"""The commands about risks: calibration, net-benefit and subgroups."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import rocstats as rs
from rocstats.commands import models
from rocstats.plots.net_benefit import plot_net_benefit
from tests.commands.conftest import DRAWN, SEEDED, require_same

OF_RISKS = {
    "net-benefit --risk-threshold 0.1 --risk-threshold 0.3": lambda s: s.net_benefit(
        risk_threshold=[0.1, 0.3]
    ),
    "net-benefit --risk-threshold 0.1 --prevalence 0.1 --interval wald": lambda s: s.net_benefit(
        risk_threshold=0.1, prevalence=0.1, interval="wald"
    ),
    "net-benefit --risk-threshold 0.1 --reference treat-all --level 0.9": (
        lambda s: s.compare_net_benefit(
            risk_threshold=0.1, reference="treat-all", confidence_level=0.9
        )
    ),
    "calibration --prevalence 0.1 --clip 0.001": lambda s: s.calibration(
        prevalence=0.1, clip=0.001
    ),
    "calibration --quantity ici DRAWN": lambda s: s.calibration(quantities=["ici"], **SEEDED),
    "subgroups --by sex --quantity brier_score --adjust none": lambda s: s.subgroups(
        "sex", data=pd.read_csv("risks.csv"), quantity="brier_score", adjust="none"
    ),
    "subgroups --by sex --quantity tpr --threshold model=0.4 --threshold older=0.3": (
        lambda s: s.subgroups(
            "sex",
            data=pd.read_csv("risks.csv"),
            quantity="tpr",
            threshold={"model": 0.4, "older": 0.3},
        )
    ),
    "calibration --scores --level 0.9": lambda s: s.probability_scores(confidence_level=0.9),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", OF_RISKS)
def test_the_frame_of_a_question_about_risks_is_printed(ask, words):
    name, *options = words.replace("DRAWN", DRAWN).split()
    rows, _ = ask(name, "risks.csv", "died", "model", "older", *options)
    study = rs.Study("died", ["model", "older"], data=pd.read_csv("risks.csv"))
    require_same(rows, OF_RISKS[words](study))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "millimetres", "ratio"),
    [
        # Its key is below the axes, whose size the next test asks.
        ("net-benefit --risk-threshold 0.1 --risk-threshold 0.4", 85, None),
        ("calibration", 85, 1.0),
        ("calibration --method isotonic", 85, 1.0),
        ("subgroups --by sex", 174, None),  # as high as its rows need
    ],
)
def test_a_figure_of_risks_has_the_size_and_the_dots_of_print(run, words, millimetres, ratio):
    name, *options = words.split()
    status, out, _ = run(name, "risks.csv", "died", "model", *options, "--figure", "curve.png")
    assert (status, out.splitlines()[-1]) == (0, "curve.png")
    with Image.open("curve.png") as picture:
        width, height = picture.size
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    assert width == pytest.approx(millimetres / 25.4 * 300, abs=1)
    assert ratio is None or height == pytest.approx(ratio * width, abs=2)


@pytest.mark.usefixtures("folder")
def test_a_decision_curve_is_drawn_at_a_hundred_risks(run, monkeypatch):
    drawn, sizes = [], []

    def plot(curve, **options):
        drawn.append(curve)
        sizes.append(options["ax"].get_figure().get_size_inches())
        return plot_net_benefit(curve, **options)

    monkeypatch.setattr(models, "plot_net_benefit", plot)
    ends = ["--risk-threshold", "0.1", "--risk-threshold", "0.4"]
    assert run("net-benefit", "risks.csv", "died", "model", *ends, "--figure", "curve.svg")[0] == 0
    assert np.unique(drawn[0]["risk_threshold"]) == pytest.approx(np.linspace(0.1, 0.4, 100))
    width, height = 25.4 * sizes[0]  # without the key
    assert (width, height) == pytest.approx((85, 0.8 * 85))


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("policy", ["omit", "available"])
def test_subgroups_are_of_the_rows_that_are_kept(run, tmp_path, policy):
    y, order = np.arange(80) % 2, np.arange(80)
    data = pd.DataFrame({"ill": y, "score": order % 9 + 3.0 * y, "n": 1 + order % 3})
    data["sex"] = np.where(order < 40, "F", "M")
    data.loc[[0, 7, 50], "score"] = np.nan
    data.loc[[9, 60], "n"] = 0  # rows of no case
    data.to_csv(tmp_path / "rows.csv", index=False)
    whole = data.dropna()
    whole = whole[whole["n"] > 0]
    roles = {"data": whole, "frequency": "n"}
    expected = rs.Study("ill", "score", **roles).subgroups("sex", data=whole)
    words = ("subgroups", tmp_path / "rows.csv", "ill", "score", "--by", "sex", "--frequency", "n")
    status, printed, error = run(*words, "--missing", policy, "--format", "csv")
    assert status == 0, error
    found = pd.read_csv(io.StringIO(printed))
    for name in ("estimate", "se", "p_value", "n_pos", "n_neg"):
        np.testing.assert_allclose(found[name], expected[name])
