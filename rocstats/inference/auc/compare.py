"""Differences of areas between predictors or between groups, with intervals and tests.

d = A1 - A2, or any contrast of areas. Paired: Var = S11 + S22 - 2 S12 from the covariance of the
placements [delong-1988], of their cluster sums [obuchowski-1997], or of the shared cases
[zhou-gatsonis-1996]. Unpaired: the variances add up. Limits are t, Wald, MOVER [zou-2008] or
percentiles of resamples. A permutation [bandos-2005] replaces the test and keeps DeLong's limits.

The options are read first, see ``compare_options.py``. Then the rows are planned, all areas are
estimated with their joint covariance, each row is inferred, and the p values are adjusted over all.
Derivations: docs/methods/comparison.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, read_range
from rocstats.errors import require_choice
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    require_comparable_groups,
    require_separate_clusters,
    require_study_with_groups,
)
from rocstats.estimate.areas import (
    area_errors_of_binned_scores,
    area_name_columns,
    range_codes,
    size_codes,
)
from rocstats.estimate.claim import (
    AreaAdjustment,
    ComparisonMethod,
    ComparisonPlan,
    DifferenceInterval,
    Hypothesis,
    HypothesisPlan,
    add_adjusted_p_values_to_rows,
    hypothesis_columns,
    read_hypothesis,
    single_step_adjusted_p_values,
)
from rocstats.estimate.compare import ComparedAcross, ComparedRow
from rocstats.estimate.contrasts import (
    contrast_variance,
    contrast_with_variance_word,
    infer_contrast,
    plan_contrasts,
)
from rocstats.estimate.covariance import (
    AreaFamily,
    area_family,
    available_area_family,
    joint_covariance,
    partial_area_variance_df,
)
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.hanley_mcneil import Correlation, unequal_spread
from rocstats.estimate.influence import area_covariance_spanning_groups, contrast_df, satterthwaite
from rocstats.estimate.intervals import NewcombePartialAreaLimits
from rocstats.estimate.permute import exchange_test
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.resample import (
    RngLike,
    enough_valid_resamples,
)
from rocstats.facts.arrays import BoolArray, FloatArray
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.frame.question import AREA, BINNING_ERROR, TEST, Question, estimate_columns
from rocstats.inference.auc.compare_options import (
    plan_comparison_draws,
    read_comparison_method,
    require_correlated_scores,
    require_method_allows,
)
from rocstats.study.base import require_cases, sample_notes
from rocstats.study.cases import ScoredCases
from rocstats.study.clusters import clusters_span
from rocstats.study.sample import Sample, own_sample, require_fold_classes
from rocstats.study.summed import SummedCases

PAIR_SIZES = (
    *("n_pos", "n_neg", "reference_n_pos", "reference_n_neg"),
    *("n_pos_shared", "n_neg_shared"),
)
COMPARE_AUC = Question(
    "compare_auc",
    estimate_columns(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos "
        "n_neg n_resamples method note"
    ),
    (
        *("delong-1988", "obuchowski-1997", "bandos-2005", "hanley-mcneil-1983"),
        *("zou-2008", "holm-1979", "zhou-gatsonis-1996"),
    ),
    own_columns=PAIR_SIZES[2:],
    binned=True,
    advice={
        "weights-need-bootstrap": "compare_auc(interval='percentile', rng=1) resamples the cases"
        " with their weights",
    },
)


def compare_auc(
    sample: Sample,
    *,
    method: ComparisonMethod | None = None,
    reference: str | None = None,
    across: ComparedAcross = "predictors",
    contrasts: Mapping[str, Sequence[float]] | npt.ArrayLike | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: AreaAdjustment = "holm",
    confidence_level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    interval: DifferenceInterval | None = None,
    correlation: Correlation | None = None,
    same_scale: bool = False,
    n_resamples: int | None = None,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of areas; a row is one pair of predictors (or groups) or one contrast.

    Parameters
    ----------
    method : str, optional
        Test and covariance of the areas. The default is "delong", or "bootstrap" if ``interval`` is
        "percentile".

        - "delong": covariance of the placements. With clusters, Obuchowski's form is used. With
          folds, the covariance is computed in each fold.
        - "permutation": test of Bandos, Rockette & Gur, which exchanges the values of two
          predictors within cases. The interval is DeLong's. For at most 20 cases (or clusters) all
          exchanges are used, otherwise random exchanges. Use this test for areas above 0.9 with few
          cases.
        - "permutation-asymptotic": normal approximation of the permutation test.
        - "bootstrap": the covariance that infinitely many resamples would give; a formula computes
          it. ``interval="percentile"`` uses a finite number of resamples.
        - "hanley-mcneil": method of Hanley & McNeil (1983), with standard errors for exponential
          scores and with a correlation of the scores.
    reference : str, optional
        Predictor (or group) to compare all others with; default: every pair, earlier minus later.
    across : {"predictors", "groups"}, default "predictors"
        Comparison to make.

        - "predictors": predictors on the same cases (paired), in each group.
        - "groups": groups of cases, for each predictor (unpaired). If a cluster has cases in
          several groups, such as a patient in both groups, the comparison is partially paired.
    contrasts : mapping of str to sequence of float, or array-like of shape (q, k), optional
        Weights of the k areas. Each of the q rows is one linear combination. These combinations are
        tested instead of the pairs. The weights of a row sum to 0 and are in the order of the
        predictors (or groups). A Series or frame with other labels is refused. In the result,
        ``predictor`` is the name of the contrast (or "contrast_1", ...), and ``reference`` is
        "contrast".
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the area of the predictor minus the area of the reference.

        - "difference" (default): d is not ``null_value``; ``alternative`` names the direction.
        - "superiority": d > ``margin``, tested one-sided at the level (1 - confidence_level)/2. The
          interval is two-sided.
        - "non-inferiority": d > -``margin``, tested in the same way as superiority.
        - "equivalence": -``margin`` < d < ``margin``, with two one-sided tests at the level 1 -
          confidence_level. The level of the interval is 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required, except for superiority, where the default
        is 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; the interval then has a lower
        limit only.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "single-step", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame.

        - "holm": Holm's step-down method; valid under any dependence.
        - "single-step": uses the joint normal distribution of all rows. It also makes the intervals
          simultaneous.
        - "bonferroni": p times the number of tests; never more powerful than "holm".
        - "none": for a single comparison chosen beforehand.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval. With "single-step" it is the coverage of all intervals
        together.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of partial areas: 0 <= low < high <= 1.
        ``margin`` and ``null_value`` are then differences of partial areas.
    interval : {"t", "wald", "mover", "percentile"}, optional
        Limits of the differences. The default is "mover" with a ``margin`` above 0, otherwise "t".
        For the method "hanley-mcneil" the default is "wald".

        - "t": d -+ t se, with Satterthwaite's degrees of freedom; not for "hanley-mcneil".
        - "wald": d -+ z se, as most programs print. Its coverage is too low if a class has few
          cases.
        - "mover": combines the logit limits of both areas, using their correlation (MOVER).
        - "percentile": order statistics of resamples; both predictors use the same resamples. It
          gives the only limits for weighted cases.
    correlation : str, optional
        Correlation of the scores in each class, for the method "hanley-mcneil".

        - "pearson" (default), "kendall" (for ratings): the mean over both classes is used, as in
          the table of Hanley & McNeil.
        - "pearson-by-class", "kendall-by-class": each class has a separate correlation and weight.
    same_scale : bool, default False
        Whether all predictors have the same units, for the method "permutation". If True, scores
        are exchanged and the test is exact. By default ranks are exchanged.
    n_resamples : int >= 99 (permutation) or 100 (percentile), optional
        Number of random exchanges (default 9999) or of resamples (default 2000).
    stratified : bool, optional
        Whether each class is resampled separately (default). Unavailable with clusters, because
        clusters are resampled as a whole.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, estimate, ci_low, ci_high, p_value,
        p_adjusted, se, statistic, df, n_pos, n_neg, confidence_level, null_value, hypothesis,
        range_axis, range_low, range_high, n_resamples, method, note``. Across groups, ``group`` and
        ``reference`` are the two groups, and ``n_pos`` and ``n_neg`` are sums over both groups.
        ``quantity`` is "auc_difference", or "partial_auc_difference" with a range. ``method`` has a
        third part if the p value and the interval come from different methods.

        A study with ``nan_policy="available"`` has four more columns. ``reference_n_pos,
        reference_n_neg`` count the cases with a score of the reference. ``n_pos_shared,
        n_neg_shared`` count the cases with both scores. ``n_pos, n_neg`` then count the cases with
        a score of the predictor. For a contrast they count the cases with any of its scores.

    Raises
    ------
    InputError
        If there is nothing to compare; if a name or option is unknown; if a contrast does not sum
        to 0; if a margin is missing; or if a method does not support the weights, clusters or folds
        of the study.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    Paired: d = A1 - A2 and Var = S11 + S22 - 2 S12. Here S is the covariance of the placements
    (DeLong; see ``auc``) or of their cluster sums (Obuchowski). With folds, S is computed in each
    fold. Limits are d -+ t se, cut at -1 and 1. Let a be the part of Var from the m positives and b
    the part from the n negatives. The quantile t has (a + b)^2/(a^2/(m - 1) + b^2/(n - 1)) degrees
    of freedom. With clusters, m and n are numbers of clusters. With folds, the terms are sums over
    folds. For partial areas, placements are restricted to the range. Let h be the width of the
    range. For a range of false positive rates, the degrees of freedom use h n instead of n. For a
    range of sensitivities, they use h m instead of m.

    Unpaired: variances and degrees of freedom are summed over the groups.

    MOVER: let (l1, u1) and (l2, u2) be the logit t limits of both areas, and r the correlation of
    the areas. The lower limit is d - sqrt(x^2 - 2 r x y + y^2) with x = A1 - l1 and y = u2 - A2.
    The upper limit uses u1 instead of l1, and l2 instead of u2. The p value follows from the same
    limits.

    Predictors measured in different cases (``nan_policy="available"``): each area and its variance
    use all cases with the score of this predictor. Shared cases have both scores; V1 and V2 are
    their placements. Let m1 and m2 be the numbers of positives with each score. The shared
    positives contribute sum (V1 - A1)(V2 - A2)/sqrt(m1 (m1 - 1) m2 (m2 - 1)) to S12. The shared
    negatives contribute a similar sum (Zhou & Gatsonis). The small-sample factor is not published
    elsewhere. If both predictors have the same cases, S12 is DeLong's covariance. The degrees of
    freedom treat cases with only one score as a separate sample. Only the method "delong" is
    available. Scores are assumed to be missing completely at random (note ``available-cases``).

    The R package pROC and SAS use normal quantiles for paired areas. Pass ``interval="wald"`` to
    get the same numbers.

    Permutation: d is a linear function of the signs of the exchanges. The variance of d under the
    null hypothesis is therefore an exact sum of squares. The null hypothesis is that the predictors
    are exchangeable, not only that the areas are equal. Clusters are exchanged as a whole. The test
    is exact for scores on one scale and approximate for ranks. For areas above 0.9 and at most 30
    cases the other tests reject too rarely (note ``high-areas-few-cases``).

    "hanley-mcneil" computes the correlation of the areas by a formula, in place of the published
    table. The formula assumes bivariate normal scores of equal variances. We have not verified that
    the formula reproduces the table. Across groups the correlation is 0. The test does not keep its
    level if class sizes or standard deviations differ (note ``unequal-spread``).

    If an area is 0 or 1, or the variance of d is 0, MOVER combines the Newcombe limits of both
    areas. The lower limit is then d - sqrt((A1 - l1)^2 + (u2 - A2)^2). The p value follows from the
    same limits. For partial areas, these limits also use h n negatives or h m positives. If two
    predictors rank all cases in the same order, d = 0, p = 1 and there is no interval.

    Do not compare nested models on their training data. The difference of their areas is then not
    normal under the null hypothesis.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
    - Zhou & Gatsonis (1996), for predictors measured in different cases [zhou-gatsonis-1996]
    - Bandos, Rockette & Gur (2005) [bandos-2005]
    - Bandos, Rockette & Gur (2007) [bandos-2007]
    - Hanley & McNeil (1983) [hanley-mcneil-1983]
    - Zou & Donner (2008) [zou-2008]
    - Holm (1979) [holm-1979]
    - Schuirmann (1987), for equivalence [schuirmann-1987]
    - Liu, Ma, Wu & Tai (2006), for margins of areas [liu-2006]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> study.compare_auc()[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture     0.162   0.119    0.206
    >>> frame = study.compare_auc(hypothesis="superiority", margin=0.1)
    >>> frame[["null_value", "statistic", "p_value"]].round(4)
       null_value  statistic  p_value
    0         0.1      2.833   0.0023
    """
    COMPARE_AUC.refuse_covariates(sample)
    across = require_choice("across", across, get_args(ComparedAcross))
    adjust = require_choice("adjust", adjust, get_args(AreaAdjustment))
    over = read_range(fpr_range, tpr_range) or FULL_RANGE
    tested = read_hypothesis(
        hypothesis,
        margin,
        alternative,
        null_value,
        confidence_level,
        largest=over.width,
    )
    method, interval, correlation = read_comparison_method(
        method, interval, correlation, same_scale, tested
    )
    plan = plan_comparison_draws(sample, method, interval, n_resamples, stratified, rng, progress)
    choice = ComparisonPlan(method, interval, correlation, bool(same_scale), over, plan)
    require_method_allows(sample, choice, tested, across=across, contrasts=contrasts, adjust=adjust)
    planned = plan_area_difference_rows(sample, across, reference, contrasts)
    compared = compared_areas_with_covariance(sample, choice, planned, across, adjust)
    question = COMPARE_AUC.of_own_cases() if sample.own_cases else COMPARE_AUC
    rows = area_difference_rows(question, compared, planned, tested, adjust)
    # Up to 20 units all exchanges are listed: such an answer has drawn nothing.
    resampled = any(row["n_resamples"] for row in rows)
    return answer_rows(question, sample, rows, plan if resampled else None)


# --- Plan: pairs and contrasts of the areas of a study --------------------------------------------


class ComparedAreasRow(NamedTuple):
    """A row of the answer: its names, and the areas (group, predictor) that it weighs."""

    names: dict[str, str]
    at: list[tuple[int, int]]
    weights: FloatArray

    @property
    def groups(self) -> list[int]:
        """The positions of the groups, each once."""
        return list(dict.fromkeys(g for g, _ in self.at))


def plan_area_difference_rows(
    sample: Sample, across: str, reference: str | None, contrasts: Any
) -> list[ComparedAreasRow]:
    """Return the rows: pairs of predictors in each group, or of groups for each predictor."""
    groups = [label for label, _ in sample.by_group()]
    if across == "predictors":
        require_cases(sample, "a comparison of predictors")
        inner = plan_contrasts(sample.predictors, "predictors", reference, contrasts)
        return [
            ComparedAreasRow(
                {"predictor": c.predictor, "reference": c.reference, "group": label},
                # Areas without weight stay out: their boundary rules must not reach this row.
                [(g, int(k)) for k in np.flatnonzero(c.weights)],
                c.weights[c.weights != 0],
            )
            for g, label in enumerate(groups)
            for c in inner
        ]
    require_study_with_groups(sample)
    inner = plan_contrasts(groups, "groups", reference, contrasts)
    return [
        ComparedAreasRow(
            {"predictor": name, "reference": c.reference, "group": c.predictor},
            [(int(g), k) for g in np.flatnonzero(c.weights)],
            c.weights[c.weights != 0],
        )
        for k, name in enumerate(sample.predictors)
        for c in inner
    ]


# --- Areas with the covariance of all of them -----------------------------------------------------


@dataclass(frozen=True, eq=False)
class ComparedAreas:
    """The areas of each group, the covariance of all of them, and how they are compared."""

    families: list[AreaFamily | None]
    covariance: FloatArray
    choice: ComparisonPlan
    sample: Sample

    @cached_property
    def parts(self) -> list[Sample]:
        """The sample of each group."""
        return [part for _, part in self.sample.by_group()]

    def size(self, row: ComparedAreasRow) -> tuple[float, float]:
        """Return the numbers of positives and negatives in the groups of a row."""
        parts = [self.parts[g] for g in row.groups]
        return sum(part.n_pos for part in parts), sum(part.n_neg for part in parts)

    @cached_property
    def group_notes(self) -> list[list[str]]:
        """The notes on the cases of each group; counting clusters for each pair would be slow."""
        return [[*size_codes(part.cases), *sample_notes(part)] for part in self.parts]

    def cases(self, g: int, k: int) -> ScoredCases:
        """Return the cases of predictor ``k`` in group ``g``."""
        return own_sample(self.parts[g], k).cases

    def places(self, row: ComparedAreasRow) -> list[int]:
        """Return the positions of the areas of a row in the covariance."""
        k = len(self.sample.predictors)
        return [k * g + i for g, i in row.at]

    def value(self, g: int, k: int) -> float:
        """Return the area of predictor ``k`` in group ``g`` over its width; NaN without a class."""
        family = self.families[g]
        return float("nan") if family is None else family.areas[k].value

    def estimate(self, row: ComparedAreasRow) -> float:
        """Return the difference of areas, or the contrast of them."""
        values = np.array([self.value(g, k) for g, k in row.at])
        return self.choice.over.width * float(row.weights @ values)

    def binning_error(self, row: ComparedAreasRow) -> float:
        """Return how far the estimate of a row can be from that of all scores."""
        over = self.choice.over
        errors = [area_errors_of_binned_scores(self.parts[g], [k], over)[0] for g, k in row.at]
        return over.width * float(np.abs(row.weights) @ np.array(errors))

    def row_covariance(self, planned: Sequence[ComparedAreasRow]) -> FloatArray:
        """Return the covariance of all rows."""
        weights = np.zeros((len(planned), len(self.covariance)))
        for line, row in zip(weights, planned, strict=True):
            line[self.places(row)] = row.weights
        return np.asarray(weights @ self.covariance @ weights.T)


def compared_areas_with_covariance(
    sample: Sample,
    choice: ComparisonPlan,
    planned: Sequence[ComparedAreasRow],
    across: str,
    adjust: str,
) -> ComparedAreas:
    """Return the areas of a study with the covariance that its rows and adjustment need."""
    parts = sample.by_group()
    spanning = _covary_across_groups(sample, choice, across, adjust)
    paired = across == "predictors"
    if paired:
        _require_paired_scores(parts, choice)
    with enough_valid_resamples():
        families = [
            _group_family(part, g, choice, paired=paired) for g, (_, part) in enumerate(parts)
        ]
    covariance = np.empty((0, 0))
    if any(family is not None for family in families):
        # Under weights there are estimates only, and no influence values to sum by cluster.
        spanning = spanning and sample.sample_weight is None
        covariance = joint_covariance(families, choice, spanning=spanning)
    return ComparedAreas(families, covariance, choice, sample)


def _covary_across_groups(sample: Sample, choice: ComparisonPlan, across: str, adjust: str) -> bool:
    """Return whether areas of several groups covary through clusters that span them."""
    parts = sample.by_group()
    by_influence = choice.by_influence and sample.own_dropped is None
    if across == "groups":
        labels = [label for label, _ in parts]
        for samples in zip(*(_predictor_samples(part) for _, part in parts), strict=True):
            of_groups = list(zip(labels, samples, strict=True))
            require_comparable_groups(of_groups, clusters_may_span=by_influence)
    # Pairs inside a group need that covariance only for a joint adjustment; only influence values
    # of the same cases can give it.
    elif adjust != "single-step":
        return False
    spanning = clusters_span([part.all_cases for _, part in parts])
    if spanning and not by_influence:
        require_separate_clusters(parts)
    return spanning


def _require_paired_scores(parts: Sequence[tuple[str, Sample]], choice: ComparisonPlan) -> None:
    for _, part in parts:
        require_correlated_scores(part.all_cases, choice)
        for sample in _predictor_samples(part):
            if not sample.cases.lacks_class:
                require_fold_classes(sample)


def _predictor_samples(part: Sample) -> list[Sample]:
    """Return the cases of each predictor, once if all have the same."""
    return [
        own_sample(part, k) for k in range(1 if part.own_dropped is None else len(part.predictors))
    ]


def _group_family(
    part: Sample, g: int, choice: ComparisonPlan, *, paired: bool
) -> AreaFamily | None:
    if part.own_dropped is None:
        return area_family(part.cases, g, choice, paired=paired)
    each = [sample.cases for sample in _predictor_samples(part)]
    cases = [None if scored.lacks_class else scored for scored in each]
    return available_area_family(part.all_cases, cases, choice)


# --- Inference about one row ----------------------------------------------------------------------


def infer_area_difference(
    compared: ComparedAreas, row: ComparedAreasRow, tested: HypothesisPlan
) -> Result | None:
    """Return the inference about a row of mean rates; None without a class, or under weights."""
    families = [
        family
        for g, _ in row.at
        if (family := compared.families[g]) is not None and family.is_known
    ]
    if len(families) < len(row.at):
        return None
    places = compared.places(row)
    covariance = compared.covariance.take(places, 0).take(places, 1)
    variance = contrast_variance(row.weights, covariance)
    areas = [family.areas[k] for family, (_, k) in zip(families, row.at, strict=True)]
    # Of predictors with their own cases one may lack a class that others have.
    if any(np.isnan(area.value) for area in areas):
        return None
    result = infer_contrast(
        row.weights,
        areas,
        covariance,
        _degrees_of_freedom(compared, row),
        tested,
        identical=_are_placed_alike(compared, row, [area.value for area in areas], variance),
        mover=compared.choice.combined,
        boundary=NewcombePartialAreaLimits(compared.choice.over.shares),
        draws=_resampled_area_differences(families, row),
    )
    if not compared.choice.permuted:
        return result
    # The permutation replaces the test and leaves DeLong's limits: it does not extend to other
    # null values, whose inversion would give an interval. The predictor has the weight 1.
    first, second = (row.at[int(i)][1] for i in np.argsort(-row.weights))
    test = exchange_test(
        families[0].cases, first, second, compared.choice, row.at[0][0], tested.side
    )
    return result._replace(
        statistic=test.statistic,
        df=test.df,
        p_value=test.p_value,
        method=f"{result.method}/{test.word}",
    )


def _degrees_of_freedom(compared: ComparedAreas, row: ComparedAreasRow) -> float:
    """Return Satterthwaite's degrees of freedom; infinite for normal limits."""
    if compared.choice.interval == "wald":
        return float("inf")
    families = {g: compared.families[g] for g, _ in row.at}
    available = [
        family.available.components(_predictor_weights(compared, row, g))
        for g, family in families.items()
        if family is not None and family.available is not None
    ]
    if available:
        parts, part_df = (np.concatenate(arrays) for arrays in zip(*available, strict=True))
        return float(satterthwaite(parts, part_df))
    covariances = {
        g: (family.cases, family.result)
        for g, family in families.items()
        if family is not None and family.result is not None
    }
    if len(covariances) < len(families):
        return float("inf")
    cases = [part for part, _ in covariances.values()]
    if clusters_span(cases):
        # Groups that share clusters are no independent samples: a row is of one predictor in all.
        over, predictor = compared.choice.over, row.at[0][1]
        _, parts, part_df = area_covariance_spanning_groups(cases, [predictor], over=over)
        return contrast_df([(row.weights, parts, partial_area_variance_df(cases, part_df, over))])
    return contrast_df(
        [
            (_predictor_weights(compared, row, g), covariance.parts, covariance.part_df)
            for g, (_, covariance) in covariances.items()
        ]
    )


def _predictor_weights(compared: ComparedAreas, row: ComparedAreasRow, g: int) -> FloatArray:
    """Return the weight of each predictor of a group in a row."""
    weights = np.zeros(len(compared.sample.predictors))
    for (group, k), weight in zip(row.at, row.weights, strict=True):
        weights[k] += weight if group == g else 0.0
    return weights


def _are_placed_alike(
    compared: ComparedAreas, row: ComparedAreasRow, values: Sequence[float], variance: float
) -> bool:
    """Return whether the predictors rank all cases alike, or have the same placements."""
    same = abs(float(row.weights @ np.array(values))) < SAME_TO_ROUNDING
    if not same or len(row.groups) > 1:
        return False
    g, k = row.at[0]
    alike = all(_have_equal_ranks(compared, g, k, i) for _, i in row.at[1:])
    if alike and _have_same_cases(compared.parts[g], [i for _, i in row.at]):
        return True
    # At areas of 0 or 1 the placements are equal whatever the scores: the boundary rule applies.
    return variance == 0 and all(0 < value < 1 for value in values)


def _have_equal_ranks(compared: ComparedAreas, g: int, first: int, other: int) -> bool:
    cases = compared.cases(g, first)
    if isinstance(cases, SummedCases) and cases.sums is not None:
        return bool(cases.sums.alike[first, other])
    return np.array_equal(cases.codes(first), compared.cases(g, other).codes(other))


def _have_same_cases(part: Sample, predictors: Sequence[int]) -> bool:
    """Return whether predictors have scores of the same cases."""
    if part.own_dropped is None:
        return True
    missing = np.isnan(part.scores[predictors])
    return bool(np.all(missing == missing[0]))


def _resampled_area_differences(
    families: Sequence[AreaFamily], row: ComparedAreasRow
) -> FloatArray | None:
    if families[0].draws is None:
        return None
    resampled = [
        f.draws[k] for f, (_, k) in zip(families, row.at, strict=True) if f.draws is not None
    ]
    return np.asarray(row.weights @ np.array(resampled))


# --- Rows: limits, adjusted p values and method ---------------------------------------------------


def area_difference_rows(
    question: Question,
    compared: ComparedAreas,
    planned: Sequence[ComparedAreasRow],
    tested: HypothesisPlan,
    adjust: AreaAdjustment,
) -> list[dict[str, Any]]:
    """Return the rows of the planned differences, p values adjusted over all of them."""
    # All inference is about mean rates, so that one set of limits serves whole and partial areas.
    in_rates = tested.over(compared.choice.over.width)
    results = [infer_area_difference(compared, row, in_rates) for row in planned]
    if adjust != "single-step":
        rows = _result_rows(question, compared, planned, tested, results)
        add_adjusted_p_values_to_rows(rows, adjust)
        return rows
    results, adjusted = _simultaneous_results(compared, planned, in_rates, results)
    rows = _result_rows(question, compared, planned, tested, results)
    for cells, p in zip(rows, adjusted.tolist(), strict=True):
        cells["p_adjusted"] = p
        if len(rows) > 1 and np.isfinite(p):
            cells["note"] = [*cells["note"], "simultaneous-intervals"]
    return rows


def _simultaneous_results(
    compared: ComparedAreas,
    planned: Sequence[ComparedAreasRow],
    in_rates: HypothesisPlan,
    results: Sequence[Result | None],
) -> tuple[list[Result | None], FloatArray]:
    """Return results whose limits hold for all rows together, and the single-step p values."""
    p_values = np.array([np.nan if result is None else result.p_value for result in results])
    # Identical predictors have no statistic: their p of 1 is no test of the family.
    alike = np.array([result is not None and result.method == "none" for result in results])
    differing = np.where(alike, np.nan, p_values)
    adjusted, together = single_step_adjusted_p_values(
        differing, compared.row_covariance(planned), in_rates
    )
    adjusted[alike] = p_values[alike]
    # Again, at the level a row at which the limits of all rows are simultaneous.
    return [infer_area_difference(compared, row, together) for row in planned], adjusted


def _result_rows(
    question: Question,
    compared: ComparedAreas,
    planned: Sequence[ComparedAreasRow],
    tested: HypothesisPlan,
    results: Sequence[Result | None],
) -> list[dict[str, Any]]:
    return [
        answer_row_of_result(question, *_area_difference(compared, row, result, tested))
        for row, result in zip(planned, results, strict=True)
    ]


def _area_difference(
    compared: ComparedAreas, row: ComparedAreasRow, result: Result | None, tested: HypothesisPlan
) -> ComparedRow:
    """Return a difference in the units of the area, which are its width times the mean rate."""
    n_pos, n_neg = compared.size(row)
    width, plan = compared.choice.over.width, compared.choice.resamples
    cells = {
        **area_name_columns(compared.choice.over),
        **row.names,
        **hypothesis_columns(tested),
        "n_pos": n_pos,
        "n_neg": n_neg,
        **_pair_sizes(compared, row),
        "n_resamples": 0,
        BINNING_ERROR: compared.binning_error(row),
        "ends": (-width, width),
    }
    if result is None:
        one_class = any(compared.cases(g, k).lacks_class for g, k in row.at)
        reason = "one-class" if one_class else "weights-need-bootstrap"
        notes = [note for g in row.groups for note in sample_notes(compared.parts[g])]
        return cells, undefined_result(reason, compared.estimate(row)), notes
    families = [family for g in row.groups if (family := compared.families[g]) is not None]
    # The standard error may be that of resamples where the limits take none.
    drawn = families[0].draws is not None and result.se > 0
    # Not "permutation-exact", whose exchanges are listed and not drawn.
    if plan is not None and (drawn or result.method.endswith(("percentile", "/permutation"))):
        cells["n_resamples"] = plan.n_resamples
    notes = [note for family in families for note in family.codes]
    notes += _difference_notes(compared, row, result)
    return cells, contrast_with_variance_word(result.times(width), families[0].name), notes


def _pair_sizes(compared: ComparedAreas, row: ComparedAreasRow) -> dict[str, float]:
    """Return the numbers of cases of each of two areas, and of the shared ones.

    Nothing in a study whose predictors all have the same cases by its policy. Of a contrast, the
    first numbers are those of the cases that have any of its scores.
    """
    if not compared.sample.own_cases:
        return {}
    any_score, shared = np.zeros(2), np.zeros(2)
    for g in row.groups:
        part = compared.parts[g]
        has_score = ~np.isnan(part.scores[[k for group, k in row.at if group == g]])
        any_score += _class_totals_of_scored_rows(part, np.asarray(has_score.any(axis=0)))
        if len(row.groups) == 1:  # groups share no cases
            shared += _class_totals_of_scored_rows(part, np.asarray(has_score.all(axis=0)))
    first, second = any_score.tolist(), [np.nan, np.nan]
    # The predictor of a pair has the weight 1, its reference -1.
    if sorted(row.weights.tolist()) == [-1.0, 1.0]:
        both = [compared.cases(*row.at[int(i)]) for i in np.argsort(row.weights)]
        second, first = ([cases.n_pos, cases.n_neg] for cases in both)
    return dict(zip(PAIR_SIZES, (*first, *second, *shared.tolist()), strict=True))


def _class_totals_of_scored_rows(part: Sample, rows: BoolArray) -> tuple[float, float]:
    """Return the numbers of positives and negatives among rows."""
    number = rows.astype(np.float64) if part.frequency is None else rows * part.frequency
    return float(number[part.is_positive].sum()), float(number[~part.is_positive].sum())


# --- Notes of a row -------------------------------------------------------------------------------

# With areas of 0.95, DeLong's test of level .05 rejected in .007 of samples of 15 cases a class and
# in .025 of 30, the permutation test in .029 and .045; with areas of 0.80 they do not differ
# (validation/size/differences.csv).
_HIGH_AREA, _FEW_FOR_HIGH_AREAS = 0.9, 30


def _difference_notes(compared: ComparedAreas, row: ComparedAreasRow, result: Result) -> list[str]:
    """Return the notes on the range, the scores and the cases of a row."""
    notes: list[str] = []
    for g, k in row.at:
        notes += range_codes(compared.cases(g, k), k, compared.choice.over)
    if compared.choice.method == "hanley-mcneil" and any(
        unequal_spread(compared.cases(g, k), k) for g, k in row.at
    ):
        notes.append("unequal-spread")
    if len(row.groups) > 1 and clusters_span([compared.parts[g].all_cases for g in row.groups]):
        notes.append("partially-paired")
    if _loses_power_to_permutation_test(compared, row, result):
        notes.append("high-areas-few-cases")
    for g in row.groups:
        if compared.sample.own_dropped is None:
            notes += compared.group_notes[g]
        else:
            notes += _available_notes(compared, row, g)
    return notes


def _available_notes(compared: ComparedAreas, row: ComparedAreasRow, g: int) -> list[str]:
    """Return the notes on the sizes of a group whose predictors have their own cases."""
    used = [k for group, k in row.at if group == g]
    sizes = [note for k in used for note in size_codes(compared.cases(g, k))]
    # Left out are the rows without a score of any of those compared.
    missing = np.isnan(compared.sample.scores[[k for _, k in row.at]])
    n_dropped = compared.sample.n_dropped + int(np.count_nonzero(missing.all(axis=0)))
    dropped = [f"rows-dropped={n_dropped}"] if n_dropped else []
    others = [note for note in sample_notes(compared.sample) if "rows-dropped" not in note]
    return [*sizes, "available-cases", *dropped, *others]


def _loses_power_to_permutation_test(
    compared: ComparedAreas, row: ComparedAreasRow, result: Result
) -> bool:
    """Return whether a permutation test would have more power: high areas, few cases."""
    g = row.at[0][0]
    least = min(min(cases.n_pos, cases.n_neg) for cases in (compared.cases(*at) for at in row.at))
    few = least <= _FEW_FOR_HIGH_AREAS and compared.choice.over.full
    paired = len(row.at) == 2 and row.at[1][0] == g
    if not few or not paired or compared.choice.permuted or result.method == "none":
        return False
    return all(compared.value(g, k) > _HIGH_AREA for _, k in row.at)
