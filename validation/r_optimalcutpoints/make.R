# Ask OptimalCutpoints about every sample of simulate.py: Rscript validation/r_optimalcutpoints/make.R

suppressPackageStartupMessages(library(OptimalCutpoints))
source("validation/reference.R")

root <- "validation/r_optimalcutpoints"
command <- paste(
  "python validation/r_optimalcutpoints/simulate.py &&",
  "Rscript validation/r_optimalcutpoints/make.R"
)

# A method of OptimalCutpoints, the arguments that ask for it here, and the quantity of its
# criterion if that is printed on the same scale.
methods <- list(
  list("Youden", list(criterion = "youden"), "youden"),
  list("ROC01", list(criterion = "closest-topleft"), NA),
  list("MaxProdSpSe", list(criterion = "product"), "product"),
  list("SpEqualSe", list(criterion = "equal-error"), NA),
  list("MaxEfficiency", list(criterion = "accuracy"), "accuracy"),
  list("MaxKappa", list(criterion = "kappa"), "kappa"),
  list("MCT", list(criterion = "cost", cost_fp = 1, cost_fn = 3, prevalence = 0.2), NA),
  list("MinValueSe", list(criterion = "fixed-tpr", tpr = 0.9), NA),
  list("MinValueSp", list(criterion = "fixed-fpr", fpr = 0.2), NA)
)
control <- control.cutpoints(CFP = 1, CFN = 3, valueSe = 0.9, valueSp = 0.8)

method_rows <- function(data, method, higher) {
  share <- if (method[[1]] == "MCT") 0.2 else NULL
  found <- suppressWarnings(optimal.cutpoints(
    X = "a", status = "truth", tag.healthy = 0, methods = method[[1]], data = data,
    direction = if (higher) "<" else ">", pop.prev = share, control = control, ci.fit = TRUE
  ))[[method[[1]]]]$Global
  best <- found$optimal.cutoff
  if (length(best$cutoff) > 1) {
    message(sprintf("  %s: %s are equally good, no rows", method[[1]], toString(best$cutoff)))
    return(NULL)
  }
  asked <- c(method[[2]], list(threshold_at = "observed", n_resamples = 100, rng = 1))
  # Its limits are those of a threshold that was given beforehand.
  fixed <- list(threshold = best$cutoff, interval = "clopper-pearson")
  apparent <- function(quantity, value) {
    computed("cutpoints", asked, of_quantity(quantity), "apparent", value)
  }
  limit <- function(quantity, column, value) {
    computed("operating_points", fixed, of_quantity(quantity), column, value)
  }
  rbind(
    apparent("threshold", best$cutoff), apparent("tpr", best$Se[1]), apparent("tnr", best$Sp[1]),
    if (!is.na(method[[3]])) apparent(method[[3]], found$optimal.criterion),
    limit("tpr", "ci_low", best$Se[2]), limit("tnr", "ci_low", best$Sp[2]),
    limit("tpr", "ci_high", best$Se[3]), limit("tnr", "ci_high", best$Sp[3])
  )
}

for (folder in list.dirs(root, recursive = FALSE)) {
  data <- read.csv(file.path(folder, "input.csv"))
  higher <- fromJSON(file.path(folder, "study.json"))$higher_is_positive
  rows <- unique(do.call(rbind, lapply(methods, function(one) method_rows(data, one, higher))))
  write_expected(folder, rows, command, "OptimalCutpoints")
}
