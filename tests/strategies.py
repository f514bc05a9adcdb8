"""Data sets for property tests: few distinct scores, so that ties within and across are common."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


# An array is one draw of bytes: a draw for each number takes longer than most tests with it.
def whole_numbers(size, most, least=0):
    """An array of whole numbers from ``least`` to ``most``."""
    drawn = st.binary(min_size=size, max_size=size)
    return drawn.map(lambda b: least + np.frombuffer(b, np.uint8).astype(int) % (most - least + 1))


def shuffled(values):
    """The values as an array, in the order of numbers drawn; the simplest is their own order."""
    return whole_numbers(len(values), 255).map(
        lambda keys: np.asarray(values)[np.argsort(keys, kind="stable")]
    )


@st.composite
def samples(draw, predictors=1, least=2, most=14):
    """Labels and integer scores (k, n), with at least ``least`` cases of each class."""
    m = draw(st.integers(least, most))
    n = draw(st.integers(least, most))
    top = draw(st.integers(1, 12))
    labels = draw(shuffled([1] * m + [0] * n))
    return labels, draw(whole_numbers(predictors * (m + n), top)).reshape(predictors, m + n) * 1.0


@st.composite
def multiclass_samples(draw, classes=None, most=5):
    """Labels "a", "b", ... and a column of integer scores for each class, every class present."""
    width = draw(st.integers(2, 4)) if classes is None else classes
    names = list("abcd"[:width])
    sizes = draw(st.lists(st.integers(1, most), min_size=width, max_size=width))
    labels = draw(shuffled(np.repeat(names, sizes)))
    return labels, {name: draw(whole_numbers(len(labels), 5)) * 1.0 for name in names}
