"""Values and tables that other libraries raise errors of their own for: answers, or InputError."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import rocstats as rs
from tests.quick import each

Y = [1, 0, 1, 0]
SCORE = [0.9, 0.1, 0.8, 0.4]

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")

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
    assert str(refused.value) == (
        f"`{argument}` must hold values that can be compared; got Decimal('sNaN'). Replace it by"
        " None where a value is missing."
    )


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
    assert str(refused.value) == (
        f"`{of}` must be held in memory; got a lazy frame. Call its collect() first, or count its"
        " scores where they are: count_scores(frame, 'label', 'score')."
    )


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
