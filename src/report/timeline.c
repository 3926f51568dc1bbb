/* timeline.c - which bar is on which track. */
#include "report/timeline.h"

#include "base/order.h"
#include "model/bars.h"
#include "report/gantt.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

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

int cs_timeline_cluster(const struct cs_schedule *schedule, int proc)
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

void cs_timeline_put_track(const struct cs_timeline *line, int track, struct cs_strbuf *out)
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
