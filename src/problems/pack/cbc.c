/* cbc.c - CBC has no callback for patience, so it is run again with twice the time.
 *
 * Source: docs/dev/decisions/linear-programs.md.
 *
 * Its main program keeps global state, so only one run at a time is made in a process.
 * Invariants: each run begins from an unchanged copy of the program, so its answer does not depend
 * on the earlier runs; the lock is held during a run only, and patience is polled between runs.
 *
 * constant       value  unit     found by       half, double
 * FIRST_SECONDS    2.0  seconds  not recorded   not measured; patience is exceeded by up to one run
 */
#include "problems/pack/cbc.h"

#include "base/bug.h"
#include "base/lock.h"
#include "problems/pack/coin_table.h"
#include "problems/pack/policy.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SECONDS 2.0

struct cs_pack_cbc {
    struct cs_guarded guarded; /* first: the programs */
    Cbc_Model *model, *run;    /* of one run; or NULL */
    int columns;
};

static struct cs_lock lock = CS_LOCK_LONG; /* CBC solves one program at a time */

static void drop_programs(struct cs_guarded *program)
{
    struct cs_pack_cbc *p = (struct cs_pack_cbc *)(void *)program;

    if (p->run && !cs_pack_coin_is_broken(p->run))
        cs_pack_coin.Cbc_deleteModel(p->run);
    if (!cs_pack_coin_is_broken(p->model))
        cs_pack_coin.Cbc_deleteModel(p->model);
}

struct cs_pack_cbc *cs_pack_cbc_create(void)
{
    struct cs_pack_cbc *p = cs_block_zero(1, sizeof *p);

    CS_REQUIRE(!cs_pack_coin_load(NULL));
    p->model = cs_pack_coin.Cbc_newModel();
    cs_guard_keep(&p->guarded, drop_programs);
    cs_pack_coin.Cbc_setLogLevel(p->model, 0);
    return p;
}

void cs_pack_cbc_destroy(struct cs_pack_cbc *p)
{
    if (!p)
        return;
    cs_guard_discard(&p->guarded);
    drop_programs(&p->guarded);
    cs_block_free(p);
}

int cs_pack_cbc_column(struct cs_pack_cbc *p, double cost, bool binary)
{
    cs_pack_coin.Cbc_addCol(p->model, "x", 0, binary ? 1 : 1e30, cost, (char)binary, 0, NULL, NULL);
    return p->columns++;
}

void cs_pack_cbc_row(struct cs_pack_cbc *p, int count, const int *column, const double *value,
                     char sense, double rhs)
{
    cs_pack_coin.Cbc_addRow(p->model, "r", count, column, value, sense, rhs);
}

static void set_limits(Cbc_Model *model, int nodes, double seconds)
{
    cs_pack_coin.Cbc_setLogLevel(model, 0);
    cs_pack_coin.Cbc_setMaximumSeconds(model, seconds);
    cs_pack_coin.Cbc_setAllowableGap(model, 0);
    cs_pack_coin.Cbc_setAllowableFractionGap(model, 0);
    cs_pack_coin.Cbc_setParameter(model, "twoMirCuts", "off");
    if (nodes)
        cs_pack_coin.Cbc_setMaximumNodes(model, nodes);
}

/* One run; STOPPED when it was cut by its seconds. */
static enum cs_pack_cbc_end cbc_run(struct cs_pack_cbc *p, int nodes, double seconds,
                                    bool *out_of_nodes, double *solution)
{
    Cbc_Model *model = p->run = cs_pack_coin.Cbc_clone(p->model);
    enum cs_pack_cbc_end end = CS_PACK_CBC_STOPPED;

    set_limits(model, nodes, seconds);
    cs_pack_coin.Cbc_solve(model);
    *out_of_nodes = cs_pack_coin.Cbc_isNodeLimitReached(model);
    if (cs_pack_coin.Cbc_isProvenOptimal(model)) {
        end = CS_PACK_CBC_SOLVED;
        memcpy(solution, cs_pack_coin.Cbc_getColSolution(model),
               (size_t)p->columns * sizeof *solution);
    } else if (cs_pack_coin.Cbc_isProvenInfeasible(model) ||
               cs_pack_coin.Cbc_isInitialSolveProvenPrimalInfeasible(model)) {
        end = CS_PACK_CBC_INFEASIBLE;
    }
    p->run = NULL;
    cs_pack_coin.Cbc_deleteModel(model);
    return end;
}

enum cs_pack_cbc_end cs_pack_cbc_solve(struct cs_pack_cbc *p, int nodes,
                                       const struct cs_policy_context *context, double *solution)
{
    for (double seconds = FIRST_SECONDS; !cs_pack_expired(context); seconds *= 2) {
        bool out_of_nodes;
        enum cs_pack_cbc_end end;

        cs_lock_take(&lock);
        end = cbc_run(p, nodes, seconds, &out_of_nodes, solution);
        cs_lock_give(&lock);
        if (end != CS_PACK_CBC_STOPPED || out_of_nodes)
            return end;
    }
    return CS_PACK_CBC_STOPPED;
}
