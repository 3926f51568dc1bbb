/* engine_local.c - this machine: a slot is a core, or several.
 *
 * One hardware thread of each core counts, the first, unless threads are wanted.  Only what the
 * affinity of this process allows is there.
 */
#define _GNU_SOURCE
#include "base/plain.h"
#include "run/engine.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_CPUS 8192

struct cpus {
    int count;
    int cpu[MOST_CPUS];
};

static bool is_first_thread(int cpu)
{
    char path[96];
    int first = cpu;
    FILE *file;

    cs_plain_print(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
                   cpu);
    file = fopen(path, "re");
    if (!file)
        return true;
    if (fscanf(file, "%d", &first) != 1)
        first = cpu;
    fclose(file);
    return first == cpu;
}

/* Those that this process may use.  The mask may have more bits than a cpu_set_t. */
static void list_allowed(bool threads, struct cpus *out)
{
    unsigned long mask[MOST_CPUS / (8 * sizeof(unsigned long))] = {0};
    const int bits = 8 * (int)sizeof *mask;

    out->count = 0;
    if (sched_getaffinity(0, sizeof mask, (cpu_set_t *)mask))
        return;
    for (int cpu = 0; cpu < MOST_CPUS; cpu++)
        if (mask[cpu / bits] >> cpu % bits & 1 && (threads || is_first_thread(cpu)))
            out->cpu[out->count++] = cpu;
}

/* "0-3,7" */
static int parse_cpus(const char *file, const char *text, struct cpus *out, struct cs_error *err)
{
    const char *at = text;

    for (;;) {
        int first, last, used = 0;

        if (sscanf(at, "%d-%d%n", &first, &last, &used) != 2 || !used) {
            if (sscanf(at, "%d%n", &first, &used) != 1)
                break;
            last = first;
        }
        for (int cpu = first; cpu <= last && cpu >= 0 && out->count < MOST_CPUS; cpu++)
            out->cpu[out->count++] = cpu;
        at += used;
        if (*at != ',')
            break;
        at++;
    }
    if (*at || !out->count)
        return cs_error_set(
            err, "%s: slots.cpus: found \"%.60s\", expected a list such as \"0-3,6\"", file, text);
    return 0;
}

static int check_cpus(const char *file, const struct cpus *allowed, const struct cpus *wanted,
                      struct cs_error *err)
{
    for (int w = 0, a = 0; w < wanted->count; w++) {
        for (a = 0; a < allowed->count && allowed->cpu[a] != wanted->cpu[w]; a++)
            continue;
        if (a == allowed->count)
            return cs_error_set(err,
                                "%s: slots.cpus: core %d is none of the %d that this process may "
                                "use",
                                file, wanted->cpu[w], allowed->count);
    }
    return 0;
}

static const char *name_cpus(const struct cpus *cpus, int slot, int each, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *name;

    for (int k = slot * each; k < (slot + 1) * each; k++)
        cs_strbuf_printf(&text, "%s%d", text.length ? "," : "", cpus->cpu[k]);
    name = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return name;
}

static int find_cpus(const struct cs_run_setup *setup, struct cs_arena *arena, struct cpus *cpus,
                     struct cs_error *err)
{
    struct cpus *allowed;

    if (!setup->wanted.cpus) {
        list_allowed(setup->wanted.threads, cpus);
        return 0;
    }
    allowed = CS_NEW(arena, struct cpus);
    list_allowed(true, allowed);
    return parse_cpus(setup->file, setup->wanted.cpus, cpus, err)
               ? -1
               : check_cpus(setup->file, allowed, cpus, err);
}

static int open_local(const struct cs_run_setup *setup, struct cs_arena *arena, void **state,
                      const struct cs_run_slot **slot, int *count, struct cs_error *err)
{
    const struct cs_run_wanted *wanted = &setup->wanted;
    struct cpus *cpus = CS_NEW(arena, struct cpus);
    struct cs_run_slot *list;
    char host[256] = "";
    int there, each = wanted->cpus_per_slot;

    *state = NULL;
    if (find_cpus(setup, arena, cpus, err))
        return -1;
    there = cpus->count / each;
    *count = wanted->count ? wanted->count : there;
    if (*count > there && wanted->pin && !wanted->oversubscribe)
        return cs_error_set(err,
                            "%d slots are wanted and there are %d cores%s; \"slots\": "
                            "{\"oversubscribe\": true} in a run file, or --slots %d, allows it",
                            *count, cpus->count, wanted->threads ? "" : " (threads not counted)",
                            *count);
    if (*count < 1)
        return cs_error_set(err, "there are %d cores, too few for a slot of %d", cpus->count, each);
    gethostname(host, sizeof host - 1);
    list = CS_NEW_ARRAY(arena, struct cs_run_slot, *count);
    for (int s = 0; s < *count; s++)
        list[s] = (struct cs_run_slot){
            .host = s ? list[0].host : cs_arena_strdup(arena, host),
            .cpus = wanted->pin && *count <= there ? name_cpus(cpus, s, each, arena) : "",
        };
    *slot = list;
    return 0;
}

const struct cs_run_engine cs_run_engine_local = {.name = "local", .open = open_local};
