"""The sections on areas: each with its interval, their differences, and subgroups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from rocstats.frame.make import text_frame
from rocstats.reports.document import Block, Section, TableBlock, paragraph
from rocstats.study.units import UNITS
from rocstats.tables.footnotes import footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.readers import f_statistic
from rocstats.tables.tables import by_heading, table_columns
from rocstats.tables.text import format_count, format_number, p_statement
from rocstats.tables.wording import list_words, note_sentences

if TYPE_CHECKING:
    from rocstats.reports.answers import Answers
    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


# What footnotes of tables leave out, because the section on the sample has them.
IN_SAMPLE = ("rows-dropped", UNITS)


def area_sections(study: StudyLike, answers: Answers, options: ReportOptions) -> list[Section]:
    """Return the section on areas, or the paragraph that replaces it."""
    if answers.auc is None:
        why = (
            "The results are yes or no. Such a test has one sensitivity and one specificity: it has"
            " no curve, no area under it, and no cutoff to choose."
        )
        return [Section("", (paragraph(why),), "areas")]
    first = table_of(answers.auc, options.style, "How well each test separates")
    blocks: list[Block] = [first]
    if answers.comparisons is not None:
        # The numbers of cases are those of the table before, but for those that two tests share.
        counts = ["n_pos", "n_neg", "reference_n_pos", "reference_n_neg"]
        pairs = answers.comparisons.drop(columns=counts, errors="ignore")
        caption = "Differences in area between tests"
        blocks.append(table_of(pairs, options.style, caption, said=first.table.footnote))
    if answers.yes_no:
        names = list_words(answers.yes_no)
        text = f"{names}: yes or no. The area is the mean of sensitivity and specificity."
        blocks.append(paragraph(text, role="note"))
    if answers.equality is not None:
        blocks.append(paragraph(*global_test(study, answers.equality, options)))
    return [Section("How well the tests separate", tuple(blocks), "areas")]


def table_of(frame: pd.DataFrame, style: str, caption: str, *, said: str = "") -> TableBlock:
    """Return a frame of estimates as a table, without the notes that are ``said`` before."""
    columns = by_heading(table_columns(frame, style))
    notes = footnotes(frame, columns, methods=False, without=IN_SAMPLE)
    notes = [note for note in notes if note not in said]
    printed = printed_table(text_frame(columns, footnotes=notes), caption=caption, footnotes=notes)
    return TableBlock(printed)


def global_test(study: StudyLike, equality: pd.DataFrame, options: ReportOptions) -> list[str]:
    """Return the results of the global test that all areas are equal."""
    subject = f"The global test that all {len(study.predictors)} areas are equal"
    return [
        *(_result(subject, row, options) for _, row in equality.iterrows()),
        *note_sentences(equality, without=IN_SAMPLE),
    ]


def _result(subject: str, row: pd.Series, options: ReportOptions) -> str:
    """Return the result of a chi-square or F test in words."""
    place = f" in {row['group']}" if row.get("group", "all") not in ("all", "") else ""
    if row["statistic"] != row["statistic"]:
        # NaN: a class without members, a single case, or differences that do not vary.
        return f"{subject}{place} is not available."
    p = p_statement(row["p_value"], style=options.style, alpha=1 - options.confidence_level)
    if "df_numerator" in row:
        return f"{subject}{place} gives {f_statistic(row)}, {p}."
    statistic = f"chi-square = {format_number(row['statistic'], 2)}"
    unit = "degree" if row["df"] == 1 else "degrees"
    df = format_count(row["df"])
    return f"{subject}{place} gives {statistic} on {df} {unit} of freedom, {p}."


def group_test(groups: pd.DataFrame, options: ReportOptions) -> list[str]:
    """Return the results of the test that the areas of each test are equal in all groups."""
    subject = "The test that areas of {} are equal in all groups"
    return [
        *(_result(subject.format(row["predictor"]), row, options) for _, row in groups.iterrows()),
        *note_sentences(groups, without=IN_SAMPLE),
    ]
