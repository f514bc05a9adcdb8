"""Reader studies with known answers, and their analysis by refitting, for the tests."""

from __future__ import annotations

from typing import Any

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


# docs/methods/readers.md, "The worked study": numbers of an R package, printed with 12 digits.
PRINTED: dict[str, dict[str, Any]] = {
    "jackknife": {
        "means": (0.002442411456, 0.001355238609, 0.001424266056, 0.001289818374),
        "readers": (-0.000567264853, 0.001308683888),
        "f": (0.509074545429, 4.596537345472, 0.510108136069),
        "se": 0.037411226801,
        "limits": (-0.125456584041, 0.072071167374),
        "averages": ((0.043339004728, 362.736918794), (0.043012149425, 20.428284451)),
        "average limits": ((0.794330037560, 0.964784545774), (0.816648664376, 0.995851335624)),
        "fixed": (0.956045730292, 0.328185168, 0.027299412942),
    },
    "delong": {
        "means": (0.002364945220, 0.001313671167, 0.001379279865, 0.001248635800),
        "readers": (-0.000566879985, 0.001340779065),
        "f": (0.511856635953, 4.546706088492, 0.509372328488),
        "se": 0.037309417792,
        "limits": (-0.125548166032, 0.072162749365),
        "averages": ((0.042692199035, 341.562455574), (0.042611243695, 19.677238682)),
        "average limits": ((0.795584571214, 0.963530012119), (0.817270944132, 0.995229055868)),
        "fixed": (0.987385801408, 0.320382148, 0.026862671559),
    },
    "unbiased": {
        "means": (0.002296477239, 0.001287252085, 0.001354803555, 0.001228162977),
        "readers": (-0.000560933726, 0.001378824477),
        "f": (0.514817954647, 4.494549704583, 0.508598273932),
        "se": 0.037201958043,
        "limits": (-0.125650430345, 0.072265013679),
        "averages": ((0.042416765567, 332.832878367), (0.042310841718, 19.128194252)),
        "average limits": ((0.796118549016, 0.962996034318), (0.817732543115, 0.994767456885)),
        "fixed": (1.025810422869, 0.311144714, 0.026354761313),
    },
}


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
