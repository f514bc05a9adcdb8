"""The study of a table of counts: positives and negatives at each score, or in bins of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from rocstats.errors import InputError, require_flag, require_text
from rocstats.sample.engines.merging import read_counts
from rocstats.sample.engines.table import Counts
from rocstats.sample.sample import Sample


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

        For data that are too large for memory: a data engine counts them, ``Study`` has the rest.

        Parameters
        ----------
        counts : dataframe or dict of columns
            A row a cell, with the columns ``score`` (lowest score in the cell), ``n_pos`` and
            ``n_neg`` (numbers of its positives and negatives, whole and >= 0), and ``score_high``
            (highest score) where scores were counted in bins, as ``count_scores`` and
            ``count_sql`` make it. Cells that overlap are united. Every further column is one of
            groups, as ``group=`` of ``Study``.
        predictor : str, default "score"
            Name of the predictor.
        higher_is_positive : bool, default True
            Direction of the predictor: True if higher scores mean positive.
        labels, outcome : mapping of str to str, and str, optional
            Words in print, as in ``Study``.

        Returns
        -------
        Study
            The label 1 is positive; its frames are those of the cases that were counted.

        Raises
        ------
        InputError
            If a column is missing, a count is negative or not whole, a cell ends before it starts,
            or a class has no cases.

        Notes
        -----
        Cells with ``score`` equal to ``score_high`` are exact: a study of such cells alone answers
        as that of the cases themselves. A cell with a range is a bin, whose cases tie. Answers
        about bins have the column ``binning_error``, a bound on what this changes: of an area,
        sum over bins of p n/(2 m n_all), p and n the positives and negatives in the bin, m and
        n_all those of the study. Limits are widened by it (note ``binned-scores``). Questions
        without such a bound are refused, and need counts with ``exact=True``.

        The threshold of a cell is its lowest score (its highest where lower scores are positive),
        which calls the whole cell positive: rates there are exact. Inside a bin they are not.

        Counts say nothing of single cases: two predictors, clusters and folds need the cases.

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
        _require_both_classes(cells)
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


def _require_both_classes(cells: Counts) -> None:
    n_pos, n_neg = float(cells.n_pos.sum()), float(cells.n_neg.sum())
    if not (n_pos > 0 and n_neg > 0):
        raise InputError(
            f"`counts` must hold both classes; got {n_pos:.0f} positives and {n_neg:.0f} negatives."
            " Check `pos_label` where the scores were counted."
        )
