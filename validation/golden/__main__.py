"""``python -m validation.golden --check``: compare all answers with those of the last freeze.

``digests.txt`` has one line a call. Where a digest differs, both answers are needed: those of the
commit that froze the digests are made again, from its own files, by the same versions of all
packages. ``--check`` then allows numbers a difference of 1e-12, ``--check --exact`` none.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

# Before NumPy and matplotlib are loaded: one thread of BLAS, no window, one width of the screen.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MPLBACKEND="agg", COLUMNS="100")

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DIGESTS = HERE / "digests.txt"
SHOWN = 40
"""Differing calls that are printed in full; the others are counted by question."""


def answers_here() -> dict[str, Any]:
    """Return the answers of this tree as they are read back from JSON."""
    from validation.golden.calls import ask_everything

    answers: dict[str, Any] = json.loads(json.dumps(ask_everything()))
    return answers


def digest(answer: Any) -> str:
    """Return 16 hexadecimal digits that depend on every bit of an answer."""
    return hashlib.sha256(json.dumps(answer).encode()).hexdigest()[:16]


def freeze() -> int:
    """Write the digests of this tree."""
    lines = [f"{digest(answer)} {name}\n" for name, answer in answers_here().items()]
    DIGESTS.write_text("".join(lines), encoding="utf-8")
    print(f"{len(lines)} calls frozen")
    return 0


def frozen_digests() -> dict[str, str]:
    """Return the committed digests by the name of the call."""
    lines = DIGESTS.read_text(encoding="utf-8").splitlines()
    return {name: kept for kept, _, name in (line.partition(" ") for line in lines)}


def frozen_answers() -> dict[str, Any]:
    """Return the answers of the commit that wrote the digests, made again from its files."""

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout

    commit = git("log", "-1", "--format=%H", "--", str(DIGESTS)).decode().strip()
    print(f"some digests differ: asking commit {commit[:8]} again", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        files = git("archive", "--format=tar", commit, "rocstats", "validation")
        subprocess.run(["tar", "-x", "-C", folder], input=files, check=True)
        kept = Path(folder) / "answers.json"
        command = [sys.executable, "-m", "validation.golden", "--answers", str(kept)]
        paths = {**os.environ, "PYTHONPATH": folder}
        subprocess.run(command, cwd=folder, env=paths, check=True)
        answers: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return answers


def check(*, exact: bool) -> int:
    """Compare this tree with the frozen one; return 1 if any call differs."""
    frozen, found = frozen_digests(), answers_here()
    absent = [*(f"GONE {name}" for name in frozen.keys() - found.keys())]
    absent += [f"NEW  {name}" for name in found.keys() - frozen.keys()]
    print("\n".join(sorted(absent)))
    both = frozen.keys() & found.keys()
    changed = sorted(name for name in both if frozen[name] != digest(found[name]))
    if not changed:
        print(f"{len(frozen)} calls, {len(both)} equal to the bit, {len(absent)} gone or new")
        return int(bool(absent))
    return compare(frozen_answers(), found, changed, exact=exact) or int(bool(absent))


def compare(old: dict[str, Any], new: dict[str, Any], changed: list[str], *, exact: bool) -> int:
    """Print how the answers to changed calls differ; return 1 if any does too much."""
    from validation.golden.compare import Difference

    equal, near, largest, questions = 0, 0, 0.0, Counter[str]()
    for name in changed:
        if old[name] == new[name]:  # the digests are of another machine
            equal += 1
            continue
        difference = Difference()
        difference.look(old[name], new[name])
        if not difference.places and not exact:
            near += 1
            largest = max(largest, difference.largest)
            continue
        questions[name.partition(" ")[0].rpartition(":")[2]] += 1
        if questions.total() <= SHOWN:
            places = difference.places[:4] or [f"by {difference.largest:.1e}"]
            print("\n      ".join([f"OTHER {name}", *places]))
    print(f"{len(new) - len(changed) + equal} equal to the bit, {near} near (by {largest:.1e})")
    print(f"{questions.total()} differ: {dict(questions.most_common())}")
    return int(bool(questions))


def main() -> int:
    """Freeze the answers of this tree, or check them."""
    parser = argparse.ArgumentParser(prog="python -m validation.golden", description=__doc__)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--freeze", action="store_true", help="write digests.txt")
    task.add_argument("--check", action="store_true", help="compare with digests.txt")
    task.add_argument("--answers", type=Path, help="write all answers to a file")
    parser.add_argument("--exact", action="store_true", help="allow no difference at all")
    options = parser.parse_args()
    if options.answers:
        options.answers.write_text(json.dumps(answers_here()), encoding="utf-8")
        return 0
    return freeze() if options.freeze else check(exact=options.exact)


if __name__ == "__main__":
    sys.exit(main())
