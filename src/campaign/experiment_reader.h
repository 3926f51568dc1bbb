/* experiment_reader.h - what the parts of the reader of experiments share. */
#ifndef CS_CAMPAIGN_EXPERIMENT_READER_H
#define CS_CAMPAIGN_EXPERIMENT_READER_H

#include "campaign/experiment.h"
#include "campaign/json_member.h"

/* An axis in one grid: which of its values. */
struct cs_experiment_side {
    int axis, count;
    int *value;
};

struct cs_experiment_grid {
    int sides;
    struct cs_experiment_side *side;
    struct cs_json_at at; /* of its object */
};

struct cs_experiment_reader {
    struct cs_experiment *experiment;
    struct cs_json_at root, vary, panels;
    int grids;
    struct cs_experiment_grid *grid;
    struct cs_error *err;
};

/* --- places of the document --- */

/* A parameter with a value at a place: is it known, and is the value one? */
int cs_experiment_check_setting(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                                const char *name);

/* "set" of an object: parameters with values; *set is NULL if missing. */
int cs_experiment_read_set(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                           json_t **set);

/* The metric of this name at a place; -1 with err. */
int cs_experiment_find_metric(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                              const char *name);

/* The value of this name on an axis of the figure, with `kind` "panels" or "series"; -1 when only
 * the quick run lacks it, -2 with err if unknown. */
int cs_experiment_find_value(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                             const char *kind);

/* --- axes --- */

/* The axis of this name, made when it is new. */
int cs_experiment_find_axis(struct cs_experiment *experiment, const char *name);

/* A value that is new on the axis; its index. `key` identifies values; ownership of value.set is
 * taken. -1 with err for a duplicate name. */
int cs_experiment_add_value(struct cs_experiment_reader *reader, int axis,
                            const struct cs_json_at *at, const char *key,
                            struct cs_experiment_value value);

/* --- parts of the document, in their order --- */

/* "vary", or "panels", "series" and "x": the axes, their values, the grids. */
int cs_experiment_read_axes(struct cs_experiment_reader *reader);
int cs_experiment_read_panels(struct cs_experiment_reader *reader);

/* "figure": which axis goes where, or what suits. */
int cs_experiment_read_figure(struct cs_experiment_reader *reader);

/* "metrics", a list of names or an object with chart options. */
int cs_experiment_read_metrics(struct cs_experiment_reader *reader);

/* The combinations of the grids, and their cells. */
int cs_experiment_make_cells(struct cs_experiment_reader *reader);

/* "claims", once everything else has been read. */
int cs_experiment_read_claims(struct cs_experiment_reader *reader);

/* Are the words in braces of the subtitle known? -1 with err. */
int cs_experiment_check_subtitle(struct cs_experiment_reader *reader);

/* --- ranges --- */

#define CS_RANGE_VALUES 10000000

/* The values as an array of numbers, a new reference; NULL with err ("FILE: path: ...").  With
 * `whole` they are whole numbers: those of a count are rounded, and each is there once. */
json_t *cs_range_read(const struct cs_json_at *at, bool whole, struct cs_error *err);

#endif
