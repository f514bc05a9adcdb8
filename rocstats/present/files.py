"""Where things to look at are written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocstats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike


def checked_path(path: str | PathLike[str], endings: Sequence[str]) -> Path:
    """Return the path, its ending known and its directory there.

    Parameters
    ----------
    path : str or path-like
        Where the user wants the file.
    endings : sequence of str
        Endings that can be written, with their dots.

    Returns
    -------
    pathlib.Path
        The same path.

    Raises
    ------
    InputError
        If the ending is not one of ``endings``, or the directory does not exist: a mistyped
        directory must not come into being.

    Examples
    --------
    >>> from rocstats.present.files import checked_path
    >>> checked_path("report.html", [".html"]).suffix
    '.html'
    """
    file = Path(path)
    if file.suffix.lower() not in endings:
        raise InputError(
            f"`path` must end in {', '.join(endings)}; got {str(file)!r}."
            " Rename the file to choose a format."
        )
    if not file.parent.is_dir():
        raise InputError(
            f"`path` must lie in a directory that exists; got {str(file)!r}."
            f" Create {str(file.parent)!r} first."
        )
    return file
