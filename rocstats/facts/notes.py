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
    """A code of the column ``note``: what it means, and whether it is a doubt.

    A doubt says that the numbers of the row may mislead; it is also issued as a warning with the
    ``meaning``. ``in_print`` is for readers of tables and reports, who do not call functions.
    """

    code: str
    meaning: str
    in_print: str
    doubt: bool


def _doubt(code: str, meaning: str, in_print: str = "") -> Note:
    return Note(code, meaning, in_print or meaning, doubt=True)


def _remark(code: str, meaning: str, in_print: str = "") -> Note:
    return Note(code, meaning, in_print or meaning, doubt=False)


# "so many" and "this share" mean the number that follows the code after "=". A second sentence
# stands where the first, which is also the text of a warning, advises a programmer.
_RECORDS = (
    # Doubts: the numbers of the row may mislead.
    # Newcombe 2006: method 5 takes the variance at the limit, so that it does not vanish at 0 or 1.
    _doubt(
        "auc-at-boundary",
        "an AUC is 0 or 1, where standard errors vanish: limits come from Newcombe's method 5",
    ),
    _doubt(
        "zero-variance",
        "the estimated variance is 0 away from 0 and 1: limits come from Newcombe's method 5",
    ),
    _doubt(
        "single-case",
        "a class has one member, so there is no standard error: Newcombe's method 5 was used",
    ),
    _doubt(
        "single-unit",
        "a class is a single case or cluster: there is no standard error and no interval",
    ),
    _doubt(
        "precision-at-boundary",
        "average precision is 1, or does not vary: limits are Wilson's with an"
        " effective number of cases",
    ),
    _doubt(
        "few-positives",
        f"under {FEW_POSITIVES} positives: average precision is too high on average"
        " (by up to .06 in simulations), and limits that miss it are most often too high",
    ),
    _doubt(
        "cluster-targets",
        "targets choose the thresholds, and cases come in clusters: there are no"
        " limits, which rest on the ranks of independent cases",
    ),
    _doubt(
        "few-negatives",
        "a cohort of this prevalence with as many positives has so many negatives:"
        " with fewer, precision at the highest scores rests on false positive rates below 1 in the"
        " number of negatives, so that the estimate is too high, and has no limits",
    ),
    _doubt(
        "heavy-negatives",
        f"at this prevalence each negative counts over {MOST_WEIGHT} times: a Brier"
        " score rests on negatives with a high risk, which are rare among so few, and limits may"
        " cover too seldom",
    ),
    _doubt(
        "below-chance",
        "the whole interval of the AUC lies below .5: lower scores go with the positive"
        " class; pass higher_is_positive=False if that is meant, or check which class is positive",
        "the whole interval of the AUC lies below .5: lower scores go with the positive class",
    ),
    _doubt(
        "few-cases",
        f"the smaller class has under {FEW_CASES} members, or under {FEW_UNEQUAL} and"
        f" less than 1/{UNEQUAL} of the other: coverage may be below nominal",
    ),
    _doubt(
        "repeated-cases",
        "cases evidently stand in several folds, as in repeated cross-validation, and"
        " count as different cases: standard errors are too small; pass the case as cluster=",
        "cases evidently stand in several folds, as in repeated cross-validation, and"
        " count as different cases: standard errors are too small",
    ),
    _doubt(
        "labels-spelled-alike",
        "labels that differ by case, or by blanks at their ends, alone count as different labels",
    ),
    # Its variance has the divisor n, not n - 1: with 10 cases in a fold it is some 10 % too small.
    _doubt(
        "few-cases-per-fold",
        "a fold has under 10 cases of a class: LeDell's standard error is too small",
    ),
    _doubt(
        "few-clusters",
        f"a class has cases in under {FEW_CLUSTERS} clusters, or in clusters of so"
        " unequal size that they are worth no more: the clustered standard error is noisy",
    ),
    _doubt(
        "group-at-boundary",
        "a group's AUC is 0 or 1 or has no variance, so its logit has no standard error: no test",
    ),
    _doubt(
        "small-level",
        "a subgroup has under 10 cases of a class: it has no part in the test of interaction",
    ),
    _doubt(
        "level-at-boundary",
        "the estimate of a subgroup is at an end of its range, or has no standard"
        " error: no test of interaction",
    ),
    _doubt(
        "high-areas-few-cases",
        "both areas exceed 0.9 and the smaller class has 30 members or fewer:"
        " this test rejects too rarely, and a permutation test has more power",
    ),
    _doubt(
        "high-index-few-cases",
        "a Youden index above 0.85 with under 100 cases of a class: the upper"
        " limit is too low too often (mid-p limits miss less)",
    ),
    _doubt(
        "no-score-correlation",
        "a score does not vary inside a class: it counts as uncorrelated with the others there",
    ),
    _doubt(
        "unequal-spread",
        "class sizes or the standard deviations of a score in the classes differ by"
        " more than 1.5 to 1: exponential standard errors do not hold, and the test rejects too"
        " often or too rarely; use method='delong'",
        "class sizes or the standard deviations of a score in the classes differ by"
        " more than 1.5 to 1: exponential standard errors do not hold, and the test rejects too"
        " often or too rarely",
    ),
    _doubt(
        "unbalanced-mover",
        "a class has over 4 times the cases (clusters) of the other, of which there"
        " are 50 or fewer: limits combined by MOVER are too short, so the test rejects too often",
    ),
    _doubt("one-class", "the group lacks one class, so nothing that needs both can be estimated"),
    _doubt(
        "joint-band",
        "the method has no band for these data (an area of 0 or 1, a single score, a"
        " fit without a maximum): the joint band, whose coverage is guaranteed, is given instead",
    ),
    _doubt("identical-predictors", "the predictors rank all cases alike: there is no variance"),
    _doubt("identical-areas", "the learners have the same area in every row: there is no variance"),
    _doubt(
        "no-variance",
        "the estimated variance is 0 though the value is no certainty (two differ by"
        " the same amount everywhere, distributions hardly overlap): there are no limits, nor a"
        " test that needs them",
    ),
    _doubt(
        "curve-imprecise",
        "a class has under 100 cases: a calibration curve is imprecise, and its shape says little",
    ),
    _doubt(
        "extrapolates",
        "so many positives have a covariate outside the range of the negatives: their"
        " expected scores are extrapolated by the regression",
    ),
    _doubt(
        "values-extrapolate",
        "a value lies outside the range that the covariate has in a class: the"
        " area there is extrapolated by the regression",
    ),
    _doubt(
        "no-residual-spread",
        "the covariates explain the scores whole: a normal distribution of"
        " residuals has no spread, and nothing is estimated",
    ),
    _doubt(
        "separation",
        "the risks separate the classes, or are nearly all alike, so that the logistic"
        " fit has no single maximum: nothing is estimated",
    ),
    _doubt("single-risk", "all cases have the same risk: there is no slope and no curve"),
    _doubt(
        "infinite-score", "a risk of 0 or 1 was wrong: the log score is infinite, without limits"
    ),
    _doubt(
        "weights-need-bootstrap",
        "sample_weight has no closed-form variance: only the estimate is given",
        "sampling weights leave no closed-form variance: only the estimate is given",
    ),
    _doubt(
        "few-cases-in-range",
        "under 10 negatives (positives, over sensitivities) are expected"
        " between the end of the curve and the far end of the range: intervals of the partial area"
        " cover too little",
    ),
    _doubt(
        "range-end-at-step",
        "an end of the range is at a vertical step of the curve: the standard"
        " error is that of the middle of the step",
    ),
    _doubt(
        "pooled-folds",
        "one curve pools the scores of all folds, which assumes that they are comparable",
    ),
    _doubt(
        "folds-share-thresholds",
        "one threshold is applied to the scores of all folds, which assumes"
        " that they are comparable",
    ),
    _doubt(
        "few-negatives-per-curve",
        f"a curve has under {FEW_CASES_AT_RATE} negatives: the highest true"
        " positive rate at a false positive rate is biased upwards",
    ),
    _doubt("single-curve", "one curve only: there is no spread between curves, and no limits"),
    _doubt(
        "few-curves",
        "fewer curves than percentiles at this level need: the limits are the least and"
        " the greatest curve",
    ),
    _doubt(
        "curves-of-parts",
        "each curve is of under half of the test set: percentiles of such curves"
        " are wider than limits of their mean",
    ),
    _doubt(
        "no-resampled-spread",
        "resamples do not vary as samples do (all alike, or a class of one): there are no limits",
    ),
    _doubt(
        "few-cases-for-band",
        f"a class has under {FEW_CASES} members: the band may contain the"
        " whole curve, or difference, less often than it says (of curves, joint bands never do)",
    ),
    _doubt(
        "few-cases-for-cutpoint",
        f"a class has under {FEW_CASES_AT_RATE} members: a quarter or more"
        " of the optimism of the cutpoint remains",
    ),
    _doubt(
        "nobody-positive",
        "no threshold is better than calling nobody positive: the cutpoint is beyond every score",
    ),
    _doubt(
        "no-smooth-cutpoint",
        "the smoothed distributions have no highest Youden index (positives"
        " that do not score higher, a class without spread): nothing is estimated",
    ),
    # validation/coverage/cutpoints.csv: 50 and 200 cases a class.
    _doubt(
        "kernel-limits-short",
        "smoothing moves the cutpoint of skewed scores: its 95% limits and those"
        " of its rates covered .65 to .92 of log-normal samples; take logarithms first",
    ),
    _doubt(
        "not-converged",
        "no binormal curve has the largest likelihood, as with perfect separation,"
        " points on one line along an edge, or a class without spread: nothing is fitted",
    ),
    _doubt(
        "negative-variance",
        "cases of one cluster differ so much that the clustered covariance is"
        " not positive: there are no limits",
    ),
    _doubt(
        "few-imputations",
        "under 5 imputed data sets: limits are wider than they need be, and the"
        " share of missing information is imprecise",
    ),
    _doubt(
        "boundary-imputation",
        "in an imputed data set the estimate is at an end of its range, or has"
        " no standard error: limits rest on an effective number of cases",
    ),
    _doubt("infinite-bias", "all resampled values lie on one side: percentile limits, not BCa"),
    _doubt(
        "no-acceleration",
        "the statistic is undefined without one of the cases (clusters): percentile"
        " limits, not BCa",
    ),
    _doubt(
        "undefined-resamples",
        "the statistic is undefined in so many resamples, which are left out;"
        " there are no limits if they are over 5 % of all",
    ),
    _doubt(
        "selected-concavity",
        "the concavity was found in the same cases that test it: its p value is too small",
    ),
    _doubt(
        "few-permutations",
        "so many candidates need more permutations: no statistic, however large,"
        " could have a p value below .05; raise n_resamples",
        "there are so many candidates that, with these permutations, no statistic,"
        " however large, could have a P value below .05",
    ),
    _doubt(
        "no-discordance",
        "the two differ in no case that counts (or in no cluster, on balance):"
        " there is no variance and no interval",
    ),
    _doubt(
        "selected-thresholds",
        "each predictor has the threshold that costs least on these cases:"
        " costs are optimistic, and the interval is approximate",
    ),
    _doubt(
        "no-calls",
        "a classifier calls no case positive, or none negative: the predictive value (or"
        " the ratio, or MCC) is undefined",
    ),
    _doubt(
        "useless-test",
        "sensitivity is no more than the false positive rate: calls say nothing of the prevalence",
    ),
    _doubt(
        "prevalence-at-end",
        "fewer cases were called positive than false positives alone would be (or"
        " more than the sensitivity allows): the estimate is 0 (or 1)",
    ),
    _doubt(
        "tied-calls",
        "so many cases have their highest score in several classes: they are called the"
        " first of these",
    ),
    _doubt(
        "zero-cell",
        "an empty cell of the table leaves the ratio without a standard error: there is"
        " no interval",
    ),
    _doubt("empty-band", "no case has a score in the band: its likelihood ratio is undefined"),
    _doubt("no-grey-zone", "one threshold reaches both targets: there is no grey zone"),
    _doubt(
        "prevalence-needed",
        "cases were sampled by class: no such value without prevalence=",
        "cases were sampled by class: no such value without a prevalence",
    ),
    _doubt(
        "few-cases-at-rate",
        f"under {FEW_CASES_AT_RATE} cases of the class whose rate is given: the"
        " other rate, the best that the curve has there, is optimistic",
    ),
    _doubt("unattainable-level", "no value of the statistic reaches the level with so few cases"),
    _doubt(
        "few-planned-cases",
        f"under {FEW_CASES} cases of a class are planned, for which the normal"
        " approximation of the power is rough: simulate",
    ),
    _doubt("more-readers-needed", "no number of cases reaches what is wanted with so few readers"),
    _doubt(
        "verification-bias",
        "these are verified cases only: if results decided who was verified, the rate is biased",
    ),
    _doubt(
        "zero-verified-cell",
        "a rate is 0 or 1 because a cell is 0: its other limit has 1/2 added to each verified cell",
    ),
    _doubt("none-verified", "no verified case has the result that the rate needs: it is unknown"),
    _doubt(
        "reader-one-class",
        "the reader has read cases of one class only under this modality, so"
        " nothing can be estimated; averages leave the reader out",
    ),
    _doubt(
        "single-reader",
        "a modality has one reader, who does not show how readers differ: there is no"
        " variance for random readers",
    ),
    _doubt(
        "uneven-reads",
        "reads are missing case by case, where the published variance of U-statistics"
        " varies much: in simulations with a fifth of them missing it was not positive in 13 to 24%"
        " of studies (leave out method=, or pass method='u-statistic-centred')",
        "reads are missing case by case, where the published variance of U-statistics"
        " varies much: in simulations with a fifth of them missing it was not positive in 13 to 24%"
        " of studies",
    ),
    _doubt(
        "bootstrap-variance",
        "the unbiased variance is not positive: the standard error is that of the"
        " bootstrap of readers and cases, in closed form",
    ),
    _doubt(
        "no-difference-variance",
        "the variance of the difference is estimated as 0 or less: limits"
        " combine those of both averages",
    ),
    _doubt(
        "no-status-at-time",
        "no patient has had the event by this time, none is a control, or nobody"
        " is followed beyond it: nothing is estimated",
    ),
    _doubt(
        "no-comparable-pairs",
        "no patient with the event was outlived by another, so that there are no"
        " pairs to compare: nothing is estimated",
    ),
    _doubt(
        "weights-extreme",
        "a patient stands for more than 10: few were at risk of censoring so late,"
        " and the standard error is noisy (an earlier time has smaller weights)",
    ),
    _doubt(
        "unplaced-cases",
        "so many cases left out have no known label or group: the bounds do not allow for them",
    ),
    # Remarks: how numbers that can be trusted were found.
    _remark(
        "marginal-censoring", "censoring is taken to be independent of times, causes and scores"
    ),
    _remark(
        "depends-on-censoring",
        "pairs are counted as censoring lets them be seen: the value differs"
        " between studies with other follow-up (method='uno' does not depend on it)",
        "pairs are counted as censoring lets them be seen: the value differs"
        " between studies with other follow-up",
    ),
    _remark(
        "competing-until-event",
        "patients with an event of another cause are in pairs until then only;"
        " areas at a time keep them as controls (controls='not-case')",
        "patients with an event of another cause are in pairs until then only",
    ),
    _remark(
        "study-prevalence",
        "the estimate is for the share of positives in the study, which means"
        " nothing where cases were sampled by class (operating_points() takes prevalence=, or"
        " sampling='cohort')",
        "the estimate is for the share of positives in the study, which means"
        " nothing where cases were sampled by class",
    ),
    _remark(
        "weighted-limits-short",
        "limits of weighted areas rest on resampled weights: in simulations"
        " with 80 to 100 positives logit limits covered 0.92 to 0.94 at the level 0.95, percentiles"
        " 0.91 to 0.93; with 30 positives both covered about 0.8",
    ),
    _remark("missing-reads", "so many reads are missing that a fully crossed study would have"),
    _remark(
        "reader-variance-truncated",
        "the difference of the covariances between readers is negative and"
        " was set to 0, as is usual",
    ),
    _remark(
        "partially-paired",
        "the groups share clusters: the covariance of their areas is that of the shared ones",
    ),
    _remark(
        "simultaneous-intervals",
        "p_adjusted and the intervals allow for all rows of the frame"
        " together (single-step, joint normal distribution)",
        "adjusted P values and the intervals allow for all rows together"
        " (single-step, joint normal distribution)",
    ),
    _remark("strata-without-pairs", "so many groups lack a class: they have no pairs"),
    _remark("excludes-zero", "the band of the difference does not contain 0 here"),
    _remark(
        "conditional-on-threshold",
        "the thresholds that give this false positive rate are treated as"
        " known: coverage of the true curve is below the confidence level (effective sample sizes"
        " allow for it)",
    ),
    _remark(
        "limits-need-prevalence",
        "limits that hold for every threshold at once need prevalence=: the"
        " share of positives in the study is an estimate too",
        "limits that hold for every threshold at once need a known"
        " prevalence: the share of positives in the study is an estimate too",
    ),
    _remark(
        "joint-level",
        "this is the joint level of the limits of both rates; each rate has confidence_level",
        "the joint level of the limits of both rates",
    ),
    _remark(
        "no-width", "limits of the requested method would have no width here: Wilson's are given"
    ),
    _remark(
        "no-paired-spread",
        "the difference does not vary here: limits are as if the predictors had different cases",
    ),
    _remark(
        "resampled-range",
        "nearly all resamples are alike: the limits are the least and the greatest of them",
    ),
    _remark(
        "single-cutpoint",
        "the resamples agree on one score: the limits of the cutpoint are the neighbouring scores",
    ),
    _remark("binned", "scores were grouped into so many bins, whatever the class"),
    _remark(
        "binned-scores",
        "the scores were counted in bins: the estimate is within binning_error of that"
        " of all scores, and the limits are widened by it; standard errors and P values are those"
        " of the bins",
        "the scores were counted in bins: limits are widened by the largest error that"
        " this can make",
    ),
    _remark("no-interval", "only the estimate is given, without an interval"),
    _remark(
        "monte-carlo-se",
        "se is the Monte-Carlo error of a mean over resamples, no measure of sampling error",
        "the standard error is the Monte-Carlo error of a mean over resamples, no"
        " measure of sampling error",
    ),
    _remark("resamples-redrawn", "so many resamples lacked a class and were drawn again"),
    _remark(
        "blocked-resamples",
        "blocks of neighbouring scores were resampled, not single cases (the share"
        " given is what the standard error of an area lacks)",
    ),
    _remark(
        "alike-in-a-class",
        "the two classify all cases of a class alike: that class adds to the"
        " limits (Tango's), but not to the standard error",
    ),
    _remark(
        "empty-cell",
        "a cell of the table is empty: the ratio is 0 or infinite and has no standard"
        " error, and one limit",
    ),
    _remark(
        "half-added",
        "a cell of the table is empty: the limits are those with 1/2 more in every cell",
    ),
    _remark(
        "adjusted-cells",
        "a cell that the predictive value is made of is empty, or all cases are"
        " called alike: the limits are those with z^2/2 more in every cell",
    ),
    _remark(
        "given-rate",
        "the given rate alone determines the value: it is not estimated and has no limits",
    ),
    _remark("beta", "in this F score recall counts so many times as much as precision"),
    _remark(
        "apparent-prevalence", "so many cases of unknown status were called positive, of so many"
    ),
    _remark(
        "estimated-prevalence",
        "the share of positives is that of a cohort: the limits allow for its error too",
    ),
    _remark(
        "known-prevalence",
        "the share of positives in the study is taken as known: resamples hold the"
        " numbers of both classes",
    ),
    _remark(
        "given-prevalence",
        "the given prevalence alone determines the value: it is not estimated and has no limits",
    ),
    _remark(
        "scores-taken-as-risks",
        "scores count as the chance of being positive, at the prevalence in"
        " use: where they are not calibrated, decisions by them are worse",
    ),
    _remark(
        "per-group",
        "n_pos and n_neg are the numbers in each of two groups",
        "numbers of cases are those in each of two groups",
    ),
    _remark(
        "available-cases",
        "each area is of the cases with a score of its predictor"
        " (nan_policy='available'): scores are taken to be missing completely at random",
        "each area is of the cases with a score of its predictor: scores are taken"
        " to be missing completely at random",
    ),
    _remark(
        "rows-dropped",
        "rows with a missing value were left out (nan_policy='omit' or 'available')",
        "rows with a missing value were left out",
    ),
    _remark(
        "level-unknown", "so many rows have no value of the variable: they are in no subgroup of it"
    ),
    _remark(
        "adjusted",
        "p_adjusted allows for the number of rows by this method, the interval does not",
        "adjusted P values allow for the number of rows by this method, intervals do not",
    ),
)
NOTES = {note.code: note for note in _RECORDS}
"""All notes by code, doubts first."""


def note_in_print(key: str) -> str:
    """Return what a code of the column ``note`` means, without words of Python.

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
