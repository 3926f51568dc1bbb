/* fair_start.c - the log up to one job, until that one starts. */
#include "rigid/fair_start.h"

#include <inttypes.h>

struct prefix {
    cs_log_next_f *next;
    void *source;
    int64_t number, arrived;
    double start;
    bool started;
};

/* Jobs that are left out have no number, so more may be asked for than the number says. */
static int next_of(void *who, struct cs_log_job *out, struct cs_error *err)
{
    struct prefix *prefix = who;

    return prefix->arrived++ > prefix->number ? 0 : prefix->next(prefix->source, out, err);
}

static void left_out(void *who, const struct cs_log_job *job)
{
    (void)job;
    ((struct prefix *)who)->arrived--;
}

static void started(void *who, const struct cs_rigid_story *story, double now)
{
    struct prefix *prefix = who;

    if (story->number != prefix->number || prefix->started)
        return;
    prefix->start = now;
    prefix->started = true;
}

int cs_rigid_fair_start(const struct cs_rigid_operation *op, cs_log_next_f *next, void *source,
                        int64_t number, double *start, struct cs_error *err)
{
    struct prefix prefix = {.next = next, .source = source, .number = number};
    const struct cs_rigid_observer observer = {
        .started = started, .left_out = left_out, .who = &prefix};
    struct cs_rigid_operation alone = *op;
    struct cs_rigid_operated result;

    alone.observers = 1;
    alone.observer = &observer;
    alone.stop = &prefix.started;
    alone.sets = false;
    if (cs_rigid_operate(&alone, next_of, &prefix, &result, err))
        return -1;
    if (!prefix.started)
        return cs_error_set(err, "there is no job number %" PRId64 " in the log", number);
    *start = prefix.start;
    return 0;
}
