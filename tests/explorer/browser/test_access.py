"""Everybody can use the page: axe-core, a phone, hostile names, no network, paper."""

from __future__ import annotations

import base64
import json

import pytest

from tests.explorer.browser.pages import grave_violations
from validation.explorer.studies import HOSTILE, STUDIES
from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]

VIEWS = [
    ("masses", "#p=texture&t=20"),
    ("masses", "#p=texture,area&t=18.25,600"),
    ("masses", "#p=nothing"),
    ("groups", ""),
    ("ratings", ""),
    ("yes_no", ""),
    ("clusters", "#t=15"),
    ("hostile", ""),
]


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize(("name", "address"), VIEWS)
def test_axe_finds_nothing_serious(open_page, axe, name, address, width):
    assert grave_violations(open_page(name, address, width=width), axe) == []


@pytest.mark.parametrize(("name", "address"), VIEWS)
def test_a_phone_scrolls_down_only(open_page, name, address):
    page = open_page(name, address, width=390)
    page.open_details()
    wide = page.script("return document.documentElement.scrollWidth")
    assert wide == page.script("return document.documentElement.clientWidth") == 390


@pytest.mark.parametrize("width", [1200, 390])
@pytest.mark.parametrize(
    ("name", "address"),
    [*VIEWS, ("hostile", "#t=1"), ("masses", "#p=area&t=100&prev=99.9"), ("exact_masses", "#t=50")],
)
def test_no_words_of_a_picture_are_cut(open_page, name, address, width):
    page = open_page(name, address, width=width)
    cut = page.script("""
        return [...document.querySelectorAll('.explorer svg text')].filter((text) => {
          const box = text.getBoundingClientRect();
          const frame = text.ownerSVGElement.getBoundingClientRect();
          return box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1
            || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
        }).map((text) => text.textContent);
    """)
    assert cut == []


@pytest.mark.parametrize(("name", "address"), VIEWS)
def test_controls_of_a_phone_are_44_pixels_high(open_page, name, address):
    page = open_page(name, address, width=390)
    small = page.script("""
        const found = [...document.querySelectorAll('.explorer button, .explorer select, '
          + '.explorer input:not(.unseen), .explorer .segments label, .explorer summary')];
        return found.map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
          .filter(([, box]) => box.height > 0 && box.height < 44).map(([html, box]) =>
            html + ' ' + box.height);
    """)
    assert small == []


def test_the_cutoff_of_a_phone_is_moved_in_the_bar_at_the_bottom(open_page):
    page = open_page("masses", width=390)
    edge = page.known("state")["edges"]["texture"]
    for name, moved in (("cutoff-up", edge + 1), ("cutoff-down", edge), ("cutoff-down", edge - 1)):
        button = page.part(name, "texture")
        box = page.script("return arguments[0].getBoundingClientRect().toJSON()", button)
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert 600 < box["top"] < box["bottom"] <= 900
        button.click()
        assert page.known("state")["edges"]["texture"] == moved
    assert not page.part("prevalence-slider").is_displayed()
    page.part("more").click()
    assert page.part("prevalence-slider").is_displayed()


def test_nothing_is_fetched(open_page, driver):
    page = open_page("masses", "#p=texture,area&t=20,600")
    for part in ("copy", "csv", "prevalence-study"):
        page.part(part).click()
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    asked = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    own = page.script("return location.href").partition("#")[0]
    assert asked
    assert {url.partition("#")[0] for url in asked if not url.startswith("blob:")} == {own}


@pytest.mark.parametrize("name", list(STUDIES))
def test_the_console_is_empty(open_page, driver, name):
    page = open_page(name)
    for test in case_of(name).data["tests"]:
        page.script(f"location.hash = {json.dumps('#p=' + test['id'])}")
    page.wait_for(lambda: page.script("return document.readyState") == "complete")
    assert driver.get_log("browser") == []


def test_hostile_names_are_text(open_page, driver):
    for test in case_of("hostile").data["tests"]:
        page = open_page("hostile")
        names = page.part("tests").text
        assert test["label"] in names
        page.open_details()
        # an alert would make every further command fail
        assert page.script("return document.querySelectorAll('main img, main b').length") == 0
        assert len(driver.find_elements("css selector", "script")) == 2
        assert HOSTILE[0] in page.text("answer")


def test_who_wants_no_motion_has_none(open_page, driver):
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
    )
    page = open_page("masses")
    moving = page.script("""
        return [...document.querySelectorAll('.explorer, .explorer *')].filter((one) => {
          const style = getComputedStyle(one);
          return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0;
        }).length;
    """)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert moving == 0


def test_paper_has_the_view_and_its_address_but_no_controls(open_page, driver):
    page = open_page("masses", "#p=texture&t=20&prev=10")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = {
        name: page.part(name).is_displayed()
        for name in ("controls", "copy", "print", "answer", "notice", "table", "address")
    }
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == {
        "controls": False, "copy": False, "print": False,
        "answer": True, "notice": True, "table": True, "address": True,
    }  # fmt: skip
    assert "#p=texture&t=20" in page.part("address").get_attribute("textContent")
    pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")
    assert page.known("state")["prevalence"] == 0.1


def test_without_scripts_there_is_the_static_view(open_page, driver):
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    page = open_page("masses")
    text = page.part("static").text
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert text == "Without scripts."
