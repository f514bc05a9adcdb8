"""The committed tables of the simulations: complete, marked by their rule, and made again.

``TABLES`` has an entry for each table. A new simulation adds one; what its page claims, and how its
truth is known, is tested in a file of its own in this folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from functools import partial as call
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.api.types import is_numeric_dtype

from rocstats.curves.criteria import THRESHOLDS_AT
from tests.simulations.committed import read, without_gaps
from validation.bounds import below_margin, too_high, too_low
from validation.coverage import (
    any_statistic,
    average_precision,
    band_designs,
    band_methods,
    bands,
    bars,
    batch,
    binormal,
    calibration,
    calibration_bins,
    calibration_by_class,
    called_measures,
    class_probabilities,
    cluster_df,
    clustered_measures,
    cost_limits,
    costs,
    covariates,
    cutpoints,
    designs,
    difference_bands,
    every_threshold,
    few_units,
    future_curves,
    grey_zone,
    heldout,
    heldout_designs,
    imputation,
    imputation_ends,
    items,
    labels,
    measures,
    meta,
    moves,
    multiclass,
    net_benefit,
    ordinal,
    partial,
    point_measures,
    point_roles,
    points,
    precision_sampling,
    roles,
    scores_by_class,
    several_classes,
    simulate,
    survival,
    survival_points,
    unequal,
    unequal_pairs,
    uneven,
    uneven_designs,
    verification,
    weighted,
    youden,
    zone_ratios,
)
from validation.coverage import localisation as marks_coverage
from validation.files import ROOT
from validation.roe_metz import simulate as roe_metz
from validation.single_step import accuracy as single_step
from validation.size import (
    available,
    curves,
    differences,
    learners,
    margins,
    mover_limits,
    other_areas,
    readers,
    readers_at_fpr,
    subgroups,
)
from validation.size import localisation as marks_sizes
from validation.size import simulate as chance

Rows = Iterable[Mapping[str, Any]] | pd.DataFrame


@dataclass(frozen=True)
class Shares:
    """A cell run again with few samples, whose shares are to agree with the committed ones.

    ``first``: the samples are the first ones of the committed run. A share is taken to be ``least``
    away from 0 and from 1 at least, where its standard error vanishes.
    """

    run: Callable[[], Rows]
    shares: str = "coverage"
    first: bool = False
    least: float = 0.0


@dataclass(frozen=True)
class Same:
    """A cell run again with the committed random numbers: columns are the same (all if unnamed)."""

    run: Callable[[], Rows]
    columns: str = ""
    rtol: float = 0.0
    atol: float = 0.0


@dataclass(frozen=True)
class Table:
    """What a table is about, which of its rows fall short, and which cells are run again.

    ``key`` names the columns of the ``cells``. ``words`` has the columns that repeat in every cell,
    with their values, and ``within`` those whose values differ from cell to cell.
    """

    name: str
    key: str
    cells: Iterable[tuple[Any, ...]] | None
    words: Mapping[str, Iterable[Any]] = field(default_factory=dict)
    within: str = ""
    samples: str = "replicates"
    least: int = 2000
    short: Callable[[pd.DataFrame], Any] | None = None
    again: tuple[Shares | Same, ...] = ()

    @cached_property
    def rows(self) -> pd.DataFrame:
        """The committed table."""
        return read(self.name)

    @property
    def columns(self) -> list[str]:
        """The columns that name a row."""
        return [*self.key.split(), *self.words, *self.within.split()]

    @property
    def expected(self) -> pd.DataFrame:
        """The cells, each with every combination of the words."""
        words = list(product(*self.words.values()))
        rows = [(*cell, *each) for cell in self.cells or () for each in words]
        return without_gaps(pd.DataFrame(rows, columns=[*self.key.split(), *self.words]))

    def made_again(self, again: Shares | Same) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the rows made again, and the committed ones in the same order."""
        made = without_gaps(pd.DataFrame(again.run()))
        committed = self.rows.assign(**self.rows[self.columns].round(6))
        keys = made[self.columns].round(6)
        # All rows of the cells are made again.
        cells = keys[self.key.split()].drop_duplicates()
        assert len(committed.merge(cells)) == len(made) > 0
        return made, keys.merge(committed, on=self.columns, how="left", validate="one_to_one")


def of(cells: Iterable[Any], names: str) -> list[tuple[Any, ...]]:
    """Return the values of some attributes of each cell."""
    return [tuple(getattr(cell, name) for name in names.split()) for cell in cells]


# --- Rules: docs/methods/simulation.md, "Shortfalls", unless a bound was published before ---------


def too_rarely(share: str = "coverage", samples: str = "replicates") -> Callable[..., Any]:
    return lambda rows: too_low(rows[share], rows.get("level", 0.95), rows[samples])


def too_often(share: str = "rejected", samples: str = "replicates") -> Callable[..., Any]:
    return lambda rows: too_high(rows[share], rows.get("alpha", 0.05), rows[samples])


def beyond(what: str, share: str, bounds: Any) -> Callable[..., Any]:
    """Coverage below the one bound of a module, size above the other."""
    return lambda rows: (
        ((rows[what] == "coverage") & (rows[share] < bounds.COVERAGE))
        | ((rows[what] == "size") & (rows[share] > bounds.SIZE))
    )


def below(bound: float, share: str = "coverage") -> Callable[..., Any]:
    return lambda rows: rows[share] < bound


def under_margin(rows: pd.DataFrame) -> Any:
    """Whole numbers of samples: .95 - .02 is not .93 in floating point."""
    hits = (rows["coverage"] * rows["replicates"]).round()
    least = (rows.get("confidence_level", 0.95) - 0.02) * rows["replicates"]
    return hits < least.round(6)


def of_kind(rows: pd.DataFrame) -> Any:
    is_size, is_coverage = (rows["kind"] == kind for kind in ("size", "coverage"))
    return (is_coverage & too_rarely("share")(rows)) | (is_size & too_often("share")(rows))


def of_measures(rows: pd.DataFrame) -> Any:
    short = too_low(rows["coverage"], 0.95, rows["replicates"] * rows["defined"])
    return short | too_often()(rows)


# docs/readers.md, "Which model to report": .03 to .075, and four Monte-Carlo errors
def of_readers(rows: pd.DataFrame) -> Any:
    size, alpha = rows["size"], rows["alpha"]
    outside = (size < 0.03 * alpha / 0.05) | (size > 0.075 * alpha / 0.05)
    beyond_error = too_often("size", "studies")(rows) | too_rarely("coverage_logit", "studies")(
        rows
    )
    return outside | beyond_error


# --- Cells that are run again ---------------------------------------------------------------------


def area_cell(*key: Any) -> designs.Cell:
    return designs.CELLS[of(designs.CELLS, AREA).index(key)]


def heldout_cell(*key: Any) -> heldout_designs.HeldoutCell:
    return heldout_designs.HELDOUT_CELLS[of(heldout_designs.HELDOUT_CELLS, HELDOUT).index(key)]


def at_another_level() -> pd.DataFrame:
    cell = heldout_cell("held-out-3", "t2-over-normal", 35, 70, 0.92)
    rows = heldout.run_heldout_cell(cell, 4000, 77, 0.90, heldout.AT_OTHER_LEVELS)
    return pd.DataFrame(rows).assign(confidence_level=0.90)


def partial_rows() -> list[dict[str, Any]]:
    run = call(partial.run_partial_cell, partial.PARTIAL_CELLS[2])
    return [*run(800, 3), *run(120, 3, resampled=True)]


def first_of(settings: Iterable[Any], **wanted: Any) -> int:
    """Return the place of the first setting with some values."""
    return next(
        place
        for place, one in enumerate(settings)
        if all(getattr(one, name) == value for name, value in wanted.items())
    )


def design_named(kind: type, name: str) -> int:
    names = [(type(one), one.name) for one in uneven.DESIGNS]
    return names.index((kind, name))


AREA = "design n_pos n_neg auc"
BARS = "set n_curves n_pos n_neg auc target fpr method"
HELDOUT = f"set {AREA}"
PAIR = "set n_pos n_neg auc_1 auc_2 correlation"
UNDER_MARGIN = margins.CELLS[
    first_of(margins.CELLS, set="non-inferiority", n_pos=10, n_neg=200, auc_1=0.75, auc_2=0.85,
             correlation=0.5)
]  # fmt: skip
TEN_AND_FIFTY = next(c for c in mover_limits.CELLS if c.predictors[2:4] == (10, 50))

TABLES = [
    Table(
        "coverage/any_statistic", "n_pos n_neg", any_statistic.SIZES,
        {"interval": any_statistic.INTERVALS, "difference": (False, True),
         "quantity": any_statistic.NAMES},
        short=too_rarely(samples="defined"),
        again=(
            Same(call(any_statistic.rows_of_cell, 0, any_statistic.FIRST, any_statistic.SEED),
                 "first_width", atol=2e-6),
        ),
    ),
    Table(
        "coverage/auc", AREA, of(designs.CELLS, AREA), {"method": simulate.NAMES},
        again=tuple(
            Shares(call(simulate.run_cell, area_cell(*cell), 200, 20040316))
            for cell in (
                ("equal-variance", 20, 20, 0.90), ("sd-ratio-2", 10, 50, 0.90),
                ("five-categories", 10, 10, 0.99),
            )
        ),
    ),
    Table(
        "coverage/auc_resampled", AREA, of(designs.CELLS, AREA),
        {"method": simulate.RESAMPLED_NAMES},
        again=(
            Shares(call(simulate.run_cell, area_cell("equal-variance", 20, 20, 0.90), 300, 5,
                        family="auc_resampled")),
        ),
    ),
    *(
        Table(
            f"coverage/{family}", "design n_parts auc", of(cells, "design n_parts auc"),
            {"method": names},
            again=tuple(
                Shares(call(roles.run_role_cell, cells[place], family, 150, 7)) for place in places
            ),
        )
        for family, cells, names, places in (
            ("auc_folds", roles.FOLD_CELLS, roles.FOLD_NAMES, (1, 3)),
            ("auc_clusters", roles.CLUSTER_CELLS, roles.CLUSTER_NAMES, (1, 4)),
        )
    ),
    Table(
        "coverage/average_precision", "n_pos n_neg shift random",
        [cell[1:] for cell in average_precision.CELLS], within="quantity limits",
        least=average_precision.RESAMPLED // 2, short=too_rarely(),
        again=(
            Same(call(average_precision.run_precision_cell, average_precision.CELLS[4], 3, 3,
                      average_precision.SEED),
                 "first_widths", rtol=1e-7),
        ),
    ),
    Table(
        "coverage/precision_sampling", "sampling n_pos n_neg prevalence shift scores",
        precision_sampling.CELLS, within="quantity", short=below(precision_sampling.BOUND),
        again=(
            Shares(call(precision_sampling.run_cell, 6, 150, precision_sampling.SEED), first=True),
        ),
    ),
    Table(
        "coverage/bands", "design n_pos n_neg", of(band_methods.CELLS, "design n_pos n_neg"),
        {"method": band_methods.NAMES}, least=1000,
    ),
    Table(
        "coverage/bands_rotated", "set design n_pos n_neg",
        of(band_designs.BAND_CELLS, "set design n_pos n_neg"), {"method": bands.METHODS},
        short=too_rarely("containment"),
    ),
    Table(
        "coverage/bars", BARS,
        [
            tuple(row[name] for name in BARS.split())
            for cell in bars.BAR_CELLS
            for row in bars.run_bar_cell(cell, 4, bars.SEED)
        ],
        least=250,
        again=tuple(
            Shares(call(bars.run_bar_cell, bars.BAR_CELLS[place], replicates, 7), least=0.005)
            for place, replicates in ((0, 100), (3, 150), (11, 150), (14, 200))
        ),
    ),
    Table(
        "coverage/binormal", "law n_pos n_neg auc",
        [(law, *size, auc)
         for law in binormal.LAWS for size in binormal.SIZES for auc in binormal.AREAS],
        {"method": binormal.NAMES}, least=1000,
        again=tuple(
            Shares(call(binormal.run_cell, binormal.CELLS[place], 150, 3)) for place in (0, 14)
        ),
    ),
    Table(
        "coverage/calibration", "n events model", calibration.CELLS, within="quantity", least=1500,
        short=of_kind,
        again=(Shares(call(calibration.run_cell, calibration.CELLS[0], 100), "share", first=True),),
    ),
    Table(
        "coverage/calibration_by_class", " ".join(calibration_by_class.Cell._fields),
        calibration_by_class.CELLS, within="quantity", least=500,
        short=beyond("kind", "share", calibration_by_class),
        again=(
            Shares(call(calibration_by_class.run_cell, 4, 120, calibration_by_class.SEED + 1),
                   "share"),
        ),
    ),
    Table(
        "coverage/several_classes", "mix n auc size",
        [(c.mix, c.n, c.auc, c.size) for c in several_classes.CELLS], within="quantity row",
        samples="samples", least=900,
        short=lambda rows: (
            too_low(rows["coverage"], 0.95, rows["samples"])
            | too_high(rows["rejected"], 0.05, rows["samples"])
        ),
        again=(
            Same(call(several_classes.run_call_cell, several_classes.CELLS[1], 3,
                      several_classes.SEED), "truth", rtol=1e-7),
        ),
    ),
    Table(
        "coverage/ordinal", "classes mix n gap grades size",
        [(c.classes, c.mix, c.n, c.gap, c.grades, c.size) for c in ordinal.CELLS],
        within="quantity row", samples="samples", least=450,
        short=lambda rows: (
            too_low(rows["coverage"], 0.95, rows["samples"])
            | too_high(rows["rejected"], 0.05, rows["samples"])
        ),
        again=(
            Shares(call(ordinal.run_ordinal_cell, ordinal.CELLS[0], 60, ordinal.SEED),
                   first=True, least=0.02),
        ),
    ),
    Table(
        "coverage/class_probabilities", "mix n total size",
        [(c.mix, c.n, c.total, c.size) for c in class_probabilities.CELLS], within="quantity row",
        samples="samples", least=900,
        short=lambda rows: (
            too_low(rows["coverage"], 0.95, rows["samples"])
            | too_high(rows["rejected"], 0.05, rows["samples"])
        ),
        again=(
            Shares(call(class_probabilities.run_probability_cell, class_probabilities.CELLS[0], 40,
                        class_probabilities.SEED), first=True, least=0.02),
        ),
    ),
    Table(
        "coverage/items", "graded n clusters accuracy rho gap",
        [(c.graded, c.n, c.clusters, c.accuracy, c.rho, c.gap) for c in items.CELLS],
        {"row": ("value", "difference")}, least=400,
        short=lambda rows: too_low(rows["coverage"], 0.95, rows["samples"]),
        again=(Shares(call(items.run_item_cell, items.CELLS[0], 200, items.SEED + 1)),),
    ),
    Table(
        "coverage/meta", "kind k", [(c.kind, c.k) for c in meta.CELLS], within="row",
        samples="samples", least=118,
        short=lambda rows: too_low(rows["coverage"], 0.95, rows["samples"]),
        again=(Shares(call(meta.run_meta_cell, meta.CELLS[4], 40, meta.SEED + 1)),),
    ),
    Table(
        "coverage/labels", "mix n share size", of(labels.CELLS, "mix n share size"),
        within="quantity row", samples="samples", least=480,
        short=lambda rows: (
            too_low(rows["coverage"], 0.95, rows["samples"])
            | too_high(rows["rejected"], 0.05, rows["samples"])
        ),
        again=(
            Same(call(labels.run_label_cell, labels.CELLS[0], 3, labels.SEED), "truth", rtol=1e-7),
            Shares(call(labels.run_label_cell, labels.CELLS[0], 40, labels.SEED), least=0.02),
        ),
    ),
    Table(
        "coverage/calibration_bins", "n strategy model centre",
        of(calibration_bins.CELLS, "n strategy model centre"), samples="samples", least=500,
        short=too_rarely(samples="bins"),
        again=(
            Shares(lambda: [calibration_bins.run_bin_cell(calibration_bins.CELLS[0], 40, 5)]),
        ),
    ),
    Table(
        "coverage/called_measures", "kind n prevalence",
        [cell[1:] for cell in called_measures.CELLS], within="quantity", least=1900,
        short=too_rarely(),
        again=tuple(
            Same(call(called_measures.run_call_cell, called_measures.CELLS[place], 3,
                      called_measures.SEED),
                 "first_low", atol=2e-9)
            for place in (0, 6)
        ),
    ),
    Table(
        "coverage/cluster_df", "pos neg both auc",
        [(*cell.clusters, cell.auc) for cell in cluster_df.CELLS], {"rule": cluster_df.RULES},
        again=(Shares(call(cluster_df.run_cell, cluster_df.CELLS[6], 200, 1), "coverage size"),),
    ),
    Table(
        "coverage/cost_limits", "n_pos n_neg", cost_limits.SIZES, {"limits": cost_limits.METHODS},
        least=0,
    ),
    Table(
        "coverage/costs", "design n_pos n_neg question",
        [
            (*cell, name)
            for cells, names in ((costs.FIXED_CELLS, costs.FIXED), (costs.CELLS, costs.QUESTIONS))
            for cell in of(cells, "design n_pos n_neg")
            for name in names
        ],
        least=500, short=too_rarely(),
        again=(
            Same(lambda: [costs.run_fixed_cell(costs.FIXED_CELLS[-4], "fixed-cohort",
                                               costs.FIXED_REPLICATES, costs.SEED)]),
        ),
    ),
    Table(
        "coverage/covariates", "design n_pos n_neg area errors", covariates.CELLS,
        within="question", short=too_rarely(),
        again=(Shares(call(covariates.run_cell, covariates.CELLS[0], 60), first=True),),
    ),
    Table(
        "coverage/cutpoints", "law size shift", of(cutpoints.CELLS, "law size shift"),
        within="quantity target method", least=cutpoints.N_KERNEL, short=too_rarely(),
        again=tuple(
            Same(call(cutpoints.run_cell, cutpoints.CELLS[place], cutpoints.N_FIRST,
                      cutpoints.SEED),
                 "first_covered first_width", atol=2e-6)
            for place in (0, 8)
        ),
    ),
    Table(
        "coverage/cutpoint_sizes", "law n_pos n_neg shift threshold_at",
        [(*cell, at) for cell in of(cutpoints.SIZE_CELLS, "law size n_neg shift")
         for at in THRESHOLDS_AT],
        within="quantity target method", least=1000, short=too_rarely(),
        again=(
            Shares(call(cutpoints.OF_SIZES.run, cutpoints.SIZE_CELLS[:1], replicates=60, seed=3),
                   least=0.005),
        ),
    ),
    Table(
        "coverage/cutpoint_values", "law n_pos n_neg shift prevalence",
        of(cutpoints.VALUE_CELLS, "law size n_neg shift prevalence"), {"quantity": ("ppv", "npv")},
        "target method", least=1000, short=too_rarely(),
        again=(
            Same(call(cutpoints.OF_VALUES.run, cutpoints.VALUE_CELLS[:1],
                      replicates=cutpoints.N_FIRST),
                 "first_covered first_width", atol=2e-6),
        ),
    ),
    Table(
        "coverage/difference_bands", "design correlation n_pos n_neg",
        of(difference_bands.CELLS, "design correlation n_pos n_neg"), least=1000,
    ),
    Table(
        "coverage/every_threshold", "step n_pos n_neg",
        of(every_threshold.CELLS, "step n_pos n_neg"),
        {"level": every_threshold.LEVELS, "interval": every_threshold.INTERVALS},
        short=too_rarely("everywhere"),
        again=(
            Same(call(every_threshold.run_cell, every_threshold.CELLS[0],
                      every_threshold.FIRST_SAMPLES, every_threshold.SEED),
                 "first_everywhere"),
        ),
    ),
    Table(
        "coverage/few_units", "kind setting", [one[:2] for one in few_units.SETTINGS],
        within="quantity", short=beyond("what", "after", few_units),
        again=tuple(
            Same(call(few_units.run_setting, first_of(few_units.SETTINGS, kind=kind), 40),
                 "first_after", atol=1e-6)
            for kind in ("clusters", "survival", "scores", "measures", "adjusted")
        ),
    ),
    Table(
        "coverage/future_curves", "source design", of(future_curves.FUTURE_CELLS, "source design")
    ),
    Table(
        "coverage/grey_zone", " ".join(grey_zone.Setting._fields), grey_zone.SETTINGS,
        within="zone quantity", short=too_rarely(samples="defined"),
        again=(Shares(call(grey_zone.rows_of_cell, 3, 200, 2, grey_zone.SEED + 1)),),
    ),
    Table(
        "coverage/heldout", HELDOUT, of(heldout_designs.HELDOUT_CELLS, HELDOUT),
        {"method": batch.METHODS}, least=10_000, short=under_margin,
        again=tuple(
            Shares(call(heldout.run_heldout_cell, heldout_cell(*cell), 4000, 77))
            for cell in (
                ("tuning", "sd-ratio-2", 10, 50, 0.70), ("held-out-1", "t3-shift", 15, 30, 0.80),
                ("held-out-2", "poisson-counts", 9, 14, 0.93),
            )
        ),
    ),
    Table(
        "coverage/heldout_levels", f"confidence_level {HELDOUT}",
        [(level, *cell) for level in heldout.OTHER_LEVELS
         for cell in of(heldout_designs.HELDOUT_CELLS, HELDOUT)],
        {"method": heldout.AT_OTHER_LEVELS}, least=10_000, short=under_margin,
        again=(Shares(at_another_level),),
    ),
    Table(
        "coverage/imputation", "n auc m method", None, short=too_rarely(samples="defined"),
    ),
    Table(
        "coverage/imputation_ends", "n_pos n_neg auc m quantity truth",
        [
            (*sizes, auc, m, *each)
            for sizes, (auc, tpr), m in imputation_ends.SETTINGS
            for each in zip(imputation_ends.QUANTITIES, imputation_ends.truths_of(auc, tpr)[1],
                            strict=True)
        ],
        {"method": imputation_ends.METHODS},
        short=lambda rows: below_margin(rows["coverage"], 0.95),
    ),
    Table(
        "coverage/localisation", " ".join(marks_coverage.OneReader._fields), marks_coverage.CELLS,
        within="quantity interval", least=1000, short=below(0.93),
        again=(
            Shares(call(marks_coverage.run_cell, marks_coverage.CELLS[4], 100, 5), least=0.02),
            Shares(call(marks_coverage.run_cell, marks_coverage.CELLS[-1], 40, 5), least=0.02),
        ),
    ),
    Table(
        "coverage/measures", "sampling n_pos n_neg tpr fpr prevalence prevalence_cases",
        of(measures.MEASURE_CELLS, "sampling n_pos n_neg tpr fpr prevalence prevalence_cases"),
        within="quantity method", least=0,
        again=(
            Same(lambda: measures.SIMULATION.run(
                    [measures.MEASURE_CELLS[place] for place in (0, 3, 16, -1)]),
                 rtol=1e-6, atol=2e-6),
        ),
    ),
    Table(
        "coverage/moves", AREA,
        [cell for cell in of(designs.CELLS, AREA) if cell[0] != "five-categories"],
        {"method": moves.METHODS_TRIED}, least=0,
        again=(
            Same(lambda: moves.SIMULATION.run([designs.CELLS[place] for place in (0, 10, 30)]),
                 atol=2e-6),
        ),
    ),
    Table(
        "coverage/multiclass", "sizes auc mix",
        [("/".join(map(str, cell.sizes)), cell.auc, cell.mix) for cell in multiclass.CLASS_CELLS],
        within="summary row method", least=200,
        again=tuple(
            Same(call(multiclass.run_class_cell, multiclass.CLASS_CELLS[place], 3, multiclass.SEED),
                 "truth", rtol=1e-7)
            for place in (6, -1)
        ),
    ),
    Table(
        "coverage/net_benefit", "n prevalence cluster_size kind",
        [(*cell[1:], kind) for cell in net_benefit.CELLS for kind in net_benefit.kinds_of(cell)],
        within="limits risk_threshold", least=min(net_benefit.REPLICATES.values()),
        short=too_rarely(),
        again=(
            Same(call(net_benefit.run_benefit_cell, net_benefit.CELLS[2], "treat-all", 3,
                      net_benefit.SEED),
                 "first_widths truth", rtol=1e-8),
        ),
    ),
    Table(
        "coverage/partial", f"{HELDOUT} range_low range_high method",
        [
            (*cell, method)
            for cell in of(partial.PARTIAL_CELLS, f"{HELDOUT} low high")
            for method in [*partial.CLOSED, *(partial.RESAMPLED if cell[0] == "named" else ())]
        ],
        least=1000, short=under_margin, again=(Shares(partial_rows),),
    ),
    Table(
        "coverage/point_measures",
        "size prevalence agreement tpr_first tpr_second tnr_first tnr_second", None,
        within="quantity method", least=4000, short=of_measures,
        again=(
            Same(lambda: point_measures.SIMULATION.run([point_measures.CELLS[4]],
                                            replicates=point_measures.FIRST_SAMPLES),
                 "truth first_covered", rtol=1e-6),
        ),
    ),
    Table(
        "coverage/point_roles", "family n_pos n_neg quantity truth",
        [(cell.family, cell.n_pos, cell.n_neg, *truth)
         for cell in point_roles.ROLE_CELLS for truth in cell.truth.items()],
    ),
    Table(
        "coverage/scores_by_class", "n_pos n_neg prevalence model risks", scores_by_class.CELLS,
        within="quantity", least=4000, short=below(scores_by_class.COVERAGE),
        again=(Same(call(scores_by_class.run_cell, 4, 4000), "coverage", atol=1e-3),),
    ),
    Table(
        "coverage/survival", "setting n", of(survival.CELLS, "setting n"),
        within="quantity interval share_by_time", short=too_rarely("share"),
        again=(Shares(call(survival.run_cell, survival.CELLS[7], 100), "share", first=True),),
    ),
    Table(
        "coverage/survival_points", "setting n share_by_time",
        [(cell.setting, cell.n, share)
         for cell in survival_points.cells() for share in (cell.shares[0], cell.shares[-1])],
        within="quantity limits", least=survival_points.REPLICATES, short=too_rarely(),
        again=(
            Shares(call(survival_points.run_cell, survival_points.cells()[0], 60), first=True),
        ),
    ),
    Table(
        "coverage/unequal", HELDOUT, of(unequal.UNEQUAL_CELLS, HELDOUT),
        {"method": heldout.AT_OTHER_LEVELS}, short=under_margin,
        again=(
            Shares(call(heldout.run_heldout_cell, unequal.UNEQUAL_CELLS[12], 2000, 77,
                        methods=heldout.AT_OTHER_LEVELS)),
        ),
    ),
    Table(
        "coverage/unequal_pairs", "setting", of(unequal_pairs.SETTINGS, "name"),
        within="quantity what", least=unequal_pairs.REPLICATES,
        short=beyond("what", "after", unequal_pairs),
        again=(Same(call(unequal_pairs.run_setting, 4, 250), "first_after", atol=1e-6),),
    ),
    Table(
        "coverage/uneven", "kind design question asked", None, within="quantity", least=1000,
        short=beyond("what", "share", uneven),
        again=tuple(
            Same(call(uneven.run_design, design_named(kind, name), uneven.FIRST), "first",
                 rtol=1e-5, atol=1e-8)
            for kind, name in (
                (uneven_designs.Scores, "31 + 63, five points, chance"),
                (uneven_designs.Risks, "17 + 171, at 3 %"),
                (uneven_designs.Followed, "131 patients, five points"),
                (uneven_designs.Adjusted, "60 unequal clusters"),
                (uneven_designs.Classes, "9 + 31 + 171"),
                (uneven_designs.Readers, "3 readers, 13 + 117, five points"),
            )
        ),
    ),
    Table(
        "coverage/verification",
        "n_cases prevalence verified_pos verified_neg quantity truth method", None, least=4000,
        again=(
            Same(call(verification.run_rate_cell, verification.RATE_CELLS[3], 200,
                      verification.SEED), "truth"),
            Same(call(verification.run_area_cell, verification.AREA_CELLS[1], 2,
                      verification.SEED), "truth"),
        ),
    ),
    Table(
        "coverage/weighted", "n sampled auc spread tied",
        [(c.n, c.sampled, c.auc, c.spread, c.tied) for c in weighted.CELLS],
        # Of 1000: those in which both rules agree in all positives have no limits of a difference.
        within="quantity row", samples="samples", least=390,
        short=lambda rows: (
            too_low(rows["coverage"], 0.95, rows["samples"])
            | too_high(rows["rejected"], 0.05, rows["samples"])
        ),
        again=(
            Same(call(weighted.run_weighted_cell, weighted.CELLS[0], 2, weighted.SEED), "truth",
                 rtol=1e-7),
            Shares(call(weighted.run_weighted_cell, weighted.CELLS[0], 30, weighted.SEED + 1),
                   "coverage"),
        ),
    ),
    Table(
        "coverage/youden", "n_pos n_neg level interval",
        [(*sizes, level, interval)
         for sizes in youden.SIZES for level in youden.LEVELS for interval in youden.INTERVALS],
        least=0, short=lambda rows: below_margin(rows["least"], rows["level"]),
        again=tuple(
            Same(lambda name=name: [youden.row_of(10, 10, name, 0.95)], atol=1e-6)
            for name in ("mid-p", "agresti-caffo")
        ),
    ),
    Table(
        "coverage/zone_ratios", "cell", of(unequal_pairs.SETTINGS, "name"), {"band": (1, 2, 3)},
        least=zone_ratios.REPLICATES, short=below(zone_ratios.BOUND, "after"),
        again=(
            Same(call(zone_ratios.simulate, 5, zone_ratios.FIRST), "first_after", atol=1e-6),
        ),
    ),
    Table(
        "roe_metz/roe_metz", "structure auc reference_auc n_readers n_pos n_neg n_groups nested",
        [(cell.structure, *cell.areas, *cell[3:7], cell.nested) for cell in roe_metz.CELLS],
        short=lambda rows: (
            (rows["power_simulated"] - rows["power"]).abs()
            > roe_metz.TOLERANCE + 4 * rows["power_error"]
        ),
        again=(Shares(lambda: [roe_metz.run_cell(roe_metz.CELLS[0], 40, 11)], "power_simulated"),),
    ),
    Table(
        "single_step/single_step", "areas k rep", single_step.CELLS, within="quantity", least=0,
        again=(Same(call(single_step.cell, "independent", 5, 1), "reference error", rtol=1e-5),),
    ),
    Table(
        # docs/methods/comparison.md, "Available cases"
        "size/available", "set n missing auc_1 auc_2", available.CELLS,
        {"method": available.METHODS}, least=4000,
        short=lambda rows: too_often()(rows) | too_rarely()(rows),
        again=(
            Same(call(available.SIMULATION.run, [available.CELLS[2]], replicates=4000), rtol=1e-5),
        ),
    ),
    Table(
        "size/curves", "design n_pos n_neg", of(curves.CELLS, "design n_pos n_neg"),
        {"test": ("venkatraman", "delong")},
    ),
    Table(
        "size/differences", f"{PAIR} method",
        [
            (*(differences.setting_of(cell)[name] for name in PAIR.split()), method)
            for cell in differences.CELLS
            for method in differences.methods_of(cell)
        ],
        short=lambda rows: differences.SIMULATION.marks_of(rows)["shortfall"],
        again=tuple(
            Shares(call(differences.run_cell, differences.CELLS[place], 60, 5), "rejected coverage",
                   least=0.01)
            for place in (1, 14)
        ),
    ),
    Table(
        "size/learners", "n folds repeats", learners.CELLS, within="test", short=too_often("size"),
        again=(
            Shares(call(learners.run_cell, learners.CELLS[0], 200, 5), "size", least=0.002),
        ),
    ),
    Table(
        "size/margins", " ".join(margins.KEY), [cell[1:] for cell in margins.CELLS],
        {"method": margins.METHODS}, short=too_often(),
        again=(Shares(call(margins.run_cell, UNDER_MARGIN, 2000, 5), "rejected", least=0.01),),
    ),
    Table(
        "size/mover_limits", f"{PAIR} null_value",
        [(cell.predictors.set, *cell.setting.values()) for cell in mover_limits.CELLS],
        least=10_000,
        again=(
            Shares(lambda: [mover_limits.run_cell(TEN_AND_FIFTY, 1000, 5)],
                   " ".join(mover_limits.METHODS), least=0.01),
        ),
    ),
    Table(
        "size/other_areas", " ".join(other_areas.KEY), [cell[1:] for cell in other_areas.CELLS],
        {"method": other_areas.METHODS}, "note", least=4000, short=too_often(),
        again=tuple(
            Shares(call(other_areas.run_cell, cell, 500, 5), "rejected", least=0.01)
            for cell in other_areas.CELLS
            if cell[1:] in {("ovo-macro", 10, 50, 0.85, 0.6, 1.0),
                            ("both-clusters", 10, 10, 0.7, 0.0, 1.0)}
        ),
    ),
    Table(
        "size/localisation", " ".join(marks_sizes.MarksCell._fields), marks_sizes.CELLS,
        {"curve": marks_sizes.CURVES}, samples="studies", least=1000,
        short=lambda rows: ~rows["size"].between(0.03, 0.075),
        again=(
            Shares(call(marks_sizes.run_cell, marks_sizes.CELLS[1], 100, 5), "size", least=0.02),
        ),
    ),
    Table(
        "size/readers", " ".join((*readers.ReaderCell._fields, "method")),
        [(*cell, method) for cell in readers.CELLS for method in cell.methods],
        samples="studies", short=of_readers,
        again=tuple(
            Same(call(readers.run_cell, readers.CELLS[first_of(readers.CELLS, design=design)],
                      readers.FIRST),
                 "first_se", rtol=1e-8)
            for design in ("split plot", "readers nested in modalities")
        ),
    ),
    Table(
        "size/readers_at_fpr", "structure n_readers n_pos n_neg", readers_at_fpr.CELLS,
        samples="studies", short=lambda rows: ~rows["size"].between(0.03, 0.075),
        again=(
            Same(lambda: [readers_at_fpr.run_cell(readers_at_fpr.CELLS[1], readers_at_fpr.FIRST)],
                 "first_se", rtol=1e-8),
        ),
    ),
    Table(
        "size/size", "design n_pos n_neg", of(chance.CELLS, "design n_pos n_neg"), within="test",
        short=too_often("size"),
        again=(Shares(call(chance.run_cell, chance.CELLS[7], 120, 5), "size", least=0.002),),
    ),
    Table(
        "size/subgroups", " ".join(subgroups.Cell._fields), subgroups.CELLS,
        short=too_often("size", "tested"),
        again=(
            Shares(lambda: [subgroups.row_of_cell(len(subgroups.EQUAL) + 2, 600,
                                                  subgroups.SEED + 1)],
                   "size cochran"),
        ),
    ),
]  # fmt: skip


def cells_again(kind: type) -> list[Any]:
    return [
        pytest.param(table, again, id=f"{table.name}-{place}")
        for table in TABLES
        for place, again in enumerate(table.again)
        if isinstance(again, kind)
    ]


def each_table(wanted: Callable[[Table], bool]) -> pytest.MarkDecorator:
    tables = [table for table in TABLES if wanted(table)]
    return pytest.mark.parametrize("table", tables, ids=lambda table: table.name)


@each_table(lambda table: table.cells is not None)
def test_every_row_is_there_once(table: Table) -> None:
    expected = table.expected
    found = table.rows[list(expected)]
    if table.within:
        found = found.drop_duplicates()
    found, expected = (
        rows.sort_values(list(rows), ignore_index=True) for rows in (found, expected)
    )
    # Six digits or more of a number are written.
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, rtol=0, atol=1e-6)


@each_table(lambda table: True)
def test_rows_are_told_apart_and_have_enough_samples(table: Table) -> None:
    if table.within:
        assert not table.rows.duplicated(table.columns).any()
    if table.least:
        assert table.rows[table.samples].min() >= table.least


@each_table(lambda table: table.short is not None)
def test_marks_are_those_of_the_rule(table: Table) -> None:
    marked = table.rows["shortfall"].astype(str).isin(["True", "shortfall"])
    assert table.short is not None
    assert marked.tolist() == np.asarray(table.short(table.rows)).tolist()


# docs/methods/simulation.md, "When two simulated shares agree"
@pytest.mark.parametrize(("table", "again"), cells_again(Shares))
def test_shares_agree(table: Table, again: Shares) -> None:
    made, committed = table.made_again(again)
    sign = -1 if again.first else 1
    for share in again.shares.split():
        p = committed[share].clip(again.least, 1 - again.least)
        parts = 1 / made[table.samples] + sign / committed[table.samples]
        apart = (made[share] - committed[share]).abs()
        assert (apart <= 4 * np.sqrt(p * (1 - p) * parts) + 1e-9).all(), share


@pytest.mark.parametrize(("table", "again"), cells_again(Same))
def test_numbers_are_the_same(table: Table, again: Same) -> None:
    made, committed = table.made_again(again)
    for name in again.columns.split() or made.columns:
        if is_numeric_dtype(made[name]):
            np.testing.assert_allclose(
                made[name].astype(float), committed[name], again.rtol, again.atol, err_msg=name
            )
        else:
            assert made[name].tolist() == committed[name].tolist(), name


FOLDERS = ("coverage", "power", "roe_metz", "size")
NAMES = [f"{name}/{path.stem}" for name in FOLDERS for path in sorted(ROOT.glob(f"{name}/*.csv"))]
SHARES = ("coverage", "containment", "size", "rejected")
DEFINED = ("defined", "share_fitted", "share_given", "share_known")
OF_AREAS = {"auc", "auc_resampled", "bars", "heldout", "heldout_levels", "multiclass", "partial",
            "unequal", "verification"}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_shares_add_up(name: str) -> None:
    """One sample is a share of 5e-5 or more; shares have six digits."""
    rows = read(name)
    if "seed" in rows:
        assert rows["seed"].nunique() == 1
    if name.removeprefix("coverage/") in OF_AREAS:
        assert rows["mean_width"].between(0, 1, inclusive="neither").all()
    for ends in (["miss_low", "miss_high"], ["below", "above"]):
        if {"coverage", *ends} <= {*rows}:
            one = rows if "target" not in rows else rows[rows["target"] != "both"]
            total = one[["coverage", *ends]].sum(axis=1)
            np.testing.assert_allclose(total, 1, atol=2e-6)
        if {"containment", *ends} <= {*rows}:
            assert (rows[["containment", *ends]].sum(axis=1) >= 1 - 1e-5).all()
    if "se" in rows:
        p = next(rows[column] for column in SHARES if column in rows)
        known = [rows[column] for column in DEFINED if column in rows]
        samples = rows["replicates"] * (known[0] if known else 1)
        error = np.sqrt(p * (1 - p) / samples)
        np.testing.assert_allclose(rows["se"], error, atol=1e-5 if known else 1e-6)


def test_every_table_with_marks_has_a_rule() -> None:
    marked = {name for name in NAMES if "shortfall" in read(name)}
    assert marked == {*(table.name for table in TABLES if table.short), "size/mover_limits"}


def test_marks_of_two_kinds_are_those_of_the_rule() -> None:
    kinds = read("coverage/cluster_df")
    short = too_low(kinds["coverage"], 0.95, kinds["usable"])
    assert kinds["coverage_shortfall"].tolist() == short.tolist()
    assert kinds["size_shortfall"].tolist() == too_often("size")(kinds).tolist()
    for row in read("size/mover_limits").to_dict("records"):
        tested = mover_limits.METHODS if row["set"] != "power" else ()
        marked = [name for name in tested if too_high(row[name], 0.025, row["replicates"])]
        assert row["shortfall"] == "; ".join(marked)


# docs/methods/simulation.md, "Shortfalls", prints both numbers.
@pytest.mark.parametrize(
    ("name", "by_rule", "by_own"),
    [
        ("heldout", 1192, 859),
        ("heldout_levels", 259, 150),
        ("unequal", 51, 47),
        ("partial", 201, 169),
    ],
)
def test_tables_with_a_bound_of_their_own(name: str, by_rule: int, by_own: int) -> None:
    rows = read(f"coverage/{name}")
    level = np.asarray(rows.get("confidence_level", 0.95))
    assert rows["shortfall"].sum() == by_own
    assert too_low(rows["coverage"], level, rows["replicates"]).sum() == by_rule


def test_four_errors_and_the_margin_by_hand() -> None:
    # the error of .95 in 1900 samples is .005
    assert too_low([0.9299, 0.9301, 0.96], 0.95, 1900).tolist() == [True, False, False]
    assert too_high([0.0699, 0.0701], 0.05, 1900).tolist() == [False, True]
    assert below_margin([0.9299, 0.93, 0.95], 0.95).tolist() == [True, False, False]


@pytest.mark.parametrize(
    "run",
    [
        call(simulate.run_cell, designs.CELLS[7], 5, 1),
        call(roles.run_role_cell, roles.CLUSTER_CELLS[2], "auc_clusters", 4, 1),
        call(heldout.run_heldout_cell, heldout_designs.HELDOUT_CELLS[0], 50, 1),
        call(bars.run_bar_cell, bars.BAR_CELLS[14], 5, 1),
        call(costs.run_cost_cell, costs.CELLS[0], 2, 1),
        call(points.run_point_cell, points.POINT_CELLS[2], 20, 1),
        call(curves.run_cell, curves.CELLS[5], 3, 1),
        call(clustered_measures.run_cluster_cell, 1, 3),
    ],
    ids=lambda run: run.func.__name__,
)
def test_a_cell_is_a_function_of_itself_and_the_seed(run: Callable[[], Rows]) -> None:
    pd.testing.assert_frame_equal(pd.DataFrame(run()), pd.DataFrame(run()))


@pytest.mark.parametrize(
    "run",
    [
        lambda number: imputation.limits_of_cell(0, number, imputation.SEED),
        lambda number: grey_zone.limits_of_cell(3, number, grey_zone.SEED),
        lambda number: subgroups.p_values_of_cell(24, number, subgroups.SEED),
        lambda number: designs.CELLS[7].draw(np.random.default_rng(1), number),
        lambda number: roles.CLUSTER_CELLS[2].draw(np.random.default_rng(1), number),
    ],
    ids=["imputation", "grey_zone", "subgroups", "areas", "clusters"],
)
def test_a_shorter_run_is_the_start_of_a_longer_one(run: Callable[[int], Any]) -> None:
    np.testing.assert_array_equal(run(2), run(4)[:2])
