from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocstats as rs
from tests.strategies import samples


@given(samples(), st.booleans())
def test_order_puts_values_of_the_table_beside_their_rows(data, higher):
    y, (score,) = data
    study = rs.Study(y, score, higher_is_positive=higher)
    order = study.cases.order(0)
    assert sorted(order.rows.tolist()) == list(range(len(y)))
    assert order.by_row(study.cases.counts(0).score).tolist() == score[order.rows].tolist()


@pytest.mark.parametrize("higher", [True, False])
def test_order_codes_and_counts_of_one_predictor_agree(rng, higher):
    y, score = np.tile([1, 0], 20), np.round(rng.normal(size=40) * 3)
    study = rs.Study(y, score, higher_is_positive=higher)
    counts = study.cases.counts(0)
    order = study.cases.order(0)
    assert study.cases.counts(0).n_pos.tolist() == counts.n_pos.tolist()
    at_score = np.arange(len(counts.score), dtype=float)
    assert order.by_row(at_score).tolist() == study.cases.codes(0)[order.rows].tolist()
