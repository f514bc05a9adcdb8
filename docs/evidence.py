"""The ledger of the evidence on its page, and links to it from the options in docstrings.

``{ledger}`` prints validation/ledger/ledger.csv: a section a question, a table of its options. Each
option, and each question, has a label, to which the functions' reference is linked.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pandas as pd
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from validation.ledger.table import GAP, LEDGER, REMADE, read_ledger

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

HEADS = (
    "Option", "With", "Numbers checked", "Worst difference", "Simulated", "Worst of all", "Small",
    "Unequal", "Tied", "Near 1",
)  # fmt: skip
SHOWN = 3
"""Authorities that a cell names; ledger.csv has all of them."""

FUNCTIONS = "Functions"
"""The heading over what is asked of no study."""


def label(question: str, option: str = "") -> str:
    """Return the label of a question, or of one of its options: ``ledger-study-auc-interval``."""
    return nodes.make_id(" ".join(["ledger", question, option]))


class Ledger(SphinxDirective):
    """The whole ledger, by what is asked, then by question."""

    def run(self) -> list[nodes.Node]:
        """Return a paragraph that counts, and the sections."""
        self.env.note_dependency(str(LEDGER))
        lines = [*read_ledger().itertuples(index=False)]
        return [nodes.paragraph("", _counted(lines)), *self._homes(lines)]

    def _homes(self, lines: Iterable[Any]) -> Iterator[nodes.section]:
        for home, part in groupby(lines, lambda line: _home(line.question)):
            section = nodes.section("", nodes.title("", home), ids=[f"of-{nodes.make_id(home)}"])
            for question, own in groupby(part, lambda line: line.question):
                section += self._question(question, list(own))
            yield section

    def _question(self, question: str, lines: list[Any]) -> nodes.section:
        section = nodes.section("", nodes.title("", "", nodes.literal("", question)))
        self._name(section, question)
        rows = []
        for (option, _), same in groupby(lines, lambda line: (line.option, line.value)):
            made = _rows(list(same))
            if option and label(question, option) not in self._known:
                self._name(made[0], question, option)
            rows += made
        section += _under(HEADS, rows)
        return section

    @property
    def _known(self) -> Any:
        return self.env.domains["std"].anonlabels

    def _name(self, node: nodes.Element, question: str, option: str = "") -> None:
        """Give a node the label to which docstrings link."""
        name = label(question, option)
        node["ids"].append(name)
        self.env.domains["std"].note_hyperlink_target(
            name, self.env.docname, name, f"{question} {option}".strip()
        )


class Remade(SphinxDirective):
    """What the last run of ``--remake`` made again, and what it could not."""

    def run(self) -> list[nodes.Node]:
        """Return a table of the authorities."""
        if not REMADE.is_file():
            return [_gap("No run is recorded yet.")]
        heads = ("Authority", "Cases", "Numbers", "Outcome")
        frame = pd.read_csv(REMADE, keep_default_na=False, dtype=object)
        return [_plain_table(heads, [_outcome(line) for line in frame.itertuples(index=False)])]


def _outcome(line: Any) -> list[nodes.Element]:
    said = _paragraph(f"made again: {line.differ} numbers differ")
    if line.missing:
        said = _gap(f"{line.status}: {line.missing} is not installed")
    return [*(_paragraph(text) for text in (line.authority, line.cases, line.rows)), said]


def _home(question: str) -> str:
    kind, _, method = question.partition(".")
    return f"Questions of {kind}" if method or kind.endswith("Study") else FUNCTIONS


def _counted(lines: list[Any]) -> str:
    values = {line[:3] for line in lines if line.option}
    known = {line[:3] for line in lines if line.option and _has_evidence(line)}
    roles = sum(line.authority == GAP for line in lines if line.role)
    simulated = [line for line in lines if line.settings != "0"]
    short = sum(line.shortfalls != "0" for line in simulated)
    return (
        f"{len({line.question for line in lines})} questions have {len(values)} values of options:"
        f" {len(known)} of these have evidence, {len(values) - len(known)} have none yet. Of the"
        f" pairs of a value and a role, {roles:,} have none. Simulations are behind"
        f" {len(simulated)} rows, and some setting of {short} of these falls short."
    )


def _has_evidence(line: Any) -> bool:
    return line.rows != "0" or line.settings != "0"


def _rows(lines: list[Any]) -> list[nodes.row]:
    """Return a row for each role with evidence, and one that names the roles without."""
    known = [line for line in lines if _has_evidence(line)]
    without = [line for line in lines if not _has_evidence(line)]
    rows = [nodes.row("", *(nodes.entry("", cell) for cell in _cells(line))) for line in known]
    for text, same in groupby(without, lambda line: line.authority):
        roles = ", ".join(line.role or "no role" for line in same)
        gap = nodes.entry("", _gap(text), morecols=len(HEADS) - 3)
        rows.append(nodes.row("", nodes.entry("", _paragraph(roles)), gap))
    rows[0].insert(0, nodes.entry("", _option(lines[0]), morerows=len(rows) - 1))
    return rows


def _option(line: Any) -> nodes.paragraph:
    if not line.option:
        return nodes.paragraph("", "", nodes.emphasis("", "the question"))
    value = line.value if line.value in ("True", "False") else f'"{line.value}"'
    default = nodes.Text(" (default)" if line.default else "")
    return nodes.paragraph("", "", nodes.literal("", f"{line.option}={value}"), default)


def _cells(line: Any) -> list[nodes.paragraph]:
    worst = [line.worst_relative, line.worst_share and f"{line.worst_share} half-digits"]
    simulated = line.settings != "0"
    cells = [line.worst, line.small, line.unequal, line.tied, line.near_1]
    return [
        _paragraph(line.role),
        _numbers(line) if line.rows != "0" else _gap("no number"),
        _paragraph("; ".join(filter(None, worst))),
        _settings(line) if simulated else _gap("not simulated"),
        *(_paragraph(_brief(text)) if text or not simulated else _gap("none") for text in cells),
    ]


def _numbers(line: Any) -> nodes.paragraph:
    """Return how many numbers were checked, and the authorities of most of them."""
    named = re.sub(r" \(\d+\)", "", line.authority).split("; ")
    authorities = [name for name in named if name != "simulation"]
    more = len(authorities) - SHOWN
    others = f" and {more} more" if more > 0 else ""
    return _paragraph(f"{int(line.rows):,}: {', '.join(authorities[:SHOWN])}{others}")


def _settings(line: Any) -> nodes.paragraph:
    """Return how many settings were simulated, and in red and in words how many fall short."""
    found = nodes.paragraph("", f"{int(line.settings):,}")
    if line.shortfalls != "0":
        short = nodes.inline("", f"{int(line.shortfalls):,} fall short", classes=["short"])
        found += [nodes.Text(": "), short]
    return found


def _brief(text: str) -> str:
    """Return the worst shares without what is usual: coverage of 0.95, and size of 0.05."""
    parts = [
        re.sub(r"^coverage (.*) of 0\.95$", r"\1", re.sub(r"^(size .*) of 0\.05$", r"\1", part))
        for part in text.split("; ")
    ]
    return "; ".join(parts)


def _paragraph(text: str) -> nodes.paragraph:
    return nodes.paragraph("", text)


def _gap(text: str) -> nodes.paragraph:
    return nodes.paragraph("", "", nodes.inline("", text, classes=["gap"]))


def _plain_table(heads: tuple[str, ...], rows: Iterable[list[nodes.Element]]) -> nodes.table:
    return _under(heads, [nodes.row("", *(nodes.entry("", c) for c in cells)) for cells in rows])


def _under(heads: tuple[str, ...], rows: list[nodes.row]) -> nodes.table:
    head = nodes.row("", *(nodes.entry("", _paragraph(text)) for text in heads))
    group = nodes.tgroup(
        "",
        *(nodes.colspec("", colwidth=1) for _ in heads),
        nodes.thead("", head),
        nodes.tbody("", *rows),
        cols=len(heads),
    )
    return nodes.table("", group, classes=["ledger"])


def link_options(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Put a link to the ledger behind each option of a docstring, and one below its text."""
    question = name.removeprefix("rocstats.")
    if question not in _options():
        return
    wanted = _options()[question] - {""}
    for i, line in enumerate(lines):
        described = re.match(r"\s+\*\*([\w, ]+)\*\*( : |$)", line)
        names = described[1].split(", ") if described else []
        for option in wanted.intersection(names):
            said = "evidence" if len(names) == 1 else f"evidence: {option}"
            lines[i] += f" :ref:`[{said}] <{label(question, option)}>`"
            wanted.remove(option)
    if wanted:
        logger.warning("%s describes no %s, to link it to the ledger", name, ", ".join(wanted))
    lines += ["", f":ref:`The evidence for {question} <{label(question)}>`", ""]


@cache
def _options() -> dict[str, set[str]]:
    """Return the options of each question of the ledger."""
    by_question = read_ledger().groupby("question")["option"]
    return {str(question): set(own) for question, own in by_question}


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the ledger to Sphinx."""
    app.add_directive("ledger", Ledger)
    app.add_directive("remade", Remade)
    # After numpydoc, which connects with the usual priority of 500.
    app.connect("autodoc-process-docstring", link_options, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
