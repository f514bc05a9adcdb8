"""The styles of journals, wherever their names are."""

from __future__ import annotations

from typing import get_args

from rocstats.tables.tables import format_table
from rocstats.tables.text import STYLES, StyleName
from tests.tables.hand_frames import area_row, auc_frame


def test_every_style_is_a_word_of_the_command():
    assert list(get_args(StyleName)) == list(STYLES)


def test_every_style_is_described_as_it_prints():
    described = [line.strip() for line in format_table.__doc__.splitlines()]
    for name in STYLES:
        table = format_table(auc_frame(area_row("a", 0.8231, 0.7489, 0.8957)), name)
        printed = table.iloc[:, 1].tolist()[0]
        assert sum(line.startswith(f'- "{name}": {printed}') for line in described) == 1
