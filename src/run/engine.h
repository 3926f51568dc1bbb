/* engine.h - where attempts run.
 *
 * An engine never decides and never writes the journal.  It says which slots there are, which words
 * come before a command, how signals reach a program, and whether a status of 0 can be believed.
 */
#ifndef CS_RUN_ENGINE_H
#define CS_RUN_ENGINE_H

#include "base/strbuf.h"
#include "run/round.h"

/* What a slot is. */
struct cs_run_slot {
    const char *host;
    const char *cpus; /* cores of this machine, "0,1", to which attempts are pinned; "": none */
};

/* argv or an environment: texts that grow. */
struct cs_run_list {
    char **text; /* ends with NULL */
    int count, room;
};

struct cs_run_executor;

struct cs_run_engine {
    const char *name;
    /* The slots, *count of them, in the arena.  *state is the engine's own.  -1 with err. */
    int (*open)(const struct cs_run_setup *setup, struct cs_arena *arena, void **state,
                const struct cs_run_slot **slot, int *count, struct cs_error *err);
    /* The words before the command; NULL: none. */
    int (*launch)(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                  struct cs_run_list *argv, struct cs_error *err);
    /* A signal to the program, when the keeper must not pass it on; NULL: the keeper does. */
    void (*signal)(struct cs_run_executor *x, const struct cs_run_attempt *attempt, int number);
    /* What else says how an attempt ended; NULL: nothing does. */
    enum cs_run_outcome (*examine)(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                                   int *status, enum cs_run_outcome outcome);
    /* What is left of an attempt whose keeper is gone; NULL: only what has its mark. */
    void (*cancel)(struct cs_run_executor *x, int64_t attempt);
    /* Seconds until the end of the allocation, INFINITY: never; NULL: never. */
    double (*left)(struct cs_run_executor *x);
    /* Slots that are gone, in slot[] (room for all); how many; NULL: none. */
    int (*look)(struct cs_run_executor *x, int *slot);
};

extern const struct cs_run_engine cs_run_engine_local;

/* By name; "dry" has the slots of "local".  NULL when there is none. */
const struct cs_run_engine *cs_run_engine_find(const char *name);

void cs_run_list_add(struct cs_run_list *list, const char *text);
void cs_run_list_release(struct cs_run_list *list);

#endif
