"""What must hold between answers: of the same study twice, and of studies that mean the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import rocstats as rs
from rocstats.frame.cutoffs import NEXT_SCORES
from rocstats.frame.groups import columns_of_groups
from validation.torture.contract import columns_of, kind_of
from validation.torture.questions import Call
from validation.torture.readers_of_frames import drawn, pooled, printed, put_into_words, reported
from validation.torture.studies import OF_RISKS, Parts, Rng
from validation.torture.survival_studies import CODES, coded
from validation.torture.values import annotations_of, words_of

OF_THE_SCALE = (
    "threshold", "reference_threshold", "threshold_start", "threshold_end", "band_low",
    "band_high", "rule_out_threshold", "rule_in_threshold", *NEXT_SCORES.values(),
)  # fmt: skip
"""Columns in units of the score, and options too."""

_COUNTS = {"n_pos": "n_neg", "reference_n_pos": "reference_n_neg", "n_pos_shared": "n_neg_shared"}
_EXCHANGED = _COUNTS | {negatives: positives for positives, negatives in _COUNTS.items()}

_DROPPED = r"(?:; )?rows-dropped=\d+"

TOLERANCE = 1e-6
"""Relative: optimisers and the sums of other orders agree to some 1e-8."""


def repeated(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the question is asked again of a study built anew."""
    again = _seeded(call, frame).make()
    if not frame.equals(again):
        yield f"not repeatable: {_differing(frame, again)}"


def respelled(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the words are written in capitals, with underscores."""
    annotations = annotations_of(call.ask.function)
    spelled = {
        name: value.upper().replace("-", "_")
        for name, value in call.options.items()
        if isinstance(value, str) and value in words_of(annotations.get(name))
    }
    if spelled:
        again = _seeded(call.with_options(**spelled), frame).make()
        if not frame.equals(again):
            yield f"words in capitals: {spelled}: {_differing(frame, again)}"


def scaled(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the scores are doubled, an exact monotone map."""
    of_risks = call.ask.name in OF_RISKS or "risk_threshold" in call.options
    if call.ask.kind is rs.ItemStudy or of_risks:
        return
    if _names_a_threshold(call) or not _ordinary(call.parts):
        return
    factors = [2.0, 0.25, 1024.0]
    if call.ask.name in OF_WHOLE_NUMBERS:
        factors = [factor for factor in factors if _stay_whole(call.parts, factor)]
    if not factors:
        return
    factor = float(rng.choice(factors))
    scores = _mapped(call.parts.scores, lambda score: score * factor)
    again = _seeded(call.of(call.parts.with_scores(scores)), frame).make()
    yield from _alike(frame, again, "scores times a power of two")


def permuted(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the rows have another order; draws would differ too."""
    # Labels are numbered by appearance: groups and folds would come in another order.
    roles = {name for name in ("group", "fold") if call.parts.arguments.get(name) is not None}
    # Modalities and readers too, and pairs are an earlier and a later modality.
    if roles or not _closed(frame) or call.ask.kind in (rs.ReaderStudy, rs.DetectionStudy):
        return
    if call.ask.name in OF_ROWS:
        return
    rows = rng.permutation(len(call.parts))
    again = call.of(call.parts.taken(rows)).make()
    yield from _alike(frame, again, "rows in another order")


def replicated(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when rows with frequencies are written out."""
    frequency = call.parts.arguments.get("frequency")
    if frequency is None or not _closed(frame) or frequency.sum() > 500:
        return
    if call.ask.name in OF_ROWS:
        return
    rows = np.repeat(np.arange(len(call.parts)), frequency)
    if not len(rows):
        return
    again = call.of(call.parts.taken(rows).replaced(frequency=None)).make()
    # Rows left out are counted as rows, of which there are more when they are written out.
    frame, again = (_without_dropped(each) for each in (frame, again))
    yield from _alike(frame, again, "rows repeated for their frequency")


def _without_dropped(frame: pd.DataFrame) -> pd.DataFrame:
    if "note" not in frame:
        return frame
    notes = frame["note"].str.replace(_DROPPED, "", regex=True)
    return frame.assign(note=notes.str.removeprefix("; "))


def swapped(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the classes change places and the scores their sign."""
    options, whole = call.options, ("fpr_range", "tpr_range")
    if call.ask.name not in SYMMETRIC or any(options.get(name) is not None for name in whole):
        return
    if any(options.get(name) in OF_POSITIVES for name in ("variance", "interval", "method")):
        return
    arguments = call.parts.arguments
    if call.ask.kind in (rs.ReaderStudy, rs.SurvivalStudy, rs.MultilabelStudy, rs.DetectionStudy):
        return
    labels = np.unique(np.asarray(arguments["y_true"]))
    if "pos_label" not in arguments or len(labels) != 2 or not _closed(frame):
        return
    positive = 1 if arguments["pos_label"] is None else arguments["pos_label"]
    other = next(label for label in labels if label != positive)
    scores = _mapped(arguments["y_score"], lambda score: -score)
    again = call.of(call.parts.replaced(pos_label=other, y_score=scores)).make()
    frame = frame.rename(columns=_EXCHANGED)[frame.columns]
    yield from _alike(frame, again, "classes swapped and scores reversed", without=("note",))


def recoded(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the events of a survival study have other codes."""
    arguments = call.parts.arguments
    if call.ask.kind is not rs.SurvivalStudy or "event_code" in arguments:
        return
    event = np.asarray(arguments["event"])
    if not {0, 1} <= set(event.astype(int).tolist()):  # a code that nobody has cannot be named
        return
    named = coded(event, CODES[int(rng.integers(len(CODES)))])
    again = _seeded(call.of(call.parts.replaced(**named)), frame).make()
    yield from _alike(frame, again, "events under other codes")


def indexed(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when the rows have labels, and what is paired in spite of its labels."""
    if call.ask.name in OF_ROWS:
        return
    n = len(call.parts)
    labels = pd.Index([f"case {k}" for k in rng.permutation(n)])
    held = {
        name: with_index(value, labels, n, name) if name in _of_rows(call.parts) else value
        for name, value in call.parts.arguments.items()
    }
    again = _seeded(call.of(call.parts.replaced(**held)), frame).make()
    if not frame.equals(again):
        yield f"rows with labels: {_differing(frame, again)}"
    names = [name for name in held if isinstance(held[name], pd.Series | pd.DataFrame)]
    if n < 2 or len(names) < 2:
        return
    name = names[int(rng.integers(len(names)))]
    moved = {**held, name: held[name].iloc[np.roll(np.arange(n), 1)]}
    try:
        call.of(call.parts.replaced(**moved)).make()
    except rs.InputError as error:
        if "index" not in str(error):
            yield f"rows of {name} in another order are refused for another reason: {error}"
    else:
        yield f"rows of {name} in another order are taken"


def _of_rows(parts: Parts) -> set[str]:
    """Return the arguments that have a value a row."""
    one = {name for name, value in parts.arguments.items() if np.shape(value)[:1] == (len(parts),)}
    one -= {"order"}  # of as many classes as rows
    return one | {name for name, value in parts.arguments.items() if isinstance(value, dict)}


def with_index(value: Any, labels: pd.Index, n: int, role: str) -> Any:
    """Return values of rows as a series or a frame with these labels; others as they are."""
    if isinstance(value, dict):
        return {name: with_index(one, labels, n, role) for name, one in value.items()}
    if np.shape(value)[:1] != (n,):
        return value
    if np.ndim(value) == 1:
        return pd.Series(value, index=labels)
    # As a study calls the columns of an array, which are columns of its answers.
    names = [f"{role}_{k + 1}" for k in range(np.shape(value)[1])]
    return pd.DataFrame(value, index=labels, columns=names)


def filed(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when labels look like numbers, and the rows come from a text file."""
    arguments, n = call.parts.arguments, len(call.parts)
    roles = [name for name in ("cluster", "fold", "group") if _is_vector(arguments.get(name), n)]
    if call.ask.kind is not rs.Study or call.ask.name in OF_ROWS:
        return
    columns = {f"score {name}": score for name, score in arguments["y_score"].items()}
    if not all(np.isfinite(np.asarray(score, dtype=float)).all() for score in columns.values()):
        return
    for name in roles:
        codes, known = pd.factorize(np.asarray(arguments[name]), sort=True)
        columns[name] = np.array(like_numbers(len(known)))[codes]
    made = call.of(call.parts.replaced(**{name: columns[name] for name in roles}))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        table = rs.read_table(path, text=roles, sep=",", decimal=".")
    score = {name: table[f"score {name}"] for name in arguments["y_score"]}
    read = call.of(made.parts.replaced(y_score=score, **{name: table[name] for name in roles}))
    expected, again = _seeded(made, frame).make(), _seeded(read, frame).make()
    if not expected.equals(again):
        yield f"rows from a file: {_differing(expected, again)}"
    if _closed(frame):
        yield from _alike(frame, expected, "labels that look like numbers", without=tuple(roles))


def _is_vector(value: Any, n: int) -> bool:
    return value is not None and np.shape(value) == (n,)


def like_numbers(n: int) -> list[str]:
    """Return n different labels in sorted order, several of which are one number each."""
    labels = [form.format(k) for k in range(n) for form in ("{}", "0{}", "{}.0", "{}.00")]
    return sorted(labels[:n])


def split(call: Call, frame: pd.DataFrame, rng: Rng) -> Iterator[str]:
    """Yield what differs when each group is a study of its own."""
    group = call.parts.arguments.get("group")
    if group is None or call.ask.name not in BY_GROUP or not _closed(frame):
        return
    # Of readers the design of the whole study decides the method.
    # Groups of a study of marks are of its cases, which are in another table than its marks.
    if call.ask.kind in (rs.ReaderStudy, rs.DetectionStudy):
        return
    if call.options.get("by") == "fold":  # a group by itself may meet its folds in another order
        return
    columns = np.asarray(group).reshape(len(call.parts), -1)
    group = np.array([" / ".join(map(str, row)) for row in columns])
    for label, own in frame.groupby("group", sort=False):
        rows = np.flatnonzero(group == label)
        part = call.parts.taken(rows).replaced(group=None)
        if not _both_classes(part):
            continue
        apart = call.of(part).make()
        own = own.drop(columns=["group", *columns_of_groups(own)]).reset_index(drop=True)
        # Groups are adjusted for together.
        yield from _alike(own, apart, "a group by itself", without=("p_adjusted", "note"))


SYMMETRIC = (
    "auc",
    "auc_bounds",
    "compare_auc",
    "test_equal_auc",
    "stratified_auc",
    "versus_random",
)
"""Questions about the whole area, in which the classes have the same part."""

OF_POSITIVES = ("hanley-mcneil", "hanley-mcneil-score")
"""Methods whose published variance is that of exponential scores, not symmetric in the classes."""

OF_WHOLE_NUMBERS = ("cutpoints", "cutpoint_draws")
"""Questions that report whole-number scores themselves, and midpoints of others."""

BY_GROUP = (
    "adjusted_auc", "adjusted_roc_curve", "auc", "auc_bounds", "average_precision", "binormal",
    "binormal_curve", "cost_curve", "covariate_auc",
    "det_curve", "lift_curve", "operating_points", "optimal_points", "pr_curve", "roc_curve",
    "roc_hull", "superiority_curve", "test_equal_auc", "versus_random",
)  # fmt: skip
"""Questions that are asked of each group by itself."""

OF_ROWS = ("subgroups",)
"""Questions with an option of one value a row, which would have to move with the rows."""

RELATIONS: tuple[Callable[[Call, pd.DataFrame, Rng], Iterator[str]], ...] = (
    repeated, respelled, scaled, permuted, replicated, swapped, recoded, indexed, filed, split,
    put_into_words, printed, drawn, pooled, reported,
)  # fmt: skip
"""All relations; each yields nothing where it does not apply."""


def _seeded(call: Call, frame: pd.DataFrame) -> Call:
    # The seed that the frame records must repeat it, whatever the source of the draws was.
    seed = frame.attrs["rocstats"]["seed"]
    return call if seed is None else call.with_options(rng=seed)


def _closed(frame: pd.DataFrame) -> bool:
    about = frame.attrs["rocstats"]
    return about["n_resamples"] is None and about["seed"] is None


def _both_classes(parts: Parts) -> bool:
    """Return whether a part of the rows is a study: by itself one of one class is refused."""
    try:
        parts.build()
    except rs.InputError:
        return False
    return True


def _names_a_threshold(call: Call) -> bool:
    # roc_average(at=) takes thresholds for two of its kinds.
    names = ("threshold", "thresholds", "at", "edges")
    return any(call.options.get(name) is not None for name in names)


def _ordinary(parts: Parts) -> bool:
    """Return whether a power of two is exact on every score."""
    sizes = np.abs(np.concatenate(list(_columns(parts.scores))))
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    return bool(((sizes > 1e-200) & (sizes < 1e200)).all())


def _stay_whole(parts: Parts, factor: float) -> bool:
    """Return whether the multiple of each score is a whole number where the score is, only."""
    scores = np.concatenate(list(_columns(parts.scores)))
    scores = scores[np.isfinite(scores)]
    return bool(((scores % 1 == 0) == (scores * factor % 1 == 0)).all())


def _columns(scores: Any) -> Iterator[Any]:
    for value in scores.values():
        if isinstance(value, dict):
            yield from value.values()
        else:
            yield value


def _mapped(scores: Any, change: Callable[[Any], Any]) -> Any:
    return {
        name: _mapped(value, change) if isinstance(value, dict) else change(value)
        for name, value in scores.items()
    }


_LOST_DIGITS = 1e-6  # of ten digits in 1 - p, six are left


def _alike(
    frame: pd.DataFrame, again: pd.DataFrame, what: str, without: tuple[str, ...] = ()
) -> Iterator[str]:
    if len(frame) != len(again) or list(frame) != list(again):
        yield f"{what}: {len(frame)} rows become {len(again)}"
        return
    left = (*OF_THE_SCALE, *without)
    ours, theirs = columns_of(frame), columns_of(again)
    rows = np.ones(len(frame), dtype=bool)
    if "quantity" in ours:  # an estimated threshold is in units of the score
        rows = ours["quantity"] != "threshold"
    kept = dict.fromkeys(ours, rows)
    if "n_effective" in ours and "estimate" in ours:
        # It is p(1 - p)/v: where p is nearly 1 the digits of 1 - p are those of rounding.
        kept["n_effective"] = rows & ~(np.abs(ours["estimate"] - 1) < _LOST_DIGITS)
    odd = [
        name
        for name, some in kept.items()
        if name not in left and not _close(ours[name][some], theirs[name][some], kind_of(name))
    ]
    if odd:
        yield f"{what}: other values of {odd}"


def _close(ours: npt.NDArray[Any], theirs: npt.NDArray[Any], kind: str) -> bool:
    if kind == "text":
        return list(ours) == list(theirs)
    return np.allclose(ours, theirs, rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)


def _differing(frame: pd.DataFrame, again: pd.DataFrame) -> list[str]:
    if len(frame) != len(again):
        return [f"{len(frame)} and {len(again)} rows"]
    return [str(name) for name in frame if not frame[name].equals(again[name])]
