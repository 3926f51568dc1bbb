/* jobspec.c - Flux jobspecs: resources, what runs, for how long, under which name. */
#include "report/jobspec.h"

#include "base/jsonw.h"
#include "base/plain.h"
#include "model/bars.h"
#include "report/batch.h"

static void open_member(struct cs_jsonw *w, const char *key, char bracket)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, bracket);
}

static void put_slot(struct cs_jsonw *w, int64_t count)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "type", "slot");
    cs_jsonw_put_int(w, "count", count);
    cs_jsonw_put_string(w, "label", "task");
    open_member(w, "with", '[');
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "type", "core");
    cs_jsonw_put_int(w, "count", 1);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

/* So many nodes with a slot each, or so many slots. */
static void put_resources(struct cs_jsonw *w, int64_t count, bool cores)
{
    open_member(w, "resources", '[');
    if (cores) {
        put_slot(w, count);
    } else {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "type", "node");
        cs_jsonw_put_int(w, "count", count);
        open_member(w, "with", '[');
        put_slot(w, 1);
        cs_jsonw_close(w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_tasks(struct cs_jsonw *w, const struct cs_jobspec *how, const char *name,
                      int64_t count)
{
    char number[24];

    open_member(w, "tasks", '[');
    cs_jsonw_open_flat(w, '{');
    open_member(w, "command", '[');
    for (int i = 0; i < how->words; i++)
        cs_jsonw_string(w, how->word[i]);
    cs_jsonw_string(w, name);
    if (how->words) {
        cs_plain_print(number, sizeof number, "%lld", (long long)count);
        cs_jsonw_string(w, number);
    }
    cs_jsonw_close(w);
    cs_jsonw_put_string(w, "slot", "task");
    open_member(w, "count", '{');
    cs_jsonw_put_int(w, "per_slot", 1);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void put_attributes(struct cs_jsonw *w, const char *name, double seconds)
{
    open_member(w, "attributes", '{');
    open_member(w, "system", '{');
    cs_jsonw_put_double(w, "duration", seconds);
    open_member(w, "job", '{');
    cs_jsonw_put_string(w, "name", name);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void jobspec_put_job(const struct cs_schedule *schedule, const struct cs_bar *bar,
                            const struct cs_jobspec *how, struct cs_strbuf *out)
{
    const char *name = cs_schedule_task_name(schedule, bar->task);
    const int64_t count = cs_bar_procs(bar);
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open_flat(&w, '{');
    put_resources(&w, count, how->cores);
    put_tasks(&w, how, name, count);
    put_attributes(&w, name, how->margin * (bar->end - bar->start));
    cs_jsonw_put_int(&w, "version", 1);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

int cs_jobspec_put(const struct cs_schedule *schedule, const struct cs_jobspec *how,
                   struct cs_spill *to, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const int tasks = cs_schedule_tasks(schedule);
    const struct cs_bar **bar = CS_NEW_ARRAY(arena, const struct cs_bar *, tasks);
    int *order = CS_NEW_ARRAY(arena, int, tasks);
    int status = cs_batch_bars(schedule, "list of jobspecs", "job", bar, err);

    if (!status) {
        cs_batch_order(bar, tasks, order, arena);
        for (int k = 0; k < tasks; k++) {
            jobspec_put_job(schedule, bar[order[k]], how, to->out);
            cs_spill_some(to, CS_SPILL_PIECE);
        }
    }
    cs_arena_destroy(arena);
    return status;
}
