/* run.h - runs of real programs: to begin one, to go on with it and to see what would happen; and
 * from outside how far one is, what ran, and to stop it.
 *
 *     const char *const command[] = {"./simulate", "--case", "{name}"};
 *
 *     cs_run_defaults(&how);
 *     how.command = command;
 *     how.words = 3;
 *     if (!cs_run_start("jobs.csv", "run1", &how, NULL, &ended, &err))
 *         printf("%d of %d done\n", ended.done, ended.tasks);
 *
 * A run is a folder with everything about it.  Each attempt is watched by a small process of its
 * own, cosched's keeper, which is installed with the library (or named by COSCHED_KEEPER, an
 * absolute path) and outlives whoever works on the run: a program that ends in the middle, however
 * it does, loses nothing, and cs_run_resume goes on.  Who only asks may do so from any thread and
 * any process of the same user, while somebody works on the run or not.
 */
#ifndef COSCHED_RUN_H
#define COSCHED_RUN_H

#include <cosched/error.h>
#include <cosched/schedule.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

/* What is asked of a run, over what its file says; made by cs_run_defaults, then changed.  0, false
 * and NULL say nothing.  Names and meanings are those of `cosched help run`. */
struct cs_run_options {
    size_t size;                /* sizeof(struct cs_run_options) */
    const char *const *command; /* what each task runs, one argument a word; {name}, {procs} and
                                   others stand for values of the task */
    int words;                  /* of `command` */
    const char *const *set;     /* settings of all tasks, "retries=0" or "verify=[\"./check\"]": the
                                   value is JSON, else a text */
    int settings;               /* of `set` */
    const char *engine;         /* "local", "slurm" or "dry" */
    const char *policy, *priority; /* jobs: who starts when, and who is looked at first */
    bool barrier;                  /* plans: a pack waits for all of the pack before */
    bool allow_group;              /* a run file that others of its group may write to is fine */
    bool strict;                   /* warnings about the input are errors */
    int slots;                     /* of this machine */
    bool oversubscribe;            /* there may be more slots than cores: programs are not pinned */
    bool durable;                  /* also a power cut loses nothing */
    double margin; /* seconds that what runs may take to end by itself after SIGTERM; 120 */
    double poll;   /* seconds between two looks at what applications show; 1 */
    bool signals;  /* SIGINT and SIGTERM stop the run, once more: what runs is stopped too; for a
                      program that does nothing else: they, and SIGCHLD, stay blocked in this thread
                      afterwards, and orphans of this process come to it */

    /* To go on. */
    bool kill;         /* what still runs is stopped, instead of adopted */
    bool retry_failed; /* tasks that failed for good, and those skipped because of them, get new
                          tries */
    bool declare_lost; /* what ran on another host is gone: the caller knows it */
};

CS_API void cs_run_defaults(struct cs_run_options *options);

/* What would happen, by a virtual clock: nothing is started and nothing written.  `input` is a plan
 * (a schedule or a pack plan), which is followed, a table of jobs (name,procs,seconds), which are
 * queued, or a run file (cosched-run-1), which says itself.
 *
 * The text is a JSON object: "makespan" (seconds), "slots" (how many there are), "starts", a list
 * of objects with "task", "start" and "end" (seconds), "slots" ("0-3 7"), "cores" (null: none in
 * particular) and "command", all words of it with the launcher, in the order of their starts; and
 * "schedule", the text of a schedule file (cosched-schedule-1).  The watch may stop it, and is
 * warned of what may surprise.  Options may be NULL.  The caller frees the text with cs_free
 * (case.h).  NULL with err, also for everything that would be refused before a run begins. */
CS_API char *cs_run_dry(const char *input, const struct cs_run_options *options,
                        const struct cs_watch *watch, struct cs_error *err);

enum cs_run_ending {
    CS_RUN_ALL_DONE,
    CS_RUN_SOME_FAILED,   /* for good; it is over */
    CS_RUN_ASKED_TO_STOP, /* by the watch, by cs_run_stop, or by the end of the allocation: it can
                             be gone on with */
    CS_RUN_SIGNALLED,     /* the same, by a signal */
    CS_RUN_ONLY_DRY,      /* the engine is "dry": nothing was done, see cs_run_dry */
};

/* How far a run was when nobody worked on it any more. */
struct cs_run_ended {
    enum cs_run_ending ending;
    int signal;                       /* with CS_RUN_SIGNALLED */
    int tasks, done, failed, skipped; /* tasks 0: it never began */
    char folder[4096];                /* of the run, absolute */
};

/* A run while somebody works on it, for as long as the call that was given it lasts. */
struct cs_run_view;

struct cs_run_state {
    size_t size; /* sizeof(struct cs_run_state), set by the caller */
    int tasks, done, running, waiting, failed, skipped;
    int slots, used; /* that there are, and that are in use */
    bool stopping;   /* nothing more is started */
    int wakes;       /* how often this process was stopped and went on; with `signals` */
    double now;      /* seconds since the run began */
    double planned;  /* when it was planned to be over; NaN: not known, or not asked for */
    double end;      /* when it will be, if what is left goes as what has ended did; NaN as above */
};

/* An attempt that runs.  Texts and slots live as long as the look. */
struct cs_run_running {
    size_t size; /* sizeof(struct cs_run_running), set by the caller */
    const char *task;
    int attempt;     /* of this task, from 1 */
    int procs;       /* slots */
    const int *slot; /* these, rising */
    double start;    /* seconds of the run */
    double expected; /* seconds that it was expected to take; 0: nobody knows */
    double end;      /* seconds of the run: by its plan, or as foreseen; may be infinite */
    bool stops;      /* it has been asked to */
    bool shows;      /* it tells how far it is */
    double progress; /* 0 to 1; NaN: not yet */
};

/* Both -1 for what makes no sense, such as an attempt past the last. */
CS_API int cs_run_view_state(const struct cs_run_view *view, struct cs_run_state *state);
CS_API int cs_run_view_running(const struct cs_run_view *view, int index,
                               struct cs_run_running *running);

/* How to continue. */
enum cs_run_stopping {
    CS_RUN_CONTINUE, /* do not stop */
    CS_RUN_DRAIN,    /* start nothing more; running attempts may end */
    CS_RUN_STOP_NOW, /* stop running attempts too; they run again when the run is resumed */
};

/* Callbacks of a run, all from the thread that works on it. */
struct cs_run_watch {
    size_t size;                             /* sizeof(struct cs_run_watch) */
    enum cs_run_stopping (*stop)(void *who); /* called 20 times a second; NULL: never stop */
    void (*show)(void *who, const struct cs_run_view *view); /* something has changed, or a second
                                                                is over; or NULL */
    void (*say)(void *who, const char *error_text); /* a task that failed, what may surprise; NULL:
                                                     nobody hears it */
    bool foresee; /* `end` of the state is wanted, and `planned` of a plan */
    bool plan;    /* `planned` also where there is no plan, by the virtual clock: takes time at the
                     beginning */
    void *who;
};

/* Begin a run, and work on it until it is over or stopped.  `input` is as for cs_run_dry; `folder`
 * is new or empty.  Options, watch and `ended` may be NULL.  Refused is everything that can be
 * known before something is started.  The thread does nothing else meanwhile; others may ask for
 * the status of the run, and stop it (cs_run_stop).  Programs get the environment of this process.
 * -1 with err: the request is wrong, and nothing was written; or, when `ended` has tasks, nobody
 * can go on now, as when the folder is gone or memory has run out: what runs goes on by itself, and
 * cs_run_resume finds it. */
CS_API int cs_run_start(const char *input, const char *folder, const struct cs_run_options *options,
                        const struct cs_run_watch *watch, struct cs_run_ended *ended,
                        struct cs_error *err);

/* Go on with a run, after a stop, a kill or a reboot; what still runs is adopted.  Of the options
 * `slots` (how many there are from now on), `durable`, `margin`, `poll`, `signals` and those from
 * `kill` on count.  -1 with err, as cs_run_start, also when another process works on it, or another
 * thread of this one. */
CS_API int cs_run_resume(const char *folder, const struct cs_run_options *options,
                         const struct cs_run_watch *watch, struct cs_run_ended *ended,
                         struct cs_error *err);

/* Is that the folder of a run, as far as the names in it tell? */
CS_API bool cs_run_seems(const char *folder);

/* The journal as it is at this moment, as a JSON object (cosched-run-status-1), the one of `run
 * status --format json`: "state" ("running", "stopping", "stopped", "done", "failed" or "nobody
 * works on it"), how many tasks are in each state, "executor" (who works on it, or null), "tasks"
 * with "task", "state" and "tries", and of their last attempt "attempt", "slots", "start", "end",
 * "expected_end" (seconds of the run), "outcome", "output" (a path), and "slots" with "slot",
 * "host", "up", "task".  "progress" is the share of a task that is done, of those that tell it.
 * The caller frees the text with cs_free (case.h).  NULL with err. */
CS_API char *cs_run_status(const char *folder, struct cs_error *err);

/* A run as its journal tells it at one moment, which nobody is held up for; it may be going on.
 * NULL with err.  The caller destroys it. */
struct cs_run_history;

CS_API struct cs_run_history *cs_run_history_read(const char *folder, struct cs_error *err);
CS_API void cs_run_history_destroy(struct cs_run_history *history); /* NULL is fine */

/* What ran, as a schedule on its slots: a bar for every attempt that has ended, work if it ended
 * well, else lost, and one for its verification.  The caller destroys it.  NULL: no memory. */
CS_API struct cs_schedule *cs_run_history_schedule(const struct cs_run_history *history);

/* What was planned: the plan, or what the same policy does of the same input when every attempt
 * takes its time and none fails.  The caller destroys it.  NULL with err. */
CS_API struct cs_schedule *cs_run_history_planned(const struct cs_run_history *history,
                                                  struct cs_error *err);

/* What ran, as the text of a schedule file (cosched-schedule-1) that also says what was planned:
 * the one of `run schedule --output`, which `check` judges.  *length is without the 0 at its end
 * and may be NULL.  The caller frees the text with cs_free (case.h).  NULL with err. */
CS_API char *cs_run_history_text(const struct cs_run_history *history, size_t *length,
                                 struct cs_error *err);

/* What ran beside what was planned, as a JSON object (cosched-run-story-1): "makespan" and
 * "planned" (seconds), "done" (tasks), "slot_seconds" (all that there were) of which "work", and
 * "other", a list with "on" and "slot_seconds" in the order in which they are told; the time from a
 * decision to its program, "median_to_program" and "p99_to_program"; "tasks" with the columns of
 * `run schedule --format json`; "attempts" with "task", "try", "procs", "decided", "start", "end",
 * "seconds" (from start to end), "outcome" (null: it runs) and "restarted_at", the share that was
 * done when it began from what was saved.  null: not known.  The caller frees the text with
 * cs_free.  NULL with err. */
CS_API char *cs_run_history_reported(const struct cs_run_history *history, struct cs_error *err);

/* Ask who works on the run to stop: nothing more is started, and what runs may end; or, with
 * `now`, it is stopped too, and will run again when the run is resumed.  Returns when the request
 * was heard, for which it waits a minute at most.  -1 with err when nobody works on it or
 * answers. */
CS_API int cs_run_stop(const char *folder, bool now, struct cs_error *err);

CS_END_DECLS

#endif
