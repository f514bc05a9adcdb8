# Ask pROC about every sample of simulate.py: Rscript validation/r_proc_curves/make.R

suppressPackageStartupMessages(library(pROC))
source("validation/reference.R")

root <- "validation/r_proc_curves"
command <- paste(
  "python validation/r_proc_curves/simulate.py &&", "Rscript validation/r_proc_curves/make.R"
)

curve <- function(data, name, higher) {
  roc(data$truth, data[[name]], levels = c(0, 1), direction = if (higher) "<" else ">", quiet = TRUE)
}

# Lower scores that mean positive are negated: pROC ranks the scores as they are.
statistic <- function(one, two, paired) {
  roc.test(one, two, method = "venkatraman", paired = paired, boot.n = 1, progress = "none")$statistic
}

row <- function(arguments, where, column, value) {
  computed("compare_curves", arguments, where, column, value)
}

paired_rows <- function(data, study) {
  sign <- if (is.null(study$higher_is_positive) || study$higher_is_positive) 1 else -1
  do.call(rbind, lapply(combn(study$y_score, 2, simplify = FALSE), function(pair) {
    r <- lapply(pair, function(name) {
      curve(transform(data, score = sign * data[[name]]), "score", TRUE)
    })
    where <- sprintf("{\"predictor\": \"%s\", \"reference\": \"%s\"}", pair[1], pair[2])
    e <- statistic(r[[1]], r[[2]], TRUE)
    asked <- "{\"n_resamples\": 99, \"rng\": 1}"
    rbind(row(asked, where, "statistic", e), row(asked, where, "estimate", e / nrow(data)^2))
  }))
}

grouped_rows <- function(data, study) {
  names <- unique(data[[study$group]])
  r <- lapply(names, function(name) curve(data[data[[study$group]] == name, ], "a", TRUE))
  where <- sprintf("{\"group\": \"%s\", \"reference\": \"%s\"}", names[1], names[2])
  asked <- "{\"across\": \"groups\", \"n_resamples\": 99, \"rng\": 1}"
  row(asked, where, "statistic", statistic(r[[1]], r[[2]], FALSE))
}

for (folder in list.dirs(root, recursive = FALSE)) {
  study <- fromJSON(file.path(folder, "study.json"))
  data <- read.csv(file.path(folder, "input.csv"))
  rows <- if (is.null(study$group)) paired_rows(data, study) else grouped_rows(data, study)
  write_expected(folder, rows, command, "pROC")
}
