"""Quantities: a record for each, and the scales of inference.

Intervals, comparisons, pooling, binned scores, tables and figures read the records: no other place
lists quantities by word, except for what it computes itself (a function each) and for the words of
a ``Literal``, which tests compare with the records.

The formula of a measure of a decision rule takes the four cells of its table. The cells may be
counts, or shares of a population with another prevalence: only their proportions count. A measure
that is 0 / 0 is NaN; a positive number over 0 is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from operator import add
from typing import Any, Literal, NamedTuple

import numpy as np

from rocstats.facts import scipy_special as sp
from rocstats.facts.arrays import FloatArray

# --- Scales of inference --------------------------------------------------------------------------


class Scale(NamedTuple):
    """A scale of estimates: its word, its rising function, the slope of it, and the way back."""

    word: str
    forward: Callable[[Any], Any]
    slope: Callable[[Any], Any]
    back: Callable[[Any], Any]

    def between(self, low: float, high: float) -> Scale:
        """Return the scale of a quantity that has a part of [0, 1], moved and stretched."""
        width = high - low
        return Scale(
            self.word,
            lambda x: self.forward((x - low) / width),
            lambda x: self.slope((x - low) / width) / width,
            lambda v: low + width * self.back(v),
        )


def _slope_of_probit(x: Any) -> Any:
    # 1/phi(Phi^-1(x)), the derivative of the probit.
    return np.sqrt(2 * np.pi) * np.exp(sp.ndtri(x) ** 2 / 2)


def _back_of_reciprocal(v: Any) -> Any:
    # An index of 0 or below is a number of infinity.
    return np.divide(-1.0, v, out=np.full(np.shape(v), np.inf), where=np.less(v, 0))


IDENTITY = Scale("wald", lambda x: x, np.ones_like, lambda x: x)
LOGIT = Scale("logit", sp.logit, lambda x: 1 / (x * (1 - x)), sp.expit)
PROBIT = Scale("probit", sp.ndtri, _slope_of_probit, sp.ndtr)
LOG = Scale("log", np.log, lambda x: 1 / x, np.exp)
FISHER = Scale("fisher", np.arctanh, lambda x: 1 / (1 - x**2), np.tanh)
RECIPROCAL = Scale("reciprocal", lambda x: -1 / x, lambda x: 1 / x**2, _back_of_reciprocal)
SCALES = {scale.word: scale for scale in (IDENTITY, LOGIT, PROBIT, LOG, FISHER, RECIPROCAL)}


class EqualityTest(NamedTuple):
    """Welch's F; with infinite ``df``, the statistic times ``df_numerator`` is Cochran's Q."""

    statistic: float
    df_numerator: float
    df: float
    p_value: float


def equal_on_scale(
    scale: Scale, estimate: FloatArray, se: FloatArray, df: FloatArray
) -> EqualityTest:
    """Return Welch's test of "independent estimates are equal" on a scale (Welch 1951).

    ``df`` are the degrees of freedom of each variance, infinite where they are as if known. All but
    ``df_numerator`` is NaN where an estimate is at an end of the scale or has no standard error.
    """
    nan, k = float("nan"), len(estimate)
    with np.errstate(divide="ignore", invalid="ignore"):
        values, errors = scale.forward(estimate), se * scale.slope(estimate)
    if k < 2 or not np.all(np.isfinite(values) & np.isfinite(errors) & (errors > 0)):
        return EqualityTest(nan, k - 1.0, nan, nan)
    weights = errors**-2.0
    shares = weights / weights.sum()
    q = float(np.dot(weights, (values - np.dot(shares, values)) ** 2))
    # Weights that vary from sample to sample make Q larger than chi-square, by this to first order.
    spread = float(np.sum((1 - shares) ** 2 / df)) / (k**2 - 1)
    f = q / (k - 1) / (1 + 2 * (k - 2) * spread)
    if not spread > 0:
        return EqualityTest(f, k - 1.0, np.inf, float(sp.chdtrc(k - 1.0, q)))
    below = 1 / (3 * spread)
    return EqualityTest(f, k - 1.0, below, float(sp.fdtrc(k - 1.0, below, f)))


# --- Quantities -----------------------------------------------------------------------------------

Range = tuple[float, float]
"""The least and the greatest value of a quantity."""

# What a quantity can be: a share, a correlation, a ratio of shares, a net benefit, a number.
_PROPORTION, _CORRELATION = (0.0, 1.0), (-1.0, 1.0)
_POSITIVE, _BELOW_ONE, _ANY = (0.0, np.inf), (-np.inf, 1.0), (-np.inf, np.inf)


class Cells(NamedTuple):
    """True and false positives and negatives at each of G thresholds."""

    tp: FloatArray
    fn: FloatArray
    fp: FloatArray
    tn: FloatArray


def cells_at(tpr: FloatArray, fpr: FloatArray, prevalence: FloatArray | float) -> Cells:
    """Return the cells as shares of a population with given rates and prevalence."""
    others = 1 - prevalence
    return Cells(prevalence * tpr, prevalence * (1 - tpr), others * fpr, others * (1 - fpr))


def shifted(cells: Cells, prevalence: float) -> Cells:
    """Return the cells at another prevalence, as shares, with the rates of each class unchanged."""
    # A class without members has no rates: 0 / 0 is NaN, as it should be.
    n_pos, n_neg = cells.tp + cells.fn, cells.fp + cells.tn
    with np.errstate(divide="ignore", invalid="ignore"):
        pos, neg = prevalence / n_pos, (1 - prevalence) / n_neg
        return Cells(cells.tp * pos, cells.fn * pos, cells.fp * neg, cells.tn * neg)


def _youden(c: Cells) -> FloatArray:
    # Youden 1950: sensitivity + specificity - 1.
    return c.tp / (c.tp + c.fn) - c.fp / (c.fp + c.tn)


def _mcc(c: Cells) -> FloatArray:
    # Matthews 1975. Cells are float64: the product of the four margins, up to n^4, overflows int64.
    by_call, by_class = (c.tp + c.fp) * (c.tn + c.fn), (c.tp + c.fn) * (c.tn + c.fp)
    return np.asarray((c.tp * c.tn - c.fp * c.fn) / np.sqrt(by_call * by_class))


def _kappa(c: Cells) -> FloatArray:
    # Cohen 1960: (agreement - a)/(1 - a), a the agreement by chance; both times n^2/2.
    by_chance = (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn)
    return np.asarray(2 * (c.tp * c.tn - c.fp * c.fn) / by_chance)


def _number_needed(c: Cells) -> FloatArray:
    # Linn & Grunau 2006: 1 / Youden index. The real part decides: derivatives are by complex steps.
    index = _youden(c)
    found = np.where(np.real(index) > 0, 1 / index, np.inf)
    return np.where(np.isnan(index), np.nan, found)


def _f_beta(c: Cells, beta: float) -> FloatArray:
    # van Rijsbergen 1979: recall counts beta times as much as precision.
    weight = beta**2
    return np.asarray((1 + weight) * c.tp / ((1 + weight) * c.tp + weight * c.fn + c.fp))


class Fraction(NamedTuple):
    """A share of cases: the cells of its numerator, and of its denominator."""

    part: tuple[str, ...]
    whole: tuple[str, ...]

    @property
    def of_class(self) -> OfClass | None:
        """The class that alone makes the denominator, None if both do."""
        sides: dict[frozenset[str], OfClass] = {
            frozenset(("tp", "fn")): "positives",
            frozenset(("fp", "tn")): "negatives",
        }
        return sides.get(frozenset(self.whole))

    def counts(self, cells: Cells) -> tuple[FloatArray, FloatArray]:
        """Return numerator and denominator at each threshold."""
        part, whole = (
            reduce(add, (getattr(cells, name) for name in names))
            for names in (self.part, self.whole)
        )
        return part, whole


OfClass = Literal["positives", "negatives"]
"""The class on which alone a quantity depends."""

LimitsOf = Literal["rate", "predictive", "ratio", "sum", "delta", "mirrored", "index"]
"""How the limits of a measure of a table are made, see ``estimate.measures``."""

Family = Literal["calibration", "score", "brier-part", "benefit"]
"""The question that answers several quantities of predicted risks."""


class Measure(NamedTuple):
    """A quantity: its word, its formula (None: not from a table), its name in print.

    ``aliases`` are other spellings that users may write. ``scale`` is a word of ``SCALES``: the
    scale of its limits, on which estimates are pooled. ``of_prevalence`` says that the quantity
    depends on the share of positives, ``by_request`` that an answer without ``quantities=`` leaves
    it out, ``stard`` that STARD 2015 (item 24) and most papers report it at a cutoff. ``short`` is
    its abbreviation in tables, ``axis`` its name along an axis of ROC space, ``plural`` what the
    values there are called. ``null`` is the value that a test of calibration has.

    ``limits`` says how limits are made of a table. The quantity is 1 minus its ``complement``, or
    equals ``same_as`` against a perfect reference standard, or is sensitivity plus specificity
    times ``weight``. ``compares`` marks what compares two sides itself: a ratio, a distance, a
    difference.
    """

    # Aliases have one meaning in the field. "se" and "sp" are left out (a standard error too), as
    # are "auprc" (two areas have this name) and "f-score" (of any beta).

    word: str
    formula: Callable[[Cells], FloatArray] | None
    title: str
    aliases: tuple[str, ...] = ()
    range: Range = _PROPORTION
    scale: str = "logit"
    of_prevalence: bool = False
    by_request: bool = False
    fraction: Fraction | None = None
    limits: LimitsOf = "delta"
    short: str = ""
    plural: str = ""
    axis: str = ""
    stard: bool = False
    null: float = 0.0
    complement: str = ""
    same_as: str = ""
    weight: float | None = None
    compares: bool = False
    family: Family | None = None

    @property
    def null_is_least(self) -> bool:
        """Whether no value is below that of the null hypothesis."""
        return self.null == self.range[0]


def _share(
    word: str, title: str, part: str, whole: str, aliases: tuple[str, ...] = (), **more: Any
) -> Measure:
    """Return a share of cases, from the cells of its numerator and denominator.

    A share of one class does not depend on the share of positives, any other does.
    """
    fraction = Fraction(tuple(part.split()), tuple(whole.split()))

    def formula(cells: Cells) -> FloatArray:
        counts, size = fraction.counts(cells)
        return counts / size

    of_prevalence = fraction.of_class is None
    return Measure(
        word, formula, title, aliases, of_prevalence=of_prevalence, fraction=fraction, **more
    )


def _ratio(
    word: str,
    title: str,
    aliases: tuple[str, ...] = (),
    formula: Callable[[Cells], FloatArray] | None = None,
    **more: Any,
) -> Measure:
    """Return a quantity whose limits are made on the logarithmic scale."""
    return Measure(word, formula, title, aliases, _POSITIVE, "log", limits="ratio", **more)


def _plain(word: str, title: str, ends: Range = _ANY, **more: Any) -> Measure:
    """Return a quantity whose limits are normal, or combine others, on its natural scale."""
    return Measure(word, None, title, range=ends, scale="wald", **more)


# fmt: off
QUANTITIES = {one.word: one for one in (
    # Of a table, in the order in which they are reported.
    _share("tpr", "Sensitivity", "tp", "tp fn",
           ("sensitivity", "sens", "recall", "true-positive-rate", "hit-rate"),
           limits="rate", stard=True,
           axis="True positive rate (sensitivity)", plural="sensitivities"),
    _share("tnr", "Specificity", "tn", "fp tn",
           ("specificity", "spec", "true-negative-rate", "selectivity"), limits="rate",
           stard=True),
    _share("fpr", "False positive rate", "fp", "fp tn",
           ("false-positive-rate", "false-alarm-rate", "fall-out", "1-specificity"),
           limits="rate",
           axis="False positive rate (1 − specificity)", plural="false positive rates"),
    _share("fnr", "False negative rate", "fn", "tp fn",
           ("false-negative-rate", "miss-rate", "1-sensitivity"), limits="rate"),
    _share("ppv", "Positive predictive value", "tp", "tp fp",
           ("precision", "positive-predictive-value"),
           limits="predictive", stard=True, short="PPV"),
    _share("npv", "Negative predictive value", "tn", "tn fn", ("negative-predictive-value",),
           limits="predictive", stard=True, short="NPV"),
    _ratio("lr_positive", "Positive likelihood ratio", ("lr+", "plr", "positive-likelihood-ratio"),
           lambda c: c.tp / (c.tp + c.fn) / (c.fp / (c.fp + c.tn)), stard=True, short="LR+"),
    _ratio("lr_negative", "Negative likelihood ratio", ("lr-", "nlr", "negative-likelihood-ratio"),
           lambda c: c.fn / (c.tp + c.fn) / (c.tn / (c.fp + c.tn)), stard=True, short="LR−"),
    _ratio("odds_ratio", "Diagnostic odds ratio", ("dor", "diagnostic-odds-ratio"),
           lambda c: c.tp * c.tn / (c.fp * c.fn)),
    _share("accuracy", "Accuracy", "tp tn", "tp fn fp tn", limits="sum"),
    Measure("balanced_accuracy", lambda c: (c.tp / (c.tp + c.fn) + c.tn / (c.fp + c.tn)) / 2,
            "Balanced accuracy", limits="sum", weight=0.5),
    Measure("youden", _youden, "Youden index",
            ("youden-index", "youden's-index", "youden-j", "youden's-j", "informedness"),
            range=_CORRELATION, scale="wald", limits="sum", weight=1.0),
    Measure("f1", lambda c: 2 * c.tp / (2 * c.tp + c.fp + c.fn), "F1 score", ("f1-score",),
            of_prevalence=True),
    Measure("mcc", _mcc, "Matthews correlation coefficient",
            ("matthews", "matthews-correlation-coefficient"),
            range=_CORRELATION, scale="fisher", of_prevalence=True),
    # By request; "f_beta=2" with any beta. The true prevalence needs calls of cases without truth.
    Measure("kappa", _kappa, "Cohen's kappa", ("cohen-kappa", "cohen's-kappa"),
            range=_CORRELATION, scale="fisher", of_prevalence=True, by_request=True),
    Measure("false_discovery", lambda c: c.fp / (c.tp + c.fp), "False discovery rate",
            ("fdr", "false-discovery-rate"), of_prevalence=True, by_request=True,
            limits="mirrored", complement="ppv"),
    Measure("false_omission", lambda c: c.fn / (c.tn + c.fn), "False omission rate",
            ("false-omission-rate",), of_prevalence=True, by_request=True,
            limits="mirrored", complement="npv"),
    Measure("number_needed_to_diagnose", _number_needed, "Number needed to diagnose", ("nnd",),
            range=(1.0, np.inf), scale="reciprocal", by_request=True, limits="index"),
    Measure("f_beta", None, "F score", of_prevalence=True, by_request=True),
    Measure("true_prevalence", None, "True prevalence", by_request=True),
    Measure("prevalence", None, "Prevalence"),
    # Without the truth, no rate of errors is known: FDA's guidance of 2007 on diagnostic tests has
    # the same fractions reported as percent agreement, under other names.
    Measure("ppa", None, "Positive percent agreement", ("positive-percent-agreement",),
            same_as="tpr"),
    Measure("npa", None, "Negative percent agreement", ("negative-percent-agreement",),
            same_as="tnr"),
    Measure("overall_agreement", None, "Overall percent agreement",
            ("opa", "overall-percent-agreement"), same_as="accuracy"),
    # Areas; those of a part of the curve are between ends that its range of rates sets.
    Measure("auc", None, "AUC", ("auroc", "roc-auc", "c-statistic", "c-index")),
    Measure("partial_auc", None, "Partial AUC"),
    Measure("partial_auc_standardized", None, "Standardized partial AUC", range=_BELOW_ONE),
    Measure("mean_tpr", None, "Mean sensitivity"),
    Measure("mean_tnr", None, "Mean specificity"),
    Measure("stratified_auc", None, "Stratified AUC"),
    Measure("adjusted_auc", None, "AUC adjusted for covariates"),
    Measure("covariate_auc", None, "AUC at given covariates"),
    Measure("apparent_auc", None, "Apparent AUC"),
    Measure("corrected_auc", None, "AUC corrected for optimism"),
    _plain("auc_optimism", "Optimism of the AUC", _CORRELATION),
    Measure("auc_worst", None, "AUC, worst case"),
    Measure("auc_best", None, "AUC, best case"),
    Measure("concordance", None, "Concordance"),
    Measure("vus", None, "Volume under the ROC surface", ("volume",)),
    Measure("average_precision", None, "Average precision", ("ap",), of_prevalence=True),
    *(Measure(f"{mean}_average_precision", None, f"{mean.capitalize()} average precision",
              of_prevalence=True) for mean in ("macro", "weighted", "micro")),
    Measure("pr_auc", None, "Area under the precision-recall curve", of_prevalence=True),
    # Marks of lesions. Areas of marks have no value of chance.
    Measure("wafroc_auc", None, "Area under the wAFROC curve"),
    Measure("afroc_auc", None, "Area under the AFROC curve"),
    Measure("wafroc1_auc", None, "Area under the wAFROC1 curve", of_prevalence=True),
    Measure("afroc1_auc", None, "Area under the AFROC1 curve", of_prevalence=True),
    Measure("inferred_auc", None, "Area under the inferred ROC curve"),
    Measure("lroc_auc", None, "Area under the LROC curve"),
    Measure("lesion_tpr", None, "Lesion sensitivity", ("lesion-sensitivity",)),
    _ratio("false_marks", "False marks per case"),
    Measure("froc_score", None, "FROC score", ("cpm",), of_prevalence=True),
    Measure("pcl", None, "Probability of correct localisation"),
    # Bands of scores, several classes.
    _ratio("lr", "Likelihood ratio"),
    Measure("post_test_probability", None, "Post-test probability", of_prevalence=True),
    Measure("share_of_positives", None, "Share of positives"),
    Measure("share_of_negatives", None, "Share of negatives"),
    Measure("share_of_all", None, "Share of all cases", of_prevalence=True),
    *(Measure(f"{mean}_{name}", None, f"{mean.capitalize()} {title}",
              tuple(f"{mean}_{alias}" for alias in aliases))
      for mean in ("macro", "weighted", "micro") for name, title, aliases in (
        ("tpr", "sensitivity", ("recall", "sensitivity")),
        ("tnr", "specificity", ("specificity",)),
        ("ppv", "positive predictive value", ("precision",)),
        ("npv", "negative predictive value", ()),
        ("f1", "F1 score", ()),
    )),
    Measure("top_k_accuracy", None, "Top-k accuracy"),
    # Items that are right or wrong, or graded.
    Measure("mean_score", None, "Mean score"),
    Measure("subset_accuracy", None, "Subset accuracy", ("exact_match",)),
    Measure("hamming_loss", None, "Hamming loss"),
    # Comparisons.
    _plain("both_rates", "Sensitivity and specificity together", compares=True),
    _plain("co_primary", "Both goals"),
    _ratio("tpr_ratio", "Ratio of sensitivities", compares=True),
    _ratio("fpr_ratio", "Ratio of false positive rates", compares=True),
    _ratio("ppv_ratio", "Ratio of positive predictive values", compares=True),
    _ratio("npv_ratio", "Ratio of negative predictive values", compares=True),
    _ratio("lr_positive_ratio", "Ratio of positive likelihood ratios", compares=True),
    _ratio("lr_negative_ratio", "Ratio of negative likelihood ratios", compares=True),
    _plain("curve_distance", "Distance of the curves", _POSITIVE, compares=True),
    _plain("lc_index", "LC index", _CORRELATION, compares=True),
    _ratio("tpr_odds_ratio", "Odds ratio of sensitivities", compares=True),
    _ratio("tnr_odds_ratio", "Odds ratio of specificities", compares=True),
    # Reviews of several studies.
    _plain("sd_tpr", "Standard deviation of logit sensitivity", _POSITIVE),
    _plain("sd_tnr", "Standard deviation of logit specificity", _POSITIVE),
    _plain("correlation", "Correlation of the logits", _CORRELATION),
    _plain("heterogeneity", "Test of equal rates in all studies", compares=True),
    _plain("covariance", "Test of equal covariances", compares=True),
    _plain("small_study_slope", "Slope on one over the root of the size"),
    _plain("tau", "Standard deviation between studies (tau)", _POSITIVE, compares=True),
    _plain("i_squared", "Share of variance between studies (I²)", _PROPORTION, compares=True),
    # Cutpoints and costs.
    _plain("threshold", "Threshold"),
    _plain("distance", "Distance from (0, 1)", (0.0, float(np.sqrt(2)))),
    _plain("product", "Product of sensitivity and specificity", _PROPORTION),
    _plain("criterion", "Value of the criterion"),
    _plain("expected_cost", "Expected cost", _POSITIVE),
    _plain("normalized_cost", "Normalized cost", _PROPORTION),
    _plain("net_benefit", "Net benefit", _BELOW_ONE, family="benefit"),
    _plain("standardized_net_benefit", "Standardized net benefit", _BELOW_ONE, family="benefit"),
    _plain("interventions_avoided", "Interventions avoided", _BELOW_ONE, family="benefit"),
    _plain("mean_net_benefit", "Mean net benefit", _BELOW_ONE),
    # Calibration and scores.
    Measure("observed_risk", None, "Observed risk"),
    _ratio("observed_expected_ratio", "Observed over expected events",
           family="calibration", null=1.0),
    _plain("calibration_intercept", "Calibration intercept", family="calibration"),
    _plain("calibration_slope", "Calibration slope", family="calibration", null=1.0),
    _plain("intercept_and_slope", "Intercept and slope together",
           family="calibration", null=np.nan),
    _plain("spiegelhalter_z", "Spiegelhalter's z", family="calibration", by_request=True),
    _plain("ici", "Integrated calibration index", _PROPORTION,
           family="calibration", by_request=True),
    _plain("e50", "Median distance from calibration", _PROPORTION,
           family="calibration", by_request=True),
    _plain("e90", "90th percentile of the distance from calibration", _PROPORTION,
           family="calibration", by_request=True),
    _plain("miscalibration", "Miscalibration", _PROPORTION,
           family="calibration", by_request=True),
    _plain("brier_score", "Brier score", _PROPORTION, family="score"),
    _plain("multiclass_brier_score", "Brier score, summed over classes", (0.0, 2.0)),
    _plain("scaled_brier_score", "Scaled Brier score", _BELOW_ONE, family="score"),
    _plain("log_score", "Log score", _POSITIVE, family="score"),
    _plain("discrimination", "Discrimination", _PROPORTION, family="brier-part"),
    _plain("uncertainty", "Uncertainty", _PROPORTION, family="brier-part"),
    # The binormal model.
    _plain("a", "Binormal intercept a"),
    _ratio("b", "Binormal slope b"),
    _plain("d_a", "d_a"),
    _plain("d_e", "d_e"),
    _plain("delta_m", "Delta m"),
)}
# fmt: on
"""All quantities by word; beside them the user's own statistics and criteria."""

MEASURES = {word: one for word, one in QUANTITIES.items() if one.formula and not one.by_request}
"""The usual measures of a table, in the order in which they are reported."""

FURTHER = {word: one for word, one in QUANTITIES.items() if one.formula and one.by_request}
"""Measures that are reported by request; beside them "f_beta=2", with any beta."""

PREDICTIVE_VALUES = tuple(word for word, one in MEASURES.items() if one.limits == "predictive")

STARD = tuple(word for word, one in MEASURES.items() if one.stard)
"""What STARD 2015 (item 24) and most papers report at a cutoff."""

RATIOS = tuple(word for word, one in QUANTITIES.items() if one.scale == "log")
"""Quantities with limits on the logarithmic scale, drawn on a logarithmic axis."""

BY_REQUEST = tuple(word for word, one in QUANTITIES.items() if one.by_request and not one.family)
"""All that is reported at a threshold by request."""

AGREEMENT = {word: one.same_as for word, one in QUANTITIES.items() if one.same_as}
"""Quantities reported against an imperfect reference standard, and the measures equal to them."""


def of_family(family: Family, *, by_request: bool = True) -> tuple[str, ...]:
    """Return the quantities that one question answers, with or without those by request."""
    found = (one for one in QUANTITIES.values() if one.family == family)
    return tuple(one.word for one in found if by_request or not one.by_request)


# --- Differences ----------------------------------------------------------------------------------

_DIFFERENCE = "_difference"
_PREDICTION = "prediction_"  # what a review expects of a new study


def difference_of(quantity: str) -> str:
    """Return the word of a difference of a quantity; what compares two sides has its own word.

    Examples
    --------
    >>> from rocstats.facts.measures import difference_of
    >>> [difference_of(word) for word in ("auc", "auc_difference", "tpr_ratio", "my_statistic")]
    ['auc_difference', 'auc_difference', 'tpr_ratio', 'my_statistic_difference']
    """
    one = record_of(quantity)
    compares = one.compares if one else quantity.endswith(_DIFFERENCE)
    return quantity if compares else quantity + _DIFFERENCE


def base_of(quantity: str) -> str:
    """Return the quantity that a difference is of; of any other, itself."""
    return quantity.removesuffix(_DIFFERENCE)


def uncapital(text: str) -> str:
    """Return the text in the form for inside a sentence."""
    names = ("AUC", "Brier", "Cohen", "F1", "LC", "Matthews", "Spiegelhalter", "Youden")
    return text if text.startswith(names) else text[:1].lower() + text[1:]


def title_of_difference(title: str) -> str:
    """Return the printed name of a difference of what has a printed name."""
    return f"Difference in {uncapital(title)}"


def _record_of_difference(one: Measure) -> Measure:
    """Return the record of a difference, whose limits are on its natural scale."""
    low, high = one.range
    return Measure(
        one.word + _DIFFERENCE,
        None,
        title_of_difference(one.title),
        range=(low - high, high - low),
        scale=IDENTITY.word,
        of_prevalence=one.of_prevalence,
        compares=True,
    )


# --- Facts by word --------------------------------------------------------------------------------


@cache
def record_of(quantity: str) -> Measure | None:
    """Return the record of a quantity, or of a difference of it; None for the user's own.

    "f_beta=2" has the record of "f_beta", "prediction_auc" that of "auc" with another title.
    """
    base = base_of(quantity)
    word = base.partition("=")[0].removeprefix(_PREDICTION)
    one = QUANTITIES.get(word)
    if one is not None and base.startswith(_PREDICTION):
        one = one._replace(word=base, title=f"{one.title} in a new study", formula=None)
    return one if one is None or base == quantity else _record_of_difference(one)


def fraction_of(quantity: str) -> Fraction | None:
    """Return the share of cases that a quantity is, under any of its names; None for others."""
    if quantity not in QUANTITIES:
        return None
    one = QUANTITIES[quantity]
    return QUANTITIES[one.same_as or quantity].fraction


# Shares of cases that no cells of one table make.
_FURTHER_SHARES = frozenset(
    [
        "prevalence",
        "true_prevalence",
        "post_test_probability",
        "share_of_positives",
        "share_of_negatives",
        "share_of_all",
    ]
)


def is_share_of_cases(quantity: str) -> bool:
    """Return whether a quantity is a share of cases, which journals print as a percentage."""
    one = QUANTITIES.get(quantity)
    mirrored = one is not None and bool(one.complement)
    return fraction_of(quantity) is not None or mirrored or quantity in _FURTHER_SHARES


def class_of(quantity: str) -> OfClass | None:
    """Return the class whose cases alone make a quantity or a difference, None if both do."""
    fraction = fraction_of(base_of(quantity))
    return fraction.of_class if fraction else None


def range_of(quantity: str) -> Range:
    """Return the least and the greatest value of a quantity."""
    one = record_of(quantity)
    return one.range if one else _ANY


def scale_of(quantity: str) -> Scale:
    """Return the scale of a quantity: logit of proportions, log of ratios."""
    one = record_of(quantity)
    return SCALES[one.scale] if one else IDENTITY


RATES = tuple(word for word in MEASURES if class_of(word))
"""Measures that depend on a single class."""


def depends_on_prevalence(name: str) -> bool:
    """Return whether a measure depends on the share of positives."""
    return QUANTITIES[name.partition("=")[0]].of_prevalence


def measure(name: str, cells: Cells) -> FloatArray:
    """Return a measure at each threshold; NaN or infinite where its denominator is 0."""
    kind, _, beta = name.partition("=")
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "f_beta":
            return _f_beta(cells, float(beta))
        formula = QUANTITIES[name].formula
        if formula is None:
            raise KeyError(f"{name} is no measure of a table")
        return np.asarray(formula(cells))


def measures(cells: Cells, names: Sequence[str] = tuple(MEASURES)) -> dict[str, FloatArray]:
    """Return several measures by name, each at all thresholds."""
    return {name: measure(name, cells) for name in names}
