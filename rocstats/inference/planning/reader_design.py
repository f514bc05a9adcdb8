"""Design of a reader study: two modalities, several readers, and where the variances come from.

The variances are those of a pilot study (Obuchowski and Rockette's components, from its frame or
from numbers [hillis-2011]) or of the model of Roe and Metz (``reader_model``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_open_interval, require_whole
from rocstats.estimate.claim import Hypothesis
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.readers import Effect
from rocstats.estimate.simulate import Nested, RoeMetz, Structure
from rocstats.inference.planning.designs import (
    require_planned_comparison,
    set_design_field,
    settle_design_options,
)
from rocstats.inference.planning.reader_model import Variances, read_roe_metz_model
from rocstats.study.points import number_array

# --- Design ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ReaderDesign:
    """Two modalities, each read by several readers, and the difference of their average areas.

    The variances come from a pilot study (``components``) or from the model of Roe & Metz
    (``structure`` or ``variances``). A pilot with readers and cases like those planned is better.

    Parameters
    ----------
    auc, reference_auc : float in (0, 1), optional
        The assumed average areas over readers; with the model.
    difference : float in (-1, 1), optional
        The assumed difference of the average areas; with a pilot. Take a difference that would
        matter, not that of the pilot.
    components : pandas.DataFrame or mapping of str to float, optional
        Obuchowski and Rockette's components: the frame of ``ReaderStudy.components()``, or numbers
        for "modality-x-reader", "error" and "cov-1" to "cov-3". Correlations, "correlation-1" to
        "correlation-3", may stand for covariances.
    pilot_n_pos, pilot_n_neg : int >= 1, optional
        Numbers of cases of the study that the components come from.
    structure : {"HL", "LL", "HH", "LH"}, optional
        Variances of Roe & Metz, as in ``simulate_readers``: high or low correlation of the ratings
        of a case; high or low variability of readers.
    variances : mapping of str to float or sequence, optional
        Variances of that model, as in ``simulate_readers``.
    readers : {"random", "fixed"}, default "random"
        What the result generalises to:

        - "random": the population of readers.
        - "fixed": these very readers; needs fewer of them.
    nested : {None, "readers", "cases"}, optional
        Whether each modality has its own readers, or its own cases; with the model only.
    alternative, hypothesis, margin
        As in ``TwoAUCs``. The power of "two-sided" counts the studies that find a difference on the
        side of the true one; rejections on the wrong side are not counted.

    Raises
    ------
    InputError
        Unless the variances have one source and all its numbers; if the alternative is not true as
        assumed, or a word or number is not possible.

    See Also
    --------
    simulate_readers : ratings of such a study.

    References
    ----------
    - Hillis, Obuchowski & Berbaum (2011) [hillis-2011]
    - Roe & Metz (1997) [roe-1997]
    - Gallas & Hillis (2014) [gallas-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> design = rs.ReaderDesign(0.85, 0.8, structure="LH")
    >>> rs.power(design, n_readers=[5, 10], n_pos=50, n_neg=50)[["n_readers", "power"]].round(3)
       n_readers  power
    0          5  0.203
    1         10  0.374
    """

    auc: float | None = None
    reference_auc: float | None = None
    _: KW_ONLY
    difference: float | None = None
    components: Any = None
    pilot_n_pos: int | None = None
    pilot_n_neg: int | None = None
    structure: Structure | None = None
    variances: Variances | None = None
    readers: Effect = "random"
    nested: Nested | None = None
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None

    def __post_init__(self) -> None:
        settle_design_options(self, readers=("random", "fixed"), nested=("readers", "cases", None))
        self._require_source()
        if self.components is not None:
            set_design_field(self, "components", _read_components(self.components))
            advice = "Pass the number of cases of the pilot."
            for name in ("pilot_n_pos", "pilot_n_neg"):
                require_whole(name, getattr(self, name), 1, advice)
        else:
            for name in ("auc", "reference_auc"):
                require_open_interval(name, getattr(self, name), 0, 1)
            reader_model_of(self)  # raises InputError for variances that are not possible
            set_design_field(
                self, "difference", float(self.auc or 0) - float(self.reference_auc or 0)
            )
        require_open_interval("difference", self.difference, -1, 1)
        require_planned_comparison(self)

    def _require_source(self) -> None:
        """Raise InputError unless either a pilot or a model is described."""
        source, unused = "the model", ["difference", "pilot_n_pos", "pilot_n_neg"]
        if self.components is not None:
            source, unused = "a pilot", ["auc", "reference_auc", "structure", "variances", "nested"]
        for name in unused:
            if getattr(self, name) is not None:
                raise InputError(
                    f"`{name}` must stay out of a design whose variances are those of {source}; got"
                    f" {getattr(self, name)!r}. Give the variances by `components`, or by"
                    " `structure` or `variances`."
                )


def reader_model_of(design: ReaderDesign) -> RoeMetz:
    """Return the model of the ratings of a design that has one."""
    areas = np.array([design.auc, design.reference_auc], dtype=np.float64)
    return read_roe_metz_model(areas, None, design.structure, design.variances, 2)


# --- Components of a pilot study, from its frame or from numbers ----------------------------------


class PilotComponents(NamedTuple):
    """Variances of Obuchowski and Rockette's model with a number of cases.

    ``modality_reader`` is that of readers by modalities; ``error`` is the variance of an area from
    the sample of cases, ``cov1`` to ``cov3`` its covariances.
    """

    modality_reader: float
    error: float
    cov1: float
    cov2: float
    cov3: float

    def with_cases(self, scale: float) -> PilotComponents:
        """Return the components with the variances of case sampling times ``scale``."""
        return PilotComponents(self.modality_reader, *(scale * value for value in self[1:]))


_COMPONENT_NAMES = ("modality-x-reader", "error", "cov-1", "cov-2", "cov-3")


def _read_components(given: Any) -> PilotComponents:
    """Return the components; raise InputError unless all are there, and possible."""
    named = _pilot_components_of_frame(given) if isinstance(given, pd.DataFrame) else given
    if not isinstance(named, Mapping):
        raise InputError(
            "`components` must be a frame of ReaderStudy.components() or a mapping; got"
            f" {type(given).__name__}. Pass for instance components=pilot.components()."
        )
    values = dict(named)
    for k in "123":
        if f"cov-{k}" not in values and f"correlation-{k}" in values:
            correlation = _pilot_component(values, f"correlation-{k}")
            values[f"cov-{k}"] = correlation * _pilot_component(values, "error")
    components = PilotComponents(*(_pilot_component(values, name) for name in _COMPONENT_NAMES))
    if components.error <= 0:
        raise InputError(
            "`components` must have a variance above 0 as 'error'; got"
            f" {components.error:g}. Take a pilot with more cases."
        )
    # What the difference of one reader varies by: without it no number of cases would be too few.
    if components.error <= components.cov1:
        raise InputError(
            "`components` must have an 'error' above 'cov-1'; got"
            f" {components.error:g} and {components.cov1:g}. Check the numbers."
        )
    return components


def _pilot_components_of_frame(frame: pd.DataFrame) -> dict[str, float]:
    """Return the components of Obuchowski and Rockette's model by name."""
    missing = {"model", "component", "estimate"} - set(frame.columns)
    if missing:
        raise InputError(
            "`components` must be a frame of ReaderStudy.components(); got one without"
            f" {', '.join(sorted(missing))}. Pass for instance components=pilot.components()."
        )
    rows = frame[frame["model"] == "obuchowski-rockette"]
    if rows["component"].duplicated().any():
        raise InputError(
            "`components` must have each component once; got a frame of several groups. Take the"
            " rows of one group."
        )
    return dict(zip(rows["component"], rows["estimate"].tolist(), strict=True))


def _pilot_component(values: Mapping[str, Any], name: str) -> float:
    number = number_array(values.get(name))
    if number.shape != (1,) or not np.isfinite(number[0]):
        got = repr(values[name]) if name in values else f"only {', '.join(map(str, values))}"
        raise InputError(
            f"`components` must have a finite number as {name!r}; got {got}. A pilot needs two"
            " modalities and two readers, each reading every case."
        )
    return float(number[0])
