"""Which roles each option of each question honours: a call of every option with every role.

Run: python -m validation.ledger.honoured, which writes honoured.csv (some minutes).
"""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs
from validation.ledger.credit import ROLES, Key
from validation.ledger.options import questions
from validation.ledger.table import ALL_ROLES, HONOURED, declared_keys, place
from validation.torture.detection_studies import DetectionParts
from validation.torture.questions import ALWAYS, NEEDS, draw_options
from validation.torture.reader_studies import ReaderParts
from validation.torture.settle import settle
from validation.torture.studies import Parts
from validation.torture.survival_studies import SurvivalParts
from validation.torture.values import NUMBERS, Drawing, draw_value

SEED = 20040316
TRIES = 100
"""Calls of one option with one role: the first with nothing else, the others with drawn options."""

ROLE_OPTIONS: dict[str, dict[str, Any]] = {
    "prevalence given": {"prevalence": 0.2},
    "partial area": {"fpr_range": (0.0, 0.5)},
}
"""Roles that are arguments of the question."""

NEEDED: dict[str, dict[str, Any]] = {
    "Study.compare_auc.correlation": {"method": "hanley-mcneil"},
    "Study.compare_auc.interval.percentile": {"method": "bootstrap"},
    "Study.roc_band.method.regional": {"fpr_range": (0.0, 0.5)},
}
"""What goes with an option, or one value of it, that drawn options seldom have."""


def honoured_keys() -> Iterator[Key]:
    """Yield the rows of the ledger, of questions of studies, for which some call was answered."""
    for label, asked in questions().items():
        if asked.is_class or "." not in label:
            continue
        needed = NEEDS.get(label.partition(".")[2])
        for role in ALL_ROLES:
            # A question that needs a role is never asked without one.
            if (needed and not role) or not is_answered(Key(label, "", "", role)):
                continue
            for key in declared_keys():
                if key.question == label and is_answered(key._replace(role=role)):
                    yield key._replace(role=role)


@cache
def is_answered(key: Key) -> bool:
    """Return whether one of some calls of an option with a role was answered, and not refused."""
    kind, name = key.question.split(".")
    function = getattr(getattr(rs, kind), name)
    for number in range(TRIES):
        rng = np.random.default_rng([SEED, zlib.crc32("/".join(key).encode()), number])
        study = study_of(kind, frozenset({key.role, NEEDS.get(name, key.role)}))
        if study is None:
            return False
        parts, built = study
        given = Drawing(rng, parts, name)
        options = _options(function, type(built), given, key, drawn=number > 0)
        if options is not None and _is_answered(function, built, options):
            return True
    return False


def _options(
    function: Callable[..., Any], kind: type, given: Drawing, key: Key, *, drawn: bool
) -> dict[str, Any] | None:
    """Return the arguments of a call; None if the option does not go with what it needs."""
    options = draw_options(function, kind, given) if drawn else {}
    for name, parameter in signature(function).parameters.items():
        needed = parameter.default is parameter.empty or name in ALWAYS
        if needed and name not in ("self", "sample") and name not in options:
            options[name] = draw_value(NUMBERS, function, name, given)
    asked = dict(ROLE_OPTIONS.get(key.role, {}))
    if key.option:
        value: Any = {"True": True, "False": False}.get(key.value, key.value)
        asked[key.option] = [value] if key.option == "quantities" else value
    path = f"{key.question}.{key.option}"
    asked |= NEEDED.get(path, NEEDED.get(f"{path}.{key.value}", {}))
    if not set(asked) <= set(signature(function).parameters):
        return None
    options = settle(given, {**options, **asked}, NUMBERS)
    return options if all(options.get(name) == value for name, value in asked.items()) else None


def _is_answered(function: Callable[..., Any], study: Any, options: Mapping[str, Any]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(study, **options)
        except (rs.InputError, TypeError):
            return False
    return True


@cache
def study_of(kind: str, roles: frozenset[str]) -> tuple[Parts, Any] | None:
    """Return an ordinary study with the given roles; None if its kind has no such role."""
    parts = MAKERS[kind](roles) if kind in MAKERS else None
    if parts is None:
        return None
    try:
        built = _binned(parts) if "binned counts" in roles else parts.build()
    except (rs.InputError, TypeError):
        return None
    return parts, built


def _columns(n: int, roles: frozenset[str]) -> dict[str, Any]:
    """Return the columns of the roles."""
    i = np.arange(n)
    columns = {
        "cluster": i // 2,
        "group": np.where(i % 4 < 2, "x", "y"),
        "fold": i // 8 % 4,
        "frequency": 1 + i % 3,
        "sample_weight": 0.5 + i % 2,
        "covariate": np.sin(i),
    }
    return {name: columns[name] for name in ROLES if name in roles}


def _of_two_classes(roles: frozenset[str]) -> Parts:
    rng, n = np.random.default_rng(SEED), 96
    y = np.tile([0, 0, 1, 0, 1, 1, 0, 0], n // 8)
    a, b = (np.round(1 / (1 + np.exp(-rng.normal(y - 0.7, 1.0))), 2) for _ in range(2))
    scores = {"a": a} if "binned counts" in roles else {"a": a, "b": b}
    parts = Parts(rs.Study, {"y_true": y, "y_score": scores, **_columns(n, roles)})
    if "missing scores" in roles:
        holes = np.where(np.arange(n) % 11 == 5, np.nan, a)
        parts = parts.replaced(y_score={"a": holes, "b": b}, nan_policy="available")
    return parts


def _binned(parts: Parts) -> Any:
    """Return the study of the counts of the parts' scores in bins, by group if it has groups."""
    bins = np.floor(parts.scores["a"] * 8)
    frame = pd.DataFrame(
        {"low": bins / 8, "high": (bins + 0.9) / 8, "y": parts.arguments["y_true"]}
    )
    group = parts.arguments.get("group")
    by = ["low", "high"] if group is None else ["low", "high", "group"]
    counts = frame.assign(group=group).groupby(by)["y"].agg(["sum", "size"]).reset_index()
    table = counts.assign(n_pos=counts["sum"], n_neg=counts["size"] - counts["sum"])
    table = table.rename(columns={"low": "score", "high": "score_high"})
    return rs.Study.from_counts(table.drop(columns=["sum", "size"]))


def _of_classes(roles: frozenset[str]) -> Parts | None:
    if roles & {"binned counts", "missing scores", "covariate"}:
        return None
    rng, n = np.random.default_rng(SEED), 96
    y = np.tile(list("abcabcab"), n // 8)
    scores = {c: rng.normal(y == c, 1.0) for c in "abc"}
    others = {c: rng.normal(y == c, 1.0) for c in "abc"}
    return Parts(
        rs.MulticlassStudy,
        {"y_true": y, "y_score": {"m1": scores, "m2": others}, **_columns(n, roles)},
    )


def _of_labels(roles: frozenset[str]) -> Parts | None:
    if roles & {"binned counts", "missing scores", "covariate"}:
        return None
    rng, n = np.random.default_rng(SEED), 96
    y = {label: np.tile(list(map(int, kinds)), n // 8) for label, kinds in
         (("a", "10010110"), ("b", "11001010"), ("c", "00010001"))}  # fmt: skip
    scores = {label: rng.normal(has, 1.0) for label, has in y.items()}
    others = {label: rng.normal(has, 1.0) for label, has in y.items()}
    return Parts(
        rs.MultilabelStudy,
        {"y_true": y, "y_score": {"m1": scores, "m2": others}, **_columns(n, roles)},
    )


def _of_readers(roles: frozenset[str]) -> Parts | None:
    if not roles <= {"", "cluster", "group"}:
        return None
    rng = np.random.default_rng(SEED)
    i, j, k = (axis.ravel() for axis in np.indices((2, 4, 32)))
    truth = (k % 2).astype(int)
    columns = _columns(32, roles)
    return ReaderParts(
        rs.ReaderStudy,
        {
            "truth": truth,
            "rating": np.round(rng.normal(truth, 1.0), 1),
            "reader": np.char.add("r", j.astype(str)),
            "case": k,
            "modality": np.char.add("m", i.astype(str)),
            "machine": {"ai": rng.normal(np.arange(32) % 2, 1.0)[k]},
            **{name: column[k] for name, column in columns.items()},
        },
    )


def _of_marks(roles: frozenset[str]) -> Parts | None:
    if not roles <= {"", "cluster", "group"}:
        return None
    rng, n = np.random.default_rng(SEED), 32
    i, j, k = (axis.ravel() for axis in np.indices((2, 4, n)))
    on_lesion = (k % 2 == 1) & (rng.random(len(k)) < 0.8)
    columns = _columns(n, roles)
    return DetectionParts(
        rs.DetectionStudy,
        {
            "marks": {
                "case": k,
                "rating": np.round(rng.normal(on_lesion, 1.0), 1),
                "lesion": np.where(on_lesion, "1", ""),
                "reader": np.char.add("r", j.astype(str)),
                "modality": np.char.add("m", i.astype(str)),
            },
            "cases": {"case": np.arange(n), **columns},
            "lesions": {"case": np.arange(1, n, 2), "lesion": np.full(n // 2, "1")},
            "reader": "reader",
            "modality": "modality",
            **{name: name for name in columns},
        },
    )


def _of_times(roles: frozenset[str]) -> Parts | None:
    if not roles <= {"", "cluster", "group", "prevalence given"}:
        return None
    rng, n = np.random.default_rng(SEED), 96
    scores = {name: rng.uniform(0.05, 0.95, n).round(2) for name in ("a", "b")}
    time = rng.exponential(5 / (0.5 + scores["a"])).round(1) + 0.1
    return SurvivalParts(
        rs.SurvivalStudy,
        {"time": time, "event": np.tile([1, 1, 0], n // 3), "score": scores, **_columns(n, roles)},
    )


def _of_items(roles: frozenset[str]) -> Parts | None:
    if not roles <= {"", "cluster", "group", "frequency"}:
        return None
    rng, n = np.random.default_rng(SEED), 96
    score = {name: (rng.random(n) < ease).astype(int) for name, ease in (("a", 0.8), ("b", 0.6))}
    return Parts(rs.ItemStudy, {"score": score, **_columns(n, roles)})


def _of_ordered_classes(roles: frozenset[str]) -> Parts | None:
    if not roles <= {"", "cluster", "group", "frequency"}:
        return None
    rng, n = np.random.default_rng(SEED), 96
    y = np.tile([0, 1, 2, 0, 1, 2, 0, 1], n // 8)
    scores = {name: rng.normal(y, spread) for name, spread in (("a", 1.0), ("b", 2.0))}
    return Parts(rs.OrdinalStudy, {"y_true": y, "y_score": scores, **_columns(n, roles)})


def _of_reviews(roles: frozenset[str]) -> Parts | None:
    if not roles <= {"", "group", "prevalence given"}:
        return None
    k = np.arange(24)
    counts = {"tp": 18 + k, "fp": 4 + k % 5, "fn": 3 + k % 4, "tn": 30 + 2 * k}
    by = {"covariate": {"setting": np.where(k % 3, "clinic", "hospital")}}
    return Parts(rs.MetaStudy, {**counts, **by, **_columns(len(k), roles & {"group"})})


MAKERS: dict[str, Callable[[frozenset[str]], Parts | None]] = {
    "Study": _of_two_classes,
    "MulticlassStudy": _of_classes,
    "MultilabelStudy": _of_labels,
    "ReaderStudy": _of_readers,
    "DetectionStudy": _of_marks,
    "SurvivalStudy": _of_times,
    "ItemStudy": _of_items,
    "OrdinalStudy": _of_ordered_classes,
    "MetaStudy": _of_reviews,
}
"""An ordinary study of each kind, by the name of its class."""


def main() -> None:
    """Write honoured.csv."""
    rows = sorted(honoured_keys(), key=place)
    pd.DataFrame(rows, columns=list(Key._fields)).to_csv(HONOURED, index=False)


if __name__ == "__main__":
    main()
