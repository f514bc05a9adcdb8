# Ask survival about concordances: Rscript validation/r_survival/make.R
#
# On Debian: apt-get install r-cran-survival r-cran-jsonlite

suppressPackageStartupMessages(library(survival))
source("validation/reference.R")

root <- "validation/r_survival"
command <- "Rscript validation/r_survival/make.R"

# The 312 randomised patients of the trial; death, and transplant as an event of another cause.
liver <- function() {
  d <- pbc[1:312, ]
  data.frame(
    time = d$time, death = as.integer(d$status == 2),
    bili = d$bili, albumin = d$albumin, block = (d$id - 1) %/% 4
  )
}

tied <- function() {
  k <- 1:40
  time <- ceiling(((37 * k) %% 41) / 2)
  event <- ifelse((11 * k) %% 3 == 0, 0, ifelse((13 * k) %% 5 == 0, 2, 1))
  data.frame(
    time = time, death = as.integer(event == 1),
    s1 = (50 - time) / 4 + (17 * k) %% 23, s2 = (50 - time) / 3 + (29 * k) %% 19
  )
}

# A fit without a step: its linear predictor is the score, in the direction of the score.
fit_of <- function(data, score) {
  data$score <- score
  coxph(Surv(time, death) ~ score, data = data, init = 1, control = coxph.control(iter.max = 0))
}

asked_of <- function(data, scores, limit, cluster = NULL) {
  fits <- lapply(scores, function(score) fit_of(data, score))
  # The call is evaluated in the model frame, so that clusters are passed by their values.
  of <- function(...) if (is.null(cluster)) concordance(...) else concordance(..., cluster = cluster)
  harrell <- list(method = "harrell")
  numbers <- function(found, weights = 1) {
    list(
      estimate = sum(weights * found$concordance),
      se = sqrt(drop(weights %*% as.matrix(found$var) %*% weights))
    )
  }
  each <- lapply(names(scores), function(name) {
    where <- list(predictor = name)
    whole <- of(fits[[name]])
    early <- of(fits[[name]], ymax = limit)
    uno <- of(fits[[name]], ymax = limit, timewt = "n/G2")
    rbind(
      computed_row("concordance", harrell, where, numbers(whole)),
      computed_row("concordance", c(harrell, time_limit = limit), where, numbers(early)),
      computed(
        "concordance", list(method = "uno", time_limit = limit), where, "estimate", uno$concordance
      )
    )
  })
  where <- list(predictor = names(scores)[1], reference = names(scores)[2])
  apart <- numbers(of(fits[[1]], fits[[2]]), c(1, -1))
  c(each, list(computed_row("compare_concordance", harrell, where, apart)))
}

write_case <- function(name, title, text, data, study, rows) {
  folder <- file.path(root, name)
  write_input(folder, study, format(data, digits = 17, trim = TRUE))
  write_expected(folder, rows, command, "survival")
  write_readme(folder, title, c(
    text, "",
    "`concordance` of survival gives Harrell's concordances, their standard errors and that of a",
    "difference, and the estimate of Uno's. All rows are `computed` and agree to a relative 1e-10.", "",
    "No row is written of its standard error of Uno's concordance, which treats the weights as known",
    "numbers: at a limit of 3000 days .023838 for bilirubin, where the derivative of the whole estimate",
    "gives .023533.", "",
    "Source: Therneau TM, the R package survival, function `concordance` and data set `pbc`."
  ), command)
}

data <- liver()
scores <- list(bili = data$bili, albumin = -data$albumin)
study <- list(
  constructor = "SurvivalStudy", time = "time", event = "death", score = names(scores),
  higher_is_positive = list(albumin = FALSE)
)
write_case(
  "pbc", "Primary biliary cholangitis, asked of survival",
  "312 patients, 125 deaths; bilirubin, and albumin, of which less is worse.",
  data, study, asked_of(data, scores, 3000)
)
write_case(
  "pbc_blocks", "Primary biliary cholangitis in blocks of four patients, asked of survival",
  "The same patients in 78 clusters of four in the order of the file.",
  data, c(study, cluster = "block"), asked_of(data, scores, 3000, data$block)
)
data <- tied()
write_case(
  "tied", "40 patients with tied times, asked of survival",
  "Two patients at most times; events of the second cause count as censored.",
  data, list(constructor = "SurvivalStudy", time = "time", event = "death", score = c("s1", "s2")),
  asked_of(data, list(s1 = data$s1, s2 = data$s2), 14)
)
