"""What is kept of an answer: a frame, a refusal, a figure or a file, as JSON builtins."""

from __future__ import annotations

import math
import re
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs


def neutral(text: str) -> str:
    """Return text without the version of the package and without today's date."""
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", text.replace(rs.__version__, "VERSION"))


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON that says all of it."""
    if isinstance(value, pd.DataFrame):
        return frame_of(value)
    if isinstance(value, pd.Series):
        return {"series": frame_of(value.to_frame())}
    if value is None or isinstance(value, bool | str | int | float | np.integer | np.floating):
        return scalar(value)
    if hasattr(value, "auc") and callable(value.auc) and depth < 1:
        return study_of(value)
    return container(value, depth)


def scalar(value: Any) -> Any:
    """Return text without the version, and a number that JSON cannot hold as text."""
    if isinstance(value, str):
        return value.replace(rs.__version__, "VERSION")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    return float(value) if math.isfinite(value) else {"f": repr(float(value))}


def container(value: Any, depth: int) -> Any:
    """Return an array, a mapping, a record or a list with all its entries, else the type alone."""
    if isinstance(value, np.ndarray):
        values = plain(value.ravel().tolist(), depth)
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": values}
    if hasattr(value, "items") and hasattr(value, "keys"):
        return {"map": [[plain(k, depth), plain(v, depth)] for k, v in value.items()]}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        fields = {n: plain(getattr(value, n), depth + 1) for n in value._fields}
        return {"type": type(value).__name__, "fields": fields}
    if isinstance(value, list | tuple):
        return [plain(one, depth) for one in value]
    if isinstance(value, set | frozenset):
        return {"set": sorted(map(str, value))}
    return {"type": type(value).__name__}


def study_of(study: Any) -> dict[str, Any]:
    """Return what a study shows of itself, and its areas."""
    names = ("n_pos", "n_neg", "predictors", "labels", "outcome")
    shown = {n: plain(getattr(study, n), 1) for n in names if hasattr(study, n)}
    options = {"time": 8.0} if isinstance(study, rs.SurvivalStudy) else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            areas = plain(study.auc(**options), 1)
        except rs.InputError as error:
            areas = refusal(error)
    return {"type": type(study).__name__, "repr": repr(study), **shown, "auc": areas}


def frame_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Return columns in their order, their types and values, the index and ``attrs``."""
    columns = {}
    for at, name in enumerate(frame.columns):
        values = frame.iloc[:, at]
        kind = str(values.dtype)
        if kind == "category":
            kind += f"[{','.join(map(str, values.cat.categories))};{values.cat.ordered}]"
        columns[str(name)] = [kind, [plain(one) for one in values.tolist()]]
    attrs = {str(k): plain(v) for k, v in frame.attrs.items()}
    index = (
        None if isinstance(frame.index, pd.RangeIndex) else [plain(i) for i in frame.index.tolist()]
    )
    return {"frame": type(frame).__name__, "columns": columns, "index": index, "attrs": attrs}


def refusal(error: BaseException) -> dict[str, Any]:
    """Return the class of an error and its first clause."""
    first = re.split(r"; got |[.:] ", str(error))[0]
    return {"error": type(error).__name__, "says": re.sub(r"0x[0-9a-f]+", "0x", first)[:200]}


def figure_of(axes: Any) -> dict[str, Any]:
    """Return lines, limits and texts of the axes of a figure."""
    import matplotlib.pyplot as plt

    found = []
    figure = (axes.ravel()[0] if isinstance(axes, np.ndarray) else axes).figure
    for ax in figure.axes:
        lines = [[plain(np.asarray(v, float)) for v in line.get_data()] for line in ax.lines]
        polygons = [
            plain(np.concatenate([p.vertices for p in c.get_paths()] or [np.empty((0, 2))]))
            for c in ax.collections
            if c.get_paths()
        ]
        legend = ax.get_legend()
        texts = [t.get_text() for t in ax.texts] + (
            [t.get_text() for t in legend.get_texts()] if legend else []
        )
        words = [ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), *texts]
        found.append(
            {
                "lines": lines,
                "areas": polygons,
                "limits": plain([*ax.get_xlim(), *ax.get_ylim()]),
                "words": words,
            }
        )
    plt.close(figure)
    return {"figure": found}


def text_of(path: Path) -> Any:
    """Return the text of a written file; of a zip, that of its XML parts."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as box:
            parts = {
                n: neutral(box.read(n).decode("utf-8", "replace"))
                for n in sorted(box.namelist())
                if n.endswith(".xml") and "core" not in n
            }
        return {
            "file": {n: zlib.crc32(t.encode()) if len(t) > 3000 else t for n, t in parts.items()}
        }
    text = path.read_text(encoding="utf-8")
    return {"file": neutral(text).splitlines()}


def page_of(path: Path) -> dict[str, Any]:
    """Return the lines of a page; scripts and styles by their checksums, without pictures."""
    text = neutral(path.read_text(encoding="utf-8"))

    def shortened(found: re.Match[str]) -> str:
        checksum = "" if found[2] == "svg" else zlib.crc32(found[3].encode())
        return f"{found[1]}{checksum}{found[4]}"

    tags = r"(<(script|style|svg)\b[^>]*>)(.*?)(</\2>)"
    return {"file": re.sub(tags, shortened, text, flags=re.DOTALL).splitlines()}


class Record:
    """The answers of all calls, by name."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}

    def ask(self, name: str, call: Any, keep: Any = plain) -> Any:
        """Make a call and keep its answer; return the answer, None after a refusal."""
        answer = None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                answer = call()
                kept = keep(answer)
            except Exception as error:  # an error of another library is an answer to keep, too
                kept = refusal(error)
        warned = [
            f"{one.category.__name__}: {str(one.message)[:160]}"
            for one in caught
            if issubclass(one.category, rs.StatisticalWarning)
        ]
        while name in self.answers:
            name += "'"
        self.answers[name] = {"answer": kept, "warns": warned}
        return answer

    def reason_of_last(self) -> str | None:
        """Return the first clause of the refusal of the last call, None if it was answered."""
        last = self.answers[next(reversed(self.answers))]["answer"]
        return last.get("says") if isinstance(last, dict) else None
