/* workload_limit.c - min_procs, max_procs, counts, walltime, release. */
#include "io/workload_limit.h"

#include "base/strbuf.h"
#include "io/workload.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int workload_limit_wrong(const char *text, struct cs_error *err)
{
    return cs_error_set(err,
                        "found \"%.60s\", expected counts such as 4,8,16, or powers-of-two, even "
                        "or multiples:4",
                        text);
}

/* The whole number at *text, from 1 on; *text moves behind it. */
static bool workload_limit_read_count(const char **text, int *out)
{
    char *end;
    long value = **text >= '0' && **text <= '9' ? strtol(*text, &end, 10) : 0;

    if (value < 1 || value > CS_IO_PROCS_MOST)
        return false;
    *text = end;
    *out = (int)value;
    return true;
}

static int parse_list(const char *text, struct cs_task_limit *limit, struct cs_arena *arena,
                      struct cs_error *err)
{
    int *count = CS_NEW_ARRAY(arena, int, strlen(text) + 1);
    const char *at = text;

    limit->counts = 0;
    do {
        if (!workload_limit_read_count(&at, &count[limit->counts++]))
            return workload_limit_wrong(text, err);
    } while (*at++ == ',');
    limit->count = count;
    return at[-1] ? workload_limit_wrong(text, err) : 0;
}

int cs_workload_counts_parse(const char *text, struct cs_task_limit *limit, struct cs_arena *arena,
                             struct cs_error *err)
{
    const char *at = text + strlen("multiples:");

    if (strcmp(text, "powers-of-two") == 0) {
        limit->powers_of_two = true;
        return 0;
    }
    if (strcmp(text, "even") == 0) {
        limit->multiple = 2;
        return 0;
    }
    if (strncmp(text, "multiples:", strlen("multiples:")) == 0)
        return workload_limit_read_count(&at, &limit->multiple) && *at == '\0'
                   ? 0
                   : workload_limit_wrong(text, err);
    return parse_list(text, limit, arena, err);
}

static int workload_limit_read_list(const struct cs_json_at *at, struct cs_task_limit *limit,
                                    struct cs_arena *arena, struct cs_error *err)
{
    size_t entries;
    int *count;

    if (cs_json_array(at, &entries, err))
        return -1;
    if (entries == 0 || entries > INT_MAX)
        return cs_json_error(at, err, "%zu counts, expected at least one", entries);
    count = CS_NEW_ARRAY(arena, int, entries);
    for (size_t i = 0; i < entries; i++) {
        struct cs_json_at entry = cs_json_element(at, i);

        if (cs_json_int(&entry, 1, CS_IO_PROCS_MOST, &count[i], err))
            return -1;
    }
    limit->counts = (int)entries;
    limit->count = count;
    return 0;
}

static int read_counts(const struct cs_json_at *task, struct cs_task_limit *limit,
                       struct cs_arena *arena, struct cs_error *err)
{
    struct cs_json_at at;
    struct cs_error why = {0};
    const char *text;

    if (cs_json_member(task, "counts", &at, err))
        return -1;
    if (cs_json_type(&at) != JSON_STRING)
        return workload_limit_read_list(&at, limit, arena, err);
    if (cs_json_string(&at, &text, err))
        return -1;
    if (cs_workload_counts_parse(text, limit, arena, &why))
        return cs_json_error(&at, err, "%s", why.text);
    return 0;
}

int cs_workload_limit_read(const struct cs_json_at *task, struct cs_task_limit *limit, bool *any,
                           struct cs_arena *arena, struct cs_error *err)
{
    bool least = cs_json_has(task, "min_procs"), most = cs_json_has(task, "max_procs");
    bool counts = cs_json_has(task, "counts"), wall = cs_json_has(task, "walltime");
    bool release = cs_json_has(task, "release"), margin = cs_json_has(task, "margin");

    *limit = (struct cs_task_limit){0};
    *any |= least || most || counts || wall || margin || release;
    if ((least &&
         cs_json_get_int(task, "min_procs", 1, CS_IO_PROCS_MOST, &limit->min_procs, err)) ||
        (most && cs_json_get_int(task, "max_procs", 1, CS_IO_PROCS_MOST, &limit->max_procs, err)) ||
        (counts && read_counts(task, limit, arena, err)) ||
        (wall && cs_json_get_double(task, "walltime", CS_NUMBER_POSITIVE, &limit->walltime, err)) ||
        (margin && cs_json_get_double(task, "margin", CS_NUMBER_POSITIVE, &limit->margin, err)) ||
        (release &&
         cs_json_get_double(task, "release", CS_NUMBER_NOT_NEGATIVE, &limit->release, err)))
        return -1;
    return 0;
}

static void put_counts(struct cs_jsonw *w, const struct cs_task_limit *limit)
{
    if (limit->powers_of_two) {
        cs_jsonw_put_string(w, "counts", "powers-of-two");
    } else if (limit->multiple > 0) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_strbuf_printf(&text, "multiples:%d", limit->multiple);
        cs_jsonw_put_string(w, "counts", text.text);
        cs_strbuf_release(&text);
    } else if (limit->counts > 0) {
        cs_jsonw_key(w, "counts");
        cs_jsonw_open_flat(w, '[');
        for (int i = 0; i < limit->counts; i++)
            cs_jsonw_int(w, limit->count[i]);
        cs_jsonw_close(w);
    }
}

void cs_workload_limit_put(struct cs_jsonw *w, const struct cs_task_limit *limit)
{
    if (limit->min_procs > 0)
        cs_jsonw_put_int(w, "min_procs", limit->min_procs);
    if (limit->max_procs > 0)
        cs_jsonw_put_int(w, "max_procs", limit->max_procs);
    put_counts(w, limit);
    if (limit->walltime > 0)
        cs_jsonw_put_double(w, "walltime", limit->walltime);
    if (limit->margin > 1)
        cs_jsonw_put_double(w, "margin", limit->margin);
    if (limit->release > 0)
        cs_jsonw_put_double(w, "release", limit->release);
}
