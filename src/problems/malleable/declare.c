/* declare.c - the keys of a schedule file that describe a run of malleable applications.
 *
 * The checker (src/check/malleable.c) judges a run by them with separate code, so all that
 * decides a schedule must be here: machine, rules, failures with their effects.  Areas, lower
 * bound and fatal failures are declared to be compared.
 */
#include "problems/malleable/declare.h"

static int count_faults(const struct cs_malleable_record *record)
{
    int faults = 0;

    for (int m = 0; m < record->marks; m++)
        faults += record->mark[m].kind == CS_MALLEABLE_FAILURE;
    return faults;
}

static const struct cs_malleable_declared_fault *
declare_faults(const struct cs_malleable_record *record, int faults, struct cs_arena *arena)
{
    struct cs_malleable_declared_fault *fault =
        CS_NEW_ARRAY(arena, struct cs_malleable_declared_fault, faults);
    int next = 0;

    for (int m = 0; m < record->marks; m++) {
        const struct cs_malleable_mark *mark = &record->mark[m];

        if (mark->kind == CS_MALLEABLE_FAILURE)
            fault[next++] = (struct cs_malleable_declared_fault){
                mark->time, mark->processor, cs_malleable_effect_name(mark->effect)};
    }
    return fault;
}

const struct cs_malleable_declared *
cs_malleable_declare(const struct cs_malleable_instance *instance,
                     const struct cs_malleable_rules *rules,
                     const struct cs_malleable_record *record, struct cs_arena *arena)
{
    const struct cs_malleable_platform *platform = cs_malleable_instance_platform(instance);
    const struct cs_malleable_areas *area = &record->outcome.area;
    int count;
    struct cs_malleable_declared *declared = CS_NEW(arena, struct cs_malleable_declared);

    *declared = (struct cs_malleable_declared){
        .mtbf = platform->mtbf,
        .downtime = platform->downtime,
        .fault_free = platform->fault_free,
        .rules = *rules,
        .on_end = cs_malleable_end_policies(&count)[rules->on_end]->name,
        .on_failure = cs_malleable_failure_policies(&count)[rules->on_failure]->name,
        .faults = count_faults(record),
        .fatal = (int)record->outcome.fatal_in_reality,
        .has_areas = true,
        .areas =
            {
                .work = area->work,
                .checkpoint = area->checkpoint,
                .lost = area->lost,
                .down = area->down,
                .move = area->move,
                .idle = area->idle,
            },
        .lower_bound = record->outcome.lower_bound,
    };
    declared->fault = declare_faults(record, declared->faults, arena);
    return declared;
}
