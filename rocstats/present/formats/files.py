"""Paths of the files that tables and reports are written to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocstats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike


def checked_path(path: str | PathLike[str], endings: Sequence[str]) -> Path:
    """Return a path, checked for a known ending and an existing directory.

    Parameters
    ----------
    path : str or path-like
        The file to write.
    endings : sequence of str
        Endings that can be written, with their dots.

    Returns
    -------
    pathlib.Path
        The same path.

    Raises
    ------
    InputError
        If the ending is not one of ``endings``, or the directory does not exist.

    Examples
    --------
    >>> from rocstats.present.formats.files import checked_path
    >>> checked_path("report.html", [".html"]).suffix
    '.html'
    """
    file = Path(path)
    if file.suffix.lower() not in endings:
        raise InputError(
            f"`path` must end in {', '.join(endings)}; got {str(file)!r}."
            " Rename the file to choose a format."
        )
    # A missing directory is not created: its name is more often mistyped than new.
    if not file.parent.is_dir():
        raise InputError(
            f"`path` must lie in a directory that exists; got {str(file)!r}."
            f" Create {str(file.parent)!r} first."
        )
    return file
