"""Colours, dashes, marks and opacities: one look for all graphs."""

from __future__ import annotations

from typing import Any

PALETTE = ("#17204f", "#8f2a12", "#2477b3", "#b98b00")
"""Ink, brick, blue, ochre: contrasts with white of 15.5, 8.4, 4.8 and 3.1."""
# CIE differences between any two are at least 28 for colour-blind readers, 13 in grey.

# Lengths in line widths: solid, long, long with dot, short; 8, 9 and 2.5 points on a curve.
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.9)), (0, (5.6, 1.9, 1.25, 1.9)), (0, (1.6, 1.6)))

MARKERS = ("o", "s", "^", "D")
"""Marks of points, in the order of the colours."""

ERROR, WITHOUT, CUTOFF = "#a8321a", "#7f8b99", "#b98b00"
"""Roles that are not curves: errors, cases without the condition, uncertainty of a cutoff."""

TEXT, SECOND_TEXT = "#1c2330", "#566170"
"""Colours of text, and of second text; contrasts with white of 15.8 and 6.4."""

OTHERS = "#aab2bc"
"""Curves in the background of the panel of another curve."""

CURVE, THIN, EDGE = 1.6, 0.7, 0.8
"""Widths in points: a curve; a fold or reader; the edge of a band, an axis, chance."""

CHANCE: dict[str, Any] = {"color": SECOND_TEXT, "linewidth": EDGE, "linestyle": ":", "zorder": 1}
"""Look of reference lines, such as that of an uninformative predictor."""

BAND, BAND_OF_SEVERAL = 0.14, 0.08
"""Opacities of the only band of a graph, and of one of several, which also has edges."""

NULL_BAND: dict[str, Any] = {"color": "0.5", "alpha": 0.25, "linewidth": 0}
"""Look of a region that chance or a null hypothesis explains."""

_WHITE_CONTRAST = 4.5  # least contrast of text with its ground, WCAG 2.1, criterion 1.4.3


def colour_of(index: int) -> str:
    """Return the colour of the series at a place."""
    return PALETTE[index % len(PALETTE)]


def dashes_of(index: int) -> Any:
    """Return the dashes of the series at a place."""
    # Each time the colours are used up, the dashes shift by one against them: 16 distinct lines.
    return DASHES[(index + index // len(PALETTE)) % len(DASHES)]


def look_of(index: int) -> dict[str, Any]:
    """Return colour, dashes and width of the line of the series at a place."""
    return {"color": colour_of(index), "linestyle": dashes_of(index), "linewidth": CURVE}


def text_colour(colour: Any) -> tuple[float, float, float]:
    """Return a colour, darkened until text in it can be read on white.

    Examples
    --------
    >>> from rocstats.present.plots.shared.palette import text_colour
    >>> text_colour("black"), text_colour("yellow") < (1, 1, 0)
    ((0.0, 0.0, 0.0), True)
    """
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < _WHITE_CONTRAST:
        red, green, blue = 0.95 * red, 0.95 * green, 0.95 * blue
    return red, green, blue


def text_colour_on(ground: Any) -> str:
    """Return the colour of text that can be read on a coloured ground: white, or near black."""
    from matplotlib.colors import to_rgb

    return "white" if 1.05 / (_luminance(*to_rgb(ground)) + 0.05) >= _WHITE_CONTRAST else TEXT


def _luminance(*channels: float) -> float:
    """Return the relative luminance of an sRGB colour (WCAG 2.1)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
