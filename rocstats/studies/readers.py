"""The study of several readers who rate the same cases."""

from __future__ import annotations

from rocstats.sample.readers import ReaderSample
from rocstats.studies.naming import names_its_methods


@names_its_methods
class ReaderStudy(ReaderSample):  # noqa: D101 (its docstring is that of ReaderSample)
    __doc__ = ReaderSample.__doc__
