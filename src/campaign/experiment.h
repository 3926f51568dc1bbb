/* experiment.h - runs of one problem and their evaluation, declared in a file.
 *
 * The file (docs/schema/experiment.schema.json, docs/formats.md, docs/papers.md) defines the fixed
 * and varied parameters, the number of runs of each combination, and the shown metrics:
 *
 *   { "problem": "rigid", "seed": 1, "replicates": 20,
 *     "set":  { "jobs": 100 },
 *     "vary": { "way":   [ { "policy": "greedy", "label": "GREEDY" }, { "policy": "easy" } ],
 *               "procs": { "from": 1000, "to": 8000, "times": 2 } } }
 *
 * A member of "vary" is an axis: a parameter with a list of values or a range (experiment_axes.c),
 * or any word with a list of objects, each of which sets several parameters. All combinations are
 * run. "vary" may be a list of such grids: their union; a combination that two of them make is run
 * once.
 *
 * A figure or table of a paper names its axes instead: "panels" (inputs), "series" (policies) and
 * "x" (a parameter, whose values may differ by panel). It is a grid for each panel; the parameters
 * of document, panel, series and x override each other in this order.
 *
 * Replicate r has the same seed in every combination (grid.h): policies meet the same random inputs
 * and failures, and are compared replicate by replicate.
 *
 * "metrics" lists the shown metrics, "claims" statements of the paper with checks of the results,
 * "needs" parameters that the user must set. "base" names a file in the same directory that this
 * one patches, "quick" patches the document for a quick run, both by JSON merge patch (RFC 7386).
 *
 * Parameters that are files are relative to the directory of the experiment.
 */
#ifndef CS_CAMPAIGN_EXPERIMENT_H
#define CS_CAMPAIGN_EXPERIMENT_H

#include "base/arena.h"
#include "base/guard.h"
#include "base/strbuf.h"
#include "campaign/grid.h"

#define CS_EXPERIMENT_CELLS 10000000 /* at most so many runs */
#define CS_EXPERIMENT_SEEDS 1000

/* A value on an axis. */
struct cs_experiment_value {
    const char *name;  /* in --where, tables and claims: "easy", "0.1"; none is there twice */
    const char *label; /* for people, mostly the name */
    json_t *set;       /* the parameters that it sets, usually the axis itself; NULL: none */
    double number;     /* NaN when it is no number */
    int replicates;    /* of its combinations; 0: as many as all */
    bool hidden;       /* not drawn in figures, only in tables */
    bool judged;       /* a series of a table, by which claims judge although it is hidden */
    bool dashed;       /* drawn with dashes, the others without */
    int grid;          /* private: the last grid in which it is, from 1 */
};

struct cs_experiment_axis {
    const char *name;      /* a parameter, or a word such as "way" */
    const char *parameter; /* of an axis of the name "x"; else NULL */
    const char *title;     /* for people */
    bool numbers;          /* all its values are numbers */
    bool plain;            /* labels speak for themselves */
    int count;
    struct cs_experiment_value *value; /* of all grids, in the order in which they appear */
    json_t *by_set, *by_name;          /* private: their indices */
};

/* The statistic of a table over the runs of a series in a panel. */
enum cs_statistic {
    CS_STATISTIC_MEAN,      /* over the values on the axis of the means of replicates */
    CS_STATISTIC_GEOMETRIC, /* mean of all runs */
    CS_STATISTIC_DEVIATION, /* of all runs */
};

struct cs_experiment_metric {
    int index; /* among those of the problem */
    const char *title;
    int over; /* value on the axis of the series by which it is divided; -1: none */
    enum cs_statistic statistic;
    bool log;
    bool clip;               /* points outside from .. to are marked on the border */
    bool own_range;          /* panels in a row do not share a range */
    double from, to;         /* of the axis; NaN: as the values want */
    double unit;             /* what figures and tables show is so many times less */
    int digits;              /* significant, in tables */
    const double *reference; /* what the paper prints, series * panels, NaN for nothing; or NULL */
};

enum cs_reduce {
    CS_REDUCE_MEAN,
    CS_REDUCE_MIN,
    CS_REDUCE_MAX,
    CS_REDUCE_SPREAD, /* the largest over the smallest */
    CS_REDUCE_SHARE
};
enum cs_replicates { CS_REPLICATES_MEAN, CS_REPLICATES_EACH };
/* BETTER and SAME compare two series, replicate by replicate, by signed ranks. */
enum cs_relation { CS_BELOW, CS_AT_MOST, CS_ABOVE, CS_AT_LEAST, CS_BETWEEN, CS_BETTER, CS_SAME };

/* Is a metric of a replicate in this relation?  Of the same series, or of another one in the same
 * place. */
struct cs_where {
    int metric, series; /* -1: the same, -2: one that is not in the quick run */
    enum cs_relation relation;
    double low, high;
};

/* A number computed from the values of some cells: take a metric of every chosen combination,
 * divide it by that of the series `over` in the same place, take the mean of the replicates (or
 * keep each), and reduce what is left to one number. */
struct cs_select {
    int metric;
    const struct cs_where *where;   /* only replicates of which this is true; NULL: all */
    const bool *panel, *series, *x; /* chosen values on these axes; NULL: all */
    int over;                       /* value on the axis of the series; -1: none, -2: one that is
                                       not in the quick run */
    enum cs_replicates replicates;
    enum cs_reduce reduce;
    enum cs_relation relation; /* SHARE: of values in this relation to low (and high) */
    double low, high;
};

struct cs_check {
    const char *label; /* or NULL */
    bool extra;        /* shown; the verdict of the claim does not go by it */
    struct cs_select value;
    enum cs_relation relation;
    const struct cs_select *other; /* than this number; NULL: than low (and high) */
    double factor, plus;           /* `other` times this, and this added */
    double low, high;
};

struct cs_claim {
    const char *text;      /* a statement of the paper */
    const char *reading;   /* how it is checked, in words; or NULL */
    const char *remark;    /* what we know of it, such as why our numbers differ; or NULL */
    const char *unchecked; /* why it is not checked, or NULL */
    const char *answer;    /* of a question: its verdict when all checks agree; else NULL */
    bool stand_in;         /* its input is invented: judged, but not counted */
    int count;
    const struct cs_check *check;
};

/* A column of the tables of checks: the same expressions of other metrics, shown and not judged. */
struct cs_second_column {
    const char *title;
    const int *metric; /* by metric of the problem: the other one; -1: none */
    /* Without the column: a parameter that has this value; the words then begin the outputs. */
    const char *parameter, *value, *words; /* or NULL */
};

/* A parameter that the user must set, such as a log that cannot be distributed. */
struct cs_experiment_need {
    const char *parameter;
    const char *what; /* such as "a job log" */
};

/* The cells of a combination are adjacent, with replicates ascending from 0. */
struct cs_combination {
    int first, count;
    const int *at; /* its value on each axis; -1: the axis is not in its grid */
};

struct cs_experiment {
    struct cs_guarded guarded; /* first: what is JSON is not the arena's */
    const char *name;          /* the stem of the file, or of a paper such as "pack/fig2" */
    const char *file;
    const char *folder; /* where the files are that parameters of cells name: "" is here */
    const char *title;  /* the name, when the file has none */
    const char *subtitle, *place, *citation; /* or NULL; place: such as "Figure 2" */
    const struct cs_problem *problem;
    uint64_t seed, declared; /* seed of the cells, and seed of the file */
    int seeds;               /* pooled: replicate r of seed + i is replicate r * seeds + i */
    int replicates;
    bool paper;  /* declared by panels, series and x */
    bool table;  /* drawn as a table; */
    bool forest; /* with a row for each series */
    bool serial; /* times are measured: one cell after the other */
    bool means;  /* a metric over another is the ratio of the means, not the mean of the ratios */
    bool quick;
    bool log;         /* the x axis of a paper */
    int columns;      /* of plots; 0: one for each panel */
    json_t *set;      /* or NULL */
    json_t *supplied; /* the parameters of cs_experiment_give */

    int axes;
    struct cs_experiment_axis *axis; /* of all grids, in the order in which they appear */
    int x, series, panel;            /* axes of the figure; -1: none */

    int varied;
    const char **parameter; /* keys of those that differ, in the order of their columns */

    int metrics, exports;
    bool renamed;     /* the file is of a former release, in which `problem` was part of another */
    json_t *warnings; /* keys: texts about names of former releases in the file and in options */
    struct cs_experiment_metric *metric; /* to show */
    int *export;                         /* for tables of all cells: indices among the problem's */

    int claims, notes, needs;
    const struct cs_claim *claim;
    const struct cs_second_column *second; /* or NULL */
    const char *const *note;
    const struct cs_experiment_need *need;

    int combinations, count;
    struct cs_combination *combination;
    struct cs_cell *cell;

    json_t *document; /* owns texts */
    json_t *source;   /* the whole: over its base, without what "quick" lays over it */
    json_t *owned;    /* what else they point to */
    struct cs_arena *arena;
};

/* Options for reading; unset members are taken from the file. */
struct cs_experiment_how {
    const char *name; /* NULL: the stem of the file */
    bool quick;
    int seeds;                        /* of a paper, pooled; 0: those of the file, usually 1 */
    const struct cs_problem *problem; /* NULL: that of the problem in the file */
};

/* NULL with err ("FILE: path.to.member: what was found, what would be right").  `how` may be NULL.
 */
struct cs_experiment *cs_experiment_read(const char *file, const struct cs_experiment_how *how,
                                         struct cs_error *err);

/* The same from its text: `file` is its name in messages, and the base of relative paths. */
struct cs_experiment *cs_experiment_read_text(const char *text, const char *file,
                                              struct cs_error *err);

/* From an existing document without a base, of which a reference is kept. `file` is its name in
 * messages; its directory is the base of relative paths. */
struct cs_experiment *cs_experiment_create(json_t *document, const char *file,
                                           const struct cs_experiment_how *how,
                                           struct cs_error *err);

void cs_experiment_destroy(struct cs_experiment *experiment); /* NULL is fine */

/* Derive the seeds of all cells from another seed than that of the file. */
void cs_experiment_set_seed(struct cs_experiment *experiment, uint64_t seed);

/* --- some of its cells --- */

/* Clear keep[c] of the cells that do not meet all conditions "NAME=VALUE": NAME is an axis and
 * VALUE the name of a value on it, or NAME is a parameter that varies, or "replicate" (from 0).
 * Several conditions on one name are alternatives.  -1 with err when a name or a value is nowhere.
 */
int cs_experiment_where(const struct cs_experiment *experiment, const char *const *condition,
                        int conditions, bool *keep, struct cs_error *err);

/* --- parameters that are given from outside --- */

/* Check whether the parameter can be set: not if an axis sets it, nor a file that is not needed. -1
 * with err. */
int cs_experiment_takes(const struct cs_experiment *experiment, const char *parameter,
                        struct cs_error *err);

/* Set a parameter, as text, for every cell; it overrides the file, and paths are used as given. -1
 * with err if it cannot be set or the value is invalid. */
int cs_experiment_give(struct cs_experiment *experiment, const char *parameter, const char *text,
                       struct cs_error *err);

/* The same of parameters that were given before, unchecked.  A name and its old one are one. */
void cs_experiment_give_all(struct cs_experiment *experiment, json_t *supplied);

/* Warn once of each name of a former release, of parameters, choices and metrics. */
void cs_experiment_old_names(const struct cs_experiment *experiment,
                             void (*report)(const char *text, void *who), void *who);

/* The number that tables give to a replicate: those of a seed follow each other. */
int cs_experiment_replicate(const struct cs_experiment *experiment, int combination, int replicate);

/* Of the combination that has most. */
int cs_experiment_most_replicates(const struct cs_experiment *experiment);

/* Is the second column shown? */
bool cs_experiment_has_second(const struct cs_experiment *experiment);

/* The subtitle with numbers of this run in place of {runs}, {replicates}, {seed} and parameters,
 * and the share of the replicates that a quick run has; empty without both. */
void cs_experiment_put_subtitle(const struct cs_experiment *experiment, struct cs_strbuf *out);

/* "quick look: 4 of 25 replicates" for a quick run; nothing else. */
void cs_experiment_put_quick(const struct cs_experiment *experiment, struct cs_strbuf *out);

/* The first need without a value; NULL: the experiment can be run. */
const struct cs_experiment_need *cs_experiment_missing(const struct cs_experiment *experiment);

/* May all its cells be run (cs_cell_consent)?  Reading and showing what has run needs no consent.
 * -1 with err. */
int cs_experiment_consent(const struct cs_experiment *experiment, struct cs_error *err);

/* Append what to type to run the paper again, "cosched paper run NAME ...", but for the folder that
 * it is in. */
void cs_experiment_put_command(const struct cs_experiment *experiment, struct cs_strbuf *out);

/* The folder, or for NULL that of the papers which are installed with this library. */
const char *cs_experiment_folder(const char *folder);

/* The names of all experiments below the folder, sorted by bytes; those whose file begins with "_"
 * are parts of others.  The names belong to the arena.  -1 with err when the folder is not there.
 */
int cs_experiment_list(const char *folder, struct cs_arena *arena, const char *const **names,
                       int *count, struct cs_error *err);

/* --- as a store keeps it --- */

struct cs_document;

/* `text` is filled with what the document points to: JSON that gives the same cells again, and what
 * was given.  It and the experiment must live as long. */
struct cs_document cs_experiment_document(const struct cs_experiment *experiment,
                                          struct cs_strbuf text[2]);

/* Keep it in the store; *id is that of the document. */
struct cs_store;
int cs_experiment_keep(const struct cs_experiment *experiment, struct cs_store *store, int64_t *id,
                       struct cs_error *err);

/* -1 with err when the store holds other campaigns, and neither this one, nor for a sweep one of
 * its name, nor for a paper another one. */
int cs_experiment_refuse_foreign(const struct cs_experiment *experiment, struct cs_store *store,
                                 struct cs_error *err);

/* Report each cell that the store has, in any order; without `values` those of the metrics are left
 * out. -1 with err. */
struct cs_record;
int cs_experiment_inspect(const struct cs_experiment *experiment, struct cs_store *store,
                          bool values,
                          void (*see)(void *who, int cell, const struct cs_record *record),
                          void *who, struct cs_error *err);

/* known[c]: the store has cell c. */
int cs_experiment_known(const struct cs_experiment *experiment, struct cs_store *store, bool *known,
                        struct cs_error *err);

/* The experiment of a document; only the document is read. NULL with err. */
struct cs_experiment *cs_experiment_compile(const struct cs_document *document,
                                            struct cs_error *err);

#endif
