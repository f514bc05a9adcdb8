"""What ``python -m validation.doors`` counts, of one call."""

from __future__ import annotations

from validation import doors


def test_the_doors_of_auc_are_listed_in_the_order_of_entry(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["doors", "Study.auc", "--list"])
    assert doors.main() == 0
    head, line, *files = capsys.readouterr().out.splitlines()
    assert head.split() == ["call", "files", "functions", "calls"]
    name, *counts = line.split()
    n_files, n_functions, n_calls = map(int, counts)
    assert name == "Study.auc"
    assert n_files == len(files) == len(set(files))
    assert n_files <= n_functions <= n_calls
    assert files[0].strip() == "rocstats/inference/auc/auc.py"
