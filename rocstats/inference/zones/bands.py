"""Likelihood ratios of bands of scores, and the probabilities that they make of a prevalence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows, lacks_class, predictor_rows
from rocstats.estimate.estimate import Result
from rocstats.estimate.tables import RatioInterval
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.zones.ratios import (
    count_zones,
    level_of_limits,
    zone_notes_of_group,
    zone_ratios,
    zone_result,
)
from rocstats.study.points import number_array, read_prevalences
from rocstats.study.sample import Sample

BAND_LIKELIHOOD_RATIOS = Question(
    "band_likelihood_ratios",
    estimate_columns(
        f"predictor group quantity band_low band_high prevalence {ESTIMATE} n_pos n_neg method note"
    ),
    ("koopman-1984", "simel-1991"),
)
# More distinct scores than this are measurements, whose bands the user must name.
_MOST_DISTINCT = 10


def band_likelihood_ratios(
    sample: Sample,
    edges: Any = None,
    *,
    prevalence: Any = None,
    ratio_interval: RatioInterval = "score",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the likelihood ratio of each band of scores; a row is one band.

    Use it to say what a result in a range means, where one threshold would throw away how far from
    it the result is: the ratio turns the odds of disease before the test into those after it.

    Parameters
    ----------
    edges : sequence of float, optional
        Where one band ends and the next begins, ascending, on your scale and fixed beforehand; a
        band holds its lower edge and not its upper one. The first band has all lower scores, the
        last all higher ones. By default each distinct score is a band, if there are at most 10.
    prevalence : float in (0, 1), or sequence of float, optional
        Shares of positives before the test. Each adds a row a band, ``post_test_probability``.
    ratio_interval : {"score", "log"}, default "score"
        Limits of independent cases; clusters have "log".

        - "score": inverts Koopman's score test, also with empty cells.
        - "log": normal on the log scale (Simel), with 1/2 in each cell where one is empty.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, band_low, band_high, estimate, ci_low, ci_high, se,
        prevalence, n_pos, n_neg, confidence_level, method, note``. ``quantity`` is "lr" or
        "post_test_probability"; ``n_pos`` and ``n_neg`` are the cases in the band.

    Raises
    ------
    InputError
        If edges are not finite and ascending, or missing for over 10 distinct scores, an option is
        not possible, or scores are known up to bins only.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``: ``empty-band``, ``one-class``, ``few-clusters``,
        ``pooled-folds``, ``weights-need-bootstrap`` (no limits).

    Notes
    -----
    LR = (x1/n1)/(x0/n0) for x1 of n1 positives and x0 of n0 negatives in the band. ``se`` is
    LR sqrt(1/x1 - 1/n1 + 1/x0 - 1/n0). The ratio is 0 or infinite where a cell is empty
    (``empty-cell``), and not defined where both are (``empty-band``). With clusters the variance of
    log LR is C/(C - 1) times the sum of squares of influence values summed by cluster, and there
    are no limits where a cell is empty (``zero-cell``). Limits are longer where clusters of a class
    are unequal, by the ratio of two quantiles of t, as those of ``operating_points``.

    The post-test odds are prevalence/(1 - prevalence) LR, and limits are those of LR: the
    prevalence counts as known. Bands chosen after a look at the ratios are optimistic. Ratios of
    bands are not those of ``operating_points``, which are of all scores beyond a threshold.

    References
    ----------
    - Koopman (1984) [koopman-1984]
    - Simel, Samsa & Matchar (1991) [simel-1991]

    Examples
    --------
    >>> import rocstats as rs
    >>> ct = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> found = ct.band_likelihood_ratios()
    >>> found[["band_low", "band_high", "estimate", "ci_low", "ci_high"]].round(3)
       band_low  band_high  estimate  ci_low  ci_high
    0      -inf        2.0     0.103   0.035    0.288
    1       2.0        3.0     0.379   0.090    1.557
    2       3.0        4.0     0.379   0.090    1.557
    3       4.0        5.0     1.137   0.546    2.362
    4       5.0        inf    18.765   5.420   68.864
    """
    ratio_interval = require_choice("ratio_interval", ratio_interval, get_args(RatioInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    shares = read_prevalences(prevalence)
    edges = _read_score_band_edges(edges)
    BAND_LIKELIHOOD_RATIOS.require_roles(sample)
    rows = predictor_rows(
        sample,
        lambda part, _, k: _score_band_rows(
            part, k, edges, shares, ratio_interval, confidence_level
        ),
    )
    return answer_rows(BAND_LIKELIHOOD_RATIOS, sample, rows)


def _read_score_band_edges(edges: Any) -> FloatArray | None:
    """Return the inner edges; infinite ends may be named."""
    if edges is None:
        return None
    given = number_array(edges)
    inner = given[np.isfinite(given)] if given.ndim == 1 else given[:0]
    ends = given.ndim == 1 and not np.isinf(given[1:-1]).any() and not np.isnan(given).any()
    if len(inner) == 0 or not ends or not (np.diff(given) > 0).all():
        raise InputError(
            f"`edges` must be numbers in ascending order; got {edges!r}. Pass where one band ends"
            " and the next begins."
        )
    return inner


def _band_edges_between_scores(score: FloatArray, name: str) -> FloatArray:
    """Return the edges of bands of one distinct score each."""
    if len(score) > _MOST_DISTINCT:
        raise InputError(
            f"`edges` must be given for over {_MOST_DISTINCT} distinct scores; got {len(score)} of"
            f" {name!r}. Pass where one band ends and the next begins."
        )
    return np.sort(score)[1:]


def _score_band_rows(
    sample: Sample,
    k: int,
    edges: FloatArray | None,
    prevalences: tuple[float, ...],
    interval: RatioInterval,
    level: float,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of predictor ``k``, band by band."""
    cases = sample.cases
    counts = cases.counts(k)
    if edges is None:
        edges = _band_edges_between_scores(counts.score, sample.predictors[k])
    n_bands = len(edges) + 1
    # A band holds its lower edge, and not its upper one.
    zone = np.searchsorted(edges, counts.score, side="right")
    found = count_zones(counts, zone, n_bands)
    ratios = zone_ratios(cases, k, zone, found, interval, level)
    codes = zone_notes_of_group(sample)
    limits = np.concatenate([[-np.inf], edges, [np.inf]])
    times = np.ones(len(cases.is_positive)) if sample.frequency is None else sample.frequency
    band_of_case = zone[cases.codes(k)]
    n_pos, n_neg = (
        np.bincount(band_of_case[side], times[side], minlength=n_bands)
        for side in (cases.is_positive, ~cases.is_positive)
    )
    for b in range(n_bands):
        known = {
            "band_low": limits[b],
            "band_high": limits[b + 1],
            "n_pos": n_pos[b],
            "n_neg": n_neg[b],
        }
        for share in (np.nan, *prevalences):
            quantity = "lr" if np.isnan(share) else "post_test_probability"
            result = Result(np.nan)
            if not lacks_class(sample):
                result = zone_result(ratios, b, share, limited=sample.sample_weight is None)
            known |= {"quantity": quantity, "prevalence": share}
            known["confidence_level"] = level_of_limits(result, level)
            yield answer_row_of_result(BAND_LIKELIHOOD_RATIOS, known, result, codes)
