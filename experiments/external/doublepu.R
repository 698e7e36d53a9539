# The R side of doublepu's protocol. serve(method) answers requests until the program closes the input. `method` is called
# with those of interest, unlabeled, loyal, test, beta, gamma, seed, options, columns, train and labels that it names.
serve <- function(method, packages = character()) {
  input <- file("stdin", "rb")
  output <- file("/dev/stdout", "wb", raw = TRUE)
  sink(stderr())                                                     # what the method prints is log
  send <- function(...) { writeBin(charToRaw(paste0(..., "\n")), output); flush(output) }
  versions <- c(R = format(getRversion()), sapply(packages, function(name) format(packageVersion(name))))
  send('{"doublepu":1', paste0(',"', names(versions), '":"', versions, '"', collapse = ""), "}")
  # JSON becomes an expression of R: its texts and numbers are those of R, and it has no names that R could look up.
  token <- '"(\\\\.|[^"\\\\])*"|[][{}:,]|[-+.0-9eE]+|true|false|null'
  code <- c("{" = "list(", "[" = "list(", "}" = ")", "]" = ")", ":" = "=", true = "TRUE", false = "FALSE", null = "NULL")
  while (length(line <- readLines(input, 1, warn = FALSE)) > 0) {
    parts <- regmatches(line, gregexpr(token, line, perl = TRUE))[[1]]
    given <- eval(parse(text = ifelse(parts %in% names(code), code[parts], parts), keep.source = FALSE))
    for (name in names(given$arrays)) {
      shape <- unlist(given$arrays[[name]])
      numbers <- readBin(input, "double", prod(shape), size = 8, endian = "little")
      given[[name]] <- matrix(numbers, shape[1], shape[2], byrow = TRUE)
    }
    given$columns <- as.character(unlist(given$columns))
    scores <- tryCatch({
      set.seed(given$seed)
      scores <- as.double(do.call(method, given[intersect(names(formals(method)), names(given))]))
      stopifnot("the method must return one finite score for each row of `test`" =
                  length(scores) == nrow(given$test) && all(is.finite(scores)))
      scores
    }, error = function(problem) { message(problem); conditionMessage(problem) })
    if (is.character(scores)) {
      send('{"id":"', given$id, '","error":"', gsub('(["\\\\])', "\\\\\\1", gsub("[^ -~]", " ", scores)), '"}')
    } else {
      send('{"id":"', given$id, '","scores":', length(scores), "}")
      writeBin(scores, output, size = 8, endian = "little")
      flush(output)
    }
  }
}
