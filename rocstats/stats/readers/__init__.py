"""Reader studies: areas of several readers under several modalities, and their comparison."""
