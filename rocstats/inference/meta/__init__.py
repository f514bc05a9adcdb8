"""Reviews: meta-analysis of 2x2 tables of several studies, and of areas over centres."""
