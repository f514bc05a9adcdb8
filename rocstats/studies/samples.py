"""The study of two samples: the scores of the positives, and those of the negatives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.columns import Columns, is_frame
from rocstats.sample.inputs.forms import is_matrix
from rocstats.sample.inputs.vectors import as_array, read_scores, read_vector
from rocstats.sample.sample import Sample


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
        """Return the study of the scores of positives and the scores of negatives.

        Parameters
        ----------
        positives, negatives : array-like of shape (n,) or (n, k), dict or dataframe
            Scores of the cases of each class, by the same predictors; the classes need not be of
            one size.
        higher_is_positive : bool or mapping of str to bool, default True
            Direction of each predictor.
        labels, outcome : mapping of str to str, and str, optional
            Words in print, as in ``Study``.

        Returns
        -------
        Study
            The positives, with the label 1, before the negatives.

        Raises
        ------
        InputError
            If the predictors of both classes differ, or a score is missing or no number.

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
        pos, neg = _scores(positives, "positives"), _scores(negatives, "negatives")
        if list(pos) != list(neg):
            raise InputError(
                f"`negatives` must have the predictors of `positives`; got {list(neg)} and"
                f" {list(pos)}. Give both the same columns."
            )
        y_true = np.repeat([1, 0], [len(next(iter(side.values()))) for side in (pos, neg)])
        scores = {name: np.concatenate([pos[name], neg[name]]) for name in pos}
        words: dict[str, Any] = {"labels": labels, "outcome": outcome}
        return cls(y_true, scores, higher_is_positive=higher_is_positive, **words)


def _scores(values: Any, argument: str) -> dict[str, FloatArray]:
    """Return the scores of one class by the name of the predictor."""
    if isinstance(values, Mapping) or is_frame(values):
        columns = Columns(values)
        vectors = {name: columns.vector(name, argument) for name in columns.names}
    elif is_matrix(values):
        matrix = as_array(values, argument)
        vectors = {
            f"score_{k + 1}": read_vector(matrix[:, k], argument) for k in range(matrix.shape[1])
        }
    else:
        vectors = {"score": read_vector(values, argument)}
    return {name: read_scores(vector) for name, vector in vectors.items()}
