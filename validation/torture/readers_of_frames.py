"""What takes the frames of answers: tables, figures, pooling, ``brief`` and the report.

Each may refuse a frame by an error of ours. Nothing else may go wrong, and a pooled answer keeps
the contract of answers.
"""

from __future__ import annotations

import inspect
import io
import tempfile
import typing
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

import rocstats as rs
from rocstats.tables.tables import Layout
from rocstats.tables.text import StyleName
from validation.torture.contract import (
    SLACK,
    columns_of,
    faults_of_columns,
    faults_of_message,
    other_warnings,
)
from validation.torture.questions import Call
from validation.torture.studies import Rng

DRAWN, REPORTED = 0.25, 0.02
"""Shares of their turns in which a figure and the report are made: they take long."""

SUFFIXES = (".csv", ".md", ".tex", ".html", ".docx", ".xlsx")
"""Kinds of files of tables."""


def put_into_words(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what is wrong with the brief form and the tables of a frame."""
    yield from _taken("brief", lambda: rs.brief(frame, digits=int(rng.integers(1, 9)))).faults
    words = {"style": typing.get_args(StyleName), "layout": typing.get_args(Layout)}
    options: dict[str, Any] = {name: str(rng.choice(given)) for name, given in words.items()}
    what = f"format_table{options}"
    yield from _taken(what, lambda: rs.format_table(frame, **options)).faults
    style = options["style"]
    yield from _taken("format_sentences", lambda: rs.format_sentences(frame, style)).faults
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{rng.choice(SUFFIXES)}"
        what = f"save_table{path.suffix, *options.values()}"
        yield from _taken(what, lambda: rs.save_table(frame, path, **options)).faults
        if list(Path(folder).iterdir()) not in ([], [path]):
            yield f"{what} left other files behind"


def printed(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield the cutoffs that call other cases in print than in the frame."""
    arguments = call.parts.arguments
    # Parts of the rows have cutoffs between the scores of these rows.
    parts = ("group", "fold", "frequency", "sample_weight")
    if call.ask.kind is not rs.Study or any(arguments.get(name) is not None for name in parts):
        return
    short = rs.brief(frame, digits=int(rng.integers(1, 9)))
    needed = {"predictor", "direction", "threshold"}
    if not needed <= set(frame.columns) or "threshold" not in short:
        return
    rows = frame[["predictor", "direction", "threshold"]].assign(printed=short["threshold"])
    for predictor, direction, used, shown in rows.itertuples(index=False):
        if predictor not in arguments["y_score"]:  # treating all
            continue
        score = np.asarray(arguments["y_score"][predictor])
        calls = np.greater_equal if direction == ">=" else np.less_equal
        if not np.isnan(used) and (calls(score, used) != calls(score, shown)).any():
            yield f"printed cutoffs: {shown!r} calls others than {used!r}"
            return


def drawn(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what is wrong with a figure of a frame, one of those that take it."""
    if rng.random() > DRAWN:
        return
    plots = all_plots()
    for place in rng.permutation(len(plots)):
        plot = plots[place]
        axes, faults = _taken(plot.__name__, partial(plot, frame))
        yield from faults
        if axes is not None:
            on_paper = partial(axes.figure.savefig, io.BytesIO())
            yield from _taken(f"{plot.__name__} on paper", on_paper).faults
        plt.close("all")
        if axes is not None:
            return


@cache
def all_plots() -> tuple[Callable[..., Any], ...]:
    """Return every function that draws a frame, found by name."""
    return tuple(getattr(rs, name) for name in rs.__all__ if name.startswith("plot_"))


def pooled(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what is wrong with the frame pooled with itself, and with those of other scores."""
    yield from _pooled_alike(frame)
    others = []
    for _ in range(int(rng.integers(1, 4))):
        changed = rng.random(len(call.parts)) < rng.choice([0.1, 0.5])
        try:
            others.append(call.of(_with_other_scores(call, changed, rng)).make())
        except rs.InputError:
            return
    if not all(isinstance(other, pd.DataFrame) for other in others):
        return
    frames = [frame, *others]
    answer, faults = _taken("pool_imputations", partial(rs.pool_imputations, frames))
    yield from faults
    if answer is None:
        return
    columns = columns_of(answer)
    for fault in faults_of_columns(columns):
        yield f"pooled: {fault}"
    estimates = np.array([each["estimate"].to_numpy() for each in frames])
    low, high = estimates.min(axis=0), estimates.max(axis=0)
    slack = 1e-9 * (1 + np.abs(columns["estimate"]))
    outside = (columns["estimate"] < low - slack) | (columns["estimate"] > high + slack)
    known = np.isfinite(low) & np.isfinite(high)
    for word in dict.fromkeys(answer.loc[outside & known, "quantity"]):
        yield f"pooled: {word} is not between those of the imputations"


def _with_other_scores(call: Call, changed: Any, rng: Rng) -> Any:
    """Return the parts with some scores of each predictor taken from other rows."""
    rows = np.where(changed, rng.integers(0, len(changed), len(changed)), np.arange(len(changed)))

    def imputed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: imputed(one) for name, one in value.items()}
        return value[rows] if len(value) == len(rows) else value

    return call.parts.with_scores(imputed(call.parts.scores))


def _pooled_alike(frame: pd.DataFrame) -> Iterator[str]:
    answer, faults = _taken("pool_imputations", partial(rs.pool_imputations, [frame] * 3))
    yield from faults
    for name in ("estimate", "ci_low", "ci_high"):
        if answer is None:
            return
        ours, theirs = frame[name].to_numpy(), answer[name].to_numpy()
        if not np.allclose(ours, theirs, rtol=SLACK, atol=SLACK, equal_nan=True):
            yield f"pooled: {name} of equal imputations is not that of each"


def reported(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what is wrong with the report of the study, written now and then."""
    if rng.random() > REPORTED or inspect.ismethod(call.ask.function):
        return
    with tempfile.TemporaryDirectory() as folder:
        write = partial(rs.report, call.parts.build(), Path(folder) / "report", rng=1)
        yield from _taken("report", write).faults


class Taken(NamedTuple):
    """What was made of a frame, None where it was refused, and what was wrong."""

    made: Any
    faults: list[str]


def _taken(what: str, take: Callable[[], Any]) -> Taken:
    """Return what is made; faults are a message in another form, and warnings of others."""
    made, faults = None, list[str]()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = take()
        except rs.InputError as error:
            faults += faults_of_message(str(error))
    faults += other_warnings(caught)
    return Taken(made, [f"{what}: {fault}" for fault in faults])
