"""``python -m rocstats`` is the ``rocstats`` command."""

from __future__ import annotations

from rocstats.cli import main

if __name__ == "__main__":
    main()
