"""Every way of handing data in gives the same study."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import rocstats as rs
from rocstats.study.forms import ScoreBlock, predictor_naming, read_inputs
from tests import examples

Y, A, B = examples.Y, examples.D1, examples.D2


def frame_of(study):
    return study.roc_curve().drop(columns="predictor")


@pytest.mark.parametrize(
    "labels",
    [
        Y.tolist(),
        Y.astype(bool),
        Y.astype(np.uint8),
        Y.astype(float),
        Y.astype(object),
        2 * Y - 1,
        pd.Series(Y, dtype="Int64"),
        pd.Series(Y, dtype="boolean"),
        pl.Series(Y),
        pl.Series(Y.astype(bool)),
        np.ma.masked_array(Y, mask=np.zeros(18, bool)),
        pd.array([bool(y) for y in Y], dtype=object),
    ],
    ids=lambda labels: type(labels).__name__ + str(getattr(labels, "dtype", "")),
)
def test_labels_of_every_kind(labels):
    assert frame_of(rs.Study(labels, A)).equals(frame_of(rs.Study(Y, A)))


@pytest.mark.parametrize(
    "scores",
    [
        A.tolist(),
        A.astype(object),
        pd.Series(A, dtype="Float64"),
        pl.Series(A),
        np.ma.masked_array(A, mask=np.zeros(18, bool)),
        pd.Index(A),
        A[:, np.newaxis],
        {"x": A},
        pd.DataFrame({"x": A}),
        pl.DataFrame({"x": A}),
    ],
    ids=lambda scores: type(scores).__name__ + str(getattr(scores, "dtype", "")),
)
def test_scores_of_every_kind(scores):
    assert frame_of(rs.Study(Y, scores)).equals(frame_of(rs.Study(Y, A)))


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, np.float32])
def test_small_number_types_give_the_right_area(dtype):
    score = (A > 0.5).astype(dtype)
    # 7 of 8 positives and 3 of 10 negatives above 0.5: A = .7*.875 + (.7*.125 + .3*.875)/2
    assert rs.Study(Y, score).auc()["estimate"][0] == pytest.approx(0.7 * 0.875 + 0.35 / 2)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, dict])
def test_names_of_columns(kind):
    data = kind({"y": Y, "a": A, "b": B, "who": np.arange(18), "site": ["u", "v"] * 9})
    study = rs.Study("y", ["a", "b"], data=data, cluster="who", group="site")
    assert study.predictors == ("a", "b")
    assert study.group.labels == ("u", "v")
    assert len(study.cluster.labels) == 18
    direct = rs.Study(Y, {"a": A, "b": B}, cluster=np.arange(18), group=["u", "v"] * 9)
    assert study.auc().equals(direct.auc())


def test_default_names():
    assert rs.Study(Y, A).predictors == ("score",)
    assert rs.Study(Y, pd.Series(A, name="wfns")).predictors == ("wfns",)
    assert rs.Study(Y, A, predictor="wfns").predictors == ("wfns",)
    assert rs.Study(Y, np.column_stack([A, B])).predictors == ("score_1", "score_2")
    assert rs.Study(Y, np.column_stack([A, B]), predictor=["p", "q"]).predictors == ("p", "q")


def test_ordered_categories_count_from_zero():
    words = pd.Categorical(["low", "high", "mid", "low"], ["low", "mid", "high"], ordered=True)
    study = rs.Study([0, 1, 1, 0], words)
    assert study.roc_curve()["threshold"].tolist() == [np.inf, 2.0, 1.0, 0.0]
    enum = pl.Series(["low", "high", "mid", "low"], dtype=pl.Enum(["low", "mid", "high"]))
    assert frame_of(rs.Study([0, 1, 1, 0], enum)).equals(frame_of(study))


def test_nulls_and_masked_scores_are_missing_values():
    data = pl.DataFrame({"y": [1, 0, 1, None, 0], "s": [3.0, None, 2.0, 1.0, 0.0]})
    study = rs.Study("y", "s", data=data, nan_policy="omit")
    assert (study.n_pos, study.n_neg, study.n_dropped) == (2, 1, 2)
    masked = np.ma.masked_array(A, mask=np.arange(18) == 3)
    assert rs.Study(Y, masked, nan_policy="omit").n_pos == 7


def test_pos_label_and_direction():
    words = np.where(Y == 1, "Poor", "Good")
    study = rs.Study(words, -A, pos_label="Poor", higher_is_positive=False)
    assert study.auc()["estimate"][0] == pytest.approx(0.8625)
    assert set(study.roc_curve()["direction"]) == {"<="}
    assert rs.Study(Y, -A, pos_label=0).auc()["estimate"][0] == pytest.approx(0.8625)
    both = rs.Study(Y, {"a": A, "b": -B}, higher_is_positive={"b": False})
    assert both.auc()["estimate"].tolist() == pytest.approx([0.8625, 0.825])


def test_omitted_rows_are_whole_rows_over_all_predictors_and_roles():
    score = np.column_stack([A, B])
    score[0, 1] = np.nan
    cluster = pd.Series(range(18), dtype="Int64")
    cluster[5] = pd.NA
    study = rs.Study(Y, score, cluster=cluster, nan_policy="omit")
    kept = np.delete(np.arange(18), [0, 5])
    direct = rs.Study(Y[kept], score[kept], cluster=kept)
    assert study.n_dropped == 2
    assert study.auc()["estimate"].tolist() == direct.auc()["estimate"].tolist()
    assert study.auc()["note"].str.contains("rows-dropped=2").all()


def test_infinite_scores_are_ranks_like_others():
    study = rs.Study([1, 1, 0, 0], [np.inf, 1, 0, -np.inf])
    curve = study.roc_curve()
    assert curve["threshold"].tolist() == [np.inf, np.inf, 1, 0, -np.inf]
    assert curve[["fp", "tp"]].iloc[0].tolist() == [0, 0]
    assert study.auc()["estimate"][0] == 1.0


def test_frequency_is_the_row_repeated(rng):
    frequency = rng.integers(0, 4, 18)
    frequency[[0, 10]] = 2
    short = rs.Study(Y, A, frequency=frequency)
    long = rs.Study(np.repeat(Y, frequency), np.repeat(A, frequency))
    for variance in ("delong", "hanley-mcneil", "hanley-mcneil-data", "unbiased", "bootstrap"):
        a, b = short.auc(variance=variance), long.auc(variance=variance)
        numbers = ["estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg"]
        np.testing.assert_allclose(a[numbers], b[numbers], rtol=1e-12)
    assert short.roc_curve().equals(long.roc_curve())


def test_the_study_cannot_be_changed():
    study = rs.Study(Y, A)
    with pytest.raises(ValueError, match="read-only"):
        study.scores[0, 0] = 5
    with pytest.raises(AttributeError, match="immutable"):
        study.n_dropped = 3


@pytest.mark.parametrize("role", ["group", "fold", "cluster"])
def test_rows_left_out_do_not_order_the_labels_of_a_role(role):
    # The first row, of "late", is no case, and neither is the only one of "never".
    labels = np.array(["late", "soon", "soon", "never", "late", "late"])
    y, score = np.array([1, 1, 0, 0, 0, 1]), np.array([3.0, 2.0, 1.0, 1.0, 2.0, 0.0])
    whole = [1, 2, 4, 5]
    expected = getattr(rs.Study(y[whole], score[whole], **{role: labels[whole]}), role)
    assert expected.labels == ("soon", "late")
    absent = rs.Study(y, score, frequency=[0, 1, 1, 0, 1, 1], **{role: labels})
    score[[0, 3]] = np.nan
    dropped = rs.Study(y, score, nan_policy="omit", **{role: labels})
    for study in (absent, dropped):
        found = getattr(study, role)
        assert [found.labels[code] for code in found.present] == ["soon", "late"]
        assert found.codes.tolist() == expected.codes.tolist()
    # Rows left out for a missing value keep their group: bounds count them there.
    if role == "group":
        placed = [np.flatnonzero(dropped.dropped.placed(k)).tolist() for k in (0, 1, 2)]
        assert placed == [[], [0], [1]]
        assert dropped.dropped.is_positive.tolist() == [True, False]


def test_labels_of_missing_rows_alone_keep_their_code():
    study = rs.Study([1, 0, 1, 0], [1, 0, 2, 3], group=[None, "x", "x", "y"], nan_policy="omit")
    assert study.group.labels == ("x", "y")
    assert study.dropped.group.tolist() == [-1]


@pytest.mark.parametrize("role", ["y_true", "y_score", "frequency", "sample_weight", "cluster"])
@pytest.mark.parametrize("dtype", [bool, np.intp, np.float64])
def test_arrays_stay_the_callers_own(role, dtype):
    given = {"y_true": Y.astype(dtype), "y_score": Y.astype(dtype)}
    given[role] = mine = given.get(role, np.ones(18, dtype=dtype))
    study = rs.Study(**given)
    before = study.__getstate__()
    kept = pickle.dumps(before)
    assert mine.flags.writeable
    mine[:] = 1 - mine.astype(int)
    assert pickle.dumps(study.__getstate__()) == kept


class _OnlyAnArray:
    """An array-like of another library: it converts to an array, and does nothing else."""

    def __init__(self, values):
        self._values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype=dtype)


def test_objects_that_only_convert_to_arrays_are_read():
    study = rs.Study(_OnlyAnArray(Y), _OnlyAnArray(A), cluster=_OnlyAnArray(Y))
    assert study.scores.tolist() == [A.tolist()]
    assert study.is_positive.tolist() == (Y == 1).tolist()
    assert study.cluster.codes.tolist() == pd.factorize(Y)[0].tolist()
    both = rs.Study(Y, _OnlyAnArray(np.column_stack([A, B])))
    assert both.scores.tolist() == [A.tolist(), B.tolist()]


def test_a_pickled_study_answers_alike(three):
    three.auc()
    again = pickle.loads(pickle.dumps(three))
    assert again.compare_auc().equals(three.compare_auc())
    assert not again.scores.flags.writeable


def test_repr_tells_what_is_inside(patients):
    study = rs.Study(
        "outcome",
        ["a", "b"],
        data=patients,
        pos_label="Poor",
        cluster="patient",
        fold="part",
        group="site",
        higher_is_positive={"b": False},
    )
    text = repr(study)
    for words in ("a, b (lower is positive)", "6 (label 'Poor')", "prevalence  0.5", "8", "2"):
        assert words in text
    html = rs.Study(Y, {"<b>": A})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_products_beyond_2_to_53_are_right():
    # 4e8 positives and 4e8 negatives: every pair ranked right but the ties of the middle score
    study = rs.Study([1, 1, 0, 0], [2, 1, 1, 0], frequency=[3 * 10**8, 10**8, 10**8, 3 * 10**8])
    # A = 1 - P(tie)/2 = 1 - (1/4)(1/4)/2
    assert study.auc()["estimate"][0] == pytest.approx(1 - 1 / 32, abs=1e-15)
    assert study.n_pos * study.n_neg > 2**53


# --- Columns of plain numbers, which are read at once ---------------------------------------------

FOUR = [0, 1, 1, 0]
WHOLE = {"a": np.array([1, 2, 3, 2]), "b": np.array([4, 0, 1, 1])}
REAL = {"a": np.array([0.5, 2.0, -0.0, np.inf]), "b": np.array([4.0, 0.0, 1.0, 1.0])}
MIXED = {"a": WHOLE["a"].astype(np.int8), "b": REAL["a"].astype(np.float32), "c": REAL["b"] > 1}


def block_of(y_score, **more):
    naming = predictor_naming(None)
    return read_inputs(FOUR, y_score, naming=naming, **{"data": None, "roles": {}, **more}).scores


@pytest.mark.parametrize("columns", [WHOLE, REAL, MIXED], ids=["whole", "real", "mixed"])
def test_any_container_has_the_same_scores(columns):
    frame = pd.DataFrame(columns)
    expected = [np.asarray(column, dtype=np.float64) for column in columns.values()]
    containers = [columns, frame, pl.DataFrame(columns), frame.to_numpy(dtype=np.float64)]
    for given in [*containers, {k: v.tolist() for k, v in columns.items()}]:
        np.testing.assert_array_equal(rs.Study(FOUR, given).scores, expected)
    for data in (columns, frame.assign(outcome=FOUR), pl.DataFrame(columns)):
        study = rs.Study(FOUR, list(columns)[::-1], data=data)
        assert study.predictors == tuple(columns)[::-1]
        np.testing.assert_array_equal(study.scores, expected[::-1])


def test_plain_numbers_are_one_block():
    for given in (MIXED, pd.DataFrame(MIXED), pl.DataFrame(REAL), np.array([*REAL.values()]).T):
        assert isinstance(block_of(given), ScoreBlock)
    data = pd.DataFrame(MIXED)
    assert isinstance(block_of(["b", "a"], data=data), ScoreBlock)


def test_arrays_of_the_user_are_copied():
    matrix = np.asfortranarray(np.array([*REAL.values()]).T)
    study = rs.Study(FOUR, matrix)
    matrix[0] = 9
    assert study.scores[:, 0].tolist() == [0.5, 4.0]


@pytest.mark.parametrize(
    "make", [dict, pd.DataFrame, pl.DataFrame], ids=["dict", "pandas", "polars"]
)
def test_whole_numbers_that_floats_would_tie_are_refused(make):
    large = np.array([2**53, 2**53 + 1, 1, 2])
    with pytest.raises(rs.InputError, match="exact as 64-bit floats"):
        rs.Study(FOUR, make({"a": WHOLE["a"], "b": large}))


def test_missing_values_are_found_by_column():
    gone = {"a": REAL["a"], "b": np.array([4.0, np.nan, 1.0, 1.0])}
    null = pl.DataFrame({"a": [0.5, 2.0, -0.0, np.inf], "b": [4.0, None, 1.0, 1.0]})
    masked = np.ma.masked_array(np.array([*gone.values()]).T, [[False, False], [False, True]] * 2)
    masked.mask[3] = False
    for given in (gone, pd.DataFrame(gone), null):
        with pytest.raises(rs.InputError, match=r"missing values; got 1 of 'b' \(row 1\)"):
            rs.Study(FOUR, given)
    with pytest.raises(rs.InputError, match=r"missing values; got 1 of 'score_2' \(row 1\)"):
        rs.Study(FOUR, masked)


def test_rows_and_indexes_are_compared():
    with pytest.raises(rs.InputError, match="as many rows"):
        rs.Study([0, 1, 1], REAL)
    with pytest.raises(rs.InputError, match="as many rows"):
        rs.Study(FOUR, {"a": REAL["a"], "b": REAL["b"][:3]})
    with pytest.raises(rs.InputError, match="same index"):
        rs.Study(pd.Series(FOUR, index=[3, 2, 1, 0]), pd.DataFrame(REAL))
    with pytest.raises(rs.InputError, match="must not hold the outcome"):
        rs.Study("y", ["a", "y"], data=pd.DataFrame({"y": FOUR, **WHOLE}))


def test_keys_of_a_frame_may_be_of_any_kind():
    frame = pd.DataFrame({True: REAL["a"], 7: REAL["b"], "y": FOUR})
    study = rs.Study("y", ["7", "True"], data=frame)
    assert study.scores[0].tolist() == REAL["b"].tolist()
    assert study.predictors == ("7", "True")


# --- Groups of several columns: one for each combination that occurs ------------------------------

SEX = ["M", "M", "F", "F", "M", "F", "M", "M"]
AGE = ["70+", "60-69", "60-69", "60-69", "60-69", "60-69", "70+", "70+"]
ILL = [1, 0, 1, 0, 1, 1, 0, 1]
MARKER = [3.0, 1, 4, 1, 5, 9, 2, 6]

# The order is that of the values of the first column, then of the second, as they appear:
# M before F, 70+ before 60-69. Nobody is F and 70+.
JOINED = ["M / 70+", "M / 60-69", "F / 60-69"]


@pytest.fixture
def data():
    return pd.DataFrame({"y": ILL, "score": MARKER, "sex": SEX, "age": AGE})


def groups(study):
    return [(label, part.n_pos, part.n_neg) for label, part in study.by_group()]


EXPECTED = [("M / 70+", 2, 1), ("M / 60-69", 1, 1), ("F / 60-69", 2, 1)]


def test_columns_by_name_make_one_grouping(data):
    assert groups(rs.Study("y", "score", data=data, group=["sex", "age"])) == EXPECTED


@pytest.mark.parametrize(
    "group",
    [
        {"sex": SEX, "age": AGE},
        pd.DataFrame({"sex": SEX, "age": AGE}),
        pl.DataFrame({"sex": SEX, "age": AGE}),
        np.column_stack([SEX, AGE]),
        pd.DataFrame({"sex": pd.Categorical(SEX), "age": pd.array(AGE, dtype="string")}),
    ],
    ids=["dict", "pandas", "polars", "array", "other types"],
)
def test_tables_of_columns_make_one_grouping(group):
    assert groups(rs.Study(ILL, MARKER, group=group)) == EXPECTED


def test_the_same_rows_as_with_one_joined_column(data):
    joined = data["sex"] + " / " + data["age"]
    studies = [rs.Study("y", "score", data=data, group=group) for group in (["sex", "age"], joined)]
    several, one = (study.roc_curve() for study in studies)
    assert several.drop(columns=["sex", "age"]).equals(one)


def test_one_column_in_a_list_is_the_column(data):
    listed = rs.Study("y", "score", data=data, group=["sex"]).roc_curve()
    named = rs.Study("y", "score", data=data, group="sex").roc_curve()
    assert listed.equals(named)
    assert "group_label" not in listed.attrs["rocstats"]


def test_groups_of_rows_are_not_taken_for_names(data):
    study = rs.Study("y", "score", data=data, group=SEX)
    assert [label for label, _ in study.by_group()] == ["M", "F"]


def test_rows_left_out_make_no_group_and_no_order(data):
    # Without its first row the first group of the order is M / 60-69; with F / 70+ it has a hole.
    holes = data.assign(sex=[None, *SEX[1:]])
    holes.loc[2, "age"] = None
    study = rs.Study("y", "score", data=holes, group=["sex", "age"], nan_policy="omit")
    assert groups(study) == [("M / 60-69", 1, 1), ("M / 70+", 1, 1), ("F / 60-69", 1, 1)]
    assert study.n_dropped == 2
    with pytest.raises(rs.InputError, match="`group` must have no missing values; got 1"):
        rs.Study("y", "score", data=holes, group=["sex", "age"])


def test_each_group_counts_the_rows_it_lost(data):
    holes = data.assign(score=[np.nan, *MARKER[1:]])
    study = rs.Study("y", "score", data=holes, group=["sex", "age"], nan_policy="omit")
    labels = study.group.labels
    gone = study.dropped
    assert [int(np.sum(gone.placed(code) & gone.is_positive)) for code in range(len(labels))] == [
        int(label == "M / 70+") for label in labels
    ]


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (["sexx"], "`group` must name one column of `data`; got 'sexx'"),
        (["sex", "agee"], "`group` must name one column of `data`; got 'agee'"),
        (["sex", "y", "wrong"], "`group` must name one column of `data`; got 'wrong'"),
        (pd.DataFrame(index=range(8)), "`group` must have at least one column; got none"),
        ({"sex": SEX, "age": AGE[:3]}, "`group` must have as many rows as `y_true`"),
        (
            {"a": ["x / y", "x", "x / y", "x"] * 2, "b": ["z", "y / z", "z", "y / z"] * 2},
            "different groups when its columns are joined by ' / '; got 'x / y / z' for two groups",
        ),
    ],
)
def test_wrong_columns_are_refused(data, group, message):
    with pytest.raises(rs.InputError, match=message):
        rs.Study("y", "score", data=data, group=group)


def test_the_heading_names_the_columns(data):
    with pytest.warns(rs.StatisticalWarning):
        frame = rs.Study("y", "score", data=data, group=["sex", "age"], labels={"sex": "Sex"}).auc()
    table = rs.format_table(frame)
    assert list(table)[1:3] == ["Sex", "age"]
    assert [" / ".join(row) for row in table[["Sex", "age"]].to_numpy()] == JOINED


class Fitted:
    classes_ = np.array([0, 1])

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float) / 10
        return np.column_stack([1 - p, p])


@pytest.mark.parametrize(
    "group", [pd.DataFrame({"sex": SEX, "age": AGE}), np.column_stack([SEX, AGE])]
)
def test_every_way_to_make_a_study_takes_several_columns(group):
    results = {"estimator": [Fitted()], "indices": {"test": [list(range(8))]}}
    for study in (
        rs.Study.from_estimator(Fitted(), MARKER, ILL, group=group),
        rs.Study.from_tree(Fitted(), MARKER, ILL, group=group),
        rs.Study.from_cv_results({"score": results}, MARKER, ILL, group=group),
    ):
        assert groups(study) == EXPECTED
    several = rs.MulticlassStudy(ILL, {"0": MARKER, "1": MARKER}, group=group)
    assert [label for label, _ in several.by_group()] == JOINED


# --- What has the form of scores and is something else --------------------------------------------

SICK = [1, 0, 1, 0]
FRAME = pd.DataFrame({"sick": SICK, "marker": [3.0, 1.0, 2.0, 2.5]})
PAIR = (
    "`y_score` must hold the scores of the positive class; got two columns that sum to 1 in every"
    " row, as predict_proba returns them."
)
OUTCOME = "`y_score` must not hold the outcome; got the column 'sick' in both."
FIRST = "`y_true` must be the labels, or the name of their column; got a frame (DataFrame)."


def probabilities(dtype):
    fitted = LogisticRegression().fit(FRAME[["marker"]], SICK)
    return fitted.predict_proba(FRAME[["marker"]]).astype(dtype)


REFUSED = {
    "both probabilities": (lambda: rs.Study(SICK, probabilities(np.float64)), PAIR),
    "both probabilities, rounded": (lambda: rs.Study(SICK, probabilities(np.float32)), PAIR),
    "the outcome in the frame": (lambda: rs.Study(FRAME["sick"], FRAME), OUTCOME),
    "the outcome in a frame of polars": (
        lambda: rs.Study(pl.Series("sick", SICK), pl.from_pandas(FRAME)),
        OUTCOME,
    ),
    "the outcome by name": (lambda: rs.Study("sick", ["sick", "marker"], data=FRAME), OUTCOME),
    "the frame first": (lambda: rs.Study(FRAME, "sick"), FIRST),
    "the frame first, and a marker": (lambda: rs.Study(FRAME, "sick", "marker"), FIRST),
    "the frame first, with data": (lambda: rs.Study(FRAME, "marker", data=FRAME), FIRST),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_score_is_refused(make, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        make()


def test_what_only_looks_like_it_is_taken():
    rows = probabilities(np.float64)
    assert rs.Study(SICK, rows, predictor=["a", "b"]).predictors == ("a", "b")
    assert rs.Study(SICK, {"a": rows[:, 0], "b": rows[:, 1]}).predictors == ("a", "b")
    assert rs.Study(SICK, rows * 2).predictors == ("score_1", "score_2")
    assert rs.Study(SICK, np.column_stack([SICK, SICK])).predictors == ("score_1", "score_2")
    # a score that tells the classes apart without error is no outcome unless it has its name
    assert rs.Study(FRAME["sick"], {"perfect": SICK}).auc()["estimate"].tolist() == [1]
    assert rs.Study(FRAME["sick"], {"sick": FRAME["marker"]}).predictors == ("sick",)


def test_arguments_after_the_scores_have_names():
    message = (
        "`data` and later arguments must be passed by name; got 1 unnamed arguments after the"
        " scores"
    )
    with pytest.raises(rs.InputError, match=message):
        rs.Study(SICK, FRAME["marker"], ["a"])
