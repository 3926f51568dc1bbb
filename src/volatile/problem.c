/* problem.c - the problem volatile, described once (study/problem.h). */
#include "volatile/problem.h"

#include "study/study_rows.h"
#include "volatile/case.h"

#include <math.h>

#define AT(member) offsetof(struct cs_volatile_settings, member)

static void policy_words(struct cs_strbuf *out)
{
    cs_study_policy_words(&cs_problem_volatile.choice[0], out);
}

static const struct cs_field fields[] = {
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .values = policy_words,
     .summary = "such as y-ie or y-ie:estimate=conditional, see 'cosched list volatile'",
     .verbs = CS_EXPERIMENT,
     .of = CS_OF_WAY,
     .required = CS_EXPERIMENT,
     .at = AT(policy)},
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
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "10",
     .low = 1,
     .high = 10000,
     .summary = "how many; in one every policy meets the same states",
     .verbs = CS_EXPERIMENT,
     .of = CS_OF_DRAW,
     .at = AT(scenarios),
     .old = "trials"},
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "markov|weibull|lognormal",
     .fallback = "markov",
     .summary = "of the times in a state; their means are those of the chains",
     .verbs = CS_RECIPE,
     .of = CS_OF_DRAW,
     .at = AT(law)},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: the longer a state has lasted, the longer it will; default "
                "0.5), or the deviation of the logarithm of lognormal (default 1)",
     .verbs = CS_RECIPE,
     .of = CS_OF_DRAW,
     .at = AT(shape)},
    {.name = "history",
     .kind = CS_FIELD_INTEGER,
     .argument = "SLOTS",
     .fallback = "0",
     .low = 0,
     .high = 10000000,
     .summary = "that the chains which policies believe are fitted to; 0: they know the truth",
     .verbs = CS_EXPERIMENT,
     .of = CS_OF_INSTANCE,
     .at = AT(history)},
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
    {0},
};

/* ---- what the runs of a way come to, beside those of IE ---- */

struct sums {
    long runs, ended, judged, wins, wins30, pairs;
    double makespan, slots, decisions;
    double own, other, logs; /* of pairs: runs in which both ended */
};

static struct sums sums_of(const struct cs_study *study, int way)
{
    const int64_t *reference = ((const struct cs_volatile_case *)(const void *)study)->reference;
    struct sums s = {.runs = study->runs};

    for (long r = 0; r < study->runs; r++) {
        const struct cs_volatile_outcome *o = cs_study_outcome(study, way, r);
        double mine = o->finished ? (double)o->makespan : INFINITY;
        double ie = reference[r] >= 0 ? (double)reference[r] : INFINITY;

        s.slots += (double)o->slots;
        s.decisions += (double)o->decisions;
        s.ended += o->finished;
        s.makespan += o->finished ? mine : 0;
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

VALUE(makespan, s.ended ? s.makespan / (double)s.ended : NAN)
VALUE(failed, percent(s.runs - s.ended, s.runs))
VALUE(diff, 100 * spread_of(&s))
VALUE(spread, spread_of(&s))
VALUE(wins, percent(s.wins, s.judged))
VALUE(wins30, percent(s.wins30, s.judged))
VALUE(ratio, s.pairs ? exp(s.logs / (double)s.pairs) : NAN)
VALUE(slots, s.slots)
VALUE(decisions, s.decisions)

#define METRIC(id, text)                                                                           \
    {                                                                                              \
        .name = #id, .heading = #id, .summary = (text), .kind = CS_VALUE_NUMBER,                   \
        .in = CS_IN_EXPERIMENTS, .whole = (id),                                                    \
    }

static const struct cs_value values[] = {
    METRIC(makespan, "slots, mean of the scenarios that did not fail"),
    METRIC(failed, "scenarios in which the cap came first, per cent"),
    METRIC(diff, "mean makespan minus that of IE, over the smaller, per cent; of the scenarios in "
                 "which both ended"),
    METRIC(spread, "the same as a fraction, for its deviation"),
    METRIC(wins, "scenarios with a makespan at most that of IE, per cent"),
    METRIC(wins30, "scenarios at most 30 % above IE, per cent"),
    METRIC(ratio, "geometric mean of makespan / makespan of IE, of the scenarios in which both "
                  "ended"),
    METRIC(slots, "simulated, sum over the scenarios"),
    METRIC(decisions, "of the policy, sum over the scenarios"),
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
    .outcome = sizeof(struct cs_volatile_outcome),
    .open = cs_volatile_case_open,
    .close = cs_volatile_case_close,
    .run = cs_volatile_case_run,
    .identify = cs_volatile_case_identify,
    .generate = cs_volatile_case_generate,
};
