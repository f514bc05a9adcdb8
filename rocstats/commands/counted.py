"""The areas of a file too large for memory, whose scores an engine counts."""

from __future__ import annotations

from typing import Any

import pandas as pd
import typer

from rocstats.commands.cases import Cases
from rocstats.commands.output import ResamplingOptions
from rocstats.counts.engines import count_scores
from rocstats.errors import InputError
from rocstats.studies.pairing import PairedCounts, count_paired
from rocstats.studies.studies import Study
from rocstats.study import large_files as large
from rocstats.study.cells import label_has_blanks, stripped_in_words
from rocstats.study.vectors import read_directions

# Below half a unit of the last of the three digits that are printed.
_TOLERANCE = 1e-4


def counted_areas(cases: Cases, draws: ResamplingOptions, **asked: Any) -> pd.DataFrame:
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
