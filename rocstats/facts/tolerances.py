"""Numbers by which more than one module decides, each with its reason.

A number that only one module needs is defined in that module, with its own reason.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from rocstats.facts.arrays import FloatArray

# Rates, areas and p values lie in [0, 1] and are sums of at most some 10^7 terms, so that their
# rounding error stays below 1e-13; distinct values of n cases differ by at least 1/n^2. Two values
# closer than this are the same.
SAME = 1e-12

# Scale of the rounding error of a single number of order 1 (a few units of 2^-53).
SAME_TO_ROUNDING = 1e-14

# A rate whose resamples or clusters vary by less than this does not vary.
NO_SPREAD = 1e-12

# Placements that are all equal differ by rounding, up to 8 units of 2^-53: a variance of areas
# below the square of that is none.
NO_VARIANCE = 1e-30

# The same of a variance that is a difference, relative to the larger of its terms.
NO_RELATIVE_VARIANCE = 1e-24

# The same where the terms are summed before they are subtracted, as in w' S w: elements of S round
# to some 1e-15 of the variances; a larger bound would lose that of predictors nearly alike.
NO_CONTRAST_VARIANCE = 1e-13

# Keeps logarithms and divisions defined where a number may be 0, far below any number in use.
TINY = 1e-300

# Costs and weights have any unit; between this and its inverse the product of four sums of them
# (Matthews 1975: the margins of a table) stays inside float64, 1e-308 to 1e308.
LEAST_UNIT = 1e-50

# (B + 1) p is often whole in exact arithmetic and a little more in floating point; taken off
# before rounding up, this keeps the next whole number from being used.
WHOLE = 1e-9

# With 10 of a class the nominal 95% logit interval of an area covered as little as .87, with 20 of
# each at least .92 (validation/coverage/auc.csv): below 20 a row carries a note.
FEW_CASES = 20

# Sizes are unequal beyond 4 to 1: the ratios simulated in validation/coverage/unequal.csv are 5.5
# and more.
UNEQUAL = 4

# With 20 to 60 in the smaller of unequal classes logit-t covered under .93 in 46 of 216 settings
# (the least .83), with 120 of 920 in none of 54 (validation/coverage/unequal.csv).
FEW_UNEQUAL = 100

# Of cases sampled by class, negatives of a high risk are rare, and Brier scores rest on them where
# negatives count this often: with 1.8 to 3.5 times 95% limits covered .83 to .93, with up to 1.6
# times .93 or more (validation/coverage/scores_by_class.csv).
MOST_WEIGHT = 1.5


def are_few_cases(n_pos: float, n_neg: float, *, unequal: bool = False) -> bool:
    """Return whether a class is so small that a row says so; ``unequal`` sizes need more cases."""
    fewer, more = sorted((n_pos, n_neg))
    return fewer < (FEW_UNEQUAL if unequal and more > UNEQUAL * fewer else FEW_CASES)


# A variance from C clusters has about C - 1 degrees of freedom: below 30 its normal quantile is
# short by more than 4 %. Clusters of unequal size count by Kish's effective number.
FEW_CLUSTERS = 30

# Average precision was .018 too high with 50 positives among 1000 cases, .034 with 20 among 400
# (docs/methods/precision-recall.md, "Simulated coverage").
FEW_POSITIVES = 50

# Rates read at a given rate, and at chosen cutpoints, move in steps of 1/n: below 50 cases of the
# class that fixes them, a step is wider than 2 %.
FEW_CASES_AT_RATE = 50

# Beyond this share of undefined resamples the 2.5 % in a tail may all be among them, and the
# standard deviation is that of the others alone.
MOST_UNDEFINED = 0.05

# A column with more labels than this is not of classes: no more are read to say so.
MOST_LABELS = 1000


@overload
def clear_rounding(variance: float, terms: float = ..., relative: float = ...) -> float: ...
@overload
def clear_rounding(
    variance: FloatArray, terms: float = ..., relative: float = ...
) -> FloatArray: ...
def clear_rounding(
    variance: Any, terms: float = 0.0, relative: float = NO_RELATIVE_VARIANCE
) -> Any:
    """Return a variance, or several, set to 0 where only rounding makes it more.

    ``terms`` is the sum of the variances of which it is a difference: below the share ``relative``
    of it nothing but rounding is left.
    """
    return np.where(variance <= max(NO_VARIANCE, relative * terms), 0.0, variance)[()]
