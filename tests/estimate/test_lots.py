from __future__ import annotations

import numpy as np
import pytest

from rocstats.estimate.resample import draw_random_booleans


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5697, 1.0])
def test_the_share_of_lots_that_say_yes(share):
    lots = draw_random_booleans(40000, share, seed=20040316)
    assert abs(lots.mean() - share) <= 4 * np.sqrt(share * (1 - share) / 40000)


def test_lots_repeat_by_their_seed():
    assert draw_random_booleans(50, 0.5, 3).tolist() == draw_random_booleans(50, 0.5, 3).tolist()
    assert draw_random_booleans(50, 0.5, 3).tolist() != draw_random_booleans(50, 0.5, 4).tolist()


def test_a_larger_share_says_yes_to_more_of_the_same_lots():
    few, many = draw_random_booleans(500, 0.3, 8), draw_random_booleans(500, 0.6, 8)
    assert (few <= many).all()
