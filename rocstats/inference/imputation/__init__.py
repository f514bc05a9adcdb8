"""Answers about imputed data sets, pooled into one."""
