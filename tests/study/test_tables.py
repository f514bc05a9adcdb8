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
def test_order_codes_and_counts_of_one_predictor_agree_with_counting(rng, higher):
    y, score = np.tile([1, 0], 20), np.round(rng.normal(size=40) * 3)
    distinct = sorted(set(score.tolist()), reverse=higher)
    positives = [sum(1 for c, s in zip(y, score, strict=True) if c and s == at) for at in distinct]
    negatives = [score.tolist().count(at) - n for at, n in zip(distinct, positives, strict=True)]
    place = [distinct.index(s) for s in score.tolist()]
    # Codes come with a table, and so does the order: each is asked of a fresh study first.
    for first in ("codes", "order", "counts"):
        cases = rs.Study(y, score, higher_is_positive=higher).cases
        getattr(cases, first)(0)
        counts, order = cases.counts(0), cases.order(0)
        assert counts.score.tolist() == distinct
        assert counts.n_pos.tolist() == positives
        assert counts.n_neg.tolist() == negatives
        assert cases.codes(0).tolist() == place
        assert score[order.rows].tolist() == sorted(score.tolist())
        at_row = order.by_row(np.arange(len(distinct), dtype=float))
        assert at_row.tolist() == [place[row] for row in order.rows]
