"""Variances of an area: closed forms by brute force, Hanley and McNeil's, LeDell's over folds."""

from __future__ import annotations

from itertools import combinations_with_replacement as multisets
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from rocstats.estimate import area_variances
from rocstats.estimate.area_variances import hanley_mcneil_exponential_variance, hanley_mcneil_q1_q2
from rocstats.study.count_tables import LabelledScores, count_scores_of
from tests import examples
from tests.oracles import definitions as oracles
from tests.strategies import samples


def counts_of(y, score):
    return count_scores_of(LabelledScores(np.asarray(score, float), np.asarray(y) == 1, None, True))


def test_printed_numbers_of_d1():
    counts = counts_of(examples.Y, examples.D1)
    exponential = hanley_mcneil_exponential_variance(0.8625, 8, 10)
    assert np.sqrt(exponential) == pytest.approx(0.0944203095, abs=5e-11)
    from_counts = area_variances.hanley_mcneil_variance_from_counts(counts)
    assert np.sqrt(from_counts) == pytest.approx(0.0855474101, abs=5e-11)
    unbiased = area_variances.unbiased_area_variance(counts)
    assert unbiased == pytest.approx(0.00650545634921, abs=5e-15)
    ideal = area_variances.ideal_bootstrap_area_variance(counts)
    assert ideal == pytest.approx(0.007046875, abs=1e-15)


def test_hanley_mcneil_terms_of_the_ct_ratings():
    q1, q2 = hanley_mcneil_q1_q2(0.8931710615280596)
    assert q1 == pytest.approx(0.8069639585, abs=5e-11)
    assert q2 == pytest.approx(0.8427706945, abs=5e-11)


@given(samples(most=7))
def test_closed_forms_equal_brute_force(data):
    y, (score,) = data
    counts = counts_of(y, score)
    assert area_variances.ideal_bootstrap_area_variance(counts) == pytest.approx(
        oracles.bootstrap_variance(y, score), abs=1e-12
    )
    assert area_variances.unbiased_area_variance(counts) == pytest.approx(
        oracles.unbiased_variance(y, score), abs=1e-12
    )


def both_outrank(k):
    """P(two members of the rows both outrank a column), ties at random: 1, 1/2 or 1/3."""
    value = {(1.0, 1.0): 1.0, (1.0, 0.5): 1 / 2, (0.5, 1.0): 1 / 2, (0.5, 0.5): 1 / 3}
    return np.mean([[[value.get((a, b), 0.0) for a in column] for b in column] for column in k.T])


@given(samples(most=7))
def test_data_form_counts_pairs_with_ties_split_at_random(data):
    y, (score,) = data
    k = oracles.kernel(y, score)
    (m, n), theta = k.shape, k.mean()
    q1, q2 = both_outrank(k), both_outrank(k.T)
    spread = theta * (1 - theta) + (m - 1) * (q1 - theta**2) + (n - 1) * (q2 - theta**2)
    assert area_variances.hanley_mcneil_variance_from_counts(counts_of(y, score)) == pytest.approx(
        max(spread, 0) / (m * n), abs=1e-14
    )


def test_unbiased_variance_needs_two_of_each_class():
    assert np.isnan(area_variances.unbiased_area_variance(counts_of([1, 0, 0], [2, 1, 0])))


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3), (2, 5), (4, 3)])
def test_unbiased_variance_of_an_area_is_never_negative(m, n):
    # All orderings with ties of m + n cases, but for the order of the cases of a class, which the
    # counts forget. (A difference of areas has no such guarantee.)
    for pos, neg in product(multisets(range(4), m), multisets(range(4), n)):
        counts = counts_of([1] * m + [0] * n, (*pos, *neg))
        assert area_variances.unbiased_area_variance(counts) >= -1e-15


# docs/methods/areas.md, "Worked variances": the paired ideal bootstrap of D1 and D2
def test_printed_paired_bootstrap_variance(three):
    s = area_variances.ideal_bootstrap_area_covariance(three.cases, [0, 1])
    assert s[0, 0] + s[1, 1] - 2 * s[0, 1] == pytest.approx(0.007189453125, abs=1e-15)
    assert s[0, 0] == pytest.approx(
        area_variances.ideal_bootstrap_area_variance(three.cases.counts(0)), abs=1e-16
    )


def test_kernel_products_equal_the_kernels(rng):
    y = np.repeat([1, 0], [9, 13])
    scores = rng.integers(0, 5, (2, 22)).astype(float)
    study = rs.Study(y, scores.T, higher_is_positive={"score_2": False})
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    k1, k2 = oracles.kernel(y, scores[0]), oracles.kernel(y, -scores[1])
    expected = [[np.mean(k1 * k1), np.mean(k1 * k2)], [np.mean(k1 * k2), np.mean(k2 * k2)]]
    found = area_variances.mean_kernel_products(study.cases, [0, 1], pos, neg)
    assert found == pytest.approx(np.array(expected), abs=1e-15)


FOLD_Y = np.array([1] * 3 + [0] * 4 + [1] * 3 + [0] * 3)
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
    p1, values = np.mean(y), {s: [] for s in subject}
    for v in set(fold):
        inside = fold == v
        k = oracles.kernel(y[inside], score[inside])
        of_pos, of_neg = (k.mean(axis=1) - k.mean()) / p1, (k.mean(axis=0) - k.mean()) / (1 - p1)
        for label, of_class in ((1, of_pos), (0, of_neg)):
            for s, value in zip(subject[inside & (y == label)], of_class, strict=True):
                values[s].append(value)
    return np.mean([np.mean(v) ** 2 for v in values.values()]) / len(values)


@pytest.mark.parametrize(
    ("score", "estimate", "se"),
    [(UNTIED, 0.8055555556, 0.1302250429), (TIED, 0.7569444444, 0.1351857006)],
    ids=["untied", "tied"],
)
def test_printed_ledell_standard_errors(score, estimate, se):
    row = row_of(rs.Study(FOLD_Y, score, fold=FOLD))
    assert row["estimate"] == pytest.approx(estimate, abs=5e-11)
    assert row["se"] == pytest.approx(se, abs=5e-11)
    assert row["method"] == "ledell/logit"


def test_printed_ledell_lower_limit():
    row = row_of(rs.Study(FOLD_Y, UNTIED, fold=FOLD), interval="wald")
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
def test_ledell_standard_error_equals_the_loops(data):
    y, score, fold = data
    found = row_of(rs.Study(y, score, fold=fold))["se"] ** 2
    assert found == pytest.approx(ledell_by_loops(y, score, fold), abs=1e-14)


@given(folded())
def test_ledell_with_clusters_of_one_is_ledell(data):
    y, score, fold = data
    plain = row_of(rs.Study(y, score, fold=fold))
    single = row_of(rs.Study(y, score, fold=fold, cluster=np.arange(len(y))))
    assert single["se"] == pytest.approx(plain["se"], abs=1e-12)


@given(folded(), st.data())
def test_a_frequency_is_so_many_rows_for_ledell(data, more):
    y, score, fold = data
    n = np.array(more.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y))))
    rows = np.repeat(np.arange(len(y)), n)
    for roles in ({"fold": fold}, {"fold": fold, "cluster": np.arange(len(y)) % 3}):
        tabled = row_of(rs.Study(y, score, frequency=n, **roles))
        repeated = {role: values[rows] for role, values in roles.items()}
        replicated = row_of(rs.Study(y[rows], score[rows], **repeated))
        assert tabled["se"] == pytest.approx(replicated["se"], abs=1e-12)


def test_repeats_average_the_influence_of_each_subject(rng):
    # Three repeats of four folds of five cases, each case scored anew in each repeat.
    y, subject, fold = np.tile([1, 1, 0, 0, 0], 4), [], []
    for repeat in range(3):
        for label in (1, 0):
            rows = rng.permutation(np.flatnonzero(y == label))
            subject += rows.tolist()
            fold += [f"{repeat}-{i % 4}" for i in range(len(rows))]
    subject, fold, score = np.array(subject), np.array(fold), rng.normal(size=60)
    row = row_of(rs.Study(y[subject], score, fold=fold, cluster=subject))
    expected = repeated_by_loops(y[subject], score, fold, subject)
    assert row["se"] ** 2 == pytest.approx(expected, rel=1e-12)
    assert row["method"] == "ledell-clustered/logit"


def test_a_repeat_that_is_a_copy_adds_nothing():
    once = row_of(rs.Study(FOLD_Y, TIED, fold=FOLD))
    twice = rs.Study(
        np.tile(FOLD_Y, 2),
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
    score = FOLD_Y + np.arange(13) / 100
    row = row_of(rs.Study(FOLD_Y, score, fold=FOLD), interval="wald")
    assert row["method"] == "ledell/newcombe"
    assert 0 < row["ci_low"] < row["ci_high"] == 1


def test_ledell_without_folds_is_refused():
    with pytest.raises(rs.InputError, match=r"^`variance` must not be 'ledell' when the study has"):
        rs.Study(FOLD_Y, TIED).auc(variance="ledell")
