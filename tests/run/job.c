/* job.c - a nasty job for the tests of runs.
 *
 *   job FOLDER NAME KIND SECONDS      KIND: well crash corrupt hang deaf family flood stray chain
 *   job FOLDER NAME verify [SECONDS]  the verification: fails for the first try of "corrupt"
 *
 * Holds a lock on FOLDER/NAME.lock, which everything that it starts inherits: two at once, or a
 * process left behind, show by themselves in FOLDER/overlap.  FOLDER/log has "start ATTEMPT" and
 * "well ATTEMPT" lines.  A bad kind is bad only in the first try.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const char *folder;

static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value ? value : "";
}

static void note(const char *file, const char *what)
{
    char path[4096], line[256];
    int fd, length;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    length = snprintf(line, sizeof line, "%s %s\n", what, variable("COSCHED_ATTEMPT"));
    if (fd < 0 || write(fd, line, (size_t)length) != length)
        exit(98);
    close(fd);
}

static void rest(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};

    t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
    nanosleep(&t, NULL);
}

static void lock(const char *name)
{
    char path[4096];
    int fd;

    snprintf(path, sizeof path, "%s/%s.lock", folder, name);
    fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB)) {
        note("overlap", name);
        exit(99);
    }
}

static void leave_family(void)
{
    for (int k = 0; k < 3; k++)
        if (fork() == 0) {
            setsid();
            if (k == 0 || fork() == 0)
                rest(1000);
            _exit(0);
        }
}

/* What leaves its parent, its session and its group, has no environment and no file but the lock.
 */
static void leave_unmarked(const char *program, const char *what, const char *seconds)
{
    const char *argv[] = {program, folder, "-", what, seconds, NULL};
    char *none[] = {NULL};

    if (fork())
        return;
    setsid();
    if (fork())
        _exit(0);
    setsid();
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    execve(program, (char *const *)argv, none);
    _exit(96);
}

/* Each process starts the next one in a session of its own and ends. */
static void chain(double seconds)
{
    const time_t end = time(NULL) + (time_t)seconds;

    signal(SIGCHLD, SIG_IGN);
    while (time(NULL) < end) {
        const pid_t child = fork();

        if (child > 0)
            _exit(0);
        if (child == 0)
            setsid();
    }
}

static void flood(void)
{
    static char bytes[65536];

    memset(bytes, 'x', sizeof bytes);
    for (int k = 0; k < 16; k++)
        if (write(STDOUT_FILENO, bytes, sizeof bytes) < 0)
            exit(97);
}

static int misbehave(const char *kind)
{
    if (!strcmp(kind, "crash"))
        abort();
    if (!strcmp(kind, "deaf"))
        signal(SIGTERM, SIG_IGN);
    if (!strcmp(kind, "deaf") || !strcmp(kind, "hang"))
        for (;;)
            rest(1000);
    return 0;
}

int main(int argc, char **argv)
{
    int first = atoi(variable("COSCHED_TRY")) <= 1;

    if (argc < 4 || (argc < 5 && strcmp(argv[3], "verify") != 0))
        return 2;
    folder = argv[1];
    if (!strcmp(argv[2], "-") && !strcmp(argv[3], "rest")) {
        rest(atof(argv[4]));
        return 0;
    }
    if (!strcmp(argv[2], "-")) {
        chain(atof(argv[4]));
        return 0;
    }
    if (!strcmp(argv[3], "verify")) {
        rest(argc > 4 ? atof(argv[4]) : 0);
        return strstr(argv[2], "corrupt") && first;
    }
    lock(argv[2]);
    note("log", "start");
    if (!strcmp(argv[3], "stray"))
        leave_unmarked(argv[0], "rest", "1000");
    if (!strcmp(argv[3], "chain"))
        leave_unmarked(argv[0], "chain", "1000");
    rest(atof(argv[4]));
    if (!strcmp(argv[3], "family"))
        leave_family();
    if (!strcmp(argv[3], "flood"))
        flood();
    if (first)
        misbehave(argv[3]);
    note("log", "well");
    return 0;
}
