"""Reader studies for tests: the worked one, and random tiny ones."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from rocstats.study.cases import Reads
from tests.inference.readers.worked import worked
from tests.strategies import SEEDS

CROSSED = worked()
SMALL = Reads(CROSSED.pos[:, :, :6], CROSSED.neg[:, :, :7])


def with_holes(reads, share, seed=5):
    """The same study with a share of the reads missing at random."""
    rng = np.random.default_rng(seed)
    parts = [np.where(rng.random(x.shape) < share, np.nan, x) for x in (reads.pos, reads.neg)]
    return Reads(*parts)


@st.composite
def incomplete(draw, most=5):
    """Two modalities, two or three readers, up to ``most`` cases of a class, some reads missing."""
    r, m, n = draw(st.integers(2, 3)), draw(st.integers(2, most)), draw(st.integers(2, most))
    rng = np.random.default_rng(draw(SEEDS))
    pos, neg = (rng.integers(0, 4, size=(2, r, size)).astype(float) for size in (m, n))
    return with_holes(Reads(pos + rng.integers(2), neg), rng.choice([0, 0.2, 0.5]), draw(SEEDS))
