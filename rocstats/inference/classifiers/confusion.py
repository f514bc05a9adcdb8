"""Rates of the confusion tables of discrete classifiers [fawcett-2004]."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.measures import Cells, measures
from rocstats.frame.make import make_frame
from rocstats.frame.question import Question, columns_in
from rocstats.study.tables import ConfusionTables, read_confusion_tables

CONFUSION_RATES = Question(
    "confusion_rates",
    columns_in("predictor kind fp tp fpr tpr fnr tnr ppv npv accuracy f1 n_pos n_neg"),
    ("fawcett-2004",),
)
Negate = Literal["below-diagonal", "all"]


def confusion_rates(tables: Any, *, negate: Negate | None = None) -> pd.DataFrame:
    """Return error rates and predictive values of discrete classifiers; a row is one classifier.

    Parameters
    ----------
    tables : dict or dataframe
        Confusion tables of named classifiers. A dict has values ``(tp, fn, fp, tn)``, or dicts with
        these keys. A frame (pandas, polars, ...) has these columns and one row per classifier; the
        column ``predictor``, or else the index of a pandas frame, contains the names. Counts are
        whole numbers >= 0.
    negate : {"below-diagonal", "all"}, optional
        Classifiers with an additional row of kind "negated": classifiers below the diagonal, or
        all. In this row every decision is reversed. By default there are no such rows.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, kind, fp, tp, fpr, tpr, fnr, tnr, ppv, npv, accuracy, f1, n_pos,
        n_neg``, in the order of ``tables``; ``kind`` is "observed" or "negated". A negated row
        follows the observed row.

    Raises
    ------
    InputError
        If a table lacks a cell; if a count is negative or not whole; or if a name occurs twice.

    Notes
    -----
    - tpr = tp/(tp + fn) is the hit rate, recall or sensitivity.
    - fpr = fp/(fp + tn) is the false alarm rate.
    - tnr = 1 - fpr is the specificity, and fnr = 1 - tpr is the miss rate.
    - ppv = tp/(tp + fp) is the precision, and npv = tn/(tn + fn).
    - f1 = 2 tp/(2 tp + fp + fn) is the harmonic mean of precision and recall.

    A rate whose denominator is 0 is NaN.

    A classifier below the diagonal (tpr < fpr, compared on counts) has information in the wrong
    direction. The negated classifier has the point (1 - fpr, 1 - tpr). Decide on other data whether
    to negate a classifier: the rates in the same data are optimistic. The rates have no intervals;
    for intervals use ``Study.from_confusion``.

    References
    ----------
    - Fawcett (2004), section 1 with figure 1, section 2 with figure 2, section 2.1 [fawcett-2004]

    Examples
    --------
    C guesses, D is perfect, E is the negation of B (Fawcett's figure 2):

    >>> import rocstats as rs
    >>> tables = {"B": (8, 2, 3, 7), "C": (7, 3, 7, 3), "D": (10, 0, 0, 10), "E": (2, 8, 7, 3)}
    >>> rates = rs.confusion_rates(tables, negate="below-diagonal")
    >>> rates[["predictor", "kind", "fpr", "tpr", "ppv", "accuracy"]].round(2)
      predictor      kind  fpr  tpr   ppv  accuracy
    0         B  observed  0.3  0.8  0.73      0.75
    1         C  observed  0.7  0.7  0.50      0.50
    2         D  observed  0.0  1.0  1.00      1.00
    3         E  observed  0.7  0.2  0.22      0.25
    4         E   negated  0.3  0.8  0.73      0.75
    """
    negate = require_choice("negate", negate, (None, *get_args(Negate)))
    observed = read_confusion_tables(tables)
    everyone = np.full(len(observed.names), negate == "all")
    chosen = below_diagonal(observed) if negate == "below-diagonal" else everyone
    place = np.concatenate([np.arange(len(chosen)), np.flatnonzero(chosen)])
    order = np.argsort(place, kind="stable")  # stable: a negated row follows its observed row
    kinds = ["observed"] * len(chosen) + ["negated"] * int(chosen.sum())
    columns: dict[str, Any] = {
        "predictor": [observed.names[i] for i in place[order]],
        "kind": [kinds[i] for i in order],
    }
    tp, fn, fp, tn = observed.tp, observed.fn, observed.fp, observed.tn
    of_negated = _confusion_rate_columns(Cells(fn, tp, tn, fp))  # every decision reversed
    for name, values in _confusion_rate_columns(Cells(tp, fn, fp, tn)).items():
        columns[name] = np.concatenate([values, of_negated[name][chosen]])[order]
    return make_frame(CONFUSION_RATES, columns, grouped=False)


_FIGURE_1 = ("fpr", "tpr", "fnr", "tnr", "ppv", "npv", "accuracy", "f1")


def _confusion_rate_columns(cells: Cells) -> dict[str, FloatArray]:
    """Return counts and the rates of Fawcett's figure 1; a rate that is 0 / 0 is NaN."""
    counts = {"fp": cells.fp, "tp": cells.tp}
    sizes = {"n_pos": cells.tp + cells.fn, "n_neg": cells.fp + cells.tn}
    return {**counts, **measures(cells, _FIGURE_1), **sizes}


def below_diagonal(tables: ConfusionTables) -> BoolArray:
    """Return whether each classifier is below the diagonal, tpr < fpr."""
    # tp / n_pos < fp / n_neg, multiplied out: exact on counts, and defined for an empty class.
    return np.asarray(tables.tp * tables.tn < tables.fp * tables.fn)
