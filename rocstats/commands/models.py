"""Commands on predicted risks and on subgroups.

``calibration`` prints whether predicted risks are right, ``net-benefit`` what acting by predicted
risks is worth, ``subgroups`` whether a result holds in subgroups.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from rocstats.commands.cases import Cases, Thresholds, one_threshold
from rocstats.commands.curves import Seed
from rocstats.commands.options import Level, command_option_of_parameter, given_command_options
from rocstats.commands.output import OutputAndFigure, ResamplingOptions
from rocstats.commands.points import Quantities
from rocstats.errors import InputError
from rocstats.estimate.benefit import BenefitInterval
from rocstats.estimate.claim import Adjustment
from rocstats.inference.calibration.fits import CurveMethod
from rocstats.plots.calibration import plot_calibration
from rocstats.plots.forest import plot_forest
from rocstats.plots.net_benefit import plot_net_benefit

# --- Calibration ----------------------------------------------------------------------------------


def calibration(
    cases: Cases,
    draws: ResamplingOptions,
    output: OutputAndFigure,
    brier: Annotated[
        bool, typer.Option("--scores", help="Print Brier and log scores instead.")
    ] = False,
    quantity: Quantities = None,
    prevalence: Annotated[
        float | None,
        typer.Option(help="Share of events where the model is used, for case-control studies."),
    ] = None,
    clip: Annotated[float | None, command_option_of_parameter("clip")] = None,
    method: Annotated[CurveMethod, typer.Option(help="How the curve is drawn.")] = "spline",
    level: Level = 0.95,
) -> None:
    r"""Print whether predicted risks are right: observed over expected events, intercept, slope.

    The figure is the calibration curve with its band.

    rocstats calibration risks.csv died model older --layout wide

    rocstats calibration risks.csv died model --figure calibration.pdf

    rocstats calibration risks.csv died model older --scores
    """
    if brier and quantity:
        raise InputError(
            f"`--quantity` must be left out with --scores; got {quantity}. Leave one of them out."
        )
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
    if output.figure is not None:
        asked = {**population, **given_command_options(clip=clip), "method": method}
        curve = study.calibration_curve(**asked)
        band = study.calibration_band(confidence_level=level, **asked, **draws.arguments())
        output.draw(lambda ax: plot_calibration(curve, band=band, ax=ax))


# --- Net benefit ----------------------------------------------------------------------------------

# A curve in print resolves some hundred places.
_CURVE_POINTS = 100


def net_benefit(
    cases: Cases,
    output: OutputAndFigure,
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
    interval: Annotated[BenefitInterval, typer.Option(help="Limits.")] = "mover",
    level: Level = 0.95,
    seed: Seed = 1,
) -> None:
    r"""Print the net benefit of acting by each score, a predicted risk, and of treating all.

    A risk threshold of 0.1 accepts 9 needless treatments for one that is needed.
    The figure is the decision curve with its band, over the range of the risk
    thresholds: it needs two or more.

    rocstats net-benefit risks.csv died model older --risk-threshold 0.1

    rocstats net-benefit risks.csv died model older --risk-threshold 0.1 \
      --reference treat-all

    rocstats net-benefit risks.csv died model --risk-threshold 0.05 \
      --risk-threshold 0.4 --layout wide --figure decision.pdf
    """
    asked: dict[str, Any] = given_command_options(prevalence=prevalence)
    if output.figure is not None and len(set(risk_threshold)) < 2:
        raise InputError(
            "`--risk-threshold` must be two or more numbers with --figure; got"
            f" {risk_threshold}. Pass the ends of the range to draw."
        )
    study = cases.study()
    options = {**asked, "interval": interval, "confidence_level": level}
    if reference is None:
        output.write(study.net_benefit(risk_threshold=risk_threshold, **options))
    else:
        output.write(
            study.compare_net_benefit(risk_threshold=risk_threshold, reference=reference, **options)
        )
    if output.figure is not None:
        ends = min(risk_threshold), max(risk_threshold)
        drawn = {**asked, "confidence_level": level}
        places = np.linspace(*ends, _CURVE_POINTS).tolist()
        curve = study.net_benefit(risk_threshold=places, **drawn)
        band = study.net_benefit_band(risk_threshold=ends, rng=seed, **drawn)
        output.draw(lambda ax: plot_net_benefit(curve, band=band, ax=ax), 0.8)


# --- Subgroups ------------------------------------------------------------------------------------


def subgroups(
    cases: Cases,
    output: OutputAndFigure,
    by: Annotated[list[str], typer.Option(help="Column with subgroups (repeatable).")],
    quantity: Annotated[
        str, typer.Option(help="What is estimated: auc, tpr, calibration_slope, ...")
    ] = "auc",
    threshold: Thresholds = None,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this score instead.")
    ] = None,
    adjust: Annotated[
        Adjustment, typer.Option(help="Correction for the number of columns.")
    ] = "holm",
    level: Level = 0.95,
) -> None:
    r"""Print a measure of each score in every subgroup, with a test of interaction.

    The figure is a forest plot.

    rocstats subgroups risks.csv died model --by sex

    rocstats subgroups risks.csv died model --by sex --quantity calibration_slope

    rocstats subgroups risks.csv died model older --by sex --reference older \
      --figure forest.pdf
    """
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
    output.draw(lambda ax: plot_forest(frame, ax=ax), width="page")
