"""Scores counted where they are: one row for each cell of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.questions import Question
from rocstats.sample.engines.bounds import excess
from rocstats.sample.engines.in_memory import InMemory
from rocstats.sample.engines.inputs import Columns, Precision, finer, read_by, read_precision
from rocstats.sample.engines.on_engine import OnEngine
from rocstats.sample.engines.table import COUNT_COLUMNS, Counts, frame_of, require_both_classes

COUNT_SCORES = Question("count_scores", COUNT_COLUMNS, ("delong-1988", "dekker-1971"))


def count_scores(
    frame: Any,
    label: str,
    score: str,
    *,
    pos_label: Any = None,
    by: str | Sequence[str] = (),
    bits: int | None = None,
    exact: bool = False,
    tolerance: float | None = None,
) -> pd.DataFrame:
    """."""
    columns = Columns(label, score, read_by(by))
    precision = read_precision(bits, exact, tolerance)
    in_memory = isinstance(frame, (pd.DataFrame, Mapping))
    source = (InMemory if in_memory else OnEngine)(frame, columns, pos_label)
    counts, used = counted(source, precision)
    about = {"engine": source.engine, "bits": used}
    return frame_of(COUNT_SCORES, counts, exact=exact, about=about)


def counted(source: InMemory | OnEngine, precision: Precision) -> tuple[Counts, int | None]:
    """Return counts that are fine enough, and their bits (None where each score is counted)."""
    bits = precision.bits
    counts = source.count(bits)
    require_both_classes(counts)
    ratio = 0.0 if bits is None else excess(counts, precision.tolerance)
    coarse = ratio
    while bits is not None and ratio > 1:
        bits = finer(bits, ratio)
        counts = source.count(bits)
        ratio = 0.0 if bits is None else excess(counts, precision.tolerance)
    if coarse > 1 and precision.tolerance is None:
        raise InputError(
            f"`bits` must keep the error of the area below a tenth of its standard error; got"
            f" {precision.bits}, with a bound of {coarse / 10:.2g} standard errors. Pass"
            f" {'exact=True' if bits is None else f'bits={bits}'}, which is enough for these data."
        )
    return counts, bits
