"""The studies, with a method for each question.

They are of a binary outcome, classes (in an order or not), labels, items, times, readers and
reviews. The
machines of a reader study are binary studies. ``names_its_methods`` sets the name under which
Python's own errors speak of a method.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from rocstats.curves.costs import cost_curve
from rocstats.curves.hull import optimal_points, roc_hull
from rocstats.curves.precision import lift_curve, pr_curve
from rocstats.curves.roc import det_curve, roc_curve
from rocstats.curves.superiority import superiority_curve
from rocstats.errors import require_name
from rocstats.inference.auc.auc import auc, auc_draws
from rocstats.inference.auc.bounds import auc_bounds
from rocstats.inference.auc.compare import compare_auc
from rocstats.inference.auc.equality import test_equal_auc
from rocstats.inference.auc.strata import compare_stratified_auc, stratified_auc, test_equal_groups
from rocstats.inference.bands.average_differences import roc_average_difference
from rocstats.inference.bands.averages import roc_average
from rocstats.inference.bands.bands import roc_band, roc_difference_band
from rocstats.inference.bands.compare_curves import compare_curves
from rocstats.inference.binormal import binormal, binormal_curve
from rocstats.inference.calibration.classes import (
    multiclass_calibration,
    multiclass_compare_probability_scores,
    multiclass_probability_scores,
)
from rocstats.inference.calibration.curves import calibration_band, calibration_curve
from rocstats.inference.calibration.measures import calibration
from rocstats.inference.calibration.scores import compare_probability_scores, probability_scores
from rocstats.inference.chance.areas import versus_random
from rocstats.inference.chance.points import operating_points_versus_random
from rocstats.inference.chance.random_classifiers import random_band, random_points
from rocstats.inference.classes.areas import multiclass_auc
from rocstats.inference.classes.compare import multiclass_compare_auc
from rocstats.inference.classes.curves import multiclass_roc_band, multiclass_roc_curve
from rocstats.inference.classes.label_areas import (
    multilabel_auc,
    multilabel_average_precision,
    multilabel_compare_auc,
)
from rocstats.inference.classes.label_points import (
    multilabel_classification_report,
    multilabel_compare_operating_points,
    multilabel_operating_points,
)
from rocstats.inference.classes.ordinal import (
    ordinal_compare_concordance,
    ordinal_concordance,
    vus,
)
from rocstats.inference.classes.points import (
    classification_report,
    multiclass_compare_operating_points,
    multiclass_operating_points,
)
from rocstats.inference.costs.bands import cost_difference_band, net_benefit_band
from rocstats.inference.costs.costs import compare_costs
from rocstats.inference.costs.lc_index import lc_index
from rocstats.inference.costs.net_benefit import compare_net_benefit, mean_net_benefit, net_benefit
from rocstats.inference.covariates.adjusted import (
    adjusted_auc,
    adjusted_roc_curve,
    compare_adjusted_auc,
)
from rocstats.inference.covariates.at_values import covariate_auc
from rocstats.inference.cutpoints.cutpoints import cutpoints
from rocstats.inference.cutpoints.draws import cutpoint_draws
from rocstats.inference.items import accuracy, compare_accuracy
from rocstats.inference.localisation.areas import (
    detection_auc,
    detection_compare_auc,
    detection_compare_with,
    detection_components,
)
from rocstats.inference.localisation.curves import detection_curve, detection_froc_band
from rocstats.inference.localisation.points import (
    detection_compare_froc_score,
    detection_compare_operating_points,
    detection_froc_score,
    detection_operating_points,
)
from rocstats.inference.meta.checks import influence, small_study_effects
from rocstats.inference.meta.compare import compare
from rocstats.inference.meta.spread import heterogeneity, summary_roc
from rocstats.inference.meta.summary import studies, summary
from rocstats.inference.points.compare import compare_operating_points
from rocstats.inference.points.goals import test_performance_goals
from rocstats.inference.points.operating_points import operating_points
from rocstats.inference.precision_recall.average_precision import (
    average_precision,
    compare_average_precision,
)
from rocstats.inference.precision_recall.classes import (
    multiclass_average_precision,
    multiclass_compare_average_precision,
)
from rocstats.inference.precision_recall.curve import pr_band
from rocstats.inference.readers.auc import reader_auc
from rocstats.inference.readers.compare import reader_compare_auc
from rocstats.inference.readers.components import reader_components
from rocstats.inference.readers.curves import reader_roc_curve
from rocstats.inference.readers.machine import reader_compare_with
from rocstats.inference.readers.points import (
    reader_compare_operating_points,
    reader_operating_points,
)
from rocstats.inference.statistics import bootstrap, multiclass_bootstrap
from rocstats.inference.subgroups import subgroups
from rocstats.inference.survival.areas import survival_auc, survival_auc_band, survival_compare_auc
from rocstats.inference.survival.concordance import compare_concordance, concordance
from rocstats.inference.survival.curve import survival_roc_curve
from rocstats.inference.survival.net_benefit import survival_net_benefit
from rocstats.inference.survival.points import survival_operating_points
from rocstats.inference.zones.grey_zone import grey_zone
from rocstats.inference.zones.ratios import band_likelihood_ratios
from rocstats.studies.constructors import FromConfusion, FromCounts, FromSamples
from rocstats.studies.models import FromClassEstimators, FromEstimators
from rocstats.study.base import BaseSample
from rocstats.study.detection import DetectionSample
from rocstats.study.items import ItemSample
from rocstats.study.meta import MetaSample
from rocstats.study.multiclass import MulticlassSample
from rocstats.study.multilabel import MultilabelSample
from rocstats.study.ordinal import OrdinalSample
from rocstats.study.readers import ReaderSample
from rocstats.study.sample import Sample
from rocstats.study.survival import SurvivalSample

# --- The name of a method -------------------------------------------------------------------------

Kind = TypeVar("Kind", bound=type)


def names_its_methods(kind: Kind) -> Kind:
    """Return the class, whose methods are named after it in Python's errors.

    "Study.auc() got an unexpected keyword argument": not ``auc`` or ``Sample``, as it is defined.
    """
    # Both studies share what BaseSample defines: that has the name of neither.
    for base in kind.__mro__[: kind.__mro__.index(BaseSample)]:
        for name, value in vars(base).items():
            function = getattr(value, "__func__", value)
            if isinstance(function, FunctionType):
                function.__qualname__ = f"{kind.__name__}.{name}"
                function.__module__ = kind.__module__  # where pickle looks for the other name
    return kind


# --- A binary outcome -----------------------------------------------------------------------------


@names_its_methods
class Study(FromEstimators, FromSamples, FromConfusion, FromCounts):  # noqa: D101 (its docstring is that of Sample, written once)
    __doc__ = Sample.__doc__

    # Functions of other modules as methods: a question stays with its topic, and is found here.
    adjusted_auc = adjusted_auc
    adjusted_roc_curve = adjusted_roc_curve
    auc = auc
    auc_bounds = auc_bounds
    auc_draws = auc_draws
    average_precision = average_precision
    binormal = binormal
    binormal_curve = binormal_curve
    band_likelihood_ratios = band_likelihood_ratios
    bootstrap = bootstrap
    calibration = calibration
    calibration_band = calibration_band
    calibration_curve = calibration_curve
    compare_adjusted_auc = compare_adjusted_auc
    compare_auc = compare_auc
    compare_average_precision = compare_average_precision
    compare_costs = compare_costs
    compare_curves = compare_curves
    compare_net_benefit = compare_net_benefit
    compare_operating_points = compare_operating_points
    compare_probability_scores = compare_probability_scores
    compare_stratified_auc = compare_stratified_auc
    cost_curve = cost_curve
    cost_difference_band = cost_difference_band
    covariate_auc = covariate_auc
    cutpoint_draws = cutpoint_draws
    cutpoints = cutpoints
    det_curve = det_curve
    grey_zone = grey_zone
    lc_index = lc_index
    lift_curve = lift_curve
    mean_net_benefit = mean_net_benefit
    net_benefit = net_benefit
    net_benefit_band = net_benefit_band
    operating_points = operating_points
    operating_points_versus_random = operating_points_versus_random
    optimal_points = optimal_points
    pr_band = pr_band
    pr_curve = pr_curve
    random_band = random_band
    probability_scores = probability_scores
    random_points = random_points
    roc_average = roc_average
    roc_average_difference = roc_average_difference
    roc_band = roc_band
    roc_curve = roc_curve
    roc_difference_band = roc_difference_band
    roc_hull = roc_hull
    stratified_auc = stratified_auc
    subgroups = subgroups
    superiority_curve = superiority_curve
    test_equal_auc = test_equal_auc
    versus_random = versus_random
    test_equal_groups = test_equal_groups
    test_performance_goals = test_performance_goals


# --- An outcome of several classes ----------------------------------------------------------------


@names_its_methods
class MulticlassStudy(FromClassEstimators):  # noqa: D101 (its docstring is that of MulticlassSample)
    __doc__ = MulticlassSample.__doc__

    auc = multiclass_auc
    average_precision = multiclass_average_precision
    bootstrap = multiclass_bootstrap
    calibration = multiclass_calibration
    classification_report = classification_report
    compare_auc = multiclass_compare_auc
    compare_average_precision = multiclass_compare_average_precision
    compare_operating_points = multiclass_compare_operating_points
    compare_probability_scores = multiclass_compare_probability_scores
    operating_points = multiclass_operating_points
    probability_scores = multiclass_probability_scores
    roc_band = multiclass_roc_band
    roc_curve = multiclass_roc_curve


# --- Classes in an order --------------------------------------------------------------------------


@names_its_methods
class OrdinalStudy(OrdinalSample):  # noqa: D101 (its docstring is that of OrdinalSample)
    __doc__ = OrdinalSample.__doc__

    compare_concordance = ordinal_compare_concordance
    concordance = ordinal_concordance
    vus = vus


# --- Items that are right or wrong ----------------------------------------------------------------


@names_its_methods
class ItemStudy(ItemSample):  # noqa: D101 (its docstring is that of ItemSample)
    __doc__ = ItemSample.__doc__

    accuracy = accuracy
    compare_accuracy = compare_accuracy


# --- Reviews of several studies -------------------------------------------------------------------


@names_its_methods
class MetaStudy(MetaSample):  # noqa: D101 (its docstring is that of MetaSample)
    __doc__ = MetaSample.__doc__

    compare = compare
    heterogeneity = heterogeneity
    influence = influence
    small_study_effects = small_study_effects
    studies = studies
    summary = summary
    summary_roc = summary_roc


# --- Cases with several labels --------------------------------------------------------------------


class WithLabelStudies(MultilabelSample):
    """A study of several labels whose labels can be studied alone."""

    def label_study(self, label: str) -> Study:
        """Return the binary study of one label, with all classifiers and all methods of ``Study``.

        Parameters
        ----------
        label : str
            Name of the label.

        Returns
        -------
        Study
            The cases with the label are positive, and all other cases are negative. The predictors
            are the classifiers, with their scores for the label. Weights, frequencies, clusters,
            folds and groups are the same as in this study.

        Raises
        ------
        InputError
            If there is no such label.

        References
        ----------
        - See ``auc``: its rows have the areas of these binary studies

        Examples
        --------
        >>> import numpy as np
        >>> import rocstats as rs
        >>> y = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1]])
        >>> study = rs.MultilabelStudy(y, y + np.eye(6)[:, :2], labels=["cough", "fever"])
        >>> study.label_study("fever").auc()[["predictor", "estimate"]]
          predictor  estimate
        0     score       1.0
        """
        require_name("label", label, self.classes)
        k = self.classes.index(label)
        roles = ("frequency", "sample_weight", "cluster", "fold", "group")
        shown = {key: word for key, word in self.labels.items() if key in self.predictors}
        return Study._of(
            {
                "predictors": self.predictors,
                "pos_label": label,
                "higher_is_positive": (True,) * len(self.predictors),
                "is_positive": self.has_label[k],
                "scores": np.ascontiguousarray(self.scores[:, k]),
                **{role: getattr(self, role) for role in roles},
                "n_dropped": self.n_dropped,
                "_shown": {"labels": shown} if shown else {},
                "_cluster_name": self._cluster_name,
                "_repeated": self._repeated,
            }
        )


@names_its_methods
class MultilabelStudy(WithLabelStudies):  # noqa: D101 (its docstring is that of MultilabelSample)
    __doc__ = MultilabelSample.__doc__

    auc = multilabel_auc
    average_precision = multilabel_average_precision
    classification_report = multilabel_classification_report
    compare_auc = multilabel_compare_auc
    compare_operating_points = multilabel_compare_operating_points
    operating_points = multilabel_operating_points


# --- Times to an event ----------------------------------------------------------------------------


@names_its_methods
class SurvivalStudy(SurvivalSample):  # noqa: D101 (its docstring is that of SurvivalSample)
    __doc__ = SurvivalSample.__doc__

    auc = survival_auc
    auc_band = survival_auc_band
    compare_auc = survival_compare_auc
    compare_concordance = compare_concordance
    concordance = concordance
    net_benefit = survival_net_benefit
    operating_points = survival_operating_points
    roc_curve = survival_roc_curve


# --- Several readers who rate the same cases ------------------------------------------------------


class WithMachines(ReaderSample):
    """A reader study whose machines can be studied alone."""

    def machine_study(self, machine: str | Mapping[Any, float] | pd.Series) -> Study:
        """Return the binary study of a machine's scores, with one row per case.

        Parameters
        ----------
        machine : str, or Series or mapping of float by name of the case
            Name of a machine of the study, or its scores: higher scores mean positive.

        Returns
        -------
        Study
            Scores of all cases, with the clusters and groups of the study. Higher scores mean
            positive. The predictor is the machine's name, or "machine".

        Raises
        ------
        InputError
            If the machine is unknown, or a case has no score.

        References
        ----------
        - See ``compare_with``, which compares readers with a machine

        Examples
        --------
        >>> import rocstats as rs
        >>> data = rs.load_viper()
        >>> films = data[data["modality"] == "SFM"]
        >>> study = rs.ReaderStudy("truth", "rating", data=films, reader="reader", case="case")
        >>> machine = study.machine_study(films.groupby("case")["rating"].max())
        >>> round(float(machine.auc()["estimate"][0]), 3)
        0.736
        """
        pos, neg = self.machine_scores(machine)
        is_positive = self._case_is_positive
        scores = np.empty(len(is_positive))
        scores[is_positive], scores[~is_positive] = pos, neg
        name = machine if isinstance(machine, str) else "machine"
        roles: dict[str, Any] = {
            role: np.array(factor.labels, dtype=object)[self._of_cases(factor.codes)]
            for role, factor in (("cluster", self.cluster), ("group", self.group))
            if factor is not None
        }
        labels = {key: label for key, label in self.labels.items() if key == name}
        return Study(
            is_positive, {name: scores}, **roles, labels=labels or None, outcome=self.outcome
        )


@names_its_methods
class ReaderStudy(WithMachines):  # noqa: D101 (its docstring is that of ReaderSample)
    __doc__ = ReaderSample.__doc__

    auc = reader_auc
    compare_auc = reader_compare_auc
    compare_operating_points = reader_compare_operating_points
    compare_with = reader_compare_with
    components = reader_components
    operating_points = reader_operating_points
    roc_curve = reader_roc_curve


# --- Marks of lesions -----------------------------------------------------------------------------


class WithWholeCases(DetectionSample):
    """A study of marks whose cases can be studied as wholes."""

    def whole_cases(self) -> ReaderStudy:
        """Return the reader study of whole cases, each rated by its highest mark.

        Use it for every question of ``ReaderStudy`` that has no answer for marks.

        Returns
        -------
        ReaderStudy
            A case is positive if it has a lesion. Its rating is the highest mark on it, on a lesion
            or not, and minus infinity without a mark. Clusters, groups and the machine are those of
            the study; under several modalities the machine of the reader study has the marks of the
            first one.

        Raises
        ------
        InputError
            If a class has no cases.

        References
        ----------
        - See ``auc``: ``curve="inferred-roc"`` has the areas of this study

        Examples
        --------
        >>> import rocstats as rs
        >>> marks, cases, lesions = rs.load_marks_example()
        >>> study = rs.DetectionStudy(marks, cases, lesions, reader="reader", modality="modality")
        >>> found = study.whole_cases().compare_auc()
        >>> found[["estimate", "ci_low", "ci_high"]].tail(1).round(3)
           estimate  ci_low  ci_high
        1     0.077  -0.055     0.21
        """
        n, t, r = len(self.is_positive), len(self.modalities), len(self.readers)
        ratings = [self.highest_marks(i, name) for i in range(t) for name in self.readers]

        def by_case(values: Any) -> Any:
            return np.tile(np.asarray(values, dtype=object), t * r)

        roles: dict[str, Any] = {
            role: by_case(np.array(factor.labels, dtype=object)[factor.codes])
            for role, factor in (("cluster", self.cluster), ("group", self.group))
            if factor is not None
        }
        if self.machine is not None:
            scores = np.tile(self.highest_marks(0, self.machine), t * r)
            roles["machine"] = {self.machine: scores}
        known = {*self.modalities, *self.readers, self.machine}
        labels = {name: label for name, label in self.labels.items() if name in known}
        return ReaderStudy(
            np.tile(self.is_positive, t * r),
            np.concatenate(ratings),
            reader=np.tile(np.repeat(np.array(self.readers, dtype=object), n), t),
            case=by_case(np.array(self.case.labels, dtype=object)[self.case.codes]),
            modality=np.repeat(np.array(self.modalities, dtype=object), r * n),
            **roles,
            labels=labels or None,
            outcome=self.outcome,
        )


@names_its_methods
class DetectionStudy(WithWholeCases):  # noqa: D101 (its docstring is that of DetectionSample)
    __doc__ = DetectionSample.__doc__

    auc = detection_auc
    compare_auc = detection_compare_auc
    compare_froc_score = detection_compare_froc_score
    compare_operating_points = detection_compare_operating_points
    compare_with = detection_compare_with
    components = detection_components
    curve = detection_curve
    froc_band = detection_froc_band
    froc_score = detection_froc_score
    operating_points = detection_operating_points
