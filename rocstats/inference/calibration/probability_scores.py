"""Probability scores of predicted risks: Brier, scaled Brier and log score, and Brier's parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval
from rocstats.frames.questions import ESTIMATE, Question, estimate_columns
from rocstats.inference.calibration.options import (
    Population,
    class_row,
    read_population,
    result_row,
)
from rocstats.inference.estimates.answers import answer_rows, rows_of
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.sample import Sample
from rocstats.stats.calibration.results import score_result
from rocstats.stats.calibration.scores import SCORES, ScoreName, brier_parts, score
from rocstats.stats.comparison.point_tests import PointComparison

PROBABILITY_SCORES = Question(
    "probability_scores",
    estimate_columns(f"predictor group quantity prevalence {ESTIMATE} n_pos n_neg method note"),
    ("brier-1950", "kattan-2018", "dimitriadis-2021"),
)
_ENDS: dict[ScoreName, tuple[float, float]] = {
    "brier_score": (0.0, 1.0),
    "scaled_brier_score": (-np.inf, 1.0),
    "log_score": (0.0, np.inf),
}


def probability_scores(
    sample: Sample,
    *,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return probability scores of predicted risks with intervals; a row is one score.

    Use them to compare models on the same cases: a score falls with calibration as well as with
    discrimination. Not across samples, whose prevalence moves them, nor as proof of calibration.

    Parameters
    ----------
    prevalence : float in (0, 1), optional
        Share of positives in the population that the risks are for. Case-control samples must not
        leave it out. Default: the cases are a sample from there.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, prevalence, n_pos,
        n_neg, confidence_level, method, note``. ``quantity`` is "brier_score" (0 is best),
        "scaled_brier_score" (1 is best, 0 that of the prevalence as everyone's risk), "log_score"
        (0 is best), and the parts of the Brier score without limits: "miscalibration",
        "discrimination" and "uncertainty".

    Raises
    ------
    InputError
        If scores lie outside [0, 1], lower ones are positive, or an argument is not possible.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``), a class has under 20 cases (``few-cases``), clusters
        are few (``few-clusters``), a group lacks a class (``one-class``), a risk of 0 or 1 was
        wrong (``infinite-score``), nothing varies (``no-variance``), or the study has weights
        (``weights-need-bootstrap``: estimates alone).

    Notes
    -----
    The Brier score is the mean of (p - y)^2, the log score that of -log p for positives and
    -log(1 - p) for negatives, the scaled Brier score 1 - B/(pi (1 - pi)) with the share pi of
    positives. Limits are normal, from influence values (of clusters, summed). With the monotone
    curve c of ``calibration_curve(method="isotonic")``, miscalibration is B less the mean of
    (c - y)^2, discrimination is pi (1 - pi) less the same, and uncertainty is pi (1 - pi):
    B = miscalibration - discrimination + uncertainty exactly. Miscalibration is above 0 in every
    sample, so that it has no limits; ``calibration(quantities="miscalibration")`` has its P value.

    In simulations with 100 to 1000 cases 95% limits covered .933 to .952 of calibrated models. Of
    overfitted ones they fell short for the log score with 100 cases (.924) and for the scaled Brier
    score with 5% events (.913 with 500 cases, .927 with 1000).

    References
    ----------
    - Brier (1950) [brier-1950]
    - Kattan & Gerds (2018), the scaled score [kattan-2018]
    - Dimitriadis, Gneiting & Jordan (2021), the parts [dimitriadis-2021]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 10
    >>> risk = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 10
    >>> study = rs.Study(y, risk, predictor="risk")
    >>> study.probability_scores()[["quantity", "estimate", "ci_low", "ci_high"]].round(3)
                 quantity  estimate  ci_low  ci_high
    0         brier_score     0.162   0.124    0.200
    1  scaled_brier_score     0.325   0.178    0.472
    2           log_score     0.470   0.384    0.557
    3      miscalibration     0.087     NaN      NaN
    4      discrimination     0.165     NaN      NaN
    5         uncertainty     0.240     NaN      NaN
    """
    PROBABILITY_SCORES.require_roles(sample)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    population = read_population(sample, prevalence, logits=False)
    rows = rows_of(sample, lambda part, _, k: _rows(part, k, population, confidence_level))
    return answer_rows(PROBABILITY_SCORES, sample, rows)


def _rows(part: Sample, k: int, population: Population, level: float) -> list[dict[str, Any]]:
    """Return the rows of a predictor in one group."""
    more = {"confidence_level": level}
    names = [*SCORES, "miscalibration", "discrimination", "uncertainty"]
    if lacks_class(part):
        return [class_row(PROBABILITY_SCORES, part, name, more) for name in names]
    risks = population.risks(part, k)
    word = "influence" if part.cluster is None else "cluster-influence"
    results = [score_result(score(risks, name), level, word, _ENDS[name]) for name in SCORES]
    results += [PointComparison(value, codes=("no-interval",)) for value in brier_parts(risks)]
    return [
        result_row(PROBABILITY_SCORES, part, risks, name, result, more)
        for name, result in zip(names, results, strict=True)
    ]
