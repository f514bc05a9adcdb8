"""Questions are declared once: by name, in the module of their function, with what they refuse."""

from __future__ import annotations

import inspect
import sys

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimate.answers import answer_row_without_result
from rocstats.facts.columns import GLOSSARY
from rocstats.frame.question import Question, RoleRefusal
from rocstats.studies.catalogue import declared_questions
from tests.quick import each

STUDIES = (
    *(
        rs.Study,
        rs.ItemStudy,
        rs.MetaStudy,
        rs.MulticlassStudy,
        rs.MultilabelStudy,
        rs.OrdinalStudy,
        rs.ReaderStudy,
        rs.DetectionStudy,
    ),
    rs.SurvivalStudy,
)
ROLES = {"frequency", "sample_weight", "cluster", "fold", "group"}
NO_QUESTION = {"brief", "format_table", "read_csv", "read_table", "simulate_readers"}
FRAMES_OF_ANSWERS = {"combined_points", "concavities"}
OTHER_NAMES = {"sweep_class_weight": "class_weight_sweep"}
DECLARED = declared_questions()


def functions_that_answer():
    """The functions behind the public questions that return a frame."""
    for study in STUDIES:
        yield from (value for value in vars(study).values() if inspect.isfunction(value))
    for name in sorted(set(rs.__all__) - NO_QUESTION):
        value = getattr(rs, name)
        returned = value.__annotations__.get("return") if inspect.isfunction(value) else None
        if returned == "pd.DataFrame" and not name.startswith("load_"):
            yield value


def name_of(function):
    return OTHER_NAMES.get(function.__name__, function.__name__)


def own_questions():
    return {name_of(function): function for function in functions_that_answer()}


def test_every_public_question_is_declared_and_no_other():
    assert set(own_questions()) | FRAMES_OF_ANSWERS == set(DECLARED)


@each("name", sorted(own_questions()))
def test_a_question_stands_beside_its_function(name):
    # Not its __module__: a method of a study is named after the study.
    beside = own_questions()[name].__globals__
    assert beside[name.upper()] is DECLARED[name]


def test_a_question_that_draws_many_times_can_show_a_bar():
    for function in (*own_questions().values(), rs.report):
        options = set(inspect.signature(function).parameters)
        drawn = options & {"n_resamples", "n_simulations", "band"} if "rng" in options else set()
        assert bool(drawn) == ("progress" in options), function.__name__


def test_a_bar_is_shown_only_where_it_is_asked_for():
    for function in (*own_questions().values(), rs.report):
        options = inspect.signature(function).parameters
        if "progress" in options:
            assert options["progress"].default is False, function.__name__


@each("question", DECLARED.values())
def test_a_declaration_is_whole(question):
    assert set(question.columns) <= set(GLOSSARY)
    assert len(set(question.columns)) == len(question.columns)
    assert question.references
    assert set(question.refuses) <= ROLES
    for role, refusal in question.refuses.items():
        message = refusal.message(role)
        assert message.startswith(f"`{role}` must ")
        assert "; got " in message
        assert message.endswith(".")
        assert "{" not in message


OF_KINDS = [
    (kind, name)
    for kind in STUDIES
    for name, function in vars(kind).items()
    if inspect.isfunction(function) and not name.startswith("_")
]


@each(("kind", "name"), OF_KINDS)
def test_at_most_one_option_goes_without_its_name(kind, name):
    _, *options = inspect.signature(getattr(kind, name)).parameters.values()
    assert sum(option.kind is not option.KEYWORD_ONLY for option in options) <= 1


def test_the_first_refused_role_is_named():
    question = Question(
        "auc", (), (), dict.fromkeys(("fold", "cluster"), RoleRefusal("stay away", "Leave it out."))
    )
    study = rs.Study([1, 0], [2, 1], cluster=["x", "y"])
    with pytest.raises(rs.InputError) as caught:
        question.require_roles(study)
    assert str(caught.value) == (
        "`cluster` must stay away; got a study with cluster=. Leave it out."
    )
    question.require_roles(rs.Study([1, 0], [2, 1]))


def test_two_questions_of_one_name_are_an_error(monkeypatch):
    module = sys.modules["rocstats.curves.roc"]
    again = Question("roc_curve", ("predictor",))
    monkeypatch.setattr(module, "AGAIN", again, raising=False)
    with pytest.raises(KeyError, match="roc_curve is declared twice"):
        declared_questions()


def test_a_row_without_an_answer_is_nan_where_nothing_is_known():
    question = Question("made_up", ("predictor", "estimate", "n_pos", "method", "note"))
    row = answer_row_without_result(question, {"n_pos": 3.0}, ["one-class"])
    assert np.isnan(row.pop("estimate"))
    assert row == {"n_pos": 3.0, "method": "none/none", "note": ["one-class"]}
