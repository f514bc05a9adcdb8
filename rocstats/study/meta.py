"""The validated data of a review: the 2x2 tables of several studies of one test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_text
from rocstats.facts.arrays import Factor, FloatArray, IntArray, joint_codes
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    Covariate,
    NanPolicy,
    keep_whole_rows,
    read_covariates,
    read_roles,
    role_facts,
)
from rocstats.study.columns import Columns, require_equal_rows
from rocstats.study.forms import Inputs, one_vector, role_vectors
from rocstats.study.tables import CELLS
from rocstats.study.vectors import Vector, label_text, read_factor, read_scores, read_weights

ONE_TEST = "test"
"""Name of the reviewed test, unless ``predictor`` gives one."""


class MetaSample(BaseSample):
    """Review of a diagnostic test: the 2x2 table of each of several studies.

    Use this study for a meta-analysis of sensitivity and specificity. For a single table use
    ``Study.from_confusion``. For areas of several studies or centres use ``pool_areas``.

    Parameters
    ----------
    tp, fp, fn, tn : array-like of int >= 0 and shape (k,), or str
        True positives, false positives, false negatives and true negatives of each of k studies. If
        ``data`` is passed, the names of its columns.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    study : array-like of shape (k,), or str, optional
        Name of each study; by default its number, from 1.
    group : array-like of shape (k,) or (k, m), dict, dataframe, str or list of str, optional
        Subgroups (category) that are analysed apart: every method returns a set of rows per group.
    covariate : array-like of shape (k,) or (k, m), dict, dataframe, str or list of str, optional
        Properties of the studies for ``compare``: labels (modality, design) or numbers (year).
        Other methods ignore covariates.
    predictor : str, default "test"
        Name of the reviewed test in the column ``predictor`` of all frames.
    labels : mapping of str to str, optional
        Printed names of the test and of columns of groups in tables and plots.
    nan_policy : {"raise", "omit"}, default "raise"
        "raise" refuses missing values. "omit" omits studies with a missing value; ``note`` has
        their number.

    Raises
    ------
    InputError
        If a count is negative, not whole or missing; if a study has no people; if a name occurs
        twice in a group with the same covariates; or if a group has one study only.

    Notes
    -----
    Each study has one table: choose one threshold a study beforehand. A study may have a table in
    several levels of a covariate. These are analysed as independent (note ``studies-shared``).

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.MetaStudy("tp", "fp", "fn", "tn", data=rs.load_audit_c(), study="study")
    MetaStudy
      test      test
      studies   14
      diseased  2,071
      healthy   16,261
    """

    tables: FloatArray
    """Counts of shape (4, k), in the order tp, fn, fp, tn."""
    study: Factor

    def __init__(
        self,
        tp: Any,
        fp: Any,
        fn: Any,
        tn: Any,
        *,
        data: Any = None,
        study: Any = None,
        group: Any = None,
        covariate: Any = None,
        predictor: str = ONE_TEST,
        labels: Mapping[str, str] | None = None,
        nan_policy: NanPolicy = "raise",
    ) -> None:
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        require_text("predictor", predictor)
        columns = None if data is None else Columns(data)
        given = {"tp": tp, "fn": fn, "fp": fp, "tn": tn}
        cells = {name: one_vector(value, name, columns) for name, value in given.items()}
        n_rows = len(cells["tp"])
        names = {} if study is None else {"study": one_vector(study, "study", columns)}
        inputs = Inputs(
            cells["tp"],
            cells,
            names,
            role_vectors(group, "group", columns, n_rows),
            columns.names if columns else (),
            role_vectors(covariate, "covariate", columns, n_rows),
        )
        require_equal_rows([*cells.values(), *inputs.of_roles])
        covariates, values = read_covariates(inputs.covariate)
        arrays = {
            "tables": np.stack([_counts_of_cell(cells[name]) for name in CELLS]),
            "study": _names_of_studies(names.get("study"), n_rows),
            "covariate": values,
            **read_roles(inputs),
        }
        fields = keep_whole_rows(arrays, inputs, nan_policy)
        self._settle(
            {
                "predictors": (predictor,),
                "_covariates": covariates,
                "_shown": read_print_words(
                    labels, None, (predictor,), inputs.group_names, columns=inputs.columns
                ),
                **fields,
            }
        )
        _require_people(self)
        _require_studies(self)

    @property
    def studies_of_rows(self) -> list[str]:
        """Names of the studies, in the order of their rows."""
        return [self.study.labels[code] for code in self.study.codes]

    @property
    def n_studies(self) -> int:
        """Number of studies (tables)."""
        return len(self.study.codes)

    @property
    def n_pos(self) -> float:
        """Number of diseased people in all studies."""
        return float(self.tables[:2].sum())

    @property
    def n_neg(self) -> float:
        """Number of healthy people in all studies."""
        return float(self.tables[2:].sum())

    @property
    def n_shared(self) -> int:
        """Number of studies with several tables."""
        return int((np.bincount(self.study.codes) > 1).sum())

    def covariate_of(self, name: str) -> tuple[Covariate, FloatArray]:
        """Return a covariate by name, and its value or code of label in each study."""
        place = [covariate.name for covariate in self._covariates].index(name)
        assert self.covariate is not None
        return self._covariates[place], self.covariate[place]

    def _facts(self) -> dict[str, str]:
        return {
            "test": self.predictors[0],
            "studies": f"{self.n_studies:,}",
            "diseased": f"{self.n_pos:,.0f}",
            "healthy": f"{self.n_neg:,.0f}",
            **role_facts(self),
        }


# --- Reading and checking its inputs --------------------------------------------------------------


def _counts_of_cell(vector: Vector) -> FloatArray:
    """Return the counts of a cell, 0 where missing; InputError unless whole numbers >= 0."""
    counts = read_scores(vector)
    if vector.missing is not None:
        counts = np.where(vector.missing, 0.0, counts)
    return read_weights(replace(vector, values=counts, missing=None), whole=True)


def _names_of_studies(vector: Vector | None, n_rows: int) -> Factor:
    if vector is None:
        return Factor(tuple(str(k + 1) for k in range(n_rows)), np.arange(n_rows))
    return read_factor(vector, as_text=label_text)


def _require_people(sample: MetaSample) -> None:
    empty = np.flatnonzero(sample.tables.sum(axis=0) == 0)
    if len(empty):
        raise InputError(
            "`tp`, `fp`, `fn` and `tn` must count at least one person of each study; got none of"
            f" {sample.studies_of_rows[empty[0]]!r}. Leave this study out."
        )


def _require_studies(sample: MetaSample) -> None:
    """Raise InputError unless each group has two studies, each once for its covariates."""
    for group, part in sample.by_group():
        place = f" in group {group!r}" if group else ""
        if part.n_studies < 2:
            raise InputError(
                f"`tp` must have at least two studies; got {part.n_studies}{place}. Use"
                " Study.from_confusion for a single table."
            )
        twice = _row_of_repeated_study(part)
        if twice is not None:
            raise InputError(
                "`study` must name each study once in a group with the same covariates; got"
                f" {part.studies_of_rows[twice]!r} twice{place}. Choose one threshold for each"
                " study, or name different studies differently."
            )


def _row_of_repeated_study(part: MetaSample) -> int | None:
    """Return the first row whose study and covariates an earlier row has."""
    factors = [part.study]
    for row in [] if part.covariate is None else [*part.covariate]:
        labels, codes = np.unique(row, return_inverse=True)
        factors.append(Factor(tuple(map(str, labels)), codes))
    cell: IntArray = joint_codes(factors, part.n_studies)
    again = np.flatnonzero(pd.Series(cell).duplicated())
    return int(again[0]) if len(again) else None
