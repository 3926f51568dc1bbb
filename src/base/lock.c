/* lock.c - a mutex of POSIX that a guard gives back. */
#include "base/lock.h"

void cs_lock_init(struct cs_lock *lock)
{
    lock->guarded = (struct cs_guarded){0};
    pthread_mutex_init(&lock->mutex, NULL);
}

void cs_lock_destroy(struct cs_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

static void drop(struct cs_guarded *lock)
{
    pthread_mutex_unlock(&((struct cs_lock *)(void *)lock)->mutex);
}

void cs_lock_take(struct cs_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    cs_guard_keep(&lock->guarded, drop);
}

void cs_lock_give(struct cs_lock *lock)
{
    cs_guard_forget(&lock->guarded);
    pthread_mutex_unlock(&lock->mutex);
}
