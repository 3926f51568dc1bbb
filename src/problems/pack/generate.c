/* generate.c - workloads in the manner of Section 6 of the paper.
 *
 * Source: Aupy et al., Section 6; docs/spec/pack.md 7; docs/papers.md.
 *
 * The paper names the ingredients of its workloads but not their sizes, constants and combinations,
 * and its Workload-I was measured. The workloads made here are stand-ins for them: the choices are
 * those of docs/papers.md, the numbers of Workload-I are invented.
 *
 * Invariants: times never rise and work never falls with the processors (the repair of
 * docs/spec/pack.md 2.2); the same options and seed give the same bytes.
 * Complexity: O(n p) for tables, O(n) for formulas.
 * The numbers are those of docs/spec/pack.md 7; they are choices, not measurements.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "base/watch.h"
#include "model/moldable.h"
#include "problems/pack/pack.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Section 6 of the paper: t(m, q) = f t1(m) + (1 - f) t1(m) / q + kappa(m, q) on q = 8 j cores,
 * where t1 = 1000 seconds at m = 1000 and kappa is scaled so that its larger value of those at
 * 8 and at 128 cores is `peak` * 1000 seconds at m = 1000. */
#define CS_PACK_FORMS 4     /* t1: m, m log m, m^2, m^3 */
#define CS_PACK_OVERHEADS 6 /* log q, (log q)^2, q log q, m q log q, sqrt(m / q), m log q */
#define CS_PACK_CORES 8     /* cores of a processor: a multicore node */

struct cs_pack_task {
    int form, overhead;
    double size;     /* m > 1 */
    double fraction; /* f, 0 .. 1 */
    double peak;     /* 0 .. */
};

#define SIZES 4
#define FRACTIONS 5
#define PAIRS 13
#define PURPOSE 1001 /* of the random stream: making tasks */

struct maker {
    const struct cs_pack_generator *options;
    struct cs_rng rng;
    struct cs_arena *arena;
    int count;
    const char **name;
    struct cs_profile *profile;
};

static const char *const form_name[CS_PACK_FORMS] = {"m", "mlogm", "m2", "m3"};
static const char *const overhead_name[CS_PACK_OVERHEADS] = {"logq",   "log2q",  "qlogq",
                                                             "mqlogq", "sqrtmq", "mlogq"};
static const double fractions[FRACTIONS] = {0, 0.04, 0.08, 0.16, 0.32};
static const double sizes_a[SIZES] = {1600, 1400, 1200, 1000};
static const double sizes_b[SIZES] = {1000, 2000, 4000, 8000};

static double generate_form(int which, double m)
{
    switch (which) {
    case 0:
        return m;
    case 1:
        return m * log2(m);
    case 2:
        return m * m;
    default:
        return m * m * m;
    }
}

static double generate_overhead(int which, double m, double q)
{
    switch (which) {
    case 0:
        return log2(q);
    case 1:
        return log2(q) * log2(q);
    case 2:
        return q * log2(q);
    case 3:
        return m * q * log2(q);
    case 4:
        return sqrt(m / q);
    default:
        return m * log2(q);
    }
}

/* The repaired times on 1 .. procs processors, in seconds. */
static void fill_times(const struct cs_pack_task *task, int procs, double *seconds)
{
    double one = 1000 / generate_form(task->form, 1000) * generate_form(task->form, task->size);
    double most = fmax(generate_overhead(task->overhead, 1000, 8),
                       generate_overhead(task->overhead, 1000, 128));
    double scale = task->peak * 1000 / most, largest;

    for (int j = 1; j <= procs; j++) {
        double q = (double)CS_PACK_CORES * j;

        seconds[j - 1] = task->fraction * one + (1 - task->fraction) * one / q +
                         scale * generate_overhead(task->overhead, task->size, q);
    }
    cs_moldable_repair(seconds, procs, seconds, &largest);
}

static void generate_start(struct maker *make, int count)
{
    make->count = count;
    make->name = CS_NEW_ARRAY(make->arena, const char *, count);
    make->profile = CS_NEW_ARRAY(make->arena, struct cs_profile, count);
}

static const char *copy_name(struct maker *make, struct cs_strbuf *text)
{
    const char *name = cs_arena_strdup(make->arena, text->text);

    cs_strbuf_release(text);
    return name;
}

static double *add_table(struct maker *make, int i)
{
    int procs = make->options->procs;
    double *seconds = CS_NEW_ARRAY(make->arena, double, procs);

    make->profile[i] =
        (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = procs, .seconds = seconds};
    return seconds;
}

/* "m2-qlogq-f16-1200": sequential time, overhead, percent sequential, size. */
static void generate_add_task(struct maker *make, int i, const struct cs_pack_task *task)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "%s-%s-f%g-%g", form_name[task->form], overhead_name[task->overhead],
                     round(100 * task->fraction), round(task->size));
    make->name[i] = copy_name(make, &name);
    fill_times(task, make->options->procs, add_table(make, i));
}

/* Ten invented applications: T1 (f + (1 - f) / j + o log2 j). */
static void make_i(struct maker *make)
{
    static const struct {
        const char *name;
        double one, fraction, overhead;
    } app[] = {
        {"vasp-like-1", 2400, .04, .0032},    {"vasp-like-2", 1500, .064, .0048},
        {"vasp-like-3", 900, .048, .008},     {"abaqus-like-1", 1800, .08, .0032},
        {"abaqus-like-2", 1100, .1, .0048},   {"lammps-like-1", 2000, .008, .0008},
        {"lammps-like-2", 1200, .012, .0016}, {"lammps-like-3", 700, .02, .0024},
        {"petsc-like-1", 800, .032, .0064},   {"petsc-like-2", 500, .04, .0096},
    };

    generate_start(make, (int)(sizeof app / sizeof *app));
    for (int i = 0; i < make->count; i++) {
        const struct cs_profile formula = {.kind = CS_PROFILE_OVERHEAD,
                                           .seq_time = app[i].one,
                                           .seq_fraction = app[i].fraction,
                                           .overhead = app[i].overhead};
        int procs = make->options->procs;
        double *seconds = add_table(make, i), largest;

        make->name[i] = app[i].name;
        for (int j = 1; j <= procs; j++)
            seconds[j - 1] = cs_profile_time(&formula, j);
        cs_moldable_repair(seconds, procs, seconds, &largest);
    }
}

/* Pair x of a form and an overhead; the 13 pairs differ. */
static struct cs_pack_task generate_pair(int x, double size, int fraction)
{
    return (struct cs_pack_task){.form = x % CS_PACK_FORMS,
                                 .overhead = (x + x / 12) % CS_PACK_OVERHEADS,
                                 .size = size,
                                 .fraction = fractions[fraction],
                                 .peak = 0.08};
}

static void make_ii(struct maker *make, const double *sizes)
{
    int i = 0;

    generate_start(make, PAIRS * FRACTIONS);
    for (int x = 0; x < PAIRS; x++)
        for (int f = 0; f < FRACTIONS; f++) {
            struct cs_pack_task task = generate_pair(x, sizes[x % SIZES], f);

            generate_add_task(make, i++, &task);
        }
}

static void make_iii(struct maker *make, const double *sizes)
{
    int i = 0;

    generate_start(make, PAIRS * SIZES * FRACTIONS);
    for (int x = 0; x < PAIRS; x++)
        for (int s = 0; s < SIZES; s++)
            for (int f = 0; f < FRACTIONS; f++) {
                struct cs_pack_task task = generate_pair(x, sizes[s], f);

                generate_add_task(make, i++, &task);
            }
}

static void make_ii_a(struct maker *make)
{
    make_ii(make, sizes_a);
}

static void make_ii_b(struct maker *make)
{
    make_ii(make, sizes_b);
}

static void make_iii_a(struct maker *make)
{
    make_iii(make, sizes_a);
}

static void make_iii_b(struct maker *make)
{
    make_iii(make, sizes_b);
}

static double generate_between(struct maker *make, double low, double high)
{
    return low + (high - low) * cs_rng_uniform(&make->rng);
}

static int generate_draw(struct maker *make, int count)
{
    return (int)cs_rng_below(&make->rng, (uint64_t)count);
}

/* Two tasks may be alike, so names carry the number of the task. */
static void make_random(struct maker *make)
{
    double ratio = pow(16, generate_between(make, 0, 1)), peak = generate_between(make, 0.01, 0.30);

    generate_start(make, make->options->tasks);
    for (int i = 0; i < make->count && !cs_watch_calls(); i++) {
        struct cs_pack_task task = {.peak = peak};
        struct cs_strbuf name = CS_STRBUF_INIT;

        task.form = generate_draw(make, CS_PACK_FORMS);
        task.overhead = generate_draw(make, CS_PACK_OVERHEADS);
        task.size = 1000 * pow(ratio, generate_between(make, 0, 1));
        task.fraction = generate_between(make, 0, 0.32);
        generate_add_task(make, i, &task);
        cs_strbuf_printf(&name, "%d-%s", i, make->name[i]);
        make->name[i] = copy_name(make, &name);
    }
}

/* Sequential times over two decades; every other task has an overhead. */
static void make_formula(struct maker *make)
{
    generate_start(make, make->options->tasks);
    for (int i = 0; i < make->count; i++) {
        bool amdahl = i % 2 == 0;
        struct cs_strbuf name = CS_STRBUF_INIT;

        cs_strbuf_printf(&name, "%s%d", amdahl ? "amdahl" : "overhead", i);
        make->name[i] = copy_name(make, &name);
        make->profile[i].kind = amdahl ? CS_PROFILE_AMDAHL : CS_PROFILE_OVERHEAD;
        make->profile[i].seq_time = 1000 * pow(100, generate_between(make, 0, 1));
        make->profile[i].seq_fraction = 0.1 * pow(generate_between(make, 0, 1), 3);
        make->profile[i].overhead = amdahl ? 0 : generate_between(make, 0, 1e-4);
    }
}

static const struct {
    struct cs_pack_workload shown;
    void (*make)(struct maker *make);
    const char *source;
} workloads[] = {
    {{"i", "10 invented applications in place of the measured Workload-I", 10, 16},
     make_i,
     "stand-in for Workload-I of Aupy et al. (invented numbers, not measurements)"},
    {{"ii-a", "65 synthetic tasks of similar sizes in place of Workload-II", 65, 16},
     make_ii_a,
     "stand-in for Workload-II of Aupy et al., sizes 1000 to 1600"},
    {{"ii-b", "65 synthetic tasks of sizes 1 to 8 in place of Workload-II", 65, 16},
     make_ii_b,
     "stand-in for Workload-II of Aupy et al., sizes 1000 to 8000"},
    {{"iii-a", "260 synthetic tasks of similar sizes in place of Workload-III", 260, 32},
     make_iii_a,
     "stand-in for Workload-III of Aupy et al., sizes 1000 to 1600"},
    {{"iii-b", "260 synthetic tasks of sizes 1 to 8 in place of Workload-III", 260, 32},
     make_iii_b,
     "stand-in for Workload-III of Aupy et al., sizes 1000 to 8000"},
    {{"random", "tasks of the same kind, drawn at random", 0, 16},
     make_random,
     "drawn at random in the manner of Workload-II of Aupy et al."},
    {{"formula", "Amdahl formulas without and with overhead, for very many tasks", 0, 16},
     make_formula,
     "formulas drawn at random"},
};

#define WORKLOADS ((int)(sizeof workloads / sizeof *workloads))

const struct cs_pack_workload *cs_pack_workload_at(int index)
{
    return index >= 0 && index < WORKLOADS ? &workloads[index].shown : NULL;
}

static int generate_find(const char *name, struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;
    int found = -1;

    for (int w = 0; w < WORKLOADS; w++) {
        if (!strcmp(workloads[w].shown.name, name))
            found = w;
        cs_strbuf_printf(&list, "%s%s", w ? ", " : "", workloads[w].shown.name);
    }
    if (found < 0)
        cs_error_set(err, "'%s' is not a workload; there are %s", name, list.text);
    cs_strbuf_release(&list);
    return found;
}

static int generate_complete(const struct cs_pack_workload *shown,
                             struct cs_pack_generator *generator, struct cs_error *err)
{
    uint64_t entries;

    if (generator->tasks < 0 || generator->procs < 0)
        return cs_error_set(err, "workload %s: %d tasks on %d processors cannot be made",
                            shown->name, generator->tasks, generator->procs);
    if (shown->tasks && generator->tasks && generator->tasks != shown->tasks)
        return cs_error_set(err, "workload %s has %d tasks, %d cannot be made", shown->name,
                            shown->tasks, generator->tasks);
    if (!generator->tasks)
        generator->tasks = shown->tasks ? shown->tasks : 65;
    if (!generator->procs)
        generator->procs = shown->procs;
    entries = (uint64_t)generator->tasks * (uint64_t)generator->procs;
    if (strcmp(shown->name, "formula") && entries > CS_MOLDABLE_TABLE_LIMIT)
        return cs_error_set(
            err,
            "workload %s: %d tasks on %d processors are %" PRIu64 " times, at most %zu "
            "are made; formula has no such limit",
            shown->name, generator->tasks, generator->procs, entries, CS_MOLDABLE_TABLE_LIMIT);
    return 0;
}

struct cs_workload *cs_pack_generate(const char *name, const struct cs_pack_generator *generator,
                                     struct cs_error *err)
{
    CS_ASK(name, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_pack_generator options = generator ? *generator : (struct cs_pack_generator){0};
    struct maker make = {.options = &options};
    struct cs_workload *workload;
    int which = generate_find(name, err);

    if (which < 0 || generate_complete(&workloads[which].shown, &options, err))
        return NULL;
    cs_rng_init(&make.rng, options.seed, PURPOSE, 0);
    make.arena = cs_arena_create();
    workloads[which].make(&make);
    workload = cs_watch_settle(0, err)
                   ? NULL
                   : cs_workload_create(make.count, make.name, make.profile, NULL);
    if (workload) {
        workload->procs = options.procs;
        workload->source = workloads[which].source;
    }
    cs_arena_destroy(make.arena);
    return workload;
}
