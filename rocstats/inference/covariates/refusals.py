"""The roles that no question about covariates can honour."""

from __future__ import annotations

from rocstats.frames.questions import Refusal

NO_FOLDS = Refusal(
    "stay None for areas adjusted for covariates, whose regression is one of all cases",
    "Leave the folds out.",
)
NO_WEIGHTS = Refusal(
    "stay None for areas adjusted for covariates, whose variance counts cases",
    "Pass frequency=, or leave the weights out.",
)
NO_CLUSTERS = Refusal(
    "stay None for areas at given covariates, whose standard error takes cases as independent",
    "Ask adjusted_auc(), which sums clusters, or leave the clusters out.",
)
