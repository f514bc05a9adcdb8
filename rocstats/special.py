"""Functions of scipy.special that import it when they are first called.

To import it takes a quarter of the time of pandas or more, and a curve needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any


@cache
def _scipy_special() -> ModuleType:
    import scipy.special

    return scipy.special


def _function(name: str) -> Callable[..., Any]:
    def call(*arguments: object) -> Any:
        return getattr(_scipy_special(), name)(*arguments)

    return call


bdtr = _function("bdtr")
betainc = _function("betainc")
betaincinv = _function("betaincinv")
chdtr = _function("chdtr")
chdtrc = _function("chdtrc")
erfcx = _function("erfcx")
expit = _function("expit")
fdtrc = _function("fdtrc")
gammaln = _function("gammaln")
kolmogi = _function("kolmogi")
logit = _function("logit")
ndtr = _function("ndtr")
ndtri = _function("ndtri")
owens_t = _function("owens_t")
psi = _function("psi")
stdtr = _function("stdtr")
stdtrit = _function("stdtrit")
xlog1py = _function("xlog1py")
xlogy = _function("xlogy")
