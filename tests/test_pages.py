"""What the pages promise of themselves."""

from __future__ import annotations

import re
from pathlib import Path

import rocstats as rs

DOCS = Path(rs.__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\} ipython3\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_each_of_the_ten_workflows_has_five_lines_of_the_package():
    _, *sections = re.split(r"^## ", (DOCS / "workflows.md").read_text("utf-8"), flags=re.MULTILINE)
    assert len(sections) == 10
    for section in sections:
        lines = [line for line in CELL.findall(section)[-1].splitlines() if line.strip()]
        assert 1 <= len(lines) <= 5, section
        assert max(map(len, lines)) <= 100, section
