/* problem.h - the description of a problem: its only interface to campaigns and to the tool.
 *
 *     argv ----\                                                    /-> table, CSV, JSON
 *     JSON -----> params -> options -> study -> variants x runs -> outcomes -> values -> figures
 *               (param.h)             (open)     (run)              \-> record -> schedule, chart
 *
 * The directory of a problem has a problem.c with one `const struct cs_problem`, which problems.def
 * lists. It is the only definition of the parameters and values: options, help, manual pages,
 * completion, parameters and metrics of experiments, and columns of stores and tables are made from
 * it.
 *
 * A study belongs to one set of options. It has an instance, one or more variants, and the same
 * runs for each variant, so that run r of one variant can be compared with run r of another. A run
 * is a scenario: one sample of all random inputs.
 */
#ifndef CS_PROBLEM_PROBLEM_H
#define CS_PROBLEM_PROBLEM_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "model/policy.h"
#include "model/schedule.h"
#include "problem/loop.h"
#include "problem/param.h"

#include <cosched/workload.h>

struct cs_cache;
struct cs_energy;
struct cs_known;
struct cs_study;

/* The first member of the options of every problem. */
/* How schedules give the processors of a bar. */
enum cs_study_processors {
    CS_PROCESSORS_NUMBERS,
    CS_PROCESSORS_COUNTS,
    CS_PROCESSORS_AUTO, /* counts above CS_PROCESSORS_MANY bars, unless nodes have names */
};
#define CS_PROCESSORS_MANY 10000

struct cs_study_options {
    const char *input;         /* a path; NULL: the generator makes the input */
    const char *const *inputs; /* all operands, ends with NULL; NULL in experiments */
    int64_t seed;
    int64_t threads; /* 0: cs_thread_limit() */
    int format;      /* table, json, csv */
    bool csv_safe;   /* CSV has no cell that a spreadsheet reads as a formula */
    const char *per_scenario, *schedule, *gantt, *table, *sbatch, *output; /* files */
    int64_t scenario; /* the recorded one, from 0 */
    const char *unit; /* name of a processor, such as "node" */
    const char *title;
    bool dark;
    int processors;      /* in schedules: enum cs_study_processors */
    const char *command; /* command line for files that contain it; or NULL */
    const char *watts;   /* of a node (model/energy.h); NULL: energy is not computed */
    int64_t procs_per_node;
    double energy_until; /* seconds; NaN: the makespan of each run */
};

/* ---- values of runs ---- */

enum cs_value_kind {
    CS_VALUE_NUMBER = 1,
    CS_VALUE_SECONDS,
    CS_VALUE_SHARE, /* a fraction, shown in percent */
};

enum cs_figure {
    CS_FIGURE_MEAN,
    CS_FIGURE_CONFIDENCE, /* half the width of the 95 % confidence interval of the mean */
    CS_FIGURE_DEVIATION,
    CS_FIGURE_MIN,
    CS_FIGURE_Q05,
    CS_FIGURE_Q25,
    CS_FIGURE_MEDIAN,
    CS_FIGURE_Q75,
    CS_FIGURE_Q95,
    CS_FIGURE_MAX,
    CS_FIGURES,
};

/* The name in keys: "mean", "confidence95", ... */
const char *cs_figure_name(enum cs_figure figure);

/* Where a value is shown. */
enum cs_value_in {
    CS_IN_SUMMARY = 1 << 0,     /* figures over the runs of a variant */
    CS_IN_ROWS = 1 << 1,        /* a column of --per-scenario */
    CS_IN_EXPERIMENTS = 1 << 2, /* a metric: its mean over the runs of a cell */
    CS_IN_ALL = CS_IN_SUMMARY | CS_IN_ROWS | CS_IN_EXPERIMENTS,
};

struct cs_value {
    const char *name;    /* the key everywhere */
    const char *heading; /* title with unit, in the detail of one variant */
    const char *summary; /* description, with the unit of files */
    enum cs_value_kind kind;
    unsigned in;
    const char *column; /* its title where variants are compared; NULL: not shown there */
    const char *unit;   /* there, below the title, such as "ms"; or NULL */
    int digits; /* there: decimals; for times significant digits, in seconds, or 0: as 5 min 12 s */
    bool interval;    /* there, with its confidence interval */
    unsigned extra;   /* there, a set of 1 << enum cs_figure: more columns */
    double per;       /* tables for people divide by this; 0: by 1 */
    unsigned figures; /* experiments: a set of 1 << enum cs_figure: metrics NAME_FIGURE */
    const char *old;  /* its name in cosched 0.1, which stores keep; or NULL */
    double old_unit;  /* its unit in stores of cosched 0.1 (DAY: days); 0: 1 */
    bool later;       /* stores of cosched 0.2.0 do not have it */
    bool former;      /* only in stores of cosched 0.2: the problem was split (cs_problem.former) */
    bool always;      /* shown even if no run has it, because all runs have failed */
    bool measured;    /* measured on this machine: differs from run to run */
    const char *warning; /* experiments: warning if it is not 0, after "in 3 of 90 runs " */
    double (*of)(const struct cs_study *study, const void *outcome); /* NaN: the run lacks it */
    /* Or one number over all runs of a variant, such as the ratio of two means. */
    double (*whole)(const struct cs_study *study, int variant);
};

/* ---- policies and studies ---- */

/* A list of policies, of which an option selects one, or several to compare. */
struct cs_problem_choice {
    const char *option;  /* the parameter that selects: "policy" */
    const char *heading; /* title of the list */
    const struct cs_policy *const *(*policies)(int *count);
};

/* An order of tasks that policies can use. */
struct cs_problem_priority {
    const char *name, *summary, *source;
};

#define CS_PROBLEM_CHOICES 4
#define CS_VARIANT_WORDS 3

/* A variant, as labels: one for each key in cs_problem.variant. */
struct cs_variant {
    const char *word[CS_VARIANT_WORDS];
};

/* Runs that belong together, such as those of one day of a log. */
struct cs_study_group {
    const char *name; /* "" if there is only one group */
    long size;        /* its size, such as the number of jobs */
};

struct cs_study {
    const struct cs_problem *problem;
    const struct cs_study_options *options; /* they outlive the study */
    struct cs_arena *arena;
    int variants;
    const struct cs_variant *variant;
    int reference; /* the variant with which others are compared, run by run; -1: none */
    long runs;     /* of each variant */
    int groups;    /* number of groups of runs, all with the same number of runs; 0: one */
    const struct cs_study_group *group; /* or NULL */
    double scale; /* typical makespan (seconds): long ones are shown in hours or days */
    /* No random inputs: each variant has one run, whose values are shown without statistics, and
     * `plan` makes it too. */
    bool certain;
    const char *named; /* why processors are not interchangeable, for messages; or NULL: they are */
    /* One per variant, once it has run, for the comparison; NULL: "best" for the least. */
    const char *const *remark;
    const struct cs_known *known; /* what is proven of the optimum of this instance; or NULL */
    struct cs_energy *energy;     /* of each outcome, once it has run with watts; or NULL. Problems
                                     whose run does not set it need `record` */
    void *outcome;                /* variants * runs * problem->outcome bytes, once it has run */
};

/* One recorded run. */
struct cs_kept {
    struct cs_schedule *schedule;
    const struct cs_workload *workload; /* for the schedule file; or NULL */
};

struct cs_study_context {
    unsigned action;        /* one of enum cs_case_action */
    struct cs_cache *cache; /* objects that studies share, such as a parsed log; or NULL */
    void (*warn)(const char *text, void *who); /* receives warnings; or NULL */
    void *who;
};

struct cs_problem {
    const char *name, *summary, *source;
    const struct cs_param *param;                        /* of all actions, in the order of help */
    const struct cs_value *value;                        /* end with a NULL name */
    struct cs_problem_choice choice[CS_PROBLEM_CHOICES]; /* the first ones have an option */
    struct cs_problem_priority (*priorities)(int index); /* past the last: no name; or NULL */
    const char *variant[CS_VARIANT_WORDS + 1];           /* the keys of the labels of variants */
    const char *group, *size; /* the keys of a group's name and size; or NULL */
    size_t options, outcome;  /* bytes */

    /* In cosched 0.2 this was a part of the problem `former`, with the parameter `former_key`: that
     * spelling is accepted for one release, and stores have those cells in its table.  Or NULL. */
    const char *former, *former_key;

    /* Check that the options are compatible, without reading a file. -1 with err. NULL: always. */
    int (*check)(const void *options, struct cs_error *err);

    /* Check that the libraries which this policy loads are on this machine. -1 with err. NULL: no
     * policy loads a library. */
    int (*ready)(const struct cs_policy *policy, struct cs_error *err);

    /* Read or generate the instance, find the variants, prepare the scenarios. The study owns an
     * arena (cs_study_create); `options` must outlive it. NULL with err. */
    struct cs_study *(*open)(const void *options, const struct cs_study_context *context,
                             struct cs_error *err);
    void (*close)(struct cs_study *study); /* release what the arena does not own; or NULL */

    /* Fill the outcomes of all variants. -1 with err. */
    int (*run)(struct cs_study *study, const struct cs_study_progress *progress,
               struct cs_error *err);

    /* The digest of the input of policies (cache.h). */
    void (*identify)(const struct cs_study *study, char text[CS_DIGEST_TEXT]);

    /* Repeat one run and record it; the caller releases the record with `discard`. NULL with err.
     */
    struct cs_kept *(*record)(const struct cs_study *study, int variant, long run,
                              struct cs_error *err);
    void (*put)(const struct cs_study *study, const struct cs_kept *record,
                struct cs_jsonw *w); /* the keys of the problem in a schedule file */
    void (*discard)(struct cs_kept *record);

    /* For a check against inputs: replace the tasks, the machine and the random events of run
     * options->scenario that a schedule file declares by those of the study. The file belongs to
     * the caller and does not change otherwise; the new parts live as long as the study. -1 with
     * err if the schedule has other tasks or another machine. */
    int (*supplied)(const struct cs_study *study, struct cs_schedule_file *file,
                    struct cs_error *err);

    /* Append the table of the jobs of a run. -1 with err. NULL: the problem has no such table. */
    int (*table)(const struct cs_study *study, const struct cs_kept *record, struct cs_strbuf *out,
                 struct cs_error *err);

    /* Generate an input and write it to options->output. -1 with err. NULL: no generator. */
    int (*generate)(const void *options, struct cs_error *err);
};

/* The problems, *count of them, in the order of problems.def. */
const struct cs_problem *const *cs_problems(int *count);

/* The problem with this name; NULL with err, which lists the names. */
const struct cs_problem *cs_problem_find(const char *name, struct cs_error *err);

/* The problem that replaces this problem of cosched 0.2 if the parameter `key` is given; else
 * `problem`. */
const struct cs_problem *cs_problem_renamed(const struct cs_problem *problem, const char *key);

/* Append the warning for users of the former spelling: of a problem, of a flag with `moved`. */
void cs_problem_put_renamed(const struct cs_problem *now, struct cs_strbuf *out);

/* Append the warnings of cs_param_put_renamed, and one for each former name of a parameter of
 * policies that the value uses. */
void cs_problem_put_renamed_value(const struct cs_param *param, bool old, const char *text,
                                  struct cs_strbuf *out);
void cs_problem_put_moved(const struct cs_problem *problem, const struct cs_param *flag,
                          struct cs_strbuf *out);

/* New options with the defaults, in the arena. */
void *cs_problem_options(const struct cs_problem *problem, struct cs_arena *arena);

/* ---- studies ---- */

/* Check the options and open the study. NULL with err. */
struct cs_study *cs_study_open(const struct cs_problem *problem, const void *options,
                               const struct cs_study_context *context, struct cs_error *err);

/* Create a study and its arena, for cs_problem.open: `size` bytes that begin with a struct
 * cs_study. */
void *cs_study_create(const struct cs_problem *problem, const void *options, size_t size);

int cs_study_run(struct cs_study *study, const struct cs_study_progress *progress,
                 struct cs_error *err);
void cs_study_close(struct cs_study *study); /* NULL is fine */

/* The number of threads that its options request, at least one. */
int cs_study_threads(const struct cs_study *study);

const void *cs_study_outcome(const struct cs_study *study, int variant, long run);

/* Write the value of each run of a variant that has it to out (space for all runs); return the
 * number of these runs. */
long cs_study_values(const struct cs_study *study, int variant, const struct cs_value *value,
                     double *out);

/* The same for the runs of one group; -1: for all runs. */
long cs_study_group_values(const struct cs_study *study, int variant, int group,
                           const struct cs_value *value, double *out);

/* Does any run of any variant have this value, or is it shown always? */
bool cs_study_has(const struct cs_study *study, const struct cs_value *value);

/* The value by which variants are compared: the first one of the summary. */
const struct cs_value *cs_study_main(const struct cs_study *study);

/* The number of runs in a group. */
long cs_study_group_runs(const struct cs_study *study);

/* Set study->known, if it holds for so many processors and, unless that is 0, for this pack size;
 * else a warning. */
void cs_study_know(struct cs_study *study, const struct cs_known *known, int procs, int pack_size,
                   const struct cs_study_context *context);

/* The value over the proven upper bound of the optimum, less 1; NaN without one. */
double cs_study_known_gap(const struct cs_study *study, double value);

/* The energy of this outcome: total, busy, idle, off or wake (joules); NaN without watts. */
enum cs_energy_part {
    CS_ENERGY_TOTAL,
    CS_ENERGY_BUSY,
    CS_ENERGY_IDLE,
    CS_ENERGY_OFF,
    CS_ENERGY_WAKE,
};
double cs_study_energy(const struct cs_study *study, const void *outcome, enum cs_energy_part part);

/* A lower bound of it, from that of the makespan and the least processor seconds of all tasks; NaN
 * without watts or with off-after. */
double cs_study_energy_bound(const struct cs_study *study, int procs, double seconds, double work);

/* Append the key `energy` of that outcome. */
void cs_study_put_energy(const struct cs_study *study, int variant, long run, struct cs_jsonw *w);

/* For cs_problem.supplied: check that the schedule has these processors and tasks (name NULL: with
 * any names). -1 with err. */
int cs_study_supplied_tasks(const struct cs_schedule_file *file, int procs, int tasks,
                            const char *const *name, struct cs_error *err);

/* Pass each line of the text to the function that receives warnings. */
void cs_study_warn_lines(const struct cs_study_context *context, const char *text);
/* Pass one warning; its text names the file that it is about. */
void cs_study_warn(const struct cs_study_context *context, const char *format, ...) CS_PRINTF(2, 3);

/* Append the names of policies and of their presets, and "all", separated by blanks. */
void cs_study_policy_words(const struct cs_problem_choice *choice, struct cs_strbuf *out);

/* Parse the policies of a text, separated by commas or blanks, or "all"; NULL: the policy with the
 * index `fallback`. Names may be in upper or lower case. Return their number; the calls are in
 * *call, their names in *word, both in the arena. -1 with err, which begins with the name of the
 * parameter unless that is "policy". */
int cs_study_policies(const struct cs_problem_choice *choice, const char *text, int fallback,
                      struct cs_arena *arena, struct cs_policy_call **call,
                      const char *const **word, struct cs_error *err);

/* Append the labels of a variant, separated by `between`, such as "local, stf". */
void cs_study_put_variant(const struct cs_study *study, int variant, const char *between,
                          struct cs_strbuf *out);

/* Append the schedule file of one recorded run of a variant.  -1 with err: an input cannot be read
 * again for its digest. */
int cs_study_put_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                      struct cs_strbuf *out, struct cs_error *err);

/* The option, or numbers instead of a free choice: energy needs them where nodes are switched off
 * or have several processors. */
enum cs_study_processors cs_study_processors(const struct cs_study *study);

/* Do the bars of this schedule of the study have counts in a file? */
bool cs_study_counts(const struct cs_study *study, const struct cs_schedule *schedule);

/* The same to a file, without holding its text. */
int cs_study_write_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                        const char *path, struct cs_error *err);

/* Lists of policies in one text: "greedy,shelf:backfill=no,easy". */
struct cs_words {
    int count;
    const char *const *name;
};

/* Split a text at its commas, except those between the parameters of a policy. The names live in
 * the arena. */
struct cs_words cs_words_split(const char *text, struct cs_arena *arena);

#endif
