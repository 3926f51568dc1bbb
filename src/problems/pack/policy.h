/* policy.h - the interface of a pack policy and the steps that policies share.
 *
 * To add a policy: one .c file here that defines a `const struct cs_pack_policy`, one line in
 * policies.def, one line in meson.build.  The registry test then puts it through random
 * instances, the checker and a second, byte-identical run.
 */
#ifndef CS_PACK_POLICY_H
#define CS_PACK_POLICY_H

#include "base/arena.h"
#include "base/watch.h"
#include "problems/pack/instance.h"

struct cs_pack_policy {
    struct cs_policy info;
    /* Fill `plan`, which is empty and has room for all tasks.  0, or -1 with context->err.
     * There is at least one task. */
    int (*plan)(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                struct cs_pack_plan *plan);
};

/* Building a plan pack by pack. */
void cs_pack_plan_clear(struct cs_pack_plan *plan);

/* -1 with err when it was made for fewer tasks. */
int cs_pack_plan_check_room(const struct cs_pack_instance *in, const struct cs_pack_plan *plan,
                            struct cs_error *err);

/* Are its tasks and their processors those of the instance? */
bool cs_pack_plan_fits(const struct cs_pack_instance *in, const struct cs_pack_plan *plan);
void cs_pack_plan_add(struct cs_pack_plan *plan, int task, int procs); /* to the open pack */
void cs_pack_plan_close(struct cs_pack_plan *plan, double cost);       /* the open pack is done */
void cs_pack_plan_copy(struct cs_pack_plan *to, const struct cs_pack_plan *from);
void cs_pack_plan_note(struct cs_pack_plan *plan, const char *name, const char *word,
                       double number);

/* Algorithm 1 in every pack: the processors, the costs and the total are set again.  The processors
 * that the plan has are where the search starts: at least the minimum of each task. */
void cs_pack_plan_share(const struct cs_pack_instance *in, struct cs_pack_plan *plan,
                        struct cs_arena *scratch);

/* Algorithm 2, MAKE-PACK, first fit decreasing: tasks by (time on procs[task] descending, index
 * ascending), each into the first pack with enough free processors and fewer than pack_size
 * tasks.  procs[task] for every task.  O(n log n).  `order` may give that order, or be NULL. */
void cs_pack_make(const struct cs_pack_instance *in, const int *procs, const int *order,
                  struct cs_pack_plan *plan, struct cs_arena *scratch);

static inline bool cs_pack_expired(const struct cs_policy_context *context)
{
    return cs_watch_calls() || (context->expired && context->expired(context->who));
}

#endif
