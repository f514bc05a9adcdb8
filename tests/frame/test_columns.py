"""Numbers of a frame: counts that are whole are integers."""

from __future__ import annotations

import numpy as np

from rocstats.frame.make import typed_numbers


def test_counts_are_integers_as_long_as_doubles_count_in_steps_of_one():
    largest = 2.0**53 - 1
    found = typed_numbers("n_pos", np.array([0.0, 3.0, -largest, largest]))
    assert found.dtype == np.int64
    assert found.tolist() == [0, 3, -(2**53) + 1, 2**53 - 1]
    for other in (2.0**53, -(2.0**53), 0.5, np.nan, np.inf):
        assert typed_numbers("n_pos", np.array([3.0, other])).dtype == np.float64
    assert typed_numbers("fpr", np.array([0.0, 1.0])).dtype == np.float64
    assert typed_numbers("n_pos", np.empty(0)).dtype == np.float64
