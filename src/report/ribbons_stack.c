/* ribbons_stack.c - the ribbons on one another: where each lies after every change.
 *
 * Changes that come closer than the picture can show become one, so that the shapes of many
 * ribbons stay within a few megabytes.
 */
#include "base/order.h"
#include "report/ribbons_parts.h"

#include <math.h>

#define LEAST_CHANGES 160
#define MOST_LEVELS 50000 /* changes times ribbons */

static double *all_times(const struct cs_ribbons *s, int *count)
{
    double *time = CS_NEW_ARRAY(s->arena, double, 2 * s->pieces + 1);

    *count = 1;
    for (size_t p = 0; p < s->pieces; p++) {
        time[(*count)++] = s->piece[p].start;
        time[(*count)++] = s->piece[p].end;
    }
    cs_order_sort_doubles(time, *count, s->arena);
    return time;
}

/* Times at least so far apart; of those that are closer the first stays. */
static int ribbons_stack_thin(double *time, int count, double apart)
{
    int kept = 1;

    for (int i = 1; i < count; i++)
        if (time[i] > time[kept - 1] + apart)
            time[kept++] = time[i];
    return kept;
}

/* So many of them, evenly: where much changes, more stay. */
static int ribbons_stack_sample(double *time, int count, int most)
{
    for (int i = 0; i < most; i++)
        time[i] = time[(int)((long long)i * count / most)];
    return most;
}

static void make_events(struct cs_ribbons *s)
{
    int count, most = MOST_LEVELS / (s->bands + 1);

    most = most < LEAST_CHANGES ? LEAST_CHANGES : most;
    s->when = all_times(s, &count);
    s->events = ribbons_stack_thin(s->when, count, 1e-12 * s->end);
    if (s->events > most)
        s->events = ribbons_stack_thin(s->when, s->events, s->end / (8 * most));
    if (s->events > most)
        s->events = ribbons_stack_sample(s->when, s->events, most);
}

/* The width of a band just before the event after `event`. */
static double width_at(const struct cs_ribbons *s, const struct cs_ribbons_band *band,
                       size_t *piece, int event)
{
    double until = event + 1 < s->events ? s->when[event + 1] : s->end;
    const struct cs_ribbons_piece *p = &s->piece[band->first];

    while (*piece + 1 < band->pieces && p[*piece + 1].start < until * (1 - 1e-12))
        ++*piece;
    p += *piece;
    return p->start < until && p->end >= until * (1 - 1e-12) ? (double)p->procs : 0;
}

void cs_ribbons_stack(struct cs_ribbons *s)
{
    size_t stride = (size_t)s->bands + 1;

    make_events(s);
    s->level = CS_NEW_ARRAY(s->arena, double, (size_t)s->events *stride);
    for (int b = 0; b < s->bands; b++) {
        size_t piece = 0;

        for (int e = 0; e < s->events; e++) {
            double *at = &s->level[(size_t)e * stride + (size_t)b];

            at[1] = at[0] + width_at(s, &s->band[b], &piece, e);
        }
    }
}

int cs_ribbons_event_at(const struct cs_ribbons *s, double time)
{
    int low = 0, high = s->events;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (s->when[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

void cs_ribbons_extent(const struct cs_ribbons *s, int band, double from, double to, double *top,
                       double *bottom)
{
    int first = cs_ribbons_event_at(s, from), last = cs_ribbons_event_at(s, to);
    double low = s->procs, high = 0;

    for (int e = first ? first - 1 : 0; e <= last; e++) {
        low = fmin(low, cs_ribbons_level(s, e, band));
        high = fmax(high, cs_ribbons_level(s, e, band + 1));
    }
    *top = cs_ribbons_y(s, high) - 1;
    *bottom = cs_ribbons_y(s, low) + 1;
}
