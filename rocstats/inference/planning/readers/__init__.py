"""Plans of reader studies, and simulated ones."""
