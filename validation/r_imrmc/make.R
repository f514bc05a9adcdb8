# Ask iMRMC about every study of simulate.py: Rscript validation/r_imrmc/make.R

suppressPackageStartupMessages(library(iMRMC))
source("validation/reference.R")

root <- "validation/r_imrmc"
command <- "python validation/r_imrmc/simulate.py && Rscript validation/r_imrmc/make.R"

# One line of iMRMC's table of averages: a modality, or the difference of two. Of a variance that is
# not positive, its root is that of the "biased" one, the bootstrap of readers and cases.
average_rows <- function(line, crossed, own_df) {
  arguments <- list(method = "u-statistic")
  if (line$modalityID.1 == line$modalityID.2) {
    where <- list(modality = line$modalityID.1, reader = "all")
    numbers <- list(estimate = line$AUC.1, se = sqrt(line$covAUC), df = line$dfBDG)
    return(computed_row("auc", arguments, where, numbers))
  }
  where <- list(modality = line$modalityID.1, reference = line$modalityID.2, reader = "all")
  numbers <- list(estimate = line$AUC1minusAUC2)
  if (line$varAUC1minusAUC2 > 0) {
    numbers$se <- sqrt(line$varAUC1minusAUC2)
    if (!own_df) numbers$df <- line$dfBDG.diff
  } else if (crossed) {
    numbers$se <- sqrt(line$varAUC1minusAUC2.biased)
  }
  computed_row("compare_auc", arguments, where, numbers)
}

# A reader's own difference: the variances and the covariance are three lines.
reader_rows <- function(lines) {
  pairs <- lines[lines$readerID.1 == lines$readerID.2 & lines$modalityID.1 != lines$modalityID.2, ]
  own <- function(reader, modality) {
    lines$covAUC[lines$readerID.1 == reader & lines$readerID.2 == reader &
      lines$modalityID.1 == modality & lines$modalityID.2 == modality]
  }
  do.call(rbind, lapply(seq_len(nrow(pairs)), function(i) {
    line <- pairs[i, ]
    variance <- own(line$readerID.1, line$modalityID.1) + own(line$readerID.1, line$modalityID.2) -
      2 * line$covAUC
    # A reader who did not read both modalities, and an estimate that is not a variance, have no row.
    if (is.na(variance) || variance <= 0) {
      return(NULL)
    }
    where <- list(
      modality = line$modalityID.1, reference = line$modalityID.2, reader = line$readerID.1
    )
    arguments <- list(method = "u-statistic", by = "reader")
    computed_row(
      "compare_auc", arguments, where,
      list(estimate = line$AUC.1 - line$AUC.2, se = sqrt(variance))
    )
  }))
}

asked <- function(data) {
  truth <- unique(data[c("case", "truth")])
  frame <- rbind(
    data.frame(
      readerID = "truth", caseID = truth$case, modalityID = "truth", score = truth$truth
    ),
    data.frame(
      readerID = data$reader, caseID = data$case, modalityID = data$modality, score = data$rating
    )
  )
  doAUCmrmc(frame, flagROC = FALSE)
}

# A machine enters as a modality of two identical readers. Its degrees of freedom, 1, have no row.
machine_rows <- function(data, machine) {
  film <- data[data$modality == "SFM", ]
  truth <- film$truth[match(machine$case, film$case)]
  twice <- do.call(rbind, lapply(c("machine1", "machine2"), function(reader) {
    data.frame(
      reader = reader, case = as.character(machine$case), modality = "machine",
      rating = machine$machine, truth = truth
    )
  }))
  line <- asked(rbind(film, twice))$Ustat.full
  line <- line[line$modalityID.1 != line$modalityID.2, ]
  sign <- if (line$modalityID.1 == "machine") -1 else 1
  computed_row(
    "compare_with", list(machine = "machine"),
    list(modality = "SFM", reference = "machine", reader = "all"),
    list(estimate = sign * line$AUC1minusAUC2, se = sqrt(line$varAUC1minusAUC2))
  )
}

for (folder in list.dirs(root, recursive = FALSE)) {
  shipped <- basename(folder) == "viper"
  input <- if (shipped) "rocstats/datasets/viper_screening.csv" else file.path(folder, "input.csv")
  data <- read.csv(input, colClasses = c(case = "character"))
  found <- asked(data)
  crossed <- nrow(data) == prod(lengths(lapply(data[c("reader", "case", "modality")], unique)))
  averages <- do.call(rbind, lapply(seq_len(nrow(found$Ustat.full)), function(i) {
    average_rows(found$Ustat.full[i, ], crossed, basename(folder) == "readers_in_modalities")
  }))
  rows <- rbind(averages, reader_rows(found$perReader.full))
  if (shipped) rows <- rbind(rows, machine_rows(data, read.csv(file.path(folder, "input.csv"))))
  write_expected(folder, rows, command, "iMRMC")
}
