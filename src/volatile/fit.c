/* fit.c - counts, likelihoods and a simplex that climbs them. */
#include "volatile/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMOOTHING 0.01
#define FEWEST 3 /* whole intervals for a law of two parameters */
#define STEPS 400
#define UNKNOWN (-1)

/* Lengths of the intervals of one state, each with how often it occurs. */
struct length {
    double slots, whole, censored;
};

struct sample {
    struct length *length; /* ascending */
    int count;
    double whole;
};

static int state_of(char letter)
{
    return letter == 'u'   ? CS_VOLATILE_UP
           : letter == 'r' ? CS_VOLATILE_RECLAIMED
           : letter == 'd' ? CS_VOLATILE_DOWN
                           : UNKNOWN;
}

static int check(const char *trace, size_t slots, struct cs_error *err)
{
    if (slots < 2)
        return cs_error_set(err, "a trace of %zu slots says nothing, there must be at least 2",
                            slots);
    for (size_t t = 0; t < slots; t++)
        if (state_of(trace[t]) == UNKNOWN && trace[t] != '?')
            return cs_error_set(err, "slot %zu of the trace is '%c', it must be u, r, d or ?", t,
                                trace[t]);
    return 0;
}

static void count_moves(const char *trace, size_t slots, struct cs_volatile_fit *fit)
{
    for (size_t t = 0; t < slots; t++) {
        int to = state_of(trace[t]), from = t ? state_of(trace[t - 1]) : UNKNOWN;

        fit->slots += to != UNKNOWN;
        if (to != UNKNOWN)
            fit->state[to].slots++;
        if (to != UNKNOWN && from != UNKNOWN)
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
static struct sample intervals_of(const char *trace, size_t slots, int state,
                                  struct cs_volatile_fit_state *out, struct cs_arena *arena)
{
    struct sample s = {.length = CS_NEW_ARRAY(arena, struct length, slots / 2 + 1)};
    double total = 0;

    for (size_t t = 0, from; t < slots; t++) {
        bool whole;

        if (state_of(trace[t]) != state)
            continue;
        from = t;
        while (t + 1 < slots && state_of(trace[t + 1]) == state)
            t++;
        if (from == 0 || trace[from - 1] == '?')
            continue;
        whole = t + 1 < slots && trace[t + 1] != '?';
        s.length[s.count++] = (struct length){(double)(t + 1 - from), whole, !whole};
        total += whole ? (double)(t + 1 - from) : 0;
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
static double distance(const struct sample *s, const struct cs_volatile_holding *h)
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

static struct cs_volatile_fit_law judge(const struct sample *s, struct cs_volatile_holding h,
                                        int parameters)
{
    double likely = log_likelihood(s, &h);

    return (struct cs_volatile_fit_law){h, likely, 2 * parameters - 2 * likely, distance(s, &h)};
}

static struct cs_volatile_fit_law fit_geometric(const struct sample *s)
{
    double slots = 0;

    for (int i = 0; i < s->count; i++)
        slots += s->length[i].whole * s->length[i].slots +
                 s->length[i].censored * (s->length[i].slots - 1);
    return judge(s, cs_volatile_holding_geometric(s->whole / slots), 1);
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
static struct corner beyond(const struct climb *c, const struct corner k[3], double far)
{
    double x[2];

    for (int d = 0; d < 2; d++) {
        double middle = (k[0].x[d] + k[1].x[d]) / 2;

        x[d] = middle + far * (middle - k[2].x[d]);
    }
    return corner_at(c, x[0], x[1]);
}

/* Nelder and Mead. */
static struct corner climb(const struct climb *c, double a, double b)
{
    struct corner k[3] = {corner_at(c, a, b), corner_at(c, a + 0.3, b), corner_at(c, a, b + 0.3)};

    for (int step = 0; step < STEPS; step++) {
        struct corner next, more;

        sort_corners(k);
        if (fabs(k[0].x[0] - k[2].x[0]) + fabs(k[0].x[1] - k[2].x[1]) < 1e-9)
            break;
        next = beyond(c, k, 1);
        if (next.value > k[0].value) {
            more = beyond(c, k, 2);
            k[2] = more.value > next.value ? more : next;
        } else if (next.value > k[1].value) {
            k[2] = next;
        } else {
            next = beyond(c, k, next.value > k[2].value ? 0.5 : -0.5);
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
        best = climb(&c, log(1.28 / deviation), mean + 0.58 * deviation);
    else
        best = climb(&c, log(deviation), mean);
    return judge(s, holding_at(&c, best.x), 2);
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
static double predict(const struct cs_volatile_fit *fit, int workload)
{
    double stay = fit->chain[0][0], out = fit->chain[0][1];
    double back = fit->chain[1][0], wait = fit->chain[1][1];

    return pow(stay + out * back / (1 - wait), workload - 1);
}

/* Of the up slots from `from` on whose fate is known, the share from which so many up slots came
 * before the next down one. */
static double find(const char *trace, size_t from, size_t slots, int workload)
{
    double known = 0, good = 0;
    int64_t left = 0;
    bool open = true; /* the life was cut off: more may have come */

    for (size_t t = slots; t-- > from;) {
        if (trace[t] == 'd' || trace[t] == '?') {
            left = 0;
            open = trace[t] == '?';
        }
        if (trace[t] != 'u')
            continue;
        left++;
        known += left >= workload || !open;
        good += left >= workload;
    }
    return known > 0 ? good / known : NAN;
}

static void forecast(const char *trace, size_t slots, int workload,
                     struct cs_volatile_fit_forecast *out)
{
    struct cs_volatile_fit half = {0};

    count_moves(trace, slots / 2, &half);
    make_chain(&half);
    *out = (struct cs_volatile_fit_forecast){
        .workload = workload,
        .predicted = half.state[CS_VOLATILE_UP].slots ? predict(&half, workload) : NAN,
        .found = find(trace, slots / 2, slots, workload),
    };
}

void cs_volatile_fit_chain(const char *trace, size_t slots,
                           double chain[CS_VOLATILE_STATES][CS_VOLATILE_STATES])
{
    struct cs_volatile_fit fit = {0};

    count_moves(trace, slots, &fit);
    make_chain(&fit);
    memcpy(chain, fit.chain, sizeof fit.chain);
}

int cs_volatile_fit_trace(const char *trace, size_t slots,
                          const int workload[CS_VOLATILE_FIT_FORECASTS],
                          struct cs_volatile_fit *fit, struct cs_error *err)
{
    struct cs_arena *arena;

    if (check(trace, slots, err))
        return -1;
    arena = cs_arena_create();
    *fit = (struct cs_volatile_fit){0};
    count_moves(trace, slots, fit);
    make_chain(fit);
    for (int s = 0; s < CS_VOLATILE_STATES; s++) {
        struct cs_arena_mark mark = cs_arena_mark(arena);
        struct sample sample = intervals_of(trace, slots, s, &fit->state[s], arena);

        fit_laws(&sample, &fit->state[s]);
        cs_arena_rewind(arena, mark);
    }
    for (int i = 0; i < CS_VOLATILE_FIT_FORECASTS; i++)
        forecast(trace, slots, workload[i], &fit->forecast[i]);
    cs_arena_destroy(arena);
    return 0;
}
