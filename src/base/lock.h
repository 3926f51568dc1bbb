/* lock.h - one thread at a time, also when memory runs out meanwhile, and after a fork.
 *
 * A guard (guard.h) unlocks the locks of this kind that its thread holds, like everything else that
 * was made since.
 *
 *     static struct cs_lock lock = CS_LOCK_PROCESS;
 *
 *     cs_lock_take(&lock);
 *     thing = find_or_make();
 *     cs_lock_give(&lock);
 *
 * A lock that is static is CS_LOCK_PROCESS: fork() waits until no other thread holds one, so that
 * the data that they protect are complete in the child.  CS_LOCK_LONG is for what is held for
 * seconds: fork() does not wait, and in the child the lock is free.
 */
#ifndef CS_BASE_LOCK_H
#define CS_BASE_LOCK_H

#include "base/guard.h"

#include <pthread.h>

enum cs_lock_fork { CS_LOCK_IS_LOCAL, CS_LOCK_FORK_WAITS, CS_LOCK_FORK_FREES };

struct cs_lock {
    struct cs_guarded guarded; /* first: its holder */
    pthread_mutex_t mutex;
    enum cs_lock_fork fork;
    bool listed;          /* among those that fork() frees */
    struct cs_lock *next; /* of these */
};

#define CS_LOCK_OF(kind)                                                                           \
    {                                                                                              \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .fork = (kind)                                         \
    }
#define CS_LOCK_INIT CS_LOCK_OF(CS_LOCK_IS_LOCAL)
#define CS_LOCK_PROCESS CS_LOCK_OF(CS_LOCK_FORK_WAITS)
#define CS_LOCK_LONG CS_LOCK_OF(CS_LOCK_FORK_FREES)

void cs_lock_init(struct cs_lock *lock);
void cs_lock_destroy(struct cs_lock *lock);

/* Wait until it is free. The same thread releases it, or its guard. */
void cs_lock_take(struct cs_lock *lock);
void cs_lock_give(struct cs_lock *lock);

#endif
