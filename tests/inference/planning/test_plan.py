"""Power and numbers of cases of areas and rates: printed numbers, properties, refusals."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

import rocstats as rs
from rocstats.curves.areas import AreaRange
from rocstats.inference.planning.designs import planned_range
from rocstats.inference.planning.planned_tests import PlannedAreaTest
from rocstats.inference.planning.variances import Binormal
from tests import examples
from tests.quick import each

CONTRACT = (
    ((), {"auc": 0.8, "n_pos": 50, "n_neg": 50}),
    ((rs.OneAUC(0.8),), {"n_pos": 50, "n_neg": 50}),
)

PAIRED = rs.PairedAUCs(0.85, 0.75, correlation_pos=0.5, correlation_neg=0.4)


def pilot(**keywords):
    return rs.PilotAUCs(rs.Study(examples.Y, {"d1": examples.D1, "d2": examples.D2}), **keywords)


def positives(design, **keywords):
    return rs.sample_size(design, **keywords)["n_pos_unrounded"][0]


# docs/methods/planning.md, "Worked numbers for one area"
@pytest.mark.parametrize(
    ("variance", "null_variance", "printed", "tolerance"),
    [
        ("obuchowski", "model", 33.9651860, 5e-8),
        ("obuchowski", None, 34.9424882, 5e-8),
        # first printed with ...792 at the end, but the formula gives 34.34617908
        ("hanley-mcneil", None, 34.3461791, 5e-8),
    ],
)
def test_printed_numbers_of_one_area(variance, null_variance, printed, tolerance):
    design = rs.OneAUC(0.7, variance=variance, null_variance=null_variance)
    found = positives(design, power=0.9, ratio=1.5)
    assert found == pytest.approx(printed, abs=tolerance)


def rounded_constants(auc, z=1.959963984540054):
    """The formula as it is in print, and in pROC: V0 of one positive, and V1 as a function."""
    square = (1.414 * ndtri(auc)) ** 2
    scale = 0.0099 * np.exp(-square / 2)
    return z, auc - 0.5, scale * (5 * square + 8), scale * (square + 8)


def test_rounded_constants_are_the_only_difference():
    z, distance, pos, neg = rounded_constants(0.7)
    null, assumed = 0.0792 * (1 + 1 / 1.5), pos + neg / 1.5
    n = (z * np.sqrt(null) + ndtri(0.9) * np.sqrt(assumed)) ** 2 / distance**2
    assert n == pytest.approx(33.8044124, abs=5e-8)
    exact = rs.OneAUC(0.7, variance="obuchowski", null_variance="model")
    assert positives(exact, power=0.9, ratio=1.5) == pytest.approx(n, rel=6e-3)


@pytest.mark.parametrize(
    ("auc", "sizes", "printed"), [(0.8, (50, 50), 0.9999479), (0.73, (41, 72), 0.9897453)]
)
def test_printed_powers_with_rounded_constants(auc, sizes, printed):
    z, distance, pos, neg = rounded_constants(auc)
    null, assumed = (
        np.sqrt(p / sizes[0] + n / sizes[1]) for p, n in ((0.0792, 0.0792), (pos, neg))
    )
    assert ndtr((distance - z * null) / assumed) == pytest.approx(printed, abs=5e-8)
    exact = rs.OneAUC(auc, variance="obuchowski", null_variance="model")
    row = rs.power(exact, n_pos=sizes[0], n_neg=sizes[1]).iloc[0]
    assert row["power"] == pytest.approx(printed, abs=3e-4)


# docs/methods/planning.md, "Worked numbers for two areas": Hanley & McNeil (1982), one-sided 5%
@pytest.mark.parametrize(
    ("reference", "auc", "printed"),
    [
        (0.70, 0.75, [652.933, 898.580, 1130.948]),
        (0.70, 0.80, [158.880, 216.884, 271.575]),
        (0.75, 0.80, [565.872, 776.950, 976.432]),
        (0.80, 0.90, [110.630, 149.179, 185.350]),
    ],
)
def test_printed_numbers_of_two_areas(reference, auc, printed):
    design = rs.TwoAUCs(
        auc,
        reference,
        alternative="greater",
        variance="hanley-mcneil",
        null_variance="reference",
    )
    frame = rs.sample_size(design, power=[0.8, 0.9, 0.95])
    assert frame["n_pos_unrounded"].tolist() == pytest.approx(printed, abs=5e-4)
    assert frame["n_neg_unrounded"].tolist() == pytest.approx(printed, abs=5e-4)
    assert frame["n_pos"].tolist() == np.ceil(printed).tolist()
    assert frame["n_cases"].tolist() == (4 * np.ceil(printed)).tolist()
    assert frame["note"].tolist() == ["per-group"] * 3


# docs/methods/planning.md, "Worked numbers for paired areas": 2.6 is the reference, Delta = .037
def test_printed_numbers_of_paired_areas():
    one, two = Binormal(2.6, 1.0), Binormal(1.9, 1.0)
    shared = one.delta_covariance(two, 0.6, 0.6)
    assumed = one.delta_variance() + two.delta_variance() - shared - shared
    for reference, printed in ((one, 165.7604552), (two, 514.4)):
        own = reference.delta_variance()
        null = own + own - shared - shared
        test = PlannedAreaTest((0.037,), True, null, assumed, "")
        digits = len(str(printed).partition(".")[2])
        found = test.positives_for_power(0.8, 1.0, 0.05)
        assert found == pytest.approx(printed, abs=0.5 * 10**-digits)


def test_paired_areas_derive_their_difference():
    aucs = ndtr(np.array([2.6, 1.9]) / np.sqrt(2))
    # docs/methods/planning.md, "Worked numbers for paired areas"
    assert aucs == pytest.approx([0.9670040, 0.9104454], abs=5e-8)
    keywords = {"correlation_pos": 0.6, "correlation_neg": 0.6, "variance": "obuchowski"}
    design = rs.PairedAUCs(aucs[1], aucs[0], null_variance="reference", **keywords)
    assert design.difference == pytest.approx(-0.0566, abs=5e-5)
    # the number for Delta = .037, with the difference that the curves have
    expected = 165.7604551719092 * (0.037 / (aucs[0] - aucs[1])) ** 2
    assert positives(design, power=0.8) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("first", "null_variance", "printed"),
    [
        ("d1", "alternative", 0.2180),
        ("d2", "alternative", 0.2180),
        ("d2", "reference", 0.387),
        ("d1", "reference", 0.121),
    ],
)
def test_printed_power_from_a_pilot(first, null_variance, printed):
    other = {"d1": "d2", "d2": "d1"}[first]
    design = pilot(predictor=first, reference=other, difference=0.1, null_variance=null_variance)
    row = rs.power(design, n_pos=8, n_neg=10).iloc[0]
    digits = len(str(printed).partition(".")[2]) + (printed == 0.218)
    assert row["power"] == pytest.approx(printed, abs=0.5 * 10**-digits)
    assert row["method"] == f"delong/{null_variance}"


# docs/methods/planning.md, "Worked numbers for precision"
@pytest.mark.parametrize(
    ("variance", "printed"), [("obuchowski", 150.83), ("hanley-mcneil", 115.57)]
)
def test_printed_numbers_for_a_half_width(variance, printed):
    frame = rs.sample_size(rs.OneAUC(0.85, variance=variance), half_width=0.05)
    row = frame.iloc[0]
    assert row["n_pos_unrounded"] == pytest.approx(printed, abs=5e-3)
    assert row["half_width"] < 0.05
    assert np.isnan(row["power_wanted"])
    assert row["half_width_wanted"] == 0.05


def test_non_inferiority_from_a_pilot():
    # docs/methods/comparison.md, "Worked comparisons": S11 + S22 - 2 S12 of D1 and D2;
    # docs/methods/planning.md, "Precision and margins": (z_a + z_power)^2 VA/(D + d)^2
    variance = 0.00726438492063 + 0.01041418650794 - 2 * 0.00525545634921
    design = pilot(hypothesis="non-inferiority", margin=0.2)
    row = rs.power(design, n_pos=8, n_neg=10).iloc[0]
    z = 1.959963984540054
    assert row["power"] == pytest.approx(ndtr((0.0375 + 0.2) / np.sqrt(variance) - z), abs=1e-9)
    assert row[["margin", "null_value", "hypothesis"]].tolist() == [0.2, 0.0, "non-inferiority"]
    needed = rs.sample_size(design, power=0.9, ratio=10 / 8)["n_pos_unrounded"][0]
    expected = (z + ndtri(0.9)) ** 2 * 8 * variance / (0.0375 + 0.2) ** 2
    assert needed == pytest.approx(expected, rel=1e-9)


def test_equivalence_is_two_tests():
    design = rs.TwoAUCs(0.8, 0.79, hypothesis="equivalence", margin=0.06)
    row = rs.power(design, n_pos=300, n_neg=400).iloc[0]
    se = row["half_width"] / 1.959963984540054
    tails = [ndtr((0.06 + sign * 0.01) / se - ndtri(0.95)) for sign in (-1, 1)]
    assert row["power"] == pytest.approx(sum(tails) - 1, rel=1e-12)
    assert rs.power(design, n_pos=10, n_neg=10)["power"][0] == 0


def test_superiority_asks_for_more_than_a_difference():
    keywords = {"correlation_pos": 0.5, "correlation_neg": 0.5}
    plain = rs.PairedAUCs(0.9, 0.8, **keywords)
    more = rs.PairedAUCs(0.9, 0.8, hypothesis="superiority", margin=0.05, **keywords)
    assert positives(more, power=0.9) == pytest.approx(4 * positives(plain, power=0.9))


def test_the_contract():
    frame = rs.sample_size(auc=0.8, null_auc=0.7, power=0.9, ratio=2)
    assert frame["n_neg_unrounded"][0] == 2 * frame["n_pos_unrounded"][0]
    assert frame["power"][0] >= 0.9
    assert frame["null_value"][0] == 0.7
    row = rs.power(auc=0.8, n_pos=50, n_neg=50).iloc[0]
    assert row["null_value"] == 0.5
    assert row["method"] == "binormal/mann-whitney"
    short, long = (rs.power(*design, **plan) for design, plan in CONTRACT)
    pd.testing.assert_frame_equal(short, long, check_exact=True)


DESIGNS = [
    rs.OneAUC(0.8, null_auc=0.7),
    rs.OneAUC(0.6, alternative="greater", variance="hanley-mcneil"),
    rs.OneAUC(0.3, alternative="less"),
    rs.TwoAUCs(0.75, 0.8),
    rs.TwoAUCs(0.75, 0.8, hypothesis="equivalence", margin=0.1, variance="obuchowski"),
    rs.TwoAUCs(0.8, 0.8, hypothesis="equivalence", margin=0.1),
    PAIRED,
    rs.PairedAUCs(0.85, 0.75, correlation_pos=0.5, correlation_neg=0.4, b=0.8, fpr_range=(0, 0.2)),
    rs.PairedAUCs(
        0.8, 0.8, correlation_pos=0.5, correlation_neg=0.4, hypothesis="non-inferiority", margin=0.1
    ),
    rs.OneRate("tpr", 0.9, goal=0.8, method="asymptotic"),
    rs.PairedRates("tnr", only_predictor=0.2, only_reference=0.1, method="asymptotic"),
]


@each("design", DESIGNS)
@each("wanted", [0.5, 0.8, 0.95])
def test_the_numbers_found_have_the_power_and_no_case_is_wasted(design, wanted):
    row = rs.sample_size(design, power=wanted, alpha=0.1).iloc[0]
    assert row["power"] >= wanted - 1e-12
    sizes = {name: row[name] - 1 for name in ("n_pos", "n_neg") if row[name] > 0}
    if min(sizes.values()) >= 2:
        assert rs.power(design, **sizes, alpha=0.1)["power"][0] < wanted


@pytest.mark.parametrize("design", DESIGNS[:9], ids=lambda design: type(design).__name__)
@given(n_pos=st.integers(5, 500), n_neg=st.integers(5, 500), more=st.integers(1, 50))
def test_more_cases_have_more_power_and_narrower_intervals(design, n_pos, n_neg, more):
    frame = rs.power(design, n_pos=[n_pos, n_pos + more, n_pos], n_neg=[n_neg, n_neg, n_neg + more])
    power, width = frame["power"], frame["half_width"]
    # where it is already 1 in floating point it stays; below 1/2 the spread under the truth helps
    growing = power[0] > 0.5
    assert not growing or (power[1] >= power[0] and power[2] >= power[0])
    assert width[1] < width[0] > width[2]


@given(st.floats(0.55, 0.95), st.floats(0.55, 0.95), st.floats(-0.8, 0.8))
def test_who_is_listed_first_does_not_matter(auc, other, correlation):
    if abs(auc - other) < 0.01:
        return
    keywords = {"correlation_pos": correlation, "correlation_neg": 0.3}
    n = [
        positives(rs.PairedAUCs(*areas, **keywords), power=0.8, ratio=1.5)
        for areas in ((auc, other), (other, auc))
    ]
    assert n[0] == pytest.approx(n[1], rel=1e-9)


@given(st.floats(0.55, 0.95), st.floats(0.55, 0.95), st.floats(0.2, 5))
def test_classes_can_trade_places(auc, null_auc, ratio):
    # negatives and positives of normal laws with equal spread are mirror images
    if abs(auc - null_auc) < 0.01:
        return
    there = positives(rs.OneAUC(auc, null_auc=null_auc), power=0.8, ratio=ratio)
    back = positives(rs.OneAUC(auc, null_auc=null_auc), power=0.8, ratio=1 / ratio)
    assert there * ratio == pytest.approx(back, rel=1e-9)
    below = rs.OneAUC(1 - auc, null_auc=1 - null_auc)
    assert positives(below, power=0.8, ratio=ratio) == pytest.approx(there, rel=1e-6)


def test_frequencies_of_a_pilot_are_rows():
    y, a, b, n = [1, 1, 1, 0, 0, 0], [3, 1, 4, 2, 1, 0], [2, 3, 4, 1, 3, 0], [2, 1, 3, 1, 2, 4]
    table = rs.Study(y, {"a": a, "b": b}, frequency=n)
    rows = rs.Study(np.repeat(y, n), {"a": np.repeat(a, n), "b": np.repeat(b, n)})
    powers = [
        rs.power(rs.PilotAUCs(study, difference=0.2), n_pos=40, n_neg=60)["power"][0]
        for study in (table, rows)
    ]
    assert powers[0] == pytest.approx(powers[1], rel=1e-12)


def test_a_partial_area_of_the_whole_range_is_the_area():
    keywords = {"correlation_pos": 0.5, "correlation_neg": 0.2, "variance": "obuchowski"}
    whole = rs.PairedAUCs(0.9, 0.8, **keywords)
    range_ = rs.PairedAUCs(0.9, 0.8, fpr_range=(0, 1), **keywords)
    nearly = rs.PairedAUCs(0.9, 0.8, fpr_range=(1e-13, 1), **keywords)
    assert positives(range_, power=0.8) == positives(whole, power=0.8)
    assert positives(nearly, power=0.8) == pytest.approx(positives(whole, power=0.8), rel=1e-6)
    row = rs.sample_size(nearly, power=0.8).iloc[0]
    assert row["quantity"] == "partial_auc"
    assert row["assumed"] == pytest.approx(0.1, abs=1e-10)


def test_few_cases_are_doubted_unless_simulated():
    with pytest.warns(rs.StatisticalWarning, match="few-planned-cases"):
        frame = rs.power(auc=0.8, n_pos=10, n_neg=50)
    assert frame["note"][0] == "few-planned-cases"
    drawn = rs.power(auc=0.8, n_pos=10, n_neg=50, simulate=True, n_simulations=100, rng=1)
    assert drawn["note"][0] == ""


def test_partial_range_of_a_design():
    design = DESIGNS[7]
    assert isinstance(design, rs.PairedAUCs)
    assert planned_range(design) == AreaRange("fpr", 0.0, 0.2)
    assert design.difference == pytest.approx(
        Binormal.of_area(0.85, 0.8, planned_range(design)).area()
        - Binormal.of_area(0.75, 1.0, planned_range(design)).area()
    )


Y, A, B = [1, 1, 1, 0, 0, 0], [3, 1, 4, 2, 1, 0], [2, 3, 4, 1, 3, 0]

PAIR = {"correlation_pos": 0.5, "correlation_neg": 0.5}


def small_pilot(scores=None, y=Y, **keywords):
    return rs.Study(y, scores or {"a": A, "b": B}, **keywords)


MESSAGES = [
    (lambda: rs.power(n_pos=9, n_neg=9), r"^`design` or `auc` must be given, but not both"),
    (lambda: rs.power(rs.OneAUC(0.8), auc=0.8, n_pos=9, n_neg=9), r"but not both"),
    (
        lambda: rs.power(rs.OneAUC(0.8), null_auc=0.7, n_pos=9, n_neg=9),
        r"`null_auc` only with `auc`; got design=OneAUC\(auc=0\.8",
    ),
    (lambda: rs.power(0.8, n_pos=9, n_neg=9), "^`design` must be one of OneAUC, TwoAUCs, .*"),
    (
        lambda: rs.sample_size(auc=0.8),
        r"^`power` or `half_width` must be given, but not both; got None and None\.",
    ),
    (lambda: rs.sample_size(auc=0.8, power=0.8, half_width=0.1), r"got 0\.8 and"),
    (
        lambda: rs.sample_size(auc=0.8, power=1),
        r"^`power` must be a number strictly between 0\.05 and 1; got 1\.",
    ),
    (lambda: rs.sample_size(auc=0.8, power=[0.9, 0.04]), r"got 0\.04"),
    (lambda: rs.sample_size(auc=0.8, power="90%"), r"got '90%'"),
    (lambda: rs.sample_size(auc=0.8, half_width=0.5), r"^`half_width` must be a number"),
    (
        lambda: rs.sample_size(auc=0.8, power=0.8, ratio=0),
        r"^`ratio` must be a number strictly between 0 and inf; got 0\.",
    ),
    (lambda: rs.power(auc=0.8, n_pos=9, n_neg=9, alpha=0.5), r"^`alpha` must be a number"),
    (lambda: rs.power(auc=0.8, n_pos=9), "^`n_neg` must be given"),
    (lambda: rs.power(auc=0.8, n_pos=[], n_neg=9), r"^`n_pos` must be given; got \[\]"),
    (
        lambda: rs.power(auc=0.8, n_pos=[9, 9.5], n_neg=9),  # type: ignore[list-item]
        "^`n_pos` must be whole numbers >= 2",
    ),
    (lambda: rs.power(auc=0.8, n_pos=1, n_neg=9), r"`n_pos` must be whole .* got 1\."),
    (lambda: rs.power(auc=0.8, n_pos=True, n_neg=9), r"got True"),
    (
        lambda: rs.power(auc=0.8, n_pos=[9, 10], n_neg=[9, 10, 11]),
        r"^`n_pos` and `n_neg` must have the same length, or one of them .* got 2 and 3 numbers\.",
    ),
    (
        lambda: rs.power(auc=0.8, n_pos=9, n_neg=9, simulate=True, n_simulations=50),
        r"^`n_simulations` must be a whole number >= 100; got 50\.",
    ),
    (
        lambda: rs.power(auc=0.8, n_pos=9, n_neg=9, simulate=True, rng=-1),
        r"^`rng` must be None, a whole number",
    ),
    (
        lambda: rs.power(auc=1e-320, n_pos=20, n_neg=20),
        r"^`auc` must give the estimate a variance above 0; got 0\. Choose areas further from 0",
    ),
    (
        lambda: rs.sample_size(auc=0.5, null_auc=1e-300, power=0.9),
        r"^`null_auc` must give the estimate a variance above 0; got 0\.",
    ),
    (
        lambda: rs.power(rs.TwoAUCs(1e-300, 1e-310), n_pos=20, n_neg=20),
        r"^`design` must give the estimate a variance above 0; got 0\.",
    ),
    (
        lambda: rs.sample_size(auc=0.8, half_width=1e-200),
        r"^`half_width` must be attainable; got 1e-200, which needs over",
    ),
    (
        lambda: rs.sample_size(
            rs.TwoAUCs(0.7, 0.7, hypothesis="equivalence", margin=1e-200), power=0.9
        ),
        r"^`power` must be attainable; got 0\.9",
    ),
    (
        lambda: rs.sample_size(
            rs.PairedRates("tpr", only_predictor=1e-320, only_reference=1e-310), power=0.9
        ),
        r"^`power` must be attainable; got 0\.9",
    ),
    (
        lambda: rs.sample_size(auc=0.8, half_width=1e-4, simulate=True, rng=1),
        r"^`simulate` must stay False beyond 50_000 cases of a class; got \d{8}\. Leave it out",
    ),
    (
        lambda: rs.power(
            rs.PilotAUCs(small_pilot(), difference=0.1), n_pos=9, n_neg=9, simulate=True
        ),
        r"^`simulate` must stay False for a pilot, .*; got True\. Leave it out\.",
    ),
    (
        lambda: rs.power(
            rs.PairedAUCs(0.9, 0.8, fpr_range=(0, 0.1), **PAIR), n_pos=9, n_neg=9, simulate=True
        ),
        r"^`simulate` must stay False for a partial area",
    ),
    (
        lambda: rs.power(rs.OneRate("tpr", 0.9, goal=0.8), n_pos=9, simulate=True),
        r"^`simulate` must stay False for a rate",
    ),
    (
        lambda: rs.sample_size(rs.OneRate("tpr", 0.9, goal=0.8), power=0.8, ratio=1),
        r"^`ratio` must be left out for a rate, which depends on one class; got 1\.",
    ),
    (
        lambda: rs.power(rs.OneRate("tpr", 0.9, goal=0.8), n_pos=50, n_neg=50),
        r"^`n_neg` must be left out for the rate 'tpr', which depends on the other class; got 50\.",
    ),
    (
        lambda: rs.sample_size(rs.OneRate("tpr", 0.9), power=0.8),
        r"^`power` must be used with a goal; got a rate without goal\.",
    ),
    (
        lambda: rs.sample_size(
            rs.PairedRates("tpr", only_predictor=0.1, only_reference=0.095), power=0.8
        ),
        r"^`method` must be 'asymptotic' beyond 30000 cases; about \d+ cases are needed\.",
    ),
    (
        lambda: rs.power(
            rs.PairedRates("tpr", only_predictor=0.1, only_reference=0.05), n_pos=1_000_001
        ),
        r"^`method` must be 'asymptotic' beyond 1_000_000 cases; got 1000001\.",
    ),
    (lambda: rs.OneAUC(1.0), r"^`auc` must be a number strictly between 0 and 1; got 1\.0"),
    (lambda: rs.OneAUC(0.8, null_auc=0), r"^`null_auc` must be a number"),
    (lambda: rs.OneAUC(0.5), "^`auc` must be different from `null_auc` for the"),
    (lambda: rs.OneAUC(0.6, null_auc=0.7, alternative="greater"), r"must be above"),
    (lambda: rs.OneAUC(0.8, null_auc=0.7, alternative="less"), r"must be below"),
    (lambda: rs.OneAUC(0.8, alternative="one-sided"), r"^`alternative` must be one of"),
    (lambda: rs.OneAUC(0.8, variance="delong"), r"^`variance` must be one of 'binormal'"),
    (
        lambda: rs.OneAUC(0.8, null_variance="reference"),
        r"^`null_variance` must be one of 'mann-whitney', 'model', None",
    ),
    (
        lambda: rs.OneAUC(0.8, null_auc=0.7, null_variance="mann-whitney"),
        r"^`null_variance` must be 'model' unless `null_auc` is 0\.5 .* at 0\.7\. Leave it out\.",
    ),
    (
        lambda: rs.TwoAUCs(0.8, 0.8),
        r"^`difference` of the predictor from the reference must be different from 0",
    ),
    (
        lambda: rs.TwoAUCs(0.7, 0.8, alternative="greater"),
        r"must be above 0 for the alternative 'greater'; got -0\.1\.",
    ),
    (
        lambda: rs.power(
            rs.PairedAUCs(
                0.7, 0.98, correlation_pos=0.9, correlation_neg=0.9, null_variance="reference"
            ),
            n_pos=50,
            n_neg=50,
        ),
        r"^`null_variance` must be 'alternative' if the variance of the reference is below its",
    ),
    (lambda: rs.TwoAUCs(0.8, 0.7, hypothesis="less"), r"^`hypothesis` must be one of"),
    (
        lambda: rs.TwoAUCs(0.8, 0.8, hypothesis="equivalence"),
        r"^`margin` must be given for the hypothesis 'equivalence'; got None\.",
    ),
    (lambda: rs.TwoAUCs(0.8, 0.7, margin=0.1), "^`margin` must stay None for the hypothesis"),
    (
        lambda: rs.TwoAUCs(0.8, 0.8, hypothesis="equivalence", margin=-0.1),
        r"^`margin` must be a number strictly between 0 and 1; got -0\.1\.",
    ),
    (
        lambda: rs.TwoAUCs(
            0.8, 0.8, hypothesis="non-inferiority", margin=0.1, alternative="greater"
        ),
        r"^`alternative` and `null_variance` must be left out for 'non-inferiority'",
    ),
    (
        lambda: rs.TwoAUCs(0.7, 0.8, hypothesis="non-inferiority", margin=0.05),
        r"^`margin` must agree with the assumed difference and non-inferiority",
    ),
    (
        lambda: rs.TwoAUCs(0.82, 0.8, hypothesis="superiority", margin=0.05),
        r"assumed difference and superiority",
    ),
    (
        lambda: rs.TwoAUCs(0.9, 0.8, hypothesis="equivalence", margin=0.05),
        r"assumed difference and equivalence",
    ),
    (
        lambda: rs.PairedAUCs(0.9, 0.8, correlation_pos=1, correlation_neg=0.5),
        r"^`correlation_pos` must be a number strictly between -1 and 1; got 1\.",
    ),
    (lambda: rs.PairedAUCs(0.9, 0.8, b=0, **PAIR), r"^`b` must be a number"),
    (
        lambda: rs.PairedAUCs(0.9, 0.8, fpr_range=(0.2, 0.1), **PAIR),
        r"^`fpr_range` must be two rates",
    ),
    (
        lambda: rs.PairedAUCs(0.9, 0.8, fpr_range=(0, 0.1), variance="binormal", **PAIR),
        r"^`variance` must be 'obuchowski' for a partial area",
    ),
    (
        lambda: rs.PairedAUCs(0.9, 0.8, variance="hanley-mcneil", **PAIR),
        r"^`variance` must be one of 'binormal', 'obuchowski', None",
    ),
    (lambda: rs.PilotAUCs([1, 2]), r"^`pilot` must be a Study; got list\."),
    (
        lambda: rs.PilotAUCs(small_pilot(cluster=[1, 2, 3, 1, 2, 3])),
        "^`pilot` must have no cluster, .*",
    ),
    (lambda: rs.PilotAUCs(small_pilot(fold=[1, 1, 2, 1, 2, 2])), r"must have no fold"),
    (lambda: rs.PilotAUCs(small_pilot(group=[1, 1, 2, 1, 2, 2])), r"must have no group"),
    (
        lambda: rs.PilotAUCs(small_pilot(sample_weight=[1, 1, 2, 1, 2, 2])),
        r"must have no sample_weight",
    ),
    (
        lambda: rs.PilotAUCs(small_pilot(y=[1, 0, 0, 0, 0, 0])),
        r"^`pilot` must have two cases of each class; got 1 positives and 5 negatives\.",
    ),
    (
        lambda: rs.PilotAUCs(small_pilot({"a": A, "b": list(np.exp(A))})),
        r"^`pilot` must have predictors with different rankings of the cases; got"
        r" a difference without variance\.",
    ),
    (
        lambda: rs.PilotAUCs(small_pilot({"a": A, "b": B, "c": B})),
        r"^`predictor` must be one of 'a', 'b', 'c'; got None\.",
    ),
    (
        lambda: rs.PilotAUCs(small_pilot(), predictor="a", reference="x"),
        r"^`reference` must be one of 'a', 'b'; got 'x'\.",
    ),
    (
        lambda: rs.PilotAUCs(small_pilot(), predictor="a", reference="a"),
        r"^`reference` must be a different predictor from 'a'; got the same\.",
    ),
    (
        lambda: rs.PilotAUCs(small_pilot(), difference=1),
        r"^`difference` must be a number strictly between -1 and 1; got 1\.",
    ),
    (
        lambda: rs.OneRate("senssitivity", 0.9, goal=0.8),
        r"got 'senssitivity'\. Did you mean 'tpr'",
    ),
    (lambda: rs.OneRate("tpr", 90, goal=0.8), r"^`rate` must be a number .* got 90\."),
    (lambda: rs.OneRate("tpr", 0.9, goal=80), r"^`goal` must be a number"),
    (lambda: rs.OneRate("tpr", 0.7, goal=0.8), r"^`rate` must be above `goal`"),
    (
        lambda: rs.OneRate("tpr", 0.9, goal=0.8, method="mid-p"),
        r"^`method` must be one of 'exact', 'asymptotic'",
    ),
    (
        lambda: rs.PairedRates("tpr", only_predictor=0, only_reference=0.1),
        r"^`only_predictor` must be a number strictly between 0 and 1; got 0\.",
    ),
    (
        lambda: rs.PairedRates("tpr", only_predictor=0.6, only_reference=0.5),
        r"^`only_predictor` and `only_reference` must sum to at most 1; got 0\.6 and 0\.5\.",
    ),
    (
        lambda: rs.PairedRates("tpr", only_predictor=0.1, only_reference=0.1),
        r"^`only_predictor` must be different from `only_reference`",
    ),
    (
        lambda: rs.PairedRates("tpr", only_predictor=0.2, only_reference=0.1, method="tango"),
        r"^`method` must be one of 'mid-p', 'exact', 'asymptotic'",
    ),
]


@each(("call", "message"), MESSAGES)
def test_bad_input_is_named(call, message):
    with pytest.raises(rs.InputError, match=message):
        call()
