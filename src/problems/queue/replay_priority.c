/* replay_priority.c - which priorities can be replayed with arrivals. */
#include "base/plain.h"
#include "problems/queue/replay.h"

/* The priorities of sites that are not priorities of a batch. */
static const struct cs_sched_urgency *find_urgency(const char *name)
{
    struct cs_error none = {0};

    return cs_sched_urgency_find(name, &none);
}

int cs_queue_replay_priority_find(const char *name, struct cs_queue_replay *variant,
                                  struct cs_error *err)
{
    struct cs_error inner = {0};
    struct cs_strbuf names = CS_STRBUF_INIT;

    variant->urgency = NULL;
    variant->priority = NULL;
    if (!cs_plain_compare(name, "fcfs"))
        return 0;
    variant->priority = cs_sched_priority_find(name, &inner);
    if (variant->priority && variant->priority->learns)
        return cs_error_set(err, "priority \"%s\" is not made for arrivals: choose lert",
                            variant->priority->name);
    if (variant->priority)
        return 0;
    variant->urgency = find_urgency(name);
    if (variant->urgency && variant->urgency->multifactor)
        return cs_error_set(err, "priority \"slurm\" wants weights, which a slurm.conf has: "
                                 "see cosched replay --machine");
    if (variant->urgency)
        return 0;
    cs_sched_urgency_put_beyond(&names, ", ");
    cs_error_set(err, "%s, or where jobs arrive %s", inner.text, names.text);
    cs_strbuf_release(&names);
    return -1;
}

const char *cs_queue_replay_priority_name(const struct cs_queue_replay *variant)
{
    return variant->urgency    ? variant->urgency->name
           : variant->priority ? variant->priority->name
                               : "fcfs";
}
