"""The ``rocstats`` command: every question of a study of a file, on the terminal."""
