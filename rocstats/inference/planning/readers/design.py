"""A planned comparison of two modalities by several readers."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np

from rocstats.errors import InputError, require_choice, require_open_interval, require_whole
from rocstats.inference.planning.design_checks import require_comparison
from rocstats.inference.planning.readers.components import read_components
from rocstats.inference.planning.readers.model import Variances, read_model
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.planning.readers import Components, PlannedTest, of_components, of_model
from rocstats.stats.readers.record import Factor
from rocstats.stats.readers.simulated import Nested, ReadingPlan, RoeMetz, Structure


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
    readers: Factor = "random"
    nested: Nested | None = None
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "difference"
    margin: float | None = None

    def __post_init__(self) -> None:
        self._settle("readers", require_choice("readers", self.readers, ("random", "fixed")))
        self._settle("nested", require_choice("nested", self.nested, ("readers", "cases", None)))
        self._require_source()
        if self.components is not None:
            self._settle("components", read_components(self.components))
            advice = "Pass the number of cases of the pilot."
            for name in ("pilot_n_pos", "pilot_n_neg"):
                require_whole(name, getattr(self, name), 1, advice)
        else:
            for name in ("auc", "reference_auc"):
                require_open_interval(name, getattr(self, name), 0, 1)
            model_of(self)  # raises InputError for variances that are not possible
            self._settle("difference", float(self.auc or 0) - float(self.reference_auc or 0))
        require_open_interval("difference", self.difference, -1, 1)
        require_comparison(self)

    def _require_source(self) -> None:
        """Raise InputError unless either a pilot or a model is described."""
        pilot = ("difference", "components", "pilot_n_pos", "pilot_n_neg")
        model = ("auc", "reference_auc", "structure", "variances", "nested")
        mine, other = (pilot, model) if self.components is not None else (model, pilot)
        for name in other:
            if getattr(self, name) is not None:
                raise InputError(
                    f"`{name}` must stay out of a design {_SOURCES[mine == pilot]}; got"
                    f" {getattr(self, name)!r}. Give the variances by `components`, or by"
                    " `structure` or `variances`."
                )

    def _settle(self, name: str, value: Any) -> None:
        # The only way to fill a field of a frozen dataclass.
        object.__setattr__(self, name, value)


_SOURCES = {
    True: "whose variances are those of a pilot",
    False: "whose variances are those of the model",
}


class ReaderSizes(NamedTuple):
    """Numbers of readers, groups, positives and negatives of the whole study."""

    n_readers: int
    n_groups: int
    n_pos: int
    n_neg: int


def planned_reader_test(design: ReaderDesign, sizes: ReaderSizes) -> PlannedTest:
    """Return the planned test with numbers of readers and cases."""
    r, groups, n_pos, n_neg = sizes
    if design.components is not None:
        return of_components(_scaled(design, n_pos, n_neg), r, groups, design.readers)
    plan = ReadingPlan(r, n_pos, n_neg, groups, design.nested)
    return of_model(model_of(design), plan, design.readers)


def model_of(design: ReaderDesign) -> RoeMetz:
    """Return the model of the ratings of a design that has one."""
    areas = np.array([design.auc, design.reference_auc], dtype=np.float64)
    return read_model(areas, None, design.structure, design.variances, 2)


def _scaled(design: ReaderDesign, n_pos: int, n_neg: int) -> Components:
    """Return the components of a pilot with other numbers of cases."""
    # docs/methods/planning.md: c*/c where the share of positives stays; else as if a positive and a
    # negative had the same variance.
    pilot = 1 / float(design.pilot_n_pos or 0) + 1 / float(design.pilot_n_neg or 0)
    scaled = (1 / n_pos + 1 / n_neg) / pilot
    components: Components = design.components
    return components.with_cases(scaled)
