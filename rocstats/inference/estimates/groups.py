"""Groups that can be compared: enough of them, with both classes, and clusters apart."""

from __future__ import annotations

from collections.abc import Sequence

from rocstats.errors import InputError
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.sample import Sample, require_fold_classes


def require_groups(sample: Sample, what: str, least: int = 1) -> list[tuple[str, Sample]]:
    """Return the groups of a sample; raise InputError unless there are ``least`` of them."""
    parts = sample.by_group() if sample.group is not None else []
    if len(parts) < least:
        raise InputError(
            f"`group` must name {what}; got {len(parts)}. Pass group= to the study, with"
            f" {'at least one label' if least == 1 else 'two labels or more'}."
        )
    return parts


def require_grouped(sample: Sample) -> None:
    """Raise InputError for a comparison across groups of a study without any."""
    if sample.group is None:
        raise InputError(
            "`across` must be 'predictors' without groups; got 'groups'. Pass group= to the study."
        )


def require_comparable(
    parts: Sequence[tuple[str, Sample]], *, clusters_may_span: bool = False
) -> None:
    """Raise InputError unless each group has both classes, in each fold, and its own clusters.

    ``clusters_may_span`` allows clusters with cases in several groups.
    """
    for label, part in parts:
        if lacks_class(part):
            raise InputError(
                f"`group` must leave both classes in groups that are compared; got"
                f" {part.n_pos:.0f} positives and {part.n_neg:.0f} negatives in {label!r}."
                " Merge it with another, or leave it out."
            )
        require_fold_classes(part)
    if not clusters_may_span:
        require_separate_clusters(parts)


def require_separate_clusters(parts: Sequence[tuple[str, Sample]]) -> None:
    """Raise InputError if a cluster has cases in several groups."""
    # A cluster in two groups makes their areas covary, which sums of variances leave out.
    seen: dict[int, str] = {}
    for label, part in parts:
        if part.cluster is None:
            return
        for code in part.cluster.present:
            if int(code) in seen:
                raise InputError(
                    f"`cluster` must not span groups that are compared; got cluster"
                    f" {part.cluster.labels[code]!r} in {seen[int(code)]!r} and {label!r}."
                    " Compare predictors instead, or split such clusters."
                )
            seen[int(code)] = label
