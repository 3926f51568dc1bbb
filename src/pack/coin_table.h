/* coin_table.h - what is called of CLP and CBC: cs_pack_coin.Clp_dual(...), after
 * cs_pack_coin_load().
 */
#ifndef CS_PACK_COIN_TABLE_H
#define CS_PACK_COIN_TABLE_H

#include "pack/coin.h"

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>

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
    CS_PACK_COIN(Cbc_solve)

struct cs_pack_coin {
#define CS_PACK_COIN(name) __typeof__(&name) name;
    CS_PACK_CLP_FUNCTIONS
    CS_PACK_CBC_FUNCTIONS
#undef CS_PACK_COIN
};

extern struct cs_pack_coin cs_pack_coin;

#endif
