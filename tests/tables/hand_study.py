"""A reader study whose answers were written down by hand: reports take any study like it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import rocstats as rs
from tests.tables import hand_readers


class Design(NamedTuple):
    """A design as the study prints it."""

    n_missing: int = 0
    n_reads: int = 320
    pattern: str = "fully crossed"

    def in_words(self):
        return "fully crossed: 2 modalities x 4 readers x 40 cases (16 positive, 24 negative)"


class HandStudy:
    """Two modalities, four readers; remembers what it was asked."""

    modalities, readers, machines = ("plain", "aided"), ("1", "2", "3", "4"), ("score",)
    outcome, pos_label, n_pos, n_neg, n_dropped = "cancer", 1, 16, 24, 0
    cluster = group = units = None

    def __init__(self, **changed):
        self.asked, self.design = [], Design()
        self.labels = {"plain": "CT alone", "aided": "CT with AI", "score": "AI alone"}
        self.__dict__.update(changed)

    def auc(self, **options):
        self.asked.append(("auc", options))
        return hand_readers.areas()

    def roc_curve(self):
        return hand_readers.curves()

    def compare_auc(self, by=None, **options):
        self.asked.append((f"compare_auc {by}", options))
        return hand_readers.by_reader() if by == "reader" else hand_readers.comparison()

    def compare_with(self, machine, **options):
        self.asked.append(("compare_with", options))
        return hand_readers.against_machine(machine)

    def machine_study(self, machine):
        curve = rs.Study([0, 0, 1, 1], {machine: [1, 2, 2, 3]}).roc_curve()
        return SimpleNamespace(roc_curve=lambda: curve)

    def components(self, **options):
        if "covariance" in options:
            raise rs.InputError("no components of this covariance.")
        return hand_readers.components()

    def operating_points(self, **options):
        self.asked.append(("operating_points", options))
        return hand_readers.points()
