/* view.h - what only one problem can show: how its studies are announced, planned and drawn.
 *
 * Everything else that a study came to is shown for all problems alike, from the description of the
 * problem (study/problem.h): face/show.c, face/show_rows.c.
 */
#ifndef CS_API_VIEW_H
#define CS_API_VIEW_H

#include "problem/problem.h"
#include "report/gantt.h"
#include "report/schedule_picture.h"
#include "report/table.h"

/* For people, or for programs. */
enum cs_show_format { CS_SHOW_TABLE, CS_SHOW_JSON, CS_SHOW_CSV };

struct cs_show {
    enum cs_show_format format;
    int columns; /* tables for people fit so many; 0: they are as wide as they get */
};

/* A run that is drawn, and how. */
struct cs_view_run {
    const struct cs_kept *record;
    int variant;
    long run;
    struct cs_picture_style appearance; /* title NULL: what the view says */
    const char *subtitle;               /* NULL: what the view says */
    const char *processor;              /* what a processor is called; NULL: as the view says */
};

struct cs_view {
    const struct cs_problem *problem;

    /* Append the lines above the table, and the members of the JSON before the results. */
    void (*head)(const struct cs_study *study, struct cs_strbuf *out);
    void (*json)(const struct cs_study *study, struct cs_jsonw *w);

    /* Append what a way of a certain study has in JSON beside its values; or NULL. */
    void (*more)(const struct cs_study *study, int variant, struct cs_jsonw *w);

    /* Append the name of the only way there is, a line. */
    void (*variant)(const struct cs_study *study, struct cs_strbuf *out);

    /* Append a run as SVG.  -1 with err. */
    int (*draw)(const struct cs_study *study, const struct cs_view_run *run, struct cs_strbuf *svg,
                struct cs_error *err);

    /* `plan`, where a plan is more than its values: all that is told (JSON is as with several when
     * there is `more`).  Only the plans of certain studies have been made then; several are shown
     * side by side instead.  NULL: as `simulate`. */
    void (*plan)(const struct cs_study *study, const struct cs_show *how, struct cs_strbuf *out);
    bool plan_is_schedule; /* as JSON a plan is the schedule file that --output writes */

    /* Append lines below the table for people in which ways are compared; or NULL. */
    void (*foot)(const struct cs_study *study, struct cs_strbuf *out);

    /* Once the study has run: say what makes its results doubtful, a text each; or NULL. */
    void (*warn)(struct cs_study *study, void (*warn)(const char *text, void *who), void *who);
};

const struct cs_view *cs_view_of(const struct cs_problem *problem);

/* Append a table for people. */
void cs_view_put_table(const struct cs_table *table, const struct cs_show *how,
                       struct cs_strbuf *out);

/* Begin a line of a plan's summary: its name, filled up to so many columns. */
void cs_view_put_name(struct cs_strbuf *out, int columns, const char *name);

/* Such a line: "makespan            2,240.2 s (37 min 20 s)". */
void cs_view_put_seconds(struct cs_strbuf *out, int columns, const char *name, double seconds);

/* What the study was made from: "folder/apps.csv", or "generated". */
const char *cs_view_input(const struct cs_study *study);

/* The title of a run: "apps.csv" when nothing was said. */
const char *cs_view_title(const struct cs_study *study, const struct cs_view_run *run);

/* How a run is drawn over processors, with a subtitle of the view. */
struct cs_gantt_options cs_view_gantt(const struct cs_study *study, const struct cs_view_run *run,
                                      const char *subtitle);

/* Append the results of a study that has run, planned or not.  -1 with err. */
int cs_show_study(const struct cs_study *study, bool plan, const struct cs_show *how,
                  struct cs_strbuf *out, struct cs_error *err);

/* Append every run as a row of CSV, with a line of headings (show_rows.c). */
void cs_show_rows(const struct cs_study *study, struct cs_strbuf *out);

#endif
