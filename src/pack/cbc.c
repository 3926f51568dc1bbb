/* cbc.c - CBC has no question "shall I go on?", so it is run again with twice the time.
 *
 * Its main program keeps state of its own, so only one run at a time is made in a process.
 */
#include "pack/cbc.h"

#include "base/bug.h"
#include "pack/coin_table.h"
#include "pack/policy.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SECONDS 2.0

struct cs_pack_cbc {
    Cbc_Model *model;
    int columns;
};

struct cs_pack_cbc *cs_pack_cbc_create(void)
{
    struct cs_pack_cbc *p = calloc(1, sizeof *p);

    if (!p)
        cs_bug_no_memory(sizeof *p);
    CS_REQUIRE(!cs_pack_coin_load(NULL));
    p->model = cs_pack_coin.Cbc_newModel();
    cs_pack_coin.Cbc_setLogLevel(p->model, 0);
    return p;
}

void cs_pack_cbc_destroy(struct cs_pack_cbc *p)
{
    if (!p)
        return;
    cs_pack_coin.Cbc_deleteModel(p->model);
    free(p);
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

/* One run; STOPPED when it was cut by its seconds. */
static enum cs_pack_cbc_end run(struct cs_pack_cbc *p, int nodes, double seconds,
                                bool *out_of_nodes, double *solution)
{
    Cbc_Model *model = cs_pack_coin.Cbc_clone(p->model);
    enum cs_pack_cbc_end end = CS_PACK_CBC_STOPPED;

    cs_pack_coin.Cbc_setLogLevel(model, 0);
    cs_pack_coin.Cbc_setMaximumSeconds(model, seconds);
    cs_pack_coin.Cbc_setAllowableGap(model, 0);
    cs_pack_coin.Cbc_setAllowableFractionGap(model, 0);
    if (nodes)
        cs_pack_coin.Cbc_setMaximumNodes(model, nodes);
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
    cs_pack_coin.Cbc_deleteModel(model);
    return end;
}

enum cs_pack_cbc_end cs_pack_cbc_solve(struct cs_pack_cbc *p, int nodes,
                                       const struct cs_policy_context *context, double *solution)
{
    for (double seconds = FIRST_SECONDS; !cs_pack_expired(context); seconds *= 2) {
        bool out_of_nodes;
        enum cs_pack_cbc_end end;

#pragma omp critical(cs_pack_cbc)
        end = run(p, nodes, seconds, &out_of_nodes, solution);

        if (end != CS_PACK_CBC_STOPPED || out_of_nodes)
            return end;
    }
    return CS_PACK_CBC_STOPPED;
}
