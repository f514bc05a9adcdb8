"""Commands that plan a study: its power, its size."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from functools import partial
from typing import Annotated, Any

import typer

from rocstats.commands.cases import Cases, CasesOrExample
from rocstats.commands.options import Margin, given_command_options
from rocstats.commands.output import Output
from rocstats.errors import InputError
from rocstats.estimate.claim import Hypothesis
from rocstats.estimate.quantiles import Alternative
from rocstats.estimate.readers import Effect
from rocstats.inference.planning.designs import (
    AreaModel,
    OneAUC,
    OneRate,
    PairedAUCs,
    PairedRateMethod,
    PairedRates,
    PilotAUCs,
    PlannedRate,
    TwoAUCs,
)
from rocstats.inference.planning.plan import power as power_of
from rocstats.inference.planning.plan import sample_size
from rocstats.inference.planning.reader_plan import ReaderDesign
from rocstats.inference.planning.simulated_studies import Nested, Structure
from rocstats.studies.studies import Study

# Options of areas, of rates, and of readers.
_area = partial(typer.Option, rich_help_panel="The planned study: areas")
_rate = partial(typer.Option, rich_help_panel="The planned study: sensitivity or specificity")
_readers = partial(typer.Option, rich_help_panel="The planned study: several readers")


_OF_ANY = {"alpha", "simulate", "n_simulations", "seed"}
"""Options of every plan, which are no words of its design."""
_DESIGNS = {"auc": OneAUC, "rate": OneRate, "only_predictor": PairedRates, "pilot": PilotAUCs}
"""Designs by the option that begins them; others are in ``_design_of_areas_to_plan``."""


NReaders = Annotated[list[int] | None, _readers(help="Number of readers (repeatable).")]
NGroups = Annotated[
    list[int] | None,
    _readers(help="Groups of readers with cases of their own (repeatable): 1 unless given."),
]


@dataclass(frozen=True, kw_only=True)
class Pilot(CasesOrExample):
    """The file of a pilot study; none unless the plan rests on one."""

    def study_if_given(self) -> Study | None:
        """Return the study of the pilot, or None."""
        if self.file is None:
            return None
        if len(self.scores or []) != 2:
            raise InputError(
                "`FILE OUTCOME SCORE SCORE` must be a pilot study with two scores; got"
                f" {len(self.scores or [])}. Name the scores to compare."
            )
        return Cases.study(self)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Assumptions about one area or rate, or about two."""

    auc: Annotated[float | None, _area(help="Assumed area.")] = None
    null_auc: Annotated[float | None, _area(help="Value that one area is tested against: 0.5.")] = (
        None
    )
    reference_auc: Annotated[
        float | None, _area(help="Assumed area of a second score or group.")
    ] = None
    correlation_pos: Annotated[
        float | None,
        _area(help="Correlation of two scores of the same positives."),
    ] = None
    correlation_neg: Annotated[
        float | None,
        _area(help="Correlation of two scores of the same negatives."),
    ] = None
    difference: Annotated[
        float | None,
        _area(help="Assumed difference of two areas; that of the pilot unless given."),
    ] = None
    variance: Annotated[AreaModel | None, _area(help="Model of the variance.")] = None
    structure: Annotated[
        Structure | None,
        _readers(
            help="Variances of Roe & Metz: correlation of ratings, variability of readers"
            " (High or Low)."
        ),
    ] = None
    readers: Annotated[
        Effect | None,
        _readers(help="Readers: random (of a population) unless given."),
    ] = None
    nested: Annotated[
        Nested | None,
        _readers(help="What each modality has of its own: nothing unless given."),
    ] = None
    quantity: Annotated[
        PlannedRate | None,
        _rate(help="Sensitivity (tpr, unless given) or specificity."),
    ] = None
    rate: Annotated[float | None, _rate(help="Assumed rate of one test.")] = None
    goal: Annotated[float | None, _rate(help="Value that one rate is tested against.")] = None
    only_predictor: Annotated[
        float | None, _rate(help="Share that only the first test gets right.")
    ] = None
    only_reference: Annotated[
        float | None, _rate(help="Share that only the second test gets right.")
    ] = None
    method: Annotated[
        PairedRateMethod | None,
        _rate(help="Test of rates; exact for one, mid-p for two, unless given."),
    ] = None
    alternative: Annotated[
        Alternative | None,
        typer.Option(help="Side of the test: two-sided, of one rate greater, unless given."),
    ] = None
    hypothesis: Annotated[
        Hypothesis | None, typer.Option(help="Claim to test; default: a difference.")
    ] = None
    margin: Margin = None
    alpha: Annotated[float, typer.Option(help="One minus the confidence level.")] = 0.05
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Simulate studies of this size too.")
    ] = False
    n_simulations: Annotated[int, typer.Option(help="Number of simulated studies.")] = 2000
    seed: Annotated[int | None, typer.Option(help="Seed of the simulation.", min=0)] = None

    def design(self, pilot: Study | None) -> Any:
        """Return the design that the options, or the study that was a pilot, describe."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        words = given_command_options(
            **{name: options[name] for name in options.keys() - _OF_ANY}, pilot=pilot
        )
        starts = [start for start in _DESIGNS if start in words]
        if len(starts) != 1:
            raise InputError(
                "One of `--auc`, `--rate`, `--only-predictor` and `FILE` (a pilot study) must be"
                f" passed; got {len(starts)} of them. See: rocstats size --help."
            )
        design = _design_of_areas_to_plan(words) if starts == ["auc"] else _DESIGNS[starts[0]]
        if design in (OneRate, PairedRates):
            words.setdefault("quantity", "tpr")
        if design is PairedRates and "only_reference" not in words:
            raise InputError(
                "`--only-reference` must be given with --only-predictor; got none. Pass both"
                " shares."
            )
        known = {field.name for field in fields(design)}
        for name in words.keys() - known:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                f"`{option}` must be left out with `{_option_that_starts_plan(starts[0])}`; got"
                f" {words[name]!r}. Leave it out."
            )
        return design(**words)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that power and size have in common."""
        return {
            "alpha": self.alpha,
            "simulate": self.simulate,
            "n_simulations": self.n_simulations,
            "rng": self.seed,
            "progress": sys.stderr.isatty(),
        }


def _design_of_areas_to_plan(words: dict[str, Any]) -> Any:
    """Return the design of one area, of two on the same cases or on others, or of readers."""
    if "structure" in words:
        return ReaderDesign
    correlations = {"correlation_pos", "correlation_neg"} & words.keys()
    if "reference_auc" not in words:
        if (
            correlations
            or "margin" in words
            or words.get("hypothesis", "difference") != "difference"
        ):
            raise InputError(
                "`--reference-auc` must be given for a comparison of two areas; got none."
                " Pass it, or leave out --hypothesis, --margin and correlations."
            )
        return OneAUC
    if "null_auc" in words or len(correlations) == 1:
        raise InputError(
            "`--reference-auc` must be passed without --null-auc, and with both correlations (two"
            " scores of the same cases) or without correlations (two groups); got other options."
            " See: rocstats size --help."
        )
    return PairedAUCs if correlations else TwoAUCs


def _option_that_starts_plan(start: str) -> str:
    return "FILE" if start == "pilot" else f"--{start.replace('_', '-')}"


def power(
    plan: Plan,
    pilot: Pilot,
    output: Output,
    n_pos: Annotated[
        list[int] | None, typer.Option(help="Number of positives (repeatable).")
    ] = None,
    n_neg: Annotated[
        list[int] | None, typer.Option(help="Number of negatives (repeatable).")
    ] = None,
    n_readers: NReaders = None,
    n_groups: NGroups = None,
) -> None:
    r"""Print the power of a planned study of areas, sensitivities or specificities.

    FILE OUTCOME SCORE SCORE is a pilot study, for a comparison of two areas.

    rocstats power --auc 0.8 --null-auc 0.7 --n-pos 100 --n-neg 200

    rocstats power --auc 0.85 --reference-auc 0.8 --n-pos 100 --n-neg 100 \
      --correlation-pos 0.5 --correlation-neg 0.5

    rocstats power --rate 0.9 --goal 0.8 --n-pos 100 --n-pos 150

    rocstats power --auc 0.85 --reference-auc 0.78 --structure HH --n-readers 8 \
      --n-pos 100 --n-neg 100
    """
    cases = given_command_options(n_pos=n_pos, n_neg=n_neg, n_readers=n_readers, n_groups=n_groups)
    frame = power_of(plan.design(pilot.study_if_given()), **cases, **plan.arguments())
    output.write(frame, estimates=False)


def size(
    plan: Plan,
    pilot: Pilot,
    output: Output,
    power: Annotated[list[float] | None, typer.Option(help="Wanted power (repeatable).")] = None,
    half_width: Annotated[
        list[float] | None, typer.Option(help="Wanted half width of the interval (repeatable).")
    ] = None,
    ratio: Annotated[
        float | None, typer.Option(help="Negatives per positive: 1 unless given.")
    ] = None,
    n_readers: NReaders = None,
    n_groups: NGroups = None,
) -> None:
    r"""Print the number of cases that a study of areas, sensitivities or specificities needs.

    FILE OUTCOME SCORE SCORE is a pilot study, for a comparison of two areas.

    rocstats size --auc 0.8 --null-auc 0.7 --power 0.9

    rocstats size --auc 0.85 --reference-auc 0.8 --power 0.8 --power 0.9 \
      --correlation-pos 0.5 --correlation-neg 0.5

    rocstats size --quantity tnr --rate 0.9 --goal 0.8 --power 0.8

    rocstats size --only-predictor 0.15 --only-reference 0.05 --power 0.8

    rocstats size --auc 0.85 --reference-auc 0.78 --structure HH --n-readers 12 \
      --power 0.8

    rocstats size pilot.csv disease test_a test_b --positive yes \
      --difference 0.05 --power 0.8
    """
    wanted = given_command_options(
        power=power, half_width=half_width, ratio=ratio, n_readers=n_readers, n_groups=n_groups
    )
    design = plan.design(pilot.study_if_given())
    frame = sample_size(design, **wanted, **plan.arguments())
    output.write(frame, estimates=False)
