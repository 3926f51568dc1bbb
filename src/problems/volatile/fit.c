/* fit.c - a chain and three laws of holding times, fitted to the trace of one host.
 *
 * Source: spec/volatile.md Part II.3 (counts of slot transitions + 0.01, rows normalised; second
 * half predicted from the first).  The laws (geometric, Weibull, log-normal in whole slots) and
 * their choice by AIC are not in the paper.
 * Idea: maximum likelihood over intervals whose beginning was seen; an interval without a seen end
 * is censored.  Two parameters are found by the simplex of Nelder and Mead in logarithms.
 * Invariants: unknown slots are neither counted nor bridged; no probability of the chain is 0.
 * Complexity: O(runs) for the chain; O(runs log runs + STEPS x distinct lengths) for each law.
 *
 * Constants (half and double: not measured):
 *   SMOOTHING 0.01   count added to each of the nine transitions (Part II.3)
 *   FEWEST    3      complete intervals, at least, for a law with two parameters; set by hand
 *   STEPS     400    steps of the simplex at most; it ends earlier when it is smaller than 1e-9
 */
#include "problems/volatile/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMOOTHING 0.01
#define FEWEST 3 /* whole intervals for a law of two parameters */
#define STEPS 400

/* Lengths of the intervals of one state, each with how often it occurs. */
struct length {
    double slots, whole, censored;
};

struct sample {
    struct length *length; /* ascending */
    int count;
    double whole;
};

/* A run of the first slots of a host; its length is 0 behind them. */
static int64_t length_of(const struct cs_fleet_host *host, int64_t run, int64_t slots)
{
    int64_t begin = cs_fleet_run_begin(host, run), end = host->run[run].end;

    end = end < slots ? end : slots;
    return end > begin ? end - begin : 0;
}

static void count_moves(const struct cs_fleet_host *host, int64_t slots,
                        struct cs_volatile_fit *fit)
{
    int64_t length;

    for (int64_t i = 0; i < host->runs && (length = length_of(host, i, slots)) > 0; i++) {
        enum cs_fleet_state to = host->run[i].state,
                            from = i ? host->run[i - 1].state : CS_FLEET_UNKNOWN;

        if (to == CS_FLEET_UNKNOWN)
            continue;
        fit->slots += length;
        fit->state[to].slots += length;
        fit->moves[to][to] += length - 1;
        if (from != CS_FLEET_UNKNOWN)
            fit->moves[from][to]++;
    }
}

static void make_chain(struct cs_volatile_fit *fit)
{
    double sum = 0, moves = 0;

    for (int from = 0; from < CS_VOLATILE_STATES; from++) {
        double row = 0;

        for (int to = 0; to < CS_VOLATILE_STATES; to++)
            row += (double)fit->moves[from][to] + SMOOTHING;
        for (int to = 0; to < CS_VOLATILE_STATES; to++) {
            double n = (double)fit->moves[from][to];

            fit->chain[from][to] = (n + SMOOTHING) / row;
            sum += n * log(fit->chain[from][to]);
            moves += n;
        }
    }
    fit->log_likelihood = moves > 0 ? sum / moves : NAN;
}

static int by_length(const void *a, const void *b)
{
    const struct length *x = a, *y = b;

    return (x->slots > y->slots) - (x->slots < y->slots);
}

static void merge_lengths(struct sample *s)
{
    int kept = 0;

    if (s->count)
        qsort(s->length, (size_t)s->count, sizeof *s->length, by_length);
    for (int i = 0; i < s->count; i++) {
        if (kept && s->length[kept - 1].slots == s->length[i].slots) {
            s->length[kept - 1].whole += s->length[i].whole;
            s->length[kept - 1].censored += s->length[i].censored;
        } else {
            s->length[kept++] = s->length[i];
        }
    }
    s->count = kept;
}

/* The intervals of a state whose beginning was seen. */
static struct sample intervals_of(const struct cs_fleet_host *host, int state,
                                  struct cs_volatile_fit_state *out, struct cs_arena *arena)
{
    struct sample s = {.length = CS_NEW_ARRAY(arena, struct length, host->runs)};
    double total = 0;

    for (int64_t i = 1; i < host->runs; i++) {
        double length = (double)(host->run[i].end - host->run[i - 1].end);
        bool whole = i + 1 < host->runs && host->run[i + 1].state != CS_FLEET_UNKNOWN;

        if ((int)host->run[i].state != state || host->run[i - 1].state == CS_FLEET_UNKNOWN)
            continue;
        s.length[s.count++] = (struct length){length, whole, !whole};
        total += whole ? length : 0;
        out->intervals += whole;
        out->censored += !whole;
    }
    s.whole = (double)out->intervals;
    out->mean = out->intervals ? total / s.whole : NAN;
    merge_lengths(&s);
    return s;
}

static double log_likelihood(const struct sample *s, const struct cs_volatile_holding *h)
{
    double sum = 0;

    for (int i = 0; i < s->count; i++) {
        double after = cs_volatile_holding_beyond(h, s->length[i].slots);
        double before = cs_volatile_holding_beyond(h, s->length[i].slots - 1);

        if (s->length[i].whole > 0)
            sum += s->length[i].whole * log(before - after);
        if (s->length[i].censored > 0)
            sum += s->length[i].censored * log(before);
    }
    return isnan(sum) ? -INFINITY : sum;
}

/* The largest difference of the two distribution functions over whole intervals. */
static double fit_distance(const struct sample *s, const struct cs_volatile_holding *h)
{
    double seen = 0, most = 0;

    for (int i = 0; i < s->count; i++) {
        double k = s->length[i].slots;

        most = fmax(most, fabs(seen / s->whole - (1 - cs_volatile_holding_beyond(h, k - 1))));
        seen += s->length[i].whole;
        most = fmax(most, fabs(seen / s->whole - (1 - cs_volatile_holding_beyond(h, k))));
    }
    return most;
}

static struct cs_volatile_fit_law fit_judge(const struct sample *s, struct cs_volatile_holding h,
                                            int parameters)
{
    double likely = log_likelihood(s, &h);

    return (struct cs_volatile_fit_law){h, likely, 2 * parameters - 2 * likely,
                                        fit_distance(s, &h)};
}

static struct cs_volatile_fit_law fit_geometric(const struct sample *s)
{
    double slots = 0;

    for (int i = 0; i < s->count; i++)
        slots += s->length[i].whole * s->length[i].slots +
                 s->length[i].censored * (s->length[i].slots - 1);
    return fit_judge(s, cs_volatile_holding_geometric(s->whole / slots), 1);
}

/* A corner of the simplex: logarithms of parameter and scale. */
struct corner {
    double x[2], value;
};

struct climb {
    const struct sample *sample;
    enum cs_volatile_shape shape;
};

static struct cs_volatile_holding holding_at(const struct climb *c, const double x[2])
{
    return (struct cs_volatile_holding){
        .shape = c->shape, .parameter = exp(x[0]), .scale = exp(x[1]), .mean = NAN};
}

static struct corner corner_at(const struct climb *c, double a, double b)
{
    struct corner corner = {.x = {a, b}};
    struct cs_volatile_holding h = holding_at(c, corner.x);

    corner.value = log_likelihood(c->sample, &h);
    return corner;
}

static void sort_corners(struct corner k[3])
{
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && k[j].value > k[j - 1].value; j--) {
            struct corner moved = k[j];

            k[j] = k[j - 1];
            k[j - 1] = moved;
        }
}

/* The point on the line from the worst corner through the middle of the others. */
static struct corner fit_beyond(const struct climb *c, const struct corner k[3], double far)
{
    double x[2];

    for (int d = 0; d < 2; d++) {
        double middle = (k[0].x[d] + k[1].x[d]) / 2;

        x[d] = middle + far * (middle - k[2].x[d]);
    }
    return corner_at(c, x[0], x[1]);
}

/* Nelder and Mead. */
static struct corner fit_climb(const struct climb *c, double a, double b)
{
    struct corner k[3] = {corner_at(c, a, b), corner_at(c, a + 0.3, b), corner_at(c, a, b + 0.3)};

    for (int step = 0; step < STEPS; step++) {
        struct corner next, more;

        sort_corners(k);
        if (fabs(k[0].x[0] - k[2].x[0]) + fabs(k[0].x[1] - k[2].x[1]) < 1e-9)
            break;
        next = fit_beyond(c, k, 1);
        if (next.value > k[0].value) {
            more = fit_beyond(c, k, 2);
            k[2] = more.value > next.value ? more : next;
        } else if (next.value > k[1].value) {
            k[2] = next;
        } else {
            next = fit_beyond(c, k, next.value > k[2].value ? 0.5 : -0.5);
            if (next.value > k[2].value) {
                k[2] = next;
                continue;
            }
            for (int i = 1; i < 3; i++)
                k[i] = corner_at(c, (k[i].x[0] + k[0].x[0]) / 2, (k[i].x[1] + k[0].x[1]) / 2);
        }
    }
    sort_corners(k);
    return k[0];
}

static struct cs_volatile_fit_law fit_shape(const struct sample *s, enum cs_volatile_shape shape)
{
    struct climb c = {s, shape};
    double mean = 0, square = 0, deviation;
    struct corner best;

    for (int i = 0; i < s->count; i++) {
        double x = log(s->length[i].slots - 0.5);

        mean += s->length[i].whole * x / s->whole;
        square += s->length[i].whole * x * x / s->whole;
    }
    deviation = sqrt(fmax(square - mean * mean, 0.01));
    if (shape == CS_VOLATILE_WEIBULL)
        best = fit_climb(&c, log(1.28 / deviation), mean + 0.58 * deviation);
    else
        best = fit_climb(&c, log(deviation), mean);
    return fit_judge(s, holding_at(&c, best.x), 2);
}

static void fit_laws(const struct sample *s, struct cs_volatile_fit_state *out)
{
    static const struct cs_volatile_fit_law none = {
        .log_likelihood = NAN, .aic = NAN, .distance = NAN};

    out->best = -1;
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++)
        out->law[l] = none;
    if (s->whole < 1)
        return;
    out->law[CS_VOLATILE_FIT_GEOMETRIC] = fit_geometric(s);
    out->best = CS_VOLATILE_FIT_GEOMETRIC;
    if (s->whole < FEWEST || s->count < 2)
        return;
    out->law[CS_VOLATILE_FIT_WEIBULL] = fit_shape(s, CS_VOLATILE_WEIBULL);
    out->law[CS_VOLATILE_FIT_LOGNORMAL] = fit_shape(s, CS_VOLATILE_LOGNORMAL);
    for (int l = 1; l < CS_VOLATILE_FIT_LAWS; l++)
        if (out->law[l].aic < out->law[out->best].aic)
            out->best = l;
}

/* P+^(W - 1) of one host with this chain. */
static double fit_predict(const struct cs_volatile_fit *fit, int64_t workload)
{
    double stay = fit->chain[0][0], out = fit->chain[0][1];
    double back = fit->chain[1][0], wait = fit->chain[1][1];

    return pow(stay + out * back / (1 - wait), (double)(workload - 1));
}

/* Of the up slots from `from` on whose fate is known, the share from which so many up slots came
 * before the next down one. */
static double fit_find(const struct cs_fleet_host *host, int64_t from, int64_t workload)
{
    int64_t known = 0, good = 0, left = 0;
    bool open = true; /* the lifetime was cut off: more slots may follow */

    for (int64_t i = host->runs; i-- > 0 && host->run[i].end > from;) {
        enum cs_fleet_state state = host->run[i].state;
        int64_t begin = cs_fleet_run_begin(host, i), length, enough;

        if (state == CS_FLEET_DOWN || state == CS_FLEET_UNKNOWN) {
            left = 0;
            open = state == CS_FLEET_UNKNOWN;
        }
        if (state != CS_FLEET_UP)
            continue;
        length = host->run[i].end - (begin > from ? begin : from);
        left += length;
        enough = left - workload + 1;
        enough = enough < 0 ? 0 : enough > length ? length : enough;
        known += open ? enough : length;
        good += enough;
    }
    return known > 0 ? (double)good / (double)known : NAN;
}

static void fit_forecast(const struct cs_fleet_host *host, int64_t slots, int64_t workload,
                         struct cs_volatile_fit_forecast *out)
{
    struct cs_volatile_fit half = {0};

    count_moves(host, slots / 2, &half);
    make_chain(&half);
    *out = (struct cs_volatile_fit_forecast){
        .workload = workload,
        .predicted = half.state[CS_VOLATILE_UP].slots ? fit_predict(&half, workload) : NAN,
        .found = fit_find(host, slots / 2, workload),
    };
}

void cs_volatile_fit_chain(const struct cs_fleet_host *host, int64_t slots,
                           double chain[CS_VOLATILE_STATES][CS_VOLATILE_STATES])
{
    struct cs_volatile_fit fit = {0};

    count_moves(host, slots, &fit);
    make_chain(&fit);
    memcpy(chain, fit.chain, sizeof fit.chain);
}

int cs_volatile_fit_host(const struct cs_fleet_host *host,
                         const int64_t workload[CS_VOLATILE_FIT_FORECASTS],
                         struct cs_volatile_fit *fit, struct cs_error *err)
{
    int64_t slots = host->run[host->runs - 1].end;
    struct cs_arena *arena;

    if (slots < 2)
        return cs_error_set(err, "trace: found 1 slot, expected at least 2");
    arena = cs_arena_create();
    *fit = (struct cs_volatile_fit){0};
    count_moves(host, slots, fit);
    make_chain(fit);
    for (int s = 0; s < CS_VOLATILE_STATES; s++) {
        struct cs_arena_mark mark = cs_arena_mark(arena);
        struct sample sample = intervals_of(host, s, &fit->state[s], arena);

        fit_laws(&sample, &fit->state[s]);
        cs_arena_rewind(arena, mark);
    }
    for (int i = 0; i < CS_VOLATILE_FIT_FORECASTS; i++)
        fit_forecast(host, slots, workload[i], &fit->forecast[i]);
    cs_arena_destroy(arena);
    return 0;
}
