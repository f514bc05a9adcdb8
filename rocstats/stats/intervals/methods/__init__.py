"""The intervals for an area, one method a file, and the two forms they share."""
