"""Data files of users: text, spreadsheets, parquet and the files of statistics packages."""
