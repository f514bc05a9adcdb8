"""The study of yes/no tests, from the confusion table of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rocstats.errors import InputError
from rocstats.frames.labels import read_shown
from rocstats.sample.inputs.confusion_tables import CELLS, ConfusionTables, read_tests
from rocstats.sample.sample import Sample

Count = float | npt.ArrayLike


class FromConfusion(Sample):
    """Makes studies of confusion tables."""

    @classmethod
    def from_confusion(
        cls,
        table: Any = None,
        *,
        tp: Count | None = None,
        fn: Count | None = None,
        fp: Count | None = None,
        tn: Count | None = None,
        predictor: str | Sequence[str] | None = None,
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return the study of one or more yes/no tests from their confusion tables.

        Parameters
        ----------
        table : dataframe or dict of columns, optional
            A row a test, with the columns ``predictor`` (its name; else the index of a pandas
            frame), ``tp``, ``fn``, ``fp`` and ``tn``.
        tp, fn, fp, tn : int, or sequence of int, optional
            True positives, false negatives, false positives and true negatives, each >= 0, in place
            of ``table``: of one test, or one value a test.
        predictor : str or sequence of str, optional
            Names of these tests. Default: "score"; "score_1", "score_2", ... for several.
        labels, outcome : mapping of str to str, and str, optional
            Words in print, as in ``Study``.

        Returns
        -------
        Study
            Two scores, 1 (called positive) and 0, with frequencies. Its ``operating_points()`` need
            no threshold.

        Raises
        ------
        InputError
            If a count is negative or not whole, or a class of a test has no members.

        Notes
        -----
        The ROC curve of a test has a single inner point, (fp/(fp + tn), tp/(tp + fn)).

        Tables of several tests do not say which cases the tests share. Every question about one
        test is answered from its own table; comparisons are refused. They need the paired results,
        ``Study(y, {"a": result_a, "b": result_b}, frequency=...)``, or for independent samples the
        results of all as one predictor with ``group=`` the test, and ``across="groups"``.

        References
        ----------
        - Fawcett (2004), section 2 and figure 2 [fawcett-2004]

        Examples
        --------
        >>> import rocstats as rs
        >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
        >>> study.roc_curve()[["threshold", "fpr", "tpr"]].round(3)
           threshold    fpr  tpr
        0        inf  0.000  0.0
        1        1.0  0.267  0.7
        2        0.0  1.000  1.0

        Several tests, each with its own cases:

        >>> table = {"predictor": ["smear", "antigen"], "tp": [14, 18], "fn": [6, 7],
        ...          "fp": [8, 3], "tn": [22, 30]}
        >>> points = rs.Study.from_confusion(table).operating_points(quantities=["tpr", "tnr"])
        >>> points[["predictor", "quantity", "estimate", "n_pos", "n_neg"]].round(3)
          predictor quantity  estimate  n_pos  n_neg
        0     smear      tpr     0.700     20     30
        1     smear      tnr     0.733     20     30
        2   antigen      tpr     0.720     25     33
        3   antigen      tnr     0.909     25     33
        """
        cells: dict[str, Any] = dict(zip(CELLS, (tp, fn, fp, tn), strict=True))
        tables = read_tests(table, cells, predictor)
        _require_classes(tables)
        # Four rows a test with frequencies, however large the counts are; none of an empty cell.
        k = len(tables.names)
        frequency = np.stack(tables[1:], axis=1).ravel()
        scores = np.full((k, k, 4), np.nan)
        scores[np.arange(k), np.arange(k)] = [1.0, 0.0, 1.0, 0.0]
        rows = np.flatnonzero(frequency)
        return cls._of(
            {
                "predictors": tables.names,
                "pos_label": 1,
                "higher_is_positive": (True,) * k,
                "is_positive": np.tile([True, True, False, False], k)[rows],
                "scores": np.ascontiguousarray(scores.reshape(k, -1)[:, rows]),
                "frequency": frequency[rows],
                **dict.fromkeys(("sample_weight", "cluster", "fold", "group")),
                "n_dropped": 0,
                # Tables leave out the threshold 1 of results that are "yes" or "no".
                "_shown": {**read_shown(labels, outcome, tables.names), "yes_no": True},
                "own_dropped": (0,) * k if k > 1 else None,
                "from_tables": True,
            }
        )


def _require_classes(tables: ConfusionTables) -> None:
    """Raise InputError unless each test has members of both classes."""
    for name, n_pos, n_neg in zip(
        tables.names, tables.tp + tables.fn, tables.fp + tables.tn, strict=True
    ):
        if n_pos == 0 or n_neg == 0:
            raise InputError(
                f"`tp`, `fn`, `fp` and `tn` must leave both classes in each test; got {n_pos:.0f}"
                f" positives and {n_neg:.0f} negatives in {name!r}. Check the cells of its table."
            )
