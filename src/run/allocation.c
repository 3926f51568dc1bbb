/* allocation.c - lost slots, and the end of the allocation of this process.
 *
 * Checked periodically, and after every loss. Within the margin before the end no attempt starts,
 * and running attempts are signalled to stop early enough for their grace.
 */
#include "run/executor.h"

#include <math.h>

#define SELDOM 60.0  /* seconds between two looks */
#define AT_LEAST 5.0 /* seconds between the last kill and the end */
#define SAME 30.0    /* seconds by which an end may move without a new report */

static void add_event(struct cs_run_executor *x, enum cs_run_event_kind kind, int slot,
                      double value)
{
    const struct cs_run_event event = {
        .kind = kind,
        .task = -1,
        .slot = slot,
        .time = fmax(x->run.now, cs_run_clock(x)),
        .value = value,
    };

    cs_run_add_event(x, &event, NULL);
}

static bool allocation_has(const struct cs_run_attempt *attempt, int slot)
{
    for (int k = 0; k < attempt->count; k++)
        if (attempt->slot[k] == slot)
            return true;
    return false;
}

static void lose_slot(struct cs_run_executor *x, int slot)
{
    struct cs_strbuf reported = CS_STRBUF_INIT;

    cs_strbuf_printf(&reported, "slot %d is lost: node %s is down or not in the allocation", slot,
                     x->slot[slot].host);
    x->watcher.say(x->watcher.who, reported.text);
    cs_strbuf_release(&reported);
    add_event(x, CS_RUN_SLOT_DOWN, slot, 0);
    for (int a = 0; a < x->run.count; a++)
        if (x->run.running[a]->pid && !x->run.running[a]->gone &&
            allocation_has(x->run.running[a], slot))
            cs_run_abandon(x, x->run.running[a]);
}

/* Is its loss told already, in the round to come? */
static bool is_reported(const struct cs_run_executor *x, int slot)
{
    for (int e = 0; e < x->events; e++)
        if (x->event[e].kind == CS_RUN_SLOT_DOWN && x->event[e].slot == slot)
            return true;
    return false;
}

static void inspect_slots(struct cs_run_executor *x)
{
    for (int s = 0; s < x->slots; s++)
        if (!x->run.slots.down[s] && *x->slot[s].host && x->engine->is_down(x, s) &&
            !is_reported(x, s))
            lose_slot(x, s);
}

static double longest_grace(const struct cs_run_executor *x)
{
    double longest = 0;

    for (int t = 0; t < x->setup.tasks; t++)
        longest = fmax(longest, x->setup.task[t].settings->grace);
    return longest;
}

/* An attempt that saves its state needs time to save and to end. */
static double margin_of(const struct cs_run_executor *x)
{
    double saving = 0;

    for (int t = 0; t < x->setup.tasks; t++)
        if (x->setup.task[t].settings->checkpoint)
            saving = fmax(saving, x->setup.task[t].settings->checkpoint->grace);
    return fmax(x->terms.margin, saving > 0 ? saving + longest_grace(x) + AT_LEAST : 0);
}

static void inspect_end(struct cs_run_executor *x)
{
    const double now = cs_run_clock(x), left = x->engine->left(x);
    const double limit = now + left - longest_grace(x) - AT_LEAST;

    if (isinf(limit) ? !isinf(x->run.limit) : !(fabs(limit - x->run.limit) < SAME))
        add_event(x, CS_RUN_LIMIT, -1, limit);
    if (left > margin_of(x) || x->run.stopping)
        return;
    cs_run_add_request(x, 1, "the end of the allocation");
    x->kill_at = fmax(now, limit);
    x->watcher.say(x->watcher.who, "the allocation ends soon: nothing more starts");
}

void cs_run_watch_allocation(struct cs_run_executor *x)
{
    const double now = cs_run_clock(x);

    if (!x->engine->refresh || now < x->slots_at)
        return;
    x->engine->refresh(x->engine_state);
    inspect_slots(x);
    inspect_end(x);
    x->slots_at = now + fmin(SELDOM, fmax(1, x->engine->left(x) - margin_of(x)));
}
