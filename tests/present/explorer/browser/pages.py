"""Studies with explorers of every kind, their pages, and what a test reads on a page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.present.explorer.data import (
    ExplorerFrames,
    explorer_data,
    why_no_moved_limits,
    yes_no_cutoffs,
)
from rocstats.present.explorer.html import explorer_fragment

HERE = Path(__file__).parent

PREVALENCE = 0.1
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


def page_of(data):
    return PAGE.format(explorer_fragment(data, "<p>Without scripts.</p>"))


def masses(predictors=("texture", "area"), **options):
    table = rs.load_breast_cancer()
    return rs.Study("diagnosis", list(predictors), data=table, pos_label="malignant", **options)


def lower():
    """Low values of one test point to cancer, high values of the other."""
    table = rs.load_breast_cancer().assign(small=lambda data: -data["area"])
    return rs.Study(
        "diagnosis", ["small", "texture"], data=table, pos_label="malignant",
        higher_is_positive={"small": False, "texture": True},
    )  # fmt: skip


def ties():
    table = rs.load_breast_cancer()
    table = table.assign(texture=table["texture"].round(), area=table["area"].round(-2))
    return rs.Study("diagnosis", ["texture", "area"], data=table, pos_label="malignant")


def groups():
    table = rs.load_breast_cancer()
    half = np.where(table["symmetry"] > table["symmetry"].median(), "rough", "smooth")
    table = table.assign(surface=half)
    return rs.Study(
        "diagnosis", ["texture", "area"], data=table, pos_label="malignant", group="surface"
    )


def clusters():
    study = masses(["texture"])
    return rs.Study(
        study.is_positive, study.scores[0], predictor="texture", cluster=np.arange(569) // 2
    )


def ratings():
    """Hanley & McNeil's ratings, from 0, times five: few cells are merged."""
    table = rs.load_ct_ratings()
    table = table.assign(rating=table["rating"] - 1, n=5 * table["n"])
    return rs.Study("abnormal", "rating", data=table, frequency="n")


def yes_no():
    return rs.Study.from_confusion(tp=670, fn=74, fp=202, tn=640)


def hostile():
    study = masses(["texture", "area", "symmetry"])
    scores = dict(zip(HOSTILE, study.scores, strict=True))
    labels = {HOSTILE[1]: "<b>bold</b> & <script>alert(3)</script>"}
    return rs.Study(study.is_positive, scores, labels=labels)


STUDIES = {
    "masses": (masses, {"texture": [20.0, 18.25], "area": [600.0]}),
    "lower": (lower, {"small": [-600.0], "texture": [20.0]}),
    "ties": (ties, {"texture": [20.0], "area": [600.0]}),
    "groups": (groups, {"texture": [20.0], "area": [600.0]}),
    "clusters": (clusters, {"texture": [20.0]}),
    "ratings": (ratings, {"rating": [2.0]}),
    "yes_no": (yes_no, None),
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
    beforehand = yes_no_cutoffs(curve) if beforehand is None else beforehand
    only = bool(yes_no_cutoffs(curve))
    cutpoints = None if only else study.cutpoints(n_resamples=200, rng=1)
    frames = ExplorerFrames(
        curve,
        study.auc(),
        study.roc_band(n_resamples=200, rng=1),
        cutpoints,
        None if only else study.cutpoint_draws(n_resamples=200, rng=1),
        study.operating_points(threshold=beforehand, prevalence=PREVALENCE),
        compared(study, beforehand, cutpoints),
    )
    data = explorer_data(
        frames, words=words, exact=name.startswith("exact_"), prevalence=PREVALENCE,
        study_prevalence=study.prevalence, unmoved=why_no_moved_limits(study),
        categories={"rating": NAMES},
    )  # fmt: skip
    return Case(study, frames, data)


def compared(study: Any, beforehand: Mapping[str, Any], cutpoints: Any) -> list[pd.DataFrame]:
    """Return the tests compared at chosen cutpoints, without groups, and at those set before."""
    if len(study.predictors) < 2:
        return []
    found = [{predictor: float(np.ravel(at)[0]) for predictor, at in beforehand.items()}]
    if study.group is None:
        rows = cutpoints[cutpoints["quantity"] == "threshold"]
        found.append(dict(zip(rows["predictor"], rows["estimate"], strict=True)))
    return [study.compare_operating_points(threshold=thresholds) for thresholds in found]


class Page:
    """A page in the browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def part(self, name: str, test: str | None = None) -> Any:
        """Return a part of the page, of one test if its id is given."""
        # a string of JSON is one of CSS, whatever it holds
        own = "" if test is None else f"[data-test={json.dumps(test, ensure_ascii=False)}]"
        return self.driver.find_element("css selector", f'[data-part="{name}"]{own}')

    def known(self, name: str) -> Any:
        """Return the state, or the numbers of the view."""
        return json.loads(self.script(f"return JSON.stringify(window.rocstats.{name})"))

    def script(self, text: str, *arguments: Any) -> Any:
        return self.driver.execute_script(text, *arguments)

    def text(self, name: str) -> str:
        return " ".join(self.part(name).text.split())

    def spoken(self) -> str:
        """Return what a screen reader was given to say."""
        text: str = self.part("live").get_attribute("textContent")
        return text

    def press(self, element: Any, *keys: str) -> None:
        """Press keys on an element that has the focus."""
        self.script("arguments[0].focus()", element)
        for key in keys:
            element.send_keys(key)

    def enter(self, element: Any, text: str) -> None:
        """Type over what an entry holds, and press Enter."""
        from selenium.webdriver.common.keys import Keys

        element.send_keys(Keys.CONTROL, "a")
        element.send_keys(text, Keys.ENTER)

    def wait_for(self, condition: Any) -> Any:
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 5).until(lambda _: condition())

    def address(self) -> str:
        """Return the address of the view, once the page has written it."""
        shown = self.known("view")["address"]
        self.wait_for(lambda: self.script("return location.hash") == shown)
        return shown

    def rows(self) -> dict[str, list[str]]:
        """Return the cells of the table of the view, by row."""
        return self.script("""
            const rows = [...document.querySelectorAll('[data-part=table] tr[data-row]')];
            return Object.fromEntries(rows.map((row) => [
              row.dataset.row, [...row.querySelectorAll('td')].map((cell) => cell.innerText)]));
        """)

    def counts(self) -> list[list[int]]:
        """Return found, missed, false alarms and cleared of each test."""
        cells = self.script("""
            const row = document.querySelector('[data-part=table] tbody tr:last-child');
            return [...row.querySelectorAll('td')].map((cell) => cell.innerText);
        """)
        return [[int(part.replace(",", "")) for part in cell.split("/")] for cell in cells if cell]


NUMBER = re.compile(r"[<>]?−?\d+(?:\.\d+)?")


def is_shown(text: str, *shares: float) -> bool:
    """Return whether the first numbers of a text are shares per 100, to the digits shown."""
    shown = NUMBER.findall(text)
    return len(shown) >= len(shares) and all(
        _agrees(number, 100 * share) for number, share in zip(shown, shares, strict=False)
    )


def _agrees(number: str, value: float) -> bool:
    if number == "<0.001":
        return 0 < value < 0.0005
    if number == ">99.9":
        return 99.95 < value < 100
    digits = len(number.partition(".")[2])
    # half a unit of the last digit, and rounding of the product
    return abs(float(number.replace("−", "-")) - value) <= 0.5 * 10**-digits + 1e-9
