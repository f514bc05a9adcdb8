"""Options of operating points: places, measures, intervals, calls in cases of unknown status.

Points lie at thresholds, or where one of the rates has a value. Options that fit one of both places
are refused at the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from numbers import Real
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocstats.errors import InputError, require_choice, require_flag
from rocstats.estimate.rates import Axis, RateBars, Reading
from rocstats.estimate.tables import ApparentPrevalence, RatioInterval
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import (
    AGREEMENT,
    BY_REQUEST,
    MEASURES,
    RATES,
    Cells,
    depends_on_prevalence,
    measure,
    shifted,
)
from rocstats.facts.words import as_known, did_you_mean, known_word, listed
from rocstats.study.binned import is_binned
from rocstats.study.points import number_array, read_rates, read_thresholds
from rocstats.study.sample import Sample

# --- Places ---------------------------------------------------------------------------------------


def read_point_places(
    sample: Sample, threshold: Any, fpr: Any, tpr: Any
) -> tuple[Axis | None, dict[str, FloatArray] | None]:
    """Return the axis of the given rate and its values by predictor.

    The axis is None for thresholds, the values are None for all vertices.
    """
    given = {
        name: value
        for name, value in (("threshold", threshold), ("fpr", fpr), ("tpr", tpr))
        if value is not None
    }
    # A yes/no test has a single cut.
    if not given and sample.from_tables:
        return None, read_thresholds(1.0, sample.predictors)
    if len(given) != 1:
        raise InputError(
            "`threshold` must be given, or `fpr` or `tpr` instead, but only one of them; got"
            f" {', '.join(given) or 'none'}. Pass one."
        )
    axes: tuple[Axis, ...] = ("fpr", "tpr")
    for axis in axes:
        if axis in given:
            advice = "Pass rates, such as fpr=0.1."
            return axis, read_rates(given[axis], sample.predictors, argument=axis, advice=advice)
    # isinstance first: an array compared with a text gives an array.
    if isinstance(threshold, str) and known_word(threshold, ("all",)):
        return None, None
    return None, read_thresholds(threshold, sample.predictors)


# --- Measures -------------------------------------------------------------------------------------

ReferenceStandard = Literal["perfect", "imperfect"]


class MeasureRequest(NamedTuple):
    """One requested measure; ``prevalence`` is None for that of the study."""

    word: str
    measure: str
    prevalence: float | None

    def value(self, cells: Cells) -> FloatArray:
        """Return the measure of 2x2 tables at the requested prevalence."""
        share = self.prevalence
        return measure(self.measure, cells if share is None else shifted(cells, share))


def read_measure_requests(
    quantities: Sequence[str] | str | None,
    prevalences: Sequence[float],
    *,
    reference_standard: ReferenceStandard,
    joint: bool,
    beta: float | None = None,
) -> list[MeasureRequest]:
    """Return the requested measures, those that depend on prevalence once for each prevalence."""
    standards = get_args(ReferenceStandard)
    reference_standard = require_choice("reference_standard", reference_standard, standards)
    # A joint region is a rectangle of both rates; other measures have no side of it.
    usual = {name: name for name in (RATES if joint else MEASURES)}
    possible = usual if joint else {**usual, **{name: name for name in BY_REQUEST}}
    if reference_standard == "imperfect":
        usual = {w: name for w, name in AGREEMENT.items() if name in RATES or not joint}
        possible = usual
    wanted = listed(quantities)
    words = list(usual) if quantities is None else [as_known(word, possible) for word in wanted]
    unknown = [word for word in words if not (isinstance(word, str) and word in possible)]
    if unknown or not words or len(set(words)) < len(words):
        raise InputError(
            f"`quantities` must be some of {', '.join(possible)}, each once; got {wanted!r}."
            f"{_unknown_quantity_advice(unknown, possible, reference_standard, joint)}"
        )
    _require_requested_quantity("beta", beta, "f_beta", words)
    if "f_beta" in words:
        possible = {**possible, "f_beta": f"f_beta={_read_beta_of_f_score(beta)!r}"}
    return [
        MeasureRequest(word, possible[word], share)
        for word in words
        for share in (
            prevalences if depends_on_prevalence(possible[word]) and prevalences else [None]
        )
    ]


def _require_requested_quantity(argument: str, value: Any, word: str, words: Sequence[str]) -> None:
    """Raise InputError for an option of one measure that is not requested."""
    if value is not None and word not in words:
        raise InputError(
            f"`{argument}` must stay None unless `quantities` hold {word!r}; got {value!r}."
            f" Pass quantities=[{word!r}, ...]."
        )


def _read_beta_of_f_score(beta: Any) -> float:
    if beta is None:
        return 1.0
    number = isinstance(beta, Real) and not isinstance(beta, bool)
    # Beyond these one of both rates has next to no weight.
    if not (number and 1e-6 <= float(beta) <= 1e6):
        raise InputError(
            f"`beta` must be a number from 1e-6 to 1e6; got {beta!r}. Pass 2 to give recall twice"
            " the weight of precision."
        )
    return float(beta)


def _unknown_quantity_advice(
    unknown: Sequence[Any], possible: Collection[str], reference_standard: str, joint: bool
) -> str:
    meant = [advice for word in unknown if (advice := did_you_mean(word, possible))]
    if meant:
        return meant[0]
    if reference_standard == "imperfect":
        return " Others have no meaning against an imperfect reference standard."
    if joint and any(as_known(word, MEASURES) in MEASURES for word in unknown):
        return " Simultaneous limits are offered for rates only: leave joint out for the others."
    return " Leave it out for all of them."


# --- Intervals ------------------------------------------------------------------------------------

PointInterval = Literal[
    "wilson", "clopper-pearson", "mid-p", "agresti-coull", "jeffreys", "wald", "dkw", "percentile"
]
POINT_INTERVALS: tuple[PointInterval, ...] = get_args(PointInterval)
RATE_BARS: tuple[RateBars, ...] = get_args(RateBars)


def read_point_limit_options(
    sample: Sample,
    axis: Axis | None,
    interval: PointInterval | RateBars | None,
    ratio_interval: RatioInterval,
    reading: Reading,
    joint: bool,
    prevalence_cases: float | None,
) -> tuple[PointInterval, RateBars, RatioInterval, Reading]:
    """Return the limits at thresholds, at rates, of ratios, and the reading of the curve.

    Raise InputError unless the options fit the places and the roles of the study.
    """
    require_flag("joint", joint)
    reading = require_choice("reading", reading, ("interpolated", "attained"))
    ratio_interval = require_choice("ratio_interval", ratio_interval, ("score", "log"))
    words = POINT_INTERVALS if axis is None else RATE_BARS
    interval = require_choice("interval", interval, (None, *words))
    if axis is None and reading != "interpolated":
        raise InputError(
            "`reading` must be left out for thresholds, which are points of the curve; got"
            f" {reading!r}. Pass fpr= or tpr= instead, or leave it out."
        )
    # At a given rate one side of the rectangle has no width.
    if axis is not None and joint:
        raise InputError(
            f"`joint` must stay False with `fpr` or `tpr`; got True with {axis}=. Leave it out,"
            " or pass thresholds."
        )
    # The log limits of a ratio assume two independent binomials with a threshold fixed beforehand.
    if ratio_interval == "log" and (axis is not None or sample.cluster is not None):
        raise InputError(
            "`ratio_interval` must be left out at rates and with clusters, where limits of"
            " ratios follow from the rates; got 'log'. Leave it out."
        )
    # Binomial limits count cases; those of a cluster are worth fewer.
    if interval == "wilson-conditional" and sample.cluster is not None:
        raise InputError(
            "`interval` must not be 'wilson-conditional' for a study with clusters, whose cases"
            " are not independent; got 'wilson-conditional'. Pass 'wilson-effective-n'."
        )
    if interval == "dkw":
        _require_joint_point_limits(sample, ratio_interval, joint, prevalence_cases)
    if interval == "percentile":
        _require_resamples_of_all_measures(ratio_interval, prevalence_cases)
    at_thresholds: Any = interval if axis is None else None
    at_rates: Any = interval if axis is not None else None
    return at_thresholds or "wilson", at_rates or "wilson-effective-n", ratio_interval, reading


def _require_joint_point_limits(
    sample: Sample, ratio_interval: RatioInterval, joint: bool, prevalence_cases: float | None
) -> None:
    """Raise InputError unless limits can hold for every threshold and both rates at once."""
    if sample.cluster is not None:
        raise InputError(
            "`interval` must not be 'dkw' for a study with clusters, whose cases are not"
            " independent; got 'dkw'. Pass 'wilson', for thresholds fixed beforehand."
        )
    if joint:
        raise InputError(
            "`joint` must stay False with interval='dkw', which already has joint limits of both"
            " rates; got True. Leave it out."
        )
    if ratio_interval == "log":
        raise InputError(
            "`ratio_interval` must be left out with interval='dkw', where limits of ratios"
            " follow from the rates; got 'log'. Leave it out."
        )
    # Limits of an estimated prevalence would need a share of the chance to miss.
    if prevalence_cases is not None:
        raise InputError(
            "`prevalence_cases` must be left out with interval='dkw', whose limits are for a known"
            f" prevalence; got {prevalence_cases!r}. Pass prevalence= alone."
        )


def _require_resamples_of_all_measures(
    ratio_interval: RatioInterval, prevalence_cases: float | None
) -> None:
    """Raise InputError for options of closed forms beside percentile limits."""
    if ratio_interval == "log":
        raise InputError(
            "`ratio_interval` must be left out with interval='percentile', where all measures have"
            " the limits of their resamples; got 'log'. Leave it out."
        )
    # The other cases, in which a prevalence was estimated, are not there to be resampled.
    if prevalence_cases is not None:
        raise InputError(
            "`prevalence_cases` must be left out with interval='percentile', whose limits are for a"
            f" known prevalence; got {prevalence_cases!r}. Pass prevalence= alone."
        )


# --- Calls in cases of unknown status -------------------------------------------------------------


def read_calls_of_unknown_status(
    sample: Sample,
    axis: Axis | None,
    interval: PointInterval,
    requests: Sequence[MeasureRequest],
    apparent: Any,
) -> ApparentPrevalence | None:
    """Return the calls in cases of unknown status, None without a request of the prevalence."""
    words = [request.word for request in requests]
    _require_requested_quantity("apparent_prevalence", apparent, "true_prevalence", words)
    if "true_prevalence" not in words:
        return None
    # With one rate given, or limits for all thresholds at once, it has no limits that are known.
    if axis is not None or interval in ("dkw", "percentile") or is_binned(sample):
        raise InputError(
            "`quantities` must not hold 'true_prevalence' at given rates, with interval='dkw' or"
            " 'percentile', or for binned scores, because it then has no limits; got this"
            " quantity. Pass thresholds and exact scores."
        )
    counts = number_array([] if apparent is None else apparent)
    if counts.shape != (2,) or not (0 <= counts[0] <= counts[1] and 1 <= counts[1] < np.inf):
        raise InputError(
            "`apparent_prevalence` must be (x, n) with 0 <= x <= n for 'true_prevalence' (x"
            f" positive calls in n cases of unknown status); got {apparent!r}. Pass for instance"
            " (30, 200)."
        )
    return ApparentPrevalence(*counts.tolist())
