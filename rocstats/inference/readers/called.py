"""Sensitivity and specificity of readers at thresholds fixed beforehand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.measures import Cells, measure
from rocstats.curves.points.roc import roc_points
from rocstats.frames.questions import Question
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.readers.rows import Subject
from rocstats.sample.counts.cases import ScoredCases
from rocstats.stats.points.cluster_tables import cluster_tables
from rocstats.stats.points.tables import PointTables

NO_RATE: dict[str, Any] = {"fpr": np.nan, "n_resamples": 0}
"""The columns of the false positive rate where thresholds are given."""


class CalledSubject(NamedTuple):
    """Rates of calls at thresholds."""

    subject: Subject

    def finished(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row of averages with the columns of a rate that is not given."""
        return {**row, **NO_RATE}

    def reader_row(
        self, question: Question, i: int, j: int, confidence_level: float
    ) -> dict[str, Any]:
        """Return a rate of one reader, as ``Study.operating_points`` has it."""
        subject, quantity = self.subject, self.subject.quantity
        cases = subject.part.curve(i, j).cases
        about = {**subject.reader_columns(i, j), **NO_RATE, "confidence_level": confidence_level}
        if cases.lacks_class:
            return unanswered(question, about, ["reader-one-class", *subject.codes()])
        tables = _tables(cases, float(subject.at[i]["threshold"]))
        bars = tables.rate(quantity, "wilson", confidence_level)
        return {
            **about,
            "estimate": float(measure(quantity, tables.cells)[0]),
            "se": float(bars.se[0]),
            "ci_low": float(bars.low[0]),
            "ci_high": float(bars.high[0]),
            "df": np.inf,
            "method": f"{tables.source}/wilson",
            "note": subject.codes(),
        }


def _tables(cases: ScoredCases, threshold: float) -> PointTables:
    """Return the counts of one reader at a threshold."""
    curve = roc_points(cases.counts(0), higher_is_positive=cases.higher_is_positive[0])
    vertex = vertex_at(curve, np.array([threshold]))
    tp, fp = curve.tp[vertex], curve.fp[vertex]
    cells = Cells(tp, curve.tp[-1] - tp, fp, curve.fp[-1] - fp)
    clusters = None if cases.cluster is None else cluster_tables(cases, 0, vertex)
    return PointTables(cells, float(curve.tp[-1]), float(curve.fp[-1]), clusters)
