"""One measure in every subgroup of some variables, with the test of interaction with each.

The measure is that of a question which the study answers for all cases: its estimate and limits
are those of the question. The test of interaction is Welch's [welch-1951], Cochran's Q
[cochran-1954] where the variances have no degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_name, require_open_interval
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_row_without_result,
    answer_rows,
    require_separate_clusters,
)
from rocstats.estimate.claim import Adjustment, add_adjusted_p_values_to_rows
from rocstats.estimate.estimate import Result
from rocstats.estimate.influence import df_of_area_variance
from rocstats.estimate.measure_limits import half_added_measure_se
from rocstats.facts.arrays import Factor
from rocstats.facts.measures import (
    MEASURES,
    QUANTITIES,
    difference_of,
    equal_on_scale,
    of_family,
    scale_of,
)
from rocstats.frame.question import ESTIMATE, TEST, Question, RoleRefusal, estimate_columns
from rocstats.study.base import require_cases, warned_doubts
from rocstats.study.columns import Rows
from rocstats.study.forms import read_subgroup_levels
from rocstats.study.sample import Sample, own_sample

# --- Question -------------------------------------------------------------------------------------

SUBGROUPS = Question(
    "subgroups",
    estimate_columns(
        f"predictor reference variable level quantity {ESTIMATE} {TEST} df_numerator p_adjusted"
        " hypothesis n_pos n_neg method note"
    ),
    ("welch-1951", "cochran-1954", "holm-1979", "lewis-clarke-2001"),
    {
        "group": RoleRefusal(
            "not be in a study for subgroups",
            "Make the study without it, and name its columns in by=.",
        )
    },
)
_ALL = "all"


def subgroups(
    sample: Sample,
    by: Any,
    *,
    data: Any = None,
    quantity: str = "auc",
    threshold: float | Mapping[str, float] | None = None,
    reference: str | None = None,
    confidence_level: float = 0.95,
    adjust: Adjustment = "holm",
) -> pd.DataFrame:
    """Return a measure in all cases and in subgroups; a row is one subgroup, or one interaction.

    Use this method to show whether a result for a predictor, or a difference of two predictors, is
    similar in subgroups defined beforehand. The test is a test of interaction. Single subgroups are
    not tested: if only one of two subgroups has a significant result, this is no evidence that the
    subgroups differ.

    Parameters
    ----------
    by : str, list of str, dict, dataframe or array-like
        The variables: names of columns of ``data``, a dict or frame of columns, or one column, with
        a value for each row of the study. Ordered categories keep their order. Rows without a value
        are in no subgroup of that variable (note ``level-unknown``).
    data : dataframe, optional
        Frame with the named columns and the rows of the study.
    quantity : str, default "auc"
        Measure to estimate, with the default options of its method:

        - "auc".
        - A measure of ``operating_points`` at ``threshold``, such as "tpr", "tnr" or "ppv".
        - "observed_expected_ratio", "calibration_intercept" or "calibration_slope".
        - "brier_score", "scaled_brier_score" or "log_score".
    threshold : float, or mapping of str to float, optional
        Threshold of a measure of ``operating_points``, on the user's scale; a mapping has a
        threshold for each predictor.
    reference : str, optional
        Predictor that all others are compared with in the same cases: rows are then differences
        (predictor minus reference). There are differences of areas, of measures at a threshold, and
        of the Brier and log scores.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval; intervals are not adjusted for the number of subgroups.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values of a predictor for the number of variables.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, variable, level, quantity, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, df_numerator, n_pos, n_neg, confidence_level,
        null_value, hypothesis, method, note``. With ``reference`` the word in ``quantity`` ends in
        "_difference". The first row of a predictor is for all cases
        (``variable`` "", ``level`` "all"). Each variable has a row with the test of interaction
        (``level`` "all", without an estimate). A row for each level follows, without a p value.

    Raises
    ------
    InputError
        If ``by`` names an unknown column; if it differs in length or index from the rows of the
        study; or if it has over 30 levels. Also if an option or name is unknown; if a threshold is
        missing; if a cluster has cases in several levels; if the study has groups or is made of
        counts; or if the method does not accept the scores of the study.

    Warns
    -----
    StatisticalWarning
        Once for each warning in ``note``:

        - ``small-level``: a level has under 10 cases of a class, and the test omits this level.
        - ``level-at-boundary``: an estimate is at an end of its range, or has no standard error;
          there is no test.
        - Warnings of the method that computes the measure.

    Notes
    -----
    Estimates and intervals come from ``auc``, ``compare_auc``, ``operating_points``,
    ``compare_operating_points``, ``calibration``, ``probability_scores`` or
    ``compare_probability_scores``, applied to the cases of a level. The test is Welch's F = Q/(k -
    1)/(1 + 2 (k - 2) L) with k - 1 and 1/(3 L) degrees of freedom. Here Q = sum w (h - mean h)^2
    over the k levels, and L = sum (1 - w/sum w)^2/f / (k^2 - 1). h is the logit of areas and rates,
    the logarithm of ratios, and the estimate itself for differences, slopes and scores. The weights
    are w = 1/Var h, mean h is the weighted mean, and f are the degrees of freedom of Var h. For
    areas and their differences, f combines a value of each class by Satterthwaite's rule: 2/(sum
    u^4/(sum u^2)^2 - 1/N), at most N - 1, for N influence values u. With clusters there is such a
    value for each kind of cluster. For "youden", "balanced_accuracy" and "mcc", f follows the same
    rule for proportions, and the variances are computed with 1/2 added to each cell. For other
    measures f is the ``df`` of the level's row, or infinite. If f is infinite, (k - 1) F is
    Cochran's Q (chi-square with k - 1 degrees of freedom). Levels of one variable share no cases;
    levels of two variables share cases.

    In simulations of equal levels with 8 to 200 cases per class, tests by F at level .05 rejected
    in .018 to .067 of the samples for unequal class sizes. They rejected less often with 10 cases
    of each class. Differences of rates at a threshold use Cochran's Q, which rejected in up to .084
    of the samples with 20 cases per class.

    The test omits levels with under 10 cases of a class. A variable has no test if an estimate is
    at an end of its range or has no standard error. A large p value does not prove that subgroups
    are equal, and few studies are large enough to show equality. Rates and likelihood ratios also
    differ between subgroups if the spectrum of disease differs.

    References
    ----------
    - Welch (1951) [welch-1951]
    - Cochran (1954) [cochran-1954]
    - Holm (1979) [holm-1979]
    - Lewis & Clarke (2001), forest plots [lewis-clarke-2001]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(4)
    >>> y, sex = np.arange(200) % 2, np.repeat(["F", "M"], 100)
    >>> study = rs.Study(y, rng.normal(size=200) + y * np.where(sex == "F", 1.5, 0.8))
    >>> found = study.subgroups({"sex": sex})
    >>> found[["variable", "level", "estimate", "ci_low", "ci_high", "p_value"]].round(3)
      variable level  estimate  ci_low  ci_high  p_value
    0            all     0.820   0.754    0.871      NaN
    1      sex   all       NaN     NaN      NaN    0.006
    2      sex     F     0.897   0.818    0.944      NaN
    3      sex     M     0.728   0.616    0.817      NaN
    """
    require_cases(sample, "subgroups")
    SUBGROUPS.require_roles(sample)
    quantity = require_choice("quantity", quantity, subgroup_quantities(reference))
    adjust = require_choice("adjust", adjust, get_args(Adjustment))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    _require_subgroup_threshold(quantity, threshold)
    if reference is not None:
        _require_subgroup_reference(sample, reference)
    question, options = _question_of_subgroup_quantity(quantity, threshold, reference)
    answered = quantity if reference is None else difference_of(quantity)

    def answer(part: Sample) -> pd.DataFrame:
        """Return the rows of the quantity, one for each predictor, or pair."""
        # The questions of other topics, which a study has as methods: their estimates and limits
        # are then those of the questions themselves.
        frame: pd.DataFrame = getattr(part, question)(**options, confidence_level=confidence_level)
        return frame[frame["quantity"] == answered].reset_index(drop=True)

    cases = Rows("study", sample.scores.shape[1], sample._index)
    factors = read_subgroup_levels(by, data, cases, sample.n_dropped)
    whole = answer(sample)
    variables = [_answer_levels(sample, name, factor, answer) for name, factor in factors.items()]
    rows = [
        row
        for place in range(len(whole))
        for row in _subgroup_rows_of_predictor(whole, variables, place, quantity)
    ]
    tests = [row for row in rows if row["variable"] and row["level"] == _ALL]
    add_adjusted_p_values_to_rows(tests, adjust, within=("predictor", "reference"))
    return answer_rows(SUBGROUPS, sample, rows)


# --- Options --------------------------------------------------------------------------------------

# A joint test has no estimate that levels could differ in.
_CALIBRATION = tuple(
    word
    for word in of_family("calibration", by_request=False)
    if not np.isnan(QUANTITIES[word].null)
)
_SCORE_MEASURES = of_family("score")
_COMPARED = ("tpr", "tnr", "ppv", "npv", "accuracy", "balanced_accuracy", "youden", "f1", "mcc")
_COMPARED_SCORES = ("brier_score", "log_score")


def subgroup_quantities(reference: str | None) -> tuple[str, ...]:
    """Return the possible quantities, with or without a reference."""
    if reference is None:
        return ("auc", *MEASURES, *_CALIBRATION, *_SCORE_MEASURES)
    return ("auc", *_COMPARED, *_COMPARED_SCORES)


def _question_of_subgroup_quantity(
    quantity: str, threshold: Any, reference: str | None
) -> tuple[str, dict[str, Any]]:
    """Return the question of the study that has the quantity, and its options."""
    at_threshold = {"threshold": threshold, "quantities": [quantity]}
    if reference is None:
        if quantity == "auc":
            return "auc", {}
        if quantity in MEASURES:
            return "operating_points", at_threshold
        return ("calibration" if quantity in _CALIBRATION else "probability_scores"), {}
    paired: dict[str, Any] = {"reference": reference, "adjust": "none"}
    if quantity == "auc":
        return "compare_auc", paired
    if quantity in MEASURES:
        return "compare_operating_points", {**paired, **at_threshold}
    return "compare_probability_scores", {**paired, "quantity": quantity}


def _require_subgroup_threshold(quantity: str, threshold: Any) -> None:
    """Raise InputError unless a threshold is given for a measure at one, and only for such."""
    if (quantity in MEASURES) != (threshold is None):
        return
    must, what = ("be given", "is read at one") if threshold is None else ("stay None", "has none")
    raise InputError(
        f"`threshold` must {must} for the quantity {quantity!r}, which {what}; got"
        f" {threshold!r}. Pass a number on the scale of the scores, or leave it out."
    )


def _require_subgroup_reference(sample: Sample, reference: str) -> None:
    require_name("reference", reference, sample.predictors)
    if len(sample.predictors) < 2:
        raise InputError(
            f"`reference` must be one of two or more predictors; got {reference!r} in a study of"
            " one. Leave it out, or pass more predictors to the study."
        )


# --- Answers of all cases, and of each level of a variable ----------------------------------------


class _SubgroupVariable(NamedTuple):
    """A variable with the sample and the answer of each level."""

    name: str
    levels: tuple[str, ...]
    parts: list[Sample]
    answers: list[pd.DataFrame]
    n_unknown: int


def _answer_levels(
    sample: Sample, name: str, factor: Factor, answer: Callable[[Sample], pd.DataFrame]
) -> _SubgroupVariable:
    """Return the levels of a variable with the answers of their cases."""
    with_level = np.flatnonzero(factor.codes >= 0)
    parts = []
    for label, rows in factor.take(with_level).rows_by_label():
        part = sample._part(with_level[rows])
        # One warning for a doubt, and not one for each subgroup.
        part._cache["said"] = warned_doubts(sample)
        parts.append((label, part))
    require_separate_clusters(parts)
    return _SubgroupVariable(
        name,
        tuple(label for label, _ in parts),
        [part for _, part in parts],
        [answer(part) for _, part in parts],
        len(factor.codes) - len(with_level),
    )


# --- Rows -----------------------------------------------------------------------------------------


def _subgroup_rows_of_predictor(
    whole: pd.DataFrame, variables: Sequence[_SubgroupVariable], place: int, quantity: str
) -> list[dict[str, Any]]:
    """Return the rows of a predictor (or pair): all cases, then each variable with its levels."""
    compared = "reference" in whole.columns
    rows = [_subgroup_row(whole.iloc[place], "", _ALL)]
    for variable in variables:
        levels = [frame.iloc[place] for frame in variable.answers]
        rows.append(_interaction_row(rows[0], variable, levels, quantity, compared=compared))
        for label, level in zip(variable.levels, levels, strict=True):
            row = _subgroup_row(level, variable.name, label)
            if not _has_enough_cases_for_interaction_test(level):
                row["note"] = [*row["note"], "small-level"]
            rows.append(row)
    return rows


def _subgroup_row(answer: pd.Series, variable: str, level: str) -> dict[str, Any]:
    """Return the row of a subgroup: the estimate of the question, without its test."""
    answered = {name: answer[name] for name in SUBGROUPS.columns if name in answer.index}
    notes = str(answer["note"])
    return {
        "reference": "",
        **answered,
        **dict.fromkeys((*TEST.split(), "df_numerator", "p_adjusted"), np.nan),
        "variable": variable,
        "level": level,
        "hypothesis": "two-sided",
        "note": notes.split("; ") if notes else [],
    }


# Normal limits and the distribution of the test are rough with fewer.
_LEAST_OF_A_CLASS = 10


def _has_enough_cases_for_interaction_test(level: pd.Series) -> bool:
    return bool(min(level["n_pos"], level["n_neg"]) >= _LEAST_OF_A_CLASS)


def _interaction_row(
    overall: dict[str, Any],
    variable: _SubgroupVariable,
    levels: Sequence[pd.Series],
    quantity: str,
    *,
    compared: bool,
) -> dict[str, Any]:
    """Return the row of the test that the levels of a variable do not differ."""
    tested = [
        (part, level)
        for part, level in zip(variable.parts, levels, strict=True)
        if _has_enough_cases_for_interaction_test(level)
    ]
    scale = scale_of(overall["quantity"])
    errors = [
        _subgroup_se_with_df(part, level, quantity, compared=compared) for part, level in tested
    ]
    estimate = np.array([float(level["estimate"]) for _, level in tested])
    test = equal_on_scale(scale, estimate, *np.reshape(errors, (-1, 2)).T)
    notes = [f"level-unknown={variable.n_unknown}"] if variable.n_unknown else []
    notes += ["small-level"] if len(tested) < len(levels) else []
    known = {name: overall[name] for name in ("predictor", "reference", "quantity", "hypothesis")}
    known |= {name: sum(level[name] for level in levels) for name in ("n_pos", "n_neg")}
    known |= {"variable": variable.name, "level": _ALL}
    if np.isnan(test.p_value):
        notes += ["level-at-boundary"] if len(tested) > 1 else []
        return answer_row_without_result(SUBGROUPS, known, notes)
    known["df_numerator"] = test.df_numerator
    source = next(str(level["method"]).partition("/")[0] for _, level in tested)
    method = f"{source}/{'chi2' if np.isinf(test.df) else 'welch'}"
    result = Result(
        np.nan, statistic=test.statistic, df=test.df, p_value=test.p_value, method=method
    )
    return answer_row_of_result(SUBGROUPS, known, result, notes)


# Cells of a table are too few for their own variance: with 20 + 200 cases in each of six levels
# chi-square rejected in .084 to .21, and with 1/2 added to each cell in .009 to .063.
_HALF_ADDED = ("youden", "balanced_accuracy", "mcc")
_TABLE_COLUMNS = ("tp", "fp", "n_pos", "n_neg")


def _subgroup_se_with_df(
    part: Sample, level: pd.Series, quantity: str, *, compared: bool
) -> tuple[float, float]:
    """Return the standard error of a level in the test, and its degrees of freedom."""
    se = float(level["se"])
    if not np.isfinite(se):
        return se, np.nan
    if quantity == "auc" and (df := _subgroup_area_df(part, level)) is not None:
        return se, df
    if quantity in _HALF_ADDED and not compared and part.cluster is None:
        return half_added_measure_se(quantity, *(level[name] for name in _TABLE_COLUMNS))
    df = float(level.get("df", np.nan))
    return se, df if df > 0 else np.inf


def _subgroup_area_df(part: Sample, level: pd.Series) -> float | None:
    """Return the df of an area or a difference; None of predictors with different cases."""
    k, reference = part.predictors.index(level["predictor"]), level.get("reference")
    if reference is None:
        return df_of_area_variance(own_sample(part, k).cases, k)
    if part.own_dropped is not None:
        return None
    return df_of_area_variance(part.cases, k, part.predictors.index(reference))
