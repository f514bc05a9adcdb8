"""The resampling engines against closed forms and each other: ``python -m validation.engines``."""
