# Ask mice to impute and to pool, and pROC for the areas: Rscript validation/r_mice/make.R
#
# On Debian: apt-get install r-cran-mice r-cran-proc r-cran-jsonlite

suppressPackageStartupMessages({
  library(mice)
  library(pROC)
})
source("validation/reference.R")

root <- "validation/r_mice"
command <- "Rscript validation/r_mice/make.R"

# Two markers, the first missing more often where the second is high: missing at random.
incomplete <- function(seed, n_pos, n_neg, step) {
  set.seed(seed)
  y <- rep(c(1, 0), c(n_pos, n_neg))
  n <- length(y)
  b <- round((rnorm(n) + 0.9 * y) / step) * step
  a <- round((0.6 * b + 0.8 * rnorm(n) + 1.1 * y) / step) * step
  a[runif(n) < plogis(-1.2 + 0.7 * b)] <- NA
  data.frame(y = y, a = a, b = b)
}

samples <- list(
  five_of_150 = list(data = incomplete(20040316, 50, 100, 0.001), m = 5, at = 0.5),
  twenty_of_60 = list(data = incomplete(20040317, 30, 30, 0.25), m = 20, at = 1)
)

scales <- list(
  logit = list(to = qlogis, slope = function(x) 1 / (x * (1 - x)), back = plogis),
  log = list(to = log, slope = function(x) 1 / x, back = exp),
  none = list(to = identity, slope = function(x) 1 + 0 * x, back = identity)
)

# Estimates and standard errors of the imputed data sets, pooled by mice on a scale.
pooled_rows <- function(question, asked, where, estimate, se, units, scale, tested = FALSE) {
  h <- scales[[scale]]
  infinite <- identical(asked$df_complete, "inf")
  # mice has Barnard and Rubin's degrees of freedom where n is finite.
  n <- if (infinite) Inf else units
  found <- pool.scalar(h$to(estimate), (se * h$slope(estimate))^2, n = n, k = 1)
  half <- qt(0.975, found$df) * sqrt(found$t)
  centre <- h$back(found$qbar)
  values <- list(
    estimate = centre, se = sqrt(found$t) / h$slope(centre),
    ci_low = h$back(found$qbar - half), ci_high = h$back(found$qbar + half),
    df = found$df, fraction_missing = found$fmi
  )
  if (tested) values$p_value <- 2 * pt(-abs(found$qbar) / sqrt(found$t), found$df)
  # JSON has no infinite number, as Python writes it.
  asked <- gsub("\"inf\"", "Infinity", json_of(c(question = question, asked)))
  computed_row("pool_imputations", asked, where, values)
}

areas <- function(data) {
  roc_of <- function(x) roc(data$y, x, levels = c(0, 1), direction = "<", quiet = TRUE)
  a <- roc_of(data$a)
  b <- roc_of(data$b)
  c(
    a = as.numeric(auc(a)), se = sqrt(var(a)),
    difference = as.numeric(auc(a) - auc(b)),
    se_difference = sqrt(var(a) + var(b) - 2 * cov(a, b))
  )
}

rates <- function(data, at) {
  x1 <- sum(data$a >= at & data$y == 1)
  x0 <- sum(data$a >= at & data$y == 0)
  n1 <- sum(data$y == 1)
  n0 <- sum(data$y == 0)
  tpr <- x1 / n1
  tnr <- 1 - x0 / n0
  lr <- tpr / (1 - tnr)
  c(
    tpr = tpr, se_tpr = sqrt(tpr * (1 - tpr) / n1), tnr = tnr, se_tnr = sqrt(tnr * (1 - tnr) / n0),
    lr = lr, se_lr = lr * sqrt(1 / x1 - 1 / n1 + 1 / x0 - 1 / n0)
  )
}

for (name in names(samples)) {
  sample <- samples[[name]]
  data <- sample$data
  imputed <- mice(data, m = sample$m, method = "pmm", seed = 1, printFlag = FALSE)
  sets <- lapply(seq_len(sample$m), function(i) complete(imputed, i))
  of_areas <- sapply(sets, areas)
  of_rates <- sapply(sets, rates, at = sample$at)
  n <- nrow(data)
  at <- list(threshold = list(a = sample$at), quantities = c("tpr", "tnr", "lr_positive"))
  area <- function(...) pooled_rows("auc", list(...), list(predictor = "a"), of_areas["a", ], of_areas["se", ], n, "logit")
  rows <- rbind(
    area(), area(df_complete = "inf"),
    pooled_rows(
      "compare_auc", list(df_complete = n - 1), list(predictor = "a"), of_areas["difference", ],
      of_areas["se_difference", ], n, "none", tested = TRUE
    ),
    pooled_rows("operating_points", at, list(quantity = "tpr"), of_rates["tpr", ], of_rates["se_tpr", ], sum(data$y), "logit"),
    pooled_rows("operating_points", at, list(quantity = "tnr"), of_rates["tnr", ], of_rates["se_tnr", ], sum(1 - data$y), "logit"),
    pooled_rows("operating_points", at, list(quantity = "lr_positive"), of_rates["lr", ], of_rates["se_lr", ], n, "log")
  )
  folder <- file.path(root, name)
  long <- do.call(rbind, lapply(seq_along(sets), function(i) cbind(imputation = i, sets[[i]])))
  write_input(folder, list(constructor = "imputed"), long)
  write_expected(folder, rows, command, c("mice", "pROC"))
  write_readme(folder, sprintf("%s, imputed and pooled by mice", name), c(
    sprintf(
      "%d cases with two markers, %d of them without the first; %d data sets imputed by mice.",
      n, sum(is.na(data$a)), sample$m
    ), "",
    "The areas and DeLong's variances of each data set are those of pROC, rates and likelihood ratios are",
    "counted. `pool.scalar` of mice pools them on the logit, the log or no scale, with the degrees of",
    "freedom of Barnard and Rubin and once with those of Rubin. All rows are `computed`.", "",
    "Source: van Buuren S, Groothuis-Oudshoorn K, the R package mice, functions `mice` and `pool.scalar`."
  ), command)
}
