"""Eight studies as they reach a desk, and what a clinician expects of each, by the command alone.

Each expectation is met by the command that ``CHECKS`` asks of it, compared with a count or a
formula on the columns of the file; or it is ``ABSENT``, with the reason, which the command prints
where it can be asked. What ``rocstats report`` makes of the studies is tested with the report.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from pathlib import Path
from unittest import mock

import docx
import numpy as np
import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pyreadstat
import pytest
from scipy import optimize, stats

import rocstats as rs
from rocstats import cli
from tests.commands.conftest import CLINIC

GERMAN = "Diagnose|Prüfgröße (µg/l)|Albumin|--positive|bösartig|--lower|Albumin|--missing|omit"
GERMAN += "|--cluster|Patient ID"
WORDS = {
    "german.csv": GERMAN,
    "german_cp1252.csv": GERMAN,
    "sheets.xlsx": GERMAN + "|--sheet|Data",
    "two_tests_missing.csv": "disease|test_a|test_b|--positive|yes|--missing|available",
    "ratings.csv": "status|rating|--frequency|n",
    "two_by_two.csv": "test|tp",
    "folds.csv": "y|logistic|forest|--fold|fold|--cluster|case",
    "breast.csv": "diagnosis|area|texture|--positive|malignant",
}
"""The words that describe each study to a command, after the name of its file."""
CUTOFFS = {
    **dict.fromkeys(("german.csv", "german_cp1252.csv", "sheets.xlsx"), (2, 42.5)),
    "two_tests_missing.csv": (0.5, 0.25),
    "ratings.csv": (3,),
    "folds.csv": (0.5, 0.6),
    "breast.csv": (600, 20),
}
DRAWN = ("--resamples", "100", "--seed", "1")


Scores = tuple[np.ndarray, np.ndarray, pd.DataFrame]


class Desk:
    """A folder with the files, where each command is given once; and the columns of the files."""

    def __init__(self, folder: Path, app) -> None:
        self.folder, self.app, self.answers = folder, app, {}
        for name in WORDS:
            if name != "breast.csv":
                (folder / name).write_bytes((CLINIC / name).read_bytes())
        rs.load_breast_cancer().to_csv(folder / "breast.csv", index=False)

    def ask(self, command: str, study: str, *options: object) -> tuple[int, str, str]:
        """Return exit status, standard output and standard error."""
        return self.give(command, study, *WORDS[study].split("|"), *options)

    def give(self, *given: object) -> tuple[int, str, str]:
        words = tuple(map(str, given))
        if words not in self.answers:
            out, err = io.StringIO(), io.StringIO()
            with (
                contextlib.chdir(self.folder),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
                mock.patch.object(cli, "app", self.app),
                mock.patch.object(sys, "argv", ["rocstats", *words]),
                pytest.raises(SystemExit) as end,
            ):
                cli.main()
            self.answers[words] = end.value.code or 0, out.getvalue(), err.getvalue()
        return self.answers[words]

    def rows(self, command: str, study: str, *options: object) -> list[dict]:
        status, out, err = self.ask(command, study, *options, "--format", "json")
        assert status == 0, err
        return json.loads(out)

    def scores(
        self, study: str, only: str = ""
    ) -> list[tuple[np.ndarray, np.ndarray, pd.DataFrame]]:
        """Return truth and score of each test, high in the ill, read by pandas alone."""
        file = self.folder / study
        if study in ("german.csv", "german_cp1252.csv"):
            encoding = "cp1252" if "cp1252" in study else "utf-8-sig"
            data = pd.read_csv(file, sep=";", decimal=",", encoding=encoding)
        elif study == "sheets.xlsx":
            data = pd.read_excel(file, sheet_name="Data")
        else:
            data = pd.read_csv(file)
        outcome, *names = WORDS[study].split("|--")[0].split("|")
        names = [only] if only else names
        if study == "ratings.csv":
            data = data.loc[data.index.repeat(data["n"])]
        if "omit" in WORDS[study]:
            data = data.dropna(subset=names)
        ill = data[outcome].isin(["bösartig", "yes", "malignant", 1])
        found = []
        for name in names:
            own = data[name].notna()
            sign = -1 if name == "Albumin" else 1
            found.append((ill[own].to_numpy(), sign * data.loc[own, name].to_numpy(), data[own]))
        return found


@pytest.fixture(scope="module")
def desk(tmp_path_factory, app):
    return Desk(tmp_path_factory.mktemp("desk"), app)


def area(ill: np.ndarray, score: np.ndarray) -> float:
    return stats.mannwhitneyu(score[ill], score[~ill]).statistic / (ill.sum() * (~ill).sum())


def placements(ill: np.ndarray, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    wins = (score[ill][:, None] > score[~ill]) + (score[ill][:, None] == score[~ill]) / 2
    return wins.mean(axis=1), wins.mean(axis=0)


def standard_error(ill: np.ndarray, score: np.ndarray, cluster: np.ndarray) -> float:
    """Obuchowski (1997), equations of section 2; with clusters of one, DeLong."""
    of_ill, of_well = placements(ill, score)
    m, n, a = len(of_ill), len(of_well), of_ill.mean()
    units = np.unique(cluster)
    x = pd.Series(of_ill - a).groupby(cluster[ill]).sum()
    y = pd.Series(of_well - a).groupby(cluster[~ill]).sum()
    both = (x.reindex(units, fill_value=0) * y.reindex(units, fill_value=0)).sum()
    within = sum(len(z) / (len(z) - 1) * (z**2).sum() / k**2 for z, k in ((x, m), (y, n)))
    return (within + 2 * len(units) / (len(units) - 1) * both / (m * n)) ** 0.5


def thresholds(study: str) -> list[object]:
    names = WORDS[study].split("|--")[0].split("|")[1:]
    pairs = zip(names, CUTOFFS[study], strict=True)
    return [word for name, cut in pairs for word in ("--threshold", f"{name}={cut}")]


def at_cutoff(desk: Desk, study: str) -> list[dict[str, dict]]:
    """Return the measures at the cutoff of each test, by their names."""
    if study == "two_by_two.csv":
        given = ("table", "--file", study, "--prevalence", "0.05", "--format", "json")
        rows = json.loads(desk.give(*given)[1])
    else:
        rows = desk.rows("points", study, *thresholds(study), "--prevalence", 0.05)
    names = dict.fromkeys(row["predictor"] for row in rows)
    return [{r["quantity"]: r for r in rows if r["predictor"] == name} for name in names]


def counted(desk: Desk, study: str) -> list[tuple[int, int, int, int]]:
    """Return tp, fp, fn and tn of each test at its cutoff."""
    if study == "two_by_two.csv":
        return [(670, 202, 74, 640), (698, 131, 46, 711)]
    found = []
    for (ill, score, _), cut in zip(desk.scores(study), CUTOFFS[study], strict=True):
        called = score >= (-cut if (score < 0).all() else cut)
        tp, fp = int((called & ill).sum()), int((called & ~ill).sum())
        found.append((tp, fp, int(ill.sum()) - tp, int((~ill).sum()) - fp))
    return found


def auc_with_interval(desk, study):
    for row, (ill, score, data) in zip(desk.rows("auc", study), desk.scores(study), strict=True):
        if "fold" in data:
            expected = np.mean([area(ill[f], score[f]) for f in folds_of(data)])
        else:
            expected = area(ill, score)
            unit = data.get("Patient ID", pd.Series(range(len(data)))).to_numpy()
            assert row["se"] == pytest.approx(standard_error(ill, score, unit), rel=1e-9)
        assert row["estimate"] == pytest.approx(expected, abs=1e-12)
        # A t interval on the logit scale is symmetric there, and wider than the normal one.
        low, middle, high = (stats.logistic.ppf(row[x]) for x in ("ci_low", "estimate", "ci_high"))
        se = row["se"] / (row["estimate"] * (1 - row["estimate"]))
        assert high - middle == pytest.approx(middle - low)
        assert 1.96 * se < high - middle < 2.1 * se


def folds_of(data: pd.DataFrame) -> list[np.ndarray]:
    return [(data["fold"] == fold).to_numpy() for fold in data["fold"].unique()]


def perfect_test_of_ten(desk, study):
    ill, score, _ = desk.scores(study)[0]
    ends = np.r_[np.sort(score[ill])[-5:], np.sort(score[~ill])[:5]]
    few = f"few of {study}.csv"
    pd.DataFrame({"y": [1] * 5 + [0] * 5, "s": ends}).to_csv(desk.folder / few, index=False)
    (row,) = json.loads(desk.give("auc", few, "y", "s", "--format", "json")[1])

    # Newcombe (2006), method 5: the area whose standard error is (1 - area)/z from 1.
    def distance(a):
        size = (5 + 5) / 2 - 1
        variance = a * (1 - a) * (1 + size * (1 - a) / (2 - a) + size * a / (1 + a)) / 25
        return 1 - a - stats.norm.ppf(0.975) * variance**0.5

    expected = optimize.brentq(distance, 0.01, 0.999)
    assert (row["estimate"], row["ci_high"]) == (1, 1)
    assert row["ci_low"] == pytest.approx(expected, abs=1e-6)


def p_value_against_half(desk, study):
    options = ("--method", "brunner-munzel") if "--cluster" in WORDS[study] else ()
    rows = desk.rows("random", study, *options)
    for row, (ill, score, _) in zip(rows, desk.scores(study), strict=True):
        assert row["p_value"] < 0.01
        if "exact" in row["method"] and len(set(score)) == len(score):
            expected = stats.mannwhitneyu(score[ill], score[~ill], method="exact").pvalue
            assert row["p_value"] == pytest.approx(expected, rel=1e-9)
        if "continuity" in row["method"]:
            expected = stats.mannwhitneyu(score[ill], score[~ill], method="asymptotic").pvalue
            assert row["p_value"] == pytest.approx(expected, rel=1e-6)
        if study != "folds.csv":
            assert row["estimate"] == pytest.approx(area(ill, score), abs=1e-12)


def paired_comparison(desk, study):
    (row,) = desk.rows("compare", study)
    first, second = desk.rows("auc", study)
    assert row["estimate"] == pytest.approx(first["estimate"] - second["estimate"], abs=1e-12)
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    if study == "breast.csv":
        # DeLong's variance of the difference is that of the differences of placements.
        (ill, a, _), (_, b, _) = desk.scores(study)
        one, other = placements(ill, a), placements(ill, b)
        parts = [np.var(x - y, ddof=1) / len(x) for x, y in zip(one, other, strict=True)]
        assert row["se"] == pytest.approx(sum(parts) ** 0.5, rel=1e-9)


def adjusted_and_margins(desk, study):
    """A third column where the file has one; of two tests, the margin."""
    words = WORDS[study].split("|")
    third = {"D": "Läsionsgröße", "d": "concave_points"}.get(words[0][0])
    if third and study != "two_tests_missing.csv":
        words.insert(1, third)
        given = ("compare", study, *words, "--format", "json")
        rows = json.loads(desk.give(*given)[1])
        joint = json.loads(desk.give(*given, "--adjust", "single-step")[1])
        ascending = sorted(rows, key=lambda row: row["p_value"])
        holm = np.maximum.accumulate([(3 - i) * r["p_value"] for i, r in enumerate(ascending)])
        assert [r["p_adjusted"] for r in ascending] == pytest.approx(np.minimum(holm, 1), abs=1e-12)
        for own, shared in zip(rows, joint, strict=True):
            assert shared["ci_low"] < own["ci_low"] < own["ci_high"] < shared["ci_high"]
    margin = ("--hypothesis", "non-inferiority", "--margin", "0.1")
    (row,) = desk.rows("compare", study, *margin)
    assert row["null_value"] == -0.1
    assert (row["p_value"] < 0.025) == (row["ci_low"] > -0.1)


def sensitivity_and_specificity(desk, study):
    for (tp, fp, fn, tn), row in zip(counted(desk, study), at_cutoff(desk, study), strict=True):
        for name, part, rest in (("tpr", tp, fn), ("tnr", tn, fp)):
            assert row[name]["estimate"] == pytest.approx(part / (part + rest), abs=1e-12)
            limits = stats.binomtest(part, part + rest).proportion_ci(method="wilson")
            found = (row[name]["ci_low"], row[name]["ci_high"])
            if "--cluster" in WORDS[study]:
                assert found[0] < row[name]["estimate"] < found[1]
            else:
                assert found == pytest.approx((limits.low, limits.high), abs=1e-9)


def predictive_values(desk, study):
    for (tp, fp, fn, tn), row in zip(counted(desk, study), at_cutoff(desk, study), strict=True):
        found, missed = 0.05 * tp / (tp + fn), 0.05 * fn / (tp + fn)
        wrong, cleared = 0.95 * fp / (fp + tn), 0.95 * tn / (fp + tn)
        assert row["ppv"]["estimate"] == pytest.approx(found / (found + wrong), abs=1e-12)
        assert row["npv"]["estimate"] == pytest.approx(cleared / (cleared + missed), abs=1e-12)
        assert all(
            row[x]["ci_low"] < row[x]["estimate"] < row[x]["ci_high"] for x in ("ppv", "npv")
        )


def criterion_table(desk, study):
    """A row a cutoff, that which calls nobody ill included; of ratings in Word."""
    outcome, *names = WORDS[study].split("|--")[0].split("|")
    options = WORDS[study].split("|")[1 + len(names) :]
    name = names[-1]
    ((_, score, _),) = desk.scores(study, name)
    asked = ("--threshold", "all", "--layout", "wide", "--quantity", "tpr")
    given = ("points", study, outcome, name, *options, *asked)
    if study == "ratings.csv":
        assert desk.give(*given, "--out", "criterion.docx")[0] == 0
        (table,) = docx.Document(str(desk.folder / "criterion.docx")).tables
        n_rows = len(table.rows) - 1
    else:
        status, out, err = desk.give(*given, "--format", "markdown")
        assert status == 0, err
        n_rows = sum(line.startswith("|") for line in out.splitlines()) - 2
    # the table begins at the first score
    assert n_rows == len(np.unique(score))


def best_cutoff(desk, study):
    rows = desk.rows("cutpoint", study, *DRAWN)
    names = dict.fromkeys(row["predictor"] for row in rows)
    for name, (ill, score, _) in zip(names, desk.scores(study), strict=True):
        by_name = {row["quantity"]: row for row in rows if row["predictor"] == name}
        gains = [(score[ill] >= t).mean() - (score[~ill] >= t).mean() for t in np.unique(score)]
        assert by_name["youden"]["apparent"] == pytest.approx(max(gains), abs=1e-12)
        row = by_name["threshold"]
        assert row["ci_low"] <= row["estimate"] <= row["ci_high"]


def optimism_is_labelled(desk, study):
    for row in desk.rows("cutpoint", study, *DRAWN):
        if row["quantity"] == "youden":
            assert row["estimate"] == pytest.approx(row["apparent"] - row["optimism"])
            assert row["optimism"] > 0
    printed = desk.ask("cutpoint", study, *DRAWN)[1]
    assert "Sensitivity, corrected for optimism" in printed
    assert "Apparent" in printed.splitlines()[0]


def calculator(desk, study):
    """The table of counts at the cutoff, typed by hand, gives the rates of the file."""
    cells = counted(desk, study)[0]
    rows = json.loads(desk.give("table", *cells, "--format", "json")[1])
    tp, fp, fn, tn = cells
    found = {row["quantity"]: row["estimate"] for row in rows}
    assert found["lr_positive"] == pytest.approx(tp / (tp + fn) / (fp / (fp + tn)), abs=1e-12)
    assert found["odds_ratio"] == pytest.approx(tp * tn / (fp * fn), abs=1e-9)


def band_of_the_curve(desk, study):
    rows = desk.rows("band", study, *DRAWN, "--at", "0.2")
    assert {row["scope"] for row in rows} == {"simultaneous"}
    for row, (ill, score, _) in zip(rows, desk.scores(study), strict=True):
        # The curve at 0.2 lies between those of the thresholds around it.
        cuts = np.r_[np.unique(score), np.inf]
        fpr = np.array([(score[~ill] >= t).mean() for t in cuts])
        tpr = np.array([(score[ill] >= t).mean() for t in cuts])
        assert tpr[fpr <= 0.2].max() - 1e-12 <= row["tpr"] <= tpr[fpr >= 0.2].min() + 1e-12
        assert row["tpr_low"] < row["tpr"] < row["tpr_high"]


def cutoff_on_a_figure_of_85_mm(desk, study):
    figure = f"{Path(study).stem}.svg"
    if study in CUTOFFS:
        status, _, err = desk.ask("plot", study, *thresholds(study), "--out", figure)
    else:
        status, _, err = desk.give("table", "--file", study, "--figure", figure)
    assert status == 0, err
    tp, _, fn, _ = counted(desk, study)[0]
    drawn = (desk.folder / figure).read_text(encoding="utf-8")
    width = float(re.search(r'width="([\d.]+)pt"', drawn)[1])
    assert width == pytest.approx(85 / 25.4 * 72, abs=0.01)
    assert f"sensitivity {100 * tp / (tp + fn):.0f}%" in drawn


def clusters(desk, study):
    """The standard error is that of clusters: with the option it is not what it is without."""
    words = WORDS[study].replace("|--cluster|Patient ID", "").replace("|--cluster|case", "")
    alone = json.loads(desk.give("auc", study, *words.split("|"), "--format", "json")[1])
    for row, other in zip(desk.rows("auc", study), alone, strict=True):
        assert (row["method"], other["method"]) == ("obuchowski/logit-t", "delong/logit-t")
        assert row["se"] != other["se"]


def cross_validation(desk, study):
    auc_with_interval(desk, study)
    rows = desk.rows("average", study, "--repeated", "--at", "0.2")
    assert all(row["ci_low"] < row["estimate"] < row["ci_high"] for row in rows)


def ratings(desk, study):
    auc_with_interval(desk, study)
    fitted = {row["quantity"]: row for row in desk.rows("binormal", study)}
    a, b = fitted["a"]["estimate"], fitted["b"]["estimate"]
    assert fitted["auc"]["estimate"] == pytest.approx(stats.norm.cdf(a / (1 + b**2) ** 0.5))


def missing_results(desk, study):
    for row, (ill, _, _) in zip(desk.rows("auc", study), desk.scores(study), strict=True):
        assert (row["n_pos"], row["n_neg"]) == (ill.sum(), (~ill).sum())
    status, _, err = desk.give(
        "auc", study, *re.sub(r"\|--missing\|\w+", "", WORDS[study]).split("|")
    )
    assert status == 2
    assert "Pass --missing omit" in err


def local_file(desk, study):
    said = {
        "german.csv": "separated by ;, decimal comma\n",
        "german_cp1252.csv": "separated by ;, decimal comma, cp1252\n",
        "sheets.xlsx": "sheet 'Data' of 'Read me', 'Data'\n",
    }
    assert desk.ask("auc", study, "--format", "json")[2].endswith(said.get(study, ""))
    if study == "two_tests_missing.csv":
        pyreadstat.write_sav(pd.read_csv(CLINIC / study), str(desk.folder / "two.sav"))
        rows = json.loads(
            desk.give("auc", "two.sav", *WORDS[study].split("|"), "--format", "json")[1]
        )
        assert [row["estimate"] for row in rows] == [
            row["estimate"] for row in desk.rows("auc", study)
        ]


def answered(study: str) -> tuple[str, ...]:
    """Return the words of a command that has an answer with a table for the study."""
    if study == "two_by_two.csv":
        return ("table", "--file", study, "--prevalence", "0.05", "--quantity", "tpr")
    return ("auc", study, *WORDS[study].split("|"))


def word_and_excel(desk, study):
    expected = [
        row["estimate"] for row in json.loads(desk.give(*answered(study), "--format", "json")[1])
    ]
    for ending in ("docx", "xlsx"):
        assert desk.give(*answered(study), "--out", f"table.{ending}", "--force")[0] == 0
    (table,) = docx.Document(str(desk.folder / "table.docx")).tables
    cells = [cell.text for row in table.rows for cell in row.cells]
    assert all(any(cell.startswith(f"{x:.3f} (") for cell in cells) for x in expected)
    sheet = openpyxl.load_workbook(desk.folder / "table.xlsx").active
    numbers = {cell.value for row in sheet.iter_rows() for cell in row}
    assert numbers.issuperset(expected)


def methods_with_references(desk, study):
    status, out, _ = desk.give(*answered(study), "--methods")
    paragraph, *references = out.split("\n\n")[-1].splitlines()
    assert status == 0
    assert "Confidence intervals (95%) were computed" in paragraph
    cited = [int(x) for found in re.findall(r"\[([\d, ]+)\]", paragraph) for x in found.split(",")]
    assert sorted(set(cited)) == list(range(1, len(references) + 1))
    assert all(line.startswith(f"{i}. ") for i, line in enumerate(references, start=1))


def sample_size(desk, study):
    """From the file as a pilot, where it can be one; else from an assumed rate."""
    if study == "breast.csv":
        options = ("--difference", "0.05", "--power", "0.8", "--format", "json")
        (row,) = json.loads(desk.give("size", study, *WORDS[study].split("|"), *options)[1])
        (ill, a, _), (_, b, _) = desk.scores(study)
        pairs = zip(placements(ill, a), placements(ill, b), strict=True)
        spread = sum(np.var(x - y, ddof=1) for x, y in pairs)
        wanted = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * spread / 0.05**2
        assert row["n_pos_unrounded"] == pytest.approx(wanted, rel=1e-3)
        return
    options = ("--rate", "0.9", "--goal", "0.8", "--power", "0.8", "--format", "json")
    (row,) = json.loads(desk.give("size", *options)[1])
    n = np.arange(1, 400)
    critical = stats.binom.isf(0.05, n, 0.8)
    enough = stats.binom.sf(critical, n, 0.9) >= 0.8
    # Power is a saw: from this number on it never falls below what is wanted.
    assert row["n_pos"] == n[~enough].max() + 1


CHECKS = {
    "AUC with interval": auc_with_interval,
    "interval at AUC 1 and small n": perfect_test_of_ten,
    "P against .5": p_value_against_half,
    "paired comparison": paired_comparison,
    "adjusted P, simultaneous intervals, margins": adjusted_and_margins,
    "sensitivity and specificity at a cutoff": sensitivity_and_specificity,
    "criterion table": criterion_table,
    "best cutoff with interval": best_cutoff,
    "optimism-corrected rates": optimism_is_labelled,
    "predictive values at a prevalence": predictive_values,
    "2x2 calculator": calculator,
    "whole-curve band": band_of_the_curve,
    "cutoff marked on the curve": cutoff_on_a_figure_of_85_mm,
    "clustered data": clusters,
    "cross-validation folds": cross_validation,
    "frequency tables and ratings": ratings,
    "missing results": missing_results,
    "local files": local_file,
    "Word and Excel tables": word_and_excel,
    "Methods text with references": methods_with_references,
    "sample size": sample_size,
}
"""How each expectation is met; that no code is written is what the whole table shows."""

NO_CURVE = "A yes/no test has only one operating point: areas, cutpoints and bands are not defined."
ONE_SCORE = "`SCORE` must be two or more columns; got 1."
TABLES = {
    "AUC with interval": "auc",
    "interval at AUC 1 and small n": "auc",
    "P against .5": "random",
    "paired comparison": "compare",
    "adjusted P, simultaneous intervals, margins": "compare",
    "criterion table": "points",
    "best cutoff with interval": "cutpoint",
    "optimism-corrected rates": "cutpoint",
    "whole-curve band": "band",
}
ABSENT: dict[tuple[str, str], tuple[str, str]] = {
    **{(wish, "two_by_two.csv"): (command, NO_CURVE) for wish, command in TABLES.items()},
    ("paired comparison", "ratings.csv"): ("compare", ONE_SCORE),
    ("adjusted P, simultaneous intervals, margins", "ratings.csv"): ("compare", ONE_SCORE),
}
"""Study and expectation that do not go together: the command that says why, and what it prints."""
ONLY = {
    "clustered data": ("german.csv", "german_cp1252.csv", "sheets.xlsx"),
    "cross-validation folds": ("folds.csv",),
    "frequency tables and ratings": ("ratings.csv",),
    "missing results": ("german.csv", "german_cp1252.csv", "sheets.xlsx", "two_tests_missing.csv"),
}
"""Expectations of data that only these studies have."""
ASKED = [
    pytest.param(study, wish, id=f"{study}-{wish}")
    for study in WORDS
    for wish in CHECKS
    if study in ONLY.get(wish, WORDS)
]


@pytest.mark.parametrize(("study", "wish"), ASKED)
def test_the_command_meets_each_expectation(desk, study, wish):
    if (study, wish) == ("two_by_two.csv", "paired comparison"):
        assert "do not say which cases the tests share" in desk.give("table", "--file", study)[2]
    if (wish, study) not in ABSENT:
        CHECKS[wish](desk, study)
        return
    command, reason = ABSENT[wish, study]
    options = ("--threshold", "all") if command == "points" else ()
    status, out, err = desk.ask(command, study, *options)
    assert (status, out) == (2, "")
    assert reason in err
