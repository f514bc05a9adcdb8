"""Scores counted where they are: one row for each cell of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from rocstats.errors import InputError
from rocstats.frames.questions import Question
from rocstats.sample.engines.bounds import excess
from rocstats.sample.engines.in_memory import InMemory
from rocstats.sample.engines.inputs import Columns, Precision, finer, read_by, read_precision
from rocstats.sample.engines.on_engine import OnEngine, rows_of
from rocstats.sample.engines.table import COUNT_COLUMNS, Counts, frame_of, require_both_classes

COUNT_SCORES = Question("count_scores", COUNT_COLUMNS, ("delong-1988", "dekker-1971"))


def count_scores(
    frame: Any,
    label: str,
    score: str,
    *,
    pos_label: Any = None,
    by: str | Sequence[str] = (),
    bits: int | None = None,
    exact: bool = False,
    tolerance: float | None = None,
) -> pd.DataFrame:
    r"""Return the positives and negatives at each score; a row is a score, or a cell of close ones.

    For data beyond memory: the engine counts, and only the counts come back. In memory, a
    ``Study`` of the rows is exact and has the same answers.

    Parameters
    ----------
    frame : dataframe
        Rows of cases: pandas, a dict of columns, Polars (eager or lazy), a DuckDB relation, Dask,
        PySpark, pyarrow, or another frame that narwhals reads. Lazy frames stay lazy.
    label : str
        Column of the class: numbers, texts or truth values, two of them.
    score : str
        Column of the score: numbers or truth values, infinities allowed.
    pos_label : object, optional
        Label of the positive class; never guessed but for 0/1, -1/1 and booleans.
    by : str or sequence of str, default ()
        Columns of groups, which are counted each by itself.
    bits : int in [1, 50], optional
        Significant bits of a score that tell cells apart; 10 if nothing else is given, so that the
        scores of a cell differ by less than 2^-10 of themselves.
    exact : bool, default False
        Whether to count each distinct score. Choose it where scores are rounded, or few; otherwise
        the table can be as long as the data.
    tolerance : float in (0, 1), optional
        Largest bound of the error of the area, in any group. The data are counted with more bits
        until it holds, at last exactly.

    Returns
    -------
    pandas.DataFrame
        The columns of ``by`` as text, ``score, score_high, n_pos, n_neg``, ascending in ``score``
        within a group. ``score`` and ``score_high`` are the lowest and the highest score of a
        cell: if equal, the row is one score. With ``exact=True`` there is no ``score_high``.
        ``attrs["rocstats"]`` has the engine, the bits and the number of cases.

    Raises
    ------
    InputError
        If a column is missing, a value is null or NaN, scores are no numbers, labels are not two,
        a class has no cases, or there are no rows; if more than one of ``bits``, ``exact`` and
        ``tolerance`` is given; without ``tolerance``, if the bound of the area exceeds a tenth of
        its standard error in a group. The message then names bits that were tried and are enough.

    Notes
    -----
    A cell is [k w, (k + 1) w) with w = 2^(e - bits), where 2^e <= \|score\| < 2^(e + 1): cells are
    narrow near 0, and their ends are the same for all data. 0, infinities and scores beyond 2^900
    are cells of their own. Cells are computed by exact operations alone (Dekker's splitting in
    place of a logarithm), so that all engines give the same table.

    A positive and a negative in one cell count 1/2, as tied. So the area is wrong by at most
    1/2 sum p_b n_b / (m n), over the cells b with more than one score, p_b of m positives and n_b
    of n negatives. Points of the ROC curve between cells are exact. The standard error is DeLong's.

    Scores are compared as 64-bit floats; decimal numbers that differ by less become equal.
    Integers of 2^53 and more are refused.

    References
    ----------
    - DeLong, DeLong & Clarke-Pearson (1988) [delong-1988]
    - Dekker (1971), section 5: a float split by multiplication [dekker-1971]

    Examples
    --------
    >>> import rocstats as rs
    >>> cases = {"sick": [0, 0, 1, 0, 1, 1], "risk": [0.1, 0.35, 0.35, 0.35002, 0.8, 0.9]}
    >>> rs.count_scores(cases, "sick", "risk", exact=True).to_dict("list")
    {'score': [0.1, 0.35, 0.35002, 0.8, 0.9], 'n_pos': [0, 1, 0, 1, 1], 'n_neg': [1, 1, 1, 0, 0]}
    >>> rs.count_scores(cases, "sick", "risk", tolerance=0.2).to_dict("list")["score_high"]
    [0.1, 0.35002, 0.8, 0.9]
    """
    columns = Columns(label, score, read_by(by))
    precision = read_precision(bits, exact, tolerance)
    source = _source(frame, columns, pos_label)
    counts, used = counted(source, precision)
    about = {"engine": source.engine, "bits": used}
    return frame_of(COUNT_SCORES, counts, exact=exact, about=about)


def _source(frame: Any, columns: Columns, pos_label: Any) -> InMemory | OnEngine:
    """Return the data to be counted: by an engine if it has one, else in memory."""
    if isinstance(frame, (pd.DataFrame, Mapping)):
        return InMemory(frame, columns, pos_label)
    import narwhals as nw

    # Polars groups a frame in memory by all cores, and needs no copy of its columns.
    rows, engine = rows_of(frame)
    if isinstance(rows, nw.LazyFrame):
        return OnEngine(frame, columns, pos_label)
    return InMemory(frame, columns, pos_label, engine)


def counted(source: InMemory | OnEngine, precision: Precision) -> tuple[Counts, int | None]:
    """Return counts that are fine enough, and their bits (None where each score is counted)."""
    bits = precision.bits
    counts = source.count(bits)
    require_both_classes(counts)
    ratio = 0.0 if bits is None else excess(counts, precision.tolerance)
    coarse = ratio
    while bits is not None and ratio > 1:
        bits = finer(bits, ratio)
        counts = source.count(bits)
        ratio = 0.0 if bits is None else excess(counts, precision.tolerance)
    if coarse > 1 and precision.tolerance is None:
        raise InputError(
            f"`bits` must keep the error of the area below a tenth of its standard error; got"
            f" {precision.bits}, with a bound of {coarse / 10:.2g} standard errors. Pass"
            f" {'exact=True' if bits is None else f'bits={bits}'}, which is enough for these data."
        )
    return counts, bits
