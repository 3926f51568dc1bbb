/* rigid_replay: jobs that arrive over time start exactly when a naive scheduler, which plans
 * everything anew at every instant, starts them. */
#include "base/splitmix.h"
#include "check/jobs.h"
#include "problems/rigid/simulate.h"
#include "property/replay_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 220
#define ROWS (8 * MOST)

struct workload {
    int count, machine;
    double verification;
    struct cs_arrival job[MOST];
};

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

enum kind { ARRIVALS = 1, ESTIMATES = 2, FAILURES = 4 };

static void workload_init(struct workload *w, uint64_t seed, int most, int kind)
{
    struct cs_splitmix random = {seed};
    int coarse = 1 + below(&random, 30), pace = below(&random, 12);
    double submit = 0;

    w->count = 1 + below(&random, most);
    w->machine = 1 + below(&random, below(&random, 4) ? 20 : 300);
    w->verification = below(&random, 3) ? 0 : below(&random, 3);
    for (int j = 0; j < w->count; j++) {
        double seconds = 1 + below(&random, coarse);

        if (kind & ARRIVALS)
            submit += below(&random, 3) ? below(&random, 1 + pace) : 0;
        w->job[j] = (struct cs_arrival){.id = j / 2, .submit = submit, .seconds = seconds};
        w->job[j].estimate =
            seconds + (kind & ESTIMATES && below(&random, 2) ? below(&random, 20) : 0);
        w->job[j].failures = kind & FAILURES && !below(&random, 4) ? below(&random, 4) : 0;
        w->job[j].procs = 1 + below(&random, w->machine);
        if (below(&random, 3))
            w->job[j].procs = 1 + w->job[j].procs / 8;
    }
}

struct rows {
    int count;
    struct cs_job_row row[ROWS];
    struct cs_interval set[ROWS][160];
};

static void keep(void *who, const struct cs_job_row *row)
{
    struct rows *rows = who;
    struct cs_interval *set = rows->set[rows->count];

    assert_true(rows->count < ROWS && row->intervals <= 160);
    if (row->intervals)
        memcpy(set, row->set, (size_t)row->intervals * sizeof *set);
    rows->row[rows->count] = *row;
    rows->row[rows->count++].set = set;
}

/* A policy: as the registry writes it, and what the naive scheduler makes of it. */
struct variant {
    const char *name;
    int reservations;
    bool strict, shelf, fill, in_order;
};

static const struct variant variants[] = {
    {.name = "list:reservations=0"},
    {.name = "list:reservations=1", .reservations = 1},
    {.name = "easy", .reservations = 1, .strict = true},
    {.name = "list", .reservations = MOST},
    {.name = "shelf", .shelf = true},
    {.name = "list:reservations=2", .reservations = 2},
    {.name = "shelf-fill", .shelf = true, .fill = true},
    {.name = "list:reservations=5", .reservations = 5},
    {.name = "shelf:backfill=no", .shelf = true, .in_order = true},
    {.name = "shelf-fill:backfill=no", .shelf = true, .fill = true, .in_order = true},
};

#define VARIANTS (sizeof variants / sizeof *variants)

static struct replay replay_of(const struct workload *w, const struct variant *variant,
                               const char *priority, struct rows *rows, struct cs_policy_call *call)
{
    struct replay replay = {
        .machine = w->machine,
        .verification = w->verification,
        .policy = cs_sched_policy_parse(variant->name, call, NULL),
        .param = call->param,
        .draw = {.seed = 7, .lambda = 0.001},
        .sets = true,
        .watch = keep,
        .who = rows,
    };

    assert_int_equal(replay_priority_find(priority, &replay), 0);
    return replay;
}

static void run(const struct workload *w, const struct variant *variant, const char *priority,
                struct rows *rows, struct cs_queue_totals *result)
{
    struct cs_policy_call call;
    struct replay replay = replay_of(w, variant, priority, rows, &call);
    struct replay_at at = {.job = w->job, .count = w->count};
    struct cs_error err = {0};

    rows->count = 0;
    if (replay_run(&replay, replay_next, &at, result, &err))
        fail_msg("%s", err.text);
}

/* The naive scheduler: everything in arrays, everything anew. */
struct naive {
    const struct workload *w;
    int rank[MOST];
    bool waits[MOST], runs[MOST], known[MOST];
    int64_t left[MOST];
    double shelf_end; /* by the estimates */
    double end[MOST], estimated[MOST], start[MOST];
    double now;
    int starts;
    double log_start[ROWS];
    int log_job[ROWS];
    /* reservations of this pass */
    int reserved;
    double from[MOST], until[MOST];
    int width[MOST];
};

/* Processors free at time x of what runs, and of what is reserved. */
static int free_at(const struct naive *n, double x)
{
    int free = n->w->machine;

    for (int j = 0; j < n->w->count; j++)
        if (n->runs[j] && x < n->estimated[j])
            free -= n->w->job[j].procs;
    for (int i = 0; i < n->reserved; i++)
        if (n->from[i] <= x && x < n->until[i])
            free -= n->width[i];
    return free;
}

static double estimated_end(const struct naive *n, int j, double start)
{
    return (start + n->w->job[j].estimate) + n->w->verification;
}

static bool fits(const struct naive *n, int j, double at)
{
    double end = estimated_end(n, j, at);

    if (free_at(n, at) < n->w->job[j].procs)
        return false;
    for (int i = 0; i < n->reserved; i++)
        if (n->from[i] > at && n->from[i] < end && free_at(n, n->from[i]) < n->w->job[j].procs)
            return false;
    return true;
}

static double earliest(const struct naive *n, int j)
{
    double best = INFINITY;

    if (fits(n, j, n->now))
        return n->now;
    for (int k = 0; k < n->w->count; k++)
        if (n->runs[k] && n->estimated[k] < best && fits(n, j, n->estimated[k]))
            best = n->estimated[k];
    for (int i = 0; i < n->reserved; i++)
        if (n->until[i] > n->now && n->until[i] < best && fits(n, j, n->until[i]))
            best = n->until[i];
    return best;
}

static void start(struct naive *n, int j)
{
    n->waits[j] = false;
    n->runs[j] = true;
    n->start[j] = n->now;
    n->end[j] = (n->now + n->w->job[j].seconds) + n->w->verification;
    n->estimated[j] = estimated_end(n, j, n->now);
    n->log_job[n->starts] = j;
    n->log_start[n->starts++] = n->now;
}

/* An empty machine takes a shelf. */
static void make_shelf(struct naive *n, const struct variant *variant)
{
    for (int j = 0; j < n->w->count; j++)
        if (n->runs[j])
            return;
    n->shelf_end = 0;
    for (int k = 0; k < n->w->count; k++) {
        int j = n->rank[k];

        if (!n->waits[j])
            continue;
        if (n->w->job[j].procs <= free_at(n, n->now)) {
            start(n, j);
            n->shelf_end = fmax(n->shelf_end, n->estimated[j]);
        } else if (variant->in_order) {
            return;
        }
    }
}

static void pass(struct naive *n, const struct variant *variant)
{
    int m = variant->reservations;

    n->reserved = 0;
    for (int k = 0; k < n->w->count; k++) {
        int j = n->rank[k];
        double at;

        if (!n->waits[j])
            continue;
        at = m > 0 ? earliest(n, j) : fits(n, j, n->now) ? n->now : INFINITY;
        if (at == n->now) {
            start(n, j);
            m -= m > 0 && !variant->strict;
        } else if (m > 0) {
            n->from[n->reserved] = at;
            n->until[n->reserved] = estimated_end(n, j, at);
            n->width[n->reserved++] = n->w->job[j].procs;
            m--;
        }
    }
}

static bool naive_step(struct naive *n, const struct variant *variant)
{
    double now = INFINITY;

    for (int j = 0; j < n->w->count; j++) {
        if (n->runs[j])
            now = fmin(now, n->end[j]);
        if (!n->known[j])
            now = fmin(now, n->w->job[j].submit);
    }
    if (now == INFINITY)
        return false;
    n->now = now;
    for (int j = 0; j < n->w->count; j++) {
        if (n->runs[j] && n->end[j] == now) {
            n->runs[j] = false;
            n->waits[j] = n->left[j]-- > 0;
            if (n->waits[j] && variant->fill && estimated_end(n, j, now) <= n->shelf_end)
                start(n, j);
        }
        if (!n->known[j] && n->w->job[j].submit == now)
            n->known[j] = n->waits[j] = true;
    }
    (variant->shelf ? make_shelf : pass)(n, variant);
    return true;
}

static void ranks(const struct workload *w, const char *priority, int *rank)
{
    const struct cs_sched_draw draw = {.seed = 7, .lambda = 0.001};
    struct cs_arena *arena = cs_arena_create();
    double seconds[MOST];
    int procs[MOST];
    const struct cs_sched_jobs jobs = {w->count, w->machine, w->verification, seconds, procs};

    for (int j = 0; j < w->count; j++) {
        seconds[j] = w->job[j].estimate;
        procs[j] = w->job[j].procs;
        rank[j] = j;
    }
    if (strcmp(priority, "fcfs"))
        cs_sched_priority_order(cs_sched_priority_find(priority, NULL), &jobs, &draw, rank, arena);
    cs_arena_destroy(arena);
}

static void run_naive(struct naive *n, const struct workload *w, const struct variant *variant,
                      const char *priority)
{
    memset(n, 0, sizeof *n);
    n->w = w;
    ranks(w, priority, n->rank);
    for (int j = 0; j < w->count; j++)
        n->left[j] = w->job[j].failures;
    while (naive_step(n, variant))
        ;
}

/* Jobs are told apart by id and place: two of them share each id, so look at widths too. */
static int compare_starts(const void *a, const void *b)
{
    const double *x = a, *y = b;

    for (int i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void assert_same_starts(const struct naive *n, const struct rows *rows)
{
    static double mine[ROWS][4], naive[ROWS][4];

    assert_int_equal(n->starts, rows->count);
    for (int i = 0; i < n->starts; i++) {
        const struct cs_arrival *job = &n->w->job[n->log_job[i]];
        const struct cs_job_row *row = &rows->row[i];

        naive[i][0] = (double)job->id;
        naive[i][1] = n->log_start[i];
        naive[i][2] = job->procs;
        naive[i][3] = (n->log_start[i] + job->seconds) + n->w->verification;
        mine[i][0] = (double)row->id;
        mine[i][1] = row->start;
        mine[i][2] = row->procs;
        mine[i][3] = row->finish;
    }
    qsort(mine, (size_t)n->starts, sizeof *mine, compare_starts);
    qsort(naive, (size_t)n->starts, sizeof *naive, compare_starts);
    for (int i = 0; i < n->starts; i++)
        assert_int_equal(compare_starts(mine[i], naive[i]), 0);
}

static const char *const priorities[] = {"fcfs", "fcfs", "fcfs", "spt", "lpt", "la",
                                         "sa",   "hpa",  "lpa",  "t2p", "ljf", "random"};

#define PRIORITIES (sizeof priorities / sizeof *priorities)

static void every_start_is_that_of_the_naive_scheduler(void **state)
{
    static struct workload w;
    static struct rows rows;
    static struct naive naive;
    struct cs_queue_totals result = {0};

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(1800); seed++) {
        const char *priority = priorities[seed % PRIORITIES];
        const struct variant *variant = &variants[seed / PRIORITIES % VARIANTS];

        workload_init(&w, seed, seed % 40 == 0 ? MOST : 40, (int)(seed / 48 % 8));
        run(&w, variant, priority, &rows, &result);
        run_naive(&naive, &w, variant, priority);
        assert_same_starts(&naive, &rows);
    }
}

/* The checker wants numbers that are different, and failures as they were. */
static void give_numbers(struct workload *w)
{
    for (int j = 0; j < w->count; j++)
        w->job[j].id = 100 + j;
}

static void judge(const struct workload *w, const struct rows *rows, enum cs_check_jobs_rule rule,
                  struct cs_check_report *report)
{
    const struct cs_check_table what = {
        .machine = w->machine,
        .verification = w->verification,
        .rule = rule,
        .jobs = w->count,
        .rows = rows->count,
        .job = w->job,
        .row = rows->row,
    };

    cs_check_table(&what, report);
}

static void the_checker_passes_every_table_and_easy_never_delays_the_head(void **state)
{
    static struct workload w;
    static struct rows rows;
    struct cs_queue_totals result = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        const char *priority = priorities[seed % PRIORITIES];
        const struct variant *variant = &variants[seed / PRIORITIES % VARIANTS];
        bool easy = variant->strict && !strcmp(priority, "fcfs");
        struct cs_check_report *report = cs_check_report_create(1);

        workload_init(&w, seed, seed % 40 == 0 ? MOST : 40, (int)(seed / 48 % 8));
        give_numbers(&w);
        run(&w, variant, priority, &rows, &result);
        judge(&w, &rows, easy ? CS_CHECK_JOBS_EASY : CS_CHECK_JOBS_VALID, report);
        if (report->total)
            fail_msg("seed %d: %s", (int)seed, report->item[0].text);
        cs_check_report_destroy(report);
    }
}

/* How often the checker tells greedy from EASY. */
static void the_checker_sees_that_greedy_is_not_easy(void **state)
{
    static struct workload w;
    static struct rows rows, easy_rows;
    struct cs_queue_totals result = {0};
    int different = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct cs_check_report *report = cs_check_report_create(1);
        bool same = true;

        workload_init(&w, seed, 40, ARRIVALS | (int)(seed % 8));
        give_numbers(&w);
        run(&w, &variants[0], "fcfs", &rows, &result);
        run(&w, &variants[2], "fcfs", &easy_rows, &result);
        for (int i = 0; i < rows.count; i++)
            same &= rows.row[i].id == easy_rows.row[i].id &&
                    rows.row[i].start == easy_rows.row[i].start;
        judge(&w, &rows, CS_CHECK_JOBS_EASY, report);
        assert_int_equal(report->total == 0, same);
        different += !same;
        cs_check_report_destroy(report);
    }
    assert_true(different > 50);
}

struct attempts {
    int count;
    double row[ROWS][4];
    const struct workload *w;
};

static void watch(void *who, int job, double start, double end)
{
    struct attempts *a = who;
    double *row = a->row[a->count++];

    row[0] = (double)a->w->job[job].id;
    row[1] = start;
    row[2] = a->w->job[job].procs;
    row[3] = end;
}

static double run_closed(const struct workload *w, const struct variant *variant,
                         const char *priority, struct attempts *a)
{
    struct cs_arena *arena = cs_arena_create();
    double seconds[MOST], makespan, *param;
    int procs[MOST], order[MOST];
    int64_t failures[MOST];
    struct cs_policy_call call;
    const struct cs_sched_jobs jobs = {w->count, w->machine, w->verification, seconds, procs};
    const struct cs_sched_policy *policy = cs_sched_policy_parse(variant->name, &call, NULL);

    assert_non_null(policy);
    for (int j = 0; j < w->count; j++) {
        seconds[j] = w->job[j].seconds;
        procs[j] = w->job[j].procs;
        failures[j] = w->job[j].failures;
    }
    ranks(w, priority, order);
    param = call.param;
    *a = (struct attempts){.w = w};
    makespan = cs_rigid_simulation_run(
        cs_rigid_simulation_create(cs_sched_instance_create(&jobs, order, arena), policy, param,
                                   arena, NULL),
        failures, watch, a);
    cs_arena_destroy(arena);
    return makespan;
}

static void without_arrivals_it_is_the_closed_simulator(void **state)
{
    static struct workload w;
    static struct rows rows;
    static struct attempts a;
    static double mine[ROWS][4];
    struct cs_queue_totals result = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        const char *priority = priorities[seed % PRIORITIES];
        const struct variant *variant = &variants[seed / PRIORITIES % VARIANTS];

        workload_init(&w, seed, 60, seed % 2 ? FAILURES : 0);
        run(&w, variant, priority, &rows, &result);
        assert_true(run_closed(&w, variant, priority, &a) == result.makespan);
        assert_int_equal(a.count, rows.count);
        for (int i = 0; i < rows.count; i++) {
            const struct cs_job_row *row = &rows.row[i];
            const double values[4] = {(double)row->id, row->start, row->procs, row->finish};

            memcpy(mine[i], values, sizeof values);
        }
        qsort(mine, (size_t)a.count, sizeof *mine, compare_starts);
        qsort(a.row, (size_t)a.count, sizeof *a.row, compare_starts);
        assert_memory_equal(mine, a.row, (size_t)a.count * sizeof *mine);
    }
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void the_figures_are_those_of_the_rows(void **state)
{
    static struct workload w;
    static struct rows rows;
    struct cs_queue_totals r = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        double busy = 0, waste = 0, wait[MOST] = {0}, done[MOST] = {0}, sum = 0, most = 0;
        double slow = 0, slowest = 0, last = 0;
        int64_t failed = 0;

        workload_init(&w, seed, 40, (int)(seed % 8));
        give_numbers(&w);
        run(&w, &variants[seed / 8 % VARIANTS], "fcfs", &rows, &r);
        for (int i = 0; i < rows.count; i++) {
            const struct cs_job_row *row = &rows.row[i];

            busy += (row->finish - row->start) * row->procs;
            waste += row->success ? 0 : (row->finish - row->start) * row->procs;
            failed += !row->success;
            wait[row->id - 100] += row->start - row->submit;
            done[row->id - 100] = fmax(done[row->id - 100], row->finish);
            last = fmax(last, row->finish);
        }
        for (int j = 0; j < w.count; j++) {
            double bounded =
                fmax(1, (done[j] - w.job[j].submit) / fmax(10, w.job[j].seconds + w.verification));

            sum += wait[j];
            most = fmax(most, wait[j]);
            slow += bounded;
            slowest = fmax(slowest, bounded);
        }
        assert_int_equal(r.jobs, w.count);
        assert_int_equal(r.attempts, rows.count);
        assert_int_equal(r.failures, failed);
        assert_true(r.makespan == last - w.job[0].submit && r.last_end == last);
        assert_true(close_to(r.busy, busy) && close_to(r.waste, waste));
        assert_true(close_to(r.utilisation, busy / (w.machine * r.makespan)));
        assert_true(close_to(r.mean_wait, sum / w.count) && close_to(r.max_wait, most));
        assert_true(close_to(r.mean_slowdown, slow / w.count) && close_to(r.max_slowdown, slowest));
        assert_true(close_to(r.throughput, 3600 * w.count / r.makespan));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_passes_every_table_and_easy_never_delays_the_head),
        cmocka_unit_test(the_checker_sees_that_greedy_is_not_easy),
        cmocka_unit_test(without_arrivals_it_is_the_closed_simulator),
        cmocka_unit_test(the_figures_are_those_of_the_rows),
        cmocka_unit_test(every_start_is_that_of_the_naive_scheduler),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
