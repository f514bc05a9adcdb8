"""The degrees of freedom that estimates would have if nothing were missing."""

from __future__ import annotations

import numpy as np

from rocstats.inference.imputation.matching import Matched
from rocstats.sample.arrays import FloatArray

_OF_POSITIVES, _OF_NEGATIVES = ("tpr", "fnr", "ppa"), ("tnr", "fpr", "npa")


def df_complete_of(matched: Matched) -> FloatArray:
    """Return the degrees of freedom that each row would have if nothing were missing.

    Those of the frames where they are finite, else the number of cases (or clusters) less 1.
    """
    units = _units(matched) - 1
    if "df" not in matched.first:
        return units
    # Satterthwaite's differ between data sets: the least promises no more than any of them.
    own = matched.stacked("df")
    return np.where(np.isfinite(own).all(axis=0), own.min(axis=0), units)


def _units(matched: Matched) -> FloatArray:
    quantity = matched.first["quantity"].to_numpy()
    pos, neg, both = matched.sizes()
    of_pos, of_neg = (
        np.isin(quantity.astype(str), some) for some in (_OF_POSITIVES, _OF_NEGATIVES)
    )
    return np.where(of_pos, pos, np.where(of_neg, neg, both))
