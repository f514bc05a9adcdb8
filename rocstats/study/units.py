"""The units that the rows of a study belong to: patients, or clusters that may be hospitals.

Rows are lesions of a patient, patients of a hospital, or predictions for one patient in several
folds. A study cannot tell a patient from a hospital: clusters are called patients if their column
is named so, or if each is evidently one case in several folds, and clusters otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rocstats.facts.arrays import BoolArray, Factor, IntArray

UNITS = "units"
"""Key of ``attrs`` with the ``Units`` of the study, as a dict."""

PATIENTS = "patients"
"""What clusters are called whose column is named after persons."""

# "patient_id", "Subject", "case no": persons, or the number of one.
_PERSONS = re.compile(r"patient|subject|person|participant|proband|\bcase\b|^p?id$")


class Units(NamedTuple):
    """Numbers of patients, or of other units, and of their rows.

    Attributes
    ----------
    name : str
        Printed name of units: "patients", or "clusters (hospital)"; "" if each unit is a case in
        several folds.
    counted : str
        Items counted in columns such as ``n_pos``: "rows", or "cases" in a reader study.
    classes : tuple of str
        Names of the classes: the condition ("" without a name), or each of several classes.
    n_units : tuple of int
        Number of units, then numbers of units with a row of each class.
    n_rows : tuple of int
        The same for rows.
    """

    name: str
    counted: str
    classes: tuple[str, ...]
    n_units: tuple[int, ...]
    n_rows: tuple[int, ...]

    def carried(self) -> dict[str, Any]:
        """Return the numbers in the types of JSON, as a frame carries them."""
        fields = self._asdict().items()
        return {name: list(each) if isinstance(each, tuple) else each for name, each in fields}

    @property
    def are_clusters(self) -> bool:
        """Whether units may be other than patients, such as hospitals."""
        return self.name not in ("", PATIENTS)

    @property
    def one(self) -> str:
        """Printed name of one unit, if units are not cases."""
        return "cluster" if self.are_clusters else "patient"


def count_units(unit: IntArray, classes: Sequence[IntArray]) -> tuple[int, ...]:
    """Return the number of units, and of those with a row of each class.

    Parameters
    ----------
    unit : ndarray of int, shape (n,)
        Code of the unit of each row, from 0 on.
    classes : sequence of ndarray of int
        The rows of each class.
    """
    each = [unit, *(unit[rows] for rows in classes)]
    return tuple(int(np.count_nonzero(np.bincount(codes))) for codes in each)


def name_of_clusters(column: str) -> str:
    """Return the printed name of clusters from the name of their column; "" without a name.

    Examples
    --------
    >>> from rocstats.study.units import name_of_clusters
    >>> name_of_clusters("patient_id"), name_of_clusters("hospital"), name_of_clusters("")
    ('patients', 'clusters (hospital)', 'clusters')
    """
    if _PERSONS.search(column.casefold().replace("_", " ")):
        return PATIENTS
    return f"clusters ({column})" if column else "clusters"


def are_cases(
    cluster: Factor, fold: Factor | None, class_codes: npt.NDArray[np.integer] | BoolArray
) -> bool:
    """Return whether each cluster is one case in several folds: of one class, once in a fold."""
    if fold is None:
        return False
    pairs = (fold.codes, class_codes)
    in_folds, in_classes = (
        len(np.unique(np.stack([cluster.codes, other]), axis=1).T) for other in pairs
    )
    n_clusters, n_rows = len(cluster.present), len(cluster.codes)
    return n_clusters < n_rows == in_folds and in_classes == n_clusters
