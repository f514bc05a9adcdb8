"""The section of figures, and that of the groups, with captions that describe them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rocstats.present.note_words import note_in_print
from rocstats.present.report.areas import group_test
from rocstats.present.report.document import Block, FigureBlock, Section, paragraph
from rocstats.present.report.figures import (
    Series,
    draws_figure,
    forest_figure,
    roc_figure,
    scores_figure,
)
from rocstats.present.report.studied import LISTED
from rocstats.present.text import format_level
from rocstats.present.wording import list_words

if TYPE_CHECKING:
    from rocstats.present.protocols import StudyLike
    from rocstats.present.report.answers import Answers
    from rocstats.present.report.options import ReportOptions

# Distributions that a page has room for; those of other tests are a question to the study.
_MOST_SCORES = 4

# Rows of a forest on a page, see `plot_forest`.
_MOST_ROWS = 60


def figure_section(study: StudyLike, answers: Answers, options: ReportOptions) -> list[Section]:
    """Return the section of figures, and that of groups; none for yes/no tests."""
    if answers.auc is None:
        return []
    caption = roc_caption(study, answers, options)
    draw = partial(roc_figure, answers, options.style)
    blocks: list[Block] = [FigureBlock(draw, caption, caption)]
    series = _series(answers)
    for one in series[:_MOST_SCORES]:
        text = _scores_caption(one, answers, options)
        blocks.append(FigureBlock(partial(scores_figure, answers, one), text, text))
    if answers.draws is not None and len(series) == 1 and _has_draws(answers, series[0]):
        text = (
            f"Cutoffs of {series[0].predictor} chosen in resamples of these"
            f" {options.words.cases}, each dot 1 in 50. Bar: interval of the cutoff."
        )
        blocks.append(FigureBlock(partial(draws_figure, answers, series[0]), text, text))
    if len(series) > _MOST_SCORES:
        text = f"Distributions of the other {len(series) - _MOST_SCORES} are left out."
        blocks.append(paragraph(text, role="note"))
    return [Section("Figures", tuple(blocks), "figures"), *_groups(study, answers, options)]


def roc_caption(study: StudyLike, answers: Answers, options: ReportOptions) -> str:
    """Return the caption of the ROC figure, which also describes it to those who cannot see it."""
    names = list(dict.fromkeys(answers.curve["predictor"]))
    subject = list_words(names) if len(names) <= LISTED else f"{len(names)} tests"
    curves = "curve" if len(names) == 1 and study.group is None else "curves"
    caption = f"Empirical ROC {curves} of {subject}. The dotted diagonal is chance."
    if answers.given is not None:
        caption += " Marks: cutoffs set before the study, with limits of both rates."
    elif answers.chosen is not None:
        caption += (
            " Rings: the chosen cutoffs as observed. Crosses: their rates, corrected for the"
            " choice, with limits."
        )
    band = answers.band
    if band is not None and len(band):
        level = format_level(band["confidence_level"].iloc[0])
        caption += (
            f" Each shaded area is a simultaneous {level} confidence band for the whole curve."
        )
    if study.fold is None:
        return caption
    # Curves pool the folds, areas do not: the caption says so, for the two may disagree.
    meaning = note_in_print("pooled-folds")
    return f"{caption} {meaning[0].upper()}{meaning[1:]}."


def _series(answers: Answers) -> list[Series]:
    """Return the tests with a distribution, in each group with both classes."""
    found = []
    curve = answers.curve[~answers.curve["predictor"].isin(answers.yes_no)]
    keys = ["predictor", "group"] if "group" in curve else ["predictor"]
    for names, piece in curve.groupby(keys, sort=False):
        if piece["tpr"].notna().all() and piece["fpr"].notna().all():
            found.append(Series(*map(str, names)))
    return found


def _has_draws(answers: Answers, series: Series) -> bool:
    assert answers.draws is not None
    mine = answers.draws[answers.draws["predictor"] == series.predictor]
    return bool(np.isfinite(mine["threshold"]).any())


def _scores_caption(series: Series, answers: Answers, options: ReportOptions) -> str:
    words, place = options.words, f" in {series.group}" if series.group else ""
    caption = (
        f"{series.predictor[:1].upper()}{series.predictor[1:]}{place}: {words.cases} with"
        f" {words.condition} (above) and without (below)."
    )
    if answers.given is None and answers.chosen is None:
        return caption
    return f"{caption} Solid: right call; hatched: wrong. Counts are as observed."


def _groups(study: StudyLike, answers: Answers, options: ReportOptions) -> list[Section]:
    areas = answers.auc
    if areas is None or "group" not in areas or areas["estimate"].notna().sum() == 0:
        return []
    blocks: list[Block] = []
    if len(areas) <= _MOST_ROWS:
        caption = "Areas in each group; the size of a box is the number of cases."
        blocks.append(FigureBlock(partial(forest_figure, areas), caption, caption, "page"))
    if answers.groups is not None:
        blocks.append(paragraph(*group_test(answers.groups, options)))
    return [Section("Groups", tuple(blocks), "groups")]
