"""Commands on predicted risks and on subgroups.

``calibration`` prints whether predicted risks are right, ``net-benefit`` what acting by predicted
risks is worth, ``subgroups`` whether a result holds in subgroups.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from rocstats.commands.cases import Cases, Thresholds, one_threshold
from rocstats.commands.curves import Seed, write_picture
from rocstats.commands.options import Level, command_option_of_parameter, given_command_options
from rocstats.commands.output import Output, ResamplingOptions, require_new_output_file
from rocstats.commands.points import Quantities
from rocstats.errors import InputError
from rocstats.estimate.benefit import BenefitInterval
from rocstats.estimate.claim import Adjustment
from rocstats.inference.calibration.fits import CurveMethod
from rocstats.plots.calibration import plot_calibration
from rocstats.plots.files import PICTURES
from rocstats.plots.forest import plot_forest
from rocstats.plots.net_benefit import plot_net_benefit
from rocstats.reports.figures import figure_of, new_axes_outside_pyplot
from rocstats.studies.studies import Study

# --- Calibration ----------------------------------------------------------------------------------


def calibration(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    brier: Annotated[
        bool, typer.Option("--scores", help="Print Brier and log scores instead.")
    ] = False,
    quantity: Quantities = None,
    prevalence: Annotated[
        float | None,
        typer.Option(help="Share of events where the model is used, for case-control studies."),
    ] = None,
    clip: Annotated[float | None, command_option_of_parameter("clip")] = None,
    figure: Annotated[
        Path | None,
        typer.Option(help=f"Draw the calibration curve too, with band: {', '.join(PICTURES)}."),
    ] = None,
    method: Annotated[
        CurveMethod, typer.Option(case_sensitive=False, help="How the curve is drawn.")
    ] = "spline",
    level: Level = 0.95,
) -> None:
    r"""Print whether predicted risks are right: observed over expected events, intercept, slope.

    rocstats calibration risks.csv died model older --layout wide

    rocstats calibration risks.csv died model --figure calibration.pdf

    rocstats calibration risks.csv died model older --scores
    """
    if brier and quantity:
        raise InputError(
            f"`--quantity` must be left out with --scores; got {quantity}. Leave one of them out."
        )
    if figure is not None:
        require_new_output_file(figure, PICTURES, force=output.force, option="--figure")
    study = cases.study()
    population: dict[str, Any] = given_command_options(prevalence=prevalence)
    if brier:
        output.write(study.probability_scores(confidence_level=level, **population))
    else:
        options = {
            **population,
            **given_command_options(quantities=quantity, clip=clip),
            **draws.arguments(),
        }
        output.write(study.calibration(confidence_level=level, **options))
    if figure is not None:
        _draw_calibration_curve(
            study, figure, method, {**population, **given_command_options(clip=clip)}, level, draws
        )


def _draw_calibration_curve(
    study: Study,
    path: Path,
    method: CurveMethod,
    options: dict[str, Any],
    level: float,
    draws: ResamplingOptions,
) -> None:
    """Draw the calibration curve with its band into a file, and say so."""
    curve = study.calibration_curve(method=method, **options)
    band = study.calibration_band(
        method=method, confidence_level=level, **options, **draws.arguments()
    )
    write_picture(
        lambda: figure_of(plot_calibration(curve, band=band, ax=new_axes_outside_pyplot(1.0))), path
    )


# --- Net benefit ----------------------------------------------------------------------------------

# A curve in print resolves some hundred places.
_CURVE_POINTS = 100


def net_benefit(
    cases: Cases,
    output: Output,
    risk_threshold: Annotated[
        list[float],
        typer.Option(help="Risk from which on one would act, such as 0.1 (repeatable)."),
    ],
    reference: Annotated[
        str | None,
        typer.Option(help="Print differences from this score instead, or from treat-all."),
    ] = None,
    prevalence: Annotated[
        float | None, typer.Option(help="Share of positives where the model is used.")
    ] = None,
    interval: Annotated[
        BenefitInterval, typer.Option(case_sensitive=False, help="Limits.")
    ] = "mover",
    figure: Annotated[
        Path | None,
        typer.Option(help=f"Draw the decision curve too, with band: {', '.join(PICTURES)}."),
    ] = None,
    level: Level = 0.95,
    seed: Seed = 1,
) -> None:
    r"""Print the net benefit of acting by each score, a predicted risk, and of treating all.

    A risk threshold of 0.1 accepts 9 needless treatments for one that is needed.
    The figure is over the range of the risk thresholds: it needs two or more.

    rocstats net-benefit risks.csv died model older --risk-threshold 0.1

    rocstats net-benefit risks.csv died model older --risk-threshold 0.1 \
      --reference treat-all

    rocstats net-benefit risks.csv died model --risk-threshold 0.05 \
      --risk-threshold 0.4 --layout wide --figure decision.pdf
    """
    asked: dict[str, Any] = given_command_options(prevalence=prevalence)
    if figure is not None:
        require_new_output_file(figure, PICTURES, force=output.force, option="--figure")
        if len(set(risk_threshold)) < 2:
            raise InputError(
                f"`--risk-threshold` must be two or more with --figure; got {risk_threshold}."
                " Pass the ends of the range to draw."
            )
    study = cases.study()
    options = {**asked, "interval": interval, "confidence_level": level}
    if reference is None:
        output.write(study.net_benefit(risk_threshold=risk_threshold, **options))
    else:
        output.write(
            study.compare_net_benefit(risk_threshold=risk_threshold, reference=reference, **options)
        )
    if figure is not None:
        ends = min(risk_threshold), max(risk_threshold)
        _draw_decision_curve(study, figure, ends, {**asked, "confidence_level": level}, seed)


def _draw_decision_curve(
    study: Study, path: Path, ends: tuple[float, float], options: dict[str, Any], seed: int
) -> None:
    """Draw the decision curve over a range of risk thresholds into a file, and say so."""
    curve = study.net_benefit(risk_threshold=np.linspace(*ends, _CURVE_POINTS).tolist(), **options)
    band = study.net_benefit_band(risk_threshold=ends, rng=seed, **options)
    write_picture(
        lambda: figure_of(plot_net_benefit(curve, band=band, ax=new_axes_outside_pyplot(0.8))), path
    )


# --- Subgroups ------------------------------------------------------------------------------------


def subgroups(
    cases: Cases,
    output: Output,
    by: Annotated[list[str], typer.Option(help="Column with subgroups (repeatable).")],
    quantity: Annotated[
        str, typer.Option(help="What is estimated: auc, tpr, calibration_slope, ...")
    ] = "auc",
    threshold: Thresholds = None,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this score instead.")
    ] = None,
    adjust: Annotated[
        Adjustment,
        typer.Option(case_sensitive=False, help="Correction for the number of columns."),
    ] = "holm",
    figure: Annotated[
        Path | None, typer.Option(help=f"Draw the forest plot too: {', '.join(PICTURES)}.")
    ] = None,
    level: Level = 0.95,
) -> None:
    r"""Print a measure of each score in every subgroup, with a test of interaction.

    rocstats subgroups risks.csv died model --by sex

    rocstats subgroups risks.csv died model --by sex --quantity calibration_slope

    rocstats subgroups risks.csv died model older --by sex --reference older \
      --figure forest.pdf
    """
    if figure is not None:
        require_new_output_file(figure, PICTURES, force=output.force, option="--figure")
    options: dict[str, Any] = given_command_options(
        threshold=one_threshold(threshold), reference=reference
    )
    study, data = cases.study_and_data(by=by)
    # Rows that were left out are in no subgroup; the labels of the others are their places.
    kept = data if study._index is None else data.loc[study._index]
    frame = study.subgroups(
        by, data=kept, quantity=quantity, adjust=adjust, confidence_level=level, **options
    )
    output.write(frame)
    if figure is not None:
        write_picture(
            lambda: figure_of(plot_forest(frame, ax=new_axes_outside_pyplot(1.0, "page"))), figure
        )
