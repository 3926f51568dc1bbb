/* experiment.h - a grid of runs of one problem, declared in a file.
 *
 * The file (docs/schema/sweep.schema.json, docs/formats.md) says which parameters are set, which
 * vary over which values, and how often each combination is run:
 *
 *   { "problem": "rigid", "seed": 1, "replicates": 20,
 *     "set":  { "jobs": 100 },
 *     "vary": { "way":   [ { "policy": "greedy", "label": "GREEDY" }, { "policy": "easy" } ],
 *               "procs": { "from": 1000, "to": 8000, "times": 2 } } }
 *
 * A member of "vary" is an axis: a parameter with a list of values or a range (range.h), or any
 * word with a list of objects, each of which sets several parameters at once.  All combinations are
 * run.  "vary" may be a list of such grids: their union; a combination that two of them make is run
 * once.
 *
 * Replicate r has the same seed in every combination (grid.h).  Parameters that are files are named
 * from the folder of the sweep on.
 */
#ifndef CS_CAMPAIGN_EXPERIMENT_H
#define CS_CAMPAIGN_EXPERIMENT_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "campaign/grid.h"

#define CS_EXPERIMENT_CELLS 10000000 /* at most so many runs */

/* A value on an axis. */
struct cs_experiment_value {
    const char *label; /* for people and for --where: "easy", "0.1", "EASY"; none is there twice */
    json_t *set;       /* the parameters that it sets, usually the axis itself */
    double number;     /* NaN when it is no number */
    int grid;          /* private: the last grid in which it is, from 1 */
};

struct cs_experiment_axis {
    const char *name; /* a parameter, or a word such as "way" */
    bool numbers;     /* all its values are numbers */
    int count;
    struct cs_experiment_value *value; /* of all grids, in the order in which they appear */
    json_t *by_set, *by_label;         /* private: their indices */
};

struct cs_experiment {
    const char *name; /* the stem of the file */
    const char *file;
    const char *folder; /* of the file, with files of parameters: "" is here */
    const char *title;  /* the name, when the file has none */
    const struct cs_runner *runner;
    uint64_t seed;
    int replicates;

    int axes;
    struct cs_experiment_axis *axis; /* of all grids, in the order in which they appear */
    int x, series, panel;            /* axes of the figure; -1: none */

    int varied;
    const struct cs_parameter **parameter; /* that some axis sets, in the order of appearance */

    int metrics;
    int *metric; /* those to show: indices among the runner's */

    int combinations;
    int *place; /* place[c * axes + a]: the value on axis a; -1: the axis is not in its grid */

    /* Combination c has the cells c * replicates .. (c + 1) * replicates - 1, whose x is c. */
    int count;
    struct cs_cell *cell;

    json_t *document; /* owns texts */
    json_t *owned;    /* what else they point to */
    struct cs_arena *arena;
};

/* NULL with err ("FILE: path.to.member: what was found, what would be right"). */
struct cs_experiment *cs_experiment_read(const char *file, struct cs_error *err);

/* Of a document that is there already, of which a reference is kept.  `file` is what messages call
 * it; its folder is where the files of parameters are. */
struct cs_experiment *cs_experiment_create(json_t *document, const char *file,
                                           struct cs_error *err);

void cs_experiment_destroy(struct cs_experiment *sweep); /* NULL is fine */

/* Append the document as JSON on one line: read again it gives the same cells. */
void cs_experiment_text(const struct cs_experiment *sweep, struct cs_strbuf *out);

/* Clear keep[c] of the cells that do not meet all conditions "NAME=VALUE": NAME is an axis and
 * VALUE a label on it, or NAME is a parameter that varies, or "replicate" (from 0).  Several
 * conditions on one name are alternatives.  -1 with err when a name or a value is nowhere. */
int cs_experiment_where(const struct cs_experiment *sweep, const char *const *condition,
                        int conditions, bool *keep, struct cs_error *err);

#endif
