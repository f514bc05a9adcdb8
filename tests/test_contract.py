"""The contract of answers: what holds of the answer to every public question.

1. An answer has the declared columns, types, ranges and notes. It records its question, version,
   references and seed. The same call has the same answer, and the input is untouched.
2. An answer is data: it is pickled, copied, concatenated, and written to csv and parquet.
3. Studies that mean the same have the same answer: rows in another order, or written out for their
   frequency; labels in another form; scores in another unit, or turned round.
4. Missing scores and each role of a study change the answer as declared, or are refused by name.
5. Data at the edge (a class is absent, nothing varies, few clusters) have a note, and no limits of
   zero width.

Each test takes every call of ``tests/calls.py``, whose plain answers are made once.
"""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.frame.cutoffs import NEXT_SCORES
from rocstats.frame.question import Question
from rocstats.studies.catalogue import declared_questions
from tests.calls import (
    CALLS,
    CASE,
    CLASS,
    EVENT,
    GRADED,
    HALF,
    LABELS,
    OF_STUDIES,
    ROLES,
    ROWS,
    Call,
    N,
    Y,
    mapped,
)
from tests.quick import assert_frames_equal, each
from validation.torture.contract import codes_of, faults_of, faults_of_message, other_warnings
from validation.torture.relations import OF_THE_SCALE, TOLERANCE
from validation.torture.studies import OF_RISKS

DECLARED = declared_questions()
DRAWN = [name for name, call in CALLS.items() if "rng" in call.options]
CLOSED = [name for name in OF_STUDIES if name not in DRAWN]

# Before any call: an input that a call sorts in place is sorted for all calls after it.
INPUTS = {name: pickle.dumps((call.study, call.options)) for name, call in CALLS.items()}

every_call = pytest.mark.parametrize("name", CALLS)
every_call_of_a_study = pytest.mark.parametrize("name", OF_STUDIES)
every_closed_form = pytest.mark.parametrize("name", CLOSED)


@cache
def plain(name: str) -> pd.DataFrame:
    """Return the answer to a call as it is in the table."""
    return CALLS[name].answer()


def question_of(name: str) -> Question:
    """Return the declaration of what a call asks."""
    return DECLARED[name if name in DECLARED else CALLS[name].function.__name__]


def assert_same(found, expected):
    """Require equal frames, to the last bit."""
    assert_frames_equal(pd.DataFrame(found), pd.DataFrame(expected), check_exact=True)


def assert_alike(found, expected, without=()):
    """Require equal texts, and numbers that agree but for rounding."""
    ours, theirs = (pd.DataFrame(frame).reset_index(drop=True) for frame in (found, expected))
    left = [name for name in without if name in ours]
    ours, theirs = ours.drop(columns=left), theirs.drop(columns=left)
    # Counts are integers where all rows have whole ones.
    pd.testing.assert_frame_equal(ours, theirs, rtol=TOLERANCE, atol=TOLERANCE, check_dtype=False)


# --- Every question is asked ----------------------------------------------------------------------


def test_every_declared_question_has_a_plain_call():
    asked_plainly = {question_of(name).name for name in CALLS if "," not in name}
    assert asked_plainly == set(DECLARED)


# --- What an answer is ----------------------------------------------------------------------------


def answer_and_doubts(call: Call) -> tuple[pd.DataFrame, set[str]]:
    """Return an answer that keeps its schema, and the doubts that it warned of.

    Its columns, types, ranges and notes are the declared ones; no warning is one of others.
    """
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        frame = call.answer()
    grouped = call.study.get("group") is not None
    faults = faults_of(frame, grouped=grouped, warned=codes_of(warned))
    assert [*faults, *other_warnings(warned)] == []
    return frame, codes_of(warned)


@every_call
def test_an_answer_has_the_declared_columns_types_ranges_and_notes(name):
    answer_and_doubts(CALLS[name])


@every_call
def test_an_answer_tells_what_it_answers_and_how_to_repeat_it(name):
    about, call = plain(name).attrs["rocstats"], CALLS[name]
    assert about["function"] == question_of(name).name
    assert about["version"] == rs.__version__
    assert set(about["references"]) >= set(question_of(name).references)
    assert (about.get("seed") is not None) == ("rng" in call.options)
    if "n_resamples" in call.options or "rng" not in call.options:
        assert about.get("n_resamples") == call.options.get("n_resamples")


@pytest.mark.parametrize("name", DRAWN)
def test_the_recorded_seed_repeats_an_answer(name):
    drawn = CALLS[name].asking(rng=np.random.default_rng(5)).answer()
    seed = drawn.attrs["rocstats"]["seed"]
    assert_same(CALLS[name].asking(rng=seed).answer(), drawn)


@every_call
def test_the_same_call_has_the_same_answer_and_its_input_is_untouched(name):
    expected, call = plain(name), CALLS[name]
    assert_same(call.answer(), expected)
    assert pickle.dumps((call.study, call.options)) == INPUTS[name]


@pytest.mark.parametrize(
    "name",
    [
        "Study.auc",
        "SurvivalStudy.auc",
        "ReaderStudy.auc",
        "ItemStudy.accuracy",
        "MetaStudy.summary",
    ],
)
def test_columns_of_a_frame_are_the_same_study_and_the_frame_is_untouched(name):
    columns, names = dict[str, Any](), dict[str, Any]()
    for argument, value in CALLS[name].study.items():
        columns |= value if isinstance(value, Mapping) else {argument: value}
        names[argument] = [*value] if isinstance(value, Mapping) else argument
    frame = pd.DataFrame(columns)
    before = frame.copy()
    found = CALLS[name]._replace(study={**names, "data": frame}).answer()
    assert_same(found, plain(name))
    assert_same(frame, before)


# --- An answer is data ----------------------------------------------------------------------------


@every_call
def test_a_pickled_or_copied_answer_is_the_answer(name):
    frame = plain(name)
    for again in (pickle.loads(pickle.dumps(frame)), copy.deepcopy(frame)):
        assert_same(again, frame)
        assert again.attrs == frame.attrs


@every_call
def test_answers_can_be_put_below_each_other(name):
    frame = plain(name)
    both = pd.concat([frame, frame], ignore_index=True)
    assert_same(both.iloc[: len(frame)], frame)
    assert_same(both.iloc[len(frame) :].reset_index(drop=True), frame)
    assert both.attrs == frame.attrs


@every_call
def test_an_answer_comes_back_from_csv(name):
    frame = plain(name)
    again = rs.read_csv(io.StringIO(frame.to_csv(index=False)))
    assert_same(again, frame)


@every_call
def test_an_answer_comes_back_from_parquet(name):
    frame, file = plain(name), io.BytesIO()
    frame.to_parquet(file)
    again = pd.read_parquet(file)
    assert_same(again, frame)
    assert again.attrs == frame.attrs


def test_estimates_of_all_questions_can_be_put_below_each_other():
    frames = [plain(name) for name in CALLS if "estimate" in plain(name)]
    together = pd.concat(frames, ignore_index=True)
    assert together["estimate"].tolist() == pytest.approx(
        [value for frame in frames for value in frame["estimate"]], nan_ok=True
    )


# --- Studies that mean the same have the same answer ----------------------------------------------


@every_closed_form
def test_the_order_of_rows_does_not_matter(name, rng):
    # Groups, folds and readers are listed in order of appearance: the first six rows have them all.
    rows = np.concatenate([ROWS[:6], rng.permutation(ROWS[6:])])
    found, expected = CALLS[name].taken(rows).answer(), plain(name)
    if "study" in expected:  # rows about single studies have their order
        found, expected = (frame.sort_values("study", kind="stable") for frame in (found, expected))
    assert_alike(found, expected)


@pytest.mark.parametrize(
    "name", [name for name in CLOSED if "frequency" in ROLES[CALLS[name].kind]]
)
def test_a_frequency_is_so_many_rows(name):
    times = ROLES[rs.Study]["frequency"]
    assert_alike(
        CALLS[name].of(frequency=times).answer(), CALLS[name].taken(np.repeat(ROWS, times)).answer()
    )


def in_words(positive, yes="ill", no="well"):
    return np.where(positive, yes, no)


RECODED: dict[Any, list[dict[str, Any]]] = {
    rs.Study: [
        {"y_true": Y == 1},
        {"y_true": Y * 1.0},
        {"y_true": np.where(Y, 1, 2), "pos_label": 1},
        {"y_true": in_words(Y), "pos_label": "ill"},
        {"y_true": pd.Categorical(in_words(Y), ["well", "ill", "unknown"]), "pos_label": "ill"},
    ],
    rs.ReaderStudy: [
        {"truth": CASE % 2 == 1},
        {"truth": in_words(CASE % 2), "pos_label": "ill"},
    ],
    rs.SurvivalStudy: [
        {"event": EVENT == 1},
        {
            "event": in_words(EVENT, "dead", "alive"),
            "event_code": "dead",
            "censored_code": "alive",
        },
    ],
    rs.MulticlassStudy: [{"y_true": pd.Categorical(CLASS)}],
    rs.OrdinalStudy: [
        {"y_true": GRADED["y_true"] * 1.0},
        {
            "y_true": np.array(["low", "mid", "top"])[GRADED["y_true"]],
            "order": ["low", "mid", "top"],
        },
        {"y_true": pd.Categorical(GRADED["y_true"], [0, 1, 2], ordered=True)},
    ],
    rs.MultilabelStudy: [{"y_true": {name: of == 1 for name, of in LABELS["y_true"].items()}}],
}
"""Of studies with an outcome, which items lack."""


@pytest.mark.parametrize("name", [n for n, call in OF_STUDIES.items() if call.kind in RECODED])
def test_labels_of_the_outcome_in_another_form_change_nothing(name):
    call = CALLS[name]
    for arguments in RECODED[call.kind]:
        assert_same(call.of(**arguments).answer(), plain(name))


# --- The scores -----------------------------------------------------------------------------------

SCORES = ("y_score", "rating", "score")
CUTOFFS = ("threshold", "thresholds", "edges")
TAKES_RISKS = [
    name
    for name, call in OF_STUDIES.items()
    if (
        call.function.__name__.removeprefix("multiclass_") in OF_RISKS
        or "risk_threshold" in call.options
    )
    and "threshold" not in call.options
]
TAKES_SCORES = [
    name
    for name, call in OF_STUDIES.items()
    if name not in TAKES_RISKS
    # Scores of items are grades; ratings of marks are in a table of their own; reviews have none.
    and call.kind not in (rs.ItemStudy, rs.DetectionStudy, rs.MetaStudy)
]
OF_THE_USER = {"Study.bootstrap", "MulticlassStudy.bootstrap"}
"""Of a user's statistic, which may have the unit of the scores."""


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return scores, or cutoffs, that are changed; several cutoffs stay in ascending order."""
    if isinstance(value, Mapping):
        return {name: changed(one, change) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(change, value))
    return value if isinstance(value, str) else change(value)


def on_another_scale(call: Call, change: Callable[[Any], Any], also: Any = ()) -> Call:
    """Return a call with its scores, and the cutoffs among its options, changed."""
    names = {*SCORES, *CUTOFFS, *also}
    study, options = (
        {name: changed(one, change) if name in names else one for name, one in given.items()}
        for given in (call.study, call.options)
    )
    return call._replace(study=study, options=options)


def of_cutoffs(frame: pd.DataFrame) -> pd.Series:
    """Return which rows are about a cutoff itself."""
    return frame.get("quantity", pd.Series("", frame.index)) == "threshold"


def in_unit(frame: pd.DataFrame, unit: float) -> pd.DataFrame:
    """Return an answer with all that is on the scale of the scores divided by their unit."""
    frame = pd.DataFrame(frame).copy()
    of_scores = {*OF_THE_SCALE} - {*NEXT_SCORES.values()}  # these are for the digits in print
    for name in of_scores & {*frame}:
        frame[name] /= unit
    for name in {"estimate", "apparent", "se", "ci_low", "ci_high"} & {*frame}:
        frame.loc[of_cutoffs(frame), name] /= unit
    return frame.drop(columns=NEXT_SCORES.values(), errors="ignore")


@pytest.mark.parametrize("name", [name for name in TAKES_SCORES if name not in OF_THE_USER])
@each(("unit", "rtol"), [(2.0**1000, 1e-12), (1e-300, 1e-6)])
def test_the_unit_of_the_scores_does_not_matter(name, unit, rtol):
    # A power of two changes no digit; in a decimal unit the scores themselves are rounded.
    machine = ("machine", "machine_threshold")  # which may have a scale of its own
    call = on_another_scale(CALLS[name], lambda score: score * unit, also=machine)
    found, expected = in_unit(call.answer(), unit), in_unit(plain(name), 1.0)
    pd.testing.assert_frame_equal(found, expected, rtol=rtol)


DIRECTED = [
    name
    for name in TAKES_SCORES
    if name not in OF_THE_USER and CALLS[name].kind not in (rs.MulticlassStudy, rs.MultilabelStudy)
]
"""Of studies whose lower scores may be those of positives."""


@pytest.mark.parametrize("name", DIRECTED)
def test_low_scores_of_positives_are_high_scores_turned_round(name):
    turned = on_another_scale(CALLS[name], lambda score: -score).of(higher_is_positive=False)
    found, expected = turned.answer(), plain(name)
    if "direction" in found:
        other = {">=": "<=", "<=": ">="}
        assert {*found["direction"]} >= {other.get(word, word) for word in expected["direction"]}
    found, expected = (in_unit(frame, unit) for frame, unit in ((found, -1.0), (expected, 1.0)))
    # Rows may come in the order of the scores.
    order = [name for name in ("predictor", "threshold", "band_low") if name in found]
    found, expected = (
        frame[~of_cutoffs(frame)].sort_values(order, kind="stable") for frame in (found, expected)
    )
    assert_alike(found, expected, without=(*OF_THE_SCALE, "direction", "reference_direction"))


@pytest.mark.parametrize("name", TAKES_RISKS)
def test_risks_are_numbers_from_0_to_1_and_higher_for_positives(name):
    with pytest.raises(rs.InputError, match=r"`y_score`|`score`"):
        on_another_scale(CALLS[name], lambda score: score * 2).answer()
    if CALLS[name].kind is rs.MulticlassStudy:  # whose higher scores always mean the class
        return
    with pytest.raises(rs.InputError, match="`higher_is_positive`"):
        CALLS[name].of(higher_is_positive=False).answer()


# --- Missing scores -------------------------------------------------------------------------------

MISSING = ROWS % 9 == 7
BOUNDS_THE_MISSING = {"Study.auc_bounds"}


def with_holes(call: Call, policy: str) -> Call:
    """Return the call of a study without some scores: of its last predictor, or of all."""
    score = next(name for name in (*SCORES, "tp") if name in call.study)
    given = call.study[score]

    def without(values: Any) -> Any:
        return mapped(values, lambda column: np.where(MISSING, np.nan, column))

    if isinstance(given, Mapping):
        last = [*given][-1]
        return call.of(**{score: {**given, last: without(given[last])}}, nan_policy=policy)
    return call.of(**{score: without(given)}, nan_policy=policy)


def without_note(frame: pd.DataFrame, code: str) -> pd.DataFrame:
    """Return the answer without a code in its notes."""
    if "note" not in frame:
        return frame
    notes = frame["note"].str.replace(rf"(; )?{code}", "", regex=True).str.removeprefix("; ")
    return frame.assign(note=notes)


# A study of marks has no policy for missing values: tests/study/test_detection.py asks it.
@pytest.mark.parametrize(
    "name", [n for n, call in OF_STUDIES.items() if call.kind is not rs.DetectionStudy]
)
def test_rows_with_missing_scores_are_refused_or_left_out(name):
    with pytest.raises(rs.InputError, match="nan_policy"):
        with_holes(CALLS[name], "raise").answer()
    kept = CALLS[name].taken(ROWS[~MISSING])
    found = with_holes(CALLS[name], "omit").asking(**kept.options).answer()
    if name not in BOUNDS_THE_MISSING:
        assert_same(without_note(found, r"rows-dropped=\d+"), kept.answer())


@pytest.mark.parametrize("name", [n for n, call in OF_STUDIES.items() if call.kind is rs.Study])
def test_each_predictor_has_its_own_cases_or_the_policy_is_refused(name):
    try:
        frame, _ = answer_and_doubts(with_holes(CALLS[name], "available"))
    except rs.InputError as refused:
        assert "nan_policy" in str(refused)  # noqa: PT017
        return
    whole = plain(name)
    assert not frame.equals(whole)
    if name in CLOSED and "predictor" in whole and "reference" not in whole:
        own = (one[one["predictor"] == "a"] for one in (frame, whole))
        assert_alike(*own, without=("note", "p_adjusted"))


# --- Roles ----------------------------------------------------------------------------------------

REFUSED_BY_A_METHOD = {
    ("Study.compare_auc, correlation", "sample_weight"),
    ("Study.compare_auc, correlation", "cluster"),
    ("Study.compare_auc, correlation", "fold"),
    ("Study.compare_auc, permutation", "sample_weight"),
    ("Study.cutpoints, normal theory", "cluster"),
    ("Study.roc_band, normal theory", "cluster"),
    ("Study.versus_random", "cluster"),
    ("Study.versus_random, permutation", "cluster"),
    ("Study.roc_average", "cluster"),
    ("Study.roc_average, threshold", "cluster"),
}
"""Refused here, though other methods of the question take them."""

MERGES_FOLDS = {
    "binormal_curve", "cost_curve", "cost_difference_band", "cutpoint_draws", "det_curve",
    "lift_curve", "multiclass_roc_curve", "optimal_points", "pr_curve", "random_band",
    "random_points", "roc_curve", "roc_difference_band", "roc_hull", "superiority_curve",
}  # fmt: skip
"""Answered for the cases of all folds together."""

POINTS_ALONE = {
    "auc_bounds", "binormal_curve", "cost_curve", "det_curve", "detection_curve", "lc_index",
    "lift_curve",
    "multiclass_roc_curve", "optimal_points", "pr_curve", "reader_roc_curve", "roc_curve",
    "roc_hull", "superiority_curve", "survival_roc_curve",
}  # fmt: skip
"""Answered without limits, which clusters would change, unless they are drawn."""


def is_refused(name: str, role: str) -> bool:
    question = question_of(name)
    unadjusted = role == "covariate" and not question.adjusts
    return unadjusted or role in question.refuses or (name, role) in REFUSED_BY_A_METHOD


def is_without_effect(name: str, role: str) -> bool:
    question = question_of(name).name
    merged = role == "fold" and question in MERGES_FOLDS
    return merged or (role == "cluster" and question in POINTS_ALONE and name in CLOSED)


@every_call_of_a_study
@each("role", ["frequency", "sample_weight", "cluster", "fold", "group", "covariate"])
def test_a_role_changes_the_answer_or_is_refused_by_its_name(name, role):
    roles, question = ROLES[CALLS[name].kind], question_of(name)
    if role not in roles or role in CALLS[name].study:
        return
    call = CALLS[name].of(**{role: roles[role]})
    if is_refused(name, role):
        with pytest.raises(rs.InputError) as refused:
            call.answer()
        assert role.removeprefix("sample_") in str(refused.value)
        if role in question.refuses:
            assert str(refused.value) == question.refuses[role].message(role)
        return
    frame, _ = answer_and_doubts(call)
    assert frame.equals(plain(name)) == is_without_effect(name, role)
    if role == "group" and "group" in frame:
        assert {*frame["group"]} >= {"x", "y"}


GROUPED = [
    n
    for n in CLOSED
    if "group" not in CALLS[n].study
    and not is_refused(n, "group")
    # Groups of a study of marks are of its cases, which are in a table of their own:
    # tests/inference/localisation/test_roles.py asks the same.
    and CALLS[n].kind is not rs.DetectionStudy
]


@pytest.mark.parametrize("name", GROUPED)
def test_each_group_is_answered_as_a_study_of_its_own(name):
    group = ROLES[CALLS[name].kind]["group"]
    frame = CALLS[name].of(group=group).answer()
    for label in "xy":
        own = CALLS[name].taken(np.flatnonzero(group == label)).answer()
        of_group = frame[frame["group"] == label].drop(columns="group")
        # All groups are adjusted for together.
        found, expected = (without_note(one, r"adjusted=\w+") for one in (of_group, own))
        assert_alike(found, expected, without=("p_adjusted",))


# --- Data at the edge -----------------------------------------------------------------------------

OF_CASES = [name for name, call in OF_STUDIES.items() if call.kind is rs.Study]
every_call_of_cases = pytest.mark.parametrize("name", OF_CASES)


def answer_or_refusal(call: Call) -> tuple[pd.DataFrame, set[str]] | None:
    """Return an answer and its doubts; None of a call that is refused in one sentence."""
    try:
        return answer_and_doubts(call)
    except rs.InputError as refused:
        assert [*faults_of_message(str(refused))] == []  # noqa: PT017
        return None


ONE_TABLE = {"tp": 14, "fn": 6, "fp": 8, "tn": 22}


@every_call_of_cases
def test_a_study_of_one_table_keeps_the_schema_or_is_refused(name):
    call = CALLS[name]._replace(kind=rs.Study.from_confusion, study=ONE_TABLE)
    given = answer_or_refusal(call)
    if given is not None:
        frame, _ = given
        assert {*frame["predictor"]} <= {"score", "treat-all", "random"}


SILENT = {"compare_stratified_auc", "stratified_auc"}
"""Whose strata of one class have no pair of cases to add."""


def assert_undefined_in_a_group(call: Call, *, noted: bool) -> None:
    given = answer_or_refusal(call)
    if given is None:
        return
    frame, doubts = given
    if "group" in frame and noted:
        assert "one-class" in doubts
    if {"group", "estimate", "p_value", "note"} <= {*frame}:
        rows = frame[(frame["group"] == "y") & frame["estimate"].isna()]
        assert rows["p_value"].isna().all()
        assert (rows["note"] != "").all()


ALONE = {"": {}, **{role: {role: ROLES[rs.Study][role]} for role in ROLES[rs.Study]}}


@every_call_of_cases
@each(("role", "present"), product(["", "frequency", "sample_weight", "cluster", "fold"], [0, 1]))
def test_a_group_of_one_class_has_no_answer_but_a_note(name, role, present):
    y_true = np.where(HALF == "y", present, Y)
    call = CALLS[name].of(y_true=y_true, group=HALF, **ALONE[role])
    assert_undefined_in_a_group(call, noted=question_of(name).name not in SILENT)


@every_call_of_cases
@each("role", ["", "fold"])
def test_a_group_with_a_class_of_weight_0_has_no_answer_but_a_note(name, role):
    weight = np.where((HALF == "y") & (Y == 1), 0.0, 1.5)
    call = CALLS[name].of(group=HALF, sample_weight=weight, **ALONE[role])
    assert_undefined_in_a_group(call, noted=question_of(name).name not in SILENT)


SEPARATED = (ROWS + N * Y) / (2 * N)
FLAT = np.full(N, 0.5)
TIED = np.where((Y == 1) & (ROWS > 8), 0.9, 0.1)
DEGENERATE = {
    "separated, and all equal": {"a": SEPARATED, "b": FLAT},
    "two values, one of them tied": {"a": TIED, "b": np.where(Y, 0.9, 0.1)},
    "inverse, and equal in one class": {"a": 1 - SEPARATED, "b": np.where(Y, 0.5, SEPARATED)},
    "alike": {"a": TIED, "b": TIED},
}


@pytest.mark.parametrize("name", [n for n in OF_CASES if "ci_low" in question_of(n).columns])
@each(("scores", "role"), product(DEGENERATE, ["", "cluster"]))
def test_no_interval_of_degenerate_scores_has_zero_width(name, scores, role):
    call = CALLS[name].of(y_score=DEGENERATE[scores], **ALONE[role])
    if "n_resamples" in call.options and "confidence_level" in call.parameters:
        call = call.asking(confidence_level=0.02)  # most percentiles agree
    given = answer_or_refusal(call)
    if given is not None:
        frame, _ = given
        assert not (frame["ci_high"] - frame["ci_low"] <= 1e-12).any()


WITHOUT_CLUSTER_NOTE = {
    "auc_bounds", "compare_curves", "cutpoint_draws", "lc_index",
}  # fmt: skip
"""Bounds, draws and permutations."""

CLUSTERED = [
    name
    for name, call in OF_STUDIES.items()
    if call.kind in (rs.Study, rs.MulticlassStudy, rs.MultilabelStudy)
    and "group" not in call.study
    and "by" not in call.options
    and not is_refused(name, "cluster")
    and "note" in question_of(name).columns
    and question_of(name).name not in WITHOUT_CLUSTER_NOTE
]


@pytest.mark.parametrize("name", CLUSTERED)
def test_a_class_in_under_30_clusters_has_a_note(name):
    size = 2 if CALLS[name].kind is rs.Study else 3  # a cluster has one case of each class
    noted = []
    for n in (29, 30):
        call = CALLS[name].taken(np.resize(ROWS, size * n))
        frame = call.of(cluster=np.arange(size * n) // size).answer()
        noted.append("few-clusters" in "; ".join(frame["note"]).split("; "))
    assert noted == [True, False]
