"""All questions, collected from the modules that declare them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

import rocstats.counts
import rocstats.curves
import rocstats.inference
from rocstats.frame.question import Question


def declared_questions() -> dict[str, Question]:
    """Return each question by its name; two of one name are an error.

    Examples
    --------
    >>> from rocstats.studies.catalogue import declared_questions
    >>> declared_questions()["roc_curve"].references
    ('fawcett-2004',)
    """
    questions: dict[str, Question] = {}
    for place, question in _declared_questions_by_module():
        # The same object twice is an import of it into a second module, which is allowed.
        if questions.setdefault(question.name, question) is not question:
            raise KeyError(f"{question.name} is declared twice, once in {place}")
    return dict(sorted(questions.items()))


def _declared_questions_by_module() -> Iterator[tuple[str, Question]]:
    """Yield the questions of the modules that declare any, with the module's name."""
    # By import and not by a list, which a new question could be left out of.
    for package in (rocstats.counts, rocstats.curves, rocstats.inference):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(import_module(info.name)).values():
                if isinstance(value, Question):
                    yield info.name, value
