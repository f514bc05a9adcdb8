"""What questions about cutpoints require of a study."""

from __future__ import annotations

from rocstats.errors import InputError
from rocstats.sample.sample import Sample


def require_unweighted(sample: Sample, question: str) -> None:
    """Raise InputError for a sample with weights."""
    if sample.sample_weight is not None:
        raise InputError(
            f"`sample_weight` must not be given to a study that is asked for {question}; got"
            " weights. Resamples are of cases: pass frequency=, or leave the weights out."
        )
