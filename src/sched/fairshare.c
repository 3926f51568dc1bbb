/* fairshare.c - Slurm's multifactor priority with decayed usage and fair shares.
 *
 * Source: spec/replay.md 5.3; Slurm, priority/multifactor (classic, and Fair Tree since 19.05).
 *
 * Idea: usage is advanced from one T to the next, T a multiple of calc_period: what was counted
 * decays by 2^(-dT / half_life), what ran in between is added in closed form.  The share of a user
 * follows from usage and shares: `classic` 2^(-e / s), or the rank in the tree of accounts and
 * users.
 *
 * Invariants:
 * - sharer[].usage is the usage at `until`, the last T; attempts are counted up to it, and past[]
 *   holds only those that ended after it (or since the last advance).
 * - running[ticket].procs > 0 exactly while the attempt of the ticket runs.
 * - `stale` is set whenever usage or the set of sharers changed; shares are computed when it is
 *   set.
 * - The table has a power of two of slots and is at most half full, so that a search ends.
 * - The order of the tree is total: level, name, number; equal levels of users in one account
 *   share the factor.  No result depends on the order of the hash table.
 *
 * Complexity: advance O(sharers accounts + highest ticket + ended attempts), and O(s log s) for
 * the tree; a priority O(1) and a search among the QOS names.
 *
 * Constant                                          | found              | at half, at double
 * PAST_MOST: 4,096 ended attempts, then an advance  | not recorded       | not measured
 * half_life, max_age: 604,800 s; calc_period: 300 s | spec/replay.md 5.3 | not measured
 */
#include "sched/fairshare.h"

#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAST_MOST 4096

/* A sharer in the order of the tree. */
struct cs_sched_leaf {
    double account_level, level;
    const char *account_name, *name;
    int account, sharer;
};

static const char *fairshare_name_of(const struct cs_log_names *names, int number)
{
    return names && number >= 0 && number < names->count ? names->name[number] : "";
}

static double fairshare_value_of(const struct cs_sched_named *named, int count, const char *name,
                                 double otherwise)
{
    for (int n = 0; n < count; n++)
        if (!strcmp(named[n].name, name))
            return named[n].value;
    return otherwise;
}

/* Where (account, user) is in the table, or would be. */
static int slot_of(const struct cs_sched_fairshare *f, int account, int user)
{
    unsigned hash = (unsigned)account * 2654435761u ^ (unsigned)user * 2246822519u;
    int slot = (int)((hash ^ hash >> 15) & (unsigned)(f->slots - 1));

    while (f->table[slot] >= 0 &&
           (f->sharer[f->table[slot]].account != account || f->sharer[f->table[slot]].user != user))
        slot = (slot + 1) & (f->slots - 1);
    return slot;
}

static void make_table(struct cs_sched_fairshare *f)
{
    if (2 * (f->sharers + 1) < f->slots)
        return;
    f->slots = f->slots ? 2 * f->slots : 64;
    f->table = CS_NEW_ARRAY(f->arena, int, f->slots);
    memset(f->table, -1, (size_t)f->slots * sizeof *f->table);
    for (int s = 0; s < f->sharers; s++)
        f->table[slot_of(f, f->sharer[s].account, f->sharer[s].user)] = s;
}

static struct cs_sched_sharing_account *account_of(struct cs_sched_fairshare *f, int account)
{
    int a = 0;

    while (a < f->accounts && f->account[a].account != account)
        a++;
    if (a < f->accounts)
        return &f->account[a];
    CS_ARENA_ROOM(f->arena, f->account, f->accounts, f->account_room, 8);
    f->account[f->accounts++] = (struct cs_sched_sharing_account){
        .account = account,
        .supplied = fairshare_value_of(f->of->shares, f->of->shares_count,
                                       fairshare_name_of(f->of->accounts, account), 1),
    };
    return &f->account[a];
}

void cs_sched_fairshare_seen(struct cs_sched_fairshare *f, int account, int user)
{
    int slot;

    if (!f->of)
        return;
    make_table(f);
    slot = slot_of(f, account, user);
    if (f->table[slot] >= 0)
        return;
    if (f->sharers == f->sharer_room) {
        f->sharer_room = 2 * f->sharer_room + 8;
        f->sharer = cs_arena_grow(f->arena, f->sharer, (size_t)f->sharers, (size_t)f->sharer_room,
                                  sizeof *f->sharer);
        f->leaf = CS_NEW_ARRAY(f->arena, struct cs_sched_leaf, f->sharer_room);
    }
    f->table[slot] = f->sharers;
    f->sharer[f->sharers++] =
        (struct cs_sched_sharer){.account = account, .user = user, .share = 1};
    account_of(f, account)->users++;
    f->stale = true;
}

void cs_sched_fairshare_init(struct cs_sched_fairshare *f, const struct cs_site *site,
                             const struct cs_sched_multifactor *of, struct cs_arena *arena)
{
    static struct cs_sched_multifactor none;

    *f = (struct cs_sched_fairshare){.of = of ? of : &none,
                                     .site = site,
                                     .arena = arena,
                                     .until = -INFINITY,
                                     .highest_partition = 1,
                                     .highest_qos = 1};
    for (int p = 0; p < site->partitions; p++)
        f->highest_partition = fmax(f->highest_partition, site->partition[p].priority);
    for (int q = 0; q < f->of->qos_count; q++)
        f->highest_qos = fmax(f->highest_qos, f->of->qos[q].value);
    for (int m = 0; m < f->of->members; m++)
        cs_sched_fairshare_seen(f, f->of->member[m].account, f->of->member[m].user);
}

void cs_sched_fairshare_started(struct cs_sched_fairshare *f, int ticket,
                                const struct cs_log_job *job, double now)
{
    if (!f->of)
        return;
    if (ticket >= f->running_room) {
        size_t old = (size_t)f->running_room;

        f->running_room = 2 * ticket + 64;
        f->running =
            cs_arena_grow(f->arena, f->running, old, (size_t)f->running_room, sizeof *f->running);
    }
    if (ticket >= f->highest)
        f->highest = ticket + 1;
    f->running[ticket] = (struct cs_sched_using){
        .sharer = f->table[slot_of(f, job->account, job->user)],
        .procs = (double)job->procs,
        .start = now,
    };
}

void cs_sched_fairshare_ended(struct cs_sched_fairshare *f, int ticket, double now)
{
    if (!f->of)
        return;
    if (f->ended >= PAST_MOST)
        cs_sched_fairshare_advance(f, now);
    CS_ARENA_ROOM(f->arena, f->past, f->ended, f->ended_room, 64);
    f->past[f->ended] = f->running[ticket];
    f->past[f->ended++].end = now;
    f->running[ticket].procs = 0;
}

/* Usage in [from, to), as it counts at T. */
static double fairshare_usage(const struct cs_sched_fairshare *f, double procs, double from,
                              double to, double at)
{
    double h = f->of->half_life;

    if (!(from < to))
        return 0;
    return procs * (h / log(2)) * (exp2(-(at - to) / h) - exp2(-(at - from) / h));
}

static void fairshare_decay(struct cs_sched_fairshare *f, double at)
{
    int kept = 0;

    for (int s = 0; s < f->sharers; s++)
        if (f->sharer[s].usage > 0)
            f->sharer[s].usage *= exp2(-(at - f->until) / f->of->half_life);
    for (int k = 0; k < f->highest; k++) {
        const struct cs_sched_using *u = &f->running[k];

        if (u->procs > 0)
            f->sharer[u->sharer].usage +=
                fairshare_usage(f, u->procs, fmax(u->start, f->until), at, at);
    }
    for (int k = 0; k < f->ended; k++) {
        const struct cs_sched_using u = f->past[k];

        f->sharer[u.sharer].usage +=
            fairshare_usage(f, u.procs, fmax(u.start, f->until), fmin(u.end, at), at);
        if (u.end > at)
            f->past[kept++] = u;
    }
    f->ended = kept;
    f->until = at;
    f->stale = true;
}

/* Sums by account; returns all usage. */
static double add_up(struct cs_sched_fairshare *f, double *supplied)
{
    double total = 0;

    *supplied = 0;
    for (int a = 0; a < f->accounts; a++) {
        f->account[a].usage = 0;
        *supplied += f->account[a].supplied;
    }
    for (int s = 0; s < f->sharers; s++) {
        account_of(f, f->sharer[s].account)->usage += f->sharer[s].usage;
        total += f->sharer[s].usage;
    }
    return total;
}

static void share_classic(struct cs_sched_fairshare *f)
{
    double supplied, total = add_up(f, &supplied);

    for (int s = 0; s < f->sharers; s++) {
        struct cs_sched_sharer *user = &f->sharer[s];
        const struct cs_sched_sharing_account *account = account_of(f, user->account);
        double share = account->supplied / supplied / account->users;
        double u = total > 0 ? user->usage / total : 0, v = total > 0 ? account->usage / total : 0;

        user->share = exp2(-(u + (v - u) / account->users) / share);
    }
}

static int compare(double la, double lb, const char *a, const char *b)
{
    return la != lb ? (la < lb ? 1 : -1) : strcmp(a, b);
}

/* Accounts by level, then name; in them users by level, then name. */
static int compare_leaves(const void *x, const void *y)
{
    const struct cs_sched_leaf *a = x, *b = y;
    int order = compare(a->account_level, b->account_level, a->account_name, b->account_name);

    if (!order)
        order = (a->account > b->account) - (a->account < b->account);
    if (!order)
        order = compare(a->level, b->level, a->name, b->name);
    return order ? order : (a->sharer > b->sharer) - (a->sharer < b->sharer);
}

static double level_of(double share, double part)
{
    return part > 0 ? share / part : INFINITY;
}

static void make_leaves(struct cs_sched_fairshare *f)
{
    double supplied, total = add_up(f, &supplied);

    for (int a = 0; a < f->accounts; a++)
        f->account[a].level =
            level_of(f->account[a].supplied / supplied, f->account[a].usage / total);
    for (int s = 0; s < f->sharers; s++) {
        const struct cs_sched_sharer *user = &f->sharer[s];
        const struct cs_sched_sharing_account *account = account_of(f, user->account);

        f->leaf[s] = (struct cs_sched_leaf){
            .account_level = account->level,
            .level = level_of(1.0 / account->users, user->usage / account->usage),
            .account_name = fairshare_name_of(f->of->accounts, user->account),
            .name = fairshare_name_of(f->of->users, user->user),
            .account = user->account,
            .sharer = s,
        };
    }
}

static void share_tree(struct cs_sched_fairshare *f)
{
    make_leaves(f);
    qsort(f->leaf, (size_t)f->sharers, sizeof *f->leaf, compare_leaves);
    for (int i = 0; i < f->sharers; i++) {
        const struct cs_sched_leaf *at = &f->leaf[i], *before = i ? at - 1 : NULL;
        bool tie = before && before->account == at->account && before->level == at->level;

        f->sharer[at->sharer].share =
            tie ? f->sharer[before->sharer].share : (double)(f->sharers - i) / f->sharers;
    }
}

void cs_sched_fairshare_advance(struct cs_sched_fairshare *f, double now)
{
    double at = floor(now / f->of->calc_period) * f->of->calc_period;

    if (!f->of->fairshare_weight)
        f->ended = 0;
    if (!f->of->fairshare_weight)
        return;
    if (at > f->until)
        fairshare_decay(f, at);
    if (!f->stale)
        return;
    f->stale = false;
    (f->of->classic ? share_classic : share_tree)(f);
}

static double share_of(const struct cs_sched_fairshare *f, const struct cs_log_job *job)
{
    int s = f->sharers ? f->table[slot_of(f, job->account, job->user)] : -1;

    return s < 0 ? 1 : f->sharer[s].share;
}

static double fairshare_factor(double weight, double value)
{
    return weight ? weight * value : 0;
}

double cs_sched_fairshare_priority(const struct cs_sched_fairshare *f, const struct cs_log_job *job,
                                   double now)
{
    const struct cs_sched_multifactor *of = f->of;
    double size = (double)job->procs / (double)f->site->procs;
    double quality =
        fairshare_value_of(of->qos, of->qos_count, fairshare_name_of(of->qualities, job->qos), 0);
    double sum = fairshare_factor(of->age_weight, fmin(1, (now - job->submit) / of->max_age));

    sum += fairshare_factor(of->fairshare_weight, share_of(f, job));
    sum += fairshare_factor(of->size_weight, of->favor_small ? 1 - size : size);
    sum += fairshare_factor(of->partition_weight,
                            f->site->partition[job->partition].priority / f->highest_partition);
    sum += fairshare_factor(of->qos_weight, quality / f->highest_qos);
    return fmax(1, floor(sum - job->nice));
}
