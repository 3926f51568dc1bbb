/* calls.c - draws of what is right and wrong, and what was made. */
#include "calls.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct call *const lists[] = {
    model_calls,    pack_calls, moldable_calls, malleable_calls, ptg_calls,   rigid_calls,
    volatile_calls, case_calls, store_calls,    picture_calls,   arrow_calls, reader_calls,
};

#define LISTS ((int)(sizeof lists / sizeof *lists))

unsigned draw(struct caller *c)
{
    return c->byte < c->end ? *c->byte++ : 0;
}

bool is_wild(struct caller *c)
{
    unsigned at = draw(c);

    return !c->tame && at % 16 == 1;
}

int whole(struct caller *c, int low, int high)
{
    const int wild[] = {-1, 0, INT_MAX, INT_MIN, high + (high < INT_MAX)};

    if (is_wild(c))
        return wild[draw(c) % 5];
    return low + (int)(draw(c) % (unsigned)(high - low + 1));
}

int count(struct caller *c, int most)
{
    const int wild[] = {-1, 0, INT_MIN};

    if (is_wild(c))
        return wild[draw(c) % 3];
    return c->tame ? most : 1 + (int)(draw(c) % (unsigned)most);
}

int few(struct caller *c, int most)
{
    const int wild[] = {-1, 0, INT_MIN, 100};

    if (is_wild(c))
        return wild[draw(c) % 4];
    return most - (int)(draw(c) % (unsigned)(most / 2));
}

double real(struct caller *c, double low, double high)
{
    const double wild[] = {NAN, -1, 0, INFINITY, -INFINITY, 1e308, 5e-324};

    if (is_wild(c))
        return wild[draw(c) % 7];
    return low + (high - low) * draw(c) / 255;
}

const char *word(struct caller *c, const char *right)
{
    static const char *const wild[] = {NULL, "", "none", "a:b=c,,=", "\xff\xfe%s%n"};

    return is_wild(c) ? wild[draw(c) % 5] : right;
}

const char *target(struct caller *c)
{
    static const char *const wild[] = {NULL, "", "/nowhere/none", "/dev/full"};

    return is_wild(c) ? wild[draw(c) % 4] : "/dev/null";
}

void *pick(struct caller *c, enum kind kind)
{
    if (is_wild(c) || c->objects[kind] == 0)
        return NULL;
    return c->object[kind][c->tame ? 0 : draw(c) % (unsigned)c->objects[kind]];
}

void keep(struct caller *c, enum kind kind, void *object, void (*destroy)(void *object))
{
    if (!object)
        return;
    if (c->closed || c->objects[kind] == POOL) {
        destroy(object);
        return;
    }
    c->object[kind][c->objects[kind]++] = object;
    c->made[c->all].object = object;
    c->made[c->all++].destroy = destroy;
}

struct cs_error *err_of(struct caller *c)
{
    c->err = (struct cs_error){0};
    return &c->err;
}

bool reported(struct caller *c, bool failed)
{
    if (failed != (c->err.text[0] != '\0')) {
        fprintf(stderr, "%s: \"%s\"\n", failed ? "failed without a sentence" : "no failure",
                c->err.text);
        abort();
    }
    if (failed != (c->err.kind != CS_ERROR_NONE) || c->err.kind > CS_ERROR_MEMORY) {
        fprintf(stderr, "an error of kind %d: \"%s\"\n", (int)c->err.kind, c->err.text);
        abort();
    }
    if (failed && c->tame && !c->starved) {
        fprintf(stderr, "refused what is right: %s\n", c->err.text);
        abort();
    }
    return !failed;
}

int calls_count(void)
{
    int total = 0;

    for (int l = 0; l < LISTS; l++)
        for (const struct call *call = lists[l]; call->name; call++)
            total++;
    return total;
}

const struct call *calls_at(int index)
{
    for (int l = 0; l < LISTS; l++)
        for (const struct call *call = lists[l]; call->name; call++)
            if (index-- == 0)
                return call;
    return NULL;
}

void calls_end(struct caller *c)
{
    while (c->all > 0) {
        c->all--;
        c->made[c->all].destroy(c->made[c->all].object);
    }
    memset(c->objects, 0, sizeof c->objects);
}

void calls_run(const uint8_t *bytes, size_t size)
{
    struct caller c = {.byte = bytes, .end = bytes + size};
    const int all = calls_count();

    while (c.byte < c.end) {
        unsigned which = draw(&c);

        which = which << 8 | draw(&c);
        calls_at((int)(which % (unsigned)all))->make(&c);
    }
    calls_end(&c);
}
