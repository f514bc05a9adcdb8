"""Every number on the page is that of a frame, to the digits shown."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from rocstats.tables.text import p_statement
from tests.explorer.browser.expected import (
    LIMITS,
    expected_of,
    rows_of,
    shown_presets,
    shows,
    to_preset,
)
from tests.explorer.browser.pages import is_shown
from tests.explorer.rounding import (
    FRACTIONS,
    LEVELS,
    LIMITS_OF_HUNDRED,
    OF_HUNDRED,
    PER_HUNDRED,
)
from validation.explorer.studies import PREVALENCE, STUDIES
from validation.explorer.studies import case as case_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning"),
]

# Presets are shown at the prevalence of the frames and at another; moved cutoffs at these too.
PREVALENCES = (PREVALENCE, 0.37)
CASES = [*STUDIES, "exact_masses", "exact_lower"]


def to_edge(page, test, edge):
    slider = page.part("cutoff-slider", test["id"])
    page.script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
        slider,
        edge,
    )


def address_of(test, prevalence):
    from urllib.parse import quote

    return f"#p={quote(test['id'], safe='')}&prev={100 * prevalence:g}"


def test_numbers_are_printed_as_in_python(driver):
    """tests/reports/test_contents.py has the same numbers of the page without scripts."""
    numbers = files("rocstats.explorer").joinpath("model/numbers.js").read_text("utf-8")

    def printed(call, numbers_of_call):
        return driver.execute_script(f"{numbers} return arguments[0].map({call})", numbers_of_call)

    assert printed("(share) => percent(share)", list(OF_HUNDRED)) == list(OF_HUNDRED.values())
    assert printed("(share) => perHundred(share)", list(PER_HUNDRED)) == list(PER_HUNDRED.values())
    assert printed("(share) => fraction(share)", list(FRACTIONS)) == list(FRACTIONS.values())
    assert printed("(level) => levelText(level)", list(LEVELS)) == list(LEVELS.values())
    limits = "([estimate, low, high]) => percentLimits({ estimate, low, high })"
    assert printed(limits, list(LIMITS_OF_HUNDRED)) == list(LIMITS_OF_HUNDRED.values())


@pytest.mark.parametrize("name", CASES)
def test_presets_are_the_rows_of_their_frames(open_page, name):
    """Rates of cutpoints() if chosen, of operating_points() if set before; and their counts."""
    case = case_of(name)
    for test in case.data["tests"]:
        page = open_page(name, address_of(test, PREVALENCE))
        for preset in shown_presets(test):
            chosen = preset["kind"] == "chosen"
            frame = case.frames.cutpoints if chosen else case.frames.points
            own = {} if chosen else {"threshold": preset["threshold"]}
            rows = rows_of(frame, test, **own)
            to_preset(page, test, preset)
            cells = page.rows()
            for line, shares in expected_of(rows).items():
                assert shows(cells[line][0], shares), (preset["key"], line, cells[line], shares)
            tp, fp = (int(rows[count].iloc[0]) for count in ("tp", "fp"))
            assert page.counts() == [[tp, test["n_pos"] - tp, fp, test["n_neg"] - fp]]
            tpr, tnr = rows.loc["tpr"], rows.loc["tnr"]
            answer = page.text("answer")
            assert is_shown(answer.partition(" finds ")[2], tpr["estimate"])
            assert is_shown(answer.partition(" clears ")[2], tnr["estimate"])
            if chosen:
                raw = page.text("notice").partition("raw results (")[2]
                assert is_shown(raw, tpr["apparent"], tnr["apparent"])


def test_a_cutoff_both_set_before_and_chosen_counts_as_set_before(open_page):
    """Nobody looked at these cases to choose it: its rates need no correction."""
    test = case_of("ties").data["tests"][0]
    first, chosen = test["presets"]
    assert (first["kind"], chosen["kind"], first["edge"]) == (
        *("prespecified", "chosen"),
        chosen["edge"],
    )
    page = open_page("ties", address_of(test, PREVALENCE))
    to_preset(page, test, chosen)
    assert page.known("view")["tests"][0]["kind"] == "prespecified"
    assert is_shown(page.rows()["tpr"][0], first["tpr"]["estimate"])


@pytest.mark.parametrize("name", CASES)
def test_predictive_values_of_presets_follow_the_prevalence(open_page, name):
    case = case_of(name)
    beforehand = {
        test["predictor"]: [
            one["threshold"] for one in test["presets"] if one["kind"] == "prespecified"
        ]
        for test in case.data["tests"]
    }
    points = case.study.operating_points(threshold=beforehand, prevalence=PREVALENCES[1])
    chosen = None
    if case.frames.cutpoints is not None:
        chosen = case.study.cutpoints(n_resamples=200, prevalence=PREVALENCES[1], rng=1)
    for test in case.data["tests"]:
        page = open_page(name, address_of(test, PREVALENCES[1]))
        for preset in shown_presets(test):
            to_preset(page, test, preset)
            own = {"threshold": preset["threshold"]}
            rows = (
                rows_of(chosen, test)
                if preset["kind"] == "chosen"
                else rows_of(points, test, **own)
            )
            cells = page.rows()
            for line, shares in expected_of(rows).items():
                assert shows(cells[line][0], shares), (preset["key"], line, cells[line])


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("yes_no", "clusters")])
@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_moved_cutoffs_have_the_limits_that_hold_at_all_of_them(open_page, name, prevalence):
    case = case_of(name)
    for test in case.data["tests"]:
        page, last = open_page(name, address_of(test, prevalence)), len(test["edges"]) - 1
        named = {preset["edge"] for preset in test["presets"]}
        for edge in sorted({0, last // 4, last // 2, last - 1, last} - named):
            points = case.study.operating_points(
                threshold=test["edges"][edge], prevalence=prevalence, interval="dkw"
            )
            rows = rows_of(points, test)
            to_edge(page, test, edge)
            cells = page.rows()
            for line, shares in expected_of(rows).items():
                assert shows(cells[line][0], shares), (edge, line, cells[line], shares)
            tp, fp = (int(rows[count].iloc[0]) for count in ("tp", "fp"))
            assert page.counts() == [[tp, test["n_pos"] - tp, fp, test["n_neg"] - fp]]
            kind = page.part("notice").find_element("css selector", "[data-kind]")
            assert kind.get_attribute("data-kind") == "moved"


def test_moved_cutoffs_of_clusters_have_rates_without_limits_and_say_why(open_page):
    case = case_of("clusters")
    (test,) = case.data["tests"]
    page = open_page("clusters")
    to_edge(page, test, 0)
    points = case.study.operating_points(threshold=test["edges"][0], prevalence=PREVALENCE)
    rows = rows_of(points, test)
    cells = page.rows()
    for line, (estimate, _, _) in expected_of(rows).items():
        assert shows(cells[line][0], (estimate, np.nan, np.nan))
    assert "Cases of a cluster are not independent" in page.text("notice")


def moved_rates(case, test, edge):
    points = case.study.operating_points(
        threshold=test["edges"][edge], prevalence=PREVALENCE, interval="dkw"
    )
    rows = rows_of(points, test)
    return {name: rows.loc[name, LIMITS].astype(float) for name in ("tpr", "tnr")}


@pytest.mark.parametrize("name", ["masses", "lower", "ties", "groups", "hostile"])
def test_differences_of_presets_are_paired(open_page, name):
    case = case_of(name)
    assert case.data["pairs"]
    by_id = {test["id"]: test for test in case.data["tests"]}
    for pair in case.data["pairs"]:
        first, second = (by_id[pair[key]] for key in ("first", "second"))
        page = open_page(name, address_of_two(first, second))
        for test, key in ((first, "first_preset"), (second, "second_preset")):
            to_preset(page, test, next(one for one in test["presets"] if one["key"] == pair[key]))
        rows = compared(case, first, second, page)
        for line in ("tpr", "tnr"):
            row = rows.loc[f"{line}_difference"]
            cell = page.rows()[line][2]
            assert shows(cell, tuple(row[LIMITS].astype(float))), (pair, line, cell)
            adjusted = name in ("groups", "hostile")
            p = p_statement(row["p_adjusted"], alpha=0.05)
            assert cell.endswith(f" adjusted {p}" if adjusted else f" {p}")


def compared(case, first, second, page):
    """The rows of the comparison of two tests at the cutoffs that the page shows."""
    at = [view["threshold"] for view in page.known("view")["tests"]]
    for frame in case.frames.comparisons:
        rows = frame[
            (frame["predictor"] == first["predictor"])
            & (frame["reference"] == second["predictor"])
            & (frame["threshold"] == at[0])
            & (frame["reference_threshold"] == at[1])
        ]
        if "group" in rows:
            rows = rows[rows["group"] == first["group"]]
        if len(rows):
            return rows.set_index("quantity")
    raise AssertionError("no frame compares the tests at these cutoffs")


def address_of_two(first, second):
    from urllib.parse import quote

    names = ",".join(quote(test["id"], safe="") for test in (first, second))
    return f"#p={names}&prev={100 * PREVALENCE:g}"


@pytest.mark.parametrize("name", ["masses", "lower", "ties", "groups"])
def test_differences_of_moved_cutoffs_have_the_widest_limits(open_page, name):
    """First minus second at any two cutoffs: low less high, high less low."""
    case = case_of(name)
    first, second = case.data["tests"][:2]
    if name == "groups":
        second = next(
            test
            for test in case.data["tests"]
            if test["group"] == first["group"] and test is not first
        )
    page = open_page(name, address_of_two(first, second))
    for edges in ((0, 0), (len(first["edges"]) - 1, len(second["edges"]) // 2)):
        for test, edge in zip((first, second), edges, strict=True):
            to_edge(page, test, edge)
        one, two = (
            moved_rates(case, test, edge) for test, edge in zip((first, second), edges, strict=True)
        )
        for line in ("tpr", "tnr"):
            (a, a_low, a_high), (b, b_low, b_high) = one[line], two[line]
            cell = page.rows()[line][2]
            assert shows(cell, (a - b, a_low - b_high, a_high - b_low)), (edges, line, cell)


@pytest.mark.parametrize("prevalence", [0.001, 0.1, 0.373, 0.9])
def test_people_are_whole_and_add_up(open_page, prevalence):
    """Each group of icons is within one of its share; 100 of them, or 1000."""
    page = open_page("masses", f"#p=texture&t=20&prev={100 * prevalence:g}")
    (view,) = page.known("view")["tests"]
    people = view["people"]
    tpr, tnr = view["tpr"]["estimate"], view["tnr"]["estimate"]
    shares = {
        "found": prevalence * tpr, "missed": prevalence * (1 - tpr),
        "alarms": (1 - prevalence) * (1 - tnr), "cleared": (1 - prevalence) * tnr,
    }  # fmt: skip
    assert sum(people[cell] for cell in shares) == people["total"] in (100, 1000)
    ill = people["found"] + people["missed"]
    assert ill == round(prevalence * people["total"])
    for cell, share in shares.items():
        assert abs(people[cell] - share * people["total"]) < 1
        item = page.driver.find_element("css selector", f".people-legend [data-cell={cell}]")
        assert item.text.split()[0] in (str(people[cell]), "fewer")


@pytest.mark.parametrize("name", ["masses", "groups", "ratings"])
def test_areas_of_the_key_are_those_of_the_frame(open_page, name):
    case = case_of(name)
    text = open_page(name).text("figure-roc")
    row = case.frames.auc.iloc[0]
    assert f"{row['estimate']:.2f} ({row['ci_low']:.2f} to {row['ci_high']:.2f})" in text


def test_the_numbers_that_are_downloaded_are_those_of_the_view(open_page):
    """The file has all digits: it is read before the browser saves it."""
    page = open_page("masses", "#p=texture,area&t=20,600&prev=10")
    text = page.driver.execute_async_script("""
        const done = arguments[0];
        URL.createObjectURL = (blob) => { blob.text().then(done); return 'data:,'; };
        document.querySelector('[data-part=csv]').click();
    """)
    lines = [line.split(",") for line in text.lstrip("\ufeff").strip().splitlines()]
    rows = {(line[0], line[3]): line for line in lines[1:]}
    case = case_of("masses")
    row = rows_of(case.frames.points, case.data["tests"][0], threshold=20.0).loc["tpr"]
    found = [float(value) for value in rows["texture", "sensitivity"][4:7]]
    assert found == pytest.approx(row[LIMITS].tolist(), abs=1e-12)
