"""Drawn samples that R is asked about, and their files but expected.csv, which R writes.

Scores are rounded, so that input.csv holds the very numbers both programs see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from validation.files import write_json
from validation.reference import write_input

Array = npt.NDArray[Any]
Columns = dict[str, Array]
Draw = Callable[[np.random.Generator], Columns]


def write_samples(
    folder: Path, seed: int, samples: Mapping[str, tuple[Draw, Mapping[str, Any]]], **more: Any
) -> None:
    """Write the input and the study of each sample in ``folder``, and what drew them.

    A sample is how it is drawn, and how the study reads it; its place is part of its seed.
    """
    for number, (name, (draw, study)) in enumerate(samples.items()):
        columns = draw(np.random.default_rng([seed, number]))
        write_input(folder / name, study, {key: column.tolist() for key, column in columns.items()})
    write_json(folder / "simulated_with.json", {"numpy": np.__version__, **more})


def of(*names: str, **roles: Any) -> dict[str, Any]:
    """Return the keyword arguments of a study of several scores on the column truth."""
    return {"y_true": "truth", "y_score": list(names), **roles}


def labels(m: int, n: int) -> Array:
    """Return m ones and n zeros."""
    return np.repeat([1, 0], [m, n])


def normal(
    rng: np.random.Generator, truth: Array, shifts: tuple[float, ...], correlation: float
) -> list[Array]:
    """Return equicorrelated normal scores, each shifted in the positives."""
    common = rng.standard_normal(len(truth)) * np.sqrt(abs(correlation))
    signs = [1.0 if correlation > 0 or k % 2 == 0 else -1.0 for k in range(len(shifts))]
    own = np.sqrt(1 - abs(correlation))
    return [
        sign * common + own * rng.standard_normal(len(truth)) + shift * truth
        for sign, shift in zip(signs, shifts, strict=True)
    ]


def distinct(rng: np.random.Generator, scores: Array, decimals: int = 4) -> Array:
    """Return rounded scores, moved a little until no two are equal."""
    rounded = np.round(scores, decimals)
    while True:
        _, first = np.unique(rounded, return_index=True)
        again = np.setdiff1d(np.arange(len(rounded)), first)
        if not len(again):
            return np.asarray(rounded)
        moved = rounded[again] + rng.normal(0, 0.01, len(again))
        rounded[again] = np.round(moved, decimals)


def continuous(
    m: int, n: int, shifts: tuple[float, ...], correlation: float = 0.5, decimals: int = 4
) -> Draw:
    """Return a drawing of continuous scores without a tie."""
    return _of_normal(m, n, shifts, correlation, lambda rng, s: distinct(rng, s, decimals))


def rounded(
    m: int, n: int, shifts: tuple[float, ...], step: float, correlation: float = 0.5
) -> Draw:
    """Return a drawing of scores rounded to a step: ties within and across the classes."""
    return _of_normal(
        m, n, shifts, correlation, lambda _, s: np.round(np.round(s / step) * step, 6)
    )


def ratings(
    m: int, n: int, shifts: tuple[float, ...], cuts: tuple[float, ...], correlation: float = 0.5
) -> Draw:
    """Return a drawing of ratings 1, 2, ...: normal scores cut into categories."""
    return _of_normal(m, n, shifts, correlation, lambda _, s: np.digitize(s, cuts) + 1)


def _of_normal(
    m: int,
    n: int,
    shifts: tuple[float, ...],
    correlation: float,
    made: Callable[[np.random.Generator, Array], Array],
) -> Draw:
    """Return a drawing of markers that are made of correlated normal scores."""

    def draw(rng: np.random.Generator) -> Columns:
        truth = labels(m, n)
        scores = normal(rng, truth, shifts, correlation)
        return {"truth": truth, **{k: made(rng, s) for k, s in zip("abc", scores, strict=False)}}

    return draw
