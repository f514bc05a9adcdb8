"""Areas of a file with more rows than memory should hold: counted by a data engine."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import typer

from rocstats.commands.cases import Cases
from rocstats.commands.output import Draws
from rocstats.errors import InputError
from rocstats.sample.engines.counting import count_scores
from rocstats.sample.inputs.files.reading import label_of
from rocstats.sample.inputs.labels import read_directions
from rocstats.studies.paired import PairedCounts
from rocstats.studies.pairing import count_paired
from rocstats.studies.study import Study

# A study of ten million rows sorts and keeps some 40 bytes a row and score: it fits into the memory
# of any machine, in seconds. From there on counting by an engine is faster, and memory stays small.
MOST_ROWS = 10**7
# Below half a unit of the last of the three digits that are printed.
_TOLERANCE = 1e-4
_ENGINES = ("duckdb", "polars")
_SAMPLED_BYTES = 2**20


def is_large(file: Path) -> bool:
    """Return whether a file has more rows than are read into memory."""
    if str(file) == "-" or not file.is_file():
        return False
    if file.suffix.lower() == ".parquet":
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        return int(pq.read_metadata(file).num_rows) > MOST_ROWS
    if file.suffix.lower() != ".csv":
        return False
    with file.open("rb") as text:
        start = text.read(_SAMPLED_BYTES)
    # The rows of the whole file, if all are as long as the first ones.
    return file.stat().st_size / max(len(start), 1) * start.count(b"\n") > MOST_ROWS


def counted_areas(cases: Cases, draws: Draws, **asked: Any) -> pd.DataFrame:
    """Return the areas of a large file; refuse options that need its rows in memory."""
    _require_countable(cases, draws, asked)
    rows, engine = _rows_of(cases)
    typer.echo(
        f"rocstats: {cases.file.name} has more than {MOST_ROWS:,} rows; {engine} counts them ...",
        err=True,
    )
    positive = _label(rows, cases)
    names = ("interval", "confidence_level")
    wanted = {name: asked[name] for name in names if asked[name] is not None}
    if len(cases.scores) > 1:
        return _pairs(rows, cases, positive).auc(**wanted)
    return _study(rows, cases, positive).auc(**wanted)


def _pairs(rows: Any, cases: Cases, positive: Any) -> PairedCounts:
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


def _study(rows: Any, cases: Cases, positive: Any) -> Study:
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


def _rows_of(cases: Cases) -> tuple[Any, str]:
    """Return the rows of a file, unread, and the name of the engine that is to read them."""
    engine = next((name for name in _ENGINES if find_spec(name) is not None), None)
    file, is_text = str(cases.file), cases.file.suffix.lower() == ".csv"
    if engine == "duckdb":
        import duckdb

        by = {} if cases.sep is None else {"sep": cases.sep}
        return duckdb.read_csv(file, **by) if is_text else duckdb.read_parquet(file), "DuckDB"
    if engine == "polars":
        import polars as pl

        by = {} if cases.sep is None else {"separator": cases.sep}
        return pl.scan_csv(file, **by) if is_text else pl.scan_parquet(file), "Polars"
    raise InputError(
        f"`FILE` must have at most {MOST_ROWS:,} rows to be read into memory; got more in"
        f" {cases.file.name!r}. Install an engine that counts them: pip install 'rocstats[duckdb]'."
    )


def _label(rows: Any, cases: Cases) -> Any:
    """Return the label that the text of --positive means among those of the file."""
    if cases.positive is None:
        return None
    import narwhals as nw

    frame = nw.from_native(rows)
    if cases.outcome not in frame.collect_schema().names():
        return cases.positive
    labels = frame.group_by(cases.outcome).agg(nw.len().alias("n")).head(1000).collect()
    few = pd.DataFrame({cases.outcome: labels[cases.outcome].to_list()})
    few.attrs["rocstats"] = {"value_labels": None}
    return label_of(few, cases.outcome, cases.positive)


def _require_countable(cases: Cases, draws: Draws, asked: dict[str, Any]) -> None:
    refused = {
        "--frequency": cases.frequency,
        "--fold": cases.fold,
        "--missing": None if cases.missing == "raise" else cases.missing,
        "--decimal": cases.decimal,
        "--encoding": cases.encoding,
        "--sheet": cases.sheet,
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
                f"`{option}` must be left out for a file of more than {MOST_ROWS:,} rows, which are"
                f" counted and not read; got {value!r}. Leave it out, or pass a file of fewer rows."
            )
