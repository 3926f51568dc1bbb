/* run.h - types of real runs: tasks, attempts, events and actions.
 *
 * A task must succeed once; an attempt is one try of it on a set of slots, with a number that is
 * unique in the run (from 1) and a try (from 1, by task). A slot is a processor of the plan. A
 * decider (decider.h) turns events into actions, an engine (engine.h) turns actions into processes
 * and processes into events; round.h connects them and journal.h stores them. Times are seconds
 * since the run began, by the wall clock, and never go back.
 */
#ifndef CS_RUN_RUN_H
#define CS_RUN_RUN_H

#include "base/guard.h"
#include "model/schedule.h"

#include <stdbool.h>
#include <stdint.h>

enum cs_run_outcome {
    CS_RUN_OK = 1,       /* status 0, verified, produced, not lost */
    CS_RUN_CORRUPT,      /* status 0, verification not 0 */
    CS_RUN_FAILED,       /* another status, a signal, a product missing */
    CS_RUN_TIMEOUT,      /* ended because of its timeout */
    CS_RUN_STOPPED,      /* was signalled to stop, and ended or was killed */
    CS_RUN_LOST,         /* node, keeper or record lost */
    CS_RUN_VOID,         /* never began */
    CS_RUN_CANNOT_START, /* there is no such program, or it cannot be executed */
};

#define CS_RUN_OUTCOME_LAST CS_RUN_CANNOT_START

/* "ok", "corrupt", ...; the name in journals. By name: 0 if unknown. */
const char *cs_run_outcome_name(enum cs_run_outcome outcome);
enum cs_run_outcome cs_run_outcome_find(const char *name);

/* The meaning of an end for the task. */
enum cs_run_finding {
    CS_RUN_AGAIN = 1, /* it waits again */
    CS_RUN_LATER,     /* it waits again when its delay is over: event DUE */
    CS_RUN_SUCCEEDED,
    CS_RUN_ABANDONED, /* it has failed for good */
};

enum cs_run_task_state {
    CS_RUN_WAITING,
    CS_RUN_HELD, /* until its delay is over */
    CS_RUN_RUNNING,
    CS_RUN_DONE,
    CS_RUN_BROKEN,  /* failed for good */
    CS_RUN_SKIPPED, /* a task before it failed for good */
};

#define CS_RUN_TASK_STATE_LAST CS_RUN_SKIPPED

/* "waiting", "held", "running", "done", "failed", "skipped". */
const char *cs_run_task_state_name(enum cs_run_task_state state);

enum cs_run_event_kind {
    CS_RUN_SLOT_UP = 1, /* slot */
    CS_RUN_SLOT_DOWN,   /* slot */
    CS_RUN_BEGAN,       /* task, attempt: its program runs; value: 1: it shows nothing else */
    CS_RUN_PROGRESS,    /* task, attempt; value: the share that is done, 0 .. 1 */
    CS_RUN_SAVED,       /* task, attempt: it has saved its state */
    CS_RUN_ENDED,       /* task, attempt, outcome, status; value: seconds of verification */
    CS_RUN_DUE,         /* task: its delay is over; none: the decider must be called */
    CS_RUN_REQUEST,     /* value: 1 stop, 2 stop now, 0 continue; detail: the origin */
    CS_RUN_LIMIT,       /* value: run time at which the allocation ends; INFINITY: never */
    CS_RUN_RETRY,       /* task: it has failed or was skipped, and gets new tries */
    CS_RUN_NUMBERS,     /* value: attempts up to this number existed, with unknown outcome */
    CS_RUN_FOUND, /* task, attempt, outcome, status: an attempt that the journal had lost, from
                   * its record; value: 1: its state was saved */
};

#define CS_RUN_EVENT_KIND_LAST CS_RUN_FOUND

const char *cs_run_event_kind_name(enum cs_run_event_kind kind);

struct cs_run_event {
    enum cs_run_event_kind kind;
    int task, slot; /* -1: none */
    int64_t attempt;
    double time;
    enum cs_run_outcome outcome; /* 0: none */
    int status;
    double value;
    const char *detail; /* for people, or NULL */
    /* Filled in by the round; not in the journal, because it follows. */
    enum cs_run_finding finding;
    int count;       /* ENDED, FOUND: slots that the attempt had */
    const int *held; /* those, rising */
    /* FOUND: the attempt; in the journal its row. */
    int try;
    double start;
};

enum cs_run_action_kind {
    CS_RUN_START = 1, /* task; slots named, or any */
    CS_RUN_GIVE_UP,   /* task; why */
    CS_RUN_SAVE,      /* task: save its state and continue */
    CS_RUN_STOP,      /* task: save its state and end */
};

#define CS_RUN_ACTION_KIND_LAST CS_RUN_STOP

const char *cs_run_action_kind_name(enum cs_run_action_kind kind);

struct cs_run_action {
    enum cs_run_action_kind kind;
    int task;
    int count;       /* START: how many slots */
    const int *slot; /* START: those, rising; NULL: the lowest free */
    const char *why; /* GIVE_UP: text without a full stop */
    bool skipped;    /* GIVE_UP: because of another task */
    double expected; /* START: seconds; 0: from the setup */
    int64_t attempt; /* filled in by the round: the attempt that is started, saves or stops */
};

/* An attempt that runs. */
struct cs_run_attempt {
    int64_t number;
    int64_t round; /* of the journal, in which it was decided; 0: by another process */
    int task, try;
    bool unknown; /* the journal has lost it; it is found by its record */
    int count;
    int *slot;    /* count of them, rising; freed with the attempt */
    double start; /* when it was decided */
    double expected;
    bool restarts;              /* resumes from saved state */
    bool stops;                 /* requested by the decider */
    bool asked;                 /* signalled to stop */
    int sent;                   /* by this process: 1 its own way to stop, 2 SIGTERM, 3 SIGKILL */
    int pid;                    /* of its keeper; 0: none */
    int pidfd;                  /* of an adopted keeper; -1: none, as before Linux 5.3 */
    struct cs_guarded guarded;  /* that descriptor */
    unsigned long long adopted; /* when its keeper started, as /proc has it; 0: a child of ours */
    bool stalled;
    /* Where the engine passes signals on (engine.h: signal), and not the keeper. */
    int asked_with;    /* the signal sent to it; 0: none */
    bool reached;      /* it was forwarded */
    double kill_at;    /* run time at which patience ends; INFINITY: never */
    double timeout_at; /* run time; INFINITY: never */
    bool timed_out;
    bool gone; /* its slots are lost */
    /* Observations of an attempt that saves its state; NaN: not yet. */
    bool begun;                   /* BEGAN is an event */
    double began;                 /* run time */
    double progress, progress_at; /* the last share read, and when its file was written */
    double saved_at;              /* when its state was saved last */
};

#endif
