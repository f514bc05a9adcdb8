"""The bands of one curve, in the order in which messages and pages name them.

A new band has its own file, a line in ``BANDS`` and its word in ``BandName``.
"""

from __future__ import annotations

from typing import Literal

from rocstats.stats.bands.binormal import ELLIPSE, WORKING_HOTELLING, WORKING_HOTELLING_NORMAL
from rocstats.stats.bands.fixed_width import FIXED_WIDTH
from rocstats.stats.bands.joint import JOINT, JOINT_EXACT
from rocstats.stats.bands.record import BandMethod
from rocstats.stats.bands.regional import REGIONAL
from rocstats.stats.bands.resampled import BOOTSTRAP, KOLMOGOROV, POINTWISE, VERTICAL_AVERAGE
from rocstats.stats.bands.smoothed import SMOOTHED_SCORE
from rocstats.stats.bands.threshold import THRESHOLD_AVERAGE

BandName = Literal[
    "fixed-width",
    "smoothed-score",
    "working-hotelling",
    "working-hotelling-normal",
    "ellipse",
    "joint",
    "joint-exact",
    "bootstrap",
    "kolmogorov",
    "regional",
    "pointwise",
    "vertical-average",
    "threshold-average",
]
BANDS: tuple[BandMethod, ...] = (
    FIXED_WIDTH,
    SMOOTHED_SCORE,
    WORKING_HOTELLING,
    WORKING_HOTELLING_NORMAL,
    ELLIPSE,
    JOINT,
    JOINT_EXACT,
    BOOTSTRAP,
    KOLMOGOROV,
    REGIONAL,
    POINTWISE,
    VERTICAL_AVERAGE,
    THRESHOLD_AVERAGE,
)
_BY_WORD = {record.word: record for record in BANDS}


def band_method(word: str) -> BandMethod:
    """Return the band called ``word``."""
    return _BY_WORD[word]
