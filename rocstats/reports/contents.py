"""The content of a report by section, for all file formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rocstats.reports.accuracy import accuracy_section, area_sections
from rocstats.reports.answers import ReportAnswers, ask_report_answers
from rocstats.reports.cutoffs import answer_section, cutoffs_of
from rocstats.reports.document import (
    Document,
    Section,
    document_with_numbered_captions,
    paragraph,
    with_references,
)
from rocstats.reports.explored import explorer_data_of_report
from rocstats.reports.figures import figure_section
from rocstats.reports.hints import hints_on_direction, hints_on_risks_in_percent
from rocstats.reports.methods import closing_sections, methods_section
from rocstats.reports.studied import studied_section, subtitle_of, title_of
from rocstats.reports.texts import say
from rocstats.reports.use import use_section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


class Report(NamedTuple):
    """A report: its content, and its frames with the names of the study."""

    document: Document
    answers: ReportAnswers
    options: ReportOptions
    explorer: dict[str, Any] | None
    """Data of the interactive part of a page; None without one."""
    on_paper: Document
    """The content without a word about an interactive part."""


def report_of(study: StudyLike, options: ReportOptions) -> Report:
    """Return the report of a study, to be written in any format.

    Parameters
    ----------
    study : Study
        The study.
    options : ReportOptions
        What the caller wants, see ``read_options``.
    """
    answers = ask_report_answers(study, options)
    payload, reason = explorer_data_of_report(study, answers, options)
    on_paper = document_of(study, answers, options._replace(explorer=None))
    if reason:
        answers = answers._replace(reasons=(*answers.reasons, reason))
    if payload is None:
        options = options._replace(explorer=None)
    document = document_of(study, answers, options) if payload or reason else on_paper
    return Report(document, answers, options, payload, on_paper)


def _hint_section(shown: ReportAnswers, options: ReportOptions) -> Iterator[Section]:
    """Yield the hints on mistakes that the data may have, if there are any."""
    hints = list(options.hints)
    if shown.auc is not None:
        hints += hints_on_direction(shown.auc, options.words.condition)
        hints += hints_on_risks_in_percent(shown.curve)
    if hints:
        yield Section("", (paragraph(*hints, role="notice", lead=say("hint.lead")),), "hints")


def document_of(study: StudyLike, answers: ReportAnswers, options: ReportOptions) -> Document:
    """Return the content of a report.

    Parameters
    ----------
    study : Study
        The study: its sample and its words.
    answers : Answers
        The frames, with the names of the study.
    options : ReportOptions
        What the caller wants.
    """
    shown = answers.labelled(study.labels)
    cutoffs = cutoffs_of(shown)
    accuracy = accuracy_section(shown, cutoffs, options)
    sections: list[Section] = [
        *_hint_section(shown, options),
        answer_section(shown, cutoffs, options),
        *(accuracy if shown.auc is None else ()),
        studied_section(study, answers, options),
        *area_sections(study, shown, options),
        *figure_section(study, shown, options),
        *(() if shown.auc is None else accuracy),
        *use_section(shown.use, options),
        methods_section(study, shown, options),
        *closing_sections(study, shown, options),
    ]
    title = title_of(study, options) if options.title is None else options.title
    document = Document(title, subtitle_of(study, options.words), tuple(sections))
    return with_references(document_with_numbered_captions(document))
