/* guess.c - columns of members, and the time at which their needs meet what there is: processors
 * are about a / (time - b), so that one over them is nearly a straight line. */
#include "malleable/guess.h"

struct cs_malleable_guess cs_malleable_guess_create(const struct cs_malleable_plan *plan)
{
    const int count = plan->rows->count;
    double *column = CS_NEW_ARRAY(plan->scratch, double, 7 * count);

    return (struct cs_malleable_guess){
        .all = plan->free,
        .fixed = column,
        .each = column + count,
        .shared = column + 2 * count,
        .data = column + 3 * count,
        .now = column + 4 * count,
        .finish = column + 5 * count,
        .need = column + 6 * count,
    };
}

void cs_malleable_guess_add(struct cs_malleable_guess *g, const struct cs_malleable_plan *plan,
                            const struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    const int a = g->members++;

    g->fixed[a] = m->base + m->floor.fixed;
    g->each[a] = rate->data / m->now;
    g->shared[a] = m->floor.shared + rate->checkpoint + rate->deficit / 2;
    if (m->floor.measured)
        g->shared[a] += m->floor.scale * m->now * cs_moldable_time(m->floor.measured, 0, m->now);
    g->data[a] = rate->data;
    g->now[a] = m->now;
    g->finish[a] = m->finish;
    g->all += m->now;
}

#define ROUND 0x1.8p52
#define TINY 1e-300

static double sum_of(const double *number, int count)
{
    double sum[4] = {0};
    int at = 0;

    for (; at + 4 <= count; at += 4)
        for (int r = 0; r < 4; r++)
            sum[r] += number[at + r];
    for (; at < count; at++)
        sum[0] += number[at];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

double cs_malleable_guess_need(const struct cs_malleable_guess *g, double time)
{
    const double *restrict fixed = g->fixed, *restrict each = g->each, *restrict data = g->data;
    const double *restrict shared = g->shared, *restrict now = g->now, *restrict finish = g->finish;
    const int members = g->members;
    double *restrict out = g->need;

    for (int a = 0; a < members; a++) {
        const double room = cs_malleable_larger(time - fixed[a], TINY);
        const double less = cs_malleable_larger(room - each[a], TINY);
        const double fewer = shared[a] / less, more = (shared[a] + data[a]) / room;
        const double same = now[a];
        const double other = finish[a] <= time ? same : more;
        const double k = fewer < same ? fewer : other;

        out[a] = cs_malleable_larger(2 * (k * 0.5 + 0.49 + ROUND - ROUND), 2);
    }
    return sum_of(out, g->members);
}

#define STEPS 8
#define NEAR 4

double cs_malleable_guess_time(const struct cs_malleable_guess *g, double early, double latest,
                               double procs)
{
    double low = early, high = latest, below = 0, above = 1 / cs_malleable_guess_need(g, high);

    for (int h = 0; h < STEPS; h++) {
        const double part = (1 / procs - below) / (above - below);
        const double time = low + (high - low) * part;
        double one;

        if (!(time > low && time < high))
            break;
        one = 1 / cs_malleable_guess_need(g, time);
        if (one * procs >= 1) {
            high = time;
            above = one;
            if (one * (procs - NEAR) <= 1)
                break;
        } else {
            low = time;
            below = one;
        }
    }
    return high;
}
