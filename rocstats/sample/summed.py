"""A sample whose rows only a data engine has read: sizes and sums, by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from rocstats.sample.arrays import Factor, IntArray
from rocstats.sample.counts.summed import SummedCases
from rocstats.sample.sample import Sample


class SummedSample(Sample):  # noqa: D101 (made by ``of``; its roles are those of Sample)
    __doc__ = "Predictors on the same cases, of which only sums by group are known."

    parts: tuple[tuple[str, Self], ...]
    summed: SummedCases

    @classmethod
    def of(
        cls, predictors: Sequence[str], pos_label: Any, groups: Sequence[tuple[str, SummedCases]]
    ) -> SummedSample:
        """Return the sample of the cases of each group; of one group "" without groups."""
        parts = [(label, cls._of_cases(predictors, pos_label, each)) for label, each in groups]
        binned = any(each.sums is not None and each.sums.binning_error.any() for _, each in groups)
        ends = {"_bin_end": np.empty(0) if binned else None}
        if not groups[0][0]:
            return cls._of({**parts[0][1].__getstate__(), **ends})
        first = groups[0][1]
        n_pos, n_neg = (sum(each.sizes[side] for _, each in groups) for side in range(2))
        whole = SummedCases.of(
            (n_pos, n_neg), None, first.higher_is_positive, clustered=first.cluster is not None
        )
        sample = cls._of_cases(predictors, pos_label, whole)
        labels = tuple(label for label, _ in parts)
        group = Factor(labels, np.arange(len(labels)))
        return cls._of({**sample.__getstate__(), **ends, "group": group, "parts": tuple(parts)})

    @classmethod
    def _of_cases(cls, predictors: Sequence[str], pos_label: Any, cases: SummedCases) -> Self:
        return cls._of(
            {
                "predictors": tuple(predictors),
                "pos_label": pos_label,
                "higher_is_positive": cases.higher_is_positive,
                "is_positive": cases.is_positive,
                "scores": cases.scores,
                "cluster": cases.cluster,
                **dict.fromkeys(("frequency", "sample_weight", "fold", "group")),
                "n_dropped": 0,
                "parts": (),
                "summed": cases,
            }
        )

    def _part(self, rows: IntArray) -> Self:
        # Each group is one row: sums cannot be split.
        return self.parts[int(rows[0])][1]

    @property
    def all_cases(self) -> SummedCases:
        """The sizes and sums."""
        return self.summed
