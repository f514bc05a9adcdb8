"""Probability scores of predicted risks with their intervals, and differences of scores.

Brier score mean (p - y)^2 [brier-1950], scaled Brier score 1 - Brier/(share (1 - share))
[kattan-2018], log score, and the parts of the Brier score [dimitriadis-2021]. The variance of a
difference comes from the influence of each case on both scores.
Derivations: docs/methods/calibration.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice, require_open_interval
from rocstats.estimate.answers import answer_rows, class_size_columns, lacks_class, predictor_rows
from rocstats.estimate.claim import Adjustment, Claim, Hypothesis, HypothesisPlan, read_claim
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Estimate, Result, score_result, undefined_result, wald_result
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import difference_of, range_of
from rocstats.facts.tolerances import MOST_WEIGHT
from rocstats.frame.question import ESTIMATE, TEST, Question, RoleRefusal, estimate_columns
from rocstats.inference.calibration.fits import fit_isotonic
from rocstats.inference.calibration.risks import (
    RiskPopulation,
    Risks,
    calibration_case_notes,
    calibration_row,
    read_risk_population,
)
from rocstats.study.sample import Sample, require_same_cases

# --- Scores ---------------------------------------------------------------------------------------

ScoreName = Literal["brier_score", "scaled_brier_score", "log_score"]
SCORES: tuple[ScoreName, ...] = get_args(ScoreName)
PROBABILITY_SCORES = Question(
    "probability_scores",
    estimate_columns(f"predictor group quantity prevalence {ESTIMATE} n_pos n_neg method note"),
    ("brier-1950", "kattan-2018", "dimitriadis-2021"),
)


def probability_scores(
    sample: Sample,
    *,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return probability scores of predicted risks with intervals; a row is one score.

    Use probability scores to compare models on the same cases. A score depends on calibration and
    on discrimination. Do not compare scores of different samples, since scores depend on
    prevalence. A good score does not prove calibration.

    Parameters
    ----------
    prevalence : float in (0, 1), optional
        Share of positives in the target population of the risks. Required for case-control samples.
        By default the cases are a random sample of that population.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, se, prevalence, n_pos,
        n_neg, confidence_level, method, note``. The values of ``quantity`` are:

        - "brier_score": 0 is best.
        - "scaled_brier_score": 1 is best. A model that predicts the prevalence for every case has
          the score 0.
        - "log_score": 0 is best.
        - "miscalibration", "discrimination", "uncertainty": parts of the Brier score, without
          limits.

    Raises
    ------
    InputError
        If scores are outside [0, 1]; if lower scores are positive; or if an argument is invalid.

    Warns
    -----
    StatisticalWarning
        - ``pooled-folds``: folds are pooled.
        - ``few-cases``: a class has under 20 cases.
        - ``few-clusters``: clusters are few.
        - ``one-class``: a group lacks a class.
        - ``infinite-score``: a risk of 0 or 1 was wrong.
        - ``no-variance``: nothing varies.
        - ``heavy-negatives``: ``prevalence`` gives negatives a weight above 1.5. This warning is
          for Brier scores only.
        - ``weights-need-bootstrap``: the study has weights, and only estimates are returned.

    Notes
    -----
    Let p be the risks, y the outcomes (0 or 1) and pi the share of positives. The Brier score B is
    the mean of (p - y)^2. The log score is the mean over cases of -log p for positives and -log(1 -
    p) for negatives. The scaled Brier score is 1 - B/(pi (1 - pi)). Limits are t limits from
    influence values, with Satterthwaite's degrees of freedom over both classes. With clusters,
    influence values are summed within clusters. With ``prevalence=`` and without clusters, a class
    of n cases with influence values u has 2/(sum u^4/(sum u^2)^2 - 1/n) degrees of freedom.

    Let c be the value of the monotone curve of ``calibration_curve(method="isotonic")`` for each
    case, and m the mean of (c - y)^2. Miscalibration is B - m, discrimination is pi (1 - pi) - m,
    and uncertainty is pi (1 - pi). The Brier score is exactly B = miscalibration - discrimination +
    uncertainty. Miscalibration is above 0 in every sample and has no limits;
    ``calibration(quantities="miscalibration")`` has its P value.

    Simulations had 500 or 1000 cases and 1 to 2% events. 95% limits of the Brier score and the log
    score had coverage of at least .94. Limits of the scaled score had coverage .92 to .97. The
    scaled score has the note ``few-cases`` if there are under 100 events and also fewer events than
    1/4 of the other class. With ``prevalence``, limits had coverage of at least .93, with one
    exception. Brier scores with classes of equal size and a prevalence of 2 or 10% had coverage .87
    to .93. There, the few sampled negatives with a high risk dominate the score
    (docs/methods/calibration.md).

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
    0         brier_score     0.162   0.123    0.201
    1  scaled_brier_score     0.325   0.176    0.474
    2           log_score     0.470   0.383    0.558
    3      miscalibration     0.087     NaN      NaN
    4      discrimination     0.165     NaN      NaN
    5         uncertainty     0.240     NaN      NaN
    """
    PROBABILITY_SCORES.require_roles(sample)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    population = read_risk_population(sample, prevalence)

    def score_rows(part: Sample, _: int, k: int) -> Iterator[dict[str, Any]]:
        quantities = [*SCORES, *BrierParts._fields]
        risks = population.risks(part, k)
        results = [undefined_result("one-class")] * len(quantities)
        if not lacks_class(part):
            word = f"{risks.cluster_prefix}influence"
            results = []
            for name in SCORES:
                found, ends = probability_score(risks, name), range_of(name)
                df = risks.df(found.influence)
                result = score_result(found, confidence_level, word, ends, df)
                results.append(_with_weight_note(result, risks, name))
            results += [Result(value, codes=("no-interval",)) for value in brier_parts(risks)]
        for quantity, result in zip(quantities, results, strict=True):
            cells = {"confidence_level": confidence_level, "quantity": quantity}
            yield calibration_row(PROBABILITY_SCORES, part, risks, cells, result)

    return answer_rows(PROBABILITY_SCORES, sample, predictor_rows(sample, score_rows))


# --- Estimators: scores with influence values, and the parts of the Brier score -------------------


class BrierParts(NamedTuple):
    """Brier score = miscalibration - discrimination + uncertainty."""

    miscalibration: float
    discrimination: float
    uncertainty: float


def probability_score(risks: Risks, name: ScoreName) -> Estimate:
    """Return a score with the influence values of cases, in terms of the mean over them."""
    value, influence = probability_score_influence(risks, name)
    return risks.mean(influence)._replace(value=value)


def probability_score_influence(risks: Risks, name: ScoreName) -> tuple[float, FloatArray]:
    """Return a score and the influence values of cases; those of an infinite score are NaN."""
    if name == "log_score":
        # Minus the logarithm of the risk of what happened: infinite where it was 0.
        with np.errstate(divide="ignore"):
            values = np.where(risks.cases.is_positive, -np.log(risks.risk), -np.log1p(-risks.risk))
        value = float(np.inf) if np.isinf(values).any() else risks.average(values)
        return value, values - value if np.isfinite(value) else np.full_like(values, np.nan)
    values = (risks.risk - risks.outcome) ** 2
    brier = risks.average(values)
    if name == "brier_score":
        return brier, values - brier
    # S = 1 - B/v, v = pi (1 - pi) [kattan-2018]; each case moves B, and v by (1 - 2 pi)(y - pi).
    share = risks.average(risks.outcome)
    spread = share * (1 - share)
    # A share so near 0 or 1 that the square below has no digits left, or is 0.
    if not spread**2 > np.finfo(np.float64).tiny:
        return np.nan, np.full_like(values, np.nan)
    moved = brier * (1 - 2 * share) * (risks.outcome - share) / spread**2
    return 1 - brier / spread, moved - (values - brier) / spread


def brier_parts(risks: Risks) -> BrierParts:
    """Return the parts of the Brier score from the monotone curve [dimitriadis-2021].

    They are B - R, v - R and v, with B the Brier score of the risks, R that of the curve and
    v = pi (1 - pi) that of the share of events.
    """
    share = risks.average(risks.outcome)
    spread = share * (1 - share)
    brier, _ = probability_score_influence(risks, "brier_score")
    refitted = fit_isotonic(risks).brier_score()
    # Both are >= 0, as the curve has the least squares among those that do not fall.
    return BrierParts(max(brier - refitted, 0.0), max(spread - refitted, 0.0), spread)


def _with_weight_note(result: Result, risks: Risks, name: ScoreName) -> Result:
    """Return a result with the note on negatives that count more often than they were sampled."""
    if risks.prevalence is None or name == "log_score":
        return result
    # High risks of negatives decide on squared errors, and among few negatives there may be none.
    weight = (1 - risks.prevalence) / (1 - risks.share)
    codes = ["heavy-negatives"] if weight > MOST_WEIGHT else []
    return result._replace(codes=(*result.codes, *codes))


# --- Differences of scores of predictors on the same cases ----------------------------------------

COMPARE_PROBABILITY_SCORES = Question(
    "compare_probability_scores",
    estimate_columns(
        f"predictor reference group quantity prevalence {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_pos n_neg method note"
    ),
    ("brier-1950", "kattan-2018"),
    {
        "sample_weight": RoleRefusal(
            "stay None for a comparison of scores, whose variance counts cases",
            "Pass frequency=, or leave the weights out.",
        )
    },
)


def compare_probability_scores(
    sample: Sample,
    *,
    quantity: ScoreName = "brier_score",
    reference: str | None = None,
    prevalence: float | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of a probability score; a row is one pair of predictors.

    Parameters
    ----------
    quantity : {"brier_score", "scaled_brier_score", "log_score"}, default "brier_score"
        Score to compare (see ``probability_scores``). A lower Brier or log score is better.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    prevalence : float in (0, 1), optional
        Share of positives in the population, as in ``probability_scores``.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference d of scores. The list is for scores where lower values are
        better. For the scaled score higher values are better. Superiority is then d > ``margin``,
        and non-inferiority is d > -``margin``.

        - "difference" (default): d is not 0; ``alternative`` names the direction.
        - "superiority": d < -``margin``.
        - "non-inferiority": d < ``margin``.
        - "equivalence": -``margin`` < d < ``margin``.
    margin : float > 0, optional
        Largest difference that does not matter. For superiority the default is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Side of the hypothesis "difference". "greater" tests d > 0.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; for equivalence the coverage is 2 level - 1.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, prevalence, n_pos, n_neg, confidence_level, null_value,
        hypothesis, method, note``. ``quantity`` is the name of the score with "_difference" added,
        such as "brier_score_difference". ``estimate`` is the score of the predictor minus the score
        of the reference.

    Raises
    ------
    InputError
        For the reasons listed in ``probability_scores``; if the study has one predictor; if
        predictors have different cases or weights; or if options cannot be combined.

    Warns
    -----
    StatisticalWarning
        For the reasons listed in ``probability_scores``.

    Notes
    -----
    The difference is the mean over cases of the paired differences. For the scaled score, the
    paired differences of influence values are used. Limits and test use t with the degrees of
    freedom of ``probability_scores``. With clusters, the values are summed within clusters. Use
    predictors from models that were not fitted to these cases. The test is invalid for nested
    models fitted to these cases.

    References
    ----------
    - Brier (1950) [brier-1950]
    - Kattan & Gerds (2018) [kattan-2018]

    Examples
    --------
    >>> import rocstats as rs
    >>> y = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 10
    >>> new = [0.9, 0.6, 0.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1, 0.1] * 10
    >>> old = [0.7, 0.5, 0.3, 0.6, 0.4, 0.3, 0.4, 0.2, 0.3, 0.2] * 10
    >>> study = rs.Study(y, {"new": new, "old": old})
    >>> found = study.compare_probability_scores()
    >>> found[["predictor", "reference", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      predictor reference  estimate  ci_low  ci_high  p_value
    0       new       old    -0.035  -0.048   -0.022      0.0
    """
    COMPARE_PROBABILITY_SCORES.require_roles(sample)
    quantity = require_choice("quantity", quantity, SCORES)
    _, largest = range_of(difference_of(quantity))
    claim = read_claim(
        sample,
        reference,
        hypothesis,
        margin,
        alternative,
        0.0,
        adjust,
        confidence_level,
        largest=largest,
    )
    plan = claim.tested if quantity == "scaled_brier_score" else claim.tested.lower_is_better()
    require_same_cases(sample)
    population = read_risk_population(sample, prevalence)
    differences = _score_differences(sample, quantity, population, claim._replace(tested=plan))
    return comparison_frame(COMPARE_PROBABILITY_SCORES, sample, claim.adjust, differences)


def _score_differences(
    sample: Sample, quantity: ScoreName, population: RiskPopulation, claim: Claim
) -> Iterator[ComparedRow]:
    for group, part in sample.by_group():
        for pair in claim.pairs:
            cells = {"quantity": quantity, "group": group, **claim.words(part, pair)}
            cells |= class_size_columns(part)
            if lacks_class(part):
                yield cells, undefined_result("one-class"), calibration_case_notes(part)
                continue
            notes = calibration_case_notes(part, unequal=quantity == "scaled_brier_score")
            risks = [population.risks(part, k) for k in pair]
            cells["prevalence"] = risks[0].mean(risks[0].outcome).value
            yield cells, _score_difference(risks, quantity, claim.tested), notes


def _score_difference(risks: Sequence[Risks], quantity: ScoreName, plan: HypothesisPlan) -> Result:
    (first, of_first), (second, of_second) = (
        probability_score_influence(one, quantity) for one in risks
    )
    if np.isinf(first) or np.isinf(second):
        return undefined_result("infinite-score", first - second)
    # The influence of the difference, not a sum of variances, which cancels for alike models.
    gap = risks[0].mean(of_first - of_second)
    word = f"{risks[0].cluster_prefix}influence"
    ends = range_of(difference_of(quantity))
    df = risks[0].df(gap.influence)
    return wald_result(first - second, gap.se, plan, word, ends, df)
