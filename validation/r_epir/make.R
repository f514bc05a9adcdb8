# Ask epiR about every sample of simulate.py: Rscript validation/r_epir/make.R

suppressPackageStartupMessages(library(epiR))
source("validation/reference.R")

root <- "validation/r_epir"
command <- "python validation/r_epir/simulate.py && Rscript validation/r_epir/make.R"
about <- fromJSON(file.path(root, "simulated_with.json"))

# epiR's statistic, and the quantity here; the last ones have limits of their own.
shares <- c(
  se = "tpr", sp = "tnr", p.tpdn = "fpr", p.tndp = "fnr",
  pv.pos = "ppv", pv.neg = "npv", diag.ac = "accuracy"
)
ratios <- c(lr.pos = "lr_positive", lr.neg = "lr_negative", diag.or = "odds_ratio")
agreement <- c(se = "ppa", sp = "npa", diag.ac = "overall_agreement")
methods <- c(wilson = "wilson", exact = "clopper-pearson", jeffreys = "jeffreys")

# One statistic with its limits; none of a table in which epiR divides by an empty cell.
rows_of <- function(detail, statistic, quantity, arguments, limits = TRUE) {
  found <- detail[detail$statistic == statistic, ]
  columns <- c(estimate = "est", if (limits) c(ci_low = "lower", ci_high = "upper"))
  numbers <- lapply(columns, function(name) found[[name]])
  computed_row("operating_points", arguments, of_quantity(quantity), numbers)
}

at_threshold <- function(data, cut, imperfect) {
  count <- function(truth, called) sum(data$n[data$truth == truth & (data$a >= cut) == called])
  cells <- c(count(1, TRUE), count(0, TRUE), count(1, FALSE), count(0, FALSE))
  table <- as.table(matrix(cells, nrow = 2, byrow = TRUE))
  rows <- list()
  for (method in names(methods)) {
    detail <- epi.tests(table, method = method)$detail
    asked <- list(threshold = cut, interval = methods[[method]], sampling = "cohort")
    if (imperfect) asked$reference_standard <- "imperfect"
    for (name in names(if (imperfect) agreement else shares)) {
      quantity <- if (imperfect) agreement[[name]] else shares[[name]]
      # Jeffreys' limits of 0 and 1 stop inside of them in epiR.
      ends <- method == "jeffreys" && detail[detail$statistic == name, "est"] %in% c(0, 1)
      if (!ends) rows <- c(rows, list(rows_of(detail, name, quantity, asked)))
    }
    if (imperfect) next
    rows <- c(rows, list(rows_of(detail, "youden", "youden", asked, limits = FALSE)))
    if (method == "wilson" && all(cells > 0)) {
      asked$ratio_interval <- "log"
      for (name in names(ratios)) {
        rows <- c(rows, list(rows_of(detail, name, ratios[[name]], asked)))
      }
    }
  }
  do.call(rbind, rows)
}

for (folder in list.dirs(root, recursive = FALSE)) {
  data <- read.csv(file.path(folder, "input.csv"))
  name <- basename(folder)
  cuts <- about$thresholds[[name]]
  rows <- lapply(cuts, function(cut) at_threshold(data, cut, name == "imperfect_200"))
  write_expected(folder, rows, command, "epiR")
  for (cut in cuts) {
    tp <- sum(data$n[data$truth == 1 & data$a >= cut])
    fp <- sum(data$n[data$truth == 0 & data$a >= cut])
    message(sprintf("%s at %g: TP %d, FP %d", name, cut, tp, fp))
  }
}
