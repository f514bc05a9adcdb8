"""Cases as arrays, the input of every statistic: sorted once, and split by fold.

A study has names and labels; its cases are numbers only. There are cases of two classes, cases of
several classes, cases with several labels, and the reads of a reader study: ratings by modality,
reader and case, split by the true class.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from rocstats.facts.arrays import BoolArray, CodeArray, Factor, FloatArray, IntArray, take_rows
from rocstats.study.count_tables import (
    LabelledScores,
    ScoreCounts,
    ScoreOrder,
    SortedKeys,
    count_scores_of,
    count_scores_with_codes,
    count_scores_with_order,
    has_few_distinct,
    sort_cases,
)

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedRows:
    """Rows of cases: the multiplicity and weight of each row, its cluster and its fold.

    Attributes
    ----------
    frequency, sample_weight : ndarray of float64, shape (n,), or None
        Multiplicity and importance of each row; None: 1 each.
    cluster, fold : Factor or None
        Units whose cases are dependent, and cross-validation folds.
    """

    frequency: FloatArray | None = None
    sample_weight: FloatArray | None = None
    cluster: Factor | None = None
    fold: Factor | None = None
    _cache: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        # Tables are cached: arrays must not change under them.
        for value in vars(self).values():
            array = value.codes if isinstance(value, Factor) else value
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    def cached(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return what is computed of the cases at the first call with a key, and kept."""
        if key not in self._cache:
            self._cache[key] = compute()
        kept: Value = self._cache[key]
        return kept

    @property
    def weight(self) -> FloatArray | None:
        """Frequency times weight of each row; None if each row counts once."""
        # None instead of ones: counting is then faster, and the sort need not be stable.
        frequency, weight = self.frequency, self.sample_weight
        if frequency is None or weight is None:
            return frequency if weight is None else weight
        return self.cached("weight", lambda: frequency * weight)

    def by_fold(self) -> list[tuple[str, Self]]:
        """Return the cases of each fold in order of appearance; ("", all) without folds."""
        fold = self.fold
        if fold is None:
            return [("", self)]
        # The cache is of all cases; a fold starts with an empty one.
        whole = {name: value for name, value in vars(self).items() if name != "_cache"}
        return self.cached(
            "fold",
            lambda: [
                (label, type(self)(**{**take_rows(whole, rows), "fold": None}))
                for label, rows in fold.rows_by_label()
            ],
        )

    def pooled(self) -> Self:
        """Return the cases without their folds."""
        return self if self.fold is None else replace(self, fold=None)


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredCases(WeightedRows):
    """Positive and negative cases with the scores of one or more predictors.

    Attributes
    ----------
    scores : ndarray of float64, shape (k, n)
        Scores of each predictor on the user's scale.
    is_positive : ndarray of bool, shape (n,)
        Which rows are of the positive class.
    higher_is_positive : tuple of bool, length k
        Direction of each predictor.
    """

    scores: FloatArray
    is_positive: BoolArray
    higher_is_positive: tuple[bool, ...]

    @property
    def n_predictors(self) -> int:
        """Number of predictors, k."""
        return len(self.scores)

    @property
    def n_pos(self) -> float:
        """Number of positives: rows, or the sum of their frequencies."""
        return self._sizes[0]

    @property
    def n_neg(self) -> float:
        """Number of negatives: rows, or the sum of their frequencies."""
        return self._sizes[1]

    @property
    def lacks_class(self) -> bool:
        """Whether a class has no cases, or only cases of weight 0: it has no rates."""
        if self.weight is None:
            return 0 in self._sizes
        weighted = self.is_positive[self.weight > 0]
        return not 0 < np.count_nonzero(weighted) < len(weighted)

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]."""
        # A predictor may have no score in a whole group.
        n = self.n_pos + self.n_neg
        return self.n_pos / n if n else np.nan

    def only(self, k: int) -> Self:
        """Return the cases with predictor ``k`` alone."""
        if self.n_predictors == 1:
            return self
        places = slice(k, k + 1)
        return replace(
            self, scores=self.scores[places], higher_is_positive=self.higher_is_positive[places]
        )

    def exchanged(self) -> Self:
        """Return the cases with classes and directions exchanged, which mirrors their curves."""
        # What is read at a TPR is read at an FPR of the mirrored curve: (1 - tpr, 1 - fpr).
        return replace(
            self,
            is_positive=~self.is_positive,
            higher_is_positive=tuple(not higher for higher in self.higher_is_positive),
        )

    def counts(self, k: int) -> ScoreCounts:
        """Return the count table of predictor ``k``, sorted once and kept."""
        if ("counts", k) not in self._cache:
            keys = self.keys(k)
            if ("counts", k) not in self._cache:
                counts = count_scores_of(self._column(k)) if keys is None else keys.counts()
                self._cache["counts", k] = counts
        return self._cache["counts", k]  # type: ignore[no-any-return]

    def keys(self, k: int) -> SortedKeys | None:
        """Return the sorted keys of predictor ``k``, kept, if sums over them are the cheapest way.

        None for few or weighted cases, and for few distinct scores: the count table serves then.
        """
        if ("keys", k) not in self._cache:
            counts = self._cache.get(("counts", k))
            few = counts is not None and has_few_distinct(len(counts.score), len(self.is_positive))
            found = None if few else sort_cases(self._column(k))
            if isinstance(found, ScoreCounts):
                self._cache["counts", k], found = found, None
            self._cache["keys", k] = found
        return self._cache["keys", k]  # type: ignore[no-any-return]

    def codes(self, k: int) -> CodeArray:
        """Return the index of each row's score in the count table of predictor ``k``."""
        if ("codes", k) not in self._cache:
            counts, codes = count_scores_with_codes(self._column(k))
            self._cache["counts", k], self._cache["codes", k] = counts, codes
        return self._cache["codes", k]  # type: ignore[no-any-return]

    def order(self, k: int) -> ScoreOrder:
        """Return the rows in the order of the scores of predictor ``k``, kept once sorted."""
        if ("order", k) not in self._cache:
            counts, order = count_scores_with_order(self._column(k))
            self._cache["counts", k], self._cache["order", k] = counts, order
        return self._cache["order", k]  # type: ignore[no-any-return]

    def _column(self, k: int) -> LabelledScores:
        return LabelledScores(
            self.scores[k], self.is_positive, self.weight, self.higher_is_positive[k]
        )

    @property
    def _sizes(self) -> tuple[float, float]:
        # Kept: a question asks for them some twenty times.
        return self.cached("sizes", self._count_classes)

    def _count_classes(self) -> tuple[float, float]:
        positive, frequency = self.is_positive, self.frequency
        if frequency is None:
            n_pos = float(np.count_nonzero(positive))
            return n_pos, len(positive) - n_pos
        return float(frequency[positive].sum()), float(frequency[~positive].sum())


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassCases(WeightedRows):
    """Cases of several classes with the scores of one or more classifiers for each class.

    Attributes
    ----------
    scores : ndarray of float64, shape (p, c, n)
        Scores of each classifier for each class: the higher, the more that class.
    class_codes : ndarray of int, shape (n,)
        Class of each row, 0 to c - 1.
    """

    scores: FloatArray
    class_codes: IntArray

    @property
    def n_predictors(self) -> int:
        """Number of classifiers, p."""
        return len(self.scores)

    @property
    def n_classes(self) -> int:
        """Number of classes, c."""
        return int(self.scores.shape[1])

    @property
    def n_of(self) -> FloatArray:
        """Number of cases of each class: rows, or the sums of their frequencies."""
        return self._sums(self.frequency)

    @property
    def lacks_class(self) -> bool:
        """Whether a class has no cases, or only cases of weight 0."""
        return bool((self.weight_of == 0).any())

    @property
    def weight_of(self) -> FloatArray:
        """Total weight of each class: sums of frequency times weight."""
        return self._sums(self.weight)

    def counts(self, k: int, versus: int | None = None, *, predictor: int = 0) -> ScoreCounts:
        """Return the count table of class ``k`` against another class, or against the rest."""
        return count_scores_of(self._column(k, versus, predictor))

    def placed(
        self, k: int, versus: int | None = None, *, predictor: int = 0
    ) -> tuple[ScoreCounts, CodeArray]:
        """Return ``counts``, and the index in them of the score of each of ``rows_of_pair``."""
        return count_scores_with_codes(self._column(k, versus, predictor))

    def pooled_counts(self, *, predictor: int = 0) -> ScoreCounts:
        """Return the count table of all decisions: each case once for each class."""
        return count_scores_of(self._pooled(predictor))

    def pooled_placed(self, *, predictor: int = 0) -> tuple[ScoreCounts, CodeArray]:
        """Return ``pooled_counts``, and the index in them of each score, classes x rows."""
        counts, codes = count_scores_with_codes(self._pooled(predictor))
        return counts, codes.reshape(self.n_classes, -1)

    def rows_of_pair(self, k: int, versus: int | None) -> IntArray:
        """Return the rows of class ``k``, then those of class ``versus``; all rows if None."""
        if versus is None:
            return np.arange(len(self.class_codes))
        rows = self.cached("rows", self._rows_by_class)
        return np.concatenate([rows[k], rows[versus]])

    def _rows_by_class(self) -> list[IntArray]:
        order = np.argsort(self.class_codes, kind="stable")
        sizes = np.bincount(self.class_codes, minlength=self.n_classes)
        return np.split(order, np.cumsum(sizes)[:-1])

    def _pooled(self, predictor: int) -> LabelledScores:
        # The micro-average: c decisions for each case, so that each weight is repeated c times.
        weight = self.weight
        is_positive = self.class_codes == np.arange(self.n_classes)[:, np.newaxis]
        repeated = None if weight is None else np.tile(weight, self.n_classes)
        return LabelledScores(self.scores[predictor].ravel(), is_positive.ravel(), repeated)

    def _column(self, k: int, versus: int | None, predictor: int) -> LabelledScores:
        rows, weight = self.rows_of_pair(k, versus), self.weight
        scores, codes = self.scores[predictor, k].take(rows), self.class_codes.take(rows)
        return LabelledScores(scores, codes == k, None if weight is None else weight.take(rows))

    def _sums(self, weight: FloatArray | None) -> FloatArray:
        sums = np.bincount(self.class_codes, weight, minlength=self.n_classes)
        return sums.astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelCases(WeightedRows):
    """Cases that have any number of labels, with scores of one or more classifiers for each label.

    Attributes
    ----------
    scores : ndarray of float64, shape (p, c, n)
        Scores of each classifier for each label: the higher, the more that label.
    has_label : ndarray of bool, shape (c, n)
        Which rows have each label.
    """

    scores: FloatArray
    has_label: BoolArray

    @property
    def n_predictors(self) -> int:
        """Number of classifiers, p."""
        return len(self.scores)

    @property
    def n_labels(self) -> int:
        """Number of labels, c."""
        return len(self.has_label)

    @property
    def n_cases(self) -> float:
        """Number of cases: rows, or the sum of their frequencies."""
        rows = self.has_label.shape[1]
        return float(rows if self.frequency is None else self.frequency.sum())

    def label(self, k: int) -> ScoredCases:
        """Return the cases with label ``k`` as positives, all others as negatives."""
        return self.cached(
            ("label", k),
            lambda: ScoredCases(
                scores=self.scores[:, k],
                is_positive=self.has_label[k],
                higher_is_positive=(True,) * self.n_predictors,
                frequency=self.frequency,
                sample_weight=self.sample_weight,
                cluster=self.cluster,
                fold=self.fold,
            ),
        )

    def decisions(self) -> ScoredCases:
        """Return the decisions on all labels: rows of the first label, then of the second, ..."""

        def repeated(weight: FloatArray | None) -> FloatArray | None:
            return None if weight is None else np.tile(weight, self.n_labels)

        return self.cached(
            "decisions",
            lambda: ScoredCases(
                scores=self.scores.reshape(self.n_predictors, -1),
                is_positive=self.has_label.ravel(),
                higher_is_positive=(True,) * self.n_predictors,
                frequency=repeated(self.frequency),
                sample_weight=repeated(self.sample_weight),
            ),
        )


class Reads(NamedTuple):
    """Ratings of a reader study, higher meaning more positive; NaN where a case was not read.

    Attributes
    ----------
    pos : ndarray of float64, shape (t, r, m)
        Ratings of the m positive cases by r readers under t modalities. Infinite ratings are legal.
    neg : ndarray of float64, shape (t, r, n)
        Ratings of the n negative cases.
    pos_cluster, neg_cluster : ndarray of int, shapes (m,) and (n,), or None
        Cluster of each case, numbered from 0 over both classes; None: every case is its own unit.
    """

    pos: FloatArray
    neg: FloatArray
    pos_cluster: IntArray | None = None
    neg_cluster: IntArray | None = None

    @property
    def n_modalities(self) -> int:
        """Number of modalities, t."""
        return int(self.pos.shape[0])

    @property
    def n_readers(self) -> int:
        """Number of readers, r."""
        return int(self.pos.shape[1])

    @property
    def n_pos(self) -> int:
        """Number of positive cases, m."""
        return int(self.pos.shape[2])

    @property
    def n_neg(self) -> int:
        """Number of negative cases, n."""
        return int(self.neg.shape[2])

    @property
    def has_read(self) -> BoolArray:
        """Which cases were read by whom, shape (t, r, m + n): the positives, then the negatives."""
        read: BoolArray = ~np.isnan(np.concatenate([self.pos, self.neg], axis=2))
        return read
