/* starved.c - the n-th malloc of every call fails: a sentence, no crash, nothing left behind.
 *
 * Every call is made rightly, with objects that are there; then again and again, and each time
 * another of its allocations fails, until none does.  Afterwards no more blocks may be in use than
 * before, and of readers (readers.c) after each failure neither blocks nor descriptors.
 * COSCHED_STARVED=all: every one of them; else, beyond the first 40, some.
 */
#include "allocations.h"
#include "calls.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int points; /* at which a reader has left something behind */

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

static int descriptors_open(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* What a reader has left behind when its n-th allocation failed. */
static int point_check(const struct call *call, int file, long n, long blocks, int descriptors)
{
    const long left = allocations_live() - blocks;
    const int open = reader_files(call) ? descriptors_open() - descriptors : 0;

    if (!reader_files(call) || (!left && !open))
        return 0;
    printf("%s %d: %ld blocks and %d descriptors are left behind at %ld\n", call->name, file, left,
           open, n);
    return 1;
}

/* Returns how many of its allocations have failed. */
static long starve(struct caller *c, const struct call *call, uint8_t *bytes, size_t size, bool all)
{
    const int files = reader_files(call);
    long failed = 0;

    c->starved = true;
    for (int file = 0; file < (files ? files : 1); file++) {
        const uint8_t first = bytes[0];
        const long blocks = allocations_live();
        const int descriptors = descriptors_open();

        bytes[0] = files ? (uint8_t)file : first;
        for (long n = 1;; n += all || n < 40 ? 1 : n / 8) {
            c->byte = bytes;
            c->end = bytes + size;
            allocations_fail_at(n);
            call->make(c);
            if (allocations_end() < n)
                break;
            failed++;
            points += point_check(call, file, n, blocks, descriptors);
        }
        bytes[0] = first;
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
    return leaks > 0 || points > 0;
}
