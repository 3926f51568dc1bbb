/* volatile.h - tightly coupled iterative applications on hosts that come and go.
 *
 * The problem of Casanova, Dufosse, Robert, Vivien, "Scheduling tightly-coupled applications on
 * heterogeneous desktop grids".  Time is a sequence of slots 0, 1, 2, ...; in each a host is up,
 * reclaimed by its owner (it keeps program and data) or down (it loses them).  A master sends hosts
 * the program once and the data of each task, to a bounded number of hosts at a time; then all
 * enrolled hosts compute together, and only in slots in which all of them are up.
 *
 * A configuration gives hosts tasks, x[q] of them to host q; its workload is the largest x[q] times
 * the slots that host q needs for a task.  Hosts and tasks are numbered from 0.
 */
#ifndef CS_VOLATILE_VOLATILE_H
#define CS_VOLATILE_VOLATILE_H

#include "model/fleet.h"
#include "model/policy.h"

#include <cosched/fit.h>
#include <stdbool.h>
#include <stdint.h>

enum cs_volatile_state { CS_VOLATILE_UP, CS_VOLATILE_RECLAIMED, CS_VOLATILE_DOWN };

#define CS_VOLATILE_STATES 3

/* 'u', 'r', 'd': the letter of a state in traces. */
char cs_volatile_state_letter(enum cs_volatile_state state);

/* A capacity that limits nothing. */
#define CS_VOLATILE_UNLIMITED 2147483647

/* No simulation lasts longer. */
#define CS_VOLATILE_CAP_MAX 100000000

struct cs_volatile_host {
    const char *name; /* NULL: its number */
    int slots;        /* of computation for one task, at least 1: the speed */
    int capacity;     /* tasks held at the same time, from 0 on; CS_VOLATILE_UNLIMITED */
    /* The Markov chain that policies assume for the host: the probability of each state (column) in
     * the slot after each state (row), in the order of enum cs_volatile_state. */
    double chain[CS_VOLATILE_STATES][CS_VOLATILE_STATES];
};

struct cs_volatile_application {
    int tasks;      /* of an iteration, at least 1 */
    int iterations; /* at least 1 */
    int program;    /* slots to send the program to a host, from 0 on */
    int data;       /* slots to send the data of one task, from 0 on */
    int transfers;  /* hosts that the master can send to at the same time, at least 1 */
    int cap;        /* slots after which a run has failed, 1 .. CS_VOLATILE_CAP_MAX */
    /* Checkpoints: after so many computed slots the next save_cost slots save the progress of the
     * iteration at the master, so that losing a host loses only what came after.  0: never. */
    int save_every, save_cost;
    /* Warm spares: what the configuration leaves free of the master sends the program to so many
     * other hosts, those that are likeliest to stay. */
    int spares;
};

struct cs_volatile_instance;

/* A copy of these hosts and this application.  Rows of a chain must sum to 1 up to 1e-9; its
 * diagonal is then set to 1 minus the rest of the row.  Refuses what is out of range, hosts that
 * together hold fewer tasks than an iteration has, names that are empty or appear twice, and times
 * whose sums do not fit.  NULL with err on failure.  The caller destroys it. */
struct cs_volatile_instance *
cs_volatile_instance_create(int hosts, const struct cs_volatile_host *host,
                            const struct cs_volatile_application *application,
                            struct cs_error *err);
void cs_volatile_instance_destroy(struct cs_volatile_instance *instance); /* NULL is fine */

int cs_volatile_instance_hosts(const struct cs_volatile_instance *instance);
const struct cs_volatile_host *
cs_volatile_instance_host(const struct cs_volatile_instance *instance, int host);
const struct cs_volatile_application *
cs_volatile_instance_application(const struct cs_volatile_instance *instance);

/* The policies, *count of them, in the order of policies.def.  Passive ones (ip, ie, iy, iay, it)
 * give the tasks of a new configuration one by one to the host that is best for a measure, and
 * decide only when no configuration runs; proactive ones (p-ie, ...) make such a configuration in
 * every slot and switch to it when it is better for their criterion.  Parameters:
 *
 *     estimate  printed (the paper's expected time, the default) or conditional (its true value)
 *     prefetch  none, or the messages that idle transfers send to hosts outside the configuration:
 *               program, or data too, which they then keep.  This changes the model of the paper.
 *     single-hosts yes: consider also each host alone
 *     aware     yes: the exact measure of a running configuration with reclaimed hosts
 *
 * rate gives each task where the expected safe progress per slot is largest under the lifetime
 * model of the hosts (struct cs_volatile_lifetime_model), and proactive-rate switches to a
 * configuration with more of it. */
const struct cs_policy *const *cs_volatile_policies(int *count);

/* The source of the states of the hosts, slot by slot; the same for every policy that runs on it.
 * A source caches the states it has made, so only one thread may use it at a time. */
struct cs_volatile_source;

void cs_volatile_source_destroy(struct cs_volatile_source *source); /* NULL is fine */

/* The chains of the instance, from their stationary law.  Depends on (seed, trial) and the chains
 * alone.  The caller destroys it. */
struct cs_volatile_source *cs_volatile_source_markov(const struct cs_volatile_instance *instance,
                                                     uint64_t seed, uint64_t trial);

/* How long a state lasts when it is not geometric. */
enum cs_volatile_law {
    CS_VOLATILE_LAW_WEIBULL,   /* parameter: the shape, > 0; 1 is the Markov chain again */
    CS_VOLATILE_LAW_LOGNORMAL, /* parameter: sigma of the logarithm, > 0 */
};

/* Semi-Markov: the next state as in the chains, times of the law (rounded up to slots) with the
 * mean that the chain gives to each state.  NULL with err when the parameter is out of range, or a
 * state is never left. */
struct cs_volatile_source *
cs_volatile_source_semi_markov(const struct cs_volatile_instance *instance,
                               enum cs_volatile_law law, double parameter, uint64_t seed,
                               uint64_t trial, struct cs_error *err);

/* One text of the letters u, r, d for each host, all as long; runs end where the traces end.
 * NULL with err when a text has another letter or another length than the first. */
struct cs_volatile_source *cs_volatile_source_traces(const struct cs_volatile_instance *instance,
                                                     const char *const *trace,
                                                     struct cs_error *err);

/* Slots from .. from + slots - 1 of a fleet, which has as many hosts as the instance; hosts without
 * records are down.  The source keeps how long hosts have been up at the beginning.  NULL with
 * err. */
struct cs_volatile_source *cs_volatile_source_fleet(const struct cs_volatile_instance *instance,
                                                    const struct cs_fleet *fleet, int64_t from,
                                                    int64_t slots, struct cs_error *err);

/* The lifetime model of a policy: how likely volatile hosts are to stay up, alone and together.
 *
 *     chain         one probability to go down per slot for each host, without age, independent
 *     pooled-chain  one for each pool
 *     weibull, log-normal, kaplan-meier
 *                   a law of the lifetimes of each pool, of which only the rest counts for a host
 *                   that has been up for a while; times how much faster than its pool a host
 *                   fails; hosts of a pool may fail together
 *     auto          log-normal where hosts have fewer than 10 ended lifetimes each on average, else
 *                   chain
 */
struct cs_volatile_lifetime_model;

const char *cs_volatile_model_name(enum cs_fit_lifetime_model model); /* "auto", ... */

/* From the slots from .. to - 1 of a fleet.  NULL with err when there are no such slots.  The
 * caller destroys it. */
struct cs_volatile_lifetime_model *cs_volatile_lifetime_model_fit(const struct cs_fleet *fleet,
                                                                  enum cs_fit_lifetime_model model,
                                                                  enum cs_fit_pooling pooling,
                                                                  int64_t from, int64_t to,
                                                                  struct cs_error *err);
void cs_volatile_lifetime_model_destroy(
    struct cs_volatile_lifetime_model *lifetime_model); /* NULL is fine */

/* The kind of the model: never AUTO. */
enum cs_fit_lifetime_model
cs_volatile_lifetime_model_model(const struct cs_volatile_lifetime_model *lifetime_model);

/* The number of pools with fewer than 5 ended lifetimes; these get a constant rate. */
int cs_volatile_lifetime_model_few(const struct cs_volatile_lifetime_model *lifetime_model);

/* The probability that all of these hosts, of which host[i] has been up for age[i] slots (the
 * present one included), stay up for so many slots more.  No host twice. */
double cs_volatile_lifetime_model_chance(const struct cs_volatile_lifetime_model *lifetime_model,
                                         int hosts, const int *host, const double *age,
                                         double more);

/* Like cs_fit_availability, for a fleet: it reads no file and writes no scenario. */
char *cs_volatile_laws(const struct cs_fleet *fleet,
                       const struct cs_fit_availability_options *options, struct cs_error *err);

/* The scenario that cs_fit_availability writes; freed with free.  NULL with err. */
char *cs_volatile_scenario(const struct cs_fleet *fleet, struct cs_error *err);

/* The outcome of a run.  Slots of hosts are counted once for each host. */
struct cs_volatile_outcome {
    bool finished;      /* all iterations ended before the cap and the end of the traces */
    int64_t makespan;   /* slots; -1 when not finished */
    int64_t slots;      /* simulated */
    int iterations;     /* that ended */
    int64_t installed;  /* configurations that started */
    int64_t aborts;     /* of them, ended because a host was down */
    int64_t switches;   /* of them, replaced for a better one */
    int64_t decisions;  /* the number of decisions of the policy */
    int64_t computed;   /* slots of computation that counted */
    int64_t lost;       /* slots of computation thrown away */
    int64_t suspended;  /* slots in which all had everything and not all were up */
    int64_t sent;       /* slots of hosts that received something */
    int64_t prefetched; /* of them, hosts outside the configuration */
    int64_t idle;       /* slots without a configuration */
    int64_t saves;      /* checkpoints that were completed */
    int64_t saving;     /* slots spent on them */
    double work;        /* iterations that ended, and what is saved of the next one */
};

struct cs_volatile_request {
    struct cs_policy_call call;
    uint64_t seed; /* the dice of the random policy */
    /* The model of how long hosts will stay, for policies that use it (rate, proactive-rate) and
     * for warm spares; NULL: the chains of the instance. */
    const struct cs_volatile_lifetime_model *lifetime_model;
};

/* One run.  -1 with err when the policy does not exist, the source has other hosts, or a policy
 * that prefetches meets an application with spares. */
int cs_volatile_simulate(const struct cs_volatile_instance *instance,
                         const struct cs_volatile_request *request,
                         struct cs_volatile_source *source, struct cs_volatile_outcome *outcome,
                         struct cs_error *err);

/* The random scenarios of the paper (section VII): each state of a host is kept with a probability
 * drawn from 0.90 to 0.99, and left for the two others alike; a task takes wmin to 10 wmin slots,
 * its data wmin, the program 5 wmin.  The paper has 20 hosts, 5 or 10 tasks, 5, 10 or 20 transfers,
 * wmin from 1 to 10, 10 iterations and a cap of 1,000,000 slots. */
struct cs_volatile_generator {
    int hosts, tasks, transfers, wmin, iterations, cap;
    uint64_t seed, scenario; /* what is drawn depends on these, hosts and wmin alone */
};

/* NULL with err when the parameters are invalid.  The caller destroys it. */
struct cs_volatile_instance *cs_volatile_generate(const struct cs_volatile_generator *generator,
                                                  struct cs_error *err);

#endif
