"""The command about items: it prints the answers of an ItemStudy."""

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
