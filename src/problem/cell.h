/* cell.h - one cell of an experiment: parameters in, metrics and an identity out.
 *
 * Parameters are the fields of the problem that experiments take, as a JSON object; metrics are the
 * values of the problem that experiments show: NAME is the mean over the runs of the cell, and
 * NAME_FIGURE another figure of them.
 */
#ifndef CS_PROBLEM_CELL_H
#define CS_PROBLEM_CELL_H

#include "problem/problem.h"

#define CS_CELL_METRICS 64 /* at most so many of a problem */

struct cs_metric {
    const char *name;
    const char *old;     /* in cosched 0.1; or NULL */
    const char *column;  /* in stores */
    bool measured;       /* a time on this machine: differs from run to run */
    const char *summary; /* of the value */
    const char *warning; /* what to tell when it is not 0, after "in 3 of 90 runs "; or NULL */
    const struct cs_value *value;
    enum cs_figure figure;
};

/* The metrics of a problem, made once; they end with a NULL name. */
const struct cs_metric *cs_cell_metrics(const struct cs_problem *problem);
int cs_cell_metric_count(const struct cs_problem *problem);

/* Is it shown when no metrics are chosen: is it the same on every machine? */
bool cs_metric_is_usual(const struct cs_metric *metric);

/* May a store have that number, when it is `value` today?  Stores of older builds lack some. */
bool cs_metric_fits(const struct cs_metric *metric, double stored, double value);

/* The index of a metric; -1 with err, which lists them. */
int cs_cell_metric(const struct cs_problem *problem, const char *name, struct cs_error *err);

/* The parameter that has this key, or had it in a former release; NULL with err, which lists them.
 */
const struct cs_field *cs_cell_field(const struct cs_problem *problem, const char *key,
                                     struct cs_error *err);

/* The value that a user gives to a parameter as text; a new reference.  NULL with err. */
json_t *cs_cell_read(const struct cs_field *field, const char *key, const char *text,
                     struct cs_error *err);

/* Is the value of the parameter's kind and within its limits?  Of what may be given several times
 * it may be a list.  -1 with err. */
int cs_cell_check_value(const struct cs_field *field, const char *key, const json_t *json,
                        struct cs_error *err);

/* Take the parameters into options; their texts stay in the JSON, lists (lines) in the arena.  -1
 * with err, which names the parameter. */
int cs_cell_options(const struct cs_problem *problem, const json_t *parameters, void *options,
                    struct cs_arena *arena, struct cs_error *err);

/* All that can be said of the parameters before anything is read: are they known, of their kind,
 * within limits, is none missing, are their policies there, do they go together?  -1 with err. */
int cs_cell_check(const struct cs_problem *problem, const json_t *parameters, struct cs_error *err);

/* An experiment is a file, perhaps somebody else's: -1 with err when a parameter is a command
 * (field.h) and COSCHED_PROGRAMS=run is not in the environment.  cs_cell_run asks it too. */
int cs_cell_consent(const struct cs_problem *problem, const json_t *parameters,
                    struct cs_error *err);

/* Fill value[], one number for each metric (NaN where there is none), and write the digest of what
 * the policies were given to identity[0 .. CS_DIGEST_TEXT - 1].  The same parameters and seed give
 * the same values, measured ones apart, whatever runs beside; `cache` holds what runs share, such
 * as a file that was read.  -1 with err. */
int cs_cell_run(const struct cs_problem *problem, const json_t *parameters, uint64_t seed,
                struct cs_cache *cache, double *value, char *identity, struct cs_error *err);

#endif
