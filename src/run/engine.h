/* engine.h - where attempts run.
 *
 * An engine never decides and never writes the journal. It defines the slots, the prefix of a
 * command, the delivery of signals, and whether a status of 0 is reliable.
 */
#ifndef CS_RUN_ENGINE_H
#define CS_RUN_ENGINE_H

#include "base/strbuf.h"
#include "run/round.h"

/* A slot. */
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
    /* Other evidence of the end of an attempt: may change outcome, status and detail; NULL: none.
     */
    void (*examine)(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                    struct cs_run_event *event);
    /* Cancel the rest of an attempt without keeper; NULL: only processes with its mark. */
    void (*cancel)(struct cs_run_executor *x, int64_t attempt);
    /* Has the allocation ended in which an attempt without an end was started, on another host?
     * NULL: unknown. */
    bool (*is_gone)(struct cs_run_executor *x, const struct cs_run_attempt *attempt);
    /* Seconds until the end of the allocation, INFINITY: never; NULL: never. */
    double (*left)(struct cs_run_executor *x);
    /* Is the slot gone for good, by what is known since `refresh`?  NULL: none ever is. */
    bool (*is_down)(struct cs_run_executor *x, int slot);
    void (*refresh)(void *state);
    /* Warnings about this run, printed once at start and resume; NULL: none. */
    void (*warn)(struct cs_run_executor *x);
    void (*close)(void *state);
    /* The allocation of the executor, such as the number of a job; NULL: none. */
    const char *(*job)(const struct cs_run_executor *x);
};

extern const struct cs_run_engine cs_run_engine_local, cs_run_engine_slurm;

/* By name; "dry" has the slots of "local". NULL if it does not exist. */
const struct cs_run_engine *cs_run_engine_find(const char *name);

/* A copy of a text, or one that is there for as long as the list is. */
void cs_run_list_add(struct cs_run_list *list, const char *text);
void cs_run_list_lend(struct cs_run_list *list, char *text);

#endif
