/* replay_shelf.c - shelves: jobs that start together on an empty machine. */
#include "rigid/replay_state.h"

/* The first from the place on that fits; or only the one at the place. */
static bool next(const struct cs_rigid_replay_state *s, struct cs_rigid_replay_place *place)
{
    const struct cs_rigid_replay_stairs stairs = {s->now, s->replay->verification, 1, NULL,
                                                  &s->free};
    const struct cs_rigid_replay_entry *entry;

    if (!s->replay->in_order)
        return cs_rigid_replay_list_first(&s->waiting, place, &stairs) != NULL;
    entry = cs_rigid_replay_list_at(&s->waiting, place);
    return entry && entry->procs <= s->free;
}

/* The last of the running attempts, by estimated end. */
static double last_end(const struct cs_rigid_replay_list *running)
{
    const struct cs_rigid_replay_block *block = running->block[running->blocks - 1];

    return block->entry[block->count - 1].key;
}

void cs_rigid_replay_pass_shelf(struct cs_rigid_replay_state *s)
{
    struct cs_rigid_replay_place place = {0, 0};

    if (s->running.count > 0)
        return;
    s->shelf++;
    while (s->free > 0 && next(s, &place))
        cs_rigid_replay_start(s, place);
    s->shelf_end = last_end(&s->running);
}
