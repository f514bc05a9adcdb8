"""Decision trees as scores: the share of positives at each leaf."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.errors import InputError
from rocstats.sample.arrays import BoolArray, FloatArray, IntArray
from rocstats.sample.inputs.columns import read_columns, require_complete
from rocstats.sample.inputs.labels import read_labels
from rocstats.sample.inputs.vectors import describe_rows, read_weights

LEAF_COLUMNS = ("class", "matched", "errors")


def leaf_rows(leaves: Any, pos_label: Any) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return classes, scores and frequencies: a row for each leaf and class with instances.

    The score of a leaf is its share of positives. Leaves without instances are left out.
    """
    columns = read_columns(leaves, LEAF_COLUMNS, "leaves")
    require_complete(columns["class"])
    concludes_positive = read_labels(columns["class"], pos_label)
    matched = read_weights(columns["matched"], whole=True)
    errors = read_weights(columns["errors"], whole=True)
    _require_fewer_errors(matched, errors)
    n_pos = np.where(concludes_positive, matched - errors, errors)
    _require_both_classes(n_pos.sum(), matched.sum() - n_pos.sum(), pos_label)
    used = matched > 0
    n_pos, matched = n_pos[used], matched[used]
    # Equal shares are equal floats: a quotient of whole numbers is rounded correctly.
    share = n_pos / matched
    frequency = np.concatenate([n_pos, matched - n_pos])
    is_positive = np.repeat([True, False], len(share))
    present = frequency > 0
    return is_positive[present], np.tile(share, 2)[present], frequency[present]


def _require_fewer_errors(matched: FloatArray, errors: FloatArray) -> None:
    wrong: IntArray = np.flatnonzero(errors > matched)
    if len(wrong):
        row = wrong[0]
        raise InputError(
            "`leaves` must not have more errors than instances matched; got"
            f" {errors[row]:.0f} errors of {matched[row]:.0f} in {describe_rows(wrong)}."
            " Count as matched all instances that reach the leaf, errors too."
        )


def _require_both_classes(n_pos: float, n_neg: float, pos_label: Any) -> None:
    if n_pos == 0 or n_neg == 0:
        label = 1 if pos_label is None else pos_label
        raise InputError(
            f"`leaves` must hold instances of both classes; got {n_pos:.0f} positives"
            f" (label {label!r}) and {n_neg:.0f} negatives."
            " Check `pos_label`, and that no leaf is missing."
        )
