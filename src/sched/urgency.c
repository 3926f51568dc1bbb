/* urgency.c - orders of the wait queue of a site; each key is a row of the table.
 *
 * Source: spec/replay.md 5.1 and 5.2; Tang et al. 2009 (wfp3, unicef); Carastan-Santos and de
 * Camargo 2017 (f1 to f4); Slurm, priority/multifactor (slurm: fairshare.c).
 *
 * Invariants: ascending by tier, key, arrival and number, so the order is total.  Keys with
 * `moves` depend on the time and are computed at each round; the others once, at the arrival.
 *
 * Constant                                  | found                       | at half, at double
 * f1 to f4: 870, 25,600, 6,860,000, 530,000 | Carastan-Santos et al. 2017 | not measured
 */
#include "sched/urgency.h"

#include "base/plain.h"
#include "base/suggest.h"

#include <math.h>

static double by_arrival(const struct cs_sched_urgent *j)
{
    (void)j;
    return 0;
}

static double by_last_arrival(const struct cs_sched_urgent *j)
{
    return -j->arrival;
}

static double by_time(const struct cs_sched_urgent *j)
{
    return j->r;
}

static double by_longest(const struct cs_sched_urgent *j)
{
    return -j->r;
}

static double by_procs(const struct cs_sched_urgent *j)
{
    return j->q;
}

static double by_most_procs(const struct cs_sched_urgent *j)
{
    return -j->q;
}

static double by_area(const struct cs_sched_urgent *j)
{
    return j->r * j->q;
}

static double by_largest_area(const struct cs_sched_urgent *j)
{
    return -(j->r * j->q);
}

static double by_expansion(const struct cs_sched_urgent *j)
{
    return (j->w + j->r) / j->r;
}

static double by_largest_expansion(const struct cs_sched_urgent *j)
{
    return -(j->w + j->r) / j->r;
}

static double urgency_wfp3(const struct cs_sched_urgent *j)
{
    double x = j->w / j->r;

    return -(x * x * x) * j->q;
}

static double urgency_unicef(const struct cs_sched_urgent *j)
{
    return -j->w / (j->r * fmax(1, log2(j->q)));
}

static double urgency_f1(const struct cs_sched_urgent *j)
{
    return log10(fmax(j->r, 1)) * j->q + 870 * log10(j->a);
}

static double urgency_f2(const struct cs_sched_urgent *j)
{
    return sqrt(j->r) * j->q + 25600 * log10(j->a);
}

static double urgency_f3(const struct cs_sched_urgent *j)
{
    return j->r * j->q + 6860000 * log10(j->a);
}

static double urgency_f4(const struct cs_sched_urgent *j)
{
    return j->r * sqrt(j->q) + 530000 * log10(j->a);
}

#define USUAL "usual for queues"
#define TANG "Tang, Lan, Desai, Buettner 2009"
#define CARASTAN "Carastan-Santos, de Camargo, SC 2017"

/* Those that have a key first, in the order of CS_SCHED_URGENCY_CHOICES. */
static const struct cs_sched_urgency urgencies[] = {
    {.name = "fcfs",
     .summary = "first come, first served; with arrivals",
     .source = USUAL,
     .key = by_arrival},
    {.name = "lcfs",
     .summary = "last come, first served; with arrivals",
     .source = USUAL,
     .key = by_last_arrival},
    {.name = "spt", .summary = "shortest time first", .key = by_time},
    {.name = "lpt", .summary = "longest time first", .key = by_longest},
    {.name = "lpa", .summary = "fewest processors first", .key = by_procs},
    {.name = "hpa", .summary = "most processors first", .key = by_most_procs},
    {.name = "sa", .summary = "smallest area first", .key = by_area},
    {.name = "la", .summary = "largest area first", .key = by_largest_area},
    {.name = "lxf",
     .summary = "largest expansion (wait + time) / time first; with arrivals",
     .source = USUAL,
     .key = by_largest_expansion,
     .moves = true},
    {.name = "sexf",
     .summary = "smallest expansion (wait + time) / time first; with arrivals",
     .source = USUAL,
     .key = by_expansion,
     .moves = true},
    {.name = "wfp3",
     .summary = "largest (wait / time)^3 times processors first; with arrivals",
     .source = TANG,
     .key = urgency_wfp3,
     .moves = true},
    {.name = "unicef",
     .summary = "largest wait / (time times log2 of processors) first; with arrivals",
     .source = TANG,
     .key = urgency_unicef,
     .moves = true},
    {.name = "f1",
     .summary = "least log10(time) processors + 870 log10(arrival) first; with arrivals",
     .source = CARASTAN,
     .key = urgency_f1},
    {.name = "f2",
     .summary = "least sqrt(time) processors + 25600 log10(arrival) first; with arrivals",
     .source = CARASTAN,
     .key = urgency_f2},
    {.name = "f3",
     .summary = "least time processors + 6860000 log10(arrival) first; with arrivals",
     .source = CARASTAN,
     .key = urgency_f3},
    {.name = "f4",
     .summary = "least time sqrt(processors) + 530000 log10(arrival) first; with arrivals",
     .source = CARASTAN,
     .key = urgency_f4},
    {.name = "slurm",
     .summary = "multifactor: age, fair share, size, partition, quality of service; replays with a "
                "slurm.conf",
     .source = "Slurm, priority/multifactor",
     .moves = true,
     .multifactor = true},
    {.name = "ljf", .summary = "jobs of more than half the machine first, then the longest"},
    {.name = "ljf-given",
     .summary = "jobs of more than half the machine first, then in the order of the input"},
    {.name = "random", .summary = "a random order"},
    {.name = "lert", .summary = "longest expected remaining time first: t exp(lambda a)"},
    {.name = "t2p", .summary = "largest time squared times processors first"},
};

#define URGENCIES ((int)(sizeof urgencies / sizeof *urgencies))

const struct cs_sched_urgency *cs_sched_urgencies(int *count)
{
    *count = URGENCIES;
    return urgencies;
}

const struct cs_sched_urgency *cs_sched_urgency_beyond(int index)
{
    struct cs_error none = {0};

    for (int u = 0; u < URGENCIES; u++)
        if (!cs_sched_priority_find(urgencies[u].name, &none) && index-- == 0)
            return &urgencies[u];
    return NULL;
}

void cs_sched_urgency_put_beyond(struct cs_strbuf *out, const char *between)
{
    const struct cs_sched_urgency *urgency;

    for (int i = 0; (urgency = cs_sched_urgency_beyond(i)); i++)
        if (!urgency->multifactor)
            cs_strbuf_printf(out, "%s%s", i ? between : "", urgency->name);
}

const struct cs_sched_urgency *cs_sched_urgency_of_choice(int choice)
{
    return choice > 0 ? &urgencies[choice - 1] : NULL;
}

static int urgency_unknown(const char *name, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    struct cs_suggest suggest = {.word = name};

    for (int u = 0; u < URGENCIES; u++) {
        cs_suggest_offer(&suggest, urgencies[u].name);
        cs_strbuf_printf(&names, "%s%s", u ? ", " : "", urgencies[u].name);
    }
    if (suggest.best[0])
        cs_error_set(err, "there is no priority \"%s\"; did you mean \"%s\"? They are %s", name,
                     suggest.best, names.text);
    else
        cs_error_set(err, "there is no priority \"%s\"; they are %s", name, names.text);
    cs_strbuf_release(&names);
    return -1;
}

const struct cs_sched_urgency *cs_sched_urgency_find(const char *name, struct cs_error *err)
{
    const char *other = cs_plain_compare(name, "sjf") ? name : "spt";

    for (int u = 0; u < URGENCIES; u++)
        if (!cs_plain_compare(other, urgencies[u].name))
            return &urgencies[u];
    urgency_unknown(name, err);
    return NULL;
}

struct cs_sched_multifactor cs_sched_multifactor_default(void)
{
    return (struct cs_sched_multifactor){
        .max_age = 604800, .half_life = 604800, .calc_period = 300};
}
