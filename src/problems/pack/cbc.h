/* cbc.h - a small integer program for CBC, in its own words, stopped by the caller's patience. */
#ifndef CS_PACK_CBC_H
#define CS_PACK_CBC_H

#include "model/policy.h"

struct cs_pack_cbc;

struct cs_pack_cbc *cs_pack_cbc_create(void);
void cs_pack_cbc_destroy(struct cs_pack_cbc *p); /* NULL is fine */

/* A column: 0 or 1 when `binary`, else 0 and more.  Returns its number. */
int cs_pack_cbc_column(struct cs_pack_cbc *p, double cost, bool binary);

/* sum value[a] column[a] SENSE rhs, where sense is 'E', 'L' or 'G'. */
void cs_pack_cbc_row(struct cs_pack_cbc *p, int count, const int *column, const double *value,
                     char sense, double rhs);

enum cs_pack_cbc_end {
    CS_PACK_CBC_SOLVED = 1, /* solution[] is optimal */
    CS_PACK_CBC_INFEASIBLE, /* no solution exists */
    CS_PACK_CBC_STOPPED,    /* patience ended, or `nodes` were not enough */
};

/* Minimise.  CBC is called in runs of growing length, between which `context` is polled;
 * nodes = 0 means no limit.  solution[] has room for all columns. */
enum cs_pack_cbc_end cs_pack_cbc_solve(struct cs_pack_cbc *p, int nodes,
                                       const struct cs_policy_context *context, double *solution);

#endif
