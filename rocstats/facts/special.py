"""Functions of scipy.special, imported with the first study.

The import takes a quarter of the time of pandas or more: too long for `import rocstats`, which may
answer nothing, and for the first answer of a study.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any


@cache
def scipy_special() -> ModuleType:
    """Return the module scipy.special."""
    import scipy.special

    return scipy.special


def _function(name: str) -> Callable[..., Any]:
    def call(*arguments: object) -> Any:
        return getattr(scipy_special(), name)(*arguments)

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
smirnovi = _function("smirnovi")
psi = _function("psi")
stdtr = _function("stdtr")
stdtrit = _function("stdtrit")
xlog1py = _function("xlog1py")
xlogy = _function("xlogy")
