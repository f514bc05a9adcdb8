"""The templates of the reports: every key that is asked for exists, and every one is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import rocstats
from rocstats.explorer.texts import explorer_texts
from rocstats.reports.texts import report_texts, say

SOURCES = sorted((Path(rocstats.__file__).parent / "reports").glob("*.py"))
# "section.key", or the beginning of keys that are completed in an f-string.
KEYS = re.compile(r'f?"([a-z]+\.[a-z_]*(?:\{[^"]*\}[a-z_]*)?)"')


def _asked():
    return {key for path in SOURCES for key in KEYS.findall(path.read_text(encoding="utf-8"))}


def test_each_template_is_asked_for():
    asked = [re.compile(re.sub(r"\\\{.*?\\\}", "[a-z_]*", re.escape(key))) for key in _asked()]
    own = report_texts().keys() - explorer_texts().keys()
    assert len(own) > 100
    assert {key for key in own if not any(one.fullmatch(key) for one in asked)} == set()


def test_each_key_that_is_asked_for_exists():
    sections = {key.partition(".")[0] for key in report_texts().keys() - explorer_texts().keys()}
    plain = {key for key in _asked() if key.partition(".")[0] in sections and "{" not in key}
    assert len(plain) > 100
    assert plain <= report_texts().keys()


def test_a_name_with_braces_is_no_template():
    said = say("areas.yes_no", tests="{odd} {0}")
    assert said.startswith("{odd} {0}: yes or no.")
