/* procset.c - sets of processors as intervals. */
#include "model/procset.h"

#include "base/bug.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_spaces(const char **at)
{
    while (**at == ' ')
        ++*at;
}

static bool procset_read_number(const char **at, int *value)
{
    long long sum = 0;

    if (!is_digit(**at))
        return false;
    for (; is_digit(**at); ++*at) {
        sum = 10 * sum + (**at - '0');
        if (sum >= INT_MAX)
            return false;
    }
    *value = (int)sum;
    return true;
}

static bool read_interval(const char **at, struct cs_interval *interval)
{
    if (!procset_read_number(at, &interval->first))
        return false;
    interval->last = interval->first;
    if (**at == '-') {
        ++*at;
        if (!procset_read_number(at, &interval->last))
            return false;
    }
    return interval->first <= interval->last && (**at == ' ' || **at == '\0');
}

static size_t count_words(const char *text)
{
    size_t words = 0;

    for (skip_spaces(&text); *text; skip_spaces(&text)) {
        words++;
        text += strcspn(text, " ");
    }
    return words;
}

static int compare_intervals(const void *a, const void *b)
{
    const struct cs_interval *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

static void procset_sort(struct cs_interval *set, int count)
{
    for (int i = 1; i < count; i++)
        if (compare_intervals(&set[i - 1], &set[i]) > 0) {
            qsort(set, (size_t)count, sizeof *set, compare_intervals);
            return;
        }
}

/* The first processor that sorted intervals name twice, or -1. */
static int named_twice(const struct cs_interval *set, int count)
{
    for (int i = 1; i < count; i++)
        if (set[i].first <= set[i - 1].last)
            return set[i].first;
    return -1;
}

int cs_procset_parse(const char *text, struct cs_arena *arena, const struct cs_interval **set,
                     struct cs_error *err)
{
    size_t room = count_words(text);
    struct cs_interval *list = CS_NEW_ARRAY(arena, struct cs_interval, room);
    const char *at = text;
    int count = 0, twice;

    CS_REQUIRE(room < INT_MAX);
    for (skip_spaces(&at); *at; skip_spaces(&at))
        if (!read_interval(&at, &list[count++]))
            return cs_error_set(err,
                                "\"%.60s\" is not a set of processors: write numbers and "
                                "intervals with spaces between them, such as \"0-3 7\"",
                                text);
    procset_sort(list, count);
    twice = named_twice(list, count);
    if (twice >= 0)
        return cs_error_set(err, "the set of processors \"%.60s\" names processor %d twice", text,
                            twice);
    *set = list;
    return cs_procset_normalise(list, count);
}

void cs_procset_print(struct cs_strbuf *buf, const struct cs_interval *set, int count)
{
    for (int i = 0; i < count; i++) {
        if (i)
            cs_strbuf_putc(buf, ' ');
        cs_strbuf_put_int(buf, set[i].first);
        if (set[i].last != set[i].first) {
            cs_strbuf_putc(buf, '-');
            cs_strbuf_put_int(buf, set[i].last);
        }
    }
}

long long cs_procset_size(const struct cs_interval *set, int count)
{
    long long size = 0;

    for (int i = 0; i < count; i++)
        size += (long long)set[i].last - set[i].first + 1;
    return size;
}

int cs_procset_normalise(struct cs_interval *set, int count)
{
    int kept = 0;

    if (count == 0)
        return 0;
    procset_sort(set, count);
    for (int i = 1; i < count; i++) {
        if ((long long)set[i].first > (long long)set[kept].last + 1)
            set[++kept] = set[i];
        else if (set[i].last > set[kept].last)
            set[kept].last = set[i].last;
    }
    return kept + 1;
}

bool cs_procset_well_formed(const struct cs_interval *set, int count)
{
    for (int i = 0; i < count; i++) {
        if (set[i].first < 0 || set[i].last < set[i].first)
            return false;
        if (i > 0 && set[i].first <= (long long)set[i - 1].last + 1)
            return false;
    }
    return true;
}

int cs_procset_common(const struct cs_interval *a, int a_count, const struct cs_interval *b,
                      int b_count)
{
    int i = 0, j = 0;

    while (i < a_count && j < b_count) {
        int from = a[i].first > b[j].first ? a[i].first : b[j].first;

        if (from <= a[i].last && from <= b[j].last)
            return from;
        if (a[i].last < b[j].last)
            i++;
        else
            j++;
    }
    return -1;
}
