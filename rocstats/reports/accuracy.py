"""Sections on accuracy: areas, their differences, subgroups, and tables with a column a cutoff."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import PREDICTIVE_VALUES, QUANTITIES
from rocstats.facts.words import row_dicts
from rocstats.frame.make import about_of, text_frame
from rocstats.plots.axes import new_grid
from rocstats.plots.flow import RATIO, plot_flow
from rocstats.reports.cutoffs import (
    Cutoff,
    cut_text,
    limits_of_chosen_cutoff_as_texts,
    name_of_test_at_cutoff,
    test_and_group_of_cutoff,
)
from rocstats.reports.document import Block, FigureBlock, Section, TableBlock, paragraph
from rocstats.reports.texts import say
from rocstats.study.units import UNITS
from rocstats.tables.cells import (
    SIGNS,
    do_calls_make_rates,
    heading_of_identifying_column,
    true_and_false_calls_of_row,
)
from rocstats.tables.footnotes import footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.readers import f_statistic
from rocstats.tables.sentences import sentences_of_answer
from rocstats.tables.tables import table_cells_by_heading, table_columns
from rocstats.tables.text import (
    MINUS,
    format_count,
    format_level,
    format_number,
    p_statement,
    style_of,
)
from rocstats.tables.wording import list_words, note_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions, ReportWords
    from rocstats.tables.protocols import StudyLike


# --- Areas, their differences, subgroups ----------------------------------------------------------

# What footnotes of tables leave out, because the section on the sample has them.
IN_SAMPLE = ("rows-dropped", UNITS)


def area_sections(
    study: StudyLike, answers: ReportAnswers, options: ReportOptions
) -> list[Section]:
    """Return the section on areas, or the paragraph that replaces it."""
    if answers.auc is None:
        return [Section("", (paragraph(say("areas.yes_no_only")),), "areas")]
    first = table_block_of_estimates(answers.auc, options.style, say("areas.table"))
    blocks: list[Block] = [first]
    if answers.comparisons is not None:
        # The numbers of cases are those of the table before, but for those that two tests share.
        counts = ["n_pos", "n_neg", "reference_n_pos", "reference_n_neg"]
        pairs = answers.comparisons.drop(columns=counts, errors="ignore")
        caption = say("areas.differences")
        blocks.append(
            table_block_of_estimates(pairs, options.style, caption, said=first.table.footnote)
        )
    if answers.yes_no:
        text = say("areas.yes_no", tests=list_words(answers.yes_no))
        blocks.append(paragraph(text, role="note"))
    if answers.equality is not None:
        blocks.append(paragraph(*global_area_test_in_words(study, answers.equality, options)))
    return [Section(say("heading.areas"), tuple(blocks), "areas")]


def table_block_of_estimates(
    frame: pd.DataFrame, style: str, caption: str, *, said: str = ""
) -> TableBlock:
    """Return a frame of estimates as a table, without the notes that are ``said`` before."""
    columns = table_cells_by_heading(table_columns(frame, style))
    notes = footnotes(frame, columns, methods=False, without=IN_SAMPLE)
    notes = [note for note in notes if note not in said]
    table = text_frame(columns, footnotes=notes)
    told = sentences_of_answer(frame, style)
    return TableBlock(printed_table(table, caption=caption, footnotes=notes, sentences=told))


def global_area_test_in_words(
    study: StudyLike, equality: pd.DataFrame, options: ReportOptions
) -> list[str]:
    """Return the results of the global test that all areas are equal."""
    subject = say("areas.equal", number=len(study.predictors))
    return [
        *(_area_test_result_in_words(subject, row, options) for _, row in equality.iterrows()),
        *note_sentences(equality, without=IN_SAMPLE),
    ]


def _area_test_result_in_words(subject: str, row: pd.Series, options: ReportOptions) -> str:
    """Return the result of a chi-square or F test in words."""
    place = f" in {row['group']}" if row.get("group", "all") not in ("all", "") else ""
    if row["statistic"] != row["statistic"]:
        # NaN: a class without members, a single case, or differences that do not vary.
        return say("areas.undefined", test=subject, place=place)
    p = p_statement(row["p_value"], style=options.style, alpha=1 - options.confidence_level)
    if "df_numerator" in row:
        return say("areas.f_test", test=subject, place=place, statistic=f_statistic(row), p=p)
    return say(
        "areas.chi_square",
        test=subject,
        place=place,
        statistic=format_number(row["statistic"], 2),
        df=format_count(row["df"]),
        degrees="degree" if row["df"] == 1 else "degrees",
        p=p,
    )


def test_of_areas_in_groups_in_words(groups: pd.DataFrame, options: ReportOptions) -> list[str]:
    """Return the results of the test that the areas of each test are equal in all groups."""
    results = [
        _area_test_result_in_words(say("areas.equal_groups", test=row["predictor"]), row, options)
        for _, row in groups.iterrows()
    ]
    return [*results, *note_sentences(groups, without=IN_SAMPLE)]


# --- Measures one below the other, a column for each cutoff ---------------------------------------

# Columns of intervals beside the measures, on an upright page.
_MOST_COLUMNS = 4

_IN_WORDS = {
    "TP": "Found (TP)",
    "FN": "Missed (FN)",
    "FP": "False alarms (FP)",
    "TN": "Cleared (TN)",
}

_HEADS_OF_ROWS = (
    *(QUANTITIES[word].title for word in ("tpr", "tnr")),
    *(GLOSSARY[name].heading for name in ("n_pos", "n_neg")),
)
_PREDICTIVE = tuple(QUANTITIES[word].short for word in PREDICTIVE_VALUES)

Cells = dict[str, dict[Cutoff, str]]
"""Cells of a table by measure and cutoff."""


def accuracy_section(
    answers: ReportAnswers, cutoffs: Sequence[Cutoff], options: ReportOptions
) -> list[Section]:
    """Return the section on accuracy at the cutoffs; nothing without any."""
    blocks: list[Block] = []
    if answers.given is not None:
        frames = [answers.given, answers.given_elsewhere]
        mine = [cutoff for cutoff in cutoffs if cutoff.kind != "chosen"]
        only = all(cutoff.kind == "only" for cutoff in mine)
        of = "results" if only else "given"
        cells = _accuracy_cells_of_cutoffs(frames, mine, options.style)
        blocks += _accuracy_tables(cells, mine, frames, say(f"accuracy.{of}"), options.style)
        blocks += _table_of_paired_rate_differences(
            answers.given_pairs, options.style, say(f"accuracy.{of}_pairs")
        )
    if answers.chosen is not None:
        # A cutoff that calls nobody positive is none, and is named above the tables.
        mine = [cut for cut in cutoffs if cut.kind == "chosen" and math.isfinite(cut.threshold)]
        corrected = [
            _only_rates_at_chosen_cutoffs(answers.chosen),
            *map(_only_rates_at_chosen_cutoffs, answers.chosen_elsewhere),
        ]
        rates = _accuracy_cells_of_cutoffs(corrected, mine, options.style)
        ratios = _apparent_accuracy_cells(
            _accuracy_cells_of_cutoffs([answers.observed], mine, options.style)
        )
        cells = _accuracy_rows_in_usual_order(
            {**_chosen_cutoff_cells(mine, options), **rates, **ratios}
        )
        frames = [*corrected, answers.observed]
        blocks += _accuracy_tables(cells, mine, frames, say("accuracy.chosen"), options.style)
        blocks += _table_of_paired_rate_differences(
            answers.chosen_pairs, options.style, say("accuracy.chosen_pairs")
        )
    blocks += _table_of_results_by_condition(answers, cutoffs, options)
    blocks += _flow_blocks(answers, options)
    title = say("heading.at_cutoffs" if answers.auc is not None else "heading.results")
    return [Section(title, tuple(blocks), "accuracy")] if blocks else []


# A test has one flow of participants, that at its first cutoff; more figures fill pages.
_MOST_FLOWS = 3


def points_with_counts(answers: ReportAnswers) -> list[pd.DataFrame]:
    """Return the rows of each finite cutoff whose true and false calls are whole and its own."""
    pieces = []
    for frame in (answers.given, answers.observed):
        if frame is None or frame.empty:
            continue
        keys = [name for name in ("predictor", "group", "threshold") if name in frame]
        for _, rows in frame.groupby(keys, sort=False):
            rows.attrs = frame.attrs
            listed = row_dicts(rows)
            counted = true_and_false_calls_of_row(listed[0]) is not None
            if counted and np.isfinite(listed[0]["threshold"]) and do_calls_make_rates(listed):
                pieces.append(rows)
    return pieces


def _table_of_results_by_condition(
    answers: ReportAnswers, cutoffs: Sequence[Cutoff], options: ReportOptions
) -> list[TableBlock]:
    """Return the cross-tabulation of each test by the reference standard; nothing of weights."""
    named = {_key_of_cutoff(cut.predictor, cut.group, cut.threshold): cut for cut in cutoffs}
    with_it, without = (
        say(f"accuracy.{key}", condition=options.words.condition)
        for key in ("with_condition", "without_condition")
    )
    cells: dict[str, list[str]] = {"Test": [], "Result": [], with_it: [], without: [], "Total": []}
    for rows in points_with_counts(answers):
        row = row_dicts(rows)[0]
        cut = named[_key_of_cutoff(row["predictor"], row.get("group", ""), row["threshold"])]
        calls = true_and_false_calls_of_row(row) or {}
        for result, pair in (("Positive", ("TP", "FP")), ("Negative", ("FN", "TN"))):
            first, second = (calls[name] for name in pair)
            texts = (
                name_of_test_at_cutoff(cut) if result == "Positive" else "",
                result,
                *map(format_count, (first, second, first + second)),
            )
            for column, text in zip(cells.values(), texts, strict=True):
                column.append(text)
    if not cells["Test"]:
        return []
    caption = say("accuracy.crossed", condition=options.words.condition)
    return [
        TableBlock(printed_table(text_frame(cells, footnotes=[]), caption=caption, footnotes=[]))
    ]


def _flow_blocks(answers: ReportAnswers, options: ReportOptions) -> list[Block]:
    """Return the flow of participants of up to three tests, each at its first cutoff."""
    first: dict[str, pd.DataFrame] = {}
    for rows in points_with_counts(answers):
        row = row_dicts(rows)[0]
        first.setdefault(f"{row['predictor']} {row.get('group', '')}".strip(), rows)
    blocks: list[Block] = []
    for rows in list(first.values())[:_MOST_FLOWS]:
        group = row_dicts(rows)[0].get("group", "")
        place = f" in {group}" if group else ""
        test = str(rows["predictor"].iloc[0])
        caption = say("figure.flow", test=test, place=place, cases=options.words.cases)
        draw = partial(flow_figure, rows, options.words)
        blocks.append(FigureBlock(draw, caption, caption))
    return blocks


def flow_figure(rows: pd.DataFrame, words: ReportWords) -> Figure:
    """Return the flow of participants at a cutoff, with the words of the page."""
    named = rows.copy()
    named.attrs = {**rows.attrs, "rocstats": {**about_of(rows), "outcome": words.condition}}
    ax: Axes = new_grid("column", ratio=RATIO, shown=False)[0]
    plot_flow(named, cases=words.cases, ax=ax)
    return cast("Figure", ax.figure)


def _only_rates_at_chosen_cutoffs(chosen: pd.DataFrame) -> pd.DataFrame:
    """Return the rates at chosen cutoffs; the value of the criterion follows from them."""
    rates = chosen["quantity"].isin(["tpr", "tnr", "ppv", "npv"])
    kept: pd.DataFrame = chosen[rates & np.isfinite(chosen["threshold"])]
    return kept


def _accuracy_rows_in_usual_order(cells: Cells) -> Cells:
    """Return the rows of a table in the usual order, without apparent predictive values."""
    kept = {
        head: by_cut
        for head, by_cut in cells.items()
        if not (head.startswith(_PREDICTIVE) and head.endswith("apparent"))
    }
    return dict(sorted(kept.items(), key=lambda item: item[0].startswith(_PREDICTIVE)))


def _key_of_cutoff(predictor: str, group: str, threshold: float) -> tuple[str, str, float | None]:
    """Return what finds a cutoff; NaN, which is not equal to itself, is None."""
    return str(predictor), str(group), None if math.isnan(threshold) else threshold


def _accuracy_cells_of_cutoffs(
    frames: Iterable[pd.DataFrame | None], cutoffs: Sequence[Cutoff], style: str
) -> Cells:
    """Return the cells of frames of the same cutoffs."""
    by_place = {_key_of_cutoff(cut.predictor, cut.group, cut.threshold): cut for cut in cutoffs}
    cells: Cells = {}
    for frame in frames:
        if frame is None or frame.empty:
            continue
        # Specificity is printed in the place of the false positive rate, which the figure needs.
        frame = frame[frame["quantity"] != "fpr"]
        places = [
            heading_of_identifying_column(frame, name)
            for name in ("predictor", "group", "threshold")
        ]
        grouped = frame.assign(group="") if "group" not in frame else frame
        # A wide table has a row for each cutoff, in the order of the frame.
        rows = grouped[["predictor", "group", "threshold"]].drop_duplicates()
        order = [
            by_place[_key_of_cutoff(*place)] for place in rows.itertuples(index=False, name=None)
        ]
        for column in table_columns(frame, style, layout="wide"):
            if column.head not in places:
                head = _IN_WORDS.get(column.head, column.head)
                cells.setdefault(head, dict(zip(order, column.cells, strict=True)))
    # The counts of a class are those of its calls.
    counted = _IN_WORDS["TP"] in cells
    sizes = [GLOSSARY[name].heading for name in ("n_pos", "n_neg")] if counted else []
    return {head: of_cuts for head, of_cuts in cells.items() if head not in sizes}


def _chosen_cutoff_cells(cutoffs: Sequence[Cutoff], options: ReportOptions) -> Cells:
    """Return each chosen cutoff with its interval."""
    rules = style_of(options.style)
    cells = {}
    for cut in cutoffs:
        limits = limits_of_chosen_cutoff_as_texts(cut)
        signed = any(text.startswith(MINUS) for text in limits)
        separator = rules.difference_separator if signed else rules.separator
        interval = "" if math.isnan(cut.low) else f" ({separator.join(limits)})"
        cells[cut] = f"{SIGNS[cut.direction]}{cut_text(cut)}{interval}"
    return {f"Cutoff ({format_level(options.confidence_level)} CI)": cells}


def _apparent_accuracy_cells(cells: Cells) -> Cells:
    """Return measures that are not corrected for the choice of the cutoff, marked as such."""
    # Rates and counts at the chosen cutoffs have rows of their own.
    own = (*_IN_WORDS.values(), *_HEADS_OF_ROWS)
    return {
        f"{head}, apparent": by_cut for head, by_cut in cells.items() if not head.startswith(own)
    }


def _accuracy_tables(
    cells: Cells,
    cutoffs: Sequence[Cutoff],
    frames: Sequence[pd.DataFrame | None],
    caption: str,
    style: str,
) -> list[TableBlock]:
    """Return tables of a few cutoffs each; what they say is under the last."""
    if not cutoffs:
        return []
    notes = _footnotes_of_accuracy_table(cells, frames)
    told = [
        text
        for frame in frames
        if frame is not None and len(frame)
        for text in sentences_of_answer(frame[frame["quantity"] != "fpr"], style)
    ]
    blocks = []
    for start in range(0, len(cutoffs), _MOST_COLUMNS):
        columns = {"Measure": list(cells)}
        for cut in cutoffs[start : start + _MOST_COLUMNS]:
            name = (
                test_and_group_of_cutoff(cut)
                if cut.kind == "chosen"
                else name_of_test_at_cutoff(cut)
            )
            columns[name] = [by_cut.get(cut, "") for by_cut in cells.values()]
        frame = text_frame(columns, footnotes=notes)
        title = say("accuracy.continued", caption=caption) if start else caption
        last = start + _MOST_COLUMNS >= len(cutoffs)
        printed = printed_table(
            frame, caption=title, footnotes=notes, sentences=told if last else ()
        )
        blocks.append(TableBlock(printed))
    return blocks


def _footnotes_of_accuracy_table(cells: Cells, frames: Sequence[pd.DataFrame | None]) -> list[str]:
    """Return caveats of all frames once, then the abbreviations."""
    known = [frame for frame in frames if frame is not None]
    caveats = [text for frame in known for text in note_sentences(frame, without=IN_SAMPLE)]
    printed = {head: list(by_cut.values()) for head, by_cut in cells.items()}
    if any("apparent" in frame for frame in known):
        # These frames take the share of the study as one that was given.
        caveats.append(say("accuracy.of_the_study"))
    words = footnotes(known[0].drop(columns="note"), printed, methods=False, without=IN_SAMPLE)
    return list(dict.fromkeys([*caveats, *words]))


def _table_of_paired_rate_differences(
    pairs: pd.DataFrame | None, style: str, caption: str
) -> list[TableBlock]:
    """Return the differences of both rates side by side; nothing without pairs."""
    if pairs is None:
        return []
    # The cutoffs are those of the table before, and pairs are of the same cases.
    beside = [name for name in pairs if str(name).endswith(("threshold", "direction"))]
    rows = pairs.drop(columns=[*beside, "n_pos", "n_neg"])
    columns = table_cells_by_heading(table_columns(rows, style, layout="wide"))
    adjusted = any(head.startswith("Adjusted") for head in columns)
    # The P values of single tests are in the frame: here is room for those that are read.
    kept = {
        head.replace("value, difference in ", "value, "): cells
        for head, cells in columns.items()
        if not (adjusted and head.startswith("P value"))
    }
    notes = footnotes(rows, kept, methods=False, without=IN_SAMPLE)
    table, told = text_frame(kept, footnotes=notes), sentences_of_answer(pairs, style)
    return [TableBlock(printed_table(table, caption=caption, footnotes=notes, sentences=told))]
