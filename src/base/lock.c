/* lock.c - a mutex of POSIX that a guard gives back, and that survives a fork. */
#include "base/lock.h"

#include <stdbool.h>

/* ---- fork ---- */

/* Threads are inside while they hold a lock of the process; fork() closes the gate and waits until
 * no other thread is inside. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int inside;
    bool closed;
    struct cs_lock *first; /* of those that fork() frees */
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Thread_local int held; /* locks of the process, by this thread */

static void fork_prepare(void)
{
    pthread_mutex_lock(&gate.mutex);
    while (gate.inside > (held > 0)) {
        gate.closed = true;
        pthread_cond_wait(&gate.changed, &gate.mutex);
    }
}

static void gate_open(void)
{
    gate.closed = false;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

/* Other threads do not exist here. */
static void fork_child(void)
{
    gate.inside = held > 0;
    pthread_cond_init(&gate.changed, NULL);
    for (struct cs_lock *lock = gate.first; lock; lock = lock->next)
        cs_lock_init(lock);
    gate_open();
}

static void fork_watch(void)
{
    pthread_atfork(fork_prepare, gate_open, fork_child);
}

static void gate_enter(struct cs_lock *lock)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;

    pthread_once(&watching, fork_watch);
    pthread_mutex_lock(&gate.mutex);
    if (lock->fork == CS_LOCK_FORK_FREES && !lock->listed) {
        lock->next = gate.first;
        gate.first = lock;
        lock->listed = true;
    }
    if (lock->fork == CS_LOCK_FORK_WAITS && held++ == 0) {
        while (gate.closed)
            pthread_cond_wait(&gate.changed, &gate.mutex);
        gate.inside++;
    }
    pthread_mutex_unlock(&gate.mutex);
}

static void gate_leave(const struct cs_lock *lock)
{
    if (lock->fork != CS_LOCK_FORK_WAITS || --held > 0)
        return;
    pthread_mutex_lock(&gate.mutex);
    gate.inside--;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
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

static void lock_unlock(struct cs_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
    gate_leave(lock);
}

static void lock_drop(struct cs_guarded *lock)
{
    lock_unlock((struct cs_lock *)(void *)lock);
}

void cs_lock_take(struct cs_lock *lock)
{
    if (lock->fork != CS_LOCK_IS_LOCAL)
        gate_enter(lock);
    pthread_mutex_lock(&lock->mutex);
    cs_guard_keep(&lock->guarded, lock_drop);
}

void cs_lock_give(struct cs_lock *lock)
{
    cs_guard_discard(&lock->guarded);
    lock_unlock(lock);
}
