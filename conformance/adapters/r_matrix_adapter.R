#!/usr/bin/Rscript --vanilla
# SPDX-License-Identifier: Apache-2.0
# R's Matrix: dgTMatrix, dgRMatrix and dgCMatrix. new(), which calls validObject, is its check; to use is to
# set the slots without it.
suppressPackageStartupMessages({
  library(Matrix)
  library(jsonlite)
})

FAMILY <- c(coo = "TsparseMatrix", csr = "RsparseMatrix", csc = "CsparseMatrix")
CLASS <- c(coo = "dgTMatrix", csr = "dgRMatrix", csc = "dgCMatrix")
# Which classes: what triplets promise, the others do not.
LAYOUTS <- commandArgs(TRUE)
ALL <- list(layouts = I(LAYOUTS), dtypes = list("float64"))
LACKS <- c("batched", "hybrid", "sizeless", "declared", "claim", "coo-nd", "sparse-dim-0", "indices-not-2d",
           "strided", "strided-indices", "negative-stride", "out-of-storage", "negative-shape", "huge-array",
           "mixed-index-dtypes", "narrow-index-dtype", "not-2d", "block-size", "index-range", "keepdim")

# ---- Arrays ----------------------------------------------------------------------------------------

number <- function(value) {
  if (is.character(value)) {
    if (startsWith(value, "bits:") || value == "nan") return(NaN)
    return(c(inf = Inf, `-inf` = -Inf, `-0.0` = -0)[[value]])
  }
  as.double(value)
}

# What lies in the storage, or as much of it as there are elements.
stored_in <- function(member) {
  if (!is.null(member$fill)) return(rep(number(member$fill), member$length))
  vapply(member$data, number, 0)
}

elements <- function(member) stored_in(member)[seq_len(prod(unlist(member$shape)))]

# A dense array, row-major in the question.
array_of <- function(member) {
  steps <- unlist(member$strides)
  shape <- unlist(member$shape)
  if (is.null(steps)) steps <- if (length(shape) == 2) c(shape[2], 1) else 1
  stored <- stored_in(member)
  offset <- if (is.null(member$offset)) 1 else member$offset + 1
  if (length(shape) == 1) return(stored[offset + (seq_len(shape) - 1) * steps])
  places <- outer((seq_len(shape[1]) - 1) * steps[1], (seq_len(shape[2]) - 1) * steps[2], "+")
  matrix(stored[offset + places], shape[1], shape[2])
}

text_of <- function(x) {
  if (length(x) == 0) return("[]")
  said <- ifelse(is.nan(x) | is.na(x), '"nan"', ifelse(x == Inf, '"inf"', ifelse(x == -Inf, '"-inf"',
          sprintf("%.17g", x))))
  said[!is.nan(x) & x == 0 & 1 / x < 0] <- "-0.0"
  paste0("[", paste(said, collapse = ","), "]")
}

whole_of <- function(x) paste0("[", paste(sprintf("%d", as.integer(x)), collapse = ","), "]")

member_of <- function(dtype, shape, data) {
  paste0('{"dtype":"', dtype, '","shape":', whole_of(shape), ',"data":', data, "}")
}

# ---- The library -----------------------------------------------------------------------------------

slots_of <- function(tensor) {
  slots <- list(Class = CLASS[[tensor$layout]], Dim = as.integer(unlist(tensor$size)), x = elements(tensor$values))
  if (tensor$layout == "coo") {
    flat <- as.integer(elements(tensor$indices))
    nse <- tensor$indices$shape[[2]]
    return(c(slots, list(i = flat[seq_len(nse)], j = flat[nse + seq_len(nse)])))
  }
  slots$p <- as.integer(elements(tensor$compressed_indices))
  slots[[if (tensor$layout == "csr") "j" else "i"]] <- as.integer(elements(tensor$plain_indices))
  slots
}

construct <- function(question, tensor = question$tensor) {
  if (!is.null(question$live)) return(question$live)
  made(tensor)
}

made <- function(tensor) do.call(new, slots_of(tensor))

unchecked <- function(tensor) {
  slots <- slots_of(tensor)
  found <- new(slots$Class)
  for (name in setdiff(names(slots), "Class")) attr(found, name) <- slots[[name]]
  found
}

use <- function(question) {
  a <- unchecked(question$tensor)
  if (prod(dim(a)) <= 2^20) {
    as(a, "matrix")
    a %*% rep(1, ncol(a))
  }
  NULL
}

of_one <- function(f) function(q) f(construct(q), q$arguments)
of_two <- function(f) function(q) { a <- construct(q); f(a, if (is.null(q$arguments$other)) a else made(q$arguments$other)) }
along <- function(a, dim, kept) if (dim == 0) a[kept, , drop = FALSE] else a[, kept, drop = FALSE]

selected <- function(a, given) {
  if (given$dim == 0) a[given$index + 1, ] else a[, given$index + 1]
}

read <- function(question) {
  path <- tempfile(fileext = ".mtx")
  on.exit(unlink(path))
  writeBin(base64_dec(question$file$base64), path)
  readMM(path)
}

OPERATIONS <- list(
  check = function(q) { made(q$tensor); NULL },
  use = use,
  read = read,
  to_dense = of_one(function(a, given) as(a, "matrix")),
  from_dense = function(q) as(array_of(q$dense), FAMILY[[q$arguments$to]]),
  convert = of_one(function(a, given) as(a, FAMILY[[given$to]])),
  transpose = of_one(function(a, given) t(a)),
  permute = of_one(function(a, given) if (given$dims[[1]] == 0) a else t(a)),
  matvec = of_one(function(a, given) as.vector(a %*% array_of(given$x))),
  matmat = of_one(function(a, given) as(a %*% array_of(given$x), "matrix")),
  sum = of_one(function(a, given) structure(sum(a), scalar = TRUE)),
  sum_dim = of_one(function(a, given) if (given$dim == 0) colSums(a) else rowSums(a)),
  add = of_two(function(a, b) a + b),
  add_dense = of_one(function(a, given) a + array_of(given$dense)),
  sub = of_two(function(a, b) a - b),
  mul = of_two(function(a, b) a * b),
  matmul_sparse = of_two(function(a, b) a %*% b),
  scale = of_one(function(a, given) a * given$alpha),
  divide = of_one(function(a, given) a / given$alpha),
  select = of_one(selected),
  narrow = of_one(function(a, given) along(a, given$dim, given$start + seq_len(given$length))),
  index_select = of_one(function(a, given) along(a, given$dim, unlist(given$indices) + 1)),
  cat = of_one(function(a, given) do.call(if (given$dim == 0) rbind else cbind, c(a, lapply(given$others, made)))),
  eliminate_zeros = of_one(function(a, given) drop0(a))
)

OPERATIONS$chain <- function(question) {
  for (step in question$arguments$steps) {
    question$arguments <- step$arguments
    question$live <- OPERATIONS[[step$operation]](question)
  }
  question$live
}

# ---- Answers ---------------------------------------------------------------------------------------

dense_of <- function(x) {
  if (isTRUE(attr(x, "scalar"))) return(member_of("float64", integer(), text_of(as.double(x))))
  if (is.null(dim(x))) return(member_of("float64", length(x), text_of(as.double(x))))
  member_of("float64", dim(x), text_of(as.double(t(x))))
}

result_of <- function(found) {
  if (!is(found, "sparseMatrix")) return(paste0('{"dense":', dense_of(if (is(found, "Matrix")) as(found, "matrix") else found), "}"))
  # Triangles, diagonals and patterns are classes of their own: no tensor file has them.
  found <- as(as(found, "dMatrix"), "generalMatrix")
  kind <- names(which(vapply(FAMILY, function(family) is(found, family), NA)))
  head <- paste0('{"tensor":{"spw":1,"layout":"', kind, '","size":', whole_of(dim(found)), ',"values":',
                 member_of("float64", length(found@x), text_of(found@x)))
  if (kind == "coo") {
    return(paste0(head, ',"indices":', member_of("int32", c(2, length(found@i)), whole_of(c(found@i, found@j))), "}}"))
  }
  plain <- if (kind == "csr") found@j else found@i
  paste0(head, ',"compressed_indices":', member_of("int32", length(found@p), whole_of(found@p)),
         ',"plain_indices":', member_of("int32", length(plain), whole_of(plain)), "}}")
}

quoted <- function(text) as.character(toJSON(text, auto_unbox = TRUE))

answer <- function(question) {
  operation <- question$operation
  tryCatch({
    found <- OPERATIONS[[operation]](question)
    if (operation %in% c("check", "use")) return('"verdict":"accept"')
    paste0('"verdict":"accept","result":', result_of(found))
  }, error = function(error) {
    paste0('"verdict":"reject","phase":"', if (operation == "check") "validate" else "use", '","message":',
           quoted(conditionMessage(error)))
  })
}

manifest <- function() {
  entries <- lapply(OPERATIONS, function(f) ALL)
  entries$convert$to <- sapply(LAYOUTS, function(layout) names(CLASS), simplify = FALSE)
  entries$read <- list(formats = list("mtx"), dtypes = list("float64"))
  list(operations = entries, index_dtypes = list("int32"), names_rules = "none", lacks = LACKS)
}

options(warn = -1)
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  question <- fromJSON(line, simplifyVector = FALSE)
  if (question$cmd == "stop") break
  if (question$cmd == "start") {
    said <- paste0('{"ready":true,"name":"r-matrix","version":"', packageVersion("Matrix"), '","manifest":',
                   toJSON(manifest(), auto_unbox = TRUE), "}")
  } else {
    said <- paste0('{"id":', quoted(question$id), ",", answer(question), "}")
  }
  cat(said, "\n", sep = "")
  flush(stdout())
}
