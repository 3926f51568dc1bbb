/* loop.c - wait, collect what has happened, decide, write both down, act. */
#define _GNU_SOURCE
#include "run/executor.h"
#include "run/template.h"

#include "base/guard.h"
#include "base/vector.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ROOM 65536      /* minimum free bytes on the disk for a start */
#define TICK 1.0        /* seconds between two calls of the watcher */
#define OFTEN 0.05      /* the same if callbacks or children must be polled */
#define FULL_AGAIN 10.0 /* seconds until a full disk is tried again */
#define RETRY_FIRST 1.0 /* seconds until a start is tried again, then twice that, ... */
#define RETRY_LONGEST 60.0
#define LOG_PAGES 4000 /* of the log of the journal, until they are moved into the database */
#define AT_ONCE 8      /* starts, where the engine paces them */

double cs_run_wall(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double cs_run_ticks(void)
{
    struct timespec t;

    clock_gettime(CLOCK_BOOTTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double cs_run_clock(const struct cs_run_executor *x)
{
    return cs_run_ticks() + x->shift;
}

/* Later than the last round, by as little as a number can be. */
static double next_moment(const struct cs_run_executor *x)
{
    return fmax(nextafter(x->run.now, INFINITY), cs_run_clock(x));
}

void cs_run_add_event(struct cs_run_executor *x, const struct cs_run_event *event,
                      const struct cs_run_finish *finish)
{
    if (x->events == x->room) {
        x->room = x->room ? 2 * x->room : 16;
        x->event = cs_block_resize(x->event, (size_t)x->room * sizeof *x->event);
        x->finish = cs_block_resize(x->finish, (size_t)x->room * sizeof *x->finish);
    }
    x->event[x->events] = *event;
    x->finish[x->events++] = finish ? *finish : (struct cs_run_finish){0};
}

void cs_run_add_request(struct cs_run_executor *x, int value, const char *who)
{
    const struct cs_run_event event = {
        .kind = CS_RUN_REQUEST,
        .task = -1,
        .slot = -1,
        .time = fmax(x->run.now, cs_run_clock(x)),
        .value = value,
        .detail = who,
    };

    cs_run_add_event(x, &event, NULL);
}

void cs_run_signal_keeper(const struct cs_run_attempt *attempt, int number)
{
    if (attempt->pidfd >= 0)
        syscall(SYS_pidfd_send_signal, attempt->pidfd, number, NULL, 0);
    else if (cs_run_keeper_is_there(attempt))
        kill(attempt->pid, number);
    cs_run_wake_keeper(attempt);
}

static bool has_room(const struct cs_run_executor *x)
{
    struct statvfs disk;

    return statvfs(x->folder, &disk) || (double)disk.f_bavail * (double)disk.f_frsize >= ROOM;
}

static bool is_paused(const struct cs_run_executor *x)
{
    return isfinite(x->retry_at) && cs_run_clock(x) < x->retry_at;
}

/* Several that ended of the same want make one pause. */
void cs_run_back_off(struct cs_run_executor *x)
{
    if (is_paused(x))
        return;
    x->retry_for = fmin(fmax(2 * x->retry_for, RETRY_FIRST), RETRY_LONGEST);
    x->retry_at = cs_run_clock(x) + x->retry_for;
}

/* Pause starts. */
void cs_run_pause_starts(struct cs_run_executor *x)
{
    cs_run_back_off(x);
    if (!x->reported)
        x->watcher.say(x->watcher.who,
                       has_room(x) ? "no record can be written in the directory of the run: no "
                                     "attempt is started until that works"
                                   : "the disk is full: no attempt is started until there is "
                                     "space");
    x->reported = true;
}

static void hear_signal(struct cs_run_executor *x, int number)
{
    x->wakes += number == SIGCONT;
    if (number != SIGINT && number != SIGTERM)
        return;
    if (x->run.stopping || x->signal) {
        cs_run_add_request(x, 2, strsignal(number));
    } else {
        cs_run_add_request(x, 1, strsignal(number));
        if (number == SIGTERM)
            x->kill_at = cs_run_clock(x) + x->terms.margin;
    }
    x->signal = number;
}

/* The watch requests a stop. */
static bool hear_watcher(struct cs_run_executor *x)
{
    const int wanted = x->watcher.stop ? x->watcher.stop(x->watcher.who) : 0;

    if (wanted <= x->run.stopping || wanted > 2)
        return false;
    cs_run_add_request(x, wanted, "who watches it");
    return true;
}

static bool read_signals(struct cs_run_executor *x)
{
    struct signalfd_siginfo info;
    bool some = false;

    while (read(x->signals, &info, sizeof info) == sizeof info) {
        hear_signal(x, (int)info.ssi_signo);
        some = some || info.ssi_signo == SIGINT || info.ssi_signo == SIGTERM;
    }
    return some;
}

static void add_due(struct cs_run_executor *x)
{
    while (x->due.count > 0 && cs_heap_top_key(&x->due) <= cs_run_clock(x)) {
        const struct cs_run_event event = {
            .kind = CS_RUN_DUE,
            .task = cs_heap_pop(&x->due),
            .slot = -1,
            .time = fmax(x->run.now, cs_run_clock(x)),
        };

        cs_run_add_event(x, &event, NULL);
    }
}

/* The next call of the decider. */
static double wake_of(const struct cs_run_executor *x)
{
    return x->run.decider->wake && !x->run.stopping ? x->run.decider->wake(x->run.state) : INFINITY;
}

static void add_wake(struct cs_run_executor *x)
{
    const double now = fmax(x->run.now, cs_run_clock(x));
    const struct cs_run_event event = {.kind = CS_RUN_DUE, .task = -1, .slot = -1, .time = now};

    if (wake_of(x) <= now)
        cs_run_add_event(x, &event, NULL);
}

static double loop_patience(const struct cs_run_executor *x)
{
    const double tick = x->terms.signals && !x->watcher.stop ? TICK : OFTEN;
    double now = cs_run_clock(x), until = now + tick;

    until = x->due.count > 0 ? fmin(until, cs_heap_top_key(&x->due)) : until;
    until = fmin(until, x->retry_at);
    until = fmin(until, wake_of(x));
    if (x->saves)
        until = fmin(until, x->inspect);
    return fmin(fmax(until - now, 0), tick);
}

/* Wait for something, then take everything that is there. */
static void wait_for_events(struct cs_run_executor *x)
{
    struct pollfd at[] = {{.fd = x->signals, .events = POLLIN},
                          {.fd = x->control, .events = POLLIN},
                          {.fd = x->pidfds, .events = POLLIN}};

    if (x->events == 0)
        poll(at, sizeof at / sizeof *at, (int)ceil(loop_patience(x) * 1000));
    if (at[2].revents)
        cs_run_collect_adopted(x);
    read_signals(x);
    hear_watcher(x);
    if (at[1].revents)
        cs_run_hear_control(x);
    cs_run_reap(x);
    add_due(x);
    if (x->saves)
        cs_run_observe_all(x);
    add_wake(x);
    cs_run_watch_asked(x);
    cs_run_watch_allocation(x);
}

static int rank_of(const struct cs_run_event *e)
{
    return e->kind == CS_RUN_SLOT_UP || e->kind == CS_RUN_SLOT_DOWN ? 0
           : e->kind < CS_RUN_ENDED                                 ? 1
           : e->outcome                                             ? 2
           : e->kind == CS_RUN_DUE                                  ? 3
                                                                    : 4;
}

/* Slots, what was observed by time, ends by time and attempt, dues by task, requests. */
static bool comes_before(const struct cs_run_event *a, const struct cs_run_event *b)
{
    if (rank_of(a) != rank_of(b))
        return rank_of(a) < rank_of(b);
    if (a->kind >= CS_RUN_BEGAN && a->kind <= CS_RUN_ENDED && a->time != b->time)
        return a->time < b->time;
    if (a->kind == CS_RUN_ENDED)
        return a->attempt < b->attempt;
    return a->kind == CS_RUN_DUE && a->task < b->task;
}

static bool has_found(const struct cs_run_executor *x)
{
    for (int e = 0; e < x->events; e++)
        if (x->event[e].kind == CS_RUN_FOUND)
            return true;
    return false;
}

/* Where attempts were found, all in the order of their numbers: of a task each one ended before the
 * next began. */
static bool is_earlier(const struct cs_run_event *a, const struct cs_run_event *b, bool found)
{
    return found && a->outcome && b->outcome ? a->attempt < b->attempt : comes_before(a, b);
}

static void sort_events(struct cs_run_executor *x)
{
    const bool found = has_found(x);

    for (int e = 1; e < x->events; e++)
        for (int k = e; k > 0 && is_earlier(&x->event[k], &x->event[k - 1], found); k--) {
            struct cs_run_event event = x->event[k];
            struct cs_run_finish finish = x->finish[k];

            x->event[k] = x->event[k - 1];
            x->finish[k] = x->finish[k - 1];
            x->event[k - 1] = event;
            x->finish[k - 1] = finish;
        }
}

/* Wait for the time, or until a stop is requested. */
static bool loop_rest(struct cs_run_executor *x, double seconds)
{
    struct pollfd at = {.fd = x->signals, .events = POLLIN};
    const double end = cs_run_clock(x) + seconds;

    while (cs_run_clock(x) < end) {
        const double step = x->watcher.stop ? fmin(OFTEN, seconds) : seconds;

        if ((poll(&at, 1, (int)ceil(step * 1000)) > 0 && read_signals(x)) || hear_watcher(x))
            return true;
        if (!x->watcher.stop)
            break;
    }
    return false;
}

/* A full disk may have space again: no attempt starts until then. */
static int journal_round(struct cs_run_executor *x, bool asked, struct cs_error *err)
{
    for (;;) {
        struct cs_error reported = {0};
        if (!cs_run_journal_put_round(x->journal, &x->run, asked, x->event, x->finish, x->events,
                                      &reported)) {
            x->reported = false;
            return 0;
        }
        if (x->journal->failure == SQLITE_CORRUPT || x->journal->failure == SQLITE_NOTADB ||
            x->journal->failure == SQLITE_CONSTRAINT)
            return cs_error_pass(err, &reported);
        if (!x->reported)
            x->watcher.say(x->watcher.who, reported.text);
        x->reported = true;
        if (loop_rest(x, FULL_AGAIN))
            return 1;
    }
}

static void note_record(struct cs_run_executor *x, int64_t attempt)
{
    CS_BLOCK_ROOM(x->record, x->records, x->record_room, 64);
    x->record[x->records++] = attempt;
}

/* Emptied, not removed: file systems take long to make files where many have just been removed.
 * The end of the work removes them (sweep.c).  As long as the ends are in the log of the journal
 * only, records are kept: a log that is damaged loses them. */
static void empty_records(struct cs_run_executor *x)
{
    struct cs_strbuf path = CS_STRBUF_INIT;

    for (int e = 0; e < x->events; e++)
        if (x->event[e].outcome && x->event[e].outcome != CS_RUN_VOID)
            note_record(x, x->event[e].attempt);
    if (x->journal->pages >= LOG_PAGES)
        cs_run_journal_settle(x->journal, false);
    for (; x->journal->settled && x->records > 0; x->records--) {
        cs_strbuf_clear(&path);
        cs_run_attempt_path(x->folder, x->record[x->records - 1], "rec", &path);
        if (truncate(path.text, 0) && errno == ENOSPC)
            unlink(path.text);
    }
    cs_strbuf_release(&path);
}

/* In which round each start was decided, for its record. */
static void note_rounds(struct cs_run_executor *x)
{
    struct cs_run_attempt *attempt;

    for (int a = 0; a < x->run.actions; a++)
        if (x->run.action[a].kind == CS_RUN_START &&
            (attempt = cs_run_attempt_find(&x->run, x->run.action[a].attempt)))
            attempt->round = x->journal->round;
}

void cs_run_note_due(struct cs_run_executor *x, const struct cs_run_event *event)
{
    const bool over = event->kind == CS_RUN_FOUND || event->kind == CS_RUN_DUE;

    if (over && event->task >= 0 && cs_heap_contains(&x->due, event->task))
        cs_heap_remove(&x->due, event->task);
    if (event->finding == CS_RUN_LATER)
        cs_heap_push(&x->due, event->task,
                     event->time + x->setup.task[event->task].settings->delay);
}

static void note_dues(struct cs_run_executor *x)
{
    for (int e = 0; e < x->events; e++)
        cs_run_note_due(x, &x->event[e]);
}

static bool has_loss(const struct cs_run_executor *x)
{
    for (int e = 0; e < x->events; e++)
        if (x->event[e].outcome == CS_RUN_LOST)
            return true;
    return false;
}

/* The round: journaled, then carried out.  -1 with err when the journal cannot be written for good,
 * 1 when a signal came while it waited for room on the disk. */
static int carry_out_round(struct cs_run_executor *x, struct cs_error *err)
{
    bool asked;
    int status;

    if (has_loss(x)) {
        x->slots_at = 0;
        cs_run_watch_allocation(x);
    }
    sort_events(x);
    asked = cs_run_round(&x->run, next_moment(x), x->event, x->events);
    status = journal_round(x, asked, err);
    if (status)
        return status;
    empty_records(x);
    note_rounds(x);
    note_dues(x);
    for (int e = 0; e < x->events; e++)
        if (x->event[e].outcome)
            x->watcher.end(x->watcher.who, x, &x->event[e], &x->finish[e]);
    x->events = 0;
    return 0;
}

/* Ask what runs to end: the keeper counts the grace. */
static void stop_all(struct cs_run_executor *x)
{
    for (int a = 0; a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];

        if (attempt->sent >= 2)
            continue;
        cs_run_ask(x, attempt, SIGTERM);
    }
}

static bool has_end(const struct cs_run_executor *x, int64_t attempt)
{
    for (int e = 0; e < x->events; e++)
        if (x->event[e].attempt == attempt)
            return true;
    return false;
}

/* Limit the rate and the burst of starts: other users share the controller. */
static bool has_paced(struct cs_run_executor *x)
{
    const double now = cs_run_clock(x), rate = x->setup.wanted.rate;

    x->paced = fmax(x->paced, now - AT_ONCE / rate) + 1 / rate;
    if (x->paced <= now)
        return false;
    x->retry_at = x->paced;
    return true;
}

/* May others be started after it? */
static bool start_one(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    struct cs_error reported = {0};
    const int status = cs_run_spawn(x, attempt, &reported);

    if (status < 0)
        cs_run_add_outcome(x, attempt, CS_RUN_CANNOT_START,
                           cs_arena_strdup(x->arena, reported.text));
    if (status > 0) {
        cs_run_back_off(x);
        return false;
    }
    x->retry_at = INFINITY;
    x->reported = false;
    return !x->engine->paces || !has_paced(x);
}

/* Attempts that were decided and have no keeper yet; without any, no start is retried. */
static void start_all(struct cs_run_executor *x)
{
    bool more = true, waits = false;

    if (!x->run.stopping && !is_paused(x) && !has_room(x))
        cs_run_pause_starts(x);
    for (int a = 0; more && a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];

        if (attempt->pid || has_end(x, attempt->number))
            continue;
        if (x->run.stopping || attempt->asked)
            cs_run_add_outcome(x, attempt, CS_RUN_VOID, NULL);
        else if (!is_paused(x))
            more = start_one(x, attempt);
        waits = true;
    }
    if (!waits)
        x->retry_at = INFINITY;
}

/* Signal attempts with saved state to save and end; attempts without a keeper are not started. */
static void ask_all_to_stop(struct cs_run_executor *x)
{
    for (int a = 0; a < x->run.count; a++)
        if (x->setup.task[x->run.running[a]->task].settings->checkpoint)
            cs_run_ask_to_stop_saved(x, x->run.running[a]);
}

/* Execute the decisions of the last round other than starts. */
static void ask_who_is_reported(struct cs_run_executor *x)
{
    for (int a = 0; a < x->run.actions; a++) {
        const struct cs_run_action *action = &x->run.action[a];
        struct cs_run_attempt *attempt = cs_run_attempt_find(&x->run, action->attempt);

        if (attempt && action->kind == CS_RUN_SAVE)
            cs_run_ask_to_save(x, attempt);
        else if (attempt && action->kind == CS_RUN_STOP)
            cs_run_ask_to_stop_saved(x, attempt);
    }
    x->run.actions = 0;
}

static void loop_act(struct cs_run_executor *x)
{
    ask_who_is_reported(x);
    if (x->run.stopping)
        ask_all_to_stop(x);
    if (x->run.stopping == 1 && cs_run_clock(x) >= x->kill_at) {
        x->kill_at = INFINITY;
        cs_run_add_request(x, 2, "the margin is over");
    }
    if (x->run.stopping > 1 || (cs_run_is_halted(&x->run) && x->setup.halt_now))
        stop_all(x);
    start_all(x);
}

static bool is_finished(const struct cs_run_executor *x)
{
    return x->run.count == 0 && x->events == 0 &&
           (x->run.stopping || cs_run_is_halted(&x->run) || cs_run_is_over(&x->run));
}

static enum cs_run_ending ending_of(const struct cs_run_executor *x)
{
    if (!cs_run_is_over(&x->run) && x->run.stopping)
        return x->signal ? CS_RUN_SIGNALLED : CS_RUN_ASKED_TO_STOP;
    return x->run.in_state[CS_RUN_DONE] == x->setup.tasks ? CS_RUN_ALL_DONE : CS_RUN_SOME_FAILED;
}

/* Would any of those that wait not be over before the allocation? */
static bool is_late(const struct cs_run_executor *x)
{
    const double now = cs_run_clock(x);

    for (int t = 0; t < x->setup.tasks; t++)
        if (x->run.usage[t].state == CS_RUN_WAITING &&
            !cs_run_setup_ends_by(&x->setup, t, now, x->run.limit))
            return true;
    return false;
}

/* The remaining tasks would not end before the allocation, or are too wide for the remaining slots.
 */
static void give_in(struct cs_run_executor *x)
{
    const bool late = is_late(x);

    x->watcher.say(x->watcher.who, late ? "what is left would not end before the allocation does"
                                        : "the remaining tasks need slots that are lost: resume "
                                          "with more slots");
    cs_run_add_request(x, 1, late ? "the end of the allocation" : "slots are lost");
}

/* The journal has all of their contents. */
static void sweep_records(struct cs_run_executor *x)
{
    struct cs_run_numbers unknown = {0};

    cs_run_journal_settle(x->journal, true);
    empty_records(x);
    cs_run_sweep(x, &unknown);
    cs_block_free(unknown.number);
}

int cs_run_executor_work(struct cs_run_executor *x, enum cs_run_ending *ending,
                         struct cs_error *err)
{
    int status;

    if (x->engine->warn)
        x->engine->warn(x);
    cs_run_warn(x);
    cs_run_watch_allocation(x);
    status = carry_out_round(x, err);
    while (!status) {
        loop_act(x);
        x->watcher.tick(x->watcher.who, x);
        if (is_finished(x))
            break;
        if (x->run.count == 0 && x->due.count == 0 && x->events == 0)
            give_in(x);
        wait_for_events(x);
        if (x->reported && access(x->journal->path, F_OK) && errno == ENOENT)
            return cs_error_set(err, "%s: the directory of the run or its journal is missing",
                                x->folder);
        if (x->events)
            status = carry_out_round(x, err);
    }
    *ending = status <= 0 ? ending_of(x) : x->signal ? CS_RUN_SIGNALLED : CS_RUN_ASKED_TO_STOP;
    if (status == 0) {
        cs_run_journal_end_executor(x->journal, cs_run_wall(), NULL);
        sweep_records(x);
    }
    return status < 0 ? -1 : 0;
}
