"""Frames from data files: csv, tsv, parquet and xlsx."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import pandas as pd

from rocstats.errors import InputError

ENDINGS = (".csv", ".tsv", ".parquet", ".xlsx")


def read_table(path: str | PathLike[str]) -> pd.DataFrame:
    """Return the table of a data file, whose ending gives the format.

    Raises InputError if the file does not exist, has another ending, cannot be read in its format,
    or needs a library that is not installed.
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"`path` must end in {', '.join(ENDINGS)}; got {file.name!r}. Save the data as csv."
        )
    if not file.is_file():
        raise InputError(f"`path` must be a file; got {str(file)!r}. Check the name.")
    try:
        if ending == ".parquet":
            return pd.read_parquet(file)
        if ending == ".xlsx":
            return pd.read_excel(file)
        return pd.read_csv(file, sep="\t" if ending == ".tsv" else ",")
    except ImportError as problem:
        raise InputError(
            f"`path` must be of a kind whose reader is installed; got {file.name!r} ({problem})."
            ' Install it with: pip install "rocstats[files]".'
        ) from None
    # The parsers of pandas and pyarrow raise subclasses of ValueError, or OSError.
    except (ValueError, OSError) as problem:
        raise InputError(
            f"`path` must be a readable {ending} file; got {file.name!r} ({problem})."
            " Save it again, or as csv."
        ) from None
