"""The evidence of the recorded simulations, by the declarations of tables.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from validation.bounds import below_margin, too_high, too_low
from validation.files import ROOT
from validation.ledger.credit import Key, Number, keys_of
from validation.ledger.evidence import Evidence, Setting
from validation.ledger.options import HERE

FEW = 20
"""Settings with as many cases of a class, or fewer, are small."""

UNEQUAL = 4
"""Settings with as many times the cases of one class in the other, or more, are unequal."""

NEAR_1 = 0.95
"""Settings with an area (or a rate) of this, or more, are near 1."""

MEASURES = {
    "coverage": ("ci_low", 0.95),
    "size": ("p_value", 0.05),
    "power": ("power", 0.8),
    "share of the bound": ("estimate", 1.0),
    "error of probability": ("p_adjusted", 0.0),
}
"""What simulations measure: the column of an answer that it is about, and its usual level."""

HIGH_IS_WRONG = ("size", "share of the bound", "error of probability")

Declared = Mapping[str, Any]


@cache
def declarations() -> Mapping[str, Any]:
    """Return tables.toml."""
    return tomllib.loads((HERE / "tables.toml").read_text(encoding="utf-8"))


def evidence_of_tables() -> dict[Key, Evidence]:
    """Return what the recorded simulations say about each row of the ledger."""
    found: dict[Key, Evidence] = {}
    for declared in declarations()["table"]:
        measure = declared.get("measure", "coverage")
        table = declared["file"].removesuffix(".csv")
        for number, setting in settings_of(declared):
            for key in set(keys_of(number)):
                found.setdefault(key, Evidence()).add_setting(measure, table, setting)
    return found


def settings_of(declared: Declared) -> Iterator[tuple[Number, Setting]]:
    """Yield the settings of a declaration, each with what it was asked; LookupError if none."""
    frame = _read(declared["file"])
    frame = frame.query(declared["where"], engine="python") if "where" in declared else frame
    if frame.empty:
        raise LookupError(f"tables.toml: no row of {declared['file']} is {declared['where']}")
    column, usual = MEASURES[declared.get("measure", "coverage")]
    share = _values(frame, declared.get("share", _share_column(frame)))
    level = _values(frame, declared.get("level", usual))
    words = {option: _values(frame, text) for option, text in declared.get("by", {}).items()}
    method = frame[declared["method"]] if "method" in declared else None
    cells = _cells(frame, declared)
    short = _falls_short(frame, declared, share, level)
    samples = None if declared.get("exact") else _samples(frame, declared)
    sign = 1 if declared.get("measure") in HIGH_IS_WRONG else -1
    for i in range(len(frame)):
        arguments = {**declared.get("options", {}), **{o: v[i] for o, v in words.items()}}
        named = "" if method is None else str(method.iloc[i])
        yield (
            Number(
                declared["question"], arguments, column, named,
                _quantity(frame, i), tuple(declared.get("roles", ())), simulated=True,
            ),
            Setting(
                float(share[i]), float(level[i]), sign * float(share[i] - level[i]),
                None if samples is None else float(np.sqrt(share[i] * (1 - share[i]) / samples[i])),
                bool(short[i]), frozenset(name for name, chosen in cells.items() if chosen[i]),
            ),
        )  # fmt: skip


@cache
def _read(file: str) -> pd.DataFrame:
    # Words stay words in every version of pandas, and an empty cell is no word.
    frame = pd.read_csv(ROOT / file)
    return frame.astype({name: object for name in frame if frame[name].dtype.kind not in "biuf"})


def _values(frame: pd.DataFrame, text: str | float) -> npt.NDArray[Any]:
    """Return a column, an expression of columns, or one number for all rows."""
    if isinstance(text, str):
        found = frame[text] if text in frame else frame.eval(text, engine="python")
        return np.asarray(found)
    return np.full(len(frame), float(text))


def _share_column(frame: pd.DataFrame) -> str:
    return "coverage" if "coverage" in frame else "share"


def _samples(frame: pd.DataFrame, declared: Declared) -> npt.NDArray[np.float64] | None:
    """Return how many samples a share is of; None where it is no share."""
    if declared.get("measure") in ("share of the bound", "error of probability"):
        return None
    return _values(frame, declared.get("replicates", "replicates"))


def _quantity(frame: pd.DataFrame, i: int) -> str:
    return str(frame["quantity"].iloc[i]) if "quantity" in frame else ""


def _falls_short(
    frame: pd.DataFrame, declared: Declared, share: Any, level: Any
) -> npt.NDArray[np.bool_]:
    """Return the shortfalls that a table marks; of one without marks, by the rule of all tables."""
    marked = declared.get("shortfall", "shortfall")
    measure = declared.get("measure", "coverage")
    if measure == "share of the bound":
        return np.asarray(share > 1 + 1e-9)
    if measure == "error of probability":
        return np.zeros(len(frame), dtype=bool)
    if marked in frame:
        return np.asarray([str(value) in ("True", "shortfall") for value in frame[marked]])
    if declared.get("exact"):
        return below_margin(share, level)
    rule = too_high if measure == "size" else too_low
    return rule(share, level, _samples(frame, declared))


def _cells(frame: pd.DataFrame, declared: Declared) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which settings are small, unequal, tied or near 1, as far as the table tells."""
    found = {"all": np.ones(len(frame), dtype=bool)}
    sizes = [declared.get(name, name if name in frame else None) for name in ("n_pos", "n_neg")]
    if all(sizes):
        pos, neg = (_values(frame, text).astype(float) for text in sizes)
        found["small"] = np.minimum(pos, neg) <= FEW
        found["unequal"] = np.maximum(pos, neg) >= UNEQUAL * np.minimum(pos, neg)
    near = f"auc >= {NEAR_1}" if "auc" in frame else None
    for name, text in (
        ("small", declared.get("small")),
        ("tied", declared.get("tied")),
        ("near 1", declared.get("near_1", near)),
    ):
        if text is not None:
            found[name] = _values(frame, text).astype(bool)
    return found
