"""Other spellings of the package's words, and the known word nearest to a mistyped one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any

# Only spellings with one meaning in the field. "se" and "sp" are left out (a standard error too),
# as are "auprc" (two areas have this name), "f-score" (of any beta) and "exact" (of several tests).
ALIASES: dict[str, tuple[str, ...]] = {
    "tpr": ("sensitivity", "sens", "recall", "true-positive-rate", "hit-rate"),
    "tnr": ("specificity", "spec", "true-negative-rate", "selectivity"),
    "fpr": ("false-positive-rate", "false-alarm-rate", "fall-out", "1-specificity"),
    "fnr": ("false-negative-rate", "miss-rate", "1-sensitivity"),
    "ppv": ("precision", "positive-predictive-value"),
    "npv": ("negative-predictive-value",),
    "lr_positive": ("lr+", "plr", "positive-likelihood-ratio"),
    "lr_negative": ("lr-", "nlr", "negative-likelihood-ratio"),
    "odds_ratio": ("dor", "diagnostic-odds-ratio"),
    "f1": ("f1-score",),
    "false_discovery": ("fdr", "false-discovery-rate"),
    "false_omission": ("false-omission-rate",),
    "number_needed_to_diagnose": ("nnd",),
    "mcc": ("matthews", "matthews-correlation-coefficient"),
    "ppa": ("positive-percent-agreement",),
    "npa": ("negative-percent-agreement",),
    "overall_agreement": ("opa", "overall-percent-agreement"),
    "auc": ("auroc", "roc-auc", "c-statistic", "c-index"),
    "average_precision": ("ap",),
    "youden": ("youden-index", "youden's-index", "youden-j", "youden's-j", "informedness"),
    "closest-topleft": ("topleft", "closest-to-topleft", "closest-to-top-left"),
    "equal-error": ("eer", "equal-error-rate"),
    "kappa": ("cohen-kappa", "cohen's-kappa"),
    "fixed-tpr": ("fixed-sensitivity",),
    "fixed-fpr": ("fixed-false-positive-rate",),
    "two-sided": ("two-tailed",),
    "bonferroni": ("bonferroni-dunn",),
    "holm": ("holm-bonferroni",),
    "wilson": ("wilson-score",),
    "fisher": ("fisher-exact", "fisher's-exact"),
}
"""Other spellings of a word of the package; case, blanks and hyphens never matter."""

# Of mistyped words of this package, those with one letter wrong, missing or too many, or two
# exchanged, are at least as similar; "ppv" and "npv", "tpr" and "fpr" (0.67) are less.
_NEAR = 0.75


def known_word(text: str, words: Collection[str | None]) -> str | None:
    """Return the word of ``words`` that a text spells, or None.

    Parameters
    ----------
    text : str
        What the user wrote.
    words : collection of str or None
        The legal words.

    Examples
    --------
    >>> from rocstats.words import known_word
    >>> known_word("Sensitivity", ["tpr", "tnr"]), known_word("hanley_mcneil", ["hanley-mcneil"])
    ('tpr', 'hanley-mcneil')
    """
    return _spellings(words).get(_plain(text))


def as_known(word: Any, words: Collection[str]) -> Any:
    """Return the word of ``words`` that a user's word spells, or the user's own."""
    if not isinstance(word, str) or word in words:
        return word
    return known_word(word, words) or word


def listed(words: Any) -> list[Any]:
    """Return the words of a user's list, or the one word that was given."""
    one = (
        isinstance(words, str) or not isinstance(words, Iterable) or getattr(words, "ndim", 1) == 0
    )
    return [words] if one else list(words)


def did_you_mean(text: object, names: Collection[str | None]) -> str:
    """Return " Did you mean 'this'?" with the name nearest to a text, or "" where none is near.

    Parameters
    ----------
    text : object
        What the user wrote; anything but a text is near to no name.
    names : collection of str or None
        The legal names.

    Examples
    --------
    >>> from rocstats.words import did_you_mean
    >>> did_you_mean("yuoden", ["youden", "cost"]), did_you_mean("best", ["youden", "cost"])
    (" Did you mean 'youden'?", '')
    """
    if not isinstance(text, str):
        return ""
    spelled = _spellings(names)
    near = get_close_matches(_plain(text), spelled, n=1, cutoff=_NEAR)
    return f" Did you mean {spelled[near[0]]!r}?" if near else ""


def _spellings(words: Collection[str | None]) -> dict[str, str]:
    """Return each word by its plain spellings; its own spelling wins over an alias."""
    own = [str(word) for word in words if isinstance(word, str)]  # a label may be a numpy.str_
    others = {_plain(alias): word for word in own for alias in ALIASES.get(word, ())}
    return {**others, **{_plain(word): word for word in own}}


def _plain(text: str) -> str:
    """Return a text in lower case without blanks, hyphens and points between its letters."""
    # A sign at the end is meant: "lr-" is the negative likelihood ratio.
    return re.sub(r"[ _.'’-]+(?=.)", "", text.strip().casefold())
