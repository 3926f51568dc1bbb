/* allocations.c - malloc and its kin, in place of those of the C library. */
#include "allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
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

void allocations_fail_at(long n)
{
    atomic_store(&calls, 0);
    atomic_store(&fail_at, n);
}

long allocations_end(void)
{
    atomic_store(&fail_at, 0);
    return atomic_load(&calls);
}

long allocations_live(void)
{
    return atomic_load(&live);
}
