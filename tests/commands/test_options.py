"""What is wrong with the options of a command is said in one line, in the words of the command."""

from __future__ import annotations

import shlex

import pytest

ERRORS = {
    "one risk of a figure": (
        "net-benefit risks.csv died model --risk-threshold 0.1 --figure curve.svg",
        "`--risk-threshold` must be two or more with --figure; got [0.1]. Name the ends of the "
        "range to draw.",
    ),
    "no risks": (
        "calibration patients.csv diagnosis area --positive malignant",
        "`SCORE` must be risks in [0, 1]; got scores of 'area' from 143.5 to 2501. Pass the risks "
        "that a fitted model predicts.",
    ),
    "scores and measures": (
        "calibration risks.csv died model --scores --quantity ici",
        "`--quantity` must be left out with --scores; got ['ici']. Leave one of them out.",
    ),
    "no place": (
        "points patients.csv diagnosis area --positive malignant",
        "One of `--threshold`, `--fpr` and `--tpr` must be given; got 0 of them. Pass one of them.",
    ),
    "two places": (
        "points patients.csv diagnosis area --positive malignant --threshold 600 --fpr 0.1",
        "One of `--threshold`, `--fpr` and `--tpr` must be given; got 2 of them. Pass one of them.",
    ),
    "quantity": (
        "points patients.csv diagnosis area --positive malignant --threshold 600"
        " --quantity sensitiviti",
        "`--quantity` must be some of tpr, tnr, fpr, fnr, ppv, npv, lr_positive, lr_negative, "
        "odds_ratio, accuracy, balanced_accuracy, youden, f1, mcc, kappa, false_discovery, "
        "false_omission, number_needed_to_diagnose, f_beta, true_prevalence, each once; got "
        "['sensitiviti']. Did you mean 'tpr'?",
    ),
    "prevalence": (
        "points patients.csv diagnosis area --positive malignant --threshold 600 --prevalence 5",
        "`--prevalence` must be a number strictly between 0 and 1, or a sequence of them; got "
        "[5.0]. Pass the share of positives in the population of use.",
    ),
    "rate": (
        "points patients.csv diagnosis area --positive malignant --fpr 1.5",
        "`--fpr` must be false positive rates in [0, 1]; got 1.5. Pass rates, such as --fpr 0.1.",
    ),
    "cost": (
        "cutpoint patients.csv diagnosis area --positive malignant --criterion cost",
        "`--cost-fp` must be given with the criterion 'cost'; got None. Pass --cost-fp.",
    ),
    "needless cost": (
        "cutpoint patients.csv diagnosis area --positive malignant --cost-fp 1",
        "`--cost-fp` must be left out with the criterion 'youden', which does not use it; got "
        "1.0. Leave it out.",
    ),
    "criterion of a method": (
        "cutpoint patients.csv diagnosis area --positive malignant --method kernel"
        " --criterion kappa",
        "`--criterion` must be 'youden' with the method 'kernel'; got 'kappa'. Use the method "
        "'empirical'.",
    ),
    "three counts": (
        "table 1 2 3",
        "`TP FP FN TN` must be given, four counts, or --file instead; got 3 counts and no file. "
        "See: rocstats table --help.",
    ),
    "counts and a file": (
        "table 1 2 3 4 --file two_by_two.csv",
        "`TP FP FN TN` must be given, four counts, or --file instead; got 4 counts and a file. "
        "See: rocstats table --help.",
    ),
    "no diseased": (
        "table 0 2 0 4",
        "`TP`, `FN`, `FP` and `TN` must leave both classes in each test; got 0 positives and 6 "
        "negatives in 'test'. Check the cells of its table.",
    ),
    "no table in the file": (
        "table --file classes.csv",
        "`--file` must have the columns test, tp, fp, fn and tn; got none called test, tp, fp, "
        "fn, tn. Rename its columns.",
    ),
    "classes without columns": (
        "classes classes.csv kind low high",
        "`SCORE` must have one column for each label of `OUTCOME`; got labels without a column "
        "['middle']. Name the columns by their labels, or pass --class CLASS=SCORE.",
    ),
    "class of no column": (
        "classes graded.csv grade p_none p_mild p_severe --class 0=p_nine",
        "`--class` must be one of 'p_none', 'p_mild', 'p_severe'; got 'p_nine'. Did you mean "
        "'p_none'?",
    ),
    "mistyped word": (
        "compare patients.csv diagnosis area texture --positive malignant --adjust bonferoni",
        "`--adjust` must be one of 'holm', 'bonferroni', 'none', 'single-step'; got 'bonferoni'. "
        "Did you mean 'bonferroni'?",
    ),
    "mistyped word of another name": (
        "points patients.csv diagnosis area --positive malignant --threshold 600 --format markdwn",
        "`--format` must be one of 'text', 'markdown', 'latex', 'csv', 'json'; got 'markdwn'. "
        "Did you mean 'markdown'?",
    ),
    "methods in a file for programs": (
        "auc patients.csv diagnosis area --positive malignant --format csv --methods",
        "`--methods` must be left out with --format csv, which other programs read; got both. "
        "Leave one of them out.",
    ),
    "areas of tables": (
        "auc two_by_two.csv test tp",
        "`FILE` must have a row for each case, or for several alike (--frequency); got two by two "
        "tables (tp, fp, fn, tn). A yes/no test has one operating point: no area, cutpoint, band "
        "or comparison of areas. See: rocstats table --help.",
    ),
    "one independent test": (
        "table 1 2 3 4 --independent",
        "`--independent` must be with two tests or more, and without --prevalence; got 1 and "
        "None. Leave one of them out.",
    ),
    "decimal comma of a threshold": (
        "points patients.csv diagnosis area --positive malignant --threshold 600,5",
        "`--threshold` must be a number, or SCORE=NUMBER; got '600,5'. Write the decimals behind "
        "a point.",
    ),
    "two plans": (
        "size --auc 0.8 --rate 0.9 --power 0.8",
        "One of `--auc`, `--rate`, `--only-predictor` and `FILE` (a pilot study) must be "
        "passed; got 2 of them. See: rocstats size --help.",
    ),
    "half a paired rate": (
        "size --only-predictor 0.15 --power 0.8",
        "`--only-reference` must be given with --only-predictor; got none. Pass both shares.",
    ),
    "margin of a rate": (
        "size --rate 0.9 --margin 0.1 --power 0.8",
        "`--margin` must be left out with `--rate`; got 0.1. Leave it out.",
    ),
    "pilot of one score": (
        "size pilot.csv disease test_a --positive yes --power 0.8",
        "`FILE OUTCOME SCORE SCORE` must be given of a pilot study, two scores; got 1. Name those "
        "to compare.",
    ),
    "no folds": (
        "average patients.csv diagnosis area --positive malignant",
        "`--fold` must name the test set of each row; got a study without folds. Pass --fold.",
    ),
    "bars of repeated cases": (
        "average folds.csv y logistic --fold repeat --cluster case",
        "`--bars` must not be 'binomial' for a study with clusters, whose cases are not "
        "independent; got 'binomial'. Pass --bars effective, or --repeated if a cluster is one "
        "case that several folds repeat.",
    ),
    "places of a band": (
        "band patients.csv diagnosis area --positive malignant --at 2",
        "`--at` must be increasing false positive rates in [0, 1]; got [2.0]. Sort them, and "
        "leave out repeats.",
    ),
    "range of a band": (
        "band patients.csv diagnosis area --positive malignant --method regional",
        "`--fpr-range` must be given with --method regional and with no other; got None with "
        "'regional'. Use --at to read a band at some rates.",
    ),
    "candidates": (
        "random patients.csv diagnosis area --positive malignant --n-candidates 0",
        "`--n-candidates` must be a whole number >= 1; got 0. Pass how many predictors were tried.",
    ),
    "range": (
        "auc patients.csv diagnosis area --positive malignant --fpr-range 0.5 0.2",
        "`--fpr-range` must be two rates, 0 <= low < high <= 1; got (0.5, 0.2). Pass for instance"
        " 0 0.1.",
    ),
    "fold variance": (
        "auc patients.csv diagnosis area --positive malignant --variance ledell",
        "`--variance` must not be 'ledell' when the study has no folds, over which it averages; "
        "got 'ledell'. Pass --fold, or leave `--variance` out.",
    ),
    "margin": (
        "compare patients.csv diagnosis area texture --positive malignant --hypothesis"
        " non-inferiority",
        "`--margin` must be given for the hypothesis 'non-inferiority'; got None. Pass the "
        "largest difference that does not matter, chosen before the data were seen.",
    ),
    "needless margin": (
        "compare patients.csv diagnosis area texture --positive malignant --margin 0.1",
        "`--margin` must be left out for the hypothesis 'difference'; got 0.1. Pass --hypothesis "
        "superiority, 'non-inferiority' or 'equivalence' with it.",
    ),
    "method of points": (
        "compare patients.csv diagnosis area texture --positive malignant --threshold 3"
        " --method delong",
        "`--method` must be left out for operating points; got 'delong'. Leave it out.",
    ),
    "a word as threshold": (
        "compare patients.csv diagnosis area texture --positive malignant --threshold area=x",
        "`--threshold` must be a number, or SCORE=NUMBER; got 'x'. Correct it.",
    ),
    "two places to compare": (
        "compare patients.csv diagnosis area texture --positive malignant --threshold 3 --fpr 0.1",
        "`--threshold` must be given, or `--fpr` or `--tpr` in place of it; got threshold and "
        "fpr. Pass one of them.",
    ),
    "some thresholds named": (
        "points patients.csv diagnosis area --positive malignant --threshold area=3 --threshold 4",
        "`--threshold` must name a score each time, or never; got area=3, 4. Write SCORE=NUMBER.",
    ),
    "two thresholds to compare": (
        "compare patients.csv diagnosis area texture --positive malignant --threshold 3"
        " --threshold 4",
        "`--threshold` must be one value for each score to compare; got 3, 4. Run"
        " the command once for each.",
    ),
    "reference": (
        "compare patients.csv diagnosis area texture --positive malignant --reference size",
        "`--reference` must be one of 'area', 'texture'; got 'size'. Pass one of these.",
    ),
    "no groups": (
        "compare patients.csv diagnosis area texture --positive malignant --across groups",
        "`--across` must be 'predictors' without groups; got 'groups'. Pass --group.",
    ),
    "one planned case": (
        "power --auc 0.8 --n-pos 1 --n-neg 10",
        "`--n-pos` must be whole numbers >= 2; got 1. Pass numbers of cases.",
    ),
    "planned area": (
        "power --auc 1.8 --n-pos 10 --n-neg 10",
        "`--auc` must be a number strictly between 0 and 1; got 1.8. Pass a value inside (0, 1).",
    ),
    "nothing wanted": (
        "size --auc 0.8",
        "`--power` or `--half-width` must be given, one of them; got neither. Pass for instance "
        "--power 0.9.",
    ),
    "margin of one area": (
        "size --auc 0.8 --margin 0.1 --power 0.9",
        "`--reference-auc` must be given for a comparison of two areas; got none. Pass it, or "
        "leave out --hypothesis, --margin and correlations.",
    ),
    "one correlation": (
        "size --auc 0.8 --reference-auc 0.7 --correlation-pos 0.6 --power 0.9",
        "`--reference-auc` must come without --null-auc, and with both correlations (two scores "
        "of the same cases) or neither (two groups); got other options. See: rocstats size "
        "--help.",
    ),
    "null area of two": (
        "size --auc 0.8 --reference-auc 0.7 --null-auc 0.6 --power 0.9",
        "`--reference-auc` must come without --null-auc, and with both correlations (two scores "
        "of the same cases) or neither (two groups); got other options. See: rocstats size "
        "--help.",
    ),
    "nothing to find": (
        "size --auc 0.5 --power 0.9",
        "`--auc` must be different from `--null-auc` for the alternative 'two-sided'; got 0.5 and"
        " 0.5. Change one of them: the value contradicts the alternative, so"
        " no sample size gives power.",
    ),
    "simulations": (
        "size --auc 0.8 --power 0.9 --simulate --n-simulations 3",
        "`--n-simulations` must be a whole number >= 100; got 3. Use 2000 or more for printed "
        "results.",
    ),
    "label without text": (
        "auc patients.csv diagnosis area --positive malignant --label area",
        "`--label` must be NAME=VALUE; got 'area'. Write both.",
    ),
    "label twice": (
        "auc patients.csv diagnosis area --positive malignant --label area=A --label area=B",
        "`--label` must name each once; got 'area' twice. Drop one.",
    ),
    "label of nothing": (
        "auc patients.csv diagnosis area --positive malignant --label size=B",
        "`--label` must be of names of the study; got ['size']. The names are ['area', "
        "'diagnosis', 'concave_points', 'texture', 'symmetry', 'fractal_dimension'].",
    ),
    "digits": (
        "auc patients.csv diagnosis area --positive malignant --digits -1",
        "`--digits` must be a whole number from 0 to 15; got -1. Leave it out for the 3 decimals "
        "of style 'plain'.",
    ),
    "ending": (
        "auc patients.csv diagnosis area --positive malignant --out table.doc",
        "got 'table.doc'. Rename the file to choose a format.",
    ),
    "folder": (
        "auc patients.csv diagnosis area --positive malignant --out no/table.csv",
        "`--out` must lie in a directory that exists; got 'no/table.csv'. Create 'no' first.",
    ),
    "format of a file": (
        "auc patients.csv diagnosis area --positive malignant --out new.html --format json",
        "`--format` must be left out with --out, whose ending chooses; got 'json'. Leave one of "
        "them out.",
    ),
    "picture": (
        "plot patients.csv diagnosis area --positive malignant --out roc.bmp",
        "`--out` must end in .pdf, .svg, .png, .tiff, .tif; got 'roc.bmp'. Rename the file to "
        "choose a format.",
    ),
}


@pytest.mark.parametrize("name", list(ERRORS))
def test_wrong_options_are_one_line_and_status_2(run, folder, name):
    words, message = ERRORS[name]
    before = sorted(folder.iterdir())
    status, out, err = run(*shlex.split(words))
    assert (status, out) == (2, "")
    said = err.splitlines()[-1]
    assert said.startswith("rocstats: error: ")
    assert said.endswith(message)
    assert sorted(folder.iterdir()) == before
