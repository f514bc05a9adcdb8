"""Forest plot: estimates with their limits one below the other, with their numbers beside them.

Names at the left and numbers at the right make a table that has a graph in its middle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.facts.measures import RATIOS, class_of, difference_of, uncapital
from rocstats.facts.words import is_difference, row_dicts
from rocstats.frame.checks import require_frame
from rocstats.frame.groups import columns_of_groups
from rocstats.frame.make import in_print, labels_in
from rocstats.frame.screen import ROC_AXES
from rocstats.plots.axes import (
    CURVE,
    EDGE,
    Width,
    axes_for,
    axis_ends_for_estimates,
    chance_look,
    has_axes_of_ours,
    inks,
    make_layout,
    make_room_beside,
    note_size,
    set_look_of_axes,
    set_ratio_ticks,
    whole_figure,
)
from rocstats.plots.labels import write_word
from rocstats.plots.paired_forest import draw_paired_forest
from rocstats.plots.series import Colors, looks_of_predictors
from rocstats.tables.cells import (
    COMPARISON,
    LABELS,
    averages_as_rows,
    heading_of_identifying_column,
    headings_of_groups,
    is_interaction,
    measure_columns,
    measure_text,
    p_columns,
    row_identifying_columns,
    rows_of_interaction_tests,
    rows_without_interaction_tests,
    rules_of,
)
from rocstats.tables.reader_frames import (
    AVERAGE,
    is_of_readers,
    reader_frame_in_print,
    rows_without_global_tests,
)
from rocstats.tables.text import format_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# --- The figure -----------------------------------------------------------------------------------

# A page of 297 mm less its margins has room for 60 rows of 4.2 mm.
_MOST_ROWS = 60

# Points: the largest box; the least one that can still be seen; between columns; an indent; the
# least width of axes on which boxes are told apart.
_BOX, _LEAST_BOX, _GAP, _INDENT, _LEAST_AXES = 6.5, 2.0, 7.0, 7.0, 56.0

# Of fewer cases in a class an estimate is hollow: its limits rest on a distribution that few cases
# do not have.
_FEW_CASES = 10


def plot_forest(
    frame: pd.DataFrame,
    *,
    summary: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
    colors: Colors = None,
    reference_line: float | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw a forest plot of estimates with their limits, and return the axes.

    Parameters
    ----------
    frame : pandas.DataFrame
        Up to 60 estimates of one quantity: areas, differences of areas, one measure of operating
        points, or values from ``bootstrap()``. The columns are ``predictor`` (or ``modality``),
        ``estimate, ci_low, ci_high, confidence_level``. Rows of one predictor are indented under
        its name. A row without a group, or from ``stratified_auc()``, is the overall estimate. To
        draw groups with an overall estimate, pass ``pd.concat([study.stratified_auc(),
        study.auc()])``. For a reader study, pass ``readers.auc()`` or
        ``readers.compare_auc(by="reader")``. Readers are then drawn under their average.
    summary : pandas.DataFrame, optional
        Of a review, ``review.summary()``; ``frame`` is then ``review.studies()``. Sensitivity and
        specificity are in two panels of a new figure that is a page wide. The means are diamonds.
        ``colors``, ``reference_line`` and ``ax`` are then unavailable.
    labels : mapping of str to str, optional
        Printed names of predictors (or classes); by default the labels of the study. Names absent
        from the frames are ignored.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor, or in the order of the study; see ``plot_roc``. All comparisons have
        the first colour.
    reference_line : float, optional
        Position of the dotted line; by default the ``null_value`` of the frame, else 0 for
        differences and 1 for ratios. For areas, the default is 0.5 if this value is on the axis.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new axes in a new pyplot figure, with a height that fits the
        rows. The axes become narrower, so that all text is within their former width. Columns of
        numbers without room are left out, beginning with the number of cases.

    Returns
    -------
    matplotlib.axes.Axes
        The axes of the estimates; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns, rows or estimates; if it has several quantities or over 60 rows;
        if an option is passed that a review does not have; or if ``reference_line`` is not finite,
        or not positive for ratios.

    Notes
    -----
    The area of a box is proportional to the number of cases of the estimate (for a sensitivity, to
    the number of positives). A box is hollow if a class has fewer than 10 cases. An overall
    estimate is a diamond between its limits, with a dotted line through its groups. An arrow marks
    a limit beyond the axis: more than three typical half widths from all estimates. Ratios have a
    logarithmic axis. P values are adjusted, if the frame has adjusted values.

    References
    ----------
    - Lewis & Clarke (2001), forest plots [lewis-clarke-2001]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> study = rs.Study("diagnosis", ["texture", "symmetry"], data=data, pos_label="malignant")
    >>> ax = rs.plot_forest(study.compare_auc())
    >>> ax.get_xlabel()
    'Difference in AUC'
    """
    if summary is not None:
        given = {"colors": colors, "reference_line": reference_line, "ax": ax}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"`{name}` must be left out with `summary`; got {type(value).__name__}. The"
                    " figure of a review has two panels with a look of their own."
                )
        return draw_paired_forest(frame, summary, labels)
    frame, colours = _read_frame(frame, labels, colors)
    heads, rows, quantity = _forest_table(frame)
    ratio = _is_forest_of_ratios(frame)
    line = _reference_line(frame, reference_line, ratio)
    ax = axes_for(ax, width)
    make_layout(ax)
    heads, rows, left, right = _forest_rows_that_fit(ax, heads, rows)
    low, high = axis_ends_for_estimates(frame, line, ratio)
    ax.set(xlim=(low, high), ylim=(len(rows) - 0.5, -0.5), yticks=[])
    if ratio:
        set_ratio_ticks(ax, low, high)
    if line is None and quantity == "AUC":
        line = 0.5
    if line is not None and low <= line <= high:
        ax.axvline(line, **chance_look())
    _draw_forest_rows(ax, frame, rows, colours)
    set_look_of_axes(ax)
    ax.spines["left"].set_visible(False)
    _write_words_of_forest_rows(ax, heads, rows, left, right)
    _make_room_for_rows(ax, len(rows), -left, right[-1])
    label = ax.set_xlabel(quantity, parse_math=False)
    if _widest_text(ax, [quantity]) > ax.get_window_extent().width * 72 / ax.figure.dpi:
        label.set(x=0, ha="left")  # it reaches below the numbers
    return ax


def _read_frame(frame: Any, labels: Any, colors: Colors) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the frame with labels, and the colour of each predictor; refuse too many rows."""
    require_frame(frame)
    if len(frame) > _MOST_ROWS:
        raise InputError(
            f"`frame` must have at most {_MOST_ROWS} rows, which fill a page; got {len(frame)}."
            " Choose rows, or print all of them with format_table()."
        )
    names = labels_in(labels, frame)
    frame, _ = in_print(labels, frame)
    if is_of_readers(frame):
        frame = reader_frame_in_print(rows_without_global_tests(frame))
    frame = frame.reset_index(drop=True)
    rules_of(frame, *_STYLE)  # refuses what is no frame of estimates
    if "quantity" not in frame:
        frame = frame.assign(quantity="estimate")
    frame = averages_as_rows(frame)
    # The overall area, or difference, is of the quantity of its groups.
    words = [("stratified_auc", "auc")]
    words += [(difference_of(whole), difference_of(one)) for whole, one in words]
    alike = {whole: one for whole, one in words if (frame["quantity"] == one).any()}
    looks = looks_of_predictors(frame, colors, names)
    overall = frame["quantity"].isin([whole for whole, _ in words])
    if "reader" in frame:
        # Alone, the average of readers is an estimate like any other.
        overall = frame["reader"].eq(AVERAGE) & frame["reader"].ne(AVERAGE).any()
    if "variable" in frame:
        overall = frame["variable"] == ""
    rows = frame.assign(quantity=frame["quantity"].replace(alike), overall=overall)
    paired = "reference" in frame and frame["reference"].fillna("").ne("").any()
    first = looks.drawn[0]
    return rows, {name: looks.colour(first if paired else (name, "")) for name, _ in looks.drawn}


def _is_forest_of_ratios(frame: pd.DataFrame) -> bool:
    return str(frame["quantity"].iloc[0]) in RATIOS


def _reference_line(frame: pd.DataFrame, given: Any, ratio: bool) -> float | None:
    """Return where the dotted line is; refuse a place that the axis cannot have."""
    if given is not None:
        number = isinstance(given, Real) and not isinstance(given, bool)
        if not number or not math.isfinite(given) or (ratio and given <= 0):
            wanted = "a positive number" if ratio else "a finite number"
            raise InputError(
                f"`reference_line` must be {wanted}; got {given!r}. Pass the value of no effect."
            )
        return float(given)
    tested: Any = frame["null_value"].dropna().unique() if "null_value" in frame else []
    if len(tested) == 1:
        return float(tested[0])
    if ratio:
        return 1.0
    return 0.0 if any(is_difference(row) for row in row_dicts(frame)) else None


def _draw_forest_rows(
    ax: Axes, frame: pd.DataFrame, rows: Sequence[_ForestRow], colours: Mapping[str, Any]
) -> None:
    """Draw boxes, limits, and diamonds of overall estimates."""
    counts = _case_counts_of_forest_rows(frame)
    shares = np.ones(len(frame)) if counts is None else np.sqrt(counts / counts.max()).to_numpy()
    for y, row in enumerate(rows):
        if row.at is None:
            continue
        estimate: Any = frame.loc[row.at]
        colour = colours[str(estimate["predictor"])]
        if row.overall:
            last = next(
                (i for i in range(y + 1, len(rows)) if _ends_rows_of_overall_estimate(rows[i])),
                len(rows),
            )
            _draw_diamond(ax, estimate, y, last - 0.5, colour)
            continue
        _draw_limits_of_forest_row(ax, estimate["ci_low"], estimate["ci_high"], y, colour)
        few = min(estimate.get("n_pos", _FEW_CASES), estimate.get("n_neg", _FEW_CASES)) < _FEW_CASES
        # Without a number of cases the box is the least.
        side = max(_LEAST_BOX, _BOX * np.nan_to_num(shares[row.at]))
        face = inks().ground if few else colour
        ax.plot(
            estimate["estimate"], y, "s", markersize=side, color=colour, markerfacecolor=face,
            zorder=4,
        )  # fmt: skip


def _ends_rows_of_overall_estimate(row: _ForestRow) -> bool:
    """Return whether a line ends the rows under an overall estimate."""
    # The name of a variable stands between the subgroups of one overall estimate.
    return row.overall or (not row.indent and not (row.at is None and row.cells))


def _draw_diamond(ax: Axes, row: pd.Series, y: int, end: float, colour: Any) -> None:
    low, middle, high = (float(row[name]) for name in ("ci_low", "estimate", "ci_high"))
    (diamond,) = ax.fill(
        [low, middle, high, middle], [y, y - 0.3, y, y + 0.3], color=colour, linewidth=0
    )
    diamond.set_zorder(4)
    ax.plot([middle, middle], [y, end], **{**chance_look(), "color": colour})


def _draw_limits_of_forest_row(ax: Axes, low: float, high: float, y: int, colour: Any) -> None:
    """Draw limits as a line, with an arrow where one is beyond the axis."""
    left, right = ax.get_xlim()
    ax.plot([max(low, left), min(high, right)], [y, y], color=colour, linewidth=0.75 * CURVE)
    for at, mark, beyond in ((left, "<", low < left), (right, ">", high > right)):
        if beyond:
            ax.plot(at, y, mark, color=colour, markersize=4, clip_on=False, zorder=4)


def _forest_rows_that_fit(
    ax: Axes, heads: list[str], rows: list[_ForestRow]
) -> tuple[list[str], list[_ForestRow], float, list[float]]:
    """Return headings, lines, the place of names, and the ends of columns of numbers, in points.

    Long names, which would leave the axes too little room, have a line of their own. On axes of a
    user columns without room are left out.
    """
    right = _ends_of_columns(ax, heads, rows)
    whole = _width_of_axes_and_words(ax)
    while right[-1] + _GAP + _LEAST_AXES > whole and not has_axes_of_ours(ax):
        if len(heads) == 1:
            # Without room for any there is a column of nothing.
            heads, rows, right = (
                [""],
                [row._replace(cells=("",) * bool(row.cells)) for row in rows],
                [0.0],
            )
            break
        # The numbers of cases first, which the boxes show.
        out = heads.index("n") if "n" in heads else len(heads) - 1
        heads = [*heads[:out], *heads[out + 1 :]]
        rows = [row._replace(cells=row.cells[:out] + row.cells[out + 1 :]) for row in rows]
        right = _ends_of_columns(ax, heads, rows)
    # A heading without numbers may reach over the axes, which are empty beside it.
    names = [row.name for row in rows if row.cells]
    left = _GAP + _widest_text(ax, names) + _INDENT * any(row.indent for row in rows)
    if left + right[-1] + _LEAST_AXES <= whole:
        return heads, rows, -left, right
    apart: list[_ForestRow] = []
    for row in rows:
        apart.append(row._replace(cells=(), at=None))
        if row.cells:
            apart.append(row._replace(name=""))
    return heads, apart, -_GAP, right


def _ends_of_columns(ax: Axes, heads: Sequence[str], rows: Sequence[_ForestRow]) -> list[float]:
    """Return the right ends of the columns of numbers, in points from the axes."""
    columns = zip(heads, *(row.cells for row in rows if row.cells), strict=True)
    return [float(end) for end in np.cumsum([_GAP + _widest_text(ax, texts) for texts in columns])]


def _write_words_of_forest_rows(
    ax: Axes, heads: Sequence[str], rows: Sequence[_ForestRow], left: float, right: Sequence[float]
) -> None:
    """Write names at the left of the axes, numbers at the right, and a rule under the headings."""
    from matplotlib.colors import to_hex

    for head, end in zip(heads, right, strict=True):
        write_word(ax, head, 1, end, -1, "right", inks().second)
    for y, row in enumerate(rows):
        word = write_word(ax, row.name, 0, left + _INDENT * row.indent, y, "left", inks().text)
        # Names on a line of their own cross the dotted line, and may reach beyond the axes.
        if to_hex(ax.get_facecolor()) == to_hex(whole_figure(ax).get_facecolor()):
            word.set_bbox({"facecolor": inks().ground, "edgecolor": "none", "pad": 0.5})
        word.set_fontweight("bold" if row.bold else "normal")
        for text, end in zip(row.cells, right, strict=False):
            write_word(ax, text, 1, end, y, "right", inks().text)
    _draw_rule_under_forest_headings(ax, left, right[-1])


# --- Words in rows beside the axes ----------------------------------------------------------------

# Points: a row, letters of 7 with as much room between them as a table; headings; axis and label;
# the edge of a figure.
_TABLE_ROW, _ABOVE_ROWS, _BELOW_ROWS, _TABLE_EDGE = 12.0, 14.0, 32.0, 3.0


def _widest_text(ax: Axes, texts: Sequence[str]) -> float:
    """Return the width in points of the widest of some texts, were it bold."""
    word = ax.text(
        0, 0, "\n".join(texts), fontsize=note_size(ax), fontweight="bold", parse_math=False
    )
    width = float(word.get_window_extent().width) * 72 / ax.figure.dpi
    word.remove()
    return width


def _draw_rule_under_forest_headings(ax: Axes, left: float, right: float) -> None:
    """Draw a rule under the headings, from the names to the last number."""
    from matplotlib.transforms import offset_copy

    figure: Any = ax.figure
    rows = ax.get_yaxis_transform()
    ends = [offset_copy(rows, figure, x=x, units="points") for x in (left, right)]
    ax.annotate(
        "", (1, -0.5), (0, -0.5), xycoords=ends[1], textcoords=ends[0], annotation_clip=False,
        arrowprops={"arrowstyle": "-", "linewidth": EDGE, "color": inks().second, "shrinkA": 0,
                    "shrinkB": 0},
    )  # fmt: skip


def _make_room_for_rows(ax: Axes, n_rows: int, left: float, right: float) -> None:
    """Make room for the words: a figure of ours has the height of its rows."""
    figure: Any = ax.figure
    if has_axes_of_ours(ax):
        wide, high = figure.get_figwidth() * 72, _ABOVE_ROWS + _TABLE_ROW * n_rows + _BELOW_ROWS
        figure.set_layout_engine("none")
        figure.set_size_inches(wide / 72, high / 72)
        left, right = left + _TABLE_EDGE, right + _TABLE_EDGE
        share = 1 - (left + right) / wide
        ax.set_position((left / wide, _BELOW_ROWS / high, share, _TABLE_ROW * n_rows / high))
    else:
        make_room_beside(ax, left, right)


def _width_of_axes_and_words(ax: Axes) -> float:
    """Return the width in points that axes and the words beside them have."""
    figure: Any = ax.figure
    if has_axes_of_ours(ax):
        return float(figure.get_figwidth()) * 72 - 2 * _TABLE_EDGE
    return float(ax.get_window_extent().width) * 72 / float(figure.dpi)


# --- The lines in words ---------------------------------------------------------------------------

# Limits joined by "to", two decimals.
_STYLE = ("nejm", 2)


class _ForestRow(NamedTuple):
    """A line of the figure: a heading alone, or an estimate."""

    name: str
    cells: tuple[str, ...] = ()
    at: int | None = None
    """Place in the frame; None for a heading alone."""
    indent: bool = False
    overall: bool = False
    bold: bool = False
    """Whether the name is bold: of all cases, of a variable, of a predictor above its groups."""


def _forest_table(frame: pd.DataFrame) -> tuple[list[str], list[_ForestRow], str]:
    """Return the headings of the columns of words, the lines, and the name of the quantity."""
    rules = rules_of(frame, *_STYLE)
    rows = row_dicts(frame)
    quantities = list(dict.fromkeys(measure_text(row) for row in rows))
    if len(quantities) > 1 or not np.isfinite(frame["estimate"]).any():
        got = ", ".join(quantities) if len(quantities) > 1 else "no estimates"
        raise InputError(
            f"`frame` must have estimates of one quantity; got {got}. Choose rows, such"
            " as frame[frame['quantity'] == 'tpr']."
        )
    estimates = measure_columns("Estimate", rows_without_interaction_tests(rows), rules)
    columns = {column.head: column.cells for column in estimates}
    counts = _case_counts_of_forest_rows(frame)
    if counts is not None:
        columns["n"] = [format_count(count) if count == count else "" for count in counts]
    # Of adjusted P values and others, the first: the adjusted.
    for column in p_columns(rows_of_interaction_tests(rows), rules)[:1]:
        columns["P for interaction" if "variable" in frame else "P"] = column.cells
    lines = list(zip(*columns.values(), strict=True))
    if "variable" in frame:
        return list(columns), _rows_of_subgroups(frame, lines), quantities[0]
    return (
        list(columns),
        _forest_rows(*_names_of_forest_rows(frame), frame["overall"], lines),
        quantities[0],
    )


def _rows_of_subgroups(frame: pd.DataFrame, lines: Sequence[tuple[str, ...]]) -> list[_ForestRow]:
    """Return a line for all cases of a predictor, and its variables with their levels below it."""
    rows: list[_ForestRow] = []
    several = frame["predictor"].nunique() > 1
    for i, row in enumerate(row_dicts(frame)):
        variable, cells = str(row["variable"]), lines[i]
        if is_interaction(row):
            # The number of cases is that of all levels, which stand below.
            tested = (*[""] * (len(cells) - 1), cells[-1])
            rows.append(_ForestRow(variable, tested, bold=True))
        elif variable:
            rows.append(_ForestRow(str(row["level"]), cells, i, indent=True))
        else:
            name = str(row["predictor"]) if several else "All cases"
            rows.append(_ForestRow(name, cells, i, overall=True, bold=True))
    return rows


# What is written before the cells of a column that tells rows apart.
_CELL_PREFIXES = {
    "fold": "fold ",
    **{rate: f"{uncapital(LABELS[rate])} " for rate in ROC_AXES},
    "reference_threshold": "vs ",
}


def _names_of_forest_rows(frame: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Return the predictor (or pair) of each row, and the columns that distinguish its rows."""
    columns = row_identifying_columns(frame, _STYLE[1])
    heads = {name: heading_of_identifying_column(frame, name) for name in LABELS}
    if COMPARISON in columns:
        main = columns.pop(COMPARISON)
    else:
        names = columns.pop(heads["predictor"])
        references = columns.pop(heads["reference"], [""] * len(names))
        pairs = zip(names, references, strict=True)
        main = [f"{a} − {b}" if b not in ("", "contrast") else a for a, b in pairs]
    # Columns that a user added tell rows apart too.
    heads |= {head: head for head in columns if head not in heads.values()}
    groups = headings_of_groups(frame, columns_of_groups(frame)).values()
    parts = [
        [f"{_CELL_PREFIXES.get(name, '')}{text}" if text else "" for text in columns[head]]
        for name, head in heads.items()
        if head in columns and (head in groups or _tells_rows_apart(name, columns[head], main))
    ]
    rests = [", ".join(part[i] for part in parts if part[i]) for i in range(len(main))]
    alike = len(set(zip(main, rests, strict=True))) < len(main)
    if alike and "method" in frame:
        methods = frame["method"].astype(str)
        rests = [", ".join(filter(None, pair)) for pair in zip(rests, methods, strict=True)]
    return main, rests


def _tells_rows_apart(name: str, texts: Sequence[str], main: Sequence[str]) -> bool:
    """Return whether a column tells rows of one predictor apart, or is the group."""
    return name == "group" or len(set(zip(main, texts, strict=True))) > len(set(main))


def _forest_rows(
    main: Sequence[str], rests: Sequence[str], whole: Any, cells: Sequence[tuple[str, ...]]
) -> list[_ForestRow]:
    """Return a line for each estimate, under the name of its predictor where that has several."""
    if len(set(main)) == len(main):
        names = [", ".join(filter(None, pair)) for pair in zip(main, rests, strict=True)]
        return [_ForestRow(name, cells[i], i) for i, name in enumerate(names)]
    rows: list[_ForestRow] = []
    for name in dict.fromkeys(main):
        places = [i for i, other in enumerate(main) if other == name]
        first = [i for i in places if whole[i] or not rests[i]]
        if len(first) == 1 and rests[first[0]] != AVERAGE:
            (i,) = first
            rows.append(_ForestRow(name, cells[i], i, overall=len(places) > 1, bold=True))
            places.remove(i)
        else:
            rows.append(_ForestRow(name, bold=True))
        rows += [
            _ForestRow(rests[i], cells[i], i, indent=True, overall=whole[i], bold=whole[i])
            for i in places
        ]
    return rows


def _case_counts_of_forest_rows(frame: pd.DataFrame) -> pd.Series | None:
    """Return the number of cases that each estimate is of; None if the frame has no numbers."""
    if "n_items" in frame:
        return frame["n_items"]
    if not {"n_pos", "n_neg"} <= set(frame):
        return frame.get("n_cases")
    side = class_of(str(frame["quantity"].iloc[0]))
    if side is None:
        return frame["n_pos"] + frame["n_neg"]
    return frame["n_pos" if side == "positives" else "n_neg"]
