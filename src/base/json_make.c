/* json_make.c - jansson's functions, and nothing that is missing. */
#include "base/json_make.h"

#include "base/bug.h"
#include "base/utf8.h"

#include <pthread.h>
#include <setjmp.h>

static void must(int status)
{
    if (status)
        cs_bug_no_memory(0);
}

json_t *cs_json_made(json_t *value)
{
    must(!value);
    return value;
}

json_t *cs_json_word(const char *text)
{
    json_t *word = json_string(text);
    const char *at = text;

    while (!word && *at && cs_utf8_length(at))
        at += cs_utf8_length(at);
    must(!word && !*at);
    return word;
}

json_t *cs_json_pair(const char *key, json_t *value)
{
    json_t *pair = cs_json_made(json_object());

    cs_json_set(pair, key, value);
    return pair;
}

void cs_json_set(json_t *object, const char *key, json_t *value)
{
    must(json_object_set_new(object, key, value));
}

void cs_json_append(json_t *list, json_t *value)
{
    must(json_array_append_new(list, value));
}

void cs_json_update(json_t *object, json_t *other)
{
    must(other && json_object_update(object, other));
}

/* Where memory is missing jansson's reader goes on without the letter that had no room, takes good
 * JSON for bad, or stops at an assertion: it is left at once, by who gives it memory, and what it
 * has made by then is lost. */
static json_malloc_t memory_of;
static _Thread_local jmp_buf *way_out;

static void *watched(size_t size)
{
    void *memory = memory_of(size);

    if (!memory && way_out)
        longjmp(*way_out, 1);
    return memory;
}

static void watch(void)
{
    json_free_t give_back;

    json_get_alloc_funcs(&memory_of, &give_back);
    json_set_alloc_funcs(watched, give_back);
}

json_t *cs_json_loadb(const char *text, size_t length, size_t flags, json_error_t *why)
{
    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    jmp_buf place;
    json_t *json = NULL;

    pthread_once(&watching, watch);
    way_out = &place;
    if (setjmp(place))
        *why->text = '\0';
    else
        json = json_loadb(text, length, flags, why);
    way_out = NULL;
    return json;
}

json_t *cs_json_parse(const char *text, size_t length, size_t flags)
{
    json_error_t why;
    json_t *json = cs_json_loadb(text, length, flags, &why);

    must(!json && !*why.text);
    return json;
}
