"""Files that were dropped on the window: kept in its folder, looked at before they are read."""

from __future__ import annotations

import re
import secrets
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import fields as fields_of_dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np
import pandas as pd

from rocstats.app.forms import Field, Values, texts_of
from rocstats.commands.reading import Reading
from rocstats.errors import InputError
from rocstats.study.files import DATA_ENDINGS, reading_in_words

MOST_UNPACKED = 2**30
"""Bytes of a workbook when it is unpacked: a zip file of some kilobytes may hold terabytes."""
MOST_COLUMNS = 500
"""Columns that a page can offer to choose from."""
MOST_LABELS = 20
"""Labels of a column that may be an outcome, in the list to choose from."""
_FIRST_ROWS, _FIRST_COLUMNS = 8, 12  # of a file, on its page: as much as a screen shows
_N_BINS = 30  # of a histogram 180 pixels wide


@dataclass(frozen=True)
class Upload:
    """A file with the name that the user gave it."""

    name: str
    path: Path
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))


class Column(NamedTuple):
    """A column as the window shows it."""

    name: str
    is_number: bool
    labels: Sequence[str]
    """Its labels if there are few, the most frequent ones first."""


class Preview(NamedTuple):
    """A file as it was understood."""

    n_rows: int
    columns: Sequence[Column]
    heads: Sequence[str]
    first_rows: Sequence[Sequence[str]]
    said: str
    """How the file was read, in words."""
    frame: pd.DataFrame


def safe_name(name: str) -> str:
    """Return the name of a file without folders; raise InputError of an unknown ending."""
    last = re.split(r"[/\\]", name)[-1]
    kept = re.sub(r"[^\w .()+-]", "_", last).strip(". ")[-100:]
    ending = Path(kept).suffix.lower()
    if ending not in DATA_ENDINGS or not Path(kept).stem:
        raise InputError(
            f"`FILE` must be a table: {', '.join(DATA_ENDINGS)}; got {last!r}. Save it as one of"
            " these."
        )
    return kept


def require_sane_archive(path: Path) -> None:
    """Raise InputError if a zipped file, such as a workbook, unpacks to more than it may."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        n_bytes = sum(part.file_size for part in archive.infolist())
    if n_bytes > MOST_UNPACKED:
        raise InputError(
            f"`FILE` must unpack to at most {MOST_UNPACKED // 2**20} MB; got"
            f" {n_bytes // 2**20:,} MB. Save the sheet as csv."
        )


def reading_of(fields: Sequence[Field], values: Values) -> Reading:
    """Return the options of reading that a form holds; raise InputError of a wrong number."""
    hints = get_type_hints(Reading)
    asked: dict[str, Any] = {}
    for one in fields:
        if texts := texts_of(one, values):
            asked[one.name] = _typed(one, hints[one.name], texts)
    return Reading(
        **{f.name: asked[f.name] for f in fields_of_dataclass(Reading) if f.name in asked}
    )


def _typed(one: Field, annotated: Any, texts: list[str]) -> Any:
    kinds = [
        annotated,
        *get_args(annotated),
        *(k for a in get_args(annotated) for k in get_args(a)),
    ]
    number = next((kind for kind in (int, float) if kind in kinds), None)
    if one.kind == "flag":
        return True
    try:
        found = texts if number is None else [number(text) for text in texts]
    except ValueError:
        raise InputError(
            f"`{one.flag}` must be a number; got {texts[0]!r}. Correct it, or leave it empty."
        ) from None
    return found if one.kind == "lines" else found[0]


def look_at(upload: Upload, reading: Reading) -> Preview:
    """Return a file as it is read with these options.

    Raises
    ------
    InputError
        If it cannot be read, or has more columns than a page can offer.
    """
    require_sane_archive(upload.path)
    data = reading.read(upload.path)
    if len(data.columns) > MOST_COLUMNS:
        raise InputError(
            f"`FILE` must have at most {MOST_COLUMNS} columns in the window; got"
            f" {len(data.columns):,}. Leave out some, or use the command line."
        )
    first = data.iloc[:_FIRST_ROWS, :_FIRST_COLUMNS]
    return Preview(
        n_rows=len(data),
        columns=[_column(str(name), data[name]) for name in data.columns],
        heads=[str(name) for name in first.columns],
        first_rows=[
            ["" if pd.isna(cell) else str(cell) for cell in row] for row in first.to_numpy()
        ],
        said=reading_in_words(data),
        frame=data,
    )


def _column(name: str, column: pd.Series) -> Column:
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    counts = column.dropna().astype(str).value_counts()
    labels = [_label(text) for text in counts.index] if len(counts) <= MOST_LABELS else []
    return Column(name, is_number, labels)


def _label(text: str) -> str:
    """Return a label as it is written in a file: 1.0 of a column with missing values is 1."""
    return text.removesuffix(".0")


class Histogram(NamedTuple):
    """Shares of both groups in bins from the lowest to the highest score."""

    low: str
    high: str
    with_condition: Sequence[float]
    without: Sequence[float]


def histograms_of(preview: Preview, outcome: str, positive: str) -> Mapping[str, Histogram]:
    """Return the histograms of the columns of numbers; none unless both groups exist."""
    if outcome not in preview.frame or not positive:
        return {}
    label = preview.frame[outcome].astype(str).map(_label)
    known = preview.frame[outcome].notna().to_numpy()
    ill = known & (label == positive).to_numpy()
    well = known & ~ill
    if not ill.any() or not well.any():
        return {}
    found = {}
    for column in preview.columns:
        if column.is_number and column.name != outcome:
            values = preview.frame[column.name].to_numpy(dtype=float)
            finite = np.isfinite(values)
            if (finite & ill).any() and (finite & well).any():
                found[column.name] = _histogram(values[finite & ill], values[finite & well])
    return found


def _histogram(ill: np.ndarray[Any, Any], well: np.ndarray[Any, Any]) -> Histogram:
    both = np.concatenate([ill, well])
    low, high = float(both.min()), float(both.max())
    edges = np.linspace(low, high if high > low else low + 1, _N_BINS + 1)
    counts = [np.histogram(part, edges)[0] / len(part) for part in (ill, well)]
    most = max(float(part.max()) for part in counts)
    of_ill, of_well = ((part / most).round(3).tolist() for part in counts)
    return Histogram(f"{low:g}", f"{high:g}", of_ill, of_well)
