/* golden.h - what the golden programs of all problems share.
 *
 * A golden program takes files, prints one line for each ("ok NAME", "FAIL NAME: the first
 * difference found" or "skipped NAME: why"), ends with "N passed, N failed", and exits with 1 when
 * any failed, with 77 when all were skipped.
 */
#ifndef CS_TESTS_GOLDEN_H
#define CS_TESTS_GOLDEN_H

#include <cosched/error.h>
#include <jansson.h>
#include <stdbool.h>

/* Compare the case of a file.  0; -1 with the first difference in err; GOLDEN_SKIP with the reason
 * in err when it needs what is not there. */
#define GOLDEN_SKIP 77
typedef int golden_case_f(const json_t *json, const char *path, struct cs_error *err);

/* The main program: every file of the command line through the case function.  A file must name
 * the format, unless that is NULL. */
int golden_main(int argc, char **argv, const char *format, golden_case_f *run);

/* Is `got` the expected number to a relative 1e-9?  -1 with "WHAT is GOT, expected WANT". */
int golden_number(const json_t *want, double got, const char *what, struct cs_error *err);

#endif
