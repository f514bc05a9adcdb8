"""What was studied, in words: the cases, what is positive, the design, what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.reports.document import Section, paragraph
from rocstats.reports.texts import say
from rocstats.tables.sizes import size_in_words, units_in_words
from rocstats.tables.text import format_count
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions, ReportWords
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
    few = "studied.title_one" if len(names) == 1 else "studied.title_few"
    key = few if len(names) <= _IN_TITLE else "studied.title"
    return say(key, tests=subject, condition=options.words.condition)


def subtitle_of(study: StudyLike, words: ReportWords) -> str:
    """Return the numbers of cases, and of rows where these are no cases."""
    if are_tests_known_by_tables_alone(study):
        return ""
    n_all = study.n_pos + study.n_neg
    return size_in_words(n_all, study.n_pos, study.units, words.cases, words.condition)


def studied_section(study: StudyLike, answers: ReportAnswers, options: ReportOptions) -> Section:
    """Return the section on cases, direction, design and missing values."""
    texts = [
        *_sentences_on_cases_studied(study, answers, options.words),
        *_sentences_on_positive_side_of_tests(study, answers),
        *design_sentences(study, options.words),
        *_sentences_on_rows_left_out_of_tests(study),
        *([say("studied.read", how=options.reading)] if options.reading else []),
    ]
    return Section(say("heading.studied"), (paragraph(*texts),), "studied")


def _sentences_on_positive_side_of_tests(study: StudyLike, answers: ReportAnswers) -> list[str]:
    """Return on which side of a cutoff each test is positive; nothing of yes/no tests."""
    sentences = []
    for key, higher in (("studied.high", True), ("studied.low", False)):
        names = [
            study.labels.get(name, name)
            for name, high in zip(study.predictors, study.higher_is_positive, strict=True)
            if high == higher and name not in answers.yes_no
        ]
        if not names:
            continue
        what = list_words(names) if len(names) <= LISTED else f"{len(names)} tests"
        sentences.append(say(key, tests=what))
    return sentences


def _sentences_on_cases_studied(
    study: StudyLike, answers: ReportAnswers, words: ReportWords
) -> list[str]:
    """Return who was studied, and who counts as positive."""
    if are_tests_known_by_tables_alone(study):
        return [say("studied.apart")]
    if study.units is not None:
        units = units_in_words(study.units, words.cases, words.condition)
        counts = say("studied.units", units=units)
    else:
        sizes = {"n_pos": format_count(study.n_pos), "n_neg": format_count(study.n_neg)}
        counts = say("studied.sizes", **sizes, **words._asdict())
    label = say("studied.label", condition=words.condition, label=study.pos_label)
    if study.frequency is None:
        return [counts, label]
    # A table of a yes/no test may have no labels.
    yes_no = set(answers.yes_no) == set(study.predictors)
    return [counts, say("studied.counted"), "" if yes_no else label]


def design_sentences(study: StudyLike, words: ReportWords) -> list[str]:
    """Return what the rows belong to: clusters, groups, folds; and whether they are weighted."""
    cluster = study.cluster if study.units is None else None
    texts = [
        *sentences_on_rows_as_units(study.units, words),
        *sentences_on_numbers_of_groups(cluster, study.group),
    ]
    if study.fold is not None:
        texts.append(say("studied.folds", number=len(study.fold.labels)))
    if study.sample_weight is not None:
        texts.append(say("studied.weights"))
    return texts


def sentences_on_numbers_of_groups(cluster: RoleLike | None, group: RoleLike | None) -> list[str]:
    """Return how many clusters and groups there are; groups are named unless there are many."""
    texts = []
    if cluster is not None:
        texts.append(say("studied.clusters", number=len(cluster.labels)))
    if group is not None:
        labels = [str(label) for label in group.labels]
        listed = f" ({list_words(labels)})" if len(labels) <= LISTED else ""
        texts.append(say("studied.groups", groups=f"{len(labels)} groups{listed}"))
    return texts


def sentences_on_rows_as_units(units: Units | None, words: ReportWords) -> list[str]:
    """Return what a row is, and what tables and figures count; [] where each is a case."""
    if units is None:
        return []
    counted = say("studied.rows", counted=units.counted)
    if not units.name:
        return [say("studied.repeats", case=words.case), counted]
    row = [say("studied.one_row", case=words.case)] if units.counted == "rows" else []
    return [say("studied.alike", unit=units.one), *row, counted]


def _sentences_on_rows_left_out_of_tests(study: StudyLike) -> list[str]:
    if are_tests_known_by_tables_alone(study):
        return []
    if study.own_dropped is not None:
        numbers = zip(study.predictors, study.own_dropped, strict=True)
        of_each = list_words(
            [f"{number} for {study.labels.get(name, name)}" for name, number in numbers]
        )
        return [say("studied.dropped_each", numbers=of_each)]
    return dropped_sentences(study.n_dropped)


def dropped_sentences(number: int) -> list[str]:
    """Return how many rows were left out; [] if none."""
    rows = "row" if number == 1 else "rows"
    return [say("studied.dropped", number=number, rows=rows)] if number else []


def are_tests_known_by_tables_alone(study: StudyLike) -> bool:
    """Return whether tests are known by tables alone, so that nobody knows who is in several."""
    return study.from_tables and study.own_dropped is not None
