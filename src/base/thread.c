/* thread.c - teams of POSIX threads. */
#define _GNU_SOURCE /* sched_getaffinity() */

#include "base/thread.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/number.h"
#include "base/watch.h"
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STACK ((size_t)4 << 20) /* bytes of a member's stack; docs/threads.md states it */
#define CPUS 8192               /* as many as Linux knows */

struct team {
    void (*work)(void *who, int member);
    void *who;
    struct cs_guard *guard; /* of the thread that called, as the watch */
    const struct cs_watch *watch;
    sigset_t mask;
    atomic_bool failed;  /* a member ran out of memory */
    atomic_bool stopped; /* a member was stopped by the watch */
};

struct member {
    struct team *team;
    int index;
    pthread_t thread;
    unsigned char *stack; /* with a page below it that cannot be used */
};

static _Thread_local const struct team *team_here; /* NULL: none */
static _Thread_local int index_here;

int cs_thread_index(void)
{
    return index_here;
}

/* The whole number at the start of a variable of OpenMP, a list; 0: none, or not valid. */
static int variable_read(const char *name)
{
    const char *text = getenv(name);
    char first[16];
    int64_t number;
    size_t length = text ? strcspn(text, ",") : 0;

    if (!length || length >= sizeof first)
        return 0;
    memcpy(first, text, length);
    first[length] = '\0';
    if (cs_number_int64(first, &number) != CS_NUMBER_FINE || number < 1)
        return 0;
    return number < CS_THREADS ? (int)number : CS_THREADS;
}

static int processor_count(void)
{
    long count = 0;
#ifdef __linux__
    unsigned long mask[CPUS / (8 * sizeof(unsigned long))];

    if (!sched_getaffinity(0, sizeof mask, (cpu_set_t *)(void *)mask))
        count = CPU_COUNT_S(sizeof mask, (cpu_set_t *)(void *)mask);
#endif
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count < CS_THREADS ? (int)count : CS_THREADS;
}

int cs_thread_limit(void)
{
    const int wanted = variable_read("OMP_NUM_THREADS"), most = variable_read("OMP_THREAD_LIMIT");
    int count = wanted;

    if (!CS_HAVE_THREADS)
        return 1;
    if (!count)
        count = processor_count();
    return most && most < count ? most : count;
}

void cs_thread_mask(sigset_t *mask)
{
    if (team_here)
        *mask = team_here->mask;
    else
        pthread_sigmask(SIG_SETMASK, NULL, mask);
}

int cs_team_size(int threads)
{
    return !CS_HAVE_THREADS || team_here || threads < 1 ? 1 : threads;
}

/* ---- a member ---- */

static int work_guarded(struct team *team, int index)
{
    CS_GUARD_INNER(NULL, -1);

    team->work(team->who, index);
    return 0;
}

static void member_work(struct team *team, int index)
{
    team_here = team;
    index_here = index;
    if (work_guarded(team, index))
        team->failed = true;
    if (cs_watch_settle(0, NULL))
        team->stopped = true;
    team_here = NULL;
    index_here = 0;
}

static void *member_begin(void *who)
{
    struct member *member = who;

    cs_guard_lend(member->team->guard);
    cs_watch_enter(member->team->watch);
    member_work(member->team, member->index);
    return NULL;
}

/* ---- a team ---- */

/* All but those that report an error of the thread itself. */
static void signals_block(sigset_t *before)
{
    static const int own[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t most;

    sigfillset(&most);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&most, own[i]);
    pthread_sigmask(SIG_BLOCK, &most, before);
}

/* Allocate the stack here: the C library would keep its own, with blocks of the heap. NULL without
 * memory. */
static unsigned char *stack_create(pthread_attr_t *attributes, size_t page)
{
    unsigned char *stack =
        mmap(NULL, page + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (stack == MAP_FAILED)
        return NULL;
    if (!mprotect(stack, page, PROT_NONE) &&
        !pthread_attr_setstack(attributes, stack + page, STACK))
        return stack;
    munmap(stack, page + STACK);
    return NULL;
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void stack_destroy(unsigned char *stack)
{
    if (stack)
        munmap(stack, page_size() + STACK);
}

static int member_start(struct member *member, pthread_attr_t *attributes)
{
    member->stack = stack_create(attributes, page_size());
    if (!member->stack)
        return -1;
    errno = ENOMEM; /* what glibc asserts where calloc() of a program fails and does not set it */
    if (!pthread_create(&member->thread, attributes, member_begin, member))
        return 0;
    stack_destroy(member->stack);
    return -1;
}

/* How many there are with the calling thread, which is the first. */
static int members_start(struct team *team, struct member *member, int threads)
{
    pthread_attr_t attributes;
    int count = 1;

    if (pthread_attr_init(&attributes))
        return count;
    signals_block(&team->mask);
    for (; count < threads; count++) {
        member[count] = (struct member){.team = team, .index = count};
        if (member_start(&member[count], &attributes))
            break;
    }
    pthread_sigmask(SIG_SETMASK, &team->mask, NULL);
    pthread_attr_destroy(&attributes);
    return count;
}

static void team_work(struct team *team, int threads)
{
    struct member *member = cs_block_zero((size_t)threads, sizeof *member);
    const int count = members_start(team, member, threads);

    member_work(team, 0);
    for (int m = 1; m < count; m++) {
        pthread_join(member[m].thread, NULL);
        stack_destroy(member[m].stack);
    }
    cs_block_free(member);
    if (team->stopped)
        cs_watch_hear();
    if (team->failed)
        cs_bug_no_memory(0);
}

void cs_team_run(int threads, void (*work)(void *who, int member), void *who)
{
    struct team team = {
        .work = work, .who = who, .guard = cs_guard_here(), .watch = cs_watch_here()};

    if (cs_team_size(threads) > 1)
        team_work(&team, threads);
    else
        work(who, 0);
}
