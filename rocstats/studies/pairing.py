"""Predictors on the same cases, counted where their rows are, to compare their areas.

A data engine counts and sums; ``PairedCounts`` answers from the counts and sums alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.counts.count import (
    CellCounts,
    area_bound,
    cell_of_score,
    names_given,
    read_by,
    read_precision,
)
from rocstats.counts.engines import count_finely
from rocstats.counts.paired import SIZE_POWERS, PairedColumns, PairedRows, PlacedCells, power_name
from rocstats.curves.areas import FULL_RANGE
from rocstats.errors import InputError, require_choice
from rocstats.estimate.claim import AreaAdjustment, DifferenceInterval, Hypothesis
from rocstats.estimate.compare import ComparedAcross
from rocstats.estimate.influence import placement_deviations
from rocstats.estimate.intervals import AREA_INTERVALS, Interval
from rocstats.estimate.quantiles import Alternative
from rocstats.facts.arrays import FloatArray
from rocstats.facts.tolerances import SAME_TO_ROUNDING
from rocstats.inference.auc.auc import auc
from rocstats.inference.auc.compare import compare_auc
from rocstats.inference.auc.equality import test_equal_auc
from rocstats.study.base import names_in_short, study_description_as_html, study_description_as_text
from rocstats.study.count_tables import ScoreCounts, most_positive_first
from rocstats.study.summed import InfluenceSums, SummedCases, SummedSample
from rocstats.study.vectors import read_directions

# --- Counting -------------------------------------------------------------------------------------


def count_paired(
    frame: Any,
    label: str,
    score: Sequence[str],
    *,
    pos_label: Any = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    cluster: str | None = None,
    by: str | Sequence[str] = (),
    bits: int | None = None,
    exact: bool = False,
    tolerance: float | None = None,
) -> PairedCounts:
    """Return AUCs of predictors on the same cases, with covariances, from a data engine.

    Use this function to compare predictors on data that are too large for memory. The data engine
    (such as DuckDB or PySpark) counts the scores, and only the counts come into memory. If the rows
    fit in memory, use ``Study``, which has all methods. The result of this function has three
    methods. For a single predictor, use ``count_scores``.

    Parameters
    ----------
    frame : dataframe
        Frame of a data engine: pandas, Polars, DuckDB, Dask, PySpark or pyarrow, eager or lazy.
    label : str
        Column of the labels.
    score : sequence of str
        Columns of the scores, one for each of two or more predictors.
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Direction of each predictor: True if higher scores mean positive.
    cluster : str, optional
        Column of the units whose rows are dependent; standard errors are then Obuchowski's.
    by : str or sequence of str, optional
        Columns of groups: areas are compared in each group, or across groups.
    bits : int in [1, 50], optional
        Number of significant bits of the scores. Scores that agree in these bits form a cell, and
        count as ties. By default 10 bits. Large data get more bits, until the bound on the error of
        each area is at most a tenth of the area's standard error.
    exact : bool, default False
        Whether to count each distinct score. Areas are then exact, but all distinct scores must fit
        in memory.
    tolerance : float in (0, 1), optional
        Largest allowed bound on the error of an area in any group; it determines the number of
        bits. The bound on the error of a difference is up to twice as large. Pass only one of
        ``bits``, ``exact`` and ``tolerance``.

    Returns
    -------
    PairedCounts
        Object with the methods ``auc()``, ``compare_auc()`` and ``test_equal_auc()`` of a
        ``Study``. If cells contain several scores, the frames have the column ``binning_error``, a
        bound on the error, and limits are widened by this bound.

    Raises
    ------
    InputError
        If a column is missing or has missing values; if an engine would read the name of a column
        as a pattern ("*", "^...$"); if there are more than two labels; or if a class has no cases.
        Also if ``bits`` is too small, so that the bound on the error of an area exceeds a tenth of
        its standard error; the message names a sufficient number.

    Notes
    -----
    The engine reads the rows k + 1 times for k predictors. First it counts the positives and
    negatives in the cells of each predictor. These counts determine the placements V10 and V01 of a
    case (DeLong). Then the engine joins the placements to the rows and sums the products (V_i -
    A_i)(V_j - A_j) of two predictors i and j in each class. With clusters, the engine first sums
    the differences V - A by cluster. Only counts and sums leave the engine. The areas A are
    subtracted before the products are formed, so that no digits are lost. The frames equal the
    frames of a ``Study`` within 1e-9.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Obuchowski (1997), for clusters [obuchowski-1997]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_breast_cancer()
    >>> pairs = rs.count_paired(
    ...     data, "diagnosis", ["area", "texture"], pos_label="malignant", exact=True
    ... )
    >>> pairs.compare_auc()[["predictor", "reference", "estimate", "ci_low", "ci_high"]].round(3)
      predictor reference  estimate  ci_low  ci_high
    0      area   texture     0.162   0.119    0.206
    """
    names = _read_score_column_names(score)
    higher = read_directions(higher_is_positive, names)
    precision = read_precision(bits, exact, tolerance)
    rows = PairedRows(frame, PairedColumns(label, names, cluster, read_by(by)), pos_label)
    counted_sources = [count_finely(source, precision) for source in rows.sources]
    tables, used = [counts for counts, _ in counted_sources], [each for _, each in counted_sources]
    clusters_span_groups = rows.n_spanning() > 0
    # A line for each predictor, a column for each group.
    areas = [
        [_paired_area_in_group(part, each, up) for part in table.by_group()]
        for table, each, up in zip(tables, used, higher, strict=True)
    ]
    sums = rows.sum_products([[area.cells for area in line] for line in areas], used)
    cases = []
    for group, column in zip(tables[0].groups, zip(*areas, strict=True), strict=True):
        part = sums[[at == group for at in sums["group"]]]
        of_group = _summed_cases_of_group(part, column, higher, clustered=cluster is not None)
        cases.append((group, of_group))
    label_of = 1 if pos_label is None else pos_label
    sample = SummedSample.of(names, label_of, cases, tables[0].names)
    words = ["every score" if each is None else f"cells of {each} bits" for each in used]
    cells = ", ".join(dict.fromkeys(words))
    return PairedCounts(sample, {"engine": rows.engine, "counted by": cells}, clusters_span_groups)


def _read_score_column_names(score: Any) -> tuple[str, ...]:
    """Return the names of two or more columns of scores."""
    names = names_given(score)
    texts = all(isinstance(name, str) for name in names)
    if len(names) < 2 or not texts or len(set(names)) < len(names):
        raise InputError(
            f"`score` must name two or more columns of scores, each once; got {score!r}. Pass a"
            " list of names; for a single predictor use count_scores."
        )
    return names


class _PairedArea(NamedTuple):
    """One predictor in one group: its area, what goes with it, and the values at its cells."""

    n_pos: float
    n_neg: float
    value: float
    unclustered: FloatArray
    binning_error: float
    cells: PlacedCells


def _paired_area_in_group(counts: CellCounts, bits: int | None, higher: bool) -> _PairedArea:
    """Return the area of a predictor in one group; NaN if the group lacks a class."""
    ascending = ScoreCounts(counts.low, counts.n_pos, counts.n_neg)
    table = most_positive_first(ascending, higher)
    value, parts, of_neg, of_pos = np.nan, [np.nan, np.nan], table.n_neg, table.n_pos
    if table.total_pos and table.total_neg:
        value, parts, of_neg, of_pos = placement_deviations(table, FULL_RANGE)
    error = area_bound(counts)
    # As for a study of counts: a bound that is attained must not fall short by rounding.
    error += SAME_TO_ROUNDING if error > 0 else 0.0
    rank = np.arange(len(table.score))
    group = counts.groups[counts.group[0]]
    cells = PlacedCells(group, cell_of_score(table.score, bits), of_pos, of_neg, rank)
    return _PairedArea(table.total_pos, table.total_neg, value, np.array(parts), error, cells)


def _summed_cases_of_group(
    rows: pd.DataFrame, areas: Sequence[_PairedArea], higher: tuple[bool, ...], clustered: bool
) -> SummedCases:
    """Return the cases of one group from its rows of ``sum_products``."""
    n_pos, n_neg = float(rows["n_pos"].sum()), float(rows["n_neg"].sum())
    for area in areas:
        if (area.n_pos, area.n_neg) != (n_pos, n_neg):
            raise InputError(
                "`frame` must not change while it is counted; got"
                f" {area.n_pos:.0f} positives and {area.n_neg:.0f} negatives at first, then"
                f" {n_pos:.0f} and {n_neg:.0f} of the same scores. Write the rows to a file first."
            )
    sums = None
    if n_pos and n_neg:
        sums = _influence_sums_of_group(rows, areas, np.array([n_pos, n_neg]), clustered=clustered)
    return SummedCases.of((n_pos, n_neg), sums, higher, clustered=clustered)


# Positives only, negatives only, both: the kinds of units in the order of ``InfluenceSums``.
_UNIT_KINDS = [(1, 0), (0, 1), (1, 1)]


def _influence_sums_of_group(
    rows: pd.DataFrame, areas: Sequence[_PairedArea], sizes: FloatArray, *, clustered: bool
) -> InfluenceSums:
    k = len(areas)
    width = 2 * k if clustered else k
    names = [[f"product_{min(i, j)}_{max(i, j)}" for j in range(width)] for i in range(width)]
    n_units, products = np.zeros(3), np.zeros((3, 2 * k, 2 * k))
    powers = np.zeros((3, len(SIZE_POWERS)))
    for row in rows.to_dict("records"):
        kind = _UNIT_KINDS.index((int(row["has_pos"]), int(row["has_neg"])))
        n_units[kind] = row["n_units"]
        powers[kind] = [row.get(power_name(each), 0.0) for each in SIZE_POWERS]
        # A case has values of its own class alone.
        start = 0 if clustered else k * kind
        place = slice(start, start + width)
        products[kind, place, place] = [[row[name] for name in line] for line in names]
    alike = np.eye(k, dtype=bool)
    for i, j in combinations(range(k), 2):
        alike[i, j] = alike[j, i] = rows[f"differ_{i}_{j}"].sum() == 0
    scale = np.repeat(1 / sizes, k)
    return InfluenceSums(
        np.array([area.value for area in areas]),
        n_units,
        *_effective_numbers(powers if clustered else None, n_units, sizes),
        products * np.outer(scale, scale),
        np.array([area.unclustered for area in areas]).T,
        alike,
        np.array([area.binning_error for area in areas]),
    )


def _effective_numbers(
    powers: FloatArray | None, n_units: FloatArray, sizes: FloatArray
) -> tuple[FloatArray, tuple[float, float]]:
    """Return the equal units of each kind, and Kish's numbers of units with a case of each class.

    ``powers`` (3 x 8) are the sums of ``SIZE_POWERS`` over the clusters of each kind, if any.
    """
    if powers is None:
        return n_units, (float(n_units[0]), float(n_units[1]))
    # Of shares in place of numbers: (p + q)^2 and (p + q)^4 by their binomial coefficients.
    of_share = [comb(a + b, a) / sizes[0] ** a / sizes[1] ** b for a, b in SIZE_POWERS]
    terms = powers * of_share
    squares, fourths = terms[:, :3].sum(axis=1), terms[:, 3:].sum(axis=1)
    each = np.divide(squares**2, fourths, out=np.zeros(3), where=fourths > 0)
    of_pos, of_neg = (sizes**2 / powers.sum(axis=0)[[0, 2]]).tolist()
    return each, (of_pos, of_neg)


# --- Answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PairedCounts:
    """Areas of predictors on the same cases, with their covariance, by group.

    ``count_paired`` returns this object. It contains numbers and sums, but no rows. It is small,
    immutable, and can be pickled.
    """

    _sample: SummedSample
    _how_counted: Mapping[str, str]
    _clusters_span_groups: bool

    @property
    def predictors(self) -> tuple[str, ...]:
        """Names of the predictors."""
        return self._sample.predictors

    @property
    def n_pos(self) -> float:
        """Number of positives."""
        return self._sample.n_pos

    @property
    def n_neg(self) -> float:
        """Number of negatives."""
        return self._sample.n_neg

    def auc(
        self,
        *,
        interval: Interval = "logit-t",
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
        null_value: float | None = None,
    ) -> pd.DataFrame:
        """Return the area under the ROC curve; a row is the AUC of one predictor (in one group).

        Parameters
        ----------
        interval : str, default "logit-t"
            An interval of ``Study.auc`` that needs no resamples.
        confidence_level, alternative, null_value
            As in ``Study.auc``.

        Returns
        -------
        pandas.DataFrame
            The columns of ``Study.auc``.

        Raises
        ------
        InputError
            If an option is unknown, or the interval needs resamples.
        """
        closed = [record.word for record in AREA_INTERVALS if not record.resampled]
        return auc(
            self._sample,
            interval=require_choice("interval", interval, closed),
            confidence_level=confidence_level,
            alternative=alternative,
            null_value=null_value,
        )

    def compare_auc(
        self,
        *,
        reference: str | None = None,
        across: ComparedAcross = "predictors",
        contrasts: Mapping[str, Sequence[float]] | npt.ArrayLike | None = None,
        hypothesis: Hypothesis = "difference",
        margin: float | None = None,
        alternative: Alternative = "two-sided",
        null_value: float = 0.0,
        adjust: AreaAdjustment = "holm",
        confidence_level: float = 0.95,
        interval: DifferenceInterval | None = None,
    ) -> pd.DataFrame:
        """Return differences of areas; a row is one pair of predictors (or groups) or one contrast.

        Parameters
        ----------
        reference, across, contrasts, hypothesis, margin, alternative, null_value
            As in ``Study.compare_auc``.
        adjust, confidence_level
            As in ``Study.compare_auc``.
        interval : {"t", "wald", "mover"}, optional
            As in ``Study.compare_auc``, with DeLong's covariance (Obuchowski's with clusters).

        Returns
        -------
        pandas.DataFrame
            The columns of ``Study.compare_auc``.

        Raises
        ------
        InputError
            If there is nothing to compare; if an option is unknown; or if clusters span groups
            whose areas are compared or adjusted together.
        """
        interval = require_choice("interval", interval, (None, "t", "wald", "mover"))
        self._require_own_clusters(across, adjust)
        return compare_auc(
            self._sample,
            reference=reference,
            across=across,
            contrasts=contrasts,
            hypothesis=hypothesis,
            margin=margin,
            alternative=alternative,
            null_value=null_value,
            adjust=adjust,
            confidence_level=confidence_level,
            interval=interval,
        )

    def test_equal_auc(self) -> pd.DataFrame:
        """Return the global test that all predictors have the same area; a row is one test.

        Returns
        -------
        pandas.DataFrame
            The columns of ``Study.test_equal_auc``.
        """
        return test_equal_auc(self._sample)

    def _require_own_clusters(self, across: str, adjust: str) -> None:
        # Sums by group leave out what clusters with cases in two groups add to their covariance.
        if self._clusters_span_groups and (across == "groups" or adjust == "single-step"):
            word = "across" if across == "groups" else "adjust"
            got = across if across == "groups" else adjust
            raise InputError(
                f"`{word}` must not be {got!r} if clusters have cases in several groups, because"
                " their covariance was not computed. Split such clusters, or make a Study of the"
                " rows."
            )

    def _facts(self) -> dict[str, str]:
        sample = self._sample
        facts = {
            "predictors": names_in_short(
                f"{name}{'' if higher else ' (lower is positive)'}"
                for name, higher in zip(sample.predictors, sample.higher_is_positive, strict=True)
            ),
            "positives": f"{sample.n_pos:,.0f} (label {sample.pos_label!r})",
            "negatives": f"{sample.n_neg:,.0f}",
        }
        if sample.group is not None:
            facts["groups"] = f"{len(sample.group.labels):,}"
        return {**facts, **self._how_counted}

    def __repr__(self) -> str:
        return study_description_as_text(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return study_description_as_html(type(self).__name__, self._facts())
