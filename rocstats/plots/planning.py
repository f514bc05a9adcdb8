"""Power curves: power against the number of cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from rocstats.errors import require_open_interval
from rocstats.facts.measures import uncapital
from rocstats.facts.words import quantity_title
from rocstats.plots.axes import (
    EDGE,
    Width,
    axes_for,
    chance_look,
    colour_of_series,
    look_of_series_line,
    set_unit_ticks,
    write_labels,
)
from rocstats.plots.labels import Room, write_names_on_lines_or_in_key
from rocstats.plots.series import require_drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


_PLAN = (
    "design",
    "quantity",
    "n_readers",
    "n_groups",
    "assumed",
    "null_value",
    "margin",
    "hypothesis",
    "alpha",
    "method",
)
# Assumptions of a plan as the words name them.
_ASSUMPTIONS = {
    "design": "{}",
    "quantity": "{}",
    "n_readers": "{:g} readers",
    "n_groups": "{:g} groups",
    "assumed": "true {} {:g}",
    "null_value": "null {:g}",
    "margin": "margin {:g}",
    "hypothesis": "{}",
    "alpha": "alpha {:g}",
    "method": "{}",
}
_NEEDED = (*_PLAN, "n_cases", "power", "power_simulated", "power_low", "power_high")


def plot_power(
    power: pd.DataFrame,
    *,
    wanted: float | None = None,
    width: Width = "column",
    ax: Axes | None = None,
) -> Axes:
    """Draw power against the total number of cases, and return the axes.

    Parameters
    ----------
    power : pandas.DataFrame
        Rows from ``power()`` or ``sample_size()``; several frames can be concatenated. Each plan
        and each number of readers has a line.
    wanted : float in (0, 1), optional
        Target power, marked by a dotted line with vertical lines to the numbers of cases.
    width : {"column", "page"}, default "column"
        Width of a new figure: 85 or 174 mm.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default new axes in a new pyplot figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; the figure is ``ax.figure``, which is neither shown nor saved.

    Raises
    ------
    InputError
        If the frame lacks columns or rows, or ``wanted`` is not inside (0, 1).

    Notes
    -----
    Lines are power by formula (or exact); dots are simulated power with 95% Monte Carlo limits.
    Labels name the assumptions that differ between the lines. Exact power is not smooth: compute
    power for every number of cases to see its steps.

    References
    ----------
    - Obuchowski & McClish (1997) [obuchowski-mcclish-1997]

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> sizes = range(20, 120, 20)
    >>> ax = rs.plot_power(rs.power(auc=0.8, null_auc=0.7, n_pos=sizes, n_neg=sizes), wanted=0.8)
    >>> ax.get_xlabel()
    'Number of cases'
    """
    require_drawable("power", power, _NEEDED, "power()")
    if wanted is not None:
        require_open_interval("wanted", wanted, 0, 1)
    ax = axes_for(ax, width)
    if wanted is not None:
        ax.axhline(wanted, **chance_look())
    differing = [name for name in _PLAN if power[name].nunique(dropna=False) > 1]
    if "n_groups" in differing and "method" in differing:
        differing.remove("method")  # readers in groups have another test, which says no more
    lines, labels = [], []
    for number, (_, plan) in enumerate(power.groupby(list(_PLAN), sort=False, dropna=False)):
        lines.append(_draw_plan(ax, plan.sort_values("n_cases"), number))
        first = plan.iloc[0]
        # NaN differs from itself: an assumption that a plan does not have is left out.
        known = [name for name in differing if first[name] == first[name]]
        labels.append(", ".join(_plan_assumption_in_words(name, first) for name in known))
    set_unit_ticks(ax, x=False, y=True)
    write_labels(ax, "Number of cases", "Power")
    if wanted is not None:
        _draw_cases_at_wanted_power(ax, lines, wanted)
    if len(lines) > 1:
        room = Room(ax)
        for line in ax.lines:
            if line.get_linestyle() == ":":  # words may cover the line of chance, not these
                room.take(line.get_window_extent())
        write_names_on_lines_or_in_key(ax, lines, labels, room=room)
    return ax


def _plan_assumption_in_words(name: str, plan: pd.Series) -> str:
    """Return an assumption of a plan in words."""
    if name == "n_groups" and plan[name] == 1:
        return "one group"
    if name != "assumed":
        return _ASSUMPTIONS[name].format(plan[name])
    # Plans of one test assume its area or rate; all others the difference of two.
    quantity = uncapital(quantity_title(str(plan["quantity"])))
    one = str(plan["design"]).startswith("one-")
    return _ASSUMPTIONS[name].format(quantity if one else "difference", plan[name])


def _draw_cases_at_wanted_power(ax: Axes, lines: Sequence[Line2D], wanted: float) -> None:
    """Draw where each line first has the wanted power, down to the number of cases."""
    for line in lines:
        x, y = (np.asarray(values, dtype=np.float64) for values in line.get_data())
        reached = np.flatnonzero(y >= wanted)
        if len(reached) == 0 or reached[0] == 0:
            continue
        place = slice(reached[0] - 1, reached[0] + 1)
        n = float(np.interp(wanted, y[place], x[place]))
        ax.plot([n, n], [0, wanted], **{**chance_look(), "color": line.get_color()})


def _draw_plan(ax: Axes, plan: pd.DataFrame, number: int) -> Line2D:
    (line,) = ax.plot(
        plan["n_cases"],
        plan["power"],
        **look_of_series_line(number),
        marker="" if len(plan) > 1 else "s",  # a line of one point is invisible
        zorder=3,
        clip_on=False,
    )
    simulated = plan[plan["power_simulated"].notna()]
    if len(simulated):
        middle = simulated["power_simulated"]
        ax.errorbar(
            simulated["n_cases"],
            middle,
            yerr=np.array([middle - simulated["power_low"], simulated["power_high"] - middle]),
            fmt="o",
            markersize=4,
            linewidth=EDGE,
            color=colour_of_series(number),
            zorder=4,
            clip_on=False,
        )
    return line
