"""Run Python code that arrives as JSON, and print the answers as JSON.

``record.py`` starts this file in the interpreter that has the program of a page. That interpreter
need not have this package, so nothing of it is imported here.
"""

from __future__ import annotations

import contextlib
import json
import sys
from importlib.metadata import version
from typing import Any


def answers(setup: str, code: list[tuple[str, str]]) -> list[tuple[str, str, list[str]]]:
    """Return what each expression says, with the names of those before it."""
    names: dict[str, Any] = {}
    exec(setup, names)
    found = []
    for kind, text in code:
        if kind == "call":  # that it runs is what is recorded
            exec(text, names)
            values = ["runs"]
        else:
            values = [f"{float(value):.17g}" for value in eval(text, names)]
        found.append((kind, text, values))
    return found


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):  # programs that print as they run
        said = answers(asked["setup"], asked["code"])
    told = {name: version(name) for name in asked["versions"]}
    print(json.dumps({"answers": said, "versions": told}))
