"""Statistical inference for ROC analysis: methods of a study return pandas frames.

The public names are listed in ``__init__.pyi``. Each is imported when it is first asked for, so
that a study of two predictors loads no reports and plans (Scientific Python's SPEC 1).
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
