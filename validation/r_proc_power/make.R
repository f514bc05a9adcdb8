# Ask pROC for powers and numbers of cases: Rscript validation/r_proc_power/make.R
#
# Pilots are samples of validation/r_proc. The first curve is pROC's reference, whose variance it
# takes twice under the null hypothesis. Numbers for the ratio of the pilot only: for another one
# pROC multiplies the number of negatives but does not change the variance.

suppressPackageStartupMessages(library(pROC))
source("validation/reference.R")

root <- "validation/r_proc_power"
command <- "Rscript validation/r_proc_power/make.R"

row <- function(question, column, value, arguments) {
  computed(question, arguments, list(), column, value)
}

write_case <- function(name, rows, study, data) {
  folder <- file.path(root, name)
  expected <- do.call(rbind, rows)
  # pROC's variance under the null hypothesis can be negative; the package refuses such plans.
  expected <- expected[expected$expected != "NaN", ]
  write_input(folder, study, data)
  write_expected(folder, expected, command, "pROC")
}

# Binormal parameters -------------------------------------------------------------------------

area <- function(A, B, low, high) {
  integrate(
    function(z) pnorm(A + B * z) * dnorm(z), qnorm(low), qnorm(high),
    rel.tol = 1e-13, subdivisions = 1000L
  )$value
}

# The reference first, as pROC takes it.
plans <- data.frame(
  A1 = c(2.6, 1.9, 1.0, 1.8, 1.6, 0.7, 2.2, 1.2), B1 = c(1, 1, 1, .7, .8, 1.4, .9, 1),
  A2 = c(1.9, 2.6, 1.4, 1.2, 1.1, 1.3, 1.5, 0.8), B2 = c(1, 1, 1, 1.1, 1.2, .8, 1.1, 1),
  ra = c(.6, .6, .5, .3, .3, .8, .2, 0), rn = c(.6, .6, .4, .7, .6, .5, .4, .3),
  low = c(0, 0, 0, 0, 0, .1, 0, 0), high = c(1, 1, 1, 1, .2, .3, .1, 1),
  kappa = c(1, 1, 2, .5, 1.5, 1, 3, 1)
)

of_plan <- function(plan) {
  full <- plan$low == 0 && plan$high == 1
  areas <- function(low, high) {
    c(area(plan$A1, plan$B1, low, high), area(plan$A2, plan$B2, low, high))
  }
  auc <- pnorm(c(plan$A1, plan$A2) / sqrt(1 + c(plan$B1, plan$B2)^2))
  delta <- if (full) diff(auc) else diff(areas(plan$low, plan$high))
  parameters <- c(as.list(plan[c("A1", "B1", "A2", "B2", "ra", "rn")]), delta = abs(delta))
  design <- list(
    auc = auc[2], reference_auc = auc[1], correlation_pos = plan$ra, correlation_neg = plan$rn,
    b = plan$B2, reference_b = plan$B1, variance = "obuchowski", null_variance = "reference"
  )
  if (!full) {
    design$fpr_range <- c(plan$low, plan$high)
    parameters[c("FPR11", "FPR21")] <- plan$low
    parameters[c("FPR12", "FPR22")] <- plan$high
  }
  asked <- list(kind = "PairedAUCs", design = design)
  size <- power.roc.test(parameters, power = .8, kappa = plan$kappa)
  chance <- power.roc.test(parameters, ncases = 60, ncontrols = 60 * plan$kappa)
  list(
    row("sample_size", "n_pos_unrounded", size$ncases, c(asked, power = .8, ratio = plan$kappa)),
    row("sample_size", "n_neg_unrounded", size$ncontrols, c(asked, power = .8, ratio = plan$kappa)),
    row("power", "power", chance$power, c(asked, n_pos = 60, n_neg = 60 * plan$kappa))
  )
}

rows <- do.call(c, lapply(seq_len(nrow(plans)), function(i) of_plan(plans[i, ])))
write_case("parameters", rows, list(constructor = "columns"), plans)

# Pilots --------------------------------------------------------------------------------------

of_pilot <- function(data, reference, predictor) {
  curves <- lapply(c(reference, predictor), function(name) {
    roc(data$truth, data[[name]], levels = c(0, 1), direction = "<", quiet = TRUE)
  })
  design <- list(predictor = predictor, reference = reference, null_variance = "reference")
  asked <- list(kind = "PilotAUCs", design = design)
  n <- c(sum(data$truth == 1), sum(data$truth == 0))
  size <- suppressWarnings(power.roc.test(curves[[1]], curves[[2]], power = .9))
  chance <- suppressWarnings(power.roc.test(curves[[1]], curves[[2]]))
  list(
    row(
      "sample_size", "n_pos_unrounded", size$ncases, c(asked, power = .9, ratio = n[2] / n[1])
    ),
    row("power", "power", chance$power, c(asked, n_pos = n[1], n_neg = n[2]))
  )
}

for (name in c("three_correlated", "three_opposed", "nearly_identical")) {
  data <- read.csv(file.path("validation/r_proc", name, "input.csv"))
  predictors <- setdiff(names(data), "truth")
  pairs <- combn(predictors, 2, simplify = FALSE)
  rows <- do.call(c, lapply(pairs, function(pair) {
    c(of_pilot(data, pair[1], pair[2]), of_pilot(data, pair[2], pair[1]))
  }))
  write_case(name, rows, list(y_true = "truth", y_score = predictors), data)
}
