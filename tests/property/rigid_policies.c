/* rigid_policies: every policy that is listed keeps the contract of policy.h, whatever a machine
 * does: jobs arrive, attempts end before and after their expected times, with errors, processors
 * go and come back, jobs are withdrawn. */
#include "base/splitmix.h"
#include "check/jobs.h"
#include "property/replay_kit.h"
#include "sched/dispatcher.h"
#include "unit/kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOBS 40
#define ROWS 400

static int sets = 200;

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

/* A machine that is driven through the desk. */
struct machine {
    struct cs_sched_dispatcher dispatcher;
    const struct cs_sched_instance *in;
    struct cs_splitmix random;
    double now, least, most; /* an attempt takes so many times what is expected */
    bool waits[JOBS], runs[JOBS], held[JOBS];
    int failures[JOBS], left; /* left: jobs that are not done */
    double start[JOBS], end[JOBS];
    int used, lost, losses;
    int64_t starts;
    uint64_t digest;
};

static void note(struct machine *m, int ticket, double time)
{
    uint64_t bits;

    memcpy(&bits, &time, sizeof bits);
    m->digest = (m->digest ^ bits ^ (uint64_t)ticket) * 0x9E3779B97F4A7C15u;
}

static void start(struct machine *m, int ticket)
{
    double length = m->in->seconds[ticket];
    int steps = (int)((m->most - m->least) * 8);

    assert_true(m->waits[ticket] && !m->runs[ticket]);
    length *= m->least + (steps ? below(&m->random, steps + 1) / 8.0 : 0);
    m->waits[ticket] = false;
    m->runs[ticket] = true;
    m->start[ticket] = m->now;
    m->end[ticket] = (m->now + length) + m->in->verification;
    m->used += m->in->procs[ticket];
    assert_true(m->used + m->lost <= m->in->machine);
    m->starts++;
    note(m, ticket, m->now);
}

static void make_round(struct machine *m)
{
    int count = cs_sched_dispatcher_round(&m->dispatcher, m->now), running = 0, waiting = 0;

    for (int a = 0; a < count; a++)
        start(m, m->dispatcher.start[a]);
    assert_int_equal(m->dispatcher.view.free, m->in->machine - m->used - m->lost);
    for (int t = 0; t < m->in->count; t++) {
        running += m->runs[t];
        waiting += m->waits[t];
    }
    if (waiting && !running && m->dispatcher.wake == INFINITY)
        fail_msg("%d jobs wait and nothing runs", waiting);
}

static void end_attempt(struct machine *m, int ticket)
{
    bool again = m->failures[ticket] > 0, abandoned = again && below(&m->random, 12) == 0;

    m->runs[ticket] = false;
    m->used -= m->in->procs[ticket];
    m->failures[ticket] -= again;
    m->waits[ticket] = again && !abandoned;
    m->left -= !m->waits[ticket];
    cs_sched_dispatcher_ended(&m->dispatcher, ticket, m->now,
                              !again      ? CS_SCHED_DONE
                              : abandoned ? CS_SCHED_ABANDONED
                                          : CS_SCHED_AGAIN);
}

/* Who is wider than what is left waits outside until there is enough again. */
static void hold(struct machine *m)
{
    for (int t = 0; t < m->in->count; t++) {
        bool fits = m->in->procs[t] <= m->in->machine - m->lost;

        if (m->waits[t] && !fits) {
            m->waits[t] = false;
            m->held[t] = true;
            cs_sched_dispatcher_withdrawn(&m->dispatcher, t);
        } else if (m->held[t] && fits) {
            m->held[t] = false;
            m->waits[t] = true;
            cs_sched_dispatcher_arrived(&m->dispatcher, t);
        }
    }
}

/* Idle processors go, or all that are gone come back. */
static void lose(struct machine *m)
{
    int idle = m->in->machine - m->used - m->lost, procs = -m->lost;

    if (m->losses == 0 || below(&m->random, 3))
        return;
    if (m->lost == 0)
        procs = idle ? below(&m->random, idle + 1) : 0;
    if (procs == 0)
        return;
    m->losses--;
    m->lost += procs;
    cs_sched_dispatcher_lose(&m->dispatcher, procs);
}

static void come_back(struct machine *m)
{
    cs_sched_dispatcher_lose(&m->dispatcher, -m->lost);
    m->lost = m->losses = 0;
}

static double next_event(const struct machine *m)
{
    double next = m->dispatcher.wake;

    for (int t = 0; t < m->in->count; t++)
        if (m->runs[t])
            next = fmin(next, m->end[t]);
    return next;
}

static void drive(struct machine *m)
{
    make_round(m);
    while (m->left > 0) {
        double next = next_event(m);

        m->now = next < INFINITY ? next : m->now + 1;
        for (int t = 0; t < m->in->count; t++)
            if (m->runs[t] && m->end[t] == m->now)
                end_attempt(m, t);
        if (next == INFINITY)
            come_back(m);
        lose(m);
        hold(m);
        make_round(m);
        assert_true(m->starts < 100000);
    }
}

struct set {
    struct cs_sched_jobs jobs;
    double seconds[JOBS];
    int procs[JOBS];
};

static void set_init(struct set *s, struct cs_splitmix *random)
{
    s->jobs = (struct cs_sched_jobs){.seconds = s->seconds, .procs = s->procs};
    s->jobs.count = 1 + below(random, JOBS);
    s->jobs.machine = 1 + below(random, 24);
    s->jobs.verification = below(random, 2);
    for (int j = 0; j < s->jobs.count; j++) {
        s->seconds[j] = 1 + below(random, 20);
        s->procs[j] = 1 + below(random, s->jobs.machine);
    }
}

struct times {
    double least, most;
    int losses;
};

static uint64_t run_batch(const char *policy, const struct set *set, int seed,
                          const struct times *times)
{
    static const char *const priorities[] = {"lpt", "la", "lert-learnt", "spt"};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_sched_priority *priority = cs_sched_priority_find(priorities[seed % 4], NULL);
    struct cs_policy_call call;
    const struct cs_sched_policy *p = cs_sched_policy_parse(policy, &call, NULL);
    struct machine m = {
        .in = cs_sched_priority_instance(priority, &set->jobs, &(struct cs_sched_draw){0}, arena),
        .random = {(uint64_t)seed},
        .least = times->least,
        .most = times->most,
        .losses = times->losses,
        .left = set->jobs.count,
    };

    for (int t = 0; t < m.in->count; t++) {
        m.waits[t] = true;
        m.failures[t] = below(&m.random, 3) ? 0 : below(&m.random, 4);
    }
    assert_int_equal(cs_sched_dispatcher_init(&m.dispatcher, m.in, p, call.param, arena, NULL), 0);
    cs_sched_dispatcher_begin(&m.dispatcher);
    drive(&m);
    cs_arena_destroy(arena);
    return m.digest;
}

static const struct times exact = {1, 1, 0}, other = {0.625, 1.375, 0}, early = {0.625, 1, 0},
                          wild = {0.375, 3, 0}, lossy = {0.625, 1.375, 20};

static void any_times(const struct times *times)
{
    struct cs_arena *arena = cs_arena_create();
    int count;
    const char *const *policy = cs_sched_policy_all(arena, &count);

    for (int seed = 0; seed < sets; seed++) {
        struct cs_splitmix random = {(uint64_t)seed};
        struct set set;

        set_init(&set, &random);
        for (int p = 0; p < count; p++)
            assert_true(run_batch(policy[p], &set, seed, times) ==
                        run_batch(policy[p], &set, seed, times));
        run_batch("list:reservations=2", &set, seed, times);
        run_batch("list:reservations=5", &set, seed, times);
    }
    cs_arena_destroy(arena);
}

static void attempts_end_on_time(void **state)
{
    (void)state;
    any_times(&exact);
}

static void attempts_end_before_their_time(void **state)
{
    (void)state;
    any_times(&early);
}

static void attempts_end_before_and_after_their_time(void **state)
{
    (void)state;
    any_times(&other);
    any_times(&wild);
}

static void processors_go_and_come_back(void **state)
{
    (void)state;
    any_times(&lossy);
}

/* Logs. */

struct rows {
    int count;
    struct cs_job_row row[ROWS];
    struct cs_interval set[ROWS][32];
};

static void keep(void *who, const struct cs_job_row *row)
{
    struct rows *rows = who;
    struct cs_interval *set = rows->set[rows->count];

    assert_true(rows->count < ROWS && row->intervals <= 32);
    memcpy(set, row->set, (size_t)row->intervals * sizeof *set);
    rows->row[rows->count] = *row;
    rows->row[rows->count++].set = set;
}

enum reported { EXACT, LONGER, SHORTER, ANY };

static double estimate(struct cs_splitmix *random, double seconds, enum reported reported)
{
    if (reported == EXACT)
        return seconds;
    if (reported == LONGER || (reported == ANY && below(random, 2)))
        return seconds + below(random, 20);
    return fmax(0.5, seconds - below(random, 20));
}

static int log_init(struct cs_arrival *job, int machine, int seed, enum reported reported,
                    bool arrive)
{
    struct cs_splitmix random = {(uint64_t)seed};
    int count = 1 + below(&random, JOBS);
    double submit = 0;

    for (int j = 0; j < count; j++) {
        submit += arrive ? below(&random, 7) : 0;
        job[j] = (struct cs_arrival){.id = j + 1, .submit = submit};
        job[j].seconds = 1 + below(&random, 30);
        job[j].procs = 1 + below(&random, machine);
        job[j].failures = below(&random, 3) ? 0 : below(&random, 3);
        job[j].estimate = estimate(&random, job[j].seconds, reported);
    }
    return count;
}

static void run_log(const char *policy, const char *priority, int machine,
                    const struct cs_arrival *job, int count, struct rows *rows)
{
    struct cs_policy_call call;
    struct replay replay = {
        .machine = machine,
        .policy = cs_sched_policy_parse(policy, &call, NULL),
        .param = call.param,
        .sets = true,
        .watch = keep,
        .who = rows,
    };
    struct replay_at at = {.job = job, .count = count};
    struct cs_queue_totals result;
    struct cs_error err = {0};

    rows->count = 0;
    assert_int_equal(replay_priority_find(priority, &replay), 0);
    if (replay_run(&replay, replay_next, &at, &result, &err))
        fail_msg("%s: %s", policy, err.text);
    assert_int_equal(result.jobs, count);
}

static void assert_same_rows(const struct rows *a, const struct rows *b)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_true(a->row[i].id == b->row[i].id && a->row[i].start == b->row[i].start &&
                    a->row[i].intervals == b->row[i].intervals &&
                    a->set[i][0].first == b->set[i][0].first);
}

static void judge(const char *policy, int seed, int machine, const struct cs_arrival *job,
                  int count)
{
    static const char *const priorities[] = {"fcfs", "spt", "ljf"};
    static struct rows rows, again;
    struct cs_check_report *report = cs_check_report_create(1);

    run_log(policy, priorities[seed % 3], machine, job, count, &rows);
    run_log(policy, priorities[seed % 3], machine, job, count, &again);
    assert_same_rows(&rows, &again);
    cs_check_table(&(struct cs_check_table){.machine = machine,
                                            .rule = CS_CHECK_JOBS_VALID,
                                            .jobs = count,
                                            .rows = rows.count,
                                            .job = job,
                                            .row = rows.row},
                   report);
    if (report->total)
        fail_msg("%s, log %d: %s", policy, seed, report->item[0].text);
    cs_check_report_destroy(report);
}

static void logs_pass_the_checker_whatever_their_estimates(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    int count;
    const char *const *policy = cs_sched_policy_all(arena, &count);
    struct cs_arrival job[JOBS];

    (void)state;
    for (int seed = 0; seed < sets; seed++) {
        int machine = 1 + seed % 30;
        int jobs = log_init(job, machine, seed, (enum reported)(seed % 4), seed / 4 % 3 > 0);

        for (int p = 0; p < count; p++)
            judge(policy[p], seed, machine, job, jobs);
        judge("list:reservations=3", seed, machine, job, jobs);
    }
    cs_arena_destroy(arena);
}

/* SETS: how many, if not 200. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attempts_end_on_time),
        cmocka_unit_test(attempts_end_before_their_time),
        cmocka_unit_test(attempts_end_before_and_after_their_time),
        cmocka_unit_test(processors_go_and_come_back),
        cmocka_unit_test(logs_pass_the_checker_whatever_their_estimates),
    };

    if (argc > 1)
        sets = (int)strtol(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("rigid_policies", tests, NULL, NULL);
}
