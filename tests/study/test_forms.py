"""Every way of handing data in gives the same study."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

import rocstats as rs
from tests import examples
from tests.quick import each

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


def test_polars_nulls_are_missing_values():
    data = pl.DataFrame({"y": [1, 0, 1, None, 0], "s": [3.0, None, 2.0, 1.0, 0.0]})
    study = rs.Study("y", "s", data=data, nan_policy="omit")
    assert (study.n_pos, study.n_neg, study.n_dropped) == (2, 1, 2)


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


def test_a_masked_score_is_missing():
    masked = np.ma.masked_array(A, mask=np.arange(18) == 3)
    study = rs.Study(Y, masked, nan_policy="omit")
    assert study.n_pos == 7


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


def test_confusion_table_is_a_study():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22, predictor="test")
    assert study.predictors == ("test",)
    inner = study.roc_curve().iloc[1]
    assert (inner["fpr"], inner["tpr"]) == (8 / 30, 0.7)
    # one point: A = (tpr + 1 - fpr)/2
    assert study.auc()["estimate"][0] == pytest.approx((0.7 + 22 / 30) / 2)


def test_inputs_are_copied_and_the_study_cannot_be_changed():
    y, score = Y.copy(), A.copy()
    study = rs.Study(y, score)
    before = study.auc()
    y[:], score[:] = 0, 0
    assert study.auc().equals(before)
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
