# Ask cutpointr about every sample of simulate.py: Rscript validation/r_cutpointr/make.R

suppressPackageStartupMessages(library(cutpointr))
source("validation/reference.R")

root <- "validation/r_cutpointr"
command <- paste(
  "python validation/r_cutpointr/simulate.py && Rscript validation/r_cutpointr/make.R"
)

# A criterion here, the metric of cutpointr, whether it is maximised, and the quantity of its row.
criteria <- list(
  list("youden", youden, TRUE, "youden"),
  list("closest-topleft", roc01, FALSE, "distance"),
  list("product", prod_sens_spec, TRUE, "product"),
  list("equal-error", abs_d_sens_spec, FALSE, NA),
  list("accuracy", accuracy, TRUE, "accuracy"),
  list("kappa", cohens_kappa, TRUE, "kappa"),
  list("cost", misclassification_cost, FALSE, "expected_cost")
)

row <- function(arguments, quantity, value) {
  computed("cutpoints", arguments, of_quantity(quantity), "apparent", value)
}

criterion_rows <- function(data, criterion, direction) {
  metric <- criterion[[2]]
  costs <- if (criterion[[1]] == "cost") list(cost_fp = 1, cost_fn = 3) else list()
  method <- if (criterion[[3]]) maximize_metric else minimize_metric
  # The functions go in by name: cutpointr reads the words of its call.
  asked <- quote(cutpointr(
    data, a, truth, method = method, metric = metric, pos_class = 1, neg_class = 0,
    direction = direction, break_ties = c
  ))
  found <- suppressMessages(eval(as.call(c(as.list(asked), costs))))
  cut <- unlist(found$optimal_cutpoint)
  if (length(cut) > 1) {
    message(sprintf("  %s: %s are equally good, no rows", criterion[[1]], toString(cut)))
    return(NULL)
  }
  drawn <- list(threshold_at = "observed", n_resamples = 100, rng = 1)
  asked <- c(list(criterion = criterion[[1]]), costs, drawn)
  rows <- rbind(
    row(asked, "threshold", cut),
    row(asked, "tpr", unlist(found$sensitivity)),
    row(asked, "tnr", unlist(found$specificity))
  )
  if (is.na(criterion[[4]])) return(rows)
  # cutpointr's column is named after the metric; a cost is the sum over cases there.
  names_of <- setdiff(names(found), c(
    "direction", "optimal_cutpoint", "method", "acc", "sensitivity", "specificity", "AUC",
    "pos_class", "neg_class", "prevalence", "outcome", "predictor", "data", "roc_curve", "boot"
  ))
  value <- if (criterion[[1]] == "accuracy") unlist(found$accuracy) else unlist(found[[names_of[1]]])
  if (criterion[[1]] == "cost") value <- value / nrow(data)
  rbind(rows, row(asked, criterion[[4]], value))
}

for (folder in list.dirs(root, recursive = FALSE)) {
  data <- read.csv(file.path(folder, "input.csv"))
  study <- fromJSON(file.path(folder, "study.json"))
  direction <- if (study$higher_is_positive) ">=" else "<="
  rows <- lapply(criteria, function(one) criterion_rows(data, one, direction))
  write_expected(folder, rows, command, "cutpointr")
}
