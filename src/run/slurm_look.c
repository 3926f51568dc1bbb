/* slurm_look.c - nodes, the remaining time, and whether an end is reliable.
 *
 * srun ends with 0 when a node dies, so a step that has ended with 0 has succeeded only if srun
 * reports no error and every node of it is up and still in this allocation.
 */
#define _GNU_SOURCE
#include "run/slurm.h"

#include "base/child.h"
#include "base/file.h"
#include "base/plain.h"
#include "base/seconds.h"
#include "run/slurm_words.h"
#include "run/values.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 30.0 /* seconds for an answer of the controller */
#define LARGEST 65536 /* bytes of the output of srun */

bool cs_run_slurm_ask(const char *const *argv, struct cs_strbuf *out)
{
    struct cs_strbuf said = CS_STRBUF_INIT;
    int status = -1;

    cs_strbuf_clear(out);
    cs_child_run_within(PATIENCE, argv, out, &said, &status, NULL);
    cs_strbuf_release(&said);
    return status == 0;
}

/* "TIME NODES" of squeue. */
static void read_job(struct cs_run_slurm *s, const char *line)
{
    char left[64] = "";
    size_t length = strcspn(line, " ");
    double seconds;

    if (length < sizeof left)
        memcpy(left, line, length);
    s->ends = cs_seconds_parse(left, &seconds) ? INFINITY : cs_run_wall() + seconds;
    line += length + (line[length] == ' ');
    length = strcspn(line, "\n");
    if (length == s->list.length && !memcmp(line, s->list.text, length))
        return;
    cs_strbuf_clear(&s->list);
    cs_strbuf_append(&s->list, line, length);
    cs_run_slurm_ask((const char *const[]){s->scontrol, "show", "hostnames", s->list.text, NULL},
                     &s->members);
}

/* When the controller does not answer, what was known before is all that is known. */
void cs_run_slurm_refresh(void *state)
{
    struct cs_run_slurm *s = state;
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (cs_run_slurm_ask((const char *const[]){s->squeue, "-h", "-j", s->job, "-o", "%L %N", NULL},
                         &out) &&
        out.length) {
        s->known = true;
        read_job(s, out.text);
    }
    if (cs_run_slurm_ask(
            (const char *const[]){s->sinfo, "-h", "-N", "-n", s->nodes, "-o", "%N %T", NULL},
            &out)) {
        cs_strbuf_clear(&s->states);
        cs_strbuf_append(&s->states, out.text, out.length);
    }
    cs_strbuf_release(&out);
}

/* Does a line begin with that node?  What follows the blank behind it is in `rest`. */
static bool find_node(const char *lines, const char *node, struct cs_strbuf *rest)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    const size_t length = strlen(node);
    bool found = false;

    cs_strbuf_clear(rest);
    while (!found && cs_run_slurm_line(&lines, &line)) {
        found =
            !strncmp(line.text, node, length) && (!line.text[length] || line.text[length] == ' ');
        if (found && line.text[length])
            cs_strbuf_puts(rest, line.text + length + 1);
    }
    cs_strbuf_release(&line);
    return found;
}

bool cs_run_slurm_is_bad_node(const struct cs_run_slurm *s, const char *node, bool strict)
{
    struct cs_strbuf state = CS_STRBUF_INIT;
    bool bad = s->members.length && !find_node(s->members.text, node, &state);

    bad =
        bad || (find_node(s->states.text, node, &state) && cs_run_slurm_is_bad(state.text, strict));
    cs_strbuf_release(&state);
    return bad;
}

bool cs_run_slurm_is_down(struct cs_run_executor *x, int slot)
{
    return cs_run_slurm_is_bad_node(x->engine_state, x->slot[slot].host, false);
}

double cs_run_slurm_left(struct cs_run_executor *x)
{
    const struct cs_run_slurm *s = x->engine_state;

    return s->known ? s->ends - cs_run_wall() : INFINITY;
}

static const char *job_of(struct cs_run_executor *x, int64_t attempt, struct cs_strbuf *job)
{
    sqlite3_stmt *get = cs_run_journal_prepare(
        x->journal,
        "SELECT e.job FROM attempt a JOIN round r ON r.id = a.round JOIN executor e "
        "ON e.id = r.executor WHERE a.id = ?",
        NULL);

    cs_strbuf_clear(job);
    if (!get)
        return job->text;
    sqlite3_bind_int64(get, 1, attempt);
    if (sqlite3_step(get) == SQLITE_ROW && sqlite3_column_text(get, 0))
        cs_strbuf_puts(job, (const char *)sqlite3_column_text(get, 0));
    sqlite3_finalize(get);
    return job->text;
}

static bool is_of_another_job(struct cs_run_executor *x, int64_t attempt)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf job = CS_STRBUF_INIT;
    bool other;

    job_of(x, attempt, &job);
    other = job.length && strcmp(job.text, s->job) != 0;
    cs_strbuf_release(&job);
    return other;
}

/* An unreliable node of the attempt, or NULL. For a step of an earlier allocation, whose slots were
 * other nodes, only srun is used. */
static const char *find_bad(struct cs_run_executor *x, const struct cs_run_attempt *attempt)
{
    if (cs_run_is_step(x, attempt->task) && is_of_another_job(x, attempt->number))
        return NULL;
    for (int k = 0; k < attempt->count; k++)
        if (cs_run_slurm_is_bad_node(x->engine_state, x->slot[attempt->slot[k]].host, true))
            return x->slot[attempt->slot[k]].host;
    return NULL;
}

static void read_said(const struct cs_run_executor *x, int64_t attempt,
                      struct cs_run_slurm_said *said)
{
    struct cs_strbuf path = CS_STRBUF_INIT, text = CS_STRBUF_INIT;

    cs_run_attempt_path(x->folder, attempt, "srun", &path);
    cs_file_read(path.text, LARGEST, &text, NULL);
    cs_run_slurm_read_said(text.text, said);
    cs_strbuf_release(&path);
    cs_strbuf_release(&text);
}

/* The end of the standard error of the program, to which the step daemon writes too. */
static void read_err(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                     struct cs_strbuf *text)
{
    const char *template = x->setup.task[attempt->task].settings->err;
    struct cs_run_values values = cs_run_values_of(x, attempt);
    struct cs_strbuf path = CS_STRBUF_INIT;
    char piece[4096];
    CS_HOLD(held);
    ssize_t got;
    int fd;

    cs_strbuf_clear(text);
    if (!template)
        cs_run_attempt_path(x->folder, attempt->number, "err", &path);
    if (template && cs_run_values_path(&values, template, &path, NULL))
        cs_strbuf_clear(&path);
    fd = open(path.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    cs_file_hold(&held, fd);
    if (fd >= 0 && lseek(fd, -LARGEST, SEEK_END) < 0)
        lseek(fd, 0, SEEK_SET);
    while (fd >= 0 && (got = read(fd, piece, sizeof piece)) > 0)
        cs_strbuf_append(text, piece, (size_t)got);
    cs_strbuf_release(&path);
}

/* The step daemon reports a missing program. */
static void read_step_said(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                           struct cs_run_slurm_said *said)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const int status = said->status;

    read_err(x, attempt, &text);
    if (strstr(text.text, "error: execve(): ")) {
        cs_run_slurm_read_said(text.text, said);
        said->status = status;
    }
    cs_strbuf_release(&text);
}

/* The step daemon reports that the step was cancelled since it began, for example with its job;
 * signalled programs may exit with status 0. */
static bool was_cancelled(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                          struct cs_run_slurm_said *said)
{
    const time_t began = (time_t)(x->began + attempt->start) - 1;
    struct cs_strbuf text = CS_STRBUF_INIT;
    char since[32] = "";
    struct tm local;

    if (!cs_run_is_step(x, attempt->task) || attempt->asked)
        return false;
    if (localtime_r(&began, &local))
        strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%S", &local);
    read_err(x, attempt, &text);
    cs_run_slurm_read_cancelled(text.text, since, said);
    cs_strbuf_release(&text);
    return said->cancelled;
}

/* Statuses with which the step daemon ends when it cannot execute a program. */
static bool may_be_no_program(int status)
{
    return status == ENOENT || status == EACCES || status == ENOEXEC || status == ENOTDIR ||
           status == E2BIG;
}

static void slurm_inspect_lose(struct cs_run_executor *x, struct cs_run_event *event,
                               const char *why)
{
    event->outcome = CS_RUN_LOST;
    event->detail = cs_arena_strdup(x->arena, why);
}

/* Was the job cancelled? Then its steps ended by a signal. */
static bool ended_with_its_job(struct cs_run_executor *x, const struct cs_run_event *event)
{
    const bool signalled =
        WIFSIGNALED(event->status) || WEXITSTATUS(event->status) > 128 || event->status == 0;

    return signalled && cs_run_slurm_is_gone(x, &(struct cs_run_attempt){.number = event->attempt});
}

void cs_run_slurm_examine(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                          struct cs_run_event *event)
{
    struct cs_run_slurm *s = x->engine_state;
    struct cs_run_slurm_said said;
    const char *node;
    char why[300];

    if (event->outcome != CS_RUN_OK && event->outcome != CS_RUN_CORRUPT &&
        event->outcome != CS_RUN_FAILED)
        return;
    if (s->looked != x->journal->round + 1)
        cs_run_slurm_refresh(s);
    s->looked = x->journal->round + 1;
    read_said(x, event->attempt, &said);
    node = find_bad(x, attempt);
    if (node || said.node_failed) {
        cs_plain_print(why, sizeof why, "%s%s%s", node ? "node " : said.why, node ? node : "",
                       node ? " is missing, or does not answer" : "");
        slurm_inspect_lose(x, event, why);
    } else if (event->outcome == CS_RUN_FAILED && (said.never_began || said.cancelled)) {
        slurm_inspect_lose(x, event, said.why);
    } else if (event->outcome != CS_RUN_FAILED && was_cancelled(x, attempt, &said)) {
        slurm_inspect_lose(x, event, said.why);
    } else if (event->outcome == CS_RUN_FAILED && ended_with_its_job(x, event)) {
        slurm_inspect_lose(x, event, "its allocation ended");
    } else if (event->outcome == CS_RUN_FAILED && said.status >= 0) {
        event->status = said.status << 8;
        if (may_be_no_program(said.status))
            read_step_said(x, attempt, &said);
        if (said.no_program) {
            event->outcome = CS_RUN_CANNOT_START;
            event->detail = cs_arena_strdup(x->arena, said.why);
        }
    }
}

bool cs_run_slurm_is_gone(struct cs_run_executor *x, const struct cs_run_attempt *attempt)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf job = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool gone;

    job_of(x, attempt->number, &job);
    gone = job.length && strcmp(job.text, s->job) != 0 &&
           (!cs_run_slurm_ask(
                (const char *const[]){s->squeue, "-h", "-j", job.text, "-o", "%T", NULL}, &out) ||
            !strncmp(out.text, "COMPLETING", 10) || !out.length);
    cs_strbuf_release(&job);
    cs_strbuf_release(&out);
    return gone;
}

const char *cs_run_slurm_jobs(struct cs_run_executor *x)
{
    struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf jobs = CS_STRBUF_INIT;
    sqlite3_stmt *get;

    if (s->jobs)
        return s->jobs;
    get = cs_run_journal_prepare(x->journal,
                                 "SELECT DISTINCT job FROM executor WHERE job IS NOT NULL", NULL);
    cs_strbuf_puts(&jobs, s->job);
    while (get && sqlite3_step(get) == SQLITE_ROW)
        if (strcmp((const char *)sqlite3_column_text(get, 0), s->job) != 0)
            cs_strbuf_printf(&jobs, ",%s", (const char *)sqlite3_column_text(get, 0));
    sqlite3_finalize(get);
    s->jobs = cs_arena_strdup(x->arena, jobs.text);
    cs_strbuf_release(&jobs);
    return s->jobs;
}
