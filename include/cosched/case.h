/* case.h - any problem by names and JSON: the functions of the tool, for programs in any language.
 *
 *     struct cs_case *c = cs_case_open("rigid", "simulate", "{\"input\": \"jobs.csv\", \"procs\": "
 *                                      "5000, \"policy\": \"easy,greedy\"}", NULL, &err);
 *
 *     if (c && !cs_case_run(c, NULL, &err))
 *         for (int v = 0; v < cs_case_variants(c); v++)
 *             cs_case_column(c, v, "makespan", makespan, cs_case_runs(c), &err);
 *     cs_case_close(c);
 *
 * A variant is a policy with its settings; all variants of a case run on the same scenarios.
 * cs_case_describe lists the parameters, metrics and policies of a problem; docs/parameters.md has
 * the same lists.  Names, units, defaults and numbers are those of the tool, to the last bit.
 *
 * Different cases may be used by several threads at the same time, one case by one at a time.
 */
#ifndef COSCHED_CASE_H
#define COSCHED_CASE_H

#include <cosched/error.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

struct cs_chart_options; /* chart.h */

/* A problem and the options it was given. */
struct cs_case;

/* Problems as JSON: {"version": ..., "problems": [{"name", "summary", "source", "variants": the
 * keys of their labels, "group": the name of a group of runs, such as "set", "size": the unit of
 * its size, both or none null, "choices": [...], "groups": [...], "parameters": [...], "metrics":
 * [...], "policies": [...]}, ...]}, the last three lists as those of `cosched list NAME
 * --parameters|--metrics --format json`.  A choice is an option that selects policies: {"option",
 * "heading", "policies": the number of them}; the policies of each choice are listed together, in
 * this order, before the priorities.  A group of parameters is
 * {"heading", "parameters": the number of them} in the same way; a heading may be null.  NULL:
 * every problem.  The caller frees the text with cs_free.  NULL with err. */
CS_API char *cs_case_describe(const char *problem, struct cs_error *err);

/* A pattern of verified checkpoints on two levels: options such as {"memory_checkpoint": 15.4,
 * "fail_stop_rate": 1e-6, "scenarios": 1000}, those of `cosched pattern` with underscores, numbers
 * in seconds and errors a second; the result as JSON, {"first_order": {"segments", "chunks",
 * "work", "overhead"}, "best": {"segments", "chunks", "chunk", "work", "expected", "overhead"},
 * "simulated": {"runs", "mean", "confidence95"} or null}.  The caller frees the text with cs_free.
 * NULL with err. */
CS_API char *cs_pattern(const char *options, struct cs_error *err);

/* Check that the options belong to the problem, have their kinds and limits, are complete and
 * compatible. No file is read. `action` is "plan", "simulate" or "generate". -1 with err. */
CS_API int cs_case_check(const char *problem, const char *action, const char *options,
                         struct cs_error *err);

/* Check the options, read or generate the input, find the variants.  `action` is "plan" or
 * "simulate"; `options` is a JSON object: keys are those of cs_case_describe, "input" is a path or
 * a list of paths; a text that is not UTF-8, such as a path, is {"bytes": [47, 255]}. NULL with
 * err. */
CS_API struct cs_case *cs_case_open(const char *problem, const char *action, const char *options,
                                    const struct cs_watch *watch, struct cs_error *err);
CS_API void cs_case_close(struct cs_case *c); /* NULL is fine */

/* Set the command that files of its plans and runs name as their origin; it is copied.  NULL: none.
 * -1 with err. */
CS_API int cs_case_set_command(struct cs_case *c, const char *command, struct cs_error *err);

/* Plan or simulate every run of every variant; once, before the functions below.  A plan against
 * failures (malleable) has a schedule and no metrics.  -1 with err. */
CS_API int cs_case_run(struct cs_case *c, const struct cs_watch *watch, struct cs_error *err);

/* Variants: their number, the number of labels of each, the key of a label ("policy") and the label
 * of a variant ("easy").  Past the end: NULL. */
CS_API int cs_case_variants(const struct cs_case *c);
CS_API int cs_case_keys(const struct cs_case *c);
CS_API const char *cs_case_key(const struct cs_case *c, int key);
CS_API const char *cs_case_label(const struct cs_case *c, int variant, int key);

/* The number of runs of each variant; run r of all variants has the same scenario. */
CS_API long cs_case_runs(const struct cs_case *c);

/* The runs of a variant are in groups of equal size, such as one for each day of a log: the number
 * of groups (1: all are one), and the name of a group, with its size (such as jobs) in *size, which
 * may be NULL; cs_case_describe names the group and the unit.  Past the end: NULL. */
CS_API int cs_case_groups(const struct cs_case *c);
CS_API const char *cs_case_group(const struct cs_case *c, int group, long *size);

/* The metrics that some run has, after the runs; past the end: NULL. */
CS_API int cs_case_metrics(const struct cs_case *c);
CS_API const char *cs_case_metric(const struct cs_case *c, int metric);

/* A metric of every run of a variant, NaN for a run without it; `room` is the length of `out`, at
 * least cs_case_runs.  A metric of all runs together is repeated in each.  -1 with err. */
CS_API int cs_case_column(const struct cs_case *c, int variant, const char *metric, double *out,
                          long room, struct cs_error *err);

/* Figures over the runs of a variant that have the metric: mean, half the width of the 95 %
 * confidence interval of the mean, deviation, minimum, quantiles, maximum, in the order of
 * cs_case_figure, which names them ("mean", "confidence95", ...; NULL past the end).  NaN if no run
 * has it.  -1 with err. */
CS_API const char *cs_case_figure(int figure);
CS_API int cs_case_figures(const struct cs_case *c, int variant, const char *metric, double *out,
                           int room, struct cs_error *err);

/* A metric of a variant against that of the reference, run by run, where both have it and it is
 * positive: pairs of runs, the geometric mean of the ratio of variant to reference, the ends of its
 * 95 % confidence interval, and the share of pairs in which it is at most 1; NaN without pairs.
 * `room` of `out` is at least CS_CASE_PAIRINGS.  -1 with err. */
enum cs_case_pairing {
    CS_CASE_PAIRS,
    CS_CASE_OVER,
    CS_CASE_OVER_LOW,
    CS_CASE_OVER_HIGH,
    CS_CASE_WINS,
};
#define CS_CASE_PAIRINGS 5

CS_API int cs_case_compare(const struct cs_case *c, const char *metric, int variant, int reference,
                           double *out, int room, struct cs_error *err);

/* The results, as `cosched plan` and `cosched simulate` print them: "table" (also NULL), for
 * people, at most `columns` wide (0: no limit); "json"; "csv"; "runs", CSV with a row for every
 * run of every variant; "replay", of the problem queue with the option report,
 * cosched-replay-1, of which chart.h makes pages; or "curve", of plans of several sizes, the
 * makespan over the processor hours as SVG.  The caller frees the text with cs_free; *length is
 * without the 0 at its end and may be NULL.  NULL with err. */
CS_API char *cs_case_text(const struct cs_case *c, const char *form, int columns, size_t *length,
                          struct cs_error *err);

/* One run as the text of a schedule file (cosched-schedule-1), which the caller frees with
 * cs_free; *length is without the 0 at its end and may be NULL.  The run is repeated for it,
 * unless it is that of the last such call; the watch may stop it.  NULL with err. */
CS_API char *cs_case_schedule(const struct cs_case *c, int variant, long run,
                              const struct cs_watch *watch, size_t *length, struct cs_error *err);

/* The same text written to a file ("-": standard output) while it is made, so that memory does not
 * hold it: to a new file in the same directory, which then replaces the old one. -1 with err, and
 * the old file is as before. */
CS_API int cs_case_schedule_write(const struct cs_case *c, int variant, long run, const char *path,
                                  const struct cs_watch *watch, struct cs_error *err);

/* One run as a chart (SVG): hosts over time for volatile, applications for malleable, processors
 * for the others.  `how` may be NULL; a title, subtitle or name of a processor that is NULL has
 * a default.  Watch and text are as above.  NULL with err. */
CS_API char *cs_case_svg(const struct cs_case *c, int variant, long run,
                         const struct cs_chart_options *how, const struct cs_watch *watch,
                         size_t *length, struct cs_error *err);

/* One run as a table of its jobs, a row for every attempt, in the form of Batsim (CSV): of rigid
 * jobs that arrive.  Watch and text are as above.  NULL with err. */
CS_API char *cs_case_jobs(const struct cs_case *c, int variant, long run,
                          const struct cs_watch *watch, size_t *length, struct cs_error *err);

/* Generate an input by the options (action "generate") and write it to a file.  If the watch stops
 * it, the file is as before.  -1 with err. */
CS_API int cs_case_generate(const char *problem, const char *options, const char *path,
                            const struct cs_watch *watch, struct cs_error *err);

/* ---- a parameter at a time: how options of a tool are made ----
 *
 *     struct cs_case_param param;
 *
 *     for (int i = 0; cs_case_param_at("pack", i, &param, sizeof param, NULL) > 0; i++)
 *         if (param.actions & CS_PLAN)
 *             printf("--%s %s: %s\n", param.name, param.argument, param.summary);
 */

enum cs_param_kind {
    CS_PARAM_FLAG = 1, /* takes no value */
    CS_PARAM_INTEGER,  /* a whole number */
    CS_PARAM_REAL,     /* a number */
    CS_PARAM_SECONDS,  /* a time, with a unit or in seconds */
    CS_PARAM_TEXT,     /* anything but the empty text */
    CS_PARAM_CHOICE,   /* one of `choices` */
    CS_PARAM_PATH,     /* a file name */
};

/* The scope of a parameter (what depends on it); a set. */
enum cs_param_scope {
    CS_SCOPE_NOTHING = 0,   /* where results are written, and their style */
    CS_SCOPE_GENERATOR = 1, /* what is generated */
    CS_SCOPE_INSTANCE = 2,  /* what is given: tasks, machine */
    CS_SCOPE_VARIANT = 4,   /* how it is run: policies and rules */
    CS_SCOPE_DRAW = 8,      /* the scenario: failures, arrivals */
};

/* The actions that take a parameter; a set. */
enum cs_case_action {
    CS_PLAN = 1,
    CS_SIMULATE = 2,
    CS_GENERATE = 4,
    CS_EXPERIMENT = 8, /* a cell of an experiment */
};

/* Texts belong to the library and are never freed; absent texts are NULL. */
struct cs_case_param {
    const char *name;         /* with dashes */
    const char *argument;     /* what its value is called, such as "P"; flags: NULL */
    const char *choices;      /* CHOICE: "first|second|..." */
    const char *default_text; /* the value when not given */
    const char *needs;        /* another parameter, without which this one means nothing */
    const char *group;        /* a heading; NULL: that of the parameter before */
    const char *summary;      /* text without a full stop at the end */
    const char *old;          /* its name in former releases, also accepted */
    double low, high;         /* numbers: the limits, both allowed; high 0: none */
    double old_unit;          /* numbers under the old name are over so much; 0: 1 */
    enum cs_param_kind kind;
    unsigned actions, scope; /* sets of the above */
    unsigned required;       /* the actions in which it must be given */
    char letter;             /* a short name, or 0 */
    bool repeats;            /* may be given several times */
    bool list;               /* TEXT: several words may be given, with commas between them */
    bool chooses;            /* TEXT: it names policies */
    bool has_words;          /* TEXT: cs_case_words knows some */
    bool old_stays;          /* the old name is as good */
    const char *old_choice;  /* CHOICE: a former word and its successor, "step=measured"; or NULL */
};

/* The parameter of a problem, or of "replay" (cs_replay_run_json), with that index, in the order of
 * help, in `size` bytes.  1, or 0 past the last; -1 with err for a problem that is not there and
 * for another size. */
CS_API int cs_case_param_at(const char *problem, int index, struct cs_case_param *out, size_t size,
                            struct cs_error *err);

/* Words that the value of that parameter can be, such as the names of policies, with blanks
 * between; freed with cs_free.  NULL with err. */
CS_API char *cs_case_words(const char *problem, int index, struct cs_error *err);

CS_API const char *cs_version(void);
CS_API void cs_free(void *memory); /* NULL is fine */

CS_END_DECLS

#endif
