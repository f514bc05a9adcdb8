"""How the numbers were made, what they cannot say, and what is left to the authors."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.curves.criteria import CRITERIA
from rocstats.explorer.data import why_no_explorer, why_no_moved_limits
from rocstats.frame.make import about_of
from rocstats.reports.areas import IN_SAMPLE
from rocstats.reports.document import Block, Paragraph, Section, paragraph
from rocstats.reports.use import use_methods
from rocstats.tables.methods import area_sentence, band_sentence
from rocstats.tables.wording import Sentence, list_words, method_sentences, note_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocstats.reports.answers import Answers
    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


_STARD = ("bossuyt-2015",)


def methods_section(study: StudyLike, answers: Answers, options: ReportOptions) -> Section:
    """Return the section on the statistical methods behind the frames of a report."""
    sentences = [
        *_of_areas(study, answers),
        *_of_cutoffs(answers, options),
        *use_methods(answers.use),
        *_of_moved(study, answers, options),
        _software(answers),
    ]
    # Two frames may be made alike.
    return Section("Statistical methods", (Paragraph(tuple(dict.fromkeys(sentences))),), "methods")


def closing_sections(
    study: StudyLike, answers: Answers, options: ReportOptions
) -> Iterator[Section]:
    """Return what the report cannot say, where its data are from, and the list of STARD."""
    yield Section("What this report cannot say", tuple(_limits(answers, options)), "limits")
    if options.source is not None:
        yield Section("Data", (paragraph(options.source),), "source")
    yield Section("STARD 2015", tuple(_stard(study, answers)), "stard")


def _of_areas(study: StudyLike, answers: Answers) -> list[Sentence]:
    auc = answers.auc
    if auc is None:
        return []
    sentences = [
        Sentence(
            "ROC curves are empirical: every distinct score serves as a threshold.",
            ("fawcett-2004",),
        ),
        area_sentence(over_folds=study.fold is not None),
        *method_sentences(auc, "the AUCs" if len(auc) > 1 else "the AUC"),
    ]
    if answers.band is not None and len(answers.band):
        sentences.append(band_sentence(answers.band))
        # On the screen its caption gives place to the explorer.
        sentences += map(Sentence, note_sentences(answers.band, without=IN_SAMPLE))
    if answers.comparisons is not None:
        if study.own_dropped is None:
            sentences.append(
                Sentence(
                    "All predictors were measured on the same cases, so that differences in AUC"
                    " (predictor minus reference) are paired."
                )
            )
        sentences += method_sentences(answers.comparisons, "the differences")
    if answers.equality is not None:
        sentences += method_sentences(answers.equality, "the global test")
    if answers.groups is not None:
        sentences += method_sentences(answers.groups, "the test of groups")
    return sentences


def _of_measures(frame: pd.DataFrame, subject: str) -> list[Sentence]:
    """Return how limits and tests came about; of clusters, standard errors say how they count."""
    printed = frame[frame["quantity"] != "fpr"]
    if not frame["method"].str.startswith("clusters/").any():
        printed = printed.drop(columns="se")
    return method_sentences(printed, subject)


def _of_cutoffs(answers: Answers, options: ReportOptions) -> Iterator[Sentence]:
    if answers.given is not None:
        yield from _of_measures(answers.given, "measures at the cutoffs")
    if answers.given_elsewhere is not None:
        yield from _of_measures(answers.given_elsewhere, "predictive values elsewhere")
    if answers.given_pairs is not None:
        yield from _of_measures(answers.given_pairs, "differences at the cutoffs")
    if answers.chosen is None:
        return
    rule = CRITERIA[str(options.criterion)].phrase
    if not _has_choice(answers):
        yield Sentence(f"Cutoffs were sought in these data for the {rule}; none was found.")
        return
    yield Sentence(
        f"Cutoffs were chosen in these data for the {rule}. Their rates are corrected by"
        " the optimism of the choice in bootstrap resamples.",
        ("efron-1993",),
    )
    printed = ["threshold", "tpr", "tnr", "ppv", "npv"]
    rates = answers.chosen[answers.chosen["quantity"].isin(printed)]
    yield from _of_measures(rates, "the chosen cutoffs")
    if answers.observed is not None:
        yield from _of_measures(answers.observed, "likelihood ratios")
    if answers.chosen_pairs is not None:
        yield from _of_measures(answers.chosen_pairs, "differences at the chosen cutoffs")


def _has_choice(answers: Answers) -> bool:
    """Return whether a cutoff was chosen; calling nobody positive is no cutoff."""
    return answers.chosen is not None and bool(np.isfinite(answers.chosen["threshold"]).any())


def _of_moved(study: StudyLike, answers: Answers, options: ReportOptions) -> Iterator[Sentence]:
    """Return how the explorer makes limits, which are in no frame of the report."""
    if options.explorer is None or why_no_explorer(study):
        return
    yield Sentence(
        "In the interactive part of the page, net benefit takes as known the prevalence and how"
        " many false alarms one more found case is worth; its limits combine those of both rates.",
        ("vickers-2006", "zou-2008"),
    )
    if answers.auc is None:
        return
    text = "Predictive values there take the prevalence as known"
    if why_no_moved_limits(study, answers.auc):
        yield Sentence(f"{text}, and a cutoff that a reader moved has no limits.")
        return
    yield Sentence(
        f"{text}, and limits at a cutoff that a reader moved hold for all cutoffs and both rates at"
        " once, by the inequality of Dvoretzky, Kiefer and Wolfowitz.",
        ("dvoretzky-1956", "massart-1990"),
    )


def _software(answers: Answers) -> Sentence:
    """Return the versions of all that computed, and the seed."""
    frame = answers.curve if answers.auc is None else answers.auc
    seed = "" if answers.seed is None else f" Seed of the resamples: {answers.seed}."
    return versions_sentence(frame, seed)


def versions_sentence(frame: pd.DataFrame, randomness: str) -> Sentence:
    """Return the versions of all that computed a frame, then a sentence on random numbers."""
    # Asked of the installation: loading SciPy takes longer than reading the page.
    used = {name: version(name) for name in ("numpy", "scipy", "pandas")}
    used["Python"] = platform.python_version()
    ours = about_of(frame).get("version", "")
    versions = list_words(f"{name} {number}" for name, number in used.items())
    name = f"rocstats {ours}".rstrip()
    return Sentence(f"Analyses were made with the Python package {name} ({versions}).{randomness}")


NO_RANDOMNESS = " No random numbers were drawn."
"""The sentence on random numbers of reports that draw none."""


def _limits(answers: Answers, options: ReportOptions) -> Iterator[Block]:
    words = options.words
    texts = [
        f"How the test does in {words.cases} unlike these, or where another share of them has"
        f" {words.condition} than stated.",
    ]
    if _has_choice(answers):
        texts.append(f"Whether a cutoff chosen here holds in new {words.cases}.")
    texts.append(
        f"Whether to {words.action} by the test changes what happens to anyone, and whether those"
        f" counted as having {words.condition} truly had it."
    )
    yield paragraph(*texts)
    if answers.reasons:
        yield paragraph(*answers.reasons, lead="Not given here.")


def _stard(study: StudyLike, answers: Answers) -> Iterator[Paragraph]:
    """Return which items of STARD 2015 the page covers, and which are the authors'."""
    covers = [
        "14 methods of estimation and comparison",
        "23 results of the test by the reference standard",
    ]
    grouped = answers.groups is not None or (answers.auc is not None and "group" in answers.auc)
    begins = [
        "12a definition of positive results (add why, and what was planned)",
        "16 missing data (add why, and of the reference standard)",
        "17 variability between groups (add whether it was planned)"
        if grouped
        else "17 variability of accuracy, or that none was studied",
        "26 limitations (add bias)",
    ]
    if study.sample_weight is None:
        covers.append("24 estimates with their precision")
    else:
        begins.insert(3, "24 estimates (add their precision)")
    yield Paragraph(
        (
            Sentence(f"Of the 30 items of STARD, this page has {'; '.join(covers)}.", _STARD),
            Sentence(f"It begins {'; '.join(begins)}."),
            Sentence(f"The authors add {'; '.join(_OF_AUTHORS)}."),
        ),
        "note",
    )


_OF_AUTHORS = (
    "1 a title that names a measure of accuracy",
    "2 an abstract",
    "3 background and intended use",
    "4 aims and hypotheses",
    "5 whether data were collected before the tests",
    "6 to 9 who was eligible, how found, where and when, and in what series",
    "10a, 10b both tests in detail",
    "11 why this reference standard",
    "12b its positive results",
    "13a, 13b who knew what",
    "15 indeterminate results",
    "18 planned sample size",
    "19 flow of participants",
    "20 who they were",
    "21a, 21b severity, and other diagnoses",
    "22 time and treatment between the tests",
    "25 harms",
    "27 implications",
    "28 registration",
    "29 protocol",
    "30 funding",
)
