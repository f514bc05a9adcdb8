"""Memory that the process keeps.

glibc gives large arrays back to the system as soon as they are free, and the next array is new
memory again. A virtual machine may give that on to its host, and then writing 80 MB for the first
time takes longer than sorting a million numbers: the same call of 10^7 cases took 1.3 or 2.7 sorts
in two runs. A process that keeps its memory is measured by its own work.
"""

from __future__ import annotations

import ctypes

# Of glibc's malloc.h: what to set, and the values that stop the giving back.
_M_TRIM_THRESHOLD, _NEVER = -1, -1
_M_MMAP_MAX, _NONE = -4, 0


def keep_memory() -> bool:
    """Have freed memory stay in this process; return whether its allocator can do so."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    settings = ((_M_TRIM_THRESHOLD, _NEVER), (_M_MMAP_MAX, _NONE))
    return mallopt is not None and all(mallopt(*setting) == 1 for setting in settings)
