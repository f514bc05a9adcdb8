"""Make the worked reader studies: ``python validation/readers/make.py``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import ROOT, read_input
from validation.readers import iowa
from validation.reference import Expected, derived, write_case

ROLES = {name: name for name in ("truth", "rating", "reader", "case", "modality")}
OR = "obuchowski-rockette"
COVARIANCES = ("jackknife", "delong", "unbiased")


def worked_ratings() -> Mapping[str, Sequence[object]]:
    """Return the reads of 2 modalities, 4 readers and 40 cases, by a formula in whole numbers."""
    columns: dict[str, list[object]] = {name: [] for name in ROLES}
    for i in (1, 2):
        for j in range(1, 5):
            for k in range(1, 41):
                truth = int(k > 24)
                level = 11 * (37 * k % 41) + 10 * (13 * k * j % 29) + 9 * (17 * k * i % 23)
                level += 8 * ((7 * k * j * i + 3 * k) % 31)
                level += truth * (330 + 60 * (i - 1) + 30 * (j % 2))
                read = (truth, level // 150, f"r{j}", k, f"m{i}")
                for name, value in zip(columns, read, strict=True):
                    columns[name].append(value)
    counts = np.bincount(np.array(columns["rating"]))
    if counts.tolist() != [4, 11, 34, 53, 85, 50, 54, 22, 7]:
        raise ValueError("the ratings are not those of the worked example")
    return columns


AREAS = {
    "m1": ("0.878906250", "0.843750000", "0.890625000", "0.904947917", "0.879557292"),
    "m2": ("0.973958333", "0.902343750", "0.904947917", "0.843750000", "0.906250000"),
}
# Digits of MRMCaov 0.3.0, which RJafroc 2.1.3 (jackknife) and a program of numpy alone repeat, by
# covariance, in the order of COVARIANCES. Three have 11 decimals: their twelfth hangs on the
# rounding of a root or a quantile.
COMPONENTS = {
    "error": ("0.002442411456", "0.002364945220", "0.002296477239"),
    "cov-1": ("0.001355238609", "0.001313671167", "0.001287252085"),
    "cov-2": ("0.001424266056", "0.001379279865", "0.001354803555"),
    "cov-3": ("0.001289818374", "0.001248635800", "0.001228162977"),
    "reader": ("-0.000567264853", "-0.000566879985", "-0.000560933726"),
    "modality-x-reader": ("0.001308683888", "0.001340779065", "0.001378824477"),
}
GLOBAL = {
    "statistic": ("0.509074545429", "0.511856635953", "0.514817954647"),
    "df": ("4.596537345472", "4.546706088492", "4.494549704583"),
    "p_value": ("0.51010813607", "0.509372328488", "0.508598273932"),
}
DIFFERENCE = {
    "estimate": ("-0.026692708333", "-0.026692708333", "-0.026692708333"),
    "se": ("0.037411226801", "0.037309417792", "0.03720195804"),
    "df": GLOBAL["df"],
    "ci_low": ("-0.12545658404", "-0.125548166032", "-0.125650430345"),
    "ci_high": ("0.072071167374", "0.072162749365", "0.072265013679"),
}
AVERAGES = {
    "m1": {
        "se": ("0.043339004728", "0.042692199035", "0.042416765567"),
        "df": ("362.736918794", "341.562455574", "332.832878367"),
        "ci_low": ("0.794330037560", "0.795584571214", "0.796118549016"),
        "ci_high": ("0.964784545774", "0.963530012119", "0.962996034318"),
    },
    "m2": {
        "se": ("0.043012149425", "0.042611243695", "0.042310841718"),
        "df": ("20.428284451", "19.677238682", "19.128194252"),
        "ci_low": ("0.816648664376", "0.817270944132", "0.817732543115"),
        "ci_high": ("0.995851335624", "0.995229055868", "0.994767456885"),
    },
}
FIXED = {
    # Chi-square with one degree of freedom is F with 1 and infinitely many.
    "statistic": ("0.956045730292", "0.987385801408", "1.025810422869"),
    "p_value": ("0.328185168", "0.320382148", "0.311144714"),
    "se": ("0.027299412942", "0.026862671559", "0.026354761313"),
}
PAIR = {"modality": "m1", "reference": "m2", "reader": "all"}
ALL = {"modality": "all"}


def worked_rows() -> list[Expected]:
    """Return the digits that other programs gave for the worked study."""
    rows = []
    for modality, areas in AREAS.items():
        for reader, digits in zip(("r1", "r2", "r3", "r4", "all"), areas, strict=True):
            rows += derived("auc", {"modality": modality, "reader": reader}, {"estimate": digits})
    for number, word in enumerate(COVARIANCES):
        rows += _of_covariance(number, word)
    test = {"statistic": "0.630138697988", "p_value": "0.485296841", "df": "3.0"}
    rows += derived("compare_auc", ALL, test, cases="fixed")
    return rows + _ustatistics()


def _of_covariance(number: int, word: str) -> list[Expected]:
    def of(table: Mapping[str, Sequence[str]]) -> dict[str, str]:
        return {name: digits[number] for name, digits in table.items()}

    asked = {"covariance": word}
    rows = []
    for component, estimate in of(COMPONENTS).items():
        where = {"model": OR, "component": component}
        rows += derived("components", where, {"estimate": estimate}, **asked)
    rows += derived("compare_auc", ALL, of(GLOBAL), **asked)
    rows += derived("compare_auc", PAIR, of(DIFFERENCE), **asked)
    for modality, columns in AVERAGES.items():
        where = {"modality": modality, "reader": "all"}
        rows += derived("auc", where, of(columns), **asked, interval="wald")
    fixed = of(FIXED)
    se = {"se": fixed.pop("se")}
    rows += derived("compare_auc", ALL, fixed, **asked, readers="fixed")
    return rows + derived("compare_auc", PAIR, se, **asked, readers="fixed")


def _ustatistics() -> list[Expected]:
    # Variances of iMRMC 2.1.2 with 12 digits, of which the root has as many; degrees of freedom.
    m1, m2 = ({"modality": name, "reader": "all"} for name in ("m1", "m2"))
    rows = []
    for question, where, variance, df in (
        ("auc", m1, "0.00179918200114", "21.2355001387"),
        ("auc", m2, "0.00179020732689", "14.4629056380"),
        ("compare_auc", PAIR, "0.00138398568219", "4.30859472699"),
    ):
        columns = {"se": f"{float(variance) ** 0.5:.12f}", "df": df}
        rows += derived(question, where, columns, method="u-statistic")
    return rows


def machine_rows() -> list[Expected]:
    """Return the digits of readers minus machine, from the eight moments summed by loops."""
    where = {"modality": "SFM", "reference": "machine", "reader": "all"}
    asked: dict[str, Any] = {"machine": "machine"}
    claim = {"alternative": "less", "null_value": 0.05, "confidence_level": 0.975}
    digits = {
        "estimate": "-0.0121000866",
        "df": "132.188",
        "ci_low": "-0.0707",
        "ci_high": "0.0465",
    }
    return [
        *derived("compare_with", where, digits, **asked),
        *derived("compare_with", where, {"p_value": "0.0190"}, **asked, **claim),
    ]


if __name__ == "__main__":
    write_case(
        __file__,
        "worked_40",
        study={"constructor": "ReaderStudy", **ROLES},
        columns=worked_ratings(),
        expected=worked_rows(),
        packages=("numpy",),
    )
    write_case(
        __file__,
        "viper_machine",
        study={"constructor": "viper"},
        # The machine of the shipped study: a case's digital rating by its first reader.
        columns=read_input(ROOT / "r_imrmc" / "viper" / "input.csv"),
        expected=machine_rows(),
        packages=("numpy",),
    )
    for name, report in iowa.REPORTS.items():
        write_case(
            __file__,
            name,
            study={"constructor": "columns"},
            columns=report.columns(),
            expected=report.rows(),
            packages=("numpy",),
        )
