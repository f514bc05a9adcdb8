"""What a paper prints of a test at an operating point: every measure with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames import make_frame, warn_of
from rocstats.inference.estimates.randomness import RngLike, require_resamples, resolve_seed
from rocstats.inference.points.blocks import PointQuestion, point_block
from rocstats.inference.points.columns import (
    PointBlock,
    ReferenceStandard,
    codes_of,
    point_columns,
    read_quantities,
)
from rocstats.questions import ESTIMATE, Question, columns_in
from rocstats.sample.arrays import FloatArray
from rocstats.sample.inputs.prevalences import read_prevalence_cases, read_prevalences
from rocstats.sample.inputs.rates import read_rates
from rocstats.sample.inputs.thresholds import read_thresholds
from rocstats.sample.sample import Sample
from rocstats.stats.bands.bars import each_level
from rocstats.stats.points.measured import PointPlan, RatioInterval, Sampling
from rocstats.stats.points.rates import RateBars
from rocstats.stats.points.readings import Axis, Reading

OPERATING_POINTS = Question(
    "operating_points",
    columns_in(
        "predictor group quantity direction threshold fpr tpr reading prevalence "
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
    ),
)
PointInterval = Literal["wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"]
POINT_INTERVALS: tuple[PointInterval, ...] = (
    "wilson",
    "clopper-pearson",
    "agresti-coull",
    "jeffreys",
    "wald",
)
RATE_BARS: tuple[RateBars, ...] = ("wilson-effective-n", "wilson-conditional")
_RATE = "Pass rates, such as fpr=0.1."

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
    sampling: Sampling | None = None,
    reference_standard: ReferenceStandard = "perfect",
    interval: PointInterval | RateBars | None = None,
    ratio_interval: RatioInterval = "score",
    joint: bool = False,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return measures at operating points with intervals; a row is one measure at one point.

    Parameters
    ----------
    threshold : float, sequence of float, mapping of str to them, or "all", optional
        Thresholds on the user's scale, fixed beforehand; a mapping gives each predictor its own.
        "all" is every vertex of the curve. 1 for a study made with ``from_confusion``. One of
        ``threshold``, ``fpr`` and ``tpr`` is given.
    fpr, tpr : float in [0, 1], sequence of float, or mapping of str to them, optional
        False (true) positive rates at which the curve is read, whatever the threshold.
    reading : {"interpolated", "attained"}, default "interpolated"
        How it is read: on the line between vertices, or at the vertex, which a threshold attains,
        with the largest ``fpr`` not above (the least ``tpr`` not below) the rate.
    quantities : sequence of str, optional
        Some of tpr, tnr, fpr, fnr, ppv, npv, lr_positive, lr_negative, odds_ratio, accuracy,
        balanced_accuracy, youden, f1 and mcc; by default all.
    prevalence : float in (0, 1), or sequence of float, optional
        Shares of positives where the rule is used, for ppv, npv, accuracy, f1 and mcc: a row for
        each. By default the share in the study, which means something in a cohort only.
    prevalence_cases : float >= 1, optional
        Number of other cases in which ``prevalence`` was estimated; by default it is known.
    sampling : {"cohort", "case-control"}, optional
        Whether the share of positives in the study is that of a population, or was chosen. Not
        said, it is used with a warning; of a "case-control" study it is not used.
    reference_standard : {"perfect", "imperfect"}, default "perfect"
        "imperfect": the labels are of another test, not the truth. The quantities are then "ppa"
        and "npa", positive and negative percent agreement, whose numbers are those of tpr and tnr,
        and "overall_agreement", that of accuracy; no others have a meaning.
    interval : str, optional
        At thresholds {"wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"}, limits of
        a proportion, by default Wilson's. At rates {"wilson-effective-n", "wilson-conditional"}, by
        default the first, which allows for the threshold being estimated.
    ratio_interval : {"score", "log"}, default "score"
        Limits of likelihood ratios and of the odds ratio at thresholds: by inverting the score
        test, or normal on the log scale.
    joint : bool, default False
        Whether the limits of both axes hold together, as a rectangle around the point: each is then
        at the level sqrt(confidence_level). For thresholds, and for rates only.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of an interval, or with ``joint`` of the rectangle.
    n_resamples : int >= 100, default 2000
        Number of resamples at rates, where their variance has no closed form.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; frames record one integer that repeats them.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, direction, threshold, fpr, tpr, reading, prevalence,
        fp, tp, estimate, se, ci_low, ci_high, confidence_level, n_pos, n_neg, n_effective,
        n_resamples, method, note``. ``threshold, fpr, tpr, fp, tp`` are the point itself, in each
        of its rows; ``threshold`` is NaN between vertices, where counts need not be whole.
        ``reading`` is "threshold" or how a rate was read; ``prevalence`` is NaN where it has no
        part. ``n_effective`` is the number of cases that the limits allow for, where they rest on
        one.

    Raises
    ------
    InputError
        If none or several of ``threshold, fpr, tpr`` are given, a place is not possible or names no
        predictor, a word is unknown, or options do not fit each other or the roles of the study.

    Warns
    -----
    StatisticalWarning
        Once for each doubt that stands in ``note``, such as the prevalence of the study
        (``study-prevalence``), no cases called positive (``no-calls``), pooled folds
        (``pooled-folds``), under 30 clusters (``few-clusters``), weights
        (``weights-need-bootstrap``, no limits).

    Notes
    -----
    **At thresholds** fixed beforehand TP ~ Binomial(n_pos, tpr) and FP ~ Binomial(n_neg, fpr),
    independently. A threshold read off these data, such as the best one, is not fixed: its limits
    are too narrow.

    - tpr, tnr, fpr, fnr, and in the study's own prevalence ppv, npv and accuracy: a proportion
      (statsmodels' ``proportion_confint``). f1 = 2 j/(1 + j) has those of j = TP/(TP + FP + FN).
    - ppv and npv at a prevalence p: Mercaldo's logit limits,
      Var logit ppv = (1 - tpr)/(tpr n_pos) + tnr/(fpr n_neg), npv likewise, plus 1/(N p(1 - p)) for
      a prevalence from N other cases. Without true or false positives (for npv, negatives) z^2/2
      is added to each cell (``adjusted-cells``).
    - lr_positive = tpr/fpr, lr_negative = fnr/tnr: Koopman's score limits, or with "log" Simel's;
      odds_ratio = TP TN/(FP FN): score limits, or Woolf's. "log" needs 1/2 in each cell where one
      is empty (``half-added``); score limits do not. A ratio over 0 is infinite, 0/0 is NaN.
    - youden = tpr - fpr, balanced_accuracy = (tpr + tnr)/2, accuracy at a prevalence: Newcombe's
      hybrid (MOVER) from the limits of both rates.
    - mcc: delta method on Fisher's scale; f1 at a prevalence: on the logit scale; with 1/2 in each
      cell where one is empty.

    Limits are cut at the ends of a quantity. Wald limits of a rate of 0 or 1 have no width: there
    Wilson's stand (``no-width``). At an end of the curve, where nobody or everybody is called
    positive, a rate is 0 or 1 whatever the cases; its interval is wide rather than narrow.

    **At rates** the threshold is estimated with the curve, and Wilson's limits take n_eff =
    q(1 - q)/V cases, q = (n r + z^2/2)/(n + z^2), V the bootstrap variance of the rate r read off,
    at least q(1 - q)/(n + z^2). "wilson-conditional" leaves the threshold's part out and covers the
    true curve too seldom (``conditional-on-threshold``). All other measures are monotone in r and
    have its limits; a prevalence that is estimated widens them by MOVER. What the given rate alone
    decides has no limits (``given-rate``).

    **Clusters**: the influence of a case on any measure is summed by cluster. A proportion p has
    the ratio estimator Var = I/(I - 1) sum (x_i - p n_i)^2/(sum n_i)^2 and the sample size
    p(1 - p)/Var; a cluster counts as one case where they do not vary. Ratios, and predictive values
    at a prevalence, are then MOVER on the log scale with the correlation of both rates. At rates
    clusters are resampled whole. Frequencies are counts.

    References
    ----------
    - Wilson (1927) [wilson-1927]
    - Clopper & Pearson (1934) [clopper-1934]
    - Koopman (1984) [koopman-1984]
    - Simel, Samsa & Matchar (1991) [simel-1991]
    - Woolf (1955) [woolf-1955]
    - Newcombe (1998) [newcombe-1998-independent]
    - Mercaldo, Lau & Zhou (2007) [mercaldo-2007]
    - Zou & Donner (2008) [zou-2008]
    - Linnet (1987), variance at an estimated threshold [linnet-1987]
    - Fawcett (2004), section 6.2, bars on both axes [fawcett-2004]

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
    """
    axis, places = _read_places(sample, threshold, fpr, tpr)
    require_choice("sampling", sampling, (None, "cohort", "case-control"))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    _require_options(sample, axis, interval, ratio_interval, reading, joint)
    shares = read_prevalences(prevalence)
    plan = PointQuestion(
        axis,
        places,
        read_quantities(quantities, shares, reference_standard=reference_standard, joint=joint),
        PointPlan(
            interval if interval in POINT_INTERVALS else "wilson",
            ratio_interval,
            sampling,
            each_level(confidence_level) if joint else confidence_level,
            read_prevalence_cases(prevalence_cases, shares),
        ),
        interval if interval in RATE_BARS else "wilson-effective-n",
        reading,
        confidence_level if joint else None,
        require_resamples(n_resamples),
        resolve_seed(rng),
    )
    blocks = [
        point_block(part, {"predictor": name, "group": group}, g, k, plan)
        for g, (group, part) in enumerate(sample.by_group())
        for k, name in enumerate(sample.predictors)
        if plan.places is None or len(plan.places[name])
    ]
    return _frame(blocks, plan, grouped=sample.group is not None)


def _frame(blocks: list[PointBlock], plan: PointQuestion, *, grouped: bool) -> pd.DataFrame:
    columns = point_columns(blocks)
    if not grouped:
        del columns["group"]
    warn_of(codes_of(columns["note"]))
    drawn = plan.axis is not None and plan.bars == "wilson-effective-n"
    return make_frame(
        OPERATING_POINTS,
        columns,
        grouped=grouped,
        seed=plan.seed if drawn else None,
        n_resamples=plan.n_resamples if drawn else None,
    )


def _read_places(
    sample: Sample, threshold: Any, fpr: Any, tpr: Any
) -> tuple[Axis | None, dict[str, FloatArray] | None]:
    """Return which rate is given, None for thresholds, and where; None for all of a curve."""
    given = {
        name: value
        for name, value in (("threshold", threshold), ("fpr", fpr), ("tpr", tpr))
        if value is not None
    }
    if len(given) != 1:
        raise InputError(
            "`threshold` must be given, or `fpr`, or `tpr`, and only one of them; got"
            f" {', '.join(given) or 'none'}. Pass one."
        )
    if fpr is not None:
        return "fpr", read_rates(fpr, sample.predictors, argument="fpr", mend=_RATE)
    if tpr is not None:
        return "tpr", read_rates(tpr, sample.predictors, argument="tpr", mend=_RATE)
    if isinstance(threshold, str) and threshold == "all":
        return None, None
    return None, read_thresholds(threshold, sample.predictors)


def _require_options(
    sample: Sample, axis: Axis | None, interval: Any, ratio_interval: Any, reading: Any, joint: bool
) -> None:
    """Raise InputError unless the options are known, and fit the places and the roles."""
    require_choice("reading", reading, ("interpolated", "attained"))
    require_choice("ratio_interval", ratio_interval, ("score", "log"))
    require_choice("interval", interval, (None, *(POINT_INTERVALS if axis is None else RATE_BARS)))
    if axis is None and reading != "interpolated":
        raise InputError(
            "`reading` must be left out for thresholds, which are points of the curve; got"
            f" {reading!r}. Pass fpr= or tpr= instead, or leave it out."
        )
    if axis is not None and joint:
        raise InputError(
            f"`joint` must stay False where a rate is given; got True with {axis}=. Leave it out,"
            " or pass thresholds."
        )
    if ratio_interval == "log" and (axis is not None or sample.cluster is not None):
        raise InputError(
            "`ratio_interval` must be left out where ratios have the limits of their rates: at"
            " rates, and with clusters; got 'log'. Leave it out."
        )
    if interval == "wilson-conditional" and sample.cluster is not None:
        raise InputError(
            "`interval` must not be 'wilson-conditional' for a study with clusters, whose cases"
            " are not independent; got 'wilson-conditional'. Pass 'wilson-effective-n'."
        )
