"""Areas of marks by reader and modality: estimates, comparisons, a machine, components."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.estimate.answers import answer_row_of_result, answer_rows
from rocstats.estimate.areas import DELONG_VARIANCE, AreaTest, infer_area
from rocstats.estimate.claim import ADJUSTMENTS, Adjustment, Claim, Hypothesis, read_hypothesis
from rocstats.estimate.compare import ComparedRow, comparison_frame
from rocstats.estimate.estimate import undefined_result
from rocstats.estimate.intervals import area_interval
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.readers import Effect, ReaderInterval, dbm_components, or_components
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import ESTIMATE, TEST, Question, estimate_columns
from rocstats.inference.localisation.endpoints import (
    By,
    Endpoint,
    MarksCovariance,
    MarksPlan,
    few_cases_notes,
    global_test,
    group_notes,
    infer_average,
    minus_machine,
    modality_differences,
    modality_pairs,
    read_marks_plan,
)
from rocstats.inference.localisation.figures import (
    MARKS_AREAS,
    MarksArea,
    MarksAreas,
    MarksCurve,
    class_parts,
    jackknife_covariance,
    lone_area,
    lone_difference_df,
    marks_areas,
    numbers_of_units,
    require_cases_for,
)
from rocstats.study.detection import DetectionSample

MarksInterval = Literal["effective-wilson", "logit-t", "wald"]

_READERS = ("obuchowski-1995", "hillis-2007", "chakraborty-2016")

# --- Areas ----------------------------------------------------------------------------------------

DETECTION_AUC = Question(
    "detection_auc",
    estimate_columns(
        f"modality group reader quantity {ESTIMATE} df n_readers n_pos n_neg n_lesions readers"
        " cases method note"
    ),
    (*_READERS, "chakraborty-2004", "swensson-1996", "delong-1988"),
)


def detection_auc(
    sample: DetectionSample,
    *,
    curve: MarksCurve = "wafroc",
    readers: Effect | None = None,
    cases: Effect = "random",
    covariance: MarksCovariance = "jackknife",
    interval: MarksInterval = "effective-wilson",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return the areas of readers and their average; a row is one reader under one modality.

    Parameters
    ----------
    curve : {"wafroc", "afroc", "wafroc1", "afroc1", "inferred-roc", "lroc"}, default "wafroc"
        Curve under which the area is computed.

        - "wafroc": share of pairs in which a lesion has a higher mark than a case without lesions.
          Every positive case has the same weight. Choose it for the question whether readers find
          more.
        - "afroc": as "wafroc", but every lesion has the same weight: cases with many lesions
          dominate.
        - "wafroc1", "afroc1": false marks on positive cases count too. The value depends on the
          share of cases without lesions (note ``class-mix``). They need no case without lesions.
        - "inferred-roc": area under the ROC curve of the highest mark of each case, wherever it is.
        - "lroc": for one target per case. A positive case is located if its highest mark is on a
          lesion.
    readers : {"random", "fixed"}, optional
        Population to which averages generalise: the population of readers, or these readers only.
        Default: "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises averages to the population of cases, "fixed" is about these cases.
    covariance : {"jackknife", "delong"}, default "jackknife"
        Covariance of the readers' areas in averages.

        - "jackknife": leaves out one case (cluster) at a time; the choice of other programs.
        - "delong": from the influence of each case, by class; in Obuchowski's form with clusters.
    interval : {"effective-wilson", "logit-t", "wald"}, default "effective-wilson"
        Interval of single readers; averages have "logit-t" in place of "effective-wilson".

        - "effective-wilson": Wilson's limits with an effective sample size; ours, simulated, not
          peer-reviewed. Its coverage was the best in simulations.
        - "logit-t": on the logit scale with quantiles of t; published. Too short if few lesions are
          missed.
        - "wald": estimate -+ z se; only to reproduce other programs.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, [group], reader, quantity, estimate, ci_low, ci_high, se, df, n_pos,
        n_neg, n_lesions, n_readers, confidence_level, readers, cases, method, note``. ``quantity``
        is "wafroc_auc", "afroc_auc", "wafroc1_auc", "afroc1_auc", "inferred_auc" or "lroc_auc".
        Each modality has the readers, then the average of several readers (``reader`` "all"), then
        the machine.

    Raises
    ------
    InputError
        If a group has no case without lesions and the curve needs them; if weights of lesions were
        passed and the curve weighs lesions alike; if readers and cases are both fixed; or if an
        option is invalid.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    Let x_k be the highest false mark of case k and z_kl the highest mark on its lesion l, minus
    infinity without a mark, and psi(a, b) = 1 if a < b, 1/2 if a = b, else 0. The area "wafroc" is
    the mean over all K1 cases k without and K2 cases k' with lesions of sum_l w_k'l psi(x_k,
    z_k'l), with weights w that sum to 1 in each case. A missed lesion and a case without marks tie.
    Without any mark the area is therefore 1/2, and poor marks give less: 1/2 is not chance, and
    there is no P value.

    Single readers have DeLong's variance by class, and limits with Satterthwaite's degrees of
    freedom. Averages are analysed as in ``ReaderStudy.auc``. The jackknife variance of "wafroc",
    "inferred-roc" and "lroc" is (N - 1)/N times [K2/(K2 - 1) S2 + K1/(K1 - 1) S1], where S2 and S1
    are the parts of DeLong's variance of positives and negatives.

    Do not compare areas under different curves, and do not read the area as a sensitivity.

    References
    ----------
    - Chakraborty & Zhai (2016), the wAFROC curve [chakraborty-2016]
    - Chakraborty & Berbaum (2004), the AFROC curve [chakraborty-2004]
    - Swensson (1996), the LROC curve [swensson-1996]
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> areas = study.auc()
    >>> average = areas[areas["reader"] == "all"]
    >>> average[["modality", "quantity", "estimate", "ci_low", "ci_high"]].round(3)
      modality    quantity  estimate  ci_low  ci_high
    4        A  wafroc_auc     0.843   0.785    0.888
    9        B  wafroc_auc     0.696   0.610    0.771
    """
    interval = require_choice("interval", interval, get_args(MarksInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    area = _read_curve(sample, curve)
    plan = read_marks_plan(sample.readers, readers, cases, covariance)
    machines = () if sample.machine is None else (sample.machine,)
    rows = []
    for group, part in sample.by_group():
        endpoint = _area_endpoint(group, part, area, plan, sample.readers)
        alone = _area_endpoint(group, part, area, plan, machines) if machines else None
        for i in range(len(part.modalities)):
            n = len(sample.readers)
            found = [_one_area(endpoint, i, j, interval, confidence_level) for j in range(n)]
            if n > 1:
                scale: ReaderInterval = "wald" if interval == "wald" else "logit-t"
                found.append(infer_average(endpoint, i, scale, confidence_level))
            if alone is not None:
                found.append(_one_area(alone, i, 0, interval, confidence_level))
            rows += [answer_row_of_result(DETECTION_AUC, *one) for one in found]
    return answer_rows(DETECTION_AUC, sample, rows)


def _read_curve(sample: DetectionSample, curve: str) -> MarksArea:
    """Return the record of a curve; raise InputError if the study does not support it."""
    area = MARKS_AREAS[require_choice("curve", curve, list(MARKS_AREAS))]
    require_cases_for(sample, area)
    return area


def _one_area(
    endpoint: Endpoint, i: int, j: int, interval: MarksInterval, level: float
) -> ComparedRow:
    """Return the area of one reader under modality ``i``."""
    k = endpoint.curve(i, j)
    area = lone_area(endpoint.part, float(endpoint.value[k]), endpoint.rows[k])
    known = {**endpoint.known(i, j, 1), "confidence_level": level}
    notes = [*endpoint.notes(k), *few_cases_notes(endpoint.part)]
    if "no-marks" in notes and interval != "effective-wilson":
        # Nothing varies, and neither scale has a prior for that.
        return known, undefined_result("no-marks", area.value)._replace(se=0.0), notes
    found = infer_area(area, interval, AreaTest(level, "two-sided", float("nan")))
    method = area_interval(found.method).method
    df = np.nan if method is None else float(method.df(area))
    result = found._replace(df=df, method=f"{endpoint.words[1]}/{found.method}")
    notes = [note for note in notes if note != "zero-variance"]
    return known, result, notes


def _area_endpoint(
    group: str,
    part: DetectionSample,
    area: MarksArea,
    plan: MarksPlan,
    names: Sequence[str],
) -> Endpoint:
    """Return the areas of some readers, or a machine, under all modalities."""
    found = marks_areas(part, area, range(len(part.modalities)), names)
    parts, _ = class_parts(found.influence, found.influence, part)
    delong: FloatArray = parts.sum(axis=0)
    # A single reader has no analysis of readers: the covariance is that of its own areas.
    jackknife = plan.covariance == "jackknife" and len(names) > 1
    n_pos, n_neg = numbers_of_units(part)
    weights = area.word in ("wafroc", "wafroc1")
    codes = [*(["class-mix"] if area.all_false else []), *group_notes(part, weights=weights)]
    alone = DELONG_VARIANCE.word if part.cluster is None else DELONG_VARIANCE.clustered
    return Endpoint(
        group,
        part,
        plan,
        "area",
        names,
        found.value,
        jackknife_covariance(found.without) if jackknife else delong,
        delong,
        found.influence,
        partial(_df_of_difference, part, found),
        [{"quantity": area.quantity}] * len(part.modalities),
        (f"obuchowski-rockette-{plan.covariance if len(names) > 1 else 'delong'}", str(alone)),
        [["no-marks"] if empty else [] for empty in found.empty],
        codes,
        (n_pos, n_neg, min(n_pos, n_neg)),
    )


def _df_of_difference(part: DetectionSample, found: MarksAreas, first: int, second: int) -> float:
    return lone_difference_df(part, found.influence[first] - found.influence[second])


# --- Comparisons of modalities --------------------------------------------------------------------

DETECTION_COMPARE_AUC = Question(
    "detection_compare_auc",
    estimate_columns(
        f"modality reference group reader quantity {ESTIMATE} {TEST} p_adjusted df_numerator"
        " hypothesis n_readers n_pos n_neg n_lesions readers cases method note"
    ),
    (*_READERS, "hillis-2005", "delong-1988", "holm-1979"),
)


def detection_compare_auc(
    sample: DetectionSample,
    *,
    curve: MarksCurve = "wafroc",
    readers: Effect | None = None,
    cases: Effect = "random",
    covariance: MarksCovariance = "jackknife",
    by: By | None = None,
    reference: str | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of average areas between modalities; a row is one pair of modalities.

    Parameters
    ----------
    curve : {"wafroc", "afroc", "wafroc1", "afroc1", "inferred-roc", "lroc"}, default "wafroc"
        Curve under which the areas are compared, as in ``auc``.
    readers : {"random", "fixed"}, optional
        Population to which the comparison generalises: the population of readers, or these readers
        only. Default: "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases, "fixed" is for these cases only. Readers
        and cases cannot both be fixed.
    covariance : {"jackknife", "delong"}, default "jackknife"
        Covariance of the readers' areas, as in ``auc``. One reader has DeLong's.
    by : {"reader"}, optional
        "reader" gives the difference of each reader instead of the averages. Readers are then fixed
        and cases random.
    reference : str, optional
        Modality to compare all others with; default: every pair, earlier minus later.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, the average area of the modality minus the average area of the reference, as
        in ``ReaderStudy.compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; no default, except 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests modality minus reference > ``null_value``; its interval has a lower limit
        only.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all differences of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, df_numerator, n_pos, n_neg, n_lesions, n_readers,
        confidence_level, null_value, hypothesis, readers, cases, method, note``. ``quantity`` is
        that of ``auc`` with "_difference". The first row (``modality`` "all") is the F test that
        all modalities are equal, as in ``ReaderStudy.compare_auc``; two modalities of one reader
        have no such row. ``reader`` is "all" for averages.

    Raises
    ------
    InputError
        As ``auc``. Also if there is one modality, or a margin is missing.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    The analysis is that of ``ReaderStudy.compare_auc``, with the areas of ``auc`` and their
    covariance. One reader (two algorithms): the variance of the difference is DeLong's, S2 + S1
    from the differences of influences, and limits use t with Satterthwaite's degrees of freedom of
    K2 - 1 and K1 - 1. ``by="reader"`` does the same for each reader.

    If every reader has the same influences under both modalities, d = 0, p = 1 and there is no
    interval.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Hillis, Obuchowski, Schartz & Berbaum (2005) [hillis-2005]
    - Chakraborty & Zhai (2016), the wAFROC curve [chakraborty-2016]
    - DeLong, DeLong & Clarke-Pearson (1988), one reader [delong-1988]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> found = study.compare_auc().tail(1)
    >>> found[["modality", "reference", "estimate", "ci_low", "ci_high", "p_value"]].round(4)
      modality reference  estimate  ci_low  ci_high  p_value
    1        A         B     0.147  0.0445   0.2495   0.0089
    """
    by = require_choice("by", by, (None, *get_args(By)))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    area = _read_curve(sample, curve)
    tested = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    plan = read_marks_plan(sample.readers, readers, cases, covariance, by_reader=by is not None)
    claim = Claim(tested, adjust, modality_pairs(sample, reference))
    rows: list[ComparedRow] = []
    for group, part in sample.by_group():
        endpoint = _area_endpoint(group, part, area, plan, sample.readers)
        differences = list(modality_differences(endpoint, claim, by))
        if by is None:
            rows += global_test(endpoint, differences, tested)
        rows += differences
    return comparison_frame(DETECTION_COMPARE_AUC, sample, adjust, rows)


# --- Readers and a machine ------------------------------------------------------------------------

DETECTION_COMPARE_WITH = Question(
    "detection_compare_with",
    estimate_columns(
        f"modality reference group reader quantity {ESTIMATE} {TEST} p_adjusted hypothesis"
        " n_readers n_pos n_neg n_lesions readers cases method note"
    ),
    (*_READERS, "delong-1988", "holm-1979"),
)


def detection_compare_with(
    sample: DetectionSample,
    machine: str | None = None,
    *,
    curve: MarksCurve = "wafroc",
    readers: Effect | None = None,
    cases: Effect = "random",
    covariance: MarksCovariance = "jackknife",
    by: By | None = None,
    hypothesis: Hypothesis = "difference",
    margin: float | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences between readers and a machine on the same cases; a row is one modality.

    Parameters
    ----------
    machine : str, optional
        Name of the machine, or of any reader that the other readers are compared with. Default: the
        machine of the study.
    curve : {"wafroc", "afroc", "wafroc1", "afroc1", "inferred-roc", "lroc"}, default "wafroc"
        Curve under which the areas are compared, as in ``auc``.
    readers : {"random", "fixed"}, optional
        "random" generalises to the population of readers, "fixed" is about these readers. Default:
        "random", or "fixed" for one reader.
    cases : {"random", "fixed"}, default "random"
        "random" generalises to the population of cases, "fixed" is about these cases.
    covariance : {"jackknife", "delong"}, default "jackknife"
        Covariance of the areas of readers and machine, as in ``auc``.
    by : {"reader"}, optional
        "reader" compares each reader instead of the average. Readers are then fixed and cases
        random.
    hypothesis : {"difference", "superiority", "non-inferiority", "equivalence"}
        Claim about d, readers minus machine, as in ``compare_auc``.
    margin : float in (0, 1), optional
        Largest difference that does not matter; no default, except 0 for superiority.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests readers minus machine > ``null_value``.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``modality, reference, [group], reader, quantity, estimate, ci_low, ci_high,
        p_value, p_adjusted, se, statistic, df, n_pos, n_neg, n_lesions, n_readers,
        confidence_level, null_value, hypothesis, readers, cases, method, note``. ``reference`` is
        the machine, and ``reader`` is "all" in averages.

    Raises
    ------
    InputError
        As ``compare_auc``. Also if the study has no such machine or reader.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    Notes
    -----
    d_j is the area of reader j minus the area of the machine, and d is the mean of d_j over r
    readers, analysed as in ``ReaderStudy.compare_with``. One reader is compared with the machine as
    two algorithms are in ``compare_auc``.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Hillis (2007) [hillis-2007]
    - Chakraborty & Zhai (2016), the wAFROC curve [chakraborty-2016]
    - DeLong, DeLong & Clarke-Pearson (1988), one reader [delong-1988]
    - Holm (1979) [holm-1979]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> marks = marks[marks["modality"] == "A"]
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", machine="0")
    >>> study.compare_with()[["reference", "estimate", "ci_low", "ci_high"]].round(3)
      reference  estimate  ci_low  ci_high
    0         0    -0.047  -0.121    0.027
    """
    by = require_choice("by", by, (None, *get_args(By)))
    adjust = require_choice("adjust", adjust, ADJUSTMENTS)
    area = _read_curve(sample, curve)
    tested = read_hypothesis(hypothesis, margin, alternative, null_value, confidence_level)
    chosen = sample.require_machine(sample.machine if machine is None else machine)
    names = [name for name in sample.readers if name != chosen]
    if not names:
        raise InputError(
            f"`machine` must be marked beside readers; got {chosen!r}, the only reader. Algorithms"
            " are compared with each other by modality= and compare_auc()."
        )
    plan = read_marks_plan(names, readers, cases, covariance, by_reader=by is not None)

    def differences() -> Iterator[ComparedRow]:
        for group, part in sample.by_group():
            endpoint = _area_endpoint(group, part, area, plan, [*names, chosen])
            for i in range(len(part.modalities)):
                for j in range(len(names)) if by or len(names) == 1 else [None]:
                    yield minus_machine(endpoint, i, tested, j)

    return comparison_frame(DETECTION_COMPARE_WITH, sample, adjust, differences())


# --- Components -----------------------------------------------------------------------------------

DETECTION_COMPONENTS = Question(
    "detection_components",
    estimate_columns("model component group estimate n_readers n_pos n_neg n_lesions method note"),
    ("obuchowski-1995", "dorfman-1992", "hillis-2005", "hillis-2007"),
)


def detection_components(
    sample: DetectionSample,
    *,
    curve: MarksCurve = "wafroc",
    covariance: MarksCovariance = "jackknife",
) -> pd.DataFrame:
    """Return variance components and correlations of areas of marks; a row is one component.

    Use the components to plan the next study: ``ReaderDesign(components=...)`` takes the frame.

    Parameters
    ----------
    curve : {"wafroc", "afroc", "wafroc1", "afroc1", "inferred-roc", "lroc"}, default "wafroc"
        Curve of the areas, as in ``auc``.
    covariance : {"jackknife", "delong"}, default "jackknife"
        Covariance of the readers' areas, as in ``auc``.

    Returns
    -------
    pandas.DataFrame
        Columns ``model, component, [group], estimate, n_pos, n_neg, n_lesions, n_readers, method,
        note``, with the components that ``ReaderStudy.components`` describes.

    Raises
    ------
    InputError
        As ``auc``.

    Warns
    -----
    StatisticalWarning
        Once per study for each warning in ``note``.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Dorfman, Berbaum & Metz (1992) [dorfman-1992]
    - Hillis, Obuchowski, Schartz & Berbaum (2005) [hillis-2005]
    - Hillis (2007) [hillis-2007]

    Examples
    --------
    >>> import rocstats as rs
    >>> marks, cases, lesions = rs.load_marks_example()
    >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
    >>> pilot = study.components()
    >>> design = rs.ReaderDesign(
    ...     difference=0.1, components=pilot, pilot_n_pos=25, pilot_n_neg=30
    ... )
    >>> rs.power(design, n_readers=5, n_pos=60, n_neg=60)["power"].round(2).tolist()
    [0.86]
    """
    area = _read_curve(sample, curve)
    plan = read_marks_plan(sample.readers, None, "random", covariance)
    rows = []
    for group, part in sample.by_group():
        endpoint = _area_endpoint(group, part, area, plan, sample.readers)
        table = endpoint.table
        models = {"obuchowski-rockette": or_components(table)}
        if min(table.theta.shape) > 1:
            n_cases = float(len(part.is_positive))
            models["dorfman-berbaum-metz"] = dbm_components(table, n_cases)
        rows += [
            {
                **endpoint.known(0, None, len(sample.readers)),
                "model": model,
                "component": name,
                "estimate": estimate,
                "method": f"{endpoint.words[0]}/none",
                "note": endpoint.notes(*range(len(endpoint.value))),
            }
            for model, components in models.items()
            for name, estimate in components.items()
            if np.isfinite(estimate)
        ]
    return answer_rows(DETECTION_COMPONENTS, sample, rows)
