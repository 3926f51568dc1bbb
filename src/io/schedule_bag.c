/* schedule_bag.c - keys of schedule files of general bags: amounts by name, and certificates. */
#include "base/plain.h"
#include "io/schedule_keys.h"
#include "model/schedule.h"

#include <limits.h>
#include <math.h>

static void bag_put_amounts(struct cs_jsonw *w, const char *key, const struct cs_bag_amount *amount,
                            int count)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '{');
    for (int k = 0; k < count; k++)
        cs_jsonw_put_double(w, amount[k].name, amount[k].value);
    cs_jsonw_close(w);
}

void cs_bag_certificate_put(struct cs_jsonw *w, const struct cs_bag_certificate *by)
{
    if (by->prices)
        bag_put_amounts(w, "prices", by->price, by->prices);
    if (by->budgets)
        bag_put_amounts(w, "budgets", by->budget, by->budgets);
    if (by->tasks) {
        cs_jsonw_key(w, "clique");
        cs_jsonw_open_flat(w, '[');
        for (int k = 0; k < by->tasks; k++)
            cs_jsonw_int(w, by->task[k]);
        cs_jsonw_close(w);
    }
    if (!by->has_flow)
        return;
    cs_jsonw_key(w, "flow");
    cs_jsonw_open_flat(w, '[');
    for (int k = 0; k < by->flows; k++) {
        cs_jsonw_open_flat(w, '[');
        cs_jsonw_int(w, by->flow[k].from);
        cs_jsonw_int(w, by->flow[k].to);
        cs_jsonw_double(w, by->flow[k].amount);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static const char *const budget_keys[] = {"limit", "spent"};
static const char *const resource_keys[] = {"capacity", "per_node"};

static void bag_put_pair(struct cs_jsonw *w, const char *name, const char *const key[2],
                         double first, double second)
{
    cs_jsonw_key(w, name);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_double(w, key[0], first);
    cs_jsonw_put_double(w, key[1], second);
    cs_jsonw_close(w);
}

static const struct cs_bag_declared *bag_declared(const void *declared)
{
    return ((const struct cs_moldable_declared *)declared)->bag;
}

struct cs_bag_declared *cs_bag_declared_of(const struct cs_key_source *source, void *declared)
{
    struct cs_moldable_declared *d = declared;

    if (!d->bag)
        d->bag = CS_NEW(source->arena, struct cs_bag_declared);
    return (struct cs_bag_declared *)d->bag;
}

/* {NAME: NUMBER, ...} */
static int bag_get_amounts(const struct cs_json_at *at, const struct cs_key_source *source,
                           const struct cs_bag_amount **out, int *count)
{
    struct cs_bag_amount *amount;
    const char *const *name;

    if (cs_json_keys(at, NULL, source->err))
        return -1;
    name = cs_json_list_keys(at, source->arena, count);
    amount = CS_NEW_ARRAY(source->arena, struct cs_bag_amount, *count);
    for (int k = 0; k < *count; k++) {
        amount[k].name = cs_arena_strdup(source->arena, name[k]);
        if (cs_json_get_double(at, name[k], CS_NUMBER_FINITE, &amount[k].value, source->err))
            return -1;
    }
    *out = amount;
    return 0;
}

/* {NAME: {FIRST: NUMBER, SECOND: NUMBER}, ...}, or NUMBER for {FIRST: NUMBER}. */
static int bag_get_pairs(const struct cs_json_at *at, const struct cs_key_source *source,
                         const char *const key[2], const struct cs_bag_amount **out[2], int *count)
{
    struct cs_bag_amount *amount[2];
    const char *const *name;
    char known[40];

    if (cs_json_keys(at, NULL, source->err))
        return -1;
    name = cs_json_list_keys(at, source->arena, count);
    cs_plain_print(known, sizeof known, "%s|%s", key[0], key[1]);
    for (int side = 0; side < 2; side++)
        amount[side] = CS_NEW_ARRAY(source->arena, struct cs_bag_amount, *count);
    for (int k = 0; k < *count; k++) {
        struct cs_json_at one;

        if (cs_json_member(at, name[k], &one, source->err))
            return -1;
        for (int side = 0; side < 2; side++)
            amount[side][k].name = cs_arena_strdup(source->arena, name[k]);
        if (cs_json_type(&one) != JSON_OBJECT) {
            if (cs_json_double(&one, CS_NUMBER_FINITE, &amount[0][k].value, source->err))
                return -1;
            continue;
        }
        if (cs_json_keys(&one, known, source->err))
            return -1;
        for (int side = 0; side < 2; side++)
            if (cs_json_get_double(&one, key[side], CS_NUMBER_FINITE, &amount[side][k].value,
                                   source->err))
                return -1;
    }
    *out[0] = amount[0];
    *out[1] = amount[1];
    return 0;
}

void cs_key_put_bag_use(struct cs_jsonw *w, const struct cs_schedule *schedule,
                        const void *declared)
{
    (void)schedule;
    if (bag_declared(declared))
        bag_put_amounts(w, "use", bag_declared(declared)->use, bag_declared(declared)->uses);
}

int cs_key_get_bag_use(const struct cs_json_at *at, const struct cs_key_source *source,
                       void *declared)
{
    struct cs_bag_declared *bag = cs_bag_declared_of(source, declared);

    return bag_get_amounts(at, source, &bag->use, &bag->uses);
}

void cs_key_put_bag_budgets(struct cs_jsonw *w, const struct cs_schedule *schedule,
                            const void *declared)
{
    const struct cs_bag_declared *bag = bag_declared(declared);

    (void)schedule;
    if (!bag || !bag->spends)
        return;
    cs_jsonw_key(w, "budgets");
    cs_jsonw_open_flat(w, '{');
    for (int q = 0; q < bag->spends; q++)
        bag_put_pair(w, bag->spend[q].name, budget_keys, bag->budget[q].value, bag->spend[q].value);
    cs_jsonw_close(w);
}

int cs_key_get_bag_budgets(const struct cs_json_at *at, const struct cs_key_source *source,
                           void *declared)
{
    struct cs_bag_declared *bag = cs_bag_declared_of(source, declared);
    const struct cs_bag_amount **out[] = {&bag->budget, &bag->spend};

    if (bag_get_pairs(at, source, budget_keys, out, &bag->spends))
        return -1;
    bag->budgets = bag->spends;
    return 0;
}

void cs_key_put_bag_resources(struct cs_jsonw *w, const struct cs_schedule *schedule,
                              const void *declared)
{
    const struct cs_bag_declared *bag = bag_declared(declared);

    (void)schedule;
    if (!bag)
        return;
    cs_jsonw_key(w, "resources");
    cs_jsonw_open_flat(w, '{');
    for (int r = 0; r < bag->resources; r++)
        if (bag->per_node[r].value <= 0)
            cs_jsonw_put_double(w, bag->resource[r].name, bag->resource[r].value);
        else
            bag_put_pair(w, bag->resource[r].name, resource_keys, bag->resource[r].value,
                         bag->per_node[r].value);
    cs_jsonw_close(w);
}

int cs_key_get_bag_resources(const struct cs_json_at *at, const struct cs_key_source *source,
                             void *declared)
{
    struct cs_bag_declared *bag = cs_bag_declared_of(source, declared);
    const struct cs_bag_amount **out[] = {&bag->resource, &bag->per_node};

    return bag_get_pairs(at, source, resource_keys, out, &bag->resources);
}

void cs_key_put_moldable_area(struct cs_jsonw *w, const struct cs_schedule *schedule,
                              const void *declared)
{
    const struct cs_moldable_declared *d = declared;

    (void)schedule;
    if (d->bag)
        bag_put_amounts(w, "area", d->bag->area, d->bag->areas);
    else
        cs_jsonw_put_double(w, "area", d->area);
}

int cs_key_get_moldable_area(const struct cs_json_at *at, const struct cs_key_source *source,
                             void *declared)
{
    struct cs_moldable_declared *d = declared;
    struct cs_bag_declared *bag;

    if (cs_json_type(at) != JSON_OBJECT)
        return cs_json_double(at, CS_NUMBER_FINITE, &d->area, source->err);
    d->area = NAN;
    bag = cs_bag_declared_of(source, declared);
    return bag_get_amounts(at, source, &bag->area, &bag->areas);
}

static int bag_get_flow(const struct cs_json_at *at, const struct cs_key_source *source,
                        struct cs_bag_certificate *by)
{
    struct cs_json_at list, one, part[3];
    struct cs_bag_flow *flow;
    size_t count, parts;

    if (cs_json_member(at, "flow", &list, source->err) || cs_json_array(&list, &count, source->err))
        return -1;
    if (count > INT_MAX / 4)
        return cs_json_error(&list, source->err, "found %zu elements, which are too many", count);
    flow = CS_NEW_ARRAY(source->arena, struct cs_bag_flow, count);
    for (size_t k = 0; k < count; k++) {
        one = cs_json_element(&list, k);
        if (cs_json_array(&one, &parts, source->err))
            return -1;
        if (parts != 3)
            return cs_json_error(&one, source->err, "found %zu elements, expected 3", parts);
        for (size_t p = 0; p < 3; p++)
            part[p] = cs_json_element(&one, p);
        if (cs_json_int(&part[0], 0, INT_MAX - 1, &flow[k].from, source->err) ||
            cs_json_int(&part[1], -1, INT_MAX - 1, &flow[k].to, source->err) ||
            cs_json_double(&part[2], CS_NUMBER_FINITE, &flow[k].amount, source->err))
            return -1;
    }
    by->has_flow = true;
    by->flow = flow;
    by->flows = (int)count;
    return 0;
}

static int bag_get_clique(const struct cs_json_at *at, const struct cs_key_source *source,
                          struct cs_bag_certificate *by)
{
    struct cs_json_at list, one;
    size_t count;
    int *task;

    if (cs_json_member(at, "clique", &list, source->err) ||
        cs_json_array(&list, &count, source->err))
        return -1;
    if (count > INT_MAX / 4)
        return cs_json_error(&list, source->err, "found %zu elements, which are too many", count);
    task = CS_NEW_ARRAY(source->arena, int, count);
    for (size_t k = 0; k < count; k++) {
        one = cs_json_element(&list, k);
        if (cs_json_int(&one, 0, INT_MAX - 1, &task[k], source->err))
            return -1;
    }
    by->task = task;
    by->tasks = (int)count;
    return 0;
}

int cs_bag_certificate_read(const struct cs_json_at *at, const struct cs_key_source *source,
                            struct cs_bag_certificate *by)
{
    struct cs_json_at object;

    if (cs_json_has(at, "prices") && (cs_json_member(at, "prices", &object, source->err) ||
                                      bag_get_amounts(&object, source, &by->price, &by->prices)))
        return -1;
    if (cs_json_has(at, "budgets") && (cs_json_member(at, "budgets", &object, source->err) ||
                                       bag_get_amounts(&object, source, &by->budget, &by->budgets)))
        return -1;
    if (cs_json_has(at, "clique") && bag_get_clique(at, source, by))
        return -1;
    return cs_json_has(at, "flow") ? bag_get_flow(at, source, by) : 0;
}

/* Without an area in the file the declared area is NaN. */
int cs_key_finish_moldable(const struct cs_json_at *root, const struct cs_key_source *source,
                           void *declared)
{
    struct cs_json_at bounds;

    if (cs_json_has(root, "bounds") && (cs_json_member(root, "bounds", &bounds, source->err) ||
                                        cs_json_keys(&bounds, NULL, source->err)))
        return -1;
    if (!cs_json_has(root, "bounds") || !cs_json_has(&bounds, "area"))
        ((struct cs_moldable_declared *)declared)->area = NAN;
    return 0;
}
