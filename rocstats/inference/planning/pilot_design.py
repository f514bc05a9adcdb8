"""A planned comparison of two areas whose variance is that of a pilot study."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np

from rocstats.errors import InputError, require_name, require_open_interval
from rocstats.inference.planning.design_checks import require_comparison, require_pilot
from rocstats.inference.planning.designs import NullVariance
from rocstats.sample.sample import Sample
from rocstats.stats.areas.delong import areas_of
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.influence.areas import area_covariance
from rocstats.stats.intervals.quantiles import Alternative


@dataclass(frozen=True, eq=False)
class PilotAUCs:
    """Two predictors on the same cases, with DeLong's variance of a pilot study.

    Parameters
    ----------
    pilot : Study
        The pilot: independent cases, without clusters, folds, groups and weights.
    predictor, reference : str, optional
        The predictors to be compared; default, if the pilot has two: the first and the second.
    difference : float in (-1, 1), optional
        The assumed difference of the areas; by default that of the pilot, which is uncertain, and
        too large where the pilot was chosen for it.
    alternative, hypothesis, margin
        As in ``TwoAUCs``.
    null_variance : {"alternative", "reference"}, default "alternative"
        As in ``PairedAUCs``.

    Raises
    ------
    InputError
        If the alternative is not true as assumed, a predictor is not known, the pilot has roles
        that DeLong's variance does not honour or a class of one, or the predictors rank all its
        cases alike.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> pilot = rs.Study("diagnosis", ["area", "texture"], data=data, pos_label="malignant")
    >>> round(rs.PilotAUCs(pilot).difference, 3)
    0.162
    """

    pilot: Sample
    _: KW_ONLY
    predictor: str | None = None
    reference: str | None = None
    difference: float | None = None
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None
    null_variance: NullVariance = "alternative"

    def __post_init__(self) -> None:
        require_pilot(self.pilot)
        columns = columns_of(self)
        covariance = area_covariance(self.pilot.cases, columns)
        contrast = np.array([1.0, -1.0])
        # Without a variance every number of cases would do; "not >" refuses NaN as well.
        if not contrast @ covariance.covariance @ contrast > 0:
            raise InputError(
                "`pilot` must have predictors whose areas differ by chance, too; got a variance of"
                " 0. Take predictors that rank the cases differently."
            )
        if self.difference is None:
            first, second = (area.value for area in areas_of(self.pilot.cases, covariance))
            # The only way to fill a field of a frozen dataclass.
            object.__setattr__(self, "difference", first - second)
        require_open_interval("difference", self.difference, -1, 1)
        require_comparison(self)


def columns_of(design: PilotAUCs) -> tuple[int, int]:
    """Return the positions of predictor and reference in the pilot."""
    names = design.pilot.predictors
    given = (design.predictor, design.reference)
    if all(name is None for name in given) and len(names) == 2:
        return 0, 1
    for argument, name in zip(("predictor", "reference"), given, strict=True):
        require_name(argument, name, names)
    if design.predictor == design.reference:
        raise InputError(
            f"`reference` must be another predictor than {design.predictor!r}; got the same."
            f" The predictors are {list(names)}."
        )
    return names.index(str(design.predictor)), names.index(str(design.reference))
