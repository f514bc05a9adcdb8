# Ask OptimalCutpoints about every sample of simulate.py: Rscript validation/r_optimalcutpoints/make.R

suppressPackageStartupMessages({
  library(OptimalCutpoints)
  library(jsonlite)
})

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

row <- function(question, arguments, quantity, column, value) {
  data.frame(
    question = question, arguments = as.character(toJSON(arguments, auto_unbox = TRUE, digits = NA)),
    where = sprintf("{\"quantity\": \"%s\"}", quantity), column = column,
    expected = sprintf("%.17g", value), tolerance = "1e-10", origin = "computed"
  )
}

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
  rows <- list(
    row("cutpoints", asked, "threshold", "apparent", best$cutoff),
    row("cutpoints", asked, "tpr", "apparent", best$Se[1]),
    row("cutpoints", asked, "tnr", "apparent", best$Sp[1])
  )
  if (!is.na(method[[3]])) {
    value <- found$optimal.criterion
    rows <- c(rows, list(row("cutpoints", asked, method[[3]], "apparent", value)))
  }
  # Its limits are those of a threshold that was given beforehand.
  fixed <- list(threshold = best$cutoff, interval = "clopper-pearson")
  for (side in 1:2) {
    column <- c("ci_low", "ci_high")[side]
    rows <- c(rows, list(
      row("operating_points", fixed, "tpr", column, best$Se[1 + side]),
      row("operating_points", fixed, "tnr", column, best$Sp[1 + side])
    ))
  }
  do.call(rbind, rows)
}

for (folder in list.dirs(root, recursive = FALSE)) {
  message(basename(folder))
  data <- read.csv(file.path(folder, "input.csv"))
  higher <- fromJSON(file.path(folder, "study.json"))$higher_is_positive
  rows <- unique(do.call(rbind, lapply(methods, function(one) method_rows(data, one, higher))))
  write.csv(rows, file.path(folder, "expected.csv"), row.names = FALSE, quote = TRUE)
  software <- list(
    command = command, R = as.character(getRversion()),
    OptimalCutpoints = as.character(packageVersion("OptimalCutpoints")),
    numpy = fromJSON(file.path(root, "simulated_with.json"))$numpy
  )
  write(toJSON(software, auto_unbox = TRUE, pretty = TRUE), file.path(folder, "versions.json"))
}
