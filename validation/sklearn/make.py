"""Ask scikit-learn about labels and bins: ``python validation/sklearn/make.py``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from sklearn.calibration import calibration_curve
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    hamming_loss,
    precision_recall_fscore_support,
    roc_auc_score,
)
from statsmodels.stats.proportion import proportion_confint

from validation.reference import Expected, computed, write_case

LABELS = ("cough", "fever", "rash")
AVERAGES = ("macro", "weighted", "micro")
N = 60
LABELS_README = """# Three labels of sixty cases, asked of scikit-learn

Areas (`roc_auc_score`), average precision (`average_precision_score`), precision, recall and F1
(`precision_recall_fscore_support`), their macro, weighted and micro averages, `accuracy_score` (the
share of cases with all labels right) and `hamming_loss` of indicator matrices. Labels are those of
whole-number patterns, so that cases have none, one, several or all; scores are tied. All rows are
`computed`.

Source: Pedregosa F et al. J Mach Learn Res 2011;12:2825-30.
"""
BINS_README = """# Bins of a hundred and one risks, asked of scikit-learn and statsmodels

Mean risk and share of events of five bins between quantiles, and of five of the same width, by
`sklearn.calibration.calibration_curve`; Wilson's limits of the shares by
`statsmodels.stats.proportion.proportion_confint`. All rows are `computed`.

Source: Pedregosa F et al. J Mach Learn Res 2011;12:2825-30; Wilson EB. J Am Stat Assoc
1927;22:209-12.
"""


def label_rows(y: np.ndarray, s: np.ndarray) -> Iterator[Expected]:
    """Yield what scikit-learn says of the labels."""
    averages: tuple[str | None, ...] = (None, *AVERAGES)
    for question, score in (("auc", roc_auc_score), ("average_precision", average_precision_score)):
        for label, value in zip(LABELS, score(y, s, average=None), strict=True):
            yield from computed(question, {"class": label}, {"estimate": float(value)})
        for average in AVERAGES:
            value = float(score(y, s, average=average))
            yield from computed(question, {"class": "all"}, {"estimate": value}, average=average)
    called = (s >= 0.5).astype(int)
    names = ("ppv", "tpr", "f1")
    for kind in averages:
        for name, values in zip(
            names, precision_recall_fscore_support(y, called, average=kind)[:3], strict=True
        ):
            of = zip(LABELS, values, strict=True) if kind is None else [("all", values)]
            for label, value in of:
                quantity = name if kind is None else f"{kind}_{name}"
                yield from computed(
                    "classification_report",
                    {"class": label, "quantity": quantity},
                    {"estimate": float(value)},
                    threshold=0.5,
                )
    for quantity, value in (
        ("subset_accuracy", accuracy_score(y, called)),
        ("hamming_loss", hamming_loss(y, called)),
    ):
        asked = {"threshold": 0.5, "quantities": [quantity]}
        where = {"quantity": quantity}
        yield from computed("operating_points", where, {"estimate": float(value)}, **asked)


def labels() -> None:
    """Write the case of labels."""
    k = np.arange(N)
    y = np.column_stack([k % 2, k // 2 % 3 == 0, k % 7 == 1]).astype(int)
    s = np.round((0.35 * y + (k[:, np.newaxis] * [[7, 11, 13]]) % 17 / 17) / 1.35, 2)
    flat = {name: y[:, j] for j, name in enumerate(LABELS)}
    flat |= {f"p_{name}": s[:, j] for j, name in enumerate(LABELS)}
    write_case(
        __file__,
        "labels",
        study={
            "constructor": "MultilabelStudy",
            "y_true": list(LABELS),
            "y_score": [f"p_{name}" for name in LABELS],
        },
        columns={name: values.tolist() for name, values in flat.items()},
        expected=list(label_rows(y, s)),
        packages=("scikit-learn", "numpy", "scipy"),
        readme=LABELS_README,
    )


def bins() -> None:
    """Write the case of bins."""
    risk = np.array([((37 * k) % 101 + 0.5) / 101 for k in range(101)])
    y = np.array([(53 * k) % 97 / 97 for k in range(101)]) < risk**1.5
    expected: list[Expected] = []
    for strategy in ("quantile", "uniform"):
        share, mean = calibration_curve(y, risk, n_bins=5, strategy=strategy)
        edges = np.linspace(0, 1, 6)
        edges = np.quantile(risk, edges) if strategy == "quantile" else edges
        sizes = np.bincount(np.searchsorted(edges[1:-1], risk))
        for place, (value, at, size) in enumerate(zip(share, mean, sizes, strict=True)):
            low, high = proportion_confint(round(value * size), size, method="wilson")
            answer = {"estimate": value, "risk": at, "ci_low": low, "ci_high": high}
            expected += computed(
                "numbered_bins", {"bin": place}, {name: float(x) for name, x in answer.items()},
                n_bins=5, strategy=strategy,
            )  # fmt: skip
    write_case(
        __file__,
        "bins",
        study={"y_true": "y", "y_score": "risk"},
        columns={"y": y.astype(int).tolist(), "risk": risk.tolist()},
        expected=expected,
        packages=("scikit-learn", "statsmodels", "numpy", "scipy"),
        readme=BINS_README,
    )


if __name__ == "__main__":
    labels()
    bins()
