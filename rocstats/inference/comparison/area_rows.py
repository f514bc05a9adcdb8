"""The rows of differences of areas: limits, adjusted p values, methods and notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rocstats.frames.questions import BINNING_ERROR
from rocstats.inference.comparison.rows import Compared, Planned, infer_row
from rocstats.inference.estimates.area_inference import area_columns
from rocstats.inference.estimates.hypotheses import hypothesis_columns
from rocstats.sample.arrays import BoolArray
from rocstats.sample.base import row_codes
from rocstats.sample.counts.clusters import clusters_span
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import range_codes, size_codes
from rocstats.stats.comparison.contrasts import ContrastResult
from rocstats.stats.comparison.hanley_mcneil import unequal_spread
from rocstats.stats.comparison.hypotheses import HypothesisPlan
from rocstats.stats.comparison.multiplicity import adjust_p_values, single_step

OWN_SIZES = (
    *("n_pos", "n_neg", "reference_n_pos", "reference_n_neg"),
    *("n_pos_shared", "n_neg_shared"),
)
# Values in the units of the area, which are its width times those of the mean rate.
_SCALED = ("estimate", "se", "ci_low", "ci_high")
_TESTED = ("statistic", "df", "p_value")
# With areas of 0.95, DeLong's test of level .05 rejected in .007 of samples of 15 cases a class and
# in .025 of 30, the permutation test in .029 and .045; with areas of 0.80 they do not differ
# (validation/size/differences.csv).
_HIGH_AREA, _FEW_FOR_HIGH_AREAS = 0.9, 30


def difference_rows(
    compared: Compared, planned: Sequence[Planned], tested: HypothesisPlan, adjust: str
) -> list[dict[str, Any]]:
    """Return the rows of the planned differences, p values adjusted over all of them."""
    # All inference is about mean rates, so that one set of limits serves whole and partial areas.
    in_rates = tested.over(compared.choice.over.width)
    results = [infer_row(compared, row, in_rates) for row in planned]
    p_values = np.array([np.nan if result is None else result.p_value for result in results])
    if adjust == "single-step":
        # Identical predictors have no statistic: their p of 1 is no test of the family.
        alike = np.array([result is not None and result.kind == "none" for result in results])
        differing = np.where(alike, np.nan, p_values)
        adjusted, together = single_step(differing, compared.row_covariance(planned), in_rates)
        adjusted[alike] = p_values[alike]
        # Again, at the level a row at which the limits of all rows are simultaneous.
        results = [infer_row(compared, row, together) for row in planned]
        code = "simultaneous-intervals"
    else:
        adjusted = adjust_p_values(p_values, adjust)  # type: ignore[arg-type]
        code = f"adjusted={adjust}"
    of_group = _of_group(compared)
    rows = []
    for row, result, p in zip(planned, results, adjusted.tolist(), strict=True):
        codes = _codes(compared, row, result, of_group)
        if adjust != "none" and len(planned) > 1 and np.isfinite(p):
            codes.append(code)
        rows.append({**_row(compared, row, result, tested), "p_adjusted": p, "note": codes})
    return rows


OfGroup = Callable[[Planned, int], Sequence[str]]
"""Returns the notes of a row on the sizes of a group."""


def _of_group(compared: Compared) -> OfGroup:
    if compared.sample.own_dropped is None:
        # Of a group once, not for each of its pairs: clusters are counted for them.
        notes = [[*size_codes(part.cases), *row_codes(part)] for part in compared.parts]
        return lambda row, g: notes[g]
    missing = np.isnan(compared.sample.scores)

    def own(row: Planned, g: int) -> Sequence[str]:
        used = [k for group, k in row.at if group == g]
        sizes = [code for k in used for code in size_codes(compared.cases(g, k))]
        # Left out are the rows without a score of any of those compared.
        gone = compared.sample.n_dropped
        gone += int(np.count_nonzero(missing[[k for _, k in row.at]].all(axis=0)))
        about = [code for code in row_codes(compared.sample) if "rows-dropped" not in code]
        dropped = [f"rows-dropped={gone}"] if gone else []
        return [*sizes, "available-cases", *dropped, *about]

    return own


def _row(
    compared: Compared, row: Planned, result: ContrastResult | None, tested: HypothesisPlan
) -> dict[str, Any]:
    n_pos, n_neg = compared.size(row)
    about = {
        **area_columns(compared.choice.over),
        **row.names,
        **hypothesis_columns(tested),
        "n_pos": n_pos,
        "n_neg": n_neg,
        **_own_sizes(compared, row),
        "n_resamples": 0,
        "method": "none/none",
        BINNING_ERROR: compared.binning_error(row),
        "ends": (-compared.choice.over.width, compared.choice.over.width),
    }
    if result is None:
        numbers = dict.fromkeys((*_SCALED, *_TESTED), np.nan)
        return {**about, **numbers, "estimate": compared.estimate(row)}
    width, plan = compared.choice.over.width, compared.choice.plan
    about |= {name: width * getattr(result, name) for name in _SCALED}
    about |= {name: getattr(result, name) for name in _TESTED}
    family = compared.families[row.at[0][0]]
    # The standard error may be that of resamples where the limits take none.
    drawn = family is not None and family.draws is not None and result.se > 0
    # Not "permutation-exact", whose exchanges are listed and not drawn.
    if plan is not None and (drawn or result.kind.endswith(("percentile", "/permutation"))):
        about["n_resamples"] = plan.n_resamples
    interval = result.kind.partition("/")[0]
    # MOVER takes the limits of each area, not the variance that was wanted.
    source = {"mover": "newcombe", "none": "none"}.get(interval, family.name if family else "none")
    return {**about, "method": f"{source}/{result.kind}"}


def _own_sizes(compared: Compared, row: Planned) -> dict[str, float]:
    """Return the numbers of cases of each of two areas, and of the shared ones.

    Nothing in a study whose predictors all have the same cases by its policy. Of a contrast, the
    first numbers are those of the cases that have any of its scores.
    """
    if not compared.sample.own_cases:
        return {}
    any_score, shared = np.zeros(2), np.zeros(2)
    groups = list(dict.fromkeys(g for g, _ in row.at))
    for g in groups:
        part = compared.parts[g]
        has_score = ~np.isnan(part.scores[[k for group, k in row.at if group == g]])
        any_score += _count(part, np.asarray(has_score.any(axis=0)))
        # Groups share no cases.
        shared += _count(part, np.asarray(has_score.all(axis=0))) if len(groups) == 1 else 0.0
    first, second = any_score.tolist(), [np.nan, np.nan]
    # The predictor of a pair has the weight 1, its reference -1.
    if sorted(row.weights.tolist()) == [-1.0, 1.0]:
        own = [compared.cases(*row.at[int(i)]) for i in np.argsort(row.weights)]
        second, first = ([cases.n_pos, cases.n_neg] for cases in own)
    return dict(zip(OWN_SIZES, (*first, *second, *shared.tolist()), strict=True))


def _count(part: Sample, rows: BoolArray) -> tuple[float, float]:
    """Return the numbers of positives and negatives among rows."""
    times = rows.astype(np.float64) if part.frequency is None else rows * part.frequency
    return float(times[part.is_positive].sum()), float(times[~part.is_positive].sum())


def _codes(
    compared: Compared,
    row: Planned,
    result: ContrastResult | None,
    of_group: OfGroup,
) -> list[str]:
    """Return the notes of a row; ``of_group`` holds the notes about the size of each group."""
    used = list(dict.fromkeys(g for g, _ in row.at))
    if result is None:
        one_class = any(compared.cases(g, k).lacks_class for g, k in row.at)
        notes = [code for g in used for code in row_codes(compared.parts[g])]
        return ["one-class" if one_class else "weights-need-bootstrap", *notes]
    families = [family for g in used if (family := compared.families[g]) is not None]
    codes = [*result.codes, *(code for family in families for code in family.codes)]
    for g, k in row.at:
        codes += range_codes(compared.cases(g, k), k, compared.choice.over)
    if compared.choice.method == "hanley-mcneil" and any(
        unequal_spread(compared.cases(g, k), k) for g, k in row.at
    ):
        codes.append("unequal-spread")
    if len(used) > 1 and clusters_span([compared.parts[g].all_cases for g in used]):
        codes.append("partially-paired")
    if _rejects_too_rarely(compared, row, result):
        codes.append("high-areas-few-cases")
    return [*codes, *(code for g in used for code in of_group(row, g))]


def _rejects_too_rarely(compared: Compared, row: Planned, result: ContrastResult) -> bool:
    """Return whether a permutation test would have more power: high areas, few cases."""
    g = row.at[0][0]
    least = min(min(own.n_pos, own.n_neg) for own in (compared.cases(*at) for at in row.at))
    few = least <= _FEW_FOR_HIGH_AREAS and compared.choice.over.full
    paired = len(row.at) == 2 and row.at[1][0] == g
    if not few or not paired or compared.choice.permuted or result.kind == "none":
        return False
    return all(compared.value(g, k) > _HIGH_AREA for _, k in row.at)
