"""Rows of NaN, and groups left out, where nothing can be estimated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.frames.glossary import GLOSSARY
from rocstats.frames.questions import BINNING_ERROR, Question
from rocstats.sample.sample import Sample, own_sample


def lacks_class(sample: Sample) -> bool:
    """Return whether a sample has no positives or no negatives, or none of any weight."""
    return sample.cases.lacks_class


def answerable_groups(sample: Sample, codes: list[str]) -> Iterator[tuple[int, str, Sample]]:
    """Yield number, name and sample of each group with both classes; note others in ``codes``."""
    # The number counts the groups left out too: it keys the stream of the draws of a group.
    for g, (group, part) in enumerate(sample.by_group()):
        if lacks_class(part):
            codes.append("one-class")
        else:
            yield g, group, part


def answerable_predictors(
    sample: Sample, codes: list[str]
) -> Iterator[tuple[int, str, int, str, Sample]]:
    """Yield each group, each predictor (number and name) and its cases there.

    Those without both classes are left out, and noted in ``codes``.
    """
    for g, (group, part) in enumerate(sample.by_group()):
        for k, name in enumerate(sample.predictors):
            own = own_sample(part, k)
            if lacks_class(own):
                codes.append("one-class")
            else:
                yield g, group, k, name, own


def unanswered(
    question: Question, known: Mapping[str, Any], codes: Sequence[str]
) -> dict[str, Any]:
    """Return a row without an answer: NaN in each number column that is not known."""
    # No text column is filled: one that the caller forgot is a mistake of ours, and a KeyError.
    numbers = {name: np.nan for name in question.columns if GLOSSARY[name].kind != "text"}
    if question.binned:
        numbers[BINNING_ERROR] = np.nan  # left out of the frame unless scores are binned
    return {**numbers, "method": "none/none", **known, "note": list(codes)}
