# Ask pROC and epiR for a criterion table: Rscript validation/r_criterion_table/make.R

suppressPackageStartupMessages({
  library(pROC)
  library(epiR)
})
source("validation/reference.R")

folder <- "validation/r_criterion_table/breast_cancer_texture"
command <- "Rscript validation/r_criterion_table/make.R"
n_thresholds <- 30

# The quantity here, and the names of pROC and epiR.
proc <- c(tpr = "sensitivity", tnr = "specificity", ppv = "ppv", npv = "npv")
shares <- c(tpr = "se", tnr = "sp", ppv = "pv.pos", npv = "pv.neg")
ratios <- c(lr_positive = "lr.pos", lr_negative = "lr.neg")
limits <- c(ci_low = "lower", ci_high = "upper")

all_cases <- read.csv("rocstats/datasets/breast_cancer.csv")
data <- all_cases[c("diagnosis", "texture")]
positive <- data$diagnosis == "malignant"
scores <- sort(unique(data$texture), decreasing = TRUE)
# Spread over the ranks, the highest and the lowest score among them.
cuts <- scores[round(seq(1, length(scores), length.out = n_thresholds))]

curve <- roc(data$diagnosis, data$texture,
  levels = c("benign", "malignant"), direction = "<", quiet = TRUE
)

asked <- function(...) {
  list(threshold = "all", quantities = c(names(shares), names(ratios)), ...)
}

row <- function(arguments, cut, quantity, column, value) {
  where <- sprintf("{\"threshold\": %s, \"quantity\": \"%s\"}", format(cut), quantity)
  computed("operating_points", arguments, where, column, value)
}

# The table of a threshold, as epi.tests reads it: calls in rows, diagnoses in columns.
cells_at <- function(cut) {
  called <- data$texture >= cut
  c(
    sum(positive & called), sum(!positive & called),
    sum(positive & !called), sum(!positive & !called)
  )
}

proc_rows <- function(cut) {
  found <- coords(curve, cut, input = "threshold", ret = unname(proc), transpose = FALSE)
  # pROC's own thresholds lie between scores: at a score it must count the score as positive.
  stopifnot(round(found$sensitivity * sum(positive)) == cells_at(cut)[1])
  lapply(names(proc), function(quantity) {
    row(asked(), cut, quantity, "estimate", found[[proc[[quantity]]]])
  })
}

epi_rows <- function(cut, method, interval) {
  cells <- cells_at(cut)
  detail <- suppressWarnings(
    epi.tests(as.table(matrix(cells, nrow = 2, byrow = TRUE)), method = method)$detail
  )
  arguments <- asked(sampling = "cohort", interval = interval, ratio_interval = "log")
  # Estimates, and ratios with their limits, are the same with any method: they are written once.
  first <- method == "wilson"
  wanted <- if (first) c(shares, ratios) else shares
  unlist(lapply(names(wanted), function(quantity) {
    found <- detail[detail$statistic == wanted[[quantity]], ]
    rows <- if (first) list(row(arguments, cut, quantity, "estimate", found$est))
    # A share of no cases, and the logarithm of 0 or infinity, have no limits in epiR.
    unlimited <- is.nan(found$est) || (quantity %in% names(ratios) && any(cells == 0))
    if (unlimited) return(rows)
    c(rows, lapply(names(limits), function(column) {
      row(arguments, cut, quantity, column, found[[limits[[column]]]])
    }))
  }), recursive = FALSE)
}

rows <- unlist(lapply(cuts, function(cut) {
  c(proc_rows(cut), epi_rows(cut, "wilson", "wilson"), epi_rows(cut, "exact", "clopper-pearson"))
}), recursive = FALSE)

study <- list(y_true = "diagnosis", y_score = "texture", pos_label = "malignant")
write_input(folder, study, data)
write_expected(folder, rows, command, c("pROC", "epiR"))
for (cut in cuts) message(paste(c(format(cut), cells_at(cut)), collapse = " "))
