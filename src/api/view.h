/* view.h - the output that is specific to a problem: heads, plans and charts of its studies.
 *
 * All other results have the same form for every problem, from the description of the problem
 * (problem/problem.h): api/show.c.
 */
#ifndef CS_API_VIEW_H
#define CS_API_VIEW_H

#include "problem/problem.h"
#include "report/gantt.h"
#include "report/schedule_chart.h"
#include "report/table.h"

/* For people, or for programs. */
enum cs_show_format { CS_SHOW_TABLE, CS_SHOW_JSON, CS_SHOW_CSV };

struct cs_show {
    enum cs_show_format format;
    int columns; /* width of tables for people (characters); 0: unlimited */
};

/* A run to draw, and its style. */
struct cs_view_run {
    const struct cs_kept *record;
    int variant;
    long run;
    struct cs_chart_style appearance; /* title NULL: that of the view */
    const char *subtitle;             /* NULL: that of the view */
    const char *processor;            /* name of a processor; NULL: that of the view */
};

struct cs_view {
    const struct cs_problem *problem;

    /* Append the lines above the table, and the members of the JSON before the results. */
    void (*head)(const struct cs_study *study, struct cs_strbuf *out);
    void (*json)(const struct cs_study *study, struct cs_jsonw *w);

    /* Append the JSON members of a variant other than its values, for studies without random
     * inputs; or NULL. */
    void (*more)(const struct cs_study *study, int variant, struct cs_jsonw *w);

    /* Append the name of the only variant, a line. */
    void (*variant)(const struct cs_study *study, struct cs_strbuf *out);

    /* Append a run as SVG.  -1 with err. */
    int (*draw)(const struct cs_study *study, const struct cs_view_run *run, struct cs_strbuf *svg,
                struct cs_error *err);

    /* Append the complete output of `plan`, where one plan is more than its values (with `more`,
     * JSON has the same form as several plans). Only studies without random inputs have made their
     * plans before this call; several of these plans are compared in a table instead. NULL: as
     * `simulate`. */
    void (*plan)(const struct cs_study *study, const struct cs_show *how, struct cs_strbuf *out);
    bool plan_is_schedule; /* the JSON of a plan is the schedule file of --output */
    /* The exception: plans of several sizes. Append the key `advice` after the schedule. Or NULL.
     */
    bool (*sizes)(const struct cs_study *study);
    void (*advice)(const struct cs_study *study, struct cs_jsonw *w);
    /* Append the chart of several sizes as SVG. -1 with err.  Or NULL. */
    int (*curve)(const struct cs_study *study, struct cs_strbuf *svg, struct cs_error *err);

    /* Append lines below the table for people that compares variants; or NULL. */
    void (*foot)(const struct cs_study *study, struct cs_strbuf *out);

    /* Append cosched-replay-1, of which pages are made.  -1 with err.  NULL: it has none. */
    int (*replay)(const struct cs_study *study, struct cs_strbuf *out, struct cs_error *err);

    /* Once the study has run: warn about doubtful results, one text per reason; or NULL. */
    void (*warn)(struct cs_study *study, void (*warn)(const char *text, void *who), void *who);
};

const struct cs_view *cs_view_of(const struct cs_problem *problem);

/* Append a table for people. */
void cs_view_put_table(const struct cs_table *table, const struct cs_show *how,
                       struct cs_strbuf *out);

/* Begin a line of a plan's summary with its name, padded to `columns` characters. */
void cs_view_put_name(struct cs_strbuf *out, int columns, const char *name);

/* Append such a line with the distance of a value from the known optimum, if there is one. */
void cs_view_put_known(struct cs_strbuf *out, int columns, const struct cs_study *study,
                       double value);

/* Append such a line: "makespan            2,240.2 s (37 min 20 s)". */
void cs_view_put_seconds(struct cs_strbuf *out, int columns, const char *name, double seconds);

/* The input of the study: "folder/apps.csv", or "generated". */
const char *cs_view_input(const struct cs_study *study);

/* The title of a run; the default is its input without directories: "apps.csv". */
const char *cs_view_title(const struct cs_study *study, const struct cs_view_run *run);

/* The options of the chart of a run over processors, with a subtitle of the view. */
struct cs_gantt_options cs_view_gantt(const struct cs_study *study, const struct cs_view_run *run,
                                      const char *subtitle);

/* Append the results of a study that has run, planned or not.  -1 with err. */
int cs_show_study(const struct cs_study *study, bool plan, const struct cs_show *how,
                  struct cs_strbuf *out, struct cs_error *err);

/* Append every run as a row of CSV, with a line of headings. */
void cs_show_rows(const struct cs_study *study, struct cs_strbuf *out);

#endif
