"""Options, messages and notes in the words of the command, each wrong one in one line."""

from __future__ import annotations

import inspect
import re
import shlex
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from typer.models import ArgumentInfo, OptionInfo

import rocstats as rs
from rocstats.cli import COMMANDS
from rocstats.commands.options import command_with_option_groups, in_words_of_the_command
from rocstats.facts.notes import NOTES
from rocstats.facts.options import OPTIONS
from rocstats.inference.auc.auc import AUC
from tests.commands.conftest import WANTED
from tests.inference.readers.studies import rows_of
from tests.inference.readers.worked import random_study

OPTION_OF = {name: one.command for name, one in OPTIONS.items() if one.command}
OWN = {
    "SE": "a column of the file",
    "--port": "the window, of which the library has no function",
    "--browser/--no-browser": "the window",
    "--at-sensitivity": "the argument `tpr`, in percent",
    "--at-specificity": "the argument `fpr`, as its complement in percent",
    "--class": "what by_name reads, in its own words",
    "--differences": "another question",
    "--example": "data that ship",
    "--figure": "a file, checked by the command",
    "--file": "a file, read by the command",
    "--fold-case": "the command's own, of labels spelled alike",
    "--keep-case": "the command's own, of labels spelled alike",
    "--force": "whether files are replaced",
    "--format": "how a table is printed",
    "--independent": "compares tables of tests one by one",
    "--methods": "whether the paragraph is printed",
    "--out": "a file, checked by the command",
    "--repeated": "the argument `independent`, turned round",
    "--scores": "another question",
    "--spread": "another question",
    "--tables": "a file, read by the command",
    "--within-groups": "another question",
    "--time": "checked by the command: to the library `time` is the column TIME",
    "--volume": "another question",
    "SHELL": "no question",
}
"""Options that are no argument of the library, and what they are."""

STUDIES = (rs.Study, rs.MulticlassStudy, rs.MultilabelStudy, rs.ReaderStudy, rs.SurvivalStudy)
STUDIES += (rs.ItemStudy, rs.OrdinalStudy, rs.DetectionStudy, rs.MetaStudy)
FUNCTIONS: list[Any] = [
    rs.report,
    rs.read_table,
    rs.format_table,
    rs.power,
    rs.sample_size,
    rs.plot_roc,
    rs.pool_areas,
]
FUNCTIONS += [rs.OneAUC, rs.TwoAUCs, rs.PairedAUCs, rs.OneRate, rs.PairedRates, rs.ReaderDesign]

# Of these names an option is another argument than that of the library.
OTHERS = {"event", "label", "name", "outcome", "tp", "fp", "fn", "tn"}


def options():
    """Return each option or argument of each command: its command, its parameter, its name."""
    found = []
    for command, function in COMMANDS.items():
        for parameter in inspect.signature(
            command_with_option_groups(function)
        ).parameters.values():
            infos = [
                info for info in get_args(parameter.annotation)
                if isinstance(info, (OptionInfo, ArgumentInfo))
            ]  # fmt: skip
            info = infos[0]
            plain = "--" + parameter.name.replace("_", "-")
            given = [text for text in (info.default, *(info.param_decls or ()))
                     if isinstance(text, str)]  # fmt: skip
            if isinstance(info, ArgumentInfo):
                name = info.metavar or parameter.name.upper()
            else:
                name = next(iter(given), plain)
            found.append((command, parameter.name, name))
    return found


def arguments():
    """Return the names of the arguments of the library that commands pass on."""
    asked = [*FUNCTIONS, *STUDIES]
    for study in STUDIES:
        asked += [function for name, function in inspect.getmembers(study, callable)
                  if not name.startswith("_")]  # fmt: skip
    return {name for function in asked for name in inspect.signature(function).parameters}


def test_every_option_is_in_the_table_or_is_the_commands_own():
    known = {*OPTION_OF.values(), *OWN}
    assert [each for each in options() if each[2] not in known] == []
    assert OWN.keys() <= {name for _, _, name in options()}


def test_an_argument_of_the_library_is_said_as_its_option():
    library = arguments() - OTHERS
    wrong = [
        (command, parameter, name) for command, parameter, name in options()
        if parameter in library and name not in OWN and OPTION_OF.get(parameter) != name
    ]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`covariate` must be numbers.", "`--covariate` must be numbers."),
        ("`quantity` must be tpr or tnr.", "`--quantity` must be tpr or tnr."),
        ("Pass na='n$a'.", "Pass --na 'n$a'."),
        ("Pass only_reference=0.1.", "Pass --only-reference 0.1."),
        (
            "`words` must be a dict of words, each a text; got {}. Pass for instance"
            " words={'case': 'woman', 'condition': 'cancer'}.",
            "`--word` must be a dict of words, each a text; got {}. Pass for instance"
            ' --word "case=woman" --word "condition=cancer".',
        ),
    ],
)
def test_messages_are_in_the_words_of_the_command(message, said):
    assert in_words_of_the_command(message) == said


# --- What is wrong is one line, and status 2 ------------------------------------------------------

WRONG = {
    "auc nix.csv y s": "`FILE` must be a file",
    "auc data.ods y s": (
        "`FILE` must end in .csv, .tsv, .txt, .xlsx, .parquet, .sav, .zsav, .dta, .sas7bdat, .xpt"
    ),
    "auc patients.csv diagnosis area --sep ';'": "`--sep` must divide the header",
    "compare patients.csv diagnosis area texture --sheet 2": (
        "`--sheet` must be left out for this kind of file; got '2' for 'patients.csv'."
    ),
    "report patients.csv diagnosis area --decimal comma": "`--decimal` must be one of None",
    "auc patients.csv diagnosis area": (
        "`--positive` must be given for labels other than 0/1, -1/1 and booleans"
    ),
    "compare patients.csv diagnosis area x --positive malignant": (
        "`SCORE` must name one column of `FILE`; got 'x', of which there is no column."
    ),
    "auc ONE --level 95": "`--level` must be a number strictly between 0 and 1",
    "auc ONE --interval wlad": "`--interval` must be one of 'logit'",
    "auc rows.csv y s --fold part --interval newcombe": (
        "`--interval` must be based on a variance when the study has folds, because the area"
    ),
    "auc rows.csv y s --interval bca --resamples 5": "`--resamples` must be a whole number >= 100",
    "auc rows.csv y s --positive 7": "`--positive` must be one of the labels of `OUTCOME`: 0, 1",
    "auc rows.csv all s": (
        "`OUTCOME` must hold both classes; got 12 positives (label 1) and 0 negatives."
    ),
    "auc rows.csv site s --positive u": (
        "`OUTCOME` must hold two classes; got 3 labels: 'u', 'v', 'w'."
    ),
    "auc rows.csv y holes": "`SCORE` must have no missing values; got 1 of 'holes' (row 5).",
    "auc rows.csv y site": (
        "`SCORE` must be numbers; got 12 cells of text in column 'site': 'u' (row 2), 'v' (row"
        " 3), 'w' (row 4)."
    ),
    "auc rows.csv y y": "`SCORE` must not hold the outcome; got the column 'y' in both.",
    "compare rows.csv y s s": "`SCORE` must have unique names; got ['s'] more than once.",
    "compare rows.csv y s": "`SCORE` must be two or more columns",
    "auc rows.csv y s --lower t": "`--lower` must name predictors; got ['t'].",
    "auc rows.csv y s --cluster interval": (
        "`--cluster` must name one column of `FILE`; got 'interval', of which there is no column."
    ),
    "auc rows.csv y s --frequency n": (
        "`--frequency` must be whole numbers >= 0; got 0.5 in row 2 (wrong values: 12)."
    ),
    "auc rows.csv y s --fold y": (
        "`--fold` must have both classes in every fold; got 0 positives and 6 negatives in fold"
        " '0'."
    ),
    "report": "`FILE OUTCOME SCORE...` must be given without --example; got too few arguments.",
    "net-benefit risks.csv died model --risk-threshold 0.1 --figure curve.svg": (
        "`--risk-threshold` must be two or more numbers with --figure"
    ),
    "calibration ONE": "`SCORE` must be risks in [0, 1]; got scores of 'area' from 143.5 to 2501.",
    "calibration risks.csv died model --scores --quantity ici": (
        "`--quantity` must be left out with --scores"
    ),
    "points ONE": (
        "One of `--threshold`, `--fpr`, `--tpr`, `--at-sensitivity` and `--at-specificity` must be"
        " given; got 0 of them."
    ),
    "points ONE --threshold 600 --fpr 0.1": (
        "One of `--threshold`, `--fpr`, `--tpr`, `--at-sensitivity` and `--at-specificity` must be"
        " given; got 2 of them."
    ),
    "points ONE --at-sensitivity 80,100": (
        "`--at-sensitivity` must be percentages between 0 and 100, divided by commas; got '80,100'."
    ),
    "points ONE --threshold 600 --quantity sensitiviti": "`--quantity` must be some of tpr",
    "points ONE --threshold 600 --prevalence 5": (
        "`--prevalence` must be a number strictly between 0 and 1, or a sequence of them"
    ),
    "points ONE --fpr 1.5": "`--fpr` must be false positive rates in [0, 1]",
    "cutpoint ONE --criterion cost": "`--cost-fp` must be given with the criterion 'cost'",
    "cutpoint ONE --cost-fp 1": (
        "`--cost-fp` must be left out with the criterion 'youden', which does not use it"
    ),
    "cutpoint ONE --method kernel --criterion kappa": (
        "`--criterion` must be 'youden' with the method 'kernel'"
    ),
    "table 1 2 3": "`TP FP FN TN` must be four counts, or --file must be given",
    "table 1 2 3 4 --file two_by_two.csv": (
        "`TP FP FN TN` must be four counts, or --file must be given"
    ),
    "table 0 2 0 4": (
        "`TP`, `FN`, `FP` and `TN` must have both classes in each test; got 0 positives and 6"
        " negatives in 'test'."
    ),
    "table --file classes.csv": "`--file` must have the columns test, tp, fp, fn and tn",
    "classes classes.csv kind low high": (
        "`SCORE` must have one column for each label of `OUTCOME`; got labels without a column"
        " ['middle']."
    ),
    "classes graded.csv grade p_none p_mild p_severe --class 0=p_nine": (
        "`--class` must be one of 'p_none'"
    ),
    "compare TWO --adjust bonferoni": "`--adjust` must be one of 'holm'",
    "points ONE --threshold 600 --format markdwn": "`--format` must be one of 'text'",
    "auc ONE --format csv --methods": (
        "`--methods` must be left out with --format csv, which other programs read; got both."
    ),
    "auc two_by_two.csv test tp": (
        "`FILE` must have one row per case, or per number of equal cases (--frequency); got two"
        " by two"
        " tables (tp, fp, fn, tn)."
    ),
    "table 1 2 3 4 --independent": (
        "`--independent` must be used with two or more tests, and without --prevalence"
    ),
    "points ONE --threshold 600,5": "`--threshold` must be a number, or SCORE=NUMBER",
    "size --auc 0.8 --rate 0.9 --power 0.8": (
        "One of `--auc`, `--rate`, `--only-predictor` and `FILE` (a pilot study) must be passed;"
        " got 2 of them."
    ),
    "size --only-predictor 0.15 --power 0.8": (
        "`--only-reference` must be given with --only-predictor"
    ),
    "size --rate 0.9 --margin 0.1 --power 0.8": "`--margin` must be left out with `--rate`",
    "size pilot.csv disease test_a --positive yes --power 0.8": (
        "`FILE OUTCOME SCORE SCORE` must be a pilot study with two scores"
    ),
    "average ONE": "`--fold` must name the test set of each row; got a study without folds.",
    "average folds.csv y logistic --fold repeat --cluster case": (
        "`--bars` must not be 'binomial' for a study with clusters, whose cases are not independent"
    ),
    "band ONE --at 2": "`--at` must be increasing false positive rates in [0, 1]; got [2.0].",
    "band ONE --method regional": (
        "`--fpr-range` must be given with --method regional and with no other method"
    ),
    "random ONE --n-candidates 0": "`--n-candidates` must be a whole number >= 1",
    "auc ONE --fpr-range 0.5 0.2": "`--fpr-range` must be two rates, 0 <= low < high <= 1",
    "auc ONE --variance ledell": (
        "`--variance` must not be 'ledell' when the study has no folds (this variance"
    ),
    "compare TWO --hypothesis non-inferiority": (
        "`--margin` must be given for the hypothesis 'non-inferiority'"
    ),
    "compare TWO --margin 0.1": "`--margin` must be left out for the hypothesis 'difference'",
    "compare TWO --threshold 3 --method delong": "`--method` must be left out for operating points",
    "compare TWO --threshold area=x": "`--threshold` must be a number, or SCORE=NUMBER",
    "compare TWO --threshold 3 --fpr 0.1": (
        "`--threshold` must be given, or `--fpr` or `--tpr` instead; got threshold and fpr."
    ),
    "points ONE --threshold area=3 --threshold 4": (
        "`--threshold` must have a score name in every value, or in none"
    ),
    "compare TWO --threshold 3 --threshold 4": (
        "`--threshold` must be one value for each score to compare"
    ),
    "compare TWO --reference size": "`--reference` must be one of 'area'",
    "compare TWO --across groups": "`--across` must be 'predictors' without groups",
    "power --auc 0.8 --n-pos 1 --n-neg 10": "`--n-pos` must be whole numbers >= 2",
    "power --auc 1.8 --n-pos 10 --n-neg 10": "`--auc` must be a number strictly between 0 and 1",
    "size --auc 0.8": "`--power` or `--half-width` must be given, but not both; got neither.",
    "size --auc 0.8 --margin 0.1 --power 0.9": (
        "`--reference-auc` must be given for a comparison of two areas"
    ),
    "size --auc 0.8 --reference-auc 0.7 --correlation-pos 0.6 --power 0.9": (
        "`--reference-auc` must be passed without --null-auc, and with both correlations (two"
        " scores of the same cases) or without correlations (two groups)"
    ),
    "size --auc 0.8 --reference-auc 0.7 --null-auc 0.6 --power 0.9": (
        "`--reference-auc` must be passed without --null-auc, and with both correlations (two"
        " scores of the same cases) or without correlations (two groups)"
    ),
    "size --auc 0.5 --power 0.9": (
        "`--auc` must be different from `--null-auc` for the alternative 'two-sided'"
    ),
    "size --auc 0.8 --power 0.9 --simulate --n-simulations 3": (
        "`--n-simulations` must be a whole number >= 100"
    ),
    "auc ONE --label area": "`--label` must be NAME=VALUE",
    "auc ONE --label area=A --label area=B": "`--label` must have each name once; got 'area'"
    " twice.",
    "auc ONE --label size=B": "`--label` must use names of the study; got ['size'].",
    "auc ONE --digits -1": "`--digits` must be a whole number from 0 to 15",
    "auc ONE --out table.doc": "`--out` must end in .csv",
    "auc ONE --out no/table.csv": "`--out` must lie in a directory that exists",
    "auc ONE --out new.html --format json": (
        "`--format` must be left out with --out: the extension of the file determines the format"
    ),
    "plot ONE --out roc.svg --band regional": "`--band` must be of the whole curve",
    "points TWO --threshold all --figure all.svg": (
        "`--figure` with --threshold all must be of one score"
    ),
    "points ONE --threshold 600 --figure one.svg": (
        "`--figure` must be used with --threshold all, or with two or more prevalences"
    ),
    "goals ONE --tpr 0.8 --tnr 0.7": "`--threshold` must be given; got none.",
    "goals ONE --tpr 1.8 --tnr 0.7 --threshold 600": "`--tpr` must be a number strictly between",
    "goals rows.csv y s --tpr 0.8 --tnr 0.7 --threshold 3 --cluster part": (
        "`--cluster` must be left out for exact binomial tests"
    ),
    "likelihood-ratios ONE": "`--edge` must be given for over 10 distinct scores",
    "likelihood-ratios ONE --edge 5 --edge 5": "`--edge` must be numbers in ascending order",
    "grey-zone ONE": (
        "`--threshold` must be given, or `--tpr` and `--tnr` instead; got neither. Pass --threshold"
        " twice, or --tpr 0.95 --tnr 0.95."
    ),
    "grey-zone ONE --tpr 0.9": "`--tnr` must be a number strictly between 0 and 1; got none.",
    "grey-zone ONE --threshold 500": "`--threshold` must be two ascending numbers",
    "precision-recall ONE --reference area": "`SCORE` must hold two or more predictors",
    "precision-recall ONE --prevalence 2": "`--prevalence` must be a number strictly between",
    "verified-auc patients.csv diagnosis area --positive malignant --verified texture"
    " --probability area": "`--verified` must be booleans",
    "verified-table 231 32 27 54 --n-test-positive 20 --n-test-negative 221": (
        "`--n-test-positive` must be a whole number, at least the 263 verified cases"
    ),
    "compare-published --auc 0.8 --reference-auc 0.7 --se 0.1": "`--reference-se` must be given",
    "compare-published --auc 0.8 --reference-auc 0.7 --n-pos 3 --n-neg 0 --reference-se 0.1": (
        "`--n-neg` must be a whole number >= 1"
    ),
    "auc ONE --within-groups": "`--group` must name the strata of the cases",
    "auc ONE --within-groups --covariate texture": (
        "`--covariate` must be left out for areas within groups"
    ),
    "auc ONE --covariate texture --at symmetry=1": "`--at` must have values of each --covariate",
    "compare TWO --covariate symmetry --adjust single-step": "`--adjust` must be one of 'holm'",
    "table --file twice.csv": "`--file` must have each test once; got 'a' more than once.",
    "net-benefit ONE --risk-threshold 0.1": (
        "`SCORE` must be risks in [0, 1]; got scores of 'area' from 143.5 to 2501. Pass the risks"
        " of a fitted model."
    ),
    "plot ONE --out roc.bmp": "`--out` must end in .pdf, .svg, .eps, .png, .tiff, .tif",
}


def asked(words):
    """Return the words of a command, where ONE and TWO are a study of so many scores."""
    for name, scores in (("ONE", "area"), ("TWO", "area texture")):
        words = words.replace(name, f"patients.csv diagnosis {scores} --positive malignant")
    return shlex.split(words)


def require_words_of_the_command(app, command, text):
    """Require a text to have no words of Python, and no option that the command lacks."""
    # Without the words of the user.
    own = re.sub(r"'[^']*'|\"[^\"]*\"|; got .*?(?=\. [A-Z]|$)", "", text)
    assert not re.search(r"[a-z]\(|[a-z]=", own), text
    for other, option in re.findall(r"(?:rocstats (\w+) )?(--[a-z-]+)", own):
        there = {name for p in app.commands[other or command].params for name in p.opts}
        assert option in {*there, "--help"}, text


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("words", WRONG)
def test_wrong_options_are_one_line_and_status_2(app, run, folder, words):
    (folder / "twice.csv").write_text("test,tp,fp,fn,tn\na,5,2,1,9\na,6,3,2,8\n")
    before = sorted(folder.iterdir())
    status, out, err = run(*asked(words))
    assert (status, out) == (2, "")
    *others, said = err.splitlines()
    assert all(re.match("rocstats: (?!error)", line) for line in others)
    require_words_of_the_command(app, words.split()[0], said)
    assert said.startswith(f"rocstats: error: {WRONG[words]}")
    assert sorted(folder.iterdir()) == before


HINTS = {
    "auc ONE --interval wlad": "wald",
    "compare TWO --adjust bonferoni": "bonferroni",
    "points ONE --threshold 600 --format markdwn": "markdown",
    "points ONE --threshold 600 --quantity sensitiviti": "tpr",
    "classes graded.csv grade p_none p_mild p_severe --class 0=p_nine": "p_none",
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", HINTS)
def test_a_mistyped_word_is_answered_by_the_word_that_is_meant(refused, words):
    assert f"Did you mean '{HINTS[words]}'?" in refused(*asked(words))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        # Versions of click put these in other words.
        (("auc",), r"Missing argument 'FILE'\. See rocstats auc --help\."),
        (("auc", "--foo"), r"No such option:? '?--foo"),
        (("poinst",), r"Did you mean .*'points'"),
        (("auc", "f", "y", "s", "--level", "high"), "Invalid value for '--level': "),
        (("auc", "f", "y", "s", "--level"), r"'--level' requires an argument\. See rocstats"),
    ],
)
def test_a_command_that_cannot_be_read_is_one_line_and_status_2(run, words, message):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("rocstats: error: ")
    assert re.search(message, err)
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"PAR1 no parquet", b"\xff\xfe\x00bad"])
@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_broken_files_are_one_line_and_status_2(run, tmp_path, content, ending):
    path = tmp_path / f"broken.{ending}"
    path.write_bytes(content)
    status, _, err = run("auc", path, "y", "s")
    assert status == 2
    assert err.startswith("rocstats: error: `")
    assert err.count("\n") == 1


def test_doubt_about_a_file_names_the_options(ask, refused, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("y,a;s\n1,5;2\n", encoding="utf-8")
    assert 'Pass --sep "," or --sep ";".' in refused("auc", path, "y", "s")
    path.write_text("y;s;t\n1;1,234;0.5\n0;2,345;0.25\n", encoding="utf-8")
    assert 'Pass --decimal "," or --decimal "."' in refused("auc", path, "y", "s")
    (row,), said = ask("auc", path, "y", "s", "--decimal", ",")
    assert row["estimate"] == 0
    assert said.startswith("rocstats: read two.csv: separated by ;, decimal comma rocstats: note:")


def test_words_of_options_are_understood_in_any_case(run, data):
    plain = run("auc", data, *WANTED, "--style", "jama", "--format", "markdown")
    same = ["--style", "JAMA", "--format", "Markdown", "--interval", "Logit_T", "--missing", "OMIT"]
    assert run("auc", data, *WANTED, *same) == plain


# --- Notes advise what can be done with the command that shows them -------------------------------


def test_notes_speak_of_options(run, tmp_path):
    path = tmp_path / "falling.csv"
    score = np.r_[np.arange(30), np.arange(27, 57)]  # lower scores of positives
    pd.DataFrame({"y": np.repeat([1, 0], 30), "s": score}).to_csv(path, index=False)
    _, _, err = run("auc", path, "y", "s")
    assert (
        "Check which class is positive, or pass --lower if low scores indicate the positive class"
    ) in err
    rest = path.with_name("few.csv")
    pd.read_csv(path).iloc[20:40].to_csv(rest, index=False)
    _, _, err = run("auc", rest, "y", "s")
    assert "(rocstats auc --interval effective-wilson has coverage closer to its level)" in err


# Few cases, of which some scores go the other way, and some tell all apart.
ASKED = [
    "auc few.csv y a b perfect --fpr-range 0 0.2",
    "compare few.csv y perfect close",
    "binormal few.csv y a b",
    "points few.csv y perfect --threshold 8",
    "random few.csv y a b",
    "calibration few.csv y risk",
    "subgroups few.csv y a b --by site",
    "plot few.csv y a b --out drawn.svg --seed 1",
    "report few.csv y perfect close b --out report --kind html --seed 1",
    "readers reads.csv --truth truth --rating rating --reader reader --case case"
    " --modality modality",
    "survival times.csv months event marker --time 8",
    "survival times.csv months event marker --lower marker --time 8",
]


@pytest.fixture
def _files(tmp_path, monkeypatch, rng):
    monkeypatch.chdir(tmp_path)
    y = (np.arange(30) < 9).astype(int)
    perfect = 10 * y + rng.integers(0, 5, 30)
    few = {
        "y": y,
        "a": rng.normal(size=30) + y,
        "b": rng.normal(size=30) - 3 * y,
        "perfect": perfect,
        "close": np.where(np.arange(30) == 8, 2.5, perfect),
        "risk": (rng.random(30) + y) / 2,
        "site": np.where(np.arange(30) % 2, "x", "z"),
    }
    pd.DataFrame(few).to_csv("few.csv", index=False)
    rows_of(random_study(rng)).to_csv("reads.csv", index=False)
    k = np.arange(40)
    times = {"months": k % 13 + 1, "event": (k % 3 > 0) * 1, "marker": k % 13}
    pd.DataFrame(times).to_csv("times.csv", index=False)


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("line", ASKED)
def test_notes_name_options_of_their_command(app, run, line):
    command, *words = line.split()
    status, _, err = run(command, *words)
    notes = re.findall(r"^rocstats: note: (.*)$", err, re.MULTILINE)
    assert status == 0
    assert notes
    for note in notes:
        require_words_of_the_command(app, command, note)
        assert not re.search(r"\w_\w|\w=", note), note
        if command in ("readers", "survival"):
            assert "rocstats auc" not in note  # which does not take such a file


def test_advice_is_about_notes():
    assert AUC.advice
    assert set(AUC.advice) <= set(NOTES)
