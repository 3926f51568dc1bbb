/* experiment_cells.c - the combinations of the grids, the last axis fastest, and their cells. */
#include "campaign/experiment_reader.h"

#include "base/json.h"
#include "campaign/parameters.h"

#include <limits.h>
#include <string.h>

/* The iteration over a grid. */
struct walk {
    struct cs_experiment_reader *reader;
    const struct cs_experiment_grid *grid;
    int *at;      /* one for each side: which of its values */
    json_t *seen; /* parameters of combinations that are there; NULL: none comes twice */
};

static const struct cs_experiment_value *
experiment_cells_value_of(const struct cs_experiment *experiment,
                          const struct cs_experiment_side *side, int v)
{
    return &experiment->axis[side->axis].value[side->value[v]];
}

/* Combinations of a grid and their runs, as far as they are not too many. */
static int count_grid(const struct cs_experiment_reader *reader,
                      const struct cs_experiment_grid *grid, int64_t *combinations, int64_t *runs)
{
    const struct cs_experiment *experiment = reader->experiment;
    int64_t count = 1, all = 1;
    bool own = false;

    for (int s = 0; s < grid->sides && all <= CS_EXPERIMENT_CELLS; s++) {
        int64_t replicates = 0;

        for (int v = 0; v < grid->side[s].count; v++) {
            int its = experiment_cells_value_of(experiment, &grid->side[s], v)->replicates;

            own = own || its;
            replicates += its ? its : 1;
        }
        count *= grid->side[s].count;
        all *= replicates;
    }
    all *= experiment->seeds;
    *combinations += count;
    *runs += all <= CS_EXPERIMENT_CELLS && !own ? all * experiment->replicates : all;
    if (*runs <= CS_EXPERIMENT_CELLS)
        return 0;
    return cs_json_error(&grid->at, reader->err, "makes more than %d runs", CS_EXPERIMENT_CELLS);
}

/* A file of a paper is known by its path, from the folder of the paper on. */
static json_t *make_parameters(const struct walk *walk)
{
    const struct cs_experiment *experiment = walk->reader->experiment;
    const char *slash = strrchr(experiment->file, '/');
    json_t *parameters = cs_json_made(json_object());
    CS_JSON_HOLD(parameters);

    cs_json_update(parameters, experiment->set);
    for (int s = 0; s < walk->grid->sides; s++)
        cs_json_update(
            parameters,
            experiment_cells_value_of(experiment, &walk->grid->side[s], walk->at[s])->set);
    if (!experiment->paper || !slash)
        return cs_unhold(&parameters_hold);
    return cs_parameters_place(experiment->problem, parameters, experiment->file,
                               (size_t)(slash - experiment->file));
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
        cs_json_set(walk->seen, key.text, json_true());
    cs_strbuf_release(&key);
    return seen;
}

static void add_cells(const struct walk *walk, int *at, json_t *parameters)
{
    struct cs_experiment *experiment = walk->reader->experiment;
    struct cs_combination *combination = &experiment->combination[experiment->combinations];
    int replicates = experiment->replicates;

    for (int a = 0; a < experiment->axes; a++)
        at[a] = -1;
    for (int s = 0; s < walk->grid->sides; s++) {
        const struct cs_experiment_side *side = &walk->grid->side[s];
        int own = experiment_cells_value_of(experiment, side, walk->at[s])->replicates;

        at[side->axis] = side->value[walk->at[s]];
        replicates = own ? own : replicates;
    }
    replicates *= replicates > 1 ? experiment->seeds : 1; /* what is not random is run once */
    *combination = (struct cs_combination){experiment->count, replicates, at};
    for (int r = 0; r < replicates; r++)
        experiment->cell[experiment->count++] =
            (struct cs_cell){.combination = experiment->combinations,
                             .replicate = r,
                             .parameters = json_incref(parameters)};
    experiment->combinations++;
}

/* A need is a placeholder until it is set. */
static void put_needs(const struct cs_experiment *experiment, json_t *parameters)
{
    for (int n = 0; n < experiment->needs; n++) {
        const char *name = experiment->need[n].parameter;
        const struct cs_param *p = cs_cell_param(experiment->problem, name, NULL);

        cs_json_set(parameters, name,
                    cs_param_is_number(p) ? json_integer((json_int_t)p->low) : json_string(name));
    }
}

static int experiment_cells_check(const struct walk *walk, json_t *parameters)
{
    const struct cs_experiment *experiment = walk->reader->experiment;
    struct cs_error inner = {0};
    json_t *whole = experiment->needs ? cs_json_copy(parameters) : json_incref(parameters);
    CS_JSON_HOLD(whole);
    int status;

    put_needs(experiment, whole);
    status = cs_cell_check(experiment->problem, whole, &inner);
    return status ? cs_member_error(&walk->grid->at, &inner, walk->reader->err) : 0;
}

/* The next combination; false after the last. */
static bool experiment_cells_advance(struct walk *walk)
{
    for (int s = walk->grid->sides - 1; s >= 0; s--) {
        if (++walk->at[s] < walk->grid->side[s].count)
            return true;
        walk->at[s] = 0;
    }
    return false;
}

static int add_grid(struct walk *walk, int **at)
{
    const int axes = walk->reader->experiment->axes;

    walk->at = CS_NEW_ARRAY(walk->reader->experiment->arena, int, walk->grid->sides);
    for (int s = 0; s < walk->grid->sides; s++)
        if (!walk->grid->side[s].count)
            return 0;
    do {
        json_t *parameters = make_parameters(walk);
        CS_JSON_HOLD(parameters);

        if (experiment_cells_check(walk, parameters))
            return -1;
        if (!is_seen(walk, parameters)) {
            add_cells(walk, *at, parameters);
            *at += axes;
        }
    } while (experiment_cells_advance(walk));
    return 0;
}

static bool experiment_cells_differs(const struct cs_experiment *experiment, const char *name)
{
    const json_t *first = json_object_get(experiment->cell[0].parameters, name);

    for (int c = 1; c < experiment->combinations; c++) {
        const struct cs_cell *cell = &experiment->cell[experiment->combination[c].first];
        const json_t *value = json_object_get(cell->parameters, name);

        if (!first != !value || (value && !json_equal(first, value)))
            return true;
    }
    return false;
}

static void note_varied(struct cs_experiment *experiment, const char *name)
{
    if (experiment_cells_differs(experiment, name))
        experiment->parameter[experiment->varied++] = name;
}

/* The parameters that a paper varies, in the order of the problem. */
static void find_varied(struct cs_experiment *experiment)
{
    const struct cs_param *f = experiment->problem->param;
    struct cs_strbuf key = CS_STRBUF_INIT;
    int count = 0;

    while (f[count].name)
        count++;
    experiment->varied = 0;
    experiment->parameter = CS_NEW_ARRAY(experiment->arena, const char *, 2 * count);
    for (; experiment->combinations && f->name; f++) {
        if (!(f->actions & CS_EXPERIMENT))
            continue;
        cs_strbuf_clear(&key);
        cs_param_put_key(f, &key);
        note_varied(experiment, cs_arena_strdup(experiment->arena, key.text));
        if (f->old && strcmp(f->old, key.text))
            note_varied(experiment, f->old);
    }
    cs_strbuf_release(&key);
}

int cs_experiment_make_cells(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    struct walk walk = {.reader = reader};
    CS_HOLD(seen);
    int64_t combinations = 0, runs = 0;
    int *at, status = 0;

    for (int g = 0; g < reader->grids; g++)
        if (count_grid(reader, &reader->grid[g], &combinations, &runs))
            return -1;
    if (reader->grids > 1 && !experiment->paper)
        walk.seen = cs_json_made(json_object());
    cs_json_hold(&seen, walk.seen);
    at = CS_NEW_ARRAY(experiment->arena, int, (size_t)combinations *(size_t)experiment->axes);
    experiment->combination = CS_NEW_ARRAY(experiment->arena, struct cs_combination, combinations);
    experiment->cell = CS_NEW_ARRAY(experiment->arena, struct cs_cell, runs);
    for (int g = 0; g < reader->grids && !status; g++) {
        walk.grid = &reader->grid[g];
        status = add_grid(&walk, &at);
    }
    if (!status && experiment->paper)
        find_varied(experiment);
    if (experiment->paper)
        experiment->folder = "";
    cs_experiment_set_seed(experiment, experiment->seed);
    return status;
}

/* Cells with measured times have other seeds: a store never returns a time for them that was
 * measured while other cells ran concurrently. */
static uint64_t seed_of(const struct cs_experiment *experiment, int pooled)
{
    const uint64_t seed = experiment->seed + (uint64_t)pooled;

    return experiment->serial ? cs_grid_seed(seed, INT_MAX) : seed;
}

void cs_experiment_set_seed(struct cs_experiment *experiment, uint64_t seed)
{
    const int seeds = experiment->seeds;

    experiment->seed = seed;
    for (int c = 0; c < experiment->count; c++) {
        const int r = experiment->cell[c].replicate;

        experiment->cell[c].seed = cs_grid_seed(seed_of(experiment, r % seeds), r / seeds);
    }
}

int cs_experiment_replicate(const struct cs_experiment *experiment, int combination, int replicate)
{
    const int seeds = experiment->seeds, count = experiment->combination[combination].count;

    return replicate % seeds * (count / seeds) + replicate / seeds;
}
