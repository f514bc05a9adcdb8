"""Paths of files, and how files are written: whole, and the same bytes for the same content."""

from __future__ import annotations

import os
import re
import shutil
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from rocstats.errors import InputError, require_possible_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike


def path_with_known_ending(path: str | PathLike[str], endings: Sequence[str]) -> Path:
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
        If it is no path, the ending is not one of ``endings``, or the directory does not exist.

    Examples
    --------
    >>> from rocstats.tables.files import path_with_known_ending
    >>> path_with_known_ending("report.html", [".html"]).suffix
    '.html'
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(
            f"`path` must be the path of a file to write; got {path!r}. Pass a text, such as"
            f" 'file{endings[0]}'."
        )
    file = Path(path)
    require_possible_path(file)
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


def write_files_all_or_none(contents: Mapping[Path, bytes]) -> None:
    """Write files that are whole or not there: no file is replaced until all are written.

    Parameters
    ----------
    contents : mapping of pathlib.Path to bytes
        What each file holds. Of a link, the file that it points to is written. Permissions of a
        file that is replaced are kept.

    Examples
    --------
    >>> import tempfile
    >>> from rocstats.tables.files import write_files_all_or_none
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_files_all_or_none({Path(folder) / "a.txt": b"text"})
    ...     (Path(folder) / "a.txt").read_bytes()
    b'text'
    """
    targets: dict[Path, Path] = {}
    try:
        for file, content in contents.items():
            target = Path(os.path.realpath(file))
            # In the same directory, since a file cannot be renamed into another file system. Its
            # name is random: threads share a process, and containers number theirs alike.
            part = target.with_name(f".rocstats-{os.urandom(16).hex()}.part")
            targets[part] = target
            # The new content of a file that others cannot read is never open to them.
            part.touch(0o600 if target.exists() else 0o666, exist_ok=False)
            part.write_bytes(content)
            if target.exists():
                shutil.copymode(target, part)
        for part, target in targets.items():
            part.replace(target)
    # Ctrl-C is no Exception.
    except BaseException:
        for part in targets:
            part.unlink(missing_ok=True)
        raise


def library_for_office_files(name: str) -> Any:
    """Return a library that writes files: "docx", "openpyxl" or "typst"; InputError without it."""
    try:
        return import_module(name)
    except ImportError as problem:
        raise InputError(
            f"`path` must have a format that is installed; got {problem}."
            ' Install it with: pip install "rocstats[files]".'
        ) from None


def office_file_without_time(archive: bytes) -> bytes:
    """Return a docx or xlsx file without the time at which it was made.

    Parameters
    ----------
    archive : bytes
        The file, a zip archive.

    Returns
    -------
    bytes
        The same file, in which all times are the earliest that a zip archive can hold.

    Examples
    --------
    >>> from io import BytesIO
    >>> from zipfile import ZipFile
    >>> from rocstats.tables.files import office_file_without_time
    >>> file = BytesIO()
    >>> with ZipFile(file, "w") as made:
    ...     made.writestr("a", "1")
    >>> ZipFile(BytesIO(office_file_without_time(file.getvalue()))).infolist()[0].date_time
    (1980, 1, 1, 0, 0, 0)
    """
    written = BytesIO()
    with ZipFile(BytesIO(archive)) as old, ZipFile(written, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:]+Z", b"1980-01-01T00:00:00Z", content)
            part = ZipInfo(name)  # of 1980-01-01
            part.compress_type, part.external_attr = ZIP_DEFLATED, 0o600 << 16
            new.writestr(part, content)
    return written.getvalue()
