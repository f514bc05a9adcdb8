"""The report as a whole: its explorer has the numbers of its tables, on one page for everybody."""

from __future__ import annotations

import json

import pytest

from tests.explorer.browser.expected import (
    expected_of,
    rows_of,
    shown_presets,
    shows,
    to_preset,
)
from tests.explorer.browser.pages import Page, grave_violations
from validation.explorer.studies import HOSTILE, PREVALENCE, STUDIES
from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]

NAMES = [f"report_{name}" for name in STUDIES]


@pytest.mark.parametrize("name", STUDIES)
def test_the_explorer_of_a_report_has_the_numbers_of_the_frames(open_page, name):
    case = case_of(name)
    page = open_page(f"report_{name}")
    payload = page.known("payload")
    assert [test["id"] for test in payload["tests"]] == [one["id"] for one in case.data["tests"]]
    chosen = None
    if case.frames.cutpoints is not None:
        chosen = case.study.cutpoints(prevalence=PREVALENCE, rng=1)
    for place, test in enumerate(payload["tests"]):
        assert test["edges"] == case.data["tests"][place]["edges"]
        page = open_page(f"report_{name}", page.address_of(test["id"], PREVALENCE))
        for preset in shown_presets(test):
            to_preset(page, test, preset)
            own = {"threshold": preset["threshold"]}
            rows = (
                rows_of(chosen, test)
                if preset["kind"] == "chosen"
                else rows_of(case.frames.points, test, **own)
            )
            cells = page.rows()
            for line, shares in expected_of(rows).items():
                assert shows(cells[line][0], shares), (preset["key"], line, cells[line], shares)


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing_serious_in_a_report(open_page, axe, name, width):
    assert grave_violations(open_page(name, width=width), axe) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_report_on_a_phone_scrolls_down_only(open_page, name):
    page = open_page(name, width=390)
    page.open_details()
    assert page.script("return document.documentElement.scrollWidth") == 390


def test_a_report_fetches_nothing_and_has_no_errors(open_page, driver):
    for name in NAMES:
        page = open_page(name)
        events = [json.loads(each["message"])["message"] for each in driver.get_log("performance")]
        asked = [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]
        assert {url.partition("#")[0] for url in asked} == {page.script("return location.href")}
        assert driver.get_log("browser") == []


def test_hostile_names_are_text_in_a_report(open_page, driver):
    page = open_page("report_hostile")
    page.open_details()
    assert page.script("return document.querySelectorAll('main img').length") == 0
    assert len(driver.find_elements("css selector", "script")) == 2
    assert HOSTILE[0] in page.text("answer")


def test_without_scripts_a_report_has_its_answer_and_figures(open_page, driver):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page: Page = open_page("report_masses")
        static = page.part("static")
        assert "of 100" in static.text
        assert static.find_elements("css selector", "svg")
        assert static.is_displayed()
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
