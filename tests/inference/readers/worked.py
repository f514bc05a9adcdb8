"""Reader studies with known answers, and their analysis by refitting, for the tests."""

from __future__ import annotations

import numpy as np

from rocstats.study.cases import Reads


def worked() -> Reads:
    """Return the worked study of docs/methods/readers.md, 2 modalities x 4 readers x 40 cases."""
    i, j, k = np.ix_(np.arange(1, 3), np.arange(1, 5), np.arange(1, 41))
    positive = k > 24
    latent = (
        11 * (37 * k % 41)
        + 10 * (13 * k * j % 29)
        + 9 * (17 * k * i % 23)
        + 8 * ((7 * k * j * i + 3 * k) % 31)
        + positive * (330 + 60 * (i - 1) + 30 * (j % 2))
    )
    rating = (latent // 150).astype(float)
    return Reads(rating[:, :, 24:], rating[:, :, :24])


def random_study(rng, t=2, r=3, m=9, n=11, missing=0.0, clusters=0) -> Reads:
    """Return ratings 0 to 9 with ties, some missing, in clusters that both classes share."""
    case = rng.normal(size=m + n) + (np.arange(m + n) < m)
    ratings = np.clip(np.round(4 + 2 * case + 2 * rng.normal(size=(t, r, m + n))), 0, 9)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    of_case = rng.permutation(np.arange(m + n) % clusters) if clusters else None
    sides = (None, None) if of_case is None else (of_case[:m], of_case[m:])
    return Reads(ratings[..., :m], ratings[..., m:], *sides)


def auc(x, y) -> float:
    """Return the area of positives and negatives as the mean over pairs."""
    x, y = x[~np.isnan(x)], y[~np.isnan(y)]
    if not (len(x) and len(y)):
        return np.nan
    pairs = x[:, None] - y
    return float(np.mean((pairs > 0) + (pairs == 0) / 2))


def areas(reads: Reads, statistic=auc):
    """Return the area of each curve."""
    t, r = reads.pos.shape[:2]
    return np.array(
        [[statistic(reads.pos[i, j], reads.neg[i, j]) for j in range(r)] for i in range(t)]
    )


def areas_without(reads: Reads, statistic=auc):
    """Return the areas (units x t x r) computed again without each case, or each cluster."""
    m, n = reads.pos.shape[2], reads.neg.shape[2]
    units = np.arange(m + n)
    if reads.pos_cluster is not None:
        units = np.concatenate([reads.pos_cluster, reads.neg_cluster])
    return np.array(
        [
            areas(Reads(reads.pos[..., units[:m] != u], reads.neg[..., units[m:] != u]), statistic)
            for u in np.unique(units)
        ]
    )


def refitted_jackknife(reads: Reads, statistic=auc):
    """Return the jackknife covariance by refitting."""
    without = areas_without(reads, statistic).reshape(-1, reads.pos.shape[0] * reads.pos.shape[1])
    left = without - without.mean(axis=0)
    return (len(left) - 1) / len(left) * left.T @ left
