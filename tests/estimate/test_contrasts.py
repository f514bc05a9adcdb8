from __future__ import annotations

import numpy as np

from rocstats.estimate import contrasts
from rocstats.estimate.claim import chi_square_test_of_zero_vector
from rocstats.estimate.influence import AreaCovariance
from rocstats.facts.tolerances import SAME

# Eigenvectors of the equal eigenvalues 0 are arbitrary: another LAPACK may give any rotation.
HALF = np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)


def turned(matrix):
    return np.zeros(len(matrix)), HALF


def plain(matrix):
    return np.zeros(len(matrix)), np.eye(len(matrix))


def test_a_global_test_without_variance_does_not_hang_on_the_eigenvectors(monkeypatch):
    none = np.zeros((2, 2))
    # Each coordinate is below the tolerance 1e-10, and the vector is longer.
    areas = AreaCovariance(np.array([8e-11, 8e-11]), none, none, none, np.ones(2))
    found = []
    for eigh in (plain, turned):
        monkeypatch.setattr(np.linalg, "eigh", eigh)
        found.append(contrasts.all_contrasts_test(np.eye(2), areas))
    assert np.array_equal(*found, equal_nan=True)


def test_the_chi_square_of_rates_does_not_hang_on_the_eigenvectors(monkeypatch):
    found = []
    for eigh in (plain, turned):
        monkeypatch.setattr(np.linalg, "eigh", eigh)
        found.append(
            chi_square_test_of_zero_vector(np.array([8e-13, 8e-13]), np.zeros((2, 2)), 0.0, SAME)
        )
    assert np.array_equal(*found, equal_nan=True)
