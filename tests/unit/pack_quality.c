/* How good the improving policies are, on the stand-ins for the paper's Workload-II, whose optima
 * are proven, and on random workloads that nobody looked at when settings were chosen. */
#include "unit/improve.h"

static double total(const struct cs_workload *w, int procs, int size, const char *name,
                    double param)
{
    struct cs_pack_instance *in = cs_pack_instance_create(w, procs, size, NULL);
    double got = improve_total(in, name, param, false);

    cs_pack_instance_destroy(in);
    return got;
}

/* Optima proven by branch and price, k = 2, 4, ... 16, rounded: one unit in the last place. */
static const double optimum[2][8] = {
    {7792.31, 4125.06, 2958.29, 2478.57, 2102.59, 1909.44, 1786.54, 1707.08},
    {578702.0, 334146.6, 254712.1, 240309.4, 219520.4, 204303.5, 200112.8, 200112.8},
};

static void within_of_the_optimum(const char *name, double param, double percent)
{
    for (int set = 0; set < 2; set++) {
        struct cs_workload *w = cs_pack_generate(set ? "ii-b" : "ii-a", NULL, NULL);

        for (int k = 0; k < 8; k++) {
            double got = total(w, 16, 2 * (k + 1), name, param), best = optimum[set][k];

            if (!(got >= best * (1 - 1e-5) && got <= best * (1 + percent / 100)))
                fail_msg("%s, set %c, k = %d: %g against %g", name, 'a' + set, 2 * (k + 1), got,
                         best);
        }
        cs_workload_destroy(w);
    }
}

static void local_search_is_within_a_percent_on_workload_two(void **state)
{
    (void)state;
    within_of_the_optimum("local-search", 4, 1.1);
}

static void contiguous_is_within_four_percent_on_workload_two(void **state)
{
    (void)state;
    within_of_the_optimum("contiguous", 4, 4);
}

static void gains_hold_on_random_workloads(void **state)
{
    static const struct {
        int size;
        double contiguous, searched; /* mean gain over pack-by-pack, percent, at least */
    } want[] = {{2, 5, 5}, {4, 6, 6}, {8, 3, 4}, {16, 0, 1}};

    (void)state;
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        double contiguous = 0, searched = 0;

        for (int number = 0; number < 10; number++) {
            struct cs_pack_generator generator = {
                .tasks = 40 + 5 * number, .procs = 16, .seed = 100 + (uint64_t)number};
            struct cs_workload *w = cs_pack_generate("random", &generator, NULL);
            double by_pack = total(w, 16, want[k].size, "pack-by-pack", NAN);

            contiguous += 1 - total(w, 16, want[k].size, "contiguous", 4) / by_pack;
            searched += 1 - total(w, 16, want[k].size, "local-search", 4) / by_pack;
            cs_workload_destroy(w);
        }
        if (!(10 * contiguous >= want[k].contiguous && 10 * searched >= want[k].searched))
            fail_msg("k = %d: contiguous %g %%, local-search %g %%", want[k].size, 10 * contiguous,
                     10 * searched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_search_is_within_a_percent_on_workload_two),
        cmocka_unit_test(contiguous_is_within_four_percent_on_workload_two),
        cmocka_unit_test(gains_hold_on_random_workloads),
    };

    return cmocka_run_group_tests_name("pack_quality", tests, NULL, NULL);
}
