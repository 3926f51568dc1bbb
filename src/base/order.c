/* order.c - a stable sort of (key, index): merging for few, counting digits for many. */
#include "base/order.h"

#include "base/bug.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define FEW 2000

struct item {
    uint64_t key;
    int index;
};

/* Doubles as integers that compare alike; inverted for the descending order. */
static uint64_t key_bits(double key, bool descending)
{
    uint64_t bits;

    CS_REQUIRE(!isnan(key));
    key += 0.0;
    memcpy(&bits, &key, sizeof bits);
    bits ^= bits >> 63 ? UINT64_MAX : (uint64_t)1 << 63;
    return descending ? ~bits : bits;
}

static void insertion_sort(struct item *item, int count)
{
    for (int i = 1; i < count; i++) {
        struct item moving = item[i];
        int at = i;

        for (; at > 0 && item[at - 1].key > moving.key; at--)
            item[at] = item[at - 1];
        item[at] = moving;
    }
}

static void order_merge(const struct item *left, const struct item *middle, const struct item *end,
                        struct item *to)
{
    const struct item *right = middle;

    while (left < middle && right < end)
        *to++ = right->key < left->key ? *right++ : *left++;
    while (left < middle)
        *to++ = *left++;
    while (right < end)
        *to++ = *right++;
}

static struct item *merge_sort(struct item *from, struct item *to, int count)
{
    const int run = 16;

    for (int at = 0; at < count; at += run)
        insertion_sort(from + at, count - at < run ? count - at : run);
    for (int width = run; width < count; width *= 2) {
        struct item *swap = from;

        for (int at = 0; at < count; at += 2 * width) {
            int middle = count - at < width ? count : at + width;
            int end = count - at < 2 * width ? count : at + 2 * width;

            order_merge(from + at, from + middle, from + end, to + at);
        }
        from = to;
        to = swap;
    }
    return from;
}

/* Of every digit: how many have it becomes where the first of them goes; false when all have one.
 */
static bool make_places(uint32_t *place, int count)
{
    uint32_t sum = 0;

    for (int d = 0; d < DIGITS; d++) {
        uint32_t size = place[d];

        if (size == (uint32_t)count)
            return false;
        place[d] = sum;
        sum += size;
    }
    return true;
}

/* One pass by the digit at `shift`; false when all items have the same one. */
static bool digit_pass(const struct item *from, struct item *to, int count, int shift)
{
    uint32_t place[DIGITS] = {0};

    for (int i = 0; i < count; i++)
        place[from[i].key >> shift & (DIGITS - 1)]++;
    if (!make_places(place, count))
        return false;
    for (int i = 0; i < count; i++)
        to[place[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

static struct item *radix_sort(struct item *from, struct item *to, int count)
{
    for (int shift = 0; shift < 64; shift += DIGIT_BITS)
        if (digit_pass(from, to, count, shift)) {
            struct item *swap = from;

            from = to;
            to = swap;
        }
    return from;
}

static struct item *sort_items(struct item *item, struct item *other, int count)
{
    return (count < FEW ? merge_sort : radix_sort)(item, other, count);
}

static bool indices_ascend(const int *index, int count)
{
    for (int i = 1; i < count; i++) {
        if (index[i - 1] > index[i])
            return false;
    }
    return true;
}

/* The sorts are stable: indices in ascending order to begin with leave ties in that order. */
static struct item *sort_indices(struct item *item, struct item *other, const int *index, int count)
{
    for (int i = 0; i < count; i++)
        item[i] = (struct item){(uint64_t)index[i], index[i]};
    return indices_ascend(index, count) ? item : sort_items(item, other, count);
}

static void sort_into(int *index, struct item *item, struct item *other, int count)
{
    item = sort_items(item, other, count);
    for (int i = 0; i < count; i++)
        index[i] = item[i].index;
}

static void order_sort(const double *key, int *index, int count, bool descending,
                       struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct item *one = CS_NEW_ARRAY(scratch, struct item, 2 * (size_t)count), *two = one + count;
    struct item *item = sort_indices(one, two, index, count);

    for (int i = 0; i < count; i++)
        item[i].key = key_bits(key[item[i].index], descending);
    sort_into(index, item, item == one ? two : one, count);
    cs_arena_rewind(scratch, mark);
}

static void order_all(const double *key, int count, int *order, bool descending,
                      struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct item *item = CS_NEW_ARRAY(scratch, struct item, 2 * (size_t)count);

    for (int i = 0; i < count; i++)
        item[i] = (struct item){key_bits(key[i], descending), i};
    sort_into(order, item, item + count, count);
    cs_arena_rewind(scratch, mark);
}

void cs_order_ascending(const double *key, int count, int *order, struct cs_arena *scratch)
{
    order_all(key, count, order, false, scratch);
}

void cs_order_descending(const double *key, int count, int *order, struct cs_arena *scratch)
{
    order_all(key, count, order, true, scratch);
}

void cs_order_integers(const uint64_t *key, int count, int *order, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct item *item = CS_NEW_ARRAY(scratch, struct item, 2 * (size_t)count);

    for (int i = 0; i < count; i++)
        item[i] = (struct item){key[i], i};
    sort_into(order, item, item + count, count);
    cs_arena_rewind(scratch, mark);
}

void cs_order_sort_ascending(const double *key, int *index, int count, struct cs_arena *scratch)
{
    order_sort(key, index, count, false, scratch);
}

void cs_order_sort_descending(const double *key, int *index, int count, struct cs_arena *scratch)
{
    order_sort(key, index, count, true, scratch);
}

/* Many numbers need no separate index: a third of the memory. */

/* As digit_pass(). */
static bool value_pass(const double *from, double *to, int count, int shift)
{
    uint32_t place[DIGITS] = {0};

    for (int i = 0; i < count; i++)
        place[key_bits(from[i], false) >> shift & (DIGITS - 1)]++;
    if (!make_places(place, count))
        return false;
    for (int i = 0; i < count; i++)
        to[place[key_bits(from[i], false) >> shift & (DIGITS - 1)]++] = from[i];
    return true;
}

static void sort_many(double *value, int count, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *from = value, *to = CS_NEW_ARRAY(scratch, double, count);

    for (int shift = 0; shift < 64; shift += DIGIT_BITS)
        if (value_pass(from, to, count, shift)) {
            double *swap = from;

            from = to;
            to = swap;
        }
    if (from != value)
        memcpy(value, from, (size_t)count * sizeof *value);
    cs_arena_rewind(scratch, mark);
}

static void sort_few(double *value, int count, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *order = CS_NEW_ARRAY(scratch, int, count);
    double *sorted = CS_NEW_ARRAY(scratch, double, count);

    cs_order_ascending(value, count, order, scratch);
    for (int i = 0; i < count; i++)
        sorted[i] = value[order[i]];
    memcpy(value, sorted, (size_t)count * sizeof *value);
    cs_arena_rewind(scratch, mark);
}

void cs_order_sort_doubles(double *value, int count, struct cs_arena *scratch)
{
    (count < FEW ? sort_few : sort_many)(value, count, scratch);
}
