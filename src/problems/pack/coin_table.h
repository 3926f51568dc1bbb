/* coin_table.h - what is called of CLP and CBC: cs_pack_coin.Clp_dual(...), after
 * cs_pack_coin_load().
 */
#ifndef CS_PACK_COIN_TABLE_H
#define CS_PACK_COIN_TABLE_H

#include "problems/pack/coin.h"

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>
#include <stdbool.h>

#define CS_PACK_CLP_FUNCTIONS                                                                      \
    CS_PACK_COIN(Clp_addColumns)                                                                   \
    CS_PACK_COIN(Clp_addRows)                                                                      \
    CS_PACK_COIN(Clp_columnUpper)                                                                  \
    CS_PACK_COIN(Clp_deleteColumns)                                                                \
    CS_PACK_COIN(Clp_deleteModel)                                                                  \
    CS_PACK_COIN(Clp_dual)                                                                         \
    CS_PACK_COIN(Clp_dualColumnSolution)                                                           \
    CS_PACK_COIN(Clp_dualRowSolution)                                                              \
    CS_PACK_COIN(Clp_getColumnStatus)                                                              \
    CS_PACK_COIN(Clp_newModel)                                                                     \
    CS_PACK_COIN(Clp_objectiveValue)                                                               \
    CS_PACK_COIN(Clp_primal)                                                                       \
    CS_PACK_COIN(Clp_primalColumnSolution)                                                         \
    CS_PACK_COIN(Clp_rowLower)                                                                     \
    CS_PACK_COIN(Clp_rowUpper)                                                                     \
    CS_PACK_COIN(Clp_scaling)                                                                      \
    CS_PACK_COIN(Clp_setColumnStatus)                                                              \
    CS_PACK_COIN(Clp_setDualTolerance)                                                             \
    CS_PACK_COIN(Clp_setLogLevel)                                                                  \
    CS_PACK_COIN(Clp_setMaximumIterations)                                                         \
    CS_PACK_COIN(Clp_setPrimalTolerance)                                                           \
    CS_PACK_COIN(Clp_setRowStatus)                                                                 \
    CS_PACK_COIN(Clp_status)

#define CS_PACK_CBC_FUNCTIONS                                                                      \
    CS_PACK_COIN(Cbc_addCol)                                                                       \
    CS_PACK_COIN(Cbc_addRow)                                                                       \
    CS_PACK_COIN(Cbc_clone)                                                                        \
    CS_PACK_COIN(Cbc_deleteModel)                                                                  \
    CS_PACK_COIN(Cbc_getColSolution)                                                               \
    CS_PACK_COIN(Cbc_isInitialSolveProvenPrimalInfeasible)                                         \
    CS_PACK_COIN(Cbc_isNodeLimitReached)                                                           \
    CS_PACK_COIN(Cbc_isProvenInfeasible)                                                           \
    CS_PACK_COIN(Cbc_isProvenOptimal)                                                              \
    CS_PACK_COIN(Cbc_newModel)                                                                     \
    CS_PACK_COIN(Cbc_setAllowableFractionGap)                                                      \
    CS_PACK_COIN(Cbc_setAllowableGap)                                                              \
    CS_PACK_COIN(Cbc_setLogLevel)                                                                  \
    CS_PACK_COIN(Cbc_setMaximumNodes)                                                              \
    CS_PACK_COIN(Cbc_setMaximumSeconds)                                                            \
    CS_PACK_COIN(Cbc_setParameter)                                                                 \
    CS_PACK_COIN(Cbc_solve)

#ifdef __cplusplus
#define CS_PACK_OUTER(name) ::name
#else
#define CS_PACK_OUTER(name) name
#endif

struct cs_pack_coin {
#define CS_PACK_COIN(name) __typeof__(&CS_PACK_OUTER(name)) name;
    CS_PACK_CLP_FUNCTIONS
    CS_PACK_CBC_FUNCTIONS
#undef CS_PACK_COIN
};

extern struct cs_pack_coin cs_pack_coin;

#ifdef __cplusplus
extern "C" {
#endif

/* From here on the functions of the table do not throw: an exception ends in
 * cs_pack_coin_failed(), which goes back to the guard of the thread (base/guard.h). */
void cs_pack_coin_catch(void);
void cs_pack_coin_failed(bool memory, const void *model);

/* Was this the last model of the thread to throw?  Such a one is not destroyed: CLP and CBC leave
 * it with arrays that are freed already. */
bool cs_pack_coin_is_broken(const void *model);

#ifdef __cplusplus
}
#endif

#endif
