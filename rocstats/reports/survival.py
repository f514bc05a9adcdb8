"""The report of a survival study: the options of the caller, the frames that answer, the sections.

The sections are in the order of the page.
"""

from __future__ import annotations

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
from rocstats.plots.series import pieces_of, series_of
from rocstats.plots.survival import plot_auc_over_time, plot_survival_roc, plot_survival_scores
from rocstats.reports.document import (
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
from rocstats.reports.figures import MOST_CURVES
from rocstats.reports.methods import NO_RANDOMNESS, versions_sentence
from rocstats.reports.options import Words, read_words
from rocstats.reports.studied import LISTED, dropped_sentences, role_sentences
from rocstats.study.points import read_thresholds
from rocstats.tables.footnotes import footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.methods import area_at_a_time_sentence, sample_sentences
from rocstats.tables.protocols import SurvivalStudyLike
from rocstats.tables.styles import style_of
from rocstats.tables.tables import by_heading, table_columns
from rocstats.tables.text import format_count, format_estimate, format_level
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
    answers = _ask_the_rest(study, options, asked)
    printed = answers.labelled(study.labels)
    sections = (
        Section(
            "",
            (paragraph(*area_sentences(printed.auc, options), role="answer"),),
            "answer",
        ),
        _studied(study, options),
        _areas(printed, options),
        *_points(printed, options),
        _figures(printed, options),
        _methods(printed),
        *_closing(options),
    )
    names = [study.labels.get(name, name) for name in study.predictors]
    named = list_words(names) if len(names) <= LISTED else f"{len(names)} predictors"
    title = options.title or f"{named} as predictors of {options.words.condition}"
    document = Document(title, _subtitle(study, options), sections)
    return SurvivalReport(with_references(numbered(document)), answers)


def area_sentences(areas: pd.DataFrame, options: SurvivalOptions) -> list[str]:
    """Return what was found, a sentence for each area at a time, labels in the place of names."""
    sentences = []
    for _, row in areas.iterrows():
        place = f" in {row['group']}" if row.get("group") else ""
        beginning = f"By {row['time']:g}, the AUC of {row['predictor']}{place} was"
        if row["estimate"] != row["estimate"]:
            sentences.append(f"{beginning.removesuffix(' was')} cannot be estimated.")
            continue
        sentences.append(f"{beginning} {_estimate_text(row, options)}.")
    return sentences


def _estimate_text(row: pd.Series, options: SurvivalOptions) -> str:
    return format_estimate(
        row["estimate"], row["ci_low"], row["ci_high"], style=options.style,
        confidence_level=row["confidence_level"], guard=(0, 1),
    )  # fmt: skip


def _subtitle(study: SurvivalStudyLike, options: SurvivalOptions) -> str:
    words = options.words
    return (
        f"{format_count(study.n_patients)} {words.cases}; {format_count(study.n_events)} had"
        f" {words.condition}, {format_count(study.n_censored)} were censored."
    )


def _studied(study: SurvivalStudyLike, options: SurvivalOptions) -> Section:
    words = options.words
    texts = [
        study.events_in_words,
        f"The last {words.case} left at {study.time.max():g}, in the unit of the file.",
    ]
    if study.n_patients > study.n_events + study.n_censored:
        whoever = f"{capital(words.cases)} with a competing event"
        if options.controls == "not-case":
            texts.append(f"{whoever} count as controls after it.")
        else:
            texts.append(
                f"{whoever} are left out of areas and specificities after it, and count in"
                " predictive values and in the share with the event."
            )
    texts += [*role_sentences(study.cluster, study.group), *dropped_sentences(study.n_dropped)]
    facts = paragraph(*texts)
    notice = paragraph(
        f"Whoever is censored by a time is neither a case nor a control at it; the {words.cases}"
        " who remain stand for them. That is right if those who leave are like those who stay: if"
        " leaving depends on the score, areas are biased.",
        role="notice",
    )
    return Section("What was studied", (facts, notice), "studied")


# --- Tables ---------------------------------------------------------------------------------------

# What the page says once, above its tables.
_NOTES_ELSEWHERE = ("rows-dropped", "marginal-censoring")


def _areas(answers: SurvivalAnswers, options: SurvivalOptions) -> Section:
    """Return the tables of areas, differences and concordances."""
    blocks: list[Block] = [_table(answers.auc, "Areas under the ROC curve at a time", options)]
    if answers.comparison is not None:
        blocks.append(_table(answers.comparison, "Differences between predictors", options))
    blocks.append(_table(answers.concordance, "Concordance up to the last time", options))
    return Section("Discrimination", tuple(blocks), "areas")


def _points(answers: SurvivalAnswers, options: SurvivalOptions) -> Iterator[Section]:
    if answers.points is None:
        return
    # A page has room for four measures; numbers of patients are in the table of areas.
    points = answers.points[answers.points["quantity"] != "prevalence"]
    points = points.drop(columns=["n_pos", "n_neg", "n_censored"])
    points.attrs = answers.points.attrs
    caption = "Accuracy at the thresholds set before the study"
    blocks = (
        _table(points, caption, options, layout="wide"),
        _case_shares(answers.points, options),
    )
    yield Section("At thresholds", blocks, "accuracy")


def _case_shares(points: pd.DataFrame, options: SurvivalOptions) -> Paragraph:
    """Return the share of cases by each time, which no threshold changes."""
    rows = points[points["quantity"] == "prevalence"]
    keys = ["time", "group"] if "group" in rows else ["time"]
    sentences = []
    for _, row in rows.drop_duplicates(keys).iterrows():
        place = f" in {row['group']}" if row.get("group") else ""
        share = _estimate_text(row, options)
        condition = options.words.condition
        sentences.append(f"By {row['time']:g}, the share with {condition}{place} was {share}.")
    return paragraph(*sentences, role="note")


def _table(
    frame: pd.DataFrame, caption: str, options: SurvivalOptions, layout: str = "long"
) -> TableBlock:
    """Return a table with its footnotes, but for what the page says once above all tables."""
    cells = by_heading(table_columns(frame, options.style, layout=layout))
    notes = footnotes(frame, cells, methods=False, without=_NOTES_ELSEWHERE)
    table = printed_table(text_frame(cells, footnotes=notes), caption=caption, footnotes=notes)
    return TableBlock(table)


# --- Figures --------------------------------------------------------------------------------------

# With the ROC curve and the areas, distributions fill one page in two columns.
_MOST_SCORES = 3

# Height by width of the figures, as the functions of their names draw them.
_RATIO_OF_AREAS, _RATIO_OF_SCORES = 0.75, 0.8


def _figures(answers: SurvivalAnswers, options: SurvivalOptions) -> Section:
    several, blocks = answers.auc["time"].nunique() > 1, list[Block]()
    curves = len(series_of(answers.curve[answers.curve["time"] == answers.curve["time"].max()]))
    if curves > MOST_CURVES:
        blocks.append(
            paragraph(f"Left out for room: the figure of {curves} ROC curves.", role="note")
        )
    for name, (draw, caption) in figures_of(answers, options).items():
        width: Width = "page" if several and name == "roc" else "column"
        blocks.append(FigureBlock(draw, caption, caption, width))
    return Section("Figures", tuple(blocks), "drawn")


def figures_of(
    answers: SurvivalAnswers, options: SurvivalOptions
) -> dict[str, tuple[partial[Figure], str]]:
    """Return what draws each figure of a report, with its caption, by the name of its file."""
    times = list_words(f"{time:g}" for time in answers.auc["time"].unique())
    level = format_level(options.confidence_level)
    last = answers.curve[answers.curve["time"] == answers.curve["time"].max()]
    figures: dict[str, tuple[partial[Figure], str]] = {}
    if len(series_of(last)) <= MOST_CURVES:
        caption = f"ROC curves at {times}, with weights for censoring. Dotted: chance."
        figures["roc"] = partial(_draw_curves, answers), caption
    figures["auc_over_time"] = (
        partial(_draw_column, plot_auc_over_time, answers.band, _RATIO_OF_AREAS),
        "Area under the ROC curve of those with the event by each time against those without."
        f" Shaded: simultaneous {level} confidence bands. Dotted: chance."
        + _doubts_of_band(answers.band),
    )
    curves = [(keys, one) for keys, one in pieces_of(last, ["predictor", "group"]) if len(one) > 1]
    for i, ((predictor, group), piece) in enumerate(curves[:_MOST_SCORES], start=1):
        place = f" in {group}" if group else ""
        figures[f"scores_{i}"] = (
            partial(_draw_column, plot_survival_scores, piece, _RATIO_OF_SCORES),
            f"{predictor}{place} by status at {piece['time'].iloc[0]:g}: with the event above the"
            " axis, without below, as shares of the weights. Dotted: the censored.",
        )
    return figures


def _doubts_of_band(band: pd.DataFrame) -> str:
    """Return sentences on the notes of a band, with the number of its times that have each."""
    times: dict[str, set[float]] = {}
    for time, note in zip(band["time"], band["note"], strict=True):
        for code in note.split("; "):
            times.setdefault(code.partition("=")[0], set()).add(time)
    n_times = band["time"].nunique()
    return "".join(
        f" At {len(at)} of its {n_times} times: {note_in_print(code)}."
        for code, at in times.items()
        if code not in _NOTES_ELSEWHERE
    )


def _draw_curves(answers: SurvivalAnswers) -> Figure:
    ax: Axes | None = None
    width: Width = "page"
    if answers.auc["time"].nunique() == 1:
        ax, width = new_grid("column", ratio=1.0, shown=False)[0], "column"
    drawn = plot_survival_roc(answers.curve, auc=answers.auc, width=width, ax=ax)
    return cast("Figure", drawn.figure)


def _draw_column(plot: Callable[..., Axes], frame: pd.DataFrame, ratio: float) -> Figure:
    ax = new_grid("column", ratio=ratio, shown=False)[0]
    return cast("Figure", plot(frame, ax=ax).figure)


# --- Methods and limits ---------------------------------------------------------------------------


def _methods(answers: SurvivalAnswers) -> Section:
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
    sentences.append(versions_sentence(answers.auc, NO_RANDOMNESS))
    return Section("Statistical methods", (Paragraph(tuple(dict.fromkeys(sentences))),), "methods")


def _closing(options: SurvivalOptions) -> Iterator[Section]:
    words = options.words
    texts = [
        f"How the scores do in {words.cases} unlike these, or in those that a model was fitted to.",
        f"Why {words.cases} left, and whether that is related to the scores.",
        "Whether predicted risks are right: an area is about their order only.",
    ]
    yield Section("What this report cannot say", (paragraph(*texts),), "limits")
    if options.source is not None:
        yield Section("Data", (paragraph(options.source),), "source")


# --- Options --------------------------------------------------------------------------------------


class SurvivalOptions(NamedTuple):
    """The options of a report of a survival study."""

    time: Any
    title: str | None
    style: str
    confidence_level: float
    controls: str
    words: Words
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
        Who is a control at a time.
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
        read_words(words, study.outcome, clustered=study.cluster is not None), source,
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
        return self._replace(**_labelled(self._asdict(), labels))


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
        return self._replace(**_labelled(self._asdict(), labels))


def _labelled(
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


def _ask_the_rest(
    study: SurvivalStudyLike, options: SurvivalOptions, asked: PrintedAnswers
) -> SurvivalAnswers:
    """Return the frames of a report: those asked for, and those that it adds."""
    controls, level = options.controls, options.confidence_level
    times: list[float] = asked.auc["time"].unique().tolist()
    # Nobody asked for these: their doubts are said below the table and the figure on the page.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StatisticalWarning)
        drawn = _times_drawn(study, times)
        return SurvivalAnswers(
            curve=study.roc_curve(time=options.time, controls=controls),
            band=study.auc_band(time=drawn, controls=controls, confidence_level=level),
            concordance=study.concordance(
                method="uno", time_limit=max(times), confidence_level=level
            ),
            **asked._asdict(),
        )


def _times_drawn(study: SurvivalStudyLike, times: Sequence[float]) -> list[float]:
    """Return the times of the figure over time: a grid that reaches those asked for."""
    events = study.time[study.event == study.cause]
    low = min(float(np.quantile(events, _FIRST_QUANTILE)), *times)
    grid = np.linspace(low, max(times), _N_TIMES)
    return [float(t) for t in np.union1d(grid[grid > 0], times)]
