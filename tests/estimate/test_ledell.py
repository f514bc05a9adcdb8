from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.oracles.definitions import kernel

Y = np.array([1] * 3 + [0] * 4 + [1] * 3 + [0] * 3)
FOLD = np.repeat([1, 2], [7, 6])
# docs/methods/areas.md, "Worked folds", examples 1 and 2
UNTIED = np.array([0.9, 0.8, 0.35, 0.6, 0.3, 0.2, 0.55, 0.7, 0.4, 0.65, 0.5, 0.1, 0.45])
TIED = np.array([0.9, 0.8, 0.35, 0.6, 0.35, 0.2, 0.55, 0.7, 0.4, 0.65, 0.65, 0.1, 0.45])


def row_of(study, **arguments):
    return study.auc(variance="ledell", **arguments).iloc[0]


def ledell_by_loops(y, score, fold):
    """Equation of the paper: the mean over folds of the mean squared influence value, over N."""
    p1 = sum(y) / len(y)
    means = []
    for v in dict.fromkeys(fold):
        rows = [i for i in range(len(y)) if fold[i] == v]
        pos, neg = [i for i in rows if y[i]], [i for i in rows if not y[i]]

        def psi(i, j):
            return (1 + np.sign(score[i] - score[j])) / 2

        area = np.mean([psi(i, j) for i in pos for j in neg])
        of_pos = [(np.mean([psi(i, j) for j in neg]) - area) / p1 for i in pos]
        of_neg = [(np.mean([psi(i, j) for i in pos]) - area) / (1 - p1) for j in neg]
        means.append(np.mean(np.square(of_pos + of_neg)))
    return np.mean(means) / len(y)


def repeated_by_loops(y, score, fold, subject):
    """Each subject's influence values averaged over repeats, squared, averaged over subjects."""
    p1 = np.mean(y)
    values = {s: [] for s in subject}
    for v in set(fold):
        inside = fold == v
        k = kernel(y[inside], score[inside])
        of_pos, of_neg = (k.mean(axis=1) - k.mean()) / p1, (k.mean(axis=0) - k.mean()) / (1 - p1)
        for s, value in zip(subject[inside & (y == 1)], of_pos, strict=True):
            values[s].append(value)
        for s, value in zip(subject[inside & (y == 0)], of_neg, strict=True):
            values[s].append(value)
    means = [np.mean(v) for v in values.values()]
    return np.mean(np.square(means)) / len(means)


@pytest.mark.parametrize(
    ("score", "estimate", "se"),
    [(UNTIED, 0.8055555556, 0.1302250429), (TIED, 0.7569444444, 0.1351857006)],
    ids=["untied", "tied"],
)
def test_printed_standard_errors(score, estimate, se):
    row = row_of(rs.Study(Y, score, fold=FOLD))
    assert row["estimate"] == pytest.approx(estimate, abs=5e-11)
    assert row["se"] == pytest.approx(se, abs=5e-11)
    assert row["method"] == "ledell/logit"


def test_printed_lower_limit():
    row = row_of(rs.Study(Y, UNTIED, fold=FOLD), interval="wald")
    # First printed from rounded numbers: docs/methods/index.md, "Corrected figures".
    assert row["ci_low"] == pytest.approx(0.5503191617, abs=1e-10)


@st.composite
def folded(draw):
    """Labels, tied scores and up to four folds of unequal size that hold both classes."""
    n_folds = draw(st.integers(1, 4))
    sizes = [(draw(st.integers(1, 5)), draw(st.integers(1, 5))) for _ in range(n_folds)]
    y = [label for m, n in sizes for label in [1] * m + [0] * n]
    fold = [v for v, (m, n) in enumerate(sizes) for _ in range(m + n)]
    score = draw(st.lists(st.integers(0, 6), min_size=len(y), max_size=len(y)))
    return np.array(y), np.array(score, dtype=float), np.array(fold)


@given(folded())
def test_standard_error_equals_the_loops(data):
    y, score, fold = data
    found = row_of(rs.Study(y, score, fold=fold))["se"] ** 2
    assert found == pytest.approx(ledell_by_loops(y, score, fold), abs=1e-14)


@given(folded())
def test_clusters_of_one_are_no_clusters(data):
    y, score, fold = data
    plain = row_of(rs.Study(y, score, fold=fold))
    single = row_of(rs.Study(y, score, fold=fold, cluster=np.arange(len(y))))
    assert single["se"] == pytest.approx(plain["se"], abs=1e-12)


@given(folded(), st.data())
def test_a_frequency_is_so_many_rows(data, more):
    y, score, fold = data
    n = np.array(more.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y))))
    tabled = row_of(rs.Study(y, score, fold=fold, frequency=n))
    rows = np.repeat(np.arange(len(y)), n)
    replicated = row_of(rs.Study(y[rows], score[rows], fold=fold[rows]))
    assert tabled["se"] == pytest.approx(replicated["se"], abs=1e-12)
    cluster = np.arange(len(y)) % 3
    tabled = row_of(rs.Study(y, score, fold=fold, frequency=n, cluster=cluster))
    replicated = row_of(rs.Study(y[rows], score[rows], fold=fold[rows], cluster=cluster[rows]))
    assert tabled["se"] == pytest.approx(replicated["se"], abs=1e-12)


def test_repeats_average_the_influence_of_each_subject(rng):
    # Three repeats of four folds of five cases, each case scored anew in each repeat.
    y = np.tile([1, 1, 0, 0, 0], 4)
    subject, fold, score = [], [], []
    for repeat in range(3):
        for label in (1, 0):
            rows = rng.permutation(np.flatnonzero(y == label))
            subject += rows.tolist()
            fold += [f"{repeat}-{i % 4}" for i in range(len(rows))]
        score += rng.normal(size=20).tolist()
    subject, fold, score = np.array(subject), np.array(fold), np.array(score)
    study = rs.Study(y[subject], score, fold=fold, cluster=subject)
    row = row_of(study)
    expected = repeated_by_loops(y[subject], score, fold, subject)
    assert row["se"] ** 2 == pytest.approx(expected, rel=1e-12)
    assert row["method"] == "ledell-clustered/logit"


def test_a_repeat_that_is_a_copy_adds_nothing():
    once = row_of(rs.Study(Y, TIED, fold=FOLD))
    twice = rs.Study(
        np.tile(Y, 2),
        np.tile(TIED, 2),
        fold=np.concatenate([FOLD, FOLD + 2]),
        cluster=np.tile(np.arange(13), 2),
    )
    assert row_of(twice)["se"] == pytest.approx(once["se"], rel=1e-12)


@pytest.mark.parametrize(
    ("sizes", "said"), [((10, 10), False), ((9, 10), True), ((10, 9), True)], ids=str
)
def test_few_cases_in_a_fold_are_said(sizes, said, rng):
    y = np.concatenate([np.repeat([1, 0], sizes), np.repeat([1, 0], [12, 12])])
    fold = np.repeat([0, 1], [sum(sizes), 24])
    study = rs.Study(y, rng.normal(size=len(y)), fold=fold)
    assert ("few-cases-per-fold" in row_of(study)["note"]) is said
    assert "few-cases-per-fold" not in study.auc()["note"][0]


def test_folds_that_are_all_perfect_have_newcombes_limits():
    score = Y + np.arange(13) / 100
    row = row_of(rs.Study(Y, score, fold=FOLD), interval="wald")
    assert row["method"] == "ledell/newcombe"
    assert 0 < row["ci_low"] < row["ci_high"] == 1


def test_without_folds_it_is_refused():
    message = (
        "^`variance` must not be 'ledell' when the study has no folds, over which it averages; got"
        r" 'ledell'\. Pass fold= to the study, or leave `variance` out\.$"
    )
    with pytest.raises(rs.InputError, match=message):
        rs.Study(Y, TIED).auc(variance="ledell")
