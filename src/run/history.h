/* history.h - a run as recorded in its journal, read-only. */
#ifndef CS_RUN_HISTORY_H
#define CS_RUN_HISTORY_H

#include "model/schedule.h"
#include "run/journal.h"

#include <cosched/run.h>

/* An attempt; times are run time, NaN when unknown. */
struct cs_run_attempt_history {
    int64_t number;
    int task, try;
    int intervals;
    int procs;      /* slots */
    double restart; /* the share that was done when it began, from what was saved; NaN: none */
    double works;   /* after a restart: its first sign of progress; NaN: none */
    double asked;   /* time of the stop request; NaN: never */
    bool moved;     /* its slots differ from those of the previous, stopped attempt */
    double saved;   /* when its state was saved last; NaN: never */
    const struct cs_interval *slots;
    double start;    /* when it was decided */
    double expected; /* seconds */
    double began, ended, verify_began, verify_ended;
    double cpu; /* seconds */
    int status; /* as from wait(2) */
    long rss;   /* KiB */
    int left;
    enum cs_run_outcome outcome; /* 0: it runs */
};

/* An interval without an executor and without running attempts. */
struct cs_run_gap {
    double begin, end;
};

struct cs_run_history {
    struct cs_run_setup setup;
    struct cs_run run; /* the current state */
    const char *folder, *id, *engine, *input;
    double began; /* seconds since 1970 */
    bool alive;   /* an executor works on it */
    char worker[128];
    int slots, slots_first; /* now, and in the beginning */
    const char **host;      /* by slot */
    int64_t attempts;
    struct cs_run_attempt_history *attempt; /* by number */
    struct cs_run_gap *gap;
    struct cs_arena *arena;
};

/* "running", "stopping", "stopped", "done", "failed" or "no executor". */
const char *cs_run_history_state(const struct cs_run_history *history);

/* Append what cs_run_history_text returns.  -1 with err. */
int cs_run_history_put(const struct cs_run_history *history, struct cs_strbuf *out,
                       struct cs_error *err);

/* The slots of a run: how many it began with, and how many there were at most; the hosts of these
 * as they were last. */
struct cs_run_slots_reported {
    int first, count;
    const char **host;
};

/* The setup that a journal holds, and the slots.  For executors too.  -1 with err; the setup is
 * then released. */
int cs_run_journal_setup(const struct cs_run_journal *journal, struct cs_arena *arena,
                         struct cs_run_setup *setup, struct cs_run_slots_reported *slots,
                         struct cs_error *err);

#endif
