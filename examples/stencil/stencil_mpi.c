/* stencil_mpi.c - the stencil of stencil.c with MPI: rows of the square on any number of processes.
 *
 *   mpirun -np PROCESSES stencil_mpi NAME SIZE STEPS [--pace MILLISECONDS]
 *
 * The same files with the same bytes: resumes from NAME.state if that exists, on another number of
 * processes or by the program with threads; SIGTERM to any of the processes: all save and end with
 * status 0; SIGUSR1: all save and continue.  NAME.progress contains "step/steps", NAME.heat has the
 * temperatures in the end.
 *
 * --pace: the least duration of a step, divided by the processes.
 *
 *   mpicc -O2 -o stencil_mpi stencil_mpi.c
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    const char *name;
    int size, rank, processes;
    int first, rows; /* of this process; a row of its neighbours lies on either side */
    long steps, step;
    double pace; /* seconds */
    double *now, *next;
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
    fprintf(stderr, "stencil_mpi: %s: %s\n", path, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Where the rows of a process begin; the last one's end is where the next one's would. */
static int first_row(int rank)
{
    return 1 + (s.size - 2) * rank / s.processes;
}

/* A row of this process, from -1: the neighbour's. */
static double *row(double *square, int y)
{
    return square + (size_t)(y + 1) * (size_t)s.size;
}

static void note_progress(void)
{
    char path[4096], made[4096];
    FILE *file;

    s.noted = MPI_Wtime();
    if (s.rank)
        return;
    snprintf(path, sizeof path, "%s.progress", s.name);
    snprintf(made, sizeof made, "%s.progress.new", s.name);
    file = fopen(made, "w");
    if (!file || fprintf(file, "%ld/%ld\n", s.step, s.steps) < 0 || fclose(file) ||
        rename(made, path))
        fail("cannot be written", path);
}

/* The rows that a file has of this process: its own, and the border's at both ends. */
static void share(int *from, int *count)
{
    *from = s.rank ? 0 : -1;
    *count = s.rows - *from + (s.rank == s.processes - 1);
}

static MPI_Offset place(size_t head, int from)
{
    return (MPI_Offset)(head + sizeof(double) * (size_t)(s.first + from) * (size_t)s.size);
}

/* Every process its rows; under another name first: a reader sees a whole file. */
static void put(const char *ending, const void *head, size_t head_size)
{
    char path[4096], made[4096];
    int from, count;
    MPI_File file;

    snprintf(path, sizeof path, "%s.%s", s.name, ending);
    snprintf(made, sizeof made, "%s.%s.new", s.name, ending);
    share(&from, &count);
    if (MPI_File_open(MPI_COMM_WORLD, made, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                      &file) ||
        (!s.rank &&
         MPI_File_write_at(file, 0, head, (int)head_size, MPI_BYTE, MPI_STATUS_IGNORE)) ||
        MPI_File_write_at_all(file, place(head_size, from), row(s.now, from), count * s.size,
                              MPI_DOUBLE, MPI_STATUS_IGNORE) ||
        MPI_File_close(&file) || (!s.rank && rename(made, path)))
        fail("cannot be written", path);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void save(void)
{
    put("state", &s.step, sizeof s.step);
    note_progress();
    if (!s.rank) {
        printf("saved at step %ld\n", s.step);
        fflush(stdout);
    }
}

static void read_state(MPI_File file, const char *path)
{
    int got = 0;
    MPI_Offset size;
    MPI_Status status;

    MPI_File_get_size(file, &size);
    if (size != place(sizeof s.step, s.size - s.first) ||
        MPI_File_read_at_all(file, 0, &s.step, sizeof s.step, MPI_BYTE, MPI_STATUS_IGNORE) ||
        MPI_File_read_at_all(file, place(sizeof s.step, -1), row(s.now, -1), (s.rows + 2) * s.size,
                             MPI_DOUBLE, &status) ||
        MPI_Get_count(&status, MPI_DOUBLE, &got) || got != (s.rows + 2) * s.size)
        fail("is no state of this size", path);
    MPI_File_close(&file);
}

/* Hot on the left, cold elsewhere, unless there is a state. */
static void begin(void)
{
    const size_t cells = (size_t)(first_row(s.rank + 1) - first_row(s.rank) + 2) * (size_t)s.size;
    char path[4096];
    MPI_File file;

    s.first = first_row(s.rank);
    s.rows = first_row(s.rank + 1) - s.first;
    s.now = calloc(cells, sizeof(double));
    s.next = calloc(cells, sizeof(double));
    if (!s.now || !s.next)
        fail("too large", s.name);
    for (int y = -1; y <= s.rows; y++)
        row(s.now, y)[0] = 100.0 + (s.first + y);
    snprintf(path, sizeof path, "%s.state", s.name);
    if (!MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
        read_state(file, path);
    memcpy(s.next, s.now, cells * sizeof(double));
    if (!s.rank) {
        printf("from step %ld to %ld on %d processes\n", s.step, s.steps, s.processes);
        fflush(stdout);
    }
}

/* The rows next to ours are our neighbours'. */
static void exchange(void)
{
    const int above = s.rank ? s.rank - 1 : MPI_PROC_NULL;
    const int below = s.rank < s.processes - 1 ? s.rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(row(s.now, 0), s.size, MPI_DOUBLE, above, 0, row(s.now, s.rows), s.size,
                 MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(s.now, s.rows - 1), s.size, MPI_DOUBLE, below, 1, row(s.now, -1), s.size,
                 MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compute(void)
{
    for (int y = 0; y < s.rows; y++) {
        const double *up = row(s.now, y - 1), *at = row(s.now, y), *down = row(s.now, y + 1);
        double *to = row(s.next, y);

        for (int x = 1; x < s.size - 1; x++)
            to[x] = 0.25 * ((at[x - 1] + at[x + 1]) + (up[x] + down[x]));
    }
}

static void keep_pace(double began)
{
    const double left = began + s.pace / s.processes - MPI_Wtime();
    struct timespec pause = {.tv_sec = (time_t)left};

    if (left > 0) {
        pause.tv_nsec = (long)((left - (double)pause.tv_sec) * 1e9);
        nanosleep(&pause, NULL);
    }
}

/* One step; was any of the processes asked to stop? */
static int turn(void)
{
    const double began = MPI_Wtime();
    double *swap = s.now;
    int asked[2] = {asked_to_stop, asked_to_save};

    asked_to_save = 0;
    exchange();
    compute();
    s.now = s.next;
    s.next = swap;
    s.step++;
    keep_pace(began);
    MPI_Allreduce(MPI_IN_PLACE, asked, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (asked[0] || asked[1])
        save();
    else if (MPI_Wtime() > s.noted + 0.05)
        note_progress();
    return asked[0];
}

static int read_arguments(int argc, char **argv)
{
    if (argc < 4)
        return -1;
    s.name = argv[1];
    s.size = atoi(argv[2]);
    s.steps = atol(argv[3]);
    if (argc > 5 && !strcmp(argv[4], "--pace"))
        s.pace = (double)atol(argv[5]) / 1000;
    return s.size < s.processes + 2 || s.size > 30000 || s.steps < 1 ? -1 : 0;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = hear, .sa_flags = SA_RESTART};
    int stops = 0;

    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.processes);
    if (read_arguments(argc, argv)) {
        if (!s.rank)
            fprintf(stderr, "usage: stencil_mpi NAME SIZE STEPS [--pace MILLISECONDS]; SIZE from 2 "
                            "more than the processes on, STEPS from 1\n");
        MPI_Finalize();
        return 2;
    }
    begin();
    while (s.step < s.steps && !stops)
        stops = turn();
    if (s.step >= s.steps) {
        note_progress();
        put("heat", "", 0);
        if (!s.rank)
            printf("done\n");
    }
    free(s.now);
    free(s.next);
    MPI_Finalize();
    return 0;
}
