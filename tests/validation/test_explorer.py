"""Numbers of the recorded views are those of the frames, and of the page in a browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from validation.explorer.browser import chromium
from validation.explorer.numbers import PAGE, STUDIES, TABLE, framed, views_of

KEYS = ["study", "address", "test", "kind", "quantity", "question"]
PAGES, FRAMES = ["page", "page_low", "page_high"], ["frame", "frame_low", "frame_high"]

# The others take a second each, and are asked again where the pages are.
QUICK = ("clusters", "ratings", "yes_no")


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(TABLE)


def test_every_number_of_a_page_is_that_of_the_frame(table):
    page, frame = table[PAGES].to_numpy(), table[FRAMES].to_numpy()
    assert page == pytest.approx(frame, abs=PAGE, nan_ok=True)
    assert np.isfinite(page[:, 0]).all()
    assert set(table["study"]) == set(STUDIES)
    assert set(table["kind"]) == {"prespecified", "chosen", "moved", "paired"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.browser) for name in STUDIES],
)
def test_the_frames_of_the_table_are_found_again(table, name):
    known = table[table["study"] == name]
    found = [
        [name, view.address, *number[:4], *number.values]
        for view in views_of(name)
        for number in framed(view)
    ]
    assert known[KEYS].to_numpy().tolist() == [row[:6] for row in found]
    numbers = np.array([row[6:] for row in found], dtype=float)
    assert numbers == pytest.approx(known[FRAMES].to_numpy(), rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.mark.browser
def test_the_pages_of_the_table_are_found_again(table, tmp_path):
    from validation.explorer.__main__ import rows_of

    with chromium() as driver:
        rows = [row for name in STUDIES for row in rows_of(driver, name, tmp_path)]
    assert table[KEYS].to_numpy().tolist() == [row[:6] for row in rows]
    found = np.array([row[6:9] for row in rows], dtype=float)
    assert found == pytest.approx(table[PAGES].to_numpy(), rel=1e-9, abs=1e-9, nan_ok=True)
