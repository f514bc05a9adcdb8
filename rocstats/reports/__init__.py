"""Reports of a study: page, Word document and PDF."""
