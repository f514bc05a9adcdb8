"""Sample size and power of a study.

Describe the study that is planned with one of the designs, then ask for its power or its size:

- ``OneAUC``: one area against a value. ``TwoAUCs``: the areas of two independent groups.
- ``PairedAUCs``: the areas of two predictors on the same cases. ``PilotAUCs``: the same, with
  variances taken from a pilot study.
- ``OneRate``, ``PairedRates``: a sensitivity or specificity, alone or of two predictors.
- ``ReaderDesign``: two modalities, each read by several readers.
- ``power``: the probability of a significant result. ``sample_size``: the cases that reach a power.
- ``simulate_readers``: ratings of a reader study whose truth is known.
- ``plot_power``: power against the number of cases.
"""

from __future__ import annotations

from rocstats.inference.planning.designs import (
    OneAUC,
    OneRate,
    PairedAUCs,
    PairedRates,
    PilotAUCs,
    TwoAUCs,
)
from rocstats.inference.planning.plan import power, sample_size
from rocstats.inference.planning.reader_plan import ReaderDesign
from rocstats.inference.planning.simulate_readers import simulate_readers
from rocstats.plots.planning import plot_power

__all__ = [
    "OneAUC",
    "OneRate",
    "PairedAUCs",
    "PairedRates",
    "PilotAUCs",
    "ReaderDesign",
    "TwoAUCs",
    "plot_power",
    "power",
    "sample_size",
    "simulate_readers",
]
