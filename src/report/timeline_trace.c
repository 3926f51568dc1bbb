/* timeline_trace.c - trace events: complete slices (X), a counter (C), names (M).
 *
 * Times are microseconds.  pid and tid are whole numbers from 1 on, as viewers keep 0 for what is
 * idle: a process is a cluster, a thread a track.
 */
#include "base/jsonw.h"
#include "base/order.h"
#include "model/bars.h"
#include "model/procset.h"
#include "report/timeline.h"

#include <string.h>

#define MICRO 1e6

static int process_of(const struct cs_timeline *line, int track)
{
    return line->by_task ? 1 : 1 + cs_timeline_cluster(line->schedule, line->of[track]);
}

static void open_event(struct cs_jsonw *w, const char *phase, const char *name, int process)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "ph", phase);
    cs_jsonw_put_string(w, "name", name);
    cs_jsonw_put_int(w, "pid", process);
}

static void open_args(struct cs_jsonw *w)
{
    cs_jsonw_key(w, "args");
    cs_jsonw_open_flat(w, '{');
}

static void close_event(struct cs_jsonw *w)
{
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void put_processes(const struct cs_timeline *line, struct cs_jsonw *w)
{
    const struct cs_platform *platform = cs_schedule_platform(line->schedule);
    const int count = line->by_task || !platform ? 1 : platform->clusters;

    for (int c = 0; c < count; c++) {
        open_event(w, "M", "process_name", c + 1);
        open_args(w);
        cs_jsonw_put_string(w, "name",
                            line->by_task ? "tasks"
                            : platform    ? platform->cluster[c].name
                                          : "machine");
        close_event(w);
    }
}

static void put_thread(const struct cs_timeline *line, int track, struct cs_jsonw *w)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_timeline_put_track(line, track, &name);
    open_event(w, "M", "thread_name", process_of(line, track));
    cs_jsonw_put_int(w, "tid", track + 1);
    open_args(w);
    cs_jsonw_put_string(w, "name", name.text);
    close_event(w);
    open_event(w, "M", "thread_sort_index", process_of(line, track));
    cs_jsonw_put_int(w, "tid", track + 1);
    open_args(w);
    cs_jsonw_put_int(w, "sort_index", line->of[track]);
    close_event(w);
    cs_strbuf_release(&name);
}

static void put_slice(const struct cs_timeline *line, const struct cs_slice *slice,
                      struct cs_jsonw *w)
{
    const struct cs_bar *bar = slice->bar;
    struct cs_strbuf procs = CS_STRBUF_INIT;

    cs_procset_print(&procs, bar->procs, bar->intervals);
    open_event(w, "X", cs_schedule_task_name(line->schedule, bar->task),
               process_of(line, slice->track));
    cs_jsonw_put_int(w, "tid", slice->track + 1);
    cs_jsonw_put_string(w, "cat", cs_bar_kind_name(bar->kind));
    cs_jsonw_put_double(w, "ts", bar->start * MICRO);
    cs_jsonw_put_double(w, "dur", bar->end * MICRO - bar->start * MICRO);
    open_args(w);
    cs_jsonw_put_int(w, "attempt", bar->attempt);
    if (bar->group >= 0)
        cs_jsonw_put_int(w, "group", bar->group);
    cs_jsonw_put_string(w, "procs", procs.text);
    close_event(w);
    cs_strbuf_release(&procs);
}

static void put_count(double time, long long used, struct cs_jsonw *w)
{
    open_event(w, "C", "processors in use", 1);
    cs_jsonw_put_double(w, "ts", time * MICRO);
    open_args(w);
    cs_jsonw_put_int(w, "processors", used);
    close_event(w);
}

/* After every time at which a bar starts or ends. */
static void put_counter(const struct cs_timeline *line, struct cs_jsonw *w)
{
    struct cs_arena *arena = cs_arena_create();
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(line->schedule, &bars);
    double *start = CS_NEW_ARRAY(arena, double, bars), *end = CS_NEW_ARRAY(arena, double, bars);
    int *by_start = CS_NEW_ARRAY(arena, int, bars), *by_end = CS_NEW_ARRAY(arena, int, bars);
    long long used = 0;

    for (size_t b = 0; b < bars; b++) {
        start[b] = bar[b].start;
        end[b] = bar[b].end;
    }
    cs_order_ascending(start, (int)bars, by_start, arena);
    cs_order_ascending(end, (int)bars, by_end, arena);
    for (size_t s = 0, e = 0; e < bars;) {
        const double now =
            s < bars && start[by_start[s]] < end[by_end[e]] ? start[by_start[s]] : end[by_end[e]];

        for (; s < bars && start[by_start[s]] <= now; s++)
            used += cs_bar_procs(&bar[by_start[s]]);
        for (; e < bars && end[by_end[e]] <= now; e++)
            used -= cs_bar_procs(&bar[by_end[e]]);
        put_count(now, used, w);
    }
    cs_arena_destroy(arena);
}

static void put_other(const struct cs_timeline *line, const char *command, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "otherData");
    cs_jsonw_open_flat(w, '{');
    if (command)
        cs_jsonw_put_string(w, "command", command);
    cs_jsonw_put_string(w, "problem", cs_schedule_problem(line->schedule));
    cs_jsonw_put_double(w, "makespan", cs_schedule_makespan(line->schedule));
    cs_jsonw_close(w);
}

void cs_timeline_trace(const struct cs_timeline *line, const char *command, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "displayTimeUnit", "ms");
    put_other(line, command, &w);
    cs_jsonw_key(&w, "traceEvents");
    cs_jsonw_open(&w, '[');
    put_processes(line, &w);
    for (int track = 0; track < line->tracks; track++)
        put_thread(line, track, &w);
    put_counter(line, &w);
    for (size_t i = 0; i < line->slices; i++)
        put_slice(line, &line->slice[i], &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}
