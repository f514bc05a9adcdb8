"""What the pages say of markers of pure noise is what the committed simulation holds."""

from __future__ import annotations

import numpy as np
import pytest

from validation.net_benefit.noise import LEVEL, MEASURES, RUNS, SIZES, read_noise, reclassified


def test_noise_looks_useful_to_reclassification_and_to_no_other_measure():
    table = read_noise()
    assert [*zip(table["n"], table["measure"], strict=True)] == [
        (n, measure) for n in SIZES for measure in MEASURES
    ]
    error = np.sqrt(LEVEL * (1 - LEVEL) / RUNS)
    found = table["significant"].to_numpy()
    useful = table["measure"].isin(["nri", "idi"]).to_numpy()
    assert (found[useful] > LEVEL + 4 * error).all()
    assert (found[~useful] <= LEVEL + 4 * error).all()
    assert (table.loc[table["measure"] == "nri", "mean_gain"] > 0).all()
    assert (table.loc[~useful, "mean_gain"] < 0).all()


def test_reclassification_is_counted_case_by_case():
    """Of 3 events 2 go up, of 4 others 1: NRI = (2 - 1)/3 - (1 - 3)/4."""
    y = np.array([1, 1, 1, 0, 0, 0, 0])
    old = np.full(7, 0.5)
    new = np.array([0.6, 0.7, 0.4, 0.6, 0.1, 0.2, 0.3])
    found = reclassified(y.astype(float), old, new)
    assert found["nri"][0] == pytest.approx(1 / 3 + 2 / 4, abs=1e-12)
    assert found["idi"][0] == pytest.approx((0.1 + 0.2 - 0.1) / 3 - (0.1 - 0.4 - 0.3 - 0.2) / 4)
