"""Make the table of simulated reader studies again."""

from __future__ import annotations

from validation.simulation import main

if __name__ == "__main__":
    main("validation.roe_metz")
