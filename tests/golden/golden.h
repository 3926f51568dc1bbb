/* golden.h - what the golden programs of all problems share.
 *
 * A golden program takes files, prints one line for each ("ok NAME" or "FAIL NAME: the first
 * difference found"), and exits with 1 when any failed.  It ends with "N passed, N failed".
 */
#ifndef CS_TESTS_GOLDEN_H
#define CS_TESTS_GOLDEN_H

#include <cosched/error.h>
#include <jansson.h>

/* Compare one case.  0, or -1 with the first difference in err. */
typedef int golden_case_f(const json_t *json, struct cs_error *err);

/* The main program: every file of the command line through the case function.  A file must name
 * the format, unless that is NULL. */
int golden_main(int argc, char **argv, const char *format, golden_case_f *run);

/* Is `got` the expected number to a relative 1e-9?  -1 with "WHAT is GOT, expected WANT". */
int golden_number(const json_t *want, double got, const char *what, struct cs_error *err);

#endif
