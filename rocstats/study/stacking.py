"""Several studies of the same predictors stacked into one, each a fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from rocstats.errors import InputError
from rocstats.facts.arrays import Factor
from rocstats.study.base import print_attrs, require_cases
from rocstats.study.columns import joined_index
from rocstats.study.repeats import cases_of_outcomes
from rocstats.study.sample import Sample

AnySample = TypeVar("AnySample", bound=Sample)
_ROLES = ("frequency", "sample_weight", "cluster", "group")


def stack_test_sets(studies: Mapping[str, AnySample] | Sequence[AnySample]) -> AnySample:
    """Return one study of several test sets, with each test set as a fold.

    Parameters
    ----------
    studies : mapping of str to Study, or sequence of Study
        Test sets of the same predictors: different samples, or resamples of one sample. Names are
        the fold labels; by default "1", "2", ...

    Returns
    -------
    Study
        Study with all rows in order, for ``roc_average`` and other methods with folds. ``fold`` is
        the test set. Equal labels of clusters and groups mean the same unit: "p1" in two test sets
        is the same patient.

    Raises
    ------
    InputError
        If there are no studies; if the studies differ in predictors, directions, positive label or
        roles; or if a study has folds already.

    Notes
    -----
    Areas of the result are means over the test sets. If test sets share cases (resamples), pass the
    case as ``cluster=`` of each study, or use ``roc_average(independent=False)``.

    References
    ----------
    - Fawcett (2004), section 6: test sets from cross-validation or the bootstrap [fawcett-2004]

    Examples
    --------
    >>> import rocstats as rs
    >>> monday = rs.Study([1, 1, 0, 0], [4, 2, 3, 1])
    >>> tuesday = rs.Study([1, 0, 1, 0], [5, 4, 3, 2])
    >>> both = rs.stack_test_sets({"monday": monday, "tuesday": tuesday})
    >>> both.roc_curve(by="fold")["fold"].value_counts().to_dict()
    {'monday': 5, 'tuesday': 5}
    """
    named: dict[str, AnySample] = _studies_by_name(studies)
    parts = list(named.values())
    first = parts[0]
    for name, part in named.items():
        require_cases(part, "a stack of test sets")
        _require_stackable_study(name, first, part)
    # The studies are validated already: their arrays are joined without the constructor.
    sizes = [len(part.is_positive) for part in parts]
    joined: dict[str, Any] = {
        role: _stacked_role([getattr(part, role) for part in parts]) for role in _ROLES
    }
    is_positive = np.concatenate([part.is_positive for part in parts])
    return first._of(
        {
            "predictors": first.predictors,
            "pos_label": first.pos_label,
            "higher_is_positive": first.higher_is_positive,
            "is_positive": is_positive,
            "_index": joined_index([part._index for part in parts]),
            "scores": np.concatenate([part.scores for part in parts], axis=1),
            **joined,
            "fold": Factor(tuple(named), np.repeat(np.arange(len(parts)), sizes)),
            "n_dropped": sum(part.n_dropped for part in parts),
            "own_cases": any(part.own_cases for part in parts),
            "own_dropped": _stacked_own_dropped(parts),
            "from_tables": all(part.from_tables for part in parts),
            "_shown": print_attrs(first),
            "_cluster_name": first._cluster_name,
            "_repeated": cases_of_outcomes(is_positive.astype(np.intp))
            if joined["cluster"] is None
            else None,
        }
    )


def _studies_by_name(studies: Any) -> dict[str, Any]:
    """Return the studies by their names, the fold labels."""
    mapped = isinstance(studies, Mapping)
    listed = list(studies.values()) if mapped else studies
    parts = list(listed) if isinstance(listed, (list, tuple)) else [studies]
    if not parts or not all(isinstance(part, Sample) for part in parts):
        got = sorted({type(part).__name__ for part in parts}) or "none"
        raise InputError(
            f"`studies` must hold studies; got {got}. Pass a list or a dict of rocstats.Study."
        )
    names = [str(name) for name in studies] if mapped else [str(i + 1) for i in range(len(parts))]
    if len(set(names)) < len(names):  # 1 and "1" are different keys of a dict, but equal labels
        raise InputError(
            f"`studies` must have different names, compared as text; got {names}. Rename one of"
            " them."
        )
    return dict(zip(names, parts, strict=True))


def _require_stackable_study(name: str, first: Sample, part: Sample) -> None:
    """Raise InputError unless a study can be stacked on the first one."""
    if part.fold is not None:
        raise InputError(
            "`studies` must be without folds, because each study becomes a fold; got a fold in"
            f" study {name!r}. Stack a study of each fold instead."
        )
    if part.covariate is not None:
        raise InputError(
            "`studies` must be without covariates, because areas of folds are not adjusted; got"
            f" covariates in study {name!r}. Leave them out."
        )
    for what in ("predictors", "higher_is_positive", "pos_label", "labels", "outcome"):
        ours, theirs = getattr(first, what), getattr(part, what)
        if ours != theirs:
            raise InputError(
                f"`studies` must agree in {what}; got {ours!r} in the first and {theirs!r} in"
                f" {name!r}. Use the same names and directions of the scores."
            )
    for role in _ROLES:
        if (getattr(first, role) is None) != (getattr(part, role) is None):
            raise InputError(
                f"`studies` must all have {role}=, or none of them; got a difference between study"
                f" {name!r} and the first study. Pass {role}= to every study."
            )


def _stacked_role(roles: list[Any]) -> Any:
    """Return a role of all rows: numbers joined, factors recoded to common labels."""
    if roles[0] is None:
        return None
    if not isinstance(roles[0], Factor):
        return np.concatenate(roles)
    labels = list(dict.fromkeys(label for role in roles for label in role.labels))
    place = {label: code for code, label in enumerate(labels)}
    # Each study numbers its labels by appearance, so that a code means another label elsewhere.
    codes = [np.array([place[label] for label in role.labels])[role.codes] for role in roles]
    return Factor(tuple(labels), np.concatenate(codes), _stacked_columns(roles, labels))


def _stacked_columns(
    roles: list[Any], labels: Sequence[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the values of several columns of groups by label; () unless studies agree in them."""
    names = {tuple(name for name, _ in role.columns) for role in roles}
    if len(names) > 1:
        return ()
    values = [
        {
            label: value
            for role in roles
            for label, value in zip(role.labels, role.columns[k][1], strict=True)
        }
        for k in range(len(roles[0].columns))
    ]
    return tuple(
        (name, tuple(of[label] for label in labels))
        for name, of in zip(*names, values, strict=True)
    )


def _stacked_own_dropped(parts: list[Any]) -> tuple[int, ...] | None:
    """Return the rows left out for each predictor in all studies; None if in none apart."""
    if all(part.own_dropped is None for part in parts):
        return None
    numbers = [part.own_dropped or (part.n_dropped,) * len(part.predictors) for part in parts]
    return tuple(sum(column) for column in zip(*numbers, strict=True))
