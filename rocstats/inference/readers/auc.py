"""The areas of readers under each modality, and their averages."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, read_range
from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.areas import (
    AreaTest,
    estimate_areas,
    infer_area,
    range_codes,
    size_codes,
    variance_name,
)
from rocstats.estimate.compare import ComparedRow
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.reader_covariance import Covariance
from rocstats.estimate.readers import Effect, ReaderInterval
from rocstats.frame.question import AREA, Question, estimate_columns
from rocstats.inference.readers.endpoints import Endpoint, endpoints, infer_average
from rocstats.inference.readers.plan import ReaderMethod, read_reader_plan
from rocstats.study.readers import ReaderSample

READER_AUC = Question(
    "reader_auc",
    estimate_columns(
        f"modality group reader {AREA} df n_readers n_pos n_neg readers cases method note"
    ),
    (
        *("obuchowski-1995", "hillis-2007", "gallas-2006", "obuchowski-2012"),
        *("delong-1988", "newcombe-2006"),
    ),
)


def reader_auc(
    sample: ReaderSample,
    *,
    readers: Effect = "random",
    cases: Effect = "random",
    method: ReaderMethod | None = None,
    covariance: Covariance = "jackknife",
    interval: ReaderInterval = "logit-t",
    confidence_level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
) -> pd.DataFrame:
    """Return the areas of readers and their average; a row is one reader under one modality.

    Parameters
    ----------
    readers : {"random", "fixed"}, default "random"
        Population to which averages generalise.

        - "random": the population of readers; needs two or more readers.
        - "fixed": these readers only.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases; "fixed" is for these cases only. Readers
        and cases cannot both be fixed.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        Method for averages; by default as in ``compare_auc``.

        - "obuchowski-rockette": mean of the readers' areas; analysis of variance with the degrees
          of freedom of Hillis.
        - "u-statistic": mean over all pairs of a positive and a negative case that a reader read,
          for any pattern of reads. Readers who read more pairs have a larger weight.
        - "u-statistic-centred": the same mean with the more stable variance of ``compare_auc``.
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, default "jackknife"
        Covariance of the areas in "obuchowski-rockette"; ignored for U-statistics.

        - "jackknife": leaves out one case (cluster) at a time; the choice of most programs.
        - "delong": from the placements of the cases; with clusters, in Obuchowski's form.
        - "unbiased": unbiased U-statistic; unavailable with clusters or a range.
        - "bootstrap": covariance over infinitely many resamples of cases; unavailable with clusters
          or a range.
    interval : {"logit-t", "wald"}, default "logit-t"
        - "logit-t": t limits on the logit scale, inside (0, 1).
        - "wald": symmetric limits, cut at 0 and 1, as in programs for reader studies. Averages use
          quantiles of t; single readers use normal quantiles.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of partial areas:
        0 <= low < high <= 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, quantity, estimate, ci_low, ci_high, se, df, n_pos,
        n_neg, n_readers, confidence_level, readers, cases, range_axis, range_low, range_high,
        method, note``. Each modality has a row for each reader (with ``readers`` "fixed"), then the
        average (``reader`` "all").

    Raises
    ------
    InputError
        If readers and cases are both fixed; if readers are random but there is only one; if an
        option or number is invalid; or if the method does not support the study.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``, such as ``auc-at-boundary`` or ``few-cases``.

    Notes
    -----
    Single readers have DeLong's variance, and limits as in ``Study.auc``; cases are random.

    For averages with random readers and cases: the mean A of r areas under a modality has the
    variance (MS + r max(Cov2, 0))/r. MS is the variance of the readers' areas. Cov2 is the mean
    covariance of the areas of two readers, due to their common cases. The degrees of freedom are
    (MS + r max(Cov2, 0))^2/(MS^2/(r - 1)). For fixed readers, the variance is (s2 + (r - 1)
    max(Cov2, 0))/r, where s2 is the mean variance of an area; limits are normal. For fixed cases,
    the variance is MS/r with r - 1 degrees of freedom.

    For "u-statistic", the variance is a sum of moments over two pairs of cases. A moment depends on
    what the two pairs share: the reader, the positive case or the negative case. The variance is
    unbiased for any pattern of reads. If the variance is not positive, the bootstrap variance of
    readers and cases replaces it (note ``bootstrap-variance``).

    If all areas of an average are 1 (or 0), limits are Newcombe's for the cases of one reader (note
    ``auc-at-boundary``). The row of a reader who read only one class is NaN.

    The method assumes that reads are missing by design or completely at random. For consensus
    readings, one per case, use ``Study``.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007), degrees of freedom [hillis-2007]
    - Gallas (2006), U-statistics [gallas-2006]
    - Obuchowski, Gallas & Hillis (2012), degrees of freedom of U-statistics [obuchowski-2012]
    - DeLong, DeLong & Clarke-Pearson (1988), single readers [delong-1988]
    - Newcombe (2006), method 5 [newcombe-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> areas = study.auc()
    >>> average = areas[areas["reader"] == "all"]
    >>> average[["modality", "estimate", "ci_low", "ci_high", "df"]].round(3)
       modality  estimate  ci_low  ci_high      df
    20     FFDM     0.713   0.664    0.757  92.866
    41      SFM     0.738   0.691    0.780  86.789
    """
    interval = require_choice("interval", interval, get_args(ReaderInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    over = read_range(fpr_range, tpr_range) or FULL_RANGE
    plan = read_reader_plan(
        sample, method=method, covariance=covariance, readers=readers, cases=cases, over=over
    )
    rows = []
    for endpoint in endpoints(sample, plan):
        for i in range(len(endpoint.part.modalities)):
            areas = [
                _reader_area(endpoint, i, j, interval, confidence_level) for j in endpoint.active(i)
            ]
            areas.append(infer_average(endpoint, i, interval, confidence_level))
            rows += [answer_row_of_result(READER_AUC, *area) for area in areas]
    return answer_rows(READER_AUC, sample, rows)


def _reader_area(
    endpoint: Endpoint, i: int, j: int, interval: ReaderInterval, confidence_level: float
) -> ComparedRow:
    """Return the area of one reader, as ``Study.auc`` has it."""
    over, cases = endpoint.plan.over, endpoint.part.curve(i, j).cases
    known = {**endpoint.columns(i, j=j), "confidence_level": confidence_level}
    if cases.lacks_class:
        return known, undefined_result("reader-one-class"), endpoint.notes()
    area = estimate_areas(cases, [0], "delong", over).take(0)
    found = infer_area(area, interval, AreaTest(confidence_level, "two-sided", float("nan")))
    result = found._replace(
        df=area.df if found.method == "logit-t" else np.inf,
        method=f"{variance_name(cases, 'delong')}/{found.method}",
    )
    sizes = size_codes(cases, "delong", unequal=True)
    notes = [*range_codes(cases, 0, over), *sizes, *endpoint.notes()]
    return known, result.times(endpoint.width), notes
