/* exact - branch and bound over tasks in the order of their starts.
 *
 * Source: spec/moldable.md 6.7; the policy continues with close.c (spec/bag.md 6.5).
 * Idea: there is an optimal plan in which no task can start earlier; it is generated when tasks
 * are added by (start, index), each as early as its processors are free after the last start.
 * Cut: the work that is left does not fit below the best makespan, a task has no candidate that
 * does, or the same state was there before.  Starts from the plan of the search.
 * Invariants: starts do not fall along a branch; equal starts have ascending indices; of identical
 * tasks only the first one left is added; states are compared byte by byte, so that no proof
 * depends on a hash; the plan never gets longer.
 * Complexity: exponential; a node O(candidates running log candidates).  Measured: 3.7 ms for 7
 * tasks on 8 processors, mean of 20 (bench/README.md).
 *
 *   constant    value      unit        how found             half, double
 *   SLOTS_MOST  2^20       states      not recorded          not measured
 *   SEEN_BYTES  2^28       bytes       not recorded          not measured
 *   PATIENCE    1024       nodes       not recorded          not measured
 *   CLOSE       1 - 1e-12  of the best spec/moldable.md 6.7  not measured
 */
#include "problems/moldable/exact.h"

#include "problems/moldable/bound.h"

#include <stdlib.h>
#include <string.h>

#define TASKS_MOST 64
#define SLOTS_MOST ((size_t)1 << 20)
#define SEEN_BYTES ((size_t)256 << 20)
#define PATIENCE 1024
#define CLOSE (1 - 1e-12)

struct running {
    double end;
    int procs;
};

struct child {
    double start, work;
    int task, choice;
};

/* Tasks left to be decided, and running ones, ascending by end. */
struct node {
    uint64_t left;
    double last; /* the latest start */
    int index;   /* its task */
    int runs;
    struct running *run;
    struct child *child;
};

struct seen {
    size_t size;
    unsigned char bytes[];
};

struct exact {
    const struct cs_moldable_bag *bag;
    struct cs_moldable_plan *plan;
    const struct cs_moldable_proof *proof;
    long long nodes;
    bool gave_up;
    int *choice, *twin; /* twin: an earlier task that is the same, or -1 */
    double *start;
    struct node *node; /* by depth */
    struct seen **slot;
    size_t slots; /* a power of two */
    unsigned char *key;
    struct cs_arena *memory;
};

/* The first candidate that ends before the best makespan, as an index; first[task + 1]: none. */
static int first_in_time(const struct exact *e, int task, double start)
{
    int low = e->bag->first[task], high = e->bag->first[task + 1];

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (start + e->bag->seconds[middle] < e->plan->makespan)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Can what is left end before the best makespan? */
static bool exact_hopeless(const struct exact *e, const struct node *node)
{
    const struct cs_moldable_bag *bag = e->bag;
    double area = 0;

    for (int r = 0; r < node->runs; r++)
        area += (node->run[r].end - node->last) * node->run[r].procs;
    for (int i = 0; i < bag->tasks; i++) {
        int at;

        if (!(node->left >> i & 1))
            continue;
        at = first_in_time(e, i, fmax(node->last, cs_moldable_release(bag, i)));
        if (at == bag->first[i + 1])
            return true;
        area += bag->work[bag->thrifty[at]];
    }
    return node->last + area / bag->procs >= e->plan->makespan * CLOSE;
}

/* The state as bytes. */
static size_t make_key(const struct exact *e, const struct node *node)
{
    unsigned char *at = e->key;

    memcpy(at, &node->left, sizeof node->left);
    at += sizeof node->left;
    memcpy(at, &node->last, sizeof node->last);
    at += sizeof node->last;
    memcpy(at, &node->index, sizeof node->index);
    at += sizeof node->index;
    for (int r = 0; r < node->runs; r++) {
        memcpy(at, &node->run[r].end, sizeof node->run[r].end);
        at += sizeof node->run[r].end;
        memcpy(at, &node->run[r].procs, sizeof node->run[r].procs);
        at += sizeof node->run[r].procs;
    }
    return (size_t)(at - e->key);
}

static uint64_t exact_hash(const unsigned char *bytes, size_t size)
{
    uint64_t h = 1469598103934665603u;

    for (size_t b = 0; b < size; b++)
        h = (h ^ bytes[b]) * 1099511628211u;
    return h ^ h >> 29;
}

/* Was this state there before?  Remembered now, while there is room; the bytes are compared, so
 * that no proof rests on a hash. */
static bool was_seen(struct exact *e, const struct node *node)
{
    size_t size = make_key(e, node), at = exact_hash(e->key, size) & (e->slots - 1);

    for (int probe = 0; probe < 8; probe++, at = (at + 1) & (e->slots - 1)) {
        struct seen *seen = e->slot[at];

        if (seen && seen->size == size && memcmp(seen->bytes, e->key, size) == 0)
            return true;
        if (seen)
            continue;
        if (cs_arena_size(e->memory) > SEEN_BYTES)
            return false;
        seen = cs_arena_alloc(e->memory, 1, sizeof *seen + size);
        seen->size = size;
        memcpy(seen->bytes, e->key, size);
        e->slot[at] = seen;
        return false;
    }
    return false;
}

/* When so many processors are free, from `start` on. */
static double free_from(const struct exact *e, const struct node *node, double start, int procs)
{
    int free = e->bag->procs, r = 0;

    for (int a = 0; a < node->runs; a++)
        free -= node->run[a].procs;
    while (r < node->runs && node->run[r].end <= start)
        free += node->run[r++].procs;
    for (; free < procs; r++) {
        start = fmax(start, node->run[r].end);
        free += node->run[r].procs;
    }
    return start;
}

static int compare_children(const void *a, const void *b)
{
    const struct child *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->work != y->work)
        return x->work > y->work ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return (x->choice > y->choice) - (x->choice < y->choice);
}

/* Every candidate of every task left that may start next and end before the best makespan, sorted
 * by (start, work descending, task, choice). */
static int make_children(const struct exact *e, const struct node *node)
{
    const struct cs_moldable_bag *bag = e->bag;
    int children = 0;

    for (int i = 0; i < bag->tasks; i++) {
        double from = fmax(node->last, cs_moldable_release(bag, i));

        if (!(node->left >> i & 1) || (e->twin[i] >= 0 && (node->left >> e->twin[i] & 1)))
            continue;
        for (int at = first_in_time(e, i, from); at < bag->first[i + 1]; at++) {
            double start = free_from(e, node, from, bag->count[at]);

            if ((start == node->last && i < node->index) ||
                !(start + bag->seconds[at] < e->plan->makespan))
                continue;
            node->child[children++] = (struct child){start, bag->work[at], i, at - bag->first[i]};
        }
    }
    qsort(node->child, (size_t)children, sizeof *node->child, compare_children);
    return children;
}

/* The state after a child; what has ended is dropped. */
static void exact_step(const struct exact *e, const struct node *node, const struct child *child,
                       struct node *next)
{
    int at = e->bag->first[child->task] + child->choice, r = 0;
    const struct running mine = {child->start + e->bag->seconds[at], e->bag->count[at]};
    bool placed = false;

    next->left = node->left & ~((uint64_t)1 << child->task);
    next->last = child->start;
    next->index = child->task;
    for (int a = 0; a < node->runs; a++) {
        if (node->run[a].end <= child->start)
            continue;
        if (!placed && (mine.end < node->run[a].end ||
                        (mine.end == node->run[a].end && mine.procs <= node->run[a].procs))) {
            next->run[r++] = mine;
            placed = true;
        }
        next->run[r++] = node->run[a];
    }
    if (!placed)
        next->run[r++] = mine;
    next->runs = r;
}

static bool patience_ends(struct exact *e)
{
    e->nodes++;
    if (e->nodes > e->proof->nodes ||
        (e->nodes % PATIENCE == 0 && e->proof->expired && e->proof->expired(e->proof->who)))
        e->gave_up = true;
    return e->gave_up;
}

/* All plans that begin as choice[] and start[] do.  A complete one is never longer than the best:
 * each task ended before the best of that time, and plans found since then hold the task too. */
static void exact_branch(struct exact *e, int depth)
{
    struct node *node = &e->node[depth];
    int children;

    if (node->left == 0) {
        cs_moldable_plan_set(e->bag, e->plan, e->choice, e->start, NULL);
        return;
    }
    if (patience_ends(e) || exact_hopeless(e, node) || was_seen(e, node))
        return;
    children = make_children(e, node);
    for (int c = 0; c < children && !e->gave_up; c++) {
        const struct child *child = &node->child[c];

        if (!(child->start + cs_moldable_seconds(e->bag, child->task, child->choice) <
              e->plan->makespan))
            continue;
        e->choice[child->task] = child->choice;
        e->start[child->task] = child->start;
        exact_step(e, node, child, &e->node[depth + 1]);
        exact_branch(e, depth + 1);
    }
}

static bool exact_same(const struct cs_moldable_bag *bag, int a, int b)
{
    size_t count = (size_t)cs_moldable_candidates(bag, a);

    return count == (size_t)cs_moldable_candidates(bag, b) &&
           cs_moldable_release(bag, a) == cs_moldable_release(bag, b) &&
           memcmp(bag->count + bag->first[a], bag->count + bag->first[b],
                  count * sizeof *bag->count) == 0 &&
           memcmp(bag->seconds + bag->first[a], bag->seconds + bag->first[b],
                  count * sizeof *bag->seconds) == 0;
}

/* The last of the earlier tasks with the same candidates and release. */
static void find_twins(struct exact *e)
{
    for (int i = 0; i < e->bag->tasks; i++) {
        e->twin[i] = -1;
        for (int j = 0; j < i; j++)
            if (exact_same(e->bag, i, j))
                e->twin[i] = j;
    }
}

static void exact_init(struct exact *e, struct cs_arena *scratch)
{
    int n = e->bag->tasks;
    size_t running = sizeof(double) + sizeof(int);

    e->memory = cs_arena_create();
    e->choice = CS_NEW_ARRAY(scratch, int, n);
    e->twin = CS_NEW_ARRAY(scratch, int, n);
    e->start = CS_NEW_ARRAY(scratch, double, n);
    e->node = CS_NEW_ARRAY(scratch, struct node, n + 1);
    e->slots = 1024;
    while (e->slots < SLOTS_MOST && (long long)e->slots < 2 * e->proof->nodes)
        e->slots *= 2;
    e->slot = CS_NEW_ARRAY(e->memory, struct seen *, e->slots);
    e->key = CS_NEW_ARRAY(scratch, unsigned char, 32 + (size_t)n * running);
    for (int d = 0; d <= n; d++) {
        e->node[d].run = CS_NEW_ARRAY(scratch, struct running, n);
        e->node[d].child = CS_NEW_ARRAY(scratch, struct child, e->bag->first[n]);
    }
    e->node[0].left = n == TASKS_MOST ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
    e->node[0].index = -1;
    find_twins(e);
}

bool cs_moldable_exact_applies(const struct cs_moldable_bag *bag)
{
    return bag->tasks <= TASKS_MOST && bag->first[bag->tasks] <= 1 << 16;
}

long long cs_moldable_prove(const struct cs_moldable_bag *bag,
                            const struct cs_moldable_proof *proof, struct cs_moldable_plan *plan,
                            struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct exact e = {.bag = bag, .plan = plan, .proof = proof};

    exact_init(&e, scratch);
    exact_branch(&e, 0);
    plan->optimal = !e.gave_up;
    if (plan->optimal)
        plan->bound = plan->makespan;
    cs_arena_destroy(e.memory);
    cs_arena_rewind(scratch, mark);
    return e.nodes;
}

enum { NODES, MOVES, METHOD, CONFLICTS };
enum method { METHOD_BOTH, METHOD_BRANCH, METHOD_LEARN };

static int plan_exact(const struct cs_moldable_instance *in,
                      const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    const struct cs_moldable_hunt hunt = {.seed = context->seed,
                                          .moves = (long long)context->param[MOVES],
                                          .expired = context->expired,
                                          .who = context->who};
    const struct cs_moldable_proof proof = {(long long)context->param[NODES], context->expired,
                                            context->who};
    const struct cs_moldable_request request = {.expired = context->expired, .who = context->who};
    const enum method method = (enum method)context->param[METHOD];

    if (cs_moldable_refuse_contiguous(in, context, "exact"))
        return -1;
    if (!cs_moldable_exact_applies(&in->bag))
        return cs_error_set(context->err,
                            "exact is for up to %d tasks with 65536 counts in all, the bag has %d "
                            "with %d: take search",
                            TASKS_MOST, in->bag.tasks, in->bag.first[in->bag.tasks]);
    cs_moldable_start(&in->bag, plan, context->scratch);
    cs_moldable_search(&in->bag, &hunt, plan, context->scratch);
    if (method != METHOD_LEARN)
        cs_moldable_plan_note(plan, "nodes", NULL,
                              (double)cs_moldable_prove(&in->bag, &proof, plan, context->scratch));
    if (method != METHOD_BRANCH && !plan->optimal)
        cs_moldable_close(&in->bag, &request, (long long)context->param[CONFLICTS], plan,
                          context->scratch);
    if (!plan->optimal)
        cs_moldable_plan_note(plan, "proof", "not finished", 0);
    return 0;
}

static const struct cs_policy_param params[] = {
    [NODES] = {.name = "nodes",
               .kind = CS_POLICY_PARAM_INTEGER,
               .default_text = "2000000",
               .low = 1,
               .high = 1e12,
               .summary = "how many partial plans are looked at"},
    [MOVES] = {.name = "moves",
               .kind = CS_POLICY_PARAM_INTEGER,
               .default_text = "20000",
               .low = 0,
               .high = 1e12,
               .summary = "moves of the search that it starts from"},
    [METHOD] = {.name = "method",
                .kind = CS_POLICY_PARAM_CHOICE,
                .default_text = "both",
                .choices = "both|branch|learn",
                .summary = "both: branch, then learn from its plan; bags with resources, budgets "
                           "or precedence always learn, until the plan is proven"},
    [CONFLICTS] = {.name = "conflicts",
                   .kind = CS_POLICY_PARAM_INTEGER,
                   .default_text = "20000",
                   .low = 1,
                   .high = 1e12,
                   .summary = "how many conflicts it learns from"},
    {0},
};

const struct cs_moldable_policy cs_moldable_policy_exact = {
    .info =
        {
            .name = "exact",
            .problem = "moldable",
            .summary = "branch and bound over the order of starts, then a search that learns from "
                       "conflicts; proves bags of up to about 10",
            .source = "cosched",
            .params = params,
            .exact = true,
        },
    .plan = plan_exact,
};
