"""The files, functions and calls of the package that eight public calls enter.

Run ``python -m validation.doors``, with ``--list`` for the files too, in the order of entry, and
with names for some of the calls. Entered is a function of Python that runs, constructors and
properties included; a comprehension belongs to its function, and a generator counts at each step.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

import pandas as pd

import rocstats as rs

PACKAGE = Path(rs.__file__).parent
_PATIENTS = Path(__file__).parent / "survival" / "pbc" / "input.csv"  # no such data are shipped


def masses() -> rs.Study:
    """Return two measurements of 569 breast masses."""
    data, scores = rs.load_breast_cancer(), ["concave_points", "texture"]
    return rs.Study("diagnosis", scores, data=data, pos_label="malignant")


def instances() -> rs.Study:
    """Return Fawcett's twenty instances, whose scores are probabilities."""
    return rs.Study("class", "score", data=rs.load_fawcett_instances(), pos_label="p")


def readers() -> rs.ReaderStudy:
    """Return twenty radiologists who read two modalities."""
    data = rs.load_viper()
    return rs.ReaderStudy(
        "truth", "rating", data=data, reader="reader", case="case", modality="modality"
    )


def patients() -> rs.SurvivalStudy:
    """Return 312 patients who were followed in time."""
    return rs.SurvivalStudy("time", "event", "bili", data=pd.read_csv(_PATIENTS))


def report(study: rs.Study) -> None:
    """Write a report to a directory that is removed."""
    with TemporaryDirectory() as directory:
        rs.report(study, Path(directory) / "report.html", rng=1)


CALLS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "Study.auc": (masses, lambda study: study.auc()),
    "Study.compare_auc": (masses, lambda study: study.compare_auc()),
    "ReaderStudy.compare_auc": (readers, lambda study: study.compare_auc()),
    "Study.roc_band": (masses, lambda study: study.roc_band()),
    "Study.operating_points": (instances, lambda study: study.operating_points(threshold=0.5)),
    "Study.calibration": (instances, lambda study: study.calibration()),
    "SurvivalStudy.auc": (patients, lambda study: study.auc(time=2000)),
    "rs.report": (masses, report),
}
"""The study of each call, and the call."""


class Entered(NamedTuple):
    """Files in the order of entry, and how many functions and calls."""

    files: list[str]
    functions: int
    calls: int


def entered(name: str) -> Entered:
    """Return what a call enters, of a new study and after a first call that has imported all."""
    make, ask = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.StatisticalWarning)
        ask(make())
        study = make()
        calls: Counter[tuple[str, int, str]] = Counter()

        def note(frame: FrameType, event: str, _: object) -> None:
            code = frame.f_code
            comprehends = code.co_name.startswith("<") and code.co_name != "<lambda>"
            if event == "call" and not comprehends and code.co_filename.startswith(str(PACKAGE)):
                calls[code.co_filename, code.co_firstlineno, code.co_qualname] += 1

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            ask(study)
        finally:
            sys.setprofile(before)
    parent = PACKAGE.parent
    files = [Path(file).relative_to(parent).as_posix() for file, *_ in calls]
    return Entered(list(dict.fromkeys(files)), len(calls), calls.total())


def main() -> int:
    """Print a line for each call."""
    parser = argparse.ArgumentParser(prog="python -m validation.doors", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CALLS)}")
    parser.add_argument("--list", action="store_true", help="print the files in order of entry")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(CALLS):
        parser.error(f"{sorted(unknown)} are not of {', '.join(CALLS)}")
    print(f"{'call':<24} {'files':>6} {'functions':>10} {'calls':>8}")
    for name in asked.names or CALLS:
        found = entered(name)
        print(f"{name:<24} {len(found.files):>6} {found.functions:>10} {found.calls:>8}")
        if asked.list:
            print(*(f"    {file}" for file in found.files), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
