from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rocstats.inference.planning.reader_plan import (
    PilotComponents,
    PlannedReaderTest,
    pilot_reader_test,
)

# Jackknife components of a worked study of 4 readers, 16 positives and 24 negatives, on which R
# packages and our engines agree.
PILOT = PilotComponents(
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
    tau, s2, cov1, cov2, cov3 = PILOT
    g, difference, level = 40 / cases, 0.05, 0.05
    denominator = tau + g * (s2 - cov1) + (r - 1) * g * max(cov2 - cov3, 0)
    square = tau + g * (s2 - cov1) - g * (cov2 - cov3)
    df = denominator**2 / (square**2 / (r - 1))
    critical = stats.f.isf(level, 1, df)
    expected = stats.ncf.sf(critical, 1, df, r * difference**2 / 2 / denominator)
    planned = pilot_reader_test(PILOT.with_cases(g), r, 1, "random")
    assert planned.df == pytest.approx(df, rel=1e-12)
    sides = [planned.power((d,), level / 2) for d in (difference, -difference)]
    assert sum(sides) == pytest.approx(expected, abs=1e-8)


def test_fixed_readers_have_the_variance_of_case_sampling():
    planned = pilot_reader_test(PILOT, 4, 1, "fixed")
    # FRRC of the worked study: standard error .027299412942 of the difference.
    assert np.sqrt(planned.variance) == pytest.approx(0.027299412942, abs=5e-11)
    assert np.isinf(planned.df)


def test_random_readers_of_the_worked_study():
    planned = pilot_reader_test(PILOT, 4, 1, "random")
    # RRRC: standard error .037411226801 with 4.596537345472 degrees of freedom.
    assert np.sqrt(planned.variance) == pytest.approx(0.037411226801, abs=5e-11)
    assert planned.df == pytest.approx(4.596537345472, abs=5e-9)


def test_groups_are_independent_studies_of_their_own():
    whole = pilot_reader_test(PILOT, 8, 2, "random")
    # Each half: 4 readers and half of the cases; the difference is the mean of two.
    half = pilot_reader_test(PILOT.with_cases(2.0), 4, 1, "random")
    assert whole.variance == pytest.approx(half.variance / 2, rel=1e-12)
    assert whole.df == pytest.approx(2 * half.df, rel=1e-12)


def test_a_negative_variance_of_readers_is_none():
    negative = PILOT._replace(modality_reader=-0.0005)
    none = PILOT._replace(modality_reader=0.0)
    assert pilot_reader_test(negative, 5, 1, "random") == pilot_reader_test(none, 5, 1, "random")


def test_the_width_is_that_of_the_t_interval():
    planned = PlannedReaderTest(0.0004, 7.5)
    assert planned.half_width(0.05) == pytest.approx(0.02 * stats.t.ppf(0.975, 7.5), rel=1e-12)
