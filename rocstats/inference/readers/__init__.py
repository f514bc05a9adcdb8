"""Reader studies: areas, rates and curves of readers, compared between modalities."""
