/* schedule_ptg.c - what a schedule of the ptg problem says about itself, as JSON. */
#include "io/graph_json.h"
#include "io/graph_list.h"
#include "io/schedule_json.h"

#include <math.h>
#include <string.h>

void cs_schedule_json_put_ptg(struct cs_jsonw *w, const struct cs_ptg_declared *declared)
{
    cs_jsonw_put_string(w, "network", declared->fan ? "fan" : "plain");
    cs_jsonw_put_double(w, "lower_bound", declared->lower_bound);
    if (declared->release) {
        cs_jsonw_key(w, "release");
        cs_jsonw_open_flat(w, '[');
        for (int g = 0; g < declared->graphs; g++)
            cs_jsonw_double(w, declared->release[g]);
        cs_jsonw_close(w);
    }
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < declared->graphs; g++)
        cs_graph_json_put(w, declared->graph[g]);
    cs_jsonw_close(w);
}

static int read_network(const struct cs_json_at *root, struct cs_ptg_declared *d,
                        struct cs_error *err)
{
    struct cs_json_at at;
    const char *word;

    if (!cs_json_has(root, "network"))
        return 0;
    if (cs_json_member(root, "network", &at, err) || cs_json_string(&at, &word, err))
        return -1;
    if (strcmp(word, "plain") != 0 && strcmp(word, "fan") != 0)
        return cs_json_error(&at, err, "found \"%.60s\", expected plain or fan", word);
    d->fan = *word == 'f';
    return 0;
}

static int read_release(const struct cs_json_at *root, struct cs_arena *arena,
                        struct cs_ptg_declared *d, struct cs_error *err)
{
    struct cs_json_at array;
    double *release;
    size_t count;

    if (!cs_json_has(root, "release"))
        return 0;
    if (cs_json_member(root, "release", &array, err) || cs_json_array(&array, &count, err))
        return -1;
    if (count != (size_t)d->graphs)
        return cs_json_error(&array, err, "found %zu times, expected one for each of %d graphs",
                             count, d->graphs);
    release = CS_NEW_ARRAY(arena, double, count);
    for (size_t g = 0; g < count; g++) {
        struct cs_json_at at = cs_json_element(&array, g);

        if (cs_json_double(&at, CS_NUMBER_NOT_NEGATIVE, &release[g], err))
            return -1;
    }
    d->release = release;
    return 0;
}

/* One for each graph. */
static int read_shares(const struct cs_json_at *root, struct cs_arena *arena,
                       struct cs_ptg_declared *d, struct cs_error *err)
{
    struct cs_json_at array;
    double *share;
    size_t count;

    if (!cs_json_has(root, "shares"))
        return 0;
    if (cs_json_member(root, "shares", &array, err) || cs_json_array(&array, &count, err))
        return -1;
    if (count != (size_t)d->graphs)
        return cs_json_error(&array, err, "found %zu shares, expected one for each of %d graphs",
                             count, d->graphs);
    share = CS_NEW_ARRAY(arena, double, count);
    for (size_t g = 0; g < count; g++) {
        struct cs_json_at at = cs_json_element(&array, g);

        if (cs_json_double(&at, CS_NUMBER_NOT_NEGATIVE, &share[g], err))
            return -1;
    }
    d->share = share;
    return 0;
}

/* The graphs of the list become the file's. */
static void keep_graphs(struct cs_graph_list *list, struct cs_arena *arena,
                        struct cs_ptg_declared *d)
{
    const struct cs_graph **graph = CS_NEW_ARRAY(arena, const struct cs_graph *, list->graphs);

    for (int g = 0; g < list->graphs; g++)
        graph[g] = list->graph[g];
    d->graphs = list->graphs;
    d->graph = graph;
    cs_block_free(list->graph);
}

const struct cs_ptg_declared *cs_schedule_json_get_ptg(const struct cs_json_at *root,
                                                       struct cs_arena *arena, struct cs_error *err)
{
    struct cs_ptg_declared *d = CS_NEW(arena, struct cs_ptg_declared);
    struct cs_graph_list list = {0};
    struct cs_json_at at;

    d->lower_bound = NAN;
    if (read_network(root, d, err) || cs_json_member(root, "graphs", &at, err) ||
        (cs_json_has(root, "lower_bound") &&
         cs_json_get_double(root, "lower_bound", CS_NUMBER_FINITE, &d->lower_bound, err)) ||
        cs_graph_list_json_read(&list, &at, root->key, err)) {
        cs_graph_list_release(&list);
        return NULL;
    }
    keep_graphs(&list, arena, d);
    if (read_release(root, arena, d, err) || read_shares(root, arena, d, err)) {
        cs_schedule_json_drop_ptg(d);
        return NULL;
    }
    return d;
}

void cs_schedule_json_drop_ptg(const struct cs_ptg_declared *declared)
{
    for (int g = 0; declared && g < declared->graphs; g++)
        cs_graph_destroy((struct cs_graph *)(uintptr_t)declared->graph[g]);
}
