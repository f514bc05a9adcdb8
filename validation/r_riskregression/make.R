# Ask riskRegression about areas at a time: Rscript validation/r_riskregression/make.R
#
# On Debian: apt-get install r-cran-riskregression r-cran-survival r-cran-jsonlite

suppressPackageStartupMessages({
  library(survival)
  library(riskRegression)
})
source("validation/reference.R")

root <- "validation/r_riskregression"
command <- "Rscript validation/r_riskregression/make.R"
times <- c(1000, 2000, 3000)

arguments <- "{\"time\": [1000, 2000, 3000]}"

row <- function(question, where, estimate, se) {
  # Its standard errors differ by a relative 1e-5: five decimals are held.
  printed <- computed(question, arguments, where, "se", se)
  printed$expected <- sprintf("%.5f", se)
  printed$tolerance <- "5e-06"
  printed$origin <- "printed"
  rbind(computed(question, arguments, where, "estimate", estimate), printed)
}

asked_of <- function(data) {
  found <- Score(
    list(bili = data$bili, albumin = -data$albumin), formula = Hist(time, event) ~ 1, data = data,
    cause = 1, times = times, metrics = "auc", cens.model = "marginal", se.fit = TRUE,
    contrasts = TRUE, null.model = FALSE
  )$AUC
  each <- lapply(seq_len(nrow(found$score)), function(i) {
    line <- found$score[i, ]
    where <- list(predictor = as.character(line$model), time = line$times)
    row("auc", where, line$AUC, line$se)
  })
  pairs <- lapply(seq_len(nrow(found$contrasts)), function(i) {
    line <- found$contrasts[i, ]
    where <- list(predictor = "bili", reference = "albumin", time = line$times)
    row("compare_auc", where, -line$delta.AUC, line$se)
  })
  do.call(rbind, c(each, pairs))
}

write_case <- function(name, title, text, data) {
  folder <- file.path(root, name)
  study <- list(
    constructor = "SurvivalStudy", time = "time", event = "event", score = c("bili", "albumin"),
    higher_is_positive = list(albumin = FALSE)
  )
  write_input(folder, study, data)
  write_expected(folder, asked_of(data), command, "riskRegression")
  write_readme(folder, title, c(
    text, "",
    "`Score` of riskRegression with `cens.model = \"marginal\"` gives areas at three times and their",
    "differences. Estimates are `computed` and agree to a relative 1e-10.", "",
    "Its standard errors differ from ours by a relative 1e-5, so that five decimals are held (`printed`).",
    "The part of the weights is the cause: at tied times it takes the number at risk where the derivative of",
    "the Kaplan-Meier estimate has the number at risk less the censored. How that is known: tests compare our",
    "influence values with the derivative of the weighted estimate by a complex step, to 1e-8 and better.", "",
    "Source: Gerds TA et al., the R package riskRegression, function `Score`; data set `pbc` of survival."
  ), command)
}

d <- pbc[1:312, ]
data <- data.frame(time = d$time, event = as.integer(d$status == 2), bili = d$bili, albumin = d$albumin)
write_case(
  "pbc", "Primary biliary cholangitis, asked of riskRegression",
  "312 patients, 125 deaths; transplant counts as censoring. Bilirubin, and albumin, of which less is worse.",
  data
)
data$event <- ifelse(d$status == 2, 1L, ifelse(d$status == 1, 2L, 0L))
write_case(
  "pbc_competing", "Primary biliary cholangitis with transplant as a competing event, asked of riskRegression",
  "The same patients; 19 transplants are events of a second cause. Controls are those without death by the time.",
  data
)
