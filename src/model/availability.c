/* availability.c - counts of transitions, and laws by maximum likelihood.
 *
 * Lengths are whole; the continuous laws are fitted to the middle of the slot in which a stretch
 * ends, length - 0.5.
 */
#include "model/availability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_COUNT 0.01

static int state_of(char letter)
{
    return letter == 'u' ? 0 : letter == 'r' ? 1 : 2;
}

void cs_availability_chain(const char *trace, int64_t slots, double chain[3][3])
{
    double count[3][3];

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            count[i][j] = LEAST_COUNT;
    for (int64_t t = 1; t < slots; t++)
        count[state_of(trace[t - 1])][state_of(trace[t])]++;
    for (int i = 0; i < 3; i++) {
        double sum = count[i][0] + count[i][1] + count[i][2];

        for (int j = 0; j < 3; j++)
            chain[i][j] = count[i][j] / sum;
    }
}

/* The lengths of the complete stretches up, ascending. */
struct lengths {
    int64_t count;
    double *value;
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static struct lengths find_stretches(const char *trace, int64_t slots, struct cs_arena *arena)
{
    struct lengths lengths = {0, CS_NEW_ARRAY(arena, double, slots / 2 + 1)};
    int64_t began = -1;

    for (int64_t t = 1; t < slots; t++) {
        if (trace[t] == 'u' && trace[t - 1] != 'u')
            began = t;
        if (trace[t] != 'u' && trace[t - 1] == 'u' && began >= 0)
            lengths.value[lengths.count++] = (double)(t - began);
    }
    if (lengths.count)
        qsort(lengths.value, (size_t)lengths.count, sizeof *lengths.value, by_value);
    return lengths;
}

enum law { GEOMETRIC, WEIBULL, LOGNORMAL };

/* P(more than k slots). */
static double beyond(enum law kind, const struct cs_availability_law *law, double k)
{
    if (k <= 0)
        return 1;
    if (kind == GEOMETRIC)
        return exp(k * log1p(-law->parameter));
    if (kind == WEIBULL)
        return exp(-pow(k / law->scale, law->parameter));
    return 0.5 * erfc((log(k) - log(law->scale)) / law->parameter * 0.70710678118654752440);
}

static void judge(enum law kind, struct cs_availability_law *law, const struct lengths *l)
{
    double n = (double)l->count, sum = 0;
    int64_t next;

    law->distance = 0;
    for (int64_t i = 0; i < l->count; i = next) {
        double k = l->value[i], before = beyond(kind, law, k - 1), after = beyond(kind, law, k);

        for (next = i; next < l->count && l->value[next] <= k; next++)
            continue;
        sum += (double)(next - i) * log(fmax(before - after, 1e-300));
        law->distance = fmax(law->distance, fabs(1 - before - (double)i / n));
        law->distance = fmax(law->distance, fabs(1 - after - (double)next / n));
    }
    law->likelihood = sum / n;
}

/* Where the derivative of the likelihood of a Weibull law by its shape is 0; it falls. */
static double weibull_slope(const struct lengths *l, double shape, double largest, double mean_log)
{
    double sum = 0, weighted = 0;

    for (int64_t i = 0; i < l->count; i++) {
        double x = l->value[i] - 0.5, power = pow(x / largest, shape);

        sum += power;
        weighted += power * log(x);
    }
    return weighted / sum - 1 / shape - mean_log;
}

#define SHAPE_LEAST 0.01
#define SHAPE_MOST 100.0

static struct cs_availability_law fit_weibull(const struct lengths *l)
{
    double low = SHAPE_LEAST, high = SHAPE_MOST, mean_log = 0, sum = 0;
    double largest = l->value[l->count - 1] - 0.5;
    struct cs_availability_law law = {0};

    for (int64_t i = 0; i < l->count; i++)
        mean_log += log(l->value[i] - 0.5) / (double)l->count;
    for (int step = 0; step < 60; step++) {
        double middle = sqrt(low * high);

        if (weibull_slope(l, middle, largest, mean_log) < 0)
            low = middle;
        else
            high = middle;
    }
    law.parameter = sqrt(low * high);
    for (int64_t i = 0; i < l->count; i++)
        sum += pow((l->value[i] - 0.5) / largest, law.parameter);
    law.scale = largest * pow(sum / (double)l->count, 1 / law.parameter);
    judge(WEIBULL, &law, l);
    return law;
}

static struct cs_availability_law fit_lognormal(const struct lengths *l)
{
    struct cs_availability_law law = {0};
    double mean = 0, squares = 0, n = (double)l->count;

    for (int64_t i = 0; i < l->count; i++)
        mean += log(l->value[i] - 0.5) / n;
    for (int64_t i = 0; i < l->count; i++)
        squares += pow(log(l->value[i] - 0.5) - mean, 2);
    law.parameter = fmax(sqrt(squares / n), 0.01);
    law.scale = exp(mean);
    judge(LOGNORMAL, &law, l);
    return law;
}

static void fit_laws(struct cs_availability_fit *fit, const struct lengths *l)
{
    double sum = 0;

    for (int64_t i = 0; i < l->count; i++)
        sum += l->value[i];
    fit->mean = sum / (double)l->count;
    fit->geometric.parameter = 1 / fit->mean;
    fit->geometric.scale = fit->mean;
    judge(GEOMETRIC, &fit->geometric, l);
    fit->weibull = fit_weibull(l);
    fit->lognormal = fit_lognormal(l);
    fit->best = "geometric";
    if (fit->weibull.likelihood > fit->geometric.likelihood)
        fit->best = "weibull";
    if (fit->lognormal.likelihood > fmax(fit->weibull.likelihood, fit->geometric.likelihood))
        fit->best = "log-normal";
}

static void no_laws(struct cs_availability_fit *fit)
{
    const struct cs_availability_law none = {NAN, NAN, NAN, NAN};

    fit->mean = NAN;
    fit->geometric = fit->weibull = fit->lognormal = none;
    fit->best = "";
}

/* Of the up slots of a life with `ups` of them, those from which W are reached; in the last life
 * nobody knows what comes of the others. */
static void count_life(int64_t ups, bool last, struct cs_availability_workload *w, double *reached)
{
    int64_t fine = ups >= w->slots ? ups - w->slots + 1 : 0;

    *reached += (double)fine;
    w->beginnings += last ? fine : ups;
}

static void see(const char *trace, int64_t slots, struct cs_availability_workload *w)
{
    double reached = 0;
    int64_t ups = 0;

    for (int64_t t = 0; t < slots; t++) {
        ups += trace[t] == 'u';
        if (trace[t] != 'd')
            continue;
        count_life(ups, false, w, &reached);
        ups = 0;
    }
    count_life(ups, true, w, &reached);
    w->seen = w->beginnings ? reached / (double)w->beginnings : NAN;
}

/* P+ of one host: up at once, or by way of reclaimed. */
static double stays(double chain[3][3])
{
    double back = chain[1][0] + chain[1][2];

    return chain[0][0] + (back > 0 ? chain[0][1] * chain[1][0] / back : 0);
}

static int64_t usual_workload(const char *trace, int64_t slots)
{
    int64_t ups = 0, lives = 1;

    for (int64_t t = 0; t < slots; t++) {
        ups += trace[t] == 'u';
        lives += t > 0 && trace[t] == 'd' && trace[t - 1] != 'd';
    }
    return ups / lives;
}

void cs_availability_fit(const char *trace, int64_t slots, int64_t history, int64_t workload,
                         struct cs_availability_fit *fit)
{
    struct cs_arena *scratch = cs_arena_create();
    struct lengths lengths = find_stretches(trace, history, scratch);
    bool rest = history < slots;

    memset(fit, 0, sizeof *fit);
    fit->slots = history;
    for (int64_t t = 0; t < history; t++)
        fit->share[state_of(trace[t])]++;
    for (int i = 0; i < 3; i++)
        fit->share[i] /= (double)history;
    cs_availability_chain(trace, history, fit->chain);
    fit->stretches = lengths.count;
    if (lengths.count)
        fit_laws(fit, &lengths);
    else
        no_laws(fit);
    if (!workload)
        workload = usual_workload(trace, history);
    for (int i = 0; i < CS_AVAILABILITY_WORKLOADS; i++) {
        struct cs_availability_workload *w = &fit->workload[i];

        w->slots = i == 0 ? workload / 4 : i == 1 ? workload : 4 * workload;
        w->slots = w->slots > 1 ? w->slots : 1;
        w->predicted = pow(stays(fit->chain), (double)(w->slots - 1));
        see(rest ? trace + history : trace, rest ? slots - history : slots, w);
    }
    cs_arena_destroy(scratch);
}
