"""Which predictor, or which group, has the larger area: differences with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.areas.partial import read_range
from rocstats.errors import require_choice
from rocstats.frames import estimate_frame
from rocstats.glossary import FULL_AREA
from rocstats.inference.comparison.options import (
    read_choice,
    require_possible,
)
from rocstats.inference.comparison.rows import (
    Compared,
    Planned,
    compare_families,
    infer_row,
    plan_rows,
)
from rocstats.inference.estimates.hypotheses import read_hypothesis
from rocstats.inference.estimates.randomness import RngLike
from rocstats.questions import AREA, TEST, Question, columns_in
from rocstats.sample.base import row_codes
from rocstats.sample.counts.clusters import clusters_span
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import range_codes, size_codes
from rocstats.stats.comparison.contrasts import ContrastResult
from rocstats.stats.comparison.hanley_mcneil import Correlation
from rocstats.stats.comparison.hypotheses import Hypothesis, HypothesisPlan
from rocstats.stats.comparison.multiplicity import (
    ADJUSTMENTS,
    Adjustment,
    adjust_p_values,
    single_step,
)
from rocstats.stats.comparison.plan import ComparisonPlan, DifferenceInterval, Method
from rocstats.stats.intervals.quantiles import Alternative

COMPARE_AUC = Question(
    "compare_auc",
    columns_in(
        f"predictor reference group {AREA} {TEST} p_adjusted hypothesis n_pos "
        "n_neg n_resamples method note"
    ),
    (
        "delong-1988",
        "obuchowski-1997",
        "bandos-2005",
        "hanley-mcneil-1983",
        "zou-2008",
        "holm-1979",
    ),
)
_NUMBERS = ("se", "ci_low", "ci_high", "statistic", "df", "p_value")
_HIGH_AREA = 0.9
_FEW_FOR_HIGH_AREAS = 30


def compare_auc(
    sample: Sample,
    *,
    method: Method = "delong",
    reference: str | None = None,
    across: Literal["predictors", "groups"] = "predictors",
    contrasts: Mapping[str, Sequence[float]] | npt.ArrayLike | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment | Literal["single-step"] = "holm",
    confidence_level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    interval: DifferenceInterval = "wald",
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
    method : str, default "delong"
        "delong" (Obuchowski's form with clusters; foldwise with folds); "permutation" (Bandos,
        Rockette & Gur: values exchanged within cases; every exchange up to 20 units, else random
        ones) and "permutation-asymptotic" (its normal form), whose p value stands beside DeLong's
        interval; "bootstrap" (infinitely many resamples in closed form, or ``interval``);
        "hanley-mcneil" (1983; exponential standard errors).
    reference : str, optional
        Predictor (or group) that all others are compared with. Default: every pair, the earlier
        one minus the later one.
    across : {"predictors", "groups"}, default "predictors"
        "predictors" compares predictors on the same cases (paired), in each group. "groups"
        compares the groups, for each predictor: unpaired, and partially paired through clusters
        that have cases in several groups (a patient's number, where some patients are in both).
    contrasts : mapping of str to sequence of float, or array-like of shape (q, k), optional
        Weights of the k areas, q linear combinations that replace the pairs; the names (or
        "contrast_1", ...) stand in ``predictor``, ``reference`` is "contrast". Each must sum to 0.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        "difference" (default) tests ``null_value`` by ``alternative``. "superiority" tests
        predictor minus reference > ``margin``, "non-inferiority" > -``margin``, both one-sided at
        (1 - confidence_level)/2 beside the two-sided interval. "equivalence" tests that it lies
        between, 1 - confidence_level a side, beside the interval at 2 confidence_level - 1.
    margin : float in (0, 1), optional
        Largest difference that does not matter; there is no default (0 for superiority).
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; its interval has a lower limit
        only.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "single-step", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame. "single-step" takes their joint
        normal law and makes the intervals simultaneous; the others leave the intervals alone.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; with "single-step" of all of them together.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of partial areas:
        0 <= low < high <= 1. ``margin`` and ``null_value`` are differences of partial areas then.
    interval : {"wald", "percentile"}, default "wald"
        "percentile" resamples cases, the predictors sharing every resample; "bootstrap" only.
    correlation : str, optional
        For "hanley-mcneil": "pearson" (default) or "kendall" (for ratings) of the scores in each
        class, averaged as in their table; "pearson-by-class" or "kendall-by-class" weighs each
        class's own.
    same_scale : bool, default False
        For "permutation": whether scores of all predictors are in the same units, so that they can
        be exchanged themselves (exact test). Default: their ranks.
    n_resamples : int >= 99 (permutation) or 100 (percentile), optional
        Number of random exchanges (default 9999) or of resamples (default 2000).
    stratified : bool, optional
        For "percentile": whether classes are resampled apart (default), or all cases together.
        Clusters are resampled whole: there True is refused.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; frames record one integer that repeats them. None draws it.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, range_axis, range_low, range_high,
        estimate, se, ci_low, ci_high, confidence_level, null_value, statistic, df, p_value,
        p_adjusted, hypothesis, n_pos, n_neg, n_resamples, method, note``. Across groups, ``group``
        and ``reference`` hold the two groups and the counts are the sums of both. ``quantity`` is
        "partial_auc" over a range. ``method`` has a third part where the p value is not that of
        the interval.

    Raises
    ------
    InputError
        If there is nothing to compare, a name or word is unknown, a contrast does not sum to 0, a
        margin is missing, or a method cannot honour a role of the study.

    Warns
    -----
    StatisticalWarning
        Once for each doubt that stands in ``note``.

    Notes
    -----
    Paired: d = A1 - A2, Var = S11 + S22 - 2 S12 from the covariance of the placements (DeLong), of
    their cluster sums (Obuchowski), or foldwise; limits d -+ z se, cut at -1 and 1. Unpaired: the
    variances add, and t has Satterthwaite's degrees of freedom over the four (or more) components.
    Partial areas: each case's share of the part in place of its placement.

    Permutation: d is linear in the signs of the exchanges, so that its variance under the null
    hypothesis is a sum of squares, and z exact. It tests that the predictors are exchangeable, not
    only that areas are equal. Clusters are exchanged whole. Exchanging scores of one scale is
    exact, exchanging ranks of different scales approximate. At areas above 0.9 and with 30 cases or
    fewer the other tests reject too rarely (note ``high-areas-few-cases``).

    "hanley-mcneil" takes the correlation of the areas from the formula behind their table
    (bivariate normal scores of equal variances); equality with the printed table is not verified.
    Across groups there is no correlation.

    Where an area is 0 or 1, or the variance of d is 0, limits come from each area's own Newcombe
    limits by MOVER: lower = d - sqrt((A1 - l1)^2 + (u2 - A2)^2); the test inverts them. Predictors
    that rank all cases alike have d = 0, p = 1 and no interval.

    Not for nested models compared on their training data, where DeLong's null distribution is not
    normal.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997) [obuchowski-1997]
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
    0         0.1     2.8328   0.0023
    """
    require_choice("across", across, ("predictors", "groups"))
    require_choice("adjust", adjust, (*ADJUSTMENTS, "single-step"))
    drawing = {
        "n_resamples": n_resamples,
        "stratified": stratified,
        "rng": rng,
        "progress": progress,
    }
    over = read_range(fpr_range, tpr_range)
    choice = read_choice(sample, method, interval, correlation, same_scale, over, drawing)
    asked = read_hypothesis(
        hypothesis,
        margin,
        alternative,
        null_value,
        confidence_level,
        largest=choice.over.width,
    )
    require_possible(sample, choice, asked, across=across, contrasts=contrasts, adjust=adjust)
    planned = plan_rows(sample, across, reference, contrasts)
    rows = _rows(compare_families(sample, choice, planned, across, adjust), planned, asked, adjust)
    resampled = choice.plan is not None and any(row["n_resamples"] for row in rows)
    return estimate_frame(
        COMPARE_AUC,
        rows,
        grouped=sample.group is not None,
        seed=choice.plan.seed if choice.plan and resampled else None,
        n_resamples=choice.plan.n_resamples if choice.plan and resampled else None,
    )


def _rows(
    compared: Compared, planned: Sequence[Planned], asked: HypothesisPlan, adjust: str
) -> list[dict[str, Any]]:
    in_rates = asked.over(compared.choice.over.width)
    results = [infer_row(compared, row, in_rates) for row in planned]
    p_values = np.array([np.nan if found is None else found.p_value for found in results])
    if adjust == "single-step":
        # Predictors that are alike have neither a test nor limits that could count.
        alike = np.array([found is not None and found.kind == "none" for found in results])
        tested = np.where(alike, np.nan, p_values)
        adjusted, together = single_step(tested, compared.row_covariance(planned), in_rates)
        adjusted[alike] = p_values[alike]
        results = [infer_row(compared, row, together) for row in planned]
        code = "simultaneous-intervals"
    else:
        adjusted = adjust_p_values(p_values, adjust)  # type: ignore[arg-type]
        code = f"adjusted={adjust}"
    of_group = [[*size_codes(part.cases), *row_codes(part)] for part in compared.parts]
    rows = []
    for row, found, p in zip(planned, results, adjusted.tolist(), strict=True):
        codes = _codes(compared, row, found, of_group)
        if adjust != "none" and len(planned) > 1 and np.isfinite(p):
            codes.append(code)
        rows.append({**_row(compared, row, found, asked), "p_adjusted": p, "note": codes})
    return rows


def _row(
    compared: Compared, row: Planned, found: ContrastResult | None, asked: HypothesisPlan
) -> dict[str, Any]:
    sizes = [compared.sizes[g] for g in dict.fromkeys(g for g, _ in row.at)]
    about = {
        **_what(compared.choice),
        **row.names,
        "confidence_level": asked.confidence_level,
        "null_value": asked.null_value,
        "hypothesis": asked.hypothesis,
        "n_pos": sum(n_pos for n_pos, _ in sizes),
        "n_neg": sum(n_neg for _, n_neg in sizes),
        "n_resamples": 0,
        "method": "none/none",
    }
    if found is None:
        return {**about, **dict.fromkeys(_NUMBERS, np.nan), "estimate": compared.estimate(row)}
    width, plan = compared.choice.over.width, compared.choice.plan
    scaled = ("estimate", "se", "ci_low", "ci_high")
    about |= {name: width * getattr(found, name) for name in scaled}
    about |= {name: getattr(found, name) for name in ("statistic", "df", "p_value")}
    if plan is not None and found.kind.endswith(("percentile", "/permutation")):
        about["n_resamples"] = plan.n_resamples
    family = compared.families[row.at[0][0]]
    interval = found.kind.partition("/")[0]
    source = {"mover": "newcombe", "none": "none"}.get(interval, family.name if family else "none")
    return {**about, "method": f"{source}/{found.kind}"}


def _what(choice: ComparisonPlan) -> dict[str, Any]:
    """Return the columns that say of what the difference is."""
    over = choice.over
    if over.full:
        return FULL_AREA
    return {
        "quantity": "partial_auc",
        "range_axis": over.axis,
        "range_low": over.low,
        "range_high": over.high,
    }


def _codes(
    compared: Compared,
    row: Planned,
    found: ContrastResult | None,
    of_group: Sequence[Sequence[str]],
) -> list[str]:
    """Return the notes of a row; ``of_group`` are those that the size of each group earns."""
    used = list(dict.fromkeys(g for g, _ in row.at))
    if found is None:
        one_class = any(compared.families[g] is None for g in used)
        notes = [code for g in used for code in row_codes(compared.parts[g])]
        return ["one-class" if one_class else "weights-need-bootstrap", *notes]
    families = [family for g in used if (family := compared.families[g]) is not None]
    codes = [*found.codes, *(code for family in families for code in family.codes)]
    for g, k in row.at:
        codes += range_codes(compared.parts[g].cases, k, compared.choice.over)
    if len(used) > 1 and clusters_span([compared.parts[g].cases for g in used]):
        codes.append("partially-paired")
    if _rejects_too_rarely(compared, row, found):
        codes.append("high-areas-few-cases")
    return [*codes, *(code for g in used for code in of_group[g])]


def _rejects_too_rarely(compared: Compared, row: Planned, found: ContrastResult) -> bool:
    """Whether a paired test of high areas with few cases should be one of permutation."""
    g = row.at[0][0]
    few = min(compared.sizes[g]) <= _FEW_FOR_HIGH_AREAS and compared.choice.over.full
    paired = len(row.at) == 2 and row.at[1][0] == g
    if not few or not paired or compared.choice.permuted or found.kind == "none":
        return False
    return all(compared.value(g, k) > _HIGH_AREA for _, k in row.at)
