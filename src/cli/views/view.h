/* view.h - what only one problem can show: how its studies are announced, planned and drawn.
 *
 * Everything else that `plan`, `simulate` and `generate` do is done for all problems alike, from
 * the description of the problem (study/problem.h): cli/verbs.c, show.c, files.c.
 */
#ifndef CS_CLI_VIEW_H
#define CS_CLI_VIEW_H

#include "base/strbuf.h"
#include "study/problem.h"

struct cs_view {
    const struct cs_problem *problem;

    /* Append the lines above the table, and the members of the JSON before the results. */
    void (*head)(const struct cs_study *study, struct cs_strbuf *out);
    void (*json)(const struct cs_study *study, struct cs_jsonw *w);

    /* Append what a way of a certain study has in JSON beside its values; or NULL. */
    void (*more)(const struct cs_study *study, int way, struct cs_jsonw *w);

    /* Append the name of the only way there is, a line. */
    void (*way)(const struct cs_study *study, struct cs_strbuf *out);

    /* Append one run as SVG.  -1 with err. */
    int (*draw)(const struct cs_study *study, const struct cs_kept *record, struct cs_strbuf *svg,
                struct cs_error *err);

    /* `plan`, where a plan is more than its values: all that is printed, as options->format says
     * (JSON is as with several when there is `more`).
     * Only the plans of certain studies have been made then; several are shown side by side
     * instead.  NULL: as `simulate`. */
    void (*plan)(const struct cs_study *study, struct cs_strbuf *out);

    /* Append lines below the table for people in which ways are compared; or NULL. */
    void (*foot)(const struct cs_study *study, struct cs_strbuf *out);

    /* How a way is called in messages: "for one policy on end and one on failure". */
    const char *one;
};

/* How pictures are titled by default: "apps.csv". */
const char *cs_view_title(const struct cs_study *study);

#endif
