# Ask ROCR about every sample of simulate.py: Rscript validation/r_rocr/make.R

suppressPackageStartupMessages(library(ROCR))
source("validation/reference.R")

root <- "validation/r_rocr"
command <- "python validation/r_rocr/simulate.py && Rscript validation/r_rocr/make.R"

# ROCR's measure, and the question and the column that give it here.
measures <- rbind(
  c("tpr", "roc_curve", "tpr"),
  c("fpr", "roc_curve", "fpr"),
  c("rec", "pr_curve", "tpr"),
  c("prec", "pr_curve", "ppv"),
  c("rpp", "lift_curve", "positive_rate"),
  c("lift", "lift_curve", "lift"),
  c("fnr", "det_curve", "fnr"),
  c("tnr", "threshold_rates", "tnr"),
  c("npv", "threshold_rates", "npv"),
  c("acc", "threshold_rates", "accuracy"),
  c("f", "threshold_rates", "f1")
)

# One measure at every cutoff. Where ROCR divides 0 by 0 it has no number, and no row is written.
measure_rows <- function(prediction, measure, question, column) {
  found <- performance(prediction, measure)
  cutoffs <- found@x.values[[1]]
  values <- found@y.values[[1]]
  rows <- lapply(which(!is.nan(values)), function(k) {
    threshold <- if (is.infinite(cutoffs[k])) "\"inf\"" else shortest(cutoffs[k])
    computed(question, list(), sprintf("{\"threshold\": %s}", threshold), column, values[k])
  })
  do.call(rbind, rows)
}

for (folder in list.dirs(root, recursive = FALSE)) {
  data <- read.csv(file.path(folder, "input.csv"))
  prediction <- prediction(data$a, data$truth)
  rows <- lapply(seq_len(nrow(measures)), function(i) {
    measure_rows(prediction, measures[i, 1], measures[i, 2], measures[i, 3])
  })
  area <- performance(prediction, "auc")@y.values[[1]]
  rows <- c(rows, list(computed("auc", list(), "{\"predictor\": \"a\"}", "estimate", area)))
  write_expected(folder, rows, command, "ROCR")
  # The area that the README of each case sets beside the right one.
  aucpr <- performance(prediction, "aucpr")@y.values[[1]]
  message(sprintf("%s: aucpr %.4f", basename(folder), aucpr))
}
