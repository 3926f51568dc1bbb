/* schedule_finish.c - what the tables of keys do not state of schedules of pack, rigid, volatile.
 */
#include "io/schedule_own.h"
#include "model/schedule.h"

#include <string.h>

/* A word or a number; null is a number that is not known. */
static int check_note(const struct cs_json_at *note, struct cs_error *err)
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

/* Check the types of seed and notes, which no row stores. */
static int pack_check_search(const struct cs_json_at *root, struct cs_error *err)
{
    struct cs_json_at at;
    int64_t seed;

    if (cs_json_has(root, "seed") && (cs_json_member(root, "seed", &at, err) ||
                                      cs_json_int64(&at, 0, (int64_t)1 << 53, &seed, err)))
        return -1;
    if (!cs_json_has(root, "notes"))
        return 0;
    return cs_json_member(root, "notes", &at, err) ? -1 : cs_json_each(&at, check_note, err);
}

int cs_key_finish_pack(const struct cs_json_at *root, const struct cs_key_source *source,
                       void *declared)
{
    (void)declared;
    return pack_check_search(root, source->err);
}

/* An estimate that is missing is right. */
int cs_key_finish_rigid(const struct cs_json_at *root, const struct cs_key_source *source,
                        void *declared)
{
    struct cs_rigid_declared *d = declared;
    double *estimate = CS_NEW_ARRAY(source->arena, double, source->tasks);

    (void)root;
    for (int j = 0; d->estimate && j < source->tasks; j++)
        estimate[j] = d->estimate[j] > 0 ? d->estimate[j] : d->seconds[j];
    d->estimate = d->estimate ? estimate : NULL;
    return 0;
}

/* A host takes all tasks if its file does not state how many; each slot has a letter. */
int cs_key_finish_volatile(const struct cs_json_at *root, const struct cs_key_source *source,
                           void *declared)
{
    struct cs_volatile_declared *d = declared;
    int *capacity = CS_NEW_ARRAY(source->arena, int, d->hosts);
    struct cs_json_at hosts, host, trace;

    for (int q = 0; q < d->hosts; q++) {
        capacity[q] = d->capacity[q] < 0 ? d->tasks : d->capacity[q];
        if ((long long)strlen(d->trace[q]) == d->slots)
            continue;
        if (cs_json_member(root, "hosts", &hosts, source->err))
            return -1;
        host = cs_json_element(&hosts, (size_t)q);
        return cs_json_member(&host, "trace", &trace, source->err)
                   ? -1
                   : cs_json_error(&trace, source->err,
                                   "found %zu letters, expected one for each of %lld slots",
                                   strlen(d->trace[q]), d->slots);
    }
    d->capacity = capacity;
    return 0;
}
