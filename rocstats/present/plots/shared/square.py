"""The square of ROC space: its axes, the diagonal of chance, and the rates of a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocstats.present.plots.shared.axes import set_square_ticks
from rocstats.present.plots.shared.lines import FloatArray
from rocstats.present.plots.shared.palette import CHANCE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_FPR, _TPR = "False positive rate (1 − specificity)", "True positive rate (sensitivity)"


def rates_of(piece: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """Return FPR and TPR of the rows of a curve."""
    return piece["fpr"].to_numpy(), piece["tpr"].to_numpy()


def draw_square(ax: Axes) -> None:
    """Draw the axes of ROC space, with the diagonal of chance."""
    ax.plot([0, 1], [0, 1], **CHANCE)
    set_square_ticks(ax)
    ax.set(xlabel=_FPR, ylabel=_TPR)
