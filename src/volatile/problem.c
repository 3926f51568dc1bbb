/* problem.c - the problem volatile, described once (study/problem.h). */
#include "volatile/problem.h"

#include "study/rows.h"
#include "volatile/case.h"
#include "volatile/market.h"

#include <math.h>

#define AT(member) offsetof(struct cs_volatile_settings, member)

enum {
    ANY = CS_PLAN | CS_SIMULATE | CS_EXPERIMENT,
    RUN = CS_SIMULATE | CS_EXPERIMENT,
    SHOWN = CS_PLAN | CS_SIMULATE,
};

static const struct cs_field fields[] = {
    CS_ROW_INPUT("hosts and an application (cosched-volatile-1); random ones when not given"),
    CS_ROW_WHOLE("hosts", "P", "20", 1, 10000, "how many hosts", AT(hosts)),
    CS_ROW_WHOLE("tasks", "M", "5", 1, 100000, "tasks of an iteration; the paper has 5 and 10",
                 AT(tasks)),
    CS_ROW_WHOLE("transfers", "N", NULL, 1, 10000,
                 "hosts that the master can send to at once; default: 5, and in experiments 5, 10 "
                 "or 20, drawn for each instance, as in the paper",
                 AT(transfers)),
    CS_ROW_WHOLE("wmin", "W", "1", 1, 1000000,
                 "how hard: a task takes W to 10 W slots, its data W, the program 5 W; the paper "
                 "has 1 to 10",
                 AT(wmin)),
    CS_ROW_WHOLE("iterations", "N", "10", 1, 1000000, "to do", AT(iterations)),
    CS_ROW_WHOLE("cap", "SLOTS", "1000000", 1, CS_VOLATILE_CAP_MAX, "after which a run has failed",
                 AT(cap)),
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[,NAME...]",
     .fallback = "y-ie",
     .group = "The policies",
     .policies = &cs_problem_volatile.choice[0],
     .summary = "see 'cosched list volatile'; several, with parameters as in "
                "ie,y-ie:estimate=conditional, or all, are compared scenario by scenario with ie, "
                "or else with the first",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(policy)},
    {.name = "estimate",
     .kind = CS_FIELD_CHOICE,
     .choices = "printed|conditional",
     .fallback = "printed",
     .summary = "of the expected time: as the paper prints it, or its true value given success",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(estimate)},
    {.name = "prefetch",
     .kind = CS_FIELD_CHOICE,
     .choices = "none|program|data",
     .fallback = "none",
     .summary = "what idle transfers send to hosts outside the configuration: the program, or data "
                "too; the paper's model knows no such thing",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(prefetch)},
    {.name = "singles",
     .kind = CS_FIELD_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .summary = "consider also each host alone",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(singles)},
    {.name = "aware",
     .kind = CS_FIELD_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .summary = "the exact measure of a running configuration with reclaimed hosts",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(aware)},
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "markov|weibull|lognormal",
     .group = "The hosts",
     .summary = "of the times in a state; their means are those of the chains; default: what the "
                "scenario says, else markov",
     .verbs = ANY | CS_GENERATE,
     .of = CS_OF_DRAW,
     .at = AT(law)},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: the longer a state has lasted, the longer it will; default "
                "0.5), or the deviation of the logarithm of lognormal (default 1)",
     .verbs = ANY | CS_GENERATE,
     .of = CS_OF_DRAW,
     .at = AT(shape)},
    {.name = "trace",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .repeats = true,
     .summary =
         "states from a trace that 'cosched fit availability' reads, one of its machines for "
         "each host in order; several files are machines side by side",
     .verbs = ANY,
     .of = CS_OF_DRAW,
     .at = AT(trace)},
    {.name = "components",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .needs = "trace",
     .summary = "the component table of an event table of the archive, which tells when nodes were "
                "watched; default: component.tab beside the trace, where there is one",
     .verbs = ANY,
     .of = CS_OF_DRAW,
     .at = AT(components)},
    {.name = "slot",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .needs = "trace",
     .summary = "of the trace; default: the longest that a file says, else 60 s",
     .verbs = ANY,
     .of = CS_OF_DRAW,
     .at = AT(slot)},
    {.name = "model",
     .kind = CS_FIELD_CHOICE,
     .choices = "given|fitted",
     .summary = "what policies believe: the chains of the scenario, or chains fitted to a history "
                "of the states before the simulation; default: given where every host has a chain, "
                "and without --history",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(model)},
    {.name = "history",
     .kind = CS_FIELD_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 10000000,
     .summary = "to fit chains to; 0 is as when not given; default: the first half of traces, else "
                "20000",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(history)},
    {.name = "belief",
     .kind = CS_FIELD_CHOICE,
     .choices = "auto|chain|pooled-chain|weibull|log-normal|product-limit",
     .fallback = "auto",
     .summary =
         "what rate, proactive-rate and warm spares go by where there is a history: how long "
         "hosts stay by a chain of each or of a pool, or by a law of lives with age, frailty "
         "and co-failure; auto is log-normal where hosts have fewer than 10 ended lives "
         "each, else chain",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(belief)},
    {.name = "pool",
     .kind = CS_FIELD_CHOICE,
     .choices = "zone|fleet|host",
     .fallback = "zone",
     .summary = "whose lives are of one law: those of a file's hosts, of all, or of each host",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(pool)},
    {.name = "save-every",
     .kind = CS_FIELD_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 100000000,
     .group = "The application",
     .summary = "save what an iteration has computed after so many slots, so that losing a host "
                "loses only what came after; 0: never; default: what the scenario says, else never",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(save_every)},
    {.name = "save-cost",
     .kind = CS_FIELD_INTEGER,
     .argument = "SLOTS",
     .low = 0,
     .high = 100000000,
     .summary = "that a save takes; default: what the scenario says, else 0",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(save_cost)},
    {.name = "spares",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 0,
     .high = 100000,
     .summary = "send the program to so many hosts outside the configuration too, those likeliest "
                "to stay, with what transfers it leaves free; default: what the scenario says, "
                "else 0",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(spares)},
    {.name = "deadline",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e10,
     .needs = "trace",
     .group = "A job with a deadline",
     .summary = "instead of an iterative application, run one job that must be done by then, on "
                "spot instances while the trace has them and on demand, which are always there and "
                "dearer; no run is late when work and a change-over fit before the deadline",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(deadline)},
    {.name = "work",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e10,
     .needs = "deadline",
     .summary = "that the job computes",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(work)},
    {.name = "change-over",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e10,
     .needs = "deadline",
     .summary = "without progress, which is paid, whenever the job begins on other instances; "
                "default: 0",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(change_over)},
    {.name = "demand-price",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .fallback = "1",
     .low = 0,
     .high = 1e9,
     .summary = "of an instance-hour on demand",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(demand_price)},
    {.name = "spot-price",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .fallback = "0.3",
     .low = 0,
     .high = 1e9,
     .summary = "of an instance-hour on spot, by which buyers choose; where the trace has prices, "
                "these are paid",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(spot_price)},
    {.name = "instances",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "1",
     .low = 1,
     .high = 100000,
     .summary = "that the job takes at once: spot is there while as many are",
     .verbs = RUN,
     .of = CS_OF_INSTANCE,
     .at = AT(instances)},
    {.name = "buyer",
     .kind = CS_FIELD_CHOICE,
     .choices = "all|greedy|uniform|table",
     .fallback = "all",
     .summary =
         "on demand only when time runs out; at the pace of the deadline (Uniform Progress, "
         "Wu et al., \"Can't Be Late\", NSDI 2024); or by least expected cost, from how long "
         "spot was there and away in the history",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(buyer)},
    {.name = "young",
     .kind = CS_FIELD_INTEGER,
     .argument = "TICKS",
     .fallback = "8",
     .low = 1,
     .high = 1000000,
     .summary = "table: spot that has been there, or away, for so many slots of the trace is told "
                "from what has lasted longer",
     .verbs = RUN,
     .of = CS_OF_WAY,
     .at = AT(young)},
    {.name = "slots",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "draw the states too, as traces of so many slots",
     .verbs = CS_GENERATE,
     .of = CS_OF_RECIPE,
     .at = AT(slots)},
    {.name = "set",
     .kind = CS_FIELD_INTEGER,
     .argument = "I",
     .fallback = "0",
     .low = 0,
     .high = 9007199254740992.0,
     .summary = "another number, other hosts of the same kind",
     .verbs = CS_RECIPE,
     .of = CS_OF_RECIPE,
     .at = AT(set),
     .old = "scenario"},
    CS_ROW_SEED("of the hosts", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "100",
     .low = 1,
     .high = 1000000,
     .group = "The scenarios",
     .summary = "how many; in one every policy meets the same states; those after the first begin "
                "at a random slot of the traces and go round",
     .verbs = RUN,
     .of = CS_OF_DRAW,
     .at = AT(scenarios),
     .old = "trials"},
    CS_ROW_SEED("of the states", SHOWN),
    CS_ROW_THREADS(CS_SIMULATE),
    {.name = "bound",
     .kind = CS_FIELD_CHOICE,
     .choices = "auto|clairvoyant|optimum",
     .fallback = "auto",
     .group = "What comes out",
     .summary = "what makespans are held against: clairvoyant, a bound for who knows all states; "
                "optimum, the shortest schedule then, for scenarios without program and data, "
                "however long the search takes; auto, the optimum where there is neither and "
                "patience suffices, else the bound",
     .verbs = RUN,
     .at = AT(bound)},
    {.name = "patience",
     .kind = CS_FIELD_INTEGER,
     .argument = "WORDS",
     .fallback = "268435456",
     .low = 1,
     .high = 1000000000000000,
     .summary = "of --bound auto: how many words of 64 slots the search for the optimum of a "
                "scenario looks at; some 500 million take a second",
     .verbs = RUN,
     .at = AT(patience)},
    CS_ROW_FORMAT("What comes out", SHOWN),
    {.name = "per-scenario",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "a row for each policy and scenario",
     .verbs = CS_SIMULATE,
     .at = CS_STUDY_AT(per_scenario),
     .old = "per-trial"},
    CS_ROW_SCHEDULE("one scenario as a schedule (cosched-schedule-1), which 'cosched check' judges",
                    SHOWN),
    CS_ROW_GANTT("draw one scenario: every host over time, its states and what it does", SHOWN),
    {.name = "scenario",
     .kind = CS_FIELD_INTEGER,
     .argument = "I",
     .fallback = "0",
     .low = 0,
     .high = 1000000,
     .summary = "the one that --schedule and --gantt show, and that is planned, from 0; a plan has "
                "all slots of traces, also those that chains are fitted to",
     .verbs = SHOWN,
     .at = CS_STUDY_AT(scenario),
     .old = "trial"},
    CS_ROW_TITLE(SHOWN),
    CS_ROW_DARK(SHOWN),
    {0},
};

/* ---- what a run comes to ---- */

#define EACH(id, expression)                                                                       \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_volatile_seen *seen = one;                                                 \
        const struct cs_volatile_outcome *o = &seen->outcome;                                      \
        double slots = (double)o->slots, bound = (double)seen->limit.slots;                        \
                                                                                                   \
        (void)study, (void)slots, (void)bound;                                                     \
        return expression;                                                                         \
    }

/* Does the application save? */
static bool saved(const struct cs_study *study)
{
    const struct cs_volatile_case *c = (const struct cs_volatile_case *)(const void *)study;

    return cs_volatile_instance_application(c->believed)->save_every > 0;
}

EACH(makespan, o->finished ? (double)o->makespan : NAN)
EACH(limit, bound >= 0 ? bound : NAN)
EACH(optimum,
     cs_volatile_case_optimum((const struct cs_volatile_case *)(const void *)study, &seen->limit))
EACH(ratio, o->finished &&bound > 0 ? (double)o->makespan / bound : NAN)
EACH(failed, !o->finished)
EACH(installed, (double)o->installed)
EACH(aborts, (double)o->aborts)
EACH(switches, (double)o->switches)
EACH(computed, (double)o->computed / slots)
EACH(lost, (double)o->lost / slots)
EACH(suspended, (double)o->suspended / slots)
EACH(transfer,
     (slots - (double)(o->computed + o->lost + o->suspended + o->idle + o->saving)) / slots)
EACH(idle, (double)o->idle / slots)
EACH(sent, (double)o->sent)
EACH(prefetched, (double)o->prefetched)
EACH(iterations, o->iterations)
EACH(length, slots)
EACH(decisions, (double)o->decisions)
EACH(work, o->work)
EACH(saves, saved(study) ? (double)o->saves : NAN)
EACH(saving, saved(study) ? (double)o->saving / slots : NAN)

#define BOUGHT(id, expression)                                                                     \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_volatile_seen *seen = one;                                                 \
        const struct cs_volatile_purchase *p = &seen->purchase;                                    \
        double tick = ((const struct cs_volatile_case *)(const void *)study)->fleet->slot;         \
                                                                                                   \
        (void)tick, (void)p;                                                                       \
        return expression;                                                                         \
    }

BOUGHT(cost, p->cost)
BOUGHT(least, seen->least)
BOUGHT(over_least, p->cost / seen->least)
BOUGHT(expected, p->expected)
BOUGHT(took, (double)p->end *tick)
BOUGHT(late, p->late > 0)
BOUGHT(on_spot, (double)p->on_spot / (double)(p->on_spot + p->on_demand))
BOUGHT(starts, (double)p->starts)

/* ---- what the runs of a way come to, beside those of IE ---- */

struct sums {
    long judged, wins, wins30, pairs;
    double own, other, logs; /* of pairs: runs in which both ended */
};

static double makespan_of(const struct cs_volatile_seen *seen)
{
    return seen->outcome.finished ? (double)seen->outcome.makespan : INFINITY;
}

static struct sums sums_of(const struct cs_study *study, int way)
{
    const struct cs_volatile_seen *reference =
        ((const struct cs_volatile_case *)(const void *)study)->reference;
    struct sums s = {0};

    for (long r = 0; r < study->runs; r++) {
        double mine = makespan_of(cs_study_outcome(study, way, r));
        double ie = makespan_of(&reference[r]);

        s.judged += isfinite(mine) || isfinite(ie);
        s.wins += isfinite(mine) && mine <= ie;
        s.wins30 += isfinite(mine) && mine <= 1.3 * ie;
        if (isfinite(mine) && isfinite(ie)) {
            s.pairs++;
            s.own += mine;
            s.other += ie;
            s.logs += log(mine / ie);
        }
    }
    return s;
}

/* How far the mean makespan is from that of IE, over the smaller. */
static double spread_of(const struct sums *s)
{
    double own = s->own / (double)s->pairs, other = s->other / (double)s->pairs;

    return s->pairs ? (own - other) / fmin(own, other) : NAN;
}

static double percent(long part, long all)
{
    return all ? 100.0 * (double)part / (double)all : NAN;
}

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, int way)                                        \
    {                                                                                              \
        const struct sums s = sums_of(study, way);                                                 \
                                                                                                   \
        return expression;                                                                         \
    }

VALUE(diff, 100 * spread_of(&s))
VALUE(spread, spread_of(&s))
VALUE(wins_ie, percent(s.wins, s.judged))
VALUE(wins30, percent(s.wins30, s.judged))
VALUE(over_ie, s.pairs ? exp(s.logs / (double)s.pairs) : NAN)

#define METRIC(id, text)                                                                           \
    {                                                                                              \
        .name = #id, .heading = #id, .summary = (text), .kind = CS_VALUE_NUMBER,                   \
        .in = CS_IN_EXPERIMENTS, .whole = (id),                                                    \
    }

#define SHARE "share of the slots"

static const struct cs_value values[] = {
    {"makespan", "makespan (slots)", "slots; none where the cap, or the end of traces, came first",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .always = true, .column = "mean makespan",
     .unit = "slots", .digits = 1, .of = makespan},
    {"bound", "bound", "what nobody can beat who knows all states, slots", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .of = limit},
    {"ratio", "makespan / bound", "makespan / bound", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .always = true, .column = "over bound", .digits = 4, .interval = true, .of = ratio},
    {"optimum", "bound that is the optimum", "share of scenarios whose bound is the optimum",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = optimum},
    {"failed", "failed", "share of scenarios in which the cap, or the end of traces, came first",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "failed", .digits = 0, .of = failed},
    {"installed", "configurations", "configurations that were begun", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .of = installed},
    {"aborts", "restarts: a host was down", "restarts because a host was down",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "restarts", .unit = "down", .digits = 1,
     .of = aborts},
    {"switches", "restarts: switched for a better one", "restarts with a better configuration",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "restarts", .unit = "switched",
     .digits = 1, .of = switches},
    {"computed", "computing that counted", SHARE " with computing that counted",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = computed},
    {"lost", "computing thrown away", SHARE " with computing that was thrown away",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "lost", .digits = 1, .of = lost},
    {"suspended", "suspended: somebody reclaimed", SHARE " in which a reclaimed host held up all",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "suspended", .digits = 1, .of = suspended},
    {"transfer", "program and data on their way", SHARE " that waited for the program and data",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = transfer},
    {"idle", "no configuration possible", SHARE " without a configuration", .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .of = idle},
    {"sent", "slots of transfers, over hosts", "slots of transfers, over hosts",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = sent},
    {"prefetched", "of them to hosts outside", "slots of transfers to hosts outside",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = prefetched},
    {"iterations", "iterations", "iterations that ended", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .of = iterations},
    {"slots", "slots", "slots simulated", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .of = length},
    {"decisions", "decisions", "decisions of the policy", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .of = decisions},
    {"work", "iterations, parts that are saved too",
     "iterations that ended, and the part of the "
     "next one that is saved at the end",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .of = work},
    {"saves", "saves", "saves that were completed", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .of = saves},
    {"saving", "saving", SHARE " that saves took", .kind = CS_VALUE_SHARE, .in = CS_IN_ALL,
     .column = "saving", .digits = 1, .of = saving},
    {"cost", "cost", "of a job with a deadline, in units of its prices", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE, .column = "mean cost", .digits = 2,
     .of = cost},
    {"least", "least cost", "the least cost for who knows when spot is there",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ROWS | CS_IN_EXPERIMENTS,
     .topic = CS_VOLATILE_TOPIC_DEADLINE, .of = least},
    {"over_least", "cost / least cost", "cost / least cost for who knows when spot is there",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE,
     .column = "over least", .digits = 4, .interval = true, .of = over_least},
    {"expected", "cost that was expected", "the cost that the table expects at the beginning",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE, .of = expected},
    {"took", "time until the end", "seconds from the beginning to the end of the job",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE,
     .column = "took", .of = took},
    {"late", "late", "share of jobs that ended after the deadline", .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE, .column = "late", .digits = 0,
     .of = late},
    {"on_spot", "paid time on spot", "share of the paid time that was on spot",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE,
     .column = "on spot", .digits = 1, .of = on_spot},
    {"starts", "starts", "how often the job began on instances", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .topic = CS_VOLATILE_TOPIC_DEADLINE, .column = "starts", .digits = 1,
     .of = starts},
    METRIC(over_ie, "geometric mean of makespan / makespan of IE, of the scenarios in which both "
                    "ended"),
    METRIC(wins_ie, "scenarios with a makespan at most that of IE, of those in which either ended, "
                    "per cent"),
    METRIC(wins30, "scenarios at most 30 % above IE, per cent"),
    METRIC(diff, "mean makespan minus that of IE, over the smaller, per cent; of the scenarios in "
                 "which both ended"),
    METRIC(spread, "the same as a fraction, for its deviation"),
    {0},
};

const struct cs_problem cs_problem_volatile = {
    .name = "volatile",
    .summary = "which of the hosts that come and go an iterative, tightly coupled application uses "
               "now",
    .field = fields,
    .value = values,
    .choice = {{"policy", "policies", cs_volatile_policies}},
    .way = {"policy"},
    .options = sizeof(struct cs_volatile_settings),
    .outcome = sizeof(struct cs_volatile_seen),
    .open = cs_volatile_case_open,
    .close = cs_volatile_case_close,
    .run = cs_volatile_case_run,
    .identify = cs_volatile_case_identify,
    .record = cs_volatile_case_record,
    .put = cs_volatile_case_put,
    .forget = cs_volatile_case_forget,
    .given = cs_volatile_case_given,
    .generate = cs_volatile_case_generate,
};
