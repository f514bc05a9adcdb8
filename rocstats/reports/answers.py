"""The frames of a report, and the reasons why some frames are missing.

Net benefit and calibration are asked only of scores that are risks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError
from rocstats.explorer.edges import read_steps
from rocstats.facts.measures import PREDICTIVE_VALUES, QUANTITIES, STARD, base_of
from rocstats.frame.make import about_of, labelled
from rocstats.plots.series import frame_pieces_by_keys
from rocstats.reports.texts import say
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocstats.reports.options import ReportOptions
    from rocstats.tables.protocols import StudyLike

    Ask = Callable[..., pd.DataFrame | None]
    """Asks a question; None, with a reason for the page, where the study does not allow it."""


# --- The frames of a report -----------------------------------------------------------------------

# Translucent bands of three curves overlap so much that none can be told from the others.
_MOST_BANDS_DRAWN = 2

# Resamples of more curves than these, as many as the figure has panels, take longer than the rest.
_MOST_BANDS = 12

RATIOS = tuple(word for word in STARD if QUANTITIES[word].limits == "ratio")

MEASURES = ("tpr", "tnr", "fpr", *RATIOS, *PREDICTIVE_VALUES)
"""What most papers report at a cutoff (``STARD``); the figure needs "fpr"."""


def ask_report_answers(study: StudyLike, options: ReportOptions) -> ReportAnswers:
    """Return the frames of a report of a study.

    Parameters
    ----------
    study : Study
        The study.
    options : ReportOptions
        What the caller wants.

    Returns
    -------
    Answers
        The frames, with the names of the study: ``labelled`` puts its labels in their place.
    """
    asker = _ReportAsker(study, options)
    curve = study.roc_curve()
    only = _yes_no_cutoffs(curve)
    answers = ReportAnswers(curve=curve, yes_no=tuple(only))
    if len(only) < len(study.predictors):
        answers = answers._replace(**_ask_areas(asker))
    cuts = {
        **{name: (at,) for name, at in only.items()},
        **_stated_cutoffs(study, curve, options),
    }
    cuts = {name: cuts[name] for name in study.predictors if name in cuts}
    answers = answers._replace(**_ask_prespecified_cutoffs(asker, cuts))
    answers = answers._replace(**_ask_chosen_cutoffs(asker, answers.yes_no, only))
    answers = answers._replace(use=_ask_use_of_risks(asker, answers))
    return answers._replace(reasons=tuple(dict.fromkeys(asker.reasons)))


class ReportAnswers(NamedTuple):
    """The frames of a report; None if a frame was not computed or is impossible."""

    curve: pd.DataFrame
    auc: pd.DataFrame | None = None
    band: pd.DataFrame | None = None
    comparisons: pd.DataFrame | None = None
    equality: pd.DataFrame | None = None
    groups: pd.DataFrame | None = None
    """The test that areas are equal in all groups."""
    given: pd.DataFrame | None = None
    """Measures at cutoffs set before the study, and at the only cutoff of a yes/no test."""
    given_elsewhere: pd.DataFrame | None = None
    """Predictive values at these cutoffs and at the given prevalences."""
    given_pairs: pd.DataFrame | None = None
    chosen: pd.DataFrame | None = None
    """Cutpoints, with corrected rates, and predictive values at the share of the study."""
    chosen_elsewhere: tuple[pd.DataFrame, ...] = ()
    """Predictive values at the chosen cutoffs, corrected, a frame for each given prevalence."""
    observed: pd.DataFrame | None = None
    """Likelihood ratios at the chosen cutoffs, not corrected."""
    chosen_pairs: pd.DataFrame | None = None
    draws: pd.DataFrame | None = None
    """Cutpoints of resamples."""
    yes_no: tuple[str, ...] = ()
    """The predictors with two results."""
    use: UseAnswers | None = None
    """Net benefit and calibration of scores that are risks."""
    reasons: tuple[str, ...] = ()
    """Sentences on parts that the study does not support."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files, "auc" of auc.csv."""
        elsewhere = {
            f"predictive_values_at_cutpoints_{frame['prevalence'].iloc[0]:g}": frame
            for frame in self.chosen_elsewhere
        }
        named = {name: getattr(self, field) for name, field in _REPORT_FILES.items()}
        known = {name: frame for name, frame in named.items() if frame is not None}
        return {**known, **elsewhere, **({} if self.use is None else self.use.tables())}

    def labelled(self, labels: Mapping[str, str]) -> ReportAnswers:
        """Return the answers with labels in the place of names of predictors."""
        named: dict[str, Any] = {
            field: labelled(frame, labels)
            for field, frame in self._asdict().items()
            if isinstance(frame, pd.DataFrame)
        }
        elsewhere = tuple(labelled(frame, labels) for frame in self.chosen_elsewhere)
        yes_no = tuple(labels.get(name, name) for name in self.yes_no)
        use = None if self.use is None else self.use.labelled(labels)
        return self._replace(**named, chosen_elsewhere=elsewhere, yes_no=yes_no, use=use)

    @property
    def drawn_band(self) -> pd.DataFrame | None:
        """The bands of a figure of all curves; None of more than two, which hide one another."""
        few = self.auc is not None and len(self.auc) <= _MOST_BANDS_DRAWN
        return self.band if few else None

    @property
    def seed(self) -> int | None:
        """The seed of the resamples; None where nothing was resampled."""
        for frame in (self.chosen, self.band):
            if frame is not None and about_of(frame).get("seed") is not None:
                return int(about_of(frame)["seed"])
        return None


_REPORT_FILES = {
    "auc": "auc",
    "compare_auc": "comparisons",
    "test_equal_auc": "equality",
    "test_equal_groups": "groups",
    "roc_curve": "curve",
    "roc_band": "band",
    "operating_points": "given",
    "predictive_values": "given_elsewhere",
    "compare_operating_points": "given_pairs",
    "cutpoints": "chosen",
    "likelihood_ratios_at_cutpoints": "observed",
    "compare_operating_points_at_cutpoints": "chosen_pairs",
}


class _ReportAsker:
    """Asks a study for a report; has the seed of the first resamples and the reasons so far."""

    def __init__(self, study: StudyLike, options: ReportOptions) -> None:
        self.study, self.options = study, options
        self.level: dict[str, Any] = {"confidence_level": options.confidence_level}
        self.rng = options.rng
        self.reasons: list[str] = []

    def __call__(
        self, what: str, question: Callable[..., pd.DataFrame], *args: Any, **arguments: Any
    ) -> pd.DataFrame | None:
        """Return the answer; None, with the reason, if the study does not allow the question."""
        try:
            return question(*args, **arguments)
        except InputError as refusal:
            plain = _refusal_without_code(str(refusal))
            self.reasons.append(say("reason.refused", what=what, refusal=plain))
            return None

    def take_seed(self, frame: pd.DataFrame | None) -> pd.DataFrame | None:
        """Take the seed of a frame for all that follows, so that one number repeats the page."""
        if frame is not None:
            self.rng = about_of(frame).get("seed", self.rng)
        return frame


# Names of arguments that a reader of the page knows by another word.
_WORDS_OF_ARGUMENTS = {"y_score": "the scores", "y_true": "the outcomes"}


def _refusal_without_code(refusal: str) -> str:
    """Return what was wrong as a reader of the page needs it: no advice, and no Python words."""
    problem = re.split(r"(?<=[.;])\s+(?=[A-Z]|got )", refusal)[0].rstrip(".;") + "."
    return re.sub(
        r"`(\w+)`",
        lambda name: _WORDS_OF_ARGUMENTS.get(name[1], name[1].replace("_", " ")),
        problem,
    )


# --- Areas ----------------------------------------------------------------------------------------


def _ask_areas(asker: _ReportAsker) -> dict[str, Any]:
    study = asker.study
    # Of two areas the global test is the test of their difference.
    several, many = len(study.predictors) > 1, len(study.predictors) > 2
    areas = study.auc(**asker.level, null_value=0.5)
    band = asker.take_seed(_ask_bands(asker, areas))
    if study.sample_weight is not None:
        asker.reasons.append(say("reason.weights"))
    groups = None
    if areas["estimate"].isna().any():
        asker.reasons.append(say("reason.lacks_class"))
    elif study.group is not None and len(study.group.labels) > 1:
        groups = asker("A test that areas are equal in all groups", study.test_equal_groups)
    return {
        "auc": areas,
        "band": band,
        "comparisons": asker("Differences of areas", study.compare_auc, **asker.level)
        if several
        else None,
        "equality": asker("A test that all areas are equal", study.test_equal_auc)
        if many
        else None,
        "groups": groups,
    }


def _ask_bands(asker: _ReportAsker, auc: pd.DataFrame) -> pd.DataFrame | None:
    """Return the simultaneous bands of whole curves, or None.

    None for more than twelve curves; with weights, for which there are no bands; with clusters if
    an area is 0, 1 or undefined, since resamples of clusters then do not vary; and, with the
    reason, if the study does not allow them.
    """
    study, options = asker.study, asker.options
    degenerate = study.cluster is not None and not auc["estimate"].between(0, 1, "neither").all()
    if len(auc) > _MOST_BANDS or study.sample_weight is not None or degenerate:
        return None
    return asker(
        "Bands of the curves",
        study.roc_band,
        options.band,
        confidence_level=options.confidence_level,
        rng=asker.rng,
        progress=options.progress,
    )


# --- Cutoffs set before the study -----------------------------------------------------------------


def _yes_no_cutoffs(curve: pd.DataFrame) -> dict[str, float]:
    """Return the cutoff of each predictor with two results: the threshold between them."""
    found = {}
    for name, piece in curve.groupby("predictor", sort=False):
        scores = piece["threshold"][np.isfinite(piece["threshold"])].unique()
        if len(scores) == 2:
            high = piece["direction"].iloc[0] == ">="
            found[str(name)] = float(scores.max() if high else scores.min())
    return found


def _stated_cutoffs(
    study: StudyLike, curve: pd.DataFrame, options: ReportOptions
) -> dict[str, tuple[float, ...]]:
    """Return the cutoffs set before the study: of risks also those from which on one would act."""
    risks = options.risk_threshold
    if not risks or _labels_of_predictors_off_risk_scale(study, curve):
        return options.prespecified
    return {
        name: tuple(dict.fromkeys((*options.prespecified.get(name, ()), *risks)))
        for name in study.predictors
    }


def _ask_prespecified_cutoffs(
    asker: _ReportAsker, cuts: dict[str, tuple[float, ...]]
) -> dict[str, Any]:
    if not cuts:
        return {}
    single = {name: at[0] for name, at in cuts.items() if len(at) == 1}
    given, elsewhere = _measures_at_cutoffs_of_report(asker, cuts)
    if len(cuts) > 1 and len(single) < len(cuts):
        asker.reasons.append(say("reason.several_cutoffs"))
    return {
        "given": given,
        "given_elsewhere": elsewhere,
        "given_pairs": _differences_of_pairs_at_cutoffs(asker, single),
    }


def _measures_at_cutoffs_of_report(
    asker: _ReportAsker, cuts: Mapping[str, Any]
) -> tuple[pd.DataFrame | None, pd.DataFrame | None]:
    """Return the measures at cutoffs, and the predictive values at the given prevalences."""
    what, ask_points = "Measures at the cutoffs", asker.study.operating_points
    points = asker(what, ask_points, threshold=cuts, quantities=MEASURES, **asker.level)
    if points is None or not asker.options.prevalence:
        return points, None
    elsewhere = {"quantities": PREDICTIVE_VALUES, "prevalence": asker.options.prevalence}
    return points, asker(what, ask_points, threshold=cuts, **elsewhere, **asker.level)


def _differences_of_pairs_at_cutoffs(
    asker: _ReportAsker, cuts: dict[str, float]
) -> pd.DataFrame | None:
    study = asker.study
    if len(cuts) < 2:
        return None
    if study.sample_weight is not None:
        return None
    if study.from_tables or study.own_dropped is not None:
        asker.reasons.append(say("reason.other_cases"))
        return None
    pairs = asker(
        "A comparison at the cutoffs", study.compare_operating_points, threshold=cuts, **asker.level
    )
    if pairs is None:
        return None
    # Of nine quantities the page compares the two that others follow from.
    return pairs[pairs["quantity"].map(base_of).isin(["tpr", "tnr"])].reset_index(drop=True)


# --- Cutoffs chosen in the study ------------------------------------------------------------------


def _ask_chosen_cutoffs(
    asker: _ReportAsker, yes_no: tuple[str, ...], only: dict[str, float]
) -> dict[str, Any]:
    study, options = asker.study, asker.options
    graded = [name for name in study.predictors if name not in yes_no]
    if options.criterion is None or not graded or study.sample_weight is not None:
        return {}
    shares = dict.fromkeys([study.prevalence, *options.prevalence])
    frames = []
    for share in shares:
        repeat: dict[str, Any] = {"rng": asker.rng, "progress": options.progress}
        frame = study.cutpoints(options.criterion, prevalence=share, **asker.level, **repeat)
        asker.take_seed(frame)
        frames.append(_of_predictors(frame, graded))
    chosen = frames[0]
    # Of binned scores the draws have no bound of their error, the cutoffs do.
    what = "The spread of the chosen cutoff over resamples"
    draws = asker(
        what, study.cutpoint_draws, options.criterion, rng=asker.rng, progress=options.progress
    )
    cuts = _finite_cuts(chosen)
    grouped = study.group is not None
    if grouped and len(cuts) > 1:
        asker.reasons.append(say("reason.group_cutoffs"))
    found: dict[str, Any] = {
        "chosen": chosen,
        "draws": None if draws is None else _of_predictors(draws, graded),
    }
    if not cuts:
        return found
    ratios = study.operating_points(threshold=cuts, quantities=RATIOS, **asker.level)
    single = {**only, **{name: at[0] for name, at in cuts.items()}}
    return {
        **found,
        "chosen_elsewhere": tuple(_predictive_values_of_cutpoints(frame) for frame in frames[1:]),
        "observed": _at_chosen_cutoffs(ratios, chosen),
        "chosen_pairs": None if grouped else _differences_of_pairs_at_cutoffs(asker, single),
    }


def _finite_cuts(chosen: pd.DataFrame) -> dict[str, list[float]]:
    """Return the finite chosen cutoffs of each predictor, over its groups."""
    rows = chosen[(chosen["quantity"] == "threshold") & np.isfinite(chosen["estimate"])]
    return {
        str(name): piece["estimate"].unique().tolist()
        for name, piece in rows.groupby("predictor", sort=False)
    }


def _at_chosen_cutoffs(points: pd.DataFrame, chosen: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of points at the cutoff that was chosen in their own group."""
    keys = [name for name in ("predictor", "group") if name in points]
    cutoffs = chosen[chosen["quantity"] == "threshold"].set_index(keys)["estimate"]
    at = pd.Index(points[keys[0]]) if len(keys) == 1 else pd.MultiIndex.from_frame(points[keys])
    kept: pd.DataFrame = points[points["threshold"].to_numpy() == cutoffs.reindex(at).to_numpy()]
    return kept.reset_index(drop=True)


def _predictive_values_of_cutpoints(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the predictive values of a frame of cutpoints."""
    return frame[frame["quantity"].isin(PREDICTIVE_VALUES)].reset_index(drop=True)


def _of_predictors(frame: pd.DataFrame, predictors: list[str]) -> pd.DataFrame:
    """Return the rows of some predictors."""
    return frame[frame["predictor"].isin(predictors)].reset_index(drop=True)


# --- Net benefit and calibration ------------------------------------------------------------------

TREAT_ALL = "treat-all"

# A curve in print resolves some hundred places.
_CURVE_POINTS = 100

# A measurement that happens to lie between 0 and 1 is no risk. Taken as one, it would be wrong by
# more than this factor on average; a model that is as wrong must be called one by `risk_threshold`.
_MOST_RATIO = 2.0


def _ask_use_of_risks(asker: _ReportAsker, answers: ReportAnswers) -> UseAnswers | None:
    """Return net benefit and calibration; None of scores that are no risks, with the reason."""
    study, options = asker.study, asker.options
    if answers.auc is None:  # yes or no: no score that could be a risk
        return None
    reason = why_no_risks(study, answers.curve, options)
    if reason:
        asker.reasons.append(reason)
        return None
    return ask_net_benefit_and_calibration(
        study, answers.curve, asker, options._replace(rng=asker.rng)
    )


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
    off_scale = _labels_of_predictors_off_risk_scale(study, curve)
    if off_scale:
        key = "reason.not_risk" if len(off_scale) == 1 else "reason.not_risks"
        return say(key, tests=list_words(off_scale))
    if options.risk_threshold:
        return ""
    far = [
        study.labels.get(name, name)
        for name in study.predictors
        if not 1 / _MOST_RATIO <= _observed_over_expected(curve, name) <= _MOST_RATIO
    ]
    if not far:
        return ""
    return say("reason.far_risks", tests=list_words(far), ratio=f"{_MOST_RATIO:g}")


def _labels_of_predictors_off_risk_scale(study: StudyLike, curve: pd.DataFrame) -> list[str]:
    """Return the labels of predictors whose scores are not all from 0 to 1, or positive if low."""
    finite = curve[np.isfinite(curve["threshold"])]
    inside = finite["threshold"].between(0, 1).groupby(finite["predictor"]).all()
    return [
        study.labels.get(name, name)
        for name, high in zip(study.predictors, study.higher_is_positive, strict=True)
        if not high or not inside.get(name, True)
    ]


def _observed_over_expected(curve: pd.DataFrame, predictor: str) -> float:
    """Return the number of positives over the sum of the scores, over all groups."""
    pieces = frame_pieces_by_keys(curve[curve["predictor"] == predictor], ["group", "fold"])
    observed = expected = 0.0
    for (_, fold), rows in pieces:
        if not fold:
            steps = read_steps(rows)
            cases = -np.diff(steps.pos + steps.neg)  # above the last score is nobody
            observed += float(steps.pos[0])
            expected += float(cases @ steps.score[:-1])
    return observed / expected if expected > 0 else np.inf


def ask_net_benefit_and_calibration(
    study: StudyLike, curve: pd.DataFrame, asker: Ask, options: ReportOptions
) -> UseAnswers:
    """Return net benefits and calibration of a study whose scores are risks.

    Parameters
    ----------
    study : Study
        The study.
    curve : pandas.DataFrame
        Its ROC curves.
    asker : callable
        Asks a question of the study, and notes why it has no answer.
    options : ReportOptions
        Level, and the risks from which on one would act.
    """
    level: dict[str, Any] = {"confidence_level": options.confidence_level}
    found: dict[str, Any] = {}
    at, whole = list(options.risk_threshold), _decision_range(curve, options.risk_threshold)
    if at:
        benefit = ("Net benefit", study.net_benefit)
        found["benefits"] = asker(*benefit, risk_threshold=at, **level)
        found.update(_net_benefit_differences(study, asker, at, level))
    decisions = {"risk_threshold": np.linspace(whole[0], whole[1], _CURVE_POINTS).tolist(), **level}
    found["decisions"] = asker("A decision curve", study.net_benefit, **decisions)
    if found["decisions"] is not None and study.sample_weight is None:
        band = {"risk_threshold": whole, "rng": options.rng, **level}
        found["decision_band"] = asker(
            "A band of the decision curve", study.net_benefit_band, **band
        )
    found["scores"] = asker("A probability score", study.probability_scores, **level)
    found["calibration"] = asker("Calibration", study.calibration, **level)
    # A curve is refused for the reasons of the measures: one is enough.
    if found["calibration"] is None:
        return UseAnswers(**found)
    found["curve"] = asker("A calibration curve", study.calibration_curve)
    if found["curve"] is not None:
        found["curve_band"] = asker("A calibration band", study.calibration_band, **level)
        found["bins"] = asker("Calibration in groups", study.calibration_curve, method="bins")
        found["risks"] = curve
    return UseAnswers(**found)


def _net_benefit_differences(
    study: StudyLike, asker: Ask, at: Sequence[float], level: dict[str, Any]
) -> dict[str, Any]:
    """Return the differences from treating all, and of pairs; none of weights."""
    if study.sample_weight is not None:
        return {}
    what, question = "A difference of net benefits", study.compare_net_benefit
    gains = asker(what, question, risk_threshold=at, reference=TREAT_ALL, **level)
    pairs = asker(what, question, risk_threshold=at, **level) if len(study.predictors) > 1 else None
    return {"gains": gains, "pairs": pairs}


def _decision_range(curve: pd.DataFrame, stated: Sequence[float]) -> tuple[float, float]:
    """Return the range of the decision curve: up to the highest risk, and to those stated."""
    scores = curve["threshold"][np.isfinite(curve["threshold"])]
    # Beyond the highest risk nobody is treated. From 0.99 on, one case outweighs 99 others.
    high = min(0.99, max(float(scores.max()), *stated, 0.0))
    return high / _CURVE_POINTS, high


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
    bins: pd.DataFrame | None = None
    """Shares of events in groups of patients with similar risks."""
    risks: pd.DataFrame | None = None
    """The ROC curves, whose thresholds are the risks."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the frames by the names of their files."""
        named = {name: getattr(self, field) for name, field in _USE_FILES.items()}
        return {name: frame for name, frame in named.items() if frame is not None}

    def labelled(self, labels: Mapping[str, str]) -> UseAnswers:
        """Return the answers with labels in the place of names of predictors."""
        known = {name: frame for name, frame in self._asdict().items() if frame is not None}
        return self._replace(**{name: labelled(frame, labels) for name, frame in known.items()})


_USE_FILES = {
    "net_benefit": "benefits",
    "net_benefit_beside_treat_all": "gains",
    "compare_net_benefit": "pairs",
    "decision_curve": "decisions",
    "net_benefit_band": "decision_band",
    "calibration": "calibration",
    "probability_scores": "scores",
    "calibration_curve": "curve",
    "calibration_band": "curve_band",
    "calibration_bins": "bins",
}
