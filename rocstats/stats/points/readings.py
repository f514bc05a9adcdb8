"""The points of a curve where one of its rates is given."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from rocstats.curves.bands.average import tpr_at
from rocstats.curves.points.roc import RocPoints
from rocstats.sample.arrays import FloatArray
from rocstats.tolerances import SAME

Axis = Literal["fpr", "tpr"]
Reading = Literal["interpolated", "attained"]


class CurveReadings(NamedTuple):
    """Points of a curve at given rates of ``axis``; ``threshold`` is NaN between vertices."""

    axis: Axis
    threshold: FloatArray
    fpr: FloatArray
    tpr: FloatArray

    @property
    def given(self) -> FloatArray:
        """The rate that is given."""
        return self.fpr if self.axis == "fpr" else self.tpr

    @property
    def read(self) -> FloatArray:
        """The rate that is read off."""
        return self.tpr if self.axis == "fpr" else self.fpr


def read_curve(curve: RocPoints, axis: Axis, rates: FloatArray, reading: Reading) -> CurveReadings:
    """Return the points of a curve at rates of one axis.

    Parameters
    ----------
    curve : RocPoints
        A curve from (0, 0) to (1, 1).
    axis : {"fpr", "tpr"}
        The rate that is given.
    rates : ndarray, shape (G,)
        Rates in [0, 1].
    reading : {"interpolated", "attained"}
        On the line between vertices; or at the vertex with the largest FPR (least TPR) that does
        not go beyond (fall short of) the rate. Of a step, its best end.
    """
    # Rates given as decimals miss those of the curve by rounding: a rate within 1e-12 is attained.
    if axis == "fpr":
        vertex = np.searchsorted(curve.fpr, rates + SAME, side="right") - 1
    else:
        vertex = np.searchsorted(curve.tpr, rates - SAME, side="left")
    fpr, tpr = curve.fpr[vertex], curve.tpr[vertex]
    here = np.abs((fpr if axis == "fpr" else tpr) - rates) <= SAME
    if reading == "attained":
        return CurveReadings(axis, curve.threshold[vertex], fpr, tpr)
    threshold = np.where(here, curve.threshold[vertex], np.nan)
    if axis == "fpr":
        return CurveReadings(axis, threshold, rates, tpr_at(curve.fpr, curve.tpr, rates))
    # Axes exchanged, seen from (1, 1): the largest 1 - FPR at a given 1 - TPR is the least FPR.
    mirrored = tpr_at(1 - curve.tpr[::-1], 1 - curve.fpr[::-1], 1 - rates)
    return CurveReadings(axis, threshold, 1 - mirrored, rates)
