"""The codes of the column ``note``: a record each, with its meaning for users and for readers."""

from __future__ import annotations

from typing import NamedTuple

from rocstats.facts.tolerances import (
    FEW_CASES,
    FEW_CASES_AT_RATE,
    FEW_CLUSTERS,
    FEW_POSITIVES,
    FEW_UNEQUAL,
    MOST_WEIGHT,
    UNEQUAL,
)


class Note(NamedTuple):
    """A code of the column ``note``: its meaning, and whether it gives a warning.

    A doubt says that the numbers of the row may mislead; it is also issued as a warning with the
    ``meaning``. ``in_print`` is for readers of tables and reports, who do not call functions.
    """

    code: str
    meaning: str
    in_print: str
    doubt: bool


def _note_of_doubt(code: str, meaning: str, in_print: str = "") -> Note:
    return Note(code, meaning, in_print or meaning, doubt=True)


def _note_of_remark(code: str, meaning: str, in_print: str = "") -> Note:
    return Note(code, meaning, in_print or meaning, doubt=False)


# A number after "=" in the code is printed behind the sentence. A second sentence
# stands where the first, which is also the text of a warning, advises a programmer.
_RECORDS = (
    # Doubts: the numbers of the row may mislead.
    # Newcombe 2006: method 5 takes the variance at the limit, so that it does not vanish at 0 or 1.
    _note_of_doubt(
        "auc-at-boundary",
        "an AUC is 0 or 1, so its standard error is 0: the limits are computed by Newcombe's"
        " method 5",
    ),
    _note_of_doubt(
        "zero-variance",
        "the AUC is between 0 and 1, but its estimated variance is 0: the limits are computed by"
        " Newcombe's method 5",
    ),
    _note_of_doubt(
        "single-case",
        "a class has only one case, so there is no standard error: the limits are computed by"
        " Newcombe's method 5",
    ),
    _note_of_doubt(
        "single-unit",
        "a class has only one case or cluster, so there is no standard error and no interval",
    ),
    _note_of_doubt(
        "precision-at-boundary",
        "the average precision is 1, or its estimated variance is 0 or undefined: the limits are"
        " Wilson limits for an effective number of cases",
    ),
    _note_of_doubt(
        "few-positives",
        f"there are fewer than {FEW_POSITIVES} positives. Average precision is then too high on"
        " average (by up to .06 in simulations). Intervals that miss the true value are mostly"
        " too high",
    ),
    _note_of_doubt(
        "cluster-targets",
        "limits of a grey zone at target rates need independent cases, but this study has"
        " clusters: there are no limits",
    ),
    _note_of_doubt(
        "few-negatives",
        "precision is too high and has no limits, because the study has fewer negatives than this"
        " prevalence requires",
    ),
    _note_of_doubt(
        "heavy-negatives",
        f"at this prevalence each negative counts as more than {MOST_WEIGHT} cases: a few"
        " negatives with a high risk determine the Brier score, and the interval may be too"
        " narrow",
    ),
    _note_of_doubt(
        "below-chance",
        "the whole interval of the AUC is below .5, so positives have lower scores than negatives."
        " Check which class is positive, or pass higher_is_positive=False if low scores indicate"
        " the positive class",
        "the whole interval of the AUC is below .5, so positives have lower scores than negatives",
    ),
    _note_of_doubt(
        "few-cases",
        f"one group is small (fewer than {FEW_CASES} cases, or fewer than {FEW_UNEQUAL} and less"
        f" than 1/{UNEQUAL} of the other group): the true uncertainty may be larger than this"
        " interval shows",
    ),
    _note_of_doubt(
        "repeated-cases",
        "a case that occurs in several folds (repeated cross-validation) counts as several cases:"
        " standard errors are too small. Pass the identifier of the case as cluster=",
        "a case that occurs in several folds (repeated cross-validation) counts as several cases:"
        " standard errors are too small",
    ),
    _note_of_doubt(
        "labels-spelled-alike",
        "labels that differ only in capital letters, or in blanks at their ends, count as"
        " different labels",
    ),
    # Its variance has the divisor n, not n - 1: with 10 cases in a fold it is some 10 % too small.
    _note_of_doubt(
        "few-cases-per-fold",
        "a fold has fewer than 10 cases of a class: standard errors by LeDell's method are too"
        " small",
    ),
    _note_of_doubt(
        "few-clusters",
        f"a class has cases in fewer than {FEW_CLUSTERS} clusters, or in clusters of very unequal"
        " size: the standard error is imprecise",
    ),
    _note_of_doubt(
        "group-at-boundary",
        "a group has an AUC of 0 or 1, or an AUC without variance: the test of equal groups is"
        " undefined",
    ),
    _note_of_doubt(
        "small-level",
        "the test of interaction leaves out a subgroup with fewer than 10 cases of a class",
    ),
    _note_of_doubt(
        "level-at-boundary",
        "the estimate of a subgroup is at an end of its range, or has no standard error: there is"
        " no test of interaction",
    ),
    _note_of_doubt(
        "high-areas-few-cases",
        "both AUCs exceed 0.9 and a class has 30 cases or fewer: this test rejects too rarely,"
        " and a permutation test has more power",
    ),
    _note_of_doubt(
        "high-index-few-cases",
        "Youden's index is above 0.85 and a class has fewer than 100 cases: the upper limit is"
        " often too low (less often with mid-p limits)",
    ),
    _note_of_doubt(
        "no-score-correlation",
        "a score is constant within a class: its correlation with other scores in this class is"
        " taken as 0",
    ),
    _note_of_doubt(
        "unequal-spread",
        "one class is more than 1.5 times as large as the other class, or has more than 1.5 times"
        " the standard deviation of a score: Hanley and McNeil's standard error and test are"
        " unreliable. Use method='delong'",
        "one class is more than 1.5 times as large as the other class, or has more than 1.5 times"
        " the standard deviation of a score: Hanley and McNeil's standard error and test are"
        " unreliable",
    ),
    _note_of_doubt(
        "unbalanced-mover",
        "one class has 50 cases (clusters) or fewer, and the other class has more than 4 times as"
        " many: the MOVER interval of the difference is too narrow, and the test rejects too often",
    ),
    _note_of_doubt(
        "one-class",
        "the group lacks one class: measures that need both classes are not estimated",
    ),
    _note_of_doubt(
        "joint-band",
        "the method has no band for these data (an AUC of 0 or 1, a single score, or a failed"
        " fit): the joint band with guaranteed coverage replaces it",
    ),
    _note_of_doubt(
        "identical-predictors",
        "the predictors rank all cases in the same order: their difference has no variance",
    ),
    _note_of_doubt(
        "identical-areas",
        "the learners have the same AUC in every row: their difference has no variance",
    ),
    _note_of_doubt(
        "no-variance",
        "the estimated variance is 0, although the value is uncertain: there are no limits and no"
        " test",
    ),
    _note_of_doubt(
        "curve-imprecise",
        "a class has fewer than 100 cases: the calibration curve is imprecise, and its shape is"
        " unreliable",
    ),
    _note_of_doubt(
        "extrapolates",
        "some positives have covariates outside the range of the negatives: the regression"
        " extrapolates their expected scores",
    ),
    _note_of_doubt(
        "values-extrapolate",
        "this value of the covariate is outside the range of a class: the regression"
        " extrapolates the AUC",
    ),
    _note_of_doubt(
        "no-residual-spread",
        "the covariates predict the scores without error: the residuals of the regression do not"
        " vary, and nothing is estimated",
    ),
    _note_of_doubt(
        "separation",
        "the risks separate the classes, or are nearly equal: the logistic fit fails, and"
        " nothing is estimated",
    ),
    _note_of_doubt(
        "single-risk",
        "all cases have the same risk: there is no slope and no curve",
    ),
    _note_of_doubt(
        "certain-risks",
        "a risk is 0 or 1 and has no logit: measures that need logits (intercept, slope, spline"
        " curve) are not estimated. Find out why the model is certain, or pass clip=1e-6, which"
        " moves such risks to 1e-6 and 1 - 1e-6",
        "a risk is 0 or 1 and has no logit: measures that need logits (intercept, slope, spline"
        " curve) are not estimated",
    ),
    _note_of_doubt(
        "no-expected-events",
        "all risks are 0, or all are 1: this measure cannot compare them with the outcomes",
    ),
    _note_of_doubt(
        "infinite-score",
        "a case with a risk of 0 had the event, or a case with a risk of 1 had no event: the log"
        " score is infinite and has no limits",
    ),
    _note_of_doubt(
        "weights-need-bootstrap",
        "there is no variance formula for sample_weight, so only the estimate is given. For"
        " limits, resample the cases with their weights: pass interval='percentile' (areas and"
        " rates), or use bootstrap()",
        "there is no variance formula for sampling weights, so only the estimate is given",
    ),
    _note_of_doubt(
        "few-cases-in-range",
        "few cases are in the range of the partial area, so coverage is below its level. A range"
        " of false positive rates needs 10 expected negatives below its upper end. A range of"
        " sensitivities needs 10 expected positives above its lower end",
    ),
    _note_of_doubt(
        "range-end-at-step",
        "an end of the range is at a vertical step of the curve: the standard error is computed at"
        " the middle of the step",
    ),
    _note_of_doubt(
        "pooled-folds",
        "one curve pools the scores of all folds: scores are assumed to be comparable between"
        " folds",
    ),
    _note_of_doubt(
        "folds-share-thresholds",
        "all folds have the same threshold: scores are assumed to be comparable between folds",
    ),
    _note_of_doubt(
        "few-negatives-per-curve",
        f"a curve has fewer than {FEW_CASES_AT_RATE} negatives: true positive rates at the top of"
        " its vertical steps are too high",
    ),
    _note_of_doubt(
        "single-curve",
        "there is only one curve, so the spread between curves is unknown: there are no limits",
    ),
    _note_of_doubt(
        "few-curves",
        "there are too few curves for percentiles at this level: the limits are the lowest and the"
        " highest curve",
    ),
    _note_of_doubt(
        "curves-of-parts",
        "each curve uses less than half of the test set: single curves vary more than their mean,"
        " so percentile limits of the mean are too wide",
    ),
    _note_of_doubt(
        "no-resampled-spread",
        "the resamples vary too little (all are equal, or a class has one case): there are no"
        " limits",
    ),
    _note_of_doubt(
        "few-cases-for-band",
        f"a class has fewer than {FEW_CASES} cases: coverage of the band may be below its level"
        " (joint bands of curves keep their level)",
    ),
    _note_of_doubt(
        "few-cases-for-cutpoint",
        f"a class has fewer than {FEW_CASES_AT_RATE} cases: sensitivity and specificity at this"
        " cutpoint are still somewhat too good, even after correction",
    ),
    _note_of_doubt(
        "nobody-positive",
        "no threshold is better than calling every case negative: the cutpoint is beyond all"
        " scores",
    ),
    _note_of_doubt(
        "no-smooth-cutpoint",
        "Youden's index of the smoothed distributions has no maximum (positives do not score"
        " higher, or a class does not vary): nothing is estimated",
    ),
    # validation/coverage/cutpoints.csv: 50 and 200 cases a class.
    _note_of_doubt(
        "kernel-limits-short",
        "smoothing shifts the cutpoint of skewed scores: 95% limits of the cutpoint and of its"
        " rates contained the true values in .65 to .92 of simulated log-normal samples. Take"
        " logarithms of the scores first",
        "smoothing shifts the cutpoint of skewed scores: 95% limits of the cutpoint and of its"
        " rates contained the true values in .65 to .92 of simulated log-normal samples",
    ),
    _note_of_doubt(
        "not-converged",
        "the binormal model cannot be fitted (perfect separation, operating points on an edge,"
        " or a class that does not vary)",
    ),
    _note_of_doubt(
        "negative-variance",
        "the clustered covariance is not positive, because cases within clusters differ"
        " strongly: there are no limits",
    ),
    _note_of_doubt(
        "few-imputations",
        "there are fewer than 5 imputed data sets: the limits are wider than necessary, and the"
        " fraction of missing information is imprecise",
    ),
    _note_of_doubt(
        "boundary-imputation",
        "in an imputed data set the estimate is at an end of its range, or has no standard error:"
        " the limits use an effective number of cases",
    ),
    _note_of_doubt(
        "infinite-bias",
        "all resampled values lie on one side of the estimate: percentile limits replace BCa"
        " limits",
    ),
    _note_of_doubt(
        "no-acceleration",
        "the statistic is undefined if one of the cases (clusters) is left out: percentile limits"
        " replace BCa limits",
    ),
    _note_of_doubt(
        "undefined-resamples",
        "resamples with an undefined statistic were left out (if they are more than 5% of all"
        " resamples, there are no limits)",
    ),
    _note_of_doubt(
        "selected-concavity",
        "the concavity was found and tested in the same cases: its P value is too small",
    ),
    _note_of_doubt(
        "few-permutations",
        "no P value below .05 is possible with this number of candidates and permutations. Raise"
        " n_resamples",
        "no P value below .05 is possible with this number of candidates and permutations",
    ),
    _note_of_doubt(
        "no-discordance",
        "the predictors agree in all cases that this measure uses (or their differences cancel in"
        " every cluster): there is no variance and no interval",
    ),
    _note_of_doubt(
        "one-item",
        "there is one item, or one cluster of items: there is no standard error and no interval",
    ),
    _note_of_doubt(
        "few-item-clusters",
        f"items are in fewer than {FEW_CLUSTERS} clusters, or in clusters of very unequal size: the"
        " standard error is imprecise",
    ),
    _note_of_doubt(
        "few-items",
        f"fewer than {FEW_CASES} items have grades: the standard error is imprecise",
    ),
    _note_of_doubt(
        "selected-thresholds",
        "the threshold of each predictor was chosen for the lowest cost in these cases: the"
        " costs are optimistic, and the interval is approximate",
    ),
    _note_of_doubt(
        "no-calls",
        "a classifier calls no case positive, or no case negative: the predictive value (or the"
        " ratio, or MCC) is undefined",
    ),
    _note_of_doubt(
        "useless-test",
        "sensitivity is not above the false positive rate: the prevalence cannot be estimated"
        " from the calls",
    ),
    _note_of_doubt(
        "prevalence-at-end",
        "the share of positive calls is below the false positive rate or above the sensitivity:"
        " the estimate is 0 or 1",
    ),
    _note_of_doubt(
        "tied-calls",
        "cases with the same highest score for several classes are assigned to the first of"
        " these classes",
    ),
    _note_of_doubt(
        "zero-cell",
        "a cell of the table is empty: the ratio has no standard error and no interval",
    ),
    _note_of_doubt(
        "empty-band",
        "no case has a score in the band: its likelihood ratio is undefined",
    ),
    _note_of_doubt(
        "no-grey-zone",
        "one threshold reaches both targets: there is no grey zone",
    ),
    _note_of_doubt(
        "prevalence-needed",
        "cases were sampled by class: this value needs prevalence=",
        "cases were sampled by class: this value needs a prevalence",
    ),
    _note_of_doubt(
        "few-cases-at-rate",
        f"the class with the fixed rate has fewer than {FEW_CASES_AT_RATE} cases, so the rate of"
        " the other class is too good. It is read at the best point of the curve that reaches the"
        " fixed rate",
    ),
    _note_of_doubt(
        "unattainable-level",
        "the sample is too small for this level: even the most extreme result could not be"
        " significant",
    ),
    _note_of_doubt(
        "few-planned-cases",
        f"fewer than {FEW_CASES} cases of a class are planned: the normal approximation of the"
        " power is rough. Simulate the studies instead",
        f"fewer than {FEW_CASES} cases of a class are planned: the normal approximation of the"
        " power is rough",
    ),
    _note_of_doubt(
        "more-readers-needed",
        "more readers are needed: with this number of readers, no number of cases is enough",
    ),
    _note_of_doubt(
        "verification-bias",
        "only verified cases are counted: the rate is biased if verification depended on the"
        " test result",
    ),
    _note_of_doubt(
        "zero-verified-cell",
        "a cell is 0, so the rate and one of its limits are equal (0 or 1): the other limit is"
        " computed with 1/2 added to each verified cell",
    ),
    _note_of_doubt(
        "none-verified",
        "no verified case enters this rate: the rate is unknown",
    ),
    _note_of_doubt(
        "reader-one-class",
        "the reader read only one class under this modality: nothing is estimated, and averages"
        " leave out this reader",
    ),
    _note_of_doubt(
        "single-reader",
        "a modality has one reader, so the spread between readers is unknown: the estimate for"
        " random readers has no variance",
    ),
    _note_of_doubt(
        "no-marks",
        "a reader made no mark: the area is 1/2 by definition and says nothing of chance; check"
        " that the marks of this reader are in the table",
        "a reader made no mark: the area is 1/2 by definition and says nothing of chance",
    ),
    _note_of_doubt(
        "beyond-marks",
        "the number of false marks is beyond the end of a curve: the lesion sensitivity is that of"
        " all marks",
    ),
    _note_of_doubt(
        "uneven-reads",
        "single reads are missing: the published variance of U-statistics is imprecise. With a"
        " fifth of the reads missing, this variance was negative or 0 in 13 to 24% of simulated"
        " studies. Omit method=, or pass method='u-statistic-centred'",
        "single reads are missing: the published variance of U-statistics is imprecise. With a"
        " fifth of the reads missing, this variance was negative or 0 in 13 to 24% of simulated"
        " studies",
    ),
    _note_of_doubt(
        "bootstrap-variance",
        "the unbiased variance is not positive: the standard error is computed by the bootstrap of"
        " readers and cases (in closed form)",
    ),
    _note_of_doubt(
        "no-difference-variance",
        "the estimated variance of the difference is 0 or less: the limits combine the limits of"
        " both averages",
    ),
    _note_of_doubt(
        "no-status-at-time",
        "at this time there are no patients with the event, no controls, or no patients in"
        " follow-up: nothing is estimated",
    ),
    _note_of_doubt(
        "no-comparable-pairs",
        "no patient was followed beyond the event of another patient: there are no pairs, and"
        " nothing is estimated",
    ),
    _note_of_doubt(
        "weights-extreme",
        "one patient has a weight above 10, because few patients were followed until this time:"
        " the standard error is imprecise. An earlier time gives smaller weights",
    ),
    _note_of_doubt(
        "unplaced-cases",
        "cases without a known label or group were left out, and the bounds ignore these cases",
    ),
    _note_of_doubt(
        "few-studies",
        "there are fewer than 10 studies: how much they differ is hardly known",
    ),
    _note_of_doubt(
        "correlation-fixed",
        "fewer than 5 studies have both classes: the correlation of sensitivity and specificity is"
        " taken as 0, and there are no regions and no curve",
    ),
    _note_of_doubt(
        "perfect-margin",
        "sensitivity or specificity is 1 (or 0) in all studies: its limits are exact limits of the"
        " pooled people, as if studies did not differ",
    ),
    _note_of_doubt(
        "rates-all-or-none",
        "sensitivity or specificity is 0 in some studies and 1 in all others: its mean and its"
        " spread are not estimated",
    ),
    _note_of_doubt(
        "pooled-guarded",
        "the estimates agree more closely than their standard errors explain: the factor of Hartung"
        " and Knapp is set to 1",
    ),
    # Remarks: how numbers that can be trusted were found.
    _note_of_remark(
        "correlation-at-boundary",
        "sensitivity and specificity are perfectly correlated over studies in this fit (beyond"
        " .99), as often with few studies",
    ),
    _note_of_remark(
        "no-heterogeneity",
        "the estimated spread of a rate over studies is 0; limits allow for the spread that was not"
        " found only by their quantile of t",
    ),
    _note_of_remark(
        "one-sided-study",
        "studies without diseased or without healthy people inform one rate only; number of these"
        " studies",
    ),
    _note_of_remark(
        "studies-shared",
        "studies with several tables, which are analysed as independent; number of these studies",
    ),
    _note_of_remark(
        "no-threshold-effect",
        "sensitivity and specificity are not negatively correlated over studies, so that there is"
        " no summary curve",
    ),
    _note_of_remark(
        "bins-no-test",
        "the picture depends on the choice of bins, and the intervals of bins are no test of"
        " calibration",
    ),
    _note_of_remark(
        "marginal-censoring",
        "censoring is assumed to be independent of times, causes and scores",
    ),
    _note_of_remark(
        "depends-on-censoring",
        "this concordance depends on the length of follow-up, and differs between studies;"
        " method='uno' avoids this",
        "this concordance depends on the length of follow-up, and differs between studies",
    ),
    _note_of_remark(
        "competing-until-event",
        "patients with an event of another cause are in no pairs after this event. Areas at a time"
        " keep these patients as controls (controls='not-case')",
        "patients with an event of another cause are in no pairs after this event",
    ),
    _note_of_remark(
        "study-prevalence",
        "the estimate holds at the share of positives in the study. Do not use it if cases were"
        " sampled by class; operating_points() has the options prevalence= and sampling='cohort'",
        "the estimate holds at the share of positives in the study. Do not use it if cases and"
        " controls were chosen separately",
    ),
    _note_of_remark(
        "weighted-limits-short",
        "the limits of weighted areas come from resampled weights. With 80 to 100 positives,"
        " simulated coverage of 95% limits was 0.92 to 0.94 (logit) and 0.91 to 0.93"
        " (percentiles). With 30 positives it was about 0.8",
    ),
    _note_of_remark(
        "missing-reads",
        "some reads of a fully crossed study are missing",
    ),
    _note_of_remark(
        "reader-variance-truncated",
        "a difference of two covariances between readers was negative and was set to 0, as usual",
    ),
    _note_of_remark(
        "partially-paired",
        "the groups share clusters: the covariance of the areas comes from the shared clusters",
    ),
    _note_of_remark(
        "simultaneous-intervals",
        "p_adjusted and the intervals are adjusted for all rows of the frame together"
        " (single-step, joint normal distribution)",
        "P values and intervals are adjusted for all rows together (single-step, joint normal"
        " distribution)",
    ),
    _note_of_remark(
        "strata-without-pairs",
        "groups without both classes contribute no pairs",
    ),
    _note_of_remark(
        "excludes-zero",
        "the band of the difference excludes 0 here",
    ),
    _note_of_remark(
        "conditional-on-threshold",
        "the limits ignore the error of the estimated threshold: their coverage of the true"
        " curve is below the confidence level (limits with effective sample sizes include this"
        " error)",
    ),
    _note_of_remark(
        "limits-need-prevalence",
        "simultaneous limits for all thresholds need prevalence=, because the share of positives"
        " in the study is an estimate too",
        "simultaneous limits for all thresholds need a known prevalence, because the share of"
        " positives in the study is an estimate too",
    ),
    _note_of_remark(
        "joint-level",
        "the joint level of the limits of both rates is the number in this note; the limits of"
        " each rate alone have the level confidence_level",
        "the joint level of the limits of both rates",
    ),
    _note_of_remark(
        "rate-at-boundary",
        "a rate is 0 or 1, or a class has a single case or cluster, so that resamples vary too"
        " little: the limits are computed by a formula with the effective number of cases",
    ),
    _note_of_remark(
        "class-mix",
        "false marks on cases with lesions count too: the value depends on the share of cases"
        " without lesions in the study",
    ),
    _note_of_remark(
        "no-spread-of-marks",
        "the number of false marks does not vary between cases: the limits are exact Poisson limits"
        " for the number of cases",
    ),
    _note_of_remark("weights-given", "the lesions of a case have the weights of the study"),
    _note_of_remark(
        "extra-marks",
        "a reader put several marks on one lesion; only the highest counts; the note has the number"
        " of the others",
        "several marks on one lesion, of which only the highest counts",
    ),
    _note_of_remark(
        "no-width",
        "limits of the requested method would have zero width here: Wilson's limits replace them",
    ),
    _note_of_remark(
        "no-paired-spread",
        "the paired difference does not vary here: the limits treat the predictors as measured in"
        " different cases",
    ),
    _note_of_remark(
        "resampled-range",
        "nearly all resamples have the same value: the limits are the lowest and the highest value",
    ),
    _note_of_remark(
        "single-cutpoint",
        "the resamples agree on one cutpoint: its limits are the neighbouring scores",
    ),
    _note_of_remark(
        "binned",
        "the scores of all cases were grouped into bins; the note has the number of bins",
        "the scores of all cases were grouped into bins; number of bins",
    ),
    _note_of_remark(
        "binned-scores",
        "the scores were counted in bins. The error of the estimate is at most binning_error, and"
        " the limits are widened by this error. Standard errors and P values are computed from the"
        " bins",
        "the scores were counted in bins: the limits are widened by the largest error that binning"
        " can cause",
    ),
    _note_of_remark(
        "no-interval",
        "only the estimate is given, without an interval",
    ),
    _note_of_remark(
        "monte-carlo-se",
        "se is the Monte Carlo error of a mean over resamples, not the sampling error",
        "the standard error is the Monte Carlo error of a mean over resamples, not the sampling"
        " error",
    ),
    _note_of_remark(
        "resamples-redrawn",
        "resamples that lacked a class were drawn again",
    ),
    _note_of_remark(
        "blocked-resamples",
        "blocks of neighbouring scores were resampled instead of single cases: the standard"
        " error of an area is too small by a tiny fraction",
    ),
    _note_of_remark(
        "alike-in-a-class",
        "the paired difference is the same in all cases of a class: this class widens the limits"
        " (Tango's method), but adds 0 to the standard error",
    ),
    _note_of_remark(
        "empty-cell",
        "a cell of the table is empty: the ratio is 0 or infinite, with one limit and no standard"
        " error",
    ),
    _note_of_remark(
        "half-added",
        "a cell of the table is empty: the limits are computed with 1/2 added to every cell",
    ),
    _note_of_remark(
        "adjusted-cells",
        "a cell of the predictive value is empty, or all cases have the same result: the limits"
        " are computed with z^2/2 added to every cell (z is the normal quantile of the level)",
    ),
    _note_of_remark(
        "given-rate",
        "the fixed rate determines this value, so it has no limits",
        "this value was fixed, so it has no interval",
    ),
    _note_of_remark(
        "beta",
        "the weight of recall relative to precision in this F score (beta)",
    ),
    _note_of_remark(
        "apparent-prevalence",
        "the prevalence is estimated from the share of positive calls among all cases of unknown"
        " status",
    ),
    _note_of_remark(
        "estimated-prevalence",
        "the prevalence is estimated from the cohort: the limits allow for its error too",
    ),
    _note_of_remark(
        "known-prevalence",
        "the share of positives in the study is taken as known: resamples keep the size of each"
        " class",
    ),
    _note_of_remark(
        "given-prevalence",
        "the fixed prevalence determines this value, so it has no limits",
    ),
    _note_of_remark(
        "scores-taken-as-risks",
        "the scores are used as risks without recalibration: if the risks are too high or too"
        " low, decisions are worse",
    ),
    _note_of_remark(
        "per-group",
        "n_pos and n_neg are the numbers of cases in each of two groups",
        "the numbers of cases are numbers per group",
    ),
    _note_of_remark(
        "available-cases",
        "each area uses the cases with a score of its predictor (nan_policy='available'): scores"
        " are assumed to be missing completely at random",
        "each area uses the cases with a score of its predictor: scores are assumed to be missing"
        " completely at random",
    ),
    _note_of_remark(
        "rows-dropped",
        "rows with a missing value were left out (nan_policy='omit' or 'available')",
        "rows with a missing value were left out",
    ),
    _note_of_remark(
        "samples-averaged",
        "several scores of an item by one system were averaged; the note has the largest number of"
        " scores of an item",
        "several scores of an item by one system were averaged; largest number of scores of an"
        " item",
    ),
    _note_of_remark(
        "level-unknown",
        "rows without a value of the variable belong to no subgroup",
    ),
    _note_of_remark(
        "adjusted",
        "p_adjusted is adjusted for the number of rows by the method in this note; the interval is"
        " not adjusted",
        "P values are adjusted for the number of rows by this method; intervals are not adjusted",
    ),
)
NOTES = {note.code: note for note in _RECORDS}
"""All notes by code, doubts first."""


def note_in_print(key: str) -> str:
    """Return the meaning of a code of the column ``note``, without words of Python.

    Parameters
    ----------
    key : str
        The code, without what follows "=".

    Returns
    -------
    str
        The meaning; of a code that is unknown, its words.

    Examples
    --------
    >>> from rocstats.facts.notes import note_in_print
    >>> note_in_print("rows-dropped")
    'rows with a missing value were left out'
    """
    return NOTES[key].in_print if key in NOTES else key.replace("-", " ")
