"""Tools of several topics: variances, intervals, tests, resampling, frames of answers."""
