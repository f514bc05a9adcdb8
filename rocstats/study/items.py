"""The validated data of an item study: how well each of several systems did on the same items.

Scores are a table of items by systems, or a row for each item and system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import Factor, FloatArray, IntArray
from rocstats.frame.make import SUBJECT, read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    cached,
    keep_whole_rows,
    names_in_short,
    read_roles,
    role_facts,
)
from rocstats.study.columns import Columns, require_complete, require_equal_rows
from rocstats.study.forms import (
    Inputs,
    Naming,
    ScoreBlock,
    distinct_vectors,
    named_scores,
    one_vector,
    read_score_rows,
    role_vectors,
)
from rocstats.study.vectors import (
    Vector,
    describe_rows,
    label_text,
    read_factor,
    require_no_text,
)

# --- The study ------------------------------------------------------------------------------------


class ItemSample(BaseSample):
    """Study of systems (models, judges) whose result on each item is right, wrong or partly right.

    Use this study if there is no positive and no negative class: a question is answered right, a
    program passes its tests, a judge agrees with a person. If each item has one of two true labels,
    use ``Study``, which also has sensitivity, specificity, F1 and kappa.

    Parameters
    ----------
    score : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str
        Score of each item (row) by each system (column): 1 or True for right, 0 or False for wrong,
        or a grade in [0, 1]. With ``data``, the names of the columns in ``data``. If ``item`` and
        ``system`` are passed, ``score`` is a single column: each row is the score of one item by
        one system.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    item : array-like of shape (n,), or str, optional
        Item of each row, if each row is one item scored by one system; pass it together with
        ``system``. If a system has several rows for an item (samples, epochs), the score of the
        item is the mean of these rows.
    system : array-like of shape (n,), or str, optional
        System of each row, if each row is one item scored by one system; pass it together with
        ``item``.
    frequency : array-like of int >= 0, or str, optional
        Multiplicity of each row: a row with frequency 3 counts as three items. Unavailable with
        ``item``.
    cluster : array-like, or str, optional
        Units whose items are dependent (passage, repeated item). Clusters change standard errors
        only.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups (category): every method returns a set of rows per group. Several
        columns make one group of each combination that occurs, "law / 2024"; answers have them too.
    nan_policy : {"raise", "omit"}, default "raise"
        "raise" refuses an item that has a missing value, or for which a system has no row. "omit"
        omits such an item for all systems; ``note`` has the number of omitted items.
    labels : mapping of str to str, optional
        Printed names of systems (and columns of groups) in tables and plots. Returned frames keep
        the original names. Labels of other columns of ``data`` are ignored.

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.

    Notes
    -----
    A system may refuse an item, or give an answer that cannot be read. This is a result of the
    system: score the item 0. If the score is left missing, ``nan_policy="omit"`` omits the item for
    all systems, and the results do not show that this system failed on it.

    Examples
    --------
    >>> import rocstats as rs
    >>> rs.ItemStudy({"large": [1, 1, 1, 0], "small": [1, 0, 1, 0]})
    ItemStudy
      systems  large, small
      items    4
      scores   right or wrong

    With a row for each item and system:

    >>> rs.ItemStudy(
    ...     [1, 0, 1, 1, 1, 0],
    ...     item=["q1", "q1", "q2", "q2", "q3", "q3"],
    ...     system=["large", "small"] * 3,
    ... )
    ItemStudy
      systems  large, small
      items    3
      scores   right or wrong
    """

    predictors: tuple[str, ...]
    scores: FloatArray
    graded: bool
    most_samples: int

    def __init__(
        self,
        score: Any,
        *,
        data: Any = None,
        item: Any = None,
        system: Any = None,
        frequency: Any = None,
        cluster: Any = None,
        group: Any = None,
        nan_policy: NanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
    ) -> None:
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        columns = None if data is None else Columns(data)
        roles = {"frequency": frequency, "cluster": cluster}
        given = {
            role: one_vector(value, role, columns)
            for role, value in roles.items()
            if value is not None
        }
        if item is None and system is None:
            read = _items_of_table(score, columns, given, group)
        else:
            long = {"item": item, "system": system}
            read = _items_of_rows(score, columns, long, given, group, nan_policy)
        inputs = read.inputs
        arrays = {"scores": _read_item_scores(inputs.scores), **read_roles(inputs)}
        fields = keep_whole_rows(arrays, inputs, nan_policy)
        names = tuple(inputs.scores)
        self._settle(
            {
                "predictors": names,
                # Of the whole study, so that all groups have the same quantity.
                "graded": bool(((fields["scores"] > 0) & (fields["scores"] < 1)).any()),
                "most_samples": read.most_samples,
                "_cluster_name": inputs.cluster_name,
                "_shown": {
                    **read_print_words(
                        labels, None, names, inputs.group_names, columns=inputs.columns
                    ),
                    SUBJECT: "System",
                },
                **fields,
            }
        )
        if not self.n_items:
            raise InputError(
                "`score` must leave at least one item; got none without missing values. Fill them"
                " in, or leave out a system."
            )

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems: the predictors of the frames."""
        return self.predictors

    @property
    def weight(self) -> FloatArray:
        """Number of items that each row stands for."""
        n = self.scores.shape[1]
        return cached(
            self, "weight", lambda: np.ones(n) if self.frequency is None else self.frequency
        )

    @property
    def n_items(self) -> float:
        """Number of items: rows, or the sum of their frequencies."""
        return float(self.weight.sum())

    @property
    def n_clusters(self) -> float:
        """Number of clusters; NaN without clusters."""
        return float("nan") if self.cluster is None else float(len(self.cluster.present))

    def _facts(self) -> dict[str, str]:
        return {
            "systems": names_in_short(self.predictors),
            "items": f"{self.n_items:,.0f}",
            "scores": "grades from 0 to 1" if self.graded else "right or wrong",
            **role_facts(self),
        }


# --- Reading its inputs ---------------------------------------------------------------------------


class ItemInputs(NamedTuple):
    """Scores and roles, a row for each item, and the largest number of samples behind a score."""

    inputs: Inputs
    most_samples: int = 1


def _items_of_table(
    score: Any, columns: Columns | None, given: dict[str, Vector], group: Any
) -> ItemInputs:
    """Return the inputs of a table of items by systems."""
    naming = Naming(
        "system", None, lambda width: [f"system_{k + 1}" for k in range(width)], "score"
    )
    scores = named_scores(score, naming, columns)
    first = next(iter(distinct_vectors(scores).values()))
    groups = role_vectors(group, "group", columns, len(first))
    inputs = Inputs(_no_outcome(first), scores, given, groups, columns.names if columns else ())
    require_equal_rows([*distinct_vectors(scores).values(), *inputs.of_roles])
    return ItemInputs(inputs)


def _no_outcome(like: Vector) -> Vector:
    """Return a vector without missing values in the place of the outcome, which items lack."""
    return Vector(like.argument, np.zeros(len(like)), None, like.index, None)


def _items_of_rows(
    score: Any,
    columns: Columns | None,
    long: Mapping[str, Any],
    given: dict[str, Vector],
    group: Any,
    nan_policy: NanPolicy,
) -> ItemInputs:
    """Return the inputs of rows that are each of one item and one system."""
    for name, other in (("item", "system"), ("system", "item")):
        if long[name] is None:
            raise InputError(
                f"`{name}` must be given with `{other}`; got `{other}` alone. Pass both for rows of"
                " one item and one system, or neither for a table with a column for each system."
            )
    if "frequency" in given:
        raise InputError(
            "`frequency` must stay None with `item`; got a value for each row. Pass a table with a"
            " column for each system."
        )
    values = one_vector(score, "score", columns)
    items, systems = (one_vector(long[name], name, columns) for name in ("item", "system"))
    groups = role_vectors(group, "group", columns, len(values))
    require_equal_rows([values, items, systems, *given.values(), *groups.values()])
    for vector in (items, systems):
        require_complete(vector)
    item, system = read_factor(items, as_text=label_text), read_factor(systems, as_text=label_text)
    index = pd.Index(item.labels)
    first = np.unique(item.codes, return_index=True)[1]
    means, most = _means_of_samples(_read_item_scores({"": values})[0], item, system, nan_policy)

    def of_items(vector: Vector) -> Vector:
        _require_one_value_an_item(vector, item, first)
        return replace(vector.take(first), index=index)

    scores = {
        name: Vector("score", row, np.isnan(row) if np.isnan(row).any() else None, index, name)
        for name, row in zip(system.labels, means, strict=True)
    }
    inputs = Inputs(
        Vector("score", np.zeros(len(index)), None, index, None),
        scores,
        {role: of_items(vector) for role, vector in given.items()},
        {name: of_items(vector) for name, vector in groups.items()},
        columns.names if columns else (),
    )
    return ItemInputs(inputs, most)


def _means_of_samples(
    scores: FloatArray, item: Factor, system: Factor, nan_policy: NanPolicy
) -> tuple[FloatArray, int]:
    """Return the mean score of each system (row) on each item, and the most samples behind one.

    The mean is NaN where a sample is missing, or there is none.
    """
    shape = len(system.labels), len(item.labels)
    cell = system.codes * shape[1] + item.codes
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    if nan_policy == "raise" and not counts.all():
        k, lacking = next((k, np.flatnonzero(row == 0)) for k, row in enumerate(counts) if 0 in row)
        more = ", ..." if len(lacking) > 5 else ""
        names = ", ".join(repr(item.labels[i]) for i in lacking[:5]) + more
        raise InputError(
            f"`score` must have a row for each item and system; got none of {system.labels[k]!r}"
            f" for {len(lacking)} of {shape[1]} items ({names}). Add the rows, or pass"
            " nan_policy='omit' to leave these items out for all systems."
        )
    sums = np.bincount(cell, scores, shape[0] * shape[1]).reshape(shape)
    means = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
    return means, int(counts.max())


def _require_one_value_an_item(vector: Vector, item: Factor, first: IntArray) -> None:
    """Raise InputError unless all rows of an item have the same cluster, or group."""
    codes = read_factor(vector).codes
    odd = np.flatnonzero(codes != codes[first][item.codes])
    if len(odd):
        label = item.labels[item.codes[odd[0]]]
        raise InputError(
            f"`{vector.argument}` must be the same in all rows of an item; got two values for the"
            f" item {label!r} ({describe_rows(odd[:1], vector.index)}). Correct the rows, or give"
            " different items different names."
        )


_SCORE_ADVICE = "Make them numbers: 1 for right, 0 for wrong, or a grade in between."


def _read_item_scores(scores: Mapping[str, Vector]) -> FloatArray:
    """Return the scores of each system as a row; raise InputError for one outside [0, 1]."""
    if not isinstance(scores, ScoreBlock):
        # Categories are the numbers that they stand for, not their places.
        scores = {
            name: replace(vector, values=np.asarray(vector.values))
            for name, vector in scores.items()
        }
        for vector in scores.values():
            require_no_text(vector, _SCORE_ADVICE)
    rows = read_score_rows(scores)
    outside = (rows < 0) | (rows > 1)
    if outside.any():
        k = int(np.flatnonzero(outside.any(axis=1))[0])
        name, vector = list(scores.items())[k]
        wrong = np.flatnonzero(outside[k])
        of = f" of {name!r}" if name else ""
        raise InputError(
            f"`score` must be numbers from 0 (wrong) to 1 (right); got {rows[k, wrong[0]]:g}{of} in"
            f" {describe_rows(wrong, vector.index)}. Divide grades by the largest possible grade."
        )
    return rows
