"""Readers compared with a machine: software that gives each case one score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast, get_args

import numpy as np
import pandas as pd

from rocstats.curves.areas import FULL_RANGE, read_range
from rocstats.errors import InputError, require_choice
from rocstats.estimate.claim import (
    ADJUSTMENTS,
    Adjustment,
    Hypothesis,
    read_hypothesis,
)
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.reader_covariance import Covariance
from rocstats.estimate.readers import Effect
from rocstats.facts.arrays import FloatArray
from rocstats.facts.columns import NO_RANGE
from rocstats.frame.question import AREA, TEST, Question, estimate_columns
from rocstats.inference.readers.differences import minus_machine
from rocstats.inference.readers.endpoints import (
    CalledRate,
    Endpoint,
    called_reads,
    endpoints,
    read_modality_thresholds,
)
from rocstats.inference.readers.engines import beside_machine
from rocstats.inference.readers.plan import By, ReaderMethod, read_reader_plan
from rocstats.study.cases import Reads
from rocstats.study.points import read_single_thresholds
from rocstats.study.readers import ReaderSample

READER_COMPARE_WITH = Question(
    "reader_compare_with",
    estimate_columns(
        f"modality reference group reader direction threshold reference_direction"
        f" reference_threshold {AREA} {TEST} p_adjusted hypothesis n_readers n_pos"
        " n_neg readers cases method note"
    ),
    (
        *("obuchowski-1995", "hillis-2007", "gallas-2006", "obuchowski-2012", "holm-1979"),
        "zou-2008",
    ),
)


def reader_compare_with(
    sample: ReaderSample,
    machine: str | Mapping[Any, float] | pd.Series,
    *,
    threshold: float | Mapping[str, float] | None = None,
    machine_threshold: float | None = None,
    readers: Effect = "random",
    cases: Effect = "random",
    method: ReaderMethod | None = None,
    covariance: Covariance = "jackknife",
    by: By | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
) -> pd.DataFrame:
    """Return differences between readers and a machine on the same cases; a row is one modality.

    Parameters
    ----------
    machine : str, or Series or mapping of float by name of the case
        The machine, in one of three forms: the name in ``machine=`` of the study; the name of a
        modality with one read per case; or the scores by case (higher scores mean positive).
    threshold : float, or mapping of str to float, optional
        Threshold of the ratings, chosen before these data were seen: one threshold, or a threshold
        for each modality. With a threshold, sensitivity and specificity are compared instead of
        areas.
    machine_threshold : float, optional
        Threshold of the machine's scores; required with ``threshold``.
    readers : {"random", "fixed"}, default "random"
        "random" generalises to the population of readers; "fixed" is for these readers only.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases; "fixed" is for these cases only.
    method : {"obuchowski-rockette", "u-statistic", "u-statistic-centred"}, optional
        As in ``compare_auc``, with the same default.
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, default "jackknife"
        Covariance of the areas of readers and machine, in "obuchowski-rockette".
    by : {"reader"}, optional
        "reader" compares each reader instead of the average. Readers are then fixed and cases
        random.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, readers minus machine, as in ``compare_auc``. Non-inferiority of the machine
        is the claim that d is below the margin. To test it, pass ``alternative="less"``, the margin
        (above 0) as ``null_value``, and ``confidence_level=0.975``.
    margin : float in (0, 1), optional
        Largest difference that does not matter. Required for non-inferiority and equivalence;
        default 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests readers minus machine > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over the rows of one quantity; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.
    fpr_range, tpr_range : (float, float), optional
        Range of partial areas, as in ``compare_auc``.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, direction, reference_direction,
        threshold, reference_threshold, estimate, ci_low, ci_high, p_value, p_adjusted, se,
        statistic, df, n_pos, n_neg, n_readers, confidence_level, null_value, hypothesis, readers,
        cases, range_axis, range_low, range_high, method, note``. ``reference`` is the machine's
        name ("machine" for scores by case), and ``reader`` is "all" in averages. At thresholds each
        modality has two rows, "tpr_difference" and "tnr_difference". For areas the thresholds are
        NaN.

    Raises
    ------
    InputError
        As in ``compare_auc``. Also if the machine is unknown or a score is missing, or if one
        threshold is passed without the other.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    d_j is the area of reader j minus the area of the machine, and d is the mean of d_j over r
    readers. For "obuchowski-rockette", se^2 = (MS(d) + r max(Cov2, 0))/r. MS(d) is the variance of
    d_j over readers, and Cov2 is the mean covariance of d_j and d_k due to the cases. Limits and
    test use t with the degrees of freedom of Hillis. A t test over the d_j treats the cases as
    fixed and rejects too often.

    For "u-statistic", degrees of freedom for readers come from the readers only. Degrees of freedom
    for cases come from the effective numbers of cases of the readers and of the machine; the
    smaller number is used. If an area is 0 or 1, or the variance of d is 0, MOVER combines the
    limits of the readers' area and of the machine's area.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007), degrees of freedom [hillis-2007]
    - Gallas (2006) [gallas-2006]
    - Obuchowski, Gallas & Hillis (2012) [obuchowski-2012]
    - Zou & Donner (2008), MOVER [zou-2008]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_viper()
    >>> first = data[data["modality"] == "FFDM"].groupby("case")["rating"].first()
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=data[data["modality"] == "SFM"],
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> found = study.compare_with(first)
    >>> found[["modality", "reference", "estimate", "ci_low", "ci_high", "df"]].round(4)
      modality reference  estimate  ci_low  ci_high        df
    0      SFM   machine   -0.0121 -0.0707   0.0465  132.1879
    """
    by = require_choice("by", by, (None, *get_args(By)))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    over = read_range(fpr_range, tpr_range) or FULL_RANGE
    tests = read_hypothesis(
        hypothesis, margin, alternative, null_value, confidence_level, largest=over.width
    )
    scores, rest = _read_machine(sample, machine)
    cuts, machine_cut = _read_both_thresholds(rest, scores, threshold, machine_threshold)
    if cuts is not None and not over.full:
        raise InputError(
            "`threshold` must stay None for partial areas; got both. Pass one of them."
        )
    plan = read_reader_plan(
        rest,
        method=method,
        covariance=covariance,
        readers=readers,
        cases=cases,
        over=over,
        is_rate=cuts is not None,
        by_reader=by is not None,
    )
    # Rates have no range of an area, areas no thresholds.
    columns: dict[str, Any] = {
        "reference": scores.name,
        "direction": "",
        "reference_direction": "",
        **NO_RANGE,
    }
    if cuts is not None:
        columns["reference_threshold"] = machine_cut
        columns["reference_direction"] = ">=" if scores.higher else "<="

    def differences() -> Iterator[ComparedRow]:
        for endpoint in endpoints(rest, plan, cuts):
            for i in range(len(endpoint.part.modalities)):
                beside = _reads_with_machine_as_last_reader(endpoint, i, scores, cuts, machine_cut)
                for j in endpoint.active(i) if by == "reader" else [None]:
                    yield minus_machine(endpoint, i, beside, columns, tests, j)

    return comparison_frame(READER_COMPARE_WITH, rest, adjust, differences(), within=("quantity",))


# --- The machine, and thresholds ------------------------------------------------------------------


class MachineScores(NamedTuple):
    """A machine: its name, where its scores are found, and whether higher ones are positive."""

    name: str
    source: Any
    higher: bool


def _read_machine(sample: ReaderSample, machine: Any) -> tuple[MachineScores, ReaderSample]:
    """Return the machine, and the study without it if it is one of the modalities."""
    if not isinstance(machine, str):
        sample.machine_scores(machine)  # refuses what is no score by case
        return MachineScores("machine", machine, higher=True), sample
    if machine in sample.machines or machine not in sample.modalities:
        sample.machine_scores(machine)
        higher = sample._machine_higher[sample.machines.index(machine)]
        return MachineScores(machine, machine, higher), sample
    if len(sample.modalities) == 1:
        raise InputError(
            f"`machine` must not be the only modality; got {machine!r}. Pass machine= to the"
            " study, or scores by case."
        )
    rest = sample.without(machine)
    i = sample.modalities.index(machine)
    rows = np.flatnonzero(sample.modality.codes == i)
    cases = sample.case.codes[rows]
    if len(np.unique(cases)) < len(cases):
        raise InputError(
            f"`machine` must be a modality with one read per case; got {machine!r} with"
            f" {len(cases)} reads of {len(np.unique(cases))} cases. Compare modalities by"
            " compare_auc()."
        )
    higher = sample.higher_is_positive[i]
    ratings = sample.rating[rows] if higher else -sample.rating[rows]
    scores = {sample.case.labels[c]: float(x) for c, x in zip(cases, ratings, strict=True)}
    rest.machine_scores(scores)
    return MachineScores(machine, scores, higher), rest


def _read_both_thresholds(
    sample: ReaderSample, machine: MachineScores, threshold: Any, machine_threshold: Any
) -> tuple[FloatArray | None, float]:
    """Return the thresholds of the modalities and of the machine; None and NaN for areas."""
    if threshold is None and machine_threshold is None:
        return None, np.nan
    if threshold is None or machine_threshold is None:
        missing = "threshold" if threshold is None else "machine_threshold"
        raise InputError(
            f"`{missing}` must be given with the other threshold; got None. Pass both thresholds,"
            " or none to compare areas."
        )
    thresholds = read_single_thresholds(
        machine_threshold, [machine.name], argument="machine_threshold"
    )
    return read_modality_thresholds(sample, threshold), thresholds[machine.name]


def _reads_with_machine_as_last_reader(
    endpoint: Endpoint, i: int, machine: MachineScores, cuts: FloatArray | None, machine_cut: float
) -> Reads:
    """Return ratings, or calls at thresholds, of a modality, the machine as the last reader."""
    part = endpoint.part
    beside = beside_machine(part.reads, i, *part.machine_scores(machine.source))
    if cuts is None:
        return beside
    at = np.full((1, beside.n_readers), cuts[i] if part.higher_is_positive[i] else -cuts[i])
    at[0, -1] = machine_cut if machine.higher else -machine_cut
    return called_reads(beside, at, cast(CalledRate, endpoint.quantity))
