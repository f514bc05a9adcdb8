# Ask timeROC about areas and measures at a time: Rscript validation/r_timeroc/make.R
#
# On Debian: apt-get install r-cran-survival r-cran-pec r-cran-timereg r-cran-jsonlite; then
# install.packages("timeROC")

suppressPackageStartupMessages({
  library(survival)
  library(timeROC)
})
source("validation/reference.R")

root <- "validation/r_timeroc"
command <- "Rscript validation/r_timeroc/make.R"

# timeROC leaves out who has the event at the very time. Half a unit later nobody has one, and what
# it answers is about the time itself.
asked_of <- function(data, times, cutpoint) {
  do.call(rbind, lapply(times, function(time) {
    of <- list(T = data$time, delta = data$event, marker = data$score, cause = 1, times = time + 0.5)
    area <- do.call(timeROC, c(of, iid = FALSE))
    points <- do.call(SeSpPPVNPV, c(of, cutpoint = cutpoint, iid = FALSE))
    one <- function(x) unname(x[2])
    kinds <- list(
      "event-free" = list(auc = one(area$AUC_1), fpr = one(points$FP_1), npv = one(points$NPV_1)),
      "not-case" = list(auc = one(area$AUC_2), fpr = one(points$FP_2), npv = one(points$NPV_2))
    )
    do.call(rbind, lapply(names(kinds), function(kind) {
      found <- kinds[[kind]]
      asked <- list(time = time, controls = kind)
      at <- c(asked, threshold = cutpoint)
      measure <- function(word, value) {
        computed("operating_points", at, list(quantity = word), "estimate", value)
      }
      rbind(
        computed("auc", asked, list(time = time), "estimate", found$auc),
        measure("tpr", one(points$TP)), measure("tnr", 1 - found$fpr),
        measure("ppv", one(points$PPV)), measure("npv", found$npv)
      )
    }))
  }))
}

write_case <- function(name, title, text, data, times, cutpoint) {
  folder <- file.path(root, name)
  study <- list(constructor = "SurvivalStudy", time = "time", event = "event", score = "score")
  write_input(folder, study, data)
  write_expected(folder, asked_of(data, times, cutpoint), command, "timeROC")
  write_readme(folder, title, c(
    text, "",
    "`timeROC` and `SeSpPPVNPV` were asked half a unit after each time: whoever has the event at the very",
    "time is neither case nor control there. The cutpoint is no patient's score, since a patient is positive",
    "above it there and at or above it here. All rows are `computed` and agree to a relative 1e-10.", "",
    "Source: Blanche P, the R package timeROC, functions `timeROC` and `SeSpPPVNPV`."
  ), command)
}

d <- pbc[1:312, ]
write_case(
  "pbc_competing", "Primary biliary cholangitis with transplant as a competing event, asked of timeROC",
  "312 patients, bilirubin; one died at 1000 days, one of the times that are asked about.",
  data.frame(time = d$time, event = c(0L, 2L, 1L)[d$status + 1], score = d$bili),
  c(1000, 2000, 3000), 2.05
)

k <- 1:40
time <- ceiling(((37 * k) %% 41) / 2)
write_case(
  "tied", "Forty patients with tied times, asked of timeROC",
  "Deaths, competing events and censored patients at one time; every time is a whole number.",
  data.frame(
    time = time, event = ifelse((11 * k) %% 3 == 0, 0, ifelse((13 * k) %% 5 == 0, 2, 1)),
    score = (50 - time) / 4 + (17 * k) %% 23
  ),
  c(5, 10, 14), 18.1
)
