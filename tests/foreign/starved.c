/* starved.c - the n-th malloc of every call fails: a sentence, no crash, nothing left behind.
 *
 * A program's own malloc comes before that of the C library, for the shared library too.  Every
 * call is made rightly, with objects that are there; then again and again, and each time another of
 * its allocations fails, until none does.  Afterwards no more blocks may be in use than before.
 * COSCHED_STARVED=all: every one of them; else, beyond the first 40, some.
 */
#include "calls.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

static atomic_long calls, live, fail_at; /* fail_at 0: never */

static bool fails(void)
{
    long at = atomic_load(&fail_at);

    return at && atomic_fetch_add(&calls, 1) + 1 == at;
}

static void *counted(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

void *malloc(size_t size)
{
    return fails() ? errno = ENOMEM, NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count_, size_t size)
{
    return fails() ? errno = ENOMEM, NULL : counted(__libc_calloc(count_, size));
}

void *realloc(void *old, size_t size)
{
    if (fails())
        return errno = ENOMEM, NULL;
    if (!old)
        return counted(__libc_realloc(old, size));
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return counted(__libc_memalign(align, size));
}

void free(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    __libc_free(block);
}

static struct caller fresh(const uint8_t *bytes, size_t size)
{
    return (struct caller){.byte = bytes, .end = bytes + size, .tame = true};
}

/* Objects of every kind. */
static void fill(struct caller *c)
{
    for (int i = 0; i < calls_count(); i++)
        calls_at(i)->make(c);
    c->closed = true;
}

/* Returns how many of its allocations have failed. */
static long starve(struct caller *c, const struct call *call, const uint8_t *bytes, size_t size,
                   bool all)
{
    long failed = 0;

    c->starved = true;
    for (long n = 1;; n += all || n < 40 ? 1 : n / 8) {
        c->byte = bytes;
        c->end = bytes + size;
        atomic_store(&calls, 0);
        atomic_store(&fail_at, n);
        call->make(c);
        atomic_store(&fail_at, 0);
        if (atomic_load(&calls) < n)
            break;
        failed++;
    }
    return failed;
}

/* One call; returns how many blocks it has left behind. */
static long run(const struct call *call, bool all, long *failed)
{
    uint8_t bytes[64];
    long before = atomic_load(&live);
    struct caller c = fresh(bytes, sizeof bytes);

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(37 * i);
    fill(&c);
    *failed += call ? starve(&c, call, bytes, sizeof bytes, all) : 0;
    calls_end(&c);
    return atomic_load(&live) - before;
}

int main(int argc, char **argv)
{
    const char *more = getenv("COSCHED_STARVED");
    long failed = 0;
    int leaks = 0;

    setvbuf(stdout, NULL, _IOLBF, 4096);
    run(NULL, false, &failed); /* what stays for good */
    for (int i = argc > 1 ? atoi(argv[1]) : 0; i < (argc > 1 ? atoi(argv[1]) + 1 : calls_count());
         i++) {
        long left = run(calls_at(i), more != NULL, &failed);

        if (left > 0) {
            printf("%d %s: %ld blocks are left behind\n", i, calls_at(i)->name, left);
            leaks++;
        }
    }
    printf("%ld allocations failed in %d kinds of calls\n", failed, calls_count());
    return leaks > 0;
}
