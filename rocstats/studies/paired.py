"""Predictors on the same cases, compared from what a data engine counted and summed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.inference.areas.auc import auc
from rocstats.inference.comparison.areas import compare_auc
from rocstats.inference.comparison.equality import test_equal_auc
from rocstats.inference.estimates.pairs import Across
from rocstats.sample.describe import as_html, as_text, in_short
from rocstats.sample.summed import SummedSample
from rocstats.stats.comparison.hypotheses import Hypothesis
from rocstats.stats.comparison.multiplicity import AreaAdjustment
from rocstats.stats.comparison.plan import DifferenceInterval
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.intervals.records import AREA_INTERVALS, Interval


@dataclass(frozen=True, eq=False, repr=False)
class PairedCounts:
    """Areas of predictors on the same cases, with their covariance, by group.

    Made by ``count_paired``. It holds sizes and sums, no rows: it is small, immutable, and can be
    pickled.
    """

    _sample: SummedSample
    _counted: Mapping[str, str]
    _spanned: bool

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
            An interval of ``Study.auc`` that takes no resamples.
        confidence_level, alternative, null_value
            As in ``Study.auc``.

        Returns
        -------
        pandas.DataFrame
            The columns of ``Study.auc``.

        Raises
        ------
        InputError
            If a word is unknown, or the interval takes resamples.
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
        across: Across = "predictors",
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
            If there is nothing to compare, a word is unknown, or clusters span groups whose areas
            are compared or adjusted together.
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
        if self._spanned and (across == "groups" or adjust == "single-step"):
            word = "across" if across == "groups" else "adjust"
            got = across if across == "groups" else adjust
            raise InputError(
                f"`{word}` must not be {got!r} where clusters have cases in several groups, whose"
                " covariance was not summed. Split such clusters, or make a Study of the rows."
            )

    def _facts(self) -> dict[str, str]:
        sample = self._sample
        facts = {
            "predictors": in_short(
                f"{name}{'' if higher else ' (lower is positive)'}"
                for name, higher in zip(sample.predictors, sample.higher_is_positive, strict=True)
            ),
            "positives": f"{sample.n_pos:,.0f} (label {sample.pos_label!r})",
            "negatives": f"{sample.n_neg:,.0f}",
        }
        if sample.group is not None:
            facts["groups"] = f"{len(sample.group.labels):,}"
        return {**facts, **self._counted}

    def __repr__(self) -> str:
        return as_text(type(self).__name__, self._facts())

    def _repr_html_(self) -> str:
        return as_html(type(self).__name__, self._facts())
