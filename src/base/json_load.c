/* json_load.c - jansson's reader, which is left at once where memory is missing.
 *
 * It would go on without the letter that had no room, take good JSON for bad, or stop at an
 * assertion.  Its allocator is the way out; what it has taken by then is known, and given back.
 */
#include "base/json_make.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

static json_malloc_t memory_of;
static json_free_t give_back;

/* A load, and the blocks that it has: a table of pointers with linear probing. */
struct load {
    jmp_buf way_out;
    void **block;
    size_t room, count; /* room is a power of two */
};

static _Thread_local struct load *here;

static size_t home_of(const struct load *load, const void *block)
{
    return ((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 20 & (load->room - 1);
}

static size_t find(const struct load *load, const void *block)
{
    size_t at = home_of(load, block);

    while (load->block[at] && load->block[at] != block)
        at = (at + 1) & (load->room - 1);
    return at;
}

static int grow(struct load *load)
{
    struct load larger = {.room = load->room ? 2 * load->room : 64};

    larger.block = calloc(larger.room, sizeof *larger.block);
    if (!larger.block)
        return -1;
    for (size_t i = 0; i < load->room; i++)
        if (load->block[i])
            larger.block[find(&larger, load->block[i])] = load->block[i];
    free(load->block);
    load->block = larger.block;
    load->room = larger.room;
    return 0;
}

static int keep(struct load *load, void *block)
{
    if (2 * (load->count + 1) > load->room && grow(load))
        return -1;
    load->block[find(load, block)] = block;
    load->count++;
    return 0;
}

/* Those behind it that could stand in its place move up. */
static void forget(struct load *load, const void *block)
{
    const size_t mask = load->room - 1;
    size_t gap = load->room ? find(load, block) : 0, at = gap;

    if (!load->room || !load->block[gap])
        return;
    while (load->block[at = (at + 1) & mask])
        if (((at - home_of(load, load->block[at])) & mask) >= ((at - gap) & mask)) {
            load->block[gap] = load->block[at];
            gap = at;
        }
    load->block[gap] = NULL;
    load->count--;
}

static void *watched(size_t size)
{
    void *block = memory_of(size);

    if (!here || (block && !keep(here, block)))
        return block;
    if (block)
        give_back(block);
    longjmp(here->way_out, 1);
}

static void watched_free(void *block)
{
    if (here && block)
        forget(here, block);
    give_back(block);
}

static void watch(void)
{
    json_get_alloc_funcs(&memory_of, &give_back);
    json_set_alloc_funcs(watched, watched_free);
}

static void give_all_back(struct load *load)
{
    for (size_t i = 0; i < load->room; i++)
        if (load->block[i])
            give_back(load->block[i]);
}

json_t *cs_json_loadb(const char *text, size_t length, size_t flags, json_error_t *why)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    struct load load = {0};
    json_t *json = NULL;

    pthread_once(&watching, watch);
    here = &load;
    if (!setjmp(load.way_out)) {
        json = json_loadb(text, length, flags, why);
    } else {
        *why->text = '\0';
        give_all_back(&load);
    }
    here = NULL;
    free(load.block);
    return json;
}
