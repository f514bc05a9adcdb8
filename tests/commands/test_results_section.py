"""A section of results is copied from what the commands print: its numbers are those of frames."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal

import pytest

import rocstats as rs
from tests.commands.conftest import WANTED

CUTS = {"area": 600, "texture": 20}
AT = [word for name, cut in CUTS.items() for word in ("--threshold", f"{name}={cut}")]
STYLE = ("--style", "radiology")


def rounded(value, digits):
    """A number as Radiology prints it, by another way than the package."""
    number = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{abs(number):f}"
    return f"−{text}" if number < 0 and number else text


def percent(value):
    return rounded(Decimal(repr(float(value))) * 100, 0)


def sentences(printed, beginning):
    """The sentences of a printed answer that begin with some words."""
    return [line for line in printed.splitlines() if line.startswith(beginning)]


def limits(row, text=lambda value: rounded(value, 2)):
    return f"95% CI: {text(row['ci_low'])}, {text(row['ci_high'])}"


def p_of(value):
    if value < 0.001:
        return "P < .001"
    return f"P = {rounded(value, 3 if value < 0.01 else 2)[1:]}"


def test_areas_comparison_cutoffs_and_predictive_values(run, data, study):
    told = []
    for words, beginning in (
        (("auc",), "The AUC of "),
        (("compare",), "The difference in AUC"),
        (("points", *AT, "--quantity", "tpr", "--quantity", "tnr"), "The sensitivity of "),
        (
            ("points", *AT, "--quantity", "ppv", "--quantity", "npv", "--prevalence", "0.05"),
            "The positive predictive value of ",
        ),
    ):
        command, *options = words
        status, printed, _ = run(command, data, *WANTED, *options, *STYLE)
        assert status == 0
        told += sentences(printed, beginning)
    section = " ".join(told)

    expected = []
    for _, row in study.auc().iterrows():
        area = f"{rounded(row['estimate'], 2)} ({limits(row)})"
        expected.append(f"The AUC of {row['predictor']} was {area}.")
    row = study.compare_auc().iloc[0]
    expected.append(
        "The difference in AUC, area minus texture, was"
        f" {rounded(row['estimate'], 2)} ({limits(row)}), {p_of(row['p_value'])}."
    )
    points = study.operating_points(threshold=CUTS, quantities=["tpr", "tnr"])
    for name, cut in CUTS.items():
        tpr, tnr = (row for _, row in points[points["predictor"] == name].iterrows())
        true, false = int(tpr["tp"]), int(tpr["fp"])
        n_pos, n_neg = int(tpr["n_pos"]), int(tpr["n_neg"])
        assert math.isclose(true / n_pos, tpr["estimate"])
        assert math.isclose(1 - false / n_neg, tnr["estimate"])
        expected.append(
            f"The sensitivity of {name} at ≥ {cut} was {percent(tpr['estimate'])}%"
            f" ({true} of {n_pos}; {limits(tpr, percent)}); the specificity was"
            f" {percent(tnr['estimate'])}% ({n_neg - false} of {n_neg}; {limits(tnr, percent)})."
        )
    values = study.operating_points(threshold=CUTS, quantities=["ppv", "npv"], prevalence=0.05)
    for name, cut in CUTS.items():
        ppv, npv = (row for _, row in values[values["predictor"] == name].iterrows())
        expected.append(
            f"The positive predictive value of {name} at ≥ {cut} at prevalence 0.05 was"
            f" {percent(ppv['estimate'])}% ({limits(ppv, percent)}); the negative predictive value"
            f" at prevalence 0.05 was {percent(npv['estimate'])}% ({limits(npv, percent)})."
        )
    assert told == expected
    assert not re.search(r"NA|nan", section)


def test_word_has_the_same_sentences(run, data, study, tmp_path):
    docx = pytest.importorskip("docx")
    status, _, _ = run("auc", data, *WANTED, "--out", tmp_path / "a.docx", *STYLE)
    assert status == 0
    below = docx.Document(tmp_path / "a.docx").paragraphs[0].text
    assert below == " ".join(rs.format_sentences(study.auc(), "radiology"))
