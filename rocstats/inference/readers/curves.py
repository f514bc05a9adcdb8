"""The ROC curve of each reader, and the average curve of each modality."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd

from rocstats.curves.average import macro_curve
from rocstats.curves.roc import (
    Numbers,
    RocPoints,
    Texts,
    Ties,
    curve_frame,
    roc_columns,
    roc_points,
)
from rocstats.errors import require_choice
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import Question, columns_in
from rocstats.inference.readers.endpoints import ALL
from rocstats.study.base import warned_doubts
from rocstats.study.readers import ReaderSample

READER_ROC_CURVE = Question(
    "reader_roc_curve",
    columns_in("modality group reader direction threshold next_score fpr tpr fp tp"),
    ("fawcett-2004",),
)


def reader_roc_curve(sample: ReaderSample, *, ties: Ties = "expected") -> pd.DataFrame:
    """Return the ROC curve of each reader and the average of each modality; a row is one vertex.

    Parameters
    ----------
    ties : {"expected", "optimistic", "pessimistic"}, default "expected"
        Treatment of ratings that are tied between the classes.

        - "expected": a sloped line segment.
        - "optimistic": positives are ranked first.
        - "pessimistic": negatives are ranked first.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, direction, threshold, next_score, fpr, tpr, fp, tp``.
        Each modality has the curves of its readers, from (0, 0) with an infinite threshold, then
        the average (``reader`` "all") without thresholds and counts (NaN).

    Raises
    ------
    InputError
        If ``ties`` is not one of these options.

    Warns
    -----
    StatisticalWarning
        If a reader read only one class (``reader-one-class``). A rate of this reader's curve is
        then NaN, and the average omits the reader.

    Notes
    -----
    The average is vertical: the mean of the readers' true positive rates at each false positive
    rate, with equal weights. Its area is the mean of the readers' areas. The curve of the pooled
    ratings is different; it is lower if readers use the scale differently. The average is not the
    curve of a decision rule that a reader could apply.

    References
    ----------
    - Fawcett (2004), section 6.1 [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> curve = study.roc_curve()
    >>> average = curve[(curve["reader"] == "all") & (curve["modality"] == "FFDM")]
    >>> average[["fpr", "tpr"]].head(3).round(3)
           fpr    tpr
    866  0.000  0.000
    867  0.000  0.201
    868  0.029  0.216
    """
    ties = require_choice("ties", ties, get_args(Ties))
    curves: list[tuple[Texts, Numbers]] = []
    codes: list[str] = []
    for group, part in sample.by_group():
        for i, modality in enumerate(part.modalities):
            higher = part.higher_is_positive[i]
            texts = {
                "modality": modality,
                "group": group,
                "direction": ">=" if higher else "<=",
            }
            whole = []
            for j in np.flatnonzero(part.reads.has_read[i].any(axis=1)):
                cases = part.curve(i, int(j)).cases
                points = roc_points(cases.counts(0), higher_is_positive=higher, ties=ties)
                curves.append(({**texts, "reader": part.readers[j]}, roc_columns(points)))
                if cases.lacks_class:
                    codes.append("reader-one-class")
                else:
                    whole.append(points)
            # Without a threshold there is no side of it.
            average_of = {**texts, "reader": ALL, "direction": ""}
            curves.append((average_of, _average_reader_curve(whole)))
    warn_of_doubts(codes, warned_doubts(sample))
    return curve_frame(READER_ROC_CURVE, curves, sample)


def _average_reader_curve(curves: list[RocPoints]) -> Numbers:
    """Return the number columns of the vertical average; NaN of no curve."""
    fpr, tpr = macro_curve(curves) if curves else (np.array([0.0, 1.0]), np.full(2, np.nan))
    unknown = np.full(len(fpr), np.nan)
    return {
        **dict.fromkeys(("threshold", "next_score", "fp", "tp"), unknown),
        "fpr": fpr,
        "tpr": tpr,
    }
