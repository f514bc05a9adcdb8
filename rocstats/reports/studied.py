"""What was studied, in words: the cases, what is positive, the design, what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.reports.document import Section, paragraph
from rocstats.tables.sizes import size_in_words, units_in_words
from rocstats.tables.text import format_count
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from rocstats.reports.answers import Answers
    from rocstats.reports.options import ReportOptions, Words
    from rocstats.study.units import Units
    from rocstats.tables.protocols import RoleLike, StudyLike


# Names that a sentence lists: eight fill about two lines of a page, more are counted instead.
LISTED = 8

# Names that a heading on one line has room for.
_IN_TITLE = 3


def title_of(study: StudyLike, options: ReportOptions) -> str:
    """Return the title of a report, which names up to three tests, and the condition."""
    names = [study.labels.get(name, name) for name in study.predictors]
    subject = list_words(names) if len(names) <= _IN_TITLE else f"{len(names)} tests"
    kind = "a test" if len(names) == 1 else "tests" if len(names) <= _IN_TITLE else ""
    words = f"{subject} as {kind}" if kind else subject
    return f"{words} for {options.words.condition}"


def subtitle_of(study: StudyLike, words: Words) -> str:
    """Return the numbers of cases, and of rows where these are no cases."""
    if known_apart(study):
        return ""
    n_all = study.n_pos + study.n_neg
    return size_in_words(n_all, study.n_pos, study.units, words.cases, words.condition)


def studied_section(study: StudyLike, answers: Answers, options: ReportOptions) -> Section:
    """Return the section on cases, direction, design and missing values."""
    texts = [
        *_cases(study, answers, options.words),
        *_directions(study, answers),
        *design_sentences(study, options.words),
        *_dropped(study),
    ]
    return Section("What was studied", (paragraph(*texts),), "studied")


def _directions(study: StudyLike, answers: Answers) -> list[str]:
    """Return on which side of a cutoff each test is positive; nothing of yes/no tests."""
    ways = {"at or above": True, "at or below": False}
    sentences = []
    for words, higher in ways.items():
        names = [
            study.labels.get(name, name)
            for name, high in zip(study.predictors, study.higher_is_positive, strict=True)
            if high == higher and name not in answers.yes_no
        ]
        if not names:
            continue
        what = list_words(names) if len(names) <= LISTED else f"{len(names)} tests"
        sentences.append(f"Positive {words} a cutoff: {what}.")
    return sentences


def _cases(study: StudyLike, answers: Answers, words: Words) -> list[str]:
    """Return who was studied, and who counts as positive."""
    if known_apart(study):
        return ["Each test has a table of its own, of its own cases."]
    counts = (
        f"The study has {units_in_words(study.units, words.cases, words.condition)}."
        if study.units is not None
        else f"The study has {format_count(study.n_pos)} {words.cases} with {words.condition} and"
        f" {format_count(study.n_neg)} without."
    )
    if study.frequency is None:
        return [counts, f"Those with {words.condition} are labelled {study.pos_label!r}."]
    table = "They are counted in a table."
    # A table of a yes/no test may have no labels.
    yes_no = set(answers.yes_no) == set(study.predictors)
    label = "" if yes_no else f"Those with {words.condition} are labelled {study.pos_label!r}."
    return [counts, table, label]


def design_sentences(study: StudyLike, words: Words) -> list[str]:
    """Return what the rows belong to: clusters, groups, folds; and whether they are weighted."""
    cluster = study.cluster if study.units is None else None
    texts = [*rows_sentences(study.units, words), *role_sentences(cluster, study.group)]
    if study.fold is not None:
        texts.append(f"Scores come from {len(study.fold.labels)} cross-validation folds.")
    if study.sample_weight is not None:
        texts.append("Each has a sampling weight.")
    return texts


def role_sentences(cluster: RoleLike | None, group: RoleLike | None) -> list[str]:
    """Return how many clusters and groups there are; groups are named unless there are many."""
    texts = []
    if cluster is not None:
        number = len(cluster.labels)
        texts.append(f"They come from {number} clusters, within which results may be alike.")
    if group is not None:
        texts.append(f"They are in {_counted(group, 'groups')}, analysed apart.")
    return texts


def rows_sentences(units: Units | None, words: Words) -> list[str]:
    """Return what a row is, and what tables and figures count; [] where each is a case."""
    if units is None:
        return []
    counted = f"Tables and figures count {units.counted}."
    if not units.name:
        return [f"Each {words.case} has a row in several folds. {counted}"]
    row = f"Each row is one {words.case}." if units.counted == "rows" else ""
    return [f"Results of one {units.one} may be alike.", *filter(None, [row]), counted]


def _dropped(study: StudyLike) -> list[str]:
    if known_apart(study):
        return []
    if study.own_dropped is not None:
        numbers = zip(study.predictors, study.own_dropped, strict=True)
        of_each = list_words(
            [f"{number} for {study.labels.get(name, name)}" for name, number in numbers]
        )
        return [f"Rows left out for a missing value: {of_each}."]
    return dropped_sentences(study.n_dropped)


def dropped_sentences(number: int) -> list[str]:
    """Return how many rows were left out; [] if none."""
    rows = "row" if number == 1 else "rows"
    return [f"Left out for a missing value: {number} {rows}."] if number else []


def known_apart(study: StudyLike) -> bool:
    """Return whether tests are known by tables alone, so that nobody knows who is in several."""
    return study.from_tables and study.own_dropped is not None


def _counted(role: RoleLike, word: str) -> str:
    labels = [str(label) for label in role.labels]
    listed = f" ({list_words(labels)})" if len(labels) <= LISTED else ""
    return f"{len(labels)} {word}{listed}"
