"""Risks moved from the prevalence that a model was fitted at to another."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError, require_open_interval
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.points.thresholds import number_array


def shift_prevalence(p: Any, *, source: float, target: float) -> FloatArray:
    """Return risks at another prevalence: logit p + logit target - logit source.

    Use it before ``Study.net_benefit(prevalence=)`` for a model that was fitted to cases and
    controls, or where the condition had another prevalence. Not for a model whose predictors act
    differently in the new population: refit or recalibrate it there.

    Parameters
    ----------
    p : array-like of float in [0, 1]
        Risks at the prevalence ``source``.
    source : float in (0, 1)
        Share of positives in the cases that the model was fitted to.
    target : float in (0, 1)
        Share of positives where the risks will be used.

    Returns
    -------
    numpy.ndarray of float64
        Risks at the prevalence ``target``, in the shape of ``p``; 0 and 1 stay.

    Raises
    ------
    InputError
        If a risk is missing or outside [0, 1], or a prevalence is not in (0, 1).

    Notes
    -----
    By Bayes' theorem the odds are multiplied by the ratio of the odds of both prevalences, if
    scores have the same distributions in both classes in either place.

    References
    ----------
    - Bayes' theorem on odds (docs/methods/costs.md, "Net benefit")

    Examples
    --------
    A model of a case-control study with as many cases as controls, for a prevalence of 5 %:

    >>> import rocstats as rs
    >>> rs.shift_prevalence([0.2, 0.5, 0.9], source=0.5, target=0.05).round(4)
    array([0.013 , 0.05  , 0.3214])
    """
    for name, share in (("source", source), ("target", target)):
        require_open_interval(name, share, 0, 1)
    risks = number_array(p)
    if risks.size == 0 or not ((risks >= 0) & (risks <= 1)).all():
        raise InputError(
            f"`p` must be numbers in [0, 1]; got {p!r}. Pass the risks that the model predicts."
        )
    risks = risks.reshape(np.shape(p))
    # Odds as a quotient of two products: no logarithm of a risk of 0 or 1 is taken.
    positive = risks * (target * (1 - source))
    return np.asarray(positive / (positive + (1 - risks) * ((1 - target) * source)))
