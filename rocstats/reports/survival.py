"""The report of a survival study: the options of the caller, the frames that answer, the sections.

The sections are in the order of the page.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd

from rocstats.errors import StatisticalWarning, require_open_interval, require_text
from rocstats.facts.notes import note_in_print
from rocstats.facts.words import capital
from rocstats.frame.make import labelled, text_frame
from rocstats.plots.axes import new_grid
from rocstats.plots.series import frame_pieces_by_keys, series_of
from rocstats.plots.survival import plot_auc_over_time, plot_survival_roc, plot_survival_scores
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
from rocstats.reports.figures import MOST_CURVES
from rocstats.reports.methods import versions_sentence
from rocstats.reports.options import ReportWords, read_report_words
from rocstats.reports.studied import LISTED, dropped_sentences, sentences_on_numbers_of_groups
from rocstats.reports.texts import say
from rocstats.study.points import read_thresholds
from rocstats.tables.footnotes import footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.methods import area_at_a_time_sentence, sample_sentences
from rocstats.tables.protocols import SurvivalStudyLike
from rocstats.tables.sentences import sentences_of_answer
from rocstats.tables.tables import table_cells_by_heading, table_columns
from rocstats.tables.text import format_count, format_estimate, format_level, style_of
from rocstats.tables.wording import list_words, method_sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocstats.plots.axes import Width


# --- The report -----------------------------------------------------------------------------------


class SurvivalReport(NamedTuple):
    """A report of a survival study: its content, and the frames behind it."""

    document: Document
    answers: SurvivalAnswers
    explorer: dict[str, Any] | None = None

    @property
    def on_paper(self) -> Document:
        """The same: no page of such a report has an interactive part."""
        return self.document


def survival_report(
    study: SurvivalStudyLike, options: SurvivalOptions, asked: PrintedAnswers
) -> SurvivalReport:
    """Return the report of a survival study, to be written in any format.

    Parameters
    ----------
    study : SurvivalStudy
        The study.
    options : SurvivalOptions
        What the caller wants, see ``read_survival_options``.
    asked : PrintedAnswers
        What ``ask_survival`` found.
    """
    answers = _ask_rest_of_survival_report(study, options, asked)
    printed = answers.labelled(study.labels)
    sections = (
        Section(
            "",
            (paragraph(*area_sentences(printed.auc, options), role="answer"),),
            "answer",
        ),
        _section_on_patients_and_times(study, options),
        _section_on_areas_at_times(printed, options),
        *_section_on_thresholds_at_times(printed, options),
        _section_of_survival_figures(printed, options),
        _methods_section_of_survival_report(printed),
        *_closing_sections_of_survival_report(options),
    )
    names = [study.labels.get(name, name) for name in study.predictors]
    named = list_words(names) if len(names) <= LISTED else f"{len(names)} predictors"
    condition = options.words.condition
    title = options.title or say("survival.title", tests=named, condition=condition)
    document = Document(title, _subtitle_of_survival_report(study, options), sections)
    return SurvivalReport(with_references(document_with_numbered_captions(document)), answers)


def area_sentences(areas: pd.DataFrame, options: SurvivalOptions) -> list[str]:
    """Return what was found, a sentence for each area at a time, labels in the place of names."""
    sentences = []
    for _, row in areas.iterrows():
        place = f" in {row['group']}" if row.get("group") else ""
        of = {"time": f"{row['time']:g}", "test": row["predictor"], "place": place}
        if math.isnan(row["estimate"]):
            sentences.append(say("survival.no_area", **of))
        else:
            sentences.append(
                say("survival.area", estimate=_text_of_survival_estimate(row, options), **of)
            )
    return sentences


def _text_of_survival_estimate(row: pd.Series, options: SurvivalOptions) -> str:
    return format_estimate(
        row["estimate"], row["ci_low"], row["ci_high"], style=options.style,
        confidence_level=row["confidence_level"], guard=(0, 1),
    )  # fmt: skip


def _subtitle_of_survival_report(study: SurvivalStudyLike, options: SurvivalOptions) -> str:
    return say(
        "survival.sizes",
        n=format_count(study.n_patients),
        n_events=format_count(study.n_events),
        n_censored=format_count(study.n_censored),
        **options.words._asdict(),
    )


def _section_on_patients_and_times(study: SurvivalStudyLike, options: SurvivalOptions) -> Section:
    words = options.words
    last = say("survival.last", case=words.case, time=f"{study.time.max():g}")
    texts = [study.events_in_words, last]
    if study.n_patients > study.n_events + study.n_censored:
        controls = options.controls == "not-case"
        key = "survival.competing" if controls else "survival.competing_out"
        texts.append(say(key, cases=capital(words.cases)))
    texts += [
        *sentences_on_numbers_of_groups(study.cluster, study.group),
        *dropped_sentences(study.n_dropped),
    ]
    facts = paragraph(*texts)
    notice = paragraph(say("survival.censored", cases=words.cases), role="notice")
    return Section(say("heading.studied"), (facts, notice), "studied")


# --- Tables ---------------------------------------------------------------------------------------

# What the page says once, above its tables.
_NOTES_ELSEWHERE = ("rows-dropped", "marginal-censoring")


def _section_on_areas_at_times(answers: SurvivalAnswers, options: SurvivalOptions) -> Section:
    """Return the tables of areas, differences and concordances."""
    blocks: list[Block] = [_survival_table_block(answers.auc, say("survival.areas"), options)]
    if answers.comparison is not None:
        blocks.append(
            _survival_table_block(answers.comparison, say("survival.differences"), options)
        )
    blocks.append(_survival_table_block(answers.concordance, say("survival.concordance"), options))
    return Section(say("heading.discrimination"), tuple(blocks), "areas")


def _section_on_thresholds_at_times(
    answers: SurvivalAnswers, options: SurvivalOptions
) -> Iterator[Section]:
    if answers.points is None:
        return
    # A page has room for four measures; numbers of patients are in the table of areas.
    points = answers.points[answers.points["quantity"] != "prevalence"]
    points = points.drop(columns=["n_pos", "n_neg", "n_censored"])
    points.attrs = answers.points.attrs
    blocks = (
        _survival_table_block(points, say("survival.points"), options, layout="wide"),
        _shares_of_cases_by_time(answers.points, options),
    )
    yield Section(say("heading.at_thresholds"), blocks, "accuracy")


def _shares_of_cases_by_time(points: pd.DataFrame, options: SurvivalOptions) -> Paragraph:
    """Return the share of cases by each time, which no threshold changes."""
    rows = points[points["quantity"] == "prevalence"]
    keys = ["time", "group"] if "group" in rows else ["time"]
    sentences = []
    for _, row in rows.drop_duplicates(keys).iterrows():
        place = f" in {row['group']}" if row.get("group") else ""
        of = {"time": f"{row['time']:g}", "place": place, "condition": options.words.condition}
        sentences.append(
            say("survival.share", estimate=_text_of_survival_estimate(row, options), **of)
        )
    return paragraph(*sentences, role="note")


def _survival_table_block(
    frame: pd.DataFrame, caption: str, options: SurvivalOptions, layout: str = "long"
) -> TableBlock:
    """Return a table with its footnotes, but for what the page says once above all tables."""
    cells = table_cells_by_heading(table_columns(frame, options.style, layout=layout))
    notes = footnotes(frame, cells, methods=False, without=_NOTES_ELSEWHERE)
    table, told = text_frame(cells, footnotes=notes), sentences_of_answer(frame, options.style)
    return TableBlock(printed_table(table, caption=caption, footnotes=notes, sentences=told))


# --- Figures --------------------------------------------------------------------------------------

# With the ROC curve and the areas, distributions fill one page in two columns.
_MOST_SCORES = 3

# Height by width of the figures, as the functions of their names draw them.
_RATIO_OF_AREAS, _RATIO_OF_SCORES = 0.75, 0.8


def _section_of_survival_figures(answers: SurvivalAnswers, options: SurvivalOptions) -> Section:
    several, blocks = answers.auc["time"].nunique() > 1, list[Block]()
    curves = len(series_of(answers.curve[answers.curve["time"] == answers.curve["time"].max()]))
    if curves > MOST_CURVES:
        blocks.append(paragraph(say("figure.curves_left_out", number=curves), role="note"))
    for name, (draw, caption) in survival_figures_with_captions(answers, options).items():
        width: Width = "page" if several and name == "roc" else "column"
        blocks.append(FigureBlock(draw, caption, caption, width))
    return Section(say("heading.figures"), tuple(blocks), "drawn")


def survival_figures_with_captions(
    answers: SurvivalAnswers, options: SurvivalOptions
) -> dict[str, tuple[partial[Figure], str]]:
    """Return what draws each figure of a report, with its caption, by the name of its file."""
    times = list_words(f"{time:g}" for time in answers.auc["time"].unique())
    level = format_level(options.confidence_level)
    last = answers.curve[answers.curve["time"] == answers.curve["time"].max()]
    figures: dict[str, tuple[partial[Figure], str]] = {}
    if len(series_of(last)) <= MOST_CURVES:
        figures["roc"] = (
            partial(_draw_survival_roc_curves, answers),
            say("survival.curves", times=times),
        )
    figures["auc_over_time"] = (
        partial(
            _draw_survival_plot_of_column_width, plot_auc_over_time, answers.band, _RATIO_OF_AREAS
        ),
        " ".join(
            [
                say("survival.over_time", level=level),
                *_sentences_on_notes_of_time_band(answers.band),
            ]
        ),
    )
    curves = [
        (keys, one)
        for keys, one in frame_pieces_by_keys(last, ["predictor", "group"])
        if len(one) > 1
    ]
    for i, ((predictor, group), piece) in enumerate(curves[:_MOST_SCORES], start=1):
        place = f" in {group}" if group else ""
        figures[f"scores_{i}"] = (
            partial(
                _draw_survival_plot_of_column_width, plot_survival_scores, piece, _RATIO_OF_SCORES
            ),
            say(
                "survival.scores",
                test=predictor,
                place=place,
                time=f"{piece['time'].iloc[0]:g}",
            ),
        )
    return figures


def _sentences_on_notes_of_time_band(band: pd.DataFrame) -> list[str]:
    """Return a sentence on each note of a band, with the number of its times that have it."""
    times: dict[str, set[float]] = {}
    for time, note in zip(band["time"], band["note"], strict=True):
        for code in note.split("; "):
            times.setdefault(code.partition("=")[0], set()).add(time)
    n_times = band["time"].nunique()
    return [
        say("survival.band_note", number=len(at), n_times=n_times, note=note_in_print(code))
        for code, at in times.items()
        if code not in _NOTES_ELSEWHERE
    ]


def _draw_survival_roc_curves(answers: SurvivalAnswers) -> Figure:
    ax: Axes | None = None
    width: Width = "page"
    if answers.auc["time"].nunique() == 1:
        ax, width = new_grid("column", ratio=1.0, shown=False)[0], "column"
    drawn = plot_survival_roc(answers.curve, auc=answers.auc, width=width, ax=ax)
    return cast("Figure", drawn.figure)


def _draw_survival_plot_of_column_width(
    plot: Callable[..., Axes], frame: pd.DataFrame, ratio: float
) -> Figure:
    ax = new_grid("column", ratio=ratio, shown=False)[0]
    return cast("Figure", plot(frame, ax=ax).figure)


# --- Methods and limits ---------------------------------------------------------------------------


def _methods_section_of_survival_report(answers: SurvivalAnswers) -> Section:
    sentences = [*sample_sentences(answers.auc), area_at_a_time_sentence(answers.auc)]
    subjects = ("areas", "differences", "bands", "rates", "concordances")
    named = dict(zip(subjects, (answers.auc, answers.comparison, answers.band, answers.points,
                                answers.concordance), strict=True))  # fmt: skip
    for subject, frame in named.items():
        for sentence in [] if frame is None else method_sentences(frame, subject):
            # All but those of concordances are made alike, which is said once.
            of = f"Standard errors of {subject} "
            shared = subject != "concordances"
            text = sentence.text.replace(of, "Standard errors ") if shared else sentence.text
            sentences.append(sentence._replace(text=text))
    sentences.append(versions_sentence(answers.auc, resampled=False))
    return Section(say("heading.methods"), (Paragraph(tuple(dict.fromkeys(sentences))),), "methods")


def _closing_sections_of_survival_report(options: SurvivalOptions) -> Iterator[Section]:
    keys = ("survival.elsewhere", "survival.censoring", "survival.risks")
    texts = [say(key, cases=options.words.cases) for key in keys]
    yield Section(say("heading.limits"), (paragraph(*texts),), "limits")
    if options.source is not None:
        yield Section(say("heading.source"), (paragraph(options.source),), "source")


# --- Options --------------------------------------------------------------------------------------


class SurvivalOptions(NamedTuple):
    """The options of a report of a survival study."""

    time: Any
    title: str | None
    style: str
    confidence_level: float
    controls: str
    words: ReportWords
    source: str | None
    threshold: Any
    """Thresholds set before the study, of all predictors or by predictor; None for none."""


def read_survival_options(
    study: SurvivalStudyLike,
    *,
    time: Any,
    title: Any = None,
    style: Any = "plain",
    confidence_level: Any = 0.95,
    controls: Any = "not-case",
    prespecified: Any = None,
    words: Any = None,
    source: Any = None,
) -> SurvivalOptions:
    """Return the options of a report; raise InputError for one that is not possible.

    Parameters
    ----------
    study : SurvivalStudy
        The study.
    time : float > 0, or sequence of them
        The times of the report; ``controls`` is checked by the questions.
    title, style, confidence_level, prespecified, words, source
        See ``report``.
    controls : {"not-case", "event-free"}, default "not-case"
        Definition of the controls at a time.
    """
    for argument, text in (("title", title), ("source", source)):
        if text is not None:
            require_text(argument, text)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    style_of(style)
    if prespecified is not None:
        read_thresholds(prespecified, study.predictors, argument="prespecified")
    return SurvivalOptions(
        time, title, style, float(confidence_level), controls,
        read_report_words(words, study.outcome, clustered=study.cluster is not None), source,
        prespecified,
    )  # fmt: skip


# --- Answers --------------------------------------------------------------------------------------

# Times of the figure over time: every 1/15 of its axis, with those asked for.
_N_TIMES = 16

# The figure begins where a tenth of the events have happened: few cases before.
_FIRST_QUANTILE = 0.1


class PrintedAnswers(NamedTuple):
    """The frames that the command prints; None where a question was not asked."""

    auc: pd.DataFrame
    comparison: pd.DataFrame | None
    points: pd.DataFrame | None

    def labelled(self, labels: Mapping[str, str]) -> PrintedAnswers:
        """Return the answers with the labels of the study in the place of names."""
        return self._replace(**_survival_frames_with_labels(self._asdict(), labels))


class SurvivalAnswers(NamedTuple):
    """The frames of a report; None where a question was not asked."""

    curve: pd.DataFrame
    auc: pd.DataFrame
    band: pd.DataFrame
    concordance: pd.DataFrame
    comparison: pd.DataFrame | None = None
    points: pd.DataFrame | None = None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files, "auc" of auc.csv."""
        named = {
            "auc": self.auc, "compare_auc": self.comparison, "auc_band": self.band,
            "concordance": self.concordance, "operating_points": self.points,
            "roc_curve": self.curve,
        }  # fmt: skip
        return {name: frame for name, frame in named.items() if frame is not None}

    @property
    def in_methods(self) -> list[pd.DataFrame]:
        """The frames whose methods are described."""
        frames = (self.auc, self.comparison, self.band, self.points, self.concordance)
        return [frame for frame in frames if frame is not None]

    def labelled(self, labels: Mapping[str, str]) -> SurvivalAnswers:
        """Return the answers with the labels of the study in the place of names."""
        return self._replace(**_survival_frames_with_labels(self._asdict(), labels))


def _survival_frames_with_labels(
    frames: Mapping[str, pd.DataFrame | None], labels: Mapping[str, str]
) -> dict[str, Any]:
    return {name: labelled(one, labels) for name, one in frames.items() if one is not None}


def ask_survival(study: SurvivalStudyLike, options: SurvivalOptions) -> PrintedAnswers:
    """Return the answers that were asked for, with the names of the study."""
    asked = {
        "time": options.time,
        "controls": options.controls,
        "confidence_level": options.confidence_level,
    }
    auc, comparison, points = study.auc(**asked), None, None
    if len(study.predictors) > 1:
        comparison = study.compare_auc(**asked)
    if options.threshold is not None:
        points = study.operating_points(threshold=options.threshold, **asked)
    return PrintedAnswers(auc, comparison, points)


def _ask_rest_of_survival_report(
    study: SurvivalStudyLike, options: SurvivalOptions, asked: PrintedAnswers
) -> SurvivalAnswers:
    """Return the frames of a report: those asked for, and those that it adds."""
    controls, level = options.controls, options.confidence_level
    times: list[float] = asked.auc["time"].unique().tolist()
    # Nobody asked for these: their doubts are said below the table and the figure on the page.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        drawn = _times_drawn_in_survival_figure(study, times)
        return SurvivalAnswers(
            curve=study.roc_curve(time=options.time, controls=controls),
            band=study.auc_band(time=drawn, controls=controls, confidence_level=level),
            concordance=study.concordance(
                method="uno", time_limit=max(times), confidence_level=level
            ),
            **asked._asdict(),
        )


def _times_drawn_in_survival_figure(
    study: SurvivalStudyLike, times: Sequence[float]
) -> list[float]:
    """Return the times of the figure over time: a grid that reaches those asked for."""
    events = study.time[study.event == study.cause]
    low = min(float(np.quantile(events, _FIRST_QUANTILE)), *times)
    grid = np.linspace(low, max(times), _N_TIMES)
    return [float(t) for t in np.union1d(grid[grid > 0], times)]
