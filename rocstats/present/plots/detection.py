"""Detection error tradeoff (DET): both error rates on axes of normal deviates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rocstats.frames.labels import in_print, labels_in
from rocstats.present.plots.shared.axes import series_names
from rocstats.present.plots.shared.keys import draw_words
from rocstats.present.plots.shared.lines import FloatArray, draw_lines
from rocstats.present.plots.shared.looks import Colors, looks_of
from rocstats.present.plots.shared.palette import CHANCE
from rocstats.present.plots.shared.series import require_frame
from rocstats.present.plots.shared.sizes import NOTE, Width, dress, new_axes
from rocstats.special import ndtr, ndtri

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_NEEDED = ("predictor", "fold", "fpr", "fnr")
# Percentages 0.5 to 0.8 normal deviates apart, so that labels keep almost even distances; symmetric
# about 50, so that both ends of an axis have a label.
_PERCENT = (0.001, 0.01, 0.1, 1.0, 5.0, 20.0, 50.0, 80.0, 95.0, 99.0, 99.9, 99.99, 99.999)

# On square axes a step of 1/400 is 0.8 points, half the width of a line: the corners between
# chords stay inside the line. With 200 a step is as long as the line is wide.
_POINTS = 400

# Of more than nine labels every second is shown: nine have 24 points each in a column, and "99.9%"
# is 22 points wide.
_MOST_LABELS = 9

# Axes of curves without small rates reach from 5% to 95%.
_LEAST_RATE = 0.05

# Lines that run to infinity are cut one normal deviate beyond the axes, where nothing is seen.
_BEYOND = 1.0


def plot_det(
    curve: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw detection error tradeoff (DET) curves, and return the axes.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves from ``study.det_curve()``: one line for each predictor, group and fold.
    labels : mapping of str to str, optional
        What predictors (or classes) are called; by default the labels of the study. Names that
        the frames lack are passed over.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new square axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, in normal deviates with labels in percent; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If the frame lacks columns or rows.

    Notes
    -----
    Both axes start at the labelled percentage below the smallest rate that is not 0 (0.001% or
    more) and end at its complement. Rates of 0 and 1 have infinite deviates: lines run off at the
    edge. Where both classes share a score, rates are linear, so that the line bends on these axes.
    The dotted diagonal is chance.

    References
    ----------
    - Martin, Doddington, Kamm, Ordowski & Przybocki (1997) [martin-1997]
    - Fawcett (2004), section 7.5.1 [fawcett-2004]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_det(study.det_curve())
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['5%', '20%', '50%', '80%', '95%']
    """
    require_frame("curve", curve, _NEEDED, "study.det_curve()")
    curve, _ = in_print(labels, curve)
    looks = looks_of(curve, colors, labels_in(labels, curve))
    ax = new_axes(width) if ax is None else ax
    ticks = _ticks(curve)
    high = float(ndtri(ticks[-1] / 100))
    ax.plot([-high, high], [high, -high], **CHANCE)

    def trace(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
        fpr, fnr = dense_rates(piece["fpr"].to_numpy(), piece["fnr"].to_numpy(), high)
        end = high + _BEYOND
        return np.clip(ndtri(fpr), -end, end), np.clip(ndtri(fnr), -end, end)

    lines = draw_lines(ax, curve, looks, trace, clip=True)
    crowded = len(ticks) > _MOST_LABELS
    shown = ticks[:: 2 if crowded else 1]
    texts = [f"{percent:g}%" for percent in shown]
    ax.set(xlim=(-high, high), ylim=(-high, high), aspect="equal")
    ax.set_xticks(ndtri(shown / 100), texts)
    ax.set_yticks(ndtri(shown / 100), texts)
    dress(ax, closed=True)
    ax.tick_params(labelsize=NOTE)
    ax.set(xlabel="False positive rate", ylabel="False negative rate")
    if len(looks.drawn) > 1:
        keyed = [lines[name] for name in looks.drawn]
        draw_words(ax, keyed, series_names(looks.drawn), loc="upper right", on_lines=False)
    return ax


def dense_rates(fpr: FloatArray, fnr: FloatArray, high: float) -> tuple[FloatArray, FloatArray]:
    """Return rates along a curve, dense enough to join their normal deviates by straight lines.

    Parameters
    ----------
    fpr, fnr : array of float
        Rates at the vertices; ``fpr`` never falls, ``fnr`` never rises.
    high : float
        Normal deviate at which the axes end.

    Returns
    -------
    fpr, fnr : array of float
        The vertices and the points at 400 evenly spaced deviates of each rate.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.present.plots.detection import dense_rates
    >>> fpr, fnr = dense_rates(np.array([0.0, 1.0]), np.array([1.0, 0.0]), 3.0)
    >>> len(fpr) > 400, bool(np.allclose(fpr + fnr, 1))
    (True, True)
    """
    # A class without members leaves NaN.
    if not (fpr[-1] == 1 and fnr[0] == 1):
        return fpr, fnr
    at = np.arange(len(fpr), dtype=np.float64)
    grid = ndtr(np.linspace(-high, high, _POINTS))
    # Where a rate is constant, `interp` may return any of its vertices: all vertices are kept.
    between = np.concatenate((at, np.interp(grid, fpr, at), np.interp(grid, fnr[::-1], at[::-1])))
    place = np.unique(between)
    return np.interp(place, at, fpr), np.interp(place, at, fnr)


def _ticks(curve: pd.DataFrame) -> FloatArray:
    """Return the percentages that label the axes, the outermost at their ends."""
    rates = np.concatenate([curve["fpr"].to_numpy(), curve["fnr"].to_numpy()])
    inside = np.minimum(rates, 1 - rates)
    least = 100 * inside[inside > 0].min(initial=_LEAST_RATE)
    # A rate and its complement reach equally far from the middle.
    percent = np.array(_PERCENT)
    lowest = max(np.searchsorted(percent, least, side="right") - 1, 0)
    return percent[lowest : len(percent) - lowest]
