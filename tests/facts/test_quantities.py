"""The records of quantities: ranges and scales, which limits, pooling, bins and figures read."""

from __future__ import annotations

import numpy as np
import pytest

from rocstats.facts.measures import (
    FISHER,
    IDENTITY,
    LOG,
    LOGIT,
    MEASURES,
    PROBIT,
    QUANTITIES,
    RATIOS,
    RECIPROCAL,
    SCALES,
    Cells,
    difference_of,
    measure,
    range_of,
    scale_of,
)

# Of each scale, where its function is defined.
DOMAINS = {
    "wald": (-np.inf, np.inf),
    "logit": (0, 1),
    "probit": (0, 1),
    "log": (0, np.inf),
    "fisher": (-1, 1),
    "reciprocal": (1, np.inf),
}


@pytest.mark.parametrize("word", list(QUANTITIES))
def test_a_range_is_where_its_scale_is_defined(word):
    one = QUANTITIES[word]
    assert one.word == word
    assert one.range[0] < one.range[1]
    # The standardized area is 1 - (1 - rate)/(1 - FPR), on the scale of its rate.
    if one.scale != "wald" and word != "partial_auc_standardized":
        assert one.range == DOMAINS[one.scale]


def test_every_table_has_its_measures_in_their_ranges(rng):
    # 400 random tables with empty cells among them, and the ends that are reached.
    cells = Cells(*rng.integers(0, 5, (4, 400)).astype(float))
    for word, one in QUANTITIES.items():
        if one.formula is not None:
            values = measure(word, cells)
            values = values[~np.isnan(values)]
            assert one.range[0] == values.min(), word
            assert one.range[1] == values.max(), word


def test_an_f_score_has_its_range_and_scale_with_any_beta():
    assert range_of("f_beta=2") == range_of("f_beta") == (0, 1)
    assert scale_of("f_beta=0.5") is LOGIT


def test_ranges_and_scales_of_differences_and_of_own_statistics():
    assert range_of("kappa_difference") == (-2, 2)
    assert range_of("auc_difference") == (-1, 1)
    assert range_of("brier_score_difference") == (-1, 1)
    assert range_of("net_benefit_difference") == (-np.inf, np.inf)
    assert range_of("f_beta=2_difference") == (-1, 1)
    assert range_of(difference_of("tpr_ratio")) == (0, np.inf)
    assert range_of("my_statistic") == (-np.inf, np.inf)
    assert scale_of("my_statistic") is IDENTITY
    assert scale_of("auc_difference") is IDENTITY
    assert scale_of("my_statistic_difference") is IDENTITY
    assert scale_of("auc") is LOGIT
    assert scale_of(difference_of("lr_positive_ratio")) is LOG
    assert scale_of("kappa") is FISHER
    ratios = {"lr", "lr_positive", "lr_negative", "odds_ratio", "observed_expected_ratio", "b"}
    ratios.add("false_marks")
    assert {word for word in RATIOS if not word.endswith("_ratio") or word in MEASURES} <= ratios


@pytest.mark.parametrize("word", list(SCALES))
def test_a_scale_rises_and_has_its_slope_and_its_way_back(word):
    scale, (_, high) = SCALES[word], DOMAINS[word]
    x = np.array([0.3, 0.5, 0.9]) if high == 1 else np.array([1.5, 2.0, 7.0])
    step = 1e-6
    slope = (scale.forward(x + step) - scale.forward(x - step)) / (2 * step)
    assert scale.slope(x) == pytest.approx(slope, rel=1e-6)
    assert (slope > 0).all()
    assert scale.back(scale.forward(x)) == pytest.approx(x, rel=1e-14)


def test_a_scale_of_a_part_of_the_unit_range():
    # A mean rate of .8 over a range of .2 is an area of .16.
    scale = LOGIT.between(0.0, 0.2)
    assert scale.forward(0.16) == pytest.approx(np.log(4))
    assert scale.back(np.log(4)) == pytest.approx(0.16)
    assert scale.slope(0.16) == pytest.approx(1 / (0.8 * 0.2) / 0.2)


def test_an_index_of_no_use_needs_infinitely_many_to_diagnose():
    assert RECIPROCAL.back(np.array([-0.5, 0.0, 0.3])).tolist() == [2, np.inf, np.inf]
    assert RECIPROCAL.forward(np.array([1.0, 4.0])).tolist() == [-1, -0.25]
    assert PROBIT.slope(0.5) == pytest.approx(np.sqrt(2 * np.pi))
