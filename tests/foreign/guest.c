/* guest.c - what belongs to the program that uses the library is as before after every reader. */
#include "calls.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static long taken;

static void *own_malloc(size_t size)
{
    taken++;
    return malloc(size);
}

static void own_free(void *block)
{
    free(block);
}

int main(void)
{
    json_malloc_t allocate;
    json_free_t release;
    bool same;

    json_set_alloc_funcs(own_malloc, own_free);
    for (const struct call *call = reader_calls; call->name; call++)
        for (int f = 0; f < reader_files(call); f++) {
            const uint8_t bytes[] = {(uint8_t)f};
            struct caller c = {.byte = bytes, .end = bytes + 1, .tame = true, .closed = true};

            call->make(&c);
        }
    json_get_alloc_funcs(&allocate, &release);
    same = allocate == own_malloc && release == own_free;
    printf("1..2\n%sok 1 - jansson allocator as before\n", same ? "" : "not ");
    printf("%sok 2 - jansson allocator of the host is used\n", taken ? "" : "not ");
    return !same || !taken;
}
