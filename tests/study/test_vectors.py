"""Vectors of any library: their numbers, labels and rows; answers, or an InputError in words."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from scipy import sparse

import rocstats as rs
from tests.quick import each

Y = [1, 0, 1, 0]
SCORE = [0.9, 0.1, 0.8, 0.4]
TRUTH, RANKS = [0, 1, 0, 1, 0, 1], [1.0, 2, 3, 4, 5, 6]

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")

# --- Numbers, exact as floats ---------------------------------------------------------------------

TIES = [2**53, 2**53 + 1, 2**53 - 2, 2**53 + 2]  # the first two are equal as floats
DECIMAL = [Decimal(value) for value in TIES]


@each(
    "scores",
    [
        [*TIES, None],
        [*TIES, float("nan")],
        (*TIES, 0.5),
        [[value, 0.5] for value in [*TIES, 3]],
        np.array([*TIES, None], dtype=object),
        np.array([*TIES, 3]),
        np.array([*TIES, 2**64 - 1], dtype=np.uint64),
        np.array([-(2**63), -(2**63) + 1, 1, 2, 3]),
        np.ma.masked_array([*TIES, 3], mask=[0, 0, 0, 0, 1]),
        pd.Series([*TIES, None], dtype="Int64"),
        pd.Series([*TIES, None], dtype="UInt64"),
        pd.Series([*TIES, 0.5], dtype=object),
        pd.Series([*TIES, None], dtype="int64[pyarrow]"),
        pl.Series([*TIES, None]),
        pl.Series([*TIES, None], dtype=pl.UInt64),
        # Polars has it from 1.18 on.
        *([pl.Series([*TIES, None], dtype=pl.Int128)] if hasattr(pl, "Int128") else []),
        pa.chunked_array([pa.array([*TIES, None])]),
        pd.Series([*DECIMAL, None], dtype=pd.ArrowDtype(pa.decimal128(20, 0))),
        pl.Series([*DECIMAL, None]),
        [*DECIMAL, None],
        [Decimal("0.1"), Decimal("0.10000000000000000001"), Decimal(1), Decimal(2), None],
        [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20), 1, 2, 3],
        {"a": [*TIES, None]},
        pl.DataFrame({"a": [*TIES, None]}),
    ],
)
def test_scores_that_would_tie_as_floats_are_refused(scores):
    with pytest.raises(rs.InputError, match="must be exact as 64-bit floats"):
        rs.Study([0, 1, 0, 1, 0], scores, nan_policy="omit")


@pytest.mark.parametrize(
    "scores",
    [
        [2**60, 2**61, 2**62, None],
        pd.Series([2**60, 2**61, 2**62, None], dtype="Int64"),
        pl.Series([2**60, 2**61, 2**62, None]),
        [Decimal(2) ** 60, Decimal(2) ** 61, Decimal(2) ** 62, None],
        pd.Series([2.0**60, 2.0**61, 2.0**62, np.nan], dtype="float64[pyarrow]"),
        pd.array([2**60, 2**61, 2**62, None], dtype="Float64"),
    ],
    ids=lambda scores: type(scores).__name__ + str(getattr(scores, "dtype", "")),
)
def test_large_scores_that_floats_hold_are_exact(scores):
    study = rs.Study([0, 1, 0, 1], scores, nan_policy="omit")
    assert study.scores.tolist() == [[2.0**60, 2.0**61, 2.0**62]]


def test_clusters_beyond_floats_stay_apart():
    ids = [2**53, 2**53 + 1, None, 2**53]
    for cluster in (ids, [*ids[:2], float("nan"), ids[3]], pl.Series(ids), pd.array(ids, "Int64")):
        study = rs.Study([0, 1, 0, 1], [1, 2, 3, 4], cluster=cluster, nan_policy="omit")
        assert study.cluster.labels == (str(2**53), str(2**53 + 1))
        assert study.cluster.codes.tolist() == [0, 1, 0]


def test_a_masked_label_that_no_other_row_has_is_no_third_class():
    y = np.ma.masked_array([9, 1, 0, 1, 0], mask=[True, False, False, False, False])
    found = rs.Study(y, [5, 3, 1, 2, 2.5], nan_policy="omit").auc().iloc[0]
    # Of the pairs 3 > 1, 3 > 2.5, 2 > 1 and 2 < 2.5 three are in order.
    assert (found["estimate"], found["n_pos"], found["n_neg"]) == (0.75, 2, 2)


# --- Labels that are spelled alike: a note, and they stay apart -----------------------------------

ALIKE = ["a", "a", "A", "A", "b", "b "]


@pytest.mark.parametrize("role", ["cluster", "fold", "group"])
def test_a_role_is_noted(role):
    with pytest.warns(
        rs.StatisticalWarning, match=f"labels-spelled-alike: .*'a' and 'A' in `{role}`"
    ):
        study = rs.Study(TRUTH, RANKS, **{role: ALIKE})
    assert len(getattr(study, role).labels) == 4


def test_an_outcome_and_subgroups_are_noted():
    with pytest.warns(rs.StatisticalWarning, match="'ill' and 'Ill' in `y_true`"):
        rs.Study(["ill", "Ill"] * 3, RANKS, pos_label="ill")
    study = rs.Study(TRUTH * 4, RANKS * 4)
    with pytest.warns(rs.StatisticalWarning, match="'a' and 'A' in `by`"):
        study.subgroups(by=ALIKE * 4)


@pytest.mark.parametrize("labels", [[1, 2, 1.5] * 2, ["a", "b", "c"] * 2, ["ß", "s", "t"] * 2])
def test_other_labels_are_not(labels):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.Study(TRUTH, RANKS, group=labels)


def test_numbers_of_groups_are_sorted_by_size():
    frame = {"y": TRUTH * 2, "s": RANKS * 2, "site": ["10", "9", "-1", "x", "9", "10"] * 2}
    counts = rs.count_scores(frame, "y", "s", by="site")
    assert list(dict.fromkeys(counts["site"])) == ["-1", "9", "10", "x"]


# --- Cells that are wrong, and their rows: by index label, or as a file counts --------------------


@pytest.mark.parametrize(
    ("cells", "named"),
    [
        (
            ["30.8", "<0.5", "1", "2", ">100", "<0.5"],
            "3 cells of text: '<0.5' (row 1), '>100' (row 4).",
        ),
        (["30,8", "1,5", "NA", "n/a", ".", "2"], "1 cell of text: 'n/a' (row 3)."),
        (["1", "NA", "2", "3", "4", "5"], "1 cell of text: 'NA' (row 1)."),
        (
            ["1", "2", "3", "4", "5", "-6e-3"],
            "6 cells of text: '1' (row 0), '2' (row 1), '3' (row 2) and others.",
        ),
        ([1, 2.5, "x" * 99, None, 4, 5], f"1 cell of text: '{'x' * 40}' (row 2)."),
    ],
)
def test_text_among_numbers_is_named_and_the_numbers_are_not(cells, named):
    with pytest.raises(rs.InputError) as refused:
        rs.Study(TRUTH, np.array(cells, dtype=object))
    assert f"`y_score` must be numbers; got {named}" in str(refused.value)


INDEXED = pd.DataFrame(
    {
        "y": TRUTH,
        "s": [1, 2, "x", 4, 5, 6],
        "holes": [1, 2, np.nan, 4, 5, 6],
        "n": [1, 1, 0.5, 1, 1, 1],
    },
    index=[f"p{k}" for k in range(6)],
)
BY_LABEL = {
    "text": (lambda d: rs.Study("y", "s", data=d), "in column 's': 'x' (row 'p2')"),
    "missing": (lambda d: rs.Study("y", "holes", data=d), "1 of 'holes' (row 'p2')"),
    "frequencies": (
        lambda d: rs.Study("y", "m", data=d.assign(m=2 * d["n"]), frequency="n"),
        "got 0.5 in row 'p2'",
    ),
    "covariates": (
        lambda d: rs.Study("y", "n", data=d.assign(n=d["n"] * 1e300), covariate=d["holes"] * 1e300),
        "in rows 'p0', 'p1', 'p3', 'p4', 'p5'",
    ),
    "times": (
        lambda d: rs.SurvivalStudy("holes", "y", "n", data=d.assign(holes=-d["holes"])),
        "got -1 (rows 'p0', 'p1', 'p3', 'p4', 'p5')",
    ),
    "events": (
        lambda d: rs.SurvivalStudy("n", "event", "y", data=d.assign(event=[0, 1, 1.5, 0, 1, 1])),
        "got 1.5 (row 'p2')",
    ),
    "a list beside a Series": (
        lambda d: rs.Study(TRUTH, d["n"], group=[*"ab", None, *"abc"]),
        "(row 'p2')",
    ),
    "reads": (
        lambda d: rs.ReaderStudy(TRUTH, d["n"], reader=["r"] * 6, case=[1, 2, 3, 4, 1, 6]),
        "(rows 'p0', 'p4')",
    ),
    "learners": (
        lambda d: rs.compare_over_datasets({"a": d["n"], "b": d["n"] + 1}),
        "got 2 in row 'p0'",
    ),
}


@pytest.mark.parametrize("name", BY_LABEL)
def test_rows_are_named_by_their_labels(name):
    call, named = BY_LABEL[name]
    with pytest.raises(rs.InputError) as refused:
        call(INDEXED)
    assert named in str(refused.value)


# --- A signaling NaN, which cannot be compared, hashed or made a float ----------------------------

SIGNALING = [Decimal("sNaN"), Decimal(1), Decimal(0), Decimal(1)]
READERS: dict[str, Callable[[Any], Any]] = {
    "y_true": lambda values: rs.Study(values, SCORE),
    "y_score": lambda values: rs.Study(Y, values),
    "y_score of a frame": lambda values: rs.Study(Y, {"a": values, "b": SCORE}),
    "frequency": lambda values: rs.Study(Y, SCORE, frequency=values),
    "sample_weight": lambda values: rs.Study(Y, SCORE, sample_weight=values),
    "cluster": lambda values: rs.Study(Y, SCORE, cluster=values),
    "fold": lambda values: rs.Study(Y, SCORE, fold=values),
    "group": lambda values: rs.Study(Y, SCORE, group=values),
    "covariate": lambda values: rs.Study(Y, SCORE, covariate=values),
    "by": lambda values: rs.Study(Y, SCORE).subgroups(values),
    "y_true of classes": lambda values: rs.MulticlassStudy(values, np.ones((4, 4))),
    "time": lambda values: rs.SurvivalStudy(values, Y, SCORE),
    "event": lambda values: rs.SurvivalStudy([1, 2, 3, 4], values, SCORE),
    "case": lambda values: rs.ReaderStudy(Y, SCORE, reader=["r"] * 4, case=values),
    "y": lambda values: rs.permute_pipeline(lambda X, y: 0.0, Y, values, n_resamples=19),
    "areas": lambda values: rs.compare_learners({"a": values, "b": SCORE}, n_train=9, n_test=1),
    "tp": lambda values: rs.Study.from_confusion(tp=values, fn=Y, fp=Y, tn=Y),
    "counts['score']": lambda values: rs.Study.from_counts(
        {"score": values, "n_pos": Y, "n_neg": Y}
    ),
    "label": lambda values: rs.count_scores({"y": values, "s": SCORE}, "y", "s"),
    "score": lambda values: rs.count_scores({"y": Y, "s": values}, "y", "s"),
}


@each("reader", READERS)
@each("form", [list, lambda values: np.array(values, dtype=object), pd.Series])
def test_a_signaling_nan_is_refused_by_every_reader(reader, form):
    argument = reader.partition(" of ")[0]
    with pytest.raises(rs.InputError) as refused:
        READERS[reader](form(SIGNALING))
    message = f"`{argument}` must hold values that can be compared; got Decimal('sNaN')"
    assert str(refused.value).startswith(message)


def test_a_quiet_nan_is_a_missing_value():
    quiet = [Decimal("NaN"), *SIGNALING[1:]]
    with pytest.raises(rs.InputError, match="`y_score` must have no missing values; got 1"):
        rs.Study(Y, quiet)


# --- Columns whose names are equal, and differ as text --------------------------------------------


def test_columns_named_true_and_1_are_two_columns():
    values = np.column_stack([Y, SCORE, SCORE[::-1]])
    frame = pd.DataFrame(values, columns=pd.Index(["y", True, 1], dtype=object))
    assert rs.Study("y", "True", data=frame).scores.tolist() == [SCORE]
    assert rs.Study("y", "1", data=frame).scores.tolist() == [SCORE[::-1]]
    for part in (frame.iloc[:, 1:], frame.iloc[:, 1:].astype(object)):
        study = rs.Study(Y, part)
        assert study.predictors == ("True", "1")
        assert study.scores.tolist() == [SCORE, SCORE[::-1]]
    counts = rs.count_scores(frame, "y", "1", exact=True)
    assert counts["n_pos"].tolist() == [1, 1, 0, 0]  # .4 and .1 of positives, .8 and .9 of others
    with pytest.raises(rs.InputError, match=r"`frame` must have unique names; got .*True, 1"):
        rs.count_paired(frame, "y", ["True", "1"])


# --- Sparse matrices, and objects that are no arrays ----------------------------------------------

MATRIX = np.column_stack([SCORE, [0, 0, 0.5, 0]])
SPARSE = {
    name: getattr(sparse, name)
    for array in [
        "bsr_array",
        "coo_array",
        "csc_array",
        "csr_array",
        "dia_array",
        "dok_array",
        "lil_array",
    ]
    for name in (array, array.replace("array", "matrix"))
}
TAKERS: dict[str, Callable[[Any], Any]] = {
    "y_score": lambda matrix: rs.Study(Y, matrix).scores,
    "score": lambda matrix: rs.SurvivalStudy([1, 2, 3, 4], Y, matrix).scores,
    "group": lambda matrix: rs.Study(Y, SCORE, group=matrix).group.labels,
    "covariate": lambda matrix: rs.Study(Y, SCORE, covariate=matrix).covariate,
    "classes": lambda matrix: rs.MulticlassStudy(Y, matrix).scores,
    "tables of classes": lambda matrix: rs.MulticlassStudy(Y, {"p": matrix}).scores,
    "positives": lambda matrix: rs.Study.from_samples(positives=matrix, negatives=matrix).scores,
    "by": lambda matrix: rs.Study(Y, SCORE).subgroups(matrix)["level"].tolist(),
    "areas": lambda matrix: rs.compare_learners(matrix, n_train=9, n_test=1)["estimate"].tolist(),
}


@each("taker", TAKERS)
@each("kind", SPARSE)
def test_a_sparse_matrix_is_the_matrix(taker, kind):
    found = TAKERS[taker](SPARSE[kind](MATRIX))
    np.testing.assert_equal(found, TAKERS[taker](MATRIX))


def test_a_sparse_vector_is_the_vector():
    y, score = sparse.coo_array(Y), sparse.coo_array(SCORE)
    if y.ndim == 1:
        assert rs.Study(y, score).scores.tolist() == [SCORE]
    else:  # SciPy before 1.13 has no sparse vectors: these are matrices of one row
        with pytest.raises(rs.InputError, match=r"must be one-dimensional; got shape \(1, 4\)"):
            rs.Study(y, score)
    with pytest.raises(rs.InputError, match=r"must be one-dimensional; got shape \(4, 1\)"):
        rs.Study(sparse.csr_array(np.array(Y)[:, None]), SCORE)


def test_a_sparse_matrix_is_no_table_of_named_columns():
    for kind, form in SPARSE.items():
        with pytest.raises(rs.InputError, match=f"must be a dataframe or a dict.*; got {kind}"):
            rs.Study("y", "s", data=form(MATRIX))
        with pytest.raises(rs.InputError, match="must be a dict or a dataframe"):
            rs.conjoin_classifiers(decisions=form(MATRIX), y_true=Y)


@each("kind", ["float64", "int64", "bool"])
def test_sparse_columns_of_pandas_are_columns(kind):
    frame = pd.DataFrame({"y": Y, "s": [0, 0, 1, 0]}).astype(f"Sparse[{kind}]")
    study = rs.Study("y", "s", data=frame, group="s", nan_policy="omit")
    assert study.scores.tolist() == [[0, 0, 1, 0]]
    assert rs.Study(frame["y"], frame[["s"]]).auc()["estimate"].tolist() == [0.75]


@each("kind", SPARSE)
def test_rows_of_sparse_features_are_taken(kind):
    class Model:
        classes_ = np.array([0, 1])

        def decision_function(self, X: Any) -> Any:
            return np.asarray(sparse.csr_array(X).toarray())[:, 0]

    X = SPARSE[kind](MATRIX)
    folds = {"estimator": [Model()], "indices": {"test": [[3, 2, 1, 0]]}}
    assert rs.Study.from_cv_results(folds, X, Y).scores.tolist() == [SCORE[::-1]]
    assert rs.Study.from_estimator(Model(), X, Y).scores.tolist() == [SCORE]
    found = rs.optimism_corrected_auc(
        lambda X, y: Model().decision_function, X, Y, n_resamples=20, rng=1
    )
    assert found["estimate"].tolist() == [1, 0, 1]
    rs.verified_auc(
        Y, SCORE, [True] * 4, probability=lambda X, known: np.full(X.shape[0], 0.5), X=X,
        n_resamples=100, rng=1,
    )  # fmt: skip


def test_what_is_no_array_is_refused_in_words():
    class Odd:
        def __array__(self, *args: Any, **options: Any) -> Any:
            raise TypeError("no rows here")

    with pytest.raises(rs.InputError, match=r"^`y_score` must be values that NumPy reads; got Odd"):
        rs.Study(Y, Odd())


# --- Lazy frames ----------------------------------------------------------------------------------

LAZY = pl.LazyFrame({"y": Y, "s": SCORE})


@each("of", ["data", "y_score"])
def test_a_lazy_frame_of_cases_names_what_counts_it(of):
    calls = {"data": lambda: rs.Study("y", "s", data=LAZY), "y_score": lambda: rs.Study(Y, LAZY)}
    with pytest.raises(rs.InputError) as refused:
        calls[of]()
    assert str(refused.value).startswith(f"`{of}` must be held in memory; got a lazy frame")
    assert "count_scores(frame, " in str(refused.value)


@each("call", [
    lambda: rs.Study(LAZY.select("y"), SCORE),
    lambda: rs.Study(Y, SCORE, group=LAZY),
    lambda: rs.Study.from_samples(positives=LAZY, negatives=SCORE),
    lambda: rs.Study.from_leaves(LAZY, pos_label=1),
    lambda: rs.ReaderStudy(Y, SCORE, reader=["r"] * 4, case=Y, machine=LAZY),
])  # fmt: skip
def test_other_lazy_frames_are_to_be_collected(call):
    message = r"must be held in memory; got a lazy frame\. Call its collect\(\) first\.$"
    with pytest.raises(rs.InputError, match=message):
        call()


# --- A text with half a character, as of bytes in another encoding --------------------------------

BAD = "a\ud800b"
EIGHT, MARKER = np.arange(8) % 2, np.arange(8.0)
STUDY = rs.Study(EIGHT, {"s": MARKER})

CALLS = {
    "names of `y_score`": lambda: rs.Study(EIGHT, {BAD: MARKER}),
    "`labels`": lambda: rs.Study(EIGHT, {"s": MARKER}, labels={"s": BAD}),
    "`outcome`": lambda: rs.Study(EIGHT, MARKER, outcome=BAD),
    "`group`": lambda: rs.Study(EIGHT, MARKER, group=[BAD, "g"] * 4),
    "names of `group`": lambda: rs.Study(EIGHT, MARKER, group={BAD: EIGHT, "h": EIGHT}),
    "names of `covariate`": lambda: rs.Study(EIGHT, MARKER, covariate={BAD: MARKER}),
    "`y_true`": lambda: rs.Study([BAD, "g"] * 4, MARKER, pos_label=BAD),
    "`reader`": lambda: rs.ReaderStudy(EIGHT, MARKER, reader=[BAD] * 8, case=range(8)),
    "`event`": lambda: rs.SurvivalStudy(
        MARKER, [BAD, "x"] * 4, MARKER, event_code=BAD, censored_code="x"
    ),
    "Names and labels": lambda: rs.SurvivalStudy(MARKER, EIGHT, {BAD: MARKER}).auc(time=4),
    "`caption`": lambda: rs.save_table(STUDY.auc(), "t.md", caption=BAD),
    "`frame`": lambda: rs.save_table(
        pd.DataFrame({"a": pd.Series([BAD], dtype=object)}), "table.docx"
    ),
    "`title`": lambda: rs.report(STUDY, "r.html", title=BAD),
    "`words`": lambda: rs.report(STUDY, "r.html", words={"case": BAD}),
}


@pytest.mark.parametrize("what", CALLS)
def test_names_and_labels(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.InputError) as refused:
        CALLS[what]()
    assert str(refused.value).startswith(
        f"{what} must be text that can be written; got 'a\\ud800b', which has an invalid character"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "call",
    [lambda: rs.read_table(f"{BAD}.csv"), lambda: rs.save_table(STUDY.auc(), f"{BAD}.csv")],
)
def test_names_of_files(call):
    with pytest.raises(rs.InputError, match="`path` must be a valid file name; got 'a"):
        call()
    # Bytes that are no text are a name that a file can have.
    with pytest.raises(rs.InputError, match="`path` must be a file"):
        rs.read_table(f"{os.fsdecode(b'none')}\udcff.csv")
