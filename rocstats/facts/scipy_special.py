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


def _function_of_scipy_special(name: str) -> Callable[..., Any]:
    def call(*arguments: object) -> Any:
        return getattr(scipy_special(), name)(*arguments)

    return call


bdtr = _function_of_scipy_special("bdtr")
betainc = _function_of_scipy_special("betainc")
betaincinv = _function_of_scipy_special("betaincinv")
chdtr = _function_of_scipy_special("chdtr")
chdtrc = _function_of_scipy_special("chdtrc")
erfcx = _function_of_scipy_special("erfcx")
expit = _function_of_scipy_special("expit")
fdtrc = _function_of_scipy_special("fdtrc")
gammaincinv = _function_of_scipy_special("gammaincinv")
gammaln = _function_of_scipy_special("gammaln")
kolmogi = _function_of_scipy_special("kolmogi")
logit = _function_of_scipy_special("logit")
ndtr = _function_of_scipy_special("ndtr")
ndtri = _function_of_scipy_special("ndtri")
owens_t = _function_of_scipy_special("owens_t")
smirnovi = _function_of_scipy_special("smirnovi")
psi = _function_of_scipy_special("psi")
stdtr = _function_of_scipy_special("stdtr")
stdtrit = _function_of_scipy_special("stdtrit")
xlog1py = _function_of_scipy_special("xlog1py")
xlogy = _function_of_scipy_special("xlogy")
