/* paper.h - a figure or a table of a paper, declared in a file.
 *
 * The file (docs/schema/paper.schema.json, docs/papers.md) says what to run: panels (inputs), an
 * axis of values, series (policies), replicates; what to draw: metrics; and what the paper
 * claims, each sentence with a check of our numbers.  A figure draws one plot for each panel
 * and metric; a table has one row for each series and one column for each panel.
 *
 * The parameters of a cell are "set" of the document, of the panel and of the series, laid one
 * over the other, and the value on the x axis.
 *
 * "needs" names parameters that the user has to give, each with a word on what it is.
 *
 * "base" names a file beside this one that this one is laid over, "quick" is laid over the
 * document for a quick run, both by JSON merge patch (RFC 7386).
 */
#ifndef CS_CAMPAIGN_PAPER_H
#define CS_CAMPAIGN_PAPER_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "campaign/runner.h"

#define CS_PAPER_CELLS 10000000 /* at most so many runs */

/* A parameter that the paper leaves to whoever runs it, such as a log that cannot come along. */
struct cs_paper_need {
    const char *parameter;
    const char *what; /* such as "a job log" */
};

struct cs_paper_x {
    json_t *value;
    const char *label;
    double number; /* NaN when it is a word */
};

struct cs_paper_panel {
    const char *name, *title;
    json_t *set; /* or NULL */
    int count;
    const struct cs_paper_x *x;
};

struct cs_paper_series {
    const char *name, *label;
    json_t *set; /* or NULL */
    int replicates;
    bool draw;      /* in figures too, not only in tables */
    const bool *in; /* one for each panel: is it run there */
};

/* What a table shows of the runs of a series in a panel. */
enum cs_statistic {
    CS_STATISTIC_MEAN,      /* over the values on the axis of the means of replicates */
    CS_STATISTIC_GEOMETRIC, /* mean of all runs */
    CS_STATISTIC_DEVIATION, /* of all runs */
};

struct cs_paper_metric {
    int index; /* among those of the runner */
    const char *title;
    int over; /* series by which it is divided, replicate by replicate; -1: none */
    enum cs_statistic statistic;
    bool log;
    double from, to;         /* of the axis; NaN: as the values want */
    int digits;              /* significant, in tables */
    const double *reference; /* what the paper prints, series * panels, NaN for nothing; or NULL */
};

enum cs_reduce { CS_REDUCE_MEAN, CS_REDUCE_MIN, CS_REDUCE_MAX, CS_REDUCE_SHARE };
enum cs_replicates { CS_REPLICATES_MEAN, CS_REPLICATES_EACH };
enum cs_relation { CS_BELOW, CS_AT_MOST, CS_ABOVE, CS_AT_LEAST, CS_BETWEEN };

/* A number computed from the values of some cells: take a metric of every chosen cell, divide
 * it by that of the series `over` in the same place, take the mean of the replicates (or keep
 * each), and reduce what is left to one number. */
struct cs_select {
    int metric;
    const bool *panel;  /* one for each panel */
    const bool *series; /* one for each series */
    int over;           /* -1: none */
    json_t *x;          /* the list of chosen values; NULL: all from .. to */
    double from, to;    /* words are always inside */
    enum cs_replicates replicates;
    enum cs_reduce reduce;
    enum cs_relation relation; /* SHARE: of values in this relation to low (and high) */
    double low, high;
};

struct cs_check {
    const char *label; /* or NULL */
    struct cs_select value;
    enum cs_relation relation;
    const struct cs_select *other; /* than this number; NULL: than low (and high) */
    double factor;                 /* by which `other` is multiplied */
    double low, high;
};

struct cs_claim {
    const char *text;      /* a sentence of the paper */
    const char *reading;   /* how it is checked, in words; or NULL */
    const char *remark;    /* what we know of it, such as why our numbers differ; or NULL */
    const char *unchecked; /* why it is not checked, or NULL */
    int count;
    const struct cs_check *check;
};

struct cs_paper {
    const char *name; /* such as "pack/fig2" */
    const char *file;
    const char *title, *subtitle, *place, *citation; /* subtitle: or NULL */
    const struct cs_runner *runner;
    uint64_t seed;
    bool table;  /* drawn as a table */
    bool serial; /* times are measured: one cell after the other */
    bool means;  /* a metric over another is the ratio of the means, not the mean of the ratios */
    bool quick;
    json_t *set;   /* or NULL */
    json_t *given; /* what cs_paper_give was told */
    const char *x_parameter, *x_title;
    bool x_log;
    int columns; /* of plots; 0: one for each panel */
    int npanels, nseries, nmetrics, nclaims, nnotes, nneeds;
    const struct cs_paper_panel *panel;
    const struct cs_paper_series *series;
    const struct cs_paper_metric *metric;
    const struct cs_claim *claim;
    const char *const *note;
    const struct cs_paper_need *need;
    json_t *document; /* owns the texts */
    json_t *source;   /* the whole: over its base, without what "quick" lays over it */
    struct cs_arena *arena;
};

/* Read FOLDER/NAME.json and check it; NULL with err ("FILE: path: ...").  `runner` is NULL: that
 * of the problem in the file. */
struct cs_paper *cs_paper_read(const char *folder, const char *name, bool quick,
                               const struct cs_runner *runner, struct cs_error *err);

/* The same of a document that is there already and not laid over another; nothing of it is kept
 * but a reference.  `file` is what messages call it. */
struct cs_paper *cs_paper_create(json_t *document, const char *name, const char *file, bool quick,
                                 const struct cs_runner *runner, struct cs_error *err);

void cs_paper_destroy(struct cs_paper *paper); /* NULL is fine */

/* May the parameter be given from outside?  Not when panels, series or the axis set it, nor a file
 * that the paper does not need.  -1 with err, which says why. */
int cs_paper_takes(const struct cs_paper *paper, const char *parameter, struct cs_error *err);

/* Give a parameter, as text, to every cell; it counts more than what the paper says.  -1 with err
 * when the paper does not take it or the value is none. */
int cs_paper_give(struct cs_paper *paper, const char *parameter, const char *text,
                  struct cs_error *err);

/* The first need that nothing was given for; NULL: the paper can be run. */
const struct cs_paper_need *cs_paper_missing(const struct cs_paper *paper);

/* Append what to type to run the paper with this seed again, "cosched paper run NAME ...", but for
 * the folder that it is in. */
void cs_paper_put_command(const struct cs_paper *paper, uint64_t seed, struct cs_strbuf *out);

/* A new reference: the parameters of a cell. */
json_t *cs_paper_parameters(const struct cs_paper *paper, int panel, int series, int x);

/* The names of all papers below the folder, sorted by bytes; those whose file begins with "_" are
 * parts of others.  The names belong to the arena.  -1 with err when the folder is not there. */
int cs_paper_list(const char *folder, struct cs_arena *arena, const char *const **names, int *count,
                  struct cs_error *err);

#endif
