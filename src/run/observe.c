/* observe.c - observed state of an attempt that saves its state: it runs, its progress, its saves.
 *
 * Times are those of the files. A file counts only if it was written after the start of the
 * attempt: an older one belongs to an earlier attempt.
 */
#include "base/plain.h"
#include "run/executor.h"
#include "run/program.h"
#include "run/template.h"

#include <fcntl.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COARSE 0.02 /* seconds by which times of files may lag behind the clock */
#define TAIL 4096   /* bytes of a log that are looked at */
#define SMALL 64    /* bytes of a file that is only progress */

static const struct cs_run_checkpoint *checkpoint_of(const struct cs_run_executor *x,
                                                     const struct cs_run_attempt *attempt)
{
    return x->setup.task[attempt->task].settings->checkpoint;
}

/* Run time of a moment of a file: not before the attempt, not later than now. */
static double observe_place(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                            double wall)
{
    return fmin(fmax(wall - x->began, attempt->began), fmax(cs_run_clock(x), x->run.now));
}

static void observe_add(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                        enum cs_run_event_kind kind, double time, double value)
{
    const struct cs_run_event event = {
        .kind = kind,
        .task = attempt->task,
        .slot = -1,
        .attempt = attempt->number,
        .time = time,
        .value = value,
    };

    cs_run_add_event(x, &event, NULL);
}

/* The keeper has written that the program runs. */
static void find_begin(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_run_record record = {0};

    cs_run_attempt_path(x->folder, attempt->number, "rec", &path);
    if (cs_run_record_load(path.text, &record, NULL) > 0 && record.program.began > 0) {
        attempt->began = fmin(fmax(record.program.began - x->began, attempt->start),
                              fmax(cs_run_clock(x), x->run.now));
        attempt->begun = true;
        observe_add(x, attempt, CS_RUN_BEGAN, attempt->began, !checkpoint_of(x, attempt)->progress);
    }
    cs_strbuf_release(&path);
}

/* The end of a file; how many bytes. */
static size_t read_end(const char *path, size_t most, char *bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    off_t size;
    ssize_t got = 0;

    if (fd < 0)
        return 0;
    size = lseek(fd, 0, SEEK_END);
    if (size > (off_t)most && most == TAIL)
        got = pread(fd, bytes, most, size - (off_t)most);
    else if (size > 0)
        got = pread(fd, bytes, most, 0);
    close(fd);
    bytes[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* A share of "0.25" or "k/n"; NaN: none. */
static double parse_share(const char *text)
{
    char *end;
    double done = cs_plain_double(text, &end), of = 1;

    if (end == text)
        return NAN;
    end += strspn(end, " \t");
    if (*end == '/') {
        const char *second = end + 1;

        of = cs_plain_double(second, &end);
        if (end == second)
            return NAN;
    }
    end += strspn(end, " \t\r\n");
    done /= of;
    return !*end && done >= 0 && isfinite(done) && of > 0 ? fmin(done, 1) : NAN;
}

/* The last match; its first group is a number of `of`. */
static double search_share(const char *text, const char *expression, double of)
{
    regex_t compiled;
    regmatch_t at[2];
    double done = NAN;

    if (regcomp(&compiled, expression, REG_EXTENDED | REG_NEWLINE))
        return NAN;
    while (*text && !regexec(&compiled, text, 2, at, 0)) {
        if (at[1].rm_so >= 0)
            done = cs_plain_double(text + at[1].rm_so, NULL) / of;
        text += at[0].rm_eo > 0 ? at[0].rm_eo : 1;
    }
    regfree(&compiled);
    return done >= 0 && isfinite(done) ? fmin(done, 1) : NAN;
}

static void find_progress(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    const struct cs_run_checkpoint *c = checkpoint_of(x, attempt);
    struct cs_run_values values = cs_run_values_of(x, attempt);
    struct cs_strbuf path = CS_STRBUF_INIT;
    char bytes[TAIL + 1] = "";
    double modified = -INFINITY, share;

    if (!cs_run_values_path(&values, c->progress, &path, NULL) &&
        cs_run_file_modified(path.text, &modified) &&
        modified - x->began + COARSE >= attempt->began &&
        read_end(path.text, c->last ? TAIL : SMALL, bytes)) {
        share = c->last ? search_share(bytes, c->last, c->of) : parse_share(bytes);
        if (isfinite(share) && share != attempt->progress) {
            attempt->progress = share;
            attempt->progress_at = observe_place(x, attempt, modified);
            observe_add(x, attempt, CS_RUN_PROGRESS, attempt->progress_at, share);
        }
    }
    cs_strbuf_release(&path);
}

static void find_save(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    struct cs_run_values values = cs_run_values_of(x, attempt);
    struct cs_strbuf path = CS_STRBUF_INIT;
    double modified = -INFINITY;

    if (!cs_run_values_saved(&values, &path, &modified, NULL) && modified > -INFINITY &&
        modified - x->began + COARSE >= attempt->began && !(modified <= attempt->saved_at)) {
        attempt->saved_at = modified;
        observe_add(x, attempt, CS_RUN_SAVED, observe_place(x, attempt, modified), 0);
    }
    cs_strbuf_release(&path);
}

void cs_run_observe(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    const struct cs_run_checkpoint *c = checkpoint_of(x, attempt);

    if (!c)
        return;
    if (!attempt->begun)
        find_begin(x, attempt);
    if (!attempt->begun)
        return;
    if (c->progress)
        find_progress(x, attempt);
    if (c->saved.count)
        find_save(x, attempt);
}

/* Nothing seen for too long after a restart: it hangs. */
static bool is_stalled(const struct cs_run_executor *x, const struct cs_run_attempt *attempt)
{
    const double stall = checkpoint_of(x, attempt)->stall;
    const double last = isfinite(attempt->progress_at) ? attempt->progress_at : attempt->began;

    return stall > 0 && attempt->restarts && attempt->begun && cs_run_clock(x) > last + stall;
}

static bool is_over_time(const struct cs_run_executor *x, const struct cs_run_attempt *attempt)
{
    const double timeout = cs_run_timeout(&x->setup, attempt->task);

    return timeout > 0 && attempt->begun && cs_run_clock(x) > attempt->began + timeout;
}

void cs_run_observe_all(struct cs_run_executor *x)
{
    const double now = cs_run_clock(x);

    if (now < x->inspect)
        return;
    x->inspect = now + x->terms.poll;
    for (int a = 0; a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];

        if (!checkpoint_of(x, attempt) || (!attempt->pid && attempt->pidfd < 0))
            continue;
        cs_run_observe(x, attempt);
        if (attempt->asked) {
            cs_run_ask_to_stop_saved(x, attempt);
        } else if (is_stalled(x, attempt)) {
            attempt->stalled = true;
            cs_run_ask_nobody(x, attempt);
        } else if (is_over_time(x, attempt)) {
            attempt->timed_out = true;
            cs_run_ask_to_stop_saved(x, attempt);
        }
    }
}
