# What the R scripts of reference cases share: lines of expected.csv, and the files of a case.

library(jsonlite)

# JSON of named values; a text is JSON already.
json_of <- function(x) {
  if (is.character(x) && is.null(names(x))) return(x)
  if (length(x)) as.character(toJSON(x, auto_unbox = TRUE, digits = NA)) else "{}"
}

# The shortest decimals that are this very number.
shortest <- function(x) {
  texts <- vapply(15:17, function(digits) sprintf("%.*g", digits, x), "")
  texts[match(TRUE, as.numeric(texts) == x)]
}

# What selects the row of a quantity.
of_quantity <- function(quantity) sprintf("{\"quantity\": \"%s\"}", quantity)

# The line of a computed number: `where` selects the row of the answer.
computed <- function(question, arguments, where, column, value) {
  data.frame(
    question = question, arguments = json_of(arguments), where = json_of(where), column = column,
    expected = sprintf("%.17g", as.numeric(value)), tolerance = "1e-10", origin = "computed"
  )
}

# The lines of several columns of one row.
computed_row <- function(question, arguments, where, numbers) {
  do.call(rbind, lapply(names(numbers), function(column) {
    computed(question, arguments, where, column, numbers[[column]])
  }))
}

write_json <- function(x, path) write(toJSON(x, auto_unbox = TRUE, pretty = TRUE), path)

write_input <- function(folder, study, data) {
  dir.create(folder, showWarnings = FALSE)
  write_json(study, file.path(folder, "study.json"))
  write.csv(data, file.path(folder, "input.csv"), row.names = FALSE, quote = FALSE)
}

# The expected numbers, and the software that gave them; numpy if it drew the samples.
write_expected <- function(folder, rows, command, packages) {
  if (!is.data.frame(rows)) rows <- do.call(rbind, rows)
  write.csv(rows, file.path(folder, "expected.csv"), row.names = FALSE, quote = TRUE)
  versions <- lapply(setNames(packages, packages), function(name) as.character(packageVersion(name)))
  software <- c(list(command = command, R = as.character(getRversion())), versions)
  drawn <- file.path(dirname(folder), "simulated_with.json")
  if (file.exists(drawn)) software$numpy <- fromJSON(drawn)$numpy
  write_json(software, file.path(folder, "versions.json"))
  message(sprintf("%s: %d rows", basename(folder), nrow(rows)))
}

write_readme <- function(folder, title, lines, command) {
  made <- sprintf("Made by `%s`, run from the root of the repository.", command)
  writeLines(c(sprintf("# %s", title), "", lines, "", made), file.path(folder, "README.md"))
}
