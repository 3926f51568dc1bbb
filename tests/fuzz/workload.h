/* workload.h - what holds for every workload that a reader lets pass. */
#ifndef CS_TESTS_FUZZ_WORKLOAD_H
#define CS_TESTS_FUZZ_WORKLOAD_H

#include "io/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline void insist(bool condition)
{
    if (!condition)
        abort();
}

static inline void check_profile(const struct cs_profile *p)
{
    if (p->kind == CS_PROFILE_TABLE || p->kind == CS_PROFILE_POINTS) {
        insist(p->count >= 1);
        for (int i = 0; i < p->count; i++) {
            insist(p->seconds[i] > 0);
            if (p->kind == CS_PROFILE_POINTS)
                insist(isfinite(p->seconds[i]) && p->procs[i] > (i ? p->procs[i - 1] : 0));
        }
        return;
    }
    insist(p->seq_time > 0 && isfinite(p->seq_time));
    insist(p->seq_fraction >= 0 && p->seq_fraction <= 1);
    insist(p->overhead >= 0 && isfinite(p->overhead));
    insist(p->exponent >= -1 && p->exponent <= 10);
}

static inline void check_state(const double *value, int task)
{
    insist(!value || isnan(value[task]) || (value[task] >= 0 && isfinite(value[task])));
}

static inline void put(struct cs_strbuf *text, const struct cs_workload *w)
{
    struct cs_jsonw writer = cs_jsonw_begin(text);

    cs_workload_json_put(&writer, w, NULL);
    cs_jsonw_end(&writer);
}

/* Sound, and the same after writing and reading once more. */
static inline void check_workload(const struct cs_workload *w)
{
    const struct cs_workload_options options = {.size = sizeof(struct cs_workload_options),
                                                .fill = CS_FILL_POWER,
                                                .fewer = CS_FEWER_REFUSE,
                                                .times = CS_TIMES_MIN};
    struct cs_strbuf text = CS_STRBUF_INIT, again = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct cs_workload *copy;

    for (int i = 0; i < w->count; i++) {
        insist(w->name[i][0]);
        check_profile(&w->profile[i]);
        check_state(w->checkpoint, i);
        check_state(w->data, i);
    }
    put(&text, w);
    copy = cs_workload_read_memory("again", text.text, text.length, &options, &err);
    insist(copy);
    put(&again, copy);
    insist(strcmp(text.text, again.text) == 0);
    cs_workload_destroy(copy);
    cs_strbuf_release(&text);
    cs_strbuf_release(&again);
}

/* Read the bytes: a sound workload, or a sentence that says why not. */
static inline void read_workload(const void *data, size_t size,
                                 const struct cs_workload_options *options)
{
    struct cs_error err = {0};
    struct cs_workload *w = cs_workload_read_memory("fuzz", data, size, options, &err);

    insist((w != NULL) == (err.text[0] == '\0'));
    if (w)
        check_workload(w);
    cs_workload_destroy(w);
}

#endif
