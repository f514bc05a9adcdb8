"""The plan of an average of curves: its bars and places, and the roles that they allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from rocstats.errors import InputError, require_choice, require_flag, require_open_interval
from rocstats.inference.bands.options import require_bars, require_bars_of_merged, require_folds
from rocstats.sample.arrays import FloatArray
from rocstats.sample.counts.clusters import clusters_span_folds
from rocstats.sample.inputs.points.rates import read_rates, require_samples
from rocstats.sample.inputs.points.thresholds import read_thresholds
from rocstats.sample.sample import Sample
from rocstats.stats.bands.averages.curves import AveragePlan, Kind
from rocstats.stats.bands.averages.records import AVERAGE_BARS, BarKind, BarRole
from rocstats.stats.resampling.streams import ResamplePlan

AverageInterval = Literal["wilson", "normal", "clopper-pearson"]
Places = float | Sequence[float] | Mapping[str, float | Sequence[float]]


def plan_average(
    kind: Kind,
    bars: BarKind,
    interval: AverageInterval,
    joint: bool,
    independent: bool,
    confidence_level: float,
    n_samples: int,
    draws: ResamplePlan,
) -> AveragePlan:
    """Return the plan of an average; raise InputError for words that do not go together."""
    kind = require_choice("kind", kind, get_args(Kind))
    bars = require_choice("bars", bars, [record.word for record in AVERAGE_BARS])
    interval = require_choice("interval", interval, get_args(AverageInterval))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    # The other bars have limits of their own: a word that changed nothing would mislead.
    if interval != "wilson" and bars != "binomial":
        raise InputError(
            f"`interval` must stay 'wilson' unless bars='binomial'; got {interval!r} with"
            f" bars={bars!r}. Leave it out."
        )
    require_flag("joint", joint)
    require_flag("independent", independent)
    if joint and kind == "vertical":
        raise InputError(
            "`joint` must stay False for a vertical average, whose bars have one axis; got True."
            " Leave it out, or average by threshold."
        )
    # Before the roles of the study: no study can give a merged curve a spread between curves.
    if kind == "merged":
        require_bars_of_merged(bars)
    return AveragePlan(
        kind,
        bars,
        interval,
        joint,
        independent,
        confidence_level,
        require_samples(n_samples),
        draws,
    )


def require_roles(sample: Sample, plan: AveragePlan) -> None:
    """Raise InputError unless the study has folds and its roles allow the bars."""
    require_folds(sample)
    require_bars(plan.bars, *_bar_roles(sample, plan))


def _bar_roles(sample: Sample, plan: AveragePlan) -> list[BarRole]:
    """Return the roles in which the curves meet their bars, the first refusal first."""
    if plan.independent:
        roles: list[BarRole] = ["sets"]
        if sample.cluster is not None:
            roles.append("clustered sets")
        return [*roles, "spanning clusters"] if clusters_span_folds(sample.all_cases) else roles
    return ["repeats"] if sample.cluster is not None else ["repeats", "unnamed repeats"]


def read_places(
    at: Places | None, sample: Sample, plan: AveragePlan
) -> dict[str, FloatArray] | None:
    """Return the places of each predictor; None where thresholds are taken from the scores."""
    if at is not None:
        if plan.kind == "vertical":
            return read_rates(at, sample.predictors)
        return read_thresholds(at, sample.predictors, argument="at")
    # Division of whole numbers: linspace would print 0.30000000000000004.
    if plan.kind == "vertical":
        return dict.fromkeys(sample.predictors, np.arange(plan.n_samples) / (plan.n_samples - 1))
    return None
