/* known.c - what a file states of the optimum of its instance, computed again.
 *
 * Source: docs/spec/science.md 3 and 12 (Checker). The numbers of the trap are taken from the file;
 * sums, certificates and values are computed here, without the code that makes such instances.
 */
#include "check/known.h"

#include "base/json.h"
#include "check/report.h"
#include "model/known.h"

#include <math.h>
#include <string.h>

#define SEARCHED 12 /* triples up to which a no without a certificate is searched */

struct trap {
    const struct cs_known *known;
    const char *problem;
    const json_t *json; /* the object `trap` */
    struct cs_check_report *report;
    int tasks;                             /* of the schedule */
    const struct cs_rigid_declared *rigid; /* or NULL */
    const struct cs_schedule_file *file;
    /* 3-PARTITION */
    int count;
    int64_t *number, bound, largest;
    bool yes, no;
};

static void known_refuse(const struct trap *t, const char *text)
{
    cs_check_add(t->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN, "known: %s", text);
}

static int64_t trap_number(const struct trap *t, const char *key)
{
    return json_integer_value(json_object_get(t->json, key));
}

/* The declared values are these; NaN: none. */
static void known_compare(const struct trap *t, double least, double most)
{
    const struct cs_known *k = t->known;

    if (!(fabs(k->at_least - least) <= 1e-9 * fabs(least)))
        cs_check_add(t->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                     "known: at_least is %.15g, and the trap shows %.15g", k->at_least, least);
    if (isnan(most) && !isnan(k->at_most))
        cs_check_add(t->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                     "known: at_most is %.15g, and the trap shows no schedule", k->at_most);
    if (!isnan(most) && !(fabs(k->at_most - most) <= 1e-9 * fabs(most)))
        cs_check_add(t->report, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
                     "known: at_most is %.15g, and the trap shows %.15g", k->at_most, most);
    if (!isnan(k->optimum) && (isnan(most) || k->optimum != k->at_most))
        known_refuse(t, "the optimum is not shown by the trap");
}

/* ---- 3-PARTITION ---- */

static bool known_numbers(struct trap *t, struct cs_arena *arena)
{
    const json_t *list = json_object_get(t->json, "numbers"), *value;
    int64_t sum = 0;
    size_t i;

    t->count = (int)json_array_size(list);
    t->number = CS_NEW_ARRAY(arena, int64_t, t->count + 1);
    t->bound = trap_number(t, "bound");
    json_array_foreach(list, i, value)
    {
        const int64_t n = json_integer_value(value);

        t->number[i] = n;
        t->largest = n > t->largest ? n : t->largest;
        if (n > INT32_MAX || 4 * n <= t->bound || 2 * n >= t->bound)
            return false;
        sum += n;
    }
    return t->count > 0 && t->count % 3 == 0 && sum == t->count / 3 * t->bound;
}

/* Every number is in one triple, and each triple has the sum. */
static bool triples_fit(const struct trap *t, const json_t *triples, struct cs_arena *arena)
{
    bool *used = CS_NEW_ARRAY(arena, bool, t->count);
    const json_t *triple, *place;
    size_t a, b;

    if ((int)json_array_size(triples) != t->count / 3)
        return false;
    json_array_foreach(triples, a, triple)
    {
        int64_t sum = 0;

        if (json_array_size(triple) != 3)
            return false;
        json_array_foreach(triple, b, place)
        {
            const int64_t i = json_integer_value(place);

            if (i < 0 || i >= t->count || used[i])
                return false;
            used[i] = true;
            sum += t->number[i];
        }
        if (sum != t->bound)
            return false;
    }
    return true;
}

static bool residues_fit(const struct trap *t, int64_t modulus, int64_t residue)
{
    for (int i = 0; i < t->count; i++)
        if (t->number[i] % modulus != residue)
            return false;
    return (3 * residue - t->bound) % modulus != 0;
}

/* The numbers without order: each value, the largest first, and how many are left of it. */
struct values {
    int64_t value[3 * SEARCHED];
    int left[3 * SEARCHED], count;
};

static void values_add(struct values *v, int64_t value)
{
    int at = 0;

    while (at < v->count && v->value[at] > value)
        at++;
    if (at == v->count || v->value[at] < value) {
        for (int i = v->count++; i > at; i--) {
            v->value[i] = v->value[i - 1];
            v->left[i] = v->left[i - 1];
        }
        v->value[at] = value;
        v->left[at] = 0;
    }
    v->left[at]++;
}

/* Can they be split into triples?  One triple has the largest value that is left. */
static bool values_split(struct values *v, int64_t bound)
{
    bool found = false;
    int first = 0;

    while (first < v->count && !v->left[first])
        first++;
    if (first == v->count)
        return true;
    v->left[first]--;
    for (int a = first; a < v->count && !found; a++)
        for (int b = a; b < v->count && !found && v->left[a]; b++) {
            if (v->value[first] + v->value[a] + v->value[b] != bound ||
                v->left[b] < (a == b ? 2 : 1))
                continue;
            v->left[a]--;
            v->left[b]--;
            found = values_split(v, bound);
            v->left[a]++;
            v->left[b]++;
        }
    v->left[first]++;
    return found;
}

static bool known_splits(const struct trap *t)
{
    struct values values = {.count = 0};

    for (int i = 0; i < t->count; i++)
        values_add(&values, t->number[i]);
    return values_split(&values, t->bound);
}

/* Is the declared answer shown? */
static bool answer_is_shown(struct trap *t, struct cs_arena *arena)
{
    const char *answer = json_string_value(json_object_get(t->json, "answer"));
    const int64_t modulus = trap_number(t, "modulus");

    t->yes = answer && !strcmp(answer, "yes");
    t->no = answer && !strcmp(answer, "no");
    if (t->yes)
        return triples_fit(t, json_object_get(t->json, "triples"), arena);
    if (t->no && modulus > 1)
        return residues_fit(t, modulus, trap_number(t, "residue"));
    if (t->no)
        return t->count <= 3 * SEARCHED && !known_splits(t);
    return true;
}

/* One graph, a sequential task of each number, on processors of 1 flop/s. */
static bool graph_fits(const struct trap *t)
{
    const struct cs_platform *platform = cs_schedule_platform(t->file->schedule);
    const struct cs_graph *graph =
        t->file->ptg && t->file->ptg->graphs == 1 ? t->file->ptg->graph[0] : NULL;
    bool fits = graph && graph->tasks == t->count && platform;

    for (int i = 0; fits && i < t->count; i++)
        fits = graph->task[i].flops == (double)t->number[i] && graph->task[i].alpha == 1;
    for (int k = 0; fits && k < platform->clusters; k++)
        fits = platform->cluster[k].speed == 1;
    return fits;
}

static void check_partition(struct trap *t, struct cs_arena *arena)
{
    const int64_t triples = t->count / 3, size = trap_number(t, "pack_size");
    double yes = (double)triples, no = (double)triples + 1;
    int64_t tasks = 3 * triples;

    if (!strcmp(t->problem, "pack")) {
        no = (double)triples + 1.0 / (double)(size == 3 ? t->largest : t->bound);
        tasks = triples * size;
    } else if (!strcmp(t->problem, "malleable")) {
        yes = no = (double)t->largest + 1;
        tasks = 4 * triples;
    } else if (!strcmp(t->problem, "ptg")) {
        yes = (double)t->bound;
        no = yes + 1;
        if (!graph_fits(t))
            known_refuse(t, "the graph and the platform are not those of the trap");
    }
    if (tasks != t->tasks)
        known_refuse(t, "the schedule has another number of tasks than the trap");
    if (!answer_is_shown(t, arena))
        known_refuse(t, t->yes ? "the triples are not a partition with the bound"
                               : "that there are no triples is not shown");
    known_compare(t, t->no ? no : yes, t->yes ? yes : NAN);
}

/* ---- the others ---- */

static void check_parallel(const struct trap *t)
{
    const double least = (double)trap_number(t, "tasks") / t->known->procs;

    if (trap_number(t, "tasks") != t->tasks || t->tasks <= t->known->procs)
        known_refuse(t, "the schedule has another number of tasks than the trap");
    known_compare(t, least, least);
}

/* Are the planted hosts up in the planted slots, as far as the states go? */
static bool planted_fits(const struct trap *t, const struct cs_volatile_declared *d)
{
    const json_t *hosts = json_object_get(t->json, "hosts"), *host, *slot;
    const json_t *slots = json_object_get(t->json, "slots");
    int64_t last = -1;
    size_t a, b;

    json_array_foreach(slots, b, slot)
    {
        if (!json_is_integer(slot) || json_integer_value(slot) <= last)
            return false;
        last = json_integer_value(slot);
    }
    last = -1;
    json_array_foreach(hosts, a, host)
    {
        const int64_t q = json_integer_value(host);

        if (!json_is_integer(host) || q <= last || q >= d->hosts)
            return false;
        last = q;
        json_array_foreach(slots, b,
                           slot) if (json_integer_value(slot) < d->slots &&
                                     d->trace[q][json_integer_value(slot)] != 'u') return false;
    }
    return (int)json_array_size(hosts) == d->tasks && json_array_size(slots) > 0;
}

/* Tasks of the planted hosts, as long as the planted slots; in part (ii) also as all slots and one
 * more, in as many of which all hosts are up. */
static void check_biclique(const struct trap *t, bool part2)
{
    const struct cs_volatile_declared *d = t->file->trial;
    const json_t *slots = json_object_get(t->json, "slots");
    const int64_t planted = (int64_t)json_array_size(slots), all = trap_number(t, "columns"),
                  work = planted + (part2 ? all + 1 : 0);
    bool fits = d && planted_fits(t, d) && d->iterations == 1 && !d->program && !d->data;
    int64_t last;

    for (int q = 0; fits && q < d->hosts; q++)
        fits = d->slots_per_task[q] == work && d->capacity[q] > 0;
    last = fits ? json_integer_value(json_array_get(slots, (size_t)planted - 1)) : 0;
    if (!fits || last >= all)
        known_refuse(t, "the hosts are not those of the trap");
    known_compare(t, (double)work, (double)(part2 ? 2 * all + 1 : last + 1));
}

/* No schedule is shorter than work over processors, nor than a job with its failures; the traps of
 * jobs reach that. */
static void check_jobs_trap(const struct trap *t, const struct cs_rigid_declared *rigid)
{
    double work = 0, longest = 0;

    for (int j = 0; rigid && j < t->tasks; j++) {
        const double all =
            rigid->seconds[j] * (rigid->failures ? (double)rigid->failures[j] + 1 : 1);

        work += rigid->procs[j] * all;
        longest = fmax(longest, all);
    }
    if (!rigid) {
        known_refuse(t, "the schedule has no jobs to compute it from");
        return;
    }
    work = fmax(work / t->known->procs, longest);
    known_compare(t, work, work);
}

static void check_trap(struct trap *t, struct cs_arena *arena)
{
    const char *name = json_string_value(json_object_get(t->json, "name"));

    if (!strcmp(name, "three-partition")) {
        if (known_numbers(t, arena))
            check_partition(t, arena);
        else
            known_refuse(t, "the numbers are not those of 3-PARTITION with this bound");
    } else if (!strncmp(name, "biclique", 8)) {
        check_biclique(t, !strcmp(name, "biclique-free"));
    } else if (!strcmp(name, "parallel")) {
        check_parallel(t);
    } else if (!strcmp(t->problem, "rigid")) {
        check_jobs_trap(t, t->rigid);
    } else {
        known_refuse(t, "the trap has an unknown name");
    }
}

/* It holds for some problem, processors and pack size. */
static bool known_applies(const struct cs_known *known, const struct cs_schedule_file *file)
{
    const char *problem = cs_schedule_problem(file->schedule);

    if (known->procs != cs_schedule_procs(file->schedule) ||
        (known->problem[0] && strcmp(known->problem, problem) != 0))
        return false;
    return !file->pack || !known->pack_size || file->pack->pack_size == known->pack_size;
}

void cs_check_known(const struct cs_schedule_file *file, struct cs_check_report *report)
{
    const struct cs_known *known = file->known      ? file->known
                                   : file->workload ? file->workload->known
                                                    : NULL;
    const double end = cs_schedule_makespan(file->schedule);
    const bool ended = !file->trial || file->trial->completed >= file->trial->iterations;
    struct trap trap = {.known = known, .report = report};
    struct cs_arena *arena;
    json_t *json;

    if (!known || !known_applies(known, file))
        return;
    if (ended && end < known->at_least * (1 - 1e-9))
        cs_check_add(report, CS_VIOLATION_DECLARED_BOUND, -1, end,
                     "makespan %.15g is less than %.15g, which is proven to be needed", end,
                     known->at_least);
    arena = cs_arena_create();
    json = cs_json_parse(known->text, strlen(known->text), 0);
    trap.json = json_object_get(json, "trap");
    trap.problem = cs_schedule_problem(file->schedule);
    trap.tasks = cs_schedule_tasks(file->schedule);
    trap.rigid = file->rigid;
    trap.file = file;
    check_trap(&trap, arena);
    json_decref(json);
    cs_arena_destroy(arena);
}
