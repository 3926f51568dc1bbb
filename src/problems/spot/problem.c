/* problem.c - the problem spot, described once (problem/problem.h): parameters and metrics.
 *
 * Metrics: spec/volatile.md III.6.  Where a deadline cannot be met, costs relative to the
 * clairvoyant one are absent.
 */
#include "problems/spot/problem.h"
#include "base/rng.h"
#include "io/schedule_keys.h"
#include "problem/problem.h"
#include "problem/rows.h"
#include "problem/sample.h"
#include "problems/spot/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* From options to markets of spot instances and a job, to its runs.
 *
 * Source: spec/volatile.md III.6 (its measured table: 12 starts for each zone, in the second half).
 * Idea: the zone of each file is a market, in which spot is available while instance number
 * --instances is up; the phases of spot are fitted to its history, and jobs start at random ticks
 * after it.
 * Invariants: every policy meets the same starts; no job starts where the trace ends before its
 * deadline; prices of an hour are converted to prices of a tick and of all instances.
 * Complexity: one table for each market (table.c), O(ticks) for a run.
 * Constants: HOUR 3600 s; NEAR 1e-9 of a price interval, against rounding (set by hand; half and
 * double: not measured).
 */

#define PURPOSE 0x6d61726bu /* separates this stream from others */
#define HOUR 3600.0
#define NEAR 1e-9

static struct cs_spot_case *spot_case_of(struct cs_study *study)
{
    return (struct cs_spot_case *)(void *)study;
}

static const struct cs_spot_case *spot_case_in(const struct cs_study *study)
{
    return (const struct cs_spot_case *)(const void *)study;
}

bool cs_spot_case_hopeless(const struct cs_spot_case *c)
{
    return c->job.work + c->job.change > c->job.deadline;
}

/* ---- the markets ---- */

static const unsigned char *ticks_of(const struct cs_fleet_host *host, int64_t ticks,
                                     struct cs_arena *arena)
{
    unsigned char *there = CS_NEW_ARRAY(arena, unsigned char, ticks);
    int64_t slot = 0;

    for (int64_t i = 0; slot < ticks; i++)
        for (; slot < ticks && slot < host->run[i].end; slot++)
            there[slot] = host->run[i].state == CS_FLEET_UP;
    return there;
}

/* Of a tick, from prices of an hour. */
static const double *prices_of(const struct cs_fleet_zone *zone, double tick, int64_t instances,
                               struct cs_arena *arena)
{
    double *price;

    if (!zone->prices)
        return NULL;
    price = CS_NEW_ARRAY(arena, double, zone->slots);
    for (int64_t t = 0; t < zone->slots; t++) {
        int64_t at = (int64_t)floor((double)t * tick / zone->gap + NEAR);

        price[t] = zone->price[at < zone->prices ? at : zone->prices - 1] * tick / HOUR *
                   (double)instances;
    }
    return price;
}

static int make_plans(struct cs_spot_case *c, struct cs_spot_zone *zone, struct cs_error *err)
{
    zone->plan = CS_NEW_ARRAY(c->study.arena, void *, c->study.variants);
    for (int w = 0; w < c->study.variants; w++) {
        const struct cs_spot_policy *policy = cs_spot_policy_at(c->call[w].policy);

        if (!policy->prepare)
            continue;
        zone->plan[w] = policy->prepare(&c->job, &zone->phases, c->study.arena, err);
        if (!zone->plan[w])
            return -1;
    }
    return 0;
}

static int make_zone(struct cs_spot_case *c, int z, struct cs_error *err)
{
    const struct cs_spot_options *o = c->options;
    const struct cs_fleet *fleet = c->fleet;
    const struct cs_fleet_zone *from = &fleet->zone[z];
    struct cs_spot_zone *zone = &c->zone[z];
    int seat = (int)o->instances - 1;

    if (seat >= from->hosts)
        return cs_error_set(err, "%s: --instances %d, but there are never more than %d", from->name,
                            seat + 1, from->hosts);
    zone->market.ticks = from->slots;
    zone->market.there = ticks_of(&fleet->host[from->first + seat], from->slots, c->study.arena);
    zone->market.price = prices_of(from, fleet->slot, o->instances, c->study.arena);
    if (c->history < 1 || c->history + c->job.deadline > from->slots)
        return cs_error_set(err,
                            "%s: %" PRId64 " ticks are too few for a history of %" PRId64
                            " and a deadline after %" PRId64,
                            from->name, from->slots, c->history, c->job.deadline);
    zone->phases = cs_spot_phases_fit(&zone->market, 0, c->history, o->young);
    return make_plans(c, zone, err);
}

static int make_zones(struct cs_spot_case *c, struct cs_error *err)
{
    c->zones = c->fleet->zones;
    c->zone = CS_NEW_ARRAY(c->study.arena, struct cs_spot_zone, c->zones);
    for (int z = 0; z < c->zones; z++)
        if (make_zone(c, z, err))
            return -1;
    return 0;
}

/* ---- from options ---- */

static int spot_case_check(const void *options, struct cs_error *err)
{
    const struct cs_spot_options *o = options;

    return o->study.input
               ? 0
               : cs_error_set(err, "input is missing: a trace of spot instances is expected");
}

static int64_t ticks_up(double seconds, double tick)
{
    return (int64_t)ceil(seconds / tick - NEAR);
}

static int read_traces(struct cs_spot_case *c, struct cs_error *err)
{
    const struct cs_spot_options *o = c->options;
    const struct cs_fleet_options options = {.slot = isnan(o->slot) ? 0 : o->slot,
                                             .components = o->components};
    const char *const *path = o->study.inputs;
    int count = 0;

    if (!path)
        path = cs_param_lines(o->study.input, c->study.arena);
    while (path[count])
        count++;
    c->fleet = cs_fleet_read(path, count, &options, err);
    return c->fleet ? 0 : -1;
}

static void set_job(struct cs_spot_case *c)
{
    const struct cs_spot_options *o = c->options;
    double tick = c->fleet->slot, hours = tick / HOUR;

    c->job = (struct cs_spot_job){
        .work = ticks_up(o->work, tick),
        .deadline = (int64_t)floor(o->deadline / tick + NEAR),
        .change = isnan(o->change_over) ? 0 : ticks_up(o->change_over, tick),
        .spot = o->spot_price * hours * (double)o->instances,
        .demand = o->demand_price * hours * (double)o->instances,
    };
    c->history = o->history > 0 ? o->history : c->fleet->slots / 2;
}

/* The others are compared with uniform, or else with the first. */
static int find_variants(struct cs_spot_case *c, struct cs_error *err)
{
    struct cs_study *study = &c->study;
    struct cs_variant *variant;
    const char *const *word;

    study->variants = cs_study_policies(&study->problem->choice[0], c->options->policy, 0,
                                        study->arena, &c->call, &word, err);
    if (study->variants < 0)
        return -1;
    study->variant = variant = CS_NEW_ARRAY(study->arena, struct cs_variant, study->variants);
    study->reference = 0;
    for (int w = study->variants - 1; w >= 0; w--) {
        variant[w] = (struct cs_variant){{word[w]}};
        if (!strcmp(word[w], "uniform"))
            study->reference = w;
    }
    return 0;
}

static struct cs_study *spot_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err)
{
    struct cs_spot_case *c = cs_study_create(&cs_problem_spot, options, sizeof *c);

    (void)context;
    c->options = options;
    c->study.runs = (long)c->options->scenarios;
    if (!find_variants(c, err) && !read_traces(c, err)) {
        set_job(c);
        if (!make_zones(c, err))
            return &c->study;
    }
    cs_study_close(&c->study);
    return NULL;
}

static void spot_case_close(struct cs_study *study)
{
    cs_fleet_destroy(spot_case_of(study)->fleet);
}

/* As in stores of cosched 0.2, where this was a part of the problem volatile. */
static void spot_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT])
{
    const struct cs_spot_case *c = spot_case_in(study);
    struct cs_digest digest;

    cs_digest_init(&digest);
    cs_digest_put_text(&digest, "volatile deadline 1");
    cs_digest_put_integer(&digest, c->job.work);
    cs_digest_put_integer(&digest, c->job.deadline);
    cs_digest_put_integer(&digest, c->job.change);
    cs_digest_put_double(&digest, c->job.spot);
    cs_digest_put_double(&digest, c->job.demand);
    for (int z = 0; z < c->zones; z++) {
        const struct cs_spot_market *market = &c->zone[z].market;

        cs_digest_put_integer(&digest, market->ticks);
        for (int64_t t = 0; t < market->ticks; t++)
            cs_digest_put_integer(&digest, market->there[t]);
    }
    cs_digest_finish(&digest, text);
}

/* ---- runs ---- */

static int64_t start_of(const struct cs_spot_case *c, const struct cs_spot_market *market, long run)
{
    struct cs_rng rng;

    cs_rng_init(&rng, (uint64_t)c->options->study.seed, PURPOSE, (uint64_t)run);
    return c->history + (int64_t)cs_rng_below(
                            &rng, (uint64_t)(market->ticks - c->history - c->job.deadline + 1));
}

static struct cs_spot_request variant_request(const struct cs_spot_case *c,
                                              const struct cs_spot_zone *zone, int variant)
{
    return (struct cs_spot_request){.policy = cs_spot_policy_at(c->call[variant].policy),
                                    .plan = zone->plan[variant],
                                    .young = zone->phases.young};
}

static int spot_run(void *job, const struct cs_loop_at *at, void *out, struct cs_error *err)
{
    const struct cs_spot_case *c = spot_case_in(job);
    const long run = at->scenario;
    const struct cs_spot_zone *zone = &c->zone[run % c->zones];
    int64_t from = start_of(c, &zone->market, run);
    struct cs_spot_outcome *outcome = c->study.outcome;
    double least;

    (void)out;
    if (cs_spot_job_check(&c->job, &zone->market, from, err))
        return -1;
    least = cs_spot_clairvoyant_cost(&c->job, &zone->market, from);
    for (int w = 0; w < c->study.variants; w++) {
        const struct cs_spot_request request = variant_request(c, zone, w);
        struct cs_spot_outcome *one = &outcome[w * c->study.runs + run];

        cs_spot_run(&c->job, &zone->market, from, &request, one, NULL);
        one->clairvoyant_cost = least;
    }
    return 0;
}

/* "best": the cheapest relative to the reference. */
static void spot_remark(struct cs_study *study)
{
    const char **remark = CS_NEW_ARRAY(study->arena, const char *, study->variants);
    double *over = CS_NEW_ARRAY(study->arena, double, study->variants), best = INFINITY;

    for (int w = 0; w < study->variants; w++) {
        over[w] = cs_study_compare(study, w, study->reference).over;
        best = fmin(best, over[w]);
    }
    for (int w = 0; w < study->variants; w++)
        remark[w] = over[w] <= best ? "best" : "";
    study->remark = remark;
}

static int spot_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                         struct cs_error *err)
{
    const struct cs_loop loop = {
        .scenarios = study->runs,
        .threads = cs_study_threads(study),
        .job = study,
        .run = spot_run,
        .progress = progress,
        .weight = study->variants,
    };

    if (cs_loop_run(&loop, err))
        return -1;
    spot_remark(study);
    return 0;
}

/* ---- one run, kept ---- */

/* The job and its market from the start of a run on, as a schedule file declares them; for so many
 * ticks. */
static void declare_run(const struct cs_spot_case *c, long run, int64_t ticks,
                        struct cs_spot_declared *d)
{
    const struct cs_spot_market *market = &c->zone[run % c->zones].market;
    const int64_t from = start_of(c, market, run);
    char *there = CS_NEW_ARRAY(c->study.arena, char, ticks + 1);
    double *price = market->price ? CS_NEW_ARRAY(c->study.arena, double, ticks) : NULL;

    for (int64_t t = 0; t < ticks; t++) {
        there[t] = cs_spot_market_there(market, from + t) ? '1' : '0';
        if (price)
            price[t] = from + t < market->ticks ? market->price[from + t] : c->job.spot;
    }
    d->instances = (int)c->options->instances;
    d->work = (int)c->job.work;
    d->deadline = (int)c->job.deadline;
    d->change = (int)c->job.change;
    d->tick = c->fleet->slot;
    d->spot = c->job.spot;
    d->demand = c->job.demand;
    d->ticks = (int)ticks;
    d->there = there;
    d->price = price;
}

/* A bar of ticks from .. to - 1. */
static void add_bar(const struct cs_spot_case *c, struct cs_schedule *schedule,
                    enum cs_spot_mode mode, enum cs_bar_kind kind, int start, int64_t from,
                    int64_t to)
{
    const int n = (int)c->options->instances, first = mode == CS_SPOT_SPOT ? 0 : n;
    const struct cs_interval procs = {first, first + n - 1};
    const struct cs_bar bar = {.kind = kind,
                               .attempt = start,
                               .group = -1,
                               .start = (double)from * c->fleet->slot,
                               .end = (double)to * c->fleet->slot,
                               .intervals = 1,
                               .procs = &procs};

    if (to > from)
        cs_schedule_add(schedule, &bar, NULL);
}

/* Neighbouring ticks in one mode are a change-over, or its beginning, and work. */
static void add_bars(const struct cs_spot_case *c, struct cs_schedule *schedule,
                     const unsigned char *mode, int64_t ticks)
{
    int starts = 0;

    for (int64_t t = 0, end; t < ticks; t = end) {
        enum cs_spot_mode now = (enum cs_spot_mode)mode[t];
        int64_t works;

        for (end = t; end < ticks && mode[end] == mode[t];)
            end++;
        if (now == CS_SPOT_IDLE)
            continue;
        works = t + c->job.change < end ? t + c->job.change : end;
        starts++;
        add_bar(c, schedule, now, CS_BAR_RECOVERY, starts, t, works);
        add_bar(c, schedule, now, CS_BAR_WORK, starts, works, end);
    }
}

static struct cs_schedule *make_schedule(const struct cs_spot_case *c, const unsigned char *mode,
                                         int64_t ticks)
{
    static const char *const job[] = {"job"};
    const int n = (int)c->options->instances;
    const struct cs_cluster cluster[] = {{.name = "spot", .procs = n},
                                         {.name = "on demand", .procs = n}};
    struct cs_platform *platform = cs_platform_create("instance", 2, cluster, NULL);
    struct cs_schedule *schedule = cs_schedule_create("spot", 2 * n, 1, job);

    cs_schedule_set_platform(schedule, platform, NULL);
    cs_platform_destroy(platform);
    add_bars(c, schedule, mode, ticks);
    return schedule;
}

static struct cs_kept *spot_case_record(const struct cs_study *study, int variant, long run,
                                        struct cs_error *err)
{
    const struct cs_spot_case *c = spot_case_in(study);
    const struct cs_spot_zone *zone = &c->zone[run % c->zones];
    const struct cs_spot_request request = variant_request(c, zone, variant);
    struct cs_spot_kept *kept = CS_NEW(study->arena, struct cs_spot_kept);
    int64_t from = start_of(c, &zone->market, run);
    struct cs_spot_outcome outcome;
    unsigned char *mode;

    if (cs_spot_job_check(&c->job, &zone->market, from, err))
        return NULL;
    mode = CS_NEW_ARRAY(study->arena, unsigned char,
                        c->job.work + c->job.deadline + c->job.change + 1);
    cs_spot_run(&c->job, &zone->market, from, &request, &outcome, mode);
    declare_run(c, run, outcome.end, &kept->declared);
    kept->declared.cost = outcome.cost;
    kept->declared.starts = (int)outcome.starts;
    kept->declared.late = (int)outcome.late;
    kept->record.schedule = make_schedule(c, mode, outcome.end);
    return &kept->record;
}

static void spot_case_put(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_jsonw *w)
{
    (void)study;
    cs_keys_put(w, cs_keys_spot, record->schedule,
                &((const struct cs_spot_kept *)(const void *)record)->declared);
}

static void spot_case_discard(struct cs_kept *record)
{
    cs_schedule_destroy(record->schedule);
}

/* For the checker: see cs_problem.supplied. */
static int spot_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                              struct cs_error *err)
{
    static const char *const job[] = {"job"};
    const struct cs_spot_case *c = spot_case_in(study);
    const int64_t most = c->job.work + c->job.deadline + c->job.change;
    struct cs_spot_declared *declared = CS_NEW(study->arena, struct cs_spot_declared);

    if (cs_study_supplied_tasks(file, 2 * (int)c->options->instances, 1, job, err))
        return -1;
    if (!file->spot)
        return 0;
    *declared = *file->spot;
    declare_run(c, (long)study->options->scenario, declared->ticks < most ? declared->ticks : most,
                declared);
    file->spot = declared;
    return 0;
}

#define AT(member) offsetof(struct cs_spot_options, member)

enum { RUN = CS_SIMULATE | CS_EXPERIMENT };

static void put_policies(struct cs_strbuf *names)
{
    cs_study_policy_words(&cs_problem_spot.choice[0], names);
}

static const struct cs_param params[] = {
    {.name = "input",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .repeats = true,
     .summary = "traces of spot instances; several files are separate markets",
     .actions = CS_EXPERIMENT,
     .required = CS_EXPERIMENT,
     .scope = CS_SCOPE_INSTANCE,
     .at = CS_STUDY_AT(input),
     .old = "trace",
     .old_stored = true,
     .old_stays = true},
    {.name = "deadline",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e10,
     .group = "The job",
     .required = RUN,
     .summary = "time until which the job must be done; no scenario is late when work and a "
                "change-over fit before it",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(deadline)},
    {.name = "work",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e10,
     .required = RUN,
     .summary = "computing time of the job",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(work)},
    {.name = "change-over",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e10,
     .summary = "time without progress, which is paid, at each start on other instances; default: "
                "0",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(change_over)},
    {.name = "instances",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "1",
     .low = 1,
     .high = 100000,
     .summary = "instances that the job needs at the same time: spot is available while this many "
                "are",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(instances)},
    {.name = "demand-price",
     .kind = CS_PARAM_REAL,
     .argument = "X",
     .default_text = "1",
     .low = 0,
     .high = 1e9,
     .group = "The market",
     .summary = "price of an instance-hour on demand",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(demand_price)},
    {.name = "spot-price",
     .kind = CS_PARAM_REAL,
     .argument = "X",
     .default_text = "0.3",
     .low = 0,
     .high = 1e9,
     .summary = "price of an instance-hour on spot, which policies use; if the trace has prices, "
                "those are paid",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(spot_price)},
    {.name = "components",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "component table of an event table of the Failure Trace Archive, with the times in "
                "which nodes were observed; default: component.tab in the directory of the trace, "
                "if present",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(components)},
    {.name = "slot",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .summary = "length of a tick; default: the longest that a trace specifies, else 60 s",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(slot)},
    {.name = "history",
     .kind = CS_PARAM_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 10000000,
     .summary = "ticks of each trace that policies learn from; jobs start after them; 0 or not "
                "given: half of the trace",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(history)},
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME[,NAME...]",
     .default_text = "all",
     .group = "The policies",
     .values = put_policies,
     .policies = &cs_problem_spot.choice[0],
     .list = true,
     .summary = "see 'cosched list spot'; several, or all, are compared scenario by scenario with "
                "uniform, or else with the first",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(policy),
     .old = "buyer",
     .old_stored = true,
     .old_stays = true},
    {.name = "young",
     .kind = CS_PARAM_INTEGER,
     .argument = "TICKS",
     .default_text = "8",
     .low = 1,
     .high = 1000000,
     .summary = "policy table: spot that has been available, or away, for at most this many ticks "
                "is young; it ends with another probability than what has lasted longer",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(young)},
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "100",
     .low = 1,
     .high = 1000000,
     .group = "The scenarios",
     .summary =
         "number of jobs, each with a random start after the history; the traces take turns, "
         "and all policies have the same starts",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(scenarios),
     .old = "trials",
     .old_stays = true},
    CS_ROW_SEED("of the starts", CS_SIMULATE),
    CS_ROW_THREADS(CS_SIMULATE),
    CS_ROW_FORMAT("Output", CS_SIMULATE),
    {.name = "per-scenario",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "a row for each policy and scenario",
     .actions = CS_SIMULATE,
     .at = CS_STUDY_AT(per_scenario),
     .old = "per-trial",
     .old_stays = true},
    CS_ROW_SCHEDULE("one scenario as a schedule (cosched-schedule-1), which 'cosched check' checks",
                    CS_SIMULATE),
    CS_ROW_GANTT("draw one scenario: the instances over time", CS_SIMULATE),
    CS_ROW_SCENARIO("the scenario that --output and --gantt show, from 0"),
    CS_ROW_TITLE(CS_SIMULATE),
    CS_ROW_DARK(CS_SIMULATE),
    {0},
};

/* ---- metrics ---- */

/* A cost of runs in time: NaN if no run is sure to be in time. */
static double in_time(const struct cs_study *study, double cost)
{
    return cs_spot_case_hopeless((const struct cs_spot_case *)(const void *)study) ? NAN : cost;
}

#define EACH(id, expression)                                                                       \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_spot_outcome *o = one;                                                     \
                                                                                                   \
        (void)study;                                                                               \
        return expression;                                                                         \
    }

EACH(cost, o->cost)
EACH(clairvoyant_cost, in_time(study, o->clairvoyant_cost))
EACH(over_clairvoyant, o->cost / in_time(study, o->clairvoyant_cost))
EACH(expected, in_time(study, o->expected))
EACH(elapsed, (double)o->end *((const struct cs_spot_case *)(const void *)study)->fleet->slot)
EACH(late, o->late > 0)
EACH(on_spot, (double)o->on_spot / (double)(o->on_spot + o->on_demand))
EACH(starts, (double)o->starts)

static const struct cs_value values[] = {
    {"cost", "cost", "cost of the job, in units of its prices", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "mean cost", .digits = 2, .of = cost},
    {"clairvoyant_cost", "clairvoyant cost",
     "the least cost of a run in time if the trace is known", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .old = "least", .of = clairvoyant_cost},
    {"over_clairvoyant", "cost / clairvoyant cost", "cost / clairvoyant_cost",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "over clairvoyant", .digits = 4,
     .interval = true, .old = "over_least", .of = over_clairvoyant},
    {"expected", "cost that was expected", "the cost that the table expects at the start",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = expected},
    {"elapsed", "time until the end", "seconds from the start to the end of the job",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "elapsed", .old = "took", .of = elapsed},
    {"late", "late", "share of jobs that ended after the deadline", .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .column = "late", .digits = 0, .of = late},
    {"on_spot", "paid time on spot", "share of the paid time that was on spot",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "on spot", .digits = 1, .of = on_spot},
    {"starts", "starts", "number of starts on instances", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "starts", .digits = 1, .of = starts},
    {0},
};

const struct cs_problem cs_problem_spot = {
    .name = "spot",
    .summary = "when a job with a deadline buys spot or on-demand instances",
    .param = params,
    .value = values,
    .choice = {{"policy", "policies", cs_spot_policies}},
    .variant = {"policy"},
    .former = "volatile",
    .former_key = "deadline",
    .options = sizeof(struct cs_spot_options),
    .outcome = sizeof(struct cs_spot_outcome),
    .check = spot_case_check,
    .open = spot_case_open,
    .close = spot_case_close,
    .run = spot_case_run,
    .identify = spot_case_identify,
    .record = spot_case_record,
    .put = spot_case_put,
    .discard = spot_case_discard,
    .supplied = spot_case_supplied,
};
