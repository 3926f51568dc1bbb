/* names.c - the words of journals and tables, and the list of deciders. */
#include "run/decider.h"
#include "run/engine.h"

#include <string.h>

/* By name. */

const struct cs_run_engine *cs_run_engine_find(const char *name)
{
    if (!strcmp(name, "local") || !strcmp(name, "dry"))
        return &cs_run_engine_local;
    return strcmp(name, "slurm") ? NULL : &cs_run_engine_slurm;
}

static const char *const outcomes[] = {
    NULL, "ok", "corrupt", "failed", "timeout", "stopped", "lost", "void", "cannot-start",
};
static const char *const states[] = {"waiting", "held", "running", "done", "failed", "skipped"};
static const char *const events[] = {NULL,    "slot-up", "slot-down", "began",   "progress",
                                     "saved", "ended",   "due",       "request", "limit",
                                     "retry", "numbers", "found"};
static const char *const actions[] = {NULL, "start", "give-up", "save", "stop"};

const char *cs_run_outcome_name(enum cs_run_outcome outcome)
{
    return outcomes[outcome];
}

enum cs_run_outcome cs_run_outcome_find(const char *name)
{
    for (int o = 1; o <= CS_RUN_OUTCOME_LAST; o++)
        if (!strcmp(outcomes[o], name))
            return (enum cs_run_outcome)o;
    return (enum cs_run_outcome)0;
}

const char *cs_run_task_state_name(enum cs_run_task_state state)
{
    return states[state];
}

const char *cs_run_event_kind_name(enum cs_run_event_kind kind)
{
    return events[kind];
}

const char *cs_run_action_kind_name(enum cs_run_action_kind kind)
{
    return actions[kind];
}

#define CS_RUN_DECIDER(name) extern const struct cs_run_decider cs_run_decider_##name;
#include "run/deciders.def"
#undef CS_RUN_DECIDER

#define CS_RUN_DECIDER(name) &cs_run_decider_##name,
static const struct cs_run_decider *const deciders[] = {
#include "run/deciders.def"
};
#undef CS_RUN_DECIDER

const struct cs_run_decider *cs_run_decider_find(const char *name)
{
    for (size_t d = 0; d < sizeof deciders / sizeof *deciders; d++)
        if (!strcmp(deciders[d]->name, name))
            return deciders[d];
    return NULL;
}
