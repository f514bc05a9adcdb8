from __future__ import annotations

import openpyxl  # type: ignore[import-untyped]
import pytest

import rocstats as rs


@pytest.fixture
def read(tmp_path):
    """Write text to a file and read it."""

    def call(content, *, ending="csv", written="utf-8", **options):
        path = tmp_path / f"data.{ending}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode(written))
        return rs.read_table(path, **options)

    return call


@pytest.fixture
def book(tmp_path):
    """Write sheets of cells to a workbook."""

    def call(**sheets):
        written = openpyxl.Workbook()
        written.remove(written.active)
        for name, cells in sheets.items():
            sheet = written.create_sheet(name)
            for row in cells:
                sheet.append(row)
        written.save(tmp_path / "book.xlsx")
        return tmp_path / "book.xlsx"

    return call


@pytest.fixture(params=["csv", "tsv", "xlsx"])
def table(request, read, book):
    """Read a header and rows of text from a file of each kind that holds cells."""

    def call(*lines):
        if request.param == "xlsx":
            rows = [[_cell(text) for text in line.split(",")] for line in lines]
            return rs.read_table(book(One=rows))
        text = "\n".join(lines) + "\n"
        mark = "\t" if request.param == "tsv" else ","
        return read(text.replace(",", mark), ending=request.param)

    return call


def _cell(text):
    try:
        return text if text in ("NaN", "1_0") else float(text)
    except ValueError:
        return text or None
