/* schedule_put.c - writing schedules as JSON. */
#include "io/platform_json.h"
#include "io/schedule_json.h"
#include "io/workload.h"
#include "model/procset.h"

void cs_schedule_json_put_head(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const char *policy)
{
    cs_jsonw_put_string(w, "format", CS_SCHEDULE_FORMAT);
    if (*cs_schedule_problem(schedule))
        cs_jsonw_put_string(w, "problem", cs_schedule_problem(schedule));
    if (policy)
        cs_jsonw_put_string(w, "policy", policy);
    cs_jsonw_put_int(w, "procs", cs_schedule_procs(schedule));
    if (cs_schedule_platform(schedule)) {
        cs_jsonw_key(w, "platform");
        cs_platform_json_put(w, cs_schedule_platform(schedule));
    }
    cs_jsonw_put_double(w, "makespan", cs_schedule_makespan(schedule));
}

void cs_schedule_json_put_inputs(struct cs_jsonw *w, int count,
                                 const struct cs_schedule_input *input)
{
    if (count == 0)
        return;
    cs_jsonw_key(w, "inputs");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < count; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "of", input[i].of);
        cs_jsonw_put_string(w, "file", input[i].file);
        if (*input[i].sha256)
            cs_jsonw_put_string(w, "sha256", input[i].sha256);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_bar(struct cs_jsonw *w, const struct cs_bar *bar, struct cs_strbuf *set)
{
    cs_strbuf_clear(set);
    cs_procset_print(set, bar->procs, bar->intervals);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "task", bar->task);
    cs_jsonw_put_int(w, "attempt", bar->attempt);
    cs_jsonw_put_string(w, "kind", cs_bar_kind_name(bar->kind));
    if (bar->group >= 0)
        cs_jsonw_put_int(w, "group", bar->group);
    cs_jsonw_put_string(w, "procs", set->text);
    cs_jsonw_put_double(w, "start", bar->start);
    cs_jsonw_put_double(w, "end", bar->end);
    cs_jsonw_close(w);
}

static void put_bars(struct cs_jsonw *w, const struct cs_schedule *schedule)
{
    struct cs_strbuf set = CS_STRBUF_INIT;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    cs_jsonw_key(w, "bars");
    cs_jsonw_open(w, '[');
    for (size_t i = 0; i < bars; i++)
        put_bar(w, &bar[i], &set);
    cs_jsonw_close(w);
    cs_strbuf_release(&set);
}

void cs_schedule_json_put_tail(struct cs_jsonw *w, const struct cs_schedule *schedule,
                               const struct cs_workload *workload)
{
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < cs_schedule_tasks(schedule); i++)
        cs_jsonw_string(w, cs_schedule_task_name(schedule, i));
    cs_jsonw_close(w);
    if (workload) {
        cs_jsonw_key(w, "instance");
        cs_workload_json_put(w, workload, NULL);
    }
    put_bars(w, schedule);
}
