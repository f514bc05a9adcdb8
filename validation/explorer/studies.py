"""Studies of every kind with their explorers.

The page of a study is a plain one, with nothing but the explorer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.explorer.benefits import benefits_at
from rocstats.explorer.data import ExplorerFrames, explorer_data, why_no_moved_limits
from rocstats.explorer.html import explorer_fragment
from rocstats.reports.explored import is_table_of_counts

PREVALENCE = 0.1
ALARMS = 20.0
HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(2)>", "a,b&t=1#@'\"")
WORDS = {"case": "woman", "cases": "women", "condition": "cancer", "action": "biopsy"}

PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Explorer</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data:">
<style>body {{ margin: 0 auto; padding: 16px; max-width: 1136px; font-family: sans-serif }}</style>
</head><body><main><h1>Explorer</h1><h2>Explore</h2>{}</main></body></html>
"""


class Case(NamedTuple):
    """A study, the frames that its page was made of, and the data of the page."""

    study: Any
    frames: ExplorerFrames
    data: dict[str, Any]


def page_of(data: Mapping[str, Any]) -> str:
    """Return a page of an explorer."""
    return PAGE.format(explorer_fragment(data, "<p>Without scripts.</p>"))


def masses(predictors: Sequence[str] = ("texture", "area")) -> rs.Study:
    """Return breast masses."""
    table = rs.load_breast_cancer()
    return rs.Study("diagnosis", list(predictors), data=table, pos_label="malignant")


def lower() -> rs.Study:
    """Return masses of which low values of one test point to cancer, high ones of the other."""
    table = rs.load_breast_cancer().assign(small=lambda data: -data["area"])
    return rs.Study(
        "diagnosis", ["small", "texture"], data=table, pos_label="malignant",
        higher_is_positive={"small": False, "texture": True},
    )  # fmt: skip


def ties() -> rs.Study:
    """Return masses with rounded scores."""
    table = rs.load_breast_cancer()
    table = table.assign(texture=table["texture"].round(), area=table["area"].round(-2))
    return rs.Study("diagnosis", ["texture", "area"], data=table, pos_label="malignant")


def groups() -> rs.Study:
    """Return masses in two groups."""
    table = rs.load_breast_cancer()
    half = np.where(table["symmetry"] > table["symmetry"].median(), "rough", "smooth")
    table = table.assign(surface=half)
    return rs.Study(
        "diagnosis", ["texture", "area"], data=table, pos_label="malignant", group="surface"
    )


def clusters() -> rs.Study:
    """Return masses in pairs, as of one woman."""
    study = masses(["texture"])
    return rs.Study(
        study.is_positive, study.scores[0], predictor="texture", cluster=np.arange(569) // 2
    )


def ratings() -> rs.Study:
    """Return Hanley & McNeil's ratings, from 0, times five: few cells are merged."""
    table = rs.load_ct_ratings()
    table = table.assign(rating=table["rating"] - 1, n=5 * table["n"])
    return rs.Study("abnormal", "rating", data=table, frequency="n")


def weak() -> rs.Study:
    """Return noise: some resamples call nobody positive, so the cutoff has no upper limit."""
    scores = np.random.default_rng(7).normal(size=100).round(2)
    return rs.Study(np.repeat([1, 0], [40, 60]), scores, predictor="weak")


def yes_no() -> rs.Study:
    """Return a test of two classes."""
    return rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)


def hostile() -> rs.Study:
    """Return masses whose predictors are named like scripts and addresses."""
    study = masses(["texture", "area", "symmetry"])
    scores = dict(zip(HOSTILE, study.scores, strict=True))
    labels = {HOSTILE[1]: "<b>bold</b> & <script>alert(3)</script>"}
    return rs.Study(study.is_positive, scores, labels=labels)


STUDIES: dict[str, tuple[Callable[[], rs.Study], dict[str, list[float]]]] = {
    "masses": (masses, {"texture": [20.0, 18.25], "area": [600.0]}),
    "lower": (lower, {"small": [-600.0], "texture": [20.0]}),
    "ties": (ties, {"texture": [20.0], "area": [600.0]}),
    "groups": (groups, {"texture": [20.0], "area": [600.0]}),
    "clusters": (clusters, {"texture": [20.0]}),
    "ratings": (ratings, {"rating": [2.0]}),
    "yes_no": (yes_no, {"score": [1.0]}),
    "weak": (weak, {"weak": [1.0]}),
    "hostile": (hostile, {name: [1.0] for name in HOSTILE}),
}
NAMES = ("normal", "probably normal", "questionable", "probably abnormal", "abnormal")


@cache
def case(name: str) -> Case:
    """Return a study with the frames and the data of its explorer; exact if the name says so."""
    make, beforehand = STUDIES[name.removeprefix("exact_")]
    study = make()
    words = {**WORDS, "condition": HOSTILE[0]} if name == "hostile" else WORDS
    curve = study.roc_curve()
    only = name == "yes_no"  # its cutoff is not chosen
    cutpoints = None if only else study.cutpoints(n_resamples=200, prevalence=PREVALENCE, rng=1)
    frames = ExplorerFrames(
        curve,
        study.auc(),
        study.roc_band(n_resamples=200, rng=1),
        cutpoints,
        None if only else study.cutpoint_draws(n_resamples=200, rng=1),
        study.operating_points(threshold=beforehand, prevalence=PREVALENCE),
        compared(study, beforehand, cutpoints),
        benefits_at(study, cuts_of(beforehand, cutpoints)),
    )
    data = explorer_data(
        frames, words=words, exact=name.startswith("exact_"),
        frequencies=is_table_of_counts(study, curve), prevalence=PREVALENCE,
        study_prevalence=study.prevalence, alarms=ALARMS, unmoved=why_no_moved_limits(study),
        categories={"rating": NAMES},
    )  # fmt: skip
    return Case(study, frames, data)


def cuts_of(beforehand: Mapping[str, Any], cutpoints: Any) -> dict[str, list[float]]:
    """Return the cutoffs of each predictor: those set beforehand, then the finite chosen ones."""
    found = {name: list(cuts) for name, cuts in beforehand.items()}
    if cutpoints is not None:
        rows = cutpoints[cutpoints["quantity"] == "threshold"]
        for name, cut in zip(rows["predictor"], rows["estimate"], strict=True):
            found[name] += [cut] if np.isfinite(cut) else []
    return found


def compared(study: Any, beforehand: Mapping[str, Any], cutpoints: Any) -> list[pd.DataFrame]:
    """Return the tests compared at chosen cutpoints, without groups, and at those set before."""
    if len(study.predictors) < 2:
        return []
    found = [{predictor: float(np.ravel(at)[0]) for predictor, at in beforehand.items()}]
    if study.group is None:
        rows = cutpoints[cutpoints["quantity"] == "threshold"]
        found.append(dict(zip(rows["predictor"], rows["estimate"], strict=True)))
    return [study.compare_operating_points(threshold=thresholds) for thresholds in found]


def write_report(name: str, path: Path) -> None:
    """Write the report of a study, whose explorer is that of its page."""
    known = case(name)
    rs.report(
        known.study,
        path,
        prespecified=STUDIES[name][1],
        prevalence=PREVALENCE,
        words={word: known.data["words"][word] for word in WORDS},
        rng=1,
    )
