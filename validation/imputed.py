"""Questions of the harness about imputed data sets: the answers of each, pooled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs


def studies_of(data: Mapping[str, Sequence[Any]]) -> list[rs.Study]:
    """Return the study of each imputed data set: the columns imputation, y, and the scores."""
    table = pd.DataFrame(dict(data))
    scores = [str(name) for name in table if name not in ("imputation", "y")]
    return [rs.Study("y", scores, data=part) for _, part in table.groupby("imputation")]


def pooled(
    studies: Sequence[rs.Study], *, question: str, df_complete: float | None = None, **options: Any
) -> pd.DataFrame:
    """Return the pooled answers to one question."""
    frames = [getattr(study, question)(**options) for study in studies]
    return rs.pool_imputations(frames, df_complete=df_complete)


def pooled_numbers(
    data: Mapping[str, Sequence[Any]],
    *,
    scale: str,
    df_complete: float | None = None,
) -> pd.DataFrame:
    """Return estimates and standard errors given as numbers, pooled as areas or differences."""
    y = [1] * 40 + [0] * 80
    study = rs.Study(y, {"a": np.arange(120) % 7, "b": np.arange(120) % 11})
    asked = study.auc() if scale == "auc" else study.compare_auc()
    frame, table = asked.iloc[:1], pd.DataFrame(dict(data)).query("scale == @scale")
    frames = [
        frame.assign(estimate=value, se=se, ci_low=0.0, ci_high=1.0)
        for value, se in zip(table["estimate"], table["se"], strict=True)
    ]
    return rs.pool_imputations(frames, df_complete=df_complete)


QUESTIONS: dict[str, Callable[..., pd.DataFrame]] = {
    "pool_imputations": pooled,
    "pooled_numbers": pooled_numbers,
}
