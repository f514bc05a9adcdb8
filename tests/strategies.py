"""Data sets for property tests: few distinct scores, so that ties within and across are common."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


# An array is one draw of bytes: a draw for each number takes longer than most tests with it.
def whole_numbers(draw, size, most, least=0):
    """Draw an array of whole numbers from ``least`` to ``most``."""
    drawn = np.frombuffer(draw(st.binary(min_size=size, max_size=size)), np.uint8)
    return least + drawn.astype(int) % (most - least + 1)


def shuffled(draw, values):
    """Draw an order of the values; the simplest is their own."""
    keys = whole_numbers(draw, len(values), 255)
    return np.asarray(values)[np.argsort(keys, kind="stable")]


@st.composite
def samples(draw, predictors=1, least=2, most=14):
    """Labels and integer scores (k, n), with at least ``least`` cases of each class."""
    m = draw(st.integers(least, most))
    n = draw(st.integers(least, most))
    top = draw(st.integers(1, 12))
    labels = shuffled(draw, [1] * m + [0] * n)
    scores = whole_numbers(draw, predictors * (m + n), top).reshape(predictors, m + n)
    return labels, scores.astype(float)


@st.composite
def multiclass_samples(draw, classes=None, most=5):
    """Labels "a", "b", ... and a column of integer scores for each class, every class present."""
    width = draw(st.integers(2, 4)) if classes is None else classes
    names = list("abcd"[:width])
    sizes = draw(st.lists(st.integers(1, most), min_size=width, max_size=width))
    labels = shuffled(draw, np.repeat(names, sizes))
    return labels, {name: whole_numbers(draw, len(labels), 5).astype(float) for name in names}
