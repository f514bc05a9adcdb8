"""A hundred million rows of Parquet, counted by engines: time, memory and agreement."""
