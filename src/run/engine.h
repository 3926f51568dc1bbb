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

/* argv or an environment: texts in an arena. */
struct cs_run_list {
    struct cs_arena *arena;
    char **text; /* ends with NULL */
    int count, room;
};

struct cs_run_executor;
struct cs_run_values;

struct cs_run_engine {
    const char *name;
    bool paces; /* starts are no more than so many a second */
    /* The slots, *count of them, in the arena.  *state is the engine's own.  -1 with err. */
    int (*open)(const struct cs_run_setup *setup, struct cs_arena *arena, void **state,
                const struct cs_run_slot **slot, int *count, struct cs_error *err);
    /* The words before the command of an attempt of the run with that tag; NULL: none. */
    int (*launch)(void *state, const char *tag, struct cs_run_values *values,
                  struct cs_run_list *argv, struct cs_error *err);
    /* A signal to the program, when the keeper must not pass it on; NULL: the keeper does.  False
     * when it cannot be reached, which may be because it has only just been started. */
    bool (*signal)(struct cs_run_executor *x, const struct cs_run_attempt *attempt, int number);
    /* What else says how an attempt ended: outcome, status and detail may change; NULL: nothing. */
    void (*examine)(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                    struct cs_run_event *event);
    /* What is left of an attempt whose keeper is gone; NULL: only what has its mark. */
    void (*cancel)(struct cs_run_executor *x, int64_t attempt);
    /* Is the allocation gone in which an attempt without an end was started, on another host?
     * NULL: nobody knows. */
    bool (*is_gone)(struct cs_run_executor *x, const struct cs_run_attempt *attempt);
    /* Seconds until the end of the allocation, INFINITY: never; NULL: never. */
    double (*left)(struct cs_run_executor *x);
    /* Is the slot gone for good, by what is known since `refresh`?  NULL: none ever is. */
    bool (*is_down)(struct cs_run_executor *x, int slot);
    void (*refresh)(void *state);
    /* Sentences about this run, said once when it begins or goes on; NULL: none. */
    void (*warn)(struct cs_run_executor *x);
    void (*close)(void *state);
    /* What the process that works is part of, such as the number of a job; NULL: nothing. */
    const char *(*job)(const struct cs_run_executor *x);
};

extern const struct cs_run_engine cs_run_engine_local, cs_run_engine_slurm;

/* By name; "dry" has the slots of "local".  NULL when there is none. */
const struct cs_run_engine *cs_run_engine_find(const char *name);

/* A copy of a text, or one that is there for as long as the list is. */
void cs_run_list_add(struct cs_run_list *list, const char *text);
void cs_run_list_lend(struct cs_run_list *list, char *text);

#endif
