"""Two thresholds: what a result below both, above both, or in the grey zone between them says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval
from rocstats.frames.questions import ESTIMATE, Question, counts_only, estimate_columns
from rocstats.inference.estimates.answers import answer_rows, class_sizes, rows_of
from rocstats.inference.estimates.randomness import RngLike, plan_draws, require_drawing
from rocstats.inference.estimates.undefined import lacks_class, unanswered
from rocstats.inference.zones.zone_limits import Answer, ZonePlan, at_targets, at_thresholds
from rocstats.sample.base import row_codes
from rocstats.sample.counts.clusters import cluster_numbers
from rocstats.sample.inputs.points.thresholds import read_thresholds
from rocstats.sample.sample import Sample
from rocstats.stats.resampling.streams import NO_RESAMPLES
from rocstats.stats.zones import VALUES
from rocstats.tolerances import FEW_CLUSTERS

GREY_ZONE = Question(
    "grey_zone",
    estimate_columns(
        f"predictor group zone quantity direction rule_out_threshold rule_in_threshold {ESTIMATE}"
        " prevalence n_pos n_neg n_resamples method note"
    ),
    ("koopman-1984", "mercaldo-2007", "wilson-1927", "zou-2008"),
    {"sample_weight": counts_only("grey_zone", "Zones hold cases", "weights")},
)


def grey_zone(
    sample: Sample,
    thresholds: Sequence[float] | Mapping[str, Sequence[float]] | None = None,
    *,
    tpr: float | None = None,
    tnr: float | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return what two thresholds make of the cases; a row is one measure of one zone.

    Use it for a test that rules disease out below one threshold and in above another, and leaves
    those between to a further test. All cases count: to leave out the grey zone would make
    sensitivity and specificity look better than they are.

    Parameters
    ----------
    thresholds : (float, float), or mapping of str to (float, float), optional
        The lower and the higher threshold on your scale, fixed beforehand; a mapping gives each
        predictor its own. Either these or both targets are given.
    tpr, tnr : float in (0, 1), optional
        Targets, such as 0.95 each: cases are ruled out by the most positive threshold with a
        sensitivity of ``tpr`` or more, and ruled in by the least positive one with a specificity of
        ``tnr`` or more.
    prevalence : float in (0, 1), optional
        Share of positives where the rule is used, for ppv, npv and the share of all cases; by
        default that of the study.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples where thresholds are chosen by targets.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], zone, quantity, direction, rule_out_threshold,
        rule_in_threshold, estimate, ci_low, ci_high, se, prevalence, n_pos, n_neg,
        confidence_level, n_resamples, method, note``. Eight rows a predictor: the likelihood ratio
        "lr" of the zones "negative", "grey" and "positive", "npv" of the negative and "ppv" of the
        positive zone, and the shares of positives, negatives and all cases in the grey zone.

    Raises
    ------
    InputError
        If neither thresholds nor both targets are given, thresholds are not two ascending numbers,
        an option is not possible, the study has weights, or scores are known up to bins only.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``: ``no-grey-zone``, ``empty-band``, ``one-class``,
        ``few-clusters``, ``pooled-folds``, ``undefined-resamples``, ``no-resampled-spread``.

    Notes
    -----
    With a, b and c the shares of the positives in the negative, grey and positive zone, and d, e
    and f those of the negatives, the ratios are a/d, b/e and c/f,
    npv = (1 - pi) d/((1 - pi) d + pi a), ppv = pi c/(pi c + (1 - pi) f), and the share of all cases
    is pi b + (1 - pi) e.

    At fixed thresholds the ratios have Koopman's limits, predictive values Mercaldo's at a given
    prevalence and Wilson's at that of the study, shares Wilson's, and their sum at a given
    prevalence MOVER. Clusters: ratios on the log scale from influence values summed by cluster,
    the others with effective sample sizes.

    At targets the thresholds are chosen again in each resample (stratified by class; clusters
    whole), and limits are percentiles of what the chosen thresholds give there. They are about the
    rule that chooses, not about the two thresholds found here, whose measures in new cases are
    less good; in simulations 95% limits covered .90 to .98 of the values at the population's own
    thresholds. If one threshold reaches both targets (``no-grey-zone``), it is both: the less
    positive one of such thresholds.

    References
    ----------
    - Koopman (1984) [koopman-1984]
    - Mercaldo, Lau & Zhou (2007) [mercaldo-2007]
    - Wilson (1927) [wilson-1927]
    - Zou & Donner (2008) [zou-2008]

    Examples
    --------
    >>> import rocstats as rs
    >>> ct = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> found = ct.grey_zone((2, 5))
    >>> found[["zone", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
           zone            quantity  estimate  ci_low  ci_high
    0  negative                  lr     0.103   0.035    0.288
    1  negative                 npv     0.917   0.782    0.971
    2      grey                  lr     0.742   0.433    1.244
    3      grey  share_of_positives     0.294   0.187    0.430
    4      grey  share_of_negatives     0.397   0.281    0.525
    5      grey        share_of_all     0.349   0.266    0.442
    6  positive                  lr    18.765   5.420   68.864
    7  positive                 ppv     0.943   0.814    0.984
    """
    plan = _read(sample, thresholds, tpr, tnr, prevalence, confidence_level)
    require_drawing(n_resamples, rng, progress)
    GREY_ZONE.require_roles(sample)
    draws = plan_draws(n_resamples, rng, progress) if plan.thresholds is None else NO_RESAMPLES
    rows = rows_of(sample, lambda part, g, k: _rows(part, g, k, plan._replace(draws=draws)))
    return answer_rows(GREY_ZONE, sample, rows, draws)


def _read(
    sample: Sample, thresholds: Any, tpr: Any, tnr: Any, prevalence: Any, confidence_level: float
) -> ZonePlan:
    """Return what was asked; raise InputError where it is not possible."""
    require_open_interval("confidence_level", confidence_level, 0, 1)
    if prevalence is not None:
        require_open_interval("prevalence", prevalence, 0, 1)
    if (thresholds is None) == (tpr is None and tnr is None):
        got = "neither" if thresholds is None else "both"
        raise InputError(
            f"`thresholds` must be given, or tpr and tnr in their place; got {got}."
            " Pass thresholds=(low, high), or tpr=0.95, tnr=0.95."
        )
    if thresholds is None:
        require_open_interval("tpr", tpr, 0, 1)
        require_open_interval("tnr", tnr, 0, 1)
        targets = float(cast("float", tpr)), float(cast("float", tnr))
        return ZonePlan(None, targets, prevalence, confidence_level, NO_RESAMPLES)
    read = read_thresholds(thresholds, sample.predictors, argument="thresholds")
    for name, pair in read.items():
        if len(pair) != 2 or not pair[0] < pair[1]:
            raise InputError(
                f"`thresholds` must be two ascending numbers for each predictor; got"
                f" {pair.tolist()} for {name!r}. Pass the lower threshold, then the higher one."
            )
    return ZonePlan(read, None, prevalence, confidence_level, NO_RESAMPLES)


def _rows(part: Sample, g: int, k: int, plan: ZonePlan) -> list[dict[str, Any]]:
    """Return the rows of predictor ``k`` in group ``g``."""
    higher = part.higher_is_positive[k]
    codes = _codes(part)
    known = {
        "direction": ">=" if higher else "<=",
        "n_resamples": 0,
        **class_sizes(part),
    }
    words = [{"zone": zone, "quantity": quantity} for zone, quantity in VALUES]
    if lacks_class(part):
        return [unanswered(GREY_ZONE, {**known, **word}, codes) for word in words]
    if plan.thresholds is None:
        found = at_targets(part.cases, k, plan, plan.draws.at(g, k))
        known["n_resamples"] = plan.draws.n_resamples
    else:
        found = at_thresholds(part.cases, k, plan, plan.thresholds[part.predictors[k]])
    known |= {"rule_out_threshold": found.rule_out, "rule_in_threshold": found.rule_in}
    share = part.prevalence if plan.prevalence is None else plan.prevalence
    return [
        _row({**known, **word}, answer, share, plan, [*found.codes, *codes])
        for word, answer in zip(words, found.answers, strict=True)
    ]


def _row(
    known: dict[str, Any], answer: Answer, prevalence: float, plan: ZonePlan, codes: list[str]
) -> dict[str, Any]:
    """Return a row with its limits, if it has any."""
    if known["quantity"] in ("npv", "ppv", "share_of_all"):
        known |= {"prevalence": prevalence}
        codes = codes if plan.prevalence is not None else ["study-prevalence", *codes]
    row = unanswered(GREY_ZONE, {**known, "estimate": answer.estimate}, [*answer.codes, *codes])
    if np.isnan(answer.low + answer.high):
        return row
    limits = {"ci_low": answer.low, "ci_high": answer.high, "se": answer.se}
    return {**row, **limits, "confidence_level": plan.level, "method": answer.method}


def _codes(part: Sample) -> list[str]:
    """Return the notes of every row of a group."""
    if lacks_class(part):
        return ["one-class", *row_codes(part)]
    codes = ["pooled-folds"] if part.fold is not None else []
    if part.cluster is not None and min(cluster_numbers(part.cases)) < FEW_CLUSTERS:
        codes.append("few-clusters")
    return [*codes, *row_codes(part)]
