"""The figures of a report: the ROC curve, the scores, the resampled cutpoints, the subgroups."""

from __future__ import annotations

import io
import warnings
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rocstats.present.plots.cutpoints import plot_cutpoint_draws, plot_scores
from rocstats.present.plots.forest import plot_forest
from rocstats.present.plots.roc import draw_roc
from rocstats.present.plots.shared.sizes import unshown_figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from rocstats.present.report.answers import Answers

# Without the date, and with a fixed salt for the ids of elements, a page is the same on every run.
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
# Letters stay text, which readers can select and search.
_SETTINGS = {"svg.hashsalt": "rocstats", "svg.fonttype": "none"}

# Height by width, as `plot_scores` and `plot_cutpoint_draws` draw them.
_RATIO_OF_SCORES, _RATIO_OF_DOTS = 0.8, 0.6


class Series(NamedTuple):
    """A predictor, in a group if there are any, whose scores are drawn."""

    predictor: str
    group: str = ""


def roc_figure(answers: Answers, style: str) -> Figure:
    """Return the ROC curves with areas, bands and cutoffs."""
    figure, ax = unshown_figure()
    points = answers.given if answers.given is not None else answers.chosen
    draw_roc(
        ax, answers.curve, auc=answers.auc, band=answers.band, points=_known(points), style=style
    )
    return figure


def scores_figure(answers: Answers, series: Series) -> Figure:
    """Return the scores of both classes of a predictor with its first cutoff."""
    figure, ax = unshown_figure()
    figure.set_figheight(_RATIO_OF_SCORES * figure.get_figwidth())
    plot_scores(_of(answers.curve, series), cutpoints=_cut(answers, series), ax=ax)
    return figure


def draws_figure(answers: Answers, series: Series) -> Figure:
    """Return the cutpoints of a predictor in resamples."""
    assert answers.draws is not None
    figure, ax = unshown_figure()
    figure.set_figheight(_RATIO_OF_DOTS * figure.get_figwidth())
    plot_cutpoint_draws(_of(answers.draws, series), cutpoints=_cut(answers, series), ax=ax)
    return figure


def forest_figure(areas: pd.DataFrame) -> Figure:
    """Return the areas of all groups one below the other."""
    figure, ax = unshown_figure("page")
    plot_forest(areas, ax=ax)
    return figure


def svg_of(figure: Figure, description: str) -> str:
    """Return a figure as an SVG element without date; equal figures give equal text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure. Letters are kept as text, so that the reader's own fonts draw them in any
        script.
    description : str
        Text for readers who cannot see the figure.
    """
    import matplotlib.style

    buffer = io.StringIO()
    with matplotlib.style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # This machine's fonts only measure the space of a name: a glyph they lack is no problem.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(buffer, format="svg", metadata=_NO_METADATA)
    text = buffer.getvalue()
    element = text[text.index("<svg ") :].rstrip()
    label = escape(description, quote=True)
    return element.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def _known(points: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return the points whose rates are known, and none at an infinite cutoff; None without any."""
    if points is None:
        return None
    rates = points[points["quantity"].isin(["tpr", "tnr"])]
    kept = rates[rates["estimate"].notna() & np.isfinite(rates["threshold"])]
    kept.attrs = points.attrs
    return kept if len(kept) else None


def _cut(answers: Answers, series: Series) -> pd.DataFrame | None:
    """Return the cutoff of a predictor as ``plot_scores`` reads it: set before, else chosen."""
    if answers.given is not None:
        rows = _of(answers.given, series).head(1)
        if len(rows):
            at = rows["threshold"]
            limits = {"estimate": at, "ci_low": at, "ci_high": at, "confidence_level": np.nan}
            return rows.assign(quantity="threshold", **limits)
    if answers.chosen is None:
        return None
    rows = _of(answers.chosen, series)
    return rows if np.isfinite(rows["threshold"]).all() and len(rows) else None


def _of(frame: pd.DataFrame, series: Series) -> pd.DataFrame:
    keep = frame["predictor"] == series.predictor
    if series.group:
        keep &= frame["group"] == series.group
    kept = frame[keep].reset_index(drop=True)
    kept.attrs = frame.attrs
    return kept
