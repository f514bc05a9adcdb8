"""ROC curves on the unit square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.errors import InputError
from rocstats.present.text import format_estimate

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    FloatArray = np.ndarray[Any, np.dtype[np.float64]]

PALETTE = ("#17204f", "#a8321a", "#3f9fd4", "#dba92a")
"""Dark to light, so that the lines differ in grey, and apart for colour-blind readers."""

DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (7, 2, 1.5, 2)), (0, (2, 1.5)))

_VISIBLE = 2000
_LABEL_WIDTH = 46
_NEEDED = {
    "curve": ("predictor", "fold", "fpr", "tpr"),
    "auc": ("predictor", "quantity", "estimate", "ci_low", "ci_high", "confidence_level"),
    "band": ("predictor", "fpr", "tpr_low", "tpr_high"),
}
_SOURCE = {"curve": "study.roc_curve()", "auc": "study.auc()", "band": "study.roc_band()"}

Series = tuple[str, str]
"""Predictor and group ("" without groups): what has one colour and one line of the legend."""


def plot_roc(
    curve: pd.DataFrame,
    *,
    auc: pd.DataFrame | None = None,
    band: pd.DataFrame | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Return the axes on which the ROC curves are drawn.

    Parameters
    ----------
    curve : pandas.DataFrame
        Curves as ``study.roc_curve()`` gives them: one line for each predictor, group and fold.
    auc : pandas.DataFrame, optional
        Areas as ``study.auc()`` gives them, for the legend; one full area for each predictor and
        group of ``curve``.
    band : pandas.DataFrame, optional
        Bands of predictors in ``curve``: columns ``predictor, [group], fpr, tpr_low, tpr_high``,
        drawn translucent.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new square axes in a new pyplot figure, so that a notebook shows
        them. Nothing is shown or saved here.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or ``auc`` or ``band`` does not fit ``curve``.

    Notes
    -----
    Lines differ in colour, grey value and dashes, so that print in black and white keeps them
    apart. Curves of single folds are drawn thin in the colour of their predictor. The dotted
    diagonal is chance. A legend is drawn for several lines, or with ``auc``. Long curves are
    thinned to what can be seen: no point of a line moves by more than 1/2000 of an axis.

    References
    ----------
    Fawcett (2004), section 2 (ROC space) and figure 9 (curves of folds).

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> ax = rs.plot_roc(study.roc_curve(), auc=study.auc())
    >>> ax.get_legend().get_texts()[0].get_text()
    'score 0.717 (95% CI 0.571-0.828)'
    """
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(5, 5), layout="constrained")
    draw_roc(ax, curve, auc=auc, band=band)
    return ax


def draw_roc(
    ax: Axes,
    curve: pd.DataFrame,
    *,
    auc: pd.DataFrame | None = None,
    band: pd.DataFrame | None = None,
    style: str = "plain",
) -> None:
    """Draw ROC curves on given axes, the legend in the style of a journal.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    curve, auc, band : pandas.DataFrame
        See ``plot_roc``.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules of print the legend follows.

    Raises
    ------
    InputError
        See ``plot_roc``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import rocstats as rs
    >>> from rocstats.present.plots.roc import draw_roc
    >>> ax = Figure().subplots()
    >>> draw_roc(ax, rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22).roc_curve())
    >>> ax.get_xlim() == ax.get_ylim() == (0, 1)
    True
    """
    for argument, frame in (("curve", curve), ("auc", auc), ("band", band)):
        if argument == "curve" or frame is not None:
            _require_frame(argument, frame)
    names = list(dict.fromkeys(_series_of(curve)))
    labels = _labels(names, auc, style)
    _draw_square(ax)
    if band is not None:
        _draw_bands(ax, band, names)
    lines = _draw_curves(ax, curve, names)
    if len(names) > 1 or auc is not None:
        _draw_legend(ax, [lines[name] for name in names], labels, titled=auc is not None)


def visible_points(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points of a rising line that are needed to draw it.

    Parameters
    ----------
    x, y : array of float
        Coordinates in [0, 1], neither ever falling.

    Returns
    -------
    x, y : array of float
        At most 8004 of the points, first and last included.

    Notes
    -----
    The square is cut into cells 1/2000 wide, which is finer than a printed line. Since the line
    never falls, the points in one cell follow each other; between the first and the last of them,
    which are kept, the line cannot leave the cell, so that no part of it moves by more than the
    width of a cell. Between cells the segments are the original ones. Without this, a curve of
    10^6 rows takes seconds to draw and a vector file of 30 megabytes.

    Examples
    --------
    >>> import numpy as np
    >>> from rocstats.present.plots.roc import visible_points
    >>> line = np.linspace(0, 1, 1_000_001)
    >>> len(visible_points(line, line)[0]) < 8004
    True
    """
    cell = np.floor(_VISIBLE * x) + np.floor(_VISIBLE * y)
    changes = cell[1:] != cell[:-1]
    keep = np.append(changes, True) | np.append(True, changes)
    return x[keep], y[keep]


def _require_frame(argument: str, frame: Any) -> None:
    columns = list(getattr(frame, "columns", []))
    needed = _NEEDED[argument]
    if not set(needed) <= set(columns):
        got = f"columns {', '.join(map(str, columns))}" if columns else type(frame).__name__
        raise InputError(
            f"`{argument}` must have columns {', '.join(needed)}; got {got}."
            f" Pass {_SOURCE[argument]}."
        )
    if len(frame) == 0:
        raise InputError(f"`{argument}` must have rows; got 0. Pass {_SOURCE[argument]}.")


def _series_of(frame: pd.DataFrame) -> list[Series]:
    keys = [name for name in ("predictor", "group") if name in frame]
    found = frame[keys].drop_duplicates().astype(str)
    groups = found["group"] if "group" in found else [""] * len(found)
    return list(zip(found["predictor"], groups, strict=True))


def _labels(names: Sequence[Series], auc: pd.DataFrame | None, style: str) -> list[str]:
    texts = {} if auc is None else _area_texts(auc, style)
    labels = []
    for predictor, group in names:
        name = f"{predictor}, {group}" if group else predictor
        if auc is not None:
            found = texts.get((predictor, group), [])
            if len(found) != 1:
                raise InputError(
                    f"`auc` must have one full area for each curve; got {len(found)} for {name!r}."
                    " Pass auc() of the study that gave the curve."
                )
            short = _shortened(name)
            fits = len(short) + len(found[0]) < _LABEL_WIDTH
            labels.append(f"{short}{' ' if fits else chr(10)}{found[0]}")
        else:
            labels.append(_shortened(name))
    return labels


def _shortened(name: str) -> str:
    """Return a name that leaves room for the curves: its ends, if it is long."""
    return name if len(name) <= _LABEL_WIDTH else f"{name[: _LABEL_WIDTH - 13]}…{name[-12:]}"


def _area_texts(auc: pd.DataFrame, style: str) -> dict[Series, list[str]]:
    texts: dict[Series, list[str]] = {}
    for _, row in auc[auc["quantity"] == "auc"].iterrows():
        text = format_estimate(
            row["estimate"],
            row["ci_low"],
            row["ci_high"],
            confidence_level=row["confidence_level"],
            style=style,
            guard=(0, 1),
        )
        texts.setdefault((str(row["predictor"]), str(row.get("group", ""))), []).append(text)
    return texts


def _draw_square(ax: Axes) -> None:
    ax.plot([0, 1], [0, 1], color="0.4", linewidth=1.0, linestyle=":", zorder=1)
    ticks = np.linspace(0, 1, 6)
    ax.set(
        xlim=(0, 1),
        ylim=(0, 1),
        xticks=ticks,
        yticks=ticks,
        aspect="equal",
        xlabel="False positive rate (1 − specificity)",
        ylabel="True positive rate (sensitivity)",
    )
    for spine in ax.spines.values():
        spine.set_linewidth(0.8)


def _draw_bands(ax: Axes, band: pd.DataFrame, names: Sequence[Series]) -> None:
    for name, piece in _pieces(band, ["predictor", "group"]):
        if name not in names:
            raise InputError(
                f"`band` must be of predictors (and groups) in `curve`; got {name[0]!r}."
                " Pass the band of the same study."
            )
        ax.fill_between(
            piece["fpr"].to_numpy(),
            piece["tpr_low"].to_numpy(),
            piece["tpr_high"].to_numpy(),
            color=PALETTE[names.index((name[0], name[1])) % len(PALETTE)],
            alpha=0.2,
            linewidth=0,
            zorder=1.5,
        )


def _draw_curves(ax: Axes, curve: pd.DataFrame, names: Sequence[Series]) -> dict[Series, Line2D]:
    lines: dict[Series, Line2D] = {}
    for (predictor, group, fold), piece in _pieces(curve, ["predictor", "group", "fold"]):
        index = names.index((predictor, group))
        x, y = visible_points(piece["fpr"].to_numpy(), piece["tpr"].to_numpy())
        (line,) = ax.plot(
            x,
            y,
            color=PALETTE[index % len(PALETTE)],
            # Each time the colours are used up, the dashes shift by one against them.
            linestyle=DASHES[(index + index // len(PALETTE)) % len(DASHES)],
            linewidth=0.7 if fold else 1.6,
            zorder=2 if fold else 3,
            clip_on=False,
        )
        if not fold or (predictor, group) not in lines:
            lines[predictor, group] = line
    return lines


def _pieces(frame: pd.DataFrame, keys: Sequence[str]) -> list[tuple[Any, pd.DataFrame]]:
    """Return the rows of each combination of keys in order; a key that is no column is ""."""
    present = [key for key in keys if key in frame]
    pieces = []
    for values, piece in frame.groupby(present, sort=False):
        labels = dict(zip(present, values, strict=True))
        pieces.append((tuple(str(labels.get(key, "")) for key in keys), piece))
    return pieces


def _draw_legend(ax: Axes, lines: list[Line2D], labels: list[str], *, titled: bool) -> None:
    legend = ax.legend(
        lines,
        # Placeholders: older matplotlib leaves out a label that starts with "_".
        [str(i) for i in range(len(lines))],
        loc="lower right",
        title="Area under the curve" if titled else None,
        alignment="left",
        framealpha=0.8,
        edgecolor="none",
        handlelength=3.2,
        fontsize="small" if len(lines) < 7 else "xx-small",
        title_fontsize="small",
    )
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_parse_math(False)
        text.set_text(label)
