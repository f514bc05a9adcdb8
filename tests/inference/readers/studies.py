"""Reader studies of the public interface, made of arrays."""

from __future__ import annotations

import numpy as np
import pandas as pd

import rocstats as rs
from tests.inference.readers.worked import random_study, worked


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
