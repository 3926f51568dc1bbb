/* stencil.c - heat spreads over a square: a small application that saves its state and can be
 * restarted on any number of threads.
 *
 *   stencil NAME SIZE STEPS THREADS [--pace MILLISECONDS] [--fail-at STEP]
 *
 * Works in the current directory.  Resumes from NAME.state if that exists; SIGTERM: saves, ends
 * with status 0; SIGUSR1: saves and continues; both between two steps.  NAME.progress contains
 * "step/steps".  In the end the temperatures are in NAME.heat, to the last bit the same for any
 * interruptions: every cell is computed from its neighbours alone, by any thread.
 *
 * --pace: the least duration of a step, divided by the threads, on any machine (a whole number,
 * which is read alike in every locale).
 * --fail-at: dies in that step, once (NAME.failed remembers it).
 *
 *   cc -O2 -pthread -o stencil stencil.c
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    const char *name;
    int size, threads;
    long steps, step, fail_at;
    double pace;        /* seconds */
    double *now, *next; /* size * size temperatures */
    pthread_barrier_t barrier;
    bool stops;
    double noted; /* when progress was written last */
} s;

static volatile sig_atomic_t asked_to_stop, asked_to_save;

static void hear(int number)
{
    if (number == SIGTERM)
        asked_to_stop = 1;
    else
        asked_to_save = 1;
}

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "stencil: %s: ", path);
    perror(what);
    exit(1);
}

/* Under another name first: a reader sees a whole file, the old one or the new one. */
static void put(const char *ending, const void *head, size_t head_size, const void *body,
                size_t body_size)
{
    char path[4096], made[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s.%s", s.name, ending);
    snprintf(made, sizeof made, "%s.%s.new", s.name, ending);
    file = fopen(made, "wb");
    if (!file || fwrite(head, 1, head_size, file) != head_size ||
        fwrite(body, 1, body_size, file) != body_size || fclose(file) || rename(made, path))
        fail("cannot be written", path);
}

static double clock_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void note_progress(void)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%ld/%ld\n", s.step, s.steps);

    put("progress", text, (size_t)length, "", 0);
    s.noted = clock_now();
}

static size_t bytes(void)
{
    return sizeof(double) * (size_t)s.size * (size_t)s.size;
}

static void save(void)
{
    put("state", &s.step, sizeof s.step, s.now, bytes());
    note_progress();
    printf("saved at step %ld\n", s.step);
    fflush(stdout);
}

/* Hot on the left, cold elsewhere, unless there is a state. */
static void begin(void)
{
    char path[4096];
    FILE *file;

    s.now = calloc((size_t)s.size * (size_t)s.size, sizeof(double));
    s.next = calloc((size_t)s.size * (size_t)s.size, sizeof(double));
    if (!s.now || !s.next)
        fail("too large", s.name);
    for (int y = 0; y < s.size; y++)
        s.now[y * s.size] = 100.0 + y;
    snprintf(path, sizeof path, "%s.state", s.name);
    file = fopen(path, "rb");
    if (file &&
        (fread(&s.step, sizeof s.step, 1, file) != 1 || fread(s.now, 1, bytes(), file) != bytes()))
        fail("is no state of this size", path);
    if (file)
        fclose(file);
    memcpy(s.next, s.now, bytes());
    printf("from step %ld to %ld on %d threads\n", s.step, s.steps, s.threads);
    fflush(stdout);
}

static void compute(int thread)
{
    const int n = s.size, first = 1 + (n - 2) * thread / s.threads;
    const int last = 1 + (n - 2) * (thread + 1) / s.threads;

    for (int y = first; y < last; y++)
        for (int x = 1; x < n - 1; x++) {
            const double *at = &s.now[y * n + x];

            s.next[y * n + x] = 0.25 * ((at[-1] + at[1]) + (at[-n] + at[n]));
        }
}

static void die_once(void)
{
    char path[4096];

    snprintf(path, sizeof path, "%s.failed", s.name);
    if (access(path, F_OK)) {
        put("failed", "", 0, "", 0);
        fprintf(stderr, "stencil: dies in step %ld\n", s.step);
        abort();
    }
}

/* One thread, between two steps. */
static void turn(double began)
{
    double *swap = s.now, left = began + s.pace / s.threads - clock_now();
    struct timespec pause = {.tv_sec = (time_t)left};

    s.now = s.next;
    s.next = swap;
    s.step++;
    if (left > 0) {
        pause.tv_nsec = (long)((left - (double)pause.tv_sec) * 1e9);
        nanosleep(&pause, NULL);
    }
    if (s.step == s.fail_at)
        die_once();
    s.stops = asked_to_stop;
    if (asked_to_save || s.stops)
        save();
    else if (clock_now() > s.noted + 0.05)
        note_progress();
    asked_to_save = 0;
}

static void *work(void *argument)
{
    const int thread = *(const int *)argument;

    while (s.step < s.steps && !s.stops) {
        const double began = clock_now();

        compute(thread);
        if (pthread_barrier_wait(&s.barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            turn(began);
        pthread_barrier_wait(&s.barrier);
    }
    return NULL;
}

static void run_threads(void)
{
    pthread_t *other = calloc((size_t)s.threads, sizeof *other);
    int *number = calloc((size_t)s.threads, sizeof *number);

    if (!other || !number || pthread_barrier_init(&s.barrier, NULL, (unsigned)s.threads))
        fail("too many threads", s.name);
    for (int t = 0; t < s.threads; t++) {
        number[t] = t;
        if (t > 0 && pthread_create(&other[t], NULL, work, &number[t]))
            fail("no thread", s.name);
    }
    work(&number[0]);
    for (int t = 1; t < s.threads; t++)
        pthread_join(other[t], NULL);
    free(other);
    free(number);
}

static void finish(void)
{
    note_progress();
    put("heat", "", 0, s.now, bytes());
    printf("done\n");
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = hear};

    if (argc < 5) {
        fprintf(stderr,
                "usage: stencil NAME SIZE STEPS THREADS [--pace MILLISECONDS] [--fail-at STEP]\n");
        return 2;
    }
    s.name = argv[1];
    s.size = atoi(argv[2]);
    s.steps = atol(argv[3]);
    s.threads = atoi(argv[4]);
    for (int a = 5; a + 1 < argc; a += 2)
        if (!strcmp(argv[a], "--pace"))
            s.pace = (double)atol(argv[a + 1]) / 1000;
        else
            s.fail_at = atol(argv[a + 1]);
    if (s.size < 3 || s.size > 30000 || s.steps < 1 || s.threads < 1) {
        fprintf(stderr, "stencil: SIZE from 3, STEPS and THREADS from 1 on\n");
        return 2;
    }
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    begin();
    run_threads();
    if (s.step >= s.steps)
        finish();
    free(s.now);
    free(s.next);
    return 0;
}
