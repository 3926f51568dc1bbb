/* trap.c - the numbers of hard and tight instances.
 *
 * Source: docs/spec/science.md 3 and 4.2; Garey and Johnson 1979 (3-PARTITION); Aupy et al.,
 * Theorem 2; Benoit, Pottier, Robert, Theorem 2; Casanova et al., Theorem 4.1; Benoit et al. 2021,
 * Propositions 1 to 3.
 *
 * Invariants: the same options, seed and set give the same numbers on every machine; a no that is
 * drawn has a certificate: all numbers are c modulo M, so a triple has a sum of 3 c, but B is not.
 *
 * Complexity: O(M) to draw; given numbers are decided by a search of triples, at most
 * CS_PARTITION_SEARCHED of them.
 */
#include "model/trap.h"

#include "base/order.h"
#include "base/rng.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PURPOSE_YES 1401
#define PURPOSE_NO 1402
#define PURPOSE_BICLIQUE 1403

const char *cs_answer_name(enum cs_answer answer)
{
    return answer == CS_ANSWER_YES ? "yes" : answer == CS_ANSWER_NO ? "no" : NULL;
}

/* ---- 3-PARTITION ---- */

static int largest_number(const int *number, int count)
{
    int largest = 0;

    for (int i = 0; i < count; i++)
        largest = number[i] > largest ? number[i] : largest;
    return largest;
}

static struct cs_partition *partition_create(int64_t triples, int64_t bound, struct cs_arena *arena)
{
    struct cs_partition *partition = CS_NEW(arena, struct cs_partition);

    *partition = (struct cs_partition){
        .triples = (int)triples,
        .bound = (int)bound,
        .number = CS_NEW_ARRAY(arena, int, 3 * triples),
    };
    return partition;
}

static int check_triples(int64_t triples, int64_t least, struct cs_error *err)
{
    if (triples < 1 || triples > CS_PARTITION_TRIPLES)
        return cs_error_set(err, "--triples: %" PRId64 " is not a whole number from 1 %s", triples,
                            triples < 1 ? "on" : "to 100000");
    if (triples < least)
        return cs_error_set(err, "--triples: a certified no needs 2 or more, not %" PRId64,
                            triples);
    return 0;
}

struct cs_partition *cs_partition_draw_yes(int64_t triples, int64_t bound, uint64_t seed,
                                           uint64_t set, struct cs_arena *arena,
                                           struct cs_error *err)
{
    const int low = (int)(bound / 4 + 1), high = (int)((bound - 1) / 2);
    struct cs_partition *partition;
    struct cs_rng rng;
    int *number, *order;

    if (check_triples(triples, 1, err))
        return NULL;
    if (bound < 9 || bound > 1000000000) {
        cs_error_set(err, "--bound: %" PRId64 " is not a whole number from 9 %s", bound,
                     bound < 9 ? "on" : "to 1000000000");
        return NULL;
    }
    partition = partition_create(triples, bound, arena);
    number = CS_NEW_ARRAY(arena, int, 3 * triples);
    order = CS_NEW_ARRAY(arena, int, 3 * triples);
    partition->triple = CS_NEW_ARRAY(arena, int, 3 * triples);
    cs_rng_init(&rng, seed, PURPOSE_YES, set);
    for (int m = 0; m < triples; m++) {
        int *of = number + 3 * m;

        do {
            of[0] = low + (int)cs_rng_below(&rng, (uint64_t)(high - low + 1));
            of[1] = low + (int)cs_rng_below(&rng, (uint64_t)(high - low + 1));
            of[2] = (int)bound - of[0] - of[1];
        } while (of[2] < low || of[2] > high);
    }
    for (int i = 0; i < 3 * triples; i++)
        order[i] = i;
    cs_rng_shuffle(&rng, order, (int)(3 * triples));
    for (int i = 0; i < 3 * triples; i++) {
        partition->number[i] = number[order[i]];
        partition->triple[i] = order[i] / 3;
    }
    partition->largest = largest_number(number, (int)(3 * triples));
    partition->answer = CS_ANSWER_YES;
    return partition;
}

/* Draw until their sum is no multiple of their third; return the sum. */
static int64_t draw_multipliers(struct cs_rng *rng, int64_t triples, int64_t spread, int64_t *k)
{
    int64_t sum;

    do {
        sum = 0;
        for (int64_t i = 0; i < 3 * triples; i++) {
            k[i] = (int64_t)cs_rng_below(rng, (uint64_t)spread + 1);
            sum += k[i];
        }
    } while (sum % triples == 0);
    return sum;
}

/* The least c >= 1 with which all c + M k are above B / 4 and below B / 2, B = 3 c + sum. */
static int64_t least_offset(const int64_t *k, int64_t triples, int64_t sum)
{
    int64_t least = INT64_MAX, most = 0, c = 1;

    for (int64_t i = 0; i < 3 * triples; i++) {
        least = k[i] < least ? k[i] : least;
        most = k[i] > most ? k[i] : most;
    }
    if (c < sum - 4 * triples * least + 1)
        c = sum - 4 * triples * least + 1;
    return c < 2 * triples * most - sum + 1 ? 2 * triples * most - sum + 1 : c;
}

struct cs_partition *cs_partition_draw_no(int64_t triples, int64_t spread, uint64_t seed,
                                          uint64_t set, struct cs_arena *arena,
                                          struct cs_error *err)
{
    struct cs_partition *partition;
    struct cs_rng rng;
    int64_t sum, c, *k;

    if (check_triples(triples, 2, err))
        return NULL;
    if (spread < 1 || spread > 1000000) {
        cs_error_set(err,
                     spread ? "--spread: %" PRId64 " is not a whole number from 1 to 1000000"
                            : "--spread: %" PRId64
                              " makes all numbers equal, which is a yes; 1 or more",
                     spread);
        return NULL;
    }
    k = CS_NEW_ARRAY(arena, int64_t, 3 * triples);
    cs_rng_init(&rng, seed, PURPOSE_NO, set);
    sum = draw_multipliers(&rng, triples, spread, k);
    c = least_offset(k, triples, sum);
    if (3 * c + sum > 1000000000) {
        cs_error_set(err,
                     "--spread: %" PRId64 " makes the bound %" PRId64 ", which is above 1000000000",
                     spread, 3 * c + sum);
        return NULL;
    }
    partition = partition_create(triples, 3 * c + sum, arena);
    for (int64_t i = 0; i < 3 * triples; i++)
        partition->number[i] = (int)(c + triples * k[i]);
    cs_rng_shuffle(&rng, partition->number, (int)(3 * triples));
    partition->largest = largest_number(partition->number, (int)(3 * triples));
    partition->answer = CS_ANSWER_NO;
    partition->modulus = (int)triples;
    partition->residue = (int)(c % triples);
    return partition;
}

/* Split what is left: the largest number, each other one, and the one that completes the triple.
 * `by` orders the numbers, largest first. */
static bool split_rest(struct cs_partition *p, const int *by, int done)
{
    int first = 0, missing;

    if (done == p->triples)
        return true;
    while (p->triple[by[first]] >= 0)
        first++;
    p->triple[by[first]] = done;
    for (int s = first + 1; s < 3 * p->triples; s++) {
        if (p->triple[by[s]] >= 0 ||
            (s > first + 1 && p->triple[by[s - 1]] < 0 && p->number[by[s - 1]] == p->number[by[s]]))
            continue;
        missing = p->bound - p->number[by[first]] - p->number[by[s]];
        p->triple[by[s]] = done;
        for (int t = s + 1; t < 3 * p->triples; t++) {
            if (p->triple[by[t]] >= 0 || p->number[by[t]] != missing)
                continue;
            p->triple[by[t]] = done;
            if (split_rest(p, by, done + 1))
                return true;
            p->triple[by[t]] = -1;
            break; /* equal numbers give the same */
        }
        p->triple[by[s]] = -1;
    }
    p->triple[by[first]] = -1;
    return false;
}

static void partition_decide(struct cs_partition *p, struct cs_arena *arena)
{
    const int count = 3 * p->triples;
    double *key = CS_NEW_ARRAY(arena, double, count);
    int *by = CS_NEW_ARRAY(arena, int, count);

    p->triple = CS_NEW_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) {
        key[i] = p->number[i];
        p->triple[i] = -1;
    }
    cs_order_descending(key, count, by, arena);
    p->answer = split_rest(p, by, 0) ? CS_ANSWER_YES : CS_ANSWER_NO;
    if (p->answer == CS_ANSWER_NO)
        p->triple = NULL;
}

struct cs_partition *cs_partition_given(const int *number, int count, struct cs_arena *arena,
                                        struct cs_error *err)
{
    const int triples = count / 3;
    struct cs_partition *partition;
    int64_t sum = 0, bound;

    if (count % 3 || count < 1) {
        cs_error_set(err, "--numbers: %d numbers are not triples", count);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        sum += number[i];
    if (sum % triples) {
        cs_error_set(err, "--numbers: the sum %" PRId64 " is not %d times a whole number", sum,
                     triples);
        return NULL;
    }
    bound = sum / triples;
    if (bound > 1000000000 || triples > CS_PARTITION_TRIPLES) {
        cs_error_set(err, "--numbers: the bound %" PRId64 " is above 1000000000", bound);
        return NULL;
    }
    for (int i = 0; i < 2 * count; i++) {
        const int64_t one = number[i % count];

        if (i < count ? 2 * one < bound : 4 * one > bound)
            continue;
        cs_error_set(err, "--numbers: %" PRId64 " is not %s of the bound %" PRId64, one,
                     i < count ? "below half" : "above a quarter", bound);
        return NULL;
    }
    partition = partition_create(triples, bound, arena);
    for (int i = 0; i < count; i++)
        partition->number[i] = number[i];
    partition->largest = largest_number(number, count);
    if (triples <= CS_PARTITION_SEARCHED)
        partition_decide(partition, arena);
    return partition;
}

/* ---- tasks made of the numbers ---- */

static struct cs_trap_table *table_create(int tasks, int procs, double deadline,
                                          struct cs_arena *arena)
{
    struct cs_trap_table *table = CS_NEW(arena, struct cs_trap_table);

    *table = (struct cs_trap_table){
        .tasks = tasks,
        .procs = procs,
        .profile = CS_NEW_ARRAY(arena, struct cs_profile, tasks),
        .deadline = deadline,
    };
    for (int i = 0; i < tasks; i++)
        table->profile[i] = (struct cs_profile){.kind = CS_PROFILE_TABLE,
                                                .count = procs,
                                                .seconds = CS_NEW_ARRAY(arena, double, procs)};
    return table;
}

static double *table_row(const struct cs_trap_table *table, int task)
{
    return (double *)(size_t)table->profile[task].seconds;
}

struct cs_trap_table *cs_partition_pack(const struct cs_partition *p, int64_t pack_size,
                                        struct cs_arena *arena, struct cs_error *err)
{
    const int64_t more = pack_size - 3, procs = p->bound + more * ((int64_t)p->bound + 1),
                  tasks = p->triples * pack_size;
    struct cs_trap_table *table;

    if (pack_size < 3) {
        cs_error_set(err, "--pack-size: %" PRId64 " is not enough for triples; 3 or more",
                     pack_size);
        return NULL;
    }
    if (pack_size > 1000000 || procs > 1000000000 || tasks * procs > 100000000) {
        cs_error_set(err,
                     "--pack-size: %" PRId64 " with %d triples and the bound %d makes more than "
                     "100000000 times",
                     pack_size, p->triples, p->bound);
        return NULL;
    }
    table = table_create((int)tasks, (int)procs, p->triples, arena);
    for (int i = 0; i < tasks; i++) {
        double *row = table_row(table, i);

        for (int j = 1; j <= procs; j++)
            row[j - 1] = i >= 3 * p->triples ? fmax((p->bound + 1.0) / j, 1)
                         : j < p->number[i]  ? 1 + 1.0 / p->number[i]
                                             : 1;
    }
    return table;
}

void cs_trap_fill_odd(double *row, int procs)
{
    row[0] = 2 * row[1];
    for (int j = 3; j < procs; j += 2)
        row[j - 1] = fmax(row[j], row[j - 2] * (j - 1) / j);
}

struct cs_trap_table *cs_partition_malleable(const struct cs_partition *p, struct cs_arena *arena)
{
    const int pairs = 4 * p->triples, deadline = p->largest + 1;
    const double large = 4.0 * deadline - p->bound;
    struct cs_trap_table *table = table_create(pairs, 2 * pairs, deadline, arena);

    for (int i = 0; i < pairs; i++) {
        double *row = table_row(table, i);

        for (int q = 1; q <= pairs; q++) {
            if (i < 3 * p->triples)
                row[2 * q - 1] = q == 1 ? p->number[i] : 3.0 * p->number[i] / 4;
            else
                row[2 * q - 1] = q <= 4 ? large / q : 2 * large / 9;
        }
        cs_trap_fill_odd(row, 2 * pairs);
    }
    return table;
}

struct cs_trap_table *cs_trap_parallel(int64_t tasks, int64_t procs, struct cs_arena *arena,
                                       struct cs_error *err)
{
    struct cs_trap_table *table;

    if (tasks <= procs) {
        cs_error_set(err,
                     "--tasks: %" PRId64 " tasks on %" PRId64
                     " processors show nothing; more than the processors",
                     tasks, procs);
        return NULL;
    }
    table = CS_NEW(arena, struct cs_trap_table);
    *table = (struct cs_trap_table){
        .tasks = (int)tasks,
        .procs = (int)procs,
        .profile = CS_NEW_ARRAY(arena, struct cs_profile, tasks),
        .deadline = (double)tasks / (double)procs,
    };
    for (int64_t i = 0; i < tasks; i++)
        table->profile[i] = (struct cs_profile){.kind = CS_PROFILE_AMDAHL, .seq_time = 1};
    return table;
}

/* ---- bi-cliques ---- */

static int biclique_check(const struct cs_biclique *b, struct cs_error *err)
{
    if (b->planted_hosts > b->hosts)
        return cs_error_set(err, "--planted-hosts: %d of %d hosts", b->planted_hosts, b->hosts);
    if (b->planted_slots > b->slots)
        return cs_error_set(err, "--planted-slots: %d of %d slots", b->planted_slots, b->slots);
    if (!(b->density >= 0 && b->density <= 1))
        return cs_error_set(err, "--density: %g is not between 0 and 1", b->density);
    if ((int64_t)b->hosts * b->slots > 10000000)
        return cs_error_set(err, "--slots: %d hosts times %d slots are more than 10000000",
                            b->hosts, b->slots);
    return 0;
}

static int *planted_numbers(struct cs_rng *rng, int all, int planted, bool *is,
                            struct cs_arena *arena)
{
    int *order = CS_NEW_ARRAY(arena, int, all), *list = CS_NEW_ARRAY(arena, int, planted);
    int count = 0;

    for (int i = 0; i < all; i++)
        order[i] = i;
    cs_rng_shuffle(rng, order, all);
    for (int i = 0; i < planted; i++)
        is[order[i]] = true;
    for (int i = 0; i < all; i++)
        if (is[i])
            list[count++] = i;
    return list;
}

int cs_biclique_draw(struct cs_biclique *b, uint64_t seed, uint64_t set, struct cs_arena *arena,
                     struct cs_error *err)
{
    bool *host, *slot;
    struct cs_rng rng;

    if (biclique_check(b, err))
        return -1;
    host = CS_NEW_ARRAY(arena, bool, b->hosts);
    slot = CS_NEW_ARRAY(arena, bool, b->slots);
    cs_rng_init(&rng, seed, PURPOSE_BICLIQUE, set);
    b->host = planted_numbers(&rng, b->hosts, b->planted_hosts, host, arena);
    b->slot = planted_numbers(&rng, b->slots, b->planted_slots, slot, arena);
    b->columns = b->free ? 2 * b->slots + 1 : b->slots;
    b->up = CS_NEW_ARRAY(arena, bool, (int64_t)b->hosts * b->columns);
    for (int h = 0; h < b->hosts; h++)
        for (int s = 0; s < b->columns; s++)
            b->up[(int64_t)h * b->columns + s] =
                s >= b->slots || (host[h] && slot[s]) || cs_rng_uniform(&rng) < b->density;
    b->tasks = b->planted_hosts;
    b->capacity = b->free ? b->planted_hosts : 1;
    b->slots_a_task = b->free ? b->planted_slots + b->slots + 1 : b->planted_slots;
    b->at_most = b->free ? 2 * b->slots + 1 : b->slot[b->planted_slots - 1] + 1;
    return 0;
}

/* ---- jobs ---- */

static struct cs_trap_jobs *jobs_create(int64_t most, int procs, struct cs_arena *arena)
{
    struct cs_trap_jobs *jobs = CS_NEW(arena, struct cs_trap_jobs);

    *jobs = (struct cs_trap_jobs){
        .procs = procs,
        .seconds = CS_NEW_ARRAY(arena, double, most),
        .width = CS_NEW_ARRAY(arena, int, most),
        .failures = CS_NEW_ARRAY(arena, int64_t, most),
        .proven = NAN,
    };
    return jobs;
}

static void jobs_add(struct cs_trap_jobs *jobs, int width, double seconds, int64_t failures)
{
    jobs->width[jobs->count] = width;
    jobs->seconds[jobs->count] = seconds;
    jobs->failures[jobs->count++] = failures;
}

struct cs_trap_jobs *cs_trap_greedy(int64_t procs, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_trap_jobs *jobs;

    if (procs < 1 || procs > 3000) {
        cs_error_set(err, "--procs: the trap greedy is for 1 to 3000 processors, not for %" PRId64,
                     procs);
        return NULL;
    }
    jobs = jobs_create(procs * (procs - 1) + 1, (int)procs, arena);
    for (int64_t i = 0; i < procs * (procs - 1); i++)
        jobs_add(jobs, 1, 1, 0);
    jobs_add(jobs, 1, (double)procs, 0);
    jobs->optimum = (double)procs;
    jobs->proven = 2 - 1.0 / (double)procs;
    return jobs;
}

static int check_groups(int64_t groups, int64_t slots, struct cs_error *err)
{
    if (groups < 2)
        return cs_error_set(err, "--groups: %" PRId64 " is not enough; 2 or more", groups);
    if (slots < 2)
        return cs_error_set(err, "--slots: %" PRId64 " is not enough; 2 or more", slots);
    if (groups > 1000000 || slots > 1000000)
        return cs_error_set(err, "--%s: %" PRId64 " is more than 1000000",
                            groups > 1000000 ? "groups" : "slots",
                            groups > 1000000 ? groups : slots);
    if (groups * slots % 2)
        return cs_error_set(
            err, "--slots: groups times slots must be even, %" PRId64 " times %" PRId64 " is not",
            groups, slots);
    return 0;
}

struct cs_trap_jobs *cs_trap_ljf(int64_t groups, int64_t slots, struct cs_arena *arena,
                                 struct cs_error *err)
{
    const int64_t length = 4 * groups * slots; /* H */
    const int procs = (int)(8 * groups - 4), half = procs / 2;
    struct cs_trap_jobs *jobs;

    if (check_groups(groups, slots, err))
        return NULL;
    jobs = jobs_create(groups + 6, procs, arena);
    jobs_add(jobs, half + 1, 2, length / 2 - 1);
    jobs_add(jobs, half, 1, 0);
    jobs_add(jobs, half, 1, 0);
    for (int64_t m = 0; m < groups; m++)
        jobs_add(jobs, 4, 4, (groups - 1) * slots - 1);
    jobs_add(jobs, half, 1, 0);
    jobs_add(jobs, half, 1, 0);
    jobs_add(jobs, 1, 8, length / 8 - 1);
    jobs->optimum = (double)length + 2;
    jobs->proven = 3 - 4.0 / (procs + 1);
    return jobs;
}

/* ---- expected makespans ---- */

#define NEGLIGIBLE 1e-20 /* probability that is left out */
#define ROUNDS 10000000  /* that are added up at most */

/* The probability that an attempt of unit / (j + 1) seconds fails. */
static double failing_share(double unit, double rate, int j)
{
    return -expm1(-rate * unit / (j + 1));
}

/* Is a sum over attempts short enough? */
static bool is_summable(double unit, double rate)
{
    return pow(failing_share(unit, rate, 0), ROUNDS) < NEGLIGIBLE;
}

double cs_trap_shelf_expected(int procs, double unit, double rate)
{
    double sum = 0, left = 1;

    if (!is_summable(unit, rate))
        return NAN;
    for (int r = 0; left > NEGLIGIBLE; r++) {
        double shorter = 1; /* no longer job has failed r times */

        for (int j = 0; j < procs; j++) {
            const double again = pow(failing_share(unit, rate, j), r);

            sum += unit / (j + 1) * again * shorter;
            shorter *= 1 - again;
        }
        left = pow(failing_share(unit, rate, 0), r + 1);
    }
    return sum;
}

/* The probability that all jobs have ended, job j after done[j] attempts. */
static double ended_share(int procs, double unit, double rate, const int64_t *done)
{
    double share = 1;

    for (int j = 0; j < procs && share > 0; j++)
        share *= 1 - pow(failing_share(unit, rate, j), (double)done[j]);
    return share;
}

/* The integral of the probability that a job is left, from one possible end to the next. */
double cs_trap_shelf_optimum(int procs, double unit, double rate)
{
    struct cs_arena *arena;
    double sum = 0, at = 0;
    int64_t *done;

    if (!is_summable(unit, rate))
        return NAN;
    arena = cs_arena_create();
    done = CS_NEW_ARRAY(arena, int64_t, procs);
    for (;;) {
        const double left = 1 - ended_share(procs, unit, rate, done);
        double next = INFINITY;
        int which = -1;

        for (int j = 0; j < procs; j++) {
            const double end = (double)(done[j] + 1) * unit / (j + 1);

            if (end < next && pow(failing_share(unit, rate, j), (double)done[j]) > NEGLIGIBLE) {
                next = end;
                which = j;
            }
        }
        if (which < 0)
            break;
        sum += left * (next - at);
        at = next;
        done[which]++;
    }
    cs_arena_destroy(arena);
    return sum;
}
