/* end.c - how an attempt ended, from its record, as an event. */
#include "run/executor.h"
#include "run/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

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
