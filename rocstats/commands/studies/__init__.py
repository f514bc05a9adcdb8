"""Commands about studies of another kind: times to an event."""
