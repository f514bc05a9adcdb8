"""Files of SPSS, Stata and SAS, whose codes may have words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rocstats.study.cells import cell_numbers_with_missing
from rocstats.study.vectors import EXACT_INTEGERS

PACKAGE_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def read_package(
    file: Path, ending: str, encoding: str | None
) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Return the columns of a file, and for those whose codes became words, the word of each code.

    What the author of the file declared missing is missing. Codes become words, in the order of the
    codes, if each code in the column has a word and no two the same; else the column keeps them.
    """
    import pyreadstat

    frame, about = getattr(pyreadstat, PACKAGE_READERS[ending])(str(file), encoding=encoding)
    columns: dict[str, Any] = {}
    words: dict[str, dict[str, str]] = {}
    for name in frame.columns:
        labels = about.variable_value_labels.get(name, {})
        codes = sorted(frame[name].dropna().unique().tolist()) if labels else []
        found = [labels[code] for code in codes if code in labels]
        if codes and len(set(found)) == len(codes):
            places = pd.Categorical(frame[name], codes, ordered=True)
            columns[name] = places.rename_categories(labels)
            words[name] = {
                _text_of_package_code(code): word for code, word in zip(codes, found, strict=True)
            }
        else:
            columns[name] = _package_column(frame[name])
    return columns, words


def _text_of_package_code(code: Any) -> str:
    # SPSS has floats only: its code 1 is 1.0.
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _package_column(values: pd.Series[Any]) -> Any:
    """Return a column without words: whole numbers as integers, an empty text as missing."""
    if values.dtype.kind == "f":
        known = values.notna().to_numpy()
        numbers = values.to_numpy()[known]
        whole = (numbers == np.floor(numbers)) & (np.abs(numbers) < EXACT_INTEGERS)
        return cell_numbers_with_missing(numbers.astype(np.int64), known) if whole.all() else values
    if values.dtype.kind == "O":  # texts in every version of pandas, and dates
        return np.array([None if pd.isna(v) or v == "" else v for v in values], dtype=object)
    return values
