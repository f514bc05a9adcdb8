"""The validated data of a study of two classes: immutable, its count tables sorted once.

Of the rows left out for a missing value, ``Dropped`` keeps what is known: class, scores and
group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_text
from rocstats.facts.arrays import BoolArray, FloatArray, IntArray, take_rows
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    OWN_NAN_POLICIES,
    BaseSample,
    OwnNanPolicy,
    cached,
    directed_names,
    keep_whole_rows,
    names_in_short,
    read_covariates,
    read_own_dropped,
    read_roles,
    role_facts,
)
from rocstats.study.cases import ScoredCases
from rocstats.study.forms import (
    Inputs,
    predictor_naming,
    read_category_words,
    read_inputs,
    read_score_rows,
    require_labels_first,
)
from rocstats.study.marks import limits_of_columns
from rocstats.study.models import leaf_rows
from rocstats.study.repeats import repeated_cases
from rocstats.study.units import Units
from rocstats.study.vectors import read_directions, read_positives, require_both_classes

# --- The study ------------------------------------------------------------------------------------


class Sample(BaseSample):
    """Study of a binary outcome: class labels, and scores of one or more predictors.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class labels. With ``data``, the name of the column in ``data``. Labels 0/1, -1/1 and
        booleans need no ``pos_label``.
    y_score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors on the same cases: numbers, or ordered categories (numbered
        from 0). Infinite scores are allowed. With ``data``, the names of the columns in ``data``.
    *unnamed
        Not used: all following arguments are passed by name.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``y_score``. Default: the name of the Series, else
        "score". The columns of a matrix are named "score_1", "score_2", ....
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: True if higher scores mean positive. The direction is never
        guessed.
    frequency : array-like of int >= 0, or str, optional
        Multiplicity of each row: a row with frequency 3 counts as three cases; a row with 0 is
        omitted.
    sample_weight : array-like of float >= 0, or str, optional
        Importance or cost of each row. Closed-form variances are invalid for weights: intervals
        need the bootstrap.
    cluster : array-like, or str, optional
        Units whose rows are dependent (a patient with several lesions). Clusters change standard
        errors only.
    fold : array-like, or str, optional
        Cross-validation fold of each row: areas are means over folds.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups (site, sex): every method returns a set of rows per group. Several
        columns make one group of each combination that occurs, "F / 60-69"; answers have them too.
    covariate : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Covariates for adjustment (age, site): numbers, texts or categories. Texts and categories
        become indicators. Only for methods such as ``adjusted_auc``: other methods refuse a study
        with covariates.
    nan_policy : {"raise", "omit", "available"}, default "raise"
        Treatment of missing values; ``note`` has the number of omitted rows.

        - "raise": missing values are refused.
        - "omit": rows with a missing value are omitted, so that all predictors have the same cases.
        - "available": a row without a score is omitted for that predictor only. Comparisons of
          areas allow for this; other comparisons need "omit". Use "available" only for scores that
          are missing completely at random.
    labels : mapping of str to str, optional
        Printed names of predictors (and columns of groups) in tables, plots and reports. Returned
        frames keep the original names. Labels of other columns of ``data`` are ignored.
    outcome : str, optional
        Printed name of the condition in tables and reports, such as "Poor outcome".

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.

    Notes
    -----
    Rows are paired by position. Arguments with an index (Series, frames, columns of ``data``) must
    have equal indexes, with the same labels in the same order. Rows are never aligned by the index.
    Arguments without an index (arrays, lists, Polars) must be in the same order. A variable that is
    passed later, for example to ``subgroups``, must have the index of the rows of the study.
    """

    predictors: tuple[str, ...]
    pos_label: Any
    higher_is_positive: tuple[bool, ...]
    scores: FloatArray
    is_positive: BoolArray
    dropped: Dropped | None = None
    own_cases: bool = False
    """Whether predictors have different cases (``nan_policy="available"``)."""
    own_dropped: tuple[int, ...] | None = None
    """Number of omitted rows for each predictor; None if all predictors have the same cases."""
    from_tables: bool = False
    """Whether each predictor is a yes/no test made from a confusion table."""
    _categories: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    # Labels of the rows, if pandas gave any: later arguments with a value a row must have them too.
    _index: pd.Index[Any] | None = None

    def __init__(
        self,
        y_true: Any,
        y_score: Any,
        *unnamed: Any,
        data: Any = None,
        predictor: str | Sequence[str] | None = None,
        pos_label: Any = None,
        higher_is_positive: bool | Mapping[str, bool] = True,
        frequency: Any = None,
        sample_weight: Any = None,
        cluster: Any = None,
        fold: Any = None,
        group: Any = None,
        covariate: Any = None,
        nan_policy: OwnNanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> None:
        require_labels_first(y_true, unnamed)
        nan_policy = require_choice("nan_policy", nan_policy, OWN_NAN_POLICIES)
        roles = {
            "frequency": frequency,
            "sample_weight": sample_weight,
            "cluster": cluster,
            "fold": fold,
            "group": group,
            "covariate": covariate,
        }
        inputs = read_inputs(
            y_true, y_score, data=data, naming=predictor_naming(predictor), roles=roles
        )
        names = tuple(inputs.scores)
        # Without pos_label labels are 0/1, -1/1 or booleans, where 1 (True) is positive.
        fields: dict[str, Any] = {
            "predictors": names,
            "pos_label": 1 if pos_label is None else pos_label,
            "higher_is_positive": read_directions(higher_is_positive, names),
            "_shown": {
                **read_print_words(
                    labels, outcome, names, inputs.group_names, columns=inputs.columns
                ),
                **limits_of_columns(data, names),
            },
        }
        fields["_categories"] = read_category_words(inputs.scores)
        fields["_cluster_name"] = inputs.cluster_name
        fields["_covariates"], of_cases = read_covariates(inputs.covariate)
        own_cases = nan_policy == "available"
        scores = read_score_rows(inputs.scores)
        arrays = {
            "is_positive": read_positives(inputs.y_true, pos_label),
            "scores": scores,
            **read_roles(inputs, nan_policy),
            "covariate": of_cases,
            "_index": inputs.cases.index,
        }
        arrays["_repeated"] = repeated_cases(inputs, arrays["is_positive"], arrays["fold"])
        # ``dropped`` is read from the arrays of all rows: bounds for missing values use it.
        kept = keep_whole_rows(arrays, inputs, nan_policy)
        gone = {
            "dropped": read_dropped(arrays, inputs, inputs.missing(each_own=own_cases)),
            "own_cases": own_cases,
            "own_dropped": read_own_dropped(kept["scores"], inputs, nan_policy),
        }
        self._settle({**fields, **kept, **gone})
        _require_both_classes(self)

    @classmethod
    def from_leaves(
        cls,
        leaves: Any,
        *,
        pos_label: Any,
        predictor: str = "score",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return the study of a decision tree made from the counts at its leaves.

        Parameters
        ----------
        leaves : dataframe or dict of columns
            One row per leaf, with the columns ``class`` (predicted class), ``matched`` (number of
            instances at the leaf) and ``errors`` (number of these instances in the other class).
            Counts are whole numbers >= 0.
        pos_label : object
            Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
        predictor : str, default "score"
            Name of the tree.
        labels, outcome : mapping of str to str, and str, optional
            Printed names, as in ``Study``.

        Returns
        -------
        Study
            The score of a leaf is its share of positives, with the numbers of positives and
            negatives as frequencies. Leaves with equal shares are tied.

        Raises
        ------
        InputError
            If a column is missing or has no counts; if a leaf has more errors than instances; if
            there are more than two classes; if ``pos_label`` is not a class; or if a class has no
            instances.

        Notes
        -----
        The share is (matched - errors)/matched at a leaf that predicts the positive class, else
        errors/matched. The curve is the convex hull over all assignments of classes to leaves.
        Algorithm 7 of Fawcett (2004), as printed, plots every leaf separately and divides by the
        sizes of majority classes only. The points of that algorithm may decrease, and may not end
        at (1, 1).

        The curve is optimistic, since the same instances rank the leaves and are counted. The
        optimism is largest on the training set and with small leaves. Prefer ``from_tree`` on
        held-out cases: it keeps the ranking of the leaves from training.

        References
        ----------
        - Fawcett (2004), section 3.3, appendix A and algorithm 7 (corrected) [fawcett-2004]
        - Provost & Domingos (2001) [provost-domingos-2001]
        - Ferri, Flach & Hernandez-Orallo (2002) [ferri-2002]

        Examples
        --------
        >>> import rocstats as rs
        >>> leaves = {"class": ["p", "n", "p"], "matched": [10, 12, 8], "errors": [1, 2, 3]}
        >>> study = rs.Study.from_leaves(leaves, pos_label="p")
        >>> study.roc_curve()[["threshold", "fp", "tp"]].round(3)
           threshold  fp  tp
        0        inf   0   0
        1      0.900   1   9
        2      0.625   4  14
        3      0.167  14  16
        """
        require_text("predictor", predictor)
        # leaf_rows has validated the counts; the constructor would need labels for its rows again.
        is_positive, score, frequency = leaf_rows(leaves, pos_label)
        return cls._of(
            {
                "predictors": (predictor,),
                "pos_label": 1 if pos_label is None else pos_label,
                "higher_is_positive": (True,),
                "is_positive": is_positive,
                "scores": score[np.newaxis],
                "frequency": frequency,
                "_shown": read_print_words(labels, outcome, [predictor]),
            }
        )

    @property
    def outcome(self) -> str | None:
        """Printed name of the condition, or None."""
        name: str | None = self._shown.get("outcome")
        return name

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """Labels of ordered categories, by predictor; their scores are numbers from 0."""
        return dict(self._categories)

    @property
    def cases(self) -> ScoredCases:
        """The validated arrays of the study, with their count tables sorted once.

        Raises InputError if predictors have different cases; ``own_sample`` has the cases of one
        predictor.
        """
        require_same_cases(self)
        return self.all_cases

    @property
    def all_cases(self) -> ScoredCases:
        """The arrays of all rows; a missing score is NaN."""
        # Kept, since the cases keep the count tables that every question shares.
        return cached(
            self,
            "cases",
            lambda: ScoredCases(
                scores=self.scores,
                is_positive=self.is_positive,
                higher_is_positive=self.higher_is_positive,
                frequency=self.frequency,
                sample_weight=self.sample_weight,
                cluster=self.cluster,
                fold=self.fold,
            ),
        )

    @property
    def _counted(self) -> ScoredCases:
        # How many cases several tables have together is unknown: tests may share them.
        return self.cases if self.from_tables else self.all_cases

    @property
    def n_pos(self) -> float:
        """Number of positives: rows, or the sum of their frequencies."""
        return self._counted.n_pos

    @property
    def n_neg(self) -> float:
        """Number of negatives: rows, or the sum of their frequencies."""
        return self._counted.n_neg

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]."""
        return self._counted.prevalence

    def _units(self) -> Units | None:
        positive = np.flatnonzero(self.is_positive)
        return self._units_of({self.outcome or "": positive}, self.is_positive)

    def _facts(self) -> dict[str, str]:
        about = {"predictors": directed_names(self.predictors, self.higher_is_positive)}
        if self.from_tables and self.own_dropped is not None:
            tests = [own_sample(self, k) for k in range(len(self.predictors))]
            sizes = {"positives": [own.n_pos for own in tests]}
            sizes["negatives"] = [own.n_neg for own in tests]
            return about | {
                name: names_in_short(f"{size:,.0f}" for size in each)
                for name, each in sizes.items()
            }
        about |= {
            "positives": f"{self.n_pos:,.0f} (label {self.pos_label!r})",
            "negatives": f"{self.n_neg:,.0f}",
            "prevalence": f"{self.prevalence:.4g}",
            **role_facts(self),
        }
        if self._bin_end is not None:
            about["scores"] = "known up to bins: answers have binning_error"
        if self.own_dropped is not None:
            numbers = zip(self.predictors, self.own_dropped, strict=True)
            about["left out for"] = names_in_short(f"{name} {number:,}" for name, number in numbers)
        return about


def own_sample(sample: Sample, k: int) -> Sample:
    """Return the sample of the cases of predictor ``k``; itself if all have the same cases.

    Predictors keep their places, but every one has the scores of ``k``.
    """
    dropped = sample.own_dropped
    if dropped is None:
        return sample
    return cached(sample, ("own", k), lambda: _own_sample(sample, k, dropped))


def _own_sample(sample: Sample, k: int, dropped: tuple[int, ...]) -> Sample:
    rows = np.flatnonzero(~np.isnan(sample.scores[k]))
    taken = take_rows({**sample.__getstate__(), "scores": sample.scores[k]}, rows)
    # A view: a copy of all predictors for each of them would be memory in the square of k.
    scores = np.broadcast_to(taken["scores"], (len(sample.predictors), len(rows)))
    return sample._of({**taken, "scores": scores, "n_dropped": dropped[k], "own_dropped": None})


def require_same_cases(sample: Sample) -> None:
    """Raise InputError if predictors have different cases, or cases of unknown pairing."""
    if sample.own_dropped is None:
        return
    if sample.from_tables:
        raise InputError(
            "`table` must not be the only data of a comparison of tests, since tables do not show"
            f" which cases tests share; got {len(sample.predictors)} tables. For tests on the same"
            f" cases, pass all results: Study(y, {{name: result, ...}}, frequency=...). For"
            " independent samples, pass all results as one predictor with group=, and compare with"
            " across='groups'."
        )
    raise InputError(
        "`nan_policy` must be 'omit' for a method that needs the same cases for all predictors;"
        f" got 'available' and {min(sample.own_dropped)} to {max(sample.own_dropped)} rows left"
        " out per predictor. Make the study with nan_policy='omit'."
    )


def require_fold_classes(sample: Sample) -> None:
    """Raise InputError if a fold lacks a class."""
    for label, part in sample.cases.by_fold():
        if part.lacks_class:
            unweighted = part.n_pos > 0 and part.n_neg > 0
            raise InputError(
                f"`fold` must have both classes in every fold; got {part.n_pos:.0f} positives and"
                f" {part.n_neg:.0f} negatives in fold"
                f" {label!r}{', where a class has only sample_weight 0' if unweighted else ''}."
                " Stratify the folds, or merge them."
            )


def _require_both_classes(sample: Sample) -> None:
    """Raise InputError unless both classes have cases, and a positive sum of weights."""
    # In the whole sample only: a group without a class has rows with the note "one-class".
    for k, name in enumerate(sample.predictors if sample.own_dropped is not None else [""]):
        own = own_sample(sample, k)
        of = f" with a score of {name!r}" if name else ""
        label = f" (label {sample.pos_label!r})"
        require_both_classes("y_true", own.n_pos, own.n_neg, label=label, of=of)
        # Of weight 0 a class has cases but no rates.
        if own.cases.lacks_class:
            raise InputError(
                f"`sample_weight` must have a positive sum in each class; got a class with sum 0"
                f"{of}. Give at least one positive and one negative a weight."
            )


# --- Rows left out for a missing value ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Dropped:
    """Rows left out: scores (k x d), class (and whether it is known), frequency, code of the group.

    A missing score is NaN. The code is -1 if the group is missing too, and for every row of a study
    without groups.
    """

    scores: FloatArray
    is_positive: BoolArray
    is_labelled: BoolArray
    frequency: FloatArray
    group: IntArray

    def placed(self, group: int | None) -> BoolArray:
        """Return which rows have a known class and are of a group; None is a study without any."""
        here = np.ones(len(self.group), dtype=bool) if group is None else self.group == group
        return here & self.is_labelled

    def n_lost(self, group: int | None) -> float:
        """Return the number of cases of unknown class, or that could be of this group."""
        # A case of unknown group could be of every group: each group counts it among its unknown.
        lost = ~self.is_labelled
        if group is not None:
            lost = (lost & (self.group == group)) | (self.group < 0)
        return float(self.frequency[lost].sum())


def read_dropped(
    arrays: dict[str, Any], inputs: Inputs, missing: BoolArray | None
) -> Dropped | None:
    """Return the rows left out, given the arrays of all rows; None without any."""
    if missing is None:
        return None
    rows = np.flatnonzero(missing)
    frequency, group = arrays["frequency"], arrays["group"]
    no_label = inputs.y_true.missing
    fields = (
        np.ascontiguousarray(arrays["scores"][:, rows]),
        arrays["is_positive"][rows],
        np.ones(len(rows), dtype=bool) if no_label is None else ~no_label[rows],
        np.ones(len(rows)) if frequency is None else frequency[rows],
        np.full(len(rows), -1, dtype=np.intp) if group is None else group.codes[rows],
    )
    for array in fields:
        array.flags.writeable = False
    return Dropped(*fields)
