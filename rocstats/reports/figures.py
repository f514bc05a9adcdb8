"""The figures of a report with their captions: curves, scores, resampled cutpoints, groups."""

from __future__ import annotations

import io
import warnings
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pandas as pd

from rocstats.facts.notes import note_in_print
from rocstats.facts.words import capital
from rocstats.plots import roc
from rocstats.plots.axes import lay_out, new_grid
from rocstats.plots.cutpoints import plot_cutpoint_draws, plot_scores
from rocstats.plots.forest import plot_forest
from rocstats.plots.series import series_of
from rocstats.reports.accuracy import test_of_areas_in_groups_in_words
from rocstats.reports.document import Block, FigureBlock, Section, paragraph
from rocstats.reports.studied import LISTED
from rocstats.reports.texts import say
from rocstats.tables.sizes import counted_units_in_words, units_of_frame
from rocstats.tables.text import format_level
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocstats.plots.axes import Width
    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


# Without the date, and with a fixed salt for the ids of elements, a page is the same on every run.
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
# Letters stay text, which readers can select and search.
_SETTINGS = {"svg.hashsalt": "rocstats", "svg.fonttype": "none"}

# Height by width, as `plot_scores` and `plot_cutpoint_draws` draw them.
_RATIO_OF_SCORES, _RATIO_OF_DOTS = 0.8, 0.6

# Curves that share axes, see `plot_roc`; panels that fill a page, three in a row.
MOST_CURVES, _MOST_PANELS = 4, 12

# With the ROC curve, distributions fill one page in two columns.
_MOST_SCORES = 3

# Abbreviations in the keys of the figures of areas.
_LETTERS = "AUC CI"

# Rows of a forest on a page, see `plot_forest`.
_MOST_ROWS = 60


class ScoredTest(NamedTuple):
    """A test with drawn scores: a predictor, in a group if there are groups."""

    predictor: str
    group: str = ""


def figure_section(
    study: StudyLike, answers: ReportAnswers, options: ReportOptions
) -> list[Section]:
    """Return the section of figures, and that of groups; none for yes/no tests."""
    if answers.auc is None:
        return []
    blocks: list[Block] = [_roc_figure_block(study, answers, options)]
    tests = _scored_tests(answers)
    for one in tests[:_MOST_SCORES]:
        text = _scores_caption(one, answers, options)
        blocks.append(FigureBlock(partial(scores_figure, answers, one), text, text))
    if (
        answers.draws is not None
        and len(tests) == 1
        and _has_resampled_cutpoints(answers, tests[0])
    ):
        counted = _counted_units_of_figures(answers, options)
        sentences = [say("figure.draws", test=tests[0].predictor, counted=counted)]
        if _chosen_cut(answers, tests[0]) is not None:
            sentences.append(say("figure.draws_cut"))
        text = " ".join(sentences)
        blocks.append(
            FigureBlock(partial(resampled_cutpoints_figure, answers, tests[0]), text, text)
        )
    if len(tests) > _MOST_SCORES:
        rest = [" in ".join(filter(None, one)) for one in tests[_MOST_SCORES:]]
        names = list_words(rest) if len(rest) <= LISTED else f"{len(rest)} others"
        blocks.append(paragraph(say("figure.scores_left_out", tests=names), role="note"))
    # First the one that an explorer does not replace: its number is 1 on the screen too.
    return [
        *_section_on_areas_of_groups(study, answers, options),
        Section(say("heading.figures"), tuple(blocks), "drawn"),
    ]


def _roc_figure_block(study: StudyLike, answers: ReportAnswers, options: ReportOptions) -> Block:
    """Return the figure of the curves; of very many, the sentence that they are left out."""
    curves = len(series_of(answers.curve))
    if curves > _MOST_PANELS:
        return paragraph(say("figure.curves_left_out", number=curves), role="note")
    caption = roc_caption(study, answers, options)
    width = width_of_roc_figure(answers)
    draw = partial(roc_figure_of_report, answers, options.style, width)
    return FigureBlock(draw, caption, caption, width, _LETTERS)


def width_of_roc_figure(answers: ReportAnswers) -> Width:
    """Return the width of the figure of curves: more than four have a panel each, on a page."""
    return "page" if len(series_of(answers.curve)) > MOST_CURVES else "column"


def roc_caption(study: StudyLike, answers: ReportAnswers, options: ReportOptions) -> str:
    """Return the caption of the ROC figure, which also describes it to those who cannot see it."""
    names = list(dict.fromkeys(answers.curve["predictor"]))
    subject = list_words(names) if len(names) <= LISTED else f"{len(names)} tests"
    one = len(names) == 1 and study.group is None
    sentences = [say("figure.curve" if one else "figure.curves", tests=subject)]
    if _points_with_known_rates(answers.given) is not None:
        limits = study.sample_weight is None
        sentences.append(say("figure.marks_limits" if limits else "figure.marks"))
    elif _points_with_known_rates(answers.chosen) is not None:
        sentences.append(say("figure.rings"))
    if answers.band is not None and len(answers.band):
        level = format_level(answers.band["confidence_level"].iloc[0])
        drawn = answers.drawn_band is not None
        sentences.append(say("figure.band" if drawn else "figure.bands_left_out", level=level))
    if study.fold is not None:
        # Curves pool the folds, areas do not: the caption says so, for the two may disagree.
        sentences.append(f"{capital(note_in_print('pooled-folds'))}.")
    return " ".join(sentences)


def _scored_tests(answers: ReportAnswers) -> list[ScoredTest]:
    """Return the tests with a distribution, in each group with both classes."""
    found = []
    curve = answers.curve[~answers.curve["predictor"].isin(answers.yes_no)]
    keys = ["predictor", "group"] if "group" in curve else ["predictor"]
    for names, piece in curve.groupby(keys, sort=False):
        if piece["tpr"].notna().all() and piece["fpr"].notna().all():
            found.append(ScoredTest(*map(str, names)))
    return found


def _has_resampled_cutpoints(answers: ReportAnswers, test: ScoredTest) -> bool:
    assert answers.draws is not None
    mine = answers.draws[answers.draws["predictor"] == test.predictor]
    return bool(np.isfinite(mine["threshold"]).any())


def _scores_caption(test: ScoredTest, answers: ReportAnswers, options: ReportOptions) -> str:
    caption = say(
        "figure.scores",
        test=test.predictor,
        place=f" in {test.group}" if test.group else "",
        counted=_counted_units_of_figures(answers, options),
        condition=options.words.condition,
    )
    if _cutpoint_in_scores_figure(answers, test) is None:
        return caption
    return " ".join([caption, say("figure.scores_cut")])


def _counted_units_of_figures(answers: ReportAnswers, options: ReportOptions) -> str:
    """Return the counted items of a figure: "rows" if rows are not cases."""
    return counted_units_in_words(units_of_frame(answers.curve), options.words.cases)


def _section_on_areas_of_groups(
    study: StudyLike, answers: ReportAnswers, options: ReportOptions
) -> list[Section]:
    areas = answers.auc
    if areas is None or "group" not in areas or areas["estimate"].notna().sum() == 0:
        return []
    blocks: list[Block] = []
    if len(areas) <= _MOST_ROWS:
        counted = counted_units_in_words(units_of_frame(areas), "cases")
        caption = say("figure.groups", counted=counted)
        drawn = partial(forest_figure, areas)
        blocks.append(FigureBlock(drawn, caption, caption, "page", _LETTERS))
    if answers.groups is not None:
        blocks.append(paragraph(*test_of_areas_in_groups_in_words(answers.groups, options)))
    return [Section(say("heading.groups"), tuple(blocks), "groups")]


def roc_figure_of_report(answers: ReportAnswers, style: str, width: Width) -> Figure:
    """Return the ROC curves with areas, bands and cutoffs."""
    auc, band, points = answers.auc, answers.drawn_band, _cutoffs_marked_in_roc_figure(answers)
    return roc.roc_figure(
        answers.curve, style=style, width=width, auc=auc, band=band, points=points
    )


def scores_figure(answers: ReportAnswers, test: ScoredTest) -> Figure:
    """Return the scores of both classes of a predictor with its first cutoff."""
    ax = new_axes_outside_pyplot(_RATIO_OF_SCORES)
    return figure_of(
        plot_scores(
            _rows_of_scored_test(answers.curve, test),
            cutpoints=_cutpoint_in_scores_figure(answers, test),
            ax=ax,
        )
    )


def resampled_cutpoints_figure(answers: ReportAnswers, test: ScoredTest) -> Figure:
    """Return the cutpoints of a predictor in resamples."""
    assert answers.draws is not None
    draws, cut = _rows_of_scored_test(answers.draws, test), _chosen_cut(answers, test)
    return figure_of(
        plot_cutpoint_draws(draws, cutpoints=cut, ax=new_axes_outside_pyplot(_RATIO_OF_DOTS))
    )


def forest_figure(areas: pd.DataFrame) -> Figure:
    """Return the areas of all groups one below the other."""
    return figure_of(plot_forest(areas, ax=new_axes_outside_pyplot(1.0, "page")))


def new_axes_outside_pyplot(ratio: float, width: Width = "column") -> Axes:
    """Return axes outside pyplot, whose height is a share of the width."""
    axes: Axes = new_grid(width, ratio=ratio, shown=False)[0]
    return axes


def figure_of(ax: Axes) -> Figure:
    """Return the figure of axes."""
    return cast("Figure", ax.figure)


def svg_of(draw: Callable[[], Figure], description: str) -> str:
    """Return a figure as an SVG element without date; equal figures give equal text.

    Parameters
    ----------
    draw : callable
        What draws the figure. Letters are kept as text, so that the reader's own fonts draw them
        in any script. Settings of matplotlib that a user made have no effect.
    description : str
        Text for readers who cannot see the figure.
    """
    text = figure_as_file_content(draw, "svg", metadata=_NO_METADATA).decode()
    element = text[text.index("<svg ") :].rstrip()
    label = escape(description, quote=True)
    return element.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def figure_as_file_content(draw: Callable[[], Figure], form: str, **options: Any) -> bytes:
    """Return a figure as the content of a file of a form, "svg" or "png".

    Parameters
    ----------
    draw : callable
        What draws the figure.
    form : str
        The ending of the file, without its dot.
    **options
        Options of ``matplotlib.figure.Figure.savefig``.
    """
    import matplotlib.style

    buffer = io.BytesIO()
    with matplotlib.style.context(["default", _SETTINGS]), warnings.catch_warnings():
        # This machine's fonts only measure the space of a name: a glyph they lack is no problem.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        # A name longer than the figure is cut at its ends.
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        figure = draw()
        lay_out(figure)
        figure.savefig(buffer, format=form, **options)
    return buffer.getvalue()


def _cutoffs_marked_in_roc_figure(answers: ReportAnswers) -> pd.DataFrame | None:
    """Return the cutoffs of the figure: those set before the study, else the chosen ones."""
    given = _points_with_known_rates(answers.given)
    return _points_with_known_rates(answers.chosen) if given is None else given


def _points_with_known_rates(points: pd.DataFrame | None) -> pd.DataFrame | None:
    """Return the points whose rates are known, and none at an infinite cutoff; None without any."""
    if points is None:
        return None
    rates = points[points["quantity"].isin(["tpr", "tnr", "fpr"])]
    # A group without a class has one rate of two, which is no point of the figure.
    places = [name for name in ("predictor", "group", "threshold") if name in rates]
    rates = rates[np.isfinite(rates["threshold"])]
    unknown = rates["estimate"].isna().groupby([rates[name] for name in places]).transform("any")
    kept = rates[~unknown]
    return kept if len(kept) else None


def _cutpoint_in_scores_figure(answers: ReportAnswers, test: ScoredTest) -> pd.DataFrame | None:
    """Return the cutoff of a predictor as ``plot_scores`` reads it: set before, else chosen."""
    if answers.given is not None:
        rows = _rows_of_scored_test(answers.given, test).head(1)
        if len(rows):
            at = rows["threshold"]
            found = rows.assign(quantity="threshold", confidence_level=np.nan)
            return found.assign(estimate=at, ci_low=at, ci_high=at)
    return _chosen_cut(answers, test)


def _chosen_cut(answers: ReportAnswers, test: ScoredTest) -> pd.DataFrame | None:
    """Return the chosen cutoff of a predictor; None if there is none."""
    if answers.chosen is None:
        return None
    rows = _rows_of_scored_test(answers.chosen, test)
    return rows if np.isfinite(rows["threshold"]).all() and len(rows) else None


def _rows_of_scored_test(frame: pd.DataFrame, test: ScoredTest) -> pd.DataFrame:
    keep = frame["predictor"] == test.predictor
    if test.group:
        keep &= frame["group"] == test.group
    return frame[keep].reset_index(drop=True)
