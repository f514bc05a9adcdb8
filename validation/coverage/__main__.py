"""Make the tables of simulated coverage again."""

from __future__ import annotations

from validation.simulation import main

if __name__ == "__main__":
    main("validation.coverage")
