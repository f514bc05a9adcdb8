"""Commands about thresholds: operating points, cutpoints, goals, and zones of scores."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from rocstats.commands.cases import Cases, Thresholds, one_threshold, thresholds_of
from rocstats.commands.options import (
    Level,
    Prevalences,
    Rates,
    Side,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import Output, OutputAndFigure, ResamplingOptions
from rocstats.curves.criteria import CriterionName
from rocstats.errors import InputError
from rocstats.estimate.rates import Reading as RateReading
from rocstats.facts.measures import PREDICTIVE_VALUES, STARD
from rocstats.inference.cutpoints.smooth import CutMethod
from rocstats.plots.points import plot_measures
from rocstats.plots.predictive_values import plot_predictive_values

# 1 - 0.9 is 0.09999999999999998.
_DECIMALS = 12

Quantities = Annotated[
    list[str] | None,
    typer.Option("--quantity", help="Print this measure only, such as ppv (repeatable)."),
]
# A curve in print resolves some hundred places.
_DRAWN_PREVALENCES = 100
Prevalence = Annotated[float | None, command_option_of_parameter("prevalence")]


def points(
    cases: Cases,
    draws: ResamplingOptions,
    output: OutputAndFigure,
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SCORE=]VALUE",
            help="Threshold, of all scores or of one such as area=600 (repeatable); all: the"
            " criterion table.",
        ),
    ] = None,
    fpr: Rates = None,
    tpr: Annotated[list[float] | None, command_option_of_parameter("tpr", repeatable=True)] = None,
    at_sensitivity: Annotated[
        str | None,
        typer.Option(
            metavar="80,90,...",
            help="Rows of the criterion table that reach these sensitivities (percent).",
        ),
    ] = None,
    at_specificity: Annotated[
        str | None,
        typer.Option(metavar="80,90,...", help="The same of specificities (percent)."),
    ] = None,
    reading: Annotated[
        RateReading, typer.Option(help="How the curve is read at a rate.")
    ] = "interpolated",
    quantity: Quantities = None,
    prevalence: Prevalences = None,
    level: Level = 0.95,
) -> None:
    r"""Print sensitivity, specificity, predictive values and ratios at thresholds or rates.

    The figure has the measures (--quantity; else sensitivity and specificity)
    against the threshold with --threshold all, or predictive values against the
    prevalence with two or more prevalences.

    rocstats points patients.csv diagnosis area --positive malignant \
      --threshold 600 --prevalence 0.05

    rocstats points patients.csv diagnosis area --positive malignant \
      --threshold all --layout wide --quantity tpr --quantity tnr --figure all.pdf

    rocstats points patients.csv diagnosis area --positive malignant \
      --threshold 600 --prevalence 0.05 --prevalence 0.2 --prevalence 0.5 \
      --figure values.pdf

    rocstats points patients.csv diagnosis area texture --positive malignant \
      --fpr 0.1 --quantity tpr --seed 1 --resamples 200

    rocstats points patients.csv diagnosis area --positive malignant \
      --at-sensitivity 80,90,95,97.5 --layout wide --seed 1
    """
    # Every vertex of the curve: a criterion table.
    chosen = "all" if threshold == ["all"] else thresholds_of(threshold)
    rows = given_command_options(
        tpr=_shares_of_percentages("--at-sensitivity", at_sensitivity),
        fpr=_complements(_shares_of_percentages("--at-specificity", at_specificity)),
    )
    places = given_command_options(threshold=chosen, fpr=fpr, tpr=tpr)
    if len(places) + len(rows) != 1:
        raise InputError(
            "One of `--threshold`, `--fpr`, `--tpr`, `--at-sensitivity` and `--at-specificity` must"
            f" be given; got {len(places) + len(rows)} of them. Pass one of them."
        )
    if rows:
        # A row of the criterion table is a threshold, not a point between two.
        places, reading, quantity = rows, "attained", quantity or list(STARD)
    of_prevalence = chosen != "all" and len(set(prevalence or [])) > 1
    if output.figure is not None:
        _require_axis_of_figure(cases, against_threshold=chosen == "all", drawn=of_prevalence)
    study = cases.study()
    asked: dict[str, Any] = {**places, "reading": reading, "confidence_level": level}
    frame = output.answer(
        study.operating_points, draws, quantities=quantity, prevalence=prevalence, **asked
    )
    if output.figure is not None and prevalence and of_prevalence:
        between = np.linspace(min(prevalence), max(prevalence), _DRAWN_PREVALENCES).tolist()
        of_figure = {"quantities": PREDICTIVE_VALUES, "prevalence": between}
        values = study.operating_points(
            **given_command_options(**asked), **of_figure, **draws.arguments()
        )
        output.draw(lambda ax: plot_predictive_values(values, ax=ax), 0.7)
    else:
        output.draw(lambda ax: plot_measures(frame, quantity or ("tpr", "tnr"), ax=ax), 0.7)


def _require_axis_of_figure(cases: Cases, *, against_threshold: bool, drawn: bool) -> None:
    """Raise InputError unless points have an axis: a prevalence, or the thresholds of one score."""
    if not against_threshold and not drawn:
        raise InputError(
            "`--figure` must be used with --threshold all, or with two or more prevalences; got"
            " neither. Pass one of them, or draw the curve: rocstats plot --help."
        )
    if against_threshold and (len(cases.scores) > 1 or cases.group):
        raise InputError(
            "`--figure` with --threshold all must be of one score, since scores have different"
            " scales, and without --group; got several curves. Run the command once for each."
        )


def _shares_of_percentages(option: str, text: str | None) -> list[float] | None:
    """Return percentages such as "80,97.5" as shares."""
    if text is None:
        return None
    try:
        shares = [round(float(part) / 100, _DECIMALS) for part in text.split(",")]
    except ValueError:
        shares = []
    if not shares or not all(0 < share < 1 for share in shares):
        raise InputError(
            f"`{option}` must be percentages between 0 and 100, divided by commas; got {text!r}."
            " Pass for instance 80,90,95,97.5."
        )
    return shares


def _complements(shares: list[float] | None) -> list[float] | None:
    return None if shares is None else [round(1 - share, _DECIMALS) for share in shares]


def cutpoint(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    criterion: Annotated[
        CriterionName, typer.Option(help="What the cutpoint optimizes.")
    ] = "youden",
    tpr: Annotated[float | None, typer.Option(help="Sensitivity, of fixed-tpr.")] = None,
    fpr: Annotated[float | None, typer.Option(help="False positive rate, of fixed-fpr.")] = None,
    cost_fp: Annotated[
        float | None, typer.Option(help="Cost of a false positive, of cost.")
    ] = None,
    cost_fn: Annotated[
        float | None, typer.Option(help="Cost of a false negative, of cost.")
    ] = None,
    prevalence: Prevalence = None,
    method: Annotated[CutMethod, typer.Option(help="How the curve is estimated.")] = "empirical",
    level: Level = 0.95,
) -> None:
    r"""Print the optimal cutpoint of each score, with its rates and their intervals.

    rocstats cutpoint patients.csv diagnosis area --positive malignant --seed 1

    rocstats cutpoint patients.csv diagnosis area --positive malignant --seed 1 \
      --criterion cost --cost-fp 1 --cost-fn 5 --prevalence 0.05
    """
    output.answer(
        cases.study().cutpoints,
        draws,
        criterion=criterion,
        tpr=tpr,
        fpr=fpr,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        prevalence=prevalence,
        method=method,
        confidence_level=level,
    )


def goals(
    cases: Cases,
    output: Output,
    tpr: Annotated[float, typer.Option(help="Goal of the sensitivity.")],
    tnr: Annotated[float, typer.Option(help="Goal of the specificity.")],
    threshold: Thresholds = None,
    alternative: Side = "greater",
    level: Level = 0.95,
) -> None:
    r"""Print a test of sensitivity and specificity at a threshold against their goals.

    rocstats goals patients.csv diagnosis area --positive malignant \
      --threshold 600 --tpr 0.85 --tnr 0.8
    """
    chosen = one_threshold(threshold)
    if chosen is None:
        raise InputError("`--threshold` must be given; got none. Pass the threshold of the test.")
    output.answer(
        cases.study().test_performance_goals,
        threshold=chosen,
        tpr=tpr,
        tnr=tnr,
        alternative=alternative,
        confidence_level=level,
    )


def likelihood_ratios(
    cases: Cases,
    output: Output,
    edge: Annotated[
        list[float] | None,
        typer.Option(
            help="Limit between two bands, in the upper one (repeatable); each score is a band"
            " unless given."
        ),
    ] = None,
    prevalence: Prevalences = None,
    level: Level = 0.95,
) -> None:
    r"""Print the likelihood ratio of each band of scores, and the probability after the test.

    rocstats likelihood-ratios patients.csv diagnosis area --positive malignant \
      --edge 500 --edge 700 --edge 900 --prevalence 0.05
    """
    output.answer(
        cases.study().band_likelihood_ratios,
        edges=sorted(edge or []),
        prevalence=prevalence,
        confidence_level=level,
    )


def grey_zone(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SCORE=]VALUE",
            help="End of the grey zone, of all scores or of one such as area=600: pass two.",
        ),
    ] = None,
    tpr: Annotated[
        float | None, typer.Option(help="Sensitivity of the threshold that rules disease out.")
    ] = None,
    tnr: Annotated[
        float | None, typer.Option(help="Specificity of the threshold that rules disease in.")
    ] = None,
    prevalence: Prevalence = None,
    level: Level = 0.95,
) -> None:
    r"""Print what a test with two thresholds says below, between and above them.

    rocstats grey-zone patients.csv diagnosis area --positive malignant \
      --tpr 0.95 --tnr 0.95 --seed 1 --resamples 200

    rocstats grey-zone patients.csv diagnosis area --positive malignant \
      --threshold 500 --threshold 800 --prevalence 0.05
    """
    ends = thresholds_of(threshold)
    if isinstance(ends, dict):
        ends = {name: sorted(values) for name, values in ends.items()}
    output.answer(
        cases.study().grey_zone,
        draws,
        thresholds=sorted(ends) if isinstance(ends, list) else ends,
        tpr=tpr,
        tnr=tnr,
        prevalence=prevalence,
        confidence_level=level,
    )
