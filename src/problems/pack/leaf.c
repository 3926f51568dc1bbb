/* leaf.c - the assignment as a 0-1 program: every task in one pack, room and size kept.
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
#include "problems/pack/leaf.h"

#include "problems/pack/cbc.h"

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
