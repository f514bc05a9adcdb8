"""Reader studies for tests: of the public interface, made of arrays, and random tiny reads."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import rocstats as rs
from rocstats.study.cases import Reads
from tests.inference.readers.worked import random_study, worked
from tests.strategies import SEEDS


def rows_of(reads):
    """Return a row for each read, as a user hands them in."""
    ratings = np.concatenate([reads.pos, reads.neg], axis=2)
    i, j, k = np.nonzero(~np.isnan(ratings))
    m = reads.pos.shape[2]
    rows = {
        "truth": (k < m).astype(int),
        "rating": ratings[i, j, k],
        "reader": [f"r{number + 1}" for number in j],
        "case": k,
        "modality": [f"m{number + 1}" for number in i],
    }
    if reads.pos_cluster is not None:
        rows["cluster"] = np.concatenate([reads.pos_cluster, reads.neg_cluster])[k]
    return pd.DataFrame(rows)


def study_of(rows, **roles):
    names = {name: name for name in ("reader", "case", "modality", "cluster") if name in rows}
    return rs.ReaderStudy("truth", "rating", data=rows, **{**names, **roles})


def worked_study():
    return study_of(rows_of(worked()))


def drawn(rng, **sizes):
    return study_of(rows_of(random_study(rng, **sizes)))


def perfect(n_modalities=2, n_readers=3, n_cases=8):
    """Every reader tells the classes apart under every modality."""
    sides = [np.full((n_modalities, n_readers, n_cases), x) for x in (1.0, 0.0)]
    return study_of(rows_of(worked()._replace(pos=sides[0], neg=sides[1])))


def viper():
    names = {name: name for name in ("reader", "case", "modality")}
    return rs.ReaderStudy("truth", "rating", data=rs.load_viper(), **names)


def averages(frame):
    return frame[frame["reader"] == "all"].reset_index(drop=True)


# Reads of arrays

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
