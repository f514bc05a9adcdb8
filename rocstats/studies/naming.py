"""The name under which Python's own errors speak of a method."""

from __future__ import annotations

from types import FunctionType
from typing import TypeVar

from rocstats.sample.base import BaseSample

Kind = TypeVar("Kind", bound=type)


def names_its_methods(kind: Kind) -> Kind:
    """Return the class, whose methods are named after it in Python's errors.

    "Study.auc() got an unexpected keyword argument": not ``auc`` or ``Sample``, as it is defined.
    """
    # Both studies share what BaseSample defines: that has the name of neither.
    for base in kind.__mro__[: kind.__mro__.index(BaseSample)]:
        for name, value in vars(base).items():
            function = getattr(value, "__func__", value)
            if isinstance(function, FunctionType):
                function.__qualname__ = f"{kind.__name__}.{name}"
                function.__module__ = kind.__module__  # where pickle looks for the other name
    return kind
