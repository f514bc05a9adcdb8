"""What the caller of a report wants, checked once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from rocstats.errors import (
    InputError,
    require_choice,
    require_flag,
    require_open_interval,
    require_text,
    require_writable,
)
from rocstats.facts.words import did_you_mean
from rocstats.study.points import as_mapping
from rocstats.tables.protocols import FigureBand
from rocstats.tables.text import style_of

if TYPE_CHECKING:
    from rocstats.tables.protocols import StudyLike


Cutoffs = float | Sequence[float] | Mapping[str, float | Sequence[float]]
"""Cutoffs set before the study: of all predictors, or of each."""

# A page names two or three settings; more numbers fill tables that nobody reads.
_MOST_SHARES = 5


class ReportWords(NamedTuple):
    """What the cases of a study, their condition and the consequence of a test are called."""

    case: str = "patient"
    cases: str = "patients"
    condition: str = "the condition"
    action: str = "treat"


class ReportOptions(NamedTuple):
    """The options of a report."""

    title: str | None
    style: str
    confidence_level: float
    band: FigureBand
    prespecified: dict[str, tuple[float, ...]]
    """Cutoffs set before the study, by predictor; those without one are left out."""
    criterion: ReportCriterion | None
    prevalence: tuple[float, ...]
    risk_threshold: tuple[float, ...]
    """Risks from which on one would act; () if none was stated."""
    words: ReportWords
    explorer: Explorer | None
    source: str | None
    reading: str
    """How the file was read where not by default; "" if there is nothing to tell."""
    hints: tuple[str, ...]
    """Sentences on mistakes that the data may have."""
    rng: Any
    progress: bool


def read_report_options(
    study: StudyLike,
    *,
    title: Any = None,
    style: Any = "plain",
    confidence_level: Any = 0.95,
    band: Any = "fixed-width",
    prespecified: Any = None,
    criterion: Any = "youden",
    prevalence: Any = None,
    risk_threshold: Any = None,
    words: Any = None,
    explorer: Any = "counts",
    source: Any = None,
    reading: str = "",
    hints: Sequence[str] = (),
    rng: Any = None,
    progress: Any = False,
) -> ReportOptions:
    """Return the options of a report; raise InputError for one that is not possible.

    Parameters
    ----------
    study : Study
        The study: its predictors and the name of its condition.
    title, style, confidence_level, band, prespecified, criterion, prevalence, words, explorer
        See ``report``.
    risk_threshold, source, rng, progress
        See ``report``.
    reading : str, default ""
        How the file was read, in words.
    hints : sequence of str, optional
        Sentences for the top of the report.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.reports.options import read_report_options
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> read_report_options(study, words={"case": "woman", "condition": "cancer"}).words
    ReportWords(case='woman', cases='women', condition='cancer', action='treat')
    """
    for argument, text in (("title", title), ("source", source)):
        if text is not None:
            require_text(argument, text)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    require_flag("progress", progress)
    style_of(style)
    if criterion is not None:
        criterion = require_choice("criterion", criterion, get_args(ReportCriterion))
    if explorer is not None:
        explorer = require_choice("explorer", explorer, get_args(Explorer))
    return ReportOptions(
        title=title,
        style=style,
        confidence_level=float(confidence_level),
        band=require_choice("band", band, get_args(FigureBand)),
        prespecified=_read_cutoffs(prespecified, study.predictors),
        criterion=criterion,
        prevalence=_read_shares(
            "prevalence", prevalence, "the shares of positives where the test is to be used"
        ),
        risk_threshold=_read_shares(
            "risk_threshold", risk_threshold, "the risks from which on one would act"
        ),
        words=read_report_words(words, study.outcome, clustered=has_several_cases(study)),
        explorer=explorer,
        source=source,
        reading=reading,
        hints=tuple(hints),
        rng=rng,
        progress=bool(progress),
    )


def has_several_cases(study: StudyLike) -> bool:
    """Return whether a patient may have several cases: clusters, unless each is one case."""
    one_case = study.units is not None and not study.units.name
    return study.cluster is not None and not one_case


def read_report_words(words: Any, outcome: str | None, *, clustered: bool = False) -> ReportWords:
    """Return the words of a report; the condition is that of the study unless given.

    Parameters
    ----------
    words : mapping of str to str, or None
        Some of "case", "cases", "condition" and "action". The plural of a case is formed unless it
        is given.
    outcome : str or None
        Name of the condition of the study.
    clustered : bool, default False
        Whether a patient may have several cases, which are called cases then, not patients.
    """
    if words is None:
        words = {}
    if not isinstance(words, Mapping) or not all(
        isinstance(text, str) and text.strip() for text in words.values()
    ):
        raise InputError(
            f"`words` must be a dict of words, each a text; got {words!r}."
            " Pass for instance words={'case': 'woman', 'condition': 'cancer'}."
        )
    require_writable(words.values(), "`words`")
    given = {
        require_choice("words", name, ReportWords._fields): text for name, text in words.items()
    }
    usual = ReportWords(case="case", cases="cases") if clustered else ReportWords()
    usual = usual if outcome is None else usual._replace(condition=outcome)
    if "case" in given:
        usual = usual._replace(cases=_plural(given["case"]))
    return usual._replace(**given)


def _plural(word: str) -> str:
    irregular = {"man": "men", "child": "children", "person": "people"}
    for ending, plural in irregular.items():
        if word.endswith(ending):
            return word.removesuffix(ending) + plural
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def _read_cutoffs(prespecified: Any, predictors: Sequence[str]) -> dict[str, tuple[float, ...]]:
    if prespecified is None:
        return {}
    prespecified = as_mapping(prespecified)
    if not isinstance(prespecified, Mapping):
        return dict.fromkeys(predictors, _finite_prespecified_cutoffs(prespecified))
    unknown = next((name for name in prespecified if name not in predictors), None)
    if unknown is not None or not prespecified:
        raise InputError(
            f"`prespecified` must name predictors; got {unknown!r}. The predictors are"
            f" {list(predictors)}.{did_you_mean(unknown, predictors)}"
        )
    return {
        name: _finite_prespecified_cutoffs(prespecified[name])
        for name in predictors
        if name in prespecified
    }


def _finite_prespecified_cutoffs(value: Any) -> tuple[float, ...]:
    """Return one or several finite cutoffs, each once, in the order given."""
    several = list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value]
    if not several or not all(_is_number(number) for number in several):
        raise InputError(
            f"`prespecified` must be a finite number, or a sequence of them; got {value!r}."
            " Pass cutoffs on the scale of the scores."
        )
    return tuple(dict.fromkeys(float(number) for number in several))


def _is_number(value: object) -> bool:
    # A bool is a number in Python, but never a cutoff.
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return math.isfinite(value)


def _read_shares(argument: str, shares: Any, meaning: str) -> tuple[float, ...]:
    """Return one or several numbers between 0 and 1, each once, in the order given."""
    if shares is None:
        return ()
    several = list(shares) if hasattr(shares, "__iter__") else [shares]
    if not 1 <= len(several) <= _MOST_SHARES or isinstance(shares, str):
        raise InputError(
            f"`{argument}` must be one to {_MOST_SHARES} numbers; got {shares!r}. Pass {meaning}."
        )
    for share in several:
        require_open_interval(argument, share, 0, 1)
    return tuple(dict.fromkeys(float(share) for share in several))


ReportCriterion = Literal[
    "youden", "closest-topleft", "product", "equal-error", "accuracy", "kappa"
]
"""Criteria by which a report may choose a cutoff: those that need no number."""


Explorer = Literal["counts", "exact"]
"""What the explorer of a report holds: counts between thresholds, or every score."""
