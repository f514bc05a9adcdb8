"""Criteria by which a cutpoint is chosen, and the vertex of a curve that a criterion chooses.

A criterion is a function of the rates and the class sizes to optimise: one of this package, or the
user's own, which takes counts and rates by name. A vertex is chosen in a sample and in each of its
resamples. Rates are arrays (resamples x vertices); class sizes are columns (resamples x 1).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
import numpy.typing as npt

from rocstats.curves.roc import RocPoints
from rocstats.errors import InputError, require_choice, require_cost, require_open_interval
from rocstats.facts.arrays import FloatArray, IntArray
from rocstats.facts.tolerances import SAME, WHOLE
from rocstats.facts.words import did_you_mean
from rocstats.study.count_tables import ScoreCounts

# --- Criteria -------------------------------------------------------------------------------------

CriterionName = Literal[
    "youden",
    "closest-topleft",
    "product",
    "equal-error",
    "accuracy",
    "kappa",
    "cost",
    "fixed-tpr",
    "fixed-fpr",
]

OwnCriterion = Callable[..., npt.ArrayLike]
"""A function of any of the ``INPUTS``, by keyword."""

CriterionFunction = Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
"""A function of fpr, tpr, n_pos and n_neg."""


class CutpointRequest(NamedTuple):
    """The numbers that a criterion needs besides its name; NaN for those not given."""

    cost_fp: float = np.nan
    cost_fn: float = np.nan
    prevalence: float = np.nan
    rate: float = np.nan


class Criterion(NamedTuple):
    """A criterion: the function that the cutpoint optimises.

    ``quantity`` is the name of its value, "" where the value is of no interest. ``rising``: values
    above that of vertex 0 rise with the TPR and never with the FPR, so that only thresholds between
    a positive and a negative can be best. ``crossing``: the best vertex is next to where tpr + fpr,
    which only rises, passes 1. ``of_request`` makes the function from the numbers that it
    ``needs``. ``phrase`` is what the criterion looks for, after "the".
    """

    name: str
    quantity: str
    value: CriterionFunction
    smaller_is_better: bool = False
    rising: bool = True
    crossing: bool = False
    uses_prevalence: bool = False
    of_request: Callable[[CutpointRequest], CriterionFunction] | None = None
    needs: tuple[str, ...] = ()
    phrase: str = ""

    def merit(
        self, fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray
    ) -> FloatArray:
        """Return the value, negated if smaller is better, so that the largest is best."""
        value = self.value(fpr, tpr, n_pos, n_neg)
        return -value if self.smaller_is_better else value


def distance_of_rates(
    fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray
) -> FloatArray:
    """Return the distance from (0, 1), the point without errors."""
    return np.asarray(np.hypot(fpr, 1 - tpr))


def error_gap(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
    """Return the absolute difference of the error rates of the classes, |fpr - fnr|."""
    return np.abs(fpr - (1 - tpr))


def accuracy_of_rates(
    fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray
) -> FloatArray:
    """Return the share of cases classified correctly."""
    return (tpr * n_pos + (1 - fpr) * n_neg) / (n_pos + n_neg)


def kappa_of_rates(
    fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray
) -> FloatArray:
    """Return Cohen's kappa, the agreement of decisions and classes beyond that of chance."""
    # Cohen 1960. Of the equal forms of kappa 2 p (1 - p) (tpr - fpr) / (p + c (1 - 2 p)), with
    # share p of positives and c of positive decisions, is exactly 0 where both rates are equal.
    share = n_pos / (n_pos + n_neg)
    called = tpr * share + fpr * (1 - share)
    return 2 * share * (1 - share) * (tpr - fpr) / (share + called * (1 - 2 * share))


def expected_cost(request: CutpointRequest) -> CriterionFunction:
    """Return the criterion function "expected cost of a case" for given costs and prevalence."""
    of_fp, of_fn = request.cost_fp * (1 - request.prevalence), request.cost_fn * request.prevalence
    return lambda fpr, tpr, n_pos, n_neg: of_fp * fpr + of_fn * (1 - tpr)


def specificity_at(least: float) -> CriterionFunction:
    """Return the criterion function "specificity where the TPR is at least ``least``", ties by TPR.

    Other points have the value -1.
    """

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        # tpr / (2 n_neg) is at most half a step of the FPR: it orders points of equal FPR only.
        return np.where(tpr >= least - SAME, 1 - fpr + tpr / (2 * n_neg), -1.0)

    return value


def sensitivity_at(most: float) -> CriterionFunction:
    """Return the criterion function "sensitivity where the FPR is at most ``most``", else -1."""
    return lambda fpr, tpr, n_pos, n_neg: np.where(fpr <= most + SAME, tpr, -1.0)


def _criterion_needing_numbers(
    name: str,
    of_request: Callable[[CutpointRequest], CriterionFunction],
    quantity: str = "",
    **more: Any,
) -> Criterion:
    """Return a criterion with the numbers of the request."""
    return Criterion(name, quantity, of_request(CutpointRequest()), of_request=of_request, **more)


# Every criterion function has all four arguments, whether it uses them or not.
_RECORDS = (
    Criterion(
        "youden", "youden", lambda fpr, tpr, n_pos, n_neg: tpr - fpr,
        phrase="largest sensitivity + specificity (Youden index)",
    ),
    Criterion(
        "closest-topleft", "distance", distance_of_rates, smaller_is_better=True,
        phrase="point of the curve nearest to a test without errors",
    ),
    Criterion(
        "product", "product", lambda fpr, tpr, n_pos, n_neg: tpr * (1 - fpr),
        phrase="largest product of sensitivity and specificity",
    ),
    # |fpr - fnr| falls to the crossing of the error rates and rises after it: it is not "rising".
    Criterion(
        "equal-error", "", error_gap, smaller_is_better=True, rising=False, crossing=True,
        phrase="most equal rates of both errors",
    ),
    Criterion(
        "accuracy", "accuracy", accuracy_of_rates, uses_prevalence=True, phrase="most right calls"
    ),
    Criterion(
        "kappa", "kappa", kappa_of_rates, uses_prevalence=True,
        phrase="best agreement beyond chance (kappa)",
    ),
    _criterion_needing_numbers(
        "cost", expected_cost, "expected_cost", smaller_is_better=True, uses_prevalence=True,
        phrase="lowest cost", needs=("cost_fp", "cost_fn", "prevalence"),
    ),
    _criterion_needing_numbers(
        "fixed-tpr", lambda request: specificity_at(request.rate),
        phrase="wanted sensitivity", needs=("tpr",),
    ),
    _criterion_needing_numbers(
        "fixed-fpr", lambda request: sensitivity_at(request.rate),
        phrase="wanted rate of false alarms", needs=("fpr",),
    ),
)  # fmt: skip
CRITERIA = {one.name: one for one in _RECORDS}
"""The criteria by name; beside them the user's own functions."""


def make_criterion(criterion: CriterionName | OwnCriterion, request: CutpointRequest) -> Criterion:
    """Return the criterion with a name, or with the user's own function."""
    if callable(criterion):  # of an unknown function nothing is known: no bounds, all vertices
        return Criterion(
            "user",
            "criterion",
            own_criterion_function(criterion),
            rising=False,
        )
    one = CRITERIA[criterion]
    return one if one.of_request is None else one._replace(value=one.of_request(request))


def read_criterion(criterion: CriterionName | OwnCriterion) -> CriterionName | OwnCriterion:
    """Return the criterion that a word spells, or a function; raise InputError for others."""
    if not callable(criterion):
        return require_choice("criterion", criterion, tuple(CRITERIA))
    inputs_of_own_criterion(criterion)
    return criterion


def read_cutpoint_request(
    criterion: Any,
    *,
    tpr: float | None,
    fpr: float | None,
    cost_fp: float | None,
    cost_fn: float | None,
    prevalence: float | None,
) -> CutpointRequest:
    """Return the numbers of a criterion; raise InputError if one is lacking or has no use."""
    given = {
        "tpr": tpr,
        "fpr": fpr,
        "cost_fp": cost_fp,
        "cost_fn": cost_fn,
        "prevalence": prevalence,
    }
    used = () if callable(criterion) else CRITERIA[criterion].needs
    for name, value in given.items():
        _require_number_of_criterion(name, value, criterion, used)
    rate = tpr if tpr is not None else fpr
    numbers = (cost_fp, cost_fn, prevalence, rate)
    return CutpointRequest(*(np.nan if value is None else float(value) for value in numbers))


def _require_number_of_criterion(
    name: str, value: float | None, criterion: Any, used: tuple[str, ...]
) -> None:
    """Raise InputError where a number is needed and not given, has no use, or is out of range."""
    word = "a function" if callable(criterion) else repr(criterion)
    if name not in used:
        if value is not None:
            raise InputError(
                f"`{name}` must stay None with the criterion {word}, which does not use it; got"
                f" {value!r}. Leave it out."
            )
        return
    if value is None:
        if name == "prevalence":  # the caller takes that of the sample
            return
        raise InputError(
            f"`{name}` must be given with the criterion {word}; got None. Pass {name}=."
        )
    if name.startswith("cost"):
        require_cost(name, value)
    else:
        require_open_interval(name, value, 0, 1)


# --- The user's own criterion ---------------------------------------------------------------------

INPUTS: dict[str, CriterionFunction] = {
    "tp": lambda fpr, tpr, n_pos, n_neg: _number_of_cases(tpr * n_pos),
    "fp": lambda fpr, tpr, n_pos, n_neg: _number_of_cases(fpr * n_neg),
    "tn": lambda fpr, tpr, n_pos, n_neg: _number_of_cases((1 - fpr) * n_neg),
    "fn": lambda fpr, tpr, n_pos, n_neg: _number_of_cases((1 - tpr) * n_pos),
    "fpr": lambda fpr, tpr, n_pos, n_neg: fpr,
    "tpr": lambda fpr, tpr, n_pos, n_neg: tpr,
    "prevalence": lambda fpr, tpr, n_pos, n_neg: np.broadcast_to(
        n_pos / (n_pos + n_neg), np.shape(fpr)
    ),
}
"""What a criterion can take: arrays of one shape, an element for each threshold of a sample."""


def inputs_of_own_criterion(criterion: OwnCriterion) -> list[str]:
    """Return the input names of a criterion; raise InputError for others or none.

    A parameter with a default keeps it: a prevalence fixed by the user is not that of the sample.
    """
    try:
        parameters = inspect.signature(criterion).parameters.values()
    except (TypeError, ValueError):  # some functions written in C have no signature
        raise _error_of_own_criterion("a function without a signature") from None
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        own = {one.name for one in parameters if one.default is not one.empty}
        names = [name for name in INPUTS if name not in own]
    else:
        names = []
    for one in parameters:
        if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL) or one.default is not one.empty:
            continue
        if one.kind is one.POSITIONAL_ONLY:
            raise _error_of_own_criterion(f"{one.name!r} by position only")
        if one.name not in INPUTS:
            raise _error_of_own_criterion(repr(one.name), did_you_mean(one.name, INPUTS))
        names = names if one.name in names else [*names, one.name]
    if not names:
        raise _error_of_own_criterion("a function without them")
    return names


def own_criterion_function(criterion: OwnCriterion) -> CriterionFunction:
    """Return a user's function of rates and class sizes, with checks of its result."""
    names = inputs_of_own_criterion(criterion)

    def value(fpr: FloatArray, tpr: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        given: dict[str, Any] = {name: INPUTS[name](fpr, tpr, n_pos, n_neg) for name in names}
        values = np.asarray(criterion(**given), dtype=np.float64)
        if values.shape != np.shape(fpr):
            raise InputError(
                f"`criterion` must return an array like fpr, of shape {np.shape(fpr)}; got shape"
                f" {values.shape}. Use functions that work on arrays."
            )
        if np.isnan(values).any():
            raise InputError(
                f"`criterion` must return numbers; got {int(np.isnan(values).sum())} NaN of"
                f" {values.size}. Return -inf for points that cannot be chosen."
            )
        return values

    return value


def _error_of_own_criterion(got: str, advice: str = "") -> InputError:
    return InputError(
        f"`criterion` must take its arguments by name, any of {', '.join(INPUTS)}; got {got}."
        f"{advice or ' Write for instance: def youden(tpr, fpr): return tpr - fpr.'}"
    )


def _number_of_cases(cases: FloatArray) -> FloatArray:
    """Return numbers of cases, whole where only rounding keeps them from it."""
    # At corrected rates, which are between vertices, counts are not whole.
    whole = np.rint(cases)
    return np.where(np.abs(cases - whole) <= WHOLE, whole, cases)


# --- The vertex that a criterion chooses ----------------------------------------------------------

ThresholdAt = Literal["midpoint", "observed"]
THRESHOLDS_AT: tuple[ThresholdAt, ...] = get_args(ThresholdAt)

# From 2^52 on every double is a whole number, also one of a continuous score in a small unit.
_WHOLE_UP_TO = 2.0**52


def candidate_vertices(counts: ScoreCounts, criterion: Criterion) -> IntArray:
    """Return the vertices that a criterion can choose, in the sample and in its resamples.

    Vertex v calls the v most positive scores positive. For a rising criterion the candidates are
    vertex 0 and those after a score with positives and before a score with negatives.
    """
    # A resample has no scores that the sample lacks, so that the candidates hold for all resamples.
    if not criterion.rising:
        return np.arange(len(counts.score) + 1)
    before_negatives = np.append(counts.n_neg[1:] > 0, True)
    return np.append(0, np.flatnonzero((counts.n_pos > 0) & before_negatives) + 1)


def vertex_of_first_best_merit(merit: FloatArray) -> IntArray:
    """Return the column of the first largest merit of each row, up to rounding."""
    # Merits that are equal in exact arithmetic may differ in the last bits. Their scale is that of
    # the first vertex where the best is 0 (a distance, a cost). Infinite merits, which the function
    # of a user may return, have no scale.
    best = merit.max(axis=1, keepdims=True)
    size = np.maximum(np.abs(best), np.abs(merit[:, :1]))
    with np.errstate(invalid="ignore"):
        least = best - SAME * np.where(np.isfinite(size), size, 0.0)
    return np.asarray((merit >= least).argmax(axis=1))


def best_vertices(fp: Any, tp: Any, columns: IntArray, criterion: Criterion) -> IntArray:
    """Return the vertex that a criterion chooses in each row of cumulative counts.

    Of equally good vertices the strictest is chosen: the fewest cases called positive and, among
    thresholds that call the same cases positive, the first, which is an observed score.
    """
    n_pos, n_neg = (np.asarray(cumulative[:, -1:], dtype=np.float64) for cumulative in (tp, fp))
    if criterion.crossing:
        near = _vertices_around_crossing(fp, tp, n_pos, n_neg)
        fpr, tpr = (np.take_along_axis(c, near, 1) / n for c, n in ((fp, n_neg), (tp, n_pos)))
        best = vertex_of_first_best_merit(criterion.merit(fpr, tpr, n_pos, n_neg))
        vertex = near[np.arange(len(near)), best]
    else:
        if len(columns) < tp.shape[1]:  # take copies: not done where every vertex is a candidate
            fpr, tpr = fp.take(columns, axis=1) / n_neg, tp.take(columns, axis=1) / n_pos
        else:
            fpr, tpr = fp / n_neg, tp / n_pos
        vertex = columns[vertex_of_first_best_merit(criterion.merit(fpr, tpr, n_pos, n_neg))]
    # A resample may lack the score of a vertex, which then calls the same cases as the one before.
    moving = np.flatnonzero(vertex > 0)
    while len(moving):
        at = vertex[moving]
        same = (tp[moving, at] == tp[moving, at - 1]) & (fp[moving, at] == fp[moving, at - 1])
        vertex[moving[same]] -= 1
        moving = moving[same & (at > 1)]
    return np.asarray(vertex)


def last_vertex_calling_alike(fp: Any, tp: Any, vertex: IntArray) -> IntArray:
    """Return the last vertex of each row that calls the same cases positive as a given one."""
    last, rows = np.array(vertex), np.arange(len(vertex))
    while len(rows):
        at = last[rows]
        rows = rows[at < tp.shape[1] - 1]
        at = last[rows]
        same = (tp[rows, at] == tp[rows, at + 1]) & (fp[rows, at] == fp[rows, at + 1])
        rows = rows[same]
        last[rows] += 1
    return last


class AlikeThresholds(NamedTuple):
    """Thresholds that call the same cases positive: from ``strict`` to before ``lax``.

    ``strict`` is an observed score, or beyond every score; ``lax`` is the next score on the other
    side, or infinite.
    """

    strict: FloatArray
    lax: FloatArray

    @classmethod
    def of(cls, curve: RocPoints, first: IntArray, last: IntArray) -> Self:
        """Return the thresholds of the first and the last of equivalent vertices."""
        # Beyond the least positive score there is none: everybody is called positive there.
        ends = np.append(curve.threshold, -curve.threshold[0])
        return cls(ends[first], ends[last + 1])

    def at(self, threshold_at: ThresholdAt) -> FloatArray:
        """Return the observed score, or the midpoint where one lies strictly between both ends."""
        if threshold_at == "observed":
            return self.strict
        with np.errstate(invalid="ignore"):  # inf - inf
            # Halves first: the sum of two large scores is infinite.
            middle = self.strict / 2 + self.lax / 2
        # Adjacent doubles have no midpoint, and an infinite end has none that is a score.
        low, high = np.minimum(self.strict, self.lax), np.maximum(self.strict, self.lax)
        return np.where((low < middle) & (middle < high), middle, self.strict)


def threshold_place_reported(score: FloatArray, threshold_at: ThresholdAt) -> ThresholdAt:
    """Return where thresholds are reported: whole numbers (ratings, counts) stay observed."""
    finite = score[np.isfinite(score)]
    whole = bool(np.all((finite == np.rint(finite)) & (np.abs(finite) < _WHOLE_UP_TO)))
    return "observed" if whole else threshold_at


def _vertices_around_crossing(fp: Any, tp: Any, n_pos: FloatArray, n_neg: FloatArray) -> IntArray:
    """Return the vertices of each row among which tpr + fpr passes 1."""
    # A coarse search in steps of sqrt(width), then one step: 2 sqrt(width) vertices instead of all.
    width = tp.shape[1]
    step = max(int(np.sqrt(width)), 1)
    coarse = np.arange(0, width, step)
    passed = fp[:, coarse] / n_neg + tp[:, coarse] / n_pos
    start = step * (np.count_nonzero(passed < 1, axis=1) - 1)
    return np.asarray(np.minimum(start[:, np.newaxis] + np.arange(step + 1), width - 1))
