/* round.c - events change the ledger, the slots and the decider; its actions make attempts. */
#include "run/round.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/order.h"
#include "base/vector.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* two flags a slot; the lowest free one is remembered. */

static void run_slots_init(struct cs_run_slots *slots, int count, struct cs_arena *arena)
{
    *slots = (struct cs_run_slots){
        .count = count,
        .free = count,
        .up = count,
        .room = count,
        .held = CS_NEW_ARRAY(arena, bool, count),
        .down = CS_NEW_ARRAY(arena, bool, count),
    };
}

static bool is_free(const struct cs_run_slots *slots, int slot)
{
    return !slots->held[slot] && !slots->down[slot];
}

/* Take the lowest free slots, or the given ones; false without effect if they are not free. */
static bool run_slots_take(struct cs_run_slots *slots, int count, int *slot)
{
    int taken = 0;

    if (count > slots->free)
        return false;
    for (int s = slots->lowest; taken < count; s++) {
        CS_REQUIRE(s < slots->count);
        if (!is_free(slots, s))
            continue;
        slots->held[s] = true;
        slot[taken++] = s;
        slots->lowest = s + 1;
    }
    slots->free -= count;
    return true;
}

static bool run_slots_take_these(struct cs_run_slots *slots, int count, const int *slot)
{
    for (int k = 0; k < count; k++)
        if (slot[k] < 0 || slot[k] >= slots->count || !is_free(slots, slot[k]))
            return false;
    for (int k = 0; k < count; k++)
        slots->held[slot[k]] = true;
    slots->free -= count;
    return true;
}

static void run_slots_give(struct cs_run_slots *slots, int count, const int *slot)
{
    for (int k = 0; k < count; k++) {
        CS_REQUIRE(slots->held[slot[k]]);
        slots->held[slot[k]] = false;
        if (slots->down[slot[k]])
            continue;
        slots->free++;
        if (slot[k] < slots->lowest)
            slots->lowest = slot[k];
    }
}

static bool *copy_flags(const bool *flags, int count, int room, struct cs_arena *arena)
{
    bool *copy = CS_NEW_ARRAY(arena, bool, room);

    memcpy(copy, flags, (size_t)count * sizeof *copy);
    return copy;
}

/* More slots, which are down at first. */
static void run_slots_grow(struct cs_run_slots *slots, int count, struct cs_arena *arena)
{
    if (count > slots->room) {
        slots->room = count + slots->count;
        slots->held = copy_flags(slots->held, slots->count, slots->room, arena);
        slots->down = copy_flags(slots->down, slots->count, slots->room, arena);
    }
    for (; slots->count < count; slots->count++)
        slots->down[slots->count] = true;
}

static void run_slots_set(struct cs_run_slots *slots, int slot, bool down)
{
    if (slots->down[slot] == down)
        return;
    slots->down[slot] = down;
    slots->up += down ? -1 : 1;
    if (slots->held[slot])
        return;
    slots->free += down ? -1 : 1;
    if (!down && slot < slots->lowest)
        slots->lowest = slot;
}

int cs_run_begin(struct cs_run *run, const struct cs_run_setup *setup, int slots,
                 struct cs_arena *arena, struct cs_error *err)
{
    *run = (struct cs_run){
        .setup = setup,
        .decider = cs_run_decider_find(setup->decide),
        .usage = CS_NEW_ARRAY(arena, struct cs_run_usage, setup->tasks),
        .in_state = {[CS_RUN_WAITING] = setup->tasks},
        .action = CS_NEW_ARRAY(arena, struct cs_run_action, 2 * (size_t)setup->tasks),
        .limit = INFINITY,
        .arena = arena,
    };
    run_slots_init(&run->slots, slots, arena);
    run->state = run->decider->create(setup, slots, arena, err);
    return run->state ? 0 : -1;
}

static void drop_descriptor(struct cs_guarded *guarded)
{
    close(((struct cs_run_attempt *)(void *)((char *)guarded -
                                             offsetof(struct cs_run_attempt, guarded)))
              ->pidfd);
}

void cs_run_attempt_hold(struct cs_run_attempt *attempt, int pidfd)
{
    attempt->pidfd = pidfd;
    if (pidfd >= 0)
        cs_guard_keep(&attempt->guarded, drop_descriptor);
}

void cs_run_attempt_let_go(struct cs_run_attempt *attempt)
{
    if (attempt->pidfd < 0)
        return;
    cs_guard_discard(&attempt->guarded);
    close(attempt->pidfd);
    attempt->pidfd = -1;
}

static void round_drop(struct cs_run_attempt *attempt)
{
    cs_run_attempt_let_go(attempt);
    cs_block_free(attempt->slot);
    cs_block_free(attempt);
}

void cs_run_release(struct cs_run *run)
{
    for (int a = 0; a < run->count; a++)
        round_drop(run->running[a]);
    cs_block_free(run->running);
    if (run->state && run->decider->destroy)
        run->decider->destroy(run->state);
    run->running = NULL;
    run->state = NULL;
    run->count = run->room = 0;
}

static void set_state(struct cs_run *run, int task, enum cs_run_task_state state)
{
    run->in_state[run->usage[task].state]--;
    run->usage[task].state = (unsigned char)state;
    run->in_state[state]++;
}

static bool was_killed(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* The meaning of the end of an attempt, from the counters of its task. An attempt that repeatedly
 * stops without progress is lost too. */
static enum cs_run_finding round_classify(struct cs_run *run, const struct cs_run_attempt *attempt,
                                          const struct cs_run_event *event)
{
    const enum cs_run_outcome outcome = event->outcome;
    const struct cs_run_settings *settings = run->setup->task[event->task].settings;
    struct cs_run_usage *l = &run->usage[event->task];
    const enum cs_run_finding again = settings->delay > 0 ? CS_RUN_LATER : CS_RUN_AGAIN;

    if (outcome != CS_RUN_LOST && outcome != CS_RUN_VOID && outcome != CS_RUN_STOPPED)
        l->losses = 0;
    if (outcome != CS_RUN_VOID)
        l->again = outcome == CS_RUN_CORRUPT;
    switch (outcome) {
    case CS_RUN_OK:
        return CS_RUN_SUCCEEDED;
    case CS_RUN_CORRUPT:
        l->saved = false;
        l->progress = 0;
        return ++l->corruptions > settings->max_corrupt ? CS_RUN_ABANDONED : again;
    case CS_RUN_FAILED:
    case CS_RUN_TIMEOUT:
        return ++l->failures > settings->retries ? CS_RUN_ABANDONED : again;
    case CS_RUN_LOST:
        return ++l->losses >= CS_RUN_LOSSES_MOST ? CS_RUN_ABANDONED : again;
    case CS_RUN_VOID:
        l->tries--;
        return CS_RUN_AGAIN;
    case CS_RUN_STOPPED:
        if (settings->checkpoint && !attempt->stops && !run->stopping &&
            ++l->losses >= CS_RUN_LOSSES_MOST)
            return CS_RUN_ABANDONED;
        if (settings->checkpoint && !settings->checkpoint->saved.count)
            l->saved = l->saved || !was_killed(event->status);
        return CS_RUN_AGAIN;
    default:
        return CS_RUN_ABANDONED;
    }
}

static int round_place_of(const struct cs_run *run, int64_t number)
{
    int low = 0, high = run->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (run->running[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct cs_run_attempt *cs_run_attempt_find(const struct cs_run *run, int64_t number)
{
    int at = round_place_of(run, number);

    return at < run->count && run->running[at]->number == number ? run->running[at] : NULL;
}

struct cs_run_attempt *cs_run_attempt_of(const struct cs_run *run, int task)
{
    for (int a = 0; a < run->count; a++)
        if (run->running[a]->task == task)
            return run->running[a];
    return NULL;
}

static const enum cs_run_task_state after_end[] = {
    [CS_RUN_AGAIN] = CS_RUN_WAITING,
    [CS_RUN_LATER] = CS_RUN_HELD,
    [CS_RUN_SUCCEEDED] = CS_RUN_DONE,
    [CS_RUN_ABANDONED] = CS_RUN_BROKEN,
};

/* The decider sees the end before the attempt is forgotten. */
static void end_attempt(struct cs_run *run, struct cs_run_event *event)
{
    int at = round_place_of(run, event->attempt);
    struct cs_run_attempt *attempt = run->running[at];

    CS_REQUIRE(at < run->count && attempt->number == event->attempt);
    event->finding = round_classify(run, attempt, event);
    event->count = attempt->count;
    event->held = attempt->slot;
    set_state(run, event->task, after_end[event->finding]);
    run_slots_give(&run->slots, attempt->count, attempt->slot);
    run->decider->see(run->state, event);
    event->held = NULL;
    run->count--;
    memmove(run->running + at, run->running + at + 1,
            (size_t)(run->count - at) * sizeof *run->running);
    round_drop(attempt);
}

/* An attempt that the journal had lost, from its start to its end: it holds no slots now. */
static void find_attempt(struct cs_run *run, struct cs_run_event *event)
{
    static const struct cs_run_attempt none;
    struct cs_run_usage *l = &run->usage[event->task];

    if (l->tries == 0)
        l->first = event->start;
    if (l->state == CS_RUN_BROKEN || l->state == CS_RUN_SKIPPED)
        l->failures = l->corruptions = l->losses = 0;
    l->tries = event->try;
    l->saved = l->saved || event->value > 0;
    run->last = event->attempt;
    event->finding = round_classify(run, &none, event);
    set_state(run, event->task, after_end[event->finding]);
    run->decider->see(run->state, event);
}

/* An observation of a running attempt: it is alive. */
static void round_observe(struct cs_run *run, const struct cs_run_event *event)
{
    struct cs_run_usage *l = &run->usage[event->task];

    if (event->kind == CS_RUN_BEGAN)
        return;
    l->losses = 0;
    if (event->kind == CS_RUN_PROGRESS) {
        l->progress = event->value;
        return;
    }
    l->saved = true;
    l->saved_share = l->progress;
}

static void round_retry(struct cs_run *run, int task)
{
    struct cs_run_usage *l = &run->usage[task];

    l->failures = l->corruptions = 0;
    l->losses = 0;
    set_state(run, task, CS_RUN_WAITING);
}

static void round_happen(struct cs_run *run, struct cs_run_event *event)
{
    if (event->kind == CS_RUN_BEGAN || event->kind == CS_RUN_PROGRESS ||
        event->kind == CS_RUN_SAVED)
        round_observe(run, event);
    if (event->kind == CS_RUN_ENDED) {
        end_attempt(run, event);
        return;
    }
    if (event->kind == CS_RUN_FOUND) {
        find_attempt(run, event);
        return;
    }
    if (event->kind == CS_RUN_SLOT_UP && event->slot >= run->slots.count)
        run_slots_grow(&run->slots, event->slot + 1, run->arena);
    if (event->kind == CS_RUN_SLOT_DOWN || event->kind == CS_RUN_SLOT_UP)
        run_slots_set(&run->slots, event->slot, event->kind == CS_RUN_SLOT_DOWN);
    else if (event->kind == CS_RUN_DUE && event->task >= 0)
        set_state(run, event->task, CS_RUN_WAITING);
    else if (event->kind == CS_RUN_REQUEST)
        run->stopping = (int)event->value;
    else if (event->kind == CS_RUN_LIMIT)
        run->limit = event->value;
    else if (event->kind == CS_RUN_RETRY)
        round_retry(run, event->task);
    else if (event->kind == CS_RUN_NUMBERS && event->value > (double)run->last)
        run->last = (int64_t)event->value;
    run->decider->see(run->state, event);
}

static void add_attempt(struct cs_run *run, struct cs_run_attempt *attempt)
{
    CS_BLOCK_ROOM(run->running, run->count, run->room, 16);
    run->running[run->count++] = attempt;
}

static void round_start(struct cs_run *run, struct cs_run_action *action)
{
    struct cs_run_attempt *attempt = cs_block_zero(1, sizeof *attempt);
    int *slot = cs_block_zero((size_t)action->count, sizeof *slot);

    if (action->slot && run_slots_take_these(&run->slots, action->count, action->slot))
        memcpy(slot, action->slot, (size_t)action->count * sizeof *slot);
    else if (!run_slots_take(&run->slots, action->count, slot))
        cs_bug("the decider starts task %d on %d slots, %d are free", action->task, action->count,
               run->slots.free);
    *attempt = (struct cs_run_attempt){
        .number = ++run->last,
        .task = action->task,
        .try = ++run->usage[action->task].tries,
        .count = action->count,
        .slot = slot,
        .start = run->now,
        .expected =
            action->expected > 0 ? action->expected : run->setup->task[action->task].expected,
        .restarts = run->usage[action->task].saved,
        .pidfd = -1,
        .kill_at = INFINITY,
        .timeout_at = INFINITY,
        .began = NAN,
        .progress = NAN,
        .progress_at = NAN,
        .saved_at = NAN,
    };
    if (attempt->try == 1)
        run->usage[action->task].first = run->now;
    action->attempt = attempt->number;
    set_state(run, action->task, CS_RUN_RUNNING);
    add_attempt(run, attempt);
}

bool cs_run_is_halted(const struct cs_run *run)
{
    return run->setup->halt > 0 && run->in_state[CS_RUN_BROKEN] >= run->setup->halt;
}

bool cs_run_is_over(const struct cs_run *run)
{
    return run->in_state[CS_RUN_DONE] + run->in_state[CS_RUN_BROKEN] +
               run->in_state[CS_RUN_SKIPPED] ==
           run->setup->tasks;
}

static void do_action(struct cs_run *run, struct cs_run_action *action)
{
    struct cs_run_attempt *attempt;

    if (action->kind == CS_RUN_START) {
        round_start(run, action);
        return;
    }
    if (action->kind == CS_RUN_GIVE_UP) {
        set_state(run, action->task, action->skipped ? CS_RUN_SKIPPED : CS_RUN_BROKEN);
        return;
    }
    attempt = cs_run_attempt_of(run, action->task);
    CS_REQUIRE(attempt);
    action->attempt = attempt->number;
    attempt->stops = attempt->stops || action->kind == CS_RUN_STOP;
    attempt->asked = attempt->asked || attempt->stops;
}

bool cs_run_round(struct cs_run *run, double now, struct cs_run_event *event, int count)
{
    run->now = now;
    run->actions = 0;
    for (int e = 0; e < count; e++)
        round_happen(run, &event[e]);
    if (run->stopping || cs_run_is_halted(run))
        return false;
    run->actions = run->decider->decide(run->state, now, run->action);
    for (int a = 0; a < run->actions; a++)
        do_action(run, &run->action[a]);
    return true;
}
