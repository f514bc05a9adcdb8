"""The report of a reader study: the options of the caller, the frames that answer, the sections.

The sections are in the order of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_text
from rocstats.frame.make import labelled, stacked_frames, text_frame
from rocstats.plots.axes import new_grid
from rocstats.plots.forest import plot_forest
from rocstats.plots.readers import readers_figure
from rocstats.reports.document import (
    Block,
    Document,
    FigureBlock,
    Paragraph,
    Section,
    TableBlock,
    document_with_numbered_captions,
    paragraph,
    with_references,
)
from rocstats.reports.methods import versions_sentence
from rocstats.reports.options import ReportWords, read_report_words
from rocstats.reports.studied import (
    LISTED,
    dropped_sentences,
    sentences_on_numbers_of_groups,
    sentences_on_rows_as_units,
)
from rocstats.reports.texts import say
from rocstats.study.units import UNITS
from rocstats.tables.footnotes import reader_footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.methods import reader_sentences
from rocstats.tables.reader_frames import EVERY, rows_of_reader_averages
from rocstats.tables.reader_table import reader_columns
from rocstats.tables.readers import (
    component_text,
    machine_sentences,
    reader_result_sentences,
    sentences_on_reader_model,
    small_number_text,
)
from rocstats.tables.sentences import sentences_of_answer
from rocstats.tables.sizes import size_in_words
from rocstats.tables.tables import table_cells_by_heading, table_columns
from rocstats.tables.text import format_count, style_of
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocstats.tables.protocols import ReaderStudyLike


# --- The report -----------------------------------------------------------------------------------


class ReaderReport(NamedTuple):
    """A report of a reader study: its content, and the frames behind it."""

    document: Document
    answers: ReaderAnswers
    explorer: dict[str, Any] | None = None

    @property
    def on_paper(self) -> Document:
        """The same: no page of such a report has an interactive part."""
        return self.document


def reader_report(study: ReaderStudyLike, options: ReaderOptions) -> ReaderReport:
    """Return the report of a reader study, to be written in any format.

    Parameters
    ----------
    study : ReaderStudy
        The study.
    options : ReaderOptions
        What the caller wants, see ``read_reader_options``.
    """
    answers = ask_readers(study, options)
    printed = answers.labelled(study.labels)
    sections = (
        _reader_answer_section(printed, options),
        _reader_study_section(study, options),
        _section_on_each_reader(printed, options),
        *_section_on_readers_and_machines(printed, options),
        *_section_on_variance_components(printed),
        _methods_section_of_reader_report(printed),
        *_closing_sections_of_reader_report(study, printed, options),
    )
    title = _title_of_reader_report(study) if options.title is None else options.title
    document = Document(title, _subtitle_of_reader_report(study, options), sections)
    return ReaderReport(with_references(document_with_numbered_captions(document)), answers)


def _names_or_number(study: ReaderStudyLike, names: tuple[str, ...], word: str) -> str:
    """Return names as a list, or their number if they are many."""
    labels = [study.labels.get(name, name) for name in names]
    return list_words(labels) if len(labels) <= LISTED else f"{len(labels)} {word}"


def _title_of_reader_report(study: ReaderStudyLike) -> str:
    readers = len(study.readers)
    modalities = _names_or_number(study, study.modalities, "modalities")
    word = "readers" if readers > 1 else "reader"
    return say("readers.title", modalities=modalities, number=readers, readers=word)


def _subtitle_of_reader_report(study: ReaderStudyLike, options: ReaderOptions) -> str:
    words, n_all = options.words, study.n_pos + study.n_neg
    size = size_in_words(n_all, study.n_pos, study.units, words.cases, words.condition)
    return " ".join([size, say("readers.reads", number=format_count(study.design.n_reads))])


def _reader_answer_section(answers: ReaderAnswers, options: ReaderOptions) -> Section:
    results = reader_result_sentences(answers.auc, answers.comparison, options.style)
    model = sentences_on_reader_model(answers.auc)
    texts = [text for text in results if text not in model]
    blocks = [paragraph(*texts, role="answer"), paragraph(*model, role="notice")]
    return Section("", tuple(blocks), "answer")


def _reader_study_section(study: ReaderStudyLike, options: ReaderOptions) -> Section:
    words = options.words
    cases, condition = words.cases.capitalize(), words.condition
    texts = [
        say("readers.design", design=study.design.in_words()),
        say("readers.names", names=_names_or_number(study, study.readers, "readers")),
        say("readers.label", cases=cases, condition=condition, label=study.pos_label),
    ]
    if study.design.n_missing:
        texts.append(say("readers.missing", number=format_count(study.design.n_missing)))
    texts += sentences_on_rows_as_units(study.units, words)
    texts += sentences_on_numbers_of_groups(
        study.cluster if study.units is None else None, study.group
    )
    texts += dropped_sentences(study.n_dropped)
    return Section(say("heading.studied"), (paragraph(*texts),), "studied")


# --- The readers: curves, areas, differences ------------------------------------------------------

# Rows of a forest that fill a page, see ``plot_forest``; modalities that share axes.
_MOST_ROWS, _MOST_MODALITIES = 60, 4

# Characters of the cells beside the readers on a line of an upright page, which holds some 115.
_MOST_CHARACTERS = 100

# Characters of a line of a heading, which is broken between its words.
_HEADING_LINE = 9

# Notes that tables leave out, because the section on the study has them.
_NOTES_ELSEWHERE = ("rows-dropped", "missing-reads", UNITS)


def _section_on_each_reader(answers: ReaderAnswers, options: ReaderOptions) -> Section:
    """Return the figure, the table of readers, and the forest of their differences."""
    blocks: list[Block] = [_figure_block_of_reader_curves(answers, options)]
    blocks += _tables_of_reader_areas(answers, options)
    if answers.by_reader is not None:
        blocks += _forest_block_of_readers(answers)
    if answers.points is not None:
        cells = table_cells_by_heading(table_columns(answers.points, options.style, layout="wide"))
        blocks.append(
            reader_table_block([answers.points], cells, say("readers.points"), options.style)
        )
    return Section(say("heading.readers"), tuple(blocks), "readers")


def drawings_of_reader_figures(
    answers: ReaderAnswers, style: str
) -> dict[str, Callable[[], Figure]]:
    """Return what draws each figure of a report, by the name of its file."""
    drawn: dict[str, Callable[[], Figure]] = {
        "readers": partial(_draw_figure_of_reader_curves, answers, style)
    }
    frame = _modality_differences_of_readers(answers)
    if 0 < len(frame) <= _MOST_ROWS:
        drawn["forest"] = partial(_draw_forest_of_readers, frame)
    return drawn


def _figure_block_of_reader_curves(answers: ReaderAnswers, options: ReaderOptions) -> FigureBlock:
    sentences = [say("readers.curves")]
    if answers.points is not None:
        sentences.append(say("readers.marks"))
    if answers.machine_curve is not None:
        machine = answers.machine_curve["predictor"].iloc[0]
        sentences.append(say("readers.machine_drawn", machine=machine))
    if answers.auc["modality"].nunique() <= _MOST_MODALITIES:
        sentences.append(say("readers.beside"))
    caption = " ".join(sentences)
    return FigureBlock(
        partial(_draw_figure_of_reader_curves, answers, options.style), caption, caption, "page"
    )


def _draw_figure_of_reader_curves(answers: ReaderAnswers, style: str) -> Figure:
    return readers_figure(
        answers.curve,
        style=style,
        auc=answers.auc,
        comparison=answers.comparison,
        points=answers.points,
        machine=answers.machine_curve,
    )


def _tables_of_reader_areas(answers: ReaderAnswers, options: ReaderOptions) -> list[Block]:
    """Return the table of readers, in several where a page has no room for all modalities."""
    cells = table_cells_by_heading(reader_columns(answers.in_table, options.style))
    whole = reader_table_block(answers.in_table, cells, say("readers.table"), options.style)
    parts = _headings_of_reader_tables_that_fit(cells, grouped="group" in answers.auc)
    if len(parts) == 1:
        return [whole]
    blocks: list[Block] = []
    for i, heads in enumerate(parts):
        notes = whole.table.footnote if i == len(parts) - 1 else ""
        frame = text_frame({head: cells[head] for head in heads}, footnotes=[])
        caption = whole.table.caption
        caption = say("accuracy.continued", caption=caption) if i else caption
        blocks.append(TableBlock(printed_table(frame, caption=caption, footnotes=[notes])))
    return blocks


def _headings_of_reader_tables_that_fit(
    cells: Mapping[str, Sequence[str]], *, grouped: bool
) -> list[list[str]]:
    """Return the headings of tables that fit a page; P values stay with their differences."""
    heads = list(cells)
    places, rest = heads[: 1 + grouped], heads[1 + grouped :]
    units: list[list[str]] = []
    for head in rest:
        if units and head.startswith(("P value", "Adjusted P value")):
            units[-1].append(head)
        else:
            units.append([head])
    parts: list[list[str]] = [[]]
    for unit in units:
        width = sum(_characters_of_reader_column(head, cells[head]) for head in (*parts[-1], *unit))
        if parts[-1] and width > _MOST_CHARACTERS:
            parts.append([])
        parts[-1] += unit
    return [[*places, *part] for part in parts]


def _characters_of_reader_column(head: str, cells: Sequence[str]) -> int:
    return max(*map(len, cells), min(len(head), _HEADING_LINE))


def reader_table_block(
    frames: Sequence[pd.DataFrame],
    cells: dict[str, list[str]],
    caption: str,
    style: str,
) -> TableBlock:
    """Return a table with its footnotes, but for what the page says once above all tables."""
    model = {text for frame in frames for text in sentences_on_reader_model(frame)}
    footnotes = reader_footnotes(frames, cells, style, methods=False, without=_NOTES_ELSEWHERE)
    notes = [note for note in footnotes if note not in model]
    table = text_frame(cells, footnotes=notes)
    told = [text for frame in frames for text in sentences_of_answer(frame, style)]
    return TableBlock(printed_table(table, caption=caption, footnotes=notes, sentences=told))


def _forest_block_of_readers(answers: ReaderAnswers) -> list[Block]:
    frame = _modality_differences_of_readers(answers)
    if len(frame) > _MOST_ROWS:
        return [paragraph(say("readers.forest_left_out", number=len(frame)), role="note")]
    caption = say("readers.forest")
    return [FigureBlock(partial(_draw_forest_of_readers, frame), caption, caption, "page")]


def _draw_forest_of_readers(frame: pd.DataFrame) -> Figure:
    ax = new_grid("page", ratio=1.0, shown=False)[0]
    return cast("Figure", plot_forest(frame, ax=ax).figure)


def _modality_differences_of_readers(answers: ReaderAnswers) -> pd.DataFrame:
    """Return the differences of readers and of averages; no rows without any."""
    single, comparison = answers.by_reader, answers.comparison
    if single is None or comparison is None:
        return answers.auc.head(0)
    return stacked_frames(single[single["reader"] != EVERY], rows_of_reader_averages(comparison))


# --- Machines, components, methods, limits --------------------------------------------------------


def _section_on_readers_and_machines(
    answers: ReaderAnswers, options: ReaderOptions
) -> Iterator[Section]:
    blocks: list[Block] = []
    for frame in answers.machines:
        model = sentences_on_reader_model(answers.auc)
        results = machine_sentences(frame, options.style)
        blocks.append(paragraph(*(text for text in results if text not in model)))
        cells = table_cells_by_heading(table_columns(frame, options.style))
        blocks.append(reader_table_block([frame], cells, say("readers.machine"), options.style))
    if blocks:
        yield Section(say("heading.machine"), tuple(blocks), "machine")


def _section_on_variance_components(answers: ReaderAnswers) -> Iterator[Section]:
    components = answers.components
    if components is None:
        return
    groups = {"Group": components["group"].tolist()} if "group" in components else {}
    cells = {
        **groups,
        "Model": [list_words(map(str.capitalize, word.split("-"))) for word in components["model"]],
        "Component": [component_text(str(name)) for name in components["component"]],
        "Estimate": [small_number_text(value) for value in components["estimate"]],
    }
    caption = say("readers.components")
    table = printed_table(text_frame(cells, footnotes=[]), caption=caption, footnotes=[])
    yield Section(say("heading.components"), (TableBlock(table),), "components")


def _methods_section_of_reader_report(answers: ReaderAnswers) -> Section:
    sentences = reader_sentences(answers.in_methods)
    software = versions_sentence(answers.auc, resampled=False)
    return Section(say("heading.methods"), (Paragraph((*sentences, software)),), "methods")


def _closing_sections_of_reader_report(
    study: ReaderStudyLike, answers: ReaderAnswers, options: ReaderOptions
) -> Iterator[Section]:
    keys = ("readers.training", "readers.practice", "readers.truth")
    blocks = [paragraph(*(say(key, **options.words._asdict()) for key in keys))]
    if answers.reasons:
        blocks.append(paragraph(*answers.reasons, lead=say("limits.not_given")))
    yield Section(say("heading.limits"), tuple(blocks), "limits")
    if options.source is not None:
        yield Section(say("heading.source"), (paragraph(options.source),), "source")


# --- Options --------------------------------------------------------------------------------------

# What areas and variance components are asked with too.
_MODEL_OPTIONS = ("readers", "cases", "method", "covariance")

_COMPONENT_OPTIONS = ("covariance",)
_RANGE_OPTIONS = ("fpr_range", "tpr_range")

# The level is the report's, and readers have a table of their own.
_COMPARE_OPTIONS = (
    *_MODEL_OPTIONS,
    *_RANGE_OPTIONS,
    *("reference", "hypothesis", "margin", "alternative", "null_value", "adjust"),
)

# Options of a report of a binary study, with their defaults.
_BINARY_OPTIONS: dict[str, Any] = {
    "band": "fixed-width",
    "criterion": "youden",
    "prevalence": None,
    "risk_threshold": None,
    "rng": None,
}


class ReaderOptions(NamedTuple):
    """The options of a report of a reader study."""

    title: str | None
    style: str
    confidence_level: float
    words: ReportWords
    source: str | None
    threshold: float | None
    """The rating at which readers call a case positive, set before the study."""
    comparison: dict[str, Any]
    """Options of ``compare_auc``."""


def read_reader_options(
    study: ReaderStudyLike,
    *,
    title: Any = None,
    style: Any = "plain",
    confidence_level: Any = 0.95,
    prespecified: Any = None,
    comparison: Any = None,
    words: Any = None,
    source: Any = None,
    **others: Any,
) -> ReaderOptions:
    """Return the options of a report; raise InputError for one that is not possible.

    Parameters
    ----------
    study : ReaderStudy
        The study.
    title, style, confidence_level, prespecified, comparison, words, source
        See ``report``.
    **others
        Options of a report of a binary study, which must be left out.
    """
    for argument, text in (("title", title), ("source", source)):
        if text is not None:
            require_text(argument, text)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    style_of(style)
    for argument, usual in _BINARY_OPTIONS.items():
        if others.get(argument, usual) != usual:
            raise InputError(
                f"`{argument}` must be left out in a report of a reader study; got"
                f" {others[argument]!r}. Leave it out."
            )
    number = isinstance(prespecified, Real) and not isinstance(prespecified, bool)
    if prespecified is not None and not number:
        raise InputError(
            "`prespecified` must be one rating in a report of a reader study; got"
            f" {prespecified!r}. Pass the rating from which a case is called positive."
        )
    if comparison is not None and not isinstance(comparison, Mapping):
        raise InputError(
            f"`comparison` must be a dict of options of compare_auc(); got {comparison!r}."
            " Pass for instance comparison={'readers': 'fixed'}."
        )
    unknown = [name for name in comparison or {} if name not in _COMPARE_OPTIONS]
    if unknown:
        raise InputError(
            f"`comparison` must have only these options of compare_auc(): {list(_COMPARE_OPTIONS)};"
            f" got {unknown}. Pass confidence_level= to the report itself, and leave other options"
            " out."
        )
    return ReaderOptions(
        title=title,
        style=style,
        confidence_level=float(confidence_level),
        words=read_report_words(words, study.outcome, clustered=True),
        source=source,
        threshold=None if prespecified is None else float(prespecified),
        comparison=dict(comparison or {}),
    )


# --- Answers --------------------------------------------------------------------------------------


class ReaderAnswers(NamedTuple):
    """The frames of a report; None if a frame was not computed or is impossible."""

    curve: pd.DataFrame
    auc: pd.DataFrame
    comparison: pd.DataFrame | None = None
    by_reader: pd.DataFrame | None = None
    components: pd.DataFrame | None = None
    points: pd.DataFrame | None = None
    machines: tuple[pd.DataFrame, ...] = ()
    machine_curve: pd.DataFrame | None = None
    """The curve of the only machine: those of several would hide the readers."""
    reasons: tuple[str, ...] = ()
    """Sentences on parts that the study does not support."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files, "auc" of auc.csv."""
        named = {
            "auc": self.auc, "compare_auc": self.comparison,
            "compare_auc_by_reader": self.by_reader, "components": self.components,
            "operating_points": self.points, "roc_curve": self.curve,
            "machine_roc_curve": self.machine_curve,
        }  # fmt: skip
        several = len(self.machines) > 1
        machines = {
            f"compare_with{f'_{i}' if several else ''}": frame
            for i, frame in enumerate(self.machines, start=1)
        }
        return {**{name: frame for name, frame in named.items() if frame is not None}, **machines}

    @property
    def in_table(self) -> list[pd.DataFrame]:
        """The frames of the table of readers."""
        frames = (self.auc, self.by_reader, self.comparison)
        return [frame for frame in frames if frame is not None]

    @property
    def in_methods(self) -> list[pd.DataFrame]:
        """The frames whose methods are described."""
        points = [] if self.points is None else [self.points]
        return [*self.in_table, *self.machines, *points]

    def labelled(self, labels: Mapping[str, str]) -> ReaderAnswers:
        """Return the answers with the labels of the study in the place of names."""
        named: dict[str, Any] = {
            field: labelled(frame, labels)
            for field, frame in self._asdict().items()
            if isinstance(frame, pd.DataFrame)
        }
        machines = tuple(labelled(frame, labels) for frame in self.machines)
        return self._replace(**named, machines=machines)


def ask_readers(study: ReaderStudyLike, options: ReaderOptions) -> ReaderAnswers:
    """Return the frames of a report of a reader study, with the names of the study."""
    level = {"confidence_level": options.confidence_level}
    comparison = {**options.comparison, **level}
    shared = _options_with_names(comparison, _MODEL_OPTIONS)
    reasons: list[str] = []

    def ask(what: str, question: Callable[..., pd.DataFrame], *args: Any, **named: Any) -> Any:
        try:
            return question(*args, **named)
        except InputError as refusal:
            reasons.append(say("reason.refused", what=what, refusal=refusal))
            return None

    several = len(study.modalities) > 1
    nested = study.design.pattern == "readers nested in modalities"
    if nested:
        reasons.append(say("reason.nested"))
    answers = ReaderAnswers(
        curve=study.roc_curve(),
        # The averages are those that are compared: over a range, partial areas.
        auc=study.auc(
            **_options_with_names(comparison, (*_MODEL_OPTIONS, *_RANGE_OPTIONS)), **level
        ),
        comparison=study.compare_auc(**comparison) if several else None,
    )
    whole = _options_with_names(shared, _COMPONENT_OPTIONS)
    versus = {name: value for name, value in comparison.items() if name != "reference"}
    by_reader = "Differences of single readers"
    # Readers are shown beside their average, which is what is tested.
    single = {**comparison, "by": "reader", "adjust": "none"}
    threshold = {"threshold": options.threshold, **shared, **level}
    return answers._replace(
        by_reader=ask(by_reader, study.compare_auc, **single) if several and not nested else None,
        components=ask("Variance components", study.components, **whole),
        points=None
        if options.threshold is None
        else ask("Rates of calls", study.operating_points, **threshold),
        machines=tuple(
            frame
            for name in study.machines
            if (frame := ask(f"The comparison with {name}", study.compare_with, name, **versus))
            is not None
        ),
        machine_curve=study.machine_study(study.machines[0]).roc_curve()
        if len(study.machines) == 1 and study.group is None
        else None,
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _options_with_names(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in names}
