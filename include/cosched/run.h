/* run.h - runs of real programs: start, resume and dry-run them; read their status and history, and
 * stop them, from any process.
 *
 *     const char *const command[] = {"./simulate", "--case", "{name}"};
 *
 *     cs_run_defaults(&how);
 *     how.command = command;
 *     how.words = 3;
 *     if (!cs_run_start("jobs.csv", "run1", &how, NULL, &ended, &err))
 *         printf("%d of %d done\n", ended.done, ended.tasks);
 *
 * A run is a directory with all its data. A separate keeper process supervises each attempt. The
 * keeper is installed with the library (or named by COSCHED_KEEPER, an absolute path) and outlives
 * the executor: if the executor is killed, no result is lost and cs_run_resume continues. Functions
 * that only read may be called from any thread and any process of the same user, with or without a
 * running executor.
 */
#ifndef COSCHED_RUN_H
#define COSCHED_RUN_H

#include <cosched/error.h>
#include <cosched/schedule.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

/* Options of a run, which override its file; initialise with cs_run_defaults, then set members. 0,
 * false and NULL are unset. Names and meanings are those of `cosched help run`. */
struct cs_run_options {
    size_t size;                /* sizeof(struct cs_run_options) */
    const char *const *command; /* what each task runs, one argument a word; {name}, {procs} and
                                   others stand for values of the task */
    int words;                  /* of `command` */
    const char *const *set;     /* settings of all tasks, "retries=0" or "verify=[\"./check\"]": the
                                   value is JSON, else a text */
    int settings;               /* of `set` */
    const char *engine;         /* "local", "slurm" or "dry" */
    const char *policy, *priority; /* jobs: the policy and the order of the queue */
    bool barrier;                  /* plans: a pack waits for all of the pack before */
    bool allow_group;              /* a run file that others of its group may write to is fine */
    bool strict;                   /* warnings about the input are errors */
    int slots;                     /* of this machine */
    bool oversubscribe;            /* there may be more slots than cores: programs are not pinned */
    bool durable;                  /* also a power cut loses nothing */
    double margin;                 /* seconds that attempts may take to end after SIGTERM; 120 */
    double poll;  /* seconds between two reads of the progress of applications; 1 */
    bool signals; /* SIGINT and SIGTERM stop the run, a second one also stops running attempts; for
                     dedicated programs: they, and SIGCHLD, stay blocked in this thread afterwards,
                     and this process adopts orphans */

    /* To resume. */
    bool kill;         /* running attempts are stopped instead of adopted */
    bool retry_failed; /* tasks that failed for good, and those skipped because of them, get new
                          tries */
    bool declare_lost; /* treat attempts on unreachable hosts as lost */
};

CS_API void cs_run_defaults(struct cs_run_options *options);

/* Simulate a run with a virtual clock: no program is started and no file written. `input` is a plan
 * to follow (a schedule or a pack plan), a table of jobs to queue (name,procs,seconds), or a run
 * file (cosched-run-1).
 *
 * The text is a JSON object: "makespan" (seconds), "slots" (their number), "starts", a list of
 * objects with "task", "start" and "end" (seconds), "slots" ("0-3 7"), "cores" (null: unspecified)
 * and "command", all words with the launcher, in the order of their starts; and "schedule", the
 * text of a schedule file (cosched-schedule-1). The watch may stop it, and receives warnings.
 * Options may be NULL. The caller frees the text with cs_free (case.h). NULL with err, also for all
 * errors that would be detected before a run starts. */
CS_API char *cs_run_dry(const char *input, const struct cs_run_options *options,
                        const struct cs_watch *watch, struct cs_error *err);

enum cs_run_ending {
    CS_RUN_ALL_DONE,
    CS_RUN_SOME_FAILED,   /* for good; it is over */
    CS_RUN_ASKED_TO_STOP, /* by the watch, by cs_run_stop, or by the end of the allocation: it can
                             be gone on with */
    CS_RUN_SIGNALLED,     /* the same, by a signal */
    CS_RUN_ONLY_DRY,      /* the engine is "dry": no run was made, see cs_run_dry */
};

/* The state of a run when its executor ended. */
struct cs_run_ended {
    enum cs_run_ending ending;
    int signal;                       /* with CS_RUN_SIGNALLED */
    int tasks, done, failed, skipped; /* tasks 0: it never began */
    char folder[4096];                /* of the run, absolute */
};

/* A running run; valid during the callback. */
struct cs_run_view;

struct cs_run_state {
    size_t size; /* sizeof(struct cs_run_state), set by the caller */
    int tasks, done, running, waiting, failed, skipped;
    int slots, used; /* that there are, and that are in use */
    bool stopping;   /* nothing more is started */
    int wakes;       /* number of stops and continues of this process; with `signals` */
    double now;      /* seconds since the run began */
    double planned;  /* planned end; NaN: unknown or not requested */
    double end;      /* predicted end, from the attempts that have ended; NaN as above */
};

/* An attempt that runs.  Texts and slots live as long as the look. */
struct cs_run_running {
    size_t size; /* sizeof(struct cs_run_running), set by the caller */
    const char *task;
    int attempt;     /* of this task, from 1 */
    int procs;       /* slots */
    const int *slot; /* these, rising */
    double start;    /* seconds of the run */
    double expected; /* expected duration (seconds); 0: unknown */
    double end;      /* seconds of the run: planned or predicted; may be infinite */
    bool stops;      /* it was signalled to stop */
    bool shows;      /* it reports progress */
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

/* Start a run, and execute it until it is over or stopped. `input` is as for cs_run_dry; `folder`
 * is new or empty. Options, watch and `ended` may be NULL. All errors that can be detected before
 * the first start are reported. The call blocks its thread; other threads may read the status of
 * the run and stop it (cs_run_stop). Programs get the environment of this process. -1 with err: the
 * request is invalid, and nothing was written; or, if `ended` has tasks, the executor cannot
 * continue, for example because the directory is missing or memory has run out: running attempts
 * continue, and cs_run_resume finds them. */
CS_API int cs_run_start(const char *input, const char *folder, const struct cs_run_options *options,
                        const struct cs_run_watch *watch, struct cs_run_ended *ended,
                        struct cs_error *err);

/* Resume a run after a stop, a kill or a reboot; running attempts are adopted. Only the options
 * `slots` (the new number), `durable`, `margin`, `poll`, `signals` and those from `kill` on are
 * used. -1 with err, as cs_run_start, also when another process or thread executes it. */
CS_API int cs_run_resume(const char *folder, const struct cs_run_options *options,
                         const struct cs_run_watch *watch, struct cs_run_ended *ended,
                         struct cs_error *err);

/* True if the names in the directory are those of a run. */
CS_API bool cs_run_seems(const char *folder);

/* The journal as it is at this moment, as a JSON object (cosched-run-status-1), the one of `run
 * status --format json`: "state" ("running", "stopping", "stopped", "done", "failed" or "no
 * executor"), the number of tasks in each state, "executor" (its process, or null), "tasks" with
 * "task", "state" and "tries", and of their last attempt "attempt", "slots", "start", "end",
 * "expected_end" (seconds of the run), "outcome", "output" (a path), and "slots" with "slot",
 * "host", "up", "task". "progress" is the completed share of tasks that report it. The caller frees
 * the text with cs_free (case.h). NULL with err. */
CS_API char *cs_run_status(const char *folder, struct cs_error *err);

/* A run as recorded in its journal at one time; reading does not block the executor, the run may be
 * active. NULL with err. The caller destroys it. */
struct cs_run_history;

CS_API struct cs_run_history *cs_run_history_read(const char *folder, struct cs_error *err);
CS_API void cs_run_history_destroy(struct cs_run_history *history); /* NULL is fine */

/* The executed schedule on its slots: a bar for every attempt that has ended (work if it succeeded,
 * else lost) and one for its verification. The caller destroys it. NULL: no memory. */
CS_API struct cs_schedule *cs_run_history_schedule(const struct cs_run_history *history);

/* The planned schedule: the plan, or the schedule of the same policy on the same input if every
 * attempt takes its expected time and succeeds. The caller destroys it. NULL with err. */
CS_API struct cs_schedule *cs_run_history_planned(const struct cs_run_history *history,
                                                  struct cs_error *err);

/* The executed schedule as the text of a schedule file (cosched-schedule-1) with the plan: the one
 * of `run schedule --output`, which `check` validates. *length is without the 0 at its end and may
 * be NULL. The caller frees the text with cs_free (case.h). NULL with err. */
CS_API char *cs_run_history_text(const struct cs_run_history *history, size_t *length,
                                 struct cs_error *err);

/* The executed and the planned schedule as a JSON object (cosched-run-story-1): "makespan" and
 * "planned" (seconds), "done" (tasks), "slot_seconds" (the total), its part "work", and "other", a
 * list with "on" and "slot_seconds" in the order of output; the time from a decision to its
 * program, "median_to_program" and "p99_to_program"; "tasks" with the columns of `run schedule
 * --format json`; "attempts" with "task", "try", "procs", "decided", "start", "end", "seconds"
 * (from start to end), "outcome" (null: it runs) and "restarted_at", the completed share at its
 * restart from saved state. null: unknown. The caller frees the text with cs_free. NULL with
 * err. */
CS_API char *cs_run_history_reported(const struct cs_run_history *history, struct cs_error *err);

/* Request the executor of the run to stop: it starts no attempt, and running ones may end; with
 * `now` they are also stopped, and run again after a resume. Returns when the request was received,
 * after at most a minute. -1 with err when there is no executor or no answer. */
CS_API int cs_run_stop(const char *folder, bool now, struct cs_error *err);

CS_END_DECLS

#endif
