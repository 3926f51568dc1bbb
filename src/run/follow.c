/* follow.c - decider that follows a plan.
 *
 * Predecessors of a task: the previous task on each of its slots in the plan (by start, end,
 * index), its predecessors in its graph, and with a barrier every task of the earlier packs. A task
 * starts as soon as all predecessors have succeeded, on the slots of the plan; simultaneous starts
 * are ordered by planned start, then index. Planned times are not used otherwise, so with the same
 * order longer tasks never make another one earlier.
 *
 * If a task fails permanently, its successors in the graph are skipped; successors on its slots
 * continue. When slots are lost no task starts; when running ones have ended, the rest is planned
 * again (follow_again.c), and that plan is followed.
 */
#include "run/follow.h"

#include "base/heap.h"
#include "base/order.h"
#include "model/bars.h"

#include <math.h>
#include <string.h>

static void add_link(struct cs_run_follow *f, int before, int after, bool needs)
{
    struct cs_run_link *link = CS_NEW(f->arena, struct cs_run_link);

    *link = (struct cs_run_link){.after = after, .needs = needs, .next = f->link[before]};
    f->link[before] = link;
    f->left[after]++;
}

/* The last task of each slot, with tasks in the order of the plan. */
static void link_slots(struct cs_run_follow *f, int task, int *last)
{
    for (int k = 0; k < f->bar[task]->intervals; k++)
        for (int p = f->bar[task]->procs[k].first; p <= f->bar[task]->procs[k].last; p++) {
            if (last[p] >= 0 && (!f->link[last[p]] || f->link[last[p]]->after != task))
                add_link(f, last[p], task, false);
            last[p] = task;
        }
}

static bool is_left(const struct cs_run_follow *f, int task)
{
    return f->state[task] == CS_RUN_WAITING || f->state[task] == CS_RUN_HELD;
}

static void link_graphs(struct cs_run_follow *f, const struct cs_ptg_declared *ptg)
{
    int base = 0;

    for (int g = 0; ptg && g < ptg->graphs; g++) {
        const struct cs_graph *graph = ptg->graph[g];

        for (int a = 0; a < graph->arcs; a++)
            if (is_left(f, base + graph->arc[a].from) && is_left(f, base + graph->arc[a].to))
                add_link(f, base + graph->arc[a].from, base + graph->arc[a].to, true);
        base += graph->tasks;
    }
}

/* Every task of a pack waits for every task of the pack before, through its number. */
static void number_packs(struct cs_run_follow *f, const int *order, int tasks)
{
    int last = -1;

    for (int k = 0; k < tasks; k++) {
        int group = f->bar[order[k]]->group;

        if (k == 0 || group != last)
            f->packs++;
        last = group;
        f->pack[order[k]] = f->packs;
        f->pack_left[f->packs]++;
    }
}

static void make_ready(struct cs_run_follow *f, int task)
{
    if (f->left[task] == 0 && f->state[task] == CS_RUN_WAITING &&
        f->pack[task] <= f->packs_done + 1)
        cs_heap_push(&f->ready, task, f->bar[task]->start);
}

void cs_run_follow_set_bar(struct cs_run_follow *f, int task, const struct cs_bar *bar)
{
    int at = 0;

    f->bar[task] = bar;
    f->count[task] = (int)cs_bar_procs(bar);
    f->slot[task] = CS_NEW_ARRAY(f->arena, int, f->count[task]);
    for (int k = 0; k < bar->intervals; k++)
        for (int p = bar->procs[k].first; p <= bar->procs[k].last; p++)
            f->slot[task][at++] = p;
}

static void follow_allocate(struct cs_run_follow *f, int tasks, int slots, struct cs_arena *arena)
{
    f->arena = arena;
    f->slots = slots;
    f->down = CS_NEW_ARRAY(arena, bool, slots);
    f->unfit = CS_NEW_ARRAY(arena, bool, tasks);
    f->count = CS_NEW_ARRAY(arena, int, tasks);
    f->order = CS_NEW_ARRAY(arena, int, tasks);
    f->bar = CS_NEW_ARRAY(arena, const struct cs_bar *, tasks);
    f->slot = CS_NEW_ARRAY(arena, int *, tasks);
    f->link = CS_NEW_ARRAY(arena, struct cs_run_link *, tasks);
    f->left = CS_NEW_ARRAY(arena, int, tasks);
    f->state = CS_NEW_ARRAY(arena, unsigned char, tasks);
    f->pack = CS_NEW_ARRAY(arena, int, tasks);
    f->pack_left = CS_NEW_ARRAY(arena, int, tasks + 2);
    f->skip = CS_NEW_ARRAY(arena, int, tasks);
    f->late = CS_NEW_ARRAY(arena, int, tasks);
    f->limit = INFINITY;
    cs_heap_init(&f->ready, tasks, arena);
}

static void read_plan(struct cs_run_follow *f, const struct cs_schedule *schedule)
{
    const struct cs_bar *bar;
    size_t count;

    bar = cs_schedule_bars(schedule, &count);
    for (size_t b = 0; b < count; b++)
        if (bar[b].kind == CS_BAR_WORK)
            cs_run_follow_set_bar(f, bar[b].task, &bar[b]);
}

/* Are the times of its tasks on other counts known, so that they can be planned again? */
static bool has_times(const struct cs_run_setup *setup)
{
    const struct cs_workload *w = setup->plan->workload;
    const char *problem = cs_schedule_problem(setup->plan->schedule);

    if (!w || w->count != setup->tasks || (!setup->plan->pack && strcmp(problem, "moldable") != 0))
        return false;
    for (int t = 0; t < setup->tasks; t++)
        if (strcmp(w->name[t], setup->task[t].name) != 0)
            return false;
    return true;
}

/* The tasks by planned start, end and index. */
static void sort_tasks(struct cs_run_follow *f, int tasks)
{
    double *start = CS_NEW_ARRAY(f->arena, double, tasks);
    double *end = CS_NEW_ARRAY(f->arena, double, tasks);
    int *by_end = CS_NEW_ARRAY(f->arena, int, tasks);

    for (int t = 0; t < tasks; t++)
        end[t] = f->bar[t]->end;
    cs_order_ascending(end, tasks, by_end, f->arena);
    for (int k = 0; k < tasks; k++)
        start[k] = f->bar[by_end[k]]->start;
    cs_order_ascending(start, tasks, f->order, f->arena);
    for (int k = 0; k < tasks; k++)
        f->order[k] = by_end[f->order[k]];
}

/* The tasks that are left, in the order of the plan. */
static int list_left(const struct cs_run_follow *f, int *left)
{
    int count = 0;

    for (int k = 0; k < f->setup->tasks; k++)
        if (is_left(f, f->order[k]))
            left[count++] = f->order[k];
    return count;
}

/* Predecessors among the remaining tasks, from their bars. */
static void link_tasks(struct cs_run_follow *f)
{
    int tasks = f->setup->tasks, *last = CS_NEW_ARRAY(f->arena, int, f->slots);
    int *left = CS_NEW_ARRAY(f->arena, int, tasks), count;

    sort_tasks(f, tasks);
    count = list_left(f, left);
    memset(f->link, 0, (size_t)tasks * sizeof *f->link);
    memset(f->left, 0, (size_t)tasks * sizeof *f->left);
    for (int s = 0; s < f->slots; s++)
        last[s] = -1;
    for (int k = 0; k < count; k++)
        link_slots(f, left[k], last);
    link_graphs(f, f->setup->plan->ptg);
    if (f->setup->barrier) {
        f->packs = f->packs_done = 0;
        memset(f->pack_left, 0, (size_t)(tasks + 2) * sizeof *f->pack_left);
        number_packs(f, left, count);
    }
    for (int k = 0; k < count; k++)
        make_ready(f, left[k]);
}

static void *follow_create(const struct cs_run_setup *setup, int slots, struct cs_arena *arena,
                           struct cs_error *err)
{
    struct cs_run_follow *f = CS_NEW(arena, struct cs_run_follow);
    const struct cs_schedule *schedule = setup->plan->schedule;
    int procs = cs_schedule_procs(schedule);

    if (procs > slots) {
        cs_error_set(err, "the plan is for %d processors, and there are %d slots", procs, slots);
        return NULL;
    }
    f->setup = setup;
    f->moldable = has_times(setup);
    follow_allocate(f, setup->tasks, slots, arena);
    read_plan(f, schedule);
    link_tasks(f);
    return f;
}

static void end_pack(struct cs_run_follow *f, int task)
{
    f->pack_left[f->pack[task]]--;
    while (f->packs_done < f->packs && f->pack_left[f->packs_done + 1] == 0) {
        f->packs_done++;
        for (int t = 0; t < f->setup->tasks; t++)
            if (f->pack[t] == f->packs_done + 1)
                make_ready(f, t);
    }
}

/* A task is over: those that need it can never start unless it ended well. */
static void follow_finish(struct cs_run_follow *f, int task, bool well)
{
    for (const struct cs_run_link *link = f->link[task]; link; link = link->next) {
        int after = link->after;

        if (link->needs && !well && f->state[after] == CS_RUN_WAITING) {
            f->state[after] = CS_RUN_SKIPPED;
            f->skip[f->skips++] = after;
        }
        if (--f->left[after] == 0)
            make_ready(f, after);
    }
    end_pack(f, task);
}

static void see_end(struct cs_run_follow *f, const struct cs_run_event *event)
{
    int task = event->task, looked = f->skips;

    if (event->finding == CS_RUN_SUCCEEDED || event->finding == CS_RUN_ABANDONED) {
        f->state[task] = event->finding == CS_RUN_SUCCEEDED ? CS_RUN_DONE : CS_RUN_BROKEN;
        follow_finish(f, task, event->finding == CS_RUN_SUCCEEDED);
        for (; looked < f->skips; looked++)
            follow_finish(f, f->skip[looked], false);
        return;
    }
    f->state[task] = event->finding == CS_RUN_AGAIN ? CS_RUN_WAITING : CS_RUN_HELD;
    make_ready(f, task);
}

void cs_run_follow_give_up(struct cs_run_follow *f, int task)
{
    f->state[task] = CS_RUN_BROKEN;
    f->unfit[task] = true;
    f->skip[f->skips++] = task;
}

/* Those that need a task that has failed, and so on. */
static void skip_successors(struct cs_run_follow *f)
{
    const struct cs_ptg_declared *ptg = f->setup->plan->ptg;
    bool some = ptg;

    while (some) {
        some = false;
        for (int g = 0, base = 0; g < ptg->graphs; base += ptg->graph[g++]->tasks)
            for (int a = 0; a < ptg->graph[g]->arcs; a++) {
                int from = base + ptg->graph[g]->arc[a].from, to = base + ptg->graph[g]->arc[a].to;

                if ((f->state[from] != CS_RUN_BROKEN && f->state[from] != CS_RUN_SKIPPED) ||
                    !is_left(f, to))
                    continue;
                f->state[to] = CS_RUN_SKIPPED;
                f->skip[f->skips++] = to;
                some = true;
            }
    }
}

/* Slots are lost, or tasks wait again, and nothing runs any more. */
static void plan_again(struct cs_run_follow *f)
{
    int *left = CS_NEW_ARRAY(f->arena, int, f->setup->tasks), count = list_left(f, left);

    while (f->ready.count > 0)
        cs_heap_pop(&f->ready);
    f->lates = 0;
    if (f->lost)
        cs_run_follow_again(f, left, count);
    f->lost = f->retries = false;
    skip_successors(f);
    link_tasks(f);
}

static bool has_slots(const struct cs_run_follow *f)
{
    for (int s = 0; s < f->slots; s++)
        if (!f->down[s])
            return true;
    return false;
}

static void see_slot(struct cs_run_follow *f, int slot, bool down)
{
    f->down[slot] = down;
    f->lost = f->lost || down;
}

static void see_retry(struct cs_run_follow *f, int task)
{
    f->state[task] = CS_RUN_WAITING;
    f->unfit[task] = false;
    f->retries = true;
    f->skips = f->reported = 0;
}

/* An attempt that was unknown has ended.  Successors of a task that had failed before
 * are skipped already. */
static void see_found(struct cs_run_follow *f, const struct cs_run_event *event)
{
    const bool left = is_left(f, event->task);

    if (cs_heap_contains(&f->ready, event->task))
        cs_heap_remove(&f->ready, event->task);
    if (left)
        see_end(f, event);
    else if (event->finding == CS_RUN_AGAIN || event->finding == CS_RUN_LATER)
        see_retry(f, event->task);
    else
        f->state[event->task] = event->finding == CS_RUN_SUCCEEDED ? CS_RUN_DONE : CS_RUN_BROKEN;
    if (!left && event->finding == CS_RUN_LATER)
        f->state[event->task] = CS_RUN_HELD;
}

static void follow_see(void *state, const struct cs_run_event *event)
{
    struct cs_run_follow *f = state;

    if (event->kind == CS_RUN_SLOT_DOWN || event->kind == CS_RUN_SLOT_UP) {
        see_slot(f, event->slot, event->kind == CS_RUN_SLOT_DOWN);
    } else if (event->kind == CS_RUN_ENDED) {
        f->running--;
        see_end(f, event);
    } else if (event->kind == CS_RUN_FOUND) {
        see_found(f, event);
    } else if (event->kind == CS_RUN_DUE) {
        f->state[event->task] = CS_RUN_WAITING;
        make_ready(f, event->task);
    } else if (event->kind == CS_RUN_RETRY) {
        see_retry(f, event->task);
    } else if (event->kind == CS_RUN_LIMIT) {
        f->limit = event->value;
        while (f->lates > 0)
            make_ready(f, f->late[--f->lates]);
    }
}

static int follow_decide(void *state, double now, struct cs_run_action *action)
{
    struct cs_run_follow *f = state;
    int count = 0;

    if ((f->lost || f->retries) && f->running == 0 && has_slots(f))
        plan_again(f);
    for (; f->reported < f->skips; f->reported++)
        action[count++] = (struct cs_run_action){
            .kind = CS_RUN_GIVE_UP,
            .task = f->skip[f->reported],
            .skipped = !f->unfit[f->skip[f->reported]],
            .why = f->unfit[f->skip[f->reported]] ? "it does not fit on the slots that are left"
                                                  : "a task before it has failed",
        };
    while (f->ready.count > 0 && !f->lost && !f->retries) {
        int task = cs_heap_pop(&f->ready);

        if (!cs_run_setup_ends_by(f->setup, task, now, f->limit)) {
            f->late[f->lates++] = task;
            continue;
        }
        f->state[task] = CS_RUN_RUNNING;
        f->running++;
        action[count++] = (struct cs_run_action){
            .kind = CS_RUN_START,
            .task = task,
            .count = f->count[task],
            .slot = f->slot[task],
            .expected = f->bar[task]->end - f->bar[task]->start,
        };
    }
    return count;
}

const struct cs_run_decider cs_run_decider_follow = {
    .name = "follow",
    .create = follow_create,
    .see = follow_see,
    .decide = follow_decide,
};
