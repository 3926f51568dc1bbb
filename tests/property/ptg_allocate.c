/* ptg_allocate: the incremental allocation equals the procedure of spec/ptg.md 3 computed from
 * scratch, to the last bit; the sorted structures of the mapping equal plain lists. */
#include "problems/ptg/allocate.h"
#include "problems/ptg/avail.h"
#include "problems/ptg/network.h"
#include "property/ptg_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* spec/ptg.md 3, word by word. */
struct naive {
    const struct cs_graph *graph;
    const struct cs_ptg_reference *reference;
    const struct cs_ptg_options *options;
    double beta;
    int procs[256], use[256];
    double bottom[256];
};

static double seconds(const struct naive *n, int v, int procs)
{
    return cs_graph_task_time(&n->graph->task[v], procs, n->reference->speed);
}

static int best_of(const struct naive *n, const int *list, int count)
{
    int best = -1;

    for (int i = 0; i < count; i++)
        if (best < 0 || n->bottom[list[i]] > n->bottom[best] ||
            (n->bottom[list[i]] == n->bottom[best] && list[i] < best))
            best = list[i];
    return best;
}

static int successor(const struct naive *n, int v)
{
    int list[4096], count = 0;

    for (int a = 0; a < n->graph->arcs; a++)
        if (n->graph->arc[a].from == v)
            list[count++] = n->graph->arc[a].to;
    return best_of(n, list, count);
}

static int entry(const struct naive *n)
{
    int list[256], count = 0;

    for (int v = 0; v < n->graph->tasks; v++)
        if (n->graph->level[v] == 0)
            list[count++] = v;
    return best_of(n, list, count);
}

static bool candidate(const struct naive *n, int v)
{
    double alpha = n->graph->task[v].alpha;
    int next = n->procs[v] + 1;

    if (next > n->reference->procs)
        return false;
    if (n->options->cap == CS_PTG_CAP_CLUSTER && !cs_ptg_reference_fits(n->reference, alpha, next))
        return false;
    if (n->options->efficiency > 0 && 1 / (alpha * next + 1 - alpha) < n->options->efficiency)
        return false;
    return n->options->procedure == CS_PTG_SCRAP ||
           (n->use[n->graph->level[v]] + 1) * n->reference->speed <=
               n->beta * n->reference->power + 1e-9 * n->reference->power;
}

static double gain(const struct naive *n, int v)
{
    double now = seconds(n, v, n->procs[v]), next = seconds(n, v, n->procs[v] + 1);

    if (n->options->gain == CS_PTG_GAIN_TIME)
        return now - next;
    return now / n->procs[v] - next / (n->procs[v] + 1);
}

static double power(const struct naive *n, double path)
{
    double area = 0;

    for (int v = 0; v < n->graph->tasks; v++)
        area += n->procs[v] * seconds(n, v, n->procs[v]);
    return area * n->reference->speed / path;
}

static void run(struct naive *n)
{
    bool scrap = n->options->procedure == CS_PTG_SCRAP;
    double share = n->beta * n->reference->power;

    for (int v = 0; v < n->graph->tasks; v++) {
        n->procs[v] = 1;
        n->use[n->graph->level[v]]++;
    }
    for (;;) {
        double path = cs_graph_critical_path(n->graph, n->procs, n->reference->speed, n->bottom);
        double most = 0;
        int pick = -1;

        if (scrap && !(power(n, path) < share))
            return;
        for (int v = entry(n); v >= 0; v = successor(n, v))
            if (candidate(n, v) && gain(n, v) > most) {
                most = gain(n, v);
                pick = v;
            }
        if (pick < 0)
            return;
        n->procs[pick]++;
        n->use[n->graph->level[pick]]++;
        path = cs_graph_critical_path(n->graph, n->procs, n->reference->speed, n->bottom);
        if (scrap && power(n, path) > share * (1 + 1e-9)) {
            n->procs[pick]--;
            cs_graph_critical_path(n->graph, n->procs, n->reference->speed, n->bottom);
            return;
        }
    }
}

static void incremental_is_from_scratch(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_reference reference;
        struct naive n = {.options = &options, .reference = &reference};
        int procs[256];
        double bottom[256];
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 1, 60, false);
        options.procedure = (enum cs_ptg_procedure)(seed % 3 == 0);
        options.gain = (enum cs_ptg_gain)(seed % 5 == 0);
        options.reference = (enum cs_ptg_reference_speed)(seed % 7 == 0);
        options.cap = (enum cs_ptg_cap)(seed % 4 == 0);
        options.efficiency = seed % 6 == 0 ? 0.5 : 0;
        options.batch = 0;
        reference = cs_ptg_reference_of(kit.platform, options.reference);
        n.graph = kit.graph[0];
        n.beta = (1 + ptg_kit_below(&kit, 10)) / 10.0;
        cs_ptg_allocate(n.graph, &reference, &options, n.beta, procs, bottom, arena);
        run(&n);
        for (int v = 0; v < n.graph->tasks; v++) {
            assert_int_equal(procs[v], n.procs[v]);
            assert_true(bottom[v] == n.bottom[v]);
        }
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* Batches, word by word: tasks of the critical path grow one step at a time, best gain first and
 * ties to the first of the path, until the path is shorter by the batch factor; then the next path.
 */
static void run_batches(struct naive *n)
{
    int path[256];

    for (int v = 0; v < n->graph->tasks; v++) {
        n->procs[v] = 1;
        n->use[n->graph->level[v]]++;
    }
    for (bool grown = true; grown;) {
        double length = cs_graph_critical_path(n->graph, n->procs, n->reference->speed, n->bottom);
        double target = length * (1 - n->options->batch);
        int count = 0, pick = 0;

        for (int v = entry(n); v >= 0; v = successor(n, v))
            path[count++] = v;
        for (grown = false; length > target && pick >= 0; grown |= pick >= 0) {
            double most = 0;

            pick = -1;
            for (int i = 0; i < count; i++)
                if (candidate(n, path[i]) && gain(n, path[i]) > most) {
                    most = gain(n, path[i]);
                    pick = path[i];
                }
            if (pick < 0)
                break;
            length -= seconds(n, pick, n->procs[pick]) - seconds(n, pick, n->procs[pick] + 1);
            n->procs[pick]++;
            n->use[n->graph->level[pick]]++;
        }
    }
}

/* The factors are such that no path gets exactly as short as that, where rounding would decide. */
static void batches_are_from_scratch(void **state)
{
    static const double batches[] = {0.012347, 0.105773, 0.413159};

    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_reference reference;
        struct naive n = {.options = &options, .reference = &reference};
        int procs[256];
        double bottom[256];
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 1, 100, false);
        options.gain = (enum cs_ptg_gain)(seed % 5 == 0);
        options.cap = (enum cs_ptg_cap)(seed % 4 == 0);
        options.efficiency = seed % 6 == 0 ? 0.5 : 0;
        options.batch = batches[seed % 3];
        reference = cs_ptg_reference_of(kit.platform, options.reference);
        n.graph = kit.graph[0];
        n.beta = (1 + ptg_kit_below(&kit, 10)) / 10.0;
        cs_ptg_allocate(n.graph, &reference, &options, n.beta, procs, bottom, arena);
        run_batches(&n);
        for (int v = 0; v < n.graph->tasks; v++)
            assert_int_equal(procs[v], n.procs[v]);
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* A part that is lost in rounding is none: the exact procedure, not rounds of one step each, which
 * took seconds. */
static void lost_batches_are_exact(void **state)
{
    static const double lost[] = {1e-17, 1e-320};

    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_reference reference;
        int procs[256], exact[256];
        double bottom[256];
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 1, 100, false);
        reference = cs_ptg_reference_of(kit.platform, options.reference);
        options.batch = 0;
        cs_ptg_allocate(kit.graph[0], &reference, &options, 1, exact, bottom, arena);
        options.batch = lost[seed % 2];
        cs_ptg_allocate(kit.graph[0], &reference, &options, 1, procs, bottom, arena);
        for (int v = 0; v < kit.graph[0]->tasks; v++)
            assert_int_equal(procs[v], exact[v]);
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* Levels stay within their budget unless they begin above it; batches come near the exact path. */
static void batches_keep_the_budget(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_reference reference;
        struct ptg_kit kit;
        int procs[256], exact[256], use[256] = {0};
        double bottom[256], beta, path, least;
        const struct cs_graph *graph;

        ptg_kit_init(&kit, seed, 1, 100, false);
        graph = kit.graph[0];
        reference = cs_ptg_reference_of(kit.platform, options.reference);
        beta = (1 + ptg_kit_below(&kit, 10)) / 10.0;
        options.batch = 0.01;
        cs_ptg_allocate(graph, &reference, &options, beta, procs, bottom, arena);
        options.batch = 0;
        cs_ptg_allocate(graph, &reference, &options, beta, exact, bottom, arena);
        for (int v = 0; v < graph->tasks; v++)
            use[graph->level[v]] += procs[v];
        for (int l = 0; l < graph->levels; l++)
            assert_true(use[l] == graph->members[l] ||
                        use[l] * reference.speed <= (beta + 1e-9) * reference.power);
        path = cs_graph_critical_path(graph, procs, reference.speed, NULL);
        least = cs_graph_critical_path(graph, exact, reference.speed, NULL);
        assert_true(path <= 1.25 * least);
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* Above 20,000 tasks all long paths grow at once: within the budget, and twice the same. */
static void large_graphs_keep_the_budget(void **state)
{
    const struct cs_ptg_generator generator = {
        .tasks = 20100, .width = 0.6, .regular = 0.8, .density = 0.005, .jump = 2, .seed = 3};
    const struct cs_ptg_options options = CS_PTG_OPTIONS;
    struct cs_arena *arena = cs_arena_create();
    struct cs_graph *graph = cs_ptg_generate(NULL, &generator, NULL);
    struct cs_platform *platform = cs_platform_site("grid5000-rennes", NULL);
    struct cs_ptg_reference reference = cs_ptg_reference_of(platform, options.reference);
    int *procs = CS_NEW_ARRAY(arena, int, graph->tasks);
    int *again = CS_NEW_ARRAY(arena, int, graph->tasks);
    int *use = CS_NEW_ARRAY(arena, int, graph->levels);
    double *bottom = CS_NEW_ARRAY(arena, double, graph->tasks), longest = 0;

    (void)state;
    cs_ptg_allocate(graph, &reference, &options, 0.9, procs, bottom, arena);
    cs_ptg_allocate(graph, &reference, &options, 0.9, again, bottom, arena);
    assert_memory_equal(procs, again, (size_t)graph->tasks * sizeof *procs);
    for (int v = 0; v < graph->tasks; v++) {
        use[graph->level[v]] += procs[v];
        longest = fmax(longest, bottom[v]);
    }
    for (int l = 0; l < graph->levels; l++)
        assert_true(use[l] == graph->members[l] ||
                    use[l] * reference.speed <= (0.9 + 1e-9) * reference.power);
    assert_true(longest == cs_graph_critical_path(graph, procs, reference.speed, NULL));
    cs_platform_destroy(platform);
    cs_graph_destroy(graph);
    cs_arena_destroy(arena);
}

/* The procedure on a plain list of dates: which processors, sorted. */
static int choose_plainly(const double *free_at, int procs, int want, double date, int *chosen)
{
    bool taken[64] = {false};
    double sorted[64], nth;
    int count = 0;

    memcpy(sorted, free_at, (size_t)procs * sizeof *sorted);
    for (int i = 0; i < procs; i++)
        for (int j = i + 1; j < procs; j++)
            if (sorted[j] < sorted[i]) {
                double swap = sorted[i];

                sorted[i] = sorted[j];
                sorted[j] = swap;
            }
    nth = fmax(date, sorted[want - 1]);
    while (count < want) {
        int best = -1;

        for (int p = 0; p < procs; p++)
            if (!taken[p] && free_at[p] <= nth && (best < 0 || free_at[p] > free_at[best]))
                best = p;
        taken[best] = true;
        count++;
    }
    count = 0;
    for (int p = 0; p < procs; p++)
        if (taken[p])
            chosen[count++] = p;
    return count;
}

static void groups_are_a_sorted_list(void **state)
{
    struct cs_splitmix random = {5};

    (void)state;
    for (int round = 0; round < 40; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_avail avail;
        int procs = 1 + (int)cs_splitmix_below(&random, 40);
        double free_at[64] = {0};

        cs_ptg_avail_init(&avail, 100, procs, arena);
        for (int step = 0; step < 60; step++) {
            int want = 1 + (int)cs_splitmix_below(&random, (uint64_t)procs), chosen[64], at = 0;
            double date = (double)cs_splitmix_below(&random, 20);
            struct cs_ptg_choice choice = cs_ptg_avail_choose(&avail, want, date);
            double finish = fmax(date, choice.latest) + (double)cs_splitmix_below(&random, 5);
            struct cs_interval *keep;
            int intervals;
            const struct cs_interval *set = cs_ptg_avail_gather(&avail, &choice, &intervals);

            choose_plainly(free_at, procs, want, date, chosen);
            for (int i = 0; i < intervals; i++) {
                assert_true(i == 0 || set[i - 1].last + 1 < set[i].first);
                for (int p = set[i].first; p <= set[i].last; p++) {
                    assert_int_equal(p - 100, chosen[at]);
                    free_at[chosen[at++]] = finish;
                }
            }
            assert_int_equal(at, want);
            keep = CS_NEW_ARRAY(arena, struct cs_interval, intervals);
            memcpy(keep, set, (size_t)intervals * sizeof *keep);
            cs_ptg_avail_take(&avail, &choice);
            cs_ptg_avail_add(&avail, finish, keep, intervals, want);
        }
        cs_arena_destroy(arena);
    }
}

/* What stays in place, part by part. */
static void kept_data_are_counted_part_by_part(void **state)
{
    struct cs_splitmix random = {9};

    (void)state;
    for (int round = 0; round < 500; round++) {
        struct cs_interval from[24], to[24];
        int p = 0, q = 0, offset = (int)cs_splitmix_below(&random, 6);
        struct cs_ptg_transfer t = {0};
        struct cs_ptg_kept kept;
        int64_t sent[24] = {0}, got[24] = {0}, least_sent = INT64_MAX, least_got = INT64_MAX;

        for (int i = 0; i < 24; i++) {
            if (cs_splitmix_below(&random, 3))
                from[p++] = (struct cs_interval){i, i};
            if (cs_splitmix_below(&random, 2))
                to[q++] = (struct cs_interval){i + offset, i + offset};
        }
        if (p == 0 || q == 0)
            continue;
        t.senders = p;
        t.receivers = q;
        for (int i = 0; i < p; i++)
            for (int j = 0; j < q; j++) {
                int64_t low = i * q > j * p ? i * q : j * p;
                int64_t high = (i + 1) * q < (j + 1) * p ? (i + 1) * q : (j + 1) * p;

                if (high > low && from[i].first == to[j].first) {
                    sent[i] += high - low;
                    got[j] += high - low;
                }
            }
        kept = cs_ptg_transfer_kept(&t, from, p, to, q);
        for (int i = 0; i < p; i++) {
            least_sent = sent[i] < least_sent ? sent[i] : least_sent;
            kept.sum -= sent[i];
        }
        for (int j = 0; j < q; j++)
            least_got = got[j] < least_got ? got[j] : least_got;
        assert_int_equal(kept.sum, 0);
        assert_int_equal(kept.sender, least_sent);
        assert_int_equal(kept.receiver, least_got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incremental_is_from_scratch),
        cmocka_unit_test(batches_are_from_scratch),
        cmocka_unit_test(lost_batches_are_exact),
        cmocka_unit_test(batches_keep_the_budget),
        cmocka_unit_test(large_graphs_keep_the_budget),
        cmocka_unit_test(groups_are_a_sorted_list),
        cmocka_unit_test(kept_data_are_counted_part_by_part),
    };

    return cmocka_run_group_tests_name("ptg_allocate", tests, NULL, NULL);
}
