from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from rocstats.estimate.claim import adjust_p_values


@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
def test_adjusted_p_values_are_those_of_statsmodels(adjust, rng):
    for size in (1, 2, 7):
        p = rng.uniform(size=size) ** 3
        assert adjust_p_values(p, adjust) == pytest.approx(multipletests(p, method=adjust)[1])


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "none"])
def test_undefined_p_values_do_not_count(adjust):
    found = adjust_p_values(np.array([0.01, np.nan, 0.04]), adjust)
    expected = {"holm": [0.02, 0.04], "bonferroni": [0.02, 0.08], "none": [0.01, 0.04]}[adjust]
    assert found[[0, 2]] == pytest.approx(expected)
    assert np.isnan(found[1])
