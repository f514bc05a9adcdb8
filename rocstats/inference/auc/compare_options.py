"""Options of a comparison of areas: valid combinations, and roles that a method refuses."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError, require_choice, require_flag
from rocstats.estimate.claim import (
    COMPARISON_METHODS,
    DIFFERENCE_INTERVALS,
    ComparisonMethod,
    ComparisonPlan,
    DifferenceInterval,
    HypothesisPlan,
    default_difference_interval,
)
from rocstats.estimate.hanley_mcneil import CORRELATIONS, Correlation
from rocstats.estimate.resample import (
    ResamplePlan,
    RngLike,
    plan_draws,
    plan_resamples,
    require_drawing,
)
from rocstats.study.cases import ScoredCases
from rocstats.study.sample import Sample, require_same_cases

# --- Options: method, interval and resamples ------------------------------------------------------


def read_comparison_method(
    method: ComparisonMethod | None,
    interval: DifferenceInterval | None,
    correlation: Correlation | None,
    same_scale: bool,
    tested: HypothesisPlan,
) -> tuple[ComparisonMethod, DifferenceInterval, Correlation]:
    """Return the words of a comparison; raise InputError for words that do not go together."""
    # A word that changed nothing would let the user believe that it did: it is refused.
    method = require_choice("method", method, (None, *COMPARISON_METHODS))
    interval = require_choice("interval", interval, (None, *DIFFERENCE_INTERVALS))
    if method is None:
        method = "bootstrap" if interval == "percentile" else "delong"
    correlation = require_choice("correlation", correlation, (None, *CORRELATIONS))
    if interval == "percentile" and method != "bootstrap":
        raise InputError(
            f"`interval` must be 't', 'wald' or 'mover' for the method {method!r}; got"
            " 'percentile'. Leave `method` out."
        )
    # Exponential standard errors have no parts from which Satterthwaite's rule could take its df.
    if interval == "t" and method == "hanley-mcneil":
        raise InputError(
            "`interval` must be 'wald' or 'mover' for the method 'hanley-mcneil', whose variance"
            " has no degrees of freedom; got 't'. Pass interval='wald'."
        )
    if correlation is not None and method != "hanley-mcneil":
        raise InputError(
            f"`correlation` must stay None for the method {method!r}; got {correlation!r}."
            " Pass method='hanley-mcneil'."
        )
    require_flag("same_scale", same_scale)
    if same_scale and method not in ("permutation", "permutation-asymptotic"):
        raise InputError(
            f"`same_scale` must stay False for the method {method!r}, which exchanges no values;"
            f" got {same_scale!r}. Pass method='permutation'."
        )
    if interval is None:
        normal = method == "hanley-mcneil" and not tested.has_margin
        interval = "wald" if normal else default_difference_interval(tested)
    return method, interval, correlation or "pearson"


def plan_comparison_draws(
    sample: Sample,
    method: ComparisonMethod,
    interval: DifferenceInterval,
    n_resamples: int | None,
    stratified: bool | None,
    rng: RngLike,
    progress: bool,
) -> ResamplePlan | None:
    """Return the plan of resamples or exchanges; None where nothing is drawn."""
    if interval == "percentile":
        number = 2000 if n_resamples is None else n_resamples
        return plan_resamples(sample, number, stratified, rng, progress)
    # 99 exchanges are the fewest whose p value can reach 0.01.
    if method == "permutation":
        number = 9999 if n_resamples is None else n_resamples
        return plan_draws(number, rng, progress, least=99, advised=9999)
    number = 99 if n_resamples is None else n_resamples
    require_drawing(number, rng, progress, stratified, least=99)
    return None


# --- Roles, hypotheses and contrasts that a method refuses ----------------------------------------


def require_method_allows(
    sample: Sample,
    choice: ComparisonPlan,
    tested: HypothesisPlan,
    *,
    across: str,
    contrasts: Any,
    adjust: str,
) -> None:
    """Raise InputError where the method refuses a role, hypothesis, contrast or adjustment."""
    if sample.from_tables:
        require_same_cases(sample)
    _require_roles_of_method(sample, choice)
    # Exchanges, resamples and correlations of scores are of cases that have both scores.
    if sample.own_dropped is not None and choice.method != "delong":
        raise InputError(
            "`method` must be 'delong' if predictors have different cases"
            f" (nan_policy='available'); got {choice.method!r}. Pass method='delong', or make the"
            " study with nan_policy='omit'."
        )
    if choice.permuted:
        _require_permutable(sample, choice, tested, across)
    # An exchange is of two values; Hanley & McNeil (1983) have a correlation for each pair only.
    if choice.permuted or choice.method == "hanley-mcneil":
        if contrasts is not None:
            raise _method_refusal(choice, "for contrasts", "'delong' or 'bootstrap'")
        if adjust == "single-step":
            raise InputError(
                f"`adjust` must be 'holm', 'bonferroni' or 'none' for the method"
                f" {choice.method!r}, which has no joint covariance; got 'single-step'."
                " Pass one of these, or method='delong'."
            )
    # Two one-sided tests a row, of which the larger p counts: that is no single normal statistic.
    if adjust == "single-step" and tested.hypothesis == "equivalence":
        raise InputError(
            "`adjust` must be 'holm', 'bonferroni' or 'none' for equivalence, which has two"
            " tests per row; got 'single-step'. Pass one of these."
        )


def _require_roles_of_method(sample: Sample, choice: ComparisonPlan) -> None:
    # Only resamples carry weights. The closed form of the bootstrap (Bandos et al 2007) sums over
    # single pairs of cases: neither clusters nor a part of the curve enter it.
    closed_bootstrap = choice.method == "bootstrap" and not choice.resampled
    if sample.sample_weight is not None and choice.method != "delong" and not choice.resampled:
        raise InputError(
            "`method` must be 'bootstrap' (with interval='percentile') or 'delong' (estimates"
            f" only) when the study has weights; got {choice.method!r}. Pass"
            " interval='percentile' and leave `method` out."
        )
    if closed_bootstrap and (sample.cluster is not None or not choice.over.full):
        what = "for a partial area" if sample.cluster is None else "when the study has clusters"
        raise InputError(
            f"`interval` must be 'percentile' {what}, because the bootstrap has no formula for"
            f" other limits; got {choice.interval!r}. Pass interval='percentile'."
        )
    # Hanley & McNeil's variance is a function of the whole area and of independent cases.
    if choice.method == "hanley-mcneil" and sample.cluster is not None:
        raise _method_refusal(choice, "when the study has clusters", "'delong' or 'bootstrap'")
    if choice.method == "hanley-mcneil" and sample.fold is not None:
        raise _method_refusal(choice, "when the study has folds", "'delong' or 'bootstrap'")
    if not choice.over.full and (choice.permuted or choice.method == "hanley-mcneil"):
        raise _method_refusal(choice, "for a partial area", "'delong' or 'bootstrap'")


def _require_permutable(
    sample: Sample, choice: ComparisonPlan, tested: HypothesisPlan, across: str
) -> None:
    # Exchangeability within a case holds under equal distributions only: not across groups, and not
    # at a difference other than 0 (Bandos et al 2005).
    if across == "groups":
        raise _method_refusal(
            choice, "across groups, because their cases differ", "a method without permutations"
        )
    if len(tested.tests) != 1 or tested.tests[0][0] != 0:
        raise _method_refusal(
            choice,
            "for a null value or margin other than 0, because values are then not exchangeable",
            "'delong', 'bootstrap' or 'hanley-mcneil'",
        )
    # A high value of one predictor would be exchanged for a high one that means the opposite.
    if choice.same_scale and len(set(sample.higher_is_positive)) > 1:
        raise InputError(
            "`same_scale` must stay False for predictors of opposite directions; got True. Leave"
            " it out: ranks are then exchanged."
        )


def require_correlated_scores(cases: ScoredCases, choice: ComparisonPlan) -> None:
    """Raise InputError for infinite scores with a Pearson correlation."""
    pearson = choice.method == "hanley-mcneil" and choice.correlation.startswith("pearson")
    both_classes = cases.n_pos > 0 and cases.n_neg > 0
    if pearson and both_classes and not np.isfinite(cases.scores).all():
        raise InputError(
            "`correlation` must be 'kendall' or 'kendall-by-class' for infinite scores; got a"
            " Pearson correlation, which is then undefined. Pass correlation='kendall'."
        )


def _method_refusal(choice: ComparisonPlan, when: str, instead: str) -> InputError:
    return InputError(
        f"`method` must be {instead} {when}; got {choice.method!r}. Pass method='delong'."
    )
