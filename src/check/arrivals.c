/* arrivals.c - rows against the log, then everything that starts and ends, in the order of time. */
#include "base/plain.h"
#include "check/arrivals_state.h"
#include "check/jobs.h"
#include "check/report.h"
#include "model/procset.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Use at every time: of pools, of single processors and nodes, by users; and
 * overtaking.
 *
 * A space is a pool; if the table does not name the pool of a job, it is a partition, and all jobs
 * that can only run there must fit into all its pools together.
 */

typedef const struct cs_check_arrivals_job *arrivals_use_job_at;
typedef const struct cs_check_arrivals_row *arrivals_use_row_at;

struct space {
    int64_t used[CS_LOG_RESOURCES];
    bool touched; /* something starts in it at this instant */
};

struct event {
    double time;
    int order; /* 0: a row ends; 1: an outage begins or ends; 2: a row starts */
    int row;
};

struct use {
    const struct cs_check_arrivals_state *s;
    bool known; /* which pools every row takes from: spaces are pools */
    int spaces;
    struct space *space;
    int *units;  /* of the row at hand, by space */
    int *holder; /* by number: the row, -1 for none; NULL: numbers are not known, or shared */
    int64_t *user_jobs, *user_procs;
};

/* ---- where a row takes from ---- */

static bool is_known(const struct cs_check_arrivals_state *s)
{
    const struct cs_check_arrivals *what = s->what;

    for (int j = 0; j < what->jobs; j++)
        if (s->row[j] >= 0 && s->intervals[s->row[j]] == 0 &&
            what->site->partition[what->job[j].partition].pools > 1)
            return false;
    return true;
}

/* Everything of partition a is in partition b. */
static bool arrivals_use_within(const struct cs_site *site, int a, int b)
{
    const struct cs_site_partition *x = &site->partition[a], *y = &site->partition[b];

    for (int p = 0; p < x->pools; p++) {
        int q = 0;

        while (q < y->pools && y->pool[q] != x->pool[p])
            q++;
        if (q == y->pools)
            return false;
    }
    return true;
}

static int arrivals_use_common(const struct cs_interval *set, int64_t first, int64_t last)
{
    const int64_t low = set->first > first ? set->first : first;
    const int64_t high = set->last < last ? set->last : last;

    return high >= low ? (int)(high - low + 1) : 0;
}

static int64_t last_of(const struct cs_site *site, int pool)
{
    return pool + 1 < site->pools ? site->pool[pool + 1].first - 1 : INT64_MAX;
}

static void share_out(const struct use *u, int r)
{
    const arrivals_use_row_at row = &u->s->what->row[r];
    const int intervals = u->s->intervals[r];
    const struct cs_site *site = u->s->what->site;
    const arrivals_use_job_at job = &u->s->what->job[row->job];
    const struct cs_site_partition *partition = &site->partition[job->partition];

    for (int i = 0; i < u->spaces; i++)
        u->units[i] = !u->known && arrivals_use_within(site, job->partition, i) ? job->units : 0;
    if (!u->known)
        return;
    if (intervals == 0)
        u->units[partition->pool[0]] = job->units;
    for (int i = 0; i < intervals; i++)
        for (int p = 0; p < site->pools; p++)
            u->units[p] += arrivals_use_common(&row->set[i], site->pool[p].first, last_of(site, p));
}

static void arrivals_use_change(const struct use *u, int r, int sign)
{
    const arrivals_use_row_at row = &u->s->what->row[r];
    const arrivals_use_job_at job = &u->s->what->job[row->job];

    share_out(u, r);
    for (int i = 0; i < u->spaces; i++)
        for (int k = 0; k < CS_LOG_RESOURCES && u->units[i]; k++) {
            u->space[i].used[k] += sign * u->units[i] * job->demand[k];
            u->space[i].touched |= sign > 0;
        }
    if (job->user >= 0) {
        u->user_jobs[job->user] += sign;
        u->user_procs[job->user] += sign * job->procs;
    }
}

/* ---- numbers ---- */

static void give_numbers(const struct use *u, int r)
{
    const arrivals_use_row_at row = &u->s->what->row[r];

    for (int i = 0; i < u->s->intervals[r]; i++)
        for (int n = row->set[i].first; n <= row->set[i].last; n++)
            if (u->holder[n] == r)
                u->holder[n] = -1;
}

static void take_numbers(const struct use *u, int r)
{
    const arrivals_use_row_at row = &u->s->what->row[r];
    int other = -1, shared = -1;

    for (int i = 0; i < u->s->intervals[r]; i++)
        for (int n = row->set[i].first; n <= row->set[i].last; n++) {
            if (u->holder[n] >= 0 && other < 0) {
                other = u->holder[n];
                shared = n;
            }
            u->holder[n] = r;
        }
    if (other >= 0)
        cs_check_add(u->s->report, CS_VIOLATION_PROC_SHARED, row->job, row->start,
                     "jobs %s and %s both hold number %d at %.15g s",
                     u->s->what->job[u->s->what->row[other].job].name,
                     u->s->what->job[row->job].name, shared, row->start);
}

static int *make_holders(const struct cs_check_arrivals_state *s)
{
    const struct cs_check_arrivals *what = s->what;
    int numbers = 0, *holder;

    if (what->site->kind != CS_SITE_PROCESSORS && what->site->kind != CS_SITE_NODES)
        return NULL;
    for (int r = 0; r < what->rows; r++)
        if (s->intervals[r] && what->row[r].set[s->intervals[r] - 1].last >= numbers)
            numbers = what->row[r].set[s->intervals[r] - 1].last + 1;
    holder = CS_NEW_ARRAY(s->arena, int, numbers);
    for (int n = 0; n < numbers; n++)
        holder[n] = -1;
    return holder;
}

/* ---- capacity ---- */

/* Of a pool, what outages take at that time: all of them, or those that do not wait for jobs. */
static int64_t arrivals_use_away(const struct cs_check_arrivals *what, int pool, int resource,
                                 double now, bool all)
{
    const struct cs_site *site = what->site;
    int64_t units = 0;

    for (int o = 0; o < what->outages; o++)
        if (what->outage[o].group == site->pool[pool].group && what->outage[o].start <= now &&
            now < what->outage[o].end && (all || what->outage[o].kind == CS_SITE_DOWN))
            units += what->outage[o].count;
    if (site->kind == CS_SITE_PACKED)
        return 0;
    return units *
           (site->pool[pool].capacity[resource] / site->group[site->pool[pool].group].nodes);
}

static int64_t room_of(const struct use *u, int space, int resource, double now, bool all)
{
    const struct cs_check_arrivals *what = u->s->what;
    const struct cs_site_partition *partition = &what->site->partition[u->known ? 0 : space];
    int64_t sum = 0;

    for (int p = 0; p < (u->known ? 1 : partition->pools); p++) {
        const int pool = u->known ? space : partition->pool[p];
        const int64_t left = what->site->pool[pool].capacity[resource] -
                             arrivals_use_away(what, pool, resource, now, all);

        sum += left > 0 ? left : 0;
    }
    return sum;
}

/* Of a demand for any type, all that its types leave. */
static int64_t arrivals_use_room(const struct use *u, int space, int demand, double now, bool all)
{
    const struct cs_site *site = u->s->what->site;
    int64_t sum = 0;

    if (demand < site->resources)
        return room_of(u, space, demand, now, all);
    for (int r = 2; r < site->resources; r++)
        if (site->any[r] == demand)
            sum += room_of(u, space, r, now, all) - u->space[space].used[r];
    return sum;
}

/* " MB of memory", " GPUs", " gpu:a100"; of a demand for any type " gpu". */
static void put_resource(const struct cs_site *site, int demand, char *word, size_t size)
{
    const bool any = demand >= site->resources;
    const struct cs_site_kind_of_gres *kind;
    int r = any ? 2 : demand;

    while (any && site->any[r] != demand)
        r++;
    if (r < 2) {
        cs_plain_print(word, size, "%s", r ? " MB of memory" : "");
        return;
    }
    kind = &site->kind_of_gres[r - 2];
    if (!site->kinds)
        cs_plain_print(word, size, " GPUs");
    else if (any || !*kind->type)
        cs_plain_print(word, size, " %.40s", kind->name);
    else
        cs_plain_print(word, size, " %.40s:%.40s", kind->name, kind->type);
}

static void check_space(const struct use *u, int i, double now)
{
    const struct cs_site *site = u->s->what->site;
    const char *name = u->known ? site->group[site->pool[i].group].name : site->partition[i].name;
    const bool started = u->known && u->space[i].touched;
    char word[100];

    for (int k = 0; k < site->demands; k++) {
        const int64_t most = arrivals_use_room(u, i, k, now, started);

        if (u->space[i].used[k] > (most > 0 ? most : 0)) {
            put_resource(site, k, word, sizeof word);
            cs_check_add(u->s->report, CS_VIOLATION_CAPACITY, -1, now,
                         "%" PRId64 "%s of %s are in use from %.15g s on: there are %" PRId64,
                         u->space[i].used[k], word, name, now, most);
            return;
        }
    }
}

static void end_instant(const struct use *u, double now, bool outage)
{
    for (int i = 0; i < u->spaces; i++) {
        if (u->space[i].touched || outage)
            check_space(u, i, now);
        u->space[i].touched = false;
    }
}

static void check_user(const struct use *u, int r)
{
    const struct cs_check_arrivals *what = u->s->what;
    const arrivals_use_row_at row = &what->row[r];
    const int user = what->job[row->job].user;

    if (user < 0)
        return;
    if (what->user_jobs && u->user_jobs[user] > what->user_jobs)
        cs_check_add(u->s->report, CS_VIOLATION_CAPACITY, row->job, row->start,
                     "job %s starts at %.15g s as number %" PRId64
                     " of its user's running jobs: %" PRId64 " are allowed",
                     what->job[row->job].name, row->start, u->user_jobs[user], what->user_jobs);
    if (what->user_procs && u->user_procs[user] > what->user_procs)
        cs_check_add(u->s->report, CS_VIOLATION_CAPACITY, row->job, row->start,
                     "with job %s its user has %" PRId64 " processors at %.15g s: %" PRId64
                     " are allowed",
                     what->job[row->job].name, u->user_procs[user], row->start, what->user_procs);
}

/* ---- all instants ---- */

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->order != y->order)
        return x->order - y->order;
    return (x->row > y->row) - (x->row < y->row);
}

/* Rows that take no time use nothing. */
static const struct event *list_events(const struct cs_check_arrivals_state *s, int *count)
{
    const struct cs_check_arrivals *what = s->what;
    struct event *event =
        CS_NEW_ARRAY(s->arena, struct event, 2 * ((size_t)what->jobs + (size_t)what->outages));

    *count = 0;
    for (int j = 0; j < what->jobs; j++) {
        const int r = s->row[j];

        if (r < 0 || !(what->row[r].start < what->row[r].end))
            continue;
        event[(*count)++] = (struct event){what->row[r].start, 2, r};
        event[(*count)++] = (struct event){what->row[r].end, 0, r};
    }
    for (int o = 0; o < what->outages; o++) {
        event[(*count)++] = (struct event){what->outage[o].start, 1, o};
        event[(*count)++] = (struct event){what->outage[o].end, 1, o};
    }
    qsort(event, (size_t)*count, sizeof *event, compare_events);
    return event;
}

static void arrivals_use_pass(const struct use *u, const struct event *e)
{
    if (e->order == 1)
        return;
    arrivals_use_change(u, e->row, e->order == 2 ? 1 : -1);
    if (u->holder)
        (e->order == 2 ? take_numbers : give_numbers)(u, e->row);
    if (e->order == 2)
        check_user(u, e->row);
}

/* Pools, numbers, users at every instant. */
static void check_arrivals_use(const struct cs_check_arrivals_state *s)
{
    const int users = cs_check_arrivals_users(s->what);
    struct use u = {
        .s = s,
        .known = is_known(s),
        .holder = make_holders(s),
        .user_jobs = CS_NEW_ARRAY(s->arena, int64_t, users),
        .user_procs = CS_NEW_ARRAY(s->arena, int64_t, users),
    };
    const struct event *event;
    bool outage = false;
    int count;

    u.spaces = u.known ? s->what->site->pools : s->what->site->partitions;
    u.space = CS_NEW_ARRAY(s->arena, struct space, u.spaces);
    u.units = CS_NEW_ARRAY(s->arena, int, u.spaces);
    event = list_events(s, &count);
    for (int e = 0; e < count; e++) {
        arrivals_use_pass(&u, &event[e]);
        outage |= event[e].order == 1;
        if (e + 1 < count && event[e + 1].time == event[e].time)
            continue;
        end_instant(&u, event[e].time, outage);
        outage = false;
    }
    if (s->what->outages && s->what->site->kind == CS_SITE_PACKED)
        cs_check_note(s->report, "outages of single nodes were not judged");
}

/* ---- the order of starts ---- */

struct arrivals {
    const struct cs_check_arrivals_state *s;
    int *next;  /* of each partition: place in its list of the first job that has not started */
    int *first; /* of each partition: begin of its list */
    int *list;  /* jobs by partition, then arrival */
    bool *meet; /* of each pair of partitions: they share a pool */
};

static double start_of(const struct cs_check_arrivals_state *s, int job)
{
    return s->row[job] < 0 ? -INFINITY : s->what->row[s->row[job]].start;
}

static void list_arrivals(struct arrivals *a)
{
    const struct cs_check_arrivals *what = a->s->what;
    const int parts = what->site->partitions;
    int *fill = CS_NEW_ARRAY(a->s->arena, int, parts + 1);

    a->first = CS_NEW_ARRAY(a->s->arena, int, parts + 1);
    a->next = CS_NEW_ARRAY(a->s->arena, int, parts);
    a->list = CS_NEW_ARRAY(a->s->arena, int, what->jobs);
    for (int j = 0; j < what->jobs; j++)
        a->first[what->job[j].partition + 1]++;
    for (int p = 0; p < parts; p++) {
        a->first[p + 1] += a->first[p];
        a->next[p] = fill[p] = a->first[p];
    }
    for (int j = 0; j < what->jobs; j++)
        a->list[fill[what->job[j].partition]++] = j;
}

static bool share_pool(const struct cs_site *site, int a, int b)
{
    const struct cs_site_partition *x = &site->partition[a], *y = &site->partition[b];

    for (int p = 0; p < x->pools; p++)
        for (int q = 0; q < y->pools; q++)
            if (x->pool[p] == y->pool[q])
                return true;
    return false;
}

static void find_meetings(struct arrivals *a)
{
    const struct cs_site *site = a->s->what->site;
    const size_t parts = (size_t)site->partitions;

    a->meet = CS_NEW_ARRAY(a->s->arena, bool, parts *parts);
    for (size_t p = 0; p < parts; p++)
        for (size_t q = 0; q <= p; q++)
            a->meet[p * parts + q] = a->meet[q * parts + p] =
                p == q || share_pool(site, (int)p, (int)q);
}

/* The first job of the partition that has arrived by `now` and starts later; -1: none. */
static int first_waiting(struct arrivals *a, int partition, double now)
{
    int *next = &a->next[partition], job;

    while (*next < a->first[partition + 1] && start_of(a->s, a->list[*next]) <= now)
        ++*next;
    job = *next < a->first[partition + 1] ? a->list[*next] : -1;
    return job >= 0 && a->s->what->job[job].submit <= now ? job : -1;
}

static const char *why_first(bool higher, bool same)
{
    if (higher)
        return "waits in a partition of a higher tier";
    return same ? "was submitted earlier" : "was submitted earlier, waits for the same nodes";
}

/* A job starts: does one that is before it in the queue wait for a pool that it may use? */
static void check_start(struct arrivals *a, int job)
{
    const struct cs_check_arrivals *what = a->s->what;
    const struct cs_site *site = what->site;
    const int own = what->job[job].partition;
    const double start = start_of(a->s, job);

    for (int p = 0; p < site->partitions; p++) {
        const int other = a->meet[(size_t)own * (size_t)site->partitions + (size_t)p]
                              ? first_waiting(a, p, start)
                              : -1;
        const double ahead = site->partition[p].tier - site->partition[own].tier;

        if (other < 0 || ahead < 0 || (ahead == 0 && other > job))
            continue;
        cs_check_add(a->s->report, CS_VIOLATION_OVERTAKES, job, start,
                     "job %s starts at %.15g s, before job %s, which %s and starts at %.15g s",
                     what->job[job].name, start, what->job[other].name,
                     why_first(ahead > 0, p == own), start_of(a->s, other));
        return;
    }
}

/* The rules of policies. */
static void check_arrivals_order(const struct cs_check_arrivals_state *s)
{
    struct arrivals a = {.s = s};
    const struct event *event;
    int count;

    if (s->what->user_jobs || s->what->user_procs) {
        cs_check_lack(s->report, "limits of users let jobs overtake: the order was not judged");
        return;
    }
    list_arrivals(&a);
    find_meetings(&a);
    event = list_events(s, &count);
    for (int e = 0; e < count; e++)
        if (event[e].order == 2)
            check_start(&a, s->what->row[event[e].row].job);
}

#define FIGURES 1e-12  /* of the times that they are made of */
#define SHORT_JOB 10.0 /* seconds: slowdowns are bounded there */

typedef const struct cs_check_arrivals_job *job_at;
typedef const struct cs_check_arrivals_row *row_at;

/* ---- rows ---- */

static bool arrivals_same(const struct cs_check_arrivals_state *s, double a, double b)
{
    return fabs(a - b) <= s->what->tolerance;
}

static void check_times(const struct cs_check_arrivals_state *s, row_at row, job_at job)
{
    const double end = row->start + job->seconds;

    if (!arrivals_same(s, row->submit, job->submit))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->submit,
                     "job %s arrives at %.15g s in the table and at %.15g s in the log", job->name,
                     row->submit, job->submit);
    if (row->start < job->submit - s->what->tolerance)
        cs_check_add(s->report, CS_VIOLATION_EARLY, row->job, row->start,
                     "job %s starts at %.15g s, it arrives at %.15g s", job->name, row->start,
                     job->submit);
    if (!arrivals_same(s, row->end, end))
        cs_check_add(s->report, CS_VIOLATION_DURATION, row->job, row->start,
                     "job %s starts at %.15g s and ends at %.15g s, it must end at %.15g s",
                     job->name, row->start, row->end, end);
    else if (row->killed != job->killed)
        cs_check_add(s->report, CS_VIOLATION_DURATION, row->job, row->end,
                     row->killed ? "job %s is declared as killed at %.15g s, it ran as long as "
                                   "in the log"
                                 : "job %s ends at its limit at %.15g s and is not declared as "
                                   "killed",
                     job->name, row->end);
}

static void check_figure(const struct cs_check_arrivals_state *s, row_at row, job_at job,
                         const char *name, double said, double is)
{
    if (fabs(said - is) > s->what->tolerance + FIGURES * fmax(fabs(is), row->end))
        cs_check_add(s->report, CS_VIOLATION_DECLARED_RATIO, row->job, row->start,
                     "job %s has %s %.15g: from its times follows %.15g", job->name, name, said,
                     is);
}

/* The figures of a row other than its times. The run time of earlier attempts is unknown. */
static void check_figures(const struct cs_check_arrivals_state *s, row_at row, job_at job)
{
    const double run = row->end - row->start;

    if (row->attempts == 1)
        check_figure(s, row, job, "wait", row->wait, row->start - row->submit);
    check_figure(s, row, job, "bounded_slowdown", row->bounded_slowdown,
                 fmax(1, (row->end - row->submit) / fmax(run, SHORT_JOB)));
}

static void check_word(const struct cs_check_arrivals_state *s, row_at row, const char *what,
                       const char *said, const char *is)
{
    if (said && strcmp(said, is) != 0)
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "job %s has the %s \"%.60s\" in the table and \"%.60s\" in the log",
                     s->what->job[row->job].name, what, said, is);
}

/* User, partition, request and the estimate given to the scheduler. */
static void check_asked(const struct cs_check_arrivals_state *s, row_at row, job_at job)
{
    check_word(s, row, "user", row->user, job->user < 0 ? "" : s->what->user[job->user]);
    check_word(s, row, "partition", row->partition,
               job->named < 0 ? "" : s->what->partition[job->named]);
    if (!isnan(row->request) && !arrivals_same(s, row->request, job->request))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "job %s asks for %.15g s in the table and for %.15g s in the log", job->name,
                     row->request, job->request);
    if (!isnan(row->estimate) && !isnan(job->reported[0]) &&
        !arrivals_same(s, row->estimate, job->reported[0]) &&
        !arrivals_same(s, row->estimate, job->reported[1]))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "job %s has the estimate %.15g s in the table: the scheduler was given "
                     "%.15g s",
                     job->name, row->estimate, job->reported[0]);
    if (row->promise < row->submit - s->what->tolerance)
        cs_check_add(s->report, CS_VIOLATION_RESERVATION, row->job, row->start,
                     "job %s was promised to start by %.15g s, before it arrives at %.15g s",
                     job->name, row->promise, row->submit);
}

/* Processors and nodes are numbered over all pools. */
static int pool_of(const struct cs_site *site, int number)
{
    int low = 0, high = site->pools;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (site->pool[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool in_partition(const struct cs_site *site, int partition, int pool)
{
    for (int p = 0; p < site->partition[partition].pools; p++)
        if (site->partition[partition].pool[p] == pool)
            return true;
    return false;
}

/* How many numbers there are to hold. */
static int64_t numbers_of(const struct cs_site *site)
{
    int64_t numbers = 0;

    for (int g = 0; g < site->groups; g++)
        numbers += site->group[g].nodes;
    return numbers;
}

static void check_pools(const struct cs_check_arrivals_state *s, row_at row, job_at job)
{
    const struct cs_site *site = s->what->site;

    for (int i = 0; i < row->intervals; i++) {
        const int last = pool_of(site, row->set[i].last);

        for (int p = pool_of(site, row->set[i].first); p <= last; p++)
            if (!in_partition(site, job->partition, p)) {
                cs_check_add(s->report, CS_VIOLATION_PROC_RANGE, row->job, row->start,
                             "job %s holds something of %s at %.15g s, which is not in its "
                             "partition %s",
                             job->name, site->group[site->pool[p].group].name, row->start,
                             site->partition[job->partition].name);
                return;
            }
    }
}

/* Can it be followed? */
static bool check_set(const struct cs_check_arrivals_state *s, row_at row, job_at job)
{
    const int64_t numbers = numbers_of(s->what->site);

    if (!cs_procset_well_formed(row->set, row->intervals)) {
        cs_check_add(s->report, CS_VIOLATION_PROC_SET, row->job, row->start,
                     "what job %s holds at %.15g s is not a set of ascending, disjoint intervals "
                     "with gaps between them",
                     job->name, row->start);
        return false;
    }
    if (row->set[row->intervals - 1].last >= numbers) {
        cs_check_add(s->report, CS_VIOLATION_PROC_RANGE, row->job, row->start,
                     "job %s holds number %d at %.15g s: the machine has %" PRId64 ", from 0 on",
                     job->name, row->set[row->intervals - 1].last, row->start, numbers);
        return false;
    }
    if (cs_procset_size(row->set, row->intervals) != job->units)
        cs_check_add(s->report, CS_VIOLATION_WIDTH, row->job, row->start,
                     "job %s asks for %d and holds %lld at %.15g s", job->name, job->units,
                     cs_procset_size(row->set, row->intervals), row->start);
    else
        check_pools(s, row, job);
    return true;
}

/* Is the job that the row names the one of its number? */
static bool check_name(const struct cs_check_arrivals_state *s, row_at row)
{
    const bool there = row->job >= 0 && row->job < s->what->jobs;

    if (there && !strcmp(s->what->job[row->job].name, row->name))
        return true;
    if (there)
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "number %d is job %s in the table and job %s in the log", row->job, row->name,
                     s->what->job[row->job].name);
    else
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, -1, row->start,
                     "job %s is number %d in the table, the log has %d jobs", row->name, row->job,
                     s->what->jobs);
    return false;
}

static void check_row(struct cs_check_arrivals_state *s, int r)
{
    const row_at row = &s->what->row[r];
    const job_at job = &s->what->job[row->job];

    if (!isfinite(row->start) || !isfinite(row->end) || row->end < row->start) {
        cs_check_add(s->report, CS_VIOLATION_BAR_TIME, row->job, row->start,
                     "job %s runs from %.15g s to %.15g s: times must be finite and a job must not "
                     "end before it starts",
                     job->name, row->start, row->end);
        return;
    }
    if (s->row[row->job] >= 0) {
        cs_check_add(s->report, CS_VIOLATION_TASK_REPEATED, row->job, row->start,
                     "job %s is in the table twice", job->name);
        return;
    }
    s->row[row->job] = r;
    if (row->procs != job->procs)
        cs_check_add(s->report, CS_VIOLATION_WIDTH, row->job, row->start,
                     "job %s has %" PRId64 " processors in the table and %" PRId64 " in the log",
                     job->name, row->procs, job->procs);
    check_times(s, row, job);
    check_figures(s, row, job);
    check_asked(s, row, job);
    if (row->intervals > 0 && check_set(s, row, job))
        s->intervals[r] = row->intervals;
}

/* If one row lists the processors of its job, all do. */
static void check_said(const struct cs_check_arrivals_state *s)
{
    int said = 0;

    for (int r = 0; r < s->what->rows; r++)
        said += s->what->row[r].intervals > 0;
    for (int r = 0; r < s->what->rows && said > 0; r++)
        if (s->what->row[r].intervals == 0 && s->what->row[r].procs > 0)
            cs_check_add(s->report, CS_VIOLATION_PROC_SET, -1, s->what->row[r].start,
                         "the processors of job %s at %.15g s are missing; the table has those "
                         "of other jobs",
                         s->what->row[r].name, s->what->row[r].start);
}

static void check_rows(struct cs_check_arrivals_state *s)
{
    s->row = CS_NEW_ARRAY(s->arena, int, s->what->jobs);
    s->intervals = CS_NEW_ARRAY(s->arena, int, s->what->rows);
    for (int j = 0; j < s->what->jobs; j++)
        s->row[j] = -1;
    for (int r = 0; r < s->what->rows; r++)
        if (check_name(s, &s->what->row[r]))
            check_row(s, r);
    for (int j = 0; j < s->what->jobs; j++)
        if (s->row[j] < 0)
            cs_check_add(s->report, CS_VIOLATION_TASK_MISSING, j, NAN,
                         "job %s of the log never runs", s->what->job[j].name);
}

/* ---- the queue ---- */

struct in_line {
    double tier;
    int job;
};

static int compare_in_line(const void *a, const void *b)
{
    const struct in_line *x = a, *y = b;

    if (x->tier != y->tier)
        return x->tier > y->tier ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static void make_line(struct cs_check_arrivals_state *s)
{
    struct in_line *line = CS_NEW_ARRAY(s->arena, struct in_line, s->what->jobs);

    s->line = CS_NEW_ARRAY(s->arena, int, s->what->jobs);
    for (int j = 0; j < s->what->jobs; j++)
        line[j] = (struct in_line){s->what->site->partition[s->what->job[j].partition].tier, j};
    qsort(line, (size_t)s->what->jobs, sizeof *line, compare_in_line);
    for (int k = 0; k < s->what->jobs; k++)
        s->line[k] = line[k].job;
}

/* An unplanned outage while the job waited makes its promise void. */
static bool is_void(const struct cs_check_arrivals *what, row_at row)
{
    for (int o = 0; o < what->outages; o++) {
        const struct cs_site_outage *outage = &what->outage[o];
        const double news = outage->kind == CS_SITE_MAINTENANCE
                                ? fmin(outage->announced, outage->start)
                                : outage->start;

        if (what->job[row->job].submit <= news && news <= row->start)
            return true;
    }
    return false;
}

/* Was the expected end of a job extended while this one waited? */
static bool is_put_off(const struct cs_check_arrivals_state *s, row_at row)
{
    const struct cs_check_arrivals *what = s->what;

    for (int j = 0; j < what->jobs && what->extend; j++) {
        const row_at other = s->row[j] < 0 ? NULL : &what->row[s->row[j]];

        if (other && what->job[j].seconds > what->job[j].estimate && other->end > row->submit &&
            other->start + what->job[j].estimate <= row->start)
            return true;
    }
    return false;
}

static void check_promises(const struct cs_check_arrivals_state *s)
{
    int promises = 0, rows = 0;

    for (int j = 0; j < s->what->jobs; j++) {
        const row_at row = s->row[j] < 0 ? NULL : &s->what->row[s->row[j]];

        if (!row)
            continue;
        rows++;
        promises += !isnan(row->promise);
        if (row->attempts == 1 && row->start > row->promise + s->what->tolerance &&
            !is_void(s->what, row) && !is_put_off(s, row))
            cs_check_add(s->report, CS_VIOLATION_RESERVATION, row->job, row->start,
                         "job %s starts at %.15g s, it was promised to start by %.15g s",
                         s->what->job[row->job].name, row->start, row->promise);
    }
    if (rows > 0 && promises == 0)
        cs_check_add(s->report, CS_VIOLATION_RESERVATION, -1, NAN,
                     "the table has no promises: no row has one in a column \"promise\"");
}

/* ---- rules that need every attempt ---- */

static bool has_all_attempts(const struct cs_check_arrivals_state *s)
{
    for (int r = 0; r < s->what->rows; r++)
        if (s->what->row[r].attempts > 1) {
            cs_check_lack(s->report, "jobs ran more than once, and the table has their last "
                                     "attempts: the order of starts was not judged");
            return false;
        }
    return true;
}

static void check_rule(const struct cs_check_arrivals_state *s, bool fine)
{
    const enum cs_check_arrivals_rule rule = s->what->rule;

    if (rule == CS_CHECK_ARRIVALS_CONSERVATIVE || rule == CS_CHECK_ARRIVALS_EXACT)
        check_promises(s);
    if (rule == CS_CHECK_ARRIVALS_VALID || rule == CS_CHECK_ARRIVALS_LIMITS ||
        rule == CS_CHECK_ARRIVALS_CONSERVATIVE || !fine || !has_all_attempts(s))
        return;
    if (rule == CS_CHECK_ARRIVALS_FCFS)
        check_arrivals_order(s);
    else if (rule == CS_CHECK_ARRIVALS_EASY)
        cs_check_arrivals_easy(s);
    else
        cs_check_arrivals_exact(s);
}

void cs_check_arrivals(const struct cs_check_arrivals *what, struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_check_arrivals_state s = {.what = what, .report = report, .arena = arena};
    const size_t before = report->total;

    check_rows(&s);
    check_said(&s);
    make_line(&s);
    check_arrivals_use(&s);
    check_rule(&s, report->total == before);
    cs_arena_destroy(arena);
}
