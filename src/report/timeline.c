/* timeline.c - which bar is on which track. */
#include "report/timeline.h"
#include "base/csv.h"
#include "base/jsonw.h"
#include "base/order.h"
#include "model/bars.h"
#include "model/procset.h"
#include "report/gantt.h"
#include "report/palette.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A track while slices are laid on it. */
struct lane {
    double end;
    size_t last; /* slice */
    int next;    /* track of the same processor or task; -1: none */
    bool used;
};

struct builder {
    struct cs_timeline *line;
    struct cs_arena *arena;
    struct lane *lane;
    int *of, room;
};

static size_t count_slices(const struct cs_bar *bar, size_t bars)
{
    size_t count = 0;

    for (size_t b = 0; b < bars; b++)
        count += (size_t)cs_bar_procs(&bar[b]);
    return count;
}

static int new_track(struct builder *b, int of)
{
    const int track = b->line->tracks++;

    if (track == b->room) {
        const size_t kept = (size_t)b->room, room = 2 * kept + 8;

        b->lane = cs_arena_grow(b->arena, b->lane, kept, room, sizeof *b->lane);
        b->of = cs_arena_grow(b->arena, b->of, kept, room, sizeof *b->of);
        b->room = (int)room;
    }
    b->lane[track] = (struct lane){.next = -1};
    b->of[track] = of;
    return track;
}

/* The first track of a processor or task on which nothing runs any more. */
static int free_track(struct builder *b, int of, double start)
{
    int track = of;

    while (b->lane[track].used && b->lane[track].end > start) {
        if (b->lane[track].next < 0) {
            const int more = new_track(b, of);

            b->lane[track].next = more;
            return more;
        }
        track = b->lane[track].next;
    }
    return track;
}

static void timeline_add(struct builder *b, const struct cs_bar *bar, int of)
{
    struct cs_timeline *line = b->line;
    const int track = free_track(b, of, bar->start);
    struct lane *lane = &b->lane[track];

    if (lane->used && lane->end == bar->start)
        line->slice[lane->last].joined = true;
    lane->used = true;
    lane->end = bar->end;
    lane->last = line->slices;
    line->slice[line->slices++] = (struct cs_slice){.bar = bar, .track = track};
}

static void add_bar(struct builder *b, const struct cs_bar *bar)
{
    if (b->line->by_task) {
        timeline_add(b, bar, bar->task);
        return;
    }
    for (int i = 0; i < bar->intervals; i++)
        for (int p = bar->procs[i].first; p <= bar->procs[i].last; p++)
            timeline_add(b, bar, p);
}

static void timeline_lay(struct builder *b, const struct cs_bar *bar, size_t bars)
{
    double *start = CS_NEW_ARRAY(b->arena, double, bars);
    int *order = CS_NEW_ARRAY(b->arena, int, bars);

    for (int of = 0; of < b->line->firsts; of++)
        new_track(b, of);
    for (size_t i = 0; i < bars; i++)
        start[i] = bar[i].start;
    cs_order_ascending(start, (int)bars, order, b->arena);
    for (size_t i = 0; i < bars; i++)
        add_bar(b, &bar[order[i]]);
    b->line->of = b->of;
}

int cs_timeline_make(const struct cs_schedule *schedule, enum cs_tracks tracks,
                     struct cs_arena *arena, struct cs_timeline *out, struct cs_error *err)
{
    struct builder b = {.line = out, .arena = arena};
    size_t bars, slices;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    if (cs_gantt_possible(schedule, 0, 0, err))
        return -1;
    if (bars > INT_MAX)
        return cs_error_set(err, "the schedule has %zu bars, more than can be shown", bars);
    slices = count_slices(bar, bars);
    if (tracks == CS_TRACKS_PROCS && slices > CS_TIMELINE_LARGEST)
        return cs_error_set(err,
                            "by processor there are %zu slices, more than %d: take a track for "
                            "each task",
                            slices, CS_TIMELINE_LARGEST);
    *out = (struct cs_timeline){
        .schedule = schedule,
        .by_task =
            tracks == CS_TRACKS_DEFAULT ? slices > CS_TIMELINE_MOST : tracks == CS_TRACKS_TASKS,
    };
    out->firsts = out->by_task ? cs_schedule_tasks(schedule) : cs_schedule_procs(schedule);
    out->slice = CS_NEW_ARRAY(arena, struct cs_slice, out->by_task ? bars : slices);
    timeline_lay(&b, bar, bars);
    return 0;
}

/* The index of the cluster that a processor belongs to; 0 without a platform. */
static int timeline_cluster(const struct cs_schedule *schedule, int proc)
{
    const struct cs_platform *platform = cs_schedule_platform(schedule);
    int cluster = 0;

    while (platform && cluster + 1 < platform->clusters &&
           platform->cluster[cluster + 1].first <= proc)
        cluster++;
    return cluster;
}

/* Index of the track within its processor or task, from 1. */
static int timeline_place_of(const struct cs_timeline *line, int track)
{
    int place = track < line->firsts ? 1 : 2;

    for (int t = line->firsts; t < track; t++)
        place += line->of[t] == line->of[track];
    return place;
}

/* The name of a track: "node 3", "VASP", "node 3 (2)". */
static void timeline_put_track(const struct cs_timeline *line, int track, struct cs_strbuf *out)
{
    const struct cs_platform *platform = cs_schedule_platform(line->schedule);
    const char *unit = platform ? platform->unit : "processor";

    if (line->by_task)
        cs_strbuf_puts(out, cs_schedule_task_name(line->schedule, line->of[track]));
    else
        cs_strbuf_printf(out, "%s %d", unit, line->of[track]);
    if (track >= line->firsts)
        cs_strbuf_printf(out, " (%d)", timeline_place_of(line, track));
}

/* The bars of a schedule as a table. */

void cs_timeline_bars(const struct cs_schedule *schedule, struct cs_spill *to)
{
    struct cs_strbuf procs = CS_STRBUF_INIT, *out = to->out;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    cs_strbuf_puts(out, "task,name,attempt,group,kind,start,end,procs\n");
    for (size_t b = 0; b < bars; b++) {
        cs_strbuf_printf(out, "%d,", bar[b].task);
        cs_csv_quote(out, cs_schedule_task_name(schedule, bar[b].task));
        cs_strbuf_printf(out, ",%d,", bar[b].attempt);
        if (bar[b].group >= 0)
            cs_strbuf_printf(out, "%d", bar[b].group);
        cs_strbuf_printf(out, ",%s,", cs_bar_kind_name(bar[b].kind));
        cs_strbuf_put_double(out, bar[b].start);
        cs_strbuf_putc(out, ',');
        cs_strbuf_put_double(out, bar[b].end);
        cs_strbuf_clear(&procs);
        cs_procset_print(&procs, bar[b].procs, bar[b].intervals);
        cs_strbuf_printf(out, ",%s\n", procs.text);
        cs_spill_some(to, CS_SPILL_PIECE);
    }
    cs_strbuf_release(&procs);
}

/* Paje's trace: ten definitions of events, containers, then states by time.
 *
 * A state is a kind of bar, or idle; what runs is in two more fields, as the format allows.  No
 * comments, which ViTE does not know, and no empty fields, which pj_dump does not see. */

static const char definitions[] = "%EventDef PajeDefineContainerType 0\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineStateType 1\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineEntityValue 2\n"
                                  "% Alias string\n% Type string\n% Name string\n% Color color\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeDefineVariableType 3\n"
                                  "% Alias string\n% Type string\n% Name string\n% Color color\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeCreateContainer 4\n"
                                  "% Time date\n% Alias string\n% Type string\n"
                                  "% Container string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDestroyContainer 5\n"
                                  "% Time date\n% Name string\n% Type string\n%EndEventDef\n"
                                  "%EventDef PajeSetState 6\n"
                                  "% Time date\n% Type string\n% Container string\n"
                                  "% Value string\n% Task string\n% Attempt int\n%EndEventDef\n"
                                  "%EventDef PajePushState 7\n"
                                  "% Time date\n% Type string\n% Container string\n"
                                  "% Value string\n%EndEventDef\n"
                                  "%EventDef PajePopState 8\n"
                                  "% Time date\n% Type string\n% Container string\n%EndEventDef\n"
                                  "%EventDef PajeSetVariable 9\n"
                                  "% Time date\n% Type string\n% Container string\n"
                                  "% Value double\n%EndEventDef\n";

/* In quotes; what would end them, or the line, is put otherwise. */
static void timeline_paje_put_name(const char *name, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, " \"");
    for (; *name; name++)
        cs_strbuf_putc(out, *name == '"' ? '\'' : (unsigned char)*name < ' ' ? ' ' : *name);
    cs_strbuf_putc(out, '"');
}

static void put_event(int kind, double time, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%d ", kind);
    cs_strbuf_put_double(out, time);
}

static void put_types(struct cs_strbuf *out)
{
    const struct cs_theme *theme = cs_theme(CS_STYLE_COLOR);

    cs_strbuf_puts(out, "0 M 0 \"machine\"\n0 C M \"cluster\"\n0 P C \"track\"\n"
                        "1 S P \"state\"\n2 idle S \"idle\" \"0.93 0.93 0.93\"\n");
    for (int kind = CS_BAR_WORK; kind <= CS_BAR_KIND_LAST; kind++) {
        const struct cs_color c = cs_palette_bar(kind - CS_BAR_WORK, theme);
        const char *name = cs_bar_kind_name((enum cs_bar_kind)kind);

        cs_strbuf_printf(out, "2 %s S \"%s\" \"%.3f %.3f %.3f\"\n", name, name, c.red / 255.0,
                         c.green / 255.0, c.blue / 255.0);
    }
}

static void put_containers(const struct cs_timeline *line, struct cs_spill *to)
{
    struct cs_strbuf *out = to->out;
    const struct cs_platform *platform = cs_schedule_platform(line->schedule);
    const int clusters = line->by_task || !platform ? 1 : platform->clusters;
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_strbuf_puts(out, "4 0 m M 0 \"machine\"\n");
    for (int c = 0; c < clusters; c++) {
        cs_strbuf_printf(out, "4 0 c%d C m", c);
        timeline_paje_put_name(line->by_task ? "tasks"
                               : platform    ? platform->cluster[c].name
                                             : "cluster",
                               out);
        cs_strbuf_putc(out, '\n');
    }
    for (int t = 0; t < line->tracks; t++) {
        const int cluster = line->by_task ? 0 : timeline_cluster(line->schedule, line->of[t]);

        cs_strbuf_clear(&name);
        timeline_put_track(line, t, &name);
        cs_strbuf_printf(out, "4 0 p%d P c%d", t, cluster);
        timeline_paje_put_name(name.text, out);
        cs_strbuf_printf(out, "\n6 0 S p%d idle \"-\" 0\n", t);
        cs_spill_some(to, CS_SPILL_PIECE);
    }
    cs_strbuf_release(&name);
}

static void put_start(const struct cs_timeline *line, const struct cs_slice *slice,
                      struct cs_strbuf *out)
{
    put_event(6, slice->bar->start, out);
    cs_strbuf_printf(out, " S p%d %s", slice->track, cs_bar_kind_name(slice->bar->kind));
    timeline_paje_put_name(cs_schedule_task_name(line->schedule, slice->bar->task), out);
    cs_strbuf_printf(out, " %d\n", slice->bar->attempt);
}

static void put_end(const struct cs_slice *slice, struct cs_strbuf *out)
{
    if (slice->joined)
        return;
    put_event(6, slice->bar->end, out);
    cs_strbuf_printf(out, " S p%d idle \"-\" 0\n", slice->track);
}

/* Ends before starts of the same time; those of slices that take no time behind their starts. */
static void put_states(const struct cs_timeline *line, struct cs_spill *to)
{
    struct cs_arena *arena = cs_arena_create();
    double *end = CS_NEW_ARRAY(arena, double, line->slices);
    int *order = CS_NEW_ARRAY(arena, int, line->slices);
    const int count = (int)line->slices;
    int e = 0;

    for (int i = 0; i < count; i++)
        end[i] = line->slice[i].bar->end;
    cs_order_ascending(end, count, order, arena);
    for (int s = 0; s < count || e < count;) {
        const bool ends =
            s == count || (e < count && order[e] < s && end[order[e]] <= line->slice[s].bar->start);

        if (ends)
            put_end(&line->slice[order[e++]], to->out);
        else
            put_start(line, &line->slice[s++], to->out);
        cs_spill_some(to, CS_SPILL_PIECE);
    }
    cs_arena_destroy(arena);
}

static void put_destruction(const struct cs_timeline *line, struct cs_strbuf *out)
{
    put_event(5, cs_schedule_makespan(line->schedule), out);
    cs_strbuf_puts(out, " m M\n");
}

void cs_timeline_paje(const struct cs_timeline *line, struct cs_spill *to)
{
    cs_strbuf_puts(to->out, definitions);
    put_types(to->out);
    put_containers(line, to);
    put_states(line, to);
    put_destruction(line, to->out);
}

/* Trace events: complete slices (X), a counter (C), names (M).
 *
 * Times are microseconds.  pid and tid are whole numbers from 1 on, as viewers keep 0 for what is
 * idle: a process is a cluster, a thread a track.
 */

#define MICRO 1e6

static int process_of(const struct cs_timeline *line, int track)
{
    return line->by_task ? 1 : 1 + timeline_cluster(line->schedule, line->of[track]);
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

    timeline_put_track(line, track, &name);
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

void cs_timeline_trace(const struct cs_timeline *line, const char *command, struct cs_spill *to)
{
    struct cs_jsonw w = cs_jsonw_begin(to->out);

    cs_jsonw_stream(&w, to);
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
