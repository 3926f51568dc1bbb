/* log_seen.c - a hash table that lives for an instant; stretches of numbers. */
#include "io/log_seen.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SPANS 65536
#define FIRST_SLOTS 64

struct item {
    int64_t id;
    const char *label;
    double submit, recorded;
    uint64_t hash;
    long at; /* its slot */
};

struct span {
    int64_t low, high;
};

struct cs_log_seen {
    struct cs_arena *arena;
    struct cs_arena_mark mark;
    bool any;
    double arrival;
    struct item *item; /* of the instant, slots / 2 at most */
    long count;
    long *slot, slots; /* number of an item + 1, 0: free */
    int spans;
    struct span span[MOST_SPANS]; /* ascending, not touching */
};

struct cs_log_seen *cs_log_seen_create(void)
{
    struct cs_log_seen *seen = cs_block_resize(NULL, sizeof *seen);

    seen->arena = cs_arena_create();
    seen->mark = cs_arena_mark(seen->arena);
    seen->any = false;
    seen->arrival = 0;
    seen->count = 0;
    seen->spans = 0;
    seen->slots = FIRST_SLOTS;
    seen->slot = cs_block_zero(FIRST_SLOTS, sizeof *seen->slot);
    seen->item = cs_block_resize(NULL, FIRST_SLOTS / 2 * sizeof *seen->item);
    return seen;
}

void cs_log_seen_destroy(struct cs_log_seen *seen)
{
    if (!seen)
        return;
    cs_arena_destroy(seen->arena);
    cs_block_free(seen->slot);
    cs_block_free(seen->item);
    cs_block_free(seen);
}

static uint64_t bits(double value)
{
    uint64_t u;

    value = isnan(value) ? 0.5 : value + 0.0;
    memcpy(&u, &value, sizeof u);
    return u;
}

static uint64_t hash(const struct cs_log_row *row)
{
    uint64_t sum = cs_mix_hash((uint64_t)row->id);

    for (const char *at = row->label; at && *at; at++)
        sum = (sum ^ (unsigned char)*at) * 0x100000001b3U;
    return cs_mix_hash(cs_mix_hash(sum ^ bits(row->submit)) ^ bits(row->recorded));
}

static bool same(const struct item *item, const struct cs_log_row *row)
{
    return item->id == row->id && bits(item->submit) == bits(row->submit) &&
           bits(item->recorded) == bits(row->recorded) && !item->label == !row->label &&
           (!item->label || !strcmp(item->label, row->label));
}

static long *find(const struct cs_log_seen *s, uint64_t sum, const struct cs_log_row *row)
{
    long at = (long)(sum & (uint64_t)(s->slots - 1));

    while (s->slot[at] &&
           !(row && s->item[s->slot[at] - 1].hash == sum && same(&s->item[s->slot[at] - 1], row)))
        at = (at + 1) & (s->slots - 1);
    return &s->slot[at];
}

static void forget(struct cs_log_seen *s)
{
    for (long i = 0; i < s->count; i++)
        s->slot[s->item[i].at] = 0;
    s->count = 0;
    cs_arena_rewind(s->arena, s->mark);
}

static void grow(struct cs_log_seen *s)
{
    s->slots *= 2;
    cs_block_free(s->slot);
    s->slot = cs_block_zero((size_t)s->slots, sizeof *s->slot);
    s->item = cs_block_resize(s->item, (size_t)s->slots / 2 * sizeof *s->item);
    for (long i = 0; i < s->count; i++) {
        long *slot = find(s, s->item[i].hash, NULL);

        *slot = i + 1;
        s->item[i].at = slot - s->slot;
    }
}

bool cs_log_seen_row(struct cs_log_seen *s, const struct cs_log_row *row)
{
    const uint64_t sum = hash(row);
    long *slot;

    if (s->any && row->arrival != s->arrival)
        forget(s);
    s->any = true;
    s->arrival = row->arrival;
    slot = find(s, sum, row);
    if (*slot)
        return true;
    if (s->count == s->slots / 2) {
        grow(s);
        slot = find(s, sum, row);
    }
    s->item[s->count] = (struct item){
        .id = row->id,
        .label = row->label ? cs_arena_strdup(s->arena, row->label) : NULL,
        .submit = row->submit,
        .recorded = row->recorded,
        .hash = sum,
        .at = slot - s->slot,
    };
    *slot = ++s->count;
    return false;
}

/* The first span that ends at id - 1 or later. */
static int find_span(const struct cs_log_seen *s, int64_t id)
{
    int low = 0, high = s->spans;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (s->span[middle].high < id - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_span(struct cs_log_seen *s, int at, int64_t id)
{
    if (s->spans == MOST_SPANS) {
        const int half = MOST_SPANS / 2;

        memmove(s->span, s->span + half, (size_t)(s->spans - half) * sizeof *s->span);
        s->spans -= half;
        at = at > half ? at - half : 0;
    }
    memmove(s->span + at + 1, s->span + at, (size_t)(s->spans - at) * sizeof *s->span);
    s->span[at] = (struct span){id, id};
    s->spans++;
}

bool cs_log_seen_id(struct cs_log_seen *s, int64_t id)
{
    int at = find_span(s, id);
    struct span *span = &s->span[at];

    if (at < s->spans && id >= span->low && id <= span->high)
        return true;
    if (at < s->spans && span->high == id - 1) {
        span->high = id;
        if (at + 1 < s->spans && span[1].low == id + 1) {
            span->high = span[1].high;
            s->spans--;
            memmove(span + 1, span + 2, (size_t)(s->spans - at - 1) * sizeof *span);
        }
    } else if (at < s->spans && span->low == id + 1) {
        span->low = id;
    } else {
        insert_span(s, at, id);
    }
    return false;
}
