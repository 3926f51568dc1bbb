/* executor.h - the process that works on a run: waits, decides, writes both down, acts.
 *
 * One at a time, and several one after the other: its state is in the journal and in the records of
 * the keepers (src/keeper/keeper.c), each of which outlives it.
 */
#ifndef CS_RUN_EXECUTOR_H
#define CS_RUN_EXECUTOR_H

#include "base/guard.h"
#include "base/heap.h"
#include "run/engine.h"
#include "run/journal.h"
#include "run/record.h"
#include "run/template.h"

#include <cosched/run.h>
#include <sys/types.h>

struct cs_run_terms {
    const char *file;  /* the run file, as messages call it; or NULL */
    bool durable;      /* a power cut loses nothing */
    bool kills;        /* on resume: what still runs is stopped, instead of adopted */
    bool retries;      /* on resume: tasks that failed for good get new tries */
    bool declare_lost; /* on resume: attempts on unreachable hosts are lost */
    int slots;         /* on resume: the new number; 0: as in the beginning */
    double margin;     /* seconds before the end */
    double poll;       /* seconds between two looks at what applications show */
    bool signals;      /* this process handles SIGINT, SIGTERM and SIGCHLD */
};

/* Callbacks. */
struct cs_run_watcher {
    void *who;
    void (*end)(void *who, const struct cs_run_executor *x, const struct cs_run_event *event,
                const struct cs_run_finish *finish);
    void (*tick)(void *who, const struct cs_run_executor *x); /* when something changed, and now and
                                                               * then */
    void (*say)(void *who, const char *error_text);
    int (*stop)(void *who); /* 1 soon, 2 now, 0 no; or NULL */
};

/* A warning: the number of tasks, and the first of them. */
struct cs_run_note {
    int tasks, task, last; /* last: of which it was noted */
    char what[200];
};

struct cs_run_notes {
    const char *input;         /* about the input; NULL: nothing */
    struct cs_run_note absent; /* a program that is not on this host, but may be where its launcher
                                * starts it */
    struct cs_run_note dashed; /* a word that stands for a whole argument, and its value begins with
                                * '-' */
};

struct cs_run_executor {
    struct cs_guarded guarded; /* first: what the system has given */
    struct cs_run run;
    struct cs_run_setup setup;
    struct cs_run_terms terms;
    struct cs_run_watcher watcher;
    const struct cs_run_engine *engine;
    void *engine_state;
    const struct cs_run_slot *slot;
    int slots;
    struct cs_run_journal *journal;
    struct cs_arena *arena, *scratch;
    const char *folder; /* absolute */
    const char *id;     /* of the run: 32 hexadecimal digits */
    const char *mark;   /* of its processes here: the id and the folder, without the attempt */
    const char *tag;    /* a short name of it, in listings of processes; a copy has another */
    const char *keeper; /* program */
    const char
        *groups; /* path of the cgroup in which those of attempts are made; NULL: none can be */
    char host[65], boot[64];
    const char *boot_before; /* on resume: of the executor before */
    bool empties;            /* a run of 0.2, whose records were emptied as soon as journaled */
    struct cs_run_notes notes;
    double began;                  /* seconds since 1970 */
    double shift;                  /* from the clock of the machine to run time */
    int signals, control, lock;    /* file descriptors; -1: none */
    struct cs_run_executor *other; /* of this process, with a lock (control.c) */
    pid_t process;                 /* that has the lock */
    dev_t device;                  /* of the file of the lock, and its number there */
    ino_t file;
    int pidfds;                 /* of epoll, with those of adopted keepers; -1: none */
    struct cs_run_event *event; /* of the round to come */
    struct cs_run_finish *finish;
    int events, room;
    int64_t *record; /* attempts whose records are kept until the journal is settled */
    int records, record_room;
    struct cs_heap due;         /* tasks by when their delay is over */
    double retry_at, retry_for; /* when what could not be started is tried again */
    int signal;                 /* that asked to stop, or 0 */
    int wakes;                  /* number of stops and continues of this process */
    double kill_at;             /* run time at which running attempts are killed */
    bool reported;              /* the disk is full */
    bool saves;                 /* some task has a checkpoint */
    double inspect;             /* run time of the next read of progress */
    double paced;               /* run time up to which starts are used up */
    double watched, slots_at;   /* run time of the last look at attempts, the next at slots */
    double woken;               /* run time of the last look at adopted keepers */
    int looks;                  /* at them */
    char **environment;         /* of attempts, before what is their own; ends with NULL */
    int variables;
    int64_t starts;  /* attempts that were started by this process */
    int64_t folders; /* of their records: those of this number and later have none yet */
    double spent;    /* seconds between decision and start, of all of them */
};

/* Begin a run in the folder, which is new or empty.  `document` is the run file (a JSON text) whose
 * paths are relative to `base`; `input` names its input of `size` bytes.  NULL with err. */
struct cs_run_executor *
cs_run_executor_begin(const char *folder, const char *document, const char *base, const char *input,
                      const void *bytes, size_t size, const struct cs_run_terms *terms,
                      const struct cs_run_watcher *watcher, struct cs_error *err);

/* Resume a run. NULL with err. */
struct cs_run_executor *cs_run_executor_resume(const char *folder, const struct cs_run_terms *terms,
                                               const struct cs_run_watcher *watcher,
                                               struct cs_error *err);

/* Execute the run to its end. *ending is the reason: with CS_RUN_SIGNALLED x->signal is the signal;
 * -1 with err if it cannot continue. */
int cs_run_executor_work(struct cs_run_executor *x, enum cs_run_ending *ending,
                         struct cs_error *err);

void cs_run_executor_destroy(struct cs_run_executor *x); /* NULL is fine */

/* For the parts of the executor. */

/* Seconds since the run began: by the wall clock when this process began, then by a monotonic
 * clock. */
double cs_run_clock(const struct cs_run_executor *x);
double cs_run_wall(void);  /* since 1970 */
double cs_run_ticks(void); /* since the machine began */

/* An event of the round to come. */
void cs_run_add_event(struct cs_run_executor *x, const struct cs_run_event *event,
                      const struct cs_run_finish *finish);
void cs_run_add_request(struct cs_run_executor *x, int value, const char *who);

/* When a delay that follows from an event is over. */
void cs_run_note_due(struct cs_run_executor *x, const struct cs_run_event *event);

/* Pause starts: no record can be written. */
void cs_run_pause_starts(struct cs_run_executor *x);

/* The same because the machine is short of something: 1, 2, 4 .. 60 seconds, until an attempt has
 * ended otherwise. */
void cs_run_back_off(struct cs_run_executor *x);

/* Collect children that have ended, and periodically check adopted keepers; those with a pidfd. */
void cs_run_reap(struct cs_run_executor *x);
void cs_run_collect_adopted(struct cs_run_executor *x);

/* Start the keeper of an attempt.  0; 1 when there are no processes for now; -1 with err when it
 * can never be started. */
int cs_run_spawn(struct cs_run_executor *x, struct cs_run_attempt *attempt, struct cs_error *err);

/* A signal to the keeper: SIGTERM ends the program, with its grace. */
void cs_run_signal_keeper(const struct cs_run_attempt *attempt, int number);

/* Continue it if it was stopped (SIGSTOP). */
void cs_run_wake_keeper(const struct cs_run_attempt *attempt);

/* Is the process of its number its keeper?  A child of this process is until it is waited for. */
bool cs_run_keeper_is_there(const struct cs_run_attempt *attempt);

/* The values of placeholders in an attempt. */
struct cs_run_values cs_run_values_of(const struct cs_run_executor *x,
                                      const struct cs_run_attempt *attempt);

/* Attempts of tasks with a checkpoint: save the state and end, within the grace; save and continue;
 * end without a signal. Repeated calls have no effect. */
void cs_run_ask_to_stop_saved(struct cs_run_executor *x, struct cs_run_attempt *attempt);
void cs_run_ask_to_save(struct cs_run_executor *x, struct cs_run_attempt *attempt);
void cs_run_ask_nobody(struct cs_run_executor *x, struct cs_run_attempt *attempt);

/* Remove leftovers of earlier attempts: request files are removed, and state that led to a wrong
 * result is renamed. -1 with err. */
int cs_run_discard(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                   struct cs_error *err);

/* Read the progress of an attempt as events; read that of all attempts when due, and handle overdue
 * ones. */
void cs_run_observe(struct cs_run_executor *x, struct cs_run_attempt *attempt);
void cs_run_observe_all(struct cs_run_executor *x);

/* Ask an attempt to end, by SIGTERM; what does not is killed after the grace of its task. */
void cs_run_ask(struct cs_run_executor *x, struct cs_run_attempt *attempt, int number);

/* Make the keeper send this signal to its program (0: already sent), and kill it after `grace`
 * seconds. */
void cs_run_report_keeper(const struct cs_run_attempt *attempt, int number, double grace);

/* Its slots are lost, and so is the attempt. */
void cs_run_abandon(struct cs_run_executor *x, struct cs_run_attempt *attempt);

/* Is it the engine that starts what runs for a task, and passes signals on? */
bool cs_run_is_step(const struct cs_run_executor *x, int task);

/* If the engine forwards signals: check timeouts and the grace of signalled attempts. */
void cs_run_watch_asked(struct cs_run_executor *x);

/* Check periodically for lost slots and the end of the allocation. */
void cs_run_watch_allocation(struct cs_run_executor *x);

/* The end of an attempt, from its record, as an event; no event if it has not ended. */
void cs_run_add_end(struct cs_run_executor *x, struct cs_run_attempt *attempt,
                    const struct cs_run_record *record);

/* An attempt without a record: void, lost, or never to be started. */
void cs_run_add_outcome(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                        enum cs_run_outcome outcome, const char *why);
void cs_run_add_lost(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                     const char *why);

/* The mark in the environments of processes of this run, from its id and its directory: a copy of a
 * run with the same id has another mark, and a moved run keeps its mark. */
const char *cs_run_mark_of(const struct cs_run_executor *x);

/* The first digits of its id, and the number of its folder, which is the same on all hosts. */
const char *cs_run_tag_of(const struct cs_run_executor *x);

/* The cgroup in which this process may make others, by COSCHED_CGROUP ("none", or a path), else its
 * own; NULL: it may not. */
const char *cs_run_groups_of(const struct cs_run_executor *x);

/* Append the path of the group of an attempt, if this executor makes groups. */
void cs_run_group_path(const struct cs_run_executor *x, int64_t attempt, struct cs_strbuf *out);

/* Is the process one of that attempt? If this is unknown, errno is the reason, else it is
 * unchanged. */
bool cs_run_mark_has(const struct cs_run_executor *x, int64_t attempt, int pid);

/* Kill everything that belongs to an attempt (mark.c).  Was there any process but its keeper? */
bool cs_run_mark_kill(const struct cs_run_executor *x, int64_t attempt);

/* The same for several attempts in increasing order, in one pass: ran[] is the result of each, and
 * false before. */
void cs_run_mark_kill_all(const struct cs_run_executor *x, const int64_t *attempt, int count,
                          bool *ran);

/* A signal to those of this name that have it; how many. */
int cs_run_mark_signal(const struct cs_run_executor *x, int64_t attempt, const char *name,
                       int number);

/* Print warnings about possible mistakes. */
void cs_run_warn(struct cs_run_executor *x);

/* Find out about every attempt that the journal knows as running.  -1 with err. */
int cs_run_find_attempts(struct cs_run_executor *x, struct cs_error *err);

/* Play the journal.  -1 with err. */
int cs_run_replay(struct cs_run_journal *journal, struct cs_run *run,
                  void (*seen)(void *who, const struct cs_run_event *event), void *who,
                  struct cs_error *err);

/* Everything that can be known before anything starts: words, programs, widths; what is only noted,
 * in *notes, which are empty before.  -1 with err. */
int cs_run_refuse(const struct cs_run_setup *setup, const struct cs_run_slot *slot, int slots,
                  const char *folder, struct cs_run_notes *notes, struct cs_error *err);

/* Print each warning. */
void cs_run_report_notes(const struct cs_run_setup *setup, const struct cs_run_notes *notes,
                         void (*say)(void *who, const char *error_text), void *who);

/* The lock, and the socket of `run stop`. */
int cs_run_lock(struct cs_run_executor *x, struct cs_error *err);
void cs_run_unlock(struct cs_run_executor *x);
int cs_run_open_control(struct cs_run_executor *x, struct cs_error *err);
void cs_run_hear_control(struct cs_run_executor *x);

/* Is the lock of a run held?  Then who does, in words. */
bool cs_run_is_locked(const char *folder, char *who, size_t size);

/* Check that a directory belongs to this user, and no other user can write to it. -1 with err. */
int cs_run_check_owner(const char *path, bool group, struct cs_error *err);

/* Remove the records of attempts that the journal has seen end, when it is settled; list those that
 * it does not know, rising.  The next number of an attempt is above those of all files. */
struct cs_run_numbers {
    int64_t *number;
    int count, room;
};
void cs_run_sweep(struct cs_run_executor *x, struct cs_run_numbers *unknown);

/* Has the directory of a run only what is made there before the first round?  Remove the journal.
 */
bool cs_run_has_only_own(const char *folder);
int cs_run_clear(const struct cs_run_executor *x, struct cs_error *err);

/* Find out about attempts that the journal has lost: their records become events.  Where
 * a power cut has taken them, those that did not end well go to RUN/orphans.  -1 with err:
 * something might run twice. */
int cs_run_find_lost(struct cs_run_executor *x, const struct cs_run_numbers *unknown,
                     struct cs_error *err);

#endif
