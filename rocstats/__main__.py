"""``python -m rocstats`` is the ``rocstats`` command."""

from rocstats.cli import main

if __name__ == "__main__":
    main()
