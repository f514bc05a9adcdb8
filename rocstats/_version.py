"""The one place the version is written."""

from __future__ import annotations

__version__ = "0.3.0.dev0"
