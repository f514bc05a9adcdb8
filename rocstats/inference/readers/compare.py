"""Modalities of a reader study compared: areas averaged over readers, or of each reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, read_range
from rocstats.errors import require_choice
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Claim,
    Hypothesis,
    HypothesisPlan,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Result
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.reader_covariance import Covariance
from rocstats.estimate.readers import Effect
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.inference.readers.differences import modality_differences, modality_pairs
from rocstats.inference.readers.endpoints import ALL, Endpoint, endpoints
from rocstats.inference.readers.plan import By, ReaderMethod, read_reader_plan
from rocstats.study.readers import ReaderSample

READER_COMPARE_AUC = Question(
    "reader_compare_auc",
    estimate_columns(
        f"modality reference group reader {AREA} {TEST} p_adjusted df_numerator hypothesis"
        " n_readers n_pos n_neg readers cases method note"
    ),
    (
        *("obuchowski-1995", "dorfman-1992", "hillis-2005", "hillis-2007", "gallas-2006"),
        *("gallas-2009", "obuchowski-2012", "holm-1979"),
    ),
)


def reader_compare_auc(
    sample: ReaderSample,
    *,
    readers: Effect = "random",
    cases: Effect = "random",
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
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
) -> pd.DataFrame:
    """Return differences of average areas between modalities; a row is one pair of modalities.

    Parameters
    ----------
    readers : {"random", "fixed"}, default "random"
        Population to which the comparison generalises.

        - "random": the population of readers; needs two or more readers.
        - "fixed": these readers only.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases; "fixed" is for these cases only. Readers
        and cases cannot both be fixed.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        The default depends on the design. For fully crossed designs, fixed cases, clusters or a
        range, the default is "obuchowski-rockette". For split plots and nested designs, it is
        "u-statistic". For single missing reads ("missing reads", "partially paired"), it is
        "obuchowski-rockette" if every reader has an area under every modality, else
        "u-statistic-centred".

        - "obuchowski-rockette": analysis of variance of the readers' areas, with the degrees of
          freedom of Hillis. Needs an area of every reader under every modality, or readers nested
          in modalities.
        - "u-statistic": mean over all pairs of a positive and a negative case that a reader read.
          Use it for split plots, and for modalities with different cases. This is the published
          method. Its variance is unstable if single reads are missing (note ``uneven-reads``).
        - "u-statistic-centred": the same averages, with a variance that is more stable if reads are
          missing. For this variance, the average areas are first subtracted from the values of the
          pairs. In fully crossed studies both variances are equal. This method is not published
          elsewhere.
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, default "jackknife"
        Covariance of the areas in "obuchowski-rockette"; ignored for U-statistics.

        - "jackknife": leaves out one case (cluster) at a time; the choice of most programs.
        - "delong": from the placements of the cases; with clusters, in Obuchowski's form.
        - "unbiased": unbiased U-statistic; unavailable with clusters or a range.
        - "bootstrap": covariance over infinitely many resamples of cases; unavailable with clusters
          or a range.
    by : {"reader"}, optional
        "reader" gives the difference of each reader instead of the averages. Readers are then fixed
        and cases random.
    reference : str, optional
        Modality to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the average area of the modality minus the average area of the reference.

        - "difference" (default): d is not ``null_value``; with a one-sided ``alternative``, d is
          above or below ``null_value``.
        - "superiority": d > ``margin``, tested one-sided at (1 - confidence_level)/2. The interval
          is two-sided.
        - "non-inferiority": d > -``margin``, tested in the same way.
        - "equivalence": -``margin`` < d < ``margin``, with two one-sided tests at 1 -
          confidence_level. The level of the interval is 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests modality minus reference > ``null_value``; the interval has only a lower
        limit.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all differences of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of partial areas: 0 <= low < high <= 1.
        ``margin`` and ``null_value`` are then differences of partial areas.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, df_numerator, n_pos, n_neg, n_readers,
        confidence_level, null_value, hypothesis, readers, cases, range_axis, range_low, range_high,
        method, note``. ``quantity`` is "auc_difference"; with a range it is
        "partial_auc_difference". With "obuchowski-rockette", the first row (``modality`` "all",
        ``reference`` "") is the F test that all modalities are equal, without an estimate. This row
        is omitted with a margin, a ``null_value``, a one-sided ``alternative`` or ``by="reader"``.
        ``reader`` is "all" for averages.

    Raises
    ------
    InputError
        If there is one modality; if readers and cases are both fixed; if there is only one reader
        and readers are random; if a margin is missing; if an option or number is invalid; or if the
        method does not support the study.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    d = A1 - A2, where A1 and A2 are averages over r readers. Limits are d -+ q se, cut at -1 and 1,
    with a quantile q of the t distribution. With random readers and cases, se^2 = (2/r) V with V =
    MS(TR) + r max(Cov2 - Cov3, 0). The degrees of freedom are V^2/(MS(TR)^2/((t - 1)(r - 1))) for t
    modalities. MS(T) is the mean square of modalities, and MS(TR) is the mean square of modality by
    reader. Cov2 is the mean covariance of the areas of two readers under one modality. Cov3 is this
    covariance under two modalities. Both come from common cases. F = MS(T)/V has t - 1 degrees of
    freedom in the numerator, and those of V in the denominator. V is pooled over all t modalities.
    With the jackknife, this is the analysis of Dorfman, Berbaum & Metz as revised by Hillis. For
    fixed readers, V = s2 - Cov1 + (r - 1) max(Cov2 - Cov3, 0), where s2 is the mean variance of an
    area. Cov1 is the mean covariance of the areas of one reader under two modalities. Quantiles are
    normal, and chi-square/(t - 1) replaces F (``df`` is infinite). For fixed cases, V = MS(TR) with
    (t - 1)(r - 1) degrees of freedom. For two modalities, this is the paired t test over readers.

    For "u-statistic", se^2 = Var(A1) + Var(A2) - 2 Cov(A1, A2). Each term is a sum of moments over
    two pairs of cases. There is one moment for each combination of what the two pairs share: the
    reader, the positive case, the negative case. The estimate is unbiased for any pattern of reads.
    Readers are weighted by their numbers of pairs. A component without shared readers or cases is
    0. A variance that is not positive is replaced by the bootstrap variance of readers and cases
    (note ``bootstrap-variance``). If reads are missing, the moments come from different pairs, and
    large areas inflate the variance. "u-statistic-centred" therefore subtracts the average area
    from the value of each pair.

    If an average is 0 or 1, or the variance of d is 0, MOVER combines the limits of both averages,
    and the test inverts these limits. If every reader has the same ranking of all cases under both
    modalities, d = 0, p = 1 and there is no interval.

    Do not pool the ratings of all readers into one curve: reads of the same case are not
    independent. Do not compare the readers' areas by a simple t test: it is valid for these cases
    only.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Dorfman, Berbaum & Metz (1992) [dorfman-1992]
    - Hillis, Obuchowski, Schartz & Berbaum (2005) [hillis-2005]
    - Hillis (2007), degrees of freedom [hillis-2007]
    - Gallas (2006) [gallas-2006]
    - Gallas, Bandos, Samuelson & Wagner (2009) [gallas-2009]
    - Obuchowski, Gallas & Hillis (2012) [obuchowski-2012]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> found = study.compare_auc()
    >>> found[["modality", "reference", "estimate", "ci_low", "ci_high", "df"]].round(4)
      modality reference  estimate  ci_low  ci_high       df
    0     FFDM       SFM   -0.0251 -0.0745   0.0244  47.5316
    """
    by = require_choice("by", by, (None, *get_args(By)))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    over = read_range(fpr_range, tpr_range) or FULL_RANGE
    tests = read_hypothesis(
        hypothesis, margin, alternative, null_value, confidence_level, largest=over.width
    )
    plan = read_reader_plan(
        sample,
        method=method,
        covariance=covariance,
        readers=readers,
        cases=cases,
        over=over,
        by_reader=by is not None,
    )
    claim = Claim(tests, adjust, modality_pairs(sample, reference))
    rows: list[ComparedRow] = []
    for endpoint in endpoints(sample, plan, needs_served=by is None):
        differences = modality_differences(endpoint, claim, by)
        if by is None:
            rows += _global_test(endpoint, differences, claim.tested)
        rows += differences
    return comparison_frame(READER_COMPARE_AUC, sample, claim.adjust, rows)


def _global_test(
    endpoint: Endpoint, differences: Sequence[ComparedRow], tested: HypothesisPlan
) -> Iterator[ComparedRow]:
    """Yield the test that all modalities are equal, if the differences are tested for equality."""
    test = endpoint.engine.global_test() if tested.tests_equality else None
    if test is None:
        return
    (first, _, _), *_ = differences
    known = {
        **first,
        **endpoint.sizes(*range(len(endpoint.part.modalities))),
        "modality": ALL,
        "reference": "",
        "confidence_level": np.nan,
        "df_numerator": test.df,
        "p_adjusted": np.nan,  # none of the family: it answers a question of its own
    }
    # Where a pair leaves the model, as at an area of 1, the test of all would contradict it.
    why_left = [
        note
        for _, result, notes in differences
        if result.method.endswith("mover")
        for note in (*result.codes, *notes)
    ]
    if why_left or np.isnan(test.p_value):
        result = Result(np.nan, codes=tuple(why_left or ["no-variance"]))
    else:
        kind = "chi-square" if np.isinf(test.df_denominator) else "f"
        result = Result(
            np.nan,
            statistic=test.statistic,
            df=test.df_denominator,
            p_value=test.p_value,
            method=f"{endpoint.engine.word}/{kind}",
        )
    yield known, result, endpoint.notes()
