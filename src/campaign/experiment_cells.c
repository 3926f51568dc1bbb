/* experiment_cells.c - the combinations of the grids, the last axis fastest, and their cells. */
#include "campaign/experiment_reader.h"

#include "campaign/field.h"
#include "campaign/parameters.h"

#include <string.h>

/* A grid as it is gone through. */
struct walk {
    struct cs_experiment_reader *reader;
    const struct cs_experiment_grid *grid;
    int *at;      /* one for each side: which of its values */
    json_t *seen; /* parameters of combinations that are there; NULL: there is one grid only */
};

static int count_grid(const struct cs_experiment_reader *reader,
                      const struct cs_experiment_grid *grid, int64_t *total)
{
    int64_t count = 1;

    for (int s = 0; s < grid->sides && count <= CS_EXPERIMENT_CELLS; s++)
        count *= grid->side[s].count;
    *total += count;
    if (count <= CS_EXPERIMENT_CELLS && *total * reader->sweep->replicates <= CS_EXPERIMENT_CELLS)
        return 0;
    return cs_json_error(&grid->at, reader->err, "makes more than %d runs", CS_EXPERIMENT_CELLS);
}

static json_t *make_parameters(const struct walk *walk)
{
    const struct cs_experiment *sweep = walk->reader->sweep;
    json_t *parameters = json_object();

    json_object_update(parameters, walk->reader->set);
    for (int s = 0; s < walk->grid->sides; s++) {
        const struct cs_experiment_side *side = &walk->grid->side[s];

        json_object_update(parameters, sweep->axis[side->axis].value[side->value[walk->at[s]]].set);
    }
    return parameters;
}

/* Has another grid made it already?  Now it has been made. */
static bool is_seen(const struct walk *walk, const json_t *parameters)
{
    struct cs_strbuf key = CS_STRBUF_INIT;
    bool seen;

    if (!walk->seen)
        return false;
    cs_parameters_put(parameters, &key);
    seen = json_object_get(walk->seen, key.text) != NULL;
    if (!seen)
        json_object_set_new(walk->seen, key.text, json_true());
    cs_strbuf_release(&key);
    return seen;
}

static void add_cells(const struct walk *walk, json_t *parameters)
{
    struct cs_experiment *sweep = walk->reader->sweep;
    int combination = sweep->combinations++;
    int *place = sweep->place + (size_t)combination * (size_t)sweep->axes;

    for (int a = 0; a < sweep->axes; a++)
        place[a] = -1;
    for (int s = 0; s < walk->grid->sides; s++)
        place[walk->grid->side[s].axis] = walk->grid->side[s].value[walk->at[s]];
    for (int r = 0; r < sweep->replicates; r++)
        sweep->cell[sweep->count++] = (struct cs_cell){.x = combination,
                                                       .replicate = r,
                                                       .seed = cs_grid_seed(sweep->seed, r),
                                                       .parameters = json_incref(parameters)};
}

static int add_combination(const struct walk *walk)
{
    struct cs_experiment_reader *reader = walk->reader;
    json_t *parameters = make_parameters(walk);
    struct cs_error inner = {{0}};
    int status = 0;

    if (cs_runner_check(reader->sweep->runner, parameters, &inner))
        status = cs_field_error(&walk->grid->at, &inner, reader->err);
    else if (!is_seen(walk, parameters))
        add_cells(walk, parameters);
    json_decref(parameters);
    return status;
}

/* The next combination; false after the last. */
static bool advance(struct walk *walk)
{
    for (int s = walk->grid->sides - 1; s >= 0; s--) {
        if (++walk->at[s] < walk->grid->side[s].count)
            return true;
        walk->at[s] = 0;
    }
    return false;
}

static int add_grid(struct walk *walk)
{
    walk->at = CS_NEW_ARRAY(walk->reader->sweep->arena, int, walk->grid->sides);
    do
        if (add_combination(walk))
            return -1;
    while (advance(walk));
    return 0;
}

int cs_experiment_make_cells(struct cs_experiment_reader *reader)
{
    struct cs_experiment *sweep = reader->sweep;
    struct walk walk = {.reader = reader, .seen = reader->grids > 1 ? json_object() : NULL};
    int64_t total = 0;
    int status = 0;

    for (int g = 0; g < reader->grids && !status; g++)
        status = count_grid(reader, &reader->grid[g], &total);
    if (!status) {
        sweep->place = CS_NEW_ARRAY(sweep->arena, int, (size_t)total *(size_t)sweep->axes);
        sweep->cell =
            CS_NEW_ARRAY(sweep->arena, struct cs_cell, (size_t)total * (size_t)sweep->replicates);
    }
    for (int g = 0; g < reader->grids && !status; g++) {
        walk.grid = &reader->grid[g];
        status = add_grid(&walk);
    }
    json_decref(walk.seen);
    return status;
}
