/* engine_local.c - this machine: a slot is a core, or several.
 *
 * One hardware thread of each core counts, the first, unless threads are wanted.  Only what the
 * affinity of this process allows is there.
 */
#define _GNU_SOURCE
#include "base/file.h"
#include "base/number.h"
#include "base/plain.h"
#include "run/executor.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
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
                                "%s: slots.cpus: core %d is not among the %d that this process "
                                "may use",
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

/* More slots than cores: spec/run2.md A7. */
static int refuse_slots(const struct cs_run_setup *setup, int slots, int there, int cores,
                        struct cs_error *err)
{
    const struct cs_run_wanted *wanted = &setup->wanted;
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "%d slots", slots);
    if (wanted->cpus_per_slot > 1)
        cs_strbuf_printf(&text, " of %d cores each", wanted->cpus_per_slot);
    cs_strbuf_printf(&text, " on %d core%s", cores, cores == 1 ? "" : "s");
    if (there < 1)
        cs_strbuf_puts(&text, "; use --oversubscribe");
    else if (setup->plan)
        cs_strbuf_printf(&text, "; plan for %d (-p %d), or use --oversubscribe", there, there);
    else
        cs_strbuf_printf(&text, "; use --slots %d or --oversubscribe", there);
    cs_error_set(err, "%s", text.text);
    cs_strbuf_release(&text);
    return -1;
}

static int open_local(const struct cs_run_setup *setup, struct cs_arena *arena, void **state,
                      const struct cs_run_slot **slot, int *count, struct cs_error *err)
{
    const struct cs_run_wanted *wanted = &setup->wanted;
    struct cpus *cpus = CS_NEW(arena, struct cpus);
    struct cs_run_slot *list;
    char host[256] = "";
    int there, each = wanted->cpus_per_slot;

    *state = cpus;
    if (find_cpus(setup, arena, cpus, err))
        return -1;
    there = cpus->count / each;
    *count = wanted->count ? wanted->count : there;
    if (*count < 1)
        return cs_error_set(err, "there are %d cores, too few for a slot of %d", cpus->count, each);
    if (*count > there && !wanted->oversubscribe)
        return refuse_slots(setup, *count, there, cpus->count, err);
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

/* ---- other batch systems, of which only this host is used ---- */

/* Different words among every `step`-th of a text, at most two: more than one host or not. */
static int count_hosts(const char *text, int step)
{
    size_t length = strcspn(text, " \n"), next = 0;
    const char *first = text;

    for (const char *at = text + length; *at; at += next) {
        for (int k = 0; k < step; k++) {
            at += strspn(at, " \n");
            next = strcspn(at, " \n");
            at += k + 1 < step ? next : 0;
        }
        if (next && (next != length || strncmp(at, first, length) != 0))
            return 2;
    }
    return length > 0;
}

static int count_hosts_of_file(const char *path)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int hosts = 0;

    if (!cs_file_read(path, CS_FILE_LARGEST, &text, NULL))
        hosts = count_hosts(text.text, 1);
    cs_strbuf_release(&text);
    return hosts;
}

/* The batch system of an allocation with more than one host; NULL: none. */
static const char *find_batch(void)
{
    const char *pbs = getenv("PBS_NODEFILE"), *lsf = getenv("LSB_MCPU_HOSTS");
    const char *hosts = getenv("LSB_HOSTS"), *flux = getenv("FLUX_JOB_NNODES");
    int nodes = 0;

    if (pbs && getenv("PBS_JOBID") && count_hosts_of_file(pbs) > 1)
        return "PBS";
    if (getenv("LSB_JOBID") &&
        ((lsf && count_hosts(lsf, 2) > 1) || (!lsf && hosts && count_hosts(hosts, 1) > 1)))
        return "LSF";
    return flux && cs_number_int(flux, &nodes) == CS_NUMBER_FINE && nodes > 1 ? "Flux" : NULL;
}

static void warn_local(struct cs_run_executor *x)
{
    const struct cpus *cpus = x->engine_state;
    const int there = cpus->count / x->setup.wanted.cpus_per_slot;
    const char *batch = find_batch();
    char text[160];

    if (x->slots > there) {
        cs_plain_print(text, sizeof text, "%d slots on %d core%s: not pinned, times mean little",
                       x->slots, cpus->count, cpus->count == 1 ? "" : "s");
        x->watcher.say(x->watcher.who, text);
    }
    if (batch) {
        cs_plain_print(text, sizeof text,
                       "the allocation of %s has more than one host: only this one is used", batch);
        x->watcher.say(x->watcher.who, text);
    }
}

const struct cs_run_engine cs_run_engine_local = {
    .name = "local",
    .open = open_local,
    .warn = warn_local,
};
