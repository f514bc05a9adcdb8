"""What a test does, and reads, on the page of an explorer in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

HERE = Path(__file__).parent


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

    def address_of(self, test: str, prevalence: float) -> str:
        """Return the address of a test at its first cutoff."""
        return f"#p={quote(test, safe='')}&prev={100 * prevalence:g}"

    def open_details(self) -> None:
        """Open what is folded."""
        self.script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")

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


def grave_violations(page: Page, axe: str) -> list[str]:
    """Return what axe-core finds serious or critical, with all folds open."""
    page.open_details()
    page.script(axe)
    found = page.driver.execute_async_script("axe.run().then(arguments[0])")
    # an empty page would have nothing wrong
    assert len(found["passes"]) > 20
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
