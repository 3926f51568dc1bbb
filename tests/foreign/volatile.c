/* volatile.c - calls of the problem volatile. */
#include "problems/volatile/volatile.h"
#include "calls.h"

#include <cosched/case.h>

static void end_instance(void *in)
{
    cs_volatile_instance_destroy(in);
}

static void end_source(void *s)
{
    cs_volatile_source_destroy(s);
}

static void end_lifetime_model(void *b)
{
    cs_volatile_lifetime_model_destroy(b);
}

static void instance_create(struct caller *c)
{
    const struct cs_volatile_application app = {few(c, 4), few(c, 2), few(c, 3),
                                                few(c, 3), few(c, 2), c->tame ? 1000 : few(c, 300),
                                                few(c, 5), few(c, 2), 0};
    struct cs_volatile_host host[3];
    struct cs_volatile_instance *in;

    for (int q = 0; q < 3; q++)
        host[q] = (struct cs_volatile_host){
            NULL,
            few(c, 3),
            CS_VOLATILE_UNLIMITED,
            {{is_wild(c) ? real(c, 0, 1) : 0.9, 0.05, 0.05}, {0.05, 0.9, 0.05}, {0.05, 0.05, 0.9}}};
    in = cs_volatile_instance_create(c->tame ? 3 : count(c, 3), is_wild(c) ? NULL : host,
                                     is_wild(c) ? NULL : &app, err_of(c));
    reported(c, !in);
    keep(c, HOSTS, in, end_instance);
}

static void instance_ask(struct caller *c)
{
    const struct cs_volatile_instance *in = pick(c, HOSTS);
    int policies;

    cs_volatile_instance_hosts(in);
    cs_volatile_instance_host(in, whole(c, 0, 2));
    cs_volatile_instance_application(in);
    cs_volatile_policies(is_wild(c) ? NULL : &policies);
    cs_volatile_state_letter((enum cs_volatile_state)whole(c, 0, 2));
    cs_volatile_model_name((enum cs_fit_lifetime_model)whole(c, 0, 5));
}

static void sources(struct caller *c)
{
    const struct cs_volatile_instance *in = pick(c, HOSTS);
    const char *const trace[] = {word(c, "uuudduuu"), "uuuuuuuu", word(c, "rrruuuuu"), "uduuuuuu",
                                 "uuuuuuuu"};
    struct cs_volatile_source *s;

    keep(c, SOURCE, cs_volatile_source_markov(in, draw(c), draw(c)), end_source);
    s = cs_volatile_source_semi_markov(in, (enum cs_volatile_law)whole(c, 0, 1), real(c, 0.5, 2),
                                       draw(c), draw(c), err_of(c));
    reported(c, !s);
    keep(c, SOURCE, s, end_source);
    s = cs_volatile_source_traces(in, is_wild(c) ? NULL : trace, err_of(c));
    reported(c, !s);
    keep(c, SOURCE, s, end_source);
    s = cs_volatile_source_fleet(in, pick(c, FLEET), whole(c, 0, 3), whole(c, 1, 9), err_of(c));
    reported(c, !s);
    keep(c, SOURCE, s, end_source);
}

static void lifetime_model(struct caller *c)
{
    const int host[] = {0};
    const double age[] = {1};
    struct cs_volatile_lifetime_model *b = cs_volatile_lifetime_model_fit(
        pick(c, FLEET), (enum cs_fit_lifetime_model)whole(c, 0, 5),
        (enum cs_fit_pooling)whole(c, 0, 2), whole(c, 0, 1), whole(c, 10, 20), err_of(c));

    reported(c, !b);
    keep(c, LIFETIME_MODEL, b, end_lifetime_model);
    b = pick(c, LIFETIME_MODEL);
    cs_volatile_lifetime_model_model(b);
    cs_volatile_lifetime_model_few(b);
    cs_volatile_lifetime_model_chance(b, count(c, 1), is_wild(c) ? NULL : host,
                                      is_wild(c) ? NULL : age, real(c, 0, 9));
}

static void laws(struct caller *c)
{
    const struct cs_fleet *fleet = pick(c, FLEET);
    const struct cs_fit_availability_options how = {
        .size = is_wild(c) ? 3 : sizeof how,
        .each = draw(c) & 1,
        .lifetime_model = (enum cs_fit_lifetime_model)whole(c, 0, 5),
        .pooling = (enum cs_fit_pooling)whole(c, 0, 2),
        .workload = whole(c, 0, 9),
    };
    char *text = cs_volatile_laws(fleet, is_wild(c) ? NULL : &how, err_of(c));

    reported(c, !text);
    cs_free(text);
    text = cs_volatile_scenario(fleet, err_of(c));
    reported(c, !text);
    cs_free(text);
}

static void simulate(struct caller *c)
{
    struct cs_volatile_request request = {.seed = draw(c)};
    struct cs_volatile_source *source = pick(c, SOURCE);
    struct cs_volatile_outcome outcome;
    int policies;
    const struct cs_policy *const *list = cs_volatile_policies(&policies);

    request.call.policy = whole(c, 0, policies - 1);
    if (request.call.policy >= 0 && request.call.policy < policies && !is_wild(c))
        cs_policy_parse(list[request.call.policy]->name, list, policies, &request.call, NULL);
    reported(c, cs_volatile_simulate(pick(c, HOSTS), is_wild(c) ? NULL : &request, source,
                                     is_wild(c) ? NULL : &outcome, err_of(c)) != 0);
}

static void generate(struct caller *c)
{
    const struct cs_volatile_generator generator = {count(c, 4), few(c, 3), few(c, 2), few(c, 2),
                                                    1,           300,       draw(c),   draw(c)};
    struct cs_volatile_instance *in =
        cs_volatile_generate(is_wild(c) ? NULL : &generator, err_of(c));

    reported(c, !in);
    keep(c, HOSTS, in, end_instance);
}

const struct call volatile_calls[] = {
    {"volatile_instance", instance_create},
    {"volatile_ask", instance_ask},
    {"volatile_sources", sources},
    {"volatile_belief", lifetime_model},
    {"volatile_laws", laws},
    {"volatile_simulate", simulate},
    {"volatile_generate", generate},
    {NULL, NULL},
};
