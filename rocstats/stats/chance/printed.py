"""Words for the tests against chance in ``method``, with their phrases in print."""

from __future__ import annotations

from rocstats.stats.word import Word

STANDARD_ERRORS = tuple(
    Word(word, "by the binomial distribution") for word in ("fisher", "mid-p", "pooled-z")
)
LIMITS = (
    Word("newcombe-hybrid", "from Wilson limits of both rates by the hybrid method of Newcombe"),
)
TESTS = (
    Word("mann-whitney/exact", "the exact Mann-Whitney test"),
    Word("mann-whitney/mid-p", "the mid-P Mann-Whitney test"),
    Word("label-permutation/auc", "permutation of the labels"),
    Word("cluster-permutation/auc", "permutation of the labels of whole clusters"),
    Word("fisher/newcombe-hybrid", "Fisher's exact test"),
    Word("mid-p/newcombe-hybrid", "the mid-P form of Fisher's exact test"),
    Word("boschloo/newcombe-hybrid", "the exact test of Boschloo"),
)
"""Tests whose P value needs no statistic, by the whole ``method``."""
