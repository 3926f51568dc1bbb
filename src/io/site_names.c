/* site_names.c - lists of nodes as Slurm writes them: n[001-003,007],rack[1-2]node[1-4],gpu1. */
#include "base/strbuf.h"
#include "io/site_build.h"

#include <string.h>

#define MOST 10000000

struct expansion {
    int (*take)(void *who, const char *name);
    void *who;
    struct cs_strbuf name;
    long count;
    struct cs_error *err;
};

static int site_names_expand(struct expansion *e, const char *at, const char *end);

static int site_names_wrong(struct expansion *e, const char *at)
{
    return cs_error_set(e->err, "\"%.60s\" is no list of nodes such as n[001-003,007]", at);
}

static const char *site_names_number(const char *at, long *out, int *digits)
{
    for (*out = 0, *digits = 0; *at >= '0' && *at <= '9' && *digits < 10; at++, ++*digits)
        *out = 10 * *out + (*at - '0');
    return *digits ? at : NULL;
}

/* One of "001-003" and "007", then what follows the bracket. */
static int expand_range(struct expansion *e, const char **at, const char *rest, const char *end)
{
    const size_t length = e->name.length;
    const char *start = *at;
    long low, high;
    int width, last;

    *at = site_names_number(*at, &low, &width);
    high = low;
    if (*at && **at == '-')
        *at = site_names_number(*at + 1, &high, &last);
    if (!*at || high < low || high - low > MOST)
        return site_names_wrong(e, start);
    for (long n = low; n <= high; n++) {
        cs_strbuf_printf(&e->name, "%0*ld", width, n);
        if (site_names_expand(e, rest, end))
            return -1;
        e->name.length = length;
        e->name.text[length] = '\0';
    }
    return 0;
}

/* All that the text up to `end` stands for, behind the name so far. */
static int site_names_expand(struct expansion *e, const char *at, const char *end)
{
    const char *open = memchr(at, '[', (size_t)(end - at)), *close;

    if (!open) {
        cs_strbuf_append(&e->name, at, (size_t)(end - at));
        if (++e->count > MOST)
            return cs_error_set(e->err, "there are more than %d nodes", MOST);
        return e->take(e->who, e->name.text);
    }
    cs_strbuf_append(&e->name, at, (size_t)(open - at));
    close = memchr(open, ']', (size_t)(end - open));
    if (!close)
        return site_names_wrong(e, at);
    for (at = open + 1; at < close;) {
        if (expand_range(e, &at, close + 1, end) || (at < close && *at++ != ','))
            return site_names_wrong(e, open);
    }
    return 0;
}

/* The end of the first entry: a comma outside of brackets. */
static const char *site_names_end_of(const char *list)
{
    bool inside = false;

    for (; *list && (inside || *list != ','); list++)
        inside = *list == '[' || (inside && *list != ']');
    return list;
}

int cs_site_names_expand(const char *list, int (*take)(void *who, const char *name), void *who,
                         struct cs_error *err)
{
    struct expansion e = {.take = take, .who = who, .name = CS_STRBUF_INIT, .err = err};
    int status = 0;

    while (*list && !status) {
        const char *end = site_names_end_of(list);

        cs_strbuf_clear(&e.name);
        status = end > list ? site_names_expand(&e, list, end) : 0;
        list = end + (*end == ',');
    }
    cs_strbuf_release(&e.name);
    return status;
}
