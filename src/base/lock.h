/* lock.h - one thread at a time, also when memory runs out meanwhile.
 *
 * A region of OpenMP stays locked for ever when somebody jumps out of it to a guard (guard.h); what
 * holds a lock of this kind gives it back then, like everything else that was made since.
 *
 *     static struct cs_lock lock = CS_LOCK_INIT;
 *
 *     cs_lock_take(&lock);
 *     thing = find_or_make();
 *     cs_lock_give(&lock);
 */
#ifndef CS_BASE_LOCK_H
#define CS_BASE_LOCK_H

#include "base/guard.h"

#include <pthread.h>

struct cs_lock {
    struct cs_guarded guarded; /* first: who holds it */
    pthread_mutex_t mutex;
};

#define CS_LOCK_INIT                                                                               \
    {                                                                                              \
        .mutex = PTHREAD_MUTEX_INITIALIZER                                                         \
    }

void cs_lock_init(struct cs_lock *lock);
void cs_lock_destroy(struct cs_lock *lock);

/* Waits until nobody holds it.  The same thread gives it back, or its guard. */
void cs_lock_take(struct cs_lock *lock);
void cs_lock_give(struct cs_lock *lock);

#endif
