"""Constructors of binary studies from data without a row for each case.

The data are the confusion table of each yes/no test; a table of counts, with positives and
negatives at each score or in bins of scores; or two samples, the scores of the positives and those
of the negatives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rocstats.counts.count import CellCounts
from rocstats.counts.merge import read_counts
from rocstats.errors import InputError, require_flag, require_text
from rocstats.frame.make import read_print_words
from rocstats.study.columns import is_frame, joined_index, require_equal_rows
from rocstats.study.forms import distinct_vectors, is_matrix, named_scores, predictor_naming
from rocstats.study.sample import Sample
from rocstats.study.tables import CELLS, ConfusionTables, read_test_tables
from rocstats.study.vectors import Vector, dense_array_of_sparse_matrix, read_scores, read_vector

# --- Confusion tables -----------------------------------------------------------------------------

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
            One row per test, with the columns ``predictor`` (the name of the test), ``tp``, ``fn``,
            ``fp`` and ``tn``. Without the column ``predictor``, the index of a pandas frame has the
            names.
        tp, fn, fp, tn : int, or sequence of int, optional
            True positives, false negatives, false positives and true negatives, each >= 0, instead
            of ``table``: one value per test.
        predictor : str or sequence of str, optional
            Names of these tests. Default: "score" for one test, or "score_1", "score_2", ... for
            several tests.
        labels, outcome : mapping of str to str, and str, optional
            Printed names, as in ``Study``.

        Returns
        -------
        Study
            Study of the scores 1 (called positive) and 0, with frequencies. ``operating_points()``
            needs no threshold.

        Raises
        ------
        InputError
            If a count is negative or not whole, or a class of a test has no members.

        Notes
        -----
        The ROC curve of a test has a single inner point, (fp/(fp + tn), tp/(tp + fn)).

        Tables of several tests do not show which cases the tests share. Each test is analysed from
        its table; comparisons are refused. To compare tests on the same cases, pass the paired
        results: ``Study(y, {"a": result_a, "b": result_b}, frequency=...)``. To compare independent
        samples, pass all results as one predictor, with the name of the test as ``group=``. Then
        compare with ``across="groups"``.

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
        tables = read_test_tables(table, cells, predictor)
        _require_classes_in_tests(tables)
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
                "_shown": {**read_print_words(labels, outcome, tables.names), "yes_no": True},
                "own_dropped": (0,) * k if k > 1 else None,
                "from_tables": True,
            }
        )


def _require_classes_in_tests(tables: ConfusionTables) -> None:
    """Raise InputError unless each test has members of both classes."""
    for name, n_pos, n_neg in zip(
        tables.names, tables.tp + tables.fn, tables.fp + tables.tn, strict=True
    ):
        if n_pos == 0 or n_neg == 0:
            raise InputError(
                f"`tp`, `fn`, `fp` and `tn` must have both classes in each test; got {n_pos:.0f}"
                f" positives and {n_neg:.0f} negatives in {name!r}. Check the cells of its table."
            )


# --- Counts ---------------------------------------------------------------------------------------


class FromCounts(Sample):
    """Makes studies of count tables."""

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        *,
        predictor: str = "score",
        higher_is_positive: bool = True,
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return the study of one predictor from counts of its scores, without single cases.

        Use this constructor for data that are too large for memory: a data engine counts the
        scores, and the study analyses the counts.

        Parameters
        ----------
        counts : dataframe or dict of columns
            One row per cell, with the columns ``score`` (lowest score in the cell), ``n_pos`` and
            ``n_neg`` (numbers of positives and negatives, whole and >= 0). Binned scores also have
            ``score_high`` (highest score in the cell). ``count_scores`` and ``count_sql`` return
            such tables. Overlapping cells are merged. Every other column is a group, as in
            ``group=`` of ``Study``.
        predictor : str, default "score"
            Name of the predictor.
        higher_is_positive : bool, default True
            Direction of the predictor: True if higher scores mean positive.
        labels, outcome : mapping of str to str, and str, optional
            Printed names, as in ``Study``.

        Returns
        -------
        Study
            Study of the counted cases; the label 1 is positive.

        Raises
        ------
        InputError
            If a column is missing; if a count is negative or not whole; if a cell ends before it
            starts; or if a class has no cases.

        Notes
        -----
        Cells with ``score`` equal to ``score_high`` are exact: a study of exact cells has the same
        results as a study of the cases. A cell with a range is a bin, in which cases are tied.
        Results from bins have the column ``binning_error``, a bound on the error. For an area, the
        bound is the sum over bins of p n/(2 m n_all). Here p and n are the numbers of positives and
        negatives in the bin; m and n_all are the numbers in the study. Limits are widened by this
        bound (note ``binned-scores``). Methods without such a bound are refused for bins, and need
        counts with ``exact=True``.

        The threshold of a cell is its lowest score (its highest score if lower scores are
        positive). This threshold calls the whole cell positive. Rates at these thresholds are
        exact; rates inside a bin are not exact. Studies with two or more predictors, clusters or
        folds need single cases, and cannot be made from counts.

        References
        ----------
        - Fawcett (2004), algorithm 2, on counts [fawcett-2004]

        Examples
        --------
        >>> import rocstats as rs
        >>> counts = {"score": [0.1, 0.4, 0.7], "score_high": [0.1, 0.6, 0.9],
        ...           "n_pos": [2, 10, 30], "n_neg": [50, 12, 1]}
        >>> study = rs.Study.from_counts(counts)
        >>> study.auc()[["estimate", "ci_low", "ci_high", "binning_error"]].round(3)
           estimate  ci_low  ci_high  binning_error
        0     0.939   0.844     1.0          0.028
        """
        require_text("predictor", predictor)
        require_flag("higher_is_positive", higher_is_positive)
        cells = read_counts(counts, "counts")
        _require_classes_in_counts(cells)
        # A row for each class of a cell that has cases; a cell is followed by the next.
        number = np.stack([cells.n_pos, cells.n_neg], axis=1).ravel()
        rows = np.flatnonzero(number)
        at = rows // 2
        # A threshold calls a whole cell positive: it is the end of the cell on the negative side.
        near, far = (cells.low, cells.high) if higher_is_positive else (cells.high, cells.low)
        labels_of = np.array(cells.groups, dtype=object).reshape(len(cells.groups), -1)
        groups = {name: labels_of[cells.group[at], k] for k, name in enumerate(cells.names)}
        study = cls(
            rows % 2 == 0,
            {predictor: near[at]},
            frequency=number[rows],
            group=groups or None,
            higher_is_positive=higher_is_positive,
            labels=labels,
            outcome=outcome,
        )
        binned = bool(np.any(cells.low < cells.high))
        ends = {"_from_counts": True, "_bin_end": far[at] if binned else None}
        return cls._of({**study.__getstate__(), **ends})


def _require_classes_in_counts(cells: CellCounts) -> None:
    n_pos, n_neg = float(cells.n_pos.sum()), float(cells.n_neg.sum())
    if not (n_pos > 0 and n_neg > 0):
        raise InputError(
            f"`counts` must hold both classes; got {n_pos:.0f} positives and {n_neg:.0f} negatives."
            " Check `pos_label` where the scores were counted."
        )


# --- Two samples ----------------------------------------------------------------------------------


class FromSamples(Sample):
    """Makes studies of the scores of each class."""

    @classmethod
    def from_samples(
        cls,
        *,
        positives: Any,
        negatives: Any,
        higher_is_positive: bool | Mapping[str, bool] = True,
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return a study made from the scores of positives and the scores of negatives.

        Parameters
        ----------
        positives, negatives : array-like of shape (n,) or (n, k), dict or dataframe
            Scores of the cases of each class, from the same predictors. The classes may have
            different sizes.
        higher_is_positive : bool or mapping of str to bool, default True
            Direction of each predictor.
        labels, outcome : mapping of str to str, and str, optional
            Printed names, as in ``Study``.

        Returns
        -------
        Study
            Study with the positives, labelled 1, before the negatives.

        Raises
        ------
        InputError
            If the predictors of both classes differ; if columns of a class differ in length or
            index; or if a score is missing or not a number.

        References
        ----------
        - Bamber (1975) [bamber-1975]

        Examples
        --------
        >>> import rocstats as rs
        >>> study = rs.Study.from_samples(positives=[0.9, 0.7, 0.6], negatives=[0.8, 0.2])
        >>> study.auc()["estimate"].round(3).tolist()
        [0.667]
        """
        pos, neg = (
            _scores_of_class(positives, "positives"),
            _scores_of_class(negatives, "negatives"),
        )
        if list(pos) != list(neg):
            raise InputError(
                f"`negatives` must have the predictors of `positives`; got {list(neg)} and"
                f" {list(pos)}. Pass the same columns for both."
            )
        sides = [next(iter(side.values())) for side in (pos, neg)]
        y_true = np.repeat([1, 0], [len(side) for side in sides])
        index = joined_index([side.index for side in sides])
        scores = {
            name: np.concatenate([read_scores(side[name]) for side in (pos, neg)]) for name in pos
        }
        words: dict[str, Any] = {"labels": labels, "outcome": outcome}
        return cls(
            Vector("y_true", y_true, None, index, None),
            scores,
            higher_is_positive=higher_is_positive,
            **words,
        )


def _scores_of_class(values: Any, argument: str) -> Mapping[str, Vector]:
    """Return the scores of one class by the name of the predictor."""
    values = dense_array_of_sparse_matrix(values)
    if isinstance(values, Mapping) or is_frame(values, argument) or is_matrix(values):
        scores = named_scores(values, predictor_naming(None, argument), None)
    else:
        scores = {"score": read_vector(values, argument)}
    require_equal_rows(list(distinct_vectors(scores).values()))
    return scores
