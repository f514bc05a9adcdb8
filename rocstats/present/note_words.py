"""What the codes of the column ``note`` mean in print: for readers who do not call functions."""

from __future__ import annotations

from rocstats.frames.notes import NOTES
from rocstats.tolerances import FEW_CASES, FEW_UNEQUAL, UNEQUAL

# Only notes whose meaning, which is also the text of a warning, advises a programmer. The others
# are printed as they are.
_IN_PRINT = {
    "below-chance": "the whole interval of the AUC lies below .5: lower scores go with the positive"
    " class",
    "few-cases": f"the smaller class has under {FEW_CASES} members, or under {FEW_UNEQUAL} and"
    f" less than 1/{UNEQUAL} of the other: coverage may be below nominal",
    "repeated-cases": "cases evidently stand in several folds, as in repeated cross-validation, and"
    " count as different cases: standard errors are too small",
    "high-areas-few-cases": "both areas exceed 0.9 and the smaller class has 30 members or fewer:"
    " this test rejects too rarely, and a permutation test has more power",
    "high-index-few-cases": "a Youden index above 0.85 with under 100 cases of a class: the upper"
    " limit is too low too often",
    "unequal-spread": "class sizes or the standard deviations of a score in the classes differ by"
    " more than 1.5 to 1: exponential standard errors do not hold, and the test rejects too often"
    " or too rarely",
    "weights-need-bootstrap": "sampling weights leave no closed-form variance: only the estimate is"
    " given",
    "few-cases-in-range": "under 10 negatives (positives, over sensitivities) are expected between"
    " the end of the curve and the far end of the range: intervals of the partial area cover too"
    " little",
    "few-permutations": "there are so many candidates that, with these permutations, no statistic,"
    " however large, could have a P value below .05",
    "no-residual-spread": "the covariates explain the scores whole: a normal distribution of"
    " residuals has no spread, and nothing is estimated",
    "depends-on-censoring": "pairs are counted as censoring lets them be seen: the value differs"
    " between studies with other follow-up",
    "prevalence-needed": "cases were sampled by class: no such value without a prevalence",
    "study-prevalence": "the estimate is for the share of positives in the study, which means"
    " nothing where cases were sampled by class",
    "simultaneous-intervals": "adjusted P values and the intervals allow for all rows together"
    " (single-step, joint normal distribution)",
    "limits-need-prevalence": "limits that hold for every threshold at once need a known"
    " prevalence: the share of positives in the study is an estimate too",
    "joint-level": "the joint level of the limits of both rates",
    "monte-carlo-se": "the standard error is the Monte-Carlo error of a mean over resamples, no"
    " measure of sampling error",
    "per-group": "numbers of cases are those in each of two groups",
    "available-cases": "each area is of the cases with a score of its predictor: scores are taken"
    " to be missing completely at random",
    "uneven-reads": "reads are missing case by case, where the published variance of U-statistics"
    " varies much: in simulations with a fifth of them missing it was not positive in 13 to 24% of"
    " studies",
    "binned-scores": "the scores were counted in bins: limits are widened by the largest error that"
    " this can make",
    "rows-dropped": "rows with a missing value were left out",
    "adjusted": "adjusted P values allow for the number of rows by this method, intervals do not",
}


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
    >>> from rocstats.present.note_words import note_in_print
    >>> note_in_print("rows-dropped")
    'rows with a missing value were left out'
    """
    if key in _IN_PRINT:
        return _IN_PRINT[key]
    return NOTES[key].meaning if key in NOTES else key.replace("-", " ")
