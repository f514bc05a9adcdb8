"""Measures of points by request, and limits for every threshold at once."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa

import rocstats as rs
from rocstats.estimate.proportions import binomial_limits_of_rates
from rocstats.estimate.tables import measure_slopes_in_rates
from rocstats.facts.measures import FURTHER, MEASURES, cells_at, depends_on_prevalence, measure
from tests import examples

TABLE = {"tp": 670, "fn": 74, "fp": 202, "tn": 640}

STUDY = rs.Study.from_confusion(**TABLE)

RARE = rs.Study.from_confusion(tp=17, fn=3, fp=12, tn=88)

Z = stats.norm.ppf(0.975)

NUMBERS = ["estimate", "ci_low", "ci_high", "se"]

ALL = [*FURTHER, "f_beta"]


def ask(study, *quantities, **options):
    found = study.operating_points(threshold=1, quantities=list(quantities), **options)
    return found.set_index("quantity")


def calls_of(study):
    counts = study.cases.frequency.astype(int)
    y = np.repeat(study.is_positive, counts).astype(int)
    return y, np.repeat(study.scores[0], counts).astype(int)


@pytest.mark.parametrize("study", [STUDY, RARE])
def test_estimates_are_those_of_scikit_learn_and_definitions(study):
    y, called = calls_of(study)
    found = ask(study, *ALL, beta=2, sampling="cohort")["estimate"]
    assert found["kappa"] == pytest.approx(metrics.cohen_kappa_score(y, called), rel=1e-12)
    assert found["f_beta"] == pytest.approx(metrics.fbeta_score(y, called, beta=2), rel=1e-12)
    usual = ask(study, "ppv", "npv", "youden", "f1", "f_beta")["estimate"]
    assert found["false_discovery"] == pytest.approx(1 - usual["ppv"], rel=1e-12)
    assert found["false_omission"] == pytest.approx(1 - usual["npv"], rel=1e-12)
    assert found["number_needed_to_diagnose"] == pytest.approx(1 / usual["youden"], rel=1e-12)
    assert usual["f_beta"] == pytest.approx(usual["f1"], rel=1e-12)  # beta is 1 by default


def kappa_at(tpr, fpr, p):
    called = p * tpr + (1 - p) * fpr
    chance = p * called + (1 - p) * (1 - called)
    return (p * tpr + (1 - p) * (1 - fpr) - chance) / (1 - chance)


def f2_at(tpr, fpr, p):
    return 5 * p * tpr / (p * tpr + (1 - p) * fpr + 4 * p)


def cohort_t(value_at, tp, fn, fp, tn):
    """The .975 quantile of t with Satterthwaite's df of both rates and of the prevalence."""
    m, n = tp + fn, fp + tn
    at = np.array([tp / m, fp / n, m / (m + n)])
    slope = [np.imag(value_at(*(at + moved))) / 1e-30 for moved in 1e-30j * np.eye(3)]
    parts = np.square(slope) * at * (1 - at) / np.array([m, n, m + n])
    df = parts.sum() ** 2 / (parts**2 / np.array([m - 1, n - 1, min(m, n) - 1])).sum()
    return stats.t.ppf(0.975, df)


def test_the_standard_error_of_kappa_is_that_of_fleiss_cohen_and_everitt():
    for tp, fn, fp, tn in ((670, 74, 202, 640), (17, 3, 12, 88)):
        study = rs.Study.from_confusion(tp=tp, fn=fn, fp=fp, tn=tn)
        row = ask(study, "kappa", sampling="cohort").iloc[0]
        known = cohens_kappa(np.array([[tp, fn], [fp, tn]]))
        assert row["estimate"] == pytest.approx(known.kappa, rel=1e-12)
        assert row["se"] == pytest.approx(known.std_kappa, rel=1e-10)
        t = cohort_t(kappa_at, tp, fn, fp, tn)
        middle, reach = np.arctanh(known.kappa), t * known.std_kappa / (1 - known.kappa**2)
        expected = np.tanh([middle - reach, middle + reach])
        assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(expected, rel=1e-10)
        assert row["method"] == "binomial/fisher"


def test_f_beta_has_logit_limits_by_the_multinomial_delta_method():
    tp, fn, fp = 17.0, 3.0, 12.0
    value, total = 5 * tp / (5 * tp + 4 * fn + fp), 5 * tp + 4 * fn + fp
    # d F/d n_c of the cells, times their multinomial variance; the other cell does not count.
    slope = np.array([5 * (4 * fn + fp), -5 * tp * 4, -5 * tp]) / total**2
    counts = np.array([tp, fn, fp])
    se = np.sqrt(counts @ slope**2 - (counts @ slope) ** 2 / 120)
    row = ask(RARE, "f_beta", beta=2.0, sampling="cohort").iloc[0]
    reach = cohort_t(f2_at, 17, 3, 12, 88) * se / (value * (1 - value))
    expected = expit(logit(value) + np.array([-reach, reach]))
    assert row["se"] == pytest.approx(se, rel=1e-10)
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(expected, rel=1e-10)
    assert row["note"] == "beta=2"


def test_mirrored_measures_have_mirrored_limits_at_any_prevalence():
    for options in ({}, {"prevalence": 0.1}, {"prevalence": 0.1, "interval": "dkw"}):
        found = ask(STUDY, "ppv", "npv", "false_discovery", "false_omission", **options)
        for value, false in (("ppv", "false_discovery"), ("npv", "false_omission")):
            expected = 1 - found.loc[value, ["estimate", "ci_high", "ci_low"]]
            numbers = found.loc[false, ["estimate", "ci_low", "ci_high"]]
            assert numbers.tolist() == pytest.approx(expected.tolist(), rel=1e-10)
            assert found.loc[false, "se"] == pytest.approx(found.loc[value, "se"], rel=1e-8)
            assert found.loc[false, "prevalence"] == found.loc[value, "prevalence"]


def test_a_useless_test_needs_infinitely_many():
    found = ask(RARE, "youden", "number_needed_to_diagnose")
    index, number = found.loc["youden"], found.loc["number_needed_to_diagnose"]
    assert number["ci_low"] == pytest.approx(1 / index["ci_high"])
    assert number["ci_high"] == pytest.approx(1 / index["ci_low"])
    assert number["se"] == pytest.approx(index["se"] / index["estimate"] ** 2)
    doubtful = ask(rs.Study.from_confusion(tp=6, fn=4, fp=5, tn=5), "number_needed_to_diagnose")
    assert doubtful["ci_high"].iloc[0] == np.inf
    assert doubtful["ci_low"].iloc[0] > 1
    bad = ask(rs.Study.from_confusion(tp=4, fn=6, fp=5, tn=5), "number_needed_to_diagnose").iloc[0]
    assert bad["estimate"] == bad["ci_high"] == np.inf
    assert np.isnan(bad["se"])


def lang_reiczigel(a, n, t, m, f, k):
    """Limits as Lang & Reiczigel (2014) have them, case numbers n, m and k."""
    share, size = (n * a + Z**2 / 2) / (n + Z**2), n + Z**2
    se, sp = (m * t + 1) / (m + 2), (k * (1 - f) + 1) / (k + 2)
    p = (share + sp - 1) / (se + sp - 1)
    parts = se * (1 - se) / (m + 2), sp * (1 - sp) / (k + 2)
    shift = 2 * Z**2 * (p * parts[0] - (1 - p) * parts[1])
    total = share * (1 - share) / size + p**2 * parts[0] + (1 - p) ** 2 * parts[1]
    reach = Z * np.sqrt(total) / (se + sp - 1)
    return max(p + shift - reach, 0), min(p + shift + reach, 1)


@pytest.mark.parametrize(("x", "n"), [(300, 1000), (30, 200), (9, 10)])
def test_true_prevalence_is_that_of_rogan_and_gladen(x, n):
    t, f, a = 670 / 744, 202 / 842, x / n
    asked = {"threshold": 1, "apparent_prevalence": (x, n)}
    row = STUDY.operating_points(quantities="true_prevalence", **asked).iloc[0]
    p = (a - f) / (t - f)
    assert row["estimate"] == pytest.approx(min(max(p, 0), 1), rel=1e-12)
    low, high = lang_reiczigel(a, n, t, 744, f, 842)
    assert row["ci_low"] == pytest.approx(min(low, row["estimate"]), abs=1e-12)
    assert row["ci_high"] == pytest.approx(max(high, row["estimate"]), abs=1e-12)
    assert row["method"] == "binomial/lang-reiczigel"
    assert np.isnan(row["prevalence"])
    if 0 < p < 1:  # the delta method, by Rogan and Gladen's formula
        parts = a * (1 - a) / n, p**2 * t * (1 - t) / 744, (1 - p) ** 2 * f * (1 - f) / 842
        assert row["se"] == pytest.approx(np.sqrt(sum(parts)) / (t - f), rel=1e-10)
        assert row["note"] == f"apparent-prevalence={x}/{n}"
    else:
        assert row["note"] == f"apparent-prevalence={x}/{n}; prevalence-at-end"


def test_a_test_that_tells_nothing_has_no_true_prevalence():
    bad = rs.Study.from_confusion(tp=4, fn=6, fp=5, tn=5)
    row = ask(bad, "true_prevalence", apparent_prevalence=(3, 10)).iloc[0]
    assert np.isnan(row[NUMBERS].astype(float)).all()
    assert "useless-test" in row["note"]


def test_clusters_of_one_case_are_none_and_others_widen():
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [60, 80])
    score = rng.normal(size=140) + y
    asked = {"quantities": [*ALL, "true_prevalence"], "apparent_prevalence": (50, 120), "beta": 2}
    asked |= {"threshold": 0.5, "sampling": "cohort"}
    plain = rs.Study(y, score).operating_points(**asked)
    alone = rs.Study(y, score, cluster=np.arange(140)).operating_points(**asked)
    names = ["kappa", "f_beta", "number_needed_to_diagnose", "true_prevalence"]
    kept = plain["quantity"].isin(names)
    # Obuchowski's factors n/(n - 1): within 2 % of the widths with 60 cases.
    np.testing.assert_allclose(alone.loc[kept, "se"], plain.loc[kept, "se"], rtol=0.02)
    twice = np.tile(np.arange(140), 2)
    doubled = rs.Study(np.tile(y, 2), np.tile(score, 2), cluster=twice).operating_points(**asked)
    np.testing.assert_allclose(doubled["estimate"], plain["estimate"], rtol=1e-12)
    np.testing.assert_allclose(doubled["se"], alone["se"], rtol=1e-10)


def test_at_rates_measures_follow_the_rate_that_is_read():
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [80, 120])
    study = rs.Study(y, rng.normal(size=200) + 1.5 * y)
    found = study.operating_points(fpr=0.2, quantities=["tpr", *ALL], prevalence=0.3, rng=1)
    rows = found.set_index("quantity")
    low, high = rows.loc["tpr", ["ci_low", "ci_high"]]
    for name in ALL:
        word = "f_beta=1.0" if name == "f_beta" else name
        ends = [
            float(measure(word, cells_at(np.array([t]), np.array([0.2]), 0.3))[0])
            for t in (low, high)
        ]
        assert rows.loc[name, ["ci_low", "ci_high"]].tolist() == pytest.approx(sorted(ends))


def test_slopes_are_derivatives():
    tpr, fpr, p, h = np.array([0.8, 0.6]), np.array([0.1, 0.3]), 0.2, 1e-6
    for name in (*FURTHER, "f_beta=0.5"):
        found = measure_slopes_in_rates(name, tpr, fpr, p)
        moves = ((h, 0, 0), (0, h, 0), (0, 0, h))
        for slope, (a, b, c) in zip(found, moves, strict=True):
            up, down = (
                measure(name, cells_at(tpr + s * a, fpr + s * b, p + s * c)) for s in (1, -1)
            )
            np.testing.assert_allclose(slope, (up - down) / (2 * h), rtol=1e-7, atol=1e-9)


def test_weights_leave_estimates_and_the_usual_measures_stay_the_default():
    study = rs.Study([1, 1, 0, 0], [3, 1, 2, 0], sample_weight=[1.0, 2, 1, 2])
    found = study.operating_points(
        threshold=2, quantities=["kappa", "true_prevalence"], apparent_prevalence=(1, 3)
    )
    assert found["estimate"].notna().tolist() == [True, False]  # TPR = FPR = 1/3
    assert found["ci_low"].isna().all()
    assert set(STUDY.operating_points()["quantity"]).isdisjoint([*ALL, "true_prevalence"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beta": 2}, "`beta` must stay None unless `quantities` hold 'f_beta'; got 2."),
        ({"quantities": ["f_beta"], "beta": 0}, "`beta` must be a number from 1e-6 to 1e6"),
        ({"apparent_prevalence": (1, 2)}, "`apparent_prevalence` must stay None unless"),
        (
            {"quantities": "true_prevalence"},
            "`apparent_prevalence` must be (x, n) with 0 <= x <= n for 'true_prevalence' (x"
            " positive calls in n cases of unknown status); got None.",
        ),
        (
            {"quantities": "true_prevalence", "apparent_prevalence": (3, 2)},
            "`apparent_prevalence` must be (x, n) with 0 <= x <= n for 'true_prevalence'",
        ),
        (
            {
                "quantities": "true_prevalence",
                "apparent_prevalence": (1, 2),
                "interval": "dkw",
            },
            "`quantities` must not hold 'true_prevalence' at given rates, with interval='dkw' or",
        ),
    ],
)
def test_message(options, message):
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}"):
        STUDY.operating_points(**options)


LIMITS = ["ci_low", "ci_high"]


# docs/methods/points.md, "Worked limits for every threshold": 142 of 212 and 274 of 357;
# sqrt(ln(80)/424) = 0.10166105 and sqrt(ln(80)/714) = 0.07834087.
@pytest.mark.parametrize(
    ("quantity", "expected"),
    [
        ("tpr", (0.66981132, 0.56815027, 0.77147237)),
        ("tnr", (0.76750700, 0.68916613, 0.84584787)),
        # 0.1 t/(0.1 t + 0.9 f) at (0.56815027, 0.31083387) and (0.77147237, 0.15415213).
        ("ppv", (0.24248773, 0.16880823, 0.35735480)),
        # t - f at the same corners.
        ("youden", (0.43731832, 0.25731640, 0.61732024)),
    ],
)
def test_worked_limits(masses, quantity, expected):
    frame = masses.operating_points(threshold=20, interval="dkw", prevalence=0.1)
    row = frame.set_index("quantity").loc[quantity]
    assert row[["estimate", *LIMITS]].tolist() == pytest.approx(expected, abs=5e-9)
    assert row["method"] == ("binomial/dkw" if quantity[0] == "t" else "binomial/dkw-corners")
    assert row["note"] == ""


@given(st.integers(1, 200), st.floats(0, 1), st.floats(0.5, 0.999))
def test_limits_of_every_threshold_contain_those_of_one(size, share, level):
    rate = np.round(share * size) / size
    low, high = binomial_limits_of_rates(rate, size, "dkw", level)
    one_low, one_high = binomial_limits_of_rates(rate, size, "wilson", level)
    assert low <= one_low
    assert one_high <= high


def test_frequencies_are_repeated_rows():
    times = np.arange(18) % 3 + 1
    asked = {"threshold": [0.3, 0.6], "interval": "dkw", "prevalence": 0.2}
    grouped = rs.Study(examples.Y, examples.D1, frequency=times).operating_points(**asked)
    each = rs.Study(np.repeat(examples.Y, times), np.repeat(examples.D1, times))
    numbers = grouped.select_dtypes("number").columns
    np.testing.assert_allclose(
        grouped[numbers], each.operating_points(**asked)[numbers], rtol=1e-12
    )


def test_labels_swapped_exchange_the_rates_and_the_predictive_values():
    asked = {"threshold": 0.6, "interval": "dkw"}
    one = rs.Study(examples.Y, examples.D1).operating_points(prevalence=0.2, **asked)
    # Those not called positive at 0.6 are called by "<= the score before 0.6".
    below = examples.D1[examples.D1 < 0.6].max()
    other = rs.Study(1 - examples.Y, examples.D1, higher_is_positive=False)
    other = other.operating_points(threshold=below, interval="dkw", prevalence=0.8)
    one, other = one.set_index("quantity"), other.set_index("quantity")
    for first, second in (("tpr", "tnr"), ("ppv", "npv"), ("youden", "youden"), ("mcc", "mcc")):
        expected = other.loc[second, ["estimate", *LIMITS]].tolist()
        assert one.loc[first, ["estimate", *LIMITS]].tolist() == pytest.approx(expected, rel=1e-12)


def test_without_a_prevalence_measures_that_depend_on_it_have_no_limits(masses):
    frame = masses.operating_points(threshold=20, interval="dkw").set_index("quantity")
    dependent = list(filter(depends_on_prevalence, MEASURES))
    lacking = frame.loc[dependent]
    assert lacking["estimate"].notna().all()
    assert lacking[["se", *LIMITS]].isna().all(axis=None)
    assert (lacking["note"] == "limits-need-prevalence; study-prevalence").all()
    assert frame.drop(index=dependent)[LIMITS].notna().all(axis=None)


def test_clusters_are_refused_and_weights_leave_the_estimate():
    clustered = rs.Study(examples.Y, examples.D1, cluster=examples.D1_CLUSTERS)
    with pytest.raises(rs.InputError, match=r"`interval` must not be 'dkw' .* clusters"):
        clustered.operating_points(threshold=0.6, interval="dkw")
    weighted = rs.Study(examples.Y, examples.D1, sample_weight=np.linspace(1, 2, 18))
    frame = weighted.operating_points(threshold=0.6, interval="dkw")
    assert frame[["se", *LIMITS]].isna().all(axis=None)
    assert set(frame["note"]) == {"weights-need-bootstrap"}


def test_empty_cells_leave_one_limit_of_a_ratio():
    perfect = rs.Study.from_confusion(tp=5, fn=0, fp=0, tn=7)
    frame = perfect.operating_points(interval="dkw", quantities=["lr_positive", "odds_ratio"])
    assert np.isinf(frame[["estimate", "ci_high"]]).all(axis=None)
    # 0.662 and 0.559 are sqrt(ln(80)/10) and sqrt(ln(80)/14): (1 - .662)/.559, and of odds.
    assert frame["ci_low"].tolist() == pytest.approx([0.604, 0.402], abs=2e-3)
    assert frame["se"].isna().all()
    assert set(frame["note"]) == {"empty-cell"}


def test_the_methods_paragraph_names_the_inequality(masses):
    table = rs.format_table(masses.operating_points(threshold=20, interval="dkw"))
    text = " ".join(table.attrs["rocstats"]["footnotes"])
    assert "by the inequality of Dvoretzky, Kiefer and Wolfowitz" in text
