"""Statistical methods, limitations, and items that authors must add."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.curves.criteria import CRITERIA
from rocstats.explorer.data import why_no_moved_limits
from rocstats.frame.make import about_of
from rocstats.reports.accuracy import IN_SAMPLE, points_with_counts
from rocstats.reports.document import Block, Paragraph, Section, paragraph
from rocstats.reports.texts import say
from rocstats.reports.use import use_methods
from rocstats.tables.methods import area_sentence, band_sentence, limit_sentences
from rocstats.tables.wording import Sentence, list_words, method_sentences, note_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike


def methods_section(study: StudyLike, answers: ReportAnswers, options: ReportOptions) -> Section:
    """Return the section on the statistical methods of a report."""
    sentences = [
        *limit_sentences(answers.curve),
        *_methods_of_areas(study, answers),
        *_methods_of_cutoffs(answers, options),
        *use_methods(answers.use),
        *_methods_of_moved_cutoffs(study, answers, options),
        _sentence_on_versions_of_report(answers),
    ]
    # Two frames may be made alike.
    return Section(say("heading.methods"), (Paragraph(tuple(dict.fromkeys(sentences))),), "methods")


def closing_sections(
    study: StudyLike, answers: ReportAnswers, options: ReportOptions
) -> Iterator[Section]:
    """Return the limitations, the source of the data, and the list of STARD."""
    yield Section(
        say("heading.limits"), tuple(_paragraphs_on_limits_of_report(answers, options)), "limits"
    )
    if options.source is not None:
        yield Section(say("heading.source"), (paragraph(options.source),), "source")
    yield Section(say("heading.stard"), tuple(_paragraphs_on_stard_items(study, answers)), "stard")


def _methods_of_areas(study: StudyLike, answers: ReportAnswers) -> list[Sentence]:
    auc = answers.auc
    if auc is None:
        return []
    sentences = [
        Sentence(say("methods.empirical"), ("fawcett-2004",)),
        area_sentence(over_folds=study.fold is not None),
        *method_sentences(auc, "the AUCs" if len(auc) > 1 else "the AUC"),
    ]
    if answers.band is not None and len(answers.band):
        sentences.append(band_sentence(answers.band))
        # On the screen its caption gives place to the explorer.
        sentences += map(Sentence, note_sentences(answers.band, without=IN_SAMPLE))
    if answers.comparisons is not None:
        if study.own_dropped is None:
            sentences.append(Sentence(say("methods.paired")))
        sentences += method_sentences(answers.comparisons, "the differences")
    if answers.equality is not None:
        sentences += method_sentences(answers.equality, "the global test")
    if answers.groups is not None:
        sentences += method_sentences(answers.groups, "the test of groups")
    return sentences


def _methods_of_measures(frame: pd.DataFrame, subject: str) -> list[Sentence]:
    """Return how limits and tests came about; of clusters, standard errors say how they count."""
    printed = frame[frame["quantity"] != "fpr"]
    if not frame["method"].str.startswith("clusters/").any():
        printed = printed.drop(columns="se")
    return method_sentences(printed, subject)


def _methods_of_cutoffs(answers: ReportAnswers, options: ReportOptions) -> Iterator[Sentence]:
    if answers.given is not None:
        yield from _methods_of_measures(answers.given, "measures at the cutoffs")
    if answers.given_elsewhere is not None:
        yield from _methods_of_measures(answers.given_elsewhere, "predictive values elsewhere")
    if answers.given_pairs is not None:
        yield from _methods_of_measures(answers.given_pairs, "differences at the cutoffs")
    if answers.chosen is None:
        return
    rule = CRITERIA[str(options.criterion)].phrase
    if not _has_chosen_cutoff(answers):
        yield Sentence(say("methods.no_choice", rule=rule))
        return
    yield Sentence(say("methods.choice", rule=rule), ("efron-1993",))
    printed = ["threshold", "tpr", "tnr", "ppv", "npv"]
    rates = answers.chosen[answers.chosen["quantity"].isin(printed)]
    yield from _methods_of_measures(rates, "the chosen cutoffs")
    if answers.observed is not None:
        yield from _methods_of_measures(answers.observed, "likelihood ratios")
    if answers.chosen_pairs is not None:
        yield from _methods_of_measures(answers.chosen_pairs, "differences at the chosen cutoffs")


def _has_chosen_cutoff(answers: ReportAnswers) -> bool:
    """Return whether a cutoff was chosen; calling no case positive is not a cutoff."""
    return answers.chosen is not None and bool(np.isfinite(answers.chosen["threshold"]).any())


def _methods_of_moved_cutoffs(
    study: StudyLike, answers: ReportAnswers, options: ReportOptions
) -> Iterator[Sentence]:
    """Return the methods of the limits in the explorer, which no frame of the report has."""
    if options.explorer is None:  # or no page of this study has one
        return
    yield Sentence(say("methods.explorer_benefit"), ("vickers-2006", "zou-2008"))
    if answers.auc is None:
        return
    if why_no_moved_limits(study, answers.auc):
        yield Sentence(say("methods.explorer_no_limits"))
        return
    yield Sentence(say("methods.explorer_limits"), ("dvoretzky-1956", "massart-1990"))


def _sentence_on_versions_of_report(answers: ReportAnswers) -> Sentence:
    """Return the versions of all that computed, and the seed."""
    frame = answers.curve if answers.auc is None else answers.auc
    return versions_sentence(frame, answers.seed)


def versions_sentence(
    frame: pd.DataFrame, seed: int | None = None, *, resampled: bool = True
) -> Sentence:
    """Return the versions of all that computed a frame, and the seed if there is one.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame.
    seed : int, optional
        Seed of the resamples.
    resampled : bool, default True
        Whether such a report may resample: one that never does says that nothing was random.
    """
    # Asked of the installation: loading SciPy takes longer than reading the page.
    used = {name: version(name) for name in ("numpy", "scipy", "pandas")}
    used["Python"] = platform.python_version()
    ours = about_of(frame).get("version", "")
    versions = list_words(f"{name} {number}" for name, number in used.items())
    texts = [say("methods.software", package=f"rocstats {ours}".rstrip(), versions=versions)]
    if seed is not None:
        texts.append(say("methods.seed", seed=seed))
    elif not resampled:
        texts.append(say("methods.no_randomness"))
    return Sentence(" ".join(texts))


def _paragraphs_on_limits_of_report(
    answers: ReportAnswers, options: ReportOptions
) -> Iterator[Block]:
    new_cases = ["limits.new_cases"] if _has_chosen_cutoff(answers) else []
    keys = ["limits.elsewhere", *new_cases, "limits.action"]
    yield paragraph(*(say(key, **options.words._asdict()) for key in keys))
    if answers.reasons:
        yield paragraph(*answers.reasons, lead=say("limits.not_given"))


def _paragraphs_on_stard_items(study: StudyLike, answers: ReportAnswers) -> Iterator[Paragraph]:
    """Return which items of STARD 2015 the page covers, and which are the authors'."""
    grouped = answers.groups is not None or (answers.auc is not None and "group" in answers.auc)
    variability = "variability" if grouped else "no_variability"
    flows = bool(points_with_counts(answers))
    covers, begins = ["methods", "results"], ["definition", "missing", variability]
    begins += ["flow"] if flows else []
    if study.sample_weight is None:
        covers.append("estimates")
    else:
        begins.append("estimates_only")
    begins.append("limitations")
    left = "" if flows else say("stard.authors_flow")
    of_page, begun = ("; ".join(say(f"stard.{key}") for key in keys) for keys in (covers, begins))
    yield Paragraph(
        (
            Sentence(say("stard.has", items=of_page), ("bossuyt-2015",)),
            Sentence(say("stard.begins", items=begun)),
            Sentence(say("stard.authors", items=say("stard.of_authors", flow=left))),
        ),
        "note",
    )
