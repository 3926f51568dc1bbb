/* keeper.c - one attempt of a task of a run, supervised to its end.
 *
 *   keeper RECORD STDIN STDOUT STDERR FOLDER CPUS TIMEOUT GRACE FLAGS N PROGRAM[N] VERIFY...
 *
 * A process around each attempt, which outlives the executor that has started it: it records the
 * end of the program, ends it at its timeout, and kills leftover processes. The creator of the file
 * RECORD decides whether the attempt runs: if it exists, no program is started (status 125). The
 * file lists events, one per line:
 *
 *   claim host=H boot=B pid=P start=T at=W ... this process; T is field 22 of /proc/P/stat; then
 *                                              what FLAGS has for it, such as round=N
 *   group PATH                                 the cgroup of the attempt, where there is one
 *   app pid=P sid=I start=T at=W               the program runs, in the session I
 *   end status=S errno=E stage=K timeout=0|1 asked=0|1 at=W cpu=C rss=R left=L
 *   verify pid=P .., verified ..               the same of the verification, after status 0
 *   closed                                     the record is complete
 *
 * W: seconds since 1970; S: as from wait(2); E: why stage K (below) of the start failed; C: seconds
 * of CPU; R: KiB; L: processes that were left behind.
 *
 * CPUS: "0,1,4" or "-" for any. TIMEOUT, GRACE: seconds, timeout 0 for none. FLAGS: k kill what the
 * program leaves behind (else it is waited for), d sync the record, n follow no link to STDOUT and
 * STDERR, - none; text after a blank is copied to the claim.
 *
 * Signals: SIGTERM ends the program (its process group), after GRACE by SIGKILL. SIGUSR1 and
 * SIGUSR2 are forwarded to the program. SIGRTMIN queued with the value s + 256 g stops it with
 * signal s (0: already sent) and kills it after g seconds. A record that cannot be written:
 * everything is killed, status 126.
 *
 * Processes of the attempt are known by its cgroup (the variable COSCHED_CGROUP names it, and the
 * keeper makes it), by its session, by its environment (COSCHED_MARK), and by a limit that has no
 * effect (RLIMIT_LOCKS, group.h): an executor that finds the keeper killed can end them.
 *
 * A machine that is short of processes, files or memory (is_shortage) starts no program: errno of
 * "end" is the reason, and a verification is tried again.
 *
 * A separate program that shares only group.h with cosched.
 */
#define _GNU_SOURCE
#include "keeper/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXISTS 125
#define CANNOT 126
#define LONGEST_LINE 2000
#define LONGEST_GROUP 490
#define MOST_CPUS 8192
#define NEVER 1e300
#define SCAN_AGAIN 0.02     /* seconds between two looks at what is left behind */
#define LOOKS_IN_A_ROW 2000 /* before that, for what starts others faster than it is found */
#define STOPS_FOR 1.0       /* seconds in which all of that must have stopped before it is killed */
#define RECORD_ROOM 4096    /* bytes of a record that must find room before anything starts */
#define LONGEST_PAUSE 60.0

enum stage { STAGE_FOLDER = 1, STAGE_STDIN, STAGE_STDOUT, STAGE_STDERR, STAGE_CPUS, STAGE_EXEC };

enum word {
    RECORD = 1,
    STDIN,
    STDOUT,
    STDERR,
    FOLDER,
    CPUS,
    TIMEOUT,
    GRACE,
    FLAGS,
    COUNT,
    PROGRAM
};

struct fault {
    int code, stage;
};

struct keeper {
    char **word;
    const char *group; /* cgroup of the attempt; NULL: none */
    bool group_killed;
    const char *start; /* for the claim: "round=..."; or NULL */
    bool kills, syncs;
    double timeout, grace; /* seconds */
    int record;            /* file descriptor */
    sigset_t notified;
    pid_t program;              /* and its process group; 0: none */
    unsigned long long started; /* field 22 of its /proc/P/stat */
    struct fault fault;
    bool ended, timed_out, asked;
    int status, left;
    double timeout_at, kill_at; /* on the monotonic clock */
};

static double seconds_of(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double keeper_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* Append all of a small file of the system; how many bytes. */
static size_t read_small(const char *path, char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got;

    while (fd >= 0 && length < size - 1 && (got = read(fd, bytes + length, size - 1 - length)) > 0)
        length += (size_t)got;
    if (fd >= 0)
        close(fd);
    bytes[length] = '\0';
    return length;
}

/* The parent of a process and when it started, from /proc/PID/stat; false if it does not exist. */
static bool read_stat(const char *path, int *parent, unsigned long long *start)
{
    char text[1024];
    const char *at;

    if (!read_small(path, text, sizeof text))
        return false;
    at = strrchr(text, ')');
    return at && sscanf(at + 1,
                        " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d"
                        " %*d %*d %*d %llu",
                        parent, start) == 2;
}

static bool read_stat_of(int pid, int *parent, unsigned long long *start)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    return read_stat(path, parent, start);
}

/* If the kernel does not list children: all processes with this parent. */
static void signal_children_slowly(int number)
{
    unsigned long long start;
    int parent;

    for (int pid = 2; pid < 1 << 22; pid++)
        if (read_stat_of(pid, &parent, &start) && parent == getpid())
            kill(pid, number);
}

static void signal_children(int number)
{
    char path[64], text[8192], *at = text, *end;
    int pid;

    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (access(path, F_OK)) {
        signal_children_slowly(number);
        return;
    }
    if (read_small(path, text, sizeof text) == sizeof text - 1 && (end = strrchr(text, ' ')))
        *end = '\0';
    while ((pid = (int)strtol(at, &end, 10)) > 0 && end != at) {
        kill(pid, number);
        at = end;
    }
}

/* The parent of a process and its state; false when it has ended. */
static bool read_state(int pid, int *parent, char *state)
{
    char path[64], text[512];
    const char *at;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    if (!read_small(path, text, sizeof text))
        return false;
    at = strrchr(text, ')');
    return at && sscanf(at + 1, " %c %d", state, parent) == 2;
}

/* A child of this process keeps its number until it is waited for; any other process is held by a
 * descriptor, and its parent is compared.  Returns whether it still ran. */
static bool signal_child(int pid, int parent, int number)
{
    const bool own = parent == getpid();
    int fd = own ? -1 : (int)syscall(SYS_pidfd_open, pid, 0), found = 0;
    char state = 'X';
    bool there;

    if (own)
        kill(pid, number);
    there = read_state(pid, &found, &state) && found == parent;
    if (there && fd >= 0)
        syscall(SYS_pidfd_send_signal, fd, number, NULL, 0);
    if (fd >= 0)
        close(fd);
    return there && !strchr("TtZX", state);
}

static int signal_family(int parent, int number);

/* Those that one thread of a process has started, and theirs: stopped before their children are
 * looked for, killed after them. */
static int signal_family_of(int parent, const char *thread, int number)
{
    char path[64], *text = NULL, *at, *end;
    size_t room = 0;
    int pid, ran = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/task/%.16s/children", parent, thread);
    file = fopen(path, "re");
    if (file && getdelim(&text, &room, '\0', file) > 0)
        for (at = text; (pid = (int)strtol(at, &end, 10)) > 0 && end != at; at = end) {
            ran += number == SIGSTOP && signal_child(pid, parent, number);
            ran += signal_family(pid, number);
            ran += number != SIGSTOP && signal_child(pid, parent, number);
        }
    free(text);
    if (file)
        fclose(file);
    return ran;
}

/* A signal to all descendants of a process.  Returns how many of them ran. */
static int signal_family(int parent, int number)
{
    char path[64];
    const struct dirent *thread;
    int ran = 0;
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", parent);
    threads = opendir(path);
    while (threads && (thread = readdir(threads)))
        if (thread->d_name[0] != '.')
            ran += signal_family_of(parent, thread->d_name, number);
    if (threads)
        closedir(threads);
    return ran;
}

/* A number of a process counts for as long as it has not been waited for. */
static void signal_program(const struct keeper *k, int number)
{
    if (k->ended)
        signal_children(number);
    else if (k->program > 0 && kill(-k->program, number) && errno == ESRCH)
        kill(k->program, number);
}

static void kill_program(struct keeper *k)
{
    if (k->group && cs_group_kill(k->group))
        k->group_killed = true;
    signal_program(k, SIGKILL);
    if (!k->ended && k->program > 0)
        kill(k->program, SIGKILL);
}

/* Writing failed: no process may run. */
static _Noreturn void give_up(struct keeper *k)
{
    const struct timespec pause = {.tv_nsec = 10000000};

    kill_program(k);
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        signal_children(SIGKILL);
        nanosleep(&pause, NULL);
    }
    if (k->group)
        cs_group_remove(k->group);
    _exit(CANNOT);
}

__attribute__((format(printf, 2, 3))) static void note(struct keeper *k, const char *format, ...)
{
    char line[LONGEST_LINE];
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length >= (int)sizeof line || write(k->record, line, (size_t)length) != length)
        give_up(k);
}

/* All children that have ended; the group of the program dies with it, while its number is still
 * its own. */
static void keeper_reap(struct keeper *k, bool *none)
{
    siginfo_t info = {0};
    int status;

    while (!(*none = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0) && info.si_pid) {
        bool program = info.si_pid == k->program && !k->ended;

        if (program && k->kills)
            kill(-k->program, SIGKILL);
        waitpid(info.si_pid, &status, 0);
        if (program) {
            k->ended = true;
            k->status = status;
        } else if (k->ended) {
            k->left++;
        }
        info.si_pid = 0;
    }
}

static void keeper_ask(struct keeper *k, int number, double grace)
{
    k->asked = true;
    if (number > 0) {
        signal_program(k, number);
        signal_program(k, SIGCONT);
    }
    if (k->kill_at > keeper_now() + grace)
        k->kill_at = keeper_now() + grace;
}

static void keeper_hear(struct keeper *k, const siginfo_t *info)
{
    int number = info->si_signo;

    if (number == SIGTERM || number == SIGINT)
        keeper_ask(k, SIGTERM, k->grace);
    else if (number == SIGRTMIN)
        keeper_ask(k, info->si_value.sival_int & 255, info->si_value.sival_int >> 8);
    else if ((number == SIGUSR1 || number == SIGUSR2) && !k->ended)
        kill(k->program, number);
}

/* Wait for a signal or a moment, whichever is first. */
static void wait_until(struct keeper *k, double moment)
{
    double left = moment - keeper_now();
    struct timespec patience;
    siginfo_t info;
    int number;

    left = left < 0 ? 0 : left > 1e6 ? 1e6 : left;
    patience.tv_sec = (time_t)left;
    patience.tv_nsec = (long)((left - (double)patience.tv_sec) * 1e9);
    number = sigtimedwait(&k->notified, &info, &patience);
    if (number > 0)
        keeper_hear(k, &info);
}

static void watch_clock(struct keeper *k)
{
    if (keeper_now() >= k->timeout_at) {
        bool was_asked = k->asked;

        k->timed_out = true;
        k->timeout_at = NEVER;
        keeper_ask(k, SIGTERM, k->grace);
        k->asked = was_asked;
    }
    if (keeper_now() >= k->kill_at)
        kill_program(k);
}

static double next_moment(const struct keeper *k)
{
    double soon = keeper_now() + SCAN_AGAIN * 5, next = k->timeout_at;

    if (k->kill_at < next)
        next = k->kill_at < soon ? soon : k->kill_at;
    return next;
}

/* All must have stopped before the first is killed: a process that is killed while its child is not
 * yet found has an heir. */
static void stop_leftovers(struct keeper *k)
{
    const double until = keeper_now() + STOPS_FOR;
    bool none;

    for (keeper_reap(k, &none);
         !none && signal_family(getpid(), SIGSTOP) > 0 && keeper_now() < until;
         keeper_reap(k, &none))
        sched_yield();
}

/* A cgroup is killed as a whole. */
static void kill_leftovers(struct keeper *k, int round)
{
    const bool grouped = k->group && cs_group_kill(k->group);

    k->group_killed = k->group_killed || grouped;
    if (!grouped && round == 0)
        stop_leftovers(k);
    if (access("/proc/self/task", F_OK) || signal_family(getpid(), SIGKILL) == 0)
        signal_children(SIGKILL);
    wait_until(k, keeper_now() + (round < LOOKS_IN_A_ROW && !grouped ? 0 : SCAN_AGAIN));
}

/* To the end of the program, then to the end of all that it has left behind. */
static void wait_for_program(struct keeper *k)
{
    int round = 0;
    bool none;

    for (keeper_reap(k, &none); !k->ended; keeper_reap(k, &none)) {
        wait_until(k, next_moment(k));
        watch_clock(k);
    }
    for (keeper_reap(k, &none); !none; keeper_reap(k, &none)) {
        watch_clock(k);
        if (k->kills || keeper_now() >= k->kill_at)
            kill_leftovers(k, round++);
        else
            wait_until(k, next_moment(k));
    }
}

static _Noreturn void keeper_fail(int stage, int report)
{
    struct fault fault = {errno, stage};

    if (write(report, &fault, sizeof fault) < 0)
        _exit(CANNOT);
    _exit(127);
}

/* Never waiting for the other end of a pipe: the keeper waits for the program to begin. */
static void open_as(int fd, const char *path, int flags, int stage, int report)
{
    int opened = open(path, flags | O_NOCTTY | O_NONBLOCK, 0600);

    if (opened < 0 || fcntl(opened, F_SETFL, flags & O_APPEND))
        keeper_fail(stage, report);
    if (opened == fd)
        return;
    if (dup2(opened, fd) < 0)
        keeper_fail(stage, report);
    close(opened);
}

static void keeper_pin(const char *cpus, int report)
{
    unsigned long mask[MOST_CPUS / (8 * sizeof(unsigned long))] = {0};
    const size_t bits = 8 * sizeof *mask;
    const char *at = cpus;
    char *end;

    if (*cpus == '-')
        return;
    for (;; at = end + 1) {
        unsigned long cpu = strtoul(at, &end, 10);

        if (end == at || cpu >= MOST_CPUS)
            break;
        mask[cpu / bits] |= 1UL << cpu % bits;
        if (*end != ',')
            break;
    }
    if (sched_setaffinity(0, sizeof mask, (const cpu_set_t *)mask))
        keeper_fail(STAGE_CPUS, report);
}

/* In the memory of the keeper, which waits (vfork): nothing of it is changed. */
static _Noreturn void keeper_become(const struct keeper *k, char **argv, pid_t parent, int report)
{
    const int link = strchr(k->word[FLAGS], 'n') ? O_NOFOLLOW : 0;
    sigset_t none;

    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    keeper_pin(k->word[CPUS], report);
    if (chdir(k->word[FOLDER]))
        keeper_fail(STAGE_FOLDER, report);
    open_as(STDIN_FILENO, k->word[STDIN], O_RDONLY, STAGE_STDIN, report);
    open_as(STDOUT_FILENO, k->word[STDOUT], O_WRONLY | O_CREAT | O_APPEND | link, STAGE_STDOUT,
            report);
    open_as(STDERR_FILENO, k->word[STDERR], O_WRONLY | O_CREAT | O_APPEND | link, STAGE_STDERR,
            report);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv(argv[0], argv);
    keeper_fail(STAGE_EXEC, report);
}

/* In its cgroup from its first moment, where the kernel can do that.  Linux 6.18 kills what begins
 * in a cgroup whose processes were ever killed by cgroup.kill, but not what enters it. */
static pid_t fork_program(const struct keeper *k, char **argv, pid_t self, int report)
{
    pid_t child = -1;

    if (k->group && !k->group_killed) {
        child = cs_group_fork(k->group, CLONE_VFORK);
        if (child == 0)
            keeper_become(k, argv, self, report);
        if (child > 0 || errno == EAGAIN || errno == ENOMEM)
            return child;
    }
    child = vfork();
    if (child == 0) {
        if (k->group)
            cs_group_enter(k->group);
        keeper_become(k, argv, self, report);
    }
    return child;
}

static void fail_start(struct keeper *k, int code)
{
    k->fault = (struct fault){code, STAGE_EXEC};
    k->program = 0;
    k->ended = true;
    k->status = 127 << 8;
}

/* The pipe contains the error of a failed start, and is empty after a successful one. */
static void keeper_start(struct keeper *k, char **argv)
{
    pid_t self = getpid();
    int ends[2], parent;

    k->ended = k->timed_out = false;
    k->fault = (struct fault){0};
    k->left = 0;
    k->started = 0;
    k->timeout_at = k->timeout > 0 ? keeper_now() + k->timeout : NEVER;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
        fail_start(k, errno);
        return;
    }
    k->program = fork_program(k, argv, self, ends[1]);
    if (k->program < 0)
        fail_start(k, errno);
    else if (read(ends[0], &k->fault, sizeof k->fault) < 0)
        k->fault.code = 0;
    close(ends[0]);
    close(ends[1]);
    if (k->program > 0)
        read_stat_of(k->program, &parent, &k->started);
}

/* Errors of a machine that lacks something now and may have it later: spec/run2.md I 5. */
static bool is_shortage(int code)
{
    return code == EAGAIN || code == ENOMEM || code == EMFILE || code == ENFILE || code == ENOSPC ||
           code == EDQUOT;
}

/* Started again after 1, 2, 4 .. 60 seconds, for as long as the machine is short of something and
 * no signal asks it to end. */
static void start_patiently(struct keeper *k, char **argv)
{
    double pause = 1;
    bool none;

    for (keeper_start(k, argv); is_shortage(k->fault.code) && !k->asked; keeper_start(k, argv)) {
        const double until = keeper_now() + pause;

        for (keeper_reap(k, &none); !k->asked && keeper_now() < until; keeper_reap(k, &none))
            wait_until(k, until);
        if (k->asked)
            return;
        pause = 2 * pause < LONGEST_PAUSE ? 2 * pause : LONGEST_PAUSE;
    }
}

static double seconds_of_program(const struct keeper *k, const struct rusage *used)
{
    const double seconds = (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
                           (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) * 1e-6;
    const double grouped = k->group ? cs_group_seconds(k->group) : -1;

    return grouped > seconds ? grouped : seconds;
}

/* One program from its start to the last of its processes. */
static void keeper_run(struct keeper *k, char **argv, const char *begins, const char *ends)
{
    struct rusage used;

    if (*begins == 'v')
        start_patiently(k, argv);
    else
        keeper_start(k, argv);
    note(k, "%s pid=%d sid=%d start=%llu at=%.6f\n", begins, (int)k->program, (int)k->program,
         k->started, seconds_of(CLOCK_REALTIME));
    wait_for_program(k);
    getrusage(RUSAGE_CHILDREN, &used);
    note(k, "%s status=%d errno=%d stage=%d timeout=%d asked=%d at=%.6f cpu=%.6f rss=%ld left=%d\n",
         ends, k->status, k->fault.code, k->fault.stage, k->timed_out, k->asked,
         seconds_of(CLOCK_REALTIME), seconds_of_program(k, &used), used.ru_maxrss, k->left);
}

/* Nothing ends this process but SIGKILL. */
static void keeper_detach(struct keeper *k)
{
    sigset_t all;
    int null;

    setsid();
    null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    if (null > STDERR_FILENO)
        close(null);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int number = 1; number < SIGRTMIN; number++)
        signal(number, SIG_DFL);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&k->notified);
    sigaddset(&k->notified, SIGCHLD);
    sigaddset(&k->notified, SIGTERM);
    sigaddset(&k->notified, SIGINT);
    sigaddset(&k->notified, SIGUSR1);
    sigaddset(&k->notified, SIGUSR2);
    sigaddset(&k->notified, SIGRTMIN);
}

static void keeper_claim(struct keeper *k)
{
    char boot[64] = "", host[65] = "";
    unsigned long long started = 0;
    int parent;

    read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    boot[strcspn(boot, "\n")] = '\0';
    gethostname(host, sizeof host - 1);
    read_stat("/proc/self/stat", &parent, &started);
    note(k, "claim host=%s boot=%s pid=%d start=%llu at=%.6f%s%s\n", host, boot, (int)getpid(),
         started, seconds_of(CLOCK_REALTIME), k->start ? " " : "", k->start ? k->start : "");
}

/* Letters, then what belongs to the claim. */
static void read_flags(struct keeper *k)
{
    char *flags = k->word[FLAGS], *blank = strchr(flags, ' ');

    k->start = blank ? blank + 1 : NULL;
    if (blank)
        *blank = '\0';
    k->kills = strchr(flags, 'k');
    k->syncs = strchr(flags, 'd');
}

/* All descendants of this process have this limit, regardless of their environment and session. */
static void put_mark(const char *mark)
{
    struct rlimit limit;

    if (!mark || getrlimit(RLIMIT_LOCKS, &limit) || limit.rlim_max != RLIM_INFINITY)
        return;
    limit.rlim_cur = (rlim_t)cs_group_mark(mark);
    setrlimit(RLIMIT_LOCKS, &limit);
}

/* Room for the lines of a record, so that the end of what has begun can be written.  False: the
 * file system is full; one that cannot reserve is assumed to have room. */
static bool reserve_record(const struct keeper *k)
{
    return !fallocate(k->record, FALLOC_FL_KEEP_SIZE, 0, RECORD_ROOM) || !is_shortage(errno);
}

/* The cgroup, if it can be made: else the attempt has none. */
static void make_group(struct keeper *k)
{
    const char *path = getenv("COSCHED_CGROUP");

    if (!path || *path != '/' || strlen(path) > LONGEST_GROUP)
        return;
    if (!cs_group_make(path)) {
        k->group = path;
        note(k, "group %s\n", path);
    }
}

int main(int argc, char **argv)
{
    struct keeper k = {.word = argv, .kill_at = NEVER};
    int count = argc > PROGRAM ? atoi(argv[COUNT]) : 0;
    char *after;

    if (count < 1 || PROGRAM + count > argc)
        return 2;
    k.record = open(argv[RECORD], O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (k.record < 0)
        return errno == EEXIST ? EXISTS : CANNOT;
    read_flags(&k);
    k.timeout = strtod(argv[TIMEOUT], NULL);
    k.grace = strtod(argv[GRACE], NULL);
    keeper_detach(&k);
    if (!reserve_record(&k))
        return CANNOT;
    keeper_claim(&k);
    put_mark(getenv("COSCHED_MARK"));
    make_group(&k);
    after = argv[PROGRAM + count];
    argv[PROGRAM + count] = NULL;
    keeper_run(&k, argv + PROGRAM, "app", "end");
    argv[PROGRAM + count] = after;
    if (k.status == 0 && after && !k.timed_out && !k.fault.code)
        keeper_run(&k, argv + PROGRAM + count, "verify", "verified");
    if (k.group)
        cs_group_remove(k.group);
    if (k.syncs && fsync(k.record))
        return CANNOT;
    note(&k, "closed\n");
    if (k.syncs && fsync(k.record))
        return CANNOT;
    return 0;
}
