"""Areas under the curve over time, with bands or intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.frames.labels import labelled, labels_in
from rocstats.present.plots.shared.axes import series_names
from rocstats.present.plots.shared.keys import draw_words
from rocstats.present.plots.shared.lines import draw_lines
from rocstats.present.plots.shared.looks import Colors, Looks, looks_of
from rocstats.present.plots.shared.palette import BAND, BAND_OF_SEVERAL, CHANCE, EDGE
from rocstats.present.plots.shared.series import pieces_of, require_frame
from rocstats.present.plots.shared.sizes import Width, dress, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_FRAME = ("predictor", "time", "estimate", "ci_low", "ci_high")
_RATIO = 0.75  # height by width

# Intervals of several predictors at one time stand side by side, this share of the axis apart.
_APART = 0.008


def plot_auc_over_time(
    frame: pd.DataFrame,
    *,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw areas under the curve over time with their limits, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Areas at several times from ``SurvivalStudy.auc_band()``: the limits, which hold at all
        times together, are a band. Those from ``SurvivalStudy.auc()``, which hold at one time each,
        are bars.
    labels : mapping of str to str, optional
        What predictors are called; by default the labels of the study. Names that the frame lacks
        are passed over.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows.

    Notes
    -----
    The area at a time is that of the patients who have had the event by then against those who have
    not: both change along the axis. Estimates are joined by lines, and so are the limits of a band,
    which hold at the times of the frame. The dotted line is chance.

    References
    ----------
    - Blanche, Dartigues & Jacqmin-Gadda (2013) [blanche-2013]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import numpy as np
    >>> import rocstats as rs
    >>> k = np.arange(1, 41)
    >>> months, died = np.ceil((37 * k % 41) / 2), 11 * k % 3 > 0
    >>> study = rs.SurvivalStudy(months, died, (50 - months) / 3 + 29 * k % 19, predictor="marker")
    >>> ax = rs.plot_auc_over_time(study.auc_band(time=[6, 8, 10, 12, 14]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Time', 'AUC')
    """
    require_frame("frame", frame, _FRAME, "study.auc_band(time=[...])")
    known = labels_in(labels, frame)
    frame = labelled(frame, known)
    looks = looks_of(frame, colors, known)
    ax = new_axes(width, ratio=_RATIO) if ax is None else ax
    ax.axhline(0.5, **CHANCE)
    lines = draw_lines(ax, frame, looks, _areas, clip=True)
    joint = "scope" in frame and (frame["scope"] == "simultaneous").all()
    (_draw_bands if joint else _draw_bars)(ax, frame, looks)
    low = float(np.nanmin([0.5, *frame["ci_low"]]))
    # Tenths: the lowest limit is never on the axis itself.
    ax.set(ylim=(max(np.floor(10 * low - 1e-9) / 10, 0.0), 1.0), xlabel="Time", ylabel="AUC")
    dress(ax)
    if len(looks.drawn) > 1:
        names = series_names(looks.drawn)
        draw_words(ax, [lines[name] for name in looks.drawn], names)
    return ax


def _areas(piece: pd.DataFrame) -> tuple[Any, Any]:
    return piece["time"].to_numpy(), piece["estimate"].to_numpy()


def _draw_bands(ax: Axes, frame: pd.DataFrame, looks: Looks) -> None:
    pieces = pieces_of(frame, ["predictor", "group"])
    alpha = BAND if len(pieces) == 1 else BAND_OF_SEVERAL
    for name, piece in pieces:
        x, low, high = (piece[c].to_numpy() for c in ("time", "ci_low", "ci_high"))
        # Below all curves (2 and up), above the dotted line of chance (1).
        ax.fill_between(
            x, low, high, color=looks.colour(name), alpha=alpha, linewidth=0, zorder=1.5
        )
        if len(pieces) > 1:
            edge = {**looks.line(name), "linewidth": EDGE, "zorder": 1.8}
            for limit in (low, high):
                ax.plot(x, limit, **edge)


def _draw_bars(ax: Axes, frame: pd.DataFrame, looks: Looks) -> None:
    span = float(np.ptp(frame["time"])) or 1.0
    middle = (len(looks.drawn) - 1) / 2
    for i, (name, piece) in enumerate(pieces_of(frame, ["predictor", "group"])):
        x = piece["time"] + (i - middle) * _APART * span
        look: dict[str, Any] = {"color": looks.colour(name), "zorder": 3}
        ax.vlines(x, piece["ci_low"], piece["ci_high"], linewidth=EDGE, **look)
        ax.plot(x, piece["estimate"], looks.marker(name), markersize=3.5, **look)
