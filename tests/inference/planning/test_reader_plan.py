"""Plans of reader studies: power of one test, designs, simulated studies, refusals."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocstats as rs
from rocstats.inference.planning.reader_plan import (
    PilotComponents,
    PlannedReaderTest,
    model_reader_test,
    pilot_reader_test,
    reader_model_of,
)
from rocstats.inference.planning.simulated_studies import ReadingPlan
from tests.quick import each
from validation.roe_metz.simulate import variance_of_difference

# Jackknife components of a worked study of 4 readers, 16 positives and 24 negatives, on which R
# packages and our engines agree.
WORKED_PILOT = PilotComponents(
    0.001308683888, 0.002442411456, 0.001355238609, 0.001424266056, 0.001289818374
)


@pytest.mark.parametrize("df", [1.0, 1.7, 3.0, 20.0, 300.0])
@pytest.mark.parametrize("distance", [0.01, 1.0, 3.0, 6.0])
def test_power_of_one_test_is_that_of_the_noncentral_t(df, distance):
    # SciPy's own noncentral t loses digits by version; the chi-square is that of u^2.
    critical = stats.t.ppf(0.975, df)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    expected = 0.0
    for low, high in ((0, np.sqrt(df)), (np.sqrt(df), np.sqrt(df) + 20)):
        u = low + (nodes + 1) * (high - low) / 2
        passed = stats.norm.cdf(distance - critical * u / np.sqrt(df)) * stats.chi.pdf(u, df)
        expected += weights @ passed * (high - low) / 2
    found = PlannedReaderTest(1.0, df).power((distance,), 0.025)
    # The quantiles of t of the oldest SciPy have an error of 1e-9.
    assert found == pytest.approx(expected, abs=1e-8)


def test_power_without_degrees_of_freedom_is_normal():
    found = [PlannedReaderTest(4.0, df).power((3.0,), 0.05) for df in (np.inf, 1e12)]
    assert found == pytest.approx([stats.norm.cdf(1.5 - stats.norm.ppf(0.95))] * 2, abs=1e-11)


def test_equivalence_asks_for_both_tests_at_once():
    planned, margin, truth = PlannedReaderTest(0.01, 5.0), 0.3, 0.02
    generator = np.random.default_rng(1)
    n = 400_000
    value = truth + 0.1 * generator.standard_normal(n)
    half = stats.t.ppf(0.95, 5) * 0.1 * np.sqrt(generator.chisquare(5, n) / 5)
    share = np.mean((value - half > -margin) & (value + half < margin))
    found = planned.power((margin - truth, margin + truth), 0.05)
    assert found == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / n))


@pytest.mark.parametrize("r", [3, 6, 20])
@pytest.mark.parametrize("cases", [40, 160, 1000])
def test_power_by_components_is_the_published_formula(r, cases):
    # Hillis, Obuchowski & Berbaum 2011: F with a noncentrality, which counts both sides.
    tau, s2, cov1, cov2, cov3 = WORKED_PILOT
    g, difference, level = 40 / cases, 0.05, 0.05
    denominator = tau + g * (s2 - cov1) + (r - 1) * g * max(cov2 - cov3, 0)
    square = tau + g * (s2 - cov1) - g * (cov2 - cov3)
    df = denominator**2 / (square**2 / (r - 1))
    critical = stats.f.isf(level, 1, df)
    expected = stats.ncf.sf(critical, 1, df, r * difference**2 / 2 / denominator)
    planned = pilot_reader_test(WORKED_PILOT.with_cases(g), r, 1, "random")
    assert planned.df == pytest.approx(df, rel=1e-12)
    sides = [planned.power((d,), level / 2) for d in (difference, -difference)]
    assert sum(sides) == pytest.approx(expected, abs=1e-8)


def test_fixed_readers_have_the_variance_of_case_sampling():
    planned = pilot_reader_test(WORKED_PILOT, 4, 1, "fixed")
    # FRRC of the worked study: standard error .027299412942 of the difference.
    assert np.sqrt(planned.variance) == pytest.approx(0.027299412942, abs=5e-11)
    assert np.isinf(planned.df)


def test_random_readers_of_the_worked_study():
    planned = pilot_reader_test(WORKED_PILOT, 4, 1, "random")
    # RRRC: standard error .037411226801 with 4.596537345472 degrees of freedom.
    assert np.sqrt(planned.variance) == pytest.approx(0.037411226801, abs=5e-11)
    assert planned.df == pytest.approx(4.596537345472, abs=5e-9)


def test_groups_are_independent_studies_of_their_own():
    whole = pilot_reader_test(WORKED_PILOT, 8, 2, "random")
    # Each half: 4 readers and half of the cases; the difference is the mean of two.
    half = pilot_reader_test(WORKED_PILOT.with_cases(2.0), 4, 1, "random")
    assert whole.variance == pytest.approx(half.variance / 2, rel=1e-12)
    assert whole.df == pytest.approx(2 * half.df, rel=1e-12)


def test_a_negative_variance_of_readers_is_none():
    negative = WORKED_PILOT._replace(modality_reader=-0.0005)
    none = WORKED_PILOT._replace(modality_reader=0.0)
    assert pilot_reader_test(negative, 5, 1, "random") == pilot_reader_test(none, 5, 1, "random")


def test_the_width_is_that_of_the_t_interval():
    planned = PlannedReaderTest(0.0004, 7.5)
    assert planned.half_width(0.05) == pytest.approx(0.02 * stats.t.ppf(0.975, 7.5), rel=1e-12)


MODEL = rs.ReaderDesign(0.86, 0.78, structure="HL")

COMPONENTS = {
    "modality-x-reader": 0.0003,
    "error": 0.002,
    "cov-1": 0.0009,
    "cov-2": 0.0008,
    "cov-3": 0.0006,
}

PILOT = rs.ReaderDesign(difference=0.05, components=COMPONENTS, pilot_n_pos=40, pilot_n_neg=60)

UNEQUAL = {
    "reader": 0.02,
    "case": (0.3, 0.1),
    "reader_case": 0.2,
    "modality_reader": [[0.01, 0.02], [0.03, 0.04]],
    "modality_case": 0.2,
    "modality_reader_case": [(0.3, 0.2), (0.5, 0.6)],
}

SIZES = {"n_pos": 50, "n_neg": 50}


def components_frame(**other):
    """The frame of a pilot: two models of the same components."""
    rows = [("obuchowski-rockette", name, value) for name, value in COMPONENTS.items()]
    rows += [("dorfman-berbaum-metz", "error", 7.0), ("obuchowski-rockette", "reader", -1.0)]
    return pd.DataFrame(rows, columns=["model", "component", "estimate"]).assign(**other)


@pytest.mark.parametrize("design", [MODEL, PILOT], ids=["model", "pilot"])
@pytest.mark.parametrize("groups", [1, 2])
def test_power_grows_with_readers_and_with_cases(design, groups):
    frame = rs.power(
        design, n_readers=[4, 6, 10, 20], n_pos=[20, 40, 100], n_neg=60, n_groups=groups
    )
    table = frame.pivot_table(index="n_readers", columns="n_pos", values="power").to_numpy()
    assert (np.diff(table, axis=0) > 0).all()
    assert (np.diff(table, axis=1) > 0).all()
    widths = frame.pivot_table(index="n_readers", columns="n_pos", values="half_width").to_numpy()
    assert (np.diff(widths, axis=0) < 0).all()
    assert (np.diff(widths, axis=1) < 0).all()


def test_rows_are_readers_by_groups_by_cases():
    frame = rs.power(MODEL, n_readers=[4, 6], n_groups=[1, 2], n_pos=[30, 40], n_neg=[50, 60])
    rows = frame[["n_readers", "n_groups", "n_pos", "n_neg"]].to_numpy().tolist()
    assert rows == [
        [r, g, *cases] for r in (4, 6) for g in (1, 2) for cases in ((30, 50), (40, 60))
    ]
    assert (frame["n_cases"] == frame["n_pos"] + frame["n_neg"]).all()
    assert set(frame["method"]) == {"obuchowski-rockette/roe-metz", "u-statistic/roe-metz"}


@pytest.mark.parametrize("design", [MODEL, PILOT], ids=["model", "pilot"])
@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("ratio", [1, 2.5])
def test_numbers_of_cases_are_the_fewest(design, groups, ratio):
    row = rs.sample_size(design, power=0.8, n_readers=12, n_groups=groups, ratio=ratio).iloc[0]
    n_pos, n_neg = int(row["n_pos"]), int(row["n_neg"])
    assert row["power"] >= 0.8
    assert n_pos % groups == n_neg % groups == 0
    assert 0 <= n_neg - ratio * n_pos < groups + ratio * groups
    fewer = rs.power(
        design,
        n_readers=12,
        n_groups=groups,
        n_pos=n_pos - groups,
        n_neg=int(np.ceil(ratio * (n_pos - groups) / groups)) * groups,
    )
    assert fewer["power"][0] < 0.8


def test_half_widths_can_be_wanted():
    row = rs.sample_size(MODEL, half_width=0.05, n_readers=10).iloc[0]
    assert row["half_width"] <= 0.05
    fewer = rs.power(MODEL, n_readers=10, n_pos=int(row["n_pos"]) - 1, n_neg=int(row["n_neg"]) - 1)
    assert fewer["half_width"][0] > 0.05


def test_too_few_readers_have_a_row_that_says_so():
    design = rs.ReaderDesign(0.85, 0.78, structure="HH")
    with pytest.warns(rs.StatisticalWarning, match="^more-readers-needed"):
        frame = rs.sample_size(design, power=0.9, n_readers=[4, 30])
    assert frame["note"].tolist() == ["more-readers-needed", ""]
    assert frame.loc[0, ["n_pos", "n_neg", "n_cases", "power", "half_width"]].isna().all()
    # No number of cases would have done.
    huge = rs.power(design, n_readers=4, n_pos=10**9, n_neg=10**9)["power"][0]
    assert huge < 0.9


def test_readers_who_are_fixed_need_fewer_cases():
    fixed = rs.ReaderDesign(0.86, 0.78, structure="HL", readers="fixed")
    random, alone = (
        rs.sample_size(design, power=0.8, n_readers=8)["n_pos"][0] for design in (MODEL, fixed)
    )
    assert alone < random
    assert rs.power(fixed, n_readers=1, **SIZES)["power"][0] > 0


def test_components_may_be_a_frame_numbers_or_correlations():
    known = ("modality-x-reader", "error")
    correlations = {
        **{name: COMPONENTS[name] for name in known},
        **{f"correlation-{k}": COMPONENTS[f"cov-{k}"] / COMPONENTS["error"] for k in "123"},
    }
    sources = (COMPONENTS, components_frame(), correlations)
    powers = [
        rs.power(
            rs.ReaderDesign(difference=0.05, components=c, pilot_n_pos=40, pilot_n_neg=60),
            n_readers=6,
            **SIZES,
        )["power"][0]
        for c in sources
    ]
    assert powers == pytest.approx([powers[0]] * 3, rel=1e-12)


def test_components_of_a_pilot_of_the_same_size_are_taken_as_they_are():
    _, s2, cov1, cov2, cov3 = COMPONENTS.values()
    fixed = rs.ReaderDesign(
        difference=0.05, components=COMPONENTS, pilot_n_pos=40, pilot_n_neg=60, readers="fixed"
    )
    variance = 2 / 6 * (s2 - cov1 + 5 * (cov2 - cov3))
    found = rs.power(fixed, n_readers=6, n_pos=[40, 80], n_neg=[60, 120])["half_width"]
    expected = 1.959963984540054 * np.sqrt([variance, variance / 2])
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("readers", ["fixed", "random"])
def test_a_covariance_between_readers_below_that_between_modalities_too_adds_nothing(readers):
    # Obuchowski & Rockette (1995): cov2 - cov3 counts as 0 where it is negative. With tau .0003,
    # s2 .002 and cov1 .0009, of 5 readers: 2/5 * .0011 if they are fixed, 2/5 * .0014 if random.
    # The mean square of readers by modalities keeps it: .0014 - (.0005 - .0006) = .0015.
    components = {**COMPONENTS, "cov-2": 0.0005}
    design = rs.ReaderDesign(
        difference=0.05, components=components, pilot_n_pos=40, pilot_n_neg=60, readers=readers
    )
    found = rs.power(design, n_readers=5, n_pos=40, n_neg=60)["half_width"][0]
    if readers == "fixed":
        variance, quantile = 2 / 5 * 0.0011, stats.norm.ppf(0.975)
    else:
        variance, quantile = 2 / 5 * 0.0014, stats.t.ppf(0.975, 4 * (0.0014 / 0.0015) ** 2)
    assert found == pytest.approx(quantile * np.sqrt(variance), rel=1e-12)


def test_variances_may_differ_by_class_and_modality():
    design = rs.ReaderDesign(0.85, 0.75, variances=UNEQUAL)
    model = reader_model_of(design)
    np.testing.assert_array_equal(model.shared_pos, [0.02, 0.3, 0.2])
    np.testing.assert_array_equal(model.shared_neg, [0.02, 0.1, 0.2])
    np.testing.assert_array_equal(model.own_pos, [[0.01, 0.2, 0.3], [0.03, 0.2, 0.5]])
    np.testing.assert_array_equal(model.own_neg, [[0.02, 0.2, 0.2], [0.04, 0.2, 0.6]])
    np.testing.assert_allclose(model.areas, [0.85, 0.75], rtol=1e-14)
    fixed = rs.ReaderDesign(0.85, 0.75, variances=UNEQUAL, readers="fixed", nested="readers")
    assert variance_of_difference(model, ReadingPlan(8, 50, 50)) > 0
    assert rs.power(fixed, n_readers=8, **SIZES)["power"][0] > 0.5


@pytest.mark.parametrize(
    ("hypothesis", "areas", "distances", "level"),
    [
        ("superiority", (0.9, 0.75), (0.15 - 0.08,), 0.025),
        ("non-inferiority", (0.83, 0.83), (0.08,), 0.025),
        ("non-inferiority", (0.81, 0.83), (-0.02 + 0.08,), 0.025),
        ("equivalence", (0.83, 0.83), (0.08, 0.08), 0.05),
    ],
)
def test_margins_are_tested_as_of_other_designs(hypothesis, areas, distances, level):
    design = rs.ReaderDesign(*areas, structure="HL", hypothesis=hypothesis, margin=0.08)
    row = rs.power(design, n_readers=10, n_pos=100, n_neg=100).iloc[0]
    planned = model_reader_test(reader_model_of(design), ReadingPlan(10, 100, 100), "random")
    assert row["power"] == pytest.approx(planned.power(distances, level), rel=1e-9)
    assert row["hypothesis"] == hypothesis
    assert row["margin"] == 0.08


def test_one_sided_tests_have_more_power_than_two_sided_ones():
    sided = rs.ReaderDesign(0.86, 0.78, structure="HL", alternative="greater")
    two, one = (rs.power(d, n_readers=6, **SIZES)["power"][0] for d in (MODEL, sided))
    assert one > two


def test_other_designs_have_no_readers():
    without, frame = rs.power(auc=0.8, **SIZES), rs.power(MODEL, n_readers=5, **SIZES)
    assert without.columns.tolist() == frame.columns.tolist()
    assert without[["n_readers", "n_groups"]].isna().all(axis=None)
    assert frame[["n_readers", "n_groups"]].to_numpy().tolist() == [[5, 1]]
    assert json.loads(json.dumps(frame.attrs)) == frame.attrs


def test_a_simulated_study_is_one_row_a_read():
    keywords = {"n_pos": 6, "n_neg": 9, "auc": 0.8, "structure": "LH"}
    frame = rs.simulate_readers(n_readers=4, **keywords, rng=3)
    assert frame.columns.tolist() == ["truth", "rating", "reader", "case", "modality"]
    assert len(frame) == 2 * 4 * 15
    assert frame.groupby("case")["truth"].nunique().eq(1).all()
    assert frame.drop_duplicates("case")["truth"].sum() == 6
    assert not frame.duplicated(["reader", "case", "modality"]).any()
    again = rs.simulate_readers(n_readers=4, **keywords, rng=frame.attrs["rocstats"]["seed"])
    pd.testing.assert_frame_equal(frame, again)
    split = rs.simulate_readers(n_readers=4, **keywords, n_groups=2, n_levels=5, rng=3)
    assert split.groupby("reader")["case"].nunique().tolist() == [8, 8, 7, 7]
    assert set(split["rating"]) <= {1, 2, 3, 4, 5}
    own = rs.simulate_readers(n_readers=4, **keywords, nested="readers", missing=0.2, rng=3)
    assert own.groupby("reader")["modality"].nunique().eq(1).all()
    assert len(own) == 4 * 15 - round(0.2 * 24) - round(0.2 * 36)


@each(
    ("keywords", "message"),
    [
        ({}, r"^`auc` must be a number strictly between 0 and 1; got None\."),
        ({"auc": 0.8}, r"^`reference_auc` must be a number"),
        ({"auc": 0.8, "reference_auc": 0.7}, r"^`structure` or `variances` must be given"),
        (
            {"auc": 0.8, "reference_auc": 0.7, "structure": "HL", "difference": 0.1},
            r"^`difference` must be left out of a design whose variances come from the model",
        ),
        ({"auc": 0.8, "reference_auc": 0.8, "structure": "HL"}, r"^`difference` of the predictor"),
        ({"auc": 0.8, "reference_auc": 0.7, "structure": "XL"}, r"^`structure` must be one of"),
        (
            {"auc": 0.8, "reference_auc": 0.7, "variances": {"case": 1}},
            r"^`variances` must have the keys reader, case, .*; got \['case'\]",
        ),
        (
            {"auc": 0.8, "reference_auc": 0.7, "variances": {**UNEQUAL, "case": [1, 2, 3]}},
            r"^`variances` must have a number from 0 to 1e\+06 as 'case', a pair",
        ),
        (
            {"auc": 0.8, "reference_auc": 0.7, "variances": dict.fromkeys(UNEQUAL, 0)},
            r"^`variances` must give the ratings of each modality a variance above 0",
        ),
        (
            {"components": COMPONENTS, "pilot_n_pos": 40, "pilot_n_neg": 40},
            r"^`difference` must be a number strictly between -1 and 1; got None",
        ),
        (
            {"components": COMPONENTS, "difference": 0.1, "pilot_n_pos": 40},
            r"^`pilot_n_neg` must be a whole number >= 1; got None",
        ),
        (
            {"components": COMPONENTS, "structure": "HL"},
            "^`structure` must be left out of a design",
        ),
        ({"components": 3}, r"^`components` must be a frame of .*; got int\."),
        ({"components": {"error": 1}}, r"finite number as 'modality-x-reader'; got only error"),
        ({"components": {**COMPONENTS, "error": 0}}, "^`components` must have a variance above 0"),
        (
            {"components": {**COMPONENTS, "cov-1": 0.003}},
            r"^`components` must have an 'error' above 'cov-1'; got 0\.002 and 0\.003",
        ),
        (
            {"components": pd.concat([components_frame()] * 2)},
            r"^`components` must have each component once",
        ),
        ({"components": pd.DataFrame({"a": [1]})}, r"got one without component, estimate, model"),
        (
            {"auc": 0.8, "reference_auc": 0.7, "structure": "HL", "readers": "some"},
            r"^`readers` must be one of 'random', 'fixed'",
        ),
        (
            {
                "auc": 0.8,
                "reference_auc": 0.8,
                "structure": "HL",
                "hypothesis": "non-inferiority",
                "margin": 0.05,
                "alternative": "greater",
            },
            r"^`alternative` must be left out for 'non-inferiority'",
        ),
    ],
)
def test_what_is_said_to_a_wrong_design(keywords, message):
    with pytest.raises(rs.InputError, match=message):
        rs.ReaderDesign(**keywords)


@each(
    ("ask", "message"),
    [
        (lambda: rs.power(MODEL, **SIZES), r"^`n_readers` must be whole numbers >= 1; got None"),
        (lambda: rs.power(MODEL, n_readers=1, **SIZES), r"^`n_readers` must be at least 2"),
        (lambda: rs.power(MODEL, n_readers=4, n_groups=5, **SIZES), r"must be at least 5"),
        (lambda: rs.power(PILOT, n_readers=5, n_groups=5, **SIZES), r"must be at least 6"),
        (lambda: rs.power(MODEL, n_readers=[4, 0], **SIZES), r"^`n_readers` must be whole"),
        (
            lambda: rs.power(MODEL, n_readers=9, n_groups=9, n_pos=8, n_neg=50),
            r"^`n_pos` must be at least 9, one for each group; got 8",
        ),
        (
            lambda: rs.power(auc=0.8, n_readers=4, **SIZES),
            "^`n_readers` must be left out of a design",
        ),
        (
            lambda: rs.sample_size(auc=0.8, power=0.8, n_groups=2),
            r"^`n_groups` must be left out of a design without readers; got 2",
        ),
        (
            lambda: rs.power(MODEL, n_readers=4, simulate=True, **SIZES),
            r"^`simulate` must stay False for a reader study",
        ),
        (
            lambda: rs.simulate_readers(n_readers=2, **SIZES, structure="HL"),
            r"^`auc` or `separation` must be given, but not both",
        ),
        (
            lambda: rs.simulate_readers(n_readers=2, **SIZES, structure="HL", auc=[0.8, 0.7, 0.6]),
            r"^`auc` must be a number strictly between 0 and 1, or 2 of them",
        ),
        (
            lambda: rs.simulate_readers(
                n_readers=2, **SIZES, structure="HL", auc=0.8, nested="readers", n_groups=2
            ),
            r"^`n_readers` must be at least 4, one for each group and modality; got 2",
        ),
        (
            lambda: rs.simulate_readers(n_readers=2, **SIZES, structure="HL", auc=0.8, n_levels=1),
            r"^`n_levels` must be a whole number >= 2; got 1",
        ),
        (
            lambda: rs.simulate_readers(n_readers=2, **SIZES, structure="HL", auc=0.8, missing=1),
            r"^`missing` must be a number >= 0 and < 1; got 1",
        ),
    ],
)
def test_what_is_said_to_wrong_numbers(ask, message):
    with pytest.raises(rs.InputError, match=message):
        ask()


def test_two_sided_power_counts_the_side_of_the_truth():
    asked = {"n_readers": 4, "n_pos": 30, "n_neg": 30}
    two = rs.power(MODEL, alpha=0.05, **asked)["power"]
    greater = rs.ReaderDesign(0.86, 0.78, structure="HL", alternative="greater")
    one = rs.power(greater, alpha=0.025, **asked)["power"]
    assert two[0] == pytest.approx(one[0], rel=1e-12)
