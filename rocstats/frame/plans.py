"""The sentence of each row of a plan, for a protocol or a grant application."""

from __future__ import annotations

import math

import pandas as pd

from rocstats.facts.measures import uncapital
from rocstats.facts.sentences import phrase
from rocstats.facts.words import RowLike, capital, quantity_title, row_dicts

_COLUMNS = frozenset(
    [
        "design",
        "quantity",
        "n_pos",
        "n_neg",
        "power",
        "half_width",
        "assumed",
        "null_value",
        "alpha",
    ]
)
"""The columns by which a plan is known."""

_CLAIMS = ("superiority", "non-inferiority", "equivalence")


def is_plan(frame: pd.DataFrame) -> bool:
    """Return whether a frame is an answer of ``sample_size`` or ``power``."""
    return set(frame) >= _COLUMNS


def plan_sentences(frame: pd.DataFrame) -> list[str]:
    """Return what each row of a plan says: cases, test, power and assumption.

    Parameters
    ----------
    frame : pandas.DataFrame
        What ``sample_size`` or ``power`` returned.

    Returns
    -------
    list of str
        A sentence for each row, and one on its simulated studies if there are any.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.frame.plans import plan_sentences
    >>> plan_sentences(rs.sample_size(auc=0.8, null_auc=0.7, power=0.9, ratio=2))
    ['For a power of 90%, the study needs 93 positives and 185 negatives: a two-sided test of
    AUC = 0.7 at a significance level of 0.05 then has a power of 90.2% if the AUC is 0.8.']
    """
    return [f"{capital(text)}." for row in row_dicts(frame) for text in _sentences_of_row(row)]


def _sentences_of_row(row: RowLike) -> list[str]:
    named = {
        "sizes": _sizes_in_words(row),
        "test": _test_in_words(row),
        "power": _percent(row["power"]),
        "assumed": _assumption_in_words(row),
        "half_width": f"{row['half_width']:.3g}",
        "level": _percent(1 - row["alpha"]),
    }
    wanted, width = (row.get(f"{name}_wanted", math.nan) for name in ("power", "half_width"))
    if _is_missing(row["n_pos"]) or _is_missing(row["n_neg"]):
        found = [phrase("plan.no_power", **named)]
    elif not math.isnan(wanted):
        found = [phrase("plan.needed", wanted=_percent(wanted), **named)]
    elif not math.isnan(width):
        found = [phrase("plan.needed_width", wanted=f"{width:g}", **named)]
    else:
        key = "width" if math.isnan(row["power"]) else "power"
        found = [phrase(f"plan.{key}", **named)]
    if row.get("n_simulations", 0) > 0:
        limits = {name: _percent(row[f"power_{name}"]) for name in ("low", "high")}
        simulated = {"number": int(row["n_simulations"]), "power": _percent(row["power_simulated"])}
        found.append(phrase("plan.simulated", **simulated, **limits))
    return found


def _is_missing(value: float) -> bool:
    return bool(pd.isna(value))


def _percent(share: float) -> str:
    """Return a share with one decimal, which is left out if it is 0; 100% only if exact."""
    text = f"{100 * share:.1f}".removesuffix(".0")
    return ">99.9%" if text == "100" and share < 1 else f"{text}%"


def _counted(number: float, what: str) -> str:
    return f"{number:g} {what if number != 1 else what.removesuffix('s')}"


def _sizes_in_words(row: RowLike) -> str:
    """Return the numbers of readers and cases, of one class only if the other has none."""
    counts = {"n_pos": "positives", "n_neg": "negatives"}
    parts = [
        _counted(row[name], what)
        for name, what in counts.items()
        if not _is_missing(row[name]) and row[name] > 0
    ]
    sizes = " and ".join(parts)
    if "per-group" in str(row.get("note", "")):
        sizes += " in each of two groups"
    readers = row.get("n_readers", math.nan)
    if _is_missing(readers):
        return sizes
    return ", ".join(filter(None, [_counted(readers, "readers"), sizes]))


def _test_in_words(row: RowLike) -> str:
    quantity, hypothesis = uncapital(quantity_title(str(row["quantity"]))), str(row["hypothesis"])
    if hypothesis in _CLAIMS:
        key = "claim" if _is_missing(row["margin"]) or row["margin"] == 0 else "margin"
        sides = "double one-sided" if hypothesis == "equivalence" else "one-sided"
        margin = f"{row['margin']:g}"
        test = phrase(f"plan.{key}", sides=sides, hypothesis=hypothesis, margin=margin)
    else:
        side = "a two-sided" if hypothesis == "two-sided" else "a one-sided"
        key = "null" if str(row["design"]).startswith("one-") else "difference"
        test = phrase(f"plan.{key}", side=side, quantity=quantity, null=f"{row['null_value']:g}")
    # Superiority and non-inferiority are tested at alpha / 2, equivalence at alpha a side.
    halved = hypothesis in _CLAIMS and hypothesis != "equivalence"
    alpha = row["alpha"] / 2 if halved else row["alpha"]
    return phrase("plan.level", test=test, alpha=f"{alpha:g}")


def _assumption_in_words(row: RowLike) -> str:
    quantity = uncapital(quantity_title(str(row["quantity"])))
    key = "assumed" if str(row["design"]).startswith("one-") else "assumed_difference"
    # 0.85 - 0.8 is 0.04999999999999993.
    return phrase(f"plan.{key}", quantity=quantity, assumed=f"{row['assumed']:.6g}")
