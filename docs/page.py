"""What the pages share: short numbers, sharp figures, warnings without paths, printed tables.

A page starts with a cell that is not shown, ``import page``.
"""

from __future__ import annotations

import re
import subprocess
import warnings
from decimal import Decimal
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import pandas as pd
from IPython import get_ipython
from IPython.display import Markdown
from matplotlib_inline.backend_inline import set_matplotlib_formats

from rocstats.cli import COMMANDS
from rocstats.estimate.areas import AREA_VARIANCES
from rocstats.estimate.intervals import AREA_INTERVALS
from rocstats.facts.references import vancouver
from rocstats.plots.axes import LABEL, NOTE, TICK, new_axes
from rocstats.plots.lines import draw_square_of_roc_space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

_NUMBER = re.compile(r"[-\d.,e]*")


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Markdown:
    """Return a table in Markdown, which the site renders like its other tables."""
    cells = [[_cell(value) for value in row] for row in rows]
    numbers = [
        all(_NUMBER.fullmatch(cell) for cell in column) for column in zip(*cells, strict=True)
    ]
    rule = ["---:" if number else ":---" for number in numbers]
    return Markdown("\n".join(f"| {' | '.join(line)} |" for line in [heads, rule, *cells]))


def sentence(text: str) -> Markdown:
    """Return a sentence of a paper, whose numbers are those of the page."""
    return Markdown(f'In a paper: "{text}"')


INTERVALS = [record.word for record in AREA_INTERVALS]
"""The intervals of an area, in the order of the package."""


def command_table() -> Markdown:
    """Return what each command prints, as its help says."""
    return table(
        ["Command", "Does"],
        [
            (f"`rocstats {name}`", (command.__doc__ or "").split("\n")[0])
            for name, command in COMMANDS.items()
        ],
    )


def variance_table() -> Markdown:
    """Return what each variance of an area goes with, from its record."""
    return table(
        ["`variance`", "clusters", "partial areas", "without folds", "published"],
        [
            (
                f"`{record.word}`",
                _yes(record.clustered),
                _yes(record.partial),
                _yes(not record.needs_folds),
                _published(record.published),
            )
            for record in AREA_VARIANCES
        ],
    )


def interval_table() -> Markdown:
    """Return what each interval of an area goes with, from its record."""
    return table(
        ["`interval`", "`variance`", "folds", "partial areas", "weights", "published"],
        [
            (
                f"`{record.word}`",
                ", ".join(f"`{word}`" for word in record.variances) or "any",
                _yes("folds" not in record.refuses),
                _yes("partial" not in record.refuses),
                _yes(record.resampled and "weights" not in record.refuses),
                _published(record.published),
            )
            for record in AREA_INTERVALS
        ],
    )


def _yes(able: bool) -> str:
    return "yes" if able else "no"


def _published(published: bool) -> str:
    return "yes" if published else "*ours, simulated, not peer-reviewed*"


def worked(figures: Iterable[tuple[str, str, float]]) -> Markdown:
    """Return a table of printed figures beside what the package computes; they must agree."""
    return table(["Figure", "Printed", "Computed"], [_beside(*figure) for figure in figures])


def _beside(what: str, printed: str, computed: float) -> tuple[str, str, str]:
    exponent = int(Decimal(printed).as_tuple().exponent)
    # half a unit of the last digit, and as much again as rounding to it may leave
    if not abs(computed - float(printed)) <= 0.501 * 10.0**exponent:
        raise ValueError(f"{what}: {computed!r} does not round to {printed}")
    return what, printed, f"{computed:.{max(2 - exponent, 2)}f}"


def references(*keys: str) -> Markdown:
    """Return entries of the bibliography as a list, each with the key that frames cite."""
    return Markdown("\n".join(f"- {vancouver(key)} `{key}`" for key in keys))


def roc_space(ax: Axes | None = None) -> Axes:
    """Return the axes of ROC space with nothing in it, for figures that are only points."""
    ax = new_axes() if ax is None else ax
    draw_square_of_roc_space(ax)
    return ax


def mark(
    ax: Axes,
    points: pd.DataFrame,
    shifts: Mapping[str, tuple[float, float]] | None = None,
    marker: str = "o",
) -> None:
    """Draw points of a frame ``predictor, fpr, tpr``, each with its name beside it."""
    ax.plot(points["fpr"], points["tpr"], marker, color="black", markersize=6, clip_on=False)
    for point in points.itertuples():
        shift = (shifts or {}).get(point.predictor, (8, -4))
        place = (point.fpr, point.tpr)
        ax.annotate(point.predictor, place, shift, textcoords="offset points", fontsize=8)


def _cell(value: object) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}" if 0.0005 <= abs(value) < 1000 else f"{value:.2g}"
    return str(value).replace("|", r"\|").replace("\n", " ")


def _bash(_: str, cell: str) -> None:
    """Run a cell that begins with ``%%bash``, its output in one piece; a failure fails the page."""
    done = subprocess.run(["bash", "-ec", cell], check=True, capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")


def _in_one_line(message: Warning | str, category: type[Warning], *_: object) -> str:
    return f"{category.__name__}: {message}\n"


pd.set_option("display.precision", 4)
# What the pages draw themselves has the sizes of the package.
plt.rcParams.update({"font.size": LABEL, "axes.titlesize": 9, "axes.labelsize": LABEL})
plt.rcParams.update({"xtick.labelsize": TICK, "ytick.labelsize": TICK, "legend.fontsize": NOTE})
set_matplotlib_formats("svg")
warnings.formatwarning = _in_one_line
if (shell := get_ipython()) is not None:
    shell.register_magic_function(_bash, "cell", "bash")
