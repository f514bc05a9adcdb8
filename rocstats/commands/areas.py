"""Commands about areas: their intervals, their differences, chance, the binormal curve."""

from __future__ import annotations

from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.cases import Cases, Rows, Thresholds, one_threshold
from rocstats.commands.options import FprRange, Level, Margin, Side, Tested, given_command_options
from rocstats.commands.output import Output, ResamplingOptions
from rocstats.counts.engines import count_scores
from rocstats.errors import InputError
from rocstats.estimate.areas import Variance
from rocstats.estimate.claim import AreaAdjustment, ComparisonMethod
from rocstats.estimate.classes import MulticlassMethod
from rocstats.estimate.compare import ComparedAcross
from rocstats.estimate.intervals import AREA_INTERVALS
from rocstats.inference.binormal import FitMethod
from rocstats.inference.chance.areas import ChanceMethod
from rocstats.studies.pairing import PairedCounts, count_paired
from rocstats.studies.studies import Study
from rocstats.study import large_files as large
from rocstats.study.cells import label_has_blanks, stripped_in_words
from rocstats.study.vectors import read_directions

# Below half a unit of the last of the three digits that are printed.
_TOLERANCE = 1e-4
_INTERVALS = ", ".join(record.word for record in AREA_INTERVALS)
# Plain text, so that a wrong word gets the message of the library, which knows the reasons.
Interval = Annotated[
    str | None,
    typer.Option(help=f"Interval: {_INTERVALS}; logit-t or logit unless given."),
]


def auc(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    level: Level = 0.95,
    interval: Interval = None,
    variance: Annotated[
        Variance, typer.Option(case_sensitive=False, help="Variance of the area.")
    ] = "delong",
    fpr_range: FprRange = None,
    covariate: Annotated[
        list[str] | None,
        typer.Option(help="Column to adjust the areas for (repeatable)."),
    ] = None,
) -> None:
    r"""Print the area under the curve of each score with its interval.

    rocstats auc patients.csv diagnosis area texture --positive malignant

    rocstats auc patients.csv diagnosis area --positive malignant \
      --covariate texture

    rocstats auc patients.csv diagnosis area texture --positive malignant \
      --style jama --out areas.docx --methods
    """
    asked: dict[str, Any] = {
        "interval": interval,
        "variance": variance,
        "confidence_level": level,
        "fpr_range": fpr_range,
    }
    if covariate:
        _require_options_left_out(
            "adjusted areas",
            interval=interval,
            fpr_range=fpr_range,
            variance=None if variance == "delong" else variance,
            resamples=draws.resamples,
            seed=draws.seed,
        )
        output.write(cases.study(covariate).adjusted_auc(confidence_level=level))
        return
    if large.is_large(cases.file):
        output.write(_counted_areas(cases, draws, **asked))
        return
    output.write(cases.study().auc(**asked, **draws.arguments()))


def compare(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    level: Level = 0.95,
    reference: Annotated[
        str | None, typer.Option(help="Compare each score with this one only.")
    ] = None,
    across: Annotated[
        ComparedAcross, typer.Option(case_sensitive=False, help="Comparison to make.")
    ] = "predictors",
    hypothesis: Tested = "difference",
    margin: Margin = None,
    alternative: Side = "two-sided",
    adjust: Annotated[
        AreaAdjustment,
        typer.Option(
            case_sensitive=False,
            help="Correction for several tests; single-step: simultaneous intervals too.",
        ),
    ] = "holm",
    method: Annotated[
        ComparisonMethod | None,
        typer.Option(case_sensitive=False, help="Test of areas; delong unless given."),
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
) -> None:
    r"""Print the difference of areas of every two scores, with test; or of operating points.

    rocstats compare patients.csv diagnosis area texture --positive malignant

    rocstats compare patients.csv diagnosis area texture --positive malignant \
      --hypothesis non-inferiority --margin 0.05 --reference texture

    rocstats compare patients.csv diagnosis area texture symmetry \
      --positive malignant --adjust single-step

    rocstats compare patients.csv diagnosis area texture --positive malignant \
      --threshold area=600 --threshold texture=20

    rocstats compare joint.csv disease rapid laboratory --frequency n \
      --threshold 1
    """
    asked: dict[str, Any] = {
        "reference": reference,
        "across": across,
        "hypothesis": hypothesis,
        "margin": margin,
        "alternative": alternative,
        "adjust": adjust,
        "confidence_level": level,
        **draws.arguments(),
    }
    study = cases.study()
    if len(cases.scores) < 2 and across == "predictors":
        raise InputError(
            f"`SCORE` must be two or more columns; got {len(cases.scores)}. Name the scores to"
            " compare."
        )
    if places := given_command_options(threshold=one_threshold(threshold), fpr=fpr, tpr=tpr):
        _require_options_left_out("operating points", method=method, fpr_range=fpr_range)
        output.write(study.compare_operating_points(**places, **asked))
    else:
        asked.update(given_command_options(method=method), fpr_range=fpr_range)
        output.write(study.compare_auc(**asked))


def chance(
    cases: Cases,
    draws: ResamplingOptions,
    output: Output,
    method: Annotated[
        ChanceMethod | None,
        typer.Option(case_sensitive=False, help="Test; chosen by the cases unless given."),
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
    asked: dict[str, Any] = {"method": method, "n_candidates": n_candidates}
    frame = cases.study().versus_random(
        alternative=alternative, fpr_range=fpr_range, **asked, **draws.arguments()
    )
    output.write(frame)


def binormal(
    cases: Cases,
    output: Output,
    level: Level = 0.95,
    method: Annotated[
        FitMethod, typer.Option(case_sensitive=False, help="How the curve is fitted.")
    ] = "maximum-likelihood",
    fpr_range: FprRange = None,
) -> None:
    """Print the parameters, area and distances of the binormal curve of each score.

    rocstats binormal patients.csv diagnosis area --positive malignant --digits 2
    """
    frame = cases.study().binormal(method=method, fpr_range=fpr_range, confidence_level=level)
    output.write(frame)


def classes(
    rows: Rows,
    draws: ResamplingOptions,
    output: Output,
    level: Level = 0.95,
    method: Annotated[
        MulticlassMethod, typer.Option(case_sensitive=False, help="Which areas.")
    ] = "ovo-macro",
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
    output.write(study.auc(method=method, confidence_level=level, **draws.arguments()))


def _require_options_left_out(what: str, **options: Any) -> None:
    for name, value in options.items():
        if value is not None:
            option = f"--{name.replace('_', '-')}"
            raise InputError(
                f"`{option}` must be left out for {what}; got {value!r}. Leave it out."
            )


def _counted_areas(cases: Cases, draws: ResamplingOptions, **asked: Any) -> pd.DataFrame:
    """Return the areas of a large file; refuse options that need its rows in memory."""
    _require_countable(cases, draws, asked)
    if cases.decimal is None and cases.thousands is None:
        large.require_clear_marks(cases.file, cases.sep, [*cases.of_labels(), cases.outcome])
    unread = large.unread_rows(
        cases.file,
        cases.sep,
        outcome=cases.outcome,
        group=cases.group or (),
        cluster=cases.cluster,
    )
    for name, numbers in unread.labels.items():
        cases.require_one_spelling(name, numbers)
        if n_cut := sum(number for label, number in numbers.items() if label_has_blanks(label)):
            typer.echo(
                f"rocstats: read {cases.file.name}: {stripped_in_words(name, n_cut)}", err=True
            )
    about = f"{cases.file.name} has more than {large.MOST_ROWS:,} rows"
    typer.echo(f"rocstats: {about}; {unread.engine} counts them ...", err=True)
    rows, positive = unread.rows, large.label_in(unread, cases.outcome, cases.positive)
    names = ("interval", "confidence_level")
    wanted = {name: asked[name] for name in names if asked[name] is not None}
    if len(cases.scores) > 1:
        return _paired_counts_of_large_file(rows, cases, positive).auc(**wanted)
    return _study_of_counts_of_large_file(rows, cases, positive).auc(**wanted)


def _paired_counts_of_large_file(rows: Any, cases: Cases, positive: Any) -> PairedCounts:
    return count_paired(
        rows,
        cases.outcome,
        cases.scores,
        pos_label=positive,
        higher_is_positive=dict.fromkeys(cases.lower or [], False),
        cluster=cases.cluster,
        by=tuple(cases.group or ()),
        tolerance=_TOLERANCE,
    )


def _study_of_counts_of_large_file(rows: Any, cases: Cases, positive: Any) -> Study:
    name, by = cases.scores[0], tuple(cases.group or ())
    counts = count_scores(
        rows, cases.outcome, name, pos_label=positive, by=by, tolerance=_TOLERANCE
    )
    (higher,) = read_directions(dict.fromkeys(cases.lower or [], False), (name,))
    return Study.from_counts(
        counts,
        predictor=name,
        higher_is_positive=higher,
        labels=cases.labels(),
        outcome=cases.outcome_name,
    )


def _require_countable(cases: Cases, draws: ResamplingOptions, asked: dict[str, Any]) -> None:
    refused = {
        "--frequency": cases.frequency,
        "--fold": cases.fold,
        "--missing": None if cases.missing == "raise" else cases.missing,
        # An engine reads decimal points.
        "--decimal": None if cases.decimal == "." else cases.decimal,
        "--thousands": None if cases.thousands == "," else cases.thousands,
        "--encoding": cases.encoding,
        "--sheet": cases.sheet,
        "--fold-case": cases.fold_case or None,
        "--resamples": draws.resamples,
        "--seed": draws.seed,
        "--variance": None if asked["variance"] == "delong" else asked["variance"],
        "--fpr-range": asked["fpr_range"],
    }
    if len(cases.scores) == 1:
        refused["--cluster"] = cases.cluster
    else:
        refused |= {"--label": cases.label or None, "--outcome-name": cases.outcome_name}
    if asked["interval"] in ("percentile", "bca"):
        refused["--interval"] = asked["interval"]
    for option, value in refused.items():
        if value is not None:
            raise InputError(
                f"`{option}` must be left out for a file of more than {large.MOST_ROWS:,} rows,"
                f" because such files are counted and not read; got {value!r}. Leave it out, or"
                " pass fewer rows."
            )
