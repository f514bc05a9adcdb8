"""Which series has which colour, dashes and mark: those of its place in the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rocstats.errors import InputError
from rocstats.present.plots.shared.palette import (
    CURVE,
    MARKERS,
    PALETTE,
    colour_of,
    dashes_of,
)
from rocstats.present.plots.shared.series import Series, series_of

if TYPE_CHECKING:
    import pandas as pd

Colors = Mapping[str, Any] | Sequence[Any] | None


class Looks(NamedTuple):
    """The series of a graph, and their looks.

    ``drawn`` are the series of the graph in the order of its frame. ``order`` are all series of the
    study: a predictor has one colour in all graphs, whichever others are drawn beside it.
    ``colours`` go before those of the package.
    """

    drawn: list[Series]
    order: list[Series]
    colours: Mapping[str, Any]

    def place(self, series: Series) -> int:
        """Return the place of a series in the study."""
        return self.order.index(series)

    def colour(self, series: Series) -> Any:
        """Return the colour of a series: as given for its group or predictor, else by place."""
        for name in (series[1], series[0]):
            if name in self.colours:
                return self.colours[name]
        return colour_of(self.place(series))

    def line(self, series: Series) -> dict[str, Any]:
        """Return colour, dashes and width of the line of a series."""
        dashes = dashes_of(self.place(series))
        return {"color": self.colour(series), "linestyle": dashes, "linewidth": CURVE}

    def marker(self, series: Series) -> str:
        """Return the mark of the points of a series."""
        return MARKERS[self.place(series) % len(MARKERS)]

    def with_series(self, names: Sequence[Series]) -> Looks:
        """Return looks that also hold series of another frame, after those of the study."""
        return self._replace(order=list(dict.fromkeys([*self.order, *names])))


def looks_of(
    frame: pd.DataFrame, colors: Colors = None, labels: Mapping[str, str] | None = None
) -> Looks:
    """Return the looks of the series of a frame.

    Parameters
    ----------
    frame : pandas.DataFrame
        A frame with ``predictor, [group]``, labels already in the place of names. Its ``attrs``
        tell the order of the study; without them the frame does.
    colors : mapping of str to colour, or sequence of colours, optional
        Colours by predictor (or group), or in the order of the study.
    labels : mapping of str to str, optional
        The labels that are in the place of names.

    Raises
    ------
    InputError
        If a colour is none that matplotlib knows.
    """
    labels = labels or {}
    drawn = series_of(frame)
    about: dict[str, Any] = frame.attrs.get("rocstats", {})
    predictors: list[str] = about.get("predictors", [])
    groups: list[str] = about.get("groups") or [""]
    study = [(labels.get(name, name), group) for group in groups for name in predictors]
    order = study if set(drawn) <= set(study) else drawn
    return Looks(drawn, order, _read_colours(colors, order, labels))


def looks_of_predictors(
    frame: pd.DataFrame, colors: Colors = None, labels: Mapping[str, str] | None = None
) -> Looks:
    """Return the looks of the predictors of a frame, one in all groups; see ``looks_of``."""
    plain = frame.drop(columns="group", errors="ignore")
    about: dict[str, Any] = frame.attrs.get("rocstats", {})
    plain.attrs = {**frame.attrs, "rocstats": {**about, "groups": []}}
    return looks_of(plain, colors, labels)


def _read_colours(
    colors: Colors, order: Sequence[Series], labels: Mapping[str, str]
) -> dict[str, Any]:
    from matplotlib.colors import is_color_like

    if colors is None:
        return {}
    values: Any = list(colors.values()) if isinstance(colors, Mapping) else colors
    # A single colour such as "red" is a sequence of letters, not of colours.
    fits = isinstance(values, Sequence) and not isinstance(values, str) and len(values) > 0
    if not fits or not all(is_color_like(value) for value in values):
        raise InputError(
            "`colors` must be colours of matplotlib, by predictor or in their order; got"
            f" {colors!r}. Pass for instance colors={{'marker': '{PALETTE[1]}'}}."
        )
    if isinstance(colors, Mapping):
        return {labels.get(name, name): colour for name, colour in colors.items()}
    # The groups of one predictor differ in colour too.
    alone = len({predictor for predictor, _ in order}) == 1
    names = dict.fromkeys(group if alone else predictor for predictor, group in order)
    return {name: values[i % len(values)] for i, name in enumerate(names)}
