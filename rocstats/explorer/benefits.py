"""How sensitivity and false positive rate go together in clusters, read off net benefits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.explorer.presets import number_or_none

if TYPE_CHECKING:
    from rocstats.tables.protocols import StudyLike


# Three net benefits at one cutoff and prevalence give both variances and the covariance: at a
# prevalence of one half and odds w, 4 se^2 = V(tpr) + w^2 V(fpr) - 2 w C.
_HALF = 0.5
_RISKS = (0.2, 0.5, 0.8)  # odds of 1/4, 1 and 4: terms far apart


def benefits_at(
    study: StudyLike, cutoffs: Mapping[str, Sequence[float]]
) -> list[pd.DataFrame] | None:
    """Return net benefits of a study with clusters at cutoffs, for ``rate_correlation``.

    Parameters
    ----------
    study : Study
        The study.
    cutoffs : mapping of str to sequence of float
        Finite cutoffs of each predictor.

    Returns
    -------
    list of pandas.DataFrame, or None
        One frame for each turn through the cutoffs; none if a predictor has no cutoff or the study
        refuses. None without clusters, where both rates are independent.
    """
    if study.cluster is None:
        return None
    if any(not cutoffs.get(name) for name in study.predictors):
        return []
    frames = []
    for turn in range(max(map(len, cutoffs.values()))):
        at = {name: own[min(turn, len(own) - 1)] for name, own in cutoffs.items()}
        thresholds = {name: dict.fromkeys(_RISKS, cut) for name, cut in at.items()}
        try:
            frame = study.net_benefit(risk_threshold=_RISKS, prevalence=_HALF, threshold=thresholds)
        except InputError:  # predictors with cases of their own
            return []
        frames.append(frame)
    return frames


def rate_correlation(rows: pd.DataFrame) -> float | None:
    """Return the correlation of sensitivity and false positive rate; None where it is not known.

    Parameters
    ----------
    rows : pandas.DataFrame
        Rows of one predictor, group and cutoff of ``benefits_at``.
    """
    rows = rows[rows["quantity"] == "net_benefit"].sort_values("risk_threshold")
    odds = np.array([risk / (1 - risk) for risk in _RISKS])
    if len(rows) != len(odds) or rows["se"].isna().any():
        return None
    terms = np.column_stack([np.ones(len(odds)), odds**2, -2 * odds])
    var_tpr, var_fpr, covariance = np.linalg.solve(terms, (rows["se"].to_numpy() / _HALF) ** 2)
    if min(var_tpr, var_fpr) <= 0:  # all of a class are called alike
        return 0.0
    return number_or_none(np.clip(covariance / np.sqrt(var_tpr * var_fpr), -1, 1))
