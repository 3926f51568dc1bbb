/* bag.c - the exact method on project files and on plain bags (spec/bag.md 14).
 *
 * usage: bench_bag [--seconds S] [--moves N] [DIRECTORY...]
 *
 * A directory holds files of PSPLIB or MMLIB and best.csv (file,path,best_known,lower_bound); each
 * gets S seconds of processor time (default 10).  The common part of its names is a set: j30 .sm,
 * J50 .mm.  Without a directory random bags: plain ones by the effort exact, applications on 40
 * processors, powers of two or every count; general ones of 40 tasks with GPUs and memory, without
 * and with precedence.  A row: files, proven (or proven that no plan keeps the budgets), mean
 * deviation from the best known value, mean seconds.  A value below the published bound, or a proof
 * of another value, ends with status 1.
 */
#include "problems/moldable/bag/bag.h"
#include "base/arena.h"
#include "base/lines.h"
#include "base/splitmix.h"
#include "io/modes.h"
#include "io/psplib.h"
#include "problems/moldable/policy.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETS = 64, FILES = 20000 };

struct set {
    char name[24];
    int files, proven, planned;
    double deviation, seconds;
};

struct best {
    char file[40];
    double value, bound; /* infinite value: no plan keeps the budgets */
};

struct bench {
    struct set set[SETS];
    int sets, moves, wrong;
    double seconds;
    struct best *best;
    int bests;
};

static double processor_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct clock {
    double end;
};

static bool clock_expired(const void *who)
{
    return processor_time() > ((const struct clock *)who)->end;
}

struct answer {
    double makespan, bound, least; /* least: the bound before the search */
    double seconds;
    bool closed, kept;
};

static struct answer bag_solve(const struct cs_modes *modes, const struct bench *bench,
                               struct cs_arena *arena)
{
    const double begin = processor_time();
    const struct clock clock = {begin + bench->seconds};
    struct cs_bag_proof proof = {.conflicts = 1LL << 40, .expired = clock_expired, .who = &clock};
    struct cs_bag_relaxation relaxation;
    struct cs_bag_bounds bounds;
    struct cs_bag_plan plan;
    struct cs_error err = {0};
    struct cs_bag bag;

    if (cs_bag_create(modes, &bag, arena, &err))
        return (struct answer){.closed = true, .bound = INFINITY, .makespan = INFINITY};
    cs_bag_bound(&bag, &bounds, arena);
    cs_bag_plan_init(&plan, &bag, arena);
    cs_bag_lists(&bag, &bounds, &plan, arena);
    cs_bag_search(&bag, &bounds, 1, bench->moves, &plan, arena);
    proof.bound = bounds.least;
    if (cs_bag_relax(&bag, &relaxation, arena)) {
        proof.relaxation = &relaxation;
        proof.bound = fmax(proof.bound, relaxation.bound * (1 - 1e-9));
    }
    cs_bag_exact(&bag, &proof, &plan, arena);
    return (struct answer){plan.makespan, proof.bound,
                           bounds.least,  processor_time() - begin,
                           proof.closed,  !isinf(plan.makespan) && plan.over == 0};
}

/* The effort exact of plain bags: the search of moldable first, then both exact methods. */
static struct answer plain_solve(const struct cs_modes *modes, const struct bench *bench,
                                 struct cs_arena *arena)
{
    const double begin = processor_time();
    const struct clock clock = {begin + bench->seconds};
    const struct cs_moldable_request request = {.seed = 1, .expired = clock_expired, .who = &clock};
    const struct cs_moldable_options options = {0};
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, modes->tasks);
    struct cs_moldable_plan *plan = cs_moldable_plan_create(modes->tasks);
    struct cs_moldable_instance *in;
    struct cs_workload *workload;
    struct cs_error err = {0};
    struct answer answer;

    for (int i = 0; i < modes->tasks; i++)
        profile[i] = cs_modes_profile(modes, i, arena);
    workload = cs_workload_create(modes->tasks, modes->task_name, profile, &err);
    in = cs_moldable_instance_create(workload, (int)modes->capacity[0], &options, &err);
    if (!in || cs_moldable_effort_plan(in, CS_MOLDABLE_EFFORT_EXACT, &request, plan, &err)) {
        printf("%s\n", err.text);
        exit(1);
    }
    answer = (struct answer){plan->makespan,
                             fmin(plan->bound, plan->makespan),
                             0,
                             processor_time() - begin,
                             plan->optimal,
                             true};
    cs_moldable_instance_destroy(in);
    cs_workload_destroy(workload);
    cs_moldable_plan_destroy(plan);
    return answer;
}

static struct set *set_find(struct bench *bench, const char *name)
{
    for (int k = 0; k < bench->sets; k++)
        if (strcmp(bench->set[k].name, name) == 0)
            return &bench->set[k];
    if (bench->sets == SETS)
        abort();
    snprintf(bench->set[bench->sets].name, sizeof bench->set->name, "%s", name);
    return &bench->set[bench->sets++];
}

/* j3010_1.sm: j30 .sm; r517_9.mm: r5 .mm; J50100_1.mm: J50 .mm; J100100_1.mm: J100 .mm. */
static void set_name(const char *file, char *name, size_t size)
{
    const char *end = strrchr(file, '.');
    int digits = 2;

    if (strchr("mnr", file[0]))
        digits = 1;
    else if (strncmp(file, "J100", 4) == 0)
        digits = 3;
    snprintf(name, size, "%.*s %s", 1 + digits, file, end ? end : "");
}

static const struct best *best_find(const struct bench *bench, const char *file)
{
    for (int k = 0; k < bench->bests; k++)
        if (strcmp(bench->best[k].file, file) == 0)
            return &bench->best[k];
    return NULL;
}

static void bests_read(struct bench *bench, const char *directory)
{
    char path[4096], *line;
    struct cs_error err = {0};
    struct cs_lines *lines;
    size_t length;

    snprintf(path, sizeof path, "%s/best.csv", directory);
    lines = cs_lines_open(path, &err);
    while (lines && bench->bests < FILES && cs_lines_next(lines, &line, &length, &err) > 0) {
        struct best *b = &bench->best[bench->bests];
        char *value = strchr(line, ','), *bound;

        value = value ? strchr(value + 1, ',') : NULL;
        if (!value)
            continue;
        snprintf(b->file, sizeof b->file, "%.*s", (int)strcspn(line, ","), line);
        bound = strchr(value + 1, ',');
        b->value = strncmp(value + 1, "infeasible", 10) == 0 ? INFINITY : atof(value + 1);
        b->bound = bound ? atof(bound + 1) : 0;
        bench->bests += b->value > 0;
    }
    cs_lines_close(lines);
}

/* Compare with the published values. */
static void answer_add(struct bench *bench, struct set *set, const char *file,
                       const struct answer *a, const struct best *best)
{
    const bool never = a->closed && isinf(a->bound);
    bool wrong = false;

    set->files++;
    set->proven += a->closed;
    set->seconds += a->seconds;
    if (best && isinf(best->value))
        wrong = a->kept;
    else if (best)
        wrong = never || (a->kept && a->makespan < best->bound) || a->bound > best->value;
    if (a->kept) {
        const double against = best ? best->value : a->bound;

        set->planned++;
        set->deviation += a->makespan / against - 1;
    }
    bench->wrong += wrong;
    printf("%-16s %-8s %10.6g bound %10.6g  %6.2f s%s\n", file,
           never       ? "no plan"
           : a->closed ? "proven"
                       : "open",
           a->kept ? a->makespan : INFINITY, a->bound, a->seconds, wrong ? "  WRONG" : "");
    fflush(stdout);
}

static void file_run(struct bench *bench, const char *directory, const char *file)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    struct cs_modes modes;
    struct cs_lines *lines;
    char path[4096], name[24];

    snprintf(path, sizeof path, "%s/%s", directory, file);
    lines = cs_lines_open(path, &err);
    if (!lines || cs_psplib_read(lines, strstr(file, ".rcp") != NULL, arena, &modes, &err)) {
        printf("%s\n", err.text);
        bench->wrong++;
    } else {
        const struct answer answer = bag_solve(&modes, bench, arena);

        set_name(file, name, sizeof name);
        answer_add(bench, set_find(bench, name), file, &answer, best_find(bench, file));
    }
    cs_lines_close(lines);
    cs_arena_destroy(arena);
}

static int file_wanted(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return end && (!strcmp(end, ".sm") || !strcmp(end, ".mm") || !strcmp(end, ".rcp"));
}

static void directory_run(struct bench *bench, const char *directory)
{
    struct dirent **entry;
    const int count = scandir(directory, &entry, file_wanted, alphasort);

    bests_read(bench, directory);
    for (int k = 0; k < count; k++) {
        file_run(bench, directory, entry[k]->d_name);
        free(entry[k]);
    }
    if (count >= 0)
        free(entry);
}

/* Amdahl's law with overhead: work (serial + (1 - serial) / c + overhead (c - 1)). */
static void plain_modes(struct cs_splitmix *random, int tasks, int procs, bool every,
                        struct cs_modes *m, struct cs_arena *arena)
{
    int *first = CS_NEW_ARRAY(arena, int, tasks + 1), count = 0;
    double *seconds = CS_NEW_ARRAY(arena, double, tasks *procs);
    int64_t *use = CS_NEW_ARRAY(arena, int64_t, tasks * procs);
    const char **name = CS_NEW_ARRAY(arena, const char *, tasks);

    for (int i = 0; i < tasks; i++) {
        const double work = 100 + 900 * (double)cs_splitmix_below(random, 1000000) / 1e6;
        const double serial = 0.15 * (double)cs_splitmix_below(random, 1000000) / 1e6;

        name[i] =
            cs_arena_strdup(arena, (char[]){'t', (char)('0' + i / 10), (char)('0' + i % 10), 0});
        for (int c = 1; c <= procs; c = every ? c + 1 : 2 * c) {
            seconds[count] = work * (serial + (1 - serial) / c);
            use[count++] = c;
        }
        first[i + 1] = count;
    }
    *m = (struct cs_modes){.tasks = tasks, .resources = 1, .task_name = name, .first = first};
    m->seconds = seconds;
    m->use = use;
}

static void random_answer(struct bench *bench, const char *set, int bag,
                          const struct answer *answer)
{
    char file[24];

    snprintf(file, sizeof file, "bag %d", bag);
    answer_add(bench, set_find(bench, set), file, answer, NULL);
}

static void plain_run(struct bench *bench, int tasks, int procs, bool every, int bags)
{
    const char *const procs_name = "procs";
    char name[24];

    snprintf(name, sizeof name, "%d on %d%s", tasks, procs, every ? " every" : " powers");
    for (int k = 0; k < bags; k++) {
        struct cs_splitmix random = {(uint64_t)k + 1};
        struct cs_arena *arena = cs_arena_create();
        const int64_t capacity = procs;
        struct cs_modes modes;
        struct answer answer;

        plain_modes(&random, tasks, procs, every, &modes, arena);
        modes.resource_name = &procs_name;
        modes.capacity = &capacity;
        modes.before_first = CS_NEW_ARRAY(arena, int, tasks + 1);
        answer = plain_solve(&modes, bench, arena);
        random_answer(bench, name, k + 1, &answer);
        cs_arena_destroy(arena);
    }
}

/* 40 tasks on 64 processors, 8 GPUs and 128 GB: each on 1 to 16 processors by Amdahl's law, half of
 * them also on 4 processors and GPUs; with arcs each waits for up to two of the last ten. */
static void general_modes(struct cs_splitmix *random, bool arcs, struct cs_modes *m,
                          struct cs_arena *arena)
{
    enum { TASKS = 40, MODES = 7 };
    static const char *const resource[] = {"procs", "gpus", "memory"};
    static const int64_t capacity[] = {64, 8, 128};
    int *first = CS_NEW_ARRAY(arena, int, TASKS + 1), *from = CS_NEW_ARRAY(arena, int, TASKS + 1),
        *before = CS_NEW_ARRAY(arena, int, 2 * TASKS), count = 0, given = 0;
    double *seconds = CS_NEW_ARRAY(arena, double, TASKS *MODES);
    int64_t *use = CS_NEW_ARRAY(arena, int64_t, 3 * TASKS * MODES);
    const char **name = CS_NEW_ARRAY(arena, const char *, TASKS);

    for (int i = 0; i < TASKS; i++) {
        const int work = 100 + (int)cs_splitmix_below(random, 900),
                  memory = 1 + (int)cs_splitmix_below(random, 32);
        const double serial = 0.15 * (double)cs_splitmix_below(random, 1000000) / 1e6;
        const bool gpu = cs_splitmix_below(random, 2) == 0;

        name[i] = "task";
        for (int k = 0; k < (gpu ? MODES : 5); k++) {
            const int procs = k < 5 ? 1 << k : 4, gpus = k < 5 ? 0 : 1 << (k - 5);
            const double speed = gpus ? 10 * gpus : procs;

            use[3 * count] = procs;
            use[3 * count + 1] = gpus;
            use[3 * count + 2] = memory;
            seconds[count++] = round(work * (serial + (1 - serial) / speed));
        }
        first[i + 1] = count;
        for (int k = 0; arcs && k < 2; k++) {
            const int other = i - 1 - (int)cs_splitmix_below(random, 10);

            if (other >= 0 && (given == from[i] || before[given - 1] != other))
                before[given++] = other;
        }
        from[i + 1] = given;
    }
    *m = (struct cs_modes){.tasks = TASKS, .resources = 3, .task_name = name, .first = first};
    m->resource_name = resource;
    m->capacity = capacity;
    m->seconds = seconds;
    m->use = use;
    m->before_first = from;
    m->before = before;
}

static void general_run(struct bench *bench, bool arcs, int bags)
{
    for (int k = 0; k < bags; k++) {
        struct cs_splitmix random = {(uint64_t)k + 1};
        struct cs_arena *arena = cs_arena_create();
        struct cs_modes modes;
        struct answer answer;

        general_modes(&random, arcs, &modes, arena);
        answer = bag_solve(&modes, bench, arena);
        random_answer(bench, arcs ? "40 tasks, arcs" : "40 tasks, GPUs", k + 1, &answer);
        cs_arena_destroy(arena);
    }
}

static void table_print(const struct bench *bench)
{
    printf("\n%-16s %6s %8s %8s %10s %8s\n", "set", "files", "proven", "plans", "deviation",
           "seconds");
    for (int k = 0; k < bench->sets; k++) {
        const struct set *s = &bench->set[k];

        printf("%-16s %6d %8d %8d %9.3f%% %8.2f\n", s->name, s->files, s->proven, s->planned,
               s->planned ? 100 * s->deviation / s->planned : 0, s->seconds / s->files);
    }
}

int main(int argc, char **argv)
{
    static struct bench bench = {.moves = 20000, .seconds = 10};
    bool plain = true;

    bench.best = calloc(FILES, sizeof *bench.best);
    if (!bench.best)
        return 1;
    for (int a = 1; a < argc; a++)
        if (!strcmp(argv[a], "--seconds") && a + 1 < argc)
            bench.seconds = atof(argv[++a]);
        else if (!strcmp(argv[a], "--moves") && a + 1 < argc)
            bench.moves = atoi(argv[++a]);
        else {
            plain = false;
            directory_run(&bench, argv[a]);
        }
    if (plain) {
        plain_run(&bench, 15, 40, false, 10);
        plain_run(&bench, 10, 40, true, 10);
        plain_run(&bench, 15, 40, true, 10);
        plain_run(&bench, 30, 40, false, 4);
        general_run(&bench, false, 4);
        general_run(&bench, true, 4);
    }
    table_print(&bench);
    free(bench.best);
    return bench.wrong > 0;
}
