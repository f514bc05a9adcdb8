"""Bands in the ROC figure, and the figure of differences: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from rocstats.errors import InputError
from rocstats.plots.axes import PALETTE
from rocstats.plots.differences import plot_roc_difference
from rocstats.plots.roc import plot_roc
from tests.plots.drawn import names_of
from tests.tables.hand_frames import curve_frame

POINTS = [(0.0, 0.0), (0.0, 0.4), (0.25, 0.8), (1.0, 1.0)]
FPR = np.array([0.0, 0.5, 1.0])


@pytest.fixture
def curve():
    return curve_frame([("wfns", "", POINTS)])


def band(predictor, method, half, scope="simultaneous"):
    middle = np.array([0.3, 0.8, 1.0])
    return pd.DataFrame(
        {
            "predictor": predictor,
            "fpr": FPR,
            "tpr": middle,
            "tpr_low": np.maximum(middle - half, 0),
            "tpr_high": np.minimum(middle + half, 1),
            "scope": scope,
            "method": method,
        }
    )


def corners(collection):
    return {tuple(point) for point in collection.get_paths()[0].vertices.round(9).tolist()}


def test_one_band_is_filled_in_the_colour_of_its_curve(curve):
    ax = plot_roc(curve, band=band("wfns", "fixed-width", 0.2))
    (filled,) = ax.collections
    assert {(0.5, 0.6), (0.5, 1.0), (0.0, 0.1), (0.0, 0.5)} <= corners(filled)
    assert to_hex(filled.get_facecolor()[0]) == PALETTE[0]
    assert ax.get_legend() is None
    assert len(ax.lines) == 2


def test_several_bands_have_edges_and_stand_in_the_legend(curve):
    several = pd.concat(
        [
            band("wfns", "fixed-width", 0.2),
            band("wfns", "pointwise", 0.1, scope="pointwise"),
            band("wfns", "vertical-average", 0.05, scope="pointwise"),
        ]
    )
    ax = plot_roc(curve, band=several)
    assert names_of(ax) == [
        "wfns", "fixed-width band", "pointwise limits", "vertical-average (pointwise)",
    ]  # fmt: skip
    assert len(ax.collections) == 3
    edges = ax.lines[1:7]
    assert [line.get_ydata()[1] for line in edges] == pytest.approx([0.6, 1, 0.7, 0.9, 0.75, 0.85])
    assert len({line.get_color() for line in edges}) == 3
    assert len({line.get_linestyle() for line in edges}) > 1


def test_bands_of_several_curves_keep_their_colours():
    curve = curve_frame([("wfns", "", POINTS), ("ndka", "", POINTS)])
    kinds = [("fixed-width", 0.2), ("joint", 0.3)]
    several = pd.concat([band(name, *kind) for name in ("wfns", "ndka") for kind in kinds])
    ax = plot_roc(curve, band=several)
    colours = [to_hex(filled.get_facecolor()[0]) for filled in ax.collections]
    assert colours == [PALETTE[0]] * 2 + [PALETTE[1]] * 2
    assert names_of(ax) == ["wfns", "ndka", "fixed-width band", "joint band"]


def test_a_band_of_no_curve_is_refused(curve):
    with pytest.raises(InputError, match=r"`band` must be of predictors .* got 'ndka'"):
        plot_roc(curve, band=band("ndka", "joint", 0.1))


def difference(reference, low, high):
    return pd.DataFrame(
        {
            "predictor": "a",
            "reference": reference,
            "fpr": FPR,
            "estimate": [0.0, 0.3, 0.1],
            "ci_low": low,
            "ci_high": high,
            "note": "",
        }
    )


def test_differences_are_drawn_with_the_rates_that_exclude_zero():
    ax = plot_roc_difference(difference("b", [-1, 0.1, -0.1], [1, 0.5, 0.3]))
    zero, line, differs = ax.lines
    assert list(zero.get_ydata()) == [0, 0]
    assert line.get_xydata().tolist() == [[0, 0], [0.5, 0.3], [1, 0.1]]
    np.testing.assert_array_equal(differs.get_ydata(), [np.nan, 0, np.nan])
    assert ax.get_title(loc="left").splitlines() == [
        "Above 0: a better", "below 0: b better", "thick line: the band excludes 0",
    ]  # fmt: skip
    never = plot_roc_difference(difference("b", [-0.2] * 3, [0.4] * 3).assign(group="x"))
    assert never.get_title(loc="left").splitlines() == [
        "x", "Above 0: a better", "below 0: b better",
    ]  # fmt: skip
    # rates of which nothing is said do not stretch the axis
    assert ax.get_ylim() == pytest.approx((-0.1 - 0.03, 0.5 + 0.03))


def test_pairs_differ_in_colour():
    frame = pd.concat([difference(name, [-0.2] * 3, [0.4] * 3) for name in ("b", "c")])
    ax = plot_roc_difference(frame)
    assert names_of(ax) == ["a − b", "a − c"]
    thick = [line for line in ax.lines if line.get_linewidth() == 1.6]
    assert [line.get_color() for line in thick] == list(PALETTE[:2])
