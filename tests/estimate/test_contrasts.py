from __future__ import annotations

import numpy as np
import pytest

from rocstats.estimate.claim import chi_square_test_of_zero_vector
from rocstats.estimate.contrasts import all_contrasts_test
from rocstats.estimate.influence import AreaCovariance
from rocstats.facts.tolerances import SAME

NONE = np.zeros((2, 2))


# Each coordinate is below the tolerance, and the vector is longer.
@pytest.mark.parametrize(
    "answer",
    [
        lambda: all_contrasts_test(
            np.eye(2), AreaCovariance(np.full(2, 8e-11), NONE, NONE, NONE, np.ones(2))
        ),
        lambda: chi_square_test_of_zero_vector(np.full(2, 8e-13), NONE, 0.0, SAME),
    ],
    ids=["areas", "rates"],
)
def test_a_test_without_variance_does_not_hang_on_the_eigenvectors(answer, monkeypatch):
    # Eigenvectors of the equal eigenvalues 0 are arbitrary: another LAPACK may give any rotation.
    found = []
    for vectors in (np.eye(2), np.array([[1.0, -1.0], [1.0, 1.0]]) / np.sqrt(2)):
        monkeypatch.setattr(np.linalg, "eigh", lambda matrix, v=vectors: (np.zeros(2), v))
        found.append(answer())
    assert np.array_equal(*found, equal_nan=True)
