/* schedule_pack.c - what the lower bound of a plan of packs rests on, as JSON. */
#include "io/schedule_json.h"

#include "io/workload.h"

#include <limits.h>

static void put_steps(struct cs_jsonw *w, const struct cs_pack_certificate *by)
{
    cs_jsonw_key(w, "steps");
    cs_jsonw_open(w, '[');
    for (int k = 0; k < by->steps; k++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "seconds", by->step[k].seconds);
        cs_jsonw_put_double(w, "price", by->step[k].price);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_schedule_json_put_prices(struct cs_jsonw *w, int tasks,
                                 const struct cs_pack_certificate *by)
{
    if (!by->price && !by->search)
        return;
    cs_jsonw_key(w, "certificate");
    cs_jsonw_open(w, '{');
    if (by->search)
        cs_jsonw_put_bool(w, "search", true);
    if (by->price) {
        cs_jsonw_key(w, "prices");
        cs_jsonw_open_flat(w, '[');
        for (int i = 0; i < tasks; i++)
            cs_jsonw_double(w, by->price[i]);
        cs_jsonw_close(w);
    }
    if (by->steps)
        put_steps(w, by);
    cs_jsonw_close(w);
}

static int read_prices(const struct cs_json_at *certificate, int tasks, struct cs_arena *arena,
                       struct cs_pack_certificate *by, struct cs_error *err)
{
    double *price = CS_NEW_ARRAY(arena, double, tasks);
    struct cs_json_at array;
    size_t count;

    if (!cs_json_has(certificate, "prices"))
        return 0;
    if (cs_json_member(certificate, "prices", &array, err) || cs_json_array(&array, &count, err))
        return -1;
    if (count != (size_t)tasks)
        return cs_json_error(
            &array, err, "found %zu elements, expected one for each of the %d tasks", count, tasks);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&array, i);

        if (cs_json_double(&at, CS_NUMBER_NOT_NEGATIVE, &price[i], err))
            return -1;
    }
    by->price = price;
    return 0;
}

static int read_steps(const struct cs_json_at *certificate, struct cs_arena *arena,
                      struct cs_pack_certificate *by, struct cs_error *err)
{
    struct cs_pack_step *step;
    struct cs_json_at array;
    size_t count;

    if (!cs_json_has(certificate, "steps"))
        return 0;
    if (cs_json_member(certificate, "steps", &array, err) || cs_json_array(&array, &count, err))
        return -1;
    if (count > CS_IO_PROCS_MOST)
        return cs_json_error(&array, err, "found %zu elements, expected at most %d", count,
                             CS_IO_PROCS_MOST);
    by->step = step = CS_NEW_ARRAY(arena, struct cs_pack_step, count);
    by->steps = (int)count;
    for (size_t k = 0; k < count; k++) {
        struct cs_json_at at = cs_json_element(&array, k);

        if (cs_json_keys(&at, "seconds|price", err) ||
            cs_json_get_double(&at, "seconds", CS_NUMBER_NOT_NEGATIVE, &step[k].seconds, err) ||
            cs_json_get_double(&at, "price", CS_NUMBER_NOT_NEGATIVE, &step[k].price, err))
            return -1;
    }
    return 0;
}

int cs_schedule_json_get_prices(const struct cs_json_at *root, int tasks, struct cs_arena *arena,
                                struct cs_pack_certificate *by, struct cs_error *err)
{
    struct cs_json_at at;

    *by = (struct cs_pack_certificate){0};
    if (!cs_json_has(root, "certificate"))
        return 0;
    if (cs_json_member(root, "certificate", &at, err) ||
        cs_json_keys(&at, "search|prices|steps", err) ||
        (cs_json_has(&at, "search") && cs_json_get_bool(&at, "search", &by->search, err)) ||
        read_prices(&at, tasks, arena, by, err))
        return -1;
    return read_steps(&at, arena, by, err);
}

/* A word or a number; null is a number that nobody knows. */
static int inspect_note(const struct cs_json_at *note, struct cs_error *err)
{
    const json_type type = cs_json_type(note);
    const char *word;
    double number;

    if (type == JSON_NULL)
        return 0;
    if (type == JSON_STRING)
        return cs_json_string(note, &word, err);
    if (type == JSON_INTEGER || type == JSON_REAL)
        return cs_json_double(note, CS_NUMBER_FINITE, &number, err);
    return cs_json_error(note, err, "found %s, expected a string or a number",
                         type == JSON_OBJECT  ? "an object"
                         : type == JSON_ARRAY ? "an array"
                                              : "true or false");
}

int cs_schedule_json_check_search(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_json_at at;
    int64_t seed;

    if (cs_json_has(root, "seed") && (cs_json_member(root, "seed", &at, err) ||
                                      cs_json_int64(&at, 0, (int64_t)1 << 53, &seed, err)))
        return -1;
    if (!cs_json_has(root, "notes"))
        return 0;
    return cs_json_member(root, "notes", &at, err) ? -1 : cs_json_each(&at, inspect_note, err);
}
