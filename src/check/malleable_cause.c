/* malleable_cause.c - why segments end.
 *
 * Each failure in the list that strikes must stop a task at its time on one of its processors, and
 * nothing else stops a task; each that does not must hit an idle processor, or a task that is down,
 * recovering or moving. Without a failure a task may change its processors only when another task
 * ends, when a failure is answered by a redistribution, or (with wake events) when a task goes back
 * to computing.
 */
#include "base/plain.h"
#include "check/malleable.h"

#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct causes {
    const struct cs_check_malleable *c;
    const struct cs_malleable_declared_fault **fault; /* by time, then place in the list */
    bool *used;                                       /* by place in `fault` */
    size_t faults;
    double *shift; /* when some task changes its width, ascending */
    size_t shifts;
    double *event; /* when processors may move: ends, and wake events; ascending */
    size_t events;
};

static const char *malleable_cause_name_of(const struct causes *k, const struct cs_check_segment *s)
{
    return cs_check_malleable_name(k->c, s->task);
}

static bool malleable_cause_is(const struct cs_malleable_declared_fault *fault, const char *effect)
{
    return strcmp(fault->effect, effect) == 0;
}

static bool malleable_cause_strikes(const struct cs_malleable_declared_fault *fault)
{
    return !malleable_cause_is(fault, "idle") && !malleable_cause_is(fault, "ignored");
}

static bool malleable_cause_holds(const struct cs_check_segment *s, int processor)
{
    const struct cs_interval one = {processor, processor};

    return cs_procset_common(s->at->procs, s->at->intervals, &one, 1) >= 0;
}

static int by_time(const void *a, const void *b)
{
    const struct cs_malleable_declared_fault
        *x = *(const struct cs_malleable_declared_fault *const *)a,
        *y = *(const struct cs_malleable_declared_fault *const *)b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool malleable_cause_near(const double *value, size_t count, double time)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (value[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return (low < count && cs_check_malleable_now(value[low], time)) ||
           (low && cs_check_malleable_now(value[low - 1], time));
}

static void make_faults(struct causes *k, struct cs_arena *arena)
{
    const struct cs_malleable_declared *d = k->c->declared;

    k->faults = (size_t)d->faults;
    k->fault = CS_NEW_ARRAY(arena, const struct cs_malleable_declared_fault *, d->faults);
    k->used = CS_NEW_ARRAY(arena, bool, d->faults);
    for (int i = 0; i < d->faults; i++) {
        k->fault[i] = &d->fault[i];
        if (i && d->fault[i].time < d->fault[i - 1].time)
            cs_check_add(k->c->report, CS_VIOLATION_FAILURES, -1, d->fault[i].time,
                         "the failure at %.15g s is listed after the one at %.15g s: they are "
                         "listed by time",
                         d->fault[i].time, d->fault[i - 1].time);
    }
    if (k->faults)
        qsort(k->fault, k->faults, sizeof *k->fault, by_time);
    if (d->fault_free && k->faults)
        cs_check_add(k->c->report, CS_VIOLATION_FAILURES, -1, k->fault[0]->time,
                     "there are %zu failures in a fault-free schedule", k->faults);
}

static bool is_first(const struct causes *k, const struct cs_check_segment *s)
{
    return s == k->c->segment || s[-1].task != s->task;
}

static void make_shifts(struct causes *k, struct cs_arena *arena)
{
    k->shift = CS_NEW_ARRAY(arena, double, k->c->segments);
    for (size_t i = 0; i < k->c->segments; i++) {
        const struct cs_check_segment *s = &k->c->segment[i];

        if (is_first(k, s) ? s->moved : s[-1].procs != s->procs)
            k->shift[k->shifts++] = s->start;
    }
    if (k->shifts)
        qsort(k->shift, k->shifts, sizeof *k->shift, by_value);
}

static void make_events(struct causes *k, struct cs_arena *arena)
{
    const struct cs_malleable_declared *d = k->c->declared;

    k->event = CS_NEW_ARRAY(arena, double, 2 * k->c->segments);
    for (size_t i = 0; i < k->c->segments && strcmp(d->on_end, "none") != 0; i++) {
        const struct cs_check_segment *s = &k->c->segment[i];

        if (s->last)
            k->event[k->events++] = s->end;
        if (d->rules.wake)
            k->event[k->events++] = s->body;
    }
    if (k->events)
        qsort(k->event, k->events, sizeof *k->event, by_value);
}

/* The first failure of the list that is not before `time` by more than rounding. */
static size_t first_fault(const struct causes *k, double time)
{
    size_t low = 0, high = k->faults;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (k->fault[middle]->time < time && !cs_check_malleable_now(k->fault[middle]->time, time))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A task without data moves in no time.  Where it moves and a failure strikes at one time, no bar
 * shows the checkpoint in which it strikes, and the segment after it is the one that moved. */
static bool is_hidden_strike(const struct causes *k, const struct cs_check_segment *s,
                             const struct cs_malleable_declared_fault *fault)
{
    const double *data = k->c->workload->data;

    return malleable_cause_is(fault, "initial-checkpoint") && s->moved &&
           !(data && data[s->task] > 0) && malleable_cause_holds(s, fault->processor);
}

static const struct cs_malleable_declared_fault *find_strike(struct causes *k,
                                                             const struct cs_check_segment *before,
                                                             const struct cs_check_segment *s)
{
    for (size_t i = first_fault(k, s->start);
         i < k->faults && cs_check_malleable_now(k->fault[i]->time, s->start); i++)
        if (!k->used[i] && malleable_cause_strikes(k->fault[i]) &&
            (malleable_cause_holds(before, k->fault[i]->processor) ||
             is_hidden_strike(k, s, k->fault[i]))) {
            k->used[i] = true;
            return k->fault[i];
        }
    return NULL;
}

static void wrong_effect(const struct causes *k, const struct cs_malleable_declared_fault *fault,
                         int task, const char *why)
{
    cs_check_add(k->c->report, CS_VIOLATION_FAILURES, task, fault->time,
                 "the failure at %.15g s on processor %d is declared with the effect %s: %s",
                 fault->time, fault->processor, fault->effect, why);
}

/* Is the kind of rollback the one that the bars show? */
static void check_effect(const struct causes *k, const struct cs_check_segment *s,
                         const struct cs_malleable_declared_fault *fault)
{
    bool none = strcmp(k->c->declared->on_failure, "none") == 0;
    bool moves = malleable_cause_near(k->shift, k->shifts, fault->time);
    bool interrupted = (!is_first(k, s) && s[-1].interrupted) || is_hidden_strike(k, s, fault);

    if (interrupted != malleable_cause_is(fault, "initial-checkpoint"))
        wrong_effect(k, fault, s->task,
                     interrupted ? "it strikes in the checkpoint after a move"
                                 : "it does not strike in the checkpoint after a move");
    else if (malleable_cause_is(fault, "initial-checkpoint"))
        return;
    else if (none != malleable_cause_is(fault, "rollback") && *k->c->declared->on_failure)
        wrong_effect(k, fault, s->task,
                     none ? "no decision on failures" : "a decision on failures");
    else if (malleable_cause_is(fault, "rollback-redistributed") && !moves)
        wrong_effect(k, fault, s->task, "no task changes its processors then");
    else if (!malleable_cause_is(fault, "rollback-redistributed") && s->moved)
        wrong_effect(k, fault, s->task, "the task changes its processors then");
}

/* A segment that begins with downtime or recovery needs its failure.  The first one does only at
 * time 0, when the processors before it are not known but from its own. */
static void check_failures_hit(struct causes *k, struct cs_check_segment *s)
{
    const bool first = is_first(k, s);
    const struct cs_malleable_declared_fault *fault =
        first && s->start > 0 ? NULL : find_strike(k, first ? s : s - 1, s);

    if (fault) {
        s->failed_proc = fault->processor;
        check_effect(k, s, fault);
        return;
    }
    cs_check_add(k->c->report, CS_VIOLATION_FAILURES, s->task, s->start,
                 "task \"%.60s\" is stopped by a failure at %.15g s: the list has none then on its "
                 "processors",
                 malleable_cause_name_of(k, s), s->start);
}

/* May processors move at this time? */
static bool is_event(const struct causes *k, double time)
{
    const struct cs_malleable_declared *d = k->c->declared;

    if (!*d->on_end || !*d->on_failure)
        return true;
    for (size_t i = first_fault(k, time);
         i < k->faults && cs_check_malleable_now(k->fault[i]->time, time); i++)
        if (malleable_cause_is(k->fault[i], "rollback-redistributed"))
            return true;
    return malleable_cause_near(k->event, k->events, time);
}

static void check_causes(struct causes *k)
{
    for (size_t i = 0; i < k->c->segments; i++) {
        struct cs_check_segment *s = &k->c->segment[i];

        if (s->failures_hit)
            check_failures_hit(k, s);
        else if (is_first(k, s))
            continue;
        else if (s->moved && !is_event(k, s->start))
            cs_check_add(k->c->report, CS_VIOLATION_REDISTRIBUTION, s->task, s->start,
                         "task \"%.60s\" changes its processors at %.15g s: nothing happens then "
                         "to decide it",
                         malleable_cause_name_of(k, s), s->start);
    }
}

/* The last segment of the task that starts before the time, or at it; NULL: none. */
static const struct cs_check_segment *segment_at(const struct cs_check_malleable *c, int task,
                                                 double time, bool at)
{
    size_t low = c->first[task], high = c->first[task + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->segment[middle].start < time || (at && c->segment[middle].start == time))
            low = middle + 1;
        else
            high = middle;
    }
    return low == c->first[task] ? NULL : &c->segment[low - 1];
}

/* The segment that holds the processor after everything at that time has happened, or NULL. */
static const struct cs_check_segment *holder_after(const struct causes *k,
                                                   const struct cs_malleable_declared_fault *fault)
{
    for (int task = 0; task < cs_schedule_tasks(k->c->schedule); task++) {
        const struct cs_check_segment *s = segment_at(k->c, task, fault->time, true);

        if (s && s->end > fault->time && malleable_cause_holds(s, fault->processor))
            return s;
    }
    return NULL;
}

/* The segment that holds it after the ends at that time, and before anything else; or NULL. */
static const struct cs_check_segment *holder_before(const struct causes *k,
                                                    const struct cs_malleable_declared_fault *fault)
{
    for (int task = 0; task < cs_schedule_tasks(k->c->schedule); task++) {
        const struct cs_check_segment *s = segment_at(k->c, task, fault->time, fault->time == 0);

        if (s && (s->end > fault->time || (s->end == fault->time && !s->last)) &&
            !(s->start == fault->time && s->moved) && malleable_cause_holds(s, fault->processor))
            return s;
    }
    return NULL;
}

/* Does a failure at the same time, before it in the list (step -1) or after it (1), make tasks
 * change their processors? */
static bool is_answered(const struct causes *k, size_t fault, int step)
{
    const double time = k->fault[fault]->time;

    for (size_t i = fault + (size_t)step; i < k->faults && k->fault[i]->time == time;
         i += (size_t)step)
        if (malleable_cause_is(k->fault[i], "rollback-redistributed"))
            return true;
    return false;
}

/* Failures at one time happen in the order of the list, after ends and wakes: what is idle may be
 * given to a task by a later one, or come from a task by an earlier one. */
static bool is_idle(const struct causes *k, size_t fault)
{
    const double time = k->fault[fault]->time;
    const struct cs_check_segment *before = holder_before(k, k->fault[fault]);
    const struct cs_check_segment *after = holder_after(k, k->fault[fault]);
    bool freed =
        !before || malleable_cause_near(k->event, k->events, time) || is_answered(k, fault, -1);

    return freed && (!after || is_answered(k, fault, 1));
}

/* Would the machine have lost both copies of the checkpoint? */
static bool malleable_cause_fatal(const struct cs_malleable_declared_fault *fault,
                                  const struct cs_check_segment *s)
{
    return s->failed_proc >= 0 && fault->processor == (s->failed_proc ^ 1) &&
           fault->time < s->down_until;
}

static void check_unstruck(const struct causes *k, size_t at, int *deadly)
{
    const struct cs_malleable_declared_fault *fault = k->fault[at];
    const struct cs_check_segment *s = holder_after(k, fault);
    char why[200];

    if (malleable_cause_is(fault, "idle") && is_idle(k, at))
        return;
    if (s && malleable_cause_is(fault, "ignored") && fault->time < s->safe_until) {
        *deadly += malleable_cause_fatal(fault, s);
        return;
    }
    if (!s)
        cs_plain_print(why, sizeof why,
                       malleable_cause_is(fault, "idle") ? "a task holds the processor until then"
                                                         : "no task holds the processor then");
    else if (malleable_cause_is(fault, "idle"))
        cs_plain_print(why, sizeof why, "task \"%.60s\" holds the processor then",
                       malleable_cause_name_of(k, s));
    else
        cs_plain_print(why, sizeof why, "task \"%.60s\" computes or saves moved data at that time",
                       malleable_cause_name_of(k, s));
    wrong_effect(k, fault, s ? s->task : -1, why);
}

static void check_faults(const struct causes *k)
{
    const struct cs_malleable_declared *d = k->c->declared;
    int deadly = 0;

    for (size_t i = 0; i < k->faults; i++) {
        if (!malleable_cause_strikes(k->fault[i]))
            check_unstruck(k, i, &deadly);
        else if (!k->used[i])
            wrong_effect(k, k->fault[i], -1, "no task that holds it is stopped then");
    }
    if (d->fatal >= 0 && d->fatal != deadly)
        cs_check_add(k->c->report, CS_VIOLATION_FAILURES, -1, NAN,
                     "%d failures are declared fatal in reality: the list has %d", d->fatal,
                     deadly);
}

void cs_check_malleable_causes(const struct cs_check_malleable *c)
{
    struct causes k = {.c = c};

    if (!*c->declared->on_end || !*c->declared->on_failure)
        cs_check_lack(c->report, "the file has no \"on_end\" or no \"on_failure\": whether "
                                 "processors may move was not checked");

    make_faults(&k, c->arena);
    make_shifts(&k, c->arena);
    make_events(&k, c->arena);
    check_causes(&k);
    check_faults(&k);
}
