"""Rules that invert the decisions of a score inside its concavities, for new cases."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray
from rocstats.sample.inputs.columns import require_complete
from rocstats.sample.inputs.vectors import read_scores, read_vector


class NestedThresholds(NamedTuple):
    """Thresholds of A, B and C, the most conservative first; None calls nobody positive."""

    first: float | None
    middle: float
    last: float


class RepairedClassifier(NamedTuple):
    """Rules that invert the decisions of a score inside its concavities.

    Attributes
    ----------
    predictor : str
        The predictor of the study.
    higher_is_positive : bool
        Its direction.
    thresholds : tuple of NestedThresholds
        Those of each concavity.
    concavities : pandas.DataFrame
        One row a concavity: thresholds, deepest point, repaired point and test.
    points : pandas.DataFrame
        For each concavity A, B and C ("observed") and the repaired point ("repaired").
    """

    predictor: str
    higher_is_positive: bool
    thresholds: tuple[NestedThresholds, ...]
    concavities: pd.DataFrame
    points: pd.DataFrame

    def apply(self, scores: Any, *, concavity: int = 0) -> BoolArray:
        """Return which new cases are called positive by the repaired rule of a concavity.

        Parameters
        ----------
        scores : array-like of shape (n,)
            Scores of the predictor on the scale of the study.
        concavity : int, default 0
            Row of ``concavities``.
        """
        if concavity not in range(len(self.thresholds)):
            raise InputError(
                f"`concavity` must be a row of `concavities`, 0 to {len(self.thresholds) - 1};"
                f" got {concavity!r}. The study has {len(self.thresholds)} concavities."
            )
        vector = read_vector(scores, "scores")
        require_complete(vector)
        values = read_scores(vector)
        cuts = self.thresholds[concavity]
        sign = 1.0 if self.higher_is_positive else -1.0
        # Above A as A, between B and C as C, between A and B not: B' = A + C - B on nested calls.
        if cuts.first is None:
            first = np.zeros(len(values), dtype=bool)
        else:
            first = sign * values >= sign * cuts.first
        between = (sign * values >= sign * cuts.last) & (sign * values < sign * cuts.middle)
        return np.asarray(first | between)
