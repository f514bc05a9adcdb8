"""Pairs of predictors of the same cases, and of groups for one predictor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from rocstats.inference.estimates.contrasts import index_pairs, require_several
from rocstats.inference.estimates.groups import require_comparable, require_grouped
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.base import row_codes
from rocstats.sample.sample import Sample
from rocstats.stats.areas.estimates import size_codes
from rocstats.stats.comparison.calls import Calls, calls_of

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

    def codes(self, *, of_size: Sequence[str] = ()) -> list[str]:
        """Return the notes on the cases, of those about their number only ``of_size``."""
        codes = ["pooled-folds"] if self.samples[0].fold is not None else []
        for part in self.distinct:
            codes += [code for code in size_codes(part.cases) if code in of_size]
            codes += row_codes(part)
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


def predictor_pairs(sample: Sample, names: Sequence[str], reference: str | None) -> list[Pair]:
    """Return the pairs of some predictors in each group."""
    # Pairs are formed among the names, which a mapping of thresholds may have thinned out, and read
    # at the positions that they have in the sample.
    require_several(names, "predictors")
    chosen = [(names[i], names[j]) for i, j in index_pairs(names, reference)]
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
    require_grouped(sample)
    parts = sample.by_group()
    labels = [label for label, _ in parts]
    require_several(labels, "groups")
    chosen = index_pairs(labels, reference)
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
