# Ask rms, glm and isoreg about three samples: Rscript validation/r_rms/make.R
#
# On Debian: apt-get install r-cran-rms r-cran-jsonlite

suppressPackageStartupMessages(library(rms))
source("validation/reference.R")

root <- "validation/r_rms"
command <- "Rscript validation/r_rms/make.R"

c200 <- function() {
  k <- 1:200
  p <- ((37 * k) %% 199 + 1) / 201
  y <- as.integer(((101 * k) %% 211 + 0.5) / 211 < plogis(-0.3 + 0.7 * qlogis(p)))
  data.frame(y = y, risk = p)
}

# Risks of so many cases, a mean logit, and the line that the true risks have.
simulated <- function(seed, n, centre, intercept, slope) {
  set.seed(seed)
  logit <- centre + 1.5 * rnorm(n)
  data.frame(
    y = as.integer(runif(n) < plogis(intercept + slope * logit)), risk = plogis(logit)
  )
}

samples <- list(
  c200 = c200(),
  common_400 = simulated(20040316, 400, -1, -0.2, 0.8),
  rare_500 = simulated(20040317, 500, -3.5, 0.3, 1)
)
about <- c(
  c200 = "200 risks, k = 1 to 200, with one tie; 87 events; the true slope is .7.",
  common_400 = "400 simulated risks; true intercept -.2 and slope .8.",
  rare_500 = "500 simulated risks of a rare event, under 40 events, so that the spline has three knots."
)

# A risk is looked up by its value, in all its digits.
at_risk <- function(risk) sprintf("{\"risk\": %.17g}", risk)

lines_of <- function(data) {
  y <- data$y
  logit <- qlogis(data$risk)
  found <- val.prob(data$risk, y, pl = FALSE)
  tight <- glm.control(epsilon = 1e-14, maxit = 100)
  line <- glm(y ~ logit, binomial, control = tight)
  # summary() has the weights of the step before the last: 8 digits. These are those of the fit.
  weight <- fitted(line) * (1 - fitted(line))
  slope_se <- sqrt(solve(crossprod(cbind(1, logit) * sqrt(weight)))[2, 2])
  free <- glm(y ~ 1, binomial, offset = logit, control = tight)
  mu <- fitted(free)
  n <- length(y)
  robust <- sqrt(sum((y - mu)^2) * n / (n - 1)) / sum(mu * (1 - mu))
  measure <- function(name, column, value) {
    asked <- if (name == "spiegelhalter_z") list(quantities = name) else list()
    computed("calibration", asked, list(quantity = name), column, value)
  }
  rbind(
    measure("calibration_slope", "estimate", coef(line)[[2]]),
    measure("calibration_slope", "se", slope_se),
    measure("calibration_intercept", "estimate", coef(free)[[1]]),
    measure("calibration_intercept", "se", robust),
    measure("intercept_and_slope", "statistic", found[["U:Chi-sq"]]),
    measure("intercept_and_slope", "p_value", found[["U:p"]]),
    measure("spiegelhalter_z", "estimate", found[["S:z"]]),
    measure("spiegelhalter_z", "p_value", found[["S:p"]]),
    computed("probability_scores", list(), list(quantity = "brier_score"), "estimate", found[["Brier"]])
  )
}

# Limits of the spline at some risks of the cases, which the package is asked for as its grid.
spline_of <- function(data) {
  logit <- qlogis(data$risk)
  rarer <- min(sum(data$y), sum(1 - data$y))
  knots <- quantile(logit, if (rarer < 40) c(.1, .5, .9) else c(.05, .35, .65, .95))
  fit <- lrm(data$y ~ rcs(logit, knots), tol = 1e-14, eps = 1e-13, maxit = 200)
  ends <- quantile(data$risk, c(.01, .99))
  inside <- sort(unique(data$risk[data$risk >= ends[1] & data$risk <= ends[2]]))
  at <- inside[round(seq(1, length(inside), length.out = 12))]
  found <- predict(fit, data.frame(logit = qlogis(at)), se.fit = TRUE)
  eta <- found$linear.predictors
  z <- qnorm(.975)
  columns <- list(estimate = eta, ci_low = eta - z * found$se.fit, ci_high = eta + z * found$se.fit)
  parts <- lapply(names(columns), function(name) {
    do.call(rbind, lapply(seq_along(at), function(i) {
      value <- plogis(columns[[name]][[i]])
      computed("calibration_band", "{\"n_points\": 1000}", at_risk(at[i]), name, value)
    }))
  })
  do.call(rbind, parts)
}

isotonic_of <- function(data) {
  if (any(duplicated(data$risk))) return(NULL)
  risk <- sort(data$risk)
  fit <- isoreg(data$risk, data$y)$yf
  at <- round(seq(0.02, 0.98, length.out = 12) * length(risk))
  do.call(rbind, lapply(at, function(i) {
    asked <- list(method = "isotonic", n_points = 1000)
    computed("calibration_curve", asked, at_risk(risk[i]), "estimate", fit[i])
  }))
}

for (name in names(samples)) {
  data <- samples[[name]]
  folder <- file.path(root, name)
  text <- data.frame(y = data$y, risk = sprintf("%.17g", data$risk))
  write_input(folder, list(y_true = "y", y_score = "risk"), text)
  data$risk <- as.numeric(text$risk)
  rows <- rbind(lines_of(data), spline_of(data), isotonic_of(data))
  write_expected(folder, rows, command, "rms")
  write_readme(folder, sprintf("%s, asked of rms", name), c(
    about[[name]], "",
    "`val.prob` of rms gives the joint test of intercept and slope, Spiegelhalter's test and the Brier",
    "score; R's `glm` the slope and the intercept, whose sandwich error is its formula in R; `lrm` with",
    "`rcs` of rms the spline curve and its limits at twelve risks; `isoreg` the monotone curve where risks",
    "are not tied. All rows are `computed` and agree to a relative 1e-10.", "",
    "Where rms differs, so that no row is written: its errors of the curve (`Eavg`, `Emax`, `E90`) are those of",
    "a lowess curve, and its intercept is that of the line with a free slope.", "",
    "Source: Harrell FE Jr, the R package rms, functions `val.prob`, `lrm` and `rcs`."
  ), command)
}
