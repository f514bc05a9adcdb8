"""A browser that a test steers. Nothing of selenium is imported unless a test asks for it."""

from __future__ import annotations

import pytest

from tests.explorer.browser import pages
from validation.explorer.browser import chromium
from validation.explorer.studies import case, page_of, write_report


@pytest.fixture(scope="session")
def driver():
    """Return Debian's chromium without a window."""
    with chromium() as driver:
        yield driver


@pytest.fixture(scope="session")
def axe():
    """Return the script of axe-core."""
    path = pages.HERE / "node_modules" / "axe-core" / "axe.min.js"
    command = "npm ci --prefix tests/explorer/browser"
    assert path.is_file(), f"tests marked browser need axe-core: `{command}` installs it"
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Return a function that writes the page of a case once, and returns its path."""
    folder, known = tmp_path_factory.mktemp("pages"), {}

    def write(name):
        if name not in known:
            known[name] = folder / f"{name}.html"
            if name.startswith("report_"):
                write_report(name.removeprefix("report_"), known[name])
            else:
                known[name].write_text(page_of(case(name).data), encoding="utf-8")
        return known[name]

    return write


@pytest.fixture
def open_page(driver, written):
    """Return a function that opens the page of a case, at an address and a width."""

    def open_at(name, address="", *, width=1200):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get("about:blank")  # another address alone would not load a page again
        for log in ("performance", "browser"):
            driver.get_log(log)
        driver.get(written(name).as_uri() + address)
        return pages.Page(driver)

    return open_at
