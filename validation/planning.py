"""Questions of the harness about plans: a design is written as its kind and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

import rocstats as rs

DESIGNS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind
    for kind in (rs.OneAUC, rs.TwoAUCs, rs.PairedAUCs, rs.OneRate, rs.PairedRates)
}


def planned(ask: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    """Return a question that reads a design; a pilot is the study of the case itself."""

    def answer(
        data: Any, *, kind: str, design: Mapping[str, Any], **arguments: Any
    ) -> pd.DataFrame:
        keywords: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in design.items()
        }
        if kind == "PilotAUCs":
            return ask(rs.PilotAUCs(data, **keywords), **arguments)
        return ask(DESIGNS[kind](**keywords), **arguments)

    return answer


QUESTIONS: dict[str, Callable[..., pd.DataFrame]] = {
    "sample_size": planned(rs.sample_size),
    "power": planned(rs.power),
}
