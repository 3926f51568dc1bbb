/* starved.c - a run in which the n-th malloc fails: a sentence, nothing left behind, and it can be
 * gone on with.
 *
 * usage: run_starved FOLDER
 *
 * COSCHED_KEEPER is the keeper.  One run for each n, then one whose keepers live on when the
 * process that began it is killed, and which is resumed again and again, starved of one after the
 * other.
 */
#include "../foreign/allocations.h"

#include <cosched/run.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failed, count;

static void ok(bool condition, const char *what)
{
    failed += !condition;
    printf("%sok %d - %s\n", condition ? "" : "not ", ++count, what);
}

/* What a call must not leave behind. */
struct left {
    long blocks;
    int files;
};

static struct left leftovers(void)
{
    DIR *open = opendir("/proc/self/fd");
    struct left left = {0};

    while (open && readdir(open))
        left.files++;
    if (open)
        closedir(open);
    left.blocks = allocations_live();
    return left;
}

static bool is_same(struct left a, struct left b)
{
    if (a.blocks != b.blocks || a.files != b.files)
        printf("# %ld blocks, %d files\n", a.blocks - b.blocks, a.files - b.files);
    return a.blocks == b.blocks && a.files == b.files;
}

static struct cs_run_options options(const char *line)
{
    static const char *command[] = {"/bin/sh", "-c", NULL};
    struct cs_run_options how;

    command[2] = line;
    cs_run_defaults(&how);
    how.command = command;
    how.words = 3;
    how.slots = 2;
    how.oversubscribe = true;
    return how;
}

static void sleep_for(long milliseconds)
{
    nanosleep(
        &(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
        NULL);
}

static long next(long n)
{
    return n + (n < 40 ? 1 : n / 40);
}

/* What has begun comes to its end; what has not is told. */
static bool ends_well(const char *folder)
{
    struct cs_run_ended ended;
    struct cs_error err = {0};

    if (!cs_run_resume(folder, NULL, NULL, &ended, &err))
        return ended.ending == CS_RUN_ALL_DONE && ended.done == 3;
    return strstr(err.text, "nothing has run") || strstr(err.text, "journal") ||
           strstr(err.text, "No such file");
}

/* Returns whether it was starved of one. */
static bool begin(long n, bool *reported, bool *clean, bool *whole)
{
    const struct cs_run_options how = options("exit 0");
    struct cs_error err = {0};
    struct left before;
    char folder[40];
    long made;
    int status;

    snprintf(folder, sizeof folder, "run%ld", n);
    before = leftovers();
    allocations_fail_at(n);
    status = cs_run_start("jobs.csv", folder, &how, NULL, NULL, &err);
    made = allocations_end();
    *reported = *reported && (!status || strlen(err.text) > 0);
    *clean = is_same(leftovers(), before) && *clean;
    *whole = (!status || ends_well(folder)) && *whole;
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    return made >= n;
}

static void begins(void)
{
    bool reported = true, clean = true, whole = true;
    long n = 1, starved = 0;

    begin(1000000000, &reported, &clean, &whole); /* what stays for good */
    clean = true;
    for (; begin(n, &reported, &clean, &whole); n = next(n))
        starved++;
    ok(starved > 60, "a run is starved of one allocation after the other");
    ok(reported, "each time it is told");
    ok(clean, "no memory and no open file is left behind");
    ok(whole, "what had begun is gone on with to a good end");
}

/* ---- keepers that are adopted ---- */

static void wait_for(const char *path)
{
    while (access(path, F_OK))
        sleep_for(10);
}

/* A run on which nobody works, and of which two attempts run. */
static void leave_running(void)
{
    const struct cs_run_options how =
        options("touch here$COSCHED_ATTEMPT; until [ -e go ]; do sleep 0.05; done");
    pid_t child = fork();

    if (child == 0) {
        cs_run_start("jobs.csv", "left", &how, NULL, NULL, NULL);
        _exit(0);
    }
    wait_for("here1");
    wait_for("here2");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* They may end when it has looked at them for a while. */
static enum cs_run_stopping let_go(void *who)
{
    int *looks = who;
    FILE *file = ++*looks == 3 ? fopen("go", "w") : NULL;

    if (file)
        fclose(file);
    return CS_RUN_CONTINUE;
}

/* Returns whether it was starved of one. */
static bool resume(long n, bool *reported, bool *clean)
{
    int looks = 0, status;
    const struct cs_run_watch watch = {.size = sizeof watch, .stop = let_go, .who = &looks};
    const struct left before = leftovers();
    struct cs_error err = {0};
    long made;

    allocations_fail_at(n);
    status = cs_run_resume("left", NULL, &watch, NULL, &err);
    made = allocations_end();
    *reported = *reported && (!status || strlen(err.text) > 0);
    *clean = is_same(leftovers(), before) && *clean;
    return made >= n;
}

static void adopts(void)
{
    bool reported = true, clean = true;
    long starved = 0;

    leave_running();
    for (long n = 1; resume(n, &reported, &clean); n = next(n))
        starved++;
    ok(starved > 60, "one with keepers that are adopted, too");
    ok(reported, "each time it is told");
    ok(clean, "no memory and no open file is left behind, of keepers neither");
    ok(!access("go", F_OK) && ends_well("left"), "they end well in the end");
}

int main(int argc, char **argv)
{
    FILE *file;

    if (argc != 2 || chdir(argv[1]) || !(file = fopen("jobs.csv", "w")))
        return 2;
    fputs("name,procs,seconds\na,1,10\nb,1,20\nc,1,20\n", file);
    fclose(file);
    begins();
    adopts();
    printf("1..%d\n", count);
    return failed > 0;
}
