/* branch.c - the tree: nodes, their limits on F, and the treatment of a solved one; dives.
 *
 * Source: docs/spec/pack.md, Part II 2.4; branch.h states the branching.
 *
 * The open node with the least bound is solved by column generation with its limits.  If its bound
 * is below the plan, it is split at the cost with the largest cost x fractionality of F, or its
 * pack costs are tested as a leaf.  A dive fixes packs of the solution one after the other, with
 * pricing in between, for better plans.
 *
 * Invariants: the children of a node together hold every plan of the node that is cheaper than the
 * known one; a child's bound is at least its parent's; the least bound of the open nodes and of the
 * leaves that were not decided is a bound on all plans; dives take at most about a quarter of the
 * rounds and leave the limits of the master to be set again.
 * Complexity: exponential; a node costs a column generation, and the choice of a node O(open
 * nodes).
 *
 * constant  value  unit      found by            half, double
 * SURE       0.95  weight    not recorded        not measured
 * ROUNDS       15  rounds    not recorded        not measured
 * ROUGH      1e-4  relative  not recorded        not measured
 * EXACT      1e-9  relative  spec, 4             not measured; agreement of all exact answers
 * WHOLE      1e-6  packs     not recorded        not measured
 * rule       cost x fraction  Part II 2.4        most fractional alone: no proof in 250 s instead
 *                                                of one in 1.1 s; strong branching: half the nodes
 *                                                in the same time and no better bound (bench)
 */
#include "problems/pack/branch.h"
#include "base/guard.h"
#include "base/vector.h"
#include "problems/pack/candidate.h"
#include "problems/pack/cbc.h"
#include "problems/pack/colgen.h"
#include "problems/pack/descent.h"
#include "problems/pack/pair.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The assignment as a 0-1 program: every task in one pack, room and size kept.
 *
 * Source: docs/spec/pack.md, Part II 2.4 (assignment test).
 *
 * Invariants: cost[] falls, so a task that does not fit in pack 0 fits in no pack; UNKNOWN is the
 * answer whenever neither a solution nor a proof was found.
 * Complexity: tasks x packs binary columns at most; CBC is exponential and stops at NODES.
 *
 * constant  value  unit       found by       half, double
 * NODES     20000  CBC nodes  not recorded   not measured; the bound of the leaf stays when it ends
 */

#define NODES 20000

struct leaf {
    const struct cs_pack_candidates *c;
    const uint16_t **need; /* of every pack */
    int packs;
    int *column; /* column[i * packs + b], -1 where task i cannot be in pack b */
    int *index;
    double *value;
    struct cs_pack_cbc *program;
};

static void leaf_init(struct leaf *l, const int *cost, struct cs_arena *scratch)
{
    size_t tasks = (size_t)l->c->tasks, packs = (size_t)l->packs;
    size_t longest = tasks > packs ? tasks : packs;

    l->need = CS_NEW_ARRAY(scratch, const uint16_t *, packs);
    l->column = CS_NEW_ARRAY(scratch, int, tasks *packs);
    l->index = CS_NEW_ARRAY(scratch, int, longest);
    l->value = CS_NEW_ARRAY(scratch, double, longest);
    for (int b = 0; b < l->packs; b++)
        l->need[b] = cs_pack_candidates_need(l->c, cost[b]);
}

static void add_columns(struct leaf *l)
{
    for (int i = 0; i < l->c->tasks; i++) {
        for (int b = 0; b < l->packs; b++) {
            bool can = l->need[b][i] <= l->c->procs;

            l->column[i * l->packs + b] = can ? cs_pack_cbc_column(l->program, 0, true) : -1;
        }
    }
}

static void add_task_rows(struct leaf *l)
{
    for (int i = 0; i < l->c->tasks; i++) {
        int count = 0;

        for (int b = 0; b < l->packs; b++) {
            if (l->column[i * l->packs + b] < 0)
                continue;
            l->value[count] = 1;
            l->index[count++] = l->column[i * l->packs + b];
        }
        cs_pack_cbc_row(l->program, count, l->index, l->value, 'E', 1);
    }
}

static void add_pack_row(struct leaf *l, int b, bool sizes, double most)
{
    int count = 0;

    for (int i = 0; i < l->c->tasks; i++) {
        if (l->column[i * l->packs + b] < 0)
            continue;
        l->value[count] = sizes ? l->need[b][i] : 1;
        l->index[count++] = l->column[i * l->packs + b];
    }
    cs_pack_cbc_row(l->program, count, l->index, l->value, 'L', most);
}

static void read_solution(const struct leaf *l, const double *solution, int *pack_of)
{
    for (int i = 0; i < l->c->tasks; i++) {
        for (int b = 0; b < l->packs; b++) {
            int j = l->column[i * l->packs + b];

            if (j >= 0 && solution[j] > 0.5)
                pack_of[i] = b;
        }
    }
}

/* A task that cannot be anywhere leaves its row without a column. */
static bool somebody_has_no_pack(const struct leaf *l)
{
    for (int i = 0; i < l->c->tasks; i++) {
        if (l->need[0][i] > l->c->procs)
            return true;
    }
    return false;
}

static enum cs_pack_leaf ask_cbc(struct leaf *l, const struct cs_policy_context *context,
                                 int *pack_of)
{
    double *solution;
    enum cs_pack_cbc_end end;

    l->program = cs_pack_cbc_create();
    add_columns(l);
    add_task_rows(l);
    for (int b = 0; b < l->packs; b++) {
        add_pack_row(l, b, true, l->c->procs);
        if (l->c->limit < l->c->procs)
            add_pack_row(l, b, false, l->c->limit);
    }
    solution = CS_NEW_ARRAY(context->scratch, double, l->c->tasks * l->packs);
    end = cs_pack_cbc_solve(l->program, NODES, context, solution);
    cs_pack_cbc_destroy(l->program);
    if (end == CS_PACK_CBC_SOLVED)
        read_solution(l, solution, pack_of);
    return end == CS_PACK_CBC_SOLVED       ? CS_PACK_LEAF_FITS
           : end == CS_PACK_CBC_INFEASIBLE ? CS_PACK_LEAF_NEVER
                                           : CS_PACK_LEAF_UNKNOWN;
}

enum cs_pack_leaf cs_pack_leaf_assign(const struct cs_pack_candidates *c, const int *cost,
                                      int packs, const struct cs_policy_context *context,
                                      int *pack_of)
{
    struct cs_arena_mark mark = cs_arena_mark(context->scratch);
    struct leaf l = {.c = c, .packs = packs};
    enum cs_pack_leaf end = CS_PACK_LEAF_NEVER;

    if ((long)packs * c->limit < c->tasks)
        return end;
    leaf_init(&l, cost, context->scratch);
    if (!somebody_has_no_pack(&l))
        end = ask_cbc(&l, context, pack_of);
    cs_arena_rewind(context->scratch, mark);
    return end;
}

/* fix, generate, repeat; then descent. */

struct cs_pack_dive;

#define SURE 0.95  /* packs of such weight are fixed together */
#define ROUNDS 15  /* of pricing between two fixings */
#define ROUGH 1e-4 /* relative: good enough between two fixings */

struct cs_pack_dive {
    struct cs_pack_colgen *g;
    int *pack_of; /* of every task, -1 while it has none */
    int packs, left;
};

/* Memory comes from `arena`. */
static struct cs_pack_dive *pack_dive_create(struct cs_pack_colgen *g, struct cs_arena *arena)
{
    struct cs_pack_dive *d = CS_NEW(arena, struct cs_pack_dive);

    d->g = g;
    d->pack_of = CS_NEW_ARRAY(arena, int, g->c->tasks);
    return d;
}

/* The tasks of the column that still have no pack get this one; the rows count it. */
static void branch_fix(struct cs_pack_dive *d, const struct cs_pack_column *column)
{
    struct cs_pack_master *master = d->g->master;

    for (int a = 0; a < column->count; a++) {
        int i = column->task[a];

        if (d->pack_of[i] >= 0)
            continue;
        d->pack_of[i] = d->packs;
        d->left--;
        cs_pack_master_cover(master, i, 0);
    }
    d->packs++;
    for (int row = d->g->c->tasks; row < cs_pack_master_rows(master); row++) {
        int v = cs_pack_master_threshold(master, row);

        if (v <= column->candidate)
            cs_pack_master_limit(master, v, fmax(0, cs_pack_master_low(master, row) - 1),
                                 fmax(0, cs_pack_master_high(master, row) - 1));
    }
}

static bool is_new(const struct cs_pack_dive *d, const struct cs_pack_column *column)
{
    for (int a = 0; a < column->count; a++) {
        if (d->pack_of[column->task[a]] < 0)
            return true;
    }
    return false;
}

/* Fix the pack of most weight x cost that still brings a task, and all that are as good as
 * sure. */
static bool fix_best(struct cs_pack_dive *d)
{
    const double *weight = cs_pack_master_weights(d->g->master);
    int columns = cs_pack_master_columns(d->g->master), best = -1;
    double most = 0;

    for (int a = 0; a < columns; a++) {
        const struct cs_pack_column *column = cs_pack_master_column(d->g->master, a);
        double score = weight[a] * d->g->c->cost[column->candidate];

        if (score > most && is_new(d, column)) {
            best = a;
            most = score;
        }
    }
    if (best < 0)
        return false;
    branch_fix(d, cs_pack_master_column(d->g->master, best));
    for (int a = 0; a < columns; a++) {
        if (weight[a] >= SURE && is_new(d, cs_pack_master_column(d->g->master, a)))
            branch_fix(d, cs_pack_master_column(d->g->master, a));
    }
    return true;
}

static bool branch_generate(struct cs_pack_dive *d, const struct cs_policy_context *context)
{
    struct cs_pack_colgen *g = d->g;
    enum cs_pack_colgen_end end;

    cs_pack_colgen_restart(g, g->center, g->center_rows);
    g->tolerance = ROUGH;
    g->most_rounds = g->rounds + ROUNDS;
    end = cs_pack_colgen_run(g, INFINITY, context);
    g->tolerance = 0;
    g->most_rounds = 0;
    return end != CS_PACK_COLGEN_EXPIRED;
}

static void branch_make_plan(const struct cs_pack_dive *d, const struct cs_policy_context *context,
                             struct cs_pack_plan *plan)
{
    int tasks = d->g->c->tasks;

    cs_pack_plan_clear(plan);
    for (int b = 0; b < d->packs; b++) {
        for (int i = 0; i < tasks; i++) {
            if (d->pack_of[i] == b)
                cs_pack_plan_add(plan, i, d->g->c->in->tasks->min_procs[i]);
        }
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(d->g->c->in, plan, context->scratch);
}

static struct cs_pack_loads *branch_load(const struct cs_pack_instance *in,
                                         const struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    size_t rows = (size_t)in->tasks->count + (size_t)plan->packs + 1;
    int limit = cs_pack_levels_affordable(rows, CS_PACK_LEVELS_MAX);
    double ceiling = cs_pack_levels_ceiling(in, plan->total, scratch);

    if (limit == 0)
        return NULL;
    return cs_pack_loads_create(cs_pack_levels_create(in, limit, ceiling, scratch), in, plan,
                                scratch);
}

/* Descent; and where that is cheaper than what is known, pairs of packs too. */
static void branch_polish(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, double known,
                          struct cs_pack_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(context->scratch);
    struct cs_pack_plan *better = cs_pack_plan_create(in->tasks->count);
    struct cs_pack_loads *loads = branch_load(in, plan, context->scratch);

    if (loads) {
        cs_pack_descent(loads, context);
        if (loads->total < known)
            cs_pack_pair_search(loads, context);
        cs_pack_loads_write(loads, in, better);
        if (better->total < plan->total)
            cs_pack_plan_copy(plan, better);
    }
    cs_pack_plan_destroy(better);
    cs_arena_rewind(context->scratch, mark);
}

/* Dive from the master's solution; `plan` becomes cheaper or stays.  The limits of the master
 * are changed: a caller that continues sets them again and restarts. */
static void pack_dive_run(struct cs_pack_dive *d, const struct cs_policy_context *context,
                          struct cs_pack_plan *plan)
{
    struct cs_pack_plan *found;

    d->packs = 0;
    d->left = d->g->c->tasks;
    memset(d->pack_of, -1, (size_t)d->left * sizeof *d->pack_of);
    do {
        if (!fix_best(d))
            return;
    } while (d->left && branch_generate(d, context));
    if (d->left)
        return;
    found = cs_pack_plan_create(d->g->c->tasks);
    branch_make_plan(d, context, found);
    branch_polish(d->g->c->in, context, plan->total, found);
    if (found->total < plan->total)
        cs_pack_plan_copy(plan, found);
    cs_pack_plan_destroy(found);
}

#define EXACT 1e-9 /* relative: a plan is optimal when the bound is so near */
#define WHOLE 1e-6 /* F so near to a whole number is one */

struct change {
    int v;
    double low, high; /* of F(v) */
};

struct node {
    const struct node *parent;
    double bound;
    int changes, rows;
    const struct change *change;
    const double *center; /* prices to start from, by row of the master */
};

struct tree {
    struct cs_pack_colgen *g;
    const struct cs_pack_candidates *c;
    const struct cs_policy_context *context;
    struct cs_pack_plan *plan;
    struct cs_arena *arena;
    struct node **open;
    int opened, room;
    long nodes;
    struct cs_pack_dive *dive;
    long next_dive;                     /* in rounds of pricing */
    double unsolved;                    /* the least bound of leaves that were not decided */
    double *base, *low, *high, *weight; /* by candidate; weight: packs of that cost */
    int *cost, *pack_of;                /* of the packs of a leaf; of the tasks */
};

static double branch_target(const struct tree *t)
{
    return t->plan->total * (1 - EXACT);
}

static void tree_init(struct tree *t)
{
    size_t count = (size_t)t->c->count;

    t->arena = cs_arena_create();
    t->unsolved = INFINITY;
    t->base = CS_NEW_ARRAY(t->arena, double, count);
    t->low = CS_NEW_ARRAY(t->arena, double, count);
    t->high = CS_NEW_ARRAY(t->arena, double, count);
    t->weight = CS_NEW_ARRAY(t->arena, double, count);
    t->cost = CS_NEW_ARRAY(t->arena, int, t->c->tasks);
    t->dive = pack_dive_create(t->g, t->arena);
    t->pack_of = CS_NEW_ARRAY(t->arena, int, t->c->tasks);
    for (int row = t->c->tasks; row < cs_pack_master_rows(t->g->master); row++)
        t->base[cs_pack_master_threshold(t->g->master, row)] =
            cs_pack_master_low(t->g->master, row);
}

/* The child has the parent's bound and, as centre, the prices that proved it. */
static void branch_push(struct tree *t, const struct node *parent, const struct change *change,
                        int changes)
{
    struct node *node = CS_NEW(t->arena, struct node);
    struct change *copy = CS_NEW_ARRAY(t->arena, struct change, changes);

    if (changes)
        memcpy(copy, change, (size_t)changes * sizeof *copy);
    *node = (struct node){.parent = parent, .bound = -INFINITY, .changes = changes, .change = copy};
    if (parent) {
        node->bound = parent->bound;
        node->center = parent->center;
        node->rows = parent->rows;
    }
    CS_BLOCK_ROOM(t->open, t->opened, t->room, 64);
    t->open[t->opened++] = node;
}

/* The open node of least bound; the newest of those. */
static struct node *branch_pop(struct tree *t)
{
    int best = t->opened - 1;
    struct node *node;

    for (int a = best - 1; a >= 0; a--) {
        if (t->open[a]->bound < t->open[best]->bound)
            best = a;
    }
    node = t->open[best];
    t->opened--;
    memmove(t->open + best, t->open + best + 1, (size_t)(t->opened - best) * sizeof(struct node *));
    return node;
}

static double least_open(const struct tree *t)
{
    double least = t->unsolved;

    for (int a = 0; a < t->opened; a++)
        least = fmin(least, t->open[a]->bound);
    return least;
}

/* Rows for the node and its ancestors; the tasks, which a dive may have let go, are covered. */
static void apply_limits(struct tree *t, const struct node *node)
{
    struct cs_pack_master *master = t->g->master;
    size_t count = (size_t)t->c->count;

    memcpy(t->low, t->base, count * sizeof *t->low);
    for (size_t v = 0; v < count; v++)
        t->high[v] = INFINITY;
    for (; node; node = node->parent) {
        for (int a = 0; a < node->changes; a++) {
            const struct change *change = &node->change[a];

            t->low[change->v] = fmax(t->low[change->v], change->low);
            t->high[change->v] = fmin(t->high[change->v], change->high);
            cs_pack_master_limit(master, change->v, 0, INFINITY);
        }
    }
    for (int i = 0; i < t->c->tasks; i++) {
        if (cs_pack_master_low(master, i) < 1)
            cs_pack_master_cover(master, i, 1);
    }
    for (int row = t->c->tasks; row < cs_pack_master_rows(master); row++) {
        int v = cs_pack_master_threshold(master, row);

        cs_pack_master_limit(master, v, t->low[v], t->high[v]);
    }
}

static void count_packs(struct tree *t)
{
    const double *weight = cs_pack_master_weights(t->g->master);

    memset(t->weight, 0, (size_t)t->c->count * sizeof *t->weight);
    for (int a = 0; a < cs_pack_master_columns(t->g->master); a++)
        t->weight[cs_pack_master_column(t->g->master, a)->candidate] += weight[a];
}

/* The candidate whose F is worth branching on, and F; -1 when all are whole. */
static int choose_threshold(const struct tree *t, double *where)
{
    double sum = 0, best = 0;
    int chosen = -1;

    for (int v = t->c->count - 1; v >= 0; v--) {
        double away, score;

        if (t->weight[v] <= 0)
            continue;
        sum += t->weight[v];
        away = fabs(sum - round(sum));
        score = away * t->c->cost[v];
        if (away > WHOLE && score > best) {
            best = score;
            chosen = v;
            *where = sum;
        }
    }
    return chosen;
}

/* The costs of the packs when all F are whole, falling.  Returns how many. */
static int read_costs(struct tree *t)
{
    double sum = 0;
    int packs = 0;

    for (int v = t->c->count - 1; v >= 0; v--) {
        if (t->weight[v] <= 0)
            continue;
        sum += t->weight[v];
        while (packs < t->c->tasks && packs < (int)round(sum))
            t->cost[packs++] = v;
    }
    return packs;
}

static void take_plan(struct tree *t, int packs)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(t->c->tasks);

    cs_pack_plan_clear(plan);
    for (int b = 0; b < packs; b++) {
        int before = plan->tasks;

        for (int i = 0; i < t->c->tasks; i++) {
            if (t->pack_of[i] == b)
                cs_pack_plan_add(plan, i, t->c->in->tasks->min_procs[i]);
        }
        if (plan->tasks > before)
            cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(t->c->in, plan, t->context->scratch);
    if (plan->total < t->plan->total)
        cs_pack_plan_copy(t->plan, plan);
    cs_pack_plan_destroy(plan);
}

/* Some pack must cost more: for each distinct cost T with r packs above it, either one more
 * is above, or (for the children that follow) not. */
static void branch_on_costs(struct tree *t, const struct node *node, int packs)
{
    struct change *change = CS_NEW_ARRAY(t->arena, struct change, packs + 1);
    int changes = 0;

    for (int r = 0; r <= packs; r++) {
        int v = r < packs ? t->cost[r] + 1 : 0;

        if ((r > 0 && r < packs && t->cost[r] == t->cost[r - 1]) || v == t->c->count)
            continue;
        change[changes] = (struct change){v, r + 1, INFINITY};
        if (t->high[v] >= r + 1 && r + 1 <= t->c->tasks)
            branch_push(t, node, change, changes + 1);
        change[changes++] = (struct change){v, 0, r};
        if (t->low[v] > r)
            return;
    }
}

static void solve_leaf(struct tree *t, const struct node *node)
{
    int packs = read_costs(t);

    switch (cs_pack_leaf_assign(t->c, t->cost, packs, t->context, t->pack_of)) {
    case CS_PACK_LEAF_FITS:
        take_plan(t, packs);
        if (branch_target(t) > node->bound)
            t->unsolved = fmin(t->unsolved, node->bound);
        break;
    case CS_PACK_LEAF_NEVER:
        branch_on_costs(t, node, packs);
        break;
    case CS_PACK_LEAF_UNKNOWN:
        t->unsolved = fmin(t->unsolved, node->bound);
    }
}

static void pack_branch(struct tree *t, const struct node *node)
{
    double where = 0;
    int v;

    count_packs(t);
    v = choose_threshold(t, &where);
    if (v < 0) {
        solve_leaf(t, node);
        return;
    }
    branch_push(t, node, &(struct change){v, 0, floor(where)}, 1);
    branch_push(t, node, &(struct change){v, ceil(where), INFINITY}, 1);
}

/* The prices that proved the node's bound serve all its children. */
static void keep_center(struct tree *t, struct node *node)
{
    double *center = CS_NEW_ARRAY(t->arena, double, t->g->center_rows);

    if (t->g->center_rows)
        memcpy(center, t->g->center, (size_t)t->g->center_rows * sizeof *center);
    node->center = center;
    node->rows = t->g->center_rows;
}

/* Dives take less and less of the rounds, a quarter at first. */
static void dive_sometimes(struct tree *t)
{
    long before = t->g->rounds, cost;

    if (before < t->next_dive)
        return;
    pack_dive_run(t->dive, t->context, t->plan);
    cost = t->g->rounds - before;
    t->next_dive = t->g->rounds + (3 * cost > before ? 3 * cost : before);
}

static void branch_visit(struct tree *t, struct node *node)
{
    enum cs_pack_colgen_end end;

    cs_pack_master_trim(t->g->master);
    apply_limits(t, node);
    cs_pack_colgen_restart(t->g, node->center, node->rows);
    end = cs_pack_colgen_root(t->g, branch_target(t), t->context);
    t->nodes++;
    node->bound = fmax(node->bound, t->g->bound);
    if (end == CS_PACK_COLGEN_EXPIRED) {
        t->open[t->opened++] = node;
    } else if (end == CS_PACK_COLGEN_DONE && node->bound < branch_target(t)) {
        keep_center(t, node);
        pack_branch(t, node);
        dive_sometimes(t);
    }
}

void cs_pack_branch_run(struct cs_pack_colgen *g, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan, struct cs_pack_branch_result *result)
{
    struct tree t = {.g = g, .c = g->c, .context = context, .plan = plan};
    double least;

    tree_init(&t);
    branch_push(&t, NULL, NULL, 0);
    t.open[0]->bound = g->bound;
    keep_center(&t, t.open[0]);
    while (t.opened && !cs_pack_expired(context)) {
        struct node *node = branch_pop(&t);

        if (node->bound >= branch_target(&t)) {
            t.opened = 0;
            break;
        }
        branch_visit(&t, node);
    }
    least = least_open(&t);
    result->closed = least >= branch_target(&t);
    result->bound = result->closed ? plan->total : least;
    result->nodes = t.nodes;
    cs_block_free(t.open);
    cs_arena_destroy(t.arena);
}
