/* outcome.c - how an attempt ended, from its record, as an event. */
#define _GNU_SOURCE
#include "run/executor.h"
#include "run/template.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Stop running attempts, and kill them after their grace.
 *
 * The keeper of an attempt signals its program and measures the grace. If the engine forwards
 * signals, because the program runs on another host, the executor does both; the keeper, which
 * outlives it, then waits longer and kills its own child. A launcher of the user is signalled by
 * the keeper, also if it starts remote programs.
 */

#define LATER 30.0    /* seconds by which the keeper is more patient than the executor */
#define ENDS_SOON 5.0 /* seconds after which what was killed elsewhere must have ended here */
#define OFTEN 0.5     /* seconds between two looks */

bool cs_run_is_step(const struct cs_run_executor *x, int task)
{
    return x->engine->launch && !x->setup.task[task].settings->launches;
}

void cs_run_ask(struct cs_run_executor *x, struct cs_run_attempt *attempt, int number)
{
    const double grace = x->setup.task[attempt->task].settings->grace;

    attempt->asked = true;
    attempt->sent = 2;
    if (!cs_run_is_step(x, attempt->task) || !attempt->pid) {
        cs_run_signal_keeper(attempt, number);
        return;
    }
    attempt->asked_with = number;
    attempt->kill_at = cs_run_clock(x) + grace;
    cs_run_report_keeper(attempt, 0, grace + LATER);
    attempt->reached = x->engine->signal(x, attempt, number);
}

void cs_run_abandon(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    attempt->reached = attempt->gone = true;
    attempt->kill_at = attempt->timeout_at = INFINITY;
    cs_run_ask_nobody(x, attempt);
}

static void watch_one(struct cs_run_executor *x, struct cs_run_attempt *attempt, double now)
{
    if (!attempt->asked && now >= attempt->timeout_at) {
        attempt->timed_out = true;
        cs_run_ask(x, attempt, SIGTERM);
    }
    if (attempt->asked_with && !attempt->reached)
        attempt->reached = x->engine->signal(x, attempt, attempt->asked_with);
    if (now < attempt->kill_at)
        return;
    attempt->kill_at = INFINITY;
    attempt->reached = true;
    x->engine->signal(x, attempt, SIGKILL);
    cs_run_report_keeper(attempt, 0, ENDS_SOON);
}

void cs_run_watch_asked(struct cs_run_executor *x)
{
    const double now = cs_run_clock(x);

    if (!x->engine->signal || now < x->watched + OFTEN)
        return;
    x->watched = now;
    for (int a = 0; a < x->run.count; a++)
        if (x->run.running[a]->pid && cs_run_is_step(x, x->run.running[a]->task))
            watch_one(x, x->run.running[a], now);
}

/* Remove leftovers of earlier attempts of a task.
 *
 * Files that requested a save are removed. If the result was wrong, its state and its "done" file
 * are renamed, because an application may search for its state and resume from it. Files older than
 * the first attempt are not of this run and stay.
 */

#define BACKGROUND ".corrupt"
#define FORGET_COARSE 1.0 /* seconds by which times of files may lag behind the clock */

static int remove_file(struct cs_run_values *values, const char *template, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    if (template)
        status = cs_run_values_path(values, template, &path, err);
    if (!status && path.length && unlink(path.text) && errno != ENOENT)
        status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be removed: %s", path.text,
                                 strerror(errno));
    cs_strbuf_release(&path);
    return status;
}

static void discard_say(const struct cs_run_executor *x, int task, const char *path)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "task %s: its result was wrong, it restarts: %s is now %s" BACKGROUND,
                     x->setup.task[task].name, path, path);
    x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_release(&text);
}

static int set_background(const struct cs_run_executor *x, struct cs_run_values *values,
                          const char *template, struct cs_error *err)
{
    const double since = x->began + x->run.usage[values->task].first;
    struct cs_strbuf path = CS_STRBUF_INIT, background = CS_STRBUF_INIT;
    int status = cs_run_values_path(values, template, &path, err);
    double modified;

    if (!status && cs_run_file_modified(path.text, &modified) &&
        modified + FORGET_COARSE >= since) {
        cs_strbuf_printf(&background, "%s" BACKGROUND, path.text);
        if (rename(path.text, background.text))
            status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be set aside as %s: %s",
                                     path.text, background.text, strerror(errno));
        else
            discard_say(x, values->task, path.text);
    }
    cs_strbuf_release(&path);
    cs_strbuf_release(&background);
    return status;
}

int cs_run_discard(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                   struct cs_error *err)
{
    const struct cs_run_checkpoint *c = x->setup.task[attempt->task].settings->checkpoint;
    struct cs_run_values values = cs_run_values_of(x, attempt);
    int status = 0;

    values.makes = true;
    if (c && (remove_file(&values, c->stop.file, err) || remove_file(&values, c->save.file, err)))
        return -1;
    if (!c || !x->run.usage[attempt->task].again || attempt->restarts)
        return 0;
    for (int k = 0; !status && k < c->saved.count; k++)
        status = set_background(x, &values, c->saved.text[k], err);
    if (!status && c->done)
        status = set_background(x, &values, c->done, err);
    return status;
}

/* Keepers that have ended, of any executor. */

#define UNWRITTEN 126 /* status of a keeper that could not write its record */
#define TICK 1.0      /* seconds between two looks at those that are no children of this process */
#define LOOKS 100     /* adopted keepers at each of them */

/* A keeper that is being started has all descriptors for a moment longer than its exec takes here:
 * closing this one would not end its being waited for. */
static void discard_pidfd(const struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    if (attempt->pidfd < 0)
        return;
    epoll_ctl(x->pidfds, EPOLL_CTL_DEL, attempt->pidfd, NULL);
    cs_run_attempt_let_go(attempt);
}

/* Its keeper has ended: the outcome is in the record, or unknown. A keeper that could not write its
 * claim has started nothing. */
static void reap_collect(struct cs_run_executor *x, struct cs_run_attempt *attempt, bool unwritten)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_run_record record = {0};

    cs_run_attempt_path(x->folder, attempt->number, "rec", &path);
    cs_run_record_load(path.text, &record, NULL);
    cs_strbuf_release(&path);
    discard_pidfd(x, attempt);
    attempt->pid = 0;
    attempt->adopted = 0;
    if (record.closed) {
        cs_run_add_end(x, attempt, &record);
        return;
    }
    if (unwritten)
        cs_run_pause_starts(x);
    if (unwritten && !record.claimed) {
        cs_run_add_outcome(x, attempt, CS_RUN_VOID, NULL);
        return;
    }
    cs_run_mark_kill(x, attempt->number);
    if (x->engine->cancel)
        x->engine->cancel(x, attempt->number);
    cs_run_add_lost(x, attempt, "its keeper was killed, or could not write its record");
}

/* Children that have ended; unknown ones are orphans of killed keepers. A stopped keeper is
 * continued, because only it ends its program at its timeout. */
static void reap_one(struct cs_run_executor *x, struct cs_run_attempt *attempt, int status)
{
    if (WIFSTOPPED(status))
        kill(attempt->pid, SIGCONT);
    else
        reap_collect(x, attempt, WIFEXITED(status) && WEXITSTATUS(status) == UNWRITTEN);
}

static void reap_all(struct cs_run_executor *x)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0)
        for (int a = 0; a < x->run.count; a++)
            if (x->run.running[a]->pid == pid && !x->run.running[a]->adopted) {
                reap_one(x, x->run.running[a], status);
                break;
            }
}

/* In a program that has other children: one by one. If it ignores SIGCHLD no child can be waited
 * for, and the outcome is taken from the record. */
static void reap_own(struct cs_run_executor *x)
{
    for (int a = 0; a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];
        int status = 0;
        pid_t pid;

        if (!attempt->pid || attempt->adopted)
            continue;
        pid = waitpid(attempt->pid, &status, WNOHANG | WUNTRACED);
        if (pid > 0 || (pid < 0 && errno == ECHILD))
            reap_one(x, attempt, pid > 0 ? status : 0);
    }
}

/* The same for keepers that are not children of this process: by their descriptors.  One whose
 * attempt is over already may be seen for a moment. */
void cs_run_collect_adopted(struct cs_run_executor *x)
{
    struct epoll_event seen[64];
    const int count = epoll_wait(x->pidfds, seen, sizeof seen / sizeof *seen, 0);

    for (int k = 0; k < count; k++) {
        struct cs_run_attempt *attempt = cs_run_attempt_find(&x->run, (int64_t)seen[k].data.u64);

        if (attempt && attempt->pidfd >= 0)
            reap_collect(x, attempt, false);
    }
}

/* Without pidfds all of them; of the others about a hundred, to detect stopped ones. */
static void inspect_adopted(struct cs_run_executor *x)
{
    const int shares = 1 + x->run.count / LOOKS;
    const double now = cs_run_clock(x);

    if (now < x->woken + TICK)
        return;
    x->woken = now;
    x->looks++;
    for (int a = 0; a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];

        if (attempt->adopted && attempt->pidfd < 0 && !cs_run_keeper_is_there(attempt))
            reap_collect(x, attempt, false);
        else if (attempt->adopted && attempt->number % shares == x->looks % shares)
            cs_run_wake_keeper(attempt);
    }
}

void cs_run_reap(struct cs_run_executor *x)
{
    if (x->terms.signals)
        reap_all(x);
    else
        reap_own(x);
    inspect_adopted(x);
}

#define COARSE 0.02 /* seconds by which times of files may lag behind the clock */

static const char *const stages[] = {
    "",          "its folder",  "its standard input", "its standard output", "its standard error",
    "its cores", "the program",
};

/* Is the file there, and no older than this moment? */
static bool is_fresh(const char *path, double since)
{
    struct stat file;
    double changed;

    if (stat(path, &file))
        return false;
    changed = (double)file.st_mtim.tv_sec + (double)file.st_mtim.tv_nsec * 1e-9;
    return changed + (file.st_mtim.tv_nsec ? COARSE : 1.0) >= since;
}

/* The first product that is missing, in `path`. */
static bool lacks_product(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                          double since, struct cs_strbuf *path)
{
    const struct cs_run_settings *s = x->setup.task[attempt->task].settings;
    struct cs_run_values values = cs_run_values_of(x, attempt);

    for (int p = 0; p < s->produces.count; p++) {
        cs_strbuf_clear(path);
        if (cs_run_values_path(&values, s->produces.text[p], path, NULL) ||
            !is_fresh(path->text, since))
            return true;
    }
    return false;
}

/* Offset between run time and the clock of keepers after it was set: the events of a record
 * happened between the decision and now, and have the recorded duration. */
static double skew_of(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                      const struct cs_run_record *r)
{
    const double now = fmax(cs_run_clock(x), x->run.now);
    const double first = r->program.began - x->began;
    const double last = (r->verifies ? r->verify.at : r->program.at) - x->began;
    const double skew = last > now ? now - last : 0;

    return first + skew < attempt->start ? attempt->start - first : skew;
}

/* Run time of a time of a record, clamped to the attempt regardless of clock changes. */
static double end_place(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                        double wall)
{
    double time = wall - x->began, now = fmax(cs_run_clock(x), x->run.now);

    if (!(time >= attempt->start))
        return attempt->start;
    return time > now ? now : time;
}

static struct cs_run_finish finish_of(const struct cs_run_executor *x,
                                      const struct cs_run_attempt *attempt,
                                      const struct cs_run_record *r)
{
    const double skew = skew_of(x, attempt, r);

    return (struct cs_run_finish){
        .began = end_place(x, attempt, r->program.began + skew),
        .ended = end_place(x, attempt, r->program.at + skew),
        .verify_began = r->verifies ? end_place(x, attempt, r->verify.began + skew) : NAN,
        .verify_ended = r->verifies ? end_place(x, attempt, r->verify.at + skew) : NAN,
        .status = r->program.status,
        .verify_status = r->verify.status,
        .cpu = r->verifies ? r->verify.cpu : r->program.cpu,
        .rss = r->program.rss,
        .left = r->program.left + r->verify.left,
    };
}

/* " PATH" of a stage, if it is in the settings. */
static void put_stage_path(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                           int stage, struct cs_strbuf *out)
{
    const struct cs_run_settings *s = x->setup.task[attempt->task].settings;
    const char *template[] = {NULL, s->cwd, s->in, s->out, s->err, NULL, NULL};
    struct cs_run_values values = cs_run_values_of(x, attempt);
    struct cs_strbuf path = CS_STRBUF_INIT;

    if (template[stage] && !cs_run_values_path(&values, template[stage], &path, NULL))
        cs_strbuf_printf(out, " %s", path.text);
    cs_strbuf_release(&path);
}

/* An explanation for an ambiguous status; in the arena. */
static const char *end_explain(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                               const struct cs_run_record *r)
{
    const int stage = r->program.stage > 0 && r->program.stage < 7 ? r->program.stage : 0;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *reported;

    if (!r->program.fault)
        return NULL;
    cs_strbuf_puts(&text, stages[stage]);
    put_stage_path(x, attempt, stage, &text);
    cs_strbuf_printf(&text, ": %s", strerror(r->program.fault));
    reported = cs_arena_strdup(x->arena, text.text);
    cs_strbuf_release(&text);
    return reported;
}

/* Has the task finished? Its "done" condition counts from the first attempt on, because a restarted
 * attempt may not create the file again. */
static bool is_done(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                    const struct cs_run_checkpoint *c, int status)
{
    const struct cs_run_usage *usage = &x->run.usage[attempt->task];
    struct cs_run_values values = cs_run_values_of(x, attempt);
    struct cs_strbuf path = CS_STRBUF_INIT;
    bool done = false;

    if (c->done)
        done = !cs_run_values_path(&values, c->done, &path, NULL) &&
               is_fresh(path.text, x->began + usage->first);
    else if (c->done_status >= 0)
        done = WIFEXITED(status) && WEXITSTATUS(status) == c->done_status;
    else
        done = fmax(attempt->progress, usage->progress) >= 1;
    cs_strbuf_release(&path);
    return done;
}

/* With saved state, "done" decides for every status 0, and for any status of a stopped attempt. */
static enum cs_run_outcome end_weigh(const struct cs_run_executor *x,
                                     const struct cs_run_attempt *attempt,
                                     const struct cs_run_record *r, enum cs_run_outcome outcome)
{
    const struct cs_run_checkpoint *c = x->setup.task[attempt->task].settings->checkpoint;
    const bool asked = r->program.asked || r->verify.asked || attempt->asked;
    const bool supplied = c && (c->done || c->done_status >= 0);

    if (!c || outcome == CS_RUN_CANNOT_START || outcome == CS_RUN_LOST || outcome == CS_RUN_VOID)
        return outcome;
    if ((asked || r->program.status == 0 || c->done_status >= 0) &&
        is_done(x, attempt, c, r->program.status))
        return r->verifies && (r->verify.status || r->verify.fault) ? CS_RUN_CORRUPT : CS_RUN_OK;
    if (attempt->stalled)
        return CS_RUN_FAILED;
    if (attempt->timed_out)
        return CS_RUN_TIMEOUT;
    if (asked)
        return CS_RUN_STOPPED;
    return supplied && r->program.status == 0 ? CS_RUN_STOPPED : outcome;
}

/* The machine was short of something: starts pause for a while, which is reported once. */
static void note_shortage(struct cs_run_executor *x, const struct cs_run_event *event)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (event->outcome != CS_RUN_VOID) {
        x->retry_for = 0;
        return;
    }
    if (x->retry_for == 0) {
        cs_strbuf_printf(&text,
                         "task %s cannot be started for now (%s): tried again after 1, 2, 4 .. 60 "
                         "seconds, and no try is counted",
                         x->setup.task[event->task].name, event->detail ? event->detail : "");
        x->watcher.say(x->watcher.who, text.text);
        cs_strbuf_release(&text);
    }
    cs_run_back_off(x);
}

/* As an event.  An attempt that the journal had lost is found, with all that is known of it.  Its
 * progress belongs to no round: only that its state was saved counts. */
static void add_ended(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                      struct cs_run_event *event, const struct cs_run_finish *finish)
{
    if (attempt->unknown) {
        event->kind = CS_RUN_FOUND;
        event->value = isfinite(attempt->saved_at);
        event->count = attempt->count;
        event->held = attempt->slot;
        event->try = attempt->try;
        event->start = attempt->start;
    }
    cs_run_add_event(x, event, finish);
}

static void observe_end(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    const int events = x->events;

    cs_run_observe(x, attempt);
    if (attempt->unknown)
        x->events = events;
}

void cs_run_add_end(struct cs_run_executor *x, struct cs_run_attempt *attempt,
                    const struct cs_run_record *r)
{
    struct cs_run_finish finish = finish_of(x, attempt, r);
    struct cs_run_event event = {
        .kind = CS_RUN_ENDED,
        .task = attempt->task,
        .slot = -1,
        .attempt = attempt->number,
        .outcome = cs_run_record_outcome(r),
        .status = r->program.status,
        .detail = end_explain(x, attempt, r),
    };
    struct cs_strbuf path = CS_STRBUF_INIT;

    if (attempt->timed_out && event.outcome == CS_RUN_STOPPED)
        event.outcome = CS_RUN_TIMEOUT;
    if (attempt->gone)
        event.outcome = CS_RUN_LOST;
    if (x->engine->examine && event.outcome != CS_RUN_VOID)
        x->engine->examine(x, attempt, &event);
    observe_end(x, attempt);
    event.outcome = end_weigh(x, attempt, r, event.outcome);
    if (attempt->stalled && event.outcome == CS_RUN_FAILED)
        event.detail = "no progress for too long after a restart";
    if (event.outcome == CS_RUN_OK && lacks_product(x, attempt, r->program.began, &path)) {
        event.outcome = CS_RUN_FAILED;
        cs_strbuf_puts(&path, ": not made, or older than the attempt");
        event.detail = cs_arena_strdup(x->arena, path.text);
    }
    note_shortage(x, &event);
    event.time = r->verifies ? finish.verify_ended : finish.ended;
    event.value = r->verifies ? finish.verify_ended - finish.verify_began : 0;
    add_ended(x, attempt, &event, &finish);
    cs_strbuf_release(&path);
}

void cs_run_add_outcome(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                        enum cs_run_outcome outcome, const char *why)
{
    const double now = fmax(cs_run_clock(x), x->run.now);
    const struct cs_run_finish finish = {NAN, now, NAN, NAN, 0, 0, NAN, 0, 0};
    struct cs_run_event event = {
        .kind = CS_RUN_ENDED,
        .task = attempt->task,
        .slot = -1,
        .attempt = attempt->number,
        .outcome = outcome,
        .time = now,
        .detail = why,
    };

    add_ended(x, attempt, &event, &finish);
}

void cs_run_add_lost(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                     const char *why)
{
    const bool stopped = attempt->asked && !attempt->gone;

    cs_run_add_outcome(x, attempt, stopped ? CS_RUN_STOPPED : CS_RUN_LOST, why);
}
