/* sweep.c - no processor is in two bars at the same time: bars one by one, in one pass.
 *
 * Idea: the processors are cut where a holder begins; each piece has the task and the end of the
 * bar that holds it longest so far.  A new bar finds the pieces under it and becomes their holder.
 *
 * Invariants: the pieces cover 0 .. INT_MAX without a gap; a key is the first processor of a piece
 * in its upper half and the task in its lower half, its value the end, -inf before any bar.
 *
 * Complexity: an interval adds two pieces at most and removes those that it covers, so that all
 * steps together are O(log p) for each interval.
 */
#include "check/sweep.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>

static uint64_t key_of_piece(int first, int task)
{
    return (uint64_t)first << 32 | (uint32_t)task;
}

static int first_of_piece(const struct cs_sorted_key *piece)
{
    return (int)(piece->key >> 32);
}

static int task_of_piece(const struct cs_sorted_key *piece)
{
    return (int)(uint32_t)piece->key;
}

void cs_check_sweep_init(struct cs_check_sweep *sweep, struct cs_arena *arena)
{
    cs_sorted_init(&sweep->held, arena);
    cs_sorted_insert(&sweep->held, key_of_piece(0, 0), -INFINITY);
    sweep->start = -INFINITY;
    sweep->chunk = 0;
}

/* The piece with this processor. */
static struct cs_sorted_place piece_with(struct cs_check_sweep *sweep, int proc)
{
    struct cs_sorted_place place =
        cs_sorted_find_near(&sweep->held, sweep->chunk, key_of_piece(proc, -1));

    cs_sorted_back(&sweep->held, &place);
    sweep->chunk = place.chunk;
    return place;
}

/* The piece that begins at the processor, which is cut out of another one if need be. */
static struct cs_sorted_place piece_from(struct cs_check_sweep *sweep, int proc)
{
    struct cs_sorted *held = &sweep->held;
    struct cs_sorted_place place = piece_with(sweep, proc);
    const struct cs_sorted_key piece = *cs_sorted_at(held, place);

    if (first_of_piece(&piece) == proc)
        return place;
    place.at++;
    return cs_sorted_insert_at(held, place, key_of_piece(proc, task_of_piece(&piece)), piece.value);
}

static void piece_look(const struct cs_sorted_key *piece, const struct cs_bar *bar,
                       struct cs_check_holder *holder)
{
    if (piece->value > bar->start && !(piece->value <= holder->end))
        *holder =
            (struct cs_check_holder){task_of_piece(piece), first_of_piece(piece), piece->value};
}

/* The bar holds the piece at the place if it ends later, as a part of the piece before that it has
 * `taken`.  Returns the place of the next piece. */
static struct cs_sorted_place piece_take(struct cs_sorted *held, struct cs_sorted_place place,
                                         const struct cs_bar *bar, bool *taken)
{
    struct cs_sorted_key *piece = cs_sorted_at(held, place);
    const bool joins = *taken;

    *taken = piece->value <= bar->end;
    if (*taken && joins)
        return cs_sorted_remove(held, place);
    if (*taken)
        *piece = (struct cs_sorted_key){key_of_piece(first_of_piece(piece), bar->task), bar->end};
    if (!cs_sorted_next(held, &place))
        place.at++;
    return place;
}

static void interval_take(struct cs_check_sweep *sweep, const struct cs_bar *bar,
                          struct cs_interval procs, struct cs_check_holder *holder)
{
    struct cs_sorted *held = &sweep->held;
    struct cs_sorted_place place = piece_from(sweep, procs.first);
    const int chunk = place.chunk;
    struct cs_sorted_key piece;
    bool taken = false;
    long long next;

    do {
        piece = *cs_sorted_at(held, place);
        piece_look(&piece, bar, holder);
        place = piece_take(held, place, bar, &taken);
        next = cs_sorted_is_end(held, place) ? INT_MAX + 1LL
                                             : first_of_piece(cs_sorted_at(held, place));
    } while (next <= procs.last);
    if (next > procs.last + 1LL)
        cs_sorted_insert_at(held, place, key_of_piece(procs.last + 1, task_of_piece(&piece)),
                            piece.value);
    cs_sorted_tidy(held, chunk);
}

bool cs_check_sweep_add(struct cs_check_sweep *sweep, const struct cs_bar *bar,
                        struct cs_check_holder *holder)
{
    CS_REQUIRE(sweep->start <= bar->start && bar->start < bar->end);
    sweep->start = bar->start;
    sweep->chunk = 0;
    *holder = (struct cs_check_holder){-1, -1, -INFINITY};
    for (int k = 0; k < bar->intervals; k++)
        interval_take(sweep, bar, bar->procs[k], holder);
    return holder->proc < 0;
}
