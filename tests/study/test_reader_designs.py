"""The design of a reader study: each pattern from the smallest data that have it."""

from __future__ import annotations

import itertools
from typing import get_args

import numpy as np

import rocstats as rs
from rocstats.study.cases import Reads
from rocstats.study.readers import Pattern, study_design
from tests.quick import each

CASES = "abcd"  # a and b are positive


def reads_of(**read):
    """Return reads by modality: {"A": "12:abcd 3:ab"} is readers 1, 2 of all, 3 of two cases."""
    rows = [
        (modality, reader, case)
        for modality, text in read.items()
        for readers, cases in (part.split(":") for part in text.split())
        for reader, case in itertools.product(readers, cases)
    ]
    modality, reader, case = (list(column) for column in zip(*rows, strict=True))
    rating = np.arange(len(rows))
    truth = [name in "ab" for name in case]
    return rs.ReaderStudy(truth, rating, reader=reader, case=case, modality=modality)


DESIGNS = [
    ("fully crossed", "fully crossed", {"A": "12:abcd", "B": "12:abcd"}, 0, 1),
    ("readers nested in modalities", "readers nested in modalities",
     {"A": "12:abcd", "B": "34:abcd"}, 16, 1),
    # The same readers of a modality, each modality with cases of its own.
    ("readers nested in modalities", "readers nested in modalities",
     {"A": "12:ac", "B": "34:bd"}, 24, 2),
    ("cases nested in modalities", "cases nested in modalities",
     {"A": "12:ac", "B": "12:bd"}, 8, 1),
    ("partially paired", "partially paired", {"A": "12:abc", "B": "12:acd"}, 4, 1),
    ("partially paired", "partially paired", {"A": "12:abcd", "B": "12:ac"}, 4, 1),
    ("cases nested in readers", "cases nested in readers",
     {"A": "1:ac 2:bd", "B": "1:ac 2:bd"}, 8, 2),
    ("split plot", "split plot", {"A": "12:ac 3:bd", "B": "12:ac 3:bd"}, 12, 2),
    ("missing reads", "missing reads", {"A": "12:abcd", "B": "1:abcd 2:abc"}, 1, 1),
    # Two groups that share case c.
    ("missing reads", "missing reads", {"A": "1:abc 2:cd", "B": "1:abc 2:cd"}, 6, 1),
    # A split plot with one read less: still two groups.
    ("missing reads", "missing reads", {"A": "12:ac 3:bd", "B": "12:ac 3:b"}, 13, 2),
    # Reader 3 reads under one modality only.
    ("missing reads", "missing reads", {"A": "123:abcd", "B": "12:abcd"}, 4, 1),
    ("one modality", "fully crossed", {"A": "12:abcd"}, 0, 1),
    ("one modality", "split plot", {"A": "12:ac 34:bd"}, 8, 2),
    ("one modality", "cases nested in readers", {"A": "1:ac 2:bd"}, 4, 2),
    ("one modality", "missing reads", {"A": "1:abcd 2:abc"}, 1, 1),
    ("one reader", "fully crossed", {"A": "1:abcd"}, 0, 1),
    ("one reader", "fully crossed", {"A": "1:abcd", "B": "1:abcd"}, 0, 1),
    ("one reader", "partially paired", {"A": "1:abcd", "B": "1:abc"}, 1, 1),
    ("one reader", "cases nested in modalities", {"A": "1:ac", "B": "1:bd"}, 4, 1),
]  # fmt: skip


@each(("name", "pattern", "read", "n_missing", "n_blocks"), DESIGNS)
def test_designs(name, pattern, read, n_missing, n_blocks):
    study = reads_of(**read)
    design = study.design
    assert (design.name, design.pattern) == (name, pattern)
    assert design.crossed == (pattern == "fully crossed")
    assert design.n_missing == n_missing
    assert len(design.blocks) == n_blocks
    assert design.n_reads == len(study.rating)
    assert sum(block.n_pos for block in design.blocks) == design.n_pos == study.n_pos
    assert sum(block.n_neg for block in design.blocks) == design.n_neg == study.n_neg
    assert sorted(j for block in design.blocks for j in block.readers) == [*range(design.n_readers)]


def test_every_pattern_has_an_example_and_a_definition():
    assert {pattern for _, pattern, *_ in DESIGNS} == set(get_args(Pattern))
    for pattern in get_args(Pattern):
        assert f'"{pattern}"' in rs.ReaderStudy.__doc__, pattern


def test_a_design_does_not_hang_on_the_order_of_rows():
    rng = np.random.default_rng(1)
    for name, pattern, read, *_ in DESIGNS:
        study = reads_of(**read)
        rows = rng.permutation(len(study.rating))
        columns = (study.reader, study.case, study.modality)
        reader, case, modality = (np.array(f.labels)[f.codes][rows] for f in columns)
        again = rs.ReaderStudy(
            study.is_positive[rows], rows, reader=reader, case=case, modality=modality
        ).design
        assert again[:9] == study.design[:9]
        assert (again.name, again.pattern) == (name, pattern)


def test_words():
    crossed = reads_of(A="12:abcd", B="12:abcd").design
    assert crossed.in_words() == (
        "fully crossed: 2 modalities x 2 readers x 4 cases (2 positive, 2 negative), 16 reads"
    )
    single = reads_of(A="1:abcd").design
    assert single.in_words() == (
        "one reader, fully crossed: 1 modality x 1 reader x 4 cases (2 positive, 2 negative),"
        " 4 reads"
    )
    split = reads_of(A="12:ac 3:bd", B="12:ac 3:bd").design
    assert split.blocks_in_words() == "2 of 1 to 2 readers, who read 2 cases"


def test_readers_are_linked_by_chains_of_shared_cases():
    # Reader j reads cases j and j + 1: a chain of 40 links, of which the last pair is cut off.
    n = 42
    read = np.full((1, n, n + 1), np.nan)
    for j in range(n):
        read[0, j, j : j + 2] = 1
    read[0, 39, 40] = np.nan
    design = study_design(Reads(read[..., ::2], read[..., 1::2]))
    assert [len(block.readers) for block in design.blocks] == [40, 2]
