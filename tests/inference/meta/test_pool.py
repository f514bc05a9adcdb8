"""Pooled areas: worked numbers, definitions, forms of the input, and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, t

import rocstats as rs
from rocstats.inference.meta.pool import cochran_q
from tests.quick import each

LIMITS = ["estimate", "ci_low", "ci_high"]

# c-statistics of EuroSCORE II with their limits or standard errors: Debray et al. (2017).
EUROSCORE = pd.read_csv(Path(__file__).parent / "euroscore.csv")
EUROSCORE = EUROSCORE[EUROSCORE["se"].notna()]


def by_quantity(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(frame).set_index("quantity")


def euroscore(**options: Any) -> pd.DataFrame:
    return by_quantity(rs.pool_areas(EUROSCORE, study="study", **options))


# --- Worked numbers -------------------------------------------------------------------------------


def test_euroscore_has_the_worked_numbers():
    found = euroscore()
    assert found.loc["auc", LIMITS].tolist() == pytest.approx(
        [0.7894523, 0.7619031, 0.8145896], abs=1e-6
    )
    assert found.loc["prediction_auc", LIMITS[1:]].tolist() == pytest.approx(
        [0.6840328, 0.8665609], abs=1e-6
    )
    assert (found.loc["tau", LIMITS] ** 2).tolist() == pytest.approx(
        [0.06020664, 0.0237382, 0.2000734], abs=1e-6
    )
    row = found.loc["i_squared"]
    assert row["estimate"] == pytest.approx(0.8832025, abs=1e-6)
    assert (row["statistic"], row["df"]) == (pytest.approx(99.216986, abs=1e-5), 15)
    mandel = euroscore(heterogeneity="paule-mandel")
    assert mandel.loc["tau", "estimate"] ** 2 == pytest.approx(0.06275367, abs=1e-7)


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_groups_of_a_study_have_the_worked_numbers():
    data = rs.load_breast_cancer()
    study = rs.Study(
        "diagnosis", "texture", data=data, pos_label="malignant", group=np.arange(len(data)) % 8
    )
    found = by_quantity(rs.pool_areas(study.auc()))
    assert found.loc["auc", LIMITS].tolist() == pytest.approx(
        [0.7737928, 0.7292403, 0.8128953], abs=1e-6
    )
    assert found.loc["tau", "estimate"] == 0
    assert found.loc["auc", "n_studies"] == 8
    # The same frames, one a centre.
    frames = dict(list(study.auc().groupby("group")))
    again = rs.pool_areas(frames)
    assert again[LIMITS].to_numpy() == pytest.approx(found[LIMITS].to_numpy(), nan_ok=True)


# --- Definitions ----------------------------------------------------------------------------------


def drawn(rng, k=12):
    y = rng.normal(1.2, 0.4, k)
    return y, rng.uniform(0.1, 0.4, k) ** 2


def table_of(y, v):
    area = 1 / (1 + np.exp(-y))
    return pd.DataFrame({"auc": area, "se": np.sqrt(v) * area * (1 - area)})


def restricted_log_likelihood(y, v, between):
    w = 1 / (v + between)
    m = np.average(y, weights=w)
    return -0.5 * (np.log(1 / w).sum() + np.log(w.sum()) + (w * (y - m) ** 2).sum())


def test_reml_is_the_maximum_of_the_restricted_likelihood(rng):
    y, v = drawn(rng)
    found = by_quantity(rs.pool_areas(table_of(y, v)))
    between = found.loc["tau", "estimate"] ** 2
    grid = np.linspace(0, 1, 20001)
    values = [restricted_log_likelihood(y, v, at) for at in grid]
    assert between == pytest.approx(grid[int(np.argmax(values))], abs=1e-4)


def test_other_estimators_solve_their_equations(rng):
    y, v = drawn(rng)
    mandel, laird = (
        by_quantity(rs.pool_areas(table_of(y, v), heterogeneity=word)).loc["tau", "estimate"] ** 2
        for word in ("paule-mandel", "dersimonian-laird")
    )
    assert cochran_q(y, v, mandel) == pytest.approx(len(y) - 1)
    w = 1 / v
    expected = (cochran_q(y, v, 0) - 11) / (w.sum() - (w**2).sum() / w.sum())
    assert laird == pytest.approx(expected)


def test_limits_are_those_of_their_definitions(rng):
    y, v = drawn(rng)
    hartung, plain, wald, guarded = (
        by_quantity(rs.pool_areas(table_of(y, v), **options))
        for options in (
            {},
            {"interval": "t"},
            {"interval": "wald"},
            {"guard": True},
        )
    )
    between = hartung.loc["tau", "estimate"] ** 2
    w = 1 / (v + between)
    m = np.average(y, weights=w)
    factor = (w * (y - m) ** 2).sum() / 11
    q = t.ppf(0.975, 11)
    for frame, reach in (
        (hartung, q * np.sqrt(factor / w.sum())),
        (plain, q / np.sqrt(w.sum())),
        (wald, 1.959963984540054 / np.sqrt(w.sum())),
        (guarded, q * np.sqrt(max(1, factor) / w.sum())),
    ):
        limits = frame.loc["auc", LIMITS].to_numpy(float)
        assert np.log(limits / (1 - limits)) == pytest.approx([m, m - reach, m + reach])
    low, high = hartung.loc["tau", LIMITS[1:]] ** 2
    assert cochran_q(y, v, low) == pytest.approx(chi2.ppf(0.975, 11), rel=1e-5)
    assert cochran_q(y, v, high) == pytest.approx(chi2.ppf(0.025, 11), rel=1e-5)


def test_limits_replace_a_missing_standard_error(rng):
    y, v = drawn(rng, 5)
    with_se = table_of(y, v)
    z = 1.6448536269514722
    low, high = (1 / (1 + np.exp(-(y + sign * z * np.sqrt(v)))) for sign in (-1, 1))
    by_limits = pd.DataFrame({"auc": with_se["auc"], "lower": low, "upper": high}).assign(
        confidence_level=0.9
    )
    found = rs.pool_areas(by_limits, low="lower", high="upper")
    assert found[LIMITS].to_numpy() == pytest.approx(
        rs.pool_areas(with_se)[LIMITS].to_numpy(), nan_ok=True
    )


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_the_scale_is_that_of_the_quantity():
    ratios = pd.DataFrame({"observed_expected_ratio": [0.8, 1.1, 1.4], "se": [0.1, 0.1, 0.2]})
    found = by_quantity(rs.pool_areas(ratios, "observed_expected_ratio"))
    logs = pd.DataFrame({"log_ratio": np.log([0.8, 1.1, 1.4]), "se": [0.125, 1 / 11, 1 / 7]})
    plain = by_quantity(rs.pool_areas(logs, "log_ratio", scale="identity"))
    assert found.loc["observed_expected_ratio", LIMITS].tolist() == pytest.approx(
        np.exp(plain.loc["log_ratio", LIMITS].to_numpy(float)).tolist()
    )
    assert rs.pool_areas(logs.abs(), "log_ratio", scale="log")["estimate"].notna().all()


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_differences_are_pooled_by_pair(rng):
    y = np.tile([0, 1], 40)
    frames = [
        rs.Study(y, {name: y + rng.normal(size=80) for name in "abc"}).compare_auc()
        for _ in range(4)
    ]
    found = rs.pool_areas(frames)
    pooled = found[found["quantity"] == "auc_difference"]
    assert (pooled["predictor"] + pooled["reference"]).tolist() == ["ab", "ac", "bc"]
    assert (pooled["n_studies"] == 4).all()


# --- Boundaries and refusals ----------------------------------------------------------------------


def test_equal_estimates_keep_an_interval():
    equal = pd.DataFrame({"auc": [0.8] * 4, "se": [0.02] * 4})
    with pytest.warns(rs.StatisticalWarning, match="pooled-guarded"):
        found = by_quantity(rs.pool_areas(equal))
    assert found.loc["auc", "ci_low"] < 0.8 < found.loc["auc", "ci_high"]
    assert found.loc["tau", LIMITS].isna().tolist() == [False, True, True]


def test_two_studies_have_no_prediction():
    with pytest.warns(rs.StatisticalWarning, match="few-studies"):
        found = by_quantity(rs.pool_areas(pd.DataFrame({"auc": [0.8, 0.7], "se": 0.02})))
    assert found.loc["prediction_auc", LIMITS].isna().tolist() == [False, True, True]
    assert found.loc["auc", LIMITS].notna().all()


TABLE = pd.DataFrame({"auc": [0.8, 0.7, 0.75], "se": [0.02, 0.03, 0.02], "centre": list("abc")})


@each(
    ("table", "options", "message"),
    [
        (TABLE[:1], {}, r"^`frames_or_table` must have at least two studies; got 1"),
        (TABLE.assign(auc=[0.8, 1, 0.7]), {"study": "centre"}, r"^`estimate` must be .* study 'b'"),
        (
            TABLE.assign(se=[0.1, 0.1, 0]),
            {"study": "centre"},
            r"^`se` must be strictly above 0.* study 'c'",
        ),
        (TABLE.drop(columns="se"), {}, r"^`se` must be strictly above 0"),
        (TABLE.rename(columns={"auc": "x"}), {"estimate": "x"}, r"^`scale` must be given"),
        (TABLE, {"estimate": "area"}, r"^`estimate` must .*'area'"),
        (TABLE, {"scale": "probit"}, r"^`scale` must be one of"),
        (TABLE, {"guard": True, "interval": "t"}, r"^`guard` must be False"),
        (TABLE, {"heterogeneity": "dl"}, r"^`heterogeneity` must be one of"),
        ([TABLE, TABLE], {}, r"must have the columns quantity, estimate and se in each frame"),
    ],
)
def test_what_cannot_be_pooled(table, options, message):
    with pytest.raises(rs.InputError, match=message):
        rs.pool_areas(table, **options)


def test_frames_are_of_one_quantity_and_several_studies():
    study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    points = study.operating_points(quantities=["tpr", "tnr"])
    with pytest.raises(rs.InputError, match=r"must be of one quantity; got \['tnr', 'tpr'\]"):
        rs.pool_areas([points, points])
    with pytest.raises(rs.InputError, match=r"must be several frames, or a frame with groups"):
        rs.pool_areas(study.auc())
    with pytest.raises(rs.InputError, match=r"at least two studies; got 1 of 'score'"):
        rs.pool_areas([study.auc()])
