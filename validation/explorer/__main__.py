"""Write the table anew: ``python -m validation.explorer``; it needs chromium and selenium."""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocstats.errors import StatisticalWarning
from validation.explorer.browser import chromium
from validation.explorer.numbers import PAGE, STUDIES, TABLE, framed, shown, views_of
from validation.explorer.studies import case, page_of
from validation.files import write_csv

_HEAD = ("study", "address", "test", "kind", "quantity", "question")
_NUMBERS = ("page", "page_low", "page_high", "frame", "frame_low", "frame_high")


def main() -> int:
    """Write the table; return how many rows of the page differ from the frames."""
    warnings.simplefilter("ignore", StatisticalWarning)
    with chromium() as driver, tempfile.TemporaryDirectory() as folder:
        rows = [row for name in STUDIES for row in rows_of(driver, name, Path(folder))]
    write_csv(TABLE, (*_HEAD, *_NUMBERS), rows)
    wrong = sum(not _agree(row[-6:-3], row[-3:]) for row in rows)
    print(f"{len(rows)} rows, {wrong} of them differ by more than {PAGE:g}")
    return wrong


def rows_of(driver: Any, name: str, folder: Path) -> Iterator[list[Any]]:
    """Yield the rows of a study, its page opened at each view."""
    path = folder / f"{name}.html"
    path.write_text(page_of(case(name).data), encoding="utf-8")
    for view in views_of(name):
        driver.get("about:blank")  # another address alone would not load the page again
        driver.get(path.as_uri() + view.address)
        page = json.loads(driver.execute_script("return JSON.stringify(window.rocstats.view)"))
        for one, other in zip(shown(view, page), framed(view), strict=True):
            assert one[:3] == other[:3], (view, one, other)
            head = [name, view.address, other.test, other.kind, other.quantity, other.question]
            yield [*head, *one.values, *other.values]


def _agree(page: list[float], frame: list[float]) -> bool:
    return all(abs(a - b) <= PAGE or (a != a and b != b) for a, b in zip(page, frame, strict=True))


if __name__ == "__main__":
    sys.exit(main())
