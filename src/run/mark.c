/* mark.c - which processes belong to an attempt, and their end.
 *
 * Everything that an attempt starts is in its cgroup, where one could be made.  Without one it is
 * known by inherited values: the session of the program (in the record of the attempt), the
 * variable COSCHED_MARK, and the same mark as a number in a limit without effect (keeper/group.h),
 * which also those have who have left the session and emptied their environment.
 *
 * A process is held by a pidfd before it is looked at, so that the signal cannot reach another one
 * that has got its number since.  Before the first SIGKILL all that are found are stopped: what
 * starts others faster than it is found would have heirs (spec/run2.md I 2).
 */
#define _GNU_SOURCE
#include "base/number.h"
#include "base/plain.h"
#include "keeper/group.h"
#include "run/executor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 10.0      /* seconds until what cannot be killed is left alone */
#define STOPS_FOR 1.0      /* seconds in which all that is found must have stopped */
#define PAUSE 10000000     /* nanoseconds */
#define CHASE 0.1          /* seconds in which no new process may be found */
#define NEWEST 4           /* processes that are looked at */
#define MASK_WORDS 128     /* of a set of processors */
#define LONGEST_GROUP 400  /* bytes of the path of the cgroup of this process */
#define CGROUP2 0x63677270 /* of statfs */

static const char variable[] = "COSCHED_MARK=";

/* The mark of an attempt as a number. */
struct numbered {
    uint64_t mark;
    int attempt; /* index */
};

/* A session that the record of an attempt names. */
struct session {
    int number;
    unsigned long long start; /* of its first process */
    int attempt;              /* index */
};

/* Processes of these attempts, and of one name unless that is NULL. */
struct wanted {
    char mark[128];         /* variable and value, in front of the number of the attempt */
    const int64_t *attempt; /* rising */
    int attempts;
    struct numbered *numbered; /* rising by mark */
    struct session *session;
    int sessions;
    const char *name;
    int signal;
    const unsigned long *pin; /* processors to which what is found is moved; NULL: where it is */
    bool *ran;                /* by attempt: it had a process that is no keeper; NULL: not wanted */
};

/* Fields of /proc/PID/stat. */
struct process {
    int pid, session;
    unsigned long long start;
    char state;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *first = a, *second = b;

    return (first->mark > second->mark) - (first->mark < second->mark);
}

static struct wanted wanted_of(const struct cs_run_executor *x, const int64_t *attempt,
                               int attempts)
{
    struct wanted w = {.attempt = attempt, .attempts = attempts, .signal = SIGKILL};
    char mark[160];

    cs_plain_print(w.mark, sizeof w.mark, "%s%s/", variable, x->mark);
    w.numbered = CS_NEW_ARRAY(x->scratch, struct numbered, attempts);
    w.session = CS_NEW_ARRAY(x->scratch, struct session, 2 * (size_t)attempts);
    for (int a = 0; a < attempts; a++) {
        cs_plain_print(mark, sizeof mark, "%s/%lld", x->mark, (long long)attempt[a]);
        w.numbered[a] = (struct numbered){cs_group_mark(mark), a};
    }
    if (attempts > 1)
        qsort(w.numbered, (size_t)attempts, sizeof *w.numbered, compare_numbered);
    return w;
}

/* ---- what a process shows ---- */

/* Which of the attempts a string of an environment names; -1: none. */
static int find_attempt(const struct wanted *w, const char *text)
{
    const size_t size = strlen(w->mark);
    int low = 0, high = w->attempts;
    int64_t number;
    char *end;

    if (strncmp(text, w->mark, size) != 0)
        return -1;
    number = strtoll(text + size, &end, 10);
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (w->attempt[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return end > text + size && !*end && low < w->attempts && w->attempt[low] == number ? low : -1;
}

/* A file of /proc; false when it cannot be read.  It is not open while memory may run out. */
static bool read_proc(int pid, const char *file, struct cs_strbuf *bytes)
{
    char path[64], piece[16384];
    ssize_t got;
    int fd;

    cs_strbuf_clear(bytes);
    cs_plain_print(path, sizeof path, "/proc/%d/%s", pid, file);
    do {
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return bytes->length > 0;
        got = pread(fd, piece, sizeof piece, (off_t)bytes->length);
        close(fd);
        cs_strbuf_append(bytes, piece, got > 0 ? (size_t)got : 0);
    } while (got == sizeof piece);
    return true;
}

static bool read_process(int pid, struct process *process, struct cs_strbuf *bytes)
{
    const char *at;

    *process = (struct process){.pid = pid};
    if (!read_proc(pid, "stat", bytes) || !bytes->length)
        return false;
    at = strrchr(bytes->text, ')');
    return at && sscanf(at + 1,
                        " %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                        "%*d %llu",
                        &process->state, &process->session, &process->start) == 3;
}

/* By its environment.  *marked: it has a mark, of whichever attempt. */
static int find_by_variable(int pid, const struct wanted *wanted, bool *marked,
                            struct cs_strbuf *bytes)
{
    int found = -1;

    *marked = false;
    if (!read_proc(pid, "environ", bytes))
        return -1;
    for (size_t at = 0; found < 0 && at < bytes->length; at += strlen(bytes->text + at) + 1) {
        found = find_attempt(wanted, bytes->text + at);
        *marked = *marked || !strncmp(bytes->text + at, variable, strlen(variable));
    }
    return found;
}

/* By the limit that its keeper has set. */
static int find_by_limit(int pid, const struct wanted *wanted, struct cs_strbuf *bytes)
{
    static const char line[] = "\nMax file locks ";
    struct numbered key = {0};
    const struct numbered *found;
    const char *at;

    at = read_proc(pid, "limits", bytes) && bytes->length ? strstr(bytes->text, line) : NULL;
    if (!at || !wanted->attempts)
        return -1;
    key.mark = strtoull(at + strlen(line), NULL, 10);
    found = bsearch(&key, wanted->numbered, (size_t)wanted->attempts, sizeof key, compare_numbered);
    return found ? found->attempt : -1;
}

/* By its session.  A session of the same number is another one when its first process is, and what
 * has the mark of another attempt belongs to that. */
static int find_by_session(const struct process *process, const struct wanted *wanted,
                           struct cs_strbuf *bytes)
{
    struct process first;

    for (int s = 0; s < wanted->sessions; s++)
        if (wanted->session[s].number == process->session)
            return read_process(process->session, &first, bytes) &&
                           first.start != wanted->session[s].start
                       ? -1
                       : wanted->session[s].attempt;
    return -1;
}

/* Which of the attempts a process belongs to; -1: none. */
static int find_owner(const struct process *process, const struct wanted *wanted,
                      struct cs_strbuf *bytes)
{
    bool marked;
    int found = find_by_variable(process->pid, wanted, &marked, bytes);

    if (found < 0)
        found = find_by_limit(process->pid, wanted, bytes);
    return found < 0 && !marked ? find_by_session(process, wanted, bytes) : found;
}

/* ---- the mark of a run ---- */

const char *cs_run_mark_of(const struct cs_run_executor *x)
{
    char mark[100];
    struct stat folder = {0};

    stat(x->folder, &folder);
    cs_plain_print(mark, sizeof mark, "%s-%llx.%llx", x->id, (unsigned long long)folder.st_dev,
                   (unsigned long long)folder.st_ino);
    return cs_arena_strdup(x->arena, mark);
}

const char *cs_run_tag_of(const struct cs_run_executor *x)
{
    struct stat folder = {0};
    char tag[40];

    stat(x->folder, &folder);
    cs_plain_print(tag, sizeof tag, "%.8s-%llx", x->id, (unsigned long long)folder.st_ino);
    return cs_arena_strdup(x->arena, tag);
}

bool cs_run_mark_has(const struct cs_run_executor *x, int64_t attempt, int pid)
{
    struct cs_arena_mark mark = cs_arena_mark(x->scratch);
    const struct wanted wanted = wanted_of(x, &attempt, 1);
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    bool marked;
    const bool has = find_by_variable(pid, &wanted, &marked, &bytes) >= 0;
    const int why = errno;

    cs_strbuf_release(&bytes);
    cs_arena_rewind(x->scratch, mark);
    errno = why;
    return has;
}

/* ---- cgroups ---- */

/* "0::/a/b" of this process, below what is mounted: "/b" where that is "/a".  False: it is not. */
static bool find_own_group(const char *root, struct cs_strbuf *path)
{
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    const size_t above = strcmp(root, "/") ? strlen(root) : 0;
    const char *at;
    bool found = false;

    if (read_proc((int)getpid(), "cgroup", &bytes) && bytes.length) {
        at = strncmp(bytes.text, "0::", 3) ? strstr(bytes.text, "\n0::") : bytes.text;
        at = at ? strchr(at, '/') : NULL;
        found = at && !strncmp(at, root, above) && strncmp(at, "/..", 3) != 0;
        if (found)
            cs_strbuf_append(path, at + above, strcspn(at + above, "\n"));
    }
    cs_strbuf_release(&bytes);
    return found;
}

/* Where the cgroup of this process is in the file system.  Fields 4 and 5 of a line of mountinfo
 * are the mounted root and the mount point. */
static bool find_own_path(struct cs_strbuf *path)
{
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    char root[1024], place[1024];
    bool found = false;

    if (read_proc((int)getpid(), "mountinfo", &bytes) && bytes.length)
        for (char *line = bytes.text; line && !found; line = strchr(line, '\n')) {
            const char *kind;

            line += *line == '\n';
            kind = strstr(line, " - cgroup2 ");
            if (!kind || kind > line + strcspn(line, "\n") ||
                sscanf(line, "%*d %*d %*s %1023s %1023s", root, place) != 2)
                continue;
            cs_strbuf_clear(path);
            cs_strbuf_puts(path, place);
            found = find_own_group(root, path);
        }
    while (path->length > 1 && path->text[path->length - 1] == '/')
        path->text[--path->length] = '\0';
    cs_strbuf_release(&bytes);
    return found;
}

/* May this process make groups there, and move its processes into them? */
static bool can_make_groups(const char *parent, const char *tag)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct statfs disk;
    bool can;

    cs_strbuf_printf(&path, "%s/cgroup.procs", parent);
    can = !statfs(parent, &disk) && disk.f_type == CGROUP2 && !access(path.text, W_OK);
    cs_strbuf_clear(&path);
    cs_strbuf_printf(&path, "%s/cs-%s-%d", parent, tag, (int)getpid());
    can = can && !cs_group_make(path.text);
    if (can)
        cs_group_remove(path.text);
    cs_strbuf_release(&path);
    return can;
}

const char *cs_run_groups_of(const struct cs_run_executor *x)
{
    const char *wanted = getenv("COSCHED_CGROUP"), *found = NULL;
    struct cs_strbuf path = CS_STRBUF_INIT;

    if (!wanted)
        find_own_path(&path);
    else if (*wanted == '/')
        cs_strbuf_puts(&path, wanted);
    if (path.length && path.length <= LONGEST_GROUP && can_make_groups(path.text, x->tag))
        found = cs_arena_strdup(x->arena, path.text);
    cs_strbuf_release(&path);
    return found;
}

static void put_group_name(const struct cs_run_executor *x, int64_t attempt, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "/cs-%s-%lld", x->tag, (long long)attempt);
}

void cs_run_group_path(const struct cs_run_executor *x, int64_t attempt, struct cs_strbuf *out)
{
    if (!x->groups)
        return;
    cs_strbuf_puts(out, x->groups);
    put_group_name(x, attempt, out);
}

/* Is that the path of a group of this attempt, and not of one of which this run is a copy? */
static bool is_own_group(const struct cs_run_executor *x, int64_t attempt, const char *path)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    const size_t size = strlen(path);
    bool own;

    put_group_name(x, attempt, &name);
    own = *path == '/' && size > name.length && !strcmp(path + size - name.length, name.text);
    cs_strbuf_release(&name);
    return own;
}

/* Killed until it is empty, then removed.  Was there anything? */
static bool kill_group(const char *path)
{
    const struct timespec pause = {.tv_nsec = PAUSE};
    const double until = cs_run_ticks() + PATIENCE;
    const bool ran = cs_group_kill(path);

    while (cs_group_has_process(path) && cs_run_ticks() < until) {
        nanosleep(&pause, NULL);
        cs_group_kill(path);
    }
    cs_group_remove(path);
    return ran;
}

/* ---- the end of what is left ---- */

static void add_session(struct wanted *w, const struct cs_run_end *end, int attempt)
{
    if (end->session > 1)
        w->session[w->sessions++] = (struct session){end->session, end->start, attempt};
}

/* The sessions that the record of an attempt names, if it is of this boot of this host; its
 * group, of which there is no other of this name, is killed. */
static void inspect_record(const struct cs_run_executor *x, struct wanted *w, int attempt)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_run_record record = {0};
    bool ran = false;

    cs_run_attempt_path(x->folder, w->attempt[attempt], "rec", &path);
    cs_run_record_load(path.text, &record, NULL);
    if (!strcmp(record.host, x->host) && !strcmp(record.boot, x->boot)) {
        add_session(w, &record.program, attempt);
        add_session(w, &record.verify, attempt);
    }
    if (is_own_group(x, w->attempt[attempt], record.group))
        ran = kill_group(record.group);
    cs_strbuf_clear(&path);
    cs_run_group_path(x, w->attempt[attempt], &path);
    if (path.length && strcmp(path.text, record.group) != 0)
        ran = kill_group(path.text) || ran;
    if (w->ran && ran)
        w->ran[attempt] = true;
    cs_strbuf_release(&path);
}

static bool is_mine(int pid)
{
    struct stat process;
    char path[64];

    cs_plain_print(path, sizeof path, "/proc/%d", pid);
    return !stat(path, &process) && process.st_uid == geteuid();
}

static bool has_name(int pid, const char *name, struct cs_strbuf *bytes)
{
    const size_t length = strlen(name);

    return read_proc(pid, "comm", bytes) && bytes->length == length + 1 &&
           !memcmp(bytes->text, name, length);
}

/* Is it there for the signal: not at its end, and not stopped already when it is to stop? */
static bool is_open_to(const struct process *process, int signal)
{
    return !strchr("ZX", process->state) && (signal != SIGSTOP || !strchr("Tt", process->state));
}

/* A look at all processes, and its open files. */
struct search {
    struct cs_guarded guarded; /* first */
    DIR *processes;
    int pidfd; /* of the process that is looked at; -1: none */
};

static void search_end(struct cs_guarded *guarded)
{
    struct search *search = (struct search *)(void *)guarded;

    if (search->pidfd >= 0)
        close(search->pidfd);
    if (search->processes)
        closedir(search->processes);
}

static int signal_one(int pid, const struct wanted *wanted, struct search *search,
                      struct cs_strbuf *bytes)
{
    int fd, found, signalled = 0;
    struct process process;

    if (!is_mine(pid))
        return 0;
    fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0 && errno != ENOSYS)
        return 0;
    search->pidfd = fd;
    if ((!wanted->name || has_name(pid, wanted->name, bytes)) &&
        read_process(pid, &process, bytes) && is_open_to(&process, wanted->signal) &&
        (found = find_owner(&process, wanted, bytes)) >= 0) {
        if (wanted->ran && !has_name(pid, "keeper", bytes))
            wanted->ran[found] = true;
        if (wanted->pin)
            sched_setaffinity(pid, MASK_WORDS * sizeof *wanted->pin,
                              (const cpu_set_t *)wanted->pin);
        if (fd >= 0)
            syscall(SYS_pidfd_send_signal, fd, wanted->signal, NULL, 0);
        else
            kill(pid, wanted->signal);
        signalled = 1;
    }
    search->pidfd = -1;
    if (fd >= 0)
        close(fd);
    return signalled;
}

static int signal_all(const struct wanted *wanted)
{
    struct search search = {.processes = opendir("/proc"), .pidfd = -1};
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    const struct dirent *entry;
    int signalled = 0;

    cs_guard_keep(&search.guarded, search_end);
    while (search.processes && (entry = readdir(search.processes))) {
        int pid = atoi(entry->d_name);

        if (pid > 1 && pid != getpid())
            signalled += signal_one(pid, wanted, &search, &bytes);
    }
    cs_guard_discard(&search.guarded);
    search_end(&search.guarded);
    cs_strbuf_release(&bytes);
    return signalled;
}

/* The last process that was started; 0: not known. */
static int last_process(int loads)
{
    char text[128];
    const ssize_t got = loads >= 0 ? pread(loads, text, sizeof text - 1, 0) : 0;
    const char *at;

    text[got > 0 ? got : 0] = '\0';
    at = strrchr(text, ' ');
    return at ? atoi(at + 1) : 0;
}

/* A chain of processes, each of which starts the next one and ends, is missed by a look at all of
 * them: the last ones are looked at again and again.  What is found must run on the processor of
 * this thread, and so does not while this thread does: it cannot start the next one before it is
 * killed. */
static void chase_newest(struct wanted *wanted)
{
    const int loads = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    unsigned long before[MASK_WORDS] = {0}, one[MASK_WORDS] = {0};
    const int cpu = sched_getcpu(), bits = 8 * (int)sizeof *one;
    struct search search = {.pidfd = -1};
    struct cs_strbuf bytes = CS_STRBUF_INIT;
    double began = cs_run_ticks(), found = began;

    if (cpu >= 0 && cpu < MASK_WORDS * bits) {
        one[cpu / bits] = 1UL << cpu % bits;
        wanted->pin = one;
    }
    if (sched_getaffinity(0, sizeof before, (cpu_set_t *)before) ||
        sched_setaffinity(0, sizeof one, (const cpu_set_t *)one))
        wanted->pin = NULL;
    cs_guard_keep(&search.guarded, search_end);
    for (double now = began; now < found + CHASE && now < began + PATIENCE; now = cs_run_ticks()) {
        const int last = last_process(loads);

        for (int pid = last; pid > last - NEWEST && pid > 1; pid--)
            if (pid != getpid() && signal_one(pid, wanted, &search, &bytes))
                found = now;
    }
    cs_guard_discard(&search.guarded);
    if (wanted->pin)
        sched_setaffinity(0, sizeof before, (const cpu_set_t *)before);
    wanted->pin = NULL;
    cs_strbuf_release(&bytes);
    if (loads >= 0)
        close(loads);
}

void cs_run_mark_kill_all(const struct cs_run_executor *x, const int64_t *attempt, int count,
                          bool *ran)
{
    const struct timespec pause = {.tv_nsec = PAUSE};
    struct cs_arena_mark mark = cs_arena_mark(x->scratch);
    struct wanted wanted = wanted_of(x, attempt, count);
    double began;

    wanted.ran = ran;
    for (int a = 0; a < count; a++)
        inspect_record(x, &wanted, a);
    began = cs_run_ticks();
    wanted.signal = SIGSTOP;
    while (signal_all(&wanted) && cs_run_ticks() < began + STOPS_FOR)
        continue;
    wanted.signal = SIGKILL;
    for (int quiet = 0; quiet < 2 && cs_run_ticks() < began + PATIENCE; nanosleep(&pause, NULL))
        quiet = signal_all(&wanted) ? 0 : quiet + 1;
    if (!x->groups)
        chase_newest(&wanted);
    cs_arena_rewind(x->scratch, mark);
}

bool cs_run_mark_kill(const struct cs_run_executor *x, int64_t attempt)
{
    bool ran = false;

    cs_run_mark_kill_all(x, &attempt, 1, &ran);
    return ran;
}

int cs_run_mark_signal(const struct cs_run_executor *x, int64_t attempt, const char *name,
                       int number)
{
    struct cs_arena_mark mark = cs_arena_mark(x->scratch);
    struct wanted wanted = wanted_of(x, &attempt, 1);
    int signalled;

    wanted.name = name;
    wanted.signal = number;
    signalled = signal_all(&wanted);
    cs_arena_rewind(x->scratch, mark);
    return signalled;
}
