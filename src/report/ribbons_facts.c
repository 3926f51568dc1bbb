/* ribbons_facts.c - data of the bars: applications, their widths, the split of processor time. */
#include "model/bars.h"
#include "report/ribbons_parts.h"

#include <math.h>
#include <stdlib.h>

enum cs_ribbons_share cs_ribbons_share_of(const struct cs_bar *bar, bool fresh)
{
    switch (bar->kind) {
    case CS_BAR_VERIFY:
    case CS_BAR_CHECKPOINT:
        return fresh ? CS_RIBBONS_MOVE : CS_RIBBONS_CHECKPOINT;
    case CS_BAR_LOST:
        return CS_RIBBONS_LOST;
    case CS_BAR_DOWNTIME:
    case CS_BAR_RECOVERY:
        return CS_RIBBONS_DOWN;
    case CS_BAR_MOVE:
        return CS_RIBBONS_MOVE;
    default:
        return CS_RIBBONS_WORK;
    }
}

/* Does the bar continue the piece, in time and with the same number of processors? */
static bool goes_on(const struct cs_ribbons_piece *piece, const struct cs_bar *bar,
                    const struct cs_bar *before)
{
    return before->task == bar->task && before->attempt == bar->attempt &&
           piece->procs == cs_bar_procs(bar) && bar->start <= piece->end * (1 + 1e-12);
}

static void ribbons_facts_cut(struct cs_ribbons *s)
{
    s->piece = CS_NEW_ARRAY(s->arena, struct cs_ribbons_piece, s->bars);
    for (size_t i = 0; i < s->bars; i++) {
        const struct cs_bar *bar = s->bar[i];
        struct cs_ribbons_piece *piece = s->pieces ? &s->piece[s->pieces - 1] : NULL;

        if (!piece || !goes_on(piece, bar, s->bar[i - 1])) {
            piece = &s->piece[s->pieces++];
            *piece = (struct cs_ribbons_piece){
                .start = bar->start, .end = bar->end, .procs = cs_bar_procs(bar), .first = i};
        }
        piece->bars++;
        piece->end = fmax(piece->end, bar->end);
    }
}

static void ribbons_facts_gather(struct cs_ribbons *s)
{
    s->band = CS_NEW_ARRAY(s->arena, struct cs_ribbons_band, s->pieces);
    for (size_t p = 0; p < s->pieces; p++) {
        const struct cs_ribbons_piece *piece = &s->piece[p];
        int task = s->bar[piece->first]->task;
        struct cs_ribbons_band *band = s->bands ? &s->band[s->bands - 1] : NULL;

        if (!band || band->task != task) {
            band = &s->band[s->bands++];
            *band = (struct cs_ribbons_band){.task = task, .first = p, .start = piece->start};
        }
        band->pieces++;
        band->end = fmax(band->end, piece->end);
        s->end = fmax(s->end, piece->end);
    }
}

/* The application that ends last is at the bottom, so no ribbon drops into a gap. */
static int by_end(const void *a, const void *b)
{
    const struct cs_ribbons_band *x = a, *y = b;

    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static void ribbons_facts_order(struct cs_ribbons *s)
{
    if (s->bands)
        qsort(s->band, (size_t)s->bands, sizeof *s->band, by_end);
}

static void ribbons_facts_sum(struct cs_ribbons *s)
{
    double used = 0;

    for (size_t p = 0; p < s->pieces; p++) {
        bool fresh = true;

        for (size_t b = 0; b < s->piece[p].bars; b++) {
            const struct cs_bar *bar = s->bar[s->piece[p].first + b];
            double area = (double)s->piece[p].procs * (bar->end - bar->start);

            s->share[cs_ribbons_share_of(bar, fresh)] += area;
            fresh &= bar->kind != CS_BAR_WORK && bar->kind != CS_BAR_LOST;
            used += area;
        }
    }
    s->share[CS_RIBBONS_IDLE] = fmax(0, s->procs * s->end - used);
}

static void ribbons_facts_colour(struct cs_ribbons *s)
{
    for (int b = 0; b < s->bands; b++)
        s->band[b].color = cs_palette_shade(b, s->bands, s->theme);
}

static unsigned long long ribbons_facts_hash(const struct cs_ribbons *s)
{
    unsigned long long h = 14695981039346656037u;

    for (size_t p = 0; p < s->pieces; p++) {
        h = (h ^ (unsigned long long)s->piece[p].procs) * 1099511628211u;
        h = (h ^ (unsigned long long)(s->piece[p].end / s->end * 1e9)) * 1099511628211u;
    }
    h = (h ^ (unsigned long long)s->options.style) * 1099511628211u;
    return h & 0xffffffff;
}

void cs_ribbons_collect(struct cs_ribbons *s)
{
    s->bar = cs_bars_by_task(s->schedule, &s->bars, s->arena);
    ribbons_facts_cut(s);
    ribbons_facts_gather(s);
    ribbons_facts_order(s);
    s->end = s->end > 0 ? s->end : 1;
    ribbons_facts_sum(s);
    ribbons_facts_colour(s);
    s->id = ribbons_facts_hash(s);
}
