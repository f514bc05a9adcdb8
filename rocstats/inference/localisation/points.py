"""Operating points of marks: at thresholds, at false marks per case, on the LROC curve; FROC score.

Rates at a threshold have closed forms; rates read from a curve have resamples of the cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    HYPOTHESES,
    Adjustment,
    Claim,
    Hypothesis,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import Result, undefined_result
from rocstats.estimate.influence import small_sample_factor
from rocstats.estimate.proportions import effective_wilson_limit
from rocstats.estimate.quantiles import Alternative, limits_at_both_quantiles
from rocstats.estimate.readers import Effect, ReaderEstimate, ReaderInterval
from rocstats.estimate.resample import ResamplePlan, RngLike, plan_draws, redrawn_notes
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import FEW_CASES_AT_RATE, NO_SPREAD, SAME
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.localisation.endpoints import (
    By,
    Endpoint,
    MarksPlan,
    count_result,
    few_cases_notes,
    group_notes,
    infer_average,
    modality_differences,
    modality_pairs,
    read_marks_plan,
)
from rocstats.inference.localisation.figures import (
    class_parts,
    jackknife_covariance,
    numbers_of_units,
    units_of,
)
from rocstats.inference.localisation.froc import (
    Events,
    covariance_of_draws,
    froc_events,
    independent_positives,
    lroc_events,
    read_curves,
    share_bars,
)
from rocstats.study.detection import DetectionSample
from rocstats.study.points import number_array

CPM = (1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0)
"""The numbers of false marks per case of the competition performance metric."""

ANY = "any"
"""The threshold that every mark reaches."""


# --- Where the points are -------------------------------------------------------------------------


class _Places(NamedTuple):
    """Where points are read: on one axis, at several places.

    A threshold is a number for each modality. ``score`` says that the places are averaged.
    """

    axis: Literal["threshold", "false_marks", "fpr"]
    at: FloatArray
    score: bool = False


def _read_places(sample: DetectionSample, threshold: Any, false_marks: Any, fpr: Any) -> _Places:
    """Return the places; raise InputError unless one axis is given, with numbers that it has."""
    given = {"threshold": threshold, "false_marks": false_marks, "fpr": fpr}
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        raise InputError(
            "`threshold` must be given, or `false_marks` or `fpr` instead; got"
            f" {' and '.join(named) or 'none'}. Pass one of them."
        )
    if threshold is not None:
        return _Places("threshold", _read_thresholds(sample, threshold))
    if fpr is not None:
        rates = _numbers("fpr", fpr, "false positive rates in [0, 1), such as fpr=0.1")
        if not np.all((rates >= 0) & (rates < 1)):
            raise InputError(
                f"`fpr` must be in [0, 1); got {fpr!r}. Pass false positive rates, such as fpr=0.1."
            )
        for label, part in sample.by_group():
            if part.n_neg == 0:
                raise InputError(
                    "`fpr` must be in a study with cases without lesions; got none"
                    f"{f' in group {label!r}' if label else ''}. Pass false_marks= instead."
                )
        return _Places("fpr", rates)
    return _Places("false_marks", _read_false_marks(false_marks))


def _read_thresholds(sample: DetectionSample, threshold: Any) -> FloatArray:
    """Return thresholds (G x modalities); minus infinity is that of every mark."""
    if isinstance(threshold, str) and threshold.casefold() == ANY:
        return np.full((1, len(sample.modalities)), -np.inf)
    if isinstance(threshold, Mapping):
        unknown = [name for name in threshold if name not in sample.modalities]
        missing = [name for name in sample.modalities if name not in threshold]
        if unknown or missing:
            raise InputError(
                "`threshold` must have a number for each modality; got"
                f" {'no ' + str(missing) if missing else 'unknown ' + str(unknown)}. The modalities"
                f" are {list(sample.modalities)}."
            )
        found = _numbers(
            "threshold", [threshold[name] for name in sample.modalities], "one for each modality"
        )
        return found[np.newaxis]
    numbers = _numbers("threshold", threshold, "ratings, a mapping by modality, or 'any'")
    return np.repeat(numbers[:, np.newaxis], len(sample.modalities), axis=1)


def _read_false_marks(false_marks: Any) -> FloatArray:
    numbers = _numbers("false_marks", false_marks, "numbers above 0, such as false_marks=1")
    if not (numbers > 0).all():
        raise InputError(
            f"`false_marks` must be above 0; got {false_marks!r}. Pass numbers of false marks per"
            " case, such as false_marks=1."
        )
    return numbers


def _numbers(argument: str, given: Any, advice: str) -> FloatArray:
    numbers = np.empty(0) if isinstance(given, (str, Mapping)) else number_array(given)
    if numbers.ndim != 1 or len(numbers) == 0 or not np.isfinite(numbers).all():
        raise InputError(
            f"`{argument}` must be a finite number, or a sequence of them; got {given!r}. Pass"
            f" {advice}."
        )
    return numbers


# --- Endpoints at thresholds ----------------------------------------------------------------------


def _endpoints_at_thresholds(
    group: str,
    part: DetectionSample,
    plan: MarksPlan,
    thresholds: FloatArray,
    names: Sequence[str],
) -> Iterator[Endpoint]:
    """Yield the share of lesions found, then the false marks per case, at each threshold."""
    n, units = len(part.is_positive), units_of(part)
    lesions = np.bincount(part.lesion_case, minlength=n).astype(np.float64)
    n_pos, n_neg = numbers_of_units(part)
    for at in thresholds:
        found, false = [], []
        for i in range(len(part.modalities)):
            for name in names:
                marks = part.marks_of(i, name)
                on = marks.found >= at[i] if at[i] > -np.inf else np.isfinite(marks.found)
                found.append(np.bincount(part.lesion_case, on, n))
                false.append(np.bincount(marks.false_case[marks.false_rating >= at[i]], None, n))
        of_lesions, of_cases = (np.array(each, dtype=np.float64) for each in (found, false))
        columns = [
            {"threshold": cut, "false_marks": np.nan, "fpr": np.nan, "n_resamples": 0}
            for cut in at.tolist()
        ]
        share = of_lesions.sum(axis=1) / lesions.sum()
        influence = (of_lesions - share[:, np.newaxis] * lesions) / lesions.sum()
        alone = _covariance_of_positives(influence, part)
        # Left out one at a time: the positives alone, or clusters that have one.
        without = _shares_without_units(of_lesions, lesions, units)
        yield Endpoint(
            group,
            part,
            plan,
            "rate",
            names,
            share,
            jackknife_covariance(without),
            alone,
            influence,
            _normal,
            [{"quantity": "lesion_tpr", **one} for one in columns],
            ("obuchowski-rockette-jackknife", _influence_word(part)),
            [[] for _ in share],
            group_notes(part),
            (n_pos, n_neg, independent_positives(part, lesions=True)),
        )
        per_case = of_cases.mean(axis=1)
        influence = of_cases / n
        for side in (part.is_positive, ~part.is_positive):
            if side.any():
                influence[:, side] -= influence[:, side].mean(axis=1, keepdims=True)
        parts, _ = class_parts(influence, influence, part)
        yield Endpoint(
            group,
            part,
            plan,
            "count",
            names,
            per_case,
            parts.sum(axis=0),
            parts.sum(axis=0),
            influence,
            _normal,
            [{"quantity": "false_marks", **one} for one in columns],
            ("obuchowski-rockette-jackknife", _influence_word(part)),
            [[] for _ in per_case],
            ["class-mix", *group_notes(part)],
            (float(units.max()) + 1, 0.0, n_pos),  # each case, or cluster, once
        )


def _normal(first: int, second: int) -> float:
    return np.inf


def _influence_word(part: DetectionSample) -> str:
    return "influence" if part.cluster is None else "cluster-influence"


def _covariance_of_positives(influence: FloatArray, part: DetectionSample) -> FloatArray:
    """Return the covariance of shares of lesions, from the cases or clusters with a lesion."""
    units = np.unique(units_of(part)[part.is_positive], return_inverse=True)[1].ravel()
    sums = np.stack([np.bincount(units, row) for row in influence[:, part.is_positive]])
    factor = small_sample_factor(float(sums.shape[1]))
    return np.asarray(factor * (sums @ sums.T), dtype=np.float64)


def _shares_without_units(found: FloatArray, lesions: FloatArray, units: Any) -> FloatArray:
    """Return the shares of lesions found without each case or cluster that has a lesion."""
    size = np.bincount(units, lesions)
    kept = size > 0
    of_units = np.stack([np.bincount(units, row, len(size)) for row in found])[:, kept]
    left = lesions.sum() - size[kept]
    shares = np.full(of_units.shape, np.nan)  # without the only case with lesions there is none
    np.divide(found.sum(axis=1, keepdims=True) - of_units, left, out=shares, where=left > 0)
    return shares


# --- Endpoints read from curves -------------------------------------------------------------------


def _endpoints_on_curves(
    group: str,
    part: DetectionSample,
    plan: MarksPlan,
    places: _Places,
    names: Sequence[str],
    draws: ResamplePlan,
) -> Iterator[Endpoint]:
    """Yield shares found at each false positive rate or number of false marks, or their mean."""
    make: Callable[[DetectionSample, Any], Events] = (
        lroc_events if places.axis == "fpr" else froc_events
    )
    curves = [
        make(part, part.marks_of(i, name)) for i in range(len(part.modalities)) for name in names
    ]
    read = read_curves(part, curves, places.at, draws)
    beyond = [["beyond-marks"] if end + SAME < places.at.max() else [] for end in read.end]
    by_lesion = places.axis == "false_marks"
    quantity = "froc_score" if places.score else "lesion_tpr" if by_lesion else "pcl"
    n_pos, n_neg = numbers_of_units(part)
    least = independent_positives(part, lesions=by_lesion)
    each: list[Any] = [slice(None)] if places.score else list(range(len(places.at)))
    for g in each:
        value, drawn = read.value[:, g], read.draws[:, :, g]
        at = float("nan") if places.score else float(places.at[g])
        if places.score:
            value, drawn = value.mean(axis=1), drawn.mean(axis=2)
        else:
            beyond = [["beyond-marks"] if end + SAME < at and by_lesion else [] for end in read.end]
        sigma = covariance_of_draws(drawn)
        if min(n_pos, n_neg) < 2:
            sigma = np.full_like(sigma, np.nan)  # its class is the same in every resample
        few = part.n_neg < FEW_CASES_AT_RATE and places.axis == "fpr"
        yield Endpoint(
            group,
            part,
            plan,
            "rate",
            names,
            value,
            sigma,
            sigma,
            np.ascontiguousarray(drawn.T),
            _normal,
            [
                {
                    "quantity": quantity,
                    "threshold": np.nan,
                    "false_marks": at if by_lesion else np.nan,
                    "fpr": np.nan if by_lesion else at,
                    "n_resamples": draws.n_resamples,
                }
            ]
            * len(part.modalities),
            ("obuchowski-rockette-resampled", "resamples"),
            beyond,
            [
                *(["class-mix"] if by_lesion else []),
                *(["few-cases-at-rate"] if few else []),
                *group_notes(part),
                *redrawn_notes(read.n_redrawn),
            ],
            (n_pos, n_neg, least),
        )


def _endpoints(
    sample: DetectionSample,
    plan: MarksPlan,
    places: _Places,
    draws: ResamplePlan,
    names: Sequence[str],
) -> Iterator[Endpoint]:
    for g, (group, part) in enumerate(sample.by_group()):
        if places.axis == "threshold":
            yield from _endpoints_at_thresholds(group, part, plan, places.at, names)
        else:
            yield from _endpoints_on_curves(group, part, plan, places, names, draws.at(g))


# --- Single readers -------------------------------------------------------------------------------


def _one_point(endpoint: Endpoint, i: int, j: int, level: float) -> ComparedRow:
    """Return a point of one reader under modality ``i``."""
    part, k = endpoint.part, endpoint.curve(i, j)
    known = {**endpoint.known(i, j, 1), "confidence_level": level}
    value, variance = float(endpoint.value[k]), float(endpoint.alone[k, k])
    notes = [*endpoint.notes(k), *few_cases_notes(part)]
    word = endpoint.words[1]
    if endpoint.kind == "count":
        estimate = ReaderEstimate(value, variance, np.inf)
        return known, count_result(estimate, endpoint, level, word), notes
    least = endpoint.sizes[2]
    size = float(part.n_pos if endpoint.columns[i]["quantity"] == "pcl" else part.n_lesions)
    if np.isnan(variance):
        return known, undefined_result("single-unit", value), notes
    if word == "resamples":
        bars = share_bars(np.array([value]), size, least, np.array([variance]), level)
        low, high = float(bars.low[0]), float(bars.high[0])
    else:
        size = size if variance > NO_SPREAD else least
        limit = partial(effective_wilson_limit, value, size, variance)
        low, high = limits_at_both_quantiles(limit, level, "two-sided", 0.0, 1.0)
    se = float(np.sqrt(endpoint.alone[k, k]))
    method = f"{word}/wilson-effective-n"
    result = Result(value, se, low, high, df=np.inf, method=method)
    return known, result, notes


def _point_rows(
    question: Question,
    sample: DetectionSample,
    places: _Places,
    draws: ResamplePlan,
    readers: Effect | None,
    cases: Effect,
    interval: ReaderInterval,
    level: float,
) -> pd.DataFrame:
    """Return the frame of points of readers, their averages and the machine."""
    interval = require_choice("interval", interval, get_args(ReaderInterval))
    require_open_interval("confidence_level", level, 0, 1)
    plan = read_marks_plan(sample.readers, readers, cases)
    rows = []
    n = len(sample.readers)
    machines = () if sample.machine is None else (sample.machine,)
    alone = _endpoints(sample, plan, places, draws, machines) if machines else None
    for endpoint in _endpoints(sample, plan, places, draws, sample.readers):
        machine = None if alone is None else next(alone)
        for i in range(len(endpoint.part.modalities)):
            found = [_one_point(endpoint, i, j, level) for j in range(n)]
            if n > 1:
                found.append(infer_average(endpoint, i, interval, level))
            if machine is not None:
                found.append(_one_point(machine, i, 0, level))
            rows += [answer_row_of_result(question, *one) for one in found]
    resampled = None if places.axis == "threshold" else draws
    return answer_rows(question, sample, rows, resampled)


# --- Questions ------------------------------------------------------------------------------------

_READERS = ("obuchowski-1995", "hillis-2007", "chakraborty-2004")

DETECTION_OPERATING_POINTS = Question(
    "detection_operating_points",
    estimate_columns(
        f"modality group reader quantity threshold false_marks fpr {ESTIMATE} df n_readers n_pos"
        " n_neg n_lesions readers cases n_resamples method note"
    ),
    (*_READERS, "wilson-1927", "garwood-1936", "efron-1993"),
)


def detection_operating_points(
    sample: DetectionSample,
    *,
    threshold: float | Sequence[float] | Mapping[str, float] | Literal["any"] | None = None,
    false_marks: float | Sequence[float] | None = None,
    fpr: float | Sequence[float] | None = None,
    readers: Effect | None = None,
    cases: Effect = "random",
    interval: ReaderInterval = "logit-t",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return lesion sensitivity and false marks of readers; a row is one quantity of a reader.

    Parameters
    ----------
    threshold : float, sequence or mapping of float, or "any", optional
        Thresholds of the ratings, chosen before these data were seen: for all modalities, or one
        for each modality in a mapping. Marks rated at or above the threshold count; "any" counts
        every mark. Pass exactly one of ``threshold``, ``false_marks`` and ``fpr``.
    false_marks : float > 0, or sequence of float, optional
        Numbers of false marks per case at which the FROC curve of each reader is read.
    fpr : float in [0, 1), or sequence of float, optional
        False positive rates at which the LROC curve of each reader is read: shares of cases without
        lesions that have a mark.
    readers : {"random", "fixed"}, optional
        "random" generalises averages to the population of readers, "fixed" is about these readers.
        Default: "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises averages to the population of cases, "fixed" is about these cases.
    interval : {"logit-t", "wald"}, default "logit-t"
        Interval of the averages, as in ``ReaderStudy.auc``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases, with ``false_marks`` and ``fpr``.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, quantity, threshold, false_marks, fpr, estimate,
        ci_low, ci_high, se, df, n_pos, n_neg, n_lesions, n_readers, confidence_level, n_resamples,
        readers, cases, method, note``. ``quantity`` at a threshold is "lesion_tpr", the share of
        lesions found, then "false_marks", false marks per case. It is "lesion_tpr" with
        ``false_marks``, and "pcl" with ``fpr``: the share of positive cases whose highest mark is
        on a lesion and reaches the threshold.

    Raises
    ------
    InputError
        If not exactly one of ``threshold``, ``false_marks`` and ``fpr`` is passed; if a number is
        invalid; if there is no case without lesions, with ``fpr``; or if an option is invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    With T_k lesions found of L_k in case k, lesion_tpr = sum T_k / sum L_k. Its variance is
    K2/(K2 - 1) sum (T_k - lesion_tpr L_k)^2/(sum L_k)^2 over K2 positive cases (clusters), and its
    limits are Wilson's with the effective number of lesions of this variance. False marks per case
    are the mean over all N cases, with limits on the logarithmic scale; the number depends on the
    share of cases without lesions (note ``class-mix``).

    With ``false_marks`` and ``fpr`` each threshold is estimated. The curve is straight between the
    points of distinct ratings, at a vertical part its top is read, and past its end it is flat
    (note ``beyond-marks``). Cases are resampled within each class, or whole clusters. Averages are
    analysed by Obuchowski and Rockette's method. Their covariance leaves out positives one at a
    time (lesion_tpr), is that of false marks within each class, or comes from shared resamples.

    References
    ----------
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Wilson (1927), single readers [wilson-1927]
    - Garwood (1936), no false mark [garwood-1936]
    - Efron & Tibshirani (1993) [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> points = study.operating_points(threshold=1)
    >>> average = points[points["reader"] == "all"]
    >>> average[["modality", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
       modality     quantity  estimate  ci_low  ci_high
    4         A   lesion_tpr     0.745   0.671    0.807
    9         B   lesion_tpr     0.505   0.371    0.639
    14        A  false_marks     0.123   0.076    0.199
    19        B  false_marks     0.164   0.098    0.273
    """
    places = _read_places(sample, threshold, false_marks, fpr)
    draws = plan_draws(n_resamples, rng, progress)
    return _point_rows(
        DETECTION_OPERATING_POINTS,
        sample,
        places,
        draws,
        readers,
        cases,
        interval,
        confidence_level,
    )


DETECTION_FROC_SCORE = Question(
    "detection_froc_score",
    estimate_columns(
        f"modality group reader quantity {ESTIMATE} df n_readers n_pos n_neg n_lesions readers"
        " cases n_resamples method note"
    ),
    ("niemeijer-2011", *_READERS, "wilson-1927", "efron-1993"),
)


def detection_froc_score(
    sample: DetectionSample,
    *,
    false_marks: Sequence[float] = CPM,
    readers: Effect | None = None,
    cases: Effect = "random",
    interval: ReaderInterval = "logit-t",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the FROC score (CPM), a mean lesion sensitivity; a row is one reader.

    Use the score to report a challenge. It depends on the share of cases without lesions; for the
    question whether one reader or algorithm finds more, compare areas (``compare_auc``).

    Parameters
    ----------
    false_marks : sequence of float > 0, default (1/8, 1/4, 1/2, 1, 2, 4, 8)
        Numbers of false marks per case at which lesion sensitivities are averaged.
    readers : {"random", "fixed"}, optional
        "random" generalises averages to the population of readers, "fixed" is about these readers.
        Default: "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises averages to the population of cases, "fixed" is about these cases.
    interval : {"logit-t", "wald"}, default "logit-t"
        Interval of the averages, as in ``ReaderStudy.auc``.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, quantity, estimate, ci_low, ci_high, se, df, n_pos,
        n_neg, n_lesions, n_readers, confidence_level, n_resamples, readers, cases, method, note``.

    Raises
    ------
    InputError
        If a number is invalid, or an option.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    The score is the mean of the lesion sensitivities that ``operating_points(false_marks=)`` reads
    from the curve, with the same resamples and limits.

    References
    ----------
    - Niemeijer et al (2011), the competition performance metric [niemeijer-2011]
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Wilson (1927) [wilson-1927]
    - Efron & Tibshirani (1993) [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> one = marks[marks["reader"] == 0]
    >>> study = rs.DetectionStudy(one, cases, lesions, modality="modality")
    >>> score = study.froc_score(n_resamples=200, rng=1)
    >>> score[["modality", "quantity", "estimate"]].round(3)
      modality    quantity  estimate
    0        A  froc_score     0.822
    1        B  froc_score     0.615
    """
    places = _Places("false_marks", _read_false_marks(false_marks), score=True)
    draws = plan_draws(n_resamples, rng, progress)
    return _point_rows(
        DETECTION_FROC_SCORE, sample, places, draws, readers, cases, interval, confidence_level
    )


# --- Comparisons ----------------------------------------------------------------------------------

DETECTION_COMPARE_OPERATING_POINTS = Question(
    "detection_compare_operating_points",
    estimate_columns(
        "modality reference group reader quantity threshold reference_threshold false_marks fpr"
        f" {ESTIMATE} {TEST} p_adjusted hypothesis n_readers n_pos n_neg n_lesions readers cases"
        " n_resamples method note"
    ),
    (*_READERS, "holm-1979", "zou-2008", "efron-1993"),
)


def detection_compare_operating_points(
    sample: DetectionSample,
    *,
    threshold: float | Sequence[float] | Mapping[str, float] | Literal["any"] | None = None,
    false_marks: float | Sequence[float] | None = None,
    fpr: float | Sequence[float] | None = None,
    readers: Effect | None = None,
    cases: Effect = "random",
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
    """Return differences of lesion sensitivity and false marks; a row is one quantity of a pair.

    Parameters
    ----------
    threshold : float, sequence or mapping of float, or "any", optional
        Thresholds of the ratings, as in ``operating_points``. Pass exactly one of ``threshold``,
        ``false_marks`` and ``fpr``.
    false_marks : float > 0, or sequence of float, optional
        Numbers of false marks per case at which lesion sensitivities are compared.
    fpr : float in [0, 1), or sequence of float, optional
        False positive rates at which probabilities of correct localisation are compared.
    readers : {"random", "fixed"}, optional
        "random" generalises to the population of readers, "fixed" is about these readers. Default:
        "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases, "fixed" is about these cases.
    by : {"reader"}, optional
        "reader" gives the differences of each reader instead of the averages.
    reference : str, optional
        Modality to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``. With ``threshold`` it is "difference",
        since fewer false marks and more lesions found are better.
    margin : float in (0, 1), optional
        Largest difference that does not matter; no default, except 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests modality minus reference > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over the rows of one quantity at one place; intervals are not
        adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases, with ``false_marks`` and ``fpr``.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, threshold, reference_threshold,
        false_marks, fpr, estimate, ci_low, ci_high, p_value, p_adjusted, se, statistic, df, n_pos,
        n_neg, n_lesions, n_readers, confidence_level, null_value, hypothesis, n_resamples, readers,
        cases, method, note``.

    Raises
    ------
    InputError
        As ``operating_points``. Also if there is one modality, a margin is missing, or a hypothesis
        with a margin is asked of two quantities at a threshold.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    The quantities are those of ``operating_points``. Readers are analysed as in ``compare_auc``; a
    single reader uses z with the variance of the paired differences of cases (clusters), or of
    shared resamples.

    References
    ----------
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Holm (1979) [holm-1979]
    - Efron & Tibshirani (1993) [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> found = study.compare_operating_points(threshold=1)
    >>> found[["modality", "reference", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      modality reference                quantity  estimate  ci_low  ci_high
    0        A         B   lesion_tpr_difference     0.240   0.114    0.366
    1        A         B  false_marks_difference    -0.041  -0.137    0.055
    """
    places = _read_places(sample, threshold, false_marks, fpr)
    tested = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    if places.axis == "threshold" and tested.hypothesis in HYPOTHESES[1:]:
        raise InputError(
            f"`hypothesis` must be 'difference' at a threshold, because more lesions found and"
            f" fewer false marks are better; got {tested.hypothesis!r}. Pass false_marks= instead."
        )
    claim = Claim(
        tested, require_choice("adjust", adjust, ADJUSTMENTS), modality_pairs(sample, reference)
    )
    return _compared_points(
        DETECTION_COMPARE_OPERATING_POINTS,
        sample,
        places,
        plan_draws(n_resamples, rng, progress),
        claim,
        readers,
        cases,
        by,
    )


DETECTION_COMPARE_FROC_SCORE = Question(
    "detection_compare_froc_score",
    estimate_columns(
        f"modality reference group reader quantity {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_readers n_pos n_neg n_lesions readers cases n_resamples method note"
    ),
    ("niemeijer-2011", *_READERS, "holm-1979", "zou-2008", "efron-1993"),
)


def detection_compare_froc_score(
    sample: DetectionSample,
    *,
    false_marks: Sequence[float] = CPM,
    readers: Effect | None = None,
    cases: Effect = "random",
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
    """Return differences of FROC scores (CPM) between modalities; a row is one pair.

    Parameters
    ----------
    false_marks : sequence of float > 0, default (1/8, 1/4, 1/2, 1, 2, 4, 8)
        Numbers of false marks per case at which lesion sensitivities are averaged.
    readers : {"random", "fixed"}, optional
        "random" generalises to the population of readers, "fixed" is about these readers. Default:
        "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases, "fixed" is about these cases.
    by : {"reader"}, optional
        "reader" gives the differences of each reader instead of the averages.
    reference : str, optional
        Modality to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about the difference, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; no default, except 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests modality minus reference > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all differences of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    n_resamples : int >= 100, default 2000
        Number of resamples of the cases.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the resamples; the frame records a seed that reproduces them.
    progress : bool, default False
        Whether to show a progress bar if resampling takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, n_pos, n_neg, n_lesions, n_readers,
        confidence_level, null_value, hypothesis, n_resamples, readers, cases, method, note``.

    Raises
    ------
    InputError
        As ``froc_score``. Also if there is one modality, or a margin is missing.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    As ``compare_operating_points`` with ``false_marks``, for the mean of the lesion sensitivities.

    References
    ----------
    - Niemeijer et al (2011), the competition performance metric [niemeijer-2011]
    - Chakraborty & Berbaum (2004), FROC curves [chakraborty-2004]
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Holm (1979) [holm-1979]
    - Efron & Tibshirani (1993) [efron-1993]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> found = study.compare_froc_score(n_resamples=200, rng=1)
    >>> found[["modality", "reference", "quantity", "estimate"]].round(3)
      modality reference               quantity  estimate
    0        A         B  froc_score_difference     0.153
    """
    places = _Places("false_marks", _read_false_marks(false_marks), score=True)
    tested = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    claim = Claim(
        tested, require_choice("adjust", adjust, ADJUSTMENTS), modality_pairs(sample, reference)
    )
    return _compared_points(
        DETECTION_COMPARE_FROC_SCORE,
        sample,
        places,
        plan_draws(n_resamples, rng, progress),
        claim,
        readers,
        cases,
        by,
    )


def _compared_points(
    question: Question,
    sample: DetectionSample,
    places: _Places,
    draws: ResamplePlan,
    claim: Claim,
    readers: Effect | None,
    cases: Effect,
    by: By | None,
) -> pd.DataFrame:
    """Return the frame of differences between modalities."""
    by = require_choice("by", by, (None, *get_args(By)))
    plan = read_marks_plan(sample.readers, readers, cases, by_reader=by is not None)
    rows = [
        row
        for endpoint in _endpoints(sample, plan, places, draws, sample.readers)
        for row in modality_differences(endpoint, claim, by)
    ]
    within = [name for name in ("quantity", *_PLACES) if name in question.columns]
    resampled = None if places.axis == "threshold" else draws
    return comparison_frame(question, sample, claim.adjust, rows, within=within, draws=resampled)


_PLACES = ("threshold", "false_marks", "fpr")
