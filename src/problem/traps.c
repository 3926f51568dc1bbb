/* traps.c - from options to instances with known optima.
 *
 * Source: docs/spec/science.md 3.1, 3.4 and 12.2.
 */
#include "problem/traps.h"

#include "base/jsonw.h"
#include "base/number.h"
#include "base/suggest.h"
#include "model/known.h"
#include "model/workload.h"

#include <math.h>
#include <string.h>

int cs_trap_check(const char *problem, const char *names, const char *name, struct cs_error *err)
{
    struct cs_strbuf list = CS_STRBUF_INIT;

    if (cs_choice_index(names, name) >= 0)
        return 0;
    cs_suggest_put_parts(&list, names);
    cs_error_set(err, "there is no trap \"%.60s\" for %s: %s", name, problem, list.text);
    cs_strbuf_release(&list);
    return -1;
}

/* ---- 3-PARTITION ---- */

static int read_numbers(const char *text, int **number, struct cs_arena *arena,
                        struct cs_error *err)
{
    struct cs_strbuf word = CS_STRBUF_INIT;
    int count = 0;

    *number = CS_NEW_ARRAY(arena, int, strlen(text) + 1);
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");

        cs_strbuf_clear(&word);
        cs_strbuf_append(&word, at, length);
        if (cs_number_int(word.text, &(*number)[count])) {
            cs_error_set(err, "--numbers: \"%.40s\" is not a whole number", word.text);
            count = -1;
            break;
        }
        count++;
        at += length;
        if (!*at)
            break;
    }
    cs_strbuf_release(&word);
    return count;
}

/* Options that do not go together. */
static int trap_check_options(const struct cs_trap_options *o, struct cs_error *err)
{
    if (o->numbers && (o->answer >= 0 || o->triples != CS_PARAM_NONE || o->bound != CS_PARAM_NONE ||
                       o->spread != CS_PARAM_NONE))
        return cs_error_set(err, "--numbers: the numbers decide all; --answer, --triples, --bound "
                                 "and --spread cannot be set with them");
    if (o->answer == 1 && o->bound != CS_PARAM_NONE)
        return cs_error_set(err, "--bound: with --answer no the bound (triple_sum in experiments) "
                                 "follows from --spread");
    if (o->answer != 1 && o->spread != CS_PARAM_NONE)
        return cs_error_set(err, "--spread: only for --answer no");
    return 0;
}

struct cs_partition *cs_trap_partition(const struct cs_trap_options *o, uint64_t seed, uint64_t set,
                                       struct cs_arena *arena, struct cs_error *err)
{
    const int64_t triples = cs_param_or(o->triples, 4);
    int *number, count;

    if (trap_check_options(o, err))
        return NULL;
    if (o->numbers) {
        count = read_numbers(o->numbers, &number, arena, err);
        return count < 0 ? NULL : cs_partition_given(number, count, arena, err);
    }
    if (o->answer == 1)
        return cs_partition_draw_no(triples, cs_param_or(o->spread, 4), seed, set, arena, err);
    return cs_partition_draw_yes(triples, cs_param_or(o->bound, 40), seed, set, arena, err);
}

/* ---- known ---- */

static void put_triples(const struct cs_partition *p, struct cs_jsonw *w)
{
    struct cs_arena *arena = cs_arena_create();
    int *member = CS_NEW_ARRAY(arena, int, 3 * p->triples);
    int *members = CS_NEW_ARRAY(arena, int, p->triples);

    for (int i = 0; i < 3 * p->triples; i++) {
        const int t = p->triple[i];

        member[3 * t + members[t]++] = i;
    }
    cs_jsonw_key(w, "triples");
    cs_jsonw_open_flat(w, '[');
    for (int t = 0; t < p->triples; t++) {
        cs_jsonw_open(w, '[');
        for (int k = 0; k < 3; k++)
            cs_jsonw_int(w, member[3 * t + k]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_arena_destroy(arena);
}

static void put_trap(const struct cs_partition *p, const struct cs_trap_instance *of,
                     struct cs_jsonw *w)
{
    cs_jsonw_put_string(w, "problem", of->problem);
    cs_jsonw_key(w, "numbers");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < 3 * p->triples; i++)
        cs_jsonw_int(w, p->number[i]);
    cs_jsonw_close(w);
    cs_jsonw_put_int(w, "bound", p->bound);
    cs_jsonw_put_string(w, "answer", cs_answer_name(p->answer));
    if (p->triple)
        put_triples(p, w);
    if (p->modulus) {
        cs_jsonw_put_int(w, "modulus", p->modulus);
        cs_jsonw_put_int(w, "residue", p->residue);
    }
    if (of->pack_size)
        cs_jsonw_put_int(w, "pack_size", of->pack_size);
}

static void put_triples_words(const struct cs_partition *p, struct cs_strbuf *out)
{
    for (int t = 0; t < p->triples; t++) {
        cs_strbuf_puts(out, t ? "," : "");
        for (int i = 0; i < 3 * p->triples; i++)
            if (p->triple[i] == t)
                cs_strbuf_printf(out, " %d", i);
    }
}

static void put_why(const struct cs_partition *p, struct cs_strbuf *out)
{
    if (p->modulus)
        cs_strbuf_printf(out,
                         "3-PARTITION without triples: all numbers are %d modulo %d, so a triple "
                         "has a sum of %d modulo %d, and the bound %d has not",
                         p->residue, p->modulus, 3 * p->residue % p->modulus, p->modulus, p->bound);
    else if (p->answer == CS_ANSWER_NO)
        cs_strbuf_puts(out, "3-PARTITION without triples, by an exact search");
    else if (p->answer == CS_ANSWER_OPEN)
        cs_strbuf_puts(out, "3-PARTITION of unknown answer: work over processors");
    else if (p->triples > CS_PARTITION_SEARCHED)
        cs_strbuf_puts(out, "3-PARTITION with the triples of the trap");
    else {
        cs_strbuf_puts(out, "3-PARTITION with the triples");
        put_triples_words(p, out);
    }
}

void cs_trap_put_partition(const struct cs_partition *p, double yes, double no,
                           const struct cs_trap_instance *of, struct cs_strbuf *out)
{
    const bool has = p->answer == CS_ANSWER_YES;
    struct cs_jsonw w = cs_jsonw_begin(out);
    struct cs_strbuf why = CS_STRBUF_INIT;

    put_why(p, &why);
    cs_known_open(&w, has ? yes : NAN, p->answer == CS_ANSWER_NO ? no : yes, has ? yes : NAN,
                  of->procs, "three-partition");
    put_trap(p, of, &w);
    cs_known_close(&w, why.text);
    cs_strbuf_release(&why);
}

/* ---- workloads ---- */

static struct cs_workload *trap_workload(const struct cs_trap_table *table, int procs,
                                         const char *known, struct cs_error *err)
{
    struct cs_workload *workload = cs_workload_create(table->tasks, NULL, table->profile, err);

    if (!workload)
        return NULL;
    workload->procs = procs;
    cs_workload_set_source(workload, "an instance with a known optimum (docs/formats.md)");
    return cs_workload_set_known(workload, known, err) ? NULL : workload;
}

/* N perfectly parallel tasks on P processors need N / P, and one after the other no more. */
static struct cs_workload *parallel_workload(int64_t tasks, int64_t procs, struct cs_arena *arena,
                                             struct cs_error *err)
{
    const struct cs_trap_table *table = cs_trap_parallel(tasks, procs, arena, err);
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_workload *workload;
    struct cs_jsonw w;

    if (!table)
        return NULL;
    w = cs_jsonw_begin(&known);
    cs_known_open(&w, table->deadline, table->deadline, table->deadline, table->procs, "parallel");
    cs_jsonw_put_int(&w, "tasks", table->tasks);
    cs_known_close(&w,
                   "work over processors; one task after the other on all of them needs no more");
    workload = trap_workload(table, table->procs, known.text, err);
    cs_strbuf_release(&known);
    return workload;
}

static struct cs_workload *pack_partition(const struct cs_trap_options *o, int64_t pack_size,
                                          uint64_t seed, uint64_t set, struct cs_arena *arena,
                                          struct cs_error *err)
{
    const struct cs_partition *p = cs_trap_partition(o, seed, set, arena, err);
    const struct cs_trap_table *table = p ? cs_partition_pack(p, pack_size, arena, err) : NULL;
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_workload *workload;

    if (!table)
        return NULL;
    cs_trap_put_partition(p, p->triples,
                          p->triples + 1.0 / (pack_size == 3 ? p->largest : p->bound),
                          &(struct cs_trap_instance){"pack", table->procs, (int)pack_size}, &known);
    workload = trap_workload(table, table->procs, known.text, err);
    if (workload)
        workload->pack_size = (int)pack_size;
    cs_strbuf_release(&known);
    return workload;
}

struct cs_workload *cs_trap_workload_pack(const struct cs_trap_options *o, int64_t pack_size,
                                          int64_t tasks, int64_t procs, uint64_t seed, uint64_t set,
                                          struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_workload *workload =
        strcmp(o->name, "parallel")
            ? pack_partition(o, cs_param_or(pack_size, 3), seed, set, arena, err)
            : parallel_workload(tasks ? tasks : 24, procs ? procs : 16, arena, err);

    cs_arena_destroy(arena);
    return workload;
}

struct cs_workload *cs_trap_workload_malleable(const struct cs_trap_options *o, uint64_t seed,
                                               uint64_t set, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_partition *p = cs_trap_partition(o, seed, set, arena, err);
    const struct cs_trap_table *table;
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_workload *workload = NULL;
    double *none;

    if (p && p->triples > 1000) {
        cs_error_set(err, "--triples: %d are too many for malleable; at most 1000", p->triples);
    } else if (p) {
        table = cs_partition_malleable(p, arena);
        none = CS_NEW_ARRAY(arena, double, table->tasks);
        cs_trap_put_partition(p, table->deadline, table->deadline,
                              &(struct cs_trap_instance){"malleable", table->procs, 0}, &known);
        workload = trap_workload(table, table->procs, known.text, err);
        if (workload)
            cs_workload_set_state(workload, NULL, none);
        cs_strbuf_release(&known);
    }
    cs_arena_destroy(arena);
    return workload;
}

/* A job of a processors and one second is a task that runs on that count only. */
struct cs_workload *cs_trap_workload_moldable(const struct cs_trap_options *o, uint64_t seed,
                                              uint64_t set, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_partition *p = cs_trap_partition(o, seed, set, arena, err);
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_workload *workload = NULL;

    if (p) {
        const int tasks = 3 * p->triples;
        struct cs_trap_table table = {.tasks = tasks, .procs = p->bound};
        struct cs_task_limit *limit = CS_NEW_ARRAY(arena, struct cs_task_limit, tasks);

        table.profile = CS_NEW_ARRAY(arena, struct cs_profile, tasks);
        for (int i = 0; i < tasks; i++) {
            table.profile[i] =
                (struct cs_profile){.kind = CS_PROFILE_AMDAHL, .seq_time = 1, .seq_fraction = 1};
            limit[i] = (struct cs_task_limit){.counts = 1, .count = &p->number[i]};
        }
        cs_trap_put_partition(p, p->triples, p->triples + 1,
                              &(struct cs_trap_instance){"moldable", p->bound, 0}, &known);
        workload = trap_workload(&table, p->bound, known.text, err);
        if (workload)
            cs_workload_set_limits(workload, limit);
        cs_strbuf_release(&known);
    }
    cs_arena_destroy(arena);
    return workload;
}

/* ---- task graphs ---- */

/* A task of a flop, all of it sequential, on processors of 1 flop/s takes a seconds. */
static struct cs_graph *trap_graph(const struct cs_partition *p, struct cs_arena *arena,
                                   struct cs_error *err)
{
    const int tasks = 3 * p->triples;
    struct cs_graph_task *task = CS_NEW_ARRAY(arena, struct cs_graph_task, tasks);
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_graph *graph;

    for (int i = 0; i < tasks; i++)
        task[i] = (struct cs_graph_task){.flops = p->number[i], .alpha = 1};
    cs_trap_put_partition(p, p->bound, p->bound + 1.0,
                          &(struct cs_trap_instance){"ptg", p->triples, 0}, &known);
    graph = cs_graph_create("three-partition", tasks, task, 0, NULL, err);
    if (graph && cs_graph_set_known(graph, known.text, err)) {
        cs_graph_destroy(graph);
        graph = NULL;
    }
    cs_strbuf_release(&known);
    return graph;
}

static struct cs_platform *trap_platform(int procs, struct cs_error *err)
{
    const struct cs_cluster cluster = {.name = "all",
                                       .procs = procs,
                                       .speed = 1,
                                       .bandwidth = CS_LINK_BANDWIDTH,
                                       .latency = CS_LINK_LATENCY};
    const struct cs_backbone backbone = {.shared_switch = true};

    return cs_platform_create_grid("three-partition", "processor", 1, &cluster, &backbone, err);
}

struct cs_graph *cs_trap_graph(const struct cs_trap_options *o, uint64_t seed, uint64_t set,
                               struct cs_platform **platform, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_partition *p = cs_trap_partition(o, seed, set, arena, err);
    struct cs_graph *graph = p ? trap_graph(p, arena, err) : NULL;

    if (graph && platform) {
        *platform = trap_platform(p->triples, err);
        if (!*platform) {
            cs_graph_destroy(graph);
            graph = NULL;
        }
    }
    cs_arena_destroy(arena);
    return graph;
}
