"""Rows are paired by position, and never against their indexes: of all public parameters.

Every parameter that may take a value for each row is found by the types in the docstrings, and is
in one of the two records: ``CALLS`` (it takes rows), or ``NO_ROWS`` (it does not). The docstring
of ``rocstats.study.columns`` has the rule.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import rocstats as rs
from rocstats.study.base import BaseSample
from tests.calls import CALLS as QUESTIONS
from tests.calls import CASES, CLASSES, FEATURES, GRADED, ITEMS, PATIENTS, READS, ROLES, N, Y
from tests.quick import each
from tests.test_house import public_functions

# --- All public parameters that may take rows -----------------------------------------------------

MAY_TAKE_ROWS = re.compile(r"array|frame|dict|Series|mapping|sequence|list|object|callable")


def public_calls() -> dict[str, Any]:
    """All that users call: functions, studies, designs, and the methods of what is returned."""
    combined = rs.conjoin_classifiers({"a": (0.2, 0.6), "b": (0.4, 0.7)})
    chain = rs.chain_classifiers({"a": (0.2, 0.6), "b": (0.4, 0.7)})
    between = rs.interpolate_classifiers({"a": (0.2, 0.6), "b": (0.4, 0.7)}, k=0.5)
    repaired = rs.repair_concavities(rs.Study([1, 0, 1, 0], [4, 3, 2, 1]))
    studies = (
        *(
            rs.ItemStudy,
            rs.MetaStudy,
            rs.MulticlassStudy,
            rs.MultilabelStudy,
            rs.OrdinalStudy,
            rs.ReaderStudy,
            rs.Study,
        ),
        rs.SurvivalStudy,
    )
    readers = ("machine_scores", "machine_study")
    return {
        **dict(public_functions()),
        **{kind.__name__: kind for kind in studies},
        **{name: one for name, one in vars(rs.planning).items() if inspect.isclass(one)},
        **{f"{type(one).__name__}.apply": type(one).apply for one in (combined, chain, between)},
        "RepairedClassifier.apply": type(repaired).apply,
        **{f"ReaderStudy.{name}": getattr(rs.ReaderStudy, name) for name in readers},
        **{
            f"PairedCounts.{name}": method
            for name, method in vars(rs.PairedCounts).items()
            if inspect.isfunction(method) and not name.startswith("_")
        },
    }


def documented_types(function: Any) -> dict[str, str]:
    """The type of each parameter by its docstring; "" where another docstring is named."""
    text = (inspect.getdoc(function) or "").partition("Parameters\n----------\n")[2]
    lines = re.split(r"\n\n[A-Z][a-z ]+\n-+\n", text)[0].splitlines()
    found = [line.partition(" : ") for line in lines if line and not line.startswith(" ")]
    return {
        name.strip().lstrip("*"): kind for names, _, kind in found for name in names.split(", ")
    }


def parameters_that_may_take_rows() -> set[tuple[str, str]]:
    found = set()
    for name, function in public_calls().items():
        types = documented_types(function)
        for parameter in inspect.signature(function).parameters:
            if parameter in {"self", "sample"}:
                continue
            kind = types[parameter]
            # A set of words is not of arrays, though one of them may be "frames".
            if not kind or MAY_TAKE_ROWS.search(re.sub(r"\{.*\}", "", kind)):
                found.add((name, parameter))
    return found


# What a value of these names is, wherever they stand.
NO_ROWS = {
    "labels outcome display_labels words predictor na": "words",
    "colors line slope prespecified": "of lines in a figure or a report",
    "pos_label higher_is_positive": "one of the study, or by name of the predictor",
    "threshold fpr tpr false_marks edges at risk_threshold prevalence": "points asked for",
    "thresholds": "points asked for",
    "quantities": "words",
    "alternative hypothesis margin adjust reference across confidence_level null_value": "words",
    "n_readers n_groups power half_width auc separation variances components": "of a plan",
    "cv estimator estimators tree results": "models, and how they are cross-validated",
    "criterion fit fit_and_score statistic": "functions",
}
NO_ROWS_OF = {
    "Study.unnamed": "nothing",
    "Study.predictor OrdinalStudy.predictor SurvivalStudy.predictor": "names of the columns of a"
    " matrix",
    "OrdinalStudy.order": "labels from low to high",
    "MulticlassStudy.labels": "names of the columns of a matrix",
    "SurvivalStudy.event_code SurvivalStudy.censored_code": "codes of the column of events",
    "SurvivalStudy.auc.time SurvivalStudy.auc_band.time SurvivalStudy.compare_auc.time"
    " SurvivalStudy.operating_points.time SurvivalStudy.roc_curve.time": "times asked for",
    "read_table.text": "names of columns of a file",
    "count_sql.table count_sql.by count_scores.by count_paired.by count_paired.score": "names",
    "pool_areas.frames_or_table": "frames, or one table, alone",
    "count_paired.frame merge_counts.counts": "frames alone, whose columns have one index",
    "stack_test_sets.studies report.comparison": "studies and answers",
    "ReaderStudy.compare_with.machine ReaderStudy.machine_scores.machine"
    " ReaderStudy.machine_study.machine": "scores found by the names of the cases",
    "RepairedClassifier.apply.scores shift_prevalence.p": "one column alone",
    "sweep_class_weight.weights critical_auc.n_candidates": "one number for each answer",
}


# --- Calls with rows ------------------------------------------------------------------------------


LABELS = pd.Index([f"row {k}" for k in range(N)])


class Call(NamedTuple):
    """A public call: its rows by parameter, and what else it takes.

    A dict is several columns. Rows of ``apart`` parameters need not be those of the others.
    """

    ask: Callable[..., Any]
    rows: dict[str, Any]
    more: dict[str, Any] = {}  # noqa: RUF012 (never changed)
    apart: bool = False
    other: str = ""
    """What the message names beside the parameter, if no other parameter."""
    labels: pd.Index[Any] = LABELS


SITE = np.repeat(["u", "v", "w"], N // 3)
SCORES = CASES["y_score"]
CALLED = {"a": SCORES["a"] > 0.3, "b": SCORES["b"] > 0.7}
LEAVES = {
    "class": np.array([1, 0, 1]),
    "matched": np.array([10, 12, 8]),
    "errors": np.array([1, 2, 3]),
}
TESTS = {
    "predictor": np.array(["p", "q", "r"]),
    **{name: np.array(counts) for name, counts in zip(
        ("tp", "fn", "fp", "tn"), ([14, 18, 3], [6, 7, 8], [8, 3, 9], [22, 30, 1]), strict=True
    )},
}  # fmt: skip
POINTS = {
    "predictor": np.array(["p", "q"]),
    "fpr": np.array([0.2, 0.4]),
    "tpr": np.array([0.6, 0.7]),
}
TAKEN_BY_MODELS = ("frequency", "cluster", "group", "fold")
COUNTS = {
    "score": np.array([1.0, 2, 3]),
    "n_pos": np.array([1, 4, 9]),
    "n_neg": np.array([7, 4, 2]),
    "site": np.array(["u", "u", "u"]),
}
TREE = DecisionTreeClassifier(max_depth=2, random_state=0).fit(FEATURES, Y)
FOLDS = {
    "estimator": [TREE, TREE],
    "indices": {"test": [np.arange(N // 2), np.arange(N // 2, N)]},
}
BY_NAME = pd.DataFrame({"y": Y, "s": SCORES["a"], "site": SITE})


def of_question(name: str, *rows: str, **given: Any) -> Call:
    """The plain call of a question, whose options in ``rows`` have a value for each row."""
    function, options, *_ = QUESTIONS[name]._replace(options={**QUESTIONS[name].options, **given})
    return Call(
        function,
        {option: options[option] for option in rows},
        {option: value for option, value in options.items() if option not in rows},
    )


def is_indexed(value: Any) -> bool:
    values = value.values() if isinstance(value, dict) else [value]
    return any(isinstance(one, pd.Series) for one in values)


def study_beside(by: Any) -> rs.Study:
    """A study with an index, if the variables have one."""
    return rs.Study(pd.Series(Y, LABELS) if is_indexed(by) else Y, SCORES["a"])


CALLS = {
    "Study": Call(
        rs.Study,
        {**CASES, **ROLES[rs.Study], "covariate": {"age": np.arange(N), "sex": SITE}},
    ),
    "Study with data": Call(
        rs.Study, {"data": BY_NAME, "cluster": np.arange(N) // 2}, {"y_true": "y", "y_score": "s"}
    ),
    "MulticlassStudy": Call(
        rs.MulticlassStudy,
        {**CLASSES, "y_score": CLASSES["y_score"]["m"], **ROLES[rs.MulticlassStudy]},
    ),
    "MulticlassStudy with data": Call(
        rs.MulticlassStudy,
        {
            "data": pd.DataFrame({"y": Y, "0": SCORES["a"], "1": SCORES["b"]}),
            "cluster": np.arange(N) // 2,
        },
        {"y_true": "y", "y_score": ["0", "1"]},
    ),
    "MultilabelStudy": Call(
        rs.MultilabelStudy,
        {
            "y_true": np.column_stack([Y, SITE == "u"]),
            "y_score": np.column_stack([SCORES["a"], SCORES["b"]]),
            **ROLES[rs.MultilabelStudy],
        },
    ),
    "MultilabelStudy with data": Call(
        rs.MultilabelStudy,
        {
            "data": pd.DataFrame({"y": Y, "z": 1 - Y, "0": SCORES["a"], "1": SCORES["b"]}),
            "cluster": np.arange(N) // 2,
        },
        {"y_true": ["y", "z"], "y_score": ["0", "1"]},
    ),
    "ReaderStudy": Call(rs.ReaderStudy, {**READS, **ROLES[rs.ReaderStudy]}),
    "ReaderStudy with data": Call(
        rs.ReaderStudy,
        {
            "data": pd.DataFrame({"truth": READS["truth"], "s": READS["rating"]}),
            **{role: READS[role] for role in ("reader", "case", "modality")},
        },
        {"truth": "truth", "rating": "s"},
    ),
    "SurvivalStudy": Call(rs.SurvivalStudy, {**PATIENTS, **ROLES[rs.SurvivalStudy]}),
    "SurvivalStudy with data": Call(
        rs.SurvivalStudy,
        {"data": BY_NAME, "time": np.arange(N) + 1},
        {"event": "y", "score": "s"},
    ),
    "OrdinalStudy": Call(rs.OrdinalStudy, {**GRADED, **ROLES[rs.OrdinalStudy]}),
    "OrdinalStudy with data": Call(
        rs.OrdinalStudy,
        {"data": BY_NAME, "cluster": np.arange(N) // 2},
        {"y_true": "y", "y_score": "s"},
    ),
    "MetaStudy": Call(
        rs.MetaStudy,
        {
            **dict.fromkeys(("tp", "fp", "fn", "tn"), np.arange(N) + 1),
            "study": np.arange(N),
            "covariate": np.arange(N) // 2,
            **ROLES[rs.MetaStudy],
        },
    ),
    "MetaStudy with data": Call(
        rs.MetaStudy,
        {"data": pd.DataFrame({"n": np.arange(N) + 1}), "study": np.arange(N)},
        dict.fromkeys(("tp", "fp", "fn", "tn"), "n"),
    ),
    "ItemStudy": Call(rs.ItemStudy, {**ITEMS, **ROLES[rs.ItemStudy]}),
    "ItemStudy with data": Call(
        rs.ItemStudy,
        {"data": BY_NAME, "cluster": np.arange(N) // 2},
        {"score": "y"},
    ),
    "ItemStudy of rows": Call(
        rs.ItemStudy,
        {
            "score": Y,
            "item": np.arange(N) // 2,
            "system": np.array(["a", "b"])[np.arange(N) % 2],
            "cluster": np.arange(N) // 4,
        },
    ),
    "Study.from_estimator": Call(
        lambda **given: rs.Study.from_estimator(TREE, **given), {"X": FEATURES, "y_true": Y}
    ),
    "Study.from_cross_val_predict": Call(
        lambda **given: rs.Study.from_cross_val_predict(cv=2, **given),
        {"y_true": Y, "y_score": SCORES["a"], "cluster": np.arange(N) // 2},
    ),
    **{
        f"Study.from_estimator with {role}": Call(
            lambda **given: rs.Study.from_estimator(TREE, **given),
            {"X": FEATURES, "y_true": Y, role: values},
        )
        for role, values in ROLES[rs.Study].items()
        if role in TAKEN_BY_MODELS
    },
    "Study.from_cv_results": Call(
        lambda **given: rs.Study.from_cv_results(FOLDS, **given),
        {
            "X": FEATURES,
            "y_true": Y,
            "cluster": np.arange(N) // 2,
            "group": {"site": SITE, "sex": SITE},
        },
    ),
    "Study.from_tree": Call(
        lambda **given: rs.Study.from_tree(TREE, **given),
        {
            "X": FEATURES,
            "y_true": Y,
            **{role: ROLES[rs.Study][role] for role in TAKEN_BY_MODELS},
            "sample_weight": np.ones(N),
        },
    ),
    "Study.from_samples": Call(
        rs.Study.from_samples, {"positives": SCORES, "negatives": SCORES}, apart=True
    ),
    "Study.from_confusion": Call(
        rs.Study.from_confusion, {name: TESTS[name] for name in ("predictor", *list(TESTS)[1:])}
    ),
    "Study.from_confusion of a table": Call(rs.Study.from_confusion, {"table": TESTS}),
    "Study.from_counts": Call(rs.Study.from_counts, {"counts": COUNTS}),
    "Study.from_leaves": Call(rs.Study.from_leaves, {"leaves": LEAVES}, {"pos_label": 1}),
    "Study.subgroups": Call(
        lambda by: study_beside(by).subgroups(by),
        {"by": {"site": SITE, "half": np.arange(N) < N // 2}},
        other="study",
    ),
    "Study.subgroups with data": Call(
        lambda data: study_beside(data).subgroups(["site", "half"], data=data),
        {"data": {"site": SITE, "half": np.arange(N) < N // 2}},
        other="study",
    ),
    "Study.compare_auc": Call(
        lambda contrasts: rs.Study(Y, SCORES).compare_auc(contrasts=contrasts),
        {"contrasts": {"trend": np.array([1.0, -1])}},
        other="['a', 'b']",
        labels=pd.Index(["a", "b"]),
    ),
    "PairedCounts.compare_auc": Call(
        lambda contrasts: rs.count_paired(
            pd.DataFrame({"y": Y, **SCORES}), "y", ["a", "b"], exact=True
        ).compare_auc(contrasts=contrasts),
        {"contrasts": {"trend": np.array([1.0, -1])}},
        other="['a', 'b']",
        labels=pd.Index(["a", "b"]),
    ),
    "optimism_corrected_auc": of_question("optimism_corrected_auc", "X", "y"),
    "permute_pipeline": of_question("permute_pipeline", "X", "y"),
    "sweep_class_weight": of_question("class_weight_sweep", "X", "y"),
    "sweep_class_weight of a test set": of_question("class_weight_sweep", "X_test", "y_test"),
    "verified_auc": of_question(
        "verified_auc",
        *("y_true", "y_score", "verified", "probability", "cluster"),
        cluster=np.arange(N) // 2,
    ),
    "verified_auc of a model": of_question(
        "verified_auc",
        *("y_true", "y_score", "verified", "X"),
        y_score=SCORES["a"],
        X=FEATURES,
        probability=lambda X, known: np.full(len(X), 0.6),
    ),
    "verified_auc with data": Call(
        rs.verified_auc,
        {"data": BY_NAME, "verified": np.arange(N) % 3 > 0},
        {
            "y_true": "y",
            "y_score": "s",
            "probability": np.full(N, 0.6),
            "n_resamples": 100,
            "rng": 1,
        },
    ),
    "compare_learners": of_question("compare_learners", "areas"),
    "compare_over_datasets": of_question("compare_over_datasets", "areas"),
    **{
        f"{combine.__name__}": Call(combine, {"decisions": CALLED, "y_true": Y})
        for combine in (rs.conjoin_classifiers, rs.disjoin_classifiers, rs.chain_classifiers)
    },
    "CombinedClassifier.apply": Call(
        rs.conjoin_classifiers(decisions=CALLED, y_true=Y).apply, {"decisions": CALLED}
    ),
    "ClassifierChain.apply": Call(
        rs.chain_classifiers(decisions=CALLED, y_true=Y).apply, {"decisions": CALLED}
    ),
    "InterpolatedClassifier.apply": Call(
        rs.interpolate_classifiers({"a": (0.2, 0.6), "b": (0.4, 0.7)}, k=0.5).apply,
        {"decisions": CALLED},
        {"rng": 1},
    ),
    "cost_benefit_matrix": Call(
        lambda benefits, y_true: rs.cost_benefit_matrix(
            {"Y": {"p": benefits["gain"], "n": benefits["loss"]}, "N": {"p": 0, "n": 0}}, y_true
        ),
        {"benefits": {"gain": np.arange(N), "loss": -np.arange(N)}, "y_true": Y},
    ),
    "count_scores": Call(
        lambda frame: rs.count_scores(frame, "y", "s", by="site", exact=True),
        {"frame": {"y": Y, "s": SCORES["a"], "site": SITE}},
    ),
    "power": Call(
        rs.power, {"n_pos": np.array([20, 30]), "n_neg": np.array([40, 50])}, {"auc": 0.8}
    ),
}
POSITIONS_ALONE = {
    "chain_classifiers.positions conjoin_classifiers.positions disjoin_classifiers.positions"
    " interpolate_classifiers.positions confusion_rates.tables": (
        "a dict by name of the classifier, or a frame, whose columns have one index"
    )
}


def parameter_of(name: str) -> str:
    """The public name that a call is of: "Study with data" is one of Study."""
    return re.split(r" (?:with|of) ", name)[0]


def test_every_parameter_that_may_take_rows_is_in_a_record():
    """A new one is to be added to CALLS, or to NO_ROWS with the reason."""
    named = {name for names in NO_ROWS for name in names.split()}
    records = {**NO_ROWS_OF, **POSITIONS_ALONE}
    alone = {tuple(one.rsplit(".", 1)) for names in records for one in names.split()}
    taken = {(parameter_of(name), rows) for name, call in CALLS.items() for rows in call.rows}
    # **roles, each of which has a call of from_estimator.
    taken |= {(f"Study.{name}", "roles") for name in ("from_estimator", "from_cross_val_predict")}
    found = parameters_that_may_take_rows()
    assert {one for one in found if one[1] not in named} - alone - taken == set()
    roles = {("Study.from_estimator", role) for role in TAKEN_BY_MODELS}
    # power() takes numbers, of which the docstring says "sequence".
    assert (alone | taken) - roles - found == set(), "a record of what is no public parameter"


# --- What is asked of each ------------------------------------------------------------------------


def with_index(value: Any, index: pd.Index[Any]) -> Any:
    if isinstance(value, dict):
        return {name: with_index(column, index) for name, column in value.items()}
    if isinstance(value, pd.DataFrame):
        return value.set_axis(index[: len(value)])
    kind = pd.DataFrame if value.ndim == 2 else pd.Series
    return kind(value, index[: len(value)])


def reversed_rows(value: Any) -> Any:
    """The same rows with the same labels in the reverse order."""
    if isinstance(value, dict):
        return {name: column[::-1] for name, column in value.items()}
    return value[::-1]


def assert_same(found: Any, expected: Any) -> None:
    """Require equal answers, or studies of equal rows; their index may differ."""
    if isinstance(found, BaseSample):
        mine, theirs = found.__getstate__(), expected.__getstate__()
        for name in mine.keys() - {"_index", "_cache"}:
            np.testing.assert_equal(mine[name], theirs[name], err_msg=name)
    elif isinstance(found, pd.DataFrame):
        pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(expected))
    elif hasattr(found, "points"):
        pd.testing.assert_frame_equal(found.points, expected.points)
    else:
        np.testing.assert_equal(found, expected)


PAIRS = [(name, rows) for name, call in CALLS.items() for rows in call.rows]


@pytest.fixture(scope="module")
def plain():
    """The answer of each call to arrays and dicts, which have no index."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        return {name: call.ask(**call.rows, **call.more) for name, call in CALLS.items()}


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@each("name", CALLS)
def test_equal_indexes_and_no_index_are_the_same(plain, name):
    call = CALLS[name]
    found = call.ask(
        **{rows: with_index(value, call.labels) for rows, value in call.rows.items()}, **call.more
    )
    assert_same(found, plain[name])


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@each(("name", "rows"), PAIRS)
def test_one_argument_with_an_index_is_paired_by_position(plain, name, rows):
    call = CALLS[name]
    given = {**call.rows, rows: with_index(call.rows[rows], call.labels)}
    if call.other or any(isinstance(value, pd.DataFrame) for value in call.rows.values()):
        return  # the study, or the frame of the named columns, has an index in any case
    assert_same(call.ask(**given, **call.more), plain[name])


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@each(("name", "rows"), PAIRS)
def test_rows_in_another_order_are_refused(name, rows):
    call = CALLS[name]
    others = [other for other in call.rows if other != rows]
    if call.apart or not (others or call.other):
        return  # there is no other argument
    given = {other: with_index(value, call.labels) for other, value in call.rows.items()}
    given[rows] = reversed_rows(given[rows])
    with pytest.raises(rs.InputError) as refused:
        call.ask(**given, **call.more)
    message = str(refused.value)
    named = re.findall(r"`([a-z_A-Z]+)[^`]*`", message)
    assert "must have the same index as" in message or call.other.startswith("["), message
    assert call.other in message
    # Of a frame of named columns the argument that names one is told, not ``data``.
    by_name = set(call.more) if "data" in call.rows else set()
    assert set(named) & ({rows} if rows != "data" else by_name) or call.other, message
    assert set(named) & ({*others} | by_name) or call.other, message


COLUMNS = [
    (name, rows, column)
    for name, rows in PAIRS
    if isinstance(CALLS[name].rows[rows], dict) and len(CALLS[name].rows[rows]) > 1
    for column in CALLS[name].rows[rows]
]


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@each(("name", "rows", "column"), COLUMNS)
def test_columns_in_different_orders_are_refused(name, rows, column):
    call = CALLS[name]
    columns = with_index(call.rows[rows], call.labels)
    columns[column] = columns[column][::-1]
    with pytest.raises(rs.InputError, match=r"must have the same index as `"):
        call.ask(**{**call.rows, rows: columns}, **call.more)
