"""Figures and their sentences have the numbers of the frames: sides, places, counts, icons."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.explorer.browser.expected import rows_of, shown_presets, to_preset
from tests.explorer.browser.pages import is_shown
from validation.explorer.studies import PREVALENCE
from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]

FIRST = {"masses": "texture", "lower": "small"}
LIMITS = ["estimate", "ci_low", "ci_high"]
WHOLE = re.compile(r"\d+")


@pytest.fixture(params=[(name, kind) for name in FIRST for kind in ("prespecified", "chosen")])
def seen(request, open_page):
    """Return a page at a named cutoff, its test, and the rows of its frame."""
    name, kind = request.param
    case = case_of(name)
    test = next(test for test in case.data["tests"] if test["id"] == FIRST[name])
    page = open_page(name, page_address(test))
    preset = next(preset for preset in shown_presets(test) if preset["kind"] == kind)
    to_preset(page, test, preset)
    chosen = kind == "chosen"
    own = {} if chosen else {"threshold": preset["threshold"]}
    rows = rows_of(case.frames.cutpoints if chosen else case.frames.points, test, **own)
    return page, test, rows


def page_address(test):
    return f"#p={test['id']}&prev={100 * PREVALENCE:g}"


def label_of(page, figure):
    return page.script(
        "return document.querySelector(arguments[0]).getAttribute('aria-label')",
        f'[data-part="figure-{figure}"] .picture svg[role=img]',
    )


def shapes(page, figure, selector):
    """Attributes of the shapes of a figure, numbers as numbers."""
    return page.script(
        """
        const shapes = [...document.querySelectorAll(arguments[0])];
        return shapes.map((one) => Object.fromEntries(
          [...one.attributes].map(({name, value}) => [name, isNaN(value) ? value : +value])));
        """,
        f'[data-part="figure-{figure}"] .picture svg[role=img] {selector}',
    )


def test_the_point_ring_and_box_are_at_the_rates(seen):
    page, _, rows = seen
    (chance,) = shapes(page, "roc", 'line[stroke-dasharray="1.5 3.5"]')

    def rates(x, y):
        along = (x - chance["x1"]) / (chance["x2"] - chance["x1"])
        return 1 - along, (y - chance["y1"]) / (chance["y2"] - chance["y1"])

    tpr, tnr = rows.loc["tpr"], rows.loc["tnr"]
    (mark,) = shapes(page, "roc", "[data-kind]")
    if "cx" in mark:
        place = mark["cx"], mark["cy"]
    else:
        place = np.array([float(part) for part in re.split("[ ,]", mark["points"])])
        place = place.reshape(-1, 2).mean(axis=0)
        (ring,) = shapes(page, "roc", "circle:not([data-kind])")
        apparent = tnr["apparent"], tpr["apparent"]
        assert rates(ring["cx"], ring["cy"]) == pytest.approx(apparent, abs=1e-6)
    assert rates(*place) == pytest.approx((tnr["estimate"], tpr["estimate"]), abs=1e-6)
    (box,) = shapes(page, "roc", "rect[fill-opacity='0.22']")
    top = rates(box["x"], box["y"])
    bottom = rates(box["x"] + box["width"], box["y"] + box["height"])
    assert top == pytest.approx((tnr["ci_high"], tpr["ci_high"]), abs=1e-6)
    assert bottom == pytest.approx((tnr["ci_low"], tpr["ci_low"]), abs=1e-6)


def test_the_curve_passes_through_the_cutoff_as_observed(seen):
    page, test, rows = seen
    (chance,) = shapes(page, "roc", 'line[stroke-dasharray="1.5 3.5"]')
    (curve,) = shapes(page, "roc", "polyline[stroke-width='2.2']")
    x, y = np.array([part.split(",") for part in curve["points"].split()], dtype=float).T
    along = (x - chance["x1"]) / (chance["x2"] - chance["x1"])
    up = (y - chance["y1"]) / (chance["y2"] - chance["y1"])
    fpr, tpr = rows["fp"].iloc[0] / test["n_neg"], rows["tp"].iloc[0] / test["n_pos"]
    # coordinates have one decimal of some 300 pixels; steps go up at a rate, or along
    low, high = np.interp(tpr, up, along), np.interp(fpr, along, up)
    assert min(abs(low - fpr), abs(high - tpr)) < 0.01


def test_bars_of_right_calls_are_on_their_side_and_as_many_as_counted(seen):
    page, test, rows = seen
    (cut,) = {
        one["x1"] for one in shapes(page, "scores", "line[stroke-width='1.8']")
    }  # the line of the cutoff
    bars = shapes(page, "scores", "rect")
    inks = [bar for bar in bars if bar["fill"] == "#17204f"]
    greys = [bar for bar in bars if bar["fill"] == "#7f8b99"]
    wrong = [bar for bar in bars if str(bar["fill"]).startswith("url(")]
    middle = max(bar["y"] + bar["height"] for bar in inks)
    assert min(bar["y"] for bar in greys) > middle
    above = test["direction"] == ">="
    for bar in inks:
        assert (bar["x"] + bar["width"] / 2 > cut) == above
    for bar in greys:
        assert (bar["x"] + bar["width"] / 2 < cut) == above
    for bar in wrong:
        assert ((bar["x"] + bar["width"] / 2 > cut) == above) == (bar["y"] > middle)
    # areas are counts; a pixel between bars, and the bar that the cutoff divides, take some
    tp, fp = (int(rows[name].iloc[0]) for name in ("tp", "fp"))
    missed = [bar for bar in wrong if bar["y"] < middle]
    alarms = [bar for bar in wrong if bar["y"] > middle]
    assert share(inks, missed) == pytest.approx(tp / test["n_pos"], abs=0.06)
    assert share(greys, alarms) == pytest.approx(1 - fp / test["n_neg"], abs=0.06)


def share(some, others):
    own, rest = (sum((bar["width"] + 1) * bar["height"] for bar in bars) for bars in (some, others))
    return own / (own + rest)


def test_sentences_of_the_figures_are_those_of_the_frames(seen):
    page, test, rows = seen
    tp, fp = (int(rows[name].iloc[0]) for name in ("tp", "fp"))
    n_pos, n_neg = test["n_pos"], test["n_neg"]
    counts = [int(n) for n in WHOLE.findall(label_of(page, "scores").partition(": ")[2])]
    assert counts == [tp, n_pos, n_pos - tp, n_neg, n_neg - fp, fp]
    tpr, tnr = (rows.loc[name, "estimate"] for name in ("tpr", "tnr"))
    roc = label_of(page, "roc")
    assert is_shown(roc.partition(" finds ")[2], tpr)
    assert is_shown(roc.partition("false alarms in ")[2], 1 - tnr)
    results = label_of(page, "results")
    positive, _, negative = results.partition(" have ")
    assert is_shown(positive, *rows.loc["ppv", LIMITS])
    after = 1 - rows.loc["npv", ["estimate", "ci_high", "ci_low"]]
    assert is_shown(negative.partition("negative one ")[2], *after)
    ratios = page.text("figure-results").partition("multiplies the odds by ")[2]
    shown = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", ratios)[:2]]
    assert shown == pytest.approx([tpr / (1 - tnr), (1 - tpr) / tnr], rel=0.06)


def test_icons_are_the_people_of_the_view(seen):
    page, *_ = seen
    (view,) = page.known("view")["tests"]
    people = view["people"]
    found = shapes(page, "people", "circle[fill='#17204f']")
    missed = shapes(page, "people", "circle[fill='#fff']")
    cleared = shapes(page, "people", "rect[fill='#7f8b99']")
    alarms = shapes(page, "people", "rect[fill='#fff']")
    assert [len(found), len(missed), len(alarms), len(cleared)] == [
        people[cell] for cell in ("found", "missed", "alarms", "cleared")
    ]
    # those with a positive result stand on the left
    (middle,) = shapes(page, "people", "line")
    assert all(one["cx"] < middle["x1"] for one in found)
    assert all(one["x"] < middle["x1"] for one in alarms)
    assert all(one["cx"] > middle["x1"] for one in missed)
    assert all(one["x"] > middle["x1"] for one in cleared)


def test_every_number_that_is_downloaded_is_that_of_the_frame(seen):
    page, test, rows = seen
    text = page.driver.execute_async_script("""
        const done = arguments[0];
        URL.createObjectURL = (blob) => { blob.text().then(done); return 'data:,'; };
        document.querySelector('[data-part=csv]').click();
    """)
    lines = [line.split(",") for line in text.lstrip("\ufeff").strip().splitlines()]
    found = {line[3]: [float(cell) if cell else np.nan for cell in line[4:8]] for line in lines[1:]}
    for name, quantity in (("sensitivity", "tpr"), ("specificity", "tnr")):
        assert found[name][:3] == pytest.approx(rows.loc[quantity, LIMITS].tolist(), abs=1e-12)
    after = (1 - rows.loc["npv", ["estimate", "ci_high", "ci_low"]].astype(float)).tolist()
    assert found["chance_after_negative"][:3] == pytest.approx(after, abs=1e-12)
    ppv = rows.loc["ppv", LIMITS].tolist()
    assert found["chance_after_positive"][:3] == pytest.approx(ppv, abs=1e-12)
    tp, fp = (int(rows[name].iloc[0]) for name in ("tp", "fp"))
    wanted = {"found": tp, "missed": test["n_pos"] - tp, "false_alarms": fp}
    wanted["cleared"] = test["n_neg"] - fp
    assert {name: found[name][0] for name in wanted} == wanted
    assert {cells[3] for cells in found.values()} == {PREVALENCE}
