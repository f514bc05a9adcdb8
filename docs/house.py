"""The house of the package as a drawing: its rooms and their modules, read from the folders."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap

import rocstats

ROOT = Path(rocstats.__file__).parent
GROUND = ("frames", "references", "tolerances", "special", "words", "errors", "_version")
TOP = ("__init__", "classifiers", "learners", "planning", "verification", "cli", "__main__")
STOREYS = {
    "studies": "storey 5: what users describe",
    "inference": "storey 4: questions with intervals",
    "stats": "storey 3: shared tools, arrays only",
    "curves": "storey 2: exact geometry",
    "sample": "storey 1: data into counts",
}
"""From the top down; each may import what is below it."""
BESIDE = {"present": "frames in, things to see out", "datasets": "data that ship"}
LEFT, MAIN, GAP, SIDE, LINE = 34, 420, 10, 255, 17
WIDTH = LEFT + MAIN + GAP + SIDE


@dataclass(frozen=True)
class Box:
    """A room on the page."""

    x: float
    y: float
    width: float
    height: float
    title: str
    subtitle: str
    lines: tuple[str, ...]

    def draw(self) -> str:
        """Return the room as SVG."""
        texts = [
            _text(self.x + 12, self.y + 21, self.title, "title"),
            _text(self.x + self.width - 12, self.y + 21, self.subtitle, "subtitle"),
            *(
                _text(self.x + 12, self.y + 42 + LINE * k, line, "modules")
                for k, line in enumerate(self.lines)
            ),
        ]
        frame = (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="4"/>'
        )
        return frame + "".join(texts)


def house_svg() -> str:
    """Return the drawing; a room of the package that has no place in it is an error."""
    found = {p.stem for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    placed = {*GROUND, *TOP, "commands", *STOREYS, *BESIDE}
    if found != placed:
        raise LookupError(f"docs/house.py must place the rooms of the package: {found ^ placed}")
    boxes = _boxes()
    height = max(box.y + box.height for box in boxes) + 2
    drawn = "".join(box.draw() for box in boxes)
    return (
        f'<svg class="house" viewBox="0 0 {WIDTH + 1} {height}" role="img"'
        ' aria-label="Storeys of the package; imports go down only">'
        f"{_STYLE}{_arrow(height)}{drawn}</svg>"
    )


def _boxes() -> list[Box]:
    above = (*TOP, *(f"commands/{name}" for name in _modules("commands")))
    top = _box(0, LEFT, WIDTH - LEFT, "rocstats", "public names; the command", above)
    boxes, y = [top], top.height + GAP
    begin = y
    for room, subtitle in STOREYS.items():
        boxes.append(_box(y, LEFT, MAIN, room, subtitle, _modules(room)))
        y += boxes[-1].height + GAP
    beside = _box(begin, LEFT + MAIN + GAP, SIDE, "present", BESIDE["present"], _modules("present"))
    data = _box(0, beside.x, SIDE, "datasets", BESIDE["datasets"], _modules("datasets"))
    end = y - GAP
    boxes.append(_moved(data, end - data.height, data.height))
    boxes.append(_moved(beside, begin, end - begin - data.height - GAP))
    ground = (*(f"frames/{name}" for name in _modules("frames")), *GROUND[1:])
    boxes.append(_box(y, LEFT, WIDTH - LEFT, "ground", "words, frames, errors", ground))
    return boxes


def _box(
    y: float, x: float, width: float, title: str, subtitle: str, modules: tuple[str, ...]
) -> Box:
    lines = tuple(wrap("  ".join(modules), int((width - 24) / 7.4), break_on_hyphens=False))
    return Box(x, y, width, 38 + LINE * len(lines), title, subtitle, lines)


def _moved(box: Box, y: float, height: float) -> Box:
    return Box(box.x, y, box.width, height, box.title, box.subtitle, box.lines)


def _modules(room: str) -> tuple[str, ...]:
    files = sorted((ROOT / room).rglob("*.py"))
    names = (path.relative_to(ROOT / room).with_suffix("").as_posix() for path in files)
    return tuple(name for name in names if not name.endswith("__init__"))


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(words)}</text>'


def _arrow(height: float) -> str:
    end = height - 12
    return (
        f'<path d="M 16 12 V {end} M 10 {end - 9} L 16 {end} L 22 {end - 9}" class="arrow"/>'
        f'<text transform="translate(11 {height / 2}) rotate(-90)" class="subtitle middle">'
        "imports go down only</text>"
    )


_STYLE = """<style>
.house rect { fill: var(--color-background-secondary, #f8f9fb);
  stroke: var(--color-foreground-border, #888); }
.house text { fill: var(--color-foreground-primary, #000); font-size: 13px; }
.house .title { font-weight: bold; font-size: 14px; }
.house .subtitle { text-anchor: end; fill: var(--color-foreground-secondary, #555); }
.house .middle { text-anchor: middle; }
.house .modules { font-family: var(--font-stack--monospace, monospace); font-size: 12px;
  white-space: pre; }
.house .arrow { fill: none; stroke: var(--color-foreground-secondary, #555); }
</style>"""
