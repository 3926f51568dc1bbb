/* engine_slurm.c - steps inside an allocation: a slot is a node, or some processors of one.
 *
 * Signals never go to srun, which would kill its tasks immediately: they go to the step, which is
 * found by its name. --exact and --mem always, or a step takes its nodes whole and the next one
 * waits.
 */
#define _GNU_SOURCE
#include "base/child.h"
#include "base/file.h"
#include "base/number.h"
#include "base/plain.h"
#include "run/executor.h"
#include "run/program.h"
#include "run/slurm_output.h"
#include "run/template.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cs_run_slurm {
    const char *job; /* of this allocation */
    const char *srun, *scancel, *squeue, *sinfo, *scontrol;
    const char *nodes;        /* those that the allocation began with, as Slurm writes them */
    bool by_cpu;              /* a slot is some processors of a node, not the node */
    const char *jobs;         /* this one and those of earlier executors, commas between */
    struct cs_strbuf list;    /* nodes of the job now, as Slurm writes them */
    struct cs_strbuf members; /* the same, a line each */
    struct cs_strbuf states;  /* "NODE STATE", a line each */
    double ends;              /* seconds since 1970 at which the allocation does; INFINITY */
    int64_t looked;           /* in which round */
    bool known;               /* the controller has answered once */
};

/* ---- the output of Slurm's commands ---- */

int cs_run_slurm_cpus(const char *text, int nodes, int *cpus, struct cs_error *err)
{
    const char *at = text;
    int node = 0;

    while (*at) {
        int each, times = 1, used = 0;

        if (sscanf(at, "%d%n", &each, &used) != 1 || each < 1)
            break;
        at += used;
        if (sscanf(at, "(x%d)%n", &times, &used) == 1)
            at += used;
        for (int k = 0; k < times && node < nodes; k++)
            cpus[node++] = each;
        if (*at != ',')
            break;
        at++;
    }
    return *at || node != nodes ? cs_error_set(err,
                                               "SLURM_JOB_CPUS_PER_NODE is \"%.100s\", which is "
                                               "not for %d nodes",
                                               text, nodes)
                                : 0;
}

bool cs_run_slurm_is_bad(const char *state, bool strict)
{
    static const char *const bad[] = {"down", "drained", "fail", "error", "power", "unknown"};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (!strncmp(state, bad[k], strlen(bad[k])))
            return true;
    return strict && *state && state[strlen(state) - 1] == '*';
}

/* The next line of a text, without its end, in `line`; false at the end. *at moves on. */
static bool slurm_line(const char **at, struct cs_strbuf *line)
{
    size_t length = strcspn(*at, "\n");

    if (!**at)
        return false;
    cs_strbuf_clear(line);
    cs_strbuf_append(line, *at, length);
    *at += length + ((*at)[length] == '\n');
    return true;
}

bool cs_run_slurm_step(const char *lines, const char *name, struct cs_strbuf *step)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    bool found = false;

    while (!found && slurm_line(&lines, &line)) {
        size_t number = strcspn(line.text, " ");

        found = line.text[number] && !strcmp(line.text + number + 1, name);
        if (found) {
            cs_strbuf_clear(step);
            cs_strbuf_append(step, line.text, number);
        }
    }
    cs_strbuf_release(&line);
    return found;
}

/* Words in lines of srun, and their meaning. */
static bool slurm_output_says(const char *line, const char *const *words)
{
    for (; *words; words++)
        if (strstr(line, *words))
            return true;
    return false;
}

static void read_reply(const char *line, struct cs_run_slurm_reply *reply)
{
    static const char *const dead[] = {"Node failure on", NULL};
    static const char *const none[] = {"Unable to create step",
                                       "Unable to confirm allocation",
                                       "Job credential",
                                       "Zero Bytes were transmitted",
                                       "Unable to contact slurm controller",
                                       " has expired",
                                       NULL};
    static const char *const program[] = {"execve(): ", NULL};
    static const char *const ended[] = {"DUE TO ", "CANCELLED AT ", "Force Terminated", NULL};
    const bool failed = slurm_output_says(line, dead), void_ = slurm_output_says(line, none),
               no = slurm_output_says(line, program), cancelled = slurm_output_says(line, ended);
    const char *status = strstr(line, "Exited with exit code ");

    reply->node_failed = reply->node_failed || failed;
    reply->never_began = reply->never_began || void_;
    reply->no_program = reply->no_program || no;
    reply->cancelled = reply->cancelled || cancelled;
    if (status && reply->status < 0)
        reply->status = (int)strtol(status + strlen("Exited with exit code "), NULL, 10);
    if (!*reply->why && (failed || void_ || no || cancelled))
        cs_plain_print(reply->why, sizeof reply->why, "%.190s", line);
}

void cs_run_slurm_read_reply(const char *text, struct cs_run_slurm_reply *reply)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    *reply = (struct cs_run_slurm_reply){.status = -1};
    while (slurm_line(&text, &line))
        read_reply(line.text, reply);
    cs_strbuf_release(&line);
}

void cs_run_slurm_read_cancelled(const char *text, const char *since,
                                 struct cs_run_slurm_reply *reply)
{
    static const char *const words = " CANCELLED AT ";
    struct cs_strbuf line = CS_STRBUF_INIT;
    const char *at;

    while (slurm_line(&text, &line)) {
        at = strncmp(line.text, "slurmstepd", strlen("slurmstepd")) != 0 ||
                     !strstr(line.text, "*** STEP ")
                 ? NULL
                 : strstr(line.text, words);
        if (at && strcmp(at + strlen(words), since) >= 0)
            read_reply(line.text, reply);
    }
    cs_strbuf_release(&line);
}

/* ---- the request of an allocation ---- */

/* --no-kill=off reverts an earlier --no-kill. */
static bool slurm_output_keeps(const char *word, size_t length, bool before)
{
    static const char *const yes[] = {"-k", "--no-kill"};
    static const char no[] = "--no-kill=off";

    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        if (length == strlen(yes[k]) && !strncmp(word, yes[k], length))
            return true;
    return before && !(length == sizeof no - 1 && !strncmp(word, no, length));
}

bool cs_run_slurm_line_keeps(const char *words, size_t size)
{
    bool kept = false;

    for (size_t at = 0; at < size; at += strnlen(words + at, size - at) + 1) {
        const size_t length = strnlen(words + at, size - at);

        if (length == 2 && !strncmp(words + at, "--", 2))
            break;
        kept = slurm_output_keeps(words + at, length, kept);
    }
    return kept;
}

static bool options_keep(const char *line, bool before)
{
    static const char blank[] = " \t\r";

    line += strlen("#SBATCH");
    for (line += strspn(line, blank); *line && *line != '#';) {
        const size_t length = strcspn(line, blank);

        before = slurm_output_keeps(line, length, before);
        line += length;
        line += strspn(line, blank);
    }
    return before;
}

/* Sbatch reads up to the first command. */
bool cs_run_slurm_script_keeps(const char *script)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    bool kept = false;

    while (slurm_line(&script, &line) && (!*line.text || *line.text == '#'))
        if (cs_plain_begins(line.text, "#SBATCH "))
            kept = options_keep(line.text, kept);
    cs_strbuf_release(&line);
    return kept;
}

/* Was the allocation made with --no-kill?
 *
 * Neither scontrol nor the environment of a job has it (Slurm 22.05). Its request can be seen: the
 * environment that salloc and sbatch read, the command line of the salloc that this process is a
 * child of, and the batch script. The command line of sbatch is not available.
 */

#define LONGEST 65536   /* bytes of a file of /proc */
#define GENERATIONS 100 /* between salloc and this process */

/* A file of /proc, whose size is not known in advance; "" when it cannot be read. */
static void read_of(long pid, const char *name, struct cs_strbuf *out)
{
    char path[64];
    ssize_t got;

    cs_strbuf_clear(out);
    cs_plain_print(path, sizeof path, "/proc/%ld/%s", pid, name);
    got = cs_file_head(path, cs_strbuf_room(out, LONGEST), LONGEST);
    cs_strbuf_wrote(out, got > 0 ? (size_t)got : 0);
}

/* From "PID (NAME) STATE PARENT ..."; 0: not found. */
static long parent_of(const char *stat)
{
    const char *behind = strrchr(stat, ')');

    return behind && strlen(behind) > 4 ? strtol(behind + 4, NULL, 10) : 0;
}

static bool is_salloc(const char *stat)
{
    const char *name = strchr(stat, '(');

    return name && cs_plain_begins(name, "(salloc)");
}

static bool is_kept_by_parent(void)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    long pid = getppid();
    bool kept = false;

    for (int g = 0; g < GENERATIONS && pid > 1; g++) {
        read_of(pid, "stat", &text);
        if (is_salloc(text.text)) {
            read_of(pid, "cmdline", &text);
            kept = cs_run_slurm_line_keeps(text.text, text.length);
            break;
        }
        pid = parent_of(text.text);
    }
    cs_strbuf_release(&text);
    return kept;
}

static bool run_slurm_ask(const char *const *argv, struct cs_strbuf *out);

/* Only jobs of sbatch have a script. */
static bool is_kept_by_script(const struct cs_run_slurm *s)
{
    struct cs_strbuf script = CS_STRBUF_INIT;
    const bool kept = run_slurm_ask((const char *const[]){s->scontrol, "write", "batch_script",
                                                          s->job, "-", NULL},
                                    &script) &&
                      cs_run_slurm_script_keeps(script.text);

    cs_strbuf_release(&script);
    return kept;
}

/* Does a node that dies not end the whole allocation, as far as that can be known?  Slurm keeps it
 * to itself. */
static bool run_slurm_is_kept(const struct cs_run_slurm *s)
{
    return getenv("SALLOC_NO_KILL") || getenv("SBATCH_NO_KILL") || is_kept_by_parent() ||
           is_kept_by_script(s);
}

/* Nodes, the remaining time, and whether an end is reliable.
 *
 * srun ends with 0 when a node dies, so a step that has ended with 0 has succeeded only if srun
 * reports no error and every node of it is up and still in this allocation.
 */

#define PATIENCE 30.0 /* seconds for an answer of the controller */
#define LARGEST 65536 /* bytes of the output of srun */

/* Run one of Slurm's programs; its output is in `out`, which is cleared. False when it did not end
 * with 0. */
static bool run_slurm_ask(const char *const *argv, struct cs_strbuf *out)
{
    struct cs_strbuf reply = CS_STRBUF_INIT;
    int status = -1;

    cs_strbuf_clear(out);
    cs_child_run_within(PATIENCE, argv, out, &reply, &status, NULL);
    cs_strbuf_release(&reply);
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
    run_slurm_ask((const char *const[]){s->scontrol, "show", "hostnames", s->list.text, NULL},
                  &s->members);
}

/* Ask about the allocation and its nodes. */
static void run_slurm_refresh(void *state)
{
    struct cs_run_slurm *s = state;
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (run_slurm_ask((const char *const[]){s->squeue, "-h", "-j", s->job, "-o", "%L %N", NULL},
                      &out) &&
        out.length) {
        s->known = true;
        read_job(s, out.text);
    }
    if (run_slurm_ask(
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
    while (!found && slurm_line(&lines, &line)) {
        found =
            !strncmp(line.text, node, length) && (!line.text[length] || line.text[length] == ' ');
        if (found && line.text[length])
            cs_strbuf_puts(rest, line.text + length + 1);
    }
    cs_strbuf_release(&line);
    return found;
}

/* Is the node down, or (strict) unreliable? */
static bool run_slurm_is_bad_node(const struct cs_run_slurm *s, const char *node, bool strict)
{
    struct cs_strbuf state = CS_STRBUF_INIT;
    bool bad = s->members.length && !find_node(s->members.text, node, &state);

    bad =
        bad || (find_node(s->states.text, node, &state) && cs_run_slurm_is_bad(state.text, strict));
    cs_strbuf_release(&state);
    return bad;
}

static bool run_slurm_is_down(struct cs_run_executor *x, int slot)
{
    return run_slurm_is_bad_node(x->engine_state, x->slot[slot].host, false);
}

static double run_slurm_left(struct cs_run_executor *x)
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
        if (run_slurm_is_bad_node(x->engine_state, x->slot[attempt->slot[k]].host, true))
            return x->slot[attempt->slot[k]].host;
    return NULL;
}

static void slurm_look_read_reply(const struct cs_run_executor *x, int64_t attempt,
                                  struct cs_run_slurm_reply *reply)
{
    struct cs_strbuf path = CS_STRBUF_INIT, text = CS_STRBUF_INIT;

    cs_run_attempt_path(x->folder, attempt, "srun", &path);
    cs_file_read(path.text, LARGEST, &text, NULL);
    cs_run_slurm_read_reply(text.text, reply);
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
static void read_step_reply(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                            struct cs_run_slurm_reply *reply)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const int status = reply->status;

    read_err(x, attempt, &text);
    if (strstr(text.text, "error: execve(): ")) {
        cs_run_slurm_read_reply(text.text, reply);
        reply->status = status;
    }
    cs_strbuf_release(&text);
}

/* The step daemon reports that the step was cancelled since it began, for example with its job;
 * signalled programs may exit with status 0. */
static bool was_cancelled(const struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                          struct cs_run_slurm_reply *reply)
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
    cs_run_slurm_read_cancelled(text.text, since, reply);
    cs_strbuf_release(&text);
    return reply->cancelled;
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

static bool run_slurm_is_gone(struct cs_run_executor *x, const struct cs_run_attempt *attempt);

/* Was the job cancelled? Then its steps ended by a signal. */
static bool ended_with_its_job(struct cs_run_executor *x, const struct cs_run_event *event)
{
    const bool signalled =
        WIFSIGNALED(event->status) || WEXITSTATUS(event->status) > 128 || event->status == 0;

    return signalled && run_slurm_is_gone(x, &(struct cs_run_attempt){.number = event->attempt});
}

static void run_slurm_examine(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                              struct cs_run_event *event)
{
    struct cs_run_slurm *s = x->engine_state;
    struct cs_run_slurm_reply reply;
    const char *node;
    char why[300];

    if (event->outcome != CS_RUN_OK && event->outcome != CS_RUN_CORRUPT &&
        event->outcome != CS_RUN_FAILED)
        return;
    if (s->looked != x->journal->round + 1)
        run_slurm_refresh(s);
    s->looked = x->journal->round + 1;
    slurm_look_read_reply(x, event->attempt, &reply);
    node = find_bad(x, attempt);
    if (node || reply.node_failed) {
        cs_plain_print(why, sizeof why, "%s%s%s", node ? "node " : reply.why, node ? node : "",
                       node ? " is missing, or does not answer" : "");
        slurm_inspect_lose(x, event, why);
    } else if (event->outcome == CS_RUN_FAILED && (reply.never_began || reply.cancelled)) {
        slurm_inspect_lose(x, event, reply.why);
    } else if (event->outcome != CS_RUN_FAILED && was_cancelled(x, attempt, &reply)) {
        slurm_inspect_lose(x, event, reply.why);
    } else if (event->outcome == CS_RUN_FAILED && ended_with_its_job(x, event)) {
        slurm_inspect_lose(x, event, "its allocation ended");
    } else if (event->outcome == CS_RUN_FAILED && reply.status >= 0) {
        event->status = reply.status << 8;
        if (may_be_no_program(reply.status))
            read_step_reply(x, attempt, &reply);
        if (reply.no_program) {
            event->outcome = CS_RUN_CANNOT_START;
            event->detail = cs_arena_strdup(x->arena, reply.why);
        }
    }
}

static bool run_slurm_is_gone(struct cs_run_executor *x, const struct cs_run_attempt *attempt)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf job = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool gone;

    job_of(x, attempt->number, &job);
    gone = job.length && strcmp(job.text, s->job) != 0 &&
           (!run_slurm_ask((const char *const[]){s->squeue, "-h", "-j", job.text, "-o", "%T", NULL},
                           &out) ||
            !strncmp(out.text, "COMPLETING", 10) || !out.length);
    cs_strbuf_release(&job);
    cs_strbuf_release(&out);
    return gone;
}

/* The jobs of this and of earlier executors of the run. */
static const char *run_slurm_jobs(struct cs_run_executor *x)
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

#define MEBIBYTE 1048576.0
#define SHORT_TASK 10.0  /* seconds; thousands of shorter ones do not belong on srun */
#define END_OF_STEP 10.0 /* seconds until what was cancelled must be gone */

static int find_programs(struct cs_run_slurm *s, struct cs_arena *arena, struct cs_error *err)
{
    const struct {
        const char *name, **path;
    } program[] = {{"srun", &s->srun},
                   {"scancel", &s->scancel},
                   {"squeue", &s->squeue},
                   {"sinfo", &s->sinfo},
                   {"scontrol", &s->scontrol}};
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    for (size_t k = 0; !status && k < sizeof program / sizeof *program; k++) {
        status = cs_run_program_find(program[k].name, "", &path, err);
        if (!status)
            *program[k].path = cs_arena_strdup(arena, path.text);
    }
    cs_strbuf_release(&path);
    return status;
}

static int read_environment(struct cs_run_slurm *s, struct cs_arena *arena, struct cs_error *err)
{
    const char *job = getenv("SLURM_JOB_ID"), *nodes = getenv("SLURM_JOB_NODELIST");

    if (!job || !*job || !nodes || !*nodes)
        return cs_error_set(err,
                            "engine slurm works inside an allocation only (SLURM_JOB_ID is not "
                            "set): salloc -N 4 --exclusive --no-kill --mem=0, and there cosched "
                            "run; or a script for sbatch, see docs/run.md");
    s->job = cs_arena_strdup(arena, job);
    s->nodes = cs_arena_strdup(arena, nodes);
    return find_programs(s, arena, err);
}

/* One line a node, and the processors that the allocation has on each. */
static int list_nodes(struct cs_run_slurm *s, struct cs_arena *arena, int **cpus,
                      struct cs_strbuf *names, struct cs_error *err)
{
    const char *text = getenv("SLURM_JOB_CPUS_PER_NODE");
    int nodes = 0;

    if (!run_slurm_ask((const char *const[]){s->scontrol, "show", "hostnames", s->nodes, NULL},
                       names) ||
        !names->length)
        return cs_error_set(err, "scontrol show hostnames %.200s: no answer", s->nodes);
    for (const char *c = names->text; *c; c++)
        nodes += *c == '\n';
    *cpus = CS_NEW_ARRAY(arena, int, nodes);
    return s->by_cpu ? cs_run_slurm_cpus(text ? text : "", nodes, *cpus, err) : 0;
}

static int add_slots(const struct cs_run_slurm *s, const struct cs_run_wanted *wanted,
                     struct cs_arena *arena, const char *names, const int *cpus,
                     struct cs_run_slot *slot)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    int count = 0;

    for (int node = 0; slurm_line(&names, &name); node++) {
        int each = s->by_cpu ? cpus[node] / wanted->cpus_per_slot : 1;
        const char *host = slot ? cs_arena_strdup(arena, name.text) : NULL;

        if (run_slurm_is_bad_node(s, name.text, false))
            continue;
        for (int k = 0; k < each && (!wanted->count || count < wanted->count); k++, count++)
            if (slot)
                slot[count] = (struct cs_run_slot){.host = host, .cpus = ""};
    }
    cs_strbuf_release(&name);
    return count;
}

static int open_slurm(const struct cs_run_setup *setup, struct cs_arena *arena, void **state,
                      const struct cs_run_slot **slot, int *count, struct cs_error *err)
{
    struct cs_run_slurm *s = CS_NEW(arena, struct cs_run_slurm);
    struct cs_strbuf names = CS_STRBUF_INIT;
    struct cs_run_slot *list;
    int *cpus = NULL, status;

    *s = (struct cs_run_slurm){
        .by_cpu = setup->wanted.by_cpu,
        .list = CS_STRBUF_INIT,
        .members = CS_STRBUF_INIT,
        .states = CS_STRBUF_INIT,
        .ends = INFINITY,
    };
    *state = s;
    status = read_environment(s, arena, err) || list_nodes(s, arena, &cpus, &names, err) ? -1 : 0;
    if (!status) {
        run_slurm_refresh(s);
        *count = add_slots(s, &setup->wanted, arena, names.text, cpus, NULL);
        list = CS_NEW_ARRAY(arena, struct cs_run_slot, *count);
        add_slots(s, &setup->wanted, arena, names.text, cpus, list);
        *slot = list;
        if (*count < 1 || *count < setup->wanted.count)
            status = cs_error_set(err, "%d slots are wanted, and the allocation %s has %d",
                                  setup->wanted.count, s->job, *count);
    }
    cs_strbuf_release(&names);
    return status;
}

static void close_state(void *state)
{
    struct cs_run_slurm *s = state;

    cs_strbuf_release(&s->list);
    cs_strbuf_release(&s->members);
    cs_strbuf_release(&s->states);
}

static void put_step_name(const char *tag, int64_t attempt, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "cs-%s-%lld", tag, (long long)attempt);
}

static void engine_slurm_add(struct cs_run_list *argv, struct cs_strbuf *text)
{
    cs_run_list_add(argv, text->text);
    cs_strbuf_clear(text);
}

static int slots_on(const struct cs_run_values *v, const char *host)
{
    int count = 0;

    for (int k = 0; k < v->count; k++)
        count += !strcmp(v->slot[v->held[k]].host, host);
    return count;
}

/* Slots of the attempt on the node that has most of them, and on the one that has fewest. */
static void count_slots(const struct cs_run_values *v, int *most, int *least)
{
    *most = 0;
    *least = v->count;
    for (int k = 0; k < v->count; k++) {
        int here = slots_on(v, v->slot[v->held[k]].host);

        *most = here > *most ? here : *most;
        *least = here < *least ? here : *least;
    }
}

/* Nodes, and how many processes on each when that differs: from 23.11 on srun rejects -N with the
 * list of their hosts. */
static void add_place(const struct cs_run_values *v, const struct cs_run_settings *s,
                      struct cs_run_list *argv, struct cs_strbuf *text, bool even)
{
    struct cs_strbuf hosts = CS_STRBUF_INIT;

    const int nodes = cs_run_put_hosts(v->slot, v->held, v->count, &hosts);

    if (even) {
        cs_strbuf_printf(text, "-N%d", nodes);
        engine_slurm_add(argv, text);
    }
    cs_strbuf_printf(text, "-n%lld", (long long)v->count * s->tasks_per_slot);
    engine_slurm_add(argv, text);
    cs_strbuf_printf(text, "-c%d", s->cpus_per_task);
    engine_slurm_add(argv, text);
    cs_run_list_add(argv, "--cpu-bind=cores");
    if (even) {
        cs_strbuf_puts(text, hosts.text);
    } else {
        cs_run_list_add(argv, "-m");
        cs_run_list_add(argv, "arbitrary");
        for (int k = 0; k < v->count * s->tasks_per_slot; k++)
            cs_strbuf_printf(text, "%s%s", k ? "," : "",
                             v->slot[v->held[k / s->tasks_per_slot]].host);
    }
    cs_run_list_add(argv, "-w");
    engine_slurm_add(argv, text);
    cs_strbuf_release(&hosts);
}

/* A path in which srun sees no pattern. */
static int add_stream(struct cs_run_values *v, const char *template, const char *ending,
                      const char *option, struct cs_run_list *argv, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT, plain = CS_STRBUF_INIT;
    int status = 0;

    if (template)
        status = cs_run_values_path(v, template, &path, err);
    else
        cs_run_attempt_path(v->folder, v->attempt, ending, &path);
    for (const char *c = path.text; *c; c++)
        cs_strbuf_printf(&plain, *c == '%' || *c == '\\' ? "%c%c" : "%c", *c, *c);
    cs_run_list_add(argv, option);
    cs_run_list_add(argv, plain.text);
    cs_strbuf_release(&path);
    cs_strbuf_release(&plain);
    return status;
}

static int engine_slurm_launch(void *state, const char *tag, struct cs_run_values *v,
                               struct cs_run_list *argv, struct cs_error *err)
{
    const struct cs_run_slurm *slurm = state;
    const struct cs_run_settings *s = v->setup->task[v->task].settings;
    struct cs_strbuf text = CS_STRBUF_INIT;
    int most, least;

    count_slots(v, &most, &least);
    cs_run_list_add(argv, slurm->srun);
    cs_run_list_add(argv, "--exact");
    cs_strbuf_printf(&text, "--mem=%.0f", ceil(s->memory * s->tasks_per_slot * most / MEBIBYTE));
    engine_slurm_add(argv, &text);
    cs_run_list_add(argv, "-Q");
    cs_run_list_add(argv, "-J");
    put_step_name(tag, v->attempt, &text);
    engine_slurm_add(argv, &text);
    add_place(v, s, argv, &text, most == least);
    cs_run_list_add(argv, "--export=ALL");
    cs_run_list_add(argv, "--open-mode=append");
    cs_run_list_add(argv, "--kill-on-bad-exit=1");
    cs_strbuf_release(&text);
    return add_stream(v, s->out, "out", "-o", argv, err) ||
                   add_stream(v, s->err, "err", "-e", argv, err)
               ? -1
               : 0;
}

/* The number of the step of an attempt, in `step`. */
static bool find_step(struct cs_run_executor *x, int64_t attempt, struct cs_strbuf *step)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf name = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool found;

    put_step_name(x->tag, attempt, &name);
    found = run_slurm_ask((const char *const[]){s->squeue, "-h", "-s", "-j", run_slurm_jobs(x),
                                                "-o", "%i %j", NULL},
                          &out) &&
            cs_run_slurm_step(out.text, name.text, step);
    cs_strbuf_release(&name);
    cs_strbuf_release(&out);
    return found;
}

static bool signal_step(struct cs_run_executor *x, const struct cs_run_attempt *attempt, int number)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf step = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool found = find_step(x, attempt->number, &step);
    char option[32];

    cs_plain_print(option, sizeof option, "--signal=%d", number);
    if (found)
        run_slurm_ask((const char *const[]){s->scancel, "-Q", option, step.text, NULL}, &out);
    cs_strbuf_release(&step);
    cs_strbuf_release(&out);
    return found;
}

/* The step ends some seconds after srun. */
static void engine_slurm_cancel(struct cs_run_executor *x, int64_t attempt)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    const struct cs_run_slurm *s = x->engine_state;
    const double end = cs_run_wall() + END_OF_STEP;
    struct cs_strbuf step = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool down = false;

    while (!down && cs_run_wall() < end && find_step(x, attempt, &step)) {
        const struct cs_run_attempt *running = cs_run_attempt_find(&x->run, attempt);

        run_slurm_ask((const char *const[]){s->scancel, "-Q", step.text, NULL}, &out);
        for (int k = 0; running && k < running->count; k++)
            down = down || x->run.slots.down[running->slot[k]];
        nanosleep(&pause, NULL);
    }
    cs_strbuf_release(&step);
    cs_strbuf_release(&out);
}

static const char *engine_slurm_job(const struct cs_run_executor *x)
{
    return ((const struct cs_run_slurm *)x->engine_state)->job;
}

static void engine_slurm_warn(struct cs_run_executor *x)
{
    double sum = 0;

    for (int t = 0; t < x->setup.tasks; t++)
        sum += x->setup.task[t].expected;
    if (!run_slurm_is_kept(x->engine_state))
        x->watcher.say(x->watcher.who,
                       "nothing shows that this allocation was made with --no-kill: "
                       "without it a node that dies ends all of it");
    if (sum < SHORT_TASK * x->setup.tasks)
        x->watcher.say(x->watcher.who,
                       "tasks of less than 10 s are short for steps of Slurm, which serves all "
                       "users: on one node, srun -N1 --exclusive cosched run --engine local is "
                       "faster");
}

const struct cs_run_engine cs_run_engine_slurm = {
    .name = "slurm",
    .paces = true,
    .open = open_slurm,
    .close = close_state,
    .launch = engine_slurm_launch,
    .signal = signal_step,
    .examine = run_slurm_examine,
    .cancel = engine_slurm_cancel,
    .is_gone = run_slurm_is_gone,
    .left = run_slurm_left,
    .is_down = run_slurm_is_down,
    .refresh = run_slurm_refresh,
    .warn = engine_slurm_warn,
    .job = engine_slurm_job,
};
