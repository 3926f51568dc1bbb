/* sched_parts: the line of jobs that wait and the list of what runs, against plain ones; attempts
 * that are late. */
#include "base/splitmix.h"
#include "sched/arrival.h"
#include "sched/dispatcher.h"
#include "sched/wait_queue.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* The list against a plain sorted array, with enough entries for groups of blocks. */
#define MOST 9000

struct plain {
    int count;
    struct cs_wait_queue_entry entry[MOST];
};

static int plain_find(const struct plain *p, const struct cs_wait_queue_entry *entry)
{
    int at = 0;

    while (at < p->count && cs_sched_place_before(&p->entry[at].place, &entry->place))
        at++;
    return at;
}

static void plain_insert(struct plain *p, const struct cs_wait_queue_entry *entry)
{
    int at = plain_find(p, entry);

    memmove(p->entry + at + 1, p->entry + at, (size_t)(p->count++ - at) * sizeof *p->entry);
    p->entry[at] = *entry;
}

static void plain_remove(struct plain *p, int at)
{
    memmove(p->entry + at, p->entry + at + 1, (size_t)(--p->count - at) * sizeof *p->entry);
}

static void assert_same_list(const struct cs_wait_queue *list, const struct plain *p)
{
    struct cs_sched_cursor place = {0, 0};
    const struct cs_wait_queue_entry *entry;
    int count = 0;

    for (; (entry = cs_wait_queue_at(list, &place)); place.at++)
        assert_int_equal(entry->ticket, p->entry[count++].ticket);
    assert_int_equal(count, p->count);
    assert_int_equal(list->count, p->count);
}

static void assert_same_answer(const struct cs_wait_queue *list, const struct plain *p,
                               struct cs_splitmix *random)
{
    const double end[] = {1 + (double)cs_splitmix_below(random, 300), 400};
    const int later = (int)cs_splitmix_below(random, 40), last = (int)cs_splitmix_below(random, 4);
    const struct cs_sched_step_function steps = {0.5, 0.25, 3, end,
                                                 (const int[]){later + last, last, 0}};
    int from = (int)cs_splitmix_below(random, (uint64_t)p->count + 1), at = from;
    struct cs_sched_cursor place;
    const struct cs_wait_queue_entry *entry;

    place = from < p->count ? cs_wait_queue_find(list, &p->entry[from].place)
                            : (struct cs_sched_cursor){list->blocks, 0};
    entry = cs_wait_queue_first(list, &place, &steps);
    while (at < p->count &&
           !cs_sched_step_function_allow(&steps, p->entry[at].procs, p->entry[at].seconds))
        at++;
    assert_int_equal(entry ? entry->ticket : -1, at < p->count ? p->entry[at].ticket : -1);
}

static void the_list_is_a_sorted_array(void **state)
{
    static struct plain p;
    struct cs_arena *arena = cs_arena_create();
    struct cs_splitmix random = {5};
    struct cs_wait_queue list;

    (void)state;
    cs_wait_queue_init(&list, arena);
    for (int number = 0; number < 40000; number++) {
        bool grow = number % 20000 < 14000;
        struct cs_wait_queue_entry entry = {.place = {.number = number}, .ticket = number};

        entry.place.key = number < 20000 ? (double)cs_splitmix_below(&random, 500) : 0;
        entry.seconds = 20 + (double)cs_splitmix_below(&random, 600);
        entry.place.late = cs_splitmix_below(&random, 5) == 0 && number < 20000;
        entry.procs = 3 + (int)cs_splitmix_below(&random, 60);
        if (p.count < MOST && cs_splitmix_below(&random, 10) < (grow ? 8 : 2)) {
            cs_wait_queue_insert(&list, &entry);
            plain_insert(&p, &entry);
        } else if (p.count > 0) {
            int at = (int)cs_splitmix_below(&random, (uint64_t)p.count);

            cs_wait_queue_remove(&list, cs_wait_queue_find(&list, &p.entry[at].place));
            plain_remove(&p, at);
        }
        assert_same_answer(&list, &p, &random);
        if (number % 1000 == 0)
            assert_same_list(&list, &p);
    }
    while (p.count) {
        cs_wait_queue_remove(&list, (struct cs_sched_cursor){0, 0});
        plain_remove(&p, 0);
    }
    assert_same_list(&list, &p);
    cs_arena_destroy(arena);
}

/* What runs against a plain sorted array, the one that ends last first. */
enum { RUNNING = 1500 };

struct plain_running {
    int count;
    struct cs_sched_attempt attempt[RUNNING];
};

static void plain_add(struct plain_running *p, struct cs_sched_attempt attempt)
{
    int at = p->count++;

    for (; at > 0 && p->attempt[at - 1].end < attempt.end; at--)
        p->attempt[at] = p->attempt[at - 1];
    p->attempt[at] = attempt;
}

static void plain_drop(struct plain_running *p, int at)
{
    memmove(p->attempt + at, p->attempt + at + 1, (size_t)(--p->count - at) * sizeof *p->attempt);
}

static void assert_same_running(const struct cs_sched_running *r, const struct plain_running *p)
{
    int count = 0;

    assert_int_equal(cs_sched_running_count(r), p->count);
    for (int b = 0; b < r->blocks; b++) {
        int procs = 0;

        for (int a = 0; a < cs_sched_running_count_in(r, b); a++) {
            assert_int_equal(r->block[b]->attempt[a].ticket, p->attempt[count].ticket);
            assert_true(r->block[b]->attempt[a].end == p->attempt[count++].end);
            procs += r->block[b]->attempt[a].procs;
        }
        assert_true(b == r->blocks - 1 || (procs > 0 && r->block[b]->procs == procs));
    }
}

/* When are so many free, and how many are left over? */
static struct cs_sched_shadow plain_shadow(const struct plain_running *p,
                                           const struct plain_running *starting, double now,
                                           int free, int procs)
{
    struct cs_sched_shadow shadow = {now, free - procs};

    while (shadow.extra < 0) {
        double next = INFINITY;

        for (int i = 0; i < p->count + starting->count; i++) {
            double end = i < p->count ? p->attempt[i].end : starting->attempt[i - p->count].end;

            next = end > shadow.at ? fmin(next, end) : next;
        }
        shadow.at = next;
        shadow.extra = free - procs;
        for (int i = 0; i < p->count; i++)
            shadow.extra += p->attempt[i].end <= next ? p->attempt[i].procs : 0;
        for (int i = 0; i < starting->count; i++)
            shadow.extra += starting->attempt[i].end <= next ? starting->attempt[i].procs : 0;
    }
    return shadow;
}

static int procs_of(const struct plain_running *p)
{
    int procs = 0;

    for (int i = 0; i < p->count; i++)
        procs += p->attempt[i].procs;
    return procs;
}

static void assert_same_shadow(const struct cs_sched_running *r, const struct plain_running *p,
                               const struct cs_sched_running *starting,
                               const struct plain_running *plain_starting,
                               struct cs_splitmix *random)
{
    int free = 1 + (int)cs_splitmix_below(random, 9), most = free + procs_of(p);
    int procs = 1 + (int)cs_splitmix_below(random, (uint64_t)(most + procs_of(plain_starting)));
    const struct cs_sched_view view = {.now = -1, .free = free, .running = r};
    const struct plain_running none = {0};
    struct cs_sched_shadow mine = cs_sched_shadow_among(&view, starting, free, procs);
    struct cs_sched_shadow plain = plain_shadow(p, plain_starting, -1, free, procs);

    assert_true(mine.at == plain.at && mine.extra == plain.extra);
    if (procs > most)
        return;
    mine = cs_sched_shadow_of(&view, procs);
    plain = plain_shadow(p, &none, -1, free, procs);
    assert_true(mine.at == plain.at && mine.extra == plain.extra);
}

/* Few different ends, so that many are equal. */
static void what_runs_is_a_sorted_array(void **state)
{
    static struct plain_running p, plain_starting;
    static int64_t added[RUNNING];
    static bool runs[RUNNING];
    struct cs_arena *arena = cs_arena_create();
    struct cs_splitmix random = {17};
    struct cs_sched_running r, starting;

    (void)state;
    cs_sched_running_init(&r, arena);
    cs_sched_running_init(&starting, arena);
    for (int turn = 0; turn < 60000; turn++) {
        bool grow = turn % 20000 < 12000;
        int ticket = (int)cs_splitmix_below(&random, RUNNING);
        double end = (double)cs_splitmix_below(&random, 300);
        const struct cs_sched_attempt attempt = {end, 1 + ticket % 9, ticket};

        if (!runs[ticket] && cs_splitmix_below(&random, 10) < (grow ? 9 : 3)) {
            added[ticket] = turn;
            runs[ticket] = true;
            cs_sched_running_add(&r, attempt.end, attempt.procs, ticket);
            plain_add(&p, attempt);
        } else if (p.count && cs_splitmix_below(&random, 2)) {
            int at = (int)cs_splitmix_below(&random, (uint64_t)p.count);

            runs[p.attempt[at].ticket] = false;
            cs_sched_running_remove(&r, p.attempt[at].end, p.attempt[at].ticket, added);
            plain_drop(&p, at);
        } else if (p.count) {
            assert_int_equal(cs_sched_running_first(&r)->ticket, p.attempt[p.count - 1].ticket);
            runs[p.attempt[p.count - 1].ticket] = false;
            cs_sched_running_keep(&r, r.few - 1);
            plain_drop(&p, p.count - 1);
        }
        if (turn % 100 == 0)
            assert_same_running(&r, &p);
        if (turn % 50)
            continue;
        cs_sched_running_clear(&starting);
        plain_starting.count = 0;
        for (int i = (int)cs_splitmix_below(&random, 100); i > 0; i--) {
            double soon = (double)cs_splitmix_below(&random, 300);

            cs_sched_running_add(&starting, soon, 2, i);
            plain_add(&plain_starting, (struct cs_sched_attempt){soon, 2, i});
        }
        assert_same_running(&starting, &plain_starting);
        assert_same_shadow(&r, &p, &starting, &plain_starting, &random);
    }
    cs_arena_destroy(arena);
}

#define LATE 300

/* The desk's list in the order in which attempts are expected to end. */
static int list_tickets(const struct cs_sched_running *r, int *ticket)
{
    int count = 0;

    for (int b = r->blocks - 1; b >= 0; b--)
        for (int i = cs_sched_running_count_in(r, b) - 1; i >= 0; i--)
            ticket[count++] = r->block[b]->attempt[i].ticket;
    return count;
}

/* Those that are late are all expected at the next moment, in the order that they had, and each is
 * found when it ends: also when somebody else was expected at just that moment. */
static void who_is_late_keeps_the_place(void **state)
{
    static double seconds[LATE];
    static int procs[LATE], before[LATE], after[LATE];
    struct cs_arena *arena = cs_arena_create();
    struct cs_splitmix random = {5};
    const struct cs_sched_jobs jobs = {LATE, LATE, 0, seconds, procs};
    struct cs_policy_call call;
    const struct cs_sched_policy *greedy = cs_sched_policy_parse("greedy", &call, NULL);
    struct cs_sched_dispatcher dispatcher;
    const double moments[] = {10.5, 10.75, 40};

    (void)state;
    for (int k = 0; k < LATE; k++) {
        seconds[k] = k == LATE - 1 ? nextafter(10.5, INFINITY) : 1 + (k * 37 % LATE) / 10.0;
        procs[k] = 1;
        before[k] = k;
    }
    assert_int_equal(cs_sched_dispatcher_init(&dispatcher,
                                              cs_sched_instance_create(&jobs, before, arena),
                                              greedy, call.param, arena, NULL),
                     0);
    cs_sched_dispatcher_begin(&dispatcher);
    assert_int_equal(cs_sched_dispatcher_round(&dispatcher, 0), LATE);
    for (size_t m = 0; m < sizeof moments / sizeof *moments; m++) {
        int count = list_tickets(&dispatcher.running, before), late = 0;

        while (late < count && dispatcher.end[before[late]] <= moments[m])
            late++;
        cs_sched_dispatcher_round(&dispatcher, moments[m]);
        assert_int_equal(list_tickets(&dispatcher.running, after), count);
        for (int k = 0; k < late; k++)
            assert_true(dispatcher.end[before[k]] == nextafter(moments[m], INFINITY));
        if (m > 0)
            assert_memory_equal(before, after, (size_t)count * sizeof *before);
        for (int k = 0; k < 60; k++) {
            int at = (int)cs_splitmix_below(&random, (uint64_t)count);

            cs_sched_dispatcher_ended(&dispatcher, after[at], moments[m], CS_SCHED_DONE);
            assert_int_equal(cs_sched_running_count(&dispatcher.running), --count);
            after[at] = after[count];
        }
    }
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_a_sorted_array),
        cmocka_unit_test(what_runs_is_a_sorted_array),
        cmocka_unit_test(who_is_late_keeps_the_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
