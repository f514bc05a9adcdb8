"""The sections on areas: each with its interval, their differences, and subgroups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from rocstats.frame.make import text_frame
from rocstats.reports.document import Block, Section, TableBlock, paragraph
from rocstats.reports.texts import say
from rocstats.study.units import UNITS
from rocstats.tables.footnotes import footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.readers import f_statistic
from rocstats.tables.tables import table_cells_by_heading, table_columns
from rocstats.tables.text import format_count, format_number, p_statement
from rocstats.tables.wording import list_words, note_sentences

if TYPE_CHECKING:
    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


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
    printed = printed_table(text_frame(columns, footnotes=notes), caption=caption, footnotes=notes)
    return TableBlock(printed)


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
