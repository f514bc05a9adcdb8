"""Measure the accuracy of single-step probabilities and limits; write the table."""

from __future__ import annotations

from validation.single_step.accuracy import CELLS, TABLE, cell, write

if __name__ == "__main__":
    print(write([row for place in CELLS for row in cell(*place)], TABLE).to_string())
