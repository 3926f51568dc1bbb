/* volatile_fleets: every policy on random fleets, with checkpoints and warm spares: skipping
 * stretches changes nothing, slots add up, and what is safe is never lost. */
#include "property/volatile_kit.h"

#include "problems/volatile/lifetime_model.h"
#include "problems/volatile/simulate.h"

#include <math.h>

#define ROUNDS 60
#define SLOTS 300

struct world {
    struct cs_fleet *fleet;
    struct cs_volatile_instance *in;
    struct cs_volatile_survival law[2];
    struct cs_volatile_lifetime_model lifetime_model;
    double co_failure[2], frailty[KIT_HOSTS], leave[KIT_HOSTS];
    int pool[KIT_HOSTS];
    int64_t from;
};

static void draw_host(char *text, size_t size, struct cs_rng *rng)
{
    int left = SLOTS, length = 0, state = kit_between(rng, 0, 3);

    while (left > 0) {
        int slots = kit_between(rng, 1, kit_between(rng, 1, 60));

        slots = slots < left ? slots : left;
        length += snprintf(text + length, size - (size_t)length, "%c%d ",
                           "urd?"[kit_between(rng, 0, 2) ? 0 : state], slots);
        state = kit_between(rng, 0, 3);
        left -= slots;
    }
}

static void draw_lifetime_model(struct world *w, int hosts, struct cs_rng *rng)
{
    for (int k = 0; k < 2; k++) {
        w->law[k] = (struct cs_volatile_survival){
            .kind = (enum cs_volatile_survival_kind)kit_between(rng, 0, 2), .a = 0.7, .b = 1.5};
        w->co_failure[k] = cs_rng_uniform(rng);
    }
    for (int q = 0; q < hosts; q++) {
        w->frailty[q] = 0.5 + cs_rng_uniform(rng);
        w->leave[q] = 0.2 * cs_rng_uniform(rng);
        w->pool[q] = q % 2;
    }
    w->lifetime_model = (struct cs_volatile_lifetime_model){
        .kind = kit_between(rng, 0, 3) ? CS_VOLATILE_LIFETIME_MODEL_LAWS
                                       : CS_VOLATILE_LIFETIME_MODEL_CHAINS,
        .leave = w->leave,
        .pools = 2,
        .pool = w->pool,
        .law = w->law,
        .co_failure = w->co_failure,
        .frailty = w->frailty,
    };
}

/* The instance of the kit, with checkpoints and spares. */
static void begin(struct world *w, int round)
{
    struct cs_volatile_instance *plain = kit_instance(round);
    struct cs_volatile_application app = plain->app;
    char text[KIT_HOSTS][8192];
    const char *host[KIT_HOSTS];
    struct cs_error err = {0};
    struct cs_rng rng;

    cs_rng_init(&rng, 12, 2, (uint64_t)round);
    app.save_every = kit_between(&rng, 0, 5);
    app.save_cost = kit_between(&rng, 0, 3);
    app.spares = kit_between(&rng, 0, 3);
    app.iterations = 50;
    for (int q = 0; q < plain->hosts; q++) {
        draw_host(text[q], sizeof text[q], &rng);
        host[q] = text[q];
    }
    draw_lifetime_model(w, plain->hosts, &rng);
    w->from = kit_between(&rng, 0, 100);
    w->fleet = cs_fleet_create_text(plain->hosts, host, 60, &err);
    w->in = cs_volatile_instance_create(plain->hosts, plain->host, &app, &err);
    if (!w->fleet || !w->in)
        fail_msg("%s", err.text);
    cs_volatile_instance_destroy(plain);
}

static void end(struct world *w)
{
    cs_fleet_destroy(w->fleet);
    cs_volatile_instance_destroy(w->in);
}

/* What every slot must be. */
struct witness {
    const struct world *world;
    int64_t slot, computed, saving;
    int saves;
};

static void watch(void *who, const struct cs_volatile_span *span)
{
    struct witness *w = who;
    int sent = 0, computing = 0, saving = 0;

    assert_int_equal(span->from, w->slot);
    w->slot = span->to;
    for (int q = 0; q < w->world->in->hosts; q++) {
        char act = span->act[q];

        if (act == '.')
            continue;
        for (int64_t t = span->from; act != 'I' && t < span->to; t++) {
            const struct cs_fleet_host *host = &w->world->fleet->host[q];

            assert_int_equal(host->run[cs_fleet_run_at(host, w->world->from + t)].state,
                             CS_FLEET_UP);
        }
        sent += strchr("PDpd", act) != NULL;
        computing += act == 'C';
        saving += act == 'S';
        assert_true(!(computing && saving));
        assert_true(act != 'p' || w->world->in->app.spares > 0);
    }
    assert_true(sent <= w->world->in->app.transfers);
    w->computed += computing ? span->to - span->from : 0;
    w->saving += saving ? span->to - span->from : 0;
}

static struct cs_volatile_outcome run(const struct world *w, const struct cs_policy_call *call,
                                      enum cs_volatile_pace pace)
{
    int count;
    const struct cs_volatile_policy *policy = cs_volatile_policy_list(&count)[call->policy];
    struct cs_volatile_options options = cs_volatile_options_of(policy, call->param);
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_estimator *estimator = cs_volatile_estimator_create(w->in);
    struct cs_error err = {0};
    struct cs_volatile_source *source =
        cs_volatile_source_fleet(w->in, w->fleet, w->from, SLOTS - w->from, &err);
    struct witness witness = {.world = w};
    struct cs_volatile_outcome out;

    options.lifetime_model = &w->lifetime_model;
    cs_volatile_simulation_run(
        cs_volatile_simulation_create(w->in,
                                      cs_volatile_decider_create(estimator, policy, options, arena),
                                      options.prefetch, arena),
        source, 5, pace, watch, &witness, &out);
    assert_int_equal(witness.slot, out.slots);
    assert_int_equal(witness.computed, out.computed + out.lost);
    assert_int_equal(witness.saving, out.saving);
    cs_volatile_source_destroy(source);
    cs_volatile_estimator_destroy(estimator);
    cs_arena_destroy(arena);
    return out;
}

static void same(const struct cs_volatile_outcome *a, const struct cs_volatile_outcome *b,
                 const char *what, int round)
{
    if (a->makespan != b->makespan || a->iterations != b->iterations ||
        a->installed != b->installed || a->aborts != b->aborts || a->switches != b->switches ||
        a->computed != b->computed || a->lost != b->lost || a->suspended != b->suspended ||
        a->sent != b->sent || a->prefetched != b->prefetched || a->idle != b->idle ||
        a->saves != b->saves || a->saving != b->saving || a->work != b->work)
        fail_msg("round %d, %s: slot by slot and skipping differ", round, what);
}

static void check_outcome(const struct world *w, const struct cs_volatile_outcome *out)
{
    assert_true(out->work >= out->iterations && out->work < out->iterations + 1);
    if (!w->in->app.save_every)
        assert_true(out->saves == 0 && out->saving == 0 && out->work == out->iterations);
    assert_true(out->saving >= out->saves * w->in->app.save_cost);
    if (!w->in->app.spares)
        assert_int_equal(out->prefetched, 0);
}

static void skipping_changes_nothing(void **state)
{
    int policies;
    const struct cs_policy *const *list = cs_volatile_policies(&policies);

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct world w;

        begin(&w, round);
        for (int p = 0; p < policies && !list[p]->extpol; p++) {
            struct cs_volatile_outcome slots, skipping;
            struct cs_policy_call call;
            char text[96];

            assert_true(kit_call(p, 0, &call, text));
            slots = run(&w, &call, CS_VOLATILE_SLOTS);
            skipping = run(&w, &call, CS_VOLATILE_SKIPPING);
            same(&slots, &skipping, text, round);
            check_outcome(&w, &slots);
        }
        end(&w);
    }
}

/* A memo gives what is worked out anew. */
static void a_memo_remembers(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_memo *memo = cs_volatile_memo_create(arena);
    struct cs_rng rng;
    struct world w;

    (void)state;
    begin(&w, 3);
    cs_rng_init(&rng, 1, 2, 3);
    for (int i = 0; i < 20000; i++) {
        int q = kit_between(&rng, 0, w.in->hosts - 1), age = kit_between(&rng, 1, 90);
        double more = kit_between(&rng, 0, 400) / 8.0;

        assert_true(cs_volatile_lifetime_model_stay(&w.lifetime_model, memo, q, age, more) ==
                    cs_volatile_lifetime_model_stay(&w.lifetime_model, NULL, q, age, more));
    }
    end(&w);
    cs_arena_destroy(arena);
}

/* Of one pool no set is likelier to stay than its weakest host, nor less likely than if all were
 * independent. */
static void together_is_between_the_weakest_and_the_product(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct world w;
        int host[KIT_HOSTS];
        double log_p[KIT_HOSTS], sum = 0, least = 0, all;

        begin(&w, round);
        w.lifetime_model.pool = NULL;
        for (int q = 0; q < w.in->hosts; q++) {
            host[q] = q;
            log_p[q] = cs_volatile_lifetime_model_stay(&w.lifetime_model, NULL, q, 1 + q, 7);
            sum += log_p[q];
            least = fmin(least, log_p[q]);
        }
        all = cs_volatile_lifetime_model_together(&w.lifetime_model, w.in->hosts, host, log_p);
        assert_true(all <= least + 1e-12 && all >= sum - 1e-12);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(a_memo_remembers),
        cmocka_unit_test(together_is_between_the_weakest_and_the_product),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
