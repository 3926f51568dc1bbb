/* generate.c - the applications of the paper's experiments: random graphs in the manner of daggen,
 * fast Fourier transforms, Strassen products.
 *
 * Source: N'takpe, Suter, section 7; spec/ptg.md 10.
 *
 * Idea: a task works on d = side^2 doubles and sends 8 d bytes along each arc.  Random graphs are
 * made generation by generation, each task with parents in generations above; the other families
 * have a fixed shape and one cost for each level.
 *
 * Invariants
 *   - all draws come from one splitmix64 in a fixed order (golden cases): a draw that is added in
 *     the middle changes all graphs after it.
 *   - arcs lead to later tasks only, so the graph has no cycle; no two arcs join the same tasks.
 *   - every task of a random graph but those of the first generation has a parent.  Precedence
 *     levels may differ from generations when arcs jump (cs_graph_create computes them).
 *
 * Complexity: O(V + A) and, for each parent of a random graph, at most one turn through its
 * generation to find a task that is not a parent yet.
 *
 * Constants: TASKS_MOST, POINTS_MOST and ARCS_MOST only limit the size of a graph.  The ranges of
 * costs and shapes are those of spec/ptg.md 10 and are not tuned.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/splitmix.h"
#include "base/vector.h"
#include "problems/ptg/ptg.h"

#include <math.h>

#define TASKS_MOST 10000000
#define POINTS_MOST (1 << 18)
#define ARCS_MOST 200000000

struct draft {
    struct cs_graph_task *task;
    double *bytes; /* by task: along each of its arcs */
    int tasks, arcs, room;
    struct cs_graph_arc *arc;
    struct cs_arena *arena;
};

struct cost {
    double flops, alpha, bytes;
};

static double generate_uniform(struct cs_splitmix *random)
{
    return (double)(cs_splitmix_next(random) >> 11) * 0x1p-53;
}

static double generate_between(struct cs_splitmix *random, double a, double b)
{
    return a + (b - a) * generate_uniform(random);
}

static int generate_below(struct cs_splitmix *random, int n)
{
    return (int)floor(n * generate_uniform(random));
}

/* Size, factor, class (only if mixed) and alpha, drawn in this order. */
static struct cost draw_cost(struct cs_splitmix *random, enum cs_ptg_cost kind)
{
    double side = 1024 * floor(generate_between(random, 2048, 11264) / 1024);
    double a = generate_between(random, 64, 512), d = side * side;
    int class = kind == CS_PTG_COST_MIXED ? 1 + generate_below(random, 3) : (int)kind;
    double alpha = generate_between(random, 0, 0.25), flops = d * side;

    if (class == CS_PTG_COST_LINEAR)
        flops = a * d;
    else if (class == CS_PTG_COST_SORT)
        flops = a * d * log2(d);
    return (struct cost){flops, alpha, 8 * d};
}

static void add_tasks(struct draft *draft, int count, const struct cost *cost)
{
    for (int i = 0; i < count; i++) {
        draft->task[draft->tasks] =
            (struct cs_graph_task){.flops = cost->flops, .alpha = cost->alpha};
        draft->bytes[draft->tasks++] = cost->bytes;
    }
}

static void add_arc(struct draft *draft, int from, int to)
{
    CS_ARENA_ROOM(draft->arena, draft->arc, draft->arcs, draft->room, 64);
    draft->arc[draft->arcs++] = (struct cs_graph_arc){from, to, draft->bytes[from]};
}

static void generate_make_room(struct draft *draft, int tasks)
{
    draft->task = CS_NEW_ARRAY(draft->arena, struct cs_graph_task, tasks);
    draft->bytes = CS_NEW_ARRAY(draft->arena, double, tasks);
}

/* Level by level: how many tasks, and their costs.  first[l]: the first task of generation level l;
 * returns how many levels there are. */
static int draw_levels(struct cs_splitmix *random, const struct cs_ptg_generator *generator,
                       struct draft *draft, int *first)
{
    double perfect = floor(pow(generator->tasks, generator->width));
    double spread = 100 - 100 * generator->regular;
    int levels = 0;

    while (draft->tasks < generator->tasks) {
        double size = floor(perfect * (1 + generate_between(random, -spread, spread) / 100));
        int left = generator->tasks - draft->tasks;

        size = fmin(fmax(1, size), left);
        for (int i = 0; i < size; i++) {
            struct cost cost = draw_cost(random, generator->cost);

            add_tasks(draft, 1, &cost);
        }
        first[++levels] = draft->tasks;
    }
    return levels;
}

/* The parents of one task of level i; mark[v] == task: v is one already. */
static void draw_parents(struct cs_splitmix *random, const struct cs_ptg_generator *generator,
                         struct draft *draft, const int *first, int i, int task, int *mark)
{
    int above = first[i] - first[i - 1];
    double parents = 1 + floor(generate_between(random, 0, generator->density * above));

    for (int k = 0; k < parents && k < above; k++) {
        double jump = floor(generate_between(random, 1, generator->jump + 1.0));
        int level = jump < i ? i - (int)jump : 0, size = first[level + 1] - first[level];
        int at = generate_below(random, size), turn = 0;

        while (turn < size && mark[first[level] + at] == task) {
            at = (at + 1) % size;
            turn++;
        }
        if (turn == size)
            continue;
        mark[first[level] + at] = task;
        add_arc(draft, first[level] + at, task);
    }
}

static void make_random(struct cs_splitmix *random, const struct cs_ptg_generator *generator,
                        struct draft *draft)
{
    int *first = CS_NEW_ARRAY(draft->arena, int, generator->tasks + 1);
    int *mark = CS_NEW_ARRAY(draft->arena, int, generator->tasks);
    int levels;

    generate_make_room(draft, generator->tasks);
    for (int v = 0; v < generator->tasks; v++)
        mark[v] = -1;
    levels = draw_levels(random, generator, draft, first);
    for (int i = 1; i < levels; i++)
        for (int v = first[i]; v < first[i + 1]; v++)
            draw_parents(random, generator, draft, first, i, v, mark);
}

/* A binary tree of 2k - 1 calls, then log2 k butterfly levels of k tasks. */
static void make_fft(struct cs_splitmix *random, const struct cs_ptg_generator *generator,
                     struct draft *draft)
{
    int k = generator->points, depth = 0;

    while (1 << depth < k)
        depth++;
    generate_make_room(draft, 2 * k - 1 + depth * k);
    for (int level = 0; level <= 2 * depth; level++) {
        struct cost cost = draw_cost(random, generator->cost);

        add_tasks(draft, level <= depth ? 1 << level : k, &cost);
    }
    for (int v = 0; v < k - 1; v++) {
        add_arc(draft, v, 2 * v + 1);
        add_arc(draft, v, 2 * v + 2);
    }
    for (int b = 0; b < depth; b++)
        for (int j = 0; j < k; j++) {
            int above = k - 1 + b * k;

            add_arc(draft, above + j, above + k + j);
            add_arc(draft, above + (j ^ (1 << b)), above + k + j);
        }
}

/* 10 additions, 7 products, 6 and 2 additions: 25 tasks. */
static void make_strassen(struct cs_splitmix *random, const struct cs_ptg_generator *generator,
                          struct draft *draft)
{
    static const int width[] = {10, 7, 6, 2};
    /* Sums 0-9, products M1-M7 as 10-16, sums 17-22 (the last two are C12 and C21), C11, C22. */
    static const int arc[][2] = {
        {0, 10},  {1, 10},  {2, 11},  {3, 12},  {4, 13},  {5, 14},  {6, 15},  {7, 15},  {8, 16},
        {9, 16},  {10, 17}, {13, 17}, {16, 18}, {14, 18}, {10, 19}, {11, 19}, {12, 20}, {15, 20},
        {12, 21}, {14, 21}, {11, 22}, {13, 22}, {17, 23}, {18, 23}, {19, 24}, {20, 24},
    };

    generate_make_room(draft, 25);
    for (int level = 0; level < 4; level++) {
        struct cost cost = draw_cost(random, generator->cost);

        add_tasks(draft, width[level], &cost);
    }
    for (size_t a = 0; a < sizeof arc / sizeof *arc; a++)
        add_arc(draft, arc[a][0], arc[a][1]);
}

static int check_random(const struct cs_ptg_generator *r, struct cs_error *err)
{
    const struct {
        const char *name;
        double value;
    } part[] = {{"width", r->width}, {"regularity", r->regular}, {"density", r->density}};

    if (r->tasks < 1 || r->tasks > TASKS_MOST)
        return cs_error_set(err, "%d tasks are not in 1 .. %d", r->tasks, TASKS_MOST);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (!(part[i].value >= 0 && part[i].value <= 1))
            return cs_error_set(err, "the %s is %g, it must be in 0 .. 1", part[i].name,
                                part[i].value);
    if (r->jump < 1)
        return cs_error_set(err, "the jump is %d levels, it must be at least 1", r->jump);
    if (r->density * r->tasks * 2 * pow(r->tasks, r->width) > ARCS_MOST)
        return cs_error_set(err, "that would be more than %d arcs: take a lower density or width",
                            ARCS_MOST);
    return 0;
}

static int check_generator(const struct cs_ptg_generator *r, struct cs_error *err)
{
    if (!cs_ptg_family_name((int)r->family))
        return cs_error_set(err, "there is no family of graphs number %d", (int)r->family);
    if ((int)r->cost < 0 || r->cost > CS_PTG_COST_MATRIX)
        return cs_error_set(err, "there is no cost scenario number %d", (int)r->cost);
    if (r->family == CS_PTG_RANDOM)
        return check_random(r, err);
    if (r->family == CS_PTG_FFT &&
        (r->points < 2 || r->points > POINTS_MOST || (r->points & (r->points - 1))))
        return cs_error_set(err, "%d points are not a power of two in 2 .. %d", r->points,
                            POINTS_MOST);
    return 0;
}

const char *cs_ptg_family_name(int family)
{
    static const char *const names[] = {"random", "fft", "strassen"};

    return family >= 0 && family < 3 ? names[family] : NULL;
}

static struct cs_graph *generate_make(const char *name, const struct cs_ptg_generator *generator,
                                      struct cs_splitmix *random, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct draft draft = {.arena = arena};
    struct cs_graph *graph;

    if (generator->family == CS_PTG_RANDOM)
        make_random(random, generator, &draft);
    else if (generator->family == CS_PTG_FFT)
        make_fft(random, generator, &draft);
    else
        make_strassen(random, generator, &draft);
    graph = cs_graph_create(name ? name : cs_ptg_family_name((int)generator->family), draft.tasks,
                            draft.task, draft.arcs, draft.arc, err);
    cs_arena_destroy(arena);
    return graph;
}

struct cs_graph *cs_ptg_generate(const char *name, const struct cs_ptg_generator *generator,
                                 struct cs_error *err)
{
    CS_ASK(generator, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_splitmix random = {generator->seed};

    if (check_generator(generator, err))
        return NULL;
    return generate_make(name, generator, &random, err);
}

/* The shapes and sizes of the paper; the order of the draws is that of spec/ptg.md 10. */
static struct cs_ptg_generator draw_generator(struct cs_splitmix *random, enum cs_ptg_family family)
{
    static const int tasks[] = {10, 20, 50}, jump[] = {1, 2, 4}, points[] = {4, 8, 16};
    static const double width[] = {0.2, 0.5, 0.8}, two[] = {0.2, 0.8};
    struct cs_ptg_generator r = {.family = family,
                                 .cost = (enum cs_ptg_cost)generate_below(random, 4)};

    if (family == CS_PTG_FFT)
        r.points = points[generate_below(random, 3)];
    if (family != CS_PTG_RANDOM)
        return r;
    r.tasks = tasks[generate_below(random, 3)];
    r.width = width[generate_below(random, 3)];
    r.regular = two[generate_below(random, 2)];
    r.density = two[generate_below(random, 2)];
    r.jump = jump[generate_below(random, 3)];
    return r;
}

int cs_ptg_generate_run(uint64_t seed, enum cs_ptg_family family, int graphs, int combination,
                        struct cs_graph **graph, struct cs_error *err)
{
    CS_ASK(cs_ptg_family_name((int)family) && graph, err, -1);
    CS_GUARD(err, -1);
    struct cs_splitmix base = {seed * 1000003 + (uint64_t)family * 10007 + (uint64_t)graphs * 101 +
                               (uint64_t)combination};
    struct cs_splitmix random = {cs_splitmix_next(&base)};
    char name[40];

    for (int g = 0; g < graphs; g++) {
        struct cs_ptg_generator generator = draw_generator(&random, family);

        cs_plain_print(name, sizeof name, "%s%d", cs_ptg_family_name((int)family), g);
        graph[g] = generate_make(name, &generator, &random, NULL);
    }
    return 0;
}
