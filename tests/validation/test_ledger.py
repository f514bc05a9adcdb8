"""The ledger: every option has a row, every recorded simulation a place, and credit goes right."""

from __future__ import annotations

from typing import Literal

import pytest

import rocstats as rs
from tests.quick import each
from validation.files import ROOT
from validation.ledger.credit import Key, Number, keys_of, named_values, roles_of
from validation.ledger.options import public_functions, questions, words
from validation.ledger.simulated import declarations, settings_of
from validation.ledger.table import GAP, REFUSED, declared_keys, honoured, place, read_ledger
from validation.torture.questions import all_questions

RECORDED = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("binning", "coverage", "power", "roe_metz", "single_step", "size")
    for path in (ROOT / folder).glob("*.csv")
)


@pytest.fixture(scope="module")
def ledger():
    return read_ledger()


def keys_in(frame):
    return [Key(*row) for row in frame[list(Key._fields)].itertuples(index=False, name=None)]


def test_no_option_without_a_ledger_row(ledger):
    missing = sorted(declared_keys() - set(keys_in(ledger)))
    assert missing == [], "run `python -m validation`, which writes the ledger"


def test_no_row_without_an_option(ledger):
    keys = keys_in(ledger)
    assert {key._replace(role="") for key in keys} == declared_keys()
    assert keys == sorted(set(keys), key=place)


def test_a_new_option_would_lack_a_row(ledger, monkeypatch):
    def auc(sample, *, interval: Literal["logit", "brand-new"] = "logit"): ...

    monkeypatch.setattr(rs.Study, "auc", auc)
    questions.cache_clear()
    try:
        missing = declared_keys() - set(keys_in(ledger))
    finally:
        monkeypatch.undo()
        questions.cache_clear()
    assert missing == {Key("Study.auc", "interval", "brand-new", "")}


def test_every_question_that_can_be_asked_is_in_the_ledger():
    """The property machine finds the questions in another way."""
    asked = {ask.label for ask in all_questions() if hasattr(ask.function, "__name__")}
    public = {name for name, _ in public_functions()}
    left_out = words()["no_question"]
    assert (asked & public) - set(left_out) <= set(questions())
    assert set(left_out) <= public | {"InputError", "StatisticalWarning"}


def test_gaps_are_said_in_the_ledger(ledger):
    empty = ledger[(ledger["rows"] == "0") & (ledger["settings"] == "0")]
    assert (empty["authority"] != "").all()
    assert (empty.loc[empty["role"] != "", "authority"] == GAP).all()
    known = ledger.drop(empty.index)
    assert not known["authority"].str.contains(GAP).any()


def test_every_value_but_four_is_answered_with_some_role(ledger):
    """A new option fails here until `python -m validation.ledger.honoured` has been run."""
    refused = ledger.loc[ledger["authority"] == REFUSED, ["question", "option", "value"]]
    # The bands that hold at one false positive rate, or over a range, have no carried form.
    assert set(refused.itertuples(index=False, name=None)) == {
        ("Study.pr_band", "method", word)
        for word in ("regional", "pointwise", "vertical-average", "threshold-average")
    }


def test_what_words_names_is_in_the_package():
    rules = words()
    names = {name for asked in questions().values() for name in asked.options}
    for table in ("bears", "quantities", "needs", "not_with"):
        assert set(rules[table]) <= names, table
    assert set(rules["named"]) <= names
    for meant in rules["harness"].values():
        asked = questions().get(meant["question"]) or questions()[f"Study.{meant['question']}"]
        for option, value in meant.get("options", {}).items():
            assert value in asked.options[option].values


def test_every_recorded_simulation_has_a_place():
    used = {declared["file"] for declared in declarations()["table"]}
    left_out = set(declarations()["left_out"])
    assert used.isdisjoint(left_out)
    assert sorted(used | left_out) == RECORDED


@each("declared", declarations()["table"])
def test_a_declaration_names_options_and_their_values(declared):
    found = questions()[declared["question"]].options
    for option, value in declared.get("options", {}).items():
        assert str(value) in found[option].values
    for number, setting in settings_of(declared):
        for option in declared.get("by", {}):
            value = number.arguments[option]
            assert value != value or str(value) in found[option].values, f"{option}={value}"
        assert "all" in setting.cells


def test_declarations_do_not_use_a_row_twice_for_one_measure():
    seen = set()
    for declared in declarations()["table"]:
        key = tuple(
            str(declared.get(name)) for name in ("file", "where", "question", "measure", "share")
        )
        assert key not in seen
        seen.add(key)


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [
        ("delong/logit-t", "interval", "logit-t"),
        ("delong/logit", "interval", "logit"),
        ("delong/hanley-mcneil-score", "variance", "delong"),
        ("delong/hanley-mcneil-score", "interval", "hanley-mcneil-score"),
        ("obuchowski/newcombe", "variance", "delong"),
        ("none/none", "interval", None),
        ("", "variance", None),
    ],
)
def test_the_column_method_names_values(method, option, value):
    found = named_values(questions()["Study.auc"].options[option], method)
    assert found == (() if value is None else (value,))


def credited(*number, **more):
    return {(key.option, key.value) for key in keys_of(Number(*number, **more))}


def test_a_limit_speaks_for_its_interval_and_an_estimate_does_not():
    asked = ("Study.auc", {"interval": "wald"})
    assert credited(*asked, "ci_low", "delong/wald") == {
        ("", ""), ("variance", "delong"), ("interval", "wald"), ("alternative", "two-sided"),
    }  # fmt: skip
    assert credited(*asked, "estimate", "delong/wald") == {("", "")}
    assert ("variance", "delong") in credited(*asked, "se", "delong/wald")


def test_a_default_counts_only_if_the_answer_names_it_where_it_depends():
    alone = credited("ReaderStudy.compare_auc", {"method": "u-statistic"}, "se", "u-statistic/wald")
    assert not any(option == "covariance" for option, _ in alone)
    by_reader = credited("ReaderStudy.compare_auc", {"by": "reader"}, "se", "u-statistic/wald")
    assert not any(option == "readers" for option, _ in by_reader)


def test_a_simulation_speaks_for_what_it_declares_alone():
    wald = credited("Study.auc", {"interval": "wald"}, "ci_low", simulated=True)
    assert wald == {("interval", "wald")}
    assert credited("Study.grey_zone", {}, "ci_low", simulated=True) == {("", "")}


def test_a_number_belongs_to_each_of_its_roles():
    found = keys_of(Number("Study.auc", {}, "estimate", roles=("cluster", "group")))
    assert {key.role for key in found} == {"cluster", "group"}
    assert roles_of(["y_true", "group", "cluster"], {"prevalence": 0.1}) == (
        "cluster", "group", "prevalence given",
    )  # fmt: skip
    assert roles_of([], {"sampling": "cohort", "fpr_range": [0, 0.1]}) == ("partial area",)


def test_marks_of_a_table_are_its_shortfalls():
    (declared,) = (
        one
        for one in declarations()["table"]
        if one["file"] == "coverage/bands_rotated.csv"
    )  # fmt: skip
    marked = (ROOT / declared["file"]).read_text("utf-8").count(",True\n")
    assert sum(setting.falls_short for _, setting in settings_of(declared)) == marked > 0


def test_roles_are_of_the_options_of_the_package():
    assert {key._replace(role="") for key in honoured()} <= declared_keys()
    assert Key("Study.auc", "variance", "delong", "cluster") in honoured()
    assert Key("Study.auc", "variance", "hanley-mcneil", "cluster") not in honoured()
