/* ptg.h - parallel task graphs that share a platform of several clusters.
 *
 * N'takpe, Suter, "Concurrent scheduling of parallel task graphs on multi-clusters using
 * constrained resource allocations", INRIA RR-6774, 2008: a strategy gives each graph a share
 * beta of the platform, an allocation procedure (SCRAP-MAX) decides under that constraint how many
 * processors of a virtual reference cluster each task gets, and one mapping of the ready tasks of
 * all graphs, by bottom level, puts them on processors of one cluster each.
 *
 * Units: seconds, bytes, flop, flop/s.  Graphs, tasks, clusters and processors count from 0; a
 * task of an instance is also known by its number over all graphs, `first[graph] + task`.
 */
#ifndef CS_PTG_PTG_H
#define CS_PTG_PTG_H

#include "model/graph.h"
#include "model/platform.h"
#include "model/policy.h"
#include "model/schedule.h"

#include <cosched/error.h>

struct cs_ptg_instance;

/* The graphs on the platform, released at these times (NULL: all at 0).  Refuses no graph, a
 * platform without speeds or network, a release that is negative or not finite, a task whose memory
 * no cluster has.  Platform, graphs
 * and their array must outlive the instance.  NULL with err on failure. */
struct cs_ptg_instance *cs_ptg_instance_create(const struct cs_platform *platform, int graphs,
                                               const struct cs_graph *const *graph,
                                               const double *release, struct cs_error *err);
void cs_ptg_instance_destroy(struct cs_ptg_instance *instance); /* NULL is fine */

/* The effect of the number of cores of a measured task on its number of processors. */
enum cs_ptg_cores {
    CS_PTG_CORES_IGNORE, /* nothing */
    CS_PTG_CORES_MOST,   /* it may have so many at most */
    CS_PTG_CORES_EXACT,  /* it has just so many */
};

/* Limit the numbers of processors of a task on each cluster: at least as many as its memory fills
 * (where task and cluster have a memory), and by its cores.  An instance is made with
 * CS_PTG_CORES_IGNORE; create rejects the same cases.  -1 with err, and the limits as they were,
 * when a task fits no cluster. */
int cs_ptg_instance_limit(struct cs_ptg_instance *instance, enum cs_ptg_cores cores,
                          struct cs_error *err);

int cs_ptg_instance_graphs(const struct cs_ptg_instance *instance);
int cs_ptg_instance_tasks(const struct cs_ptg_instance *instance); /* of all graphs */
const struct cs_graph *cs_ptg_instance_graph(const struct cs_ptg_instance *instance, int graph);
double cs_ptg_instance_release(const struct cs_ptg_instance *instance, int graph);
const struct cs_platform *cs_ptg_instance_platform(const struct cs_ptg_instance *instance);

enum cs_ptg_procedure {
    CS_PTG_SCRAP_MAX, /* the share bounds the processors of every precedence level */
    CS_PTG_SCRAP,     /* the share bounds the average power used along the critical path */
};
enum cs_ptg_gain {
    CS_PTG_GAIN_CPA,  /* T(n) / n - T(n + 1) / (n + 1) */
    CS_PTG_GAIN_TIME, /* T(n) - T(n + 1) */
};
enum cs_ptg_reference_speed { CS_PTG_REFERENCE_SLOWEST, CS_PTG_REFERENCE_FASTEST };
enum cs_ptg_cap {
    CS_PTG_CAP_CLUSTER,  /* an allocation must fit one cluster */
    CS_PTG_CAP_PLATFORM, /* it may have all processors of the reference cluster */
};
enum cs_ptg_order {
    CS_PTG_ORDER_READY,  /* among the tasks that are ready */
    CS_PTG_ORDER_GLOBAL, /* one list of all tasks, starts never go backwards (figure 1) */
};
enum cs_ptg_network {
    CS_PTG_NETWORK_PLAIN, /* every transfer has its links to itself */
    CS_PTG_NETWORK_FAN,   /* a sender's link is shared by all its arcs, and so is a receiver's */
};

/* All zero is the behaviour of the paper, but for `pack`: start with CS_PTG_OPTIONS. */
struct cs_ptg_options {
    enum cs_ptg_procedure procedure;
    enum cs_ptg_gain gain;
    enum cs_ptg_reference_speed reference;
    enum cs_ptg_cap cap;
    enum cs_ptg_order order;
    enum cs_ptg_network network;
    bool pack;          /* shrink an allocation that would wait for processors */
    bool late_transfer; /* data leave when the destination is decided, not when they are there */
    double efficiency;  /* 0 .. 1: no task grows beyond this parallel efficiency; 0: no floor */
    double batch; /* allocate in rounds that shorten the critical path by this part (spec/ptg.md
                     3.1; above 20,000 tasks all paths that are nearly
                     as long in one round); 0: exactly; CS_PTG_BATCH_AUTO: exactly up to 2000
                     tasks, 0.01 above */
};
#define CS_PTG_BATCH_AUTO (-1.0)
#define CS_PTG_OPTIONS                                                                             \
    {                                                                                              \
        .pack = true, .batch = CS_PTG_BATCH_AUTO                                                   \
    }

/* When shares are set while graphs arrive. */
enum cs_ptg_mode {
    CS_PTG_OFFLINE, /* once, among all graphs */
    CS_PTG_FIXED,   /* once for each graph when it arrives, among those that are there */
    CS_PTG_ARRIVAL, /* for all that are there, at every arrival */
    CS_PTG_FULL,    /* at every arrival and completion of a graph */
};

/* Where and when a task runs. */
struct cs_ptg_place {
    int cluster;
    int procs;                     /* how many */
    int intervals;                 /* length of the set below */
    const struct cs_interval *set; /* ascending; numbered over the whole platform */
    double start, finish;
    bool packed; /* its allocation was shrunk */
};

struct cs_ptg_plan {
    int graphs, tasks;
    const int *first;           /* graphs + 1 */
    struct cs_ptg_place *place; /* tasks */
    int *allocation;            /* tasks: processors of the reference cluster; where cluster and
                                   width are chosen together: the width */
    double *bottom;             /* tasks: bottom level with that allocation; or the rank */
    double *beta;               /* graphs: the share that each had last */
    double *completion;         /* graphs: when its last task ends */
    double makespan;            /* the latest completion */
    int rounds;                 /* feedback and portfolio: schedules that were made */
    const char *member;         /* portfolio: whose plan it is, such as "widen PS-work"; or NULL */
    int recomputations;         /* how often shares were set as time went by */
    int revoked;                /* placements taken back then */
    void *storage;              /* private */
};
void cs_ptg_plan_destroy(struct cs_ptg_plan *plan); /* NULL is fine */

/* The strategies, *count of them, in the order of policies.def. */
const struct cs_policy *const *cs_ptg_policies(int *count);

struct cs_ptg_request {
    struct cs_policy_call call;
    const struct cs_ptg_options *options; /* NULL: CS_PTG_OPTIONS */
    enum cs_ptg_mode mode;
    const double *own; /* graphs: cs_ptg_own with these options, where it is known; or NULL */
};

/* A plan by the strategy of the request.  NULL with err when the request does not fit: options out
 * of range, limits that bind and a strategy that knows none, the global order or a strategy that
 * plans all graphs together with a mode other than offline.  Strategies that choose clusters and
 * widths themselves (joint, joint-level, joint-ready, dispatch, search, mheft, bicpa) use only the
 * network of the options.  The caller destroys it. */
struct cs_ptg_plan *cs_ptg_plan_make(const struct cs_ptg_instance *instance,
                                     const struct cs_ptg_request *request, struct cs_error *err);

/* A plan with shares that the caller knows: 0 < beta <= 1 for each graph, else NULL with err. */
struct cs_ptg_plan *cs_ptg_plan_with_shares(const struct cs_ptg_instance *instance,
                                            const struct cs_ptg_options *options,
                                            const double *beta, struct cs_error *err);

/* own[graph]: the makespan of each graph alone on the platform, with all of it as its share,
 * released at 0; with `fluid` that of its fluid replay, for slowdowns of replayed plans.  For a
 * mode other than offline set late_transfer, as the plan does.  Options may be NULL.  -1 with err
 * when one is out of range. */
int cs_ptg_own(const struct cs_ptg_instance *instance, const struct cs_ptg_options *options,
               bool fluid, double *own, struct cs_error *err);

/* The same by the strategy of the request: as above for those that give shares; for the others how
 * long the same strategy takes for the graph alone, with the whole platform as its share. */
int cs_ptg_own_by(const struct cs_ptg_instance *instance, const struct cs_ptg_request *request,
                  bool fluid, double *own, struct cs_error *err);

/* The plan with contention: processors and the order of the tasks on each stay, dates float.
 * Every transfer that is under way has one rate; each link is shared in rounds among the transfers
 * that cross it (spec/ptg.md 6.1, a fluid model after SimGrid's ptask_L07).
 * The caller destroys it. */
struct cs_ptg_plan *cs_ptg_replay_fluid(const struct cs_ptg_instance *instance,
                                        const struct cs_ptg_plan *plan);

/* Section 7 of the paper.  Arrays are by graph. */
struct cs_ptg_metrics {
    int graphs;
    const double *own;      /* makespan alone */
    const double *shared;   /* completion - release */
    const double *slowdown; /* own / shared: 1 is undisturbed; 1 for a graph without work */
    double average_slowdown;
    double unfairness;       /* the sum of |slowdown - average_slowdown| */
    double average_makespan; /* mean of shared */
    double makespan;         /* the latest completion */
    void *storage;           /* private */
};
struct cs_ptg_metrics *cs_ptg_metrics_create(const struct cs_ptg_instance *instance,
                                             const struct cs_ptg_plan *plan, const double *own);
void cs_ptg_metrics_destroy(struct cs_ptg_metrics *metrics); /* NULL is fine */

/* Lower bounds on the makespan of every plan, transfers not counted: all work at full speed; the
 * longest path; the area that tasks need when the path leaves them so little time.  `window` is the
 * largest of the three.  `integer` counts whole processors; `interval`, never below it, also what
 * tasks must do inside intervals between some of the dates before which and after which nothing of
 * a task can be. */
struct cs_ptg_bounds {
    double area, path, window;
    double integer, interval;
};

/* The first three; the others become NAN. */
int cs_ptg_bounds_compute(const struct cs_ptg_instance *instance, struct cs_ptg_bounds *bounds);

/* The other two, after the first three.  Takes up to 64 intervals times some hundred lengths times
 * tasks times processors. */
int cs_ptg_bounds_sharpen(const struct cs_ptg_instance *instance, struct cs_ptg_bounds *bounds);

/* The plan as bars of work: tasks are named GRAPH/TASK (when two graphs have the same name
 * GRAPH#NUMBER for all of them; a slash in GRAPH becomes an underscore), group is the cluster, and
 * the platform is set.  The caller destroys it. */
struct cs_schedule *cs_ptg_schedule(const struct cs_ptg_instance *instance,
                                    const struct cs_ptg_plan *plan);

/* The paper's applications (spec/ptg.md 10). */
enum cs_ptg_family { CS_PTG_RANDOM, CS_PTG_FFT, CS_PTG_STRASSEN };
enum cs_ptg_cost {
    CS_PTG_COST_MIXED,  /* any of them for each task or level */
    CS_PTG_COST_LINEAR, /* a d */
    CS_PTG_COST_SORT,   /* a d log2 d */
    CS_PTG_COST_MATRIX, /* d^(3/2) */
};

struct cs_ptg_generator {
    enum cs_ptg_family family;
    enum cs_ptg_cost cost;
    int tasks;                      /* random */
    double width, regular, density; /* random: 0 .. 1 each */
    int jump;                       /* random: 1 or more levels that an arc may span */
    int points;                     /* fft: a power of two, at least 2 */
    uint64_t seed;
};

/* "random", "fft", "strassen"; NULL for others. */
const char *cs_ptg_family_name(int family);

/* Make a graph; the name may be NULL: the family's.  NULL with err when a parameter is out of
 * range. The caller destroys it. */
struct cs_graph *cs_ptg_generate(const char *name, const struct cs_ptg_generator *generator,
                                 struct cs_error *err);

/* A run of the paper's experiments: graphs of a family, shapes and costs drawn among all that the
 * paper lists, the same for the same four numbers.  Fills graph[graphs]; the caller destroys them.
 * -1 with err. */
int cs_ptg_generate_run(uint64_t seed, enum cs_ptg_family family, int graphs, int combination,
                        struct cs_graph **graph, struct cs_error *err);

#endif
