"""Data sets for property tests: few distinct scores, so that ties within and across are common.

Hypothesis draws the sizes, whose ends it tries and to which it shrinks failures, and the seed of a
generator that draws the cases: a list would cost Hypothesis a draw a number. (A string of bytes
would be one draw too, but many examples of Hypothesis are strings of zeros: scores all alike.) A
range of scores that may be 0 keeps predictors that rank nothing among the examples.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

SEEDS = st.integers(0, 2**32 - 1)


def whole_numbers(draw, size, most, least=0):
    """Draw an array of whole numbers from ``least`` to ``most``."""
    return np.random.default_rng(draw(SEEDS)).integers(least, most, size, endpoint=True)


@st.composite
def samples(draw, predictors=1, least=2, most=14):
    """Labels and integer scores (k, n), with at least ``least`` cases of each class."""
    m, n = draw(st.integers(least, most)), draw(st.integers(least, most))
    rng = np.random.default_rng(draw(SEEDS))
    labels = rng.permutation(np.repeat([1, 0], [m, n]))
    scores = rng.integers(0, rng.integers(13), (predictors, m + n), endpoint=True)
    return labels, scores.astype(float)


@st.composite
def multiclass_samples(draw, classes=None, most=5):
    """Labels "a", "b", ... and a column of integer scores for each class, every class present."""
    width = draw(st.integers(2, 4)) if classes is None else classes
    names = list("abcd"[:width])
    rng = np.random.default_rng(draw(SEEDS))
    labels = rng.permutation(np.repeat(names, rng.integers(1, most, width, endpoint=True)))
    top = rng.integers(6, size=(width, 1))
    scores = rng.integers(0, top, (width, len(labels)), endpoint=True)
    return labels, dict(zip(names, scores.astype(float), strict=True))
