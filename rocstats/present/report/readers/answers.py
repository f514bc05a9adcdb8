"""What the caller of a report of a reader study wants, and the frames that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_text
from rocstats.frames.labels import labelled
from rocstats.present.report.options import Words, read_words
from rocstats.present.styles import style_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocstats.present.protocols import ReaderStudyLike

# What areas and variance components are asked with too.
_SHARED = ("readers", "cases", "method", "covariance")
_OF_COMPONENTS = ("covariance",)
_RANGES = ("fpr_range", "tpr_range")
# The level is the report's, and readers have a table of their own.
_ASKED = (
    *_SHARED,
    *_RANGES,
    *("reference", "hypothesis", "margin", "alternative", "null_value", "adjust"),
)

# Options of a report of a binary study, with their defaults.
_OTHERS: dict[str, Any] = {
    "band": "fixed-width",
    "criterion": "youden",
    "prevalence": None,
    "risk_threshold": None,
    "rng": None,
}


class ReaderOptions(NamedTuple):
    """The options of a report of a reader study."""

    title: str | None
    style: str
    confidence_level: float
    words: Words
    source: str | None
    threshold: float | None
    """The rating at which readers call a case positive, set before the study."""
    asked: dict[str, Any]
    """Options of ``compare_auc``."""


class ReaderAnswers(NamedTuple):
    """The frames of a report; None where a question was not asked, or has no answer."""

    curve: pd.DataFrame
    auc: pd.DataFrame
    comparison: pd.DataFrame | None = None
    by_reader: pd.DataFrame | None = None
    components: pd.DataFrame | None = None
    points: pd.DataFrame | None = None
    machines: tuple[pd.DataFrame, ...] = ()
    machine_curve: pd.DataFrame | None = None
    """The curve of the only machine: those of several would hide the readers."""
    reasons: tuple[str, ...] = ()
    """Sentences on what the study does not allow."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files, "auc" of auc.csv."""
        named = {
            "auc": self.auc, "compare_auc": self.comparison,
            "compare_auc_by_reader": self.by_reader, "components": self.components,
            "operating_points": self.points, "roc_curve": self.curve,
            "machine_roc_curve": self.machine_curve,
        }  # fmt: skip
        several = len(self.machines) > 1
        machines = {
            f"compare_with{f'_{i}' if several else ''}": frame
            for i, frame in enumerate(self.machines, start=1)
        }
        return {**{name: frame for name, frame in named.items() if frame is not None}, **machines}

    @property
    def in_table(self) -> list[pd.DataFrame]:
        """The frames of the table of readers."""
        frames = (self.auc, self.by_reader, self.comparison)
        return [frame for frame in frames if frame is not None]

    @property
    def in_methods(self) -> list[pd.DataFrame]:
        """The frames whose methods are described."""
        points = [] if self.points is None else [self.points]
        return [*self.in_table, *self.machines, *points]

    def labelled(self, labels: Mapping[str, str]) -> ReaderAnswers:
        """Return the answers with the labels of the study in the place of names."""
        named: dict[str, Any] = {
            field: labelled(frame, labels)
            for field, frame in self._asdict().items()
            if isinstance(frame, pd.DataFrame)
        }
        machines = tuple(labelled(frame, labels) for frame in self.machines)
        return self._replace(**named, machines=machines)


def read_reader_options(
    study: ReaderStudyLike,
    *,
    title: Any = None,
    style: Any = "plain",
    confidence_level: Any = 0.95,
    prespecified: Any = None,
    comparison: Any = None,
    words: Any = None,
    source: Any = None,
    **others: Any,
) -> ReaderOptions:
    """Return the options of a report; raise InputError for one that is not possible.

    Parameters
    ----------
    study : ReaderStudy
        The study.
    title, style, confidence_level, prespecified, comparison, words, source
        See ``report``.
    **others
        Options of a report of a binary study, which must be left out.
    """
    for argument, text in (("title", title), ("source", source)):
        if text is not None:
            require_text(argument, text)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    style_of(style)
    for argument, usual in _OTHERS.items():
        if others.get(argument, usual) != usual:
            raise InputError(
                f"`{argument}` must be left out in a report of a reader study; got"
                f" {others[argument]!r}. Leave it out."
            )
    number = isinstance(prespecified, Real) and not isinstance(prespecified, bool)
    if prespecified is not None and not number:
        raise InputError(
            "`prespecified` must be one rating in a report of a reader study; got"
            f" {prespecified!r}. Pass the rating from which a case is called positive."
        )
    if comparison is not None and not isinstance(comparison, Mapping):
        raise InputError(
            f"`comparison` must be a dict of options of compare_auc(); got {comparison!r}."
            " Pass for instance comparison={'readers': 'fixed'}."
        )
    unknown = [name for name in comparison or {} if name not in _ASKED]
    if unknown:
        raise InputError(
            f"`comparison` must have options of compare_auc(), of {list(_ASKED)}; got {unknown}."
            " Pass confidence_level= to the report itself, and leave others out."
        )
    return ReaderOptions(
        title=title,
        style=style,
        confidence_level=float(confidence_level),
        words=read_words(words, study.outcome, clustered=True),
        source=source,
        threshold=None if prespecified is None else float(prespecified),
        asked=dict(comparison or {}),
    )


def ask_readers(study: ReaderStudyLike, options: ReaderOptions) -> ReaderAnswers:
    """Return the frames of a report of a reader study, with the names of the study."""
    level = {"confidence_level": options.confidence_level}
    asked = {**options.asked, **level}
    shared = _among(asked, _SHARED)
    reasons: list[str] = []

    def ask(what: str, question: Callable[..., pd.DataFrame], *args: Any, **named: Any) -> Any:
        try:
            return question(*args, **named)
        except InputError as refusal:
            reasons.append(f"{what} cannot be given: {refusal}")
            return None

    several = len(study.modalities) > 1
    nested = study.design.pattern == "readers nested in modalities"
    if nested:
        reasons.append("No reader read under two modalities: readers have no differences.")
    answers = ReaderAnswers(
        curve=study.roc_curve(),
        # The averages are those that are compared: over a range, partial areas.
        auc=study.auc(**_among(asked, (*_SHARED, *_RANGES)), **level),
        comparison=study.compare_auc(**asked) if several else None,
    )
    whole = _among(shared, _OF_COMPONENTS)
    versus = {name: value for name, value in asked.items() if name != "reference"}
    by_reader = "Differences of single readers"
    # Readers are shown beside their average, which is what is tested.
    single = {**asked, "by": "reader", "adjust": "none"}
    threshold = {"threshold": options.threshold, **shared, **level}
    return answers._replace(
        by_reader=ask(by_reader, study.compare_auc, **single) if several and not nested else None,
        components=ask("Variance components", study.components, **whole),
        points=None
        if options.threshold is None
        else ask("Rates of calls", study.operating_points, **threshold),
        machines=tuple(
            frame
            for name in study.machines
            if (frame := ask(f"The comparison with {name}", study.compare_with, name, **versus))
            is not None
        ),
        machine_curve=study.machine_study(study.machines[0]).roc_curve()
        if len(study.machines) == 1 and study.group is None
        else None,
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _among(options: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in names}
