# Times pROC and R's own sort in turns inside one run: Rscript r_peers.R input.csv n_boot repeats
# Prints "what;work;seconds;area": the median seconds of a call that does so many resamples.
# Without resamples, only the sort and the area with its interval are timed.
suppressPackageStartupMessages(library(pROC))

arguments <- commandArgs(trailingOnly = TRUE)
input <- read.csv(arguments[1])
n_boot <- as.integer(arguments[2])
repeats <- as.integer(arguments[3])
first <- roc(input$y, input$a, levels = c(0, 1), direction = "<", quiet = TRUE)
second <- roc(input$y, input$b, levels = c(0, 1), direction = "<", quiet = TRUE)
n <- nrow(input)

tasks <- list(
  "order() in R" = function() order(input$a),
  "sample.int in R" = function() sample.int(n, n, replace = TRUE),
  "pROC roc" = function() roc(input$y, input$a, levels = c(0, 1), direction = "<", quiet = TRUE),
  "pROC roc + ci.auc, DeLong" = function() {
    ci.auc(roc(input$y, input$a, levels = c(0, 1), direction = "<", quiet = TRUE),
           method = "delong")
  },
  "pROC ci.auc, DeLong, given the curve" = function() ci.auc(first, method = "delong"),
  "pROC roc.test, DeLong, given both curves" = function() {
    roc.test(first, second, method = "delong", paired = TRUE)
  },
  "pROC ci.auc, bootstrap" = function() {
    ci.auc(first, method = "bootstrap", boot.n = n_boot, progress = "none")
  },
  "pROC ci.se at 101 points, bootstrap" = function() {
    ci.se(first, specificities = seq(0, 1, 0.01), boot.n = n_boot, progress = "none")
  }
)
if (n_boot == 0) tasks <- tasks[c("order() in R", "pROC roc + ci.auc, DeLong")]
work <- ifelse(grepl("bootstrap", names(tasks)), n_boot, 1)

turn <- function(task, number) {
  begin <- Sys.time()
  for (call in seq_len(number)) task()
  as.numeric(difftime(Sys.time(), begin, units = "secs")) / number
}
# A turn fills 5 ms, as in timing.py; finding out how many calls that takes warms up.
numbers <- vapply(tasks, function(task) {
  if (turn(task, 1) >= 0.005) 1 else max(1, ceiling(0.005 / turn(task, 3)))
}, 0)
seconds <- replicate(repeats, mapply(turn, tasks, numbers))
cat(sprintf("#%s\n", packageVersion("pROC")))
medians <- apply(seconds, 1, median)
cat(sprintf("%s;%g;%.9g;%.17g\n", names(tasks), work, medians, as.numeric(first$auc)), sep = "")
