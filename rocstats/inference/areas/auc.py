"""The area under the curve of each predictor, with its interval."""

from __future__ import annotations

import pandas as pd

from rocstats.curves.areas.partial import FULL_RANGE, read_range
from rocstats.errors import require_choice
from rocstats.frames.questions import AREA, TEST, Question, estimate_columns
from rocstats.inference.areas.area_rows import AreaRequest, area_rows
from rocstats.inference.areas.many import area_columns, can_be_columns
from rocstats.inference.areas.options import require_known
from rocstats.inference.estimates.answers import answer_rows, rows_of
from rocstats.inference.estimates.area_inference import read_area_test
from rocstats.inference.estimates.randomness import RngLike, plan_resamples, require_drawing
from rocstats.sample.sample import Sample
from rocstats.stats.areas.records import AREA_VARIANCES, Variance
from rocstats.stats.intervals.quantiles import Alternative
from rocstats.stats.intervals.records import Interval, area_interval, default_interval

AUC = Question(
    "auc",
    estimate_columns(
        f"predictor group {AREA} {TEST} hypothesis n_pos n_neg n_resamples method note"
    ),
    ("delong-1988", "hanley-mcneil-1982", "newcombe-2006", "obuchowski-1997"),
    binned=True,
)


def auc(
    sample: Sample,
    *,
    variance: Variance = "delong",
    interval: Interval | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
    null_value: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    n_resamples: int = 2000,
    stratified: bool | None = None,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the area under the ROC curve; a row is the AUC of one predictor (in one group).

    Parameters
    ----------
    variance : str, default "delong"
        Variance of the area. With clusters only "delong" and "ledell" are defined.

        - "delong": of the placements; Obuchowski's form with clusters, foldwise with folds.
        - "hanley-mcneil": from the AUC and the class sizes alone, exponential scores.
        - "hanley-mcneil-data": the same with Q1 and Q2 from the data.
        - "unbiased": Bamber's unbiased estimator.
        - "bootstrap": of infinitely many stratified resamples, in closed form.
        - "ledell": LeDell, Petersen & van der Laan's influence form; with folds only.
    interval : str, default "logit-t"
        The default is published; with a variance other than "delong" it is "logit".

        - "logit-t": with "delong" and Satterthwaite degrees of freedom; with clusters by kind, as
          they hold positives, negatives or both.
        - "logit", "wald", "probit": on that scale (wald: as it is), with any variance.
        - "newcombe", "hanley-mcneil-score": the variance at the limit; clusters enter as cases, no
          folds.
        - "exact": logit inside (0, 1), distribution-free at 0 and 1; no folds.
        - "effective-wilson": Wilson limits with an effective sample size, for few or unbalanced
          cases and partial areas; with "delong", no folds. Ours, simulated, not peer-reviewed.
        - "percentile": order statistics of resamples; the only one that carries weights.
        - "bca": the same, bias-corrected and accelerated.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        "greater" gives a lower limit at the full level (the upper one is 1) and tests
        AUC > ``null_value``; "less" the reverse.
    null_value : float in (0, 1), optional
        A performance goal to test against, by the statistic that the interval inverts. To test
        against chance at small n, an exact rank test serves better than a null value of 0.5.
    fpr_range, tpr_range : (float, float), optional
        Range of false positive rates, or of sensitivities, of a partial area: 0 <= low < high <= 1.
        A predictor then has three rows: ``partial_auc``, ``partial_auc_standardized`` (McClish) and
        ``mean_tpr`` (over a range of sensitivities ``mean_tnr``, the mean specificity);
        ``null_value`` is a mean rate. Only with variance "delong" and its intervals, or resampled.
    n_resamples : int >= 100, default 2000
        Number of resamples of "percentile" and "bca".
    stratified : bool, optional
        Whether each class is resampled apart (default); not with clusters, which are drawn whole.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], quantity, estimate, ci_low, ci_high, p_value, se, statistic,
        df, n_pos, n_neg, confidence_level, null_value, hypothesis, range_axis, range_low,
        range_high, n_resamples, method, note``.

    Raises
    ------
    InputError
        If a word is unknown, a pair makes no sense, a role cannot be honoured, or a fold lacks a
        class.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``: ``auc-at-boundary``, ``few-cases`` and so on.

    Notes
    -----
    Estimate: A = P(X > Y) + P(X = Y)/2 over all pairs of a positive X and a negative Y, the
    Wilcoxon-Mann-Whitney statistic with mid-ranks. DeLong: Var = S10/m + S01/n, the sample
    variances of the placements. Default interval: expit(logit A -+ t se/(A(1 - A))), t of
    (a + b)^2/(a^2/(m - 1) + b^2/(n - 1)) degrees of freedom, a = S10/m, b = S01/n.

    Where the variance is 0 or undefined (A of 0 or 1, a class with one case), limits come from
    Newcombe's method 5, whatever ``interval`` says, and ``method`` and ``note`` say so: no interval
    has zero width. Under ``sample_weight`` only "percentile" gives an interval, and its standard
    error is that of the resamples. A group that lacks a class has a row of NaN.

    Percentile limits are the order statistics ceil((B + 1) p) and B + 1 - ceil((B + 1) p) of the B
    resampled areas; BCa limits those at Phi(z0 + (z0 + z)/(1 - a (z0 + z))). Where both limits
    are the same draw, as with tied scores at a low level, they are the next draws on either side.
    Neither rescues an area near 1 at small n. Beyond 100 000 cases with as many scores, blocks of
    neighbouring scores are resampled, and the note ``blocked-resamples`` says by what share the
    spread falls short.

    A partial area is the integral of the curve over the range, exact through steps and ties; its
    variance is DeLong's with each case's share of the part in place of its placement. Intervals are
    made for the mean rate p = area/width, and carried over: 1/2 (1 + (area - c)/(width - c)) is the
    standardised area, c the part under the diagonal; under it, it is below 1/2 and reported so. At
    the left edge the empirical area is biased up a little.

    Assumes independent cases (independent clusters with ``cluster=``). With folds the target is
    the average performance of the fitted models, not of the learning algorithm. Not for scores of
    a model on its own training data.

    "ledell" averages squared influence values over folds, without a factor for small samples: it
    covers less than the default when folds hold few cases (note ``few-cases-per-fold`` below 10 of
    a class). In repeated cross-validation (rows repeated, fold labels unique to each repeat,
    ``cluster=`` the case) each case's influence is averaged over repeats first, which is ours and
    not in the paper.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988), equations 4-6 [delong-1988]
    - Hanley & McNeil (1982) [hanley-mcneil-1982]
    - Bamber (1975) [bamber-1975]
    - Newcombe (2006), method 5 [newcombe-2006]
    - McClish (1989), for partial areas [mcclish-1989]
    - Obuchowski (1997) [obuchowski-1997]
    - LeDell, Petersen & van der Laan (2015) [ledell-2015]
    - Bandos, Rockette & Gur (2007) [bandos-2007]
    - Fawcett (2004), section 5 [fawcett-2004]

    Examples
    --------
    The CT ratings of Hanley & McNeil (1982), whose standard error they print as 0.032:

    >>> import rocstats as rs
    >>> study = rs.Study("abnormal", "rating", data=rs.load_ct_ratings(), frequency="n")
    >>> study.auc(variance="hanley-mcneil", interval="wald")[["estimate", "se"]].round(3)
       estimate     se
    0     0.893  0.032
    """
    AUC.refuse_covariates(sample)
    over = read_range(fpr_range, tpr_range)
    variance = require_choice("variance", variance, [record.word for record in AREA_VARIANCES])
    interval = default_interval(variance) if interval is None else interval
    interval = require_known(sample, variance, interval, over or FULL_RANGE)
    test = read_area_test(confidence_level, alternative, null_value)
    require_drawing(n_resamples, rng, progress, stratified)
    plan = None
    if area_interval(interval).resampled:
        plan = plan_resamples(sample, n_resamples, stratified, rng, progress)
    request = AreaRequest(variance, interval, test, plan, over)
    if can_be_columns(sample, request):
        return area_columns(AUC, sample, request)
    rows = rows_of(sample, lambda part, g, k: area_rows(AUC, part, g, k, request))
    return answer_rows(AUC, sample, rows, plan)
