"""Indexes of studies, of what models return, and of arguments that come after the study."""

from __future__ import annotations

import pickle
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import rocstats as rs
from tests.quick import each

Y = [1, 1, 1, 0, 0, 0]
SCORE = [6.0, 5, 2, 4, 3, 1]
PATIENTS = ["p1", "p2", "p3", "p4", "p5", "p6"]
SEX = ["F", "M", "F", "M", "F", "M"]
TABLE = pd.DataFrame({"ill": Y, "marker": SCORE, "sex": SEX}, index=PATIENTS)

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def levels_of(study: rs.Study, by: Any) -> list[tuple[str, int, int]]:
    found = study.subgroups(by)
    rows = found[found["level"] != "all"]
    return list(rows[["level", "n_pos", "n_neg"]].itertuples(index=False, name=None))


def require_refused(study: rs.Study, by: Any) -> None:
    with pytest.raises(rs.InputError, match=r"`by` must have the same index as `study`"):
        study.subgroups(by)


# --- The reversed test set of the issue -----------------------------------------------------------


def test_a_reversed_test_set_is_refused_and_not_scored():
    # y beside X in the reverse order: without the refusal case 1 had the score of case 6.
    X = pd.DataFrame({"x": SCORE}, index=PATIENTS)
    y = TABLE["ill"]
    model = LogisticRegression().fit(X, y)
    study = rs.Study.from_estimator(model, X, y)
    # pairs won: 6 and 5 beat 4, 3 and 1, 2 beats 1: 7 of 9
    assert study.auc()["estimate"].tolist() == [pytest.approx(7 / 9)]
    message = r"^`X` must have the same index as `y_true`; got .* \('p6' and 'p1' in row 0\),"
    with pytest.raises(rs.InputError, match=message):
        rs.Study.from_estimator(model, X[::-1], y)
    reversed_rows = rs.Study.from_estimator(model, X[::-1], y.to_numpy())
    # scores 1, 3, 4 of positives, 2, 5, 6 of negatives: 2 pairs of 9
    assert reversed_rows.auc()["estimate"].tolist() == [pytest.approx(2 / 9)]


# --- Subgroups: rows of a study that is made ------------------------------------------------------


def test_variables_go_with_the_rows_that_a_study_kept():
    table = TABLE.assign(marker=[6.0, 5, 2, 4, np.nan, 1])
    study = rs.Study("ill", "marker", data=table, nan_policy="omit")
    kept = table.drop(index="p5")
    assert levels_of(study, kept["sex"]) == [("F", 2, 0), ("M", 1, 2)]
    require_refused(study, kept["sex"][::-1])
    with pytest.raises(rs.InputError, match=r"\(of 6; the others were left out\)"):
        study.subgroups(table["sex"])


def test_rows_of_frequency_0_are_no_rows_of_the_study():
    study = rs.Study("ill", "marker", data=TABLE, frequency=[1, 1, 1, 1, 1, 0])
    assert levels_of(study, TABLE["sex"][:5]) == [("F", 2, 1), ("M", 1, 1)]
    require_refused(study, TABLE["sex"][1:])


def test_a_group_keeps_the_index_of_its_rows():
    study = rs.Study("ill", "marker", data=TABLE, group="sex")
    (_, women), _ = study.by_group()
    side = pd.Series(["l", "r", "r"], index=["p1", "p3", "p5"])
    assert levels_of(women, side) == [("l", 1, 0), ("r", 1, 1)]
    require_refused(women, side[::-1])


def test_tested_cases_of_folds_keep_their_index():
    X = TABLE[["marker"]]
    model = LogisticRegression().fit(X, TABLE["ill"])
    # odd patients first, then even ones: the rows of the study are not those of the table
    folds = {"estimator": [model] * 2, "indices": {"test": [[0, 2, 4], [1, 3, 5]]}}
    study = rs.Study.from_cv_results(folds, X, TABLE["ill"])
    tested = TABLE["sex"].iloc[[0, 2, 4, 1, 3, 5]]
    assert levels_of(study, tested) == [("F", 2, 1), ("M", 1, 2)]
    require_refused(study, TABLE["sex"])


def test_two_samples_keep_both_indexes():
    ill, well = (TABLE[TABLE["ill"] == side] for side in (1, 0))
    study = rs.Study.from_samples(positives=ill["marker"], negatives=well["marker"])
    assert levels_of(study, TABLE["sex"]) == [("F", 2, 1), ("M", 1, 2)]
    swapped = rs.Study.from_samples(positives=well["marker"], negatives=ill["marker"])
    require_refused(swapped, TABLE["sex"])
    # One side alone has an index: nothing says of which cases the rows are.
    half = rs.Study.from_samples(positives=ill["marker"], negatives=well["marker"].to_numpy())
    assert levels_of(half, TABLE["sex"]) == levels_of(study, TABLE["sex"])


def test_stacked_test_sets_keep_all_indexes():
    odd, even = TABLE.iloc[::2], TABLE.iloc[1::2]
    sets = [rs.Study("ill", "marker", data=part) for part in (odd, even)]
    study = rs.stack_test_sets(sets)
    assert levels_of(study, pd.concat([odd, even])["sex"]) == [("F", 2, 1), ("M", 1, 2)]
    require_refused(study, TABLE["sex"])
    # A set without an index: nothing says of which cases the rows are.
    other = rs.Study(even["ill"].to_numpy(), {"marker": even["marker"].to_numpy()})
    unnamed = rs.stack_test_sets([sets[0], other])
    assert levels_of(unnamed, pd.Series(["F"] * 3 + ["M"] * 3)) == [("F", 2, 1), ("M", 1, 2)]


def test_a_pickled_study_keeps_its_index():
    study = pickle.loads(pickle.dumps(rs.Study("ill", "marker", data=TABLE)))
    require_refused(study, TABLE["sex"][::-1])


# --- Which objects have an index, and which indexes are equal -------------------------------------

INDEXED = {
    "a Series": lambda: TABLE["marker"],
    "a frame": lambda: TABLE[["marker"]],
    "a dict of Series": lambda: {"marker": TABLE["marker"]},
    "a Series in narwhals": lambda: nw.from_native(TABLE["marker"], series_only=True),
    "a frame in narwhals": lambda: nw.from_native(TABLE[["marker"]]),
    "a Series of categories": lambda: pd.Series(
        pd.Categorical(SCORE, ordered=True), index=PATIENTS
    ),
    "a Series of Arrow": lambda: TABLE["marker"].astype("double[pyarrow]"),
}
UNINDEXED = {
    "an array": lambda: np.array(SCORE),
    "a list": lambda: SCORE,
    "an index": lambda: pd.Index(SCORE),
    "an array of pandas": lambda: pd.array(SCORE, dtype="Float64"),
    "a series of Polars": lambda: pl.Series(SCORE),
    "a frame of Polars": lambda: pl.DataFrame({"marker": SCORE}),
    "a table of Arrow": lambda: pl.DataFrame({"marker": SCORE}).to_arrow(),
    "a dict of arrays": lambda: {"marker": np.array(SCORE)},
    "a masked array": lambda: np.ma.masked_array(SCORE),
}


@each("kind", INDEXED)
def test_these_have_an_index(kind):
    score = INDEXED[kind]()
    assert rs.Study(TABLE["ill"], score).auc()["estimate"][0] == pytest.approx(7 / 9)
    assert rs.Study(Y, score).auc()["estimate"][0] == pytest.approx(7 / 9)
    with pytest.raises(rs.InputError, match=r"`y_score` must have the same index as `y_true`"):
        rs.Study(TABLE["ill"][::-1], score)


@each("kind", UNINDEXED)
def test_these_have_none_and_are_paired_by_position(kind):
    found = rs.Study(TABLE["ill"], UNINDEXED[kind]()).auc()["estimate"]
    assert found.tolist() == [pytest.approx(7 / 9)]


def test_equal_indexes_are_of_the_same_labels_in_the_same_order():
    def study(index: Any, other: Any) -> rs.Study:
        return rs.Study(pd.Series(Y, index=index), pd.Series(SCORE, index=other))

    equal = [
        (pd.RangeIndex(6), pd.Index([0, 1, 2, 3, 4, 5])),
        (pd.RangeIndex(6), pd.Index(range(6), dtype="Int64")),
        (pd.RangeIndex(6), pd.Index(range(6), dtype="float64")),
        (pd.Index(PATIENTS, dtype=object), pd.CategoricalIndex(PATIENTS)),
        (pd.Index(["p"] * 6), pd.Index(["p"] * 6)),
        (pd.Index([None, *PATIENTS[1:]]), pd.Index([None, *PATIENTS[1:]])),
    ]
    for index, other in equal:
        assert study(index, other).auc()["estimate"][0] == pytest.approx(7 / 9)
    unequal = {
        r"\('p1' and 0 in row 0\)": (pd.RangeIndex(6), PATIENTS),
        r"\('1' and 1 in row 0\)": ([1, 2, 3, 4, 5, 6], list("123456")),
        r"\('p3' and 'p2' in row 1\)": (PATIENTS, ["p1", "p3", "p2", "p4", "p5", "p6"]),
        r"\(\('a', 3\) and \('a', 2\) in row 1\)": (
            pd.MultiIndex.from_product([["a"], range(1, 7)]),
            pd.MultiIndex.from_product([["a"], [1, 3, 2, 4, 5, 6]]),
        ),
    }
    for difference, (index, other) in unequal.items():
        with pytest.raises(rs.InputError, match=difference):
            study(index, other)


def test_columns_of_one_argument_are_named():
    message = r"^`y_score\['b'\]` must have the same index as `y_score\['a'\]`; got unequal"
    with pytest.raises(rs.InputError, match=message):
        rs.Study(Y, {"a": TABLE["marker"], "b": TABLE["marker"][::-1]})
    message = r"^`positives\['b'\]` must have as many rows as `positives\['a'\]`; got shapes"
    with pytest.raises(rs.InputError, match=message):
        rs.Study.from_samples(
            positives={"a": SCORE, "b": SCORE[:5]}, negatives={"a": SCORE, "b": SCORE}
        )


# --- What models return for rows ------------------------------------------------------------------

X = pd.DataFrame({"x": SCORE}, index=PATIENTS)


class Model:
    """A model whose answers are whatever it is given."""

    classes_ = np.array([0, 1])

    def __init__(self, answer: Any) -> None:
        self.predict_proba = answer


def probabilities(X: pd.DataFrame, columns: Any = (0, 1)) -> pd.DataFrame:
    p = X["x"].to_numpy() / 10
    values = {0: 1 - p, 1: p}
    return pd.DataFrame({name: values[int(name)] for name in columns}, index=X.index)


def test_probabilities_with_an_index_have_that_of_their_features():
    study = rs.Study.from_estimator(Model(probabilities), X, TABLE["ill"])
    assert study.auc()["estimate"].tolist() == [pytest.approx(7 / 9)]
    sorted_rows = Model(lambda X: probabilities(X).sort_values(1))
    for call in (
        lambda: rs.Study.from_estimator(sorted_rows, X, TABLE["ill"]),
        lambda: rs.Study.from_tree(sorted_rows, X, Y),
    ):
        with pytest.raises(rs.InputError, match=r"^`predict_proba\(X\)` must have the same index"):
            call()


def test_named_probabilities_are_in_the_order_of_the_classes():
    for columns in ((1, 0), ("1", "0")):
        model = Model(lambda X, columns=columns: probabilities(X, columns))
        with pytest.raises(rs.InputError, match=r"in the order of classes_, \['0', '1'\]; got"):
            rs.Study.from_estimator(model, X, TABLE["ill"])


def test_missing_probabilities_are_told_by_the_model():
    model = Model(lambda X: probabilities(X).assign(**{"1": 0.5}).iloc[:, [0, 1]].where(X["x"] < 6))
    message = r"^`predict_proba\(X\)` must have no missing values; got 1 of 'm' \(row 'p1'\)"
    with pytest.raises(rs.InputError, match=message):
        rs.Study.from_estimator({"m": model}, X, TABLE["ill"])


def test_scores_of_refits_have_the_index_of_their_features():
    y = pd.Series(Y * 4)
    features = pd.DataFrame({"x": SCORE * 4})
    found = rs.optimism_corrected_auc(
        lambda X, y: lambda rows: rows["x"], features, y, n_resamples=20, rng=1
    )
    assert found["estimate"][0] == pytest.approx(7 / 9)
    with pytest.raises(rs.InputError, match=r"^`fit\(X, y\)\(X\)` must have the same index as `X`"):
        rs.optimism_corrected_auc(
            lambda X, y: lambda rows: rows["x"].sort_values(), features, y, n_resamples=20
        )


def test_chances_of_a_model_have_the_index_of_their_features():
    verified = np.arange(6) != 3
    options: dict[str, Any] = {"X": X, "n_resamples": 100, "rng": 1}
    args = (TABLE["ill"], TABLE["marker"], verified)
    rs.verified_auc(*args, probability=lambda X, known: X["x"] / 10, **options)
    message = r"^`probability\(X, verified\)` must have the same index as `X`"
    with pytest.raises(rs.InputError, match=message):
        rs.verified_auc(*args, probability=lambda X, known: (X["x"] / 10).sort_values(), **options)


def test_calls_of_a_fit_have_the_index_of_their_features():
    class Cut:
        def fit(self, X: Any, y: Any, sample_weight: Any) -> None:
            pass

        def predict(self, X: Any) -> Any:
            return (X["x"] > 3).astype(int).sort_values()

    with pytest.raises(rs.InputError, match=r"^`predict\(X_test\)` must have the same index as"):
        rs.sweep_class_weight(Cut(), X + 1, TABLE["ill"] * 1, X, TABLE["ill"], weights=[1])


# --- Masked labels of cross-validated cases -------------------------------------------------------


def test_masked_labels_of_folds_are_missing():
    model = Model(lambda X: np.column_stack([1 - X[:, 0] / 10, X[:, 0] / 10]))
    folds = {"estimator": [model], "indices": {"test": [np.arange(6)]}}
    masked = np.ma.masked_array(Y, [True, *[False] * 5])
    with pytest.raises(rs.InputError, match=r"`y_true` must have no missing values; got 1"):
        rs.Study.from_cv_results(folds, np.array(SCORE)[:, None], masked)
