"""Variance components of reader studies, of Obuchowski and Rockette and of pseudo-values.

Each model's components are functions of the other's [hillis-2005].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocstats.stats.readers.anova import mean_covariances, mean_squares, nested
from rocstats.stats.readers.record import Table


class Component(NamedTuple):
    """A component by name, and its estimate, which may be negative."""

    name: str
    estimate: float


def or_components(table: Table) -> list[Component]:
    """Return the components of Obuchowski and Rockette's model, with the correlations.

    "reader" and "modality-x-reader" are variances of readers; "error" is the variance of an area
    from the sample of cases, "cov-1" to "cov-3" its covariances, "correlation-1" to
    "correlation-3" these over "error". Where each reader reads one modality, "reader" is within
    modalities, and there is no "modality-x-reader" and no "cov-1".
    """
    squares, means = mean_squares(table), mean_covariances(table)
    t, r = table.theta.shape
    cases = [("error", means.variance)]
    covariances = [("1", means.cov1), ("2", means.cov2), ("3", means.cov3)]
    if nested(table):
        del covariances[0]
        of_readers = [("reader", squares.error - means.variance + means.cov2)]
    elif t == 1:
        covariances = [("2", means.cov2)]
        of_readers = [("reader", squares.readers - means.variance + means.cov2)]
    else:
        of_readers = [
            ("reader", (squares.readers - squares.error) / t - means.cov1 + means.cov3),
            (
                "modality-x-reader",
                squares.error - means.variance + means.cov1 + (means.cov2 - means.cov3),
            ),
        ]
    if r == 1:
        covariances = [pair for pair in covariances if pair[0] == "1"]
    cases += [(f"cov-{k}", value) for k, value in covariances]
    cases += [
        (f"correlation-{k}", value / means.variance if means.variance > 0 else np.nan)
        for k, value in covariances
    ]
    return [Component(name, estimate) for name, estimate in of_readers + cases]


def dbm_components(table: Table, n_cases: float) -> list[Component]:
    """Return the components of the model of Dorfman, Berbaum and Metz, of crossed readers.

    With the jackknife covariance they are those of the analysis of variance of pseudo-values
    [dorfman-1992].
    """
    squares, means = mean_squares(table), mean_covariances(table)
    t = len(table.theta)
    s2, cov1, cov2, cov3 = means
    return [
        Component("reader", (squares.readers - squares.error) / t - cov1 + cov3),
        Component("case", n_cases * cov3),
        Component("modality-x-reader", squares.error - s2 + cov1 + (cov2 - cov3)),
        Component("modality-x-case", n_cases * (cov2 - cov3)),
        Component("reader-x-case", n_cases * (cov1 - cov3)),
        Component("error", n_cases * (s2 - cov1 - cov2 + cov3)),
    ]
