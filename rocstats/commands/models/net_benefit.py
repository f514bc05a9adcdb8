"""The command about what acting by predicted risks is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from rocstats.commands.cases import Cases
from rocstats.commands.options import Level, given
from rocstats.commands.output import Output, require_new
from rocstats.commands.pictures import PICTURES, Seed, write_picture
from rocstats.errors import InputError
from rocstats.present.plots.costs.net_benefit import plot_net_benefit
from rocstats.present.report.figures import axes_of, figure_of
from rocstats.stats.costs.benefit_limits import BenefitInterval
from rocstats.studies.study import Study

# A curve in print resolves some hundred places.
_POINTS = 100


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
    asked: dict[str, Any] = given(prevalence=prevalence)
    if figure is not None:
        require_new(figure, PICTURES, force=output.force, option="--figure")
        if len(set(risk_threshold)) < 2:
            raise InputError(
                f"`--risk-threshold` must be two or more with --figure; got {risk_threshold}. Name"
                " the ends of the range to draw."
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
        _draw(study, figure, ends, {**asked, "confidence_level": level}, seed)


def _draw(
    study: Study, path: Path, ends: tuple[float, float], asked: dict[str, Any], seed: int
) -> None:
    """Draw the decision curve over a range of risk thresholds into a file, and say so."""
    curve = study.net_benefit(risk_threshold=np.linspace(*ends, _POINTS).tolist(), **asked)
    band = study.net_benefit_band(risk_threshold=ends, rng=seed, **asked)
    write_picture(lambda: figure_of(plot_net_benefit(curve, band=band, ax=axes_of(0.8))), path)
