"""The explorer as a fragment: data, scripts in their order, and words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rocstats.explorer import html
from rocstats.explorer.html import SCRIPTS, STYLES, explorer_fragment

FOLDER = Path(html.__file__).parent
TEXTS = json.loads((FOLDER / "texts.json").read_text(encoding="utf-8"))
SOURCES = {name: (FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS}
CODE = {
    name: re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.DOTALL)
    for name, source in SOURCES.items()
}

# What a sentence may say without being given it: the words of the study, and the level.
WORDS = {"case", "cases", "condition", "counted", "action", "level"}

# Keys that scripts put together, such as "people_" + cell.
CELLS = ("found", "missed", "alarms", "cleared")
SIDES = ("positive", "negative")
RATES = ("tpr", "tnr", "ppv", "npv", "worth")
COMPOSED = {
    *(f"{figure}_{cell}" for figure in ("scores", "people") for cell in CELLS),
    *("scores_found_short", "scores_cleared_short", "scores_title_yes_no", "scores_note_yes_no"),
    *(f"people_{side}" for side in SIDES),
    *(f"results_{side}" for side in SIDES),
    *("roc_x_term", "roc_y_term", "scores_axis_below_short", "scores_axis_above_short"),
    *(f"table_{rate}{term}" for rate in RATES for term in ("", "_term")),
}

HOSTILE = "</script><!--<script>&\"'\u2028\u2029\n\u0000😀"


def data_of(fragment):
    opening = '<script type="application/json" id="explorer-data">'
    return fragment.partition(opening)[2].partition("</script>")[0]


def test_the_payload_comes_back_as_it_went_in():
    payload = {"tests": [{"id": HOSTILE, "label": HOSTILE}], HOSTILE: [None, 0.1, -1e-300, True]}
    data = data_of(explorer_fragment(payload, ""))
    assert json.loads(data) == payload
    assert not set(data) & set("<>&\u2028\u2029\n")


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        explorer_fragment({"axis": [float("nan"), 1.0]}, "")


def test_hostile_data_leaves_the_page_with_two_scripts():
    fragment = explorer_fragment({"label": HOSTILE}, "<p>static</p>")
    assert len(re.findall(r"<script\b", fragment)) == fragment.count("</script>") == 2
    assert '<div data-part="static">\n<p>static</p>\n</div>' in fragment


def test_all_scripts_and_styles_are_joined_once_in_a_fixed_order():
    assert set(SCRIPTS) == {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.js")}
    assert set(STYLES) == {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.css")}
    fragment = explorer_fragment({}, "")
    assert fragment == explorer_fragment({}, "")
    first_lines = [text.splitlines()[0] for text in SOURCES.values()]
    places = [fragment.index(line) for line in first_lines]
    assert places == sorted(places)
    assert all(fragment.count(line) == 1 for line in first_lines)
    assert fragment.count('"use strict";') == 1


def test_numbers_know_nothing_of_the_page():
    page = re.compile(r"\b(document|window|location|history|element|drawn)\b")
    for name, code in CODE.items():
        assert not (name.startswith("model/") and page.search(code)), name


def test_users_text_is_never_markup():
    markup = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b")
    for source in SOURCES.values():
        assert not markup.search(source)
        assert "</" not in source


def test_the_fragment_loads_nothing():
    fragment = explorer_fragment({}, "")
    assert re.findall(r"https?:[^\"'\s]*", fragment) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\b(src|@import|fetch|XMLHttpRequest|WebSocket|import)\b", fragment)
    assert "url(" not in fragment.replace('"url(#" + id', "")


# Words ------------------------------------------------------------------------------------------


def names_of(template):
    return set(re.findall(r"\{(\w+)\}", template))


def calls():
    """Each `say(key, values)`: the keys it may have, and the names of its values if listed."""
    for name, code in CODE.items():
        for call in re.finditer(r"\bsay\(", code):
            arguments = code[call.end() : closing(code, call.end())]
            keys, _, values = parts(arguments)
            yield name, keys, values


def closing(text, start):
    """Place of the bracket that closes one opened before `start`."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place
    raise AssertionError("no closing bracket")


def parts(arguments):
    """Split the arguments at the comma that no bracket encloses."""
    depth = 0
    for place, sign in enumerate(arguments):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            return arguments[:place].strip(), ",", arguments[place + 1 :].strip()
    raise AssertionError(f"say({arguments}) has no values")


def keys_in(expression):
    """Keys of texts that an expression may give."""
    return set(re.findall(r'"([a-z_]+)"', expression)) & set(TEXTS)


def listed_names(values):
    """Names of an object that lists all it has; None where something is spread into it."""
    if not values.startswith("{") or "..." in values:
        return None
    inner = values.strip().rstrip(",").strip()[1:-1]
    names, depth = [], 0
    for part in re.split(r"([(){}\[\],])", inner):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(part, 0)
        if depth == 0 and (found := re.match(r"\s*(\w+)\s*(:|$)", part)):
            names.append(found[1])
    return set(names)


def test_every_text_is_said_and_nothing_else():
    quoted = set(re.findall(r'"([a-z_]+)"', "".join(CODE.values())))
    said = {key for key in TEXTS if key in quoted}
    assert set(TEXTS) - said <= COMPOSED <= set(TEXTS)
    for name, keys, _ in calls():
        for text in re.findall(r'"([a-z]+_[a-z_]+)"', keys):
            assert text in TEXTS or any(key.startswith(text) for key in TEXTS), f"{name}: {text}"


def test_every_name_of_a_text_is_filled():
    checked = 0
    for name, keys, values in calls():
        given = listed_names(values)
        for key in keys_in(keys) if given is not None else ():
            assert names_of(TEXTS[key]) <= WORDS | given, f"{name}: {key}"
            if keys == f'"{key}"':
                assert given <= names_of(TEXTS[key]), f"{name}: {key} says less than it is given"
            checked += 1
    assert checked > 100


def test_texts_are_sentences_without_markup():
    for key, text in TEXTS.items():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", key)
        assert text == text.strip() != ""
        assert not set(re.sub(r"\{\w+\}", "", text)) & set("<>&{}*")


def test_functions_of_the_scripts_are_short_and_their_names_distinct():
    """Scripts of a page share one scope: a second function of a name would replace the first."""
    function = re.compile(r"^(?:async )?function (\w+)\(.*?^}", re.MULTILINE | re.DOTALL)
    found = [match for source in SOURCES.values() for match in function.finditer(source)]
    names = [match[1] for match in found]
    assert len(names) > 100
    assert len(set(names)) == len(names)
    assert [match[1] for match in found if match[0].count("\n") >= 35] == []
