"""The groups of a study as strata, inside which pairs of cases are compared."""

from __future__ import annotations

from collections.abc import Sequence

from rocstats.errors import InputError
from rocstats.inference.estimates.groups import require_groups
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.sample import Sample, own_sample, require_fold_classes
from rocstats.stats.areas.strata import Stratum, strata_of


def require_strata(sample: Sample, k: int | None = None) -> list[Stratum]:
    """Return the groups that hold pairs; raise InputError if there is none, or a fold has none.

    ``k`` takes the cases of one predictor; None needs the same cases of all.
    """
    groups = [part for _, part in require_groups(sample, "the strata of the cases")]
    parts = groups if k is None else [own_sample(part, k) for part in groups]
    strata = strata_of([part.cases for part in parts])
    if not strata:
        raise InputError(
            "`group` must leave both classes in at least one group; got none that holds a pair."
            " Merge groups."
        )
    for part in parts:
        if not lacks_class(part):
            require_fold_classes(part)
    return strata


def strata_codes(sample: Sample, strata: Sequence[Stratum]) -> list[str]:
    """Return the note about groups that hold no pairs."""
    n_without = len(sample.by_group()) - len(strata)
    return [f"strata-without-pairs={n_without}"] if n_without else []
