/* runner.h - what carries out one cell of a grid of runs.
 *
 * A runner belongs to a problem: it takes parameters as JSON and a seed, makes or reads the
 * instance, lets a policy plan or simulate it, and returns numbers, its metrics.  It knows
 * nothing of grids, figures and files; a grid knows nothing of problems.
 *
 * Each is made of the description of its problem (study/problem.h).
 */
#ifndef CS_CAMPAIGN_RUNNER_H
#define CS_CAMPAIGN_RUNNER_H

#include "base/digest.h"
#include "study/cache.h"
#include "study/cell.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum cs_parameter_kind {
    CS_PARAMETER_TEXT = 1,
    CS_PARAMETER_INTEGER,
    CS_PARAMETER_REAL,
    CS_PARAMETER_FILE, /* a text: where it is not absolute, from the folder of the paper on */
};

struct cs_parameter {
    const char *name;
    enum cs_parameter_kind kind;
    bool required;
    double low, high; /* numbers: both allowed */
    const char *summary;
    const struct cs_field *field; /* whose kind and limits count; or NULL: those above */
};

#define CS_RUNNER_METRICS 64

struct cs_runner {
    const struct cs_problem *problem; /* or NULL: its own functions */
    const char *name;                 /* the problem */
    const char *summary;
    const struct cs_parameter *parameters; /* end with a NULL name */
    const struct cs_metric *metrics;       /* at most CS_RUNNER_METRICS, end with a NULL name */

    /* Fill value[], one number for each metric (NaN where it has none), and write to
     * identity[0 .. CS_DIGEST_TEXT - 1] the digest of what the policy was given (identity.h).  The
     * parameters have been checked against the table; the same parameters and seed give the same
     * values, measured ones apart, whatever runs beside.  `keep` holds what runs share, such as a
     * file that was read.  -1 with err. */
    int (*run)(const json_t *parameters, uint64_t seed, struct cs_cache *keep, double *value,
               char *identity, struct cs_error *err);
};

/* Run a cell, as above. */
int cs_runner_run(const struct cs_runner *runner, const json_t *parameters, uint64_t seed,
                  struct cs_cache *keep, double *value, char *identity, struct cs_error *err);

/* The runners, *count of them, in the order of the problems. */
const struct cs_runner *const *cs_runners(int *count);

/* By name; NULL with err, which lists them. */
const struct cs_runner *cs_runner_find(const char *name, struct cs_error *err);

int cs_runner_metrics(const struct cs_runner *runner); /* how many */

/* The index of a metric; -1 with err, which lists them. */
int cs_runner_metric(const struct cs_runner *runner, const char *name, struct cs_error *err);

/* A parameter by name; NULL with err, which lists them. */
const struct cs_parameter *cs_runner_parameter(const struct cs_runner *runner, const char *name,
                                               struct cs_error *err);

/* The value that a user gives to a parameter as text; a new reference.  NULL with err. */
json_t *cs_parameter_read(const struct cs_parameter *parameter, const char *text,
                          struct cs_error *err);

/* Is the value of the parameter's kind and within its limits?  -1 with err naming it. */
int cs_parameter_check(const struct cs_parameter *parameter, const json_t *value,
                       struct cs_error *err);

/* Are these parameters (a JSON object) known, of their kind and within limits, and is none
 * that is required missing?  -1 with err naming the parameter. */
int cs_runner_check(const struct cs_runner *runner, const json_t *parameters, struct cs_error *err);

/* For runners: the value of a parameter, or the fallback when it is not given. */
const char *cs_parameter_text(const json_t *parameters, const char *name, const char *fallback);
int cs_parameter_integer(const json_t *parameters, const char *name, int fallback);
double cs_parameter_real(const json_t *parameters, const char *name, double fallback);

#endif
