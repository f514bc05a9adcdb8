"""Pairs of predictors of the same cases, and of groups for one predictor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rocstats.errors import InputError
from rocstats.inference.estimates.contrasts import index_pairs
from rocstats.inference.estimates.groups import require_comparable
from rocstats.sample.sample import Sample

Across = Literal["predictors", "groups"]


class Pair(NamedTuple):
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


def named_pairs(names: Sequence[str], kind: str, reference: str | None) -> list[tuple[int, int]]:
    """Return the pairs of positions to compare; raise InputError unless there are two names."""
    if len(names) < 2:
        raise InputError(
            f"`across` must name something of which there are two or more; got {len(names)}"
            f" {kind}. Pass more {kind} to the study."
        )
    return index_pairs(names, reference)


def predictor_pairs(sample: Sample, names: Sequence[str], reference: str | None) -> list[Pair]:
    """Return the pairs of some predictors in each group."""
    # Pairs are formed among the names, which a mapping of thresholds may have thinned out, and read
    # at the positions that they have in the sample.
    chosen = [(names[i], names[j]) for i, j in named_pairs(names, "predictors", reference)]
    place = sample.predictors.index
    return [
        Pair(
            (part, part),
            (place(first), place(second)),
            (g, g),
            {"predictor": first, "group": group, "reference": second},
        )
        for g, (group, part) in enumerate(sample.by_group())
        for first, second in chosen
    ]


def group_pairs(sample: Sample, names: Sequence[str], reference: str | None) -> list[Pair]:
    """Return the pairs of groups for each of some predictors."""
    if sample.group is None:
        raise InputError(
            "`across` must be 'predictors' without groups; got 'groups'. Pass group= to the study."
        )
    parts = sample.by_group()
    chosen = named_pairs([label for label, _ in parts], "groups", reference)
    require_comparable(parts)
    return [
        Pair(
            (parts[i][1], parts[j][1]),
            (k, k),
            (i, j),
            {"predictor": name, "group": parts[i][0], "reference": parts[j][0]},
        )
        for name in names
        for k in [sample.predictors.index(name)]
        for i, j in chosen
    ]
