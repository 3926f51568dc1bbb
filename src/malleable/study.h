/* study.h - one instance and one set of rules through many failure scenarios.
 *
 * Scenarios are shared out over threads; every figure depends on (instance, rules, failures,
 * scenario) alone, so any number of threads gives the same bytes.
 */
#ifndef CS_MALLEABLE_STUDY_H
#define CS_MALLEABLE_STUDY_H

#include <cosched/malleable.h>

struct cs_outside;

/* Failures drawn from a law, or those of a list: scenario 0 is the list itself; the others begin
 * at a moment of it that is drawn from the seed, and go on at its beginning when it ends. */
struct cs_malleable_source {
    struct cs_malleable_failures law; /* its seed also serves the list */
    size_t listed;
    const struct cs_fault *list; /* by time; NULL: the law */
};

/* What a run came to, and what it looked like at a moment: the state after the last event that is
 * not later holds then.  NaN when the run was over, or no moment was asked for. */
struct cs_malleable_seen {
    struct cs_malleable_outcome outcome; /* its `end` is NULL */
    double expected;                     /* makespan as expected then */
    double deviation;                    /* standard deviation of the processors of running tasks */
};

struct cs_malleable_study {
    const struct cs_malleable_instance *instance;
    const struct cs_malleable_rules *rules;
    const struct cs_malleable_source *source;
    struct cs_outside *outside; /* whom the policy `program` asks, or NULL */
    int scenarios, threads;
    double at;                              /* the moment, seconds; NaN: none */
    void (*progress)(void *who, long done); /* from one thread; or NULL */
    void *who;
};

/* What a scenario brings, ready to be played.  The caller destroys it; NULL with err. */
struct cs_malleable_trace *cs_malleable_source_trace(const struct cs_malleable_source *source,
                                                     int scenario, struct cs_error *err);

/* out[s] for every scenario.  -1 with err. */
int cs_malleable_study_run(const struct cs_malleable_study *study, struct cs_malleable_seen *out,
                           struct cs_error *err);

#endif
