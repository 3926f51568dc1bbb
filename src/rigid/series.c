/* series.c - integrals spread over the bins that a stretch of time touches. */
#include "rigid/series.h"

#include "base/guard.h"
#include "rigid/measures.h"

#include <math.h>
#include <string.h>

struct cs_rigid_series *cs_rigid_series_create(int64_t epoch, const struct cs_zone *zone)
{
    struct cs_rigid_series *s = cs_block_zero(1, sizeof *s);

    s->epoch = epoch;
    s->zone = zone;
    return s;
}

void cs_rigid_series_destroy(struct cs_rigid_series *s)
{
    cs_block_free(s);
}

static void add(struct cs_rigid_bin *to, const struct cs_rigid_bin *from)
{
    to->used += from->used;
    to->queue += from->queue;
    to->work += from->work;
    to->arrivals += from->arrivals;
    to->starts += from->starts;
    to->measured += from->measured;
    to->wait += from->wait;
}

static void join(struct cs_rigid_series *s)
{
    const int count = (s->count + 1) / 2;

    for (int i = 0; i < count; i++) {
        struct cs_rigid_bin sum = s->bin[2 * i];

        if (2 * i + 1 < s->count)
            add(&sum, &s->bin[2 * i + 1]);
        s->bin[i] = sum;
    }
    memset(s->bin + count, 0, (size_t)(CS_RIGID_BINS - count) * sizeof *s->bin);
    s->count = count;
    s->length *= 2;
}

void cs_rigid_series_widen(struct cs_rigid_series *s, double length)
{
    while (s->count && s->length < length)
        join(s);
}

static struct cs_rigid_bin *bin_at(struct cs_rigid_series *s, double time)
{
    int64_t at;

    while ((time - s->origin) / s->length >= CS_RIGID_BINS)
        join(s);
    at = (int64_t)fmax(0, floor((time - s->origin) / s->length));
    if (at >= s->count)
        s->count = (int)at + 1;
    return &s->bin[at];
}

static void spread(struct cs_rigid_series *s, double from, double to)
{
    while (from < to) {
        struct cs_rigid_bin *bin = bin_at(s, from);
        const double end = s->origin + s->length * (double)(bin - s->bin + 1);
        const double time = fmin(to, end) - from;

        if (!(time > 0))
            break;
        bin->used += s->used * time;
        bin->queue += (double)s->queue * time;
        bin->work += s->work * time;
        from = fmin(to, end);
    }
}

static void advance(struct cs_rigid_series *s, double now)
{
    if (now > s->now && (s->used > 0 || s->queue > 0)) {
        bin_at(s, now);
        spread(s, s->now, now);
    }
    s->now = now;
}

static void begin(struct cs_rigid_series *s, double now)
{
    const int64_t unix_time = s->epoch + (int64_t)floor(now);
    const int64_t local = unix_time + cs_zone_offset(s->zone, unix_time);

    s->origin = floor(now) - (double)(((local % 86400) + 86400) % 86400);
    s->length = 3600;
    s->now = now;
}

static void wait(struct cs_rigid_series *s, const struct cs_rigid_story *story, int change)
{
    s->queue += change;
    s->work += change * (story->request > 0 ? story->request : 0) * (double)story->job.procs;
    if (s->queue == 0)
        s->work = 0;
}

static void arrived(void *who, const struct cs_rigid_story *story, double now)
{
    struct cs_rigid_series *s = who;

    if (s->length == 0)
        begin(s, now);
    advance(s, now);
    bin_at(s, now)->arrivals++;
    wait(s, story, 1);
}

static void started(void *who, const struct cs_rigid_story *story, double now)
{
    struct cs_rigid_series *s = who;

    advance(s, now);
    bin_at(s, now)->starts++;
    wait(s, story, -1);
    s->used += (double)story->job.procs;
}

static void ended(void *who, const struct cs_rigid_story *story, double now, bool done)
{
    struct cs_rigid_series *s = who;
    struct cs_rigid_bin *bin;

    advance(s, now);
    s->used -= (double)story->job.procs;
    if (!done) {
        wait(s, story, 1);
        return;
    }
    bin = bin_at(s, story->job.submit);
    bin->measured++;
    bin->wait += cs_rigid_story_wait(story);
}

struct cs_rigid_observer cs_rigid_series_observer(struct cs_rigid_series *s)
{
    return (struct cs_rigid_observer){
        .arrived = arrived,
        .started = started,
        .ended = ended,
        .who = s,
    };
}
