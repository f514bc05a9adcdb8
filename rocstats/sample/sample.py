"""The validated data of a binary study: immutable, with its count tables cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np

from rocstats.errors import InputError, require_choice
from rocstats.sample.confusion import confusion_rows
from rocstats.sample.counts import (
    CodeArray,
    ScoreCounts,
    count_scores_of,
    count_scores_with_codes,
)
from rocstats.sample.describe import as_html, as_text
from rocstats.sample.inputs import Inputs, read_inputs
from rocstats.sample.labels import read_labels
from rocstats.sample.vectors import (
    BoolArray,
    Factor,
    FloatArray,
    IntArray,
    Vector,
    describe_rows,
    read_factor,
    read_scores,
    read_weights,
)

NanPolicy = Literal["raise", "omit"]


class Sample:
    """Labels and scores of one or more predictors on the same cases, with their roles.

    Parameters
    ----------
    y_true : array-like of shape (n,), or str
        Class labels; a name with ``data=``. Labels 0/1, -1/1 and booleans need no ``pos_label``.
    y_score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Scores of one or more predictors on the same cases: numbers, or ordered categories
        (numbered from 0). Infinite scores are legal. Names with ``data=``.
    data : dataframe, optional
        Frame whose columns the names mean: pandas, or any eager frame narwhals reads.
    predictor : str or sequence of str, optional
        Names of the columns of an unnamed ``y_score``. Default: the name of the Series, else
        "score"; "score_1", "score_2", ... for a matrix.
    pos_label : object, optional
        Label of the positive class; never guessed but for 0/1, -1/1 and booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: whether higher scores mean positive. Never guessed.
    frequency : array-like of int >= 0, or str, optional
        Multiplicity of each row: a row with frequency 3 is three cases. All theory holds.
    sample_weight : array-like of float >= 0, or str, optional
        Importance or cost of each row. Closed-form variances do not hold under weights.
    cluster : array-like, or str, optional
        Units that belong together (lesions of a patient): influence is summed by cluster.
    fold : array-like, or str, optional
        Cross-validation fold of each row: areas are means over folds.
    group : array-like, or str, optional
        Independent subgroups (site, sex): every question gives one row set per group.
    nan_policy : {"raise", "omit"}, default "raise"
        What to do with missing values: refuse, or leave out whole rows and count them in ``note``.

    Raises
    ------
    InputError
        If anything handed in cannot be what it is said to be; the message says the mend.
    """

    predictors: tuple[str, ...]
    pos_label: Any
    higher_is_positive: tuple[bool, ...]
    scores: FloatArray
    is_positive: BoolArray
    frequency: FloatArray | None
    sample_weight: FloatArray | None
    cluster: Factor | None
    fold: Factor | None
    group: Factor | None
    n_dropped: int

    def __init__(
        self,
        y_true: Any,
        y_score: Any,
        *,
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
    ) -> None:
        require_choice("nan_policy", nan_policy, ("raise", "omit"))
        roles = {
            "frequency": frequency,
            "sample_weight": sample_weight,
            "cluster": cluster,
            "fold": fold,
            "group": group,
        }
        inputs = read_inputs(y_true, y_score, data=data, predictor=predictor, roles=roles)
        names = tuple(inputs.scores)
        fields = {
            "predictors": names,
            "pos_label": 1 if pos_label is None else pos_label,
            "higher_is_positive": _directions(higher_is_positive, names),
            **_arrays(inputs, pos_label, nan_policy),
        }
        self._settle(fields)
        _require_both_classes(self)

    @classmethod
    def from_confusion(
        cls, *, tp: float, fn: float, fp: float, tn: float, predictor: str = "score"
    ) -> Self:
        """Return the study of a discrete classifier from its confusion table.

        Parameters
        ----------
        tp, fn, fp, tn : int
            True positives, false negatives, false positives and true negatives, each >= 0.
        predictor : str, default "score"
            Name of the classifier.

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
        Its ROC curve has the single inner point (fp/(fp + tn), tp/(tp + fn)).

        References
        ----------
        Fawcett (2004), section 2 and figure 2.

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
        y_true, y_score, frequency = confusion_rows(tp=tp, fn=fn, fp=fp, tn=tn)
        return cls(y_true, y_score, frequency=frequency, predictor=predictor)

    @property
    def n_pos(self) -> float:
        """Number of positives: rows, or the sum of their frequencies."""
        return self._total(self.is_positive)

    @property
    def n_neg(self) -> float:
        """Number of negatives: rows, or the sum of their frequencies."""
        return self._total(~self.is_positive)

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]."""
        return self.n_pos / (self.n_pos + self.n_neg)

    def counts(self, k: int) -> ScoreCounts:
        """Return the count table of predictor ``k``, sorted once and kept."""
        if ("counts", k) not in self._cache:
            self._cache["counts", k] = count_scores_of(*self._column(k))
        return self._cache["counts", k]  # type: ignore[no-any-return]

    def codes(self, k: int) -> CodeArray:
        """Return where each row's score stands in the count table of predictor ``k``."""
        if ("codes", k) not in self._cache:
            counts, codes = count_scores_with_codes(*self._column(k))
            self._cache["counts", k], self._cache["codes", k] = counts, codes
        return self._cache["codes", k]  # type: ignore[no-any-return]

    def by_group(self) -> list[tuple[str, Self]]:
        """Return the sample of each group in order of appearance; ("", itself) without groups."""
        return self._split("group", self.group)

    def by_fold(self) -> list[tuple[str, Self]]:
        """Return the sample of each fold in order of appearance; ("", itself) without folds."""
        return self._split("fold", self.fold)

    def notes(self) -> list[str]:
        """Return the codes that every row about this sample carries."""
        return [f"rows-dropped={self.n_dropped}"] if self.n_dropped else []

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a study is immutable: `{name}` cannot be set; make a new study.")

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._settle(state)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}

    _cache: dict[Any, Any]

    def _settle(self, fields: dict[str, Any]) -> None:
        """Set the fields once and for all, every array read-only."""
        for value in fields.values():
            array = value.codes if isinstance(value, Factor) else value
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
        self.__dict__.update(fields, _cache={})

    def _total(self, mask: BoolArray) -> float:
        if self.frequency is None:
            return float(np.count_nonzero(mask))
        return float(self.frequency[mask].sum())

    def _column(self, k: int) -> tuple[FloatArray, BoolArray, FloatArray | None, bool]:
        weight = self.frequency
        if self.sample_weight is not None:
            weight = self.sample_weight if weight is None else weight * self.sample_weight
        return self.scores[k], self.is_positive, weight, self.higher_is_positive[k]

    def _split(self, name: str, factor: Factor | None) -> list[tuple[str, Self]]:
        if factor is None:
            return [("", self)]
        if name not in self._cache:
            order = np.argsort(factor.codes, kind="stable")
            ends = np.cumsum(np.bincount(factor.codes, minlength=len(factor.labels)))
            rows = np.split(order, ends[:-1])
            self._cache[name] = [
                (label, self._part(part, without=name))
                for label, part in zip(factor.labels, rows, strict=True)
                if len(part)
            ]
        return self._cache[name]  # type: ignore[no-any-return]

    def _part(self, rows: IntArray, without: str) -> Self:
        part = object.__new__(type(self))
        fields = {name: value for name, value in self.__dict__.items() if name != "_cache"}
        for name in ("is_positive", "frequency", "sample_weight"):
            if fields[name] is not None:
                fields[name] = fields[name][rows]
        for name in ("cluster", "fold", "group"):
            if fields[name] is not None:
                fields[name] = fields[name].take(rows)
        fields["scores"] = np.ascontiguousarray(self.scores[:, rows])
        fields[without] = None
        part._settle(fields)
        return part


def require_fold_classes(sample: Sample) -> None:
    """Raise InputError when a fold lacks a class."""
    for label, part in sample.by_fold():
        if part.n_pos == 0 or part.n_neg == 0:
            raise InputError(
                f"`fold` must leave both classes in every fold; got {part.n_pos:.0f} positives and"
                f" {part.n_neg:.0f} negatives in fold {label!r}. Stratify the folds, or merge them."
            )


def _directions(higher: bool | Mapping[str, bool], names: tuple[str, ...]) -> tuple[bool, ...]:
    if isinstance(higher, Mapping):
        unknown = [name for name in higher if name not in names]
        if unknown:
            raise InputError(
                f"`higher_is_positive` must name predictors; got {unknown}."
                f" The predictors are {list(names)}."
            )
        values = [higher.get(name, True) for name in names]
    else:
        values = [higher] * len(names)
    if not all(isinstance(value, (bool, np.bool_)) for value in values):
        raise InputError(
            f"`higher_is_positive` must be True or False, or a dict of them; got {higher!r}."
            " Say for each predictor whether higher scores mean positive."
        )
    return tuple(bool(value) for value in values)


def _arrays(inputs: Inputs, pos_label: Any, nan_policy: NanPolicy) -> dict[str, Any]:
    """Return the validated arrays: rows with a missing value or frequency 0 are gone."""
    roles = inputs.roles
    arrays: dict[str, Any] = {
        "is_positive": read_labels(inputs.y_true, pos_label),
        "scores": np.stack([read_scores(vector) for vector in inputs.scores.values()]),
        "frequency": read_weights(roles["frequency"], whole=True) if "frequency" in roles else None,
        "sample_weight": (
            read_weights(roles["sample_weight"], whole=False) if "sample_weight" in roles else None
        ),
        **{
            name: read_factor(roles[name]) if name in roles else None
            for name in ("cluster", "fold", "group")
        },
    }
    missing = _missing_rows(inputs, nan_policy)
    n_dropped = 0 if missing is None else int(np.count_nonzero(missing))
    absent = None if arrays["frequency"] is None else arrays["frequency"] == 0
    if missing is not None or (absent is not None and absent.any()):
        gone = np.zeros(len(inputs.y_true), dtype=bool)
        for rows in (missing, absent):
            if rows is not None:
                gone |= rows
        arrays = _keep(arrays, np.flatnonzero(~gone))
    return {**arrays, "n_dropped": n_dropped}


def _keep(arrays: dict[str, Any], rows: IntArray) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in arrays.items():
        if isinstance(value, Factor):
            kept[name] = value.take(rows)
        else:
            kept[name] = None if value is None else value[..., rows]
    return kept


def _missing_rows(inputs: Inputs, nan_policy: NanPolicy) -> BoolArray | None:
    vectors: list[tuple[str, Vector]] = [("", inputs.y_true)]
    vectors += [(f" of {name!r}", vector) for name, vector in inputs.scores.items()]
    vectors += [("", vector) for vector in inputs.roles.values()]
    found = [(of, vector) for of, vector in vectors if vector.missing is not None]
    if not found:
        return None
    if nan_policy == "raise":
        of, vector = found[0]
        rows = np.flatnonzero(vector.missing)  # type: ignore[arg-type]
        raise InputError(
            f"`{vector.argument}` must have no missing values; got {len(rows)}{of}"
            f" ({describe_rows(rows)}). Pass nan_policy='omit' to leave these rows out,"
            " or fill them in."
        )
    return np.asarray(
        np.any([vector.missing for _, vector in found if vector.missing is not None], axis=0)
    )


def _require_both_classes(sample: Sample) -> None:
    n_pos, n_neg = sample.n_pos, sample.n_neg
    if n_pos == 0 or n_neg == 0:
        raise InputError(
            f"`y_true` must hold both classes; got {n_pos:.0f} positives"
            f" (label {sample.pos_label!r}) and {n_neg:.0f} negatives."
            " Check `pos_label`, and that cases of both classes are in the data."
        )
    weight = sample.sample_weight
    if (
        weight is not None
        and not min(weight[sample.is_positive].sum(), weight[~sample.is_positive].sum()) > 0
    ):
        raise InputError(
            "`sample_weight` must have a positive sum in each class; got a class with sum 0."
            " Give at least one positive and one negative a weight."
        )
