# Ask pROC for the best thresholds of every sample: Rscript validation/r_proc_best/make.R

suppressPackageStartupMessages(library(pROC))
source("validation/reference.R")

root <- "validation/r_proc_best"
command <- paste(
  "python validation/r_proc_best/simulate.py && Rscript validation/r_proc_best/make.R"
)

# The arguments of a criterion here, the word of pROC, its weights (cost of a false negative over
# that of a false positive, prevalence), and the value of the criterion if it has a row of its own.
criteria <- list(
  list(list(criterion = "youden"), "youden", c(1, 0.5), "youden", function(se, sp) se + sp - 1),
  list(
    list(criterion = "closest-topleft"), "closest.topleft", c(1, 0.5), "distance",
    function(se, sp) sqrt((1 - se)^2 + (1 - sp)^2)
  ),
  list(list(criterion = "cost", cost_fp = 1, cost_fn = 3, prevalence = 0.2), "youden", c(3, 0.2), NA, NULL)
)

row <- function(arguments, quantity, value) {
  computed("cutpoints", arguments, of_quantity(quantity), "apparent", value)
}

criterion_rows <- function(curve, criterion) {
  best <- coords(
    curve, "best",
    best.method = criterion[[2]], best.weights = criterion[[3]],
    ret = c("threshold", "sensitivity", "specificity"), transpose = FALSE
  )
  if (nrow(best) > 1) {
    message(sprintf("  %s: %s are equally good", criterion[[1]]$criterion, toString(best$threshold)))
  }
  # pROC returns all that are equally good; the one with the fewest called positive is taken here.
  best <- best[which.max(best$specificity), ]
  asked <- c(criterion[[1]], list(n_resamples = 100, rng = 1))
  rows <- rbind(
    row(asked, "threshold", best$threshold),
    row(asked, "tpr", best$sensitivity),
    row(asked, "tnr", best$specificity)
  )
  if (is.na(criterion[[4]])) return(rows)
  rbind(rows, row(asked, criterion[[4]], criterion[[5]](best$sensitivity, best$specificity)))
}

for (folder in list.dirs(root, recursive = FALSE)) {
  data <- read.csv(file.path(folder, "input.csv"))
  study <- fromJSON(file.path(folder, "study.json"))
  direction <- if (study$higher_is_positive) "<" else ">"
  curve <- roc(data$truth, data$a, levels = c(0, 1), direction = direction, quiet = TRUE)
  rows <- lapply(criteria, function(one) criterion_rows(curve, one))
  write_expected(folder, rows, command, "pROC")
}
