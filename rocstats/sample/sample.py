"""The validated data of a study of two classes: immutable, its count tables sorted once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from rocstats.errors import InputError, require_choice, require_text
from rocstats.frames.labels import read_shown
from rocstats.sample.arrays import BoolArray, FloatArray
from rocstats.sample.base import BaseSample
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.describe import in_short, role_facts
from rocstats.sample.inputs.confusion_tables import confusion_rows
from rocstats.sample.inputs.dropped import Dropped, read_dropped
from rocstats.sample.inputs.forms import predictor_naming, read_inputs
from rocstats.sample.inputs.labels import read_directions, read_labels
from rocstats.sample.inputs.traps import require_labels_first
from rocstats.sample.inputs.trees import leaf_rows
from rocstats.sample.inputs.vectors import read_scores
from rocstats.sample.repeats import repeats_cases
from rocstats.sample.roles import NAN_POLICIES, NanPolicy, keep_whole_rows, read_roles


class Sample(BaseSample):
    """Labels and scores of one or more predictors on the same cases, with their roles.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class labels; a name with ``data=``. Labels 0/1, -1/1 and booleans need no ``pos_label``.
    y_score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors on the same cases: numbers, or ordered categories
        (numbered from 0). Infinite scores are legal. Names with ``data=``.
    *unnamed
        Nothing: what follows is given by name.
    data : dataframe, optional
        Frame with the named columns: pandas, or any eager frame narwhals reads.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``y_score``. Default: the name of the Series, else
        "score"; "score_1", "score_2", ... for a matrix.
    pos_label : object, optional
        Label of the positive class; never guessed but for 0/1, -1/1 and booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: True if higher scores mean positive. Never guessed.
    frequency : array-like of int >= 0, or str, optional
        Multiplicity of each row: a row with frequency 3 is three cases, one with 0 is left out.
    sample_weight : array-like of float >= 0, or str, optional
        Importance or cost of each row. Closed-form variances do not hold under weights: intervals
        need the bootstrap.
    cluster : array-like, or str, optional
        Units whose rows are dependent (lesions of a patient): they change standard errors only.
    fold : array-like, or str, optional
        Cross-validation fold of each row: areas are means over folds.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups (site, sex): every question gives one row set per group. Several
        columns make one group of each combination that occurs: "F / 60-69".
    nan_policy : {"raise", "omit"}, default "raise"
        Missing values are refused, or whole rows left out and counted in ``note``.
    labels : mapping of str to str, optional
        What predictors (and columns of groups) are called in print: tables, plots and reports.
        Frames keep the names. Labels of other columns of ``data`` are left out.
    outcome : str, optional
        Name of the condition in words, for tables and reports: "Poor outcome".

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.
    """

    predictors: tuple[str, ...]
    pos_label: Any
    higher_is_positive: tuple[bool, ...]
    scores: FloatArray
    is_positive: BoolArray
    dropped: Dropped | None = None

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
        nan_policy: NanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> None:
        require_labels_first(y_true, unnamed)
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        roles = {
            "frequency": frequency,
            "sample_weight": sample_weight,
            "cluster": cluster,
            "fold": fold,
            "group": group,
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
            "_shown": read_shown(
                labels, outcome, names, inputs.group_names, columns=inputs.columns
            ),
        }
        arrays = {
            "is_positive": read_labels(inputs.y_true, pos_label),
            "scores": np.stack([read_scores(vector) for vector in inputs.scores.values()]),
            **read_roles(inputs),
        }
        # ``dropped`` is read from the arrays of all rows: bounds for missing values use it.
        kept = keep_whole_rows(arrays, inputs, nan_policy)
        fields["_repeats"] = repeats_cases(
            inputs, arrays["is_positive"].astype(np.intp), arrays["fold"]
        )
        self._settle({**fields, **kept, "dropped": read_dropped(arrays, inputs)})
        _require_both_classes(self)

    @classmethod
    def from_confusion(
        cls,
        *,
        tp: float,
        fn: float,
        fp: float,
        tn: float,
        predictor: str = "score",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> Self:
        """Return the study of a discrete classifier from its confusion table.

        Parameters
        ----------
        tp, fn, fp, tn : int
            True positives, false negatives, false positives and true negatives, each >= 0.
        predictor : str, default "score"
            Name of the classifier.
        labels, outcome : mapping of str to str, and str, optional
            Words in print, as in ``Study``.

        Returns
        -------
        Study
            Two scores, 1 (called positive) and 0, with frequencies.

        Raises
        ------
        InputError
            If a count is negative or not whole, or a class has no members.

        Notes
        -----
        The ROC curve has a single inner point, (fp/(fp + tn), tp/(tp + fn)).

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
        """
        # Four rows with frequencies, however large the counts are.
        y_true, y_score, frequency = confusion_rows(tp=tp, fn=fn, fp=fp, tn=tn)
        words: dict[str, Any] = {"labels": labels, "outcome": outcome}
        return cls(y_true, y_score, frequency=frequency, predictor=predictor, **words)

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
        """Return the study of a decision tree from the counts at its leaves.

        Parameters
        ----------
        leaves : dataframe or dict of columns
            A row a leaf, with the columns ``class`` (predicted by the leaf), ``matched``
            (instances at the leaf) and ``errors`` (those of the other class); both counts are
            whole numbers >= 0.
        pos_label : object
            Label of the positive class; never guessed but for 0/1, -1/1 and booleans.
        predictor : str, default "score"
            Name of the tree.
        labels, outcome : mapping of str to str, and str, optional
            Words in print, as in ``Study``.

        Returns
        -------
        Study
            The score of a leaf is its share of positives, with the numbers of positives and
            negatives as frequencies. Leaves with equal shares tie.

        Raises
        ------
        InputError
            If a column is missing or is no count, a leaf has more errors than instances, there are
            more than two classes, ``pos_label`` is none of them, or a class has no instances.

        Notes
        -----
        The share is (matched - errors)/matched at a leaf that predicts the positive class, else
        errors/matched. The curve is the convex hull of all labellings of the leaves. (Algorithm 7
        as printed plots every leaf by itself and divides by the members of majority classes only:
        its points need not rise, nor end at (1, 1).)

        The curve is optimistic, since the leaves are ranked by the instances that are then counted:
        most of all on the training set, and with small leaves. Prefer ``from_tree`` on held-out
        cases, which keeps the order of the leaves that the tree learned.

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
                **dict.fromkeys(("sample_weight", "cluster", "fold", "group")),
                "n_dropped": 0,
                "_shown": read_shown(labels, outcome, [predictor]),
            }
        )

    @property
    def outcome(self) -> str | None:
        """Name of the condition in words, if it was given."""
        name: str | None = self._shown.get("outcome")
        return name

    @property
    def cases(self) -> ScoredCases:
        """The validated arrays of the study, with their count tables sorted once."""
        # Kept, since the cases keep the count tables that every question shares.
        if "cases" not in self._cache:
            self._cache["cases"] = ScoredCases(
                scores=self.scores,
                is_positive=self.is_positive,
                higher_is_positive=self.higher_is_positive,
                frequency=self.frequency,
                sample_weight=self.sample_weight,
                cluster=self.cluster,
                fold=self.fold,
            )
        return self._cache["cases"]  # type: ignore[no-any-return]

    @property
    def n_pos(self) -> float:
        """Number of positives: rows, or the sum of their frequencies."""
        return self.cases.n_pos

    @property
    def n_neg(self) -> float:
        """Number of negatives: rows, or the sum of their frequencies."""
        return self.cases.n_neg

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]."""
        return self.cases.prevalence

    def _facts(self) -> dict[str, str]:
        marked = (
            f"{name}{'' if higher else ' (lower is positive)'}"
            for name, higher in zip(self.predictors, self.higher_is_positive, strict=True)
        )
        return {
            "predictors": in_short(marked),
            "positives": f"{self.n_pos:,.0f} (label {self.pos_label!r})",
            "negatives": f"{self.n_neg:,.0f}",
            "prevalence": f"{self.prevalence:.4g}",
            **role_facts(self),
        }


def require_fold_classes(sample: Sample) -> None:
    """Raise InputError if a fold lacks a class."""
    for label, part in sample.cases.by_fold():
        if part.lacks_class:
            unweighted = part.n_pos > 0 and part.n_neg > 0
            raise InputError(
                f"`fold` must leave both classes in every fold; got {part.n_pos:.0f} positives and"
                f" {part.n_neg:.0f} negatives in fold {label!r}"
                f"{', of a class with sample_weight 0' if unweighted else ''}."
                " Stratify the folds, or merge them."
            )


def _require_both_classes(sample: Sample) -> None:
    """Raise InputError unless both classes have cases, and a positive sum of weights."""
    # In the whole sample only: a group without a class has rows with the note "one-class".
    n_pos, n_neg = sample.n_pos, sample.n_neg
    if n_pos == 0 or n_neg == 0:
        raise InputError(
            f"`y_true` must hold both classes; got {n_pos:.0f} positives"
            f" (label {sample.pos_label!r}) and {n_neg:.0f} negatives."
            " Check `pos_label`, and that cases of both classes are in the data."
        )
    # Of weight 0 a class has cases but no rates.
    if sample.cases.lacks_class:
        raise InputError(
            "`sample_weight` must have a positive sum in each class; got a class with sum 0."
            " Give at least one positive and one negative a weight."
        )
