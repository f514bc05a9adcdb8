"""Types of the studies and of their roles, as far as reports and the explorer use them.

Reports take any study with these members, so that they import no study.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocstats.study.units import Units


# --- Roles ----------------------------------------------------------------------------------------


class RoleLike(Protocol):
    """A grouping role of a study: the labels of its groups, clusters or folds."""

    @property
    def labels(self) -> Sequence[str]:
        """The distinct labels."""
        ...


# --- A study of a binary outcome ------------------------------------------------------------------

FigureBand = Literal["fixed-width", "smoothed-score"]
"""Bands that the figure of a report may have: those for curves of any shape that are not wide."""


class StudyLike(Protocol):
    """A study of a binary outcome: its sample, and the questions a report asks."""

    @property
    def predictors(self) -> tuple[str, ...]:
        """Names of the predictors, measured on the same cases."""
        ...

    @property
    def labels(self) -> dict[str, str]:
        """Labels of predictors in print, by name."""
        ...

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """Words of ordered categories, by predictor: their scores are numbers from 0."""
        ...

    @property
    def outcome(self) -> str | None:
        """Name of the condition in words, if it was given."""
        ...

    @property
    def pos_label(self) -> Any:
        """The label of positives in the data."""
        ...

    @property
    def higher_is_positive(self) -> tuple[bool, ...]:
        """For each predictor whether higher scores are positive."""
        ...

    @property
    def from_tables(self) -> bool:
        """Whether several confusion tables are all that is known of the tests."""
        ...

    @property
    def n_pos(self) -> float:
        """Number of positives."""
        ...

    @property
    def n_neg(self) -> float:
        """Number of negatives."""
        ...

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]."""
        ...

    @property
    def n_dropped(self) -> int:
        """Number of rows omitted for a missing value."""
        ...

    @property
    def own_dropped(self) -> tuple[int, ...] | None:
        """Number of rows omitted for each predictor; None if all have the same cases."""
        ...

    @property
    def group(self) -> RoleLike | None:
        """Subgroups without common cases, if any."""
        ...

    @property
    def cluster(self) -> RoleLike | None:
        """Clusters of correlated cases, if any."""
        ...

    @property
    def units(self) -> Units | None:
        """Patients, or other units, that have several rows; None where each row is one."""
        ...

    @property
    def fold(self) -> RoleLike | None:
        """Cross-validation folds, if any."""
        ...

    @property
    def frequency(self) -> object | None:
        """Number of cases that each row stands for, if rows have frequencies."""
        ...

    @property
    def sample_weight(self) -> object | None:
        """Weights of the cases, if any."""
        ...

    def roc_curve(self) -> pd.DataFrame:
        """Return a frame of schema "roc_curve"."""
        ...

    def roc_band(
        self, method: FigureBand, /, *, confidence_level: float, rng: Any, progress: bool
    ) -> pd.DataFrame:
        """Return a frame of schema "roc_band"."""
        ...

    def auc(self, *, confidence_level: float, null_value: float) -> pd.DataFrame:
        """Return a frame of schema "auc"."""
        ...

    def compare_auc(self, *, confidence_level: float) -> pd.DataFrame:
        """Return a frame of schema "compare_auc"."""
        ...

    def test_equal_auc(self) -> pd.DataFrame:
        """Return a frame of schema "test_equal_auc"."""
        ...

    def test_equal_groups(self) -> pd.DataFrame:
        """Return a frame of schema "test_equal_groups"."""
        ...

    def operating_points(
        self,
        *,
        threshold: Mapping[str, Sequence[float]],
        quantities: Sequence[str],
        prevalence: Sequence[float] | None = None,
        confidence_level: float,
    ) -> pd.DataFrame:
        """Return a frame of schema "operating_points"."""
        ...

    def compare_operating_points(
        self, *, threshold: Mapping[str, float], confidence_level: float
    ) -> pd.DataFrame:
        """Return a frame of schema "compare_operating_points"."""
        ...

    def net_benefit(
        self,
        *,
        risk_threshold: Sequence[float],
        prevalence: float | None = None,
        threshold: Mapping[str, Mapping[float, float]] | None = None,
        confidence_level: float = 0.95,
    ) -> pd.DataFrame:
        """Return a frame of schema "net_benefit"."""
        ...

    def compare_net_benefit(
        self,
        *,
        risk_threshold: Sequence[float],
        reference: str | None = None,
        confidence_level: float,
    ) -> pd.DataFrame:
        """Return a frame of schema "compare_net_benefit"."""
        ...

    def net_benefit_band(
        self, *, risk_threshold: tuple[float, float], confidence_level: float, rng: Any
    ) -> pd.DataFrame:
        """Return a frame of schema "net_benefit_band"."""
        ...

    def calibration(self, *, confidence_level: float) -> pd.DataFrame:
        """Return a frame of schema "calibration"."""
        ...

    def calibration_curve(self, *, method: Literal["spline", "bins"] = ...) -> pd.DataFrame:
        """Return a frame of schema "calibration_curve"."""
        ...

    def calibration_band(self, *, confidence_level: float) -> pd.DataFrame:
        """Return a frame of schema "calibration_band"."""
        ...

    def probability_scores(self, *, confidence_level: float) -> pd.DataFrame:
        """Return a frame of schema "probability_scores"."""
        ...

    def cutpoints(
        self,
        criterion: Any,
        *,
        prevalence: float,
        confidence_level: float,
        rng: Any,
        progress: bool,
    ) -> pd.DataFrame:
        """Return a frame of schema "cutpoints"."""
        ...

    def cutpoint_draws(self, criterion: Any, *, rng: Any, progress: bool) -> pd.DataFrame:
        """Return a frame of schema "cutpoint_draws"."""
        ...


# --- A reader study -------------------------------------------------------------------------------


class DesignLike(Protocol):
    """The design of a reader study, as found in its data."""

    @property
    def pattern(self) -> str:
        """How readers, cases and modalities are combined."""
        ...

    @property
    def n_reads(self) -> int:
        """Number of reads."""
        ...

    @property
    def n_missing(self) -> int:
        """Number of reads that full crossing would have beside those made."""
        ...

    def in_words(self) -> str:
        """Return the design: "fully crossed: 2 modalities x 4 readers x 40 cases ..."."""
        ...


class ReaderStudyLike(Protocol):
    """A study of several readers: its sample, and the questions a report asks."""

    @property
    def modalities(self) -> tuple[str, ...]:
        """Names of the modalities."""
        ...

    @property
    def readers(self) -> tuple[str, ...]:
        """Names of the readers."""
        ...

    @property
    def machines(self) -> tuple[str, ...]:
        """Names of the machines, if there are any."""
        ...

    @property
    def design(self) -> DesignLike:
        """Who read which cases under which modality."""
        ...

    @property
    def labels(self) -> dict[str, str]:
        """Labels in print, by name."""
        ...

    @property
    def outcome(self) -> str | None:
        """Name of the condition in words, if it was given."""
        ...

    @property
    def pos_label(self) -> Any:
        """The label of positives in the data."""
        ...

    @property
    def n_pos(self) -> int:
        """Number of positive cases."""
        ...

    @property
    def n_neg(self) -> int:
        """Number of negative cases."""
        ...

    @property
    def n_dropped(self) -> int:
        """Number of rows omitted for a missing value."""
        ...

    @property
    def cluster(self) -> RoleLike | None:
        """Clusters of correlated cases, if any."""
        ...

    @property
    def units(self) -> Units | None:
        """Patients, or other units, that have several rows; None where each row is one."""
        ...

    @property
    def group(self) -> RoleLike | None:
        """Subgroups without common cases, if any."""
        ...

    def roc_curve(self) -> pd.DataFrame:
        """Return the curves of readers, and their averages."""
        ...

    def auc(self, **options: Any) -> pd.DataFrame:
        """Return the areas of readers, and their averages."""
        ...

    def compare_auc(self, **options: Any) -> pd.DataFrame:
        """Return the differences of modalities."""
        ...

    def compare_with(self, machine: Any, /, **options: Any) -> pd.DataFrame:
        """Return readers minus a machine."""
        ...

    def machine_study(self, machine: Any, /) -> StudyLike:
        """Return the binary study of a machine's scores."""
        ...

    def components(self, **options: Any) -> pd.DataFrame:
        """Return the variance components."""
        ...

    def operating_points(self, **options: Any) -> pd.DataFrame:
        """Return rates of calls."""
        ...


# --- A survival study -----------------------------------------------------------------------------


class SurvivalStudyLike(Protocol):
    """A study of times to an event: its sample, and the questions a report asks."""

    @property
    def predictors(self) -> tuple[str, ...]:
        """Names of the predictors."""
        ...

    @property
    def labels(self) -> dict[str, str]:
        """Labels in print, by name."""
        ...

    @property
    def outcome(self) -> str | None:
        """Name of the event in words, if it was given."""
        ...

    @property
    def time(self) -> Any:
        """Times of follow-up."""
        ...

    @property
    def event(self) -> Any:
        """What ended them: 0 for censored, else the cause."""
        ...

    @property
    def cause(self) -> int:
        """Code of the event of interest."""
        ...

    @property
    def n_patients(self) -> int:
        """Number of patients."""
        ...

    @property
    def n_events(self) -> int:
        """Number of patients with the event of interest."""
        ...

    @property
    def n_censored(self) -> int:
        """Number of censored patients."""
        ...

    @property
    def events_in_words(self) -> str:
        """Numbers with the event, with a competing one and censored, and the codes."""
        ...

    @property
    def n_dropped(self) -> int:
        """Number of rows omitted for a missing value."""
        ...

    @property
    def cluster(self) -> RoleLike | None:
        """Clusters of correlated patients, if any."""
        ...

    @property
    def group(self) -> RoleLike | None:
        """Subgroups without common patients, if any."""
        ...

    def roc_curve(self, **options: Any) -> pd.DataFrame:
        """Return the curves at given times."""
        ...

    def auc(self, **options: Any) -> pd.DataFrame:
        """Return the areas at given times."""
        ...

    def auc_band(self, **options: Any) -> pd.DataFrame:
        """Return areas with limits that hold at all times together."""
        ...

    def compare_auc(self, **options: Any) -> pd.DataFrame:
        """Return the differences of predictors at given times."""
        ...

    def operating_points(self, **options: Any) -> pd.DataFrame:
        """Return rates and predictive values at thresholds."""
        ...

    def concordance(self, **options: Any) -> pd.DataFrame:
        """Return one number over all times."""
        ...
