"""Words for the fits of the binormal model in ``method``, with their phrases in print."""

from __future__ import annotations

from rocstats.stats.word import Word

_LIKELIHOOD = "information of a binormal model fitted by maximum likelihood"
_NORMAL = "by a binormal model that takes the scores for normal"
_CLUSTERED = ", with the covariance of cases of one cluster added"

STANDARD_ERRORS = (
    Word("maximum-likelihood", f"from the observed {_LIKELIHOOD}"),
    Word("maximum-likelihood-expected", f"from the expected {_LIKELIHOOD}"),
    Word("maximum-likelihood-clustered", f"from the observed {_LIKELIHOOD}{_CLUSTERED}"),
    Word("maximum-likelihood-expected-clustered", f"from the expected {_LIKELIHOOD}{_CLUSTERED}"),
    Word("normal-theory", _NORMAL),
    Word("normal-theory-clustered", f"{_NORMAL}{_CLUSTERED}"),
)
