"""The interactive part of a report: data by Python, views by scripts."""
