"""Cases of which only some are verified: labels, scores and probabilities of verification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray, Factor, FloatArray, IntArray
from rocstats.sample.inputs.columns import count_rows, require_complete
from rocstats.sample.inputs.forms import predictor_naming, read_inputs
from rocstats.sample.inputs.labels import read_directions, read_labels
from rocstats.sample.inputs.vectors import Vector, read_factor, read_scores, read_vector
from rocstats.sample.sample import Sample


class Verification(NamedTuple):
    """The sample of the verified cases, and the verification status of every case.

    ``probability`` are known probabilities of verification, None if they are to be estimated.
    """

    sample: Sample
    verified: BoolArray
    cluster: Factor | None
    probability: Vector | None

    @property
    def rows(self) -> IntArray:
        """Row numbers of the verified cases among all cases."""
        return np.flatnonzero(self.verified)


def read_verification(
    y_true: Any,
    y_score: Any,
    verified: Any,
    *,
    data: Any,
    pos_label: Any,
    higher_is_positive: bool | Mapping[str, bool],
    cluster: Any,
    probability: Any,
) -> Verification:
    """Return the verified cases as a sample; labels and scores of the others may be missing."""
    if probability is None:
        raise InputError(
            "`probability` must be the chances to be verified, or a function that estimates them;"
            " got None. With verified=True for all, ask a Study."
        )
    if verified is None:
        raise InputError(
            "`verified` must say for each case whether its true class is known; got None."
            " Pass booleans, one a case."
        )
    known_chances = None if callable(probability) else probability
    roles = {"verified": verified, "cluster": cluster, "probability": known_chances}
    inputs = read_inputs(y_true, y_score, data=data, naming=predictor_naming(None), roles=roles)
    known = _read_verified(inputs.roles["verified"])
    rows = np.flatnonzero(known)
    labels = _part(inputs.y_true, rows)
    scores = {name: _part(vector, rows) for name, vector in inputs.scores.items()}
    for vector in (labels, *scores.values()):
        require_complete(vector)
    is_positive = read_labels(labels, pos_label)
    _require_both_classes(is_positive)
    factor = None
    if "cluster" in inputs.roles:
        require_complete(inputs.roles["cluster"])
        factor = read_factor(inputs.roles["cluster"])
    names = tuple(scores)
    # Weights enter by the probability of verification, folds and groups have no theory here.
    sample = Sample._of(
        {
            "predictors": names,
            "pos_label": 1 if pos_label is None else pos_label,
            "higher_is_positive": read_directions(higher_is_positive, names),
            "is_positive": is_positive,
            "scores": np.stack([read_scores(vector) for vector in scores.values()]),
            **dict.fromkeys(("frequency", "sample_weight", "fold", "group")),
            "cluster": None if factor is None else factor.take(rows),
            "n_dropped": 0,
        }
    )
    return Verification(sample, known, factor, inputs.roles.get("probability"))


def read_probability(
    cases: Verification, probability: Any, X: Any
) -> Callable[[IntArray], FloatArray]:
    """Return a function from rows to their probabilities of verification, known or fitted."""
    verified = cases.verified
    if cases.probability is None:
        if X is None:
            raise InputError(
                "`X` must be given when `probability` is a function, which fits it; got None."
                " Pass what verification depends on, one row a case."
            )
        n_rows = count_rows(X)
        if n_rows != len(verified):
            raise InputError(
                f"`X` must have as many rows as `verified`; got {n_rows} and {len(verified)}."
                " Pass one row a case."
            )

        # Fitted again to the rows of each resample: the estimate of the model adds to the variance.
        def fitted(rows: IntArray) -> FloatArray:
            values = probability(take_rows_of(X, rows), verified[rows])
            return _chances(read_vector(values, "probability(X, verified)"), verified[rows])

        return fitted
    if X is not None:
        raise InputError(
            "`X` must stay None when `probability` holds known chances; got both."
            " Pass a function of X and verified to have them estimated."
        )
    known = _chances(cases.probability, verified)
    return lambda rows: known[rows]


def take_rows_of(values: Any, rows: IntArray) -> Any:
    """Return the given rows of an array, a frame or a list."""
    if hasattr(values, "iloc"):
        return values.iloc[rows]
    return np.asarray(values)[rows] if isinstance(values, (list, tuple)) else values[rows]


def _chances(vector: Vector, verified: BoolArray) -> FloatArray:
    """Return probabilities in (0, 1], infinite for cases that were not verified."""
    if len(vector) != len(verified):
        raise InputError(
            f"`{vector.argument}` must have a chance for each of the {len(verified)} cases; got"
            f" {len(vector)}. Pass one number a case."
        )
    values = read_scores(vector)
    wrong = verified & ~((values > 0) & (values <= 1))
    if wrong.any():
        raise InputError(
            f"`{vector.argument}` must be in (0, 1] for verified cases; got"
            f" {values[wrong][0]:g} and {int(wrong.sum())} such values."
            " A verified case had a chance to be verified."
        )
    return np.where(verified, values, np.inf)  # weights are 1 / probability: 0 if not verified


def _read_verified(vector: Vector) -> BoolArray:
    """Return the verification status of each case from booleans or 0/1."""
    require_complete(vector)
    values = np.asarray(vector.values)
    if values.dtype.kind not in "biuf" or not np.isin(values, (0, 1)).all():
        raise InputError(
            f"`verified` must be booleans, one a case; got {values[:3].tolist()}, ..."
            " Say for each case whether its true class is known."
        )
    return values.astype(bool)


def _part(vector: Vector, rows: IntArray) -> Vector:
    """Return the given rows of a vector, without its index."""
    missing = None if vector.missing is None else vector.missing[rows]
    if missing is not None and not missing.any():
        missing = None
    return Vector(vector.argument, vector.values[rows], missing, None, vector.name)


def _require_both_classes(is_positive: BoolArray) -> None:
    if is_positive.all() or not is_positive.any():
        raise InputError(
            "`y_true` must hold verified cases of both classes; got"
            f" {int(is_positive.sum())} positives and {int((~is_positive).sum())} negatives."
            " Check `pos_label`, and `verified`."
        )
