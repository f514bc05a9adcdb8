"""Pooled answers of imputed data sets: docs/methods/imputation.md, "Rubin's rules"."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy import special, stats

import rocstats as rs
from rocstats.estimate.pooling import ImputedAnswers, PooledNearEnd, pool_answers
from rocstats.facts.measures import SCALES, range_of
from rocstats.tables.wording import method_sentences


@pytest.fixture(scope="module")
def imputed():
    """Five data sets of 60 cases: one in four scores of "a" drawn anew, those of "b" known."""
    rng = np.random.default_rng(20040316)
    y = np.repeat([1, 0], 30)
    known = np.round(rng.normal(size=(2, 60)) + y, 1)
    drawn = rng.random(60) < 0.25
    sets = [np.where(drawn, np.round(rng.normal(size=60) + y, 1), known[0]) for _ in range(5)]
    return y, [{"a": a, "b": known[1]} for a in sets]


@pytest.fixture(scope="module")
def plain(imputed):
    y, sets = imputed
    return [rs.Study(y, scores) for scores in sets]


@pytest.fixture(scope="module")
def clustered(imputed):
    y, sets = imputed
    return [rs.Study(y, scores, cluster=np.arange(60) // 2) for scores in sets]


def by_hand(q, u, nu, level=0.95):
    """Rubin's rules in the notation of Barnard and Rubin, one value at a time."""
    m, between = len(q), np.var(q, ddof=1)
    total = np.mean(u) + (1 + 1 / m) * between
    lost = (1 + 1 / m) * between / total
    observed = (nu + 1) / (nu + 3) * nu * (1 - lost)
    df = 1 / (lost**2 / (m - 1) + 1 / observed)
    half = stats.t.ppf((1 + level) / 2, df) * np.sqrt(total)
    return np.mean(q), np.sqrt(total), df, np.mean(q) - half, np.mean(q) + half


def test_areas_are_pooled_on_the_logit_scale(plain):
    frames = [study.auc() for study in plain]
    found = rs.pool_imputations(frames, confidence_level=0.9).iloc[0]
    a = np.array([frame["estimate"].iloc[0] for frame in frames])
    se = np.array([frame["se"].iloc[0] for frame in frames])
    q, root, df, low, high = by_hand(np.log(a / (1 - a)), (se / (a * (1 - a))) ** 2, 59, 0.9)
    pooled = 1 / (1 + np.exp(-q))
    assert found["estimate"] == pytest.approx(pooled, rel=1e-12)
    assert found["se"] == pytest.approx(root * pooled * (1 - pooled), rel=1e-12)
    assert found["df"] == pytest.approx(df, rel=1e-12)
    assert found["ci_low"] == pytest.approx(1 / (1 + np.exp(-low)), rel=1e-10)
    assert found["ci_high"] == pytest.approx(1 / (1 + np.exp(-high)), rel=1e-10)
    assert found["n_imputations"] == 5
    assert found["method"] == "delong/logit/rubin"
    assert found["confidence_level"] == 0.9


def test_a_row_that_is_the_same_in_all_data_sets_is_the_answer(plain):
    for ask in (
        lambda s: s.auc(null_value=0.6),
        lambda s: s.compare_auc(),
        lambda s: s.operating_points(threshold=0.5, quantities=["tpr", "lr_positive", "youden"]),
        lambda s: s.compare_costs(threshold=0.5, cost_fp=1, cost_fn=1),
    ):
        own = ask(plain[0])
        found = rs.pool_imputations([own] * 5)
        for name in own:
            assert found[name].equals(own[name]), name
        assert found["fraction_missing"].eq(0).all()
        expected = own["df"].fillna(np.inf) if "df" in own else np.full(len(own), np.inf)
        assert np.array_equal(found["df"], expected)
    # Beside a predictor whose values were imputed, too: "b" was not.
    frames = [study.auc() for study in plain]
    found, own = rs.pool_imputations(frames).iloc[1], frames[0].iloc[1]
    for name in ("estimate", "se", "ci_low", "ci_high", "method"):
        assert found[name] == own[name], name
    # Another level needs limits of its own.
    other = rs.pool_imputations(
        [plain[0].compare_auc()] * 5, df_complete=np.inf, confidence_level=0.9
    ).iloc[0]
    own = plain[0].compare_auc().iloc[0]
    assert other["ci_low"] == pytest.approx(own["estimate"] - stats.norm.ppf(0.95) * own["se"])


def test_degrees_of_freedom_are_of_the_cases_of_the_quantity(clustered, plain):
    asked = {"threshold": 0.5, "quantities": ["tpr", "tnr", "lr_positive", "youden"]}
    cases = {"tpr": 29, "tnr": 29, "lr_positive": 59, "youden": 59}
    clusters = {"tpr": 14, "tnr": 14, "lr_positive": 29, "youden": 29}
    for some, complete in ((plain, cases), (clustered, clusters)):
        frames = [study.operating_points(**asked) for study in some]
        rows = rs.pool_imputations(frames).query("predictor == 'a'")
        for k, row in rows.iterrows():
            scale = SCALES[
                "log"
                if row["quantity"] == "lr_positive"
                else "wald"
                if row["quantity"] == "youden"
                else "logit"
            ]
            at, se = (
                np.array([frame[name].iloc[k] for frame in frames]) for name in ("estimate", "se")
            )
            nu = complete[row["quantity"]]
            expected = by_hand(scale.forward(at), (se * scale.slope(at)) ** 2, nu)[2]
            assert row["df"] == pytest.approx(expected), row["quantity"]
    # Degrees of freedom of the frames go before: the least of them.
    own = [study.auc(null_value=0.5) for study in plain]
    least = min(frame["df"].iloc[0] for frame in own)
    at, se = (np.array([frame[name].iloc[0] for frame in own]) for name in ("estimate", "se"))
    expected = by_hand(special.logit(at), (se / (at * (1 - at))) ** 2, least)[2]
    assert rs.pool_imputations(own)["df"].iloc[0] == pytest.approx(expected)


def test_clusters_are_asked_for_where_a_file_has_lost_their_number(clustered):
    frames = []
    for study in clustered:
        file = io.StringIO(study.auc().to_csv(index=False))
        frames.append(rs.read_csv(file))
    with pytest.raises(
        rs.InputError, match="`df_complete` must be given if the frames lack the number of clusters"
    ):
        rs.pool_imputations(frames)
    found = rs.pool_imputations(frames, df_complete=29)
    assert found.equals(rs.pool_imputations([study.auc() for study in clustered]))


def test_points_of_another_given_rate_are_not_pooled_though_the_curve_is_flat():
    # Two thirds of the positives are above all negatives: TPR 2/3 at every FPR.
    y = np.repeat([1, 0, 1], [20, 30, 10])
    studies = [rs.Study(y, -np.arange(60.0) + shift) for shift in (0, 1)]
    frames = [
        study.operating_points(fpr=fpr, rng=1)
        for study, fpr in zip(studies, (0.11, 0.22), strict=True)
    ]
    assert frames[0]["tpr"].tolist() == frames[1]["tpr"].tolist()
    with pytest.raises(rs.InputError, match="have the same operating points; got different fpr"):
        rs.pool_imputations(frames)
    same = [study.operating_points(fpr=0.11, rng=1) for study in studies]
    assert rs.pool_imputations(same)["fpr"].eq(0.11).all()


def test_tests_are_of_the_pooled_estimate_on_its_scale(plain):
    areas = rs.pool_imputations([s.auc(null_value=0.6, alternative="greater") for s in plain])
    row = areas.iloc[0]
    logit = np.log(row["estimate"] / (1 - row["estimate"]))
    root = row["se"] / (row["estimate"] * (1 - row["estimate"]))
    t = (logit - np.log(0.6 / 0.4)) / root
    assert row["statistic"] == pytest.approx(t, rel=1e-10)
    assert row["p_value"] == pytest.approx(stats.t.sf(t, row["df"]), rel=1e-8)
    assert row["ci_high"] == 1
    low = logit - stats.t.ppf(0.95, row["df"]) * root
    assert row["ci_low"] == pytest.approx(1 / (1 + np.exp(-low)), rel=1e-8)

    margin = rs.pool_imputations(
        [s.compare_auc(hypothesis="equivalence", margin=0.2) for s in plain]
    ).iloc[0]
    sides = [
        stats.t.sf((margin["estimate"] + 0.2) / margin["se"], margin["df"]),
        stats.t.cdf((margin["estimate"] - 0.2) / margin["se"], margin["df"]),
    ]
    assert margin["p_value"] == pytest.approx(max(sides), rel=1e-8)
    costs = {"threshold": 0.5, "cost_fp": 1, "cost_fn": 1, "hypothesis": "superiority"}
    cost = rs.pool_imputations([s.compare_costs(**costs) for s in plain]).iloc[0]
    # Less is better.
    t = cost["estimate"] / cost["se"]
    assert cost["p_value"] == pytest.approx(stats.t.cdf(t, cost["df"]), rel=1e-8)
    # From the last data set too, whose statistic is between 0 and 1.
    last = [s.compare_costs(**costs) for s in plain[::-1]]
    assert 0 < last[0]["statistic"][0] < 1
    assert rs.pool_imputations(last)["p_value"][0] == pytest.approx(cost["p_value"], rel=1e-12)


def test_p_values_are_adjusted_after_they_were_pooled():
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], 20)
    scores = {name: rng.normal(size=40) + y for name in "abc"}
    sets = [{**scores, "a": scores["a"] + rng.normal(0, 0.3, 40)} for _ in range(5)]
    found = rs.pool_imputations([rs.Study(y, one).compare_auc() for one in sets])
    p = np.sort(found["p_value"])
    holm = np.minimum(np.maximum.accumulate(p * [3, 2, 1]), 1)
    assert np.sort(found["p_adjusted"]) == pytest.approx(holm)
    assert found["note"].str.contains("adjusted=holm").all()


# --- Near an end of the range ---------------------------------------------------------------------


def lott_reiter(p, n, t_of, nu=np.inf):
    """The limits as printed by Lott and Reiter (2020), with n of each data set or of all."""
    m, u = len(p), p * (1 - p) / n
    q, r = p.mean(), (1 + 1 / m) * np.var(p, ddof=1) / u.mean()
    df = (m - 1) * (1 + 1 / r) ** 2
    t2 = t_of(df) ** 2 * np.mean(1 / np.broadcast_to(n, m)) * (1 + r)
    centre, root = (2 * q + t2) / (2 * (1 + t2)), (2 * q + t2) ** 2 / (4 * (1 + t2) ** 2)
    half = np.sqrt(root - q**2 / (1 + t2))
    return q, np.sqrt(u.mean() * (1 + r)), df, centre - half, centre + half


def rates(counts, size, **asked):
    """Answers about a sensitivity of ``size`` positives, ``counts`` of them above 0.5."""
    studies = [
        rs.Study([1] * size + [0] * 12, [1.0] * k + [0.0] * (size - k) + [0.0] * 8 + [1.0] * 4)
        for k in counts
    ]
    return [s.operating_points(threshold=0.5, quantities=["tpr"], **asked) for s in studies]


def test_proportions_near_an_end_are_pooled_by_lott_and_reiter():
    p = np.array([8, 7, 8, 8, 6]) / 8
    with pytest.warns(rs.StatisticalWarning, match="boundary-imputation"):
        found = rs.pool_imputations(rates([8, 7, 8, 8, 6], 8)).iloc[0]
    expected = lott_reiter(p, 8, lambda df: stats.t.ppf(0.975, df))
    numbers = found[["estimate", "se", "df", "ci_low", "ci_high"]].astype(float)
    assert numbers.tolist() == pytest.approx(expected, rel=1e-9)
    assert found["method"] == "binomial/wilson-effective-n/lott-reiter"
    # A single case away from the end, in one data set, is near it; two are not.
    q = special.logit(np.array([9, 8, 8, 7, 8]) / 10)
    near = rs.pool_imputations(rates([9, 8, 8, 7, 8], 10)).iloc[0]
    assert near["estimate"] == pytest.approx(special.expit(q.mean()))
    assert near["method"].endswith("lott-reiter")
    inside = rs.pool_imputations(rates([8, 8, 8, 7, 6], 10)).iloc[0]
    assert inside["method"] == "binomial/logit/rubin"
    assert "boundary-imputation" not in inside["note"]


def test_limits_near_an_end_are_those_of_another_program():
    # The R package MIWilson 1.0.1 prints them for phats = c(0.2, 0.23, 0.22), n = 10. Its "95%"
    # limits take the quantile .95 of t, which is that of two-sided 90% limits.
    p, z2 = np.array([0.2, 0.23, 0.22]), stats.norm.ppf(0.95) ** 2
    half = np.sqrt(z2 * p * (1 - p) / 10 + z2**2 / 400)
    low, high = ((p + z2 / 20 + side * half) / (1 + z2 / 10) for side in (-1, 1))
    answers = ImputedAnswers(p, np.zeros(3), low, high, np.sqrt(z2))
    pooled = pool_answers(answers, SCALES["logit"], (0.0, 1.0), 9.0)
    assert pooled.df == pytest.approx(6161.29288265307, rel=1e-9)
    t = stats.t.ppf(0.95, pooled.df)
    assert pooled.limit(-t) == pytest.approx(0.07684304, abs=5e-9)
    assert pooled.limit(t) == pytest.approx(0.47892199, abs=5e-9)


def test_what_is_at_an_end_in_every_data_set_stays_there():
    own = rates([8] * 5, 8)
    found = rs.pool_imputations(own).iloc[0]
    for name in ("estimate", "se", "ci_low", "ci_high"):
        assert found[name] == own[0][name].iloc[0], name
    assert found["estimate"] == 1
    # At another level: Wilson's limits at that level.
    at_90 = rs.pool_imputations(own, confidence_level=0.9).iloc[0]
    assert at_90["ci_low"] == pytest.approx(rates([8], 8, confidence_level=0.9)[0]["ci_low"][0])
    assert (at_90["estimate"], at_90["ci_high"], at_90["se"]) == (1, 1, 0)
    low = rs.pool_imputations(rates([0] * 5, 8), confidence_level=0.9).iloc[0]
    assert (low["estimate"], low["ci_low"]) == (0, 0)
    assert low["ci_high"] == pytest.approx(1 - at_90["ci_low"])


def test_areas_at_an_end_have_an_effective_number_of_cases():
    y = [1] * 6 + [0] * 7
    sets = [[3, 4, 5, 6, 7, 8, 1, 2, 0, 1, 2, 1, at] for at in (0, 4, 5, 6, 2)]
    frames = [rs.Study(y, one).auc() for one in sets]
    assert frames[0]["estimate"].iloc[0] == 1
    with pytest.warns(rs.StatisticalWarning, match="boundary-imputation"):
        found = rs.pool_imputations(frames).iloc[0]
    a, se, low = (
        np.array([frame[name].iloc[0] for frame in frames]) for name in ("estimate", "se", "ci_low")
    )
    # Of each data set the lesser size: of its lower limit, and of its standard error.
    z = stats.norm.ppf(0.975)
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes = np.fmin(z**2 * low * (1 - low) / (a - low) ** 2, a * (1 - a) / se**2)
    expected = lott_reiter(a, sizes, lambda df: stats.t.ppf(0.975, df))
    numbers = found[["estimate", "se", "df", "ci_low", "ci_high"]].astype(float)
    assert numbers.tolist() == pytest.approx(expected, rel=1e-9)
    assert found["method"] == "delong/wilson-effective-n/lott-reiter-effective-n"
    text = [str(sentence.text) for sentence in method_sentences(found.to_frame().T.infer_objects())]
    assert any("Lott and Reiter" in one and "not peer-reviewed" in one for one in text)


def test_one_case_in_a_class_and_no_standard_error_divide_nothing():
    # One positive: areas without a standard error, sensitivities of 0 and 1.
    sets = [[at, 1, 2, 3, 4, 5, 6] for at in (9, 5.5, 4.5, 0, 3.5)]
    studies = [rs.Study([1, 0, 0, 0, 0, 0, 0], one) for one in sets]
    area = rs.pool_imputations([s.auc() for s in studies]).iloc[0]
    assert 0 < area["ci_low"] < area["estimate"] < area["ci_high"] < 1
    points = rs.pool_imputations(
        [s.operating_points(threshold=3.7, quantities=["tpr", "tnr", "youden"]) for s in studies]
    )
    assert points["ci_low"][0] == 0  # 1, 1, 1, 0, 0 of one case each: nothing is known
    assert points["ci_high"][0] == 1
    assert points["estimate"].tolist() == pytest.approx([0.6, 0.5, 0.1])
    assert points["ci_low"].between(-1, 1).all()
    # No better than chance in every data set: infinite numbers needed to diagnose.
    never = np.full(3, np.inf)
    answers = ImputedAnswers(never, np.full(3, 0.2), np.array([3.0, 4.0, 5.0]), never, 1.96)
    needed = pool_answers(answers, SCALES["reciprocal"], (1.0, np.inf), 20.0)
    assert needed.estimate == np.inf
    assert np.isnan(needed.se)
    # A standard error of 0 in every data set, in the middle of the range.
    y = [1] * 6 + [0] * 6
    moved = [rs.Study(y, [3.0] * k + [0.0] * (6 - k) + [3.0] * k + [0.0] * (6 - k))
             for k in (6, 0, 6)]  # fmt: skip
    found = rs.pool_imputations(
        [s.operating_points(threshold=1, quantities=["youden", "lr_positive"]) for s in moved]
    )
    assert found["estimate"].iloc[0] == 0
    assert -1 < found["ci_low"].iloc[0] < 0 < found["ci_high"].iloc[0] < 1


def test_the_test_near_an_end_inverts_its_limits():
    y = [1] * 10 + [0] * 30
    rng = np.random.default_rng(3)
    sets = [[*rng.normal(3.2, 1, 10), *rng.normal(size=30)] for _ in range(5)]
    sets[0][:10] = [9.0] * 10
    for side in ("two-sided", "greater", "less"):
        frames = [rs.Study(y, one).auc(null_value=0.7, alternative=side) for one in sets]
        found = rs.pool_imputations(frames).iloc[0]
        assert found["method"].endswith("lott-reiter-effective-n"), side
        limit = found["ci_high" if side == "less" else "ci_low"]
        frames = [rs.Study(y, one).auc(null_value=limit, alternative=side) for one in sets]
        at_limit = rs.pool_imputations(frames).iloc[0]
        assert at_limit["p_value"] == pytest.approx(0.05), side
        if side != "two-sided":
            assert found["ci_low" if side == "less" else "ci_high"] == (side == "greater")


# --- The range of each quantity -------------------------------------------------------------------


MEASURES_OF_ONE_TABLE = [
    "tpr", "tnr", "fpr", "fnr", "ppv", "npv", "lr_positive", "lr_negative", "odds_ratio",
    "accuracy", "balanced_accuracy", "youden", "f1", "mcc", "kappa", "false_discovery",
    "false_omission", "number_needed_to_diagnose", "f_beta",
]  # fmt: skip
ASKED = {
    "areas": lambda s: s.auc(null_value=0.5),
    "effective": lambda s: s.auc(interval="effective-wilson"),
    "resampled": lambda s: s.auc(variance="bootstrap", n_resamples=100, rng=1),
    "one-sided": lambda s: s.auc(null_value=0.5, alternative="greater"),
    "partial": lambda s: s.auc(fpr_range=(0, 0.2)),
    "partial, sensitive": lambda s: s.auc(tpr_range=(0.8, 1)),
    "differences": lambda s: s.compare_auc(),
    "partial differences": lambda s: s.compare_auc(fpr_range=(0, 0.2)),
    "measures": lambda s: s.operating_points(
        threshold=0.7, quantities=MEASURES_OF_ONE_TABLE, sampling="cohort"
    ),
    "elsewhere": lambda s: s.operating_points(
        threshold=0.7, quantities=MEASURES_OF_ONE_TABLE, prevalence=0.1, interval="clopper-pearson"
    ),
    "prevalence": lambda s: s.operating_points(
        threshold=0.7, quantities=["true_prevalence"], apparent_prevalence=(9, 50)
    ),
    "at a rate": lambda s: s.operating_points(
        fpr=[0.1, 0.3], quantities=["tpr", "tnr", "youden", "number_needed_to_diagnose"], rng=1
    ),
    "compared": lambda s: s.compare_operating_points(threshold=0.7),
    "net benefit": lambda s: s.net_benefit(risk_threshold=[0.2, 0.7]),
    "net benefits": lambda s: s.compare_net_benefit(risk_threshold=0.2),
    "mean": lambda s: s.mean_net_benefit(risk_threshold=(0.1, 0.5)),
    "scores": lambda s: s.probability_scores(),
    "score differences": lambda s: s.compare_probability_scores(),
    "zone": lambda s: s.grey_zone(thresholds=(0.3, 0.8)),
    "bands": lambda s: s.band_likelihood_ratios(edges=[0, 0.5, 1]),
    "precision": lambda s: s.average_precision(),
    "precisions": lambda s: s.compare_average_precision(),
    "costs": lambda s: s.compare_costs(threshold=0.7, cost_fp=1, cost_fn=1),
    "subgroups": lambda s: s.subgroups(by=np.tile(["u", "v"], 20)),
}
SURVIVAL = {
    "survival areas": lambda s: s.auc(time=[0.5, 1.0]),
    "concordance": lambda s: s.concordance(method="harrell"),
    "survival points": lambda s: s.operating_points(threshold=0.7, time=1.0),
}


def imputed_sets(distance, seed):
    """Risks by two tests of 40 patients, 8 of them positive, in five data sets."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [8, 32])
    known = rng.normal(size=40) + 1.5 * y
    for k in range(5):
        a = rng.normal(size=40) + y * distance * (1 if k % 2 else 0.6)
        yield y, {n: special.expit(x - 2) for n, x in (("a", a), ("b", known))}


@pytest.mark.parametrize("distance", [1.0, 5.0, 12.0])
def test_pooled_answers_are_in_the_range_of_their_quantity(distance):
    sets = list(imputed_sets(distance, 3))
    rng = np.random.default_rng(4)
    time, event = rng.exponential(size=40), rng.random(40) < 0.7
    studies = [rs.Study(y, scores) for y, scores in sets]
    survival = [rs.SurvivalStudy(time * (1.1 - x["b"]), event, x) for _, x in sets]
    seen = set()
    for of, asked in ((studies, ASKED), (survival, SURVIVAL)):
        for name, ask in asked.items():
            frames = [ask(study) for study in of]
            frames = [
                frame[frame["estimate"].notna() | frame.get("p_value", frame["estimate"]).isna()]
                for frame in frames
            ]
            found = rs.pool_imputations(frames)
            estimates = np.stack([frame["estimate"] for frame in frames])
            for k, row in found.iterrows():
                least, most = range_of(row["quantity"])
                at, what = estimates[:, k], f"{name}: {row['quantity']}"
                if np.isnan(at).any():
                    assert np.isnan(row["estimate"]), what
                    continue
                seen.add(row["quantity"])
                assert at.min() <= row["estimate"] <= at.max(), what
                if not np.isnan(row["ci_low"]):
                    assert least <= row["ci_low"] <= row["estimate"] <= row["ci_high"] <= most, what
    assert seen >= {*MEASURES_OF_ONE_TABLE, "auc", "partial_auc", "concordance", "prevalence",
                    "true_prevalence", "brier_score", "standardized_net_benefit"}  # fmt: skip


def test_estimates_are_means_on_the_scale_of_their_quantity():
    sets = list(imputed_sets(2.0, 8))
    quantities = ["mcc", "kappa", "number_needed_to_diagnose", "f_beta", "youden"]
    frames = [
        rs.Study(y, x).operating_points(
            threshold={"a": 0.4}, quantities=quantities, sampling="cohort", beta=2
        )
        for y, x in sets
    ]
    found = rs.pool_imputations(frames).set_index("quantity")["estimate"]
    at = {row: np.array([f["estimate"].iloc[k] for f in frames])
          for k, row in enumerate(frames[0]["quantity"])}  # fmt: skip
    assert all(np.isfinite(values).all() for values in at.values())
    for name in ("mcc", "kappa"):
        assert found[name] == pytest.approx(np.tanh(np.arctanh(at[name]).mean()))
    assert found["number_needed_to_diagnose"] == pytest.approx(1 / found["youden"])
    assert found["youden"] == pytest.approx(at["youden"].mean())
    assert found["f_beta"] == pytest.approx(special.expit(special.logit(at["f_beta"]).mean()))
    # The three values of a partial area are one area.
    areas = rs.pool_imputations([rs.Study(y, x).auc(fpr_range=(0, 0.2)) for y, x in sets])
    areas = areas.query("predictor == 'a'").set_index("quantity")
    for name in ("estimate", "ci_low", "ci_high"):
        rate = areas.loc["mean_tpr", name]
        assert areas.loc["partial_auc", name] == pytest.approx(0.2 * rate)
        assert areas.loc["partial_auc_standardized", name] == pytest.approx(
            (1 + (0.2 * rate - 0.02) / 0.18) / 2
        )


def test_few_data_sets_are_noted_and_no_error_is_no_interval(plain):
    with pytest.warns(rs.StatisticalWarning, match="few-imputations"):
        rs.pool_imputations([study.auc() for study in plain[:4]])
    lr = [rs.Study([1, 1, 0, 0], one).operating_points(threshold=2.5, quantities=["lr_positive"])
          for one in ([3, 4, 2, 1], [3, 4, 2, 3])]  # fmt: skip
    found = rs.pool_imputations(lr).iloc[0]  # tpr/0 in the first
    assert np.isnan(found[["se", "ci_low", "ci_high", "df"]].astype(float)).all()
    assert "empty-cell" in found["note"]
    assert found["method"] == "none/none"


def test_notes_are_those_of_any_data_set_and_the_first_of_a_code_with_a_number(plain):
    notes = ["rows-dropped=3; few-cases", "", "below-chance", "rows-dropped=2", "few-cases"]
    frames = [study.auc().assign(note=note) for study, note in zip(plain, notes, strict=True)]
    for note in rs.pool_imputations(frames)["note"]:
        assert sorted(note.split("; ")) == ["below-chance", "few-cases", "rows-dropped=3"]


def test_a_row_without_an_interval_in_one_data_set_has_none(plain):
    first, *others = (study.auc() for study in plain)
    nothing = dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), np.nan)
    found = rs.pool_imputations([first.assign(**nothing), *others])
    assert found[["ci_low", "ci_high"]].isna().all(axis=None)


def test_points_at_a_rate_have_no_common_threshold(plain):
    asked = {"fpr": [0.1, 0.3], "quantities": ["tpr"], "rng": 1, "n_resamples": 100}
    frames = [study.operating_points(**asked) for study in plain]
    found = rs.pool_imputations(frames)
    assert found["fpr"].tolist() == [0.1, 0.3, 0.1, 0.3]
    differ = len({frame["threshold"].iloc[1] for frame in frames}) > 1
    assert np.isnan(found["threshold"].iloc[1]) == differ
    own = frames[0]["threshold"].iloc[2:]
    assert found["threshold"].iloc[2:].equals(own)


def test_print_says_how_answers_were_pooled(plain):
    frame = rs.pool_imputations([study.auc().iloc[:1] for study in plain])
    found = {sentence.text: sentence.references for sentence in method_sentences(frame)}
    text = (
        "Estimates of 5 imputed data sets were pooled by Rubin's rules, with the degrees of"
        " freedom of Barnard and Rubin."
    )
    assert found[text] == ("rubin-1987", "barnard-1999")
    assert "Confidence intervals (95%) were computed on the logit scale." in found
    assert frame.attrs["rocstats"]["predictors"] == ["a", "b"]
    rs.plot_forest(frame)


THREE = rs.Study([1, 1, 1, 0, 0, 0], {"a": [3, 5, 2, 4, 1, 0], "b": [6, 2, 5, 1, 3, 4],
                                       "c": [2, 3, 4, 4, 1, 2]})  # fmt: skip
REFUSED = {
    "one frame": (lambda s: [s.auc()], "be two or more frames; got 1"),
    "no list": (lambda s: s.auc(), "be a list of frames; got"),
    "no frames": (lambda s: [1, 2], "be two or more frames; got 2"),
    "curves": (lambda s: [s.roc_curve()] * 2, "no columns quantity, estimate"),
    "bands": (
        lambda s: [s.net_benefit_band(risk_threshold=(0.1, 0.5), rng=1)] * 2,
        "net_benefit_band, a band",
    ),
    "cutpoints": (lambda s: [s.cutpoints(n_resamples=100, rng=1)] * 2, "chosen cutpoints"),
    "chance": (lambda s: [s.versus_random()] * 2, "the best of several"),
    "percentiles": (
        lambda s: [s.auc(interval="percentile", n_resamples=100, rng=1)] * 2,
        "Pass interval='logit'",
    ),
    "global tests": (lambda s: [s.test_equal_auc()] * 2, "not joint tests"),
    "single step": (
        lambda s: [THREE.compare_auc(adjust="single-step")] * 2,
        "simultaneous intervals of several rows",
    ),
    "questions": (lambda s: [s.auc(), s.compare_auc()], "come from one method; got auc and"),
    "columns": (lambda s: [s.auc(), s.auc().drop(columns="n_pos")], r"\['n_pos'\] in one of"),
    "numbers of rows": (lambda s: [s.auc(), s.auc().iloc[:1]], "2 rows in frame 1 and 1 in 2"),
    "order of rows": (
        lambda s: [s.auc(), s.auc().iloc[::-1]],
        "predictor 'a' and 'b' in row 0 of frames 1 and 2",
    ),
    "levels": (
        lambda s: [s.auc(), s.auc(confidence_level=0.9)],
        r"confidence_level .*0.95.* in row 0",
    ),
    "rates": (  # between vertices, where no point has a threshold
        lambda s: [
            s.operating_points(fpr=at, quantities=["tpr"], rng=1, n_resamples=100)
            for at in (0.1, 0.4)
        ],
        "different fpr and tpr",
    ),
    "thresholds": (
        lambda s: [s.operating_points(threshold=at, quantities=["tpr"]) for at in (0.2, 0.4)],
        "thresholds that differ in row 0",
    ),
}


def test_what_cannot_be_pooled_is_refused_by_name():
    y = [1, 1, 1, 0, 0, 0, 0]
    study = rs.Study(
        y, {"a": [0.9, 0.6, 0.3, 0.7, 0.3, 0.2, 0.1], "b": [0.4, 0.5, 0.3, 0.6, 0.2, 0.1, 0.5]}
    )
    for name, (make, words) in REFUSED.items():
        with pytest.raises(rs.InputError, match=words) as caught:
            rs.pool_imputations(make(study))
        assert str(caught.value).startswith("`frames` must "), name
    for name, value in (("df_complete", 0), ("df_complete", "119"), ("confidence_level", 1)):
        with pytest.raises(rs.InputError, match=f"`{name}` must be a number strictly between"):
            rs.pool_imputations([study.auc(), study.auc()], **{name: value})


def test_an_area_a_rounding_below_one_is_pooled_inside_its_limits():
    """On the logit scale it weighed more than all others, beyond the limits."""
    frame = rs.Study([1, 1, 1, 0, 0, 0, 0], [7, 6, 3, 5, 4, 2, 1]).auc()
    rounded = frame.assign(estimate=1 - 1.2e-16, se=0.0, ci_low=0.5, ci_high=1.0)
    row = rs.pool_imputations([frame, rounded]).iloc[0]
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    assert row["estimate"] == pytest.approx((frame["estimate"][0] + 1) / 2)


def test_no_limit_of_counts_passes_the_estimate_at_a_small_level():
    """The mean is of logits, Wilson's centre the mean of shares: a level of .01 is between both."""
    values = np.array([0.5, 0.9, 1 - 1 / 40])
    se = np.sqrt(values * (1 - values) / 40)
    reach = 0.0125
    answers = ImputedAnswers(
        values, se, values - reach * se, values + reach * se, reach, of_counts=True
    )
    pooled = pool_answers(answers, SCALES["logit"], (0.0, 1.0), np.inf)
    assert type(pooled).__name__ == "PooledNearEnd"
    assert pooled.limit(-reach) <= pooled.estimate <= pooled.limit(reach)


def test_hardly_any_information_has_the_range_as_limits():
    """The square of an effective number of 1e-200 cases is 0."""
    for size in (0.0, 1e-200, 5e-324):
        pooled = PooledNearEnd(0.4, 0.4, 0.1, 2.0, 0.9, size, (0.0, 1.0))
        assert (pooled.limit(-2.0), pooled.limit(2.0)) == (0.0, 1.0)


def test_cutoffs_beyond_all_scores_on_either_side_have_no_mean():
    study = rs.Study([1, 0] * 30, [*range(30), *range(30)])
    frame = study.grey_zone(tpr=0.9, tnr=0.9, n_resamples=200, rng=1)
    ends = [frame.assign(rule_out_threshold=end) for end in (-np.inf, np.inf)]
    assert rs.pool_imputations(ends)["rule_out_threshold"].isna().all()
