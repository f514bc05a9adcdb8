"""What the report of a reader study says, section by section."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rocstats.frames.labels import about_of
from rocstats.frames.making import stacked, text_frame
from rocstats.present.footnotes import reader_footnotes
from rocstats.present.formats.markup import printed_table
from rocstats.present.layouts import by_heading, table_columns
from rocstats.present.methods import reader_sentences
from rocstats.present.plots.forest import plot_forest
from rocstats.present.plots.readers import readers_figure
from rocstats.present.plots.shared.sizes import new_grid
from rocstats.present.readers.frames import EVERY, averages
from rocstats.present.readers.tables import reader_columns
from rocstats.present.readers.words import (
    component_text,
    machine_sentences,
    model_sentences,
    result_sentences,
    small_number,
)
from rocstats.present.report.document import (
    Block,
    Document,
    FigureBlock,
    Paragraph,
    Section,
    TableBlock,
    numbered,
    paragraph,
    with_references,
)
from rocstats.present.report.readers.answers import ReaderAnswers, ReaderOptions, ask_readers
from rocstats.present.report.studied import LISTED
from rocstats.present.text import format_count, format_number, percent_decimals
from rocstats.present.wording import Sentence, list_words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from rocstats.present.protocols import ReaderStudyLike

# Rows of a forest that fill a page, see ``plot_forest``; modalities that share axes.
_MOST_ROWS, _MOST_MODALITIES = 60, 4


# Characters of the cells beside the readers on a line of an upright page, which holds some 115.
_MOST_CHARACTERS = 100

# Characters of a line of a heading, which is broken between its words.
_WORD = 9

# Notes that tables leave out, because the section on the study has them.
_SAID = ("rows-dropped", "missing-reads")


class ReaderReport(NamedTuple):
    """A report of a reader study: its content, and the frames behind it."""

    document: Document
    answers: ReaderAnswers
    explorer: dict[str, Any] | None = None


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
    shown = answers.labelled(study.labels)
    sections = (
        _answer(shown, options),
        _studied(study, options),
        _readers(shown, options),
        *_machines(shown, options),
        *_components(shown),
        _methods(shown),
        *_closing(study, shown, options),
    )
    title = _title(study) if options.title is None else options.title
    document = Document(title, _subtitle(study, options), sections)
    return ReaderReport(with_references(numbered(document)), answers)


def _named(study: ReaderStudyLike, names: tuple[str, ...], word: str) -> str:
    """Return names as a list, or their number if they are many."""
    shown = [study.labels.get(name, name) for name in names]
    return list_words(shown) if len(shown) <= LISTED else f"{len(shown)} {word}"


def _title(study: ReaderStudyLike) -> str:
    readers = len(study.readers)
    modalities = _named(study, study.modalities, "modalities")
    return f"{modalities} read by {readers} reader{'s' * (readers > 1)}"


def _subtitle(study: ReaderStudyLike, options: ReaderOptions) -> str:
    words, n_all = options.words, study.n_pos + study.n_neg
    share = format_number(100 * study.n_pos / n_all, percent_decimals(n_all))
    return (
        f"{format_count(n_all)} {words.cases}; {format_count(study.n_pos)} had {words.condition}"
        f" ({share}%)."
    )


def _answer(answers: ReaderAnswers, options: ReaderOptions) -> Section:
    said = result_sentences(answers.auc, answers.comparison, options.style)
    meant = model_sentences(answers.auc)
    texts = [text for text in said if text not in meant]
    blocks = [paragraph(*texts, role="answer"), paragraph(*meant, role="notice")]
    return Section("", tuple(blocks), "answer")


def _studied(study: ReaderStudyLike, options: ReaderOptions) -> Section:
    words = options.words
    design = study.design.in_words()
    texts = [
        f"The study is {design}.",
        f"Readers: {_named(study, study.readers, 'readers')}.",
        f"{words.cases.capitalize()} with {words.condition} are labelled {study.pos_label!r}.",
    ]
    if study.design.n_missing:
        texts.append(
            f"With full crossing there would be {format_count(study.design.n_missing)} reads more."
        )
    if study.cluster is not None:
        number = len(study.cluster.labels)
        texts.append(f"They come from {number} clusters, within which results may be alike.")
    if study.group is not None:
        labels = [str(label) for label in study.group.labels]
        texts.append(f"They are in {len(labels)} groups ({list_words(labels)}), analysed apart.")
    if study.n_dropped:
        rows = "row" if study.n_dropped == 1 else "rows"
        texts.append(f"Left out for a missing value: {study.n_dropped} {rows}.")
    return Section("What was studied", (paragraph(*texts),), "studied")


def _readers(answers: ReaderAnswers, options: ReaderOptions) -> Section:
    """Return the figure, the table of readers, and the forest of their differences."""
    blocks: list[Block] = [_curves(answers, options)]
    blocks += _areas(answers, options)
    if answers.by_reader is not None:
        blocks += _forest(answers)
    if answers.points is not None:
        cells = by_heading(table_columns(answers.points, options.style, layout="wide"))
        caption = "Rates at the rating set before the study"
        blocks.append(_table([answers.points], cells, caption, options))
    return Section("The readers", tuple(blocks), "readers")


def _areas(answers: ReaderAnswers, options: ReaderOptions) -> list[Block]:
    """Return the table of readers, in several where a page has no room for all modalities."""
    cells = by_heading(reader_columns(answers.in_table, options.style))
    whole = _table(answers.in_table, cells, "Areas of the readers, and their averages", options)
    parts = _parts(cells, grouped="group" in answers.auc)
    if len(parts) == 1:
        return [whole]
    blocks: list[Block] = []
    for i, heads in enumerate(parts):
        notes = whole.table.footnote if i == len(parts) - 1 else ""
        frame = text_frame({head: cells[head] for head in heads}, footnotes=[])
        caption = whole.table.caption + (", continued" if i else "")
        blocks.append(TableBlock(printed_table(frame, caption=caption, footnotes=[notes])))
    return blocks


def _parts(cells: Mapping[str, Sequence[str]], *, grouped: bool) -> list[list[str]]:
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
        width = sum(_width(head, cells[head]) for head in (*parts[-1], *unit))
        if parts[-1] and width > _MOST_CHARACTERS:
            parts.append([])
        parts[-1] += unit
    return [[*places, *part] for part in parts]


def _width(head: str, cells: Sequence[str]) -> int:
    return max(*map(len, cells), min(len(head), _WORD))


def _table(
    frames: Sequence[pd.DataFrame],
    cells: dict[str, list[str]],
    caption: str,
    options: ReaderOptions,
) -> TableBlock:
    """Return a table with its footnotes, but for what the page says once above all tables."""
    meant = {text for frame in frames for text in model_sentences(frame)}
    found = reader_footnotes(frames, cells, options.style, methods=False, without=_SAID)
    notes = [note for note in found if note not in meant]
    frame = text_frame(cells, footnotes=notes)
    return TableBlock(printed_table(frame, caption=caption, footnotes=notes))


def _curves(answers: ReaderAnswers, options: ReaderOptions) -> FigureBlock:
    caption = "ROC curves of each reader (thin), and their averages (thick). Dotted: chance."
    if answers.points is not None:
        caption += " Marks: where each reader works."
    if answers.machine_curve is not None:
        caption += f" Also drawn: {answers.machine_curve['predictor'].iloc[0]}."
    if answers.auc["modality"].nunique() <= _MOST_MODALITIES:
        caption += " Beside them: the area of each reader, and the averages with their limits."
    return FigureBlock(partial(_draw_curves, answers, options.style), caption, caption, "page")


def _draw_curves(answers: ReaderAnswers, style: str) -> Figure:
    return readers_figure(
        answers.curve,
        style=style,
        auc=answers.auc,
        comparison=answers.comparison,
        points=answers.points,
        machine=answers.machine_curve,
    )


def drawings_of(answers: ReaderAnswers, style: str) -> dict[str, Callable[[], Figure]]:
    """Return what draws each figure of a report, by the name of its file."""
    drawn: dict[str, Callable[[], Figure]] = {"readers": partial(_draw_curves, answers, style)}
    frame = _differences(answers)
    if 0 < len(frame) <= _MOST_ROWS:
        drawn["forest"] = partial(_draw_forest, frame)
    return drawn


def _differences(answers: ReaderAnswers) -> pd.DataFrame:
    """Return the differences of readers and of averages; no rows without any."""
    single, comparison = answers.by_reader, answers.comparison
    if single is None or comparison is None:
        return answers.auc.head(0)
    return stacked(single[single["reader"] != EVERY], averages(comparison))


def _forest(answers: ReaderAnswers) -> list[Block]:
    frame = _differences(answers)
    if len(frame) > _MOST_ROWS:
        text = f"Left out for room: the figure of {len(frame)} differences."
        return [paragraph(text, role="note")]
    caption = "Differences of each reader, under their average (diamond)."
    return [FigureBlock(partial(_draw_forest, frame), caption, caption, "page")]


def _draw_forest(frame: pd.DataFrame) -> Figure:
    ax = new_grid("page", ratio=1.0, shown=False)[0]
    return cast("Figure", plot_forest(frame, ax=ax).figure)


def _machines(answers: ReaderAnswers, options: ReaderOptions) -> Iterator[Section]:
    blocks: list[Block] = []
    for frame in answers.machines:
        meant = model_sentences(answers.auc)
        said = machine_sentences(frame, options.style)
        blocks.append(paragraph(*(text for text in said if text not in meant)))
        cells = by_heading(table_columns(frame, options.style))
        blocks.append(_table([frame], cells, "Readers minus the machine", options))
    if blocks:
        yield Section("Readers and the machine", tuple(blocks), "machine")


def _components(answers: ReaderAnswers) -> Iterator[Section]:
    components = answers.components
    if components is None:
        return
    groups = {"Group": components["group"].tolist()} if "group" in components else {}
    cells = {
        **groups,
        "Model": [list_words(map(str.capitalize, word.split("-"))) for word in components["model"]],
        "Component": [component_text(str(name)) for name in components["component"]],
        "Estimate": [small_number(value) for value in components["estimate"]],
    }
    table = printed_table(
        text_frame(cells, footnotes=[]), caption="Variance components of the areas", footnotes=[]
    )
    yield Section("Variance components", (TableBlock(table),), "components")


def _methods(answers: ReaderAnswers) -> Section:
    sentences = reader_sentences(answers.in_methods)
    used = {name: version(name) for name in ("numpy", "scipy", "pandas")}
    used["Python"] = platform.python_version()
    versions = list_words(f"{name} {number}" for name, number in used.items())
    ours = about_of(answers.auc).get("version", "")
    software = Sentence(
        f"Analyses were made with the Python package {f'rocstats {ours}'.rstrip()} ({versions})."
        " No random numbers were drawn."
    )
    return Section("Statistical methods", (Paragraph((*sentences, software)),), "methods")


def _closing(
    study: ReaderStudyLike, answers: ReaderAnswers, options: ReaderOptions
) -> Iterator[Section]:
    words = options.words
    texts = [
        f"How readers of other training do, or these readers with {words.cases} unlike these.",
        "What readers would do in practice, where they know more than one image and where fewer"
        f" {words.cases} have {words.condition}.",
        f"Whether those counted as having {words.condition} truly had it.",
    ]
    blocks = [paragraph(*texts)]
    if answers.reasons:
        blocks.append(paragraph(*answers.reasons, lead="Not given here."))
    yield Section("What this report cannot say", tuple(blocks), "limits")
    if options.source is not None:
        yield Section("Data", (paragraph(options.source),), "source")
