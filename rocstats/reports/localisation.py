"""The report of a study of marks: its answers, its figure, and what authors must add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pandas as pd

from rocstats.frame.make import labelled
from rocstats.plots.axes import new_axes
from rocstats.plots.froc import plot_froc
from rocstats.reports.document import (
    Block,
    Document,
    FigureBlock,
    Paragraph,
    Section,
    document_with_numbered_captions,
    paragraph,
    with_references,
)
from rocstats.reports.methods import versions_sentence
from rocstats.reports.options import ReportWords
from rocstats.reports.readers import reader_table_block
from rocstats.reports.studied import (
    LISTED,
    sentences_on_numbers_of_groups,
    sentences_on_rows_as_units,
)
from rocstats.reports.texts import say
from rocstats.tables.methods import reader_sentences
from rocstats.tables.reader_table import reader_columns
from rocstats.tables.readers import (
    machine_sentences,
    reader_result_sentences,
    sentences_on_reader_model,
)
from rocstats.tables.sizes import size_in_words
from rocstats.tables.tables import table_cells_by_heading, table_columns
from rocstats.tables.text import format_count
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocstats.studies.studies import DetectionStudy


class MarksOptions(NamedTuple):
    """The options of a report of marks; ``asked`` are those of areas and their comparison."""

    title: str | None
    style: str
    words: ReportWords
    source: str | None
    seed: int
    asked: dict[str, Any]
    compared: dict[str, Any]


class MarksAnswers(NamedTuple):
    """The frames of a report; None where the study does not support one."""

    auc: pd.DataFrame
    score: pd.DataFrame
    froc: pd.DataFrame
    wafroc: pd.DataFrame | None = None
    comparison: pd.DataFrame | None = None
    by_reader: pd.DataFrame | None = None
    machine: pd.DataFrame | None = None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files, "auc" of auc.csv."""
        names = {
            "auc": "auc", "score": "froc_score", "froc": "froc_curve", "wafroc": "wafroc_curve",
            "comparison": "compare_auc", "by_reader": "compare_auc_by_reader",
            "machine": "compare_with",
        }  # fmt: skip
        return {names[field]: frame for field, frame in self._asdict().items() if frame is not None}

    @property
    def in_table(self) -> list[pd.DataFrame]:
        """The frames of the table of readers."""
        frames = (self.auc, self.by_reader, self.comparison)
        return [frame for frame in frames if frame is not None]

    @property
    def in_methods(self) -> list[pd.DataFrame]:
        """The frames whose methods are described."""
        return [*self.in_table, *([] if self.machine is None else [self.machine]), self.score]

    def labelled(self, labels: Mapping[str, str]) -> MarksAnswers:
        """Return the answers with the labels of the study in the place of names."""
        named: dict[str, Any] = {
            field: labelled(frame, labels)
            for field, frame in self._asdict().items()
            if frame is not None
        }
        return self._replace(**named)


class MarksReport(NamedTuple):
    """A report of marks: its content, and the frames behind it."""

    document: Document
    answers: MarksAnswers
    explorer: dict[str, Any] | None = None

    @property
    def on_paper(self) -> Document:
        """The same: no page of such a report has an interactive part."""
        return self.document


def marks_report(study: DetectionStudy, options: MarksOptions) -> MarksReport:
    """Return the report of a study of marks, to be written in any format."""
    answers = _ask_marks(study, options)
    printed = answers.labelled(study.labels)
    results = reader_result_sentences(printed.auc, printed.comparison, options.style)
    model = sentences_on_reader_model(printed.auc)
    answer = (
        paragraph(*(text for text in results if text not in model), role="answer"),
        paragraph(*model, role="notice"),
    )
    sentences = reader_sentences(printed.in_methods)
    versions = versions_sentence(printed.auc, options.seed)
    sections = (
        Section("", answer, "answer"),
        _studied_section(study, options),
        _readers_section(printed, options),
        *_machine_section(printed, options),
        Section(say("heading.methods"), (Paragraph((*sentences, versions)),), "methods"),
        *_closing_sections(options),
    )
    names = [study.labels.get(name, name) for name in study.modalities]
    listed = list_words(names) if len(names) <= LISTED else f"{len(names)} modalities"
    number = len(study.readers)
    word = "readers" if number > 1 else "reader"
    title = options.title
    if title is None:
        title = say("marks.title", modalities=listed, number=number, readers=word)
    words, n = options.words, study.n_pos + study.n_neg
    size = size_in_words(n, study.n_pos, study.units, words.cases, words.condition)
    document = Document(title, size, sections)
    return MarksReport(with_references(document_with_numbered_captions(document)), answers)


def _ask_marks(study: DetectionStudy, options: MarksOptions) -> MarksAnswers:
    """Return the frames of a report, with the names of the study."""
    asked, several = options.asked, len(study.modalities) > 1
    effects = {key: asked[key] for key in ("readers", "cases") if key in asked}
    level = {"confidence_level": asked["confidence_level"]}
    # Readers are shown beside their average, which is what is tested.
    single = {key: value for key, value in asked.items() if key not in ("readers", "cases")}
    compared = options.compared
    versus = {key: value for key, value in compared.items() if key != "reference"}
    by_reader = several and len(study.readers) > 1
    return MarksAnswers(
        auc=study.auc(**asked),
        score=study.froc_score(**effects, **level, rng=options.seed),
        froc=study.curve("froc"),
        wafroc=study.curve("wafroc") if study.n_neg else None,
        comparison=study.compare_auc(**asked, **compared) if several else None,
        by_reader=study.compare_auc(**{**single, **compared, "by": "reader", "adjust": "none"})
        if by_reader
        else None,
        machine=None if study.machine is None else study.compare_with(**asked, **versus),
    )


def _studied_section(study: DetectionStudy, options: MarksOptions) -> Section:
    words = options.words
    found, false = study.n_marks
    counts = {
        "n": study.n_pos + study.n_neg, "n_pos": study.n_pos, "n_neg": study.n_neg,
        "n_lesions": study.n_lesions, "found": found, "false": false,
    }  # fmt: skip
    numbers = {name: format_count(count) for name, count in counts.items()}
    texts = [say("marks.sizes", **numbers, cases=words.cases), say("marks.everybody")]
    names = [study.labels.get(name, name) for name in study.readers]
    if len(names) > 1:
        listed = list_words(names) if len(names) <= LISTED else f"{len(names)} readers"
        texts.append(say("readers.names", names=listed))
    if study.n_extra_marks:
        texts.append(say("marks.several", number=format_count(study.n_extra_marks)))
    texts += sentences_on_rows_as_units(study.units, words)
    cluster = study.cluster if study.units is None else None
    texts += sentences_on_numbers_of_groups(cluster, study.group)
    blocks = (paragraph(*texts), paragraph(say("marks.criterion"), role="notice"))
    return Section(say("heading.studied"), blocks, "studied")


def _readers_section(answers: MarksAnswers, options: MarksOptions) -> Section:
    """Return the figures of the curves, the table of areas, and that of FROC scores."""
    style = options.style
    blocks: list[Block] = []
    for name, draw in drawings_of_marks(answers).items():
        caption = say(f"marks.{name}")
        blocks.append(FigureBlock(draw, caption, caption, "page"))
    cells = table_cells_by_heading(reader_columns(answers.in_table, style))
    blocks.append(reader_table_block(answers.in_table, cells, say("readers.table"), style))
    cells = table_cells_by_heading(reader_columns([answers.score], style))
    blocks.append(reader_table_block([answers.score], cells, say("marks.score"), style))
    return Section(say("heading.readers"), tuple(blocks), "readers")


def drawings_of_marks(answers: MarksAnswers) -> dict[str, Any]:
    """Return what draws each figure of a report, by the name of its file."""
    curves = {"froc": answers.froc, "wafroc": answers.wafroc}
    return {
        name: partial(_draw_marks, curve) for name, curve in curves.items() if curve is not None
    }


def _draw_marks(curve: pd.DataFrame) -> Figure:
    weighted = curve["curve"].iloc[0] == "wafroc"
    ax = new_axes("page", ratio=0.8 if weighted else 0.6, shown=False)
    return cast("Figure", plot_froc(curve, ax=ax).figure)


def _machine_section(answers: MarksAnswers, options: MarksOptions) -> Iterator[Section]:
    frame, style = answers.machine, options.style
    if frame is None:
        return
    model = sentences_on_reader_model(answers.auc)
    texts = [text for text in machine_sentences(frame, style) if text not in model]
    cells = table_cells_by_heading(table_columns(frame, style))
    table = reader_table_block([frame], cells, say("readers.machine"), style)
    yield Section(say("heading.machine"), (paragraph(*texts), table), "machine")


def _closing_sections(options: MarksOptions) -> Iterator[Section]:
    words = options.words._asdict()
    texts = [say(key, **words) for key in ("readers.training", "marks.mix", "marks.truth")]
    yield Section(say("heading.limits"), (paragraph(*texts),), "limits")
    if options.source is not None:
        yield Section(say("heading.source"), (paragraph(options.source),), "source")
