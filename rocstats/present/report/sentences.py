"""Sentences of a report: sample, caption of the figure, global test, statistical methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rocstats.present.note_words import note_in_print
from rocstats.present.p_values import p_statement
from rocstats.present.text import format_count, format_level, format_number, format_percent
from rocstats.present.wording import Sentence, list_words, method_sentences, note_sentences
from rocstats.stats.records import BAND_WORDS

if TYPE_CHECKING:
    import pandas as pd

    from rocstats.present.protocols import RoleLike, StudyLike

# Names that a sentence lists: eight fill about two lines of a page, more are counted instead.
_LISTED = 8

# Names that a heading on one line has room for.
_IN_TITLE = 3

# Note codes that tables leave out, because the paragraph on the sample has them.
IN_SAMPLE = ("rows-dropped",)


class Answers(NamedTuple):
    """The frames of a report; None for a question that the study does not allow."""

    curve: pd.DataFrame
    auc: pd.DataFrame
    band: pd.DataFrame | None
    comparisons: pd.DataFrame | None
    equality: pd.DataFrame | None


def title_of(study: StudyLike) -> str:
    """Return the title of a report, which names up to three predictors, and the outcome."""
    subject = _subject(study, _IN_TITLE)
    return f"ROC analysis of {subject}{f': {study.outcome}' if study.outcome else ''}"


def _subject(study: StudyLike, most: int) -> str:
    """Return the predictors as a list in print; their number if there are more than ``most``."""
    names = [study.labels.get(name, name) for name in study.predictors]
    return list_words(names) if len(names) <= most else f"{len(names)} predictors"


def sample_text(study: StudyLike, style: str) -> str:
    """Return the paragraph on cases, prevalence, clusters, groups, folds and missing values."""
    cases = study.n_pos + study.n_neg
    share = format_percent(study.n_pos, cases, style=style)
    condition = f" (condition: {study.outcome})" if study.outcome else ""
    parts = [
        f"The study has {format_count(cases)} cases, of which {share} are positive{condition}."
    ]
    if study.cluster is not None:
        parts.append(f"The cases come from {len(study.cluster.labels)} clusters.")
    if study.group is not None:
        parts.append(f"They are in {_counted(study.group, 'groups')}, analysed apart.")
    if study.fold is not None:
        parts.append(f"Scores come from {len(study.fold.labels)} cross-validation folds.")
    if study.own_dropped is not None:
        numbers = zip(study.predictors, study.own_dropped, strict=True)
        of_each = list_words([f"{number} for {name}" for name, number in numbers])
        parts.append(f"Rows left out for a missing value: {of_each}.")
    elif study.n_dropped:
        rows = "row" if study.n_dropped == 1 else "rows"
        parts.append(f"Left out for a missing value: {study.n_dropped} {rows}.")
    return " ".join(parts)


def _counted(role: RoleLike, word: str) -> str:
    labels = [str(label) for label in role.labels]
    listed = f" ({list_words(labels)})" if len(labels) <= _LISTED else ""
    return f"{len(labels)} {word}{listed}"


def global_test_text(
    study: StudyLike, equality: pd.DataFrame | None, style: str, alpha: float
) -> str | None:
    """Return the results of the global test that all areas are equal; None without the test."""
    if equality is None:
        return None
    subject = f"The global test that all {len(study.predictors)} areas are equal"
    results = []
    for _, row in equality.iterrows():
        place = f" in {row['group']}" if "group" in equality else ""
        if row["statistic"] != row["statistic"]:
            # NaN: a class without members, a single case, or differences that do not vary.
            results.append(f"{subject}{place} is not available.")
            continue
        statistic = f"chi-square = {format_number(row['statistic'], 2)}"
        p = p_statement(row["p_value"], style=style, alpha=alpha)
        df = format_count(row["df"])
        unit = "degree" if row["df"] == 1 else "degrees"
        results.append(f"{subject}{place} gives {statistic} on {df} {unit} of freedom, {p}.")
    return " ".join([*results, *note_sentences(equality, without=IN_SAMPLE)])


def figure_caption(study: StudyLike, band: pd.DataFrame | None) -> str:
    """Return the caption of the ROC figure, which also describes it to those who cannot see it."""
    curves = "curve" if len(study.predictors) == 1 and study.group is None else "curves"
    subject = _subject(study, _LISTED)
    counts = f"{format_count(study.n_pos)} positives, {format_count(study.n_neg)} negatives"
    counts += f"; condition: {study.outcome}" if study.outcome else ""
    caption = f"Empirical ROC {curves} of {subject} ({counts}). The dotted diagonal is chance."
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


def methods_text(study: StudyLike, answers: Answers) -> list[Sentence]:
    """Return the sentences on the statistical methods behind the frames of a report."""
    _, auc, band, comparisons, equality = answers
    sentences = [
        Sentence(
            "ROC curves are empirical: every distinct score serves as a threshold.",
            ("fawcett-2004",),
        ),
        area_sentence(over_folds=study.fold is not None),
        *method_sentences(auc, "the AUCs" if len(auc) > 1 else "the AUC"),
    ]
    if band is not None and len(band):
        sentences.append(band_sentence(band))
    if comparisons is not None:
        sentences.append(
            Sentence(
                "All predictors were measured on the same cases, so that differences in AUC"
                " (predictor minus reference) are paired."
            )
        )
        sentences += method_sentences(comparisons, "the differences")
    if equality is not None:
        sentences += method_sentences(equality, "the global test")
    return [*sentences, software_sentence(auc)]


def area_sentence(*, over_folds: bool) -> Sentence:
    """Return the sentence on the estimator of areas, which with folds is a mean over them."""
    estimator = "by the Mann-Whitney statistic, ties counting one half"
    if over_folds:
        estimator = f"as the mean over the folds of its estimates {estimator}"
    return Sentence(
        "The area under the receiver operating characteristic curve (AUC) was estimated"
        f" {estimator}.",
        ("hanley-mcneil-1982",),
    )


def band_sentence(band: pd.DataFrame) -> Sentence:
    """Return the sentence on the bands of the figure, with the seed that repeats them."""
    about = band.attrs.get("rocstats", {})
    used = BAND_WORDS[str(band["method"].iloc[0]).partition("/")[0]]
    text = (
        f"Simultaneous bands around the curves are {used.phrase}, from"
        f" {about.get('n_resamples')} bootstrap resamples (seed {about.get('seed')})"
    )
    # "fixed-width/joint" replaces the fixed width where resamples have no spread to set it by.
    joint = band.loc[band["method"].str.endswith("/joint"), "predictor"].unique()
    if len(joint):
        text += (
            f"; for {list_words([str(name) for name in joint])}, whose resamples do not vary, the"
            " joint band of both classes' Kolmogorov limits stands in"
        )
    return Sentence(f"{text}.", used.references)


def software_sentence(frame: pd.DataFrame) -> Sentence:
    """Return the sentence on the package and its version, which made the frame."""
    version = frame.attrs.get("rocstats", {}).get("version", "")
    return Sentence(f"Analyses were made with the Python package rocstats {version}".rstrip() + ".")
