"""Cutoff and prevalence are moved by mouse, keys and number; the address says what is seen."""

from __future__ import annotations

import time

import numpy as np
import pytest

from validation.explorer.studies import PREVALENCE
from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]


@pytest.fixture
def keys():
    from selenium.webdriver.common.keys import Keys

    return Keys


@pytest.fixture
def pointer(driver):
    from selenium.webdriver import ActionChains

    return ActionChains(driver)


def edges_of(name, place=0):
    return case_of(name).data["tests"][place]["edges"]


def test_the_page_starts_at_the_first_cutoff_set_before_the_study(open_page):
    page = open_page("masses")
    texture = page.known("view")["tests"][0]
    assert texture["threshold"] == 20.0
    assert texture["kind"] == "prespecified"
    assert page.known("state")["prevalence"] == PREVALENCE
    assert page.part("static").is_displayed() is False


def test_arrows_move_one_edge_and_page_keys_ten(open_page, keys):
    page, edges = open_page("masses"), edges_of("masses")
    slider, at = page.part("cutoff-slider", "texture"), edges_of("masses").index(20.0)
    moves = [
        (keys.ARROW_RIGHT, at + 1), (keys.ARROW_LEFT, at), (keys.ARROW_DOWN, at - 1),
        (keys.ARROW_UP, at), (keys.PAGE_DOWN, at - 10), (keys.PAGE_UP, at),
        (keys.HOME, 0), (keys.PAGE_DOWN, 0), (keys.PAGE_UP, 10),
        (keys.END, len(edges) - 1), (keys.PAGE_UP, len(edges) - 1),
    ]  # fmt: skip
    for key, edge in moves:
        page.press(slider, key)
        assert page.known("state")["edges"]["texture"] == edge
        view = page.known("view")["tests"][0]
        assert view["threshold"] == edges[edge]
        assert slider.get_attribute("aria-valuetext").startswith(view["cutoff"] + ": finds")
        assert page.script("return document.activeElement") == slider


def test_a_click_on_the_rail_moves_the_cutoff_there(open_page, pointer):
    page, last = open_page("masses"), len(edges_of("masses")) - 1
    slider = page.part("cutoff-slider", "texture")
    width = slider.size["width"]
    pointer.move_to_element_with_offset(slider, round(0.25 * width), 0).click().perform()
    # 10 pixels at both ends are half of the thumb
    expected = (0.75 * width - 10) / (width - 20) * last
    assert abs(page.known("state")["edges"]["texture"] - expected) <= 1


def test_the_cutoff_is_dragged_on_the_distributions(open_page, pointer):
    page = open_page("masses")
    picture = page.driver.find_element("css selector", '[data-part="figure-scores"] svg.draggable')
    low, high = case_of("masses").data["tests"][0]["axis"]
    half = picture.size["width"] / 2
    pointer.move_to_element(picture).click_and_hold().move_by_offset(round(half / 4), 0)
    pointer.release().perform()
    threshold = page.known("view")["tests"][0]["threshold"]
    # 10 pixels on both sides of the axis; the middle and a quarter of a half
    wanted = low + (high - low) * (0.5 + half / 4 / (2 * half - 20))
    nearest = min(edges_of("masses"), key=lambda edge: abs(edge - wanted))
    neighbours = edges_of("masses").index(nearest) + 1
    assert edges_of("masses").index(threshold) in range(neighbours - 2, neighbours + 1)
    assert page.known("view")["tests"][0]["kind"] == "moved"


@pytest.mark.parametrize(
    ("name", "test", "texts"),
    [
        ("masses", "texture", ["22.1", "19,3", "20", "-5", "18.26"]),
        ("lower", "small", ["-601", "\u2212650.5", "-600", "1000"]),
        ("exact_masses", "texture", ["22.1", "19,3", "20", "-5", "19.3199"]),
        ("exact_lower", "small", ["-601", "-650.5", "-600", "0"]),
    ],
)
def test_a_typed_cutoff_is_the_next_on_its_positive_side(open_page, name, test, texts):
    page, edges = open_page(name), np.array(edges_of(name))
    study, exact = case_of(name).study, name.startswith("exact")
    high = study.higher_is_positive[study.predictors.index(test)]
    score = study.scores[study.predictors.index(test)]
    entry = page.part("cutoff-number", test)
    for text in texts:
        page.enter(entry, text)
        typed = float(text.replace(",", ".").replace("\u2212", "-"))
        view = page.known("view")["tests"][0]
        wanted = edges[edges >= typed].min() if high else edges[edges <= typed].max()
        assert view["threshold"] == wanted
        assert entry.get_attribute("value") == view["cutoff"]
        if exact:  # the answer is that of the typed cutoff itself
            called = score >= typed if high else score <= typed
            found, alarms = (np.sum(called & (study.is_positive == of)) for of in (True, False))
            assert [view["counts"]["found"], view["counts"]["alarms"]] == [found, alarms]
        notice = page.part("entry-notice")
        if typed in (wanted, float(view["cutoff"].replace("\u2212", "-"))):
            assert not notice.is_displayed()
            continue
        said = "calls the same" if exact else "has no counts at"
        assert said in notice.text
        assert f"{text}" in notice.text
        assert view["cutoff"] in notice.text
        page.wait_for(lambda said=notice.text: page.spoken().startswith(said))
    page.press(page.part("cutoff-slider", test), "\ue012")  # an arrow: the notice has had its time
    assert not page.part("entry-notice").is_displayed()


@pytest.mark.parametrize(
    ("name", "test", "text"), [("masses", "texture", "1000"), ("exact_lower", "small", "-9999")]
)
def test_a_cutoff_beyond_all_is_refused_in_words(open_page, name, test, text):
    page = open_page(name)
    entry = page.part("cutoff-number", test)
    state, shown = page.known("state"), entry.get_attribute("value")
    page.enter(entry, text)
    assert page.known("state") == state
    assert entry.get_attribute("value") == shown
    said = f"{text} lies beyond the last cutoff of {test} here; it stays at {shown}."
    assert page.part("entry-notice").text == said
    page.wait_for(lambda: page.spoken() == said)


@pytest.mark.parametrize(
    ("part", "text", "said"),
    [
        ("prevalence-number", "100", "100 is no number between 0 and 100"),
        ("prevalence-number", "many", "many is no number between 0 and 100"),
        ("alarms-number", "0", "0 is no number from 0.001 to 1000"),
    ],
)
def test_what_is_not_taken_is_said_on_the_screen(open_page, part, text, said):
    page = open_page("masses")
    state = page.known("state")
    page.enter(page.part(part), text)
    assert page.known("state") == state
    assert page.part("entry-notice").text.startswith(said)
    page.wait_for(lambda: page.spoken().startswith(said))


@pytest.mark.parametrize("name", ["masses", "exact_lower", "weak"])
def test_every_cutoff_is_printed_and_addressed_so_that_it_leads_back(open_page, name):
    page, data = open_page(name), case_of(name).data
    for test in data["tests"]:
        study = case_of(name).study
        score = study.scores[study.predictors.index(test["predictor"])]
        for edge, text in zip(test["edges"], test["texts"], strict=True):
            printed = float(text.replace("\u2212", "-"))
            if test["direction"] == ">=":
                np.testing.assert_array_equal(score >= printed, score >= edge)
            else:
                np.testing.assert_array_equal(score <= printed, score <= edge)
    test = data["tests"][0]
    for edge in range(0, len(test["edges"]), 7):
        page.script("location.hash = arguments[0]", f"#t={_address(test, edge)}")
        page.wait_for(lambda edge=edge: page.known("state")["edges"][test["id"]] == edge)
        assert page.known("view")["tests"][0]["cutoff"].replace(",", "") == test["texts"][edge]


def _address(test, edge):
    return test["texts"][edge].replace("\u2212", "-")


@pytest.mark.parametrize("text", ["abc", "1e", "NaN", "--1"])
def test_what_is_no_number_leaves_the_cutoff_and_says_so(open_page, text):
    page = open_page("masses")
    entry = page.part("cutoff-number", "texture")
    shown = entry.get_attribute("value")
    page.enter(entry, text)
    assert page.known("view")["tests"][0]["threshold"] == 20.0
    assert entry.get_attribute("value") == shown
    page.wait_for(lambda: "is no cutoff of texture" in page.spoken())
    assert page.part("entry-notice").text == page.spoken()


def test_an_entry_that_is_left_empty_shows_what_holds(open_page, keys):
    page = open_page("masses")
    for name, test in (("cutoff-number", "texture"), ("prevalence-number", None)):
        entry = page.part(name, test)
        shown, state = entry.get_attribute("value"), page.known("state")
        page.enter(entry, keys.BACKSPACE + keys.TAB)
        assert entry.get_attribute("value") == shown
        assert page.known("state") == state


def test_a_button_goes_back_to_a_named_cutoff(open_page, keys):
    page = open_page("masses")
    for preset in case_of("masses").data["tests"][0]["presets"]:
        page.press(page.part("cutoff-slider", "texture"), keys.END)
        button = page.part(f"preset-{preset['key']}", "texture")
        assert button.get_attribute("aria-pressed") == "false"
        page.press(button, keys.ENTER)
        assert page.known("state")["edges"]["texture"] == preset["edge"]
        assert page.known("view")["tests"][0]["kind"] == preset["kind"]
        assert button.get_attribute("aria-pressed") == "true"
        kind = page.part("notice").find_element("css selector", "[data-kind]")
        assert kind.get_attribute("data-kind") == preset["kind"]


def test_the_prevalence_is_moved_by_keys_mouse_and_number(open_page, keys, pointer):
    page = open_page("masses")
    slider, entry = page.part("prevalence-slider"), page.part("prevalence-number")
    for key, prevalence in ((keys.ARROW_RIGHT, 0.11), (keys.PAGE_UP, 0.21), (keys.HOME, 0.001)):
        page.press(slider, key)
        assert page.known("state")["prevalence"] == pytest.approx(prevalence)
    for text, prevalence in (("37.5", 0.375), ("0,25", 0.0025), ("99.9", 0.999)):
        page.enter(entry, text)
        assert page.known("state")["prevalence"] == pytest.approx(prevalence)
    for text in ("0", "100", "-3", "many", "101"):
        page.enter(entry, text)
        assert page.known("state")["prevalence"] == pytest.approx(0.999)
        assert entry.get_attribute("value") == "99.9"
    pointer.move_to_element(slider).click().perform()
    assert 0.3 < page.known("state")["prevalence"] < 0.6
    page.part("prevalence-study").click()
    assert page.known("state")["prevalence"] == 212 / 569


def test_what_is_seen_is_spoken_half_a_second_after_the_last_move(open_page, keys):
    page = open_page("masses")
    before = page.spoken()
    slider = page.part("cutoff-slider", "texture")
    start = time.monotonic()
    page.press(slider, keys.ARROW_RIGHT, keys.ARROW_RIGHT, keys.ARROW_RIGHT)
    page.wait_for(lambda: page.spoken() != before)
    assert time.monotonic() - start >= 0.5
    found = page.script("return document.querySelector('[data-part=answer] strong').innerText")
    assert f"with cancer, texture finds {found}." in page.spoken()
    live = page.part("live")
    assert live.get_attribute("aria-live") == "polite"


def test_two_tests_stand_side_by_side_with_a_cutoff_each(open_page, keys):
    page = open_page("masses")
    both = page.driver.find_element("css selector", "[data-part=tests] input[value=both]")
    page.press(both, keys.SPACE)
    assert page.known("state")["tests"] == ["texture", "area"]
    before = page.known("state")["edges"]["texture"]
    page.press(page.part("cutoff-slider", "area"), keys.ARROW_LEFT)
    edges = page.known("state")["edges"]
    assert edges == {"texture": before, "area": edges_of("masses", 1).index(600.0) - 1}


# The address -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["masses", "exact_masses", "lower", "ties", "groups", "hostile"])
def test_every_view_has_an_address_that_leads_back(open_page, keys, name):
    page = open_page(name)
    for test in case_of(name).data["tests"]:
        identity = {"p": test["id"]}
        for edge in {0, len(test["edges"]) // 3, len(test["edges"]) - 1}:
            opened = open_page(name, page_address(page, identity["p"], edge, 0.034))
            state = opened.known("state")
            assert state["tests"] == [test["id"]]
            assert state["edges"][test["id"]] == edge
            assert state["prevalence"] == pytest.approx(0.034)
            assert not opened.part("address-notice").is_displayed()


def page_address(page, test, edge, prevalence):
    """The address that the page itself gives a state, asked of the page by moving there."""
    from urllib.parse import quote

    threshold = next(
        each["edges"][edge] for each in page.known("payload")["tests"] if each["id"] == test
    )
    return f"#p={quote(test, safe='')}&t={threshold!r}&prev={100 * prevalence:g}"


def test_a_view_of_two_tests_has_an_address_that_leads_back(open_page, keys):
    page = open_page("masses", "#p=texture,area&t=18.25,600&prev=5")
    assert page.known("state")["tests"] == ["texture", "area"]
    page.press(page.part("cutoff-slider", "area"), keys.ARROW_RIGHT)
    page.press(page.part("prevalence-slider"), keys.ARROW_RIGHT)
    state, address = page.known("state"), page.address()
    assert open_page("masses", address).known("state") == state


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("#p=nothing&t=20", "p=nothing"),
        ("#p=texture&t=abc", "t=abc"),
        ("#p=texture&t=1e9", "t=1e9"),
        ("#p=texture&t=", "t="),
        ("#p=texture&t=20&prev=0", "prev=0"),
        ("#p=texture&t=20&prev=100", "prev=100"),
        ("#p=texture&t=20&prev=x", "prev=x"),
        ("#p=texture,texture&t=20,20", "p=texture,texture"),
        ("#p=texture,area,area", "p=texture,area,area"),
        ("#p=texture&t=20,30", "t=20,30"),
        ("#p=%E0%A4%A&t=20", "p=%E0%A4%A"),
        ("#p=<script>alert(1)</script>", "p=<script>alert(1)</script>"),
    ],
)
def test_a_bad_address_falls_back_and_says_so(open_page, address, asked):
    page = open_page("masses", address)
    notice = page.part("address-notice")
    assert notice.is_displayed()
    assert asked in notice.text
    assert page.known("state")["tests"] == ["texture"]
    assert page.known("view")["tests"][0]["threshold"] == 20.0
    assert page.known("state")["prevalence"] == PREVALENCE


def test_a_good_part_of_a_bad_address_is_kept(open_page):
    page = open_page("masses", "#p=area&t=1200&prev=1000")
    assert page.known("state")["tests"] == ["area"]
    assert page.known("view")["tests"][0]["kind"] == "moved"
    assert page.known("state")["prevalence"] == PREVALENCE
    assert "prev=1000" in page.part("address-notice").text


def test_a_new_address_in_the_bar_is_followed(open_page):
    page = open_page("masses")
    page.script("location.hash = '#p=area&t=600&prev=2'")
    page.wait_for(lambda: page.known("state")["tests"] == ["area"])
    assert page.known("state")["prevalence"] == 0.02
    page.script("location.hash = '#methods'")  # a heading of the report
    time.sleep(0.1)
    assert page.known("state")["tests"] == ["area"]
