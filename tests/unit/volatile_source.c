/* volatile_source: the states of hosts, drawn and given. */
#include "problems/volatile/source.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define SLOTS 200000

static struct cs_volatile_instance *draw(void)
{
    struct cs_volatile_generator r = {6, 5, 5, 1, 10, 1000000, 4, 1};
    struct cs_error err = {0};

    return cs_volatile_generate(&r, &err);
}

static void traces_that_are_none_are_refused(void **state)
{
    struct cs_volatile_instance *in = draw();
    const char *trace[] = {"uurd", "uuuu", "uuuu", "uuuu", "uuu", "uuuu"};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_volatile_source_traces(in, trace, &err));
    assert_string_equal(err.text, "host 4: its trace has 3 slots, that of host 0 has 4");
    err.text[0] = 0;
    trace[4] = "uUuu";
    assert_null(cs_volatile_source_traces(in, trace, &err));
    assert_string_equal(err.text, "host 4: slot 1 of its trace is 'U', it must be u, r or d");
    err.text[0] = 0;
    for (int q = 0; q < 6; q++)
        trace[q] = "";
    assert_null(cs_volatile_source_traces(in, trace, &err));
    assert_string_equal(err.text, "the traces have 0 slots, there must be between 1 and 100000000");
    cs_volatile_instance_destroy(in);
}

static void traces_are_read_back(void **state)
{
    struct cs_volatile_instance *in = draw();
    const char *trace[] = {"uurd", "uuuu", "dddd", "rudr", "urdu", "uuud"};
    struct cs_error err = {0};
    struct cs_volatile_source *s = cs_volatile_source_traces(in, trace, &err);
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    assert_int_equal(s->end, 4);
    assert_int_equal(s->count, 2 + 0 + 0 + 3 + 3 + 1);
    for (int q = 0; q < 6; q++) {
        assert_string_equal(cs_volatile_source_trace(s, q, 100, arena), trace[q]);
        for (int t = 0; t < 4; t++)
            assert_int_equal(cs_volatile_state_letter(cs_volatile_source_state(s, q, t)),
                             trace[q][t]);
    }
    assert_null(cs_volatile_source_change(s, s->count));
    cs_arena_destroy(arena);
    cs_volatile_source_destroy(s);
    cs_volatile_source_destroy(NULL);
    cs_volatile_instance_destroy(in);
}

/* Slots and moves between states of one host. */
struct counts {
    double slots[3], moves[3][3], stays[3], squares[3];
};

static void count(struct cs_volatile_source *s, int host, struct counts *c)
{
    struct cs_arena *arena = cs_arena_create();
    const char *trace = cs_volatile_source_trace(s, host, SLOTS, arena);
    int before = -1, length = 0;

    memset(c, 0, sizeof *c);
    for (int t = 0; t < SLOTS; t++, length++) {
        int now = (int)(strchr("urd", trace[t]) - "urd");

        c->slots[now]++;
        if (before >= 0)
            c->moves[before][now]++;
        if (before >= 0 && before != now) {
            c->stays[before] += 1;
            c->squares[before] += (double)length * length;
            length = 0;
        }
        before = now;
    }
    cs_arena_destroy(arena);
}

static void close_to(double got, double want, double sigma, const char *what)
{
    if (!(fabs(got - want) <= 5 * sigma))
        fail_msg("%s: %g, expected %g up to %g", what, got, want, 5 * sigma);
}

/* Transition frequencies and the long-run shares of a chain, within five standard deviations. */
static void markov_states_follow_their_chain(void **state)
{
    struct cs_volatile_instance *in = draw();
    struct cs_volatile_source *s = cs_volatile_source_markov(in, 3, 4);

    (void)state;
    for (int q = 0; q < in->hosts; q++) {
        const double(*p)[3] = in->host[q].chain;
        struct counts c;

        count(s, q, &c);
        for (int from = 0; from < 3; from++)
            for (int to = 0; to < 3; to++) {
                double n = c.slots[from], expected = p[from][to];

                close_to(c.moves[from][to] / n, expected, sqrt(expected * (1 - expected) / n),
                         "a transition");
            }
    }
    cs_volatile_source_destroy(s);
    cs_volatile_instance_destroy(in);
}

static void changes_come_in_order_and_are_changes(void **state)
{
    struct cs_volatile_instance *in = draw();
    struct cs_volatile_source *s = cs_volatile_source_markov(in, 3, 4);
    int now[6];
    uint32_t slot = 0, host = 0;

    (void)state;
    for (int q = 0; q < 6; q++)
        now[q] = s->first[q];
    for (size_t at = 0; at < 50000; at++) {
        const struct cs_volatile_change *change = cs_volatile_source_change(s, at);
        uint32_t q = change->what / 4;

        assert_true(change->slot > 0);
        assert_true(change->slot > slot || (change->slot == slot && (at == 0 || q > host)));
        assert_int_not_equal(now[q], change->what % 4);
        now[q] = (int)(change->what % 4);
        slot = change->slot;
        host = q;
    }
    cs_volatile_source_destroy(s);
    cs_volatile_instance_destroy(in);
}

/* The first state is drawn from the long-run shares: over many trials. */
static void runs_begin_in_the_long_run(void **state)
{
    struct cs_volatile_instance *in = draw();
    double first[2][3] = {{0}};
    struct cs_error err = {0};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_volatile_laws *laws =
        cs_volatile_laws_create(in, CS_VOLATILE_LAW_WEIBULL, 0.6, arena, &err);

    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        struct cs_volatile_source *s[2];

        s[0] = cs_volatile_source_markov(in, 7, (uint64_t)trial);
        s[1] = cs_volatile_source_of_laws(laws, 7, (uint64_t)trial);
        for (int k = 0; k < 2; k++) {
            first[k][cs_volatile_source_state(s[k], 2, 30)]++;
            cs_volatile_source_destroy(s[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        const double(*p)[3] = in->host[2].chain;
        double share = p[1][0] * p[2][0] + p[1][2] * p[2][0] + p[2][1] * p[1][0], sum = share;

        sum += p[2][1] * p[0][1] + p[2][0] * p[0][1] + p[0][2] * p[2][1];
        sum += p[0][2] * p[1][2] + p[0][1] * p[1][2] + p[1][0] * p[0][2];
        share /= sum;
        close_to(first[k][0] / 2000, share, sqrt(share * (1 - share) / 2000), "share of up");
    }
    cs_arena_destroy(arena);
    cs_volatile_instance_destroy(in);
}

/* Other laws keep the means of the chain, and the jumps; a Weibull law of shape 1 is geometric. */
static void holding_times_have_the_means_of_the_chain(void **state)
{
    struct cs_volatile_instance *in = draw();
    struct cs_error err = {0};
    static const struct {
        enum cs_volatile_law law;
        double parameter;
    } variant[] = {{CS_VOLATILE_LAW_WEIBULL, 1},
                   {CS_VOLATILE_LAW_WEIBULL, 0.6},
                   {CS_VOLATILE_LAW_WEIBULL, 2},
                   {CS_VOLATILE_LAW_LOGNORMAL, 1}};

    (void)state;
    for (size_t k = 0; k < sizeof variant / sizeof *variant; k++) {
        struct cs_volatile_source *s =
            cs_volatile_source_semi_markov(in, variant[k].law, variant[k].parameter, 1, 2, &err);

        for (int q = 0; q < 3; q++)
            for (int from = 0; from < 3; from++) {
                double leave = 1 - in->host[q].chain[from][from], mean, spread;
                struct counts c;

                count(s, q, &c);
                mean = c.slots[from] / c.stays[from];
                spread = sqrt((c.squares[from] / c.stays[from] - mean * mean) / c.stays[from]);
                close_to(mean, 1 / leave, spread, "a mean stay");
                close_to(c.moves[from][(from + 1) % 3] / c.stays[from], 0.5,
                         0.5 / sqrt(c.stays[from]), "a jump");
                if (variant[k].parameter == 1 && variant[k].law == CS_VOLATILE_LAW_WEIBULL)
                    close_to(c.squares[from] / c.stays[from], (2 - leave) / (leave * leave),
                             20 * spread * mean, "a second moment");
            }
        cs_volatile_source_destroy(s);
    }
    cs_volatile_instance_destroy(in);
}

static void a_law_that_is_none_is_refused(void **state)
{
    struct cs_volatile_instance *in = draw(), *still;
    struct cs_volatile_host host = {.slots = 1, .capacity = 9, .chain = {{1}, {0, 1}, {0, 0, 1}}};
    struct cs_volatile_application app = {1, 1, 1, 1, 1, 10, 0, 0, 0};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_volatile_source_semi_markov(in, CS_VOLATILE_LAW_WEIBULL, 0, 1, 1, &err));
    assert_string_equal(err.text,
                        "the shape of holding times is 0, it must be between 0.05 and 20");
    err.text[0] = 0;
    assert_null(cs_volatile_source_semi_markov(in, CS_VOLATILE_LAW_LOGNORMAL, NAN, 1, 1, &err));
    assert_string_equal(err.text,
                        "the sigma of holding times is nan, it must be between 0.05 and 20");
    err.text[0] = 0;
    still = cs_volatile_instance_create(1, &host, &app, &err);
    assert_null(cs_volatile_source_semi_markov(still, CS_VOLATILE_LAW_WEIBULL, 1, 1, 1, &err));
    assert_string_equal(err.text, "host 0: its state 'u' is hardly ever left, holding times need a "
                                  "mean below 1e9 slots");
    cs_volatile_instance_destroy(still);
    cs_volatile_instance_destroy(in);
}

/* A host that never changes makes no changes, and none are waited for. */
static void a_host_at_rest_costs_nothing(void **state)
{
    struct cs_volatile_host host = {.slots = 1, .capacity = 9, .chain = {{1}, {0, 1}, {0, 0, 1}}};
    struct cs_volatile_application app = {1, 1, 1, 1, 1, 10, 0, 0, 0};
    struct cs_error err = {0};
    struct cs_volatile_instance *in = cs_volatile_instance_create(1, &host, &app, &err);
    struct cs_volatile_source *s = cs_volatile_source_markov(in, 1, 1);

    (void)state;
    assert_null(cs_volatile_source_change(s, 0));
    assert_int_equal(cs_volatile_source_state(s, 0, 1000000), CS_VOLATILE_UP);
    cs_volatile_source_destroy(s);
    cs_volatile_instance_destroy(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_that_are_none_are_refused),
        cmocka_unit_test(traces_are_read_back),
        cmocka_unit_test(markov_states_follow_their_chain),
        cmocka_unit_test(changes_come_in_order_and_are_changes),
        cmocka_unit_test(runs_begin_in_the_long_run),
        cmocka_unit_test(holding_times_have_the_means_of_the_chain),
        cmocka_unit_test(a_law_that_is_none_is_refused),
        cmocka_unit_test(a_host_at_rest_costs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
