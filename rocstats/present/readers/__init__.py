"""Answers of reader studies in print: tables, sentences, names."""
