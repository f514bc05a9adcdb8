"""The committed tables of the simulations."""

from __future__ import annotations

import pandas as pd

from validation.files import ROOT


def read(name: str) -> pd.DataFrame:
    """Return a committed table: ``"coverage/auc"`` is validation/coverage/auc.csv."""
    return without_gaps(pd.read_csv(ROOT / f"{name}.csv"))


def without_gaps(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with an empty text where a column of texts has none."""
    texts = {name: "" for name in frame if frame[name].dtype.kind not in "biuf"}
    return frame.fillna(texts)
