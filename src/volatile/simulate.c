/* simulate.c - slots, and stretches of slots that are alike. */
#include "volatile/simulate.h"

#include "base/guard.h"
#include "model/outside.h"
#include "volatile/send.h"
#include "volatile/spares.h"

#include "base/bug.h"

#include <string.h>

struct cs_volatile_simulation {
    const struct cs_volatile_instance *in;
    struct cs_volatile_decider *decider;
    struct cs_volatile_fleet fleet; /* hosts: states and what they have */
    struct cs_volatile_sending sending;
    int *previous, previouses;         /* members of the last installed configuration */
    bool running, ready;               /* ready: every member has all it needs */
    int not_up;                        /* members that are not up */
    int64_t slot, tau, done, workload; /* workload: what was not saved of `full` */
    int64_t full;        /* slots of computation of the running configuration, nothing saved */
    double saved, base;  /* what part of the iteration is safe; was, when it was installed */
    int64_t safe, fresh; /* slots of `done` that are saved, and that came after the last save */
    int64_t saving;      /* slots left of a save that is under way */
    struct cs_volatile_spares *spares; /* or NULL */
    bool wanting;                      /* may another host be a spare in the next slot? */
    int64_t kept; /* the stamp at which the policy said that it would keep for long, or NEVER */
    size_t at;    /* the next change */
    struct cs_volatile_source *source;
    enum cs_volatile_pace pace;
    cs_volatile_watch_f *watch;
    void *who;
    char *act;
    struct cs_volatile_outcome *out;
};

#define NEVER (-1)

struct cs_volatile_simulation *cs_volatile_simulation_create(const struct cs_volatile_instance *in,
                                                             struct cs_volatile_decider *decider,
                                                             enum cs_volatile_prefetch prefetch,
                                                             struct cs_arena *arena)
{
    struct cs_volatile_simulation *s = CS_NEW(arena, struct cs_volatile_simulation);

    s->in = in;
    s->decider = decider;
    s->previous = CS_NEW_ARRAY(arena, int, in->hosts);
    s->act = CS_NEW_ARRAY(arena, char, in->hosts + 1);
    cs_volatile_fleet_init(&s->fleet, in, arena);
    cs_volatile_sending_init(&s->sending, in, prefetch, arena);
    if (in->app.spares > 0)
        s->spares = cs_volatile_spares_create(in, cs_volatile_decider_belief(decider), arena);
    return s;
}

static struct cs_volatile_view view_of(const struct cs_volatile_simulation *s)
{
    const struct cs_volatile_fleet *f = &s->fleet;

    return (struct cs_volatile_view){
        .in = s->in,
        .state = f->state,
        .program = f->program,
        .got = f->got,
        .part = f->part,
        .tasks = f->tasks,
        .member = f->member,
        .members = f->members,
        .done = s->done,
        .workload = s->workload,
        .tau = s->tau,
        .touched = f->touched,
        .touches = f->touches,
        .slot = s->slot,
        .since = f->since,
        .saved = s->saved,
        .base = s->base,
        .full = s->full,
        .fresh = s->fresh,
        .saving = s->saving,
    };
}

/* The running configuration ends, whatever the reason. */
static void stop_running(struct cs_volatile_simulation *s)
{
    struct cs_volatile_fleet *f = &s->fleet;

    for (int i = 0; i < f->members; i++)
        f->tasks[f->member[i]] = 0;
    f->members = 0;
    s->running = false;
    s->not_up = 0;
    s->done = s->safe = s->fresh = s->saving = 0;
    s->kept = NEVER;
}

/* What was computed and not saved is lost. */
static void lose(struct cs_volatile_simulation *s)
{
    s->out->lost += s->done - s->safe;
    s->out->computed += s->safe;
}

/* A host shows another state.  True when the running configuration cannot go on. */
static bool change_state(struct cs_volatile_simulation *s, int host, int state)
{
    struct cs_volatile_fleet *f = &s->fleet;
    bool was_up = f->state[host] == CS_VOLATILE_UP, is_up = state == CS_VOLATILE_UP;
    bool enrolled = s->running && f->tasks[host] > 0;

    f->state[host] = (unsigned char)state;
    if (was_up != is_up) {
        f->stamp++;
        cs_volatile_fleet_touch(f, host);
        s->not_up += enrolled ? was_up - is_up : 0;
        f->since[host] = s->slot;
    }
    if (state == CS_VOLATILE_DOWN)
        cs_volatile_fleet_lose(f, host);
    return enrolled && state == CS_VOLATILE_DOWN;
}

static void show_states(struct cs_volatile_simulation *s)
{
    const struct cs_volatile_change *change;
    bool abort = false;

    while ((change = cs_volatile_source_change(s->source, s->at)) && change->slot <= s->slot) {
        abort |= change_state(s, (int)(change->what / 4), (int)(change->what % 4));
        s->at++;
    }
    if (abort) {
        s->out->aborts++;
        lose(s);
        stop_running(s);
    }
}

static void install(struct cs_volatile_simulation *s)
{
    const struct cs_volatile_plan *plan = cs_volatile_decider_plan(s->decider);
    struct cs_volatile_fleet *f = &s->fleet;

    if (s->running) {
        s->out->switches++;
        lose(s);
    }
    stop_running(s);
    for (int i = 0; i < s->previouses; i++)
        if (plan->tasks[s->previous[i]] == 0)
            cs_volatile_sending_dismiss(&s->sending, f, s->previous[i]);
    for (int i = 0; i < plan->members; i++) {
        int q = plan->member[i];

        CS_REQUIRE(f->state[q] == CS_VOLATILE_UP);
        f->member[i] = s->previous[i] = q;
        f->tasks[q] = plan->tasks[q];
        if (f->tasks[q] <= f->got[q]) {
            f->part[q] = 0;
            cs_volatile_fleet_touch(f, q);
        }
    }
    f->members = s->previouses = plan->members;
    f->stamp++;
    s->full = plan->workload;
    s->base = s->saved;
    s->workload = cs_volatile_rest(s->full, s->saved);
    s->running = true;
    s->ready = false;
    s->out->installed++;
}

static void ask(struct cs_volatile_simulation *s)
{
    struct cs_volatile_view view;
    enum cs_volatile_verdict verdict;

    if (s->pace == CS_VOLATILE_SKIPPING && s->kept == s->fleet.stamp)
        return;
    view = view_of(s);
    verdict = cs_volatile_decide(s->decider, &view, s->fleet.stamp);
    cs_volatile_fleet_settle(&s->fleet);
    if (verdict == CS_VOLATILE_INSTALL)
        install(s);
    s->kept = verdict == CS_VOLATILE_KEEP_LONG ? s->fleet.stamp : NEVER;
}

static void serve_spares(struct cs_volatile_simulation *s)
{
    struct cs_volatile_view view = view_of(s);
    const int *host;
    int hosts;

    s->wanting = cs_volatile_spares_wanting(&view);
    if (!s->wanting)
        return;
    hosts = cs_volatile_spares_list(s->spares, &view, &host);
    cs_volatile_sending_spares(&s->sending, &s->fleet, host, hosts);
}

/* What is sent in this slot, and does the configuration compute, or save? */
static bool prepare(struct cs_volatile_simulation *s)
{
    s->wanting = false;
    cs_volatile_sending_begin(&s->sending);
    if (s->running && !s->ready)
        s->ready = !cs_volatile_sending_serve(&s->sending, &s->fleet);
    cs_volatile_sending_prefetch(&s->sending, &s->fleet);
    if (s->running && s->spares)
        serve_spares(s);
    return s->running && s->ready && s->not_up == 0;
}

static void tell(struct cs_volatile_simulation *s, int64_t slots, bool working)
{
    const struct cs_volatile_fleet *f = &s->fleet;

    memset(s->act, '.', (size_t)s->in->hosts);
    for (int i = 0; i < f->members; i++)
        s->act[f->member[i]] = !working ? 'I' : s->saving ? 'S' : 'C';
    cs_volatile_sending_letters(&s->sending, f, s->act);
    s->watch(s->who, &(struct cs_volatile_span){
                         .from = s->slot,
                         .to = s->slot + slots,
                         .iteration = s->out->iterations,
                         .configuration = s->running ? s->out->installed : 0,
                         .saves = s->out->saves,
                         .tasks = f->tasks,
                         .act = s->act,
                     });
}

/* How many slots, this one included, are certainly like this one: no state changes, no message and
 * no iteration ends before the last of them, and the policy need not be asked. */
static int64_t stretch(struct cs_volatile_simulation *s, bool working, int64_t end)
{
    const struct cs_volatile_change *change;
    int64_t slots = end - s->slot;

    if (s->pace == CS_VOLATILE_SLOTS || s->kept != s->fleet.stamp || (s->running && s->wanting) ||
        (s->sending.count > 0 && s->running && !cs_volatile_decider_passive(s->decider)))
        return 1;
    change = cs_volatile_source_change(s->source, s->at);
    if (change && change->slot - s->slot < slots)
        slots = change->slot - s->slot;
    slots = cs_volatile_sending_least(&s->sending, &s->fleet, slots);
    if (working && s->saving)
        return s->saving < slots ? s->saving : slots;
    if (working && s->workload - s->done < slots)
        slots = s->workload - s->done;
    if (working && s->in->app.save_every && s->in->app.save_every - s->fresh < slots)
        slots = s->in->app.save_every - s->fresh;
    return slots;
}

static void count(struct cs_volatile_simulation *s, int64_t slots, bool working)
{
    s->out->sent += slots * s->sending.count;
    s->out->prefetched += slots * (s->sending.count - s->sending.enrolled);
    if (!s->running)
        s->out->idle += slots;
    else if (s->ready && !working)
        s->out->suspended += slots;
    else if (working && s->saving)
        s->out->saving += slots;
}

static void complete(struct cs_volatile_simulation *s)
{
    s->out->iterations++;
    s->out->computed += s->done;
    s->tau = 0;
    s->saved = 0;
    stop_running(s);
    cs_volatile_fleet_forget_data(&s->fleet);
}

/* The master has all that was computed. */
static void save(struct cs_volatile_simulation *s)
{
    s->saved = s->base + (double)s->done / (double)s->full;
    s->safe = s->done;
    s->fresh = 0;
    s->out->saves++;
    s->fleet.stamp++;
}

/* So many slots of computation or of a save go by. */
static void work(struct cs_volatile_simulation *s, int64_t slots)
{
    if (s->saving) {
        s->saving -= slots;
        if (!s->saving)
            save(s);
        return;
    }
    s->done += slots;
    s->fresh += slots;
    if (s->done == s->workload) {
        complete(s);
    } else if (s->in->app.save_every && s->fresh == s->in->app.save_every) {
        s->saving = s->in->app.save_cost;
        if (!s->saving)
            save(s);
    }
}

static void take_slots(struct cs_volatile_simulation *s, int64_t end)
{
    bool working;
    int64_t slots;

    show_states(s);
    ask(s);
    working = prepare(s);
    slots = stretch(s, working, end);
    if (s->watch)
        tell(s, slots, working);
    count(s, slots, working);
    cs_volatile_sending_advance(&s->sending, &s->fleet, slots);
    s->tau += slots;
    s->slot += slots;
    if (working)
        work(s, slots);
}

static void begin(struct cs_volatile_simulation *s, struct cs_volatile_source *source)
{
    CS_REQUIRE(source->hosts == s->in->hosts);
    s->source = source;
    cs_volatile_fleet_begin(&s->fleet, source->first, source->age);
    s->running = s->ready = false;
    s->not_up = s->previouses = 0;
    s->slot = s->tau = s->done = s->workload = s->full = 0;
    s->safe = s->fresh = s->saving = 0;
    s->saved = s->base = 0;
    s->kept = NEVER;
    s->at = 0;
    *s->out = (struct cs_volatile_outcome){.makespan = -1};
}

void cs_volatile_simulation_run(struct cs_volatile_simulation *s, struct cs_volatile_source *source,
                                uint64_t seed, enum cs_volatile_pace pace,
                                cs_volatile_watch_f *watch, void *who,
                                struct cs_volatile_outcome *outcome)
{
    int64_t end = source->end < s->in->app.cap ? source->end : s->in->app.cap;

    s->out = outcome;
    s->pace = pace;
    s->watch = watch;
    s->who = who;
    begin(s, source);
    cs_volatile_decider_begin(s->decider, seed, pace == CS_VOLATILE_SLOTS);
    while (s->slot < end && outcome->iterations < s->in->app.iterations)
        take_slots(s, end);
    lose(s);
    outcome->work = outcome->iterations + s->saved;
    outcome->slots = s->slot;
    outcome->finished = outcome->iterations == s->in->app.iterations;
    outcome->makespan = outcome->finished ? s->slot : -1;
    outcome->decisions = cs_volatile_decider_count(s->decider);
}

int cs_volatile_simulate(const struct cs_volatile_instance *in,
                         const struct cs_volatile_request *request,
                         struct cs_volatile_source *source, struct cs_volatile_outcome *outcome,
                         struct cs_error *err)
{
    CS_ASK(in && request && source && outcome, err, -1);
    CS_GUARD(err, -1);
    int count;
    const struct cs_volatile_policy *const *list = cs_volatile_policy_list(&count);
    const struct cs_volatile_policy *policy;
    struct cs_volatile_options options;
    struct cs_volatile_estimator *estimator;
    struct cs_arena *arena;

    if (request->call.policy < 0 || request->call.policy >= count)
        return cs_error_set(err, "policy number %d does not exist, there are %d",
                            request->call.policy, count);
    if (source->hosts != in->hosts)
        return cs_error_set(err, "the states are those of %d hosts, the instance has %d",
                            source->hosts, in->hosts);
    policy = list[request->call.policy];
    options = cs_volatile_options_of(policy, request->call.param);
    options.belief = request->belief;
    if (policy->info.outside && !cs_outside_of(request->call.param, err))
        return -1;
    if (in->app.spares > 0 && options.prefetch != CS_VOLATILE_PREFETCH_NONE)
        return cs_error_set(err, "%s prefetches, and there are spares: take one of the two",
                            policy->info.name);
    arena = cs_arena_create();
    estimator = cs_volatile_estimator_create(in);
    cs_volatile_simulation_run(
        cs_volatile_simulation_create(in,
                                      cs_volatile_decider_create(estimator, policy, options, arena),
                                      options.prefetch, arena),
        source, request->seed, CS_VOLATILE_SKIPPING, NULL, NULL, outcome);
    cs_volatile_estimator_destroy(estimator);
    cs_arena_destroy(arena);
    return 0;
}
