"""Measures of operating points, given by thresholds or by rates, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd

from rocstats.curves.roc import roc_points
from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_columns
from rocstats.estimate.bars import sidak_level_of_each_axis
from rocstats.estimate.rates import RateBars, Reading
from rocstats.estimate.resample import RngLike, plan_draws
from rocstats.estimate.tables import PointPlan, RatioInterval, Sampling
from rocstats.frame.make import warn_of_doubts
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.points.measures import (
    distinct_notes,
    joined_columns,
    points_at_rates,
    points_at_thresholds,
    predictor_columns,
)
from rocstats.inference.points.options import (
    PointInterval,
    ReferenceStandard,
    read_calls_of_unknown_status,
    read_measure_requests,
    read_point_limit_options,
    read_point_places,
)
from rocstats.study.base import warned_doubts
from rocstats.study.points import read_prevalence_cases, read_prevalences
from rocstats.study.sample import Sample, own_sample

OPERATING_POINTS = Question(
    "operating_points",
    estimate_columns(
        "predictor group quantity direction threshold next_score fpr tpr reading prevalence "
        f"fp tp {ESTIMATE} n_pos n_neg n_effective n_resamples method note"
    ),
    (
        "wilson-1927",
        "clopper-1934",
        "koopman-1984",
        "simel-1991",
        "woolf-1955",
        "newcombe-1998-independent",
        "mercaldo-2007",
        "zou-2008",
        "linnet-1987",
        "fawcett-2004",
        "dvoretzky-1956",
        "massart-1990",
        "cohen-1960",
        "fleiss-1969",
        "van-rijsbergen-1979",
        "linn-2006",
        "rogan-1978",
        "lang-2014",
    ),
    binned=True,
    advice={
        "weights-need-bootstrap": "operating_points(threshold=..., interval='percentile', rng=1)"
        " resamples the cases with their weights",
    },
)
Places = float | Sequence[float] | Mapping[str, float | Sequence[float]]


def operating_points(
    sample: Sample,
    *,
    threshold: Places | Literal["all"] | None = None,
    fpr: Places | None = None,
    tpr: Places | None = None,
    reading: Reading = "interpolated",
    quantities: Sequence[str] | None = None,
    prevalence: float | Sequence[float] | None = None,
    prevalence_cases: float | None = None,
    beta: float | None = None,
    apparent_prevalence: tuple[float, float] | None = None,
    sampling: Sampling | None = None,
    reference_standard: ReferenceStandard = "perfect",
    interval: PointInterval | RateBars | None = None,
    ratio_interval: RatioInterval = "score",
    joint: bool = False,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return measures at operating points with intervals; a row is one measure at one point.

    Parameters
    ----------
    threshold : float, sequence of float, mapping of str to them, or "all", optional
        Thresholds on the scale of the scores, chosen beforehand. A mapping, or a Series with text
        labels, has separate thresholds for each predictor. "all" means every vertex of the curve.
        Pass exactly one of ``threshold``, ``fpr`` and ``tpr``. A study made with ``from_confusion``
        needs none of these options, since its only threshold is 1.
    fpr, tpr : float in [0, 1], sequence of float, or mapping of str to them, optional
        False positive rates, or true positive rates, at which the curve is evaluated.
    reading : {"interpolated", "attained"}, default "interpolated"
        Evaluation of the curve at a rate:

        - "interpolated": linear interpolation between vertices.
        - "attained": a vertex, which has a threshold. For ``fpr`` this is the vertex with the
          largest false positive rate that is not above ``fpr``. For ``tpr`` this is the vertex with
          the smallest true positive rate that is not below ``tpr``.
    quantities : sequence of str, optional
        Measures to return. Common synonyms are accepted, such as "sensitivity", "recall" and "PPV".

        - Default: tpr, tnr, fpr, fnr, ppv, npv, lr_positive, lr_negative, odds_ratio, accuracy,
          balanced_accuracy, youden, f1 and mcc.
        - Also available: kappa, false_discovery, false_omission, number_needed_to_diagnose,
          f_beta and true_prevalence.
    prevalence : float in (0, 1), or sequence of float, optional
        Shares of positives in the population of use; each share has a row. The option applies to
        ppv, npv, accuracy, f1, mcc, kappa, f_beta, false_discovery and false_omission. By default
        the share in the study is used. This share estimates the prevalence only in a cohort.
    prevalence_cases : float >= 1, optional
        Number of other cases in which ``prevalence`` was estimated. By default ``prevalence`` is
        treated as exact.
    beta : float > 0, optional
        Weight of recall relative to precision in f_beta; default 1.
    apparent_prevalence : (int, int), optional
        Counts for true_prevalence at thresholds, from a sample of cases with unknown status: the
        number of positive calls, and the number of cases.
    sampling : {"cohort", "case-control"}, optional
        Whether the share of positives in the study estimates a prevalence ("cohort") or was chosen
        ("case-control"). By default the share is used, with a note. The share is ignored in a
        "case-control" study. The share is also ignored in a group with one class only, since all
        predictive values would be 0 or 1.
    reference_standard : {"perfect", "imperfect"}, default "perfect"
        "imperfect" means that the labels are results of another test, not the true condition. The
        quantities are then positive percent agreement "ppa" (for tpr), negative percent agreement
        "npa" (for tnr) and "overall_agreement" (for accuracy). Other measures are omitted.
    interval : str, optional
        Limits of a proportion at thresholds:

        - "wilson" (default), "clopper-pearson", "agresti-coull", "jeffreys", "wald".
        - "mid-p": Clopper-Pearson limits with half the probability of the observed count. Use
          "mid-p" for youden and balanced_accuracy near 1 with under 100 cases of a class.
        - "dkw": limits of both rates for every threshold at once (Dvoretzky, Kiefer & Wolfowitz).
          Use "dkw" if the threshold was changed after seeing the data. Limits are wider, but their
          coverage remains valid. Unavailable with clusters.
        - "percentile": order statistics of resamples, for every measure. It gives the only limits
          for weighted cases. For unweighted cases the other limits have better coverage.

        Limits at rates:

        - "wilson-effective-n" (default): includes the uncertainty of the estimated threshold.
        - "wilson-conditional": treats the threshold as fixed.
    ratio_interval : {"score", "log"}, default "score"
        Limits of likelihood ratios and of the odds ratio at thresholds:

        - "score": inverts the score test. These limits exist even if a cell is empty.
        - "log": normal limits on the log scale.
    joint : bool, default False
        Whether the limits of both rates are simultaneous (a rectangle around the point). Each rate
        then has the level sqrt(confidence_level). Available at thresholds, for sensitivity,
        specificity and their complements.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval. With ``joint`` it is the coverage of the rectangle.
    n_resamples : int >= 100, default 2000
        Number of resamples of "percentile". At rates, resamples are used only if no formula gives
        the variance.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, threshold, next_score, reading, fpr, tpr,
        estimate, ci_low, ci_high, se, prevalence, fp, tp, n_pos, n_neg, n_effective,
        confidence_level, n_resamples, method, note``. ``threshold, fpr, tpr, fp, tp`` describe the
        point and are the same in all its rows. Between vertices ``threshold`` is NaN, and counts
        may be fractions. ``reading`` is "threshold" for points at thresholds. For points at rates,
        it is the value of the option ``reading``. ``prevalence`` is NaN for a measure that does not
        depend on it. ``n_effective`` is the effective number of cases that the limits use. It is
        NaN for limits without such a number.

    Raises
    ------
    InputError
        If not exactly one of ``threshold``, ``fpr`` and ``tpr`` is passed; if a value is invalid;
        if a predictor or option is unknown; or if options cannot be combined with each other or
        with this study.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``. Examples are ``no-calls`` (no case is called
        positive), ``pooled-folds``, ``few-clusters`` (under 30 clusters) and
        ``weights-need-bootstrap`` (weighted cases have limits with "percentile" only).

    Notes
    -----
    **At thresholds** that were chosen beforehand, TP ~ Binomial(n_pos, tpr) and FP ~
    Binomial(n_neg, fpr) are independent. For a threshold chosen in these data the limits are too
    narrow. Use ``cutpoints``, or "dkw" below.

    - tpr, tnr, fpr and fnr: limits of a proportion. At the prevalence of the study, ppv, npv and
      accuracy also have limits of a proportion. The measure f1 is 2 j/(1 + j), where j = TP/(TP +
      FP + FN) is a proportion. Its limits follow from the limits of j.
    - ppv and npv at a prevalence p: Mercaldo's logit limits. Var logit ppv = (1 - tpr)/(tpr
      n_pos) + tnr/(fpr n_neg), and npv has a similar formula. For a prevalence from N other cases,
      1/(N p(1 - p)) is added to the variance. If all calls are the same, z^2/2 is added to each
      cell, where z is the normal quantile (note ``adjusted-cells``). The same is done for ppv if
      there are no true positives or no false positives, and for npv if there are no true negatives
      or no false negatives.
    - lr_positive = tpr/fpr and lr_negative = fnr/tnr: Koopman's score limits, or Simel's limits
      with "log". For odds_ratio = TP TN/(FP FN): score limits, or Woolf's limits with "log". If a
      cell is empty, "log" adds 1/2 to each cell (``half-added``). Score limits add nothing. A ratio
      with denominator 0 is infinite; 0/0 is NaN.
    - youden = tpr - fpr, balanced_accuracy = (tpr + tnr)/2, and accuracy at a prevalence:
      Newcombe's hybrid method (MOVER) combines the limits of both rates.
    - mcc and kappa: delta method on Fisher's z scale.
    - f1 at a prevalence, and f_beta = (1 + b^2) TP/((1 + b^2) TP + b^2 FN + FP) with b = ``beta``:
      delta method on the logit scale. The limits of f1, f_beta, mcc and kappa use quantiles of t.
      If a cell is empty, 1/2 is added to each cell.
    - false_discovery = 1 - ppv and false_omission = 1 - npv: limits are one minus the limits of ppv
      and npv.
    - number_needed_to_diagnose = 1/youden: limits are the reciprocals of the limits of youden. The
      number is infinite if youden is 0 or below.
    - true_prevalence = (a - fpr)/(tpr - fpr), cut at 0 and 1. Here a is the share of positive calls
      (Rogan & Gladen). The limits of Lang & Reiczigel include the sampling errors of a and of both
      rates.

    Limits are cut at the ends of the range of a quantity. Wald limits of a rate of 0 or 1 have zero
    width. Wilson's limits then replace the Wald limits (``no-width``). At the ends of the curve no
    case, or every case, is called positive. Rates at the ends are always 0 or 1, and their
    intervals are conservative.

    **"dkw"** is for thresholds that were changed after seeing the data. Limits are TPR +-
    sqrt(ln(4/alpha)/(2 n_pos)) and TNR +- sqrt(ln(4/alpha)/(2 n_neg)), cut at 0 and 1. Here alpha
    is 1 - ``confidence_level``. These limits are simultaneous over both rates and all thresholds of
    a predictor, for any distributions. The error probability of each class is at most alpha/2.
    Other measures are monotone in both rates. Their limits are the values at two corners of the
    rectangle. These limits are also simultaneous. Limits of ppv, npv, accuracy, f1 and mcc need
    ``prevalence`` (``limits-need-prevalence``). ``se`` is the usual standard error at a fixed
    threshold.

    **At rates** the threshold is estimated too. Let r be the rate to estimate, n the number of
    cases of its class, and z the normal quantile. Wilson's limits use n_eff = q(1 - q)/V cases.
    Here q = (n r + z^2/2)/(n + z^2), and V is the bootstrap variance of r, or q(1 - q)/(n + z^2) if
    this value is larger. "wilson-conditional" ignores the variance of the threshold; its coverage
    is too low (``conditional-on-threshold``). One rate is fixed, so every other measure depends on
    r alone. The limits of these measures follow from the limits of r. For an estimated prevalence
    MOVER widens them. Measures that depend only on the fixed rate have no limits (``given-rate``).

    **"percentile"** resamples the cases of each class with their weights. Clusters are resampled as
    a whole. For measures at the prevalence of the study, all cases are resampled together, so that
    the prevalence varies. Limits are the order statistics ceil((B + 1) p) and B + 1 - ceil((B + 1)
    p) of B resamples, with p = alpha/2. Up to 5% undefined resamples are omitted
    (``undefined-resamples``). Resamples do not vary if a rate is 0 or 1, or if a class has a single
    case or cluster. The default limits are then used with Kish's effective number of cases (or
    clusters), (sum w)^2/sum w^2 for weights w (``rate-at-boundary``).

    **Clusters**: the influence of each case on a measure is summed within clusters. Let a
    proportion count x_i of the n_i cases in cluster i of I clusters. The proportion p = sum x_i/sum
    n_i has the variance of the ratio estimator, Var = I/(I - 1) sum (x_i - p n_i)^2/(sum n_i)^2.
    Its effective size is p(1 - p)/Var. Clusters of unequal size are equivalent to J = (sum
    n_i^2)^2/sum n_i^4 equal clusters. The effective size is multiplied by (t_{I-1}/t_{J-1})^2,
    where t are quantiles with I - 1 and J - 1 degrees of freedom [korn-1998, carter-2017]. If the
    rate does not vary between clusters, the effective size is Kish's number of clusters. Limits of
    ratios, and of predictive values at a prevalence, use MOVER on the log scale with the
    correlation of both rates. At rates, whole clusters are resampled. A row with frequency f counts
    as f cases.

    References
    ----------
    - Wilson (1927) [wilson-1927]
    - Korn & Graubard (1998) [korn-1998]
    - Carter, Schnepel & Steigerwald (2017) [carter-2017]
    - Clopper & Pearson (1934) [clopper-1934]
    - Koopman (1984) [koopman-1984]
    - Simel, Samsa & Matchar (1991) [simel-1991]
    - Woolf (1955) [woolf-1955]
    - Newcombe (1998) [newcombe-1998-independent]
    - Mercaldo, Lau & Zhou (2007) [mercaldo-2007]
    - Zou & Donner (2008) [zou-2008]
    - Linnet (1987), variance at an estimated threshold [linnet-1987]
    - Fawcett (2004), section 6.2, bars on both axes [fawcett-2004]
    - Dvoretzky, Kiefer & Wolfowitz (1956), limits for every threshold [dvoretzky-1956]
    - Massart (1990), their constant [massart-1990]
    - Cohen (1960), kappa [cohen-1960]
    - Fleiss, Cohen & Everitt (1969), its standard error [fleiss-1969]
    - van Rijsbergen (1979), chapter 7, f_beta [van-rijsbergen-1979]
    - Linn & Grunau (2006), number needed to diagnose [linn-2006]
    - Rogan & Gladen (1978), true prevalence [rogan-1978]
    - Lang & Reiczigel (2014), its limits [lang-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)
    >>> wanted = ["tpr", "tnr", "ppv", "lr_positive"]
    >>> points = study.operating_points(threshold=1, quantities=wanted, prevalence=0.05)
    >>> points[["quantity", "prevalence", "estimate", "ci_low", "ci_high"]].round(4)
          quantity  prevalence  estimate  ci_low  ci_high
    0          tpr         NaN    0.9005  0.8769   0.9200
    1          tnr         NaN    0.7601  0.7301   0.7877
    2          ppv        0.05    0.1650  0.1488   0.1826
    3  lr_positive         NaN    3.7537  3.3282   4.2514

    Of 1000 other cases, 300 were called positive:

    >>> study.operating_points(quantities="true_prevalence", apparent_prevalence=(300, 1000))[
    ...     ["quantity", "estimate", "ci_low", "ci_high"]
    ... ].round(4)
              quantity  estimate  ci_low  ci_high
    0  true_prevalence     0.091  0.0313   0.1487
    """
    OPERATING_POINTS.refuse_covariates(sample)
    axis, places = read_point_places(sample, threshold, fpr, tpr)
    sampling = require_choice("sampling", sampling, (None, "cohort", "case-control"))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    limits, bars, ratio_interval, reading = read_point_limit_options(
        sample, axis, interval, ratio_interval, reading, joint, prevalence_cases
    )
    shares = read_prevalences(prevalence)
    requests = read_measure_requests(
        quantities, shares, reference_standard=reference_standard, joint=joint, beta=beta
    )
    apparent = read_calls_of_unknown_status(sample, axis, limits, requests, apparent_prevalence)
    resampled = limits == "percentile"
    plan = PointPlan(
        # Where resamples do not vary, percentile limits give way to Wilson's.
        "wilson" if limits == "percentile" else limits,
        ratio_interval,
        sampling,
        # Both classes are independent: two intervals at sqrt(level) hold jointly at the level.
        sidak_level_of_each_axis(confidence_level) if joint else confidence_level,
        read_prevalence_cases(prevalence_cases, shares),
        apparent,
    )
    draws = plan_draws(n_resamples, rng, progress)
    predictors = []
    for g, (group, part) in enumerate(sample.by_group()):
        for k, name in enumerate(sample.predictors):
            values = None if places is None else places[name]
            if values is not None and not len(values):
                continue
            one = own_sample(part, k)
            higher = one.cases.higher_is_positive[k]
            curve = roc_points(one.cases.counts(k), higher_is_positive=higher)
            if axis is None or values is None:
                joint_level = confidence_level if joint else None
                points = points_at_thresholds(
                    one,
                    k,
                    curve,
                    values,
                    requests,
                    plan,
                    joint_level,
                    draws.at(g) if resampled else None,
                )
            else:
                # Both axes resample the same cases, the classes exchanged: 1 keeps their streams
                # apart.
                stream = draws.at(g) if axis == "fpr" else draws.at(g, 1)
                points = points_at_rates(
                    one, k, curve, axis, values, reading, bars, requests, plan, stream
                )
            texts = {
                "predictor": name,
                "group": group,
                "reading": "threshold" if axis is None else reading,
            }
            predictors.append(predictor_columns(one, k, curve, points, requests, texts, plan.level))
    columns = joined_columns(predictors)
    warn_of_doubts(distinct_notes(columns["note"]), warned_doubts(sample))
    # Limits at thresholds and "wilson-conditional" are closed forms: no seed to record.
    drawn = resampled or (axis is not None and bars == "wilson-effective-n")
    return answer_columns(OPERATING_POINTS, sample, columns, draws if drawn else None)
