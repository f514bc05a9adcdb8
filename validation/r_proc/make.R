# Ask pROC about every sample of simulate.py: Rscript validation/r_proc/make.R

suppressPackageStartupMessages(library(pROC))
source("validation/reference.R")

root <- "validation/r_proc"
command <- "python validation/r_proc/simulate.py && Rscript validation/r_proc/make.R"
n_points <- 90 # curves of samples up to this size are compared point by point

quoted <- function(x) if (is.numeric(x)) shortest(x) else sprintf("\"%s\"", x)

# A JSON object of named values.
json <- function(...) {
  values <- list(...)
  parts <- sprintf("\"%s\": %s", names(values), vapply(values, quoted, ""))
  if (length(values)) paste0("{", paste(parts, collapse = ", "), "}") else "{}"
}

row <- function(question, where, column, value, arguments = json()) {
  computed(question, arguments, where, column, value)
}

# One case a row, whatever the frequencies.
read_cases <- function(folder, study) {
  data <- read.csv(file.path(folder, "input.csv"), stringsAsFactors = FALSE)
  if (is.null(study$frequency)) return(data)
  data[rep(seq_len(nrow(data)), data[[study$frequency]]), ]
}

is_higher <- function(study, name) {
  higher <- study$higher_is_positive
  if (is.null(higher)) return(TRUE)
  if (is.list(higher)) return(is.null(higher[[name]]) || higher[[name]])
  higher
}

# The curve of a predictor. Where directions differ, lower scores are negated instead.
curve <- function(data, study, name) {
  positive <- if (is.null(study$pos_label)) 1 else study$pos_label
  truth <- data[[study$y_true]]
  levels <- c(setdiff(unique(truth), positive), positive)
  higher <- is_higher(study, name)
  negate <- is.list(study$higher_is_positive) && !higher
  roc(
    truth, if (negate) -data[[name]] else data[[name]],
    levels = levels, direction = if (higher || negate) "<" else ">", quiet = TRUE
  )
}

area_rows <- function(r, where, has_variance = TRUE) {
  rows <- list(row("auc", where, "estimate", auc(r)))
  if (!has_variance) return(rows)
  variance <- var(r, method = "delong")
  rows <- c(rows, list(row("auc", where, "se", sqrt(variance))))
  for (level in c(0.95, 0.9)) {
    cut <- as.numeric(ci.auc(r, conf.level = level, method = "delong"))
    free <- as.numeric(auc(r)) + c(-1, 1) * qnorm((1 + level) / 2) * sqrt(variance)
    asked <- json(interval = "wald", confidence_level = level)
    alone <- json(confidence_level = level)
    rows <- c(rows, list(
      row("auc", where, "ci_low", cut[1], asked),
      row("auc", where, "ci_high", cut[3], asked),
      row("wald_unclipped", where, "ci_low", free[1], alone),
      row("wald_unclipped", where, "ci_high", free[2], alone)
    ))
  }
  rows
}

# Partial areas, raw and standardised. pROC has no standardised area for a curve under the diagonal.
partial_rows <- function(r, where) {
  ranges <- list(
    list("fpr_range", c(0, 0.1), "specificity"), list("fpr_range", c(0.05, 0.4), "specificity"),
    list("tpr_range", c(0.8, 1), "sensitivity"), list("tpr_range", c(0.3, 0.75), "sensitivity")
  )
  rows <- lapply(ranges, function(range) {
    ends <- if (range[[3]] == "specificity") 1 - range[[2]] else range[[2]]
    asked <- sprintf("{\"%s\": [%s]}", range[[1]], paste(range[[2]], collapse = ", "))
    area <- function(correct) {
      as.numeric(suppressWarnings(auc(
        r, partial.auc = sort(ends, decreasing = TRUE), partial.auc.focus = range[[3]],
        partial.auc.correct = correct
      )))
    }
    of <- function(quantity) do.call(json, c(as.list(fromJSON(where)), quantity = quantity))
    found <- list(row("auc", of("partial_auc"), "estimate", area(FALSE), asked))
    standardised <- area(TRUE)
    if (is.na(standardised)) return(found)
    c(found, list(row("auc", of("partial_auc_standardized"), "estimate", standardised, asked)))
  })
  unlist(rows, recursive = FALSE)
}

# Thresholds of pROC lie between scores: its k-th point is that of the k-th score from the top.
point_rows <- function(r, scores, higher, name) {
  order <- order(1 - r$specificities, r$sensitivities)
  rates <- cbind(1 - r$specificities, r$sensitivities)[order, ]
  thresholds <- sort(unique(scores), decreasing = higher)
  stopifnot(nrow(rates) == length(thresholds) + 1)
  # 1 - specificity is recomputed from counts, so that it is not a difference of rounded numbers.
  negatives <- length(r$controls)
  unlist(lapply(seq_along(thresholds), function(k) {
    where <- json(predictor = name, threshold = thresholds[k])
    list(
      row("roc_curve", where, "fpr", round(rates[k + 1, 1] * negatives) / negatives),
      row("roc_curve", where, "tpr", rates[k + 1, 2])
    )
  }), recursive = FALSE)
}

pair_rows <- function(r, names, adjusted) {
  where <- json(predictor = names[1], reference = names[2])
  one <- r[[names[1]]]
  two <- r[[names[2]]]
  test <- roc.test(one, two, method = "delong", paired = TRUE)
  greater <- roc.test(one, two, method = "delong", paired = TRUE, alternative = "greater")
  # pROC's paired test is a z test.
  wald <- json(interval = "wald")
  one_sided <- json(interval = "wald", alternative = "greater")
  list(
    row("covariance", where, "covariance", cov(one, two, method = "delong")),
    row("compare_auc", where, "estimate", as.numeric(auc(one)) - as.numeric(auc(two)), wald),
    row("compare_auc", where, "statistic", test$statistic, wald),
    row("compare_auc", where, "p_value", test$p.value, wald),
    row("compare_auc", where, "ci_low", max(test$conf.int[1], -1), wald),
    row("compare_auc", where, "ci_high", min(test$conf.int[2], 1), wald),
    row("compare_auc", where, "p_adjusted", adjusted, wald),
    row("compare_auc", where, "p_value", greater$p.value, one_sided)
  )
}

paired_rows <- function(data, study) {
  names <- study$y_score
  r <- setNames(lapply(names, function(name) curve(data, study, name)), names)
  rows <- list()
  for (name in names) {
    where <- json(predictor = name)
    variance <- suppressWarnings(var(r[[name]], method = "delong"))
    rows <- c(rows, area_rows(r[[name]], where, variance > 0), partial_rows(r[[name]], where))
    if (variance > 0) {
      both <- json(predictor = name, reference = name)
      rows <- c(rows, list(row("covariance", both, "covariance", variance)))
    }
    if (nrow(data) <= n_points) {
      higher <- is_higher(study, name)
      rows <- c(rows, point_rows(r[[name]], data[[name]], higher, name))
    }
  }
  if (length(names) < 2) return(rows)
  pairs <- combn(names, 2, simplify = FALSE)
  p <- vapply(pairs, function(pair) {
    roc.test(r[[pair[1]]], r[[pair[2]]], method = "delong", paired = TRUE)$p.value
  }, 0)
  adjusted <- p.adjust(p, "holm")
  c(rows, unlist(lapply(seq_along(pairs), function(i) {
    pair_rows(r, pairs[[i]], adjusted[i])
  }), recursive = FALSE))
}

grouped_rows <- function(data, study) {
  name <- study$y_score[1]
  groups <- unique(data[[study$group]])
  r <- setNames(lapply(groups, function(group) {
    curve(data[data[[study$group]] == group, ], study, name)
  }), groups)
  rows <- unlist(lapply(groups, function(group) {
    area_rows(r[[group]], json(predictor = name, group = group))
  }), recursive = FALSE)
  for (pair in combn(groups, 2, simplify = FALSE)) {
    where <- json(predictor = name, group = pair[1], reference = pair[2])
    test <- roc.test(r[[pair[1]]], r[[pair[2]]], method = "delong", paired = FALSE)
    asked <- json(across = "groups")
    difference <- as.numeric(auc(r[[pair[1]]])) - as.numeric(auc(r[[pair[2]]]))
    rows <- c(rows, list(
      row("compare_auc", where, "estimate", difference, asked),
      row("compare_auc", where, "statistic", test$statistic, asked)
    ))
  }
  rows
}

for (folder in list.dirs(root, recursive = FALSE)) {
  study <- fromJSON(file.path(folder, "study.json"))
  data <- read_cases(folder, study)
  rows <- if (is.null(study$group)) paired_rows(data, study) else grouped_rows(data, study)
  write_expected(folder, rows, command, "pROC")
}
