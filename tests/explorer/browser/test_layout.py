"""What is on a screen: the area, the panel, cards without holes, dots, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]

SCREEN = 900
PAIR = "#p=texture,area&t=18.25,600"


def test_the_area_is_on_the_first_screen(open_page):
    page = open_page("report_masses", width=1300)
    bottom = page.script("""
        const lines = [...document.querySelectorAll('[data-part=answer] .note')];
        const area = lines.find((one) => one.textContent.startsWith('Area under the curve 0.'));
        return area.getBoundingClientRect().bottom;
    """)
    assert 0 < bottom < SCREEN


@pytest.mark.parametrize("name", ["masses", "exact_masses", "report_masses", "lower"])
def test_the_panel_of_two_tests_is_at_most_a_quarter_of_the_screen(open_page, name):
    address = "#p=small,texture" if name == "lower" else PAIR
    page = open_page(name, address, width=1300)
    assert len(page.known("view")["tests"]) == 2
    height = page.script(
        "return arguments[0].getBoundingClientRect().height", page.part("controls")
    )
    assert height <= SCREEN / 4


@pytest.mark.parametrize("width", [1300, 820, 390])
@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("masses", ""),
        ("masses", PAIR),
        ("yes_no", ""),
        ("ratings", ""),
        ("groups", ""),
        ("weak", ""),
    ],
)
def test_no_card_has_half_a_screen_of_nothing(open_page, name, address, width):
    page = open_page(name, address, width=width)
    gaps = page.script("""
        return [...document.querySelectorAll('.explorer .card')].map((card) => {
          const parts = [...card.children].map((one) => one.getBoundingClientRect())
            .filter((box) => box.height > 0);
          const gap = parts.slice(1).map((box, i) => box.top - parts[i].bottom);
          const under = card.getBoundingClientRect().bottom - parts[parts.length - 1].bottom;
          return Math.max(under, ...gap);
        });
    """)
    assert len(gaps) == 5
    assert max(gaps) < SCREEN / 2


def dots_of(page):
    """The places of dots: of each path the starts of its pieces."""
    return page.script("""
        const paths = [...document.querySelectorAll('.beside svg path[fill]')];
        return paths.map((one) => (one.getAttribute('d').match(/M[^a-z]+/g) || []).length);
    """)


def test_a_dot_is_a_case_on_the_side_of_its_call(open_page):
    page = open_page("exact_masses", "#p=texture&t=20", width=1300)
    counts = page.known("view")["tests"][0]["counts"]
    found, missed, cleared, alarms = dots_of(page)
    assert (found, missed, cleared, alarms) == tuple(
        counts[cell] for cell in ("found", "missed", "cleared", "alarms")
    )
    assert "Dots: the score of each" in page.text("figure-scores")


def test_dots_of_counts_say_that_they_are_no_scores(open_page):
    page = open_page("masses", "#p=texture&t=20", width=1300)
    assert sum(dots_of(page)) == 569
    assert "spread evenly between two cutoffs" in page.text("figure-scores")


def test_the_slider_says_how_many_of_how_many_cutoffs_and_why(open_page):
    texts = {
        "masses": "of 478 cutoffs, so that no woman is singled out: between two are 5 women",
        "exact_masses": "All 478 cutoffs: this page has the score of every woman",
        "ratings": "All 4 cutoffs: the data are a table of counts.",
    }
    for name, text in texts.items():
        assert text in open_page(name, width=1300).text("controls")


def test_chances_are_curves_over_the_prevalence_that_meet_the_marks(open_page):
    page = open_page("masses", "#p=texture&t=20&prev=10", width=1300)
    one = page.known("view")["tests"][0]
    curves = page.script("""
        return [...document.querySelectorAll('[data-part=figure-results] polyline')].map((line) =>
          line.getAttribute('points').split(' ').map((point) => point.split(',').map(Number)));
    """)
    marks = page.script("""
        return [...document.querySelectorAll('[data-part=figure-results] svg [data-kind]')].map(
          (mark) => [+mark.getAttribute('cx'), +mark.getAttribute('cy')]);
    """)
    assert one["kind"] == "prespecified"
    for curve, (x, y) in zip(curves, marks, strict=True):
        places = np.array(curve)
        assert np.interp(x, *places.T) == pytest.approx(y, abs=1)
        assert (np.diff(places[:, 1]) <= 0).all()  # up the screen: a chance rises with prevalence


def test_reset_leads_back_to_the_first_view(open_page):
    page = open_page("masses", width=1300)
    first = page.known("state")
    moved = open_page("masses", "#p=area&t=700&prev=3&fa=30", width=1300)
    assert moved.known("state") != first
    moved.part("reset").click()
    assert moved.known("state") == first
    assert case_of("masses").data["tests"][0]["id"] in moved.address()
