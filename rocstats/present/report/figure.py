"""The ROC figure as text that stands inside a page."""

from __future__ import annotations

import io
import warnings
from html import escape
from typing import TYPE_CHECKING

from rocstats.present.plots.roc import draw_roc

if TYPE_CHECKING:
    import pandas as pd

_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_SETTINGS = {"svg.hashsalt": "rocstats", "svg.fonttype": "none"}


def roc_svg(
    curve: pd.DataFrame,
    auc: pd.DataFrame,
    band: pd.DataFrame | None = None,
    *,
    style: str = "plain",
    description: str = "",
) -> str:
    """Return the ROC figure as an SVG element; the same frames give the same text.

    Parameters
    ----------
    curve, auc, band : pandas.DataFrame
        Curves, areas and bands, see ``rocstats.present.plots.roc.plot_roc``.
    style : {"plain", "jama", "radiology", "nejm", "bmj"}, default "plain"
        Whose rules of print the legend follows.
    description : str, default ""
        What readers who cannot see the figure are told.

    Returns
    -------
    str
        ``<svg ...>...</svg>`` without date, and with letters kept as text: the reader's own fonts
        draw them, whatever the script of a name.

    Raises
    ------
    InputError
        If the frames do not fit together.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.present.report.figure import roc_svg
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> roc_svg(study.roc_curve(), study.auc())[:5]
    '<svg '
    """
    import matplotlib.style
    from matplotlib.figure import Figure

    buffer = io.StringIO()
    with matplotlib.style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # Only the space a name needs is measured with this machine's fonts.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure = Figure(figsize=(5, 5), layout="constrained")
        draw_roc(figure.subplots(), curve, auc=auc, band=band, style=style)
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    text = buffer.getvalue()
    element = text[text.index("<svg ") :].rstrip()
    label = escape(description, quote=True)
    return element.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
