/* simulate.c - the simulator: single slots, and stretches of slots that are alike.
 *
 * Source: spec/volatile.md 2 (order of a slot), 4 and 5 (decisions, through decide.c), Part II.1
 * (prefetching), III.3 (checkpoints), III.5 (warm spares).
 * Idea: a slot shows states, loses data of hosts that are down, aborts, decides, then transfers,
 * computes, saves or waits.  A stretch ends before the next change of a state, the end of a
 * message, of a save or of the iteration; inside it the policy is not called.
 * Invariants: communication and computation never overlap; at most ncom hosts receive in a slot,
 * members first: messages that were begun, then the lowest index; SKIPPING gives the same outcome
 * as SLOTS (tests/property and tests/golden run both); data survive a switch only on hosts that
 * stay enrolled, and only within the iteration (prefetch=data keeps them); `saved` survives aborts
 * and switches.
 * Complexity: O(changes + members) for each stretch, in addition to the decision, and O(hosts) at
 * the end of an iteration; prefetching scans all hosts up to three times, spares cost O(hosts x
 * spares).
 * Constants: the files that are called have them; this one has no tuned constant.
 */
#include "problems/volatile/simulate.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/order.h"
#include "model/extpol.h"
#include "problems/volatile/lifetime_model.h"
#include "problems/volatile/policy.h"
#include "problems/volatile/sets.h"
#include "problems/volatile/view.h"

#include <string.h>

/* the bounded number of transfers. */

/* All hosts in a run; see struct cs_volatile_view. */
struct cs_volatile_fleet {
    const struct cs_volatile_instance *in;
    unsigned char *state;
    int64_t *since; /* slot in which a host that is up came up */
    int *program, *got, *part;
    int *tasks, *member, members;
    int *touched, touches; /* hosts of which something has changed since it was settled, */
    bool *is_touched;      /* and by host: is it among them? */
    int64_t stamp; /* goes up when another host is up, or a host that may be up has other things */
};

/* Something of a host has changed, in the eyes of a policy. */
static inline void cs_volatile_fleet_touch(struct cs_volatile_fleet *fleet, int host)
{
    if (!fleet->is_touched[host])
        fleet->touched[fleet->touches++] = host;
    fleet->is_touched[host] = true;
}

struct cs_volatile_sending {
    const struct cs_volatile_instance *in;
    enum cs_volatile_prefetch prefetch;
    int *order;          /* of prefetching */
    int *host;           /* that receive something in this slot */
    int *late;           /* scratch: members that have received no message yet */
    int count, enrolled; /* the first `enrolled` of them are members */
};

static void volatile_fleet_init(struct cs_volatile_fleet *f, const struct cs_volatile_instance *in,
                                struct cs_arena *arena)
{
    *f = (struct cs_volatile_fleet){
        .in = in,
        .state = CS_NEW_ARRAY(arena, unsigned char, in->hosts),
        .since = CS_NEW_ARRAY(arena, int64_t, in->hosts),
        .program = CS_NEW_ARRAY(arena, int, in->hosts),
        .got = CS_NEW_ARRAY(arena, int, in->hosts),
        .part = CS_NEW_ARRAY(arena, int, in->hosts),
        .tasks = CS_NEW_ARRAY(arena, int, in->hosts),
        .member = CS_NEW_ARRAY(arena, int, in->hosts),
        .touched = CS_NEW_ARRAY(arena, int, in->hosts),
        .is_touched = CS_NEW_ARRAY(arena, bool, in->hosts),
    };
}

/* The policy has seen it all. */
static void volatile_fleet_settle(struct cs_volatile_fleet *f)
{
    for (int i = 0; i < f->touches; i++)
        f->is_touched[f->touched[i]] = false;
    f->touches = 0;
}

static void volatile_fleet_lose(struct cs_volatile_fleet *f, int host);

/* `age`, by host: slots that it has been up before slot 0, or NULL. */
static void volatile_fleet_begin(struct cs_volatile_fleet *f, const unsigned char *first,
                                 const int64_t *age)
{
    size_t hosts = (size_t)f->in->hosts;

    memcpy(f->state, first, hosts);
    memset(f->tasks, 0, hosts * sizeof *f->tasks);
    for (int q = 0; q < f->in->hosts; q++) {
        volatile_fleet_lose(f, q);
        f->since[q] = age ? -age[q] : 0;
    }
    volatile_fleet_settle(f);
    f->members = 0;
    f->stamp = 0;
}

/* A host that is down has nothing. */
static void volatile_fleet_lose(struct cs_volatile_fleet *f, int host)
{
    f->program[host] = f->in->app.program;
    f->got[host] = f->part[host] = 0;
}

/* An iteration has ended: no host has data. */
static void volatile_fleet_discard_data(struct cs_volatile_fleet *f)
{
    size_t hosts = (size_t)f->in->hosts;

    memset(f->got, 0, hosts * sizeof *f->got);
    memset(f->part, 0, hosts * sizeof *f->part);
    for (int q = 0; q < f->in->hosts; q++)
        cs_volatile_fleet_touch(f, q);
    f->stamp++;
}

/* Hosts by the loss of log P with all tasks on that host alone, the least first. */
static int *order_of(const struct cs_volatile_instance *in, struct cs_arena *arena)
{
    struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
    struct cs_arena *scratch = cs_arena_create();
    double *key = CS_NEW_ARRAY(scratch, double, in->hosts);
    int *order = CS_NEW_ARRAY(arena, int, in->hosts);

    for (int q = 0; q < in->hosts; q++) {
        int set = cs_volatile_sets_add(sets, 0, q);

        key[q] = (double)in->app.tasks * in->host[q].slots * cs_volatile_sets_get(sets, set)->loss;
    }
    cs_order_ascending(key, in->hosts, order, scratch);
    cs_arena_destroy(scratch);
    cs_volatile_sets_destroy(sets);
    return order;
}

static void volatile_sending_init(struct cs_volatile_sending *s,
                                  const struct cs_volatile_instance *in,
                                  enum cs_volatile_prefetch prefetch, struct cs_arena *arena)
{
    *s = (struct cs_volatile_sending){
        .in = in,
        .prefetch = prefetch,
        .order = prefetch == CS_VOLATILE_PREFETCH_NONE ? NULL : order_of(in, arena),
        .host = CS_NEW_ARRAY(arena, int, in->hosts),
        .late = CS_NEW_ARRAY(arena, int, in->hosts),
    };
}

/* No host receives anything yet. */
static void volatile_sending_begin(struct cs_volatile_sending *s)
{
    s->count = s->enrolled = 0;
}

/* Is a message partly there? */
static bool simulate_started(const struct cs_volatile_fleet *f, int host)
{
    return f->part[host] > 0 || (f->program[host] > 0 && f->program[host] < f->in->app.program);
}

static bool simulate_needs(const struct cs_volatile_fleet *f, int host)
{
    return f->program[host] > 0 || (f->in->app.data > 0 && f->tasks[host] > f->got[host]);
}

/* Serve members; true when any of them needs something, served or not. */
static bool volatile_sending_serve(struct cs_volatile_sending *s, const struct cs_volatile_fleet *f)
{
    bool any = false;
    int late = 0;

    for (int i = 0; i < f->members; i++) {
        int q = f->member[i];

        if (!simulate_needs(f, q))
            continue;
        any = true;
        if (f->state[q] != CS_VOLATILE_UP)
            continue;
        if (!simulate_started(f, q))
            s->late[late++] = q;
        else if (s->count < s->in->app.transfers)
            s->host[s->count++] = q;
    }
    for (int i = 0; i < late && s->count < s->in->app.transfers; i++)
        s->host[s->count++] = s->late[i];
    s->enrolled = s->count;
    return any;
}

/* 0 for what goes first, -1 for a host that gets nothing. */
static int simulate_turn(const struct cs_volatile_sending *s, const struct cs_volatile_fleet *f,
                         int host)
{
    if (f->state[host] != CS_VOLATILE_UP || f->tasks[host] > 0 || s->in->capacity[host] == 0)
        return -1;
    if (f->program[host] > 0)
        return simulate_started(f, host) ? 0 : 1;
    if (s->prefetch == CS_VOLATILE_PREFETCH_DATA && s->in->app.data > 0 &&
        f->got[host] < s->in->capacity[host])
        return simulate_started(f, host) ? 0 : 2;
    return -1;
}

/* Serve others. */
static void volatile_sending_prefetch(struct cs_volatile_sending *s,
                                      const struct cs_volatile_fleet *f)
{
    if (s->prefetch == CS_VOLATILE_PREFETCH_NONE)
        return;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < s->in->hosts && s->count < s->in->app.transfers; i++)
            if (simulate_turn(s, f, s->order[i]) == pass)
                s->host[s->count++] = s->order[i];
}

/* Serve the program to these hosts, which are not members, in this order. */
static void volatile_sending_spares(struct cs_volatile_sending *s,
                                    const struct cs_volatile_fleet *f, const int *host, int hosts)
{
    for (int i = 0; i < hosts && s->count < s->in->app.transfers; i++)
        if (f->program[host[i]] > 0)
            s->host[s->count++] = host[i];
}

/* At most `slots`, so that no message ends before the last of them. */
static int64_t volatile_sending_least(const struct cs_volatile_sending *s,
                                      const struct cs_volatile_fleet *f, int64_t slots)
{
    for (int i = 0; i < s->count; i++) {
        int q = s->host[i];
        int left = f->program[q] > 0 ? f->program[q] : s->in->app.data - f->part[q];

        slots = left < slots ? left : slots;
    }
    return slots;
}

/* So many slots go by, no more than that. */
static void volatile_sending_advance(struct cs_volatile_sending *s, struct cs_volatile_fleet *f,
                                     int64_t slots)
{
    for (int i = 0; i < s->count; i++) {
        int q = s->host[i];

        cs_volatile_fleet_touch(f, q);
        if (f->program[q] > 0) {
            f->program[q] -= (int)slots;
        } else {
            f->part[q] += (int)slots;
            if (f->part[q] == s->in->app.data) {
                f->part[q] = 0;
                f->got[q]++;
            }
        }
    }
    f->stamp += s->count > 0;
}

/* A host leaves the configuration: what does it keep? */
static void volatile_sending_dismiss(const struct cs_volatile_sending *s,
                                     struct cs_volatile_fleet *f, int host)
{
    if (s->prefetch == CS_VOLATILE_PREFETCH_DATA)
        return;
    if (f->program[host] > 0)
        f->program[host] = s->in->app.program;
    f->got[host] = f->part[host] = 0;
    cs_volatile_fleet_touch(f, host);
}

/* P, D for members that receive, p, d for others. */
static void volatile_sending_letters(const struct cs_volatile_sending *s,
                                     const struct cs_volatile_fleet *f, char *act)
{
    for (int i = 0; i < s->count; i++) {
        int q = s->host[i];

        act[q] = f->program[q] > 0 ? 'P' : 'D';
        if (i >= s->enrolled)
            act[q] = f->program[q] > 0 ? 'p' : 'd';
    }
}

/* hosts by how likely they are to stay. */

struct cs_volatile_spares;

struct cs_volatile_spares {
    const struct cs_volatile_instance *in;
    const struct cs_volatile_lifetime_model *lifetime_model;
    struct cs_volatile_memo *memo;
    int *host;     /* the best so far, the first one best */
    double *log_p; /* of them */
};

/* Lives in the arena, as the instance and the lifetime model must. */
static struct cs_volatile_spares *
volatile_spares_create(const struct cs_volatile_instance *in,
                       const struct cs_volatile_lifetime_model *lifetime_model,
                       struct cs_arena *arena)
{
    struct cs_volatile_spares *s = CS_NEW(arena, struct cs_volatile_spares);

    *s = (struct cs_volatile_spares){
        .in = in,
        .lifetime_model = lifetime_model,
        .memo = cs_volatile_memo_create(arena),
        .host = CS_NEW_ARRAY(arena, int, in->hosts),
        .log_p = CS_NEW_ARRAY(arena, double, in->hosts),
    };
    return s;
}

/* Into its place among `count`, after equals; how many there are then. */
static int simulate_insert(struct cs_volatile_spares *s, int count, int host, double log_p)
{
    int at = count < s->in->app.spares ? count : count - 1;

    if (at < count && !(log_p > s->log_p[at]))
        return count;
    for (; at > 0 && log_p > s->log_p[at - 1]; at--) {
        s->host[at] = s->host[at - 1];
        s->log_p[at] = s->log_p[at - 1];
    }
    s->host[at] = host;
    s->log_p[at] = log_p;
    return count < s->in->app.spares ? count + 1 : count;
}

static bool may_be(const struct cs_volatile_view *view, int host)
{
    return view->state[host] == CS_VOLATILE_UP && view->tasks[host] == 0 &&
           view->in->capacity[host] > 0;
}

/* Does any host that could be among them lack some of the program?  The likeliest to stay may be
 * another in the next slot. */
static bool volatile_spares_wanting(const struct cs_volatile_view *view)
{
    for (int q = 0; q < view->in->hosts; q++)
        if (may_be(view, q) && view->program[q] > 0)
            return true;
    return false;
}

/* The hosts that are up, have no task and may get one, likeliest to stay for the workload of the
 * running configuration first, as many as there are spares at most; valid until the next call. */
static int volatile_spares_list(struct cs_volatile_spares *s, const struct cs_volatile_view *view,
                                const int **host)
{
    int count = 0;

    for (int q = 0; q < s->in->hosts; q++)
        if (may_be(view, q))
            count =
                simulate_insert(s, count, q,
                                cs_volatile_lifetime_model_stay(
                                    s->lifetime_model, s->memo, q,
                                    (double)(view->slot - view->since[q] + 1), (double)view->full));
    *host = s->host;
    return count;
}

struct cs_volatile_simulation {
    const struct cs_volatile_instance *in;
    struct cs_volatile_decider *decider;
    struct cs_volatile_fleet fleet; /* by host: states and received messages */
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
    int64_t kept; /* the stamp at which the policy answered KEEP_LONG, or NEVER */
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
    volatile_fleet_init(&s->fleet, in, arena);
    volatile_sending_init(&s->sending, in, prefetch, arena);
    if (in->app.spares > 0)
        s->spares = volatile_spares_create(in, cs_volatile_decider_lifetime_model(decider), arena);
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

/* The running configuration ends, for any reason. */
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

/* Computing that was not saved is lost. */
static void simulate_lose(struct cs_volatile_simulation *s)
{
    s->out->lost += s->done - s->safe;
    s->out->computed += s->safe;
}

/* A host shows another state.  True when the running configuration cannot continue. */
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
        volatile_fleet_lose(f, host);
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
        simulate_lose(s);
        stop_running(s);
    }
}

static void simulate_install(struct cs_volatile_simulation *s)
{
    const struct cs_volatile_plan *plan = cs_volatile_decider_plan(s->decider);
    struct cs_volatile_fleet *f = &s->fleet;

    if (s->running) {
        s->out->switches++;
        simulate_lose(s);
    }
    stop_running(s);
    for (int i = 0; i < s->previouses; i++)
        if (plan->tasks[s->previous[i]] == 0)
            volatile_sending_dismiss(&s->sending, f, s->previous[i]);
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

static void simulate_ask(struct cs_volatile_simulation *s)
{
    struct cs_volatile_view view;
    enum cs_volatile_finding finding;

    if (s->pace == CS_VOLATILE_SKIPPING && s->kept == s->fleet.stamp)
        return;
    view = view_of(s);
    finding = cs_volatile_decide(s->decider, &view, s->fleet.stamp);
    volatile_fleet_settle(&s->fleet);
    if (finding == CS_VOLATILE_INSTALL)
        simulate_install(s);
    s->kept = finding == CS_VOLATILE_KEEP_LONG ? s->fleet.stamp : NEVER;
}

static void serve_spares(struct cs_volatile_simulation *s)
{
    struct cs_volatile_view view = view_of(s);
    const int *host;
    int hosts;

    s->wanting = volatile_spares_wanting(&view);
    if (!s->wanting)
        return;
    hosts = volatile_spares_list(s->spares, &view, &host);
    volatile_sending_spares(&s->sending, &s->fleet, host, hosts);
}

/* What is sent in this slot, and does the configuration compute, or save? */
static bool simulate_prepare(struct cs_volatile_simulation *s)
{
    s->wanting = false;
    volatile_sending_begin(&s->sending);
    if (s->running && !s->ready)
        s->ready = !volatile_sending_serve(&s->sending, &s->fleet);
    volatile_sending_prefetch(&s->sending, &s->fleet);
    if (s->running && s->spares)
        serve_spares(s);
    return s->running && s->ready && s->not_up == 0;
}

static void simulate_report(struct cs_volatile_simulation *s, int64_t slots, bool working)
{
    const struct cs_volatile_fleet *f = &s->fleet;

    memset(s->act, '.', (size_t)s->in->hosts);
    for (int i = 0; i < f->members; i++)
        s->act[f->member[i]] = !working ? 'I' : s->saving ? 'S' : 'C';
    volatile_sending_letters(&s->sending, f, s->act);
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

/* The number of slots, this one included, that are certainly like this one: no state changes, no
 * message and no iteration ends before the last of them, and the policy need not decide. */
static int64_t simulate_stretch(struct cs_volatile_simulation *s, bool working, int64_t end)
{
    const struct cs_volatile_change *change;
    int64_t slots = end - s->slot;

    if (s->pace == CS_VOLATILE_SLOTS || s->kept != s->fleet.stamp || (s->running && s->wanting) ||
        (s->sending.count > 0 && s->running && !cs_volatile_decider_passive(s->decider)))
        return 1;
    change = cs_volatile_source_change(s->source, s->at);
    if (change && change->slot - s->slot < slots)
        slots = change->slot - s->slot;
    slots = volatile_sending_least(&s->sending, &s->fleet, slots);
    if (working && s->saving)
        return s->saving < slots ? s->saving : slots;
    if (working && s->workload - s->done < slots)
        slots = s->workload - s->done;
    if (working && s->in->app.save_every && s->in->app.save_every - s->fresh < slots)
        slots = s->in->app.save_every - s->fresh;
    return slots;
}

static void simulate_count(struct cs_volatile_simulation *s, int64_t slots, bool working)
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

static void simulate_complete(struct cs_volatile_simulation *s)
{
    s->out->iterations++;
    s->out->computed += s->done;
    s->tau = 0;
    s->saved = 0;
    stop_running(s);
    volatile_fleet_discard_data(&s->fleet);
}

/* The master has all that was computed. */
static void simulate_save(struct cs_volatile_simulation *s)
{
    s->saved = s->base + (double)s->done / (double)s->full;
    s->safe = s->done;
    s->fresh = 0;
    s->out->saves++;
    s->fleet.stamp++;
}

/* So many slots of computation or of a save go by. */
static void simulate_work(struct cs_volatile_simulation *s, int64_t slots)
{
    if (s->saving) {
        s->saving -= slots;
        if (!s->saving)
            simulate_save(s);
        return;
    }
    s->done += slots;
    s->fresh += slots;
    if (s->done == s->workload) {
        simulate_complete(s);
    } else if (s->in->app.save_every && s->fresh == s->in->app.save_every) {
        s->saving = s->in->app.save_cost;
        if (!s->saving)
            simulate_save(s);
    }
}

static void take_slots(struct cs_volatile_simulation *s, int64_t end)
{
    bool working;
    int64_t slots;

    show_states(s);
    simulate_ask(s);
    working = simulate_prepare(s);
    slots = simulate_stretch(s, working, end);
    if (s->watch)
        simulate_report(s, slots, working);
    simulate_count(s, slots, working);
    volatile_sending_advance(&s->sending, &s->fleet, slots);
    s->tau += slots;
    s->slot += slots;
    if (working)
        simulate_work(s, slots);
}

static void simulate_begin(struct cs_volatile_simulation *s, struct cs_volatile_source *source)
{
    CS_REQUIRE(source->hosts == s->in->hosts);
    s->source = source;
    volatile_fleet_begin(&s->fleet, source->first, source->age);
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
    simulate_begin(s, source);
    cs_volatile_decider_begin(s->decider, seed, pace == CS_VOLATILE_SLOTS);
    while (s->slot < end && outcome->iterations < s->in->app.iterations)
        take_slots(s, end);
    simulate_lose(s);
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
    options.lifetime_model = request->lifetime_model;
    if (policy->info.extpol && !cs_extpol_of(request->call.param, err))
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
