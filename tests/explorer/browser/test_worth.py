"""What a cutoff is worth: its numbers are those of net_benefit(), its control moves them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explorer.browser.pages import grave_violations
from validation.explorer.numbers import View, framed
from validation.explorer.studies import ALARMS, PREVALENCE
from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]


@pytest.fixture
def keys():
    from selenium.webdriver.common.keys import Keys

    return Keys


def thousand(value):
    """A worth in print, of 10 or more in 1000: half up, with a true minus sign."""
    return f"{np.floor(1000 * value + 0.5):.0f}".replace("-", "\u2212")


@pytest.mark.parametrize("name", ["masses", "yes_no"])
def test_the_panel_has_the_net_benefit_of_a_cutoff_set_before(open_page, name):
    case = case_of(name)
    test = case.data["tests"][0]
    preset = test["presets"][0]
    risk = 1 / (1 + ALARMS)
    cuts = {one: {risk: preset["threshold"]} for one in case.study.predictors}
    frame = case.study.net_benefit(risk_threshold=risk, prevalence=PREVALENCE, threshold=cuts)
    rows = frame[frame["quantity"] == "net_benefit"].set_index("predictor")
    row, everybody = rows.loc[test["predictor"]], rows.loc["treat-all"]
    text = open_page(name).text("figure-worth")
    estimate, low, high = (thousand(row[key]) for key in ("estimate", "ci_low", "ci_high"))
    assert f"{estimate} ({low} to {high})" in text
    assert f"Biopsy everybody, no test: {thousand(everybody['estimate'])}" in text
    assert f"{estimate} ({low} to {high})" in open_page(name).rows()["worth"][0]


def test_false_alarms_are_moved_by_keys_and_number(open_page, keys):
    page = open_page("masses")
    slider, entry = page.part("alarms-slider"), page.part("alarms-number")
    assert page.known("state")["alarms"] == ALARMS
    for key, alarms in ((keys.ARROW_RIGHT, 21), (keys.ARROW_LEFT, 20), (keys.HOME, 0.1)):
        page.press(slider, key)
        assert page.known("state")["alarms"] == alarms
    assert "biopsy from a chance of 90.9% on" in slider.get_attribute("aria-valuetext")
    for text, alarms in (("9", 9), ("0,5", 0.5), ("1000", 1000)):
        page.enter(entry, text)
        assert page.known("state")["alarms"] == alarms
    for text in ("0", "-3", "1010", "many"):
        page.enter(entry, text)
        assert page.known("state")["alarms"] == 1000
        assert entry.get_attribute("value") == "1000"
    page.wait_for(lambda: "is no number from 0.001 to 1000" in page.spoken())


@pytest.mark.parametrize("alarms", [0.5, 3, 20, 200])
@pytest.mark.parametrize(("name", "place"), [("masses", 0), ("masses", 1), ("lower", 0)])
def test_most_worth_is_the_best_cutoff_of_the_page(open_page, name, place, alarms):
    """By net_benefit() at every cutoff that the page offers."""
    case = case_of(name)
    test = case.data["tests"][place]
    page = open_page(name, f"#p={test['id']}&prev=10&fa={alarms:g}")
    page.script("arguments[0].click()", page.part("most-worth", test["id"]))
    points = case.study.operating_points(
        threshold={test["predictor"]: test["edges"]}, quantities=["tpr", "fpr"]
    ).pivot_table("estimate", "threshold", "quantity")
    worth = PREVALENCE * points["tpr"] - (1 - PREVALENCE) * points["fpr"] / alarms
    (view,) = page.known("view")["tests"]
    assert worth.loc[view["threshold"]] == pytest.approx(worth.max(), abs=1e-12)
    assert view["worth"]["estimate"] == pytest.approx(worth.max(), abs=1e-12) or view["preset"]
    assert page.part("most-worth", test["id"]).get_attribute("aria-pressed") == "true"
    if view["kind"] == "moved":
        assert "has the most worth in these very data, which flatters it" in page.text("notice")


def test_false_alarms_are_a_part_of_the_address(open_page, keys):
    page = open_page("masses", "#p=texture&t=20&prev=10&fa=4")
    assert page.known("state")["alarms"] == 4
    page.press(page.part("alarms-slider"), keys.ARROW_RIGHT)
    state, address = page.known("state"), page.address()
    assert address.endswith("&fa=5")
    assert open_page("masses", address).known("state") == state
    for bad in ("0", "x", "1e9", ""):
        page = open_page("masses", f"#p=texture&t=20&fa={bad}")
        assert page.known("state")["alarms"] == ALARMS
        assert f"fa={bad}" in page.part("address-notice").text


@pytest.mark.parametrize("width", [1200, 390])
def test_worth_far_below_nothing_is_an_arrow_with_its_number(open_page, axe, width):
    """Treating everybody for one false alarm a case found: less than nothing by far."""
    page = open_page("masses", "#p=texture&t=20&prev=10&fa=0.2", width=width)
    everybody = thousand(PREVALENCE - (1 - PREVALENCE) / 0.2)
    assert f"Biopsy everybody, no test: {everybody}" in page.text("figure-worth")
    assert "Biopsy nobody”, the better way without a test" in page.text("figure-worth")
    assert grave_violations(page, axe) == []


def test_clusters_have_limits_of_presets_and_none_of_moved_cutoffs(open_page):
    case = case_of("clusters")
    (test,) = case.data["tests"]
    preset = test["presets"][0]
    view = View("clusters", (test["id"],), (preset["edge"],), PREVALENCE)
    (wanted,) = (one.values for one in framed(view) if one.quantity == "net_benefit")
    page = open_page("clusters")
    worth = page.known("view")["tests"][0]["worth"]
    assert [worth[key] for key in ("estimate", "low", "high")] == pytest.approx(wanted, abs=1e-12)
    moved = open_page("clusters", f"#t={test['edges'][3]}")
    assert moved.known("view")["tests"][0]["worth"]["low"] is None
    assert "Without limits of both rates the worth has none." in moved.text("figure-worth")


def test_a_page_without_an_exchange_says_that_it_is_only_a_starting_point(open_page, driver):
    page = open_page("report_masses")
    assert page.known("payload")["alarms"] is None
    assert page.known("state")["alarms"] == 9
    assert "Only a starting point: no data can say it." in page.text("controls")
