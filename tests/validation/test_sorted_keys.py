"""The first of the designs of ``validation/sorted_keys.py``, which checks a thousand."""

from __future__ import annotations

from rocstats.curves import areas
from rocstats.study import count_tables
from validation.sorted_keys import KINDS, design, disagreements


def test_sorted_keys_agree_with_all_pairs_and_with_the_order():
    assert {design(seed)[0] for seed in range(100)} == set(KINDS)
    assert [line for seed in range(100) for line in disagreements(seed)] == []


def test_sums_in_blocks_and_in_parts_of_numbers_are_exact(monkeypatch):
    # Small samples have one block, and numbers of one part: here they have many.
    monkeypatch.setattr(count_tables, "_KEYS_PER_BLOCK", 7)
    monkeypatch.setattr(areas, "_DOT_BITS", 2)
    assert [line for seed in range(100, 160) for line in disagreements(seed)] == []
