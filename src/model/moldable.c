/* moldable.c - the repair of profiles, and times for all processor counts. */
#include "model/moldable.h"

#include "base/arena.h"
#include "base/bug.h"
#include "model/formulas.h"
#include "model/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

/* spec/pack.md 2.2, step by step: `least` is the running minimum of
 * the raw times, `work` the largest work so far. */
int cs_moldable_repair(const double *raw, int procs, double *row, double *largest)
{
    double least = INFINITY, work = 0, before = INFINITY, worst = 0;
    int changed = 0;

    for (int j = 1; j <= procs; j++) {
        double supplied = raw[j - 1], time;

        least = fmin(least, supplied);
        time = least;
        if (isfinite(least) && (!isfinite(before) || j * least >= work))
            work = j * least;
        else if (isfinite(least))
            time = fmin(before, fmax(work / j, least));
        if (time != supplied) {
            changed++;
            worst = fmax(worst, isfinite(supplied) ? fabs(time - supplied) / supplied : INFINITY);
        }
        row[j - 1] = before = time;
    }
    *largest = worst;
    return changed;
}

static bool is_formula(const struct cs_profile *profile)
{
    return profile->kind != CS_PROFILE_TABLE && profile->kind != CS_PROFILE_POINTS;
}

bool cs_moldable_all_formulas(const struct cs_workload *workload)
{
    for (int i = 0; i < workload->count; i++)
        if (!is_formula(&workload->profile[i]))
            return false;
    return true;
}

/* The parameters of formulas; for times of tables and points see moldable_read_row. */
static int check_formula(const struct cs_workload *workload, int task, struct cs_error *err)
{
    const struct cs_profile *p = &workload->profile[task];
    const char *name = workload->name[task];

    if (!(p->seq_time > 0 && isfinite(p->seq_time)))
        return cs_error_set(err, "task %d (%s): sequential time %g is not a positive number", task,
                            name, p->seq_time);
    if (!(p->seq_fraction >= 0 && p->seq_fraction <= 1))
        return cs_error_set(err, "task %d (%s): sequential fraction %g is not between 0 and 1",
                            task, name, p->seq_fraction);
    if (p->kind == CS_PROFILE_DOWNEY)
        return cs_downey_check(p, err) ? cs_error_prefix(err, "task %d (%s)", task, name) : 0;
    if (p->kind != CS_PROFILE_AMDAHL && !(p->overhead >= 0 && isfinite(p->overhead)))
        return cs_error_set(err, "task %d (%s): overhead %g is not a number from 0 on", task, name,
                            p->overhead);
    if (p->kind == CS_PROFILE_POWER && !(p->exponent >= -1 && p->exponent <= 10))
        return cs_error_set(err, "task %d (%s): exponent %g is not between -1 and 10", task, name,
                            p->exponent);
    return 0;
}

static int moldable_read_row(const struct cs_workload *workload, int task, int procs, double *row,
                             struct cs_error *err)
{
    const struct cs_profile *profile = &workload->profile[task];
    const char *name = workload->name[task];
    bool finite = false;

    if (profile->kind == CS_PROFILE_TABLE && profile->count < procs)
        return cs_error_set(err,
                            "task %d (%s): the table of times ends at %d processors, %d are needed",
                            task, name, profile->count, procs);
    for (int j = 1; j <= procs; j++) {
        row[j - 1] = cs_profile_time(profile, j);
        if (!(row[j - 1] > 0))
            return cs_error_set(err, "task %d (%s): time %g on %d processors is not positive", task,
                                name, row[j - 1], j);
        finite |= isfinite(row[j - 1]);
    }
    if (!finite && profile->kind == CS_PROFILE_POINTS)
        return cs_error_set(err,
                            "task %d (%s): measured on %d processors and more, so it may not run "
                            "on %d: leave it out, take more processors, or let the times below "
                            "scale (--extrapolate scale)",
                            task, name, profile->procs[0], procs);
    if (!finite)
        return cs_error_set(err, "task %d (%s): no finite time on 1 to %d processors", task, name,
                            procs);
    return 0;
}

static int moldable_tabulate(struct cs_moldable *m, const struct cs_workload *workload,
                             struct cs_arena *arena, struct cs_error *err)
{
    double *table = CS_NEW_ARRAY(arena, double, (size_t)m->count *(size_t)m->procs);
    int *min_procs = CS_NEW_ARRAY(arena, int, m->count);
    int *changed = CS_NEW_ARRAY(arena, int, m->count);
    double *largest = CS_NEW_ARRAY(arena, double, m->count);

    for (int i = 0; i < m->count; i++) {
        double *row = table + (size_t)i * (size_t)m->procs;
        int first = 0;

        if (is_formula(&workload->profile[i]) && check_formula(workload, i, err))
            return -1;
        if (moldable_read_row(workload, i, m->procs, row, err))
            return -1;
        changed[i] = cs_moldable_repair(row, m->procs, row, &largest[i]);
        while (!isfinite(row[first]))
            first++;
        min_procs[i] = first + 1;
    }
    m->table = table;
    m->min_procs = min_procs;
    m->changed = changed;
    m->largest = largest;
    return 0;
}

/* Where the derivative of a formula changes sign, the only place; +inf: it falls for ever. */
static double turning_point(const struct cs_profile *p)
{
    double ratio = (1 - p->seq_fraction) / p->overhead;

    if (p->kind == CS_PROFILE_DOWNEY)
        return cs_downey_turn(p->parallelism, p->sigma);
    if (p->overhead == 0)
        return INFINITY;
    if (p->kind == CS_PROFILE_OVERHEAD)
        return ratio * log(2.0);
    if (p->kind == CS_PROFILE_UNIVERSAL)
        return sqrt(ratio);
    if (p->kind == CS_PROFILE_POWER && p->exponent > 0)
        return pow(ratio / p->exponent, 1 / (1 + p->exponent));
    return INFINITY;
}

/* The fastest count is next to the turning point. */
static int fastest_count(const struct cs_profile *profile, int procs)
{
    double turn = turning_point(profile);
    int best;

    if (!(turn < procs))
        return procs;
    best = turn < 2 ? 1 : (int)turn - 1;
    for (int j = best; j <= best + 3 && j <= procs; j++)
        if (cs_profile_time(profile, j) < cs_profile_time(profile, best))
            best = j;
    return best;
}

int cs_moldable_keep_formulas(struct cs_moldable *m, const struct cs_workload *workload,
                              struct cs_arena *arena, struct cs_error *err)
{
    int *fastest = CS_NEW_ARRAY(arena, int, m->count);
    int *min_procs = CS_NEW_ARRAY(arena, int, m->count);

    for (int i = 0; i < m->count; i++) {
        if (check_formula(workload, i, err))
            return -1;
        fastest[i] = fastest_count(&workload->profile[i], m->procs);
        min_procs[i] = 1;
    }
    m->fastest = fastest;
    m->min_procs = min_procs;
    m->changed = CS_NEW_ARRAY(arena, int, m->count);
    m->largest = CS_NEW_ARRAY(arena, double, m->count);
    return 0;
}

struct cs_moldable *cs_moldable_create(const struct cs_workload *workload, int procs,
                                       struct cs_error *err)
{
    uint64_t entries = (uint64_t)workload->count * (uint64_t)procs;
    bool formulas = entries > CS_MOLDABLE_TABULATE && cs_moldable_all_formulas(workload);
    struct cs_arena *arena;
    struct cs_moldable *m;

    CS_REQUIRE(procs >= 1 && workload->count >= 0);
    if (workload->limit) {
        cs_error_set(err,
                     "the tasks have limits (least and largest counts, a walltime or a release "
                     "date), which repaired times cannot keep: take them as given, or take the "
                     "limits out");
        return NULL;
    }
    if (!formulas && entries > CS_MOLDABLE_TABLE_LIMIT) {
        cs_error_set(err,
                     "%d tasks on %d processors need a table of %" PRIu64
                     " times, more than the %zu that "
                     "are allowed: give formulas instead of measured times",
                     workload->count, procs, entries, CS_MOLDABLE_TABLE_LIMIT);
        return NULL;
    }
    arena = cs_arena_create();
    m = CS_NEW(arena, struct cs_moldable);
    *m = (struct cs_moldable){.count = workload->count,
                              .procs = procs,
                              .profile = workload->profile,
                              .rising = true,
                              .storage = arena};
    if (formulas ? cs_moldable_keep_formulas(m, workload, arena, err)
                 : moldable_tabulate(m, workload, arena, err)) {
        cs_arena_destroy(arena);
        return NULL;
    }
    return m;
}

void cs_moldable_destroy(struct cs_moldable *m)
{
    if (m)
        cs_arena_destroy(m->storage);
}

double cs_moldable_formula_time(const struct cs_moldable *m, int task, int procs)
{
    int fastest = m->fastest[task];

    return cs_profile_time(&m->profile[task], procs < fastest ? procs : fastest);
}

/* Amdahl's formula solved for j, to be corrected by a step or two of rounding. */
static int guess_need(const struct cs_profile *p, double seconds, int procs)
{
    double rest = seconds / p->seq_time - p->seq_fraction;
    double j = rest > 0 ? (1 - p->seq_fraction) / rest : procs;

    return j < 1 ? 1 : j < procs ? (int)j : procs;
}

static int need_by_bisection(const struct cs_moldable *m, int task, int low, int high,
                             double seconds)
{
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_moldable_time(m, task, middle) <= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* From a guess that is off by little: double the step until it is passed, then bisect. */
static int need_near(const struct cs_moldable *m, int task, int guess, int high, double seconds)
{
    int low = guess, step = 1;

    if (cs_moldable_time(m, task, guess) > seconds) {
        while (low < high && cs_moldable_time(m, task, low) > seconds) {
            guess = low;
            low = high - low > step ? low + step : high;
            step *= 2;
        }
        return need_by_bisection(m, task, guess + 1, low, seconds);
    }
    while (low > 1 && cs_moldable_time(m, task, low) <= seconds) {
        guess = low;
        low = low > step ? low - step : 1;
        step *= 2;
    }
    return need_by_bisection(m, task, low, guess, seconds);
}

int cs_moldable_need(const struct cs_moldable *m, int task, double seconds)
{
    int high = m->table ? m->procs : m->fastest[task];

    if (!(cs_moldable_time(m, task, high) <= seconds))
        return m->procs + 1;
    if (m->table || m->profile[task].kind != CS_PROFILE_AMDAHL)
        return need_by_bisection(m, task, 1, high, seconds);
    return need_near(m, task, guess_need(&m->profile[task], seconds, high), high, seconds);
}
