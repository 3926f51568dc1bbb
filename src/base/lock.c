/* lock.c - a mutex of POSIX that a guard gives back, and that survives a fork. */
#include "base/lock.h"

/* ---- fork ---- */

static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static struct cs_lock *first; /* of the process that have been taken */

static void fork_prepare(void)
{
    pthread_mutex_lock(&list);
    for (struct cs_lock *lock = first; lock; lock = lock->next)
        if (lock->fork == CS_LOCK_FORK_WAITS)
            pthread_mutex_lock(&lock->mutex);
}

static void fork_parent(void)
{
    for (struct cs_lock *lock = first; lock; lock = lock->next)
        if (lock->fork == CS_LOCK_FORK_WAITS)
            pthread_mutex_unlock(&lock->mutex);
    pthread_mutex_unlock(&list);
}

/* The threads that held the others do not exist in the child. */
static void fork_child(void)
{
    for (struct cs_lock *lock = first; lock; lock = lock->next)
        if (lock->fork == CS_LOCK_FORK_FREES)
            cs_lock_init(lock);
    fork_parent();
}

static void fork_watch(void)
{
    pthread_atfork(fork_prepare, fork_parent, fork_child);
}

/* Before a lock of the process is taken for the first time. */
static void list_lock(struct cs_lock *lock)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;

    pthread_once(&watching, fork_watch);
    pthread_mutex_lock(&list);
    if (!lock->listed) {
        lock->next = first;
        first = lock;
        lock->listed = true;
    }
    pthread_mutex_unlock(&list);
}

/* ---- locks ---- */

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
    if (lock->fork != CS_LOCK_IS_LOCAL)
        list_lock(lock);
    pthread_mutex_lock(&lock->mutex);
    cs_guard_keep(&lock->guarded, drop);
}

void cs_lock_give(struct cs_lock *lock)
{
    cs_guard_forget(&lock->guarded);
    pthread_mutex_unlock(&lock->mutex);
}
