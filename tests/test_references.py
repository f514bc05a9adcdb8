"""One bibliography: keys that exist, entries that are whole and cited, and how they are printed."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.facts.references import UNVERIFIED, bibliography, vancouver
from rocstats.frame import make as making
from rocstats.inference.chance.random_classifiers import RANDOM_POINTS

ROOT = Path(rs.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
KEY = r"[a-z]+(?:-[a-z]+)*-\d{4}(?:-[a-z]+)?"
WORK = re.compile(r"[A-Za-z] \((\d{4})\)")


@cache
def definitions_and_constants(path):
    """The classes, functions and constants of a file."""
    kinds = ast.FunctionDef | ast.ClassDef | ast.Constant
    text = path.read_text(encoding="utf-8")
    if not re.search(r"-\d{4}|References\n", text):
        return []  # neither a key nor a list of works: not parsed, which takes most of the time
    tree = ast.parse(text)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def reference_lines():
    """Every entry of a References section of the package: where it stands, and its text."""
    for path in FILES:
        for node in definitions_and_constants(path):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                _, found, after = text.partition("\nReferences\n----------\n")
                section = re.split(r"\n\n[A-Z]\w+\n-+\n", after)[0]
                for line in re.split(r"^- ", section, flags=re.MULTILINE)[1:] if found else []:
                    yield f"{path}:{node.name}", " ".join(line.split())
                if found:
                    assert section.startswith("- "), f"{path}:{node.name} lists no references"


@cache
def cited():
    """Every key in the package, in brackets or as a string of its own."""
    return list(_cited())


def _cited():
    for path in set(FILES) - {ROOT / "facts" / "references.py"}:
        text = path.read_text(encoding="utf-8")
        yield from ((path, key) for key in re.findall(rf"\[({KEY})\]", text))
        for node in definitions_and_constants(path):
            if isinstance(node, ast.Constant) and re.fullmatch(KEY, str(node.value)):
                yield path, node.value


def test_every_cited_key_is_in_the_bibliography():
    for path, key in cited():
        assert key in bibliography(), f"{path} cites {key}"


def test_every_entry_is_cited():
    assert set(bibliography()) == {key for _, key in cited()}


def test_every_work_in_a_docstring_carries_its_key():
    lines = list(reference_lines())
    assert len(lines) > 100
    for place, line in lines:
        keys = re.findall(rf"\[({KEY})\]", line)
        years = WORK.findall(line)
        assert len(keys) == len(years) <= 1, f"{place}: {line}"
        for key, year in zip(keys, years, strict=True):
            assert bibliography()[key].year == int(year), f"{place}: {line}"


def test_keys_name_the_first_author_and_the_year():
    ascii_of = str.maketrans("áöüš", "aous")
    for key, work in bibliography().items():
        assert re.fullmatch(KEY, key)
        assert f"-{work.year}" in key
        if key != "ama-2020":  # known by its name, not by its authors
            author = re.split(r"[ -]", work.authors.lower().translate(ascii_of))[0]
            assert key.startswith(author), key


def test_no_work_is_entered_twice():
    works = list(bibliography().values())
    assert len({work.title.lower() for work in works}) == len(works)
    known = [work.doi.lower() for work in works if work.doi]
    assert len(set(known)) == len(known)
    assert list(bibliography()) == sorted(bibliography())


def test_entries_are_no_stubs():
    for key, work in bibliography().items():
        assert work.authors, key
        assert work.title, key
        assert work.source, key
        assert not re.search(r"[. ]$", work.authors + work.title + work.source), key
        if work.doi:
            assert work.doi.startswith("10."), key
        if work.last_page and work.last_page.isdigit():
            assert int(work.first_page) < int(work.last_page), key


def test_unverified_fields_are_left_out():
    assert len(set(UNVERIFIED)) == len(UNVERIFIED)
    for key, field in UNVERIFIED:
        assert getattr(bibliography()[key], field) is None


@pytest.mark.parametrize(
    ("key", "end"),
    [
        ("holm-1979", ". Scand J Stat. 1979;6(2):65-70."),
        ("keilwagen-2014", ". PLoS One. 2014;9(3):e92209. doi:10.1371/journal.pone.0092209"),
        ("demsar-2006", ". J Mach Learn Res. 2006;7:1-30."),
        ("fawcett-2004", ". Technical report. Palo Alto, CA: HP Laboratories; 2004."),
        ("elkan-2001", "International Joint Conference on Artificial Intelligence. 2001:973-978."),
    ],
)
def test_entries_are_printed_in_the_style_of_medical_journals(key, end):
    assert vancouver(key).startswith(f"{bibliography()[key].authors}. ")
    assert vancouver(key).endswith(end)


def test_a_frame_cites_keys_and_no_others():
    study = rs.Study([1, 1, 0, 0], [4, 2, 3, 1])
    assert study.roc_curve().attrs["rocstats"]["references"] == ["fawcett-2004"]
    columns = {name: [] for name in ["predictor", "fpr", "tpr", "fp", "tp"]}
    with pytest.raises(KeyError, match="nobody-1900"):
        making.make_frame(
            RANDOM_POINTS._replace(references=("nobody-1900",)), columns, grouped=False
        )


def test_public_docstrings_cite_keys_as_help_shows_them():
    assert "[delong-1988]" in inspect.getdoc(rs.Study.auc)
