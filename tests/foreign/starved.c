/* starved.c - the n-th malloc of every call fails: a sentence, no crash, nothing left behind.
 *
 * Every call is made rightly, with objects that are there; then again and again, and each time
 * another of its allocations fails, until none does.  Afterwards no more blocks may be in use than
 * before. COSCHED_STARVED=all: every one of them; else, beyond the first 40, some.
 */
#include "allocations.h"
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>

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
        allocations_fail_at(n);
        call->make(c);
        if (allocations_end() < n)
            break;
        failed++;
    }
    return failed;
}

/* One call; returns how many blocks it has left behind. */
static long run(const struct call *call, bool all, long *failed)
{
    uint8_t bytes[64];
    long before = allocations_live();
    struct caller c = fresh(bytes, sizeof bytes);

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(37 * i);
    fill(&c);
    *failed += call ? starve(&c, call, bytes, sizeof bytes, all) : 0;
    calls_end(&c);
    return allocations_live() - before;
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
