"""Decision curves: what is drawn, where it ends, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from tests import examples

AT = np.arange(1, 12) / 20


@pytest.fixture
def pair():
    return rs.Study(examples.Y, {"a": examples.D1, "b": examples.D2}, labels={"a": "Model A"})


def test_lines_are_the_frame(pair):
    frame = pair.net_benefit(risk_threshold=AT)
    ax = rs.plot_net_benefit(frame)
    own = frame[(frame["quantity"] == "net_benefit")]
    heights = [line.get_ydata() for line in ax.lines]
    drawn = {tuple(np.round(y, 12)) for y in heights if len(y) > 2}
    for name in ("a", "b", "treat-all"):
        wanted = own.loc[own["predictor"] == name, "estimate"]
        assert tuple(np.round(wanted, 12)) in drawn
    assert len(drawn) == 3
    assert ax.get_xlim() == (0.05, 0.55)
    texts = {text.get_text() for text in ax.texts}
    legend = ax.get_legend()
    texts |= {text.get_text() for text in legend.get_texts()} if legend else set()
    assert {"Model A", "b", "treat all", "treat none"} <= texts
    low, high = ax.get_ylim()
    assert -0.32 * high < low < 0


def test_bands_and_another_quantity(pair):
    frame = pair.net_benefit(risk_threshold=AT)
    band = pair.net_benefit_band(risk_threshold=(0.05, 0.55), n_points=5, rng=1)
    ax = rs.plot_net_benefit(frame, band=band)
    assert len(ax.collections) == 2
    assert ax.get_ylim()[1] > band["ci_high"].max()
    rows = frame[frame["quantity"] == "standardized_net_benefit"]
    assert rs.plot_net_benefit(rows).get_ylabel() == "Standardized net benefit"


def test_refusals(pair):
    frame = pair.net_benefit(risk_threshold=AT)
    asked = {"risk_threshold": (0.05, 0.55), "n_points": 5, "rng": 1}
    with pytest.raises(rs.InputError, match="got a frame with bands of differences"):
        rs.plot_net_benefit(frame, band=pair.net_benefit_band(reference="b", **asked))
    rows = frame[frame["quantity"] == "interventions_avoided"]
    with pytest.raises(rs.InputError, match="got a frame of interventions_avoided"):
        rs.plot_net_benefit(rows, band=pair.net_benefit_band(**asked))
    other = rs.Study(examples.Y, examples.D3, predictor="c").net_benefit_band(**asked)
    with pytest.raises(rs.InputError, match="`band` must be of predictors"):
        rs.plot_net_benefit(frame, band=other)
