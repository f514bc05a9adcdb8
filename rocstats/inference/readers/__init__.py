"""Questions about reader studies: areas, rates and curves of readers, and their comparison."""
