"""The question that each subgroup is asked: one that the study answers for all cases."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from rocstats.curves.points.measures import MEASURES
from rocstats.sample.sample import Sample

_CALIBRATION = ("observed_expected_ratio", "calibration_intercept", "calibration_slope")
_SCORES = ("brier_score", "scaled_brier_score", "log_score")
_COMPARED = ("tpr", "tnr", "ppv", "npv", "accuracy", "balanced_accuracy", "youden", "f1", "mcc")
_COMPARED_SCORES = ("brier_score", "log_score")


def quantities_of(reference: str | None) -> tuple[str, ...]:
    """Return the quantities that can be asked for, with or without a reference."""
    if reference is None:
        return ("auc", *MEASURES, *_CALIBRATION, *_SCORES)
    return ("auc", *_COMPARED, *_COMPARED_SCORES)


class Asked(NamedTuple):
    """What is asked: a quantity, the threshold it is at, the reference, the level of limits."""

    quantity: str
    threshold: Any
    reference: str | None
    confidence_level: float

    @property
    def at_threshold(self) -> bool:
        """Whether the quantity is that of an operating point."""
        return self.quantity in MEASURES

    @property
    def question(self) -> tuple[str, dict[str, Any]]:
        """The question of the study that has the quantity, and its options."""
        if self.reference is None:
            if self.quantity == "auc":
                return "auc", {}
            if self.at_threshold:
                return "operating_points", {
                    "threshold": self.threshold,
                    "quantities": [self.quantity],
                }
            return ("calibration" if self.quantity in _CALIBRATION else "probability_scores"), {}
        paired: dict[str, Any] = {"reference": self.reference, "adjust": "none"}
        if self.quantity == "auc":
            return "compare_auc", paired
        if self.at_threshold:
            paired |= {"threshold": self.threshold, "quantities": [self.quantity]}
            return "compare_operating_points", paired
        return "compare_probability_scores", {**paired, "quantity": self.quantity}


def ask(sample: Sample, asked: Asked) -> pd.DataFrame:
    """Return the rows of the quantity, one for each predictor, or pair."""
    name, options = asked.question
    # The questions of other topics, which a study has as methods: their estimates and limits are
    # then those of the questions themselves.
    question = getattr(sample, name)
    frame: pd.DataFrame = question(**options, confidence_level=asked.confidence_level)
    return frame[frame["quantity"] == asked.quantity].reset_index(drop=True)
