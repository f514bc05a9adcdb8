"""Eight ways through the window, by mouse and by keyboard, in a browser."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import rocstats as rs
from rocstats import cli
from tests.explorer.browser.pages import HERE
from validation.explorer.browser import chromium

pytestmark = pytest.mark.browser
CLINIC = Path(__file__).parents[1] / "data" / "clinic"
DESK = CLINIC.with_name("desk")
ON_THE_PAGE = """
return [...document.querySelectorAll('main .table tbody tr')].map(
  (row) => [...row.children].map((cell) => cell.textContent));
"""


class Walk:
    """A browser in a window: what a person does, and what the person sees."""

    def __init__(self, driver, window):
        self.driver, self.window = driver, window
        self.width(1300)
        start = window.address if not window.cookie else f"http://127.0.0.1:{window.port}/"
        driver.get(start)
        window.cookie = "entered"

    def width(self, pixels):
        size = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": pixels < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def open_folds(self):
        self.driver.execute_script(
            "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
        )

    def leave(self, link):
        """Click what leads to another page, and wait until it is there."""
        from selenium.webdriver.support.expected_conditions import staleness_of
        from selenium.webdriver.support.ui import WebDriverWait

        before = self.one("body")
        link.click()
        WebDriverWait(self.driver, 30).until(staleness_of(before))

    def open_file(self, path):
        self.one("#file").send_keys(str(path))
        self.leave(self.one("form.drop button"))

    def follow(self, words):
        self.leave(self.driver.find_element("xpath", f"//main//a[contains(., '{words}')]"))

    def fill(self, **values):
        """Fill the fields of a form: texts are typed, words chosen, boxes ticked."""
        self.open_folds()
        for name, value in values.items():
            fields = self.driver.find_elements(
                "css selector", f"main form [name='{name}']:not([type=hidden])"
            )
            kind = fields[0].get_attribute("type")
            texts = value if isinstance(value, list) else [value]
            if kind == "checkbox":
                for field in fields:
                    if field.get_attribute("value") in texts:
                        field.click()
            elif fields[0].tag_name == "select":
                for option in fields[0].find_elements("css selector", "option"):
                    if option.text in texts:
                        option.click()
            else:
                fields[0].clear()
                fields[0].send_keys(
                    *[f"{text}\n" if kind == "textarea" else text for text in texts]
                )

    def press(self, words):
        button = f"//main//button[normalize-space(.)='{words}']"
        self.leave(self.driver.find_element("xpath", button))

    def answer(self):
        """Ask, and wait for the whole answer."""
        self.press("Answer")
        self.wait()
        problems = [one.text for one in self.driver.find_elements("css selector", ".problem")]
        assert problems == []

    def wait(self):
        """Wait for the whole answer, or for what is wrong with the question."""
        for _ in range(900):
            done = self.driver.find_elements(
                "css selector", "main:not([data-pending]) .copied, .problem"
            )
            if done:
                return
            time.sleep(0.1)
        raise TimeoutError(self.one("main").text)

    def frame(self):
        """Return the frame of the answer that is shown."""
        job = max(self.window.folder.rglob("answer.csv"), key=lambda path: path.stat().st_mtime_ns)
        return rs.read_csv(job)

    def typed(self):
        return self.one("pre.copied").text


@pytest.fixture(scope="module")
def driver():
    with chromium() as driver:
        yield driver


@pytest.fixture
def walk(driver, start):
    return Walk(driver, start())


@pytest.fixture
def typed_answer(monkeypatch, tmp_path, capsys):
    """Return a function that runs the shown command line, and returns what it writes or prints."""

    def run(walk, file=None, out="typed.csv"):
        monkeypatch.chdir(tmp_path)
        if file is not None:
            Path(file.name).write_bytes(file.read_bytes())
        more = [] if out is None else ["--out", out, "--force"]
        monkeypatch.setattr(sys, "argv", [*shlex.split(walk.typed()), *more])
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert end.value.code in (None, 0), capsys.readouterr().err
        return capsys.readouterr().out if out is None else rs.read_csv(out)

    return run


def same(walk, frame):
    """Assert that the answer is the frame, and that the page shows its printed table."""
    pd.testing.assert_frame_equal(walk.frame(), frame, check_exact=True)
    shown = walk.driver.execute_script(ON_THE_PAGE)
    printed = rs.format_table(frame).astype(str)
    assert shown == [
        [" ".join(cell.split()) for cell in row] for row in printed.to_numpy().tolist()
    ]


def test_from_a_workbook_of_a_clinic_to_a_word_table(walk, typed_answer):
    walk.open_file(DESK / "klinik.xlsx")
    assert "--header-row" in walk.one(".problem").text
    walk.fill(
        header_row="2",
        footer_rows="1",
        below_limit="lowest",
        above_limit="highest",
        fold_case="yes",
    )
    walk.press("Read it again")
    assert "120 rows" in walk.one("main").text
    walk.follow("area under the curve of each score")
    walk.fill(outcome="Enddiagnose")
    walk.press("Show both groups")
    walk.fill(positive="Sepsis")
    walk.press("Show both groups")
    walk.fill(scores=["CRP (mg/l)", "PCT (µg/l)"], cluster="ID")
    walk.answer()
    same(walk, typed_answer(walk, DESK / "klinik.xlsx"))
    assert walk.one("a[href$='answer.docx']").text == "Word"


def test_clusters_and_a_test_whose_low_values_mean_the_condition(walk, typed_answer):
    walk.open_file(CLINIC / "german.csv")
    walk.follow("area under the curve of each score")
    walk.fill(outcome="Diagnose")
    walk.press("Show both groups")
    walk.fill(positive="bösartig")
    walk.fill(
        scores=["Albumin", "Prüfgröße (µg/l)"],
        lower=["Albumin"],
        cluster="Patient ID",
        missing="omit",
    )
    walk.answer()
    frame = typed_answer(walk, CLINIC / "german.csv")
    same(walk, frame)
    assert (frame["estimate"] > 0.5).all()
    assert "--cluster 'Patient ID'" in walk.typed()


def test_two_tests_compared(walk, typed_answer):
    walk.press("Use the example: 569 breast masses")
    walk.follow("difference of areas of every two scores")
    walk.fill(outcome="diagnosis")
    walk.press("Show both groups")
    walk.fill(positive="malignant", scores=["area", "texture"])
    walk.answer()
    example = walk.window.folder / "breast_cancer.csv"
    rs.load_breast_cancer().to_csv(example, index=False)
    same(walk, typed_answer(walk, example))
    assert walk.one("figure img").get_property("naturalWidth") > 100


def test_four_counts_by_keyboard(walk, typed_answer):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    keys = ActionChains(walk.driver)

    def tab_to(wanted):
        for _ in range(40):
            ActionChains(walk.driver).send_keys(Keys.TAB).perform()
            here = walk.driver.switch_to.active_element
            if wanted(here):
                return
        raise AssertionError("the keyboard does not reach it")

    tab_to(lambda here: "yes/no test" in here.text)
    keys.send_keys(Keys.ENTER).perform()
    for name, number in (("tp", "46"), ("fp", "9"), ("fn", "4"), ("tn", "91")):
        tab_to(lambda here, name=name: here.get_attribute("name") == name)
        ActionChains(walk.driver).send_keys(number).perform()
    ActionChains(walk.driver).send_keys(Keys.ENTER).perform()
    walk.wait()
    same(walk, typed_answer(walk))


def test_readers(walk, typed_answer):
    walk.open_file(DESK / "readers_wide.csv")
    walk.follow("areas of readers")
    walk.fill(truth="truth", case="case", reader_column=["R1", "R2", "R3", "R4"])
    walk.answer()
    printed = typed_answer(walk, DESK / "readers_wide.csv", out=None)
    for line in printed.splitlines():
        for number in (word for word in line.split() if word.startswith("0.")):
            assert number.strip("();,") in walk.driver.page_source


def test_an_event_in_time(walk, typed_answer):
    walk.open_file(DESK / "event_codes.csv")
    walk.follow("at given times")
    walk.fill(
        follow_up="time",
        event="status",
        scores=["age"],
        time="20",
        event_code="2",
        censored_code="1",
    )
    walk.answer()
    printed = typed_answer(walk, DESK / "event_codes.csv", out=None)
    numbers = [word.strip("();,") for word in printed.split() if word.startswith("0.")]
    assert numbers
    for number in numbers:
        assert number in walk.driver.page_source


def test_a_prediction_model(walk, typed_answer):
    walk.open_file(DESK / "round.csv")
    walk.follow("predicted risks are right")
    walk.fill(outcome="ill")
    walk.press("Show both groups")
    walk.fill(positive="1", scores=["risk"])
    walk.answer()
    same(walk, typed_answer(walk, DESK / "round.csv"))


def test_a_sample_size(walk, typed_answer):
    walk.follow("number of cases that a study")
    walk.fill(auc="0.8", null_auc="0.7", power="0.9")
    walk.answer()
    frame = typed_answer(walk)
    pd.testing.assert_frame_equal(walk.frame(), frame)
    assert str(frame["n_pos"].iloc[0]) in walk.one("main .table").text


@pytest.mark.parametrize("width", [1300, 390])
def test_axe_finds_nothing_serious_and_a_phone_scrolls_down_only(walk, width):
    axe = (HERE / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def look():
        walk.width(width)
        walk.open_folds()
        walk.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
        walk.driver.execute_script(axe)
        found = walk.driver.execute_async_script("axe.run().then(arguments[0])")
        assert len(found["passes"]) > 10
        grave = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
        assert grave == [], [(v["id"], [n["html"][:150] for n in v["nodes"]]) for v in grave]
        wide = walk.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width

    look()
    walk.press("Use the example: 569 breast masses")
    look()
    walk.follow("area under the curve of each score")
    walk.fill(outcome="diagnosis")
    walk.press("Show both groups")
    walk.fill(positive="malignant")
    walk.press("Show both groups")
    look()
    walk.fill(scores=["area"])
    walk.answer()
    look()
