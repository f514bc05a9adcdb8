"""Commands about areas: intervals, differences, chance, the binormal curve, verification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.cases import (
    Cases,
    Clusters,
    Lower,
    Positive,
    Rows,
    Scores,
    Thresholds,
    number_in_option_text,
    one_threshold,
    option_texts_by_name,
    role_option,
)
from rocstats.commands.counted import counted_areas
from rocstats.commands.options import (
    FprRange,
    Level,
    Margin,
    Side,
    Tested,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import Output, ResamplingOptions
from rocstats.commands.reading import report_parsing
from rocstats.errors import InputError
from rocstats.estimate.areas import Variance
from rocstats.estimate.claim import AreaAdjustment, ComparisonMethod
from rocstats.estimate.classes import MulticlassMethod
from rocstats.estimate.compare import ComparedAcross
from rocstats.estimate.intervals import AREA_INTERVALS
from rocstats.inference.auc.published import compare_published_auc
from rocstats.inference.binormal import FitMethod
from rocstats.inference.chance.areas import ChanceMethod
from rocstats.inference.verification.areas import VerifiedInterval
from rocstats.inference.verification.areas import verified_auc as verified_area
from rocstats.study import large_files as large
from rocstats.study.cells import (
    is_column_of_labels,
    label_meant,
)

_INTERVALS = ", ".join(record.word for record in AREA_INTERVALS)
# Plain text, so that a wrong word gets the message of the library, which knows the reasons.
Interval = Annotated[
    str | None, typer.Option(help=f"Interval: {_INTERVALS}; logit-t or logit unless given.")
]


Covariates = Annotated[list[str] | None, command_option_of_parameter("covariate", repeatable=True)]
WithinGroups = Annotated[
    bool,
    typer.Option(
        "--within-groups", help="Compare cases of the same --group only, such as a centre."
    ),
]


def auc(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    level: Level = 0.95,
    interval: Interval = None,
    variance: Annotated[Variance, typer.Option(help="Variance of the area.")] = "delong",
    fpr_range: FprRange = None,
    covariate: Covariates = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE",
            help="Print the areas at values of each --covariate instead (repeatable).",
        ),
    ] = None,
    within_groups: WithinGroups = False,
) -> None:
    r"""Print the area under the curve of each score with its interval.

    rocstats auc patients.csv diagnosis area texture --positive malignant

    rocstats auc patients.csv diagnosis area --positive malignant \
      --covariate texture

    rocstats auc patients.csv diagnosis area --positive malignant \
      --covariate texture --at texture=15 --at texture=25

    rocstats auc patients.csv diagnosis area texture --positive malignant \
      --style jama --out areas.docx --methods
    """
    asked: dict[str, Any] = {
        "interval": interval,
        "variance": variance,
        "confidence_level": level,
        "fpr_range": fpr_range,
    }
    unusual = {
        "fpr_range": fpr_range,
        "variance": None if variance == "delong" else variance,
        "resamples": draws.resamples,
        "seed": draws.seed,
    }
    if at and not covariate:
        raise InputError(
            f"`--at` must be used with --covariate; got {at}. Name the columns, or leave it out."
        )
    if within_groups:
        _require_options_left_out("areas within groups", **unusual, covariate=covariate or None)
        output.answer(cases.study().stratified_auc, interval=interval, confidence_level=level)
    elif covariate:
        _require_options_left_out("adjusted areas", interval=interval, **unusual)
        study, data = cases.study_and_data(covariate)
        if at:
            values = _values_of_covariates(data, covariate, at)
            output.answer(study.covariate_auc, at=values, confidence_level=level)
        else:
            output.answer(study.adjusted_auc, confidence_level=level)
    elif large.is_large(cases.file):
        output.write(counted_areas(cases, draws, **asked))
    else:
        output.answer(cases.study().auc, draws, **asked)


def _values_of_covariates(
    data: pd.DataFrame, covariates: list[str], texts: list[str]
) -> dict[str, list[str] | list[float]]:
    """Return the values of each covariate from texts COLUMN=VALUE: labels, or numbers."""
    values: dict[str, list[str]] = {}
    for text in texts:
        for name, value in option_texts_by_name("--at", [text]).items():
            values.setdefault(name, []).append(value)
    if values.keys() != set(covariates):
        raise InputError(
            f"`--at` must have values of each --covariate, which are {', '.join(covariates)}; got"
            f' {", ".join(values)}. Pass for instance --at "{covariates[0]}=...".'
        )
    return {
        name: of_name
        if is_column_of_labels(data[name])
        else [number_in_option_text(value, "--at", "COLUMN=NUMBER") for value in of_name]
        for name, of_name in values.items()
    }


def compare(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    level: Level = 0.95,
    reference: Annotated[
        str | None, typer.Option(help="Compare each score with this one only.")
    ] = None,
    across: Annotated[ComparedAcross, typer.Option(help="Comparison to make.")] = "predictors",
    hypothesis: Tested = "difference",
    margin: Margin = None,
    alternative: Side = "two-sided",
    adjust: Annotated[
        AreaAdjustment,
        typer.Option(help="Correction for several tests; single-step: simultaneous intervals too."),
    ] = "holm",
    method: Annotated[
        ComparisonMethod | None, typer.Option(help="Test of areas; delong unless given.")
    ] = None,
    fpr_range: FprRange = None,
    threshold: Thresholds = None,
    fpr: Annotated[
        list[float] | None,
        typer.Option(help="Compare sensitivities at this false positive rate (repeatable)."),
    ] = None,
    tpr: Annotated[
        list[float] | None,
        typer.Option(help="Compare specificities at this sensitivity (repeatable)."),
    ] = None,
    covariate: Covariates = None,
    within_groups: WithinGroups = False,
) -> None:
    r"""Print the difference of areas of every two scores, with test; or of operating points.

    rocstats compare patients.csv diagnosis area texture --positive malignant

    rocstats compare patients.csv diagnosis area texture --positive malignant \
      --hypothesis non-inferiority --margin 0.05 --reference texture

    rocstats compare patients.csv diagnosis area texture symmetry \
      --positive malignant --adjust single-step

    rocstats compare patients.csv diagnosis area texture --positive malignant \
      --threshold area=600 --threshold texture=20

    rocstats compare patients.csv diagnosis area texture --positive malignant \
      --covariate symmetry

    rocstats compare joint.csv disease rapid laboratory --frequency n \
      --threshold 1
    """
    asked: dict[str, Any] = {
        "reference": reference,
        "alternative": alternative,
        "adjust": adjust,
        "confidence_level": level,
    }
    claim: dict[str, Any] = {"hypothesis": hypothesis, "margin": margin}
    places = given_command_options(threshold=one_threshold(threshold), fpr=fpr, tpr=tpr)
    of_areas: dict[str, Any] = {"method": method, "fpr_range": fpr_range}
    study = cases.study(covariate)
    if len(cases.scores) < 2 and across == "predictors":
        raise InputError(
            f"`SCORE` must be two or more columns; got {len(cases.scores)}. Name the scores to"
            " compare."
        )
    if within_groups or covariate:
        _require_options_left_out(
            "areas within groups" if within_groups else "adjusted areas",
            **of_areas,
            across=None if across == "predictors" else across,
            **places,
            resamples=draws.resamples,
            seed=draws.seed,
            **(_unusual_claim(**claim) if within_groups else {}),
            covariate=covariate if within_groups and covariate else None,
        )
    if within_groups:
        output.answer(study.compare_stratified_auc, **asked)
    elif covariate:
        output.answer(study.compare_adjusted_auc, **claim, **asked)
    elif places:
        _require_options_left_out("operating points", **of_areas)
        output.answer(
            study.compare_operating_points, draws, across=across, **places, **claim, **asked
        )
    else:
        output.answer(study.compare_auc, draws, across=across, **of_areas, **claim, **asked)


def _unusual_claim(hypothesis: str, margin: float | None) -> dict[str, Any]:
    return {"hypothesis": None if hypothesis == "difference" else hypothesis, "margin": margin}


def chance(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    method: Annotated[
        ChanceMethod | None, typer.Option(help="Test; chosen by the cases unless given.")
    ] = None,
    alternative: Side = "two-sided",
    n_candidates: Annotated[
        int, typer.Option(help="Number of scores of which these are the best.")
    ] = 1,
    fpr_range: FprRange = None,
) -> None:
    """Print a test of each area against chance.

    rocstats random patients.csv diagnosis area texture --positive malignant
    """
    output.answer(
        cases.study().versus_random,
        draws,
        method=method,
        n_candidates=n_candidates,
        alternative=alternative,
        fpr_range=fpr_range,
    )


def binormal(
    cases: Cases,
    output: Output,
    level: Level = 0.95,
    method: Annotated[
        FitMethod, typer.Option(help="How the curve is fitted.")
    ] = "maximum-likelihood",
    fpr_range: FprRange = None,
) -> None:
    """Print the parameters, area and distances of the binormal curve of each score.

    rocstats binormal patients.csv diagnosis area --positive malignant --digits 2
    """
    asked: dict[str, Any] = {"method": method, "fpr_range": fpr_range}
    output.answer(cases.study().binormal, confidence_level=level, **asked)


def classes(
    rows: Rows,
    draws: ResamplingOptions,
    output: Output,
    level: Level = 0.95,
    method: Annotated[MulticlassMethod, typer.Option(help="Which areas.")] = "ovo-macro",
    of_class: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            metavar="CLASS=SCORE",
            help="Class of a column that is named otherwise (repeatable).",
        ),
    ] = None,
) -> None:
    r"""Print the areas of an outcome with more than two classes.

    SCORE... are one column for each class, named as the class is in OUTCOME,
    or by --class.

    rocstats classes classes.csv kind low middle high

    rocstats classes classes.csv kind low middle high --method ovr-weighted

    rocstats classes graded.csv grade p_none p_mild p_severe \
      --class 0=p_none --class 1=p_mild --class 2=p_severe
    """
    study = rows.multiclass(of_class or [])
    output.answer(study.auc, draws, method=method, confidence_level=level)


@dataclass(frozen=True, kw_only=True)
class PartlyVerified(Scores):
    """A file of cases of whom only some had the reference standard."""

    verified: Annotated[str, role_option("verified")]
    probability: Annotated[str, role_option("probability")]
    cluster: Clusters = None
    positive: Positive = None
    lower: Lower = None


def verified_auc(
    cases: PartlyVerified,
    draws: ResamplingOptions,
    output: Output,
    interval: Annotated[VerifiedInterval, typer.Option(help="Interval.")] = "logit",
    level: Level = 0.95,
) -> None:
    r"""Print the area under the curve where only some cases had the reference standard.

    A row is a case, with or without the reference standard; OUTCOME may be empty
    without it. The probability of verification is known from the design.

    rocstats verified-auc partly.csv ill score --verified verified \
      --probability chance --seed 1 --resamples 200
    """
    data = cases.read(
        cases.file, labels=[cases.cluster] if cases.cluster else [], codes=[cases.outcome]
    )
    output.answer(
        verified_area,
        draws,
        y_true=cases.outcome,
        y_score=cases.scores,
        verified=cases.verified,
        probability=cases.probability,
        data=data,
        pos_label=label_meant(data, cases.outcome, cases.positive),
        higher_is_positive=dict.fromkeys(cases.lower or [], False) or True,
        cluster=cases.cluster,
        interval=interval,
        confidence_level=level,
    )
    report_parsing(data)


def compare_published(
    output: Output,
    auc: Annotated[float, typer.Option(help="Published area.")],
    reference_auc: Annotated[float, typer.Option(help="Published area to compare it with.")],
    se: Annotated[float | None, command_option_of_parameter("se")] = None,
    reference_se: Annotated[float | None, command_option_of_parameter("reference_se")] = None,
    n_pos: Annotated[int | None, typer.Option(help="Positives of the area, without --se.")] = None,
    n_neg: Annotated[int | None, typer.Option(help="Negatives of the area, without --se.")] = None,
    reference_n_pos: Annotated[
        int | None,
        typer.Option(help="Positives of the other area; with --correlation, --n-pos unless given."),
    ] = None,
    reference_n_neg: Annotated[
        int | None,
        typer.Option(help="Negatives of the other area; with --correlation, --n-neg unless given."),
    ] = None,
    correlation: Annotated[float, command_option_of_parameter("correlation")] = 0.0,
    hypothesis: Tested = "difference",
    margin: Margin = None,
    alternative: Side = "two-sided",
    level: Level = 0.95,
) -> None:
    r"""Print the difference of two published areas, with test: no file is needed.

    rocstats compare-published --auc 0.85 --se 0.03 --reference-auc 0.78 \
      --reference-se 0.035

    rocstats compare-published --auc 0.85 --reference-auc 0.78 --n-pos 60 \
      --n-neg 90 --correlation 0.4
    """
    output.answer(
        compare_published_auc,
        auc=auc,
        reference_auc=reference_auc,
        se=se,
        reference_se=reference_se,
        n_pos=n_pos,
        n_neg=n_neg,
        reference_n_pos=reference_n_pos,
        reference_n_neg=reference_n_neg,
        correlation=correlation,
        hypothesis=hypothesis,
        margin=margin,
        alternative=alternative,
        confidence_level=level,
    )


def _require_options_left_out(what: str, **options: Any) -> None:
    for name, value in options.items():
        if value is not None:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                f"`{option}` must be left out for {what}; got {value!r}. Leave it out."
            )
