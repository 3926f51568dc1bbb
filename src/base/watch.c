/* watch.c - the watch of each thread. */
#include "base/watch.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/strbuf.h"

#include <cosched/error.h>
#include <cosched/watch.h>
#include <stddef.h>
#include <string.h>

#define PACE 0.02 /* seconds between questions */

static _Thread_local const struct cs_watch *here;
static _Thread_local double next;
static _Thread_local bool called;

const struct cs_watch *cs_watch_enter(const struct cs_watch *watch)
{
    const struct cs_watch *before = here;

    if (watch != before) {
        next = 0;
        called = false;
    }
    here = watch;
    return before;
}

const struct cs_watch *cs_watch_here(void)
{
    return here;
}

int cs_watch_check(const struct cs_watch *watch, struct cs_error *err)
{
    return watch ? cs_ask_size("a watch", watch->size, sizeof *watch, err) : 0;
}

void cs_watch_each_line(const char *text, void (*warn)(void *who, const char *line), void *who)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    while (*text) {
        const size_t length = strcspn(text, "\n");

        cs_strbuf_clear(&line);
        cs_strbuf_append(&line, text, length);
        warn(who, line.text);
        text += length + (text[length] == '\n');
    }
    cs_strbuf_release(&line);
}

bool cs_watch_stops(const struct cs_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->who);
}

bool cs_watch_calls(void)
{
    double now;

    if (called || !here || !here->stop)
        return called;
    now = cs_clock_now();
    if (now < next)
        return false;
    called = cs_watch_stops(here);
    next = now + PACE;
    return called;
}

void cs_watch_hear(void)
{
    called = true;
}

int cs_watch_settle(int status, struct cs_error *err)
{
    if (!called)
        return status;
    if (err)
        err->text[0] = '\0';
    return cs_error_set_as(err, CS_ERROR_STOPPED, "stopped");
}
