/* flip.c - every bit of a small journal and of its write-ahead log, turned one at a time.
 *
 * usage: flip DIR [SAMPLES]
 *
 * A run whose tasks have all ended is killed before it has left its journal.  After any single
 * flip a resume takes in what has ended, or is rejected with one message; no task runs again.
 * SAMPLES bits of each (400; 0: all, which takes an hour), by a stride that is coprime to 8.
 */
#include <cosched/run.h>

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTEMPTS 5
#define TASKS 4
#define LARGEST 1000000

static const char jobs[] = "name,procs,seconds\na,1,1\nb,1,1\nc,1,1\nd,1,1\n";
static char folder[500];
static int failures, cases;

struct file {
    char path[700];
    unsigned char bytes[LARGEST];
    size_t size;
};

static struct file kept[ATTEMPTS + 3]; /* journal, log, records, what the tasks have logged */

__attribute__((format(printf, 2, 3))) static void check(int fine, const char *format, ...)
{
    char text[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cases++;
    failures += !fine;
    if (!fine)
        printf("not ok %d - %s\n", cases, text);
}

static void read_file(struct file *file)
{
    FILE *from = fopen(file->path, "rb");

    file->size = from ? fread(file->bytes, 1, LARGEST, from) : 0;
    if (from)
        fclose(from);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *to = fopen(path, "wb");

    if (!to || fwrite(bytes, 1, size, to) != size || fclose(to))
        abort();
}

/* All ends are journaled, and the executor dies. */
static void die_at_end(void *who, const struct cs_run_view *view)
{
    struct cs_run_state state = {.size = sizeof state};

    (void)who;
    if (!cs_run_view_state(view, &state) && state.done == TASKS)
        _exit(0);
}

/* The second-last task fails at first. */
static void run_and_die(const char *input, const char *into)
{
    static const char *const words[] = {
        "/bin/sh", "-c", "echo $1 >> \"$COSCHED_RUN.log\"; test $1$COSCHED_TRY != c1", "x",
        "{name}"};
    const struct cs_run_watch watch = {.size = sizeof watch, .show = die_at_end};
    struct cs_run_options options;
    struct cs_error err = {0};
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        cs_run_defaults(&options);
        options.command = words;
        options.words = 5;
        options.slots = 1;
        options.policy = "greedy";
        cs_run_start(input, into, &options, &watch, NULL, &err);
        fprintf(stderr, "%s\n", err.text);
        _exit(1);
    }
    waitpid(child, &status, 0);
    check(child > 0 && status == 0, "a run that is killed: status %d", status);
}

static void list_files(const char *into)
{
    snprintf(kept[0].path, sizeof kept[0].path, "%s/journal.db", into);
    snprintf(kept[1].path, sizeof kept[1].path, "%s/journal.db-wal", into);
    snprintf(kept[2].path, sizeof kept[2].path, "%s.log", into);
    for (int a = 0; a < ATTEMPTS; a++)
        snprintf(kept[3 + a].path, sizeof kept[3 + a].path, "%s/a/000/%06d.rec", into, a + 1);
    for (int f = 0; f < ATTEMPTS + 3; f++) {
        read_file(&kept[f]);
        check(kept[f].size > 0, "%s is empty", kept[f].path);
    }
}

static void restore_files(const char *into)
{
    char path[700];

    snprintf(path, sizeof path, "%s/journal.db-shm", into);
    unlink(path);
    for (int f = 0; f < ATTEMPTS + 3; f++)
        write_file(kept[f].path, kept[f].bytes, kept[f].size);
}

/* What is printed must not lead to the loss of outputs. */
static int is_one_message(const char *text)
{
    return *text && !strchr(text, '\n') && !strstr(text, "emove") && !strstr(text, "delete");
}

static int resume_after_flip(const char *into, int which, size_t bit)
{
    struct cs_run_ended ended = {0};
    struct cs_error err = {0};
    static struct file log;
    int status;

    restore_files(into);
    kept[which].bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    write_file(kept[which].path, kept[which].bytes, kept[which].size);
    kept[which].bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    status = cs_run_resume(into, NULL, NULL, &ended, &err);
    snprintf(log.path, sizeof log.path, "%s", kept[2].path);
    read_file(&log);
    check(log.size == kept[2].size, "bit %zu of %s: a task ran again", bit, kept[which].path);
    if (status)
        check(is_one_message(err.text), "bit %zu of %s: %s", bit, kept[which].path, err.text);
    else
        check(ended.done == TASKS, "bit %zu of %s: %d are done", bit, kept[which].path, ended.done);
    return status != 0;
}

static void flip_bits(const char *into, int which, size_t samples)
{
    const size_t bits = 8 * kept[which].size;
    size_t stride = samples && bits > samples ? bits / samples : 1, rejected = 0, flips = 0;

    stride += 1 - stride % 2;
    for (size_t bit = 0; bit < bits; bit += stride, flips++)
        rejected += (size_t)resume_after_flip(into, which, bit);
    printf("# %s: %zu of %zu bits, %zu rejected\n", which ? "log" : "journal", flips, bits,
           rejected);
}

int main(int argc, char **argv)
{
    const size_t samples = argc > 2 ? (size_t)atol(argv[2]) : 400;
    char input[600], into[600];
    struct stat shared;

    if (argc < 2)
        return 2;
    snprintf(folder, sizeof folder, "%s/flip-XXXXXX",
             !stat("/dev/shm", &shared) && !access("/dev/shm", W_OK) ? "/dev/shm" : argv[1]);
    if (!mkdtemp(folder))
        return 2;
    snprintf(input, sizeof input, "%s/jobs.csv", folder);
    snprintf(into, sizeof into, "%s/run", folder);
    write_file(input, jobs, sizeof jobs - 1);
    run_and_die(input, into);
    list_files(into);
    flip_bits(into, 0, samples);
    flip_bits(into, 1, samples);
    printf("%sok 1 - no ended task runs again: %d checks, %d failed\n1..1\n",
           failures ? "not " : "", cases, failures);
    snprintf(input, sizeof input, "rm -rf '%s'", folder);
    return system(input) || failures > 0;
}
