"""Type of the survival study, as far as its report uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from rocstats.present.protocols import RoleLike

if TYPE_CHECKING:
    import pandas as pd


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
