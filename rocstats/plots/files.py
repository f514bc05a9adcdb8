"""Figures as files for a manuscript: fonts that can be edited, pictures without transparency."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.errors import require_whole
from rocstats.plots.axes import is_set, lay_out, require_axes, whole_figure
from rocstats.tables.files import path_with_known_ending, write_files_all_or_none
from rocstats.tables.text import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURES = (".pdf", ".svg", ".eps", ".png", ".tiff", ".tif")
"""Endings of the files of figures."""

DPI = 300
"""Dots an inch that printers ask of a picture; of line art many ask for 600 to 1200."""

# TrueType: letters of Type 3, the default of matplotlib, are refused by many journals.
_TRUETYPE = {"pdf.fonttype": 42, "ps.fonttype": 42}

# Fonts as wide as Arial, which journals ask for. DejaVu Sans comes with matplotlib.
_SANS = ["Arial", "Helvetica", "Nimbus Sans", "Liberation Sans", "DejaVu Sans"]


def save_figure(ax: Axes, path: str | PathLike[str], *, dpi: int = DPI) -> Path:
    """Write the figure of some axes to a file for a manuscript, and return its path.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        What a plot function returned; the whole figure is written.
    path : str or path-like
        The file; its extension determines the format. An existing file is replaced only after the
        new file is complete.

        - ``.pdf``, ``.eps``: lines and letters; fonts are embedded as TrueType. EPS has no
          transparency: bands have the colour that they have on white.
        - ``.svg``: lines, with letters as outlines.
        - ``.png``: dots.
        - ``.tiff``, ``.tif``: dots on white without an alpha channel, compressed (LZW).
    dpi : int >= 72, default 300
        Dots an inch of ``.png`` and ``.tiff``.

    Returns
    -------
    pathlib.Path
        The path of the file.

    Raises
    ------
    InputError
        If ``ax`` is not axes; if the extension is not supported; if the directory does not exist;
        or if ``dpi`` is not a whole number >= 72.

    Notes
    -----
    Settings of matplotlib that are needed for a file are changed for that file alone.

    References
    ----------
    - Instructions to authors of Radiology, JAMA and The BMJ on figures

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import rocstats as rs
    >>> study = rs.Study([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.6])
    >>> ax = rs.plot_roc(study.roc_curve())
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rs.save_figure(ax, Path(folder) / "roc.pdf").name
    'roc.pdf'
    """
    figure = whole_figure(require_axes(ax))
    require_whole("dpi", dpi, 72, "Pass for instance 600.")
    file = path_with_known_ending(path, PICTURES)
    content = picture_content(lambda: figure, file.suffix.lower()[1:], dpi=int(dpi), laid_out=False)
    write_files_all_or_none({file: content})
    return file


def picture_content(
    draw: Callable[[], Figure],
    form: str,
    *,
    dpi: int = DPI,
    style: str = PLAIN.name,
    laid_out: bool = True,
) -> bytes:
    """Return the content of the file of a figure.

    Parameters
    ----------
    draw : callable
        What draws the figure.
    form : str
        The ending of the file without the dot.
    dpi : int, default 300
        Dots an inch of pictures of dots.
    style : str, default "plain"
        Journal style; those of journals have letters as wide as Arial.
    laid_out : bool, default True
        Whether the places of words may be fixed, as in a figure that nobody else holds.
    """
    with _settings_of_file(style):
        figure = draw()
        if laid_out:
            lay_out(figure)
        if form == "eps":
            with _on_white(figure):
                return _saved(figure, form, dpi)
        if form in ("tiff", "tif"):
            return _as_tiff(_saved(figure, "png", dpi), dpi)
        return _saved(figure, form, dpi)


@contextmanager
def _settings_of_file(style: str) -> Iterator[None]:
    """Set what a file needs, and leave the settings of the user as they were."""
    import matplotlib as mpl

    letters: dict[str, Any] = {}
    if style != PLAIN.name and not is_set("font.family", "font.sans-serif"):
        letters = {"font.family": ["sans-serif"], "font.sans-serif": _SANS}
    settings: Any = {**_TRUETYPE, **letters}
    with mpl.rc_context(settings):
        yield


def _saved(figure: Figure, form: str, dpi: int) -> bytes:
    content = BytesIO()
    figure.savefig(content, format=form, dpi=dpi)
    return content.getvalue()


def _as_tiff(png: bytes, dpi: int) -> bytes:
    """Return a picture as TIFF on white: journals refuse an alpha channel."""
    from PIL import Image

    content = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        whole = picture.convert("RGBA")
        white = Image.new("RGBA", whole.size, "white")
        plain = Image.alpha_composite(white, whole).convert("RGB")
    plain.save(content, format="TIFF", compression="tiff_lzw", dpi=(dpi, dpi))
    return content.getvalue()


# --- EPS, which has no transparency ---------------------------------------------------------------


@contextmanager
def _on_white(figure: Figure) -> Iterator[None]:
    """Give translucent parts of a figure the colours that they have on white, for a while."""
    changed = [undo for artist in figure.findobj() for undo in _made_opaque(artist)]
    try:
        yield
    finally:
        for undo in changed:
            undo()


def _made_opaque(artist: Any) -> Iterator[Callable[[], Any]]:
    """Make a translucent part opaque, and yield what undoes it."""
    # The colours of bands and patches have the opacity in them, those of lines and words have not.
    filled = hasattr(artist, "get_facecolor")
    names = ("facecolor", "edgecolor") if filled else ("color",)
    before = {
        name: getattr(artist, f"get_{name}")() for name in names if hasattr(artist, f"get_{name}")
    }
    alpha = artist.get_alpha()
    after = {
        name: _colour_on_white(value, 1.0 if filled or alpha is None else alpha)
        for name, value in before.items()
    }
    if all(value is None for value in after.values()):
        return
    artist.set_alpha(None)
    for name, value in after.items():
        if value is not None:
            getattr(artist, f"set_{name}")(value)
            yield partial(getattr(artist, f"set_{name}"), before[name])
    yield partial(artist.set_alpha, alpha)


def _colour_on_white(value: Any, alpha: float) -> Any:
    """Return the colour of a translucent one on white; None of one that is opaque or invisible."""
    from matplotlib.colors import to_rgba_array

    rgba = to_rgba_array(value)
    share = rgba[:, 3:] * alpha
    if np.all((share == 0) | (share == 1)):
        return None
    plain = rgba[:, :3] * share + (1 - share)
    return plain if np.ndim(value) > 1 else tuple(plain[0])
