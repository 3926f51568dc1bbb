/* availability_json.c - counts of spot instances at a fixed distance, and traces of scenarios. */
#include "io/availability_build.h"
#include "io/hosts.h"

#include <math.h>

/* Host i has been up or down since slot since[i]. */
static void add_run(struct cs_availability_draft *draft, int host, bool up, size_t from, size_t to)
{
    cs_availability_add(draft, host, up ? 'u' : 'd', (double)from * draft->gap,
                        (double)to * draft->gap);
}

static int read_counts(const struct cs_json_at *data, int **out, size_t *slots, int *most,
                       struct cs_arena *arena, struct cs_error *err)
{
    int *count;

    if (cs_json_array(data, slots, err))
        return -1;
    if (!*slots)
        return cs_json_error(data, err, "there is not one count");
    *out = count = CS_NEW_ARRAY(arena, int, *slots);
    *most = 1;
    for (size_t t = 0; t < *slots; t++) {
        struct cs_json_at at = cs_json_element(data, t);

        if (cs_json_int(&at, 0, CS_AVAILABILITY_HOSTS_MOST, &count[t], err))
            return -1;
        *most = count[t] > *most ? count[t] : *most;
    }
    return 0;
}

/* As many as there are counts, or none. */
static int read_prices(struct cs_availability_draft *draft, const struct cs_json_at *root,
                       size_t slots, struct cs_error *err)
{
    struct cs_json_at list;
    double *price;
    size_t count;

    if (!cs_json_has(root, "prices"))
        return 0;
    if (cs_json_member(root, "prices", &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count != slots)
        return cs_json_error(&list, err, "there are %zu prices, expected %zu, one for each count",
                             count, slots);
    draft->price = price = CS_NEW_ARRAY(draft->arena, double, count);
    for (draft->prices = 0; draft->prices < count; draft->prices++) {
        struct cs_json_at at = cs_json_element(&list, draft->prices);

        if (cs_json_double(&at, CS_NUMBER_NOT_NEGATIVE, &price[draft->prices], err))
            return -1;
    }
    return 0;
}

static int read_spot(struct cs_availability_draft *draft, const struct cs_json_at *root,
                     struct cs_error *err)
{
    struct cs_json_at metadata, data;
    int *count = NULL, most = 0;
    size_t slots = 0;

    draft->kind = "spot instances";
    if (cs_json_keys(root, "metadata|data|prices", err) ||
        cs_json_member(root, "metadata", &metadata, err) || cs_json_keys(&metadata, NULL, err) ||
        cs_json_get_double(&metadata, "gap_seconds", CS_NUMBER_POSITIVE, &draft->gap, err) ||
        cs_json_member(root, "data", &data, err) ||
        read_counts(&data, &count, &slots, &most, draft->arena, err) ||
        read_prices(draft, root, slots, err))
        return -1;
    for (size_t t = 0; t < slots; t++)
        if (!t || count[t] != count[t - 1])
            cs_availability_change(draft, &(struct cs_availability_change){(double)t * draft->gap,
                                                                           count[t], 0, false});
    draft->end = (double)slots * draft->gap;
    for (int i = 0; i < most; i++) {
        int host = cs_availability_host(draft, i);
        size_t since = 0;

        for (size_t t = 1; t <= slots; t++)
            if (t == slots || (count[t] > i) != (count[t - 1] > i)) {
                add_run(draft, host, count[t - 1] > i, since, t);
                since = t;
            }
    }
    return 0;
}

static int host_of(struct cs_availability_draft *draft, const struct cs_hosts *s, int q)
{
    return s->host[q].name ? cs_names_add(draft->names, s->host[q].name)
                           : cs_availability_host(draft, q);
}

static int read_scenario(struct cs_availability_draft *draft, const struct cs_json_at *root,
                         struct cs_error *err)
{
    struct cs_hosts *s = cs_hosts_from_json(root, err);

    if (s && !s->slots) {
        cs_error_set(err, "%s: the hosts have chains and no traces", root->key);
        cs_hosts_destroy(s);
        return -1;
    }
    if (!s)
        return -1;
    draft->kind = "scenario";
    draft->gap = isnan(s->slot) ? 60 : s->slot;
    for (int q = 0; q < s->hosts; q++) {
        const struct cs_fleet_host *trace = &s->host[q].trace;
        int host = host_of(draft, s, q);

        for (int64_t i = 0; i < trace->runs; i++)
            cs_availability_add(draft, host, cs_fleet_letter(trace->run[i].state),
                                (double)cs_fleet_run_begin(trace, i) * draft->gap,
                                (double)trace->run[i].end * draft->gap);
    }
    cs_hosts_destroy(s);
    return 0;
}

int cs_availability_read_json(struct cs_availability_draft *draft, const char *name,
                              const void *bytes, size_t size, struct cs_error *err)
{
    json_t *document = cs_json_load_memory(name, bytes, size, err);
    CS_JSON_HOLD(document);
    struct cs_json_at root = cs_json_root(name, document);
    int status = -1;

    if (document)
        status = cs_json_has(&root, "format") ? read_scenario(draft, &root, err)
                                              : read_spot(draft, &root, err);
    return status;
}
