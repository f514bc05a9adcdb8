# Average five curves as ROCR does: Rscript validation/r_rocr_average/make.R

suppressPackageStartupMessages(library(ROCR))
source("validation/reference.R")

root <- "validation/r_rocr_average"
command <- "python validation/fawcett/make_averages.py && Rscript validation/r_rocr_average/make.R"

# The curves that ROCR has of the samples of a case.
curves <- function(folder) {
  data <- read.csv(file.path(folder, "input.csv"))
  by_sample <- split(data, data$sample)
  performance(
    prediction(lapply(by_sample, `[[`, "score"), lapply(by_sample, function(s) s$class == "p")),
    "tpr", "fpr"
  )
}

# What plot(avg = "vertical") and plot(avg = "threshold") do with each curve before the mean.
sample_at <- function(x, y, at) approxfun(x, y, ties = mean, rule = 2)(at)
vertical <- function(perf, at) {
  mapply(sample_at, perf@x.values, perf@y.values, MoreArgs = list(at = at))
}
by_threshold <- function(perf, rates, at) {
  mapply(function(alpha, y) {
    known <- is.finite(alpha)
    sample_at(alpha[known], y[known], at)
  }, perf@alpha.values, rates)
}

# One row a curve and place, then the means.
rows_of <- function(matrix, question, arguments, steps, column) {
  values <- cbind(matrix, rowMeans(matrix))
  names <- c(seq_len(ncol(matrix)), "mean")
  do.call(rbind, lapply(seq_along(names), function(j) {
    where <- sprintf("{\"curve\": \"%s\", \"step\": %d}", names[j], steps)
    computed(question, arguments, where, column, values[, j])
  }))
}

folder <- file.path(root, "figure_8_rated")
perf <- curves(folder)
# ROCR takes the mean of a vertical step: there must be none.
stopifnot(all(vapply(perf@x.values, function(x) all(diff(x) > 0), NA)))
vertical_rows <- rows_of(
  vertical(perf, seq(0, 1, by = 0.1)), "vertical_average", "{\"samples\": 10}", 0:10, "tpr"
)
shared <- Reduce(intersect, lapply(perf@alpha.values, function(a) round(a[is.finite(a)], 1)))
shared <- sort(shared, decreasing = TRUE)
arguments <- sprintf("{\"thresholds\": [%s]}", paste(sprintf("%.1f", shared), collapse = ", "))
steps <- seq_along(shared) - 1L
threshold_rows <- rbind(
  rows_of(by_threshold(perf, perf@x.values, shared), "threshold_average", arguments, steps, "fpr"),
  rows_of(by_threshold(perf, perf@y.values, shared), "threshold_average", arguments, steps, "tpr")
)
threshold_rows <- threshold_rows[grepl("mean", threshold_rows$where), ]
write_expected(folder, rbind(vertical_rows, threshold_rows), command, "ROCR")

# The means over steep curves, which the README sets beside those of the top of each step.
fine <- rowMeans(vertical(curves("validation/fawcett/figure_8"), seq(0, 1, by = 0.1)))
message(paste(sprintf("%.4f", fine), collapse = " "))
