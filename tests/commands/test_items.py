"""The commands of studies of models: they print the answers of ItemStudy and OrdinalStudy."""

from __future__ import annotations

import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import require_same


@pytest.fixture
def answers(folder) -> pd.DataFrame:
    return pd.read_csv(folder / "answers.csv")


def test_accuracies_and_differences_are_those_of_the_study(ask, answers):
    study = rs.ItemStudy(["large", "small", "tiny"], data=answers)
    line = ["correct", "answers.csv", "large", "small", "tiny"]
    require_same(ask(*line)[0], study.accuracy())
    require_same(ask(*line, "--level", 0.9)[0], study.accuracy(confidence_level=0.9))
    require_same(ask(*line, "--differences")[0], study.compare_accuracy())
    require_same(
        ask(*line, "--reference", "tiny", "--adjust", "none")[0],
        study.compare_accuracy(reference="tiny", adjust="none"),
    )


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("--test exact", {"test": "exact"}),
        ("--interval newcombe", {"interval": "newcombe"}),
        ("--alternative greater", {"alternative": "greater"}),
        (
            "--hypothesis non-inferiority --margin 0.1",
            {"hypothesis": "non-inferiority", "margin": 0.1},
        ),
    ],
)
def test_an_option_of_a_test_prints_differences(ask, answers, words, options):
    study = rs.ItemStudy(["large", "small"], data=answers)
    rows, _ = ask("correct", "answers.csv", "large", "small", *words.split())
    require_same(rows, study.compare_accuracy(**options))


def test_roles_are_those_of_the_study(ask, answers):
    answers.assign(n=1 + answers.index % 3, kind=["a", "b"] * 30, half=[1] * 30 + [2] * 30).to_csv(
        "roles.csv", index=False
    )
    data = pd.read_csv("roles.csv", dtype={"document": str, "half": str})
    line = ["correct", "roles.csv", "large", "small"]
    for words, roles in (
        ("--cluster document", {"cluster": "document"}),
        ("--frequency n", {"frequency": "n"}),
        ("--group kind", {"group": "kind"}),
        ("--group kind --group half", {"group": ["kind", "half"]}),
    ):
        study = rs.ItemStudy(["large", "small"], data=data, **roles)
        require_same(ask(*line, *words.split())[0], study.accuracy())
        require_same(ask(*line, *words.split(), "--differences")[0], study.compare_accuracy())


def test_rows_of_one_item_and_system_are_the_same_study(ask, answers):
    long = ["correct", "runs.csv", "right", "--item", "question", "--system", "model"]
    study = rs.ItemStudy({"large": answers["large"], "base": answers["small"]})
    require_same(ask(*long, "--differences")[0], study.compare_accuracy())


@pytest.mark.usefixtures("folder")
def test_wrong_input_is_one_line_in_the_words_of_the_command(refused):
    for words, said in (
        (["answers.csv", "large", "small", "--item", "document"], "`SCORE` must be one column"),
        (["runs.csv", "right", "--item", "question"], "`--system` must be given with `--item`"),
        (["answers.csv", "large", "--differences"], "`SCORE` must hold two or more predictors"),
        (["answers.csv", "large", "document"], "`SCORE` must be numbers from 0 (wrong) to 1"),
        (
            ["answers.csv", "large", "small", "--cluster", "document", "--test", "exact"],
            "`--test` must be left out when the study has clusters",
        ),
    ):
        assert said in refused("correct", *words)


def test_classes_in_an_order_are_those_of_the_study(ask, folder):
    data = pd.read_csv(folder / "graded.csv")
    low = {"p_none": False}
    study = rs.OrdinalStudy("grade", ["p_severe", "p_none"], data=data, higher_is_positive=low)
    line = ["ordered", "graded.csv", "grade", "p_severe", "p_none", "--lower", "p_none"]
    require_same(ask(*line)[0], study.concordance())
    require_same(ask(*line, "--volume", "--level", 0.9)[0], study.vus(confidence_level=0.9))
    require_same(ask(*line, "--differences")[0], study.compare_concordance())
    require_same(
        ask(*line, "--reference", "p_severe", "--adjust", "none")[0],
        study.compare_concordance(reference="p_severe", adjust="none"),
    )
    words = ["low", "middle", "high"]
    named = rs.OrdinalStudy("kind", "high", data=pd.read_csv("classes.csv"), order=words)
    options = [word for label in words for word in ("--order", label)]
    require_same(ask("ordered", "classes.csv", "kind", "high", *options)[0], named.concordance())


@pytest.mark.usefixtures("folder")
def test_wrong_classes_are_one_line_in_the_words_of_the_command(refused):
    for words, said in (
        (
            ["classes.csv", "kind", "high"],
            "`--order` must be given for labels that are",
        ),
        (["classes.csv", "kind", "high", "--order", "low"], "`--order` must name every label"),
        (["graded.csv", "grade", "p_mild", "--volume", "--differences"], "`--volume` must be left"),
        (["graded.csv", "grade", "p_mild", "--lower", "q"], "`--lower` must"),
    ):
        assert said in refused("ordered", *words)
