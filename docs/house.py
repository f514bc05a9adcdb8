"""The drawing of the package: its folders in the order of imports, their files and real imports."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

import rocstats
from validation.doors import entered

ROOT = Path(rocstats.__file__).parent
RULES = ROOT.parent / "tests" / "test_house.py"
TOP = "rocstats"
"""The row of the files above all folders."""
# Pixels: a row begins at LEFT, its names at NAMES; the arrows are to the left of it.
LEFT, NAMES, WIDTH, LINE, GAP, CHARACTER = 90, 202, 800, 16, 7, 7.25


@dataclass(frozen=True)
class Row:
    """A folder on the page: its name, what it holds, and its lines of names."""

    y: float
    name: str
    holds: str
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """The height of its box."""
        return 30 + LINE * len(self.lines)

    def draw(self) -> str:
        """Return the row as SVG."""
        return "".join(
            [
                f'<rect x="{LEFT}" y="{self.y}" width="{WIDTH - LEFT}" height="{self.height}"'
                ' rx="4"/>',
                _text(LEFT + 12, self.y + 20, self.name, "name"),
                _text(NAMES, self.y + 20, self.holds, "holds"),
                *(
                    _text(NAMES, self.y + 20 + LINE * k, line, "files")
                    for k, line in enumerate(self.lines, start=1)
                ),
            ]
        )


def house_svg() -> str:
    """Return the drawing: an import that points up, as one in every circle does, is red."""
    rows = _rows()
    height = rows[-1].y + rows[-1].height + 2
    drawn = "".join(row.draw() for row in rows)
    return (
        f'<svg class="house" viewBox="0 0 {WIDTH + 1} {height}" role="img"'
        f' aria-label="{escape(_label())}">{_STYLE}{drawn}{_arrows(rows)}</svg>'
    )


@cache
def order() -> tuple[str, ...]:
    """Return the rows from the top down: the reverse of the order that the tests enforce."""
    for node in _tree(RULES).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ORDER":
            return (TOP, *reversed(ast.literal_eval(node.value)))
    raise LookupError(f"{RULES.name} has no ORDER of folders")


@cache
def imports() -> dict[str, set[str]]:
    """Return the rows whose files each row imports, in functions and for types too."""
    found: dict[str, set[str]] = {name: set() for name in order()}
    for path in ROOT.rglob("*.py"):
        row = _row_of(path.relative_to(ROOT).with_suffix("").parts[0])
        for node in ast.walk(_tree(path)):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for package, name, *_ in (f"{module}..".split(".") for module in modules):
                # The version is above all folders, and imported by any.
                if package == TOP and name not in {"", "_version"}:
                    found[row].add(_row_of(name))
        found[row].discard(row)
    return found


def arrows() -> list[tuple[str, str]]:
    """Return each import that does not follow from two others, and all that point up."""
    rows, all_imports = order(), imports()

    def down(row: str) -> list[str]:
        return [name for name in rows[rows.index(row) + 1 :] if name in all_imports[row]]

    def below(row: str) -> set[str]:
        return {row}.union(*map(below, down(row)))

    up = [(row, to) for row in rows for to in all_imports[row] if rows.index(to) < rows.index(row)]
    return up + [
        (row, to)
        for row in rows
        for to in down(row)
        if not any(to in below(other) for other in down(row) if other != to)
    ]


def topics() -> dict[str, str]:
    """Return what each topic of inference/ answers, in the order of that folder's docstring."""
    lines = (ast.get_docstring(_tree(ROOT / "inference" / "__init__.py")) or "").splitlines()
    found: dict[str, str] = {}
    for line in lines[2:]:
        name, _, text = line.partition(" ")
        found[name or list(found)[-1]] = f"{found.get(name or list(found)[-1], '')} {text.strip()}"
    return {name: text.strip() for name, text in found.items()}


def folders() -> list[str]:
    """Return each folder that holds files, from the top down; the topics in their order."""
    found = []
    for name in order():
        inside = (
            [f"{name}/{topic.rstrip('/')}" for topic in topics()] if name == "inference" else []
        )
        found += [one for one in (name, *inside) if (ROOT / one).is_dir()]
    return found


def files(folder: str) -> list[tuple[str, str]]:
    """Return the name of each file of a folder, and the first line of its docstring."""
    paths = [path for path in sorted((ROOT / folder).glob("*.py")) if path.stem != "__init__"]
    return [(path.name, _holds(path)) for path in paths]


def flow_svg(call: str) -> str:
    """Return the drawing of a call: the folders that it enters, first to last, and their files."""
    files = [Path(file).relative_to(TOP) for file in entered(call).files]
    steps: dict[str, list[str]] = {}
    for file in files:
        if len(file.parts) > 1:
            steps.setdefault(file.parts[0], []).append("/".join(file.with_suffix("").parts[1:]))
    y, boxes = 1.0, []
    for name, inside in steps.items():
        lines = wrap("  ".join(inside), int((WIDTH - NAMES - 12) / CHARACTER))
        boxes.append(Row(y, name, "", tuple(lines)))
        y += boxes[-1].height + 3 * GAP
    down = "".join(
        f'<path d="M {NAMES - 60} {box.y + box.height} v {3 * GAP - 2}'
        ' m -3.5 -6 l 3.5 6 l 3.5 -6"/>'
        for box in boxes[:-1]
    )
    label = escape(f"{call} enters {', '.join(steps)}, in this order")
    return (
        f'<svg class="house" viewBox="0 0 {WIDTH + 1} {y}" role="img" aria-label="{label}">'
        f"{_STYLE}{''.join(box.draw() for box in boxes)}{down}</svg>"
    )


def _holds(place: Path) -> str:
    """Return the first line of the docstring of a folder, or of a file without its ending."""
    tree = _tree(place / "__init__.py" if place.is_dir() else place.with_suffix(".py"))
    return (ast.get_docstring(tree) or "").splitlines()[0].replace("`", "")


def _rows() -> list[Row]:
    rows, y = [], 1.0
    for name in order():
        folder = ROOT if name == TOP else ROOT / name
        holds = "Public names, and the command." if name == TOP else _holds(folder)
        rows.append(Row(y, name, holds, tuple(_lines(folder, name))))
        y += rows[-1].height + GAP
    return rows


def _lines(folder: Path, name: str) -> list[str]:
    """Return the names of files on lines; a folder in the folder begins a line."""
    if not folder.is_dir():
        return []
    here = [path.stem for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]
    if name == TOP:
        here = [stem for stem in here if stem not in order() and not stem.startswith("_")]
    texts = [("", here)]
    for inside in sorted(path for path in folder.iterdir() if path.is_dir() and name != TOP):
        files = {path.stem for path in inside.iterdir() if path.suffix in {".py", ".js", ".css"}}
        texts.append((f"{inside.name}/", sorted(files - {"__init__"})))
    most = int((WIDTH - NAMES - 12) / CHARACTER)
    return [
        line
        for head, names in texts
        if names
        for line in wrap(
            "  ".join([head, *names] if head else names),
            most,
            subsequent_indent="    " if head else "",
            break_on_hyphens=False,
        )
    ]


def _arrows(rows: list[Row]) -> str:
    """Return the arrows: out of the lower half of a row, into the upper half of another."""
    places = {row.name: row for row in rows}
    n_out, n_in = dict.fromkeys(places, 0), dict.fromkeys(places, 0)
    drawn = []
    # The longest are outermost, and leave and arrive outermost too.
    for start, end in sorted(arrows(), key=lambda pair: _span(*pair)):
        out, into = places[start], places[end]
        a = out.y + out.height - 6 - 5 * n_out[start]
        b = into.y + 8 + 5 * n_in[end]
        n_out[start] += 1
        n_in[end] += 1
        span = _span(start, end)
        reach = LEFT - min(18 + 9 * (span - 1), LEFT - 6)
        kind = "down" if a < b else "up"
        drawn.append(
            f'<path class="{kind}" d="M {LEFT} {a} C {reach} {a} {reach} {b} {LEFT - 2} {b}'
            f' m -6 -3.5 l 6 3.5 l -6 3.5"><title>{start} imports {end}</title></path>'
        )
    return "".join(drawn)


def _span(start: str, end: str) -> int:
    return abs(order().index(start) - order().index(end))


def _row_of(name: str) -> str:
    """Return the row of a folder, or of a file above all folders."""
    if name in order():
        return name
    if not (ROOT / f"{name}.py").exists():
        raise LookupError(f"{RULES.name} must place the folder {name} in its ORDER")
    return TOP


def _label() -> str:
    up = [pair for pair in arrows() if _points_up(*pair)]
    wrong = "; ".join(f"{start} imports {end}, which is wrong" for start, end in up)
    return f"Folders from the top down: {', '.join(order())}. " + (wrong or "Imports go down only.")


def _points_up(start: str, end: str) -> bool:
    return order().index(end) < order().index(start)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(words)}</text>'


_STYLE = """<style>
.house rect { fill: var(--color-background-secondary, #f8f9fb);
  stroke: var(--color-foreground-border, #888); }
.house text { fill: var(--color-foreground-primary, #000); font-size: 13px; }
.house .name { font-weight: bold; font-size: 14px; }
.house .holds { fill: var(--color-foreground-secondary, #555); }
.house .files { font-family: var(--font-stack--monospace, monospace); font-size: 12px;
  white-space: pre; }
.house path { fill: none; stroke: var(--color-foreground-secondary, #555); }
.house .up { stroke: #c00; stroke-width: 2; }
</style>"""
