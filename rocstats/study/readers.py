"""The validated data of a reader study: ratings of cases by several readers and modalities.

The inputs are truth, rating, reader, case and modality of each read, and scores of machines. The
design, who read which cases under which modality, is found in the reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from rocstats.errors import InputError, require_choice
from rocstats.facts.arrays import BoolArray, Factor, FloatArray, IntArray, take_rows
from rocstats.facts.words import did_you_mean
from rocstats.frame.make import read_print_words
from rocstats.study.base import (
    NAN_POLICIES,
    BaseSample,
    NanPolicy,
    cached,
    directed_names,
    keep_whole_rows,
    names_in_short,
    print_attrs,
    read_roles,
    role_facts,
)
from rocstats.study.cases import Reads
from rocstats.study.columns import Columns, is_frame, require_equal_rows
from rocstats.study.forms import Inputs, one_vector, read_names, role_vectors
from rocstats.study.sample import Sample
from rocstats.study.units import Units, count_units, name_of_clusters
from rocstats.study.vectors import (
    Vector,
    describe_rows,
    label_text,
    read_directions,
    read_factor,
    read_positives,
    read_scores,
    read_vector,
    require_unique,
)

# --- The design: who read which cases under which modality ----------------------------------------

Pattern = Literal[
    "fully crossed",
    "readers nested in modalities",
    "cases nested in modalities",
    "partially paired",
    "cases nested in readers",
    "split plot",
    "missing reads",
]


class Block(NamedTuple):
    """Readers who are linked by the cases they share, and how many cases they read."""

    readers: tuple[int, ...]
    n_pos: int
    n_neg: int


class StudyDesign(NamedTuple):
    """What a reader study is made of, and how readers, cases and modalities are combined.

    Attributes
    ----------
    name : str
        "one reader" or "one modality" if there is no more than one, in this order; else the
        pattern.
    pattern : str
        The first that holds of the patterns that ``ReaderSample`` defines.
    crossed : bool
        Whether the pattern is "fully crossed".
    n_modalities, n_readers, n_pos, n_neg : int
        Numbers of modalities, readers, positive and negative cases.
    n_reads, n_missing : int
        Number of reads, and how many more a fully crossed study of the same readers, cases and
        modalities would have.
    blocks : tuple of Block
        Groups of readers that share no case with each other; one group if all are linked.
    """

    name: str
    pattern: Pattern
    crossed: bool
    n_modalities: int
    n_readers: int
    n_pos: int
    n_neg: int
    n_reads: int
    n_missing: int
    blocks: tuple[Block, ...]

    @property
    def uneven(self) -> bool:
        """Whether reads are missing case by case: some reads share more cases than others.

        In the other patterns whole blocks are left out by design.
        """
        return self.pattern in ("missing reads", "partially paired")

    def in_words(self) -> str:
        """Return the design as a sentence fragment: pattern, sizes and number of reads."""
        kind = self.name if self.name == self.pattern else f"{self.name}, {self.pattern}"
        sizes = " x ".join(
            (
                _design_size_in_words(self.n_modalities, "modality", "modalities"),
                _design_size_in_words(self.n_readers, "reader", "readers"),
                _design_size_in_words(self.n_pos + self.n_neg, "case", "cases"),
            )
        )
        classes = f"({self.n_pos:,} positive, {self.n_neg:,} negative)"
        return f"{kind}: {sizes} {classes}, {self.n_reads:,} reads"

    def blocks_in_words(self) -> str:
        """Return the numbers of readers and cases of each group: "4 of 5 readers, 59-60 cases"."""
        readers = _design_sizes_in_words([len(block.readers) for block in self.blocks])
        cases = _design_sizes_in_words([block.n_pos + block.n_neg for block in self.blocks])
        word = "reader" if readers == "1" else "readers"
        return f"{len(self.blocks)} of {readers} {word}, who read {cases} cases"


def study_design(reads: Reads) -> StudyDesign:
    """Return the design that the reads of a study have."""
    read = reads.has_read
    blocks = _reader_blocks(read, reads.n_pos)
    pattern = _pattern_of_reads(read, blocks)
    n_modalities, n_readers, _ = read.shape
    single = "one reader" if n_readers == 1 else "one modality" if n_modalities == 1 else None
    n_reads = int(np.count_nonzero(read))
    return StudyDesign(
        name=single or pattern,
        pattern=pattern,
        crossed=pattern == "fully crossed",
        n_modalities=n_modalities,
        n_readers=n_readers,
        n_pos=reads.n_pos,
        n_neg=reads.n_neg,
        n_reads=n_reads,
        n_missing=read.size - n_reads,
        blocks=blocks,
    )


def _pattern_of_reads(read: BoolArray, blocks: tuple[Block, ...]) -> Pattern:
    """Return the pattern of reads, shape (t, r, c), by the definitions of ``StudyDesign``."""
    if read.all():
        return "fully crossed"
    active, of_modality = np.asarray(read.any(axis=2)), np.asarray(read.any(axis=1))
    # A reader who did not read under a modality at all breaks no rule about its cases.
    if (read == of_modality[:, np.newaxis] & active[..., np.newaxis]).all():
        if (np.count_nonzero(active, axis=0) == 1).all() and len(read) > 1:
            return "readers nested in modalities"
        if active.all():
            disjoint = np.count_nonzero(of_modality, axis=0).max() == 1
            return "cases nested in modalities" if disjoint else "partially paired"
    complete = sum(len(block.readers) * (block.n_pos + block.n_neg) for block in blocks)
    if len(blocks) > 1 and np.count_nonzero(read) == complete * len(read):
        alone = len(blocks) == active.shape[1]
        return "cases nested in readers" if alone else "split plot"
    return "missing reads"


def _reader_blocks(read: BoolArray, n_pos: int) -> tuple[Block, ...]:
    """Return the groups of readers that are linked by shared cases, under any modality."""
    of_reader = np.asarray(read.any(axis=0))
    # Whether any case is shared: the rounding of float32 cannot make a sum of ones 0.
    ones = of_reader.astype(np.float32)
    shares = ones @ ones.T > 0
    label = _first_linked_reader(shares)
    blocks = []
    for first in np.unique(label):
        readers = np.flatnonzero(label == first)
        cases = np.asarray(of_reader[readers].any(axis=0))
        n_of = int(np.count_nonzero(cases[:n_pos])), int(np.count_nonzero(cases[n_pos:]))
        blocks.append(Block(tuple(readers.tolist()), *n_of))
    return tuple(blocks)


def _first_linked_reader(shares: BoolArray) -> IntArray:
    """Return for each reader the first of all readers that a chain of shared cases leads to."""
    n = len(shares)
    label = np.arange(n)
    while True:
        lowest = np.where(shares, label, n).min(axis=1)
        # A reader without any reads shares nothing, not even with itself.
        lowest = np.minimum(lowest, label)
        if (lowest == label).all():
            return label
        label = lowest


def _design_size_in_words(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"


def _design_sizes_in_words(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


# --- The study ------------------------------------------------------------------------------------

ONE_MODALITY = "modality"
"""Name of the one modality of a study whose ratings have no name."""


class ReaderSample(BaseSample):
    """Ratings of the same cases by several readers, each under one or more modalities.

    A row is a read: the rating of a case by a reader under a modality. Reads may be missing. The
    design is detected in the data, and is the first line of the printed study.

    Parameters
    ----------
    truth : array-like of shape (n,), or str
        True class of the case of each read. With ``data``, the name of the column in ``data``, here
        and below. Labels 0/1, -1/1 and booleans need no ``pos_label``.
    rating : array-like of shape (n,), or str
        Rating of each read: numbers, or ordered categories (numbered from 0). Infinite ratings are
        allowed.
    data : dataframe, optional
        Frame with the named columns: pandas, or another frame in memory (not lazy) that the
        narwhals library can read, such as Polars.
    reader : array-like of shape (n,), or str
        Reader of each read. Names are compared as text, here and below.
    case : array-like of shape (n,), or str
        Case of each read. A case has the same name for all readers and modalities.
    modality : array-like of shape (n,), or str, optional
        Modality of each read, such as the imaging technique. Default: one modality, with the name
        of the ratings, or "modality" if the ratings have no name.
    cluster : array-like, or str, optional
        Units whose cases are dependent (a patient with several lesions). Clusters change standard
        errors only.
    group : array-like of shape (n,) or (n, k), dict, dataframe, str or list of str, optional
        Independent subgroups of cases (site, sex): every method returns a set of rows per group.
        Every group has cases of both classes, and reads under every modality.
    pos_label : object, optional
        Label of the positive class. Needed unless the labels are 0/1, -1/1 or booleans.
    higher_is_positive : bool or mapping of str to bool, default True
        Whether higher ratings mean positive, for all modalities or by modality. A mapping may also
        contain machines; by default higher scores of machines mean positive.
    machine : str, list of str, array-like, dict or dataframe, optional
        Scores of one or more machines, to be compared with the readers: one score per case,
        repeated in every row of the case.
    nan_policy : {"raise", "omit"}, default "raise"
        Treatment of missing values; ``note`` has the number of omitted rows.

        - "raise": missing values are refused.
        - "omit": rows with missing values are omitted; a missing rating is a read that was not
          made. Use "omit" only for reads that are missing by design or completely at random.
    labels : mapping of str to str, optional
        Printed names of modalities, readers, machines and columns of groups in tables, plots and
        reports. Returned frames keep the original names. Labels of other columns of ``data`` are
        ignored.
    outcome : str, optional
        Printed name of the condition in tables and reports, such as "Cancer".

    Raises
    ------
    InputError
        If an argument is not of the described kind; the message says what to do.

    Notes
    -----
    A reader may have read cases of one class only. The area of that reader is then NaN, and the
    printed study names the reader.

    The design is "one reader" if there is one reader, and "one modality" if several readers have
    one modality. Otherwise the design is the first of these patterns that applies:

    - "fully crossed": every reader read every case under every modality.
    - "readers nested in modalities": every reader read under one modality only, and all readers of
      a modality read the same cases.
    - "cases nested in modalities": every reader read under every modality, all readers of a
      modality read the same cases, and no case was read under two modalities.
    - "partially paired": as "cases nested in modalities", but some cases were read under several
      modalities.
    - "cases nested in readers": every reader read the same cases under every modality, and no two
      readers share a case.
    - "split plot": every reader read the same cases under every modality; the readers form groups.
      Readers of a group read the same cases, and no two groups share a case.
    - "missing reads": none of these patterns applies.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> study.design.in_words()
    'split plot: 2 modalities x 20 readers x 239 cases (109 positive, 130 negative), 2,390 reads'
    >>> study.design.blocks_in_words()
    '4 of 5 readers, who read 59 to 60 cases'
    """

    predictors: tuple[str, ...]
    readers: tuple[str, ...]
    machines: tuple[str, ...]
    pos_label: Any
    higher_is_positive: tuple[bool, ...]
    is_positive: BoolArray
    rating: FloatArray
    reader: Factor
    case: Factor
    modality: Factor
    _machine: FloatArray
    _machine_higher: tuple[bool, ...]

    def __init__(
        self,
        truth: Any,
        rating: Any,
        *,
        data: Any = None,
        reader: Any,
        case: Any,
        modality: Any = None,
        cluster: Any = None,
        group: Any = None,
        pos_label: Any = None,
        higher_is_positive: bool | Mapping[str, bool] = True,
        machine: Any = None,
        nan_policy: NanPolicy = "raise",
        labels: Mapping[str, str] | None = None,
        outcome: str | None = None,
    ) -> None:
        nan_policy = require_choice("nan_policy", nan_policy, NAN_POLICIES)
        roles = {"reader": reader, "case": case, "modality": modality, "cluster": cluster}
        inputs, machines = read_reader_inputs(
            truth, rating, data=data, roles={**roles, "group": group}, machine=machine
        )
        index, n_rows = inputs.cases.index, len(inputs.y_true)
        missing = inputs.missing()
        kept = np.arange(n_rows) if missing is None else np.flatnonzero(~missing)
        (name, ratings), *_ = inputs.scores.items()
        one = Factor((name,), np.zeros(n_rows, dtype=np.intp))
        arrays = {
            "is_positive": read_positives(inputs.y_true, pos_label),
            "rating": read_scores(ratings),
            "_row": np.arange(n_rows) if index is None else index.to_numpy(dtype=object),
            **{
                role: _reader_or_case_names(inputs.roles[role], kept) for role in ("reader", "case")
            },
            "modality": _reader_or_case_names(inputs.roles["modality"], kept)
            if "modality" in inputs.roles
            else one,
            **read_roles(inputs),
        }
        fields = keep_whole_rows(arrays, inputs, nan_policy)
        # After missing values are refused: a missing score of a row that is left out is none.
        fields["_machine"] = _read_machine_scores(machines, missing, n_rows)[:, kept]
        _require_valid_reads(fields, inputs.roles.get("modality"), tuple(machines))
        fields = _with_labels_present(fields)
        del fields["_row"]
        names = fields["modality"].labels
        everyone = dict.fromkeys((*names, *fields["reader"].labels, *machines))
        self._settle(
            {
                "pos_label": 1 if pos_label is None else pos_label,
                "machines": tuple(machines),
                "_cluster_name": inputs.cluster_name,
                **_read_directions(higher_is_positive, names, tuple(machines)),
                "_shown": read_print_words(
                    labels, outcome, list(everyone), inputs.group_names, columns=inputs.columns
                ),
                **fields,
            }
        )
        _require_cases_of_both_classes(self)
        _require_whole_groups(self)

    @property
    def modalities(self) -> tuple[str, ...]:
        """Names of the modalities, in order of appearance."""
        return self.predictors

    @property
    def outcome(self) -> str | None:
        """Printed name of the condition, or None."""
        name: str | None = self._shown.get("outcome")
        return name

    @property
    def n_pos(self) -> int:
        """Number of positive cases."""
        return int(np.count_nonzero(self._case_is_positive))

    @property
    def n_neg(self) -> int:
        """Number of negative cases."""
        return len(self.case.labels) - self.n_pos

    @property
    def reads(self) -> Reads:
        """Ratings as arrays of modality by reader by case; higher ratings are more positive."""
        return cached(self, "reads", self._reads)

    @property
    def design(self) -> StudyDesign:
        """Name of the design, its numbers of readers and cases, and its missing reads."""
        return cached(self, "design", lambda: study_design(self.reads))

    def machine_scores(self, machine: Any) -> tuple[FloatArray, FloatArray]:
        """Return the scores of a machine for the positive, and for the negative cases.

        Parameters
        ----------
        machine : str, or Series or mapping of float by name of the case
            Name of a machine of the study, or its scores: higher scores mean positive. Scores of
            other cases are ignored.

        Returns
        -------
        pos, neg : ndarray of float64, shapes (m,) and (n,)
            Scores in the order of the cases of ``reads``; higher scores are more positive.

        Raises
        ------
        InputError
            If the machine is unknown, or a case has no score.
        """
        scores = (
            self._machine_of_study(machine)
            if isinstance(machine, str)
            else _read_scores_by_case(machine, self.case.labels)
        )
        return scores[self._case_is_positive], scores[~self._case_is_positive]

    def without(self, modality: str) -> Self:
        """Return the study of the other modalities, with their readers and cases."""
        if modality not in self.predictors or len(self.predictors) == 1:
            advice = "" if len(self.predictors) == 1 else did_you_mean(modality, self.predictors)
            raise InputError(
                f"`modality` must be one of several modalities; got {modality!r} of"
                f" {list(self.predictors)}.{advice} Keep at least one modality."
            )
        gone = self.predictors.index(modality)
        higher = [h for k, h in enumerate(self.higher_is_positive) if k != gone]
        fields = self._part_of(np.flatnonzero(self.modality.codes != gone))
        rest = self._of({**fields, "higher_is_positive": tuple(higher)})
        # Cases that were read under that modality only are gone too.
        _require_cases_of_both_classes(rest)
        _require_whole_groups(rest)
        return rest

    def curve(self, i: int, j: int) -> Sample:
        """Return the binary sample of the cases that reader ``j`` read under modality ``i``."""
        rows = np.flatnonzero((self.modality.codes == i) & (self.reader.codes == j))
        return Sample._of(
            {
                "predictors": (self.predictors[i],),
                "pos_label": self.pos_label,
                "higher_is_positive": (self.higher_is_positive[i],),
                "is_positive": self.is_positive[rows],
                "scores": self.rating[np.newaxis, rows],
                "cluster": None if self.cluster is None else self.cluster.take(rows),
                "n_dropped": self.n_dropped,
                "_shown": print_attrs(self),
            }
        )

    @property
    def _case_is_positive(self) -> BoolArray:
        """Whether each case is positive, in the order of the labels of ``case``."""
        return cached(self, "is positive", lambda: self._of_cases(self.is_positive))

    def _of_cases(self, values: Any) -> Any:
        """Return a value of each case from those of its rows, which are equal."""
        found = np.empty(len(self.case.labels), dtype=values.dtype)
        found[self.case.codes] = values
        return found

    def _reads(self) -> Reads:
        is_positive = self._case_is_positive
        higher = np.array(self.higher_is_positive)[self.modality.codes]
        shape = (len(self.predictors), len(self.readers), len(is_positive))
        ratings = np.full(shape, np.nan)
        place = (self.modality.codes, self.reader.codes, self.case.codes)
        ratings[place] = np.where(higher, self.rating, -self.rating)
        reads = Reads(ratings[..., is_positive], ratings[..., ~is_positive])
        if self.cluster is not None:
            # Numbered anew: a group keeps the labels of the whole study.
            _, codes = np.unique(self._of_cases(self.cluster.codes), return_inverse=True)
            reads = Reads(*reads[:2], codes[is_positive], codes[~is_positive])
        for array in reads:
            if array is not None:
                array.flags.writeable = False
        return reads

    def _one_class(self) -> list[str]:
        """Return the readers with cases of one class only, and under which modality."""
        pos, neg = (~np.isnan(side).all(axis=2) for side in self.reads[:2])
        return [f"{self.readers[j]} ({self.predictors[i]})" for i, j in np.argwhere(pos != neg)]

    def _machine_of_study(self, machine: str) -> FloatArray:
        if machine not in self.machines:
            raise InputError(
                f"`machine` must name a machine of the study; got {machine!r}. The machines are"
                f" {list(self.machines)}.{did_you_mean(machine, self.machines)} Pass machine= when"
                " the study is made, or scores by case."
            )
        k = self.machines.index(machine)
        scores: FloatArray = self._of_cases(self._machine[k])
        return scores if self._machine_higher[k] else -scores

    def _part(self, rows: IntArray) -> Self:
        return self._of({**self._part_of(rows), "group": None})

    def _part_of(self, rows: IntArray) -> dict[str, Any]:
        return _with_labels_present(take_rows(self.__getstate__(), rows))

    def _units(self) -> Units | None:
        if self.cluster is None:
            return None
        unit, positive = self._of_cases(self.cluster.codes), self._case_is_positive
        n_units = count_units(unit, [np.flatnonzero(positive)])
        if n_units[0] == len(unit):
            return None
        sizes = (len(unit), self.n_pos)
        name = name_of_clusters(self._cluster_name)
        return Units(name, "cases", (self.outcome or "",), n_units, sizes)

    def _facts(self) -> dict[str, str]:
        design = self.design
        facts = {"design": design.in_words()}
        if not design.crossed:
            whole = design.n_reads + design.n_missing
            facts["reads not made"] = f"{design.n_missing:,} of {whole:,}"
        if len(design.blocks) > 1:
            facts["reader groups"] = design.blocks_in_words()
        facts["modalities"] = directed_names(self.predictors, self.higher_is_positive)
        facts["readers"] = names_in_short(self.readers)
        one_class = self._one_class()
        if one_class:
            facts["of one class"] = names_in_short(one_class)
        if self.machines:
            facts["machines"] = names_in_short(self.machines)
        return {**facts, "positive class": f"label {self.pos_label!r}", **role_facts(self)}


# --- Reading its inputs ---------------------------------------------------------------------------


def read_reader_inputs(
    truth: Any, rating: Any, *, data: Any, roles: Mapping[str, Any], machine: Any
) -> tuple[Inputs, dict[str, Vector]]:
    """Return truth, rating and roles, and machine scores by name, as vectors with the same rows."""
    columns = None if data is None else Columns(data)
    labels = one_vector(truth, "truth", columns)
    ratings = one_vector(rating, "rating", columns)
    name = rating if isinstance(rating, str) else ratings.name or ONE_MODALITY
    given = {
        role: one_vector(value, role, columns)
        for role, value in roles.items()
        if role in ("reader", "case") or (value is not None and role != "group")
    }
    group = role_vectors(roles.get("group"), "group", columns, len(labels))
    names = columns.names if columns else ()
    inputs = Inputs(labels, {name: ratings}, given, group, names)
    machines = _machine_vectors(machine, columns)
    require_equal_rows([labels, ratings, *inputs.of_roles, *machines.values()])
    return inputs, machines


def _machine_vectors(machine: Any, columns: Columns | None) -> dict[str, Vector]:
    """Return the scores of machines by name, given as names, arrays by name, or one array."""
    if machine is None:
        return {}
    if isinstance(machine, Mapping) or is_frame(machine, "machine"):
        table = Columns(machine, "machine")
        require_unique(table.names, "machine")
        return {name: table.column(name, "machine") for name in table.names}
    listed = isinstance(machine, (list, tuple)) and all(isinstance(n, str) for n in machine)
    if isinstance(machine, str) or listed:
        names = read_names(machine, "machine")
        require_unique(names, "machine")
        return {name: one_vector(name, "machine", columns) for name in names}
    vector = one_vector(machine, "machine", columns)
    return {vector.name or "machine": vector}


def _reader_or_case_names(vector: Vector, kept: IntArray) -> Factor:
    """Return readers, cases or modalities by their names as text, in order of appearance."""
    return read_factor(vector, as_text=label_text).in_order_of(kept)


def _read_machine_scores(
    machines: Mapping[str, Vector], missing: BoolArray | None, n_rows: int
) -> FloatArray:
    """Return the scores of machines, shape (k, n); refuse missing ones in rows that are kept."""
    scores = [read_scores(vector) for vector in machines.values()]
    for name, values in zip(machines, scores, strict=True):
        absent = np.isnan(values) if missing is None else np.isnan(values) & ~missing
        if absent.any():
            rows = np.flatnonzero(absent)
            raise InputError(
                f"`machine` must have a score for every case; got missing scores of {name!r}"
                f" ({describe_rows(rows, machines[name].index)}). Fill them in, or leave these"
                " cases out."
            )
    return np.stack(scores) if scores else np.empty((0, n_rows))


def _with_labels_present(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with the readers, cases and modalities that have rows, in order."""
    found = dict(fields)
    for role in ("reader", "case", "modality"):
        found[role] = fields[role].with_labels(fields[role].present)
    return {**found, "predictors": found["modality"].labels, "readers": found["reader"].labels}


def _read_directions(
    higher: bool | Mapping[str, bool], modalities: tuple[str, ...], machines: tuple[str, ...]
) -> dict[str, tuple[bool, ...]]:
    """Return the directions of modalities and of machines; True or False is of ratings only."""
    if not isinstance(higher, Mapping):
        read = (*read_directions(higher, modalities, "modality"), *[True] * len(machines))
    else:
        read = read_directions(higher, (*modalities, *machines), "modality")
    t = len(modalities)
    return {"higher_is_positive": read[:t], "_machine_higher": read[t:]}


def _read_scores_by_case(machine: Any, cases: tuple[str, ...]) -> FloatArray:
    """Return the scores of the cases from a Series or mapping by their names."""
    if not isinstance(machine, (Mapping, pd.Series)):
        raise InputError(
            "`machine` must be the name of a machine, or scores by case; got"
            f" {type(machine).__name__}. Pass a Series whose index is the cases, or a dict."
        )
    series = machine if isinstance(machine, pd.Series) else pd.Series(dict(machine))
    labels = [label_text(label) for label in series.index]
    twice = [label for label, times in Counter(labels).items() if times > 1]
    if twice:
        raise InputError(
            f"`machine` must have one score per case; got several of case {twice[0]!r}. Keep one"
            " of them."
        )
    scores = read_scores(read_vector(series, "machine")).tolist()
    found = dict(zip(labels, scores, strict=True))
    absent = [case for case in cases if np.isnan(found.get(case, np.nan))]
    if absent:
        raise InputError(
            f"`machine` must have a score for every case; got none for {len(absent)} of the"
            f" {len(cases)} cases, such as {absent[:5]}. Add them, or leave these cases out of"
            " the study."
        )
    return np.array([found[case] for case in cases])


# --- Checks of the reads --------------------------------------------------------------------------

_TRUTH_ADVICE = "Correct the truth, or give different cases different names."
_CLUSTER_ADVICE = "Correct these rows, or give different cases different names."
_GROUP_ADVICE = "Groups are groups of cases; for groups of readers, make a study of each group."
_MACHINE_ADVICE = "A machine has one score per case: repeat it in every row of the case."


def _require_valid_reads(
    fields: dict[str, Any], modality: Vector | None, machines: tuple[str, ...]
) -> None:
    """Raise InputError unless reads are unique, of known modalities, and equal within a case."""
    rows, case = fields["_row"], fields["case"]
    read = {fields["modality"].labels[code] for code in fields["modality"].present}
    declared = () if modality is None else _declared_modalities(modality)
    unread = [name for name in (*declared, *fields["modality"].labels) if name not in read]
    if unread:
        raise InputError(
            f"`modality` must be read by at least one reader; got no reads of {unread[0]!r}."
            " Leave this category out, or check its ratings."
        )
    alike = [name for name in machines if name in read]
    if alike:
        raise InputError(
            f"`machine` must have a name that no modality has; got {alike[0]!r}. Rename it."
        )
    _require_same_in_case("truth", fields["is_positive"], case, rows, _TRUTH_ADVICE)
    for role, advice in (("cluster", _CLUSTER_ADVICE), ("group", _GROUP_ADVICE)):
        if fields[role] is not None:
            _require_same_in_case(role, fields[role].codes, case, rows, advice)
    for scores in fields["_machine"]:
        _require_same_in_case("machine", scores, case, rows, _MACHINE_ADVICE)
    _require_read_once(fields["reader"], case, fields["modality"], rows)


def _declared_modalities(vector: Vector) -> tuple[str, ...]:
    """Return the categories of a categorical as text, used or not; () for other kinds."""
    values = vector.values
    kinds = values.categories if isinstance(values, pd.Categorical) else ()
    return tuple(label_text(kind) for kind in kinds)


def _require_same_in_case(
    argument: str, values: npt.NDArray[Any], case: Factor, rows: IntArray, advice: str
) -> None:
    """Raise InputError unless all rows of a case have the same value."""
    first = np.empty(len(case.labels), dtype=np.intp)
    # Written from the last row to the first, so that the first row of each case remains.
    first[case.codes[::-1]] = np.arange(len(case.codes))[::-1]
    differs = values != values[first][case.codes]
    if differs.any():
        bad = case.codes[np.flatnonzero(differs)[0]]
        same = np.flatnonzero(case.codes == bad)
        number = len(np.unique(case.codes[differs]))
        raise InputError(
            f"`{argument}` must be the same in all rows of a case; got different values for case"
            f" {case.labels[bad]!r}"
            f" ({describe_rows(rows[same], None)}){_further_problems_of_reads(number, 'cases')}."
            f" {advice}"
        )


def _require_read_once(reader: Factor, case: Factor, modality: Factor, rows: IntArray) -> None:
    """Raise InputError if a reader read a case twice under a modality.

    ``rows`` are the labels of the rows of the user's data, or their numbers, here and below.
    """
    read = (modality.codes * len(reader.labels) + reader.codes) * len(case.labels) + case.codes
    _, number, times = np.unique(read, return_inverse=True, return_counts=True)
    if (times > 1).any():
        twice = int(np.count_nonzero(times > 1))
        first = np.flatnonzero(times[number] > 1)[0]
        same = np.flatnonzero(number == number[first])
        names = [role.labels[role.codes[first]] for role in (reader, case, modality)]
        raise InputError(
            f"`rating` must be one value for each reader, case and modality; got {len(same)} of"
            f" reader {names[0]!r}, case {names[1]!r}, modality {names[2]!r}"
            f" ({describe_rows(rows[same], None)}){_further_problems_of_reads(twice, 'reads')}."
            " Keep one of them, or pass modality= if they differ in modality."
        )


def _further_problems_of_reads(number: int, what: str) -> str:
    """Return how many such problems there are, if more than the one that is shown."""
    return f", the first of {number} such {what}" if number > 1 else ""


def _require_cases_of_both_classes(sample: ReaderSample) -> None:
    if sample.n_pos == 0 or sample.n_neg == 0:
        raise InputError(
            f"`truth` must hold both classes; got {sample.n_pos} positive cases (label"
            f" {sample.pos_label!r}) and {sample.n_neg} negative ones. Check `pos_label`, and that"
            " cases of both classes are in the data."
        )


def _require_whole_groups(sample: ReaderSample) -> None:
    """Raise InputError unless every group has both classes and reads under every modality."""
    for label, part in sample.by_group():
        if part.n_pos == 0 or part.n_neg == 0:
            raise InputError(
                f"`group` must have both classes in every group; got {part.n_pos} positive and"
                f" {part.n_neg} negative cases in {label!r}. Merge groups, or leave this one out."
            )
        unread = [name for name in sample.predictors if name not in part.predictors]
        if unread:
            raise InputError(
                "`group` must have reads under every modality in every group; got none of"
                f" {unread[0]!r} in {label!r}. Merge groups, or leave this one out."
            )


# --- A column for each reader ---------------------------------------------------------------------


def reads_of_reader_columns(
    frame: pd.DataFrame, patterns: Sequence[str], rating: str, reader: str
) -> pd.DataFrame:
    """Return a row for each read of a frame with a column for each reader.

    Parameters
    ----------
    frame : pandas.DataFrame
        A row for each case, or for each case and modality.
    patterns : sequence of str
        Names of the columns of readers, or patterns of them such as "R*".
    rating, reader : str
        Names of the columns of the reads.

    Returns
    -------
    pandas.DataFrame
        The other columns repeated, the readers, and their ratings; an empty cell is no read. Rows
        keep their labels.

    Raises
    ------
    InputError
        If a pattern fits no column, or a name of the new columns is taken.
    """
    columns: list[str] = []
    for pattern in patterns:
        exact = [name for name in frame.columns if name == pattern]
        fitting = exact or [name for name in frame.columns if fnmatchcase(name, pattern)]
        if not fitting:
            raise InputError(
                f"`reader_column` must fit a column; got {pattern!r}. The columns are"
                f" {', '.join(map(repr, frame.columns))}."
            )
        columns += [name for name in fitting if name not in columns]
    others = [name for name in frame.columns if name not in columns]
    if taken := {rating, reader}.intersection(others):
        raise InputError(
            f"`reader_column` must be used for a file without a column {min(taken)!r}; got this"
            " column. Rename it, or pass --rating and --reader."
        )
    found = frame.melt(others, columns, var_name=reader, value_name=rating, ignore_index=False)
    found = found[found[rating].notna()]
    found.attrs = frame.attrs
    return found
