"""Studies off the line of symmetry, and the true values of what is asked of them.

No design has equal classes, round numbers, many positives or clusters of one size, but for
``EQUAL``, which the unequal clusters are held against. Scores are normal and 1.2 apart, or cut into
five points; risks are calibrated, with normal logits, or take five values. Both predictors have
the same law. True values are sums over fine grids of the populations, or values of
the normal distribution; in clusters they are of cases of different clusters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import trapezoid
from scipy.optimize import brentq
from scipy.special import expit, ndtr
from scipy.stats import norm

import rocstats as rs
from rocstats.facts.arrays import FloatArray
from rocstats.facts.measures import MEASURES, cells_at, measure
from validation.coverage import survival
from validation.coverage.measures import OF_PREVALENCE
from validation.coverage.multiclass import ClassCell

UNEQUAL = (*(20,) * 4, *(1, 2, 3) * 18, 1, 2)
"""Sizes of 60 clusters, of which four have 42 % of the cases."""
EQUAL = (5,) * 40
DEPENDENCE, OF_PAIR = 0.3, 0.5
"""Correlation of the scores of two cases of a cluster, and of two predictors of a case."""
POINTS = (-0.3, 0.4, 1.0, 1.7)
"""Where normal scores become five points."""
_ENDS = np.array([-np.inf, *POINTS, np.inf])
RISK = 0.1
"""The risk threshold of net benefits."""


class Drawn(NamedTuple):
    """One sample: classes, scores of two predictors, and clusters."""

    y: Any
    scores: FloatArray
    cluster: Any

    @property
    def level(self) -> Any:
        """A factor with the level 1 in a quarter of the cases (of the clusters)."""
        units = np.arange(len(self.y)) if self.cluster is None else self.cluster
        return (units % 4 == 0).astype(int)

    def one(self, group: Any = None) -> rs.Study:
        """Return the study of the first predictor."""
        return rs.Study(self.y, {"a": self.scores[0]}, cluster=self.cluster, group=group)

    def pair(self, group: Any = None) -> rs.Study:
        """Return the study of both predictors."""
        scores = dict(zip("ab", self.scores, strict=True))
        return rs.Study(self.y, scores, cluster=self.cluster, group=group)


def draw_classes(design: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return classes, of fixed sizes or drawn by case, and clusters."""
    cluster = np.repeat(np.arange(len(design.clusters)), design.clusters)
    if design.drawn:
        n = len(cluster) or design.n_pos + design.n_neg
        y = (rng.random(n) < design.share).astype(int)
    else:
        y = np.repeat([1, 0], [design.n_pos, design.n_neg])
    return y, cluster if len(cluster) else None


def draw_errors(n: int, cluster: Any, rng: np.random.Generator) -> FloatArray:
    """Return standard normal errors of two predictors of n cases."""
    one, other = rng.standard_normal((2, n))
    errors = np.stack([one, OF_PAIR * one + np.sqrt(1 - OF_PAIR**2) * other])
    if cluster is None:
        return errors
    shared = rng.standard_normal((2, int(cluster[-1]) + 1))[:, cluster]
    return np.asarray(np.sqrt(DEPENDENCE) * shared + np.sqrt(1 - DEPENDENCE) * errors)


# --- Scores ---------------------------------------------------------------------------------------


class Scores(NamedTuple):
    """Scores of two classes; ``elsewhere`` is the prevalence of another population."""

    name: str
    n_pos: int
    n_neg: int
    drawn: bool = False
    points: bool = False
    clusters: tuple[int, ...] = ()
    shift: float = 1.2
    elsewhere: float = 0.03

    @property
    def share(self) -> float:
        """Share of positives."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def thresholds(self) -> tuple[float, float]:
        """A lower and a higher threshold."""
        return (2.0, 3.0) if self.points else (0.4, 1.0)

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Return one sample."""
        y, cluster = draw_classes(self, rng)
        scores = self.shift * y + draw_errors(len(y), cluster, rng)
        if self.points:
            scores = np.searchsorted(POINTS, scores).astype(np.float64)
        return Drawn(y, scores, cluster)

    # --- True values ---

    @property
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """False and true positive rates of the population, rising; linear between."""
        cuts = _ENDS if self.points else np.linspace(-9, 9, 200_001)
        return ndtr(-cuts[::-1]), ndtr(self.shift - cuts[::-1])

    def rates(self, threshold: float) -> tuple[float, float]:
        """Return true and false positive rates of a threshold."""
        cut = _ENDS[int(np.clip(np.ceil(threshold), 0, 5))] if self.points else threshold
        return float(ndtr(self.shift - cut)), float(ndtr(-cut))

    def area(self) -> dict[str, float]:
        """Return the area."""
        fpr, tpr = self.curve
        return dict.fromkeys(("auc", "stratified_auc"), float(trapezoid(tpr, fpr)))

    def partial(self) -> dict[str, float]:
        """Return the partial area up to a false positive rate of .2."""
        fpr, tpr = self.curve
        inside = fpr < 0.2
        fpr, tpr = (
            np.append(fpr[inside], 0.2),
            np.append(tpr[inside], np.interp(0.2, *self.curve)),
        )
        return {"partial_auc": float(trapezoid(tpr, fpr))}

    def binormal(self) -> dict[str, float]:
        """Return the area and both parameters of the normal scores."""
        return {"auc": float(ndtr(self.shift / np.sqrt(2))), "a": self.shift, "b": 1.0}

    def tpr_at_fpr(self) -> dict[str, float]:
        """Return the sensitivity at a false positive rate of .1."""
        return {"tpr": float(np.interp(0.1, *self.curve))}

    def precision(self, prevalence: float) -> dict[str, float]:
        """Return the average precision: the sum of precision times the step of sensitivity."""
        fpr, tpr = self.curve
        called = prevalence * tpr + (1 - prevalence) * fpr
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(called > 0, prevalence * tpr / called, 1.0)
        if self.points:
            return {"average_precision": float(np.diff(tpr) @ precision[1:])}
        return {"average_precision": float(trapezoid(precision, tpr))}

    def measures(self, names: Any, prevalence: float) -> dict[str, float]:
        """Return measures at the lower threshold."""
        tpr, fpr = (np.array([rate]) for rate in self.rates(self.thresholds[0]))
        return {name: float(measure(name, cells_at(tpr, fpr, prevalence))[0]) for name in names}

    def chosen(self, threshold: float) -> dict[str, float]:
        """Return the rates of a threshold that was chosen in a sample."""
        tpr, fpr = self.rates(threshold)
        return {"tpr": tpr, "tnr": 1 - fpr, "youden": tpr - fpr}

    def zones(self) -> dict[str, float]:
        """Return measures of the zones between both thresholds, at the share of positives."""
        tpr, fpr = zip(*map(self.rates, self.thresholds), strict=True)
        (a, b, c), (d, e, f) = ((1 - x[0], x[0] - x[1], x[1]) for x in (tpr, fpr))
        p = self.share
        return {
            "negative lr": a / d, "negative npv": (1 - p) * d / ((1 - p) * d + p * a),
            "grey lr": b / e, "grey share_of_positives": b, "grey share_of_negatives": e,
            "grey share_of_all": p * b + (1 - p) * e,
            "positive lr": c / f, "positive ppv": p * c / (p * c + (1 - p) * f),
        }  # fmt: skip

    def benefit(self, prevalence: float) -> dict[str, float]:
        """Return the net benefit of the lower threshold, and its share of the prevalence."""
        return _benefit(*self.rates(self.thresholds[0]), prevalence)


MEASURED = (*(name for name in MEASURES if name not in ("fpr", "fnr")), "kappa")
OF_CLASSES = tuple(name for name in MEASURED if name not in (*OF_PREVALENCE, "kappa"))


def _benefit(tpr: float, fpr: float, prevalence: float) -> dict[str, float]:
    value = prevalence * tpr - RISK / (1 - RISK) * (1 - prevalence) * fpr
    return {"net_benefit": value, "standardized_net_benefit": value / prevalence}


# --- Predicted risks ------------------------------------------------------------------------------

_GRID = np.linspace(-8, 8, 16_001)
_FIVE = np.array([0.02, 0.05, 0.1, 0.3, 0.7]), np.array([0.35, 0.3, 0.2, 0.1, 0.05])
"""Five risks, and their shares of the population."""


class Risks(NamedTuple):
    """Calibrated risks with logits of standard deviation 1.5; ``given``: of cases by class."""

    name: str
    n_pos: int
    n_neg: int
    prevalence: float
    drawn: bool = False
    clusters: tuple[int, ...] = ()
    given: bool = False
    five: bool = False

    @property
    def share(self) -> float:
        """Share of positives of the sample."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def asked(self) -> dict[str, Any]:
        """The option of the prevalence."""
        return {"prevalence": self.prevalence} if self.given else {}

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Return one sample: of each class the quantiles of correlated normal errors."""
        y, cluster = draw_classes(self, rng)
        risk, *by_class = population(self)
        chance = ndtr(draw_errors(len(y), cluster, rng))
        negative, positive = (
            risk[np.searchsorted(np.cumsum(w)[:-1] / w.sum(), chance)] for w in by_class
        )
        return Drawn(y, np.where(y == 1, positive, negative), cluster)

    def scores(self) -> dict[str, float]:
        """Return the probability scores."""
        risk, negative, positive = population(self)
        brier = float(positive @ (1 - risk) ** 2 + negative @ risk**2)
        p = float(positive.sum())
        log_score = -float(positive @ np.log(risk) + negative @ np.log1p(-risk))
        return {
            "brier_score": brier,
            "scaled_brier_score": 1 - brier / (p * (1 - p)),
            "log_score": log_score,
        }

    def calibration(self) -> dict[str, float]:
        """Return the measures of perfect calibration."""
        names = ("observed_expected_ratio", "calibration_intercept", "calibration_slope")
        return dict(zip(names, (1.0, 0.0, 1.0), strict=True))

    def benefit(self) -> dict[str, float]:
        """Return the net benefit at the risk threshold."""
        risk, negative, positive = population(self)
        tpr, fpr = (float(w[risk >= RISK].sum() / w.sum()) for w in (positive, negative))
        return _benefit(tpr, fpr, float(positive.sum()))


@lru_cache
def population(design: Risks) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return risks, rising, and the shares of the population with them, negatives and positives."""
    if design.five:
        risk, weight = _FIVE
        return risk, weight * (1 - risk), weight * risk
    weight = norm.pdf(_GRID) / norm.pdf(_GRID).sum()

    def gap(mean: float) -> float:
        return float(weight @ expit(mean + 1.5 * _GRID)) - design.prevalence

    risk = expit(float(brentq(gap, -20, 10)) + 1.5 * _GRID)
    return risk, weight * (1 - risk), weight * risk


# --- Patients followed in time, covariates, several classes ---------------------------------------


class Followed(NamedTuple):
    """Patients of ``survival.py``, by marker or its five points; ``share`` has the event by t."""

    name: str
    n: int
    share: float
    censoring: float = 1.0
    points: bool = False
    clusters: tuple[int, ...] = ()

    @property
    def cell(self) -> survival.Cell:
        """The hazards."""
        return survival.Cell("uneven", self.n, 1.2, (self.share,), self.censoring)

    @property
    def time(self) -> float:
        """The time by which the share of patients has the event."""
        return time_of(self.cell)

    @property
    def threshold(self) -> float:
        """The threshold of the marker."""
        return 3.0 if self.points else POINTS[2]

    def draw(self, rng: np.random.Generator) -> FollowedSample:
        """Return one sample; clusters share a part of the marker."""
        cluster = np.repeat(np.arange(len(self.clusters)), self.clusters) if self.clusters else None
        marker = draw_errors(self.n, cluster, rng)[0]
        event = rng.exponential(size=self.n) / np.exp(self.cell.slope * marker)
        censored = rng.exponential(size=self.n) / self.censoring
        markers = marker + np.stack([np.zeros(self.n), *rng.standard_normal((2, self.n))])
        if self.points:
            markers = np.searchsorted(POINTS, markers).astype(np.float64)
        return FollowedSample(np.minimum(event, censored), event <= censored, markers, cluster)

    def truth(self) -> dict[str, float]:
        """Return areas, rates and net benefit at the time, by sums over a grid of markers."""
        z, case, control = survival.population(self.cell, self.time)
        code = np.searchsorted(POINTS, z) if self.points else np.arange(len(z))
        of_case, of_control = (np.bincount(code, w) for w in (case, control))
        below = np.cumsum(of_control) - of_control / 2
        called = z >= POINTS[2]
        tp, fp = float(case[called].sum()), float(control[called].sum())
        p = float(case.sum())
        return {
            "auc": float(of_case @ below) / (p * float(control.sum())),
            "tpr": tp / p, "tnr": 1 - fp / (1 - p), "ppv": tp / (tp + fp),
            "npv": (1 - p - fp) / (1 - tp - fp), **_benefit(tp / p, fp / (1 - p), p),
        }  # fmt: skip

    def concordance(self) -> dict[str, float]:
        """Return the concordance of the marker up to the time."""
        return {"concordance": survival.true_concordance(self.cell, self.time)}


@lru_cache
def time_of(cell: survival.Cell) -> float:
    """Return the time of a cell."""
    return float(survival.times_of(cell)[0])


class FollowedSample(NamedTuple):
    """Times, events, the marker and two noisy copies of it, and clusters."""

    time: FloatArray
    event: Any
    markers: FloatArray
    cluster: Any

    @property
    def y(self) -> Any:
        """Who has the event."""
        return self.event

    def one(self) -> rs.SurvivalStudy:
        """Return the study of the marker."""
        return self._of({"a": self.markers[0]})

    def pair(self) -> rs.SurvivalStudy:
        """Return the study of both copies, whose areas are equal."""
        return self._of({"a": self.markers[1], "b": self.markers[2]})

    def _of(self, scores: dict[str, FloatArray]) -> rs.SurvivalStudy:
        return rs.SurvivalStudy(self.time, self.event.astype(int), scores, cluster=self.cluster)


class Adjusted(NamedTuple):
    """Scores that a covariate moves, normal around their lines; errors of ``Scores``."""

    name: str
    n_pos: int
    n_neg: int
    drawn: bool = False
    clusters: tuple[int, ...] = ()

    @property
    def share(self) -> float:
        """Share of positives."""
        return self.n_pos / (self.n_pos + self.n_neg)

    def draw(self, rng: np.random.Generator) -> AdjustedSample:
        """Return one sample."""
        y, cluster = draw_classes(self, rng)
        at = rng.standard_normal(len(y)) + 0.5 * y
        scores = 1.2 * y + 0.8 * at + draw_errors(len(y), cluster, rng)
        return AdjustedSample(y, scores, cluster, at)

    def area(self) -> dict[str, float]:
        """Return the area, which is the same at every value of the covariate."""
        return dict.fromkeys(("adjusted_auc", "covariate_auc"), float(ndtr(1.2 / np.sqrt(2))))


class AdjustedSample(NamedTuple):
    """Classes, scores of two predictors, clusters and a covariate."""

    y: Any
    scores: FloatArray
    cluster: Any
    at: FloatArray

    def one(self) -> rs.Study:
        """Return the study of the first predictor."""
        return self._of({"a": self.scores[0]})

    def pair(self) -> rs.Study:
        """Return the study of both predictors."""
        return self._of(dict(zip("ab", self.scores, strict=True)))

    def _of(self, scores: dict[str, FloatArray]) -> rs.Study:
        return rs.Study(self.y, scores, cluster=self.cluster, covariate={"z": self.at})


class Classes(NamedTuple):
    """Several classes, as the first classifier of ``multiclass.py`` scores them."""

    name: str
    sizes: tuple[int, ...]

    @property
    def cell(self) -> ClassCell:
        """The cell of the other simulation."""
        return ClassCell(0, self.sizes, 0.8, "fixed")

    def draw(self, rng: np.random.Generator) -> ClassSample:
        """Return one sample."""
        return ClassSample(*self.cell.draw(rng))

    def area(self, method: Any) -> dict[str, float]:
        """Return the area of all classes, by the name of its row."""
        return {"all": self.cell.truth(method, "all")}


class ClassSample(NamedTuple):
    """Classes, and scores (classifiers x classes x cases)."""

    y: Any
    scores: FloatArray

    def one(self) -> rs.MulticlassStudy:
        """Return the study of the first classifier."""
        table = {str(k): score for k, score in enumerate(self.scores[0])}
        return rs.MulticlassStudy(self.y.astype(str), {"a": table})


class Readers(NamedTuple):
    """Reader studies of the model of Roe and Metz (structure HL) with equal areas of .855."""

    name: str
    n_readers: int
    n_pos: int
    n_neg: int
    points: bool = False

    def draw(self, rng: np.random.Generator) -> ReaderSample:
        """Return one sample."""
        frame = rs.simulate_readers(
            n_readers=self.n_readers,
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            auc=0.855,
            structure="HL",
            n_levels=5 if self.points else None,
            rng=rng,
        )
        return ReaderSample(np.repeat([1, 0], [self.n_pos, self.n_neg]), frame)

    def area(self) -> dict[str, float]:
        """Return the expected area, which five points change."""
        return {} if self.points else {"auc": 0.855}


class ReaderSample(NamedTuple):
    """Classes of the cases, and the reads."""

    y: Any
    reads: Any

    def one(self) -> rs.ReaderStudy:
        """Return the study."""
        names = ("truth", "rating", "reader", "case", "modality")
        truth, rating, reader, case, modality = (self.reads[name] for name in names)
        return rs.ReaderStudy(truth, rating, reader=reader, case=case, modality=modality)
