"""The tests of differences of areas, and the words of comparisons in ``method`` and in print."""

from __future__ import annotations

from typing import NamedTuple

from rocstats.stats.word import Word

_FROM_DISCORDANT = "from the discordant cases"
_EXCHANGES = ", which exchanges the values of a case"
_BANDOS = ("bandos-2005",)


class DifferenceTest(NamedTuple):
    """A test of a difference of areas.

    ``standard_errors`` are first words of ``method`` that only this test has. ``exchange`` are its
    third words: the test is printed beside an interval that it does not invert.
    """

    word: str
    standard_errors: tuple[Word, ...] = ()
    exchange: tuple[Word, ...] = ()


DIFFERENCE_TESTS: tuple[DifferenceTest, ...] = (
    DifferenceTest("delong"),
    DifferenceTest(
        "permutation",
        exchange=(
            Word(
                "permutation-exact",
                f"the permutation test of Bandos et al{_EXCHANGES} (every exchange)",
                _BANDOS,
            ),
            Word(
                "permutation",
                f"the permutation test of Bandos et al{_EXCHANGES} (random exchanges)",
                _BANDOS,
            ),
        ),
    ),
    DifferenceTest(
        "permutation-asymptotic",
        exchange=(
            Word(
                "permutation-asymptotic",
                f"the normal form of the permutation test of Bandos et al{_EXCHANGES}",
                _BANDOS,
            ),
        ),
    ),
    DifferenceTest("bootstrap"),
    DifferenceTest(
        "hanley-mcneil",
        standard_errors=tuple(
            Word(
                f"hanley-mcneil-{name}{suffix}",
                f"by the method of Hanley and McNeil for the same cases, from {name.capitalize()}"
                f" correlations of the scores{how}",
                ("hanley-mcneil-1983",),
            )
            for name in ("pearson", "kendall")
            for suffix, how in (("", ""), ("-by-class", " in each class"))
        ),
    ),
)

_AVAILABLE = (
    ", each area from the cases with a score of its predictor and the covariance from the shared"
    " ones"
)
STANDARD_ERRORS = (
    *(
        Word(
            f"available-{prefix}{name}",
            f"by the method of {author}{_AVAILABLE}",
            (key, "zhou-gatsonis-1996"),
        )
        for name, author, key in (
            ("delong", "DeLong et al", "delong-1988"),
            ("obuchowski", "Obuchowski for clustered data", "obuchowski-1997"),
        )
        for prefix in ("", "foldwise-")
    ),
    Word("mcnemar-mid-p", _FROM_DISCORDANT),
    Word("mcnemar-exact", _FROM_DISCORDANT),
    Word("mcnemar-asymptotic", _FROM_DISCORDANT),
    Word("tango-score", _FROM_DISCORDANT),
    Word("tang-score", _FROM_DISCORDANT),
    Word("weighted-score", "from influence values"),
)
LIMITS = (
    Word("log", "on the logarithmic scale"),
    Word("wald-t", "with quantiles of the t distribution"),
    Word(
        "mover",
        "by combining the Newcombe limits of both areas (MOVER)",
        ("newcombe-2006", "zou-2008"),
    ),
    Word(
        "logit-mover",
        "by combining the logit limits of both areas, given their correlation (MOVER)",
        ("zou-2008",),
    ),
    Word("tango", "by inverting the score test of Tango", ("tango-1998",)),
    Word(
        "tango-mover",
        "by combining the limits of Tango for both classes (MOVER)",
        ("tango-1998", "zou-2008"),
    ),
    Word("tang", "by inverting the score test of Tang, Tang and Chan", ("tang-2003",)),
    Word(
        "fisher-mover",
        "by combining the limits of both on Fisher's scale (MOVER)",
        ("zou-2008",),
    ),
    Word("newcombe-paired", "by Newcombe's method 10", ("newcombe-1998",)),
    Word("wilson-mover", "by combining the Wilson limits of both (MOVER)", ("zou-2008",)),
)
TESTS = (
    *(
        Word(f"mcnemar-{test}/{interval}", f"the {words} McNemar test")
        for test, words in (("mid-p", "mid-P"), ("exact", "exact"))
        for interval in ("tango", "newcombe-paired")
    ),
    Word("venkatraman/permutation", "Venkatraman's permutation test of equal curves"),
)
"""Tests whose P value needs no statistic, by the whole ``method``."""
