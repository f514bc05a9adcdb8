"""Sample size and power of a study.

Describe the planned study by a design, then compute its power or its size:

- ``OneAUC``: one area against a fixed value.
- ``TwoAUCs``: the areas of two independent groups.
- ``PairedAUCs``: the areas of two predictors on the same cases.
- ``PilotAUCs``: as ``PairedAUCs``, with the variances of a pilot study.
- ``OneRate``: a sensitivity or specificity against a goal.
- ``PairedRates``: the sensitivities or specificities of two predictors on the same cases.
- ``ReaderDesign``: two modalities, each read by several readers.
- ``power``: the probability of a significant result.
- ``sample_size``: the number of cases for a target power.
- ``simulate_readers``: ratings of a simulated reader study.
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
