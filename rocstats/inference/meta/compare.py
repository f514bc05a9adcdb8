"""Comparisons of the studies of a review by a covariate: levels, odds ratios and tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import InputError, require_choice, require_name, require_open_interval
from rocstats.estimate.answers import answer_row_without_result, answer_rows
from rocstats.estimate.quantiles import t_p_value, t_quantile
from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray
from rocstats.frame.question import ESTIMATE, Question, estimate_columns
from rocstats.inference.meta.fits import Fit, fit_model
from rocstats.inference.meta.model import N_NODES
from rocstats.inference.meta.reviews import (
    RATES,
    Review,
    fit_notes,
    known_cells,
    rate_cells,
    rate_of_coefficient,
    read_n_nodes,
    read_review,
    review_notes,
    totals_cells,
)
from rocstats.study.meta import MetaSample

# --- Question -------------------------------------------------------------------------------------

COMPARE = Question(
    "compare",
    estimate_columns(
        f"predictor reference group level quantity {ESTIMATE} null_value statistic df_numerator df"
        " p_value n_studies n_pos n_neg method note"
    ),
    ("chu-2006", "reitsma-2005"),
    adjusts=True,
)
LevelCovariance = Literal["common", "separate"]
_FEWEST, _FEWEST_SEPARATE = 3, 5
"""Studies that a level needs: for a mean, and for a correlation of its own."""
ODDS_RATIOS = ("tpr_odds_ratio", "tnr_odds_ratio")
ALL = "all"


def compare(
    sample: MetaSample,
    *,
    by: str | None = None,
    reference: str | None = None,
    covariance: LevelCovariance = "common",
    n_nodes: int = N_NODES,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Return sensitivity and specificity by the levels of a covariate, with odds ratios and tests.

    Use this method to compare modalities, designs or thresholds between studies, and for the slope
    of a number such as the year. Studies with one level differ from studies with another in other
    ways too: the difference need not be caused by the level.

    Parameters
    ----------
    by : str, optional
        Covariate of the study; needed if there are several.
    reference : str, optional
        Level that all others are compared with; default: the first one.
    covariance : {"common", "separate"}, default "common"
        Covariance of the logits over studies:

        - "common": one for all levels. Each level needs three studies.
        - "separate": one for each level. Each level needs five studies. Only the hypothesis of a
          common covariance is tested.
    n_nodes : int >= 7 or 1, default 21
        Nodes a dimension of the quadrature.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of each interval.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], level, quantity, estimate, ci_low, ci_high,
        p_value, se, statistic, df, df_numerator, n_studies, n_pos, n_neg, confidence_level,
        null_value, method, note``. The rows are both rates of each level, then the odds ratios
        "tpr_odds_ratio" and "tnr_odds_ratio" to the reference (of a number, per unit), and in rows
        of the level "all" the tests "both_rates", "tpr" and "tnr", or "covariance".

    Raises
    ------
    InputError
        If the study has no covariate, or ``by`` is none of them; if a level has too few studies; if
        the model has more coefficients than a third of the studies; or if an option is invalid.

    Warns
    -----
    StatisticalWarning
        As for ``summary``. Studies with tables in several levels are analysed as independent (note
        ``studies-shared``), which makes the tests conservative if results are alike.

    Notes
    -----
    The means are X beta in each margin, the covariance over studies is common. With x = 2(l - l_0),
    d tested coefficients and G levels, x/d is compared with F(d, k - G); for a number G = 2. The
    statistic is x/d. In simulations the size at .05 was .02 to .07, and with the chi-square
    distribution .07 to .13. Limits have quantiles of t with k - G degrees of freedom; with separate
    covariances, those of the studies of the levels. Separate covariances are tested by chi-square
    with 3 (G - 1) degrees of freedom.

    If a rate of a level is 0 or 1 in all its studies, this rate is not compared; the other rate
    still is.

    References
    ----------
    - Chu & Cole (2006), exact bivariate model [chu-2006]
    - Reitsma, Glas, Rutjes, Scholten, Bossuyt & Zwinderman (2005), covariates [reitsma-2005]

    Examples
    --------
    >>> import rocstats as rs
    >>> data = rs.load_lymph_nodes()
    >>> cells = ("tp", "fp", "fn", "tn")
    >>> review = rs.MetaStudy(*cells, data=data, study="study", covariate="modality")
    >>> found = review.compare(reference="CT")
    >>> found[found["level"] == "all"][["quantity", "statistic", "p_value"]].round(4)
          quantity  statistic  p_value
    10  both_rates     4.2255   0.0059
    11         tpr     3.3247   0.0459
    12         tnr     7.1840   0.0021
    """
    covariance = require_choice("covariance", covariance, get_args(LevelCovariance))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    n_nodes = read_n_nodes(n_nodes)
    name = _read_covariate_name(sample, by)
    rows = []
    for group, part in sample.by_group():
        design = _read_design(part, name, reference, covariance)
        known = known_cells(part, group, confidence_level)
        blank = {"reference": "", "level": ALL}
        found = _Compared(part, design, n_nodes, confidence_level)
        cells_of = found.separate() if covariance == "separate" else found.common()
        for cells, codes in cells_of:
            rows.append(answer_row_without_result(COMPARE, {**known, **blank, **cells}, codes))
    return answer_rows(COMPARE, sample, rows)


# --- The covariate --------------------------------------------------------------------------------


class _Design(NamedTuple):
    """Levels with their codes in each study, or the numbers of a slope, and its reference."""

    name: str
    levels: tuple[str, ...]
    values: FloatArray
    reference: str

    @property
    def n_coefficients(self) -> int:
        """Number of coefficients of a margin."""
        return len(self.levels) or 2

    @property
    def x(self) -> FloatArray:
        """The design of the means: an indicator of each level, or intercept and number."""
        if self.levels:
            return np.asarray(self.values[:, None] == np.arange(len(self.levels)), np.float64)
        # Centred and in standard deviations, so that the search takes even steps.
        return np.column_stack([np.ones_like(self.values), self.scaled])

    @property
    def spread(self) -> float:
        """Standard deviation of the numbers."""
        return float(self.values.std())

    @property
    def scaled(self) -> FloatArray:
        """The numbers less their mean, in standard deviations."""
        return np.asarray((self.values - self.values.mean()) / self.spread)


def _read_covariate_name(sample: MetaSample, by: Any) -> str:
    names = [covariate.name for covariate in sample._covariates]
    if not names:
        raise InputError(
            "`covariate` must be in the study for compare; got a study without covariates. Pass"
            " covariate= to MetaStudy."
        )
    if by is None and len(names) > 1:
        raise InputError(f"`by` must name one of {names}; got None. Choose a covariate.")
    name = names[0] if by is None else by
    require_name("by", name, names)
    return str(name)


def _read_design(
    part: MetaSample, name: str, reference: Any, covariance: LevelCovariance
) -> _Design:
    """Return the design of a covariate; raise InputError unless its levels have enough studies."""
    covariate, values = part.covariate_of(name)
    k = part.n_studies
    if not covariate.levels:
        if reference is not None or covariance == "separate":
            option = "reference" if reference is not None else "covariance"
            raise InputError(
                f"`{option}` must be left out for a covariate of numbers; got {name!r}. Pass labels"
                " to compare levels."
            )
        if np.ptp(values) == 0:
            raise InputError(
                f"`by` must be a covariate that varies; got {name!r}, which is {values[0]:g} in all"
                f" {k} studies. Choose another one."
            )
        _require_few_coefficients(name, 2, k)
        return _Design(name, (), values, "")
    codes = values.astype(int)
    present = [code for code in range(len(covariate.levels)) if code in codes]
    levels = tuple(covariate.levels[code] for code in present)
    if len(levels) < 2:
        raise InputError(
            f"`by` must be a covariate with two or more levels; got {name!r} with {list(levels)}."
            " Choose another one."
        )
    fewest = _FEWEST if covariance == "common" else _FEWEST_SEPARATE
    for code, level in zip(present, levels, strict=True):
        number = int((codes == code).sum())
        if number < fewest:
            raise InputError(
                f"`by` must have levels of at least {fewest} studies; got {number} with"
                f" {name} = {level!r}. Merge levels, or leave these studies out."
            )
    _require_few_coefficients(name, len(levels), k)
    if reference is not None:
        require_name("reference", reference, levels)
    return _Design(
        name, levels, np.searchsorted(present, codes).astype(np.float64), reference or levels[0]
    )


def _require_few_coefficients(name: str, n_coefficients: int, k: int) -> None:
    if n_coefficients > k / 3:
        raise InputError(
            f"`by` must have at most a third as many coefficients as there are studies; got"
            f" {n_coefficients} of {name!r} and {k} studies. Merge levels."
        )


# --- Rows -----------------------------------------------------------------------------------------

_Rows = Iterator[tuple[dict[str, Any], list[str]]]


class _Compared(NamedTuple):
    """The studies of a group, with the design of a covariate."""

    part: MetaSample
    design: _Design
    n_nodes: int
    confidence_level: float

    def common(self) -> _Rows:
        """Yield cells and notes of each row of the model with a common covariance."""
        levels = self._reviews()
        whole = self._review_of_compared(levels)
        fit = fit_model(whole.counts, whole.free, self.n_nodes) if whole.fitted else None
        codes = review_notes(self.part)
        if any(m.is_perfect for review in levels.values() for m in review.margins):
            codes.append("perfect-margin")
        if fit is not None:
            codes += fit_notes(whole, fit)
        df = float(self.part.n_studies - self.design.n_coefficients)
        t = t_quantile((1 + self.confidence_level) / 2, df)
        for cells in (
            *self._rates_of_levels(levels, whole, fit, t),
            *self._odds_ratios(whole, fit, df, t),
            *self._tests(whole, fit, df),
        ):
            yield {"estimate": np.nan, **cells}, codes

    def _rates_of_levels(
        self, levels: dict[str, Review], whole: Review, fit: Fit | None, t: float
    ) -> Iterator[dict[str, Any]]:
        """Yield the cells of both rates of each level."""
        p = self.design.n_coefficients
        for j, (level, review) in enumerate(levels.items()):
            for m, rate in enumerate(RATES):
                cells: dict[str, Any] = {}
                if m in whole.fitted and fit is not None:
                    cells = rate_of_coefficient(fit, m * p + j, t, f"{whole.model}/t")
                elif review.margins[m].is_perfect:
                    cells = totals_cells(review.margins[m], self.confidence_level)
                yield {**self._of_level(level), "quantity": rate, **cells}

    def _odds_ratios(
        self, whole: Review, fit: Fit | None, df: float, t: float
    ) -> Iterator[dict[str, Any]]:
        """Yield the cells of the odds ratios to the reference, or per unit."""
        p = self.design.n_coefficients
        for labels, contrast, unit in self._contrasts():
            for m, quantity in enumerate(ODDS_RATIOS):
                cells: dict[str, Any] = {}
                if m in whole.fitted and fit is not None:
                    mine = slice(m * p, (m + 1) * p)
                    variance = contrast @ fit.covariance[mine, mine] @ contrast
                    log_ratio, se = contrast @ fit.beta[mine] / unit, np.sqrt(variance) / unit
                    method = f"{whole.model}/t"
                    cells = _odds_ratio_cells(float(log_ratio), float(se), df, t, method)
                yield {**labels, "quantity": quantity, **cells}

    def _tests(self, whole: Review, fit: Fit | None, df: float) -> Iterator[dict[str, Any]]:
        """Yield the cells of the tests of both rates, and of each of them."""
        for quantity, tested in (("both_rates", (0, 1)), ("tpr", (0,)), ("tnr", (1,))):
            cells: dict[str, Any] = {}
            if fit is not None and set(tested) <= set(whole.fitted):
                cells = self._test(whole, fit, tested, df)
            yield {"quantity": quantity, "confidence_level": np.nan, **cells}

    def separate(self) -> _Rows:
        """Yield cells and notes of each row of the model with a covariance for each level."""
        design, levels = self.design, self._reviews()
        fits = {
            level: fit_model(review.counts, review.free, self.n_nodes)
            for level, review in levels.items()
        }
        codes = review_notes(self.part)
        for level, review in levels.items():
            codes += fit_notes(review, fits[level])
            codes += ["perfect-margin"] * any(m.is_perfect for m in review.margins)
        level_of_t = (1 + self.confidence_level) / 2
        for level, review in levels.items():
            for m, rate in enumerate(RATES):
                t = t_quantile(level_of_t, review.df([m]))
                cells = rate_cells(review, fits[level], m, t, "t", self.confidence_level)
                yield {**self._of_level(level), "quantity": rate, **cells}, codes
        one, base = fits[design.reference], levels[design.reference]
        for level, review in levels.items():
            if level == design.reference:
                continue
            for m, quantity in enumerate(ODDS_RATIOS):
                cells = {"estimate": np.nan}
                if m in review.fitted and m in base.fitted:
                    df = float(review.df([m]) + base.df([m]))
                    cells = _odds_ratio_cells(
                        float(fits[level].beta[m] - one.beta[m]),
                        float(np.hypot(fits[level].se[m], one.se[m])),
                        df,
                        t_quantile(level_of_t, df),
                        f"{review.model}/t",
                    )
                named = {"level": level, "reference": design.reference, "quantity": quantity}
                yield {**named, **cells}, codes
        cells = {"estimate": np.nan}
        if all(review.is_correlated for review in levels.values()):
            whole = self._review_of_compared(levels)
            common = fit_model(whole.counts, whole.free, self.n_nodes)
            gain = sum(fit.value for fit in fits.values()) - common.value
            df = 3.0 * (len(levels) - 1)
            cells |= {
                "statistic": max(0.0, 2 * gain),
                "df": df,
                "p_value": float(sp.chdtrc(df, max(0.0, 2 * gain))),
                "method": f"{whole.model}/likelihood-ratio",
            }
        yield {"quantity": "covariance", "confidence_level": np.nan, **cells}, codes

    def _reviews(self) -> dict[str, Review]:
        """Return the review of each level; of a number none."""
        return {
            level: read_review(self.part.tables[:, self.design.values == code])
            for code, level in enumerate(self.design.levels)
        }

    def _review_of_compared(self, levels: dict[str, Review]) -> Review:
        """Return the review of all levels, without a margin that is not fitted in each of them."""
        tables = self.part.tables.copy()
        for m in (0, 1):
            if not all(review.margins[m].is_fitted for review in levels.values()):
                tables[2 * m : 2 * m + 2] = 0
        return read_review(tables, self.design.x)

    def _of_level(self, level: str) -> dict[str, Any]:
        """Return the label of a level, and the numbers of its studies and people."""
        mine = self.design.values == self.design.levels.index(level)
        tables = self.part.tables[:, mine]
        return {
            "level": level,
            "n_studies": int(mine.sum()),
            "n_pos": float(tables[:2].sum()),
            "n_neg": float(tables[2:].sum()),
        }

    def _contrasts(self) -> Iterator[tuple[dict[str, Any], FloatArray, float]]:
        """Yield labels, contrast and unit of each odds ratio."""
        design = self.design
        if not design.levels:
            yield {"level": f"{design.name}, per unit"}, np.array([0.0, 1.0]), design.spread
        for j, level in enumerate(design.levels):
            if level != design.reference:
                contrast = np.zeros(len(design.levels))
                contrast[j], contrast[design.levels.index(design.reference)] = 1.0, -1.0
                yield {"level": level, "reference": design.reference}, contrast, 1.0

    def _test(self, whole: Review, fit: Fit, tested: tuple[int, ...], df: float) -> dict[str, Any]:
        """Return the cells of the likelihood ratio test that some rates do not depend on levels."""
        p = self.design.n_coefficients
        # The hypothesis in the coefficients: the tested margins have only the first, a mean.
        x = whole.counts.x
        if self.design.levels:
            x = np.column_stack([np.ones(len(x)), x[:, 1:]])
        dropped = {m * p + j for m in tested for j in range(1, p)}
        free = tuple(j for j in whole.free if j not in dropped)
        null = fit_model(whole.counts._replace(x=x), free, self.n_nodes)
        d = float(len(dropped))
        statistic = max(0.0, 2 * (fit.value - null.value)) / d
        return {
            "statistic": statistic,
            "df_numerator": d,
            "df": df,
            "p_value": float(sp.fdtrc(d, df, statistic)),
            "method": f"{whole.model}/likelihood-ratio-f",
        }


def _odds_ratio_cells(
    log_ratio: float, se: float, df: float, t: float, method: str
) -> dict[str, Any]:
    ratio, low, high = map(float, np.exp([log_ratio, log_ratio - t * se, log_ratio + t * se]))
    statistic = log_ratio / se
    return {
        "estimate": ratio,
        "se": ratio * se,
        "ci_low": low,
        "ci_high": high,
        "null_value": 1.0,
        "statistic": statistic,
        "df": df,
        "p_value": t_p_value(statistic, df, "two-sided"),
        "method": method,
    }
