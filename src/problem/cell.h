/* cell.h - one cell of an experiment: parameters in, metrics and an identity out.
 *
 * Parameters are a JSON object; its keys are the parameters of the problem with the action
 * CS_EXPERIMENT. Metrics are the values of the problem with CS_IN_EXPERIMENTS: NAME is the mean
 * over the runs of the cell, NAME_FIGURE another figure of them (enum cs_figure).
 */
#ifndef CS_PROBLEM_CELL_H
#define CS_PROBLEM_CELL_H

#include "problem/problem.h"

#define CS_CELL_METRICS 64 /* most metrics of a problem */

struct cs_metric {
    const char *name;
    const char *old;     /* its name in cosched 0.1, or NULL */
    const char *column;  /* its name in stores */
    bool measured;       /* measured on this machine: differs from run to run */
    const char *summary; /* of the value */
    const char *warning; /* warning if it is not 0, after "in 3 of 90 runs "; or NULL */
    const struct cs_value *value;
    enum cs_figure figure;
};

/* The metrics of a problem, made once and valid until the process ends; a NULL name ends them. */
const struct cs_metric *cs_cell_metrics(const struct cs_problem *problem);
int cs_cell_metric_count(const struct cs_problem *problem);

/* Is it shown when no metrics are chosen? Not if it is measured or belongs to another problem now.
 */
bool cs_metric_is_usual(const struct cs_metric *metric);

/* May a store hold `stored` if this build computes `value`? Yes for measured metrics, for equal
 * numbers, and for NaN if older builds did not have the metric. */
bool cs_metric_fits(const struct cs_metric *metric, double stored, double value);

/* The index of the metric with this name, or this name in cosched 0.1; -1 with err, which lists the
 * names. */
int cs_cell_metric(const struct cs_problem *problem, const char *name, struct cs_error *err);

/* Append a warning if `name` is not its name of today. */
void cs_metric_put_renamed(const struct cs_metric *metric, const char *name, struct cs_strbuf *out);

/* The parameter that has this key, or had it in a former release; NULL with err, which lists them.
 */
const struct cs_param *cs_cell_param(const struct cs_problem *problem, const char *key,
                                     struct cs_error *err);

/* Convert the text of a parameter to JSON and check its kind and limits. The caller owns the
 * reference. NULL with err. */
json_t *cs_cell_read(const struct cs_param *param, const char *key, const char *text,
                     struct cs_error *err);

/* Check that the value has the parameter's kind and is within its limits. It may be a list if the
 * parameter repeats. -1 with err. */
int cs_cell_check_value(const struct cs_param *param, const char *key, const json_t *json,
                        struct cs_error *err);

/* Store the parameters in the options. Texts stay in the JSON, which must outlive the options;
 * lists are joined, one element per line, in the arena. -1 with err, which names the parameter. */
int cs_cell_options(const struct cs_problem *problem, const json_t *parameters, void *options,
                    struct cs_arena *arena, struct cs_error *err);

/* Check the parameters without reading a file: names, kinds, limits, required parameters, policies,
 * compatible values. -1 with err. */
int cs_cell_check(const struct cs_problem *problem, const json_t *parameters, struct cs_error *err);

/* Check the permission to run commands, since an experiment file may come from another user: -1
 * with err if a parameter is a command (param.h) and COSCHED_PROGRAMS=run is not in the
 * environment. cs_cell_run checks this too. */
int cs_cell_consent(const struct cs_problem *problem, const json_t *parameters,
                    struct cs_error *err);

/* Run the cell on one thread. Fill value[] with one number per metric, in the order of
 * cs_cell_metrics (NaN if no run has it), and identity[0 .. CS_DIGEST_TEXT - 1] with the digest of
 * the input of the policies. The same parameters and seed give the same values, except measured
 * ones, regardless of other cells that run concurrently. `cache` holds objects that cells share,
 * such as a parsed file. -1 with err. */
int cs_cell_run(const struct cs_problem *problem, const json_t *parameters, uint64_t seed,
                struct cs_cache *cache, double *value, char *identity, struct cs_error *err);

#endif
