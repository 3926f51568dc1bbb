/* experiment_look.c - the cells of an experiment that a store has, in one walk through its table.
 *
 * Rows come by parameters, and so do the combinations once they are sorted; the seed of a row
 * identifies its replicate.
 */
#include "base/order.h"
#include "campaign/experiment.h"
#include "campaign/parameters.h"
#include "campaign/store.h"

#include <stdlib.h>
#include <string.h>

struct key {
    const char *text; /* the parameters, as the store has them */
    const struct cs_combination *combination;
};

struct seed {
    uint64_t seed;
    int replicate;
};

struct inspection {
    int keys, seeds, at; /* at: the first key that is not before the row */
    struct key *key;
    struct seed *seed;
    void (*see)(void *who, int cell, const struct cs_record *record);
    void *who;
};

static int by_text(const void *a, const void *b)
{
    const struct key *one = a, *other = b;
    int order = strcmp(one->text, other->text);

    return order
               ? order
               : (one->combination > other->combination) - (one->combination < other->combination);
}

static int by_seed(const void *a, const void *b)
{
    const struct seed *one = a, *other = b;

    return (one->seed > other->seed) - (one->seed < other->seed);
}

static uint64_t *seeds_of(const struct cs_experiment *experiment,
                          const struct cs_combination *combination, struct cs_arena *arena)
{
    uint64_t *seed = CS_NEW_ARRAY(arena, uint64_t, combination->count);

    for (int r = 0; r < combination->count; r++)
        seed[r] = experiment->cell[combination->first + r].seed;
    return seed;
}

static void make_keys(struct inspection *inspection, const struct cs_experiment *experiment,
                      struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    inspection->key = CS_NEW_ARRAY(arena, struct key, experiment->combinations);
    for (; inspection->keys < experiment->combinations; inspection->keys++) {
        const struct cs_combination *combination = &experiment->combination[inspection->keys];

        cs_strbuf_clear(&text);
        cs_parameters_put_stored(experiment->problem,
                                 experiment->cell[combination->first].parameters, &text);
        inspection->key[inspection->keys] =
            (struct key){cs_arena_strdup(arena, text.text), combination};
    }
    cs_strbuf_release(&text);
    if (inspection->keys)
        qsort(inspection->key, (size_t)inspection->keys, sizeof *inspection->key, by_text);
}

/* Replicate r has the same seed everywhere: those of the combination that has most. */
static void make_seeds(struct inspection *inspection, const struct cs_experiment *experiment,
                       struct cs_arena *arena)
{
    const struct cs_combination *most = experiment->combination;
    uint64_t *seed;
    int *order;

    for (int c = 0; c < experiment->combinations; c++)
        if (experiment->combination[c].count > most->count)
            most = &experiment->combination[c];
    if (!experiment->combinations)
        return;
    seed = seeds_of(experiment, most, arena);
    order = CS_NEW_ARRAY(arena, int, most->count);
    cs_order_integers(seed, most->count, order, arena);
    inspection->seed = CS_NEW_ARRAY(arena, struct seed, most->count);
    for (; inspection->seeds < most->count; inspection->seeds++)
        inspection->seed[inspection->seeds] =
            (struct seed){seed[order[inspection->seeds]], order[inspection->seeds]};
}

static int see_row(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    struct inspection *inspection = who;
    const struct seed wanted = {row->seed, 0}, *seed;

    (void)err;
    while (inspection->at < inspection->keys &&
           strcmp(inspection->key[inspection->at].text, row->parameters) < 0)
        inspection->at++;
    if (inspection->at == inspection->keys ||
        strcmp(inspection->key[inspection->at].text, row->parameters) != 0)
        return 0;
    seed = bsearch(&wanted, inspection->seed, (size_t)inspection->seeds, sizeof wanted, by_seed);
    for (int k = inspection->at; seed && k < inspection->keys; k++) {
        const struct cs_combination *combination = inspection->key[k].combination;

        if (strcmp(inspection->key[k].text, row->parameters) != 0)
            break;
        if (seed->replicate < combination->count)
            inspection->see(inspection->who, combination->first + seed->replicate, &row->record);
    }
    return 0;
}

int cs_experiment_inspect(const struct cs_experiment *experiment, struct cs_store *store,
                          bool values,
                          void (*see)(void *who, int cell, const struct cs_record *record),
                          void *who, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct inspection inspection = {.see = see, .who = who};
    int status;

    make_keys(&inspection, experiment, arena);
    make_seeds(&inspection, experiment, arena);
    status = cs_store_each(store, experiment->problem, values, see_row, &inspection, err);
    inspection.at = 0;
    if (!status)
        status =
            cs_store_each_former(store, experiment->problem, values, see_row, &inspection, err);
    cs_arena_destroy(arena);
    return status;
}

static void experiment_inspect_mark(void *who, int cell, const struct cs_record *record)
{
    bool *known = who;

    (void)record;
    known[cell] = true;
}

int cs_experiment_known(const struct cs_experiment *experiment, struct cs_store *store, bool *known,
                        struct cs_error *err)
{
    for (int c = 0; c < experiment->count; c++)
        known[c] = false;
    return cs_experiment_inspect(experiment, store, false, experiment_inspect_mark, known, err);
}
