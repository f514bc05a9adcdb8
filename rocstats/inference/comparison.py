"""Which predictor, or which group, has the larger area: differences with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.curves.area import area
from rocstats.errors import InputError, require_choice, require_open_interval
from rocstats.frames import estimate_frame
from rocstats.glossary import FULL_AREA
from rocstats.sample.groups import require_comparable
from rocstats.sample.pairs import index_pairs
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.sample.vectors import FloatArray
from rocstats.stats.areas import areas_of, size_codes, variance_name
from rocstats.stats.contrasts import (
    Asked,
    ContrastResult,
    independent_df,
    infer_contrast,
)
from rocstats.stats.influence import AreaCovariance, area_covariance
from rocstats.stats.intervals import ALTERNATIVES, Alternative
from rocstats.stats.multiplicity import ADJUSTMENTS, Adjustment, adjust_p_values

REFERENCES = (
    "DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845.",
    "Obuchowski NA. Biometrics 1997;53:567-578.",
    "Zou GY, Donner A. Stat Med 2008;27:1693-1702.",
    "Holm S. Scand J Stat 1979;6:65-70.",
)
_NUMBERS = ("se", "ci_low", "ci_high", "statistic", "df", "p_value")


@dataclass(frozen=True, eq=False)
class Contrast:
    """Weights of the areas, and the names that stand in the row."""

    predictor: str
    reference: str
    weights: FloatArray


def compare_auc(
    sample: Sample,
    *,
    reference: str | None = None,
    across: Literal["predictors", "groups"] = "predictors",
    contrasts: Mapping[str, Sequence[float]] | npt.ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    null_value: float = 0.0,
    adjust: Adjustment = "holm",
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return differences of areas; a row is one pair of predictors (or groups) or one contrast.

    Parameters
    ----------
    reference : str, optional
        Predictor (or group) that all others are compared with. Default: every pair, the earlier
        one minus the later one.
    across : {"predictors", "groups"}, default "predictors"
        "predictors" compares predictors on the same cases (paired), in each group. "groups"
        compares the independent groups, for each predictor (unpaired).
    contrasts : mapping of str to sequence of float, or array-like of shape (q, k), optional
        Weights of the k areas, q linear combinations that replace the pairs; the names (or
        "contrast_1", ...) stand in ``predictor``, ``reference`` is "contrast". Each must sum to 0.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" tests predictor minus reference > ``null_value``; its interval has a lower limit
        only.
    null_value : float in (-1, 1), default 0
        Difference under the null hypothesis.
    adjust : {"holm", "bonferroni", "none"}, default "holm"
        Adjustment of the p values over all rows of the frame; intervals are not adjusted.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], quantity, range_axis, range_low, range_high,
        estimate, se, ci_low, ci_high, confidence_level, null_value, statistic, df, p_value,
        p_adjusted, hypothesis, n_pos, n_neg, method, note``. Across groups, ``group`` and
        ``reference`` hold the two groups and the counts are the sums of both.

    Raises
    ------
    InputError
        If there is nothing to compare, a name or word is unknown, a contrast does not sum to 0, or
        a cluster spans groups that are compared.

    Warns
    -----
    StatisticalWarning
        Once for each doubt that stands in ``note``.

    Notes
    -----
    Paired: d = A1 - A2, Var = S11 + S22 - 2 S12 from the covariance of the placements (DeLong), of
    their cluster sums (Obuchowski), or foldwise; limits d -+ z se, cut at -1 and 1. Unpaired: the
    variances add, and t has Satterthwaite's degrees of freedom over the four (or more) components.

    Where an area is 0 or 1, or the variance of d is 0, limits come from each area's own Newcombe
    limits by MOVER: lower = d - sqrt((A1 - l1)^2 + (u2 - A2)^2); the test inverts them. Predictors
    that rank all cases alike have d = 0, p = 1 and no interval.

    Not for nested models compared on their training data, where DeLong's null distribution is not
    normal.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988); Obuchowski (1997); Zou & Donner (2008); Holm (1979).

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> study.compare_auc()[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture     0.162   0.119    0.206
    """
    asked = _asked(alternative, null_value, confidence_level)
    require_choice("across", across, ("predictors", "groups"))
    require_choice("adjust", adjust, ADJUSTMENTS)
    if across == "groups":
        rows = _across_groups(sample, reference, contrasts, asked)
    else:
        planned = _plan(sample.predictors, "predictors", reference, contrasts)
        rows = [
            row for group, part in sample.by_group() for row in _paired(part, group, planned, asked)
        ]
    _adjust(rows, adjust)
    return estimate_frame(
        "compare_auc", rows, grouped=sample.group is not None, references=REFERENCES
    )


def _asked(alternative: Alternative, null_value: float, confidence_level: float) -> Asked:
    require_choice("alternative", alternative, ALTERNATIVES)
    require_open_interval("null_value", null_value, -1, 1)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    return Asked(confidence_level, alternative, float(null_value))


def _plan(names: Sequence[str], kind: str, reference: str | None, contrasts: Any) -> list[Contrast]:
    """Return the contrasts asked for: given ones, all against one, or every pair."""
    if len(names) < 2:
        raise InputError(
            f"`across` must name something of which there are two or more; got {len(names)}"
            f" {kind}. Pass more {kind} to the study."
        )
    if contrasts is not None:
        return _given(names, reference, contrasts)
    pairs = index_pairs(names, reference)
    unit = np.eye(len(names))
    return [Contrast(names[i], names[j], unit[i] - unit[j]) for i, j in pairs]


def _given(names: Sequence[str], reference: str | None, contrasts: Any) -> list[Contrast]:
    if reference is not None:
        raise InputError(
            f"`reference` must stay None when `contrasts` are given; got {reference!r}."
            " Leave one of them out."
        )
    if isinstance(contrasts, Mapping):
        labels, matrix = list(contrasts), np.array(list(contrasts.values()), dtype=np.float64)
    else:
        matrix = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
        labels = [f"contrast_{i + 1}" for i in range(len(matrix))]
    if matrix.ndim != 2 or matrix.shape[1] != len(names):
        raise InputError(
            f"`contrasts` must have one weight for each of {list(names)}; got shape {matrix.shape}."
            " Pass a row of weights per contrast."
        )
    for label, weights in zip(labels, matrix, strict=True):
        if not np.isfinite(weights).all() or abs(weights.sum()) > 1e-9 or not weights.any():
            raise InputError(
                f"`contrasts` must be finite, not all 0 and sum to 0; got {weights.tolist()} for"
                f" {label!r}. Make the weights sum to 0."
            )
    return [
        Contrast(label, "contrast", weights) for label, weights in zip(labels, matrix, strict=True)
    ]


def _paired(
    sample: Sample, group: str, planned: Sequence[Contrast], asked: Asked
) -> list[dict[str, Any]]:
    everyone = range(len(sample.predictors))
    rows = [_blank(sample, contrast, group, asked) for contrast in planned]
    if sample.n_pos == 0 or sample.n_neg == 0:
        return [{**row, "note": ["one-class", *sample.notes()]} for row in rows]
    require_fold_classes(sample)
    if sample.sample_weight is not None:
        areas = np.array(
            [np.mean([area(part.counts(k)) for _, part in sample.by_fold()]) for k in everyone]
        )
        codes = ["weights-need-bootstrap", *sample.notes()]
        return [
            {**row, "estimate": float(contrast.weights @ areas), "note": codes}
            for row, contrast in zip(rows, planned, strict=True)
        ]
    covariance = area_covariance(sample, list(everyone))
    areas_ = areas_of(sample, covariance)
    name = variance_name(sample, "delong")
    for row, contrast in zip(rows, planned, strict=True):
        weights = contrast.weights
        variance = _contrast_variance(weights, covariance)
        found = infer_contrast(
            weights,
            areas_,
            variance,
            np.inf,
            asked,
            identical=_identical(sample, weights, variance, covariance),
        )
        _fill(row, found, name, [*size_codes(sample), *sample.notes()])
    return rows


def _contrast_variance(weights: FloatArray, covariance: AreaCovariance) -> float:
    """Return w' S w; below the rounding error of its terms it is 0."""
    variance = float(weights @ covariance.covariance @ weights)
    scale = float(weights**2 @ np.diag(covariance.covariance))
    return 0.0 if variance <= 1e-13 * scale else variance


def _identical(
    sample: Sample, weights: FloatArray, variance: float, covariance: AreaCovariance
) -> bool:
    """Whether the predictors involved rank all cases alike, or differ in no placement."""
    used = np.flatnonzero(weights)
    if variance > 0:
        return False
    first = sample.codes(int(used[0]))
    if all(np.array_equal(sample.codes(int(k)), first) for k in used[1:]):
        return True
    values = covariance.area[used]
    inside = bool(np.all((values > 0) & (values < 1)))
    return inside and abs(float(weights @ covariance.area)) < 1e-14


def _across_groups(
    sample: Sample, reference: str | None, contrasts: Any, asked: Asked
) -> list[dict[str, Any]]:
    if sample.group is None:
        raise InputError(
            "`across` must be 'predictors' without groups; got 'groups'. Pass group= to the study."
        )
    parts = sample.by_group()
    planned = _plan([label for label, _ in parts], "groups", reference, contrasts)
    require_comparable(parts)
    samples = [part for _, part in parts]
    return [
        row
        for k, name in enumerate(sample.predictors)
        for row in _unpaired(samples, k, name, planned, asked)
    ]


def _unpaired(
    samples: Sequence[Sample], k: int, name: str, planned: Sequence[Contrast], asked: Asked
) -> list[dict[str, Any]]:
    rows = []
    weighted = samples[0].sample_weight is not None
    results = [] if weighted else [area_covariance(part, [k]) for part in samples]
    for contrast in planned:
        used = [samples[i] for i in np.flatnonzero(contrast.weights).tolist()]
        row = _blank(samples[0], contrast, contrast.predictor, asked)
        row["predictor"] = name
        row["n_pos"] = sum(part.n_pos for part in used)
        row["n_neg"] = sum(part.n_neg for part in used)
        codes = [code for part in used for code in (*size_codes(part), *part.notes())]
        if weighted:
            areas = np.array(
                [np.mean([area(f.counts(k)) for _, f in part.by_fold()]) for part in samples]
            )
            row["estimate"] = float(contrast.weights @ areas)
            row["note"] = ["weights-need-bootstrap", *samples[0].notes()]
        else:
            found = _unpaired_result(contrast.weights, samples, results, asked)
            _fill(row, found, variance_name(samples[0], "delong"), codes)
        rows.append(row)
    return rows


def _unpaired_result(
    weights: FloatArray, samples: Sequence[Sample], results: Sequence[AreaCovariance], asked: Asked
) -> ContrastResult:
    areas = [areas_of(part, result)[0] for part, result in zip(samples, results, strict=True)]
    used = np.flatnonzero(weights).tolist()
    variance = float(sum(weights[i] ** 2 * areas[i].variance for i in used))
    df = independent_df([results[i] for i in used], weights[used], 0)
    return infer_contrast(weights, areas, variance, df, asked, identical=False)


def _blank(sample: Sample, contrast: Contrast, group: str, asked: Asked) -> dict[str, Any]:
    return {
        **FULL_AREA,
        **dict.fromkeys(("estimate", *_NUMBERS), np.nan),
        "predictor": contrast.predictor,
        "reference": contrast.reference,
        "group": group,
        "confidence_level": asked.confidence_level,
        "null_value": asked.null_value,
        "hypothesis": asked.alternative,
        "n_pos": sample.n_pos,
        "n_neg": sample.n_neg,
        "method": "none/none",
        "note": [],
    }


def _fill(row: dict[str, Any], found: ContrastResult, variance: str, codes: list[str]) -> None:
    source = {"mover": "newcombe", "none": "none"}.get(found.kind, variance)
    row.update({name: getattr(found, name) for name in ("estimate", *_NUMBERS)})
    row["method"] = f"{source}/{found.kind}"
    row["note"] = [*found.codes, *codes]


def _adjust(rows: list[dict[str, Any]], adjust: Adjustment) -> None:
    adjusted = adjust_p_values(np.array([row["p_value"] for row in rows]), adjust)
    for row, p in zip(rows, adjusted, strict=True):
        row["p_adjusted"] = float(p)
        if adjust != "none" and len(rows) > 1 and np.isfinite(p):
            row["note"] = [*row["note"], f"adjusted={adjust}"]
