/* counts.c - what a profile knows, less what limits forbid. */
#include "model/counts.h"
#include "model/profile.h"

#include <math.h>
#include <string.h>

/* Why counts were left out: for the sentence when none is left. */
struct fate {
    int wide, restricted, slow;
    int narrowest; /* of all that the profile knows */
    double fastest;
};

/* How many counts on up to `procs` processors the profile may know. */
static int entries_of(const struct cs_profile *profile, int procs)
{
    bool between = profile->fill == CS_FILL_POWER || profile->fewer == CS_FEWER_SCALE;

    if (profile->kind == CS_PROFILE_TABLE || (profile->kind == CS_PROFILE_POINTS && !between))
        return profile->count;
    return procs;
}

void cs_counts_init(struct cs_counts *allowed, const struct cs_workload *workload, int procs,
                    struct cs_arena *arena)
{
    int most = 0;

    for (int i = 0; i < workload->count; i++) {
        int entries = entries_of(&workload->profile[i], procs);

        most = entries > most ? entries : most;
    }
    allowed->procs = CS_NEW_ARRAY(arena, int, most);
    allowed->seconds = CS_NEW_ARRAY(arena, double, most);
    allowed->origin = CS_NEW_ARRAY(arena, unsigned char, most);
}

static bool counts_listed(const struct cs_task_limit *limit, int count)
{
    if (limit->counts == 0)
        return true;
    for (int i = 0; i < limit->counts; i++)
        if (limit->count[i] == count)
            return true;
    return false;
}

bool cs_counts_permit(const struct cs_task_limit *limit, int count)
{
    return count >= limit->min_procs && (limit->max_procs == 0 || count <= limit->max_procs) &&
           (limit->multiple == 0 || count % limit->multiple == 0) &&
           (!limit->powers_of_two || (count & (count - 1)) == 0) && counts_listed(limit, count);
}

static bool in_time(const struct cs_task_limit *limit, double margin, double seconds)
{
    return limit->walltime == 0 || !(margin * seconds > limit->walltime);
}

struct finder {
    struct cs_counts *allowed;
    const struct cs_task_limit *limit;
    double margin;
    int procs;
    struct fate fate;
};

static void counts_offer(struct finder *f, int count, double seconds, enum cs_time_origin origin)
{
    struct cs_counts *a = f->allowed;

    if (f->fate.narrowest == 0)
        f->fate.narrowest = count;
    if (count > f->procs) {
        f->fate.wide++;
        return;
    }
    if (!cs_counts_permit(f->limit, count)) {
        f->fate.restricted++;
        return;
    }
    f->fate.fastest = fmin(f->fate.fastest, seconds);
    if (!in_time(f->limit, f->margin, seconds)) {
        f->fate.slow++;
        return;
    }
    a->procs[a->entries] = count;
    a->seconds[a->entries] = seconds;
    a->origin[a->entries] = (unsigned char)origin;
    a->entries++;
}

static int check_limit(const struct cs_task_limit *limit, struct cs_error *err)
{
    if (limit->min_procs < 0 || limit->max_procs < 0 || limit->multiple < 0)
        return cs_error_set(err, "a limit on the processors is negative, it must be 1 or more");
    if (limit->max_procs > 0 && limit->min_procs > limit->max_procs)
        return cs_error_set(err, "min_procs is %d and max_procs %d: it must not be below min_procs",
                            limit->min_procs, limit->max_procs);
    for (int i = 0; i < limit->counts; i++)
        if (limit->count[i] < 1)
            return cs_error_set(err, "the list of counts has %d, it must be 1 or more",
                                limit->count[i]);
    if (!(limit->walltime >= 0 && isfinite(limit->walltime)))
        return cs_error_set(err, "walltime is %g, it must be a positive number of seconds",
                            limit->walltime);
    if (limit->margin != 0 && !(limit->margin >= 1 && isfinite(limit->margin)))
        return cs_error_set(err, "margin is %g, it must be a number from 1 on", limit->margin);
    if (!(limit->release >= 0 && isfinite(limit->release)))
        return cs_error_set(err, "release is %g, it must be a number of seconds from 0 on",
                            limit->release);
    return 0;
}

static int check_time(double seconds, int count, struct cs_error *err)
{
    if (seconds > 0 && isfinite(seconds))
        return 0;
    return cs_error_set(err,
                        "its time on %d processor%s is %g, it must be a positive number of "
                        "seconds",
                        count, count == 1 ? "" : "s", seconds);
}

static int offer_table(struct finder *f, const struct cs_profile *profile, struct cs_error *err)
{
    for (int j = 1; j <= profile->count; j++) {
        double seconds = profile->seconds[j - 1];

        if (seconds == INFINITY)
            continue;
        if (check_time(seconds, j, err))
            return -1;
        counts_offer(f, j, seconds, CS_ORIGIN_MEASURED);
    }
    return 0;
}

static int check_points(const struct cs_profile *profile, struct cs_error *err)
{
    for (int a = 0; a < profile->count; a++) {
        if (profile->procs[a] < 1 || (a > 0 && profile->procs[a] <= profile->procs[a - 1]))
            return cs_error_set(err,
                                "it is measured on %d processors after %d: counts must rise "
                                "from 1 on",
                                profile->procs[a], a ? profile->procs[a - 1] : 0);
        if (check_time(profile->seconds[a], profile->procs[a], err))
            return -1;
    }
    if (profile->count < 1)
        return cs_error_set(err, "no time is measured, at least one must be");
    return 0;
}

/* With fewer = scale what is below the first point, with fill = power what is between points. */
static int offer_points(struct finder *f, const struct cs_profile *profile, struct cs_error *err)
{
    if (check_points(profile, err))
        return -1;
    if (profile->fewer == CS_FEWER_SCALE)
        for (int j = 1; j < profile->procs[0] && j <= f->procs; j++)
            counts_offer(f, j, cs_profile_time(profile, j), CS_ORIGIN_SCALED);
    for (int a = 0; a < profile->count; a++) {
        counts_offer(f, profile->procs[a], profile->seconds[a], CS_ORIGIN_MEASURED);
        if (profile->fill != CS_FILL_POWER || a + 1 == profile->count)
            continue;
        for (int j = profile->procs[a] + 1; j < profile->procs[a + 1] && j <= f->procs; j++)
            counts_offer(f, j, cs_profile_time(profile, j), CS_ORIGIN_INTERPOLATED);
    }
    return 0;
}

static int offer_formula(struct finder *f, const struct cs_profile *profile, struct cs_error *err)
{
    if (!(profile->seq_time > 0 && isfinite(profile->seq_time)))
        return cs_error_set(err, "its sequential time is %g, it must be a positive number",
                            profile->seq_time);
    if (!(profile->seq_fraction >= 0 && profile->seq_fraction <= 1))
        return cs_error_set(err, "its sequential fraction is %g, it must be from 0 to 1",
                            profile->seq_fraction);
    if (!(profile->overhead >= 0 && isfinite(profile->overhead)))
        return cs_error_set(err, "its overhead is %g, it must be a number from 0 on",
                            profile->overhead);
    if (!(profile->exponent >= -1 && profile->exponent <= 10))
        return cs_error_set(err, "its exponent is %g, it must be from -1 to 10", profile->exponent);
    if (profile->kind == CS_PROFILE_DOWNEY && cs_downey_check(profile, err))
        return -1;
    for (int j = 1; j <= f->procs; j++) {
        double seconds = cs_profile_time(profile, j);

        if (check_time(seconds, j, err))
            return -1;
        counts_offer(f, j, seconds, CS_ORIGIN_MODELLED);
    }
    return 0;
}

static int offer_all(struct finder *f, const struct cs_profile *profile, struct cs_error *err)
{
    if (profile->kind == CS_PROFILE_TABLE)
        return offer_table(f, profile, err);
    if (profile->kind == CS_PROFILE_POINTS)
        return offer_points(f, profile, err);
    return offer_formula(f, profile, err);
}

static int refuse_none(const struct finder *f, struct cs_error *err)
{
    if (f->fate.slow > 0)
        return cs_error_set(err,
                            "it takes at least %.15g s%s on the counts that are allowed, its "
                            "walltime limit is %.15g s",
                            f->fate.fastest, f->margin > 1 ? " (before the margin)" : "",
                            f->limit->walltime);
    if (f->fate.restricted > 0)
        return cs_error_set(err,
                            "none of its %d known counts is among those that its limits "
                            "allow: allow one of them or measure another",
                            f->fate.restricted);
    if (f->fate.wide > 0)
        return cs_error_set(err,
                            "it is known on %d processors and more, the machine has %d: leave "
                            "it out, take more processors, or let the times below scale",
                            f->fate.narrowest, f->procs);
    return cs_error_set(err, "no time is known for any count, one must be");
}

int cs_counts_find(struct cs_counts *allowed, const struct cs_workload *workload, int task,
                   int procs, double margin, struct cs_error *err)
{
    static const struct cs_task_limit none;
    struct finder f = {
        .allowed = allowed,
        .limit = workload->limit ? &workload->limit[task] : &none,
        .procs = procs,
        .fate.fastest = INFINITY,
    };
    const char *name = workload->name[task];

    f.margin = fmax(fmax(margin, f.limit->margin), 1);
    allowed->entries = 0;
    if (check_limit(f.limit, err) || offer_all(&f, &workload->profile[task], err) ||
        (allowed->entries == 0 && refuse_none(&f, err)))
        return cs_error_prefix(err, "task %d (%s)", task, name);
    return 0;
}
