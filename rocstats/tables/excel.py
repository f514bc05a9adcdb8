"""Tables as files of Excel, whose numbers stay numbers with all digits."""

from __future__ import annotations

import math
import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

from rocstats.tables.files import library_for_office_files, office_file_without_time
from rocstats.tables.markup import kind_of_table_column, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocstats.tables.cells import Number, TableColumn


# Letters: a narrower column hides its heading, a wider one the columns beside it.
_NARROWEST, _WIDEST = 9, 45

_LINE = 15  # points of a line of text


def to_xlsx(
    columns: Sequence[TableColumn], *, caption: str | None, footnotes: Sequence[str]
) -> bytes:
    """Return a table as an Excel workbook; an estimate and its limits have a column each.

    Parameters
    ----------
    columns : sequence of TableColumn
        Columns of the table. Numbers are stored with all digits and shown as they are printed.
    caption : str or None
        Cell above the table.
    footnotes : sequence of str
        Cells below the table.

    Returns
    -------
    bytes
        The file; the same table gives the same bytes.

    Raises
    ------
    InputError
        If openpyxl is not installed.

    Examples
    --------
    >>> from rocstats.tables.cells import TableColumn
    >>> from rocstats.tables.excel import to_xlsx
    >>> to_xlsx([TableColumn("Predictor", ["wfns"])], caption=None, footnotes=[])[:2]
    b'PK'
    """
    openpyxl = library_for_office_files("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Table"
    parts = [part for column in columns for part in _columns_of_sheet(column)]
    top = 2 if caption else 1
    if caption:
        _write_cell(sheet.cell(1, 1), caption)
        sheet.cell(1, 1).font = _bold_font(openpyxl)
    widths = [_write_column(openpyxl, sheet, part, top, k + 1) for k, part in enumerate(parts)]
    last = top + len(columns[0].cells)
    for k, note in enumerate(footnotes, start=last + 1):
        _write_cell(sheet.cell(k, 1), note)
        sheet.cell(k, 1).alignment = openpyxl.styles.Alignment(wrap_text=True, vertical="top")
        sheet.merge_cells(start_row=k, end_row=k, start_column=1, end_column=len(parts))
        sheet.row_dimensions[k].height = _LINE * math.ceil(len(note) / sum(widths))
    # Headings and names may be broken: programs make no room for them by themselves.
    rows = zip(*([head, *cells] for head, cells, _ in parts), strict=True)
    for k, row in enumerate(rows, start=top):
        lines = max(
            _n_lines_of_sheet_cell(cell, width) for cell, width in zip(row, widths, strict=True)
        )
        sheet.row_dimensions[k].height = _LINE * lines
    _set_print_layout_of_sheet(sheet, top)
    file = BytesIO()
    book.save(file)
    return office_file_without_time(file.getvalue())


_HEADING = re.compile(r"(?P<of>.*) \((?P<level>[^()]*)\)")


def _columns_of_sheet(column: TableColumn) -> list[tuple[str, list[str | Number], bool]]:
    """Return the heading, the cells, and whether they are flush right, of each sheet column."""
    most = max((len(cell) for cell in column.numbers), default=0)
    if most == 0:
        return [(column.head, list(column.cells), kind_of_table_column(column.cells) != "text")]
    split = _HEADING.fullmatch(column.head)
    heads = [column.head]
    if split and most > 1:
        of, level = split["of"], split["level"].removeprefix("n/N; ")
        heads = [of, f"{of}: lower limit ({level})", f"{of}: upper limit ({level})"]
        heads.append(f"{of}: confidence level")
    filled = [cell or ("",) * most for cell in column.numbers]
    parts: list[tuple[str, list[str | Number], bool]] = [
        (heads[k], [cell[k] for cell in filled], True) for k in range(most)
    ]
    if column.fractions:
        of = split["of"] if split else column.head
        parts.insert(1, (f"{of}: n/N", list(column.fractions), True))
    return parts


def _n_lines_of_sheet_cell(cell: str | Number, width: float) -> int:
    """Return how many lines a cell takes at most: a word that does not fit goes to the next."""
    lines, used = 1, 0.0
    for word in cell.split() if isinstance(cell, str) else ():
        if used + len(word) > width and used:
            lines, used = lines + 1, 0.0
        lines += int(len(word) / width)
        used += len(word) % width + 1
    return lines


def _write_column(
    openpyxl: Any, sheet: Any, part: tuple[str, list[str | Number], bool], top: int, k: int
) -> float:
    """Write a column of the sheet, and return its width."""
    head, cells, numbers = part
    styles = openpyxl.styles
    thick, thin = styles.Side(style="medium"), styles.Side(style="thin")
    # Text stands apart from the numbers to its left.
    side = {"horizontal": "right" if numbers else "left", "indent": 0 if numbers or k == 1 else 1}
    first = sheet.cell(top, k)
    _write_cell(first, head)
    first.font = _bold_font(openpyxl)
    first.border = styles.Border(top=thick, bottom=thin)
    first.alignment = styles.Alignment(wrap_text=True, vertical="bottom", **side)
    for i, value in enumerate(cells, start=top + 1):
        cell = sheet.cell(i, k)
        _write_cell(cell, value)
        cell.alignment = styles.Alignment(**side, vertical="top", wrap_text=isinstance(value, str))
    sheet.cell(top + len(cells), k).border = styles.Border(bottom=thick)
    texts = [value if isinstance(value, str) else value.text for value in cells]
    longest = max(max(map(len, head.split())), *map(len, texts))
    width = min(max(longest + 2, _NARROWEST), _WIDEST)
    sheet.column_dimensions[openpyxl.utils.get_column_letter(k)].width = width
    return width


def _bold_font(openpyxl: Any) -> Any:
    return openpyxl.styles.Font(name="Calibri", size=11, bold=True)  # the font of the other cells


# Where spreadsheets read a formula into text that a user types, or opens as csv.
_FORMULA = ("=", "+", "-", "@")


def _write_cell(cell: Any, value: str | Number) -> None:
    """Write text that is never read as a formula, or a number that shows as it is printed."""
    if not isinstance(value, str) and math.isfinite(value.value):
        cell.value = value.value
        cell.number_format = _number_format(value.text)
        return
    text = one_line(value if isinstance(value, str) else value.text)
    if not text:
        return
    cell.value, cell.data_type = text, "s"
    # The mark that a typed apostrophe leaves: without it, editing the cell would make a formula.
    cell.quotePrefix = text.startswith(_FORMULA)


_PRINTED = re.compile(r"(?P<sign>[≥≤] )?−?(?P<whole>\d*)(?P<rest>\.\d+)?(?P<percent>%)?")


def _number_format(text: str) -> str:
    """Return the format that shows a number as the printed text does, "<0.001" included."""
    printed = _PRINTED.fullmatch(text)
    if printed is None:
        return '"' + text.replace('"', "") + '"'
    sign = f'"{printed["sign"]}"' if printed["sign"] else ""
    digits = ("0" if printed["whole"] else "") + re.sub(r"\d", "0", printed["rest"] or "")
    digits += printed["percent"] or ""
    return f'{sign}{digits};{sign}"−"{digits}'


def _set_print_layout_of_sheet(sheet: Any, top: int) -> None:
    sheet.freeze_panes = sheet.cell(top + 1, 1)
    sheet.print_title_rows = f"{top}:{top}"
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_setup.fitToHeight = 0  # as many pages as the rows need
