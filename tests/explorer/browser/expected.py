"""What frames say of a view, and whether the page shows it."""

from __future__ import annotations

import re

import numpy as np

from tests.explorer.browser.pages import is_shown

LIMITS = ["estimate", "ci_low", "ci_high"]


def rows_of(frame, test, **wanted):
    """The rows of a test, indexed by quantity."""
    wanted = {"predictor": test["predictor"], "group": test["group"], **wanted}
    for name, value in wanted.items():
        if name in frame:
            frame = frame[frame[name] == value]
    return frame.set_index("quantity")


def complement(limits):
    """1 - npv, and its limits."""
    estimate, low, high = limits
    return 1 - estimate, 1 - high, 1 - low


def expected_of(rows):
    """The four lines of the table from rows of a frame."""
    found = {name: tuple(rows.loc[name, LIMITS].astype(float)) for name in ("tpr", "tnr", "ppv")}
    return {**found, "npv": complement(rows.loc["npv", LIMITS].astype(float))}


def shows(cell, shares):
    """Whether a cell has an estimate with its limits; or neither, where there are none."""
    estimate, *limits = shares
    if np.isnan(estimate):
        return not re.search(r"\d", cell)
    if np.isnan(limits).any():
        return is_shown(cell, estimate) and " to " not in cell
    return is_shown(cell, *shares)


def to_preset(page, test, preset):
    """Press the button of a named cutoff; a test with one cutoff has none."""
    if len(test["edges"]) > 1:
        page.script("arguments[0].click()", page.part(f"preset-{preset['key']}", test["id"]))


def shown_presets(test):
    """Those of a test, without a chosen cutoff that was set before the study as well."""
    beforehand = {one["edge"] for one in test["presets"] if one["kind"] == "prespecified"}
    return [
        one
        for one in test["presets"]
        if one["kind"] == "prespecified" or one["edge"] not in beforehand
    ]
