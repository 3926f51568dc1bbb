/* simulate_rigid_ways.c - policies, priorities and scenarios as the command line has them. */
#include "cli/simulate_rigid.h"
#include "rigid/policy.h"
#include "study/words.h"

#include <math.h>
#include <string.h>

static struct cs_words all_policies(struct cs_arena *arena)
{
    int count;
    const char *const *all = cs_rigid_policy_all(arena, &count);

    return (struct cs_words){count, all};
}

/* With arrivals: all that are made for them. */
static struct cs_words all_priorities(bool arrivals, struct cs_arena *arena)
{
    int count, kept = 0;
    const struct cs_rigid_priority *list = cs_rigid_priorities(&count), *found;
    const char **name = CS_NEW_ARRAY(arena, const char *, count + 1);

    if (arrivals)
        name[kept++] = "fcfs";
    for (int i = 0; i < count; i++)
        if (!arrivals || !cs_rigid_replay_priority_find(list[i].name, &found, NULL))
            name[kept++] = list[i].name;
    return (struct cs_words){kept, name};
}

bool cs_simulate_rigid_several(const struct cs_arguments *args)
{
    const char *policy = cs_arguments_text(args, "policy");
    const char *priority = cs_arguments_text(args, "priority");

    return !strcmp(policy, "all") || !strcmp(priority, "all") || cs_words_count(policy) > 1 ||
           cs_words_count(priority) > 1;
}

/* -1 with err when it is not made for arrivals, or none. */
static int find_priority(const char *name, bool arrivals, struct cs_simulate_rigid_way *way,
                         struct cs_error *err)
{
    if (arrivals) {
        if (cs_rigid_replay_priority_find(name, &way->replay.priority, err))
            return -1;
        way->priority = way->replay.priority;
    } else if (!(way->priority = cs_rigid_priority_find(name, err))) {
        return -1;
    }
    way->priority_name = way->priority ? way->priority->name : "fcfs";
    return 0;
}

static int add_way(struct cs_simulate_rigid *job, const char *policy, const char *priority,
                   struct cs_error *err)
{
    struct cs_simulate_rigid_way *way = &job->way[job->ways++];
    bool arrivals = cs_arguments_given(job->args, "arrivals");

    way->policy = policy;
    way->run = cs_rigid_policy_parse(policy, &way->call, err);
    if (!way->run)
        return -1;
    way->replay.policy = way->run;
    way->replay.param = way->call.param;
    return find_priority(priority, arrivals, way, err);
}

int cs_simulate_rigid_ways(struct cs_simulate_rigid *job, struct cs_error *err)
{
    bool arrivals = cs_arguments_given(job->args, "arrivals");
    const char *policy = cs_arguments_text(job->args, "policy");
    const char *priority = cs_arguments_text(job->args, "priority");
    struct cs_words policies, priorities;

    if (arrivals && !cs_arguments_given(job->args, "priority"))
        priority = "fcfs";
    policies =
        strcmp(policy, "all") ? cs_words_split(policy, job->arena) : all_policies(job->arena);
    priorities = strcmp(priority, "all") ? cs_words_split(priority, job->arena)
                                         : all_priorities(arrivals, job->arena);
    job->way =
        CS_NEW_ARRAY(job->arena, struct cs_simulate_rigid_way, policies.count * priorities.count);
    for (int p = 0; p < policies.count; p++)
        for (int r = 0; r < priorities.count; r++)
            if (add_way(job, policies.name[p], priorities.name[r], err))
                return -1;
    return 0;
}

/* What the options, or else the input, say of failures. */
static struct cs_rigid_law law_of(const struct cs_simulate_rigid *job)
{
    const struct cs_arguments *args = job->args;

    if (cs_arguments_given(args, "mean-failure-probability"))
        return (struct cs_rigid_law){.mean = cs_arguments_real(args, "mean-failure-probability")};
    if (cs_arguments_given(args, "mtbe"))
        return (struct cs_rigid_law){NAN, 1 / cs_arguments_real(args, "mtbe")};
    if (!isnan(job->input->rate))
        return (struct cs_rigid_law){NAN, job->input->rate};
    return (struct cs_rigid_law){.mean = 0};
}

void cs_simulate_rigid_put_law(const struct cs_simulate_rigid *job, struct cs_strbuf *out)
{
    const char *file = cs_arguments_text(job->args, "failures");
    struct cs_rigid_law law = law_of(job);

    if (file) {
        cs_strbuf_printf(out, "failures of %s", file);
    } else if (!isnan(law.mean) && law.mean > 0) {
        cs_strbuf_puts(out, "mean failure probability ");
        cs_strbuf_put_double(out, law.mean);
    } else if (isnan(law.mean) && law.rate > 0) {
        cs_strbuf_puts(out, "MTBE of a processor ");
        cs_strbuf_printf(out, "%.9g s", 1 / law.rate);
    } else {
        cs_strbuf_puts(out, "no failures");
    }
}

static bool is_random(const struct cs_simulate_rigid *job)
{
    struct cs_rigid_law law = law_of(job);
    bool random = isnan(law.mean) ? law.rate > 0 : law.mean > 0;

    for (int w = 0; w < job->ways; w++)
        random |= job->way[w].priority && job->way[w].priority->per_scenario;
    return random;
}

static int read_failures(struct cs_simulate_rigid *job, const char *path, struct cs_error *err)
{
    struct cs_rigid_scenarios *drawn;
    int wanted = cs_arguments_given(job->args, "scenarios")
                     ? (int)cs_arguments_integer(job->args, "scenarios")
                     : 0;

    if (job->input->sets != 1)
        return cs_error_set(err, "--failures is for one set of jobs, not for the %d sets of %s",
                            job->input->sets, job->path);
    drawn = job->drawn[0] = cs_rigid_scenarios_read(&job->input->set[0].jobs, path, err);
    if (!drawn)
        return -1;
    if (wanted > drawn->count)
        return cs_error_set(err, "%s has %d scenarios, %d were asked for", path, drawn->count,
                            wanted);
    if (wanted)
        drawn->count = wanted;
    drawn->seed = job->seed;
    drawn->set = (uint64_t)cs_arguments_integer(job->args, "set");
    if (!isnan(job->input->rate))
        drawn->law.rate = job->input->rate;
    job->scenarios = drawn->count;
    return 0;
}

int cs_simulate_rigid_draw(struct cs_simulate_rigid *job, struct cs_error *err)
{
    const char *path = cs_arguments_text(job->args, "failures");
    uint64_t first = (uint64_t)cs_arguments_integer(job->args, "set");

    job->drawn = CS_NEW_ARRAY(job->arena, struct cs_rigid_scenarios *, job->input->sets);
    if (path)
        return read_failures(job, path, err);
    job->scenarios = cs_arguments_given(job->args, "scenarios")
                         ? (int)cs_arguments_integer(job->args, "scenarios")
                     : cs_arguments_given(job->args, "arrivals")
                         ? (int)cs_arguments_integer(job->args, "scenario") + 1
                     : is_random(job) ? 1000
                                      : 1;
    for (int s = 0; s < job->input->sets; s++) {
        const struct cs_rigid_input_set *set = &job->input->set[s];

        job->drawn[s] = cs_rigid_scenarios_create(&set->jobs, law_of(job), job->seed,
                                                  first + (uint64_t)s, job->scenarios, err);
        if (!job->drawn[s])
            return *set->name ? cs_error_prefix(err, "%s, %s", job->path, set->name)
                              : cs_error_prefix(err, "%s", job->path);
    }
    return 0;
}
