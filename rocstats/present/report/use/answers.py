"""What a report asks of scores that are risks, and why it does not ask others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.frames.labels import labelled
from rocstats.present.explorer.edges import read_steps
from rocstats.present.plots.shared.series import pieces_of
from rocstats.present.wording import list_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocstats.present.protocols import StudyLike
    from rocstats.present.report.options import ReportOptions

    Ask = Callable[..., pd.DataFrame | None]
    """Asks a question; None, with a reason for the page, where the study does not allow it."""

TREAT_ALL = "treat-all"

# A curve in print resolves some hundred places.
_POINTS = 100
# A measurement that happens to lie between 0 and 1 is no risk. Taken as one, it would be wrong by
# more than this factor on average; a model that is as wrong must be called one by `risk_threshold`.
_FACTOR = 2.0


class UseAnswers(NamedTuple):
    """The frames on net benefit and calibration; None where there is no answer."""

    benefits: pd.DataFrame | None = None
    """Net benefits at the risks that were stated."""
    gains: pd.DataFrame | None = None
    """Their differences from treating all."""
    pairs: pd.DataFrame | None = None
    decisions: pd.DataFrame | None = None
    """Net benefits along the risks: the decision curve."""
    decision_band: pd.DataFrame | None = None
    calibration: pd.DataFrame | None = None
    scores: pd.DataFrame | None = None
    curve: pd.DataFrame | None = None
    """The calibration curve."""
    curve_band: pd.DataFrame | None = None

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files."""
        named = {name: getattr(self, field) for name, field in _FILES.items()}
        return {name: frame for name, frame in named.items() if frame is not None}

    def labelled(self, labels: Mapping[str, str]) -> UseAnswers:
        """Return the answers with labels in the place of names of predictors."""
        known = {name: frame for name, frame in self._asdict().items() if frame is not None}
        return self._replace(**{name: labelled(frame, labels) for name, frame in known.items()})


_FILES = {
    "net_benefit": "benefits",
    "net_benefit_beside_treat_all": "gains",
    "compare_net_benefit": "pairs",
    "decision_curve": "decisions",
    "net_benefit_band": "decision_band",
    "calibration": "calibration",
    "probability_scores": "scores",
    "calibration_curve": "curve",
    "calibration_band": "curve_band",
}


def why_no_risks(study: StudyLike, curve: pd.DataFrame, options: ReportOptions) -> str:
    """Return why a report does not take scores as risks; "" if it does.

    Parameters
    ----------
    study : Study
        The study.
    curve : pandas.DataFrame
        Its ROC curves, whose thresholds are the scores.
    options : ReportOptions
        Risks from which on one would act, if any were stated.
    """
    outside = _outside(study, curve)
    if outside:
        return (
            "Net benefit and calibration are not given: they are of predicted risks, which lie"
            f" between 0 and 1. {list_words(outside)} {'is' if len(outside) == 1 else 'are'} on"
            " another scale."
        )
    if options.risk_threshold:
        return ""
    far = [
        study.labels.get(name, name)
        for name in study.predictors
        if not 1 / _FACTOR <= _observed_over_expected(curve, name) <= _FACTOR
    ]
    if not far:
        return ""
    names = list_words(far)
    return (
        f"Net benefit and calibration are not given: taken as risks, the scores of {names} would be"
        f" wrong on average by a factor of more than {_FACTOR:g}. If they are risks,"
        " `risk_threshold` says so."
    )


def _observed_over_expected(curve: pd.DataFrame, predictor: str) -> float:
    """Return the number of positives over the sum of the scores, over all groups."""
    pieces = pieces_of(curve[curve["predictor"] == predictor], ["group", "fold"])
    observed = expected = 0.0
    for (_, fold), rows in pieces:
        if not fold:
            steps = read_steps(rows)
            cases = -np.diff(steps.pos + steps.neg)  # above the last score is nobody
            observed += float(steps.pos[0])
            expected += float(cases @ steps.score[:-1])
    return observed / expected if expected > 0 else np.inf


def _outside(study: StudyLike, curve: pd.DataFrame) -> list[str]:
    """Return the labels of predictors whose scores are not all from 0 to 1, or positive if low."""
    finite = curve[np.isfinite(curve["threshold"])]
    inside = finite["threshold"].between(0, 1).groupby(finite["predictor"]).all()
    return [
        study.labels.get(name, name)
        for name, high in zip(study.predictors, study.higher_is_positive, strict=True)
        if not high or not inside.get(name, True)
    ]


def ask_use(
    study: StudyLike, curve: pd.DataFrame, asked: Ask, options: ReportOptions
) -> UseAnswers:
    """Return net benefits and calibration of a study whose scores are risks.

    Parameters
    ----------
    study : Study
        The study.
    curve : pandas.DataFrame
        Its ROC curves.
    asked : callable
        Asks a question of the study, and notes why it has no answer.
    options : ReportOptions
        Level, and the risks from which on one would act.
    """
    level: dict[str, Any] = {"confidence_level": options.confidence_level}
    found: dict[str, Any] = {}
    at, whole = list(options.risk_threshold), _range(curve, options.risk_threshold)
    if at:
        benefit = ("Net benefit", study.net_benefit)
        found["benefits"] = asked(*benefit, risk_threshold=at, **level)
        found.update(_compared(study, asked, at, level))
    decisions = {"risk_threshold": np.linspace(whole[0], whole[1], _POINTS).tolist(), **level}
    found["decisions"] = asked("A decision curve", study.net_benefit, **decisions)
    if found["decisions"] is not None and study.sample_weight is None:
        band = {"risk_threshold": whole, "rng": options.rng, **level}
        found["decision_band"] = asked(
            "A band of the decision curve", study.net_benefit_band, **band
        )
    found["scores"] = asked("A probability score", study.probability_scores, **level)
    found["calibration"] = asked("Calibration", study.calibration, **level)
    # A curve takes logits as the measures do: one reason is enough.
    if found["calibration"] is None:
        return UseAnswers(**found)
    found["curve"] = asked("A calibration curve", study.calibration_curve)
    if found["curve"] is not None:
        found["curve_band"] = asked("A calibration band", study.calibration_band, **level)
    return UseAnswers(**found)


def _compared(
    study: StudyLike, asked: Ask, at: Sequence[float], level: dict[str, Any]
) -> dict[str, Any]:
    """Return the differences from treating all, and of pairs; none of weights."""
    if study.sample_weight is not None:
        return {}
    what, question = "A difference of net benefits", study.compare_net_benefit
    gains = asked(what, question, risk_threshold=at, reference=TREAT_ALL, **level)
    pairs = asked(what, question, risk_threshold=at, **level) if len(study.predictors) > 1 else None
    return {"gains": gains, "pairs": pairs}


def _range(curve: pd.DataFrame, stated: Sequence[float]) -> tuple[float, float]:
    """Return the range of the decision curve: up to the highest risk, and to those stated."""
    scores = curve["threshold"][np.isfinite(curve["threshold"])]
    # Beyond the highest risk nobody is treated. From 0.99 on, one case outweighs 99 others.
    high = min(0.99, max(float(scores.max()), *stated, 0.0))
    return high / _POINTS, high
