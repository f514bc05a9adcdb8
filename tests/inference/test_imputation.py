"""Pooled answers of imputed data sets: docs/methods/imputation.md, "Rubin's rules"."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.tables.wording import method_sentences

AREAS = ([0.842, 0.857, 0.831, 0.866, 0.848], [0.0405, 0.0391, 0.0418, 0.0382, 0.0400])


@pytest.fixture(scope="module")
def studies():
    """Five data sets of 60 cases: one in four scores of "a" drawn anew, those of "b" known."""
    rng = np.random.default_rng(20040316)
    y = np.repeat([1, 0], 30)
    known = np.round(rng.normal(size=(2, 60)) + y, 1)
    drawn = rng.random(60) < 0.25
    sets = [np.where(drawn, np.round(rng.normal(size=60) + y, 1), known[0]) for _ in range(5)]
    site = np.repeat([f"p{k}" for k in range(30)], 2)
    return [rs.Study(y, {"a": a, "b": known[1]}, cluster=site) for a in sets], [
        rs.Study(y, {"a": a, "b": known[1]}) for a in sets
    ]


def frames_of(values, errors, template):
    """Frames with numbers of their own in the place of the first row's."""
    return [
        template.iloc[:1].assign(estimate=value, se=se, ci_low=0.5, ci_high=0.99)
        for value, se in zip(values, errors, strict=True)
    ]


def by_hand(q, u, nu, level=0.95):
    """Rubin's rules in the notation of Barnard and Rubin, one value at a time."""
    m, between = len(q), np.var(q, ddof=1)
    total = np.mean(u) + (1 + 1 / m) * between
    lost = (1 + 1 / m) * between / total
    observed = (nu + 1) / (nu + 3) * nu * (1 - lost)
    df = 1 / (lost**2 / (m - 1) + 1 / observed)
    half = stats.t.ppf((1 + level) / 2, df) * np.sqrt(total)
    return np.mean(q), np.sqrt(total), df, np.mean(q) - half, np.mean(q) + half


def test_areas_are_pooled_on_the_logit_scale(studies):
    _, plain = studies
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


def test_what_does_not_vary_between_data_sets_has_its_own_error(studies):
    _, plain = studies
    own = plain[0].compare_auc().iloc[0]
    found = rs.pool_imputations([plain[0].compare_auc()] * 5, df_complete=np.inf).iloc[0]
    for name in ("estimate", "se", "statistic"):
        assert found[name] == pytest.approx(own[name], rel=1e-12)
    assert found["df"] == np.inf
    assert found["fraction_missing"] == 0
    z = stats.norm.ppf(0.975)
    assert found["ci_low"] == pytest.approx(own["estimate"] - z * own["se"], rel=1e-12)


def test_degrees_of_freedom_are_of_the_cases_of_the_quantity(studies):
    clustered, plain = studies
    asked = {"threshold": 0.5, "quantities": ["tpr", "tnr", "lr_positive", "youden"]}
    observed = {}
    for name, some in (("cases", plain), ("clusters", clustered)):
        # Predictor "b" has no missing value: df = nu (nu + 1)/(nu + 3).
        found = rs.pool_imputations([study.operating_points(**asked) for study in some])
        rows = found[found["predictor"] == "b"]
        observed[name] = dict(zip(rows["quantity"], rows["df"], strict=True))
    cases = {"tpr": 29, "tnr": 29, "lr_positive": 59, "youden": 59}
    clusters = {"tpr": 14, "tnr": 14, "lr_positive": 29, "youden": 29}
    for name, complete in (("cases", cases), ("clusters", clusters)):
        for quantity, nu in complete.items():
            assert observed[name][quantity] == pytest.approx(nu * (nu + 1) / (nu + 3)), quantity
    # Degrees of freedom of the frames go before: the least of them.
    own = [study.auc(null_value=0.5) for study in plain]
    least = min(frame["df"].iloc[1] for frame in own)
    found = rs.pool_imputations(own)["df"].iloc[1]
    assert found == pytest.approx(least * (least + 1) / (least + 3))


def test_clusters_are_asked_for_where_a_file_has_lost_their_number(studies):
    clustered, _ = studies
    frames = []
    for study in clustered:
        file = io.StringIO(study.auc().to_csv(index=False))
        frames.append(rs.read_csv(file))
    with pytest.raises(rs.InputError, match="`df_complete` must be given for clusters"):
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
    with pytest.raises(rs.InputError, match="be of the same points; got another fpr in each"):
        rs.pool_imputations(frames)
    same = [study.operating_points(fpr=0.11, rng=1) for study in studies]
    assert rs.pool_imputations(same)["fpr"].eq(0.11).all()


def test_tests_are_of_the_pooled_estimate_on_its_scale(studies):
    _, plain = studies
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


def test_an_estimate_at_an_end_is_replaced_by_the_middle_of_its_limits():
    y = [1] * 6 + [0] * 7
    sets = [[3, 4, 5, 6, 7, 8, 1, 2, 0, 1, 2, 1, at] for at in (0, 4, 5, 6, 2)]
    frames = [rs.Study(y, one).auc() for one in sets]
    assert frames[0]["estimate"].iloc[0] == 1
    with pytest.warns(rs.StatisticalWarning, match="boundary-imputation"):
        found = rs.pool_imputations(frames).iloc[0]
    q, u = [], []
    for frame in frames:
        row = frame.iloc[0]
        a, se = row["estimate"], row["se"]
        if se == 0:
            a, se = (row["ci_low"] + 1) / 2, (1 - row["ci_low"]) / (2 * stats.norm.ppf(0.975))
        q.append(np.log(a / (1 - a)))
        u.append((se / (a * (1 - a))) ** 2)
    expected = by_hand(q, u, 12)
    assert found["estimate"] == pytest.approx(1 / (1 + np.exp(-expected[0])))
    assert found["df"] == pytest.approx(expected[2])
    assert 0 < found["ci_low"] < found["ci_high"] < 1
    assert "boundary-imputation" in found["note"]


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_few_data_sets_are_noted_and_no_error_is_no_interval(studies):
    _, plain = studies
    with pytest.warns(rs.StatisticalWarning, match="few-imputations"):
        rs.pool_imputations([study.auc() for study in plain[:4]])
    lr = [rs.Study([1, 1, 0, 0], one).operating_points(threshold=2.5, quantities=["lr_positive"])
          for one in ([3, 4, 2, 1], [3, 4, 2, 3])]  # fmt: skip
    found = rs.pool_imputations(lr).iloc[0]  # tpr/0 in the first
    assert np.isnan(found[["se", "ci_low", "ci_high", "df"]].astype(float)).all()
    assert "empty-cell" in found["note"]
    assert found["method"] == "none/none"


def test_notes_are_those_of_any_data_set_and_the_first_of_a_code_with_a_number(studies):
    _, plain = studies
    notes = ["rows-dropped=3; few-cases", "", "below-chance", "rows-dropped=2", "few-cases"]
    frames = [study.auc().assign(note=note) for study, note in zip(plain, notes, strict=True)]
    for note in rs.pool_imputations(frames)["note"]:
        assert sorted(note.split("; ")) == ["below-chance", "few-cases", "rows-dropped=3"]


def test_a_row_without_an_interval_in_one_data_set_has_none(studies):
    _, plain = studies
    first, *others = (study.auc() for study in plain)
    nothing = dict.fromkeys(("se", "ci_low", "ci_high", "confidence_level"), np.nan)
    found = rs.pool_imputations([first.assign(**nothing), *others])
    assert found[["ci_low", "ci_high"]].isna().all(axis=None)


def test_points_at_a_rate_have_no_common_threshold(studies):
    _, plain = studies
    asked = {"fpr": [0.1, 0.3], "quantities": ["tpr"], "rng": 1, "n_resamples": 100}
    frames = [study.operating_points(**asked) for study in plain]
    found = rs.pool_imputations(frames)
    assert found["fpr"].tolist() == [0.1, 0.3, 0.1, 0.3]
    differ = len({frame["threshold"].iloc[1] for frame in frames}) > 1
    assert np.isnan(found["threshold"].iloc[1]) == differ
    own = frames[0]["threshold"].iloc[2:]
    assert found["threshold"].iloc[2:].equals(own)


def test_print_says_how_answers_were_pooled(studies):
    _, plain = studies
    frame = rs.pool_imputations([study.auc() for study in plain])
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
    "one frame": (lambda s: [s.auc()], "be two frames or more; got 1"),
    "no list": (lambda s: s.auc(), "be a list of frames; got"),
    "no frames": (lambda s: [1, 2], "be two frames or more; got 2"),
    "curves": (lambda s: [s.roc_curve()] * 2, "no columns quantity, estimate"),
    "bands": (
        lambda s: [s.net_benefit_band(risk_threshold=(0.1, 0.5), rng=1)] * 2,
        "net_benefit_band, a band",
    ),
    "cutpoints": (lambda s: [s.cutpoints(n_resamples=100, rng=1)] * 2, "chosen cutpoints"),
    "chance": (lambda s: [s.versus_random()] * 2, "the best of several"),
    "percentiles": (
        lambda s: [s.auc(interval="percentile", n_resamples=100, rng=1)] * 2,
        "Ask for interval='logit'",
    ),
    "global tests": (lambda s: [s.test_equal_auc()] * 2, "not tests of several at once"),
    "single step": (
        lambda s: [THREE.compare_auc(adjust="single-step")] * 2,
        "intervals that hold for several rows",
    ),
    "questions": (lambda s: [s.auc(), s.compare_auc()], "be of one question; got auc and"),
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
        "another fpr and tpr in each",
    ),
    "thresholds": (
        lambda s: [s.operating_points(threshold=at, quantities=["tpr"]) for at in (0.2, 0.4)],
        "thresholds that differ in row 0",
    ),
}


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
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
