"""Which methods compare areas of a study, and which roles and hypotheses each refuses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocstats.curves.areas.partial import AreaRange
from rocstats.errors import InputError, require_choice, require_flag
from rocstats.inference.estimates.randomness import plan_draws, plan_resamples, require_drawing
from rocstats.sample.counts.cases import ScoredCases
from rocstats.sample.sample import Sample, require_same_cases
from rocstats.stats.comparison.hanley_mcneil import CORRELATIONS, Correlation
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.plan import (
    DIFFERENCE_INTERVALS,
    METHODS,
    ComparisonPlan,
    DifferenceInterval,
    Method,
    default_interval,
)
from rocstats.stats.resampling.streams import ResamplePlan


class Drawing(NamedTuple):
    """What the user asked of the draws."""

    n_resamples: int | None
    stratified: bool | None
    rng: Any
    progress: bool


def read_choice(
    sample: Sample,
    method: Method,
    interval: DifferenceInterval | None,
    correlation: Correlation | None,
    same_scale: bool,
    over: AreaRange,
    drawing: Drawing,
    tested: HypothesisPlan,
) -> ComparisonPlan:
    """Return how areas are compared; raise InputError for words that do not go together."""
    # A word that changed nothing would let the user believe that it did: it is refused.
    method = require_choice("method", method, METHODS)
    interval = require_choice("interval", interval, (None, *DIFFERENCE_INTERVALS))
    correlation = require_choice("correlation", correlation, (None, *CORRELATIONS))
    if interval == "percentile" and method != "bootstrap":
        raise InputError(
            f"`interval` must be 't', 'wald' or 'mover' for the method {method!r}; got"
            " 'percentile'. Pass method='bootstrap'."
        )
    # Exponential standard errors have no parts from which Satterthwaite's rule could take its df.
    normal = method == "hanley-mcneil"
    if interval == "t" and normal:
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
        interval = "wald" if normal and not tested.has_margin else default_interval(tested)
    chosen = "pearson" if correlation is None else correlation
    plan = _plan(sample, method, interval, drawing)
    return ComparisonPlan(method, interval, chosen, bool(same_scale), over, plan)


def _plan(
    sample: Sample, method: Method, interval: DifferenceInterval, drawing: Drawing
) -> ResamplePlan | None:
    n_resamples, stratified, rng, progress = drawing
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


def require_possible(
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
    _require_roles(sample, choice)
    # Exchanges, resamples and correlations of scores are of cases that have both scores.
    if sample.own_dropped is not None and choice.method != "delong":
        raise InputError(
            "`method` must be 'delong' where predictors have their own cases"
            f" (nan_policy='available'); got {choice.method!r}. Pass method='delong', or make the"
            " study with nan_policy='omit'."
        )
    if choice.permuted:
        _require_permutable(sample, choice, tested, across)
    # An exchange is of two values; Hanley & McNeil (1983) have a correlation for each pair only.
    if choice.permuted or choice.method == "hanley-mcneil":
        if contrasts is not None:
            raise _refusal(choice, "for contrasts", "'delong' or 'bootstrap'")
        if adjust == "single-step":
            raise InputError(
                f"`adjust` must be 'holm', 'bonferroni' or 'none' for the method"
                f" {choice.method!r}, which has no joint covariance; got 'single-step'."
                " Pass one of these, or method='delong'."
            )
    # Two one-sided tests a row, of which the larger p counts: that is no single normal statistic.
    if adjust == "single-step" and tested.hypothesis == "equivalence":
        raise InputError(
            "`adjust` must be 'holm', 'bonferroni' or 'none' for equivalence, which takes two tests"
            " a row; got 'single-step'. Pass one of these."
        )


def _require_roles(sample: Sample, choice: ComparisonPlan) -> None:
    # Only resamples carry weights. The closed form of the bootstrap (Bandos et al 2007) sums over
    # single pairs of cases: neither clusters nor a part of the curve enter it.
    closed_bootstrap = choice.method == "bootstrap" and not choice.resampled
    if sample.sample_weight is not None and choice.method != "delong" and not choice.resampled:
        raise InputError(
            "`method` must be 'bootstrap' with interval='percentile', or 'delong' for estimates"
            f" alone, when the study has weights; got {choice.method!r}. Pass one of these."
        )
    if closed_bootstrap and (sample.cluster is not None or not choice.over.full):
        what = "for a partial area" if sample.cluster is None else "when the study has clusters"
        raise InputError(
            f"`interval` must be 'percentile' {what}, where the bootstrap has no closed form; got"
            f" {choice.interval!r}. Pass interval='percentile'."
        )
    # Hanley & McNeil's variance is a function of the whole area and of independent cases.
    if choice.method == "hanley-mcneil" and sample.cluster is not None:
        raise _refusal(choice, "when the study has clusters", "'delong' or 'bootstrap'")
    if choice.method == "hanley-mcneil" and sample.fold is not None:
        raise _refusal(choice, "when the study has folds", "'delong' or 'bootstrap'")
    if not choice.over.full and (choice.permuted or choice.method == "hanley-mcneil"):
        raise _refusal(choice, "for a partial area", "'delong' or 'bootstrap'")


def require_correlated_scores(cases: ScoredCases, choice: ComparisonPlan) -> None:
    """Raise InputError for infinite scores with a Pearson correlation."""
    pearson = choice.method == "hanley-mcneil" and choice.correlation.startswith("pearson")
    known = cases.n_pos > 0 and cases.n_neg > 0
    if pearson and known and not np.isfinite(cases.scores).all():
        raise InputError(
            "`correlation` must be 'kendall' or 'kendall-by-class' for infinite scores; got a"
            " Pearson correlation, which they do not have. Pass correlation='kendall'."
        )


def _require_permutable(
    sample: Sample, choice: ComparisonPlan, tested: HypothesisPlan, across: str
) -> None:
    # Exchangeability within a case holds under equal distributions only: not across groups, and not
    # at a difference other than 0 (Bandos et al 2005).
    if across == "groups":
        raise _refusal(choice, "across groups, whose cases differ", "another than a permutation")
    if len(tested.tests) != 1 or tested.tests[0][0] != 0:
        raise _refusal(
            choice,
            "for a null value or margin other than 0, under which values are not exchangeable",
            "'delong', 'bootstrap' or 'hanley-mcneil'",
        )
    # A high value of one predictor would be exchanged for a high one that means the opposite.
    if choice.same_scale and len(set(sample.higher_is_positive)) > 1:
        raise InputError(
            "`same_scale` must stay False for predictors of opposite directions; got True."
            " Leave it out: ranks are exchanged then."
        )


def _refusal(choice: ComparisonPlan, when: str, instead: str) -> InputError:
    return InputError(
        f"`method` must be {instead} {when}; got {choice.method!r}. Pass method='delong'."
    )
