"""Subgroups and their test of interaction: docs/subgroups.md."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.oneway import anova_oneway

import rocstats as rs
from rocstats.facts.measures import FISHER, IDENTITY, LOG, LOGIT, equal_on_scale
from rocstats.tables.wording import method_sentences

RNG = np.random.default_rng(20040316)
N = 240
Y = np.arange(N) % 2
DATA = pd.DataFrame({
    "sex": np.repeat(["F", "M"], N // 2),
    "age": pd.Categorical(np.tile(["old", "young", "mid"], 80), ["young", "mid", "old"]),
})  # fmt: skip
MARKERS = RNG.normal(size=(2, N)) + Y
RISKS = dict(zip("ab", 1 / (1 + np.exp(0.5 - MARKERS)), strict=True))
STUDY = rs.Study(Y, RISKS)


def test_the_statistic_is_cochrans_on_the_scale_without_degrees_of_freedom():
    d, se, known = np.array([0.05, 0.12, -0.02]), np.array([0.03, 0.05, 0.04]), np.full(3, np.inf)
    found = equal_on_scale(IDENTITY, d, se, known)
    assert [*found] == [pytest.approx(4.906371912 / 2), 2, np.inf, pytest.approx(0.086019096)]
    # One level, or one at an end of its scale, or without an error, has no test.
    for scale, values, errors in (
        (IDENTITY, d[:1], se[:1]),
        (LOGIT, np.array([0.8, 1.0]), se[:2]),
        (LOG, np.array([0.0, 2.0]), se[:2]),
        (IDENTITY, d, np.array([0.03, 0.0, 0.04])),
        (IDENTITY, d, np.array([0.03, np.nan, 0.04])),
    ):
        test = equal_on_scale(scale, values, errors, known[: len(values)])
        assert np.isnan([test.statistic, test.df, test.p_value]).all()
        assert test.df_numerator == len(values) - 1


def test_welchs_statistic_is_that_of_scipy_and_statsmodels():
    rng = np.random.default_rng(7)
    samples = [rng.normal(scale=s, size=n) for s, n in ((1, 8), (3, 20), (2, 13))]
    mean = np.array([x.mean() for x in samples])
    se = np.array([x.std(ddof=1) / np.sqrt(len(x)) for x in samples])
    df = np.array([len(x) - 1.0 for x in samples])
    found = equal_on_scale(IDENTITY, mean, se, df)
    known = anova_oneway(samples, use_var="unequal")
    assert found.statistic == pytest.approx(known.statistic, rel=1e-12)
    assert found.df == pytest.approx(known.df_denom, rel=1e-12)
    assert found.p_value == pytest.approx(known.pvalue, rel=1e-10)
    # Of two it is Welch's t test.
    two = equal_on_scale(IDENTITY, mean[:2], se[:2], df[:2])
    t = stats.ttest_ind(*samples[:2], equal_var=False)
    assert (two.df, two.p_value) == (pytest.approx(t.df), pytest.approx(t.pvalue))


@pytest.mark.parametrize("quantity", ["youden", "balanced_accuracy", "mcc"])
def test_tables_have_their_variance_with_a_half_added_and_its_degrees_of_freedom(quantity):
    by, threshold = DATA["age"].to_numpy(), 0.45
    found = STUDY.subgroups({"age": by}, quantity=quantity, threshold=threshold)
    rows = []
    for level in ("young", "mid", "old"):
        y, called = Y[by == level], RISKS["a"][by == level] >= threshold
        n = np.array([y.sum(), (1 - y).sum(), len(y)])
        share = (np.array([called[y == 1].sum(), called[y == 0].sum(), n[0]]) + 0.5) / (n + 1)
        rates = called[y == 1].mean(), called[y == 0].mean()
        estimate = _of_shares(quantity, *rates, y.mean())
        slope = _slopes(quantity, share)
        scale = {"youden": IDENTITY, "balanced_accuracy": LOGIT, "mcc": FISHER}[quantity]
        parts = slope**2 * share * (1 - share) / n
        with np.errstate(divide="ignore"):
            df = np.minimum(2 * n * share * (1 - share) / (1 - 2 * share) ** 2, n - 1)
        rows.append((estimate, np.sqrt(parts.sum()), parts.sum() ** 2 / (parts**2 / df).sum()))
    test = equal_on_scale(scale, *np.array(rows).T)
    row = found[found["predictor"] == "a"].iloc[1]
    assert row["statistic"] == pytest.approx(test.statistic, rel=1e-8)
    assert row["df"] == pytest.approx(test.df, rel=1e-6)
    assert row["method"] == "binomial/welch"


def _of_shares(quantity, t, f, p):
    if quantity == "mcc":
        a, b, c, d = p * t, p * (1 - t), (1 - p) * f, (1 - p) * (1 - f)
        return (a * d - b * c) / np.sqrt((a + c) * p * (b + d) * (1 - p))
    return (t - f) if quantity == "youden" else (1 + t - f) / 2


def _slopes(quantity, share):
    step = 1e-6 * np.eye(3)
    return np.array([
        (_of_shares(quantity, *(share + h)) - _of_shares(quantity, *(share - h))) / 2e-6
        for h in step
    ])  # fmt: skip


def test_rows_are_all_cases_then_each_variable_and_its_levels():
    found = STUDY.subgroups(["sex", "age"], data=DATA)
    one = found[found["predictor"] == "a"]
    assert list(zip(one["variable"], one["level"], strict=True)) == [
        ("", "all"), ("sex", "all"), ("sex", "F"), ("sex", "M"),
        ("age", "all"), ("age", "young"), ("age", "mid"), ("age", "old"),
    ]  # fmt: skip
    known = STUDY.auc()
    assert one["estimate"].iloc[0] == known["estimate"].iloc[0]
    of_f = rs.Study(Y[:120], {"a": RISKS["a"][:120]}).auc().iloc[0]
    for name in ("estimate", "se", "ci_low", "ci_high", "n_pos", "n_neg", "method"):
        assert one[name].iloc[2] == of_f[name]
    # The test is that of equal areas of groups.
    grouped = rs.Study(Y, RISKS, group=DATA["sex"]).test_equal_groups()
    tests = found[(found["variable"] == "sex") & (found["level"] == "all")]
    for name in ("statistic", "df_numerator", "df", "p_value"):
        assert tests[name].to_numpy() == pytest.approx(grouped[name].to_numpy(), rel=1e-12)
    # No level has a p value of its own, and Holm's family is the variables of a predictor.
    is_test = (found["variable"] != "") & (found["level"] == "all")
    assert found.loc[~is_test, ["p_value", "p_adjusted", "statistic"]].isna().all(axis=None)
    p = np.sort(one["p_value"].dropna())
    assert np.sort(one["p_adjusted"].dropna()) == pytest.approx(
        np.minimum(np.maximum.accumulate(p * [2, 1]), 1)
    )


@pytest.mark.parametrize(
    ("options", "question", "asked", "scale"),
    [
        ({"quantity": "tpr", "threshold": 0.5}, "operating_points",
         {"threshold": 0.5, "quantities": ["tpr"]}, LOGIT),
        ({"quantity": "lr+", "threshold": {"a": 0.4, "b": 0.6}}, "operating_points",
         {"threshold": {"a": 0.4, "b": 0.6}, "quantities": ["lr_positive"]}, LOG),
        ({"quantity": "calibration_slope"}, "calibration", {}, IDENTITY),
        ({"reference": "b"}, "compare_auc", {"reference": "b"}, IDENTITY),
        ({"quantity": "tnr", "threshold": 0.5, "reference": "b"}, "compare_operating_points",
         {"threshold": 0.5, "reference": "b", "quantities": ["tnr"]}, IDENTITY),
        ({"quantity": "brier_score", "reference": "b"}, "compare_probability_scores",
         {"reference": "b", "quantity": "brier_score"}, IDENTITY),
    ],
)  # fmt: skip
def test_estimates_are_those_of_the_question(options, question, asked, scale):
    found = STUDY.subgroups(DATA[["sex"]], **options, confidence_level=0.9)
    parts = [slice(None), slice(0, 120), slice(120, N)]
    answers = []
    for part in parts:
        study = rs.Study(Y[part], {name: risk[part] for name, risk in RISKS.items()})
        answers.append(getattr(study, question)(**asked, confidence_level=0.9))
    quantity = found["quantity"].iloc[0]
    answers = [frame[frame["quantity"] == quantity] for frame in answers]
    rows = found[found["predictor"] == "a"].iloc[[0, 2, 3]]
    for name in ("estimate", "se", "ci_low", "ci_high", "n_pos"):
        assert rows[name].tolist() == [frame[name].iloc[0] for frame in answers], name
    a, se = rows["estimate"].to_numpy()[1:], rows["se"].to_numpy()[1:]
    h, error = scale.forward(a), se * scale.slope(a)
    z = np.diff(h)[0] / np.sqrt((error**2).sum())
    test = found.iloc[1]
    assert test["statistic"] == pytest.approx(z**2, rel=1e-9)
    assert test["df_numerator"] == 1
    assert np.isfinite(test["df"]) == (question in {"compare_auc", "compare_probability_scores"})
    assert test["p_value"] == pytest.approx(2 * stats.t.sf(abs(z), test["df"]), rel=1e-9)


def test_small_levels_and_unknown_ones_are_out_of_the_test_and_said_to_be():
    site = np.where(np.arange(N) < 12, "small", np.where(np.arange(N) < 120, "x", "y")).astype(
        object
    )
    site[[50, 51, 52]] = None
    with pytest.warns(rs.StatisticalWarning) as caught:
        found = STUDY.subgroups({"site": site})
    codes = [str(warning.message).partition(":")[0] for warning in caught]
    assert sorted(codes) == sorted(set(codes))
    assert "small-level" in codes
    rows = found[found["predictor"] == "a"].set_index("level")
    test = rows[rows["variable"] == "site"].loc["all"]
    assert test["df_numerator"] == 1
    assert "level-unknown=3" in test["note"]
    assert "small-level" in test["note"]
    assert "small-level" in rows.loc["small", "note"]
    assert test["n_pos"] + test["n_neg"] == N - 3
    only = rs.Study(Y, RISKS["a"]).subgroups({"sex": np.repeat("F", N)})
    assert np.isnan(only["p_value"].iloc[1])


def test_a_level_at_the_boundary_leaves_no_test():
    score = np.where(np.arange(80) < 40, Y[:80] * 5 + np.arange(80) / 100, RISKS["a"][:80])
    with pytest.warns(rs.StatisticalWarning, match="level-at-boundary"):
        found = rs.Study(Y[:80], score).subgroups({"half": np.repeat(["one", "two"], 40)})
    assert found["estimate"].iloc[2] == 1
    assert np.isnan(found["p_value"].iloc[1])
    assert found["method"].iloc[1] == "none/none"


REFUSED = {
    "no column": ({"by": "site", "data": DATA}, "`by` must name one column of `data`; got 'site'"),
    "no data": ({"by": "sex"}, "`by` must be an array unless `data` is given"),
    "nothing": ({"by": []}, r"`by` must name at least one variable; got \[\]"),
    "rows": ({"by": ["F"] * 10}, "for each of the 240 rows of the study; got 10"),
    "levels": ({"by": np.arange(N)}, "at most 30 levels for each variable; got 240"),
    "word": ({"by": "sex", "data": DATA, "quantity": "gini"}, "`quantity` must be one of 'auc'"),
    "threshold": ({"by": "sex", "data": DATA, "quantity": "tpr"}, "`threshold` must be given"),
    "no threshold": ({"by": "sex", "data": DATA, "threshold": 0.5}, "`threshold` must stay None"),
    "reference": (
        {"by": "sex", "data": DATA, "reference": "c"},
        "`reference` must be one of 'a', 'b'",
    ),
    "ratio": (
        {"by": "sex", "data": DATA, "reference": "b", "quantity": "lr_positive", "threshold": 0.5},
        "`quantity` must be one of 'auc'",
    ),
    "adjust": ({"by": "sex", "data": DATA, "adjust": "fdr"}, "`adjust` must be one of"),
}


def test_what_cannot_be_asked_is_refused_by_name():
    for name, (options, words) in REFUSED.items():
        with pytest.raises(rs.InputError) as caught:
            STUDY.subgroups(**options)
        assert re.search(words, str(caught.value)), name
    with pytest.raises(rs.InputError, match="`group` must not be in a study"):
        rs.Study(Y, RISKS, group=DATA["sex"]).subgroups("sex", data=DATA)
    spanning = rs.Study(Y, RISKS, cluster=np.arange(N) % 60)
    with pytest.raises(rs.InputError, match="`cluster` must not span groups"):
        spanning.subgroups("sex", data=DATA)
    with pytest.raises(rs.InputError, match="`reference` must be one of two or more predictors"):
        rs.Study(Y, RISKS["a"], predictor="a").subgroups("sex", data=DATA, reference="a")
    gaps = rs.Study(Y, np.where(np.arange(N) < 5, np.nan, RISKS["a"]), nan_policy="omit")
    with pytest.raises(rs.InputError, match=r"235 rows of the study \(of 240; the others were"):
        gaps.subgroups("sex", data=DATA)


def test_tables_and_figures_show_the_test_beside_the_variable():
    found = STUDY.subgroups(["sex", "age"], data=DATA, reference="b")
    table = rs.format_table(found)
    assert table["Level"].tolist() == ["all", "all", "F", "M", "all", "young", "mid", "old"]
    assert table["P value"].eq("").tolist() == [True, False, True, True, False, True, True, True]
    assert table.filter(like="95% CI").iloc[1, 0] == ""
    ax = rs.plot_forest(found)
    words = [text.get_text() for text in ax.texts]
    for word in ("All cases", "sex", "F", "M", "age", "young", "P for interaction"):
        assert word in words
    assert ax.get_xlabel() == "Difference in AUC"
    dotted = [line for line in ax.lines if line.get_linestyle() == ":"]
    assert 0 in [line.get_xdata()[0] for line in dotted]
    texts = [sentence.text for sentence in method_sentences(found)]
    assert "P values are for Welch's F tests of interaction." in texts
    assert any("allow for the 2 comparisons by the method of Holm" in text for text in texts)
    shares = STUDY.subgroups("sex", data=DATA, quantity="tpr", threshold=0.5)
    texts = [sentence.text for sentence in method_sentences(shares)]
    assert "P values are for chi-square tests of interaction (Cochran's Q)." in texts


def test_a_doubt_is_warned_of_once():
    few = slice(0, 28)
    study = rs.Study(Y[few], {"a": RISKS["a"][few]})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        study.subgroups({"half": np.repeat(["one", "two"], 14)})
    messages = [str(warning.message) for warning in caught]
    assert len(messages) == len(set(messages))
    assert all(warning.filename == __file__ for warning in caught)
