/* problem.h - a problem described once: the only face of a problem to campaigns and to the tool.
 *
 *     argv ----\                                                    /-> table, CSV, JSON
 *     JSON -----> fields -> options -> study -> ways x runs -> outcomes -> values -> figures
 *               (field.h)             (open)   (run)             \-> record -> schedule, picture
 *
 * A problem's folder has a problem.c with one `const struct cs_problem`, which problems.def lists.
 * What it says of fields and values stands nowhere else: options, help, manual pages, completion,
 * parameters and metrics of experiments, columns of stores and tables are made from it.
 *
 * A study is what one set of options asks for: an instance, one way of running it or several, and
 * for each way the same runs, so that run r of one way can be compared with run r of another.  A
 * run is a scenario: one draw of what chance has in it.
 */
#ifndef CS_PROBLEM_PROBLEM_H
#define CS_PROBLEM_PROBLEM_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "model/policy.h"
#include "model/schedule.h"
#include "problem/field.h"
#include "problem/loop.h"

#include <cosched/workload.h>

struct cs_cache;
struct cs_study;

/* The first member of the options of every problem. */
struct cs_study_options {
    const char *input;         /* a path; NULL: what the recipe generates */
    const char *const *inputs; /* all operands, ends with NULL; NULL in experiments */
    int64_t seed;
    int64_t threads; /* 0: all that there are */
    int format;      /* table, json, csv */
    const char *per_scenario, *schedule, *gantt, *table, *sbatch, *output; /* files */
    int64_t scenario; /* the one that is kept, from 0 */
    const char *unit; /* what a processor is called */
    const char *title;
    bool dark;
    const char *command; /* what was typed, for files that tell it; or NULL */
};

/* ---- what each run has ---- */

enum cs_value_kind {
    CS_VALUE_NUMBER = 1,
    CS_VALUE_SECONDS,
    CS_VALUE_SHARE, /* a fraction, which people read in percent */
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

/* "mean", "confidence95", ...: the word in keys. */
const char *cs_figure_name(enum cs_figure figure);

/* Where a value is shown. */
enum cs_value_in {
    CS_IN_SUMMARY = 1 << 0,     /* figures over the runs of a way */
    CS_IN_ROWS = 1 << 1,        /* a column of --per-scenario */
    CS_IN_EXPERIMENTS = 1 << 2, /* a metric: its mean over the runs of a cell */
    CS_IN_ALL = CS_IN_SUMMARY | CS_IN_ROWS | CS_IN_EXPERIMENTS,
};

struct cs_value {
    const char *name;    /* the key everywhere */
    const char *heading; /* for people, with the unit, in the detail of one way */
    const char *summary; /* what it is, with its unit as in files */
    enum cs_value_kind kind;
    unsigned in;
    const char *column;  /* its heading where ways are compared; NULL: it is not shown there */
    const char *unit;    /* there, below the heading, such as "ms"; or NULL */
    int digits;          /* there, after the point; of times: significant ones, in seconds, or 0: as
                          * people say them, 5 min 12 s */
    bool interval;       /* there, with its confidence interval */
    unsigned extra;      /* there, a set of 1 << enum cs_figure: more columns */
    double per;          /* for people, over so much; 0: 1 */
    unsigned figures;    /* experiments: a set of 1 << enum cs_figure, metrics NAME_FIGURE too */
    const char *old;     /* its name in cosched 0.1, which stores keep; or NULL */
    double old_unit;     /* stores of cosched 0.1 have it over so much; 0: 1 */
    bool later;          /* stores of cosched 0.2.0 do not have it */
    bool former;         /* stores of cosched 0.2 have it, of runs that are another problem's by
                          * now (cs_problem.former); no run has it, and nothing else shows it */
    bool always;         /* shown even when no run has it: it is missing because all have failed */
    bool measured;       /* a time on this machine: differs from run to run */
    const char *warning; /* experiments: what to tell when it is not 0, after "in 3 of 90 runs " */
    double (*of)(const struct cs_study *study, const void *outcome); /* NaN: it has none */
    /* Or what all runs of a way have together, such as the ratio of two means: one number. */
    double (*whole)(const struct cs_study *study, int variant);
};

/* ---- how it is run ---- */

/* Policies of which one is chosen, or several are compared. */
struct cs_problem_choice {
    const char *option;  /* the field that chooses: "policy" */
    const char *heading; /* what is chosen */
    const struct cs_policy *const *(*policies)(int *count);
};

/* An order of tasks that policies can be given. */
struct cs_problem_priority {
    const char *name, *summary, *source;
};

#define CS_PROBLEM_CHOICES 4
#define CS_VARIANT_WORDS 3

/* One way of running, in words: one for each key of the problem's `way`. */
struct cs_variant {
    const char *word[CS_VARIANT_WORDS];
};

/* Runs that belong together, such as those of one day of a log. */
struct cs_study_group {
    const char *name; /* "" when there is but one */
    long size;        /* how much is in it, such as jobs */
};

struct cs_study {
    const struct cs_problem *problem;
    const struct cs_study_options *options; /* which live as long */
    struct cs_arena *arena;
    int variants;
    const struct cs_variant *variant;
    int reference; /* the way that others are compared with, run by run; -1: none */
    long runs;     /* of each way */
    int groups;    /* the runs come in so many groups, of the same number each; 0: one */
    const struct cs_study_group *group; /* or NULL */
    double scale; /* about how long a run takes, seconds: people read hours, or days */
    bool certain; /* chance has no part in it: each way has one run, whose values are told as they
                   * are, and `plan` makes it too */
    const char *const *remark; /* of each way, once it has run, beside the others; NULL: "best" of
                                * the least */
    void *outcome;             /* ways * runs * problem->outcome bytes, once it has run */
};

/* One run, kept. */
struct cs_kept {
    struct cs_schedule *schedule;
    const struct cs_workload *workload; /* for the schedule file; or NULL */
};

struct cs_study_context {
    unsigned verb;          /* one of enum cs_field_verb */
    struct cs_cache *cache; /* what studies share, such as a log that was read; or NULL */
    void (*warn)(const char *text, void *who); /* results should be taken with care; or NULL */
    void *who;
};

struct cs_problem {
    const char *name, *summary, *source;
    const struct cs_field *field;                        /* of all verbs, in the order of help */
    const struct cs_value *value;                        /* end with a NULL name */
    struct cs_problem_choice choice[CS_PROBLEM_CHOICES]; /* the first ones have an option */
    struct cs_problem_priority (*priorities)(int index); /* past the last: no name; or NULL */
    const char *variant[CS_VARIANT_WORDS + 1];           /* the keys of what tells ways apart */
    const char *group, *size; /* the keys of a group's name and size; or NULL */
    size_t options, outcome;  /* bytes */

    /* In cosched 0.2 this was a part of the problem `former`, with the parameter `former_key`: that
     * spelling is accepted for one release, and stores have those cells in its table.  Or NULL. */
    const char *former, *former_key;

    /* Do the options go together?  Nothing is read.  -1 with err.  NULL: they always do. */
    int (*check)(const void *options, struct cs_error *err);

    /* Are the libraries that this policy loads on this machine?  -1 with err.  NULL: none is
     * loaded. */
    int (*ready)(const struct cs_policy *policy, struct cs_error *err);

    /* Read or generate the instance, find the ways, prepare the scenarios.  The study has an arena
     * of its own; `options` outlive it.  NULL with err. */
    struct cs_study *(*open)(const void *options, const struct cs_study_context *context,
                             struct cs_error *err);
    void (*close)(struct cs_study *study); /* all that the arena does not own; or NULL */

    /* Fill the outcomes of all ways. */
    int (*run)(struct cs_study *study, const struct cs_study_progress *progress,
               struct cs_error *err);

    /* The digest of what policies are given (identity.h). */
    void (*identify)(const struct cs_study *study, char text[CS_DIGEST_TEXT]);

    /* A run once more, kept this time.  NULL with err. */
    struct cs_kept *(*record)(const struct cs_study *study, int variant, long run,
                              struct cs_error *err);
    void (*put)(const struct cs_study *study, const struct cs_kept *record,
                struct cs_jsonw *w); /* the keys of the problem in a schedule file */
    void (*discard)(struct cs_kept *record);

    /* Put what the study was given (tasks, machine, what befell its run options->scenario) in the
     * place of what a schedule file declares of it, for a judge: the file belongs to the caller and
     * stays as it is in everything else; what is put there lives as long as the study.  -1 with
     * err: the schedule is of other tasks, or of another machine. */
    int (*supplied)(const struct cs_study *study, struct cs_schedule_file *file,
                    struct cs_error *err);

    /* Append the table of the jobs of a run.  -1 with err.  NULL: there is none. */
    int (*table)(const struct cs_study *study, const struct cs_kept *record, struct cs_strbuf *out,
                 struct cs_error *err);

    /* Write what the recipe says to options->output.  NULL: nothing is generated. */
    int (*generate)(const void *options, struct cs_error *err);
};

/* The problems, *count of them, in the order of problems.def. */
const struct cs_problem *const *cs_problems(int *count);

/* By name; NULL with err, which lists them. */
const struct cs_problem *cs_problem_find(const char *name, struct cs_error *err);

/* The problem that a problem of cosched 0.2 is by now when it has this parameter. */
const struct cs_problem *cs_problem_renamed(const struct cs_problem *problem, const char *key);

/* Append the warning for users of the former spelling. */
void cs_problem_put_renamed(const struct cs_problem *now, struct cs_strbuf *out);

/* Fresh options, as when nothing is said, in the arena. */
void *cs_problem_options(const struct cs_problem *problem, struct cs_arena *arena);

/* ---- studies ---- */

/* Check and open. */
struct cs_study *cs_study_open(const struct cs_problem *problem, const void *options,
                               const struct cs_study_context *context, struct cs_error *err);

/* A study with an arena in `size` bytes that begin with a struct cs_study, for cs_problem.open. */
void *cs_study_create(const struct cs_problem *problem, const void *options, size_t size);

int cs_study_run(struct cs_study *study, const struct cs_study_progress *progress,
                 struct cs_error *err);
void cs_study_close(struct cs_study *study); /* NULL is fine */

/* How many threads its options ask for: at least one. */
int cs_study_threads(const struct cs_study *study);

const void *cs_study_outcome(const struct cs_study *study, int variant, long run);

/* A value of every run of a way that has it; returns how many have. */
long cs_study_values(const struct cs_study *study, int variant, const struct cs_value *value,
                     double *out);

/* The same of the runs of one group; -1: of all. */
long cs_study_group_values(const struct cs_study *study, int variant, int group,
                           const struct cs_value *value, double *out);

/* Has any run of any way this value, or is it shown always? */
bool cs_study_has(const struct cs_study *study, const struct cs_value *value);

/* The value that ways are compared by: the first. */
const struct cs_value *cs_study_main(const struct cs_study *study);

/* The runs in a group. */
long cs_study_group_runs(const struct cs_study *study);

/* For cs_problem.given: are these the tasks (names NULL: any) and the processors of the schedule?
 */
int cs_study_supplied_tasks(const struct cs_schedule_file *file, int procs, int tasks,
                            const char *const *name, struct cs_error *err);

/* Tell, with the file that it is about. */
/* Each line of the text. */
void cs_study_warn_lines(const struct cs_study_context *context, const char *text);
void cs_study_warn(const struct cs_study_context *context, const char *format, ...) CS_PRINTF(2, 3);

/* Append the names of policies and of their presets, and "all", with blanks between. */
void cs_study_policy_words(const struct cs_problem_choice *choice, struct cs_strbuf *out);

/* The policies that a text names, with commas or blanks between them, or all; NULL: the one with
 * the index `fallback`.  Names may be in upper or lower case.  Returns how many, in *call with
 * their words in *word (in the arena); -1 with err, which begins with the name of the field. */
int cs_study_policies(const struct cs_problem_choice *choice, const char *text, int fallback,
                      struct cs_arena *arena, struct cs_policy_call **call,
                      const char *const **word, struct cs_error *err);

#endif
