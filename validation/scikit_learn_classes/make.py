"""Write measures of 200 studies: ``python validation/scikit_learn_classes/make.py``.

All numbers are those of scikit-learn. The Brier score of several classes, which it has since 1.7,
is the sum of those of the classes, which every version has.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn import metrics

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import write_json

HERE = Path(__file__).parent
N_STUDIES = {3: 120, 4: 50, 5: 30}
SEED = 41
AREAS = {
    "ovo-macro": ("ovo", "macro"),
    "ovo-weighted": ("ovo", "weighted"),
    "ovr-macro": ("ovr", "macro"),
    "ovr-weighted": ("ovr", "weighted"),
    "micro": ("ovr", "micro"),
}
REPORTED = {"ppv": "precision", "tpr": "recall", "f1": "f1-score"}
Scores = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def draw_study(rng: np.random.Generator, n_classes: int) -> tuple[Labels, Labels]:
    """Return labels of unequal classes, and counts of their scores: tied, and never 0.

    Two cases of each class are called right, so that each class has a precision.
    """
    share = np.arange(1, n_classes + 1) / np.arange(1, n_classes + 1).sum()
    sure = np.repeat(np.arange(n_classes), 2)
    y = np.append(sure, rng.choice(n_classes, int(rng.integers(5, 35)), p=share))
    chance = np.exp(rng.normal(size=(len(y), n_classes)) + np.eye(n_classes)[y])
    counts = np.array([rng.multinomial(6, p / p.sum()) for p in chance])
    counts[: len(sure)] = 6 * np.eye(n_classes, dtype=int)[sure]
    return y, counts + 1


def measures(y: Labels, scores: Scores) -> dict[str, float]:
    """Return the measures of one study by class and quantity."""
    classes = range(scores.shape[1])
    found = {
        f"all:{method}": metrics.roc_auc_score(y, scores, multi_class=which, average=average)
        for method, (which, average) in AREAS.items()
    }
    report: Any = metrics.classification_report(y, scores.argmax(axis=1), output_dict=True)
    found["all:accuracy"] = report["accuracy"]
    for ours, theirs in REPORTED.items():
        found |= {f"{k}:{ours}": report[str(k)][theirs] for k in classes}
        for mean in ("macro", "weighted"):
            found[f"all:{mean}_{ours}"] = report[f"{mean} avg"][theirs]
    each = metrics.average_precision_score(y, scores, average=None)
    found |= {f"{k}:average_precision": each[k] for k in classes}
    for mean in ("macro", "weighted", "micro"):
        value = metrics.average_precision_score(y, scores, average=mean)
        found[f"all:{mean}_average_precision"] = value
    found["all:log_score"] = metrics.log_loss(y, scores)
    parts = (metrics.brier_score_loss(y == k, scores[:, k]) for k in classes)
    found["all:multiclass_brier_score"] = sum(parts)
    return {key: float(value) for key, value in found.items()}


def main() -> None:
    """Write the studies and their measures."""
    rng, cases, lines = np.random.default_rng(SEED), [], []
    for n_classes, n_studies in N_STUDIES.items():
        for number in range(n_studies):
            y, counts = draw_study(rng, n_classes)
            study = f"{n_classes}-{number}"
            table = pd.DataFrame(counts, columns=[str(k) for k in range(n_classes)])
            cases.append(pd.DataFrame({"study": study, "class": y}).join(table))
            scores = counts / counts.sum(axis=1, keepdims=True)
            lines.append({"study": study, **measures(y, scores)})
    for name, table in (("input", pd.concat(cases)), ("expected", pd.DataFrame(lines))):
        # The shortest digits that give the number back.
        whole = table.convert_dtypes() if name == "input" else table
        whole.to_csv(HERE / f"{name}.csv", index=False, lineterminator="\n")
    programs = {name: version(name) for name in ("scikit-learn", "numpy")}
    command = "python validation/scikit_learn_classes/make.py"
    write_json(HERE / "versions.json", {"command": command, **programs})


if __name__ == "__main__":
    main()
