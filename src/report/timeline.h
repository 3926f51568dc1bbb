/* timeline.h - schedules as the files that viewers of traces read.
 *
 * Every track is a processor, or a task; where bars of one track overlap, the later ones go to
 * further tracks of the same name, as viewers want the slices of a track apart.
 */
#ifndef CS_REPORT_TIMELINE_H
#define CS_REPORT_TIMELINE_H

#include "base/arena.h"
#include "base/file.h"
#include "model/schedule.h"

#include <cosched/error.h>

enum cs_tracks { CS_TRACKS_DEFAULT, CS_TRACKS_PROCS, CS_TRACKS_TASKS };

#define CS_TIMELINE_MOST 200000      /* slices by processor; more of them are shown by task */
#define CS_TIMELINE_LARGEST 50000000 /* slices at all */

/* One bar on one track. */
struct cs_slice {
    const struct cs_bar *bar;
    int track;
    bool joined; /* the next slice of the track begins when this one ends */
};

struct cs_timeline {
    const struct cs_schedule *schedule;
    bool by_task;
    int tracks;
    const int *of; /* by track: its processor, or task; those below `firsts` are their own */
    int firsts;
    size_t slices;
    struct cs_slice *slice; /* by start, then bar, then processor */
};

/* Lives in the arena.  -1 with err for a schedule that cannot be drawn (report/gantt.h). */
int cs_timeline_make(const struct cs_schedule *schedule, enum cs_tracks tracks,
                     struct cs_arena *arena, struct cs_timeline *out, struct cs_error *err);

/* JSON of trace events, which Perfetto and chrome://tracing show; `command` may be NULL. */
void cs_timeline_trace(const struct cs_timeline *line, const char *command, struct cs_spill *to);

/* Paje's trace, for ViTE and pj_dump. */
void cs_timeline_paje(const struct cs_timeline *line, struct cs_spill *to);

/* CSV, a row a bar. */
void cs_timeline_bars(const struct cs_schedule *schedule, struct cs_spill *to);

#endif
