/* experiment_reader.h - what the parts of the reader of sweeps share. */
#ifndef CS_CAMPAIGN_EXPERIMENT_READER_H
#define CS_CAMPAIGN_EXPERIMENT_READER_H

#include "base/json.h"
#include "campaign/experiment.h"

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
    struct cs_experiment *sweep;
    json_t *set; /* parameters of every run, or NULL */
    struct cs_json_at root, vary;
    int grids;
    struct cs_experiment_grid *grid;
    struct cs_error *err;
};

/* "vary": the axes, their values, the grids. */
int cs_experiment_read_axes(struct cs_experiment_reader *reader);

/* The combinations of the grids, and their cells. */
int cs_experiment_make_cells(struct cs_experiment_reader *reader);

#endif
