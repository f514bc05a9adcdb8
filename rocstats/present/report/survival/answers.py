"""What the caller of a report of a survival study wants, and the frames that answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval, require_text
from rocstats.frames.labels import labelled
from rocstats.present.report.options import Words, read_words
from rocstats.present.styles import style_of

if TYPE_CHECKING:
    from rocstats.present.report.survival.protocol import SurvivalStudyLike

# Times of the figure over time: every 1/15 of its axis, with those asked for.
_GRID = 16
# The figure begins where a tenth of the events have happened: few cases before.
_FIRST = 0.1


class SurvivalOptions(NamedTuple):
    """The options of a report of a survival study."""

    time: Any
    title: str | None
    style: str
    confidence_level: float
    controls: str
    words: Words
    source: str | None
    threshold: Any
    """Thresholds set before the study, of all predictors or by predictor; None for none."""


class SurvivalAnswers(NamedTuple):
    """The frames of a report; None where a question was not asked."""

    curve: pd.DataFrame
    auc: pd.DataFrame
    band: pd.DataFrame
    concordance: pd.DataFrame
    comparison: pd.DataFrame | None = None
    points: pd.DataFrame | None = None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files, "auc" of auc.csv."""
        named = {
            "auc": self.auc, "compare_auc": self.comparison, "auc_band": self.band,
            "concordance": self.concordance, "operating_points": self.points,
            "roc_curve": self.curve,
        }  # fmt: skip
        return {name: frame for name, frame in named.items() if frame is not None}

    @property
    def in_methods(self) -> list[pd.DataFrame]:
        """The frames whose methods are described."""
        frames = (self.auc, self.comparison, self.band, self.points, self.concordance)
        return [frame for frame in frames if frame is not None]

    def labelled(self, labels: Mapping[str, str]) -> SurvivalAnswers:
        """Return the answers with the labels of the study in the place of names."""
        named: dict[str, Any] = {
            field: labelled(frame, labels)
            for field, frame in self._asdict().items()
            if frame is not None
        }
        return self._replace(**named)


def read_survival_options(
    study: SurvivalStudyLike,
    *,
    time: Any,
    title: Any = None,
    style: Any = "plain",
    confidence_level: Any = 0.95,
    controls: Any = "not-case",
    prespecified: Any = None,
    words: Any = None,
    source: Any = None,
) -> SurvivalOptions:
    """Return the options of a report; raise InputError for one that is not possible.

    Parameters
    ----------
    study : SurvivalStudy
        The study.
    time : float > 0, or sequence of them
        The times of the report; ``controls`` and ``prespecified`` are checked by the questions.
    title, style, confidence_level, prespecified, words, source
        See ``report``.
    controls : {"not-case", "event-free"}, default "not-case"
        Who is a control at a time.
    """
    for argument, text in (("title", title), ("source", source)):
        if text is not None:
            require_text(argument, text)
    require_open_interval("confidence_level", confidence_level, 0, 1)
    style_of(style)
    return SurvivalOptions(
        time, title, style, float(confidence_level), controls,
        read_words(words, study.outcome, clustered=study.cluster is not None), source,
        prespecified,
    )  # fmt: skip


def ask_survival(study: SurvivalStudyLike, options: SurvivalOptions) -> SurvivalAnswers:
    """Return the frames of a report, with the names of the study."""
    level = {"confidence_level": options.confidence_level}
    asked = {"time": options.time, "controls": options.controls}
    auc = study.auc(**asked, **level)
    times: list[float] = auc["time"].unique().tolist()
    points = None
    if options.threshold is not None:
        points = study.operating_points(threshold=options.threshold, **asked, **level)
    return SurvivalAnswers(
        curve=study.roc_curve(**asked),
        auc=auc,
        band=study.auc_band(time=_times_drawn(study, times), controls=options.controls, **level),
        concordance=study.concordance(method="uno", time_limit=max(times), **level),
        comparison=study.compare_auc(**asked, **level) if len(study.predictors) > 1 else None,
        points=points,
    )


def _times_drawn(study: SurvivalStudyLike, asked: Sequence[float]) -> list[float]:
    """Return the times of the figure over time: a grid that reaches those asked for."""
    events = study.time[study.event == study.cause]
    low = min(float(np.quantile(events, _FIRST)), *asked)
    grid = np.linspace(low, max(asked), _GRID)
    return [float(t) for t in np.union1d(grid[grid > 0], asked)]
