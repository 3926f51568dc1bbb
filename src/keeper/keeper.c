/* keeper.c - one attempt of a task of a run, watched to its end.
 *
 *   keeper RECORD STDIN STDOUT STDERR FOLDER CPUS TIMEOUT GRACE FLAGS N PROGRAM[N] VERIFY...
 *
 * A process around each attempt, which outlives the executor that has started it: it knows how the
 * program ended when nobody else does, ends it at its timeout, and kills what it leaves behind.
 * Whoever makes the file RECORD decides whether the attempt runs: when it is there already, nothing
 * is started (status 125).  The file then tells what happened, a line for each thing:
 *
 *   claim host=H boot=B pid=P start=T at=W     this process; T is field 22 of /proc/P/stat
 *   app pid=P at=W                             the program runs
 *   end status=S errno=E stage=K timeout=0|1 asked=0|1 at=W cpu=C rss=R left=L
 *   verify pid=P at=W, verified ...            the same of the verification, after status 0
 *   closed                                     all is said
 *
 * W: seconds since 1970; S: as from wait(2); E: why stage K (below) of the start failed; C: seconds
 * of CPU; R: KiB; L: processes that were left behind.
 *
 * CPUS: "0,1,4" or "-" for any.  TIMEOUT, GRACE: seconds, timeout 0 for none.  FLAGS: k kill what
 * the program leaves behind (else it is waited for), d sync the record, n follow no link to STDOUT
 * and STDERR, - nothing.
 *
 * Signals: SIGTERM ends the program (its process group), after GRACE by SIGKILL.  SIGUSR1 and
 * SIGUSR2 go on to the program.  SIGRTMIN queued with the value s + 256 g asks it to stop with
 * signal s (0: somebody else has asked) and kills after g seconds.  A record that cannot be
 * written: everything is killed, status 126.
 *
 * A program of its own that knows nothing of cosched.
 */
#define _GNU_SOURCE
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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXISTS 125
#define CANNOT 126
#define LONGEST_LINE 500
#define MOST_CPUS 8192
#define NEVER 1e300
#define LOOK_AGAIN 0.02 /* seconds between two looks at what is left behind */

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
    bool kills, syncs;
    double timeout, grace; /* seconds */
    int record;            /* file descriptor */
    sigset_t heard;
    pid_t program; /* and its process group; 0: none */
    int fault_pipe;
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

static double now(void)
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

/* The parent of a process and when it started, from /proc/PID/stat; false when it is gone. */
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

/* Where the kernel does not list children: whoever has this process as parent. */
static void signal_children_slowly(int number)
{
    char path[64];
    unsigned long long start;
    int parent;

    for (int pid = 2; pid < 1 << 22; pid++) {
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        if (!access(path, F_OK) && read_stat(path, &parent, &start) && parent == getpid())
            kill(pid, number);
    }
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

/* A number of a process counts for as long as it has not been waited for. */
static void signal_program(const struct keeper *k, int number)
{
    if (k->ended)
        signal_children(number);
    else if (k->program > 0 && kill(-k->program, number) && errno == ESRCH)
        kill(k->program, number);
}

static void kill_program(const struct keeper *k)
{
    signal_program(k, SIGKILL);
    if (!k->ended && k->program > 0)
        kill(k->program, SIGKILL);
}

/* Nothing can be written any more: nothing may run. */
static _Noreturn void give_up(const struct keeper *k)
{
    const struct timespec pause = {.tv_nsec = 10000000};

    kill_program(k);
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        signal_children(SIGKILL);
        nanosleep(&pause, NULL);
    }
    _exit(CANNOT);
}

__attribute__((format(printf, 2, 3))) static void note(const struct keeper *k, const char *format,
                                                       ...)
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
static void reap(struct keeper *k, bool *none)
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

static void ask(struct keeper *k, int number, double grace)
{
    k->asked = true;
    if (number > 0) {
        signal_program(k, number);
        signal_program(k, SIGCONT);
    }
    if (k->kill_at > now() + grace)
        k->kill_at = now() + grace;
}

static void hear(struct keeper *k, const siginfo_t *info)
{
    int number = info->si_signo;

    if (number == SIGTERM || number == SIGINT)
        ask(k, SIGTERM, k->grace);
    else if (number == SIGRTMIN)
        ask(k, info->si_value.sival_int & 255, info->si_value.sival_int >> 8);
    else if ((number == SIGUSR1 || number == SIGUSR2) && !k->ended)
        kill(k->program, number);
}

/* Wait for a signal or a moment, whichever is first. */
static void wait_until(struct keeper *k, double moment)
{
    double left = moment - now();
    struct timespec patience;
    siginfo_t info;
    int number;

    left = left < 0 ? 0 : left > 1e6 ? 1e6 : left;
    patience.tv_sec = (time_t)left;
    patience.tv_nsec = (long)((left - (double)patience.tv_sec) * 1e9);
    number = sigtimedwait(&k->heard, &info, &patience);
    if (number > 0)
        hear(k, &info);
}

static void watch_clock(struct keeper *k)
{
    if (now() >= k->timeout_at) {
        bool was_asked = k->asked;

        k->timed_out = true;
        k->timeout_at = NEVER;
        ask(k, SIGTERM, k->grace);
        k->asked = was_asked;
    }
    if (now() >= k->kill_at)
        kill_program(k);
}

static double next_moment(const struct keeper *k)
{
    double soon = now() + LOOK_AGAIN * 5, next = k->timeout_at;

    if (k->kill_at < next)
        next = k->kill_at < soon ? soon : k->kill_at;
    return next;
}

/* To the end of the program, then to the end of all that it has left behind. */
static void wait_for_program(struct keeper *k)
{
    bool none;

    for (reap(k, &none); !k->ended; reap(k, &none)) {
        wait_until(k, next_moment(k));
        watch_clock(k);
    }
    for (reap(k, &none); !none; reap(k, &none)) {
        watch_clock(k);
        if (k->kills || now() >= k->kill_at) {
            signal_children(SIGKILL);
            wait_until(k, now() + LOOK_AGAIN);
        } else {
            wait_until(k, next_moment(k));
        }
    }
}

static _Noreturn void fail(int stage, int report)
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
        fail(stage, report);
    if (opened == fd)
        return;
    if (dup2(opened, fd) < 0)
        fail(stage, report);
    close(opened);
}

static void pin(const char *cpus, int report)
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
        fail(STAGE_CPUS, report);
}

/* In the memory of the keeper, which waits (vfork): nothing of it is changed. */
static _Noreturn void become(const struct keeper *k, char **argv, pid_t parent, int report)
{
    const int link = strchr(k->word[FLAGS], 'n') ? O_NOFOLLOW : 0;
    sigset_t none;

    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    pin(k->word[CPUS], report);
    if (chdir(k->word[FOLDER]))
        fail(STAGE_FOLDER, report);
    open_as(STDIN_FILENO, k->word[STDIN], O_RDONLY, STAGE_STDIN, report);
    open_as(STDOUT_FILENO, k->word[STDOUT], O_WRONLY | O_CREAT | O_APPEND | link, STAGE_STDOUT,
            report);
    open_as(STDERR_FILENO, k->word[STDERR], O_WRONLY | O_CREAT | O_APPEND | link, STAGE_STDERR,
            report);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv(argv[0], argv);
    fail(STAGE_EXEC, report);
}

/* The pipe tells why the program could not be started, and nothing when it could. */
static void start(struct keeper *k, char **argv)
{
    pid_t self = getpid();
    int ends[2];

    k->ended = k->timed_out = false;
    k->fault = (struct fault){0};
    k->left = 0;
    k->timeout_at = k->timeout > 0 ? now() + k->timeout : NEVER;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        give_up(k);
    k->program = vfork();
    if (k->program == 0)
        become(k, argv, self, ends[1]);
    close(ends[1]);
    k->fault_pipe = ends[0];
    if (k->program < 0) {
        k->fault = (struct fault){errno, STAGE_EXEC};
        k->program = 0;
        k->ended = true;
        k->status = 127 << 8;
    }
}

/* One program from its start to the last of its processes. */
static void run(struct keeper *k, char **argv, const char *begins, const char *ends)
{
    struct rusage used;

    start(k, argv);
    note(k, "%s pid=%d at=%.6f\n", begins, (int)k->program, seconds_of(CLOCK_REALTIME));
    wait_for_program(k);
    if (!k->fault.code && read(k->fault_pipe, &k->fault, sizeof k->fault) < 0)
        k->fault.code = 0;
    close(k->fault_pipe);
    getrusage(RUSAGE_CHILDREN, &used);
    note(k, "%s status=%d errno=%d stage=%d timeout=%d asked=%d at=%.6f cpu=%.6f rss=%ld left=%d\n",
         ends, k->status, k->fault.code, k->fault.stage, k->timed_out, k->asked,
         seconds_of(CLOCK_REALTIME),
         (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
             (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6,
         used.ru_maxrss, k->left);
}

/* Nothing ends this process but SIGKILL. */
static void detach(struct keeper *k)
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
    sigemptyset(&k->heard);
    sigaddset(&k->heard, SIGCHLD);
    sigaddset(&k->heard, SIGTERM);
    sigaddset(&k->heard, SIGINT);
    sigaddset(&k->heard, SIGUSR1);
    sigaddset(&k->heard, SIGUSR2);
    sigaddset(&k->heard, SIGRTMIN);
}

static void claim(const struct keeper *k)
{
    char boot[64] = "", host[65] = "";
    unsigned long long started = 0;
    int parent;

    read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    boot[strcspn(boot, "\n")] = '\0';
    gethostname(host, sizeof host - 1);
    read_stat("/proc/self/stat", &parent, &started);
    note(k, "claim host=%s boot=%s pid=%d start=%llu at=%.6f\n", host, boot, (int)getpid(), started,
         seconds_of(CLOCK_REALTIME));
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
    k.kills = strchr(argv[FLAGS], 'k');
    k.syncs = strchr(argv[FLAGS], 'd');
    k.timeout = strtod(argv[TIMEOUT], NULL);
    k.grace = strtod(argv[GRACE], NULL);
    detach(&k);
    claim(&k);
    after = argv[PROGRAM + count];
    argv[PROGRAM + count] = NULL;
    run(&k, argv + PROGRAM, "app", "end");
    argv[PROGRAM + count] = after;
    if (k.status == 0 && after && !k.timed_out && !k.fault.code)
        run(&k, argv + PROGRAM + count, "verify", "verified");
    if (k.syncs && fsync(k.record))
        return CANNOT;
    note(&k, "closed\n");
    if (k.syncs && fsync(k.record))
        return CANNOT;
    return 0;
}
