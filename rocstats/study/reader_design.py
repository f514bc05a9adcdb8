"""The design of a reader study: who read which cases under which modality."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from rocstats.facts.arrays import BoolArray, IntArray
from rocstats.study.cases import Reads

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
