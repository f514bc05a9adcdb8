"""Facts about quantities, columns, notes, methods and works, each in one record."""
