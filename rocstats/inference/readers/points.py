"""Sensitivity and specificity of readers, their averages and comparisons.

Points lie at thresholds fixed beforehand, or at false positive rates. At rates the covariance is
that of resamples of the cases that readers share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.curves.average import vertex_at
from rocstats.curves.roc import roc_points
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.bars import Bars
from rocstats.estimate.claim import ADJUSTMENTS, Adjustment, Claim, Hypothesis, read_hypothesis
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.rates import bars_of_read_rate, read_curve_at_rates
from rocstats.estimate.reader_covariance import Covariance, reader_tables_at_fpr
from rocstats.estimate.readers import Effect, ReaderInterval
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    enough_valid_resamples,
    plan_draws,
    redrawn_notes,
)
from rocstats.estimate.tables import point_tables_at_vertices
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import measure
from rocstats.facts.tolerances import FEW_CASES_AT_RATE
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.readers.differences import modality_differences, modality_pairs
from rocstats.inference.readers.endpoints import (
    ALL,
    Endpoint,
    endpoints,
    infer_average,
    read_modality_thresholds,
)
from rocstats.inference.readers.engines import ObuchowskiRocketteEngine
from rocstats.inference.readers.plan import (
    By,
    ReaderMethod,
    ReaderPlan,
    read_reader_plan,
    require_served_reader_design,
)
from rocstats.study.points import number_array
from rocstats.study.readers import ReaderSample

# --- Questions ------------------------------------------------------------------------------------

READER_OPERATING_POINTS = Question(
    "reader_operating_points",
    estimate_columns(
        f"modality group reader quantity direction threshold fpr {ESTIMATE} df n_readers n_pos"
        " n_neg readers cases n_resamples method note"
    ),
    (
        *("obuchowski-1995", "hillis-2007", "gallas-2006", "obuchowski-2012", "wilson-1927"),
        *("linnet-1987", "efron-1993"),
    ),
)


def reader_operating_points(
    sample: ReaderSample,
    *,
    threshold: float | Mapping[str, float] | None = None,
    fpr: float | Sequence[float] | None = None,
    readers: Effect = "random",
    cases: Effect = "random",
    method: ReaderMethod | None = None,
    covariance: Covariance | None = None,
    interval: ReaderInterval = "logit-t",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return sensitivity and specificity of readers at a threshold; a row is one rate of a reader.

    Parameters
    ----------
    threshold : float, or mapping of str to float, optional
        Threshold of the ratings, chosen before these data were seen: one threshold, or a threshold
        for each modality. Ratings at or above the threshold are called positive (at or below it, if
        lower ratings are positive). For binary calls coded 1 and 0, use the threshold 1. Pass
        exactly one of ``threshold`` and ``fpr``.
    fpr : float in [0, 1), or sequence of float, optional
        False positive rates (1 - specificity) at which each reader's curve is evaluated, by linear
        interpolation between vertices.
    readers : {"random", "fixed"}, default "random"
        "random" generalises averages to the population of readers; "fixed" is for these readers
        only.
    cases : {"random", "fixed"}, default "random"
        "random" generalises averages to the population of cases; "fixed" is for these cases only.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        As in ``auc``; with ``fpr`` it is "obuchowski-rockette".
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, optional
        Used only with thresholds, as in ``auc``; default "jackknife". For rates, the first three
        options give the same value: the sample covariance of the calls divided by the number of
        cases.
    interval : {"logit-t", "wald"}, default "logit-t"
        Interval of the averages, as in ``auc``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases, with ``fpr`` only.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, quantity, direction, threshold, fpr, estimate, ci_low,
        ci_high, se, df, n_pos, n_neg, n_readers, confidence_level, n_resamples, readers, cases,
        method, note``. ``quantity`` is "tpr", then "tnr"; with ``fpr`` it is "tpr" at each rate.
        Each modality has the readers, then the average (``reader`` "all"). With ``fpr``, the column
        ``threshold`` has the threshold of the reader (NaN between vertices and for averages).
        Without ``fpr`` the column ``fpr`` is NaN.

    Raises
    ------
    InputError
        As in ``auc``. Also if not exactly one of ``threshold`` and ``fpr`` is passed; if a modality
        has no threshold; or if an option is unavailable with ``fpr``.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    Single readers have Wilson's limits. With clusters, these limits use the effective number of
    cases. Averages are computed as in ``auc``, with the rate in place of the area. If all readers
    have a rate of 0 or 1, the variance is 0 and limits are Wilson's for the cases of one reader
    (note ``no-width``).

    With ``fpr`` each reader's threshold is estimated, and the sensitivity has no jackknife
    variance. Single readers are analysed as in ``Study.operating_points(fpr=)``. Averages are
    analysed by Obuchowski and Rockette's method, with the covariance of sensitivities over
    resamples. All readers share these resamples. Cases, or whole clusters, are resampled within
    each class.

    Areas compare the ability to discriminate. Rates compare decisions, and depend also on how
    readers use the threshold.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Gallas (2006) [gallas-2006]
    - Obuchowski, Gallas & Hillis (2012) [obuchowski-2012]
    - Wilson (1927), single readers [wilson-1927]
    - Linnet (1987), variance at an estimated threshold [linnet-1987]
    - Efron & Tibshirani (1993), chapter 11, failure of the jackknife [efron-1993]

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
    fprs, draws = (
        _read_reader_fprs(threshold, fpr, covariance),
        plan_draws(n_resamples, rng, progress),
    )
    plan = read_reader_plan(
        sample,
        method=method,
        covariance=covariance or "jackknife",
        readers=readers,
        cases=cases,
        is_rate=True,
        at_fpr=fprs is not None,
    )
    rows = []
    for endpoint, at_fpr in _rate_endpoints(sample, plan, threshold, fprs, draws):
        for i in range(len(endpoint.part.modalities)):
            rates = [
                _reader_rate(endpoint, i, j, confidence_level)
                if at_fpr is None
                else _reader_rate_at_fpr(endpoint, i, j, confidence_level, at_fpr)
                for j in endpoint.active(i)
            ]
            average = infer_average(endpoint, i, interval, confidence_level)
            rates.append(_with_fpr(average, at_fpr))
            rows += [answer_row_of_result(READER_OPERATING_POINTS, *rate) for rate in rates]
    return answer_rows(READER_OPERATING_POINTS, sample, rows, None if fprs is None else draws)


READER_COMPARE_OPERATING_POINTS = Question(
    "reader_compare_operating_points",
    estimate_columns(
        "modality reference group reader quantity direction threshold reference_direction"
        f" reference_threshold fpr {ESTIMATE} {TEST} p_adjusted hypothesis n_readers n_pos"
        " n_neg readers cases n_resamples method note"
    ),
    (
        *("obuchowski-1995", "hillis-2007", "gallas-2006", "obuchowski-2012", "holm-1979"),
        *("zou-2008", "efron-1993"),
    ),
)


def reader_compare_operating_points(
    sample: ReaderSample,
    *,
    threshold: float | Mapping[str, float] | None = None,
    fpr: float | Sequence[float] | None = None,
    readers: Effect = "random",
    cases: Effect = "random",
    method: ReaderMethod | None = None,
    covariance: Covariance | None = None,
    by: By | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of sensitivity and specificity; a row is one rate of two modalities.

    Parameters
    ----------
    threshold : float, or mapping of str to float, optional
        Threshold of the ratings, as in ``operating_points``. Pass exactly one of ``threshold`` and
        ``fpr``.
    fpr : float in [0, 1), or sequence of float, optional
        False positive rates at which sensitivities are compared, as in ``operating_points``.
    readers : {"random", "fixed"}, default "random"
        "random" generalises to the population of readers; "fixed" is for these readers only.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases; "fixed" is for these cases only.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        As in ``compare_auc``; with ``fpr`` it is "obuchowski-rockette".
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, optional
        As in ``operating_points``.
    by : {"reader"}, optional
        "reader" gives the differences of each reader instead of the averages.
    reference : str, optional
        Modality to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests modality minus reference > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over the rows of one quantity; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases, with ``fpr`` only.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, direction, reference_direction,
        threshold, reference_threshold, fpr, estimate, ci_low, ci_high, p_value, p_adjusted, se,
        statistic, df, n_pos, n_neg, n_readers, confidence_level, null_value, hypothesis,
        n_resamples, readers, cases, method, note``; ``quantity`` is "tpr_difference", then
        "tnr_difference"; with ``fpr`` it is "tpr_difference" at each rate.

    Raises
    ------
    InputError
        As in ``compare_auc``. Also if not exactly one of ``threshold`` and ``fpr`` is passed; if a
        modality has no threshold; or if an option is unavailable with ``fpr``. With ``fpr`` also if
        a reader has no curve under a modality, unless readers are nested in modalities.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    The method is as in ``compare_auc``, with rates in place of areas. The comparison of a single
    reader uses z with the variance of the paired differences of calls. For McNemar's test, use
    ``Study.compare_operating_points``. With ``fpr`` the covariance comes from resamples, as in
    ``operating_points``.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Gallas (2006) [gallas-2006]
    - Obuchowski, Gallas & Hillis (2012) [obuchowski-2012]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Holm (1979) [holm-1979]
    - Efron & Tibshirani (1993), chapter 11, failure of the jackknife [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> found = study.compare_operating_points(threshold=100)
    >>> found[["modality", "reference", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      modality reference        quantity  estimate  ci_low  ci_high
    0     FFDM       SFM  tpr_difference    -0.024  -0.075    0.027
    1     FFDM       SFM  tnr_difference    -0.014  -0.080    0.052

    The difference of sensitivities where each reader's false positive rate is .1:

    >>> found = study.compare_operating_points(fpr=0.1, n_resamples=200, rng=1)
    >>> found[["modality", "reference", "quantity", "fpr", "estimate"]].round(3)
      modality reference        quantity  fpr  estimate
    0     FFDM       SFM  tpr_difference  0.1    -0.005
    """
    by = require_choice("by", by, (None, *get_args(By)))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    tests = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    fprs, draws = (
        _read_reader_fprs(threshold, fpr, covariance),
        plan_draws(n_resamples, rng, progress),
    )
    plan = read_reader_plan(
        sample,
        method=method,
        covariance=covariance or "jackknife",
        readers=readers,
        cases=cases,
        is_rate=True,
        at_fpr=fprs is not None,
        by_reader=by is not None,
    )
    claim = Claim(tests, adjust, modality_pairs(sample, reference))

    def differences() -> Iterator[ComparedRow]:
        for endpoint, at_fpr in _rate_endpoints(
            sample, plan, threshold, fprs, draws, needs_served=by is None
        ):
            for difference in modality_differences(endpoint, claim, by):
                yield _with_fpr(difference, at_fpr)

    return comparison_frame(
        READER_COMPARE_OPERATING_POINTS,
        sample,
        claim.adjust,
        differences(),
        within=("quantity",) if fprs is None else ("quantity", "fpr"),
        draws=None if fprs is None else draws,
    )


# --- Options: thresholds or false positive rates --------------------------------------------------


def _read_reader_fprs(threshold: Any, fpr: Any, covariance: Any) -> FloatArray | None:
    """Return the false positive rates, None for thresholds; raise InputError unless one is given.

    A covariance is chosen at thresholds only.
    """
    if (threshold is None) == (fpr is None):
        got = "neither" if fpr is None else "both"
        raise InputError(
            f"`threshold` must be given, or `fpr` instead; got {got}. Pass one of them."
        )
    if fpr is None:
        return None
    rates = np.empty(0) if isinstance(fpr, Mapping) else number_array(fpr)
    # At a rate of 1 sensitivity is 1 on any curve.
    if rates.ndim != 1 or len(rates) == 0 or not np.all((rates >= 0) & (rates < 1)):
        raise InputError(
            f"`fpr` must be a number in [0, 1), or a sequence of them, the same for all modalities;"
            f" got {fpr!r}. Pass false positive rates, such as fpr=0.1."
        )
    if covariance is not None:
        raise InputError(
            "`covariance` must stay None with `fpr`, where it comes from resamples; got"
            f" {covariance!r}. Leave `covariance` out."
        )
    return rates


# --- Rates of calls at thresholds, or sensitivities at false positive rates -----------------------


class ReadersAtFpr(NamedTuple):
    """A false positive rate at which sensitivities are read, and the resamples of their group.

    ``fewest`` is the smallest number of negatives that a reader read under a modality.
    """

    fpr: float
    draws: ResamplePlan
    n_redrawn: int
    fewest: int


def _rate_endpoints(
    sample: ReaderSample,
    plan: ReaderPlan,
    threshold: Any,
    fprs: FloatArray | None,
    draws: ResamplePlan,
    *,
    needs_served: bool = False,
) -> Iterator[tuple[Endpoint, ReadersAtFpr | None]]:
    """Yield rates of calls at thresholds, or sensitivities at each false positive rate."""
    if fprs is None:
        thresholds = read_modality_thresholds(sample, threshold)
        for endpoint in endpoints(sample, plan, thresholds, needs_served=needs_served):
            yield endpoint, None
        return
    for g, (group, part) in enumerate(sample.by_group()):
        of_group = draws.at(g)
        with enough_valid_resamples():
            found = reader_tables_at_fpr(part.reads, fprs, of_group)
        n_read = np.count_nonzero(~np.isnan(part.reads.neg), axis=2)
        fewest = int(n_read[n_read > 0].min(initial=part.reads.n_neg))
        at = [
            {"threshold": np.nan, "direction": ">=" if up else "<="}
            for up in part.higher_is_positive
        ]
        for rate, table in zip(fprs.tolist(), found.tables, strict=True):
            engine = ObuchowskiRocketteEngine(part.reads, plan, table)
            if needs_served:
                require_served_reader_design(engine.served, plan, part)
            endpoint = Endpoint(group, part, plan, engine, "tpr", at)
            yield endpoint, ReadersAtFpr(rate, of_group, found.n_redrawn, fewest)


_NO_FPR: dict[str, Any] = {"fpr": np.nan, "n_resamples": 0}


def _with_fpr(rate: ComparedRow, at_fpr: ReadersAtFpr | None) -> ComparedRow:
    """Return an average or a difference with its false positive rate, resamples and notes."""
    known, result, notes = rate
    if at_fpr is None:
        return {**known, **_NO_FPR}, result, notes
    n_neg = at_fpr.fewest if known["reader"] == ALL else known["n_neg"]
    few = ["few-cases-at-rate"] if n_neg < FEW_CASES_AT_RATE else []
    columns = {"fpr": at_fpr.fpr, "n_resamples": at_fpr.draws.n_resamples}
    return {**known, **columns}, result, [*notes, *few, *redrawn_notes(at_fpr.n_redrawn)]


# --- Rates of single readers ----------------------------------------------------------------------


def _reader_rate(endpoint: Endpoint, i: int, j: int, confidence_level: float) -> ComparedRow:
    """Return a rate of one reader, as ``Study.operating_points`` has it."""
    quantity, cases = endpoint.quantity, endpoint.part.curve(i, j).cases
    known = {**endpoint.columns(i, j=j), **_NO_FPR, "confidence_level": confidence_level}
    # A rate needs its own class alone, here as in the average.
    if not (cases.n_pos if quantity == "tpr" else cases.n_neg):
        return known, undefined_result("reader-one-class"), endpoint.notes()
    curve = roc_points(cases.counts(0), higher_is_positive=cases.higher_is_positive[0])
    vertex = vertex_at(curve, np.array([endpoint.at[i]["threshold"]]))
    tables = point_tables_at_vertices(cases, 0, curve, vertex)
    bars = tables.rate(quantity, "wilson", confidence_level)
    value = float(measure(quantity, tables.cells)[0])
    return known, _reader_rate_result(value, bars, f"{tables.source}/wilson"), endpoint.notes()


def _reader_rate_at_fpr(
    endpoint: Endpoint, i: int, j: int, confidence_level: float, at_fpr: ReadersAtFpr
) -> ComparedRow:
    """Return the sensitivity of one reader, as ``Study.operating_points`` has it."""
    cases = endpoint.part.curve(i, j).cases
    known = {
        **endpoint.columns(i, j=j),
        "fpr": at_fpr.fpr,
        "confidence_level": confidence_level,
    }
    if cases.lacks_class:
        return known, undefined_result("reader-one-class"), endpoint.notes()
    curve = roc_points(cases.counts(0), higher_is_positive=cases.higher_is_positive[0])
    points = read_curve_at_rates(curve, "fpr", np.array([at_fpr.fpr]), "interpolated")
    with enough_valid_resamples():
        read = bars_of_read_rate(
            cases, 0, points, "wilson-effective-n", confidence_level, at_fpr.draws
        )
    known |= {"threshold": float(points.threshold[0]), "n_resamples": read.n_resamples}
    result = _reader_rate_result(float(points.read[0]), read.bars, read.method, tuple(read.codes))
    return known, result, endpoint.notes()


def _reader_rate_result(
    value: float, bars: Bars, method: str, codes: tuple[str, ...] = ()
) -> Result:
    """Return the one rate of ``bars``."""
    se, low, high = (float(column[0]) for column in (bars.se, bars.low, bars.high))
    return Result(value, se, low, high, df=np.inf, method=method, codes=codes)
