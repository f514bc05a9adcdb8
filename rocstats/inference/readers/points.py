"""Sensitivity and specificity of readers at thresholds, their averages and comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd

from rocstats.curves.bands.average import vertex_at
from rocstats.curves.points.measures import Cells, measure
from rocstats.curves.points.roc import roc_points
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames.questions import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.estimates.adjustment import adjust_rows
from rocstats.inference.estimates.answers import answer_rows
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.inference.estimates.undefined import unanswered
from rocstats.inference.readers.comparison import By, modality_pairs, pair_rows
from rocstats.inference.readers.options import ReaderMethod, read_plan
from rocstats.inference.readers.rows import Subject, average_row, subjects
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.inputs.points.thresholds import read_single_thresholds
from rocstats.sample.readers import ReaderSample
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.comparison.multiplicity import ADJUSTMENTS, Adjustment
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.points.cluster_tables import cluster_tables
from rocstats.stats.points.tables import PointTables
from rocstats.stats.readers.covariance import Covariance
from rocstats.stats.readers.limits import ReaderInterval
from rocstats.stats.readers.record import Factor

RATES = ("tpr", "tnr")
NOWHERE = {
    "threshold": np.nan,
    "direction": "",
    "reference_threshold": np.nan,
    "reference_direction": "",
}
"""The columns of thresholds where areas are compared."""

READER_OPERATING_POINTS = Question(
    "reader_operating_points",
    estimate_columns(
        f"modality group reader quantity direction threshold {ESTIMATE} df n_readers n_pos n_neg"
        " readers cases method note"
    ),
    ("obuchowski-1995", "hillis-2007", "gallas-2006", "obuchowski-2012", "wilson-1927"),
)
READER_COMPARE_OPERATING_POINTS = Question(
    "reader_compare_operating_points",
    estimate_columns(
        "modality reference group reader quantity direction threshold reference_direction"
        f" reference_threshold {ESTIMATE} {TEST} p_adjusted hypothesis n_readers n_pos"
        " n_neg readers cases method note"
    ),
    ("obuchowski-1995", "hillis-2007", "gallas-2006", "obuchowski-2012", "holm-1979", "zou-2008"),
)


def reader_operating_points(
    sample: ReaderSample,
    *,
    threshold: float | Mapping[str, float],
    readers: Factor = "random",
    cases: Factor = "random",
    method: ReaderMethod | None = None,
    covariance: Covariance = "jackknife",
    interval: ReaderInterval = "logit-t",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return sensitivity and specificity of readers at a threshold; a row is one rate of a reader.

    Parameters
    ----------
    threshold : float, or mapping of str to float
        Threshold of the ratings, fixed before these data were seen: the same for all modalities, or
        by modality (all of them). Ratings at or above it are called positive, at or below it where
        lower ratings are positive. For yes-no calls rated 1 and 0 it is 1.
    readers : {"random", "fixed"}, default "random"
        "random" generalises averages to readers like these, "fixed" is about these readers.
    cases : {"random", "fixed"}, default "random"
        "random" generalises averages to cases like these, "fixed" is about these cases.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        As in ``auc``.
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, default "jackknife"
        As in ``auc``. Of rates the first three are the same: the sample covariance of the calls
        over the number of cases.
    interval : {"logit-t", "wald"}, default "logit-t"
        Interval of the averages, as in ``auc``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, quantity, direction, threshold, estimate, ci_low,
        ci_high, se, df, n_pos, n_neg, n_readers, confidence_level, readers, cases, method, note``.
        ``quantity`` is "tpr", then "tnr"; of each modality first the readers, then their average
        (``reader`` "all").

    Raises
    ------
    InputError
        If a modality has no threshold, or as in ``auc``.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    Single readers: Wilson's limits; with clusters those of the effective number of cases. Averages:
    as in ``auc``, with the rate in the place of the area. A rate of 0 or 1 of all readers has no
    variance: limits are Wilson's for the cases of one reader (note ``no-width``).

    Readers use thresholds differently: areas compare what they can tell apart, rates what they do.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Gallas (2006) [gallas-2006]
    - Obuchowski, Gallas & Hillis (2012) [obuchowski-2012]
    - Wilson (1927), single readers [wilson-1927]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> points = study.operating_points(threshold=100)
    >>> average = points[points["reader"] == "all"]
    >>> average[["modality", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
       modality quantity  estimate  ci_low  ci_high
    20     FFDM      tpr     0.750   0.677    0.812
    41      SFM      tpr     0.774   0.698    0.836
    62     FFDM      tnr     0.537   0.444    0.627
    83      SFM      tnr     0.551   0.459    0.639
    """
    interval = require_choice("interval", interval, get_args(ReaderInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    plan = read_plan(
        sample, method=method, covariance=covariance, readers=readers, cases=cases, is_rate=True
    )
    at = read_modality_thresholds(sample, threshold)
    rows = []
    for subject in subjects(sample, plan, RATES, at):
        for i in range(len(subject.part.modalities)):
            rows += [_reader_row(subject, i, j, confidence_level) for j in subject.active(i)]
            rows.append(
                average_row(READER_OPERATING_POINTS, subject, i, interval, confidence_level)
            )
    return answer_rows(READER_OPERATING_POINTS, sample, rows)


def reader_compare_operating_points(
    sample: ReaderSample,
    *,
    threshold: float | Mapping[str, float],
    readers: Factor = "random",
    cases: Factor = "random",
    method: ReaderMethod | None = None,
    covariance: Covariance = "jackknife",
    by: By | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of sensitivity and specificity; a row is one rate of two modalities.

    Parameters
    ----------
    threshold : float, or mapping of str to float
        Threshold of the ratings, as in ``operating_points``.
    readers : {"random", "fixed"}, default "random"
        "random" generalises to readers like these, "fixed" is about these readers.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to cases like these, "fixed" is about these cases.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        As in ``compare_auc``.
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, default "jackknife"
        As in ``operating_points``.
    by : {"reader"}, optional
        "reader" gives the differences of each reader in place of the averages.
    reference : str, optional
        Modality to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; there is no default (0 for superiority).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests modality minus reference > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over the rows of one quantity; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, direction, reference_direction,
        threshold, reference_threshold, estimate, ci_low, ci_high, p_value, p_adjusted, se,
        statistic, df, n_pos, n_neg, n_readers, confidence_level, null_value,
        hypothesis, readers, cases, method, note``; ``quantity`` is "tpr", then "tnr".

    Raises
    ------
    InputError
        If a modality has no threshold, or as in ``compare_auc``.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``.

    Notes
    -----
    As ``compare_auc``, with the rates in the place of the areas. One reader is compared by the
    variance of the paired differences of calls and z, not by McNemar's test: that is
    ``Study.compare_operating_points``.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Gallas (2006) [gallas-2006]
    - Obuchowski, Gallas & Hillis (2012) [obuchowski-2012]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> found = study.compare_operating_points(threshold=100)
    >>> found[["modality", "reference", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      modality reference quantity  estimate  ci_low  ci_high
    0     FFDM       SFM      tpr    -0.024  -0.075    0.027
    1     FFDM       SFM      tnr    -0.014  -0.080    0.052
    """
    by = require_choice("by", by, (None, *get_args(By)))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    tested = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    plan = read_plan(
        sample,
        method=method,
        covariance=covariance,
        readers=readers,
        cases=cases,
        is_rate=True,
        by_reader=by is not None,
    )
    at = read_modality_thresholds(sample, threshold)
    pairs = modality_pairs(sample, reference)
    rows: list[dict[str, Any]] = []
    for subject in subjects(sample, plan, RATES, at, needs_served=by is None):
        rows += pair_rows(READER_COMPARE_OPERATING_POINTS, subject, pairs, tested, by)
    adjust_rows(rows, adjust, within=("quantity",))
    return answer_rows(READER_COMPARE_OPERATING_POINTS, sample, rows)


def read_modality_thresholds(sample: ReaderSample, threshold: Any) -> FloatArray:
    """Return the threshold of each modality; raise InputError if one has none."""
    given = read_single_thresholds(threshold, sample.modalities, of=("modality", "modalities"))
    without = [name for name in sample.modalities if name not in given]
    if without:
        raise InputError(
            f"`threshold` must be one number, or one for each modality; got none for {without}."
            " Add them to the mapping."
        )
    return np.array([given[name] for name in sample.modalities])


def _reader_row(subject: Subject, i: int, j: int, confidence_level: float) -> dict[str, Any]:
    """Return a rate of one reader, as ``Study.operating_points`` has it."""
    quantity, cases = subject.quantity, subject.part.curve(i, j).cases
    about = {**subject.reader_columns(i, j), "confidence_level": confidence_level}
    if cases.lacks_class:
        codes = ["reader-one-class", *subject.codes()]
        return unanswered(READER_OPERATING_POINTS, about, codes)
    tables = _tables(cases, float(subject.at[i]["threshold"]))
    bars = tables.rate(quantity, "wilson", confidence_level)
    return {
        **about,
        "estimate": float(measure(quantity, tables.cells)[0]),
        "se": float(bars.se[0]),
        "ci_low": float(bars.low[0]),
        "ci_high": float(bars.high[0]),
        "df": np.inf,
        "method": f"{tables.source}/wilson",
        "note": subject.codes(),
    }


def _tables(cases: ScoredCases, threshold: float) -> PointTables:
    """Return the counts of one reader at a threshold."""
    curve = roc_points(cases.counts(0), higher_is_positive=cases.higher_is_positive[0])
    vertex = vertex_at(curve, np.array([threshold]))
    tp, fp = curve.tp[vertex], curve.fp[vertex]
    cells = Cells(tp, curve.tp[-1] - tp, fp, curve.fp[-1] - fp)
    clusters = None if cases.cluster is None else cluster_tables(cases, 0, vertex)
    return PointTables(cells, float(curve.tp[-1]), float(curve.fp[-1]), clusters)
