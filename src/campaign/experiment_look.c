/* experiment_look.c - the cells of an experiment that a store has, in one walk through its table.
 *
 * Rows come by parameters, and so do the combinations once they are sorted; which replicate a row
 * is says its seed.
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

struct look {
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

static void make_keys(struct look *look, const struct cs_experiment *experiment,
                      struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    look->key = CS_NEW_ARRAY(arena, struct key, experiment->combinations);
    for (; look->keys < experiment->combinations; look->keys++) {
        const struct cs_combination *combination = &experiment->combination[look->keys];

        cs_strbuf_clear(&text);
        cs_parameters_put(experiment->cell[combination->first].parameters, &text);
        look->key[look->keys] = (struct key){cs_arena_strdup(arena, text.text), combination};
    }
    cs_strbuf_release(&text);
    if (look->keys)
        qsort(look->key, (size_t)look->keys, sizeof *look->key, by_text);
}

/* Replicate r has the same seed everywhere: those of the combination that has most. */
static void make_seeds(struct look *look, const struct cs_experiment *experiment,
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
    look->seed = CS_NEW_ARRAY(arena, struct seed, most->count);
    for (; look->seeds < most->count; look->seeds++)
        look->seed[look->seeds] = (struct seed){seed[order[look->seeds]], order[look->seeds]};
}

static int see_row(void *who, const struct cs_store_row *row, struct cs_error *err)
{
    struct look *look = who;
    const struct seed wanted = {row->seed, 0}, *seed;

    (void)err;
    while (look->at < look->keys && strcmp(look->key[look->at].text, row->parameters) < 0)
        look->at++;
    if (look->at == look->keys || strcmp(look->key[look->at].text, row->parameters) != 0)
        return 0;
    seed = bsearch(&wanted, look->seed, (size_t)look->seeds, sizeof wanted, by_seed);
    for (int k = look->at; seed && k < look->keys; k++) {
        const struct cs_combination *combination = look->key[k].combination;

        if (strcmp(look->key[k].text, row->parameters) != 0)
            break;
        if (seed->replicate < combination->count)
            look->see(look->who, combination->first + seed->replicate, &row->record);
    }
    return 0;
}

int cs_experiment_look(const struct cs_experiment *experiment, struct cs_store *store, bool values,
                       void (*see)(void *who, int cell, const struct cs_record *record), void *who,
                       struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct look look = {.see = see, .who = who};
    int status;

    make_keys(&look, experiment, arena);
    make_seeds(&look, experiment, arena);
    status = cs_store_each(store, experiment->problem, values, see_row, &look, err);
    cs_arena_destroy(arena);
    return status;
}

static void experiment_look_mark(void *who, int cell, const struct cs_record *record)
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
    return cs_experiment_look(experiment, store, false, experiment_look_mark, known, err);
}
