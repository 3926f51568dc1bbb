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
 * again, and that plan is followed.
 */
#include "base/heap.h"
#include "base/order.h"
#include "model/bars.h"
#include "model/procset.h"
#include "problems/moldable/moldable.h"
#include "problems/pack/pack.h"
#include "run/decider.h"
#include "run/setup.h"

#include <math.h>
#include <string.h>

/* A task that waits for another one. */
struct cs_run_link {
    int after;
    bool needs; /* its success, and not only its slots */
    struct cs_run_link *next;
};

struct cs_run_follow {
    const struct cs_run_setup *setup;
    struct cs_arena *arena;
    bool moldable;              /* the plan has its tasks' times on other counts */
    int slots;                  /* of the run */
    bool *down;                 /* by slot: gone */
    bool lost;                  /* since the present plan was made */
    bool retries;               /* tasks that had failed wait again, since then */
    int running;                /* tasks */
    int *order;                 /* by planned start, end, index */
    const struct cs_bar **bar;  /* by task, on slots */
    int **slot, *count;         /* by task: those of the plan, and how many */
    struct cs_run_link **link;  /* by task: its successors */
    int *left;                  /* by task: number of unfinished predecessors */
    unsigned char *state;       /* by task: of enum cs_run_task_state */
    int *pack, *pack_left;      /* with a barrier: pack of each task, from 1; tasks left of each */
    int packs, packs_done;      /* 0 packs: no barrier */
    int skips, reported, *skip; /* tasks to be given up; how many of them have been */
    bool *unfit;                /* by task: because it does not fit any more */
    struct cs_heap ready;       /* tasks, by planned start */
    double limit;               /* run time at which the allocation ends */
    int lates, *late;           /* tasks that would not be over by then */
};

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

/* Where a task runs now, by the plan. */
static void run_follow_set_bar(struct cs_run_follow *f, int task, const struct cs_bar *bar)
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
            run_follow_set_bar(f, bar[b].task, &bar[b]);
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

/* A task does not fit on the slots that are left. */
static void run_follow_give_up(struct cs_run_follow *f, int task)
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

static void run_follow_again(struct cs_run_follow *f, const int *order, int count);

/* Slots are lost, or tasks wait again, and nothing runs any more. */
static void plan_again(struct cs_run_follow *f)
{
    int *left = CS_NEW_ARRAY(f->arena, int, f->setup->tasks), count = list_left(f, left);

    while (f->ready.count > 0)
        cs_heap_pop(&f->ready);
    f->lates = 0;
    if (f->lost)
        run_follow_again(f, left, count);
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

/* Slots are lost: what is left is planned again on the slots that are left.
 *
 * Packs and bags by the planner of the plan, so that tasks become narrower where they have to;
 * anything else one task after the other, in the order of the plan, as early as slots are free,
 * each as wide as before.  A task that does not fit any more has failed.  The same tasks and slots
 * give the same plan, so a journal that is played again finds it again.
 *
 * A bag in blocks of consecutive processors stays one.  Its planner sees no gaps between slots, and
 * no task wider than the longest block; where it puts one across a gap, its counts and its order
 * are kept, and each task gets the block of slots that is free soonest.
 */

struct again {
    struct cs_run_follow *f;
    int slots, *slot; /* those that are left, rising */
    int tasks, *task; /* those that are left, in the order of the plan */
    bool blocks;      /* each task on slots of consecutive numbers */
    int widest;       /* that a task can be */
    struct cs_workload workload;
};

static void list_slots(struct again *a)
{
    a->slot = CS_NEW_ARRAY(a->f->arena, int, a->f->slots);
    for (int s = 0; s < a->f->slots; s++)
        if (!a->f->down[s])
            a->slot[a->slots++] = s;
}

/* So many slots from this one of those that are left on, without a gap? */
static bool is_block(const struct again *a, int first, int count)
{
    return first + count <= a->slots && a->slot[first + count - 1] - a->slot[first] == count - 1;
}

static void see_blocks(struct again *a)
{
    const struct cs_moldable_declared *declared = a->f->setup->plan->moldable;

    a->blocks = declared && declared->contiguous;
    a->widest = a->blocks ? 0 : a->slots;
    for (int s = 0; a->blocks && s < a->slots; s++)
        while (is_block(a, s, a->widest + 1))
            a->widest++;
}

/* A bar on slots in place of processors 0, 1, ... */
static void put_bar(const struct again *a, int task, const struct cs_bar *bar)
{
    struct cs_bar *copy = CS_NEW(a->f->arena, struct cs_bar);
    struct cs_interval *set = CS_NEW_ARRAY(a->f->arena, struct cs_interval, a->slots);
    int count = 0;

    for (int k = 0; k < bar->intervals; k++)
        for (int p = bar->procs[k].first; p <= bar->procs[k].last; p++)
            set[count++] = (struct cs_interval){a->slot[p], a->slot[p]};
    *copy = *bar;
    copy->task = task;
    copy->intervals = count;
    copy->procs = set;
    run_follow_set_bar(a->f, task, copy);
}

/* ---- packs and bags ---- */

static void fill_workload(struct again *a)
{
    const struct cs_workload *all = a->f->setup->plan->workload;
    const char **name = CS_NEW_ARRAY(a->f->arena, const char *, a->tasks);
    struct cs_profile *profile = CS_NEW_ARRAY(a->f->arena, struct cs_profile, a->tasks);
    struct cs_task_limit *limit = CS_NEW_ARRAY(a->f->arena, struct cs_task_limit, a->tasks);

    for (int k = 0; k < a->tasks; k++) {
        name[k] = all->name[a->task[k]];
        profile[k] = all->profile[a->task[k]];
        if (all->limit)
            limit[k] = all->limit[a->task[k]];
        if (a->blocks && (!limit[k].max_procs || limit[k].max_procs > a->widest))
            limit[k].max_procs = a->widest;
        limit[k].release = 0;
    }
    a->workload = (struct cs_workload){
        .count = a->tasks,
        .name = name,
        .profile = profile,
        .limit = all->limit || a->blocks ? limit : NULL,
        .source = "",
        .remark = "",
    };
}

static struct cs_schedule *plan_packs(const struct again *a, const char *policy)
{
    struct cs_pack_instance *in = cs_pack_instance_create(&a->workload, a->slots,
                                                          a->f->setup->plan->pack->pack_size > 0
                                                              ? a->f->setup->plan->pack->pack_size
                                                              : CS_PACK_UNLIMITED,
                                                          NULL);
    struct cs_pack_plan *plan = in ? cs_pack_plan_create(a->tasks) : NULL;
    struct cs_pack_request request = {.seed = 1};
    struct cs_schedule *schedule = NULL;
    int count;
    const struct cs_policy *const *policies = cs_pack_policies(&count);

    if (in && ((!cs_policy_parse(policy, policies, count, &request.call, NULL) &&
                !cs_pack_plan_make(in, &request, plan, NULL)) ||
               !cs_pack_effort_plan(in, CS_PACK_EFFORT_DEFAULT, &request, plan, NULL)))
        schedule = cs_pack_schedule(in, plan, CS_PACK_ORDER_CREATION);
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    return schedule;
}

static int make_bag_by(const struct cs_moldable_instance *in, const char *policy,
                       struct cs_moldable_plan *plan)
{
    struct cs_moldable_request request = {.seed = 1};
    int count;
    const struct cs_policy *const *policies = cs_moldable_policies(&count);

    return cs_policy_parse(policy, policies, count, &request.call, NULL) ||
                   cs_moldable_plan_make(in, &request, plan, NULL)
               ? -1
               : 0;
}

/* With the planner of the plan; with a search if it was made by an effort, or by a planner that is
 * not available. */
static int make_bag(const struct cs_moldable_instance *in, const char *policy,
                    struct cs_moldable_plan *plan)
{
    return make_bag_by(in, policy, plan) && make_bag_by(in, "search", plan) ? -1 : 0;
}

static struct cs_schedule *plan_bag(const struct again *a, const char *policy)
{
    const struct cs_moldable_options options = {.contiguous = a->blocks};
    struct cs_moldable_instance *in =
        cs_moldable_instance_create(&a->workload, a->slots, &options, NULL);
    struct cs_moldable_plan *plan = in ? cs_moldable_plan_create(a->tasks) : NULL;
    struct cs_schedule *schedule = NULL;

    if (in && !make_bag(in, policy, plan))
        schedule = cs_moldable_schedule(in, plan);
    cs_moldable_plan_destroy(plan);
    cs_moldable_instance_destroy(in);
    return schedule;
}

static struct cs_schedule *plan_by_problem(const struct again *a)
{
    const struct cs_schedule_file *plan = a->f->setup->plan;

    return plan->pack ? plan_packs(a, plan->policy) : plan_bag(a, plan->policy);
}

/* ---- anything else ---- */

/* The slots that are free soonest, the lowest of several; when the last of them is. */
static double take_soonest(const struct again *a, const double *until, bool *held, int count)
{
    double start = 0;

    for (int k = 0; k < count; k++) {
        int best = -1;

        for (int s = 0; s < a->slots; s++)
            if (!held[s] && (best < 0 || until[s] < until[best]))
                best = s;
        held[best] = true;
        start = fmax(start, until[best]);
    }
    return start;
}

/* The same of a block. */
static double take_block(const struct again *a, const double *until, bool *held, int count)
{
    double best = INFINITY;
    int first = 0;

    for (int s = 0; s + count <= a->slots; s++) {
        double start = 0;

        for (int k = s; k < s + count; k++)
            start = fmax(start, until[k]);
        if (start < best && is_block(a, s, count)) {
            best = start;
            first = s;
        }
    }
    for (int k = first; k < first + count; k++)
        held[k] = true;
    return best;
}

static void plan_in_order(const struct again *a)
{
    double *until = CS_NEW_ARRAY(a->f->arena, double, a->slots);
    bool *held = CS_NEW_ARRAY(a->f->arena, bool, a->slots);
    struct cs_interval *set = CS_NEW_ARRAY(a->f->arena, struct cs_interval, a->slots);
    double last = 0;

    for (int k = 0; k < a->tasks; k++) {
        const int task = a->task[k];
        struct cs_bar bar = *a->f->bar[task];
        const double seconds = bar.end - bar.start;

        if (a->f->count[task] > a->widest) {
            run_follow_give_up(a->f, task);
            continue;
        }
        memset(held, 0, (size_t)a->slots * sizeof *held);
        bar.start =
            fmax(last, (a->blocks ? take_block : take_soonest)(a, until, held, a->f->count[task]));
        last = a->f->setup->plan->ptg ? bar.start : 0;
        bar.end = bar.start + seconds;
        bar.intervals = 0;
        bar.procs = set;
        for (int s = 0; s < a->slots; s++)
            if (held[s]) {
                until[s] = bar.end;
                set[bar.intervals++] = (struct cs_interval){s, s};
            }
        put_bar(a, task, &bar);
    }
}

/* ---- what does not fit ---- */

static bool follow_again_fits(const struct again *a, int task)
{
    struct again one = *a;
    struct cs_schedule *schedule;

    if (a->f->count[task] <= a->widest)
        return true;
    if (!a->f->moldable || a->slots == 0)
        return false;
    one.tasks = 1;
    one.task = &task;
    fill_workload(&one);
    schedule = plan_by_problem(&one);
    cs_schedule_destroy(schedule);
    return schedule;
}

static void list_tasks(struct again *a, const int *order, int count)
{
    a->task = CS_NEW_ARRAY(a->f->arena, int, count);
    for (int k = 0; k < count; k++)
        if (follow_again_fits(a, order[k]))
            a->task[a->tasks++] = order[k];
        else
            run_follow_give_up(a->f, order[k]);
}

/* ---- all of it ---- */

static void list_by_start(struct again *a)
{
    double *start = CS_NEW_ARRAY(a->f->arena, double, a->tasks);
    int *order = CS_NEW_ARRAY(a->f->arena, int, a->tasks);
    int *task = CS_NEW_ARRAY(a->f->arena, int, a->tasks);

    for (int k = 0; k < a->tasks; k++)
        start[k] = a->f->bar[a->task[k]]->start;
    cs_order_ascending(start, a->tasks, order, a->f->arena);
    for (int k = 0; k < a->tasks; k++)
        task[k] = a->task[order[k]];
    a->task = task;
}

static void put_plan(struct again *a, const struct cs_schedule *schedule)
{
    const int *task = a->task;
    bool gap = false;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    for (size_t b = 0; b < bars; b++)
        if (bar[b].kind == CS_BAR_WORK) {
            put_bar(a, task[bar[b].task], &bar[b]);
            gap = gap || !is_block(a, bar[b].procs[0].first, (int)cs_bar_procs(&bar[b]));
        }
    if (a->blocks && gap) {
        list_by_start(a);
        plan_in_order(a);
    }
}

/* New bars for these tasks, on the slots that are left. */
static void run_follow_again(struct cs_run_follow *f, const int *order, int count)
{
    struct again a = {.f = f};
    struct cs_schedule *schedule = NULL;

    list_slots(&a);
    see_blocks(&a);
    list_tasks(&a, order, count);
    if (f->moldable && a.tasks) {
        fill_workload(&a);
        schedule = plan_by_problem(&a);
    }
    if (schedule)
        put_plan(&a, schedule);
    else
        plan_in_order(&a);
    cs_schedule_destroy(schedule);
}
