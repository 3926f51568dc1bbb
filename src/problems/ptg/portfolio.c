/* portfolio.c - the members of the portfolio, and the choice of the winner.
 *
 * Source: spec/ptg.md III.5.
 *
 * Idea: no single rule is best on all families and platforms (spec/ptg.md III.0), so that shares
 * of the paper, the same widened, and joint plans of several efficiencies are all made; the dates
 * as planned or those of the fluid replay decide.  A search can continue from the winner.
 *
 * Invariants
 *   - the order of members is fixed, and the first of equal values wins: the result does not
 *     depend on the number of threads, since each member is written to its own place.
 *   - with limits that bind (in->low) the members of the paper are left out; they know no limits.
 *   - alone[g] is by the member whose plan for graph g alone is shortest, judged as the contest
 *     is.
 *   - the plan of the search is kept only if the judge finds it better than the winner.
 *
 * Complexity: 28 plans for several graphs, 11 for one, and as many replays; 11 more plans for each
 * graph alone, unless there is a single graph that is released at 0.
 *
 * Constants
 *   name              value       unit        found by           half, double
 *   MEMBERS_MOST      28          plans       spec/ptg.md III.5  not measured
 *   efficiencies      0.05 - 0.5  efficiency  spec/ptg.md III.5  not measured
 *   WIDEN_EFFICIENCY  0.1         efficiency  spec/ptg.md III.5  not measured
 *   READY_EFFICIENCY  0.1         efficiency  spec/ptg.md III.5  not measured
 *   LARGE             20000       tasks       not measured       not measured
 * LARGE: with more tasks only the shares (widened too) and joint-level 0.05 are tried, and planned
 * dates judge; bench/README.md, "Graphs of 100,000 tasks", has the times.
 */
#include "problems/ptg/portfolio.h"

#include "base/plain.h"
#include "base/thread.h"
#include "problems/ptg/joint.h"
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"
#include "problems/ptg/search.h"
#include "problems/ptg/strategy.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define MEMBERS_MOST 28
#define WIDEN_EFFICIENCY 0.1
#define READY_EFFICIENCY 0.1
#define LARGE 20000 /* tasks */

/* How a member makes its plan. */
struct generator {
    char name[32];
    const char *shares; /* NULL: all 1 */
    bool paper, widen;
    struct cs_ptg_joint joint;
};

static const double efficiencies[] = {0.05, 0.1, 0.2, 0.3, 0.5};

/* As spec/ptg.md III.5 writes them, and as strategies are called here. */
static const char *const shares[][2] = {
    {"S", "s"},
    {"ES", "es"},
    {"PS-work", "ps-work"},
    {"WPS-width", "wps-width"},
    {"WPS-work", "wps-work"},
};
#define SHARES ((int)(sizeof shares / sizeof *shares))

static int add_paper(struct generator *list, int count, int graphs)
{
    for (int s = 0; s < (graphs > 1 ? SHARES : 1); s++)
        for (int widen = 0; widen < 2; widen++) {
            struct generator *r = &list[count++];

            *r = (struct generator){.shares = shares[s][1], .paper = !widen, .widen = widen};
            cs_plain_print(r->name, sizeof r->name, "%s%s", widen ? "widen " : "", shares[s][0]);
        }
    return count;
}

static int add_joint(struct generator *list, int count, enum cs_ptg_joint_kind kind,
                     enum cs_ptg_joint_key key, int efficient)
{
    static const char *const keys[] = {" rank", " share"};

    for (int e = 0; e < efficient; e++) {
        struct generator *r = &list[count++];

        *r = (struct generator){.joint = {.kind = kind, .key = key, .efficiency = efficiencies[e]}};
        cs_plain_print(r->name, sizeof r->name, "joint%s %.2f%s",
                       kind == CS_PTG_JOINT_LEVEL ? "-level" : "", efficiencies[e],
                       kind == CS_PTG_JOINT_LEVEL ? "" : keys[key]);
    }
    return count;
}

static int add_ready(struct generator *list, int count)
{
    for (int s = 1; s < SHARES; s++) {
        struct generator *r = &list[count++];

        *r = (struct generator){
            .shares = shares[s][1],
            .joint = {.kind = CS_PTG_JOINT_READY, .efficiency = READY_EFFICIENCY},
        };
        cs_plain_print(r->name, sizeof r->name, "joint-ready %s", shares[s][0]);
    }
    return count;
}

static bool is_large(const struct cs_ptg_instance *in)
{
    return in->tasks > LARGE;
}

static int list_members(const struct cs_ptg_instance *in, struct generator *list)
{
    int count = in->low ? 0 : add_paper(list, 0, in->graphs);

    if (is_large(in))
        return add_joint(list, count, CS_PTG_JOINT_LEVEL, CS_PTG_KEY_RANK, 1);
    count = add_joint(list, count, CS_PTG_JOINT, CS_PTG_KEY_RANK, 5);
    if (in->graphs > 1)
        count = add_joint(list, count, CS_PTG_JOINT, CS_PTG_KEY_SHARE, 5);
    count = add_joint(list, count, CS_PTG_JOINT_LEVEL, CS_PTG_KEY_RANK, 4);
    return in->graphs > 1 ? add_ready(list, count) : count;
}

static struct cs_ptg_plan *portfolio_make(const struct cs_ptg_instance *in,
                                          const struct cs_ptg_options *options,
                                          const struct generator *generator)
{
    struct cs_arena *scratch = cs_arena_create();
    double *beta = CS_NEW_ARRAY(scratch, double, in->graphs);
    struct cs_ptg_joint joint = generator->joint;
    struct cs_ptg_plan *plan;

    cs_ptg_shares_named(in, options, generator->shares ? generator->shares : "s", beta);
    joint.fan = options->network == CS_PTG_NETWORK_FAN;
    if (generator->paper)
        plan = cs_ptg_run_shares(in, options, beta);
    else if (generator->widen)
        plan = cs_ptg_run_widened(in, options, WIDEN_EFFICIENCY, beta);
    else
        plan = cs_ptg_joint_plan(in, &joint, beta);
    cs_arena_destroy(scratch);
    return plan;
}

/* The plans of all members of an instance, shared out over a team. */
struct making {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_options *options;
    bool fluid;
    int count;
    const struct generator *generator;
    struct cs_ptg_member *member;
    atomic_int next;
};

static void make_members(void *who, int of_team)
{
    struct making *making = who;
    int m;

    (void)of_team;
    while ((m = making->next++) < making->count) {
        struct cs_ptg_member *member = &making->member[m];

        memcpy(member->name, making->generator[m].name, sizeof member->name);
        member->plan = portfolio_make(making->in, making->options, &making->generator[m]);
        member->replayed = making->fluid ? cs_ptg_replay_fluid(making->in, member->plan) : NULL;
    }
}

static int make_all(const struct cs_ptg_instance *in, const struct cs_ptg_options *options,
                    bool fluid, int threads, struct cs_ptg_member *member)
{
    struct generator generator[MEMBERS_MOST];
    const int count = list_members(in, generator);
    struct making making = {.in = in,
                            .options = options,
                            .fluid = fluid,
                            .count = count,
                            .generator = generator,
                            .member = member};

    cs_team_run(threads < count ? threads : count, make_members, &making);
    return count;
}

static void release_all(struct cs_ptg_member *member, int members)
{
    for (int i = 0; i < members; i++) {
        cs_ptg_plan_destroy(member[i].plan);
        cs_ptg_plan_destroy(member[i].replayed);
    }
}

static const struct cs_ptg_plan *judged_of(const struct cs_ptg_member *member)
{
    return member->replayed ? member->replayed : member->plan;
}

static int shortest_planned(const struct cs_ptg_member *member, int members)
{
    int best = 0;

    for (int i = 1; i < members; i++)
        if (member[i].plan->makespan < member[best].plan->makespan)
            best = i;
    return best;
}

/* The time of a graph alone, by the member that is planned shortest. */
static void find_alone(struct cs_ptg_contest *c, const struct cs_ptg_options *options, bool fluid,
                       int threads, int g)
{
    struct cs_ptg_member member[MEMBERS_MOST];
    struct cs_ptg_instance *single = cs_ptg_instance_single(c->in, g);
    int members = make_all(single, options, false, threads, member);
    int best = shortest_planned(member, members);
    struct cs_ptg_plan *judged = fluid ? cs_ptg_replay_fluid(single, member[best].plan) : NULL;

    c->alone[g] = judged ? judged->makespan : member[best].plan->makespan;
    c->alone_by[g] = cs_arena_strdup(c->arena, member[best].name);
    cs_ptg_plan_destroy(judged);
    release_all(member, members);
    cs_ptg_instance_destroy(single);
}

/* The only graph, there from the start, is alone: its members are the contest's. */
static void is_alone(struct cs_ptg_contest *c)
{
    const struct cs_ptg_member *member = &c->member[shortest_planned(c->member, c->members)];

    c->alone[0] = judged_of(member)->makespan;
    c->alone_by[0] = cs_arena_strdup(c->arena, member->name);
}

struct stretch {
    double mean, most;
};

static struct stretch stretch_of(const struct cs_ptg_contest *c, const double *completion)
{
    struct stretch stretch = {0, 0};

    for (int g = 0; g < c->in->graphs; g++) {
        double makespan = completion[g] - c->in->release[g];
        double one = c->alone[g] > 0 ? makespan / c->alone[g] : 1;

        stretch.mean += one / c->in->graphs;
        stretch.most = fmax(stretch.most, one);
    }
    return stretch;
}

struct cs_ptg_contest *cs_ptg_contest_create(const struct cs_ptg_instance *in,
                                             const struct cs_ptg_options *options, bool fluid,
                                             int threads)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_ptg_contest *c = CS_NEW(arena, struct cs_ptg_contest);

    fluid = fluid && !is_large(in);
    *c = (struct cs_ptg_contest){
        .in = in,
        .member = CS_NEW_ARRAY(arena, struct cs_ptg_member, MEMBERS_MOST),
        .alone = CS_NEW_ARRAY(arena, double, in->graphs),
        .alone_by = CS_NEW_ARRAY(arena, const char *, in->graphs),
        .least_end = INFINITY,
        .least_mean = INFINITY,
        .arena = arena,
    };
    c->members = make_all(in, options, fluid, threads, c->member);
    if (in->graphs == 1 && in->release[0] == 0)
        is_alone(c);
    else
        for (int g = 0; g < in->graphs; g++)
            find_alone(c, options, fluid, threads, g);
    for (int i = 0; i < c->members; i++) {
        const struct cs_ptg_plan *plan = judged_of(&c->member[i]);

        c->least_end = fmin(c->least_end, plan->makespan);
        c->least_mean = fmin(c->least_mean, stretch_of(c, plan->completion).mean);
    }
    return c;
}

void cs_ptg_contest_destroy(struct cs_ptg_contest *contest)
{
    if (!contest)
        return;
    release_all(contest->member, contest->members);
    cs_arena_destroy(contest->arena);
}

static double portfolio_over(double value, double least)
{
    return least > 0 ? value / least : 1;
}

/* By the dates at which graphs end, of which one is the end of all. */
static double value_at(const struct cs_ptg_contest *c, double end, const double *completion,
                       enum cs_ptg_objective objective)
{
    switch (objective) {
    case CS_PTG_STRETCH:
        return stretch_of(c, completion).most;
    case CS_PTG_TRADE:
        return portfolio_over(end, c->least_end) +
               portfolio_over(stretch_of(c, completion).mean, c->least_mean);
    case CS_PTG_MAKESPAN:
        break;
    }
    return end;
}

double cs_ptg_contest_value(const struct cs_ptg_contest *contest, const struct cs_ptg_plan *judged,
                            enum cs_ptg_objective objective)
{
    return value_at(contest, judged->makespan, judged->completion, objective);
}

int cs_ptg_contest_best(const struct cs_ptg_contest *contest, enum cs_ptg_objective objective)
{
    double least = INFINITY;
    int best = 0;

    for (int i = 0; i < contest->members; i++) {
        double value = cs_ptg_contest_value(contest, judged_of(&contest->member[i]), objective);

        if (value < least) {
            least = value;
            best = i;
        }
    }
    return best;
}

/* The objective of a search, passed through its `who`. */
struct aim {
    const struct cs_ptg_contest *contest;
    enum cs_ptg_objective objective;
};

static double portfolio_value_of(const void *who, double end, const double *completion)
{
    const struct aim *aim = who;

    return value_at(aim->contest, end, completion, aim->objective);
}

/* A search from the winner on, for the same objective; NULL when the judge finds no better plan. */
static struct cs_ptg_plan *portfolio_improve(const struct cs_ptg_contest *c,
                                             const struct cs_ptg_options *options,
                                             const struct cs_ptg_portfolio *how,
                                             const struct cs_ptg_member *winner)
{
    const struct aim aim = {c, how->objective};
    const struct cs_ptg_search search = {
        .moves = how->moves,
        .seed = how->seed,
        .fan = options->network == CS_PTG_NETWORK_FAN,
        .value = how->objective == CS_PTG_MAKESPAN ? NULL : portfolio_value_of,
        .who = &aim,
    };
    struct cs_ptg_plan *plan = cs_ptg_search_from(c->in, winner->plan, &search, NULL);
    struct cs_ptg_plan *replayed = winner->replayed ? cs_ptg_replay_fluid(c->in, plan) : NULL;
    double value = cs_ptg_contest_value(c, replayed ? replayed : plan, how->objective);

    cs_ptg_plan_destroy(replayed);
    if (value < cs_ptg_contest_value(c, judged_of(winner), how->objective))
        return plan;
    cs_ptg_plan_destroy(plan);
    return NULL;
}

struct cs_ptg_plan *cs_ptg_portfolio_plan(const struct cs_ptg_instance *in,
                                          const struct cs_ptg_options *options,
                                          const struct cs_ptg_portfolio *how)
{
    struct cs_ptg_contest *c = cs_ptg_contest_create(in, options, how->fluid, how->threads);
    struct cs_ptg_member *winner = &c->member[cs_ptg_contest_best(c, how->objective)];
    struct cs_ptg_plan *plan = how->moves > 0 ? portfolio_improve(c, options, how, winner) : NULL;

    if (!plan) {
        plan = winner->plan;
        winner->plan = NULL;
    }
    plan->member = cs_arena_strdup(plan->storage, winner->name);
    plan->rounds = c->members;
    cs_ptg_contest_destroy(c);
    return plan;
}
