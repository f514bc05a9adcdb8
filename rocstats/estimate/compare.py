"""Comparisons: pairs of predictors or of groups, their claims, and their frame.

A comparison yields for each pair the cells that name the row, a ``Result`` and the notes on the
cases; ``comparison_frame`` adjusts the P values and makes the frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd

from rocstats.curves.roc import next_of_sample
from rocstats.errors import InputError
from rocstats.estimate.answers import (
    answer_row_of_result,
    answer_rows,
    lacks_class,
    require_comparable_groups,
    require_study_with_groups,
)
from rocstats.estimate.areas import size_codes
from rocstats.estimate.claim import (
    Adjustment,
    add_adjusted_p_values_to_rows,
    index_pairs,
)
from rocstats.estimate.estimate import Result
from rocstats.estimate.paired_tables import Calls, calls_of
from rocstats.estimate.resample import ResamplePlan
from rocstats.frame.cutoffs import NEXT_SCORES
from rocstats.frame.question import Question
from rocstats.study.base import BaseSample, sample_notes
from rocstats.study.sample import Sample

# --- What a comparison claims, and its frame ------------------------------------------------------


ComparedRow = tuple[Mapping[str, Any], Result, Sequence[str]]
"""Cells that name a row, the difference with its limits and test, and the notes on the cases."""


def comparison_frame(
    question: Question,
    sample: BaseSample,
    adjust: Adjustment,
    differences: Iterable[ComparedRow],
    *,
    within: Sequence[str] = (),
    draws: ResamplePlan | None = None,
) -> pd.DataFrame:
    """Return the frame of differences, with p values adjusted over rows that share ``within``.

    A row that has a ``p_adjusted`` is outside the family: it tests all differences at once.
    """
    rows, family = [], []
    for cells, result, codes in differences:
        rows.append(answer_row_of_result(question, cells, result, codes))
        if "p_adjusted" not in cells:
            family.append(rows[-1])
    add_adjusted_p_values_to_rows(family, adjust, within=within)
    return answer_rows(question, sample, rows, draws)


# --- Pairs of names -------------------------------------------------------------------------------


def require_two_names_to_compare(names: Sequence[str], kind: str) -> None:
    """Raise InputError unless there are two names to compare."""
    if len(names) < 2:
        argument = "y_score" if kind == "predictors" else "group"
        raise InputError(
            f"`{argument}` must hold two or more {kind} to be compared; got {len(names)}."
            f" Pass more {kind} to the study."
        )


# --- Pairs of predictors of the same cases, and of groups for one predictor -----------------------

ComparedAcross = Literal["predictors", "groups"]


_THRESHOLD_COLUMNS = [(name, NEXT_SCORES[name]) for name in ("threshold", "reference_threshold")]


class PairToCompare(NamedTuple):
    """Two predictors of one sample (paired), or one predictor of two samples.

    ``groups`` are the positions of the samples among all groups; ``words`` name the row.
    """

    samples: tuple[Sample, Sample]
    predictors: tuple[int, int]
    groups: tuple[int, int]
    words: dict[str, str]

    @property
    def paired(self) -> bool:
        """Whether both are measured on the same cases."""
        return self.groups[0] == self.groups[1]

    @property
    def distinct(self) -> tuple[Sample, ...]:
        """The samples, each once."""
        return self.samples[:1] if self.paired else self.samples

    @property
    def lacks_class(self) -> bool:
        """Whether one of the samples has no positives or no negatives."""
        return any(lacks_class(part) for part in self.samples)

    def columns(self) -> dict[str, Any]:
        """Return the words of the row and its numbers of cases, each case once."""
        return {
            **self.words,
            "n_pos": sum(part.n_pos for part in self.distinct),
            "n_neg": sum(part.n_neg for part in self.distinct),
        }

    def directions(self) -> dict[str, str]:
        """Return which side of its threshold is positive, of the predictor and the reference."""
        higher = self.samples[0].higher_is_positive
        first, second = (">=" if higher[k] else "<=" for k in self.predictors)
        return {"direction": first, "reference_direction": second}

    def cutoffs(self, at: Sequence[float], *, given: bool) -> dict[str, float]:
        """Return the columns of both thresholds, ``given`` by the user or chosen in these cases."""
        found = {}
        for k, part, threshold, (name, beside) in zip(
            self.predictors, self.samples, at, _THRESHOLD_COLUMNS, strict=True
        ):
            found[name] = threshold
            found[beside] = float(next_of_sample(part, k, [threshold], given=given)[0])
        return found

    def codes(self, *, of_size: Sequence[str] = ()) -> list[str]:
        """Return the notes on the cases, of those about their number only ``of_size``."""
        codes = ["pooled-folds"] if self.samples[0].fold is not None else []
        for part in self.distinct:
            codes += [code for code in size_codes(part.cases) if code in of_size]
            codes += sample_notes(part)
        return codes

    def calls(
        self, thresholds: Sequence[float], made: dict[tuple[int, int], Calls]
    ) -> tuple[Calls, Calls]:
        """Return the calls at two thresholds; ``made`` keeps those of each group and predictor."""
        first, second = places = tuple(zip(self.groups, self.predictors, strict=True))
        for (g, k), part, t in zip(places, self.samples, thresholds, strict=True):
            if (g, k) not in made:
                made[g, k] = calls_of(part.cases, k, t)
        return made[first], made[second]


def predictor_pairs(
    sample: Sample, names: Sequence[str], reference: str | None
) -> list[PairToCompare]:
    """Return the pairs of some predictors in each group."""
    # Pairs are formed among the names, which a mapping of thresholds may have thinned out, and read
    # at the positions that they have in the sample.
    require_two_names_to_compare(names, "predictors")
    chosen = [(names[i], names[j]) for i, j in index_pairs(names, reference)]
    place = sample.predictors.index
    return [
        PairToCompare(
            (part, part),
            (place(first), place(second)),
            (g, g),
            {"predictor": first, "group": group, "reference": second},
        )
        for g, (group, part) in enumerate(sample.by_group())
        for first, second in chosen
    ]


def group_pairs(sample: Sample, names: Sequence[str], reference: str | None) -> list[PairToCompare]:
    """Return the pairs of groups for each of some predictors."""
    require_study_with_groups(sample)
    parts = sample.by_group()
    labels = [label for label, _ in parts]
    require_two_names_to_compare(labels, "groups")
    chosen = index_pairs(labels, reference)
    require_comparable_groups(parts)
    return [
        PairToCompare(
            (parts[i][1], parts[j][1]),
            (k, k),
            (i, j),
            {"predictor": name, "group": parts[i][0], "reference": parts[j][0]},
        )
        for name in names
        for k in [sample.predictors.index(name)]
        for i, j in chosen
    ]
