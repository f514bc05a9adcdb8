"""What takes pytest, and pandas, more time than most of what is tested takes us."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pandas as pd
import pytest


def assert_frames_equal(found: pd.DataFrame, expected: pd.DataFrame, **options: Any) -> None:
    """Require what pandas.testing.assert_frame_equal does, which says what differs, but slowly."""
    axes = ((found.index, expected.index), (found.columns, expected.columns))
    alike = type(found) is type(expected) and all(
        type(one) is type(other) and one.dtype == other.dtype and one.names == other.names
        for one, other in axes
    )
    if not (alike and found.equals(expected)):
        pd.testing.assert_frame_equal(found, expected, **options)


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Any], Any]:
    """Run a test with each case, as ``pytest.mark.parametrize`` does, but as one test.

    All cases are run, and every one that fails is named. Fixtures are shared by the cases: a test
    that draws from ``rng``, or writes to ``tmp_path``, stays parametrised.
    """
    given = (names,) if isinstance(names, str) else names
    rows = [case if isinstance(names, tuple) else (case,) for case in cases]
    assert rows, "no case at all"

    def decorate(test: Any) -> Any:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            for row in rows:
                try:
                    test(**dict(zip(given, row, strict=True)), **fixtures)
                # What pytest.raises and pytest.fail raise is no Exception.
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:
                    error.add_note(f"in the case {dict(zip(given, row, strict=True))}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(rows)} cases fail", failed)

        shown = inspect.signature(test)
        own = [one for name, one in shown.parameters.items() if name not in given]
        run.__signature__ = shown.replace(parameters=own)  # type: ignore[attr-defined]
        return run

    return decorate
