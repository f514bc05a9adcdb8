"""Each command prints the frame of its question."""

from __future__ import annotations

import io
import json
import math

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import rocstats as rs
from rocstats.commands import models as net_benefit
from rocstats.plots.net_benefit import plot_net_benefit

WANTED = ("diagnosis", "area", "texture", "--positive", "malignant")
SEEDED = {"n_resamples": 200, "rng": 1}
DRAWN = ("--resamples", "200", "--seed", "1")

# The words of a command, and the same question in Python.
QUESTIONS = {
    "auc --variance hanley-mcneil --level 0.9": lambda s: s.auc(
        variance="hanley-mcneil", confidence_level=0.9
    ),
    "auc --fpr-range 0 0.1": lambda s: s.auc(fpr_range=(0, 0.1)),
    "auc --interval percentile DRAWN": lambda s: s.auc(interval="percentile", **SEEDED),
    "compare --reference texture --hypothesis superiority --margin 0.1": lambda s: s.compare_auc(
        reference="texture", hypothesis="superiority", margin=0.1
    ),
    "compare --method bootstrap DRAWN": lambda s: s.compare_auc(method="bootstrap", **SEEDED),
    "compare --alternative greater --adjust none": lambda s: s.compare_auc(
        alternative="greater", adjust="none"
    ),
    "compare --threshold area=600 --threshold texture=20": lambda s: s.compare_operating_points(
        threshold={"area": 600, "texture": 20}
    ),
    "compare --threshold 20": lambda s: s.compare_operating_points(threshold=20),
    "compare --fpr 0.1 --fpr 0.2 DRAWN": lambda s: s.compare_operating_points(
        fpr=[0.1, 0.2], **SEEDED
    ),
    "compare --tpr 0.9 DRAWN": lambda s: s.compare_operating_points(tpr=[0.9], **SEEDED),
    "random --method permutation --n-candidates 5 DRAWN": lambda s: s.versus_random(
        method="permutation", n_candidates=5, **SEEDED
    ),
    "binormal --method normal-theory": lambda s: s.binormal(method="normal-theory"),
    "curve --ties optimistic": lambda s: s.roc_curve(ties="optimistic"),
    "band --method pointwise --at 0.1 --at 0.3 DRAWN": lambda s: s.roc_band(
        "pointwise", at=[0.1, 0.3], **SEEDED
    ),
    "band --method regional --fpr-range 0.05 0.2 DRAWN": lambda s: s.roc_band(
        "regional", fpr_range=(0.05, 0.2), **SEEDED
    ),
    "points --threshold 20 --threshold 600 --prevalence 0.05 --quantity ppv": (
        lambda s: s.operating_points(threshold=[20, 600], prevalence=[0.05], quantities=["ppv"])
    ),
    "points --threshold area=500 --threshold texture=20 --threshold area=600": (
        lambda s: s.operating_points(threshold={"area": [500, 600], "texture": [20]})
    ),
    "points --threshold all --quantity tpr": lambda s: s.operating_points(
        threshold="all", quantities=["tpr"]
    ),
    "points --tpr 0.9 --reading attained DRAWN": lambda s: s.operating_points(
        tpr=[0.9], reading="attained", **SEEDED
    ),
    "cutpoint --criterion cost --cost-fp 1 --cost-fn 5 --prevalence 0.05 DRAWN": (
        lambda s: s.cutpoints("cost", cost_fp=1, cost_fn=5, prevalence=0.05, **SEEDED)
    ),
    "cutpoint --criterion fixed-tpr --tpr 0.9 DRAWN": lambda s: s.cutpoints(
        "fixed-tpr", tpr=0.9, **SEEDED
    ),
}


def assert_same(printed: str, frame: pd.DataFrame) -> None:
    rows = json.loads(printed)
    assert len(rows) == len(frame)
    for row, (_, other) in zip(rows, frame.iterrows(), strict=True):
        for name, value in other.items():
            known = not (isinstance(value, float) and not math.isfinite(value))
            assert row[name] == (value if known else None), name


@pytest.mark.parametrize("words", list(QUESTIONS))
def test_the_frame_of_the_question_is_printed(run, data, study, words):
    name, *options = words.replace("DRAWN", " ".join(DRAWN)).split()
    status, out, _ = run(name, data, *WANTED, *options, "--format", "json")
    assert status == 0
    assert_same(out, QUESTIONS[words](study))


@pytest.mark.parametrize("method", ["hand-till", "class-reference"])
def test_classes_are_columns_of_their_names(run, folder, method):
    words = ("kind", "low", "middle", "high", "--method", method, "--format", "json")
    names = ["low", "middle", "high"]
    expected = rs.MulticlassStudy("kind", names, data=pd.read_csv("classes.csv"))
    assert_same(run("classes", "classes.csv", *words)[1], expected.auc(method=method))


def test_classes_are_named_by_an_option(run, folder):
    names = ("--class", "0=p_none", "--class", "1=p_mild", "--class", "2=p_severe")
    words = ("grade", "p_none", "p_mild", "p_severe", *names, "--format", "json")
    data = pd.read_csv("graded.csv")
    expected = rs.MulticlassStudy(data["grade"], data.drop(columns="grade").to_numpy())
    assert_same(run("classes", "graded.csv", *words)[1], expected.auc())


def test_averages_over_folds_of_repeated_cases(run, folder):
    words = ("y", "forest", "--fold", "repeat", "--cluster", "case", "--repeated", "--at", "0.2")
    words = (*words, "--interval", "normal", "--format", "json")
    study = rs.Study("y", "forest", data=pd.read_csv("folds.csv"), fold="repeat", cluster="case")
    expected = study.roc_average(interval="normal", at=[0.2], independent=False)
    assert_same(run("average", "folds.csv", *words)[1], expected)


def test_a_table_of_counts_is_said_with_names(run):
    words = ("670", "202", "74", "640", "--prevalence", "0.05", "--format", "json")
    status, out, err = run("table", *words)
    assert status == 0
    assert err == (
        "rocstats: test: true positives 670, false positives 202, false negatives 74,"
        " true negatives 640\n"
    )
    study = rs.Study.from_confusion(tp=670, fp=202, fn=74, tn=640, predictor="test")
    assert_same(out, study.operating_points(prevalence=[0.05]))
    sensitivity = next(row for row in json.loads(out) if row["quantity"] == "tpr")
    assert sensitivity["estimate"] == 670 / 744


def test_a_file_of_tables_has_a_row_a_test(run, folder):
    _, out, err = run("table", "--file", "two_by_two.csv", "--quantity", "tnr", "--format", "json")
    # Specificities of the two rows: 640 / (202 + 640) and 711 / (131 + 711).
    found = {row["predictor"]: row["estimate"] for row in json.loads(out)}
    assert found == {"rapid": 640 / 842, "laboratory": 711 / 842}
    assert "rocstats: laboratory: true positives 698, false positives 131" in err


def test_independent_tests_are_compared(run, folder):
    words = ("--independent", "--quantity", "tpr", "--format", "json")
    (row,) = json.loads(run("table", "--file", "two_by_two.csv", *words)[1])
    assert (row["group"], row["reference"]) == ("rapid", "laboratory")
    assert row["estimate"] == pytest.approx(670 / 744 - 698 / 744, abs=1e-15)


def test_tests_of_tables_are_drawn(run, folder):
    figure = folder / "tests.svg"
    status, out, err = run("table", "--file", "two_by_two.csv", "--figure", figure)
    assert (status, out.splitlines()[-1]) == (0, str(figure))
    assert "tables do not say which cases the tests share" in err
    assert figure.read_bytes().startswith(b"<?xml")


def test_methods_come_with_numbered_references(run, data):
    _, out, _ = run("compare", data, *WANTED, "--methods")
    paragraph, *references = out.split("\n\n")[-1].splitlines()
    assert "by the Mann-Whitney statistic, ties counting one half [1]." in paragraph
    assert "by the method of DeLong et al [2]." in paragraph
    assert [line[:13] for line in references] == ["1. Hanley JA,", "2. DeLong ER,"]


def pilot() -> rs.Study:
    return rs.Study("disease", ["test_a", "test_b"], data=pd.read_csv("pilot.csv"), pos_label="yes")


PLANS = {
    "size --quantity specificity --rate 0.9 --goal 0.8 --power 0.8": lambda: rs.sample_size(
        rs.planning.OneRate("tnr", 0.9, goal=0.8), power=[0.8]
    ),
    "power --rate 0.9 --goal 0.8 --alternative two-tailed --n-pos 90": lambda: rs.power(
        rs.planning.OneRate("tpr", 0.9, goal=0.8, alternative="two-sided"), n_pos=[90]
    ),
    "size --only-predictor 0.15 --only-reference 0.05 --method asymptotic --power 0.8": lambda: (
        rs.sample_size(
            rs.planning.PairedRates(
                "tpr", only_predictor=0.15, only_reference=0.05, method="asymptotic"
            ),
            power=[0.8],
        )
    ),
    "size pilot.csv disease test_a test_b --positive yes --difference 0.05 --power 0.8": lambda: (
        rs.sample_size(rs.planning.PilotAUCs(pilot(), difference=0.05), power=[0.8])
    ),
    "power pilot.csv disease test_a test_b --positive yes --hypothesis non-inferiority"
    " --margin 0.1 --n-pos 90 --n-neg 80": lambda: rs.power(
        rs.planning.PilotAUCs(pilot(), hypothesis="non-inferiority", margin=0.1),
        n_pos=[90],
        n_neg=[80],
    ),
    "power --auc 0.8 --null-auc 0.7 --n-pos 50 --n-neg 60": lambda: rs.power(
        rs.OneAUC(0.8, null_auc=0.7), n_pos=[50], n_neg=[60]
    ),
    "power --auc 0.8 --reference-auc 0.7 --alternative greater --n-pos 50 --n-neg 60": (
        lambda: rs.power(rs.TwoAUCs(0.8, 0.7, alternative="greater"), n_pos=[50], n_neg=[60])
    ),
    "size --auc 0.8 --reference-auc 0.8 --hypothesis non-inferiority --margin 0.1 --power 0.9": (
        lambda: rs.sample_size(
            rs.TwoAUCs(0.8, 0.8, hypothesis="non-inferiority", margin=0.1), power=[0.9]
        )
    ),
    "size --auc 0.85 --reference-auc 0.8 --correlation-pos 0.6 --correlation-neg 0.5 --power 0.8"
    " --ratio 2 --alpha 0.1": lambda: rs.sample_size(
        rs.PairedAUCs(0.85, 0.8, correlation_pos=0.6, correlation_neg=0.5),
        power=[0.8],
        ratio=2,
        alpha=0.1,
    ),
    "size --auc 0.85 --reference-auc 0.78 --structure hh --n-readers 12 --n-readers 20 --n-groups 2"
    " --power 0.8": lambda: rs.sample_size(
        rs.ReaderDesign(0.85, 0.78, structure="HH"), power=[0.8], n_readers=[12, 20], n_groups=[2]
    ),
    "power --auc 0.9 --reference-auc 0.8 --structure LL --readers fixed --nested cases"
    " --n-readers 4 --n-pos 30 --n-neg 40": lambda: rs.power(
        rs.ReaderDesign(0.9, 0.8, structure="LL", readers="fixed", nested="cases"),
        n_readers=[4],
        n_pos=[30],
        n_neg=[40],
    ),
    "size --auc 0.8 --variance obuchowski --half-width 0.05": lambda: rs.sample_size(
        rs.OneAUC(0.8, variance="obuchowski"), half_width=[0.05]
    ),
}


@pytest.mark.parametrize("words", list(PLANS))
def test_plans_are_those_of_their_designs(run, folder, words):
    status, out, _ = run(*words.split(), "--format", "json")
    assert status == 0
    assert_same(out, PLANS[words]())


def test_a_simulated_plan_is_repeated_by_its_seed(run):
    words = ("power", "--auc", "0.8", "--n-pos", "20", "--n-neg", "20", "--format", "json")
    drawn = ("--simulate", "--n-simulations", "100", "--seed", "3")
    design = rs.OneAUC(0.8)
    expected = rs.power(design, n_pos=[20], n_neg=[20], simulate=True, n_simulations=100, rng=3)
    assert_same(run(*words, *drawn)[1], expected)


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


@pytest.mark.parametrize("words", list(OF_RISKS))
def test_the_frame_of_a_question_about_risks_is_printed(run, folder, words):
    name, *options = words.replace("DRAWN", " ".join(DRAWN)).split()
    scores = ("died", "model", "older")
    status, out, _ = run(name, "risks.csv", *scores, *options, "--format", "json")
    assert status == 0
    study = rs.Study("died", ["model", "older"], data=pd.read_csv("risks.csv"))
    assert_same(out, OF_RISKS[words](study))


@pytest.mark.parametrize(
    "words",
    [
        "net-benefit --risk-threshold 0.1 --risk-threshold 0.4",
        "calibration --method isotonic",
        "subgroups --by sex",
    ],
)
def test_a_figure_of_risks_is_written(run, folder, words):
    name, *options = words.split()
    status, out, _ = run(name, "risks.csv", "died", "model", *options, "--figure", "curve.svg")
    assert status == 0
    assert out.splitlines()[-1] == "curve.svg"
    assert "<svg" in (folder / "curve.svg").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "millimetres", "ratio"),
    [
        # Its key is below the axes, whose size the next test asks.
        ("net-benefit --risk-threshold 0.1 --risk-threshold 0.4", 85, None),
        ("calibration", 85, 1.0),
        ("subgroups --by sex", 174, None),  # as high as its rows need
    ],
)
def test_a_figure_of_risks_has_the_size_and_the_dots_of_print(run, words, millimetres, ratio):
    name, *options = words.split()
    assert run(name, "risks.csv", "died", "model", *options, "--figure", "curve.png")[0] == 0
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

    monkeypatch.setattr(net_benefit, "plot_net_benefit", plot)
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
