"""The ROC figure of a report, as SVG text inside the page."""

from __future__ import annotations

import io
import warnings
from html import escape
from typing import TYPE_CHECKING

from rocstats.present.plots.roc import roc_figure

if TYPE_CHECKING:
    import pandas as pd

# Without the date, and with a fixed salt for the ids of elements, a page is the same on every run.
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
# Letters stay text, which readers can select and search.
_SETTINGS = {"svg.hashsalt": "rocstats", "svg.fonttype": "none"}


def roc_svg(
    curve: pd.DataFrame,
    auc: pd.DataFrame,
    band: pd.DataFrame | None = None,
    *,
    style: str = "plain",
    description: str = "",
) -> str:
    """Return the ROC figure as an SVG element; equal frames give equal text.

    Parameters
    ----------
    curve, auc, band : pandas.DataFrame
        Curves, areas and bands, see ``rocstats.present.plots.roc.plot_roc``.
    style : str, default "plain"
        Name of a style for the legend, see ``rocstats.present.styles``.
    description : str, default ""
        Text for readers who cannot see the figure.

    Returns
    -------
    str
        ``<svg ...>...</svg>`` without date. Letters are kept as text, so that the reader's own
        fonts draw them in any script.

    Raises
    ------
    InputError
        If a frame lacks columns or rows, or is not of the predictors in ``curve``.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.present.report.figure import roc_svg
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> roc_svg(study.roc_curve(), study.auc())[:5]
    '<svg '
    """
    import matplotlib.style

    buffer = io.StringIO()
    with matplotlib.style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # This machine's fonts only measure the space of a name: a glyph they lack is no problem.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = roc_figure(curve, auc=auc, band=band, style=style)
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    text = buffer.getvalue()
    element = text[text.index("<svg ") :].rstrip()
    label = escape(description, quote=True)
    return element.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
