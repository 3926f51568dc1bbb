/* variant.c - the table of policies that carry a bag out, and the queue that most of them share.
 *
 * Source: spec/moldable.md 7.2 (list, order).
 * Idea: the queue is a tournament tree by place in the order, as in list.c; queue_take starts what
 * fits, queue_take_first stops at the first task that does not.
 * Invariants: a task is in the tree from cs_moldable_queue_add until it is launched; a failed task
 * returns at its rank.
 * Complexity: O(log tasks) for each launch or addition.
 *
 *   constant  value  unit                 how found             half, double
 *   0.05      5 %    of the planned time  spec/moldable.md 7.3  not measured
 */
#include "problems/moldable/simulate.h"

#include <math.h>

#define CS_MOLDABLE_VARIANT(name)                                                                  \
    extern const struct cs_moldable_variant cs_moldable_variant_##name;
#include "base/guard.h"
#include "problems/moldable/variants.def"
#undef CS_MOLDABLE_VARIANT

const struct cs_policy *const *cs_moldable_variants(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_MOLDABLE_VARIANT(name) &cs_moldable_variant_##name.info,
    static const struct cs_policy *const infos[] = {
#include "problems/moldable/variants.def"
    };
#undef CS_MOLDABLE_VARIANT

    *count = (int)(sizeof infos / sizeof *infos);
    return infos;
}

const struct cs_moldable_variant *cs_moldable_variant_at(int index)
{
#define CS_MOLDABLE_VARIANT(name) &cs_moldable_variant_##name,
    static const struct cs_moldable_variant *const variants[] = {
#include "problems/moldable/variants.def"
    };
#undef CS_MOLDABLE_VARIANT

    return variants[index];
}

void cs_moldable_queue_init(struct cs_moldable_queue *queue, const struct cs_moldable_bag *bag,
                            struct cs_arena *arena)
{
    queue->bag = bag;
    queue->order = CS_NEW_ARRAY(arena, int, bag->tasks);
    queue->place = CS_NEW_ARRAY(arena, int, bag->tasks);
    queue->choice = CS_NEW_ARRAY(arena, int, bag->tasks);
    queue->request = NULL;
    cs_moldable_room_init(&queue->room, bag, arena);
    cs_tournament_init(&queue->waiting, bag->tasks ? bag->tasks : 1, arena);
}

void cs_moldable_queue_begin(struct cs_moldable_queue *queue)
{
    for (int p = 0; p < queue->bag->tasks; p++)
        queue->place[queue->order[p]] = p;
    cs_tournament_clear(&queue->waiting, queue->bag->tasks ? queue->bag->tasks : 1);
}

void cs_moldable_queue_add(struct cs_moldable_queue *queue, int task)
{
    cs_tournament_set(&queue->waiting, queue->place[task],
                      -cs_moldable_width(queue->bag, task, queue->choice[task]));
}

static int variant_take(struct cs_moldable_queue *queue, int place,
                        struct cs_moldable_launch *launch)
{
    int task = queue->order[place], choice = queue->choice[task];
    int first = cs_moldable_room_take(&queue->room, queue->request ? queue->request[task] : -1,
                                      cs_moldable_width(queue->bag, task, choice));

    cs_tournament_set(&queue->waiting, place, -INFINITY);
    *launch = (struct cs_moldable_launch){task, choice, first};
    return 1;
}

int cs_moldable_queue_take(struct cs_moldable_queue *queue, const struct cs_moldable_view *view,
                           struct cs_moldable_launch *launch)
{
    int count = 0, place;

    cs_moldable_room_copy(&queue->room, view->room);
    while ((place = cs_tournament_first(&queue->waiting, -queue->room.most)) >= 0)
        count += variant_take(queue, place, &launch[count]);
    return count;
}

int cs_moldable_queue_take_first(struct cs_moldable_queue *queue,
                                 const struct cs_moldable_view *view,
                                 struct cs_moldable_launch *launch)
{
    int count = 0, place;

    cs_moldable_room_copy(&queue->room, view->room);
    while ((place = cs_tournament_first(&queue->waiting, -queue->bag->procs)) >= 0) {
        int task = queue->order[place];

        if (!view->waits[task] ||
            cs_moldable_width(queue->bag, task, queue->choice[task]) > queue->room.most)
            break;
        count += variant_take(queue, place, &launch[count]);
    }
    return count;
}

double cs_moldable_seems_to_end(const struct cs_moldable_bag *bag, double now,
                                const struct cs_moldable_attempt *attempt)
{
    double seconds = cs_moldable_seconds(bag, attempt->task, attempt->choice);
    double end = attempt->start + seconds;

    return end > now ? end : now + 0.05 * seconds;
}
