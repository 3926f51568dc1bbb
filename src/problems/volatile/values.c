/* values.c - metrics of the runs of the problem volatile, and of all runs of a variant.
 *
 * Source: section VII of the paper for `diff` (%diff), `wins_ie` and `wins30`: makespans compared
 * with those of IE, run by run; spec/volatile.md III.3 for `work`.
 * Invariants: `diff` and `over_ie` use only runs that both policies finished; runs that neither
 * finished do not count.
 * Complexity: O(runs) for each metric.
 */
#include "problems/volatile/problem.h"

#include "problem/rows.h"

#include <math.h>

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
static bool values_saved(const struct cs_study *study)
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
EACH(saves, values_saved(study) ? (double)o->saves : NAN)
EACH(saving, values_saved(study) ? (double)o->saving / slots : NAN)

/* ---- the runs of a variant, compared with those of IE ---- */

struct sums {
    long judged, wins, wins30, pairs;
    double own, other, logs; /* of pairs: runs in which both ended */
};

static double makespan_of(const struct cs_volatile_seen *seen)
{
    return seen->outcome.finished ? (double)seen->outcome.makespan : INFINITY;
}

static struct sums sums_of(const struct cs_study *study, int variant)
{
    const struct cs_volatile_seen *reference =
        ((const struct cs_volatile_case *)(const void *)study)->reference;
    struct sums s = {0};

    for (long r = 0; r < study->runs; r++) {
        double mine = makespan_of(cs_study_outcome(study, variant, r));
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

static double values_percent(long part, long all)
{
    return all ? 100.0 * (double)part / (double)all : NAN;
}

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, int variant)                                    \
    {                                                                                              \
        const struct sums s = sums_of(study, variant);                                             \
                                                                                                   \
        return expression;                                                                         \
    }

VALUE(diff, 100 * spread_of(&s))
VALUE(spread, spread_of(&s))
VALUE(wins_ie, values_percent(s.wins, s.judged))
VALUE(wins30, values_percent(s.wins30, s.judged))
VALUE(over_ie, s.pairs ? exp(s.logs / (double)s.pairs) : NAN)

/* The first of the fastest hosts, by the chains of policies: its mean slots up at a time. */
static double fastest_up(const struct cs_study *study, int variant)
{
    const struct cs_volatile_case *c = (const struct cs_volatile_case *)(const void *)study;
    const struct cs_volatile_host *fastest = cs_volatile_instance_host(c->believed, 0);

    (void)variant;
    for (int q = 1; q < cs_volatile_instance_hosts(c->believed); q++) {
        const struct cs_volatile_host *host = cs_volatile_instance_host(c->believed, q);

        if (host->slots < fastest->slots)
            fastest = host;
    }
    return 1 / (1 - fastest->chain[CS_VOLATILE_UP][CS_VOLATILE_UP]);
}

#define METRIC(id, text)                                                                           \
    {                                                                                              \
        .name = #id, .heading = #id, .summary = (text), .kind = CS_VALUE_NUMBER,                   \
        .in = CS_IN_EXPERIMENTS, .whole = (id),                                                    \
    }

/* Columns of jobs with a deadline in stores of cosched 0.2: they are the problem spot now. */
#define FORMER(id)                                                                                 \
    {                                                                                              \
        .name = (id), .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .former = true,            \
        .of = no_value,                                                                            \
    }

static double no_value(const struct cs_study *study, const void *outcome)
{
    (void)study, (void)outcome;
    return NAN;
}

static double known_gap(const struct cs_study *study, const void *one)
{
    const double slots = makespan_of(one);

    return isfinite(slots) ? cs_study_known_gap(study, slots) : NAN;
}

#define SHARE "share of the slots"

const struct cs_value cs_volatile_values[] = {
    {"makespan", "makespan (slots)", "slots; none where the cap, or the end of traces, came first",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .always = true, .column = "mean makespan",
     .unit = "slots", .digits = 1, .of = makespan},
    {"lower_bound", "lower bound (slots)", "clairvoyant lower bound, slots",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .old = "bound", .of = limit},
    {"ratio", "makespan / bound", "makespan / lower bound", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .always = true, .column = "over bound", .digits = 4, .interval = true,
     .of = ratio},
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
    {"suspended", "suspended: a host reclaimed", SHARE " in which a reclaimed host held up all",
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
    FORMER("cost"),
    FORMER("least"),
    FORMER("over_least"),
    FORMER("expected"),
    FORMER("took"),
    FORMER("late"),
    FORMER("on_spot"),
    FORMER("starts"),
    METRIC(over_ie, "geometric mean of makespan / makespan of IE, of the scenarios in which both "
                    "ended"),
    METRIC(wins_ie, "scenarios with a makespan at most that of IE, of those in which either ended, "
                    "per cent"),
    METRIC(wins30, "scenarios at most 30 % above IE, per cent"),
    METRIC(diff, "mean makespan minus that of IE, over the smaller, per cent; of the scenarios in "
                 "which both ended"),
    METRIC(spread, "the same as a fraction, for its deviation"),
    METRIC(fastest_up, "slots that the fastest host is up at a time, on average, by its chain"),
    CS_VALUE_KNOWN_GAP("makespan"),
    {0},
};
