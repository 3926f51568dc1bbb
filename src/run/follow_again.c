/* follow_again.c - slots are lost: what is left is planned again on the slots that are left.
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
#include "run/follow.h"

#include "base/order.h"
#include "model/bars.h"
#include "problems/moldable/moldable.h"
#include "problems/pack/pack.h"

#include <math.h>
#include <string.h>

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
    cs_run_follow_set_bar(a->f, task, copy);
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
            cs_run_follow_give_up(a->f, task);
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
            cs_run_follow_give_up(a->f, order[k]);
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

void cs_run_follow_again(struct cs_run_follow *f, const int *order, int count)
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
