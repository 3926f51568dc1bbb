/* together.h - hosts that are up together: the search behind what is exact in the off-line problem.
 *
 * Some parts (a host, and a stretch of slots in which it can be used) are wanted that have room for
 * all tasks and share enough slots in which all of their hosts are up.  NP-hard (theorem 4.1 of the
 * paper): parts and slots that cannot take part are dropped again and again, the rest is searched
 * depth first, over bitsets of slots.
 */
#ifndef CS_VOLATILE_TOGETHER_H
#define CS_VOLATILE_TOGETHER_H

#include "base/arena.h"

#include <stdint.h>

enum cs_volatile_answer { CS_VOLATILE_NO, CS_VOLATILE_YES, CS_VOLATILE_OPEN };

struct cs_volatile_part {
    int host;
    int from, to; /* slots from .. to - 1, at least one */
    int room;     /* tasks, at least 1 */
};

struct cs_volatile_together {
    int slots;     /* of the window, at least 1 */
    uint64_t **up; /* by host: bit t of the row for slot t in which it is up; yours to set */
    int64_t patience, spent; /* words of slots examined; patience 0: no limit */
    /* The last result. */
    int choices;
    const struct cs_volatile_part **choice;
    int end; /* the slot after the last of the first `shared` that they share */
    struct cs_volatile_together_room *room; /* private */
};

/* Room for a search among the parts of `hosts` hosts, of which at most `choices` are wanted; no
 * host is up yet.  It lives in the arena. */
struct cs_volatile_together *cs_volatile_together_create(int hosts, int slots, int choices,
                                                         struct cs_arena *arena);

/* The host is up in slots from .. to - 1. */
void cs_volatile_together_set_up(struct cs_volatile_together *together, int host, int from, int to);

/* Parts with room for the tasks that share `shared` slots (at least 1) before slot `end`; OPEN when
 * the patience ended before that was known, and nothing speaks against it but a search.  The parts
 * must stay until the next search. */
enum cs_volatile_answer cs_volatile_together_search(struct cs_volatile_together *together,
                                                    const struct cs_volatile_part *part, int parts,
                                                    int end, int tasks, int shared);

#endif
