"""Data sets for property tests: few distinct scores, so that ties within and across are common."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


@st.composite
def samples(draw, predictors=1, least=2, most=14):
    """Labels and integer scores (k, n), with at least ``least`` cases of each class."""
    m = draw(st.integers(least, most))
    n = draw(st.integers(least, most))
    top = draw(st.integers(1, 12))
    scores = draw(
        st.lists(
            st.lists(st.integers(0, top), min_size=m + n, max_size=m + n),
            min_size=predictors,
            max_size=predictors,
        )
    )
    labels = draw(st.permutations([1] * m + [0] * n))
    return np.array(labels), np.array(scores, dtype=float)


@st.composite
def multiclass_samples(draw, classes=None, most=5):
    """Labels "a", "b", ... and a column of integer scores for each class, every class present."""
    width = draw(st.integers(2, 4)) if classes is None else classes
    names = list("abcd"[:width])
    sizes = draw(st.lists(st.integers(1, most), min_size=width, max_size=width))
    labels = draw(st.permutations([n for n, m in zip(names, sizes, strict=True) for _ in range(m)]))
    column = st.lists(st.integers(0, 5), min_size=len(labels), max_size=len(labels))
    return np.array(labels), {name: np.array(draw(column), dtype=float) for name in names}
