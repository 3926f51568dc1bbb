/* adopt.c - resume: the outcome of the attempts that are running in the journal.
 *
 * An attempt without a record never began: this process makes the record, so a late keeper finds it
 * and exits. If the attempt began all the same, its record was removed: then it is lost. One whose
 * record is closed has ended. One whose keeper lives is adopted. Everything else is lost, and
 * processes with its mark are killed. Marks contain the directory too: a copy of a run does not
 * affect the processes of the original.
 */
#define _GNU_SOURCE
#include "base/plain.h"
#include "model/procset.h"
#include "run/executor.h"
#include "run/program.h"
#include "run/template.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATIENCE 10 /* seconds that a keeper may take for its first line */

/* When the process of this number started, and its state; 0 if it does not exist. */
static unsigned long long adopt_started(int pid, char *state)
{
    unsigned long long start = 0;
    char path[64], text[1024] = "";
    const char *at;
    FILE *file;
    size_t size;

    cs_plain_print(path, sizeof path, "/proc/%d/stat", pid);
    file = fopen(path, "re");
    if (!file)
        return 0;
    size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    at = strrchr(text, ')');
    if (!at || sscanf(at + 1,
                      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                      "%*d %llu",
                      state, &start) != 2)
        return 0;
    return start;
}

bool cs_run_keeper_is_there(const struct cs_run_attempt *attempt)
{
    char state;

    return attempt->pid > 0 &&
           (!attempt->adopted || adopt_started(attempt->pid, &state) == attempt->adopted);
}

void cs_run_wake_keeper(const struct cs_run_attempt *attempt)
{
    char state = '?';
    const unsigned long long start = attempt->pid > 0 ? adopt_started(attempt->pid, &state) : 0;

    if (!start || state != 'T' || (attempt->adopted && start != attempt->adopted))
        return;
    if (attempt->pidfd >= 0)
        syscall(SYS_pidfd_send_signal, attempt->pidfd, SIGCONT, NULL, 0);
    else
        kill(attempt->pid, SIGCONT);
}

/* Is the keeper still the process that made the claim, for this run and not for one of which this
 * is a copy?  errno is 0 when it is another one. */
static bool is_there(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                     const struct cs_run_record *r)
{
    char state;

    errno = 0;
    if (r->pid <= 1 || adopt_started(r->pid, &state) != r->start)
        return false;
    errno = 0;
    return cs_run_mark_has(x, attempt->number, r->pid);
}

/* With the others, so that waiting takes no longer for thousands of them. */
static bool adopt_watch(struct cs_run_executor *x, const struct cs_run_attempt *attempt)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)attempt->number};

    if (x->pidfds < 0)
        x->pidfds = epoll_create1(EPOLL_CLOEXEC);
    return x->pidfds >= 0 && !epoll_ctl(x->pidfds, EPOLL_CTL_ADD, attempt->pidfd, &event);
}

/* 1 if its keeper exists and is monitored from now on: by a pidfd, whose number is not reused, or,
 * before Linux 5.3, by polling. 0 if it does not exist. -1 if this is unknown, because too many
 * files are open. */
static int run_adopt(struct cs_run_executor *x, struct cs_run_attempt *attempt,
                     const struct cs_run_record *r, struct cs_error *err)
{
    const int there = is_there(x, attempt, r) ? (int)syscall(SYS_pidfd_open, r->pid, 0) : -1;
    int why = errno;

    cs_run_attempt_hold(attempt, there);
    if (attempt->pidfd >= 0 && (!is_there(x, attempt, r) || !adopt_watch(x, attempt))) {
        why = errno;
        cs_run_attempt_let_go(attempt);
    }
    if (attempt->pidfd >= 0 || why == ENOSYS) {
        attempt->pid = r->pid;
        attempt->adopted = r->start;
        return 1;
    }
    return !why || why == ENOENT || why == ESRCH
               ? 0
               : cs_error_set_as(err, CS_ERROR_SYSTEM,
                                 "process %d, which watches it, cannot be waited for: %s", r->pid,
                                 strerror(why));
}

/* The folder of a record is made by the first start in it, which may never have happened. */
static void make_folder_of(const char *path)
{
    char folder[4200];

    cs_plain_print(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    mkdir(folder, 0700);
}

/* The record of an attempt that never began: 1 when it is ours, 0 when a keeper was first. */
static int make_void(const char *path, struct cs_error *err)
{
    int fd;

    make_folder_of(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return 0;
    if (fd < 0 || write(fd, "void\n", 5) != 5) {
        cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    close(fd);
    return 1;
}

/* Attempts whose processes may still run without a keeper, in increasing order. */
struct unwatched {
    int64_t *attempt;
    bool *began; /* by its record; false if this process created the record first */
    bool *ran;
    int count;
};

static void put_unwatched(struct unwatched *unwatched, const struct cs_run_attempt *attempt,
                          bool began)
{
    unwatched->attempt[unwatched->count] = attempt->number;
    unwatched->began[unwatched->count++] = began;
}

/* An empty record: its keeper is about to write, or was killed before it could; or it was emptied,
 * long ago, in a round that a power cut has taken. */
static void wait_for_claim(const char *path, struct cs_run_record *r)
{
    struct stat file;

    for (int round = 0; round < 200 && !r->claimed && !r->voided; round++) {
        if (!stat(path, &file) && cs_run_wall() - (double)file.st_mtim.tv_sec > PATIENCE)
            return;
        usleep(10000);
        cs_run_record_load(path, r, NULL);
    }
}

static int classify_open(struct cs_run_executor *x, struct cs_run_attempt *attempt,
                         const char *path, struct cs_run_record *r, struct unwatched *unwatched,
                         struct cs_error *err)
{
    if (r->claimed && strcmp(r->host, x->host) != 0 && !x->terms.declare_lost &&
        !(x->engine->is_gone && x->engine->is_gone(x, attempt)))
        return cs_error_set(err,
                            "attempt %lld of %s runs, or ran, on %s, and %s cannot check it: "
                            "resume there, or give --assume-lost if it has ended",
                            (long long)attempt->number, x->setup.task[attempt->task].name, r->host,
                            x->host);
    if (r->claimed && !strcmp(r->host, x->host) && !strcmp(r->boot, x->boot)) {
        const int adopted = run_adopt(x, attempt, r, err);

        if (adopted < 0)
            return cs_error_prefix(err, "attempt %lld of %s", (long long)attempt->number,
                                   x->setup.task[attempt->task].name);
        if (adopted) {
            if (cs_run_is_step(x, attempt->task) && cs_run_timeout(&x->setup, attempt->task) > 0)
                attempt->timeout_at =
                    r->claimed_at - x->began + cs_run_timeout(&x->setup, attempt->task);
            return 0;
        }
        cs_run_record_load(path, r, NULL);
    }
    if (r->closed)
        cs_run_add_end(x, attempt, r);
    else
        put_unwatched(unwatched, attempt, true);
    return 0;
}

/* Of another boot, or another host: a power cut may have taken the rounds. */
static bool is_older(const struct cs_run_executor *x, const struct cs_run_record *r)
{
    if (x->terms.durable)
        return false;
    return r->claimed ? strcmp(r->host, x->host) != 0 || strcmp(r->boot, x->boot) != 0
                      : strcmp(x->boot_before, x->boot) != 0;
}

/* cosched 0.2 emptied a record when the end of its attempt was journaled. */
static int reject_emptied(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                          struct cs_error *err)
{
    return cs_error_set(err,
                        "%s/journal.db: attempt %lld of %s has an empty record: it may have ended, "
                        "and the journal has lost that (is journal.db-wal damaged?); its output is "
                        "in RUN/a; --assume-lost runs the task again",
                        x->folder, (long long)attempt->number, x->setup.task[attempt->task].name);
}

static int adopt_classify(struct cs_run_executor *x, struct cs_run_attempt *attempt,
                          const char *path, struct unwatched *unwatched, struct cs_error *err)
{
    struct cs_run_record r;
    int made, there = cs_run_record_load(path, &r, err);

    if (there == 0) {
        made = make_void(path, err);
        if (made < 0)
            return -1;
        if (made > 0) {
            put_unwatched(unwatched, attempt, false);
            return 0;
        }
        there = cs_run_record_load(path, &r, err);
    }
    if (there < 0)
        return -1;
    if (!r.claimed && !r.voided)
        wait_for_claim(path, &r);
    if (r.empty && x->empties && !is_older(x, &r) && !x->terms.declare_lost)
        return reject_emptied(x, attempt, err);
    if (r.voided)
        cs_run_add_outcome(x, attempt, CS_RUN_VOID, NULL);
    else if (r.closed)
        cs_run_add_end(x, attempt, &r);
    else
        return classify_open(x, attempt, path, &r, unwatched, err);
    return 0;
}

/* One look at all processes for all of them. */
static void classify_unwatched(struct cs_run_executor *x, struct unwatched *unwatched)
{
    if (unwatched->count > 0)
        cs_run_mark_kill_all(x, unwatched->attempt, unwatched->count, unwatched->ran);
    for (int a = 0; a < unwatched->count; a++) {
        const struct cs_run_attempt *attempt = cs_run_attempt_find(&x->run, unwatched->attempt[a]);

        if (unwatched->began[a] && x->engine->cancel)
            x->engine->cancel(x, attempt->number);
        if (unwatched->began[a])
            cs_run_add_lost(x, attempt, "its keeper has ended");
        else if (unwatched->ran[a])
            cs_run_add_lost(x, attempt, "it ran, and its record is missing");
        else
            cs_run_add_outcome(x, attempt, CS_RUN_VOID, NULL);
    }
}

int cs_run_find_attempts(struct cs_run_executor *x, struct cs_error *err)
{
    const struct cs_arena_mark mark = cs_arena_mark(x->scratch);
    struct unwatched unwatched = {
        .attempt = CS_NEW_ARRAY(x->scratch, int64_t, x->run.count),
        .began = CS_NEW_ARRAY(x->scratch, bool, x->run.count),
        .ran = CS_NEW_ARRAY(x->scratch, bool, x->run.count),
    };
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    for (int a = 0; !status && a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];

        cs_strbuf_clear(&path);
        cs_run_attempt_path(x->folder, attempt->number, "rec", &path);
        status = adopt_classify(x, attempt, path.text, &unwatched, err);
        if (!status && attempt->adopted && x->terms.kills)
            cs_run_ask(x, attempt, SIGTERM);
    }
    classify_unwatched(x, &unwatched);
    cs_arena_rewind(x->scratch, mark);
    cs_strbuf_release(&path);
    return status;
}

/* ---- attempts that the journal has lost ---- */

/* Their records, from the lowest number; each is taken in, or set aside. */
struct lost {
    struct cs_run_executor *x;
    int count;
    struct cs_run_record *record;
    struct cs_run_attempt *attempt;
    bool *background, *dead; /* dead: not over by its record, and none watches it */
    int64_t *kill;
    int kills;
};

/* The slots of a claim, as far as there are such; the lowest where it names none. */
static void list_held(const struct cs_run_executor *x, const struct cs_run_record *r,
                      struct cs_run_attempt *attempt)
{
    const int slots = x->run.slots.count < x->slots ? x->run.slots.count : x->slots;
    const struct cs_interval *set;
    int intervals = cs_procset_parse(r->slots, x->arena, &set, NULL);

    attempt->slot = CS_NEW_ARRAY(x->arena, int, slots);
    for (int k = 0; k < intervals; k++)
        for (int s = set[k].first; s <= set[k].last && s < slots; s++)
            attempt->slot[attempt->count++] = s;
    for (int s = 0; attempt->count == 0 && s < slots && s < x->setup.task[r->task].procs; s++)
        attempt->slot[attempt->count++] = s;
}

static void make_known(const struct cs_run_executor *x, int64_t number,
                       const struct cs_run_record *r, struct cs_run_attempt *attempt)
{
    const struct cs_run_usage *usage = &x->run.usage[r->task];

    *attempt = (struct cs_run_attempt)
    {
        .number = number, .task = r->task, .try = r->try > usage->tries ? r->
        try : usage
            ->tries + 1, .unknown = true, .start = fmax(r->claimed_at - x->began, 0),
                         .expected = x->setup.task[r->task].expected, .restarts = usage->saved,
                         .pidfd = -1, .kill_at = INFINITY, .timeout_at = INFINITY, .began = NAN,
                         .progress = NAN, .progress_at = NAN, .saved_at = NAN,
    };
    list_held(x, r, attempt);
}

/* Its task, in words. */
static const char *task_name(const struct cs_run_executor *x, const struct cs_run_record *r)
{
    return r->task >= 0 ? x->setup.task[r->task].name : "a task that its record does not name";
}

/* Has the attempt that the journal knows of the same task ended? */
static bool is_after_end(const struct cs_run_executor *x, const struct cs_run_record *r)
{
    const struct cs_run_attempt *known = cs_run_attempt_of(&x->run, r->task);
    bool ended = !known;

    for (int e = 0; !ended && e < x->events; e++)
        ended = x->event[e].attempt == known->number && x->event[e].outcome;
    return ended;
}

static int reject_lost(const struct cs_run_executor *x, int64_t number, const char *what,
                       struct cs_error *err)
{
    return cs_error_set(
        err,
        "%s/journal.db: the journal has lost attempt %lld, %s; no task was started, "
        "and all outputs are where they were",
        x->folder, (long long)number, what);
}

static int reject_running(const struct cs_run_executor *x, int64_t number,
                          const struct cs_run_record *r, struct cs_error *err)
{
    struct cs_strbuf what = CS_STRBUF_INIT;

    cs_strbuf_printf(&what,
                     "of %s, which still runs (process %d): resume when it has ended, or with "
                     "--resume-with kill",
                     task_name(x, r), r->pid);
    reject_lost(x, number, what.text, err);
    cs_strbuf_release(&what);
    return -1;
}

/* One that is not over: does it run, here or elsewhere? */
static int classify_unfinished(struct lost *lost, int k, int64_t number, struct cs_error *err)
{
    struct cs_run_executor *x = lost->x;
    const struct cs_run_record *r = &lost->record[k];
    const struct cs_run_attempt attempt = {.number = number};
    const bool here = !strcmp(r->host, x->host);

    if (r->claimed && !here && !x->terms.declare_lost &&
        !(x->engine->is_gone && x->engine->is_gone(x, &attempt)))
        return cs_error_set(err,
                            "attempt %lld of %s runs, or ran, on %s, of which %s knows nothing: "
                            "resume there, or add --assume-lost when it has ended for certain",
                            (long long)number, task_name(x, r), r->host, x->host);
    if (r->claimed && here && !x->terms.kills && is_there(x, &attempt, r))
        return reject_running(x, number, r, err);
    lost->kill[lost->kills++] = number;
    lost->dead[k] = true;
    return 0;
}

static int classify_lost(struct lost *lost, int k, int64_t number, struct cs_error *err)
{
    const struct cs_run_executor *x = lost->x;
    struct cs_run_record *r = &lost->record[k];
    const bool older = is_older(x, r);

    if (!r->closed && (r->claimed || !r->empty) && classify_unfinished(lost, k, number, err))
        return -1;
    if (r->task < 0 || r->task >= x->setup.tasks || r->try < 1)
        r->task = -1;
    lost->background[k] = older && !(r->closed && cs_run_record_outcome(r) == CS_RUN_OK);
    lost->background[k] = lost->background[k] || (r->task < 0 && (older || lost->dead[k])) ||
                          (r->empty && !x->empties);
    if (lost->background[k])
        return 0;
    if (r->task < 0)
        return reject_lost(x, number,
                           "which has ended, and its record does not name its task, which must not "
                           "run again: begin a new run in another directory, of the tasks whose "
                           "outputs are missing",
                           err);
    if (!is_after_end(x, r))
        return reject_lost(x, number, "of a task of which another attempt still runs", err);
    make_known(x, number, r, &lost->attempt[k]);
    return 0;
}

static int set_background(struct cs_run_executor *x, int64_t number, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    char to[4200];
    int status = 0;

    cs_run_attempt_path(x->folder, number, "rec", &path);
    cs_plain_print(to, sizeof to, "%s/orphans", x->folder);
    if (mkdir(to, 0700) && errno != EEXIST)
        status =
            cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", to, strerror(errno));
    cs_plain_print(to, sizeof to, "%s/orphans/%06lld.rec", x->folder, (long long)number);
    if (!status && rename(path.text, to))
        status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be moved to %s: %s", path.text,
                                 to, strerror(errno));
    cs_strbuf_release(&path);
    return status;
}

static void report_lost(const struct cs_run_executor *x, int found, int background)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (found)
        cs_strbuf_printf(&text,
                         "the journal had lost %d attempt%s (is journal.db-wal damaged?): what "
                         "became of %s is taken from %s",
                         found, found == 1 ? "" : "s", found == 1 ? "it" : "them",
                         found == 1 ? "its record" : "their records");
    if (found)
        x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_clear(&text);
    if (background)
        cs_strbuf_printf(&text,
                         "the journal lost %d attempt%s in a power cut that did not end well: "
                         "%s in RUN/orphans, outputs stay in RUN/a, and the task%s again",
                         background, background == 1 ? "" : "s",
                         background == 1 ? "its record is" : "their records are",
                         background == 1 ? " runs" : "s run");
    if (background)
        x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_release(&text);
}

/* All of them are judged before anything is done. */
static int take_lost(struct lost *lost, const struct cs_run_numbers *unknown, struct cs_error *err)
{
    struct cs_run_executor *x = lost->x;
    int background = 0;

    if (lost->kills > 0)
        cs_run_mark_kill_all(x, lost->kill, lost->kills, NULL);
    for (int k = 0; k < lost->count; k++) {
        if (lost->dead[k] && x->engine->cancel)
            x->engine->cancel(x, unknown->number[k]);
        if (lost->background[k]) {
            background++;
            if (set_background(x, unknown->number[k], err))
                return -1;
        } else if (lost->dead[k]) {
            cs_run_add_lost(x, &lost->attempt[k], "its keeper has ended");
        } else {
            cs_run_add_end(x, &lost->attempt[k], &lost->record[k]);
        }
    }
    report_lost(x, lost->count - background, background);
    return 0;
}

int cs_run_find_lost(struct cs_run_executor *x, const struct cs_run_numbers *unknown,
                     struct cs_error *err)
{
    struct lost lost = {
        .x = x,
        .count = unknown->count,
        .record = CS_NEW_ARRAY(x->arena, struct cs_run_record, unknown->count),
        .attempt = CS_NEW_ARRAY(x->arena, struct cs_run_attempt, unknown->count),
        .background = CS_NEW_ARRAY(x->arena, bool, unknown->count),
        .dead = CS_NEW_ARRAY(x->arena, bool, unknown->count),
        .kill = CS_NEW_ARRAY(x->arena, int64_t, unknown->count),
    };
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    for (int k = 0; !status && k < lost.count; k++) {
        cs_strbuf_clear(&path);
        cs_run_attempt_path(x->folder, unknown->number[k], "rec", &path);
        if (cs_run_record_load(path.text, &lost.record[k], err) < 0)
            status = -1;
        else if (!lost.record[k].claimed && !is_older(x, &lost.record[k]))
            wait_for_claim(path.text, &lost.record[k]);
        if (!status)
            status = classify_lost(&lost, k, unknown->number[k], err);
    }
    cs_strbuf_release(&path);
    return status ? -1 : take_lost(&lost, unknown, err);
}
